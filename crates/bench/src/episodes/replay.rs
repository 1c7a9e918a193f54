//! The state at the end of a run, from the recorded changes alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lahar_core::capability::Value;
use lahar_core::{Quantity, Timestamp};
use lahar_routes::port::PortType;
use lahar_routes::state::{Change, Failure};
use lahar_routes::task::{Budget, Health, Observation, ObservedValue, Override, Quality};
use lahar_routes::{Task, Trajectory};

/// A value at hand.
#[derive(Debug, Clone)]
pub struct Held {
    /// Type.
    pub kind: PortType,
    /// Value.
    pub value: Arc<Value>,
    /// Latest publication of what it rests on.
    pub published: Timestamp,
    /// Quality.
    pub quality: Quality,
    /// Standard deviation.
    pub deviation: Option<Quantity>,
    /// Ids it was computed from.
    pub from: Vec<String>,
    /// Capability that gave it.
    pub by: Option<String>,
}

/// What is at hand, what is lost, what is left.
#[derive(Debug, Clone)]
pub struct Situation {
    /// Values by id.
    pub held: BTreeMap<String, Held>,
    /// Health of capabilities.
    pub health: BTreeMap<String, Health>,
    /// Budget that is left.
    pub left: Budget,
    /// Variables that were asked for.
    pub asked: BTreeSet<String>,
    /// Conditions that a person set aside.
    pub set_aside: Vec<Override>,
}

impl Situation {
    /// Replays a trajectory. What was taken in against the cutoff is an error.
    pub fn at_end(task: &Task, trajectory: &Trajectory) -> Result<Situation, String> {
        let mut situation = Situation {
            held: BTreeMap::new(),
            health: task.health.clone(),
            left: task.budget,
            asked: BTreeSet::new(),
            set_aside: Vec::new(),
        };
        for step in &trajectory.steps {
            for change in &step.changes {
                situation
                    .take(task, change)
                    .map_err(|why| format!("step {}: {why}", step.number))?;
            }
        }
        let recorded: BTreeMap<&str, Timestamp> = trajectory
            .artifacts
            .iter()
            .map(|artifact| (artifact.id.as_str(), artifact.timing.published))
            .collect();
        let replayed: BTreeMap<&str, Timestamp> = situation
            .held
            .iter()
            .map(|(id, held)| (id.as_str(), held.published))
            .collect();
        if recorded != replayed {
            return Err(format!(
                "at hand at the end is {recorded:?}, and the changes lead to {replayed:?}"
            ));
        }
        Ok(situation)
    }

    /// An observation, where it may be known at the decision.
    pub fn observe(&mut self, task: &Task, observation: &Observation) -> Result<(), String> {
        if observation.timing.published > task.decision_time {
            return Err(format!("`{}` is younger than the decision", observation.id));
        }
        let ObservedValue::Given(value) = &observation.value else {
            return Err(format!("`{}` is in a file", observation.id));
        };
        let held = Held {
            kind: observation.kind.clone(),
            value: Arc::new(value.clone()),
            published: observation.timing.published,
            quality: observation.quality,
            deviation: observation.deviation.clone(),
            from: Vec::new(),
            by: None,
        };
        match self.held.insert(observation.id.clone(), held) {
            None => Ok(()),
            Some(_) => Err(format!("`{}` was taken in twice", observation.id)),
        }
    }

    fn spend(&mut self, spent: &Budget) {
        self.left.steps = self.left.steps.saturating_sub(spent.steps);
        self.left.seconds = (self.left.seconds - spent.seconds).max(0.0);
        self.left.cost = (self.left.cost - spent.cost).max(0.0);
    }

    fn drop(&mut self, id: &str) {
        self.held.remove(id);
        let on_it = |held: &Held| held.from.iter().any(|from| from == id);
        let more: Vec<String> = self
            .held
            .iter()
            .filter(|(_, held)| on_it(held))
            .map(|(id, _)| id.clone())
            .collect();
        more.iter().for_each(|id| self.drop(id));
    }

    fn take(&mut self, task: &Task, change: &Change) -> Result<(), String> {
        match change {
            Change::Observed { observation } => self.observe(task, observation)?,
            Change::Refused { .. } => {}
            Change::Withdrawn { artifact, .. } => self.drop(artifact),
            Change::Health {
                capability, health, ..
            } => {
                self.health.insert(capability.clone(), *health);
            }
            Change::Executed {
                capability,
                inputs,
                outputs,
                spent,
                ..
            } => {
                let from: Vec<String> = inputs
                    .values()
                    .filter(|id| !id.starts_with('='))
                    .cloned()
                    .collect();
                let mut published = None;
                let mut quality = Quality::Modelled;
                for id in &from {
                    let source = self.held.get(id);
                    let source = source.ok_or_else(|| format!("`{id}` is not at hand"))?;
                    published = published.max(Some(source.published));
                    quality = quality.min(source.quality);
                }
                for output in outputs {
                    let held = Held {
                        kind: output.kind.clone(),
                        value: Arc::clone(&output.value),
                        published: published.unwrap_or(task.decision_time),
                        quality,
                        deviation: output.deviation.clone(),
                        from: from.clone(),
                        by: Some(capability.clone()),
                    };
                    self.held.insert(output.id.clone(), held);
                }
                self.spend(spent);
            }
            Change::Failed {
                capability,
                failure,
                spent,
            } => {
                if matches!(failure, Failure::Lost { .. } | Failure::Crash { .. }) {
                    self.health.insert(capability.clone(), Health::Lost);
                }
                self.spend(spent);
            }
            Change::Requested { variable, spent } => {
                self.asked.insert(variable.clone());
                self.spend(spent);
            }
            Change::SetAside { decision } => self.set_aside.push(decision.clone()),
            Change::Spent { spent } => self.spend(spent),
        }
        Ok(())
    }
}
