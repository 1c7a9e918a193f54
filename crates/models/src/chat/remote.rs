//! Model servers over HTTP.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use super::wire::{self, Call, Form, Unread};
use super::{ChatError, ChatRequest, ChatService, Key, Provider, Reply};

mod http;
mod vectors;

use http::Http;
pub use vectors::{RemoteEmbedder, RemoteReranker, ScoreScale};

/// A model on a server.
#[derive(Debug, Clone, PartialEq)]
pub struct RemoteSettings {
    /// Kind of server.
    pub provider: Provider,
    /// The model's name there.
    pub model: String,
    /// The server's address, `http://127.0.0.1:8080`; the provider's own where none is named.
    pub address: Option<String>,
    /// Sent to the server and nowhere else.
    pub key: Option<Key>,
    /// Certificates to trust beside the system's, as a PEM file.
    pub certificates: Option<PathBuf>,
    /// Longest time from the first byte sent to the last one received.
    pub time: Duration,
    /// Largest reply, in bytes.
    pub largest_reply: u64,
    /// Most tokens of a reply.
    pub longest_reply: u64,
    /// `None` sends none, for models that accept none.
    pub temperature: Option<f32>,
}

impl RemoteSettings {
    /// A model at the provider's own address, without a key: 60 s, 4 MB, 1,024 tokens, temperature 0.
    pub fn new(provider: Provider, model: impl Into<String>) -> RemoteSettings {
        RemoteSettings {
            provider,
            model: model.into(),
            address: None,
            key: None,
            certificates: None,
            time: Duration::from_secs(60),
            largest_reply: 4 << 20,
            longest_reply: 1024,
            temperature: Some(0.0),
        }
    }
}

/// One server and one model of it.
struct Server {
    settings: RemoteSettings,
    /// Without a slash or `/v1` at its end.
    address: String,
    name: String,
    http: Http,
}

impl Server {
    fn new(settings: RemoteSettings) -> Result<Server, ChatError> {
        let given = settings.address.as_deref();
        let address = given.unwrap_or(settings.provider.address());
        let address = address.trim_end_matches('/').trim_end_matches("/v1");
        let name = format!("{} ({})", settings.model, settings.provider);
        let sound = settings
            .model
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || ".-_:/@".contains(c));
        if settings.model.is_empty() || !sound || settings.model.contains("..") {
            return Err(ChatError::Protocol {
                model: name,
                reason: "the model's name may have letters, digits and . - _ : / @".to_owned(),
            });
        }
        http::check_address(address, settings.key.is_some(), &name)?;
        let http = Http::new(settings.time, settings.certificates.as_deref(), &name)?;
        Ok(Server {
            address: address.to_owned(),
            name,
            http,
            settings,
        })
    }

    /// Sends a call and reads the reply as JSON.
    fn call(&self, call: &Call) -> Result<Value, ChatError> {
        let key = self.settings.key.as_ref();
        let mut headers: Vec<(&str, String)> = Vec::new();
        if let Some(key) = key {
            headers.push(match self.settings.provider {
                Provider::Anthropic => ("x-api-key", key.secret().to_owned()),
                Provider::Gemini => ("x-goog-api-key", key.secret().to_owned()),
                _ => ("authorization", format!("Bearer {}", key.secret())),
            });
        }
        if self.settings.provider == Provider::Anthropic {
            headers.push(("anthropic-version", "2023-06-01".to_owned()));
        }
        let url = format!("{}{}", self.address, call.path);
        let body = call.body.to_string();
        let limit = self.settings.largest_reply;
        let answer = self
            .http
            .post(&url, &headers, &body, limit)
            .map_err(|failed| failed.into_error(&self.name, key, self.settings.time, limit))?;
        let model = || self.name.clone();
        let said = || http::first_words(&answer.body, key);
        match answer.status {
            200..=299 => {
                serde_json::from_slice(&answer.body).map_err(|error| ChatError::Protocol {
                    model: model(),
                    reason: format!("it is no JSON ({error})"),
                })
            }
            status @ (401 | 403) => Err(ChatError::KeyRefused {
                model: model(),
                status,
            }),
            429 => Err(ChatError::TooManyRequests {
                model: model(),
                seconds: answer.retry_after,
            }),
            status @ 500.. => Err(ChatError::ServerFailed {
                model: model(),
                status,
                seconds: answer.retry_after,
                said: said(),
            }),
            status => Err(ChatError::Refused {
                model: model(),
                status,
                said: said(),
            }),
        }
    }

    fn unread(&self, unread: Unread) -> ChatError {
        match unread {
            Unread::CutShort => ChatError::CutShort {
                model: self.name.clone(),
                tokens: self.settings.longest_reply,
            },
            Unread::Form(reason) => ChatError::Protocol {
                model: self.name.clone(),
                reason,
            },
        }
    }
}

/// A chat model on a server.
pub struct RemoteChat(Server);

impl RemoteChat {
    /// A model. Nothing is sent yet; an address or a name that cannot be right is refused.
    pub fn new(settings: RemoteSettings) -> Result<RemoteChat, ChatError> {
        Server::new(settings).map(RemoteChat)
    }

    fn form(&self) -> Form<'_> {
        let settings = &self.0.settings;
        Form {
            provider: settings.provider,
            model: &settings.model,
            temperature: settings.temperature,
            longest_reply: settings.longest_reply,
            at_openai: self.0.address == Provider::OpenAi.address(),
        }
    }
}

impl ChatService for RemoteChat {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn fingerprint(&self) -> String {
        format!("{} {:?}", self.0.address, self.form())
    }

    fn longest_reply(&self) -> u64 {
        self.0.settings.longest_reply
    }

    fn send(&self, request: &ChatRequest<'_>) -> Result<Reply, ChatError> {
        let sent = self.0.call(&wire::chat_call(&self.form(), request))?;
        wire::read_chat(self.0.settings.provider, &sent).map_err(|unread| self.0.unread(unread))
    }
}
