use super::*;

fn row(id: usize, right: bool, rank: Option<usize>, hazard: &str) -> Row {
    Row {
        id: id.to_string(),
        r#type: "TF".to_owned(),
        category: Some("Impacts and Damage".to_owned()),
        hazards: vec![hazard.to_owned()],
        document: Some("a.txt".to_owned()),
        rank,
        expected: "True".to_owned(),
        label: Some(if right { "True" } else { "False" }.to_owned()),
        answer_ms: 10.0 * id as f64,
        usage: None,
    }
}

fn run(name: &str, right: impl Fn(usize) -> bool, hazard: &str) -> (String, Vec<Row>) {
    let rows = (0..20).map(|id| row(id, right(id), (id % 2 == 0).then_some(1), hazard));
    (name.to_owned(), rows.collect())
}

#[test]
fn the_paired_test_counts_what_only_one_has_right() {
    let compared = SideBySide::new(
        &[
            run("one", |id| id < 15, "flood"),
            run("other", |id| id >= 15, "flood"),
        ],
        &[],
    );
    let pair = &compared.pairs[0];
    assert_eq!((pair.only_left, pair.only_right), (15, 5));
    assert!((pair.p - 43_400.0 / 1_048_576.0).abs() < 1e-12);
    assert!((pair.difference.unwrap().value - 0.5).abs() < 1e-12);
    let one = &compared.methods[0];
    assert_eq!(one.all.recall_at_5.unwrap().value, 0.5);
    // Of 0, 2, ..., 18 the first eight are below 15; of 1, 3, ..., 19 the first seven.
    assert_eq!(one.all.accuracy_found.unwrap().value, 0.8);
    assert_eq!(one.all.accuracy_not_found.unwrap().value, 0.7);
    assert_eq!(one.latency_ms.unwrap().value, 95.0);
}

#[test]
fn a_test_without_difference_says_nothing_and_a_large_one_does_not_overflow() {
    assert_eq!(mcnemar(0, 0), 1.0);
    assert_eq!(mcnemar(7, 7), 1.0);
    assert!((mcnemar(0, 6) - 2.0 / 64.0).abs() < 1e-15);
    let p = mcnemar(1_000, 1_200);
    assert!(p > 0.0 && p < 1e-4, "{p}");
}

#[test]
fn names_of_others_are_text_in_both_reports() {
    let evil = "x](javascript:alert(1))<script>alert(1)</script>|`\u{1b}[31m";
    let compared = SideBySide::new(&[run(evil, |_| true, evil), run("b", |_| false, evil)], &[]);
    let text = markdown(&compared, evil, Some("plot.svg"));
    let picture = bars(&compared, evil, |m| &m.by_hazard);
    for shown in [&text, &picture] {
        assert!(
            !shown.contains("<script") && !shown.contains('\u{1b}'),
            "{shown}"
        );
    }
    assert!(!text.contains("x](java"));
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    let table: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
    assert_eq!(cells(table[0]), cells(table[2]));
    assert_eq!(picture.matches("<svg").count(), 1);
}

#[test]
fn rows_are_read_back_and_a_bad_line_is_named() {
    let written = row(3, true, Some(2), "flood");
    let line = serde_json::to_string(&written).unwrap();
    assert_eq!(read_rows(&format!("{line}\n\n")).unwrap(), [written]);
    let error = read_rows(&format!("{line}\n{{\"id\": \"x\"}}")).unwrap_err();
    assert!(error.starts_with("line 2: "), "{error}");
}
