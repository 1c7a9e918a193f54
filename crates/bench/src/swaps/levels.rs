//! The level table: for which places the corpus holds evidence on which facet.
//!
//! Places come in families, a state with its counties and towns or a country with its provinces
//! and towns. Each facet deals every family a pattern, so that a facet is answered at all levels
//! here, by the state alone there, and by nobody elsewhere.

use std::collections::BTreeSet;

use super::places::{Level, Places};
use super::topics::Facet;
use crate::draw::SplitMix64;

/// What a family has evidence for.
#[derive(Debug, Clone, Copy)]
enum Pattern {
    All,
    Top,
    Middle,
    OneMiddle,
    Towns,
    OneTown,
    TopAndTowns,
    TopAndMiddle,
    Nothing,
}

const IN_STATES: [Pattern; 10] = [
    Pattern::All,
    Pattern::Top,
    Pattern::Top,
    Pattern::Middle,
    Pattern::OneMiddle,
    Pattern::Towns,
    Pattern::OneTown,
    Pattern::TopAndTowns,
    Pattern::TopAndMiddle,
    Pattern::Nothing,
];

const IN_COUNTRIES: [Pattern; 6] = [
    Pattern::All,
    Pattern::Top,
    Pattern::Middle,
    Pattern::OneTown,
    Pattern::Towns,
    Pattern::Nothing,
];

/// Every so many facets the United States themselves have evidence, ...
const NATIONAL_EVERY: usize = 4;
/// ... a leaflet that names no place and no publisher, and one of a national agency.
const LEAFLET_EVERY: usize = 6;

/// Evidence on one facet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Evidence {
    /// Places with a document that answers for them.
    pub(crate) places: BTreeSet<usize>,
    /// A leaflet that names neither place nor publisher says something too.
    pub(crate) leaflet: bool,
    /// An agency of the United States says something without naming a place.
    pub(crate) agency_leaflet: bool,
}

/// Deals the evidence of a facet, the `number`th of the set.
pub(crate) fn deal(places: &Places, facet: &Facet, number: usize, seed: u64) -> Evidence {
    let mut draw = SplitMix64::named(seed, &format!("levels of {}", facet.id));
    let mut held = BTreeSet::new();
    let of_level =
        |level: Level| (0..places.len()).filter(move |&at| places.get(at).level == level);
    let states: Vec<usize> = of_level(Level::State).collect();
    for (state, pattern) in states
        .iter()
        .zip(dealt(&mut draw, &IN_STATES, states.len()))
    {
        let middle: Vec<usize> = of_level(Level::County)
            .filter(|&at| places.contains(*state, at))
            .collect();
        let towns = towns(places, *state);
        apply(pattern, &mut draw, *state, &middle, &towns, &mut held);
    }
    let countries: Vec<usize> = of_level(Level::Country)
        .filter(|&at| places.get(at).id != "us")
        .collect();
    for (country, pattern) in countries
        .iter()
        .zip(dealt(&mut draw, &IN_COUNTRIES, countries.len()))
    {
        let middle: Vec<usize> = of_level(Level::Province)
            .filter(|&at| places.contains(*country, at))
            .collect();
        let towns = towns(places, *country);
        apply(pattern, &mut draw, *country, &middle, &towns, &mut held);
    }
    let us = of_level(Level::Country).find(|&at| places.get(at).id == "us");
    if number % NATIONAL_EVERY == 1 {
        held.extend(us);
    }
    // A region makes no law, and a reservation's boundary may be a county's with another authority
    // behind it: on hard topics neither has evidence, so that the key stays beyond dispute.
    if !facet.hard {
        held.extend(of_level(Level::Region).filter(|_| draw.below(4) == 0));
        held.extend(of_level(Level::Tribal).filter(|_| draw.below(5) < 2));
    }
    Evidence {
        places: held,
        leaflet: number % LEAFLET_EVERY == 2,
        agency_leaflet: number % LEAFLET_EVERY == 5,
    }
}

fn towns(places: &Places, above: usize) -> Vec<usize> {
    (0..places.len())
        .filter(|&at| places.get(at).level == Level::Place && places.contains(above, at))
        .collect()
}

/// So many patterns, each about equally often, in random order.
fn dealt(draw: &mut SplitMix64, patterns: &[Pattern], count: usize) -> Vec<Pattern> {
    let mut list: Vec<Pattern> = patterns.iter().copied().cycle().take(count).collect();
    draw.shuffle(&mut list);
    list
}

fn apply(
    pattern: Pattern,
    draw: &mut SplitMix64,
    top: usize,
    middle: &[usize],
    towns: &[usize],
    held: &mut BTreeSet<usize>,
) {
    let one = |draw: &mut SplitMix64, list: &[usize]| -> Vec<usize> {
        match list {
            [] => Vec::new(),
            list => vec![*draw.one(list)],
        }
    };
    match pattern {
        Pattern::All => {
            held.insert(top);
            held.extend(middle);
            held.extend(towns);
        }
        Pattern::Top => {
            held.insert(top);
        }
        Pattern::Middle => held.extend(middle),
        Pattern::OneMiddle => held.extend(one(draw, middle)),
        Pattern::Towns => held.extend(towns),
        Pattern::OneTown => held.extend(one(draw, towns)),
        Pattern::TopAndTowns => {
            held.insert(top);
            held.extend(towns);
        }
        Pattern::TopAndMiddle => {
            held.insert(top);
            held.extend(middle);
        }
        Pattern::Nothing => {}
    }
}
