//! Whether a retrieved chunk bears on a question, before anything is quoted from it.
//!
//! Retrieval always finds something. A chunk bears on the question when it holds enough of the
//! question's words, each weighted by its rarity, and when no name and no year of the question is
//! missing from it and from what its document says of itself.

use std::collections::{BTreeMap, HashSet};

use crate::question::Reading;
use crate::terms::terms;

/// Share of the weighted words that a chunk must hold when its vector is close to the question's.
const COVERAGE_WITH_SIMILARITY: f32 = 0.3;
/// Cosine from which a vector counts as close.
const CLOSE_COSINE: f32 = 0.45;
/// Share of the weighted words that a chunk must hold by words alone, ...
const COVERAGE_BY_WORDS: f32 = 0.5;
/// ... or share of the words counted alike, so that one rare word ("last", "reportedly") that the
/// evidence says otherwise does not outweigh all others.
pub(crate) const SHARE_OF_WORDS: f32 = 0.6;

/// How much each word of a question says, learnt from the chunks that were retrieved for it: a
/// word that stands in all of them tells them not apart.
#[derive(Debug, Clone)]
pub struct Rarity {
    weights: BTreeMap<String, f32>,
    total: f32,
}

impl Rarity {
    /// Inverse document frequency of the question's stems over the retrieved chunks,
    /// `ln(1 + (N - n + 0.5) / (n + 0.5))` with `n` of `N` chunks holding the stem (Robertson and
    /// Spärck Jones 1976, the form that BM25 uses).
    pub fn over(stems: &[String], chunks: &[HashSet<String>]) -> Rarity {
        let count = chunks.len() as f32;
        let weights: BTreeMap<String, f32> = stems
            .iter()
            .map(|stem| {
                let holding = chunks.iter().filter(|chunk| chunk.contains(stem)).count() as f32;
                (
                    stem.clone(),
                    (1.0 + (count - holding + 0.5) / (holding + 0.5)).ln(),
                )
            })
            .collect();
        let total = weights.values().sum();
        Rarity { weights, total }
    }

    /// Share of the question's weight that a set of stems holds, 0 to 1.
    pub fn coverage(&self, held: &HashSet<String>) -> f32 {
        self.credit(|stem| if held.contains(stem) { 1.0 } else { 0.0 })
    }

    /// Share of the question's weight when each stem is credited with a part of its own, 0 to 1.
    pub fn credit(&self, part: impl Fn(&str) -> f32) -> f32 {
        if self.total <= 0.0 {
            return 0.0;
        }
        let sum: f32 = self
            .weights
            .iter()
            .map(|(stem, weight)| part(stem) * weight)
            .sum();
        sum / self.total
    }
}

/// The comparable words of a text.
pub fn stem_set(text: &str) -> HashSet<String> {
    terms(text).into_iter().map(|term| term.stem).collect()
}

/// Share of the question's words that the best two neighbouring lines or sentences of a text hold
/// together. A chunk of several subjects holds many words of a question, scattered over sentences
/// of which none is an answer. Words count alike: where fifty passages say the same of fifty
/// places, the words that name the subject are the common ones.
pub fn nearest_words(stems: &[String], text: &str) -> f32 {
    let parts: Vec<HashSet<String>> = text
        .split(['\n', '.', ';', '?', '!'])
        .map(stem_set)
        .filter(|part| !part.is_empty())
        .collect();
    let share = |near: &[HashSet<String>]| {
        let held = stems
            .iter()
            .filter(|stem| near.iter().any(|part| part.contains(*stem)));
        held.count() as f32 / stems.len().max(1) as f32
    };
    let together = parts.windows(2).map(share);
    together.fold(
        parts
            .first()
            .map_or(0.0, |part| share(std::slice::from_ref(part))),
        f32::max,
    )
}

/// Share of the best passage's [`nearest_words`] that another passage must reach to be about the
/// same subject. Where a library says about many places what the question asks of one, a passage
/// about that one place which says something else is no answer.
pub const SAME_SUBJECT: f32 = 0.65;

/// The comparable words of a text in their order, so that names can be looked for.
#[derive(Debug, Clone)]
pub struct Words {
    order: Vec<String>,
    set: HashSet<String>,
}

/// Words that may stand between two words of a name: "Boulder and northern Gilpin Counties" names
/// Boulder County. "Washington" and "county" three lines apart name nothing.
const NAME_GAP: usize = 3;

impl Words {
    /// The words of a text.
    pub fn of(text: &str) -> Words {
        let order: Vec<String> = terms(text).into_iter().map(|term| term.stem).collect();
        let set = order.iter().cloned().collect();
        Words { order, set }
    }

    /// The words without their order.
    pub fn set(&self) -> &HashSet<String> {
        &self.set
    }

    /// Whether the words of a name stand here in order and close together.
    pub fn name(&self, name: &str) -> bool {
        let wanted: Vec<String> = terms(name).into_iter().map(|term| term.stem).collect();
        let Some((first, rest)) = wanted.split_first() else {
            return true;
        };
        if !wanted.iter().all(|stem| self.set.contains(stem)) {
            return false;
        }
        let starts = self
            .order
            .iter()
            .enumerate()
            .filter(|(_, stem)| *stem == first);
        starts.map(|(at, _)| at).any(|start| {
            let mut at = start;
            rest.iter().all(|stem| {
                let window = self.order.iter().skip(at + 1).take(NAME_GAP + 1);
                match window.into_iter().position(|found| found == stem) {
                    Some(offset) => {
                        at += offset + 1;
                        true
                    }
                    None => false,
                }
            })
        })
    }
}

/// What is known of a chunk when its bearing is judged.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// Words of the chunk, and those by which its document says what it is about: title,
    /// headings above the chunk, place, publisher, date, first lines.
    pub words: &'a Words,
    /// Cosine to the question, where vectors were compared.
    pub cosine: Option<f32>,
}

/// A judged chunk.
#[derive(Debug, Clone, PartialEq)]
pub struct Bearing {
    /// Weighted share of the question's words.
    pub coverage: f32,
    /// Names and years of the question that neither the chunk nor its document's head holds.
    pub lacks: Vec<String>,
    /// Whether the chunk may be quoted.
    pub bears: bool,
}

/// Judges one chunk.
pub fn judge(reading: &Reading, rarity: &Rarity, candidate: Candidate<'_>) -> Bearing {
    let coverage = rarity.coverage(candidate.words.set());
    let lacks: Vec<String> = reading
        .names
        .iter()
        .chain(&reading.years)
        .filter(|name| !candidate.words.name(name))
        .cloned()
        .collect();
    let close = candidate
        .cosine
        .is_some_and(|cosine| cosine >= CLOSE_COSINE);
    let held = reading
        .stems
        .iter()
        .filter(|stem| candidate.words.set().contains(*stem))
        .count();
    let share = held as f32 / reading.stems.len().max(1) as f32;
    let enough = coverage >= COVERAGE_BY_WORDS
        || share >= SHARE_OF_WORDS
        || (close && coverage >= COVERAGE_WITH_SIMILARITY);
    let bears = enough && lacks.is_empty();
    Bearing {
        coverage,
        lacks,
        bears,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(question: &str, chunk: &str, about: &str, others: &[&str]) -> Bearing {
        let reading = Reading::of(question);
        let words = Words::of(&format!("{about}\n{chunk}"));
        let mut pool: Vec<_> = others.iter().map(|text| stem_set(text)).collect();
        pool.push(words.set().clone());
        let rarity = Rarity::over(&reading.stems, &pool);
        judge(
            &reading,
            &rarity,
            Candidate {
                words: &words,
                cosine: None,
            },
        )
    }

    #[test]
    fn a_chunk_about_another_county_does_not_bear() {
        let rule = "New homes in forests need a mitigation plan.";
        let here = judged(
            "Do new homes in Elm County need a mitigation plan?",
            rule,
            "Elm County",
            &[],
        );
        assert!(here.bears && here.lacks.is_empty());
        let there = judged(
            "Do new homes in Elm County need a mitigation plan?",
            rule,
            "Oak County",
            &[],
        );
        assert!(!there.bears);
        assert_eq!(there.lacks, ["Elm County"]);
    }

    #[test]
    fn a_name_is_found_as_a_whole_and_not_in_pieces() {
        let names = |text: &str, name: &str| Words::of(text).name(name);
        assert!(names(
            "permits for Boulder and northern Gilpin Counties",
            "Boulder County"
        ));
        assert!(!names(
            "The Washington Monument cracked. Losses in Virginia. Each county counted its own.",
            "Washington County"
        ));
        assert!(!names("County Road 9 at Elm", "Elm County"));
    }

    #[test]
    fn words_scattered_over_sentences_are_worth_less_than_a_sentence() {
        let reading = Reading::of("How many blasts of the siren order an evacuation?");
        let said = "Test days.\nThree blasts of the siren order an evacuation.";
        let scattered = "The siren is old. A kiln stands here. Blasts were heard. Nobody came. \
                         Plans exist. Order is kept. Roads are wide. An evacuation took long.";
        assert_eq!(nearest_words(&reading.stems, said), 1.0);
        assert!(nearest_words(&reading.stems, scattered) < SAME_SUBJECT);
        let all = stem_set(scattered);
        assert!(reading.stems.iter().all(|stem| all.contains(stem)));
    }

    #[test]
    fn common_words_alone_do_not_make_a_chunk_bear() {
        let flood = [
            "The river flood stage was near.",
            "The flood crested.",
            "A flood at the river",
        ];
        let bearing = judged(
            "Which dyke failed in the river flood?",
            flood[0],
            "",
            &flood,
        );
        assert!(!bearing.bears, "{bearing:?}");
    }
}
