//! No command opens a socket: each is run where there is no network, and what it asks of the
//! system is watched.
//!
//! Two commands fetch models by running `pip` or `curl` and are left out: `models pull`, and
//! `quickstart`, which calls it.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::program::{AtDesk, Desk};

const CLAIM: &str = "The levee at Elm Creek failed on 3 May 2019.";

/// Every command but those that fetch models, in an order in which each finds what it needs.
const RUNS: &[&[&str]] = &[
    &["ingest", "docs", "plan.pdf"],
    &["documents"],
    &["--json", "documents"],
    &["show", "a.txt"],
    &["search", "levee"],
    &["search", "levee", "--no-rerank"],
    &["ask", "When did the levee at Elm Creek fail?"],
    &["ask", CLAIM, "--format", "tf"],
    &[
        "ask",
        "When did the levee fail?",
        "--format",
        "mc",
        "--option",
        "A=2019",
        "--option",
        "B=2020",
    ],
    &["reindex"],
    &["check"],
    &["doctor"],
    &["models", "list"],
    &["models", "check"],
    &["capabilities", "list"],
    &["capabilities", "show", CAPABILITY],
    &["places", "find", "Portland"],
    &["places", "show", "Oregon"],
    &["places", "tag", "docs/a.txt"],
    &["places", "relation", "Portland, Oregon", "Oregon"],
    &["bench", "qa", "--questions", "tf.jsonl"],
    &["bench", "citations", "--questions", "tf.jsonl"],
    &["routes", "list"],
    &["routes", "compile", "gartner-2014-volume"],
    &[
        "analyse",
        "How likely is a debris flow below the Thomas fire at Montecito?",
        "--decision-time",
        "2018-01-08T00:00:00Z",
        "--out",
        "run",
    ],
    &["replay", "run"],
    &["remove", "a.txt"],
    &["cache", "clear"],
    &["--help"],
    &["--version"],
];

/// A capability that `capabilities list` names.
const CAPABILITY: &str = "rasterise";

/// Commands that are not run here, with the reason.
const LEFT_OUT: &[(&str, &str)] = &[
    ("quickstart", "it installs a model"),
    ("help", "it prints help"),
];

fn made_pdf(text: &str) -> Vec<u8> {
    let content = format!("BT /F 12 Tf 72 700 Td ({text}) Tj ET");
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>".to_owned(),
        format!("<</Length {}>>\nstream\n{content}\nendstream", content.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ];
    let mut file = "%PDF-1.4\n".to_owned();
    let mut table = "xref\n0 6\n0000000000 65535 f \n".to_owned();
    for (number, object) in objects.iter().enumerate() {
        table.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", number + 1));
    }
    let start = file.len();
    format!("{file}{table}trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n")
        .into_bytes()
}

/// Runs a program in a network namespace without interfaces, its calls for sockets written to a
/// file by `strace` where that is installed.
fn alone(desk: &Desk, program: &Path, arguments: &[&str], trace: Option<&Path>) -> Output {
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--net", "--"]);
    if let Some(trace) = trace {
        command
            .args([
                "strace",
                "-f",
                "-qq",
                "-e",
                "trace=socket,connect,bind,sendto",
                "-o",
            ])
            .arg(trace);
    }
    command
        .arg(program)
        .args(arguments)
        .at(desk)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Whether a command can be run and succeeds.
fn works(program: &str, arguments: &[&str]) -> bool {
    Command::new(program)
        .args(arguments)
        .output()
        .is_ok_and(|output| output.status.success())
}

/// Sockets that lead off this machine, in what a trace shows.
///
/// One of `AF_UNIX` does not: the C library opens it to ask this machine's own name service who
/// the user is (a helper program such as `python3` does so on its start, on some machines).
fn sockets(trace: &str) -> Vec<&str> {
    trace
        .lines()
        .filter(|line| line.contains("socket(") || line.contains("connect("))
        .filter(|line| !line.contains("AF_UNIX"))
        .collect()
}

#[test]
fn only_a_socket_that_leads_off_this_machine_counts() {
    let trace = "7 socket(AF_UNIX, SOCK_STREAM|SOCK_CLOEXEC, 0) = 3\n\
                 7 connect(3, {sa_family=AF_UNIX, sun_path=\"/var/run/nscd/socket\"}, 110) = -1 ENOENT\n\
                 8 socket(AF_INET6, SOCK_DGRAM, 0) = 4\n\
                 8 connect(4, {sa_family=AF_INET, sin_port=htons(53)}, 16) = 0\n\
                 9 socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE) = 5";
    let seen: Vec<&str> = trace.lines().skip(2).collect();
    assert_eq!(sockets(trace), seen);
}

#[test]
fn no_command_opens_a_socket() {
    if !works("unshare", &["--map-root-user", "--net", "--", "true"]) {
        eprintln!(
            "SKIPPED no_command_opens_a_socket: `unshare --map-root-user --net` is not permitted here"
        );
        return;
    }
    let is_traced = works(
        "unshare",
        &[
            "--map-root-user",
            "--net",
            "--",
            "strace",
            "-qq",
            "-o",
            "/dev/null",
            "true",
        ],
    );
    let desk = Desk::new();
    desk.write("docs/a.txt", CLAIM);
    desk.write(
        "docs/b.html",
        "<h1>Report</h1><p>The river at Elm Creek rose 3 feet in 2019.</p>",
    );
    desk.write(
        "plan.pdf",
        made_pdf("The dam at Mill Creek was built in 1911."),
    );
    desk.write(
        "tf.jsonl",
        format!(
            "{}\n",
            serde_json::json!({
                "id": "t-1", "question": CLAIM, "type": "tf", "options": null, "answer": "True",
                "category": "fact", "hazard": "flood", "document": "a.txt", "page": null,
                "section": "", "evidence": CLAIM,
            })
        ),
    );
    let program = Path::new(env!("CARGO_BIN_EXE_lahar"));
    let trace = desk.path("trace");
    let traced = is_traced.then_some(trace.as_path());
    if is_traced && Path::new("/bin/bash").exists() {
        // What opens a socket is seen: else nothing below could fail.
        let control = "exec 3<>/dev/tcp/127.0.0.1/9";
        alone(&desk, Path::new("/bin/bash"), &["-c", control], traced);
        let text = std::fs::read_to_string(&trace).unwrap();
        let seen = sockets(&text);
        assert!(
            seen.iter().any(|line| line.contains("AF_INET")),
            "the trace does not see sockets: {seen:?}"
        );
    } else {
        eprintln!(
            "SKIPPED no_command_opens_a_socket, in part: without strace and bash only the missing network is a witness"
        );
    }
    for arguments in RUNS {
        let output = alone(&desk, program, arguments, traced);
        let said = String::from_utf8_lossy(&output.stderr);
        // 1 for what is not built yet or finds nothing; 2 would mean that nothing was run.
        assert!(
            matches!(output.status.code(), Some(0 | 1))
                // An analysis that ends without a run leaves nothing to replay.
                || arguments[0] == "replay" && output.status.code() == Some(2),
            "{arguments:?}: {:?} {said}",
            output.status
        );
        if let Some(trace) = traced {
            let text = std::fs::read_to_string(trace).unwrap();
            let seen = sockets(&text);
            assert!(seen.is_empty(), "{arguments:?}: {seen:?}");
        }
        if arguments[0] == "ingest" {
            let report = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(report.contains("3 added"), "{report} {said}");
        }
    }
}

/// A command that is added later is run above too, or named as left out.
#[test]
fn every_command_is_run_without_a_network() {
    let desk = Desk::new();
    let help = desk.run(&["--help"]).stdout;
    let listed: Vec<&str> = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(listed.len() > 10, "{help}");
    for command in listed {
        let is_run = RUNS.iter().any(|run| run.contains(&command));
        let is_left_out = LEFT_OUT.iter().any(|(name, _)| *name == command);
        assert!(is_run || is_left_out, "`lahar {command}` is not run");
    }
}
