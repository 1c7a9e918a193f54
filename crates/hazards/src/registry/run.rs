//! Running a capability once or cell by cell, and checking results against physical limits.

use std::collections::BTreeMap;

use serde::Serialize;

use lahar_core::capability::{
    Availability, Capability, Layer, Port, PortKind, Presence, Requirement, Strictness, Value,
    Verdict, VerdictStatus,
};
use lahar_core::series::{Feature, Series};
use lahar_core::{Grid, Quantity, Unit};

use crate::error::HazardError;

use super::Registration;
use super::arguments::{ANY_UNIT, Argument, Arguments, argument};
use super::conditions::{Bounds, in_unit, judge, shown};

/// Computes outputs, in the order of the capability's ports.
pub(crate) type Evaluate = fn(&Arguments<'_>) -> Result<Vec<Output>, HazardError>;

/// How a run goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunOptions {
    /// Whether a run goes on where strict conditions are violated. The verdicts say so.
    pub allow_outside: bool,
}

/// What a run gave.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The capability.
    pub capability: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Results by port.
    pub outputs: BTreeMap<String, Value>,
    /// What was found about each condition.
    pub conditions: Vec<Verdict>,
    /// What was found about each result's physical limits.
    pub checks: Vec<OutputCheck>,
    /// Cells of a grid that have no result, by reason; empty where no grid was given.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub cells_without_result: BTreeMap<String, usize>,
}

impl Report {
    /// Conditions of which nothing is known.
    pub fn undetermined(&self) -> impl Iterator<Item = &Verdict> {
        let open = |verdict: &&Verdict| verdict.status == VerdictStatus::Undetermined;
        self.conditions.iter().filter(open)
    }

    /// Conditions that do not hold.
    pub fn violated(&self) -> impl Iterator<Item = &Verdict> {
        let violated = |verdict: &&Verdict| verdict.status == VerdictStatus::Violated;
        self.conditions.iter().filter(violated)
    }

    /// The number of an output, in the unit of its port.
    pub fn number(&self, port: &str) -> Option<f64> {
        match self.outputs.get(port)? {
            Value::Quantity(quantity) => Some(quantity.value()),
            _ => None,
        }
    }
}

/// Whether a result lies within what can be.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OutputCheck {
    /// The output.
    pub port: &'static str,
    /// What was asked.
    pub rule: String,
    /// Whether it holds.
    pub holds: bool,
}

/// One result of a capability, in the unit of its port.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Output {
    Number(f64),
    /// A number in a unit of its own.
    Quantity(Quantity),
    /// An output that does not exist for these inputs.
    Nothing,
    Word(&'static str),
    /// A grid; its unit is that of the port, or of the first grid that came in.
    Layer(Grid),
    /// A grid in a unit of its own.
    LayerIn(Grid, Unit),
    /// Values along time, in the unit of the first series that came in.
    Series(Series),
    /// Shapes with properties.
    Features(Vec<Feature>),
}

pub(super) fn run(
    registration: &'static Registration,
    inputs: &BTreeMap<String, Value>,
    options: &RunOptions,
) -> Result<Report, HazardError> {
    let capability = &registration.capability;
    if let Availability::Unavailable(reason) = capability.availability {
        return Err(HazardError::Unavailable {
            capability: capability.name,
            reason,
        });
    }
    refuse_unknown_names(capability, inputs)?;
    let mut values = Vec::with_capacity(capability.inputs.len());
    let mut layers: Vec<(&'static str, &Layer)> = Vec::new();
    for port in capability.inputs {
        let value = match (inputs.get(port.name), port.presence) {
            (Some(value), _) => {
                let argument = argument(capability, port, value)?;
                if let (Value::Layer(layer), Argument::Cells(..)) = (value, &argument) {
                    layers.push((port.name, layer));
                }
                argument
            }
            (None, Presence::Default(number)) => Argument::Number(number),
            (None, Presence::Optional) => Argument::Absent,
            (None, Presence::Required) => {
                return Err(HazardError::MissingInput {
                    port: port.name,
                    capability: capability.name,
                    variable: port.variable,
                    unit: port
                        .unit()
                        .map_or(String::new(), |unit| format!(", in `{unit}`")),
                });
            }
        };
        values.push(value);
    }
    if let [(name, first), rest @ ..] = layers.as_slice() {
        for (other, layer) in rest {
            let aligned = first.grid.check_aligned(&layer.grid);
            aligned.map_err(|why| HazardError::Apart {
                one: name,
                other,
                why,
            })?;
        }
    }
    let arguments = Arguments { capability, values };
    let conditions: Vec<Verdict> = capability
        .conditions
        .iter()
        .map(|condition| judge(condition, &arguments, inputs))
        .collect::<Result<_, _>>()?;
    let stops = |verdict: &&Verdict| {
        verdict.status == VerdictStatus::Violated && verdict.strictness == Strictness::Strict
    };
    let stopping: Vec<Verdict> = conditions.iter().filter(stops).cloned().collect();
    if !stopping.is_empty() && !options.allow_outside && layers.is_empty() {
        return Err(HazardError::OutsideValidity {
            capability: capability.name,
            verdicts: stopping,
        });
    }
    let mut report = Report {
        capability: capability.name,
        version: capability.version,
        outputs: BTreeMap::new(),
        conditions,
        checks: Vec::new(),
        cells_without_result: BTreeMap::new(),
    };
    match layers.first() {
        None => run_once(registration, &arguments, inputs, &mut report)?,
        Some((_, layer)) => run_cells(registration, arguments, layer, options, &mut report)?,
    }
    Ok(report)
}

fn refuse_unknown_names(
    capability: &'static Capability,
    inputs: &BTreeMap<String, Value>,
) -> Result<(), HazardError> {
    let known: Vec<&str> = capability
        .inputs
        .iter()
        .map(|port| port.name)
        .chain(
            capability
                .conditions
                .iter()
                .map(|condition| condition.variable),
        )
        .collect();
    match inputs.keys().find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => Err(HazardError::UnknownInput {
            capability: capability.name,
            name: name.clone(),
            known: {
                let mut known = known;
                known.dedup();
                known.join(", ")
            },
        }),
    }
}

fn output_bounds(port: &Port) -> Option<Bounds> {
    match port.kind {
        PortKind::Number {
            lowest, highest, ..
        } => Some(Bounds { lowest, highest }),
        _ => None,
    }
}

fn check(port: &'static Port, bounds: &Bounds, holds: bool) -> OutputCheck {
    let unit = port.unit().unwrap_or("1");
    let rule = match bounds.highest.is_finite() {
        true => format!(
            "from {} to {}",
            shown(bounds.lowest, unit),
            shown(bounds.highest, unit)
        ),
        false => format!("from {} on", shown(bounds.lowest, unit)),
    };
    OutputCheck {
        port: port.name,
        rule,
        holds,
    }
}

fn run_once(
    registration: &'static Registration,
    arguments: &Arguments<'_>,
    inputs: &BTreeMap<String, Value>,
    report: &mut Report,
) -> Result<(), HazardError> {
    let came_in = inputs.values().find_map(|value| match value {
        Value::Layer(layer) => Some(layer.unit.clone()),
        _ => None,
    });
    let outputs = (registration.evaluate)(arguments)?;
    for (port, output) in registration.capability.outputs.iter().zip(outputs) {
        let value = match output {
            Output::Nothing => continue,
            Output::Word(word) => Value::Label(word.to_owned()),
            Output::Series(series) => Value::Series(series),
            Output::Features(features) => Value::Features(features),
            Output::Quantity(quantity) => Value::Quantity(quantity),
            Output::LayerIn(grid, unit) => Value::Layer(Layer { grid, unit }),
            Output::Layer(grid) => {
                let stated = port.unit().filter(|unit| *unit != ANY_UNIT);
                let unit = match (stated, &came_in) {
                    (None, Some(unit)) => unit.clone(),
                    (stated, _) => stated.unwrap_or("1").parse().map_err(|error| {
                        HazardError::Contradiction(format!("output `{}`: {error}", port.name))
                    })?,
                };
                Value::Layer(Layer { grid, unit })
            }
            Output::Number(value) => {
                if let (Some(ANY_UNIT), Some(unit)) = (port.unit(), &came_in) {
                    let quantity = Quantity::new(value, unit.clone());
                    let value = Value::Quantity(quantity);
                    report.outputs.insert(port.name.to_owned(), value);
                    continue;
                }
                if let Some(bounds) = output_bounds(port) {
                    report
                        .checks
                        .push(check(port, &bounds, bounds.holds(value)));
                }
                let unit = port.unit().unwrap_or("1");
                let quantity = Quantity::of(value, unit).map_err(|error| {
                    HazardError::Contradiction(format!("output `{}`: {error}", port.name))
                })?;
                Value::Quantity(quantity)
            }
        };
        report.outputs.insert(port.name.to_owned(), value);
    }
    Ok(())
}

/// Runs cell by cell. A cell without data, outside a model's limits, or outside a strict condition
/// gets no result, and the report counts it.
fn run_cells(
    registration: &'static Registration,
    arguments: Arguments<'_>,
    layer: &Layer,
    options: &RunOptions,
    report: &mut Report,
) -> Result<(), HazardError> {
    let capability = &registration.capability;
    let strict: Vec<(usize, Bounds)> = capability
        .conditions
        .iter()
        .filter(|c| c.strictness == Strictness::Strict && !options.allow_outside)
        .filter_map(|condition| {
            let at = capability
                .inputs
                .iter()
                .position(|p| p.name == condition.variable)?;
            let Requirement::Between {
                lowest,
                highest,
                unit,
            } = condition.requirement
            else {
                return None;
            };
            let own = capability.inputs[at].unit()?;
            Some((
                at,
                Bounds {
                    lowest: in_unit(lowest, unit, own),
                    highest: in_unit(highest, unit, own),
                },
            ))
        })
        .collect();
    let count = layer.grid.values().len();
    let mut columns = vec![vec![f64::NAN; count]; capability.outputs.len()];
    let mut holds = vec![true; capability.outputs.len()];
    let mut without: BTreeMap<String, usize> = BTreeMap::new();
    let cells: Vec<(usize, &[f64], f64, f64)> = arguments
        .values
        .iter()
        .enumerate()
        .filter_map(|(at, value)| match value {
            Argument::Cells(cells, factor, offset) => Some((at, *cells, *factor, *offset)),
            _ => None,
        })
        .collect();
    let mut cell = Arguments {
        capability,
        values: arguments.values.clone(),
    };
    for index in 0..count {
        for (at, values, factor, offset) in &cells {
            cell.values[*at] = Argument::Number(values[index] * factor + offset);
        }
        let number = |at: usize| match cell.values[at] {
            Argument::Number(value) => value,
            _ => f64::NAN,
        };
        if cells.iter().any(|(at, ..)| number(*at).is_nan()) {
            *without.entry("no data".to_owned()).or_default() += 1;
            continue;
        }
        if let Some((at, _)) = strict
            .iter()
            .find(|(at, bounds)| !bounds.holds(number(*at)))
        {
            let name = capability.inputs[*at].name;
            *without
                .entry(format!("`{name}` outside a strict condition"))
                .or_default() += 1;
            continue;
        }
        match (registration.evaluate)(&cell) {
            Err(HazardError::OutsideRange { variable, .. }) => {
                *without
                    .entry(format!("`{variable}` outside its limits"))
                    .or_default() += 1;
            }
            Err(error) => return Err(error),
            Ok(outputs) => {
                for (at, (port, output)) in capability.outputs.iter().zip(outputs).enumerate() {
                    let value = match output {
                        Output::Number(value) => value,
                        Output::Nothing
                        | Output::Quantity(_)
                        | Output::Layer(_)
                        | Output::LayerIn(..)
                        | Output::Features(_)
                        | Output::Series(_) => continue,
                        // Classes go into a grid as their place in the port's list, from 1.
                        Output::Word(word) => place(port, word),
                    };
                    if let Some(bounds) = output_bounds(port) {
                        holds[at] &= bounds.holds(value);
                    }
                    columns[at][index] = value;
                }
            }
        }
    }
    for ((port, values), holds) in capability.outputs.iter().zip(columns).zip(holds) {
        if let Some(bounds) = output_bounds(port) {
            report.checks.push(check(port, &bounds, holds));
        }
        let unit: Unit = port.unit().unwrap_or("1").parse().map_err(|error| {
            HazardError::Contradiction(format!("output `{}`: {error}", port.name))
        })?;
        let grid = layer.grid.like(values)?;
        report
            .outputs
            .insert(port.name.to_owned(), Value::Layer(Layer { grid, unit }));
    }
    report.cells_without_result = without;
    Ok(())
}

fn place(port: &Port, word: &str) -> f64 {
    match port.kind {
        PortKind::Label { one_of } => {
            let at = one_of.iter().position(|known| *known == word);
            at.map_or(f64::NAN, |at| at as f64 + 1.0)
        }
        _ => f64::NAN,
    }
}
