//! `lahar analyse`: from a task, or from a sentence, to an artifact by an eligible route, or to an
//! abstention with its proof.

mod order;
mod shown;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use lahar_core::{Decision, Timestamp};
use lahar_models::chat::Client;
use lahar_routes::agent::Policy;
use lahar_routes::card::shipped;
use lahar_routes::compile::supplement::{Supplement, laid_over};
use lahar_routes::evidence::QuoteBook;
use lahar_routes::graph::Registry;
use lahar_routes::run::carry_out::{self, AnalysisError, CarriedOut, Means, Written};
use lahar_routes::run::local::LocalExecutor;
use lahar_routes::run::process::{RunLimits, WorkerCommand};
use lahar_routes::run::staging::{StagedFolder, StagingError};

use super::Done;
use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::workplace::Workplace;

/// How a route is chosen among those that are eligible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PolicyName {
    /// By documented rules: margin, evidence, expected error, resolution, cost.
    Rules,
    /// By a chat model, from the same set.
    Chat,
}

/// Run a hazard task by a scientific method that holds for it, or say why none does.
///
/// A task is a TOML file. A sentence is turned into one: its place, named event and hazards are
/// read, and what is missing is listed as questions. Answer them with --observation.
#[derive(Debug, Args)]
pub(super) struct Analyse {
    /// A task (`TASK.toml`), or a sentence.
    #[arg(value_name = "TASK|SENTENCE")]
    task: String,
    /// How a route is chosen.
    #[arg(long, value_enum, default_value = "rules")]
    policy: PolicyName,
    /// Steps that may be taken.
    #[arg(long, value_name = "STEPS")]
    budget: Option<u64>,
    /// Folder for artifacts, report and record; `lahar-runs/NAME` where none is given.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace the folder where it holds another run.
    #[arg(long)]
    force: bool,
    /// Let the task name files outside its folder.
    #[arg(long)]
    allow_outside: bool,
    /// A file of compiled conditions; those that somebody has accepted count.
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// Something that is known: `relief="800 m"`. It counts as assumed.
    #[arg(long = "observation", value_name = "VARIABLE=VALUE")]
    observations: Vec<String>,
    /// A TOML file with [[observation]] tables and whatever else the task lacks.
    #[arg(long = "task", value_name = "FILE")]
    more: Option<PathBuf>,
    /// The decision time of a sentence, such as 2018-01-08T00:00:00Z.
    #[arg(long, value_name = "TIME")]
    decision_time: Option<Timestamp>,
}

impl Analyse {
    pub(super) fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        let chat = match self.policy {
            PolicyName::Rules => None,
            PolicyName::Chat => Some(workplace.chat()?),
        };
        let order = order::of(&self)?;
        let Some(text) = &order.text else {
            // Not enough was said: what to find out is the answer.
            output.result(&shown::unread(&order), || shown::unread_for_people(&order));
            return Ok(Done::Decided(Decision::Abstain));
        };
        let written = Written {
            file: &order.file,
            text,
            folder: order.folder.as_deref(),
            allow_outside: self.allow_outside,
        };
        // A task that cannot be read is refused before anything is made.
        let task = written.task()?;
        let out = match &self.out {
            Some(out) => out.clone(),
            None => free_folder(&lahar_routes::run::record::slug(&task.id)),
        };
        let staged = StagedFolder::begin(&out, self.force, carry_out::is_run)?;
        let supplements = super::routes::compile::supplements(&self.with)?;
        let quotes = quotes(workplace, output, &supplements)?;
        let carried = carry(
            &written,
            quotes,
            &supplements,
            policy(&chat),
            &staged,
            output,
        )?;
        let folder = staged.place()?;
        let value = shown::result(&order, &carried, &folder)?;
        output.result(&value, || shown::for_people(&order, &carried, &folder));
        Ok(Done::Decided(match carried.trajectory.answer() {
            Some(_) => Decision::Answer,
            None => Decision::Abstain,
        }))
    }
}

fn policy(chat: &Option<Client>) -> Policy<'_> {
    chat.as_ref()
        .map_or(Policy::Rules, |model| Policy::Chat(model))
}

/// Carries a task out on this machine.
pub(super) fn carry(
    written: &Written<'_>,
    quotes: QuoteBook,
    supplements: &[Supplement],
    policy: Policy<'_>,
    staged: &StagedFolder,
    output: Output,
) -> Result<CarriedOut, Failure> {
    let mut executor = executor(output)?;
    let means = Means {
        cards: shipped::all()?,
        supplements,
        registry: Registry::standard(),
        quotes,
        policy,
        executor: &mut executor,
        version: env!("CARGO_PKG_VERSION"),
        host: &host(),
    };
    Ok(carry_out::carry_out(written, means, staged)?)
}

/// The executor of this machine, which shows on a terminal what runs and how long it will take.
pub(super) fn executor(output: Output) -> Result<LocalExecutor, Failure> {
    let command = WorkerCommand::this_program().map_err(|error| {
        Failure::new(
            Kind::File,
            format!("this program cannot find itself: {error}"),
        )
    })?;
    let executor = LocalExecutor::new(command, RunLimits::default()).map_err(|error| {
        Failure::new(Kind::File, format!("no scratch folder: {error}"))
            .at(std::env::temp_dir().display())
            .hint("free some space, or set TMPDIR to a folder that can be written")
    })?;
    let bar = output.work("deciding");
    let mut count = 0;
    Ok(executor.watched_by(move |capability, expected| {
        count += 1;
        let left = match expected.as_secs() {
            0 => String::new(),
            seconds => format!(", about {seconds} s left"),
        };
        bar.set_message(format!("run {count}: {capability}{left}"));
    }))
}

/// Name of this machine, for the record.
fn host() -> String {
    let named = std::fs::read_to_string("/proc/sys/kernel/hostname");
    let named = named.ok().or_else(|| std::env::var("HOSTNAME").ok());
    named.map_or_else(|| "unknown".to_owned(), |name| name.trim().to_owned())
}

/// A folder that is not there yet.
fn free_folder(name: &str) -> PathBuf {
    let base = Path::new("lahar-runs");
    let first = base.join(name);
    if first.symlink_metadata().is_err() {
        return first;
    }
    let mut count = 2;
    loop {
        let next = base.join(format!("{name}-{count}"));
        if next.symlink_metadata().is_err() {
            return next;
        }
        count += 1;
    }
}

/// The sentences of the user's library that state conditions; none where there is no library.
pub(super) fn quotes(
    workplace: &Workplace,
    output: Output,
    supplements: &[Supplement],
) -> Result<QuoteBook, Failure> {
    if !workplace.library.exists() {
        output.note(&format!(
            "note: there is no library at {}, so conditions are cited and not quoted",
            workplace.library.display()
        ));
    }
    super::routes::quotes(workplace, &laid_over(shipped::all()?, supplements)?)
}

impl From<AnalysisError> for Failure {
    fn from(error: AnalysisError) -> Failure {
        match error {
            AnalysisError::Routes(error) => error.into(),
            AnalysisError::Staging(error) => error.into(),
            other => Failure::new(Kind::File, other.to_string()),
        }
    }
}

impl From<StagingError> for Failure {
    fn from(error: StagingError) -> Failure {
        let kind = match error {
            StagingError::Exists(_) | StagingError::NotARun(_) => Kind::Usage,
            _ => Kind::File,
        };
        Failure::new(kind, error.to_string())
    }
}

impl From<lahar_routes::RoutesError> for Failure {
    fn from(error: lahar_routes::RoutesError) -> Failure {
        Failure::new(Kind::Task, error.to_string())
    }
}
