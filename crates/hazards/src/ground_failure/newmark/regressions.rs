//! Regressions of other authors for displacements.

use super::*;

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
