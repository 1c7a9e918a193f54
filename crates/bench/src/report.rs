//! What a run found, as the JSON of the interface contract.

use std::collections::BTreeMap;

use lahar_core::Hazard;
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::graded::Graded;
use crate::interval::{self, Estimate};
use crate::retrieval::{ndcg_at, recall_at, reciprocal_rank};

mod table;

pub use table::table;

/// One figure by name, from the rank of an item's evidence.
type Measure = (&'static str, fn(Option<usize>) -> f64);

/// The retrieval metrics in the order they are shown.
const MEASURES: [Measure; 5] = [
    ("recall@1", |rank| recall_at(1, rank)),
    ("recall@5", |rank| recall_at(5, rank)),
    ("recall@50", |rank| recall_at(50, rank)),
    ("mrr", reciprocal_rank),
    ("ndcg@10", |rank| ndcg_at(10, rank)),
];

const LATENCY: &str = "latency_ms_median";

/// What happened to one question.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct ItemResult {
    /// The question.
    pub id: String,
    /// `TF`, `MC` or `open`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Kind of question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Hazards of the question.
    pub hazards: Vec<Hazard>,
    /// Where its evidence stands; `None` where the set names no evidence, and then the item is
    /// in no retrieval metric.
    pub document: Option<String>,
    /// Rank of the first chunk that holds the evidence.
    pub rank: Option<usize>,
    /// How many chunks came back.
    pub retrieved: usize,
    /// Wall time of retrieval, in milliseconds.
    pub latency_ms: f64,
    /// Its label against the key, where labels were asked for.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub graded: Option<Graded>,
}

impl ItemResult {
    /// Whether the set names evidence for it.
    pub fn has_evidence(&self) -> bool {
        self.document.is_some()
    }
}

/// Figures by name, in the order they are shown. A figure that no question bears on is not there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metrics(Vec<(&'static str, Estimate)>);

impl Metrics {
    /// The figure of this name.
    pub fn get(&self, name: &str) -> Option<&Estimate> {
        self.iter()
            .find(|(known, _)| *known == name)
            .map(|(_, estimate)| estimate)
    }

    /// All figures.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Estimate)> {
        self.0.iter().map(|(name, estimate)| (*name, estimate))
    }

    fn push(&mut self, name: &'static str, estimate: Option<Estimate>) {
        self.0.extend(estimate.map(|estimate| (name, estimate)));
    }

    /// Accuracy counts an abstention as wrong; coverage is the share that was not abstained from.
    fn add_labels<'a>(&mut self, items: impl Iterator<Item = &'a ItemResult>) {
        let graded: Vec<(&str, &Graded)> = items
            .filter_map(|item| Some((item.kind, item.graded.as_ref()?)))
            .collect();
        let share = |of: &dyn Fn(&str, &Graded) -> Option<bool>| {
            let held: Vec<bool> = graded
                .iter()
                .filter_map(|(kind, graded)| of(kind, graded))
                .collect();
            interval::proportion(held.iter().filter(|held| **held).count(), held.len())
        };
        let of_kind = |wanted: &'static str| {
            share(&move |kind, graded| (kind == wanted).then_some(graded.correct))
        };
        self.push("accuracy", share(&|_, graded| Some(graded.correct)));
        self.push("accuracy_tf", of_kind("TF"));
        self.push("accuracy_mc", of_kind("MC"));
        let answered = share(&|_, graded| graded.label.is_some().then_some(graded.correct));
        self.push("accuracy_answered", answered);
        self.push("coverage", share(&|_, graded| Some(graded.label.is_some())));
    }

    fn of_retrieval<'a>(items: impl Iterator<Item = &'a ItemResult>) -> Metrics {
        let ranks: Vec<Option<usize>> = items
            .filter(|item| item.has_evidence())
            .map(|item| item.rank)
            .collect();
        let mut metrics = Metrics::default();
        for (name, measure) in MEASURES {
            let values: Vec<f64> = ranks.iter().map(|&rank| measure(rank)).collect();
            // Recall is 1 or 0 a question.
            let estimate = match name.starts_with("recall") {
                true => {
                    let found = values.iter().filter(|value| **value > 0.0).count();
                    interval::proportion(found, values.len())
                }
                false => interval::mean(&values),
            };
            metrics.push(name, estimate);
        }
        metrics
    }
}

impl Serialize for Metrics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, estimate) in &self.0 {
            map.serialize_entry(name, estimate)?;
        }
        map.end()
    }
}

/// The same figures for parts of the set. An item of two hazards is in both their parts; one
/// without a category is in no part.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Breakdown {
    /// By kind of question.
    pub category: BTreeMap<String, Metrics>,
    /// By hazard.
    pub hazard: BTreeMap<String, Metrics>,
}

/// Result of one method over one question set.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Report {
    /// Figures over the whole set.
    pub metrics: Metrics,
    /// Figures over its parts.
    pub by: Breakdown,
    /// What happened to each question.
    pub items: Vec<ItemResult>,
    /// Items in no retrieval metric, because the set names no evidence for them.
    pub without_evidence: usize,
    /// What was run.
    pub method: String,
    /// The library it ran on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
    /// Wall time of the run.
    pub seconds: f64,
}

impl Report {
    /// Sums up what happened to the questions.
    pub fn new(method: impl Into<String>, items: Vec<ItemResult>, seconds: f64) -> Report {
        let mut metrics = Metrics::of_retrieval(items.iter());
        let latencies: Vec<f64> = items.iter().map(|item| item.latency_ms).collect();
        metrics.push(LATENCY, interval::median(&latencies));
        let by = Breakdown {
            category: parts(&items, |item| item.category.iter().cloned().collect()),
            hazard: parts(&items, |item| {
                item.hazards.iter().map(Hazard::to_string).collect()
            }),
        };
        Report {
            metrics,
            by,
            without_evidence: items.iter().filter(|item| !item.has_evidence()).count(),
            items,
            method: method.into(),
            library: None,
            seconds,
        }
    }

    /// Adds the labels that the method gave, by the id of their question.
    pub fn with_labels(mut self, mut labels: BTreeMap<String, Graded>) -> Report {
        for item in &mut self.items {
            item.graded = labels.remove(&item.id);
        }
        self.metrics.add_labels(self.items.iter());
        let graded = |item: &&ItemResult| item.graded.is_some();
        let mut categories: BTreeMap<String, Vec<&ItemResult>> = BTreeMap::new();
        let mut hazards: BTreeMap<String, Vec<&ItemResult>> = BTreeMap::new();
        for item in self.items.iter().filter(graded) {
            if let Some(category) = &item.category {
                categories.entry(category.clone()).or_default().push(item);
            }
            for hazard in &item.hazards {
                hazards.entry(hazard.to_string()).or_default().push(item);
            }
        }
        for (parts, into) in [
            (categories, &mut self.by.category),
            (hazards, &mut self.by.hazard),
        ] {
            for (name, items) in parts {
                into.entry(name).or_default().add_labels(items.into_iter());
            }
        }
        self
    }

    /// What happened to each question, as JSON Lines.
    ///
    /// # Errors
    /// Where `out` cannot be written.
    pub fn write_rows(&self, mut out: impl std::io::Write) -> std::io::Result<()> {
        for item in &self.items {
            serde_json::to_writer(&mut out, item)?;
            out.write_all(b"\n")?;
        }
        out.flush()
    }

    /// Names the library that was asked.
    pub fn with_library(mut self, library: impl Into<String>) -> Report {
        self.library = Some(library.into());
        self
    }
}

fn parts(
    items: &[ItemResult],
    names: impl Fn(&ItemResult) -> Vec<String>,
) -> BTreeMap<String, Metrics> {
    let mut parts: BTreeMap<String, Vec<&ItemResult>> = BTreeMap::new();
    for item in items.iter().filter(|item| item.has_evidence()) {
        for name in names(item) {
            parts.entry(name).or_default().push(item);
        }
    }
    parts
        .into_iter()
        .map(|(name, items)| (name, Metrics::of_retrieval(items.into_iter())))
        .collect()
}

/// One method against another on the questions that both were asked.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Difference {
    /// Method whose figure stands left of the minus.
    pub method: String,
    /// Method whose figure is subtracted.
    pub minus: String,
    /// Differences of the means, with paired intervals: where 0 lies outside, drawing other
    /// questions of the kind would rarely change the sign.
    pub metrics: Metrics,
}

/// Compares two reports item by item. Items are paired by id; those that one report lacks or has
/// no evidence for are left out, which shows in `n`.
pub fn difference(left: &Report, right: &Report) -> Difference {
    let ranks: BTreeMap<&str, Option<usize>> = right
        .items
        .iter()
        .filter(|item| item.has_evidence())
        .map(|item| (item.id.as_str(), item.rank))
        .collect();
    let pairs: Vec<(Option<usize>, Option<usize>)> = left
        .items
        .iter()
        .filter(|item| item.has_evidence())
        .filter_map(|item| Some((item.rank, *ranks.get(item.id.as_str())?)))
        .collect();
    let mut metrics = Metrics::default();
    for (name, measure) in MEASURES {
        let values: Vec<(f64, f64)> = pairs
            .iter()
            .map(|&(left, right)| (measure(left), measure(right)))
            .collect();
        metrics.push(name, interval::paired_difference(&values));
    }
    Difference {
        method: left.method.clone(),
        minus: right.method.clone(),
        metrics,
    }
}

/// Several methods over one question set. As JSON it is the report of the first one, with the
/// figures of all in `methods` and the first one's lead over each other in `differences`.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    main: Report,
    others: Vec<Report>,
}

impl Comparison {
    /// The method that counts, and those it is compared with.
    pub fn new(main: Report, others: Vec<Report>) -> Comparison {
        Comparison { main, others }
    }

    /// All reports, the main one first.
    pub fn reports(&self) -> impl Iterator<Item = &Report> {
        std::iter::once(&self.main).chain(&self.others)
    }

    /// The main method against each other one.
    pub fn differences(&self) -> Vec<Difference> {
        self.others
            .iter()
            .map(|other| difference(&self.main, other))
            .collect()
    }
}

impl Serialize for Comparison {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct Method<'a> {
            metrics: &'a Metrics,
            by: &'a Breakdown,
            ranks: BTreeMap<&'a str, Option<usize>>,
            seconds: f64,
        }
        #[derive(serde::Serialize)]
        struct Whole<'a> {
            #[serde(flatten)]
            main: &'a Report,
            methods: BTreeMap<&'a str, Method<'a>>,
            differences: Vec<Difference>,
        }
        let methods = self.reports().map(|report| {
            let ranks = report
                .items
                .iter()
                .map(|item| (item.id.as_str(), item.rank))
                .collect();
            let method = Method {
                metrics: &report.metrics,
                by: &report.by,
                ranks,
                seconds: report.seconds,
            };
            (report.method.as_str(), method)
        });
        Whole {
            main: &self.main,
            methods: methods.collect(),
            differences: self.differences(),
        }
        .serialize(serializer)
    }
}

#[cfg(test)]
mod tests;
