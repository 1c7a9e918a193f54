//! The regressions of the United States Geological Survey's assessments before 2016, for the
//! intermountain western United States and southern California, as the Survey prints them.
//!
//! The intermountain likelihood is that of Cannon and others (2010); the intermountain volume is
//! that of Gartner and others (2008), whose 7.2 and bias correction of 0.3 the Survey prints as
//! 7.5. The southern California equations rest on data the Survey calls unpublished; its page for
//! fires from 2016 on still prints this volume equation while naming Gartner and others (2014),
//! whose own equation differs (see [`super::gartner_2014`]).

use lahar_core::capability::Citation;
use lahar_core::measure::{Area, Length, Ratio, Speed, Volume};

use crate::error::{HazardError, Limit, logistic};

/// The Survey's page.
pub const SOURCE: Citation = Citation {
    authors: "U.S. Geological Survey",
    year: 2020,
    doi: "https://landslides.usgs.gov/hazards/postfire_debrisflow/background2010.php",
    place: "equations 2 to 5",
};

/// Where the intermountain likelihood was published.
pub const CANNON_2010: Citation = Citation {
    authors: "Cannon, Gartner, Rupert, Michael, Rea & Parrett",
    year: 2010,
    doi: "doi:10.1130/B26459.1",
    place: "logistic regression, as the U.S. Geological Survey prints it (equation 3)",
};

/// Where the intermountain volume was published.
pub const GARTNER_2008: Citation = Citation {
    authors: "Gartner, Cannon, Santi & Dewolfe",
    year: 2008,
    doi: "doi:10.1016/j.geomorph.2007.07.002",
    place: "western United States model, as the U.S. Geological Survey prints it (equation 5)",
};

const fn percent(variable: &'static str) -> Limit {
    Limit::new(variable, "%", 0.0, 100.0, SOURCE)
}
const STEEP_SHARE: Limit = percent("steep_share");
const BURNED_SHARE: Limit = percent("burned_share");
const CLAY: Limit = percent("clay_content");
const LIQUID_LIMIT: Limit = Limit::new("liquid_limit", "%", 0.0, 200.0, SOURCE);
const RUGGEDNESS: Limit = Limit::new("ruggedness", "fraction", 0.0, 10.0, SOURCE);
const INTENSITY: Limit = Limit::new("rainfall_intensity", "mm/h", 0.0, 1000.0, SOURCE);
const RAIN: Limit = Limit::new("rainfall", "mm", 0.0, 2000.0, SOURCE);
const STEEP_AREA: Limit = Limit::new("steep_area", "km2", 0.0, 1e4, SOURCE).above_lowest();
const BURNED_AREA: Limit = Limit::new("burned_area", "km2", 0.0, 1e4, SOURCE);
const RELIEF: Limit = Limit::new("relief", "m", 0.0, 9000.0, SOURCE);

/// What the intermountain likelihood needs to know of a basin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IntermountainBasin {
    /// Share of the basin steeper than 30 percent.
    pub steep_share: Ratio,
    /// Relief over the square root of the area.
    pub ruggedness: Ratio,
    /// Share burned at moderate or high severity.
    pub burned_share: Ratio,
    /// Mean clay content of the soil.
    pub clay_content: Ratio,
    /// Mean liquid limit of the soil, by weight.
    pub liquid_limit: Ratio,
}

/// Likelihood of a debris flow in a recently burned basin of the intermountain west.
///
/// `x = -0.7 + 0.03 A - 1.6 R + 0.06 B + 0.2 C - 0.4 LL + 0.07 I`, `p = e^x / (1 + e^x)` (Cannon
/// and others 2010, doi:10.1130/B26459.1, as the U.S. Geological Survey prints it, equation 3).
///
/// Inputs: shares in percent inside the formula; `rainfall_intensity` I, the mean over 60 minutes
/// (mm/h).
///
/// Output: a probability.
///
/// Not for southern California, and superseded for fires from May 2016 on by Staley and others
/// (2017).
///
/// ```
/// use lahar_core::measure::{Ratio, Speed};
/// use lahar_hazards::postfire_debris_flow::survey_2010::*;
/// let basin = IntermountainBasin {
///     steep_share: Ratio::percent(50.0),
///     ruggedness: Ratio::fraction(0.5),
///     burned_share: Ratio::percent(60.0),
///     clay_content: Ratio::percent(20.0),
///     liquid_limit: Ratio::percent(25.0),
/// };
/// let p = intermountain_likelihood(&basin, Speed::millimetres_per_hour(10.0)).unwrap();
/// // x = -0.7 + 1.5 - 0.8 + 3.6 + 4 - 10 + 0.7 = -1.7 by hand.
/// assert!((p.si() - 1.0 / (1.0 + f64::exp(1.7))).abs() < 1e-12);
/// ```
pub fn intermountain_likelihood(
    basin: &IntermountainBasin,
    rainfall_intensity: Speed,
) -> Result<Ratio, HazardError> {
    let x = -0.7 + 0.03 * STEEP_SHARE.check(basin.steep_share.to_percent())?
        - 1.6 * RUGGEDNESS.check(basin.ruggedness.to_fraction())?
        + 0.06 * BURNED_SHARE.check(basin.burned_share.to_percent())?
        + 0.2 * CLAY.check(basin.clay_content.to_percent())?
        - 0.4 * LIQUID_LIMIT.check(basin.liquid_limit.to_percent())?
        + 0.07 * INTENSITY.check(rainfall_intensity.to_millimetres_per_hour())?;
    Ok(Ratio::fraction(logistic(x)))
}

/// Volume of a debris flow in a recently burned basin of the intermountain west.
///
/// `ln V = 7.2 + 0.6 ln(A) + 0.7 sqrt(B) + 0.2 sqrt(T) + 0.3` (Gartner and others 2008,
/// doi:10.1016/j.geomorph.2007.07.002, as the U.S. Geological Survey prints it, equation 5).
///
/// Inputs: `steep_area` A, steeper than 30 percent (km², more than 0); `burned_area` B, burned at
/// moderate or high severity (km²); `rainfall` T (mm): the accumulation of 60 minutes on the
/// Survey's page.
///
/// Output: a volume; neither page gives a standard error.
///
/// Not for southern California.
///
/// ```
/// use lahar_core::measure::{Area, Length};
/// use lahar_hazards::postfire_debris_flow::survey_2010::intermountain_volume;
/// let one = Area::square_kilometres(1.0);
/// let volume = intermountain_volume(one, one, Length::millimetres(25.0)).unwrap();
/// assert!((volume.si().ln() - (7.5 + 0.7 + 1.0)).abs() < 1e-12);
/// ```
pub fn intermountain_volume(
    steep_area: Area,
    burned_area: Area,
    rainfall: Length,
) -> Result<Volume, HazardError> {
    let steep = STEEP_AREA.check(steep_area.to_square_kilometres())?;
    let burned = BURNED_AREA.check(burned_area.to_square_kilometres())?;
    let rain = RAIN.check(rainfall.to_millimetres())?;
    let ln_volume = 7.2 + 0.6 * steep.ln() + 0.7 * burned.sqrt() + 0.2 * rain.sqrt() + 0.3;
    Ok(Volume::cubic_metres(ln_volume.exp()))
}

/// Volume of a debris flow in southern California by the equation of the Survey's pages.
///
/// `ln V = 2.89 + 0.17 sqrt(R) + 0.3 ln(Bmh) + 0.47 sqrt(i15)` (U.S. Geological Survey, equation
/// 4 of the page for fires before 2016).
///
/// Inputs: `rainfall_intensity` i15 (mm/h), `burned_area` Bmh (km², more than 0), `relief` R (m).
///
/// Output: a volume; the page gives no standard error.
///
/// Not the published equation of Gartner and others (2014), though the Survey's later page names
/// them beside it.
///
/// ```
/// use lahar_core::measure::{Area, Length, Speed};
/// use lahar_hazards::postfire_debris_flow::survey_2010::southern_california_volume;
/// let volume = southern_california_volume(
///     Speed::millimetres_per_hour(25.0),
///     Area::square_kilometres(1.0),
///     Length::metres(400.0),
/// ).unwrap();
/// assert!((volume.si().ln() - (2.89 + 0.17 * 20.0 + 0.47 * 5.0)).abs() < 1e-12);
/// ```
pub fn southern_california_volume(
    rainfall_intensity: Speed,
    burned_area: Area,
    relief: Length,
) -> Result<Volume, HazardError> {
    let intensity = INTENSITY.check(rainfall_intensity.to_millimetres_per_hour())?;
    let burned = BURNED_AREA
        .above_lowest()
        .check(burned_area.to_square_kilometres())?;
    let relief = RELIEF.check(relief.to_metres())?;
    let ln_volume = 2.89 + 0.17 * relief.sqrt() + 0.3 * burned.ln() + 0.47 * intensity.sqrt();
    Ok(Volume::cubic_metres(ln_volume.exp()))
}
