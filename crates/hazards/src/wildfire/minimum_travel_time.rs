//! Growth of a fire as the quickest way to each cell.
//!
//! Fire takes a step `w` in `√(wᵀQw) + b·w` minutes (see [`super::ellipse`]), and arrives where the
//! sum over all steps is least. Cells are taken in the order of arrival, as Finney (2002) does. His
//! straight lines between nodes know a fixed set of directions, however fine the grid; here fire
//! comes to a cell from any point between two of its neighbours, with the arrival between them
//! interpolated by a cubic through their arrivals and gradients, so that the error falls with the
//! cells. A cell whose neighbour is found to burn earlier after all is taken again.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use lahar_core::capability::Citation;

use super::ellipse::Passage;
use super::landscape::{AROUND, Landscape, Period, check_periods};
use super::spread::Growth;
use crate::error::HazardError;

/// Growth of fire as a search for the quickest ways.
pub const FINNEY_2002: Citation = Citation {
    authors: "Finney",
    year: 2002,
    doi: "doi:10.1139/x02-068",
    place: "minimum travel time over a landscape",
};

/// Share of a step by which an arrival must fall for a cell to be taken again.
const WORTH: f64 = 1e-4;

/// What is known of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum State {
    Unreached,
    Waiting,
    Burned,
}

/// Grows a fire from cells that burn at time zero.
///
/// Inputs: the landscape; periods of weather, the first from zero on; the cells that start; minutes
/// for which it burns; threads for the rates of spread. Output: arrival of each cell. The same bits
/// for every number of threads.
///
/// Within a cell fuel and slope are even. A change of weather finds the fire between cells; what is
/// left of a step then goes on in the new weather, which can be off by one step.
///
/// Errors: no start, one without fuel, on or inside barriers; a duration of zero; weather that does
/// not begin at zero or goes back in time.
pub fn grow(
    landscape: &Landscape,
    periods: &[Period],
    starts: &[usize],
    minutes: f64,
    threads: usize,
) -> Result<Growth, HazardError> {
    check_periods(periods, minutes)?;
    landscape.check_starts(starts)?;
    let mut search = Search::new(landscape, periods.len() > 1);
    for start in starts {
        search.begin(*start);
    }
    for (at, period) in periods.iter().enumerate() {
        if period.start >= minutes {
            break;
        }
        let end = periods.get(at + 1).map_or(minutes, |next| next.start.min(minutes));
        let burning = landscape.in_weather(&period.weather)?;
        let passages = burning.every(threads, |wavelet| wavelet.passage());
        search.enter(&passages, period.start);
        search.run(end);
    }
    Ok(search.finish(periods))
}

/// A step of fire towards a cell.
#[derive(Debug, Clone, Copy)]
struct Step {
    arrival: f64,
    /// From where it comes to the cell, in metres.
    way: [f64; 2],
    minutes: f64,
}

struct Search {
    /// Cells with one column and row around them that nothing passes.
    columns: usize,
    inner: (usize, usize),
    offsets: [isize; 8],
    ways: [[f64; 2]; 8],
    passages: Vec<Passage>,
    arrival: Vec<f64>,
    slowness: Vec<[f32; 2]>,
    state: Vec<State>,
    /// The last step to each cell, kept where the weather changes.
    steps: Option<Vec<[f32; 3]>>,
    waiting: BinaryHeap<Reverse<u64>>,
}

impl Search {
    fn new(landscape: &Landscape, weather_changes: bool) -> Search {
        let inner = (landscape.rows(), landscape.columns());
        let columns = inner.1 + 2;
        let count = (inner.0 + 2) * columns;
        let [width, height] = landscape.cell();
        Search {
            columns,
            inner,
            offsets: AROUND.map(|(down, right)| down * columns as isize + right),
            ways: AROUND.map(|(down, right)| [right as f64 * width, -(down as f64) * height]),
            passages: vec![Passage::CLOSED; count],
            arrival: vec![f64::INFINITY; count],
            slowness: vec![[0.0; 2]; count],
            state: vec![State::Unreached; count],
            steps: weather_changes.then(|| vec![[0.0; 3]; count]),
            waiting: BinaryHeap::new(),
        }
    }

    fn padded(&self, cell: usize) -> usize {
        (cell / self.inner.1 + 1) * self.columns + cell % self.inner.1 + 1
    }

    fn begin(&mut self, cell: usize) {
        let cell = self.padded(cell);
        self.arrival[cell] = 0.0;
        self.wait(cell);
    }

    fn wait(&mut self, cell: usize) {
        self.state[cell] = State::Waiting;
        // Positive floats keep their order as bits.
        let key = u64::from((self.arrival[cell] as f32).to_bits()) << 32 | cell as u64;
        self.waiting.push(Reverse(key));
    }

    /// Takes the passages of a new weather, and lets the steps that were under way go on in it.
    fn enter(&mut self, passages: &[Passage], now: f64) {
        let underway: Vec<usize> = (0..self.state.len())
            .filter(|cell| self.state[*cell] == State::Waiting)
            .collect();
        for (row, values) in passages.chunks(self.inner.1).enumerate() {
            let from = (row + 1) * self.columns + 1;
            self.passages[from..from + values.len()].copy_from_slice(values);
        }
        let Some(steps) = &self.steps else { return };
        if now == 0.0 {
            return;
        }
        self.waiting.clear();
        let mut moved = Vec::with_capacity(underway.len());
        for cell in underway {
            let [x, y, minutes] = steps[cell].map(f64::from);
            let left = ((self.arrival[cell] - now) / minutes).clamp(0.0, 1.0);
            let way = [x, y];
            let here = self.passages[cell].minutes(way);
            let behind = self.passages[self.nearest(cell, way)].minutes(way);
            let minutes = 0.5 * (here + behind);
            moved.push((cell, now + left * minutes));
        }
        for (cell, arrival) in moved {
            self.arrival[cell] = arrival;
            match arrival.is_finite() {
                true => self.wait(cell),
                false => {
                    self.arrival[cell] = f64::INFINITY;
                    self.state[cell] = State::Unreached;
                }
            }
        }
    }

    /// The neighbour from which a step comes.
    fn nearest(&self, cell: usize, way: [f64; 2]) -> usize {
        let right = -(way[0] / self.ways[2][0]).round() as isize;
        let down = (way[1] / self.ways[0][1]).round() as isize;
        (cell as isize + down * self.columns as isize + right) as usize
    }

    fn run(&mut self, end: f64) {
        while let Some(Reverse(key)) = self.waiting.pop() {
            let cell = (key & u64::from(u32::MAX)) as usize;
            if self.state[cell] != State::Waiting {
                continue;
            }
            if self.arrival[cell] > end {
                self.waiting.push(Reverse(key));
                return;
            }
            self.state[cell] = State::Burned;
            self.spread_from(cell);
        }
    }

    /// Offers each neighbour of a burned cell the ways that lead over it.
    fn spread_from(&mut self, from: usize) {
        let leaves = self.arrival[from];
        let passage = self.passages[from];
        for direction in 0..8 {
            let to = (from as isize + self.offsets[direction]) as usize;
            let (known, here) = (self.arrival[to], self.passages[to]);
            if known <= leaves || !here.is_open() {
                continue;
            }
            let way = self.ways[direction];
            let diagonal = direction % 2 == 1;
            let sides = [direction + 7, direction + 1].map(|side| {
                (from as isize + self.offsets[side % 8]) as usize
            });
            // Fire does not slip through between two cells that only touch at a corner.
            if diagonal && sides.iter().all(|side| !self.passages[*side].is_open()) {
                continue;
            }
            let minutes = 0.5 * (here.minutes(way) + passage.minutes(way));
            let mut best = Step {
                arrival: leaves + minutes,
                way,
                minutes,
            };
            // The neighbours of `to` on both sides of `from`: for a straight step they lie beside
            // `from`; for a diagonal one they are the two cells that touch both.
            for turn in [7, 1] {
                let beside = match diagonal {
                    true => (from as isize + self.offsets[(direction + turn) % 8]) as usize,
                    false => (from as isize + self.offsets[(direction + 2 * turn) % 8]) as usize,
                };
                if self.state[beside] == State::Burned {
                    let edge = match diagonal {
                        true => self.ways[(direction + turn) % 8],
                        false => self.ways[(direction + 2 * turn) % 8],
                    };
                    self.between(from, beside, edge, way, here, &mut best);
                }
            }
            let gain = known - best.arrival;
            let burned = self.state[to] == State::Burned;
            if gain > if burned { WORTH * best.minutes } else { 0.0 } {
                self.arrival[to] = best.arrival;
                self.slowness[to] = here.slowness(best.way).map(|part| part as f32);
                if let Some(steps) = &mut self.steps {
                    steps[to] = [best.way[0], best.way[1], best.minutes].map(|part| part as f32);
                }
                self.wait(to);
            }
        }
    }

    /// The quickest way from a point between two burned neighbours, if it beats the best so far.
    ///
    /// `edge` leads from `first` to `second`, `way` from `first` to the cell.
    fn between(
        &self,
        first: usize,
        second: usize,
        edge: [f64; 2],
        way: [f64; 2],
        here: Passage,
        best: &mut Step,
    ) {
        let tangent = |cell: usize| {
            let [x, y] = self.slowness[cell].map(f64::from);
            x * edge[0] + y * edge[1]
        };
        let (from, to) = (self.arrival[first], self.arrival[second]);
        let line = Between::new(from, to, tangent(first), tangent(second));
        let legs = [
            Leg::new(here, way, edge),
            Leg::new(self.passages[first], way, edge),
            Leg::new(self.passages[second], way, edge),
        ];
        // Minutes from a share of the edge to the cell, and how fast they change with it.
        let minutes = |share: f64| {
            let [(here, d_here), (a, d_a), (b, d_b)] = [0, 1, 2].map(|leg| legs[leg].at(share));
            let total = 0.5 * (here + a + share * (b - a));
            let change = 0.5 * (d_here + d_a + share * (d_b - d_a) + b - a);
            (total, change)
        };
        let slope = |share: f64| line.at(share).1 + minutes(share).1;
        let (mut low, mut high) = (0.0, 1.0);
        let (mut at_low, mut at_high) = (slope(low), slope(high));
        if at_low >= 0.0 || at_high <= 0.0 {
            // One of the two neighbours themselves; each is offered when it burns.
            return;
        }
        // False position, with the end that stays put halved (Illinois).
        let mut share = 0.5;
        let mut last = 0;
        for _ in 0..12 {
            let next = (low * at_high - high * at_low) / (at_high - at_low);
            let moved = (next - share).abs();
            share = next;
            if moved < 1e-4 {
                break;
            }
            let here = slope(share);
            if here < 0.0 {
                (low, at_low) = (share, here);
                if last == -1 {
                    at_high *= 0.5;
                }
                last = -1;
            } else {
                (high, at_high) = (share, here);
                if last == 1 {
                    at_low *= 0.5;
                }
                last = 1;
            }
        }
        let (minutes, _) = minutes(share);
        let arrival = line.at(share).0 + minutes;
        if arrival < best.arrival {
            *best = Step {
                arrival,
                way: [way[0] - share * edge[0], way[1] - share * edge[1]],
                minutes,
            };
        }
    }

    fn finish(self, periods: &[Period]) -> Growth {
        let (rows, columns) = self.inner;
        let mut arrival = Vec::with_capacity(rows * columns);
        let mut slowness = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                let cell = (row + 1) * self.columns + column + 1;
                let burned = self.state[cell] == State::Burned;
                arrival.push(if burned { self.arrival[cell] } else { f64::NAN });
                slowness.push(self.slowness[cell]);
            }
        }
        Growth::new(arrival, slowness, periods)
    }
}

/// Passage from points of an edge: `√(q₀ - 2 q₁ s + q₂ s²) + l₀ - l₁ s` minutes.
#[derive(Clone, Copy)]
struct Leg {
    q: [f64; 3],
    l: [f64; 2],
}

impl Leg {
    #[inline]
    fn new(passage: Passage, way: [f64; 2], edge: [f64; 2]) -> Leg {
        let [xx, xy, yy] = [passage.xx, passage.xy, passage.yy].map(f64::from);
        let [x, y] = [passage.x, passage.y].map(f64::from);
        let (u, v) = (xx * edge[0] + xy * edge[1], xy * edge[0] + yy * edge[1]);
        Leg {
            q: [
                xx * way[0] * way[0] + 2.0 * xy * way[0] * way[1] + yy * way[1] * way[1],
                u * way[0] + v * way[1],
                u * edge[0] + v * edge[1],
            ],
            l: [x * way[0] + y * way[1], x * edge[0] + y * edge[1]],
        }
    }

    /// Minutes, and how fast they change along the edge.
    #[inline]
    fn at(&self, share: f64) -> (f64, f64) {
        let [q0, q1, q2] = self.q;
        let root = (q0 + share * (q2 * share - 2.0 * q1)).max(f64::MIN_POSITIVE).sqrt();
        (
            root + self.l[0] - share * self.l[1],
            (q2 * share - q1) / root - self.l[1],
        )
    }
}

/// Arrival along an edge: a cubic through both ends and their slopes, held where these leave no
/// even bend.
#[derive(Clone, Copy)]
struct Between {
    start: f64,
    rise: f64,
    bend: [f64; 2],
}

impl Between {
    #[inline]
    fn new(from: f64, to: f64, slope_from: f64, slope_to: f64) -> Between {
        let rise = to - from;
        let (a, b) = (rise - slope_from, slope_to - rise);
        // A cubic bends one way only where neither is more than twice the other.
        let bend = match a * b > 0.0 {
            false => [0.0; 2],
            true => [
                a.abs().min(2.0 * b.abs()).copysign(a),
                b.abs().min(2.0 * a.abs()).copysign(b),
            ],
        };
        Between {
            start: from,
            rise,
            bend,
        }
    }

    #[inline]
    fn at(&self, share: f64) -> (f64, f64) {
        let rest = 1.0 - share;
        let [a, b] = self.bend;
        let bend = a * rest + b * share;
        let value = self.start + self.rise * share - share * rest * bend;
        let slope = self.rise - (rest - share) * bend - share * rest * (b - a);
        (value, slope)
    }
}
