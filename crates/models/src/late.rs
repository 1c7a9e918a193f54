//! Late interaction: a question's token vectors compared with small ones of a passage that were
//! made when it was stored (Khattab and Zaharia 2020, "ColBERT"; here with the token vectors of any
//! embedder, which were never trained for it).
//!
//! A passage's token vectors are scaled to unit length, the most alike among them merged until
//! [`MOST_VECTORS`] are left (Ward 1963, by the recurrence of Lance and Williams 1967), turned by a
//! fixed pseudo-random rotation, and of each the signs of [`BITS`] coordinates are kept. The
//! question's vectors stay as they are. Between a vector `q` and signs `s` of a vector `v`,
//! `sqrt(pi / 2) * mean(q_i * s_i) * sqrt(BITS)` estimates the cosine of `q` and `v` after the
//! rotation has spread both evenly (Charikar 2002 for signs on both sides). A passage's score is
//! the mean over the question's tokens of the best such cosine.
//!
//! Nothing is learnt from anybody's documents, and no libm function is used, so the same tokens
//! give the same bytes on every machine.

use crate::embed::TokenVectors;

/// Coordinates whose signs are kept of a vector.
pub const BITS: usize = 256;
/// Most vectors that are kept of a passage: with the byte that names the layout, at most 4 kB.
pub const MOST_VECTORS: usize = 127;

/// Bytes of one vector.
const BYTES: usize = BITS / 8;
/// First byte of what is stored: which layout the rest has.
const LAYOUT: u8 = 1;
/// Turns a mean of products with signs into an estimate of a cosine: the square root of pi / 2.
const SIGN_LOSS: f32 = 1.253_314_1;

/// What is stored of a passage: a byte for the layout, then 32 bytes a vector.
pub fn condense(tokens: &TokenVectors) -> Vec<u8> {
    let vectors: Vec<Vec<f32>> = tokens.iter().filter_map(|(_, v)| unit(v)).collect();
    let mut bytes = Vec::with_capacity(1 + MOST_VECTORS * BYTES);
    bytes.push(LAYOUT);
    for vector in merged(vectors, MOST_VECTORS) {
        let turned = rotated(&vector);
        bytes.extend(turned.chunks(8).map(|eight| {
            let bits = eight.iter().enumerate();
            bits.fold(0u8, |byte, (i, x)| byte | (u8::from(*x >= 0.0) << i))
        }));
    }
    bytes
}

/// Whether bytes are what [`condense`] writes.
pub fn is_sound(bytes: &[u8]) -> bool {
    vectors_of(bytes).is_some()
}

/// The vectors in what is stored; `None` for another layout or torn bytes.
fn vectors_of(bytes: &[u8]) -> Option<&[[u8; BYTES]]> {
    let (layout, vectors) = bytes.split_first()?;
    let (vectors, rest) = vectors.as_chunks::<BYTES>();
    (*layout == LAYOUT && rest.is_empty() && vectors.len() <= MOST_VECTORS).then_some(vectors)
}

/// A question's token vectors, ready to be compared with many passages.
#[derive(Debug, Clone, PartialEq)]
pub struct LateQuery {
    /// For each token, for each byte of a stored vector, the sum of products for each value of
    /// that byte.
    tables: Vec<f32>,
}

/// Values of a byte.
const VALUES: usize = 256;

impl LateQuery {
    /// Reads a question's token vectors.
    pub fn new(tokens: &TokenVectors) -> LateQuery {
        let mut tables = Vec::with_capacity(tokens.ranges.len() * BYTES * VALUES);
        for vector in tokens.iter().filter_map(|(_, v)| unit(v)) {
            let Some(turned) = unit(&rotated(&vector)) else {
                continue;
            };
            let scale = SIGN_LOSS / (BITS as f32).sqrt();
            for eight in turned.chunks(8) {
                // The sum for a byte is that for the byte without its highest set bit, with that
                // coordinate's sign turned.
                let start = tables.len();
                tables.push(-scale * eight.iter().sum::<f32>());
                for value in 1..VALUES {
                    let bit = value.ilog2() as usize;
                    let without = tables[start + value - (1 << bit)];
                    tables.push(2.0f32.mul_add(scale * eight[bit], without));
                }
            }
        }
        LateQuery { tables }
    }

    /// How well a stored passage answers the question: a mean of cosines, about 1 where the
    /// passage holds the question itself. `None` where the bytes are not sound, or either side
    /// has no token.
    pub fn score(&self, stored: &[u8]) -> Option<f32> {
        let vectors = vectors_of(stored).filter(|vectors| !vectors.is_empty())?;
        let tokens = self.tables.chunks_exact(BYTES * VALUES);
        let count = tokens.len();
        if count == 0 {
            return None;
        }
        let sum: f32 = tokens
            .map(|tables| {
                let of = |vector: &[u8; BYTES]| -> f32 {
                    let products = tables.chunks_exact(VALUES).zip(vector);
                    products
                        .map(|(table, byte)| table[usize::from(*byte)])
                        .sum()
                };
                vectors.iter().map(of).fold(f32::NEG_INFINITY, f32::max)
            })
            .sum();
        Some(sum / count as f32)
    }
}

/// A vector scaled to unit length; `None` for one without a direction.
fn unit(vector: &[f32]) -> Option<Vec<f32>> {
    let length = dot(vector, vector).sqrt();
    (length > 0.0 && length.is_finite()).then(|| vector.iter().map(|x| x / length).collect())
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    let (left, right) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest = left.remainder().iter().zip(right.remainder());
    let rest: f32 = rest.map(|(x, y)| x * y).sum();
    for (x, y) in left.zip(right) {
        for lane in 0..8 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// Merges the most alike of unit vectors, by Ward's criterion, until so many are left: each a
/// mean of those merged into it.
fn merged(mut vectors: Vec<Vec<f32>>, most: usize) -> Vec<Vec<f32>> {
    let count = vectors.len();
    if count <= most {
        return vectors;
    }
    let mut sizes = vec![1.0f32; count];
    let mut distances = vec![f32::INFINITY; count * count];
    for i in 0..count {
        for j in 0..i {
            // Half the squared distance, which is Ward's increase for two single vectors.
            let distance = 1.0 - dot(&vectors[i], &vectors[j]);
            distances[i * count + j] = distance;
            distances[j * count + i] = distance;
        }
    }
    let nearest_of = |distances: &[f32], i: usize| {
        let row = distances[i * count..][..count].iter().enumerate();
        let (j, distance) = row.fold((i, f32::INFINITY), |best, (j, distance)| {
            if *distance < best.1 {
                (j, *distance)
            } else {
                best
            }
        });
        (distance, j)
    };
    let mut nearest: Vec<(f32, usize)> = (0..count).map(|i| nearest_of(&distances, i)).collect();
    let mut alive = vec![true; count];
    for _ in most..count {
        let closest = (0..count).filter(|&i| alive[i]);
        let closest = closest.min_by(|&a, &b| nearest[a].0.total_cmp(&nearest[b].0));
        let Some(a) = closest else { break };
        let b = nearest[a].1;
        let (keep, gone) = (a.min(b), a.max(b));
        if keep == gone {
            break;
        }
        let between = distances[keep * count + gone];
        let (keep_size, gone_size) = (sizes[keep], sizes[gone]);
        alive[gone] = false;
        for k in (0..count).filter(|&k| alive[k] && k != keep) {
            let all = keep_size + gone_size + sizes[k];
            let distance = ((keep_size + sizes[k]) * distances[keep * count + k]
                + (gone_size + sizes[k]) * distances[gone * count + k]
                - sizes[k] * between)
                / all;
            distances[keep * count + k] = distance;
            distances[k * count + keep] = distance;
        }
        for k in 0..count {
            distances[gone * count + k] = f32::INFINITY;
            distances[k * count + gone] = f32::INFINITY;
        }
        let taken = std::mem::take(&mut vectors[gone]);
        for (x, y) in vectors[keep].iter_mut().zip(&taken) {
            *x = (*x * keep_size + y * gone_size) / (keep_size + gone_size);
        }
        sizes[keep] += gone_size;
        for k in (0..count).filter(|&k| alive[k]) {
            let distance = distances[k * count + keep];
            if k == keep || nearest[k].1 == keep || nearest[k].1 == gone {
                nearest[k] = nearest_of(&distances, k);
            } else if distance < nearest[k].0 {
                nearest[k] = (distance, keep);
            }
        }
    }
    let left = vectors.into_iter().zip(alive);
    left.filter_map(|(vector, alive)| alive.then_some(vector))
        .collect()
}

/// The first [`BITS`] coordinates of a vector after a fixed rotation: three rounds of pseudo-random
/// signs and a Hadamard transform (Ailon and Chazelle 2009, and the three rounds of Andoni and
/// others 2015), over the vector filled up with zeros to a power of two.
fn rotated(vector: &[f32]) -> Vec<f32> {
    let size = vector.len().next_power_of_two().max(BITS);
    let mut values = vector.to_vec();
    values.resize(size, 0.0);
    let mut state = 0u64;
    for _ in 0..3 {
        let mut bits = 0;
        for (i, x) in values.iter_mut().enumerate() {
            if i % 64 == 0 {
                bits = splitmix(&mut state);
            }
            if bits >> (i % 64) & 1 == 1 {
                *x = -*x;
            }
        }
        hadamard(&mut values);
    }
    values.truncate(BITS);
    values
}

/// Steele, Lea and Flood 2014.
fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The Walsh-Hadamard transform, in place and not scaled: only directions matter here.
fn hadamard(values: &mut [f32]) {
    let mut half = 1;
    while half < values.len() {
        for pair in values.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vectors of a seed, as an embedder would give them.
    fn tokens(count: usize, dimension: usize, seed: u64) -> TokenVectors {
        let mut state = seed;
        let mut next = || splitmix(&mut state) as f32 / u64::MAX as f32 - 0.5;
        TokenVectors {
            text: vec![0.0; dimension],
            ranges: (0..count).map(|i| i..i + 1).collect(),
            states: (0..count * dimension).map(|_| next()).collect(),
        }
    }

    #[test]
    fn a_score_is_near_the_mean_of_the_best_cosines() {
        for dimension in [44, 384, 768] {
            let (question, passage) = (tokens(9, dimension, 1), tokens(90, dimension, 2));
            // Some of the question's tokens stand in the passage.
            let mut passage = passage;
            passage.states[..4 * dimension].copy_from_slice(&question.states[..4 * dimension]);
            let exact: f32 = question
                .iter()
                .map(|(_, q)| {
                    let q = unit(q).unwrap();
                    let cosines = passage.iter().map(|(_, p)| dot(&q, &unit(p).unwrap()));
                    cosines.fold(-1.0, f32::max)
                })
                .sum::<f32>()
                / 9.0;
            let query = LateQuery::new(&question);
            let found = query.score(&condense(&passage)).unwrap();
            assert!(
                (found - exact).abs() < 0.08,
                "{dimension}: {found} for {exact}"
            );
            let other = query.score(&condense(&tokens(90, dimension, 3))).unwrap();
            assert!(found > other + 0.2, "{found} and {other}");
        }
    }

    #[test]
    fn a_passage_takes_at_most_4_kb_and_like_tokens_are_merged_first() {
        let mut passage = tokens(300, 384, 7);
        // The first 200 are near copies of one vector: they make room, the others stay.
        let first: Vec<f32> = passage.states[..384].to_vec();
        for token in 0..200 {
            let state = &mut passage.states[token * 384..][..384];
            let own = state[0] * 0.01;
            state.copy_from_slice(&first);
            state[token % 384] += own;
        }
        let stored = condense(&passage);
        assert_eq!(stored.len(), 1 + MOST_VECTORS * BYTES);
        assert!(stored.len() <= 4096 && is_sound(&stored));
        let question = TokenVectors {
            text: vec![0.0; 384],
            ranges: (0..100).map(|i| i..i + 1).collect(),
            states: passage.states[200 * 384..].to_vec(),
        };
        let score = LateQuery::new(&question).score(&stored).unwrap();
        assert!(score > 0.95, "{score}");
    }

    #[test]
    fn the_same_tokens_give_the_same_bytes_and_torn_ones_are_seen() {
        let stored = condense(&tokens(2, 384, 5));
        assert_eq!(stored, condense(&tokens(2, 384, 5)));
        // Stored libraries rely on these bytes.
        let hash = stored.iter().fold(0u64, |hash, byte| {
            hash.wrapping_mul(1_000_003).wrapping_add(u64::from(*byte))
        });
        assert_eq!(
            hash, 13_588_040_564_068_959_993,
            "the layout has changed: give it another number"
        );
        let query = LateQuery::new(&tokens(1, 384, 5));
        assert!(query.score(&stored).is_some());
        for torn in [&stored[..0], &stored[..40], &[2, 0, 0][..]] {
            assert!(!is_sound(torn) && query.score(torn).is_none());
        }
        let empty = condense(&tokens(0, 384, 5));
        assert!(is_sound(&empty) && query.score(&empty).is_none());
        assert!(LateQuery::new(&tokens(0, 384, 5)).score(&stored).is_none());
        let zeros = TokenVectors {
            states: vec![0.0; 384],
            ..tokens(1, 384, 5)
        };
        assert_eq!(condense(&zeros), empty);
    }
}
