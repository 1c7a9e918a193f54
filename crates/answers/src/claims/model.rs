//! The fitted model that weighs the signs for and against a claim.
//!
//! It is a logistic regression (Cox, 1958, doi:10.1111/j.2517-6161.1958.tb00292.x): the log-odds
//! that a claim holds are a constant and the sum of each sign's value times its weight. A sign that
//! is not there has the value 0, so that what a verdict rests on can be read off term by term. The
//! weights and how they were fitted stand in `weights.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::verdict::Sign;

/// The signs in the order of the weights file.
pub(crate) const SIGNS: [&str; 34] = [
    "words_found",
    "words_found_here",
    "word_missing",
    "second_word_missing",
    "verb_missing",
    "quality_missing",
    "thing_missing",
    "name_missing",
    "name_other",
    "name_apart",
    "meaning",
    "meaning_of_words",
    "meaning_of_farthest_word",
    "figure_same",
    "figure_within",
    "figure_differs",
    "figure_counts_other",
    "figure_absent",
    "figure_apart",
    "figure_of_other",
    "date_same",
    "date_differs",
    "date_absent",
    "denied",
    "contrary",
    "rank_same",
    "rank_differs",
    "compared_same",
    "compared_otherwise",
    "every_where_some",
    "every_unsaid",
    "cause_other",
    "words_apart",
    "bond_broken",
];

/// Weights for one kind of library.
#[derive(Debug, Default)]
struct Weighed {
    constant: f32,
    signs: HashMap<&'static str, f32>,
}

struct Fitted {
    with_meaning: Weighed,
    words_alone: Weighed,
}

static FITTED: LazyLock<Fitted> = LazyLock::new(|| read(include_str!("weights.txt")));

fn read(text: &'static str) -> Fitted {
    let mut fitted = Fitted {
        with_meaning: Weighed::default(),
        words_alone: Weighed::default(),
    };
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let mut fields = line.split_whitespace();
        let Some(name) = fields.next() else { continue };
        for weighed in [&mut fitted.with_meaning, &mut fitted.words_alone] {
            let weight = fields.next().and_then(|w| w.parse().ok());
            let Some(weight) = weight else { continue };
            match name {
                "constant" => weighed.constant = weight,
                name => _ = weighed.signs.insert(name, weight),
            }
        }
    }
    fitted
}

/// What every sign adds to the log-odds that a claim holds, and their sum with the constant.
pub(crate) fn weigh(signs: &[Sign], with_meaning: bool) -> (Vec<f32>, f32) {
    let weighed = match with_meaning {
        true => &FITTED.with_meaning,
        false => &FITTED.words_alone,
    };
    let terms: Vec<f32> = signs
        .iter()
        .map(|sign| sign.value * weighed.signs.get(sign.name).copied().unwrap_or(0.0))
        .collect();
    let sum = terms.iter().sum::<f32>();
    (terms, weighed.constant + sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_has_a_weight_and_every_weight_a_sign() {
        for weighed in [&FITTED.with_meaning, &FITTED.words_alone] {
            let mut known: Vec<&str> = weighed.signs.keys().copied().collect();
            let mut wanted = SIGNS.to_vec();
            known.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(known, wanted);
        }
    }

    #[test]
    fn a_missing_sign_adds_nothing() {
        let (terms, alone) = weigh(&[], true);
        assert!(terms.is_empty());
        assert_eq!(alone, FITTED.with_meaning.constant);
    }
}
