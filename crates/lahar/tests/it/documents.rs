//! Documents come in, are listed and shown, change, and go.

use serde_json::Value;

use crate::program::Desk;

#[test]
fn the_same_file_is_unchanged_a_changed_one_replaced_and_a_removed_one_gone() {
    let desk = Desk::new();
    desk.write(
        "plan.md",
        "# Elm plan\n\nSirens stand at the Elm Street bridge.\n",
    );
    let status = |report: Value| {
        report["documents"][0]["status"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert_eq!(status(desk.json(&["ingest", "plan.md"])), "added");
    assert_eq!(status(desk.json(&["ingest", "plan.md"])), "unchanged");
    desk.write(
        "plan.md",
        "# Elm plan\n\nSirens stand at the Oak Street bridge.\n",
    );
    assert_eq!(status(desk.json(&["ingest", "plan.md"])), "replaced");

    let hits = desk.json(&["search", "sirens bridge"]);
    let texts: Vec<&str> = hits["hits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["text"].as_str().unwrap())
        .collect();
    assert_eq!(texts.len(), 1);
    assert!(texts[0].contains("Oak Street"), "{texts:?}");

    assert_eq!(desk.run(&["remove", "plan.md"]).code, 0);
    assert!(
        desk.json(&["search", "sirens bridge"])["hits"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    assert_eq!(desk.run(&["show", "plan.md"]).code, 1);
    assert_eq!(desk.run(&["check"]).code, 0);
}

#[test]
fn a_quote_stands_at_its_offsets_in_scalar_values() {
    let desk = Desk::new();
    desk.ingest_samples();
    let answer = desk.json(&[
        "ask",
        "What is the flood stage of the Snohomish River at Snohomish, Washington?",
    ]);
    assert_eq!(answer["decision"], "answer", "{answer}");
    let mut citations = 0;
    for statement in answer["statements"].as_array().unwrap() {
        for citation in statement["citations"].as_array().unwrap() {
            let shown = desk.json(&["show", citation["document"].as_str().unwrap()]);
            let text: Vec<char> = shown["text"].as_str().unwrap().chars().collect();
            let at = |key: &str| citation[key].as_u64().unwrap() as usize;
            let found: String = text[at("start")..at("end")].iter().collect();
            assert_eq!(found, citation["quote"].as_str().unwrap());
            citations += 1;
        }
    }
    assert!(citations > 0);
}

#[test]
fn a_page_of_a_pdf_is_shown_alone() {
    let desk = Desk::new();
    desk.ingest_samples();
    let name = "alaska-1964-earthquake-tsunami.pdf";
    let whole = desk.json(&["show", name]);
    let pages = whole["pages"].as_array().unwrap();
    assert!(pages.len() > 1);
    let text: Vec<char> = whole["text"].as_str().unwrap().chars().collect();
    let second: String = text
        [pages[1]["start"].as_u64().unwrap() as usize..pages[1]["end"].as_u64().unwrap() as usize]
        .iter()
        .collect();
    let shown = desk.run(&["show", &format!("{name}:2")]);
    assert_eq!(shown.stdout.trim(), second.trim());
    let beyond = desk.run(&["show", &format!("{name}:99")]);
    assert_eq!(beyond.code, 1);
    assert!(beyond.stderr.contains("no page 99"), "{beyond:?}");
}
