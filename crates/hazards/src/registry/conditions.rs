//! Whether the conditions of a capability hold for a case.

use std::collections::BTreeMap;

use lahar_core::Quantity;
use lahar_core::capability::{
    Capability, Condition, Port, Requirement, Value, Verdict, VerdictStatus,
};

use crate::error::HazardError;

use super::arguments::{Argument, Arguments};

/// The limits of a condition or a port, in the unit of an argument.
pub(super) struct Bounds {
    pub lowest: f64,
    pub highest: f64,
}

impl Bounds {
    /// Whether a value lies inside, a rounding of the last digits aside.
    pub fn holds(&self, value: f64) -> bool {
        let slack = |limit: f64| {
            if limit.is_finite() {
                limit.abs() * 1e-12
            } else {
                0.0
            }
        };
        value >= self.lowest - slack(self.lowest) && value <= self.highest + slack(self.highest)
    }
}

pub(super) fn in_unit(value: f64, from: &str, to: &str) -> f64 {
    let converted = Quantity::of(value, from).and_then(|quantity| quantity.to(to));
    // A test holds every registration to units that convert.
    converted.map_or(f64::NAN, |quantity| quantity.value())
}

pub(super) fn judge(
    condition: &Condition,
    arguments: &Arguments<'_>,
    inputs: &BTreeMap<String, Value>,
) -> Result<Verdict, HazardError> {
    let verdict = |status: VerdictStatus, found: Option<String>| Verdict {
        variable: condition.variable.to_owned(),
        reading: condition.reading.to_owned(),
        asked: asked(&condition.requirement),
        status,
        found,
        strictness: condition.strictness,
        citation: condition.citation.to_string(),
    };
    let judged = |holds: bool, found: String| {
        let status = if holds {
            VerdictStatus::Holds
        } else {
            VerdictStatus::Violated
        };
        verdict(status, Some(found))
    };
    let open = || verdict(VerdictStatus::Undetermined, None);
    let port = arguments
        .capability
        .inputs
        .iter()
        .find(|port| port.name == condition.variable);
    Ok(match condition.requirement {
        Requirement::Between {
            lowest,
            highest,
            unit,
        } => {
            let own = port.and_then(Port::unit).unwrap_or(unit);
            let bounds = Bounds {
                lowest: in_unit(lowest, unit, own),
                highest: in_unit(highest, unit, own),
            };
            match (
                arguments.at(condition.variable),
                inputs.get(condition.variable),
            ) {
                (Argument::Number(value), _) => judged(bounds.holds(*value), shown(*value, own)),
                (Argument::Cells(cells, factor, offset), _) => {
                    let filled = cells.iter().filter(|cell| !cell.is_nan());
                    let outside = filled.filter(|cell| !bounds.holds(*cell * factor + offset));
                    let count = outside.count();
                    judged(
                        count == 0,
                        format!("outside in {count} of {} cells", cells.len()),
                    )
                }
                (_, Some(value)) => {
                    let quantity = stated_quantity(arguments.capability, condition, value)?;
                    let value = quantity.to(unit).map_err(|e| {
                        let name = arguments.capability.name;
                        HazardError::wrong_unit(condition.variable, name, &quantity, &e)
                    })?;
                    let bounds = Bounds { lowest, highest };
                    judged(bounds.holds(value.value()), quantity.to_string())
                }
                _ => open(),
            }
        }
        Requirement::OneOf(words) | Requirement::NoneOf(words) => {
            let wanted = matches!(condition.requirement, Requirement::OneOf(_));
            match inputs.get(condition.variable) {
                Some(Value::Label(word)) => {
                    judged(words.contains(&word.as_str()) == wanted, word.clone())
                }
                _ => open(),
            }
        }
        _ => open(),
    })
}

/// A requirement in words.
fn asked(requirement: &Requirement) -> Option<String> {
    match requirement {
        Requirement::Between {
            lowest,
            highest,
            unit,
        } => Some(format!(
            "{} to {}",
            shown(*lowest, unit),
            shown(*highest, unit)
        )),
        Requirement::OneOf(words) => Some(format!("one of {}", words.join(", "))),
        Requirement::NoneOf(words) => Some(format!("none of {}", words.join(", "))),
        _ => None,
    }
}

/// A quantity that is stated about a case without being a port.
fn stated_quantity(
    capability: &'static Capability,
    condition: &Condition,
    value: &Value,
) -> Result<Quantity, HazardError> {
    let wrong = |found: String, why: String| HazardError::WrongKind {
        port: condition.variable,
        capability: capability.name,
        found,
        why,
    };
    match value {
        Value::Quantity(quantity) => Ok(quantity.clone()),
        Value::Label(text) => text
            .parse()
            .map_err(|error: lahar_core::QuantityError| wrong(text.clone(), error.to_string())),
        _ => Err(wrong(
            "this value".into(),
            "a number with its unit is needed".into(),
        )),
    }
}

pub(super) fn shown(value: f64, unit: &str) -> String {
    Quantity::of(value, unit).map_or_else(|_| value.to_string(), |quantity| quantity.to_string())
}
