//! Reading a question: its words, the names and years it insists on, and what it asks for.

use std::ops::Range;

use lahar_core::{CharRange, MONTHS, TextIndex};

use crate::terms::{Term, is_stop_word, terms, words};

/// A question as it was understood.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// Words that carry meaning, as comparable stems, without repeats.
    pub stems: Vec<String>,
    /// The same words as written.
    pub words: Vec<String>,
    /// Names in it, as written: words in capitals that do not merely begin the sentence.
    pub names: Vec<String>,
    /// Years in it.
    pub years: Vec<String>,
    /// What it asks for.
    pub asks_for: AsksFor,
}

/// What kind of thing would answer a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AsksFor {
    /// A figure: how many, how much, how far, at what stage.
    Quantity,
    /// A time: when, what year, how soon.
    Time,
    /// Anything else.
    #[default]
    Statement,
}

impl Reading {
    /// Reads a question.
    ///
    /// ```
    /// use lahar_answers::question::{AsksFor, Reading};
    /// let reading = Reading::of("How many homes burned near Osage County, Kansas in 2019?");
    /// assert_eq!(reading.names, ["Osage County", "Kansas"]);
    /// assert_eq!(reading.years, ["2019"]);
    /// assert_eq!(reading.asks_for, AsksFor::Quantity);
    /// ```
    pub fn of(question: &str) -> Reading {
        Reading::without(question, &[])
    }

    /// Reads a question without the words in some ranges of its text: those that name places,
    /// where the place graph answers for them.
    pub fn without(question: &str, ranges: &[CharRange]) -> Reading {
        let index = TextIndex::new(question);
        let ranges: Vec<_> = ranges
            .iter()
            .map(|range| index.byte(range.start)..index.byte(range.end))
            .collect();
        let kept = |bytes: &Range<usize>| {
            !ranges
                .iter()
                .any(|range| range.start < bytes.end && bytes.start < range.end)
        };
        let degree = degree(question);
        let (mut stems, mut words): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for Term { stem, bytes } in terms(question) {
            if kept(&bytes) && degree != Some(bytes.start) && !stems.contains(&stem) {
                words.push(question[bytes].to_owned());
                stems.push(stem);
            }
        }
        let years = stems.iter().filter(|stem| is_year(stem)).cloned().collect();
        let mut names: Vec<String> = Vec::new();
        for name in name_ranges(question).into_iter().filter(kept) {
            let name = question[name].trim_end_matches("'s").trim_end_matches("’s");
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        Reading {
            stems,
            words,
            names,
            years,
            asks_for: asks_for(question),
        }
    }
}

/// Where the word behind "how" begins: "how long", "how far" ask for a figure, and the evidence
/// need not hold the word.
fn degree(question: &str) -> Option<usize> {
    let mut spoken =
        words(question).skip_while(|range| !question[range.clone()].eq_ignore_ascii_case("how"));
    spoken.nth(1).map(|range| range.start)
}

fn is_year(stem: &str) -> bool {
    stem.len() == 4
        && stem.bytes().all(|b| b.is_ascii_digit())
        && stem
            .parse::<u16>()
            .is_ok_and(|year| (1500..=2100).contains(&year))
}

/// Nouns that are answered by a figure.
const MEASURES: &[&str] = &[
    "acreage",
    "amount",
    "area",
    "clearance",
    "cost",
    "costs",
    "depth",
    "diameter",
    "distance",
    "elevation",
    "height",
    "intensity",
    "length",
    "level",
    "magnitude",
    "number",
    "percentage",
    "population",
    "pressure",
    "probability",
    "rainfall",
    "rate",
    "rating",
    "share",
    "size",
    "speed",
    "stage",
    "temperature",
    "thickness",
    "threshold",
    "toll",
    "volume",
    "weight",
    "width",
    "winds",
];

/// Words behind "how" that ask for no figure.
const MANNERS: &[&str] = &[
    "are", "can", "could", "did", "do", "does", "is", "may", "must", "should", "to", "was", "were",
    "will", "would",
];

/// Words behind "what" or "how" that ask for a time.
const TIMES: &[&str] = &["date", "day", "long", "month", "soon", "time", "year"];

/// How far behind "what" its noun may stand: "what is the highest water level".
const NOUN_WITHIN: usize = 6;

fn asks_for(question: &str) -> AsksFor {
    let lower = question.to_lowercase();
    let spoken: Vec<&str> = words(&lower).map(|range| &lower[range]).collect();
    for (at, word) in spoken.iter().enumerate() {
        let next = spoken.get(at + 1).copied().unwrap_or_default();
        match *word {
            "when" => return AsksFor::Time,
            "how" | "what" | "which" if TIMES.contains(&next) => return AsksFor::Time,
            "how" if !next.is_empty() && !MANNERS.contains(&next) => return AsksFor::Quantity,
            "what" | "which" => {
                let noun = spoken[at + 1..].iter().take(NOUN_WITHIN);
                if noun.into_iter().any(|noun| MEASURES.contains(noun)) {
                    return AsksFor::Quantity;
                }
            }
            _ => {}
        }
    }
    AsksFor::Statement
}

/// Words that, like the months, begin with a capital for reasons of their own and name nothing by
/// themselves.
const NOT_NAMES: &[&str] = &[
    "i",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "am",
    "pm",
    "utc",
];

/// Runs of capitalised words. The first word of a sentence is one only where another name
/// follows it; abbreviations in capitals (an agency, a scale) are words, not names the evidence
/// must repeat; a question typed all in capitals has no names that could be told from its words.
fn name_ranges(question: &str) -> Vec<Range<usize>> {
    let mut letters = question.chars().filter(|c| c.is_alphabetic());
    if letters.all(char::is_uppercase) {
        return Vec::new();
    }
    let all: Vec<_> = words(question).collect();
    let only_spaces = |from: usize, to: usize| question[from..to].chars().all(|c| c == ' ');
    let mut found: Vec<Range<usize>> = Vec::new();
    for (i, range) in all.iter().enumerate() {
        let word = &question[range.clone()];
        let before = question[..range.start].trim_end();
        let opens_sentence = before.is_empty() || before.ends_with(['.', '?', '!', ':', '"', '“']);
        let next_is_name = all.get(i + 1).is_some_and(|next| {
            only_spaces(range.end, next.start) && is_name_word(&question[next.clone()])
        });
        let named =
            is_name_word(word) && (!opens_sentence || (next_is_name && !is_common_opening(word)));
        if !named {
            continue;
        }
        match found.last_mut() {
            Some(last) if only_spaces(last.end, range.start) => last.end = range.end,
            _ => found.push(range.clone()),
        }
    }
    found
}

fn is_name_word(word: &str) -> bool {
    let mut chars = word.chars();
    let capital = chars.next().is_some_and(char::is_uppercase);
    let rest_small = chars.clone().any(char::is_lowercase);
    let lower = word.to_lowercase();
    let other = NOT_NAMES.contains(&lower.as_str()) || MONTHS.contains(&lower.as_str());
    capital && rest_small && !other
}

fn is_common_opening(word: &str) -> bool {
    is_stop_word(&word.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_words_that_begin_a_sentence() {
        let names = |q| Reading::of(q).names;
        assert_eq!(
            names("Does insurance cover floods in Cedar Rapids?"),
            ["Cedar Rapids"]
        );
        assert_eq!(names("Flooding closed roads."), Vec::<String>::new());
        assert_eq!(
            names("Hurricane Maria hit. What did Maria's rain do?"),
            ["Hurricane Maria", "Maria"]
        );
        assert_eq!(
            names("WHAT IS THE FLOOD STAGE AT MINTO"),
            Vec::<String>::new()
        );
        assert_eq!(
            names("Did FEMA visit on May 3 in Washington County, Oregon"),
            ["Washington County", "Oregon"]
        );
    }

    #[test]
    fn what_is_asked_for_follows_the_question_words() {
        let asks = |q| Reading::of(q).asks_for;
        assert_eq!(asks("When did the dam fail?"), AsksFor::Time);
        assert_eq!(asks("For how long did the ground shake?"), AsksFor::Time);
        assert_eq!(
            asks("What is the highest water level at the pier?"),
            AsksFor::Quantity
        );
        assert_eq!(asks("How do slides start?"), AsksFor::Statement);
        assert_eq!(
            asks("At what stage does the river flood roads?"),
            AsksFor::Quantity
        );
        assert_eq!(asks("Who reports to the commissioner?"), AsksFor::Statement);
    }
}
