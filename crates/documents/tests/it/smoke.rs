//! Small valid files of every kind, damaged in every way that comes cheap: a reader gives a
//! document that holds together, or an error, and never a panic.
//!
//! `LAHAR_SMOKE_RUNS=100000 cargo test -p lahar-documents --release --test it smoke` runs longer.
//! `fuzz/` beside this crate has a target for each reader.
//!
//! PDF files are read in this process here, so that many can be tried. Somewhere among 100,000 of
//! them the PDF library overflows the stack, which ends the test program; in use that ends a
//! worker process and is a status of the file (`worker.rs` has such a file).

use std::panic::{AssertUnwindSafe, catch_unwind};

use lahar_core::RandomStream;
use lahar_documents::{ReadOptions, read_bytes};

use crate::made_docx::{Docx, paragraph};
use crate::{check, worker};

/// Damaged files for each reader in a usual run.
const RUNS: usize = 300;

/// Stack of the thread that reads, as large as the worker's.
const STACK_BYTES: usize = 64 << 20;

const HTML: &[u8] = b"<!DOCTYPE html><title>Levee</title><h1>Report</h1><p>The river <b>rose</b> 3&nbsp;feet.<ul><li>one<li>two</ul>\
    <table><caption>Stages</caption><tr><th colspan=2>Gauge<th>Feet<tr><td rowspan=3>White<td>Elm<td>2 x 10<sup>3</sup></table><pre>A    B    C\nD    E    F</pre><h2>References</h2><p>Smith, J., 2001.";
const MARKDOWN: &[u8] = b"---\ntitle: Flood\n---\n\n# Notice\n\nWater *rose*[^1] to `12 ft`.\n\n* one\n* two\n  1. deep\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[^1]: Seen.\n\n<!-- no -->\n\n```\ncode\n```\n";
const TEXT: &[u8] = b"FLOOD STATEMENT\n900 AM MON MAR 3 2025\n\n* RAIN OF ONE INCH...AND\n  MORE.\n\nOUTLOOK\n-------\n    SITE        TIME\n    ----------------\n    NORTH BAY   237 PM\n    LONG BEACH  240 PM\n\nRating:   EF2\nLength:   9.1 miles\n\n$$\n";

/// Pieces that some reader gives a meaning to.
const PIECES: &[&[u8]] = &[
    b"<",
    b">",
    b"&",
    b"&#0;",
    b"]]>",
    b"<![CDATA[",
    b"<w:p>",
    b"</w:p>",
    b"<w:tbl>",
    b"<w:tc>",
    b"<table>",
    b"<td rowspan=99 colspan=99>",
    b"</table>",
    b"obj",
    b"endobj",
    b"stream",
    b"endstream",
    b"<<",
    b">>",
    b"/Kids",
    b"/Parent",
    b"/Length 99999",
    b"trailer",
    b"xref",
    b"startxref",
    b"%%EOF",
    b"1 0 R",
    b"4294967295",
    b"-1",
    b"0",
    b"1e308",
    b"\0",
    b"\xff\xfe",
    b"\x1b[31m",
    b"\xe2\x80\xae",
    b"\n\n",
    b"|",
    b"```",
    b"---",
    b"PK\x03\x04",
    b"%PDF-",
];

fn docx() -> Docx {
    let table = format!(
        "<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc><w:tcPr><w:gridSpan w:val=\"2\"/></w:tcPr>{}</w:tc></w:tr><w:tr><w:tc>{}</w:tc><w:tc><w:tcPr><w:vMerge/></w:tcPr>{}</w:tc></w:tr></w:tbl>",
        paragraph("", "Gauge"),
        paragraph("", "Elm"),
        paragraph("", "12"),
    );
    Docx::new(&format!(
        "{}<w:p><w:pPr><w:numPr><w:ilvl w:val=\"1\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr><w:r><w:t>item</w:t></w:r><w:r><w:footnoteReference w:id=\"1\"/></w:r></w:p>{table}",
        paragraph("H", "Lage &amp; Pegel"),
    ))
    .part("styles", "styles", "<w:style w:styleId=\"H\"><w:name w:val=\"heading 1\"/><w:basedOn w:val=\"H\"/></w:style>")
    .part("numbering", "numbering", "<w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"1\"><w:numFmt w:val=\"upperRoman\"/><w:lvlText w:val=\"%1.%2\"/></w:lvl></w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>")
    .part("footnotes", "footnotes", "<w:footnote w:id=\"1\"><w:p><w:r><w:t>Seen.</w:t></w:r></w:p></w:footnote>")
}

/// Damages bytes in one to four places.
fn damaged(bytes: &[u8], random: &mut RandomStream) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let mut below = |limit: usize| (random.uniform() * limit as f64) as usize;
    for _ in 0..1 + below(4) {
        if bytes.is_empty() {
            break;
        }
        let place = below(bytes.len());
        let end = (place + 1 + below(40)).min(bytes.len());
        match below(8) {
            0 => bytes[place] ^= 1 << below(8),
            1 => bytes[place] = below(256) as u8,
            2 => drop(bytes.drain(place..end)),
            3 => {
                let piece = bytes[place..end].to_vec();
                let times = 1 + below(20);
                bytes.splice(place..place, piece.repeat(times));
            }
            4 => bytes.truncate(place),
            5 => {
                let piece = PIECES[below(PIECES.len())].repeat(1 + below(3));
                bytes.splice(place..place, piece);
            }
            6 => {
                let piece = PIECES[below(PIECES.len())];
                bytes.splice(place..end, piece.iter().copied());
            }
            _ => {
                let other = below(bytes.len());
                let piece = bytes[other..(other + 30).min(bytes.len())].to_vec();
                bytes.splice(place..end, piece);
            }
        }
    }
    bytes
}

fn run(name: &str, extension: &str, seed: u64, make: &dyn Fn(&mut RandomStream) -> Vec<u8>) {
    let runs = std::env::var("LAHAR_SMOKE_RUNS")
        .ok()
        .and_then(|runs| runs.parse().ok())
        .unwrap_or(RUNS);
    let options = ReadOptions::default();
    let mut read = 0;
    for number in 0..runs {
        let mut random = RandomStream::new(seed, number as u64);
        let bytes = make(&mut random);
        let begun = std::time::Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| {
            if let Ok(document) = read_bytes(&bytes, extension, &options) {
                check(&document);
                return true;
            }
            false
        }));
        let failed = result.is_err();
        if failed || begun.elapsed().as_secs() > 10 {
            let path = std::env::temp_dir().join(format!("lahar-smoke-{name}-{number}"));
            let _ = std::fs::write(&path, &bytes);
            panic!(
                "{name}, run {number}, {:?}: the file is kept as {}",
                begun.elapsed(),
                path.display()
            );
        }
        read += usize::from(result.unwrap_or(false));
    }
    eprintln!("{name}: {read} of {runs} damaged files were read, the others refused");
    // A damage that always or never leaves a file readable tries nothing.
    assert!(read > 0, "{name}: nothing was read");
}

#[test]
fn smoke_damaged_pages_and_texts_are_read_or_refused() {
    for (name, extension, bytes) in [
        ("html", "html", HTML),
        ("markdown", "md", MARKDOWN),
        ("text", "txt", TEXT),
    ] {
        run(name, extension, 1, &|random| damaged(bytes, random));
    }
}

#[test]
fn smoke_damaged_word_documents_are_read_or_refused() {
    let whole = docx();
    let archive = whole.bytes();
    run("docx archive", "docx", 2, &|random| {
        damaged(&archive, random)
    });
    // Behind the checksums of the archive, the XML itself.
    run("docx parts", "docx", 3, &|random| {
        whole.damaged_bytes(&mut |part| damaged(part, random))
    });
}

#[test]
fn smoke_damaged_pdf_files_are_read_or_refused() {
    let files = [worker::small(false), worker::small(true)];
    let reader = std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || {
            for (number, file) in files.iter().enumerate() {
                run(&format!("pdf {number}"), "pdf", 4, &|random| {
                    damaged(file, random)
                });
            }
        })
        .expect("a thread");
    if let Err(said) = reader.join() {
        std::panic::resume_unwind(said);
    }
}
