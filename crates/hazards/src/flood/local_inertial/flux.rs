//! Discharge over the faces between cells, and what it leaves in them.
//!
//! Loops over rows hold arithmetic and selections only, so that they are compiled for the widest
//! vectors the machine has; nothing is fused, so every width gives the same bits.

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use super::super::domain::{Course, Edge, Ground, VOID};
use super::super::reach::Reach;
use super::{DRY, Settings};
use crate::elementary::cube_root;
use crate::parallel;

/// Discharge per width in m²/s, positive towards higher columns and rows.
#[derive(Debug, Clone)]
pub(super) struct Faces {
    /// Over the faces before each column and after the last, row by row.
    x: Vec<f64>,
    /// Over the faces before each row and after the last.
    y: Vec<f64>,
    x_next: Vec<f64>,
    y_next: Vec<f64>,
}

/// The faces of one row of cells.
pub(super) struct Around<'a> {
    pub sides: &'a [f64],
    pub top: &'a [f64],
    pub bottom: &'a [f64],
}

/// What a step does to the cells of one row.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RowOutcome {
    /// Whether a cell would have given more than it had.
    pub overdrawn: bool,
    /// Highest depth.
    pub deepest: f64,
    /// Depths that the ground took up, summed.
    pub sunk: f64,
}

/// Numbers that are the same for all faces of one direction in a step.
#[derive(Clone, Copy)]
struct Step {
    own: f64,
    neighbours: f64,
    gravity_step: f64,
    gravity_step_per_size: f64,
}

/// One side of a face: bed, depth, roughness squared.
#[derive(Clone, Copy)]
struct Side {
    bed: f64,
    depth: f64,
    roughness_squared: f64,
}

impl Step {
    fn new(settings: &Settings, step: f64, size: f64) -> Step {
        Step {
            own: settings.theta,
            neighbours: (1.0 - settings.theta) / 2.0,
            gravity_step: settings.gravity * step,
            gravity_step_per_size: settings.gravity * step / size,
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
        let roughness = 0.5 * (lower.roughness_squared + upper.roughness_squared);
        let carried = self.own * q + self.neighbours * beside;
        let driven = carried - self.gravity_step_per_size * depth * (beyond - level);
        let resistance = depth * depth * cube_root(depth);
        let slowed = driven * resistance / (resistance + self.gravity_step * roughness * q.abs());
        if depth > DRY { slowed } else { 0.0 }
    }
}

impl Faces {
    pub(super) fn at_rest(ground: &Ground) -> Faces {
        let x = vec![0.0; (ground.columns + 1) * ground.rows];
        let y = vec![0.0; (ground.rows + 1) * ground.columns];
        Faces {
            x_next: x.clone(),
            y_next: y.clone(),
            x,
            y,
        }
    }

    /// Discharge over all faces after a step that begins with these depths.
    pub(super) fn advance(
        &mut self,
        ground: &Ground,
        settings: &Settings,
        depth: &[f64],
        reach: &Reach,
        [step, middle]: [f64; 2],
    ) {
        let (rows, columns) = (ground.rows, ground.columns);
        let along = Step::new(settings, step, ground.width);
        let down = Step::new(settings, step, ground.height);
        let (x, y) = (&self.x, &self.y);
        parallel::two_rows(
            (&mut self.x_next, columns + 1),
            (&mut self.y_next[..rows * columns], columns),
            settings.threads,
            |row, x_next, y_next| {
                let cells = reach.updated(row);
                if !cells.is_empty() {
                    // With a cell more on both sides, for the faces at the ends.
                    let cells = cells.start.saturating_sub(1)..(cells.end + 1).min(columns);
                    let faces = cells.start..=cells.end;
                    let old = &x[row * (columns + 1)..][faces.clone()];
                    let next = &mut x_next[faces];
                    let cells = Cells::of(ground, depth, row, &cells);
                    Arch::new().dispatch(AlongRow {
                        step: &along,
                        next,
                        old,
                        cells,
                    });
                }
                if row > 0 {
                    let faces = reach.faces(row);
                    let cells = [row - 1, row].map(|row| Cells::of(ground, depth, row, &faces));
                    let around =
                        [row - 1, row, row + 1].map(|row| &y[row * columns..][faces.clone()]);
                    let next = &mut y_next[faces.clone()];
                    Arch::new().dispatch(BetweenRows {
                        step: &down,
                        next,
                        around,
                        cells,
                    });
                }
            },
        );
        self.edges(ground, settings, depth, step, middle);
        std::mem::swap(&mut self.x, &mut self.x_next);
        std::mem::swap(&mut self.y, &mut self.y_next);
    }

    /// Discharge over the four sides of the grid.
    fn edges(
        &mut self,
        ground: &Ground,
        settings: &Settings,
        depth: &[f64],
        step: f64,
        middle: f64,
    ) {
        let (rows, columns) = (ground.rows, ground.columns);
        let half = |size: f64| Step {
            own: 1.0,
            neighbours: 0.0,
            ..Step::new(settings, step, size / 2.0)
        };
        let along = half(ground.width);
        let down = half(ground.height);
        for row in 0..rows {
            let (first, last) = (row * (columns + 1), row * (columns + 1) + columns);
            let cell = |column: usize| Side::of(ground, depth, row * columns + column);
            let q = self.x[first];
            let left = inward(&ground.edges.left, &along, q, cell(0), middle);
            self.x_next[first] = left.unwrap_or_else(|| second(&self.x_next, first, 1, columns));
            let q = -self.x[last];
            let right = inward(&ground.edges.right, &along, q, cell(columns - 1), middle);
            let right = right.map(|q| -q);
            self.x_next[last] = right.unwrap_or_else(|| second(&self.x_next, last, -1, columns));
        }
        for column in 0..columns {
            let (first, last) = (column, rows * columns + column);
            let q = self.y[first];
            let top = Side::of(ground, depth, column);
            let top = inward(&ground.edges.top, &down, q, top, middle);
            let next_row = columns as isize;
            self.y_next[first] = top.unwrap_or_else(|| second(&self.y_next, first, next_row, rows));
            let q = -self.y[last];
            let bottom = Side::of(ground, depth, (rows - 1) * columns + column);
            let bottom = inward(&ground.edges.bottom, &down, q, bottom, middle).map(|q| -q);
            self.y_next[last] =
                bottom.unwrap_or_else(|| second(&self.y_next, last, -next_row, rows));
        }
    }

    /// Scales what leaves a cell to what it holds.
    pub(super) fn limit(&mut self, ground: &Ground, depth: &[f64], reach: &Reach, step: f64) {
        let columns = ground.columns;
        let (per_width, per_height) = (step / ground.width, step / ground.height);
        // A face takes from one cell only, so no cell's share depends on another's.
        for row in 0..ground.rows {
            for cell in reach.updated(row).map(|column| row * columns + column) {
                let [left, right, top, bottom] = self.of(cell, columns);
                let leaves = per_width * ((-self.x[left]).max(0.0) + self.x[right].max(0.0))
                    + per_height * ((-self.y[top]).max(0.0) + self.y[bottom].max(0.0));
                if leaves <= depth[cell] {
                    continue;
                }
                // A hair less than all of it, so that rounding leaves nothing negative.
                let share = depth[cell] / leaves * (1.0 - 1e-12);
                let scale = |q: &mut f64, outward: f64| {
                    if *q * outward > 0.0 {
                        *q *= share;
                    }
                };
                scale(&mut self.x[left], -1.0);
                scale(&mut self.x[right], 1.0);
                scale(&mut self.y[top], -1.0);
                scale(&mut self.y[bottom], 1.0);
            }
        }
    }

    /// The faces of a cell: left, right, top, bottom.
    fn of(&self, cell: usize, columns: usize) -> [usize; 4] {
        let left = cell + cell / columns;
        [left, left + 1, cell, cell + columns]
    }

    /// The faces around cells of a row.
    pub(super) fn around(&self, row: usize, columns: usize, cells: &Range<usize>) -> Around<'_> {
        Around {
            sides: &self.x[row * (columns + 1)..][cells.start..=cells.end],
            top: &self.y[row * columns..][cells.clone()],
            bottom: &self.y[(row + 1) * columns..][cells.clone()],
        }
    }

    /// Discharge through a cell per width, in m²/s: the mean of its faces.
    pub(super) fn discharge(&self, ground: &Ground, cell: usize) -> f64 {
        let [left, right, top, bottom] = self.of(cell, ground.columns);
        let x = 0.5 * (self.x[left] + self.x[right]);
        let y = 0.5 * (self.y[top] + self.y[bottom]);
        (x * x + y * y).sqrt()
    }

    /// Water that enters over the four sides, in m³/s.
    pub(super) fn edge_inflow(&self, ground: &Ground) -> f64 {
        let (rows, columns) = (ground.rows, ground.columns);
        let sides = (0..rows).map(|row| {
            let first = row * (columns + 1);
            self.x[first] - self.x[first + columns]
        });
        let ends = (0..columns).map(|column| self.y[column] - self.y[rows * columns + column]);
        sides.sum::<f64>() * ground.height + ends.sum::<f64>() * ground.width
    }
}

/// Cells of one row.
struct Cells<'a> {
    bed: &'a [f64],
    depth: &'a [f64],
    roughness_squared: &'a [f64],
}

impl<'a> Cells<'a> {
    fn of(ground: &'a Ground, depth: &'a [f64], row: usize, cells: &Range<usize>) -> Cells<'a> {
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
    fn of(ground: &Ground, depth: &[f64], cell: usize) -> Side {
        Side {
            bed: ground.bed[cell],
            depth: depth[cell],
            roughness_squared: ground.roughness_squared[cell],
        }
    }
}

/// Faces between the cells of one row; the first and the last face are the grid's sides.
struct AlongRow<'a> {
    step: &'a Step,
    next: &'a mut [f64],
    old: &'a [f64],
    cells: Cells<'a>,
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
struct BetweenRows<'a> {
    step: &'a Step,
    next: &'a mut [f64],
    /// Discharges over the faces above, of the same faces, and over those below.
    around: [&'a [f64]; 3],
    cells: [Cells<'a>; 2],
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
fn second(faces: &[f64], face: usize, way: isize, cells: usize) -> f64 {
    let within = cells >= 2;
    let inner = face.checked_add_signed(2 * way).filter(|_| within);
    inner
        .and_then(|inner| faces.get(inner))
        .copied()
        .unwrap_or(0.0)
}

/// Discharge into the grid over one face of a side; `None` where the edge's cells are held.
fn inward(edge: &Edge, step: &Step, q: f64, cell: Side, middle: f64) -> Option<f64> {
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
            sunk: 0.0,
        };
        if self.sinks > 0.0 {
            for depth in next {
                let taken = depth.min(self.sinks).max(0.0);
                *depth -= taken;
                outcome.sunk += taken;
            }
        }
        outcome
    }
}
