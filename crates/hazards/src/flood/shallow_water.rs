//! Water over ground by the full shallow-water equations, bores and dam breaks included.
//!
//! Depth and momentum of each cell change by what passes its faces (finite volumes), by the slope
//! of the bed and by friction:
//! `∂h/∂t + ∇·(h u) = rain - infiltration`,
//! `∂(h u)/∂t + ∇·(h u⊗u + g h²/2) = -g h ∇z - g n² |u| u / h^(1/3)`.
//! Faces by HLLC over hydrostatic reconstruction (Audusse and others 2004), straight lines through
//! the cells (second order in space), two stages (second order in time), friction implicit.
//!
//! Water at rest stays at rest, whatever the bed. Not for water that falls, breaks or carries much
//! sediment: pressure is hydrostatic.

mod edge;
mod face;
mod lanes;
mod sweep;

use std::ops::Range;

use lahar_core::Grid;
use lahar_core::capability::Citation;
use pulp::{Arch, Simd, WithSimd};

use super::GRAVITY;
use super::balance::Balance;
use super::domain::{Edge, Forcing, Ground};
use super::footprint::{Footprint, Moment, WET};
use super::reach::{self, Reach, Sources};
use crate::error::{HazardError, Limit};
use crate::parallel;
use face::DRY;
use sweep::{Band, Sweep};

/// The treatment of the bed.
pub const AUDUSSE_2004: Citation = Citation {
    authors: "Audusse, Bouchut, Bristeau, Klein & Perthame",
    year: 2004,
    doi: "doi:10.1137/S1064827503431090",
    place: "section 2, hydrostatic reconstruction",
};

const CFL: Limit = Limit::new("cfl", "1", 0.0, 0.5, AUDUSSE_2004).above_lowest();

/// How the equations are solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Share of a cell that the fastest wave may cross in a step, both directions added.
    pub cfl: f64,
    /// Acceleration of gravity in m/s².
    pub gravity: f64,
    /// Longest step in seconds, taken where the ground is dry.
    pub longest_step: f64,
    /// Threads; results do not depend on them.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            cfl: 0.45,
            gravity: GRAVITY,
            longest_step: 10.0,
            threads: 1,
        }
    }
}

/// Depth and momentum of all cells.
#[derive(Debug, Clone, Default)]
struct State {
    depth: Vec<f64>,
    right: Vec<f64>,
    down: Vec<f64>,
    /// Cells of each row beyond which there is no water.
    wet: Vec<Range<usize>>,
    /// Cells of each row beyond which nothing but zeros was ever written.
    written: Vec<Range<usize>>,
}

impl State {
    fn at_rest(depth: Vec<f64>, columns: usize) -> State {
        let wet: Vec<Range<usize>> = depth.chunks(columns).map(reach::wet).collect();
        State {
            right: vec![0.0; depth.len()],
            down: vec![0.0; depth.len()],
            depth,
            written: wet.clone(),
            wet,
        }
    }
}

/// A simulation and its state. A clone is a checkpoint: both go on to the same bits.
#[derive(Debug, Clone)]
pub struct Run {
    ground: Ground,
    settings: Settings,
    state: State,
    /// Room for the states after the first stage and after both.
    stages: [State; 2],
    time: f64,
    cells: usize,
    balance: Balance,
    footprint: Option<Footprint>,
}

/// What a stage brought, in m³/s and m³.
#[derive(Debug, Clone, Copy, Default)]
struct Stage {
    edges: f64,
    sunk: f64,
    lowest: f64,
}

impl Run {
    /// A run that begins with these depths, in metres, and water at rest.
    ///
    /// Errors: negative depths, grids that do not align, settings outside their range, an edge
    /// whose cells are held.
    ///
    /// ```
    /// use lahar_core::{Affine, Crs, Grid};
    /// use lahar_hazards::flood::domain::{Edge, Edges, Forcing, Ground};
    /// use lahar_hazards::flood::shallow_water::{Run, Settings};
    /// let place = Affine::north_up(0.0, 1.0, 1.0, 1.0);
    /// let bed = Grid::new(vec![0.0; 40], 1, 40, place, Crs::LocalMetres).unwrap();
    /// let ground = Ground::new(&bed, 0.0, Edges::all(Edge::Wall)).unwrap();
    /// let mut column = 0.0;
    /// let dam = bed.map(|_| { column += 1.0; if column <= 20.0 { 1.0 } else { 0.0 } });
    /// let mut run = Run::new(ground, &dam, Settings::default()).unwrap();
    /// run.until(2.0, &Forcing::default(), |_| {}).unwrap();
    /// // At the dam the depth falls to four ninths at once (Ritter 1892).
    /// let at_dam = 0.5 * (run.depth().values()[19] + run.depth().values()[20]);
    /// assert!((at_dam - 4.0 / 9.0).abs() < 0.02);
    /// ```
    pub fn new(ground: Ground, depth: &Grid, settings: Settings) -> Result<Run, HazardError> {
        CFL.check(settings.cfl)?;
        for (side, edge) in ground.edges.each() {
            if *edge == Edge::Held {
                return Err(HazardError::Contradiction(format!(
                    "the cells at the {side} edge cannot be held by this solver; give a level"
                )));
            }
        }
        let depth = ground.depths(depth)?;
        let dry = State::at_rest(vec![0.0; depth.len()], ground.columns);
        Ok(Run {
            balance: Balance {
                start: depth.iter().sum::<f64>() * ground.cell_area(),
                ..Balance::default()
            },
            cells: (0..depth.len())
                .filter(|cell| !ground.is_void(*cell))
                .count(),
            state: State::at_rest(depth, ground.columns),
            stages: [dry.clone(), dry],
            ground,
            settings,
            time: 0.0,
            footprint: None,
        })
    }

    /// Begins with water that moves: speeds towards higher columns and rows, in m/s.
    pub fn moving(mut self, right: &Grid, down: &Grid) -> Result<Run, HazardError> {
        for (speeds, momentum) in [(right, &mut self.state.right), (down, &mut self.state.down)] {
            self.ground.grid(&self.state.depth).check_aligned(speeds)?;
            for (at, speed) in speeds.values().iter().enumerate() {
                let depth = self.state.depth[at];
                momentum[at] = if depth > DRY { depth * speed } else { 0.0 };
            }
        }
        Ok(self)
    }

    /// Gathers highest water, arrival and duration from now on.
    pub fn gathering(mut self) -> Run {
        self.footprint = Some(Footprint::new(self.state.depth.len()));
        self
    }

    /// The longest step that is stable now.
    pub fn stable_step(&self) -> f64 {
        let state = &self.state;
        let (width, height) = (self.ground.width, self.ground.height);
        let columns = self.ground.columns;
        let rows = parallel::map(self.ground.rows, self.settings.threads, |row| {
            let cells = row * columns + state.wet[row].start..row * columns + state.wet[row].end;
            let values = [&state.depth, &state.right, &state.down];
            Arch::new().dispatch(Crossing {
                values: values.map(|of| &of[cells.clone()]),
                per_size: [1.0 / width, 1.0 / height],
                gravity: self.settings.gravity,
            })
        });
        let fastest = rows.into_iter().fold(0.0, f64::max);
        // Along a single row or column nothing crosses the other way.
        let fastest = match self.ground.rows == 1 || self.ground.columns == 1 {
            true => fastest / 2.0,
            false => fastest,
        };
        match fastest > 0.0 {
            true => (self.settings.cfl / fastest).min(self.settings.longest_step),
            false => self.settings.longest_step,
        }
    }

    /// Runs to a time in seconds; after each step `watch` is told the time.
    pub fn until(
        &mut self,
        end: f64,
        forcing: &Forcing,
        mut watch: impl FnMut(f64),
    ) -> Result<(), HazardError> {
        forcing.check(&self.ground, end)?;
        for (side, edge) in self.ground.edges.each() {
            if let Edge::Level(course) | Edge::Discharge(course) = edge {
                course.check_lasts(&format!("the course at the {side} edge"), end)?;
            }
        }
        while self.time < end {
            let left = end - self.time;
            let step = self.stable_step();
            let step = if step >= left * (1.0 - 1e-9) {
                left
            } else {
                step
            };
            self.step(step, forcing);
            watch(self.time);
        }
        Ok(())
    }

    /// One step, by two stages and their mean (Shu and Osher 1988); cut in half until no cell gives
    /// more than it has.
    fn step(&mut self, wanted: f64, forcing: &Forcing) {
        let mut step = wanted;
        let [mut middle, mut next] = std::mem::take(&mut self.stages);
        let (first, second) = loop {
            let first = self.stage(&self.state, &mut middle, None, [self.time, step], forcing);
            let (old, end) = (Some(&self.state), self.time + step);
            let second = self.stage(&middle, &mut next, old, [end, step], forcing);
            if first.lowest.min(second.lowest) < 0.0 && step > wanted * 1e-3 {
                step /= 2.0;
                continue;
            }
            break (first, second);
        };
        let area = self.ground.cell_area();
        for (stage, time) in [(first, self.time), (second, self.time + step)] {
            let rain = forcing.rain.as_ref().map_or(0.0, |rain| rain.at(time));
            self.balance.rain += 0.5 * rain * step * self.cells as f64 * area;
            self.balance.edges += 0.5 * stage.edges * step;
            self.balance.infiltration += 0.5 * stage.sunk;
            let inflow: f64 = forcing.inflows.iter().map(|i| i.discharge.at(time)).sum();
            self.balance.inflow += 0.5 * inflow * step;
        }
        std::mem::swap(&mut self.state, &mut next);
        self.stages = [middle, next];
        let State {
            depth, right, down, ..
        } = &mut self.state;
        let rough = &self.ground.roughness_squared;
        let left = self
            .ground
            .rim
            .drain(depth, rough, area, step, |cell, share| {
                right[cell] *= share;
                down[cell] *= share;
            });
        self.balance.edges -= left * area;
        self.time += step;
        if let Some(footprint) = &mut self.footprint {
            let state = &self.state;
            let speed = |cell: usize| {
                let (right, down) = (state.right[cell], state.down[cell]);
                (right * right + down * down).sqrt() / state.depth[cell]
            };
            let moment = Moment {
                depth: &state.depth,
                wet: &state.wet,
                now: self.time,
                step,
            };
            footprint.note(moment, speed, self.settings.threads);
        }
    }

    /// Writes the state after one explicit step from another, with friction taken implicitly, or its
    /// mean with a third.
    fn stage(
        &self,
        from: &State,
        to: &mut State,
        mean_with: Option<&State>,
        [time, step]: [f64; 2],
        forcing: &Forcing,
    ) -> Stage {
        let (ground, settings) = (&self.ground, &self.settings);
        let columns = ground.columns;
        let rain = forcing.rain.as_ref().map_or(0.0, |rain| rain.at(time));
        let mut reach = Reach::new(columns, &from.wet, Sources::of(rain, &ground.edges));
        if let Some(old) = mean_with {
            reach = reach.with(&old.wet);
        }
        let sweep = Sweep {
            ground,
            from,
            mean_with,
            reach: &reach,
            gravity: settings.gravity,
            time,
            step,
            rain,
            sinks: forcing.infiltration * step,
        };
        let written = &to.written;
        let bands = parallel::bands(
            [&mut to.depth, &mut to.right, &mut to.down],
            columns,
            settings.threads,
            |first, [depth, right, down]| {
                for values in [&mut *depth, &mut *right, &mut *down] {
                    for (at, row) in values.chunks_mut(columns).enumerate() {
                        clear(row, &written[first + at], &reach.updated(first + at));
                    }
                }
                let sweep = &sweep;
                let to = [depth, right, down];
                Arch::new().dispatch(Band { sweep, first, to })
            },
        );
        let mut all = Stage::default();
        for (row, outcome) in bands.into_iter().flatten().enumerate() {
            all.edges += outcome.edges;
            all.sunk += outcome.sunk * ground.cell_area();
            all.lowest = all.lowest.min(outcome.lowest);
            to.wet[row] = outcome.wet;
            to.written[row] = reach.updated(row);
        }
        let share = if mean_with.is_some() { 0.5 } else { 1.0 };
        for inflow in &forcing.inflows {
            let water = inflow.discharge.at(time) * step;
            let (row, column) = (inflow.row, inflow.column);
            to.depth[row * columns + column] += share * water / ground.cell_area();
            for cells in [&mut to.wet[row], &mut to.written[row]] {
                *cells = reach::hull(cells.clone(), &(column..column + 1));
            }
        }
        all
    }

    /// Depths in metres.
    pub fn depth(&self) -> Grid {
        self.ground.grid(&self.state.depth)
    }

    /// Levels in metres of the elevation model's datum; no data on dry cells.
    pub fn level(&self) -> Grid {
        let levels = self.state.depth.iter().zip(&self.ground.bed);
        let levels: Vec<f64> = levels
            .map(|(h, z)| if *h > DRY { h + z } else { f64::NAN })
            .collect();
        self.ground.grid(&levels)
    }

    /// Discharge per width towards higher columns and rows, in m²/s.
    pub fn discharge(&self) -> [Grid; 2] {
        [&self.state.right, &self.state.down].map(|momentum| self.ground.grid(momentum))
    }

    /// Speeds in m/s.
    pub fn speed(&self) -> Grid {
        let state = &self.state;
        let speed = |cell: usize| match state.depth[cell] > WET {
            true => state.right[cell].hypot(state.down[cell]) / state.depth[cell],
            false => 0.0,
        };
        let speeds: Vec<f64> = (0..state.depth.len()).map(speed).collect();
        self.ground.grid(&speeds)
    }

    /// Highest ratio of the water's speed to that of its waves now, over cells a centimetre deep
    /// or more.
    pub fn highest_froude(&self) -> f64 {
        let (depth, speed) = (&self.state.depth, self.speed());
        let wet = (0..depth.len()).filter(|cell| depth[*cell] > WET);
        wet.map(|cell| speed.values()[cell] / (self.settings.gravity * depth[cell]).sqrt())
            .fold(0.0, f64::max)
    }

    /// Seconds since the start.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Where all the water went.
    pub fn balance(&self) -> Balance {
        Balance {
            now: self.state.depth.iter().sum::<f64>() * self.ground.cell_area(),
            ..self.balance
        }
    }

    /// What the flood did to each cell, where it was gathered.
    pub fn footprint(&self) -> Option<&Footprint> {
        self.footprint.as_ref()
    }

    /// The ground.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }
}

/// Puts back to zero what was written and is not going to be.
fn clear(row: &mut [f64], written: &Range<usize>, kept: &Range<usize>) {
    if kept.is_empty() {
        row[written.clone()].fill(0.0);
        return;
    }
    if written.start < kept.start {
        row[written.start..written.end.min(kept.start)].fill(0.0);
    }
    if written.end > kept.end {
        row[written.start.max(kept.end)..written.end].fill(0.0);
    }
}

/// Finds the highest share of a cell that a wave crosses in a second, both directions added.
struct Crossing<'a> {
    /// Depths and momenta.
    values: [&'a [f64]; 3],
    per_size: [f64; 2],
    gravity: f64,
}

impl WithSimd for Crossing<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> f64 {
        let [depth, right, down] = self.values;
        let (right, down) = (&right[..depth.len()], &down[..depth.len()]);
        let mut fastest = 0;
        for cell in 0..depth.len() {
            let wave = (self.gravity * depth[cell]).sqrt();
            let speed = |momentum: f64| momentum.abs() / depth[cell] + wave;
            let crossing =
                speed(right[cell]) * self.per_size[0] + speed(down[cell]) * self.per_size[1];
            let crossing = if depth[cell] > DRY { crossing } else { 0.0 };
            // Of numbers that are not negative, the higher has the higher bits.
            fastest = fastest.max(crossing.to_bits());
        }
        f64::from_bits(fastest)
    }
}
