//! Route cards: one family of methods, the conditions under which it holds, what says so, and the
//! capabilities it needs (HazardWeaver, arXiv:2610.03591, table B.1).
//!
//! | module | holds |
//! |---|---|
//! | [`mod@read`] | a card from TOML |
//! | [`shipped`] | the cards that come with Lahar |

pub mod read;
pub mod shipped;

use std::collections::BTreeMap;
use std::fmt;

use lahar_core::capability::{Strictness, Value};
use lahar_core::{ContentHash, Hazard, Unit};
use serde::{Deserialize, Serialize};

use crate::task::{OutputContract, Quality, TaskKind};

/// What a method rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RouteKind {
    /// A relation fitted on observations of the process itself.
    Empirical,
    /// Equations of the physics.
    Physical,
    /// A statistical model, calibrated on inventories.
    Statistical,
    /// Parameters trained from data.
    Learned,
}

/// What a condition is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// What the method takes for granted.
    Assumption,
    /// What must have been observed.
    RequiredObservation,
    /// Between which values it holds.
    ValidityRange,
    /// Where it was calibrated.
    CalibrationRegion,
    /// At which size or resolution it holds.
    Scale,
    /// How uncertain its results are.
    Uncertainty,
    /// When it fails.
    Failure,
}

impl Role {
    /// All roles.
    pub const ALL: [Role; 7] = [
        Role::Assumption,
        Role::RequiredObservation,
        Role::ValidityRange,
        Role::CalibrationRegion,
        Role::Scale,
        Role::Uncertainty,
        Role::Failure,
    ];
}

/// What a condition speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The task.
    Task,
    /// The event.
    Event,
    /// A storm.
    Storm,
    /// A basin.
    Basin,
    /// A cell.
    Cell,
    /// A site.
    Site,
    /// The region of the area.
    Region,
    /// Observations.
    Data,
}

/// Which way a condition points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// The method holds where the statement is true.
    Requires,
    /// The method fails where the statement is true.
    Excludes,
}

/// What is asked of a variable.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "operator")]
pub enum Statement {
    /// A number from one limit to another; either may be missing, and either may be left out.
    Within {
        /// Lowest, with whether it belongs to the range.
        lowest: Option<(f64, bool)>,
        /// Highest, with whether it belongs to the range.
        highest: Option<(f64, bool)>,
        /// Unit of both.
        unit: Unit,
    },
    /// One of these words.
    OneOf {
        /// The words.
        words: Vec<String>,
    },
    /// It, or one of the others, has been observed.
    Present {
        /// Variables that do as well.
        or: Vec<String>,
    },
    /// The area lies in one of these places.
    Inside {
        /// Places of the gazetteer.
        places: Vec<String>,
    },
    /// It has been observed with at least this quality.
    QualityAtLeast {
        /// The least quality.
        quality: Quality,
    },
    /// A word for people; no program can check it.
    Stated,
}

/// A publication and the place in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Citation {
    /// Authors and title, or the name of the page.
    pub publication: String,
    /// Year; for a page that of the version read.
    pub year: u16,
    /// DOI, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doi: Option<String>,
    /// Section, equation, table or page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Where it can be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.publication, self.year)?;
        for part in [&self.section, &self.doi, &self.address]
            .into_iter()
            .flatten()
        {
            write!(f, ", {part}")?;
        }
        Ok(())
    }
}

/// How a supporting sentence is found again without shipping it: the hash of its letters and
/// digits in lower case, how many there are, and how many words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fingerprint {
    /// SHA-256 of its letters and digits, in lower case.
    pub sha256: ContentHash,
    /// How many letters and digits.
    pub letters: usize,
    /// How many words.
    pub words: usize,
}

/// One condition of a route.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Condition {
    /// Id within the card.
    pub id: String,
    /// Role.
    pub role: Role,
    /// Variable.
    pub variable: String,
    /// What is asked of it.
    pub statement: Statement,
    /// What it speaks of.
    pub scope: Scope,
    /// Which way it points.
    pub direction: Direction,
    /// Strict or advisory.
    pub strictness: Strictness,
    /// Conditions of one group are what several sources say of the same limit: where they
    /// disagree about a case, nothing is determined.
    pub group: Option<String>,
    /// The condition in our words.
    pub reading: String,
    /// What to ask where it is not known.
    pub question: Option<String>,
    /// What states it.
    pub citation: Option<Citation>,
    /// Fingerprint of the supporting sentence.
    pub fingerprint: Option<Fingerprint>,
}

/// One stage of a route.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stage {
    /// Name, as output contracts list it.
    pub name: String,
    /// Capabilities that realise it, any of them.
    pub any_of: Vec<String>,
    /// Variable that it gives.
    pub gives: String,
    /// Stages it follows.
    pub after: Vec<String>,
    /// Inputs that are fixed, by variable.
    pub with: BTreeMap<String, Value>,
    /// Upstream variable to which its result must respond, for couplings.
    pub responds_to: Option<String>,
}

/// How results are judged, in the words of the track.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Evaluation {
    /// Metric.
    pub metric: Option<String>,
    /// Tolerance, with its unit.
    pub tolerance: Option<String>,
    /// Threshold of acceptance.
    pub threshold: Option<String>,
}

/// How uncertain results are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Uncertainty {
    /// In words.
    pub statement: String,
    /// Typical error as a factor (1 is perfect), where a source states one; used for ranking.
    pub error_factor: Option<f64>,
}

/// A route family.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Card {
    /// Id.
    pub id: String,
    /// One sentence.
    pub title: String,
    /// What it rests on.
    pub kind: RouteKind,
    /// Track.
    pub track: String,
    /// Hazards it is about.
    pub hazards: Vec<Hazard>,
    /// Kinds of task it answers.
    pub tasks: Vec<TaskKind>,
    /// Why it cannot be run at all, where it cannot.
    pub unavailable: Option<String>,
    /// What it gives.
    pub output: OutputContract,
    /// Its stages.
    pub stages: Vec<Stage>,
    /// Capabilities beside transformations that may prepare inputs of its stages.
    pub helpers: Vec<String>,
    /// Its conditions.
    pub conditions: Vec<Condition>,
    /// How uncertain its results are.
    pub uncertainty: Uncertainty,
    /// How results are judged.
    pub evaluation: Evaluation,
    /// What it comes from; the first is the method's publication.
    pub references: Vec<Citation>,
    /// Version of the card.
    pub version: String,
    /// Who reviewed it.
    pub reviewed_by: Option<String>,
}

impl Card {
    /// The condition of an id.
    pub fn condition(&self, id: &str) -> Option<&Condition> {
        self.conditions.iter().find(|condition| condition.id == id)
    }

    /// Year in which the method was published.
    pub fn published(&self) -> Option<u16> {
        self.references.first().map(|reference| reference.year)
    }
}
