//! Ranges of stored text, counted in Unicode scalar values, and their map to bytes.
//!
//! Everything Lahar shows or stores counts scalar values, because that is what the interface
//! promises and what Python's `str` and people's tools count. Rust slices by bytes; [`TextIndex`]
//! is the one place where the two meet.

use serde::{Deserialize, Serialize};

/// A half-open range `start..end` of Unicode scalar values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CharRange {
    /// First scalar value inside.
    pub start: usize,
    /// First scalar value behind.
    pub end: usize,
}

impl CharRange {
    /// A range; `end` before `start` makes it empty at `start`.
    pub fn new(start: usize, end: usize) -> CharRange {
        CharRange {
            start,
            end: end.max(start),
        }
    }

    /// Number of scalar values.
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether nothing lies inside.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Whether the other range lies wholly inside this one.
    pub fn contains(&self, other: CharRange) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two share at least one scalar value.
    pub fn overlaps(&self, other: CharRange) -> bool {
        self.start.max(other.start) < self.end.min(other.end)
    }
}

/// Byte positions of every 64th scalar value, so that a range is cut out of a long text without
/// walking it from the start.
#[derive(Debug, Clone)]
pub struct TextIndex<'a> {
    text: &'a str,
    marks: Vec<usize>,
    chars: usize,
}

const STRIDE: usize = 64;

impl<'a> TextIndex<'a> {
    /// Indexes a text in one pass.
    pub fn new(text: &'a str) -> TextIndex<'a> {
        let mut marks = Vec::with_capacity(text.len() / STRIDE + 1);
        let mut chars = 0_usize;
        for (byte, _) in text.char_indices() {
            if chars.is_multiple_of(STRIDE) {
                marks.push(byte);
            }
            chars += 1;
        }
        TextIndex { text, marks, chars }
    }

    /// The indexed text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Length in scalar values.
    pub fn len(&self) -> usize {
        self.chars
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.chars == 0
    }

    /// The byte at which a scalar value begins; the text's length for positions at or behind its
    /// end.
    pub fn byte(&self, position: usize) -> usize {
        if position >= self.chars {
            return self.text.len();
        }
        let mark = self.marks[position / STRIDE];
        let rest = &self.text[mark..];
        rest.char_indices()
            .nth(position % STRIDE)
            .map_or(self.text.len(), |(byte, _)| mark + byte)
    }

    /// The scalar value that holds a byte; the length for bytes at or behind the end.
    pub fn position(&self, byte: usize) -> usize {
        if byte >= self.text.len() {
            return self.chars;
        }
        let block = self.marks.partition_point(|&mark| mark <= byte) - 1;
        let within = self.text[self.marks[block]..]
            .char_indices()
            .take_while(|(offset, _)| self.marks[block] + offset <= byte)
            .count();
        block * STRIDE + within - 1
    }

    /// The text of a range, or `None` where the range leaves the text.
    pub fn slice(&self, range: CharRange) -> Option<&'a str> {
        (range.end <= self.chars).then(|| &self.text[self.byte(range.start)..self.byte(range.end)])
    }

    /// The range of scalar values that a range of bytes covers.
    pub fn range(&self, bytes: std::ops::Range<usize>) -> CharRange {
        CharRange::new(self.position(bytes.start), self.position(bytes.end))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_slice_counts_scalar_values_and_refuses_what_lies_outside() {
        let text = format!("{}é漢b", "a".repeat(100));
        let index = TextIndex::new(&text);
        assert_eq!(index.slice(CharRange::new(100, 102)), Some("é漢"));
        assert_eq!(index.slice(CharRange::new(102, 104)), None);
        assert_eq!(TextIndex::new("").slice(CharRange::new(0, 0)), Some(""));
    }

    proptest! {
        #[test]
        fn bytes_and_positions_are_inverse(text in ".{0,300}") {
            let index = TextIndex::new(&text);
            for (position, (byte, _)) in text.char_indices().enumerate() {
                prop_assert_eq!(index.byte(position), byte);
                prop_assert_eq!(index.position(byte), position);
            }
            prop_assert_eq!(index.position(text.len()), index.len());
        }
    }
}
