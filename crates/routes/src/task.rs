//! A hazard task: what is asked, where, when, with what is at hand and within which budget
//! (HazardWeaver, arXiv:2610.03591, definition of a task instance).
//!
//! | module | holds |
//! |---|---|
//! | [`mod@read`] | a task from TOML |
//! | [`files`] | values of observations from files |
//! | `terms` | variables, units, contracts, times, budgets as tasks and cards write them |

pub mod files;
pub mod read;
pub(crate) mod terms;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use lahar_core::capability::Value;
use lahar_core::{Hazard, Quantity, Timestamp, Timing};
use serde::{Deserialize, Serialize};

use crate::port::PortType;

pub use read::ReadOptions;

/// What kind of answer is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// What will be.
    Forecast,
    /// What may be, for a stated storm, shaking or weather.
    Assess,
    /// How a process runs, step by step.
    Simulate,
    /// How much a cause has contributed.
    Attribute,
}

impl TaskKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            TaskKind::Forecast => "forecast",
            TaskKind::Assess => "assess",
            TaskKind::Simulate => "simulate",
            TaskKind::Attribute => "attribute",
        }
    }
}

/// Where the task is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Area {
    /// A place by its name, id or coordinates; looked up in the gazetteer when it is needed.
    Place(String),
    /// A point: longitude, latitude in degrees.
    Point([f64; 2]),
    /// A box: west, south, east, north in degrees.
    Box([f64; 4]),
}

/// The event that the task is about.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Event {
    /// Its name, such as `Thomas Fire`.
    pub name: Option<String>,
    /// When it was: the end of a fire, the origin of an earthquake.
    pub time: Option<Timestamp>,
}

/// What has to come out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OutputContract {
    /// Type of the artifact.
    #[serde(flatten)]
    pub kind: PortType,
    /// Stages that the answer must have gone through, in order.
    pub stages: Vec<String>,
}

/// How good an observation is; later is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quality {
    /// Flagged as bad.
    Rejected,
    /// Assumed for want of anything better.
    Assumed,
    /// Out of a model or a forecast.
    Modelled,
    /// Estimated from measurements.
    Estimated,
    /// Measured.
    Measured,
}

/// The value of an observation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ObservedValue {
    /// Written in the task.
    Given(Value),
    /// In a file.
    File(files::FileValue),
}

/// One thing that is known.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Observation {
    /// Id within the task.
    pub id: String,
    /// Type: variable, unit, representation, supports, resolution.
    #[serde(flatten)]
    pub kind: PortType,
    /// Value.
    pub value: ObservedValue,
    /// When it holds and when it was published.
    pub timing: Timing,
    /// How good it is.
    pub quality: Quality,
    /// Standard deviation, in the unit of the value.
    pub deviation: Option<Quantity>,
    /// Who says so.
    pub source: String,
}

/// Whether a capability can be used now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Health {
    /// It can.
    Available,
    /// It can, more slowly.
    Degraded,
    /// It cannot.
    Lost,
    /// Nobody knows.
    Unknown,
}

/// What may be spent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// Operations that change the state.
    pub steps: u64,
    /// Seconds of computing.
    pub seconds: f64,
    /// Cost of information, in the task's own units.
    pub cost: f64,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            steps: 30,
            seconds: 600.0,
            cost: 100.0,
        }
    }
}

impl Budget {
    /// What is left after spending.
    pub fn less(&self, spent: &Budget) -> Budget {
        Budget {
            steps: self.steps.saturating_sub(spent.steps),
            seconds: (self.seconds - spent.seconds).max(0.0),
            cost: (self.cost - spent.cost).max(0.0),
        }
    }

    /// Whether it covers a sum.
    pub fn covers(&self, spent: &Budget) -> bool {
        self.steps >= spent.steps && self.seconds >= spent.seconds && self.cost >= spent.cost
    }
}

/// An operation by which an empty eligible set may be mended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recovery {
    /// Ask for an observation that is missing.
    RequestInformation,
    /// Insert a compatible transformation.
    InsertTransformation,
    /// Put another capability in the place of a lost one.
    SubstituteCapability,
    /// Go on with another realisation or route.
    ChangeRoute,
}

impl Recovery {
    /// All of them.
    pub const ALL: [Recovery; 4] = [
        Recovery::RequestInformation,
        Recovery::InsertTransformation,
        Recovery::SubstituteCapability,
        Recovery::ChangeRoute,
    ];
}

/// Something that may be asked for, and what asking costs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Obtainable {
    /// Variable.
    pub variable: String,
    /// Cost in the task's own units.
    pub cost: f64,
    /// Seconds until it comes.
    pub seconds: f64,
    /// What will come, where that is written down.
    pub observation: Option<Observation>,
}

/// A person's decision to set an advisory condition aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Override {
    /// Route.
    pub route: String,
    /// Condition.
    pub condition: String,
    /// Why.
    pub reason: String,
    /// Who.
    pub by: String,
}

/// A hazard task.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Task {
    /// Id.
    pub id: String,
    /// One sentence for people.
    pub title: Option<String>,
    /// Track, such as `postfire-debris-flow`; where it is left out the hazards say it.
    pub track: Option<String>,
    /// Hazards.
    pub hazards: Vec<Hazard>,
    /// Kind.
    pub kind: TaskKind,
    /// Where.
    pub area: Area,
    /// Which event.
    pub event: Event,
    /// Decision time: the information cutoff.
    pub decision_time: Timestamp,
    /// How far ahead, from the decision time.
    pub horizon: Option<Quantity>,
    /// What has to come out.
    pub output: OutputContract,
    /// What is known.
    pub observations: Vec<Observation>,
    /// Health of capabilities that are not simply available.
    pub health: BTreeMap<String, Health>,
    /// What may be spent.
    pub budget: Budget,
    /// What may be done where no route is eligible.
    pub recovery: BTreeSet<Recovery>,
    /// What may be asked for.
    pub obtainable: Vec<Obtainable>,
    /// Advisory conditions that a person sets aside.
    pub overrides: Vec<Override>,
    /// Folder of the task's file.
    #[serde(skip)]
    pub folder: Option<PathBuf>,
}

/// Tracks by the hazards they are about.
const TRACKS: &[(&str, &[&str])] = &[
    ("postfire-debris-flow", &["wildfire", "landslide"]),
    ("ground-failure", &["earthquake", "landslide"]),
    ("coastal", &["flood", "hurricane"]),
    ("wildfire", &["wildfire"]),
    ("flood", &["flood"]),
    ("landslide", &["landslide"]),
    ("earthquake", &["earthquake"]),
    ("tropical-cyclone", &["hurricane"]),
    ("drought", &["drought"]),
    ("heatwave", &["heatwave"]),
];

impl Task {
    /// The track that is written down, or that of the hazards; `None` where they fit none.
    pub fn track(&self) -> Option<&str> {
        if let Some(track) = &self.track {
            return Some(track);
        }
        let mut labels: Vec<&str> = self.hazards.iter().map(Hazard::label).collect();
        labels.sort_unstable();
        labels.dedup();
        let fits = |wanted: &&[&str]| {
            wanted.len() == labels.len() && wanted.iter().all(|hazard| labels.contains(hazard))
        };
        let found = TRACKS.iter().find(|(_, hazards)| fits(hazards));
        found.map(|(track, _)| *track)
    }

    /// Time at which what is asked ends: the decision time plus the horizon.
    pub fn end(&self) -> Timestamp {
        let seconds = self.horizon.as_ref().map_or(0.0, Quantity::si);
        Timestamp::from_unix(self.decision_time.unix() + seconds as i64)
    }
}
