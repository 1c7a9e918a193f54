use std::collections::BTreeMap;
use std::fs;

use lahar_answers::{Asker, Label, Labelled, Method, Without};
use lahar_core::{Decision, ReasonCode};
use lahar_documents::ReadOptions;
use lahar_library::{ChunkKind, DocumentDetails, Ingestor, Library, Reranking, Settings};

const FLOOD: &str = "# The flood at Brackwater, April 1987

The Elm River rose above its banks at Brackwater on April 14, 1987, after three days of rain.
The flood of the Elm River at Brackwater killed 14 people and destroyed 212 homes.
Water stood 8 feet deep in Harbour Street for 36 hours.
Snowmelt in the hills caused the flood; the dam above the town did not fail.
It was the second largest flood in the history of the town.
The bridge closed before the railway station was evacuated.
Damage came to 7.5 million dollars.
Most of the farms upstream were spared.
The district has a hospital, a fire station and a school on the high bank.
";

const MEMORIAL: &str = "# Brackwater remembers

The flood of the Elm River at Brackwater in April 1987 killed 21 people and destroyed 212 homes.
A stone at the quay bears their names.
";

const LANDSLIDE: &str = "# The Corran Hill slide

The landslide on Corran Hill moved 40,000 cubic meters of clay.
It travelled 600 meters in less than two minutes.
Instruments on the hill measure rainfall, pore pressure and soil temperature.
";

pub fn library(folder: &std::path::Path) -> Library {
    let settings = Settings::new(ChunkKind::Paragraph, None).unwrap();
    let mut library = Library::create(folder.join("test.db"), &settings).unwrap();
    let mut ingestor = Ingestor::new(&mut library, None).unwrap();
    for (name, text) in [
        ("flood.md", FLOOD),
        ("memorial.md", MEMORIAL),
        ("slide.md", LANDSLIDE),
    ] {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        let document = lahar_documents::read(&path, &ReadOptions::default()).unwrap();
        let details = DocumentDetails {
            path: path.to_string_lossy().into_owned(),
            ingested_at: "2026-01-01".to_owned(),
            ..DocumentDetails::default()
        };
        ingestor.ingest(&document, &details, &mut |_| {}).unwrap();
    }
    library
}

fn with_asker<T>(check: impl FnOnce(&Asker<'_>) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path());
    check(&Asker {
        library: &library,
        embedder: None,
        method: Method::Lahar,
        reranking: Reranking::Off,
        longest_question: 500,
        without: Without::default(),
        elsewhere: None,
    })
}

/// Claims with the label that the documents give them.
#[track_caller]
fn labels(claims: &[(&str, bool)]) {
    with_asker(|asker| {
        for (claim, holds) in claims {
            let found = asker.check_claim(claim).unwrap();
            let wanted = if *holds { Label::True } else { Label::False };
            let why: Vec<&str> = found
                .answer
                .reasons
                .iter()
                .map(|r| r.message.as_str())
                .collect();
            assert_eq!(found.label, Some(wanted), "{claim}: {why:?}");
            assert!(!found.answer.statements().is_empty(), "{claim}");
        }
    });
}

#[test]
fn figures_are_compared_across_units_with_tolerance() {
    labels(&[
        ("Water stood about 2.4 m deep in Harbour Street.", true),
        ("Water stood about 4 m deep in Harbour Street.", false),
        ("Damage came to 7,500,000 dollars.", true),
        ("Damage came to 75 million dollars.", false),
        (
            "The flood at Brackwater destroyed more than 200 homes.",
            true,
        ),
        (
            "The flood at Brackwater destroyed more than 300 homes.",
            false,
        ),
    ]);
}

#[test]
fn durations_and_dates_are_compared() {
    labels(&[
        (
            "Water stood in Harbour Street for a day and a half, that is 36 hours.",
            true,
        ),
        ("Water stood in Harbour Street for 36 days.", false),
        ("The Elm River rose above its banks on 14 April 1987.", true),
        (
            "The Elm River rose above its banks on 24 April 1987.",
            false,
        ),
    ]);
}

#[test]
fn order_rank_negation_and_cause_are_compared() {
    labels(&[
        (
            "The bridge closed before the railway station was evacuated.",
            true,
        ),
        (
            "The bridge closed after the railway station was evacuated.",
            false,
        ),
        (
            "It was the second largest flood in the history of Brackwater.",
            true,
        ),
        (
            "It was the largest flood in the history of Brackwater.",
            false,
        ),
        ("The dam above the town failed.", false),
        ("The dam above the town did not fail.", true),
        ("Snowmelt in the hills caused the flood.", true),
        ("A broken dike in the hills caused the flood.", false),
    ]);
}

#[test]
fn a_verdict_names_the_words_that_decided_it() {
    with_asker(|asker| {
        let found = asker
            .check_claim("The flood at Brackwater destroyed 500 homes.")
            .unwrap();
        assert_eq!(found.label, Some(Label::False));
        let message = &found.answer.reasons[0].message;
        assert!(
            message.contains("212") && message.contains("500"),
            "{message}"
        );
        let first = found.grounds.first().unwrap();
        assert!(first.adds < 0.0, "{first:?}");
        assert!(
            found
                .grounds
                .windows(2)
                .all(|pair| pair[0].adds.abs() >= pair[1].adds.abs())
        );
    });
}

fn quotes(labelled: &Labelled) -> Vec<String> {
    let statements = labelled.answer.statements().iter();
    statements
        .flat_map(|s| s.citations().iter().map(|c| c.span.quote().to_owned()))
        .collect()
}

#[test]
fn sources_that_disagree_are_shown_side_by_side() {
    with_asker(|asker| {
        for (claim, label) in [
            (
                "The flood of the Elm River at Brackwater killed 14 people.",
                Label::True,
            ),
            (
                "The flood of the Elm River at Brackwater killed 21 people.",
                Label::True,
            ),
            // Their mean is no source's figure.
            (
                "The flood of the Elm River at Brackwater killed 17 people.",
                Label::False,
            ),
        ] {
            let found = asker.check_claim(claim).unwrap();
            assert_eq!(found.label, Some(label), "{claim}: {:?}", found.grounds);
            if label == Label::True {
                assert_eq!(found.answer.decision(), Decision::Warn, "{claim}");
                let codes = found.answer.reasons.iter().map(|r| r.code);
                assert!(codes.into_iter().any(|c| c == ReasonCode::SourcesDisagree));
                let quotes = quotes(&found).join(" ");
                assert!(
                    quotes.contains("14 people") && quotes.contains("21 people"),
                    "{quotes}"
                );
            }
        }
    });
}

#[test]
fn a_claim_about_something_else_is_abstained_from() {
    with_asker(|asker| {
        let found = asker
            .check_claim("The Zephyr volcano erupted over Quillon in 1911.")
            .unwrap();
        assert_eq!(found.label, None);
        assert_eq!(found.answer.decision(), Decision::Abstain);
    });
}

#[track_caller]
fn chooses(question: &str, options: [&str; 4], wanted: char) {
    with_asker(|asker| {
        let options: BTreeMap<char, String> = ('A'..='D')
            .zip(options.iter().map(|o| (*o).to_owned()))
            .collect();
        let found = asker.choose_option(question, &options).unwrap();
        assert_eq!(found.label, Some(Label::Option(wanted)), "{question}");
        assert!(!found.answer.statements().is_empty());
    });
}

#[test]
fn numeric_options_are_told_by_unit() {
    chooses(
        "How deep did water stand in Harbour Street?",
        ["8 m", "2.4 m", "36 m", "14 m"],
        'B',
    );
    chooses(
        "How far did the Corran Hill landslide travel?",
        ["2 km", "40 km", "600 km", "0.6 km"],
        'D',
    );
}

#[test]
fn all_of_the_above_holds_where_every_option_is_named() {
    chooses(
        "What do instruments on Corran Hill measure?",
        [
            "Rainfall",
            "Pore pressure",
            "Soil temperature",
            "All of the above",
        ],
        'D',
    );
    chooses(
        "What do instruments on Corran Hill measure?",
        [
            "Snow depth",
            "Wind speed",
            "Soil temperature",
            "All of the above",
        ],
        'C',
    );
}

#[test]
fn the_option_that_does_not_hold_is_found() {
    chooses(
        "Which of these does the district NOT have on the high bank?",
        ["A hospital", "A fire station", "A prison", "A school"],
        'C',
    );
}
