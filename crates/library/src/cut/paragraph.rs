//! The document's own paragraphs and tables.

use lahar_core::{CharRange, TextIndex};
use lahar_documents::{Block, BlockKind, Table};

use super::Piece;
use super::evidence::Evidence;
use super::fixed::{CONTEXT_TOKENS, WINDOW_TOKENS};

/// A paragraph, list or table of more tokens is cut further, between sentences or rows: it would
/// not fit into a model's window. The same length as the longest fixed chunk.
pub const LONGEST_PARAGRAPH: usize = WINDOW_TOKENS + 2 * CONTEXT_TOKENS;

/// One chunk a paragraph or table, with the headings that stand directly above it. The items of a
/// list are one chunk with the paragraph that introduces them. A paragraph that a page break
/// divided is whole again. Later parts of a long table repeat its header.
pub(super) fn cut(evidence: &Evidence<'_>) -> Vec<Piece> {
    let mut cutter = Cutter {
        evidence,
        pieces: Vec::new(),
        group: None,
    };
    for (number, block) in evidence.blocks.iter().enumerate() {
        if evidence.trimmed(block.range).is_none() {
            continue;
        }
        if cutter.begins_anew(number) {
            cutter.close();
        }
        let group = cutter.group.get_or_insert(Group {
            first: number,
            last: number,
        });
        group.last = number;
    }
    cutter.close();
    cutter.pieces
}

/// Neighbouring blocks that make one chunk.
struct Group {
    first: usize,
    last: usize,
}

struct Cutter<'e, 'a> {
    evidence: &'e Evidence<'a>,
    pieces: Vec<Piece>,
    group: Option<Group>,
}

impl Cutter<'_, '_> {
    fn begins_anew(&self, number: usize) -> bool {
        let Some(group) = &self.group else {
            return false;
        };
        let before = &self.evidence.blocks[group.last];
        let block = &self.evidence.blocks[number];
        match (&before.block.kind, &block.block.kind) {
            (BlockKind::Heading { .. }, _) => false,
            (BlockKind::ListItem, BlockKind::ListItem) => {
                before.block.section != block.block.section || self.would_be_long(group, number)
            }
            (BlockKind::Paragraph, BlockKind::ListItem) => {
                !self.text(before.range).trim_end().ends_with(':')
                    || self.would_be_long(group, number)
            }
            (BlockKind::Paragraph, BlockKind::Paragraph) => !self.is_continued(group.last, number),
            _ => true,
        }
    }

    fn would_be_long(&self, group: &Group, number: usize) -> bool {
        let start = self.evidence.blocks[group.first].tokens.start;
        self.evidence.blocks[number].tokens.end - start > WINDOW_TOKENS
    }

    /// Whether a block goes on with a sentence that something left out, a running head at a page
    /// break, has divided.
    fn is_continued(&self, before: usize, number: usize) -> bool {
        let (before, block) = (&self.evidence.blocks[before], &self.evidence.blocks[number]);
        if self
            .evidence
            .is_blank(CharRange::new(before.range.end, block.range.start))
        {
            return false;
        }
        let unfinished = self
            .text(before.range)
            .trim_end()
            .ends_with(|c: char| c.is_alphanumeric() || c == ',' || c == '-');
        let goes_on = self
            .text(block.range)
            .trim_start()
            .starts_with(char::is_lowercase);
        unfinished && goes_on
    }

    fn text(&self, range: CharRange) -> &str {
        self.evidence.index.slice(range).unwrap_or_default()
    }

    fn close(&mut self) {
        let Some(group) = self.group.take() else {
            return;
        };
        let blocks = &self.evidence.blocks;
        let whole = CharRange::new(
            blocks[group.first].range.start,
            blocks[group.last].range.end,
        );
        let tokens = blocks[group.last].tokens.end - blocks[group.first].tokens.start;
        if tokens <= LONGEST_PARAGRAPH {
            self.push(whole, None);
            return;
        }
        match &blocks[group.last].block.kind {
            BlockKind::Table(table) if !table.rows.is_empty() => {
                for (range, header) in table_parts(self.evidence, whole, table) {
                    self.push_parts(range, header);
                }
            }
            _ => self.push_parts(whole, None),
        }
    }

    /// One piece, or as many as it takes to keep each within the limit.
    fn push_parts(&mut self, range: CharRange, header: Option<CharRange>) {
        if self.evidence.count(range) <= LONGEST_PARAGRAPH {
            self.push(range, header);
            return;
        }
        for part in sentence_parts(self.evidence, range) {
            self.push(part, header);
        }
    }

    fn push(&mut self, range: CharRange, header: Option<CharRange>) {
        let core = self.evidence.spans(range);
        let Some(first_own) = core.first().map(|span| span.start) else {
            return;
        };
        let mut spans = core.clone();
        if let Some(header) = header {
            spans.insert(0, header);
        }
        self.pieces.push(Piece {
            pages: self.evidence.pages_of(&core),
            section: section_of(&self.evidence.blocks, self.evidence, first_own),
            table_header: header,
            core,
            spans,
        });
    }
}

/// The headings above the first words of a piece that are no heading; a piece begins with the
/// headings that stand directly above it, and these are above its paragraph.
fn section_of(
    blocks: &[super::evidence::EvidenceBlock<'_>],
    evidence: &Evidence<'_>,
    position: usize,
) -> Vec<String> {
    let at = blocks.partition_point(|block| block.range.end <= position);
    let is_heading = |block: &Block| matches!(block.kind, BlockKind::Heading { .. });
    match blocks[at..].iter().find(|block| !is_heading(block.block)) {
        Some(body) if blocks.get(at).is_some_and(|block| is_heading(block.block)) => {
            body.block.section.clone()
        }
        _ => evidence.section_at(position),
    }
}

/// Runs of rows of at most a window's tokens. The first part holds what stands above the rows.
fn table_parts(
    evidence: &Evidence<'_>,
    whole: CharRange,
    table: &Table,
) -> Vec<(CharRange, Option<CharRange>)> {
    let header = table.header.as_ref().map(|row| row.range);
    let mut parts = Vec::new();
    let mut start = whole.start;
    for row in &table.rows[1..] {
        // A part grows until the next row would overfill it.
        if evidence.count(CharRange::new(start, row.range.end)) > WINDOW_TOKENS {
            parts.push(CharRange::new(start, row.range.start));
            start = row.range.start;
        }
    }
    parts.push(CharRange::new(start, whole.end));
    parts
        .into_iter()
        .enumerate()
        .map(|(number, range)| (range, header.filter(|_| number > 0)))
        .collect()
}

/// Runs of sentences of at most a window's tokens; a longer sentence is cut between words.
fn sentence_parts(evidence: &Evidence<'_>, range: CharRange) -> Vec<CharRange> {
    let tokens = &evidence.tokens;
    let first = tokens.partition_point(|token| token.range.start < range.start);
    let end = tokens.partition_point(|token| token.range.start < range.end);
    let mut cuts = vec![range.start];
    let mut start = first;
    while end - start > WINDOW_TOKENS {
        let limit = start + WINDOW_TOKENS;
        // Not in the first half, so that a heading or a short sentence does not stand alone.
        let candidates = || (start + WINDOW_TOKENS / 2..=limit).rev();
        let next = candidates()
            .find(|&token| ends_sentence(evidence.index, tokens[token].range.start))
            .or_else(|| candidates().find(|&t| !evidence.inside_word(tokens[t].range.start)))
            .unwrap_or(limit);
        cuts.push(tokens[next].range.start);
        start = next;
    }
    cuts.push(range.end);
    cuts.windows(2)
        .map(|pair| CharRange::new(pair[0], pair[1]))
        .collect()
}

/// Whether what stands before a position is the end of a sentence or of a line.
fn ends_sentence(index: &TextIndex<'_>, position: usize) -> bool {
    let before = CharRange::new(position.saturating_sub(4), position);
    let Some(before) = index.slice(before) else {
        return false;
    };
    let blank: String = before
        .chars()
        .rev()
        .take_while(|c| c.is_whitespace())
        .collect();
    let words = before.trim_end().trim_end_matches(['"', '”', '’', ')']);
    !blank.is_empty() && (blank.contains('\n') || words.ends_with(['.', '!', '?', ';']))
}
