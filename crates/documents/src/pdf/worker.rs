//! Reads PDF files in a process of its own, which a bad file may break without harm.
//!
//! The program is its own worker: its `main` begins with [`run_worker_if_asked`], and
//! [`WorkerCommand::this_program`] runs it again with the argument that asks for it. The file
//! goes in on standard input behind one line of settings; pages come out on standard output, one
//! line of JSON each. A worker that dies or stalls on a page is started again behind that page.

mod child;

use std::io::{BufRead, Read, Write};
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::engine::{PdfEngine, PdfPage, PdfPages};
use super::extract::{self, Piece};
use crate::error::ReadError;
use crate::read::Limits;

/// The argument that asks a program to be the worker.
pub const WORKER_ARGUMENT: &str = "__pdf-worker";

/// Begins each line that the worker means; libraries below it print on their own.
const MARK: &str = "\u{1e}lahar ";

/// Stack of the thread that reads: pages nest their forms deeply at times.
const STACK_BYTES: usize = 64 << 20;

/// How to start a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments; they must make it call [`run_worker_if_asked`].
    pub args: Vec<String>,
}

impl WorkerCommand {
    /// The running program with the argument that [`run_worker_if_asked`] looks for. Only for
    /// programs whose `main` begins with that call.
    pub fn this_program() -> std::io::Result<WorkerCommand> {
        Ok(WorkerCommand {
            program: std::env::current_exe()?,
            args: vec![WORKER_ARGUMENT.to_owned()],
        })
    }
}

/// Settings, the first line on the worker's standard input.
#[derive(Debug, Serialize, Deserialize)]
struct Settings {
    password: Option<String>,
    first_page: u32,
    memory_bytes: u64,
    cpu_seconds: u64,
}

/// What the worker says, one line each.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Message {
    Start {
        pages: u32,
        title: Option<String>,
        warnings: Vec<String>,
    },
    Page(PdfPage),
    NeedsPassword {
        tried: bool,
    },
    Broken {
        reason: String,
    },
    End,
}

/// Becomes the PDF worker when the first argument asks for it, and then does not return. Call it
/// first in `main`, before anything is printed.
pub fn run_worker_if_asked() {
    if std::env::args_os()
        .nth(1)
        .is_some_and(|argument| argument == WORKER_ARGUMENT)
    {
        run_worker();
    }
}

/// Is the PDF worker, and does not return.
pub fn run_worker() -> ! {
    std::panic::set_hook(Box::new(|_| {}));
    let reader = std::thread::Builder::new()
        .name("pdf".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(|| work().is_ok());
    let done = reader.is_ok_and(|reader| reader.join().unwrap_or(false));
    std::process::exit(if done { 0 } else { 1 })
}

fn work() -> std::io::Result<()> {
    let mut input = std::io::stdin().lock();
    let mut line = String::new();
    input.read_line(&mut line)?;
    let settings: Settings = serde_json::from_str(&line)?;
    limit(&settings);
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;

    let mut output = std::io::stdout().lock();
    let mut failure = None;
    let mut say = |message: &Message| -> std::io::Result<()> {
        // The leading line end keeps what libraries print from joining the mark.
        writeln!(output, "\n{MARK}{}", serde_json::to_string(message)?)?;
        output.flush()
    };
    let result = extract::extract(
        &bytes,
        settings.password.as_deref(),
        settings.first_page,
        &mut |piece| {
            let message = match piece {
                Piece::Start {
                    pages,
                    title,
                    warnings,
                } => Message::Start {
                    pages,
                    title,
                    warnings,
                },
                Piece::Page(page) => Message::Page(page),
                Piece::End => {
                    // Nothing is left to do: the system takes the memory back faster than
                    // freeing the file's objects one by one would.
                    let said = say(&Message::End);
                    std::process::exit(i32::from(said.is_err()));
                }
            };
            say(&message).map_err(|error| failure = Some(error)).is_ok()
        },
    );
    if let Some(error) = failure {
        return Err(error);
    }
    say(&match result {
        Ok(()) => Message::End,
        Err(ReadError::NeedsPassword { tried }) => Message::NeedsPassword { tried },
        Err(ReadError::Broken { reason }) => Message::Broken { reason },
        Err(other) => Message::Broken {
            reason: other.to_string(),
        },
    })
}

/// Limits this process. Where the system refuses, the parent's time limit still holds.
#[cfg(unix)]
fn limit(settings: &Settings) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let set = |resource, value| {
        let limit = Rlimit {
            current: Some(value),
            maximum: Some(value),
        };
        let _ = setrlimit(resource, limit);
    };
    #[cfg(not(target_os = "openbsd"))]
    set(Resource::As, settings.memory_bytes);
    set(Resource::Cpu, settings.cpu_seconds);
    set(Resource::Core, 0);
}

#[cfg(not(unix))]
fn limit(_: &Settings) {}

/// Reads in worker processes.
#[derive(Debug, Clone)]
pub struct WorkerEngine {
    command: WorkerCommand,
    limits: Limits,
}

/// Times that a worker is started again behind a page it died on.
const MOST_RESTARTS: usize = 5;

impl WorkerEngine {
    /// An engine that starts this command, one process a file.
    pub fn new(command: WorkerCommand, limits: Limits) -> WorkerEngine {
        WorkerEngine { command, limits }
    }

    fn failure(&self, what: &child::Ending, page: Option<u32>) -> ReadError {
        let at = page.map_or_else(String::new, |page| format!(" on page {page}"));
        match what {
            child::Ending::TimedOut => ReadError::TimedOut {
                limit: self.limits.time,
                page,
            },
            child::Ending::Stalled => ReadError::TimedOut {
                limit: self.limits.page_time,
                page,
            },
            child::Ending::OutOfMemory => ReadError::TooMuchMemory {
                limit: self.limits.memory_bytes,
                page,
            },
            child::Ending::Died { how } => ReadError::Broken {
                reason: format!("the PDF worker {how}{at}"),
            },
        }
    }
}

impl PdfEngine for WorkerEngine {
    fn pages(&self, bytes: &[u8], password: Option<&str>) -> Result<PdfPages, ReadError> {
        let deadline = std::time::Instant::now() + self.limits.time;
        let mut file = PdfPages::default();
        let mut declared = None;
        for _ in 0..=MOST_RESTARTS {
            let first_page = file.pages.last().map_or(1, |page| page.number + 1);
            if declared.is_some_and(|pages| first_page > pages) {
                return Ok(file);
            }
            let settings = Settings {
                password: password.map(str::to_owned),
                first_page,
                memory_bytes: self.limits.memory_bytes,
                cpu_seconds: self.limits.time.as_secs().saturating_add(5),
            };
            let mut refusal = None;
            let mut ended = false;
            let ending = child::run(
                &self.command,
                &settings,
                bytes,
                deadline,
                self.limits.page_time.max(Duration::from_millis(1)),
                &mut |message| match message {
                    Message::Start {
                        pages,
                        title,
                        warnings,
                    } => {
                        declared = Some(pages);
                        file.title = title;
                        file.warnings = warnings;
                    }
                    Message::Page(page) => file.pages.push(page),
                    Message::NeedsPassword { tried } => {
                        refusal = Some(ReadError::NeedsPassword { tried });
                    }
                    Message::Broken { reason } => refusal = Some(ReadError::Broken { reason }),
                    Message::End => ended = true,
                },
            )?;
            if let Some(refusal) = refusal {
                return Err(refusal);
            }
            if ended {
                return Ok(file);
            }
            // It ended on the page behind the last one it gave.
            let page = declared.map(|_| file.pages.last().map_or(1, |page| page.number + 1));
            let failure = self.failure(&ending, page);
            match page {
                Some(number) if ending != child::Ending::TimedOut => file.pages.push(PdfPage {
                    number,
                    failure: Some(failure.to_string()),
                    ..PdfPage::default()
                }),
                _ => return Err(failure),
            }
            // A file of one page, or one whose every page kills the worker, has nothing to keep.
            let nothing_read = file.pages.iter().all(|page| page.failure.is_some());
            if nothing_read && (declared == Some(1) || file.pages.len() > MOST_RESTARTS) {
                return Err(failure);
            }
        }
        let read = file.pages.len();
        file.warnings.push(format!(
            "the PDF worker died {} times; of {} pages, those behind page {read} were not read",
            MOST_RESTARTS + 1,
            declared.unwrap_or_default(),
        ));
        for number in read as u32 + 1..=declared.unwrap_or_default() {
            file.pages.push(PdfPage {
                number,
                failure: Some("not read, because the pages before it broke the reader".to_owned()),
                ..PdfPage::default()
            });
        }
        Ok(file)
    }
}
