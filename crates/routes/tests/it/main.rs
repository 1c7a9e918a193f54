//! Tests of the crate's public interface.

mod agent;
mod bad_input;
mod cards;
mod common;
mod metamorphic;
mod state;
