//! Rates of change of a row of cells: ends of the cells, fluxes over their faces, slope of the bed.

use super::super::domain::{Edge, Ground, VOID};
use super::face::{DRY, End, Flux, flux};

/// Depth, level and speeds of all cells at one moment.
pub(super) struct Water<'a> {
    pub depth: &'a [f64],
    pub level: &'a [f64],
    /// Speed towards higher columns.
    pub right: &'a [f64],
    /// Speed towards higher rows.
    pub down: &'a [f64],
}

/// Rates of change of one cell.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rate {
    pub depth: f64,
    pub right: f64,
    pub down: f64,
}

/// Which way faces are crossed.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Way {
    Right,
    Down,
}

/// How far a slope may exceed the smaller of the two differences; 1 is minmod, 2 the sharpest that
/// keeps depths positive.
const SHARPNESS: f64 = 1.3;

#[inline(always)]
fn limited(before: f64, behind: f64) -> f64 {
    if before * behind <= 0.0 {
        return 0.0;
    }
    let smallest = SHARPNESS * before.abs().min(behind.abs());
    smallest.min(0.5 * (before + behind).abs()).copysign(before)
}

/// What a sweep needs to know.
pub(super) struct Sweep<'a> {
    pub ground: &'a Ground,
    pub water: Water<'a>,
    pub gravity: f64,
    /// Time for levels and discharges at the edges.
    pub time: f64,
}

impl Sweep<'_> {
    #[inline(always)]
    fn plain(&self, cell: usize, way: Way) -> End {
        let (across, along) = match way {
            Way::Right => (self.water.right[cell], self.water.down[cell]),
            Way::Down => (self.water.down[cell], self.water.right[cell]),
        };
        End {
            depth: self.water.depth[cell],
            bed: self.ground.bed[cell],
            across,
            along,
        }
    }

    /// Both ends of a cell: straight lines through depth, level and speeds, limited so that no new
    /// extreme arises (van Leer 1979); flat in dry cells, beside the grid's edge and beside voids.
    #[inline(always)]
    fn ends(&self, cell: usize, way: Way, inner: bool) -> [End; 2] {
        let here = self.plain(cell, way);
        if !inner || here.depth <= DRY {
            return [here, here];
        }
        let stride = match way {
            Way::Right => 1,
            Way::Down => self.ground.columns,
        };
        let (before, behind) = (cell - stride, cell + stride);
        if self.ground.bed[before] == VOID || self.ground.bed[behind] == VOID {
            return [here, here];
        }
        let slope = |values: &[f64]| {
            0.5 * limited(values[cell] - values[before], values[behind] - values[cell])
        };
        let (across, along) = match way {
            Way::Right => (self.water.right, self.water.down),
            Way::Down => (self.water.down, self.water.right),
        };
        let (depth, level) = (slope(self.water.depth), slope(self.water.level));
        let (across, along) = (slope(across), slope(along));
        let end = |side: f64| {
            let depth = here.depth + side * depth;
            End {
                depth,
                bed: self.water.level[cell] + side * level - depth,
                across: here.across + side * across,
                along: here.along + side * along,
            }
        };
        [end(-1.0), end(1.0)]
    }

    fn is_inner(&self, row: usize, column: usize, way: Way) -> bool {
        match way {
            Way::Right => column > 0 && column + 1 < self.ground.columns,
            Way::Down => row > 0 && row + 1 < self.ground.rows,
        }
    }

    /// Changes the rates of one row by what passes along it; gives the volume that came in over
    /// its two outer faces, per metre of them and second.
    pub(super) fn along_row(&self, row: usize, rates: &mut [Rate]) -> f64 {
        let columns = self.ground.columns;
        let first = row * columns;
        let per_width = 1.0 / self.ground.width;
        let mut came = 0.0;
        let mut before: Option<End> = None;
        for column in 0..columns {
            let cell = first + column;
            let [left, right] = self.ends(cell, Way::Right, self.is_inner(row, column, Way::Right));
            let face = match before {
                Some(before) => flux(self.gravity, before, left),
                None => {
                    let face = self.over_edge(&self.ground.edges.left, left, 1.0);
                    came += face.volume;
                    face
                }
            };
            if column > 0 {
                let rate = &mut rates[column - 1];
                rate.depth -= face.volume * per_width;
                rate.right -= face.across_before * per_width;
                rate.down -= face.along * per_width;
            }
            let pull = self.gravity * 0.5 * (left.depth + right.depth) * (left.bed - right.bed);
            let rate = &mut rates[column];
            rate.depth += face.volume * per_width;
            rate.right += (face.across_behind + pull) * per_width;
            rate.down += face.along * per_width;
            before = Some(right);
        }
        if let Some(last) = before {
            let face = self.over_edge(&self.ground.edges.right, last, -1.0);
            came -= face.volume;
            let rate = &mut rates[columns - 1];
            rate.depth -= face.volume * per_width;
            rate.right -= face.across_before * per_width;
            rate.down -= face.along * per_width;
        }
        came
    }

    /// Changes the rates of one row by what passes between it and the rows beside it; gives the
    /// volume that came in over the grid's edge.
    pub(super) fn across_rows(&self, row: usize, rates: &mut [Rate]) -> f64 {
        let (rows, columns) = (self.ground.rows, self.ground.columns);
        let per_height = 1.0 / self.ground.height;
        let mut came = 0.0;
        for (column, rate) in rates.iter_mut().enumerate() {
            let cell = row * columns + column;
            let [top, bottom] = self.ends(cell, Way::Down, self.is_inner(row, column, Way::Down));
            let above = match row > 0 {
                true => {
                    let inner = self.is_inner(row - 1, column, Way::Down);
                    let [_, before] = self.ends(cell - columns, Way::Down, inner);
                    flux(self.gravity, before, top)
                }
                false => {
                    let face = self.over_edge(&self.ground.edges.top, top, 1.0);
                    came += face.volume;
                    face
                }
            };
            let below = match row + 1 < rows {
                true => {
                    let inner = self.is_inner(row + 1, column, Way::Down);
                    let [behind, _] = self.ends(cell + columns, Way::Down, inner);
                    flux(self.gravity, bottom, behind)
                }
                false => {
                    let face = self.over_edge(&self.ground.edges.bottom, bottom, -1.0);
                    came -= face.volume;
                    face
                }
            };
            let pull = self.gravity * 0.5 * (top.depth + bottom.depth) * (top.bed - bottom.bed);
            rate.depth += (above.volume - below.volume) * per_height;
            rate.down += (above.across_behind - below.across_before + pull) * per_height;
            rate.right += (above.along - below.along) * per_height;
        }
        came
    }

    /// Flux over a face at the grid's edge; `inward` is 1 where the face comes before the cell.
    fn over_edge(&self, edge: &Edge, inside: End, inward: f64) -> Flux {
        // Everything is turned so that positive is into the grid, and turned back at the end.
        let wave = (self.gravity * inside.depth).sqrt();
        let speed = inside.across * inward;
        let passed = |depth: f64, speed: f64| {
            let momentum = depth * speed * speed + 0.5 * self.gravity * depth * depth;
            Flux {
                volume: depth * speed * inward,
                across_before: momentum,
                across_behind: momentum,
                along: depth * speed * inward * inside.along,
            }
        };
        match edge {
            _ if inside.bed == VOID => Flux::default(),
            Edge::Wall | Edge::Held => {
                let mirrored = End {
                    across: -inside.across,
                    ..inside
                };
                match inward > 0.0 {
                    true => flux(self.gravity, mirrored, inside),
                    false => flux(self.gravity, inside, mirrored),
                }
            }
            Edge::Open { .. } => match speed < 0.0 {
                true => passed(inside.depth, speed),
                false => passed(inside.depth, 0.0),
            },
            Edge::Level(level) => {
                let depth = (level.at(self.time) - inside.bed).max(0.0);
                if depth <= DRY && inside.depth <= DRY {
                    return Flux::default();
                }
                // Water that leaves faster than its waves knows nothing of the level beyond.
                if -speed > wave {
                    return passed(inside.depth, speed);
                }
                // The invariant that travels out of the grid keeps its value.
                let beyond = (self.gravity * depth).sqrt();
                passed(depth, speed + 2.0 * (beyond - wave))
            }
            Edge::Discharge(discharge) => {
                let wanted = discharge.at(self.time);
                let depth = depth_for(self.gravity, wanted, speed - 2.0 * wave);
                passed(depth, if depth > 0.0 { wanted / depth } else { 0.0 })
            }
        }
    }
}

/// Depth at which a discharge into the grid agrees with the invariant `u - 2√(g h)` that comes out
/// of it; never below the critical depth.
fn depth_for(gravity: f64, discharge: f64, invariant: f64) -> f64 {
    if discharge <= 0.0 {
        return 0.0;
    }
    let critical = (discharge * discharge / gravity).cbrt();
    let mut depth = critical.max((invariant / 2.0).powi(2) / gravity);
    for _ in 0..50 {
        // Newton on q / h - 2√(g h) - invariant.
        let wave = (gravity * depth).sqrt();
        let value = discharge / depth - 2.0 * wave - invariant;
        let slope = -discharge / (depth * depth) - wave / depth;
        let next = (depth - value / slope).max(critical);
        if (next - depth).abs() <= 1e-13 * depth {
            return next;
        }
        depth = next;
    }
    depth
}
