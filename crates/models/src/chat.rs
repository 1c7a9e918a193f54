//! The chat model trait, and one that answers from a script. Providers come later.

use std::collections::VecDeque;
use std::sync::Mutex;

use crate::ModelError;

/// Who says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Speaker {
    /// What the model is told about its part.
    System,
    /// The person, or the program for them.
    User,
    /// The model.
    Model,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// A model that answers messages in words. What it says is read into types and refused where it
/// does not fit; it never supplies a number.
pub trait ChatModel: Send + Sync {
    /// Name for people.
    fn name(&self) -> &str;

    /// The answer to a conversation.
    fn reply(&self, messages: &[Message]) -> Result<String, ModelError>;
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
