//! What a file is, judged by its bytes. The name's extension decides only between Markdown and
//! plain text, which have no mark of their own.

use crate::document::Format;
use crate::docx;
use crate::error::ReadError;

/// Bytes looked at for the marks of a format.
pub(crate) const WINDOW: usize = 1024;

/// Whether a file that begins so is text of some kind, read whole in this process.
pub(crate) fn is_plain(start: &[u8]) -> bool {
    find(start, b"%PDF-").is_none() && !start.starts_with(b"PK\x03\x04")
}

/// What the bytes are. `extension` is the lower-case extension of the file's name, or empty.
pub(crate) fn format_of(bytes: &[u8], extension: &str) -> Result<Format, ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::Empty);
    }
    let start = &bytes[..bytes.len().min(WINDOW)];
    if find(start, b"%PDF-").is_some() {
        return Ok(Format::Pdf);
    }
    if start.starts_with(b"PK\x03\x04") {
        return archive_kind(bytes, extension);
    }
    if start.starts_with(OLD_OFFICE) && find(bytes, &utf16("EncryptedPackage")).is_some() {
        return Err(unsupported(
            "an office document with a password; save it without one: encrypted, it",
        ));
    }
    if let Some(found) = binary_kind(start) {
        return Err(unsupported(found));
    }
    let has_unicode_mark = start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]);
    if !has_unicode_mark && looks_binary(bytes) {
        return Err(unsupported("binary data"));
    }
    if is_html(start, extension) {
        return Ok(Format::Html);
    }
    Ok(match extension {
        "md" | "markdown" | "mdown" | "mkd" => Format::Markdown,
        _ => Format::Text,
    })
}

/// How office documents before 2007 begin, and encrypted ones of today.
const OLD_OFFICE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// What a ZIP archive is. One that cannot be opened is taken at its name, so that the reader says
/// what is wrong with it.
fn archive_kind(bytes: &[u8], extension: &str) -> Result<Format, ReadError> {
    let named_docx = matches!(extension, "docx" | "docm" | "dotx");
    match docx::kind_of_archive(bytes) {
        Some("docx") => Ok(Format::Docx),
        None if named_docx => Ok(Format::Docx),
        Some(found) => Err(unsupported(found)),
        None => Err(unsupported("a damaged ZIP archive")),
    }
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn unsupported(found: &str) -> ReadError {
    ReadError::Unsupported {
        found: found.to_owned(),
    }
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}

/// Names the well-known binary formats, so that the refusal can say what the file is.
fn binary_kind(start: &[u8]) -> Option<&'static str> {
    const MARKS: &[(&[u8], &str)] = &[
        (OLD_OFFICE, "an old office document"),
        (b"{\\rtf", "rich text (RTF)"),
        (b"%!PS", "PostScript"),
        (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
        (b"\xff\xd8\xff", "a JPEG picture"),
        (b"GIF8", "a GIF picture"),
        (b"II*\0", "a TIFF picture"),
        (b"MM\0*", "a TIFF picture"),
        (b"\x1f\x8b", "gzip data"),
        (b"BZh", "bzip2 data"),
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
        (b"\xfd7zXZ\0", "xz data"),
        (b"\x7fELF", "a program"),
        (b"MZ\x90\0", "a program"),
        (b"SQLite format 3\0", "an SQLite database"),
        (b"\x89HDF\r\n\x1a\n", "HDF5 or NetCDF-4 data"),
        (b"CDF\x01", "NetCDF data"),
        (b"CDF\x02", "NetCDF data"),
        (b"RIFF", "a media file"),
        (b"OggS", "a media file"),
        (b"ID3", "a media file"),
        (b"wOFF", "a font"),
        (b"wOF2", "a font"),
    ];
    MARKS
        .iter()
        .find(|(mark, _)| start.starts_with(mark))
        .map(|&(_, name)| name)
}

/// Whether more than a tenth of the bytes are control characters that no text has. A few stray
/// ones are damage, and damage is mended, not refused.
fn looks_binary(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(64 * 1024)];
    let controls = sample
        .iter()
        .filter(|&&byte| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | 0x1b))
        .count();
    controls * 10 > sample.len()
}

/// Whether the first tag is one that begins an HTML page. Markdown and text may hold tags too, so
/// outside a file named as HTML the page must begin with one of them.
fn is_html(start: &[u8], extension: &str) -> bool {
    let text = String::from_utf8_lossy(start).to_ascii_lowercase();
    let mut rest = text.trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
    while let Some(comment) = rest.strip_prefix("<!--") {
        match comment.find("-->") {
            Some(end) => rest = comment[end + 3..].trim_start(),
            None => return true,
        }
    }
    let begins = |names: &[&str]| {
        names.iter().any(|name| {
            rest.strip_prefix(name)
                .is_some_and(|after| after.starts_with([' ', '>', '\n', '\r', '\t', '/', '?']))
        })
    };
    if begins(&["<!doctype", "<html", "<head", "<body", "<title", "<meta"]) {
        return true;
    }
    let named_html = matches!(extension, "html" | "htm" | "xhtml");
    if begins(&["<?xml"]) {
        return named_html || rest.contains("<html");
    }
    // A text file with an extension of its own is taken at its word; anything else that begins
    // with a tag is a fragment of a page.
    named_html
        || !matches!(extension, "md" | "markdown" | "txt" | "text" | "") && rest.starts_with('<')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_decide_and_not_the_name() {
        assert_eq!(format_of(b"%PDF-1.4\n", "txt").unwrap(), Format::Pdf);
        assert_eq!(
            format_of(b"\n\n junk %PDF-1.4", "pdf").unwrap(),
            Format::Pdf
        );
        assert_eq!(
            format_of(b"<!DOCTYPE html><p>Not found", "pdf").unwrap(),
            Format::Html
        );
        assert_eq!(format_of(b"<html><p>x", "txt").unwrap(), Format::Html);
        assert_eq!(
            format_of(b"<!-- x --> text", "md").unwrap(),
            Format::Markdown
        );
        assert_eq!(format_of(b"plain words", "pdf").unwrap(), Format::Text);
        assert!(matches!(format_of(b"", "txt"), Err(ReadError::Empty)));
    }

    #[test]
    fn a_binary_file_is_refused_by_name() {
        let error = format_of(b"PK\x03\x04rest", "txt").unwrap_err();
        assert!(error.to_string().contains("ZIP"), "{error}");
        assert!(format_of(&[0, 1, 2, 3, 4, 5, 65, 66], "txt").is_err());
    }

    #[test]
    fn a_few_stray_control_bytes_do_not_make_text_binary() {
        let text = b"River stage 12.4 ft\0 at noon, and rising through the evening";
        assert_eq!(format_of(text, "txt").unwrap(), Format::Text);
    }
}
