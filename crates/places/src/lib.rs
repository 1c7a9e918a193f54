//! Places.

pub mod blob;
pub mod error;
mod fold;
pub mod gazetteer;
pub mod kind;
pub mod relation;

pub use error::PlacesError;
pub use fold::fold;
pub use gazetteer::{Edge, EventFacts, Gazetteer, GeoPoint, Meaning, PlaceId};
pub use relation::{Comparison, Relation, Subject};
