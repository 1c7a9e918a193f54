//! The default engine: `pdf-extract`, page by page. A page on which it panics is named and the
//! rest is kept. What cannot be caught, a stack overflow or exhausted memory, ends the process:
//! that is what the worker is for.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pdf_extract::{Dictionary, Document, LoadOptions, Object, ObjectId, output_doc_page};

use super::engine::{PdfEngine, PdfPage, PdfPages};
use super::glyphs::Glyphs;
use crate::error::ReadError;

/// Reads in this process.
#[derive(Debug, Clone, Copy, Default)]
pub struct PdfExtract;

/// What reading yields, piece by piece.
pub(super) enum Piece {
    Start { pages: u32, title: Option<String> },
    Page(PdfPage),
}

impl PdfEngine for PdfExtract {
    fn pages(&self, bytes: &[u8], password: Option<&str>) -> Result<PdfPages, ReadError> {
        let mut file = PdfPages::default();
        extract(bytes, password, 1, &mut |piece| {
            match piece {
                Piece::Start { title, .. } => file.title = title,
                Piece::Page(page) => file.pages.push(page),
            }
            true
        })?;
        Ok(file)
    }
}

/// Reads the pages of a file from `first` on and gives each to `take`, until that refuses.
pub(super) fn extract(
    bytes: &[u8],
    password: Option<&str>,
    first: u32,
    take: &mut dyn FnMut(Piece) -> bool,
) -> Result<(), ReadError> {
    let document = catch_unwind(AssertUnwindSafe(|| load(bytes, password)))
        .unwrap_or_else(|panic| Err(broken(said(&*panic))))?;
    let pages = catch_unwind(AssertUnwindSafe(|| document.get_pages()))
        .map_err(|panic| broken(said(&*panic)))?;
    if pages.is_empty() {
        return Err(broken("no page was found in it".to_owned()));
    }
    let title = catch_unwind(AssertUnwindSafe(|| title(&document))).unwrap_or_default();
    let count = u32::try_from(pages.len()).unwrap_or(u32::MAX);
    if !take(Piece::Start {
        pages: count,
        title,
    }) {
        return Ok(());
    }
    for (&number, &id) in pages.range(first..) {
        if !take(Piece::Page(page(&document, number, id))) {
            break;
        }
    }
    Ok(())
}

fn page(document: &Document, number: u32, id: ObjectId) -> PdfPage {
    let mut glyphs = Glyphs::default();
    let result = catch_unwind(AssertUnwindSafe(|| {
        output_doc_page(document, &mut glyphs, number).map_err(|error| error.to_string())
    }));
    let failure = match result {
        Ok(Ok(())) => None,
        Ok(Err(message)) => Some(message),
        Err(panic) => Some(said(&*panic)),
    };
    let has_image = catch_unwind(AssertUnwindSafe(|| has_image(document, id))).unwrap_or_default();
    PdfPage {
        number,
        lines: glyphs.into_lines(),
        has_image,
        failure: failure.map(|reason| crate::decode::one_line(&reason)),
    }
}

/// What a panic said, shortened.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("the reader gave up");
    message.chars().take(200).collect()
}

fn broken(reason: String) -> ReadError {
    ReadError::Broken { reason }
}

/// Opens a file, decrypting it where the empty password or the given one does that.
fn load(bytes: &[u8], password: Option<&str>) -> Result<Document, ReadError> {
    let loaded = Document::load_mem(bytes);
    // A trailer that speaks of encryption on a file without pages means that the password is
    // missing, whatever the loader says.
    let is_locked = |document: &Document| {
        document.trailer.has(b"Encrypt")
            && (document.is_encrypted() || document.get_pages().is_empty())
    };
    let mut document = match loaded {
        Ok(document) if !is_locked(&document) => return Ok(document),
        Ok(document) => document,
        Err(pdf_extract::Error::Decryption(_) | pdf_extract::Error::InvalidPassword) => {
            Document::new()
        }
        Err(error) => return Err(broken(error.to_string())),
    };
    if document.is_encrypted() && document.decrypt("").is_ok() && !document.get_pages().is_empty() {
        return Ok(document);
    }
    let Some(password) = password else {
        return Err(ReadError::NeedsPassword { tried: false });
    };
    match Document::load_mem_with_options(bytes, LoadOptions::with_password(password)) {
        Ok(document) if !is_locked(&document) && !document.get_pages().is_empty() => Ok(document),
        _ => Err(ReadError::NeedsPassword { tried: true }),
    }
}

fn title(document: &Document) -> Option<String> {
    let info = document.trailer.get(b"Info").ok()?;
    let (_, info) = document.dereference(info).ok()?;
    let title = info.as_dict().ok()?.get(b"Title").ok()?;
    let (_, title) = document.dereference(title).ok()?;
    pdf_extract::decode_text_string(title).ok()
}

/// Whether a page shows a picture, in its own content or in forms drawn on it.
fn has_image(document: &Document, page: ObjectId) -> bool {
    let Ok((own, inherited)) = document.get_page_resources(page) else {
        return false;
    };
    let inherited = inherited
        .iter()
        .filter_map(|&id| document.get_dictionary(id).ok());
    own.into_iter()
        .chain(inherited)
        .any(|resources| shows_image(document, resources, 3))
}

fn shows_image(document: &Document, resources: &Dictionary, depth: usize) -> bool {
    let Ok(objects) = document.get_dict_in_dict(resources, b"XObject") else {
        return false;
    };
    objects.iter().any(|(_, object)| {
        let Ok((_, Object::Stream(stream))) = document.dereference(object) else {
            return false;
        };
        match stream.dict.get(b"Subtype").and_then(Object::as_name) {
            Ok(b"Image") => true,
            Ok(b"Form") if depth > 0 => document
                .get_dict_in_dict(&stream.dict, b"Resources")
                .is_ok_and(|inner| shows_image(document, inner, depth - 1)),
            _ => false,
        }
    })
}
