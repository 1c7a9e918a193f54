//! Readers for people's documents: PDF, DOCX, HTML, Markdown and plain text.
//!
//! [`read()`] turns a file into a [`Document`]: one stored text that holds everything that was
//! read, and ranges of it for pages, headings, paragraphs, list items and tables.
//!
//! | module | holds |
//! |---|---|
//! | [`document`] | what reading yields |
//! | [`mod@read`] | the door for all formats, options and limits |
//! | [`error`] | why a file was not read, by what the caller does next |
//! | `sniff`, `decode` | what a file is by its bytes; from bytes to clean characters |
//! | `plain`, `markdown`, `html` | one reader a format |
//! | `docx` | the reader for Word documents: archive, styles, body |
//! | [`pdf`] | the PDF reader: engines behind a trait, the worker process, layout |
//! | `roles` | contents, references and acknowledgements |
//! | `builder` | grows a stored text together with its ranges |
//!
//! # Limits
//!
//! What reading one file may cost. Where a limit is met, the error or a warning names it.
//!
//! | limit | value |
//! |---|---|
//! | largest file ([`Limits::file_bytes`]) | 512 MiB |
//! | largest file of text, Markdown or HTML ([`Limits::text_bytes`]) | 64 MiB |
//! | time for a PDF file, for one of its pages ([`Limits::time`], [`Limits::page_time`]) | 300 s, 20 s |
//! | memory of the PDF worker ([`Limits::memory_bytes`]) | 1 GiB |
//! | times a PDF worker is started again behind a page it died on | 5 |
//! | DOCX: parts in the archive | 20,000 |
//! | DOCX: a part unpacked, all parts read | 64 MiB, 128 MiB |
//! | DOCX: a part above 2 MiB, times its packed size | 250 |
//! | DOCX: nesting of elements | 1,000 |
//! | DOCX: cells and characters added by cells that span columns or rows | 500,000 |
//! | HTML: the same, for one table | 200,000 |
//!
//! # What is not text
//!
//! Scripts, styles, navigation, comments and hidden elements of HTML; hidden, deleted and
//! commented text, macros, embedded files and links out of the document in DOCX; attachments,
//! forms and scripts of PDF. Nothing in a file is run or fetched.
//!
//! What the text is used for is not known here.

pub mod document;
pub mod error;
pub mod pdf;
pub mod read;

mod builder;
mod decode;
mod docx;
mod html;
mod markdown;
mod plain;
mod roles;
mod sniff;

pub use document::{
    Block, BlockKind, Document, Format, Page, PageStatus, Properties, Row, Table, pages_of,
};
pub use error::ReadError;
pub use pdf::worker::{WorkerCommand, run_worker_if_asked};
pub use read::{Limits, ReadOptions, read, read_bytes};
