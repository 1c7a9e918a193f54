//! The program as people and scripts meet it.

mod architecture;
mod bad_input;
mod capabilities;
mod documents;
mod interruptions;
mod program;
mod questions;
