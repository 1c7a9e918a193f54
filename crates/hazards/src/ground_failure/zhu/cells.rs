//! The general model of 2017 over many cells, in vector code.

use pulp::{Simd, WithSimd};

use super::*;
use crate::elementary;

/// Layers of the general model, one number a cell, all of one length and in SI units.
#[derive(Debug, Clone, Copy)]
pub struct WetCells<'a> {
    /// Peak ground velocity in m/s.
    pub peak_velocity: &'a [f64],
    /// Shear-wave velocity of the upper 30 m in m/s.
    pub vs30: &'a [f64],
    /// Mean annual precipitation in m.
    pub annual_precipitation: &'a [f64],
    /// Distance to the nearest water body in m.
    pub distance_to_water: &'a [f64],
    /// Depth to the water table in m.
    pub water_table_depth: &'a [f64],
}

/// [`general_2017`] over many cells: probabilities and coverages are written, `NaN` where an input
/// is missing or beyond its physical limits. The same bits for every number of threads.
///
/// Layers of different lengths are refused.
pub fn general_2017_cells(
    cells: &WetCells<'_>,
    threads: usize,
    probability: &mut [f64],
    coverage: &mut [f64],
) -> Result<(), HazardError> {
    let count = cells.peak_velocity.len();
    let lengths = [
        cells.vs30.len(),
        cells.annual_precipitation.len(),
        cells.distance_to_water.len(),
        cells.water_table_depth.len(),
        probability.len(),
        coverage.len(),
    ];
    if let Some(other) = lengths.into_iter().find(|length| *length != count) {
        return Err(HazardError::Contradiction(format!(
            "one layer has {count} cells, another {other}; they must be of the same grid"
        )));
    }
    crate::parallel::fill_pair(
        probability,
        coverage,
        threads,
        |first, probability, coverage| {
            let piece = first..first + probability.len();
            GeneralPiece {
                velocity: &cells.peak_velocity[piece.clone()],
                vs30: &cells.vs30[piece.clone()],
                rain: &cells.annual_precipitation[piece.clone()],
                water: &cells.distance_to_water[piece.clone()],
                table: &cells.water_table_depth[piece],
                probability,
                coverage,
            }
        },
    );
    Ok(())
}

/// Slices of one length.
struct GeneralPiece<'a> {
    velocity: &'a [f64],
    vs30: &'a [f64],
    rain: &'a [f64],
    water: &'a [f64],
    table: &'a [f64],
    probability: &'a mut [f64],
    coverage: &'a mut [f64],
}

impl WithSimd for GeneralPiece<'_> {
    type Output = ();

    // Free of branches, so that it becomes vector code; ranges would bring them in.
    #[allow(clippy::manual_range_contains)]
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let count = self.probability.len();
        let (velocity, vs30) = (&self.velocity[..count], &self.vs30[..count]);
        let (rain, water) = (&self.rain[..count], &self.water[..count]);
        let table = &self.table[..count];
        let (probability, coverage) = (self.probability, &mut self.coverage[..count]);
        let intercept = 8.801 + 0.334 * 100f64.ln();
        for cell in 0..count {
            let (velocity, vs30, rain) = (velocity[cell], vs30[cell], rain[cell]);
            let (water, table) = (water[cell], table[cell]);
            let sound = (velocity > 0.0)
                & (velocity <= 0.01 * PGV.highest)
                & (vs30 > 0.0)
                & (vs30 <= VS30.highest)
                & (rain >= 0.0)
                & (rain <= 0.001 * RAIN.highest)
                & (water >= 0.0)
                & (water <= 1000.0 * WATER.highest)
                & (table >= 0.0)
                & (table <= TABLE.highest);
            let (ln_velocity, ln_vs30) = elementary::ln_pair(velocity, vs30);
            // The coefficients for layers in SI units.
            let x = 5.408e-4 * 1000.0 * rain
                + (-0.2054 * 0.001) * water
                + (-0.0333) * table
                + (0.334 * ln_velocity + (-1.918 * ln_vs30 + intercept));
            let none = (velocity < 0.03) | (vs30 > 620.0);
            let p = if none { 0.0 } else { elementary::logistic(x) };
            let p = if sound { p } else { f64::NAN };
            probability[cell] = p;
            // Nothing stays nothing through the exponential.
            let beyond = 1.0 + 42.40 * elementary::exp(-9.165 * p);
            coverage[cell] = 0.4915 / (beyond * beyond);
        }
    }
}
