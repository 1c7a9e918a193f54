//! What the rest of the text, and what is known of it, says for each candidate.

use std::collections::HashMap;

use super::{Open, Reading, WIDTH};
use crate::gazetteer::{Gazetteer, GeoPoint, PlaceId};
use crate::kind::Kind;

/// Weight of mentions in the same state, the same country, and near by. Chosen on the first half
/// of LGL.
const SAME_STATE: f32 = 1.0;
const SAME_COUNTRY: f32 = 0.5;
const NEAR: f32 = 0.8;
const NEAR_KM: f64 = 80.0;
const STRENGTH: f32 = 2.4;
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
    for mention in open.iter_mut() {
        for candidate in &mut mention.candidates {
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
    // Mentions with a parent of their own support others and need no support.
    for _ in 0..2 {
        let states = sums(open, &groups, |c| c.state);
        let countries = sums(open, &groups, |c| c.country);
        let points: Vec<(usize, f32, GeoPoint)> = groups
            .iter()
            .enumerate()
            .filter_map(|(at, group)| {
                let best = best(&open[group.members[0]])?;
                let kind = gazetteer.kind(best);
                let point = gazetteer.point(best)?;
                (kind.level() >= 5).then_some((at, group.weight, point))
            })
            .collect();
        let mut added: Vec<Vec<f32>> = Vec::with_capacity(groups.len());
        for (at, group) in groups.iter().enumerate() {
            let mention = &open[group.members[0]];
            let shares = shares(mention);
            added.push(
                mention
                    .candidates
                    .iter()
                    .map(|candidate| {
                        let own = |wanted: Option<PlaceId>, get: fn(&super::Scored) -> Option<PlaceId>| {
                            mention
                                .candidates
                                .iter()
                                .zip(&shares)
                                .filter(|(other, _)| get(other) == wanted && wanted.is_some())
                                .map(|(_, share)| share * group.weight)
                                .sum::<f32>()
                        };
                        let of = |sums: &HashMap<PlaceId, f32>, wanted: Option<PlaceId>| {
                            wanted.and_then(|wanted| sums.get(&wanted)).copied().unwrap_or(0.0)
                        };
                        let state = of(&states, candidate.state) - own(candidate.state, |c| c.state);
                        let country =
                            of(&countries, candidate.country) - own(candidate.country, |c| c.country);
                        let voted = votes
                            .iter()
                            .filter(|vote| {
                                candidate.country == Some(**vote) || candidate.state == Some(**vote)
                            })
                            .count() as f32;
                        let near: f32 = gazetteer.point(candidate.place).map_or(0.0, |point| {
                            if gazetteer.kind(candidate.place).level() < 5 {
                                return 0.0;
                            }
                            points
                                .iter()
                                .filter(|(other, _, _)| *other != at)
                                .map(|(_, weight, other)| {
                                    weight * (-point.distance_km(*other) / NEAR_KM).exp() as f32
                                })
                                .sum()
                        });
                        let local = match gazetteer.kind(candidate.place) {
                            Kind::Country | Kind::Continent => 0.5 * SAME_COUNTRY * country,
                            _ => SAME_STATE * state.max(0.0)
                                + SAME_COUNTRY * (country.max(0.0) + 0.3 * voted)
                                + NEAR * near,
                        };
                        STRENGTH * (1.0 + local).ln()
                    })
                    .collect(),
            );
        }
        for (group, added) in groups.iter().zip(added) {
            for member in &group.members {
                let same = open[*member].candidates.len() == added.len();
                for (at, candidate) in open[*member].candidates.iter_mut().enumerate() {
                    let support = if same { added[at] } else { 0.0 };
                    candidate.score = candidate.fixed + support;
                }
            }
        }
    }
}

fn best(open: &Open<'_>) -> Option<PlaceId> {
    open.candidates
        .iter()
        .max_by(|a, b| a.score.total_cmp(&b.score))
        .map(|candidate| candidate.place)
}

fn shares(open: &Open<'_>) -> Vec<f32> {
    let top = open
        .candidates
        .iter()
        .map(|candidate| candidate.score)
        .fold(f32::MIN, f32::max);
    let raw: Vec<f32> = open
        .candidates
        .iter()
        .map(|candidate| ((candidate.score - top) / WIDTH).exp())
        .collect();
    let sum: f32 = raw.iter().sum();
    raw.into_iter().map(|share| share / sum).collect()
}

fn sums(
    open: &[Open<'_>],
    groups: &[Group],
    get: fn(&super::Scored) -> Option<PlaceId>,
) -> HashMap<PlaceId, f32> {
    let mut sums = HashMap::new();
    for group in groups {
        let mention = &open[group.members[0]];
        for (candidate, share) in mention.candidates.iter().zip(shares(mention)) {
            if let Some(place) = get(candidate) {
                *sums.entry(place).or_default() += share * group.weight;
            }
        }
    }
    sums
}
