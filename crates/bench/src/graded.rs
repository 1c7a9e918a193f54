//! Labels of true/false and multiple choice questions against the key.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::Serialize;

use crate::error::Error;
use crate::questions::{Answer, Item, Question};

/// What a method gave for one question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Given {
    /// The label; `None` is an abstention.
    pub label: Option<String>,
    /// Why, in words.
    pub reasons: Vec<String>,
    /// The signs that the label rests on, where the method names them.
    pub grounds: Vec<Ground>,
}

impl From<Option<String>> for Given {
    fn from(label: Option<String>) -> Given {
        Given {
            label,
            ..Given::default()
        }
    }
}

/// A sign that a label rests on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ground {
    /// Its name.
    pub name: String,
    /// How strongly it shows.
    pub value: f32,
    /// What it adds to the log-odds of "True".
    pub adds: f32,
    /// The words it was found in.
    pub message: String,
}

/// The label a method gave, against the one that is right.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Graded {
    /// The right label: `True`, `False` or a letter.
    pub expected: String,
    /// The label that was given; `None` after an abstention.
    pub label: Option<String>,
    /// Whether they are the same. An abstention is not right.
    pub correct: bool,
    /// Wall time of the whole answer, in milliseconds.
    pub answer_ms: f64,
    /// Why, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// The signs that the label rests on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub grounds: Vec<Ground>,
}

/// Asks for the label of every true/false and multiple choice question. `label` sees the question
/// and not the key; `None` is an abstention. Open questions are passed over. Its first failure
/// ends the run.
pub fn run_labels<E, G>(
    items: &[Item],
    mut label: impl FnMut(&Question) -> Result<G, E>,
) -> Result<BTreeMap<String, Graded>, Error>
where
    G: Into<Given>,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut graded = BTreeMap::new();
    for item in items {
        let expected = match &item.key.answer {
            Answer::TrueFalse(true) => "True".to_owned(),
            Answer::TrueFalse(false) => "False".to_owned(),
            Answer::Letter(letter) => letter.to_string(),
            Answer::Open(_) => continue,
        };
        let asked = Instant::now();
        let given = label(&item.question).map_err(|error| Error::Label {
            id: item.question.id.clone(),
            source: error.into(),
        })?;
        let answer_ms = asked.elapsed().as_secs_f64() * 1e3;
        let given: Given = given.into();
        let correct = given.label.as_ref() == Some(&expected);
        let result = Graded {
            expected,
            label: given.label,
            correct,
            answer_ms,
            reasons: given.reasons,
            grounds: given.grounds,
        };
        graded.insert(item.question.id.clone(), result);
    }
    Ok(graded)
}
