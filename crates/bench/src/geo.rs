//! Answers on open questions against the key: the metrics of GeoRisk-RAG, as section 6 of the
//! specification of geography defines them.
//!
//! With the action `A` of a question and its set `G` of good ones, over `n` location-dependent
//! questions unless another count is named:
//!
//! | metric | definition |
//! |---|---|
//! | `good_decision_rate` | mean of `A in G`, over all questions |
//! | `good_decision_quality` | mean of [`quality`], over all questions: 1 for a good decision carried out well, 0.5 for one that lacks something, 0 for a bad one |
//! | `faithfulness` | claims of an answer that its passages support, averaged over questions not abstained from |
//! | `appropriate_warning_rate` | `A = warn` and `warn in G`, of n |
//! | `warning_precision` | `warn in G`, of all `A = warn` |
//! | `warning_recall` | `A = warn`, of all with `warn in G` |
//! | `over_abstention` | `A = abstain` and `abstain` not in G, of n |
//! | `over_abstention_of_answerable` | the same, of those whose G lacks `abstain` |
//! | `false_confidence` | `A = answer` and `answer` not in G, of n |
//! | `factual_correctness` | F1 of [`claims`], over questions with a reference; an abstention scores 0 |
//! | `factual_correctness_answered` | the same without abstentions |
//! | `group_decision_mean`, `group_decision_worst` | good decisions within a group of questions that differ in the place alone: mean over groups, and the lowest of them |
//! | `groups_all_good` | share of groups without a bad decision |
//! | `retrieval_stability`, ... | see [`stability`] |
//!
//! | module | holds |
//! |---|---|
//! | [`claims`] | claims of answers and references, and whether a text supports them |
//! | [`quality`] | one question's score |
//! | [`stability`] | whether variants of a question find the same passages |
//! | [`pairs`] | blinded pairs of answers for people to judge |
//! | [`paper`] | what GeoRisk-RAG's Tables 5 to 7 print |
//! | [`mod@table`] | reports as tables |

pub mod claims;
mod metrics;
pub mod pairs;
pub mod paper;
pub mod quality;
pub mod stability;
pub mod table;

use std::collections::BTreeMap;

use lahar_core::Decision;
use serde::Serialize;

use crate::error::Error;
use crate::interval::Estimate;
use crate::questions::{Answer, Item, OpenAnswer, Question};
use quality::Quality;

/// What a method gave for a question, as far as it is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct GeoAnswer {
    /// What was decided.
    pub decision: Decision,
    /// What is said, one statement after the other; empty after an abstention.
    pub statements: Vec<String>,
    /// Why, in the words that a person is shown.
    pub reasons: Vec<String>,
    /// The place whose evidence was used, where the method says so.
    pub level_used: Option<String>,
    /// The passages it had before it, best first.
    pub passages: Vec<SeenPassage>,
}

/// A passage that a method had before it.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenPassage {
    /// Number of the chunk in its library.
    pub chunk: i64,
    /// File it came from.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// What was decided about one question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DecidedItem {
    /// The question.
    pub id: String,
    /// What was decided.
    pub decision: Decision,
    /// What the author expects.
    pub expected: Decision,
    /// Whether the decision is one of the good ones.
    pub good: bool,
    /// The graded score.
    pub quality: f64,
    /// Why it is not 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortfall: Option<&'static str>,
    /// Share of the claims that the passages support; `None` after an abstention.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faithfulness: Option<f64>,
    /// F1 of the claims against the reference; `None` without a reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correctness: Option<f64>,
    /// How the best evidence differs from the place asked about, as the set says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geo_error_type: Option<String>,
    /// How the best of the retrieved passages lies to the place asked about, by the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retrieved_relation: Option<String>,
    /// What is said.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// What a run found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GeoReport {
    /// Figures by name; one that no question bears on is not there.
    pub metrics: BTreeMap<&'static str, Estimate>,
    /// The same for parts of the set.
    pub by: Parts,
    /// One row a question.
    pub items: Vec<DecidedItem>,
    /// What was run.
    pub method: String,
    /// The library it ran on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
    /// Wall time of the run.
    pub seconds: f64,
}

/// Parts of a set.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Parts {
    /// Good decisions and questions by how the best evidence lies, as the set says.
    pub geo_error_type: BTreeMap<String, (usize, usize)>,
    /// Good decisions by topic.
    pub category: BTreeMap<String, BTreeMap<&'static str, Estimate>>,
    /// Good decisions by hazard.
    pub hazard: BTreeMap<String, BTreeMap<&'static str, Estimate>>,
    /// Good decisions by group of questions that differ in the place alone.
    pub group: BTreeMap<String, (usize, usize)>,
    /// Factual correctness by how the best of the retrieved passages lies (GeoRisk-RAG's Table 7);
    /// an abstention scores 0.
    pub correctness_by_retrieved: BTreeMap<String, Estimate>,
}

/// A question's outcome with the parts of the key that the metrics need.
struct Scored<'k> {
    item: DecidedItem,
    key: &'k OpenAnswer,
    whole: &'k Item,
}

/// Asks every open question of a set and measures the answers. `ask` sees the question and not the
/// key. Other questions are passed over. Its first failure ends the run.
pub fn run_geo<E>(
    method: &str,
    items: &[Item],
    mut ask: impl FnMut(&Question) -> Result<GeoAnswer, E>,
) -> Result<GeoReport, Error>
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut scored = Vec::new();
    for item in items {
        let Answer::Open(key) = &item.key.answer else {
            continue;
        };
        let answer = ask(&item.question).map_err(|error| Error::Answer {
            id: item.question.id.clone(),
            source: error.into(),
        })?;
        scored.push(Scored {
            item: decided(item, key, &answer),
            key,
            whole: item,
        });
    }
    Ok(GeoReport {
        metrics: metrics::metrics(&scored),
        by: metrics::parts(&scored),
        items: scored.into_iter().map(|scored| scored.item).collect(),
        method: method.to_owned(),
        library: None,
        seconds: 0.0,
    })
}

fn decided(item: &Item, key: &OpenAnswer, answer: &GeoAnswer) -> DecidedItem {
    let evidence = item.key.evidence.as_ref().map(|e| e.quote.as_str());
    let correctness = claims::correctness(&item.question.text, evidence, key, answer);
    let Quality { score, shortfall } = quality::quality(key, answer);
    DecidedItem {
        id: item.question.id.clone(),
        decision: answer.decision,
        expected: key.expected,
        good: key.acceptable.contains(&answer.decision),
        quality: score,
        shortfall,
        faithfulness: claims::faithfulness(answer),
        correctness,
        geo_error_type: key.geo_error_type.clone(),
        retrieved_relation: retrieved_relation(key, answer),
        text: answer.statements.join("\n"),
    }
}

/// Relations from the best down.
const RELATIONS: [&str; 6] = ["exact", "coarse", "overlap", "fine", "mismatch", "none"];

/// The best relation among the documents that the passages came from; where the set does not know
/// its corpus, what it says of the question.
fn retrieved_relation(key: &OpenAnswer, answer: &GeoAnswer) -> Option<String> {
    if key.relations.is_empty() {
        return key.geo_error_type.clone();
    }
    let seen = |files: &Vec<String>| {
        files
            .iter()
            .any(|file| answer.passages.iter().any(|passage| passage.file == *file))
    };
    let best = RELATIONS
        .into_iter()
        .find(|relation| key.relations.get(*relation).is_some_and(seen));
    Some(best.unwrap_or("nothing").to_owned())
}

#[cfg(test)]
mod tests;
