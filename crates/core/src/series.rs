//! Values along time, places along time, and shapes with properties.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::quantity::{Quantity, Unit};
use crate::time::Timestamp;

/// Values at equal steps of time. `NaN` marks a gap.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// The values.
    pub values: Vec<f64>,
    /// Their unit.
    pub unit: Unit,
    /// Time from one value to the next.
    pub step: Quantity,
    /// Time of the first value, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Timestamp>,
}

/// One fix of a track.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrackPoint {
    /// When.
    pub time: Timestamp,
    /// Longitude in degrees east.
    pub longitude: f64,
    /// Latitude in degrees north.
    pub latitude: f64,
    /// What was measured there, by name.
    #[serde(default)]
    pub quantities: BTreeMap<String, Quantity>,
}

/// Where something went, such as the centre of a storm.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Track {
    /// Fixes in the order of time.
    pub points: Vec<TrackPoint>,
}

/// A shape on the ground, in the coordinates of its collection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Shape {
    /// A point.
    Point([f64; 2]),
    /// A line.
    Line(Vec<[f64; 2]>),
    /// A polygon: its outer ring, then its holes; rings are closed.
    Polygon(Vec<Vec<[f64; 2]>>),
    /// Several shapes that belong together.
    Many(Vec<Shape>),
}

/// A shape with what is known of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Feature {
    /// The shape; a row of a table may have none.
    pub shape: Option<Shape>,
    /// Properties by name.
    pub properties: BTreeMap<String, Property>,
}

/// The value of a property.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Property {
    /// Nothing is known.
    Missing,
    /// Yes or no.
    Flag(bool),
    /// A number whose unit the property's name or a description gives.
    Number(f64),
    /// Words.
    Text(String),
}
