//! The slopes of the function and how fast it falls, for the cells of a band that lie beside each
//! other: eight at a time, by comparisons and selections alone, so that they are compiled for the
//! widest vectors the machine has.
//!
//! Single precision: levels are a few cells of some metres, and what is rounded off them in all the
//! steps of a fire is far below what the scheme itself leaves off.

use pulp::{Simd, WithSimd};

use crate::wildfire::ellipse::Wavelet;

/// Cells that are computed together.
pub(super) const LANES: usize = 8;

pub(super) type Lanes = [f32; LANES];

/// Cells of the band beside each other in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub place: usize,
    pub cells: usize,
}

/// What a small fire becomes in each cell, part by part.
pub(super) struct Wavelets {
    middle: [Vec<f32>; 2],
    axes: [Vec<f32>; 3],
}

impl Wavelets {
    pub fn new(count: usize) -> Wavelets {
        let part = || vec![0.0; count];
        Wavelets {
            middle: [part(), part()],
            axes: [part(), part(), part()],
        }
    }

    pub fn learn(&mut self, place: usize, wavelet: &Wavelet) {
        for (part, value) in self.middle.iter_mut().zip(wavelet.middle) {
            part[place] = value as f32;
        }
        for (part, value) in self.axes.iter_mut().zip(wavelet.axes) {
            part[place] = value as f32;
        }
    }
}

/// A grid and one over the size of its cells.
#[derive(Clone, Copy)]
pub(super) struct Cells {
    pub columns: usize,
    pub per_width: f32,
    pub per_height: f32,
}

/// First stage: how fast each cell of the band falls, its slopes, and where it is a step later.
pub(super) struct First<'a> {
    pub cells: Cells,
    pub runs: &'a [Run],
    pub wavelets: &'a Wavelets,
    pub step: f32,
    pub level: &'a [f32],
    pub stage: &'a mut [f32],
    /// Rate, slope to the east and to the north, by place in the band; `LANES` longer than it.
    pub slopes: &'a mut [Vec<f32>; 3],
}

impl WithSimd for First<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let mut band = 0;
        for run in self.runs {
            for offset in (0..run.cells).step_by(LANES) {
                let (place, count) = (run.place + offset, LANES.min(run.cells - offset));
                let (rate, x, y) = outward(self.level, place, &self.cells, self.wavelets);
                let own: Lanes = lanes(self.level, place);
                let before = lanes(self.stage, place);
                let mut after = before;
                for i in 0..LANES {
                    let fallen = own[i] - self.step * rate[i];
                    after[i] = if i < count { fallen } else { before[i] };
                }
                self.stage[place..place + LANES].copy_from_slice(&after);
                let [rates, xs, ys] = self.slopes;
                rates[band..band + LANES].copy_from_slice(&rate);
                xs[band..band + LANES].copy_from_slice(&x);
                ys[band..band + LANES].copy_from_slice(&y);
                band += count;
            }
        }
    }
}

/// Second stage: the mean of both; gives the places in the band over which the front has passed,
/// each with its share of the step.
pub(super) struct Second<'a> {
    pub cells: Cells,
    pub runs: &'a [Run],
    pub wavelets: &'a Wavelets,
    pub step: f32,
    pub level: &'a mut [f32],
    pub stage: &'a [f32],
    pub passed: &'a mut Vec<(usize, usize, f32)>,
}

impl WithSimd for Second<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let mut band = 0;
        for run in self.runs {
            for offset in (0..run.cells).step_by(LANES) {
                let (place, count) = (run.place + offset, LANES.min(run.cells - offset));
                let (rate, ..) = outward(self.stage, place, &self.cells, self.wavelets);
                let (before, stage) = (lanes(self.level, place), lanes(self.stage, place));
                let mut after = before;
                let mut crossed = false;
                for i in 0..LANES {
                    let mean = 0.5 * (before[i] + stage[i] - self.step * rate[i]);
                    after[i] = if i < count { mean } else { before[i] };
                    crossed |= (before[i] > 0.0) & (after[i] <= 0.0);
                }
                self.level[place..place + LANES].copy_from_slice(&after);
                if crossed {
                    for i in 0..count {
                        if before[i] > 0.0 && after[i] <= 0.0 {
                            let share = before[i] / (before[i] - after[i]);
                            self.passed.push((place + i, band + i, share));
                        }
                    }
                }
                band += count;
            }
        }
    }
}

#[inline(always)]
fn lanes(values: &[f32], place: usize) -> Lanes {
    let mut found = [0.0; LANES];
    found.copy_from_slice(&values[place..place + LANES]);
    found
}

/// How fast the function falls at cells beside each other, and its slopes there (east, north).
#[inline(always)]
fn outward(
    level: &[f32],
    place: usize,
    cells: &Cells,
    wavelets: &Wavelets,
) -> (Lanes, Lanes, Lanes) {
    let at = |from: usize| lanes(level, from);
    let (own, columns) = (at(place), cells.columns);
    let beside = [at(place - 2), at(place - 1), at(place + 1), at(place + 2)];
    // Rows run to the south: the lower one comes first on the axis to the north.
    let along = [
        at(place + 2 * columns),
        at(place + columns),
        at(place - columns),
        at(place - 2 * columns),
    ];
    let part = |values: &[f32]| lanes(values, place);
    let middle = [part(&wavelets.middle[0]), part(&wavelets.middle[1])];
    let axes = [
        part(&wavelets.axes[0]),
        part(&wavelets.axes[1]),
        part(&wavelets.axes[2]),
    ];
    let (mut rates, mut xs, mut ys) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
    for i in 0..LANES {
        let pick = |axis: &[Lanes; 4]| [axis[0][i], axis[1][i], axis[2][i], axis[3][i]];
        let [west, east] = sides(own[i], pick(&beside), cells.per_width);
        let [south, north] = sides(own[i], pick(&along), cells.per_height);
        let (c, d) = (middle[0][i], middle[1][i]);
        let (xx, xy, yy) = (axes[0][i], axes[1][i], axes[2][i]);
        let mean = 0.5 * (south + north);
        let x = side(west, east, |x| {
            speed(c, xx * x + xy * mean, x, xy * x + yy * mean, mean)
        });
        let y = side(south, north, |y| {
            speed(d, xy * x + yy * y, y, xx * x + xy * y, x)
        });
        let square = xx * x * x + 2.0 * xy * x * y + yy * y * y;
        rates[i] = c * x + d * y + larger(square, 0.0).sqrt();
        xs[i] = x;
        ys[i] = y;
    }
    (rates, xs, ys)
}

/// How fast fire goes along an axis from a front with slopes `a` on it and `b` across it, where `u`
/// and `v` are the parts of `M n` on and across it.
#[inline(always)]
fn speed(drift: f32, u: f32, a: f32, v: f32, b: f32) -> f32 {
    drift + u / larger(u * a + v * b, f32::MIN_POSITIVE).sqrt()
}

#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Slopes on both sides of a cell, from the two cells before it and the two after it on an axis; one
/// side stands for the other where that has no value.
#[inline(always)]
fn sides(own: f32, [far_back, back, on, far_on]: [f32; 4], per_size: f32) -> [f32; 2] {
    let (before, after) = ((own - back) * per_size, (on - own) * per_size);
    let bend = after - before;
    let bend_back = (back - far_back) * per_size;
    let bend_on = (far_on - on) * per_size;
    // `NaN`, where a far neighbour has no value, leaves the first order.
    let second = [
        smaller(bend, before - bend_back),
        smaller(bend, bend_on - after),
    ];
    let known = if before.is_nan() { after } else { before };
    let first = if known.is_nan() { 0.0 } else { known };
    let last = if after.is_nan() { first } else { after };
    [first + 0.5 * second[0], last - 0.5 * second[1]]
}

/// The smaller of two of one sign, 0 otherwise.
#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    let size = if a.abs() < b.abs() { a } else { b };
    if a * b > 0.0 { size } else { 0.0 }
}

/// The slope on the side from which fire comes, of the two sides in the order of the axis: what
/// Godunov's scheme takes for a function that bends one way.
#[inline(always)]
fn side(before: f32, after: f32, speed: impl Fn(f32) -> f32) -> f32 {
    let (first, second) = (speed(before), speed(after));
    // It comes from neither side: the slope between them at which it stands still.
    let still = before - first * (after - before) / (second - first);
    // It comes from both: the steeper one is first.
    let steeper = if first > -second { before } else { after };
    let forward = if second > 0.0 { before } else { steeper };
    let backward = if second > 0.0 { still } else { after };
    if first > 0.0 { forward } else { backward }
}
