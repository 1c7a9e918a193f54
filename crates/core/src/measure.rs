//! Measured values whose unit cannot be mistaken: SI inside, named units at the border.
//!
//! A kernel that takes a [`Speed`] cannot be handed an accumulation; where a type is not enough,
//! the value carries what it needs: wind its height and averaging period, heights their datum,
//! directions their convention.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::quantity::{Dimension, Quantity, QuantityError};

macro_rules! measures {
    ($( $(#[$doc:meta])* $name:ident: $dimension:expr => {
        $( $(#[$unit_doc:meta])* $make:ident / $get:ident = $factor:expr; )*
    } )*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
        pub struct $name(f64);

        impl $name {
            /// From the SI unit.
            #[inline]
            pub const fn from_si(value: f64) -> $name { $name(value) }
            /// In the SI unit.
            #[inline]
            pub const fn si(self) -> f64 { self.0 }
            $(
                $(#[$unit_doc])*
                #[inline]
                pub const fn $make(value: f64) -> $name { $name(value * $factor) }
                /// The number in the unit of the method's name.
                #[inline]
                pub const fn $get(self) -> f64 { self.0 / $factor }
            )*
            /// As a quantity with its SI unit.
            pub fn quantity(self) -> Quantity { Quantity::from_si(self.0, $dimension) }
        }

        impl TryFrom<&Quantity> for $name {
            type Error = QuantityError;

            fn try_from(quantity: &Quantity) -> Result<$name, QuantityError> {
                quantity
                    .convert(&crate::quantity::Unit::si($dimension))
                    .map(|si| $name(si.value()))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { self.quantity().fmt(f) }
        }
    )*};
}

measures! {
    /// A length, a depth of rain, a relief.
    Length: Dimension::LENGTH => {
        /// From metres.
        metres / to_metres = 1.0;
        /// From kilometres.
        kilometres / to_kilometres = 1000.0;
        /// From centimetres.
        centimetres / to_centimetres = 0.01;
        /// From millimetres.
        millimetres / to_millimetres = 0.001;
        /// From feet.
        feet / to_feet = 0.3048;
    }
    /// An area.
    Area: Dimension::AREA => {
        /// From square metres.
        square_metres / to_square_metres = 1.0;
        /// From square kilometres.
        square_kilometres / to_square_kilometres = 1e6;
    }
    /// A volume.
    Volume: Dimension::VOLUME => {
        /// From cubic metres.
        cubic_metres / to_cubic_metres = 1.0;
    }
    /// A span of time.
    Span: Dimension::TIME => {
        /// From seconds.
        seconds / to_seconds = 1.0;
        /// From minutes.
        minutes / to_minutes = 60.0;
        /// From hours.
        hours / to_hours = 3600.0;
        /// From months of a Julian year.
        months / to_months = 365.25 * 86_400.0 / 12.0;
        /// From Julian years.
        years / to_years = 365.25 * 86_400.0;
    }
    /// A speed: of wind, of ground motion, of rain falling on a surface.
    Speed: Dimension::SPEED => {
        /// From metres per second.
        metres_per_second / to_metres_per_second = 1.0;
        /// From centimetres per second, the unit of peak ground velocity.
        centimetres_per_second / to_centimetres_per_second = 0.01;
        /// From millimetres per hour, the unit of rainfall intensity.
        millimetres_per_hour / to_millimetres_per_hour = 0.001 / 3600.0;
    }
    /// An acceleration.
    Acceleration: Dimension::ACCELERATION => {
        /// From metres per second squared.
        metres_per_second_squared / to_metres_per_second_squared = 1.0;
        /// From multiples of the standard acceleration of gravity.
        g / to_g = crate::quantity::unit::STANDARD_GRAVITY;
    }
    /// An angle.
    Angle: Dimension::ANGLE => {
        /// From radians.
        radians / to_radians = 1.0;
        /// From degrees.
        degrees / to_degrees = std::f64::consts::PI / 180.0;
    }
    /// A pressure, a cohesion.
    Pressure: Dimension::PRESSURE => {
        /// From pascals.
        pascals / to_pascals = 1.0;
        /// From kilopascals.
        kilopascals / to_kilopascals = 1000.0;
    }
    /// A mass per volume.
    Density: Dimension::DENSITY => {
        /// From kilograms per cubic metre.
        kilograms_per_cubic_metre / to_kilograms_per_cubic_metre = 1.0;
    }
    /// A pure number: a fraction, a ratio, a slope in metres per metre.
    Ratio: Dimension::NONE => {
        /// From a fraction of one.
        fraction / to_fraction = 1.0;
        /// From percent.
        percent / to_percent = 0.01;
    }
}

/// Over how long a wind was averaged. Winds of different periods are never compared unconverted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum AveragingPeriod {
    /// The highest three-second gust.
    ThreeSecondGust,
    /// One minute, as agencies of the United States report sustained winds.
    OneMinute,
    /// Ten minutes, as the World Meteorological Organization defines sustained winds.
    TenMinutes,
    /// One hour.
    OneHour,
}

/// A wind with the height and period it holds for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceWind {
    /// The speed.
    pub speed: Speed,
    /// Height above ground.
    pub height: Length,
    /// Averaging period.
    pub averaging: AveragingPeriod,
}

/// The surface that heights are counted from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum VerticalDatum {
    /// North American Vertical Datum of 1988.
    Navd88,
    /// National Geodetic Vertical Datum of 1929.
    Ngvd29,
    /// The EGM96 geoid.
    Egm96,
    /// The EGM2008 geoid.
    Egm2008,
    /// The WGS 84 ellipsoid.
    Wgs84Ellipsoid,
    /// Mean lower low water at a station.
    MeanLowerLowWater {
        /// The tide station.
        station: String,
    },
    /// Mean sea level at a station.
    MeanSeaLevel {
        /// The tide station.
        station: String,
    },
}

/// A height with its datum. Two heights of different datums have no difference until one is
/// shifted.
#[derive(Debug, Clone, PartialEq)]
pub struct Elevation {
    /// Height above the datum.
    pub height: Length,
    /// What it is counted from.
    pub datum: VerticalDatum,
}

/// Two heights of different datums were to be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "heights above {0:?} and above {1:?} cannot be compared: shift one to the other's datum first"
)]
pub struct MixedDatum(pub VerticalDatum, pub VerticalDatum);

impl Elevation {
    /// How much higher this is than another height of the same datum.
    pub fn above(&self, other: &Elevation) -> Result<Length, MixedDatum> {
        if self.datum == other.datum {
            Ok(Length::from_si(self.height.si() - other.height.si()))
        } else {
            Err(MixedDatum(self.datum.clone(), other.datum.clone()))
        }
    }
}

/// What a direction means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DirectionConvention {
    /// Clockwise from north, the way something comes from, as winds are reported.
    FromNorthClockwise,
    /// Clockwise from north, the way something goes to, as currents and slope aspects are.
    ToNorthClockwise,
    /// Counter-clockwise from east, the way something goes to, as in mathematics.
    ToEastCounterClockwise,
}

/// A direction with its convention.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Direction {
    /// The angle.
    pub angle: Angle,
    /// What it means.
    pub convention: DirectionConvention,
}

impl Direction {
    /// The same direction in another convention, from 0 to 360 degrees.
    ///
    /// ```
    /// use lahar_core::measure::{Angle, Direction, DirectionConvention::*};
    /// let west_wind = Direction { angle: Angle::degrees(270.0), convention: FromNorthClockwise };
    /// assert_eq!(west_wind.to(ToEastCounterClockwise).angle.to_degrees(), 0.0);
    /// ```
    pub fn to(self, convention: DirectionConvention) -> Direction {
        use DirectionConvention::{FromNorthClockwise, ToEastCounterClockwise, ToNorthClockwise};
        let to_north = |degrees: f64, from: DirectionConvention| match from {
            FromNorthClockwise => degrees + 180.0,
            ToNorthClockwise => degrees,
            ToEastCounterClockwise => 90.0 - degrees,
        };
        let north = to_north(self.angle.to_degrees(), self.convention);
        // The three conventions are their own inverses.
        let degrees = match convention {
            FromNorthClockwise => north - 180.0,
            ToNorthClockwise => north,
            ToEastCounterClockwise => 90.0 - north,
        };
        Direction {
            angle: Angle::degrees(degrees.rem_euclid(360.0)),
            convention,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantity_becomes_a_measure_only_of_its_own_kind() {
        let rain: Quantity = "24 mm/h".parse().unwrap();
        assert!((Speed::try_from(&rain).unwrap().to_millimetres_per_hour() - 24.0).abs() < 1e-12);
        assert!(Length::try_from(&rain).is_err());
        let share = Ratio::try_from(&"35 %".parse().unwrap()).unwrap();
        assert!((share.to_fraction() - 0.35).abs() < 1e-15);
    }

    #[test]
    fn heights_of_different_datums_have_no_difference() {
        let here = Elevation {
            height: Length::metres(3.0),
            datum: VerticalDatum::Navd88,
        };
        let there = Elevation {
            height: Length::metres(1.0),
            datum: VerticalDatum::Ngvd29,
        };
        assert!(here.above(&there).is_err());
        assert_eq!(here.above(&here).unwrap().si(), 0.0);
    }

    #[test]
    fn directions_come_back_through_every_convention() {
        use DirectionConvention::*;
        let all = [FromNorthClockwise, ToNorthClockwise, ToEastCounterClockwise];
        for start in all {
            for middle in all {
                let direction = Direction {
                    angle: Angle::degrees(30.0),
                    convention: start,
                };
                let back = direction.to(middle).to(start);
                assert!((back.angle.to_degrees() - 30.0).abs() < 1e-9);
            }
        }
    }
}
