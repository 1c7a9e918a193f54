//! Growth of a fire as the zero of a function that the wind and the slope carry outward.
//!
//! `φ_t + c·∇φ + √(∇φᵀ M ∇φ) = 0`: the front moves as the envelope of the ellipses that burn on it
//! (Richards 1990; as a level set in Rehm & McDermott 2009 and Lautenberger 2013). One-sided slopes
//! of second order with the smaller of two curvatures, the side from which fire comes (the lowest or
//! highest where both or neither are), two Runge-Kutta stages. Only a band of cells about the front is
//! computed; cells ahead of it join with the distance from the band, so nothing has to be set anew.
//!
//! No grid resolves a fire of one cell. The first [`FIRST`] cells are those of the quickest ways
//! ([`super::minimum_travel_time`]); a fire that stays smaller than [`ENOUGH`] cells is theirs
//! altogether.

use lahar_core::capability::Citation;

use super::ellipse::Wavelet;
use super::landscape::{Landscape, Period, check_periods};
use super::minimum_travel_time::{self, Beginning};
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

/// Cells that burn before the level set begins.
pub const FIRST: usize = 48;
/// Cells of which the level set needs to know when they burn, to begin.
pub const ENOUGH: usize = 128;

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
    let enough = starts.len() + ENOUGH;
    let beginning = minimum_travel_time::begin(landscape, periods, starts, minutes, enough)?;
    if !beginning.goes_on {
        return Ok(Growth::new(beginning.arrival, beginning.slowness, periods));
    }
    let mut front = Front::new(landscape);
    let now = front.begin(&beginning, starts.len() + FIRST);
    for (at, period) in periods.iter().enumerate() {
        let end = periods
            .get(at + 1)
            .map_or(minutes, |next| next.start.min(minutes));
        if period.start >= minutes || end <= now {
            continue;
        }
        let burning = landscape.in_weather(&period.weather)?;
        let start = now.max(period.start);
        front.run(&|cell| burning.wavelet(cell), at as u32 + 1, (start, end));
    }
    Ok(front.finish(periods))
}

/// What a cell is to the front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Part {
    Beyond,
    Band,
    Tail,
    Done,
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
    /// Burned cells behind the band, which go on falling as fast as when they left it: the band leans
    /// on them.
    tail: Vec<(usize, f64)>,
    part: Vec<Part>,
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
            tail: Vec::new(),
            part: vec![Part::Beyond; count],
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

    /// Takes a fire at the time at which it has burned so many cells, and gives that time.
    fn begin(&mut self, fire: &Beginning, cells: usize) -> f64 {
        let known = |cell: &usize| !fire.arrival[*cell].is_nan();
        let mut order: Vec<usize> = (0..fire.arrival.len()).filter(known).collect();
        order.sort_by(|a, b| fire.arrival[*a].total_cmp(&fire.arrival[*b]));
        let now = fire.arrival[order[cells.min(order.len()) - 1]];
        let size = self.cell[0].min(self.cell[1]);
        for cell in order {
            let (arrival, [x, y]) = (fire.arrival[cell], fire.slowness[cell].map(f64::from));
            // The distance from the front, to first order.
            let away = match x.hypot(y) {
                slow if slow > 0.0 => (arrival - now) / slow,
                _ => -BEHIND * size,
            };
            let place = self.padded(cell);
            if arrival <= now {
                self.arrival[place] = arrival;
                self.slowness[place] = fire.slowness[cell];
            }
            self.level[place] = away;
            self.stage[place] = away;
            self.part[place] = Part::Band;
            self.band.push(place);
        }
        self.band.sort_unstable();
        now
    }

    fn run(&mut self, wavelet: &impl Fn(usize) -> Wavelet, period: u32, (start, end): (f64, f64)) {
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
            for (place, rate) in &self.tail {
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
            for (place, _) in &self.tail {
                self.level[*place] = self.stage[*place];
            }
            now += step;
            self.move_band(&slopes);
        }
    }

    /// How fast the function falls at a cell, and its gradient there (east, north).
    #[inline(always)]
    fn outward(&self, level: &[f64], place: usize) -> (f64, [f64; 2]) {
        let [width, height] = self.cell;
        let east = sides(level, place, 1, width);
        // Rows run to the south.
        let [above, below] = sides(level, place, self.columns, height);
        let (north, south) = (-above, -below);
        let wavelet = &self.wavelets[place];
        let x = side(east, |x| wavelet.velocity([x, 0.5 * (south + north)])[0]);
        let y = side([south, north], |y| wavelet.velocity([x, y])[1]);
        (wavelet.outward([x, y]), [x, y])
    }

    /// Lets cells ahead of the front join the band, and those well behind it fall back into the tail.
    fn move_band(&mut self, slopes: &[[f64; 3]]) {
        let size = self.cell[0].min(self.cell[1]);
        let columns = self.columns;
        let mut joining: Vec<usize> = Vec::new();
        for place in &self.band {
            if self.level[*place] < (AHEAD - 1.0) * size {
                for beside in [place - 1, place + 1, place - columns, place + columns] {
                    if self.open[beside] && self.part[beside] == Part::Beyond {
                        joining.push(beside);
                    }
                }
            }
        }
        joining.sort_unstable();
        joining.dedup();
        // Nearest first, so that each leans on those between it and the front.
        let mut nearest: Vec<(f64, usize)> = joining
            .into_iter()
            .map(|place| (self.extended(place), place))
            .collect();
        nearest.sort_unstable_by(|(a, x), (b, y)| a.total_cmp(b).then(x.cmp(y)));
        let behind_them = self.band.len();
        for (_, place) in nearest {
            self.level[place] = self.extended(place);
            self.stage[place] = self.level[place];
            self.part[place] = Part::Band;
            self.band.push(place);
        }
        // Behind: two cells on both axes have burned, or have nothing to burn.
        let (arrival, level) = (&self.arrival, &self.level);
        let done = |place: usize| !arrival[place].is_nan() || level[place].is_nan();
        let behind = |place: usize| {
            [1, columns, columns + 1, columns - 1]
                .into_iter()
                .all(|stride| done(place - stride) && done(place + stride))
                && [2, 2 * columns]
                    .into_iter()
                    .all(|stride| done(place - stride) && done(place + stride))
        };
        let leaving = |place: usize| {
            !arrival[place].is_nan() && (level[place] < -BEHIND * size || behind(place))
        };
        let mut left: Vec<(usize, f64)> = Vec::new();
        // Those that have just joined have no rate yet, and stay.
        for (place, [rate, ..]) in self.band[..behind_them].iter().zip(slopes) {
            if leaving(*place) {
                left.push((*place, *rate));
            }
        }
        for (place, _) in &left {
            self.part[*place] = Part::Tail;
        }
        self.tail.extend(left);
        let part = &self.part;
        self.band.retain(|place| part[*place] == Part::Band);
        let part = &mut self.part;
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
    fn extended(&self, place: usize) -> f64 {
        let [width, height] = self.cell;
        // A value and a weight: the slope along the axis is `√weight (φ - value)`.
        let lower = |stride: usize, size: f64| {
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
        let inner = mean * mean - (a * a * u + b * b * v - 1.0) / sum;
        let both = mean + inner.max(0.0).sqrt();
        if inner >= 0.0 && both >= near_a.max(near_b) {
            both
        } else {
            alone
        }
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
#[inline(always)]
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
#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    match a * b > 0.0 {
        true if a.abs() < b.abs() => a,
        true => b,
        false => 0.0,
    }
}

/// The slope on the side from which fire comes, of the two sides in the order of the axis: what
/// Godunov's scheme takes for a function that bends one way.
#[inline(always)]
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
