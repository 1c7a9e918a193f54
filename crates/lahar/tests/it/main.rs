//! The program as people and scripts meet it.
#![allow(clippy::print_stderr)] // checks that need what is not here say that they are skipped

mod analyse;
mod architecture;
mod bad_input;
mod capabilities;
mod chat;
mod documents;
mod fires_and_slides;
mod geography;
mod interruptions;
mod no_network;
mod places;
mod program;
mod questions;
mod routes;
#[allow(dead_code)] // part of it is used here
#[path = "../../../models/tests/it/tiny.rs"]
mod tiny;
