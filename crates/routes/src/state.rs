//! What is at hand at a step (HazardWeaver, arXiv:2610.03591, definition 2). A state never
//! changes; a change makes the next one, with the next version.
//!
//! Causality is kept here and nowhere else: what was published after the decision time is
//! refused, and a derived artifact has the latest publication time of its sources (equation 6).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lahar_core::capability::Value;
use lahar_core::{Quantity, Timestamp, Timing};
use serde::{Serialize, Serializer};

use crate::error::RoutesError;
use crate::port::{Lineage, PortType};
use crate::task::{Budget, Health, Observation, ObservedValue, Override, Quality, Task};

/// Where an artifact comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Observed by somebody.
    Observed {
        /// Who says so.
        source: String,
    },
    /// Computed.
    Derived {
        /// Capability.
        capability: String,
        /// Its version.
        version: String,
        /// Route that was committed to.
        route: Option<String>,
        /// Ids of the artifacts it was computed from, by port.
        inputs: BTreeMap<String, String>,
    },
}

/// A value that is at hand, raw or derived.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Artifact {
    /// Id.
    pub id: String,
    /// Type.
    #[serde(flatten)]
    pub kind: PortType,
    /// Value.
    #[serde(serialize_with = "shared")]
    pub value: Arc<Value>,
    /// When it holds, and the latest publication time of its sources.
    pub timing: Timing,
    /// How good it is.
    pub quality: Quality,
    /// Standard deviation.
    pub deviation: Option<Quantity>,
    /// Where it comes from.
    pub origin: Origin,
}

impl Artifact {
    /// Which of two artifacts of one variable is taken first: the better, then the younger; then
    /// by what they hold, so that their names do not matter.
    pub fn before(&self, other: &Artifact) -> std::cmp::Ordering {
        other
            .quality
            .cmp(&self.quality)
            .then_with(|| other.timing.published.cmp(&self.timing.published))
            .then_with(|| other.timing.valid_until.cmp(&self.timing.valid_until))
            .then_with(|| match (self.value.as_ref(), other.value.as_ref()) {
                (Value::Quantity(a), Value::Quantity(b)) => a.si().total_cmp(&b.si()),
                (Value::Label(a), Value::Label(b)) => a.cmp(b),
                _ => std::cmp::Ordering::Equal,
            })
            .then_with(|| self.id.cmp(&other.id))
    }
}

/// A value that a capability gave, before it is an artifact.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Output {
    /// Id that the artifact gets.
    pub id: String,
    /// Type.
    #[serde(flatten)]
    pub kind: PortType,
    /// Value.
    #[serde(serialize_with = "shared")]
    pub value: Arc<Value>,
    /// Standard deviation.
    pub deviation: Option<Quantity>,
}

/// Why an execution gave nothing.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
#[non_exhaustive]
pub enum Failure {
    /// The capability cannot be used any more.
    Lost {
        /// Why.
        why: String,
    },
    /// It stopped with an error.
    Error {
        /// What it says.
        why: String,
    },
    /// It took too long.
    TimeLimit {
        /// Limit in seconds.
        seconds: f64,
    },
    /// It took too much memory.
    MemoryLimit {
        /// Limit in bytes.
        bytes: u64,
    },
    /// Its process ended.
    Crash {
        /// How.
        why: String,
    },
    /// Its result lies outside what can be.
    PostCondition {
        /// Which rule does not hold.
        why: String,
    },
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Lost { why } => write!(f, "it cannot be used any more: {why}"),
            Failure::Error { why } => write!(f, "it stopped: {why}"),
            Failure::TimeLimit { seconds } => write!(f, "it ran longer than {seconds} s"),
            Failure::MemoryLimit { bytes } => write!(f, "it took more than {bytes} bytes"),
            Failure::Crash { why } => write!(f, "its process ended: {why}"),
            Failure::PostCondition { why } => write!(f, "its result cannot be: {why}"),
        }
    }
}

/// One change of a state.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "change")]
pub enum Change {
    /// An observation came in.
    Observed {
        /// The observation.
        observation: Box<Observation>,
    },
    /// Something was not taken in.
    Refused {
        /// What.
        what: String,
        /// Why.
        why: String,
    },
    /// An artifact turned out to be wrong.
    Withdrawn {
        /// Which.
        artifact: String,
        /// Why.
        why: String,
    },
    /// A capability's health changed.
    Health {
        /// Which.
        capability: String,
        /// To what.
        health: Health,
        /// Why.
        why: String,
    },
    /// A capability ran.
    Executed {
        /// Which.
        capability: String,
        /// Its version.
        version: String,
        /// For which route.
        route: Option<String>,
        /// Artifacts that went in, by port.
        inputs: BTreeMap<String, String>,
        /// What came out.
        outputs: Vec<Output>,
        /// What it cost.
        spent: Budget,
    },
    /// A capability gave nothing.
    Failed {
        /// Which.
        capability: String,
        /// Why.
        failure: Failure,
        /// What it cost.
        spent: Budget,
    },
    /// Information was asked for.
    Requested {
        /// Which variable.
        variable: String,
        /// What asking cost.
        spent: Budget,
    },
    /// A person set an advisory condition aside.
    SetAside {
        /// Their decision.
        decision: Override,
    },
    /// A step was taken that changes nothing else.
    Spent {
        /// What it cost.
        spent: Budget,
    },
}

/// What is at hand at a step.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    task: Arc<Task>,
    version: u64,
    artifacts: BTreeMap<String, Arc<Artifact>>,
    health: BTreeMap<String, Health>,
    left: Budget,
    requested: BTreeSet<String>,
    set_aside: Vec<Override>,
}

impl State {
    /// The first state of a task, and the changes that led to it. Observations that were
    /// published after the decision time are refused, and the changes say so. Files are read.
    pub fn begin(task: Arc<Task>) -> Result<(State, Vec<Change>), RoutesError> {
        let mut state = State {
            version: 0,
            artifacts: BTreeMap::new(),
            health: task.health.clone(),
            left: task.budget,
            requested: BTreeSet::new(),
            set_aside: Vec::new(),
            task: Arc::clone(&task),
        };
        let mut changes = Vec::new();
        for observation in &task.observations {
            let change = match state.admit(observation) {
                Ok(()) => Change::Observed {
                    observation: Box::new(observation.clone()),
                },
                Err(error) => Change::Refused {
                    what: observation.id.clone(),
                    why: error.to_string(),
                },
            };
            state = state.apply(&change)?;
            changes.push(change);
        }
        for decision in &task.overrides {
            let change = Change::SetAside {
                decision: decision.clone(),
            };
            state = state.apply(&change)?;
            changes.push(change);
        }
        Ok((state, changes))
    }

    /// The task.
    pub fn task(&self) -> &Arc<Task> {
        &self.task
    }

    /// How many changes led here.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// What is at hand, by id.
    pub fn artifacts(&self) -> impl Iterator<Item = &Arc<Artifact>> {
        self.artifacts.values()
    }

    /// The artifact of an id.
    pub fn artifact(&self, id: &str) -> Option<&Arc<Artifact>> {
        self.artifacts.get(id)
    }

    /// Artifacts of a variable or of a kind of it.
    pub fn of_variable<'s>(&'s self, variable: &'s str) -> impl Iterator<Item = &'s Arc<Artifact>> {
        self.artifacts
            .values()
            .filter(move |a| crate::vocabulary::is_kind_of(&a.kind.variable, variable))
    }

    /// A capability's health; available where nothing is known against it.
    pub fn health(&self, capability: &str) -> Health {
        let health = self.health.get(capability).copied();
        health.unwrap_or(Health::Available)
    }

    /// What may still be spent.
    pub fn left(&self) -> &Budget {
        &self.left
    }

    /// Whether a variable has been asked for.
    pub fn was_requested(&self, variable: &str) -> bool {
        self.requested.contains(variable)
    }

    /// Advisory conditions that a person set aside.
    pub fn set_aside(&self) -> &[Override] {
        &self.set_aside
    }

    /// The information cutoff.
    pub fn cutoff(&self) -> Timestamp {
        self.task.decision_time
    }

    /// Whether an observation may be used for this decision.
    pub fn admit(&self, observation: &Observation) -> Result<(), RoutesError> {
        if observation.timing.known_at(self.cutoff()) {
            return Ok(());
        }
        Err(RoutesError::AfterCutoff {
            what: observation.id.clone(),
            published: observation.timing.published,
            cutoff: self.cutoff(),
        })
    }

    /// The next state.
    pub fn apply(&self, change: &Change) -> Result<State, RoutesError> {
        let mut next = self.clone();
        next.version += 1;
        match change {
            Change::Observed { observation } => {
                self.admit(observation)?;
                let value = match &observation.value {
                    ObservedValue::Given(value) => value.clone(),
                    ObservedValue::File(file) => file.read()?,
                };
                next.insert(Artifact {
                    id: observation.id.clone(),
                    kind: observation.kind.clone(),
                    value: Arc::new(value),
                    timing: observation.timing,
                    quality: observation.quality,
                    deviation: observation.deviation.clone(),
                    origin: Origin::Observed {
                        source: observation.source.clone(),
                    },
                })?;
            }
            Change::Refused { .. } => {}
            Change::Withdrawn { artifact, .. } => {
                if next.artifacts.remove(artifact).is_none() {
                    return Err(misfit(format!("there is no artifact `{artifact}`")));
                }
                next.drop_derived_from(artifact);
            }
            Change::Health {
                capability, health, ..
            } => {
                next.health.insert(capability.clone(), *health);
            }
            Change::Executed {
                capability,
                version,
                route,
                inputs,
                outputs,
                spent,
            } => {
                let (timing, quality) = self.inherited(capability, inputs)?;
                for output in outputs {
                    next.insert(Artifact {
                        id: output.id.clone(),
                        kind: PortType {
                            lineage: Lineage::Derived,
                            ..output.kind.clone()
                        },
                        value: Arc::clone(&output.value),
                        timing,
                        quality,
                        deviation: output.deviation.clone(),
                        origin: Origin::Derived {
                            capability: capability.clone(),
                            version: version.clone(),
                            route: route.clone(),
                            inputs: inputs.clone(),
                        },
                    })?;
                }
                next.spend(spent)?;
            }
            Change::Failed {
                capability,
                failure,
                spent,
            } => {
                if matches!(failure, Failure::Lost { .. } | Failure::Crash { .. }) {
                    next.health.insert(capability.clone(), Health::Lost);
                }
                next.spend(spent)?;
            }
            Change::Requested { variable, spent } => {
                next.requested.insert(variable.clone());
                next.spend(spent)?;
            }
            Change::SetAside { decision } => next.set_aside.push(decision.clone()),
            Change::Spent { spent } => next.spend(spent)?,
        }
        Ok(next)
    }

    /// Timing and quality that a derived artifact inherits: the latest publication time, and the
    /// least quality, of what went in; nothing that went in may be younger than the cutoff.
    fn inherited(
        &self,
        capability: &str,
        inputs: &BTreeMap<String, String>,
    ) -> Result<(Timing, Quality), RoutesError> {
        let mut timing: Option<Timing> = None;
        let mut quality = Quality::Modelled;
        // What begins with `=` is a constant of the card.
        for id in inputs.values().filter(|id| !id.starts_with('=')) {
            let Some(source) = self.artifacts.get(id) else {
                let why = format!("`{capability}` was run on `{id}`, which is not at hand");
                return Err(misfit(why));
            };
            if !source.timing.known_at(self.cutoff()) {
                return Err(RoutesError::AfterCutoff {
                    what: id.clone(),
                    published: source.timing.published,
                    cutoff: self.cutoff(),
                });
            }
            quality = quality.min(source.quality);
            timing = Some(match timing {
                None => source.timing,
                Some(so_far) => Timing {
                    valid_from: so_far.valid_from.max(source.timing.valid_from),
                    valid_until: so_far.valid_until.max(source.timing.valid_until),
                    published: so_far.published.max(source.timing.published),
                },
            });
        }
        // What is computed from constants alone holds at the decision time.
        let now = Timing {
            valid_from: self.cutoff(),
            valid_until: self.cutoff(),
            published: self.cutoff(),
        };
        Ok((timing.unwrap_or(now), quality))
    }

    fn insert(&mut self, mut artifact: Artifact) -> Result<(), RoutesError> {
        if let (None, Value::Layer(layer)) = (&artifact.kind.resolution, artifact.value.as_ref()) {
            let size = crate::applicability::case::cell_size(layer);
            artifact.kind.resolution = size.and_then(|size| Quantity::of(size, "m").ok());
        }
        if self.artifacts.contains_key(&artifact.id) {
            return Err(misfit(format!(
                "there is an artifact `{}` already",
                artifact.id
            )));
        }
        self.artifacts
            .insert(artifact.id.clone(), Arc::new(artifact));
        Ok(())
    }

    fn drop_derived_from(&mut self, gone: &str) {
        let derived: Vec<String> = self
            .artifacts
            .values()
            .filter(|artifact| match &artifact.origin {
                Origin::Derived { inputs, .. } => inputs.values().any(|id| id == gone),
                Origin::Observed { .. } => false,
            })
            .map(|artifact| artifact.id.clone())
            .collect();
        for id in derived {
            self.artifacts.remove(&id);
            self.drop_derived_from(&id);
        }
    }

    fn spend(&mut self, spent: &Budget) -> Result<(), RoutesError> {
        if spent.seconds < 0.0 || spent.cost < 0.0 {
            return Err(misfit("a step cannot give back what was spent".to_owned()));
        }
        self.left = self.left.less(spent);
        Ok(())
    }
}

/// Writes what an `Arc` holds.
pub(crate) fn shared<T: Serialize, S: Serializer>(
    value: &Arc<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.as_ref().serialize(serializer)
}

fn misfit(why: String) -> RoutesError {
    RoutesError::Change { why }
}
