//! Claims and choices over small documents of our own, by words alone.

mod chat_writer;
mod claims;
mod mora;
