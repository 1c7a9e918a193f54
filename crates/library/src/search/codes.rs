//! The first comparison of a question's vector with all others, on one byte a coordinate, and the
//! bounds that make the result of both comparisons exact.
//!
//! A vector `v` of length 1 is kept as `scale * codes`, with codes from -127 to 127, and the length
//! of `v - scale * codes`, its loss. By the inequality of Cauchy and Schwarz the cosine of a
//! question `q` with `v` is within `loss * |q|` of that with the codes. So every chunk whose upper
//! bound is below the lower bounds of as many others as are asked for can be left out, and the
//! exact cosines of the few that remain give the same chunks in the same order as comparing all.
//! No index has to be built, kept and trusted, and the codes take a quarter of the memory.

use std::cmp::Reverse;

use pulp::{Arch, Simd, WithSimd};

use super::vectors::unit;
use crate::words::bm25::{Lengths, Slots};

/// Largest code.
const LARGEST: f32 = 127.0;
/// Bounds the rounding of sums and products of `f32`.
const ROUNDING: f32 = 4e-6;
/// Rows below which one thread is faster than several.
const ROWS_PER_THREAD: usize = 20_000;

/// The codes of vectors of some dimension, as they are stored: scale and loss of each, then the
/// bytes of each. A vector that is missing or of another dimension has a scale that is no number.
pub(crate) fn encoded(vectors: &[Option<Vec<f32>>], dimension: usize) -> Vec<u8> {
    let mut head = Vec::with_capacity(vectors.len() * (8 + dimension));
    let mut codes = Vec::with_capacity(vectors.len() * dimension);
    for vector in vectors {
        let vector = vector.as_ref().filter(|vector| vector.len() == dimension);
        let Some(vector) = vector.map(|vector| unit(vector)) else {
            head.extend([f32::NAN, 0.0].iter().flat_map(|value| value.to_le_bytes()));
            codes.resize(codes.len() + dimension, 0);
            continue;
        };
        let largest = vector
            .iter()
            .fold(0.0f32, |most, value| most.max(value.abs()));
        let scale = largest / LARGEST;
        let mut loss = 0.0f64;
        for value in &vector {
            let code = if scale > 0.0 {
                (value / scale).round()
            } else {
                0.0
            };
            loss += f64::from(value - code * scale).powi(2);
            codes.push(code as i8 as u8);
        }
        // Rounded up: a bound that is too low would lose chunks.
        let loss = loss.sqrt() as f32 * 1.0001;
        head.extend([scale, loss].iter().flat_map(|value| value.to_le_bytes()));
    }
    head.extend(codes);
    head
}

/// Codes of many chunks in memory.
#[derive(Debug, Default)]
pub(crate) struct CodeTable {
    dimension: usize,
    chunks: Vec<u32>,
    scales: Vec<f32>,
    losses: Vec<f32>,
    codes: Vec<u8>,
}

impl CodeTable {
    pub fn new(dimension: usize) -> CodeTable {
        CodeTable {
            dimension,
            ..CodeTable::default()
        }
    }

    /// Takes in the stored codes of chunks that follow each other. Torn bytes give fewer of them.
    pub fn extend(&mut self, first: u32, stored: &[u8]) {
        let count = stored.len() / (8 + self.dimension);
        let (head, codes) = stored.split_at(count * 8);
        for (chunk, values) in (first..).zip(head.as_chunks::<8>().0) {
            let [a, b, c, d, e, f, g, h] = *values;
            self.chunks.push(chunk);
            self.scales.push(f32::from_le_bytes([a, b, c, d]));
            self.losses.push(f32::from_le_bytes([e, f, g, h]));
        }
        self.codes
            .extend_from_slice(&codes[..count * self.dimension]);
    }

    pub fn clear(&mut self) {
        *self = CodeTable::new(self.dimension);
    }

    /// Chunks that may be among the `limit` nearest to a question's vector of length 1, added to
    /// those found before.
    pub fn scan(&self, query: &[f32], allowed: Option<(&Slots, &Lengths)>, found: &mut Candidates) {
        if query.len() != self.dimension || self.dimension == 0 {
            return;
        }
        let query = QueryCodes::of(query);
        let rows = self.chunks.len();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let parts = threads.min(rows / ROWS_PER_THREAD).max(1);
        let part = |from: usize, to: usize, found: &mut Candidates| {
            Arch::new().dispatch(Scan {
                query: &query,
                chunks: &self.chunks[from..to],
                scales: &self.scales[from..to],
                losses: &self.losses[from..to],
                codes: &self.codes[from * self.dimension..to * self.dimension],
                allowed,
                found,
            });
        };
        if parts == 1 {
            return part(0, rows, found);
        }
        let size = rows.div_ceil(parts);
        let bounds = |n: usize| ((n * size).min(rows), ((n + 1) * size).min(rows));
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..parts)
                .map(|n| {
                    let mut own = Candidates::new(found.limit);
                    scope.spawn(move || {
                        let (from, to) = bounds(n);
                        part(from, to, &mut own);
                        own
                    })
                })
                .collect();
            let (from, to) = bounds(0);
            part(from, to, found);
            for other in others {
                if let Ok(other) = other.join() {
                    found.merge(other);
                }
            }
        });
    }
}

/// A question's vector in whole numbers.
struct QueryCodes {
    codes: Vec<i16>,
    scale: f32,
    /// Length of what the numbers lose.
    loss: f32,
    length: f32,
}

impl QueryCodes {
    fn of(query: &[f32]) -> QueryCodes {
        // So that no sum of products leaves the range of an `i32`.
        let most = (i32::MAX as f32 / (LARGEST * query.len() as f32)).floor();
        let most = most.min(f32::from(i16::MAX));
        let largest = query
            .iter()
            .fold(0.0f32, |most, value| most.max(value.abs()));
        let scale = largest / most;
        let (mut loss, mut length) = (0.0f64, 0.0f64);
        let codes = query.iter().map(|value| {
            let code = if scale > 0.0 {
                (value / scale).round()
            } else {
                0.0
            };
            loss += f64::from(value - code * scale).powi(2);
            length += f64::from(*value).powi(2);
            code as i16
        });
        let codes = codes.collect();
        QueryCodes {
            codes,
            scale,
            loss: loss.sqrt() as f32 * 1.0001,
            length: length.sqrt() as f32 * 1.0001,
        }
    }
}

/// One thread's part of a scan.
struct Scan<'a> {
    query: &'a QueryCodes,
    chunks: &'a [u32],
    scales: &'a [f32],
    losses: &'a [f32],
    codes: &'a [u8],
    allowed: Option<(&'a Slots, &'a Lengths)>,
    found: &'a mut Candidates,
}

impl WithSimd for Scan<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let query = self.query;
        let rows = self.codes.chunks_exact(query.codes.len());
        let numbers = self.scales.iter().zip(self.losses);
        for ((chunk, row), (scale, loss)) in self.chunks.iter().zip(rows).zip(numbers) {
            if let Some((slots, lengths)) = self.allowed
                && !lengths
                    .slot(*chunk)
                    .is_some_and(|slot| slots.contains(slot))
            {
                continue;
            }
            let sum = product(row, &query.codes);
            let score = sum as f32 * (scale * query.scale);
            let slack = loss * query.length + query.loss * (1.0 + loss) + ROUNDING;
            self.found.offer(*chunk, score - slack, score + slack);
        }
    }
}

/// Sum of products in whole numbers, in which no order of additions matters, so that it becomes
/// the widest instructions that the caller is compiled for.
#[inline(always)]
fn product(codes: &[u8], query: &[i16]) -> i32 {
    let products = codes.iter().zip(query);
    products
        .map(|(code, value)| i32::from(*code as i8) * i32::from(*value))
        .sum()
}

/// Chunks that may be among the best, by the bounds of their scores.
#[derive(Debug)]
pub(crate) struct Candidates {
    limit: usize,
    /// The best lower bounds, in no order.
    lower: Vec<f32>,
    /// The lower bound of the last of the best so far.
    least: f32,
    /// Chunks and their upper bounds.
    chunks: Vec<(u32, f32)>,
    /// Number of chunks at which those that have been overtaken are thrown out.
    sweep_at: usize,
}

impl Candidates {
    pub fn new(limit: usize) -> Candidates {
        Candidates {
            limit: limit.max(1),
            lower: Vec::new(),
            least: f32::NEG_INFINITY,
            chunks: Vec::new(),
            sweep_at: 4096,
        }
    }

    #[inline]
    fn offer(&mut self, chunk: u32, lower: f32, upper: f32) {
        // False for what is no number, too.
        if upper >= self.least {
            self.take(chunk, lower, upper);
        }
    }

    fn take(&mut self, chunk: u32, lower: f32, upper: f32) {
        if self.chunks.len() >= self.sweep_at {
            let least = self.least;
            self.chunks.retain(|(_, upper)| *upper >= least);
            self.sweep_at = 4096.max(2 * self.chunks.len());
        }
        self.chunks.push((chunk, upper));
        if lower > self.least {
            self.lower.push(lower);
            if self.lower.len() >= 2 * self.limit {
                self.settle();
            }
        }
    }

    fn settle(&mut self) {
        if self.lower.len() < self.limit {
            return;
        }
        let by_size = |value: &f32| Reverse(Ordered(*value));
        self.lower
            .select_nth_unstable_by_key(self.limit - 1, by_size);
        self.lower.truncate(self.limit);
        self.least = self.lower[self.limit - 1];
    }

    fn merge(&mut self, other: Candidates) {
        self.lower.extend(other.lower);
        self.chunks.extend(other.chunks);
        self.settle();
    }

    /// The chunks that remain, ascending.
    pub fn chunks(mut self) -> Vec<u32> {
        self.settle();
        let least = self.least;
        let remain = self.chunks.iter().filter(|(_, upper)| *upper >= least);
        let mut chunks: Vec<u32> = remain.map(|(chunk, _)| *chunk).collect();
        chunks.sort_unstable();
        chunks
    }
}

/// Floating-point numbers in their total order.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ordered(f32);

impl Eq for Ordered {}

impl Ord for Ordered {
    fn cmp(&self, other: &Ordered) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Ordered) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::vectors::cosine;

    /// Vectors around a few directions, so that many are nearly alike.
    fn vectors() -> impl Strategy<Value = Vec<Vec<f32>>> {
        let near = (0usize..4, prop::collection::vec(-0.2f32..0.2, 24));
        prop::collection::vec(near, 1..300).prop_map(|made| {
            let vector = |(direction, mut noise): (usize, Vec<f32>)| {
                noise[direction] += 1.0;
                noise
            };
            made.into_iter().map(vector).collect()
        })
    }

    proptest! {
        #[test]
        fn none_of_the_nearest_is_left_out(
            vectors in vectors(),
            query in prop::collection::vec(-1.0f32..1.0, 24),
            limit in 1usize..40,
        ) {
            let mut table = CodeTable::new(24);
            let all: Vec<Option<Vec<f32>>> = vectors.iter().cloned().map(Some).collect();
            let (front, back) = all.split_at(all.len() / 2);
            table.extend(5, &encoded(front, 24));
            table.extend(5 + front.len() as u32, &encoded(back, 24));
            let mut found = Candidates::new(limit);
            table.scan(&unit(&query), None, &mut found);
            let found = found.chunks();
            let mut order: Vec<(u32, f32)> = (5..)
                .zip(&vectors)
                .map(|(chunk, vector)| (chunk, cosine(&query, vector)))
                .collect();
            order.sort_by(|a, b| b.1.total_cmp(&a.1));
            for (chunk, score) in order.iter().take(limit) {
                prop_assert!(found.contains(chunk), "{} of {}", chunk, score);
            }
        }
    }

    #[test]
    fn missing_vectors_are_never_found_and_zeros_are_like_nothing() {
        let mut table = CodeTable::new(2);
        let stored = encoded(
            &[
                None,
                Some(vec![0.0, 0.0]),
                Some(vec![1.0]),
                Some(vec![3.0, 4.0]),
            ],
            2,
        );
        table.extend(1, &stored);
        let mut found = Candidates::new(9);
        table.scan(&[0.6, 0.8], None, &mut found);
        assert_eq!(found.chunks(), [2, 4]);
    }
}
