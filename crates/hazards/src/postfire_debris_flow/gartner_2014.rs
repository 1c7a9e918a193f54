//! Volume of post-fire debris flows by Gartner, Cannon and Santi (2014), for the first storms
//! after a fire and for the years behind it.

use lahar_core::capability::Citation;
use lahar_core::measure::{Area, Length, Span, Speed, Volume};

use crate::error::{HazardError, Limit};

/// The publication.
pub const SOURCE: Citation = Citation {
    authors: "Gartner, Cannon & Santi",
    year: 2014,
    doi: "doi:10.1016/j.enggeo.2014.04.008",
    place: "equations 2 and 3",
};

/// Residual standard error of ln V, emergency assessment model (equation 3).
pub const EMERGENCY_STANDARD_ERROR: f64 = 1.04;
/// Residual standard error of ln V, long-term model (equation 2).
pub const LONG_TERM_STANDARD_ERROR: f64 = 1.25;

/// The normal quantile that leaves 2.5 percent on either side; the paper rounds it to 1.96.
const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// A volume with the interval that the regression's residuals give.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VolumeEstimate {
    /// The volume whose logarithm is the regression's mean: the median.
    pub median: Volume,
    /// Lower end of the 95 percent interval of a single flow.
    pub lower: Volume,
    /// Upper end.
    pub upper: Volume,
    /// Standard error of the natural logarithm of the volume.
    pub ln_standard_error: f64,
}

impl VolumeEstimate {
    pub(crate) fn from_ln(ln_volume: f64, ln_standard_error: f64) -> VolumeEstimate {
        let at = |deviations: f64| {
            Volume::cubic_metres((ln_volume + deviations * ln_standard_error).exp())
        };
        VolumeEstimate {
            median: at(0.0),
            lower: at(-TWO_SIDED_95),
            upper: at(TWO_SIDED_95),
            ln_standard_error,
        }
    }
}

const INTENSITY: Limit = Limit::new("rainfall_intensity", "mm/h", 0.0, 1000.0, SOURCE);
const BURNED: Limit = Limit::new("burned_area", "km2", 0.0, 1e4, SOURCE).above_lowest();
const RELIEF: Limit = Limit::new("relief", "m", 0.0, 9000.0, SOURCE);
const SINCE_FIRE: Limit =
    Limit::new("time_since_fire", "month", 0.0, 1200.0, SOURCE).above_lowest();
const BASIN: Limit = Limit::new("basin_area", "km2", 0.0, 1e4, SOURCE).above_lowest();

/// Volume of the debris flow that a storm can set off soon after a fire.
///
/// `ln V = 4.22 + 0.39 sqrt(i15) + 0.36 ln(Bmh) + 0.13 sqrt(R)`, residual standard error 1.04
/// (Gartner and others 2014, doi:10.1016/j.enggeo.2014.04.008, equation 3).
///
/// Inputs: `rainfall_intensity`, the peak over 15 minutes (mm/h inside the formula);
/// `burned_area`, burned at moderate or high severity (km², more than 0); `relief` of the basin
/// (m).
///
/// Output: the median volume with the 95 percent interval of single flows.
///
/// Not outside the Transverse Ranges of southern California without saying so: elsewhere it tends
/// to give too much. Not for basins without any moderately or severely burned ground.
///
/// ```
/// use lahar_core::measure::{Area, Length, Speed};
/// use lahar_hazards::postfire_debris_flow::gartner_2014::emergency;
/// let estimate = emergency(
///     Speed::millimetres_per_hour(25.0),
///     Area::square_kilometres(1.0),
///     Length::metres(400.0),
/// ).unwrap();
/// // ln V = 4.22 + 0.39 · 5 + 0.13 · 20 by hand.
/// assert!((estimate.median.si().ln() - 8.77).abs() < 1e-12);
/// assert!(estimate.lower < estimate.median && estimate.median < estimate.upper);
/// ```
pub fn emergency(
    rainfall_intensity: Speed,
    burned_area: Area,
    relief: Length,
) -> Result<VolumeEstimate, HazardError> {
    let intensity = INTENSITY.check(rainfall_intensity.to_millimetres_per_hour())?;
    let burned = BURNED.check(burned_area.to_square_kilometres())?;
    let relief = RELIEF.check(relief.to_metres())?;
    let ln_volume = 4.22 + 0.39 * intensity.sqrt() + 0.36 * burned.ln() + 0.13 * relief.sqrt();
    Ok(VolumeEstimate::from_ln(ln_volume, EMERGENCY_STANDARD_ERROR))
}

/// What the long-term model needs to know of a basin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecoveringBasin {
    /// Area burned by the most recent fire, at any severity.
    pub burned_area: Area,
    /// Time since that fire.
    pub time_since_fire: Span,
    /// Area of the basin.
    pub area: Area,
    /// Highest minus lowest elevation.
    pub relief: Length,
}

/// Volume of sediment that a storm can bring down in the years after a fire.
///
/// `ln V = 6.07 + 0.71 ln(i60) + 0.22 ln(Bt) - 0.24 ln(T) + 0.49 ln(A) + 0.03 sqrt(R)`, residual
/// standard error 1.25 (Gartner and others 2014, doi:10.1016/j.enggeo.2014.04.008, equation 2).
///
/// Inputs: `rainfall_intensity`, the peak over 60 minutes (mm/h inside the formula, more than 0);
/// a basin with burned area and area (km²), time since the fire (months), relief (m).
///
/// Output: the median volume with the 95 percent interval of single events.
///
/// Not outside the Transverse Ranges of southern California without saying so.
///
/// ```
/// use lahar_core::measure::{Area, Length, Span, Speed};
/// use lahar_hazards::postfire_debris_flow::gartner_2014::*;
/// let basin = RecoveringBasin {
///     burned_area: Area::square_kilometres(1.0),
///     time_since_fire: Span::months(1.0),
///     area: Area::square_kilometres(1.0),
///     relief: Length::metres(900.0),
/// };
/// let estimate = long_term(Speed::millimetres_per_hour(1.0), &basin).unwrap();
/// // Every logarithm is zero: ln V = 6.07 + 0.03 · 30.
/// assert!((estimate.median.si().ln() - 6.97).abs() < 1e-9);
/// ```
pub fn long_term(
    rainfall_intensity: Speed,
    basin: &RecoveringBasin,
) -> Result<VolumeEstimate, HazardError> {
    let intensity = INTENSITY
        .above_lowest()
        .check(rainfall_intensity.to_millimetres_per_hour())?;
    let burned = BURNED.check(basin.burned_area.to_square_kilometres())?;
    let months = SINCE_FIRE.check(basin.time_since_fire.to_months())?;
    let area = BASIN.check(basin.area.to_square_kilometres())?;
    let relief = RELIEF.check(basin.relief.to_metres())?;
    let ln_volume = 6.07 + 0.71 * intensity.ln() + 0.22 * burned.ln() - 0.24 * months.ln()
        + 0.49 * area.ln()
        + 0.03 * relief.sqrt();
    Ok(VolumeEstimate::from_ln(ln_volume, LONG_TERM_STANDARD_ERROR))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_unburned_basin_has_no_emergency_volume() {
        let message = emergency(
            Speed::millimetres_per_hour(24.0),
            Area::square_kilometres(0.0),
            Length::metres(300.0),
        )
        .unwrap_err()
        .to_string();
        assert!(
            message.contains("`burned_area` is 0 km2") && message.contains("more than"),
            "{message}"
        );
    }

    proptest! {
        #[test]
        fn volume_rises_with_rain_and_burned_area(
            intensity in 1.0..120.0f64, burned in 0.01..10.0f64, relief in 50.0..2000.0f64,
            factor in 1.0..3.0f64,
        ) {
            let volume = |i: f64, b: f64| {
                emergency(
                    Speed::millimetres_per_hour(i),
                    Area::square_kilometres(b),
                    Length::metres(relief),
                )
                .unwrap()
                .median
                .si()
            };
            let here = volume(intensity, burned);
            prop_assert!(here >= 0.0);
            prop_assert!(volume(intensity * factor, burned) >= here);
            prop_assert!(volume(intensity, burned * factor) >= here);
        }
    }
}
