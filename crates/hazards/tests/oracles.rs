//! Every kernel against the outputs of the programs that scientists use.
//!
//! Reads every `*.json` below `LAHAR_ORACLES` (default: `oracles` below `LAHAR_SHARED`, default
//! `../shared` beside the workspace), in the formats of the `README.md` files there. A file is
//! known by its kind, the end of its name, so that other sets of the same kind run too.

#[path = "oracles/flood.rs"]
mod flood;
#[path = "oracles/ground_failure.rs"]
mod ground_failure;
#[path = "oracles/heatwave.rs"]
mod heatwave;
#[path = "oracles/landslide.rs"]
mod landslide;
#[path = "oracles/postfire_debris_flow.rs"]
mod postfire_debris_flow;
#[path = "oracles/wildfire.rs"]
mod wildfire;

use std::path::{Path, PathBuf};

use serde_json::Value;

/// What differs, in words; empty where nothing does.
type Differences = Vec<String>;

/// Compares one case.
type Check = fn(&Value) -> Result<Differences, String>;

/// Numbers of a case by name.
struct Case<'a>(&'a Value);

impl Case<'_> {
    fn number(&self, name: &str) -> Result<f64, String> {
        let value = self.0.get(name).and_then(Value::as_f64);
        value.ok_or_else(|| format!("`{name}` is no number"))
    }

    fn text(&self, name: &str) -> Result<String, String> {
        match self.0.get(name) {
            Some(Value::String(text)) => Ok(text.clone()),
            Some(Value::Number(number)) => Ok(number.to_string()),
            _ => Err(format!("`{name}` is no text")),
        }
    }

    fn numbers(&self, name: &str) -> Result<Vec<f64>, String> {
        let list = self.0.get(name).and_then(Value::as_array);
        let list = list.ok_or_else(|| format!("`{name}` is no list"))?;
        let number = |v: &Value| v.as_f64().ok_or_else(|| format!("`{name}` holds {v}"));
        list.iter().map(number).collect()
    }

    fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some()
    }
}

/// Notes a difference beyond a relative tolerance; below `zero` a number counts as none.
fn compare(out: &mut Differences, name: &str, found: f64, expected: f64, relative: f64, zero: f64) {
    let far = (found - expected).abs() > relative * expected.abs();
    let both_none = found.abs() <= zero && expected.abs() <= zero;
    if found.is_nan() != expected.is_nan() || (far && !both_none) {
        out.push(format!("{name}: {found:e}, the peer has {expected:e}"));
    }
}

fn check_for(stem: &str) -> Option<Check> {
    let known = postfire_debris_flow::KINDS
        .iter()
        .chain(ground_failure::KINDS)
        .chain(flood::KINDS)
        .chain(landslide::KINDS)
        .chain(wildfire::KINDS)
        .chain(heatwave::KINDS);
    known
        .filter(|(kind, _)| stem == *kind || stem.ends_with(&format!("_{kind}")))
        .max_by_key(|(kind, _)| kind.len())
        .map(|(_, check)| *check)
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files_below(&path, files)?;
        } else if path.extension().is_some_and(|ext| ext == "json") {
            files.push(path);
        }
    }
    Ok(())
}

/// Runs one file: the number of cases, and what went wrong.
fn run(path: &Path, check: Check) -> Result<(usize, Vec<String>), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let file: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let cases = file.get("cases").and_then(Value::as_array);
    let cases = cases.ok_or("it has no list of cases")?;
    let mut failures = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        match check(case) {
            Ok(differences) => {
                failures.extend(differences.iter().map(|d| format!("case {at}, {d}")));
            }
            Err(why) => failures.push(format!("case {at} cannot be run: {why}")),
        }
    }
    if cases.is_empty() {
        failures.push("it has no cases".to_owned());
    }
    Ok((cases.len(), failures))
}

fn folder() -> PathBuf {
    if let Some(folder) = std::env::var_os("LAHAR_ORACLES") {
        return folder.into();
    }
    let shared = std::env::var_os("LAHAR_SHARED").map(PathBuf::from);
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    shared.unwrap_or_else(default).join("oracles")
}

// The lines below are the contract of this test, which runs without the standard harness.
#[allow(clippy::print_stdout, clippy::print_stderr)]
fn main() -> std::process::ExitCode {
    if std::env::args().any(|arg| arg == "--list") {
        println!("oracles: test");
        return std::process::ExitCode::SUCCESS;
    }
    let folder = folder();
    if !folder.is_dir() {
        eprintln!(
            "SKIPPED oracles: {} is not here; set LAHAR_ORACLES",
            folder.display()
        );
        return std::process::ExitCode::SUCCESS;
    }
    let mut files = Vec::new();
    if let Err(error) = files_below(&folder, &mut files) {
        eprintln!("{} cannot be read: {error}", folder.display());
        return std::process::ExitCode::FAILURE;
    }
    files.sort();
    let (mut cases, mut passed, mut failed) = (0, 0, 0);
    for path in files {
        let stem = path
            .file_stem()
            .and_then(|s| s.to_str())
            .unwrap_or_default();
        let Some(check) = check_for(stem) else {
            println!("not covered: {stem}");
            continue;
        };
        match run(&path, check) {
            Ok((count, failures)) if failures.is_empty() => {
                println!("passed: {stem}, {count} cases");
                cases += count;
                passed += 1;
            }
            Ok((count, failures)) => {
                println!(
                    "FAILED: {stem}, {} differences in {count} cases",
                    failures.len()
                );
                for failure in failures.iter().take(20) {
                    println!("  {failure}");
                }
                failed += 1;
            }
            Err(why) => {
                println!("FAILED: {stem}: {why}");
                failed += 1;
            }
        }
    }
    println!("oracles: {cases} cases in {passed} files passed");
    if failed > 0 {
        println!("oracles: {failed} files FAILED");
        return std::process::ExitCode::FAILURE;
    }
    std::process::ExitCode::SUCCESS
}
