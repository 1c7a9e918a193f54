//! What a flood did to each cell: how high, how fast, when, for how long.

use std::ops::Range;

use lahar_core::Grid;

use super::domain::Ground;
use crate::parallel;

/// Depth in metres from which a cell counts as flooded.
pub const WET: f64 = 0.01;

/// The state at the end of a step.
pub(super) struct Moment<'a> {
    pub depth: &'a [f64],
    /// Cells of each row beyond which there is no water.
    pub wet: &'a [Range<usize>],
    /// Seconds since the start.
    pub now: f64,
    /// Length of the step in seconds.
    pub step: f64,
}

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

    /// Takes in the state at the end of a step; `speed` is asked of flooded cells only.
    pub(super) fn note(
        &mut self,
        moment: Moment<'_>,
        speed: impl Fn(usize) -> f64 + Sync,
        threads: usize,
    ) {
        let columns = moment.depth.len() / moment.wet.len();
        let values = [
            &mut self.depth[..],
            &mut self.speed,
            &mut self.arrival,
            &mut self.duration,
        ];
        parallel::bands(
            values,
            columns,
            threads,
            |first, [high, fast, arrival, time]| {
                for at in 0..high.len() / columns {
                    for column in moment.wet[first + at].clone() {
                        let (here, cell) = (at * columns + column, (first + at) * columns + column);
                        let depth = moment.depth[cell];
                        if depth < WET {
                            continue;
                        }
                        high[here] = high[here].max(depth);
                        fast[here] = fast[here].max(speed(cell));
                        time[here] += moment.step;
                        if arrival[here].is_nan() {
                            arrival[here] = moment.now;
                        }
                    }
                }
            },
        );
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
