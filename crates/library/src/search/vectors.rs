//! Cosines, exactly as the stored vectors give them.

use rusqlite::Connection;

use super::Ranked;

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
