//! From paragraphs and tables to blocks of the stored text.

use std::collections::HashMap;

use super::body::{Cell, Item, NoteKind, Paragraph, Role, Row};
use super::numbering::Numbering;
use crate::builder::{Builder, header_of, merged_header};
use crate::decode::one_line;
use crate::document::BlockKind;

/// Longest cell that is repeated in each row it spans.
const LONGEST_REPEATED: usize = 120;

/// Cells and characters that spans of columns and rows may add to a whole document.
const MOST_FILLED: usize = 500_000;

pub(super) struct Writer<'a> {
    pub builder: Builder,
    pub numbering: &'a mut Numbering,
    /// Notes that were not placed yet.
    pub notes: HashMap<(NoteKind, String), Vec<Item>>,
    /// The first paragraph in the style of titles.
    pub title: Option<String>,
    filled: usize,
}

impl<'a> Writer<'a> {
    pub fn new(
        numbering: &'a mut Numbering,
        notes: HashMap<(NoteKind, String), Vec<Item>>,
    ) -> Writer<'a> {
        Writer {
            builder: Builder::default(),
            numbering,
            notes,
            title: None,
            filled: 0,
        }
    }

    /// Writes items in order. A note stands right behind the paragraph or table that refers to it.
    pub fn write(&mut self, items: Vec<Item>) {
        let mut caption = String::new();
        let mut rest = items.into_iter().peekable();
        while let Some(item) = rest.next() {
            match item {
                Item::Paragraph(paragraph) => {
                    let heads_table = matches!(rest.peek(), Some(Item::Table(_)));
                    if paragraph.role == Role::Caption && heads_table {
                        caption = one_line(&paragraph.text);
                        let notes = paragraph.notes;
                        self.notes(notes);
                    } else {
                        self.paragraph(paragraph);
                    }
                }
                Item::Table(rows) => self.table(&std::mem::take(&mut caption), rows),
            }
        }
    }

    fn paragraph(&mut self, paragraph: Paragraph) {
        let Paragraph { role, text, notes } = paragraph;
        match role {
            Role::Title => {
                let line = one_line(&text);
                self.title.get_or_insert_with(|| line.clone());
                self.builder.block(BlockKind::Heading { level: 1 }, &line);
            }
            Role::Heading(level) => {
                let line = one_line(&text);
                self.builder.block(BlockKind::Heading { level }, &line);
            }
            Role::ListItem { list, level } => {
                let marker = self.numbering.marker(&list, level);
                self.builder
                    .marked_block(BlockKind::ListItem, &marker, &text);
            }
            Role::Contents => self.builder.block(BlockKind::Contents, &text),
            Role::Text | Role::Caption => self.builder.block(BlockKind::Paragraph, &text),
        }
        self.notes(notes);
    }

    fn notes(&mut self, references: Vec<(NoteKind, String)>) {
        for reference in references {
            // Each note once, however often it is referred to, and by whatever.
            if let Some(items) = self.notes.remove(&reference) {
                self.write(items);
            }
        }
    }

    fn table(&mut self, caption: &str, mut rows: Vec<Row>) {
        if is_layout(&rows) {
            if !caption.is_empty() {
                self.builder.block(BlockKind::Paragraph, caption);
            }
            for cell in rows.into_iter().flat_map(|row| row.cells) {
                self.write(cell.items);
            }
            return;
        }
        let mut notes = Vec::new();
        for cell in rows.iter_mut().flat_map(|row| &mut row.cells) {
            for item in &mut cell.items {
                if let Item::Paragraph(paragraph) = item {
                    notes.append(&mut paragraph.notes);
                }
            }
        }
        let headers = rows.iter().take_while(|row| row.is_header).count();
        let grid = self.grid(&rows);
        // A table of headers only has its first row as header.
        let headers = if headers == grid.len() { 1 } else { headers };
        if headers > 0 {
            let header = merged_header(grid[..headers].iter().map(Vec::as_slice));
            self.builder
                .table(caption, header.as_deref(), &grid[headers..]);
        } else {
            let (header, rows) = header_of(&grid);
            self.builder.table(caption, header, rows);
        }
        self.notes(notes);
    }

    /// The cells of each row in their columns: a cell that goes on from the row above says again
    /// what stands there, one that spans columns is followed by empty ones.
    fn grid(&mut self, rows: &[Row]) -> Vec<Vec<String>> {
        let mut above: HashMap<usize, String> = HashMap::new();
        let mut grid = Vec::with_capacity(rows.len());
        for row in rows {
            let mut cells = Vec::with_capacity(row.cells.len());
            self.fill(&mut cells, row.before);
            for cell in &row.cells {
                let column = cells.len();
                let text = if cell.goes_on {
                    let standing = above.get(&column).cloned().unwrap_or_default();
                    self.filled += standing.len();
                    let is_short = standing.chars().count() <= LONGEST_REPEATED;
                    if is_short && self.filled <= MOST_FILLED {
                        standing
                    } else {
                        String::new()
                    }
                } else {
                    let text = text_of(cell);
                    above.insert(column, text.clone());
                    text
                };
                cells.push(text);
                self.fill(&mut cells, cell.span.max(1) - 1);
            }
            grid.push(cells);
        }
        grid
    }

    fn fill(&mut self, cells: &mut Vec<String>, count: usize) {
        let count = count.min(63).min(MOST_FILLED.saturating_sub(self.filled));
        self.filled += count;
        cells.resize(cells.len() + count, String::new());
    }
}

/// All text of a cell on one line.
fn text_of(cell: &Cell) -> String {
    let mut text = String::new();
    for item in &cell.items {
        if let Item::Paragraph(paragraph) = item {
            text.push_str(&paragraph.text);
            text.push('\n');
        }
    }
    one_line(&text)
}

/// Whether a table only lays out a page: no row of two cells, or cells that hold headings or
/// tables, or one row with running text side by side.
fn is_layout(rows: &[Row]) -> bool {
    let mut cells = rows.iter().flat_map(|row| &row.cells);
    let holds_more = |cell: &Cell| {
        cell.items.iter().any(|item| match item {
            Item::Table(_) => true,
            Item::Paragraph(paragraph) => {
                matches!(paragraph.role, Role::Heading(_) | Role::Title)
            }
        })
    };
    rows.iter().all(|row| row.cells.len() < 2)
        || cells.any(holds_more)
        || rows.len() == 1 && rows[0].cells.iter().any(|cell| cell.items.len() > 1)
}
