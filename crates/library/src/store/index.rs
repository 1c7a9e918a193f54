//! The lexical index and the vectors' codes in the file: made, added to, taken back, read.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension, params};

use crate::search::codes;
use crate::words::postings::{self, Block, Counted, Posting};
use crate::words::terms::{terms_of_word, words};

/// Chunk numbers are below this: a block's key and its distances have room for no more.
const MOST_CHUNKS: u32 = 1 << 31;

/// Key of the row of `meta` that counts how often chunks were taken out or changed. While it stays,
/// chunks were only added, behind those that were there.
pub(crate) const ERASURES: &str = "erasures";

/// The terms of one document's chunks.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct DocumentWords {
    pub first: u32,
    pub lengths: Vec<u32>,
    pub terms: BTreeMap<String, Vec<Counted>>,
}

impl DocumentWords {
    /// Counts the terms of a chunk that follows those counted before.
    fn add(&mut self, chunk: u32, texts: [&str; 3]) {
        let mut length = 0;
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for text in texts {
            words(text, |word| {
                terms_of_word(word, |term, counts_for_length| {
                    length += u32::from(counts_for_length);
                    match counts.get_mut(term) {
                        Some(count) => *count += 1,
                        None => drop(counts.insert(term.to_owned(), 1)),
                    }
                });
            });
        }
        if self.lengths.is_empty() {
            self.first = chunk;
        }
        self.lengths.push(length);
        for (term, occurrences) in counts {
            let posting = Posting { chunk, occurrences };
            self.terms.entry(term).or_default().push(Counted {
                posting,
                words: length,
            });
        }
    }
}

/// The terms of a document's chunks as they are stored.
pub(crate) fn words_of(connection: &Connection, document: i64) -> rusqlite::Result<DocumentWords> {
    let mut found = DocumentWords::default();
    let mut statement = connection.prepare_cached(
        "SELECT chunks.id, documents.title, chunks.heading, chunks.text
         FROM chunks JOIN documents ON documents.number = chunks.document
         WHERE chunks.document = ?1 ORDER BY chunks.id",
    )?;
    let mut rows = statement.query([document])?;
    while let Some(row) = rows.next()? {
        let text = |column| row.get_ref(column).and_then(|value| Ok(value.as_str()?));
        found.add(chunk_number(row.get(0)?)?, [text(1)?, text(2)?, text(3)?]);
    }
    Ok(found)
}

/// Adds a document's chunks to the index. They come behind all that are in it.
pub(super) fn add(connection: &Connection, document: i64) -> rusqlite::Result<()> {
    add_words(connection, document)?;
    add_codes(connection, document)
}

fn add_words(connection: &Connection, document: i64) -> rusqlite::Result<()> {
    let found = words_of(connection, document)?;
    if found.lengths.is_empty() {
        return Ok(());
    }
    connection
        .prepare_cached("INSERT INTO chunk_lengths (document, first, lengths) VALUES (?1, ?2, ?3)")?
        .execute(params![
            document,
            found.first,
            postings::push_numbers(found.lengths)
        ])?;
    let mut insert_term = connection.prepare_cached("INSERT INTO terms (term) VALUES (?1)")?;
    for (term, new) in &found.terms {
        let number = match number_of_term(connection, term)? {
            Some(number) => number,
            None => insert_term.insert([term])?,
        };
        let last = last_block(connection, number, u32::MAX)?;
        for block in postings::append(last, new) {
            put(connection, number, &block)?;
        }
    }
    Ok(())
}

fn add_codes(connection: &Connection, document: i64) -> rusqlite::Result<()> {
    let Some(dimension) = dimension(connection)? else {
        return Ok(());
    };
    let Some((first, codes)) = codes_of(connection, document, dimension)? else {
        return Ok(());
    };
    connection
        .prepare_cached("INSERT INTO vector_codes (document, first, codes) VALUES (?1, ?2, ?3)")?
        .execute(params![document, first, codes])?;
    Ok(())
}

/// Length of the library's vectors; `None` where it has no model.
fn dimension(connection: &Connection) -> rusqlite::Result<Option<usize>> {
    let dimension: Option<i64> = connection
        .prepare_cached("SELECT value FROM meta WHERE key = 'model_dimension'")?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(dimension.and_then(|dimension| usize::try_from(dimension).ok()))
}

/// The codes of a document's vectors with its first chunk; `None` where it has no chunks.
pub(crate) fn codes_of(
    connection: &Connection,
    document: i64,
    dimension: usize,
) -> rusqlite::Result<Option<(u32, Vec<u8>)>> {
    let mut statement = connection.prepare_cached(
        "SELECT chunks.id, vectors.vector FROM chunks LEFT JOIN vectors ON vectors.chunk = chunks.id
         WHERE chunks.document = ?1 ORDER BY chunks.id",
    )?;
    let mut rows = statement.query([document])?;
    let mut first = None;
    let mut vectors: Vec<Option<Vec<f32>>> = Vec::new();
    while let Some(row) = rows.next()? {
        if first.is_none() {
            first = Some(chunk_number(row.get(0)?)?);
        }
        let bytes = row.get_ref(1)?.as_blob_or_null()?;
        vectors.push(bytes.map(crate::search::vectors::from_bytes));
    }
    Ok(first.map(|first| (first, codes::encoded(&vectors, dimension))))
}

/// Gives the codes of each document behind one: the document, its first chunk, the codes.
pub(crate) fn each_codes(
    connection: &Connection,
    behind: i64,
    take: &mut dyn FnMut(i64, u32, &[u8]),
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(
        "SELECT document, first, codes FROM vector_codes WHERE document > ?1 ORDER BY document",
    )?;
    let mut rows = statement.query([behind])?;
    while let Some(row) = rows.next()? {
        take(
            row.get(0)?,
            chunk_number(row.get(1)?)?,
            row.get_ref(2)?.as_blob()?,
        );
    }
    Ok(())
}

/// Takes a document's chunks out of the index, before they themselves go.
pub(super) fn take_out(connection: &Connection, document: i64) -> rusqlite::Result<()> {
    for table in ["chunk_lengths", "vector_codes"] {
        connection
            .prepare_cached(&format!("DELETE FROM {table} WHERE document = ?1"))?
            .execute([document])?;
    }
    let found = words_of(connection, document)?;
    let mut remove_term = connection.prepare_cached("DELETE FROM terms WHERE number = ?1")?;
    for (term, gone) in &found.terms {
        let Some(number) = number_of_term(connection, term)? else {
            continue;
        };
        take_out_of_term(connection, number, gone)?;
        if last_block(connection, number, u32::MAX)?.is_none() {
            remove_term.execute([number])?;
        }
    }
    count_erasure(connection)
}

/// Remembers that chunks were not only added.
pub(super) fn count_erasure(connection: &Connection) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO meta (key, value) VALUES (?1, 1)
             ON CONFLICT (key) DO UPDATE SET value = value + 1",
        )?
        .execute([ERASURES])?;
    Ok(())
}

/// Takes chunks, ascending, out of the blocks of a term.
fn take_out_of_term(
    connection: &Connection,
    number: i64,
    gone: &[Counted],
) -> rusqlite::Result<()> {
    let (Some(first), Some(last)) = (gone.first(), gone.last()) else {
        return Ok(());
    };
    let (first, last) = (first.posting.chunk, last.posting.chunk);
    let begins = last_block(connection, number, first)?.map_or(first, |block| block.first);
    let is_gone = |chunk: u32| {
        gone.binary_search_by_key(&chunk, |c| c.posting.chunk)
            .is_ok()
    };
    for block in blocks(connection, number, begins, last)? {
        let (summary, _) = block.summary().unwrap_or_default();
        let kept = block.postings().filter(|posting| !is_gone(posting.chunk));
        // The shortest of the block may be gone; that of the rest is no shorter.
        let kept: Vec<Counted> = kept
            .map(|posting| Counted {
                posting,
                words: summary.shortest,
            })
            .collect();
        if kept.len() == summary.count as usize {
            continue;
        }
        connection
            .prepare_cached("DELETE FROM postings WHERE key = ?1")?
            .execute([key(number, block.first)])?;
        for block in postings::append(None, &kept) {
            put(connection, number, &block)?;
        }
    }
    Ok(())
}

fn put(connection: &Connection, number: i64, block: &Block) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO postings (key, block) VALUES (?1, ?2)")?
        .execute(params![key(number, block.first), block.bytes])?;
    Ok(())
}

fn key(number: i64, first: u32) -> i64 {
    number << 32 | i64::from(first)
}

fn number_of_term(connection: &Connection, term: &str) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached("SELECT number FROM terms WHERE term = ?1")?
        .query_row([term], |row| row.get(0))
        .optional()
}

/// The last block of a term that begins at a chunk or before it.
fn last_block(connection: &Connection, number: i64, upto: u32) -> rusqlite::Result<Option<Block>> {
    connection
        .prepare_cached(
            "SELECT key, block FROM postings WHERE key BETWEEN ?1 AND ?2
             ORDER BY key DESC LIMIT 1",
        )?
        .query_row([key(number, 0), key(number, upto)], block_of)
        .optional()
}

fn blocks(
    connection: &Connection,
    number: i64,
    from: u32,
    upto: u32,
) -> rusqlite::Result<Vec<Block>> {
    let mut statement = connection.prepare_cached(
        "SELECT key, block FROM postings WHERE key BETWEEN ?1 AND ?2 ORDER BY key",
    )?;
    let rows = statement.query_map([key(number, from), key(number, upto)], block_of)?;
    rows.collect()
}

fn block_of(row: &rusqlite::Row<'_>) -> rusqlite::Result<Block> {
    let key: i64 = row.get(0)?;
    Ok(Block {
        first: key as u32,
        bytes: row.get(1)?,
    })
}

/// All blocks of a term.
pub(crate) fn blocks_of_term(connection: &Connection, term: &str) -> rusqlite::Result<Vec<Block>> {
    match number_of_term(connection, term)? {
        Some(number) => blocks(connection, number, 0, u32::MAX),
        None => Ok(Vec::new()),
    }
}

/// Makes the whole index again.
pub(super) fn make_anew(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(
        "DELETE FROM postings; DELETE FROM terms; DELETE FROM chunk_lengths;
         DELETE FROM vector_codes;",
    )?;
    for document in documents_by_chunk(connection)? {
        add(connection, document)?;
    }
    count_erasure(connection)
}

/// Documents that have chunks, in the order of their chunks, which is how the index takes them.
pub(crate) fn documents_by_chunk(connection: &Connection) -> rusqlite::Result<Vec<i64>> {
    let mut statement =
        connection.prepare("SELECT document FROM chunks GROUP BY document ORDER BY min(id)")?;
    let documents = statement.query_map([], |row| row.get(0))?;
    documents.collect()
}

/// A chunk's number as the index has it.
pub(crate) fn chunk_number(chunk: i64) -> rusqlite::Result<u32> {
    let number = u32::try_from(chunk).ok().filter(|n| *n < MOST_CHUNKS);
    number.ok_or(rusqlite::Error::IntegralValueOutOfRange(0, chunk))
}
