//! Liquefaction over wide areas by Zhu and others (2015, 2017), with the variants of Rashidian and
//! Baise (2020) and of the Geological Survey (Allstadt and others 2022).

mod cells;

use lahar_core::capability::Citation;
use lahar_core::measure::{Acceleration, Length, Ratio, Speed};

use crate::error::{HazardError, Limit, logistic};
pub use cells::{WetCells, general_2017_cells};

/// The first general model.
pub const ZHU_2015: Citation = Citation {
    authors: "Zhu, Daley, Baise, Thompson, Wald & Knudsen",
    year: 2015,
    doi: "doi:10.1193/121912EQS353M",
    place: "global model",
};
/// The updated models.
pub const ZHU_2017: Citation = Citation {
    authors: "Zhu, Baise & Thompson",
    year: 2017,
    doi: "doi:10.1785/0120160198",
    place: "coastal and noncoastal models, areal extent",
};
/// The threshold on acceleration.
pub const RASHIDIAN_BAISE_2020: Citation = Citation {
    authors: "Rashidian & Baise",
    year: 2020,
    doi: "doi:10.1016/j.enggeo.2020.105644",
    place: "thresholds of acceleration and precipitation",
};
/// The operational form.
pub const ALLSTADT_2022: Citation = super::nowicki_jessee_2018::ALLSTADT_2022;

const PGA: Limit = Limit::new("peak_ground_acceleration", "g", 0.0, 10.0, ZHU_2015).above_lowest();
const PGV: Limit = Limit::new("peak_ground_velocity", "cm/s", 0.0, 2000.0, ZHU_2017).above_lowest();
const MAGNITUDE: Limit = Limit::new("magnitude", "Mw", 0.0, 10.0, ZHU_2015).above_lowest();
const INDEX: Limit = Limit::new("topographic_index", "1", -10.0, 50.0, ZHU_2015);
const VS30: Limit = Limit::new("vs30", "m/s", 0.0, 5000.0, ZHU_2015).above_lowest();
const RAIN: Limit = Limit::new("annual_precipitation", "mm", 0.0, 20_000.0, ZHU_2017);
const WATER: Limit = Limit::new("distance_to_water", "km", 0.0, 10_000.0, ZHU_2017);
const COAST: Limit = Limit::new("distance_to_coast", "km", 0.0, 10_000.0, ZHU_2017);
const RIVER: Limit = Limit::new("distance_to_river", "km", 0.0, 10_000.0, ZHU_2017);
const TABLE: Limit = Limit::new("water_table_depth", "m", 0.0, 2000.0, ZHU_2017);

/// What a model says of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LiquefactionEstimate {
    /// Probability of the sample the model was fitted on: a relative number.
    pub probability: Ratio,
    /// Share of the cell that liquefies, where the publication relates the two.
    pub coverage: Option<Ratio>,
    /// Whether the probability is above the published threshold of occurrence.
    pub occurs: bool,
}

/// Ground of the 2017 models.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WetGround {
    /// Peak ground velocity.
    pub peak_velocity: Speed,
    /// Shear-wave velocity of the upper 30 m.
    pub vs30: Speed,
    /// Mean annual precipitation.
    pub annual_precipitation: Length,
    /// Distance to the nearest water body.
    pub distance_to_water: Length,
    /// Depth to the water table.
    pub water_table_depth: Length,
}

/// Ground of the coastal model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoastalGround {
    /// Peak ground velocity.
    pub peak_velocity: Speed,
    /// Shear-wave velocity of the upper 30 m.
    pub vs30: Speed,
    /// Mean annual precipitation.
    pub annual_precipitation: Length,
    /// Distance to the nearest coast.
    pub distance_to_coast: Length,
    /// Distance to the nearest river.
    pub distance_to_river: Length,
}

/// Liquefaction from PGA, magnitude, wetness index and shear-wave velocity.
///
/// `X = 24.10 + 2.067 ln(PGA Mw^2.56 / 10^2.24) + 0.355 CTI - 4.784 ln Vs30`, PGA in g, Vs30 in
/// m/s; it occurs above 0.2 (Zhu and others 2015, doi:10.1193/121912EQS353M, global model).
///
/// Not for a single site, not where the soil is known better.
///
/// ```
/// use lahar_core::measure::{Acceleration, Speed};
/// use lahar_hazards::ground_failure::zhu::general_2015;
/// let estimate =
///     general_2015(Acceleration::g(0.3), 7.5, 6.0, Speed::metres_per_second(200.0)).unwrap();
/// let x = 24.10 + 2.067 * (0.3 * 7.5f64.powf(2.56) / 10f64.powf(2.24)).ln() + 0.355 * 6.0
///     - 4.784 * 200f64.ln();
/// assert!((estimate.probability.si() - 1.0 / (1.0 + f64::exp(-x))).abs() < 1e-12);
/// ```
pub fn general_2015(
    peak_acceleration: Acceleration,
    magnitude: f64,
    topographic_index: f64,
    vs30: Speed,
) -> Result<LiquefactionEstimate, HazardError> {
    let weight = MAGNITUDE.check(magnitude)?.powf(2.56) / 10f64.powf(2.24);
    let x = 24.10
        + 2.067 * (PGA.check(peak_acceleration.to_g())? * weight).ln()
        + 0.355 * INDEX.check(topographic_index)?
        - 4.784 * VS30.check(vs30.to_metres_per_second())?.ln();
    let p = logistic(x);
    Ok(LiquefactionEstimate {
        probability: Ratio::fraction(p),
        coverage: None,
        occurs: p > 0.2,
    })
}

/// Share of a cell that liquefies, from the probability of the general model of 2017.
///
/// `0.4915 / (1 + 42.40 e^(-9.165 P))²` (Zhu and others 2017, doi:10.1785/0120160198).
pub fn general_coverage(probability: Ratio) -> Ratio {
    Ratio::fraction(sigmoid_cover(0.4915, 42.40, 9.165, probability.si()))
}

/// Share of a cell that liquefies, from the probability of the coastal model.
///
/// `0.4208 / (1 + 62.59 e^(-11.43 P))²` (Zhu and others 2017, doi:10.1785/0120160198).
pub fn coastal_coverage(probability: Ratio) -> Ratio {
    Ratio::fraction(sigmoid_cover(0.4208, 62.59, 11.43, probability.si()))
}

fn sigmoid_cover(a: f64, b: f64, c: f64, p: f64) -> f64 {
    a / (1.0 + b * (-c * p).exp()).powi(2)
}

/// The linear part of the general model; velocity in cm/s, rain in mm, water in km, table in m.
#[inline(always)]
fn general_logit(ln_velocity: f64, ln_vs30: f64, rain: f64, water: f64, table: f64) -> f64 {
    8.801 + 0.334 * ln_velocity - 1.918 * ln_vs30 + 5.408e-4 * rain
        - 0.2054 * water
        - 0.0333 * table
}

fn general(
    ground: &WetGround,
    change: impl FnOnce(f64, f64) -> (f64, f64),
    zero: impl FnOnce() -> bool,
) -> Result<LiquefactionEstimate, HazardError> {
    let velocity = PGV.check(ground.peak_velocity.to_centimetres_per_second())?;
    let rain = RAIN.check(ground.annual_precipitation.to_millimetres())?;
    let vs30 = VS30.check(ground.vs30.to_metres_per_second())?;
    let (ln_velocity, rain) = change(velocity, rain);
    let water = WATER.check(ground.distance_to_water.to_kilometres())?;
    let table = TABLE.check(ground.water_table_depth.to_metres())?;
    let none = velocity < 3.0 || vs30 > 620.0 || zero();
    let p = match none {
        true => 0.0,
        false => logistic(general_logit(ln_velocity, vs30.ln(), rain, water, table)),
    };
    let probability = Ratio::fraction(p);
    Ok(LiquefactionEstimate {
        probability,
        coverage: Some(general_coverage(probability)),
        occurs: p > 0.4,
    })
}

/// Liquefaction away from coasts, and wherever it is not known whether the event is coastal.
///
/// `X = 8.801 + 0.334 ln PGV - 1.918 ln Vs30 + 5.408e-4 precipitation - 0.2054 dw - 0.0333 wtd`,
/// PGV in cm/s, Vs30 in m/s, precipitation in mm a year, distance in km, depth in m; 0 where PGV
/// is below 3 cm/s or Vs30 above 620 m/s; it occurs above 0.4 (Zhu and others 2017,
/// doi:10.1785/0120160198).
///
/// Output: probability and coverage; the coverage of a probability of 0 is not 0 but 0.026
/// percent, as the published relation has it.
///
/// Not for a single site; not on slopes over 5 degrees.
///
/// ```
/// use lahar_core::measure::{Length, Speed};
/// use lahar_hazards::ground_failure::zhu::*;
/// let ground = WetGround {
///     peak_velocity: Speed::centimetres_per_second(40.0),
///     vs30: Speed::metres_per_second(200.0),
///     annual_precipitation: Length::millimetres(1000.0),
///     distance_to_water: Length::kilometres(1.0),
///     water_table_depth: Length::metres(5.0),
/// };
/// let x = 8.801 + 0.334 * 40f64.ln() - 1.918 * 200f64.ln() + 0.5408 - 0.2054 - 0.1665;
/// let p = general_2017(&ground).unwrap().probability.si();
/// assert!((p - 1.0 / (1.0 + f64::exp(-x))).abs() < 1e-12);
/// ```
pub fn general_2017(ground: &WetGround) -> Result<LiquefactionEstimate, HazardError> {
    general(ground, |velocity, rain| (velocity.ln(), rain), || false)
}

/// The general model of 2017 with two thresholds: precipitation counts up to 1700 mm a year, and
/// nothing liquefies below 0.1 g (Rashidian and Baise 2020, doi:10.1016/j.enggeo.2020.105644).
///
/// Inputs and output as in [`general_2017`], with PGA. Not for a single site.
pub fn rashidian_baise_2020(
    ground: &WetGround,
    peak_acceleration: Acceleration,
) -> Result<LiquefactionEstimate, HazardError> {
    let peak = PGA.check(peak_acceleration.to_g())?;
    general(
        ground,
        |velocity, rain| (velocity.ln(), rain.min(1700.0)),
        || peak < 0.1,
    )
}

/// The general model of 2017 as the Geological Survey runs it (Allstadt and others 2022,
/// doi:10.1177/87552930211032685).
///
/// Velocity at most 150 cm/s, then times `1 / (1 + e^(-2 (M - 6)))`; precipitation at most 2500
/// mm; nothing below 0.1 g.
pub fn operational_2022(
    ground: &WetGround,
    peak_acceleration: Acceleration,
    magnitude: f64,
) -> Result<LiquefactionEstimate, HazardError> {
    let peak = PGA.check(peak_acceleration.to_g())?;
    let factor = magnitude_factor(magnitude)?;
    general(
        ground,
        |velocity, rain| ((factor * velocity.min(150.0)).ln(), rain.min(2500.0)),
        || peak < 0.1,
    )
}

/// The factor on velocity for moderate earthquakes, `1 / (1 + e^(-2 (M - 6)))` (Allstadt and
/// others 2022).
pub fn magnitude_factor(magnitude: f64) -> Result<f64, HazardError> {
    Ok(logistic(2.0 * (MAGNITUDE.check(magnitude)? - 6.0)))
}

/// Liquefaction in events within 20 km of a coast.
///
/// `X = 12.435 + 0.301 ln PGV - 2.615 ln Vs30 + 5.556e-4 precipitation - 0.0287 sqrt(dc) + 0.0666
/// dr - 0.0369 sqrt(dc) dr`, units as in [`general_2017`]; 0 where PGV is below 3 cm/s or Vs30
/// above 620 m/s; it occurs above 0.4 (Zhu and others 2017, doi:10.1785/0120160198).
///
/// Not for events whose liquefaction lies on average farther than 20 km from the coast.
///
/// ```
/// use lahar_core::measure::{Length, Speed};
/// use lahar_hazards::ground_failure::zhu::*;
/// let ground = CoastalGround {
///     peak_velocity: Speed::centimetres_per_second(40.0),
///     vs30: Speed::metres_per_second(200.0),
///     annual_precipitation: Length::millimetres(1000.0),
///     distance_to_coast: Length::kilometres(4.0),
///     distance_to_river: Length::kilometres(1.0),
/// };
/// let x = 12.435 + 0.301 * 40f64.ln() - 2.615 * 200f64.ln() + 0.5556 - 0.0574 + 0.0666 - 0.0738;
/// let p = coastal_2017(&ground).unwrap().probability.si();
/// assert!((p - 1.0 / (1.0 + f64::exp(-x))).abs() < 1e-12);
/// ```
pub fn coastal_2017(ground: &CoastalGround) -> Result<LiquefactionEstimate, HazardError> {
    let velocity = PGV.check(ground.peak_velocity.to_centimetres_per_second())?;
    let vs30 = VS30.check(ground.vs30.to_metres_per_second())?;
    let rain = RAIN.check(ground.annual_precipitation.to_millimetres())?;
    let coast = COAST
        .check(ground.distance_to_coast.to_kilometres())?
        .sqrt();
    let river = RIVER.check(ground.distance_to_river.to_kilometres())?;
    let x = 12.435 + 0.301 * velocity.ln() - 2.615 * vs30.ln() + 5.556e-4 * rain - 0.0287 * coast
        + 0.0666 * river
        - 0.0369 * coast * river;
    let none = velocity < 3.0 || vs30 > 620.0;
    let p = if none { 0.0 } else { logistic(x) };
    let probability = Ratio::fraction(p);
    Ok(LiquefactionEstimate {
        probability,
        coverage: Some(coastal_coverage(probability)),
        occurs: p > 0.4,
    })
}

#[cfg(test)]
mod tests;
