//! Plain text: paragraphs out of hard-wrapped lines, bulleted lists, headings, and tables whose
//! columns are aligned by spaces. Weather-service bulletins, in capitals with ellipses and with
//! `&&` and `$$` between their parts, are the hardest of these.

mod columns;
mod lines;

use crate::builder::{Builder, printable};
use crate::decode::title_of;
use crate::document::{BlockKind, Document, Format};
use crate::roles;
use lines::{Line, Shape, Wrap};
pub(crate) use lines::{bullet, numbered_level};

/// Reads a text.
pub(crate) fn read(text: &str) -> Document {
    let mut builder = Builder::default();
    append(&mut builder, text);
    roles::mark(&mut builder, roles::Trust::Content);
    let title = title(text);
    builder.finish(Format::Text, title, Vec::new())
}

/// Appends a text to a document being built.
pub(crate) fn append(builder: &mut Builder, text: &str) {
    let text = &*printable(text);
    let lines: Vec<Line<'_>> = text.split(['\n', '\u{c}']).map(Line::new).collect();
    let wrap = Wrap::of(&lines);
    let mut rest = lines.as_slice();
    while let Some(first) = rest.first() {
        if first.is_blank() {
            rest = &rest[1..];
            continue;
        }
        let length = rest.iter().position(Line::is_blank).unwrap_or(rest.len());
        let (group, after) = rest.split_at(length);
        append_group(builder, group, after, &wrap);
        rest = after;
    }
}

/// Appends lines that no blank line parts.
fn append_group(builder: &mut Builder, group: &[Line<'_>], after: &[Line<'_>], wrap: &Wrap) {
    let mut rest = group;
    while let Some(first) = rest.first() {
        if let Some(length) = columns::append(builder, rest) {
            rest = &rest[length..];
            continue;
        }
        match first.shape() {
            Shape::Rule => {
                builder.outside(first.text());
                if first.text() == "$$" {
                    builder.leave_sections();
                }
                rest = &rest[1..];
                continue;
            }
            Shape::Text | Shape::Bullet(_) => {}
        }
        let is_underlined = rest.get(1).is_some_and(Line::is_underline);
        let first_of_group = rest.len() == group.len();
        if is_underlined && first.text().len() <= 100 {
            let level = if rest[1].text().starts_with('=') {
                1
            } else {
                2
            };
            builder.block(BlockKind::Heading { level }, first.text());
            builder.outside(rest[1].text());
            rest = &rest[2..];
            continue;
        }
        if let Some(level) = lines::heading(rest, first_of_group, after, wrap) {
            let level = if builder.blocks.is_empty() { 1 } else { level };
            builder.block(BlockKind::Heading { level }, first.text());
            rest = &rest[1..];
            continue;
        }
        // A paragraph or a list item: up to a rule, a bullet, an underlined line or a table.
        let mut length = 1;
        while length < rest.len()
            && rest[length].shape() == Shape::Text
            && !rest.get(length + 1).is_some_and(Line::is_underline)
            && !wrap.begins_anew(&rest[length - 1], &rest[length])
            && columns::length(&rest[length..]) == 0
        {
            length += 1;
        }
        let (paragraph, others) = rest.split_at(length);
        let (marker, kind) = match first.shape() {
            Shape::Bullet(marker) => (marker, BlockKind::ListItem),
            _ => ("", BlockKind::Paragraph),
        };
        builder.marked_block(kind, marker, &wrap.join(paragraph, marker));
        rest = others;
    }
}

/// The title: in a bulletin the product's name with its office, else the first line when it
/// reads like one.
fn title(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).take(40).collect();
    if let Some(office) = lines.iter().position(|line| {
        let line = line.to_ascii_uppercase();
        line.starts_with("NATIONAL WEATHER SERVICE ") || line.starts_with("NWS ")
    }) && let Some(product) = lines[..office].last().filter(|line| !line.is_empty())
    {
        return title_of(&format!("{product}, {}", lines[office]));
    }
    let first = lines.iter().find(|line| !line.is_empty())?;
    let reads_like_title = first.chars().count() <= 160 && !first.ends_with(['.', ',', ';']);
    reads_like_title.then(|| title_of(first)).flatten()
}
