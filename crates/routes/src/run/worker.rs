//! The process that runs one capability, which may break without harm.
//!
//! The program is its own worker: its `main` begins with [`run_worker_if_asked`], and
//! [`super::process::WorkerCommand::this_program`] runs it again with the argument that asks for
//! it. What to run comes on standard input as one line; values go through folders
//! ([`super::exchange`]); the reply, written last, is one file.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use lahar_core::capability::{Strictness, VerdictStatus};
use lahar_core::{ContentHash, Quantity, Unit};
use lahar_hazards::error::HazardError;
use lahar_hazards::registry;
use serde::{Deserialize, Serialize};

use super::exchange;
use super::propagation::{self, Carried};
use super::staging::write_whole;

/// The argument that asks a program to be the worker.
pub const WORKER_ARGUMENT: &str = "__capability-worker";

/// The reply's file in the folder of a run.
pub const REPLY: &str = "reply.json";

/// What to run, the first line on the worker's standard input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The capability's name.
    pub capability: String,
    /// Folder with the values of its inputs.
    pub inputs: PathBuf,
    /// Folder, there and empty, for its outputs.
    pub outputs: PathBuf,
    /// Folder, there, for the reply.
    pub reply: PathBuf,
    /// Standard deviations of inputs, by port.
    #[serde(default)]
    pub deviations: BTreeMap<String, Written>,
    /// Most memory, in bytes.
    pub memory_bytes: u64,
    /// Most processor time, in seconds.
    pub cpu_seconds: u64,
}

/// A quantity as text that reads back as the same number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Written {
    /// The number.
    pub number: String,
    /// Its unit.
    pub unit: Unit,
}

impl Written {
    /// A quantity, written.
    pub fn of(quantity: &Quantity) -> Written {
        Written {
            number: quantity.value().to_string(),
            unit: quantity.unit().clone(),
        }
    }

    /// The quantity; `NaN` where the text is no number.
    pub fn quantity(&self) -> Quantity {
        Quantity::new(self.number.parse().unwrap_or(f64::NAN), self.unit.clone())
    }
}

/// What a run came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ending", rename_all = "snake_case")]
pub enum Reply {
    /// The capability gave results.
    Finished(Finished),
    /// It refused these inputs.
    Refused {
        /// Why, for people.
        message: String,
        /// Whether it lies outside what it holds for, and not only wrong in form.
        outside_validity: bool,
    },
    /// Its files could not be read or written.
    Files {
        /// Which and why.
        message: String,
    },
    /// A file did not fit into its memory.
    OutOfMemory,
}

/// The results of a run, beside the values in their folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    /// Version of the capability.
    pub version: String,
    /// Hash of the index of its outputs.
    pub outputs: ContentHash,
    /// What was found about each of the capability's own conditions.
    pub conditions: Vec<Judged>,
    /// What was found about the physical limits of each result.
    pub checks: Vec<Checked>,
    /// Cells of a grid without result, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cells_without_result: BTreeMap<String, usize>,
    /// Standard deviations of results, by port.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub deviations: BTreeMap<String, Written>,
    /// What should be known about the results, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One condition as the capability found it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// Its variable.
    pub variable: String,
    /// The condition in our words.
    pub reading: String,
    /// Whether it holds.
    pub status: VerdictStatus,
    /// The value that was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// Whether it stops a run.
    pub strictness: Strictness,
    /// What states it.
    pub citation: String,
}

/// Whether a result lies within what can be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// The output.
    pub port: String,
    /// What was asked.
    pub rule: String,
    /// Whether it holds.
    pub holds: bool,
}

/// Becomes the worker when the first argument asks for it, and then does not return. Call it early
/// in `main`, before anything is printed.
pub fn run_worker_if_asked() {
    if std::env::args_os()
        .nth(1)
        .is_some_and(|argument| argument == WORKER_ARGUMENT)
    {
        run_worker();
    }
}

/// Is the worker, and does not return.
pub fn run_worker() -> ! {
    let mut line = String::new();
    let request = std::io::stdin()
        .lock()
        .read_line(&mut line)
        .ok()
        .and_then(|_| serde_json::from_str::<Request>(&line).ok());
    let Some(request) = request else {
        std::process::exit(2)
    };
    limit(&request);
    let reply = work(&request);
    std::process::exit(if answer(&request.reply, &reply).is_ok() {
        0
    } else {
        1
    })
}

fn answer(folder: &Path, reply: &Reply) -> std::io::Result<()> {
    write_whole(&folder.join(REPLY), &serde_json::to_vec_pretty(reply)?)
}

fn work(request: &Request) -> Reply {
    let files = |error: exchange::ExchangeError| match error {
        exchange::ExchangeError::File { error, .. }
            if error.kind() == std::io::ErrorKind::OutOfMemory =>
        {
            Reply::OutOfMemory
        }
        error => Reply::Files {
            message: error.to_string(),
        },
    };
    let inputs = match exchange::read(&request.inputs) {
        Ok(inputs) => inputs,
        Err(error) => return files(error),
    };
    let refused = |error: HazardError| Reply::Refused {
        outside_validity: matches!(
            error,
            HazardError::OutsideValidity { .. } | HazardError::OutsideRange { .. }
        ),
        message: error.to_string(),
    };
    let registration = match registry::find(&request.capability) {
        Ok(registration) => registration,
        Err(error) => return refused(error),
    };
    let report = match registration.run(&inputs) {
        Ok(report) => report,
        Err(error) => return refused(error),
    };
    let deviations = request.deviations.iter();
    let deviations = deviations.map(|(port, written)| (port.clone(), written.quantity()));
    let deviations = deviations.collect();
    let carried = match propagation::carry(registration, &inputs, &deviations, &report.outputs) {
        Ok(carried) => carried,
        Err(error) => return refused(error),
    };
    drop(inputs);
    if let Err(error) = exchange::write(&request.outputs, &report.outputs) {
        return files(error);
    }
    let index = match std::fs::read(request.outputs.join(exchange::INDEX)) {
        Ok(index) => index,
        Err(error) => {
            return Reply::Files {
                message: error.to_string(),
            };
        }
    };
    let judged = |verdict: &lahar_core::capability::Verdict| Judged {
        variable: verdict.variable.clone(),
        reading: verdict.reading.clone(),
        status: verdict.status,
        found: verdict.found.clone(),
        strictness: verdict.strictness,
        citation: verdict.citation.clone(),
    };
    let checked = |check: &registry::run::OutputCheck| Checked {
        port: check.port.to_owned(),
        rule: check.rule.clone(),
        holds: check.holds,
    };
    Reply::Finished(Finished {
        version: report.version.to_owned(),
        outputs: ContentHash::of(&index),
        conditions: report.conditions.iter().map(judged).collect(),
        checks: report.checks.iter().map(checked).collect(),
        notes: notes(&report, &carried),
        cells_without_result: report.cells_without_result,
        deviations: carried
            .deviations
            .iter()
            .map(|(port, deviation)| (port.clone(), Written::of(deviation)))
            .collect(),
    })
}

/// What should be known about the results.
fn notes(report: &registry::Report, carried: &Carried) -> Vec<String> {
    let mut notes = Vec::new();
    for (reason, count) in &report.cells_without_result {
        notes.push(format!("{count} cells have no result: {reason}"));
    }
    for verdict in report.violated() {
        notes.push(format!(
            "does not hold here: {} ({})",
            verdict.reading, verdict.citation
        ));
    }
    for (port, shares) in &carried.words {
        let mut shares: Vec<(&String, &f64)> = shares.iter().collect();
        shares.sort_by(|a, b| b.1.total_cmp(a.1).then(a.0.cmp(b.0)));
        let shares = shares
            .iter()
            .map(|(word, share)| format!("{word} in {:.0} %", 100.0 * **share));
        notes.push(format!(
            "with the uncertainty of its inputs, `{port}` is {} of {} samples",
            shares.collect::<Vec<_>>().join(", "),
            carried.samples - carried.rejected
        ));
    }
    if carried.rejected > 0 {
        notes.push(format!(
            "{} of {} samples of uncertain inputs were beyond what can be and were left out",
            carried.rejected, carried.samples
        ));
    }
    if !carried.left_out.is_empty() {
        notes.push(format!(
            "the uncertainty of {} is not carried through grids",
            carried.left_out.join(", ")
        ));
    }
    notes
}

/// Limits this process. Where the system refuses, the parent's time limit still holds.
#[cfg(unix)]
fn limit(request: &Request) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let set = |resource, value| {
        let limit = Rlimit {
            current: Some(value),
            maximum: Some(value),
        };
        let _ = setrlimit(resource, limit);
    };
    // What can be written, not what is addressed: threads reserve address space by the core.
    set(Resource::Data, request.memory_bytes);
    set(Resource::Cpu, request.cpu_seconds);
    set(Resource::Core, 0);
}

#[cfg(not(unix))]
fn limit(_: &Request) {}
