//! Builds a stored text together with the ranges that describe it.

use std::borrow::Cow;

use lahar_core::CharRange;

use crate::document::{Block, BlockKind, Document, Format, Page, Properties, Row, Table};

/// Longest heading that is repeated with the blocks below it, in characters.
const LONGEST_TITLE: usize = 300;

/// Grows a stored text. Positions are counted in scalar values as the text grows, so that ranges
/// need no second pass.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    pub text: String,
    pub position: usize,
    pub blocks: Vec<Block>,
    pub pages: Vec<Page>,
    sections: Vec<(u8, String)>,
}

impl Builder {
    /// Appends characters. Files are cleaned when they are decoded, but HTML and Markdown can name
    /// a character too (`&#27;`), so that the last door is kept as well.
    pub fn push(&mut self, text: &str) {
        let text = &*printable(text);
        self.text.push_str(text);
        self.position += text.chars().count();
    }

    /// Makes sure that what follows is parted from what stands by `gap`, a run of line ends.
    pub fn part(&mut self, gap: &str) {
        if self.text.is_empty() {
            return;
        }
        let standing = self.text.len() - self.text.trim_end_matches('\n').len();
        if let Some(missing) = gap.get(standing.min(gap.len())..) {
            self.push(missing);
        }
    }

    /// Parts a block of this kind from what stands before it: items of one list by a line end,
    /// all else by a blank line.
    pub fn part_for(&mut self, kind: &BlockKind) {
        let standing = self.text.len() - self.text.trim_end_matches('\n').len();
        let near = *kind == BlockKind::ListItem
            && self.blocks.last().is_some_and(|block| {
                block.kind == BlockKind::ListItem && block.range.end + standing == self.position
            });
        self.part(if near { "\n" } else { "\n\n" });
    }

    /// Appends one block, parted from what stands before it. A block without characters is none.
    pub fn block(&mut self, kind: BlockKind, text: &str) {
        self.marked_block(kind, "", text);
    }

    /// Appends one block whose marker, a bullet or a number, stands before it in the text.
    pub fn marked_block(&mut self, kind: BlockKind, marker: &str, text: &str) {
        let text = &*printable(text);
        if text.trim().is_empty() {
            return;
        }
        self.part_for(&kind);
        self.push(marker);
        let start = self.position;
        self.push(text);
        let range = CharRange::new(start, self.position);
        let section = match kind {
            BlockKind::Heading { level } => self.open_section(level, text),
            _ => self.section(),
        };
        self.blocks.push(Block {
            kind,
            range,
            section,
        });
    }

    /// Appends characters that belong to no block: separators, rules.
    pub fn outside(&mut self, text: &str) {
        self.part("\n");
        self.push(text);
    }

    /// Forgets the headings above.
    pub fn leave_sections(&mut self) {
        self.sections.clear();
    }

    /// The headings above the next block.
    pub fn section(&self) -> Vec<String> {
        self.sections
            .iter()
            .map(|(_, title)| title.clone())
            .collect()
    }

    fn open_section(&mut self, level: u8, text: &str) -> Vec<String> {
        self.sections.retain(|(above, _)| *above < level);
        let section = self.section();
        // Each block below repeats it, so that a heading of a megabyte must not stand there whole.
        let title = crate::decode::one_line(&printable(text));
        let title: String = title.chars().take(LONGEST_TITLE).collect();
        self.sections
            .push((level, title.trim_matches([':', '.', ' ']).to_owned()));
        section
    }

    /// Appends a table, one row a line, cells parted by tabs.
    pub fn table(&mut self, caption: &str, header: Option<&[String]>, rows: &[Vec<String>]) {
        let is_empty = |row: &[String]| row.iter().all(|cell| cell.is_empty());
        let header = header.filter(|row| !is_empty(row));
        if rows.iter().all(|row| is_empty(row)) && header.is_none() {
            if !caption.is_empty() {
                self.block(BlockKind::Paragraph, caption);
            }
            return;
        }
        let (start, mut table) = self.open_table(caption);
        table.header = header.map(|row| self.row(row));
        for row in rows {
            if !is_empty(row) {
                let row = self.row(row);
                table.rows.push(row);
            }
        }
        self.blocks.push(Block {
            range: CharRange::new(start, self.position),
            section: self.section(),
            kind: BlockKind::Table(table),
        });
    }

    /// Begins a table with its caption: the one given, else the paragraph just before when it
    /// begins as captions do.
    pub fn open_table(&mut self, caption: &str) -> (usize, Table) {
        let mut table = Table::default();
        if caption.is_empty()
            && let Some(block) = self.blocks.pop_if(|block| {
                block.kind == BlockKind::Paragraph
                    && block.range.end == self.position
                    && is_table_caption(tail(&self.text, block.range.len()))
            })
        {
            table.caption = Some(block.range);
            return (block.range.start, table);
        }
        self.part("\n\n");
        let start = self.position;
        if !caption.is_empty() {
            self.push(caption);
            table.caption = Some(CharRange::new(start, self.position));
        }
        (start, table)
    }

    /// The first heading as a title.
    pub fn first_heading(&self) -> Option<String> {
        let block = self
            .blocks
            .iter()
            .find(|block| matches!(block.kind, BlockKind::Heading { .. }))?;
        let text: String = self
            .text
            .chars()
            .skip(block.range.start)
            .take(block.range.len())
            .collect();
        crate::decode::title_of(&text)
    }

    /// The finished document. Its id is set by whoever has the bytes.
    pub fn finish(self, format: Format, title: Option<String>, warnings: Vec<String>) -> Document {
        Document {
            id: lahar_core::DocumentId::of(&[]),
            format,
            title,
            properties: Properties::default(),
            text: self.text,
            pages: self.pages,
            blocks: self.blocks,
            warnings,
        }
    }

    fn row(&mut self, cells: &[String]) -> Row {
        self.part("\n");
        let start = self.position;
        let mut ranges = Vec::with_capacity(cells.len());
        for (number, cell) in cells.iter().enumerate() {
            if number > 0 {
                self.push("\t");
            }
            let start = self.position;
            self.push(cell);
            ranges.push(CharRange::new(start, self.position));
        }
        Row {
            range: CharRange::new(start, self.position),
            cells: ranges,
        }
    }
}

/// The text without control characters.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let is_clean = |c: char| !c.is_control() || matches!(c, '\n' | '\t' | '\u{c}');
    if text.chars().all(is_clean) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(crate::decode::clean(text).0)
    }
}

/// The last `chars` scalar values of a text.
fn tail(text: &str, chars: usize) -> &str {
    let start = text.char_indices().rev().take(chars).last();
    start.map_or("", |(byte, _)| &text[byte..])
}

/// Whether a paragraph begins as the caption of a table: "Table 3. ...", "TABLE 3: ...".
pub(crate) fn is_table_caption(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or("").to_ascii_lowercase();
    let number = words.next().unwrap_or("");
    first == "table"
        && text.len() < 400
        && number
            .trim_start_matches(|c: char| c.is_ascii_uppercase() || c == '-' || c == '.')
            .starts_with(|c: char| c.is_ascii_digit())
}

/// The first row is a header when it holds no number and some other row does.
pub(crate) fn header_of(rows: &[Vec<String>]) -> (Option<&[String]>, &[Vec<String>]) {
    let has_number = |row: &[String]| {
        row.iter()
            .any(|cell| cell.contains(|c: char| c.is_ascii_digit()))
    };
    match rows.split_first() {
        Some((first, others)) if !has_number(first) && others.iter().any(|row| has_number(row)) => {
            (Some(first), others)
        }
        _ => (None, rows),
    }
}

/// Headers of several rows as one row, each cell saying what stands above it too.
pub(crate) fn merged_header<'a>(
    rows: impl Iterator<Item = &'a [String]> + Clone,
) -> Option<Vec<String>> {
    let width = rows.clone().map(<[String]>::len).max()?;
    let mut merged = vec![String::new(); width];
    for cells in rows {
        for (into, cell) in merged.iter_mut().zip(cells) {
            if !cell.is_empty() && into != cell {
                if !into.is_empty() {
                    into.push(' ');
                }
                into.push_str(cell);
            }
        }
    }
    Some(merged)
}
