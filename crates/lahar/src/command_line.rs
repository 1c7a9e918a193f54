//! The command line: what can be typed, and which file answers it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use lahar_core::Decision;

use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::workplace::Workplace;

mod analyse;
mod ask;
mod bench;
mod cache;
mod capabilities;
mod doctor;
mod documents;
mod ingest;
mod maintenance;
mod models;
mod places;
mod quickstart;
mod replay;
mod routes;
mod search;

/// Answers about natural hazards that hold for the place and event asked about.
#[derive(Debug, Parser)]
#[command(
    name = "lahar",
    version,
    max_term_width = 100,
    arg_required_else_help = true
)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Args)]
struct Global {
    /// One JSON document on stdout, nothing else there.
    #[arg(long, global = true)]
    json: bool,
    /// The library file; `lahar.db` in this folder where none is named.
    #[arg(long, global = true, value_name = "PATH", env = "LAHAR_LIBRARY")]
    library: Option<PathBuf>,
    /// A configuration file (TOML).
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Exit with 3 after a warning and 4 after an abstention.
    #[arg(long, global = true)]
    strict: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Set up models, build a sample library, ask sample questions.
    Quickstart(quickstart::Quickstart),
    /// What is installed, in use and missing, and how to get it.
    Doctor,
    /// Add documents: files, folders or patterns.
    Ingest(ingest::Ingest),
    /// List the documents of the library.
    Documents,
    /// Print a document's stored text, or one page of it.
    Show(documents::Show),
    /// Take a document out of the library.
    Remove(documents::Remove),
    /// Verify the library.
    Check(maintenance::Check),
    /// Cut and embed every document anew, after a change of model or chunker.
    Reindex(maintenance::Reindex),
    /// Find passages, without answering.
    Search(search::Search),
    /// Ask a question.
    Ask(ask::Ask),
    /// Install, list and verify models.
    Models(models::Models),
    /// List, show and run scientific models.
    Capabilities(capabilities::Capabilities),
    /// Run a hazard task by a scientific method that holds for it, or say why none does.
    Analyse(analyse::Analyse),
    /// Run the task of a record again and compare.
    Replay(replay::Replay),
    /// Look up places and compare them.
    Places(places::Places),
    /// List, show and check the routes by which a task can be answered.
    Routes(routes::Routes),
    /// Measure against question sets.
    Bench(bench::Bench),
    /// The cache of chat models' replies.
    Cache(cache::Cache),
    /// A word that is no command here.
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

/// How documents are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ChunkerName {
    /// Windows of 200 tokens with 50 tokens of context on both sides.
    Fixed,
    /// The document's own paragraphs and tables.
    Paragraph,
    /// Not implemented yet.
    Proposition,
    /// Not implemented yet.
    Agentic,
}

impl ChunkerName {
    fn kind(self) -> Result<lahar_library::ChunkKind, Failure> {
        match self {
            ChunkerName::Fixed => Ok(lahar_library::ChunkKind::Fixed),
            ChunkerName::Paragraph => Ok(lahar_library::ChunkKind::Paragraph),
            ChunkerName::Proposition | ChunkerName::Agentic => Err(Failure::new(
                Kind::NotImplemented,
                "this chunker is not implemented yet",
            )
            .hint("use --chunker fixed or --chunker paragraph")),
        }
    }
}

/// What a command came to, beside what it printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Done {
    /// It did its work.
    Well,
    /// It did its work, and what it found is a failure by its contract (a broken library, every
    /// file refused).
    Badly,
    /// A question was decided.
    Decided(Decision),
}

/// Runs the program with the arguments of this process.
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    let output = Output {
        json: cli.global.json,
    };
    let strict = cli.global.strict;
    match execute(cli, output) {
        Ok(Done::Well) => ExitCode::SUCCESS,
        Ok(Done::Badly) => ExitCode::FAILURE,
        Ok(Done::Decided(decision)) => match (strict, decision) {
            (true, Decision::Warn) => ExitCode::from(3),
            (true, Decision::Abstain) => ExitCode::from(4),
            _ => ExitCode::SUCCESS,
        },
        Err(failure) => {
            output.failure(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

/// Help and version go where clap sends them; wrong usage exits with 2, and programs that asked
/// for JSON get it as JSON too.
fn usage(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    if !error.use_stderr() {
        return ExitCode::SUCCESS;
    }
    if std::env::args_os().any(|argument| argument == "--json") {
        let message = error.to_string();
        let first = message
            .lines()
            .next()
            .unwrap_or_default()
            .trim_start_matches("error: ");
        let failure = Failure::new(Kind::Usage, first).hint("lahar --help");
        Output { json: true }.result(&serde_json::json!({ "error": failure }), String::new);
    }
    ExitCode::from(2)
}

fn execute(cli: Cli, output: Output) -> Result<Done, Failure> {
    let library = cli.global.library.unwrap_or_else(|| match cli.command {
        Command::Quickstart(_) => quickstart::default_library(),
        _ => PathBuf::from("lahar.db"),
    });
    let workplace = Workplace::new(library, cli.global.config.as_deref())?;
    match cli.command {
        Command::Quickstart(command) => command.run(&workplace, output),
        Command::Doctor => doctor::run(&workplace, output),
        Command::Ingest(command) => command.run(&workplace, output),
        Command::Documents => documents::list(&workplace, output),
        Command::Show(command) => command.run(&workplace, output),
        Command::Remove(command) => command.run(&workplace, output),
        Command::Check(command) => command.run(&workplace, output),
        Command::Reindex(command) => command.run(&workplace, output),
        Command::Search(command) => command.run(&workplace, output),
        Command::Ask(command) => command.run(&workplace, output),
        Command::Models(command) => command.run(&workplace, output),
        Command::Capabilities(command) => command.run(output),
        Command::Analyse(command) => command.run(&workplace, output),
        Command::Replay(command) => command.run(output),
        Command::Places(command) => command.run(&workplace, output),
        Command::Routes(command) => command.run(&workplace, output),
        Command::Bench(command) => command.run(&workplace, output),
        Command::Cache(command) => command.run(output),
        Command::Other(words) => Err(not_a_command(&words)),
    }
}

fn not_a_command(words: &[OsString]) -> Failure {
    let word = words
        .first()
        .map(|word| word.to_string_lossy())
        .unwrap_or_default();
    Failure::new(Kind::Usage, format!("there is no command `{word}`"))
        .hint("`lahar --help` lists the commands")
}
