//! Chat models: the trait, one that answers from a script, and what stands around a real one.
//!
//! ```text
//! messages -> structured -> Client (tape, cache, budget, places in line, retries) -> ChatService
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`structured`](fn@structured) | replies read into types, with one repair |
//! | [`Client`] | a service with its limits, its cache and its tape |
//! | [`ReplyCache`] | replies on disk, by the hash of what was asked |
//! | [`Tape`] | replies recorded, and played again without any service |
//! | [`Key`] | a secret that cannot be printed |
//! | `wire` | what four kinds of servers are sent and send back (feature `network`) |
//! | `remote` | these servers over HTTP, for chat, embeddings and reranking (feature `network`) |
//!
//! Nothing here opens a socket unless the crate is built with its feature `network`, which is off
//! by default.

use std::collections::VecDeque;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ModelError;

mod cache;
mod client;
mod error;
mod key;
#[cfg(feature = "network")]
mod remote;
mod service;
mod structured;
mod tape;
#[cfg(feature = "network")]
mod wire;

pub use cache::ReplyCache;
pub use client::{Budget, Client, Retries, Used};
pub use error::ChatError;
pub use key::Key;
#[cfg(feature = "network")]
pub use remote::{RemoteChat, RemoteEmbedder, RemoteReranker, RemoteSettings, ScoreScale};
pub use service::{ChatRequest, ChatService, Provider, Reply, UnknownProvider};
pub use structured::{Structured, structured};
pub use tape::Tape;

/// Who says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// What the model is told about its part.
    System,
    /// The person, or the program for them.
    User,
    /// The model.
    Model,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who says it.
    pub speaker: Speaker,
    /// The words.
    pub text: String,
}

impl Message {
    /// A message.
    pub fn new(speaker: Speaker, text: impl Into<String>) -> Message {
        Message {
            speaker,
            text: text.into(),
        }
    }
}

/// The form that a reply shall have.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// A name of letters, digits and `_`, which some servers ask for.
    pub name: &'static str,
    /// A JSON schema.
    pub json: Value,
}

/// A model that answers messages in words. What it says is read into types and refused where it
/// does not fit; it never supplies a number.
pub trait ChatModel: Send + Sync {
    /// Name for people.
    fn name(&self) -> &str;

    /// The answer to a conversation.
    fn reply(&self, messages: &[Message]) -> Result<String, ModelError>;

    /// The answer to a conversation in a given form. A model that cannot be held to a form answers
    /// freely; [`structured`](fn@structured) reads either.
    fn reply_in(&self, messages: &[Message], schema: &Schema) -> Result<String, ModelError> {
        let _ = schema;
        self.reply(messages)
    }
}

/// A chat model that gives the replies of a script, one after the other, and the last one for
/// ever; for tests and for replays.
///
/// ```
/// use lahar_models::chat::{ChatModel, Message, ScriptedChat, Speaker};
/// let model = ScriptedChat::new(["one", "two"]);
/// let ask = [Message::new(Speaker::User, "?")];
/// assert_eq!(model.reply(&ask).unwrap(), "one");
/// assert_eq!(model.reply(&ask).unwrap(), "two");
/// assert_eq!(model.reply(&ask).unwrap(), "two");
/// ```
#[derive(Debug)]
pub struct ScriptedChat {
    replies: Mutex<VecDeque<String>>,
}

impl ScriptedChat {
    /// A model with these replies.
    pub fn new<T: Into<String>>(replies: impl IntoIterator<Item = T>) -> ScriptedChat {
        ScriptedChat {
            replies: Mutex::new(replies.into_iter().map(Into::into).collect()),
        }
    }
}

impl ChatModel for ScriptedChat {
    fn name(&self) -> &str {
        "scripted"
    }

    fn reply(&self, _messages: &[Message]) -> Result<String, ModelError> {
        let mut replies = self
            .replies
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        match replies.len() {
            0 | 1 => Ok(replies.front().cloned().unwrap_or_default()),
            _ => Ok(replies.pop_front().unwrap_or_default()),
        }
    }
}
