//! The default engine: `pdf-extract`, page by page. A page on which it panics is named and the
//! rest is kept. What cannot be caught, a stack overflow or exhausted memory, ends the process:
//! that is what the worker is for.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pdf_extract::{Dictionary, Document, LoadOptions, Object, ObjectId, output_doc_page};

use super::engine::{PdfEngine, PdfPage, PdfPages};
use super::glyphs::Glyphs;
use super::{password, repair};
use crate::error::ReadError;

/// Reads in this process.
#[derive(Debug, Clone, Copy, Default)]
pub struct PdfExtract;

/// What reading yields, piece by piece.
pub(super) enum Piece {
    Start {
        pages: u32,
        title: Option<String>,
        warnings: Vec<String>,
    },
    Page(PdfPage),
    /// All pages were given.
    End,
}

impl PdfEngine for PdfExtract {
    fn pages(&self, bytes: &[u8], password: Option<&str>) -> Result<PdfPages, ReadError> {
        let mut file = PdfPages::default();
        extract(bytes, password, 1, &mut |piece| {
            match piece {
                Piece::Start {
                    title, warnings, ..
                } => {
                    file.title = title;
                    file.warnings = warnings;
                }
                Piece::Page(page) => file.pages.push(page),
                Piece::End => {}
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
    let Loaded {
        document,
        warnings,
        lost,
    } = load(bytes, password)?;
    let pages = catch_unwind(AssertUnwindSafe(|| document.get_pages()))
        .map_err(|panic| broken(said(&*panic)))?;
    if pages.is_empty() {
        return Err(broken("no page was found in it".to_owned()));
    }
    let title = catch_unwind(AssertUnwindSafe(|| title(&document))).unwrap_or_default();
    let found = u32::try_from(pages.len()).unwrap_or(u32::MAX);
    let count = found.saturating_add(lost);
    if !take(Piece::Start {
        pages: count,
        title,
        warnings,
    }) {
        return Ok(());
    }
    for (&number, &id) in pages.range(first..) {
        if !take(Piece::Page(page(&document, number, id))) {
            return Ok(());
        }
    }
    for number in found.saturating_add(1).max(first)..=count {
        let page = PdfPage {
            number,
            failure: Some("the file is damaged or cut off, and it is not in it".to_owned()),
            ..PdfPage::default()
        };
        if !take(Piece::Page(page)) {
            return Ok(());
        }
    }
    take(Piece::End);
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

/// A document that was opened.
struct Loaded {
    document: Document,
    warnings: Vec<String>,
    /// Pages that it says it had and that are not in it.
    lost: u32,
}

/// Opens a file; one whose directory of objects is of no use gets another. What panics is broken.
fn load(bytes: &[u8], password: Option<&str>) -> Result<Loaded, ReadError> {
    let open = |bytes: &[u8]| {
        catch_unwind(AssertUnwindSafe(|| open(bytes, password)))
            .unwrap_or_else(|panic| Err(broken(said(&*panic))))
    };
    let pages = |document: &Document| {
        catch_unwind(AssertUnwindSafe(|| document.get_pages().len())).unwrap_or_default()
    };
    let first = open(bytes);
    match first {
        Ok(document) if pages(&document) > 0 => {
            return Ok(Loaded {
                document,
                warnings: Vec::new(),
                lost: 0,
            });
        }
        // The loader takes a file without a readable directory of objects for an encrypted one,
        // and does not find a key that lies in the trailer itself.
        Ok(_) | Err(ReadError::Broken { .. } | ReadError::NeedsPassword { .. }) => {}
        Err(error) => return Err(error),
    }
    let again = repair::rebuilt(bytes).map(|copy| open(&copy));
    let reason = match (first, again) {
        (
            Err(error @ ReadError::NeedsPassword { .. }),
            None | Some(Err(ReadError::Broken { .. })),
        )
        | (_, Some(Err(error @ ReadError::NeedsPassword { .. }))) => return Err(error),
        (first, Some(Ok(mut document))) => {
            let was_locked = matches!(first, Err(ReadError::NeedsPassword { .. }));
            let declared = catch_unwind(AssertUnwindSafe(|| repair::mend_pages(&mut document)))
                .ok()
                .flatten();
            let found = pages(&document);
            if found > 0 {
                let lost = declared.unwrap_or(0).saturating_sub(found);
                let warnings = if was_locked && lost == 0 {
                    Vec::new()
                } else {
                    vec![damage(found, lost)]
                };
                return Ok(Loaded {
                    document,
                    warnings,
                    lost: u32::try_from(lost).unwrap_or(u32::MAX),
                });
            }
            match first {
                Err(error) => return Err(error),
                Ok(_) => "no page was found in it".to_owned(),
            }
        }
        (Err(error), _) => return Err(error),
        (Ok(_), _) => "no page was found in it".to_owned(),
    };
    Err(broken(reason))
}

/// What is said of a file that was read around its damage.
fn damage(found: usize, lost: usize) -> String {
    let mut said = "the file is damaged or cut off; what was found in it was read".to_owned();
    if lost > 0 {
        said.push_str(&format!(
            ": {found} of {} pages, counted in the order in which they stand in the file",
            found + lost
        ));
    }
    said
}

/// Opens a file, decrypting it where the empty password or the given one does that.
fn open(bytes: &[u8], password: Option<&str>) -> Result<Document, ReadError> {
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
    let password = if document.is_encrypted() {
        password::opening(&document, password).ok_or(ReadError::NeedsPassword { tried: true })?
    } else {
        password.to_owned()
    };
    match Document::load_mem_with_options(bytes, LoadOptions::with_password(&password)) {
        Ok(document) if !document.trailer.has(b"Encrypt") => Ok(document),
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
