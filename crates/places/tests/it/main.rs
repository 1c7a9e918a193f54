//! Tests at the boundary of the crate.
#![allow(missing_docs)]

mod common;
mod graph;
