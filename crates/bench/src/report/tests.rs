use serde_json::{Value, json};

use super::*;

fn item(id: &str, hazards: &[Hazard], category: Option<&str>, rank: Option<usize>) -> ItemResult {
    ItemResult {
        id: id.to_owned(),
        kind: "TF",
        category: category.map(str::to_owned),
        hazards: hazards.to_vec(),
        document: Some("a.html".to_owned()),
        rank,
        retrieved: 50,
        latency_ms: 4.0,
        graded: None,
    }
}

/// Four questions with evidence on ranks 1, 3, 20 and nowhere, and one without evidence.
fn report() -> Report {
    let items = vec![
        item("q1", &[Hazard::FLOOD], Some("Impacts"), Some(1)),
        item(
            "q2",
            &[Hazard::FLOOD, Hazard::STORM],
            Some("Impacts"),
            Some(3),
        ),
        item("q3", &[Hazard::STORM], None, Some(20)),
        item("q4", &[], Some("Response"), None),
        ItemResult {
            document: None,
            latency_ms: 9.0,
            ..item("q5", &[Hazard::FLOOD], Some("Response"), None)
        },
    ];
    Report::new("fused", items, 1.5)
}

fn other() -> Report {
    let mut other = report();
    other.method = "dense".to_owned();
    let ranks = [Some(2), Some(3), None, Some(1)];
    for (item, rank) in other.items.iter_mut().zip(ranks) {
        item.rank = rank;
    }
    Report::new(other.method, other.items, 2.0)
}

fn close(value: f64, expected: f64) -> bool {
    (value - expected).abs() < 1e-12
}

#[test]
fn the_set_is_summed_up_as_by_hand() {
    let report = report();
    let by_hand = [
        ("recall@1", 0.25),
        ("recall@5", 0.5),
        ("recall@50", 0.75),
        ("mrr", (1.0 + 1.0 / 3.0 + 0.05) / 4.0),
        ("ndcg@10", (1.0 + 0.5) / 4.0),
    ];
    for (name, value) in by_hand {
        let estimate = report.metrics.get(name).unwrap();
        assert!(close(estimate.value, value), "{name} {estimate:?}");
        assert_eq!(estimate.n, 4);
    }
    let latency = report.metrics.get("latency_ms_median").unwrap();
    assert_eq!((latency.value, latency.n), (4.0, 5));
    assert_eq!(report.without_evidence, 1);
    assert_eq!(report.metrics.get("accuracy"), None);
}

#[test]
fn an_item_of_two_hazards_counts_in_both() {
    let by = report().by;
    let value = |part: &Metrics| {
        let estimate = part.get("recall@5").unwrap();
        (estimate.value, estimate.n)
    };
    assert_eq!(value(&by.hazard["flood"]), (1.0, 2));
    assert_eq!(value(&by.hazard["storm"]), (0.5, 2));
    assert_eq!(by.hazard.len(), 2);
    assert_eq!(value(&by.category["Impacts"]), (1.0, 2));
    assert_eq!(value(&by.category["Response"]), (0.0, 1));
    assert_eq!(by.category.len(), 2);
}

#[test]
fn the_json_has_the_shape_of_the_contract() {
    let json = serde_json::to_value(report().with_library("own.db")).unwrap();
    let recall = &json["metrics"]["recall@5"];
    assert_eq!(recall["value"], 0.5);
    assert_eq!(recall["n"], 4);
    assert!(recall["low"].as_f64().unwrap() < recall["high"].as_f64().unwrap());
    assert_eq!(json["by"]["hazard"]["storm"]["recall@5"]["value"], 0.5);
    assert_eq!(json["by"]["category"]["Impacts"]["mrr"]["n"], 2);
    assert_eq!(json["method"], "fused");
    assert_eq!(json["library"], "own.db");
    assert_eq!(json["seconds"], 1.5);
    assert_eq!(
        json["items"][1],
        json!({"id": "q2", "type": "TF", "category": "Impacts", "hazards": ["flood", "storm"],
            "document": "a.html", "rank": 3, "retrieved": 50, "latency_ms": 4.0})
    );
    assert_eq!(json["items"][4]["document"], Value::Null);
    assert_eq!(json["items"].as_array().unwrap().len(), 5);
    let unnamed = serde_json::to_value(report()).unwrap();
    assert!(unnamed.get("library").is_none());
}

#[test]
fn a_set_without_evidence_has_no_retrieval_figure() {
    let items = vec![report().items.pop().unwrap()];
    let report = Report::new("fused", items, 0.0);
    let names: Vec<&str> = report.metrics.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["latency_ms_median"]);
    assert!(report.by.hazard.is_empty());
    let empty = Report::new("fused", Vec::new(), 0.0);
    assert_eq!(empty.metrics, Metrics::default());
    assert!(table(&Comparison::new(empty, Vec::new())).starts_with("0 questions"));
}

#[test]
fn differences_pair_the_questions_that_both_were_asked() {
    let (left, mut right) = (report(), other());
    let whole = difference(&left, &right);
    // recall@1: (1, 0, 0, 0) less (0, 0, 0, 1); recall@50: (1, 1, 1, 0) less (1, 1, 0, 1).
    let value = |difference: &Difference, name: &str| difference.metrics.get(name).unwrap().value;
    assert_eq!(value(&whole, "recall@1"), 0.0);
    assert_eq!(value(&whole, "recall@50"), 0.0);
    assert_eq!(value(&whole, "recall@5"), -0.25);
    assert!(close(value(&whole, "mrr"), (0.5 + 0.0 + 0.05 - 1.0) / 4.0));
    assert_eq!(whole.metrics.get("mrr").unwrap().n, 4);
    assert_eq!(
        (whole.method.as_str(), whole.minus.as_str()),
        ("fused", "dense")
    );

    right.items.remove(3);
    right.items.reverse();
    let part = difference(&left, &right);
    assert_eq!(part.metrics.get("mrr").unwrap().n, 3);
    assert!(close(value(&part, "recall@1"), 1.0 / 3.0));
}

#[test]
fn a_comparison_is_the_main_report_with_the_others_beside_it() {
    let json = serde_json::to_value(Comparison::new(report(), vec![other()])).unwrap();
    assert_eq!(json["method"], "fused");
    assert_eq!(json["metrics"]["recall@1"]["value"], 0.25);
    assert_eq!(
        json["methods"]["dense"]["metrics"]["recall@5"]["value"],
        0.75
    );
    assert_eq!(json["methods"]["dense"]["ranks"]["q1"], 2);
    assert_eq!(json["methods"]["fused"]["ranks"]["q4"], Value::Null);
    assert_eq!(json["differences"][0]["minus"], "dense");
    assert_eq!(
        json["differences"][0]["metrics"]["recall@5"]["value"],
        -0.25
    );
}

#[test]
fn a_table_shows_the_methods_side_by_side_in_aligned_columns() {
    let (mut main, mut other) = (report(), other());
    for report in [&mut main, &mut other] {
        report.items[2].id = "q\u{1b}[31m".to_owned();
    }
    let text = table(&Comparison::new(main, vec![other]));
    assert!(text.starts_with("5 questions, 1 of them without evidence"));
    assert!(!text.contains('\u{1b}'), "{text}");
    let lines: Vec<&str> = text.lines().collect();

    let at = lines
        .iter()
        .position(|line| line.contains("fused"))
        .unwrap();
    let dense = lines[at].find("dense").unwrap();
    assert!(lines[at + 1].starts_with("recall@1 "), "{text}");
    // Wilson's interval of one in four.
    assert!(lines[at + 1].contains("  0.25 [0.05, 0.70]"), "{text}");
    assert!(lines[at + 2][dense..].starts_with("0.75 ["), "{text}");
    assert!(
        lines[at + 6].starts_with("latency_ms_median  4.0 [4.0, "),
        "{text}"
    );

    let at = lines
        .iter()
        .position(|line| line.starts_with("fused less"))
        .unwrap();
    assert!(lines[at + 3].starts_with("recall@5   -0.25 ["), "{text}");
    assert!(lines[at + 4].contains("+0.00 ["), "{text}");

    let at = lines.iter().position(|line| *line == "recall@5 by hazard");
    let flood: Vec<&str> = lines[at.unwrap() + 2].split_whitespace().collect();
    assert_eq!(flood[..3], ["flood", "2", "1.00"]);

    let at = lines
        .iter()
        .position(|line| line.starts_with("Rank of the evidence"));
    let missed: Vec<Vec<&str>> = lines[at.unwrap() + 2..]
        .iter()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(
        missed,
        [
            ["q\u{fffd}[31m", "20", "-", "a.html"],
            ["q4", "-", "1", "a.html"]
        ]
    );
}

#[test]
fn labels_are_scored_with_abstentions_as_wrong() {
    let grade = |expected: &str, label: Option<&str>| crate::Graded {
        expected: expected.to_owned(),
        label: label.map(str::to_owned),
        correct: label == Some(expected),
        answer_ms: 1.0,
        reasons: Vec::new(),
        grounds: Vec::new(),
    };
    let mut report = report();
    report.items[1].kind = "MC";
    let labels = [
        ("q1", grade("True", Some("True"))),
        ("q2", grade("B", Some("C"))),
        ("q3", grade("False", None)),
        ("q5", grade("False", Some("False"))),
    ];
    let report = report.with_labels(labels.map(|(id, g)| (id.to_owned(), g)).into());
    let value = |name: &str| report.metrics.get(name).unwrap().value;
    assert!(close(value("accuracy"), 0.5));
    assert!(close(value("accuracy_tf"), 2.0 / 3.0));
    assert!(close(value("accuracy_mc"), 0.0));
    assert!(close(value("accuracy_answered"), 2.0 / 3.0));
    assert!(close(value("coverage"), 0.75));
    // The item without evidence counts among labels.
    let flood = report.by.hazard["flood"].get("accuracy").unwrap();
    assert_eq!((flood.n, flood.value), (3, 2.0 / 3.0));
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["items"][0]["label"], json!("True"));
    assert_eq!(json["items"][2]["label"], Value::Null);
    assert!(json["items"][3].get("label").is_none());
}
