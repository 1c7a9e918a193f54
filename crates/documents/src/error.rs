//! Why a file was not read.

use std::time::Duration;

/// Why a file was not read. The messages do not name the file: whoever reads a folder puts its
/// path in front.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Nothing is in the file.
    #[error("the file is empty (0 bytes)")]
    Empty,
    /// The bytes are of no kind that Lahar reads.
    #[error(
        "{found} is not a format that Lahar reads: PDF, DOCX, HTML, Markdown and plain text are"
    )]
    Unsupported {
        /// What the bytes look like.
        found: String,
    },
    /// The file is larger than the limit.
    #[error(
        "the file has {bytes} bytes, more than the limit of {limit}; split it or raise the limit"
    )]
    TooLarge {
        /// Its size.
        bytes: u64,
        /// The limit in force.
        limit: u64,
    },
    /// The file is encrypted and the empty password does not open it.
    #[error("the PDF is encrypted and needs its password{}", if *.tried { "; the one given does not open it" } else { "" })]
    NeedsPassword {
        /// Whether a password was given.
        tried: bool,
    },
    /// Most pages are pictures of text.
    #[error(
        "no text layer, needs OCR: {without} of {pages} pages hold a picture and fewer than ten words"
    )]
    NoTextLayer {
        /// Pages in the file.
        pages: usize,
        /// Pages without a text layer.
        without: usize,
    },
    /// The file is damaged beyond reading.
    #[error("the file is broken: {reason}")]
    Broken {
        /// What was found, in words.
        reason: String,
    },
    /// Reading took longer than the limit.
    #[error("reading was stopped after {} s, the time limit{}", limit.as_secs_f64(), at_page(*.page))]
    TimedOut {
        /// The limit in force.
        limit: Duration,
        /// The page that was being read, where that is known.
        page: Option<u32>,
    },
    /// Reading took more memory than the limit.
    #[error("reading needs more than {} MiB, the memory limit{}", limit >> 20, at_page(*.page))]
    TooMuchMemory {
        /// The limit in force, in bytes.
        limit: u64,
        /// The page that was being read, where that is known.
        page: Option<u32>,
    },
    /// The program that reads PDF files could not be run.
    #[error("the PDF worker `{program}` cannot be run ({reason}); check the installation")]
    Worker {
        /// The program.
        program: String,
        /// What went wrong.
        reason: String,
    },
    /// The file could not be opened or read from the disk.
    #[error("the file cannot be read from disk: {0}")]
    Io(#[from] std::io::Error),
}

fn at_page(page: Option<u32>) -> String {
    page.map_or_else(String::new, |page| format!(", at page {page}"))
}
