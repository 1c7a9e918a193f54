//! What a passage's place allows, and what all passages together allow for a question.
//!
//! Pure functions over comparisons; the rules stand in [`rules`]. Every result carries reasons in
//! words that a person can check.

mod question;
pub mod rules;

use lahar_core::{Decision, Reason, ReasonCode};

use crate::gazetteer::{Gazetteer, PlaceId};
use crate::kind::Kind;
use crate::relation::{Comparison, Relation, Subject};
pub use question::{LevelUsed, Mode, QuestionDecision, decide};
pub use rules::{Authority, Topic};

/// A place asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// What is compared.
    pub subject: Subject,
    /// As it is written to people.
    pub name: String,
    /// "near X", "between X and Y": the neighbourhood, at best a warning.
    pub near: bool,
    /// "southern X" without a region of that name: a part, at best a warning.
    pub part: bool,
}

impl Asked {
    /// A plain question about a node.
    pub fn place(gazetteer: &Gazetteer, place: PlaceId) -> Asked {
        Asked {
            subject: place.into(),
            name: gazetteer.qualified(place),
            near: false,
            part: false,
        }
    }
}

/// The places of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum QuestionPlaces {
    /// None is named.
    None,
    /// One place.
    One(Asked),
    /// "A and B", "compare A with B": each must be covered.
    All(Vec<Asked>),
    /// "A or B": the person is asked which.
    AnyOf(Vec<Asked>),
    /// One name that fits several places, the likeliest first.
    Ambiguous {
        /// As the question writes it.
        mention: String,
        /// The places it may be.
        candidates: Vec<Asked>,
    },
    /// A place that the gazetteer does not know.
    Unknown {
        /// As the question writes it.
        mention: String,
        /// The known place that the question puts it in.
        parent: Option<Asked>,
    },
}

/// What a passage is about.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Passage {
    /// Its places in focus (see [`mod@crate::focus`]); empty where it names none.
    pub focus: Vec<FocusPlace>,
    /// Where the body that issued it has authority.
    pub issuer: Option<PlaceId>,
    /// Whether it holds the very words by which the question names its place.
    pub names_asked: bool,
}

/// A place that a passage is about.
#[derive(Debug, Clone, PartialEq)]
pub struct FocusPlace {
    /// What is compared.
    pub subject: Subject,
    /// As it is written to people.
    pub name: String,
    /// Whether it only stands around what is meant: a place within it that no table knows.
    pub is_around: bool,
}

impl FocusPlace {
    /// A node.
    pub fn place(gazetteer: &Gazetteer, place: PlaceId) -> FocusPlace {
        FocusPlace {
            subject: place.into(),
            name: gazetteer.qualified(place),
            is_around: false,
        }
    }

    /// A place that no table knows, within a node.
    pub fn within(gazetteer: &Gazetteer, place: PlaceId) -> FocusPlace {
        FocusPlace {
            name: format!("a place in {}", gazetteer.qualified(place)),
            is_around: true,
            ..FocusPlace::place(gazetteer, place)
        }
    }
}

/// What is decided about one passage for one place asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// How its place lies to the place asked about.
    pub relation: Relation,
    /// Distance in the graph; `None` where nothing is shared or no place is named.
    pub distance: Option<u32>,
    /// Where the two meet.
    pub shared_ancestor: Option<PlaceId>,
    /// Level of the passage's place less that of the place asked about.
    pub level_gap: Option<i8>,
    /// What is decided.
    pub decision: Decision,
    /// The passage's place that decided it.
    pub place: Option<FocusPlace>,
    /// Some places in focus fit and others do not: only sentences whose nearest place fits may
    /// be quoted.
    pub quote_near_place_only: bool,
    /// Why.
    pub reasons: Vec<Reason>,
}

/// Judges a passage: the best relation over its places in focus, then the table.
pub fn judge(gazetteer: &Gazetteer, asked: &Asked, passage: &Passage, topic: Topic) -> Judgement {
    let authority = authority(gazetteer, asked, passage.issuer);
    let compared: Vec<(Comparison, &FocusPlace)> = passage
        .focus
        .iter()
        .map(|place| {
            let mut comparison = gazetteer.compare_subjects(&asked.subject, &place.subject);
            // What holds for a place within the one asked about need not hold for all of it.
            if place.is_around && comparison.relation == Relation::Exact {
                comparison.relation = Relation::Finer;
            }
            (comparison, place)
        })
        .collect();
    let best = compared.iter().min_by_key(|(comparison, _)| {
        (
            rank(comparison.relation),
            comparison.distance.unwrap_or(u32::MAX),
        )
    });
    let relation = best.map_or(Relation::None, |(comparison, _)| comparison.relation);
    let decision = rules::passage_decision(relation, topic, authority);
    let mut reasons = Vec::new();
    let place = best.map(|(_, place)| (*place).clone());
    reasons.push(relation_reason(relation, asked, place.as_ref()));
    if relation == Relation::Exact
        && let (Some(one), Some(other)) = (
            asked.subject.place,
            place.as_ref().and_then(|p| p.subject.place),
        )
        && one != other
        && (gazetteer.kind(one) == Kind::Tribal) != (gazetteer.kind(other) == Kind::Tribal)
    {
        reasons.push(Reason::new(
            ReasonCode::TwoAuthorities,
            format!(
                "{} and {} have one boundary and two authorities; this text is of {}",
                gazetteer.name(one),
                gazetteer.name(other),
                gazetteer.name(other)
            ),
        ));
    }
    if let Some(issuer) = passage.issuer {
        match authority {
            Authority::Elsewhere if topic == Topic::Hard => reasons.push(Reason::new(
                ReasonCode::IssuerElsewhere,
                format!(
                    "its issuer's authority is {}, which does not reach {}",
                    gazetteer.qualified(issuer),
                    asked.name
                ),
            )),
            Authority::Holds if relation == Relation::None => reasons.push(Reason::new(
                ReasonCode::IssuerHasAuthority,
                format!(
                    "it is issued for {}, which contains {}",
                    gazetteer.qualified(issuer),
                    asked.name
                ),
            )),
            _ => {}
        }
    }
    for place in [
        asked.subject.place,
        place.as_ref().and_then(|p| p.subject.place),
    ]
    .into_iter()
    .flatten()
    {
        if let Some(note) = gazetteer
            .note(place)
            .filter(|note| note.starts_with("renamed"))
        {
            reasons.push(Reason::new(
                ReasonCode::FormerName,
                format!("{}: {note}", gazetteer.name(place)),
            ));
        }
    }
    let fits = |relation: Relation| !matches!(relation, Relation::Different | Relation::None);
    Judgement {
        relation,
        distance: best.and_then(|(comparison, _)| comparison.distance),
        shared_ancestor: best.and_then(|(comparison, _)| comparison.shared_ancestor),
        level_gap: best.map(|(comparison, _)| comparison.level_gap),
        decision,
        place,
        quote_near_place_only: fits(relation)
            && compared
                .iter()
                .any(|(comparison, _)| comparison.relation == Relation::Different),
        reasons,
    }
}

fn rank(relation: Relation) -> u8 {
    match relation {
        Relation::Exact => 0,
        Relation::Broader => 1,
        Relation::Overlap => 2,
        Relation::Finer => 3,
        Relation::Different => 4,
        Relation::None => 5,
    }
}

fn authority(gazetteer: &Gazetteer, asked: &Asked, issuer: Option<PlaceId>) -> Authority {
    let Some(issuer) = issuer else {
        return Authority::Unstated;
    };
    match gazetteer
        .compare_subjects(&asked.subject, &issuer.into())
        .relation
    {
        Relation::Exact | Relation::Broader => Authority::Holds,
        _ => Authority::Elsewhere,
    }
}

fn relation_reason(relation: Relation, asked: &Asked, place: Option<&FocusPlace>) -> Reason {
    let name = place.map_or("", |place| place.name.as_str());
    let (code, message) = match relation {
        Relation::Exact => (
            ReasonCode::ExactPlace,
            format!("it is about {name}, the place asked about"),
        ),
        Relation::Broader => (
            ReasonCode::BroaderPlace,
            format!("it is about {name}, which contains {}", asked.name),
        ),
        Relation::Finer => (
            ReasonCode::FinerPlace,
            format!("it is about {name}, which is only a part of {}", asked.name),
        ),
        Relation::Overlap => (
            ReasonCode::OverlappingPlace,
            format!(
                "it is about {name}, which shares ground with {} and is not the same",
                asked.name
            ),
        ),
        Relation::Different => (
            ReasonCode::OtherPlacesOnly,
            format!("it is about {name}, not about {}", asked.name),
        ),
        Relation::None => (
            ReasonCode::NoPlaceInEvidence,
            "it names no place".to_owned(),
        ),
    };
    Reason::new(code, message)
}
