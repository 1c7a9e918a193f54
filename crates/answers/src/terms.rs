//! Words made comparable: lower case, no possessive, English stem, figures without separators.

use std::ops::Range;

use rust_stemmers::{Algorithm, Stemmer};

/// A word of a text that carries meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The comparable form.
    pub stem: String,
    /// Bytes of the word as it stands in the text.
    pub bytes: Range<usize>,
}

/// The words of a text that carry meaning, in order: every word that is not a [stop word](is_stop_word).
///
/// ```
/// use lahar_answers::terms::terms;
/// let stems: Vec<String> = terms("The landslides' debris cost $1,234.5 in 1964.")
///     .into_iter().map(|term| term.stem).collect();
/// assert_eq!(stems, ["landslid", "debri", "cost", "1234.5", "1964"]);
/// ```
pub fn terms(text: &str) -> Vec<Term> {
    let stemmer = Stemmer::create(Algorithm::English);
    words(text)
        .filter_map(|bytes| {
            let word = fold(&text[bytes.clone()]);
            if is_stop_word(&word) || word.is_empty() {
                return None;
            }
            let stem = match word.starts_with(|c: char| c.is_ascii_digit()) {
                true => word,
                false => stemmer.stem(&word).into_owned(),
            };
            Some(Term { stem, bytes })
        })
        .collect()
}

/// The byte ranges of a text's words. A word is a run of letters and digits; an apostrophe
/// between letters, and a point or comma between digits, belong to it.
pub fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, mut previous) = chars.find(|(_, c)| c.is_alphanumeric())?;
        let mut end = start + previous.len_utf8();
        while let Some(&(at, c)) = chars.peek() {
            let next_is = |test: fn(&char) -> bool| {
                text[at + c.len_utf8()..]
                    .chars()
                    .next()
                    .is_some_and(|next| test(&next))
            };
            let inside = c.is_alphanumeric()
                || (matches!(c, '\'' | '’') && next_is(|n| n.is_alphabetic()))
                || (matches!(c, '.' | ',')
                    && previous.is_ascii_digit()
                    && next_is(char::is_ascii_digit));
            if !inside {
                break;
            }
            end = at + c.len_utf8();
            previous = c;
            chars.next();
        }
        Some(start..end)
    })
}

/// Lower case, without possessive endings, marks of a figure's thousands and apostrophes.
fn fold(word: &str) -> String {
    let lower = word.to_lowercase().replace('’', "'");
    let base = lower.strip_suffix("'s").unwrap_or(&lower);
    if base.starts_with(|c: char| c.is_ascii_digit()) {
        base.replace(',', "")
    } else {
        base.replace('\'', "")
    }
}

/// Whether a lower-case word says nothing about what a question is after: the words that retrieval
/// passes over, and those that only ask.
pub fn is_stop_word(word: &str) -> bool {
    const ASKING: [&str; 7] = ["get", "give", "given", "please", "say", "says", "tell"];
    lahar_library::is_stop_word(word) || ASKING.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_only_ask_say_nothing() {
        assert!(is_stop_word("tell") && is_stop_word("which") && !is_stop_word("tsunami"));
    }

    #[test]
    fn a_word_keeps_its_apostrophe_and_a_figure_its_point() {
        let text = "O'odham people's 27.0-foot stage, 1,000. End.";
        let found: Vec<&str> = words(text).map(|range| &text[range]).collect();
        assert_eq!(
            found,
            [
                "O'odham", "people's", "27.0", "foot", "stage", "1,000", "End"
            ]
        );
    }

    #[test]
    fn singular_and_plural_share_a_stem() {
        assert_eq!(terms("evacuations")[0].stem, terms("Evacuation")[0].stem);
        assert_eq!(terms("county's")[0].stem, terms("County")[0].stem);
    }
}
