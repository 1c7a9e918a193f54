//! Units by the names people use, and how they relate to SI.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Dimension, MagnitudeType, QuantityError, Scale};

/// A unit: a name, what it measures, and the way to SI.
///
/// Written as people write it: `mm/h`, `in/h`, `kg m^-3`, `m³`, `degC`, `%g`, `log10(m3)`, `Mw`.
/// `g` is the acceleration of gravity, as ground motions are given; a mass is a `gram`.
/// `month` and `yr` are the Julian year's (30.4375 and 365.25 days).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Unit {
    symbol: String,
    dimension: Dimension,
    factor: f64,
    offset: f64,
    scale: Scale,
}

impl PartialEq for Unit {
    fn eq(&self, other: &Unit) -> bool {
        self.dimension == other.dimension
            && self.factor == other.factor
            && self.offset == other.offset
            && self.scale == other.scale
    }
}

impl Unit {
    /// The SI unit of a dimension.
    pub fn si(dimension: Dimension) -> Unit {
        Unit::linear(dimension.si_symbol(), dimension, 1.0, 0.0)
    }

    fn linear(symbol: impl Into<String>, dimension: Dimension, factor: f64, offset: f64) -> Unit {
        Unit {
            symbol: symbol.into(),
            dimension,
            factor,
            offset,
            scale: Scale::Linear,
        }
    }

    /// The unit as it was written.
    pub fn symbol(&self) -> &str {
        &self.symbol
    }

    /// What it measures.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// The scale its numbers stand on.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Whether numbers in it may be multiplied: no offset, no logarithm, no magnitude.
    pub fn is_multiplicative(&self) -> bool {
        self.scale == Scale::Linear && self.offset == 0.0
    }

    /// A number in this unit, in SI.
    pub fn value_to_si(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value * self.factor + self.offset,
            Scale::Log10 => 10f64.powf(value) * self.factor,
            Scale::NaturalLog => value.exp() * self.factor,
            Scale::Magnitude(_) => value,
        }
    }

    /// A number in SI, in this unit.
    pub fn value_from_si(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => (value - self.offset) / self.factor,
            Scale::Log10 => (value / self.factor).log10(),
            Scale::NaturalLog => (value / self.factor).ln(),
            Scale::Magnitude(_) => value,
        }
    }

    /// Whether numbers in this unit can be expressed in another one.
    pub fn check_convertible(&self, to: &Unit) -> Result<(), QuantityError> {
        let magnitude = |unit: &Unit| match unit.scale {
            Scale::Magnitude(kind) => Some(kind),
            _ => None,
        };
        if self.dimension == to.dimension && magnitude(self) == magnitude(to) {
            return Ok(());
        }
        let named = |unit: &Unit| match magnitude(unit) {
            Some(kind) => format!("magnitude on the {kind} scale"),
            None => unit.dimension.to_string(),
        };
        let pair = [self.dimension, to.dimension];
        let hint = if pair.contains(&Dimension::SPEED) && pair.contains(&Dimension::LENGTH) {
            ": a rainfall intensity is not an accumulation; say over which duration the rain fell"
        } else if pair.contains(&Dimension::ANGLE) && pair.contains(&Dimension::NONE) {
            ": a slope in degrees and a slope in m/m are related by the tangent; convert it first"
        } else if magnitude(self).is_some() || magnitude(to).is_some() {
            ": magnitudes of different scales need a published relation"
        } else {
            ""
        };
        Err(QuantityError::Incompatible {
            from: self.symbol.clone(),
            from_dimension: named(self),
            to: to.symbol.clone(),
            to_dimension: named(to),
            hint: hint.to_owned(),
        })
    }

    fn power(&self, exponent: i8) -> Result<Unit, QuantityError> {
        if exponent != 1 && !self.is_multiplicative() {
            return Err(QuantityError::NotMultiplicative(self.symbol.clone()));
        }
        Ok(Unit {
            dimension: self.dimension.power(exponent),
            factor: self.factor.powi(i32::from(exponent)),
            ..self.clone()
        })
    }
}

const L: Dimension = Dimension::LENGTH;
const T: Dimension = Dimension::TIME;
const M: Dimension = Dimension::MASS;
const FORCE: Dimension = Dimension::of(1, 1, -2);
const ENERGY: Dimension = Dimension::of(2, 1, -2);
const POWER: Dimension = Dimension::of(2, 1, -3);
const HOUR: f64 = 3600.0;
const DAY: f64 = 86_400.0;
const YEAR: f64 = 365.25 * DAY;
const FOOT: f64 = 0.3048;
const POUND: f64 = 0.453_592_37;
/// The acceleration of gravity by definition, in m/s².
pub const STANDARD_GRAVITY: f64 = 9.806_65;

/// Names, what they measure, and their size in SI.
const NAMED: &[(&[&str], Dimension, f64)] = &[
    (
        &["1", "-", "fraction", "ratio", "count"],
        Dimension::NONE,
        1.0,
    ),
    (&["%", "percent"], Dimension::NONE, 0.01),
    (&["m", "metre", "metres", "meter", "meters"], L, 1.0),
    (
        &["km", "kilometre", "kilometres", "kilometer", "kilometers"],
        L,
        1000.0,
    ),
    (
        &[
            "cm",
            "centimetre",
            "centimetres",
            "centimeter",
            "centimeters",
        ],
        L,
        0.01,
    ),
    (
        &[
            "mm",
            "millimetre",
            "millimetres",
            "millimeter",
            "millimeters",
        ],
        L,
        0.001,
    ),
    (&["um", "µm", "μm"], L, 1e-6),
    (&["in", "inch", "inches"], L, 0.0254),
    (&["ft", "foot", "feet"], L, FOOT),
    (&["yd", "yard", "yards"], L, 3.0 * FOOT),
    (&["mi", "mile", "miles"], L, 5280.0 * FOOT),
    (&["nmi"], L, 1852.0),
    (&["s", "sec", "second", "seconds"], T, 1.0),
    (&["min", "minute", "minutes"], T, 60.0),
    (&["h", "hr", "hour", "hours"], T, HOUR),
    (&["d", "day", "days"], T, DAY),
    (&["week", "weeks"], T, 7.0 * DAY),
    (&["month", "months"], T, YEAR / 12.0),
    (&["yr", "year", "years"], T, YEAR),
    (&["kg", "kilogram", "kilograms"], M, 1.0),
    (&["gram", "grams"], M, 1e-3),
    (&["t", "tonne", "tonnes"], M, 1000.0),
    (&["lb", "pound", "pounds"], M, POUND),
    (&["g"], Dimension::ACCELERATION, STANDARD_GRAVITY),
    (&["%g"], Dimension::ACCELERATION, 0.01 * STANDARD_GRAVITY),
    (&["gal", "Gal"], Dimension::ACCELERATION, 0.01),
    (
        &["kt", "kn", "knot", "knots"],
        Dimension::SPEED,
        1852.0 / HOUR,
    ),
    (&["mph"], Dimension::SPEED, 5280.0 * FOOT / HOUR),
    (&["kph", "kmh"], Dimension::SPEED, 1000.0 / HOUR),
    (&["ha", "hectare", "hectares"], Dimension::AREA, 1e4),
    (&["acre", "acres"], Dimension::AREA, 4_046.856_422_4),
    (
        &["L", "l", "litre", "litres", "liter", "liters"],
        Dimension::VOLUME,
        1e-3,
    ),
    (&["cfs"], Dimension::of(3, 0, -1), FOOT * FOOT * FOOT),
    (&["N", "newton", "newtons"], FORCE, 1.0),
    (&["kN"], FORCE, 1e3),
    (&["MN"], FORCE, 1e6),
    (&["lbf"], FORCE, POUND * STANDARD_GRAVITY),
    (&["Pa"], Dimension::PRESSURE, 1.0),
    (&["hPa", "mbar"], Dimension::PRESSURE, 100.0),
    (&["kPa"], Dimension::PRESSURE, 1e3),
    (&["MPa"], Dimension::PRESSURE, 1e6),
    (&["bar"], Dimension::PRESSURE, 1e5),
    (
        &["psi"],
        Dimension::PRESSURE,
        POUND * STANDARD_GRAVITY / (0.0254 * 0.0254),
    ),
    (&["J"], ENERGY, 1.0),
    (&["kJ"], ENERGY, 1e3),
    (&["MJ"], ENERGY, 1e6),
    (&["BTU", "Btu"], ENERGY, 1_055.055_852_62),
    (&["W"], POWER, 1.0),
    (&["kW"], POWER, 1e3),
    (&["MW"], POWER, 1e6),
    (&["Hz"], Dimension::of(0, 0, -1), 1.0),
    (
        &["K", "kelvin", "delta_degC", "delta_K"],
        Dimension::TEMPERATURE,
        1.0,
    ),
    (&["delta_degF"], Dimension::TEMPERATURE, 5.0 / 9.0),
    (&["rad", "radian", "radians"], Dimension::ANGLE, 1.0),
    (
        &["deg", "°", "degree", "degrees"],
        Dimension::ANGLE,
        std::f64::consts::PI / 180.0,
    ),
];

/// Temperatures that count from a zero of their own: names, factor, offset in kelvin.
const TEMPERATURES: &[(&[&str], f64, f64)] = &[
    (&["degC", "°C", "celsius"], 1.0, 273.15),
    (&["degF", "°F", "fahrenheit"], 5.0 / 9.0, 459.67 * 5.0 / 9.0),
];

fn named(name: &str) -> Option<Unit> {
    if let Some((_, dimension, factor)) = NAMED.iter().find(|(names, ..)| names.contains(&name)) {
        return Some(Unit::linear(name, *dimension, *factor, 0.0));
    }
    if let Some((_, factor, offset)) = TEMPERATURES
        .iter()
        .find(|(names, ..)| names.contains(&name))
    {
        return Some(Unit::linear(name, Dimension::TEMPERATURE, *factor, *offset));
    }
    MagnitudeType::ALL
        .into_iter()
        .find(|kind| kind.symbol() == name)
        .map(|kind| Unit {
            scale: Scale::Magnitude(kind),
            ..Unit::linear(name, Dimension::NONE, 1.0, 0.0)
        })
}

impl FromStr for Unit {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Unit, QuantityError> {
        let text = text.trim();
        for (prefix, scale) in [("log10(", Scale::Log10), ("ln(", Scale::NaturalLog)] {
            if let Some(inside) = text.strip_prefix(prefix).and_then(|t| t.strip_suffix(')')) {
                let inside: Unit = inside.parse()?;
                if !inside.is_multiplicative() {
                    return Err(QuantityError::NotMultiplicative(inside.symbol));
                }
                return Ok(Unit {
                    symbol: text.to_owned(),
                    scale,
                    ..inside
                });
            }
        }
        if let Some(unit) = named(text) {
            return Ok(unit);
        }
        let factors = factors(text).ok_or_else(|| unknown(text, text))?;
        let mut product = Unit::linear(text, Dimension::NONE, 1.0, 0.0);
        for (name, exponent) in factors {
            let unit = named(&name).ok_or_else(|| unknown(text, &name))?;
            if !unit.is_multiplicative() {
                return Err(QuantityError::NotMultiplicative(name));
            }
            let unit = unit.power(exponent)?;
            product.dimension = product.dimension.times(unit.dimension);
            product.factor *= unit.factor;
        }
        Ok(product)
    }
}

fn unknown(unit: &str, name: &str) -> QuantityError {
    let close = NAMED
        .iter()
        .flat_map(|(names, ..)| names.iter())
        .find(|known| known.eq_ignore_ascii_case(name) && **known != name);
    QuantityError::UnknownUnit {
        unit: unit.to_owned(),
        hint: match close {
            Some(known) => {
                format!(": write `{known}` for `{name}` (large and small letters differ)")
            }
            None => String::new(),
        },
    }
}

/// Splits `kg m^-3`, `m/s²` or `mm per h` into names and powers.
fn factors(text: &str) -> Option<Vec<(String, i8)>> {
    let mut factors = Vec::new();
    let mut sign = 1;
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        if let Some(behind) = rest.strip_prefix('/').or_else(|| rest.strip_prefix("per ")) {
            if sign == -1 {
                return None;
            }
            (sign, rest) = (-1, behind.trim_start());
            continue;
        }
        if let Some(behind) = rest.strip_prefix(['*', '·', '×']) {
            rest = behind.trim_start();
            continue;
        }
        let is_name = |c: char| c.is_alphabetic() || matches!(c, '_' | '%' | '°');
        let end = rest.find(|c: char| !is_name(c)).unwrap_or(rest.len());
        let (name, mut behind) = if end == 0 {
            rest.split_at_checked(1)?
        } else {
            rest.split_at(end)
        };
        if end == 0 && name != "1" {
            return None;
        }
        let mut exponent = 1;
        if end > 0 {
            (exponent, behind) = power(behind)?;
        }
        factors.push((name.to_owned(), sign * exponent));
        sign = 1;
        rest = behind.trim_start();
    }
    (sign == 1 && !factors.is_empty()).then_some(factors)
}

/// The power written at the start of a text, 1 where none is.
fn power(text: &str) -> Option<(i8, &str)> {
    for (sign, power) in [("⁻¹", -1), ("⁻²", -2), ("⁻³", -3), ("²", 2), ("³", 3)] {
        if let Some(behind) = text.strip_prefix(sign) {
            return Some((power, behind));
        }
    }
    let marked = text.strip_prefix("**").or_else(|| text.strip_prefix('^'));
    let digits = marked.unwrap_or(text);
    let signs = usize::from(digits.starts_with(['-', '+']));
    let end = digits[signs..]
        .find(|c: char| !c.is_ascii_digit())
        .map_or(digits.len(), |e| e + signs);
    if end == signs {
        return (marked.is_none() && signs == 0).then_some((1, text));
    }
    let power: i8 = digits[..end].parse().ok()?;
    (-9..=9).contains(&power).then_some((power, &digits[end..]))
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.symbol)
    }
}

impl From<Unit> for String {
    fn from(unit: Unit) -> String {
        unit.symbol
    }
}

impl TryFrom<String> for Unit {
    type Error = QuantityError;

    fn try_from(text: String) -> Result<Unit, QuantityError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_means_two_units() {
        let mut names: Vec<&str> = NAMED
            .iter()
            .flat_map(|(names, ..)| names.iter().copied())
            .collect();
        names.extend(
            TEMPERATURES
                .iter()
                .flat_map(|(names, ..)| names.iter().copied()),
        );
        names.extend(MagnitudeType::ALL.iter().map(|kind| kind.symbol()));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn the_si_symbol_of_every_unit_is_itself_a_unit() {
        for (names, dimension, _) in NAMED {
            let si: Unit = dimension.si_symbol().parse().unwrap();
            assert_eq!(si, Unit::si(*dimension), "{names:?}");
        }
    }

    #[test]
    fn powers_are_read_in_every_spelling() {
        for text in [
            "m s-2", "m/s2", "m/s^2", "m/s²", "m*s**-2", "m s⁻²", "m per s2",
        ] {
            let unit: Unit = text.parse().unwrap();
            assert_eq!(unit.dimension(), Dimension::ACCELERATION, "{text}");
        }
        for text in ["", "m//s", "m^", "/", "m^99", "2 m", "m-", "()"] {
            assert!(text.parse::<Unit>().is_err(), "{text}");
        }
    }
}
