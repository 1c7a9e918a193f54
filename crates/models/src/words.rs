//! A tokenizer that needs no model: words, and each other mark by itself.

use std::ops::Range;

use crate::ModelError;
use crate::embed::Tokenizer;

/// Runs of letters and digits are one token each, and so is every other character that is not
/// white space. Chunks are cut with it where no embedding model is installed.
#[derive(Debug, Clone, Copy, Default)]
pub struct WordTokenizer;

impl Tokenizer for WordTokenizer {
    fn token_ranges(&self, text: &str) -> Result<Vec<Range<usize>>, ModelError> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let mut in_word = false;
        for (start, c) in text.char_indices() {
            let end = start + c.len_utf8();
            match ranges.last_mut() {
                Some(last) if in_word && c.is_alphanumeric() => last.end = end,
                _ if !c.is_whitespace() => ranges.push(start..end),
                _ => {}
            }
            in_word = c.is_alphanumeric();
        }
        Ok(ranges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_marks_are_tokens() {
        let text = "M9.2, Ōtaki  é!";
        let tokens: Vec<_> = WordTokenizer.token_ranges(text).unwrap();
        let tokens: Vec<_> = tokens.into_iter().map(|r| &text[r]).collect();
        assert_eq!(tokens, ["M9", ".", "2", ",", "Ōtaki", "é", "!"]);
    }
}
