//! Tests of the crate's public interface.

#![allow(
    clippy::print_stderr,
    reason = "a test that lacks its data says by name that it is skipped"
)]

mod agent;
mod applicability;
mod bad_input;
mod cards;
mod common;
mod compile;
mod graph;
mod metamorphic;
mod run_process;
mod run_readers;
mod run_record;
mod state;
mod tracks;
