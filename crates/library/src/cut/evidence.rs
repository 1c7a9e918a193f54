//! The evidence blocks of a document as one row of tokens.

use lahar_core::{CharRange, TextIndex};
use lahar_documents::{Block, BlockKind, Document, Row};
use lahar_models::Tokenizer;

use crate::LibraryError;

/// Evidence blocks and their tokens, in the order of the text.
pub(super) struct Evidence<'a> {
    pub document: &'a Document,
    pub index: &'a TextIndex<'a>,
    pub blocks: Vec<EvidenceBlock<'a>>,
    pub tokens: Vec<Token>,
}

/// One evidence block.
pub(super) struct EvidenceBlock<'a> {
    pub block: &'a Block,
    /// Its range, kept inside the text.
    pub range: CharRange,
    /// Its tokens among those of the document.
    pub tokens: std::ops::Range<usize>,
}

/// One token of the evidence, with its range of the stored text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub range: CharRange,
}

impl<'a> Evidence<'a> {
    pub fn of(
        document: &'a Document,
        index: &'a TextIndex<'a>,
        tokenizer: &dyn Tokenizer,
    ) -> Result<Evidence<'a>, LibraryError> {
        let mut blocks: Vec<EvidenceBlock<'a>> = Vec::new();
        let mut tokens: Vec<Token> = Vec::new();
        for block in document.blocks.iter().filter(|block| block.is_evidence()) {
            let range = CharRange::new(
                block.range.start.min(index.len()),
                block.range.end.min(index.len()),
            );
            let text = index.slice(range).unwrap_or_default();
            let offset = index.byte(range.start);
            let first = tokens.len();
            for bytes in tokenizer.token_ranges(text)? {
                let range = index.range(offset + bytes.start..offset + bytes.end);
                tokens.push(Token { range });
            }
            blocks.push(EvidenceBlock {
                block,
                range,
                tokens: first..tokens.len(),
            });
        }
        Ok(Evidence {
            document,
            index,
            blocks,
            tokens,
        })
    }

    /// The evidence between two positions, without white space at the ends of a span. Neighbouring
    /// blocks with nothing but white space between them are one span.
    pub fn spans(&self, range: CharRange) -> Vec<CharRange> {
        let mut spans: Vec<CharRange> = Vec::new();
        let first = self
            .blocks
            .partition_point(|block| block.range.end <= range.start);
        for block in &self.blocks[first..] {
            if block.range.start >= range.end {
                break;
            }
            let Some(span) = self.trimmed(CharRange::new(
                block.range.start.max(range.start),
                block.range.end.min(range.end),
            )) else {
                continue;
            };
            match spans.last_mut() {
                Some(last) if self.is_blank(CharRange::new(last.end, span.start)) => {
                    last.end = span.end;
                }
                _ => spans.push(span),
            }
        }
        spans
    }

    /// A range without the white space at its ends; `None` when nothing else is in it.
    pub fn trimmed(&self, range: CharRange) -> Option<CharRange> {
        let text = self.index.slice(range)?;
        let left = text.chars().take_while(|c| c.is_whitespace()).count();
        let right = text.chars().rev().take_while(|c| c.is_whitespace()).count();
        (left < range.len()).then(|| CharRange::new(range.start + left, range.end - right))
    }

    pub fn is_blank(&self, range: CharRange) -> bool {
        self.index
            .slice(range)
            .is_some_and(|text| text.trim().is_empty())
    }

    /// Whether a position lies between two letters or digits of one word.
    pub fn inside_word(&self, position: usize) -> bool {
        let Some(before) = position.checked_sub(1) else {
            return false;
        };
        self.index
            .slice(CharRange::new(before, position + 1))
            .is_some_and(|pair| pair.chars().all(char::is_alphanumeric))
    }

    /// How many tokens begin in a range.
    pub fn count(&self, range: CharRange) -> usize {
        let before = |position| {
            self.tokens
                .partition_point(|token| token.range.start < position)
        };
        before(range.end) - before(range.start)
    }

    /// Headings above the words at a position, the heading itself included when they are one.
    pub fn section_at(&self, position: usize) -> Vec<String> {
        let at = self
            .blocks
            .partition_point(|block| block.range.end <= position);
        let Some(block) = self.blocks.get(at) else {
            return Vec::new();
        };
        let mut section = block.block.section.clone();
        if matches!(block.block.kind, BlockKind::Heading { .. }) {
            let heading = self.index.slice(block.range).unwrap_or_default();
            let heading = heading.split_whitespace().collect::<Vec<_>>().join(" ");
            if !heading.is_empty() && section.last() != Some(&heading) {
                section.push(heading);
            }
        }
        section
    }

    /// The header of the table in whose rows a position lies.
    pub fn table_header_at(&self, position: usize) -> Option<CharRange> {
        let at = self
            .blocks
            .partition_point(|block| block.range.end <= position);
        match &self.blocks.get(at)?.block.kind {
            BlockKind::Table(table) => match &table.header {
                Some(Row { range, .. }) if range.end <= position => Some(*range),
                _ => None,
            },
            _ => None,
        }
    }

    /// First and last page of some spans.
    pub fn pages_of(&self, spans: &[CharRange]) -> Option<lahar_core::PageRange> {
        let (first, last) = (spans.first()?, spans.last()?);
        self.document
            .pages_of(CharRange::new(first.start, last.end))
    }
}
