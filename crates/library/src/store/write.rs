//! Adding, replacing and removing documents, one transaction each.

use lahar_core::{DocumentId, HazardWeights};
use lahar_documents::{Document, Format};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::{AddOutcome, DocumentDetails, Library, NewChunk, NewDocument, StoredDocument, to_json};
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
        self.fit_vectors(&new.chunks)?;
        let details = self.details_to_store(new.document.id, new.details)?;
        let path = self.path.clone();
        self.write(|transaction| {
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
        let waited_seconds = self.writer_wait.as_secs();
        let path = &self.path;
        let connection = self
            .connection
            .get_mut()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let transaction = match begin(connection) {
            Ok(transaction) => transaction,
            Err(error) => return Err(locked(error, path, waited_seconds, None)),
        };
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
        let waited_seconds = self.writer_wait.as_secs();
        let path = &self.path;
        let connection = self
            .connection
            .get_mut()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let before: Option<String> = super::open::meta(connection, path, "writer")?;
        let named = begin(connection).and_then(|transaction| {
            transaction.execute(
                "INSERT OR REPLACE INTO meta (key, value) VALUES ('writer', ?1)",
                [this_process()],
            )?;
            transaction.commit()
        });
        match named {
            Ok(()) => {
                self.registered = true;
                Ok(())
            }
            Err(error) => Err(locked(error, path, waited_seconds, before)),
        }
    }

    /// A vector for each chunk in a library with a model, and none in one without.
    fn fit_vectors(&self, chunks: &[NewChunk]) -> Result<(), LibraryError> {
        let expected = self.settings()?.model.map_or(0, |m| m.identity.dimension);
        for chunk in chunks {
            let found = chunk.vector.as_ref().map_or(0, Vec::len);
            if found != expected {
                return Err(LibraryError::VectorLength { expected, found });
            }
        }
        Ok(())
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

fn begin(connection: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    connection.transaction_with_behavior(TransactionBehavior::Immediate)
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

fn locked(
    error: rusqlite::Error,
    path: &std::path::Path,
    waited_seconds: u64,
    holder: Option<String>,
) -> LibraryError {
    match Err::<(), _>(error).at(path) {
        Err(LibraryError::Locked { path, .. }) => LibraryError::Locked {
            path,
            holder: holder
                .map(|holder| one_line(&holder))
                .unwrap_or_else(|| "another process".into()),
            waited_seconds,
        },
        Err(other) => other,
        Ok(()) => unreachable!("an error stays an error"),
    }
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

fn number_of(connection: &Connection, id: &str) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached("SELECT number FROM documents WHERE id = ?1")?
        .query_row([id], |row| row.get(0))
        .optional()
}

/// Removes a document; `false` when there is none of that id.
fn erase(transaction: &Transaction<'_>, id: &str) -> rusqlite::Result<bool> {
    let Some(number) = number_of(transaction, id)? else {
        return Ok(false);
    };
    erase_chunks(transaction, number)?;
    transaction.execute("DELETE FROM documents WHERE number = ?1", [number])?;
    Ok(true)
}

fn erase_chunks(transaction: &Transaction<'_>, number: i64) -> rusqlite::Result<()> {
    // The index must be told the very words it is to forget, so it goes before the chunks.
    transaction.execute(
        "INSERT INTO chunk_index (chunk_index, rowid, title, heading, text)
         SELECT 'delete', chunk, title, heading, text FROM chunk_words
         WHERE chunk IN (SELECT id FROM chunks WHERE document = ?1)",
        [number],
    )?;
    transaction.execute("DELETE FROM chunks WHERE document = ?1", [number])?;
    Ok(())
}

fn insert_document(
    transaction: &Transaction<'_>,
    document: &Document,
    details: &DocumentDetails,
    hazards: &HazardWeights,
) -> rusqlite::Result<i64> {
    let file_name = file_name_of(&details.path);
    let found = document.title.as_deref().map(one_line);
    let found = found.filter(|title| !title.is_empty());
    let title = details.title.clone().or(found.clone());
    let warnings: Vec<String> = document.warnings.iter().map(|w| one_line(w)).collect();
    transaction.execute(
        "INSERT INTO documents (id, path, file_name, title, given_title, found_title, publisher,
             date, place, source, licence, declared, format, ingested_at, warnings, text)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        params![
            document.id.to_string(),
            details.path,
            file_name,
            title.unwrap_or_else(|| file_name.clone()),
            details.title,
            found,
            details.publisher,
            details.date.map(|date| date.to_string()),
            details.place,
            details.source,
            details.licence,
            to_json(&details.hazards)?,
            format_name(document.format),
            details.ingested_at,
            to_json(&warnings)?,
            document.text,
        ],
    )?;
    let number = transaction.last_insert_rowid();
    let mut insert_page = transaction.prepare_cached(
        "INSERT INTO pages (document, number, start, \"end\", status) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for page in &document.pages {
        insert_page.execute(params![
            number,
            page.number,
            page.range.start as i64,
            page.range.end as i64,
            to_json(&page.status)?,
        ])?;
    }
    let mut insert_block = transaction.prepare_cached(
        "INSERT INTO blocks (document, position, start, \"end\", kind, section)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    for (position, block) in document.blocks.iter().enumerate() {
        insert_block.execute(params![
            number,
            position as i64,
            block.range.start as i64,
            block.range.end as i64,
            to_json(&block.kind)?,
            to_json(&block.section)?,
        ])?;
    }
    insert_document_hazards(transaction, number, hazards)?;
    Ok(number)
}

fn insert_document_hazards(
    transaction: &Transaction<'_>,
    number: i64,
    hazards: &HazardWeights,
) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare_cached(
        "INSERT INTO document_hazards (document, hazard, weight) VALUES (?1, ?2, ?3)",
    )?;
    for (hazard, weight) in hazards.iter() {
        insert.execute(params![number, hazard.label(), f64::from(weight)])?;
    }
    Ok(())
}

fn insert_chunks(
    transaction: &Transaction<'_>,
    number: i64,
    chunks: &[NewChunk],
) -> rusqlite::Result<()> {
    let text: String = transaction.query_row(
        "SELECT text FROM documents WHERE number = ?1",
        [number],
        |row| row.get(0),
    )?;
    let index = lahar_core::TextIndex::new(&text);
    let mut insert = transaction.prepare_cached(
        "INSERT INTO chunks (document, position, kind, spans, first_page, last_page, section,
             heading, text)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    let mut insert_hazard = transaction
        .prepare_cached("INSERT INTO chunk_hazards (chunk, hazard, weight) VALUES (?1, ?2, ?3)")?;
    let mut insert_vector =
        transaction.prepare_cached("INSERT INTO vectors (chunk, vector) VALUES (?1, ?2)")?;
    for (position, new) in chunks.iter().enumerate() {
        let chunk = &new.chunk;
        let spans: Vec<[usize; 2]> = chunk.spans.iter().map(|s| [s.start, s.end]).collect();
        insert.execute(params![
            number,
            position as i64,
            chunk.kind.name(),
            to_json(&spans)?,
            chunk.pages.map(|pages| pages.first),
            chunk.pages.map(|pages| pages.last),
            to_json(&chunk.section)?,
            one_line(&new.heading),
            crate::cut::text_of(&index, &chunk.spans),
        ])?;
        let id = transaction.last_insert_rowid();
        for (hazard, weight) in chunk.hazards.iter() {
            insert_hazard.execute(params![id, hazard.label(), f64::from(weight)])?;
        }
        if let Some(vector) = &new.vector {
            insert_vector.execute(params![id, crate::search::vectors::to_bytes(vector)])?;
        }
    }
    transaction.execute(
        "INSERT INTO chunk_index (rowid, title, heading, text)
         SELECT chunk, title, heading, text FROM chunk_words
         WHERE chunk IN (SELECT id FROM chunks WHERE document = ?1)",
        [number],
    )?;
    Ok(())
}

/// The last part of a path, whichever way its folders are parted, on one line.
pub(super) fn file_name_of(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).find(|part| !part.is_empty());
    let name = one_line(name.unwrap_or(path));
    if name.is_empty() {
        "unnamed".into()
    } else {
        name
    }
}

pub(super) fn format_name(format: Format) -> &'static str {
    match format {
        Format::Pdf => "pdf",
        Format::Html => "html",
        Format::Markdown => "markdown",
        Format::Text => "text",
        // A reader newer than this store: kept as text, which is what it yielded.
        _ => "text",
    }
}
