//! Tests of the crate's public interface.

mod bad_input;
mod common;
mod run_process;
mod run_record;
mod state;
