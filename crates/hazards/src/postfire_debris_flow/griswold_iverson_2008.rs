//! Areas that debris flows, rock avalanches and lahars reach, by Griswold and Iverson (2008).

use lahar_core::capability::Citation;
use lahar_core::measure::{Area, Volume};

use crate::error::{HazardError, Limit};

/// The publication.
pub const SOURCE: Citation = Citation {
    authors: "Griswold & Iverson",
    year: 2008,
    doi: "doi:10.3133/sir20075276",
    place: "abstract: calibrated coefficients",
};

/// What kind of flow; they differ in how far they spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FlowKind {
    /// Debris flow away from volcanoes.
    DebrisFlow,
    /// Rock avalanche.
    RockAvalanche,
    /// Lahar.
    Lahar,
}

impl FlowKind {
    /// The words of [`FlowKind::parse`].
    pub const WORDS: [&'static str; 3] = ["debris_flow", "rock_avalanche", "lahar"];

    /// Reads a word of [`FlowKind::WORDS`].
    pub fn parse(word: &str) -> Option<FlowKind> {
        let all = [
            FlowKind::DebrisFlow,
            FlowKind::RockAvalanche,
            FlowKind::Lahar,
        ];
        let at = FlowKind::WORDS.iter().position(|known| *known == word)?;
        Some(all[at])
    }
}

/// The areas of a flow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inundation {
    /// Largest cross-section of the valley that is filled.
    pub cross_section: Area,
    /// Area covered, seen from above.
    pub planimetric: Area,
}

const VOLUME: Limit = Limit::new("volume", "m3", 0.0, 1e12, SOURCE);

/// Cross-section and area that a flow of a given volume inundates.
///
/// `A = a V^(2/3)`, `B = b V^(2/3)` with a = 0.1, 0.2, 0.05 and b = 20, 20, 200 for debris flows,
/// rock avalanches and lahars (Griswold and Iverson 2008, doi:10.3133/sir20075276).
///
/// Inputs: a volume (m³, from 0 on). Output: two areas.
///
/// Not where the flow stays in an engineered channel; the areas say nothing of where they lie.
///
/// ```
/// use lahar_core::measure::Volume;
/// use lahar_hazards::postfire_debris_flow::griswold_iverson_2008::*;
/// let reach = inundation(FlowKind::DebrisFlow, Volume::cubic_metres(1e6)).unwrap();
/// assert!((reach.cross_section.si() - 1e3).abs() < 1e-6);
/// assert!((reach.planimetric.si() - 2e5).abs() < 1e-4);
/// ```
pub fn inundation(kind: FlowKind, volume: Volume) -> Result<Inundation, HazardError> {
    let (cross, plan) = match kind {
        FlowKind::DebrisFlow => (0.1, 20.0),
        FlowKind::RockAvalanche => (0.2, 20.0),
        FlowKind::Lahar => (0.05, 200.0),
    };
    let scale = VOLUME.check(volume.to_cubic_metres())?.powf(2.0 / 3.0);
    Ok(Inundation {
        cross_section: Area::square_metres(cross * scale),
        planimetric: Area::square_metres(plan * scale),
    })
}
