//! Findings that say the same become one with all their sentences; those that give different
//! limits for one variable stand side by side in one group.

use std::collections::{BTreeMap, BTreeSet};

use super::statement::Asked;
use super::{Against, Finding, Stage};
use crate::Fingerprint;
use crate::card::{Card, Condition, Direction, Statement};
use crate::evidence::QuoteBook;

/// Merges findings, sets groups, and compares with the card.
pub fn merged(card: &Card, findings: Vec<Finding>) -> Vec<Finding> {
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings {
        match kept.iter_mut().find(|other| is_same(other, &finding)) {
            None => kept.push(finding),
            Some(other) => join(other, finding),
        }
    }
    for finding in &mut kept {
        finding.against = against(card, finding);
    }
    let mut limits: BTreeMap<(String, bool), usize> = BTreeMap::new();
    let key = |asked: &Asked| {
        let own = matches!(asked.statement, Statement::Within { .. });
        own.then(|| {
            (
                asked.variable.clone(),
                asked.direction == Direction::Requires,
            )
        })
    };
    for finding in &kept {
        if let Some(key) = finding.asked.as_ref().and_then(key) {
            *limits.entry(key).or_default() += 1;
        }
    }
    for finding in &mut kept {
        let key = finding.asked.as_ref().and_then(key);
        let several = key.as_ref().is_some_and(|key| limits[key] > 1);
        let differs = matches!(finding.against, Against::Differs { .. });
        if let Some((variable, requires)) = key.filter(|_| several || differs) {
            finding.group = Some(group(&variable, requires));
        }
    }
    kept.sort_by(|a, b| {
        b.stage
            .cmp(&a.stage)
            .then_with(|| b.evidence.len().cmp(&a.evidence.len()))
            .then_with(|| b.weight.total_cmp(&a.weight))
            .then_with(|| a.statement.cmp(&b.statement))
    });
    kept
}

/// The name of a group of limits for one variable.
pub fn group(variable: &str, requires: bool) -> String {
    let way = match requires {
        true => "limits",
        false => "exclusions",
    };
    format!("{variable} {way}")
}

fn join(kept: &mut Finding, other: Finding) {
    kept.stage = kept.stage.max(other.stage);
    if other.weight > kept.weight {
        kept.weight = other.weight;
        kept.role = other.role;
    }
    for quote in other.evidence {
        let known = kept.evidence.iter().any(|own| {
            own.document() == quote.document() && own.span.range() == quote.span.range()
        });
        if !known {
            kept.evidence.push(quote);
        }
    }
    for variable in other.variables {
        if !kept.variables.contains(&variable) {
            kept.variables.push(variable);
        }
    }
}

fn is_same(one: &Finding, other: &Finding) -> bool {
    // A mere candidate may be about another family and does not speak for this one.
    if (one.stage == Stage::Candidate) != (other.stage == Stage::Candidate) {
        return false;
    }
    match (&one.asked, &other.asked) {
        (Some(a), Some(b)) => {
            a.variable == b.variable
                && a.direction == b.direction
                && says_the_same(&a.statement, &b.statement)
        }
        // What only people can check is the same where it is the same sentence.
        (None, None) => {
            let prints = |finding: &Finding| -> BTreeSet<String> {
                let quotes = finding.evidence.iter();
                let prints = quotes.filter_map(|quote| Fingerprint::of(quote.span.quote()));
                prints.map(|print| print.sha256.to_string()).collect()
            };
            one.role == other.role && !prints(one).is_disjoint(&prints(other))
        }
        _ => false,
    }
}

/// Whether two statements ask the same, whatever the units.
pub fn says_the_same(one: &Statement, other: &Statement) -> bool {
    match (one, other) {
        (
            Statement::Within {
                lowest: a,
                highest: b,
                unit,
            },
            Statement::Within {
                lowest: c,
                highest: d,
                unit: other,
            },
        ) => {
            let same = |x: &Option<(f64, bool)>, y: &Option<(f64, bool)>| match (x, y) {
                (None, None) => true,
                (Some((x, own)), Some((y, others))) => {
                    let (x, y) = (unit.value_to_si(*x), other.value_to_si(*y));
                    own == others && (x - y).abs() <= 1e-9 * x.abs().max(y.abs())
                }
                _ => false,
            };
            unit.dimension() == other.dimension() && same(a, c) && same(b, d)
        }
        (Statement::Inside { places: a }, Statement::Inside { places: b }) => {
            let set = |places: &[String]| -> BTreeSet<String> {
                places
                    .iter()
                    .map(|place| lahar_places::fold(place))
                    .collect()
            };
            set(a) == set(b)
        }
        (Statement::Present { .. }, Statement::Present { .. }) => true,
        (one, other) => one == other,
    }
}

/// How a finding stands to the card's own conditions.
fn against(card: &Card, finding: &Finding) -> Against {
    let same = |condition: &Condition| match &finding.asked {
        Some(asked) => {
            condition.variable == asked.variable
                && condition.direction == asked.direction
                && says_the_same(&condition.statement, &asked.statement)
        }
        None => false,
    };
    let quoted = |condition: &&Condition| {
        condition.fingerprint.is_some_and(|print| {
            let mut book = QuoteBook::of_fingerprints([print]);
            finding.evidence.iter().any(|quote| {
                book.read(quote.document(), &quote.title, quote.span.quote(), |_| None);
                book.quote(&print).is_some()
            })
        })
    };
    let found = card.conditions.iter().find(|condition| same(condition));
    let found = found.or_else(|| card.conditions.iter().find(quoted));
    if let Some(condition) = found {
        return Against::Same {
            condition: condition.id.clone(),
        };
    }
    let differs = card.conditions.iter().find(|condition| {
        finding.asked.as_ref().is_some_and(|asked| {
            condition.variable == asked.variable
                && condition.direction == asked.direction
                && std::mem::discriminant(&condition.statement)
                    == std::mem::discriminant(&asked.statement)
        })
    });
    match differs {
        None => Against::New,
        Some(condition) => Against::Differs {
            condition: condition.id.clone(),
        },
    }
}
