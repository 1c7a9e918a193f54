//! Questions to the sample library.

use serde::Deserialize;

use crate::program::{Desk, samples};

#[derive(Deserialize)]
struct Set {
    question: Vec<Question>,
}

#[derive(Deserialize)]
struct Question {
    text: String,
    expect: String,
    document: Option<String>,
}

#[test]
fn the_sample_questions_are_answered_from_their_document_or_abstained_from() {
    let desk = Desk::new();
    desk.ingest_samples();
    let set = std::fs::read_to_string(samples().join("questions.toml")).unwrap();
    for question in toml::from_str::<Set>(&set).unwrap().question {
        let answer = desk.json(&["ask", &question.text]);
        assert_eq!(
            answer["decision"],
            question.expect.as_str(),
            "{}: {answer}",
            question.text
        );
        let Some(document) = question.document else {
            continue;
        };
        let id = desk.json(&["show", &document])["id"].clone();
        let cited = answer["statements"]
            .as_array()
            .unwrap()
            .iter()
            .any(|statement| {
                statement["citations"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .any(|c| c["document"] == id)
            });
        assert!(
            cited,
            "{} is not cited for {}: {answer}",
            document, question.text
        );
    }
}

#[test]
fn without_a_model_the_answer_says_that_only_words_were_compared() {
    let desk = Desk::new();
    desk.ingest_samples();
    let answer = desk.json(&["ask", "How many people died in the Montecito debris flows?"]);
    let codes: Vec<_> = answer["reasons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| &r["code"])
        .collect();
    assert!(
        codes.contains(&&serde_json::json!("lexical_only")),
        "{answer}"
    );
}

#[test]
fn an_abstention_names_what_is_missing_and_strict_turns_it_into_an_exit_code() {
    let desk = Desk::new();
    desk.ingest_samples();
    let question = "What is the flood stage of the Skagit River at Mount Vernon, Washington?";
    let answer = desk.json(&["ask", question]);
    assert_eq!(answer["decision"], "abstain", "{answer}");
    assert!(answer["statements"].as_array().unwrap().is_empty());
    let missing = answer["missing"].to_string();
    assert!(missing.contains("Skagit River"), "{answer}");
    assert_eq!(desk.run(&["ask", question]).code, 0);
    assert_eq!(desk.run(&["--strict", "ask", question]).code, 4);
}

/// Quickstart suggested a question that its own documents do not answer.
#[test]
fn the_question_that_quickstart_suggests_next_has_an_answer() {
    let desk = Desk::new();
    let run = desk.run(&["quickstart", "--offline"]);
    assert_eq!(run.code, 0, "{run:?}");
    let suggested = run
        .stdout
        .lines()
        .find_map(|line| line.trim().strip_prefix("lahar ask --library "))
        .unwrap();
    let (library, question) = suggested.split_once(' ').unwrap();
    let question = question.trim().trim_matches('"');
    let answer = desk.json(&["--library", library, "ask", question]);
    assert_eq!(answer["decision"], "answer", "{answer}");
}

#[test]
fn a_second_library_is_searched_by_the_methods_that_have_a_searcher() {
    let desk = Desk::new();
    desk.write(
        "here.md",
        "# The bakery\n\nThe bakery in Elm Street sells bread.\n",
    );
    desk.write(
        "there.md",
        "# The flood at Brackwater\n\nThe flood at Brackwater in 1987 destroyed 212 homes.\n",
    );
    assert_eq!(desk.run(&["ingest", "here.md"]).code, 0);
    assert_eq!(
        desk.run(&["--library", "other.db", "ingest", "there.md"])
            .code,
        0
    );
    let question = "How many homes did the flood at Brackwater destroy?";
    let alone = desk.json(&["ask", question, "--method", "mora"]);
    assert_eq!(alone["decision"], "abstain", "{alone}");
    assert!(alone["trace"]["steps"].as_array().unwrap().len() >= 3);
    let both = [
        "ask",
        question,
        "--method",
        "mora",
        "--second-library",
        "other.db",
    ];
    let found = desk.json(&both);
    assert_eq!(found["decision"], "answer", "{found}");
    let calls: Vec<&str> = found["trace"]["steps"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|step| step["call"].as_str())
        .collect();
    assert_eq!(
        calls,
        ["retrieve", "evaluate", "search", "evaluate", "write"]
    );
    let mut without = both.to_vec();
    without.extend(["--without", "search"]);
    assert_eq!(desk.json(&without)["decision"], "abstain");
    for wrong in [
        &["ask", question, "--second-library", "other.db"][..],
        &["ask", question, "--method", "mora", "--without", "writer"][..],
        &[
            "ask",
            question,
            "--method",
            "mora",
            "--second-library",
            "none.db",
        ][..],
    ] {
        let run = desk.run(wrong);
        assert_ne!(run.code, 0, "{wrong:?}");
        assert!(run.stderr.contains("error"), "{}", run.stderr);
    }
}
