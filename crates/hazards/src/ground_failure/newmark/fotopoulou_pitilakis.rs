//! The four regressions of Fotopoulou and Pitilakis (2015).

use super::*;

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
