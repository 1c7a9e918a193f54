//! Cutting a document into chunks.
//!
//! Both chunkers see evidence blocks only: running heads, contents, reference lists and
//! acknowledgements are left out, and what stands on either side of them is read on as if they
//! were not there. A piece is ranges of the stored text.

mod evidence;
mod fixed;
mod paragraph;

use lahar_core::{CharRange, PageRange, TextIndex};
use lahar_documents::Document;
use lahar_models::Tokenizer;

use crate::LibraryError;
use crate::chunk::ChunkKind;
use evidence::Evidence;

pub use fixed::{CONTEXT_TOKENS, WINDOW_TOKENS};
pub use paragraph::LONGEST_PARAGRAPH;

/// A chunk before it is labelled.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// Its own words. Over all pieces of a document, these hold every character of the evidence
    /// that is not white space exactly once.
    pub core: Vec<CharRange>,
    /// Its own words and the context taken over from its neighbours.
    pub spans: Vec<CharRange>,
    /// First and last page.
    pub pages: Option<PageRange>,
    /// Headings above its first own word.
    pub section: Vec<String>,
    /// The header row of the table in whose rows it begins. Part of `spans` where the chunker
    /// repeats headers, and no part of them otherwise.
    pub table_header: Option<CharRange>,
}

/// Cuts a document.
pub fn cut(
    document: &Document,
    kind: ChunkKind,
    tokenizer: &dyn Tokenizer,
) -> Result<Vec<Piece>, LibraryError> {
    let index = TextIndex::new(&document.text);
    let evidence = Evidence::of(document, &index, tokenizer)?;
    Ok(match kind {
        ChunkKind::Fixed => fixed::cut(&evidence),
        ChunkKind::Paragraph => paragraph::cut(&evidence),
    })
}

/// The text of some spans, joined by line breaks. Spans that leave the text are left out.
pub fn text_of(index: &TextIndex<'_>, spans: &[CharRange]) -> String {
    let parts: Vec<&str> = spans.iter().filter_map(|span| index.slice(*span)).collect();
    parts.join("\n")
}
