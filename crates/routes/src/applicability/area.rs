//! How the task's area lies to regions of calibration, judged by the place graph.

use lahar_places::{Gazetteer, GeoBox, GeoPoint, PlacesError, QuestionPlaces, Relation, Subject};

use crate::task::Area;
use crate::verdict::Truth;

/// Where a task is, as far as the gazetteer knows.
#[derive(Debug, Clone, PartialEq)]
pub enum AreaReading {
    /// There.
    Known {
        /// What is compared.
        subject: Subject,
        /// As it is written to people.
        name: String,
    },
    /// One of several places.
    Ambiguous {
        /// The name.
        name: String,
        /// The places it may be.
        candidates: Vec<String>,
    },
    /// Nowhere that is known.
    Unknown {
        /// The name.
        name: String,
        /// Why.
        why: String,
    },
}

/// How an area lies to a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lies {
    /// Whether it lies inside.
    pub truth: Truth,
    /// In words.
    pub why: String,
}

impl AreaReading {
    /// Looks an area up.
    pub fn of(gazetteer: &Gazetteer, area: &Area) -> AreaReading {
        let known = |subject: Result<Subject, PlacesError>, name: String| match subject {
            Ok(subject) => AreaReading::Known { subject, name },
            Err(error) => AreaReading::Unknown {
                name,
                why: error.to_string(),
            },
        };
        match area {
            Area::Point([longitude, latitude]) => {
                let point = GeoPoint::checked(*latitude, *longitude);
                let subject = point.map(|point| gazetteer.locate(point, 0.0).subject);
                known(subject, format!("{latitude}, {longitude}"))
            }
            Area::Box([west, south, east, north]) => {
                let area = GeoBox::checked(*south, *west, *north, *east);
                let subject = area.map(|area| gazetteer.locate_box(area));
                known(subject, format!("the box {west}, {south}, {east}, {north}"))
            }
            Area::Place(name) => match gazetteer.asked_named(name) {
                Ok(QuestionPlaces::One(asked)) => AreaReading::Known {
                    subject: asked.subject,
                    name: asked.name,
                },
                Ok(QuestionPlaces::Ambiguous {
                    mention,
                    candidates,
                }) => AreaReading::Ambiguous {
                    name: mention,
                    candidates: candidates.into_iter().map(|asked| asked.name).collect(),
                },
                Ok(_) => AreaReading::Unknown {
                    name: name.clone(),
                    why: "no table has it, though its parent is known".to_owned(),
                },
                Err(error) => AreaReading::Unknown {
                    name: name.clone(),
                    why: error.to_string(),
                },
            },
        }
    }

    /// The name, as it is written to people.
    pub fn name(&self) -> &str {
        match self {
            AreaReading::Known { name, .. }
            | AreaReading::Ambiguous { name, .. }
            | AreaReading::Unknown { name, .. } => name,
        }
    }

    /// How the area lies to a region: the same or inside it satisfies; around it, across its
    /// edge, ambiguous or unknown is undetermined; apart violates.
    pub fn lies_to(&self, gazetteer: &Gazetteer, region: &str) -> Lies {
        let undetermined = |why: String| Lies {
            truth: Truth::Undetermined,
            why,
        };
        let (subject, name) = match self {
            AreaReading::Known { subject, name } => (subject, name),
            AreaReading::Ambiguous { name, candidates } => {
                return undetermined(format!("`{name}` may be {}", candidates.join("; ")));
            }
            AreaReading::Unknown { name, why } => {
                return undetermined(format!("`{name}` is not known: {why}"));
            }
        };
        let place = match gazetteer.place_named(region) {
            Ok(place) => place,
            Err(error) => return undetermined(format!("the region itself: {error}")),
        };
        let region = gazetteer.qualified(place);
        let (truth, word) = match gazetteer.compare_subjects(subject, &place.into()).relation {
            Relation::Exact => (Truth::Satisfied, "is"),
            Relation::Broader => (Truth::Satisfied, "lies inside"),
            Relation::Finer => (Truth::Undetermined, "reaches beyond"),
            Relation::Overlap => (Truth::Undetermined, "lies only in part in"),
            Relation::Different => (Truth::Violated, "lies apart from"),
            Relation::None => (Truth::Undetermined, "cannot be compared with"),
        };
        Lies {
            truth,
            why: format!("{name} {word} {region}"),
        }
    }
}
