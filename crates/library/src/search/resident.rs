//! What searches keep in memory, brought up to date with the file before each.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, params};

use super::codes::{Candidates, CodeTable};
use super::{MEMBERSHIP, SearchRequest};
use crate::store::index::{self, DocumentWords};
use crate::words::bm25::{Lengths, Slots};
use crate::words::postings::{self, Block};

/// Codes of vectors are kept in memory up to this many bytes; those of a larger library are read
/// from the file for every question.
const MOST_BYTES_OF_CODES: usize = 1 << 30;
/// Blocks of terms are kept in memory up to this many bytes.
const MOST_BYTES_OF_TERMS: usize = 64 << 20;

/// The library's content as far as it is in memory.
#[derive(Debug, Default)]
pub(crate) struct Resident {
    version: Option<Version>,
    /// The last document whose lengths are in memory.
    last: i64,
    pub lengths: Lengths,
    codes: Codes,
    terms: HashMap<String, Arc<[Block]>>,
    term_bytes: usize,
    /// Chunks about a hazard.
    hazards: HashMap<String, Arc<Slots>>,
}

#[derive(Debug, Default)]
enum Codes {
    #[default]
    Unread,
    /// In memory up to a document.
    Table { table: CodeTable, last: i64 },
    /// Too many for the memory.
    InTheFile,
}

/// What tells one content of the file from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Version {
    /// Changes by other connections, and by this one.
    others: i64,
    own: u64,
    /// How often chunks were taken out or changed.
    erasures: i64,
    format: i64,
}

impl Resident {
    /// Reads what has changed since the last time. Where documents were only added, only they are
    /// read.
    pub fn refresh(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        // The first read of a transaction is what fixes its view of the file, so something is read
        // before the version is.
        let erasures = connection
            .prepare_cached("SELECT value FROM meta WHERE key = ?1")?
            .query_row([index::ERASURES], |row| row.get(0))
            .optional()?;
        let number = |pragma| connection.query_row(pragma, [], |row| row.get(0));
        let version = Version {
            others: number("PRAGMA data_version")?,
            own: connection.total_changes(),
            erasures: erasures.unwrap_or(0),
            format: number("PRAGMA user_version")?,
        };
        if self.version == Some(version) {
            return Ok(());
        }
        let only_added = self.version.is_some_and(|former| {
            former.erasures == version.erasures && former.format == version.format
        });
        if only_added && version.format > 1 {
            self.terms.clear();
            self.term_bytes = 0;
            self.hazards.clear();
        } else {
            *self = Resident::default();
        }
        match version.format {
            1 => self.read_format_1(connection)?,
            _ => self.read_lengths(connection)?,
        }
        self.lengths.settle();
        self.version = Some(version);
        Ok(())
    }

    fn read_lengths(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let mut statement = connection.prepare_cached(
            "SELECT document, first, lengths FROM chunk_lengths WHERE document > ?1
             ORDER BY first",
        )?;
        let mut last = self.last;
        let mut rows = statement.query([self.last])?;
        let mut new = Vec::new();
        while let Some(row) = rows.next()? {
            last = last.max(row.get(0)?);
            let first = index::chunk_number(row.get(1)?)?;
            let lengths = postings::numbers(row.get_ref(2)?.as_blob()?);
            new.clear();
            new.extend((first..).zip(lengths));
            self.lengths.extend(&new);
        }
        self.last = last;
        Ok(())
    }

    /// A library of format 1 has none of what is read here, and is not written to: it is made in
    /// memory.
    fn read_format_1(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let mut terms: HashMap<String, Vec<Block>> = HashMap::new();
        for document in index::documents_by_chunk(connection)? {
            let DocumentWords {
                first,
                lengths,
                terms: found,
            } = index::words_of(connection, document)?;
            let lengths: Vec<(u32, u32)> = (first..).zip(lengths).collect();
            self.lengths.extend(&lengths);
            for (term, new) in found {
                let blocks = terms.entry(term).or_default();
                let last = blocks.pop();
                blocks.extend(postings::append(last, &new));
            }
        }
        self.terms = terms
            .into_iter()
            .map(|(term, blocks)| (term, blocks.into()))
            .collect();
        Ok(())
    }

    fn format(&self) -> i64 {
        self.version.map_or(0, |version| version.format)
    }

    /// The blocks of a term.
    pub fn blocks(
        &mut self,
        connection: &Connection,
        term: &str,
    ) -> rusqlite::Result<Arc<[Block]>> {
        if let Some(blocks) = self.terms.get(term) {
            return Ok(Arc::clone(blocks));
        }
        if self.format() == 1 {
            return Ok(Arc::from([]));
        }
        let blocks: Arc<[Block]> = index::blocks_of_term(connection, term)?.into();
        if self.term_bytes > MOST_BYTES_OF_TERMS {
            self.terms.clear();
            self.term_bytes = 0;
        }
        self.term_bytes += blocks
            .iter()
            .map(|block| block.bytes.len() + 32)
            .sum::<usize>();
        self.terms.insert(term.to_owned(), Arc::clone(&blocks));
        Ok(blocks)
    }

    /// The chunks that a request is limited to; `None` for all.
    pub fn allowed(
        &mut self,
        connection: &Connection,
        request: &SearchRequest,
    ) -> rusqlite::Result<Option<Arc<Slots>>> {
        let of_hazard = match &request.hazard {
            Some(hazard) => Some(self.of_hazard(connection, hazard.label())?),
            None => None,
        };
        let Some(document) = request.document else {
            return Ok(of_hazard);
        };
        let mut statement = connection.prepare_cached(
            "SELECT chunks.id FROM chunks JOIN documents ON documents.number = chunks.document
             WHERE documents.id = ?1",
        )?;
        let chunks = statement.query_map([document.to_string()], |row| row.get(0))?;
        let slots = self.slots(chunks)?;
        Ok(Some(Arc::new(match of_hazard {
            Some(others) => slots.and(&others),
            None => slots,
        })))
    }

    fn of_hazard(&mut self, connection: &Connection, label: &str) -> rusqlite::Result<Arc<Slots>> {
        if let Some(slots) = self.hazards.get(label) {
            return Ok(Arc::clone(slots));
        }
        let mut statement = connection
            .prepare_cached("SELECT chunk FROM chunk_hazards WHERE hazard = ?1 AND weight >= ?2")?;
        let chunks =
            statement.query_map(params![label, f64::from(MEMBERSHIP)], |row| row.get(0))?;
        let slots = Arc::new(self.slots(chunks)?);
        self.hazards.insert(label.to_owned(), Arc::clone(&slots));
        Ok(slots)
    }

    fn slots(
        &self,
        chunks: impl Iterator<Item = rusqlite::Result<i64>>,
    ) -> rusqlite::Result<Slots> {
        let chunks = chunks.collect::<rusqlite::Result<Vec<i64>>>()?;
        let chunks = chunks
            .into_iter()
            .filter_map(|c| index::chunk_number(c).ok());
        Ok(Slots::of(&self.lengths, chunks))
    }

    /// Chunks among which the `limit` nearest to a question's vector of length 1 are.
    pub fn near(
        &mut self,
        connection: &Connection,
        query: &[f32],
        allowed: Option<&Slots>,
        limit: usize,
    ) -> rusqlite::Result<Vec<u32>> {
        self.read_codes(connection, query.len())?;
        let allowed = allowed.map(|slots| (slots, &self.lengths));
        let mut found = Candidates::new(limit);
        match &self.codes {
            Codes::Table { table, .. } => table.scan(query, allowed, &mut found),
            _ => {
                let mut table = CodeTable::new(query.len());
                index::each_codes(connection, 0, &mut |_, first, codes| {
                    table.clear();
                    table.extend(first, codes);
                    table.scan(query, allowed, &mut found);
                })?;
            }
        }
        Ok(found.chunks())
    }

    fn read_codes(&mut self, connection: &Connection, dimension: usize) -> rusqlite::Result<()> {
        if self.lengths.slots().saturating_mul(dimension) > MOST_BYTES_OF_CODES {
            self.codes = Codes::InTheFile;
            return Ok(());
        }
        if !matches!(self.codes, Codes::Table { .. }) {
            self.codes = Codes::Table {
                table: CodeTable::new(dimension),
                last: 0,
            };
        }
        let format = self.format();
        let Codes::Table { table, last } = &mut self.codes else {
            return Ok(());
        };
        if format == 1 {
            if *last == 0 {
                for document in index::documents_by_chunk(connection)? {
                    if let Some((first, codes)) = index::codes_of(connection, document, dimension)?
                    {
                        table.extend(first, &codes);
                    }
                }
                *last = i64::MAX;
            }
            return Ok(());
        }
        let mut upto = *last;
        index::each_codes(connection, *last, &mut |document, first, codes| {
            upto = upto.max(document);
            table.extend(first, codes);
        })?;
        *last = upto;
        Ok(())
    }
}
