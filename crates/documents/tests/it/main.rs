//! What readers of documents promise, at their door.
#![allow(clippy::print_stderr)] // checks that need the shared files say when they are skipped

mod docx;
mod formats;
mod made_docx;
mod nasty;
mod properties;
mod smoke;
mod worker;

use std::path::{Path, PathBuf};

use lahar_core::{CharRange, TextIndex};
use lahar_documents::{BlockKind, Document, ReadOptions, WorkerCommand};

/// The shared files, where they are here.
fn shared(test: &str, folder: &str) -> Option<PathBuf> {
    let root = std::env::var_os("LAHAR_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let folder = root.join(folder);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED {test}: {} is not here", folder.display());
    None
}

/// PDF files are read by this crate's own worker.
fn options() -> ReadOptions {
    ReadOptions {
        worker: Some(WorkerCommand {
            program: env!("CARGO_BIN_EXE_lahar-pdf-worker").into(),
            args: Vec::new(),
        }),
        ..ReadOptions::default()
    }
}

/// The text of each block, with its kind's name.
fn blocks(document: &Document) -> Vec<(String, String)> {
    let index = TextIndex::new(&document.text);
    document
        .blocks
        .iter()
        .map(|block| {
            let kind = match &block.kind {
                BlockKind::Table(_) => "table".to_owned(),
                BlockKind::Heading { level } => format!("h{level}"),
                BlockKind::Paragraph => "p".to_owned(),
                BlockKind::ListItem => "li".to_owned(),
                kind => format!("{kind:?}").to_lowercase(),
            };
            (
                kind,
                index
                    .slice(block.range)
                    .expect("a range of the text")
                    .to_owned(),
            )
        })
        .collect()
}

/// What holds for every document: ranges in order inside the text and inside each other, no
/// control characters.
fn check(document: &Document) {
    let index = TextIndex::new(&document.text);
    let whole = CharRange::new(0, index.len());
    let mut end = 0;
    for block in &document.blocks {
        assert!(whole.contains(block.range), "{block:?} leaves the text");
        assert!(block.range.start >= end, "{block:?} begins before {end}");
        assert!(!block.range.is_empty(), "{block:?} is empty");
        end = block.range.end;
        if let BlockKind::Table(table) = &block.kind {
            let mut end = block.range.start;
            let rows = table.header.iter().chain(&table.rows);
            if let Some(caption) = table.caption {
                assert!(block.range.contains(caption));
                end = caption.end;
            }
            for row in rows {
                assert!(
                    block.range.contains(row.range),
                    "{row:?} leaves {:?}",
                    block.range
                );
                assert!(row.range.start >= end, "{row:?} begins before {end}");
                end = row.range.end;
                let mut last = row.range.start;
                for &cell in &row.cells {
                    assert!(row.range.contains(cell), "{cell:?} leaves {:?}", row.range);
                    assert!(cell.start >= last);
                    last = cell.end;
                }
            }
        }
    }
    let mut end = 0;
    for (place, page) in document.pages.iter().enumerate() {
        assert_eq!(page.number as usize, place + 1);
        assert!(page.range.start >= end && page.range.end <= index.len());
        end = page.range.end;
    }
    let is_bad = |c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\u{c}');
    assert!(!document.text.contains(is_bad));
    assert!(
        !document
            .title
            .iter()
            .any(|title| title.contains(char::is_control))
    );
}
