//! A step over all rows in one go: each row's faces, then the cells behind them while all that they
//! need is still in the cache. Discharges are renewed in place.

use super::super::domain::Ground;
use super::super::reach::{Reach, hull};
use super::Settings;
use super::faces::Faces;
use super::flux::{
    AlongRow, Around, BetweenRows, Cells, RowOutcome, Side, Spread, Step, inward, second,
};
use crate::parallel;
use pulp::Arch;

/// What a step begins with.
pub(super) struct Pass<'a> {
    pub ground: &'a Ground,
    /// Depths before the step.
    pub depth: &'a [f64],
    pub reach: &'a Reach,
    /// Length of the step and the time of its middle, in seconds.
    pub step: f64,
    pub middle: f64,
    /// Depths that the step rains, and that the ground can take up.
    pub rain: f64,
    pub sinks: f64,
    along: Step,
    down: Step,
    along_at_the_side: Step,
    pub down_at_the_side: Step,
}

/// Rows that one thread works on, with the old discharges over the faces before and after them.
struct Band<'a> {
    first: usize,
    x: &'a mut [f64],
    y: &'a mut [f64],
    next: &'a mut [f64],
    above: Vec<f64>,
    below: Vec<f64>,
}

impl<'a> Pass<'a> {
    pub(super) fn new(
        ground: &'a Ground,
        settings: &Settings,
        depth: &'a [f64],
        reach: &'a Reach,
        [step, middle]: [f64; 2],
        [rain, sinks]: [f64; 2],
    ) -> Pass<'a> {
        Pass {
            along: Step::within(settings, step, ground.width),
            down: Step::within(settings, step, ground.height),
            along_at_the_side: Step::at_the_side(settings, step, ground.width),
            down_at_the_side: Step::at_the_side(settings, step, ground.height),
            ground,
            depth,
            reach,
            step,
            middle,
            rain,
            sinks,
        }
    }

    /// New discharges and new depths; says of each row what became of it.
    pub(super) fn run(
        &self,
        faces: &mut Faces,
        next: &mut [f64],
        threads: usize,
    ) -> Vec<RowOutcome> {
        let (rows, columns) = (self.ground.rows, self.ground.columns);
        let share = rows.div_ceil(threads.max(1)).max(1);
        let old = |y: &[f64], row: usize| y[row * columns..(row + 1) * columns].to_vec();
        let halos: Vec<[Vec<f64>; 2]> = (0..rows)
            .step_by(share)
            .map(|first| {
                let end = (first + share).min(rows);
                [old(&faces.y, first.saturating_sub(1)), old(&faces.y, end)]
            })
            .collect();
        let (inner, _) = faces.y.split_at_mut(rows * columns);
        let bands = faces.x.chunks_mut(share * (columns + 1));
        let bands = bands.zip(inner.chunks_mut(share * columns));
        let bands = bands.zip(next.chunks_mut(share * columns)).zip(halos);
        let bands = bands.enumerate().map(|(at, (((x, y), next), halo))| {
            let [above, below] = halo;
            Band {
                first: at * share,
                x,
                y,
                next,
                above,
                below,
            }
        });
        let outcomes = parallel::each(bands.collect(), |band| self.band(band));
        let mut outcomes: Vec<RowOutcome> = outcomes.into_iter().flatten().collect();
        faces.ends(self);
        // Rows whose lower faces another thread renewed, and those at the top and the bottom.
        for row in 0..rows {
            if self.waits(row, share) {
                let next = &mut next[row * columns..(row + 1) * columns];
                outcomes[row] = self.cells(faces, row, next);
            }
        }
        outcomes
    }

    /// New depths of all rows from discharges that are new already.
    pub(super) fn spread(
        &self,
        faces: &Faces,
        next: &mut [f64],
        threads: usize,
    ) -> Vec<RowOutcome> {
        parallel::rows(next, self.ground.columns, threads, |row, next| {
            self.cells(faces, row, next)
        })
    }

    /// Whether the cells of a row wait until all faces are new.
    fn waits(&self, row: usize, share: usize) -> bool {
        row == 0 || row + 1 == self.ground.rows || (row + 1).is_multiple_of(share)
    }

    fn cells(&self, faces: &Faces, row: usize, next: &mut [f64]) -> RowOutcome {
        let around = faces.around(row, self.ground.columns);
        self.row(row, around, next)
    }

    /// New depths of a row from the discharges around it.
    fn row(&self, row: usize, around: Around<'_>, next: &mut [f64]) -> RowOutcome {
        let (ground, cells) = (self.ground, self.reach.updated(row));
        if cells.is_empty() {
            return RowOutcome::default();
        }
        let all = row * ground.columns + cells.start..row * ground.columns + cells.end;
        let mut outcome = Arch::new().dispatch(Spread {
            next: &mut next[cells.clone()],
            depth: &self.depth[all.clone()],
            bed: &ground.bed[all],
            around: Around {
                sides: &around.sides[cells.start..=cells.end],
                top: &around.top[cells.clone()],
                bottom: &around.bottom[cells.clone()],
            },
            per_size: [self.step / ground.width, self.step / ground.height],
            rain: self.rain,
            sinks: self.sinks,
        });
        outcome.wet = outcome.wet.start + cells.start..outcome.wet.end + cells.start;
        outcome
    }

    fn band(&self, band: Band<'_>) -> Vec<RowOutcome> {
        let Band {
            first,
            x,
            y,
            next,
            above,
            below,
        } = band;
        let columns = self.ground.columns;
        let rows = next.len() / columns;
        let mut outcomes = vec![RowOutcome::default(); rows];
        // Old discharges: over the faces of the row before, of this one, and along this one.
        let (mut before, mut own, mut sides) = (above, vec![0.0; columns], vec![0.0; columns + 1]);
        for at in 0..rows {
            let row = first + at;
            let here = at * columns..(at + 1) * columns;
            if row > 0 {
                let faces = self.reach.faces(row);
                let kept = hull(faces.clone(), &self.reach.faces(row + 1));
                own[kept.clone()].copy_from_slice(&y[here.clone()][kept]);
                if !faces.is_empty() {
                    let (upto, after) = y.split_at_mut(here.end);
                    let after = if after.is_empty() { &below } else { &*after };
                    Arch::new().dispatch(BetweenRows {
                        step: &self.down,
                        next: &mut upto[here.start..][faces.clone()],
                        around: [
                            &before[faces.clone()],
                            &own[faces.clone()],
                            &after[faces.clone()],
                        ],
                        cells: [row - 1, row]
                            .map(|row| Cells::of(self.ground, self.depth, row, &faces)),
                    });
                }
                std::mem::swap(&mut before, &mut own);
            } else {
                before.copy_from_slice(&y[here.clone()]);
            }
            let along = &mut x[at * (columns + 1)..(at + 1) * (columns + 1)];
            self.along(row, along, &mut sides);
            if at > 0 && row > 1 {
                let around = Around {
                    sides: &x[(at - 1) * (columns + 1)..at * (columns + 1)],
                    top: &y[here.start - columns..here.start],
                    bottom: &y[here],
                };
                let next = &mut next[(at - 1) * columns..at * columns];
                outcomes[at - 1] = self.row(row - 1, around, next);
            }
        }
        outcomes
    }

    /// New discharges over the faces between the cells of a row and over its two ends.
    fn along(&self, row: usize, x: &mut [f64], old: &mut [f64]) {
        let (ground, columns) = (self.ground, self.ground.columns);
        let cells = self.reach.updated(row);
        if !cells.is_empty() {
            // With a cell more on both sides, for the faces at the ends.
            let cells = cells.start.saturating_sub(1)..(cells.end + 1).min(columns);
            let faces = cells.start..=cells.end;
            let old = &mut old[faces.clone()];
            old.copy_from_slice(&x[faces.clone()]);
            Arch::new().dispatch(AlongRow {
                step: &self.along,
                next: &mut x[faces],
                old,
                cells: Cells::of(ground, self.depth, row, &cells),
            });
        }
        let (step, edges) = (&self.along_at_the_side, &ground.edges);
        let cell = |column: usize| Side::of(ground, self.depth, row * columns + column);
        let left = inward(&edges.left, step, x[0], cell(0), self.middle);
        x[0] = left.unwrap_or_else(|| second(x, 0, 1, columns));
        let right = inward(
            &edges.right,
            step,
            -x[columns],
            cell(columns - 1),
            self.middle,
        );
        let right = right.map(|q| -q);
        x[columns] = right.unwrap_or_else(|| second(x, columns, -1, columns));
    }
}
