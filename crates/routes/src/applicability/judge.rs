//! One condition on one case.

use std::collections::BTreeMap;

use lahar_core::capability::Value;
use lahar_core::{Quantity, Unit};

use crate::card::{Card, Condition, Direction, Statement};
use crate::state::Artifact;
use crate::task::Quality;
use crate::verdict::{Evidence, Truth, Verdict};
use crate::vocabulary;

use super::area::Lies;
use super::case::{Case, Fact};

/// By how many standard deviations an observation must be clear of a limit.
const DEVIATIONS: f64 = 2.0;

/// What was found about a condition, without words.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding<'s> {
    /// Whether it holds.
    pub truth: Truth,
    /// How far inside its range a value lies: 0 at the edge, 1 in the middle or well clear.
    pub margin: Option<f64>,
    /// The artifact that decided it.
    pub artifact: Option<&'s Artifact>,
    /// What is to be said about it.
    pub why: Why,
    /// Whether sources of the same limit disagree.
    pub sources_disagree: bool,
}

/// Why a condition holds or not.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Why {
    /// The value was compared.
    Compared,
    /// Cells outside, of cells with data.
    Cells(usize, usize),
    /// The value is too close to the limit for its uncertainty.
    TooClose,
    /// Observations of the same quality disagree.
    Conflict,
    /// The value is not of the kind that the condition needs.
    WrongKind,
    /// Nothing is known of the variable.
    Missing,
    /// It was observed, and not well enough.
    Poor(Quality),
    /// It follows from how the area lies.
    Area,
    /// A word for people.
    Stated,
}

/// Judges what a condition states; its direction is not looked at.
pub(super) fn judge<'s>(
    condition: &Condition,
    case: &Case<'s>,
    regions: &BTreeMap<&str, Lies>,
) -> Finding<'s> {
    let plain = |truth: Truth, why: Why| Finding {
        truth,
        margin: None,
        artifact: None,
        why,
        sources_disagree: false,
    };
    match &condition.statement {
        Statement::Stated => plain(Truth::Undetermined, Why::Stated),
        Statement::Inside { places } => {
            let lies = places.iter().map(|place| {
                regions
                    .get(place.as_str())
                    .map_or(Truth::Undetermined, |lies| lies.truth)
            });
            plain(lies.fold(Truth::Violated, Truth::or), Why::Area)
        }
        Statement::Present { or } => {
            let mut names = std::iter::once(&condition.variable).chain(or);
            let found = names.find_map(|name| case.artifacts(name).first());
            match found {
                Some(artifact) => Finding {
                    artifact: Some(artifact),
                    ..plain(Truth::Satisfied, Why::Compared)
                },
                None if case.fact(&condition.variable).is_some() => {
                    plain(Truth::Satisfied, Why::Compared)
                }
                None => plain(Truth::Undetermined, Why::Missing),
            }
        }
        Statement::QualityAtLeast { quality } => match case.artifacts(&condition.variable) {
            [] => plain(Truth::Undetermined, Why::Missing),
            [best, ..] => Finding {
                artifact: Some(best),
                ..plain(Truth::of(best.quality >= *quality), Why::Poor(best.quality))
            },
        },
        Statement::Within { .. } | Statement::OneOf { .. } => {
            let artifacts = case.artifacts(&condition.variable);
            let Some(first) = artifacts.first() else {
                return match case.fact(&condition.variable) {
                    None => plain(Truth::Undetermined, Why::Missing),
                    Some(fact) => {
                        let (truth, margin) = of_fact(&condition.statement, fact);
                        Finding {
                            margin,
                            ..plain(truth, Why::Compared)
                        }
                    }
                };
            };
            let found = of_artifact(condition, first);
            // Others of the same quality must agree; worse ones are not heard.
            let rivals = artifacts[1..]
                .iter()
                .take_while(|rival| rival.quality == first.quality);
            for rival in rivals {
                if of_artifact(condition, rival).truth != found.truth {
                    return Finding {
                        truth: Truth::Undetermined,
                        margin: None,
                        why: Why::Conflict,
                        ..found
                    };
                }
            }
            found
        }
    }
}

fn of_fact(statement: &Statement, fact: &Fact) -> (Truth, Option<f64>) {
    match (statement, fact) {
        (Statement::Within { unit, .. }, Fact::Number(quantity)) => {
            match in_unit(quantity.value(), quantity.unit(), unit) {
                Some(value) => within(statement, value),
                None => (Truth::Undetermined, None),
            }
        }
        (Statement::OneOf { words }, Fact::Words(found)) => {
            let any = found.iter().any(|word| words.contains(word));
            (Truth::of(any), None)
        }
        _ => (Truth::Undetermined, None),
    }
}

/// A number in another unit; `None` where the two measure different things.
fn in_unit(value: f64, from: &Unit, to: &Unit) -> Option<f64> {
    let same = from.dimension() == to.dimension() && from.scale() == to.scale();
    if !same && from.check_convertible(to).is_err() {
        return None;
    }
    Some(to.value_from_si(from.value_to_si(value)))
}

/// Whether a number lies within limits, a rounding of the last digits aside, and how far inside.
fn within(statement: &Statement, value: f64) -> (Truth, Option<f64>) {
    let Statement::Within {
        lowest, highest, ..
    } = statement
    else {
        return (Truth::Undetermined, None);
    };
    if value.is_nan() {
        return (Truth::Undetermined, None);
    }
    let holds = |limit: Option<(f64, bool)>, sign: f64| match limit {
        None => true,
        Some((limit, inclusive)) => {
            let clear = sign * (value - limit);
            let slack = limit.abs() * 1e-12;
            match inclusive {
                true => clear >= -slack,
                false => clear > slack,
            }
        }
    };
    if !holds(*lowest, 1.0) || !holds(*highest, -1.0) {
        return (Truth::Violated, None);
    }
    let margin = match (lowest, highest) {
        (Some((low, _)), Some((high, _))) if high > low => {
            (value - low).min(high - value) / ((high - low) / 2.0)
        }
        (Some((limit, _)), None) | (None, Some((limit, _))) => {
            (value - limit).abs() / value.abs().max(limit.abs()).max(f64::MIN_POSITIVE)
        }
        _ => 1.0,
    };
    (Truth::Satisfied, Some(margin.clamp(0.0, 1.0)))
}

fn of_artifact<'s>(condition: &Condition, artifact: &'s Artifact) -> Finding<'s> {
    let found = |truth: Truth, margin: Option<f64>, why: Why| Finding {
        truth,
        margin,
        artifact: Some(artifact),
        why,
        sources_disagree: false,
    };
    let wrong = found(Truth::Undetermined, None, Why::WrongKind);
    let statement = &condition.statement;
    match (statement, artifact.value.as_ref()) {
        (Statement::Within { unit, .. }, Value::Quantity(quantity)) => {
            let Some(value) = in_unit(quantity.value(), quantity.unit(), unit) else {
                return wrong;
            };
            let (truth, margin) = within(statement, value);
            if let Some(deviation) = &artifact.deviation {
                let spread = deviation.convert(quantity.unit()).map(|d| d.value());
                let spread = DEVIATIONS * spread.unwrap_or(0.0).abs();
                let clear = [-spread, spread].iter().all(|shift| {
                    in_unit(quantity.value() + shift, quantity.unit(), unit)
                        .is_some_and(|value| within(statement, value).0 == truth)
                });
                if !clear {
                    return found(Truth::Undetermined, None, Why::TooClose);
                }
            }
            found(truth, margin, Why::Compared)
        }
        (Statement::Within { unit, .. }, Value::Layer(layer)) => {
            if in_unit(0.0, &layer.unit, unit).is_none() {
                return wrong;
            }
            cells(condition, artifact, layer.grid.values(), &layer.unit, unit)
        }
        (Statement::Within { unit, .. }, Value::Series(series)) => {
            if in_unit(0.0, &series.unit, unit).is_none() {
                return wrong;
            }
            cells(condition, artifact, &series.values, &series.unit, unit)
        }
        (Statement::OneOf { words }, Value::Label(word)) => {
            found(Truth::of(words.contains(word)), None, Why::Compared)
        }
        _ => wrong,
    }
}

/// Conditions of cells are kept cell by cell when a model runs: cells outside get no result, so
/// one cell inside is enough. All other conditions need every value inside.
fn cells<'s>(
    condition: &Condition,
    artifact: &'s Artifact,
    values: &[f64],
    from: &Unit,
    to: &Unit,
) -> Finding<'s> {
    let (mut with_data, mut outside) = (0, 0);
    for value in values.iter().filter(|value| !value.is_nan()) {
        with_data += 1;
        let value = to.value_from_si(from.value_to_si(*value));
        outside += usize::from(within(&condition.statement, value).0 != Truth::Satisfied);
    }
    let by_cell =
        condition.scope == crate::card::Scope::Cell && condition.direction == Direction::Requires;
    let truth = match (with_data, outside) {
        (0, _) => Truth::Undetermined,
        (all, outside) if by_cell => Truth::of(outside < all),
        (all, outside) if condition.direction == Direction::Excludes => {
            // What makes a method fail must be nowhere.
            Truth::of(outside < all)
        }
        (_, outside) => Truth::of(outside == 0),
    };
    Finding {
        truth,
        margin: None,
        artifact: Some(artifact),
        why: Why::Cells(outside, with_data),
        sources_disagree: false,
    }
}

/// What is asked, in words: `at most 2 yr`.
pub fn asked(condition: &Condition) -> String {
    let number = |value: f64, unit: &Unit| Quantity::new(value, unit.clone()).to_string();
    let text = match &condition.statement {
        Statement::Within {
            lowest,
            highest,
            unit,
        } => match (lowest, highest) {
            (Some((low, _)), Some((high, _))) if low == high => number(*low, unit),
            (Some((low, _)), Some((high, _))) => {
                format!("{} to {}", number(*low, unit), number(*high, unit))
            }
            (Some((low, true)), None) => format!("at least {}", number(*low, unit)),
            (Some((low, false)), None) => format!("above {}", number(*low, unit)),
            (None, Some((high, true))) => format!("at most {}", number(*high, unit)),
            (None, Some((high, false))) => format!("below {}", number(*high, unit)),
            (None, None) => "any number".to_owned(),
        },
        Statement::OneOf { words } => format!("one of: {}", words.join(", ")),
        Statement::Present { .. } => "observed".to_owned(),
        Statement::Inside { places } => format!("inside {}", places.join(" or ")),
        Statement::QualityAtLeast { quality } => {
            format!("observed, {} or better", quality_word(*quality))
        }
        Statement::Stated => "as stated".to_owned(),
    };
    match condition.direction {
        Direction::Requires => text,
        Direction::Excludes => format!("not {text}"),
    }
}

fn quality_word(quality: Quality) -> &'static str {
    match quality {
        Quality::Rejected => "rejected",
        Quality::Assumed => "assumed",
        Quality::Modelled => "modelled",
        Quality::Estimated => "estimated",
        Quality::Measured => "measured",
    }
}

fn shown(artifact: &Artifact) -> String {
    match artifact.value.as_ref() {
        Value::Quantity(quantity) => quantity.to_string(),
        Value::Label(word) => format!("`{word}`"),
        Value::Layer(layer) => match layer.grid.range() {
            Some((low, high)) => format!("a grid from {low} to {high} {}", layer.unit),
            None => "a grid without data".to_owned(),
        },
        Value::Series(series) => format!("{} values in {}", series.values.len(), series.unit),
        Value::Features(features) => format!("{} shapes", features.len()),
        Value::Trees(model) => format!("{} trees", model.trees()),
        _ => "a value".to_owned(),
    }
}

fn shown_fact(fact: &Fact) -> String {
    match fact {
        Fact::Number(quantity) => quantity.to_string(),
        Fact::Words(words) => words.join(", "),
    }
}

/// A verdict in words.
pub(super) fn explain(
    card: &Card,
    condition: &Condition,
    finding: &Finding<'_>,
    evidence: Evidence,
    case: &Case<'_>,
    regions: &BTreeMap<&str, Lies>,
) -> Verdict {
    let variable = condition.variable.replace('_', " ");
    let found = match (finding.artifact, finding.why) {
        (Some(artifact), _) => Some(shown(artifact)),
        (None, Why::Compared) => case.fact(&condition.variable).map(shown_fact),
        _ => None,
    };
    let asked = asked(condition);
    let value = found.as_deref().unwrap_or("nothing");
    let why = match finding.why {
        _ if finding.sources_disagree => {
            format!("sources state different limits of {variable}, and {value} lies between them")
        }
        Why::Compared => format!("{variable} is {value}; asked is {asked}"),
        Why::Cells(outside, of) => {
            format!("{variable} is outside in {outside} of {of} values; asked is {asked}")
        }
        Why::TooClose => format!(
            "{variable} is {value}, closer to the limit than two standard deviations; asked is {asked}"
        ),
        Why::Conflict => {
            let ids: Vec<String> = case
                .artifacts(&condition.variable)
                .iter()
                .map(|artifact| format!("`{}` says {}", artifact.id, shown(artifact)))
                .collect();
            format!("observations disagree: {}", ids.join("; "))
        }
        Why::WrongKind => {
            format!("{variable} is {value}, which cannot be compared; asked is {asked}")
        }
        Why::Missing => format!("nothing is known of {variable}; asked is {asked}"),
        Why::Poor(quality) => {
            format!("{variable} is {}; asked is {asked}", quality_word(quality))
        }
        Why::Area => {
            let places: &[String] = match &condition.statement {
                Statement::Inside { places } => places,
                _ => &[],
            };
            let lies = places
                .iter()
                .filter_map(|place| regions.get(place.as_str()));
            let lies: Vec<&str> = lies.map(|lies| lies.why.as_str()).collect();
            format!("{}; asked is {asked}", lies.join("; "))
        }
        Why::Stated => "stated for people; no program can check it".to_owned(),
    };
    let question =
        (finding.truth == Truth::Undetermined && finding.why != Why::Stated).then(|| {
            condition.question.clone().unwrap_or_else(|| {
                let unit = vocabulary::entry(&condition.variable)
                    .filter(|entry| !entry.unit.is_empty() && entry.unit != "1")
                    .map_or(String::new(), |entry| {
                        format!(" (in such as {})", entry.unit)
                    });
                format!("What is the {variable}{unit}?")
            })
        });
    Verdict {
        condition: condition.id.clone(),
        role: condition.role,
        strictness: condition.strictness,
        truth: finding.truth,
        observation: finding.artifact.map(|artifact| artifact.id.clone()),
        found,
        reading: condition.reading.clone(),
        why,
        citation: condition.citation.clone(),
        evidence,
        question,
        variable: condition.variable.clone(),
        margin: finding.margin,
        set_aside: match condition.strictness {
            lahar_core::capability::Strictness::Strict => None,
            _ => case.set_aside(&card.id, &condition.id).cloned(),
        },
    }
}
