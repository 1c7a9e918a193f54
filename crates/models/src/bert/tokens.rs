//! The model's own tokenizer, from `tokenizer.json`.

use std::ops::Range;
use std::path::Path;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use tokenizers::{PostProcessor, Tokenizer as HubTokenizer, TruncationParams};

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
        // The tokenizer crate panics on some contents that are not a tokenizer's, most of them
        // when it reads them, some when it first adds its special tokens to a text.
        let (whole, window) = std::panic::catch_unwind(|| read(&bytes, max_length))
            .unwrap_or_else(|_| Err("its contents are not those of a tokenizer".into()))
            .map_err(|error| ModelError::broken(&path, format!("it cannot be read: {error}")))?;
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
        let sha256 = hex(&Sha256::digest(&bytes));
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

/// The tokenizer without and with a window, each tried on a text.
fn read(bytes: &[u8], max_length: usize) -> tokenizers::Result<(HubTokenizer, HubTokenizer)> {
    let mut file: Map<String, Value> = serde_json::from_slice(bytes)?;
    // The file's own padding and truncation belong to whoever exported it, and nothing is decoded
    // here.
    for unused in ["padding", "truncation", "decoder"] {
        file.remove(unused);
    }
    let whole = HubTokenizer::from_bytes(serde_json::to_vec(&file)?)?;
    let special = whole
        .get_post_processor()
        .map_or(0, |p| p.added_tokens(false));
    if special >= max_length {
        let reason =
            format!("it adds {special} special tokens to a text, but the window has {max_length}");
        return Err(reason.into());
    }
    let mut window = whole.clone();
    window.with_truncation(Some(TruncationParams {
        max_length,
        ..TruncationParams::default()
    }))?;
    window.encode_fast("a", true)?;
    Ok((whole, window))
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
