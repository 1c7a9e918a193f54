//! One door for every format.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

use lahar_core::DocumentId;

use crate::decode::decode;
use crate::document::{Document, Format};
use crate::error::ReadError;
use crate::pdf::worker::WorkerCommand;
use crate::{docx, html, markdown, pdf, plain, sniff};

/// How to read.
#[derive(Debug, Clone)]
pub struct ReadOptions {
    /// The program that reads PDF files. Without one they are read in this process, where a file
    /// that overflows the stack or eats the memory takes the whole process with it.
    pub worker: Option<WorkerCommand>,
    /// Password for encrypted PDF files; the empty one is always tried first.
    pub password: Option<String>,
    /// What reading one file may cost.
    pub limits: Limits,
}

/// What reading one file may cost.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Largest file, in bytes.
    pub file_bytes: u64,
    /// Largest file of text, Markdown or HTML, in bytes. These are held in memory several times
    /// over while they are read.
    pub text_bytes: u64,
    /// Wall time for one PDF file.
    pub time: Duration,
    /// Wall time without a further page of a PDF file.
    pub page_time: Duration,
    /// Address space of the PDF worker, in bytes.
    pub memory_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            file_bytes: 512 << 20,
            text_bytes: 64 << 20,
            time: Duration::from_secs(300),
            page_time: Duration::from_secs(20),
            memory_bytes: 1 << 30,
        }
    }
}

impl Default for ReadOptions {
    /// No worker, no password, the default limits. A program that reads files it does not know
    /// sets `worker`.
    fn default() -> ReadOptions {
        ReadOptions {
            worker: None,
            password: None,
            limits: Limits::default(),
        }
    }
}

/// Reads a file. What it is follows from its bytes; the name's extension only tells Markdown from
/// plain text.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Document, ReadError> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(std::io::Error::from(std::io::ErrorKind::IsADirectory).into());
    }
    // What a file is shows in its first bytes, so that a log of a gigabyte is refused unread.
    let mut start = Vec::new();
    file.by_ref()
        .take(sniff::WINDOW as u64)
        .read_to_end(&mut start)?;
    let limit = if sniff::is_plain(&start) {
        options.limits.text_bytes.min(options.limits.file_bytes)
    } else {
        options.limits.file_bytes
    };
    if metadata.len() > limit {
        return Err(ReadError::TooLarge {
            bytes: metadata.len(),
            limit,
        });
    }
    let mut bytes = Vec::with_capacity((metadata.len() as usize).max(start.len()));
    bytes.append(&mut start);
    // A pipe or a growing file has no honest length, so the limit is kept while reading too.
    let rest = (limit + 1).saturating_sub(bytes.len() as u64);
    file.take(rest).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(ReadError::TooLarge {
            bytes: bytes.len() as u64,
            limit,
        });
    }
    let extension = path
        .extension()
        .map(|extension| extension.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default();
    read_bytes(&bytes, &extension, options)
}

/// Reads a file's bytes. `extension` is the extension of its name without the dot, or empty.
pub fn read_bytes(
    bytes: &[u8],
    extension: &str,
    options: &ReadOptions,
) -> Result<Document, ReadError> {
    let extension = extension.to_ascii_lowercase();
    let format = sniff::format_of(bytes, &extension)?;
    let mut document = match format {
        Format::Pdf => pdf::read(bytes, options)?,
        Format::Docx => docx::read(bytes)?,
        Format::Html => html::read(bytes),
        Format::Markdown => with_warnings(bytes, markdown::read),
        Format::Text => with_warnings(bytes, plain::read),
    };
    document.id = DocumentId::of(bytes);
    if !extension.is_empty() && !fits(format, &extension) {
        document.warnings.insert(
            0,
            format!(
                "the name ends in .{extension}, but the content is {}",
                name(format)
            ),
        );
    }
    if document.text.trim().is_empty() && document.format != Format::Pdf {
        document.warnings.push("no text was found".to_owned());
    }
    Ok(document)
}

fn with_warnings(bytes: &[u8], read: impl Fn(&str) -> Document) -> Document {
    let decoded = decode(bytes, None);
    let mut document = read(&decoded.text);
    document.warnings.splice(0..0, decoded.warnings);
    document
}

/// Whether a name with this extension promises this format. Extensions that promise nothing fit
/// everything.
fn fits(format: Format, extension: &str) -> bool {
    match extension {
        "pdf" => format == Format::Pdf,
        "docx" | "docm" | "dotx" => format == Format::Docx,
        "html" | "htm" | "xhtml" => format == Format::Html,
        "md" | "markdown" | "txt" | "text" => {
            matches!(format, Format::Markdown | Format::Text)
        }
        _ => true,
    }
}

fn name(format: Format) -> &'static str {
    match format {
        Format::Pdf => "PDF",
        Format::Docx => "a Word document (DOCX)",
        Format::Html => "HTML",
        Format::Markdown => "Markdown",
        Format::Text => "plain text",
    }
}
