//! The reranker trait: a question and passages in, one score a passage out.

use crate::ModelError;

/// A model that reads a question together with a passage and says how well the passage answers it.
pub trait Reranker: Send + Sync {
    /// Name for people.
    fn name(&self) -> &str;

    /// The score of each passage, 0 to 1, in order. Scores of one model can be compared with each
    /// other, those of two models cannot. A passage longer than the model's window is cut at its
    /// end.
    fn score(&self, question: &str, passages: &[&str]) -> Result<Vec<f32>, ModelError>;
}
