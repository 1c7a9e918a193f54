//! The terms of a text.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::stem::stem;

/// Calls `found` with each word of a text as it stands but in lower case. A number with its decimals
/// or thousands is one word ("4.5", "28,188th"), and so is one with an apostrophe ("don't").
pub(crate) fn words(text: &str, mut found: impl FnMut(&str)) {
    let mut word = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        } else if c.is_alphanumeric() {
            folded(c, &mut word);
        } else if word.is_empty() {
            // Nothing begins with a mark.
        } else if matches!(c, '.' | ',')
            && word.ends_with(|c: char| c.is_ascii_digit())
            && chars.peek().is_some_and(char::is_ascii_digit)
        {
            word.push(c);
        } else if matches!(c, '\'' | '’') && chars.peek().is_some_and(|c| c.is_alphabetic()) {
            word.push('\'');
        } else if !c.is_ascii() && is_combining_mark(c) {
            word.push(c);
        } else {
            found(&word);
            word.clear();
        }
    }
    if !word.is_empty() {
        found(&word);
    }
}

/// A letter without its case: small letters of one capital are one letter (µ and μ, ς and σ).
fn folded(c: char, word: &mut String) {
    let mut capital = c.to_uppercase();
    match (capital.next(), capital.next()) {
        (Some(capital), None) => word.extend(capital.to_lowercase()),
        _ => word.extend(c.to_lowercase()),
    }
}

/// What parts the parts of a word.
const JOINTS: [char; 3] = ['.', ',', '\''];

/// Calls `found` with each term of a word that [`words`] gave: the stem of each of its parts, and
/// of a word of several parts the whole, for which the second value is `false`: it does not count
/// for the length of a text.
pub(crate) fn terms_of_word(word: &str, mut found: impl FnMut(&str, bool)) {
    let mut term = String::with_capacity(word.len());
    if !word.contains(JOINTS) {
        part(word, &mut term);
        return found(&term, true);
    }
    let mut whole = String::with_capacity(word.len());
    for piece in word.split_inclusive(JOINTS) {
        let bare = piece.trim_end_matches(JOINTS);
        part(bare, &mut term);
        found(&term, true);
        whole.push_str(&term);
        whole.push_str(&piece[bare.len()..]);
    }
    found(&whole, false);
}

/// The term for which a word of a question stands: the whole, where it has several parts.
pub(crate) fn term_of(word: &str) -> String {
    let mut last = String::new();
    terms_of_word(word, |term, _| term.clone_into(&mut last));
    last
}

/// A part of a word without accents, stemmed.
fn part(word: &str, term: &mut String) {
    term.clear();
    if word.is_ascii() {
        term.push_str(word);
    } else {
        // Only what is put above and below letters; signs of vowels in other scripts stay.
        let is_accent = |c: &char| ('\u{300}'..='\u{36f}').contains(c);
        term.extend(word.nfd().filter(|c| !is_accent(c)).nfc());
    }
    stem(term);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<(String, bool)> {
        let mut all = Vec::new();
        words(text, |word| {
            terms_of_word(word, |term, counts| all.push((term.to_owned(), counts)));
        });
        all
    }

    #[test]
    fn a_number_is_found_as_a_whole_and_by_its_parts() {
        let expected = [("4", true), ("5", true), ("4.5", false), ("minut", true)];
        assert_eq!(
            terms("4.5 minutes."),
            expected.map(|(t, c)| (t.to_owned(), c))
        );
        assert_eq!(term_of("4.5"), "4.5");
        assert_eq!(term_of("levees"), "leve");
        assert_eq!(term_of("don't"), "don't");
    }

    #[test]
    fn accents_and_case_do_not_matter_and_vowel_signs_do() {
        assert_eq!(term_of("ōtaki"), "otaki");
        assert_eq!(terms("O\u{304}TAKI Ōtaki"), terms("otaki otaki"));
        assert_ne!(term_of("\u{915}\u{947}"), term_of("\u{915}"));
        assert_eq!(terms("--- ' . , \u{301}"), []);
    }
}
