//! The model over many cells, in vector code.

use pulp::{Simd, WithSimd};

use super::*;
use crate::elementary;

/// Layers of the model, one number a cell, all of one length.
#[derive(Debug, Clone, Copy)]
pub struct ShakenCells<'a> {
    /// Peak ground velocity in m/s; a cell without data, or without shaking, gives `NaN`.
    pub peak_velocity: &'a [f64],
    /// Peak ground acceleration in m/s²; the published form does not use it.
    pub peak_acceleration: Option<&'a [f64]>,
    /// Slope in radians.
    pub slope: &'a [f64],
    /// Rock.
    pub lithology: &'a [Lithology],
    /// Land cover.
    pub land_cover: &'a [LandCover],
    /// Compound topographic index.
    pub topographic_index: &'a [f64],
}

/// [`estimate`] over many cells: probabilities and coverages are written, `NaN` where an input is
/// missing or beyond its physical limits. The same bits for every number of threads.
///
/// Layers of different lengths are refused.
pub fn estimate_cells(
    cells: &ShakenCells<'_>,
    variant: Variant,
    threads: usize,
    probability: &mut [f64],
    coverage: &mut [f64],
) -> Result<(), HazardError> {
    let count = cells.peak_velocity.len();
    let acceleration = match (variant, cells.peak_acceleration) {
        (Variant::Operational, None) => {
            return Err(HazardError::Contradiction(
                "the operational form needs the peak ground acceleration of every cell".to_owned(),
            ));
        }
        (_, acceleration) => acceleration,
    };
    let lengths = [
        cells.slope.len(),
        cells.lithology.len(),
        cells.land_cover.len(),
        cells.topographic_index.len(),
        acceleration.map_or(count, <[f64]>::len),
        probability.len(),
        coverage.len(),
    ];
    if let Some(other) = lengths.into_iter().find(|length| *length != count) {
        return Err(HazardError::Contradiction(format!(
            "one layer has {count} cells, another {other}; they must be of the same grid"
        )));
    }
    let table = class_table(variant);
    crate::parallel::fill_pair(
        probability,
        coverage,
        threads,
        |first, probability, coverage| {
            let piece = first..first + probability.len();
            ShakenPiece {
                cells: ShakenCells {
                    peak_velocity: &cells.peak_velocity[piece.clone()],
                    peak_acceleration: acceleration.map(|layer| &layer[piece.clone()]),
                    slope: &cells.slope[piece.clone()],
                    lithology: &cells.lithology[piece.clone()],
                    land_cover: &cells.land_cover[piece.clone()],
                    topographic_index: &cells.topographic_index[piece],
                },
                operational: variant == Variant::Operational,
                table: &table,
                probability,
                coverage,
            }
        },
    );
    Ok(())
}

/// Layers of one length.
struct ShakenPiece<'a> {
    cells: ShakenCells<'a>,
    operational: bool,
    table: &'a [f64; 256 * 33],
    probability: &'a mut [f64],
    coverage: &'a mut [f64],
}

impl WithSimd for ShakenPiece<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        // Blocks that stay in the first cache between the passes over them.
        let probabilities = self.probability.chunks_mut(BLOCK);
        let outputs = probabilities.zip(self.coverage.chunks_mut(BLOCK));
        for (at, (probability, coverage)) in outputs.enumerate() {
            let block = at * BLOCK..at * BLOCK + probability.len();
            let mut class = [0.0; BLOCK];
            let lithology = &self.cells.lithology[block.clone()];
            let classes = lithology.iter().zip(&self.cells.land_cover[block.clone()]);
            for (class, (lithology, land_cover)) in class.iter_mut().zip(classes) {
                *class = self.table[usize::from(lithology.0) * 32 + usize::from(land_cover.0)];
            }
            let numbers = BlockOfCells {
                velocity: &self.cells.peak_velocity[block.clone()],
                slope: &self.cells.slope[block.clone()],
                class: &class,
                index: &self.cells.topographic_index[block.clone()],
            };
            match self.cells.peak_acceleration {
                Some(peak) if self.operational => {
                    operational_block(&numbers, &peak[block], probability, coverage);
                }
                _ => published_block(&numbers, probability, coverage),
            }
        }
    }
}

/// Cells whose classes are looked up at once.
const BLOCK: usize = 512;

/// The sum of the coefficients of rock and land cover, at `32 rock + cover`.
fn class_table(variant: Variant) -> [f64; 256 * 33] {
    let mut table = [f64::NAN; 256 * 33];
    for rock in 0..LITHOLOGY.len() {
        for (cover, coefficient) in LAND_COVER.iter().enumerate() {
            table[rock * 32 + cover] = variant.lithology(Lithology(rock as u8)) + coefficient;
        }
    }
    table
}

/// Layers of a block, with the coefficients of its classes.
struct BlockOfCells<'a> {
    velocity: &'a [f64],
    slope: &'a [f64],
    class: &'a [f64],
    index: &'a [f64],
}

// Both are free of branches, so that they become vector code.

#[inline(always)]
fn published_block(cells: &BlockOfCells<'_>, probability: &mut [f64], coverage: &mut [f64]) {
    let count = probability.len();
    let (velocity, slope) = (&cells.velocity[..count], &cells.slope[..count]);
    let (class, index) = (&cells.class[..count], &cells.index[..count]);
    let coverage = &mut coverage[..count];
    for cell in 0..count {
        let velocity = 100.0 * velocity[cell];
        let p = probability_where_sound(velocity, velocity, slope[cell], class[cell], index[cell]);
        probability[cell] = p;
        coverage[cell] = elementary::exp(cover_exponent(p));
    }
}

#[inline(always)]
fn operational_block(
    cells: &BlockOfCells<'_>,
    peak: &[f64],
    probability: &mut [f64],
    coverage: &mut [f64],
) {
    let weakest = Acceleration::g(LOWEST_PGA).si();
    let flattest = LOWEST_SLOPE.atan();
    let count = probability.len();
    let (velocity, slope, peak) = (
        &cells.velocity[..count],
        &cells.slope[..count],
        &peak[..count],
    );
    let (class, index) = (&cells.class[..count], &cells.index[..count]);
    let coverage = &mut coverage[..count];
    for cell in 0..count {
        let velocity = 100.0 * velocity[cell];
        let limited = Variant::Operational.velocity(velocity);
        let index = Variant::Operational.index(index[cell]);
        let p = probability_where_sound(velocity, limited, slope[cell], class[cell], index);
        probability[cell] = p;
        let covered = elementary::exp(cover_exponent(p));
        let still = ((slope[cell] < flattest) | (peak[cell] < weakest)) & !p.is_nan();
        coverage[cell] = if still { 0.0 } else { covered };
    }
}

/// The probability, or `NaN` where the velocity (cm/s) or the slope (radians) cannot be.
#[allow(clippy::manual_range_contains)] // ranges would bring branches in
#[inline(always)]
fn probability_where_sound(
    velocity: f64,
    limited_velocity: f64,
    slope: f64,
    class: f64,
    index: f64,
) -> f64 {
    let sound = (velocity >= f64::MIN_POSITIVE)
        & (velocity <= PGV.highest)
        & (slope >= 0.0)
        & (slope <= std::f64::consts::FRAC_PI_2);
    let ln_velocity = elementary::ln(limited_velocity);
    let x = logit_of_ln(ln_velocity, slope.to_degrees(), class, index);
    let p = elementary::logistic(x);
    if sound { p } else { f64::NAN }
}
