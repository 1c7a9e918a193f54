//! What a chat model is asked and what comes back, whoever runs it.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::{ChatError, Message, Schema};

/// Kinds of servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Provider {
    /// Servers of OpenAI's protocol: OpenAI, llama-server, vLLM, LM Studio and many others.
    OpenAi,
    /// Anthropic.
    Anthropic,
    /// Google's Gemini.
    Gemini,
    /// Ollama.
    Ollama,
}

impl Provider {
    /// All of them.
    pub const ALL: [Provider; 4] = [
        Provider::OpenAi,
        Provider::Anthropic,
        Provider::Gemini,
        Provider::Ollama,
    ];

    /// Name in the configuration.
    pub fn word(self) -> &'static str {
        match self {
            Provider::OpenAi => "openai",
            Provider::Anthropic => "anthropic",
            Provider::Gemini => "gemini",
            Provider::Ollama => "ollama",
        }
    }

    /// Address of the server where none is named.
    pub fn address(self) -> &'static str {
        match self {
            Provider::OpenAi => "https://api.openai.com",
            Provider::Anthropic => "https://api.anthropic.com",
            Provider::Gemini => "https://generativelanguage.googleapis.com",
            Provider::Ollama => "http://127.0.0.1:11434",
        }
    }

    /// Variable of the environment that holds the key where none is named; Ollama has no keys.
    pub fn key_variable(self) -> Option<&'static str> {
        match self {
            Provider::OpenAi => Some("OPENAI_API_KEY"),
            Provider::Anthropic => Some("ANTHROPIC_API_KEY"),
            Provider::Gemini => Some("GEMINI_API_KEY"),
            Provider::Ollama => None,
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A word that names no provider.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no provider `{0}`: openai (any server of that protocol), anthropic, gemini and ollama are known"
)]
pub struct UnknownProvider(pub String);

impl FromStr for Provider {
    type Err = UnknownProvider;

    fn from_str(word: &str) -> Result<Provider, UnknownProvider> {
        let found = Provider::ALL.into_iter().find(|p| p.word() == word);
        found.ok_or_else(|| UnknownProvider(word.to_owned()))
    }
}

/// One question to a chat model.
#[derive(Debug, Clone, Copy)]
pub struct ChatRequest<'r> {
    /// The conversation.
    pub messages: &'r [Message],
    /// The form of the reply, where one is wanted.
    pub schema: Option<&'r Schema>,
}

impl ChatRequest<'_> {
    /// A hash of conversation, form and whatever else decides the reply.
    pub fn hash(&self, beside: &str) -> String {
        let schema = self.schema.map(|schema| (&schema.name, &schema.json));
        let whole = serde_json::json!([beside, self.messages, schema]).to_string();
        let digest = Sha256::digest(whole.as_bytes());
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Tokens of the conversation, by four characters each; servers count their own way.
    pub fn estimated_tokens(&self) -> u64 {
        let words: usize = self.messages.iter().map(|m| m.text.chars().count()).sum();
        let schema = self.schema.map_or(0, |s| s.json.to_string().len());
        (words + schema).div_ceil(4) as u64
    }
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The words.
    pub text: String,
    /// Tokens of the question, where the server counts them.
    pub tokens_in: Option<u64>,
    /// Tokens of the reply, where the server counts them.
    pub tokens_out: Option<u64>,
}

/// Asks one server once. [`Client`](super::Client) puts limits around it.
pub trait ChatService: Send + Sync {
    /// The model, for people.
    fn name(&self) -> &str;

    /// Everything beside the request that decides the reply: server, model, temperature.
    fn fingerprint(&self) -> String;

    /// The most tokens of a reply.
    fn longest_reply(&self) -> u64;

    /// One attempt.
    fn send(&self, request: &ChatRequest<'_>) -> Result<Reply, ChatError>;
}
