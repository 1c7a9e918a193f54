//! The rewriter by rules: the question in other words of the field, with what kind of thing is
//! asked for spelled out, with the places around, and at last only what makes it its own.

use crate::claims::words_alike;
use crate::question::{AsksFor, Reading};

/// Other words that are added for one word.
const OTHERS: usize = 2;

/// The ways to ask again, in the order they are tried, each another text; `around` are the names
/// of the places around the one asked about.
///
/// ```
/// use lahar_answers::mora::rewriter::ways;
/// use lahar_answers::question::Reading;
/// let question = "When did the dam collapse?";
/// let ways = ways(question, &Reading::of(question), &["Ohio".to_owned()]);
/// assert!(ways.iter().any(|way| way.contains("date")));
/// assert!(ways.iter().any(|way| way.ends_with("Ohio")));
/// ```
pub fn ways(question: &str, reading: &Reading, around: &[String]) -> Vec<String> {
    let subject = reading.words.join(" ");
    let mut ways = Vec::new();
    let mut others: Vec<String> = Vec::new();
    for word in &reading.words {
        for other in words_alike(word).into_iter().take(OTHERS) {
            if !others.contains(&other) {
                others.push(other);
            }
        }
    }
    if !others.is_empty() {
        ways.push(format!("{question} {}", others.join(" ")));
    }
    let lower = question.to_lowercase();
    let kind = match reading.asks_for {
        AsksFor::Quantity => "number amount measured estimated total",
        AsksFor::Time => "date day month year time",
        AsksFor::Statement if lower.contains("why") || lower.contains("cause") => {
            "because caused by due to result of"
        }
        AsksFor::Statement => "",
    };
    if !kind.is_empty() && !subject.is_empty() {
        ways.push(format!("{subject} {kind}"));
    }
    if let Some(place) = around.first().filter(|_| !subject.is_empty()) {
        ways.push(format!("{subject} {place}"));
    }
    let own: Vec<&str> = reading
        .names
        .iter()
        .chain(&reading.years)
        .map(String::as_str)
        .collect();
    if !subject.is_empty() {
        ways.push(match own.is_empty() {
            true => subject,
            false => own.join(" "),
        });
    }
    ways
}
