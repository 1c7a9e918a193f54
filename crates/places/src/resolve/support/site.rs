//! What the address of the publisher says: `augusta` in a site's name, `.ca` at its end.

use super::Voice;
use crate::gazetteer::{Gazetteer, PlaceId};
use crate::kind::{Kind, NameKind};

/// Places a site is named after.
#[derive(Debug, Default)]
pub(super) struct SiteHints {
    /// Cities whose name begins or ends a part of the address.
    pub cities: Vec<PlaceId>,
    /// The country of the top-level domain.
    pub country: Option<PlaceId>,
}

/// Parts of addresses that are no names.
const COMMON: &[&str] = &[
    "www", "com", "org", "net", "gov", "news", "edu", "co", "mil", "info",
];

/// Reads a host name, or the host of an address.
pub(super) fn hints(gazetteer: &Gazetteer, site: &str) -> SiteHints {
    let host = site.split_once("//").map_or(site, |(_, rest)| rest);
    let host = host
        .split(['/', ':', '?'])
        .next()
        .unwrap_or("")
        .to_lowercase();
    let mut hints = SiteHints::default();
    if let Some((_, end)) = host.rsplit_once('.')
        && end.len() == 2
    {
        let iso = if end == "uk" {
            "GB".to_owned()
        } else {
            end.to_uppercase()
        };
        hints.country = gazetteer.by_id(&format!("iso:{iso}"));
    }
    for part in host.split(['.', '-']) {
        if part.len() < 5 || COMMON.contains(&part) || !part.is_ascii() {
            continue;
        }
        // The longest name at the beginning of the part, then at its end.
        let found = (5..=part.len())
            .rev()
            .map(|end| &part[..end])
            .chain((1..part.len().saturating_sub(4)).map(|start| &part[start..]))
            .find_map(|name| {
                let cities: Vec<PlaceId> = gazetteer
                    .meanings(name)
                    .into_iter()
                    .filter(|meaning| {
                        meaning.name == NameKind::Official
                            && gazetteer.kind(meaning.place) == Kind::City
                            && gazetteer.population(meaning.place) > 2_000
                    })
                    .map(|meaning| meaning.place)
                    .collect();
                (!cities.is_empty()).then_some(cities)
            });
        hints.cities.extend(found.into_iter().flatten());
    }
    hints
}

impl SiteHints {
    /// The site speaks for its cities as a mention in the text would.
    pub fn voice(&self, gazetteer: &Gazetteer) -> Option<Voice> {
        if self.cities.is_empty() {
            return None;
        }
        let mut voice = Voice {
            weight: 0.7,
            counties: Vec::new(),
            states: Vec::new(),
            countries: Vec::new(),
            point: None,
        };
        let most = self
            .cities
            .iter()
            .map(|city| gazetteer.population(*city))
            .max()
            .unwrap_or(1)
            .max(1) as f32;
        for city in &self.cities {
            let less = 0.5 * (gazetteer.population(*city).max(1) as f32 / most).ln();
            if let Some(state) = gazetteer.state(*city) {
                voice.states.push((state, less));
            }
            if let Some(country) = gazetteer.country(*city) {
                voice.countries.push((country, less));
            }
        }
        Some(voice)
    }
}
