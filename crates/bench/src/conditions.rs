//! How well conditions are found in sentences: precision and recall for each role, of what is a
//! candidate and of what is believed, on labelled sentences of `../shared`.
//!
//! What ships are the labels: file, offset, length and a hash of the letters, never the sentences.
//! Offsets count Unicode scalar values of the file, for a PDF those of its text as Lahar reads it.
//! The sentences labelled `dev` were used to mend the signs; those labelled `held` were not.

use std::collections::BTreeMap;

use lahar_core::TextIndex;
use lahar_core::text::CharRange;
use lahar_routes::Fingerprint;
use lahar_routes::card::Role;
use serde::Serialize;

use crate::interval::{Estimate, proportion};

/// Which half of the labels a sentence belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Half {
    /// Seen while the signs were mended.
    Dev,
    /// Not seen then.
    Held,
}

/// A labelled sentence, by where it stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Label {
    /// Half.
    pub half: Half,
    /// File below `../shared`.
    pub file: String,
    /// Where it stands.
    pub range: CharRange,
    /// First 16 hexadecimal digits of the hash of its letters.
    pub hash: String,
    /// Roles, each of them right; none where it states no condition of a method.
    pub roles: Vec<Role>,
    /// What a program can check in it.
    pub statement: Option<String>,
}

/// The labels that ship.
pub fn labels() -> Result<Vec<Label>, String> {
    let lines = include_str!("../conditions/labels.tsv").lines();
    let rows = lines.filter(|line| !line.starts_with('#'));
    rows.map(|line| label(line).ok_or_else(|| format!("this is no label: {line}")))
        .collect()
}

fn label(line: &str) -> Option<Label> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [half, file, start, length, hash, roles, statement] = columns[..] else {
        return None;
    };
    let start: usize = start.parse().ok()?;
    let roles = match roles {
        "none" => Vec::new(),
        roles => roles
            .split('|')
            .map(|role| serde_json::from_value(serde_json::Value::from(role)).ok())
            .collect::<Option<Vec<Role>>>()?,
    };
    Some(Label {
        half: match half {
            "dev" => Half::Dev,
            "held" => Half::Held,
            _ => return None,
        },
        file: file.to_owned(),
        range: CharRange::new(start, start + length.parse::<usize>().ok()?),
        hash: hash.to_owned(),
        roles,
        statement: (statement != "-").then(|| statement.to_owned()),
    })
}

/// The labelled sentences of one text, each checked against its hash.
pub fn sentences<'t>(text: &'t str, labels: &[Label]) -> Result<Vec<&'t str>, String> {
    let index = TextIndex::new(text);
    labels
        .iter()
        .map(|label| {
            let sentence = index.slice(label.range);
            let right = |sentence: &&str| {
                Fingerprint::of(sentence)
                    .is_some_and(|found| found.sha256.to_string().starts_with(&label.hash))
            };
            sentence.filter(right).ok_or_else(|| {
                format!(
                    "{}: the sentence at {} is another one than was labelled; the file has changed",
                    label.file, label.range.start
                )
            })
        })
        .collect()
}

/// What a method says of a sentence.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Given {
    /// Role.
    pub role: Role,
    /// Whether it is believed, which promotes it beyond a candidate.
    pub sure: bool,
    /// What a program can check in it.
    pub statement: Option<String>,
}

/// One sentence with its label and what was said of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Row<'a> {
    /// The label.
    pub label: &'a Label,
    /// The sentence.
    pub sentence: &'a str,
    /// What was said of it.
    pub given: Option<Given>,
}

/// Counts of one role.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Counts {
    /// Sentences with this role.
    pub labelled: usize,
    /// Sentences that were said to have it.
    pub given: usize,
    /// Of these, rightly.
    pub right: usize,
}

impl Counts {
    /// Rightly given among the given.
    pub fn precision(&self) -> Option<Estimate> {
        proportion(self.right, self.given)
    }

    /// Found among the labelled.
    pub fn recall(&self) -> Option<Estimate> {
        proportion(self.right, self.labelled)
    }

    fn add(&mut self, other: &Counts) {
        self.labelled += other.labelled;
        self.given += other.given;
        self.right += other.right;
    }
}

/// Candidates, and those believed, by role.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Scores {
    /// Every candidate.
    pub candidates: BTreeMap<String, Counts>,
    /// Those that go beyond.
    pub promoted: BTreeMap<String, Counts>,
    /// Statements that a program can check, of those promoted, and how many are as labelled.
    pub statements: Counts,
    /// Sentences without a condition, and how many of them became candidates or more.
    pub without: (usize, usize, usize),
}

/// The name of a role, as cards write it.
pub fn name(role: Role) -> String {
    let json = serde_json::to_value(role).unwrap_or_default();
    json.as_str().unwrap_or_default().to_owned()
}

/// Scores what was said. A sentence with several right roles counts for the one that was given,
/// else for its first.
pub fn score(rows: &[Row<'_>]) -> Scores {
    let mut scores = Scores::default();
    for row in rows {
        let sure = row.given.as_ref().filter(|given| given.sure);
        if row.label.roles.is_empty() {
            scores.without.0 += 1;
            scores.without.1 += usize::from(row.given.is_some());
            scores.without.2 += usize::from(sure.is_some());
        }
        for (given, counts) in [
            (row.given.as_ref(), &mut scores.candidates),
            (sure, &mut scores.promoted),
        ] {
            let right = given.filter(|given| row.label.roles.contains(&given.role));
            let own = right.map(|given| given.role);
            if let Some(role) = own.or_else(|| row.label.roles.first().copied()) {
                counts.entry(name(role)).or_default().labelled += 1;
            }
            if let Some(given) = given {
                let counts = counts.entry(name(given.role)).or_default();
                counts.given += 1;
                counts.right += usize::from(right.is_some());
            }
        }
        let said = sure.and_then(|given| given.statement.as_ref());
        scores.statements.labelled += usize::from(row.label.statement.is_some());
        scores.statements.given += usize::from(said.is_some());
        scores.statements.right +=
            usize::from(said.is_some() && said == row.label.statement.as_ref());
    }
    scores
}

/// A table for people.
pub fn table(scores: &Scores) -> String {
    let mut text = String::new();
    for (title, counts) in [
        ("candidates", &scores.candidates),
        ("promoted", &scores.promoted),
    ] {
        text.push_str(&format!(
            "{title:<22} {:>8} {:>6} {:>6}  {:<22} {:<22}\n",
            "labelled", "given", "right", "precision", "recall"
        ));
        let mut all = Counts::default();
        for (role, counts) in counts {
            all.add(counts);
            text.push_str(&line(role, counts));
        }
        text.push_str(&line("all roles", &all));
    }
    text.push_str(&line("statements, promoted", &scores.statements));
    let (without, candidates, promoted) = scores.without;
    text.push_str(&format!(
        "{without} sentences without a condition: {candidates} became candidates, {promoted} were promoted\n"
    ));
    text
}

fn line(name: &str, counts: &Counts) -> String {
    let shown = |estimate: Option<Estimate>| match estimate {
        None => "-".to_owned(),
        Some(e) => format!("{:.3} ({:.3} to {:.3})", e.value, e.low, e.high),
    };
    format!(
        "{name:<22} {:>8} {:>6} {:>6}  {:<22} {:<22}\n",
        counts.labelled,
        counts.given,
        counts.right,
        shown(counts.precision()),
        shown(counts.recall())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_labels_as_the_issue_asks_for() {
        let labels = labels().unwrap();
        assert!(labels.len() >= 120);
        let without = labels.iter().filter(|label| label.roles.is_empty()).count();
        assert!(without >= 40, "{without}");
        for role in Role::ALL {
            let own = labels.iter().filter(|label| label.roles.contains(&role));
            assert!(own.count() >= 8, "{}", name(role));
        }
    }

    fn row<'a>(label: &'a Label, given: Option<(Role, bool)>) -> Row<'a> {
        Row {
            label,
            sentence: "",
            given: given.map(|(role, sure)| Given {
                role,
                sure,
                statement: None,
            }),
        }
    }

    #[test]
    fn counts_are_as_by_hand() {
        let label = |roles: &[Role]| Label {
            half: Half::Dev,
            file: String::new(),
            range: CharRange::new(0, 1),
            hash: String::new(),
            roles: roles.to_vec(),
            statement: None,
        };
        let scale = label(&[Role::Scale]);
        let either = label(&[Role::Failure, Role::Uncertainty]);
        let none = label(&[]);
        let rows = [
            row(&scale, Some((Role::Scale, true))),
            row(&scale, Some((Role::Failure, false))),
            row(&either, Some((Role::Uncertainty, true))),
            row(&either, None),
            row(&none, Some((Role::Failure, true))),
            row(&none, None),
        ];
        let scores = score(&rows);
        let of = |role: Role| scores.candidates[&name(role)].clone();
        let counts = |labelled, given, right| Counts {
            labelled,
            given,
            right,
        };
        assert_eq!(of(Role::Scale), counts(2, 1, 1));
        assert_eq!(of(Role::Failure), counts(1, 2, 0));
        assert_eq!(of(Role::Uncertainty), counts(1, 1, 1));
        assert_eq!(scores.promoted[&name(Role::Failure)], counts(1, 1, 0));
        assert_eq!(scores.without, (2, 1, 1));
    }

    #[test]
    fn a_changed_file_is_noticed() {
        let mut label = labels().unwrap().remove(0);
        label.range = CharRange::new(0, 5);
        assert!(sentences("Other words.", &[label.clone()]).is_err());
        label.hash = Fingerprint::of("Other").unwrap().sha256.to_string()[..16].to_owned();
        assert_eq!(sentences("Other words.", &[label]), Ok(vec!["Other"]));
    }
}
