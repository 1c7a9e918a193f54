//! From values with units to arguments in a capability's own units.

use lahar_core::capability::{Capability, Port, PortKind, Value};
use lahar_core::series::{Feature, Series};
use lahar_core::trees::TreeModel;
use lahar_core::{Grid, Quantity, Unit};

use crate::error::HazardError;

/// Unit of a port that takes any unit, and gives it back.
pub const ANY_UNIT: &str = "*";

/// One input, in the unit of its port.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Argument<'a> {
    Absent,
    Number(f64),
    Word(&'static str),
    Series {
        values: Vec<f64>,
        step_seconds: f64,
    },
    /// Cells that are run one by one, with the factor and offset to the port's unit.
    Cells(&'a [f64], f64, f64),
    /// A grid that the capability takes whole.
    Whole(&'a Grid),
    /// Values along time that the capability takes as they came.
    Along(&'a Series),
    /// A number that the capability takes with the unit it came in.
    AsGiven(Quantity),
    /// Shapes with properties.
    Features(&'a [Feature]),
    /// A trained sum of trees.
    Trees(&'a TreeModel),
}

/// The inputs of a run.
pub(crate) struct Arguments<'a> {
    pub(super) capability: &'static Capability,
    pub(super) values: Vec<Argument<'a>>,
}

impl Arguments<'_> {
    pub(super) fn at(&self, port: &str) -> &Argument<'_> {
        let at = self
            .capability
            .inputs
            .iter()
            .position(|input| input.name == port);
        at.map_or(&Argument::Absent, |at| &self.values[at])
    }

    /// A number; `NaN`, which every kernel refuses by name, where it is absent.
    pub fn number(&self, port: &str) -> f64 {
        self.optional(port).unwrap_or(f64::NAN)
    }

    /// A number that may be absent.
    pub fn optional(&self, port: &str) -> Option<f64> {
        match self.at(port) {
            Argument::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// A word; empty where it is absent.
    pub fn word(&self, port: &str) -> &'static str {
        match self.at(port) {
            Argument::Word(word) => word,
            _ => "",
        }
    }

    /// A grid that is taken whole.
    pub fn grid(&self, port: &'static str) -> Result<&Grid, HazardError> {
        match self.at(port) {
            Argument::Whole(grid) => Ok(grid),
            _ => Err(HazardError::MissingInput {
                port,
                capability: self.capability.name,
                variable: "a grid",
                unit: String::new(),
            }),
        }
    }

    /// A grid that is taken whole, where it is given.
    pub fn optional_grid(&self, port: &str) -> Option<&Grid> {
        match self.at(port) {
            Argument::Whole(grid) => Some(grid),
            _ => None,
        }
    }

    /// A number with the unit it came in.
    pub fn quantity(&self, port: &'static str) -> Result<&Quantity, HazardError> {
        match self.at(port) {
            Argument::AsGiven(quantity) => Ok(quantity),
            _ => Err(HazardError::MissingInput {
                port,
                capability: self.capability.name,
                variable: "a number with its unit",
                unit: String::new(),
            }),
        }
    }

    /// Shapes with properties.
    pub fn features(&self, port: &'static str) -> Result<&[Feature], HazardError> {
        match self.at(port) {
            Argument::Features(features) => Ok(features),
            _ => Err(HazardError::MissingInput {
                port,
                capability: self.capability.name,
                variable: "shapes",
                unit: String::new(),
            }),
        }
    }

    /// A trained sum of trees.
    pub fn trees(&self, port: &'static str) -> Result<&TreeModel, HazardError> {
        match self.at(port) {
            Argument::Trees(model) => Ok(model),
            _ => Err(HazardError::MissingInput {
                port,
                capability: self.capability.name,
                variable: "a file of trained trees",
                unit: String::new(),
            }),
        }
    }

    /// Values along time as they came, whatever their unit.
    pub fn along(&self, port: &'static str) -> Result<&Series, HazardError> {
        match self.at(port) {
            Argument::Along(series) => Ok(series),
            _ => Err(HazardError::MissingInput {
                port,
                capability: self.capability.name,
                variable: "values along time",
                unit: String::new(),
            }),
        }
    }

    /// Values along time and the step between them in seconds.
    pub fn series(&self, port: &str) -> (&[f64], f64) {
        match self.at(port) {
            Argument::Series {
                values,
                step_seconds,
            } => (values, *step_seconds),
            _ => (&[], f64::NAN),
        }
    }
}

pub(super) fn argument<'a>(
    capability: &'static Capability,
    port: &'static Port,
    value: &'a Value,
) -> Result<Argument<'a>, HazardError> {
    let wrong = |found: String, why: &str| HazardError::WrongKind {
        port: port.name,
        capability: capability.name,
        found,
        why: why.to_owned(),
    };
    let convert = |quantity: &Quantity, unit: &str| {
        quantity
            .to(unit)
            .map(|converted| converted.value())
            .map_err(|e| HazardError::wrong_unit(port.name, capability.name, quantity, &e))
    };
    match (port.kind, value) {
        (PortKind::Number { unit: ANY_UNIT, .. }, Value::Quantity(quantity)) => {
            Ok(Argument::AsGiven(quantity.clone()))
        }
        (PortKind::Number { unit: ANY_UNIT, .. }, Value::Label(text)) => text
            .parse()
            .map(Argument::AsGiven)
            .map_err(|error: lahar_core::QuantityError| wrong(text.clone(), &error.to_string())),
        (PortKind::Number { unit, .. }, Value::Quantity(quantity)) => {
            convert(quantity, unit).map(Argument::Number)
        }
        (PortKind::Number { unit, .. }, Value::Label(text)) => {
            let quantity: Quantity = text.parse().map_err(|error: lahar_core::QuantityError| {
                wrong(text.clone(), &error.to_string())
            })?;
            convert(&quantity, unit).map(Argument::Number)
        }
        (PortKind::Number { unit, .. }, Value::Layer(layer)) => {
            let to: Unit = unit.parse().map_err(|error: lahar_core::QuantityError| {
                wrong(unit.into(), &error.to_string())
            })?;
            let one = Quantity::new(1.0, layer.unit.clone());
            layer
                .unit
                .check_convertible(&to)
                .map_err(|e| HazardError::wrong_unit(port.name, capability.name, &one, &e))?;
            // Both units of a layer are linear, so a factor and an offset carry every cell.
            let at = |value: f64| to.value_from_si(layer.unit.value_to_si(value));
            let offset = if layer.unit == to { 0.0 } else { at(0.0) };
            let factor = if layer.unit == to {
                1.0
            } else {
                at(1.0) - offset
            };
            Ok(Argument::Cells(layer.grid.values(), factor, offset))
        }
        (PortKind::Label { one_of }, Value::Label(word)) => {
            let known = one_of.iter().find(|known| *known == word);
            known
                .map(|known| Argument::Word(known))
                .ok_or_else(|| HazardError::UnknownWord {
                    variable: port.name,
                    found: word.clone(),
                    allowed: one_of.join(", "),
                })
        }
        (PortKind::Series { unit: ANY_UNIT }, Value::Series(series)) => Ok(Argument::Along(series)),
        (PortKind::Grid { unit }, Value::Layer(layer)) => {
            if unit != ANY_UNIT {
                let one = Quantity::new(1.0, layer.unit.clone());
                let to: Unit = unit.parse().map_err(|error: lahar_core::QuantityError| {
                    wrong(unit.into(), &error.to_string())
                })?;
                layer
                    .unit
                    .check_convertible(&to)
                    .map_err(|e| HazardError::wrong_unit(port.name, capability.name, &one, &e))?;
                if layer.unit != to {
                    let own = layer.unit.symbol();
                    let why = format!("the grid must be in `{unit}`; convert its cells first");
                    return Err(wrong(format!("a grid in `{own}`"), &why));
                }
            }
            Ok(Argument::Whole(&layer.grid))
        }
        (PortKind::Features, Value::Features(features)) => Ok(Argument::Features(features)),
        (PortKind::Features, _) => Err(wrong(
            "this value".into(),
            "shapes are needed; give a file of them",
        )),
        (PortKind::Trees { features }, Value::Trees(model)) => match model.features() == features {
            true => Ok(Argument::Trees(model)),
            false => Err(wrong(
                format!("trees of {}", model.features().join(", ")),
                &format!("trees of {} are needed, in this order", features.join(", ")),
            )),
        },
        (PortKind::Trees { .. }, _) => Err(wrong(
            "this value".into(),
            "trained trees are needed; give the JSON file of XGBoost or LightGBM",
        )),
        (_, Value::Trees(_)) => Err(wrong("trained trees".into(), "another value is needed")),
        (PortKind::Grid { .. }, _) => {
            Err(wrong("this value".into(), "a grid is needed; give a file"))
        }
        (PortKind::Series { unit }, Value::Series(series)) => {
            let step = convert_step(capability, port, &series.step)?;
            let convert = |value: &f64| {
                Quantity::new(*value, series.unit.clone())
                    .to(unit)
                    .map(|q| q.value())
            };
            let values = series.values.iter().map(convert).collect::<Result<_, _>>();
            let values = values.map_err(|e| {
                let one = Quantity::new(1.0, series.unit.clone());
                HazardError::wrong_unit(port.name, capability.name, &one, &e)
            })?;
            Ok(Argument::Series {
                values,
                step_seconds: step,
            })
        }
        (PortKind::Label { one_of }, _) => Err(wrong(
            "a number".into(),
            &format!("one of these words is needed: {}", one_of.join(", ")),
        )),
        (PortKind::Series { .. }, _) => Err(wrong(
            "a single value".into(),
            "values along time are needed, with their step: {\"values\": [...], \"unit\": ..., \"step\": ...}",
        )),
        (_, Value::Series(_)) => Err(wrong(
            "values along time".into(),
            "a single value is needed",
        )),
        _ => Err(wrong(
            "this value".into(),
            "a number with its unit is needed",
        )),
    }
}

fn convert_step(
    capability: &'static Capability,
    port: &'static Port,
    step: &Quantity,
) -> Result<f64, HazardError> {
    step.to("s")
        .map(|seconds| seconds.value())
        .map_err(|e| HazardError::wrong_unit(port.name, capability.name, step, &e))
}
