//! What a flood did to each cell: how high, how fast, when, for how long.

use lahar_core::Grid;

use super::domain::Ground;

/// Depth in metres from which a cell counts as flooded.
pub const WET: f64 = 0.01;

/// Highest water, arrival and duration of each cell, gathered step by step.
#[derive(Debug, Clone, PartialEq)]
pub struct Footprint {
    depth: Vec<f64>,
    speed: Vec<f64>,
    arrival: Vec<f64>,
    duration: Vec<f64>,
}

impl Footprint {
    pub(super) fn new(cells: usize) -> Footprint {
        Footprint {
            depth: vec![0.0; cells],
            speed: vec![0.0; cells],
            arrival: vec![f64::NAN; cells],
            duration: vec![0.0; cells],
        }
    }

    /// Takes in the state at the end of a step.
    pub(super) fn note(
        &mut self,
        depth: &[f64],
        speed: impl Fn(usize) -> f64,
        now: f64,
        step: f64,
    ) {
        for (cell, depth) in depth.iter().enumerate() {
            if *depth < WET {
                continue;
            }
            self.depth[cell] = self.depth[cell].max(*depth);
            self.speed[cell] = self.speed[cell].max(speed(cell));
            self.duration[cell] += step;
            if self.arrival[cell].is_nan() {
                self.arrival[cell] = now;
            }
        }
    }

    /// Highest depth in metres.
    pub fn depth(&self, ground: &Ground) -> Grid {
        ground.grid(&self.depth)
    }

    /// Highest speed in m/s.
    pub fn speed(&self, ground: &Ground) -> Grid {
        ground.grid(&self.speed)
    }

    /// Seconds from the start until a cell is flooded; no data where it never is.
    pub fn arrival(&self, ground: &Ground) -> Grid {
        ground.grid(&self.arrival)
    }

    /// Seconds for which a cell is flooded.
    pub fn duration(&self, ground: &Ground) -> Grid {
        ground.grid(&self.duration)
    }
}
