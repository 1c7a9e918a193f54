//! Hazard labels. Nine are built in; a configuration may add more.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// One kind of natural hazard, by its label (`earthquake`, `flood`, ...).
///
/// A label is lower-case letters, digits and hyphens. [`Hazard::parse`] also understands the
/// words people and data sets use for a built-in label.
///
/// ```
/// use lahar_core::Hazard;
/// assert_eq!(Hazard::parse("Tropical Cyclone"), Some(Hazard::HURRICANE));
/// assert_eq!(Hazard::parse("storm/tornado"), Some(Hazard::STORM));
/// assert_eq!(Hazard::parse("volcanic-ash").unwrap().label(), "volcanic-ash");
/// assert_eq!(Hazard::parse("  "), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hazard(Cow<'static, str>);

impl Hazard {
    /// Ground shaking, fault rupture and what they trigger.
    pub const EARTHQUAKE: Hazard = Hazard(Cow::Borrowed("earthquake"));
    /// River, flash, urban and coastal flooding.
    pub const FLOOD: Hazard = Hazard(Cow::Borrowed("flood"));
    /// Tsunami, including those set off by landslides.
    pub const TSUNAMI: Hazard = Hazard(Cow::Borrowed("tsunami"));
    /// Wildland and interface fire.
    pub const WILDFIRE: Hazard = Hazard(Cow::Borrowed("wildfire"));
    /// Severe local storms: tornado, hail, straight-line wind, winter storm.
    pub const STORM: Hazard = Hazard(Cow::Borrowed("storm"));
    /// Slides, falls, flows and avalanches of rock, soil and debris.
    pub const LANDSLIDE: Hazard = Hazard(Cow::Borrowed("landslide"));
    /// Hurricane, typhoon, tropical cyclone, with their surge.
    pub const HURRICANE: Hazard = Hazard(Cow::Borrowed("hurricane"));
    /// Meteorological, agricultural and hydrological drought.
    pub const DROUGHT: Hazard = Hazard(Cow::Borrowed("drought"));
    /// Extreme heat.
    pub const HEATWAVE: Hazard = Hazard(Cow::Borrowed("heatwave"));

    /// The nine built-in hazards, in the order of the interface contract.
    pub const BUILT_IN: [Hazard; 9] = [
        Hazard::EARTHQUAKE,
        Hazard::FLOOD,
        Hazard::TSUNAMI,
        Hazard::WILDFIRE,
        Hazard::STORM,
        Hazard::LANDSLIDE,
        Hazard::HURRICANE,
        Hazard::DROUGHT,
        Hazard::HEATWAVE,
    ];

    /// Reads one label or alias; `None` when nothing in it can be a label.
    ///
    /// An unknown but well-formed label is kept as a hazard of its own, so that a configuration
    /// can add hazards without a new release.
    pub fn parse(text: &str) -> Option<Hazard> {
        let folded = fold(text);
        if folded.is_empty() {
            return None;
        }
        if let Some(known) = Hazard::BUILT_IN.iter().find(|h| h.label() == folded) {
            return Some(known.clone());
        }
        if let Some((_, hazard)) = ALIASES.iter().find(|(alias, _)| *alias == folded) {
            return Some(hazard.clone());
        }
        Some(Hazard(Cow::Owned(folded)))
    }

    /// Reads a list as manifests write it: labels parted by `;` or `,`. Words that mean
    /// "several" (`multi`, `various`, `all`) name no hazard and are left out.
    pub fn parse_list(text: &str) -> Vec<Hazard> {
        let mut hazards = Vec::new();
        for part in text.split([';', ',']) {
            let folded = fold(part);
            if matches!(
                folded.as_str(),
                "" | "multi" | "multiple" | "several" | "various" | "all"
            ) {
                continue;
            }
            if let Some(hazard) = Hazard::parse(part)
                && !hazards.contains(&hazard)
            {
                hazards.push(hazard);
            }
        }
        hazards
    }

    /// The label, as it stands in JSON and in the store.
    pub fn label(&self) -> &str {
        &self.0
    }

    /// Whether this is one of the nine hazards Lahar knows without configuration.
    pub fn is_built_in(&self) -> bool {
        Hazard::BUILT_IN.contains(self)
    }
}

/// Names in use for a built-in hazard, folded as [`fold`] does.
const ALIASES: &[(&str, Hazard)] = &[
    ("quake", Hazard::EARTHQUAKE),
    ("seismic", Hazard::EARTHQUAKE),
    ("liquefaction", Hazard::EARTHQUAKE),
    ("flooding", Hazard::FLOOD),
    ("floods", Hazard::FLOOD),
    ("flash-flood", Hazard::FLOOD),
    ("inundation", Hazard::FLOOD),
    ("seiche", Hazard::TSUNAMI),
    ("fire", Hazard::WILDFIRE),
    ("bushfire", Hazard::WILDFIRE),
    ("forest-fire", Hazard::WILDFIRE),
    ("wildland-fire", Hazard::WILDFIRE),
    ("tornado", Hazard::STORM),
    ("storm-tornado", Hazard::STORM),
    ("thunderstorm", Hazard::STORM),
    ("severe-storm", Hazard::STORM),
    ("hail", Hazard::STORM),
    ("mudslide", Hazard::LANDSLIDE),
    ("mudflow", Hazard::LANDSLIDE),
    ("debris-flow", Hazard::LANDSLIDE),
    ("rockfall", Hazard::LANDSLIDE),
    ("postfire-debris-flow", Hazard::LANDSLIDE),
    ("cyclone", Hazard::HURRICANE),
    ("typhoon", Hazard::HURRICANE),
    ("tropical-cyclone", Hazard::HURRICANE),
    ("tropical-storm", Hazard::HURRICANE),
    ("storm-surge", Hazard::HURRICANE),
    ("heat", Hazard::HEATWAVE),
    ("heat-wave", Hazard::HEATWAVE),
    ("extreme-heat", Hazard::HEATWAVE),
];

/// Lower case, every run of other characters made one hyphen.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() {
            folded.extend(c.to_lowercase());
        } else if !folded.is_empty() && !folded.ends_with('-') {
            folded.push('-');
        }
    }
    while folded.ends_with('-') {
        folded.pop();
    }
    folded
}

impl fmt::Display for Hazard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.label())
    }
}

impl From<Hazard> for String {
    fn from(hazard: Hazard) -> String {
        hazard.0.into_owned()
    }
}

impl TryFrom<String> for Hazard {
    type Error = String;

    fn try_from(text: String) -> Result<Hazard, String> {
        Hazard::parse(&text).ok_or_else(|| format!("`{text}` is not a hazard label"))
    }
}

/// A weight in `0..=1` for each of several hazards. Weights need not sum to one: a report on a
/// hurricane's landslides is fully about both.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HazardWeights(BTreeMap<Hazard, f32>);

impl HazardWeights {
    /// No hazard at all.
    pub fn new() -> HazardWeights {
        HazardWeights::default()
    }

    /// Full weight for each of the given hazards, as a manifest or a person declares them.
    pub fn declared(hazards: impl IntoIterator<Item = Hazard>) -> HazardWeights {
        hazards.into_iter().map(|hazard| (hazard, 1.0)).collect()
    }

    /// Sets one weight, clamped to `0..=1`; a weight that is not a number counts as 0, and a
    /// hazard of weight 0 is not kept.
    pub fn set(&mut self, hazard: Hazard, weight: f32) {
        let weight = if weight.is_nan() {
            0.0
        } else {
            weight.clamp(0.0, 1.0)
        };
        if weight > 0.0 {
            self.0.insert(hazard, weight);
        } else {
            self.0.remove(&hazard);
        }
    }

    /// The weight of a hazard, 0 when it is not labelled.
    pub fn get(&self, hazard: &Hazard) -> f32 {
        self.0.get(hazard).copied().unwrap_or(0.0)
    }

    /// The hazards and weights, in the order of their labels.
    pub fn iter(&self) -> impl Iterator<Item = (&Hazard, f32)> {
        self.0.iter().map(|(hazard, weight)| (hazard, *weight))
    }

    /// Whether no hazard carries a weight.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many hazards carry a weight.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl FromIterator<(Hazard, f32)> for HazardWeights {
    fn from_iter<I: IntoIterator<Item = (Hazard, f32)>>(pairs: I) -> HazardWeights {
        let mut weights = HazardWeights::new();
        for (hazard, weight) in pairs {
            weights.set(hazard, weight);
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_alias_is_folded_and_leads_to_a_built_in_hazard() {
        for (alias, hazard) in ALIASES {
            assert_eq!(*alias, fold(alias));
            assert!(hazard.is_built_in());
            assert_eq!(Hazard::parse(alias).as_ref(), Some(hazard));
        }
    }

    #[test]
    fn a_manifest_list_keeps_order_and_drops_words_for_several() {
        assert_eq!(
            Hazard::parse_list("multi; earthquake;Tsunami; quake"),
            vec![Hazard::EARTHQUAKE, Hazard::TSUNAMI]
        );
        assert!(Hazard::parse_list(" ; ,").is_empty());
    }

    #[test]
    fn weights_stay_between_zero_and_one() {
        let mut weights = HazardWeights::declared([Hazard::FLOOD]);
        weights.set(Hazard::STORM, 7.0);
        weights.set(Hazard::TSUNAMI, f32::NAN);
        weights.set(Hazard::FLOOD, -1.0);
        assert_eq!(weights.get(&Hazard::STORM), 1.0);
        assert_eq!(weights.len(), 1);
    }

    #[test]
    fn a_label_survives_json() {
        let json = serde_json::to_string(&HazardWeights::declared([Hazard::WILDFIRE])).unwrap();
        assert_eq!(json, r#"{"wildfire":1.0}"#);
        let read: HazardWeights = serde_json::from_str(&json).unwrap();
        assert_eq!(read.get(&Hazard::WILDFIRE), 1.0);
    }
}
