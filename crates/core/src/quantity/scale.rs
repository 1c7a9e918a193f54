//! Scales on which a number can stand: linear, logarithmic, magnitudes of earthquakes.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How the number of a unit relates to what it measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scale {
    /// Proportional to it, perhaps from a zero of its own.
    Linear,
    /// The logarithm to base 10 of the number in the unit named inside.
    Log10,
    /// The natural logarithm of the number in the unit named inside.
    NaturalLog,
    /// An earthquake magnitude; different scales are different things.
    Magnitude(MagnitudeType),
}

/// Scales of earthquake magnitude.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum MagnitudeType {
    /// Moment magnitude.
    #[serde(rename = "Mw")]
    Moment,
    /// Local (Richter) magnitude.
    #[serde(rename = "ML")]
    Local,
    /// Surface-wave magnitude.
    #[serde(rename = "Ms")]
    SurfaceWave,
    /// Body-wave magnitude.
    #[serde(rename = "mb")]
    BodyWave,
    /// Duration magnitude.
    #[serde(rename = "Md")]
    Duration,
}

impl MagnitudeType {
    /// Every scale.
    pub const ALL: [MagnitudeType; 5] = [
        MagnitudeType::Moment,
        MagnitudeType::Local,
        MagnitudeType::SurfaceWave,
        MagnitudeType::BodyWave,
        MagnitudeType::Duration,
    ];

    /// The usual symbol.
    pub fn symbol(self) -> &'static str {
        match self {
            MagnitudeType::Moment => "Mw",
            MagnitudeType::Local => "ML",
            MagnitudeType::SurfaceWave => "Ms",
            MagnitudeType::BodyWave => "mb",
            MagnitudeType::Duration => "Md",
        }
    }
}

impl fmt::Display for MagnitudeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.symbol())
    }
}
