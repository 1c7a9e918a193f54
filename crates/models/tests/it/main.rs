//! Tests of models from outside: vectors against independent ones, folders that are broken, the
//! store and its sources.

mod broken;
mod chat;
#[cfg(feature = "network")]
mod chat_real;
#[cfg(feature = "network")]
mod chat_server;
mod pairs;
mod reference;
mod store;
mod tagging;
mod tiny;
mod tokens;
mod vectors;
