//! Workflows of a route: each stage realised by one of its capabilities, each input had from an
//! earlier stage, from what is at hand or by transformations; and where that fails, which port of
//! which capability, and which field of its type.

use std::collections::BTreeMap;

use crate::card::{Card, Stage};
use lahar_core::capability::Support;

use crate::port::{Lineage, PortType, PortUnit, Representation, UncertaintyKind};
use crate::state::{Artifact, Origin, State};
use crate::trajectory::{Binding, Call, PortFailure, Reachability, Workflow};

use super::registry::Registry;
use super::search::{DEPTH, Earlier, Planned as PlannedCall, Search, Source, Usable, lift, usable};
use super::transformation::With;

/// At most so many choices of capabilities for the stages are tried.
const MOST_CHOICES: usize = 512;

/// Whether a route can be run, and how or why not.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    /// Whether it can be.
    pub reachability: Reachability,
    /// The cheapest workflow.
    pub workflow: Option<Workflow>,
    /// Ports that cannot be served.
    pub failures: Vec<PortFailure>,
}

/// Plans a route at a state (equation 4): reachable where a workflow of available capabilities
/// exists, undetermined where one exists if those of unknown health can be called, unavailable
/// otherwise.
pub fn plan(card: &Card, registry: &Registry, state: &State) -> Planned {
    let unavailable = |failures: Vec<PortFailure>| Planned {
        reachability: Reachability::Unavailable,
        workflow: None,
        failures,
    };
    if let Some(failure) = contract(card, state) {
        return unavailable(vec![failure]);
    }
    for unknown in [false, true] {
        let mut search = Search::new(registry, state, &card.helpers, unknown);
        let workflow = cheapest(card, registry, state, &mut search);
        if let Some(workflow) = workflow {
            return Planned {
                reachability: match unknown {
                    false => Reachability::Reachable,
                    true => Reachability::Undetermined,
                },
                workflow: Some(workflow),
                failures: match unknown {
                    false => Vec::new(),
                    true => explain(card, registry, state, false),
                },
            };
        }
    }
    unavailable(explain(card, registry, state, true))
}

/// What a card promises against what the task asks for: the variable, and every stage in its
/// order. A part of a cascade does not answer for the whole.
fn contract(card: &Card, state: &State) -> Option<PortFailure> {
    let task = state.task();
    let failure = |field: &str, why: String| PortFailure {
        capability: card.id.clone(),
        port: "output".to_owned(),
        variable: task.output.kind.variable.clone(),
        field: Some(field.to_owned()),
        why,
    };
    if let Some(why) = &card.unavailable {
        return Some(failure("availability", why.clone()));
    }
    let cutoff = state.cutoff().to_string();
    let year: u16 = cutoff
        .get(..4)
        .and_then(|y| y.parse().ok())
        .unwrap_or(u16::MAX);
    if let Some(published) = card.published().filter(|published| *published > year) {
        let why = format!("it was published in {published}, after the decision time");
        return Some(failure("publication", why));
    }
    let wanted = &task.output.kind.variable;
    let gives = card
        .stages
        .iter()
        .any(|stage| crate::vocabulary::is_kind_of(&stage.gives, wanted));
    if !gives {
        let why = format!(
            "it gives {}, and {wanted} is asked for",
            card.output.kind.variable
        );
        return Some(failure("variable", why));
    }
    let mut own = card.stages.iter().map(|stage| stage.name.as_str());
    let missing = task
        .output
        .stages
        .iter()
        .find(|stage| !own.any(|name| name == stage.as_str()));
    let missing = missing?;
    let names: Vec<&str> = card
        .stages
        .iter()
        .map(|stage| stage.name.as_str())
        .collect();
    let why = format!(
        "stage `{missing}` is asked for in its order, and it goes through {}; a part does not answer for the whole",
        names.join(", ")
    );
    Some(failure("stages", why))
}

/// The stages up to the one that gives what is asked for, each behind those it follows.
fn ordered<'c>(card: &'c Card, wanted: &str) -> Vec<&'c Stage> {
    let mut order: Vec<&Stage> = Vec::new();
    while order.len() < card.stages.len() {
        let ready = card.stages.iter().find(|stage| {
            let known = |name: &String| order.iter().any(|done| done.name == *name);
            !known(&stage.name) && stage.after.iter().all(known)
        });
        // `Card::parse` has refused circles.
        let Some(ready) = ready else { break };
        order.push(ready);
    }
    let last = order
        .iter()
        .rposition(|stage| crate::vocabulary::is_kind_of(&stage.gives, wanted));
    order.truncate(last.map_or(0, |last| last + 1));
    order
}

/// A workflow of transformations alone that gives a variable from what is at hand, as a grid or a
/// number; none where there is no such, or where it is at hand already.
pub fn to_have(variable: &str, registry: &Registry, state: &State) -> Option<Workflow> {
    if state.of_variable(variable).next().is_some() {
        return None;
    }
    let entry = crate::vocabulary::entry(variable)?;
    let (space, time) = entry.supports?;
    let mut search = Search::new(registry, state, &[], false);
    for representation in [Representation::Grid, Representation::Number] {
        let wanted = PortType {
            variable: variable.to_owned(),
            unit: entry.unit.parse().map_or(PortUnit::None, PortUnit::Of),
            representation,
            space: match representation {
                Representation::Grid => Support::Cell,
                _ => space,
            },
            time,
            resolution: None,
            uncertainty: UncertaintyKind::Unstated,
            lineage: Lineage::Any,
        };
        let Some(way) = search.solve(&wanted, DEPTH) else {
            continue;
        };
        let builder = Builder {
            registry,
            state,
            search: &mut search,
            stages: Vec::new(),
            tried: 0,
            best: None,
        };
        let mut workflow = Workflow {
            cost: way.cost,
            ..Workflow::default()
        };
        if let Binding::Output { call, port } = builder.bind(&way.source, &mut workflow) {
            workflow.answer = Some((call, port));
            return Some(tidy(workflow));
        }
    }
    None
}

struct Builder<'a, 'b> {
    registry: &'a Registry,
    state: &'a State,
    search: &'b mut Search<'a>,
    stages: Vec<&'a Stage>,
    tried: usize,
    best: Option<Workflow>,
}

fn cheapest<'a>(
    card: &'a Card,
    registry: &'a Registry,
    state: &'a State,
    search: &mut Search<'a>,
) -> Option<Workflow> {
    let wanted = &state.task().output.kind;
    let grids = wanted.representation == Representation::Grid;
    for lifted in [false, true] {
        if lifted && !grids {
            continue;
        }
        let mut builder = Builder {
            registry,
            state,
            search,
            stages: ordered(card, &wanted.variable),
            tried: 0,
            best: None,
        };
        builder.stage(0, lifted, Workflow::default(), Vec::new());
        if let Some(best) = builder.best {
            return Some(best);
        }
    }
    None
}

impl<'a> Builder<'a, '_> {
    fn stage(&mut self, at: usize, lifted: bool, so_far: Workflow, earlier: Vec<(usize, Earlier)>) {
        if self.tried >= MOST_CHOICES {
            return;
        }
        if at == self.stages.len() {
            self.tried += 1;
            self.finish(so_far, &earlier);
            return;
        }
        let stage = self.stages[at];
        self.search.fix(&stage.with);
        for name in &stage.any_of {
            let Some(node) = self
                .registry
                .index(name)
                .filter(|node| self.search.may_call(*node))
            else {
                continue;
            };
            let limit = self.best.as_ref().map_or(f64::INFINITY, |best| best.cost) - so_far.cost;
            let before: Vec<Earlier> = earlier
                .iter()
                .filter(|(of, _)| stage.after.contains(&self.stages[*of].name))
                .map(|(_, earlier)| earlier.clone())
                .collect();
            // Where no grid comes in, a stage of a route on grids is run once.
            let kinds: &[bool] = if lifted { &[true, false] } else { &[false] };
            let planned = kinds.iter().find_map(|lifted| {
                self.search.fix(&stage.with);
                self.search.call(node, *lifted, DEPTH, None, &before, limit)
            });
            let Some(planned) = planned else { continue };
            let mut workflow = so_far.clone();
            workflow.cost += planned.cost;
            let call = self.emit(&planned, Some(&stage.name), &mut workflow);
            let Emitted::Call(call) = call else {
                // The stage has been run before on the same inputs: what it gave is at hand.
                let Emitted::Known(artifacts) = call else {
                    continue;
                };
                let mut earlier = earlier.clone();
                for (port, artifact) in artifacts {
                    let index = workflow.calls.len();
                    workflow.calls.push(known(stage, &port, artifact));
                    earlier.push((
                        at,
                        Earlier {
                            call: index,
                            port,
                            kind: artifact.kind.clone(),
                        },
                    ));
                }
                self.stage(at + 1, lifted, workflow, earlier);
                continue;
            };
            let mut earlier = earlier.clone();
            for output in &self.registry.node(node).outputs {
                let grid = PortType {
                    representation: Representation::Grid,
                    ..output.kind.clone()
                };
                let kind = match planned.lifted {
                    true => lift(&output.kind, &grid, true),
                    false => None,
                };
                earlier.push((
                    at,
                    Earlier {
                        call,
                        port: output.name.clone(),
                        kind: kind.unwrap_or_else(|| output.kind.clone()),
                    },
                ));
            }
            self.stage(at + 1, lifted, workflow, earlier);
        }
    }

    /// Brings the last stage's result to what the task asks for.
    fn finish(&mut self, mut workflow: Workflow, earlier: &[(usize, Earlier)]) {
        let wanted = &self.state.task().output.kind;
        let last = self.stages.len().wrapping_sub(1);
        let ways = earlier
            .iter()
            .filter(|(of, earlier)| {
                *of == last
                    && crate::vocabulary::is_kind_of(&earlier.kind.variable, &wanted.variable)
            })
            .filter_map(|(_, earlier)| {
                let source = Source::Earlier(earlier.call, earlier.port.clone());
                self.search.adapt(source, &earlier.kind, wanted, 0.0)
            });
        let Some(way) = ways.min_by(|a, b| a.cost.total_cmp(&b.cost)) else {
            return;
        };
        workflow.cost += way.cost;
        if self
            .best
            .as_ref()
            .is_some_and(|best| best.cost <= workflow.cost)
        {
            return;
        }
        match self.bind(&way.source, &mut workflow) {
            Binding::Output { call, port } => workflow.answer = Some((call, port)),
            Binding::Artifact(id) => workflow.at_hand = Some(id),
            Binding::Constant(_) => return,
        }
        self.best = Some(tidy(workflow));
    }

    /// Writes a call and everything it needs into a workflow.
    fn emit(
        &self,
        planned: &PlannedCall,
        stage: Option<&str>,
        workflow: &mut Workflow,
    ) -> Emitted<'a> {
        let node = self.registry.node(planned.node);
        let mut inputs = BTreeMap::new();
        for (port, source) in &planned.inputs {
            inputs.insert(port.clone(), self.bind(source, workflow));
        }
        let known = self.known(&node.name, &inputs);
        if !known.is_empty() {
            let by_port = node.outputs.iter().filter_map(|output| {
                let artifact = known
                    .iter()
                    .find(|artifact| artifact.kind.variable == output.kind.variable)?;
                Some((output.name.clone(), *artifact))
            });
            return Emitted::Known(by_port.collect());
        }
        let outputs = node
            .outputs
            .iter()
            .map(|output| (output.name.clone(), output.kind.clone()));
        workflow.calls.push(Call {
            capability: node.name.clone(),
            stage: stage.map(str::to_owned),
            inputs,
            outputs: outputs.collect(),
        });
        Emitted::Call(workflow.calls.len() - 1)
    }

    /// Artifacts that a capability has given on the same inputs.
    fn known(&self, capability: &str, inputs: &BTreeMap<String, Binding>) -> Vec<&'a Artifact> {
        let mut wanted = BTreeMap::new();
        for (port, binding) in inputs {
            let id = match binding {
                Binding::Artifact(id) => id.clone(),
                Binding::Constant(value) => crate::trajectory::constant_id(value),
                Binding::Output { .. } => return Vec::new(),
            };
            wanted.insert(port.clone(), id);
        }
        let artifacts = self.state.artifacts().map(AsRef::as_ref);
        artifacts
            .filter(|artifact| match &artifact.origin {
                Origin::Derived {
                    capability: by,
                    inputs,
                    ..
                } => by == capability && *inputs == wanted,
                Origin::Observed { .. } => false,
            })
            .collect()
    }

    fn bind(&self, source: &Source, workflow: &mut Workflow) -> Binding {
        match source {
            Source::Artifact(id) => Binding::Artifact(id.clone()),
            Source::Constant(value) => Binding::Constant(value.clone()),
            Source::Earlier(call, port) => match at_hand(workflow, *call) {
                Some(id) => Binding::Artifact(id),
                None => Binding::Output {
                    call: *call,
                    port: port.clone(),
                },
            },
            Source::Call(planned, port) => match self.emit(planned, None, workflow) {
                Emitted::Call(call) => Binding::Output {
                    call,
                    port: port.clone(),
                },
                Emitted::Known(artifacts) => {
                    let found = artifacts.into_iter().find(|(name, _)| name == port);
                    Binding::Artifact(found.map(|(_, a)| a.id.clone()).unwrap_or_default())
                }
            },
            Source::Changed(inner, change) => {
                let mut inputs = BTreeMap::new();
                let inner = self.bind(inner, workflow);
                inputs.insert(change.input.to_owned(), inner);
                for (port, with) in &change.with {
                    let binding = match with {
                        With::Constant(value) => Binding::Constant(value.clone()),
                        With::Like(id) => Binding::Artifact(id.clone()),
                    };
                    inputs.insert(port.clone(), binding);
                }
                if let Some(artifact) = self.known(change.capability, &inputs).first() {
                    return Binding::Artifact(artifact.id.clone());
                }
                workflow.calls.push(Call {
                    capability: change.capability.to_owned(),
                    stage: None,
                    inputs,
                    outputs: BTreeMap::from([(change.output.to_owned(), change.kind.clone())]),
                });
                Binding::Output {
                    call: workflow.calls.len() - 1,
                    port: change.output.to_owned(),
                }
            }
        }
    }
}

enum Emitted<'a> {
    Call(usize),
    Known(Vec<(String, &'a Artifact)>),
}

/// A place in the list of calls for something that is at hand already; [`tidy`] takes it out.
fn known(stage: &Stage, port: &str, artifact: &Artifact) -> Call {
    Call {
        capability: String::new(),
        stage: Some(stage.name.clone()),
        inputs: BTreeMap::from([("".to_owned(), Binding::Artifact(artifact.id.clone()))]),
        outputs: BTreeMap::from([(port.to_owned(), artifact.kind.clone())]),
    }
}

fn at_hand(workflow: &Workflow, call: usize) -> Option<String> {
    let call = workflow.calls.get(call)?;
    match (call.capability.is_empty(), call.inputs.get("")) {
        (true, Some(Binding::Artifact(id))) => Some(id.clone()),
        _ => None,
    }
}

/// Takes the places of what is at hand out of a workflow, and joins calls that are the same.
fn tidy(workflow: Workflow) -> Workflow {
    let mut kept: Vec<Call> = Vec::new();
    let mut moved: Vec<usize> = Vec::new();
    for mut call in workflow.calls {
        if call.capability.is_empty() {
            moved.push(usize::MAX);
            continue;
        }
        for binding in call.inputs.values_mut() {
            if let Binding::Output { call, .. } = binding {
                *call = moved[*call];
            }
        }
        let same = kept
            .iter()
            .position(|other| other.capability == call.capability && other.inputs == call.inputs);
        match same {
            Some(at) => {
                if kept[at].stage.is_none() {
                    kept[at].stage = call.stage;
                }
                moved.push(at);
            }
            None => {
                moved.push(kept.len());
                kept.push(call);
            }
        }
    }
    Workflow {
        answer: workflow.answer.map(|(call, port)| (moved[call], port)),
        calls: kept,
        ..workflow
    }
}

/// Why no workflow exists: the ports of the first stage that cannot be served, by the capability
/// that comes nearest.
fn explain(card: &Card, registry: &Registry, state: &State, unknown: bool) -> Vec<PortFailure> {
    let mut search = Search::new(registry, state, &card.helpers, unknown);
    let wanted = &state.task().output.kind;
    let lifted = wanted.representation == Representation::Grid;
    let mut earlier: Vec<(usize, Earlier)> = Vec::new();
    let stages = ordered(card, &wanted.variable);
    let mut all = Vec::new();
    for (at, stage) in stages.iter().enumerate() {
        let before: Vec<Earlier> = earlier
            .iter()
            .filter(|(of, _)| stage.after.contains(&stages[*of].name))
            .map(|(_, earlier)| earlier.clone())
            .collect();
        search.fix(&stage.with);
        let mut nearest: Option<Vec<PortFailure>> = None;
        let mut served = None;
        for name in &stage.any_of {
            let lost = |why: String| {
                vec![PortFailure {
                    capability: name.clone(),
                    port: String::new(),
                    variable: stage.gives.clone(),
                    field: Some("availability".to_owned()),
                    why: format!("`{name}` cannot be called: {why}"),
                }]
            };
            let failures = match registry.index(name) {
                None => lost("there is no such capability".to_owned()),
                Some(node) => match usable(registry.node(node), state) {
                    Usable::No(why) => lost(why),
                    Usable::Unknown if !unknown => lost("whether it works is not known".to_owned()),
                    _ => {
                        let failures = search.failures(node, &before, lifted);
                        if failures.is_empty() {
                            served = Some(node);
                        }
                        failures
                    }
                },
            };
            let better = |known: &Vec<PortFailure>| failures.len() < known.len();
            if nearest.as_ref().is_none_or(better) {
                nearest = Some(failures);
            }
        }
        all.extend(nearest.unwrap_or_default());
        // Later stages are looked at as if this one had given what it gives.
        let node = served.or_else(|| stage.any_of.iter().find_map(|name| registry.index(name)));
        let Some(node) = node else { continue };
        for output in &registry.node(node).outputs {
            let grid = PortType {
                representation: Representation::Grid,
                ..output.kind.clone()
            };
            let kind = lifted.then(|| lift(&output.kind, &grid, true)).flatten();
            earlier.push((
                at,
                Earlier {
                    call: 0,
                    port: output.name.clone(),
                    kind: kind.unwrap_or_else(|| output.kind.clone()),
                },
            ));
        }
    }
    if all.is_empty() {
        let last: Vec<Earlier> = earlier
            .into_iter()
            .filter(|(of, _)| *of + 1 == stages.len())
            .map(|(_, earlier)| earlier)
            .collect();
        all.push(search.explain(&card.id, "output", wanted, &last));
    }
    all
}
