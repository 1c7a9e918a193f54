//! Evidence spans: a verbatim quote with the document, page and range it stands in.

use serde::{Deserialize, Serialize};

use crate::hash::DocumentId;
use crate::text::{CharRange, TextIndex};

/// First and last page of a span, counted from 1 as people count the pages of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PageRange {
    /// First page.
    pub first: u32,
    /// Last page, the same as the first for most spans.
    pub last: u32,
}

/// Words of a document, with where they stand. The quote is the document's stored text at the
/// range, to the letter: the only way to make one is to cut it out.
///
/// ```
/// use lahar_core::{CharRange, DocumentId, EvidenceSpan, TextIndex};
/// let text = TextIndex::new("Keep 30 feet clear.");
/// let id = DocumentId::of(text.text().as_bytes());
/// let span = EvidenceSpan::cut(id, &text, CharRange::new(5, 12), None).unwrap();
/// assert_eq!(span.quote(), "30 feet");
/// assert!(EvidenceSpan::cut(id, &text, CharRange::new(5, 99), None).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct EvidenceSpan {
    document: DocumentId,
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<PageRange>,
    range: CharRange,
    quote: String,
}

/// Why no evidence span can be cut.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpanError {
    /// The range ends behind the text.
    #[error("range {start}..{end} leaves the document's {length} characters", start = range.start, end = range.end)]
    OutsideDocument {
        /// What was asked for.
        range: CharRange,
        /// How long the text is.
        length: usize,
    },
    /// Nothing but white space lies in the range.
    #[error("range {start}..{end} holds no words", start = range.start, end = range.end)]
    Empty {
        /// What was asked for.
        range: CharRange,
    },
}

impl EvidenceSpan {
    /// Cuts a quote out of a document's stored text.
    pub fn cut(
        document: DocumentId,
        text: &TextIndex<'_>,
        range: CharRange,
        pages: Option<PageRange>,
    ) -> Result<EvidenceSpan, SpanError> {
        let quote = text.slice(range).ok_or(SpanError::OutsideDocument {
            range,
            length: text.len(),
        })?;
        if quote.trim().is_empty() {
            return Err(SpanError::Empty { range });
        }
        Ok(EvidenceSpan {
            document,
            pages,
            range,
            quote: quote.to_owned(),
        })
    }

    /// The document quoted.
    pub fn document(&self) -> DocumentId {
        self.document
    }

    /// The pages the quote stands on, where the document has pages.
    pub fn pages(&self) -> Option<PageRange> {
        self.pages
    }

    /// Where the quote stands in the document's stored text.
    pub fn range(&self) -> CharRange {
        self.range
    }

    /// The words, verbatim.
    pub fn quote(&self) -> &str {
        &self.quote
    }
}
