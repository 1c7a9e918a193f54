//! What a sentence asks of which variable, where a program can check it.

use lahar_core::Unit;

use super::limits::Limit;
use super::phrases::{Phrase, Word};
use super::regions::Regions;
use super::terms::{self, Named};
use crate::card::{Direction, Role, Scope, Statement};
use crate::vocabulary;

/// A statement about a variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// Variable of the vocabulary.
    pub variable: String,
    /// What is asked of it.
    pub statement: Statement,
    /// What it speaks of.
    pub scope: Scope,
    /// Which way it points.
    pub direction: Direction,
}

/// What was read in a sentence.
#[derive(Debug, Clone)]
pub struct Read<'s> {
    /// The sentence.
    pub text: &'s str,
    /// Its words.
    pub words: &'s [Word],
    /// Its numbers.
    pub limits: &'s [Limit],
    /// Variables that it names.
    pub named: &'s [Named],
    /// Places that it names.
    pub regions: &'s Regions,
}

/// Signs that the statement describes where the method does not hold.
const EXCLUDES: &[&str] = &[
    "exclud*",
    "not .. valid",
    "not .. appropriate",
    "not .. suitable",
    "not .. applicable",
    "not .. applied",
    "not be used",
    "not .. tested",
    "not .. calibrated",
    "assign* zero",
    "fails",
    "unconservative",
    "over conservative",
];

/// Signs that a limit holds only under another condition, so that it cannot stand alone.
const CONDITIONAL: &[&str] = &[
    "if the",
    "if a",
    "when both",
    "otherwise",
    "unless",
    "depending on",
];

fn any(words: &[Word], phrases: &[&str]) -> bool {
    phrases
        .iter()
        .any(|phrase| Phrase::parse(phrase).find(words, 0).is_some())
}

/// What can be checked; empty where only people can.
pub fn asked(role: Role, read: &Read<'_>) -> Vec<Asked> {
    let direction = match role == Role::Failure || any(read.words, EXCLUDES) {
        true => Direction::Excludes,
        false => Direction::Requires,
    };
    match role {
        Role::CalibrationRegion => region(read, direction).into_iter().collect(),
        Role::RequiredObservation => present(read),
        Role::Uncertainty => Vec::new(),
        Role::Assumption | Role::ValidityRange | Role::Scale | Role::Failure => {
            range(read, direction).into_iter().collect()
        }
    }
}

/// The places, where all that the sentence names are whole.
fn region(read: &Read<'_>, direction: Direction) -> Option<Asked> {
    let Regions { whole, vague } = read.regions;
    // Of a list of excluded places each stands for itself; of a region of calibration a part that
    // is left out would make it smaller than it is.
    let usable = match direction {
        Direction::Excludes => !whole.is_empty(),
        Direction::Requires => !whole.is_empty() && vague.is_empty(),
    };
    usable.then(|| Asked {
        variable: "region".to_owned(),
        statement: Statement::Inside {
            places: whole.clone(),
        },
        scope: Scope::Region,
        direction,
    })
}

/// What must have been observed: every variable that is named by two words or an acronym. One
/// common word ("rainfall") may be any of several variables.
fn present(read: &Read<'_>) -> Vec<Asked> {
    let mut found: Vec<Asked> = Vec::new();
    // ", which can be found from ..." names what it may come from.
    let end = [", which", ", from which", ", who", ", where"]
        .iter()
        .filter_map(|clause| read.text.find(clause))
        .min()
        .unwrap_or(read.text.len());
    for named in read.named.iter().filter(|named| named.end <= end) {
        let written = &read.text[named.start..named.end];
        let is_acronym = written.chars().filter(|c| c.is_uppercase()).count() >= 2;
        if named.words < 2 && !is_acronym {
            continue;
        }
        if found.iter().any(|asked| asked.variable == named.variable) {
            continue;
        }
        found.push(Asked {
            variable: named.variable.to_owned(),
            statement: Statement::Present { or: Vec::new() },
            scope: Scope::Data,
            direction: Direction::Requires,
        });
    }
    found
}

/// The one range that the sentence gives. Two ranges in one sentence hold together or in turn;
/// that takes a person.
fn range(read: &Read<'_>, direction: Direction) -> Option<Asked> {
    if any(read.words, CONDITIONAL) {
        return None;
    }
    let mut bounding = read.limits.iter().filter(|limit| limit.bounds());
    let limit = bounding.next()?;
    if !bounding.all(|other| same(limit, other)) {
        return None;
    }
    let fitting = read.named.iter().filter(|named| {
        terms::fits(named.variable, limit.unit.as_ref()) && belongs(read, named, limit)
    });
    let distance = |named: &Named| match named.start < limit.start {
        true => limit.start.saturating_sub(named.end),
        // What is limited mostly stands before its number.
        false => 2 * named.start.saturating_sub(limit.end),
    };
    let named = fitting.min_by_key(|named| (distance(named), std::cmp::Reverse(named.words)))?;
    let usual = vocabulary::entry(named.variable)?.unit.parse::<Unit>();
    let unit = limit.unit.clone().or_else(|| usual.ok())?;
    Some(Asked {
        variable: named.variable.to_owned(),
        statement: Statement::Within {
            lowest: limit.lowest,
            highest: limit.highest,
            unit,
        },
        scope: scope(named.variable),
        direction,
    })
}

/// Words that may stand between a variable and its limit; another one may be what is limited.
const BETWEEN: &[&str] = &[
    "a",
    "above",
    "below",
    "beyond",
    "fewer",
    "higher",
    "longer",
    "lower",
    "maximum",
    "minimum",
    "shorter",
    "steeper",
    "about",
    "after",
    "and",
    "approximately",
    "are",
    "areas",
    "at",
    "be",
    "between",
    "by",
    "cells",
    "data",
    "dataset",
    "equal",
    "exceed",
    "exceeding",
    "exceeds",
    "for",
    "from",
    "greater",
    "in",
    "is",
    "larger",
    "least",
    "less",
    "limited",
    "more",
    "most",
    "must",
    "no",
    "not",
    "of",
    "or",
    "over",
    "range",
    "ranged",
    "ranges",
    "ranging",
    "ratio",
    "restricted",
    "should",
    "slope",
    "smaller",
    "than",
    "that",
    "the",
    "threshold",
    "to",
    "typically",
    "under",
    "up",
    "value",
    "values",
    "was",
    "were",
    "where",
    "which",
    "with",
    "within",
];

/// Whether nothing else stands between a variable and a limit.
fn belongs(read: &Read<'_>, named: &Named, limit: &Limit) -> bool {
    let (from, to) = match named.start < limit.start {
        true => (named.end, limit.start),
        false => (limit.end, named.start),
    };
    let between = read.words.iter().filter(|w| from <= w.start && w.end <= to);
    between
        .clone()
        .all(|word| BETWEEN.contains(&word.text.as_str()))
}

/// Whether two limits say the same in two units: "25 cm (10 in)".
fn same(one: &Limit, other: &Limit) -> bool {
    let (Some(a), Some(b)) = (&one.unit, &other.unit) else {
        return false;
    };
    let close = |a: Option<(f64, bool)>, b: Option<(f64, bool)>, ua: &Unit, ub: &Unit| match (a, b)
    {
        (None, None) => true,
        (Some((a, _)), Some((b, _))) => {
            let (a, b) = (ua.value_to_si(a), ub.value_to_si(b));
            (a - b).abs() <= 0.03 * a.abs().max(b.abs())
        }
        _ => false,
    };
    a.dimension() == b.dimension()
        && close(one.lowest, other.lowest, a, b)
        && close(one.highest, other.highest, a, b)
}

fn scope(variable: &str) -> Scope {
    match variable {
        "region" => Scope::Region,
        "magnitude" | "time_since_fire" | "time_since_event" | "burned_area" => Scope::Event,
        "cell_size" | "lead_time" => Scope::Task,
        "basin_area" | "contributing_area" | "drainage_area" | "relief" => Scope::Basin,
        "record_length" => Scope::Data,
        _ if variable.contains("rainfall") || variable.contains("storm") => Scope::Storm,
        _ => Scope::Cell,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::limits::limits;
    use crate::compile::phrases::words;
    use crate::compile::terms::named;

    fn range_of(sentence: &str, role: Role) -> Option<(String, String, Direction)> {
        let (words, limits) = (words(sentence), limits(sentence));
        let named = named(&words);
        let regions = Regions::default();
        let read = Read {
            text: sentence,
            words: &words,
            limits: &limits,
            named: &named,
            regions: &regions,
        };
        let asked = asked(role, &read).pop()?;
        let Statement::Within {
            lowest,
            highest,
            unit,
        } = asked.statement
        else {
            return None;
        };
        let show = |side: Option<(f64, bool)>| side.map_or("-".to_owned(), |(v, _)| v.to_string());
        let shown = format!("{} {} {}", show(lowest), show(highest), unit.symbol());
        Some((asked.variable, shown, asked.direction))
    }

    #[test]
    fn a_limit_goes_to_the_variable_that_can_have_it() {
        let found = range_of(
            "On slopes the curve holds for drainage basins with a contributing area under 3 km2.",
            Role::ValidityRange,
        );
        let wanted = (
            "contributing_area".to_owned(),
            "- 3 km2".to_owned(),
            Direction::Requires,
        );
        assert_eq!(found, Some(wanted));
    }

    #[test]
    fn what_something_may_come_from_is_not_required() {
        let text =
            "It requires the critical acceleration, which follows from the factor of safety.";
        let words = words(text);
        let read = Read {
            text,
            words: &words,
            limits: &[],
            named: &named(&words),
            regions: &Regions::default(),
        };
        let found = asked(Role::RequiredObservation, &read);
        let variables: Vec<&str> = found.iter().map(|asked| asked.variable.as_str()).collect();
        assert_eq!(variables, ["critical_acceleration"]);
    }

    #[test]
    fn what_stands_between_may_be_what_is_limited() {
        let text = "It is valid when the temperature gives an index value below 80 degrees F.";
        assert_eq!(range_of(text, Role::ValidityRange), None);
    }

    #[test]
    fn what_is_left_out_is_excluded() {
        let (variable, shown, direction) = range_of(
            "We exclude cells with slopes below 4 degrees.",
            Role::ValidityRange,
        )
        .unwrap();
        assert_eq!(
            (variable.as_str(), shown.as_str()),
            ("slope", "- 4 degrees")
        );
        assert_eq!(direction, Direction::Excludes);
    }

    #[test]
    fn two_ranges_take_a_person_and_two_units_do_not() {
        let both = "The fit holds for magnitudes above 5 and slopes above 10 degrees.";
        assert_eq!(range_of(both, Role::ValidityRange), None);
        let twice = "It holds where storm rainfall is at least 50 mm (2 inches).";
        let (variable, shown, _) = range_of(twice, Role::ValidityRange).unwrap();
        assert_eq!(
            (variable.as_str(), shown.as_str()),
            ("storm_rainfall", "50 - mm")
        );
    }

    #[test]
    fn a_limit_under_a_condition_does_not_stand_alone() {
        let text = "If the soil is wet, slopes above 10 degrees may be used.";
        assert_eq!(range_of(text, Role::ValidityRange), None);
    }
}
