//! What the rest of the text, and what is known of it, says for each candidate.

mod site;

use std::collections::HashMap;

use super::{Open, Reading, Scored};
use crate::gazetteer::{Gazetteer, GeoPoint, PlaceId};

/// Weight of mentions in the same state, the same country, and near by. Chosen on the first half
/// of LGL.
const SAME_COUNTY: f32 = 4.0;
const SAME_STATE: f32 = 2.0;
const SAME_COUNTRY: f32 = 0.3;
const NEAR: f32 = 1.0;
const NEAR_KM: f64 = 60.0;
const VOTE: f32 = 0.3;
/// Support grows with the logarithm: the second neighbour says less than the first.
const STRENGTH: f32 = 12.0;
const SLOW: f32 = 3.0;
/// What the site of publication adds for a city it is named after, and for its country.
const SITE_CITY: f32 = 1.5;
const SITE_COUNTRY: f32 = 3.0;
/// A candidate this much less known (in logarithms) than the best of its name says one less.
const LESS: f32 = 2.0;
/// What a declared place of the document or user adds.
const WITHIN: f32 = 4.0;

/// One name of the text, however often it stands there.
struct Group {
    members: Vec<usize>,
    weight: f32,
}

/// Adds support to every candidate's score.
pub(super) fn add(
    gazetteer: &Gazetteer,
    text: &str,
    open: &mut [Open<'_>],
    votes: &[PlaceId],
    reading: &Reading,
) {
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, mention) in open.iter().enumerate() {
        if !mention.candidates.is_empty() {
            by_name
                .entry(&text[mention.draft.start..mention.draft.end])
                .or_default()
                .push(at);
        }
    }
    let mut groups: Vec<Group> = by_name
        .into_values()
        .map(|members| Group {
            weight: (members.len() as f32).sqrt(),
            members,
        })
        .collect();
    groups.sort_by_key(|group| group.members[0]);
    let publisher = reading
        .site
        .as_deref()
        .map(|site| site::hints(gazetteer, site))
        .unwrap_or_default();
    for mention in open.iter_mut() {
        for candidate in &mut mention.candidates {
            let known_site = publisher.cities.contains(&candidate.place);
            let known_country =
                publisher.country.is_some() && publisher.country == candidate.country;
            let added = if known_site { SITE_CITY } else { 0.0 }
                + if known_country { SITE_COUNTRY } else { 0.0 };
            candidate.fixed += added;
            candidate.score += added;
            let fits = reading.within.iter().any(|place| {
                candidate.place == *place
                    || candidate.state == Some(*place)
                    || candidate.country == Some(*place)
                    || gazetteer.lies_under(candidate.place, *place)
                    || gazetteer.lies_under(*place, candidate.place)
            });
            if fits {
                candidate.fixed += WITHIN;
                candidate.score += WITHIN;
            }
        }
    }
    for _ in 0..2 {
        let mut voices: Vec<Voice> = groups
            .iter()
            .map(|group| Voice::of(gazetteer, &open[group.members[0]], group.weight))
            .collect();
        voices.extend(publisher.voice(gazetteer));
        for (at, group) in groups.iter().enumerate() {
            let first = group.members[0];
            let added: Vec<f32> = open[first]
                .candidates
                .iter()
                .map(|candidate| {
                    let heard: f32 = voices
                        .iter()
                        .enumerate()
                        .filter(|(other, _)| *other != at)
                        .map(|(_, voice)| voice.says(gazetteer, candidate))
                        .sum();
                    let voted = votes
                        .iter()
                        .filter(|vote| {
                            candidate.country == Some(**vote) || candidate.state == Some(**vote)
                        })
                        .count() as f32;
                    STRENGTH * (1.0 + (heard + VOTE * voted) / SLOW).ln()
                })
                .collect();
            for member in &group.members {
                let same = open[*member].candidates.len() == added.len();
                for (candidate, support) in open[*member].candidates.iter_mut().zip(&added) {
                    candidate.score = candidate.fixed + if same { *support } else { 0.0 };
                }
            }
        }
    }
}

/// What one name of the text has to say to the candidates of the others: how good its own best
/// candidate is in each county, state and country.
pub(super) struct Voice {
    weight: f32,
    counties: Vec<(PlaceId, f32)>,
    states: Vec<(PlaceId, f32)>,
    countries: Vec<(PlaceId, f32)>,
    point: Option<GeoPoint>,
}

impl Voice {
    fn of(gazetteer: &Gazetteer, open: &Open<'_>, weight: f32) -> Voice {
        let top = open
            .candidates
            .iter()
            .map(|candidate| candidate.score)
            .fold(f32::MIN, f32::max);
        let mut voice = Voice {
            weight,
            counties: Vec::new(),
            states: Vec::new(),
            countries: Vec::new(),
            point: open
                .candidates
                .iter()
                .find(|candidate| candidate.score >= top)
                .filter(|best| gazetteer.kind(best.place).level() >= 5)
                .and_then(|best| gazetteer.point(best.place)),
        };
        for candidate in &open.candidates {
            let less = (candidate.score - top) / LESS;
            let keep = |list: &mut Vec<(PlaceId, f32)>, place: Option<PlaceId>| {
                let Some(place) = place else { return };
                match list.iter_mut().find(|(known, _)| *known == place) {
                    Some((_, best)) => *best = best.max(less),
                    None => list.push((place, less)),
                }
            };
            keep(&mut voice.counties, candidate.county);
            keep(&mut voice.states, candidate.state);
            keep(&mut voice.countries, candidate.country);
        }
        voice
    }

    /// The best agreement with a candidate: same county, same state, same country, near by.
    fn says(&self, gazetteer: &Gazetteer, candidate: &Scored) -> f32 {
        let agree = |list: &[(PlaceId, f32)], wanted: Option<PlaceId>, weight: f32| {
            list.iter()
                .find(|(place, _)| Some(*place) == wanted)
                .map_or(0.0, |(_, less)| weight + less)
        };
        let best = agree(&self.counties, candidate.county, SAME_COUNTY)
            .max(agree(&self.states, candidate.state, SAME_STATE))
            .max(agree(&self.countries, candidate.country, SAME_COUNTRY))
            .max(0.0);
        let near = match (self.point, gazetteer.point(candidate.place)) {
            (Some(one), Some(other)) if gazetteer.kind(candidate.place).level() >= 5 => {
                NEAR * (-one.distance_km(other) / NEAR_KM).exp() as f32
            }
            _ => 0.0,
        };
        self.weight * (best + near)
    }
}
