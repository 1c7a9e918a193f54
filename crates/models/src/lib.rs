//! Embedding models: the traits, local inference in Rust, and the store of model files.
//!
//! | module | holds |
//! |---|---|
//! | [`embed`] | the traits: text to vectors, text to tokens |
//! | [`bert`] | any BERT-family folder as an embedder |
//! | [`store`] | installed models: pulled, listed, checked, opened |
//! | [`words`] | a tokenizer that needs no model |
//! | `kernels` | matrix products, softmax, layer norm, activations |
//! | `safetensors` | weight files |

pub mod bert;
pub mod embed;
mod error;
mod kernels;
mod safetensors;
pub mod store;
pub mod words;

pub use bert::{BertEmbedder, EmbedderConfig, Pooling};
pub use embed::{Embedder, EmbedderIdentity, TextRole, Tokenizer};
pub use error::ModelError;
pub use store::ModelStore;
pub use words::WordTokenizer;
