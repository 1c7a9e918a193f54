//! Whether quotes stand in the stored text where citations say they do, to the letter.

use lahar_core::{CharRange, TextIndex};
use serde::Serialize;

/// How many failures a check keeps.
pub const KEPT: usize = 10;

/// A citation beside the text it points into.
#[derive(Debug, Clone, Copy)]
pub struct Citation<'a> {
    /// Name of the document, for the report.
    pub document: &'a str,
    /// The document's stored text, whole.
    pub text: &'a str,
    /// Where the quote is said to stand.
    pub range: CharRange,
    /// The quote.
    pub quote: &'a str,
}

/// What is wrong with a citation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "problem")]
pub enum Problem {
    /// The quote holds nothing but white space.
    Empty,
    /// The range ends behind the text.
    OutsideText {
        /// Length of the text in scalar values.
        length: usize,
    },
    /// Something else stands there.
    Differs {
        /// What stands there.
        found: String,
    },
}

/// A citation that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CitationFailure {
    /// Its place among the citations checked, counted from 0.
    pub index: usize,
    /// The document.
    pub document: String,
    /// Where the quote is said to stand.
    pub range: CharRange,
    /// The quote.
    pub quote: String,
    /// What is wrong.
    #[serde(flatten)]
    pub problem: Problem,
}

/// Result of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CitationReport {
    /// Citations checked.
    pub checked: usize,
    /// Those that do not hold.
    pub failed: usize,
    /// The first [`KEPT`] of them.
    pub failures: Vec<CitationFailure>,
}

impl CitationReport {
    /// Whether every citation holds. True of none at all: look at `checked` too.
    pub fn all_hold(&self) -> bool {
        self.failed == 0
    }
}

/// Checks citations against the stored texts.
///
/// ```
/// use lahar_bench::citations::{Citation, check_citations};
/// use lahar_core::CharRange;
/// let cite = |start, end, quote| Citation {
///     document: "a.txt",
///     text: "Keep 30 feet clear.",
///     range: CharRange::new(start, end),
///     quote,
/// };
/// let report = check_citations([cite(5, 12, "30 feet"), cite(5, 12, "30 Feet")]);
/// assert_eq!((report.checked, report.failed), (2, 1));
/// ```
pub fn check_citations<'a>(citations: impl IntoIterator<Item = Citation<'a>>) -> CitationReport {
    let mut report = CitationReport::default();
    let mut index: Option<TextIndex<'a>> = None;
    for citation in citations {
        // Citations of one answer mostly share a document, and indexing walks its whole text.
        let text = match index.take() {
            Some(text) if std::ptr::eq(text.text(), citation.text) => text,
            _ => TextIndex::new(citation.text),
        };
        if let Some(problem) = problem(&text, citation.range, citation.quote) {
            report.failed += 1;
            if report.failures.len() < KEPT {
                report.failures.push(CitationFailure {
                    index: report.checked,
                    document: citation.document.to_owned(),
                    range: citation.range,
                    quote: citation.quote.to_owned(),
                    problem,
                });
            }
        }
        report.checked += 1;
        index = Some(text);
    }
    report
}

fn problem(text: &TextIndex<'_>, range: CharRange, quote: &str) -> Option<Problem> {
    if quote.trim().is_empty() {
        return Some(Problem::Empty);
    }
    // A range read from JSON may run backwards; slicing takes it forwards only.
    if range.start > range.end || range.end > text.len() {
        return Some(Problem::OutsideText { length: text.len() });
    }
    let found = text.slice(range).unwrap_or_default();
    (found != quote).then(|| Problem::Differs {
        found: found.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Öl im Wasser: 30 °C, 漢字.";

    fn cite(start: usize, end: usize, quote: &'static str) -> Citation<'static> {
        Citation {
            document: "a.txt",
            text: TEXT,
            range: CharRange { start, end },
            quote,
        }
    }

    #[test]
    fn positions_are_scalar_values_and_quotes_verbatim() {
        let good = [
            cite(0, 2, "Öl"),
            cite(14, 19, "30 °C"),
            cite(21, 23, "漢字"),
        ];
        let report = check_citations(good);
        assert!(report.all_hold(), "{report:?}");
        assert_eq!(report.checked, 3);

        let bad = [
            cite(0, 2, "Ol"),
            cite(0, 2, "öl"),
            cite(14, 19, "30\u{a0}°C"),
            cite(15, 20, "30 °C"),
            cite(21, 25, "漢字."),
            cite(5, 2, "im W"),
            cite(2, 3, " "),
        ];
        let report = check_citations(bad);
        assert_eq!((report.checked, report.failed), (7, 7));
        let found = "Öl".to_owned();
        assert_eq!(report.failures[0].problem, Problem::Differs { found });
        let outside = Problem::OutsideText { length: 24 };
        assert_eq!(report.failures[4].problem, outside);
        assert_eq!(report.failures[5].problem, outside);
        assert_eq!(report.failures[6].problem, Problem::Empty);
    }

    #[test]
    fn every_failure_is_counted_and_the_first_are_kept() {
        let other = "A second document.";
        let citations = (0..40).map(|i| {
            if i % 2 == 0 {
                cite(0, 2, "nothing")
            } else {
                Citation {
                    text: other,
                    range: CharRange::new(2, 8),
                    quote: "second",
                    ..cite(0, 0, "")
                }
            }
        });
        let report = check_citations(citations);
        assert_eq!((report.checked, report.failed), (40, 20));
        assert_eq!(report.failures.len(), KEPT);
        assert_eq!(report.failures[1].index, 2);
    }
}
