//! Growth of a fire as the zero of a function that the wind and the slope carry outward.
//!
//! `φ_t + c·∇φ + √(∇φᵀ M ∇φ) = 0`: the front moves as the envelope of the ellipses that burn on it
//! (Richards 1990; as a level set in Rehm & McDermott 2009 and Lautenberger 2013). One-sided slopes
//! of second order with the smaller of two curvatures, the side from which fire comes (the lowest or
//! highest where both or neither are), two Runge-Kutta stages. Only a band of cells about the front is
//! computed; cells ahead of it join with the distance from the band, so nothing has to be set anew.

use lahar_core::capability::Citation;

use super::ellipse::Wavelet;
use super::landscape::{Landscape, Period, check_periods};
use super::spread::Growth;
use crate::error::HazardError;

/// Fire fronts as level sets.
pub const LAUTENBERGER_2013: Citation = Citation {
    authors: "Lautenberger",
    year: 2013,
    doi: "doi:10.1016/j.firesaf.2013.08.014",
    place: "Eulerian level set, two Runge-Kutta stages",
};

/// Share of a cell that the fastest fire of the band may cross in a step.
pub const COURANT: f64 = 0.8;
/// Cells ahead of the front that are computed.
const AHEAD: f64 = 3.0;
/// Cells behind it.
const BEHIND: f64 = 3.0;

/// Grows a fire from cells that burn at time zero; each start is a disc as wide as a cell.
///
/// Inputs and errors as in [`super::minimum_travel_time::grow`].
pub fn grow(
    landscape: &Landscape,
    periods: &[Period],
    starts: &[usize],
    minutes: f64,
) -> Result<Growth, HazardError> {
    check_periods(periods, minutes)?;
    landscape.check_starts(starts)?;
    let mut front = Front::new(landscape);
    for start in starts {
        front.begin(*start);
    }
    for (at, period) in periods.iter().enumerate() {
        if period.start >= minutes {
            break;
        }
        let end = periods.get(at + 1).map_or(minutes, |next| next.start.min(minutes));
        let burning = landscape.in_weather(&period.weather)?;
        front.run(&|cell| burning.wavelet(cell), at as u32 + 1, (period.start, end));
    }
    Ok(front.finish(periods))
}

struct Front {
    /// Cells with two columns and rows around them that have no value.
    columns: usize,
    inner: (usize, usize),
    cell: [f64; 2],
    /// The function; `NaN` where nothing is known yet and where nothing burns.
    level: Vec<f64>,
    stage: Vec<f64>,
    next: Vec<f64>,
    open: Vec<bool>,
    /// Cells that are computed.
    band: Vec<usize>,
    wavelets: Vec<Wavelet>,
    /// The period whose wavelet a cell has.
    known: Vec<u32>,
    arrival: Vec<f64>,
    slowness: Vec<[f32; 2]>,
}

impl Front {
    fn new(landscape: &Landscape) -> Front {
        let inner = (landscape.rows(), landscape.columns());
        let columns = inner.1 + 4;
        let count = (inner.0 + 4) * columns;
        let mut front = Front {
            columns,
            inner,
            cell: landscape.cell(),
            level: vec![f64::NAN; count],
            stage: vec![f64::NAN; count],
            next: vec![0.0; count],
            open: vec![false; count],
            band: Vec::new(),
            wavelets: vec![Wavelet::default(); count],
            known: vec![0; count],
            arrival: vec![f64::NAN; count],
            slowness: vec![[0.0; 2]; count],
        };
        for cell in 0..inner.0 * inner.1 {
            let place = front.padded(cell);
            front.open[place] = landscape.burns(cell);
        }
        front
    }

    fn padded(&self, cell: usize) -> usize {
        (cell / self.inner.1 + 2) * self.columns + cell % self.inner.1 + 2
    }

    fn unpadded(&self, place: usize) -> usize {
        (place / self.columns - 2) * self.inner.1 + place % self.columns - 2
    }

    fn begin(&mut self, cell: usize) {
        let place = self.padded(cell);
        let [width, height] = self.cell;
        let radius = 0.5 * width.min(height);
        let (row, column) = ((place / self.columns) as isize, (place % self.columns) as isize);
        let reach = AHEAD as isize;
        for down in -reach..=reach {
            for right in -reach..=reach {
                let (to_row, to_column) = (row + down, column + right);
                let rows = (self.inner.0 + 4) as isize;
                if to_row < 0 || to_column < 0 || to_row >= rows || to_column >= self.columns as isize {
                    continue;
                }
                let to = (to_row * self.columns as isize + to_column) as usize;
                if !self.open[to] {
                    continue;
                }
                let away = (right as f64 * width).hypot(down as f64 * height) - radius;
                // Only what lies in a line of burning cells begins in the band, so that nothing
                // begins beyond a barrier.
                if self.level[to].is_nan() {
                    if self.is_cut_off(place, (down, right)) {
                        continue;
                    }
                    self.band.push(to);
                    self.level[to] = away;
                } else {
                    self.level[to] = self.level[to].min(away);
                }
            }
        }
        self.arrival[place] = 0.0;
    }

    /// Whether a cell that does not burn lies on the line to another cell.
    fn is_cut_off(&self, from: usize, (down, right): (isize, isize)) -> bool {
        let steps = 4 * down.abs().max(right.abs());
        (0..=steps).any(|at| {
            let along = |total: isize| {
                (total as f64 * at as f64 / steps.max(1) as f64).round() as isize
            };
            let to = from as isize + along(down) * self.columns as isize + along(right);
            !self.open[to as usize]
        })
    }

    fn run(
        &mut self,
        wavelet: &impl Fn(usize) -> Wavelet,
        period: u32,
        (start, end): (f64, f64),
    ) {
        let [width, height] = self.cell;
        let mut now = start;
        let mut slopes: Vec<[f64; 3]> = Vec::new();
        while now < end {
            // Crossings of a cell a minute, in both directions, of the fastest fire in the band.
            let mut fastest = 0.0f64;
            for at in 0..self.band.len() {
                let place = self.band[at];
                if self.known[place] != period {
                    self.wavelets[place] = wavelet(self.unpadded(place));
                    self.known[place] = period;
                }
                let Wavelet { middle, axes } = self.wavelets[place];
                let crossings = (middle[0].abs() + axes[0].sqrt()) / width
                    + (middle[1].abs() + axes[2].sqrt()) / height;
                fastest = fastest.max(crossings);
            }
            if fastest <= 0.0 {
                return;
            }
            let step = (COURANT / fastest).min(end - now);
            slopes.clear();
            for place in &self.band {
                let (rate, [x, y]) = self.outward(&self.level, *place);
                slopes.push([rate, x, y]);
                self.stage[*place] = self.level[*place] - step * rate;
            }
            for place in &self.band {
                let (rate, _) = self.outward(&self.stage, *place);
                let level = 0.5 * (self.level[*place] + self.stage[*place] - step * rate);
                self.next[*place] = level;
            }
            for (place, [rate, x, y]) in self.band.iter().zip(&slopes) {
                let (before, after) = (self.level[*place], self.next[*place]);
                if before > 0.0 && after <= 0.0 {
                    self.arrival[*place] = now + step * before / (before - after);
                    self.slowness[*place] = [(x / rate) as f32, (y / rate) as f32];
                }
                self.level[*place] = after;
                self.stage[*place] = after;
            }
            now += step;
            self.move_band();
        }
    }

    /// How fast the function falls at a cell, and its gradient there (east, north).
    #[inline]
    fn outward(&self, level: &[f64], place: usize) -> (f64, [f64; 2]) {
        let [width, height] = self.cell;
        let east = sides(level, place, 1, width);
        // Rows run to the south.
        let [north, south] = sides(level, place, self.columns, height).map(|slope| -slope);
        let wavelet = &self.wavelets[place];
        let x = side(east, |x| wavelet.velocity([x, 0.5 * (south + north)])[0]);
        let y = side([south, north], |y| wavelet.velocity([x, y])[1]);
        (wavelet.outward([x, y]), [x, y])
    }

    /// Lets cells ahead of the front join the band, and those far behind it leave.
    fn move_band(&mut self) {
        let size = self.cell[0].min(self.cell[1]);
        let columns = self.columns;
        let mut joining: Vec<usize> = Vec::new();
        for place in &self.band {
            if self.level[*place] < (AHEAD - 1.0) * size {
                for beside in [place - 1, place + 1, place - columns, place + columns] {
                    if self.open[beside] && self.level[beside].is_nan() {
                        joining.push(beside);
                    }
                }
            }
        }
        joining.sort_unstable();
        joining.dedup();
        let levels: Vec<f64> = joining.iter().map(|place| self.extended(*place)).collect();
        let arrived = &self.arrival;
        let burned = |place: usize| !arrived[place].is_nan();
        let level = &self.level;
        self.band.retain(|place| {
            let inside = [1, columns].into_iter().all(|stride| {
                [1, 2, 3].into_iter().all(|far| {
                    let (back, on) = (place.wrapping_sub(far * stride), place + far * stride);
                    let done = |at: usize| arrived.get(at).is_none() || burned(at) || level[at].is_nan();
                    done(back) && done(on)
                })
            });
            let diagonal = [columns + 1, columns - 1].into_iter().all(|stride| {
                [1, 2].into_iter().all(|far| {
                    let (back, on) = (place.wrapping_sub(far * stride), place + far * stride);
                    let done = |at: usize| arrived.get(at).is_none() || burned(at) || level[at].is_nan();
                    done(back) && done(on)
                })
            });
            !(burned(*place) && (level[*place] < -BEHIND * size || inside && diagonal))
        });
        for (place, level) in joining.into_iter().zip(levels) {
            self.level[place] = level;
            self.stage[place] = level;
            self.band.push(place);
        }
    }

    /// Distance from the band: where `|∇φ| = 1` with the lower neighbours on both axes.
    fn extended(&self, place: usize) -> f64 {
        let [width, height] = self.cell;
        let lower = |stride: usize| {
            let (a, b) = (self.level[place - stride], self.level[place + stride]);
            // The minimum of a number and `NaN` is the number.
            a.min(b)
        };
        let (a, b) = (lower(1), lower(self.columns));
        let alone = (a + width).min(b + height);
        if a.is_nan() || b.is_nan() {
            return alone;
        }
        let (u, v) = (1.0 / (width * width), 1.0 / (height * height));
        let (sum, mean) = (u + v, (a * u + b * v) / (u + v));
        let inner = mean * mean - (a * a * u + b * b * v - 1.0) / sum;
        let both = mean + inner.max(0.0).sqrt();
        if inner >= 0.0 && both >= a.max(b) { both } else { alone }
    }

    fn finish(self, periods: &[Period]) -> Growth {
        let count = self.inner.0 * self.inner.1;
        let (mut arrival, mut slowness) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for cell in 0..count {
            let place = self.padded(cell);
            arrival.push(self.arrival[place]);
            slowness.push(self.slowness[place]);
        }
        Growth::new(arrival, slowness, periods)
    }
}

/// Slopes on both sides of a cell; one side stands for the other where that has no value.
#[inline]
fn sides(level: &[f64], place: usize, stride: usize, size: f64) -> [f64; 2] {
    let own = level[place];
    let (back, on) = (level[place - stride], level[place + stride]);
    let (before, after) = ((own - back) / size, (on - own) / size);
    let bend = after - before;
    if bend.is_nan() {
        return match (before.is_nan(), after.is_nan()) {
            (false, _) => [before; 2],
            (_, false) => [after; 2],
            _ => [0.0; 2],
        };
    }
    let bend_back = (back - level[place - 2 * stride]) / size;
    let bend_on = (level[place + 2 * stride] - on) / size;
    // `NaN`, where a far neighbour has no value, leaves the first order.
    [
        before + 0.5 * smaller(bend, before - bend_back),
        after - 0.5 * smaller(bend, bend_on - after),
    ]
}

/// The smaller of two of one sign, 0 otherwise.
#[inline]
fn smaller(a: f64, b: f64) -> f64 {
    match a * b > 0.0 {
        true if a.abs() < b.abs() => a,
        true => b,
        false => 0.0,
    }
}

/// The slope on the side from which fire comes, of the two sides in the order of the axis: what
/// Godunov's scheme takes for a function that bends one way.
#[inline]
fn side([before, after]: [f64; 2], speed: impl Fn(f64) -> f64) -> f64 {
    let (first, second) = (speed(before), speed(after));
    match (first > 0.0, second > 0.0) {
        (true, true) => before,
        (false, false) => after,
        // It comes from neither side: the slope between them at which it stands still.
        (false, true) => before - first * (after - before) / (second - first),
        // It comes from both: the steeper one is first.
        (true, false) => match first > -second {
            true => before,
            false => after,
        },
    }
}
