//! Putting the first stage's candidates into their final order.

use lahar_models::{Embedder, LateQuery, Reranker, TextRole};
use rusqlite::OptionalExtension;

use super::SearchRequest;
use crate::error::{At, LibraryError};
use crate::hit::{Hit, Ranking};
use crate::store::Library;

/// How candidates are put into their final order.
#[derive(Clone, Copy, Default)]
pub enum Reranking<'a> {
    /// As the first stage has them.
    Off,
    /// By late interaction, where the library holds token vectors. The default.
    #[default]
    Late,
    /// By a cross-encoder.
    Model {
        /// The model.
        model: &'a dyn Reranker,
        /// A passage with a lower score is no evidence. 0 where nothing is known of the model.
        floor: f32,
    },
}

impl Reranking<'_> {
    /// The score below which a passage is no evidence.
    pub fn floor(self) -> f32 {
        match self {
            Reranking::Off => f32::NEG_INFINITY,
            Reranking::Late => LATE_FLOOR,
            Reranking::Model { floor, .. } => floor,
        }
    }
}

/// A passage whose late-interaction score is lower is no evidence.
///
/// Chosen with all-MiniLM-L6-v2 on questions of our own over the shared corpus: of 79 that it
/// answers, the passage with the answer never scored below 0.47; of 20 about other subjects
/// altogether (recipes, chess, composers) the best passage scored 0.49, and for 16 of them all were
/// below 0.45. It keeps foreign subjects out. Questions about hazards that the library does not
/// answer score as those that it does (20 of them had best passages of 0.46 to 0.72): they are
/// left to the rules on names, years and words.
pub const LATE_FLOOR: f32 = 0.45;

impl std::fmt::Debug for Reranking<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reranking::Off => f.write_str("Off"),
            Reranking::Late => f.write_str("Late"),
            Reranking::Model { model, floor } => f
                .debug_struct("Model")
                .field("model", &model.name())
                .field("floor", floor)
                .finish(),
        }
    }
}

/// A question's vector and those of its tokens, from one pass through the model.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionVectors {
    /// The vector of the whole question.
    pub text: Vec<f32>,
    /// Its tokens, where the model gives them.
    pub tokens: Option<LateQuery>,
}

/// Weights of the standardised rerank score, cosine and BM25 in the order of a reranked
/// [`Ranking::Fused`]: the rerank score says as much as the first stage's two together.
///
/// On 79 paraphrased questions of our own over the shared corpus all weights from 0 to 1 beside
/// the rerank score gave recall@5 of 0.87 to 0.90 and recall@1 of 0.58 to 0.63, which is within
/// chance, so the even split is taken.
pub(super) const WEIGHTS: [f32; 3] = [1.0, 0.5, 0.5];

impl Library {
    /// Reads a question with a model that fits the library. A question beyond any model's window is
    /// cut before it reaches the tokenizer.
    pub fn read_question(
        &self,
        embedder: &dyn Embedder,
        question: &str,
    ) -> Result<QuestionVectors, LibraryError> {
        let Some(model) = embedder.token_embedder() else {
            return Ok(QuestionVectors {
                text: self.embed_query(embedder, question)?,
                tokens: None,
            });
        };
        self.accept_model(embedder)?;
        let question = crate::store::within_longest_query(question);
        let found = model.embed_tokens(&[question], TextRole::Query)?;
        Ok(found.into_iter().next().map_or_else(
            || QuestionVectors {
                text: Vec::new(),
                tokens: None,
            },
            |found| QuestionVectors {
                tokens: Some(LateQuery::new(&found)),
                text: found.text,
            },
        ))
    }

    /// Finds candidates as [`Library::search`] does and puts them into their final order. In a
    /// fused ranking the first stage's scores count too; after cosine alone, as in the papers' baselines, the rerank
    /// score alone decides. A chunk without a rerank score comes after those with one, in the
    /// first stage's order. A question's vector in the request goes before the model's.
    pub fn retrieve(
        &self,
        request: &SearchRequest,
        embedder: Option<&dyn Embedder>,
        reranking: Reranking<'_>,
    ) -> Result<Vec<Hit>, LibraryError> {
        let (mut first, tokens) = self.read_request(request, embedder, reranking)?;
        if matches!(reranking, Reranking::Off) {
            return self.search(&first);
        }
        first.limit = request.candidates.max(request.limit);
        let mut hits = self.search(&first)?;
        self.score(&first, tokens.as_ref(), reranking, &mut hits)?;
        let mut hits = match first.effective_ranking() {
            Ranking::Fused => reordered(hits, WEIGHTS),
            Ranking::Dense | Ranking::Lexical => reordered(hits, [1.0, 0.0, 0.0]),
        };
        hits.truncate(request.limit);
        Ok(hits)
    }

    /// The request with what it is compared by: the question's vector, and those of its tokens
    /// where they count.
    pub(super) fn read_request(
        &self,
        request: &SearchRequest,
        embedder: Option<&dyn Embedder>,
        reranking: Reranking<'_>,
    ) -> Result<(SearchRequest, Option<LateQuery>), LibraryError> {
        let mut first = request.clone();
        let mut tokens = None;
        match (embedder, reranking, &first.query_vector) {
            (Some(model), Reranking::Late, _) => {
                let found = self.read_question(model, &request.text)?;
                tokens = found.tokens;
                first.query_vector.get_or_insert(found.text);
            }
            (Some(model), _, None) if request.ranking != Ranking::Lexical => {
                first.query_vector = Some(self.embed_query(model, &request.text)?);
            }
            _ => {}
        }
        Ok((first, tokens))
    }

    /// Gives hits their rerank score, and says which are too low to be evidence.
    pub(super) fn score(
        &self,
        request: &SearchRequest,
        tokens: Option<&LateQuery>,
        reranking: Reranking<'_>,
        hits: &mut [Hit],
    ) -> Result<(), LibraryError> {
        match (reranking, tokens) {
            (Reranking::Model { model, .. }, _) => {
                let texts: Vec<&str> = hits.iter().map(|hit| hit.text.as_str()).collect();
                let scores = model.score(&request.text, &texts)?;
                for (hit, score) in hits.iter_mut().zip(scores) {
                    hit.scores.rerank = Some(score);
                }
            }
            (_, Some(tokens)) => self.score_late(tokens, hits)?,
            _ => {}
        }
        for scores in hits.iter_mut().map(|hit| &mut hit.scores) {
            scores.below_floor = scores.rerank.is_some_and(|s| s < reranking.floor());
        }
        Ok(())
    }

    /// Compares the question's tokens with the stored ones of each hit.
    fn score_late(&self, question: &LateQuery, hits: &mut [Hit]) -> Result<(), LibraryError> {
        let connection = self.lock();
        let mut stored = connection
            .prepare_cached("SELECT tokens FROM token_vectors WHERE chunk = ?1")
            .at(&self.path)?;
        for hit in hits {
            let score = stored
                .query_row([hit.chunk_id], |row| {
                    Ok(question.score(row.get_ref(0)?.as_blob()?))
                })
                .optional()
                .at(&self.path)?;
            hit.scores.rerank = score.flatten();
        }
        Ok(())
    }
}

/// Hits by the weighted sum of their standardised scores, those without a rerank score last.
pub(super) fn reordered(hits: Vec<Hit>, weights: [f32; 3]) -> Vec<Hit> {
    let (scored, rest): (Vec<Hit>, Vec<Hit>) = hits
        .into_iter()
        .partition(|hit| hit.scores.rerank.is_some());
    let columns = [
        standardised(scored.iter().map(|hit| hit.scores.rerank)),
        standardised(scored.iter().map(|hit| hit.scores.dense)),
        // A chunk that has none of the words has a BM25 of 0.
        standardised(scored.iter().map(|hit| hit.scores.lexical.or(Some(0.0)))),
    ];
    let total = |at: usize| -> f32 {
        let terms = columns.iter().zip(weights);
        terms.map(|(column, weight)| weight * column[at]).sum()
    };
    let mut order: Vec<(f32, Hit)> = scored
        .into_iter()
        .enumerate()
        .map(|(at, hit)| (total(at), hit))
        .collect();
    // Stable: of two alike, the one that the first stage put first.
    order.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    order.into_iter().map(|(_, hit)| hit).chain(rest).collect()
}

/// Distances from the mean in standard deviations: 0 for what is absent, and for all where they
/// are alike.
fn standardised(scores: impl Iterator<Item = Option<f32>>) -> Vec<f32> {
    let scores: Vec<Option<f32>> = scores.map(|s| s.filter(|s| s.is_finite())).collect();
    let present = || scores.iter().flatten();
    let count = present().count().max(1) as f32;
    let mean = present().sum::<f32>() / count;
    let variance = present().map(|s| (s - mean).powi(2)).sum::<f32>() / count;
    let deviation = variance.sqrt();
    let distance = |score: &f32| match deviation > 1e-6 {
        true => (score - mean) / deviation,
        false => 0.0,
    };
    scores
        .iter()
        .map(|score| score.as_ref().map_or(0.0, distance))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_measured_in_deviations_from_their_mean() {
        let found = standardised([Some(1.0), None, Some(3.0), Some(f32::NAN)].into_iter());
        assert_eq!(found, [-1.0, 0.0, 1.0, 0.0]);
        assert_eq!(standardised([Some(2.0), Some(2.0)].into_iter()), [0.0, 0.0]);
        assert!(standardised(std::iter::empty()).is_empty());
    }
}
