//! Tests of the crate's public interface.

mod bad_input;
mod state;
