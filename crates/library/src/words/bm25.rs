//! The chunks that fit some terms best, by BM25.
//!
//! Robertson, Walker, Jones, Hancock-Beaulieu and Gatford, "Okapi at TREC-3" (1994), with the
//! constants and the floor of SQLite's FTS5: `k1 = 1.2`, `b = 0.75`, a term that stands in more than
//! half of all chunks weighs 1e-6. The result is exact. Terms are counted from the most telling one
//! on (Turtle and Flood 1995, doi:10.1016/0306-4573(95)00020-H): once all terms that are left
//! together cannot lift a chunk without any of the others into the result, they are looked up only
//! for chunks that still can come into it, and blocks without such a chunk are not read.

use super::postings::{Block, Summary};

const K1: f32 = 1.2;
const B: f32 = 0.75;
/// Weight of a term that stands nearly everywhere.
const LEAST_WEIGHT: f64 = 1e-6;
/// Sums of a few dozen `f32` differ from their bounds by less.
const ROUNDING: f32 = 1.0001;

/// The number of words of each chunk.
#[derive(Debug, Default)]
pub(crate) struct Lengths {
    /// Number of the chunk in slot 0, where slots follow chunk numbers.
    base: u32,
    /// Number of the last chunk.
    last: u32,
    /// Chunk numbers of the slots, ascending, where too many numbers are not in use.
    numbers: Option<Vec<u32>>,
    words: Vec<u32>,
    /// `k1 (1 - b + b words / mean)`
    norms: Vec<f32>,
    chunks: usize,
    total: u64,
}

/// Unused chunk numbers for each used one up to which a slot is kept for every number.
const MOST_UNUSED: usize = 16;

impl Lengths {
    /// Adds chunks with their numbers of words, ascending and behind all that are there; others
    /// are left out.
    pub fn extend(&mut self, new: &[(u32, u32)]) {
        for (chunk, words) in new {
            if self.chunks > 0 && *chunk <= self.last {
                continue;
            }
            if self.chunks == 0 {
                self.base = *chunk;
            }
            (self.last, self.chunks) = (*chunk, self.chunks + 1);
            self.total += u64::from(*words);
            let slot = (chunk - self.base) as usize;
            if self.numbers.is_none() && slot > self.chunks.saturating_mul(MOST_UNUSED) + (1 << 16)
            {
                self.give_numbers();
            }
            match &mut self.numbers {
                Some(numbers) => numbers.push(*chunk),
                // Numbers without a chunk: no posting names them.
                None => self.words.resize(slot, ABSENT),
            }
            self.words.push(*words);
        }
    }

    /// From slots for all numbers to slots for those in use.
    fn give_numbers(&mut self) {
        let used = self
            .words
            .iter()
            .enumerate()
            .filter(|(_, words)| **words != ABSENT);
        let numbers = used.map(|(slot, _)| self.base + slot as u32).collect();
        self.numbers = Some(numbers);
        self.words.retain(|words| *words != ABSENT);
    }

    /// Computes what depends on all lengths together, after the last [`Lengths::extend`].
    pub fn settle(&mut self) {
        let mean = self.total as f64 / self.chunks.max(1) as f64;
        let norm = |words: &u32| match *words {
            ABSENT => f32::INFINITY,
            words => norm(words, mean),
        };
        self.norms = self.words.iter().map(norm).collect();
    }

    /// Places for all chunks, for what is kept of each.
    pub fn slots(&self) -> usize {
        self.words.len()
    }

    /// The place of a chunk; `None` where there is no such chunk.
    pub fn slot(&self, chunk: u32) -> Option<usize> {
        match &self.numbers {
            None => {
                let slot = chunk.wrapping_sub(self.base) as usize;
                (slot < self.words.len()).then_some(slot)
            }
            Some(numbers) => numbers.binary_search(&chunk).ok(),
        }
    }

    fn chunk(&self, slot: usize) -> u32 {
        match &self.numbers {
            None => self.base + slot as u32,
            Some(numbers) => numbers[slot],
        }
    }

    fn mean(&self) -> f64 {
        self.total as f64 / self.chunks.max(1) as f64
    }
}

/// Number of words in a slot without a chunk.
const ABSENT: u32 = u32::MAX;

fn norm(words: u32, mean: f64) -> f32 {
    let relative = f64::from(words) / mean.max(f64::MIN_POSITIVE);
    K1 * (1.0 - B + B * relative as f32)
}

/// A set of slots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slots(Vec<u64>);

impl Slots {
    /// The slots of some chunks.
    pub fn of(lengths: &Lengths, chunks: impl Iterator<Item = u32>) -> Slots {
        let mut bits = vec![0; lengths.slots().div_ceil(64)];
        for slot in chunks.filter_map(|chunk| lengths.slot(chunk)) {
            bits[slot / 64] |= 1 << (slot % 64);
        }
        Slots(bits)
    }

    pub fn contains(&self, slot: usize) -> bool {
        self.0
            .get(slot / 64)
            .is_some_and(|bits| bits >> (slot % 64) & 1 == 1)
    }

    /// Slots that are in both.
    pub fn and(mut self, other: &Slots) -> Slots {
        for (bits, more) in self.0.iter_mut().zip(&other.0) {
            *bits &= more;
        }
        self
    }
}

/// A term of a question, and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Wanted<'b> {
    /// How often the question has it.
    pub times: f32,
    /// Its blocks, ascending.
    pub blocks: &'b [Block],
}

/// A term with what is computed from all its blocks.
struct Term<'b> {
    blocks: &'b [Block],
    postings: usize,
    /// Inverse document frequency times `k1 + 1`.
    weight: f32,
    /// What it can add to a chunk's score at most.
    most: f32,
}

impl<'b> Term<'b> {
    fn of(wanted: &Wanted<'b>, lengths: &Lengths) -> Option<Term<'b>> {
        let summaries = wanted.blocks.iter().filter_map(Block::summary);
        let summaries: Vec<Summary> = summaries.map(|(summary, _)| summary).collect();
        let postings: usize = summaries.iter().map(|s| s.count as usize).sum();
        if postings == 0 {
            return None;
        }
        let (all, with) = (lengths.chunks as f64, postings as f64);
        let rarity = ((all - with + 0.5) / (with + 0.5)).ln();
        let rarity = if rarity > 0.0 { rarity } else { LEAST_WEIGHT };
        let weight = rarity as f32 * (K1 + 1.0) * wanted.times;
        let mean = lengths.mean();
        let bound = |s: &Summary| share(s.most, norm(s.shortest, mean));
        let most = summaries.iter().map(bound).fold(0.0, f32::max) * weight;
        Some(Term {
            blocks: wanted.blocks,
            postings,
            weight,
            most,
        })
    }
}

/// What part of a term's weight a chunk gets.
#[inline]
fn share(occurrences: u32, norm: f32) -> f32 {
    let occurrences = occurrences as f32;
    occurrences / (occurrences + norm)
}

/// The best `limit` chunks and their scores, best first, of two alike the one with the lower
/// number; only those in `allowed`, where that is given.
pub(crate) fn best(
    wanted: &[Wanted<'_>],
    lengths: &Lengths,
    allowed: Option<&Slots>,
    limit: usize,
) -> Vec<(u32, f32)> {
    let mut terms: Vec<Term<'_>> = wanted
        .iter()
        .filter_map(|wanted| Term::of(wanted, lengths))
        .collect();
    terms.sort_by(|a, b| b.most.total_cmp(&a.most));
    let mut count = Count::new(lengths, allowed, limit);
    for (at, term) in terms.iter().enumerate() {
        let rest: f32 = terms[at..].iter().map(|term| term.most).sum();
        if count.is_closed(rest, term.postings) {
            count.add_where_it_matters(term, rest - term.most);
        } else {
            count.add(term);
        }
    }
    count.result()
}

/// The scores of some chunks; those without any of the terms are left out.
pub(crate) fn scores(
    wanted: &[Wanted<'_>],
    lengths: &Lengths,
    chunks: impl Iterator<Item = u32>,
) -> Vec<(u32, f32)> {
    let mut count = Count::new(lengths, None, usize::MAX);
    let mut slots: Vec<usize> = chunks.filter_map(|chunk| lengths.slot(chunk)).collect();
    slots.sort_unstable();
    slots.dedup();
    count.found = slots;
    count.closed = true;
    for term in wanted.iter().filter_map(|w| Term::of(w, lengths)) {
        count.look_up(&term);
    }
    count.found.retain(|slot| count.scores[*slot] > 0.0);
    count.result()
}

/// A count under way.
struct Count<'l> {
    lengths: &'l Lengths,
    allowed: Option<&'l Slots>,
    limit: usize,
    /// A score for each slot.
    scores: Vec<f32>,
    /// Slots with a score; those that can still come into the result once it is closed.
    found: Vec<usize>,
    /// Whether no chunk that has not been found can come into the result.
    closed: bool,
    /// The score of the last one in the result as it would be now.
    last: f32,
}

impl<'l> Count<'l> {
    fn new(lengths: &'l Lengths, allowed: Option<&'l Slots>, limit: usize) -> Count<'l> {
        Count {
            lengths,
            allowed,
            limit: limit.max(1),
            scores: vec![0.0; lengths.slots()],
            found: Vec::new(),
            closed: false,
            last: 0.0,
        }
    }

    /// Adds a term to the scores of all chunks.
    fn add(&mut self, term: &Term<'_>) {
        for posting in term.blocks.iter().flat_map(Block::postings) {
            let Some(slot) = self.lengths.slot(posting.chunk) else {
                continue;
            };
            if self.allowed.is_some_and(|allowed| !allowed.contains(slot)) {
                continue;
            }
            let score = &mut self.scores[slot];
            if *score == 0.0 {
                self.found.push(slot);
            }
            *score += term.weight * share(posting.occurrences, self.lengths.norms[slot]);
        }
    }

    /// Whether chunks that have not been found yet cannot come into the result by terms that add
    /// `rest` at most. Only computed where it may save going through so many postings.
    fn is_closed(&mut self, rest: f32, postings: usize) -> bool {
        if !self.closed && self.found.len() >= self.limit && postings > self.found.len() / 8 {
            self.last = self.last_in_result();
            if self.last > rest * ROUNDING {
                self.closed = true;
                self.found.sort_unstable();
            }
        }
        self.closed
    }

    fn last_in_result(&self) -> f32 {
        let mut scores: Vec<f32> = self.found.iter().map(|slot| self.scores[*slot]).collect();
        let (_, last, _) = scores.select_nth_unstable_by(self.limit - 1, |a, b| b.total_cmp(a));
        *last
    }

    /// Adds a term to the scores of the chunks that can come into the result by it and by terms
    /// that add `behind` at most.
    fn add_where_it_matters(&mut self, term: &Term<'_>, behind: f32) {
        let least = self.last / ROUNDING - (term.most + behind);
        let scores = &self.scores;
        self.found.retain(|slot| scores[*slot] >= least);
        self.look_up(term);
        if self.found.len() > self.limit {
            self.last = self.last.max(self.last_in_result());
        }
    }

    /// Adds a term to the scores of the found chunks, which are in order.
    fn look_up(&mut self, term: &Term<'_>) {
        let mut found = self
            .found
            .iter()
            .map(|slot| (*slot, self.lengths.chunk(*slot)));
        let mut next = found.next();
        for block in term.blocks {
            while next.is_some_and(|(_, chunk)| chunk < block.first) {
                next = found.next();
            }
            let Some((_, chunk)) = next else { return };
            let span = block.summary().map_or(0, |(summary, _)| summary.span);
            if chunk > block.first.saturating_add(span) {
                continue;
            }
            for posting in block.postings() {
                while next.is_some_and(|(_, chunk)| chunk < posting.chunk) {
                    next = found.next();
                }
                let Some((slot, chunk)) = next else { return };
                if chunk == posting.chunk {
                    let norm = self.lengths.norms[slot];
                    self.scores[slot] += term.weight * share(posting.occurrences, norm);
                }
            }
        }
    }

    fn result(self) -> Vec<(u32, f32)> {
        let mut result: Vec<(u32, f32)> = self
            .found
            .iter()
            .map(|slot| (self.lengths.chunk(*slot), self.scores[*slot]))
            .collect();
        let order = |a: &(u32, f32), b: &(u32, f32)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        if self.limit < result.len() {
            result.select_nth_unstable_by(self.limit, order);
            result.truncate(self.limit);
        }
        result.sort_unstable_by(order);
        result
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::words::postings::{Counted, Posting, append};

    /// Chunks with numbers of words, and for each term the chunks that have it and how often.
    #[derive(Debug, Clone)]
    struct Made {
        lengths: Vec<(u32, u32)>,
        terms: Vec<Vec<Counted>>,
    }

    fn made() -> impl Strategy<Value = Made> {
        let chunks = prop::collection::vec((1u32..40, 5u32..300), 1..400);
        let terms = prop::collection::vec((0.001f64..0.9, any::<u64>()), 1..8);
        (chunks, terms, prop::bool::ANY).prop_map(|(chunks, terms, far)| {
            let mut chunk = 0;
            let lengths: Vec<(u32, u32)> = chunks
                .iter()
                .map(|(step, words)| {
                    chunk += if far { step * 50_000 } else { *step };
                    (chunk, *words)
                })
                .collect();
            let terms = terms.iter().map(|(share, seed)| {
                let mut state = *seed;
                let mut draw = move || {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    (state >> 33) as u32
                };
                let mut counted = Vec::new();
                for (chunk, words) in &lengths {
                    if f64::from(draw() % 1000) < share * 1000.0 {
                        let posting = Posting {
                            chunk: *chunk,
                            occurrences: 1 + draw() % 4,
                        };
                        counted.push(Counted {
                            posting,
                            words: *words,
                        });
                    }
                }
                counted
            });
            let terms = terms.collect();
            Made { lengths, terms }
        })
    }

    /// BM25 as it is written down, in `f64`.
    fn by_definition(made: &Made, allowed: impl Fn(u32) -> bool) -> Vec<(u32, f64)> {
        let all = made.lengths.len() as f64;
        let mean = made.lengths.iter().map(|(_, w)| f64::from(*w)).sum::<f64>() / all;
        let mut scores: Vec<(u32, f64)> = Vec::new();
        for (chunk, words) in made.lengths.iter().filter(|(chunk, _)| allowed(*chunk)) {
            let mut score = 0.0;
            for term in &made.terms {
                let with = term.len() as f64;
                let rarity = ((all - with + 0.5) / (with + 0.5)).ln();
                let rarity = if rarity > 0.0 { rarity } else { 1e-6 };
                let found = term.iter().find(|c| c.posting.chunk == *chunk);
                let often = found.map_or(0.0, |c| f64::from(c.posting.occurrences));
                let norm = 1.2 * (0.25 + 0.75 * f64::from(*words) / mean);
                score += rarity * often * 2.2 / (often + norm);
            }
            if score > 0.0 {
                scores.push((*chunk, score));
            }
        }
        scores.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        scores
    }

    fn close(a: f32, b: f64) -> bool {
        (f64::from(a) - b).abs() <= 1e-5 * b.abs().max(1e-6)
    }

    proptest! {
        #[test]
        fn the_best_are_those_by_definition(made in made(), limit in 1usize..60, filtered: bool) {
            let mut lengths = Lengths::default();
            for part in made.lengths.chunks(97) {
                lengths.extend(part);
            }
            lengths.settle();
            let blocks: Vec<Vec<Block>> =
                made.terms.iter().map(|term| append(None, term)).collect();
            let wanted: Vec<Wanted<'_>> =
                blocks.iter().map(|blocks| Wanted { times: 1.0, blocks }).collect();
            let passes = |chunk: u32| !filtered || !chunk.is_multiple_of(3);
            let chunks = || made.lengths.iter().map(|(chunk, _)| *chunk);
            let allowed = Slots::of(&lengths, chunks().filter(|chunk| passes(*chunk)));
            let found = best(&wanted, &lengths, filtered.then_some(&allowed), limit);
            let expected = by_definition(&made, passes);
            prop_assert_eq!(found.len(), expected.len().min(limit));
            for ((_, score), (_, by_definition)) in found.iter().zip(&expected) {
                prop_assert!(close(*score, *by_definition), "{} {}", score, by_definition);
            }
            let all = by_definition(&made, |_| true);
            let of = |chunk: u32| all.iter().find(|(c, _)| *c == chunk).map(|(_, score)| *score);
            for (chunk, score) in &found {
                prop_assert!(passes(*chunk) && close(*score, of(*chunk).unwrap()));
            }
            for (chunk, score) in scores(&wanted, &lengths, chunks()) {
                prop_assert!(close(score, of(chunk).unwrap()));
            }
            prop_assert_eq!(scores(&wanted, &lengths, chunks()).len(), all.len());
        }
    }
}
