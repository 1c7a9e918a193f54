//! From blocks to the stored text.
//!
//! A paragraph that goes on over a column or a page is one run of text. What stands between its
//! halves on paper, running heads and page numbers, is placed around it on its own page.

use super::engine::PdfPages;
use super::layout::headings::names_part;
use super::layout::{self, Draft, Kind, ends_sentence};
use super::running;
use super::words::{Vocabulary, letters};
use crate::builder::{Builder, header_of};
use crate::decode::{clean, title_of};
use crate::document::{BlockKind, Document, Format, Page, PageStatus};
use crate::plain::bullet;
use crate::roles;
use lahar_core::CharRange;

/// Puts a document together.
pub(super) fn document(
    file: &PdfPages,
    statuses: &[PageStatus],
    warnings: Vec<String>,
) -> Document {
    let mut pages = file.pages.clone();
    for cell in pages
        .iter_mut()
        .flat_map(|page| &mut page.lines)
        .flat_map(|line| &mut line.cells)
    {
        cell.text = letters(&clean(&cell.text).0);
        let text = crate::decode::one_line(&cell.text);
        cell.text = text;
    }
    for page in &mut pages {
        for line in &mut page.lines {
            line.cells.retain(|cell| !cell.text.is_empty());
        }
        page.lines.retain(|line| !line.cells.is_empty());
        layout::columns::unweave(page);
    }
    let vocabulary = Vocabulary::of(&pages);
    let running = running::find(&pages);
    let by_page = layout::blocks(&pages, &running);
    let title = title(file.title.as_deref(), &by_page);

    let mut writer = Writer {
        builder: Builder::default(),
        vocabulary: &vocabulary,
        numbers: pages.iter().map(|page| page.number).collect(),
        statuses,
        opened: 0,
    };
    for draft in in_order(by_page) {
        writer.write(&draft);
    }
    let mut builder = writer.finish();
    roles::mark(&mut builder, roles::Trust::Content);
    builder.finish(Format::Pdf, title, warnings)
}

/// All blocks in the order of the text. Halves of a paragraph are joined, and running heads stand
/// at the end of their page, or right behind the paragraph that reaches over it.
fn in_order(pages: Vec<Vec<Draft<'_>>>) -> Vec<Draft<'_>> {
    let mut ordered: Vec<Draft<'_>> = Vec::new();
    // Running heads of the page before, held back until it is known whether its last paragraph
    // goes on.
    for page in pages {
        let (heads, body): (Vec<_>, Vec<_>) = page
            .into_iter()
            .partition(|draft| draft.kind == Kind::RunningHead);
        let mut heads = Some(heads);
        let count = body.len();
        for (place, draft) in body.into_iter().enumerate() {
            let joins = ordered.last().is_some_and(|last| continues(last, &draft))
                // Running heads need a place on this page behind the joined paragraph.
                && (place > 0 || count > 1 || heads.as_ref().is_none_or(Vec::is_empty));
            if joins && let Some(last) = ordered.last_mut() {
                last.lines.extend(draft.lines);
                continue;
            }
            ordered.extend(heads.take().unwrap_or_default());
            ordered.push(draft);
        }
        ordered.extend(heads.take().unwrap_or_default());
    }
    ordered
}

/// Whether the second block goes on with the sentence that the first leaves open.
fn continues(first: &Draft<'_>, second: &Draft<'_>) -> bool {
    if !matches!(first.kind, Kind::Paragraph | Kind::ListItem) || second.kind != Kind::Paragraph {
        return false;
    }
    let (Some((page, last)), Some((next_page, next))) = (first.lines.last(), second.lines.first())
    else {
        return false;
    };
    let same_size = (last.size - next.size).abs() < 0.06 * last.size;
    let (end, start) = (last.text(), next.text());
    if !same_size
        || last.turn != next.turn
        || ends_sentence(&end)
        || !layout::columns::may_go_on(first, second)
    {
        return false;
    }
    if start.starts_with(char::is_lowercase) {
        return true;
    }
    // Names and numbers begin lines too, but then the line before must be full, and the block
    // long enough to be running text.
    let moved = page != next_page || next.baseline < last.baseline;
    let right = first
        .lines
        .iter()
        .map(|(_, line)| line.right())
        .fold(f64::MIN, f64::max);
    moved
        && first.lines.len() > 2
        && second.lines.len() > 1
        && last.right() > right - 2.0 * last.size
        && start.starts_with(char::is_alphanumeric)
}

/// The title: of the metadata, when it reads like one, else the largest heading on the first
/// page that has one.
fn title(metadata: Option<&str>, pages: &[Vec<Draft<'_>>]) -> Option<String> {
    let declared = metadata.and_then(title_of).map(|title| {
        let title = mend_hyphens(&title);
        // "report.pdf - The title": some programs put the file's name first.
        match title.split_once(" - ") {
            Some((name, rest)) if is_file_name(name) => rest.trim().to_owned(),
            _ => title,
        }
    });
    let declared = declared.filter(|title| {
        let lower = title.to_lowercase();
        title.split_whitespace().count() > 1
            && !lower.contains("microsoft word")
            && !lower.contains("untitled")
            && !is_file_name(&lower)
            && !title.contains('\u{fffd}')
    });
    declared.or_else(|| {
        let candidates = |page: &[Draft<'_>]| -> Option<String> {
            let largest = page
                .iter()
                .filter(|draft| matches!(draft.kind, Kind::Heading(_)))
                .map(|draft| {
                    let lines: Vec<String> =
                        draft.lines.iter().map(|(_, line)| line.text()).collect();
                    let size = draft.lines.first().map_or(0.0, |(_, line)| line.size);
                    (size, lines.join(" "))
                })
                .filter(|(_, text)| !names_part(text))
                // Of several in one size, the first.
                .reduce(|best, next| if next.0 > best.0 { next } else { best })?;
            title_of(&largest.1)
        };
        pages.iter().take(3).find_map(|page| candidates(page))
    })
}

/// Takes out the space that a line end left behind a hyphen: "long- term".
fn mend_hyphens(title: &str) -> String {
    let mut mended = String::with_capacity(title.len());
    for word in title.split(' ') {
        let divided = mended.ends_with('-') && !mended.ends_with(" -");
        if !(mended.is_empty() || divided && word.starts_with(char::is_lowercase)) {
            mended.push(' ');
        }
        mended.push_str(word);
    }
    mended
}

fn is_file_name(text: &str) -> bool {
    let lower = text.to_lowercase();
    [
        ".doc", ".docx", ".pdf", ".indd", ".qxd", ".ppt", ".pptx", ".tif",
    ]
    .iter()
    .any(|extension| lower.ends_with(extension))
}

struct Writer<'a> {
    builder: Builder,
    vocabulary: &'a Vocabulary,
    numbers: Vec<u32>,
    statuses: &'a [PageStatus],
    opened: usize,
}

impl Writer<'_> {
    /// Makes the page current from here on, and those before it.
    fn open(&mut self, number: u32, position: usize) {
        while self.opened < self.numbers.len() && self.numbers[self.opened] <= number {
            if let Some(page) = self.builder.pages.last_mut() {
                page.range.end = position;
            }
            self.builder.pages.push(Page {
                number: self.numbers[self.opened],
                range: CharRange::new(position, position),
                status: self.statuses[self.opened].clone(),
            });
            self.opened += 1;
        }
    }

    fn finish(mut self) -> Builder {
        let end = self.builder.position;
        self.open(u32::MAX, end);
        if let Some(page) = self.builder.pages.last_mut() {
            page.range.end = end;
        }
        self.builder
    }

    fn write(&mut self, draft: &Draft<'_>) {
        let Some(&(page, _)) = draft.lines.first() else {
            return;
        };
        let kind = match &draft.kind {
            Kind::Table(rows) => {
                self.builder.part("\n\n");
                self.open(page, self.builder.position);
                let (header, rows) = header_of(rows);
                self.builder.table("", header, rows);
                return;
            }
            Kind::Paragraph => BlockKind::Paragraph,
            Kind::ListItem => BlockKind::ListItem,
            Kind::Heading(level) => BlockKind::Heading { level: *level },
            Kind::RunningHead => BlockKind::RunningHead,
        };
        // The text, and where in it another page begins.
        let mut text = String::new();
        let mut turns: Vec<(u32, usize)> = Vec::new();
        let mut current = page;
        for &(number, line) in &draft.lines {
            let own = line.text();
            self.vocabulary.append(&mut text, &own);
            if number != current {
                turns.push((number, text.len() - own.len()));
                current = number;
            }
        }
        let marker = if kind == BlockKind::ListItem {
            bullet(&text).unwrap_or("").to_owned()
        } else {
            String::new()
        };
        self.builder.part_for(&kind);
        let start = self.builder.position;
        self.open(page, start);
        self.builder
            .marked_block(kind, &marker, &text[marker.len()..]);
        for (number, byte) in turns {
            let position = start + text[..byte].chars().count();
            self.open(number, position);
        }
    }
}
