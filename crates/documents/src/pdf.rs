//! PDF: pages of lines from an engine in a worker process, then paragraphs, headings and tables
//! from how the lines stand.
//!
//! | module | does |
//! |---|---|
//! | [`engine`] | the trait, and the pages, lines and cells that an engine gives |
//! | [`extract`] | the default engine, on the crate `pdf-extract` |
//! | [`worker`] | runs an engine in a process with limits |
//! | `password` | the owner's password in place of the user's |
//! | `repair` | files whose directory of objects is damaged |
//! | `glyphs` | from glyphs to lines |
//! | `running` | running heads and page numbers |
//! | `layout` | from lines to blocks |
//! | `words` | words divided at line ends |
//! | `assemble` | from blocks to the stored text |

pub mod engine;
pub mod extract;
pub mod worker;

mod assemble;
mod glyphs;
mod layout;
mod password;
mod repair;
mod running;
mod words;

use crate::document::{Document, PageStatus};
use crate::error::ReadError;
use crate::read::ReadOptions;
use engine::{PdfEngine, PdfPage, PdfPages};

/// Fewer words than this beside a picture are no text layer.
const FEWEST_WORDS: usize = 10;

/// A larger share of characters without meaning than this is a font without a text map.
const MOST_UNMAPPED: f64 = 0.05;

/// Reads a PDF file with the engine that the options name.
pub(crate) fn read(bytes: &[u8], options: &ReadOptions) -> Result<Document, ReadError> {
    match &options.worker {
        Some(command) => {
            let engine = worker::WorkerEngine::new(command.clone(), options.limits.clone());
            read_with(&engine, bytes, options.password.as_deref())
        }
        None => read_with(&extract::PdfExtract, bytes, options.password.as_deref()),
    }
}

/// Reads a PDF file with an engine of the caller's choice.
pub fn read_with(
    engine: &dyn PdfEngine,
    bytes: &[u8],
    password: Option<&str>,
) -> Result<Document, ReadError> {
    let mut file = engine.pages(bytes, password)?;
    let statuses: Vec<PageStatus> = file.pages.iter().map(status).collect();
    let total = statuses.len();
    if total == 0 {
        return Err(ReadError::Broken {
            reason: "no page was found in it".to_owned(),
        });
    }
    let count = |wanted: fn(&PageStatus) -> bool| statuses.iter().filter(|s| wanted(s)).count();
    let without = count(|status| matches!(status, PageStatus::NoTextLayer));
    if without * 2 > total {
        return Err(ReadError::NoTextLayer {
            pages: total,
            without,
        });
    }
    let has_text = file.pages.iter().any(|page| !page.lines.is_empty());
    if !has_text
        && let Some(PageStatus::Unreadable { reason }) = statuses
            .iter()
            .find(|status| matches!(status, PageStatus::Unreadable { .. }))
    {
        return Err(ReadError::Broken {
            reason: format!("none of its {total} pages could be read ({reason})"),
        });
    }
    let mut warnings = std::mem::take(&mut file.warnings);
    warnings.extend(page_warnings(&file, &statuses));
    Ok(assemble::document(&file, &statuses, warnings))
}

fn status(page: &PdfPage) -> PageStatus {
    if let Some(reason) = &page.failure {
        return PageStatus::Unreadable {
            reason: reason.clone(),
        };
    }
    let mut words = 0;
    let mut characters = 0usize;
    let mut unmapped = 0usize;
    for cell in page.lines.iter().flat_map(|line| &line.cells) {
        words += cell.text.split_whitespace().count();
        for c in cell.text.chars().filter(|c| !c.is_whitespace()) {
            characters += 1;
            unmapped += usize::from(is_unmapped(c));
        }
    }
    if unmapped as f64 > MOST_UNMAPPED * characters as f64 {
        PageStatus::NoTextMap
    } else if words < FEWEST_WORDS && page.has_image {
        PageStatus::NoTextLayer
    } else if words == 0 {
        PageStatus::Blank
    } else {
        PageStatus::Text
    }
}

fn is_unmapped(c: char) -> bool {
    // Bullets of symbol fonts lie in the private-use area too, and everyone knows what they mean.
    let is_symbol = ('\u{f020}'..='\u{f0ff}').contains(&c);
    c == '\u{fffd}'
        || !is_symbol && ('\u{e000}'..='\u{f8ff}').contains(&c)
        || ('\u{f0000}'..='\u{10fffd}').contains(&c)
}

fn page_warnings(file: &PdfPages, statuses: &[PageStatus]) -> Vec<String> {
    let mut warnings = Vec::new();
    let numbers = |wanted: &dyn Fn(&PageStatus) -> bool| {
        let pages = file.pages.iter().zip(statuses);
        pages
            .filter(|(_, status)| wanted(status))
            .map(|(page, _)| page.number)
            .collect::<Vec<u32>>()
    };
    let no_layer = numbers(&|status| matches!(status, PageStatus::NoTextLayer));
    if !no_layer.is_empty() {
        warnings.push(format!(
            "no text layer, needs OCR: {}",
            page_list(&no_layer)
        ));
    }
    let no_map = numbers(&|status| matches!(status, PageStatus::NoTextMap));
    if !no_map.is_empty() {
        warnings.push(format!(
            "fonts without a text map, the text is not reliable: {}",
            page_list(&no_map)
        ));
    }
    // Pages that failed for one reason are named together.
    let mut unreadable: Vec<(&str, Vec<u32>)> = Vec::new();
    for (page, status) in file.pages.iter().zip(statuses) {
        if let PageStatus::Unreadable { reason } = status {
            match unreadable.iter_mut().find(|(known, _)| known == reason) {
                Some((_, pages)) => pages.push(page.number),
                None => unreadable.push((reason, vec![page.number])),
            }
        }
    }
    for (reason, pages) in unreadable {
        warnings.push(format!("{} could not be read: {reason}", page_list(&pages)));
    }
    warnings
}

/// "page 3", "pages 1, 4 to 6".
fn page_list(pages: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &page in pages {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == page => *last = page,
            _ => runs.push((page, page)),
        }
    }
    let runs: Vec<String> = runs
        .iter()
        .map(|&(first, last)| match last - first {
            0 => first.to_string(),
            1 => format!("{first}, {last}"),
            _ => format!("{first} to {last}"),
        })
        .collect();
    let word = if pages.len() == 1 { "page" } else { "pages" };
    format!("{word} {}", runs.join(", "))
}
