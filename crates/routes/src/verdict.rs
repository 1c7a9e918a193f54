//! What was found about a condition and about a route: satisfied, violated, or not known.

use std::fmt;

use lahar_core::capability::Strictness;
use lahar_core::{DocumentId, EvidenceSpan};
use serde::{Deserialize, Serialize};

use crate::card::{Citation, Role};
use crate::task::Override;

/// Truth with a third value, in the strong logic of Kleene (1952, section 64).
///
/// ```
/// use lahar_routes::Truth::{Satisfied, Undetermined, Violated};
/// assert_eq!(Violated.and(Undetermined), Violated);
/// assert_eq!(Satisfied.and(Undetermined), Undetermined);
/// assert_eq!(Satisfied.or(Undetermined), Satisfied);
/// assert_eq!(!Undetermined, Undetermined);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Truth {
    /// It does not hold.
    Violated,
    /// Not known.
    Undetermined,
    /// It holds.
    Satisfied,
}

impl Truth {
    /// Both: the lesser of the two.
    pub fn and(self, other: Truth) -> Truth {
        self.min(other)
    }

    /// Either: the greater of the two.
    pub fn or(self, other: Truth) -> Truth {
        self.max(other)
    }

    /// All of them; satisfied where there is none.
    pub fn all(truths: impl IntoIterator<Item = Truth>) -> Truth {
        truths.into_iter().fold(Truth::Satisfied, Truth::and)
    }

    /// From a two-valued truth.
    pub fn of(holds: bool) -> Truth {
        match holds {
            true => Truth::Satisfied,
            false => Truth::Violated,
        }
    }
}

impl std::ops::Not for Truth {
    type Output = Truth;

    fn not(self) -> Truth {
        match self {
            Truth::Satisfied => Truth::Violated,
            Truth::Violated => Truth::Satisfied,
            Truth::Undetermined => Truth::Undetermined,
        }
    }
}

impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Truth::Satisfied => "satisfied",
            Truth::Violated => "violated",
            Truth::Undetermined => "undetermined",
        })
    }
}

/// A sentence of the user's library that states a condition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Quote {
    /// Title of the document.
    pub title: String,
    /// The sentence, with document, page and range.
    pub span: EvidenceSpan,
}

impl Quote {
    /// The document quoted.
    pub fn document(&self) -> DocumentId {
        self.span.document()
    }
}

/// How well a condition is founded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "grade")]
pub enum Evidence {
    /// Its sentence stands in the user's library.
    Quoted {
        /// The sentence.
        quote: Box<Quote>,
    },
    /// Its source is named; the sentence was not found in the library.
    Cited,
    /// No source is named, so the condition cannot be relied on.
    Undetermined,
}

impl Evidence {
    /// The grade as a word.
    pub fn word(&self) -> &'static str {
        match self {
            Evidence::Quoted { .. } => "quoted",
            Evidence::Cited => "cited",
            Evidence::Undetermined => "undetermined",
        }
    }
}

/// What was found about one condition of a route.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// Condition.
    pub condition: String,
    /// Its role.
    pub role: Role,
    /// Strict or advisory.
    pub strictness: Strictness,
    /// Whether it holds.
    pub truth: Truth,
    /// The observation that was judged, by its id; none where the task itself was.
    pub observation: Option<String>,
    /// What was found, with its unit.
    pub found: Option<String>,
    /// The condition in our words.
    pub reading: String,
    /// Why it holds or not, in words.
    pub why: String,
    /// Its source.
    pub citation: Option<Citation>,
    /// How well it is founded.
    pub evidence: Evidence,
    /// What to ask where it is not known.
    pub question: Option<String>,
    /// The variable that would decide it.
    pub variable: String,
    /// How far inside its range a value lies, from 0 at the edge to 1 in the middle.
    pub margin: Option<f64>,
    /// A person's decision to set it aside.
    pub set_aside: Option<Override>,
}

impl Verdict {
    /// Whether it keeps its route out: a strict one that does not hold, or one without a source;
    /// an advisory one that is violated and not set aside.
    pub fn blocks(&self) -> bool {
        if self.set_aside.is_some() {
            return false;
        }
        if self.evidence == Evidence::Undetermined {
            return true;
        }
        match (self.strictness, self.truth) {
            (_, Truth::Satisfied) => false,
            (Strictness::Strict, _) => true,
            (Strictness::Advisory, truth) => truth == Truth::Violated,
        }
    }

    /// What it says about its route.
    pub fn weighs(&self) -> Truth {
        match self.blocks() {
            false => Truth::Satisfied,
            true if self.evidence == Evidence::Undetermined => Truth::Undetermined,
            true => self.truth,
        }
    }
}
