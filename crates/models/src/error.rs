//! What can go wrong with a model.

/// Why a model cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The model could not cut a text into tokens.
    #[error("the tokenizer of {model} failed: {reason}")]
    Tokenizer {
        /// The model's name.
        model: String,
        /// The tokenizer's words.
        reason: String,
    },
}
