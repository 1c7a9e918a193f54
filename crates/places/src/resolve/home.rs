//! Where a text or a publisher is at home: the states and counties that its places share.

use std::collections::HashMap;

use crate::gazetteer::{Gazetteer, PlaceId};
use crate::kind::Kind;
use crate::mention::{Mention, Status};

/// Shares of states and counties among the places that a publisher's texts name.
///
/// Nothing but resolved mentions goes in, so that a publisher's home can be learned from any of
/// its texts without a key: a town's newspaper names the towns and counties around it again and
/// again. Each text counts once, each place of it once.
#[derive(Debug, Clone, Default)]
pub struct Home {
    states: HashMap<PlaceId, f32>,
    counties: HashMap<PlaceId, f32>,
    cities: HashMap<PlaceId, f32>,
    texts: f32,
}

/// What a place says about the home of those who name it: everyone names large cities.
fn local(gazetteer: &Gazetteer, place: PlaceId) -> f32 {
    match gazetteer.kind(place) {
        Kind::County | Kind::Township => 1.0,
        Kind::City => match gazetteer.population(place) {
            0..=100_000 => 1.0,
            100_001..=500_000 => 0.6,
            _ => 0.3,
        },
        Kind::State => 0.6,
        _ => 0.0,
    }
}

impl Home {
    /// Adds the places of one text.
    pub fn observe(&mut self, gazetteer: &Gazetteer, mentions: &[Mention]) {
        let mut places: Vec<PlaceId> = mentions
            .iter()
            .filter(|mention| mention.status == Status::Resolved)
            .filter_map(|mention| mention.place)
            .collect();
        places.sort_unstable();
        places.dedup();
        let weights: Vec<f32> = places
            .iter()
            .map(|place| local(gazetteer, *place))
            .collect();
        let sum: f32 = weights.iter().sum();
        if sum <= 0.0 {
            return;
        }
        self.texts += 1.0;
        for (place, weight) in places.iter().zip(&weights) {
            // A text with one place says less than one with ten.
            let share = weight / sum.max(2.0);
            if let Some(state) = gazetteer.state(*place) {
                *self.states.entry(state).or_default() += share;
            }
            if let Some(county) = super::county(gazetteer, *place) {
                *self.counties.entry(county).or_default() += share;
            }
            if gazetteer.kind(*place) == Kind::City {
                *self.cities.entry(*place).or_default() += share;
            }
        }
    }

    /// Number of texts that named a place below the country.
    pub fn texts(&self) -> usize {
        self.texts as usize
    }

    /// The state named most.
    pub fn state(&self) -> Option<PlaceId> {
        self.states
            .iter()
            .max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)))
            .map(|(state, _)| *state)
    }

    /// The share of a state among the places named, 0 to 1.
    pub fn state_share(&self, state: PlaceId) -> f32 {
        share(&self.states, state)
    }

    /// The share of a county, 0 to 1.
    pub fn county_share(&self, county: PlaceId) -> f32 {
        share(&self.counties, county)
    }
}

fn share(counts: &HashMap<PlaceId, f32>, place: PlaceId) -> f32 {
    let sum: f32 = counts.values().sum();
    match counts.get(&place) {
        Some(count) if sum > 0.0 => count / (sum + 1.0),
        _ => 0.0,
    }
}
