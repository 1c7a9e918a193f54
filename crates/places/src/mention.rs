//! What is found in a text: a mention with its meaning, or the meanings it may have.

use lahar_core::CharRange;
use serde::{Deserialize, Serialize};

use crate::gazetteer::PlaceId;
use crate::relation::Subject;

/// Whether a mention's place is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// One place.
    Resolved,
    /// Several places, and nothing tells which.
    Ambiguous,
    /// A place by its context, and none that the gazetteer knows.
    Unknown,
}

/// What part a mention plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The text speaks of this place.
    Place,
    /// A named event, which has places and dates of its own.
    Event,
    /// Coordinates of a point.
    Point,
    /// A bounding box.
    Box,
    /// Only a landmark: "30 km south of Y", "near Y".
    Hint,
    /// A part that has no boundary of its own: "southern Oregon" means part of Oregon.
    Part,
    /// Address, byline, "Y-based": the text is not about it.
    Aside,
}

/// A place that a mention may mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// The place.
    pub place: PlaceId,
    /// Weight among all candidates; together they make 1.
    pub share: f32,
}

/// A mention of a place.
#[derive(Debug, Clone, PartialEq)]
pub struct Mention {
    /// The words, verbatim.
    pub text: String,
    /// Where they stand, in Unicode scalar values.
    pub range: CharRange,
    /// Whether the place is known.
    pub status: Status,
    /// The place, where it is resolved to a node of the graph.
    pub place: Option<PlaceId>,
    /// The place to compare with, for points and boxes too.
    pub subject: Option<Subject>,
    /// Likeliest first; empty where unknown.
    pub candidates: Vec<Candidate>,
    /// Share of the first candidate less that of the second.
    pub margin: f32,
    /// What spoke for the first candidate, in words.
    pub evidence: Vec<String>,
    /// What part the mention plays.
    pub role: Role,
    /// Whether the mention only says where another lies: `Oregon` in `Portland, Oregon`.
    pub qualifies: bool,
    /// For an unknown place, the known place that the text puts it in.
    pub parent_in_text: Option<PlaceId>,
    /// For an unknown place, the state that most places of the text lie in: a guess, for ranking.
    pub likely_within: Option<PlaceId>,
}

impl Mention {
    /// The place, or the likeliest of several.
    pub fn best(&self) -> Option<PlaceId> {
        self.place
            .or_else(|| self.candidates.first().map(|candidate| candidate.place))
    }
}
