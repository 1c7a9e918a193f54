//! The traits of embedders, and what a store must know of one.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::ModelError;

/// What a text is embedded as. Some models want another prefix for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextRole {
    /// A question.
    Query,
    /// A passage that may answer one.
    Passage,
}

/// Which model made a vector. Vectors of different identities must not be compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmbedderIdentity {
    /// Name for people, `all-MiniLM-L6-v2`.
    pub name: String,
    /// Hash over weights, tokenizer, pooling, prefixes and normalisation.
    pub digest: String,
    /// Length of every vector.
    pub dimension: usize,
}

/// A model that turns text into vectors of one length, scaled to unit length where the model's
/// configuration says so.
pub trait Embedder: Send + Sync {
    /// Which model this is.
    fn identity(&self) -> &EmbedderIdentity;

    /// One vector for each text, in order. Texts longer than the model's window are cut at its end.
    fn embed(&self, texts: &[&str], role: TextRole) -> Result<Vec<Vec<f32>>, ModelError>;

    /// The model's tokenizer.
    fn tokenizer(&self) -> &dyn Tokenizer;

    /// The same model giving vectors of tokens too, where it can.
    fn token_embedder(&self) -> Option<&dyn TokenEmbedder> {
        None
    }
}

/// An embedder that also gives the vectors of a text's tokens, from the same pass.
pub trait TokenEmbedder: Embedder {
    /// The vectors of each text and its tokens, in order. Texts longer than the model's window
    /// are cut at its end.
    fn embed_tokens(&self, texts: &[&str], role: TextRole)
    -> Result<Vec<TokenVectors>, ModelError>;
}

/// A text's vector and those of its tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenVectors {
    /// The text's vector, the same that [`Embedder::embed`] gives.
    pub text: Vec<f32>,
    /// Byte ranges of the tokens in the text, in order. Special tokens and those of the role's
    /// prefix are left out.
    pub ranges: Vec<Range<usize>>,
    /// The tokens' vectors one behind the other, each as long as the text's, not scaled.
    pub states: Vec<f32>,
}

impl TokenVectors {
    /// The tokens with their vectors.
    pub fn iter(&self) -> impl Iterator<Item = (&Range<usize>, &[f32])> {
        self.ranges
            .iter()
            .zip(self.states.chunks_exact(self.text.len().max(1)))
    }
}

/// Cuts text into a model's tokens.
pub trait Tokenizer: Send + Sync {
    /// Byte ranges of the tokens of `text`, in order, without special tokens and never cut short.
    /// Every range lies on character boundaries. Two tokens may have the same range, where a
    /// tokenizer takes one character apart (Hangul syllables).
    fn token_ranges(&self, text: &str) -> Result<Vec<Range<usize>>, ModelError>;
}
