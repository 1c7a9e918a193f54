//! One worker process, from its start to its end.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use super::{MARK, Message, Settings, WorkerCommand};
use crate::error::ReadError;

/// Longest line of a worker: one page. Text of this size on a page is no text.
const LONGEST_LINE: u64 = 256 << 20;

/// How a worker ended before it was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ending {
    /// The time for the file was over.
    TimedOut,
    /// No page came for too long.
    Stalled,
    /// It asked for more memory than it may have.
    OutOfMemory,
    /// Anything else, in words that follow "the PDF worker".
    Died { how: String },
}

/// Ends the process when its handler leaves, whichever way.
struct Guard(Child);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs one worker over a file and hands over what it says. How it ended says nothing when the
/// last message was an end or a refusal.
pub(super) fn run(
    command: &WorkerCommand,
    settings: &Settings,
    bytes: &[u8],
    deadline: Instant,
    page_time: Duration,
    take: &mut dyn FnMut(Message),
) -> Result<Ending, ReadError> {
    let cannot_run = |reason: String| ReadError::Worker {
        program: command.program.display().to_string(),
        reason,
    };
    let child = Command::new(&command.program)
        .args(&command.args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| cannot_run(error.to_string()))?;
    let mut child = Guard(child);
    let (Some(mut input), Some(output), Some(errors)) = (
        child.0.stdin.take(),
        child.0.stdout.take(),
        child.0.stderr.take(),
    ) else {
        return Err(cannot_run("its pipes are missing".to_owned()));
    };
    let settings = serde_json::to_string(settings).map_err(|e| cannot_run(e.to_string()))?;

    std::thread::scope(|threads| {
        // A worker that dies early closes its input; what it said tells why.
        threads.spawn(move || {
            let _ = writeln!(input, "{settings}").and_then(|()| input.write_all(bytes));
        });
        let errors = threads.spawn(move || {
            let mut said = Vec::new();
            let mut errors = errors;
            let _ = errors.by_ref().take(1 << 16).read_to_end(&mut said);
            let _ = std::io::copy(&mut errors, &mut std::io::sink());
            String::from_utf8_lossy(&said).into_owned()
        });
        let (give, messages) = sync_channel(8);
        threads.spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            loop {
                line.clear();
                match output
                    .by_ref()
                    .take(LONGEST_LINE)
                    .read_until(b'\n', &mut line)
                {
                    Ok(0) | Err(_) => break,
                    Ok(_) => {}
                }
                let message = line
                    .strip_prefix(MARK.as_bytes())
                    .and_then(|json| serde_json::from_slice::<Message>(json).ok());
                if let Some(message) = message
                    && give.send(message).is_err()
                {
                    break;
                }
            }
        });
        let mut stopped = None;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match messages.recv_timeout(left.min(page_time)) {
                Ok(message) => take(message),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    stopped = Some(if left <= page_time {
                        Ending::TimedOut
                    } else {
                        Ending::Stalled
                    });
                    let _ = child.0.kill();
                    break;
                }
            }
        }
        // Dropping the receiver lets the reading thread end.
        drop(messages);
        if stopped.is_none() {
            stopped = wait(&mut child.0, deadline);
        }
        let status = {
            let _ = child.0.kill();
            child.0.wait().ok()
        };
        let said = errors.join().unwrap_or_default();
        Ok(stopped.unwrap_or_else(|| ending(status, &said)))
    })
}

/// Waits for the end of a worker that has closed its output.
fn wait(child: &mut Child, deadline: Instant) -> Option<Ending> {
    loop {
        match child.try_wait() {
            Ok(Some(_)) | Err(_) => return None,
            Ok(None) if Instant::now() >= deadline => return Some(Ending::TimedOut),
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}

/// What an exit status and the last words mean.
fn ending(status: Option<ExitStatus>, said: &str) -> Ending {
    if said.contains("memory allocation of") || said.contains("capacity overflow") {
        return Ending::OutOfMemory;
    }
    if said.contains("overflowed its stack") {
        return Ending::Died {
            how: "overflowed its stack".to_owned(),
        };
    }
    let Some(status) = status else {
        return Ending::Died {
            how: "vanished".to_owned(),
        };
    };
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        let how = match signal {
            9 => "was killed (signal 9), perhaps for lack of memory on this machine".to_owned(),
            24 => "used up its processor time (signal 24)".to_owned(),
            _ => format!("crashed (signal {signal})"),
        };
        return Ending::Died { how };
    }
    let mut how = match status.code() {
        Some(code) => format!("ended early with exit code {code}"),
        None => "ended early".to_owned(),
    };
    if let Some(line) = said.lines().map(str::trim).rfind(|line| !line.is_empty()) {
        let (line, _) = crate::decode::clean(line);
        how.push_str(": ");
        how.extend(line.chars().take(200));
    }
    Ending::Died { how }
}
