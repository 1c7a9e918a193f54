//! Claims and choices over small documents of our own, by words alone.

mod claims;
mod mora;
