//! Answers as values. A quotation cannot be made without its source, and an answer cannot be
//! made without a quotation.

use crate::mora::Step;
use lahar_core::{Decision, EvidenceSpan, Reason};

use lahar_places::{LevelUsed, Relation};

use crate::geography::PlaceReading;
use crate::question::Reading;

/// A quote with its source, as a reader needs it to check the quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// The words and where they stand.
    pub span: EvidenceSpan,
    /// The document's title.
    pub title: String,
    /// Heading above the words, innermost; `None` before the first heading.
    pub section: Option<String>,
    /// How the passage's place lies to the one asked about; `None` where places play no part.
    pub place: Option<CitedPlace>,
}

/// How a quoted passage's place lies to the place asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitedPlace {
    /// The relation.
    pub relation: Relation,
    /// Distance in the place graph; `None` where nothing is shared.
    pub distance: Option<u32>,
    /// The passage's place.
    pub place: Option<String>,
}

/// One thing that is said, with the quotes it rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    text: String,
    citations: Vec<Citation>,
}

impl Statement {
    /// Says what the quotes say, in their words: the text is the quotes, one a line.
    pub fn quoting(first: Citation, further: Vec<Citation>) -> Statement {
        let mut citations = vec![first];
        citations.extend(further);
        let text = citations
            .iter()
            .map(|c| c.span.quote().trim())
            .collect::<Vec<_>>()
            .join("\n");
        Statement { text, citations }
    }

    /// Says something in other words, for which the quotes have been found to stand.
    pub(crate) fn written(text: String, first: Citation, further: Vec<Citation>) -> Statement {
        let mut citations = vec![first];
        citations.extend(further);
        Statement { text, citations }
    }

    /// What is said.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it rests on; never empty.
    pub fn citations(&self) -> &[Citation] {
        &self.citations
    }
}

/// One or more statements, all cited.
///
/// ```compile_fail
/// // Without a first statement there is nothing to make.
/// let nothing = lahar_answers::Cited { statements: vec![] };
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cited {
    statements: Vec<Statement>,
}

impl Cited {
    /// At least one statement.
    pub fn new(first: Statement, further: Vec<Statement>) -> Cited {
        let mut statements = vec![first];
        statements.extend(further);
        Cited { statements }
    }

    /// The statements; never empty.
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The evidence holds for the question as asked.
    Answered(Cited),
    /// The evidence differs from the question in the way the reasons name.
    Warned(Cited),
    /// Nothing holds.
    Abstained {
        /// What was looked for and not found.
        missing: Vec<String>,
    },
}

/// An answered question: what came of it, why, and how it was reached.
#[derive(Debug, Clone)]
pub struct Answer {
    /// What came of it.
    pub outcome: Outcome,
    /// Why.
    pub reasons: Vec<Reason>,
    /// The level of place used, beside the one asked about.
    pub level: Option<LevelUsed>,
    /// Places to choose from, where the question leaves open which is meant.
    pub ask_back: Vec<String>,
    /// How the question was understood, without the words that name places.
    pub reading: Reading,
    /// The places in it.
    pub places: PlaceReading,
    /// How the outcome was reached.
    pub trace: Trace,
}

/// How an outcome was reached, step by step.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trace {
    /// Chunks retrieved, best first.
    pub retrieved: Vec<Considered>,
    /// The calls of the loop, in order; none for methods without one.
    pub steps: Vec<Step>,
}

/// One chunk that was looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Considered {
    /// Number of the chunk in its library.
    pub chunk_id: i64,
    /// File it came from.
    pub file_name: String,
    /// Share of the question's words that it holds, each word weighted by its rarity; 0 to 1.
    pub coverage: f32,
    /// Names and years of the question that it lacks.
    pub lacks: Vec<String>,
    /// Whether it bears on the question.
    pub bears: bool,
    /// Whether it was given to the writer, so that it could be quoted.
    pub used: bool,
    /// Its text.
    pub text: String,
}

impl Outcome {
    /// Answered, warned or abstained.
    pub fn decision(&self) -> Decision {
        match self {
            Outcome::Answered(_) => Decision::Answer,
            Outcome::Warned(_) => Decision::Warn,
            Outcome::Abstained { .. } => Decision::Abstain,
        }
    }

    /// The statements; empty only after an abstention.
    pub fn statements(&self) -> &[Statement] {
        match self {
            Outcome::Answered(cited) | Outcome::Warned(cited) => cited.statements(),
            Outcome::Abstained { .. } => &[],
        }
    }
}

impl Answer {
    /// Answered, warned or abstained.
    pub fn decision(&self) -> Decision {
        self.outcome.decision()
    }

    /// The statements; empty only after an abstention.
    pub fn statements(&self) -> &[Statement] {
        self.outcome.statements()
    }

    /// What was looked for and not found.
    pub fn missing(&self) -> &[String] {
        match &self.outcome {
            Outcome::Abstained { missing } => missing,
            Outcome::Answered(_) | Outcome::Warned(_) => &[],
        }
    }

    /// The answer as running text: the statements, or the reasons for giving none.
    pub fn text(&self) -> String {
        match self.statements() {
            [] => self
                .reasons
                .iter()
                .map(|r| r.message.as_str())
                .collect::<Vec<_>>()
                .join(" "),
            statements => statements
                .iter()
                .map(Statement::text)
                .collect::<Vec<_>>()
                .join("\n"),
        }
    }
}

/// Begins with a capital and ends with a full stop.
pub(crate) fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars
        .next()
        .map(|c| c.to_uppercase().collect())
        .unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}
