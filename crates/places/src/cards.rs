//! Places, mentions and comparisons as they are shown and written as JSON.

use lahar_core::Decision;
use serde::Serialize;

use crate::decision::{Authority, Topic, rules};
use crate::gazetteer::{EventFacts, Gazetteer, PlaceId};
use crate::kind::{EdgeKind, Kind};
use crate::mention::{Mention, Role, Status};
use crate::relation::{Comparison, Relation, Subject};

/// A place in short.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlaceCard {
    /// An id that outlives this build.
    pub id: String,
    /// The name.
    pub name: String,
    /// The kind, in a word.
    pub kind: Kind,
    /// The printed chain, from the place to its country.
    pub path: Vec<String>,
    /// Degrees north.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lat: Option<f64>,
    /// Degrees east.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lon: Option<f64>,
    /// GeoNames id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geonames: Option<u32>,
    /// County code of the United States.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fips: Option<String>,
    /// Inhabitants, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<u64>,
}

/// A parent with its edge.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParentCard {
    /// The parent's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What sort of edge.
    pub edge: EdgeKind,
    /// Share of the place in the parent, 0 to 1.
    pub coverage: f32,
}

/// Everything about a place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlaceDetails {
    /// In short.
    #[serde(flatten)]
    pub card: PlaceCard,
    /// The level, 0 world to 7 point.
    pub level: u8,
    /// All parents.
    pub parents: Vec<ParentCard>,
    /// Places with the same boundary.
    pub same_extent: Vec<String>,
    /// Units covered, where the place is not a unit itself (at most 100).
    pub extent: Vec<String>,
    /// Former name or other remark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Hazard and dates of an event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<EventFacts>,
}

/// A candidate of a mention.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CandidateCard {
    /// The place.
    #[serde(flatten)]
    pub place: PlaceCard,
    /// Weight among all candidates.
    pub share: f32,
}

/// A mention.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MentionCard {
    /// The words.
    pub text: String,
    /// First scalar value.
    pub start: usize,
    /// Scalar value behind the last.
    pub end: usize,
    /// Whether the place is known.
    pub status: Status,
    /// What part it plays.
    pub role: Role,
    /// The place, where resolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceCard>,
    /// The places it may be, where ambiguous.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<CandidateCard>,
    /// What spoke for the place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
}

/// An ancestor named in a comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AncestorCard {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// A comparison of two places.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RelationCard {
    /// How the passage's place lies to the place asked about.
    pub relation: Relation,
    /// Distance; `null` where infinite.
    pub distance: Option<u32>,
    /// Where the two meet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_ancestor: Option<AncestorCard>,
    /// Other places where equally short paths meet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ties: Vec<AncestorCard>,
    /// What is decided about such a passage on a general topic.
    pub decision: Decision,
    /// From the place asked about up and down to the passage's place.
    pub path: Vec<String>,
    /// Level of the passage's place less that of the place asked about.
    pub level_gap: i8,
}

impl Gazetteer {
    /// A place in short.
    pub fn card(&self, place: PlaceId) -> PlaceCard {
        let point = self.point(place);
        PlaceCard {
            id: self.id_text(place),
            name: self.display_name(place),
            kind: self.kind(place),
            path: self
                .chain(place)
                .into_iter()
                .map(|place| self.display_name(place))
                .collect(),
            lat: point.map(|point| point.lat),
            lon: point.map(|point| point.lon),
            geonames: self.geonames(place),
            fips: self.fips(place).map(str::to_owned),
            population: Some(self.population(place)).filter(|count| *count > 0),
        }
    }

    /// Everything about a place.
    pub fn details(&self, place: PlaceId) -> PlaceDetails {
        PlaceDetails {
            card: self.card(place),
            level: self.kind(place).level(),
            parents: self
                .parents(place)
                .map(|edge| ParentCard {
                    id: self.id_text(edge.parent),
                    name: self.display_name(edge.parent),
                    edge: edge.kind,
                    coverage: f32::from(edge.coverage) / f32::from(crate::blob::FULL),
                })
                .collect(),
            same_extent: self
                .same_extent(place)
                .map(|other| format!("{} ({})", self.qualified(other), self.kind(other)))
                .collect(),
            extent: self
                .extent(place)
                .take(100)
                .map(|(unit, _)| self.qualified(unit))
                .collect(),
            note: self.note(place).map(str::to_owned),
            event: self.event(place),
        }
    }

    /// A mention for output.
    pub fn mention_card(&self, mention: &Mention) -> MentionCard {
        MentionCard {
            text: mention.text.clone(),
            start: mention.range.start,
            end: mention.range.end,
            status: mention.status,
            role: mention.role,
            place: mention.place.map(|place| self.card(place)),
            candidates: if mention.status == Status::Ambiguous {
                mention
                    .candidates
                    .iter()
                    .map(|candidate| CandidateCard {
                        place: self.card(candidate.place),
                        share: candidate.share,
                    })
                    .collect()
            } else {
                Vec::new()
            },
            evidence: mention.evidence.clone(),
        }
    }

    /// A comparison for output.
    pub fn relation_card(&self, query: &Subject, passage: &Subject) -> RelationCard {
        let Comparison {
            relation,
            distance,
            shared_ancestor,
            ties,
            path,
            level_gap,
        } = self.compare_subjects(query, passage);
        let ancestor = |place: PlaceId| AncestorCard {
            id: self.id_text(place),
            name: self.display_name(place),
        };
        RelationCard {
            relation,
            distance,
            shared_ancestor: shared_ancestor.map(ancestor),
            ties: ties.into_iter().map(ancestor).collect(),
            decision: rules::passage_decision(relation, Topic::General, Authority::Unstated),
            path: path
                .into_iter()
                .map(|place| self.display_name(place))
                .collect(),
            level_gap,
        }
    }
}
