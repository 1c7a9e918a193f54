//! What a user adds to the embedded gazetteer: own places, aliases, parents.

use std::collections::{HashMap, HashSet};

use super::{Edge, GeoPoint, Meaning, PlaceId};
use crate::kind::Kind;

/// A place of the user's own.
#[derive(Debug, Clone)]
pub(super) struct OwnNode {
    pub name: String,
    pub kind: Kind,
    pub code: String,
    pub geonames: Option<u32>,
    pub point: Option<GeoPoint>,
    pub population: u64,
    pub parents: Vec<Edge>,
    pub extent: Vec<(PlaceId, u8)>,
}

/// Everything a user has added.
#[derive(Debug, Clone, Default)]
pub(super) struct Overlay {
    pub nodes: Vec<OwnNode>,
    pub names: HashMap<String, Vec<Meaning>>,
    pub parents: HashMap<PlaceId, Vec<Edge>>,
    pub codes: HashMap<String, PlaceId>,
    /// Neighbours, both ways.
    pub adjacent: HashSet<(PlaceId, PlaceId)>,
    /// Words of the longest name.
    pub longest_name: usize,
}

/// What an import added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct ImportSummary {
    /// New places.
    pub places: usize,
    /// New names of places that were known or are new.
    pub names: usize,
    /// New parents.
    pub parents: usize,
    /// Rows for places that the tables know.
    pub known: usize,
    /// Pairs of neighbours.
    pub neighbours: usize,
}
