//! The model's own tokenizer, from `tokenizer.json`.

use std::ops::Range;
use std::path::Path;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use tokenizers::{
    Encoding, PostProcessor, Tokenizer as HubTokenizer, TruncationDirection, TruncationParams,
};

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
        self.checked(encoding.get_ids(), encoding.get_type_ids())
    }

    /// The tokens of a prefixed text as [`ModelTokenizer::sequence`] gives them, and the places
    /// of the text's own tokens: each its number among all tokens and its byte range in `text`.
    pub(crate) fn located(
        &self,
        prefix: &str,
        text: &str,
        lower_case: bool,
    ) -> Result<(Sequence, Vec<Place>), ModelError> {
        let lowered = lower_case.then(|| Lowered::of(text));
        let prefix = match lower_case {
            true => prefix.to_lowercase(),
            false => prefix.to_owned(),
        };
        let read = match &lowered {
            Some(lowered) => format!("{prefix}{}", lowered.text),
            None => format!("{prefix}{text}"),
        };
        let encoding = self
            .window
            .encode(read.as_str(), true)
            .map_err(|error| self.failed(error.to_string()))?;
        let sequence = self.checked(encoding.get_ids(), encoding.get_type_ids())?;
        let special = encoding.get_special_tokens_mask();
        let mut places = Vec::with_capacity(special.len());
        for (number, &(start, end)) in encoding.get_offsets().iter().enumerate() {
            if special[number] != 0 || start < prefix.len() {
                continue;
            }
            let (start, end) = (start - prefix.len(), end - prefix.len());
            let range = match &lowered {
                Some(lowered) => lowered.original(start)..lowered.original(end),
                None => start..end,
            };
            places.push((number, range));
        }
        Ok((sequence, places))
    }

    /// A question and a passage as a model of pairs reads them. The passage is cut where both
    /// together are longer than the window. A question so long that it would leave less than half
    /// of the window to the passage is cut to the other half: nothing else would be compared.
    pub(crate) fn pair(&self, question: &str, passage: &str) -> Result<Sequence, ModelError> {
        let failed = |error: tokenizers::Error| self.failed(error.to_string());
        let cut = |text: &str, room: usize| -> Result<Encoding, ModelError> {
            let mut encoding = self.whole.encode_fast(text, false).map_err(failed)?;
            encoding.truncate(room, 0, TruncationDirection::Right);
            encoding.take_overflowing();
            Ok(encoding)
        };
        let special = self
            .whole
            .get_post_processor()
            .map_or(0, |processor| processor.added_tokens(true));
        let room = self.max_length.saturating_sub(special);
        let question = cut(question, room.div_ceil(2))?;
        let passage = cut(passage, room - question.get_ids().len())?;
        let pair = self
            .whole
            .post_process(question, Some(passage), true)
            .map_err(failed)?;
        self.checked(pair.get_ids(), pair.get_type_ids())
    }

    /// A sequence that the encoder can take.
    fn checked(&self, ids: &[u32], types: &[u32]) -> Result<Sequence, ModelError> {
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

/// A token of a text: its number in the sequence, and its byte range in the text.
pub(crate) type Place = (usize, Range<usize>);

/// A text in lower case, with the way back to the text itself.
struct Lowered {
    text: String,
    /// For each byte of the lowered text the first byte of the character it came from, and at the
    /// end the length of the original.
    origins: Vec<usize>,
}

impl Lowered {
    fn of(text: &str) -> Lowered {
        let mut origins = Vec::with_capacity(text.len() + 1);
        for (at, c) in text.char_indices() {
            let length: usize = c.to_lowercase().map(char::len_utf8).sum();
            origins.extend(std::iter::repeat_n(at, length));
        }
        origins.push(text.len());
        // Lower case of the whole text differs from that of its characters only in which of two
        // sigmas of equal length is chosen.
        Lowered {
            text: text.to_lowercase(),
            origins,
        }
    }

    fn original(&self, byte: usize) -> usize {
        let last = self.origins.last().copied().unwrap_or_default();
        self.origins.get(byte).copied().unwrap_or(last)
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
