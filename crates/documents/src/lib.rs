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
