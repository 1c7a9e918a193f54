//! Verifying a library, and mending what can be made again from what is sound.

use std::collections::HashMap;

use lahar_core::{CharRange, ContentHash, TextIndex};
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;

use super::{Library, index, json};
use crate::error::{At, LibraryError};
use crate::text::one_line;
use crate::words::postings::{Block, Posting, push_numbers};

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CheckReport {
    /// Documents looked at.
    pub documents: usize,
    /// Chunks looked at.
    pub chunks: usize,
    /// What does not hold together; empty for a sound library.
    pub problems: Vec<Problem>,
}

impl CheckReport {
    /// Whether nothing is left to mend.
    pub fn is_sound(&self) -> bool {
        self.problems.iter().all(|problem| problem.mended)
    }
}

/// One thing that does not hold together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// What was found, and for what is not mended, what to do.
    pub message: String,
    /// Whether it has been mended.
    pub mended: bool,
}

impl Library {
    /// Looks at the file, at every chunk against its document's text, at the vectors and at the
    /// lexical index. With `repair`, what is made from documents is made again or taken out;
    /// documents themselves are never changed.
    pub fn check(&mut self, repair: bool) -> Result<CheckReport, LibraryError> {
        let mut report = CheckReport {
            documents: self.document_count()?,
            chunks: self.chunk_count()?,
            problems: Vec::new(),
        };
        let dimension = self.settings()?.model.map(|model| model.identity.dimension);
        let path = self.path.clone();
        {
            let connection = self.lock();
            check_pages_of_file(&connection, &mut report).at(&path)?;
        }
        if repair {
            self.write(|transaction| {
                examine(transaction, dimension, true, &mut report).at(&path)?;
                // Searches in memory are as good as what was mended.
                index::count_erasure(transaction).at(&path)
            })?;
        } else {
            let connection = self.lock();
            // All is looked at as it was at one moment, whatever is written meanwhile.
            let transaction = connection.unchecked_transaction().at(&path)?;
            examine(&transaction, dimension, false, &mut report).at(&path)?;
        }
        Ok(report)
    }
}

fn examine(
    connection: &Connection,
    dimension: Option<usize>,
    repair: bool,
    report: &mut CheckReport,
) -> rusqlite::Result<()> {
    let format: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    check_references(connection, repair, report)?;
    check_documents(connection, format, report)?;
    check_chunks(connection, repair, report)?;
    check_vectors(connection, dimension, repair, report)?;
    check_token_vectors(connection, report)?;
    // In format 1 the index is of another kind, and no search reads it.
    match format {
        1 => Ok(()),
        _ => check_index(connection, dimension, repair, report),
    }
}

/// Every text must be the one that was read, and pages and blocks must lie in it.
fn check_documents(
    connection: &Connection,
    format: i64,
    report: &mut CheckReport,
) -> rusqlite::Result<()> {
    let hash = if format == 1 { "NULL" } else { "text_hash" };
    let mut documents = connection.prepare(&format!(
        "SELECT number, title, text, {hash} FROM documents"
    ))?;
    let mut outside = connection.prepare(
        "SELECT (SELECT count(*) FROM pages WHERE document = ?1 AND NOT (start <= \"end\" AND \"end\" <= ?2))
              + (SELECT count(*) FROM blocks WHERE document = ?1 AND NOT (start <= \"end\" AND \"end\" <= ?2))",
    )?;
    let mut rows = documents.query([])?;
    while let Some(row) = rows.next()? {
        let title = one_line(row.get_ref(1)?.as_str()?);
        let text = row.get_ref(2)?.as_str()?;
        let hash: Option<String> = row.get(3)?;
        let mut problem = |what: &str| {
            report.problems.push(Problem {
                message: format!("{what} of \"{title}\"; remove it and ingest its file again"),
                mended: false,
            });
        };
        if hash.is_some_and(|hash| hash != super::rows::hash_of_text(text)) {
            problem("the stored text is not the one that was read");
        }
        let length = text.chars().count() as i64;
        let outside: i64 =
            outside.query_row(params![row.get::<_, i64>(0)?, length], |row| row.get(0))?;
        if outside > 0 {
            problem(&format!("{outside} pages or blocks lie outside the text"));
        }
    }
    Ok(())
}

/// SQLite's own verification of the file's structure.
fn check_pages_of_file(connection: &Connection, report: &mut CheckReport) -> rusqlite::Result<()> {
    let mut statement = connection.prepare("PRAGMA integrity_check(20)")?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
    for line in lines {
        let line = line?;
        if line != "ok" {
            report.problems.push(Problem {
                message: format!(
                    "the file's structure: {}; ingest the documents into a new library",
                    one_line(&line)
                ),
                mended: false,
            });
        }
    }
    Ok(())
}

/// Rows that belong to a document or chunk that is gone.
fn check_references(
    connection: &Connection,
    repair: bool,
    report: &mut CheckReport,
) -> rusqlite::Result<()> {
    const OWNED: [(&str, &str, &str); 7] = [
        ("pages", "document", "SELECT number FROM documents"),
        ("blocks", "document", "SELECT number FROM documents"),
        (
            "document_hazards",
            "document",
            "SELECT number FROM documents",
        ),
        ("chunks", "document", "SELECT number FROM documents"),
        ("chunk_hazards", "chunk", "SELECT id FROM chunks"),
        ("vectors", "chunk", "SELECT id FROM chunks"),
        ("token_vectors", "chunk", "SELECT id FROM chunks"),
    ];
    for (table, column, owners) in OWNED {
        let condition = format!("{column} NOT IN ({owners})");
        let count: i64 = connection.query_row(
            &format!("SELECT count(*) FROM {table} WHERE {condition}"),
            [],
            |row| row.get(0),
        )?;
        if count == 0 {
            continue;
        }
        if repair {
            connection.execute(&format!("DELETE FROM {table} WHERE {condition}"), [])?;
        }
        report.problems.push(Problem {
            message: format!("{count} rows of {table} belong to nothing"),
            mended: repair,
        });
    }
    Ok(())
}

/// Every chunk's text must be what its spans cut out of its document.
fn check_chunks(
    connection: &Connection,
    repair: bool,
    report: &mut CheckReport,
) -> rusqlite::Result<()> {
    let mut documents = connection.prepare("SELECT number, title, text FROM documents")?;
    let mut chunks =
        connection.prepare("SELECT id, spans, text FROM chunks WHERE document = ?1")?;
    let mut rows = documents.query([])?;
    while let Some(row) = rows.next()? {
        let (number, title): (i64, String) = (row.get(0)?, row.get(1)?);
        let text: String = row.get(2)?;
        let index = TextIndex::new(&text);
        let mut wrong: Vec<(i64, Option<String>)> = Vec::new();
        let mut chunk_rows = chunks.query([number])?;
        while let Some(chunk) = chunk_rows.next()? {
            let id: i64 = chunk.get(0)?;
            let stored: String = chunk.get(2)?;
            let cut = json::<Vec<[usize; 2]>>(chunk, "spans")
                .ok()
                .and_then(|spans| {
                    let spans = spans
                        .iter()
                        .map(|[start, end]| CharRange::new(*start, *end));
                    let spans: Vec<CharRange> = spans.collect();
                    let inside = !spans.is_empty() && spans.iter().all(|s| s.end <= index.len());
                    inside.then(|| crate::cut::text_of(&index, &spans))
                });
            if cut.as_ref() != Some(&stored) {
                wrong.push((id, cut));
            }
        }
        for (id, cut) in wrong {
            let mended = repair && cut.is_some();
            if let Some(cut) = cut.filter(|_| repair) {
                connection.execute(
                    "UPDATE chunks SET text = ?2 WHERE id = ?1",
                    params![id, cut],
                )?;
            }
            let next = if mended {
                ""
            } else {
                "; `lahar check --repair` or `lahar reindex` cuts it again"
            };
            report.problems.push(Problem {
                message: format!(
                    "chunk {id} does not hold the words of \"{}\"{next}",
                    one_line(&title)
                ),
                mended,
            });
        }
    }
    Ok(())
}

/// One vector of the right length a chunk in a library with a model, none in one without.
fn check_vectors(
    connection: &Connection,
    dimension: Option<usize>,
    repair: bool,
    report: &mut CheckReport,
) -> rusqlite::Result<()> {
    let Some(dimension) = dimension else {
        let count: i64 =
            connection.query_row("SELECT count(*) FROM vectors", [], |row| row.get(0))?;
        if count > 0 {
            if repair {
                connection.execute("DELETE FROM vectors", [])?;
            }
            report.problems.push(Problem {
                message: format!("{count} vectors stand in a library without a model"),
                mended: repair,
            });
        }
        return Ok(());
    };
    let mut bad = 0;
    let mut statement = connection.prepare("SELECT vector FROM vectors")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let bytes = row.get_ref(0)?.as_blob()?;
        let sound = bytes.len() == dimension * 4
            && crate::search::vectors::from_bytes(bytes)
                .iter()
                .all(|value| value.is_finite());
        bad += usize::from(!sound);
    }
    let missing: i64 = connection.query_row(
        "SELECT count(*) FROM chunks WHERE id NOT IN (SELECT chunk FROM vectors)",
        [],
        |row| row.get(0),
    )?;
    if bad > 0 || missing > 0 {
        report.problems.push(Problem {
            message: format!(
                "{missing} chunks have no vector and {bad} have a broken one; `lahar reindex` makes them again"
            ),
            mended: false,
        });
    }
    Ok(())
}

/// Token vectors for each chunk or for none, in the layout that is read. Where one is missing or
/// torn its chunk is only ranked below the others, so nothing is taken out.
fn check_token_vectors(connection: &Connection, report: &mut CheckReport) -> rusqlite::Result<()> {
    let (mut found, mut broken) = (0, 0);
    let mut statement = connection.prepare("SELECT tokens FROM token_vectors")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        found += 1;
        broken += usize::from(!lahar_models::late::is_sound(row.get_ref(0)?.as_blob()?));
    }
    let missing = match found {
        0 => 0,
        _ => connection.query_row(
            "SELECT count(*) FROM chunks WHERE id NOT IN (SELECT chunk FROM token_vectors)",
            [],
            |row| row.get::<_, i64>(0),
        )?,
    };
    if missing > 0 || broken > 0 {
        report.problems.push(Problem {
            message: format!(
                "{missing} chunks have no token vectors and {broken} have broken ones; `lahar reindex` makes them again"
            ),
            mended: false,
        });
    }
    Ok(())
}

/// The lexical index must hold the words of the chunks, all of them and no others, and the codes
/// must be those of the vectors.
fn check_index(
    connection: &Connection,
    dimension: Option<usize>,
    repair: bool,
    report: &mut CheckReport,
) -> rusqlite::Result<()> {
    let words = words_agree(connection)?;
    let codes = codes_agree(connection, dimension)?;
    if words && codes {
        return Ok(());
    }
    if repair {
        index::make_anew(connection)?;
    }
    let mut problem = |message: &str| {
        report.problems.push(Problem {
            message: message.into(),
            mended: repair,
        });
    };
    if !words {
        problem("the lexical index does not hold the words of the chunks");
    }
    if !codes {
        problem("the codes by which vectors are compared first are not those of the vectors");
    }
    Ok(())
}

/// A sum over all terms and chunks in which the order does not matter. Two indexes that differ
/// have the same sum once in 2^64 cases.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sum(u64);

impl Sum {
    fn add(&mut self, term: &str, posting: Posting) {
        use std::hash::{DefaultHasher, Hash, Hasher};

        let mut hasher = DefaultHasher::new();
        (term, posting.chunk, posting.occurrences).hash(&mut hasher);
        self.0 = self.0.wrapping_add(hasher.finish());
    }
}

fn words_agree(connection: &Connection) -> rusqlite::Result<bool> {
    let mut lengths =
        connection.prepare("SELECT first, lengths FROM chunk_lengths WHERE document = ?1")?;
    let (mut expected, mut documents) = (Sum::default(), 0);
    for document in index::documents_by_chunk(connection)? {
        let found = index::words_of(connection, document)?;
        for (term, chunks) in &found.terms {
            chunks.iter().for_each(|c| expected.add(term, c.posting));
        }
        let stored: Option<(u32, Vec<u8>)> = lengths
            .query_row([document], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        if stored != Some((found.first, push_numbers(found.lengths))) {
            return Ok(false);
        }
        documents += 1;
    }
    let count = |query| connection.query_row(query, [], |row| row.get::<_, i64>(0));
    let idle = "SELECT count(*) FROM terms WHERE NOT EXISTS
        (SELECT 1 FROM postings WHERE key BETWEEN number << 32 AND (number << 32) + 4294967295)";
    if count("SELECT count(*) FROM chunk_lengths")? != documents || count(idle)? != 0 {
        return Ok(false);
    }
    let mut stored = Sum::default();
    let mut statement = connection.prepare(
        "SELECT terms.term, key, block FROM postings LEFT JOIN terms ON terms.number = key >> 32",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let Some(term) = row.get_ref(0)?.as_str_or_null()? else {
            return Ok(false);
        };
        let block = Block {
            first: row.get::<_, i64>(1)? as u32,
            bytes: row.get(2)?,
        };
        let mut seen = 0;
        for posting in block.postings() {
            stored.add(term, posting);
            seen += 1;
        }
        if block
            .summary()
            .is_none_or(|(summary, _)| summary.count != seen)
        {
            return Ok(false);
        }
    }
    Ok(stored == expected)
}

fn codes_agree(connection: &Connection, dimension: Option<usize>) -> rusqlite::Result<bool> {
    let mut stored: HashMap<i64, (u32, ContentHash)> = HashMap::new();
    index::each_codes(connection, 0, &mut |document, first, codes| {
        stored.insert(document, (first, ContentHash::of(codes)));
    })?;
    let Some(dimension) = dimension else {
        return Ok(stored.is_empty());
    };
    for document in index::documents_by_chunk(connection)? {
        let expected = index::codes_of(connection, document, dimension)?;
        let expected = expected.map(|(first, codes)| (first, ContentHash::of(&codes)));
        if stored.remove(&document) != expected {
            return Ok(false);
        }
    }
    Ok(stored.is_empty())
}
