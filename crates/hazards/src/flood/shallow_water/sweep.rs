//! One stage over a band of rows: ends of the cells, fluxes over their faces, slope of the bed,
//! rain, infiltration and friction.
//!
//! Rows pass through once. All loops hold arithmetic and selections only and are compiled for the
//! widest vectors the machine has. Products are fused with sums where it is written, so that every
//! width gives the same bits.

// Loops over the lanes of a piece go through several arrays at once.
#![allow(clippy::needless_range_loop)]

use std::ops::Range;

use pulp::{Simd, WithSimd};

use super::super::domain::{Ground, VOID};
use super::super::reach::Reach;
use super::State;
use super::edge::over_edge;
use super::face::{DRY, End, Flux, flux};
use super::lanes::{LANES, Lanes, Row, greater, lesser};
use crate::elementary::one_by_cube_root;

/// How far a slope may exceed the smaller of the two differences; 1 is minmod, 2 the sharpest that
/// keeps depths positive.
const SHARPNESS: f64 = 1.3;

/// Slope through a cell so that no new extreme arises (van Leer 1979).
#[inline(always)]
fn limited(before: f64, behind: f64, sharpness: f64) -> f64 {
    let smallest = sharpness * lesser(before.abs(), behind.abs());
    let slope = lesser(smallest, 0.5 * (before + behind).abs()).copysign(before);
    if before * behind > 0.0 { slope } else { 0.0 }
}

/// What a stage needs to know.
pub(super) struct Sweep<'a> {
    pub ground: &'a Ground,
    pub from: &'a State,
    /// The state with which the new one is averaged.
    pub mean_with: Option<&'a State>,
    pub reach: &'a Reach,
    pub gravity: f64,
    /// Time for levels and discharges at the edges.
    pub time: f64,
    /// Length of the stage in seconds.
    pub step: f64,
    /// Rain in m/s.
    pub rain: f64,
    /// Depth that the ground takes up in the stage.
    pub sinks: f64,
}

/// What a stage did to one row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Outcome {
    /// Water that came over the grid's edge, in m³/s.
    pub edges: f64,
    /// Depths that the ground took up, summed.
    pub sunk: f64,
    /// Lowest depth before rain; below zero where a cell gave more than it had.
    pub lowest: f64,
    /// Cells with water.
    pub wet: Range<usize>,
}

/// Water along a row.
#[derive(Clone)]
struct Water {
    bed: Row,
    depth: Row,
    level: Row,
    right: Row,
    down: Row,
}

/// One end of the cells of a row.
#[derive(Clone)]
struct Line {
    depth: Row,
    bed: Row,
    across: Row,
    along: Row,
}

impl Line {
    fn new(columns: usize) -> Line {
        let row = Row::new(columns);
        Line {
            depth: row.clone(),
            bed: row.clone(),
            across: row.clone(),
            along: row,
        }
    }

    #[inline(always)]
    fn get(&self, cell: usize) -> End {
        End {
            depth: self.depth.get(cell),
            bed: self.bed.get(cell),
            across: self.across.get(cell),
            along: self.along.get(cell),
        }
    }

    #[inline(always)]
    fn load(&self, at: usize) -> [Lanes; 4] {
        [
            self.depth.load(at),
            self.bed.load(at),
            self.across.load(at),
            self.along.load(at),
        ]
    }

    #[inline(always)]
    fn before(&self, at: usize) -> [Lanes; 4] {
        [
            self.depth.before(at),
            self.bed.before(at),
            self.across.before(at),
            self.along.before(at),
        ]
    }

    #[inline(always)]
    fn store(&mut self, at: usize, [depth, bed, across, along]: [Lanes; 4]) {
        self.depth.store(at, depth);
        self.bed.store(at, bed);
        self.across.store(at, across);
        self.along.store(at, along);
    }

    #[inline(always)]
    fn set(&mut self, cell: usize, end: End) {
        self.depth.set(cell, end.depth);
        self.bed.set(cell, end.bed);
        self.across.set(cell, end.across);
        self.along.set(cell, end.along);
    }
}

/// Both ends of the cells of a row.
#[derive(Clone)]
struct Ends {
    lower: Line,
    upper: Line,
}

/// What passes over the faces before the cells of a row.
#[derive(Clone)]
struct Faces {
    volume: Row,
    across_before: Row,
    across_behind: Row,
    along: Row,
}

impl Faces {
    #[inline(always)]
    fn set(&mut self, face: usize, flux: Flux) {
        self.volume.set(face, flux.volume);
        self.across_before.set(face, flux.across_before);
        self.across_behind.set(face, flux.across_behind);
        self.along.set(face, flux.along);
    }
}

/// Which way faces are crossed.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Right,
    Down,
}

/// The rows that a band needs at one time.
struct Rows {
    water: [Water; 4],
    down_ends: [Ends; 2],
    down_faces: [Faces; 2],
    right_ends: Ends,
    right_faces: Faces,
    next: [Row; 3],
    /// Depth and momentum of the state with which the new one is averaged, and roughness.
    mean: [Row; 3],
    roughness_squared: Row,
}

impl Rows {
    fn new(columns: usize) -> Rows {
        let row = Row::new(columns);
        let line = Line::new(columns);
        let ends = Ends {
            lower: line.clone(),
            upper: line,
        };
        let faces = Faces {
            volume: row.clone(),
            across_before: row.clone(),
            across_behind: row.clone(),
            along: row.clone(),
        };
        let water = Water {
            // Beyond the last cell of a row there is none.
            bed: Row::filled(columns, VOID),
            depth: row.clone(),
            level: row.clone(),
            right: row.clone(),
            down: row.clone(),
        };
        let rows = [row.clone(), row.clone(), row.clone()];
        Rows {
            water: [water.clone(), water.clone(), water.clone(), water],
            down_ends: [ends.clone(), ends.clone()],
            down_faces: [faces.clone(), faces.clone()],
            right_ends: ends,
            right_faces: faces,
            next: rows.clone(),
            mean: rows,
            roughness_squared: row,
        }
    }
}

/// A band of rows from `first` on, whose new state is written to `to`.
pub(super) struct Band<'a> {
    pub sweep: &'a Sweep<'a>,
    pub first: usize,
    pub to: [&'a mut [f64]; 3],
}

impl WithSimd for Band<'_> {
    type Output = Vec<Outcome>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<Outcome> {
        self.sweep.band(self.first, self.to)
    }
}

impl Sweep<'_> {
    /// Writes the new state of the rows from `first` on and says what happened to each.
    #[inline(always)]
    fn band(&self, first: usize, state: [&mut [f64]; 3]) -> Vec<Outcome> {
        let columns = self.ground.columns;
        let [depth, right, down] = state;
        let rows = depth.len() / columns;
        let mut band = Rows::new(columns);
        for row in first.saturating_sub(2)..(first + 2).min(self.ground.rows) {
            self.load(&mut band, row);
        }
        if first > 0 {
            self.ends_down(&mut band, first - 1);
        }
        self.ends_down(&mut band, first);
        self.faces_down(&mut band, first);
        let mut outcomes = Vec::with_capacity(rows);
        for at in 0..rows {
            let row = first + at;
            if row + 2 < self.ground.rows {
                self.load(&mut band, row + 2);
            }
            if row + 1 < self.ground.rows {
                self.ends_down(&mut band, row + 1);
            }
            self.faces_down(&mut band, row + 1);
            let cells = at * columns..(at + 1) * columns;
            let to = [
                &mut depth[cells.clone()],
                &mut right[cells.clone()],
                &mut down[cells],
            ];
            outcomes.push(self.row(&mut band, row, to));
        }
        outcomes
    }

    /// Takes in a row of the state and finds its levels and speeds.
    #[inline(always)]
    fn load(&self, band: &mut Rows, row: usize) {
        let cells = self.reach.water(row);
        let columns = self.ground.columns;
        let whole = row * columns..(row + 1) * columns;
        let water = &mut band.water[row % 4];
        for (row, values) in [
            (&mut water.bed, &self.ground.bed),
            (&mut water.depth, &self.from.depth),
            (&mut water.right, &self.from.right),
            (&mut water.down, &self.from.down),
        ] {
            row.fill(&cells, &values[whole.clone()]);
        }
        for at in cells.step_by(LANES) {
            let (bed, depth) = (water.bed.load(at), water.depth.load(at));
            let (mut right, mut down) = (water.right.load(at), water.down.load(at));
            let mut level = [0.0; LANES];
            for lane in 0..LANES {
                level[lane] = depth[lane] + bed[lane];
                let wet = depth[lane] > DRY;
                let per_depth = 1.0 / depth[lane];
                right[lane] = if wet { right[lane] * per_depth } else { 0.0 };
                down[lane] = if wet { down[lane] * per_depth } else { 0.0 };
            }
            water.level.store(at, level);
            water.right.store(at, right);
            water.down.store(at, down);
        }
    }

    #[inline(always)]
    fn ends_down(&self, band: &mut Rows, row: usize) {
        let cells = self.reach.ends(row);
        let here = &band.water[row % 4];
        let ends = &mut band.down_ends[row % 2];
        if row == 0 || row + 1 == self.ground.rows {
            for cell in cells {
                let end = plain(here, cell, Way::Down);
                ends.lower.set(cell, end);
                ends.upper.set(cell, end);
            }
            return;
        }
        let (above, below) = (&band.water[(row - 1) % 4], &band.water[(row + 1) % 4]);
        ends_of(ends, [above, here, below], cells, Way::Down);
    }

    /// What passes between a row and the one above it, or over the grid's edge.
    #[inline(always)]
    fn faces_down(&self, band: &mut Rows, row: usize) {
        let cells = self.reach.faces(row);
        let faces = &mut band.down_faces[row % 2];
        let edges = &self.ground.edges;
        if row == 0 || row == self.ground.rows {
            let (edge, inward) = match row == 0 {
                true => (&edges.top, 1.0),
                false => (&edges.bottom, -1.0),
            };
            for cell in cells {
                let inside = match row == 0 {
                    true => band.down_ends[0].lower.get(cell),
                    false => band.down_ends[(row + 1) % 2].upper.get(cell),
                };
                faces.set(
                    cell,
                    over_edge(self.gravity, self.time, edge, inside, inward),
                );
            }
            return;
        }
        let (above, here) = (&band.down_ends[(row + 1) % 2], &band.down_ends[row % 2]);
        for at in cells.step_by(LANES) {
            fluxes(
                self.gravity,
                faces,
                at,
                above.upper.load(at),
                here.lower.load(at),
            );
        }
    }

    /// Ends, faces along the row, and the new state.
    #[inline(always)]
    fn row(&self, band: &mut Rows, row: usize, to: [&mut [f64]; 3]) -> Outcome {
        let columns = self.ground.columns;
        let cells = self.reach.updated(row);
        if cells.is_empty() {
            return Outcome {
                edges: 0.0,
                sunk: 0.0,
                lowest: 0.0,
                wet: 0..0,
            };
        }
        let here = &band.water[row % 4];
        ends_of(
            &mut band.right_ends,
            [here, here, here],
            self.reach.ends(row),
            Way::Right,
        );
        for cell in [0, columns - 1] {
            let end = plain(here, cell, Way::Right);
            band.right_ends.lower.set(cell, end);
            band.right_ends.upper.set(cell, end);
        }
        let (lower, upper) = (&band.right_ends.lower, &band.right_ends.upper);
        let faces = &mut band.right_faces;
        // Faces before the cells, and the one behind the last; those at the grid's sides are set
        // below.
        for at in (cells.start..cells.end + 1).step_by(LANES) {
            fluxes(self.gravity, faces, at, upper.before(at), lower.load(at));
        }
        let mut edges = 0.0;
        if cells.start == 0 {
            let inside = lower.get(0);
            let face = over_edge(
                self.gravity,
                self.time,
                &self.ground.edges.left,
                inside,
                1.0,
            );
            edges += face.volume * self.ground.height;
            faces.set(0, face);
        }
        if cells.end == columns {
            let inside = upper.get(columns - 1);
            let right = &self.ground.edges.right;
            let face = over_edge(self.gravity, self.time, right, inside, -1.0);
            edges -= face.volume * self.ground.height;
            faces.set(columns, face);
        }
        for (edge, sign) in [(0, 1.0), (self.ground.rows, -1.0)] {
            if edge == row || edge == row + 1 {
                let faces = &band.down_faces[edge % 2];
                let came: f64 = cells.clone().map(|cell| faces.volume.get(cell)).sum();
                edges += sign * came * self.ground.width;
            }
        }
        let mut outcome = self.update(band, row, &cells);
        outcome.edges = edges;
        for (next, to) in band.next.iter().zip(to) {
            next.give(&cells, to);
        }
        outcome
    }

    /// The new state of the cells of a row from what passes over their faces.
    #[inline(always)]
    fn update(&self, band: &mut Rows, row: usize, cells: &Range<usize>) -> Outcome {
        let columns = self.ground.columns;
        let whole = row * columns..(row + 1) * columns;
        let rough = &self.ground.roughness_squared[whole.clone()];
        band.roughness_squared.fill(cells, rough);
        if let Some(old) = self.mean_with {
            let old = [&old.depth, &old.right, &old.down];
            for (mean, old) in band.mean.iter_mut().zip(old) {
                mean.fill(cells, &old[whole.clone()]);
            }
        }
        let water = &band.water[row % 4];
        let (above, below) = (&band.down_faces[row % 2], &band.down_faces[(row + 1) % 2]);
        let (vertical, level) = (&band.down_ends[row % 2], &band.right_ends);
        let faces = &band.right_faces;
        let (step, gravity) = (self.step, self.gravity);
        let (per_width, per_height) = (1.0 / self.ground.width, 1.0 / self.ground.height);
        let (mut sunk, mut lowest) = ([0.0; LANES], [0.0; LANES]);
        let mut wet = 0..0;
        for at in cells.clone().step_by(LANES) {
            let bed = water.bed.load(at);
            let depth = water.depth.load(at);
            let speed = [water.right.load(at), water.down.load(at)];
            let rough = band.roughness_squared.load(at);
            let [left_volume, right_volume] = [faces.volume.load(at), faces.volume.behind(at)];
            let [left_across, right_across] =
                [faces.across_behind.load(at), faces.across_before.behind(at)];
            let [left_along, right_along] = [faces.along.load(at), faces.along.behind(at)];
            let [top_volume, bottom_volume] = [above.volume.load(at), below.volume.load(at)];
            let [top_across, bottom_across] =
                [above.across_behind.load(at), below.across_before.load(at)];
            let [top_along, bottom_along] = [above.along.load(at), below.along.load(at)];
            let (pull_right, pull_down) = (pull(level, gravity, at), pull(vertical, gravity, at));
            let mean = match self.mean_with {
                Some(_) => [
                    band.mean[0].load(at),
                    band.mean[1].load(at),
                    band.mean[2].load(at),
                ],
                None => [[0.0; LANES]; 3],
            };
            let weight = if self.mean_with.is_some() { 0.5 } else { 1.0 };
            let mut next = [[0.0; LANES]; 3];
            for lane in 0..LANES {
                let solid = bed[lane] == VOID;
                let volume = (left_volume[lane] - right_volume[lane]) * per_width
                    + (top_volume[lane] - bottom_volume[lane]) * per_height;
                let right = (left_across[lane] - right_across[lane] + pull_right[lane]) * per_width
                    + (top_along[lane] - bottom_along[lane]) * per_height;
                let down = (left_along[lane] - right_along[lane]) * per_width
                    + (top_across[lane] - bottom_across[lane] + pull_down[lane]) * per_height;
                let moved = depth[lane] + step * volume;
                let low = if solid { 0.0 } else { moved + 1e-13 };
                lowest[lane] = lesser(low, lowest[lane]);
                let wetted = greater(moved + step * self.rain, 0.0);
                let taken = if solid {
                    0.0
                } else {
                    lesser(wetted, self.sinks)
                };
                sunk[lane] += taken;
                let held = if solid { 0.0 } else { wetted - taken };
                // Momentum after friction, q' (1 + g Δt n² |q'| / h^(7/3)) = q: with the new
                // momentum in it a steady flow is at its normal depth however long the step.
                let right = depth[lane] * speed[0][lane] + step * right;
                let down = depth[lane] * speed[1][lane] + step * down;
                let momentum = (right * right + down * down).sqrt();
                let root = one_by_cube_root(held);
                let square = root * root;
                let seventh = square * square * (square * root);
                let friction = gravity * step * rough[lane] * momentum * seventh;
                let slowed = if held > DRY {
                    2.0 / (1.0 + (1.0 + 4.0 * friction).sqrt())
                } else {
                    0.0
                };
                let still = slowed == 0.0;
                next[0][lane] = weight * (held + mean[0][lane]);
                next[1][lane] = weight * (if still { 0.0 } else { right * slowed } + mean[1][lane]);
                next[2][lane] = weight * (if still { 0.0 } else { down * slowed } + mean[2][lane]);
            }
            // Depths are not negative, so that some is above zero where their sum is.
            if next[0].iter().sum::<f64>() > 0.0 {
                let piece = at..(at + LANES).min(columns);
                wet = match Range::is_empty(&wet) {
                    true => piece,
                    false => wet.start..piece.end,
                };
            }
            band.next[0].store(at, next[0]);
            band.next[1].store(at, next[1]);
            band.next[2].store(at, next[2]);
        }
        Outcome {
            edges: 0.0,
            sunk: sunk.iter().sum(),
            lowest: lowest.iter().copied().fold(0.0, lesser),
            wet,
        }
    }
}

#[inline(always)]
fn plain(water: &Water, cell: usize, way: Way) -> End {
    let (right, down) = (water.right.get(cell), water.down.get(cell));
    let (across, along) = match way {
        Way::Right => (right, down),
        Way::Down => (down, right),
    };
    End {
        depth: water.depth.get(cell),
        bed: water.bed.get(cell),
        across,
        along,
    }
}

/// Momentum that the slope of the bed gives to cells, as half the ends' depths see it.
#[inline(always)]
fn pull(ends: &Ends, gravity: f64, at: usize) -> Lanes {
    let (lower, upper) = (ends.lower.depth.load(at), ends.upper.depth.load(at));
    let (lower_bed, upper_bed) = (ends.lower.bed.load(at), ends.upper.bed.load(at));
    let mut pull = [0.0; LANES];
    for lane in 0..LANES {
        let mean = 0.5 * (lower[lane] + upper[lane]);
        pull[lane] = gravity * mean * (lower_bed[lane] - upper_bed[lane]);
    }
    pull
}

/// Values of the cells before, here and behind.
#[inline(always)]
fn near([above, here, below]: [&Row; 3], at: usize, way: Way) -> [Lanes; 3] {
    match way {
        Way::Right => [here.before(at), here.load(at), here.behind(at)],
        Way::Down => [above.load(at), here.load(at), below.load(at)],
    }
}

/// How sharp levels may be: where the water is shallower than they fall from cell to cell, no
/// sharper than minmod, or the lines of two cells cross where a slope eases and a thin sheet stands
/// behind a step that is not there.
#[inline(always)]
fn level_sharpness([before, here, behind]: &[Lanes; 3], depth: &Lanes) -> Lanes {
    let mut sharpness = [0.0; LANES];
    for lane in 0..LANES {
        let falls = (here[lane] - before[lane]).abs() + (behind[lane] - here[lane]).abs();
        sharpness[lane] = if depth[lane] > falls { SHARPNESS } else { 1.0 };
    }
    sharpness
}

/// From the middle of cells to their upper ends along a limited straight line; nothing where
/// `sloped` is zero.
#[inline(always)]
fn halves([before, here, behind]: &[Lanes; 3], sloped: &Lanes, sharpness: &Lanes) -> Lanes {
    let mut halves = [0.0; LANES];
    for lane in 0..LANES {
        let (before, behind) = (here[lane] - before[lane], behind[lane] - here[lane]);
        let half = 0.5 * limited(before, behind, sharpness[lane]);
        halves[lane] = if sloped[lane] > 0.0 { half } else { 0.0 };
    }
    halves
}

#[inline(always)]
fn minus(a: &Lanes, b: &Lanes) -> Lanes {
    let mut difference = [0.0; LANES];
    for lane in 0..LANES {
        difference[lane] = a[lane] - b[lane];
    }
    difference
}

#[inline(always)]
fn plus(a: &Lanes, b: &Lanes) -> Lanes {
    let mut sum = [0.0; LANES];
    for lane in 0..LANES {
        sum[lane] = a[lane] + b[lane];
    }
    sum
}

/// The first where `choice` is above zero, else the second.
#[inline(always)]
fn either(choice: &Lanes, first: &Lanes, second: &Lanes) -> Lanes {
    let mut either = [0.0; LANES];
    for lane in 0..LANES {
        either[lane] = if choice[lane] > 0.0 {
            first[lane]
        } else {
            second[lane]
        };
    }
    either
}

/// Both ends of cells: straight lines through depth, level and speeds; flat in dry cells and beside
/// voids.
#[inline(always)]
fn ends_of(ends: &mut Ends, [above, here, below]: [&Water; 3], cells: Range<usize>, way: Way) {
    // Loops over lanes do one thing each, or they are not compiled to vectors.
    for at in cells.step_by(LANES) {
        let bed = near([&above.bed, &here.bed, &below.bed], at, way);
        let depth = near([&above.depth, &here.depth, &below.depth], at, way);
        let level = near([&above.level, &here.level, &below.level], at, way);
        let right = near([&above.right, &here.right, &below.right], at, way);
        let down = near([&above.down, &here.down, &below.down], at, way);
        let (across, along) = match way {
            Way::Right => (right, down),
            Way::Down => (down, right),
        };
        let mut sloped = [0.0; LANES];
        for lane in 0..LANES {
            let flat = (depth[1][lane] <= DRY) | (bed[0][lane] == VOID) | (bed[2][lane] == VOID);
            sloped[lane] = if flat { 0.0 } else { 1.0 };
        }
        let sharp = [SHARPNESS; LANES];
        let half = halves(&depth, &sloped, &sharp);
        let (lower, upper) = (minus(&depth[1], &half), plus(&depth[1], &half));
        let half = halves(&level, &sloped, &level_sharpness(&level, &depth[1]));
        let lower_bed = minus(&minus(&level[1], &half), &lower);
        let upper_bed = minus(&plus(&level[1], &half), &upper);
        let (of_across, of_along) = (
            halves(&across, &sloped, &sharp),
            halves(&along, &sloped, &sharp),
        );
        ends.lower.store(
            at,
            [
                lower,
                either(&sloped, &lower_bed, &bed[1]),
                minus(&across[1], &of_across),
                minus(&along[1], &of_along),
            ],
        );
        ends.upper.store(
            at,
            [
                upper,
                either(&sloped, &upper_bed, &bed[1]),
                plus(&across[1], &of_across),
                plus(&along[1], &of_along),
            ],
        );
    }
}

/// What passes over the faces of a piece, between the ends of the cells on both sides.
#[inline(always)]
fn fluxes(gravity: f64, faces: &mut Faces, at: usize, before: [Lanes; 4], behind: [Lanes; 4]) {
    let end = |of: &[Lanes; 4], lane: usize| End {
        depth: of[0][lane],
        bed: of[1][lane],
        across: of[2][lane],
        along: of[3][lane],
    };
    let mut passed = [[0.0; LANES]; 4];
    for lane in 0..LANES {
        let flux = flux(gravity, end(&before, lane), end(&behind, lane));
        passed[0][lane] = flux.volume;
        passed[1][lane] = flux.across_before;
        passed[2][lane] = flux.across_behind;
        passed[3][lane] = flux.along;
    }
    let [volume, across_before, across_behind, along] = passed;
    faces.volume.store(at, volume);
    faces.across_before.store(at, across_before);
    faces.across_behind.store(at, across_behind);
    faces.along.store(at, along);
}
