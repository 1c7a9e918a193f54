//! Places: a gazetteer, recognition and resolution of place names, relation and distance of
//! places, and the decisions that follow for passages and questions.
//!
//! | module | holds |
//! |---|---|
//! | [`gazetteer`] | the embedded tables, names and edges, and what a user adds |
//! | [`kind`] | sorts of places, edges and names |
//! | [`relation`] | how two places lie to each other: relation, distance, shared ancestor |
//! | [`coordinates`] | points and boxes |
//! | [`mention`], [`resolve`] | mentions in text, and which places they mean |
//! | [`mod@focus`], [`question`] | what a passage is about, what a question asks about |
//! | `issuer` | where a publisher has authority |
//! | [`decision`] | the rules, as one table, for passages and questions |
//! | [`lookup`], [`cards`] | finding a place a person typed, and showing it |
//! | [`states`] | numbers and codes of the states of the United States |
//! | [`score`] | `bench places` |
//!
//! Pure: nothing here opens a file, a socket or a model; the tables are compiled in.

pub mod blob;
mod boundaries;
pub mod cards;
pub mod coordinates;
pub mod decision;
pub mod error;
pub mod focus;
mod fold;
pub mod gazetteer;
mod issuer;
pub mod kind;
pub mod lookup;
pub mod mention;
pub mod question;
mod reader;
pub mod relation;
pub mod resolve;
pub mod score;
pub mod states;
mod tag;

pub use coordinates::{GeoBox, Located};
pub use decision::{
    Asked, Authority, FocusPlace, Judgement, LevelUsed, Mode, Passage, QuestionDecision,
    QuestionPlaces, Topic, decide, judge,
};
pub use error::PlacesError;
pub use focus::{Surroundings, focus, nearest};
pub use fold::fold;
pub use gazetteer::{Edge, EventFacts, Gazetteer, GeoPoint, ImportSummary, Meaning, PlaceId};
pub use mention::{Candidate, Mention, Role, Status};
pub use question::QuestionReading;
pub use relation::{Comparison, Relation, Subject};
pub use resolve::{Reading, Setting};
pub use tag::SpanTagger;
