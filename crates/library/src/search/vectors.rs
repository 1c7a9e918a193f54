//! Exact comparison of a question's vector with every chunk's.

use std::sync::{Arc, PoisonError};

use rusqlite::{Connection, ToSql};

use super::{Filter, Ranked};
use crate::error::{At, LibraryError};
use crate::store::Library;

/// Vectors are kept in memory up to this many bytes; a larger library is read from the file for
/// every question.
const MOST_BYTES_IN_MEMORY: usize = 1 << 30;

/// Rows below which one thread is faster than several.
const ROWS_PER_THREAD: usize = 20_000;

/// Every vector of a library, scaled to unit length, in one block.
pub(crate) struct VectorTable {
    /// What the library's content was when the table was made.
    version: Version,
    dimension: usize,
    /// Chunk numbers, ascending.
    chunks: Vec<i64>,
    values: Vec<f32>,
}

/// Changes by other connections, and by this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Version {
    others: i64,
    own: u64,
}

impl Library {
    /// The chunks with the largest cosine.
    pub(super) fn dense(
        &self,
        connection: &Connection,
        query: &[f32],
        filter: &Filter<'_>,
        limit: usize,
    ) -> Result<Vec<Ranked>, LibraryError> {
        let allowed = match filter.is_empty() {
            true => None,
            false => Some(allowed(connection, filter).at(&self.path)?),
        };
        let allowed = allowed.as_deref();
        let scores = match self.vector_table(connection, query.len()).at(&self.path)? {
            Some(table) => table.scores(query, allowed),
            None => scores_from_file(connection, query, allowed).at(&self.path)?,
        };
        Ok(best(scores, limit))
    }

    /// The vectors in memory, read when the library has changed since; `None` when there are too
    /// many.
    fn vector_table(
        &self,
        connection: &Connection,
        dimension: usize,
    ) -> rusqlite::Result<Option<Arc<VectorTable>>> {
        // The first read of a transaction is what fixes its view of the file, so something is read
        // before the version is.
        connection.query_row("SELECT count(*) FROM meta", [], |_| Ok(()))?;
        let version = Version {
            others: connection.query_row("PRAGMA data_version", [], |row| row.get(0))?,
            own: connection.total_changes(),
        };
        let mut kept = self.vectors.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = kept.as_ref()
            && table.version == version
            && table.dimension == dimension
        {
            return Ok(Some(Arc::clone(table)));
        }
        // Chunks are counted in place of vectors: their index is small, and a vector has a chunk.
        let rows: i64 = connection.query_row("SELECT count(*) FROM chunks", [], |r| r.get(0))?;
        let rows = usize::try_from(rows).unwrap_or_default();
        if rows.saturating_mul(dimension * 4) > MOST_BYTES_IN_MEMORY {
            *kept = None;
            return Ok(None);
        }
        let mut table = VectorTable {
            version,
            dimension,
            chunks: Vec::with_capacity(rows),
            values: Vec::with_capacity(rows * dimension),
        };
        let mut statement =
            connection.prepare_cached("SELECT chunk, vector FROM vectors ORDER BY chunk")?;
        let mut found = statement.query([])?;
        while let Some(row) = found.next()? {
            let bytes = row.get_ref(1)?.as_blob()?;
            // A vector of another length cannot be compared; `check` reports it.
            if bytes.len() == dimension * 4 {
                table.chunks.push(row.get(0)?);
                table.values.extend(unit(&from_bytes(bytes)));
            }
        }
        let table = Arc::new(table);
        *kept = Some(Arc::clone(&table));
        Ok(Some(table))
    }
}

impl VectorTable {
    fn scores(&self, query: &[f32], allowed: Option<&[i64]>) -> Vec<Ranked> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let parts = threads.min(self.chunks.len() / ROWS_PER_THREAD).max(1);
        let rows_per_part = self.chunks.len().div_ceil(parts).max(1);
        if parts == 1 {
            return score_rows(query, &self.chunks, &self.values, allowed);
        }
        // Each row's score is computed by itself, so the number of threads changes nothing.
        std::thread::scope(|scope| {
            let workers: Vec<_> = self
                .chunks
                .chunks(rows_per_part)
                .zip(self.values.chunks(rows_per_part * self.dimension))
                .map(|(chunks, values)| {
                    scope.spawn(move || score_rows(query, chunks, values, allowed))
                })
                .collect();
            workers
                .into_iter()
                .flat_map(|worker| worker.join().unwrap_or_default())
                .collect()
        })
    }
}

fn score_rows(
    query: &[f32],
    chunks: &[i64],
    values: &[f32],
    allowed: Option<&[i64]>,
) -> Vec<Ranked> {
    chunks
        .iter()
        .zip(values.chunks_exact(query.len().max(1)))
        .filter(|(chunk, _)| allowed.is_none_or(|allowed| allowed.binary_search(chunk).is_ok()))
        .map(|(chunk, vector)| Ranked {
            chunk: *chunk,
            score: dot(query, vector),
        })
        .collect()
}

/// Chunks that a filter lets through, ascending.
fn allowed(connection: &Connection, filter: &Filter<'_>) -> rusqlite::Result<Vec<i64>> {
    let condition = filter.condition("id");
    let mut statement = connection.prepare_cached(&format!(
        "SELECT id FROM chunks WHERE 1 {condition} ORDER BY id"
    ))?;
    let values = filter.values();
    let values: Vec<(&str, &dyn ToSql)> = values.iter().map(|(k, v)| (*k, v as _)).collect();
    let chunks = statement.query_map(values.as_slice(), |row| row.get(0))?;
    chunks.collect()
}

fn scores_from_file(
    connection: &Connection,
    query: &[f32],
    allowed: Option<&[i64]>,
) -> rusqlite::Result<Vec<Ranked>> {
    let mut scores = Vec::new();
    let mut statement =
        connection.prepare_cached("SELECT chunk, vector FROM vectors ORDER BY chunk")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let chunk: i64 = row.get(0)?;
        let bytes = row.get_ref(1)?.as_blob()?;
        if bytes.len() == query.len() * 4
            && allowed.is_none_or(|allowed| allowed.binary_search(&chunk).is_ok())
        {
            let score = dot(query, &unit(&from_bytes(bytes)));
            scores.push(Ranked { chunk, score });
        }
    }
    Ok(scores)
}

/// The cosines of some chunks.
pub(super) fn scores(
    connection: &Connection,
    query: &[f32],
    chunks: &[i64],
) -> rusqlite::Result<Vec<Ranked>> {
    let mut statement = connection.prepare_cached("SELECT vector FROM vectors WHERE chunk = ?1")?;
    let mut scores = Vec::with_capacity(chunks.len());
    for &chunk in chunks {
        let mut rows = statement.query([chunk])?;
        if let Some(row) = rows.next()? {
            let vector = from_bytes(row.get_ref(0)?.as_blob()?);
            let score = dot(query, &unit(&vector));
            scores.push(Ranked { chunk, score });
        }
    }
    Ok(scores)
}

/// The best `limit`, best first; of two alike, the one stored first.
pub(super) fn best(mut scores: Vec<Ranked>, limit: usize) -> Vec<Ranked> {
    let order = |a: &Ranked, b: &Ranked| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk));
    if limit < scores.len() {
        scores.select_nth_unstable_by(limit, order);
        scores.truncate(limit);
    }
    scores.sort_unstable_by(order);
    scores
}

/// Sum of products over eight sums side by side, which compilers turn into vector instructions.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    let (a_chunks, b_chunks) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f32 = a_chunks
        .remainder()
        .iter()
        .zip(b_chunks.remainder())
        .map(|(a, b)| a * b)
        .sum();
    for (a, b) in a_chunks.zip(b_chunks) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// A vector scaled to unit length. One that has no direction, or a number in it that is none,
/// becomes all zeros and is like nothing.
pub(crate) fn unit(vector: &[f32]) -> Vec<f32> {
    let length = dot(vector, vector).sqrt();
    if length > 0.0 && length.is_finite() {
        vector.iter().map(|value| value / length).collect()
    } else {
        vec![0.0; vector.len()]
    }
}

/// Cosine of two vectors, 0 where one has no direction or their lengths differ.
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    if a.len() == b.len() {
        dot(&unit(a), &unit(b))
    } else {
        0.0
    }
}

/// A vector as the store keeps it: little-endian `f32`.
pub(crate) fn to_bytes(vector: &[f32]) -> Vec<u8> {
    vector
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

/// A stored vector; bytes behind the last whole number are ignored.
pub(crate) fn from_bytes(bytes: &[u8]) -> Vec<f32> {
    let (numbers, _) = bytes.as_chunks::<4>();
    numbers
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes))
        .collect()
}
