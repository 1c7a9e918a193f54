//! The executor of one machine: each capability in a worker process, within the time that is left.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use lahar_core::Timestamp;
use lahar_core::capability::Value;
use lahar_hazards::registry;

use super::process::{self, Ending, RunFailure, RunLimits, WorkerCommand};
use crate::executor::{Execution, Executor, Invocation};
use crate::state::{Failure, State};
use crate::task::Observation;

/// One run of a capability, as it went.
#[derive(Debug, Clone, PartialEq)]
pub struct Ran {
    /// The capability.
    pub capability: String,
    /// When it began.
    pub started: Timestamp,
    /// When it ended.
    pub ended: Timestamp,
    /// Seconds on the clock.
    pub seconds: f64,
    /// Why it failed, where it did.
    pub failure: Option<String>,
}

/// Who is told which capability begins, and about how long it will take.
type Watch = Box<dyn FnMut(&str, Duration)>;

/// Runs capabilities in worker processes of this machine.
pub struct LocalExecutor {
    command: WorkerCommand,
    limits: RunLimits,
    scratch: Scratch,
    ran: Vec<Ran>,
    watch: Watch,
}

impl std::fmt::Debug for LocalExecutor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalExecutor")
            .field("command", &self.command)
            .field("limits", &self.limits)
            .field("ran", &self.ran)
            .finish_non_exhaustive()
    }
}

impl LocalExecutor {
    /// An executor that starts workers by this command, each run within these limits.
    pub fn new(command: WorkerCommand, limits: RunLimits) -> std::io::Result<LocalExecutor> {
        Ok(LocalExecutor {
            command,
            limits,
            scratch: Scratch::new()?,
            ran: Vec::new(),
            watch: Box::new(|_, _| {}),
        })
    }

    /// Tells somebody which capability begins, and about how long it will take.
    pub fn watched_by(mut self, watch: impl FnMut(&str, Duration) + 'static) -> LocalExecutor {
        self.watch = Box::new(watch);
        self
    }

    /// What has run so far.
    pub fn ran(&self) -> &[Ran] {
        &self.ran
    }

    fn run(&mut self, invocation: &Invocation<'_>) -> Result<Execution, Failure> {
        let left = Duration::try_from_secs_f64(invocation.left.seconds).unwrap_or(self.limits.time);
        let limits = RunLimits {
            time: self.limits.time.min(left).max(Duration::from_millis(1)),
            ..self.limits
        };
        let outside = |error: &dyn std::fmt::Display| Failure::Error {
            why: error.to_string(),
        };
        let folder = self.scratch.next().map_err(|error| outside(&error))?;
        let inputs = inputs(invocation);
        let began = Instant::now();
        let ending = process::run(
            &self.command,
            invocation.capability,
            &inputs,
            &invocation.deviations,
            limits,
            &folder,
        );
        let _ = std::fs::remove_dir_all(&folder);
        match ending.map_err(|error| outside(&error))? {
            Ending::Failed(failure) => Err(as_failure(failure, limits)),
            Ending::Finished { outputs, finished } => Ok(Execution {
                outputs: outputs
                    .into_iter()
                    .map(|(port, value)| (port, Arc::new(value)))
                    .collect(),
                deviations: finished
                    .deviations
                    .iter()
                    .map(|(port, written)| (port.clone(), written.quantity()))
                    .collect(),
                version: finished.version,
                seconds: began.elapsed().as_secs_f64(),
                notes: finished.notes,
            }),
        }
    }
}

/// About how long a run takes, by the registered cost of one cell and the cells of its largest grid.
fn expected(invocation: &Invocation<'_>) -> Duration {
    let cells = invocation
        .inputs
        .values()
        .map(|value| match value.as_ref() {
            Value::Layer(layer) => layer.grid.values().len(),
            _ => 1,
        });
    let cells = cells.max().unwrap_or(1) as f64;
    let cost = registry::find(invocation.capability).map(|found| found.capability.cost);
    let seconds = cost.map_or(0.0, |cost| 1e-9 * cost.nanoseconds * cells);
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

/// Values of ports, and what the capability's own conditions want to know of the case.
fn inputs(invocation: &Invocation<'_>) -> BTreeMap<String, Value> {
    let mut inputs: BTreeMap<String, Value> = invocation
        .inputs
        .iter()
        .map(|(port, value)| (port.clone(), value.as_ref().clone()))
        .collect();
    let Ok(registration) = registry::find(invocation.capability) else {
        return inputs;
    };
    let asked: BTreeSet<&str> = registration
        .capability
        .conditions
        .iter()
        .map(|condition| condition.variable)
        .collect();
    for (variable, value) in &invocation.context {
        if asked.contains(variable.as_str()) && !inputs.contains_key(variable) {
            inputs.insert(variable.clone(), value.as_ref().clone());
        }
    }
    inputs
}

fn as_failure(failure: RunFailure, limits: RunLimits) -> Failure {
    let why = failure.to_string();
    match failure {
        RunFailure::TimeLimit { .. } => Failure::TimeLimit {
            seconds: limits.time.as_secs_f64(),
        },
        RunFailure::MemoryLimit { .. } => Failure::MemoryLimit {
            bytes: limits.memory_bytes,
        },
        RunFailure::Crashed { .. } => Failure::Crash { why },
        RunFailure::PostCondition { .. } => Failure::PostCondition { why },
        _ => Failure::Error { why },
    }
}

pub(super) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    Timestamp::from_unix(since.map_or(0, |since| since.as_secs() as i64))
}

impl Executor for LocalExecutor {
    fn execute(&mut self, invocation: &Invocation<'_>) -> Result<Execution, Failure> {
        (self.watch)(invocation.capability, expected(invocation));
        let (started, began) = (now(), Instant::now());
        let result = self.run(invocation);
        self.ran.push(Ran {
            capability: invocation.capability.to_owned(),
            started,
            ended: now(),
            seconds: began.elapsed().as_secs_f64(),
            failure: result.as_ref().err().map(ToString::to_string),
        });
        result
    }

    /// What the task itself says will come when it is asked for.
    fn obtain(&mut self, variable: &str, state: &State) -> Option<Observation> {
        let obtainable = state.task().obtainable.iter();
        let mut fitting = obtainable.filter(|obtainable| obtainable.variable == variable);
        fitting.find_map(|obtainable| obtainable.observation.clone())
    }
}

/// A folder for files that workers read and write, gone when it is dropped.
struct Scratch {
    folder: PathBuf,
    count: usize,
}

impl Scratch {
    fn new() -> std::io::Result<Scratch> {
        let base = std::env::temp_dir();
        // The names that others may have taken.
        for attempt in 0..1000 {
            let folder = base.join(format!("lahar-run-{}-{attempt}", std::process::id()));
            match make_private(&folder) {
                Ok(()) => return Ok(Scratch { folder, count: 0 }),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(std::io::Error::other(format!(
            "{} is full of folders of earlier runs; remove lahar-run-*",
            base.display()
        )))
    }

    fn next(&mut self) -> std::io::Result<PathBuf> {
        self.count += 1;
        let folder = self.folder.join(self.count.to_string());
        std::fs::create_dir(&folder)?;
        Ok(folder)
    }
}

#[cfg(unix)]
fn make_private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make_private(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir(folder)
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
