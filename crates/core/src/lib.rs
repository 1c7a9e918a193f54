//! The words every Lahar crate shares. Pure values: no files, network, clock or models.
//!
//! | module | holds |
//! |---|---|
//! | [`hazard`] | hazard labels, their aliases, weights over several hazards |
//! | [`hash`] | content hashes and the document ids made from them |
//! | [`text`] | ranges counted in Unicode scalar values, and their map to bytes |
//! | [`evidence`] | a verbatim quote with the place it stands in |
//! | [`date`] | publication dates as coarse as the source gives them |
//! | [`time`] | points in time, when something holds, when it was published |
//! | [`quantity`] | numbers with units: dimensions checked, SI inside, field units outside |
//! | [`measure`] | lengths, speeds, winds, heights whose unit cannot be mistaken |
//! | [`grid`] | values with transform, coordinate system and pixel convention |
//! | [`projection`] | longitude and latitude to metres and back |
//! | [`series`] | values along time, tracks, shapes with properties |
//! | [`trees`] | sums of decision trees: published weights of learned models |
//! | [`random`] | seeded random streams, the same for every number of threads |
//! | [`capability`] | typed ports, conditions with citations, registrations of models |
//! | [`decision`] | answered, warned or abstained, with reasons a program can read |

pub mod capability;
pub mod date;
pub mod decision;
pub mod evidence;
pub mod grid;
pub mod hash;
pub mod hazard;
pub mod measure;
pub mod projection;
pub mod quantity;
pub mod random;
pub mod series;
pub mod text;
pub mod time;
pub mod trees;

pub use date::{MONTHS, PublicationDate};
pub use decision::{Decision, Reason, ReasonCode};
pub use evidence::{EvidenceSpan, PageRange, SpanError};
pub use grid::{Affine, Crs, Grid, PixelConvention};
pub use hash::{ContentHash, DocumentId};
pub use hazard::{Hazard, HazardWeights};
pub use quantity::{Dimension, Quantity, QuantityError, Unit};
pub use random::RandomStream;
pub use text::{CharRange, TextIndex};
pub use time::{Timestamp, Timing};
