//! The heat index: what warm and humid air in the shade feels like, by Rothfusz (1990).

use lahar_core::capability::Citation;
use lahar_core::measure::Ratio;

use crate::error::{HazardError, Limit};

/// The publication.
pub const SOURCE: Citation = Citation {
    authors: "Rothfusz",
    year: 1990,
    doi: "NWS Southern Region Technical Attachment SR 90-23",
    place: "regression, with the adjustments of the Weather Prediction Center",
};

/// Lowest air temperature for which the index is defined: 80 °F, in °C.
pub const COOLEST: f64 = 80.0 / 1.8 - 32.0 / 1.8;

const TEMPERATURE: Limit = Limit::new("temperature", "degC", COOLEST, 60.0, SOURCE);
const HUMIDITY: Limit = Limit::new("relative humidity", "fraction", 0.0, 1.0, SOURCE);

/// The heat index in °C, of air at `temperature` (°C, 26.67 to 60) and relative humidity.
///
/// In degrees Fahrenheit and percent, with `S = 0.5 (T + 61 + 1.2 (T - 68) + 0.094 R)`: where the
/// mean of `S` and `T` is below 80, the index is that mean; else
/// `-42.379 + 2.04901523 T + 10.14333127 R - 0.22475541 T R - 6.83783e-3 T² - 5.481717e-2 R²
/// + 1.22874e-3 T² R + 8.5282e-4 T R² - 1.99e-6 T² R²` (Rothfusz 1990, SR 90-23), less
/// `(13 - R)/4 sqrt((17 - |T - 95|)/17)` where R is below 13 and T from 80 to 112, and more
/// `(R - 85)/10 (87 - T)/5` where R is above 85 and T from 80 to 87.
///
/// A regression on Steadman's table with an error of about 1.3 °F; for the shade and a light wind.
/// Not in full sun, and not for heat and humidity beyond that table.
///
/// ```
/// use lahar_core::measure::Ratio;
/// use lahar_hazards::heatwave::rothfusz_1990::heat_index;
/// // The Weather Service's chart: 90 °F at 50 percent feels like 95 °F.
/// let index = heat_index((90.0 - 32.0) / 1.8, Ratio::fraction(0.5)).unwrap();
/// assert_eq!((index * 1.8 + 32.0).round(), 95.0);
/// ```
pub fn heat_index(temperature: f64, humidity: Ratio) -> Result<f64, HazardError> {
    let t = TEMPERATURE.check(temperature)? * 1.8 + 32.0;
    let r = HUMIDITY.check(humidity.si())? * 100.0;
    let simple = 0.5 * (t + 61.0 + 1.2 * (t - 68.0) + 0.094 * r);
    let mean = 0.5 * (simple + t);
    let index = match mean < 80.0 {
        true => mean,
        false => regression(t, r) + adjustment(t, r),
    };
    Ok((index - 32.0) / 1.8)
}

fn regression(t: f64, r: f64) -> f64 {
    -42.379 + 2.049_015_23 * t + 10.143_331_27 * r
        - 0.224_755_41 * t * r
        - 6.837_83e-3 * t * t
        - 5.481_717e-2 * r * r
        + 1.228_74e-3 * t * t * r
        + 8.528_2e-4 * t * r * r
        - 1.99e-6 * t * t * r * r
}

/// What very dry air takes off and very humid air adds.
fn adjustment(t: f64, r: f64) -> f64 {
    if r < 13.0 && (80.0..=112.0).contains(&t) {
        return -((13.0 - r) / 4.0) * ((17.0 - (t - 95.0).abs()) / 17.0).sqrt();
    }
    if r > 85.0 && (80.0..=87.0).contains(&t) {
        return (r - 85.0) / 10.0 * ((87.0 - t) / 5.0);
    }
    0.0
}
