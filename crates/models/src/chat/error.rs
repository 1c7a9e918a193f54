//! What can go wrong with a chat model.

use std::path::PathBuf;

/// Why a chat model could not be asked, or its reply not be used. No text of it holds a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChatError {
    /// No whole reply came in time: the server hangs, or sends without end.
    #[error(
        "{model} did not finish its reply within {seconds} s: raise the time limit, or see whether the server is overloaded"
    )]
    TimeOut {
        /// The model.
        model: String,
        /// The limit.
        seconds: u64,
    },
    /// The server cannot be reached, or dropped the connection.
    #[error(
        "no connection to {model}: {reason}; see whether the server runs and its address is right"
    )]
    Connection {
        /// The model.
        model: String,
        /// What happened.
        reason: String,
    },
    /// The server does not accept the key (401, 403).
    #[error(
        "{model} refused the key (status {status}): see whether it is the right one and still valid"
    )]
    KeyRefused {
        /// The model.
        model: String,
        /// The status.
        status: u16,
    },
    /// Too much was asked in too short a time (429).
    #[error("{model} answers that too much was asked of it (status 429){}: ask again later, or lower the concurrency", wait(*.seconds))]
    TooManyRequests {
        /// The model.
        model: String,
        /// Seconds after which it may be asked again, where it said so.
        seconds: Option<u64>,
    },
    /// The server failed (5xx).
    #[error("{model} failed (status {status}): {said}")]
    ServerFailed {
        /// The model.
        model: String,
        /// The status.
        status: u16,
        /// Seconds after which it may be asked again, where it said so.
        seconds: Option<u64>,
        /// The first of its words.
        said: String,
    },
    /// The server did not accept the request.
    #[error("{model} refused the request (status {status}): {said}")]
    Refused {
        /// The model.
        model: String,
        /// The status.
        status: u16,
        /// The first of its words.
        said: String,
    },
    /// The reply is larger than any sensible one.
    #[error("the reply of {model} is larger than {limit} bytes and was given up")]
    TooLarge {
        /// The model.
        model: String,
        /// The limit.
        limit: u64,
    },
    /// The server's answer does not have its protocol's form.
    #[error(
        "{model} sent something that is no reply of its protocol: {reason}; see whether address and provider belong together"
    )]
    Protocol {
        /// The model.
        model: String,
        /// What is missing or wrong.
        reason: String,
    },
    /// The reply holds no words.
    #[error("the reply of {model} is empty")]
    Empty {
        /// The model.
        model: String,
    },
    /// The reply ended at the limit of its length.
    #[error(
        "the reply of {model} was cut short at {tokens} tokens: raise the limit, or give it less to say"
    )]
    CutShort {
        /// The model.
        model: String,
        /// The limit.
        tokens: u64,
    },
    /// The reply cannot be read into what was asked for, nor could a second one.
    #[error("the reply of {model} cannot be read, nor could the repaired one: {reason}")]
    Unreadable {
        /// The model.
        model: String,
        /// What is wrong with it.
        reason: String,
    },
    /// What was set as the most that may be used is used up.
    #[error("the budget of {limit} {unit} is used up, so {model} was not asked")]
    BudgetSpent {
        /// The model.
        model: String,
        /// The most.
        limit: String,
        /// What of: calls, tokens, units of money.
        unit: &'static str,
    },
    /// The secret cannot be had, or is not kept as one.
    #[error("the key for the chat model cannot be used: {reason}")]
    Key {
        /// Why, and what to do.
        reason: String,
    },
    /// The tape holds no reply to this.
    #[error("{} holds no reply to what is asked now: record it again", tape.display())]
    NotOnTape {
        /// The tape.
        tape: PathBuf,
    },
    /// Cache or tape could not be read or written.
    #[error("cannot {action} {}: {reason}", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        reason: String,
    },
    /// The provider does not offer this.
    #[error("{provider} offers no {what}: {next}")]
    NotOffered {
        /// The provider.
        provider: String,
        /// What was wanted.
        what: &'static str,
        /// What to do.
        next: &'static str,
    },
}

/// What a server said about when to come back.
fn wait(seconds: Option<u64>) -> String {
    seconds.map_or_else(String::new, |seconds| format!(", for {seconds} s"))
}

impl ChatError {
    /// Whether the same request may succeed a little later.
    pub fn is_transient(&self) -> bool {
        matches!(
            self,
            ChatError::TimeOut { .. }
                | ChatError::Connection { .. }
                | ChatError::TooManyRequests { .. }
                | ChatError::ServerFailed { .. }
        )
    }

    /// Seconds after which the server wants to be asked again, where it said so.
    pub fn retry_after(&self) -> Option<u64> {
        match self {
            ChatError::TooManyRequests { seconds, .. }
            | ChatError::ServerFailed { seconds, .. } => *seconds,
            _ => None,
        }
    }

    /// A [`ChatError::File`]; for use with `map_err`.
    pub(super) fn file(
        action: &'static str,
        path: &std::path::Path,
    ) -> impl FnOnce(std::io::Error) -> ChatError {
        let path = path.to_owned();
        move |error| ChatError::File {
            action,
            path,
            reason: error.to_string(),
        }
    }
}
