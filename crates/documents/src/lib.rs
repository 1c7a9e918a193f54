//! Readers for people's documents.

pub mod document;

pub use document::{Block, BlockKind, Document, Format, Page, PageStatus, Row, Table, pages_of};
