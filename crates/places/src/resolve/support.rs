//! What the rest of the text, and what is known of it, says for each candidate.

mod site;

use std::collections::HashMap;

use super::{Home, Open, Reading, Scored, Setting};
use crate::gazetteer::{Gazetteer, GeoPoint, PlaceId};
use crate::kind::NameKind;

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
/// How often candidates are weighed anew.
const ROUNDS: usize = 2;
/// What the home of the publisher adds, times the root of its share.
const HOME_STATE: f32 = 8.0;
const HOME_COUNTY: f32 = 6.0;
/// The weight of a place that no table knows, and the inhabitants from which on a place is known
/// too well to be taken for its namesake.
const UNLISTED: f32 = 4.0;
const NAMESAKE: u64 = 100_000;
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
    let home = reading.home.as_ref();
    for mention in open.iter_mut() {
        for candidate in &mut mention.candidates {
            let known_site = publisher.cities.contains(&candidate.place);
            let known_country =
                publisher.country.is_some() && publisher.country == candidate.country;
            let added = if known_site { SITE_CITY } else { 0.0 }
                + if known_country { SITE_COUNTRY } else { 0.0 };
            let added = added + at_home(home, candidate.state, candidate.county);
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
    for round in 0..ROUNDS {
        let mut voices: Vec<Voice> = groups
            .iter()
            .map(|group| Voice::of(gazetteer, &open[group.members[0]], group.weight))
            .collect();
        voices.extend(publisher.voice(gazetteer));
        for (at, group) in groups.iter().enumerate() {
            let support = Support {
                gazetteer,
                voices: &voices,
                except: at,
                votes,
            };
            let first = &open[group.members[0]];
            let added: Vec<f32> = first
                .candidates
                .iter()
                .map(|candidate| support.of(candidate))
                .collect();
            let elsewhere = if round + 1 == ROUNDS && reading.setting == Setting::Document {
                support.unlisted(home, &first.candidates)
            } else {
                None
            };
            for member in &group.members {
                let member = &mut open[*member];
                if member.candidates.len() == added.len() {
                    for (candidate, support) in member.candidates.iter_mut().zip(&added) {
                        candidate.score = candidate.fixed + support;
                    }
                } else {
                    for candidate in &mut member.candidates {
                        candidate.score = candidate.fixed;
                    }
                }
                if let Some((state, score)) = elsewhere
                    && member.parent.is_none()
                    && is_namesake(gazetteer, &member.candidates, score)
                {
                    member.unlisted = Some(state);
                }
            }
        }
    }
}

/// What the home of the publisher says for a place in a state and county.
fn at_home(home: Option<&Home>, state: Option<PlaceId>, county: Option<PlaceId>) -> f32 {
    let Some(home) = home else {
        return 0.0;
    };
    let state = state.map_or(0.0, |state| home.state_share(state));
    let county = county.map_or(0.0, |county| home.county_share(county));
    HOME_STATE * state.sqrt() + HOME_COUNTY * county.sqrt()
}

/// Whether the best candidate is a small place and less likely than one that no table knows.
fn is_namesake(gazetteer: &Gazetteer, candidates: &[Scored], unlisted: f32) -> bool {
    candidates
        .iter()
        .max_by(|a, b| a.score.total_cmp(&b.score))
        .is_some_and(|best| {
            gazetteer.kind(best.place).level() >= 5
                && gazetteer.population(best.place) < NAMESAKE
                && best.score < unlisted
        })
}

/// What all names of a text but one say.
struct Support<'a> {
    gazetteer: &'a Gazetteer,
    voices: &'a [Voice],
    except: usize,
    votes: &'a [PlaceId],
}

impl Support<'_> {
    fn heard(&self, candidate: &Scored) -> f32 {
        self.voices
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != self.except)
            .map(|(_, voice)| voice.says(self.gazetteer, candidate))
            .sum()
    }

    fn of(&self, candidate: &Scored) -> f32 {
        let voted = self
            .votes
            .iter()
            .filter(|vote| candidate.country == Some(**vote) || candidate.state == Some(**vote))
            .count() as f32;
        STRENGTH * (1.0 + (self.heard(candidate) + VOTE * voted) / SLOW).ln()
    }

    /// The state in which a place of this name would lie if no table knew it, and how much speaks
    /// for it: the one that most of the text is about, when it has no candidate there.
    fn unlisted(&self, home: Option<&Home>, candidates: &[Scored]) -> Option<(PlaceId, f32)> {
        let mut states: Vec<PlaceId> = self
            .voices
            .iter()
            .flat_map(|voice| voice.states.iter().map(|(state, _)| *state))
            .chain(home.and_then(Home::state))
            .collect();
        states.sort_unstable();
        states.dedup();
        states
            .into_iter()
            .filter(|state| candidates.iter().all(|known| known.state != Some(*state)))
            .map(|state| {
                let place = Scored {
                    place: state,
                    name: NameKind::Official,
                    base: UNLISTED,
                    fixed: UNLISTED,
                    score: UNLISTED,
                    county: None,
                    state: Some(state),
                    country: self.gazetteer.country(state),
                };
                let heard = STRENGTH * (1.0 + self.heard(&place) / SLOW).ln();
                (state, UNLISTED + at_home(home, Some(state), None) + heard)
            })
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
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
