//! Starting the process that runs one capability, with limits, and how it ended.
//!
//! Whatever happens to that process is a value here: results, a refusal, a limit, a crash, a result
//! that cannot be. Only what lies outside it (no program, no folder) is an error.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use lahar_core::capability::Value;
use lahar_core::{ContentHash, Quantity};
use serde::{Deserialize, Serialize};

use super::exchange::{self, ExchangeError};
use super::worker::{self, Finished, Reply, Request, Written};

/// How to start a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments; they must make it call [`worker::run_worker`].
    pub args: Vec<String>,
}

impl WorkerCommand {
    /// The running program with the argument that [`worker::run_worker_if_asked`] looks for. Only
    /// for programs whose `main` begins with that call.
    pub fn this_program() -> std::io::Result<WorkerCommand> {
        Ok(WorkerCommand {
            program: std::env::current_exe()?,
            args: vec![worker::WORKER_ARGUMENT.to_owned()],
        })
    }
}

/// What one run may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunLimits {
    /// Time on the clock.
    pub time: Duration,
    /// Memory, in bytes.
    pub memory_bytes: u64,
}

impl Default for RunLimits {
    /// Ten minutes and four gibibytes.
    fn default() -> RunLimits {
        RunLimits {
            time: Duration::from_secs(600),
            memory_bytes: 4 << 30,
        }
    }
}

/// Why no run could be tried at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProcessError {
    /// The worker cannot be started.
    #[error("{} cannot be run: {error}", program.display())]
    Worker {
        /// The program.
        program: PathBuf,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
    /// The files for it cannot be written.
    #[error(transparent)]
    Exchange(#[from] ExchangeError),
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// It gave results, and all of them can be.
    Finished {
        /// The results by port.
        outputs: BTreeMap<String, Value>,
        /// What the capability found about them.
        finished: Finished,
    },
    /// It did not.
    Failed(RunFailure),
}

/// Why a run gave nothing that can be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "failure", rename_all = "snake_case")]
#[non_exhaustive]
pub enum RunFailure {
    /// The capability refused its inputs.
    #[error("{message}")]
    Refused {
        /// Why.
        message: String,
        /// Whether they lie outside what it holds for.
        outside_validity: bool,
    },
    /// A result lies outside what can be.
    #[error("a result cannot be: `{port}` is not {rule}")]
    PostCondition {
        /// The output.
        port: String,
        /// What was asked of it.
        rule: String,
    },
    /// It took longer than it may.
    #[error("it took longer than {seconds} s, and was stopped")]
    TimeLimit {
        /// Seconds it may take.
        seconds: u64,
    },
    /// It wanted more memory than it may have.
    #[error("it wanted more than {megabytes} MB of memory")]
    MemoryLimit {
        /// Megabytes it may have.
        megabytes: u64,
    },
    /// Its process died.
    #[error("its process {how}")]
    Crashed {
        /// How, in words that follow "its process".
        how: String,
    },
    /// Its files could not be read or written.
    #[error("its files could not be handed over: {message}")]
    Files {
        /// Which and why.
        message: String,
    },
}

/// Runs a capability in a process of its own. `folder` must be there; what the run needs is put
/// into it.
pub fn run(
    command: &WorkerCommand,
    capability: &str,
    inputs: &BTreeMap<String, Value>,
    deviations: &BTreeMap<String, Quantity>,
    limits: RunLimits,
    folder: &Path,
) -> Result<Ending, ProcessError> {
    let part = |name: &str| -> Result<PathBuf, ProcessError> {
        let path = folder.join(name);
        match std::fs::create_dir(&path) {
            Ok(()) => Ok(path),
            Err(error) => Err(ExchangeError::File { path, error }.into()),
        }
    };
    let request = Request {
        capability: capability.to_owned(),
        inputs: part("inputs")?,
        outputs: part("outputs")?,
        reply: folder.to_owned(),
        deviations: deviations
            .iter()
            .map(|(port, deviation)| (port.clone(), Written::of(deviation)))
            .collect(),
        memory_bytes: limits.memory_bytes,
        // Several threads use up processor time faster than the clock runs.
        cpu_seconds: limits.time.as_secs().saturating_mul(64).max(1),
    };
    exchange::write(&request.inputs, inputs)?;
    let failed = |failure| Ok(Ending::Failed(failure));
    if let Some(failure) = supervise(command, &request, limits)? {
        return failed(failure);
    }
    let bytes = match std::fs::read(folder.join(worker::REPLY)) {
        Ok(bytes) => bytes,
        Err(_) => {
            return failed(RunFailure::Crashed {
                how: "ended without a reply".to_owned(),
            });
        }
    };
    let unreadable = |message: String| RunFailure::Files { message };
    let reply = match serde_json::from_slice::<Reply>(&bytes) {
        Ok(reply) => reply,
        Err(error) => return failed(unreadable(format!("its reply: {error}"))),
    };
    match reply {
        Reply::Refused {
            message,
            outside_validity,
        } => failed(RunFailure::Refused {
            message,
            outside_validity,
        }),
        Reply::Files { message } => failed(unreadable(message)),
        Reply::OutOfMemory => failed(RunFailure::MemoryLimit {
            megabytes: limits.memory_bytes >> 20,
        }),
        Reply::Finished(finished) => match outputs(&request.outputs, &finished) {
            Ok(outputs) => Ok(Ending::Finished { outputs, finished }),
            Err(failure) => failed(failure),
        },
    }
}

fn outputs(folder: &Path, finished: &Finished) -> Result<BTreeMap<String, Value>, RunFailure> {
    if let Some(check) = finished.checks.iter().find(|check| !check.holds) {
        return Err(RunFailure::PostCondition {
            port: check.port.clone(),
            rule: check.rule.clone(),
        });
    }
    let unreadable = |message: String| RunFailure::Files { message };
    let index = std::fs::read(folder.join(exchange::INDEX));
    let index = index.map_err(|error| unreadable(error.to_string()))?;
    if ContentHash::of(&index) != finished.outputs {
        return Err(unreadable(
            "the index of its results was changed".to_owned(),
        ));
    }
    exchange::read(folder).map_err(|error| unreadable(error.to_string()))
}

/// Ends the process when its handler leaves, whichever way.
struct Guard(Child);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Most of what a worker says on standard error that is kept.
const MOST_WORDS: u64 = 1 << 16;

/// Runs the worker to its end; nothing when it ended well.
fn supervise(
    command: &WorkerCommand,
    request: &Request,
    limits: RunLimits,
) -> Result<Option<RunFailure>, ProcessError> {
    let cannot_run = |error: std::io::Error| ProcessError::Worker {
        program: command.program.clone(),
        error,
    };
    let deadline = Instant::now() + limits.time;
    let child = Command::new(&command.program)
        .args(&command.args)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(cannot_run)?;
    let mut child = Guard(child);
    if let Some(mut input) = child.0.stdin.take() {
        let line = serde_json::to_string(request).map_err(|error| cannot_run(error.into()))?;
        // A worker that dies early closes its input; how it ended tells why.
        let _ = writeln!(input, "{line}");
    }
    let errors = child.0.stderr.take();
    let words = std::thread::spawn(move || {
        let mut said = Vec::new();
        if let Some(mut errors) = errors {
            let _ = errors.by_ref().take(MOST_WORDS).read_to_end(&mut said);
            let _ = std::io::copy(&mut errors, &mut std::io::sink());
        }
        String::from_utf8_lossy(&said).into_owned()
    });
    let status = wait(&mut child.0, deadline);
    let _ = child.0.kill();
    let _ = child.0.wait();
    let Some(status) = status else {
        return Ok(Some(RunFailure::TimeLimit {
            seconds: limits.time.as_secs(),
        }));
    };
    // A grandchild could hold the pipe open; the words of a worker that ended well are not needed.
    if status.success() {
        return Ok(None);
    }
    Ok(Some(failure(
        status,
        &words.join().unwrap_or_default(),
        limits,
    )))
}

/// Waits for the end of a process, at first often and then less so; nothing at the deadline.
fn wait(child: &mut Child, deadline: Instant) -> Option<ExitStatus> {
    let mut pause = Duration::from_micros(200);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Err(_) => return None,
            Ok(None) if Instant::now() >= deadline => return None,
            Ok(None) => std::thread::sleep(pause),
        }
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

fn failure(status: ExitStatus, said: &str, limits: RunLimits) -> RunFailure {
    let memory = [
        "memory allocation of",
        "capacity overflow",
        "Cannot allocate memory",
    ];
    if memory.iter().any(|words| said.contains(words)) {
        return RunFailure::MemoryLimit {
            megabytes: limits.memory_bytes >> 20,
        };
    }
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        let how = match signal {
            9 => "was killed (signal 9), perhaps for lack of memory on this machine".to_owned(),
            24 => "used up its processor time (signal 24)".to_owned(),
            _ => format!("crashed (signal {signal})"),
        };
        return RunFailure::Crashed { how };
    }
    let mut how = match status.code() {
        Some(code) => format!("ended early with exit code {code}"),
        None => "ended early".to_owned(),
    };
    let last = said.lines().map(str::trim).rfind(|line| !line.is_empty());
    if let Some(line) = last {
        how.push_str(": ");
        how.extend(line.chars().filter(|c| !c.is_control()).take(200));
    }
    RunFailure::Crashed { how }
}
