//! The terms of a task and of a card: variables, units, contracts, times, budgets.

use std::collections::BTreeMap;

use lahar_core::capability::{Support, Value};
use lahar_core::series::Shape;
use lahar_core::{Quantity, Timing, Unit};

use crate::error::RoutesError;
use crate::fields::Fields;
use crate::port::{Lineage, PortType, PortUnit, Representation, UncertaintyKind};
use crate::vocabulary;

use super::{Budget, Health, OutputContract};

/// Widens a box by a shape.
pub(super) fn widen(bounds: &mut [f64; 4], shape: &Shape) {
    let mut point = |[x, y]: &[f64; 2]| {
        bounds[0] = bounds[0].min(*x);
        bounds[1] = bounds[1].min(*y);
        bounds[2] = bounds[2].max(*x);
        bounds[3] = bounds[3].max(*y);
    };
    match shape {
        Shape::Point(at) => point(at),
        Shape::Line(line) => line.iter().for_each(point),
        Shape::Polygon(rings) => rings.iter().flatten().for_each(point),
        Shape::Many(shapes) => shapes.iter().for_each(|shape| widen(bounds, shape)),
        _ => {}
    }
}

/// An output contract, as tasks and cards write it.
pub(crate) fn output(fields: &Fields<'_, '_>) -> Result<OutputContract, RoutesError> {
    let table = fields.need_table("output", "[output] with at least a variable")?;
    let variable = known_variable(&table, "variable")?;
    let unit = match table.unit("unit")? {
        Some(unit) => {
            check_unit(&table, "unit", &variable, &unit)?;
            PortUnit::Of(unit)
        }
        None => usual_unit(&variable),
    };
    let kind = PortType {
        representation: table.word("representation")?.unwrap_or(match &unit {
            PortUnit::None => Representation::Word,
            _ => Representation::Number,
        }),
        unit,
        ..supports(&table, variable)?
    };
    let contract = OutputContract {
        kind,
        stages: table.texts("stages")?,
    };
    table.finish()?;
    Ok(contract)
}

/// The supports, resolution and uncertainty of a table, with a number as representation.
pub(super) fn supports(table: &Fields<'_, '_>, variable: String) -> Result<PortType, RoutesError> {
    let usual = vocabulary::entry(&variable).and_then(|entry| entry.supports);
    let (space, time) = usual.unwrap_or((Support::Point, Support::Static));
    Ok(PortType {
        variable,
        unit: PortUnit::None,
        representation: Representation::Number,
        space: table.word("support")?.unwrap_or(space),
        time: table.word("time_support")?.unwrap_or(time),
        resolution: table.quantity("resolution")?,
        uncertainty: table
            .word::<UncertaintyKind>("uncertainty")?
            .unwrap_or_default(),
        lineage: table.word::<Lineage>("lineage")?.unwrap_or_default(),
    })
}

/// A variable of the vocabulary.
pub(super) fn known_variable(table: &Fields<'_, '_>, key: &str) -> Result<String, RoutesError> {
    let variable = table.need_text(key, "a variable of the vocabulary")?;
    match vocabulary::entry(&variable) {
        Some(_) => Ok(variable),
        None => Err(table.wrong(
            key,
            format!("there is no variable `{variable}`"),
            vocabulary::hint(&variable),
        )),
    }
}

/// The unit in which a variable is usually counted.
pub(super) fn usual_unit(variable: &str) -> PortUnit {
    let unit = vocabulary::entry(variable).map(|entry| entry.unit.clone());
    match unit.filter(|unit| !unit.is_empty() && unit != lahar_hazards::registry::ANY_UNIT) {
        Some(unit) => unit.parse().map_or(PortUnit::None, PortUnit::Of),
        None => PortUnit::None,
    }
}

/// Refuses a unit that measures something else than the variable.
pub(super) fn check_unit(
    table: &Fields<'_, '_>,
    key: &str,
    variable: &str,
    unit: &Unit,
) -> Result<(), RoutesError> {
    if let PortUnit::Of(usual) = usual_unit(variable)
        && let Err(error) = unit.check_convertible(&usual)
    {
        let next = format!("`{variable}` is counted in such as `{}`", usual.symbol());
        return Err(table.wrong(key, error, next));
    }
    Ok(())
}

/// A number with its unit, or a word.
pub(super) fn single_value(
    table: &Fields<'_, '_>,
    variable: &str,
    unit: Option<Unit>,
) -> Result<Value, RoutesError> {
    if table.shape("value") != Some("string") {
        let number = table.number("value")?.unwrap_or(f64::NAN);
        let unit = match (unit, usual_unit(variable)) {
            (Some(unit), _) => unit,
            // A bare number stands for a number without a dimension, and for nothing else.
            (None, PortUnit::Of(usual))
                if usual.symbol() == "1" || usual.symbol() == "fraction" =>
            {
                usual
            }
            (None, _) => {
                return Err(table.wrong(
                    "value",
                    format!("{number} has no unit"),
                    "write it with its unit, such as \"24 mm/h\", or give `unit`",
                ));
            }
        };
        return Ok(Value::Quantity(Quantity::new(number, unit)));
    }
    let text = table.need_text("value", "a value")?;
    let counted = matches!(usual_unit(variable), PortUnit::Of(_));
    match text.parse::<Quantity>() {
        // Some words look like quantities: a wind measured at `10m`.
        Ok(_) if vocabulary::entry(variable).is_some_and(|entry| entry.unit.is_empty()) => {
            Ok(Value::Label(text))
        }
        Ok(quantity) => {
            check_unit(table, "value", variable, quantity.unit())?;
            Ok(Value::Quantity(quantity))
        }
        Err(error) if counted => Err(table.wrong(
            "value",
            error,
            "write a value and a unit, such as \"24 mm/h\"",
        )),
        Err(_) => Ok(Value::Label(text)),
    }
}

/// When something holds and when it was published.
pub(super) fn timing(table: &Fields<'_, '_>) -> Result<Timing, RoutesError> {
    let published = table.need_time("publication_time", "when it was published, in UTC")?;
    let (from, until) = match table.time("valid_time")? {
        Some(moment) if table.has("valid_from") || table.has("valid_until") => {
            return Err(table.wrong(
                "valid_time",
                format!("it says {moment}, and valid_from or valid_until say it too"),
                "give either valid_time, or both of the others",
            ));
        }
        Some(moment) => (moment, moment),
        None => {
            let from = table.time("valid_from")?.unwrap_or(published);
            (from, table.time("valid_until")?.unwrap_or(from))
        }
    };
    if from > until {
        return Err(table.wrong(
            "valid_until",
            format!("it ends at {until}, before it begins at {from}"),
            "swap the two",
        ));
    }
    Ok(Timing {
        valid_from: from,
        valid_until: until,
        published,
    })
}

/// Health of capabilities.
pub(super) fn health(fields: &Fields<'_, '_>) -> Result<BTreeMap<String, Health>, RoutesError> {
    let Some(table) = fields.table("capabilities")? else {
        return Ok(BTreeMap::new());
    };
    let mut health = BTreeMap::new();
    for name in table.keys() {
        let word = table.need_word(&name, "available, degraded, lost or unknown")?;
        health.insert(name, word);
    }
    Ok(health)
}

/// What may be spent.
pub(super) fn budget(fields: &Fields<'_, '_>) -> Result<Budget, RoutesError> {
    let mut budget = Budget::default();
    let Some(table) = fields.table("budget")? else {
        return Ok(budget);
    };
    for (key, place) in [("seconds", &mut budget.seconds), ("cost", &mut budget.cost)] {
        if let Some(number) = table.number(key)? {
            if number < 0.0 {
                return Err(table.wrong(key, "it is negative", "write 0 or more"));
            }
            *place = number;
        }
    }
    if let Some(steps) = table.number("steps")? {
        if steps < 0.0 || steps.fract() != 0.0 || steps > 1e6 {
            return Err(table.wrong(
                "steps",
                "it is no count of steps",
                "write a whole number from 0 to 1000000",
            ));
        }
        budget.steps = steps as u64;
    }
    table.finish()?;
    Ok(budget)
}
