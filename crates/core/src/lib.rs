//! The words every Lahar crate shares. Pure values: no files, network, clock or models.
//!
//! | module | holds |
//! |---|---|
//! | [`hazard`] | hazard labels, their aliases, weights over several hazards |
//! | [`hash`] | content hashes and the document ids made from them |
//! | [`text`] | ranges counted in Unicode scalar values, and their map to bytes |
//! | [`evidence`] | a verbatim quote with the place it stands in |
//! | [`date`] | publication dates as coarse as the source gives them |
//! | [`decision`] | answered, warned or abstained, with reasons a program can read |

pub mod date;
pub mod decision;
pub mod evidence;
pub mod hash;
pub mod hazard;
pub mod text;

pub use date::PublicationDate;
pub use decision::{Decision, Reason, ReasonCode};
pub use evidence::{EvidenceSpan, PageRange, SpanError};
pub use hash::{ContentHash, DocumentId};
pub use hazard::{Hazard, HazardWeights};
pub use text::{CharRange, TextIndex};
