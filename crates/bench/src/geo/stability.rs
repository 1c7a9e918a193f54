//! Whether variants of a question find the same passages (GeoRisk-RAG's Table 6).
//!
//! The passages of one variant are averaged to one vector, all by the same embedding model; two
//! variants are as alike as the cosine of their vectors, and share passages by the Jaccard index of
//! the two sets. Variants are the paraphrases of a question, the same question about other
//! places, and the same question by a library built with another embedding model.
//!
//! | metric | variants |
//! |---|---|
//! | `retrieval_stability`, `retrieval_jaccard` | a question and its paraphrases |
//! | `retrieval_stability_locations`, `retrieval_jaccard_locations` | the questions of a group, which differ in the place; here alike is not better |
//! | `retrieval_stability_models`, `retrieval_jaccard_models` | a question by two embedding models |

use std::collections::{BTreeMap, BTreeSet};

use crate::error::Error;
use crate::interval::{Estimate, mean};
use crate::questions::{Answer, Item, Question};

/// What one variant of a question found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Retrieved {
    /// The passages, by names that hold across libraries.
    pub passages: BTreeSet<String>,
    /// Their mean vector; empty where nothing was found.
    pub centre: Vec<f32>,
}

impl Retrieved {
    /// Passages with their vectors, all of one length.
    pub fn of(passages: impl IntoIterator<Item = (String, Vec<f32>)>) -> Retrieved {
        let mut retrieved = Retrieved::default();
        for (name, vector) in passages {
            if !retrieved.passages.insert(name) {
                continue;
            }
            retrieved.centre.resize(vector.len(), 0.0);
            for (sum, value) in retrieved.centre.iter_mut().zip(vector) {
                *sum += value;
            }
        }
        let count = retrieved.passages.len().max(1) as f32;
        for sum in &mut retrieved.centre {
            *sum /= count;
        }
        retrieved
    }
}

/// How alike two variants are: cosine of the means, and Jaccard index of the passages. `None`
/// where one of them found nothing.
pub fn alike(one: &Retrieved, other: &Retrieved) -> Option<(f64, f64)> {
    let dot = |a: &[f32], b: &[f32]| -> f64 {
        a.iter()
            .zip(b)
            .map(|(a, b)| f64::from(*a) * f64::from(*b))
            .sum()
    };
    let norms = (dot(&one.centre, &one.centre) * dot(&other.centre, &other.centre)).sqrt();
    if norms == 0.0 {
        return None;
    }
    let shared = one.passages.intersection(&other.passages).count() as f64;
    let all = one.passages.union(&other.passages).count() as f64;
    Some((dot(&one.centre, &other.centre) / norms, shared / all))
}

/// The mean over all pairs of some variants; `None` without a pair that found something.
pub fn pairwise(variants: &[Retrieved]) -> Option<(f64, f64)> {
    let mut pairs = Vec::new();
    for (at, one) in variants.iter().enumerate() {
        pairs.extend(
            variants[at + 1..]
                .iter()
                .filter_map(|other| alike(one, other)),
        );
    }
    let count = pairs.len() as f64;
    (!pairs.is_empty()).then(|| {
        let (cosine, jaccard) = pairs
            .iter()
            .fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        (cosine / count, jaccard / count)
    })
}

/// Retrieves for every location-dependent open question and its paraphrases, and for the question
/// by another model where `other` gives it, and measures how alike the variants are. Both see the
/// question and the text to search for. The first failure ends the run.
pub fn run_stability<E>(
    items: &[Item],
    mut retrieve: impl FnMut(&Question, &str) -> Result<Retrieved, E>,
    mut other: impl FnMut(&Question, &str) -> Result<Option<Retrieved>, E>,
) -> Result<BTreeMap<&'static str, Estimate>, Error>
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut paraphrased = Vec::new();
    let mut by_model = Vec::new();
    let mut groups: BTreeMap<String, Vec<Retrieved>> = BTreeMap::new();
    for item in items {
        let Answer::Open(key) = &item.key.answer else {
            continue;
        };
        if key.location_dependent == Some(false) {
            continue;
        }
        let question = &item.question;
        let failed = |error: E| Error::Retrieval {
            id: question.id.clone(),
            source: error.into(),
        };
        let own = retrieve(question, &question.text).map_err(failed)?;
        if let Some(second) = other(question, &question.text).map_err(failed)? {
            by_model.extend(alike(&own, &second));
        }
        let mut variants = vec![own.clone()];
        for text in &question.paraphrases {
            variants.push(retrieve(question, text).map_err(failed)?);
        }
        paraphrased.extend(pairwise(&variants));
        if let Some(group) = &key.group {
            groups.entry(group.clone()).or_default().push(own);
        }
    }
    let by_place: Vec<(f64, f64)> = groups
        .values()
        .filter_map(|group| pairwise(group))
        .collect();
    let mut metrics = BTreeMap::new();
    let mut add = |cosine: &'static str, jaccard: &'static str, pairs: &[(f64, f64)]| {
        let (cosines, jaccards): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        metrics.extend(mean(&cosines).map(|figure| (cosine, figure)));
        metrics.extend(mean(&jaccards).map(|figure| (jaccard, figure)));
    };
    add("retrieval_stability", "retrieval_jaccard", &paraphrased);
    add(
        "retrieval_stability_locations",
        "retrieval_jaccard_locations",
        &by_place,
    );
    add(
        "retrieval_stability_models",
        "retrieval_jaccard_models",
        &by_model,
    );
    Ok(metrics)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(list: &[(&str, [f32; 2])]) -> Retrieved {
        Retrieved::of(
            list.iter()
                .map(|(name, v)| ((*name).to_owned(), v.to_vec())),
        )
    }

    #[test]
    fn variants_are_as_alike_as_their_mean_vectors_and_shared_passages() {
        let one = found(&[("a", [1.0, 0.0]), ("b", [0.0, 1.0])]);
        let same = found(&[("b", [0.0, 1.0]), ("a", [1.0, 0.0])]);
        let half = found(&[("a", [1.0, 0.0])]);
        let (cosine, jaccard) = alike(&one, &same).unwrap();
        assert!((cosine - 1.0).abs() < 1e-9 && jaccard == 1.0);
        let (cosine, jaccard) = alike(&one, &half).unwrap();
        assert!((cosine - 0.5_f64.sqrt()).abs() < 1e-7);
        assert_eq!(jaccard, 0.5);
        assert_eq!(alike(&one, &Retrieved::default()), None);
        let (_, jaccard) = pairwise(&[one, same, half]).unwrap();
        assert!((jaccard - 2.0 / 3.0).abs() < 1e-12);
    }
}
