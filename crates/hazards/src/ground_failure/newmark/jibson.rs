//! Regressions of Jibson (2007) and Jibson and others (2000).

use super::*;

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
