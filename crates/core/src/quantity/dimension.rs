//! Dimensions: what kind of thing a unit measures.

use std::fmt;

/// Powers of the base dimensions.
///
/// An angle is a dimension of its own, so that a slope of 30 degrees is never taken for a slope
/// of 30 metres per metre: the way from one to the other is a tangent, not a factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Dimension {
    /// Power of length.
    pub length: i8,
    /// Power of mass.
    pub mass: i8,
    /// Power of time.
    pub time: i8,
    /// Power of temperature.
    pub temperature: i8,
    /// Power of angle.
    pub angle: i8,
}

impl Dimension {
    /// Pure numbers: fractions, counts, ratios.
    pub const NONE: Dimension = Dimension::of(0, 0, 0);
    /// Length.
    pub const LENGTH: Dimension = Dimension::of(1, 0, 0);
    /// Area.
    pub const AREA: Dimension = Dimension::of(2, 0, 0);
    /// Volume.
    pub const VOLUME: Dimension = Dimension::of(3, 0, 0);
    /// Mass.
    pub const MASS: Dimension = Dimension::of(0, 1, 0);
    /// Time.
    pub const TIME: Dimension = Dimension::of(0, 0, 1);
    /// Speed, and rainfall intensity.
    pub const SPEED: Dimension = Dimension::of(1, 0, -1);
    /// Acceleration.
    pub const ACCELERATION: Dimension = Dimension::of(1, 0, -2);
    /// Pressure, and cohesion.
    pub const PRESSURE: Dimension = Dimension::of(-1, 1, -2);
    /// Density.
    pub const DENSITY: Dimension = Dimension::of(-3, 1, 0);
    /// Force per volume, such as the unit weight of soil.
    pub const UNIT_WEIGHT: Dimension = Dimension::of(-2, 1, -2);
    /// Temperature.
    pub const TEMPERATURE: Dimension = Dimension {
        temperature: 1,
        ..Dimension::NONE
    };
    /// Angle.
    pub const ANGLE: Dimension = Dimension {
        angle: 1,
        ..Dimension::NONE
    };

    /// Powers of length, mass and time.
    pub const fn of(length: i8, mass: i8, time: i8) -> Dimension {
        Dimension {
            length,
            mass,
            time,
            temperature: 0,
            angle: 0,
        }
    }

    /// The dimension of a product.
    pub fn times(self, other: Dimension) -> Dimension {
        self.combine(other, 1)
    }

    /// The dimension of a quotient.
    pub fn over(self, other: Dimension) -> Dimension {
        self.combine(other, -1)
    }

    /// The dimension of a power.
    pub fn power(self, exponent: i8) -> Dimension {
        Dimension::NONE.combine(self, exponent)
    }

    fn combine(self, other: Dimension, sign: i8) -> Dimension {
        let sum = |a: i8, b: i8| a.saturating_add(b.saturating_mul(sign));
        Dimension {
            length: sum(self.length, other.length),
            mass: sum(self.mass, other.mass),
            time: sum(self.time, other.time),
            temperature: sum(self.temperature, other.temperature),
            angle: sum(self.angle, other.angle),
        }
    }

    fn powers(self) -> [(&'static str, &'static str, i8); 5] {
        [
            ("length", "m", self.length),
            ("mass", "kg", self.mass),
            ("time", "s", self.time),
            ("temperature", "K", self.temperature),
            ("angle", "rad", self.angle),
        ]
    }

    /// The SI unit, such as `m s^-1`.
    pub fn si_symbol(self) -> String {
        let parts: Vec<String> = self
            .powers()
            .into_iter()
            .filter(|(_, _, power)| *power != 0)
            .map(|(_, unit, power)| match power {
                1 => unit.to_owned(),
                _ => format!("{unit}^{power}"),
            })
            .collect();
        if parts.is_empty() {
            "1".to_owned()
        } else {
            parts.join(" ")
        }
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut above = Vec::new();
        let mut below = Vec::new();
        for (name, _, power) in self.powers() {
            let side = match power {
                0 => continue,
                1.. => &mut above,
                _ => &mut below,
            };
            side.push(match power.unsigned_abs() {
                1 => name.to_owned(),
                power => format!("{name}^{power}"),
            });
        }
        match (above.is_empty(), below.is_empty()) {
            (true, true) => f.write_str("a pure number"),
            (false, true) => f.write_str(&above.join("·")),
            (true, false) => write!(f, "1/{}", below.join("/")),
            (false, false) => write!(f, "{}/{}", above.join("·"), below.join("/")),
        }
    }
}
