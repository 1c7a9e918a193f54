//! Tests at the boundary of the crate.

mod common;
mod run_process;
mod run_record;
