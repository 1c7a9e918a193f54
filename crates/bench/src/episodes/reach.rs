//! What can be had at best from what is at hand, forwards: every capability that may be called is
//! called, again and again, until nothing new comes. Where this does not reach a port, nothing
//! does; where it reaches one, a workflow may still not fit. So it proves that a route cannot be
//! run, and never that it can.

use std::collections::BTreeSet;

use lahar_core::capability::{CapabilityKind, Support};
use lahar_routes::graph::{Node, Registry};
use lahar_routes::port::{Needed, TypedPort};
use lahar_routes::task::{Health, Quality};
use lahar_routes::vocabulary::is_kind_of;
use lahar_routes::{Card, PortType, PortUnit, Representation, Task};

use super::replay::Situation;

/// Something that can be had.
#[derive(Debug, Clone)]
struct Supply {
    variable: String,
    representation: Option<Representation>,
    unit: PortUnit,
    /// Support in space and time; none where a transformation or a hope gives any.
    supports: Option<(Support, Support)>,
}

/// What can be had at best for one route.
#[derive(Debug)]
pub struct Reach<'a> {
    card: &'a Card,
    registry: &'a Registry,
    task: &'a Task,
    situation: &'a Situation,
    supplies: Vec<Supply>,
    stages: BTreeSet<String>,
}

/// Why a node cannot be called; none where it can.
pub fn out_of_use(node: &Node, task: &Task, situation: &Situation) -> Option<String> {
    let year = task.decision_time.to_string();
    let year: u16 = year.get(..4).and_then(|y| y.parse().ok()).unwrap_or(0);
    if let Some(why) = &node.unavailable {
        return Some(why.clone());
    }
    if node.published.is_some_and(|published| published > year) {
        return Some("younger than the decision".to_owned());
    }
    match situation.health.get(&node.name) {
        Some(Health::Lost) => Some("lost".to_owned()),
        Some(Health::Unknown) => Some("not known to work".to_owned()),
        _ => None,
    }
}

fn in_space(given: Support, wanted: Support) -> bool {
    let ground = |s: Support| matches!(s, Support::Cell | Support::Column);
    given == wanted
        || matches!(given, Support::Event | Support::Storm)
        || ground(given) && (ground(wanted) || wanted == Support::Point)
}

fn in_time(given: Support, wanted: Support) -> bool {
    let whole = |s: Support| matches!(s, Support::Event | Support::Storm);
    given == wanted || given == Support::Static || whole(given) && whole(wanted)
}

impl<'a> Reach<'a> {
    /// Everything that can be had for a route, if what is hoped for comes.
    pub fn of(
        card: &'a Card,
        registry: &'a Registry,
        task: &'a Task,
        situation: &'a Situation,
        hoped: &BTreeSet<String>,
    ) -> Reach<'a> {
        let good = situation
            .held
            .values()
            .filter(|held| held.quality != Quality::Rejected);
        let mut supplies: Vec<Supply> = good
            .map(|held| Supply {
                variable: held.kind.variable.clone(),
                representation: Some(held.kind.representation),
                unit: held.kind.unit.clone(),
                supports: Some((held.kind.space, held.kind.time)),
            })
            .collect();
        supplies.extend(hoped.iter().map(|variable| Supply {
            variable: variable.clone(),
            representation: None,
            unit: PortUnit::Any,
            supports: None,
        }));
        let mut reach = Reach {
            card,
            registry,
            task,
            situation,
            supplies,
            stages: BTreeSet::new(),
        };
        reach.close();
        reach
    }

    fn close(&mut self) {
        let registry = self.registry;
        let mut called: BTreeSet<&str> = BTreeSet::new();
        loop {
            let before = (called.len(), self.stages.len());
            for node in registry.nodes() {
                let free = node.kind == CapabilityKind::Transformation
                    || self.card.helpers.contains(&node.name);
                let done = called.contains(node.name.as_str());
                if free && !done && !node.is_generic() && self.can_call(node) {
                    called.insert(&node.name);
                    let any = node.kind == CapabilityKind::Transformation;
                    self.gives(node, any);
                }
            }
            let card = self.card;
            for stage in &card.stages {
                let ready = stage.after.iter().all(|name| self.stages.contains(name));
                if !ready || self.stages.contains(&stage.name) {
                    continue;
                }
                let nodes = stage.any_of.iter().filter_map(|name| registry.find(name));
                let can: Vec<&Node> = nodes.filter(|node| self.can_call(node)).collect();
                for node in &can {
                    self.gives(node, false);
                }
                if !can.is_empty() {
                    self.stages.insert(stage.name.clone());
                }
            }
            if (called.len(), self.stages.len()) == before {
                return;
            }
        }
    }

    fn gives(&mut self, node: &Node, any: bool) {
        self.supplies.extend(node.outputs.iter().map(|port| Supply {
            variable: port.kind.variable.clone(),
            representation: Some(port.kind.representation),
            unit: port.kind.unit.clone(),
            supports: (!any).then_some((port.kind.space, port.kind.time)),
        }));
    }

    /// Whether a node may be called and all it needs can be had.
    pub fn can_call(&self, node: &Node) -> bool {
        out_of_use(node, self.task, self.situation).is_none()
            && node.inputs.iter().all(|port| self.serves(port))
    }

    /// Whether an input can be had: fixed by the card, not needed, or supplied.
    pub fn serves(&self, port: &TypedPort) -> bool {
        let fixed = self.card.stages.iter().any(|stage| {
            stage.with.contains_key(&port.kind.variable) || stage.with.contains_key(&port.name)
        });
        fixed || port.presence != Needed::Required || self.has(&port.kind)
    }

    /// Whether something of a type can be had.
    pub fn has(&self, wanted: &PortType) -> bool {
        self.supplies.iter().any(|supply| self.fits(supply, wanted))
    }

    fn fits(&self, supply: &Supply, wanted: &PortType) -> bool {
        let grids = self.task.output.kind.representation == Representation::Grid;
        let form = match supply.representation {
            None => true,
            Some(Representation::Shapes) => {
                matches!(
                    wanted.representation,
                    Representation::Shapes | Representation::Grid
                )
            }
            Some(own) => own == wanted.representation || grids,
        };
        let unit = match (&supply.unit, &wanted.unit) {
            (PortUnit::Any, _) | (_, PortUnit::Any) => true,
            (PortUnit::Of(own), PortUnit::Of(unit)) => {
                let series = supply.representation == Some(Representation::Series);
                let converter = self.registry.find("unit-conversion");
                let converts =
                    converter.is_some_and(|n| out_of_use(n, self.task, self.situation).is_none());
                own == unit || (series || grids || converts) && own.check_convertible(unit).is_ok()
            }
            (own, unit) => own == unit || grids,
        };
        let nothing_asked = wanted.space == Support::Point && wanted.time == Support::Static;
        let supports = supply.supports.is_none_or(|(space, time)| {
            nothing_asked || grids || in_space(space, wanted.space) && in_time(time, wanted.time)
        });
        is_kind_of(&supply.variable, &wanted.variable) && form && unit && supports
    }

    /// Stages that come before the answer, itself included, in their order.
    pub fn needed(&self) -> Vec<&'a str> {
        let wanted = &self.task.output.kind.variable;
        let stages = &self.card.stages;
        let last = stages
            .iter()
            .rposition(|stage| is_kind_of(&stage.gives, wanted));
        let upto = last.map_or(0, |last| last + 1);
        stages[..upto]
            .iter()
            .map(|stage| stage.name.as_str())
            .collect()
    }

    /// Why the card's promise falls short of the contract, before anything is planned.
    pub fn promise(&self) -> Option<&'static str> {
        let year = self.task.decision_time.to_string();
        let year: u16 = year.get(..4).and_then(|y| y.parse().ok()).unwrap_or(0);
        if self.card.unavailable.is_some() {
            return Some("unavailable");
        }
        if self
            .card
            .published()
            .is_some_and(|published| published > year)
        {
            return Some("published");
        }
        if self.needed().is_empty() {
            return Some("variable");
        }
        let mut own = self.card.stages.iter();
        let in_order = self
            .task
            .output
            .stages
            .iter()
            .all(|wanted| own.any(|stage| stage.name == *wanted));
        (!in_order).then_some("stages")
    }

    /// Whether the route could be run at best.
    pub fn reaches(&self) -> bool {
        let stages = self.needed();
        self.promise().is_none()
            && stages.iter().all(|name| self.stages.contains(*name))
            && self.has(&self.task.output.kind)
    }

    /// Calls that are needed at least: one for each stage that has not been run, and one more
    /// where an input that no stage gives is not at hand.
    pub fn least_calls(&self) -> u64 {
        let held = &self.situation.held;
        let needed = self.needed();
        let stages = self.card.stages.iter();
        let open: Vec<_> = stages
            .filter(|stage| needed.contains(&stage.name.as_str()))
            .filter(|stage| {
                let by =
                    |by: &Option<String>| by.as_ref().is_some_and(|b| stage.any_of.contains(b));
                !held.values().any(|held| by(&held.by))
            })
            .collect();
        let lacks = open.iter().any(|stage| {
            stage.any_of.iter().all(|name| {
                self.registry.find(name).is_some_and(|node| {
                    node.inputs.iter().any(|port| {
                        let fixed = stage.with.contains_key(&port.kind.variable)
                            || stage.with.contains_key(&port.name);
                        let given = self
                            .card
                            .stages
                            .iter()
                            .any(|other| is_kind_of(&other.gives, &port.kind.variable));
                        let at_hand = held.values().any(|held| {
                            is_kind_of(&held.kind.variable, &port.kind.variable)
                                && held.kind.unit == port.kind.unit
                        });
                        port.presence == Needed::Required && !fixed && !given && !at_hand
                    })
                })
            })
        });
        open.len() as u64 + u64::from(lacks)
    }
}
