//! What retrieval finds.

use lahar_core::{DocumentId, HazardWeights};
use serde::Serialize;

use crate::chunk::Chunk;

/// How chunks are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ranking {
    /// Cosine of the question's and the chunk's vectors, over all chunks.
    Dense,
    /// BM25 over words.
    Lexical,
    /// Both, fused by rank. The default.
    Fused,
}

/// One retrieved chunk.
#[derive(Debug, Clone)]
pub struct Hit {
    /// Number of the chunk in its library.
    pub chunk_id: i64,
    /// Its document.
    pub document: DocumentId,
    /// The document's title.
    pub title: String,
    /// File name under which the document was ingested, without folders.
    pub file_name: String,
    /// Hazards of the whole document.
    pub document_hazards: HazardWeights,
    /// The chunk.
    pub chunk: Chunk,
    /// The chunk's text: its spans joined by a line break.
    pub text: String,
    /// How well it fits.
    pub scores: Scores,
}

/// How well a chunk fits a question; absent where that ranking did not see it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Scores {
    /// Cosine, -1 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dense: Option<f32>,
    /// BM25, larger is better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lexical: Option<f32>,
    /// Cross-encoder or late-interaction score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rerank: Option<f32>,
    /// Whether the rerank score is so low that the chunk is no evidence, whatever else speaks for
    /// it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub below_floor: bool,
}
