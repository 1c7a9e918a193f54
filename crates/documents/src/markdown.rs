//! Markdown: CommonMark with tables and front matter. Instructions written in a document are
//! words like any others; comments are not shown to readers and are left out.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::builder::Builder;
use crate::decode::{one_line, title_of};
use crate::document::{BlockKind, Document, Format};
use crate::{html, plain, roles};

/// Reads a Markdown text.
pub(crate) fn read(text: &str) -> Document {
    let mut reader = Reader::default();
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    for event in Parser::new_ext(text, options) {
        reader.event(event);
    }
    reader.flush();
    let mut builder = reader.builder;
    roles::mark(&mut builder, roles::Trust::Headings);
    let title = reader.title.or(reader.first_heading);
    builder.finish(Format::Markdown, title, Vec::new())
}

#[derive(Default)]
struct Reader {
    builder: Builder,
    line: String,
    heading: Option<u8>,
    items: usize,
    /// What is gathered apart: front matter, code, raw HTML, table cells.
    inside: Inside,
    raw: String,
    header: Vec<String>,
    row: Vec<String>,
    rows: Vec<Vec<String>>,
    title: Option<String>,
    first_heading: Option<String>,
}

#[derive(Default, PartialEq, Clone, Copy)]
enum Inside {
    #[default]
    Text,
    FrontMatter,
    Code,
    Html,
    Cell,
}

impl Reader {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Code(text) => match self.inside {
                Inside::FrontMatter | Inside::Code | Inside::Html => self.raw.push_str(&text),
                Inside::Text | Inside::Cell => self.line.push_str(&text),
            },
            Event::InlineMath(text) | Event::DisplayMath(text) => self.line.push_str(&text),
            Event::Html(text) => self.raw.push_str(&text),
            Event::InlineHtml(tag) => {
                if tag.to_ascii_lowercase().starts_with("<br") {
                    self.line.push(if self.inside == Inside::Cell {
                        ' '
                    } else {
                        '\n'
                    });
                }
            }
            Event::SoftBreak => self.line.push(' '),
            Event::HardBreak => self.line.push('\n'),
            Event::Rule => {
                self.flush();
                self.builder.outside("---");
            }
            Event::FootnoteReference(label) => {
                self.line.push_str(&format!("[{label}]"));
            }
            Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.flush();
                self.heading = Some(*level as u8);
            }
            Tag::Item => {
                self.flush();
                self.items += 1;
            }
            Tag::MetadataBlock(_) => self.open(Inside::FrontMatter),
            Tag::CodeBlock(_) => self.open(Inside::Code),
            Tag::HtmlBlock => self.open(Inside::Html),
            Tag::Table(_) => {
                self.flush();
                self.rows.clear();
                self.header.clear();
            }
            Tag::TableCell => self.inside = Inside::Cell,
            Tag::Paragraph | Tag::BlockQuote(_) | Tag::List(_) | Tag::FootnoteDefinition(_) => {
                self.flush();
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.flush();
                self.heading = None;
            }
            TagEnd::Item => {
                self.flush();
                self.items -= 1;
            }
            TagEnd::MetadataBlock(_) => {
                let raw = self.close();
                self.title = self.title.take().or_else(|| front_matter_title(&raw));
                self.builder.outside(raw.trim());
            }
            TagEnd::CodeBlock => {
                let raw = self.close();
                plain::append(&mut self.builder, &raw);
            }
            TagEnd::HtmlBlock => {
                let raw = self.close();
                html::append(&mut self.builder, &raw);
            }
            TagEnd::TableCell => {
                self.inside = Inside::Text;
                let cell = one_line(&std::mem::take(&mut self.line));
                self.row.push(cell);
            }
            TagEnd::TableHead => self.header = std::mem::take(&mut self.row),
            TagEnd::TableRow => {
                let row = std::mem::take(&mut self.row);
                self.rows.push(row);
            }
            TagEnd::Table => {
                let header = std::mem::take(&mut self.header);
                let rows = std::mem::take(&mut self.rows);
                self.builder.table("", Some(&header), &rows);
            }
            TagEnd::Paragraph | TagEnd::BlockQuote(_) | TagEnd::FootnoteDefinition => self.flush(),
            _ => {}
        }
    }

    fn open(&mut self, inside: Inside) {
        self.flush();
        self.inside = inside;
    }

    fn close(&mut self) -> String {
        self.inside = Inside::Text;
        std::mem::take(&mut self.raw)
    }

    fn flush(&mut self) {
        let line = std::mem::take(&mut self.line).replace('\u{ad}', "");
        let text = line
            .split('\n')
            .map(one_line)
            .filter(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join("\n");
        if text.is_empty() {
            return;
        }
        match self.heading {
            Some(level) => {
                let text = one_line(&text);
                if self.first_heading.is_none() {
                    self.first_heading = title_of(&text);
                }
                self.builder.block(BlockKind::Heading { level }, &text);
            }
            None if self.items > 0 => self.builder.block(BlockKind::ListItem, &text),
            None => self.builder.block(BlockKind::Paragraph, &text),
        }
    }
}

/// The value of `title` in front matter, YAML or TOML.
fn front_matter_title(raw: &str) -> Option<String> {
    raw.lines().find_map(|line| {
        let (key, value) = line.split_once([':', '='])?;
        if key.trim().eq_ignore_ascii_case("title") && !key.starts_with(char::is_whitespace) {
            title_of(value.trim().trim_matches(['"', '\'']))
        } else {
            None
        }
    })
}
