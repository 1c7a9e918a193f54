//! Claims of answers and references, and whether a text supports them.
//!
//! A claim is a sentence, or a part of one between semicolons or lines. A text supports it when
//! it holds every figure of the claim and [`ENOUGH`] of its words, compared by their first letters.
//! That is coarser than a judgement by a language model (RAGAS) and the same on every machine; it
//! does not see a `not` that turns a sentence around.

use std::collections::HashSet;

use lahar_core::Decision;

use super::GeoAnswer;
use crate::questions::OpenAnswer;

/// Share of a claim's words that a text must hold.
pub const ENOUGH: f64 = 0.6;

/// Letters by which words are compared, so that "burn" and "burned" meet.
const STEM: usize = 5;

/// Words that every text holds.
const COMMON: &[&str] = &[
    "about", "after", "and", "are", "been", "but", "can", "did", "does", "for", "from", "had",
    "has", "have", "how", "into", "its", "may", "must", "not", "should", "that", "the", "their",
    "there", "they", "this", "was", "were", "what", "when", "where", "which", "who", "will",
    "with", "would", "you", "your",
];

/// Words and figures of a text, comparable.
#[derive(Debug, Clone, Default, PartialEq)]
struct Content {
    words: HashSet<String>,
    figures: HashSet<String>,
}

impl Content {
    fn of(text: &str) -> Content {
        let mut content = Content::default();
        let lower = text.to_lowercase();
        let parts = lower.split(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | ',')));
        for part in parts {
            let part = part.trim_matches(['.', ',']);
            if part.starts_with(|c: char| c.is_ascii_digit()) {
                content.figures.insert(figure(part));
                continue;
            }
            for word in part.split(['.', ',']) {
                if word.chars().count() >= 3 && COMMON.binary_search(&word).is_err() {
                    content.words.insert(word.chars().take(STEM).collect());
                }
            }
        }
        content
    }

    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.figures.is_empty()
    }

    fn supported_by(&self, text: &Content) -> bool {
        let held = self.words.intersection(&text.words).count();
        self.figures.is_subset(&text.figures) && held as f64 >= ENOUGH * self.words.len() as f64
    }
}

/// "1,200" and "1200", "25.0" and "25" are one figure.
fn figure(text: &str) -> String {
    let plain = text.replace(',', "");
    match plain.parse::<f64>() {
        Ok(value) => value.to_string(),
        Err(_) => plain,
    }
}

/// The claims of a text.
///
/// ```
/// use lahar_bench::geo::claims::claims;
/// assert_eq!(claims("Stage is 25.0 feet. Roads flood; bridges close"),
///     ["Stage is 25.0 feet", "Roads flood", "bridges close"]);
/// ```
pub fn claims(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut push = |part: &'_ str, range: std::ops::Range<usize>| {
        if part.chars().any(char::is_alphanumeric) {
            found.push(range);
        }
    };
    for (at, c) in text.char_indices() {
        let next = text[at + c.len_utf8()..].chars().next();
        let ends = match c {
            ';' | '\n' => true,
            '.' | '!' | '?' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if ends {
            push(&text[start..at], start..at);
            start = at + c.len_utf8();
        }
    }
    push(&text[start..], start..text.len());
    found.into_iter().map(|range| text[range].trim()).collect()
}

/// Share of an answer's claims that the passages before it support; `None` after an abstention.
pub fn faithfulness(answer: &GeoAnswer) -> Option<f64> {
    if answer.decision == Decision::Abstain {
        return None;
    }
    let passages: Vec<Content> = answer
        .passages
        .iter()
        .map(|passage| Content::of(&passage.text))
        .collect();
    let contents: Vec<Content> = answer
        .statements
        .iter()
        .flat_map(|statement| claims(statement))
        .map(Content::of)
        .filter(|content| !content.is_empty())
        .collect();
    share(&contents, |claim| {
        passages.iter().any(|passage| claim.supported_by(passage))
    })
}

/// F1 of an answer's claims against a reference: those of the answer that reference, question or
/// evidence hold, and those of the reference that the answer, with the question, holds. The best
/// of the alternatives counts. 0 after an abstention; `None` without a reference.
pub fn correctness(
    question: &str,
    evidence: Option<&str>,
    key: &OpenAnswer,
    answer: &GeoAnswer,
) -> Option<f64> {
    let reference = key.reference.as_deref()?;
    if answer.decision == Decision::Abstain {
        return Some(0.0);
    }
    let said = answer.statements.join("\n");
    let of_answer: Vec<Content> = claims(&said).into_iter().map(Content::of).collect();
    let with_question = Content::of(&format!("{question}\n{said}"));
    let references = std::iter::once(reference).chain(key.alternatives.iter().map(String::as_str));
    let f1 = references.enumerate().map(|(at, reference)| {
        let evidence = evidence.filter(|_| at == 0).unwrap_or_default();
        let gold = Content::of(&format!("{question}\n{reference}\n{evidence}"));
        let of_reference: Vec<Content> = claims(reference).into_iter().map(Content::of).collect();
        let right = of_answer
            .iter()
            .filter(|claim| claim.supported_by(&gold))
            .count() as f64;
        let wrong = of_answer.len() as f64 - right;
        let missing = of_reference
            .iter()
            .filter(|claim| !claim.supported_by(&with_question))
            .count() as f64;
        if right == 0.0 {
            0.0
        } else {
            right / (right + 0.5 * (wrong + missing))
        }
    });
    f1.max_by(f64::total_cmp)
}

/// Share of a reference's claims that an answer holds; the best of the alternatives counts. `None`
/// without a reference.
pub(super) fn recall(key: &OpenAnswer, answer: &GeoAnswer) -> Option<f64> {
    let reference = key.reference.as_deref()?;
    let said = Content::of(&answer.statements.join("\n"));
    let references = std::iter::once(reference).chain(key.alternatives.iter().map(String::as_str));
    references
        .filter_map(|reference| {
            let claims: Vec<Content> = claims(reference).into_iter().map(Content::of).collect();
            share(&claims, |claim| {
                claim.figures.is_subset(&said.figures) && claim.shares_a_word(&said)
            })
        })
        .max_by(f64::total_cmp)
}

impl Content {
    fn shares_a_word(&self, text: &Content) -> bool {
        self.words.is_empty() || self.words.intersection(&text.words).next().is_some()
    }
}

fn share(claims: &[Content], holds: impl Fn(&Content) -> bool) -> Option<f64> {
    let held = claims.iter().filter(|claim| holds(claim)).count();
    (!claims.is_empty()).then(|| held as f64 / claims.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_needs_its_figures_and_most_of_its_words() {
        let supported =
            |claim: &str, text: &str| Content::of(claim).supported_by(&Content::of(text));
        let text = "Flood stage at the old bridge is 25.0 feet; 1,200 people live below it.";
        assert!(supported("The flood stage is 25 feet", text));
        assert!(supported("1200 people live there", text));
        assert!(!supported("The flood stage is 26 feet", text));
        assert!(!supported("Sandbags are sold at the market", text));
    }

    #[test]
    fn common_words_are_sorted_for_search() {
        assert!(COMMON.is_sorted());
    }
}
