//! Words of the field for the variables of the vocabulary.

use std::sync::LazyLock;

use lahar_core::Unit;

use super::phrases::{Phrase, Word};
use crate::vocabulary;

static TERMS: LazyLock<Vec<(String, Phrase)>> = LazyLock::new(|| {
    let lines = include_str!("terms.txt").lines();
    let kept = lines.filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    kept.filter_map(|line| {
        let (variable, phrase) = line.split_once(' ')?;
        Some((variable.to_owned(), Phrase::parse(phrase)))
    })
    .collect()
});

/// A variable that a sentence names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The variable.
    pub variable: &'static str,
    /// First byte of the words that name it.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
    /// How many words name it: more are more definite.
    pub words: usize,
}

/// The variables that a sentence names. Of names in one place the longest counts.
pub fn named(sentence: &[Word]) -> Vec<Named> {
    let mut found: Vec<Named> = Vec::new();
    for (variable, phrase) in TERMS.iter() {
        let mut from = 0;
        while let Some((first, after)) = phrase.find(sentence, from) {
            found.push(Named {
                variable,
                start: sentence[first].start,
                end: sentence[after - 1].end,
                words: phrase.len(),
            });
            from = first + 1;
        }
    }
    found.sort_by_key(|named| (std::cmp::Reverse(named.words), named.start));
    let mut kept: Vec<Named> = Vec::new();
    for named in found {
        let covered = |other: &Named| {
            named.start < other.end && other.start < named.end && named.words < other.words
        };
        if !kept.iter().any(covered) {
            kept.push(named);
        }
    }
    kept.sort_by_key(|named| named.start);
    kept
}

/// Whether a number in a unit can be one of a variable; without a unit only where the variable
/// is a plain number.
pub fn fits(variable: &str, unit: Option<&Unit>) -> bool {
    let Some(usual) = vocabulary::entry(variable).map(|entry| entry.unit.as_str()) else {
        return false;
    };
    match (unit, usual) {
        (_, "" | "*") => false,
        (None, "1" | "fraction") => true,
        (None, usual) => usual
            .parse::<Unit>()
            .is_ok_and(|usual| usual.symbol() == "Mw"),
        (Some(unit), usual) => usual
            .parse::<Unit>()
            .is_ok_and(|usual| unit.check_convertible(&usual).is_ok()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::phrases::words;

    #[test]
    fn every_line_names_a_variable_of_the_vocabulary() {
        let lines = include_str!("terms.txt").lines();
        let wanted = lines
            .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
            .count();
        assert_eq!(TERMS.len(), wanted);
        for (variable, _) in TERMS.iter() {
            assert!(vocabulary::entry(variable).is_some(), "{variable}");
        }
    }

    #[test]
    fn the_longest_name_counts() {
        let found = named(&words("the peak ground acceleration on a slope"));
        let variables: Vec<&str> = found.iter().map(|named| named.variable).collect();
        assert_eq!(variables, ["peak_ground_acceleration", "slope"]);
    }

    #[test]
    fn a_unit_must_be_one_of_the_variable() {
        let km2: Unit = "km2".parse().unwrap();
        assert!(fits("contributing_area", Some(&km2)));
        assert!(!fits("slope", Some(&km2)));
        assert!(fits("magnitude", None));
        assert!(!fits("slope", None));
    }
}
