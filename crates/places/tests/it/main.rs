//! Tests at the boundary of the crate.
#![allow(missing_docs)]

mod bad_input;
mod common;
mod corpora;
mod decisions;
mod failures;
mod graph;
mod grounded;
mod imports;
mod multi_parent;
mod properties;
mod speed;
mod text;
