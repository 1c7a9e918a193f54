//! The rows of a document: putting them in, and taking all of them out.

use lahar_core::HazardWeights;
use lahar_documents::{Document, Format};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::{DocumentDetails, NewChunk, to_json};
use crate::text::one_line;

pub(super) fn number_of(connection: &Connection, id: &str) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached("SELECT number FROM documents WHERE id = ?1")?
        .query_row([id], |row| row.get(0))
        .optional()
}

/// Removes a document; `false` when there is none of that id.
pub(super) fn erase(transaction: &Transaction<'_>, id: &str) -> rusqlite::Result<bool> {
    let Some(number) = number_of(transaction, id)? else {
        return Ok(false);
    };
    erase_chunks(transaction, number)?;
    transaction.execute("DELETE FROM documents WHERE number = ?1", [number])?;
    Ok(true)
}

pub(super) fn erase_chunks(transaction: &Transaction<'_>, number: i64) -> rusqlite::Result<()> {
    // The index finds what it is to forget by the words of the chunks, so it goes before them.
    super::index::take_out(transaction, number)?;
    transaction.execute("DELETE FROM chunks WHERE document = ?1", [number])?;
    Ok(())
}

pub(super) fn insert_document(
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
             date, place, source, licence, declared, format, ingested_at, warnings, text, text_hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,
             ?17)",
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
            hash_of_text(&document.text),
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

/// By which a check tells that the stored text is what was read.
pub(super) fn hash_of_text(text: &str) -> String {
    lahar_core::ContentHash::of(text.as_bytes()).to_string()
}

pub(super) fn insert_document_hazards(
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

pub(super) fn insert_chunks(
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
    let mut insert_tokens =
        transaction.prepare_cached("INSERT INTO token_vectors (chunk, tokens) VALUES (?1, ?2)")?;
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
        if let Some(tokens) = &new.tokens {
            insert_tokens.execute(params![id, tokens])?;
        }
    }
    super::index::add(transaction, number)
}

/// The last part of a path, whichever way its folders are parted, on one line.
fn file_name_of(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).find(|part| !part.is_empty());
    let name = one_line(name.unwrap_or(path));
    if name.is_empty() {
        "unnamed".into()
    } else {
        name
    }
}

fn format_name(format: Format) -> &'static str {
    match format {
        Format::Pdf => "pdf",
        Format::Docx => "docx",
        Format::Html => "html",
        Format::Markdown => "markdown",
        Format::Text => "text",
        // A reader newer than this store: kept as text, which is what it yielded.
        _ => "text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_have_no_folders() {
        for (path, name) in [
            ("/a/b.pdf", "b.pdf"),
            ("C:\\a\\b.pdf", "b.pdf"),
            ("b.pdf", "b.pdf"),
            ("/a/b/", "b"),
            ("", "unnamed"),
            ("/a/\u{1b}[2Jx", "x"),
        ] {
            assert_eq!(file_name_of(path), name, "{path:?}");
        }
    }
}
