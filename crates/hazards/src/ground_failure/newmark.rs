//! Displacement of slopes in earthquakes by published regressions on Newmark's sliding block.
//!
//! | function | of | publication |
//! |---|---|---|
//! | [`infinite_slope`] | factor of safety at rest | Jibson, Harp & Michael 2000 |
//! | [`critical_acceleration`] | factor of safety, slope | Newmark 1965 |
//! | [`jibson_2007`], [`jibson_2007_magnitude`], [`jibson_2007_arias`], [`jibson_2007_arias_ratio`] | ratio, magnitude, Arias intensity | Jibson 2007 |
//! | [`jibson_2000`], [`failure_share`] | Arias intensity; displacement | Jibson, Harp & Michael 2000 |
//! | [`ambraseys_menu_1988`] | ratio | Ambraseys & Menu 1988 |
//! | [`rathje_saygili_2009`], [`saygili_rathje_2008`] | ratio, PGA, magnitude or PGV | Rathje & Saygili |
//! | [`bray_travasarou_2007`] | critical acceleration, PGA, magnitude | Bray & Travasarou 2007 |
//! | [`fotopoulou_pitilakis_2015`] | PGA or PGV, magnitude | Fotopoulou & Pitilakis 2015 |

mod fotopoulou_pitilakis;
mod jibson;
mod regressions;

use lahar_core::capability::Citation;
use lahar_core::measure::{Acceleration, Angle, Density, Length, Pressure, Ratio, Speed};

use crate::error::{HazardError, Limit};
pub use fotopoulou_pitilakis::{FotopoulouPitilakis, fotopoulou_pitilakis_2015};
pub use jibson::{
    failure_share, jibson_2000, jibson_2007, jibson_2007_arias, jibson_2007_arias_ratio,
    jibson_2007_magnitude,
};
pub use regressions::{
    ambraseys_menu_1988, bray_travasarou_2007, rathje_saygili_2009, saygili_rathje_2008,
};

macro_rules! citation {
    ($name:ident, $authors:literal, $year:literal, $doi:literal, $place:literal, $doc:literal) => {
        #[doc = $doc]
        pub const $name: Citation = Citation {
            authors: $authors,
            year: $year,
            doi: $doi,
            place: $place,
        };
    };
}

citation!(
    NEWMARK_1965,
    "Newmark",
    1965,
    "doi:10.1680/geot.1965.15.2.139",
    "critical acceleration",
    "Newmark's sliding block."
);
citation!(
    JIBSON_2000,
    "Jibson, Harp & Michael",
    2000,
    "doi:10.1016/S0013-7952(00)00039-9",
    "equations 1, 3 and 5",
    "Factor of safety, displacement and share of failed ground."
);
citation!(
    JIBSON_2007,
    "Jibson",
    2007,
    "doi:10.1016/j.enggeo.2007.01.013",
    "equations 6, 7, 9 and 10",
    "Four regressions."
);
citation!(
    AMBRASEYS_MENU_1988,
    "Ambraseys & Menu",
    1988,
    "doi:10.1002/eqe.4290160704",
    "regression on the ratio of accelerations",
    "One regression."
);
citation!(
    SAYGILI_RATHJE_2008,
    "Saygili & Rathje",
    2008,
    "doi:10.1061/(ASCE)1090-0241(2008)134:6(790)",
    "equation 6 with PGA and PGV",
    "Two ground-motion parameters."
);
citation!(
    RATHJE_SAYGILI_2009,
    "Rathje & Saygili",
    2009,
    "doi:10.5459/bnzsee.42.1.18-27",
    "equation 8",
    "Acceleration and magnitude."
);
citation!(
    BRAY_TRAVASAROU_2007,
    "Bray & Travasarou",
    2007,
    "doi:10.1061/(ASCE)1090-0241(2007)133:4(381)",
    "equation 6 (rigid: period 0)",
    "Rigid case."
);
citation!(
    FOTOPOULOU_PITILAKIS_2015,
    "Fotopoulou & Pitilakis",
    2015,
    "doi:10.1007/s10518-015-9768-4",
    "equations 8, 9, 10 and 12",
    "Four regressions."
);

/// Gravity as the published tables of slope stability round it, in m/s².
const GRAVITY: f64 = 9.81;
const WATER: f64 = 1000.0;

const SLOPE: Limit = Limit::new("slope", "deg", 0.0, 90.0, JIBSON_2000).above_lowest();
const COHESION: Limit = Limit::new("cohesion", "Pa", 0.0, 1e9, JIBSON_2000);
const FRICTION: Limit = Limit::new("friction_angle", "deg", 0.0, 89.0, JIBSON_2000);
const SATURATION: Limit = Limit::new("saturation", "fraction", 0.0, 1.0, JIBSON_2000);
const THICKNESS: Limit = Limit::new("slab_thickness", "m", 0.0, 1000.0, JIBSON_2000).above_lowest();
const DENSITY: Limit = Limit::new("density", "kg m^-3", 0.0, 1e4, JIBSON_2000).above_lowest();
const SAFETY: Limit = Limit::new("factor_of_safety", "fraction", 0.0, 1e9, NEWMARK_1965);
const CRITICAL: Limit =
    Limit::new("critical_acceleration", "g", 0.0, 100.0, NEWMARK_1965).above_lowest();
const PGA: Limit =
    Limit::new("peak_ground_acceleration", "g", 0.0, 10.0, NEWMARK_1965).above_lowest();
const PGV: Limit =
    Limit::new("peak_ground_velocity", "cm/s", 0.0, 2000.0, NEWMARK_1965).above_lowest();
const MAGNITUDE: Limit = Limit::new("magnitude", "Mw", 0.0, 10.0, NEWMARK_1965);
const ARIAS: Limit = Limit::new("arias_intensity", "m/s", 0.0, 200.0, JIBSON_2000).above_lowest();
const DISPLACEMENT: Limit = Limit::new("displacement", "m", 0.0, 1e6, JIBSON_2000);

/// A displacement with the scatter of its regression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Displacement {
    /// Median.
    pub median: Length,
    /// Standard deviation of its natural logarithm, where the publication gives one.
    pub ln_standard_deviation: Option<f64>,
}

impl Displacement {
    fn from_centimetres(value: f64, ln_standard_deviation: Option<f64>) -> Displacement {
        Displacement {
            median: Length::centimetres(value),
            ln_standard_deviation,
        }
    }

    fn from_metres(value: f64) -> Displacement {
        Displacement {
            median: Length::metres(value),
            ln_standard_deviation: None,
        }
    }
}

/// A slope that may slide: a slab of equal thickness on a plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlidingSlab {
    /// Slope of the ground and of the sliding plane.
    pub slope: Angle,
    /// Cohesion.
    pub cohesion: Pressure,
    /// Angle of internal friction.
    pub friction_angle: Angle,
    /// Share of the slab's thickness that is saturated.
    pub saturation: Ratio,
    /// Thickness, measured at right angles to the slope.
    pub thickness: Length,
    /// Density of the slab, without its water.
    pub density: Density,
}

/// Factor of safety of an infinite slope at rest.
///
/// `FS = c / (γ t sin a) + tan φ / tan a - m γw tan φ / (γ tan a)` (Jibson and others 2000,
/// doi:10.1016/S0013-7952(00)00039-9, equation 1), with γ = 9.81 m/s² times the density.
///
/// Inputs: slope more than 0 and at most 90 degrees, cohesion (Pa), friction angle, saturation 0
/// to 1, thickness at right angles to the slope (m), density (kg/m³).
///
/// Output: a ratio; below 1 the slope does not stand.
///
/// Not with a vertical thickness: that form has another cosine. Not where slides are curved.
///
/// ```
/// use lahar_core::measure::*;
/// use lahar_hazards::ground_failure::newmark::*;
/// // Dry sand without cohesion stands at its friction angle.
/// let slab = SlidingSlab {
///     slope: Angle::degrees(30.0),
///     cohesion: Pressure::pascals(0.0),
///     friction_angle: Angle::degrees(30.0),
///     saturation: Ratio::fraction(0.0),
///     thickness: Length::metres(2.4),
///     density: Density::kilograms_per_cubic_metre(1600.0),
/// };
/// assert!((infinite_slope(&slab).unwrap().si() - 1.0).abs() < 1e-12);
/// ```
pub fn infinite_slope(slab: &SlidingSlab) -> Result<Ratio, HazardError> {
    SLOPE.check(slab.slope.to_degrees())?;
    FRICTION.check(slab.friction_angle.to_degrees())?;
    let cohesion = COHESION.check(slab.cohesion.to_pascals())?;
    let saturation = SATURATION.check(slab.saturation.to_fraction())?;
    let thickness = THICKNESS.check(slab.thickness.to_metres())?;
    let weight = GRAVITY * DENSITY.check(slab.density.to_kilograms_per_cubic_metre())?;
    let (sine, tangent) = (slab.slope.si().sin(), slab.slope.si().tan());
    let friction = slab.friction_angle.si().tan();
    Ok(Ratio::fraction(
        cohesion / (weight * thickness * sine) + friction / tangent
            - saturation * GRAVITY * WATER * friction / (weight * tangent),
    ))
}

/// Acceleration at which a slope begins to slide.
///
/// `ac = (FS - 1) g sin a` (Newmark 1965, doi:10.1680/geot.1965.15.2.139); 0 for a slope that
/// does not stand at rest.
///
/// Inputs: factor of safety, angle of the sliding plane (thrust angle). Output: an acceleration.
///
/// Not for slides that rotate on a deep surface, unless the thrust angle is known.
///
/// ```
/// use lahar_core::measure::{Angle, Ratio};
/// use lahar_hazards::ground_failure::newmark::critical_acceleration;
/// let ac = critical_acceleration(Ratio::fraction(1.5), Angle::degrees(30.0)).unwrap();
/// assert!((ac.to_g() - 0.25).abs() < 1e-12);
/// ```
pub fn critical_acceleration(
    factor_of_safety: Ratio,
    slope: Angle,
) -> Result<Acceleration, HazardError> {
    let safety = SAFETY.check(factor_of_safety.to_fraction())?;
    SLOPE.check(slope.to_degrees())?;
    Ok(Acceleration::g((safety - 1.0).max(0.0) * slope.si().sin()))
}

/// Critical acceleration over peak ground acceleration, at most 1: a block that the shaking never
/// moves.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct AccelerationRatio {
    ratio: f64,
    peak: f64,
}

impl AccelerationRatio {
    /// The ratio of two accelerations, both more than 0.
    pub fn new(critical: Acceleration, peak: Acceleration) -> Result<Self, HazardError> {
        let critical = CRITICAL.check(critical.to_g())?;
        let peak = PGA.check(peak.to_g())?;
        Ok(AccelerationRatio {
            ratio: (critical / peak).min(1.0),
            peak,
        })
    }

    /// The same, with a floor under the ratio. No publication asks for one; some programs put it
    /// at 0.05 to keep doubtful slopes from giving large displacements.
    pub fn at_least(self, floor: f64) -> AccelerationRatio {
        AccelerationRatio {
            ratio: self.ratio.max(floor),
            ..self
        }
    }

    /// The number.
    pub fn value(self) -> f64 {
        self.ratio
    }
}

fn base_ten(standard_deviation: f64) -> Option<f64> {
    Some(standard_deviation * std::f64::consts::LN_10)
}

fn power_law(constant: f64, sliding: f64, ratio: f64, r: f64) -> f64 {
    10f64.powf(constant) * (1.0 - r).powf(sliding) * r.powf(ratio)
}

#[cfg(test)]
mod tests;
