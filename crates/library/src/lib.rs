//! Chunks, labels, the store and retrieval.

pub mod chunk;
pub mod hit;

pub use chunk::{Chunk, ChunkKind};
pub use hit::{Hit, Ranking, Scores};
