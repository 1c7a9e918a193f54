//! The tagger trait: a text in, labelled spans out.

use std::ops::Range;

use crate::ModelError;

/// A stretch of a text that a tagger gives a label.
#[derive(Debug, Clone, PartialEq)]
pub struct TaggedSpan {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// The label without its place in the span: `LOC` for `B-LOC`.
    pub label: String,
    /// The mean of the label's probability over the span's words, 0 to 1.
    pub score: f32,
}

/// A model that labels the words of a text, such as names of places and people.
pub trait TokenTagger: Send + Sync {
    /// Name for people.
    fn name(&self) -> &str;

    /// The labels that it can give, each once.
    fn labels(&self) -> &[String];

    /// The labelled spans of a text, in order, none overlapping another.
    fn tag(&self, text: &str) -> Result<Vec<TaggedSpan>, ModelError>;
}
