//! What can be answered without the document: by length, position, unit or words alone.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use super::sentence::bare;
use super::{BuiltItem, Options};
use crate::interval::{Estimate, proportion};

/// A way to guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Guess {
    /// The option that is far longer or far shorter than all others.
    Length,
    /// The letter that is right most often.
    Position,
    /// The option that alone has a word of the question, such as its unit.
    Unit,
    /// The label that the statement's words have in other documents (naive Bayes).
    Words,
    /// The label that statements of this length have in other documents.
    StatementLength,
}

/// How a way to guess does over the set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// Share that it gets right of those it says anything on.
    pub right: Option<Estimate>,
    /// What a blind draw gets right.
    pub chance: f64,
    /// Items named as guessable by it.
    pub named: usize,
}

/// Every way over the set, before anything is dropped.
pub type Report = BTreeMap<Guess, Found>;

/// Posterior from which a guess by words is sure.
const SURE: f64 = 0.9;
/// How much longer, or shorter, an option must be to stand out.
const STANDS_OUT: f64 = 1.6;

/// Marks what can be guessed. Position and length of a statement are figures of the set: no item
/// is guessable by them alone, and none is marked.
pub(super) fn mark(items: &mut [BuiltItem]) -> Report {
    let mut report = Report::new();
    let letters = most_frequent(items);
    let choices = items.iter().filter(|item| item.r#type == "MC");
    let at_letter = choices
        .clone()
        .filter(|item| Some(&item.answer) == letters.as_ref())
        .count();
    let position = Found {
        right: proportion(at_letter, choices.count()),
        chance: 0.25,
        named: 0,
    };
    report.insert(Guess::Position, position);
    for (guess, by) in [
        (Guess::Length, by_length as fn(&BuiltItem) -> Option<char>),
        (Guess::Unit, by_unit),
    ] {
        let (mut said, mut right) = (0, 0);
        for item in items.iter_mut() {
            let Some(letter) = by(item) else { continue };
            said += 1;
            if item.answer == letter.to_string() {
                right += 1;
                item.guessable_by.push(guess);
            }
        }
        report.insert(
            guess,
            Found {
                right: proportion(right, said),
                chance: 0.25,
                named: right,
            },
        );
    }
    let posteriors = words_alone(items);
    let (mut right, mut named) = (0, 0);
    for (at, truth) in &posteriors {
        let item = &mut items[*at];
        let sure = if item.answer == "True" {
            *truth
        } else {
            1.0 - truth
        };
        right += usize::from(sure > 0.5);
        if sure >= SURE {
            named += 1;
            item.guessable_by.push(Guess::Words);
        }
    }
    report.insert(
        Guess::Words,
        Found {
            right: proportion(right, posteriors.len()),
            chance: 0.5,
            named,
        },
    );
    let (right, of) = statement_length(items);
    report.insert(
        Guess::StatementLength,
        Found {
            right: proportion(right, of),
            chance: 0.5,
            named: 0,
        },
    );
    report
}

fn most_frequent(items: &[BuiltItem]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for item in items.iter().filter(|item| item.r#type == "MC") {
        *counts.entry(&item.answer).or_insert(0) += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    most.map(|(letter, _)| letter.to_owned())
}

fn by_length(item: &BuiltItem) -> Option<char> {
    let Options::Letters(options) = &item.options else {
        return None;
    };
    let length = |text: &str| text.chars().count() as f64;
    options.iter().find_map(|(letter, text)| {
        let others = || {
            options
                .iter()
                .filter(|(other, _)| *other != letter)
                .map(|(_, text)| length(text))
        };
        let own = length(text);
        let out = others().all(|other| own > STANDS_OUT * other)
            || others().all(|other| STANDS_OUT * own < other);
        out.then_some(*letter)
    })
}

fn by_unit(item: &BuiltItem) -> Option<char> {
    let Options::Letters(options) = &item.options else {
        return None;
    };
    let asked: HashSet<String> = item.question.split_whitespace().map(bare).collect();
    let shared = |text: &str| {
        text.split_whitespace()
            .map(bare)
            .filter(|word| word.len() > 2 && asked.contains(word))
            .count()
    };
    let most = options.values().map(|text| shared(text)).max()?;
    let mut with = options.iter().filter(|(_, text)| shared(text) == most);
    match (most, with.next(), with.next()) {
        (1.., Some((letter, _)), None) => Some(*letter),
        _ => None,
    }
}

/// Probability of "True" by the words of a statement, learned from the other documents' items.
fn words_alone(items: &[BuiltItem]) -> Vec<(usize, f64)> {
    let statements: Vec<(usize, HashSet<String>)> = items
        .iter()
        .enumerate()
        .filter(|(_, item)| item.r#type == "TF")
        .map(|(at, item)| (at, item.question.split_whitespace().map(bare).collect()))
        .collect();
    type Counts<'w> = HashMap<&'w str, [f64; 2]>;
    let class = |at: usize| usize::from(items[at].answer == "True");
    let mut all = Counts::new();
    let mut by_document: HashMap<&str, (Counts<'_>, [f64; 2])> = HashMap::new();
    let mut totals = [0.0; 2];
    for (at, words) in &statements {
        let own = by_document.entry(&items[*at].document).or_default();
        own.1[class(*at)] += 1.0;
        totals[class(*at)] += 1.0;
        for word in words {
            all.entry(word).or_default()[class(*at)] += 1.0;
            own.0.entry(word).or_default()[class(*at)] += 1.0;
        }
    }
    let posterior = |at: usize, words: &HashSet<String>| {
        let own = &by_document[items[at].document.as_str()];
        let n = |class: usize| totals[class] - own.1[class];
        let mut log_odds = ((n(1) + 1.0) / (n(0) + 1.0)).ln();
        let mut sorted: Vec<&String> = words.iter().collect();
        sorted.sort();
        for word in sorted {
            let counted = all.get(word.as_str()).copied().unwrap_or_default();
            let here = own.0.get(word.as_str()).copied().unwrap_or_default();
            let share = |class: usize| (counted[class] - here[class] + 1.0) / (n(class) + 2.0);
            log_odds += (share(1) / share(0)).ln();
        }
        1.0 / (1.0 + (-log_odds).exp())
    };
    statements
        .iter()
        .map(|(at, words)| (*at, posterior(*at, words)))
        .collect()
}

/// The label more frequent in other documents among statements up to 3 words longer or shorter.
fn statement_length(items: &[BuiltItem]) -> (usize, usize) {
    let length = |item: &BuiltItem| item.question.split_whitespace().count();
    let statements: Vec<&BuiltItem> = items.iter().filter(|item| item.r#type == "TF").collect();
    let right = statements.iter().filter(|item| {
        let alike = statements.iter().filter(|other| {
            other.document != item.document && length(other).abs_diff(length(item)) <= 3
        });
        let lead: i64 = alike
            .map(|other| if other.answer == "True" { 1 } else { -1 })
            .sum();
        (lead > 0) == (item.answer == "True")
    });
    (right.count(), statements.len())
}
