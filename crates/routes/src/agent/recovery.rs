//! Where no route is eligible: bounded best-first search over what may be asked for, and the
//! certificate of an abstention (HazardWeaver, arXiv:2610.03591, section 3.3, `Rec(s, b)`).
//!
//! Transformations, substitutions and other realisations are no separate actions here: every
//! state that is looked at is planned anew with all of them. What is left to try is information.
//! An observation that is written down with the task is taken as it is; of one that is not, the
//! best is hoped for, so that a search that finds nothing has looked at more than what can be.

use std::collections::{BTreeMap, BTreeSet};

use lahar_core::capability::Value;
use lahar_core::{Quantity, Timing, Unit};

use crate::applicability::Judge;
use crate::card::{Card, Statement};
use crate::graph::{Registry, plan, to_have};
use crate::port::{Lineage, PortType, PortUnit, Representation, UncertaintyKind};
use crate::state::{Change, State};
use crate::task::{Budget, Observation, ObservedValue, Obtainable, Quality, Recovery};
use crate::trajectory::{
    Action, Applicability, Certificate, Explored, Reachability, RouteStatus, Unblock, Workflow,
};
use crate::verdict::Truth;
use crate::vocabulary;

use super::eligibility::statuses;

/// At most so many states are looked at.
pub const MOST_STATES: usize = 512;

/// A variable that would decide an open condition and that transformations can compute from what
/// is at hand, with the calls that do it; what was tried before is not tried again.
pub fn prepare(
    registry: &Registry,
    state: &State,
    routes: &[RouteStatus],
    tried: &BTreeSet<String>,
) -> Option<(String, Workflow)> {
    if !state
        .task()
        .recovery
        .contains(&Recovery::InsertTransformation)
    {
        return None;
    }
    let open = routes
        .iter()
        .filter(|status| status.applicability == Applicability::Undetermined)
        .flat_map(|status| status.verdicts.iter().filter(|verdict| verdict.blocks()))
        .filter(|verdict| verdict.truth == Truth::Undetermined && verdict.observation.is_none());
    let variables: BTreeSet<&str> = open.map(|verdict| verdict.variable.as_str()).collect();
    variables
        .into_iter()
        .filter(|variable| !tried.contains(*variable))
        .find_map(|variable| {
            let workflow = to_have(variable, registry, state)?;
            let steps = workflow.calls.len() as u64;
            (steps <= state.left().steps).then(|| (variable.to_owned(), workflow))
        })
}

/// What a search came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Ask for this variable next.
    Ask(String),
    /// Nothing helps.
    Nothing(Box<Certificate>),
}

/// A state that might be reached.
struct Reached {
    state: State,
    hoped: BTreeSet<String>,
    actions: Vec<Action>,
    cost: Budget,
}

/// What may be asked for at a state, whether or not it is permitted: what the task lists, once.
fn askable(state: &State) -> impl Iterator<Item = &Obtainable> {
    let task = state.task();
    let permitted = task.recovery.contains(&Recovery::RequestInformation);
    let fresh = move |o: &&Obtainable| permitted && !state.was_requested(&o.variable);
    task.obtainable.iter().filter(fresh)
}

fn price(obtainable: &Obtainable) -> Budget {
    Budget {
        steps: 1,
        seconds: obtainable.seconds,
        cost: obtainable.cost,
    }
}

fn sum(one: &Budget, other: &Budget) -> Budget {
    Budget {
        steps: one.steps + other.steps,
        seconds: one.seconds + other.seconds,
        cost: one.cost + other.cost,
    }
}

/// A state in which numbers that are hoped for lie at hand in their usual unit, so that what can
/// be computed from them is planned. Their values are not numbers, and nothing is judged by them.
fn with_hopes(state: &State, hoped: &BTreeSet<String>) -> State {
    let mut with = state.clone();
    for variable in hoped {
        let Some(entry) = vocabulary::entry(variable) else {
            continue;
        };
        let (Ok(unit), Some((space, time))) = (entry.unit.parse::<Unit>(), entry.supports) else {
            continue;
        };
        let now = state.cutoff();
        let observation = Observation {
            id: format!("hoped for: {variable}"),
            kind: PortType {
                variable: variable.clone(),
                unit: PortUnit::Of(unit.clone()),
                representation: Representation::Number,
                space,
                time,
                resolution: None,
                uncertainty: UncertaintyKind::Unstated,
                lineage: Lineage::Observed,
            },
            value: ObservedValue::Given(Value::Quantity(Quantity::new(f64::NAN, unit))),
            timing: Timing {
                valid_from: now,
                valid_until: now,
                published: now,
            },
            quality: Quality::Assumed,
            deviation: None,
            source: "nobody yet".to_owned(),
        };
        let change = Change::Observed {
            observation: Box::new(observation),
        };
        with = with.apply(&change).unwrap_or(with);
    }
    with
}

/// Whether a route would be eligible if the best came of what is hoped for. A violated condition
/// stays violated: what is known is not hoped away.
fn hopeful(
    card: &Card,
    status: &RouteStatus,
    hoped: &BTreeSet<String>,
    registry: &Registry,
    state: &State,
) -> bool {
    if status.applicability == Applicability::Inapplicable {
        return false;
    }
    let comes = |variable: &str| {
        hoped
            .iter()
            .any(|given| vocabulary::is_kind_of(given, variable))
    };
    // What may stand for a required observation does as well.
    let decides = |verdict: &crate::verdict::Verdict| {
        let condition = card.condition(&verdict.condition);
        let others: &[String] = match condition.map(|condition| &condition.statement) {
            Some(Statement::Present { or }) => or,
            _ => &[],
        };
        comes(&verdict.variable) || others.iter().any(|other| comes(other))
    };
    let judged = status.verdicts.iter().filter(|verdict| verdict.blocks());
    let mut judged = judged.map(|verdict| {
        verdict.truth == Truth::Undetermined
            && verdict.evidence != crate::verdict::Evidence::Undetermined
            && decides(verdict)
    });
    if !judged.all(|fine| fine) {
        return false;
    }
    let served = status.reachability == Reachability::Reachable
        || !status.ports.is_empty()
            && status.ports.iter().all(|failure| {
                failure.field.as_deref() != Some("availability")
                    && comes(&failure.variable)
                    && failure.port != "output"
            });
    served
        || !hoped.is_empty()
            && plan(card, registry, &with_hopes(state, hoped)).reachability
                == Reachability::Reachable
}

/// Looks for the cheapest row of questions after which a route is eligible.
pub fn look(
    judge: &Judge<'_>,
    registry: &Registry,
    state: &State,
    routes: &[RouteStatus],
) -> Outcome {
    let mut open = vec![Reached {
        state: state.clone(),
        hoped: BTreeSet::new(),
        actions: Vec::new(),
        cost: Budget {
            steps: 0,
            seconds: 0.0,
            cost: 0.0,
        },
    }];
    let mut seen: BTreeSet<Vec<String>> = BTreeSet::new();
    let mut explored = Vec::new();
    let mut complete = true;
    while let Some(at) = cheapest(&open) {
        let reached = open.swap_remove(at);
        if explored.len() == MOST_STATES {
            complete = false;
            break;
        }
        let here = match reached.actions.is_empty() {
            true => routes.to_vec(),
            false => statuses(judge, registry, &reached.state),
        };
        let fine = here.iter().zip(judge.cards()).any(|(status, card)| {
            status.is_eligible() || hopeful(card, status, &reached.hoped, registry, &reached.state)
        });
        if fine && let Some(first) = reached.actions.first() {
            return Outcome::Ask(first.on.clone());
        }
        let blocked = here.iter().map(|status| {
            let reason = status.reasons.first().cloned().unwrap_or_default();
            (status.route.clone(), reason)
        });
        explored.push(Explored {
            actions: reached.actions.clone(),
            cost: reached.cost,
            blocked: blocked.collect(),
        });
        for obtainable in askable(&reached.state) {
            let spent = price(obtainable);
            let cost = sum(&reached.cost, &spent);
            if !state.left().covers(&cost) {
                continue;
            }
            let mut asked: Vec<String> = reached.actions.iter().map(|a| a.on.clone()).collect();
            asked.push(obtainable.variable.clone());
            asked.sort();
            if !seen.insert(asked) {
                continue;
            }
            let requested = Change::Requested {
                variable: obtainable.variable.clone(),
                spent,
            };
            let Ok(mut next) = reached.state.apply(&requested) else {
                continue;
            };
            let mut hoped = reached.hoped.clone();
            match &obtainable.observation {
                Some(observation) => {
                    let observed = Change::Observed {
                        observation: Box::new(observation.clone()),
                    };
                    // What cannot be taken in (published too late, unreadable) leads nowhere.
                    if let Ok(with) = next.apply(&observed) {
                        next = with;
                    }
                }
                None => {
                    hoped.insert(obtainable.variable.clone());
                }
            }
            let mut actions = reached.actions.clone();
            actions.push(Action {
                recovery: Recovery::RequestInformation,
                on: obtainable.variable.clone(),
                cost: spent,
            });
            open.push(Reached {
                state: next,
                hoped,
                actions,
                cost,
            });
        }
    }
    let reason = match (routes.is_empty(), complete) {
        (true, _) => {
            let task = state.task();
            let track = task.track().unwrap_or("these hazards");
            format!("no route is registered for {track}")
        }
        (false, true) => format!(
            "no eligible route can be reached: {} states were looked at, and that is all there are within the budget",
            explored.len()
        ),
        (false, false) => format!(
            "no eligible route was found in {} states; more could be looked at",
            explored.len()
        ),
    };
    Outcome::Nothing(Box::new(Certificate {
        explored,
        complete,
        ..certificate(state, routes, reason)
    }))
}

fn cheapest(open: &[Reached]) -> Option<usize> {
    let key = |reached: &Reached| (reached.cost.cost, reached.cost.seconds, reached.cost.steps);
    let compare = |a: &(usize, &Reached), b: &(usize, &Reached)| {
        let (one, other) = (key(a.1), key(b.1));
        one.0
            .total_cmp(&other.0)
            .then_with(|| one.1.total_cmp(&other.1))
            .then_with(|| one.2.cmp(&other.2))
            .then_with(|| {
                let on = |r: &Reached| r.actions.iter().map(|a| a.on.clone()).collect::<Vec<_>>();
                on(a.1).cmp(&on(b.1))
            })
    };
    open.iter().enumerate().min_by(compare).map(|(at, _)| at)
}

/// A certificate of the state at which a run ends.
pub fn certificate(state: &State, routes: &[RouteStatus], reason: String) -> Certificate {
    let blocked = routes.iter().map(|status| {
        let reason = status.reasons.first().cloned().unwrap_or_default();
        (status.route.clone(), reason)
    });
    let mut unblock: Option<Unblock> = None;
    for status in routes.iter().filter(|status| !status.is_eligible()) {
        let candidate = needs(state, status);
        let better = |known: &Unblock| candidate.cost < known.cost;
        if unblock.as_ref().is_none_or(better) {
            unblock = Some(candidate);
        }
    }
    Certificate {
        reason,
        explored: vec![Explored {
            actions: Vec::new(),
            cost: Budget {
                steps: 0,
                seconds: 0.0,
                cost: 0.0,
            },
            blocked: blocked.collect(),
        }],
        complete: true,
        left: *state.left(),
        blocking: routes
            .iter()
            .map(|status| (status.route.clone(), status.reasons.clone()))
            .collect(),
        unblock,
    }
}

/// What one need costs where the task names no price: something to be found out, something that
/// has come to be and may pass, something that another case would need.
const FIND_OUT: f64 = 1.0;
const MEND: f64 = 5.0;
const OTHER_CASE: f64 = 100.0;

/// What would make a route eligible, and what that costs.
fn needs(state: &State, status: &RouteStatus) -> Unblock {
    let asked = |variable: &str| {
        let listed = state.task().obtainable.iter();
        let own = listed
            .filter(|o| {
                vocabulary::is_kind_of(&o.variable, variable) && !state.was_requested(&o.variable)
            })
            .map(|o| o.cost);
        own.fold(f64::INFINITY, f64::min).min(FIND_OUT)
    };
    let mut found: BTreeMap<String, f64> = BTreeMap::new();
    for verdict in status.verdicts.iter().filter(|verdict| verdict.blocks()) {
        let cost = match verdict.truth {
            Truth::Undetermined => asked(&verdict.variable),
            _ if verdict.strictness == lahar_core::capability::Strictness::Advisory => MEND,
            _ => OTHER_CASE,
        };
        let text = match (&verdict.question, verdict.truth) {
            (Some(question), _) => question.clone(),
            (None, Truth::Undetermined) => format!("a source for: {}", verdict.reading),
            (None, _) => format!("a case in which: {}", verdict.reading),
        };
        found.insert(text, cost);
    }
    if status.reachability != Reachability::Reachable {
        for failure in &status.ports {
            let cost = match failure.field.as_deref() {
                None => asked(&failure.variable),
                Some("availability") if failure.port.is_empty() => MEND,
                Some(_) if failure.port == "output" => OTHER_CASE,
                Some(_) => MEND,
            };
            found.insert(failure.why.clone(), cost);
        }
    }
    if status.applicability == Applicability::Inapplicable && found.is_empty() {
        let reason = status.reasons.first().cloned().unwrap_or_default();
        found.insert(reason, OTHER_CASE);
    }
    Unblock {
        route: status.route.clone(),
        cost: found.values().sum(),
        needs: found.into_keys().collect(),
    }
}
