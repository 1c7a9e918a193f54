//! GeoRisk-RAG's Figures 1 and 6 with documents of our own words, and the swap benchmark in small.

use crate::program::Desk;

/// A library of documents with their places.
fn library(documents: &[(&str, &str, &str)]) -> Desk {
    let desk = Desk::new();
    let mut manifest = "file,title,place,publisher\n".to_owned();
    for (file, place, text) in documents {
        desk.write(&format!("documents/{file}"), text);
        let title = text.lines().next().unwrap_or_default();
        manifest.push_str(&format!("{file},\"{title}\",\"{place}\",\"{place}\"\n"));
    }
    desk.write("documents/manifest.csv", manifest);
    let run = desk.run(&["ingest", "documents"]);
    assert_eq!(run.code, 0, "{run:?}");
    desk
}

/// Warned, with the level used, and quoting the one document and no other.
fn warned_from(answer: &serde_json::Value, used: &str, says: &str, not: &[&str]) {
    assert_eq!(answer["decision"], "warn", "{answer}");
    assert_eq!(answer["level"]["used"], used, "{answer}");
    assert_eq!(answer["level"]["relation"], "broader", "{answer}");
    let text = answer["text"].as_str().unwrap_or_default();
    assert!(text.contains(says), "{answer}");
    for other in not {
        assert!(!text.contains(other), "{answer}");
    }
    let reasons = answer["reasons"].to_string();
    assert!(reasons.contains(&format!("this is {used}")), "{answer}");
}

/// Figure 1: nothing for Osage County, Oklahoma; the state's text is used with a warning, and the
/// county of the same name in Kansas is not.
#[test]
fn osage_county_is_warned_with_the_text_of_its_state() {
    let desk = library(&[
        (
            "oklahoma.md",
            "Oklahoma, USA",
            "Grass fires in Oklahoma\n\nMow grass to four inches within fifty feet of a house before winter winds. Cedar trees near the walls should be cut.",
        ),
        (
            "kansas.md",
            "Osage County, Kansas",
            "Grass fires in Osage County\n\nMow grass to nine inches within eighty feet of a house before winter winds. Barns count as houses.",
        ),
        (
            "texas.md",
            "Texas, USA",
            "Grass fires in Texas\n\nMow grass to two inches within thirty feet of a house before winter winds.",
        ),
    ]);
    let question = "How far around a house should grass be mowed before winter winds in Osage County, Oklahoma?";
    let answer = desk.json(&["ask", question]);
    warned_from(
        &answer,
        "Oklahoma, United States",
        "fifty feet",
        &["eighty", "thirty"],
    );
}

/// Figure 6: a question about Albuquerque is answered with New Mexico's text and a warning, where
/// baselines abstain or quote a neighbour.
#[test]
fn albuquerque_is_warned_with_the_text_of_new_mexico() {
    let desk = library(&[
        (
            "new-mexico.md",
            "New Mexico, USA",
            "Living with fire in New Mexico\n\nPine needles should be raked from roofs and decks twice a year. Owners thin juniper so that crowns stand twelve feet apart.",
        ),
        (
            "flagstaff.md",
            "Flagstaff, Arizona",
            "Living with fire in Flagstaff\n\nPine needles should be raked from roofs and decks every month. Owners thin juniper so that crowns stand twenty feet apart.",
        ),
    ]);
    let question = "How far apart should the crowns of juniper stand in Albuquerque, New Mexico?";
    let answer = desk.json(&["ask", question]);
    warned_from(
        &answer,
        "New Mexico, United States",
        "twelve feet",
        &["twenty"],
    );
    assert_eq!(answer["level"]["distance"], 2, "{answer}");
}

/// The whole benchmark on a small set: built, ingested and run by the program, without a model.
#[test]
fn a_small_swap_set_is_built_and_run() {
    let desk = Desk::new();
    let built = desk.json(&[
        "bench",
        "build-swaps",
        "--out",
        "swaps",
        "--facets",
        "2",
        "--places",
        "20",
    ]);
    assert_eq!(built["questions"], 42);
    let run = desk.run(&["ingest", "swaps/corpus"]);
    assert_eq!(run.code, 0, "{run:?}");
    let report = desk.json(&["bench", "geo", "--questions", "swaps/questions.jsonl"]);
    let value = |name: &str| report["metrics"][name]["value"].as_f64().unwrap_or(-1.0);
    assert_eq!(report["items"].as_array().map(Vec::len), Some(42));
    assert_eq!(value("faithfulness"), 1.0, "{report}");
    assert!(value("good_decision_rate") >= 0.85, "{report}");
    assert!(value("false_confidence") <= 0.025, "{report}");
    let keyword = desk.json(&[
        "bench",
        "geo",
        "--questions",
        "swaps/questions.jsonl",
        "--method",
        "keyword",
    ]);
    // Without a model a method that compares meanings says so.
    assert!(
        keyword["error"]["message"]
            .to_string()
            .contains("models pull"),
        "{keyword}"
    );
}

/// A document of a place that no table knows, in a county: what it says need not hold for the
/// county, so that a question about the county is warned.
#[test]
fn a_place_that_no_table_knows_does_not_speak_for_its_county() {
    let desk = library(&[(
        "hollow.md",
        "Quibble Hollow, Buncombe County, North Carolina",
        "Landslides at Quibble Hollow\n\nSeven debris slides closed the road at the hollow after the storm of 27 September 2024.",
    )]);
    let question = "How many debris slides closed roads in Buncombe County, North Carolina after the storm of September 2024?";
    let answer = desk.json(&["ask", question]);
    assert_ne!(answer["decision"], "answer", "{answer}");
    let reasons = answer["reasons"].to_string();
    assert!(reasons.contains("a place in Buncombe County"), "{answer}");
}

/// A title that says where its town lies is about the town and not about the country.
#[test]
fn the_country_behind_a_town_in_a_title_is_not_what_the_document_is_about() {
    let desk = library(&[(
        "moscow.md",
        "",
        "Flood handbook for Moscow, Russia\n\nThe pumps at the lower bridge lift 900 litres of flood water a second.",
    )]);
    let asked = |place: &str| {
        let question = format!("How many litres of flood water a second do pumps lift in {place}?");
        desk.json(&["ask", &question])
    };
    let of_country = asked("Russia");
    assert_ne!(of_country["decision"], "answer", "{of_country}");
    let of_town = asked("Moscow, Russia");
    assert_eq!(of_town["decision"], "answer", "{of_town}");
}
