//! A text cut into words that can be compared: stems, clauses, names, negation.

use std::ops::Range;

use lahar_core::MONTHS;
use rust_stemmers::{Algorithm, Stemmer};

use super::figures::{Figure, figures};
use super::lexicon;
use crate::terms::{is_stop_word, words};

/// One word of a passage.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    /// Lower case, figures without the marks of their thousands.
    pub word: String,
    /// English stem; the word itself where it is a figure.
    pub stem: String,
    /// Where it stands in the text.
    pub bytes: Range<usize>,
    /// Which clause of the passage it stands in.
    pub clause: usize,
    /// Whether it begins with a capital.
    pub capital: bool,
    /// Whether it begins a sentence.
    pub first: bool,
    /// Whether a word of negation governs it.
    pub negated: bool,
    /// Whether it is part of a name.
    pub name: bool,
}

impl Token {
    /// Whether the word carries no meaning of its own.
    pub fn is_stop(&self) -> bool {
        is_stop_word(&self.word) || lexicon::is_filler(&self.word)
    }

    /// Whether the word is written in digits.
    pub fn is_digits(&self) -> bool {
        self.word.starts_with(|c: char| c.is_ascii_digit())
    }
}

/// A text made comparable.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Passage {
    /// The text.
    pub text: String,
    /// Its words in order.
    pub tokens: Vec<Token>,
    /// Its figures, dates and times.
    pub figures: Vec<Figure>,
    /// Whether it is written in capitals throughout, so that names cannot be told from words.
    pub shouted: bool,
}

impl Passage {
    /// Reads a text.
    pub fn of(text: &str) -> Passage {
        let mut tokens = tokens(text);
        negate(&mut tokens, text);
        let figures = figures(text, &tokens);
        let mut passage = Passage::unnamed(text, tokens, figures);
        for i in 0..passage.tokens.len() {
            passage.tokens[i].name = passage.looks_like_name(i);
        }
        passage
    }

    fn unnamed(text: &str, tokens: Vec<Token>, figures: Vec<Figure>) -> Passage {
        let letters = || text.chars().filter(|c| c.is_alphabetic());
        let capitals = letters().filter(|c| c.is_uppercase()).count();
        Passage {
            text: text.to_owned(),
            shouted: capitals * 10 > letters().count() * 7,
            tokens,
            figures,
        }
    }

    /// The figure a word belongs to.
    pub fn figure_at(&self, token: usize) -> Option<&Figure> {
        self.figures
            .iter()
            .find(|figure| figure.tokens.contains(&token))
    }

    /// The words of some tokens as they stand in the text.
    pub fn words_of(&self, tokens: &Range<usize>) -> &str {
        match (
            self.tokens.get(tokens.start),
            self.tokens.get(tokens.end.saturating_sub(1)),
        ) {
            (Some(first), Some(last)) => &self.text[first.bytes.start..last.bytes.end],
            _ => "",
        }
    }

    /// Tokens that carry meaning and belong to no figure.
    pub fn content(&self) -> Vec<usize> {
        (0..self.tokens.len())
            .filter(|&i| !self.tokens[i].is_stop() && self.figure_at(i).is_none())
            .collect()
    }

    /// Whether a token is part of a name.
    pub fn is_name(&self, token: usize) -> bool {
        self.tokens[token].name
    }

    /// Takes the first word of the text for a name where others write it with a capital inside
    /// their sentences and never without.
    pub fn learn_names<'p>(&mut self, others: impl Iterator<Item = &'p Passage>) {
        let Some(first) = self
            .tokens
            .first()
            .filter(|t| !t.is_stop() && !t.name)
            .map(|t| t.stem.clone())
        else {
            return;
        };
        let (mut capitals, mut small) = (0, 0);
        for other in others.filter(|other| !other.shouted) {
            for token in other.tokens.iter().filter(|t| t.stem == first && !t.first) {
                *(if token.capital {
                    &mut capitals
                } else {
                    &mut small
                }) += 1;
            }
        }
        self.tokens[0].name = capitals > 0 && small == 0;
    }

    /// A capital that does not merely begin the sentence.
    fn looks_like_name(&self, token: usize) -> bool {
        let Some(this) = self.tokens.get(token) else {
            return false;
        };
        if self.shouted || !this.capital || this.is_digits() || this.is_stop() {
            return false;
        }
        if MONTHS.contains(&this.word.as_str()) {
            return false;
        }
        let possessive = self.text[this.bytes.clone()].ends_with("'s")
            || self.text[this.bytes.clone()].ends_with("’s");
        !this.first
            || possessive
            || self
                .tokens
                .get(token + 1)
                .is_some_and(|next| next.capital && !next.is_digits() && !next.is_stop())
    }
}

/// Comparable stem of a word in lower case; irregular forms have that of their base.
pub(crate) fn stem(word: &str) -> String {
    lexicon::base_form(word).map_or_else(|| regular_stem(word), str::to_owned)
}

/// What stemming alone makes of a word.
pub(super) fn regular_stem(word: &str) -> String {
    match word.starts_with(|c: char| c.is_ascii_digit()) {
        true => word.to_owned(),
        false => Stemmer::create(Algorithm::English).stem(word).into_owned(),
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let stemmer = Stemmer::create(Algorithm::English);
    let mut found: Vec<Token> = Vec::new();
    let mut clause = 0;
    let mut end = 0;
    for word in words(text).flat_map(|range| split(text, range)) {
        let between = &text[end..word.start];
        let mark = |c: char| matches!(c, ',' | ';' | ':' | ')' | '—' | '|' | '!' | '?');
        let full_stop =
            between.contains('.') || between.contains(['!', '?']) || between.contains("\n\n");
        if !found.is_empty() && (between.contains(mark) || full_stop || between.contains(" - ")) {
            clause += 1;
        }
        let first = found.is_empty() || full_stop;
        end = word.end;
        let written = &text[word.clone()];
        let lower = written.to_lowercase().replace('’', "'");
        let lower: String = lower.chars().map(plain).collect();
        let base = lower.strip_suffix("'s").unwrap_or(&lower);
        let base = match base.starts_with(|c: char| c.is_ascii_digit()) {
            true => base.replace(',', ""),
            false => base.replace('\'', ""),
        };
        if matches!(
            base.as_str(),
            "but" | "while" | "whereas" | "although" | "and" | "though"
        ) {
            clause += 1;
        }
        let stem = match (
            base.starts_with(|c: char| c.is_ascii_digit()),
            lexicon::base_form(&base),
        ) {
            (true, _) => base.clone(),
            (false, Some(stem)) => stem.to_owned(),
            (false, None) => stemmer.stem(&base).into_owned(),
        };
        found.push(Token {
            stem,
            word: base,
            bytes: word,
            clause,
            capital: written.starts_with(char::is_uppercase),
            first,
            negated: false,
            name: false,
        });
    }
    found
}

/// A letter without its accent, where a keyboard may lack it.
fn plain(letter: char) -> char {
    match letter {
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ñ' => 'n',
        'ç' => 'c',
        other => other,
    }
}

/// Parts a figure from the letters that are written onto it ("60KT", "M7.5", "EF5").
fn split(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let word = &text[range.clone()];
    let is_digit = |c: char| c.is_ascii_digit();
    if word.starts_with(is_digit) {
        let digits = word
            .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')))
            .unwrap_or(word.len());
        let rest = &word[digits..];
        let ordinal = ["st", "nd", "rd", "th", "s"].contains(&rest.to_lowercase().as_str());
        let letters = !rest.is_empty() && rest.chars().all(char::is_alphabetic);
        if letters && !ordinal {
            return vec![
                range.start..range.start + digits,
                range.start + digits..range.end,
            ];
        }
        return vec![range];
    }
    let letters = word.find(is_digit).unwrap_or(word.len());
    let scale = ["m", "mw", "ef", "f"].contains(&word[..letters].to_lowercase().as_str());
    let figure = word[letters..]
        .chars()
        .all(|c| c.is_ascii_digit() || c == '.');
    if scale && letters < word.len() && figure {
        return vec![
            range.start..range.start + letters,
            range.start + letters..range.end,
        ];
    }
    vec![range]
}

/// How many meaningful words behind a "not" it governs.
const NEGATED_WORDS: usize = 4;

/// Marks the words that a word of negation governs: those behind "not" up to the end of the
/// clause and a few words far; all of the sentence behind "no", "none" and "nobody".
fn negate(tokens: &mut [Token], text: &str) {
    let mut reach: usize = 0;
    let mut clause = usize::MAX;
    let mut wide = false;
    for i in 0..tokens.len() {
        let word = tokens[i].word.clone();
        let next = tokens
            .get(i + 1)
            .map(|t| t.word.clone())
            .unwrap_or_default();
        if tokens[i].first || (tokens[i].clause != clause && !wide) {
            reach = 0;
            wide = false;
        }
        let exception = (word == "not"
            && matches!(next.as_str(), "only" | "just" | "necessarily" | "all"))
            || (word == "no"
                && (matches!(
                    next.as_str(),
                    "doubt" | "later" | "more" | "less" | "fewer" | "earlier" | "sooner"
                ) || next == "."
                    || text[tokens[i].bytes.end..].starts_with('.')));
        // A dike that failed is no denial; one that failed to hold is.
        let exception = exception || (word == "failed" && next != "to");
        if lexicon::negates(&word) && !exception {
            wide = matches!(word.as_str(), "none" | "nobody" | "nothing" | "neither");
            reach = if wide { usize::MAX } else { NEGATED_WORDS };
            clause = tokens[i].clause;
            // What "has not been found" denies is its subject.
            let verb = (i + 1..(i + 5).min(tokens.len()))
                .any(|j| lexicon::denies_subject(&tokens[j].word));
            if matches!(word.as_str(), "not" | "never") && verb {
                let subject = (0..i)
                    .rev()
                    .take_while(|&j| tokens[j].clause == clause && !tokens[j + 1].first);
                for j in subject.collect::<Vec<_>>() {
                    tokens[j].negated = true;
                }
            }
            continue;
        }
        if reach > 0 {
            tokens[i].negated = true;
            if !tokens[i].is_stop() {
                reach = reach.saturating_sub(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn negated(text: &str) -> Vec<String> {
        let passage = Passage::of(text);
        let words = passage.tokens.iter().filter(|t| t.negated && !t.is_stop());
        words.map(|t| t.word.clone()).collect()
    }

    #[test]
    fn negation_reaches_its_clause_and_no_further() {
        assert_eq!(
            negated("The bridge was not damaged, but the road was closed."),
            ["damaged"]
        );
        assert_eq!(
            negated("A rupture has not been detected."),
            ["rupture", "detected"]
        );
        assert_eq!(
            negated("None of the dikes, old or new, had failed."),
            ["dikes", "old", "new", "failed"]
        );
        assert!(negated("It not only damaged the bridge.").is_empty());
    }

    #[test]
    fn letters_written_onto_figures_are_parted() {
        let passage = Passage::of("60KT winds, an M7.5 shock, an EF5 tornado on the 2nd");
        let words: Vec<&str> = passage.tokens.iter().map(|t| t.word.as_str()).collect();
        assert_eq!(words[..2], ["60", "kt"]);
        assert!(words.windows(2).any(|pair| pair == ["m", "7.5"]));
        assert!(words.windows(2).any(|pair| pair == ["ef", "5"]));
        assert_eq!(words.last(), Some(&"2nd"));
    }

    #[test]
    fn names_are_capitals_inside_a_sentence() {
        let passage = Passage::of("Storms hit Port Arthur.");
        let names: Vec<bool> = (0..4).map(|i| passage.is_name(i)).collect();
        assert_eq!(names, [false, false, true, true]);
    }
}
