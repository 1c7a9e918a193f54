//! Methods side by side over one question set, from what happened to each question.
//!
//! Rows come from `bench qa --rows`, so that methods can be run one by one and compared later.
//! Retrieval stands apart from answering: a wrong label may be a passage that was not found, or one
//! that was found and misread.
//!
//! | module | holds |
//! |---|---|
//! | `markdown` | the report for people |
//! | `svg` | accuracy by part as bars with intervals |

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::interval::{Estimate, median, paired_difference, proportion};

mod markdown;
mod svg;
#[cfg(test)]
mod tests;

pub use markdown::markdown;
pub use svg::bars;

/// What happened to one question, as a line of the rows file. Other fields are passed over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The question.
    pub id: String,
    /// `TF` or `MC`.
    pub r#type: String,
    /// Kind of question.
    #[serde(default)]
    pub category: Option<String>,
    /// Hazards of the question.
    #[serde(default)]
    pub hazards: Vec<String>,
    /// Document of the evidence, where the set names one.
    #[serde(default)]
    pub document: Option<String>,
    /// Rank of the first chunk with the evidence.
    #[serde(default)]
    pub rank: Option<usize>,
    /// The right label.
    pub expected: String,
    /// The label that was given; `None` after an abstention.
    pub label: Option<String>,
    /// Wall time of the whole answer, in milliseconds.
    pub answer_ms: f64,
    /// What a language model was used for it; `None` where the method has none.
    #[serde(default)]
    pub usage: Option<Usage>,
}

/// Use of a language model for one question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Calls.
    pub calls: u32,
    /// Tokens sent and received.
    pub tokens: u64,
    /// Price in US dollars.
    pub dollars: f64,
}

impl Row {
    fn correct(&self) -> bool {
        self.label.as_ref() == Some(&self.expected)
    }

    fn found(&self) -> bool {
        self.rank.is_some_and(|rank| rank <= 5)
    }
}

/// Reads rows; the error names the line.
///
/// # Errors
/// Where a line is no row with a label.
pub fn read_rows(text: &str) -> Result<Vec<Row>, String> {
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    let read = lines.map(|(at, line)| {
        serde_json::from_str(line).map_err(|error| {
            format!(
                "line {}: {error}; write rows with `lahar bench qa --rows FILE`",
                at + 1
            )
        })
    });
    read.collect()
}

/// How a question was made, where its set says so.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Origin {
    /// The question.
    pub id: String,
    /// Name of the change.
    pub made_by: String,
    /// Whether the claim checker has a rule for it.
    pub checker_has_rule: bool,
    /// Ways to answer it without the document.
    #[serde(default)]
    pub guessable_by: Vec<String>,
}

/// Origins of the questions of a set; lines without one are left out.
pub fn read_origins(text: &str) -> Vec<Origin> {
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// Two-sided exact McNemar test: the probability that of the questions on which two methods differ
/// the split is at least this uneven, if either is as likely to be right (binomial, one half;
/// McNemar 1947, doi:10.1007/BF02295996). From 0 to 1; 1 where they never differ.
///
/// ```
/// // 2 (1 + 20 + 190 + 1140 + 4845 + 15504) / 2^20
/// let p = lahar_bench::side_by_side::mcnemar(5, 15);
/// assert!((p - 43_400.0 / 1_048_576.0).abs() < 1e-12);
/// ```
pub fn mcnemar(only_left: usize, only_right: usize) -> f64 {
    let n = only_left + only_right;
    let mut log_term = -(n as f64) * std::f64::consts::LN_2;
    let mut tail = 0.0;
    for k in 0..=only_left.min(only_right) {
        tail += log_term.exp();
        log_term += ((n - k) as f64).ln() - ((k + 1) as f64).ln();
    }
    f64::min(1.0, 2.0 * tail)
}

/// Accuracy and what it is made of, for some questions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Figures {
    /// Right labels; an abstention is not right.
    pub accuracy: Option<Estimate>,
    /// Questions that were not abstained from.
    pub coverage: Option<Estimate>,
    /// Right labels among those given.
    pub accuracy_answered: Option<Estimate>,
    /// Evidence among the first five chunks.
    pub recall_at_5: Option<Estimate>,
    /// Right labels where it is.
    pub accuracy_found: Option<Estimate>,
    /// Right labels where it is not.
    pub accuracy_not_found: Option<Estimate>,
}

impl Figures {
    fn of(rows: &[&Row]) -> Figures {
        let share = |of: &dyn Fn(&Row) -> bool, among: &dyn Fn(&Row) -> bool| {
            let among: Vec<&&Row> = rows.iter().filter(|row| among(row)).collect();
            proportion(among.iter().filter(|row| of(row)).count(), among.len())
        };
        let evidenced = |row: &Row| row.document.is_some();
        Figures {
            accuracy: share(&Row::correct, &|_| true),
            coverage: share(&|row| row.label.is_some(), &|_| true),
            accuracy_answered: share(&Row::correct, &|row| row.label.is_some()),
            recall_at_5: share(&Row::found, &evidenced),
            accuracy_found: share(&Row::correct, &|row| evidenced(row) && row.found()),
            accuracy_not_found: share(&Row::correct, &|row| evidenced(row) && !row.found()),
        }
    }
}

/// One method over the set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MethodFigures {
    /// Its name.
    pub method: String,
    /// Over all questions.
    pub all: Figures,
    /// By `TF` and `MC`.
    pub by_type: BTreeMap<String, Figures>,
    /// By kind of question.
    pub by_category: BTreeMap<String, Figures>,
    /// By hazard; a question of two is in both.
    pub by_hazard: BTreeMap<String, Figures>,
    /// By the change a question was made with.
    pub by_change: BTreeMap<String, Figures>,
    /// By whether the claim checker has a rule for the change, and whether the question can be
    /// guessed.
    pub by_origin: BTreeMap<String, Figures>,
    /// Median wall time of an answer, in milliseconds.
    pub latency_ms: Option<Estimate>,
    /// Sum of what a language model was used for; `None` where none was.
    pub usage: Option<Usage>,
}

/// Two methods on the questions that both were asked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Paired {
    /// The one.
    pub left: String,
    /// The other.
    pub right: String,
    /// Questions that only the one has right.
    pub only_left: usize,
    /// Questions that only the other has right.
    pub only_right: usize,
    /// Accuracy of the one less that of the other.
    pub difference: Option<Estimate>,
    /// Exact McNemar test.
    pub p: f64,
}

/// All methods and every pair of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SideBySide {
    /// In the order given.
    pub methods: Vec<MethodFigures>,
    /// Every earlier one against every later one.
    pub pairs: Vec<Paired>,
}

impl SideBySide {
    /// Compares runs over one set; `origins` says how its questions were made.
    pub fn new(runs: &[(String, Vec<Row>)], origins: &[Origin]) -> SideBySide {
        let origins: BTreeMap<&str, &Origin> = origins
            .iter()
            .map(|origin| (origin.id.as_str(), origin))
            .collect();
        let methods = runs
            .iter()
            .map(|(method, rows)| figures(method, rows, &origins));
        let mut pairs = Vec::new();
        for (at, left) in runs.iter().enumerate() {
            pairs.extend(runs[at + 1..].iter().map(|right| paired(left, right)));
        }
        SideBySide {
            methods: methods.collect(),
            pairs,
        }
    }
}

fn figures(method: &str, rows: &[Row], origins: &BTreeMap<&str, &Origin>) -> MethodFigures {
    let parts = |names: &dyn Fn(&Row) -> Vec<String>| {
        let mut parts: BTreeMap<String, Vec<&Row>> = BTreeMap::new();
        for row in rows {
            for name in names(row) {
                parts.entry(name).or_default().push(row);
            }
        }
        let counted = parts
            .into_iter()
            .map(|(name, rows)| (name, Figures::of(&rows)));
        counted.collect::<BTreeMap<_, _>>()
    };
    let origin = |row: &Row| origins.get(row.id.as_str()).copied();
    let latencies: Vec<f64> = rows.iter().map(|row| row.answer_ms).collect();
    let used: Vec<Usage> = rows.iter().filter_map(|row| row.usage).collect();
    MethodFigures {
        method: method.to_owned(),
        all: Figures::of(&rows.iter().collect::<Vec<_>>()),
        by_type: parts(&|row| vec![row.r#type.clone()]),
        by_category: parts(&|row| row.category.iter().cloned().collect()),
        by_hazard: parts(&|row| row.hazards.clone()),
        by_change: parts(&|row| origin(row).iter().map(|o| o.made_by.clone()).collect()),
        by_origin: parts(&|row| {
            let Some(origin) = origin(row) else {
                return Vec::new();
            };
            let rule = if origin.checker_has_rule {
                "with a rule"
            } else {
                "without a rule"
            };
            let guess = if origin.guessable_by.is_empty() {
                "not guessable"
            } else {
                "guessable"
            };
            vec![format!("{}, {rule}", row.r#type), guess.to_owned()]
        }),
        latency_ms: median(&latencies),
        usage: (!used.is_empty()).then(|| {
            used.iter().fold(Usage::default(), |sum, one| Usage {
                calls: sum.calls + one.calls,
                tokens: sum.tokens + one.tokens,
                dollars: sum.dollars + one.dollars,
            })
        }),
    }
}

fn paired(left: &(String, Vec<Row>), right: &(String, Vec<Row>)) -> Paired {
    let others: BTreeMap<&str, bool> = right
        .1
        .iter()
        .map(|row| (row.id.as_str(), row.correct()))
        .collect();
    let both: Vec<(bool, bool)> = left
        .1
        .iter()
        .filter_map(|row| Some((row.correct(), *others.get(row.id.as_str())?)))
        .collect();
    let count = |wanted| both.iter().filter(|pair| **pair == wanted).count();
    let (only_left, only_right) = (count((true, false)), count((false, true)));
    let value = |right: bool| f64::from(u8::from(right));
    let values: Vec<(f64, f64)> = both.iter().map(|(l, r)| (value(*l), value(*r))).collect();
    Paired {
        left: left.0.clone(),
        right: right.0.clone(),
        only_left,
        only_right,
        difference: paired_difference(&values),
        p: mcnemar(only_left, only_right),
    }
}
