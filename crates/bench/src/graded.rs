//! Labels of true/false and multiple choice questions against the key.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::Serialize;

use crate::error::Error;
use crate::questions::{Answer, Item, Question};

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
}

/// Asks for the label of every true/false and multiple choice question. `label` sees the question
/// and not the key; `None` is an abstention. Open questions are passed over. Its first failure
/// ends the run.
pub fn run_labels<E>(
    items: &[Item],
    mut label: impl FnMut(&Question) -> Result<Option<String>, E>,
) -> Result<BTreeMap<String, Graded>, Error>
where
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
        let correct = given.as_ref() == Some(&expected);
        let result = Graded {
            expected,
            label: given,
            correct,
            answer_ms,
        };
        graded.insert(item.question.id.clone(), result);
    }
    Ok(graded)
}
