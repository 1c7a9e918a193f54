//! Adding, replacing and removing documents, one transaction each.

use std::time::Duration;

use lahar_core::{DocumentId, HazardWeights};
use lahar_documents::Document;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::rows::{
    erase, erase_chunks, insert_chunks, insert_document, insert_document_hazards, number_of,
};
use super::{
    AddOutcome, DocumentDetails, Library, NewChunk, NewDocument, OnWait, StoredDocument, Waiting,
};
use crate::error::{At, LibraryError};
use crate::settings::Settings;
use crate::text::one_line;

/// Chunks of one document as they come out of a reindexing.
type Recut<'f> = &'f mut dyn FnMut(&StoredDocument, &Document) -> Result<Relabelled, LibraryError>;

/// A document's labels and chunks, made anew.
pub(crate) struct Relabelled {
    pub hazards: HazardWeights,
    pub chunks: Vec<NewChunk>,
}

impl Library {
    /// Stores a document with its chunks. The same content is left as it is, unless its path's
    /// former content or what people say about it has changed.
    pub fn add(&mut self, new: &NewDocument<'_>) -> Result<AddOutcome, LibraryError> {
        let details = self.details_to_store(new.document.id, new.details)?;
        let path = self.path.clone();
        self.write(|transaction| {
            fit(transaction, &path, &new.chunks)?;
            let same_path: Option<String> = transaction
                .query_row(
                    "SELECT id FROM documents WHERE path = ?1",
                    [&details.path],
                    |row| row.get(0),
                )
                .optional()
                .at(&path)?;
            let id = new.document.id.to_string();
            let former = same_path.filter(|former| *former != id);
            let stored = stored_details(transaction, new.document.id).at(&path)?;
            let outcome = match (&former, &stored) {
                (None, None) => AddOutcome::Added,
                (None, Some(stored)) if is_same(stored, &details) => {
                    return Ok(AddOutcome::Unchanged);
                }
                (None, Some(_)) => AddOutcome::Replaced {
                    former: new.document.id,
                },
                (Some(former), _) => AddOutcome::Replaced {
                    former: former.parse().map_err(|_| damaged_id(&path, former))?,
                },
            };
            if let Some(former) = &former {
                erase(transaction, former).at(&path)?;
            }
            erase(transaction, &id).at(&path)?;
            let number = insert_document(transaction, new.document, &details, &new.hazards);
            let number = number.at(&path)?;
            insert_chunks(transaction, number, &new.chunks).at(&path)?;
            Ok(outcome)
        })
    }

    /// Whether giving this file to [`Library::add`] would change nothing, so that it need not be
    /// read, cut and embedded.
    pub fn is_unchanged(
        &self,
        id: DocumentId,
        details: &DocumentDetails,
    ) -> Result<bool, LibraryError> {
        let wanted = self.details_to_store(id, details)?;
        let connection = self.lock();
        let stored = stored_details(&connection, id).at(&self.path)?;
        let other_at_path = connection
            .query_row(
                "SELECT 1 FROM documents WHERE path = ?1 AND id <> ?2",
                params![details.path, id.to_string()],
                |_| Ok(()),
            )
            .optional()
            .at(&self.path)?;
        Ok(other_at_path.is_none() && stored.is_some_and(|stored| is_same(&stored, &wanted)))
    }

    /// Removes a document and everything made from it.
    pub fn remove(&mut self, id: DocumentId) -> Result<(), LibraryError> {
        let path = self.path.clone();
        self.write(|transaction| {
            if erase(transaction, &id.to_string()).at(&path)? {
                Ok(())
            } else {
                Err(LibraryError::UnknownDocument {
                    reference: id.to_string(),
                })
            }
        })
    }

    /// Cuts, labels and embeds every document again, all in one transaction: readers see the old
    /// chunks until the last new one is stored, and a failure leaves everything as it was.
    pub(crate) fn rebuild(
        &mut self,
        settings: &Settings,
        recut: Recut<'_>,
    ) -> Result<(), LibraryError> {
        let path = self.path.clone();
        let ids: Vec<DocumentId> = self.documents()?.into_iter().map(|d| d.id).collect();
        self.write(|transaction| {
            super::open::write_settings(transaction, &path, settings)?;
            for id in ids {
                let stored = super::read::stored(transaction, id).at(&path)?;
                let document = super::read::whole(transaction, id).at(&path)?;
                // A document that another process removed in the meantime needs no chunks.
                let (Some(stored), Some(document)) = (stored, document) else {
                    continue;
                };
                let number = number_of(transaction, &id.to_string()).at(&path)?;
                let Some(number) = number else { continue };
                let fresh = recut(&stored, &document)?;
                erase_chunks(transaction, number).at(&path)?;
                transaction
                    .execute("DELETE FROM document_hazards WHERE document = ?1", [number])
                    .at(&path)?;
                insert_document_hazards(transaction, number, &fresh.hazards).at(&path)?;
                insert_chunks(transaction, number, &fresh.chunks).at(&path)?;
            }
            Ok(())
        })
    }

    /// Runs a write in one transaction. Nothing of it is kept when it fails.
    pub(super) fn write<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, LibraryError>,
    ) -> Result<T, LibraryError> {
        if !self.writable {
            return Err(LibraryError::ReadOnly {
                path: self.path.clone(),
                reason: "it was opened for reading".into(),
            });
        }
        self.register()?;
        let with = self.beginning();
        let path = with.path;
        let transaction = begin(with)?;
        let result = work(&transaction)?;
        transaction.commit().at(path)?;
        Ok(result)
    }

    /// Names this process as the writer, once, in a transaction of its own: what stands in an
    /// unfinished transaction cannot be read by those who wait for it.
    fn register(&mut self) -> Result<(), LibraryError> {
        if self.registered {
            return Ok(());
        }
        let with = self.beginning();
        let path = with.path;
        let transaction = begin(with)?;
        transaction
            .execute(
                "INSERT OR REPLACE INTO meta (key, value) VALUES ('writer', ?1)",
                [this_process()],
            )
            .at(path)?;
        transaction.commit().at(path)?;
        self.registered = true;
        Ok(())
    }

    fn beginning(&mut self) -> Begin<'_> {
        Begin {
            connection: self
                .connection
                .get_mut()
                .unwrap_or_else(std::sync::PoisonError::into_inner),
            path: &self.path,
            wait: self.writer_wait,
            on_wait: self.on_wait.as_ref(),
            registered: self.registered,
        }
    }

    /// What is stored about a document: what is given now, and else what is stored already. File
    /// names and titles are cleaned here, so that nothing else can come out.
    fn details_to_store(
        &self,
        id: DocumentId,
        given: &DocumentDetails,
    ) -> Result<DocumentDetails, LibraryError> {
        let stored = stored_details(&self.lock(), id).at(&self.path)?;
        let line = |text: &Option<String>, stored: Option<String>| {
            let text = text.as_deref().map(one_line);
            text.filter(|text| !text.is_empty()).or(stored)
        };
        let stored = stored.unwrap_or_default();
        Ok(DocumentDetails {
            path: given.path.clone(),
            title: line(&given.title, stored.title),
            publisher: line(&given.publisher, stored.publisher),
            date: given.date.or(stored.date),
            place: line(&given.place, stored.place),
            source: line(&given.source, stored.source),
            licence: line(&given.licence, stored.licence),
            hazards: if given.hazards.is_empty() {
                stored.hazards
            } else {
                given.hazards.clone()
            },
            ingested_at: one_line(&given.ingested_at),
        })
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        if !self.registered {
            return;
        }
        let connection = self
            .connection
            .get_mut()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        // A name left behind does no harm: it is shown only to those who find the file locked.
        let _ = connection.busy_timeout(std::time::Duration::from_millis(200));
        let _ = connection.execute(
            "DELETE FROM meta WHERE key = 'writer' AND value = ?1",
            [this_process()],
        );
    }
}

/// Refuses chunks that were made for a library built in another way, and vectors where there should
/// be none or none where there should be some.
fn fit(
    connection: &Connection,
    path: &std::path::Path,
    chunks: &[NewChunk],
) -> Result<(), LibraryError> {
    let settings = super::open::read_settings(connection, path)?;
    let expected = settings.model.map_or(0, |model| model.identity.dimension);
    for new in chunks {
        if new.chunk.kind != settings.chunker {
            return Err(LibraryError::OtherChunker {
                path: path.to_owned(),
                built_with: settings.chunker.name(),
                asked: new.chunk.kind.name(),
            });
        }
        let found = new.vector.as_ref().map_or(0, Vec::len);
        if found != expected {
            return Err(LibraryError::VectorLength { expected, found });
        }
    }
    Ok(())
}

/// What a transaction begins with, apart from the library that keeps it.
struct Begin<'l> {
    connection: &'l Connection,
    path: &'l std::path::Path,
    wait: Duration,
    on_wait: Option<&'l OnWait>,
    registered: bool,
}

/// How long a write waits without saying so.
const SILENT_WAIT: Duration = Duration::from_secs(1);

/// Begins to write, or waits for another process: silently at first, then with a word about it,
/// and no longer than the library allows.
fn begin<'c>(with: Begin<'c>) -> Result<Transaction<'c>, LibraryError> {
    let Begin {
        connection,
        path,
        wait,
        on_wait,
        registered,
    } = with;
    let attempt = |patience: Duration| {
        connection.busy_timeout(patience).at(path)?;
        let begun = Transaction::new_unchecked(connection, TransactionBehavior::Immediate);
        connection.busy_timeout(wait).at(path)?;
        begun.at(path)
    };
    let silent = wait.min(SILENT_WAIT);
    match attempt(silent) {
        Err(LibraryError::Locked { .. }) => {}
        other => return other,
    }
    let holder = holder(connection, path, registered)?;
    let rest = wait.saturating_sub(silent);
    if !rest.is_zero() {
        if let Some(on_wait) = on_wait {
            on_wait(&Waiting {
                holder: holder.clone(),
                most: rest,
            });
        }
        match attempt(rest) {
            Err(LibraryError::Locked { .. }) => {}
            other => return other,
        }
    }
    Err(LibraryError::Locked {
        path: path.to_owned(),
        holder,
        waited_seconds: wait.as_secs(),
    })
}

/// Who has named itself as the writer.
fn holder(
    connection: &Connection,
    path: &std::path::Path,
    registered: bool,
) -> Result<String, LibraryError> {
    let named: Option<String> = super::open::meta(connection, path, "writer")?;
    // Where we put our own name there, another one writes now who did so before us.
    let named = named.filter(|name| !(registered && *name == this_process()));
    Ok(named.map_or_else(|| "another process".into(), |name| one_line(&name)))
}

/// Process number and program, for a person who wonders what to wait for.
fn this_process() -> String {
    let program = std::env::current_exe().ok();
    let program = program.as_deref().and_then(std::path::Path::file_name);
    let program = program.map_or_else(
        || "a program".into(),
        |name| one_line(&name.to_string_lossy()),
    );
    format!("process {} ({program})", std::process::id())
}

fn damaged_id(path: &std::path::Path, id: &str) -> LibraryError {
    LibraryError::Damaged {
        path: path.to_owned(),
        reason: format!("`{}` is no document id", one_line(id)),
    }
}

/// Whether what people say about a document is what is stored. Paths and times may differ: the same
/// file may lie in two places.
fn is_same(stored: &DocumentDetails, wanted: &DocumentDetails) -> bool {
    let comparable = |details: &DocumentDetails| DocumentDetails {
        path: String::new(),
        ingested_at: String::new(),
        ..details.clone()
    };
    comparable(stored) == comparable(wanted)
}

/// What people said about a stored document. A title that the reader found does not count.
fn stored_details(
    connection: &Connection,
    id: DocumentId,
) -> rusqlite::Result<Option<DocumentDetails>> {
    let Some(stored) = super::read::stored(connection, id)? else {
        return Ok(None);
    };
    let given: Option<String> = connection.query_row(
        "SELECT given_title FROM documents WHERE id = ?1",
        [id.to_string()],
        |row| row.get(0),
    )?;
    Ok(Some(DocumentDetails {
        path: stored.path,
        title: given,
        publisher: stored.publisher,
        date: stored.date,
        place: stored.place,
        source: stored.source,
        licence: stored.licence,
        hazards: stored.declared,
        ingested_at: stored.ingested_at,
    }))
}

#[cfg(test)]
mod tests {
    use lahar_core::CharRange;
    use lahar_documents::{Block, BlockKind, Format};

    use super::*;
    use crate::chunk::ChunkKind;
    use crate::ingest::Ingestor;

    fn document(text: String) -> Document {
        Document {
            id: DocumentId::of(text.as_bytes()),
            format: Format::Text,
            title: None,
            properties: lahar_documents::Properties::default(),
            blocks: vec![Block {
                kind: BlockKind::Paragraph,
                range: CharRange::new(0, text.chars().count()),
                section: Vec::new(),
            }],
            text,
            pages: Vec::new(),
            warnings: Vec::new(),
        }
    }

    #[test]
    fn a_full_disk_keeps_what_was_stored_and_nothing_of_the_rest() {
        let folder = tempfile::TempDir::new().unwrap();
        let settings = Settings::new(ChunkKind::Fixed, None).unwrap();
        let mut library = Library::create(folder.path().join("full.db"), &settings).unwrap();
        let details = |path: &str| DocumentDetails {
            path: path.into(),
            ..DocumentDetails::default()
        };
        let add = |library: &mut Library, text: String, path| {
            let mut ingestor = Ingestor::new(library, None).unwrap();
            ingestor.ingest(&document(text), &details(path), &mut |_| {})
        };
        add(&mut library, "A small flood.".into(), "small").unwrap();
        // SQLite gives the same error for this limit as for a disk without room.
        library
            .lock()
            .execute_batch("PRAGMA max_page_count = 60")
            .unwrap();
        let error = add(&mut library, "A large flood. ".repeat(50_000), "large").unwrap_err();
        assert!(matches!(error, LibraryError::DiskFull { .. }), "{error:?}");
        assert_eq!(library.document_count().unwrap(), 1);
        assert!(library.check(false).unwrap().problems.is_empty());
    }
}
