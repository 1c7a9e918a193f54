//! Decisions on open questions against the key: the part of GeoRisk-RAG's metrics that follows
//! from the decision alone.
//!
//! With the action `A` of a question and its set `G` of good ones, over `n` location-dependent
//! questions (all of them for the first):
//!
//! | metric | definition |
//! |---|---|
//! | `good_decision_rate` | mean of `A in G`, over all questions |
//! | `appropriate_warning_rate` | `A = warn` and `warn in G`, of n |
//! | `warning_precision` | `warn in G`, of all `A = warn` |
//! | `warning_recall` | `A = warn`, of all with `warn in G` |
//! | `over_abstention` | `A = abstain` and `abstain` not in G, of n |
//! | `false_confidence` | `A = answer` and `answer` not in G, of n |

use std::collections::BTreeMap;

use lahar_core::Decision;
use serde::Serialize;

use crate::error::Error;
use crate::interval::{Estimate, bootstrap};
use crate::questions::{Answer, Item, OpenAnswer, Question};

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
    /// How the best evidence differs from the place asked about, as the set says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geo_error_type: Option<String>,
}

/// What a run found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DecisionReport {
    /// Figures by name; one that no question bears on is not there.
    pub metrics: BTreeMap<&'static str, Estimate>,
    /// The same counts for parts of the set.
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

/// Parts of a set: good decisions and questions, by name.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Parts {
    /// By how the best evidence differs from the place asked about.
    pub geo_error_type: BTreeMap<String, (usize, usize)>,
}

/// A question's decision with the parts of the key that the metrics need.
struct Scored<'k> {
    decision: Decision,
    key: &'k OpenAnswer,
}

impl Scored<'_> {
    fn good(&self, decision: Decision) -> bool {
        self.key.acceptable.contains(&decision)
    }

    fn depends(&self) -> bool {
        self.key.location_dependent != Some(false)
    }
}

/// Asks for the decision on every open question. `decide` sees the question and not the key.
/// Other questions are passed over. Its first failure ends the run.
pub fn run_decisions<E>(
    method: &str,
    items: &[Item],
    mut decide: impl FnMut(&Question) -> Result<Decision, E>,
) -> Result<DecisionReport, Error>
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut rows = Vec::new();
    let mut scored = Vec::new();
    for item in items {
        let Answer::Open(key) = &item.key.answer else {
            continue;
        };
        let decision = decide(&item.question).map_err(|error| Error::Label {
            id: item.question.id.clone(),
            source: error.into(),
        })?;
        rows.push(DecidedItem {
            id: item.question.id.clone(),
            decision,
            expected: key.expected,
            good: key.acceptable.contains(&decision),
            geo_error_type: key.geo_error_type.clone(),
        });
        scored.push(Scored { decision, key });
    }
    let mut by = Parts::default();
    for row in &rows {
        let kind = row
            .geo_error_type
            .clone()
            .unwrap_or_else(|| "not said".to_owned());
        let (good, all) = by.geo_error_type.entry(kind).or_default();
        *good += usize::from(row.good);
        *all += 1;
    }
    Ok(DecisionReport {
        metrics: metrics(&scored),
        by,
        items: rows,
        method: method.to_owned(),
        library: None,
        seconds: 0.0,
    })
}

fn metrics(scored: &[Scored<'_>]) -> BTreeMap<&'static str, Estimate> {
    use Decision::{Abstain, Answer, Warn};

    let mut metrics = BTreeMap::new();
    let mut add = |name, of: &dyn Fn(&Scored<'_>) -> bool, hit: &dyn Fn(&Scored<'_>) -> bool| {
        let estimate = bootstrap(scored.len(), |drawn| {
            let counted = drawn.iter().map(|&at| &scored[at]).filter(|item| of(item));
            let (mut hits, mut all) = (0, 0);
            for item in counted {
                all += 1;
                hits += usize::from(hit(item));
            }
            (all > 0).then(|| f64::from(hits as u32) / f64::from(all as u32))
        });
        if let Some(mut estimate) = estimate {
            estimate.n = scored.iter().filter(|item| of(item)).count();
            metrics.insert(name, estimate);
        }
    };
    let depends = |item: &Scored<'_>| item.depends();
    let warned = |item: &Scored<'_>| item.decision == Warn;
    let wants_warning = |item: &Scored<'_>| item.good(Warn);
    add("good_decision_rate", &|_| true, &|item| {
        item.good(item.decision)
    });
    add("appropriate_warning_rate", &depends, &|item| {
        warned(item) && item.good(Warn)
    });
    add("warning_precision", &warned, &wants_warning);
    add("warning_recall", &wants_warning, &warned);
    add("over_abstention", &depends, &|item| {
        item.decision == Abstain && !item.good(Abstain)
    });
    add("false_confidence", &depends, &|item| {
        item.decision == Answer && !item.good(Answer)
    });
    metrics
}

/// The report as a table for people.
pub fn decision_table(report: &DecisionReport) -> String {
    let mut text = format!("{}: {} questions\n\n", report.method, report.items.len());
    for (
        name,
        Estimate {
            value,
            low,
            high,
            n,
        },
    ) in &report.metrics
    {
        text.push_str(&format!(
            "{name:<26} {value:.3} [{low:.3}, {high:.3}]  n {n}\n"
        ));
    }
    text.push_str("\ngood decisions by kind of geographic error\n");
    for (kind, (good, all)) in &report.by.geo_error_type {
        text.push_str(&format!("  {kind:<12} {good} of {all}\n"));
    }
    let wrong: Vec<&DecidedItem> = report.items.iter().filter(|item| !item.good).collect();
    if !wrong.is_empty() {
        text.push_str("\nother than expected\n");
    }
    for item in wrong {
        let DecidedItem {
            id,
            decision,
            expected,
            ..
        } = item;
        text.push_str(&format!("  {id:<12} {decision}, expected {expected}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::questions::parse_items;

    fn report(decisions: &[Decision]) -> DecisionReport {
        let set = r#"{"id": "a", "question": "q1", "place": "X", "reference_answer": "r", "expected_decision": "answer", "location_dependent": "yes", "geo_error_type": "exact", "document": "x", "evidence": "e"}
{"id": "b", "question": "q2", "place": "X", "reference_answer": "r", "expected_decision": "warn", "location_dependent": "yes", "geo_error_type": "coarse", "document": "x", "evidence": "e"}
{"id": "c", "question": "q3", "place": "X", "reference_answer": null, "expected_decision": "abstain", "location_dependent": "yes", "geo_error_type": "mismatch", "document": "x", "evidence": "e"}
{"id": "d", "question": "q4", "place": null, "reference_answer": "r", "expected_decision": "answer", "location_dependent": "no", "geo_error_type": "none", "document": "x", "evidence": "e"}"#;
        let items = parse_items(set, "set.jsonl".as_ref()).unwrap();
        let mut next = decisions.iter();
        run_decisions("m", &items, |_| {
            Ok::<_, std::io::Error>(*next.next().unwrap())
        })
        .unwrap()
    }

    #[test]
    fn each_kind_of_wrong_decision_has_its_own_figure() {
        use Decision::{Abstain, Answer, Warn};
        let value = |report: &DecisionReport, name: &str| report.metrics[name].value;

        let right = report(&[Answer, Warn, Abstain, Answer]);
        assert_eq!(value(&right, "good_decision_rate"), 1.0);
        assert_eq!(value(&right, "warning_recall"), 1.0);
        assert_eq!(value(&right, "false_confidence"), 0.0);

        let sure = report(&[Answer, Answer, Answer, Answer]);
        assert_eq!(value(&sure, "false_confidence"), 2.0 / 3.0);
        assert_eq!(value(&sure, "good_decision_rate"), 0.5);
        assert!(!sure.metrics.contains_key("warning_precision"));

        // The abstention on the question that does not depend on a place is in no rate of n.
        let timid = report(&[Abstain, Warn, Warn, Abstain]);
        assert_eq!(value(&timid, "over_abstention"), 1.0 / 3.0);
        assert_eq!(value(&timid, "warning_precision"), 0.5);
        assert_eq!(timid.by.geo_error_type["exact"], (0, 1));
    }
}
