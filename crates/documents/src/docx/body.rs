//! From the XML of a part's body to paragraphs and tables.

use super::styles::Styles;
use super::xml::{self, Element, Piece};
use crate::decode::{clean, one_line};
use crate::error::ReadError;

/// A piece of a body.
#[derive(Debug)]
pub(super) enum Item {
    Paragraph(Paragraph),
    Table(Vec<Row>),
}

#[derive(Debug)]
pub(super) struct Paragraph {
    pub role: Role,
    pub text: String,
    /// Notes that it refers to: the part they stand in and their id.
    pub notes: Vec<(NoteKind, String)>,
}

/// What a paragraph's style and properties make of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Role {
    Text,
    Title,
    Heading(u8),
    ListItem { list: String, level: u8 },
    Caption,
    Contents,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum NoteKind {
    Footnote,
    Endnote,
}

#[derive(Debug, Default)]
pub(super) struct Row {
    pub cells: Vec<Cell>,
    pub is_header: bool,
    /// Columns left out before the first cell.
    pub before: usize,
    is_deleted: bool,
}

#[derive(Debug, Default)]
pub(super) struct Cell {
    pub items: Vec<Item>,
    /// Columns that it takes; 0 stands for 1.
    pub span: usize,
    /// Whether it belongs to the cell above it.
    pub goes_on: bool,
}

/// What a part holds.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub items: Vec<Item>,
    /// Notes by their id, for the parts that hold them.
    pub notes: Vec<(String, Vec<Item>)>,
    /// Whether text was left out because readers do not see it.
    pub has_hidden: bool,
    /// Whether changes are tracked in it.
    pub has_changes: bool,
    /// Number of comments that it refers to.
    pub comments: usize,
}

/// Reads a part.
pub(super) fn read(part: &str, text: &str, styles: &Styles) -> Result<Body, ReadError> {
    let mut reader = Reader {
        styles,
        body: Body::default(),
        frames: vec![Frame::Items(Vec::new())],
        runs: Vec::new(),
        skipped: 0,
        in_properties: false,
        in_row_properties: false,
        is_text: false,
    };
    xml::walk(part, text, &mut |piece| {
        match piece {
            Piece::Open(element) => reader.open(&element),
            Piece::Close(name) => reader.close(name),
            Piece::Text(text) => reader.text(text),
        }
        Ok(())
    })?;
    while reader.frames.len() > 1 {
        reader.leave();
    }
    if let Some(Frame::Items(items)) = reader.frames.pop() {
        reader.body.items = items;
    }
    Ok(reader.body)
}

struct Reader<'a> {
    styles: &'a Styles,
    body: Body,
    /// What is open, outermost first; the first is the body itself.
    frames: Vec<Frame>,
    runs: Vec<Run>,
    /// Depth inside an element that is left out.
    skipped: usize,
    in_properties: bool,
    in_row_properties: bool,
    is_text: bool,
}

enum Frame {
    /// The body, or a text box.
    Items(Vec<Item>),
    Paragraph(Open),
    Table(Vec<Row>),
    Row(Row),
    Cell(Cell),
    Note(String, Vec<Item>),
}

#[derive(Default)]
struct Open {
    style: Option<String>,
    outline: Option<u8>,
    list: Option<String>,
    level: Option<u8>,
    text: String,
    notes: Vec<(NoteKind, String)>,
    /// Text boxes that hang on it; they are read behind it.
    boxes: Vec<Item>,
}

#[derive(Default)]
struct Run {
    is_hidden: bool,
    is_raised: bool,
}

/// Elements whose content is no text of the document: what was deleted, instructions of fields,
/// second forms of what stands beside them, what properties were before.
fn is_left_out(name: &str) -> bool {
    matches!(
        name,
        "del"
            | "moveFrom"
            | "delText"
            | "instrText"
            | "delInstrText"
            | "Fallback"
            | "sdtPr"
            | "rt"
            | "fldData"
            | "binData"
    ) || name.ends_with("PrChange")
        || name.ends_with("GridChange")
}

impl Reader<'_> {
    fn open(&mut self, element: &Element<'_>) {
        let name = element.name();
        if self.skipped > 0 {
            self.skipped += 1;
            return;
        }
        if is_left_out(name) {
            self.body.has_changes |= matches!(name, "del" | "moveFrom");
            if name == "del"
                && self.in_row_properties
                && let Some(Frame::Row(row)) = self.frames.last_mut()
            {
                row.is_deleted = true;
            }
            self.skipped = 1;
            return;
        }
        match name {
            "p" => self.frames.push(Frame::Paragraph(Open::default())),
            "txbxContent" => self.frames.push(Frame::Items(Vec::new())),
            "tbl" => self.frames.push(Frame::Table(Vec::new())),
            "tr" => self.frames.push(Frame::Row(Row::default())),
            "tc" => self.frames.push(Frame::Cell(Cell::default())),
            // The lines above the notes stand in the same part.
            "footnote" | "endnote"
                if element
                    .attribute("type")
                    .is_none_or(|kind| kind == "normal") =>
            {
                let id = element.attribute("id").unwrap_or_default();
                self.frames.push(Frame::Note(id, Vec::new()));
            }
            "r" => self.runs.push(Run::default()),
            "pPr" => self.in_properties = true,
            "trPr" => self.in_row_properties = true,
            "ins" | "moveTo" => self.body.has_changes = true,
            "commentReference" => self.body.comments += 1,
            _ if self.in_properties => self.paragraph_property(element),
            _ => {
                self.table_property(element);
                self.run_content(element);
            }
        }
    }

    fn paragraph_property(&mut self, element: &Element<'_>) {
        let Some(Frame::Paragraph(open)) = self.frames.last_mut() else {
            return;
        };
        let number = || element.value().and_then(|value| value.parse::<u8>().ok());
        match element.name() {
            "pStyle" => open.style = element.value(),
            "outlineLvl" => open.outline = number(),
            "numId" => open.list = element.value(),
            "ilvl" => open.level = number(),
            _ => {}
        }
    }

    fn table_property(&mut self, element: &Element<'_>) {
        let number = || {
            element
                .value()
                .and_then(|value| value.parse::<usize>().ok())
        };
        match (element.name(), self.frames.last_mut()) {
            ("tblHeader", Some(Frame::Row(row))) => row.is_header = element.is_on(),
            ("gridBefore", Some(Frame::Row(row))) => row.before = number().unwrap_or(0),
            ("gridSpan", Some(Frame::Cell(cell))) => cell.span = number().unwrap_or(1),
            ("vMerge", Some(Frame::Cell(cell))) => {
                cell.goes_on = element.value().is_none_or(|value| value != "restart");
            }
            _ => {}
        }
    }

    fn run_content(&mut self, element: &Element<'_>) {
        let name = element.name();
        if let Some(run) = self.runs.last_mut() {
            match name {
                "vanish" => run.is_hidden = element.is_on(),
                "sz" => {
                    // Half points: text of one point is there to be found and not to be seen.
                    let size = element.value().and_then(|value| value.parse::<f64>().ok());
                    run.is_hidden |= size.is_some_and(|size| size <= 2.0);
                }
                "rStyle" => run.is_hidden |= self.styles.is_hidden(element.value().as_deref()),
                "vertAlign" => run.is_raised = element.value().as_deref() == Some("superscript"),
                _ => {}
            }
        }
        match name {
            "t" => self.is_text = true,
            "tab" | "ptab" => self.push(" "),
            "br" | "cr" => self.push("\n"),
            "noBreakHyphen" => self.push("-"),
            "sym" => {
                let c = element
                    .attribute("char")
                    .and_then(|code| u32::from_str_radix(&code, 16).ok())
                    .and_then(char::from_u32)
                    .filter(|c| !('\u{e000}'..='\u{f8ff}').contains(c));
                self.push(c.unwrap_or(' ').encode_utf8(&mut [0; 4]));
            }
            "footnoteReference" | "endnoteReference" => {
                let kind = if name == "endnoteReference" {
                    NoteKind::Endnote
                } else {
                    NoteKind::Footnote
                };
                if let (Some(id), Some(Frame::Paragraph(open))) =
                    (element.attribute("id"), self.frames.last_mut())
                {
                    open.notes.push((kind, id));
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.skipped == 0 && self.is_text {
            self.push(text);
        }
    }

    fn push(&mut self, text: &str) {
        if self.runs.iter().any(|run| run.is_hidden) {
            self.body.has_hidden |= self.is_text && !text.trim().is_empty();
            return;
        }
        let is_raised = self.runs.last().is_some_and(|run| run.is_raised);
        if let Some(Frame::Paragraph(open)) = self.frames.last_mut() {
            // An exponent would else run into the number it belongs to.
            if is_raised
                && open.text.ends_with(|c: char| c.is_ascii_digit())
                && text
                    .trim_start_matches(['-', '+', '\u{2212}', '\u{2013}'])
                    .starts_with(|c: char| c.is_ascii_digit())
            {
                open.text.push('^');
            }
            open.text.push_str(text);
        }
    }

    fn close(&mut self, name: &str) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        match name {
            "p" | "txbxContent" | "tbl" | "tr" | "tc" => self.leave(),
            "footnote" | "endnote" if matches!(self.frames.last(), Some(Frame::Note(..))) => {
                self.leave();
            }
            "r" => {
                self.runs.pop();
            }
            "pPr" => self.in_properties = false,
            "trPr" => self.in_row_properties = false,
            "t" => self.is_text = false,
            _ => {}
        }
    }

    /// Closes what was opened last and gives it to what holds it.
    fn leave(&mut self) {
        if self.frames.len() < 2 {
            return;
        }
        match self.frames.pop() {
            Some(Frame::Paragraph(open)) => {
                let (paragraph, boxes) = self.paragraph(open);
                let items = self.items();
                items.extend(paragraph.map(Item::Paragraph));
                items.extend(boxes);
            }
            Some(Frame::Items(inner)) => self.items().extend(inner),
            Some(Frame::Note(id, items)) => self.body.notes.push((id, items)),
            Some(Frame::Table(rows)) if rows.is_empty() => {}
            Some(Frame::Table(rows)) => self.items().push(Item::Table(rows)),
            Some(Frame::Row(row)) => {
                if row.is_deleted {
                    self.body.has_changes = true;
                } else if let Some(Frame::Table(rows)) = self.frames.last_mut() {
                    rows.push(row);
                } else {
                    self.items().push(Item::Table(vec![row]));
                }
            }
            Some(Frame::Cell(cell)) => match self.frames.last_mut() {
                Some(Frame::Row(row)) => row.cells.push(cell),
                _ => self.items().extend(cell.items),
            },
            None => {}
        }
    }

    /// Where the next item goes: the nearest frame that holds items.
    fn items(&mut self) -> &mut Vec<Item> {
        let holds = |frame: &Frame| !matches!(frame, Frame::Table(_) | Frame::Row(_));
        let place = self.frames.iter().rposition(holds).unwrap_or(0);
        match &mut self.frames[place] {
            Frame::Items(items) | Frame::Note(_, items) => items,
            Frame::Paragraph(open) => &mut open.boxes,
            Frame::Cell(cell) => &mut cell.items,
            // The first frame holds items, so that this is never reached.
            Frame::Table(_) | Frame::Row(_) => &mut self.body.items,
        }
    }

    fn paragraph(&mut self, open: Open) -> (Option<Paragraph>, Vec<Item>) {
        let style = open.style.as_deref();
        let (text, _) = clean(&open.text);
        let lines: Vec<String> = text
            .split('\n')
            .map(|line| one_line(line).replace('\u{ad}', ""))
            .filter(|line| !line.is_empty())
            .collect();
        if lines.is_empty() && open.notes.is_empty() {
            return (None, open.boxes);
        }
        if self.styles.is_hidden(style) {
            self.body.has_hidden = true;
            return (None, open.boxes);
        }
        let named = |name: &'static str| self.styles.is_named(style, |own| own == name);
        let outline = open.outline.or_else(|| self.styles.outline(style));
        let list = match &open.list {
            Some(list) => Some((list.clone(), open.level.unwrap_or(0))),
            None => self.styles.list(style),
        };
        let is_contents = self.styles.is_named(style, |name| {
            name.starts_with("toc ") || name == "table of figures"
        });
        let role = if is_contents {
            Role::Contents
        } else if named("caption") {
            Role::Caption
        } else if named("title") {
            Role::Title
        } else if let Some(level @ 0..=8) = outline {
            Role::Heading((level + 1).min(6))
        } else if let Some((list, level)) = list.filter(|(list, _)| list != "0") {
            Role::ListItem { list, level }
        } else {
            Role::Text
        };
        let paragraph = Paragraph {
            role,
            text: lines.join("\n"),
            notes: open.notes,
        };
        (Some(paragraph), open.boxes)
    }
}
