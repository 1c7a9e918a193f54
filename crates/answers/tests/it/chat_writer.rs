//! Answers in a chat model's words, from a library, with a model that answers from a script.

use lahar_answers::{Answer, Asker, Method, Without};
use lahar_core::{Decision, ReasonCode};
use lahar_library::Reranking;
use lahar_models::chat::ScriptedChat;

use crate::claims::library;

const QUESTION: &str = "How many people did the flood of the Elm River kill?";

fn written(question: &str, replies: &[&str]) -> Answer {
    let folder = tempfile::tempdir().unwrap();
    let library = library(folder.path());
    let asker = Asker {
        library: &library,
        embedder: None,
        method: Method::Lahar,
        reranking: Reranking::Off,
        longest_question: 500,
        without: Without::default(),
        elsewhere: None,
    };
    let model = ScriptedChat::new(replies.iter().copied());
    asker.ask_chat(&model, question, None).unwrap()
}

fn has(answer: &Answer, code: ReasonCode) -> bool {
    answer.reasons.iter().any(|reason| reason.code == code)
}

#[test]
fn a_sentence_is_kept_with_its_quotation_and_an_invented_one_left_out() {
    let reply = r#"{"sentences": [
        {"text": "The flood of the Elm River destroyed 212 homes [1].", "cites": [1]},
        {"text": "The flood of the Elm River destroyed 999 homes.", "cites": [1]},
        {"text": "The flood of the Elm River destroyed 212 homes.", "cites": [77]},
        {"text": "The flood of the Elm River destroyed 212 homes.", "cites": []}
    ]}"#;
    let answer = written(QUESTION, &[reply]);
    let said: Vec<&str> = answer.statements().iter().map(|s| s.text()).collect();
    assert_eq!(said, ["The flood of the Elm River destroyed 212 homes."]);
    let quote = answer.statements()[0].citations()[0].span.quote();
    assert!(quote.contains("212 homes"), "{quote}");
    let removed = answer
        .reasons
        .iter()
        .filter(|r| r.code == ReasonCode::SentenceRemoved);
    assert_eq!(removed.count(), 3);
}

#[test]
fn nothing_left_is_an_abstention() {
    for reply in [
        r#"{"sentences": []}"#,
        r#"{"sentences": [{"text": "Everybody in Chicago is safe.", "cites": [1]}]}"#,
    ] {
        let answer = written(QUESTION, &[reply]);
        assert_eq!(answer.decision(), Decision::Abstain, "{reply}");
        assert!(has(&answer, ReasonCode::NoEvidence));
        assert!(!has(&answer, ReasonCode::EvidenceFound));
    }
}

#[test]
fn a_reply_that_cannot_be_read_leaves_the_answer_quoted() {
    for replies in [
        &["The flood killed many."][..],
        &[r#"{"sentences": ["#],
        &[r#"{"answer": "14"}"#],
        &[""],
    ] {
        let answer = written(QUESTION, replies);
        assert_eq!(answer.decision(), Decision::Answer, "{replies:?}");
        assert!(has(&answer, ReasonCode::ChatModelFailed));
        let first = &answer.statements()[0];
        assert_eq!(first.text(), first.citations()[0].span.quote().trim());
    }
}

#[test]
fn the_model_cannot_answer_what_the_library_does_not() {
    let reply = r#"{"sentences": [{"text": "It rained.", "cites": [1]}]}"#;
    let answer = written("Which volcano erupted near Osoyoos in 2011?", &[reply]);
    assert_eq!(answer.decision(), Decision::Abstain);
    assert!(answer.statements().is_empty());
}
