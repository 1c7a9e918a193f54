//! What a model, a formula or a data set can do, stated so that a program can check it: typed
//! ports, the range it holds in, what says so, what it costs.

use serde::{Deserialize, Serialize, Serializer};

use crate::grid::Grid;
use crate::quantity::{Quantity, Unit};
use crate::series::{Feature, Series};
use crate::trees::TreeModel;

/// The kinds of capability.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CapabilityKind {
    /// Observations or derived layers that can be read.
    Dataset,
    /// A closed formula or a table.
    Formula,
    /// A model that integrates in time or space.
    NumericalModel,
    /// A model whose parameters were trained from data.
    LearnedModel,
    /// A change of representation, with the loss it causes.
    Transformation,
    /// A chain of capabilities whose ports fit.
    Coupling,
}

/// A publication, and the place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Citation {
    /// Authors by family name.
    pub authors: &'static str,
    /// Year.
    pub year: u16,
    /// DOI, or the address where a publication has none.
    pub doi: &'static str,
    /// Equation, table, section or page.
    pub place: &'static str,
}

impl std::fmt::Display for Citation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} {}, {}, {}",
            self.authors, self.year, self.place, self.doi
        )
    }
}

/// What a value stands for in space or time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Support {
    /// A point or an instrument.
    Point,
    /// A drainage basin above its outlet.
    Basin,
    /// A cell of a grid.
    Cell,
    /// A soil profile or a slab below a point.
    Column,
    /// A whole event.
    Event,
    /// A storm.
    Storm,
    /// A moment.
    Instant,
    /// A stretch of time that the port's variable names.
    Interval,
    /// Many years.
    Climate,
    /// Does not change in the time that matters.
    Static,
}

/// What a port takes or gives.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PortKind {
    /// A number; the physical limits are in the same unit, and beyond them no such thing exists.
    Number {
        /// Unit in which the capability counts.
        unit: &'static str,
        /// Lowest value that can be.
        lowest: f64,
        /// Highest value that can be.
        highest: f64,
    },
    /// One of a list of words.
    Label {
        /// The words.
        one_of: &'static [&'static str],
    },
    /// Numbers at equal steps of time.
    Series {
        /// Unit in which the capability counts.
        unit: &'static str,
    },
    /// A grid.
    Grid {
        /// Unit of the cells.
        unit: &'static str,
    },
    /// Shapes with properties.
    Features,
    /// A trained sum of trees.
    Trees {
        /// Names of the features that it must have been trained on, in this order.
        features: &'static [&'static str],
    },
}

/// Whether a port must be given.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// It must be.
    Required,
    /// It may be left out.
    Optional,
    /// It may be left out, and this number stands for it.
    Default(f64),
}

/// One input or output.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Port {
    /// Name in JSON.
    pub name: &'static str,
    /// What is measured, in field words.
    pub variable: &'static str,
    /// What kind of value.
    pub kind: PortKind,
    /// What it stands for in space.
    pub space: Support,
    /// What it stands for in time.
    pub time: Support,
    /// Resolution at which the capability was calibrated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<&'static str>,
    /// What is known about its uncertainty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncertainty: Option<&'static str>,
    /// Whether it must be given.
    pub presence: Presence,
}

impl Port {
    /// A number that must be given.
    pub const fn number(
        name: &'static str,
        variable: &'static str,
        unit: &'static str,
        lowest: f64,
        highest: f64,
    ) -> Port {
        Port::of(
            name,
            variable,
            PortKind::Number {
                unit,
                lowest,
                highest,
            },
        )
    }

    /// A word that must be given.
    pub const fn label(
        name: &'static str,
        variable: &'static str,
        one_of: &'static [&'static str],
    ) -> Port {
        Port::of(name, variable, PortKind::Label { one_of })
    }

    /// Numbers along time that must be given.
    pub const fn series(name: &'static str, variable: &'static str, unit: &'static str) -> Port {
        Port::of(name, variable, PortKind::Series { unit })
    }

    /// A grid that must be given.
    pub const fn grid(name: &'static str, variable: &'static str, unit: &'static str) -> Port {
        Port {
            space: Support::Cell,
            ..Port::of(name, variable, PortKind::Grid { unit })
        }
    }

    /// Shapes that must be given.
    pub const fn features(name: &'static str, variable: &'static str) -> Port {
        Port::of(name, variable, PortKind::Features)
    }

    /// A trained sum of trees that must be given.
    pub const fn trees(
        name: &'static str,
        variable: &'static str,
        features: &'static [&'static str],
    ) -> Port {
        Port::of(name, variable, PortKind::Trees { features })
    }

    const fn of(name: &'static str, variable: &'static str, kind: PortKind) -> Port {
        Port {
            name,
            variable,
            kind,
            space: Support::Point,
            time: Support::Static,
            resolution: None,
            uncertainty: None,
            presence: Presence::Required,
        }
    }

    /// The same port for another support.
    pub const fn over(self, space: Support, time: Support) -> Port {
        Port {
            space,
            time,
            ..self
        }
    }

    /// The same port with the resolution of its calibration.
    pub const fn at(self, resolution: &'static str) -> Port {
        Port {
            resolution: Some(resolution),
            ..self
        }
    }

    /// The same port with a word on its uncertainty.
    pub const fn uncertain(self, uncertainty: &'static str) -> Port {
        Port {
            uncertainty: Some(uncertainty),
            ..self
        }
    }

    /// The same port, which may be left out.
    pub const fn optional(self) -> Port {
        Port {
            presence: Presence::Optional,
            ..self
        }
    }

    /// The same port, with a number that stands for it when it is left out.
    pub const fn or(self, default: f64) -> Port {
        Port {
            presence: Presence::Default(default),
            ..self
        }
    }

    /// The unit, where the port has one.
    pub fn unit(&self) -> Option<&'static str> {
        match self.kind {
            PortKind::Number { unit, .. } | PortKind::Series { unit } | PortKind::Grid { unit } => {
                Some(unit)
            }
            PortKind::Label { .. } | PortKind::Features | PortKind::Trees { .. } => None,
        }
    }
}

/// What a condition asks of its variable.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Requirement {
    /// A number between two limits, both of them allowed.
    Between {
        /// Lowest.
        lowest: f64,
        /// Highest.
        highest: f64,
        /// Unit of both.
        unit: &'static str,
    },
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// None of these words.
    NoneOf(&'static [&'static str]),
    /// Stated for people; no program can check it from a value.
    Stated,
}

/// Whether a condition stops a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strictness {
    /// A result outside is not the model's.
    Strict,
    /// A result outside is worse, and says so.
    Advisory,
}

/// One condition under which a capability holds, in our words.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Condition {
    /// An input port, or something about the case such as `region`.
    pub variable: &'static str,
    /// What is asked of it.
    pub requirement: Requirement,
    /// The condition in our words.
    pub reading: &'static str,
    /// Whether it stops a run.
    pub strictness: Strictness,
    /// What states it.
    pub citation: Citation,
}

/// What was found about a condition.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// The condition's variable.
    pub variable: String,
    /// The condition in our words.
    pub reading: String,
    /// What is asked of the variable, where a program can check it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// Whether it holds.
    pub status: VerdictStatus,
    /// The value that was judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// Whether it stops a run.
    pub strictness: Strictness,
    /// What states it.
    pub citation: String,
}

/// Whether a condition holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictStatus {
    /// It holds.
    Holds,
    /// It does not.
    Violated,
    /// Nothing is known of its variable.
    Undetermined,
}

/// How long a run takes, roughly, on one core of a laptop.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Cost {
    /// Nanoseconds for one `per`.
    pub nanoseconds: f64,
    /// What is counted.
    pub per: &'static str,
}

/// Whether a capability can be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "status", content = "reason")]
#[non_exhaustive]
pub enum Availability {
    /// It can.
    Available,
    /// It cannot, and why.
    Unavailable(&'static str),
}

/// The registration of a capability.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Capability {
    /// Name for programs, such as `staley-2017-likelihood`.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub function: &'static str,
    /// Its kind.
    pub kind: CapabilityKind,
    /// The track it belongs to, such as `postfire-debris-flow`.
    pub track: &'static str,
    /// What it takes.
    pub inputs: &'static [Port],
    /// What it gives.
    pub outputs: &'static [Port],
    /// When it holds.
    pub conditions: &'static [Condition],
    /// What a run costs.
    pub cost: Cost,
    /// Version of this implementation.
    pub version: &'static str,
    /// Tests that show that it is what it is called.
    pub validation: &'static [&'static str],
    /// Whether it can be run.
    pub availability: Availability,
    /// What it comes from.
    pub citation: Citation,
}

/// A grid with the unit of its cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// The cells.
    pub grid: Grid,
    /// Their unit.
    pub unit: Unit,
}

/// Grids go by file path; in JSON a layer only says what it is.
impl Serialize for Layer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut out = serializer.serialize_struct("Layer", 5)?;
        out.serialize_field("rows", &self.grid.rows())?;
        out.serialize_field("columns", &self.grid.columns())?;
        out.serialize_field("unit", &self.unit)?;
        out.serialize_field("crs", &self.grid.crs)?;
        out.serialize_field("range", &self.grid.range())?;
        out.end()
    }
}

/// A value on a port.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Value {
    /// A number with its unit.
    Quantity(Quantity),
    /// A word.
    Label(String),
    /// Numbers along time.
    Series(Series),
    /// A grid with its unit.
    Layer(Layer),
    /// Shapes with properties.
    Features(Vec<Feature>),
    /// A trained sum of trees.
    Trees(TreeModel),
}

/// What values may be in JSON; grids are read from files by whoever runs a capability.
#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenValue {
    Quantity(Quantity),
    Series(Series),
    Label(String),
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        Ok(match WrittenValue::deserialize(deserializer)? {
            WrittenValue::Quantity(quantity) => Value::Quantity(quantity),
            WrittenValue::Series(series) => Value::Series(series),
            WrittenValue::Label(label) => Value::Label(label),
        })
    }
}
