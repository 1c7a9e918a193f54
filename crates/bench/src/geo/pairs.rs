//! Blinded pairs: the answers of two methods to each question, in an order that a seed decides, for
//! people to say which they prefer. Which method stands on which side is kept in a key beside the
//! file, so that whoever judges cannot see it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::GeoAnswer;
use crate::draw::SplitMix64;
use crate::interval::{Estimate, bootstrap};

/// One question with the answers of two methods, without their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The question's id.
    pub id: String,
    /// The question.
    pub question: String,
    /// Answer on the left.
    pub left: String,
    /// Answer on the right.
    pub right: String,
}

/// Which methods stand where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairKey {
    /// The method whose preference is measured.
    pub method: String,
    /// The one it is compared with.
    pub against: String,
    /// Questions on which `method` stands on the left; on all others it stands on the right.
    pub on_the_left: Vec<String>,
    /// Every question of the file.
    pub questions: Vec<String>,
}

/// What a judge wrote, in a column of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preferred {
    /// The answer on the left.
    Left,
    /// The answer on the right.
    Right,
    /// Neither.
    Tie,
}

impl Preferred {
    /// Reads `1`, `left`; `2`, `right`; `tie`, `0`, `=`. `None` where nothing was written or it
    /// cannot be understood.
    pub fn parse(text: &str) -> Option<Preferred> {
        match text.trim().to_ascii_lowercase().as_str() {
            "1" | "left" | "l" => Some(Preferred::Left),
            "2" | "right" | "r" => Some(Preferred::Right),
            "0" | "tie" | "=" | "both" | "neither" => Some(Preferred::Tie),
            _ => None,
        }
    }
}

/// Blinds the answers of two methods. Questions on which both show the same text are left out:
/// nobody can prefer one.
pub fn blind(
    seed: u64,
    method: &str,
    against: &str,
    answers: &[(String, String, GeoAnswer, GeoAnswer)],
) -> (Vec<Pair>, PairKey) {
    let mut pairs = Vec::new();
    let mut key = PairKey {
        method: method.to_owned(),
        against: against.to_owned(),
        on_the_left: Vec::new(),
        questions: Vec::new(),
    };
    for (id, question, own, other) in answers {
        let (own, other) = (shown(own), shown(other));
        if own == other {
            continue;
        }
        let left = SplitMix64::named(seed, id).below(2) == 0;
        let (left_text, right_text) = if left { (own, other) } else { (other, own) };
        if left {
            key.on_the_left.push(id.clone());
        }
        key.questions.push(id.clone());
        pairs.push(Pair {
            id: id.clone(),
            question: question.clone(),
            left: left_text,
            right: right_text,
        });
    }
    (pairs, key)
}

/// An answer as a person is shown it: what is said, then why or why not.
fn shown(answer: &GeoAnswer) -> String {
    use lahar_core::Decision::{Abstain, Answer, Warn};
    let said = answer.statements.join("\n");
    let why = answer.reasons.join(" ");
    match answer.decision {
        Answer => said,
        Warn => format!("{said}\n[Warning: {why}]"),
        Abstain => format!("[No answer: {why}]"),
    }
}

/// Share of the judged pairs in which the method was preferred, a tie counting half, with its
/// interval; `None` where nothing was judged.
pub fn preference(key: &PairKey, judged: &BTreeMap<String, Preferred>) -> Option<Estimate> {
    let values: Vec<f64> = key
        .questions
        .iter()
        .filter_map(|id| {
            let left = key.on_the_left.contains(id);
            Some(match (judged.get(id)?, left) {
                (Preferred::Tie, _) => 0.5,
                (Preferred::Left, true) | (Preferred::Right, false) => 1.0,
                _ => 0.0,
            })
        })
        .collect();
    bootstrap(values.len(), |drawn| {
        let sum: f64 = drawn.iter().map(|&at| values[at]).sum();
        Some(sum / drawn.len() as f64)
    })
}

#[cfg(test)]
mod tests {
    use lahar_core::Decision;

    use super::*;

    fn answer(text: &str) -> GeoAnswer {
        GeoAnswer {
            decision: Decision::Answer,
            statements: vec![text.to_owned()],
            reasons: Vec::new(),
            level_used: None,
            passages: Vec::new(),
        }
    }

    #[test]
    fn a_judge_who_always_prefers_one_method_gives_it_all_whatever_the_sides() {
        let answers: Vec<_> = (0..40)
            .map(|n| {
                let id = format!("q{n}");
                (id, "which?".to_owned(), answer("ours"), answer("theirs"))
            })
            .chain([("same".to_owned(), "?".to_owned(), answer("x"), answer("x"))])
            .collect();
        let (pairs, key) = blind(3, "lahar", "cosine", &answers);
        assert_eq!(pairs.len(), 40, "equal answers are not shown");
        let left = key.on_the_left.len();
        assert!((8..=32).contains(&left), "sides are drawn: {left}");
        let judged = |wanted: &str| -> BTreeMap<String, Preferred> {
            pairs
                .iter()
                .map(|pair| {
                    let side = match pair.left == wanted {
                        true => Preferred::Left,
                        false => Preferred::Right,
                    };
                    (pair.id.clone(), side)
                })
                .collect()
        };
        assert_eq!(preference(&key, &judged("ours")).unwrap().value, 1.0);
        assert_eq!(preference(&key, &judged("theirs")).unwrap().value, 0.0);
        assert_eq!(preference(&key, &BTreeMap::new()), None);
        assert_eq!(Preferred::parse(" Left "), Some(Preferred::Left));
        assert_eq!(Preferred::parse("?"), None);
    }
}
