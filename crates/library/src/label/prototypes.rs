//! Descriptions of each hazard as vectors, for passages that speak of it in other words.

use std::collections::BTreeMap;

use lahar_core::Hazard;
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

/// Cosine from which a passage is near a description, and how much farther the next hazard must be.
/// Measured with all-MiniLM-L6-v2 on the 157 of 966 chunks of the shared corpus in which the lexicon
/// finds nothing: 18 get a label, and 17 of these are labels of the manifest.
const NEAR: f32 = 0.35;
const CLEARLY: f32 = 0.05;

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

    /// The hazard that a passage is about, where one description is near it and those of all other
    /// hazards are clearly farther.
    pub fn nearest(&self, vector: &[f32]) -> Option<Hazard> {
        let mut nearness: BTreeMap<&Hazard, f32> = BTreeMap::new();
        for (hazard, prototype) in &self.0 {
            let best = nearness.entry(hazard).or_insert(f32::MIN);
            *best = best.max(cosine(vector, prototype));
        }
        let mut order: Vec<(&Hazard, f32)> = nearness.into_iter().collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        match order.as_slice() {
            [(hazard, first), (_, second), ..] if *first >= NEAR && first - second >= CLEARLY => {
                Some((*hazard).clone())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_between_two_descriptions_gets_no_label() {
        let prototypes = Prototypes(vec![
            (Hazard::FLOOD, vec![1.0, 0.0, 0.0]),
            (Hazard::STORM, vec![0.0, 1.0, 0.0]),
        ]);
        assert_eq!(prototypes.nearest(&[3.0, 0.1, 0.0]), Some(Hazard::FLOOD));
        assert_eq!(
            prototypes.nearest(&[1.0, 1.0, 0.0]),
            None,
            "as near to both"
        );
        assert_eq!(prototypes.nearest(&[0.1, 0.0, 1.0]), None, "near to none");
        assert_eq!(prototypes.nearest(&[0.0, 0.0, 0.0]), None);
    }

    #[test]
    fn every_built_in_hazard_is_described() {
        for hazard in Hazard::BUILT_IN {
            let described = DESCRIPTIONS.iter().find(|(known, _)| *known == hazard);
            assert!(
                described.is_some_and(|(_, texts)| !texts.is_empty()),
                "{hazard}"
            );
        }
    }
}
