//! What is known of a case: facts of the task itself, and the artifacts at hand.

use std::collections::HashMap;

use lahar_core::capability::{Layer, Value};
use lahar_core::{Crs, Quantity, Timestamp};

use crate::port::Representation;
use crate::state::{Artifact, State};
use crate::task::{Area, Quality, Task};
use crate::vocabulary;

/// A fact that the task states without an observation.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// A number.
    Number(Quantity),
    /// Words, all of which hold.
    Words(Vec<String>),
}

/// What is known at a state, arranged by variable.
#[derive(Debug)]
pub struct Case<'s> {
    state: &'s State,
    by_variable: HashMap<&'s str, Vec<&'s Artifact>>,
    facts: Vec<(&'static str, Fact)>,
}

impl<'s> Case<'s> {
    /// Arranges a state. Artifacts that are flagged as bad are left out; of the others the best
    /// stand first.
    pub fn of(state: &'s State) -> Case<'s> {
        let mut by_variable: HashMap<&str, Vec<&Artifact>> = HashMap::new();
        for artifact in state.artifacts() {
            if artifact.quality == Quality::Rejected {
                continue;
            }
            let own = artifact.kind.variable.as_str();
            by_variable.entry(own).or_default().push(artifact);
            for general in vocabulary::kinds_of(own) {
                by_variable.entry(general).or_default().push(artifact);
            }
        }
        for artifacts in by_variable.values_mut() {
            artifacts.sort_by(|a, b| a.before(b));
        }
        Case {
            facts: facts(state.task(), &by_variable),
            by_variable,
            state,
        }
    }

    /// The state.
    pub fn state(&self) -> &'s State {
        self.state
    }

    /// Artifacts of a variable, the best first.
    pub fn artifacts(&self, variable: &str) -> &[&'s Artifact] {
        self.by_variable.get(variable).map_or(&[], Vec::as_slice)
    }

    /// What the task itself says of a variable; an observation of it comes first.
    pub fn fact(&self, variable: &str) -> Option<&Fact> {
        let found = self.facts.iter().find(|(name, _)| *name == variable);
        found.map(|(_, fact)| fact)
    }

    /// The facts by variable.
    pub fn facts(&self) -> &[(&'static str, Fact)] {
        &self.facts
    }

    /// Whether a person set a condition aside.
    pub fn is_set_aside(&self, route: &str, condition: &str) -> bool {
        self.set_aside(route, condition).is_some()
    }

    /// A person's decision to set a condition aside.
    pub fn set_aside(&self, route: &str, condition: &str) -> Option<&'s crate::task::Override> {
        let mut decisions = self.state.set_aside().iter();
        decisions.rfind(|decision| decision.condition == condition && decision.route == route)
    }
}

fn year_and_month(time: Timestamp) -> (f64, f64) {
    let text = time.to_string();
    let number = |range: std::ops::Range<usize>| {
        let digits = text.get(range).and_then(|digits| digits.parse().ok());
        digits.unwrap_or(f64::NAN)
    };
    (number(0..4), number(5..7))
}

fn facts(task: &Task, at_hand: &HashMap<&str, Vec<&Artifact>>) -> Vec<(&'static str, Fact)> {
    let mut facts: Vec<(&'static str, Fact)> = Vec::new();
    let number = |value: f64, unit: &str| Quantity::of(value, unit).ok().map(Fact::Number);
    let mut add = |name: &'static str, fact: Option<Fact>| {
        if let Some(fact) = fact
            && !at_hand.contains_key(name)
        {
            facts.push((name, fact));
        }
    };
    let end = task.end();
    if let Some(time) = task.event.time {
        let days = (end.unix() - time.unix()) as f64 / 86_400.0;
        add("time_since_event", number(days, "d"));
        if task.hazards.contains(&lahar_core::Hazard::WILDFIRE) {
            add("time_since_fire", number(days, "d"));
            add("fire_year", number(year_and_month(time).0, "1"));
        }
    }
    add("month", number(year_and_month(task.decision_time).1, "1"));
    let lead = (end.unix() - task.decision_time.unix()) as f64 / 86_400.0;
    add("lead_time", number(lead, "d"));
    let word = |word: &str| Some(Fact::Words(vec![word.to_owned()]));
    add("task_kind", word(task.kind.word()));
    add("task_output", word(&task.output.kind.variable));
    let hazards = task.hazards.iter().map(|h| h.label().to_owned()).collect();
    add("task_hazard", Some(Fact::Words(hazards)));
    let grid = task.output.kind.representation == Representation::Grid;
    add(
        "task_scale",
        match &task.area {
            Area::Point(_) if !grid => word("site"),
            Area::Box(_) => word("regional"),
            _ if grid => word("regional"),
            _ => None,
        },
    );
    let asked = task.output.kind.resolution.clone();
    add(
        "cell_size",
        asked.or_else(|| coarsest(at_hand)).map(Fact::Number),
    );
    facts
}

/// The coarsest cell of the grids at hand whose cells are counted in metres.
fn coarsest(at_hand: &HashMap<&str, Vec<&Artifact>>) -> Option<Quantity> {
    let grids = at_hand.values().flatten();
    let sizes = grids.filter_map(|artifact| match artifact.value.as_ref() {
        Value::Layer(layer) => cell_size(layer),
        _ => None,
    });
    let largest = sizes.max_by(f64::total_cmp)?;
    Quantity::of(largest, "m").ok()
}

/// Side of a grid's cells in metres; none where its coordinates are degrees or not known.
pub fn cell_size(layer: &Layer) -> Option<f64> {
    let crs = &layer.grid.crs;
    if matches!(crs, Crs::Unknown) || crs.is_geographic() {
        return None;
    }
    let (x, y) = layer.grid.transform.cell_size()?;
    Some(x.abs().max(y.abs()))
}
