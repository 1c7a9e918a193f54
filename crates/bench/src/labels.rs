//! Hazard labels of documents against those that a manifest declares.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use lahar_core::{Hazard, HazardWeights};
use serde::Serialize;

use crate::interval::{Estimate, bootstrap};

/// The labels of one document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentLabels {
    /// Its name, for people.
    pub document: String,
    /// What the manifest declares.
    pub declared: BTreeSet<Hazard>,
    /// What the classifier found.
    pub found: BTreeSet<Hazard>,
}

impl DocumentLabels {
    /// Takes as found every hazard that weighs `at_least` so much. The weights must be the
    /// classifier's own: a document ingested with its manifest carries the declared ones.
    pub fn new(
        document: impl Into<String>,
        declared: impl IntoIterator<Item = Hazard>,
        found: &HazardWeights,
        at_least: f32,
    ) -> DocumentLabels {
        DocumentLabels {
            document: document.into(),
            declared: declared.into_iter().collect(),
            found: found
                .iter()
                .filter(|(_, weight)| *weight >= at_least)
                .map(|(hazard, _)| hazard.clone())
                .collect(),
        }
    }
}

/// Right and wrong labels, counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct LabelScore {
    /// Labels declared and found.
    pub right: usize,
    /// Labels found and not declared.
    pub extra: usize,
    /// Labels declared and not found.
    pub missing: usize,
    /// Right of those found, with its interval over documents; absent where none was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<Estimate>,
    /// Right of those declared, with its interval over documents; absent where none was declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall: Option<Estimate>,
}

/// A document whose labels differ from the declared ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WrongLabels {
    /// The document.
    pub document: String,
    /// Declared and not found.
    pub missing: Vec<Hazard>,
    /// Found and not declared.
    pub extra: Vec<Hazard>,
}

/// How well labels fit a manifest.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LabelReport {
    /// Documents that were compared.
    pub documents: usize,
    /// Documents left out, because the manifest declares no hazard for them (forms and plans for
    /// several hazards).
    pub undeclared: usize,
    /// All labels together.
    pub micro: LabelScore,
    /// Each hazard that was declared or found.
    pub hazards: BTreeMap<Hazard, LabelScore>,
    /// Documents with a label missing or too many.
    pub wrong: Vec<WrongLabels>,
}

/// Compares the labels of documents with the declared ones.
pub fn score_labels(documents: &[DocumentLabels]) -> LabelReport {
    let compared: Vec<&DocumentLabels> = documents
        .iter()
        .filter(|document| !document.declared.is_empty())
        .collect();
    let all: BTreeSet<&Hazard> = compared
        .iter()
        .flat_map(|document| document.declared.union(&document.found))
        .collect();
    let hazards = all
        .into_iter()
        .map(|hazard| {
            let counts: Vec<Counts> = compared
                .iter()
                .map(|document| {
                    Counts::of(
                        document.declared.contains(hazard),
                        document.found.contains(hazard),
                    )
                })
                .collect();
            (hazard.clone(), score(&counts))
        })
        .collect();
    let counts: Vec<Counts> = compared
        .iter()
        .map(|document| Counts {
            right: document.declared.intersection(&document.found).count(),
            extra: document.found.difference(&document.declared).count(),
            missing: document.declared.difference(&document.found).count(),
        })
        .collect();
    let wrong = compared
        .iter()
        .filter(|document| document.declared != document.found)
        .map(|document| WrongLabels {
            document: document.document.clone(),
            missing: document
                .declared
                .difference(&document.found)
                .cloned()
                .collect(),
            extra: document
                .found
                .difference(&document.declared)
                .cloned()
                .collect(),
        })
        .collect();
    LabelReport {
        documents: compared.len(),
        undeclared: documents.len() - compared.len(),
        micro: score(&counts),
        hazards,
        wrong,
    }
}

/// Labels of one document.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    right: usize,
    extra: usize,
    missing: usize,
}

impl Counts {
    fn of(declared: bool, found: bool) -> Counts {
        Counts {
            right: usize::from(declared && found),
            extra: usize::from(found && !declared),
            missing: usize::from(declared && !found),
        }
    }
}

fn score(counts: &[Counts]) -> LabelScore {
    let sum = |drawn: &[usize], part: fn(&Counts) -> usize| -> usize {
        drawn.iter().map(|&index| part(&counts[index])).sum()
    };
    let share = |part: fn(&Counts) -> usize| {
        bootstrap(counts.len(), |drawn| {
            let (right, whole) = (sum(drawn, |counts| counts.right), sum(drawn, part));
            (whole > 0).then(|| right as f64 / whole as f64)
        })
    };
    let every: Vec<usize> = (0..counts.len()).collect();
    LabelScore {
        right: sum(&every, |counts| counts.right),
        extra: sum(&every, |counts| counts.extra),
        missing: sum(&every, |counts| counts.missing),
        precision: share(|counts| counts.right + counts.extra),
        recall: share(|counts| counts.right + counts.missing),
    }
}

impl fmt::Display for LabelReport {
    /// A table with a line a hazard.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |estimate: Option<Estimate>| {
            estimate.map_or_else(
                || "-".to_owned(),
                |e| format!("{:.2} [{:.2}, {:.2}]", e.value, e.low, e.high),
            )
        };
        writeln!(
            f,
            "{:<14}{:>6}{:>6}{:>8}  {:<19}recall",
            "", "right", "extra", "missing", "precision"
        )?;
        let every = std::iter::once(("all labels", &self.micro));
        let hazards = self
            .hazards
            .iter()
            .map(|(hazard, score)| (hazard.label(), score));
        for (name, score) in every.chain(hazards) {
            writeln!(
                f,
                "{name:<14}{:>6}{:>6}{:>8}  {:<19}{}",
                score.right,
                score.extra,
                score.missing,
                share(score.precision),
                share(score.recall),
            )?;
        }
        write!(
            f,
            "{} documents; {} more declare no hazard",
            self.documents, self.undeclared
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(name: &str, declared: &[Hazard], found: &[(Hazard, f32)]) -> DocumentLabels {
        let found = found.iter().cloned().collect();
        DocumentLabels::new(name, declared.iter().cloned(), &found, 0.5)
    }

    #[test]
    fn labels_are_counted_by_hand() {
        use Hazard as H;
        let report = score_labels(&[
            labels(
                "both",
                &[H::FLOOD, H::STORM],
                &[(H::FLOOD, 0.9), (H::STORM, 0.5)],
            ),
            labels(
                "half",
                &[H::FLOOD, H::TSUNAMI],
                &[(H::FLOOD, 1.0), (H::TSUNAMI, 0.4)],
            ),
            labels("wrong", &[H::STORM], &[(H::FLOOD, 0.7), (H::DROUGHT, 0.6)]),
            labels("form", &[], &[(H::FLOOD, 1.0)]),
        ]);
        assert_eq!((report.documents, report.undeclared), (3, 1));
        let value = |estimate: Option<Estimate>| estimate.map(|estimate| estimate.value);

        // Found 5, of which flood twice and storm once are right; declared 5.
        assert_eq!(
            (report.micro.right, report.micro.extra, report.micro.missing),
            (3, 2, 2)
        );
        assert_eq!(value(report.micro.precision), Some(0.6));
        assert_eq!(value(report.micro.recall), Some(0.6));

        let flood = report.hazards[&H::FLOOD];
        assert_eq!(value(flood.precision), Some(2.0 / 3.0));
        assert_eq!(value(flood.recall), Some(1.0));
        let tsunami = report.hazards[&H::TSUNAMI];
        assert_eq!(
            (tsunami.precision, value(tsunami.recall)),
            (None, Some(0.0))
        );
        let drought = report.hazards[&H::DROUGHT];
        assert_eq!(
            (value(drought.precision), drought.recall),
            (Some(0.0), None)
        );
        assert!(!report.hazards.contains_key(&H::WILDFIRE));

        assert_eq!(report.wrong.len(), 2);
        assert_eq!(report.wrong[0].missing, [H::TSUNAMI]);
        assert_eq!(report.wrong[1].missing, [H::STORM]);
        assert_eq!(report.wrong[1].extra, [H::DROUGHT, H::FLOOD]);
    }

    #[test]
    fn the_table_has_a_line_a_hazard() {
        let report = score_labels(&[labels("a", &[Hazard::FLOOD], &[(Hazard::FLOOD, 1.0)])]);
        let table = report.to_string();
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(
            lines,
            [
                "               right extra missing  precision          recall",
                "all labels         1     0       0  1.00 [1.00, 1.00]  1.00 [1.00, 1.00]",
                "flood              1     0       0  1.00 [1.00, 1.00]  1.00 [1.00, 1.00]",
                "1 documents; 0 more declare no hazard",
            ]
        );
        assert_eq!(score_labels(&[]).micro, LabelScore::default());
    }
}
