//! Independent readers of run records.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The Python environment that `scripts/run_record_venv.sh` makes.
fn python() -> Option<PathBuf> {
    let folder = match std::env::var_os("LAHAR_RECORD_VENV") {
        Some(folder) => PathBuf::from(folder),
        None => {
            let cache = std::env::var_os("LAHAR_CACHE").map(PathBuf::from);
            let home =
                std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache/lahar"));
            cache.or(home)?.join("run-record-venv")
        }
    };
    let python = folder.join("bin/python");
    python.exists().then_some(python)
}

/// Reads a record with `runcrate` and validates it with `roc-validator`, both offline.
#[allow(clippy::print_stderr, reason = "a skipped test says so")]
pub fn check_with_python(test: &str, folder: &Path) {
    let Some(python) = python() else {
        eprintln!(
            "SKIPPED {test}: no Python with runcrate and roc-validator; scripts/run_record_venv.sh makes it"
        );
        return;
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/run_record_check.py");
    let ran = Command::new(python)
        .arg(script)
        .arg(folder)
        .output()
        .unwrap();
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr)
    );
    assert!(ran.status.success(), "{said}");
    assert!(said.contains("accepted: provenance-run-crate"), "{said}");
    assert!(said.contains("action: #run"), "{said}");
}
