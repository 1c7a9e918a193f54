//! Chunks, labels, the store and retrieval.
//!
//! | module | holds |
//! |---|---|
//! | [`chunk`] | what a chunk is |
//! | [`cut`] | the chunkers: fixed windows, paragraphs |
//! | [`store`] | the library file: adding, reading, removing, checking |
//! | [`settings`] | how a library was built, and whether a model fits it |
//! | [`search`] | retrieval by meaning, by words, and both |
//! | [`hit`] | what retrieval finds |
//! | [`ingest`] | from a read document to a searchable one |
//! | [`label`] | which hazards a text is about |
//! | [`manifest`] | `manifest.csv` beside documents |
//!
//! A library does not read files of documents and does not own a model: documents come from
//! `lahar-documents`, and an embedder is lent for each task that needs one.

pub mod chunk;
pub mod cut;
mod error;
pub mod hit;
pub mod ingest;
pub mod label;
pub mod manifest;
pub mod search;
pub mod settings;
pub mod store;
mod text;
mod words;

pub use chunk::{Chunk, ChunkKind};
pub use error::LibraryError;
pub use hit::{Hit, Ranking, Scores};
pub use ingest::{ChunkProgress, Ingested, Ingestor};
pub use manifest::{Manifest, ManifestEntry};
pub use search::{
    CANDIDATES, Drawn, LATE_FLOOR, LIMIT, Mixture, QuestionVectors, Reranking, SearchRequest,
    cosine, is_stop_word,
};
pub use settings::{ModelRecord, Settings};
pub use store::{
    AddOutcome, CheckReport, DocumentDetails, DocumentText, Library, NewChunk, NewDocument, OnWait,
    StoredDocument, Waiting,
};
pub use text::one_line;
