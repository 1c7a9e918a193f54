//! Lahar answers questions about natural hazards with quotes that hold for the place and event
//! asked about, or says why it cannot.
//!
//! This crate is the edge: the command line and everything that touches the outside. It decides
//! nothing; the crates below do.
//!
//! | module | holds |
//! |---|---|
//! | [`command_line`] | the commands, one file each |
//! | [`chat_model`] | the chat model of the configuration |
//! | [`config`] | the configuration file and its defaults |
//! | [`workplace`] | where library, models and worker are for this run |
//! | [`own_places`] | tables of places that a user has added |
//! | [`place_tagger`] | a token classifier as a tagger of places |
//! | [`wire`] | the JSON that scripts rely on |
//! | [`output`] | printing for people and for programs |
//! | [`failure`] | what went wrong, where, why, and the next step |

pub mod chat_model;
pub mod command_line;
pub mod config;
pub mod failure;
pub mod output;
pub mod own_places;
pub mod place_tagger;
pub mod wire;
pub mod workplace;

pub use lahar_answers as answers;
pub use lahar_bench as bench;
pub use lahar_core as core;
pub use lahar_documents as documents;
pub use lahar_hazards as hazards;
pub use lahar_library as library;
pub use lahar_models as models;
pub use lahar_places as places;
pub use lahar_routes as routes;
