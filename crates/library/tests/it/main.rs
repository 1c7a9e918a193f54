//! What a library promises, from outside.

mod corpus;
mod cut;
mod errors;
mod fts5;
mod labels;
mod made;
mod names;
mod old_files;
mod rerank;
mod search;
mod store;
mod writers;
