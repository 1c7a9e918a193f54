//! `lahar analyse` and `lahar replay`: sentences, examples on real terrain, and bad input.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;

use super::program::{Desk, samples};

const MONTECITO: &str = "The Thomas Fire burned the hills above Montecito. If a big storm hits, \
                         how bad could the mudslides get?";

/// Observations of a made basin.
const BASIN: &[&str] = &[
    "peak_rainfall_intensity_15min=24 mm/h",
    "rainfall_accumulation=6 mm",
    "steep_burned_share_23deg=0.6 fraction",
    "mean_dnbr=420 1",
    "soil_erodibility=0.2 fraction",
    "moderate_high_burned_area=2.1 km2",
    "relief=800 m",
];

fn with_basin(mut arguments: Vec<&str>) -> Vec<&str> {
    for observation in BASIN {
        arguments.extend(["--observation", *observation]);
    }
    arguments
}

fn texts(value: &Json) -> Vec<&str> {
    let items = value.as_array().unwrap().iter();
    items.filter_map(Json::as_str).collect()
}

#[track_caller]
fn replays_equal(desk: &Desk, folder: &str) {
    let replay = desk.json(&["replay", folder]);
    assert_eq!(replay["equal"], true, "{folder}: {replay}");
}

#[test]
fn a_sentence_asks_for_what_is_missing_and_with_it_runs_the_whole_chain() {
    let desk = Desk::new();
    let asked = desk.json(&["analyse", MONTECITO, "--out", "asked"]);
    assert_eq!(asked["decision"], "abstain", "{asked}");
    let reading = &asked["reading"];
    assert_eq!(reading["event"], "Thomas Fire");
    assert_eq!(
        reading["event_dates"],
        serde_json::json!(["2017-12-04", "2018-01-12"])
    );
    assert!(reading["place"].as_str().unwrap().starts_with("Montecito"));
    let hazards = texts(&reading["hazards"]);
    assert!(
        hazards.contains(&"wildfire") && hazards.contains(&"landslide"),
        "{hazards:?}"
    );
    let questions = texts(&asked["questions"]).join("\n");
    for word in ["dNBR", "rainfall", "relief", "KF factor", "burned"] {
        assert!(
            questions.contains(word),
            "{word} is not asked for: {questions}"
        );
    }
    assert!(
        asked["certificate"]["explored"]
            .as_array()
            .is_some_and(|e| !e.is_empty())
    );

    let told = desk.json(&with_basin(vec!["analyse", MONTECITO, "--out", "told"]));
    assert_eq!(told["decision"], "submit", "{told}");
    assert_eq!(told["route"], "staley-gartner-cannon-cascade");
    // Every stage ran, in its order; a volume alone would not do.
    let decisions = std::fs::read_to_string(desk.path("told/decisions.json")).unwrap();
    let decisions: Json = serde_json::from_str(&decisions).unwrap();
    let steps = decisions["steps"].as_array().unwrap().iter();
    let ran: Vec<&str> = steps
        .filter(|step| step["operation"] == "execute_capability")
        .filter_map(|step| step["capability"].as_str())
        .collect();
    let place = |name: &str| {
        ran.iter()
            .position(|capability| *capability == name)
            .unwrap()
    };
    let class = place("cannon-2010-hazard-class");
    assert!(place("staley-2017-m1-likelihood") < class, "{ran:?}");
    assert!(place("gartner-2014-emergency-volume") < class, "{ran:?}");
    let values = std::fs::read_to_string(desk.path("told/artifacts/values.csv")).unwrap();
    assert!(
        values.contains("debris_flow_hazard_class,moderate"),
        "{values}"
    );
    // The scatter of the volume is carried to the class.
    let report = std::fs::read_to_string(desk.path("told/report.md")).unwrap();
    assert!(report.contains("of 1000 samples"), "{report}");
    assert!(
        report.contains("EVERY input is made or assumed"),
        "{report}"
    );
    replays_equal(&desk, "told");
    replays_equal(&desk, "asked");
}

#[test]
fn a_sentence_without_place_or_hazard_is_not_made_up() {
    let desk = Desk::new();
    let asked = desk.json(&["analyse", "How bad could it get?"]);
    assert_eq!(asked["decision"], "abstain");
    let questions = texts(&asked["questions"]).join("\n");
    assert!(
        questions.contains("Which place") && questions.contains("Which hazard"),
        "{questions}"
    );
    assert!(!desk.path("lahar-runs").exists());
}

/// What becomes of each example: a part of the answer, and a route where one was used.
const EXAMPLES: &[(&str, Option<&str>, &str)] = &[
    (
        "postfire-debris-flow/boulder-map",
        Some("terrain-hazard-map"),
        "moderate on",
    ),
    (
        "postfire-debris-flow/hugo-map",
        Some("terrain-hazard-map"),
        "low on",
    ),
    (
        "postfire-debris-flow/bijou-map",
        Some("terrain-hazard-map"),
        "moderate on",
    ),
    (
        "ground-failure/boulder-landslides",
        Some("nowicki-jessee-2018-probability"),
        "from",
    ),
    (
        "ground-failure/washington-displacement",
        Some("jibson-2007-displacement"),
        "from",
    ),
    (
        "ground-failure/washington-landslides",
        Some("nowicki-jessee-2018-probability"),
        "from",
    ),
    (
        "ground-failure/napa-liquefaction",
        Some("zhu-2017-general-liquefaction"),
        "at Napa",
    ),
    (
        "wildfire/redding-chaparral",
        Some("rothermel-surface-spread"),
        "m/min",
    ),
    (
        "wildfire/redding-grass",
        Some("rothermel-surface-spread"),
        "m/min",
    ),
    (
        "wildfire/boulder-growth",
        Some("minimum-travel-time"),
        "min on",
    ),
    (
        "wildfire/boulder-next-day",
        Some("logistic-next-day"),
        "139 km2",
    ),
    (
        "landslide/boulder-lhasa",
        Some("lhasa-2-probability"),
        "0.954 at",
    ),
    ("landslide/genoa-storm", Some("caine-1980-threshold"), "yes"),
    (
        "landslide/genoa-drizzle",
        Some("caine-1980-threshold"),
        "no at",
    ),
    ("flood/hugo-downpour", Some("shallow-water"), "m on"),
    ("flood/washington-downpour", Some("shallow-water"), "m on"),
    ("earthquake/napa-shaking", None, "no route is registered"),
    (
        "tropical-cyclone/miami-wind",
        None,
        "no route is registered",
    ),
    ("drought/phoenix-outlook", None, "no route is registered"),
    ("heatwave/phoenix-heat", None, "No answer"),
    (
        "heatwave/phoenix-heat-index",
        Some("rothfusz-heat-index"),
        "107 degF",
    ),
    ("coastal/galveston-compound", None, "no route is registered"),
    ("impact/galveston-loss", None, "no route is registered"),
    ("attribute/montecito-cause", None, "No answer"),
];

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn sci_data() -> Option<PathBuf> {
    let shared = std::env::var_os("LAHAR_SHARED").map(PathBuf::from);
    let shared = shared.unwrap_or_else(|| examples().join("../../shared"));
    let folder = std::env::var_os("LAHAR_SCI_DATA").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| shared.join("sci-data"));
    folder.join("dem_landlab").is_dir().then_some(folder)
}

#[test]
fn every_example_ends_as_it_should_and_replays_to_the_same_bytes() {
    let Some(data) = sci_data() else {
        eprintln!(
            "SKIPPED every_example_ends_as_it_should_and_replays_to_the_same_bytes: no sci-data"
        );
        return;
    };
    let desk = Desk::new();
    let prepared = Command::new("sh")
        .arg(examples().join("prepare.sh"))
        .arg(&data)
        .arg(desk.path("tasks"))
        .env("LAHAR", env!("CARGO_BIN_EXE_lahar"))
        .output()
        .unwrap();
    assert!(prepared.status.success(), "{prepared:?}");
    let mut listed = 0;
    for track in std::fs::read_dir(examples().join("tasks")).unwrap() {
        listed += std::fs::read_dir(track.unwrap().path()).unwrap().count();
    }
    assert_eq!(listed, EXAMPLES.len(), "an example is not tested");
    for (name, route, part) in EXAMPLES {
        let (task, out) = (format!("tasks/{name}.toml"), format!("runs/{name}"));
        let result = desk.json(&["analyse", &task, "--out", &out]);
        assert_eq!(result["route"].as_str(), *route, "{name}: {result}");
        let answer = result["answer"].as_str().unwrap();
        assert!(answer.contains(part), "{name}: {answer}");
        let decision = if route.is_some() { "submit" } else { "abstain" };
        assert_eq!(result["decision"], decision, "{name}");
        if route.is_none() {
            assert!(!texts(&result["missing"]).is_empty(), "{name}: {result}");
        } else {
            assert!(result["made_inputs"].as_u64().unwrap() > 0, "{name}");
        }
        replays_equal(&desk, &out);
    }
}

#[test]
fn the_sample_analysis_draws_a_map_and_says_that_all_of_it_is_made() {
    let desk = Desk::new();
    let task = samples().join("analysis/task.toml");
    let result = desk.json(&["analyse", task.to_str().unwrap(), "--out", "run"]);
    assert_eq!(result["route"], "terrain-hazard-map", "{result}");
    let report = std::fs::read_to_string(desk.path("run/report.html")).unwrap();
    assert!(report.contains("data:image/png;base64,"));
    assert!(report.contains("EVERY input is made or assumed"));
    let grid = std::fs::read(desk.path("run/artifacts/postfire-hazard-map-hazard-class.tif"));
    let grid = String::from_utf8_lossy(&grid.unwrap()).into_owned();
    for part in [
        "GDALMetadata",
        "debris_flow_hazard_class",
        "sha256:",
        "capability_version",
    ] {
        assert!(grid.contains(part), "{part}");
    }
    replays_equal(&desk, "run");
    // Every mark of a record that is cut short keeps it from being taken for a whole one.
    let path = desk.path("run/artifacts/values.csv");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let refused = desk.run(&["replay", "run"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("not whole"), "{refused:?}");
}

fn basin_task(more: &str) -> String {
    let text = "id = \"basin\"\nhazards = [\"wildfire\", \"landslide\"]\nkind = \"assess\"\n\
                decision_time = \"2018-01-08T00:00:00Z\"\n\
                area = { place = \"Montecito, California\" }\n\
                event = { name = \"Thomas Fire\", time = \"2017-12-12T00:00:00Z\" }\n\
                output = { variable = \"debris_flow_hazard_class\" }\n";
    text.to_owned() + more
}

#[test]
fn folders_are_kept_unless_they_are_runs_and_force_is_given() {
    let desk = Desk::new();
    desk.write("task.toml", basin_task(""));
    desk.write("precious/letter.txt", "dear");
    let analyse = |more: &[&str]| {
        let mut arguments = vec!["analyse", "task.toml"];
        arguments.extend(more);
        desk.run(&arguments)
    };
    for more in [
        &["--out", "precious"][..],
        &["--out", "precious", "--force"],
    ] {
        let refused = analyse(more);
        assert_eq!(refused.code, 2, "{refused:?}");
    }
    assert!(desk.path("precious/letter.txt").exists());
    assert_eq!(analyse(&["--out", "run"]).code, 0);
    let again = analyse(&["--out", "run"]);
    assert!(
        again.code == 2 && again.stderr.contains("--force"),
        "{again:?}"
    );
    assert_eq!(analyse(&["--out", "run", "--force"]).code, 0);
    let strict = analyse(&["--out", "strict", "--strict"]);
    assert_eq!(strict.code, 4, "{strict:?}");
    let none = desk.json(&["analyse", "task.toml", "--budget", "0", "--out", "none"]);
    assert_eq!(none["decision"], "abstain", "{none}");
}

#[test]
fn a_task_keeps_to_its_folder_and_its_run_stands_alone() {
    let desk = Desk::new();
    let made = samples().join("analysis");
    for name in ["valley.asc", "burn.asc"] {
        desk.write(
            &format!("elsewhere/{name}"),
            std::fs::read(made.join(name)).unwrap(),
        );
    }
    let task = std::fs::read_to_string(made.join("task.toml")).unwrap();
    let task = task.replace("file = \"", "file = \"../elsewhere/");
    desk.write("tasks/task.toml", task);
    let refused = desk.run(&["analyse", "tasks/task.toml", "--out", "run"]);
    assert!(refused.stderr.contains("--allow-outside"), "{refused:?}");
    assert!(!desk.path("run").exists());
    let allowed = desk.json(&[
        "analyse",
        "tasks/task.toml",
        "--allow-outside",
        "--out",
        "run",
    ]);
    assert_eq!(allowed["decision"], "submit", "{allowed}");
    std::fs::remove_dir_all(desk.path("elsewhere")).unwrap();
    std::fs::remove_dir_all(desk.path("tasks")).unwrap();
    replays_equal(&desk, "run");
}

#[test]
fn hostile_titles_and_sources_stay_text() {
    let desk = Desk::new();
    let hostile = "<script>alert(1)</script> ![x](http://evil.test/a.png) \\u202e";
    let task = format!(
        "title = \"{hostile}\"\n{}\n[[observation]]\nid = \"relief\"\nvariable = \"relief\"\n\
         value = \"800 m\"\npublication_time = \"2018-01-01T00:00:00Z\"\n\
         source = \"<img src='http://evil.test/b.png' onerror=alert(1)>\"\n",
        basin_task("")
    );
    desk.write("task.toml", task);
    let run = desk.run(&["analyse", "task.toml", "--out", "run"]);
    assert_eq!(run.code, 0, "{run:?}");
    let html = std::fs::read_to_string(desk.path("run/report.html")).unwrap();
    for tag in ["<script", "<img", "\u{202e}", "src=\"http", "href=\"http"] {
        assert!(!html.contains(tag), "{tag}");
    }
    assert!(html.contains("default-src 'none'") && html.contains("&lt;script&gt;"));
    let markdown = std::fs::read_to_string(desk.path("run/report.md")).unwrap();
    let letters: Vec<char> = markdown.chars().collect();
    for pair in letters.windows(2) {
        assert!(
            !matches!(pair[1], '<' | '[') || matches!(pair[0], '\\' | '!'),
            "{markdown}"
        );
    }
    assert!(!markdown.contains("![x"), "{markdown}");
    assert!(!run.stdout.contains('\u{202e}'));
}

#[test]
fn a_run_that_is_cut_off_while_it_writes_leaves_no_record() {
    let desk = Desk::new();
    let task = samples().join("analysis/task.toml");
    // Files may grow to 16 blocks of 512 bytes, so that the first larger one cannot be written.
    let line = format!(
        "ulimit -f 16; exec '{}' analyse '{}' --out run",
        env!("CARGO_BIN_EXE_lahar"),
        task.display()
    );
    let ran = Command::new("sh")
        .args(["-c", &line])
        .current_dir(desk.path("."))
        .output()
        .unwrap();
    assert!(!ran.status.success(), "{ran:?}");
    assert!(!desk.path("run").exists());
    let refused = desk.run(&["replay", "run"]);
    assert!(
        refused.code == 1 && refused.stderr.contains("no run record"),
        "{refused:?}"
    );
}

#[test]
fn what_is_no_task_is_refused_with_the_next_step() {
    let desk = Desk::new();
    desk.write("broken.toml", "id = ");
    desk.write("unknown.toml", basin_task("colour = 1\n"));
    for (arguments, part) in [
        (&["analyse", "nowhere.toml"][..], "cannot be read"),
        (&["analyse", "broken.toml"], "TOML"),
        (&["analyse", "unknown.toml"], "colour"),
        (
            &["analyse", "unknown.toml", "--policy", "chat"],
            "no chat model is configured",
        ),
        (
            &["analyse", "unknown.toml", "--observation", "relief"],
            "--observation",
        ),
        (&["replay", "nowhere"], "no run record"),
    ] {
        let refused = desk.run(arguments);
        assert_ne!(refused.code, 0, "{arguments:?}");
        assert!(
            refused.stderr.contains(part),
            "{arguments:?}: {}",
            refused.stderr
        );
    }
}
