//! Mixture of retrieval: each hazard's own chunks get a share of the candidates (MoRA-RAG, section
//! 4.2.2, equations 8 to 10).

use lahar_core::Hazard;
use lahar_models::Embedder;

use super::rerank::{Reranking, WEIGHTS, reordered};
use super::{Ranked, SearchRequest, fuse};
use crate::error::LibraryError;
use crate::hit::{Hit, Ranking};
use crate::store::Library;

/// What a hazard was asked for and gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// The hazard.
    pub hazard: Hazard,
    /// Its share of the candidates.
    pub budget: usize,
    /// What other hazards had left of theirs.
    pub handed_on: usize,
    /// Chunks it gave; one that belongs to several hazards counts for each.
    pub found: usize,
}

/// The chunks of several hazards, each once, in their final order.
#[derive(Debug, Clone)]
pub struct Mixture {
    /// Chunks, best first.
    pub hits: Vec<Hit>,
    /// How they came together.
    pub drawn: Vec<Drawn>,
}

impl Library {
    /// Retrieves for each hazard as many chunks as its budget says, and puts the union into one
    /// order. What a hazard has too few chunks for is handed to the others, the first one first.
    pub fn retrieve_mixture(
        &self,
        request: &SearchRequest,
        budgets: &[(Hazard, usize)],
        embedder: Option<&dyn Embedder>,
        reranking: Reranking<'_>,
    ) -> Result<Mixture, LibraryError> {
        let (first, tokens) = self.read_request(request, embedder, reranking)?;
        let mut drawn: Vec<Drawn> = Vec::with_capacity(budgets.len());
        let mut parts: Vec<Vec<Hit>> = Vec::with_capacity(budgets.len());
        for (hazard, budget) in budgets {
            let hits = self.draw(&first, hazard, *budget)?;
            drawn.push(Drawn {
                hazard: hazard.clone(),
                budget: *budget,
                handed_on: 0,
                found: hits.len(),
            });
            parts.push(hits);
        }
        let mut left: usize = drawn.iter().map(|one| one.budget - one.found).sum();
        for (one, hits) in drawn.iter_mut().zip(&mut parts) {
            // Only one that used its share up can have more.
            if left == 0 || one.found < one.budget {
                continue;
            }
            *hits = self.draw(&first, &one.hazard, one.budget + left)?;
            one.handed_on = hits.len().saturating_sub(one.budget);
            one.found = hits.len();
            left -= one.handed_on;
        }
        let mut hits: Vec<Hit> = Vec::new();
        for hit in parts.into_iter().flatten() {
            if hits.iter().all(|known| known.chunk_id != hit.chunk_id) {
                hits.push(hit);
            }
        }
        self.score(&first, tokens.as_ref(), reranking, &mut hits)?;
        let mut hits = match (reranking, first.effective_ranking()) {
            (Reranking::Off, ranking) => in_order(hits, ranking),
            (_, Ranking::Fused) => reordered(hits, WEIGHTS),
            (_, Ranking::Dense | Ranking::Lexical) => reordered(hits, [1.0, 0.0, 0.0]),
        };
        hits.truncate(request.limit);
        Ok(Mixture { hits, drawn })
    }

    fn draw(
        &self,
        request: &SearchRequest,
        hazard: &Hazard,
        limit: usize,
    ) -> Result<Vec<Hit>, LibraryError> {
        self.search(&SearchRequest {
            hazard: Some(hazard.clone()),
            limit,
            candidates: limit,
            ..request.clone()
        })
    }
}

/// Puts chunks that came from several searches into the order of one.
fn in_order(hits: Vec<Hit>, ranking: Ranking) -> Vec<Hit> {
    let by = |score: fn(&Hit) -> Option<f32>| -> Vec<Ranked> {
        let scored = hits.iter().filter_map(|hit| {
            Some(Ranked {
                chunk: hit.chunk_id,
                score: score(hit)?,
            })
        });
        let mut ranked: Vec<Ranked> = scored.collect();
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
        ranked
    };
    let order = match ranking {
        Ranking::Dense => by(|hit| hit.scores.dense),
        Ranking::Lexical => by(|hit| hit.scores.lexical),
        Ranking::Fused => fuse::fused(&by(|hit| hit.scores.dense), &by(|hit| hit.scores.lexical)),
    };
    let place = |hit: &Hit| {
        let at = order.iter().position(|ranked| ranked.chunk == hit.chunk_id);
        at.unwrap_or(usize::MAX)
    };
    let mut sorted = hits.clone();
    sorted.sort_by_key(place);
    sorted
}
