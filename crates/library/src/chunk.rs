//! Chunks: the pieces of a document that are searched.

use lahar_core::{CharRange, HazardWeights, PageRange};
use serde::{Deserialize, Serialize};

/// How a document is cut into chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ChunkKind {
    /// Windows of 200 tokens with 50 tokens of context before and after.
    Fixed,
    /// The document's own paragraphs and tables.
    Paragraph,
}

impl ChunkKind {
    /// The name in commands, JSON and the store.
    pub fn name(self) -> &'static str {
        match self {
            ChunkKind::Fixed => "fixed",
            ChunkKind::Paragraph => "paragraph",
        }
    }

    /// Reads a name.
    pub fn parse(name: &str) -> Option<ChunkKind> {
        match name.trim().to_ascii_lowercase().as_str() {
            "fixed" => Some(ChunkKind::Fixed),
            "paragraph" => Some(ChunkKind::Paragraph),
            _ => None,
        }
    }
}

/// A piece of a document. It holds ranges of the stored text, never text of its own making.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    /// How it was cut.
    pub kind: ChunkKind,
    /// Ranges of the stored text, in order, without overlap: one, or more where text that is no
    /// evidence (a running head at a page break) was left out between them.
    pub spans: Vec<CharRange>,
    /// First and last page, where the document has pages. A table's header that is repeated in
    /// front of later rows does not count.
    pub pages: Option<PageRange>,
    /// Headings above its first word, outermost first. Words taken over as context from the chunk
    /// before do not count.
    pub section: Vec<String>,
    /// What it is about.
    pub hazards: HazardWeights,
}

impl Chunk {
    /// From the first to behind the last scalar value of the chunk.
    pub fn covering(&self) -> CharRange {
        match (self.spans.first(), self.spans.last()) {
            (Some(first), Some(last)) => CharRange::new(first.start, last.end),
            _ => CharRange::new(0, 0),
        }
    }
}
