//! Registrations of changes of unit, which lose nothing.

use lahar_core::capability::Port;
use lahar_core::{Quantity, Unit};

use super::registered::{GRID, RESULT, loss, transformation};
use crate::error::HazardError;
use crate::registry::Registration;
use crate::registry::arguments::ANY_UNIT;
use crate::registry::run::Output;

const INF: f64 = f64::INFINITY;
const WANTED: Port = Port::number(
    "to",
    "any number in the unit that is wanted",
    ANY_UNIT,
    -INF,
    INF,
);

fn refuse(error: lahar_core::QuantityError) -> HazardError {
    HazardError::Contradiction(error.to_string())
}

pub(super) const CONVERT: Registration = Registration {
    capability: transformation(
        "unit-conversion",
        "A number in another unit of the same dimension.",
        &[
            Port::number("value", "any number with its unit", ANY_UNIT, -INF, INF),
            WANTED,
        ],
        &[Port::number(
            "result",
            "the number in the unit that is wanted",
            ANY_UNIT,
            -INF,
            INF,
        )],
        &[loss(
            "none beyond the last digit; another dimension, another magnitude scale is refused",
        )],
        &["units_convert_numbers_and_grids_alike"],
    ),
    evaluate: |a| {
        let to = a.quantity("to")?.unit();
        let found = a.quantity("value")?.convert(to).map_err(refuse)?;
        Ok(vec![Output::Quantity(found)])
    },
};

pub(super) const CONVERT_GRID: Registration = Registration {
    capability: transformation(
        "grid-unit-conversion",
        "A grid in another unit of the same dimension.",
        &[
            GRID,
            Port::number(
                "from",
                "any number in the unit of the grid",
                ANY_UNIT,
                -INF,
                INF,
            ),
            WANTED,
        ],
        &[RESULT],
        &[loss(
            "none beyond the last digit; another dimension is refused",
        )],
        &["units_convert_numbers_and_grids_alike"],
    ),
    evaluate: |a| {
        let (from, to): (&Unit, &Unit) = (a.quantity("from")?.unit(), a.quantity("to")?.unit());
        from.check_convertible(to).map_err(refuse)?;
        let change = |value: f64| {
            Quantity::new(value, from.clone())
                .convert(to)
                .map(|q| q.value())
        };
        change(1.0).map_err(refuse)?;
        let found = a
            .grid("grid")?
            .map(|value| change(value).unwrap_or(f64::NAN));
        Ok(vec![Output::LayerIn(found, to.clone())])
    },
};
