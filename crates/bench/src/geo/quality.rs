//! One question's score: was the decision good, and was it carried out well?

use lahar_core::Decision;

use super::{GeoAnswer, claims};
use crate::questions::OpenAnswer;

/// A graded score with the reason why it is not 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quality {
    /// 0, 0.5 or 1.
    pub score: f64,
    /// What is missing.
    pub shortfall: Option<&'static str>,
}

/// 1 where the decision is good and, if something is said, the reference is in it and a warning
/// names the level it warns of; 0.5 where one of these is missing; 0 where the decision is not
/// good.
pub fn quality(key: &OpenAnswer, answer: &GeoAnswer) -> Quality {
    let graded = |score, shortfall| Quality { score, shortfall };
    if !key.acceptable.contains(&answer.decision) {
        return graded(0.0, Some("the decision"));
    }
    if answer.decision == Decision::Abstain {
        return graded(1.0, None);
    }
    if answer.decision == Decision::Warn && !names_level(key, answer) {
        return graded(0.5, Some("the warning does not name the level"));
    }
    // Half of the reference's claims: a reference of two parts is often met by one sentence.
    if claims::recall(key, answer).is_some_and(|held| held < 0.5) {
        return graded(0.5, Some("the reference is not in the answer"));
    }
    graded(1.0, None)
}

/// Whether the reasons or the level that is reported name one of the places the key gives; where
/// it gives none, whether a reason is given at all.
fn names_level(key: &OpenAnswer, answer: &GeoAnswer) -> bool {
    if key.warning_names.is_empty() {
        return !answer.reasons.is_empty();
    }
    let texts = answer.level_used.iter().chain(&answer.reasons);
    texts
        .into_iter()
        .any(|text| key.warning_names.iter().any(|name| text.contains(name)))
}
