//! The band of cells about a front, and how it moves with it.

use pulp::Arch;

use super::COURANT;
use super::scheme::{Cells, First, LANES, Run, Second, Wavelets};
use crate::wildfire::ellipse::Wavelet;
use crate::wildfire::landscape::Landscape;
use crate::wildfire::minimum_travel_time::Reached;

/// Cells ahead of the front that are computed.
const AHEAD: f32 = 3.0;
/// Cells behind it.
const BEHIND: f32 = 3.0;

/// What a cell is to the front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Part {
    /// Nothing burns there.
    Closed,
    Beyond,
    Band,
    Tail,
    Done,
}

pub(super) struct Front {
    /// Cells with two columns and rows around them that have no value.
    columns: usize,
    inner: (usize, usize),
    cell: [f32; 2],
    /// The function; `NaN` where nothing is known yet and where nothing burns.
    level: Vec<f32>,
    stage: Vec<f32>,
    part: Vec<Part>,
    /// Cells that are computed, in their order.
    band: Vec<usize>,
    runs: Vec<Run>,
    /// Rate and slopes of the first stage, by place in the band.
    slopes: [Vec<f32>; 3],
    /// Burned cells behind the band, which go on falling as fast as when they left it: the band leans
    /// on them.
    tail: Vec<(usize, f32)>,
    wavelets: Wavelets,
    /// Cells that the fastest fire of a cell crosses a minute, in both directions.
    crossings: Vec<f32>,
    burned: Vec<bool>,
    arrival: Vec<f64>,
    slowness: Vec<[f32; 2]>,
}

impl Front {
    pub fn new(landscape: &Landscape) -> Front {
        let inner = (landscape.rows(), landscape.columns());
        let columns = inner.1 + 4;
        // The last cells are read together with what lies behind them.
        let count = (inner.0 + 4) * columns + LANES;
        let mut part = vec![Part::Closed; count];
        for cell in (0..inner.0 * inner.1).filter(|cell| landscape.burns(*cell)) {
            part[(cell / inner.1 + 2) * columns + cell % inner.1 + 2] = Part::Beyond;
        }
        Front {
            columns,
            inner,
            cell: landscape.cell().map(|size| size as f32),
            level: vec![f32::NAN; count],
            stage: vec![f32::NAN; count],
            part,
            band: Vec::new(),
            runs: Vec::new(),
            slopes: [Vec::new(), Vec::new(), Vec::new()],
            tail: Vec::new(),
            wavelets: Wavelets::new(count),
            crossings: vec![0.0; count],
            burned: vec![false; count],
            arrival: vec![f64::NAN; inner.0 * inner.1],
            slowness: vec![[0.0; 2]; inner.0 * inner.1],
        }
    }

    fn padded(&self, cell: usize) -> usize {
        (cell / self.inner.1 + 2) * self.columns + cell % self.inner.1 + 2
    }

    fn unpadded(&self, place: usize) -> usize {
        (place / self.columns - 2) * self.inner.1 + place % self.columns - 2
    }

    fn size(&self) -> f32 {
        self.cell[0].min(self.cell[1])
    }

    /// Takes a fire at the time at which it has burned so many cells, and gives that time.
    pub fn begin(&mut self, mut fire: Vec<Reached>, cells: usize) -> f64 {
        fire.sort_by(|a, b| a.arrival.total_cmp(&b.arrival).then(a.cell.cmp(&b.cell)));
        let now = fire[cells.min(fire.len()) - 1].arrival;
        for reached in fire {
            let [x, y] = reached.slowness;
            // The distance from the front, to first order.
            let away = match x.hypot(y) {
                slow if slow > 0.0 => (reached.arrival - now) as f32 / slow,
                _ => -BEHIND * self.size(),
            };
            let place = self.padded(reached.cell);
            if reached.arrival <= now {
                self.burned[place] = true;
                self.arrival[reached.cell] = reached.arrival;
                self.slowness[reached.cell] = reached.slowness;
            }
            self.level[place] = away;
            self.stage[place] = away;
            self.part[place] = Part::Band;
            self.band.push(place);
        }
        self.band.sort_unstable();
        self.lay_out();
        now
    }

    /// Burns on in one weather, in which a small fire becomes in each cell what is given.
    pub fn run(&mut self, wavelet: &mut impl FnMut(usize) -> Wavelet, (start, end): (f64, f64)) {
        for at in 0..self.band.len() {
            self.learn(self.band[at], wavelet);
        }
        let [width, height] = self.cell;
        let cells = Cells {
            columns: self.columns,
            per_width: 1.0 / width,
            per_height: 1.0 / height,
        };
        let arch = Arch::new();
        let mut passed = Vec::new();
        let mut now = start;
        while now < end {
            let fastest = self.fastest();
            if fastest <= 0.0 {
                return;
            }
            let step = (COURANT / f64::from(fastest)).min(end - now);
            arch.dispatch(First {
                cells,
                runs: &self.runs,
                wavelets: &self.wavelets,
                step: step as f32,
                level: &self.level,
                stage: &mut self.stage,
                slopes: &mut self.slopes,
            });
            for (place, rate) in &self.tail {
                self.stage[*place] = self.level[*place] - step as f32 * rate;
            }
            passed.clear();
            arch.dispatch(Second {
                cells,
                runs: &self.runs,
                wavelets: &self.wavelets,
                step: step as f32,
                level: &mut self.level,
                stage: &self.stage,
                passed: &mut passed,
            });
            for (place, _) in &self.tail {
                self.level[*place] = self.stage[*place];
            }
            for (place, at, share) in &passed {
                let cell = self.unpadded(*place);
                let [rate, x, y] = self.slopes.each_ref().map(|part| part[*at]);
                self.burned[*place] = true;
                self.arrival[cell] = now + step * f64::from(*share);
                self.slowness[cell] = [x / rate, y / rate];
            }
            now += step;
            self.move_band(wavelet);
        }
    }

    /// The most cells that a fire of the band crosses a minute.
    fn fastest(&self) -> f32 {
        // Several at a time, as one maximum waits for the one before it.
        let mut fastest = [0.0f32; LANES];
        for run in &self.runs {
            for part in self.crossings[run.place..run.place + run.cells].chunks(LANES) {
                for (fastest, crossings) in fastest.iter_mut().zip(part) {
                    *fastest = fastest.max(*crossings);
                }
            }
        }
        fastest.into_iter().fold(0.0, f32::max)
    }

    fn learn(&mut self, place: usize, wavelet: &mut impl FnMut(usize) -> Wavelet) {
        let wavelet = wavelet(self.unpadded(place));
        let [width, height] = self.cell;
        self.crossings[place] = (wavelet.middle[0].abs() + wavelet.axes[0].sqrt()) as f32 / width
            + (wavelet.middle[1].abs() + wavelet.axes[2].sqrt()) as f32 / height;
        self.wavelets.learn(place, &wavelet);
    }

    /// Cells of the band beside each other, and room for what is computed of them.
    fn lay_out(&mut self) {
        self.runs.clear();
        for place in &self.band {
            match self.runs.last_mut() {
                Some(run) if run.place + run.cells == *place => run.cells += 1,
                _ => self.runs.push(Run {
                    place: *place,
                    cells: 1,
                }),
            }
        }
        for part in &mut self.slopes {
            part.resize(self.band.len() + LANES, 0.0);
        }
    }

    /// Lets cells ahead of the front join the band, and those well behind it fall back into the tail.
    fn move_band(&mut self, wavelet: &mut impl FnMut(usize) -> Wavelet) {
        let joining = self.next_to_band();
        self.let_leave();
        self.let_join(joining, wavelet);
        self.lay_out();
    }

    /// Cells that nothing is known of beside those that the front is about to reach, nearest first.
    fn next_to_band(&self) -> Vec<(f32, usize)> {
        let (near, columns) = ((AHEAD - 1.0) * self.size(), self.columns);
        let mut joining: Vec<usize> = Vec::new();
        for place in &self.band {
            if self.level[*place] < near {
                for beside in [place - 1, place + 1, place - columns, place + columns] {
                    if self.part[beside] == Part::Beyond {
                        joining.push(beside);
                    }
                }
            }
        }
        joining.sort_unstable();
        joining.dedup();
        // Nearest first, so that each leans on those between it and the front.
        let mut nearest: Vec<(f32, usize)> = joining
            .into_iter()
            .map(|place| (self.extended(place), place))
            .collect();
        nearest.sort_unstable_by(|(a, x), (b, y)| a.total_cmp(b).then(x.cmp(y)));
        nearest
    }

    fn let_join(&mut self, joining: Vec<(f32, usize)>, wavelet: &mut impl FnMut(usize) -> Wavelet) {
        let settled = self.band.len();
        for (_, place) in joining {
            self.level[place] = self.extended(place);
            self.stage[place] = self.level[place];
            self.part[place] = Part::Band;
            self.learn(place, wavelet);
            self.band.push(place);
        }
        // Two stretches in order, one behind the other: this sort merges them.
        self.band[settled..].sort_unstable();
        self.band.sort();
    }

    fn let_leave(&mut self) {
        let (size, columns) = (self.size(), self.columns);
        // Behind: two cells on both axes have burned, or have nothing to burn.
        let done = |place: usize| self.burned[place] || self.part[place] == Part::Closed;
        // The farthest first: they are the last to burn.
        let around = [2, 2 * columns, columns + 1, columns - 1, 1, columns];
        let behind = |place: usize| {
            around
                .into_iter()
                .all(|stride| done(place - stride) && done(place + stride))
        };
        let rates = &self.slopes[0];
        let leaving: Vec<(usize, f32)> = self
            .band
            .iter()
            .zip(rates)
            .filter(|(place, _)| {
                self.burned[**place] && (self.level[**place] < -BEHIND * size || behind(**place))
            })
            .map(|(place, rate)| (*place, *rate))
            .collect();
        let part = &mut self.part;
        for (place, _) in &leaving {
            part[*place] = Part::Tail;
        }
        if !leaving.is_empty() {
            self.band.retain(|place| part[*place] == Part::Band);
        }
        self.tail.extend(leaving);
        self.tail.retain(|(place, _)| {
            let leaned_on = [1, 2, columns, 2 * columns].into_iter().any(|stride| {
                part[place - stride] == Part::Band || part[place + stride] == Part::Band
            });
            if !leaned_on {
                part[*place] = Part::Done;
            }
            leaned_on
        });
    }

    /// Distance from the band: where `|∇φ| = 1` with the lower neighbours on both axes, their slopes
    /// of second order where two of them fall to the band (Sethian 1999).
    fn extended(&self, place: usize) -> f32 {
        let [width, height] = self.cell;
        // A value and a weight: the slope along the axis is `√weight (φ - value)`.
        let lower = |stride: usize, size: f32| {
            let (back, on) = (self.level[place - stride], self.level[place + stride]);
            let (near, far) = match back <= on || on.is_nan() {
                true => (back, self.level[place.wrapping_sub(2 * stride)]),
                false => (on, self.level[place + 2 * stride]),
            };
            match far < near {
                true => ((4.0 * near - far) / 3.0, 2.25 / (size * size), near),
                false => (near, 1.0 / (size * size), near),
            }
        };
        let (a, u, near_a) = lower(1, width);
        let (b, v, near_b) = lower(self.columns, height);
        let alone = (a + 1.0 / u.sqrt()).min(b + 1.0 / v.sqrt());
        if a.is_nan() || b.is_nan() {
            return alone;
        }
        let (sum, mean) = (u + v, (a * u + b * v) / (u + v));
        // Of the values' difference and not of their squares, whose digits cancel.
        let apart = a - b;
        let inner = (1.0 - u * v / sum * apart * apart) / sum;
        let both = mean + inner.max(0.0).sqrt();
        if inner >= 0.0 && both >= near_a.max(near_b) {
            both
        } else {
            alone
        }
    }

    /// Arrival and slowness of each cell.
    pub fn finish(self) -> (Vec<f64>, Vec<[f32; 2]>) {
        (self.arrival, self.slowness)
    }
}
