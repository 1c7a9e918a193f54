//! Descriptions of each hazard as vectors, for passages that speak of it in other words.

use lahar_core::{Hazard, HazardWeights};
use lahar_models::{Embedder, TextRole};

use crate::LibraryError;
use crate::search::vectors::{cosine, unit};

/// What each hazard is and does, in plain words.
const DESCRIPTIONS: &[(Hazard, &[&str])] = &[
    (
        Hazard::EARTHQUAKE,
        &[
            "The ground shook when the fault slipped, and buildings cracked and collapsed.",
            "Seismometers recorded the magnitude, the epicenter and the aftershocks of the quake.",
        ],
    ),
    (
        Hazard::FLOOD,
        &[
            "The river rose above its banks and water covered streets, fields and basements.",
            "Heavy rain filled the drains and creeks, and levees and roads went under water.",
        ],
    ),
    (
        Hazard::TSUNAMI,
        &[
            "Waves raised by a disturbance of the sea floor ran up on the coast and into the harbor.",
            "People near the beach should move inland to high ground before the first wave arrives.",
        ],
    ),
    (
        Hazard::WILDFIRE,
        &[
            "The fire burned through forest and brush, driven by dry wind and dry fuels.",
            "Crews built fire lines, and residents cleared vegetation around their homes.",
        ],
    ),
    (
        Hazard::STORM,
        &[
            "The tornado tore roofs off houses, snapped trees and threw vehicles along its path.",
            "Severe thunderstorms with damaging wind, hail and lightning crossed the county.",
        ],
    ),
    (
        Hazard::LANDSLIDE,
        &[
            "The slope failed, and soil, rock and debris slid down the hillside into the valley.",
            "Wet ground on steep slopes moves when the water pressure in the soil rises.",
        ],
    ),
    (
        Hazard::HURRICANE,
        &[
            "The tropical cyclone came ashore with a storm surge and hurricane force wind.",
            "The center of the storm moved north with falling pressure and sustained wind in knots.",
        ],
    ),
    (
        Hazard::DROUGHT,
        &[
            "Months without rain dried up reservoirs, wells and crops.",
            "Water use was restricted because of the long lack of precipitation.",
        ],
    ),
    (
        Hazard::HEATWAVE,
        &[
            "Days of extreme heat sent many people to hospital with heat stroke.",
            "Cooling centers opened for people without air conditioning in the hot weather.",
        ],
    ),
];

/// Description vectors of one model.
pub(crate) struct Prototypes(Vec<(Hazard, Vec<f32>)>);

impl Prototypes {
    pub fn of(embedder: &dyn Embedder) -> Result<Prototypes, LibraryError> {
        let texts: Vec<&str> = DESCRIPTIONS
            .iter()
            .flat_map(|(_, texts)| texts.iter().copied())
            .collect();
        let mut vectors = embedder.embed(&texts, TextRole::Passage)?.into_iter();
        let mut prototypes = Vec::new();
        for (hazard, texts) in DESCRIPTIONS {
            for _ in *texts {
                let vector = vectors.next().unwrap_or_default();
                prototypes.push((hazard.clone(), unit(&vector)));
            }
        }
        Ok(Prototypes(prototypes))
    }

    /// Cosine of a passage with the nearest description of each hazard.
    pub fn nearness(&self, vector: &[f32]) -> HazardWeights {
        let mut nearness = HazardWeights::new();
        for (hazard, prototype) in &self.0 {
            let cosine = cosine(vector, prototype);
            nearness.set(hazard.clone(), cosine.max(nearness.get(hazard)));
        }
        nearness
    }
}
