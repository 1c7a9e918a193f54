//! The model's own tokenizer, from `tokenizer.json`.

use std::ops::Range;
use std::path::Path;

use tokenizers::{Tokenizer as HubTokenizer, TruncationParams};

use super::config::read_bytes;
use super::encoder::Sequence;
use crate::ModelError;
use crate::embed::Tokenizer;
use crate::safetensors::hex;

/// A tokenizer with the model's special tokens and window.
pub(crate) struct ModelTokenizer {
    model: String,
    /// Never cuts.
    whole: HubTokenizer,
    /// Cuts at the window's end.
    window: HubTokenizer,
    vocabulary: usize,
    types: usize,
    max_length: usize,
}

impl ModelTokenizer {
    /// Reads `tokenizer.json` of a folder, and gives its SHA-256 with it.
    pub(crate) fn open(
        folder: &Path,
        model: &str,
        vocabulary: usize,
        types: usize,
        max_length: usize,
    ) -> Result<(ModelTokenizer, String), ModelError> {
        let path = folder.join("tokenizer.json");
        let bytes = read_bytes(&path)?
            .ok_or_else(|| ModelError::broken(&path, "it is missing; a model folder has one"))?;
        let broken = |error: tokenizers::Error| {
            ModelError::broken(&path, format!("it cannot be read: {error}"))
        };
        let mut whole = HubTokenizer::from_bytes(&bytes).map_err(broken)?;
        // The file's own padding and truncation belong to whoever exported it.
        whole.with_padding(None);
        whole.with_truncation(None).map_err(broken)?;
        let mut window = whole.clone();
        let special = window.get_post_processor().map_or(0, |p| {
            use tokenizers::PostProcessor;
            p.added_tokens(false).max(p.added_tokens(true))
        });
        if special >= max_length {
            let reason = format!(
                "it adds {special} special tokens to a text, but the window has {max_length}"
            );
            return Err(ModelError::broken(&path, reason));
        }
        let cut = TruncationParams {
            max_length,
            ..TruncationParams::default()
        };
        window.with_truncation(Some(cut)).map_err(broken)?;
        let tokenizer = ModelTokenizer {
            model: model.to_owned(),
            whole,
            window,
            vocabulary,
            types,
            max_length,
        };
        // A text of its own shows at once whether tokenizer and weights belong together.
        tokenizer
            .sequence("a")
            .map_err(|error| ModelError::broken(&path, error.to_string()))?;
        let largest = tokenizer
            .whole
            .get_vocab(true)
            .values()
            .max()
            .copied()
            .unwrap_or(0);
        if largest as usize >= vocabulary {
            let reason = format!("it has token {largest}, but the model knows {vocabulary} tokens");
            return Err(ModelError::broken(&path, reason));
        }
        use sha2::Digest;
        let sha256 = hex(&sha2::Sha256::digest(&bytes));
        Ok((tokenizer, sha256))
    }

    /// The tokens of a text with the special tokens, cut at the window's end.
    pub(crate) fn sequence(&self, text: &str) -> Result<Sequence, ModelError> {
        let encoding = self
            .window
            .encode_fast(text, true)
            .map_err(|error| self.failed(error.to_string()))?;
        let (ids, types) = (encoding.get_ids(), encoding.get_type_ids());
        let unknown = ids.iter().find(|id| **id as usize >= self.vocabulary);
        if let Some(id) = unknown {
            let known = self.vocabulary;
            return Err(self.failed(format!("token {id} is not among the model's {known}")));
        }
        if types.iter().any(|kind| *kind as usize >= self.types)
            || ids.is_empty()
            || ids.len() > self.max_length
        {
            return Err(self.failed(format!(
                "it gave {} tokens for a window of {}",
                ids.len(),
                self.max_length
            )));
        }
        Ok(Sequence {
            ids: ids.to_vec(),
            types: types.to_vec(),
        })
    }

    fn failed(&self, reason: String) -> ModelError {
        ModelError::Tokenizer {
            model: self.model.clone(),
            reason,
        }
    }
}

impl Tokenizer for ModelTokenizer {
    fn token_ranges(&self, text: &str) -> Result<Vec<Range<usize>>, ModelError> {
        let encoding = self
            .whole
            .encode(text, false)
            .map_err(|error| self.failed(error.to_string()))?;
        Ok(encoding
            .get_offsets()
            .iter()
            .map(|&(start, end)| start..end)
            .collect())
    }
}
