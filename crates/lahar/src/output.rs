//! Printing, for people and for programs. The only module that writes to stdout and stderr.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is the edge that prints"
)]

use std::io::{IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::failure::Failure;

/// Where results and notes go.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    /// One JSON document on stdout instead of text.
    pub json: bool,
}

impl Output {
    /// Prints a result: the JSON value for programs, or the text for people.
    pub fn result(&self, value: &impl Serialize, text: impl FnOnce() -> String) {
        let printed = if self.json {
            serde_json::to_string(value).unwrap_or_else(|error| {
                format!(
                    r#"{{"error":{{"kind":"file","message":"result cannot be written: {error}"}}}}"#
                )
            })
        } else {
            printable(text().trim_end())
        };
        // A reader that went away (`lahar ask | head -1`) is no failure of ours.
        let _ = writeln!(std::io::stdout().lock(), "{printed}");
    }

    /// Prints one line of a longer text result at once, so that long work shows as it happens;
    /// silent with `--json`.
    pub fn line(&self, text: &str) {
        if !self.json {
            let _ = writeln!(std::io::stdout().lock(), "{}", printable(text));
        }
    }

    /// A remark for people, on stderr.
    pub fn note(&self, text: &str) {
        let _ = writeln!(std::io::stderr().lock(), "{}", printable(text));
    }

    /// Says what failed: on stderr, and with `--json` also on stdout.
    pub fn failure(&self, failure: &Failure) {
        let _ = writeln!(
            std::io::stderr().lock(),
            "{}",
            printable(&failure.to_string())
        );
        if self.json {
            let value = serde_json::json!({ "error": failure });
            let _ = writeln!(std::io::stdout().lock(), "{value}");
        }
    }

    /// A progress bar on stderr with rate and time left; invisible when stderr is no terminal.
    pub fn progress(&self, total: u64, unit: &str) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(Some(total), draw_target());
        let template = format!(
            "{{wide_msg}} {{bar:24}} {{human_pos}}/{{human_len}} {unit}  {{per_sec}}  {{eta}} left"
        );
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }

    /// A line on stderr that says what is being done and for how long; invisible when stderr is no
    /// terminal, and gone when the work is.
    pub fn work(&self, what: &'static str) -> ProgressBar {
        let bar = ProgressBar::with_draw_target(None, draw_target());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}  {elapsed}") {
            bar.set_style(style);
        }
        bar.set_message(what);
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }
}

fn draw_target() -> ProgressDrawTarget {
    if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    }
}

/// Text that cannot steer a terminal or mislead its reader: control characters other than line
/// break and tab, and marks that turn the direction of writing, become U+FFFD.
///
/// ```
/// use lahar::output::printable;
/// assert_eq!(printable("a\u{1b}[2Jb\tc\n"), "a\u{fffd}[2Jb\tc\n");
/// assert_eq!(printable("x\u{202e}y"), "x\u{fffd}y");
/// ```
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\t' => c,
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
            c if c.is_control() => '\u{fffd}',
            c => c,
        })
        .collect()
}
