//! The chat model of the configuration, `[chat]`.

use std::path::PathBuf;

use lahar_models::chat::{ChatError, Client, Tape};
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Kind};

/// `[chat]`: a model on a server, or a tape. It holds no key, only where one is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ChatSettings {
    /// openai (any server of that protocol), anthropic, gemini or ollama.
    pub provider: String,
    /// The model's name there.
    pub model: String,
    /// The server's address; the provider's own where none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// Variable of the environment that holds the key; the provider's usual one where none is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_variable: Option<String>,
    /// File that holds the key, which nobody but its owner may read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_file: Option<PathBuf>,
    /// Longest time of a call.
    pub seconds: u64,
    /// Attempts of a call that fails for a while.
    pub attempts: u32,
    /// Calls at once.
    pub most_at_once: usize,
    /// Most tokens of a reply.
    pub reply_tokens: u64,
    /// Most calls of one run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    /// Most tokens of one run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Most money of one run, in the unit of the prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Price of a million tokens in.
    pub price_in: f64,
    /// Price of a million tokens out.
    pub price_out: f64,
    /// Whether replies are kept for the next run.
    pub cache: bool,
    /// Writes every exchange to this file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<PathBuf>,
    /// Answers from this file, without any server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub play: Option<PathBuf>,
}

impl Default for ChatSettings {
    fn default() -> ChatSettings {
        ChatSettings {
            provider: "openai".to_owned(),
            model: String::new(),
            address: None,
            key_variable: None,
            key_file: None,
            seconds: 60,
            attempts: 3,
            most_at_once: 4,
            reply_tokens: 1024,
            calls: None,
            tokens: None,
            cost: None,
            price_in: 0.0,
            price_out: 0.0,
            cache: true,
            record: None,
            play: None,
        }
    }
}

impl ChatSettings {
    /// The model. Nothing is sent yet.
    pub fn open(&self) -> Result<Client, Failure> {
        match &self.play {
            Some(path) => Ok(Client::playing(Tape::play(path)?)),
            None => self.on_server(),
        }
    }

    #[cfg(not(feature = "network"))]
    fn on_server(&self) -> Result<Client, Failure> {
        Err(Failure::new(
            Kind::Model,
            "this build asks no servers, so there is no chat model",
        )
        .at("[chat]")
        .hint("build it with `cargo build --release --features lahar/network`, or name a tape: play = \"FILE\""))
    }

    #[cfg(feature = "network")]
    fn on_server(&self) -> Result<Client, Failure> {
        use lahar_models::chat::{
            Budget, Key, Provider, RemoteChat, RemoteSettings, ReplyCache, Retries,
        };
        let wrong = |message: String| Failure::new(Kind::Config, message).at("[chat]");
        let provider: Provider = self.provider.parse().map_err(|error| {
            let error: lahar_models::chat::UnknownProvider = error;
            wrong(error.to_string())
        })?;
        let variable = self.key_variable.as_deref().or(provider.key_variable());
        let key = match (&self.key_file, variable) {
            (Some(path), _) => Some(Key::from_file(path)?),
            (None, Some(variable)) => Key::from_environment(variable)?,
            (None, None) => None,
        };
        let service = RemoteChat::new(RemoteSettings {
            address: self.address.clone(),
            key,
            time: std::time::Duration::from_secs(self.seconds.max(1)),
            longest_reply: self.reply_tokens,
            ..RemoteSettings::new(provider, self.model.clone())
        })?;
        let mut client = Client::new(service)
            .with_most_at_once(self.most_at_once)
            .with_retries(Retries {
                attempts: self.attempts.max(1),
                ..Retries::default()
            })
            .with_budget(Budget {
                calls: self.calls,
                tokens: self.tokens,
                cost: self.cost,
                price_in: self.price_in,
                price_out: self.price_out,
            });
        if let Some(cache) = ReplyCache::of_user().filter(|_| self.cache) {
            client = client.with_cache(cache);
        }
        if let Some(path) = &self.record {
            client = client.with_tape(Tape::record(path)?);
        }
        Ok(client)
    }
}

impl From<ChatError> for Failure {
    fn from(error: ChatError) -> Failure {
        Failure::new(Kind::Model, error.to_string())
    }
}
