//! Figures, dates and names in a sentence, by kind.

use std::ops::Range;

use super::sentence::bare;

/// A stretch of a sentence that can be taken out and filled with another of its kind.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spot {
    /// Bytes of the sentence.
    pub range: Range<usize>,
    /// What it is.
    pub kind: Kind,
    /// Its value, where it is a figure.
    pub value: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A figure with its unit, or with what is counted.
    Quantity(String),
    Year,
    Place,
    /// Capital letters alone.
    Acronym,
}

const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];
const SHORT_UNITS: &[&str] = &[
    "m", "km", "cm", "mm", "ft", "mph", "kt", "mb", "feet", "foot", "inch", "mile", "percent",
    "people", "million", "billion", "hour", "year", "day", "minute", "meter", "acre", "km2", "kg",
];
const BEFORE_PLACES: &[&str] = &["in", "near", "at", "from", "across", "outside", "around"];
/// What stands after "in" with a capital and is no place.
const NO_PLACES: &[&str] = &["the", "category", "phase", "zone", "level", "type", "class"];

/// Words in the names of bodies, plans and programs.
const NO_PLACE_NAMES: &[&str] = &[
    "action",
    "society",
    "act",
    "plan",
    "program",
    "association",
    "service",
    "team",
    "university",
    "survey",
    "agency",
    "department",
    "center",
    "committee",
    "hurricane",
    "earthquake",
    "office",
];

/// Neither a body nor a program: no word of theirs, no capital inside a word.
fn is_place(name: &str) -> bool {
    name.split(' ').all(|word| {
        !NO_PLACE_NAMES.contains(&bare(word).as_str())
            && !word.chars().skip(1).any(char::is_uppercase)
    })
}

/// Words with their bytes, marks around them left out.
pub(super) fn words(sentence: &str) -> Vec<(Range<usize>, &str)> {
    let base = sentence.as_ptr() as usize;
    let trimmed = sentence
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '$' | '%')));
    let ranged = trimmed.filter(|word| !word.is_empty()).map(|word| {
        let start = word.as_ptr() as usize - base;
        (start..start + word.len(), word)
    });
    ranged.collect()
}

/// The value of a figure in digits.
fn value(word: &str) -> Option<f64> {
    let digits = word.trim_start_matches('$').trim_end_matches('%');
    let plain = digits
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, ',' | '.'));
    let starts = digits.starts_with(|c: char| c.is_ascii_digit());
    (plain && starts).then(|| digits.replace(',', "").parse().ok())?
}

pub(super) fn spots(sentence: &str) -> Vec<Spot> {
    let words = words(sentence);
    let mut spots = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let (range, word) = words[at].clone();
        let adjoining =
            |at: usize| sentence.get(words[at].0.end..words[at + 1].0.start) == Some(" ");
        let next = (at + 1 < words.len() && adjoining(at)).then(|| words[at + 1].1);
        if let Some(value) = value(word) {
            let year = word.len() == 4
                && !word.contains([',', '.', '$'])
                && (1500.0..2100.0).contains(&value);
            let unit = next.filter(|next| {
                SHORT_UNITS.contains(next)
                    || (next.len() > 3
                        && next.ends_with('s')
                        && next.chars().all(char::is_lowercase))
            });
            let spot = match (unit, year) {
                (Some(unit), false) => {
                    at += 1;
                    let sign = if word.starts_with('$') { "$ " } else { "" };
                    let kind = Kind::Quantity(format!("{sign}{unit}"));
                    Some(Spot {
                        range: range.start..words[at].0.end,
                        kind,
                        value,
                    })
                }
                (_, true) => Some(Spot {
                    range,
                    kind: Kind::Year,
                    value,
                }),
                _ if word.contains(['$', '%']) => {
                    let kind =
                        Kind::Quantity(if word.contains('%') { "%" } else { "$" }.to_owned());
                    Some(Spot { range, kind, value })
                }
                _ => None,
            };
            spots.extend(spot);
        } else if at > 0 && word.len() > 2 && word.starts_with(char::is_uppercase) {
            let from = at;
            let capital = |at: usize| words[at].1.starts_with(char::is_uppercase);
            while at + 1 < words.len() && adjoining(at) && capital(at + 1) && at - from < 3 {
                at += 1;
            }
            let range = words[from].0.start..words[at].0.end;
            let text = &sentence[range.clone()];
            let before = bare(words[from - 1].1);
            let listed = |list: &[&str]| list.contains(&bare(words[from].1).as_str());
            let acronym = text.len() <= 6 && text.chars().all(|c| c.is_ascii_uppercase());
            let kind = if acronym {
                Some(Kind::Acronym)
            } else if BEFORE_PLACES.contains(&before.as_str())
                && !listed(MONTHS)
                && !listed(NO_PLACES)
                && is_place(text)
                && text
                    .chars()
                    .all(|c| c.is_alphabetic() || matches!(c, ' ' | '.'))
            {
                Some(Kind::Place)
            } else {
                None
            };
            spots.extend(kind.map(|kind| Spot {
                range,
                kind,
                value: 0.0,
            }));
        }
        at += 1;
    }
    spots
}

/// A figure like another: its decimals, its commas, its sign.
pub(super) fn written_like(model: &str, value: f64) -> String {
    let decimals = model.split_once('.').map_or(0, |(_, rest)| {
        rest.chars().take_while(char::is_ascii_digit).count()
    });
    let mut text = format!("{value:.decimals$}");
    let whole = text.find('.').unwrap_or(text.len());
    if value >= 10_000.0 || model.contains(',') {
        let mut at = whole;
        while at > 3 {
            at -= 3;
            text.insert(at, ',');
        }
    }
    let sign = if model.starts_with('$') { "$" } else { "" };
    let share = if model.ends_with('%') { "%" } else { "" };
    format!("{sign}{text}{share}")
}
