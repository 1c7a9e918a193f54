//! Input that is wrong: each a clear error or status, and nothing stored changes.

use crate::program::{Desk, Run};

/// The library's content as the program tells it.
fn stored(desk: &Desk) -> String {
    desk.json(&["documents"]).to_string()
}

fn assert_failed(run: &Run, code: i32, words: &[&str]) {
    assert_eq!(run.code, code, "{run:?}");
    // A note about the missing model may go before it.
    let errors = run.stderr.lines().filter(|l| l.starts_with("error: "));
    assert_eq!(errors.count(), 1, "{run:?}");
    for word in words {
        assert!(run.stderr.contains(word), "`{word}` is not in {run:?}");
    }
}

#[test]
fn a_path_that_leads_nowhere_is_refused_by_name_and_the_rest_is_read() {
    let desk = Desk::new();
    desk.write("a.txt", "The levee at Elm Creek failed on 3 May 2019.");
    let report = desk.json(&["ingest", "nowhere.pdf", "a.txt"]);
    let status: Vec<_> = report["documents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| &d["status"])
        .collect();
    assert_eq!(status, ["refused", "added"]);
    assert!(
        report["documents"][0]["reason"]
            .as_str()
            .unwrap()
            .contains("no such file")
    );
    assert_eq!(desk.run(&["ingest", "nowhere.pdf"]).code, 1);
}

#[test]
fn files_that_hold_no_document_are_refused_with_the_reason_and_leave_no_library_behind() {
    let desk = Desk::new();
    desk.write("empty.pdf", "");
    desk.write(
        "picture.pdf",
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13],
    );
    desk.write("blank.txt", "  \n\t\n");
    let report = desk.json(&[
        "ingest",
        "empty.pdf",
        "picture.pdf",
        "blank.txt",
        "/proc/self/mem",
    ]);
    for document in report["documents"].as_array().unwrap() {
        assert_eq!(document["status"], "refused", "{document}");
        assert!(!document["reason"].as_str().unwrap().is_empty());
    }
    assert!(
        report["documents"][0]["reason"]
            .as_str()
            .unwrap()
            .contains("empty")
    );
    assert!(!desk.path("lahar.db").exists());
}

#[test]
fn html_behind_a_pdf_name_is_read_as_what_it_is_without_its_scripts() {
    let desk = Desk::new();
    desk.write(
        "page.pdf",
        "<html><head><title>Dune\u{7}<script>no()</script></title></head>\
         <body><script>document.write('secret')</script><p>The dune at Cape Low stood 4 m high.</p>\
         <style>p { color: red }</style></body></html>",
    );
    let report = desk.json(&["ingest", "page.pdf"]);
    assert_eq!(report["documents"][0]["status"], "added", "{report}");
    assert!(
        !report["documents"][0]["warnings"]
            .as_array()
            .unwrap()
            .is_empty(),
        "{report}"
    );
    let shown = desk.json(&["show", "page.pdf"]);
    let text = shown["text"].as_str().unwrap();
    assert!(text.contains("4 m high"));
    assert!(
        !text.contains("secret") && !text.contains("color"),
        "{text}"
    );
}

#[test]
fn terminal_escapes_reach_neither_the_library_nor_the_terminal() {
    let desk = Desk::new();
    desk.write(
        "t.md",
        "# \u{1b}[31mRed\u{1b}]0;owned\u{7} title\n\nThe gauge\u{8}\u{0} at Elm read 9 feet.\u{1b}[2J\n",
    );
    assert_eq!(
        desk.run(&["ingest", "t.md", "--place", "Elm\u{1b}[5m"])
            .code,
        0
    );
    for arguments in [
        vec!["documents"],
        vec!["show", "t.md"],
        vec!["ask", "What did the Elm gauge read?"],
    ] {
        let run = desk.run(&arguments);
        assert_eq!(run.code, 0, "{run:?}");
        let control = |c: char| c.is_control() && c != '\n' && c != '\t';
        assert!(!run.stdout.contains(control), "{arguments:?}: {run:?}");
    }
}

#[test]
fn a_manifest_that_points_out_of_its_folder_stops_everything() {
    let desk = Desk::new();
    desk.ingest_samples();
    let before = stored(&desk);
    desk.write("docs/a.txt", "The pier at Low Point broke.");
    desk.write("docs/manifest.csv", "file,title\n../secret.txt,Secret\n");
    let run = desk.run(&["ingest", "docs"]);
    assert_failed(&run, 1, &["manifest.csv", "../secret.txt"]);
    assert_eq!(stored(&desk), before);
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let desk = Desk::new();
    desk.write("a.txt", "The levee at Elm Creek failed on 3 May 2019.");
    // Not even root may make files there.
    let run = desk.run(&["--library", "/proc/lahar.db", "ingest", "a.txt"]);
    assert_failed(&run, 1, &["/proc/lahar.db"]);
    let run = desk.run(&["--library", "missing/folder/lahar.db", "ingest", "a.txt"]);
    assert_failed(&run, 1, &["missing/folder"]);
}

#[test]
fn a_file_that_is_no_library_or_a_newer_one_is_left_as_it_is() {
    let desk = Desk::new();
    let notes = desk.write(
        "notes.db",
        "my notes, and more of them than a header holds".repeat(9),
    );
    let before = std::fs::read(&notes).unwrap();
    desk.write("a.txt", "The levee at Elm Creek failed on 3 May 2019.");
    for arguments in [
        vec!["documents"],
        vec!["ingest", "a.txt"],
        vec!["check", "--repair"],
    ] {
        let mut all = vec!["--library", "notes.db"];
        all.extend(arguments);
        assert_failed(&desk.run(&all), 1, &["notes.db", "not a Lahar library"]);
    }
    assert_eq!(std::fs::read(&notes).unwrap(), before);

    desk.ingest_samples();
    // SQLite keeps the user version, big-endian, at byte 60 of the file.
    let path = desk.path("lahar.db");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[60..64].copy_from_slice(&9999_u32.to_be_bytes());
    std::fs::write(&path, &bytes).unwrap();
    assert_failed(&desk.run(&["documents"]), 1, &["9999", "newer"]);
    assert_failed(&desk.run(&["ingest", "a.txt"]), 1, &["9999", "newer"]);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_library_that_is_not_there_says_how_to_make_one() {
    let desk = Desk::new();
    assert_failed(
        &desk.run(&["ask", "What broke?"]),
        1,
        &["lahar.db", "lahar ingest"],
    );
    let json = desk.json(&["search", "levee"]);
    assert_eq!(json["error"]["kind"], "library");
    assert!(!desk.path("lahar.db").exists());
}

#[test]
fn a_question_without_words_or_of_a_megabyte_is_refused() {
    let desk = Desk::new();
    desk.ingest_samples();
    for nothing in ["", "   ", "?!", "\u{7}"] {
        assert_failed(&desk.run(&["ask", nothing]), 1, &["question"]);
    }
    let megabyte = "flood ".repeat(180_000);
    assert_failed(
        &desk.run_with_input(&["ask", "-"], &megabyte),
        1,
        &["question", "characters"],
    );
}

#[test]
fn search_syntax_in_a_question_is_only_words() {
    let desk = Desk::new();
    desk.ingest_samples();
    for question in [
        "\"flood",
        "NEAR(flood river, 5)",
        "flood*",
        "title:flood",
        "flood AND",
        "(flood",
        "-flood",
        "flood OR NOT",
        "^flood",
        "flood; DROP TABLE documents",
        "{text}: flood",
        "fl\u{0}ood'--",
    ] {
        for command in ["ask", "search"] {
            let run = desk.run(&[command, "--", &question.replace('\0', "")]);
            assert_eq!(run.code, 0, "{question}: {run:?}");
        }
    }
    assert_eq!(
        desk.json(&["documents"])["documents"]
            .as_array()
            .unwrap()
            .len(),
        12
    );
}

#[test]
fn wrong_usage_exits_with_two_and_unbuilt_commands_say_so() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["ingest"]).code, 2);
    assert_eq!(desk.run(&["documents", "--no-such-flag"]).code, 2);
    assert_eq!(desk.run(&["frobnicate"]).code, 2);
    assert_eq!(desk.json(&["frobnicate"])["error"]["kind"], "usage");
    assert_eq!(desk.json(&["ingest"])["error"]["kind"], "usage");
    assert_failed(
        &desk.run(&["ask", "a question", "--writer", "chat"]),
        1,
        &["no chat model is configured", "[chat]"],
    );
    assert_failed(
        &desk.run(&["ask", "a question", "--method", "crag"]),
        1,
        &["not implemented"],
    );
    assert_failed(
        &desk.run(&["ask", "a question", "--option", "A=yes"]),
        2,
        &["--format mc"],
    );
}

#[cfg(unix)]
#[test]
fn links_out_of_a_folder_are_refused_and_circles_end() {
    use std::os::unix::fs::symlink;
    let desk = Desk::new();
    desk.write("secret.txt", "The key to the dam lies under the mat.");
    desk.write("docs/a.txt", "The levee at Elm Creek failed on 3 May 2019.");
    symlink(desk.path("secret.txt"), desk.path("docs/out.txt")).unwrap();
    symlink("../secret.txt", desk.path("docs/up.txt")).unwrap();
    symlink("/etc", desk.path("docs/etc")).unwrap();
    symlink(".", desk.path("docs/circle")).unwrap();
    symlink("nowhere", desk.path("docs/nowhere.txt")).unwrap();
    symlink("a.txt", desk.path("docs/inside.txt")).unwrap();
    let report = desk.json(&["ingest", "docs"]);
    let mut outcomes: Vec<(String, String)> = report["documents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|document| {
            let name = std::path::Path::new(document["path"].as_str().unwrap());
            (
                name.file_name().unwrap().to_string_lossy().into_owned(),
                document["status"].as_str().unwrap().to_owned(),
            )
        })
        .collect();
    outcomes.sort();
    let refused = |name: &str| (name.to_owned(), "refused".to_owned());
    assert_eq!(
        outcomes,
        [
            ("a.txt".to_owned(), "added".to_owned()),
            refused("etc"),
            refused("nowhere.txt"),
            refused("out.txt"),
            refused("up.txt"),
        ],
        "{report}"
    );
    assert!(
        !desk
            .run(&["search", "key dam mat"])
            .stdout
            .contains("under the mat")
    );
}

#[test]
fn a_file_above_its_limit_is_refused_unread() {
    let desk = Desk::new();
    desk.write("small.toml", "[limits]\ntext_megabytes = 1\n");
    desk.write("a.txt", "The levee at Elm Creek failed on 3 May 2019.");
    // A hole in a file takes no room on the disk.
    let long = std::fs::File::create(desk.path("long.txt")).unwrap();
    long.set_len(3 << 30).unwrap();
    let log = desk.write("log.txt", "x".repeat((1 << 20) + 1));
    let report = desk.json(&[
        "--config",
        "small.toml",
        "ingest",
        "long.txt",
        "log.txt",
        "a.txt",
    ]);
    for place in [0, 1] {
        let document = &report["documents"][place];
        assert_eq!(document["status"], "refused", "{report}");
        let reason = document["reason"].as_str().unwrap();
        assert!(
            reason.contains("1048576") && reason.contains("limit"),
            "{reason}"
        );
    }
    assert_eq!(report["documents"][2]["status"], "added", "{report}");
    assert!(log.exists());
}

#[test]
fn documents_in_other_scripts_are_kept_and_quoted() {
    let desk = Desk::new();
    for (name, text, question) in [
        (
            "ar.txt",
            "انهار السد في وادي درنة يوم 11 سبتمبر 2023.",
            "السد وادي درنة",
        ),
        (
            "ja.txt",
            "東京湾の津波の高さは2.4メートルだった。",
            "東京湾の津波の高さ",
        ),
        (
            "ru.txt",
            "Уровень воды в реке Урал достиг 11 метров.",
            "Уровень воды в реке Урал",
        ),
        ("hi.txt", "केदारनाथ में बाढ़ 16 जून 2013 को आई।", "केदारनाथ में बाढ़"),
    ] {
        desk.write(name, text);
        let report = desk.json(&["ingest", name]);
        assert_eq!(report["documents"][0]["status"], "added", "{report}");
        assert_eq!(
            desk.json(&["show", name])["text"].as_str().unwrap().trim(),
            text
        );
        let found = desk.run(&["search", question]);
        assert_eq!(found.code, 0, "{found:?}");
    }
    assert_eq!(desk.run(&["check"]).code, 0);
}
