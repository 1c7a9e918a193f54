//! Whether a sentence states a condition of a method, which, and how surely.

use lahar_places::Gazetteer;
use serde::Serialize;

use super::cues::{self, Found};
use super::limits::{Limit, limits};
use super::phrases::{Phrase, Word, words};
use super::regions::regions;
use super::statement::{Asked, Read, asked};
use super::terms::named;
use crate::card::Role;

/// Weight from which a sentence is a candidate.
pub const CANDIDATE: f64 = 2.0;
/// Weight of a phrase that is said of methods alone.
const OF_METHODS: f64 = 2.5;
/// Weight from which the role of a sentence is believed.
pub const SURE: f64 = 3.0;
/// By how much the first role must lead the second to be believed.
pub const LEAD: f64 = 1.0;

/// What a sentence states.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// Its part.
    pub role: Role,
    /// What speaks for it.
    pub weight: f64,
    /// By how much it leads the next.
    pub lead: f64,
    /// What a program can check; empty where only people can.
    #[serde(skip)]
    pub asked: Vec<Asked>,
    /// Variables that the sentence names.
    pub variables: Vec<String>,
}

impl Judged {
    /// Whether the role is believed.
    pub fn is_sure(&self) -> bool {
        self.weight >= SURE && self.lead >= LEAD
    }
}

/// What a sentence states about a method; `None` where it states no condition.
///
/// ```
/// use lahar_routes::card::Role;
/// use lahar_routes::compile::judge::judge;
/// use lahar_places::Gazetteer;
/// let found = judge(Gazetteer::embedded(), "The equation is valid for slopes of 10 to 40 degrees.");
/// assert_eq!(found.unwrap().role, Role::ValidityRange);
/// assert_eq!(judge(Gazetteer::embedded(), "Residents of the town returned on Friday."), None);
/// ```
pub fn judge(gazetteer: &Gazetteer, sentence: &str) -> Option<Judged> {
    let words = words(sentence);
    if words.len() < 4 {
        return None;
    }
    let limits = limits(sentence);
    let named = named(&words);
    let regions = regions(gazetteer, sentence);
    let found = Found {
        limit: limits.iter().any(Limit::bounds),
        place: regions.any(),
        definition: is_definition(sentence, &words),
    };
    let weighed = cues::weigh(&words, found);
    let (role, weight) = weighed.first();
    let weight = weight - weighed.report;
    // Some phrases are said of nothing but methods: "is neglected", "not valid for".
    let speaks_of_a_method =
        weighed.methods > 0 || found.definition || weighed.heaviest >= OF_METHODS;
    if weight < CANDIDATE || !speaks_of_a_method || is_reference(sentence) {
        return None;
    }
    let read = Read {
        text: sentence,
        words: &words,
        limits: &limits,
        named: &named,
        regions: &regions,
    };
    let mut variables: Vec<String> = named.iter().map(|n| n.variable.to_owned()).collect();
    variables.dedup();
    Some(Judged {
        role,
        weight,
        lead: weighed.lead(),
        asked: asked(role, &read),
        variables,
    })
}

/// Whether the sentence says what a symbol of an equation stands for, with its unit.
fn is_definition(sentence: &str, words: &[Word]) -> bool {
    let is = ["is the", "is average", "are the", "is soil", "is area"]
        .iter()
        .any(|phrase| {
            Phrase::parse(phrase)
                .find(words, 0)
                .is_some_and(|(at, _)| at <= 4)
        });
    let unit = [
        "(in ",
        "[in ",
        "in percent",
        "in degrees",
        "in met",
        "in mill",
        "in kilo",
    ]
    .iter()
    .any(|mark| sentence.contains(mark));
    is && unit
}

/// Whether it is an entry of a list of references: initials of authors and a year.
fn is_reference(sentence: &str) -> bool {
    let is_initial = |word: &str| {
        let word = word.trim_end_matches([',', ';']);
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        word.ends_with('.')
            && (1..=3).contains(&letters)
            && word
                .chars()
                .all(|c| c.is_uppercase() || matches!(c, '.' | '-'))
            || (1..=2).contains(&letters)
                && word.len() == letters
                && word.chars().all(char::is_uppercase)
                && word != "A"
                && word != "I"
    };
    let is_year = |word: &str| {
        let digits = word.trim_matches(|c: char| !c.is_ascii_digit());
        digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"))
    };
    let head: Vec<&str> = sentence.split_whitespace().take(24).collect();
    let initials = head.iter().filter(|word| is_initial(word)).count();
    initials >= 1
        && head.get(1).is_some_and(|word| is_initial(word))
        && (head.iter().any(|word| is_year(word)) || initials >= 3)
}
