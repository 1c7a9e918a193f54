//! Embedding models.

pub mod embed;
mod error;
mod words;

pub use embed::{Embedder, EmbedderIdentity, TextRole, Tokenizer};
pub use error::ModelError;
pub use words::WordTokenizer;
