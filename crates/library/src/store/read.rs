//! Reading documents back.

use lahar_core::{CharRange, DocumentId, Hazard, HazardWeights};
use lahar_documents::{Block, Document, Format, Page, Properties};
use rusqlite::{Connection, OptionalExtension, Row};

use super::{DocumentText, Library, StoredDocument, json};
use crate::error::{At, LibraryError};
use crate::text::one_line;

const STORED: &str = "SELECT number, id, path, file_name, title, publisher, date, place, source,
        licence, declared, format, ingested_at, warnings,
        (SELECT count(*) FROM pages WHERE document = documents.number) AS pages,
        (SELECT count(*) FROM chunks WHERE document = documents.number) AS chunks,
        (SELECT json_group_object(hazard, weight) FROM document_hazards
         WHERE document = documents.number) AS hazards
    FROM documents";

impl Library {
    /// Every document, by title.
    pub fn documents(&self) -> Result<Vec<StoredDocument>, LibraryError> {
        all(&self.lock()).at(&self.path)
    }

    /// Number of documents.
    pub fn document_count(&self) -> Result<usize, LibraryError> {
        self.count("SELECT count(*) FROM documents")
    }

    /// Number of chunks.
    pub fn chunk_count(&self) -> Result<usize, LibraryError> {
        self.count("SELECT count(*) FROM chunks")
    }

    fn count(&self, query: &str) -> Result<usize, LibraryError> {
        let count: i64 = self
            .lock()
            .query_row(query, [], |row| row.get(0))
            .at(&self.path)?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    /// A document by its id.
    pub fn get(&self, id: DocumentId) -> Result<Option<StoredDocument>, LibraryError> {
        stored(&self.lock(), id).at(&self.path)
    }

    /// A document with its structure, as its reader gave it.
    pub fn read(&self, id: DocumentId) -> Result<Document, LibraryError> {
        let document = whole(&self.lock(), id).at(&self.path)?;
        document.ok_or_else(|| unknown(id))
    }

    /// A document's stored text and pages.
    pub fn text(&self, id: DocumentId) -> Result<DocumentText, LibraryError> {
        let connection = self.lock();
        let found = connection
            .query_row(
                "SELECT number, title, text FROM documents WHERE id = ?1",
                [id.to_string()],
                |row| {
                    Ok((
                        row.get::<_, i64>(0)?,
                        row.get::<_, String>(1)?,
                        row.get::<_, String>(2)?,
                    ))
                },
            )
            .optional()
            .at(&self.path)?;
        let (number, title, text) = found.ok_or_else(|| unknown(id))?;
        Ok(DocumentText {
            id,
            title: one_line(&title),
            text,
            pages: pages(&connection, number).at(&self.path)?,
        })
    }
}

fn unknown(id: DocumentId) -> LibraryError {
    LibraryError::UnknownDocument {
        reference: id.to_string(),
    }
}

pub(super) fn all(connection: &Connection) -> rusqlite::Result<Vec<StoredDocument>> {
    let mut statement =
        connection.prepare_cached(&format!("{STORED} ORDER BY title COLLATE NOCASE, id"))?;
    let documents = statement.query_map([], stored_of)?;
    documents.collect()
}

pub(super) fn stored(
    connection: &Connection,
    id: DocumentId,
) -> rusqlite::Result<Option<StoredDocument>> {
    connection
        .prepare_cached(&format!("{STORED} WHERE id = ?1"))?
        .query_row([id.to_string()], stored_of)
        .optional()
}

fn stored_of(row: &Row<'_>) -> rusqlite::Result<StoredDocument> {
    let line = |column: &str| -> rusqlite::Result<Option<String>> {
        let text: Option<String> = row.get(column)?;
        Ok(text.as_deref().map(one_line))
    };
    let date: Option<String> = row.get("date")?;
    let warnings: Vec<String> = json(row, "warnings")?;
    Ok(StoredDocument {
        id: parsed(row, "id")?,
        title: line("title")?.unwrap_or_default(),
        file_name: line("file_name")?.unwrap_or_default(),
        path: row.get("path")?,
        format: format_of(&row.get::<_, String>("format")?),
        publisher: line("publisher")?,
        date: date.and_then(|date| date.parse().ok()),
        place: line("place")?,
        source: line("source")?,
        licence: line("licence")?,
        declared: json::<Vec<Hazard>>(row, "declared")?,
        hazards: json(row, "hazards")?,
        ingested_at: line("ingested_at")?.unwrap_or_default(),
        warnings: warnings.iter().map(|warning| one_line(warning)).collect(),
        pages: row.get::<_, i64>("pages")?.try_into().unwrap_or_default(),
        chunks: row.get::<_, i64>("chunks")?.try_into().unwrap_or_default(),
    })
}

/// A value from a column that holds its written form.
pub(crate) fn parsed<T: std::str::FromStr>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    let index = row.as_ref().column_index(column)?;
    let text: String = row.get(index)?;
    text.parse().map_err(|_| {
        let error = format!("column {column}: `{}` cannot be read", one_line(&text));
        rusqlite::Error::FromSqlConversionFailure(index, rusqlite::types::Type::Text, error.into())
    })
}

/// Weights out of the JSON object that a query made of label rows.
pub(crate) fn hazards_of(row: &Row<'_>, column: &str) -> rusqlite::Result<HazardWeights> {
    json(row, column)
}

pub(super) fn whole(connection: &Connection, id: DocumentId) -> rusqlite::Result<Option<Document>> {
    let found = connection
        .prepare_cached(
            "SELECT number, format, found_title, warnings, text FROM documents WHERE id = ?1",
        )?
        .query_row([id.to_string()], |row| {
            let document = Document {
                id,
                format: format_of(&row.get::<_, String>("format")?),
                title: row.get("found_title")?,
                properties: Properties::default(),
                text: row.get("text")?,
                pages: Vec::new(),
                blocks: Vec::new(),
                warnings: json(row, "warnings")?,
            };
            Ok((row.get::<_, i64>("number")?, document))
        })
        .optional()?;
    let Some((number, mut document)) = found else {
        return Ok(None);
    };
    document.pages = pages(connection, number)?;
    let mut statement = connection.prepare_cached(
        "SELECT start, \"end\" AS stop, kind, section FROM blocks
         WHERE document = ?1 ORDER BY position",
    )?;
    let blocks = statement.query_map([number], |row| {
        Ok(Block {
            kind: json(row, "kind")?,
            range: range_of(row)?,
            section: json(row, "section")?,
        })
    })?;
    document.blocks = blocks.collect::<rusqlite::Result<_>>()?;
    Ok(Some(document))
}

fn pages(connection: &Connection, number: i64) -> rusqlite::Result<Vec<Page>> {
    let mut statement = connection.prepare_cached(
        "SELECT number, start, \"end\" AS stop, status FROM pages
         WHERE document = ?1 ORDER BY number",
    )?;
    let pages = statement.query_map([number], |row| {
        Ok(Page {
            number: row.get("number")?,
            range: range_of(row)?,
            status: json(row, "status")?,
        })
    })?;
    pages.collect()
}

fn range_of(row: &Row<'_>) -> rusqlite::Result<CharRange> {
    let position = |column: &str| -> rusqlite::Result<usize> {
        Ok(row.get::<_, i64>(column)?.try_into().unwrap_or_default())
    };
    Ok(CharRange::new(position("start")?, position("stop")?))
}

fn format_of(name: &str) -> Format {
    match name {
        "pdf" => Format::Pdf,
        "docx" => Format::Docx,
        "html" => Format::Html,
        "markdown" => Format::Markdown,
        _ => Format::Text,
    }
}
