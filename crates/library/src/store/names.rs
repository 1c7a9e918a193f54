//! Finding a document by what a person calls it.

use lahar_core::DocumentId;

use super::{Library, StoredDocument, read};
use crate::error::{At, LibraryError};
use crate::text::one_line;

/// Fewest digits of an id that are taken for one.
const SHORTEST_ID: usize = 4;

impl Library {
    /// The document a person means: an id or its first digits, a path, a file name with or without
    /// its ending, a title, or a part of a title. The first of these that fits one document wins;
    /// where it fits several, all are named and none is chosen.
    pub fn document(&self, reference: &str) -> Result<StoredDocument, LibraryError> {
        let wanted = reference.trim();
        let documents = read::all(&self.lock()).at(&self.path)?;
        let folded = one_line(wanted).to_lowercase();
        let unknown = || LibraryError::UnknownDocument {
            reference: one_line(wanted),
        };
        if folded.is_empty() {
            return Err(unknown());
        }
        let stem = |name: &str| {
            name.rsplit_once('.')
                .map_or(name, |(stem, _)| stem)
                .to_owned()
        };
        let is_id = folded.len() >= SHORTEST_ID && folded.bytes().all(|b| b.is_ascii_hexdigit());
        let rules: [&dyn Fn(&StoredDocument) -> bool; 6] = [
            &|document| document.path == wanted,
            &|document| document.file_name.to_lowercase() == folded,
            &|document| is_id && document.id.to_string().starts_with(&folded),
            &|document| stem(&document.file_name.to_lowercase()) == folded,
            &|document| document.title.to_lowercase() == folded,
            &|document| document.title.to_lowercase().contains(&folded),
        ];
        for rule in rules {
            let mut fitting = documents.iter().filter(|document| rule(document));
            match (fitting.next(), fitting.next()) {
                (Some(one), None) => return Ok(one.clone()),
                (Some(_), Some(_)) => {
                    let fitting = documents.iter().filter(|document| rule(document));
                    return Err(LibraryError::AmbiguousDocument {
                        reference: one_line(wanted),
                        candidates: fitting.take(8).map(called).collect(),
                    });
                }
                _ => {}
            }
        }
        Err(unknown())
    }

    /// The id of the document a person means.
    pub fn document_id(&self, reference: &str) -> Result<DocumentId, LibraryError> {
        self.document(reference).map(|document| document.id)
    }
}

fn called(document: &StoredDocument) -> String {
    format!("{} ({})", document.id.short(), document.title)
}
