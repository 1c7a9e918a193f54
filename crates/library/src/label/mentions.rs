//! Counting what a text speaks of.

use std::collections::BTreeMap;

use lahar_core::Hazard;

use super::lexicon::{BUILT_IN, HINT, fold, words_of};

/// How much of a text's words belongs to each hazard.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    masses: BTreeMap<Hazard, Mass>,
    words: usize,
}

#[derive(Debug, Default)]
struct Mass {
    /// Terms that belong to the hazard.
    telling: f32,
    /// Terms that hint at it.
    hints: f32,
}

/// Part of a term's weight that is left under a negation: a bulletin that says "no tsunami" is
/// still about tsunamis, and less so.
const NEGATED: f32 = 0.3;
/// How many words back a negation reaches.
const REACH: usize = 3;

impl Mentions {
    pub fn of(text: &str) -> Mentions {
        let raw: Vec<String> = words_of(text).collect();
        let folded: Vec<String> = raw.iter().map(|word| fold(word)).collect();
        let mut mentions = Mentions {
            masses: BTreeMap::new(),
            words: raw.len(),
        };
        let mut at = 0;
        while at < folded.len() {
            let Some((term, length)) = BUILT_IN.longest(&folded[at..]) else {
                at += 1;
                continue;
            };
            let before = &raw[at.saturating_sub(REACH)..at];
            let factor = if before.iter().any(|word| is_negation(word)) {
                NEGATED
            } else {
                1.0
            };
            for (hazard, weight) in &term.hazards {
                let mass = mentions.masses.entry(hazard.clone()).or_default();
                if *weight > HINT {
                    mass.telling += weight * factor;
                } else {
                    mass.hints += weight * factor;
                }
            }
            at += length;
        }
        mentions
    }

    /// Hazards spoken of, each with the weight of all its terms together. Hints count up to as much
    /// as the terms that they stand beside.
    pub fn masses(&self) -> impl Iterator<Item = (&Hazard, f32)> {
        self.masses
            .iter()
            .map(|(hazard, mass)| (hazard, mass.telling + mass.hints.min(mass.telling)))
    }

    /// Number of words of the text.
    pub fn words(&self) -> usize {
        self.words
    }
}

fn is_negation(word: &str) -> bool {
    matches!(word, "no" | "not" | "never" | "without" | "neither" | "nor")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mass(text: &str, hazard: Hazard) -> f32 {
        let mentions = Mentions::of(text);
        mentions
            .masses()
            .find(|(h, _)| **h == hazard)
            .map_or(0.0, |(_, mass)| mass)
    }

    #[test]
    fn longer_terms_use_up_their_words() {
        assert_eq!(mass("storm surge", Hazard::STORM), 0.0);
        assert!(mass("storm surge", Hazard::HURRICANE) > 0.0);
        assert_eq!(mass("storm", Hazard::STORM), 0.0, "a hint alone");
        assert_eq!(mass("the tornado in that storm", Hazard::STORM), 4.0);
        assert_eq!(mass("Tropical Storm Ida", Hazard::STORM), 0.0);
        assert!(mass("DEBRIS FLOWS", Hazard::LANDSLIDE) >= 3.0);
        assert!(mass("seismologists", Hazard::EARTHQUAKE) >= 3.0);
    }

    #[test]
    fn figures_of_speech_count_for_nothing() {
        for (text, hazard) in [
            ("a flood of calls reached the office", Hazard::FLOOD),
            ("a landslide victory", Hazard::LANDSLIDE),
            ("a perfect storm of errors", Hazard::STORM),
            ("the fire department came", Hazard::WILDFIRE),
            ("the mayor came under fire", Hazard::WILDFIRE),
            ("orders of magnitude larger", Hazard::EARTHQUAKE),
            ("a tree of Douglas fir", Hazard::WILDFIRE),
        ] {
            assert_eq!(mass(text, hazard), 0.0, "{text}");
        }
    }

    #[test]
    fn a_negated_mention_counts_less() {
        let plain = mass("a tsunami is expected", Hazard::TSUNAMI);
        let negated = mass("there is no destructive tsunami threat", Hazard::TSUNAMI);
        assert!(negated > 0.0 && negated < plain);
    }
}
