//! Running an episode with a scripted world, and comparing what came of it with what is written.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lahar_core::Quantity;
use lahar_core::capability::{CapabilityKind, PortKind, Value};
use lahar_hazards::registry;
use lahar_routes::executor::{Execution, Executor, Invocation};
use lahar_routes::state::{Change, Failure};
use lahar_routes::task::Observation;
use lahar_routes::trajectory::{self, Operation, Step};
use lahar_routes::{Agent, Card, Policy, Registry, State, Trajectory};
use serde::Serialize;

use super::read::{At, End, Episode, EpisodeError};
use super::{Kind, certificate};

/// What came of an episode.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    /// Episode.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// What went otherwise than written; empty where it passed.
    pub faults: Vec<String>,
    /// Whether the certificate stood the re-check; none where the episode ended with an artifact.
    pub certificate_holds: Option<bool>,
    /// The run.
    #[serde(skip)]
    pub trajectory: Trajectory,
}

/// The world of an episode: capabilities give what the script says, transformations are real.
struct World<'e> {
    episode: &'e Episode,
    ran: Vec<String>,
    round: usize,
}

impl Executor for World<'_> {
    fn execute(&mut self, invocation: &Invocation<'_>) -> Result<Execution, Failure> {
        let name = invocation.capability;
        let scripted = self
            .episode
            .events
            .iter()
            .find_map(|event| match &event.at {
                At::Fail(of, failure) if of == name => Some(failure.clone()),
                _ => None,
            });
        if let Some(failure) = scripted {
            return Err(failure);
        }
        let failed = |why: String| Failure::Error { why };
        let found = registry::find(name).map_err(|error| failed(error.to_string()))?;
        self.ran.push(name.to_owned());
        let outputs = match found.capability.kind {
            CapabilityKind::Transformation => {
                let inputs: BTreeMap<String, Value> = invocation
                    .inputs
                    .iter()
                    .map(|(port, value)| (port.clone(), value.as_ref().clone()))
                    .collect();
                let report = found.run(&inputs).map_err(|e| failed(e.to_string()))?;
                report.outputs
            }
            _ => self.given(name, found.capability.outputs),
        };
        let outputs = outputs.into_iter();
        Ok(Execution {
            outputs: outputs.map(|(port, v)| (port, Arc::new(v))).collect(),
            version: found.capability.version.to_owned(),
            seconds: self.seconds(name),
            ..Execution::default()
        })
    }

    fn obtain(&mut self, variable: &str, _state: &State) -> Option<Observation> {
        let mut events = self.episode.events.iter();
        events.find_map(|event| match &event.at {
            At::Ask(of) if of == variable => event.observation.clone(),
            _ => None,
        })
    }

    fn news(&mut self, _state: &State) -> Vec<Change> {
        let round = self.round;
        self.round += 1;
        let why = || "the script says so".to_owned();
        let mut changes = Vec::new();
        for event in &self.episode.events {
            if event.at != At::News(round) {
                continue;
            }
            if let Some(observation) = &event.observation {
                changes.push(Change::Observed {
                    observation: Box::new(observation.clone()),
                });
            }
            if let Some(artifact) = &event.withdraw {
                changes.push(Change::Withdrawn {
                    artifact: artifact.clone(),
                    why: why(),
                });
            }
            for (capability, health) in &event.health {
                changes.push(Change::Health {
                    capability: capability.clone(),
                    health: *health,
                    why: why(),
                });
            }
        }
        changes
    }
}

impl World<'_> {
    /// What the script gives for each port; where it is silent, half a unit or the first word.
    fn given(
        &self,
        capability: &str,
        ports: &[lahar_core::capability::Port],
    ) -> BTreeMap<String, Value> {
        let mut outputs = BTreeMap::new();
        for port in ports {
            let written = self
                .episode
                .outputs
                .get(&format!("{capability}/{}", port.name));
            let value = match (written, port.kind) {
                (Some(text), PortKind::Label { .. }) => Some(Value::Label(text.clone())),
                (Some(text), _) => text.parse().ok().map(Value::Quantity),
                (None, PortKind::Number { unit, .. }) => {
                    Quantity::of(0.5, unit).ok().map(Value::Quantity)
                }
                (None, PortKind::Label { one_of }) => {
                    one_of.first().map(|word| Value::Label((*word).to_owned()))
                }
                _ => None,
            };
            if let Some(value) = value {
                outputs.insert(port.name.to_owned(), value);
            }
        }
        outputs
    }

    fn seconds(&self, capability: &str) -> f64 {
        let written = self.episode.outputs.get(&format!("{capability}/seconds"));
        written.and_then(|text| text.parse().ok()).unwrap_or(0.001)
    }
}

/// The cards of an episode: those that ship, less what it leaves out, and its own.
pub fn cards(episode: &Episode) -> Result<Vec<Card>, EpisodeError> {
    let shipped = lahar_routes::card::shipped::all().map_err(|source| EpisodeError::Routes {
        file: episode.name.clone(),
        source: Box::new(source),
    })?;
    let shipped = shipped
        .iter()
        .filter(|card| !episode.without.contains(&card.id));
    Ok(shipped.chain(&episode.cards).cloned().collect())
}

/// Plays an episode, compares it, and re-checks the certificate where it abstains.
pub fn play(episode: &Episode) -> Result<Outcome, EpisodeError> {
    let cards = cards(episode)?;
    let mut world = World {
        episode,
        ran: Vec::new(),
        round: 0,
    };
    let task = Arc::new(episode.task.clone());
    let trajectory = Agent::new()
        .run(
            Arc::clone(&task),
            &cards,
            Registry::standard(),
            &mut world,
            Policy::Rules,
        )
        .map_err(|source| EpisodeError::Routes {
            file: episode.name.clone(),
            source: Box::new(source),
        })?;
    let mut faults = compare(episode, &trajectory);
    ended(episode, &trajectory, &world.ran, &mut faults);
    let checked = certificate::check(&task, &cards, Registry::standard(), &trajectory);
    let certificate_holds = match checked {
        Ok(abstained) => abstained.then_some(true),
        Err(found) => {
            faults.extend(found.into_iter().map(|why| format!("certificate: {why}")));
            Some(false)
        }
    };
    Ok(Outcome {
        name: episode.name.clone(),
        kind: episode.kind,
        faults,
        certificate_holds,
        trajectory,
    })
}

fn set(names: &[String]) -> BTreeSet<String> {
    names.iter().cloned().collect()
}

fn shown(names: &BTreeSet<String>) -> String {
    match names.is_empty() {
        true => "nothing".to_owned(),
        false => names.iter().cloned().collect::<Vec<_>>().join(", "),
    }
}

/// Whether a step is of a kind that has to be written in the script.
fn notable(step: &Step) -> bool {
    let failed = |change: &Change| matches!(change, Change::Failed { .. } | Change::Refused { .. });
    match &step.operation {
        Operation::InspectState => step.number > 1,
        Operation::RequestInformation { .. } | Operation::RepairWorkflow { .. } => true,
        Operation::ChangeRoute { from, .. } => from.is_some(),
        Operation::ExecuteCapability { .. } => step.changes.iter().any(failed),
        _ => false,
    }
}

fn is_at(step: &Step, at: &At) -> bool {
    let failed = step
        .changes
        .iter()
        .any(|c| matches!(c, Change::Failed { .. }));
    match (&step.operation, at) {
        (Operation::InspectState, At::News(_)) => step.number > 1,
        (Operation::ExecuteCapability { capability, .. }, At::Execute(of)) => {
            capability == of && !failed
        }
        (Operation::ExecuteCapability { capability, .. }, At::Fail(of, _)) => {
            capability == of && failed
        }
        (Operation::RequestInformation { variable }, At::Ask(of)) => variable == of,
        (Operation::RepairWorkflow { route, .. }, At::Repair(of)) => route == of,
        (Operation::ChangeRoute { from, to }, At::Change(of)) => from.is_some() && to == of,
        _ => false,
    }
}

fn compare(episode: &Episode, trajectory: &Trajectory) -> Vec<String> {
    let mut faults = Vec::new();
    let mut now = episode.start.clone();
    let mut events = episode.events.iter().peekable();
    for step in &trajectory.steps {
        let eligible = set(&step.eligible);
        let mut wanted = now.clone();
        if step.number == 1 {
            let refused: BTreeSet<String> = refusals(step).collect();
            if refused != episode.refused {
                faults.push(format!(
                    "at first {} was refused, written is {}",
                    shown(&refused),
                    shown(&episode.refused)
                ));
            }
        } else if let Some(event) = events.peek().filter(|event| is_at(step, &event.at)) {
            if event.before != now {
                faults.push(format!(
                    "{:?}: before it {} is written, and {} after what came before",
                    event.at,
                    shown(&event.before),
                    shown(&now)
                ));
            }
            let refused = refusals(step).next().is_some();
            if refused != event.refused {
                faults.push(format!("{:?}: refused is {refused}", event.at));
            }
            wanted = event.after.clone();
            events.next();
        } else if notable(step) {
            let what = format!("{:?}", step.operation);
            faults.push(format!("step {}: {what} is not written", step.number));
        }
        if eligible != wanted {
            faults.push(format!(
                "step {} ({:?}): eligible is {}, written is {}",
                step.number,
                step.operation,
                shown(&eligible),
                shown(&wanted)
            ));
        }
        now = eligible;
    }
    faults.extend(events.map(|event| format!("{:?} did not happen", event.at)));
    faults
}

fn refusals(step: &Step) -> impl Iterator<Item = String> + '_ {
    step.changes.iter().filter_map(|change| match change {
        Change::Refused { what, .. } => Some(what.clone()),
        _ => None,
    })
}

fn ended(episode: &Episode, trajectory: &Trajectory, ran: &[String], faults: &mut Vec<String>) {
    match (&episode.end, &trajectory.end) {
        (End::Submit { route, ran: wanted }, trajectory::End::Submit { route: by, .. }) => {
            if route != by {
                faults.push(format!("submitted by {by}, written is {route}"));
            }
            if ran != wanted {
                faults.push(format!("{ran:?} ran, written is {wanted:?}"));
            }
        }
        (
            End::Abstain {
                reason,
                blocked,
                explored,
            },
            trajectory::End::Abstain { certificate },
        ) => {
            if !certificate.reason.contains(reason) {
                faults.push(format!(
                    "the reason is `{}`, written is `{reason}`",
                    certificate.reason
                ));
            }
            for (route, words) in blocked {
                let found = certificate.blocking.get(route).cloned().unwrap_or_default();
                if !found.iter().any(|reason| reason.contains(words)) {
                    faults.push(format!(
                        "{route} is out for {found:?}, written is `{words}`"
                    ));
                }
            }
            if explored.is_some_and(|wanted| wanted != certificate.explored.len()) {
                faults.push(format!(
                    "{} states were looked at, written is {explored:?}",
                    certificate.explored.len()
                ));
            }
        }
        (_, trajectory::End::Submit { route, .. }) => {
            faults.push(format!("submitted by {route}, and should have abstained"));
        }
        (_, trajectory::End::Abstain { certificate }) => {
            faults.push(format!("abstained: {}", certificate.reason));
            for (route, reasons) in &certificate.blocking {
                faults.push(format!("  {route}: {}", reasons.join(" | ")));
            }
        }
    }
}
