//! What a library promises, from outside.

mod cut;
mod errors;
mod labels;
mod made;
mod names;
mod old_files;
mod search;
mod store;
mod writers;
