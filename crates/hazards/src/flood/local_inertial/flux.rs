//! Rows of faces and rows of cells: discharge over faces, and what it leaves in cells.
//!
//! Loops over rows hold arithmetic and selections only, so that they are compiled for the widest
//! vectors the machine has. Products are fused with sums where it is written, so that every width
//! gives the same bits.

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::super::domain::{Course, Edge, Ground, VOID};
use super::super::reach;
use super::{DRY, Settings};
use crate::elementary::one_by_cube_root;

/// The faces of one row of cells.
pub(super) struct Around<'a> {
    pub sides: &'a [f64],
    pub top: &'a [f64],
    pub bottom: &'a [f64],
}

/// What a step does to the cells of one row.
#[derive(Debug, Clone, Default)]
pub(super) struct RowOutcome {
    /// Whether a cell would have given more than it had.
    pub overdrawn: bool,
    /// Highest depth.
    pub deepest: f64,
    /// Depths that the ground took up, summed.
    pub sunk: f64,
    /// From the first to the last wet cell, counted from the first one computed.
    pub wet: Range<usize>,
}

/// Numbers that are the same for all faces of one direction in a step.
#[derive(Clone, Copy)]
pub(super) struct Step {
    own: f64,
    neighbours: f64,
    half_gravity_step: f64,
    gravity_step_per_size: f64,
}

/// One side of a face: bed, depth, roughness squared.
#[derive(Clone, Copy)]
pub(super) struct Side {
    bed: f64,
    depth: f64,
    roughness_squared: f64,
}

impl Step {
    /// For faces between the centres of cells of a size.
    pub(super) fn within(settings: &Settings, step: f64, size: f64) -> Step {
        Step {
            own: settings.theta,
            neighbours: (1.0 - settings.theta) / 2.0,
            half_gravity_step: 0.5 * settings.gravity * step,
            gravity_step_per_size: settings.gravity * step / size,
        }
    }

    /// For faces of the grid's sides, half a cell from the nearest centre.
    pub(super) fn at_the_side(settings: &Settings, step: f64, size: f64) -> Step {
        Step {
            own: 1.0,
            neighbours: 0.0,
            ..Step::within(settings, step, size / 2.0)
        }
    }

    /// The new discharge over a face.
    #[inline(always)]
    fn face(&self, q: f64, beside: f64, lower: Side, upper: Side) -> f64 {
        let (level, beyond) = (lower.bed + lower.depth, upper.bed + upper.depth);
        let bed = if lower.bed > upper.bed {
            lower.bed
        } else {
            upper.bed
        };
        let highest = if level > beyond { level } else { beyond };
        let depth = highest - bed;
        let carried = self.own.mul_add(q, self.neighbours * beside);
        let driven = (self.gravity_step_per_size * depth).mul_add(level - beyond, carried);
        // n² is the mean of both sides; h^(-7/3) is the seventh power of h^(-1/3).
        let roughness = lower.roughness_squared + upper.roughness_squared;
        let root = one_by_cube_root(depth);
        let square = root * root;
        let seventh = square * square * (square * root);
        let friction = self.half_gravity_step * roughness * q.abs();
        let slowed = driven / friction.mul_add(seventh, 1.0);
        if depth > DRY { slowed } else { 0.0 }
    }
}

/// Cells of one row.
pub(super) struct Cells<'a> {
    bed: &'a [f64],
    depth: &'a [f64],
    roughness_squared: &'a [f64],
}

impl<'a> Cells<'a> {
    pub(super) fn of(
        ground: &'a Ground,
        depth: &'a [f64],
        row: usize,
        cells: &Range<usize>,
    ) -> Cells<'a> {
        let first = row * ground.columns;
        let range = first + cells.start..first + cells.end;
        Cells {
            bed: &ground.bed[range.clone()],
            depth: &depth[range.clone()],
            roughness_squared: &ground.roughness_squared[range],
        }
    }
}

impl Side {
    pub(super) fn of(ground: &Ground, depth: &[f64], cell: usize) -> Side {
        Side {
            bed: ground.bed[cell],
            depth: depth[cell],
            roughness_squared: ground.roughness_squared[cell],
        }
    }
}

/// Faces between the cells of one row; the first and the last face are the grid's sides.
pub(super) struct AlongRow<'a> {
    pub step: &'a Step,
    pub next: &'a mut [f64],
    pub old: &'a [f64],
    pub cells: Cells<'a>,
}

impl WithSimd for AlongRow<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        along_row(self.step, self.next, self.old, &self.cells);
    }
}

#[inline(always)]
fn along_row(step: &Step, next: &mut [f64], old: &[f64], cells: &Cells<'_>) {
    let inner = cells.bed.len() - 1;
    let next = &mut next[1..=inner];
    let (before, own, after) = (&old[..inner], &old[1..=inner], &old[2..inner + 2]);
    let (bed, bed_beyond) = (&cells.bed[..inner], &cells.bed[1..=inner]);
    let (depth, depth_beyond) = (&cells.depth[..inner], &cells.depth[1..=inner]);
    let rough = &cells.roughness_squared[..inner];
    let rough_beyond = &cells.roughness_squared[1..=inner];
    for at in 0..inner {
        let lower = Side {
            bed: bed[at],
            depth: depth[at],
            roughness_squared: rough[at],
        };
        let upper = Side {
            bed: bed_beyond[at],
            depth: depth_beyond[at],
            roughness_squared: rough_beyond[at],
        };
        next[at] = step.face(own[at], before[at] + after[at], lower, upper);
    }
}

/// Faces between two rows of cells.
pub(super) struct BetweenRows<'a> {
    pub step: &'a Step,
    pub next: &'a mut [f64],
    /// Old discharges over the faces above, over these, and over those below.
    pub around: [&'a [f64]; 3],
    pub cells: [Cells<'a>; 2],
}

impl WithSimd for BetweenRows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        between_rows(self.step, self.next, self.around, &self.cells);
    }
}

#[inline(always)]
fn between_rows(
    step: &Step,
    next: &mut [f64],
    [before, own, after]: [&[f64]; 3],
    [above, below]: &[Cells<'_>; 2],
) {
    let count = next.len();
    let (before, own, after) = (&before[..count], &own[..count], &after[..count]);
    let (bed, bed_beyond) = (&above.bed[..count], &below.bed[..count]);
    let (depth, depth_beyond) = (&above.depth[..count], &below.depth[..count]);
    let rough = &above.roughness_squared[..count];
    let rough_beyond = &below.roughness_squared[..count];
    for at in 0..count {
        let lower = Side {
            bed: bed[at],
            depth: depth[at],
            roughness_squared: rough[at],
        };
        let upper = Side {
            bed: bed_beyond[at],
            depth: depth_beyond[at],
            roughness_squared: rough_beyond[at],
        };
        next[at] = step.face(own[at], before[at] + after[at], lower, upper);
    }
}

/// Discharge over the face two further into the grid: held cells pass on what passes behind them,
/// so that the face between has the same neighbour on both sides.
pub(super) fn second(faces: &[f64], face: usize, way: isize, cells: usize) -> f64 {
    let within = cells >= 2;
    let inner = face.checked_add_signed(2 * way).filter(|_| within);
    inner
        .and_then(|inner| faces.get(inner))
        .copied()
        .unwrap_or(0.0)
}

/// Discharge into the grid over one face of a side; `None` where the edge's cells are held.
pub(super) fn inward(edge: &Edge, step: &Step, q: f64, cell: Side, middle: f64) -> Option<f64> {
    if cell.bed == VOID {
        return Some(0.0);
    }
    Some(match edge {
        Edge::Held => return None,
        Edge::Wall | Edge::Discharge(_) => 0.0,
        Edge::Open { slope } => {
            let roughness = cell.roughness_squared.sqrt();
            -cell.depth.powf(5.0 / 3.0) * slope.sqrt() / roughness
        }
        Edge::Level(level) => {
            let beyond = Side {
                bed: cell.bed,
                depth: beyond_depth(level, middle, cell.bed),
                ..cell
            };
            step.face(q, 0.0, beyond, cell)
        }
    })
}

fn beyond_depth(level: &Course, time: f64, bed: f64) -> f64 {
    (level.at(time) - bed).max(0.0)
}

/// Gives cells of one row their new depths.
pub(super) struct Spread<'a> {
    pub next: &'a mut [f64],
    pub depth: &'a [f64],
    pub bed: &'a [f64],
    pub around: Around<'a>,
    /// Length of the step over the width and over the height of a cell.
    pub per_size: [f64; 2],
    pub rain: f64,
    pub sinks: f64,
}

impl WithSimd for Spread<'_> {
    type Output = RowOutcome;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> RowOutcome {
        let count = self.next.len();
        let (next, depth, bed) = (self.next, &self.depth[..count], &self.bed[..count]);
        let (before, after) = (&self.around.sides[..count], &self.around.sides[1..=count]);
        let (top, bottom) = (&self.around.top[..count], &self.around.bottom[..count]);
        let [per_width, per_height] = self.per_size;
        let (mut overdrawn, mut deepest) = (0u64, 0u64);
        for at in 0..count {
            let moved = depth[at]
                + per_width * (before[at] - after[at])
                + per_height * (top[at] - bottom[at]);
            overdrawn |= u64::from(moved < 0.0);
            let rained = if bed[at] < VOID {
                moved + self.rain
            } else {
                0.0
            };
            // Of numbers that are not negative, the higher has the higher bits.
            let bits = rained.to_bits();
            deepest = if bits > deepest { bits } else { deepest };
            next[at] = rained;
        }
        let mut outcome = RowOutcome {
            overdrawn: overdrawn != 0,
            deepest: f64::from_bits(deepest),
            ..RowOutcome::default()
        };
        if self.sinks > 0.0 {
            for depth in &mut *next {
                let taken = depth.min(self.sinks).max(0.0);
                *depth -= taken;
                outcome.sunk += taken;
            }
        }
        outcome.wet = reach::wet(next);
        outcome
    }
}
