//! The agent: commits to an eligible route, runs it, revises as the state changes, and abstains
//! only with proof (HazardWeaver, arXiv:2610.03591, section 3.3).
//!
//! | module | holds |
//! |---|---|
//! | [`eligibility`] | every route at a state: in, out or undetermined, and why |
//! | [`policy`] | which eligible route is taken: by rules, or by a chat model |
//! | [`recovery`] | bounded search for a way out where no route is eligible |
//! | `steps` | executing a call and writing its artifacts down |

pub mod eligibility;
pub mod policy;
pub mod recovery;
mod steps;

use std::collections::BTreeSet;
use std::sync::Arc;

use lahar_core::capability::Strictness;
use lahar_places::Gazetteer;

use crate::applicability::Judge;
use crate::card::Card;
use crate::error::RoutesError;
use crate::evidence::QuoteBook;
use crate::executor::Executor;
use crate::graph::Registry;
use crate::state::{Change, State};
use crate::task::{Budget, Recovery, Task};
use crate::trajectory::{
    Certificate, Commitment, End, Operation, RouteStatus, Step, Trajectory, Workflow,
};

pub use eligibility::{candidates, statuses};
pub use policy::Policy;

/// One step of the budget.
pub(crate) const ONE_STEP: Budget = Budget {
    steps: 1,
    seconds: 0.0,
    cost: 0.0,
};

/// Runs tasks. It holds what all of them share: the sentences of the user's library.
#[derive(Debug, Clone, Default)]
pub struct Agent {
    quotes: QuoteBook,
}

impl Agent {
    /// An agent without a library: every condition is only cited.
    pub fn new() -> Agent {
        Agent::default()
    }

    /// An agent with the sentences found in a library.
    pub fn with_quotes(quotes: QuoteBook) -> Agent {
        Agent { quotes }
    }

    /// The routes of a task at its first state, with what was refused.
    pub fn check(
        &self,
        task: Arc<Task>,
        cards: &[Card],
        registry: &Registry,
    ) -> Result<(Vec<RouteStatus>, Vec<Change>), RoutesError> {
        refuse_overrides(&task, cards)?;
        let cards = candidates(&task, cards);
        let judge = Judge::new(&task, &cards, &self.quotes, Gazetteer::embedded());
        let (state, changes) = State::begin(task)?;
        Ok((statuses(&judge, registry, &state), changes))
    }

    /// Runs a task from its first state to an artifact or an abstention.
    pub fn run(
        &self,
        task: Arc<Task>,
        cards: &[Card],
        registry: &Registry,
        executor: &mut dyn Executor,
        policy: Policy<'_>,
    ) -> Result<Trajectory, RoutesError> {
        refuse_overrides(&task, cards)?;
        let cards = candidates(&task, cards);
        let judge = Judge::new(&task, &cards, &self.quotes, Gazetteer::embedded());
        let (state, changes) = State::begin(Arc::clone(&task))?;
        let routes = statuses(&judge, registry, &state);
        let mut run = Run {
            judge,
            registry,
            executor,
            policy,
            steps: Vec::new(),
            commitments: Vec::new(),
            notes: Vec::new(),
            current: None,
            prepared: BTreeSet::new(),
            routes,
            state,
        };
        run.record(
            0,
            Operation::InspectState,
            changes,
            "what the task brings".to_owned(),
        );
        let end = run.until_the_end()?;
        Ok(run.finish(end))
    }
}

/// Only advisory conditions can be set aside, and only those that exist.
fn refuse_overrides(task: &Task, cards: &[Card]) -> Result<(), RoutesError> {
    for decision in &task.overrides {
        let unknown = |what, name: &str| RoutesError::Unknown {
            what,
            name: name.to_owned(),
            hint: "; see `lahar routes show`".to_owned(),
        };
        let card = cards.iter().find(|card| card.id == decision.route);
        let card = card.ok_or_else(|| unknown("route", &decision.route))?;
        let condition = card.condition(&decision.condition);
        let condition = condition.ok_or_else(|| unknown("condition", &decision.condition))?;
        if condition.strictness == Strictness::Strict {
            return Err(RoutesError::StrictOverride {
                route: decision.route.clone(),
                condition: decision.condition.clone(),
            });
        }
    }
    Ok(())
}

/// A route that was committed to, with the calls that were to come.
struct Current {
    route: String,
    workflow: Workflow,
}

struct Run<'r> {
    judge: Judge<'r>,
    registry: &'r Registry,
    executor: &'r mut dyn Executor,
    policy: Policy<'r>,
    state: State,
    routes: Vec<RouteStatus>,
    steps: Vec<Step>,
    commitments: Vec<Commitment>,
    notes: Vec<String>,
    current: Option<Current>,
    prepared: BTreeSet<String>,
}

impl Run<'_> {
    fn record(&mut self, before: u64, operation: Operation, changes: Vec<Change>, note: String) {
        self.steps.push(Step {
            number: self.steps.len() as u64 + 1,
            before,
            after: self.state.version(),
            operation,
            changes,
            eligible: self.eligible(),
            note,
        });
    }

    fn eligible(&self) -> Vec<String> {
        let eligible = self.routes.iter().filter(|status| status.is_eligible());
        eligible.map(|status| status.route.clone()).collect()
    }

    fn status(&self, route: &str) -> Option<&RouteStatus> {
        self.routes.iter().find(|status| status.route == route)
    }

    fn recompute(&mut self) {
        self.routes = statuses(&self.judge, self.registry, &self.state);
    }

    /// Takes a change in, or writes down why it was refused.
    fn take(&mut self, change: Change) -> Result<Change, RoutesError> {
        let what = match &change {
            Change::Observed { observation } => observation.id.clone(),
            Change::Withdrawn { artifact, .. } => artifact.clone(),
            Change::SetAside { decision } => {
                let card = self
                    .judge
                    .cards()
                    .iter()
                    .find(|card| card.id == decision.route);
                let condition = card.and_then(|card| card.condition(&decision.condition));
                if condition.is_some_and(|c| c.strictness == Strictness::Strict) {
                    return Err(RoutesError::StrictOverride {
                        route: decision.route.clone(),
                        condition: decision.condition.clone(),
                    });
                }
                decision.condition.clone()
            }
            _ => "a change".to_owned(),
        };
        match self.state.apply(&change) {
            Ok(state) => {
                self.state = state;
                Ok(change)
            }
            Err(error) => {
                let refused = Change::Refused {
                    what,
                    why: error.to_string(),
                };
                self.state = self.state.apply(&refused)?;
                Ok(refused)
            }
        }
    }

    fn until_the_end(&mut self) -> Result<End, RoutesError> {
        loop {
            self.news()?;
            if let Some(end) = self.keep_or_choose()? {
                return Ok(end);
            }
            let Some(current) = &self.current else {
                continue;
            };
            let (route, workflow) = (current.route.clone(), current.workflow.clone());
            if workflow.calls.is_empty() {
                let artifact = workflow.at_hand.clone().unwrap_or_default();
                let operation = Operation::SubmitArtifact {
                    artifact: artifact.clone(),
                };
                let before = self.state.version();
                let note = format!("`{artifact}` meets the contract");
                self.record(before, operation, Vec::new(), note);
                return Ok(End::Submit { route, artifact });
            }
            if self.state.left().seconds <= 0.0 {
                let reason = format!(
                    "the budget is exhausted: `{route}` has {} steps to go, and no seconds are left",
                    workflow.calls.len()
                );
                return self.abstain(reason);
            }
            if self.state.left().steps < workflow.calls.len() as u64 {
                let reason = format!(
                    "the budget is exhausted: `{route}` needs {} more steps, and {} are left",
                    workflow.calls.len(),
                    self.state.left().steps
                );
                return self.abstain(reason);
            }
            self.execute(&route, &workflow)?;
        }
    }

    /// What changed outside.
    fn news(&mut self) -> Result<(), RoutesError> {
        let news = self.executor.news(&self.state);
        if news.is_empty() {
            return Ok(());
        }
        let before = self.state.version();
        let mut changes = Vec::with_capacity(news.len());
        for change in news {
            changes.push(self.take(change)?);
        }
        self.recompute();
        self.record(
            before,
            Operation::InspectState,
            changes,
            "what changed outside".to_owned(),
        );
        Ok(())
    }

    /// Goes on with the route that was committed to while it is eligible, repairs its workflow,
    /// or chooses another one; where none is eligible looks for a way out, and ends the run where
    /// there is none.
    fn keep_or_choose(&mut self) -> Result<Option<End>, RoutesError> {
        let permitted = self.state.task().recovery.clone();
        if let Some(current) = self.current.take() {
            let status = self.status(&current.route);
            let planned = status
                .filter(|status| status.is_eligible())
                .and_then(|status| status.workflow.clone());
            if let Some(workflow) = planned {
                match difference(self.registry, &current.workflow, &workflow) {
                    None => {
                        self.current = Some(Current {
                            workflow,
                            ..current
                        });
                        return Ok(None);
                    }
                    Some((how, needs)) if permitted.contains(&needs) => {
                        let operation = Operation::RepairWorkflow {
                            route: current.route.clone(),
                            how: how.clone(),
                        };
                        let before = self.state.version();
                        self.record(before, operation, Vec::new(), how);
                        self.current = Some(Current {
                            workflow,
                            ..current
                        });
                        return Ok(None);
                    }
                    Some((how, _)) => {
                        self.routes.iter_mut().for_each(|status| {
                            if status.route == current.route {
                                status.reachability = crate::trajectory::Reachability::Unavailable;
                                status
                                    .reasons
                                    .push(format!("{how}, which is not permitted"));
                            }
                        });
                    }
                }
            }
            if !permitted.contains(&Recovery::ChangeRoute) {
                let reason = format!(
                    "`{}` is no longer eligible, and going over to another route is not permitted",
                    current.route
                );
                return self.abstain(reason).map(Some);
            }
            return self.choose(Some(current.route));
        }
        self.choose(self.commitments.last().map(|c| c.route.clone()))
    }

    fn choose(&mut self, from: Option<String>) -> Result<Option<End>, RoutesError> {
        let eligible = self.eligible();
        if eligible.is_empty() {
            let prepared =
                recovery::prepare(self.registry, &self.state, &self.routes, &self.prepared);
            if let Some((variable, workflow)) = prepared {
                // One call at a time: the state it leads to is planned anew.
                if workflow.calls.len() == 1 {
                    self.prepared.insert(variable);
                }
                self.execute("", &workflow)?;
                return Ok(None);
            }
            return match recovery::look(&self.judge, self.registry, &self.state, &self.routes) {
                recovery::Outcome::Ask(variable) => {
                    self.ask(&variable)?;
                    Ok(None)
                }
                recovery::Outcome::Nothing(certificate) => self.close(*certificate).map(Some),
            };
        }
        // A route that what is left pays for comes before one that it does not; where it pays for
        // none, the end says so.
        let steps = self.state.left().steps;
        let paid = |status: &&RouteStatus| {
            let calls = status.workflow.as_ref().map_or(0, |w| w.calls.len() as u64);
            status.is_eligible() && calls <= steps
        };
        let affordable: Vec<RouteStatus> = self.routes.iter().filter(paid).cloned().collect();
        let offered = match affordable.is_empty() {
            true => &self.routes,
            false => &affordable,
        };
        let choice = policy::choose(&mut self.policy, &self.state, self.judge.cards(), offered);
        let Some(status) = self.status(&choice.route) else {
            return self.abstain("no route was chosen".to_owned()).map(Some);
        };
        let workflow = status.workflow.clone().unwrap_or_default();
        let before = self.state.version();
        let inspect = Operation::InspectRoute {
            route: choice.route.clone(),
        };
        self.record(before, inspect, Vec::new(), choice.notes.join("; "));
        self.notes.extend(choice.notes);
        let operation = Operation::ChangeRoute {
            from: from.filter(|from| *from != choice.route),
            to: choice.route.clone(),
        };
        self.record(before, operation, Vec::new(), choice.why.clone());
        self.commitments.push(Commitment {
            step: self.steps.len() as u64,
            state: self.state.version(),
            route: choice.route.clone(),
            workflow: workflow.clone(),
            eligible,
            why: choice.why,
        });
        self.current = Some(Current {
            route: choice.route,
            workflow,
        });
        Ok(None)
    }

    fn abstain(&mut self, reason: String) -> Result<End, RoutesError> {
        let certificate = recovery::certificate(&self.state, &self.routes, reason);
        self.close(certificate)
    }

    fn close(&mut self, certificate: Certificate) -> Result<End, RoutesError> {
        let before = self.state.version();
        let note = certificate.reason.clone();
        self.record(before, Operation::SubmitAbstention, Vec::new(), note);
        Ok(End::Abstain {
            certificate: Box::new(certificate),
        })
    }

    fn finish(self, end: End) -> Trajectory {
        let mut questions: Vec<String> = Vec::new();
        for status in self.routes.iter().filter(|status| !status.is_eligible()) {
            for question in eligibility::questions(status) {
                if !questions.contains(&question) {
                    questions.push(question);
                }
            }
        }
        Trajectory {
            task: self.state.task().id.clone(),
            policy: self.policy.name(),
            steps: self.steps,
            commitments: self.commitments,
            end,
            routes: self.routes,
            artifacts: self.state.artifacts().cloned().collect(),
            questions,
            notes: self.notes,
        }
    }
}

/// How what is to be run now differs from what was to be run, and what it takes to mend that.
fn difference(
    registry: &Registry,
    before: &Workflow,
    now: &Workflow,
) -> Option<(String, Recovery)> {
    let names = |workflow: &Workflow| -> Vec<String> {
        let calls = workflow.calls.iter();
        calls.map(|call| call.capability.clone()).collect()
    };
    let (before, now) = (names(before), names(now));
    let new: Vec<&String> = now.iter().filter(|name| !before.contains(name)).collect();
    // What is left out has been run, or is not needed any more.
    let first = new.first()?;
    let transformation = registry
        .find(first)
        .is_some_and(|node| node.kind == lahar_core::capability::CapabilityKind::Transformation);
    let list: Vec<&str> = new.iter().map(|name| name.as_str()).collect();
    Some(match transformation {
        true => (
            format!("{} is inserted", list.join(", ")),
            Recovery::InsertTransformation,
        ),
        false => (
            format!("{} takes the place of what is lost", list.join(", ")),
            Recovery::SubstituteCapability,
        ),
    })
}
