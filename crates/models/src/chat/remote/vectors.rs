//! Embedders and rerankers on servers, behind the traits of those in this process.

use super::super::wire;
use super::super::{Client, Retries};
use super::{ChatError, RemoteSettings, Server};
use crate::ModelError;
use crate::embed::{Embedder, EmbedderIdentity, TextRole, Tokenizer};
use crate::rerank::Reranker;
use crate::words::WordTokenizer;

/// Texts that are sent at once.
const AT_ONCE: usize = 64;

/// An embedding model on a server (`/v1/embeddings` and its like). Chunks are cut by words, for the
/// server's tokenizer is not known here.
pub struct RemoteEmbedder {
    server: Server,
    retries: Retries,
    identity: EmbedderIdentity,
}

impl RemoteEmbedder {
    /// Asks the server for one vector, to learn their length.
    pub fn connect(
        settings: RemoteSettings,
        retries: Retries,
    ) -> Result<RemoteEmbedder, ModelError> {
        let server = Server::new(settings)?;
        let name = server.name.clone();
        let mut embedder = RemoteEmbedder {
            identity: EmbedderIdentity {
                digest: format!("remote:{}:{name}", server.address),
                name,
                dimension: 0,
            },
            server,
            retries,
        };
        let probe = embedder.vectors(&["flood"], TextRole::Query)?;
        embedder.identity.dimension = probe.first().map_or(0, Vec::len);
        Ok(embedder)
    }

    fn vectors(&self, texts: &[&str], role: TextRole) -> Result<Vec<Vec<f32>>, ChatError> {
        let settings = &self.server.settings;
        let call = wire::embedding_call(settings.provider, &settings.model, texts, role);
        let call = call.ok_or(ChatError::NotOffered {
            provider: settings.provider.to_string(),
            what: "embeddings",
            next: "take another provider for them, or a model of this machine",
        })?;
        let sent = Client::again(self.retries, &call.path, || self.server.call(&call))?;
        wire::read_vectors(settings.provider, &sent, texts.len())
            .map_err(|unread| self.server.unread(unread))
    }
}

impl Embedder for RemoteEmbedder {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    /// The vectors as the server gives them, scaled to unit length.
    fn embed(&self, texts: &[&str], role: TextRole) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut all = Vec::with_capacity(texts.len());
        for batch in texts.chunks(AT_ONCE) {
            for mut vector in self.vectors(batch, role)? {
                let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
                if vector.len() != self.identity.dimension || !length.is_normal() {
                    return Err(ChatError::Protocol {
                        model: self.identity.name.clone(),
                        reason: format!(
                            "a vector of {} numbers and length {length}, where {} numbers are expected",
                            vector.len(),
                            self.identity.dimension
                        ),
                    }
                    .into());
                }
                vector.iter_mut().for_each(|x| *x /= length);
                all.push(vector);
            }
        }
        Ok(all)
    }

    fn tokenizer(&self) -> &dyn Tokenizer {
        &WordTokenizer
    }
}

/// What a server's scores are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreScale {
    /// Shares from 0 to 1, as Jina's and Cohere's.
    Share,
    /// Logits, as llama-server's; a sigmoid makes shares of them.
    Logit,
}

/// A reranker on a server (`/v1/rerank`).
pub struct RemoteReranker {
    server: Server,
    retries: Retries,
    scale: ScoreScale,
}

impl RemoteReranker {
    /// A reranker; nothing is sent yet.
    pub fn new(
        settings: RemoteSettings,
        retries: Retries,
        scale: ScoreScale,
    ) -> Result<RemoteReranker, ModelError> {
        Ok(RemoteReranker {
            server: Server::new(settings)?,
            retries,
            scale,
        })
    }
}

impl Reranker for RemoteReranker {
    fn name(&self) -> &str {
        &self.server.name
    }

    fn score(&self, question: &str, passages: &[&str]) -> Result<Vec<f32>, ModelError> {
        if passages.is_empty() {
            return Ok(Vec::new());
        }
        let settings = &self.server.settings;
        let call = wire::rerank_call(settings.provider, &settings.model, question, passages);
        let call = call.ok_or(ChatError::NotOffered {
            provider: settings.provider.to_string(),
            what: "reranking",
            next: "take a server with /v1/rerank, or a cross-encoder of this machine",
        })?;
        let sent = Client::again(self.retries, &call.path, || self.server.call(&call))?;
        let scores = wire::read_scores(&sent, passages.len())
            .map_err(|unread| self.server.unread(unread))?;
        let share = |score: f32| match self.scale {
            ScoreScale::Logit => 1.0 / (1.0 + (-score).exp()),
            ScoreScale::Share => score,
        };
        let shares: Vec<f32> = scores.into_iter().map(share).collect();
        match shares.iter().find(|share| !(0.0..=1.0).contains(*share)) {
            None => Ok(shares),
            Some(score) => Err(ChatError::Protocol {
                model: self.server.name.clone(),
                reason: format!("a score of {score} is no share; perhaps its scores are logits"),
            }
            .into()),
        }
    }
}
