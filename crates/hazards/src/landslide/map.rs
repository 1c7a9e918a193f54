//! Shallow slides over an elevation model: steady wetness and a storm's transient, and how well a map
//! tells mapped slides from the rest.

use lahar_core::Grid;
use lahar_core::measure::{Angle, Length, Pressure, Ratio, Span};

use super::infinite_slope::{Slab, steady_wetness};
use super::iverson_2000::Storm;
use super::transient_cells::{GroundCells, Soil, factor_of_safety_cells};
use crate::error::HazardError;
use crate::terrain::{self, drainage, relief};

/// What a slide map is made from, beside the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// The soil.
    pub soil: Soil,
    /// Its depth in m, vertically, the same everywhere.
    pub depth: f64,
    /// Transmissivity of the soil when full, in m²/s.
    pub transmissivity: f64,
    /// Rain that lasts, in m/s.
    pub recharge: f64,
    /// Depth of the water table before the storm in m, vertically.
    pub water_table: f64,
    /// The storm.
    pub storm: Storm,
    /// Time since the storm began.
    pub time: Span,
}

/// Factors of safety of a map.
#[derive(Debug, Clone, PartialEq)]
pub struct SlideMap {
    /// In rain that has lasted (Montgomery and Dietrich 1994); `NaN` on flat ground.
    pub steady: Grid,
    /// In the storm (Iverson 2000); `NaN` on flat ground.
    pub transient: Grid,
    /// Slope in degrees.
    pub slope: Grid,
}

/// Factors of safety of each cell by steady wetness and by transient infiltration.
///
/// Water runs along the steepest way down (depressions are filled first), and the contour is as wide as
/// a cell. Input: elevations in metres on a grid in metres.
pub fn slide_map(elevation: &Grid, setting: &Setting) -> Result<SlideMap, HazardError> {
    let (width, height) = terrain::metres(elevation)?;
    let slope = relief::slope(elevation)?;
    let directions = drainage::flow_directions(&drainage::fill_depressions(elevation))?;
    let above = directions.accumulate(&vec![1.0; slope.values().len()]);
    let soil = setting.soil;
    let none = |safety: f64| if safety.is_finite() { safety } else { f64::NAN };
    let mut steady = Vec::with_capacity(above.len());
    for (degrees, cells) in slope.values().iter().zip(&above) {
        if degrees.is_nan() {
            steady.push(f64::NAN);
            continue;
        }
        let slope = Angle::degrees(*degrees);
        let area = cells * width * height / width.min(height);
        let wet = steady_wetness(setting.recharge, area, setting.transmissivity, slope)?;
        let slab = Slab {
            slope,
            depth: Length::metres(setting.depth),
            cohesion: Pressure::pascals(soil.cohesion.to_pascals()),
            friction_angle: Angle::degrees(soil.friction_angle),
            unit_weight: soil.unit_weight,
        };
        steady.push(none(
            slab.factor_of_safety(Ratio::fraction(wet.to_fraction()))?,
        ));
    }
    let tangent: Vec<f64> = slope
        .values()
        .iter()
        .map(|s| s.to_radians().tan())
        .collect();
    let count = tangent.len();
    let (mut safety, mut head) = (vec![0.0; count], vec![0.0; count]);
    let cells = GroundCells {
        slope: &tangent,
        depth: &vec![setting.depth; count],
        water_table: &vec![setting.water_table; count],
    };
    let out = (safety.as_mut_slice(), head.as_mut_slice());
    factor_of_safety_cells(&cells, &soil, &[setting.storm], setting.time, 1, out)?;
    Ok(SlideMap {
        steady: elevation.like(steady)?,
        transient: elevation.like(safety.into_iter().map(none).collect())?,
        slope,
    })
}

/// How a map of unstable cells lies to mapped slides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// Share of the mapped cells that are called unstable.
    pub hit_rate: f64,
    /// Share of the cells called unstable that are not mapped.
    pub false_alarm_ratio: f64,
    /// Share of the other cells that are called unstable.
    pub false_alarm_rate: f64,
}

/// Scores a map whose cells are unstable where `unstable` says so, against mapped slides (cells that are
/// neither 0 nor without data). Cells without a value on the map are left out.
pub fn score(
    map: &Grid,
    unstable: impl Fn(f64) -> bool,
    mapped: &Grid,
) -> Result<Score, HazardError> {
    map.check_aligned(mapped)?;
    let mut counts = [[0.0f64; 2]; 2];
    for (value, slide) in map.values().iter().zip(mapped.values()) {
        if !value.is_nan() {
            let slid = usize::from(!slide.is_nan() && *slide != 0.0);
            counts[usize::from(unstable(*value))][slid] += 1.0;
        }
    }
    let [[rest, misses], [alarms, hits]] = counts;
    if hits + misses == 0.0 {
        return Err(HazardError::Contradiction(
            "no mapped slide lies on the map; there is nothing to score against".to_owned(),
        ));
    }
    Ok(Score {
        hit_rate: hits / (hits + misses),
        false_alarm_ratio: match hits + alarms > 0.0 {
            true => alarms / (hits + alarms),
            false => f64::NAN,
        },
        false_alarm_rate: alarms / (alarms + rest).max(1.0),
    })
}

#[cfg(test)]
mod tests {
    use lahar_core::{Affine, Crs};

    use super::*;

    #[test]
    fn a_map_is_scored_by_what_it_says_of_mapped_slides() {
        let grid = |values: [f64; 6]| {
            let transform = Affine::north_up(0.0, 20.0, 10.0, 10.0);
            Grid::new(values.to_vec(), 2, 3, transform, Crs::LocalMetres).unwrap()
        };
        let map = grid([0.8, 0.9, 1.2, 1.5, 0.7, f64::NAN]);
        let slides = grid([1.0, f64::NAN, 1.0, 0.0, 0.0, 1.0]);
        let found = score(&map, |safety| safety < 1.0, &slides).unwrap();
        assert_eq!(found.hit_rate, 0.5);
        assert!((found.false_alarm_ratio - 2.0 / 3.0).abs() < 1e-12);
        assert!((found.false_alarm_rate - 2.0 / 3.0).abs() < 1e-12);
        assert!(score(&map, |safety| safety < 1.0, &grid([0.0; 6])).is_err());
    }
}
