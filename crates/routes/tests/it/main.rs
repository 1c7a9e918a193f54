//! Tests of the crate's public interface.

mod agent;
mod bad_input;
mod cards;
mod common;
mod metamorphic;
mod run_process;
mod run_readers;
mod run_record;
mod state;
