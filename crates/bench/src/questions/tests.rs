use std::io::Write;

use super::*;
use crate::error::Error;

fn parse(text: &str) -> Result<Vec<Item>, Error> {
    parse_items(text, "set.jsonl".as_ref())
}

const TRUE_FALSE: &str = r#"{"id": "tf", "question": "Ash is light.", "type": "TF", "options": ["True", "False"], "answer": "False", "category": "Impacts", "hazard": "storm/tornado", "document": "folder/a.html", "page": 3, "evidence": "ash is heavy", "mood": {"any": 1}}"#;
const CHOICE: &str = r#"{"id": 7, "question": "How far?", "type": "mc", "options": {"b": "two", "A": "one"}, "answer": "B", "hazard": ["earthquake", "tsunami"], "document": "a.html", "evidence": "two miles"}"#;
const OPEN: &str = r#"{"id": "open", "question": "Is there a siren?", "place": "Hilo, Hawaii", "hazard": "multi", "reference_answer": "no", "expected_decision": "warn", "acceptable_decisions": ["abstain"], "location_dependent": "yes", "geo_error_type": "coarse", "group": null, "document": null, "evidence": null}"#;

#[test]
fn the_three_formats_are_read_and_other_fields_passed_over() {
    let text = format!("\u{feff}{TRUE_FALSE}\r\n\n{CHOICE}\n  \n{OPEN}");
    let items = parse(&text).unwrap();
    assert_eq!(items.len(), 3);

    assert_eq!(items[0].question.format, Format::TrueFalse);
    assert_eq!(items[0].key.answer, Answer::TrueFalse(false));
    assert_eq!(items[0].key.category.as_deref(), Some("Impacts"));
    assert_eq!(items[0].key.hazards, [Hazard::STORM]);
    let evidence = items[0].key.evidence.as_ref().unwrap();
    assert_eq!(
        (evidence.document.as_str(), evidence.quote.as_str()),
        ("a.html", "ash is heavy")
    );

    assert_eq!(items[1].question.id, "7");
    let options = BTreeMap::from([('A', "one".to_owned()), ('B', "two".to_owned())]);
    assert_eq!(items[1].question.format, Format::MultipleChoice(options));
    assert_eq!(items[1].key.answer, Answer::Letter('B'));
    assert_eq!(items[1].key.hazards, [Hazard::EARTHQUAKE, Hazard::TSUNAMI]);

    assert_eq!(items[2].question.place.as_deref(), Some("Hilo, Hawaii"));
    assert_eq!(items[2].key.evidence, None);
    assert!(items[2].key.hazards.is_empty());
    let Answer::Open(open) = &items[2].key.answer else {
        panic!("not open");
    };
    assert_eq!(open.expected, Decision::Warn);
    let acceptable = BTreeSet::from([Decision::Warn, Decision::Abstain]);
    assert_eq!(open.acceptable, acceptable);
    assert_eq!(open.location_dependent, Some(true));
    assert_eq!(open.group, None);

    assert_eq!(documents_of(&items), BTreeSet::from(["a.html"]));
}

#[test]
fn options_join_the_query_only_when_asked_for() {
    let items = parse(&format!("{CHOICE}\n{TRUE_FALSE}")).unwrap();
    let query = |index: usize, form| items[index].question.query_text(form);
    assert_eq!(query(0, QueryForm::default()), "How far?");
    assert_eq!(query(0, QueryForm::WithOptions), "How far?\none\ntwo");
    assert_eq!(query(1, QueryForm::WithOptions), "Ash is light.");
}

#[test]
fn evidence_without_a_letter_or_digit_is_none() {
    for quote in [r#""""#, r#"" … ""#, "null"] {
        let text = CHOICE.replace(r#""two miles""#, quote);
        assert_eq!(parse(&text).unwrap()[0].key.evidence, None, "{quote}");
    }
}

/// Each bad line, behind a good one, and the words that its message must have.
#[test]
fn a_bad_line_is_named_with_the_way_out() {
    let cases = [
        (r#"{"id": "x""#.to_owned(), "one JSON object a line"),
        ("[]".to_owned(), "no question can be read"),
        (
            TRUE_FALSE.replace(r#""Ash is light.""#, "5"),
            "no question can be read",
        ),
        (
            TRUE_FALSE.replace(r#""tf""#, r#"" ""#),
            "the question has no id",
        ),
        (
            TRUE_FALSE.replace(r#""id": "tf", "#, ""),
            "the question has no id",
        ),
        (
            TRUE_FALSE.replace("Ash is light.", " "),
            "`tf` asks nothing",
        ),
        (
            TRUE_FALSE.replace(r#""False", "category"#, r#""Maybe", "category"#),
            "write \"True\" or \"False\"",
        ),
        (
            TRUE_FALSE.replace(r#""TF""#, r#""essay""#),
            "unknown type `essay`",
        ),
        (
            TRUE_FALSE.replace(r#""type": "TF", "#, ""),
            "`tf` has no `type`",
        ),
        (
            TRUE_FALSE.replace(r#""folder/a.html""#, "null"),
            "names no document",
        ),
        (
            TRUE_FALSE.replace(r#""storm/tornado""#, "4"),
            "the hazard of `tf` is 4",
        ),
        (
            CHOICE.replace(r#""answer": "B""#, r#""answer": "C""#),
            "none of its options",
        ),
        (
            CHOICE.replace(r#""b": "two""#, r#""a": "two""#),
            "name a letter twice",
        ),
        (CHOICE.replace(r#""b": "two", "#, ""), "are fewer than two"),
        (
            CHOICE.replace(r#"{"b": "two", "A": "one"}"#, r#"["one", "two"]"#),
            "are no object by letter",
        ),
        (
            OPEN.replace(r#""warn""#, r#""shrug""#),
            "unknown decision `shrug`",
        ),
        (
            OPEN.replace(r#""yes""#, r#""perhaps""#),
            "`location_dependent` of `open`",
        ),
        (
            OPEN.replace(r#""question""#, r#""type": "open", "question""#)
                .replace(r#""warn""#, "null"),
            "has no `expected_decision`",
        ),
    ];
    let good = TRUE_FALSE.replace(r#""tf""#, r#""good""#);
    for (bad, words) in cases {
        let error = parse(&format!("{good}\n\n{bad}\n")).unwrap_err();
        assert!(
            matches!(error, Error::BadLine { line: 3, .. }),
            "{bad}: {error}"
        );
        let message = error.to_string();
        assert!(message.starts_with("set.jsonl, line 3: "), "{message}");
        assert!(message.contains(words), "{message} | {words}");
        assert!(!message.contains("at line 1"), "{message}");
    }
}

#[test]
fn an_id_may_stand_once_over_all_files() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("1.jsonl"), folder.path().join("2.jsonl"));
    std::fs::write(&first, CHOICE).unwrap();
    std::fs::write(&second, format!("{TRUE_FALSE}\n{CHOICE}\n")).unwrap();
    assert_eq!(read_items(&[&first]).unwrap().len(), 1);
    let message = read_items(&[&first, &second]).unwrap_err().to_string();
    assert!(message.contains("2.jsonl, line 2: the id `7` stands in"));
    assert!(message.contains("1.jsonl, line 1, already"), "{message}");
}

#[test]
fn missing_empty_and_undecodable_files_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("set.jsonl");
    assert!(matches!(
        read_items(&[&path]),
        Err(Error::Unreadable { .. })
    ));
    std::fs::write(&path, "\n \n").unwrap();
    assert!(matches!(
        read_items(&[&path]),
        Err(Error::NoQuestions { .. })
    ));
    let mut file = std::fs::File::create(&path).unwrap();
    file.write_all(format!("{CHOICE}\n").as_bytes()).unwrap();
    file.write_all(b"{\"id\": \"\xff\"}").unwrap();
    drop(file);
    let message = read_items(&[&path]).unwrap_err().to_string();
    assert!(
        message.contains("line 2: the text is not UTF-8"),
        "{message}"
    );
}
