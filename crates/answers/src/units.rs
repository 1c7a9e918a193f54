//! What may be quoted: whole sentences, list items and table rows around the retrieved chunks.

use lahar_core::{CharRange, TextIndex};
use lahar_documents::{Block, BlockKind};

use crate::sentences::sentences;

/// A piece of a document that can be quoted by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Where it stands.
    pub range: CharRange,
    /// What must be quoted with it to be understood: the header of a table's row.
    pub header: Option<CharRange>,
    /// Innermost heading above it.
    pub section: Option<String>,
}

/// A sentence longer than this is a listing without full stops; it is quoted line by line.
const LONGEST_SENTENCE: usize = 600;

/// The units of a document that share at least one character with a chunk's spans. Sentences are
/// taken whole, also where a chunk's window cuts them.
pub fn units(text: &TextIndex<'_>, blocks: &[Block], spans: &[CharRange]) -> Vec<Unit> {
    let touched = |range: CharRange| spans.iter().any(|span| span.overlaps(range));
    let mut found = Vec::new();
    for block in blocks
        .iter()
        .filter(|block| block.is_evidence() && touched(block.range))
    {
        let section = block.section.last().cloned();
        match &block.kind {
            BlockKind::Table(table) => {
                let header = table.header.as_ref().map(|row| row.range);
                found.extend(
                    table
                        .rows
                        .iter()
                        .filter(|row| touched(row.range))
                        .map(|row| Unit {
                            range: row.range,
                            header,
                            section: section.clone(),
                        }),
                );
            }
            BlockKind::Paragraph | BlockKind::ListItem => {
                let whole = sentence_ranges(text, block.range);
                found.extend(
                    whole
                        .into_iter()
                        .filter(|range| touched(*range))
                        .map(|range| Unit {
                            range,
                            header: None,
                            section: section.clone(),
                        }),
                );
            }
            _ => {}
        }
    }
    found
}

fn sentence_ranges(text: &TextIndex<'_>, block: CharRange) -> Vec<CharRange> {
    let first_byte = text.byte(block.start);
    let slice = text.slice(block).unwrap_or("");
    let mut ranges = Vec::new();
    for sentence in sentences(slice) {
        let piece = &slice[sentence.clone()];
        if piece.len() <= LONGEST_SENTENCE || !piece.contains('\n') {
            ranges.push(text.range(first_byte + sentence.start..first_byte + sentence.end));
            continue;
        }
        let mut at = first_byte + sentence.start;
        for line in piece.split_inclusive('\n') {
            let trimmed = line.trim();
            if !trimmed.is_empty() {
                let start = at + (line.len() - line.trim_start().len());
                ranges.push(text.range(start..start + trimmed.len()));
            }
            at += line.len();
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use lahar_documents::{Row, Table};

    use super::*;

    fn block(kind: BlockKind, start: usize, end: usize) -> Block {
        Block {
            kind,
            range: CharRange::new(start, end),
            section: vec!["Top".into(), "Low".into()],
        }
    }

    #[test]
    fn a_sentence_is_taken_whole_where_the_chunk_cuts_it() {
        let text = "First one. The second sentence is long. Third.";
        let index = TextIndex::new(text);
        let blocks = [block(BlockKind::Paragraph, 0, text.len())];
        let found = units(&index, &blocks, &[CharRange::new(20, 30)]);
        assert_eq!(found.len(), 1);
        assert_eq!(
            index.slice(found[0].range),
            Some("The second sentence is long.")
        );
        assert_eq!(found[0].section.as_deref(), Some("Low"));
    }

    #[test]
    fn a_row_comes_with_its_header_and_a_running_head_not_at_all() {
        let text = "HEAD\nPlace | Time\nHilo | 9 PM\nKona | 8 PM";
        let index = TextIndex::new(text);
        let row = |start, end| Row {
            range: CharRange::new(start, end),
            cells: vec![],
        };
        let table = Table {
            caption: None,
            header: Some(row(5, 17)),
            rows: vec![row(18, 29), row(30, 41)],
        };
        let blocks = [
            block(BlockKind::RunningHead, 0, 4),
            block(BlockKind::Table(table), 5, 41),
        ];
        let found = units(&index, &blocks, &[CharRange::new(0, 29)]);
        assert_eq!(found.len(), 1);
        assert_eq!(index.slice(found[0].range), Some("Hilo | 9 PM"));
        assert_eq!(found[0].header, Some(CharRange::new(5, 17)));
    }
}
