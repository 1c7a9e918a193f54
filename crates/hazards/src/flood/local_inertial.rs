//! Water over ground by the local inertial equations: shallow water without advection.
//!
//! Between two cells the discharge per width `q` follows
//! `q' = (q̄ - g h_f Δt ∂η/∂x) / (1 + g Δt n² |q| / h_f^(7/3))`, with
//! `q̄ = θ q + (1 - θ)/2 (q₋ + q₊)` over the neighbouring faces and `h_f` the depth between the
//! higher level and the higher bed; depths follow from the balance of each cell (Bates, Horritt
//! and Fewtrell 2010, equation 11, for `θ = 1`; de Almeida and others 2012, equation 7).
//!
//! Not where water runs faster than its waves: dam breaks, steep channels, hydraulic jumps. The
//! run says how fast the water got ([`Run::highest_froude`]); above 1 use
//! [`super::shallow_water`].

mod faces;
mod flux;
mod pass;

use std::ops::Range;

use super::GRAVITY;
use super::balance::Balance;
use super::domain::{Edge, Forcing, Ground};
use super::footprint::{Footprint, Moment};
use super::reach::{self, Reach, Sources};
use crate::error::{HazardError, Limit};
use faces::Faces;
use lahar_core::Grid;
use lahar_core::capability::Citation;
use pass::Pass;

/// The scheme.
pub const BATES_2010: Citation = Citation {
    authors: "Bates, Horritt & Fewtrell",
    year: 2010,
    doi: "doi:10.1016/j.jhydrol.2010.03.027",
    place: "equation 11 and section 2.3",
};
/// The scheme with the diffusion that keeps it stable on smooth beds.
pub const DE_ALMEIDA_2012: Citation = Citation {
    authors: "de Almeida, Bates, Freer & Souvignet",
    year: 2012,
    doi: "doi:10.1029/2011WR011570",
    place: "equation 7",
};

const ALPHA: Limit = Limit::new("alpha", "1", 0.0, 1.0, BATES_2010).above_lowest();
const THETA: Limit = Limit::new("theta", "1", 0.0, 1.0, DE_ALMEIDA_2012);

/// Depth in metres below which nothing flows.
const DRY: f64 = 1e-9;

/// How the equations are solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Share of the longest stable step that is taken.
    pub alpha: f64,
    /// Weight of a face's own discharge; the rest comes from its neighbours. 1 is Bates (2010).
    pub theta: f64,
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
            alpha: 0.7,
            theta: 0.8,
            gravity: GRAVITY,
            longest_step: 60.0,
            threads: 1,
        }
    }
}

/// A simulation and its state. A clone is a checkpoint: both go on to the same bits.
#[derive(Debug, Clone)]
pub struct Run {
    ground: Ground,
    settings: Settings,
    depth: Vec<f64>,
    next: Vec<f64>,
    faces: Faces,
    /// Cells of each row that water ever reached.
    reached: Vec<Range<usize>>,
    time: f64,
    deepest: f64,
    balance: Balance,
    footprint: Option<Footprint>,
    cells: usize,
}

impl Run {
    /// A run that begins with these depths, in metres, and water at rest.
    ///
    /// Errors: negative depths, grids that do not align, a roughness of zero, settings outside
    /// their range, an edge whose kind this scheme does not have.
    ///
    /// ```
    /// use lahar_core::{Affine, Crs, Grid};
    /// use lahar_hazards::flood::domain::{Edge, Edges, Forcing, Ground};
    /// use lahar_hazards::flood::local_inertial::{Run, Settings};
    /// let place = Affine::north_up(0.0, 100.0, 10.0, 10.0);
    /// let flat = Grid::new(vec![0.0; 100], 10, 10, place, Crs::LocalMetres).unwrap();
    /// let ground = Ground::new(&flat, 0.03, Edges::all(Edge::Wall)).unwrap();
    /// let pond = flat.map(|_| 0.5);
    /// let mut run = Run::new(ground, &pond, Settings::default()).unwrap();
    /// run.until(600.0, &Forcing::default(), |_| {}).unwrap();
    /// // A pond at rest stays at rest.
    /// assert!(run.depth().values().iter().all(|h| *h == 0.5));
    /// ```
    pub fn new(ground: Ground, depth: &Grid, settings: Settings) -> Result<Run, HazardError> {
        ALPHA.check(settings.alpha)?;
        THETA.check(settings.theta)?;
        let smooth = |cell: usize| !ground.is_void(cell) && ground.roughness_squared[cell] == 0.0;
        if let Some(cell) = (0..ground.bed.len()).find(|cell| smooth(*cell)) {
            return Err(HazardError::Contradiction(format!(
                "the roughness at row {}, column {} is zero; without friction this scheme is not \
                 stable ({BATES_2010}), so give a roughness, or use the full shallow-water solver",
                cell / ground.columns,
                cell % ground.columns
            )));
        }
        for (side, edge) in ground.edges.each() {
            if matches!(edge, Edge::Discharge(_)) {
                return Err(HazardError::Contradiction(format!(
                    "the {side} edge has a discharge per width, which the full shallow-water \
                     solver takes; here give the water as inflows of cells"
                )));
            }
        }
        let depth = ground.depths(depth)?;
        let balance = Balance {
            start: volume(&depth, &ground),
            ..Balance::default()
        };
        Ok(Run {
            cells: (0..depth.len())
                .filter(|cell| !ground.is_void(*cell))
                .count(),
            faces: Faces::at_rest(&ground),
            reached: depth.chunks(ground.columns).map(reach::wet).collect(),
            next: depth.clone(),
            deepest: highest(&depth),
            depth,
            ground,
            settings,
            time: 0.0,
            balance,
            footprint: None,
        })
    }

    /// Gathers highest water, arrival and duration from now on.
    pub fn gathering(mut self) -> Run {
        self.footprint = Some(Footprint::new(self.depth.len()));
        self
    }

    /// The longest step that is stable now: `α Δx / √(g h)` (Bates and others 2010, equation 14),
    /// with `α` at most `0.95 √(θ / 2)`, or `0.95 √θ` along a single row or column.
    ///
    /// In still water without friction a wave of alternate signs, the shortest there is, grows by
    /// `G² - (2θ - λ²) G + 2θ - 1 = 0` a step, with `λ² = 4 g h (Δt/Δx)²` for each direction; it
    /// stays bounded while `λ² <= 4θ`.
    pub fn stable_step(&self) -> f64 {
        match self.crossing() {
            Some(crossing) => {
                let directions = match self.ground.rows == 1 || self.ground.columns == 1 {
                    true => 1.0,
                    false => 2.0,
                };
                let bound = 0.95 * (self.settings.theta / directions).sqrt();
                (self.settings.alpha.min(bound) * crossing).min(self.settings.longest_step)
            }
            None => self.settings.longest_step,
        }
    }

    /// Seconds in which a wave crosses a cell where the water is deepest; none where all is dry.
    fn crossing(&self) -> Option<f64> {
        let size = self.ground.width.min(self.ground.height);
        let wave = (self.settings.gravity * self.deepest).sqrt();
        (self.deepest > DRY).then(|| size / wave)
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
            if let Edge::Level(level) = edge {
                level.check_lasts(&format!("the level at the {side} edge"), end)?;
            }
        }
        while self.time < end {
            // The last step ends at the end, and none is left that is too short to count.
            let left = end - self.time;
            let step = self.stable_step();
            let step = if step >= left * (1.0 - 1e-9) {
                left
            } else {
                step
            };
            self.step(step, forcing)?;
            watch(self.time);
        }
        Ok(())
    }

    /// One step of a length in seconds. A step longer than the stable one is refused.
    pub fn step(&mut self, step: f64, forcing: &Forcing) -> Result<(), HazardError> {
        let longest = self.crossing().unwrap_or(self.settings.longest_step);
        if !(step > 0.0 && step <= longest) {
            return Err(HazardError::Contradiction(format!(
                "a step of {step} s cannot be taken: it must be above 0 and at most {longest} s, in \
                 which a wave crosses a cell where the water is {} m deep ({BATES_2010})",
                self.deepest
            )));
        }
        let middle = self.time + step / 2.0;
        let rain = forcing.rain.as_ref().map_or(0.0, |rain| rain.at(middle));
        let sources = Sources::of(rain, &self.ground.edges);
        // What was computed once stays in, so that nothing is left behind in cells that dried.
        let reach = Reach::new(self.ground.columns, &self.reached, sources).with(&self.reached);
        let (ground, settings) = (&self.ground, &self.settings);
        let (rain, sinks) = (rain * step, forcing.infiltration * step);
        let pass = Pass::new(
            ground,
            settings,
            &self.depth,
            &reach,
            [step, middle],
            [rain, sinks],
        );
        let mut rows = pass.run(&mut self.faces, &mut self.next, settings.threads);
        if rows.iter().any(|row| row.overdrawn) {
            // Some cell gave more than it had; what leaves such cells is scaled to what they have.
            self.faces.limit(ground, &self.depth, &reach, step);
            rows = pass.spread(&self.faces, &mut self.next, settings.threads);
        }
        let mut sunk = 0.0;
        self.deepest = 0.0;
        for (row, reached) in rows.iter().zip(&mut self.reached) {
            self.deepest = self.deepest.max(row.deepest);
            sunk += row.sunk;
            *reached = reach::hull(reached.clone(), &row.wet);
        }
        let area = self.ground.cell_area();
        self.balance.rain += self.cells as f64 * rain * area;
        self.balance.infiltration += sunk * area;
        self.balance.edges += self.faces.edge_inflow(&self.ground) * step;
        self.pour(forcing, middle, step);
        self.balance.edges += self.hold_edges();
        let rough = &self.ground.roughness_squared;
        let left = self
            .ground
            .rim
            .drain(&mut self.next, rough, area, step, |_, _| {});
        self.balance.edges -= left * area;
        std::mem::swap(&mut self.depth, &mut self.next);
        self.time += step;
        if let Some(footprint) = &mut self.footprint {
            let (depth, faces, ground) = (&self.depth, &self.faces, &self.ground);
            let moment = Moment {
                depth,
                wet: &self.reached,
                now: self.time,
                step,
            };
            let speed = |cell: usize| faces.discharge(ground, cell) / depth[cell];
            footprint.note(moment, speed, self.settings.threads);
        }
        Ok(())
    }

    /// Lets streams in.
    fn pour(&mut self, forcing: &Forcing, middle: f64, step: f64) {
        let area = self.ground.cell_area();
        for inflow in &forcing.inflows {
            let water = inflow.discharge.at(middle) * step;
            let depth = &mut self.next[inflow.row * self.ground.columns + inflow.column];
            *depth += water / area;
            self.deepest = self.deepest.max(*depth);
            self.balance.inflow += water;
            let cells = &mut self.reached[inflow.row];
            *cells = reach::hull(cells.clone(), &(inflow.column..inflow.column + 1));
        }
    }

    /// Puts held cells back to their depth; gives the volume that this brought in.
    fn hold_edges(&mut self) -> f64 {
        let (rows, columns) = (self.ground.rows, self.ground.columns);
        let edges = self.ground.edges.clone();
        let mut brought = 0.0;
        let mut hold = |cells: &mut dyn Iterator<Item = usize>| {
            for cell in cells {
                brought += self.depth[cell] - self.next[cell];
                self.next[cell] = self.depth[cell];
            }
        };
        if edges.top == Edge::Held {
            hold(&mut (0..columns));
        }
        if edges.bottom == Edge::Held {
            hold(&mut ((rows - 1) * columns..rows * columns));
        }
        if edges.left == Edge::Held {
            hold(&mut (0..rows).map(|row| row * columns));
        }
        if edges.right == Edge::Held {
            hold(&mut (0..rows).map(|row| (row + 1) * columns - 1));
        }
        brought * self.ground.cell_area()
    }

    /// Depths in metres.
    pub fn depth(&self) -> Grid {
        self.ground.grid(&self.depth)
    }

    /// Levels in metres of the elevation model's datum; no data on dry cells.
    pub fn level(&self) -> Grid {
        let levels = self.depth.iter().zip(&self.ground.bed);
        let levels: Vec<f64> = levels
            .map(|(h, z)| if *h > DRY { h + z } else { f64::NAN })
            .collect();
        self.ground.grid(&levels)
    }

    /// Speeds in m/s, averaged over the faces of a cell.
    pub fn speed(&self) -> Grid {
        let speed = |cell: usize| match self.depth[cell] > super::footprint::WET {
            true => self.faces.discharge(&self.ground, cell) / self.depth[cell],
            false => 0.0,
        };
        let speeds: Vec<f64> = (0..self.depth.len()).map(speed).collect();
        self.ground.grid(&speeds)
    }

    /// Highest ratio of the water's speed to that of its waves now, over cells a centimetre deep
    /// or more. Above 1 the equations leave out what matters.
    pub fn highest_froude(&self) -> f64 {
        let wet = (0..self.depth.len()).filter(|cell| self.depth[*cell] > super::footprint::WET);
        wet.map(|cell| {
            let depth = self.depth[cell];
            let speed = self.faces.discharge(&self.ground, cell) / depth;
            speed / (self.settings.gravity * depth).sqrt()
        })
        .fold(0.0, f64::max)
    }

    /// Seconds since the start.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Where all the water went.
    pub fn balance(&self) -> Balance {
        Balance {
            now: volume(&self.depth, &self.ground),
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

fn highest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

fn volume(depth: &[f64], ground: &Ground) -> f64 {
    depth.iter().sum::<f64>() * ground.cell_area()
}
