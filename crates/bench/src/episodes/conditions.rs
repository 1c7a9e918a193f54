//! Whether a condition holds, by an evaluator of its own: numbers, words, presence, quality,
//! place. `None` stands for what is not known. Grids and series are not judged here.

use lahar_core::capability::{Strictness, Value};
use lahar_core::{Hazard, Quantity};
use lahar_places::{Gazetteer, GeoBox, GeoPoint, QuestionPlaces, Relation, Subject};
use lahar_routes::card::{Card, Condition, Direction, Statement};
use lahar_routes::task::{Area, Quality};
use lahar_routes::{Task, vocabulary};

use super::replay::{Held, Situation};

/// Where the task is; none where nobody can say it.
pub fn subject(task: &Task) -> Option<Subject> {
    let gazetteer = Gazetteer::embedded();
    match &task.area {
        Area::Point([longitude, latitude]) => {
            let point = GeoPoint::checked(*latitude, *longitude).ok()?;
            Some(gazetteer.locate(point, 0.0).subject)
        }
        Area::Box([west, south, east, north]) => {
            let area = GeoBox::checked(*south, *west, *north, *east).ok()?;
            Some(gazetteer.locate_box(area))
        }
        Area::Place(name) => match gazetteer.asked_named(name).ok()? {
            QuestionPlaces::One(place) => Some(place.subject),
            _ => None,
        },
    }
}

fn lies(subject: Option<&Subject>, region: &str) -> Option<bool> {
    let gazetteer = Gazetteer::embedded();
    let region = gazetteer.place_named(region).ok()?;
    match gazetteer
        .compare_subjects(subject?, &region.into())
        .relation
    {
        Relation::Exact | Relation::Broader => Some(true),
        Relation::Different => Some(false),
        _ => None,
    }
}

/// Values of a variable that are not flagged as bad.
pub fn values<'s>(situation: &'s Situation, variable: &str) -> Vec<&'s Held> {
    let fits = |held: &&Held| {
        held.quality != Quality::Rejected && vocabulary::is_kind_of(&held.kind.variable, variable)
    };
    situation.held.values().filter(fits).collect()
}

/// A number that the task itself states.
fn number(task: &Task, variable: &str) -> Option<Quantity> {
    const DAY: f64 = 86_400.0;
    let end = task.decision_time.unix() as f64 + task.horizon.as_ref().map_or(0.0, Quantity::si);
    let since = task
        .event
        .time
        .map(|time| (end.trunc() - time.unix() as f64) / DAY);
    let digits = |time: lahar_core::Timestamp, from: usize, to: usize| -> Option<f64> {
        time.to_string().get(from..to)?.parse().ok()
    };
    let fire = task.hazards.contains(&Hazard::WILDFIRE);
    match variable {
        "time_since_event" => Quantity::of(since?, "d").ok(),
        "time_since_fire" if fire => Quantity::of(since?, "d").ok(),
        "fire_year" if fire => Quantity::of(digits(task.event.time?, 0, 4)?, "1").ok(),
        "month" => Quantity::of(digits(task.decision_time, 5, 7)?, "1").ok(),
        "lead_time" => {
            let lead = end.trunc() - task.decision_time.unix() as f64;
            Quantity::of(lead / DAY, "d").ok()
        }
        "cell_size" => task.output.kind.resolution.clone(),
        _ => None,
    }
}

/// Words that the task itself states.
fn words(task: &Task, variable: &str) -> Option<Vec<String>> {
    let grid = task.output.kind.representation == lahar_routes::Representation::Grid;
    match variable {
        "task_kind" => Some(vec![task.kind.word().to_owned()]),
        "task_output" => Some(vec![task.output.kind.variable.clone()]),
        "task_hazard" => Some(task.hazards.iter().map(|h| h.label().to_owned()).collect()),
        "task_scale" if grid || matches!(task.area, Area::Box(_)) => {
            Some(vec!["regional".to_owned()])
        }
        "task_scale" if matches!(task.area, Area::Point(_)) => Some(vec!["site".to_owned()]),
        _ => None,
    }
}

fn inside(value: f64, lowest: Option<(f64, bool)>, highest: Option<(f64, bool)>) -> bool {
    // Equal is what differs in the last digits alone.
    let near = |limit: f64| (value - limit).abs() <= limit.abs() * 1e-12;
    let above = lowest.is_none_or(|(limit, with)| match near(limit) {
        true => with,
        false => value > limit,
    });
    let below = highest.is_none_or(|(limit, with)| match near(limit) {
        true => with,
        false => value < limit,
    });
    above && below
}

fn judged(statement: &Statement, value: &Value, deviation: Option<&Quantity>) -> Option<bool> {
    match (statement, value) {
        (
            Statement::Within {
                lowest,
                highest,
                unit,
            },
            Value::Quantity(quantity),
        ) => {
            let own = quantity.unit();
            let spread = match deviation {
                Some(deviation) => 2.0 * deviation.convert(own).ok()?.value().abs(),
                None => 0.0,
            };
            let mut found = [-spread, 0.0, spread].into_iter().map(|shift| {
                let shifted = Quantity::new(quantity.value() + shift, own.clone());
                let value = shifted.convert(unit).ok()?.value();
                (!value.is_nan()).then(|| inside(value, *lowest, *highest))
            });
            let first = found.next()??;
            found.all(|other| other == Some(first)).then_some(first)
        }
        (Statement::OneOf { words }, Value::Label(word)) => Some(words.contains(word)),
        _ => None,
    }
}

fn states(task: &Task, situation: &Situation, condition: &Condition) -> Option<bool> {
    let variable = condition.variable.as_str();
    let at_hand = values(situation, variable);
    match &condition.statement {
        Statement::Stated => None,
        Statement::Inside { places } => {
            let subject = subject(task);
            let found: Vec<_> = places.iter().map(|p| lies(subject.as_ref(), p)).collect();
            match found.contains(&Some(true)) {
                true => Some(true),
                false if found.contains(&None) => None,
                false => Some(false),
            }
        }
        Statement::Present { or } => {
            let any = !at_hand.is_empty()
                || or.iter().any(|other| !values(situation, other).is_empty())
                || number(task, variable).is_some()
                || words(task, variable).is_some();
            any.then_some(true)
        }
        Statement::QualityAtLeast { quality } => {
            let best = at_hand.iter().map(|held| held.quality).max()?;
            Some(best >= *quality)
        }
        statement => {
            let Some(best) = at_hand.iter().map(|held| held.quality).max() else {
                if let Some(quantity) = number(task, variable) {
                    return judged(statement, &Value::Quantity(quantity), None);
                }
                let words = words(task, variable)?;
                let mut one_by_one = words.into_iter();
                let holds = |word| judged(statement, &Value::Label(word), None);
                return Some(one_by_one.any(|word| holds(word) == Some(true)));
            };
            let heard = at_hand.iter().filter(|held| held.quality == best);
            let mut found = heard.map(|h| judged(statement, &h.value, h.deviation.as_ref()));
            let first = found.next()?;
            match found.all(|other| other == first) {
                true => first,
                false => None,
            }
        }
    }
}

/// Whether a condition speaks for its route, its direction and its group's other sources heard.
pub fn holds(
    task: &Task,
    situation: &Situation,
    card: &Card,
    condition: &Condition,
) -> Option<bool> {
    let directed = |condition: &Condition| {
        let found = states(task, situation, condition);
        match condition.direction {
            Direction::Requires => found,
            Direction::Excludes => found.map(|holds| !holds),
        }
    };
    let own = directed(condition);
    let Some(group) = &condition.group else {
        return own;
    };
    let mut others = card
        .conditions
        .iter()
        .filter(|c| c.group.as_ref() == Some(group));
    match others.all(|other| directed(other) == own) {
        true => own,
        false => None,
    }
}

/// Whether a condition keeps its route out, and if so whether for certain: `Some(false)` is
/// violated, `None` is not known, `Some(true)` lets the route in.
pub fn lets_in(
    task: &Task,
    situation: &Situation,
    card: &Card,
    condition: &Condition,
) -> Option<bool> {
    let advisory = condition.strictness == Strictness::Advisory;
    let aside = situation
        .set_aside
        .iter()
        .any(|decision| decision.route == card.id && decision.condition == condition.id);
    if advisory && aside {
        return Some(true);
    }
    condition.citation.as_ref()?;
    match holds(task, situation, card, condition) {
        None if advisory => Some(true),
        found => found,
    }
}
