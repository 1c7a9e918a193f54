//! Question sets: JSON Lines, one object a line, in three formats.
//!
//! | format | `type` | fields beside `id`, `question`, `category`, `hazard`, `document`, `evidence` |
//! |---|---|---|
//! | true or false | `TF` | `answer` (`True` or `False`) |
//! | multiple choice | `MC` | `options` (an object by letter), `answer` (a letter) |
//! | open | absent, or `open` | `place`, `reference_answer`, `expected_decision`, `acceptable_decisions`, `location_dependent`, `geo_error_type`, `group`; and of sets that know their corpus `paraphrases`, `reference_alternatives`, `warning_names`, `relations` |
//!
//! Fields that are not named here are passed over, so that other sets can carry their own.
//!
//! An [`Item`] keeps what is asked apart from the key to it. A method under test sees the
//! [`Question`] alone, so that no answer, evidence or document name can leak into it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use lahar_core::{Decision, Hazard};

mod read;

pub use read::{parse_items, read_items};

/// One line of a question set.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// What a method under test may see.
    pub question: Question,
    /// What it may not.
    pub key: Key,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Name of the item, one of its kind over all files of a run.
    pub id: String,
    /// The question, or the statement to judge.
    pub text: String,
    /// How it is to be answered.
    pub format: Format,
    /// The place asked about, where the item names one beside its text.
    pub place: Option<String>,
    /// Other ways to ask the same, where the item gives any.
    pub paraphrases: Vec<String>,
}

/// How a question is to be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Format {
    /// The text is a statement: true or false.
    TrueFalse,
    /// One of these options, by letter.
    MultipleChoice(BTreeMap<char, String>),
    /// In words.
    Open,
}

impl Format {
    /// The name that stands in the `type` field.
    pub fn name(&self) -> &'static str {
        match self {
            Format::TrueFalse => "TF",
            Format::MultipleChoice(_) => "MC",
            Format::Open => "open",
        }
    }
}

/// What goes into the search for a multiple choice question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum QueryForm {
    /// The question without its options. The default: three of four options are wrong, and a
    /// passage that holds a wrong option's words is no better for it. It is also the harder
    /// measurement, and the one that can be compared with open questions.
    #[default]
    QuestionAlone,
    /// The question, then its options in the order of their letters. `ask --format mc` is given
    /// options, so that a method may look for them.
    WithOptions,
}

impl Question {
    /// The text to search with: the only place where it is decided.
    ///
    /// The place of an open question is not part of it; a method that uses the place takes it
    /// from [`Question::place`].
    pub fn query_text(&self, form: QueryForm) -> Cow<'_, str> {
        match (&self.format, form) {
            (Format::MultipleChoice(options), QueryForm::WithOptions) => {
                let mut text = self.text.clone();
                for option in options.values() {
                    text.push('\n');
                    text.push_str(option);
                }
                Cow::Owned(text)
            }
            _ => Cow::Borrowed(&self.text),
        }
    }
}

/// The key to an item: what the author of the set knows.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// The expected answer.
    pub answer: Answer,
    /// Kind of question, for the breakdown.
    pub category: Option<String>,
    /// Hazards of the question, for the breakdown.
    pub hazards: Vec<Hazard>,
    /// Where the evidence stands; `None` where the set names no evidence.
    pub evidence: Option<Evidence>,
}

/// The passage that an item was written from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// File name of the document, without folders.
    pub document: String,
    /// Words of the document.
    pub quote: String,
}

/// The expected answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Of a statement.
    TrueFalse(bool),
    /// Of a multiple choice question: one of its letters.
    Letter(char),
    /// Of an open question.
    Open(OpenAnswer),
}

/// The expected answer of an open question.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenAnswer {
    /// In words, where there is one.
    pub reference: Option<String>,
    /// The decision that the author expects.
    pub expected: Decision,
    /// Every decision that counts as good; holds the expected one.
    pub acceptable: BTreeSet<Decision>,
    /// Whether the answer depends on the place.
    pub location_dependent: Option<bool>,
    /// How the best evidence differs from the place asked about (`exact`, `mismatch`, `none`,
    /// `coarse`, `fine`).
    pub geo_error_type: Option<String>,
    /// Items that ask the same about other places share it.
    pub group: Option<String>,
    /// Answers that are as good as the reference, from other documents.
    pub alternatives: Vec<String>,
    /// Places of which a warning has to name one; where there is none, any reason will do.
    pub warning_names: Vec<String>,
    /// File names of the documents that say something on the question, by how they lie to the
    /// place asked about (`exact`, `coarse`, `overlap`, `fine`, `mismatch`, `none`).
    pub relations: BTreeMap<String, Vec<String>>,
}

/// File names of the documents that evidence stands in, each once: a library that lacks one of
/// them cannot score on its items.
pub fn documents_of(items: &[Item]) -> BTreeSet<&str> {
    items
        .iter()
        .filter_map(|item| item.key.evidence.as_ref())
        .map(|evidence| evidence.document.as_str())
        .collect()
}

#[cfg(test)]
mod tests;
