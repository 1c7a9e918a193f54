//! What a library promises, from outside.

mod made;
mod store;
