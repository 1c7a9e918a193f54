//! One capability in a process of its own: results, refusals, limits, crashes.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use lahar_core::capability::Value;
use lahar_core::grid::Affine;
use lahar_core::{Crs, Grid};
use lahar_hazards::registry;
use lahar_routes::run::process::{self, Ending, RunFailure, RunLimits, WorkerCommand};

/// The worker that is built beside these tests.
pub fn worker() -> WorkerCommand {
    WorkerCommand {
        program: env!("CARGO_BIN_EXE_lahar-capability-worker").into(),
        args: Vec::new(),
    }
}

/// A worker of a few lines of shell; `$1` is the folder of the reply.
fn shell(lines: &str) -> WorkerCommand {
    let prelude = "read -r line; reply=${line#*\\\"reply\\\":\\\"}; reply=${reply%%\\\"*}; ";
    WorkerCommand {
        program: "/bin/sh".into(),
        args: vec!["-c".to_owned(), format!("{prelude}{lines}")],
    }
}

fn quantities(pairs: &[(&str, &str)]) -> BTreeMap<String, Value> {
    registry::quantities(pairs).unwrap()
}

fn layer(grid: Grid, unit: &str) -> Value {
    let unit = unit.parse().unwrap();
    Value::Layer(lahar_core::capability::Layer { grid, unit })
}

fn run(
    command: &WorkerCommand,
    capability: &str,
    inputs: &BTreeMap<String, Value>,
    limits: RunLimits,
) -> Ending {
    let folder = tempfile::tempdir().unwrap();
    process::run(
        command,
        capability,
        inputs,
        &BTreeMap::new(),
        limits,
        folder.path(),
    )
    .unwrap()
}

fn failure(ending: Ending) -> RunFailure {
    match ending {
        Ending::Failed(failure) => failure,
        Ending::Finished { outputs, .. } => panic!("it gave {outputs:?}"),
    }
}

const BURNED_BASIN: &[(&str, &str)] = &[
    ("rainfall", "6 mm"),
    ("duration", "15 min"),
    ("steep_burned_share", "50 %"),
    ("mean_dnbr", "400 1"),
    ("soil_erodibility", "0.2 fraction"),
];

#[test]
fn a_worker_gives_what_a_run_in_this_process_gives_bit_by_bit() {
    let name = "staley-2017-m1-likelihood";
    let inputs = quantities(BURNED_BASIN);
    let here = registry::find(name).unwrap().run(&inputs).unwrap();
    match run(&worker(), name, &inputs, RunLimits::default()) {
        Ending::Finished { outputs, finished } => {
            assert_eq!(outputs, here.outputs);
            assert_eq!(finished.version, here.version);
            assert_eq!(finished.conditions.len(), here.conditions.len());
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn grids_go_there_and_back() {
    let values: Vec<f64> = (0..60).map(|cell| f64::from(cell % 7) * 3.3).collect();
    let place = Affine::north_up(0.0, 100.0, 10.0, 10.0);
    let grid = Grid::new(values, 6, 10, place, Crs::LocalMetres).unwrap();
    let inputs = [("elevation".to_owned(), layer(grid, "m"))].into();
    let here = registry::find("terrain-slope")
        .unwrap()
        .run(&inputs)
        .unwrap();
    match run(&worker(), "terrain-slope", &inputs, RunLimits::default()) {
        Ending::Finished { outputs, .. } => {
            // `NaN` is not equal to itself.
            assert_eq!(format!("{outputs:?}"), format!("{:?}", here.outputs));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_refusal_is_a_value_with_the_capabilitys_own_words() {
    let mut inputs = quantities(BURNED_BASIN);
    inputs.insert("region".to_owned(), Value::Label("alps".to_owned()));
    let refused = failure(run(
        &worker(),
        "staley-2017-m1-likelihood",
        &inputs,
        RunLimits::default(),
    ));
    let RunFailure::Refused {
        message,
        outside_validity,
    } = refused
    else {
        panic!("{refused:?}")
    };
    assert!(outside_validity, "{message}");
    let missing = failure(run(
        &worker(),
        "staley-2017-m1-likelihood",
        &quantities(&BURNED_BASIN[1..]),
        RunLimits::default(),
    ));
    assert!(missing.to_string().contains("rainfall"), "{missing}");
    let unknown = failure(run(&worker(), "no-such", &inputs, RunLimits::default()));
    assert!(unknown.to_string().contains("no-such"), "{unknown}");
}

#[test]
fn time_and_memory_are_limited() {
    let short = RunLimits {
        time: Duration::from_millis(300),
        ..RunLimits::default()
    };
    let began = std::time::Instant::now();
    let stopped = failure(run(&shell("sleep 30"), "any", &BTreeMap::new(), short));
    assert_eq!(stopped, RunFailure::TimeLimit { seconds: 0 });
    assert!(began.elapsed() < Duration::from_secs(10));

    // Sixteen million cells take more than 100 MB on their way through any model.
    let place = Affine::north_up(0.0, 0.0, 10.0, 10.0);
    let grid = Grid::new(vec![1.0; 4000 * 4000], 4000, 4000, place, Crs::LocalMetres).unwrap();
    let inputs = [("elevation".to_owned(), layer(grid, "m"))].into();
    let small = RunLimits {
        memory_bytes: 100 << 20,
        ..RunLimits::default()
    };
    let stopped = failure(run(&worker(), "terrain-slope", &inputs, small));
    assert_eq!(stopped, RunFailure::MemoryLimit { megabytes: 100 });
}

#[test]
fn a_worker_that_dies_or_lies_is_a_value_too() {
    let nothing = BTreeMap::new();
    let tried = |lines: &str| {
        failure(run(&shell(lines), "any", &nothing, RunLimits::default())).to_string()
    };
    assert!(tried("kill -SEGV $$").contains("signal 11"));
    let last_words = tried("echo 'cannot go on' >&2; exit 3");
    assert!(
        last_words.contains("exit code 3: cannot go on"),
        "{last_words}"
    );
    assert!(tried("exit 0").contains("without a reply"));
    assert!(tried("echo '{' > \"$reply/reply.json\"").contains("could not be handed over"));
}

#[test]
fn a_result_that_cannot_be_is_no_result() {
    let hash = lahar_core::ContentHash::of(b"");
    let reply = format!(
        r#"{{"ending": "finished", "version": "1", "outputs": "{hash}", "conditions": [],
            "checks": [{{"port": "likelihood", "rule": "from 0 to 1", "holds": false}}]}}"#
    );
    let lines = format!("cat > \"$reply/reply.json\" <<'END'\n{reply}\nEND\n");
    let refused = failure(run(
        &shell(&lines),
        "any",
        &BTreeMap::new(),
        RunLimits::default(),
    ));
    let expected = RunFailure::PostCondition {
        port: "likelihood".to_owned(),
        rule: "from 0 to 1".to_owned(),
    };
    assert_eq!(refused, expected);
}

#[test]
fn results_that_were_changed_on_the_way_are_noticed() {
    let real = env!("CARGO_BIN_EXE_lahar-capability-worker");
    let lines = format!(
        "printf '%s\\n' \"$line\" | {real} || exit 1; \
         sed -i s/fraction/m/ \"$reply/outputs/values.json\""
    );
    let name = "staley-2017-m1-likelihood";
    let inputs = quantities(BURNED_BASIN);
    let noticed = failure(run(&shell(&lines), name, &inputs, RunLimits::default()));
    assert!(noticed.to_string().contains("was changed"), "{noticed}");
}

#[test]
fn a_program_that_is_not_there_is_an_error_and_not_an_ending() {
    let folder = tempfile::tempdir().unwrap();
    let command = WorkerCommand {
        program: "/nowhere/lahar".into(),
        args: Vec::new(),
    };
    let limits = RunLimits::default();
    let nothing = BTreeMap::new();
    let none = BTreeMap::new();
    let error = process::run(&command, "any", &nothing, &none, limits, folder.path());
    assert!(error.unwrap_err().to_string().contains("/nowhere/lahar"));
    let gone = Path::new("/nowhere/at/all");
    let error = process::run(&worker(), "any", &nothing, &none, limits, gone);
    assert!(error.unwrap_err().to_string().contains("/nowhere/at/all"));
}
