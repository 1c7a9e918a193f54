//! Which places a facet is asked of: places whose name another place with evidence shares come
//! first, all levels take turns, and answers, warnings and abstentions are all wanted.

use std::collections::VecDeque;

use lahar_core::Decision;

use super::Wanted;
use super::key::{Good, key};
use super::levels::Evidence;
use super::places::{Level, Places};
use super::topics::Facet;
use crate::draw::SplitMix64;

/// A place to ask about.
#[derive(Debug, Clone)]
pub(super) struct Chosen {
    pub(super) place: usize,
    /// As the question writes it.
    pub(super) form: String,
    pub(super) good: Good,
}

/// Whose turn it is: levels, and whether in the United States.
const TURNS: [(Level, bool); 12] = [
    (Level::Place, true),
    (Level::County, true),
    (Level::State, true),
    (Level::Place, false),
    (Level::Tribal, true),
    (Level::Region, true),
    (Level::Place, true),
    (Level::Province, false),
    (Level::County, true),
    (Level::State, true),
    (Level::Place, false),
    (Level::Country, false),
];

/// Shares of the decisions, in parts of 28.
const SHARES: [(Decision, usize); 3] = [
    (Decision::Answer, 10),
    (Decision::Warn, 10),
    (Decision::Abstain, 8),
];

pub(super) fn choose(
    places: &Places,
    facet: &Facet,
    evidence: &Evidence,
    wanted: &Wanted,
) -> Vec<Chosen> {
    let mut draw = SplitMix64::named(wanted.seed, &format!("asked of {}", facet.id));
    let mut order: Vec<usize> = (0..places.len())
        .filter(|&at| !facet.hard || can_have_law(places, at))
        .collect();
    draw.shuffle(&mut order);
    let mut candidates: Vec<Chosen> = order
        .into_iter()
        .filter_map(|place| {
            let good = key(places, place, facet.hard, evidence)?;
            let form = draw.one(&places.forms(place)).clone();
            Some(Chosen { place, form, good })
        })
        .collect();
    candidates.sort_by_key(|chosen| !misleads(places, chosen, evidence));
    let mut queues: Vec<((Level, bool), VecDeque<Chosen>)> = Vec::new();
    for chosen in candidates {
        let turn = (
            places.get(chosen.place).level,
            places.get(places.country(chosen.place)).id == "us",
        );
        match queues.iter_mut().find(|(known, _)| *known == turn) {
            Some((_, queue)) => queue.push_back(chosen),
            None => queues.push((turn, VecDeque::from([chosen]))),
        }
    }
    let mut left: Vec<(Decision, usize)> = SHARES
        .iter()
        .map(|&(decision, share)| (decision, (share * wanted.places).div_ceil(28)))
        .collect();
    let mut chosen: Vec<Chosen> = Vec::new();
    // A turn that finds nobody is passed over; a whole round without anybody ends the choice.
    let mut passed = 0;
    for turn in TURNS.iter().cycle() {
        if chosen.len() == wanted.places || passed == TURNS.len() {
            break;
        }
        let room = |decision: Decision| left.iter().any(|&(of, room)| of == decision && room > 0);
        let taken = queues
            .iter_mut()
            .find(|(known, _)| known == turn)
            .and_then(|(_, queue)| {
                let at = queue.iter().position(|one| room(one.good.decision))?;
                queue.remove(at)
            });
        let Some(taken) = taken else {
            passed += 1;
            continue;
        };
        passed = 0;
        for (decision, room) in &mut left {
            *room -= usize::from(*decision == taken.good.decision);
        }
        chosen.push(taken);
    }
    chosen
}

/// A region makes no law; a reservation with a county's boundary has another law than the county.
fn can_have_law(places: &Places, at: usize) -> bool {
    let place = places.get(at);
    place.level != Level::Region && place.id != "osage-reservation"
}

/// Whether a place of the same name has evidence, and this one has none of its own.
fn misleads(places: &Places, chosen: &Chosen, evidence: &Evidence) -> bool {
    let name = places.get(chosen.place).name;
    chosen.good.decision != Decision::Answer
        && evidence
            .places
            .iter()
            .any(|&at| at != chosen.place && places.get(at).name == name)
}
