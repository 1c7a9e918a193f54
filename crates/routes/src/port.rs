//! What a value on a port is: the type of HazardWeaver's equation 3, field by field.

use lahar_core::capability::{Port, PortKind, Presence, Support, Value};
use lahar_core::{Quantity, Unit};
use serde::{Deserialize, Serialize};

use crate::vocabulary;

/// How a value is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Representation {
    /// One number.
    Number,
    /// One word of a list.
    Word,
    /// Numbers along time.
    Series,
    /// A grid.
    Grid,
    /// Shapes with properties.
    Shapes,
    /// A trained sum of trees.
    Trees,
}

/// The unit of a port.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PortUnit {
    /// Words and shapes have none.
    None,
    /// Any unit; what comes out has the unit that came in.
    Any,
    /// This unit.
    Of(Unit),
}

impl PortUnit {
    /// The unit, where it is a certain one.
    pub fn unit(&self) -> Option<&Unit> {
        match self {
            PortUnit::Of(unit) => Some(unit),
            _ => None,
        }
    }
}

/// What is known of a value's uncertainty.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default,
)]
#[serde(rename_all = "snake_case")]
pub enum UncertaintyKind {
    /// Nothing; as a demand: whatever there is.
    #[default]
    Unstated,
    /// Words about it.
    Note,
    /// An interval or a standard deviation stands beside it.
    Interval,
}

/// Where a value comes from.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default,
)]
#[serde(rename_all = "snake_case")]
pub enum Lineage {
    /// As a demand: from anywhere.
    #[default]
    Any,
    /// Measured, mapped or stated by somebody.
    Observed,
    /// Computed by a capability.
    Derived,
}

/// A type of values: variable, unit, representation, support in space and time, resolution,
/// uncertainty, provenance (HazardWeaver, arXiv:2610.03591, equation 3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PortType {
    /// Variable, a word of [`crate::vocabulary`].
    pub variable: String,
    /// Unit.
    pub unit: PortUnit,
    /// Representation.
    pub representation: Representation,
    /// What it stands for in space.
    pub space: Support,
    /// What it stands for in time.
    pub time: Support,
    /// Length of a cell or step, where it matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Quantity>,
    /// What is known of its uncertainty.
    #[serde(default)]
    pub uncertainty: UncertaintyKind,
    /// Where it comes from.
    #[serde(default)]
    pub lineage: Lineage,
}

impl PortType {
    /// The type of a registered port.
    pub fn of(port: &Port) -> PortType {
        let unit = |text: &str| match text {
            lahar_hazards::registry::ANY_UNIT => PortUnit::Any,
            text => text.parse().map_or(PortUnit::None, PortUnit::Of),
        };
        let (representation, unit) = match port.kind {
            PortKind::Number { unit: text, .. } => (Representation::Number, unit(text)),
            PortKind::Series { unit: text } => (Representation::Series, unit(text)),
            PortKind::Grid { unit: text } => (Representation::Grid, unit(text)),
            PortKind::Features => (Representation::Shapes, PortUnit::None),
            PortKind::Trees { .. } => (Representation::Trees, PortUnit::None),
            _ => (Representation::Word, PortUnit::None),
        };
        PortType {
            variable: vocabulary::of_port(port).to_owned(),
            unit,
            representation,
            space: port.space,
            time: port.time,
            resolution: port.resolution.and_then(|text| text.parse().ok()),
            uncertainty: match port.uncertainty {
                None => UncertaintyKind::Unstated,
                Some(words) if words.contains("interval") => UncertaintyKind::Interval,
                Some(_) => UncertaintyKind::Note,
            },
            lineage: Lineage::Any,
        }
    }
}

/// A port of a capability in the graph.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TypedPort {
    /// Name by which the capability is called.
    pub name: String,
    /// Type.
    #[serde(flatten)]
    pub kind: PortType,
    /// Whether it must be given.
    pub presence: Needed,
}

/// Whether an input must be given.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Needed {
    /// It must be.
    Required,
    /// It may be left out.
    Optional,
    /// It may be left out, and this number stands for it.
    Default(f64),
}

impl TypedPort {
    /// A registered port.
    pub fn of(port: &Port) -> TypedPort {
        TypedPort {
            name: port.name.to_owned(),
            kind: PortType::of(port),
            presence: match port.presence {
                Presence::Required => Needed::Required,
                Presence::Optional => Needed::Optional,
                Presence::Default(number) => Needed::Default(number),
            },
        }
    }
}

/// How a value is written down.
pub fn representation_of(value: &Value) -> Representation {
    match value {
        Value::Quantity(_) => Representation::Number,
        Value::Series(_) => Representation::Series,
        Value::Layer(_) => Representation::Grid,
        Value::Features(_) => Representation::Shapes,
        Value::Trees(_) => Representation::Trees,
        _ => Representation::Word,
    }
}

/// The unit of a value.
pub fn unit_of(value: &Value) -> PortUnit {
    match value {
        Value::Quantity(quantity) => PortUnit::Of(quantity.unit().clone()),
        Value::Series(series) => PortUnit::Of(series.unit.clone()),
        Value::Layer(layer) => PortUnit::Of(layer.unit.clone()),
        _ => PortUnit::None,
    }
}
