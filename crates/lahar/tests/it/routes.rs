//! Routes from the command line.

#![allow(clippy::print_stdout, reason = "what was skipped")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::program::Desk;

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn routes_are_listed_and_shown() {
    let desk = Desk::new();
    let list = desk.run(&["--json", "routes", "list", "--track", "ground-failure"]);
    assert_eq!(list.code, 0, "{list:?}");
    let routes = json(&list.stdout)["routes"].as_array().unwrap().clone();
    assert!(
        routes.len() >= 5
            && routes
                .iter()
                .all(|route| route["track"] == "ground-failure")
    );
    let none = desk.run(&["routes", "list", "--track", "drought"]);
    assert_eq!(none.code, 1);
    assert!(
        none.stderr.contains("tracks with routes"),
        "{}",
        none.stderr
    );
    let show = desk.run(&["routes", "show", "staley-gartner-cannon-cascade"]);
    assert_eq!(show.code, 0, "{show:?}");
    for part in [
        "cited:",
        "are only cited",
        "asked: time since fire at most 2 yr",
    ] {
        assert!(show.stdout.contains(part), "{part}: {}", show.stdout);
    }
    let unknown = desk.run(&["routes", "show", "staley"]);
    assert!(
        unknown.stderr.contains("did you mean one of"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn cards_are_linted_with_the_line_of_what_is_wrong() {
    let desk = Desk::new();
    let shipped = desk.run(&["--json", "routes", "lint"]);
    assert_eq!(shipped.code, 0, "{shipped:?}");
    assert_eq!(json(&shipped.stdout)["errors"], 0);
    desk.write("bad.toml", "id = \"x\"\nkind = \"guessed\"\n");
    let bad = desk.run(&["routes", "lint", "bad.toml"]);
    assert_eq!(bad.code, 1);
    assert!(bad.stderr.contains("bad.toml, line"), "{}", bad.stderr);
}

#[test]
fn every_sentence_of_the_cards_is_found_in_a_library_of_their_sources() {
    let shared = std::env::var_os("LAHAR_SHARED").map_or_else(
        || std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        std::path::PathBuf::from,
    );
    let pack = shared.join("evidence");
    if !pack.is_dir() {
        println!(
            "SKIPPED every_sentence_of_the_cards_is_found_in_a_library_of_their_sources: {} is not here",
            pack.display()
        );
        return;
    }
    let mut sources: BTreeMap<String, String> = BTreeMap::new();
    for entry in std::fs::read_dir(&pack).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let table: toml::Table = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let spans = table.get("span").and_then(toml::Value::as_array);
        for span in spans.into_iter().flatten() {
            let text = |key: &str| span[key].as_str().unwrap();
            let document = sources.entry(text("source").to_owned()).or_default();
            let _ = write!(document, "{}\n\n", text("quote"));
        }
    }
    let desk = Desk::new();
    let mut manifest = "file,title\n".to_owned();
    for (at, (source, text)) in sources.iter().enumerate() {
        desk.write(&format!("sources/{at}.txt"), text.clone());
        let _ = writeln!(manifest, "{at}.txt,\"{}\"", source.replace('"', "\"\""));
    }
    desk.write("sources/manifest.csv", manifest);
    let ingest = desk.run(&["ingest", "sources"]);
    assert_eq!(ingest.code, 0, "{ingest:?}");
    let lint = desk.run(&["--json", "routes", "lint"]);
    assert_eq!(lint.code, 0, "{}", lint.stdout);
    let found = json(&lint.stdout);
    assert_eq!(found["fingerprints_found"], found["fingerprints"]);
    assert!(found["fingerprints"].as_u64().unwrap() > 60, "{found}");
    // Shown verbatim with its document.
    let show = desk.run(&["routes", "show", "staley-gartner-cannon-cascade"]);
    assert!(show.stdout.contains("quoted: \""), "{}", show.stdout);
    assert!(
        show.stdout.contains("Disclaimer - Limitations"),
        "{}",
        show.stdout
    );
}

const TASK: &str = include_str!("../../../routes/benches/montecito.toml");

#[test]
fn a_task_is_checked_without_running_anything() {
    let desk = Desk::new();
    desk.write("task.toml", TASK);
    let check = desk.run(&["--json", "routes", "check", "task.toml"]);
    assert_eq!(check.code, 0, "{check:?}");
    let found = json(&check.stdout);
    assert_eq!(
        found["eligible"],
        serde_json::json!(["staley-gartner-cannon-cascade"])
    );
    assert!(found["routes"].as_array().unwrap().len() >= 5);
    desk.write("task.toml", TASK.replace("\"850 m\"", "\"850 h\""));
    let wrong = desk.run(&["routes", "check", "task.toml"]);
    assert_eq!(wrong.code, 1);
    assert!(
        wrong.stderr.contains("`observation[6].value`"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn episodes_are_counted_and_one_is_shown() {
    let desk = Desk::new();
    let all = desk.run(&["--json", "bench", "routes"]);
    assert_eq!(all.code, 0, "{all:?}");
    let all = json(&all.stdout);
    assert_eq!(all["kinds"].as_object().unwrap().len(), 10);
    assert_eq!(all["kinds"]["budget_exhausted"]["failed"], 0);
    let one = desk.run(&["bench", "routes", "--episode", "the-soil-is-asked-for"]);
    assert_eq!(one.code, 0, "{one:?}");
    assert!(
        one.stdout.contains("request_information soil_erodibility"),
        "{one:?}"
    );
    assert!(one.stdout.contains("eligible: no route"), "{one:?}");
    let none = desk.run(&["bench", "routes", "--episode", "no-such"]);
    assert!(
        none.code == 2 && none.stderr.contains("no-such"),
        "{none:?}"
    );
}

/// A volume task in a small basin, and a guide of our own making that limits the area.
const BASIN: &str = r#"
id = "basin"
hazards = ["wildfire", "landslide"]
kind = "assess"
decision_time = "2018-01-08T00:00:00Z"
[area]
place = "Montecito, California"
[event]
name = "Thomas Fire"
time = "2017-12-20T00:00:00Z"
[output]
variable = "debris_flow_volume"
unit = "m3"
representation = "number"
[[observation]]
id = "area"
variable = "contributing_area"
value = 12
unit = "km2"
quality = "measured"
valid_time = "2018-01-01T00:00:00Z"
publication_time = "2018-01-01T00:00:00Z"
source = "the county's survey"
"#;

const GUIDE: &str = "<h1>Volumes of post-fire debris flows</h1>\
    <p>The volume model of Gartner is valid only for a contributing area of at most 9 km2. \
    The volume model does not account for sediment in the channel. Crews cleared the road.</p>";

#[test]
fn a_condition_of_the_library_counts_once_a_person_accepts_it() {
    let desk = Desk::new();
    desk.write("guide.html", GUIDE);
    desk.write("basin.toml", BASIN);
    assert_eq!(desk.run(&["ingest", "guide.html"]).code, 0);
    let route = "gartner-2014-volume";
    let compiled = desk.json(&["routes", "compile", route, "--out", "found.toml"]);
    let findings = compiled["compilation"]["findings"].as_array().unwrap();
    assert_eq!(findings[0]["stage"], "canonical", "{compiled}");
    assert_eq!(findings[0]["statement"], "contributing_area <= 9 km2");
    assert!(
        findings[0]["evidence"][0]["span"]["quote"]
            .as_str()
            .unwrap()
            .ends_with("9 km2.")
    );
    let id = compiled["ids"][0].as_str().unwrap().to_owned();
    let reasons = |with: &[&str]| {
        let mut arguments = vec!["routes", "check", "basin.toml"];
        arguments.extend(with);
        let checked = desk.json(&arguments);
        let routes = checked["routes"].as_array().unwrap();
        let own = routes.iter().find(|r| r["route"] == route).unwrap();
        let verdicts = own["verdicts"].as_array().unwrap();
        let found = verdicts.iter().find(|v| v["condition"] == id.as_str());
        found.map(|verdict| verdict["truth"].as_str().unwrap_or_default().to_owned())
    };
    let with = ["--with", "found.toml"];
    assert_eq!(reasons(&with), None, "not accepted yet");
    // Written once, the file and its reviews are not replaced by accident.
    let twice = desk.run(&["routes", "compile", route, "--out", "found.toml"]);
    assert_eq!(twice.code, 2, "{twice:?}");
    assert!(twice.stderr.contains("--force"), "{}", twice.stderr);
    let nobody = desk.run(&[
        "routes",
        "review",
        "found.toml",
        &id,
        "--as",
        "strict",
        "--by",
        " ",
    ]);
    assert_eq!(nobody.code, 2, "{nobody:?}");
    let review = [
        "routes",
        "review",
        "found.toml",
        &id,
        "--as",
        "strict",
        "--by",
        "N. N.",
    ];
    assert_eq!(desk.run(&review).code, 0);
    assert!(reasons(&with).is_some_and(|truth| truth != "satisfied"));
    assert_eq!(reasons(&[]), None);
    let undecided = desk.run(&["routes", "review", "found.toml", &id, "--by", "N. N."]);
    assert_eq!(undecided.code, 2, "{undecided:?}");
    let gone = desk.run(&["routes", "check", "basin.toml", "--with", "no.toml"]);
    assert!(gone.stderr.contains("no.toml"), "{}", gone.stderr);
}
