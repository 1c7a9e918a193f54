//! The extractive writer: chooses whole sentences and rows, and says nothing of its own.

use std::collections::HashSet;

use crate::bearing::{Rarity, stem_set};
use crate::question::AsksFor;

/// Most statements in an answer.
const MOST_STATEMENTS: usize = 4;
/// A further statement must add this share of the question's weighted words, ...
const GAIN: f32 = 0.15;
/// ... or come this close to the best one.
const NEARLY_BEST: f32 = 0.85;

/// A quotable unit as the writer sees it.
#[derive(Debug, Clone)]
pub struct Quotable {
    /// Its words.
    pub text: String,
    /// Heading and table header above it, which lend it their words at half weight.
    pub context: String,
    /// Rank of its chunk, 0 for the best.
    pub rank: usize,
    /// Cosine to the question, where sentences were embedded.
    pub cosine: Option<f32>,
}

/// How well a unit answers: words of its own, half the words its heading lends, nearness of
/// meaning where known, a bonus when it holds the kind of thing asked for, less a little for a
/// chunk further down.
fn score(quotable: &Quotable, own: &HashSet<String>, rarity: &Rarity, asks_for: AsksFor) -> f32 {
    let own_coverage = rarity.coverage(own);
    let mut with_context = own.clone();
    with_context.extend(stem_set(&quotable.context));
    let words = (own_coverage + rarity.coverage(&with_context)) / 2.0;
    let meaning = quotable
        .cosine
        .map_or(words, |cosine| cosine.clamp(0.0, 1.0));
    let fits = match asks_for {
        AsksFor::Quantity | AsksFor::Time => quotable.text.contains(|c: char| c.is_ascii_digit()),
        AsksFor::Statement => false,
    };
    0.5 * words + 0.5 * meaning + if fits { 0.15 } else { 0.0 } - 0.02 * quotable.rank as f32
}

/// Chooses the units to quote, best first: the best one, then those that add words of the
/// question or come near it, never the same words twice. Empty only when there is nothing to
/// choose from.
pub fn choose(quotables: &[Quotable], rarity: &Rarity, asks_for: AsksFor) -> Vec<usize> {
    let stems: Vec<HashSet<String>> = quotables.iter().map(|q| stem_set(&q.text)).collect();
    let scores: Vec<f32> = quotables
        .iter()
        .zip(&stems)
        .map(|(quotable, own)| score(quotable, own, rarity, asks_for))
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
        let best = chosen.first().map(|&first| scores[first]);
        let mut together = said.clone();
        together.extend(stems[candidate].iter().cloned());
        let gain = rarity.coverage(&together) - rarity.coverage(&said);
        let worth = best.is_none_or(|best| {
            scores[candidate] >= NEARLY_BEST * best
                || (gain >= GAIN && scores[candidate] >= best / 2.0)
        });
        if worth {
            said = together;
            chosen.push(candidate);
        }
    }
    chosen
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
    use crate::question::Reading;

    fn pick(question: &str, texts: &[&str]) -> Vec<usize> {
        let reading = Reading::of(question);
        let quotables: Vec<Quotable> = texts
            .iter()
            .map(|text| Quotable {
                text: (*text).into(),
                context: String::new(),
                rank: 0,
                cosine: None,
            })
            .collect();
        let pool: Vec<_> = texts.iter().map(|text| stem_set(text)).collect();
        choose(
            &quotables,
            &Rarity::over(&reading.stems, &pool),
            reading.asks_for,
        )
    }

    #[test]
    fn the_sentence_with_the_figure_answers_how_many() {
        let texts = [
            "Homes were lost in the village.",
            "Eleven of 40 homes in the village were lost.",
        ];
        assert_eq!(
            pick("How many homes were lost in the village?", &texts)[0],
            1
        );
    }

    #[test]
    fn nothing_is_said_twice() {
        let texts = [
            "The dam failed at dawn.",
            "The dam failed at dawn.",
            "Dawn broke.",
        ];
        let chosen = pick("When did the dam fail?", &texts);
        assert!(chosen.contains(&0) ^ chosen.contains(&1), "{chosen:?}");
    }
}
