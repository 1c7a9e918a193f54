//! From a task to its folder: read, decide, run, keep; and the same again from a record.

use std::path::Path;
use std::sync::Arc;

use lahar_core::Timestamp;

use super::analysis::{Analysis, Kept, SETTINGS, Settings, TASK};
use super::artifact::KeepError;
use super::local::{LocalExecutor, now};
use super::quotes;
use super::record::{METADATA, RecordError, StoredRecord, without_run_fields};
use super::staging::{StagedFolder, StagingError};
use crate::agent::{Agent, Policy};
use crate::card::Card;
use crate::compile::supplement::{Supplement, laid_over};
use crate::error::RoutesError;
use crate::evidence::QuoteBook;
use crate::graph::Registry;
use crate::task::{ReadOptions, Task};
use crate::trajectory::Trajectory;

/// Why an analysis could not be carried out or kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// The task, or what it leads to.
    #[error(transparent)]
    Routes(#[from] RoutesError),
    /// Its folder.
    #[error(transparent)]
    Keep(#[from] KeepError),
    /// The place of its folder.
    #[error(transparent)]
    Staging(#[from] StagingError),
    /// The record that is run again.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The record was made in a way that cannot be done again here.
    #[error("{record} cannot be run again: {why}")]
    NotAgain {
        /// The record.
        record: String,
        /// Why.
        why: String,
    },
}

/// A task as text, with where its files lie.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// The file, or what stands for it in messages.
    pub file: &'a str,
    /// The text.
    pub text: &'a str,
    /// Folder of its files.
    pub folder: Option<&'a Path>,
    /// Whether they may lie elsewhere.
    pub allow_outside: bool,
}

impl Written<'_> {
    /// Reads the task.
    pub fn task(&self) -> Result<Task, RoutesError> {
        let options = ReadOptions {
            allow_outside: self.allow_outside,
        };
        Task::parse(self.file, self.text, self.folder, &options)
    }
}

/// Who carries an analysis out, and with what.
pub struct Means<'a> {
    /// Route cards.
    pub cards: &'a [Card],
    /// Compiled conditions; those that people have accepted join the cards.
    pub supplements: &'a [Supplement],
    /// Capabilities.
    pub registry: &'a Registry,
    /// Sentences of the library.
    pub quotes: QuoteBook,
    /// How a route is chosen.
    pub policy: Policy<'a>,
    /// Where capabilities run.
    pub executor: &'a mut LocalExecutor,
    /// Version of the program.
    pub version: &'a str,
    /// Name of the machine.
    pub host: &'a str,
}

/// An analysis with what was kept of it.
#[derive(Debug, Clone, PartialEq)]
pub struct CarriedOut {
    /// The task.
    pub task: Arc<Task>,
    /// What was done.
    pub trajectory: Trajectory,
    /// Files and report.
    pub kept: Kept,
}

/// Carries a task out and fills a folder, the record last. The folder still has to be placed.
pub fn carry_out(
    written: &Written<'_>,
    means: Means<'_>,
    folder: &StagedFolder,
) -> Result<CarriedOut, AnalysisError> {
    let started = now();
    let task = Arc::new(written.task()?);
    let cards = &laid_over(means.cards, means.supplements)?;
    let settings = Settings {
        policy: means.policy.name(),
        quotes: quotes::keep(&means.quotes, cards),
        supplements: means.supplements.iter().map(Supplement::written).collect(),
    };
    let agent = Agent::with_quotes(means.quotes);
    let trajectory = agent.run(
        Arc::clone(&task),
        cards,
        means.registry,
        means.executor,
        means.policy,
    )?;
    let analysis = Analysis {
        task: &task,
        text: written.text,
        settings: &settings,
        trajectory: &trajectory,
        cards,
        ran: means.executor.ran(),
        version: means.version,
        host: means.host,
        started,
        ended: now(),
    };
    let kept = analysis.keep(folder)?;
    Ok(CarriedOut {
        task,
        trajectory,
        kept,
    })
}

/// How a second run compares with a record.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Comparison {
    /// Files whose bytes are the same.
    pub equal: Vec<String>,
    /// Files whose bytes differ, or that only one of the two has.
    pub different: Vec<String>,
    /// Whether the record is the same once the fields of time and host are out.
    pub record_equal: bool,
    /// Version of the program that made the record, where it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_by: Option<String>,
}

impl Comparison {
    /// Whether both runs are the same.
    pub fn is_equal(&self) -> bool {
        self.different.is_empty() && self.record_equal
    }
}

/// Runs the task of a record again into a folder, and compares. The sentences of the library are
/// those that the record holds.
pub fn replay(
    record: &StoredRecord,
    cards: &[Card],
    registry: &Registry,
    executor: &mut LocalExecutor,
    version: &str,
    again: &StagedFolder,
) -> Result<Comparison, AnalysisError> {
    let name = record.folder.display().to_string();
    let not_again = |why: String| AnalysisError::NotAgain {
        record: name.clone(),
        why,
    };
    let read = |file: &str| {
        let path = record.folder.join(file);
        std::fs::read_to_string(path).map_err(|error| not_again(format!("{file}: {error}")))
    };
    let settings: Settings = serde_json::from_str(&read(SETTINGS)?)
        .map_err(|error| not_again(format!("{SETTINGS}: {error}")))?;
    if settings.policy != Policy::Rules.name() {
        return Err(not_again(format!(
            "its routes were chosen by `{}`, which need not choose the same again",
            settings.policy
        )));
    }
    let supplements = settings
        .supplements
        .iter()
        .map(|text| Supplement::parse(SETTINGS, text))
        .collect::<Result<Vec<Supplement>, RoutesError>>()?;
    let text = read(TASK)?;
    let file = record.folder.join(TASK).display().to_string();
    let written = Written {
        file: &file,
        text: &text,
        folder: Some(&record.folder),
        allow_outside: false,
    };
    let means = Means {
        cards,
        supplements: &supplements,
        registry,
        quotes: quotes::book(&settings.quotes, &laid_over(cards, &supplements)?),
        policy: Policy::Rules,
        executor,
        version,
        host: "",
    };
    carry_out(&written, means, again)?;
    compare(record, again.path(), version)
}

fn compare(
    record: &StoredRecord,
    again: &Path,
    version: &str,
) -> Result<Comparison, AnalysisError> {
    let second = StoredRecord::open(again)?;
    let mut comparison = Comparison {
        equal: Vec::new(),
        different: Vec::new(),
        record_equal: without_run_fields(&record.metadata) == without_run_fields(&second.metadata),
        made_by: None,
    };
    let bytes = |folder: &Path, name: &str| std::fs::read(folder.join(name)).ok();
    for (name, _) in &record.files {
        let (first, second) = (bytes(&record.folder, name), bytes(again, name));
        match first.is_some() && first == second {
            true => comparison.equal.push(name.clone()),
            false => comparison.different.push(name.clone()),
        }
    }
    for (name, _) in &second.files {
        if !record.files.iter().any(|(known, _)| known == name) {
            comparison.different.push(name.clone());
        }
    }
    let made_by = record
        .entity("urn:lahar:program")
        .map(|program| &program["softwareVersion"]);
    let made_by = made_by.and_then(serde_json::Value::as_str);
    comparison.made_by = made_by.filter(|made| *made != version).map(str::to_owned);
    Ok(comparison)
}

/// Whether a folder may be replaced by a run: it holds one, whole or not.
pub fn is_run(folder: &Path) -> bool {
    StoredRecord::is_one(folder) || folder.join(METADATA).is_file()
}

/// The present, to the second.
pub fn present() -> Timestamp {
    now()
}
