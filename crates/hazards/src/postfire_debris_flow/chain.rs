//! The whole chain of an emergency assessment: burned basin and storm, likelihood, volume, class.

use lahar_core::measure::{Area, Length, Ratio, Speed};

use crate::error::HazardError;

use super::cannon_2010::{self, HazardClass};
use super::gartner_2014::{self, VolumeEstimate};
use super::staley_2017::{self, BurnedBasin, Model, RainDuration};

/// A basin as an emergency assessment describes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AssessedBasin {
    /// Share burned at moderate or high severity on slopes of 23 degrees and more.
    pub steep_burned_share: Ratio,
    /// Mean differenced normalised burn ratio, times 1000.
    pub mean_dnbr: f64,
    /// Mean soil erodibility (KF factor).
    pub soil_erodibility: f64,
    /// Area burned at moderate or high severity.
    pub burned_area: Area,
    /// Highest minus lowest elevation.
    pub relief: Length,
}

/// What an assessment says of a basin under a storm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Assessment {
    /// Likelihood of a debris flow.
    pub likelihood: Ratio,
    /// Volume, should one come.
    pub volume: VolumeEstimate,
    /// Class of likelihood and median volume.
    pub class: HazardClass,
    /// Class at the lower end of the volume's interval.
    pub class_at_lower_volume: HazardClass,
    /// Class at its upper end.
    pub class_at_upper_volume: HazardClass,
}

/// Likelihood, volume and hazard class of a recently burned basin under a storm.
///
/// Model M1 of Staley and others (2017) for 15 minutes, the emergency model of Gartner and others
/// (2014), and the classes of Cannon and others (2010), each with the same storm; the interval of
/// the volume is carried through to the class.
///
/// Inputs: a basin; `peak_intensity` of rain over 15 minutes (mm/h).
///
/// Output: all three results. A volume alone is no assessment.
///
/// Not to be used where one of its three parts is not.
///
/// ```
/// use lahar_core::measure::{Area, Length, Ratio, Speed};
/// use lahar_hazards::postfire_debris_flow::chain::*;
/// let basin = AssessedBasin {
///     steep_burned_share: Ratio::fraction(0.5),
///     mean_dnbr: 400.0,
///     soil_erodibility: 0.2,
///     burned_area: Area::square_kilometres(1.0),
///     relief: Length::metres(400.0),
/// };
/// let result = assess(&basin, Speed::millimetres_per_hour(25.0)).unwrap();
/// // ln V = 8.77 (see gartner_2014), between 1 000 and 10 000 m³.
/// assert!((result.volume.median.si().ln() - 8.77).abs() < 1e-12);
/// assert!(result.class_at_lower_volume <= result.class);
/// ```
pub fn assess(basin: &AssessedBasin, peak_intensity: Speed) -> Result<Assessment, HazardError> {
    let duration = RainDuration::Minutes15;
    let predictors = BurnedBasin {
        terrain: basin.steep_burned_share.to_fraction(),
        fire: basin.mean_dnbr / 1000.0,
        soil: basin.soil_erodibility,
    };
    let rain = duration.accumulation(peak_intensity);
    let likelihood = staley_2017::likelihood(Model::M1, duration, &predictors, rain)?;
    let volume = gartner_2014::emergency(peak_intensity, basin.burned_area, basin.relief)?;
    let class = |volume| cannon_2010::combined(likelihood, volume);
    Ok(Assessment {
        likelihood,
        volume,
        class: class(volume.median)?,
        class_at_lower_volume: class(volume.lower)?,
        class_at_upper_volume: class(volume.upper)?,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn more_rain_never_lowers_the_class(
            share in 0.0..1.0f64, dnbr in 0.0..800.0f64, soil in 0.0..0.6f64,
            burned in 0.01..8.0f64, relief in 50.0..1500.0f64,
            rain in 5.0..60.0f64, more in 0.0..40.0f64,
        ) {
            let basin = AssessedBasin {
                steep_burned_share: Ratio::fraction(share),
                mean_dnbr: dnbr,
                soil_erodibility: soil,
                burned_area: Area::square_kilometres(burned),
                relief: Length::metres(relief),
            };
            let class = |i| assess(&basin, Speed::millimetres_per_hour(i)).unwrap().class;
            prop_assert!(class(rain + more) >= class(rain));
        }
    }
}
