//! Backward search with cost: how a wanted type can be had from what is at hand.
//!
//! A type is had as an artifact at hand, as an output of a call, or as either of them changed by
//! transformations. Calls nest at most `depth` deep; within that bound every way is looked at and
//! the cheapest is kept, so that a failure is a failure of all of them.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use lahar_core::capability::{CapabilityKind, Support, Value};

use crate::port::{Needed, PortType, PortUnit, Representation};
use crate::state::{Artifact, State};
use crate::task::{Health, Quality};
use crate::trajectory::PortFailure;

use super::compatibility::{Field, mismatches, shown};
use super::registry::{Node, Registry};
use super::transformation::{Change, Pattern, changes};

/// Calls nest at most so deep.
pub const DEPTH: u8 = 5;

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// An artifact at hand.
    Artifact(String),
    /// An output of a call that was planned before, by its index there.
    Earlier(usize, String),
    /// A value that the card fixes.
    Constant(Value),
    /// An output of a call.
    Call(Rc<Planned>, String),
    /// Another source, changed.
    Changed(Rc<Source>, Box<Change>),
}

/// One call with its inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    /// Index of the node.
    pub node: usize,
    /// Inputs by port.
    pub inputs: BTreeMap<String, Source>,
    /// Whether it is run cell by cell on grids.
    pub lifted: bool,
    /// Cost of it and everything that it needs.
    pub cost: f64,
}

/// A way to have a type.
#[derive(Debug, Clone, PartialEq)]
pub struct Way {
    /// Where it comes from.
    pub source: Source,
    /// Its type.
    pub kind: PortType,
    /// Cost.
    pub cost: f64,
}

/// An output of a call that was planned before.
#[derive(Debug, Clone, PartialEq)]
pub struct Earlier {
    /// Index of the call.
    pub call: usize,
    /// Port.
    pub port: String,
    /// Type.
    pub kind: PortType,
}

/// Whether and why a node may be called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Usable {
    /// It may.
    Yes,
    /// Nobody knows.
    Unknown,
    /// It may not.
    No(String),
}

/// Whether a node may be called at a state.
pub fn usable(node: &Node, state: &State) -> Usable {
    if let Some(why) = &node.unavailable {
        return Usable::No(why.clone());
    }
    let cutoff = state.cutoff().to_string();
    let year: u16 = cutoff
        .get(..4)
        .and_then(|y| y.parse().ok())
        .unwrap_or(u16::MAX);
    if let Some(published) = node.published.filter(|published| *published > year) {
        return Usable::No(format!("published in {published}, after the decision time"));
    }
    match state.health(&node.name) {
        Health::Available | Health::Degraded => Usable::Yes,
        Health::Unknown => Usable::Unknown,
        Health::Lost => Usable::No("it is lost".to_owned()),
    }
}

/// Supports that a transformation carries from its input to its result.
type Supports = Option<(Support, Support)>;

type Key = (usize, usize, bool, u8, Supports);

/// A search over what is at hand.
pub struct Search<'a> {
    registry: &'a Registry,
    artifacts: HashMap<&'a str, Vec<&'a Artifact>>,
    patterns: Vec<Pattern>,
    may: Vec<bool>,
    free: Vec<bool>,
    constants: BTreeMap<String, Value>,
    memo: HashMap<Key, Option<Rc<Way>>>,
}

impl<'a> Search<'a> {
    /// A search at a state. Transformations may stand anywhere, `helpers` too; `unknown` says
    /// whether capabilities of unknown health count.
    pub fn new(
        registry: &'a Registry,
        state: &'a State,
        helpers: &[String],
        unknown: bool,
    ) -> Search<'a> {
        let mut artifacts: HashMap<&str, Vec<&Artifact>> = HashMap::new();
        let mut patterns = Vec::new();
        for artifact in state.artifacts() {
            if artifact.quality == Quality::Rejected {
                continue;
            }
            let own = artifact.kind.variable.as_str();
            artifacts.entry(own).or_default().push(artifact);
            for general in crate::vocabulary::kinds_of(own) {
                artifacts.entry(general).or_default().push(artifact);
            }
            if let (Value::Layer(_), Some(side)) =
                (artifact.value.as_ref(), &artifact.kind.resolution)
                && let Ok(metres) = side.to("m")
            {
                patterns.push(Pattern {
                    id: artifact.id.clone(),
                    metres: metres.value(),
                });
            }
        }
        for list in artifacts.values_mut() {
            list.sort_by(|a, b| a.before(b));
        }
        let may = |node: &Node| match usable(node, state) {
            Usable::Yes => true,
            Usable::Unknown => unknown,
            Usable::No(_) => false,
        };
        let free = |node: &Node| {
            node.kind == CapabilityKind::Transformation || helpers.contains(&node.name)
        };
        Search {
            artifacts,
            patterns,
            may: registry.nodes().iter().map(may).collect(),
            free: registry.nodes().iter().map(free).collect(),
            constants: BTreeMap::new(),
            memo: HashMap::new(),
            registry,
        }
    }

    /// Lets every node stand anywhere in a plan.
    pub fn with_all_free(mut self) -> Search<'a> {
        self.free.iter_mut().for_each(|free| *free = true);
        self
    }

    /// Fixes variables for every call that is planned from now on, such as the duration of the
    /// rain for which a stage works.
    pub fn fix(&mut self, constants: &BTreeMap<String, Value>) {
        if self.constants != *constants {
            self.constants.clone_from(constants);
            self.memo.clear();
        }
    }

    fn constant(&self, port: &crate::port::TypedPort) -> Option<&Value> {
        // By port name for the stage itself is the same as by variable: both name one input.
        self.constants
            .get(&port.kind.variable)
            .or_else(|| self.constants.get(&port.name))
    }

    /// Whether a node may be called.
    pub fn may_call(&self, node: usize) -> bool {
        self.may[node]
    }

    /// Whether all changes of a row may be called.
    fn may_change(&self, row: &[Change]) -> bool {
        row.iter().all(|change| {
            let node = self.registry.index(change.capability);
            node.is_some_and(|node| self.may[node])
        })
    }

    /// A source brought to a wanted type.
    pub fn adapt(
        &self,
        source: Source,
        given: &PortType,
        wanted: &PortType,
        cost: f64,
    ) -> Option<Way> {
        let row = changes(given, wanted, &self.patterns)?;
        if !self.may_change(&row) {
            return None;
        }
        let mut way = Way {
            source,
            kind: given.clone(),
            cost,
        };
        for change in row {
            way = Way {
                kind: change.kind.clone(),
                cost: way.cost + change.cost,
                source: Source::Changed(Rc::new(way.source), Box::new(change)),
            };
        }
        Some(way)
    }

    /// Whether a variable that holds for one duration of the rain may stand for the general one:
    /// only where the rain's duration is fixed or known to be that.
    fn holds_for_the_duration(&self, given: &str, wanted: &str) -> bool {
        let Some(own) = crate::vocabulary::duration_of(given).filter(|_| given != wanted) else {
            return true;
        };
        let fixed = self.constants.get(crate::vocabulary::RAINFALL_DURATION);
        let observed = self
            .artifacts
            .get(crate::vocabulary::RAINFALL_DURATION)
            .and_then(|artifacts| artifacts.first());
        let known = fixed.or_else(|| observed.map(|artifact| artifact.value.as_ref()));
        match known {
            Some(Value::Quantity(duration)) => (duration.si() - own).abs() <= 1e-6 * own,
            _ => false,
        }
    }

    /// The cheapest way to a type from artifacts alone.
    fn at_hand(&self, wanted: &PortType) -> Option<Way> {
        let artifacts = self.artifacts.get(wanted.variable.as_str())?;
        let mut best: Option<Way> = None;
        for (rank, artifact) in artifacts.iter().enumerate() {
            if !self.holds_for_the_duration(&artifact.kind.variable, &wanted.variable) {
                continue;
            }
            let source = Source::Artifact(artifact.id.clone());
            // Between artifacts that fit equally well the better observation is taken.
            let cost = rank as f64 * 1e-6;
            if let Some(way) = self.adapt(source, &artifact.kind, wanted, cost)
                && best.as_ref().is_none_or(|best| way.cost < best.cost)
            {
                best = Some(way);
            }
        }
        best
    }

    /// The cheapest way to a type, with calls nested at most `depth` deep.
    pub fn solve(&mut self, wanted: &PortType, depth: u8) -> Option<Way> {
        let mut best = self.at_hand(wanted);
        if depth == 0 {
            return best;
        }
        let registry = self.registry;
        for (node, port) in registry.producers(&wanted.variable) {
            if !self.may[*node] || !self.free[*node] {
                continue;
            }
            let output = &registry.node(*node).outputs[*port];
            let transforms = registry.node(*node).kind == CapabilityKind::Transformation;
            let supports = transforms.then_some((wanted.space, wanted.time));
            for lifted in [false, true] {
                let Some(given) = lift(&carried(&output.kind, supports), wanted, lifted) else {
                    continue;
                };
                // What cannot be changed into the wanted type need not be planned.
                if changes(&given, wanted, &self.patterns).is_none() {
                    continue;
                }
                let limit = best.as_ref().map_or(f64::INFINITY, |best| best.cost);
                let Some(call) = self.call(*node, lifted, depth - 1, supports, &[], limit) else {
                    continue;
                };
                let cost = call.cost;
                let source = Source::Call(Rc::new(call), output.name.clone());
                if let Some(way) = self.adapt(source, &given, wanted, cost)
                    && way.cost < limit
                {
                    best = Some(way);
                }
            }
        }
        best
    }

    /// The same for an input port, remembered.
    fn solve_port(
        &mut self,
        node: usize,
        port: usize,
        grid: bool,
        depth: u8,
        supports: Supports,
    ) -> Option<Rc<Way>> {
        let key = (node, port, grid, depth, supports);
        if let Some(known) = self.memo.get(&key) {
            return known.clone();
        }
        let kind = carried(&self.registry.node(node).inputs[port].kind, supports);
        let wanted = wanted(&kind, grid);
        let found = self.solve(&wanted, depth).map(Rc::new);
        self.memo.insert(key, found.clone());
        found
    }

    /// Plans a call of a node; none where a required input cannot be had, or where it costs as
    /// much as `limit`.
    pub fn call(
        &mut self,
        node: usize,
        lifted: bool,
        depth: u8,
        supports: Supports,
        earlier: &[Earlier],
        limit: f64,
    ) -> Option<Planned> {
        let registry = self.registry;
        let found = registry.node(node);
        let mut planned = Planned {
            node,
            inputs: BTreeMap::new(),
            lifted,
            cost: found.cost,
        };
        let mut on_grids = false;
        for (at, port) in found.inputs.iter().enumerate() {
            if planned.cost >= limit {
                return None;
            }
            if let Some(value) = self.constant(port) {
                let source = Source::Constant(value.clone());
                planned.inputs.insert(port.name.clone(), source);
                continue;
            }
            let may_lift = lifted && port.kind.representation == Representation::Number;
            let mut way = None;
            for grid in [true, false] {
                if way.is_some() || (grid && !may_lift) {
                    continue;
                }
                let target = wanted(&carried(&port.kind, supports), grid);
                way = match self.earlier_gives(earlier, &target) {
                    // What an earlier stage gives is taken from there and nowhere else.
                    Some(found) => found.map(Rc::new),
                    None if port.presence == Needed::Required => {
                        self.solve_port(node, at, grid, depth, supports)
                    }
                    // What may be left out is taken where it lies at hand.
                    None => self.at_hand(&target).map(Rc::new),
                };
                on_grids |= grid && way.is_some();
            }
            match way {
                Some(way) => {
                    planned.cost += way.cost;
                    planned.inputs.insert(port.name.clone(), way.source.clone());
                }
                None if port.presence == Needed::Required => return None,
                None => {}
            }
        }
        ((on_grids || !lifted) && planned.cost < limit).then_some(planned)
    }

    /// Whether an earlier stage gives a variable, and if so how it fits.
    fn earlier_gives(&self, earlier: &[Earlier], wanted: &PortType) -> Option<Option<Way>> {
        let gives = |earlier: &&Earlier| {
            crate::vocabulary::is_kind_of(&earlier.kind.variable, &wanted.variable)
        };
        let found: Vec<&Earlier> = earlier.iter().filter(gives).collect();
        if found.is_empty() {
            return None;
        }
        let ways = found.into_iter().filter_map(|earlier| {
            let source = Source::Earlier(earlier.call, earlier.port.clone());
            self.adapt(source, &earlier.kind, wanted, 0.0)
        });
        Some(ways.min_by(|a, b| a.cost.total_cmp(&b.cost)))
    }

    /// Why the ports of a node cannot be served: for each required port that cannot, what comes
    /// nearest and the field that does not fit.
    pub fn failures(&mut self, node: usize, earlier: &[Earlier], lifted: bool) -> Vec<PortFailure> {
        let registry = self.registry;
        let found = registry.node(node);
        let mut failures = Vec::new();
        for (at, port) in found.inputs.iter().enumerate() {
            let fixed = self.constant(port).is_some();
            if fixed || port.presence != Needed::Required {
                continue;
            }
            let may_lift = lifted && port.kind.representation == Representation::Number;
            let served = [true, false].into_iter().any(|grid| {
                (!grid || may_lift)
                    && match self.earlier_gives(earlier, &wanted(&port.kind, grid)) {
                        Some(way) => way.is_some(),
                        None => self.solve_port(node, at, grid, DEPTH, None).is_some(),
                    }
            });
            if !served {
                failures.push(self.explain(&found.name, &port.name, &port.kind, earlier));
            }
        }
        failures
    }

    /// What comes nearest to a type, and the field that does not fit.
    pub fn explain(
        &self,
        capability: &str,
        port: &str,
        wanted: &PortType,
        earlier: &[Earlier],
    ) -> PortFailure {
        let artifacts = self.artifacts.get(wanted.variable.as_str());
        let at_hand = artifacts
            .into_iter()
            .flatten()
            .map(|artifact| (format!("`{}`", artifact.id), &artifact.kind));
        let before = earlier
            .iter()
            .filter(|e| crate::vocabulary::is_kind_of(&e.kind.variable, &wanted.variable))
            .map(|e| (format!("an earlier stage's `{}`", e.port), &e.kind));
        let nearest = at_hand
            .chain(before)
            .map(|(name, kind)| (mismatches(kind, wanted), name, kind))
            .min_by_key(|(fields, name, _)| (fields.count(), name.clone()));
        let label = wanted.variable.replace('_', " ");
        let (field, why) = match nearest {
            Some((fields, name, kind)) if !fields.is_empty() => {
                let field = fields.first().unwrap_or(Field::Variable);
                let why = format!(
                    "{name} is at hand, but its {} is {} where {} is needed",
                    field.word(),
                    shown(field, kind),
                    shown(field, wanted)
                );
                (Some(field.word().to_owned()), why)
            }
            Some((_, name, kind))
                if !self.holds_for_the_duration(&kind.variable, &wanted.variable) =>
            {
                let why = format!("{name} is at hand, but for another duration of the rain");
                (Some(Field::Variable.word().to_owned()), why)
            }
            _ => (
                None,
                format!("nothing at hand gives the {label}, and nothing that can be called does"),
            ),
        };
        PortFailure {
            capability: capability.to_owned(),
            port: port.to_owned(),
            variable: wanted.variable.clone(),
            field,
            why,
        }
    }
}

/// A port of a transformation that names no support takes and gives that of its value.
fn carried(kind: &PortType, supports: Supports) -> PortType {
    match supports {
        Some((space, time)) if kind.space == Support::Point && kind.time == Support::Static => {
            PortType {
                space,
                time,
                ..kind.clone()
            }
        }
        _ => kind.clone(),
    }
}

/// The type of an input, as a grid where it is to be run cell by cell.
fn wanted(kind: &PortType, grid: bool) -> PortType {
    match grid {
        false => kind.clone(),
        true => PortType {
            representation: Representation::Grid,
            resolution: None,
            space: Support::Cell,
            ..kind.clone()
        },
    }
}

/// The type of an output, as a grid where the call is run cell by cell; none where that cannot
/// be, or would not help.
pub fn lift(output: &PortType, wanted: &PortType, lifted: bool) -> Option<PortType> {
    let number = output.representation == Representation::Number;
    match lifted {
        false => Some(output.clone()),
        true if wanted.representation == Representation::Grid && number => Some(PortType {
            representation: Representation::Grid,
            space: Support::Cell,
            // Cells are those of the inputs, which are known only when it runs.
            resolution: None,
            ..output.clone()
        }),
        // Words become the number of their place in the port's list.
        true if wanted.representation == Representation::Grid
            && output.representation == Representation::Word =>
        {
            Some(PortType {
                representation: Representation::Grid,
                unit: "1".parse().map_or(PortUnit::None, PortUnit::Of),
                space: Support::Cell,
                resolution: None,
                ..output.clone()
            })
        }
        true => None,
    }
}
