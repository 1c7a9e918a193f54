//! HTML: headings, paragraphs, lists and tables as the page states them. Scripts, styles,
//! navigation and what is hidden from readers are left out.

mod dom;
mod table;

use encoding_rs::Encoding;

use crate::builder::Builder;
use crate::decode::{decode, one_line, title_of};
use crate::document::{BlockKind, Document, Format};
use crate::roles;
use dom::{Dom, Id, Kind, ROOT};

/// Reads a page from its bytes.
pub(crate) fn read(bytes: &[u8]) -> Document {
    let decoded = decode(bytes, declared_encoding(bytes));
    let mut warnings = decoded.warnings;
    let mut builder = Builder::default();
    let (title, cut) = append(&mut builder, &decoded.text);
    if cut {
        warnings.push("the page is nested too deeply; its end was left out".to_owned());
    }
    roles::mark(&mut builder, roles::Trust::Headings);
    let title = title.or_else(|| builder.first_heading());
    builder.finish(Format::Html, title, warnings)
}

/// Appends a page, or a piece of one, to a document being built. Returns its title, and whether
/// its end was left out.
pub(crate) fn append(builder: &mut Builder, text: &str) -> (Option<String>, bool) {
    let dom = Dom::parse(text);
    let mut walk = Walk {
        dom: &dom,
        builder,
        line: Line::default(),
        lists: Vec::new(),
        heading: None,
        title: None,
    };
    walk.run();
    (walk.title, dom.cut)
}

/// The encoding that a page declares in its first kilobyte.
fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(1024)]).to_ascii_lowercase();
    let after = &start[start.find("charset=")? + "charset=".len()..];
    let label: String = after
        .trim_start_matches(['"', '\''])
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || "-_:".contains(*c))
        .collect();
    Encoding::for_label(label.as_bytes())
}

/// Whether readers do not see an element, or see it as a way around the page.
fn is_left_out(dom: &Dom, id: Id) -> bool {
    let name = dom.name(id);
    if matches!(
        name,
        "script"
            | "style"
            | "noscript"
            | "template"
            | "nav"
            | "iframe"
            | "object"
            | "embed"
            | "svg"
            | "math"
            | "canvas"
            | "audio"
            | "video"
            | "select"
            | "button"
            | "input"
            | "textarea"
            | "datalist"
            | "dialog"
            | "map"
    ) && name != "math"
    {
        return true;
    }
    let is = |attribute: &str, value: &str| {
        dom.attribute(id, attribute)
            .is_some_and(|found| found.trim().eq_ignore_ascii_case(value))
    };
    if dom.attribute(id, "hidden").is_some()
        || is("aria-hidden", "true")
        || is("role", "navigation")
        || is("role", "search")
    {
        return true;
    }
    dom.attribute(id, "style").is_some_and(|style| {
        let style: String = style
            .chars()
            .filter(|c| !c.is_whitespace())
            .collect::<String>()
            .to_ascii_lowercase();
        [
            "display:none",
            "visibility:hidden",
            "font-size:0;",
            "opacity:0;",
        ]
        .iter()
        .any(|hiding| format!("{style};").contains(hiding))
    })
}

/// Whether an element begins and ends a block of its own.
fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "body"
            | "center"
            | "dd"
            | "details"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "header"
            | "hr"
            | "html"
            | "legend"
            | "li"
            | "main"
            | "ol"
            | "p"
            | "section"
            | "summary"
            | "table"
            | "tbody"
            | "td"
            | "tfoot"
            | "th"
            | "thead"
            | "tr"
            | "ul"
            | "caption"
    )
}

/// Characters of the block being gathered, with white space as browsers show it.
#[derive(Default)]
struct Line {
    text: String,
    gap: bool,
}

impl Line {
    fn push(&mut self, text: &str) {
        for c in text.chars() {
            if c.is_whitespace() && c != '\u{a0}' || c == '\u{200b}' {
                self.gap = true;
            } else if c != '\u{ad}' {
                if self.gap && !self.text.is_empty() && !self.text.ends_with('\n') {
                    self.text.push(' ');
                }
                self.gap = false;
                self.text.push(if c == '\u{a0}' { ' ' } else { c });
            }
        }
    }

    /// Marks an exponent, which would else run into the number it belongs to.
    fn raise(&mut self, exponent: &str) {
        if !self.gap && is_exponent_of(&self.text, exponent) {
            self.text.push('^');
        }
    }

    fn break_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.gap = false;
    }

    fn take(&mut self) -> String {
        self.gap = false;
        let text = std::mem::take(&mut self.text);
        text.trim().to_owned()
    }
}

/// Whether raised text is an exponent: a number right behind a number.
fn is_exponent_of(text: &str, raised: &str) -> bool {
    text.ends_with(|c: char| c.is_ascii_digit())
        && raised
            .trim_start_matches(['-', '+', '\u{2212}', '\u{2013}'])
            .starts_with(|c: char| c.is_ascii_digit())
}

struct Walk<'a, 'b> {
    dom: &'a Dom,
    builder: &'b mut Builder,
    line: Line,
    /// Whether each open list item has given its first block.
    lists: Vec<bool>,
    heading: Option<u8>,
    title: Option<String>,
}

enum Step {
    Enter(Id),
    Leave(Id),
}

impl Walk<'_, '_> {
    fn run(&mut self) {
        let mut steps = vec![Step::Enter(ROOT)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(id) => {
                    if self.enter(id) {
                        steps.push(Step::Leave(id));
                        let children = &self.dom.nodes[id].children;
                        steps.extend(children.iter().rev().map(|&child| Step::Enter(child)));
                    }
                }
                Step::Leave(id) => self.leave(id),
            }
        }
        self.flush();
    }

    /// Begins a node; whether its children are to be walked.
    fn enter(&mut self, id: Id) -> bool {
        let name = match &self.dom.nodes[id].kind {
            Kind::Text(text) => {
                self.line.push(text);
                return false;
            }
            Kind::Other => return false,
            Kind::Document => return true,
            Kind::Element { .. } => self.dom.name(id),
        };
        if is_left_out(self.dom, id) {
            return false;
        }
        match name {
            "title" => {
                self.title = self
                    .title
                    .take()
                    .or_else(|| title_of(&table::text_of(self.dom, id)));
                return false;
            }
            "br" => self.line.break_line(),
            "sup" => self.line.raise(self.dom.raised_text(id)),
            "wbr" => {}
            "pre" | "listing" | "xmp" => {
                self.flush();
                let text = table::raw_text_of(self.dom, id);
                crate::plain::append(self.builder, &text);
                return false;
            }
            "table" => {
                self.flush();
                if table::append(self.dom, id, self.builder) {
                    return false;
                }
            }
            "li" => {
                self.flush();
                self.lists.push(false);
            }
            _ => {
                if let Some(level) = heading_level(name) {
                    self.flush();
                    self.heading = Some(level);
                } else if is_block(name) {
                    self.flush();
                }
            }
        }
        true
    }

    fn leave(&mut self, id: Id) {
        let name = self.dom.name(id);
        if heading_level(name).is_some() {
            self.flush();
            self.heading = None;
        } else if is_block(name) {
            self.flush();
            if name == "li" {
                self.lists.pop();
            }
        }
    }

    fn flush(&mut self) {
        let text = self.line.take();
        if text.is_empty() {
            return;
        }
        if let Some(level) = self.heading {
            self.builder
                .block(BlockKind::Heading { level }, &one_line(&text));
            return;
        }
        match self.lists.last_mut() {
            Some(given) => {
                *given = true;
                self.builder.block(BlockKind::ListItem, &text);
            }
            None => self.builder.block(BlockKind::Paragraph, &text),
        }
    }
}

fn heading_level(name: &str) -> Option<u8> {
    match name.as_bytes() {
        [b'h', level @ b'1'..=b'6'] => Some(level - b'0'),
        _ => None,
    }
}
