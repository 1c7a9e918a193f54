//! Each kind of wrong decision and of poor answer has its own figure.

use lahar_core::Decision::{Abstain, Answer, Warn};

use super::*;
use crate::questions::parse_items;

const SET: &str = r#"{"id": "a", "question": "How wide is the strip in Elm?", "place": "X", "reference_answer": "30 feet", "expected_decision": "answer", "location_dependent": "yes", "geo_error_type": "exact", "group": "g", "document": "x", "evidence": "The strip in Elm is 30 feet wide."}
{"id": "b", "question": "How wide is the strip in Oak?", "place": "X", "reference_answer": "40 feet", "expected_decision": "warn", "location_dependent": "yes", "geo_error_type": "coarse", "group": "g", "warning_names": ["Oregon"], "relations": {"coarse": ["state.md"], "mismatch": ["other.md"]}, "document": "x", "evidence": "e"}
{"id": "c", "question": "How wide is the strip in Ash?", "place": "X", "reference_answer": null, "expected_decision": "abstain", "location_dependent": "yes", "geo_error_type": "mismatch", "group": "g", "document": "x", "evidence": "e"}
{"id": "d", "question": "Why do strips help?", "place": null, "reference_answer": "They starve a fire of fuel", "expected_decision": "answer", "location_dependent": "no", "geo_error_type": "none", "document": "x", "evidence": "e"}"#;

fn says(decision: lahar_core::Decision, text: &str, reason: &str) -> GeoAnswer {
    GeoAnswer {
        decision,
        statements: match decision {
            Abstain => Vec::new(),
            _ => vec![text.to_owned()],
        },
        reasons: vec![reason.to_owned()],
        level_used: None,
        passages: vec![SeenPassage {
            chunk: 1,
            file: "state.md".to_owned(),
            text: text.to_owned(),
        }],
    }
}

fn report(answers: Vec<GeoAnswer>) -> GeoReport {
    let items = parse_items(SET, "set.jsonl".as_ref()).unwrap();
    let mut next = answers.into_iter();
    run_geo("m", &items, |_| {
        next.next().ok_or(std::io::Error::other("no more"))
    })
    .unwrap()
}

fn good() -> Vec<GeoAnswer> {
    vec![
        says(Answer, "The strip in Elm is 30 feet wide.", ""),
        says(
            Warn,
            "Strips in Oregon are 40 feet wide.",
            "this is Oregon guidance",
        ),
        says(Abstain, "", "nothing"),
        says(Answer, "Strips starve a fire of fuel.", ""),
    ]
}

#[test]
fn a_perfect_run_has_perfect_figures() {
    let report = report(good());
    for name in [
        "good_decision_rate",
        "good_decision_quality",
        "faithfulness",
        "warning_precision",
        "warning_recall",
        "group_decision_worst",
        "groups_all_good",
    ] {
        assert_eq!(report.metrics[name].value, 1.0, "{name}");
    }
    assert_eq!(report.metrics["false_confidence"].value, 0.0);
    assert_eq!(report.metrics["appropriate_warning_rate"].value, 1.0 / 3.0);
    assert_eq!(report.metrics["factual_correctness"].n, 3);
    assert_eq!(report.metrics["factual_correctness"].value, 1.0);
    assert_eq!(
        report.items[1].retrieved_relation.as_deref(),
        Some("coarse")
    );
    assert_eq!(report.by.correctness_by_retrieved["coarse"].n, 1);
}

#[test]
fn sure_answers_and_needless_abstentions_are_told_apart() {
    let mut sure = good();
    sure[1].decision = Answer;
    sure[2] = says(Answer, "The strip is 70 feet wide.", "");
    let sure = report(sure);
    assert_eq!(sure.metrics["false_confidence"].value, 2.0 / 3.0);
    assert_eq!(sure.metrics["good_decision_rate"].value, 0.5);
    assert!(!sure.metrics.contains_key("warning_precision"));
    let mut timid = good();
    timid[0] = says(Abstain, "", "");
    timid[3] = says(Abstain, "", "");
    let timid = report(timid);
    assert_eq!(timid.metrics["over_abstention"].value, 1.0 / 3.0);
    assert_eq!(timid.metrics["over_abstention_of_answerable"].value, 0.5);
    // Abstentions score 0 in the one figure, and are left out of the other.
    assert_eq!(timid.metrics["factual_correctness"].value, 1.0 / 3.0);
    assert_eq!(timid.metrics["factual_correctness_answered"].value, 1.0);
    assert_eq!(timid.by.group["g"], (2, 3));
}

#[test]
fn a_good_decision_that_lacks_something_scores_half() {
    let mut answers = good();
    answers[0] = says(Answer, "The strip in Elm is 50 feet wide.", "");
    answers[1].reasons = vec!["this is Idaho guidance".to_owned()];
    let report = report(answers);
    let quality: Vec<f64> = report.items.iter().map(|item| item.quality).collect();
    assert_eq!(quality, [0.5, 0.5, 1.0, 1.0]);
    assert_eq!(report.metrics["good_decision_rate"].value, 1.0);
}

#[test]
fn what_no_passage_says_is_not_faithful() {
    let mut answers = good();
    answers[0]
        .statements
        .push("A goat eats 9 shrubs an hour.".to_owned());
    let report = report(answers);
    assert_eq!(report.items[0].faithfulness, Some(0.5));
    assert_eq!(report.items[2].faithfulness, None);
    assert_eq!(report.metrics["faithfulness"].n, 3);
}

#[test]
fn tables_name_the_methods_and_the_paper() {
    let report = report(good());
    let text = table::side_by_side(&[&report]);
    assert!(text.contains("0.946 [0.910, 0.977]"), "{text}");
    assert!(table::table(&report).contains("good_decision_quality"));
}
