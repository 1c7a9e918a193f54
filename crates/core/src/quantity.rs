//! Quantities with units: dimensions are checked, SI stands inside, field units outside.
//!
//! | module | holds |
//! |---|---|
//! | [`dimension`] | what kind of thing is measured: powers of length, mass, time, temperature, angle |
//! | [`mod@unit`] | units by the names people use, and how they relate to SI |
//! | [`scale`] | linear, logarithmic and magnitude scales |
//!
//! ```
//! use lahar_core::Quantity;
//! let rain: Quantity = "1.2 in/h".parse().unwrap();
//! assert!((rain.to("mm/h").unwrap().value() - 30.48).abs() < 1e-12);
//! // An intensity is not an accumulation, and no factor makes it one.
//! assert!(rain.to("mm").is_err());
//! ```

pub mod dimension;
pub mod scale;
pub mod unit;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use dimension::Dimension;
pub use scale::{MagnitudeType, Scale};
pub use unit::Unit;

/// A number with its unit, kept as it was given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Quantity {
    value: f64,
    unit: Unit,
}

/// Why a text is no quantity, or why two quantities do not go together.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QuantityError {
    /// No number stands at the start of the text.
    #[error("`{0}` does not begin with a number: write a value and a unit, such as `1.2 in/h`")]
    NoNumber(String),
    /// A bare number.
    #[error(
        "`{0}` has no unit: write one behind the number, such as `{0} mm/h`, `{0} fraction` or `{0} %`"
    )]
    NoUnit(String),
    /// A unit that is not known.
    #[error("`{unit}` is not a unit Lahar knows{hint}")]
    UnknownUnit {
        /// The unit as written.
        unit: String,
        /// What to write instead, where something comes close.
        hint: String,
    },
    /// Two units measure different things.
    #[error("`{from}` measures {from_dimension}, and `{to}` measures {to_dimension}{hint}")]
    Incompatible {
        /// The unit that was given.
        from: String,
        /// What it measures.
        from_dimension: String,
        /// The unit that was asked for.
        to: String,
        /// What that measures.
        to_dimension: String,
        /// A word on a mistake that is often made here.
        hint: String,
    },
    /// A scale with an offset or a logarithm stands in a product.
    #[error(
        "`{0}` counts from a zero of its own or is a logarithm, so it cannot be multiplied or divided"
    )]
    NotMultiplicative(String),
}

impl Quantity {
    /// A number in a unit.
    pub fn new(value: f64, unit: Unit) -> Quantity {
        Quantity { value, unit }
    }

    /// A number in a unit that is written out.
    pub fn of(value: f64, unit: &str) -> Result<Quantity, QuantityError> {
        Ok(Quantity::new(value, unit.parse()?))
    }

    /// A number in the SI unit of a dimension.
    pub fn from_si(value: f64, dimension: Dimension) -> Quantity {
        Quantity::new(value, Unit::si(dimension))
    }

    /// The number, in the quantity's own unit.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The unit.
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// What is measured.
    pub fn dimension(&self) -> Dimension {
        self.unit.dimension()
    }

    /// The number in SI units; magnitudes keep their own number.
    pub fn si(&self) -> f64 {
        self.unit.value_to_si(self.value)
    }

    /// The same quantity in another unit.
    pub fn convert(&self, unit: &Unit) -> Result<Quantity, QuantityError> {
        self.unit.check_convertible(unit)?;
        if self.unit == *unit {
            return Ok(self.clone());
        }
        Ok(Quantity::new(unit.value_from_si(self.si()), unit.clone()))
    }

    /// The same quantity in another unit that is written out.
    pub fn to(&self, unit: &str) -> Result<Quantity, QuantityError> {
        self.convert(&unit.parse()?)
    }

    /// The sum of two quantities, in the unit of the first.
    pub fn plus(&self, other: &Quantity) -> Result<Quantity, QuantityError> {
        self.multiplicative()?;
        let other = other.convert(&self.unit)?;
        Ok(Quantity::new(self.value + other.value, self.unit.clone()))
    }

    /// The product of two quantities, in SI units.
    pub fn times(&self, other: &Quantity) -> Result<Quantity, QuantityError> {
        self.multiplicative()?;
        other.multiplicative()?;
        let dimension = self.dimension().times(other.dimension());
        Ok(Quantity::from_si(self.si() * other.si(), dimension))
    }

    /// The quotient of two quantities, in SI units.
    pub fn over(&self, other: &Quantity) -> Result<Quantity, QuantityError> {
        self.multiplicative()?;
        other.multiplicative()?;
        let dimension = self.dimension().over(other.dimension());
        Ok(Quantity::from_si(self.si() / other.si(), dimension))
    }

    fn multiplicative(&self) -> Result<(), QuantityError> {
        if self.unit.is_multiplicative() {
            Ok(())
        } else {
            Err(QuantityError::NotMultiplicative(
                self.unit.symbol().to_owned(),
            ))
        }
    }
}

impl FromStr for Quantity {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Quantity, QuantityError> {
        let text = text.trim();
        // The longest beginning that is a number, so that the `e` of `3e4 m` belongs to it.
        let end = text
            .char_indices()
            .map(|(at, c)| at + c.len_utf8())
            .take_while(|&end| {
                text.as_bytes()[..end]
                    .iter()
                    .all(|b| b"0123456789+-.eE".contains(b))
            })
            .filter(|&end| text[..end].parse::<f64>().is_ok())
            .last()
            .ok_or_else(|| QuantityError::NoNumber(text.to_owned()))?;
        let value = text[..end]
            .parse()
            .map_err(|_| QuantityError::NoNumber(text.to_owned()))?;
        let unit = text[end..].trim();
        if unit.is_empty() {
            return Err(QuantityError::NoUnit(text.to_owned()));
        }
        Ok(Quantity::new(value, unit.parse()?))
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", shown(self.value))?;
        match self.unit.symbol() {
            "1" => Ok(()),
            symbol => write!(f, " {symbol}"),
        }
    }
}

/// A number with at most six significant digits, as people read it.
fn shown(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let digits = 5 - value.abs().log10().floor() as i32;
    if !(-12..=12).contains(&digits) {
        return format!("{value:.5e}");
    }
    let scale = 10f64.powi(digits);
    let rounded = (value * scale).round() / scale;
    rounded.to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn converts(text: &str, unit: &str, expected: f64) {
        let quantity: Quantity = text.parse().unwrap();
        let value = quantity.to(unit).unwrap().value();
        assert!(
            (value - expected).abs() <= 1e-12 * expected.abs().max(1e-9),
            "{text} is {value} {unit}, not {expected}"
        );
    }

    #[test]
    fn field_units_become_each_other() {
        converts("1.2 in/h", "mm/h", 30.48);
        converts("60mm/h", "m/s", 60e-3 / 3600.0);
        converts("32 degF", "degC", 0.0);
        converts("-40 °C", "°F", -40.0);
        converts("9 delta_degF", "K", 5.0);
        converts("35 %", "fraction", 0.35);
        converts("12 %g", "m/s²", 0.12 * 9.80665);
        converts("1 acre", "m^2", 4046.8564224);
        converts("100 kt", "mph", 115.07794480235425);
        converts("2 log10(m3)", "m³", 100.0);
        converts("20 kg m-1 s-2", "Pa", 20.0);
        converts("180 deg", "rad", std::f64::consts::PI);
        converts("3e1 km", "mi", 18.641_135_767_120_02);
        converts("1 ft3/s", "m^3 s^-1", 0.028316846592);
    }

    #[test]
    fn an_intensity_is_no_accumulation_and_the_message_says_so() {
        let error = "24 mm/h".parse::<Quantity>().unwrap().to("mm").unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains("length/time") && message.contains("intensity"),
            "{message}"
        );
    }

    #[test]
    fn what_is_no_quantity_is_refused_with_the_next_step() {
        for (text, part) in [
            ("12", "no unit"),
            ("mm/h", "number"),
            ("3 parsecs", "not a unit"),
            ("3 MM/H", "mm"),
            ("1 degC/m", "multiplied"),
        ] {
            let message = text.parse::<Quantity>().unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn magnitudes_of_different_scales_are_never_mixed() {
        let local: Quantity = "5.1 ML".parse().unwrap();
        assert!(local.to("Mw").is_err());
        assert!(local.to("ML").is_ok());
        assert!(local.times(&local).is_err());
    }

    #[test]
    fn algebra_follows_dimensions() {
        let distance: Quantity = "10 km".parse().unwrap();
        let time: Quantity = "2 h".parse().unwrap();
        let speed = distance.over(&time).unwrap();
        assert_eq!(speed.to("km/h").unwrap().value(), 5.0);
        assert!(distance.plus(&time).is_err());
        assert_eq!(
            distance.plus(&"5 m".parse().unwrap()).unwrap().to_string(),
            "10.005 km"
        );
    }

    #[test]
    fn a_quantity_survives_json() {
        let rain: Quantity = "24 mm/h".parse().unwrap();
        let json = serde_json::to_string(&rain).unwrap();
        assert_eq!(json, r#"{"value":24.0,"unit":"mm/h"}"#);
        assert_eq!(serde_json::from_str::<Quantity>(&json).unwrap(), rain);
        assert!(serde_json::from_str::<Quantity>(r#"{"value":1,"unit":"smoot"}"#).is_err());
    }

    proptest! {
        #[test]
        fn there_and_back_is_the_same(value in -1e6..1e6f64, pick in 0usize..6) {
            let (from, to) = [
                ("mm/h", "in/d"), ("degC", "degF"), ("acre", "km2"),
                ("%", "fraction"), ("ft", "m"), ("g", "cm/s2"),
            ][pick];
            let quantity = Quantity::of(value, from).unwrap();
            let back = quantity.to(to).unwrap().to(from).unwrap();
            prop_assert!((back.value() - value).abs() <= 1e-9 * value.abs().max(1.0));
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in ".{0,40}") {
            let _ = text.parse::<Quantity>();
            let _ = format!("1 {text}").parse::<Quantity>();
        }
    }
}
