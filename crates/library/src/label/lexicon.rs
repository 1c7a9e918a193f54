//! The lexicon: reading it, and finding its terms in a row of words.

use std::collections::HashMap;
use std::sync::LazyLock;

use lahar_core::Hazard;

/// The lexicon as it is written, with its rules in its head.
pub const LEXICON: &str = include_str!("lexicon.txt");

/// Weight of a term that names a hazard.
pub(super) const NAMED: f32 = 3.0;
/// Weight of a term that counts only beside others.
pub(super) const HINT: f32 = 1.0;

/// One term under one or more hazards.
#[derive(Debug)]
pub(super) struct Term {
    /// Folded words; the last may stand for any ending.
    words: Vec<String>,
    open_ended: bool,
    /// What it counts for; nothing for a figure of speech.
    pub hazards: Vec<(Hazard, f32)>,
}

/// Terms by their first word.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    by_first_word: HashMap<String, Vec<Term>>,
    /// Terms of one word with an open ending.
    open_ended: Vec<Term>,
}

/// The built-in lexicon.
pub(super) static BUILT_IN: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::parse(LEXICON));

impl Lexicon {
    /// Reads a lexicon. A line that is not understood is left out; a test holds the built-in one
    /// to the format.
    pub fn parse(text: &str) -> Lexicon {
        let mut lexicon = Lexicon::default();
        let mut section: Option<Option<Hazard>> = None;
        for line in text.lines().map(str::trim) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                section = Some(Hazard::parse(name).filter(|_| name != "none"));
                continue;
            }
            let (weight, terms) = match (&section, line.split_once(':')) {
                (Some(Some(_)), Some((weight, terms))) => match weight.parse() {
                    Ok(weight) => (weight, terms),
                    Err(_) => continue,
                },
                (Some(None), None) => (0.0, line),
                _ => continue,
            };
            for term in terms.split(',').map(str::trim).filter(|t| !t.is_empty()) {
                lexicon.insert(term, section.clone().flatten(), weight);
            }
        }
        for terms in lexicon.by_first_word.values_mut() {
            terms.sort_by_key(|term| std::cmp::Reverse(term.words.len()));
        }
        lexicon
    }

    fn insert(&mut self, term: &str, hazard: Option<Hazard>, weight: f32) {
        let open_ended = term.ends_with('*');
        let mut words: Vec<String> = words_of(term).map(|word| fold(&word)).collect();
        if open_ended && let Some(last) = words.last_mut() {
            // Unfolded: the end of the stem is not the end of the word.
            *last = words_of(term).last().unwrap_or_default();
        }
        let Some(first) = words.first().cloned() else {
            return;
        };
        let terms = if open_ended && words.len() == 1 {
            &mut self.open_ended
        } else {
            self.by_first_word.entry(first).or_default()
        };
        let known = terms
            .iter_mut()
            .find(|term| term.words == words && term.open_ended == open_ended);
        let term = match known {
            Some(term) => term,
            None => {
                terms.push(Term {
                    words,
                    open_ended,
                    hazards: Vec::new(),
                });
                let last = terms.len() - 1;
                &mut terms[last]
            }
        };
        // Two forms of a word may fold to one: it counts once.
        if let Some(hazard) = hazard
            && term.hazards.iter().all(|(known, _)| *known != hazard)
        {
            term.hazards.push((hazard, weight));
        }
    }

    /// The longest term that the words begin with, and how many words it has.
    pub fn longest(&self, words: &[String]) -> Option<(&Term, usize)> {
        let first = words.first()?;
        let terms = self.by_first_word.get(first).into_iter().flatten();
        terms
            .chain(&self.open_ended)
            .find(|term| term.begins(words))
            .map(|term| (term, term.words.len()))
    }
}

impl Term {
    fn begins(&self, words: &[String]) -> bool {
        let Some(here) = words.get(..self.words.len()) else {
            return false;
        };
        let last = self.words.len() - 1;
        here[..last] == self.words[..last]
            && if self.open_ended {
                here[last].starts_with(&self.words[last])
            } else {
                here[last] == self.words[last]
            }
    }
}

/// The words of a text in lower case.
pub(super) fn words_of(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// A word without its plural ending, and without the `e` that would part "slides" from "slid":
/// rough, and the same for lexicon and text. Words of four letters keep their `e`, so that a fire
/// stays apart from a fir.
pub(super) fn fold(word: &str) -> String {
    let mut word = word;
    if word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") {
        word = &word[..word.len() - 1];
    }
    if word.len() > 4 && word.ends_with('e') {
        word = &word[..word.len() - 1];
    }
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_built_in_lexicon_is_understood() {
        let mut section = None;
        for line in LEXICON.lines().map(str::trim) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                let hazard = Hazard::parse(name).unwrap();
                assert!(name == "none" || hazard.is_built_in(), "{name}");
                section = Some(name);
                continue;
            }
            match (section, line.split_once(':')) {
                (Some("none"), None) => {}
                (Some(name), Some((weight, _))) if name != "none" => {
                    assert!(["1", "2", "3"].contains(&weight), "{line}");
                }
                _ => panic!("{line}"),
            }
        }
    }

    #[test]
    fn every_built_in_hazard_has_terms_that_name_it() {
        for hazard in Hazard::BUILT_IN {
            let named = BUILT_IN.by_first_word.values().flatten().filter(|term| {
                term.hazards
                    .iter()
                    .any(|(h, weight)| *h == hazard && *weight == NAMED)
            });
            assert!(named.count() >= 5, "{hazard}");
        }
    }

    #[test]
    fn folding_joins_number_and_keeps_fire_from_fir() {
        for (a, b) in [
            ("landslides", "landslide"),
            ("tsunamis", "tsunami"),
            ("avalanches", "avalanche"),
            ("fires", "fire"),
            ("watches", "watch"),
        ] {
            assert_eq!(fold(a), fold(b));
        }
        assert_ne!(fold("firs"), fold("fires"));
    }
}
