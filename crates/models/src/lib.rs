//! Embedding and reranking models: the traits, local inference in Rust, and the store of model files.
//!
//! | module | holds |
//! |---|---|
//! | [`embed`] | the traits: text to vectors, text to tokens |
//! | [`rerank`] | the trait: a question and passages to scores |
//! | [`tagger`] | the trait: a text to labelled spans |
//! | [`chat`] | the trait: messages to words; replies read into types, limits, cache, tape; servers with the feature `network` |
//! | [`late`] | late interaction: small token vectors of passages, compared with a question's |
//! | [`bert`] | any BERT-family folder as an embedder, a cross-encoder or a tagger |
//! | [`store`] | installed models: pulled, listed, checked, opened |
//! | [`words`] | a tokenizer that needs no model |
//! | `kernels` | matrix products, softmax, layer norm, activations |
//! | `safetensors` | weight files |

pub mod bert;
pub mod chat;
pub mod embed;
mod error;
mod kernels;
pub mod late;
pub mod rerank;
mod safetensors;
pub mod store;
pub mod tagger;
pub mod words;

pub use bert::{BertEmbedder, BertTagger, CrossEncoder, EmbedderConfig, Pooling, RerankerConfig};
pub use chat::ChatModel;
pub use embed::{Embedder, EmbedderIdentity, TextRole, TokenEmbedder, TokenVectors, Tokenizer};
pub use error::ModelError;
pub use late::LateQuery;
pub use rerank::Reranker;
pub use store::ModelStore;
pub use tagger::{TaggedSpan, TokenTagger};
pub use words::WordTokenizer;
