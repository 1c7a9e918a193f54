//! An episode from TOML.

use std::collections::{BTreeMap, BTreeSet};

use lahar_routes::state::Failure;
use lahar_routes::task::{Health, Observation, ReadOptions};
use lahar_routes::{Card, RoutesError, Task};
use serde::Deserialize;

use super::Kind;

/// Why an episode cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum EpisodeError {
    /// The file is no episode.
    #[error("{file}: {why}; docs/episodes.md says how an episode is written")]
    Form {
        /// File.
        file: String,
        /// What is wrong.
        why: String,
    },
    /// Its task or a card cannot be read, or the agent stopped.
    #[error("{file}: {source}")]
    Routes {
        /// File.
        file: String,
        /// What is wrong.
        source: Box<RoutesError>,
    },
}

/// A scripted episode.
#[derive(Debug, Clone)]
pub struct Episode {
    /// Name: its file without the ending.
    pub name: String,
    /// Kind.
    pub kind: Kind,
    /// What happens, in a sentence or two.
    pub about: String,
    /// The task.
    pub task: Task,
    /// The task as it is written.
    pub task_text: String,
    /// Cards made for this episode; they stand beside those that ship.
    pub cards: Vec<Card>,
    /// Cards that ship and are left out here.
    pub without: BTreeSet<String>,
    /// What the scripted capabilities give, by `capability/port`.
    pub outputs: BTreeMap<String, String>,
    /// Routes that may be used at first.
    pub start: BTreeSet<String>,
    /// Observations of the task that are refused.
    pub refused: BTreeSet<String>,
    /// What happens, in order.
    pub events: Vec<Event>,
    /// How it ends.
    pub end: End,
}

/// What an event is.
#[derive(Debug, Clone, PartialEq)]
pub enum At {
    /// Something changes outside before the round of this number, counted from 0.
    News(usize),
    /// A capability runs.
    Execute(String),
    /// A capability gives nothing.
    Fail(String, Failure),
    /// The agent asks for a variable.
    Ask(String),
    /// The agent rebuilds the workflow of a route.
    Repair(String),
    /// The agent leaves one route for another.
    Change(String),
}

/// One event, with the routes that may be used before and after it.
#[derive(Debug, Clone)]
pub struct Event {
    /// What happens.
    pub at: At,
    /// An observation that comes in: news, or the answer to a question.
    pub observation: Option<Observation>,
    /// An artifact that is withdrawn.
    pub withdraw: Option<String>,
    /// Capabilities whose health changes.
    pub health: BTreeMap<String, Health>,
    /// Whether what comes in is refused.
    pub refused: bool,
    /// Eligible routes before.
    pub before: BTreeSet<String>,
    /// Eligible routes after.
    pub after: BTreeSet<String>,
}

/// How an episode ends.
#[derive(Debug, Clone)]
pub enum End {
    /// With an artifact of a route, computed by these capabilities in this order.
    Submit {
        /// Route.
        route: String,
        /// Capabilities that ran in the whole episode.
        ran: Vec<String>,
    },
    /// Without one.
    Abstain {
        /// Words of the certificate's reason.
        reason: String,
        /// Words of a blocking reason, by route.
        blocked: BTreeMap<String, String>,
        /// Number of states looked at, where it is said.
        explored: Option<usize>,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    kind: Kind,
    about: String,
    task: String,
    #[serde(default)]
    cards: Vec<String>,
    #[serde(default)]
    without: BTreeSet<String>,
    #[serde(default)]
    outputs: BTreeMap<String, String>,
    start: WrittenStart,
    #[serde(default)]
    event: Vec<WrittenEvent>,
    end: WrittenEnd,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenStart {
    eligible: BTreeSet<String>,
    #[serde(default)]
    refused: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenEvent {
    at: String,
    round: Option<usize>,
    failure: Option<String>,
    observation: Option<String>,
    withdraw: Option<String>,
    #[serde(default)]
    health: BTreeMap<String, Health>,
    #[serde(default)]
    refused: bool,
    before: BTreeSet<String>,
    after: BTreeSet<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "decision")]
enum WrittenEnd {
    Submit {
        route: String,
        ran: Vec<String>,
    },
    Abstain {
        reason: String,
        blocked: BTreeMap<String, String>,
        explored: Option<usize>,
    },
}

impl Episode {
    /// Reads an episode.
    pub fn parse(file: &str, text: &str) -> Result<Episode, EpisodeError> {
        let form = |why: String| EpisodeError::Form {
            file: file.to_owned(),
            why,
        };
        let routes = |source: RoutesError| EpisodeError::Routes {
            file: file.to_owned(),
            source: Box::new(source),
        };
        let written: Written = toml::from_str(text).map_err(|error| form(error.to_string()))?;
        let options = ReadOptions::default();
        let task = Task::parse(file, &written.task, None, &options).map_err(routes)?;
        let mut cards = Vec::new();
        for card in &written.cards {
            cards.push(Card::parse(file, card).map_err(routes)?);
        }
        // An observation is read as the last one of the task.
        let observation = |text: &Option<String>| -> Result<Option<Observation>, EpisodeError> {
            let Some(text) = text else { return Ok(None) };
            let with = format!("{}\n[[observation]]\n{text}\n", written.task);
            let task = Task::parse(file, &with, None, &options).map_err(routes)?;
            Ok(task.observations.last().cloned())
        };
        let mut events = Vec::new();
        for event in &written.event {
            let (what, of) = event.at.split_once(' ').unwrap_or((&event.at, ""));
            let of = of.to_owned();
            let at = match (what, event.round) {
                ("news", Some(round)) => At::News(round),
                ("execute", None) => At::Execute(of),
                ("fail", None) => At::Fail(of, failure(event.failure.as_deref())),
                ("ask", None) => At::Ask(of),
                ("repair", None) => At::Repair(of),
                ("change", None) => At::Change(of),
                _ => return Err(form(format!("`{}` is no event", event.at))),
            };
            events.push(Event {
                at,
                observation: observation(&event.observation)?,
                withdraw: event.withdraw.clone(),
                health: event.health.clone(),
                refused: event.refused,
                before: event.before.clone(),
                after: event.after.clone(),
            });
        }
        Ok(Episode {
            name: file.trim_end_matches(".toml").to_owned(),
            kind: written.kind,
            about: written.about,
            task,
            task_text: written.task,
            cards,
            without: written.without,
            outputs: written.outputs,
            start: written.start.eligible,
            refused: written.start.refused,
            events,
            end: match written.end {
                WrittenEnd::Submit { route, ran } => End::Submit { route, ran },
                WrittenEnd::Abstain {
                    reason,
                    blocked,
                    explored,
                } => End::Abstain {
                    reason,
                    blocked,
                    explored,
                },
            },
        })
    }
}

fn failure(word: Option<&str>) -> Failure {
    let why = "the script says so".to_owned();
    match word {
        Some("lost") => Failure::Lost { why },
        Some("crash") => Failure::Crash { why },
        Some("time") => Failure::TimeLimit { seconds: 60.0 },
        Some("memory") => Failure::MemoryLimit { bytes: 1 << 30 },
        Some("post_condition") => Failure::PostCondition { why },
        _ => Failure::Error { why },
    }
}
