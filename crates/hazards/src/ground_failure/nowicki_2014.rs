//! Landslides in earthquakes by Nowicki and others (2014), the first global regression.

use lahar_core::capability::Citation;
use lahar_core::measure::{Acceleration, Angle, Ratio};

use crate::error::{HazardError, Limit, logistic};

/// The publication.
pub const SOURCE: Citation = Citation {
    authors: "Nowicki, Wald, Hamburger, Hearne & Thompson",
    year: 2014,
    doi: "doi:10.1016/j.enggeo.2014.02.002",
    place: "logistic regression, as in the U.S. Geological Survey's code",
};

const PGA: Limit = Limit::new("peak_ground_acceleration", "%g", 0.0, 1000.0, SOURCE);
const SLOPE: Limit = Limit::new("slope", "deg", 0.0, 90.0, SOURCE);
const FRICTION: Limit = Limit::new("friction_angle", "deg", 0.0, 89.0, SOURCE);
const INDEX: Limit = Limit::new("topographic_index", "1", -10.0, 50.0, SOURCE);

/// Highest acceleration the Geological Survey puts into the model, in percent of gravity.
pub const HIGHEST_ACCELERATION: f64 = 170.0;

/// Probability of landslides where an earthquake shook the ground.
///
/// `X = -3.6490 + 0.0133 PGA + 0.0364 s - 0.0635 f - 0.0004 · 100 CTI + 0.0019 PGA s`, PGA in
/// percent of g, at most 170, the slope s and the friction f of the model's map in degrees; `P =
/// e^X / (1 + e^X)` (Nowicki and others 2014, doi:10.1016/j.enggeo.2014.02.002).
///
/// Superseded by [`super::nowicki_jessee_2018`]; not for a single slope.
///
/// ```
/// use lahar_core::measure::{Acceleration, Angle};
/// use lahar_hazards::ground_failure::nowicki_2014::probability;
/// let p = probability(Acceleration::g(0.2), Angle::degrees(20.0), Angle::degrees(30.0), 5.0);
/// let x = -3.6490 + 0.266 + 0.728 - 1.905 - 0.2 + 0.76;
/// assert!((p.unwrap().si() - 1.0 / (1.0 + f64::exp(-x))).abs() < 1e-12);
/// ```
pub fn probability(
    peak_acceleration: Acceleration,
    slope: Angle,
    friction_angle: Angle,
    topographic_index: f64,
) -> Result<Ratio, HazardError> {
    let peak = PGA
        .check(100.0 * peak_acceleration.to_g())?
        .min(HIGHEST_ACCELERATION);
    let slope = SLOPE.check(slope.to_degrees())?;
    let friction = FRICTION.check(friction_angle.to_degrees())?;
    let index = INDEX.check(topographic_index)?;
    let x = -3.6490 + 0.0133 * peak + 0.0364 * slope - 0.0635 * friction - 0.0004 * 100.0 * index
        + 0.0019 * peak * slope;
    Ok(Ratio::fraction(logistic(x)))
}
