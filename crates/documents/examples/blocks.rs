//! Prints the blocks of files, or with `--text` their stored text:
//! `cargo run -p lahar-documents --example blocks -- [--text] FILE...`.
#![allow(clippy::print_stdout, clippy::print_stderr)] // it is a program for people

use lahar_core::TextIndex;
use lahar_documents::{BlockKind, ReadOptions, read};

fn main() {
    let (flags, paths): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|argument| argument == "--text");
    for path in paths {
        match read(path.as_ref(), &ReadOptions::default()) {
            Err(error) => eprintln!("{path}: {error}"),
            Ok(document) if !flags.is_empty() => println!("{}", document.text),
            Ok(document) => {
                println!("# {path}: {:?}, {:?}", document.format, document.title);
                for warning in &document.warnings {
                    println!("! {warning}");
                }
                let index = TextIndex::new(&document.text);
                for block in &document.blocks {
                    let kind = match &block.kind {
                        BlockKind::Table(table) => format!(
                            "Table {}x{}",
                            table.rows.len(),
                            table
                                .rows
                                .iter()
                                .map(|row| row.cells.len())
                                .max()
                                .unwrap_or(0)
                        ),
                        kind => format!("{kind:?}"),
                    };
                    let page = document
                        .pages_of(block.range)
                        .map_or(String::new(), |pages| {
                            format!("p{}-{} ", pages.first, pages.last)
                        });
                    println!("[{page}{kind}] {}", block.section.join(" > "));
                    println!("{}", index.slice(block.range).unwrap_or("?"));
                }
            }
        }
    }
}
