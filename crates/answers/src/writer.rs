//! The extractive writer: chooses whole sentences and rows, and says nothing of its own.

use std::collections::HashSet;

use crate::bearing::{Rarity, stem_set};
use crate::numerals::tells_a_number;
use crate::question::{AsksFor, Reading};
use crate::terms::terms;

/// Most statements in an answer.
const MOST_STATEMENTS: usize = 4;
/// A further statement must come this close to the best one, ...
const NEARLY_BEST: f32 = 0.85;
/// ... or half as close and add this share of the question's weighted words.
const GAIN: f32 = 0.2;
/// What a word of the question counts when only the title, heading or table header above a unit
/// holds it, against 1 in the unit itself.
const CONTEXT_CREDIT: f32 = 0.4;
/// The same for a name: once the document is about it, its sentences need not repeat it.
const CONTEXT_CREDIT_OF_NAMES: f32 = 0.9;
/// What holding the kind of thing asked for is worth.
const FITTING: f32 = 0.3;
/// What each rank of the chunk takes off.
const RANK_PENALTY: f32 = 0.02;
/// A sentence of fewer words than this says hardly anything; a row says it with its header.
const FEW_WORDS: usize = 4;

/// A quotable unit as the writer sees it.
#[derive(Debug, Clone)]
pub struct Quotable {
    /// Its words.
    pub text: String,
    /// Title, place, heading and table header above it, which lend it their words.
    pub context: String,
    /// What is embedded for it: its words behind the heading and table header above it, without
    /// which a row or a short sentence means nothing.
    pub in_context: String,
    /// Whether it is a row of a table.
    pub is_row: bool,
    /// Rank of its chunk, 0 for the best.
    pub rank: usize,
    /// Cosine to the question, where sentences were embedded.
    pub cosine: Option<f32>,
}

/// Chooses the units to quote, best first: the best one, then those that come near it or add
/// words of the question, never the same words twice. Empty only when there is nothing to choose
/// from.
pub fn choose(quotables: &[Quotable], reading: &Reading, rarity: &Rarity) -> Vec<usize> {
    let names = name_stems(reading);
    let stems: Vec<HashSet<String>> = quotables.iter().map(|q| stem_set(&q.text)).collect();
    let scores: Vec<f32> = quotables
        .iter()
        .zip(&stems)
        .map(|(quotable, own)| score(quotable, own, &names, reading, rarity))
        .collect();
    let mut order: Vec<usize> = (0..quotables.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));

    let mut chosen: Vec<usize> = Vec::new();
    let mut said: HashSet<String> = HashSet::new();
    for &candidate in &order {
        if chosen.len() == MOST_STATEMENTS {
            break;
        }
        if chosen
            .iter()
            .any(|&earlier| repeats(&stems[earlier], &stems[candidate]))
        {
            continue;
        }
        let mut together = said.clone();
        together.extend(stems[candidate].iter().cloned());
        let gain = rarity.coverage(&together) - rarity.coverage(&said);
        let worth = chosen.first().is_none_or(|&first| {
            let share = scores[candidate] / scores[first].max(f32::EPSILON);
            share >= NEARLY_BEST || (share >= 0.5 && gain >= GAIN)
        });
        if worth {
            said = together;
            chosen.push(candidate);
        }
    }
    chosen
}

/// How well a unit answers: the question's words it holds or is lent, nearness of meaning where
/// known, and whether it holds the kind of thing asked for.
fn score(
    quotable: &Quotable,
    own: &HashSet<String>,
    names: &HashSet<String>,
    reading: &Reading,
    rarity: &Rarity,
) -> f32 {
    let lent = stem_set(&quotable.context);
    let words = rarity.credit(|stem| match stem {
        _ if own.contains(stem) => 1.0,
        _ if !lent.contains(stem) => 0.0,
        _ if names.contains(stem) => CONTEXT_CREDIT_OF_NAMES,
        _ => CONTEXT_CREDIT,
    });
    let meaning = quotable
        .cosine
        .map_or(words, |cosine| cosine.clamp(0.0, 1.0));
    let fitting = if fits(reading, &quotable.text) {
        FITTING
    } else {
        0.0
    };
    let score = (words + meaning) / 2.0 + fitting - RANK_PENALTY * quotable.rank as f32;
    if own.len() < FEW_WORDS && !quotable.is_row {
        score / 2.0
    } else {
        score
    }
}

fn name_stems(reading: &Reading) -> HashSet<String> {
    let names = reading.names.iter().chain(&reading.years);
    names
        .flat_map(|name| terms(name))
        .map(|term| term.stem)
        .collect()
}

/// Whether a unit holds a figure where one is asked for. A figure of the question itself (its
/// year, its magnitude) answers nothing.
fn fits(reading: &Reading, text: &str) -> bool {
    match reading.asks_for {
        AsksFor::Statement => false,
        AsksFor::Quantity | AsksFor::Time => terms(text).iter().any(|term| {
            let figure = term.stem.starts_with(|c: char| c.is_ascii_digit())
                || tells_a_number(&text[term.bytes.clone()].to_lowercase());
            figure && !reading.stems.contains(&term.stem)
        }),
    }
}

/// Whether two units say the same: nine tenths of the smaller one's words stand in the other.
fn repeats(a: &HashSet<String>, b: &HashSet<String>) -> bool {
    let shared = a.intersection(b).count();
    let smaller = a.len().min(b.len());
    smaller > 0 && shared * 10 >= smaller * 9
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pick(question: &str, texts: &[(&str, &str)]) -> Vec<usize> {
        let reading = Reading::of(question);
        let quotables: Vec<Quotable> = texts
            .iter()
            .map(|(context, text)| Quotable {
                text: (*text).into(),
                context: (*context).into(),
                in_context: String::new(),
                is_row: false,
                rank: 0,
                cosine: None,
            })
            .collect();
        let pool: Vec<_> = texts.iter().map(|(_, text)| stem_set(text)).collect();
        choose(&quotables, &reading, &Rarity::over(&reading.stems, &pool))
    }

    #[test]
    fn the_sentence_with_the_figure_answers_how_many() {
        let texts = [
            ("", "Homes were lost in the village by the lake."),
            ("", "Eleven homes in the village were lost."),
        ];
        assert_eq!(
            pick("How many homes were lost in the village?", &texts)[0],
            1
        );
    }

    #[test]
    fn a_sentence_need_not_repeat_the_name_its_document_is_about() {
        let texts = [
            (
                "The Elm River",
                "The Elm River runs past Elm and gave Elm County its name.",
            ),
            ("The Elm River", "Flood stage is 25 feet at the gauge."),
        ];
        assert_eq!(
            pick("What is the flood stage of the Elm River at Elm?", &texts)[0],
            1
        );
    }

    #[test]
    fn nothing_is_said_twice() {
        let texts = [
            ("", "The old dam failed at dawn."),
            ("", "The old dam failed at dawn."),
            ("", "Dawn broke over the valley."),
        ];
        let chosen = pick("When did the dam fail?", &texts);
        assert!(chosen.contains(&0) ^ chosen.contains(&1), "{chosen:?}");
    }
}
