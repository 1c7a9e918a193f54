//! The cards that ship: they are read, linted, and their sentences stand in the evidence pack.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use lahar_core::DocumentId;
use lahar_places::Gazetteer;
use lahar_routes::card::{Role, shipped};
use lahar_routes::lint::{Severity, lint};
use lahar_routes::{QuoteBook, Registry};

/// The evidence pack; the tests that need it say by name that they are skipped without it.
pub fn evidence_pack(test: &str) -> Option<PathBuf> {
    let shared = std::env::var_os("LAHAR_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        PathBuf::from,
    );
    let pack = shared.join("evidence");
    if pack.is_dir() {
        return Some(pack);
    }
    eprintln!("SKIPPED {test}: {} is not here", pack.display());
    None
}

/// A book with every sentence of the pack, read as one document for each source.
pub fn book(pack: &std::path::Path) -> QuoteBook {
    let mut documents: BTreeMap<String, String> = BTreeMap::new();
    for entry in std::fs::read_dir(pack).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let table: toml::Table = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let spans = table.get("span").and_then(toml::Value::as_array);
        for span in spans.into_iter().flatten() {
            let text = |key: &str| span[key].as_str().unwrap().to_owned();
            let document = documents.entry(text("source")).or_default();
            document.push_str(&text("quote"));
            document.push_str("\n\n");
        }
    }
    let mut book = QuoteBook::of_cards(shipped::all().unwrap());
    for (title, text) in documents {
        book.read(DocumentId::of(title.as_bytes()), &title, &text, |_| None);
    }
    book
}

#[test]
fn every_card_passes_lint() {
    let registry = Registry::standard();
    let gazetteer = Gazetteer::embedded();
    let mut wrong = Vec::new();
    for card in shipped::all().unwrap() {
        let found = lint(card, registry, gazetteer, &QuoteBook::default(), &|_| false);
        let errors = found.iter().filter(|c| c.severity == Severity::Error);
        wrong.extend(errors.map(ToString::to_string));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_fingerprint_is_found_in_the_evidence_pack() {
    let Some(pack) = evidence_pack("every_fingerprint_is_found_in_the_evidence_pack") else {
        return;
    };
    let book = book(&pack);
    let mut fingerprints = 0;
    for card in shipped::all().unwrap() {
        for condition in &card.conditions {
            let Some(fingerprint) = &condition.fingerprint else {
                continue;
            };
            fingerprints += 1;
            let quote = book.quote(fingerprint);
            assert!(quote.is_some(), "{}, `{}`", card.id, condition.id);
        }
    }
    assert!(fingerprints > 150, "{fingerprints}");
}

#[test]
fn every_finished_track_has_five_families_of_several_kinds() {
    // Heatwaves have their first method only.
    const FINISHED: [&str; 5] = [
        "flood",
        "ground-failure",
        "landslide",
        "postfire-debris-flow",
        "wildfire",
    ];
    let mut tracks: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for card in shipped::all().unwrap() {
        tracks.entry(&card.track).or_default().push(card);
    }
    for track in FINISHED {
        let cards = &tracks[track];
        assert!(cards.len() >= 5, "{track}: {}", cards.len());
        let kinds: BTreeSet<_> = cards.iter().map(|card| card.kind).collect();
        assert!(kinds.len() >= 3, "{track}: {kinds:?}");
        let roles: BTreeSet<Role> = cards
            .iter()
            .flat_map(|card| &card.conditions)
            .map(|condition| condition.role)
            .collect();
        assert!(roles.contains(&Role::Failure), "{track}: {roles:?}");
    }
}

#[test]
fn no_card_holds_a_sentence_of_its_source() {
    let Some(pack) = evidence_pack("no_card_holds_a_sentence_of_its_source") else {
        return;
    };
    let texts = shipped::files();
    for entry in std::fs::read_dir(pack).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let table: toml::Table = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let spans = table.get("span").and_then(toml::Value::as_array);
        for span in spans.into_iter().flatten() {
            let quote = span["quote"].as_str().unwrap();
            // The title of a publication is a citation, not a sentence.
            if span["section"].as_str() == Some("References") {
                continue;
            }
            for (file, text) in texts {
                assert!(!text.contains(quote), "{file} holds: {quote}");
            }
        }
    }
}

#[test]
fn lint_names_what_is_wrong() {
    let text = shipped::files()
        .iter()
        .find(|(file, _)| file.ends_with("staley-gartner-cannon-cascade.toml"))
        .unwrap()
        .1;
    let complaints = |find: &str, put: &str| -> Vec<String> {
        assert!(text.contains(find), "{find}");
        let card = lahar_routes::Card::parse("c", &text.replacen(find, put, 1)).unwrap();
        let registry = Registry::standard();
        let found = lint(
            &card,
            registry,
            Gazetteer::embedded(),
            &QuoteBook::default(),
            &|_| false,
        );
        let errors = found.iter().filter(|c| c.severity == Severity::Error);
        errors.map(ToString::to_string).collect()
    };
    for (find, put, part) in [
        (
            "staley-2017-m1-likelihood\"",
            "staley-2017-m9-likelihood\"",
            "no capability `staley-2017-m9-likelihood`",
        ),
        (
            "gives = \"debris_flow_likelihood\"",
            "gives = \"relief\"",
            "no port that gives `relief`",
        ),
        (
            "variable = \"time_since_fire\"",
            "variable = \"time_since_fyre\"",
            "did you mean `time_since_fire`",
        ),
        ("unit = \"yr\"", "unit = \"km\"", "measures"),
        (
            "[\"eleven western states\"]",
            "[\"Nowhere at all\"]",
            "no place is called",
        ),
        (
            "responds_to = \"debris_flow_volume\"",
            "responds_to = \"relief\"",
            "cannot respond",
        ),
    ] {
        let found = complaints(find, put);
        assert!(
            found.iter().any(|message| message.contains(part)),
            "{put}: {found:?}"
        );
    }
    let start = text.find("citation = {").unwrap();
    let end = start + text[start..].find('\n').unwrap();
    let found = complaints(&text[start..end], "");
    assert!(
        found
            .iter()
            .any(|message| message.contains("no source is named")),
        "{found:?}"
    );
}

#[test]
fn couplings_respond_to_their_upstream_variable() {
    let mut couplings = 0;
    for card in shipped::all().unwrap() {
        for stage in card
            .stages
            .iter()
            .filter(|stage| stage.responds_to.is_some())
        {
            for name in &stage.any_of {
                let upstream = stage.responds_to.as_deref().unwrap();
                let found = lahar_routes::lint::responds(name, upstream);
                assert_eq!(found, Some(true), "{}: {name} and {upstream}", card.id);
                couplings += 1;
            }
        }
    }
    assert!(couplings >= 4, "{couplings}");
    // Rain over 15 minutes is no input of the class.
    assert_eq!(
        lahar_routes::lint::responds("cannon-2010-hazard-class", "peak_rainfall_intensity_15min"),
        None
    );
}
