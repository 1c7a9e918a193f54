//! Discharge over all faces between cells and at the sides of the grid.

use super::super::domain::Ground;
use super::super::reach::Reach;
use super::flux::{Around, Side, inward, second};
use super::pass::Pass;

/// Discharge per width in m²/s, positive towards higher columns and rows.
#[derive(Debug, Clone)]
pub(super) struct Faces {
    /// Over the faces before each column and after the last, row by row.
    pub x: Vec<f64>,
    /// Over the faces before each row and after the last.
    pub y: Vec<f64>,
}

impl Faces {
    pub(super) fn at_rest(ground: &Ground) -> Faces {
        Faces {
            x: vec![0.0; (ground.columns + 1) * ground.rows],
            y: vec![0.0; (ground.rows + 1) * ground.columns],
        }
    }

    /// Discharge over the top and the bottom of the grid, once that over the faces within is new.
    pub(super) fn ends(&mut self, pass: &Pass<'_>) {
        let ground = pass.ground;
        let (rows, columns) = (ground.rows, ground.columns);
        for column in 0..columns {
            let (first, last) = (column, rows * columns + column);
            let q = self.y[first];
            let cell = Side::of(ground, pass.depth, column);
            let top = inward(
                &ground.edges.top,
                &pass.down_at_the_side,
                q,
                cell,
                pass.middle,
            );
            let next_row = columns as isize;
            self.y[first] = top.unwrap_or_else(|| second(&self.y, first, next_row, rows));
            let q = -self.y[last];
            let cell = Side::of(ground, pass.depth, (rows - 1) * columns + column);
            let bottom = inward(
                &ground.edges.bottom,
                &pass.down_at_the_side,
                q,
                cell,
                pass.middle,
            )
            .map(|q| -q);
            self.y[last] = bottom.unwrap_or_else(|| second(&self.y, last, -next_row, rows));
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

    /// The faces around the cells of a row.
    pub(super) fn around(&self, row: usize, columns: usize) -> Around<'_> {
        Around {
            sides: &self.x[row * (columns + 1)..(row + 1) * (columns + 1)],
            top: &self.y[row * columns..(row + 1) * columns],
            bottom: &self.y[(row + 1) * columns..(row + 2) * columns],
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
