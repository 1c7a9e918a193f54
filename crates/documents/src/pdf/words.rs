//! Words that were divided at a line end, made whole.
//!
//! "develop-" and "ment" are one word; "post-" and "fire" are two with a hyphen between them. The
//! document itself is the best witness: whichever form it has elsewhere is right. Where it has
//! neither, the hyphen stays when both halves are words of the document, or the first half is one
//! that hyphens follow.

use std::collections::HashMap;

use super::engine::PdfPage;

/// First halves that keep their hyphen when nothing else is known.
const HYPHENATED: &[&str] = &[
    "all", "cross", "east", "ex", "far", "five", "four", "full", "half", "hard", "high", "in",
    "large", "long", "low", "medium", "mid", "multi", "near", "non", "north", "off", "on", "one",
    "open", "part", "post", "pre", "quasi", "real", "self", "semi", "shallow", "short", "six",
    "slow", "small", "south", "steep", "ten", "three", "two", "well", "west", "wide",
];

/// Second halves that are joined by a hyphen when nothing else is known.
const JOINED: &[&str] = &[
    "based",
    "bearing",
    "borne",
    "caused",
    "dependent",
    "dominated",
    "driven",
    "fed",
    "free",
    "generated",
    "induced",
    "level",
    "like",
    "looking",
    "made",
    "prone",
    "related",
    "resistant",
    "scale",
    "shaped",
    "sized",
    "specific",
    "term",
    "triggered",
    "type",
    "wide",
    "year",
];

/// How often each word stands in a document, words at line ends apart.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    counts: HashMap<String, usize>,
}

impl Vocabulary {
    pub fn of(pages: &[PdfPage]) -> Vocabulary {
        let mut counts = HashMap::new();
        for line in pages.iter().flat_map(|page| &page.lines) {
            for (number, cell) in line.cells.iter().enumerate() {
                let is_last = number + 1 == line.cells.len();
                let words: Vec<&str> = cell.text.split_whitespace().collect();
                for (place, word) in words.iter().enumerate() {
                    let divided = is_last && place + 1 == words.len() && ends_divided(word);
                    // The second half of a divided word would pass for a word too, but nothing
                    // tells it from one here; halves are checked in pairs below.
                    if !divided {
                        let word = bare(word);
                        if !word.is_empty() {
                            *counts.entry(word).or_insert(0) += 1;
                        }
                    }
                }
            }
        }
        Vocabulary { counts }
    }

    fn count(&self, word: &str) -> usize {
        self.counts.get(word).copied().unwrap_or(0)
    }

    /// Whether the hyphen between two halves belongs to the word.
    fn keeps_hyphen(&self, first: &str, second: &str) -> bool {
        let first = bare(first);
        let second = bare(second);
        let whole = self.count(&format!("{first}{second}"));
        let hyphenated = self.count(&format!("{first}-{second}"));
        if whole != hyphenated {
            return hyphenated > whole;
        }
        let last_part = first.rsplit('-').next().unwrap_or("");
        if HYPHENATED.contains(&last_part)
            || JOINED.contains(&second.as_str()) && last_part.chars().count() > 2
            || last_part.ends_with(|c: char| c.is_ascii_digit())
        {
            return true;
        }
        // The second half always stands once, at the line start where it was found.
        last_part.chars().count() > 3
            && second.chars().count() > 3
            && self.count(last_part) > 1
            && self.count(&second) > 2
    }

    /// Appends a line to the text before it, mending the word between them.
    pub fn append(&self, text: &mut String, line: &str) {
        let standing = text.trim_end().len();
        text.truncate(standing);
        if text.is_empty() {
            text.push_str(line);
            return;
        }
        let next = line.split_whitespace().next().unwrap_or("");
        if text.ends_with('\u{ad}') {
            text.pop();
        } else if ends_divided(last_word(text)) && next.starts_with(char::is_alphanumeric) {
            let first = last_word(text);
            let lower = next.starts_with(char::is_lowercase);
            if lower && !self.keeps_hyphen(&first[..first.len() - hyphen_len(first)], next) {
                text.truncate(text.len() - hyphen_len(last_word(text)));
            }
        } else if !(text.ends_with(is_unspaced) && next.starts_with(is_unspaced)) {
            text.push(' ');
        }
        text.push_str(line);
    }
}

/// Characters of writing that parts no words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}')
}

fn last_word(text: &str) -> &str {
    text.rsplit(char::is_whitespace).next().unwrap_or("")
}

fn hyphen_len(word: &str) -> usize {
    word.chars().next_back().map_or(0, char::len_utf8)
}

/// Whether a word at a line end is the first half of one: a hyphen right behind a letter or digit.
fn ends_divided(word: &str) -> bool {
    let mut chars = word.chars().rev();
    matches!(chars.next(), Some('-' | '\u{2010}' | '\u{ad}'))
        && chars.next().is_some_and(char::is_alphanumeric)
}

/// A word without its punctuation, in lower case.
fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase()
        .replace('\u{2010}', "-")
}

/// Ligatures as letters, soft hyphens gone except at the end, where they divide a word.
pub(super) fn letters(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\u{fb00}' => plain.push_str("ff"),
            '\u{fb01}' => plain.push_str("fi"),
            '\u{fb02}' => plain.push_str("fl"),
            '\u{fb03}' => plain.push_str("ffi"),
            '\u{fb04}' => plain.push_str("ffl"),
            '\u{fb05}' | '\u{fb06}' => plain.push_str("st"),
            '\u{ad}' if rest.peek().is_some() => {}
            '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' => plain.push(' '),
            '\u{200b}' => {}
            _ => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::engine::{PdfCell, PdfLine};

    fn vocabulary(lines: &[&str]) -> Vocabulary {
        let lines = lines
            .iter()
            .map(|text| PdfLine {
                cells: vec![PdfCell {
                    text: (*text).to_owned(),
                    ..PdfCell::default()
                }],
                ..PdfLine::default()
            })
            .collect();
        Vocabulary::of(&[PdfPage {
            lines,
            ..PdfPage::default()
        }])
    }

    fn joined(vocabulary: &Vocabulary, first: &str, second: &str) -> String {
        let mut text = first.to_owned();
        vocabulary.append(&mut text, second);
        text
    }

    #[test]
    fn the_document_says_how_a_word_is_written() {
        let known = vocabulary(&["the post-fire slopes, and development; wildfire and fire"]);
        assert_eq!(
            joined(&known, "the post-", "fire slopes"),
            "the post-fire slopes"
        );
        assert_eq!(
            joined(&known, "a develop-", "ment plan"),
            "a development plan"
        );
        assert_eq!(
            joined(&known, "more wild-", "fire there"),
            "more wildfire there"
        );
    }

    #[test]
    fn without_a_witness_numbers_and_prefixes_keep_their_hyphen() {
        let none = vocabulary(&[]);
        assert_eq!(
            joined(&none, "the 100-", "year flood"),
            "the 100-year flood"
        );
        assert_eq!(joined(&none, "a long-", "term view"), "a long-term view");
        assert_eq!(joined(&none, "Anglo-", "Saxon"), "Anglo-Saxon");
        assert_eq!(joined(&none, "con-", "tinuous"), "continuous");
        assert_eq!(joined(&none, "soft\u{ad}", "ware"), "software");
        assert_eq!(joined(&none, "a dash -", "here"), "a dash - here");
        assert_eq!(
            letters("ﬁre in\u{ad}tensity, eﬀect"),
            "fire intensity, effect"
        );
    }
}
