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

use lahar_core::capability::Citation;
use lahar_core::measure::{Acceleration, Angle, Density, Length, Pressure, Ratio, Speed};

use crate::error::{HazardError, Limit};

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

/// Newmark displacement from the ratio of accelerations.
///
/// `log D = 0.215 + log[(1 - r)^2.341 r^-1.438]`, D in cm, standard deviation 0.51 (Jibson 2007,
/// doi:10.1016/j.enggeo.2007.01.013, equation 6).
///
/// Input: the ratio r, more than 0. Output: a displacement, 0 at r = 1.
///
/// Not outside magnitudes 5.3 to 7.6, not for soft deep masses that shake of their own.
///
/// ```
/// use lahar_core::measure::Acceleration;
/// use lahar_hazards::ground_failure::newmark::*;
/// let half = AccelerationRatio::new(Acceleration::g(0.1), Acceleration::g(0.2)).unwrap();
/// let d = jibson_2007(half).median.to_centimetres();
/// assert!((d.log10() - (0.215 + (2.341 - 1.438) * 0.5f64.log10())).abs() < 1e-12);
/// ```
pub fn jibson_2007(ratio: AccelerationRatio) -> Displacement {
    let cm = power_law(0.215, 2.341, -1.438, ratio.ratio);
    Displacement::from_centimetres(cm, base_ten(0.51))
}

/// Newmark displacement from the ratio of accelerations and the magnitude.
///
/// `log D = -2.71 + log[(1 - r)^2.335 r^-1.478] + 0.424 M`, D in cm, standard deviation 0.454
/// (Jibson 2007, doi:10.1016/j.enggeo.2007.01.013, equation 7).
///
/// Inputs: the ratio r, the moment magnitude. Output: a displacement.
///
/// Not outside magnitudes 5.3 to 7.6.
///
/// ```
/// use lahar_core::measure::Acceleration;
/// use lahar_hazards::ground_failure::newmark::*;
/// let half = AccelerationRatio::new(Acceleration::g(0.1), Acceleration::g(0.2)).unwrap();
/// let d = jibson_2007_magnitude(half, 6.5).unwrap().median.to_centimetres();
/// assert!((d.log10() - (-2.71 + (2.335 - 1.478) * 0.5f64.log10() + 0.424 * 6.5)).abs() < 1e-12);
/// ```
pub fn jibson_2007_magnitude(
    ratio: AccelerationRatio,
    magnitude: f64,
) -> Result<Displacement, HazardError> {
    let magnitude = MAGNITUDE.check(magnitude)?;
    let cm = power_law(-2.71 + 0.424 * magnitude, 2.335, -1.478, ratio.ratio);
    Ok(Displacement::from_centimetres(cm, base_ten(0.454)))
}

/// Newmark displacement from Arias intensity and critical acceleration.
///
/// `log D = 2.401 log Ia - 3.481 log ac - 3.230`, D in cm, Ia in m/s, ac in g, standard deviation
/// 0.656 (Jibson 2007, doi:10.1016/j.enggeo.2007.01.013, equation 9).
///
/// ```
/// use lahar_core::measure::{Acceleration, Speed};
/// use lahar_hazards::ground_failure::newmark::jibson_2007_arias;
/// let one = Speed::metres_per_second(1.0);
/// let d = jibson_2007_arias(one, Acceleration::g(1.0)).unwrap().median.to_centimetres();
/// assert!((d.log10() + 3.23).abs() < 1e-12);
/// ```
pub fn jibson_2007_arias(
    arias_intensity: Speed,
    critical: Acceleration,
) -> Result<Displacement, HazardError> {
    let arias = ARIAS.check(arias_intensity.to_metres_per_second())?;
    let critical = CRITICAL.check(critical.to_g())?;
    let cm = 10f64.powf(2.401 * arias.log10() - 3.481 * critical.log10() - 3.23);
    Ok(Displacement::from_centimetres(cm, base_ten(0.656)))
}

/// Newmark displacement from Arias intensity and the ratio of accelerations.
///
/// `log D = 0.561 log Ia - 3.833 log r - 1.474`, D in cm, Ia in m/s, standard deviation 0.616
/// (Jibson 2007, doi:10.1016/j.enggeo.2007.01.013, equation 10).
///
/// ```
/// use lahar_core::measure::{Acceleration, Speed};
/// use lahar_hazards::ground_failure::newmark::*;
/// let ratio = AccelerationRatio::new(Acceleration::g(0.02), Acceleration::g(0.2)).unwrap();
/// let d = jibson_2007_arias_ratio(Speed::metres_per_second(1.0), ratio).unwrap();
/// assert!((d.median.to_centimetres().log10() - (3.833 - 1.474)).abs() < 1e-12);
/// ```
pub fn jibson_2007_arias_ratio(
    arias_intensity: Speed,
    ratio: AccelerationRatio,
) -> Result<Displacement, HazardError> {
    let arias = ARIAS.check(arias_intensity.to_metres_per_second())?;
    let cm = 10f64.powf(0.561 * arias.log10() - 3.833 * ratio.ratio.log10() - 1.474);
    Ok(Displacement::from_centimetres(cm, base_ten(0.616)))
}

/// Newmark displacement from Arias intensity and critical acceleration, as first mapped after the
/// Northridge earthquake.
///
/// `log D = 1.521 log Ia - 1.993 log ac - 1.546`, D in cm, Ia in m/s, ac in g (Jibson and others
/// 2000, doi:10.1016/S0013-7952(00)00039-9, equation 3).
///
/// ```
/// use lahar_core::measure::{Acceleration, Speed};
/// use lahar_hazards::ground_failure::newmark::jibson_2000;
/// let d = jibson_2000(Speed::metres_per_second(1.0), Acceleration::g(0.1)).unwrap();
/// assert!((d.median.to_centimetres().log10() - (1.993 - 1.546)).abs() < 1e-12);
/// ```
pub fn jibson_2000(
    arias_intensity: Speed,
    critical: Acceleration,
) -> Result<Displacement, HazardError> {
    let arias = ARIAS.check(arias_intensity.to_metres_per_second())?;
    let critical = CRITICAL.check(critical.to_g())?;
    let cm = 10f64.powf(1.521 * arias.log10() - 1.993 * critical.log10() - 1.546);
    Ok(Displacement::from_centimetres(cm, None))
}

/// Share of mapped cells that slid at a Newmark displacement.
///
/// `P = 0.335 [1 - exp(-0.048 D^1.565)]`, D in cm (Jibson and others 2000,
/// doi:10.1016/S0013-7952(00)00039-9, equation 5).
///
/// Input: a displacement from 0 on. Output: a probability, at most 0.335.
///
/// Not outside southern California: it was fitted on the Northridge earthquake of 1994 alone, on
/// shallow slides that fall apart.
///
/// ```
/// use lahar_core::measure::Length;
/// use lahar_hazards::ground_failure::newmark::failure_share;
/// let share = failure_share(Length::centimetres(1.0)).unwrap().si();
/// assert!((share - 0.335 * (1.0 - f64::exp(-0.048))).abs() < 1e-15);
/// ```
pub fn failure_share(displacement: Length) -> Result<Ratio, HazardError> {
    DISPLACEMENT.check(displacement.to_metres())?;
    let exponent = -0.048 * displacement.to_centimetres().powf(1.565);
    Ok(Ratio::fraction(-0.335 * exponent.exp_m1()))
}

/// Displacement from the ratio of accelerations.
///
/// `log D = 0.90 + log[(1 - r)^2.53 r^-1.09]`, D in cm, standard deviation 0.30 (Ambraseys and
/// Menu 1988, doi:10.1002/eqe.4290160704).
///
/// ```
/// use lahar_core::measure::Acceleration;
/// use lahar_hazards::ground_failure::newmark::*;
/// let half = AccelerationRatio::new(Acceleration::g(0.1), Acceleration::g(0.2)).unwrap();
/// let d = ambraseys_menu_1988(half).median.to_centimetres();
/// assert!((d.log10() - (0.90 + (2.53 - 1.09) * 0.5f64.log10())).abs() < 1e-12);
/// ```
pub fn ambraseys_menu_1988(ratio: AccelerationRatio) -> Displacement {
    let cm = power_law(0.90, 2.53, -1.09, ratio.ratio);
    Displacement::from_centimetres(cm, base_ten(0.30))
}

fn polynomial(coefficients: [f64; 5], r: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * r + c)
}

/// Displacement from the ratio of accelerations, PGA and magnitude.
///
/// `ln D = 4.89 - 4.85 r - 19.64 r² + 42.49 r³ - 29.06 r⁴ + 0.72 ln PGA + 0.89 (M - 6)`, D in cm,
/// PGA in g, standard deviation `0.732 + 0.789 r - 0.539 r²` (Rathje and Saygili 2009,
/// doi:10.5459/bnzsee.42.1.18-27, equation 8).
///
/// Inputs: the ratio, which brings its PGA; the moment magnitude. Output: a displacement, not 0
/// but small at r = 1, as the polynomial has it.
///
/// ```
/// use lahar_core::measure::Acceleration;
/// use lahar_hazards::ground_failure::newmark::*;
/// let ratio = AccelerationRatio::new(Acceleration::g(0.1), Acceleration::g(1.0)).unwrap();
/// let d = rathje_saygili_2009(ratio, 6.0).unwrap().median.to_centimetres();
/// assert!((d.ln() - (4.89 - 0.485 - 0.1964 + 0.04249 - 0.002906)).abs() < 1e-12);
/// ```
pub fn rathje_saygili_2009(
    ratio: AccelerationRatio,
    magnitude: f64,
) -> Result<Displacement, HazardError> {
    let r = ratio.ratio;
    let ln_cm = polynomial([4.89, -4.85, -19.64, 42.49, -29.06], r)
        + 0.72 * ratio.peak.ln()
        + 0.89 * (MAGNITUDE.check(magnitude)? - 6.0);
    let deviation = 0.732 + 0.789 * r - 0.539 * r * r;
    Ok(Displacement::from_centimetres(ln_cm.exp(), Some(deviation)))
}

/// Displacement from the ratio of accelerations, PGA and PGV.
///
/// `ln D = -1.56 - 4.58 r - 20.84 r² + 44.75 r³ - 30.50 r⁴ - 0.64 ln PGA + 1.55 ln PGV`, D in cm,
/// PGA in g, PGV in cm/s, standard deviation `0.405 + 0.524 r` (Saygili and Rathje 2008,
/// doi:10.1061/(ASCE)1090-0241(2008)134:6(790), equation 6).
///
/// ```
/// use lahar_core::measure::{Acceleration, Speed};
/// use lahar_hazards::ground_failure::newmark::*;
/// let ratio = AccelerationRatio::new(Acceleration::g(0.1), Acceleration::g(1.0)).unwrap();
/// let one = Speed::centimetres_per_second(1.0);
/// let d = saygili_rathje_2008(ratio, one).unwrap().median.to_centimetres();
/// assert!((d.ln() - (-1.56 - 0.458 - 0.2084 + 0.04475 - 0.00305)).abs() < 1e-12);
/// ```
pub fn saygili_rathje_2008(
    ratio: AccelerationRatio,
    peak_velocity: Speed,
) -> Result<Displacement, HazardError> {
    let r = ratio.ratio;
    let velocity = PGV.check(peak_velocity.to_centimetres_per_second())?;
    let ln_cm = polynomial([-1.56, -4.58, -20.84, 44.75, -30.50], r) - 0.64 * ratio.peak.ln()
        + 1.55 * velocity.ln();
    Ok(Displacement::from_centimetres(
        ln_cm.exp(),
        Some(0.405 + 0.524 * r),
    ))
}

/// Displacement of a rigid mass from critical acceleration, PGA and magnitude.
///
/// `ln D = -0.22 - 2.83 ln ac - 0.333 ln² ac + 0.566 ln ac ln PGA + 3.04 ln PGA - 0.244 ln² PGA +
/// 0.278 (M - 7)`, D in cm, accelerations in g, standard deviation 0.66 (Bray and Travasarou 2007,
/// doi:10.1061/(ASCE)1090-0241(2007)133:4(381), equation 6 with period 0).
///
/// ```
/// use lahar_core::measure::Acceleration;
/// use lahar_hazards::ground_failure::newmark::bray_travasarou_2007;
/// let one = Acceleration::g(1.0);
/// let d = bray_travasarou_2007(one, one, 7.0).unwrap().median.to_centimetres();
/// assert!((d.ln() + 0.22).abs() < 1e-12);
/// ```
pub fn bray_travasarou_2007(
    critical: Acceleration,
    peak: Acceleration,
    magnitude: f64,
) -> Result<Displacement, HazardError> {
    let critical = CRITICAL.check(critical.to_g())?.ln();
    let peak = PGA.check(peak.to_g())?.ln();
    let ln_cm = -0.22 - 2.83 * critical - 0.333 * critical * critical
        + 0.566 * critical * peak
        + 3.04 * peak
        - 0.244 * peak * peak
        + 0.278 * (MAGNITUDE.check(magnitude)? - 7.0);
    Ok(Displacement::from_centimetres(ln_cm.exp(), Some(0.66)))
}

/// The four regressions of Fotopoulou and Pitilakis (2015), with what each needs to know.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FotopoulouPitilakis {
    /// Equation 8: PGV, critical acceleration, magnitude.
    A {
        /// Peak ground velocity.
        velocity: Speed,
        /// Critical acceleration.
        critical: Acceleration,
        /// Moment magnitude.
        magnitude: f64,
    },
    /// Equation 9: PGA, critical acceleration, magnitude.
    B {
        /// Peak ground acceleration.
        peak: Acceleration,
        /// Critical acceleration.
        critical: Acceleration,
        /// Moment magnitude.
        magnitude: f64,
    },
    /// Equation 10: ratio, critical acceleration, magnitude.
    C {
        /// The ratio of accelerations.
        ratio: AccelerationRatio,
        /// Critical acceleration.
        critical: Acceleration,
        /// Moment magnitude.
        magnitude: f64,
    },
    /// Equation 12: PGV, ratio, critical acceleration.
    D {
        /// Peak ground velocity.
        velocity: Speed,
        /// The ratio of accelerations.
        ratio: AccelerationRatio,
        /// Critical acceleration.
        critical: Acceleration,
    },
}

/// Displacement by numerical analyses of sandy and clayey slopes.
///
/// `ln D = -9.891 + 1.873 ln PGV - 5.964 ac + 0.285 M` (A),
/// `-2.965 + 2.127 ln PGA - 6.583 ac + 0.535 M` (B),
/// `-10.246 - 2.165 ln r + 7.844 ac + 0.654 M` (C),
/// `-8.360 + 1.873 ln PGV - 0.347 ln r - 5.964 ac` (D), D in m, PGV in cm/s, accelerations in g
/// (Fotopoulou and Pitilakis 2015, doi:10.1007/s10518-015-9768-4, equations 8, 9, 10, 12).
///
/// ```
/// use lahar_core::measure::{Acceleration, Speed};
/// use lahar_hazards::ground_failure::newmark::*;
/// let d = fotopoulou_pitilakis_2015(FotopoulouPitilakis::A {
///     velocity: Speed::centimetres_per_second(1.0),
///     critical: Acceleration::g(0.1),
///     magnitude: 7.0,
/// }).unwrap();
/// assert!((d.median.si().ln() - (-9.891 - 0.5964 + 1.995)).abs() < 1e-12);
/// ```
pub fn fotopoulou_pitilakis_2015(
    equation: FotopoulouPitilakis,
) -> Result<Displacement, HazardError> {
    use FotopoulouPitilakis::{A, B, C, D};
    let speed = |v: Speed| PGV.check(v.to_centimetres_per_second()).map(f64::ln);
    let limit = |a: Acceleration| CRITICAL.check(a.to_g());
    let ln_metres = match equation {
        A {
            velocity,
            critical,
            magnitude,
        } => {
            -9.891 + 1.873 * speed(velocity)? - 5.964 * limit(critical)?
                + 0.285 * MAGNITUDE.check(magnitude)?
        }
        B {
            peak,
            critical,
            magnitude,
        } => {
            -2.965 + 2.127 * PGA.check(peak.to_g())?.ln() - 6.583 * limit(critical)?
                + 0.535 * MAGNITUDE.check(magnitude)?
        }
        C {
            ratio,
            critical,
            magnitude,
        } => {
            -10.246 - 2.165 * ratio.ratio.ln()
                + 7.844 * limit(critical)?
                + 0.654 * MAGNITUDE.check(magnitude)?
        }
        D {
            velocity,
            ratio,
            critical,
        } => {
            -8.360 + 1.873 * speed(velocity)? - 0.347 * ratio.ratio.ln() - 5.964 * limit(critical)?
        }
    };
    Ok(Displacement::from_metres(ln_metres.exp()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_block_that_shaking_never_moves_stays() {
        let still = AccelerationRatio::new(Acceleration::g(0.3), Acceleration::g(0.2)).unwrap();
        assert_eq!(jibson_2007(still).median.si(), 0.0);
        assert_eq!(jibson_2007_magnitude(still, 7.0).unwrap().median.si(), 0.0);
        assert_eq!(ambraseys_menu_1988(still).median.si(), 0.0);
    }

    #[test]
    fn a_slope_over_ninety_degrees_is_refused() {
        let message = critical_acceleration(Ratio::fraction(1.2), Angle::degrees(95.0))
            .unwrap_err()
            .to_string();
        assert!(
            message.contains("`slope` is 95 deg") && message.contains("90 deg"),
            "{message}"
        );
        assert!(AccelerationRatio::new(Acceleration::g(0.1), Acceleration::g(0.0)).is_err());
    }

    proptest! {
        #[test]
        fn stronger_shaking_moves_slopes_further(
            critical in 0.02..0.4f64, peak in 0.05..1.0f64, factor in 1.0..2.0f64,
            magnitude in 5.3..7.6f64,
        ) {
            let ratio = |peak: f64| {
                AccelerationRatio::new(Acceleration::g(critical), Acceleration::g(peak)).unwrap()
            };
            let (here, more) = (ratio(peak), ratio(peak * factor));
            prop_assert!(jibson_2007(more).median >= jibson_2007(here).median);
            let with = |r| jibson_2007_magnitude(r, magnitude).unwrap().median;
            prop_assert!(with(more) >= with(here));
            let share = |r| failure_share(jibson_2007(r).median).unwrap().si();
            prop_assert!(share(more) >= share(here) && (0.0..=0.335).contains(&share(more)));
        }
    }
}
