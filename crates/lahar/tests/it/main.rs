//! The program as people and scripts meet it.

mod architecture;
mod bad_input;
mod capabilities;
mod documents;
mod interruptions;
mod places;
mod program;
mod questions;
#[allow(dead_code)] // part of it is used here
#[path = "../../../models/tests/it/tiny.rs"]
mod tiny;
