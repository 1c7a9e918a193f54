//! One ranking out of two.

use std::collections::BTreeMap;

use super::Ranked;
use super::vectors::best;

/// Cormack, Clarke and Buettcher 2009: reciprocal rank fusion, with their constant.
const RANK_CONSTANT: f32 = 60.0;

/// Reciprocal rank fusion: a chunk earns `1 / (60 + rank)` from each ranking that has it. Ranks need
/// no common scale of cosine and BM25. Weighted sums of scaled scores (Bruch et al. 2023) were
/// measured beside it on public and on paraphrased questions: no weight was better on both.
pub(super) fn fused(dense: &[Ranked], lexical: &[Ranked]) -> Vec<Ranked> {
    let mut scores: BTreeMap<i64, f32> = BTreeMap::new();
    for ranking in [dense, lexical] {
        for (position, ranked) in ranking.iter().enumerate() {
            *scores.entry(ranked.chunk).or_default() +=
                1.0 / (RANK_CONSTANT + position as f32 + 1.0);
        }
    }
    let scores: Vec<Ranked> = scores
        .into_iter()
        .map(|(chunk, score)| Ranked { chunk, score })
        .collect();
    let all = scores.len();
    best(scores, all)
}
