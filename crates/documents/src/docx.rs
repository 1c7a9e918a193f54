//! DOCX, the format of Microsoft Word (ISO/IEC 29500, WordprocessingML): paragraphs, headings,
//! lists, tables and notes as the document states them.
//!
//! | module | does |
//! |---|---|
//! | `package` | the ZIP archive, and what unpacking it may cost |
//! | `xml` | a part as a stream of elements, nothing expanded or fetched |
//! | `styles`, `numbering` | what the styles mean, what stands before list items |
//! | `body` | from XML to paragraphs and tables |
//! | `write` | from these to the stored text |
//!
//! Macros, embedded files and pictures are not opened, and links out of the document are not
//! followed. Hidden and deleted text is left out, comments too; heads and feet of pages are
//! stored and are no evidence. There are no pages: only a program that lays the text out knows
//! them.

mod body;
mod numbering;
mod package;
mod styles;
mod write;
mod xml;

use std::collections::{HashMap, HashSet};

use crate::decode::{one_line, title_of};
use crate::document::{BlockKind, Document, Format, Properties};
use crate::error::ReadError;
use crate::roles;
use body::{Body, Item, NoteKind};
use numbering::Numbering;
use package::{Package, Relation};
use styles::Styles;
use write::Writer;
use xml::Piece;

/// Most parts with heads and feet of pages.
const MOST_HEADS: usize = 100;

/// What a ZIP archive is by the names of its parts; `None` when it cannot be opened.
pub(crate) fn kind_of_archive(bytes: &[u8]) -> Option<&'static str> {
    let names = Package::open(bytes).ok()?.names();
    let begins = |start: &str| names.iter().any(|name| name.starts_with(start));
    let is_office = begins("[Content_Types].xml") || begins("_rels/");
    Some(if is_office && begins("word/") {
        "docx"
    } else if is_office && begins("xl/") {
        "an Excel workbook"
    } else if is_office && begins("ppt/") {
        "a PowerPoint presentation"
    } else if begins("META-INF/container.xml") {
        "an electronic book (EPUB)"
    } else if begins("mimetype") && begins("content.xml") {
        "an OpenDocument file; save it as DOCX or PDF: it"
    } else if is_office {
        "docx"
    } else {
        "a ZIP archive"
    })
}

/// Reads a document.
pub(crate) fn read(bytes: &[u8]) -> Result<Document, ReadError> {
    let mut package = Package::open(bytes)?;
    let roots = package.relations("")?;
    let main = roots
        .iter()
        .find(|relation| relation.kind == "officeDocument")
        .and_then(|relation| relation.part.clone())
        .unwrap_or_else(|| "word/document.xml".to_owned());
    let text = package.part(&main)?.ok_or_else(|| ReadError::Broken {
        reason: format!("its main part `{main}` is missing from the ZIP archive"),
    })?;
    let mut parts = Parts {
        relations: package.relations(&main)?,
        package,
        warnings: Vec::new(),
    };
    let styles = parts.of_kind("styles", Styles::read).unwrap_or_default();
    let mut numbering = parts
        .of_kind("numbering", Numbering::read)
        .unwrap_or_default();
    let mut body = body::read(&main, &text, &styles)?;
    drop(text);
    let mut notes = HashMap::new();
    for (kind, name) in [
        (NoteKind::Footnote, "footnotes"),
        (NoteKind::Endnote, "endnotes"),
    ] {
        let found = parts.of_kind(name, |part, text| body::read(part, text, &styles));
        for (id, items) in found.map(|body| body.notes).unwrap_or_default() {
            notes.insert((kind, id), items);
        }
    }
    let heads = parts.heads(&styles);
    parts.warn_of(&body);
    let properties = parts.properties(&roots);

    let mut writer = Writer::new(&mut numbering, notes);
    writer.write(std::mem::take(&mut body.items));
    let found_title = writer.title.take();
    let mut builder = writer.builder;
    roles::mark(&mut builder, roles::Trust::Headings);
    builder.leave_sections();
    for head in heads {
        builder.block(BlockKind::RunningHead, &head);
    }
    let title = properties
        .title
        .or_else(|| found_title.as_deref().and_then(title_of))
        .or_else(|| builder.first_heading());
    let mut document = builder.finish(Format::Docx, title, parts.warnings);
    document.properties = properties.other;
    Ok(document)
}

/// The parts beside the main one. One that is damaged or missing costs a warning and not the
/// document.
struct Parts<'a> {
    package: Package<'a>,
    relations: Vec<Relation>,
    warnings: Vec<String>,
}

#[derive(Default)]
struct Found {
    title: Option<String>,
    other: Properties,
}

impl Parts<'_> {
    /// Reads the part of a kind, where there is one.
    fn of_kind<T>(
        &mut self,
        kind: &str,
        read: impl Fn(&str, &str) -> Result<T, ReadError>,
    ) -> Option<T> {
        let relation = self
            .relations
            .iter()
            .find(|relation| relation.kind == kind)?;
        let part = relation.part.clone()?;
        self.part(&part, read)
    }

    fn part<T>(
        &mut self,
        part: &str,
        read: impl Fn(&str, &str) -> Result<T, ReadError>,
    ) -> Option<T> {
        let found = match self.package.part(part) {
            Ok(Some(text)) => read(part, &text),
            Ok(None) => {
                self.warnings.push(format!(
                    "the part `{part}` is missing; what it says is not known"
                ));
                return None;
            }
            Err(error) => Err(error),
        };
        match found {
            Ok(found) => Some(found),
            Err(error) => {
                self.warnings
                    .push(format!("a part was left out: {}", reason(error)));
                None
            }
        }
    }

    /// The texts of heads and feet, each once.
    fn heads(&mut self, styles: &Styles) -> Vec<String> {
        let mut parts: Vec<String> = ["header", "footer"]
            .iter()
            .flat_map(|kind| package::by_id(&self.relations, kind).into_values())
            .collect();
        parts.sort();
        parts.dedup();
        let mut seen = HashSet::new();
        let mut heads = Vec::new();
        for part in parts.iter().take(MOST_HEADS) {
            let Some(body) = self.part(part, |part, text| body::read(part, text, styles)) else {
                continue;
            };
            for text in texts(body.items) {
                if seen.insert(text.clone()) {
                    heads.push(text);
                }
            }
        }
        heads
    }

    /// Says what the document holds that is no part of its text.
    fn warn_of(&mut self, body: &Body) {
        let mut warn = |warning: &str| self.warnings.push(warning.to_owned());
        if body.has_hidden {
            warn("hidden text was left out");
        }
        if body.has_changes {
            warn("it holds tracked changes: insertions are read as text, deletions were left out");
        }
        if body.comments > 0 {
            warn("comments were left out");
        }
        if self
            .relations
            .iter()
            .any(|relation| relation.kind == "vbaProject")
        {
            warn("it holds macros, which are never run");
        }
        let count = |kinds: &[&str]| {
            let of = |relation: &&Relation| kinds.contains(&relation.kind.as_str());
            self.relations.iter().filter(of).count()
        };
        let embedded = count(&["package", "oleObject"]);
        let others = count(&["aFChunk", "subDocument"]);
        if embedded > 0 {
            self.warnings
                .push(format!("embedded files that were not opened: {embedded}"));
        }
        if others > 0 {
            self.warnings.push(format!(
                "parts in another format or file that were not read: {others}"
            ));
        }
    }

    /// Title, author and date that the document states about itself.
    fn properties(&mut self, roots: &[Relation]) -> Found {
        let Some(part) = roots
            .iter()
            .find(|relation| relation.kind == "core-properties")
            .and_then(|relation| relation.part.clone())
        else {
            return Found::default();
        };
        self.part(&part, |part, text| {
            let mut values: HashMap<String, String> = HashMap::new();
            let mut open = String::new();
            xml::walk(part, text, &mut |piece| {
                match piece {
                    Piece::Open(element) => element.name().clone_into(&mut open),
                    Piece::Close(_) => open.clear(),
                    Piece::Text(text) if !open.is_empty() => {
                        values.entry(open.clone()).or_default().push_str(text);
                    }
                    Piece::Text(_) => {}
                }
                Ok(())
            })?;
            let line = |name: &str| values.get(name).and_then(|value| title_of(value));
            // The day of "2019-05-03T10:00:00Z".
            let day = |name: &str| values.get(name)?.trim().get(..10)?.parse().ok();
            Ok(Found {
                title: line("title"),
                other: Properties {
                    author: line("creator"),
                    date: day("modified").or_else(|| day("created")),
                },
            })
        })
        .unwrap_or_default()
    }
}

fn reason(error: ReadError) -> String {
    match error {
        ReadError::Broken { reason } => reason,
        other => other.to_string(),
    }
}

/// All texts of items, tables cell by cell.
fn texts(items: Vec<Item>) -> Vec<String> {
    let mut found = Vec::new();
    for item in items {
        match item {
            Item::Paragraph(paragraph) => found.push(one_line(&paragraph.text)),
            Item::Table(rows) => {
                for cell in rows.into_iter().flat_map(|row| row.cells) {
                    found.extend(texts(cell.items));
                }
            }
        }
    }
    found.retain(|text| !text.is_empty());
    found
}
