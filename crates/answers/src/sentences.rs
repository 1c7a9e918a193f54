//! Whole sentences of running text.

use std::ops::Range;

/// Byte ranges of the sentences of a block of running text, without the white space around them.
///
/// A sentence ends at `.`, `!` or `?` (with closing quotes and brackets) before white space and
/// something that can begin a sentence, unless the point belongs to an abbreviation, an initial
/// or a figure. A blank line always ends one. The dots of an ellipsis do not: bulletins in
/// capitals use them as commas.
///
/// ```
/// use lahar_answers::sentences::sentences;
/// let text = "The U.S. Geological Survey mapped it. Mt. Hood rose 2.5 m! (See Fig. 3.) Next";
/// let found: Vec<&str> = sentences(text).into_iter().map(|range| &text[range]).collect();
/// assert_eq!(found, [
///     "The U.S. Geological Survey mapped it.",
///     "Mt. Hood rose 2.5 m!",
///     "(See Fig. 3.)",
///     "Next",
/// ]);
/// ```
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends_here = match c {
            '.' | '!' | '?' | '。' | '！' | '？' => {
                let mut end = at + c.len_utf8();
                let mut marks = 1;
                while let Some(&(next_at, next)) = chars.peek() {
                    if matches!(next, '.' | '!' | '?') {
                        marks += 1;
                    } else if !is_closing(next) {
                        break;
                    }
                    end = next_at + next.len_utf8();
                    chars.next();
                }
                let ellipsis = c == '.' && marks >= 3;
                let divides = !ellipsis
                    && (matches!(c, '。' | '！' | '？') || begins_sentence(&text[end..]))
                    && !(c == '.' && marks == 1 && is_abbreviation(&text[start..at]));
                divides.then_some(end)
            }
            '\n' => text[at + 1..]
                .trim_start_matches([' ', '\t', '\r'])
                .starts_with('\n')
                .then_some(at),
            _ => None,
        };
        if let Some(end) = ends_here {
            push_trimmed(text, start..end, &mut found);
            start = end;
        }
    }
    push_trimmed(text, start..text.len(), &mut found);
    found
}

fn push_trimmed(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let piece = &text[range.clone()];
    let trimmed = piece.trim();
    if trimmed.chars().any(char::is_alphanumeric) {
        let start = range.start + (piece.len() - piece.trim_start().len());
        found.push(start..start + trimmed.len());
    }
}

fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | '”' | '’' | ')' | ']' | '»')
}

/// Whether what follows a full stop can begin a sentence: nothing more, or white space and then
/// anything but a small letter.
fn begins_sentence(rest: &str) -> bool {
    let trimmed = rest.trim_start();
    if trimmed.is_empty() {
        return true;
    }
    trimmed.len() < rest.len()
        && trimmed
            .chars()
            .find(|c| !matches!(c, '"' | '\'' | '“' | '‘' | '(' | '[' | '«'))
            .is_some_and(|c| !c.is_lowercase())
}

/// Whether the words before a point end in an abbreviation, so that the point ends no sentence.
fn is_abbreviation(before: &str) -> bool {
    let word = before
        .rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '“' | '/' | '-'))
        .next()
        .unwrap_or("");
    if word.is_empty() {
        return true;
    }
    // Initials and "U.S", "p.m": single letters parted by points.
    let single_letters = word.split('.').all(|part| part.chars().count() == 1)
        && word.chars().next().is_some_and(char::is_alphabetic);
    if single_letters {
        return true;
    }
    let lower = word.to_lowercase();
    ABBREVIATIONS.binary_search(&lower.as_str()).is_ok()
}

/// Abbreviations that stand before a capital or a figure inside a sentence, sorted for search.
const ABBREVIATIONS: &[&str] = &[
    "al", "approx", "apr", "aug", "ave", "blvd", "ca", "capt", "cf", "ch", "col", "dec", "dept",
    "dr", "e.g", "ed", "eds", "eq", "eqs", "est", "feb", "fig", "figs", "fri", "ft", "gen", "gov",
    "hon", "hwy", "i.e", "jan", "jr", "jul", "jun", "lt", "maj", "mar", "messrs", "mon", "mr",
    "mrs", "ms", "mt", "mts", "no", "nos", "nov", "oct", "pp", "prof", "pt", "rd", "ref", "refs",
    "rep", "rev", "sat", "sec", "sect", "sen", "sep", "sept", "sgt", "sr", "st", "ste", "sun",
    "thu", "thurs", "tue", "tues", "viz", "vol", "vs", "wed",
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        sentences(text)
            .into_iter()
            .map(|range| &text[range])
            .collect()
    }

    #[test]
    fn abbreviations_are_sorted_for_search() {
        assert!(ABBREVIATIONS.is_sorted());
    }

    #[test]
    fn points_inside_names_figures_and_times_end_nothing() {
        for whole in [
            "Flooding began at 3 p.m. Monday near St. Louis.",
            "Stage at 27.0 feet floods Hwy. 9.",
            "FLASH FLOODING...ROADS CLOSED...STAY AWAY.",
            "J. B. Smith et al. 2014 measured it.",
        ] {
            assert_eq!(cut(whole), [whole]);
        }
    }

    #[test]
    fn quotes_stay_with_their_sentence() {
        assert_eq!(
            cut("She said \"go now.\" They went. 3 stayed."),
            ["She said \"go now.\"", "They went.", "3 stayed."]
        );
    }

    #[test]
    fn a_blank_line_ends_a_sentence_and_a_line_break_does_not() {
        assert_eq!(
            cut("first line\nsecond line\n \nthird"),
            ["first line\nsecond line", "third"]
        );
    }

    proptest! {
        #[test]
        fn sentences_are_in_order_and_hold_every_letter(text in "[a-zA-Z0-9 .!?\"\n()é。]{0,200}") {
            let mut letters = 0;
            let mut behind = 0;
            for range in sentences(&text) {
                prop_assert!(range.start >= behind);
                behind = range.end;
                letters += text[range].chars().filter(|c| c.is_alphanumeric()).count();
            }
            prop_assert_eq!(letters, text.chars().filter(|c| c.is_alphanumeric()).count());
        }
    }
}
