//! The record of a run: whole or refused, equal but for time and host, accepted by others.

use std::path::{Path, PathBuf};

use lahar_core::ContentHash;
use lahar_routes::run::record::{
    Datum, METADATA, OnPort, Run, RunFile, Step, StoredRecord, graph, without_run_fields,
};
use lahar_routes::run::staging::StagedFolder;

fn file(folder: &StagedFolder, path: &str, text: &str, derived_from: &[&str]) -> RunFile {
    folder.write(path, text.as_bytes()).unwrap();
    RunFile {
        path: path.to_owned(),
        name: path.to_owned(),
        media_type: "application/json",
        sha256: ContentHash::of(text.as_bytes()),
        size: text.len() as u64,
        properties: vec![("variable", "slope".to_owned()), ("unit", "deg".to_owned())],
        derived_from: derived_from.iter().map(|id| (*id).to_owned()).collect(),
    }
}

fn on_port(port: &str, datum: Datum) -> OnPort {
    let port = port.to_owned();
    OnPort { port, datum }
}

/// Two steps: slope from elevation, and a number from that; with `end` as the time.
fn write(place: &Path, end: &str) -> PathBuf {
    let staged = StagedFolder::begin(place, false, |_| false).unwrap();
    let elevation = Datum::File("inputs/dem.tif".to_owned());
    let slope = Datum::File("artifacts/slope.tif".to_owned());
    let rain = Datum::Written {
        id: "rain".to_owned(),
        value: "24".to_owned(),
        unit: Some("mm/h".to_owned()),
    };
    let share = Datum::Written {
        id: "share".to_owned(),
        value: "0.5".to_owned(),
        unit: Some("fraction".to_owned()),
    };
    let step = |capability: &str, inputs: Vec<OnPort>, outputs: Vec<OnPort>| Step {
        capability: capability.to_owned(),
        function: "what it does".to_owned(),
        version: "1".to_owned(),
        source: "doi:10.1109/PROC.1981.11918".to_owned(),
        inputs,
        outputs,
        started: "2026-12-01T00:00:00Z".parse().unwrap(),
        ended: end.parse().unwrap(),
        error: None,
    };
    let run = Run {
        name: "slope of a hill".to_owned(),
        description: "how steep is it: half of it is".to_owned(),
        workflow: "workflow.json".to_owned(),
        task: "task.toml".to_owned(),
        decisions: "decisions.json".to_owned(),
        files: vec![
            file(&staged, "workflow.json", "{}", &[]),
            file(&staged, "task.toml", "id = 1", &[]),
            file(&staged, "decisions.json", "[]", &[]),
            file(&staged, "inputs/dem.tif", "dem", &[]),
            file(&staged, "artifacts/slope.tif", "slope", &["inputs/dem.tif"]),
        ],
        given: vec![
            on_port("elevation", elevation.clone()),
            on_port("rainfall_intensity", rain.clone()),
        ],
        results: vec![
            on_port("slope", slope.clone()),
            on_port("share", share.clone()),
        ],
        steps: vec![
            step(
                "terrain-slope",
                vec![on_port("elevation", elevation)],
                vec![on_port("result", slope.clone())],
            ),
            Step {
                error: Some("its process crashed (signal 11)".to_owned()),
                ..step("share-steep", vec![on_port("slope", slope.clone())], vec![])
            },
            step(
                "share-steep",
                vec![on_port("slope", slope), on_port("rain", rain)],
                vec![on_port("share", share)],
            ),
        ],
        version: "0.1.0".to_owned(),
        started: "2026-12-01T00:00:00Z".parse().unwrap(),
        ended: end.parse().unwrap(),
        host: format!("machine at {end}"),
    };
    let metadata = serde_json::to_vec_pretty(&graph::metadata(&run)).unwrap();
    staged.write(METADATA, &metadata).unwrap();
    staged.place().unwrap()
}

#[test]
fn a_record_is_read_back_whole() {
    let desk = tempfile::tempdir().unwrap();
    let folder = write(&desk.path().join("run"), "2026-12-01T00:00:09Z");
    for path in [folder.clone(), folder.join(METADATA)] {
        let record = StoredRecord::open(&path).unwrap();
        assert_eq!(record.files.len(), 5);
        assert_eq!(
            record.entity("#execution-2").unwrap()["error"],
            "its process crashed (signal 11)"
        );
    }
    assert!(StoredRecord::is_one(&folder));
}

#[test]
fn what_is_cut_short_or_changed_is_no_record() {
    let desk = tempfile::tempdir().unwrap();
    let folder = write(&desk.path().join("run"), "2026-12-01T00:00:09Z");
    let refused = |wanted: &str| {
        let error = StoredRecord::open(&folder).unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
    };
    let changed = |name: &str, bytes: &[u8], wanted: &str| {
        let path = folder.join(name);
        let before = std::fs::read(&path).unwrap();
        std::fs::write(&path, bytes).unwrap();
        refused(wanted);
        std::fs::write(&path, before).unwrap();
    };
    changed(
        "artifacts/slope.tif",
        b"slop",
        "artifacts/slope.tif: its hash is",
    );
    let metadata = std::fs::read(folder.join(METADATA)).unwrap();
    changed(
        METADATA,
        &metadata[..metadata.len() / 2],
        "no whole run record",
    );
    changed(METADATA, b"{}", "no whole run record");
    let text = String::from_utf8(metadata).unwrap();
    let led_out = text.replace("\"artifacts/slope.tif\"", "\"../slope.tif\"");
    changed(METADATA, led_out.as_bytes(), "no file of its folder");
    StoredRecord::open(&folder).unwrap();
    std::fs::remove_file(folder.join("inputs/dem.tif")).unwrap();
    refused("inputs/dem.tif");
    std::fs::remove_file(folder.join(METADATA)).unwrap();
    refused("written last");
    assert!(!StoredRecord::is_one(&folder));
}

#[test]
fn two_runs_differ_in_time_and_host_alone() {
    let desk = tempfile::tempdir().unwrap();
    let read = |name: &str, end: &str| {
        let folder = write(&desk.path().join(name), end);
        StoredRecord::open(&folder).unwrap().metadata
    };
    let first = read("first", "2026-12-01T00:00:09Z");
    let second = read("second", "2026-12-01T00:10:00Z");
    assert_ne!(first, second);
    assert_eq!(without_run_fields(&first), without_run_fields(&second));
}

#[test]
fn independent_readers_accept_the_record() {
    let desk = tempfile::tempdir().unwrap();
    let folder = write(&desk.path().join("run"), "2026-12-01T00:00:09Z");
    crate::run_readers::check_with_python("independent_readers_accept_the_record", &folder);
}
