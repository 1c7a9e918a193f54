//! Places.

pub mod blob;
pub mod error;
mod fold;
pub mod gazetteer;
pub mod kind;
pub mod mention;
mod reader;
pub mod relation;
pub mod resolve;
pub mod score;
mod tag;

pub use error::PlacesError;
pub use fold::fold;
pub use gazetteer::{Edge, EventFacts, Gazetteer, GeoPoint, Meaning, PlaceId};
pub use mention::{Candidate, Mention, Role, Status};
pub use relation::{Comparison, Relation, Subject};
pub use resolve::{Reading, Setting};
pub use tag::SpanTagger;
