//! What reading a document yields: its stored text, and the structure found in it.
//!
//! The stored text is everything that was read, in reading order. Structure never changes it: pages,
//! blocks and tables are ranges of it, so a quote found in a block is a quote of the document.

use lahar_core::{CharRange, DocumentId, PageRange, PublicationDate};
use serde::{Deserialize, Serialize};

/// A document as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Hash of the file's bytes.
    pub id: DocumentId,
    /// What the bytes turned out to be, whatever the file's name says.
    pub format: Format,
    /// Title found in the document, one line without control characters; `None` when it has none.
    pub title: Option<String>,
    /// What the document states about itself beside its title.
    pub properties: Properties,
    /// Everything that was read.
    pub text: String,
    /// Pages in order, counted from 1; empty for formats without pages.
    pub pages: Vec<Page>,
    /// Blocks in the order of the text; they do not overlap.
    pub blocks: Vec<Block>,
    /// What could not be read, for the ingest report.
    pub warnings: Vec<String>,
}

/// What a document states about itself, where its format has a place for it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Properties {
    /// Who wrote it, one line without control characters.
    pub author: Option<String>,
    /// The day on which its text was changed last, else the day on which it was made.
    pub date: Option<PublicationDate>,
}

/// Formats with a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Format {
    /// Portable Document Format.
    Pdf,
    /// Office Open XML documents, as Microsoft Word writes them.
    Docx,
    /// HTML, any version.
    Html,
    /// CommonMark with tables.
    Markdown,
    /// Text without markup.
    Text,
}

/// One page of a document that has pages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// The page's number, counted from 1 in the file.
    pub number: u32,
    /// Its part of the stored text.
    pub range: CharRange,
    /// Whether its text could be read.
    pub status: PageStatus,
}

/// Whether a page's text could be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "status")]
pub enum PageStatus {
    /// Text was read.
    Text,
    /// The page carries neither text nor pictures.
    Blank,
    /// A picture without a text layer: needs OCR.
    NoTextLayer,
    /// Glyphs without a map to characters.
    NoTextMap,
    /// The page could not be read.
    Unreadable {
        /// The reader's words.
        reason: String,
    },
}

/// A piece of the document with one role.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Where it stands.
    pub range: CharRange,
    /// Headings above it, outermost first.
    pub section: Vec<String>,
}

/// What a block is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    /// A heading; 1 is the outermost level.
    Heading {
        /// 1 to 6.
        level: u8,
    },
    /// Running text.
    Paragraph,
    /// One item of a list.
    ListItem,
    /// A table.
    Table(Table),
    /// A line that stands on most pages, page numbers included.
    RunningHead,
    /// A table of contents, or a list of figures or tables.
    Contents,
    /// A list of references.
    References,
    /// Acknowledgements.
    Acknowledgements,
}

/// A table as ranges of the stored text; its block's range spans caption, header and rows.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Table {
    /// The caption, where the table has one.
    pub caption: Option<CharRange>,
    /// The header row, where the table has one.
    pub header: Option<Row>,
    /// The other rows, in order.
    pub rows: Vec<Row>,
}

/// One row of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The whole row.
    pub range: CharRange,
    /// Its cells, in order.
    pub cells: Vec<CharRange>,
}

impl Block {
    /// Whether the block may stand in a chunk and be quoted as evidence. Running heads, contents,
    /// reference lists and acknowledgements may not: they name subjects without saying anything
    /// about them.
    pub fn is_evidence(&self) -> bool {
        !matches!(
            self.kind,
            BlockKind::RunningHead
                | BlockKind::Contents
                | BlockKind::References
                | BlockKind::Acknowledgements
        )
    }
}

impl Document {
    /// First and last page that a range touches; `None` for formats without pages.
    pub fn pages_of(&self, range: CharRange) -> Option<PageRange> {
        pages_of(&self.pages, range)
    }
}

/// First and last of `pages` that a range touches. A range in the gap between two pages belongs
/// to the page before it.
pub fn pages_of(pages: &[Page], range: CharRange) -> Option<PageRange> {
    let last_position = range.end.saturating_sub(1).max(range.start);
    let page_at = |position: usize| {
        let behind = pages.partition_point(|page| page.range.start <= position);
        pages.get(behind.saturating_sub(1)).map(|page| page.number)
    };
    Some(PageRange {
        first: page_at(range.start)?,
        last: page_at(last_position)?,
    })
}
