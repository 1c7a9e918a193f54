//! Ingestion that is killed, runs out of disk, loses its folder, or meets another writer: what was
//! reported stays, the library opens and passes `check`, and the same command goes on from there.
#![allow(clippy::print_stdout, reason = "figures, and what was skipped")]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{AtDesk, Desk};

const DOCUMENTS: usize = 40;

/// Texts of a few pages each, every one with a word of its own.
fn write_documents(desk: &Desk) {
    for number in 0..DOCUMENTS {
        let mut text = format!("Survey {number} of the levees\n\n");
        for paragraph in 0..25 {
            text.push_str(&format!(
                "Reach {paragraph} of survey marker{number} was seen on {} May. Water stood {} feet \
                 below the crest, seepage was found at the toe of the slope, and the crew placed \
                 sandbags along {} yards of the bank before the flood came down the river.\n\n",
                1 + paragraph,
                2 + number,
                10 * paragraph + number,
            ));
        }
        desk.write(&format!("documents/survey-{number:02}.txt"), text);
    }
}

fn program(desk: &Desk, binary: &Path, library: &Path) -> Command {
    let mut command = Command::new(binary);
    command
        .at(desk)
        .arg("--library")
        .arg(library)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn lahar(desk: &Desk, library: &Path) -> Command {
    program(desk, Path::new(env!("CARGO_BIN_EXE_lahar")), library)
}

/// Files that an ingest has reported as stored.
fn reported(stdout: &str) -> BTreeSet<String> {
    let stored = |line: &&str| line.starts_with("added") || line.starts_with("unchanged");
    // A line torn by the kill has no end and counts for nothing.
    let whole = stdout.rfind('\n').map_or("", |end| &stdout[..end]);
    let names = whole.lines().filter(stored).filter_map(|line| {
        let name = line.split_whitespace().nth(1)?;
        Some(Path::new(name).file_name()?.to_str()?.to_owned())
    });
    names.collect()
}

/// Files that a library holds, once it has passed `check`.
fn sound_content(desk: &Desk, library: &Path) -> BTreeSet<String> {
    let check = lahar(desk, library).arg("check").output().unwrap();
    let said = String::from_utf8_lossy(&check.stdout);
    assert!(
        check.status.success() && said.contains("sound"),
        "{check:?}"
    );
    let list = lahar(desk, library).args(["--json", "documents"]).output();
    let list: serde_json::Value = serde_json::from_slice(&list.unwrap().stdout).unwrap();
    let documents = list["documents"].as_array().unwrap();
    let name = |document: &serde_json::Value| {
        let path = document["path"].as_str().unwrap().to_owned();
        Path::new(&path)
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned()
    };
    documents.iter().map(name).collect()
}

/// Numbers from 0 to 1, the same in every run (Knuth's multiplier for 64 bits).
fn fractions() -> impl Iterator<Item = f64> {
    let mut state = 20_260_101u64;
    std::iter::repeat_with(move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    })
}

/// Kills so many ingests as `LAHAR_KILLS` says, 10 by default, each after a part of the time that
/// one takes; `LAHAR_KILLS=200 cargo test -p lahar --test it killed -- --nocapture` shows figures.
#[test]
fn a_killed_ingest_keeps_what_it_reported_and_can_be_gone_on_with() {
    let kills = std::env::var("LAHAR_KILLS").ok();
    let kills: usize = kills.map_or(10, |kills| kills.parse().unwrap());
    let desk = Desk::new();
    write_documents(&desk);
    let whole = desk.path("whole.db");
    let start = Instant::now();
    let run = lahar(&desk, &whole).args(["ingest", "documents"]).output();
    let duration = start.elapsed();
    let run = run.unwrap();
    assert!(run.status.success(), "{run:?}");
    assert_eq!(sound_content(&desk, &whole).len(), DOCUMENTS);

    let (mut killed, mut without_library, mut unreported, mut interrupted) = (0, 0, 0, 0);
    for (number, fraction) in fractions().take(kills).enumerate() {
        let library = desk.path(&format!("killed-{number}.db"));
        let mut child = lahar(&desk, &library)
            .args(["ingest", "documents"])
            .spawn()
            .unwrap();
        std::thread::sleep(duration.mul_f64(fraction));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        killed += usize::from(!output.status.success());
        let reported = reported(&String::from_utf8_lossy(&output.stdout));
        if library.exists() {
            let content = sound_content(&desk, &library);
            assert!(content.is_superset(&reported), "{reported:?} {content:?}");
            // The one in flight may have been stored and not yet reported.
            assert!(
                content.len() <= reported.len() + 1,
                "{reported:?} {content:?}"
            );
            unreported += content.len() - reported.len();
            interrupted += usize::from(!content.is_empty() && content.len() < DOCUMENTS);
        } else {
            assert!(reported.is_empty(), "{reported:?}");
            without_library += 1;
        }
        let again = lahar(&desk, &library)
            .args(["ingest", "documents"])
            .output();
        let again = again.unwrap();
        assert!(again.status.success(), "{again:?}");
        assert_eq!(sound_content(&desk, &library).len(), DOCUMENTS);
        for ending in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(desk.path(&format!("killed-{number}.db{ending}")));
        }
    }
    println!(
        "{kills} ingests of {:.2} s: {killed} killed while running, {without_library} before there \
         was a library, {interrupted} between the first and the last document, {unreported} \
         documents stored and not yet reported; all passed check and were completed",
        duration.as_secs_f64()
    );
}

fn skipped(name: &str, reason: &str) {
    println!("SKIPPED {name}: {reason}");
}

/// Runs a shell script as root of a space of its own, where file systems can be mounted; `None`
/// where that is not permitted.
fn in_own_space(desk: &Desk, script: &str) -> Option<std::process::Output> {
    let space = |script: &str| {
        Command::new("unshare")
            .args(["-rm", "sh", "-euc", script])
            .at(desk)
            .env("LAHAR", env!("CARGO_BIN_EXE_lahar"))
            .output()
    };
    std::fs::create_dir_all(desk.path("disk")).unwrap();
    let trial = space("mount -t tmpfs -o size=1m tmpfs disk").ok()?;
    trial.status.success().then(|| space(script).unwrap())
}

#[test]
fn a_full_disk_in_the_middle_keeps_what_was_reported_and_more_room_is_enough_to_go_on() {
    let desk = Desk::new();
    write_documents(&desk);
    let script = r#"
        mount -t tmpfs -o size=600k tmpfs disk
        code=0
        "$LAHAR" --library disk/l.db ingest documents >full.out 2>full.err || code=$?
        echo $code >full.code
        "$LAHAR" --library disk/l.db --json documents >full.documents || true
        mount -o remount,size=100m disk
        "$LAHAR" --library disk/l.db check >full.check || true
        "$LAHAR" --library disk/l.db --json documents >full.later
        "$LAHAR" --library disk/l.db ingest documents >again.out
        "$LAHAR" --library disk/l.db check >again.check
        cp disk/l.db after.db
    "#;
    let Some(run) = in_own_space(&desk, script) else {
        return skipped("disk full", "file systems cannot be mounted here");
    };
    let read = |name: &str| std::fs::read_to_string(desk.path(name)).unwrap();
    assert!(run.status.success(), "{run:?} {}", read("full.check"));
    assert_eq!(read("full.code").trim(), "1");
    assert!(
        read("full.err").contains("no space left"),
        "{}",
        read("full.err")
    );
    assert!(
        read("full.check").contains("sound"),
        "{}",
        read("full.check")
    );
    let reported = reported(&read("full.out"));
    assert!(
        !reported.is_empty() && reported.len() < DOCUMENTS,
        "{reported:?}"
    );
    for name in ["full.documents", "full.later"] {
        let list: serde_json::Value = serde_json::from_str(&read(name)).unwrap();
        assert_eq!(list["documents"].as_array().unwrap().len(), reported.len());
    }
    assert!(read("again.check").contains("sound"));
    assert_eq!(
        sound_content(&desk, &desk.path("after.db")).len(),
        DOCUMENTS
    );
}

/// Nobody, as an unprivileged user: root may write where nothing can be written.
const NOBODY: u32 = 65_534;

fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;

    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// A copy of the program that nobody in particular may run.
fn program_for_all(desk: &Desk) -> PathBuf {
    let copy = desk.path("lahar");
    std::fs::copy(env!("CARGO_BIN_EXE_lahar"), &copy).unwrap();
    set_mode(&copy, 0o755);
    set_mode(&desk.path(""), 0o777);
    copy
}

#[test]
fn a_folder_that_becomes_read_only_in_the_middle_costs_no_document_that_was_reported() {
    use std::os::unix::process::CommandExt;

    let desk = Desk::new();
    write_documents(&desk);
    let binary = program_for_all(&desk);
    let folder = desk.path("data");
    std::fs::create_dir(&folder).unwrap();
    set_mode(&folder, 0o777);
    let library = folder.join("l.db");
    let as_nobody = |arguments: &[&str]| {
        let mut command = program(&desk, &binary, &library);
        command.args(arguments).uid(NOBODY);
        command
    };
    if as_nobody(&["--version"]).output().is_err() {
        return skipped("read-only folder", "programs cannot be run as another user");
    }
    let mut child = as_nobody(&["ingest", "documents"]).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut said = String::new();
    for _ in 0..5 {
        stdout.read_line(&mut said).unwrap();
    }
    set_mode(&folder, 0o555);
    std::io::Read::read_to_string(&mut stdout, &mut said).unwrap();
    let run = child.wait_with_output().unwrap();
    let reported = reported(&said);
    assert!(reported.len() >= 5, "{said}");
    // The files were open already, so that it may well go on to the end.
    if !run.status.success() {
        assert!(
            String::from_utf8_lossy(&run.stderr).contains("error: "),
            "{run:?}"
        );
    }
    let check = as_nobody(&["check"]).output().unwrap();
    assert!(check.status.success(), "{check:?}");
    let refused = as_nobody(&["remove", "survey-00"]).output().unwrap();
    let why = String::from_utf8_lossy(&refused.stderr);
    assert!(
        refused.status.success() || why.contains("cannot be written"),
        "{why}"
    );
    set_mode(&folder, 0o777);
    let again = as_nobody(&["ingest", "documents"]).output().unwrap();
    assert!(again.status.success(), "{again:?}");
    let content = sound_content(&desk, &library);
    assert_eq!(content.len(), DOCUMENTS);
    assert!(content.is_superset(&reported));
}

#[test]
fn readers_read_while_an_ingest_writes() {
    let desk = Desk::new();
    write_documents(&desk);
    let library = desk.path("l.db");
    let mut child = lahar(&desk, &library)
        .args(["ingest", "documents"])
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    stdout.read_line(&mut first).unwrap();
    assert!(first.starts_with("added"), "{first}");
    let mut searches = 0;
    while child.try_wait().unwrap().is_none() || searches == 0 {
        let run = lahar(&desk, &library)
            .args(["--json", "search", "water below the crest at marker0"])
            .output()
            .unwrap();
        assert!(run.status.success(), "{run:?}");
        let found: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
        assert!(!found["hits"].as_array().unwrap().is_empty(), "{found}");
        searches += 1;
    }
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_second_writer_says_that_it_waits_and_gives_up_in_time() {
    let desk = Desk::new();
    desk.write("one.txt", "The levee at Elm Creek failed on 3 May 2019.");
    desk.write("two.txt", "The dune at Cape Low stood 4 m high.");
    let library = desk.path("l.db");
    let run = lahar(&desk, &library).args(["ingest", "one.txt"]).output();
    assert!(run.unwrap().status.success());
    let holding = rusqlite::Connection::open(&library).unwrap();
    holding
        .execute_batch(
            "INSERT OR REPLACE INTO meta (key, value) VALUES ('writer', 'process 77 (other)');
             BEGIN IMMEDIATE",
        )
        .unwrap();
    desk.write("short.toml", "[limits]\nwriter_seconds = 2");
    let start = Instant::now();
    let run = lahar(&desk, &library)
        .args(["--config", "short.toml", "ingest", "two.txt"])
        .output()
        .unwrap();
    let waited = start.elapsed();
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(1), "{said}");
    assert!(said.contains("waiting for process 77 (other)"), "{said}");
    assert!(said.contains("error: "), "{said}");
    assert!(waited >= Duration::from_millis(1900), "{waited:?}");

    let child = lahar(&desk, &library)
        .args(["ingest", "two.txt"])
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    holding.execute_batch("ROLLBACK").unwrap();
    let run = child.wait_with_output().unwrap();
    assert!(run.status.success(), "{run:?}");
    assert_eq!(sound_content(&desk, &library).len(), 2);
}

#[test]
fn two_ingests_at_once_store_all_documents_of_both() {
    let desk = Desk::new();
    write_documents(&desk);
    let library = desk.path("l.db");
    let start = |pattern: &str| {
        let mut command = lahar(&desk, &library);
        command.args(["ingest", pattern]).spawn().unwrap()
    };
    let children = ["documents/*[02468].txt", "documents/*[13579].txt"].map(start);
    for child in children {
        let run = child.wait_with_output().unwrap();
        assert!(run.status.success(), "{run:?}");
    }
    assert_eq!(sound_content(&desk, &library).len(), DOCUMENTS);
}
