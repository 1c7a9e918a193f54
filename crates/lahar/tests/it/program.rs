//! The built program, run in a folder of its own without any model.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A scratch folder in which the program runs. It finds no models, so that what it prints is the
/// same on every machine.
pub struct Desk {
    folder: tempfile::TempDir,
}

/// Runs a command at a desk, where nothing of the user's own is found: neither library, models,
/// places nor anything else that a home or the environment could hold.
pub trait AtDesk {
    fn at(&mut self, desk: &Desk) -> &mut Self;
}

impl AtDesk for Command {
    fn at(&mut self, desk: &Desk) -> &mut Command {
        for (name, _) in std::env::vars_os() {
            let name_text = name.to_string_lossy();
            if name_text.starts_with("LAHAR_") || name_text.starts_with("XDG_") {
                self.env_remove(name);
            }
        }
        self.current_dir(desk.path(""))
            .env("HOME", desk.path("no-home"))
            .env("LAHAR_MODELS", desk.path("no-models"))
            .env("LAHAR_PLACES", desk.path("own-places"))
    }
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
            .at(self)
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
