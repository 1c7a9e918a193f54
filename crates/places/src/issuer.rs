//! Where a publisher has authority.

use crate::gazetteer::{Gazetteer, PlaceId};
use crate::mention::Status;
use crate::resolve::Reading;

/// National bodies by the names and abbreviations under which they publish, with their country
/// (ISO 3166-1). Matched as whole words.
const NATIONAL: &[(&str, &str)] = &[
    ("FEMA", "US"),
    ("Federal Emergency Management Agency", "US"),
    ("USGS", "US"),
    ("U.S. Geological Survey", "US"),
    ("US Geological Survey", "US"),
    ("NOAA", "US"),
    ("National Oceanic and Atmospheric Administration", "US"),
    ("NWS", "US"),
    ("National Weather Service", "US"),
    ("NHC", "US"),
    ("National Hurricane Center", "US"),
    ("NIST", "US"),
    ("USDA", "US"),
    ("USFS", "US"),
    ("US Forest Service", "US"),
    ("U.S. Forest Service", "US"),
    ("National Park Service", "US"),
    ("EPA", "US"),
    ("USACE", "US"),
    ("US Army Corps of Engineers", "US"),
    ("Congressional Research Service", "US"),
    ("MLIT", "JP"),
    ("JMA", "JP"),
    ("GNS Science", "NZ"),
    ("NEMA", "NZ"),
    ("MCDEM", "NZ"),
    ("Geoscience Australia", "AU"),
    ("Bureau of Meteorology", "AU"),
    ("Natural Resources Canada", "CA"),
    ("NDMA", "IN"),
];

impl Gazetteer {
    /// The place in which a publisher has authority: the one its name holds ("Boulder County
    /// Wildfire Partners"), else the country of a national body. `None` where neither is known.
    pub fn jurisdiction(&self, publisher: &str) -> Option<PlaceId> {
        let mentions = self.tag(publisher, &Reading::default());
        let named = mentions
            .iter()
            .find(|mention| mention.status == Status::Resolved && !mention.qualifies)
            .and_then(|mention| mention.place);
        named.or_else(|| {
            let (_, country) = NATIONAL.iter().find(|(name, _)| is_in(name, publisher))?;
            self.by_id(&format!("iso:{country}"))
        })
    }
}

/// Whether a name stands in a text as whole words.
fn is_in(name: &str, text: &str) -> bool {
    let outside = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    text.match_indices(name).any(|(at, _)| {
        outside(text[..at].chars().next_back()) && outside(text[at + name.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_county_office_speaks_for_its_county_and_an_agency_for_its_country() {
        let gazetteer = Gazetteer::embedded();
        let place = |publisher| {
            gazetteer
                .jurisdiction(publisher)
                .map(|p| gazetteer.qualified(p))
        };
        assert_eq!(
            place("Boulder County, Colorado").as_deref(),
            Some("Boulder County, Colorado")
        );
        assert_eq!(place("NOAA/NWS").as_deref(), Some("United States"));
        assert_eq!(place("FEMA").as_deref(), Some("United States"));
        assert_eq!(place("A private author"), None);
    }
}
