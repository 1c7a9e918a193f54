//! The chat model from the command line: tapes that are played, keys that stay hidden, the cache.

use crate::program::{AtDesk, Desk};

const CONFIG: &str = "[chat]\nplay = \"tape.jsonl\"\n";

#[test]
fn a_tape_without_the_reply_leaves_the_answer_quoted_and_says_so() {
    let desk = Desk::new();
    desk.write(
        "a.txt",
        "A breach of a levee is closed with bags full of rock.",
    );
    desk.write("lahar.toml", CONFIG);
    desk.write("tape.jsonl", "");
    desk.json(&["ingest", "a.txt"]);
    let question = "How is a breach of a levee closed?";
    let quoted = desk.json(&["ask", question]);
    let arguments = [
        "ask",
        question,
        "--writer",
        "chat",
        "--config",
        "lahar.toml",
    ];
    let answer = desk.json(&arguments);
    assert_eq!(answer["decision"], quoted["decision"]);
    assert_eq!(answer["decision"], "answer");
    assert_eq!(answer["statements"], quoted["statements"]);
    let reasons = answer["reasons"].as_array().unwrap();
    assert!(
        reasons.iter().any(|r| r["code"] == "chat_model_failed"),
        "{answer}"
    );
}

#[test]
fn a_missing_tape_and_an_unknown_setting_are_named() {
    let desk = Desk::new();
    desk.write("lahar.toml", CONFIG);
    desk.write("wrong.toml", "[chat]\nkey = \"sk-secret\"\n");
    let ask = |config| {
        let run = desk.run(&["ask", "a question", "--writer", "chat", "--config", config]);
        (run.code, run.stderr)
    };
    let (code, said) = ask("lahar.toml");
    assert!(code == 1 && said.contains("tape.jsonl"), "{said}");
    // A key has no place in the file.
    let (code, said) = ask("wrong.toml");
    assert!(code == 1 && said.contains("unknown field"), "{said}");
}

#[cfg(not(feature = "network"))]
#[test]
fn a_build_without_the_feature_says_how_to_get_one_that_asks_servers() {
    let desk = Desk::new();
    desk.write("lahar.toml", "[chat]\nmodel = \"m\"\n");
    let run = desk.run(&[
        "ask",
        "a question",
        "--writer",
        "chat",
        "--config",
        "lahar.toml",
    ]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("--features lahar/network"),
        "{}",
        run.stderr
    );
}

#[test]
fn clearing_the_cache_takes_out_replies_and_nothing_else() {
    let desk = Desk::new();
    desk.write("cache/lahar/replies/ab.reply.json", "{}");
    desk.write("cache/lahar/replies/mine.txt", "mine");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_lahar"));
    let output = command
        .args(["--json", "cache", "clear"])
        .at(&desk)
        .env("XDG_CACHE_HOME", desk.path("cache"))
        .output()
        .unwrap();
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["removed"], 1);
    assert!(!desk.path("cache/lahar/replies/ab.reply.json").exists());
    assert!(desk.path("cache/lahar/replies/mine.txt").exists());
}
