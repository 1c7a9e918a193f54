//! Rewordings that keep what a sentence says, and changes that do not.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use super::sentence::{AUXILIARIES, bare};
use super::spot::{Kind, spots, words, written_like};
use crate::draw::SplitMix64;

mod vocabulary;

use vocabulary::{ACTIONS, CONTRARIES, SYNONYMS, THINGS, UNITS};

/// How an item was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// True: words in brackets left out.
    AsideDropped,
    /// True: the last clause left out.
    ClauseDropped,
    /// True: a phrase moved from one end to the other.
    PhraseMoved,
    /// True: a word for another of the same meaning.
    Synonym,
    /// True: a length or speed in another unit.
    UnitConverted,
    /// False: another figure.
    Figure,
    /// False: the figure with another unit.
    Unit,
    /// False: another year.
    Year,
    /// False: another place of the library.
    Place,
    /// False: a negation put in or taken out.
    Negation,
    /// False: the contrary word.
    Contrary,
    /// False: all for some.
    AllForSome,
    /// False: two names of the sentence in each other's place.
    NamesExchanged,
    /// False: certain for possible.
    Certainty,
    /// False: another thing of the same type, from the library.
    Thing,
    /// False: another action of the same type, from the library.
    Action,
    /// False: what is said of another subject of the same document.
    PredicateOfAnother,
    /// False: the last clause of another sentence of the same document.
    ClauseOfAnother,
    /// Choice: a figure with its unit.
    GapQuantity,
    /// Choice: a year.
    GapYear,
    /// Choice: a place.
    GapPlace,
    /// Choice: an abbreviated name.
    GapAcronym,
}

impl Change {
    /// Whether the claim checker of `lahar-answers` compares what was changed: figures, units,
    /// dates, names, negation, contraries, words of one meaning, quantifiers. It compares no roles,
    /// no modality, no order of phrases, and knows a word that is missing but not that another of
    /// its type stands in its place.
    pub fn checker_has_rule(self) -> bool {
        use Change::*;
        !matches!(
            self,
            AsideDropped
                | ClauseDropped
                | PhraseMoved
                | NamesExchanged
                | Certainty
                | Thing
                | Action
                | PredicateOfAnother
                | ClauseOfAnother
        )
    }
}

/// What changes take their words from.
#[derive(Debug, Default)]
pub(super) struct Material {
    words: HashSet<String>,
    places: Vec<String>,
    /// By document and auxiliary: subject and predicate.
    halves: BTreeMap<(String, String), Vec<(String, String)>>,
    /// By document and connective: clauses.
    clauses: BTreeMap<(String, String), Vec<String>>,
}

impl Material {
    pub(super) fn of<'s>(sentences: impl Iterator<Item = (&'s str, &'s str)>) -> Material {
        let mut material = Material::default();
        for (document, text) in sentences {
            material.words.extend(text.split_whitespace().map(bare));
            for spot in spots(text) {
                let name = text[spot.range].to_owned();
                if spot.kind == Kind::Place && !material.places.contains(&name) {
                    material.places.push(name);
                }
            }
            if let Some((subject, auxiliary, predicate)) = halves(text) {
                let key = (document.to_owned(), auxiliary.to_owned());
                let of_document = material.halves.entry(key).or_default();
                of_document.push((subject.to_owned(), predicate.to_owned()));
            }
            if let Some((_, connective, clause)) = last_clause(text) {
                let key = (document.to_owned(), connective.to_owned());
                material
                    .clauses
                    .entry(key)
                    .or_default()
                    .push(clause.to_owned());
            }
        }
        material
    }
}

/// Subject, "is" or one of its forms, and the rest without its full stop.
fn halves(sentence: &str) -> Option<(&str, &str, &str)> {
    let words = words(sentence);
    let at = words
        .iter()
        .position(|(_, word)| matches!(*word, "is" | "are" | "was" | "were"))?;
    let range = &words[at].0;
    let subject = sentence[..range.start].trim_end();
    let predicate = sentence[range.end..].trim_start().trim_end_matches('.');
    let fits = (1..=9).contains(&at)
        && !subject.contains([',', '('])
        && (4..=22).contains(&(words.len() - at - 1));
    fits.then_some((subject, &sentence[range.clone()], predicate))
}

/// What stands before the last clause, its connective, and the clause without its full stop.
fn last_clause(sentence: &str) -> Option<(&str, &str, &str)> {
    let found = [
        ", which ",
        ", where ",
        ", while ",
        ", when ",
        ", with ",
        ", including ",
    ]
    .into_iter()
    .filter_map(|connective| Some((sentence.rfind(connective)?, connective)))
    .max()?;
    let (at, connective) = found;
    let clause = sentence[at + connective.len()..].trim_end_matches('.');
    let before = &sentence[..at];
    let fits = clause.split_whitespace().count() >= 4 && before.split_whitespace().count() >= 6;
    fits.then_some((before, connective, clause))
}

/// Ways to say the same.
pub(super) fn reworded(sentence: &str, draw: &mut SplitMix64) -> Vec<(Change, String)> {
    let mut ways = Vec::new();
    if let (Some(open), Some(close)) = (sentence.find(" ("), sentence.find(')'))
        && open < close
        && !sentence[open + 2..close].contains('(')
    {
        let text = format!("{}{}", &sentence[..open], &sentence[close + 1..]);
        ways.push((Change::AsideDropped, text));
    }
    if let Some((before, connective, _)) = last_clause(sentence)
        && connective != ", while "
    {
        ways.push((Change::ClauseDropped, format!("{before}.")));
    }
    ways.extend(moved(sentence).map(|text| (Change::PhraseMoved, text)));
    let replaced: Vec<String> = words(sentence)
        .iter()
        .flat_map(|(range, word)| {
            let other = SYNONYMS.iter().filter(move |pair| pair.0 == *word);
            other.map(move |pair| put(sentence, range.clone(), pair.1))
        })
        .collect();
    if !replaced.is_empty() {
        ways.push((Change::Synonym, draw.one(&replaced).clone()));
    }
    for spot in spots(sentence) {
        let Kind::Quantity(unit) = &spot.kind else {
            continue;
        };
        let factor = match unit.as_str() {
            "miles" => (1.609_344, "kilometers"),
            "kilometers" | "km" => (1.0 / 1.609_344, "miles"),
            "feet" => (0.3048, "meters"),
            "meters" => (1.0 / 0.3048, "feet"),
            "mph" => (1.609_344, "km/h"),
            "inches" => (2.54, "centimeters"),
            _ => continue,
        };
        let digits = sentence[spot.range.clone()]
            .split(' ')
            .next()
            .unwrap_or_default();
        // Three places, so that the value is the source's own.
        let value = spot.value * factor.0;
        let decimals = (2 - value.max(1e-3).log10().floor() as i64).max(0) as usize;
        let value = written_like(&format!("{value:.decimals$}"), value);
        debug_assert!(!digits.is_empty());
        ways.push((
            Change::UnitConverted,
            put(sentence, spot.range, &format!("{value} {}", factor.1)),
        ));
        break;
    }
    ways
}

/// A phrase at the front moved to the end, or one at the end to the front.
fn moved(sentence: &str) -> Option<String> {
    if sentence.contains('(') {
        return None;
    }
    const PREPOSITIONS: [&str; 6] = ["In", "During", "After", "On", "At", "For"];
    let first = sentence.split(' ').next()?;
    if PREPOSITIONS.contains(&first) {
        let (phrase, rest) = sentence.split_once(", ")?;
        let whole = phrase.split(' ').count() <= 6 && !rest.contains(',');
        let (initial, tail) = rest.split_at(rest.chars().next()?.len_utf8());
        let rest = format!("{}{tail}", initial.to_uppercase());
        return whole.then(|| {
            format!(
                "{} {}{}.",
                rest.trim_end_matches('.'),
                first.to_lowercase(),
                &phrase[first.len()..]
            )
        });
    }
    let start = sentence.split(' ').next().filter(|word| {
        [
            "The", "A", "An", "Most", "Many", "Some", "Several", "All", "Heavy",
        ]
        .contains(word)
    })?;
    let at = [" in ", " during ", " after ", " on "]
        .into_iter()
        .filter_map(|p| sentence.rfind(p))
        .max()?;
    let phrase = sentence[at + 1..].trim_end_matches('.');
    let dated = phrase.chars().any(|c| c.is_ascii_digit());
    if phrase.split(' ').count() > 5 || phrase.contains(',') || !dated {
        return None;
    }
    let (initial, tail) = phrase.split_at(1);
    Some(format!(
        "{}{tail}, {}{}.",
        initial.to_uppercase(),
        start.to_lowercase(),
        &sentence[start.len()..at]
    ))
}

/// Ways to say something else.
pub(super) fn falsified(
    sentence: &str,
    document: &str,
    material: &Material,
    draw: &mut SplitMix64,
) -> Vec<(Change, String)> {
    let mut ways = Vec::new();
    let found = spots(sentence);
    let known = |word: &str| material.words.contains(word);
    for spot in &found {
        let text = &sentence[spot.range.clone()];
        match &spot.kind {
            Kind::Quantity(unit) => {
                let (figure, rest) = text.split_once(' ').map_or((text, ""), |(f, r)| (f, r));
                let share = matches!(unit.as_str(), "%" | "percent");
                let mut factor = *draw.one(&[0.4, 0.5, 0.6, 1.5, 1.8, 2.0, 3.0]);
                if share && spot.value * factor > 100.0 {
                    factor = 0.5;
                }
                let other = written_like(figure, spot.value * factor);
                if other != figure {
                    let other = format!("{other} {rest}");
                    ways.push((
                        Change::Figure,
                        put(sentence, spot.range.clone(), other.trim_end()),
                    ));
                }
                if let Some(pair) = UNITS.iter().find(|pair| pair.0 == unit) {
                    let other = format!("{figure} {}", pair.1);
                    ways.push((Change::Unit, put(sentence, spot.range.clone(), &other)));
                }
            }
            Kind::Year => {
                let by = 1 + draw.below(12) as i64;
                let by = if draw.below(2) == 0 { by } else { -by };
                let other = (spot.value as i64 + by).to_string();
                ways.push((Change::Year, put(sentence, spot.range.clone(), &other)));
            }
            Kind::Place => {
                let other: Vec<&String> = material
                    .places
                    .iter()
                    .filter(|place| !sentence.contains(*place) && !place.contains(text))
                    .collect();
                if !other.is_empty() {
                    let other = *draw.one(&other);
                    ways.push((Change::Place, put(sentence, spot.range.clone(), other)));
                }
            }
            Kind::Acronym => {}
        }
    }
    let named: Vec<_> = found
        .iter()
        .filter(|s| matches!(s.kind, Kind::Place | Kind::Acronym))
        .collect();
    for pair in named.windows(2) {
        let between = &sentence[pair[0].range.end..pair[1].range.start];
        let (a, b) = (
            &sentence[pair[0].range.clone()],
            &sentence[pair[1].range.clone()],
        );
        if pair[0].kind == pair[1].kind && a != b && between.split_whitespace().count() >= 3 {
            let text = put(
                &put(sentence, pair[1].range.clone(), a),
                pair[0].range.clone(),
                b,
            );
            ways.push((Change::NamesExchanged, text));
        }
    }
    let words = words(sentence);
    for (at, (range, word)) in words.iter().enumerate() {
        let next = words.get(at + 1).map_or("", |(_, next)| *next);
        let one_of = |classes: &[&[&str]], draw: &mut SplitMix64| {
            let class = classes.iter().find(|class| class.contains(word))?;
            let said = |other: &&&str| words.iter().any(|(_, word)| *word == **other);
            let others: Vec<&&str> = class
                .iter()
                .filter(|other| known(other) && !said(other))
                .collect();
            (!others.is_empty()).then(|| (**draw.one(&others)).to_owned())
        };
        if let Some(other) = one_of(THINGS, draw) {
            ways.push((Change::Thing, put(sentence, range.clone(), &other)));
        }
        if let Some(other) = one_of(ACTIONS, draw) {
            ways.push((Change::Action, put(sentence, range.clone(), &other)));
        }
        if matches!(*word, "may" | "might" | "could") && !matches!(next, "have" | "not") {
            let sure: &str = draw.one::<&str>(&["will", "will certainly", "will inevitably"]);
            ways.push((Change::Certainty, put(sentence, range.clone(), sure)));
        }
        if matches!(*word, "some" | "most" | "many" | "several") && next.ends_with('s') {
            ways.push((Change::AllForSome, put(sentence, range.clone(), "all")));
        }
        for (left, right) in CONTRARIES {
            let other = if word == left {
                right
            } else if word == right {
                left
            } else {
                continue;
            };
            ways.push((Change::Contrary, put(sentence, range.clone(), other)));
        }
    }
    let auxiliary = words
        .iter()
        .position(|(_, word)| AUXILIARIES.contains(word));
    if let Some(at) = auxiliary {
        let end = words[at].0.end;
        let text = match words.get(at + 1) {
            Some((range, "not")) => put(sentence, end..range.end, ""),
            _ => put(sentence, end..end, " not"),
        };
        ways.push((Change::Negation, text));
    }
    if let Some((subject, auxiliary, predicate)) = halves(sentence) {
        let key = (document.to_owned(), auxiliary.to_owned());
        let others = material.halves.get(&key).map_or(&[][..], Vec::as_slice);
        let others: Vec<_> = others
            .iter()
            .filter(|o| o.0 != subject && o.1 != predicate)
            .collect();
        if !others.is_empty() {
            let other = &draw.one(&others).1;
            ways.push((
                Change::PredicateOfAnother,
                format!("{subject} {auxiliary} {other}."),
            ));
        }
    }
    if let Some((before, connective, clause)) = last_clause(sentence) {
        let key = (document.to_owned(), connective.to_owned());
        let others = material.clauses.get(&key).map_or(&[][..], Vec::as_slice);
        let others: Vec<_> = others.iter().filter(|other| *other != clause).collect();
        if !others.is_empty() {
            let other = draw.one(&others);
            ways.push((
                Change::ClauseOfAnother,
                format!("{before}{connective}{other}."),
            ));
        }
    }
    ways
}

fn put(sentence: &str, range: std::ops::Range<usize>, other: &str) -> String {
    format!(
        "{}{other}{}",
        &sentence[..range.start],
        &sentence[range.end..]
    )
}
