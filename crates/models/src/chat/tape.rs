//! Replies recorded, and played again where no model is.

use std::collections::{HashMap, VecDeque};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use super::{ChatError, ChatRequest, Message, Reply};

/// A file of JSON lines, one an exchange. It holds what was asked and answered and never a key.
#[derive(Debug)]
pub struct Tape {
    path: PathBuf,
    mode: Mode,
}

#[derive(Debug)]
enum Mode {
    Record(Mutex<std::fs::File>),
    Play(Mutex<HashMap<String, VecDeque<String>>>),
}

#[derive(Serialize, Deserialize)]
struct Exchange {
    /// Hash of messages and form.
    hash: String,
    model: String,
    messages: Vec<Message>,
    reply: String,
}

impl Tape {
    /// Adds every exchange to a file, which only its owner can read.
    pub fn record(path: &Path) -> Result<Tape, ChatError> {
        let mut options = std::fs::OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path).map_err(ChatError::file("write", path))?;
        Ok(Tape {
            path: path.to_owned(),
            mode: Mode::Record(Mutex::new(file)),
        })
    }

    /// Answers from a file. What was asked twice is answered in the order of the recording, and
    /// the last of its replies for ever.
    pub fn play(path: &Path) -> Result<Tape, ChatError> {
        let text = std::fs::read_to_string(path).map_err(ChatError::file("read", path))?;
        let mut replies: HashMap<String, VecDeque<String>> = HashMap::new();
        let lines = text.lines().enumerate();
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let exchange: Exchange =
                serde_json::from_str(line).map_err(|error| ChatError::File {
                    action: "read",
                    path: path.to_owned(),
                    reason: format!("line {} is no exchange: {error}", number + 1),
                })?;
            replies
                .entry(exchange.hash)
                .or_default()
                .push_back(exchange.reply);
        }
        Ok(Tape {
            path: path.to_owned(),
            mode: Mode::Play(Mutex::new(replies)),
        })
    }

    /// Whether it answers, so that no model is needed.
    pub fn plays(&self) -> bool {
        matches!(self.mode, Mode::Play(_))
    }

    /// The recorded reply; `None` while recording.
    pub(super) fn answer(&self, request: &ChatRequest<'_>) -> Option<Result<Reply, ChatError>> {
        let Mode::Play(replies) = &self.mode else {
            return None;
        };
        let mut replies = replies.lock().unwrap_or_else(|p| p.into_inner());
        let text = replies.get_mut(&request.hash("")).and_then(|queue| {
            if queue.len() > 1 {
                queue.pop_front()
            } else {
                queue.front().cloned()
            }
        });
        Some(match text {
            Some(text) => Ok(Reply {
                text,
                tokens_in: None,
                tokens_out: None,
            }),
            None => Err(ChatError::NotOnTape {
                tape: self.path.clone(),
            }),
        })
    }

    /// Writes an exchange down, while recording.
    pub(super) fn keep(
        &self,
        model: &str,
        request: &ChatRequest<'_>,
        reply: &Reply,
    ) -> Result<(), ChatError> {
        let Mode::Record(file) = &self.mode else {
            return Ok(());
        };
        let exchange = Exchange {
            hash: request.hash(""),
            model: model.to_owned(),
            messages: request.messages.to_vec(),
            reply: reply.text.clone(),
        };
        let line = format!("{}\n", serde_json::json!(exchange));
        let mut file = file.lock().unwrap_or_else(|p| p.into_inner());
        file.write_all(line.as_bytes())
            .map_err(ChatError::file("write", &self.path))
    }
}
