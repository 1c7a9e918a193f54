//! The built program, run in a folder of its own without any model.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A scratch folder in which the program runs. It finds no models, so that what it prints is the
/// same on every machine.
pub struct Desk {
    folder: tempfile::TempDir,
}

/// What a run came to.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Desk {
    pub fn new() -> Desk {
        Desk {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub fn run(&self, arguments: &[&str]) -> Run {
        self.run_with_input(arguments, "")
    }

    pub fn run_with_input(&self, arguments: &[&str], input: &str) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lahar"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env_remove("LAHAR_LIBRARY")
            .env("LAHAR_MODELS", self.folder.path().join("no-models"))
            .env("LAHAR_PLACES", self.folder.path().join("own-places"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The program may stop reading early; a broken pipe is not the test's business.
        let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes());
        let Output {
            status,
            stdout,
            stderr,
        } = child.wait_with_output().unwrap();
        Run {
            code: status.code().expect("the program was killed by a signal"),
            stdout: String::from_utf8(stdout).unwrap(),
            stderr: String::from_utf8(stderr).unwrap(),
        }
    }

    /// Runs with `--json` and reads the one document on stdout.
    pub fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let mut all = vec!["--json"];
        all.extend(arguments);
        let run = self.run(&all);
        serde_json::from_str(&run.stdout)
            .unwrap_or_else(|error| panic!("{arguments:?} printed no JSON ({error}): {run:?}"))
    }

    /// Copies the sample documents of the repository here and ingests them.
    pub fn ingest_samples(&self) {
        let manifest = std::fs::read_to_string(samples().join("manifest.csv")).unwrap();
        let listed = manifest
            .lines()
            .skip(1)
            .filter_map(|line| line.split(',').next());
        for name in listed.chain(["manifest.csv"]) {
            self.write(
                &format!("samples/{name}"),
                std::fs::read(samples().join(name)).unwrap(),
            );
        }
        let run = self.run(&["ingest", "samples"]);
        assert_eq!(run.code, 0, "{run:?}");
    }
}

/// The sample documents of the repository.
pub fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}
