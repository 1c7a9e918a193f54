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
use std::ops::Range;

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

/// How often a cell is taken at most.
const MOST: u8 = 12;

/// What is known of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum State {
    Unreached,
    Waiting,
    Burned,
}

/// Grows a fire from cells that burn at time zero; each start is a disc as wide as a cell.
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
    let whole = Window::whole(landscape);
    let mut search = Search::new(landscape, whole, periods.len() > 1, starts);
    for (at, period) in periods.iter().enumerate() {
        if period.start >= minutes {
            break;
        }
        let end = periods
            .get(at + 1)
            .map_or(minutes, |next| next.start.min(minutes));
        let burning = landscape.in_weather(&period.weather)?;
        let passages = burning.every(threads, |wavelet| wavelet.passage());
        search.enter(Some(&passages), period.start);
        search.run(end, usize::MAX, None);
    }
    let (arrival, slowness) = search.finish();
    Ok(Growth::new(arrival, slowness, periods))
}

/// The beginning of a fire, until a number of cells has burned: what [`super::level_set`] starts
/// with. Rates of spread are only computed where fire comes.
pub(super) enum Beginning {
    /// It stopped because enough cells had burned: these.
    GoesOn(Vec<Reached>),
    /// All of the fire: arrival and gradient of each cell, as in [`Growth`].
    Over(Vec<f64>, Vec<[f32; 2]>),
}

/// A cell that burned at the beginning.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reached {
    pub cell: usize,
    pub arrival: f64,
    pub slowness: [f32; 2],
}

pub(super) fn begin(
    landscape: &Landscape,
    periods: &[Period],
    starts: &[usize],
    minutes: f64,
    cells: usize,
) -> Result<Beginning, HazardError> {
    // Fire that has burned so many cells has gone no farther than as many cells away.
    let window = Window::about(landscape, starts, cells + 1);
    let mut search = Search::new(landscape, window, periods.len() > 1, starts);
    let mut goes_on = false;
    for (at, period) in periods.iter().enumerate() {
        if period.start >= minutes || goes_on {
            break;
        }
        let end = periods
            .get(at + 1)
            .map_or(minutes, |next| next.start.min(minutes));
        let burning = landscape.in_weather(&period.weather)?;
        search.enter(None, period.start);
        let mut wavelet = burning.remembering();
        goes_on = search.run(end, cells, Some(&mut |cell| wavelet(cell).passage()));
    }
    if goes_on {
        return Ok(Beginning::GoesOn(search.reached()));
    }
    let (arrival, slowness) = search.finish();
    Ok(Beginning::Over(arrival, slowness))
}

/// A step of fire towards a cell.
#[derive(Debug, Clone, Copy)]
struct Step {
    arrival: f64,
    /// From where it comes to the cell, in metres.
    way: [f64; 2],
    minutes: f64,
}

/// The part of the ground on which ways are sought: rows and columns of the landscape.
#[derive(Debug, Clone)]
struct Window {
    rows: Range<usize>,
    columns: Range<usize>,
    /// Rows and columns of all of the landscape.
    of: (usize, usize),
}

impl Window {
    fn whole(landscape: &Landscape) -> Window {
        let of = (landscape.rows(), landscape.columns());
        Window {
            rows: 0..of.0,
            columns: 0..of.1,
            of,
        }
    }

    /// All that lies within so many cells of the starts.
    fn about(landscape: &Landscape, starts: &[usize], cells: usize) -> Window {
        let mut window = Window::whole(landscape);
        let of = window.of;
        let near = |places: &mut dyn Iterator<Item = usize>, end: usize| {
            let (low, high) = places.fold((end, 0), |(l, h), at| (l.min(at), h.max(at)));
            low.saturating_sub(cells)..(high + cells + 1).min(end)
        };
        window.rows = near(&mut starts.iter().map(|start| start / of.1), of.0);
        window.columns = near(&mut starts.iter().map(|start| start % of.1), of.1);
        window
    }
}

struct Search {
    /// Cells with one column and row around them that nothing passes.
    columns: usize,
    window: Window,
    /// How far from its middle a start burns at once.
    radius: f64,
    /// How many cells have burned.
    burned: usize,
    /// When the present weather began; what burned by then stays as it is.
    since: f64,
    offsets: [isize; 8],
    ways: [[f64; 2]; 8],
    passages: Vec<Passage>,
    arrival: Vec<f64>,
    slowness: Vec<[f32; 2]>,
    state: Vec<State>,
    /// How often each cell was taken.
    taken: Vec<u8>,
    /// The last step to each cell, kept where the weather changes.
    steps: Option<Vec<[f32; 3]>>,
    waiting: BinaryHeap<Reverse<u64>>,
}

impl Search {
    fn new(
        landscape: &Landscape,
        window: Window,
        weather_changes: bool,
        starts: &[usize],
    ) -> Search {
        let columns = window.columns.len() + 2;
        let count = (window.rows.len() + 2) * columns;
        let [width, height] = landscape.cell();
        let mut search = Search {
            columns,
            window,
            radius: 0.5 * width.min(height),
            burned: 0,
            since: 0.0,
            offsets: AROUND.map(|(down, right)| down * columns as isize + right),
            ways: AROUND.map(|(down, right)| [right as f64 * width, -(down as f64) * height]),
            passages: vec![Passage::CLOSED; count],
            arrival: vec![f64::INFINITY; count],
            slowness: vec![[0.0; 2]; count],
            state: vec![State::Unreached; count],
            taken: vec![0; count],
            steps: weather_changes.then(|| vec![[0.0; 3]; count]),
            waiting: BinaryHeap::new(),
        };
        for start in starts {
            search.start(*start);
        }
        search
    }

    fn padded(&self, cell: usize) -> usize {
        let (row, column) = (cell / self.window.of.1, cell % self.window.of.1);
        (row - self.window.rows.start + 1) * self.columns + column - self.window.columns.start + 1
    }

    /// The cell of the landscape at a place.
    fn cell(&self, place: usize) -> usize {
        let (row, column) = (place / self.columns - 1, place % self.columns - 1);
        (row + self.window.rows.start) * self.window.of.1 + column + self.window.columns.start
    }

    fn start(&mut self, cell: usize) {
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

    /// Takes the passages of a new weather, or forgets those that are known, and lets the steps that
    /// were under way go on.
    fn enter(&mut self, passages: Option<&[Passage]>, now: f64) {
        self.since = now;
        for row in self.window.rows.clone() {
            let first = row * self.window.of.1 + self.window.columns.start;
            let (from, columns) = (self.padded(first), self.window.columns.len());
            let known = &mut self.passages[from..from + columns];
            match passages {
                Some(all) => known.copy_from_slice(&all[first..first + columns]),
                None => known.fill(Passage::UNKNOWN),
            }
        }
        let Some(steps) = &self.steps else { return };
        if now == 0.0 {
            return;
        }
        let underway: Vec<usize> = (0..self.state.len())
            .filter(|cell| self.state[*cell] == State::Waiting)
            .collect();
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

    /// Takes cells until a time, or until a number of them has burned, and says whether it was that.
    fn run(
        &mut self,
        end: f64,
        cells: usize,
        mut passage: Option<&mut dyn FnMut(usize) -> Passage>,
    ) -> bool {
        while let Some(Reverse(key)) = self.waiting.pop() {
            let cell = (key & u64::from(u32::MAX)) as usize;
            if self.state[cell] != State::Waiting {
                continue;
            }
            if self.arrival[cell] > end {
                self.waiting.push(Reverse(key));
                return false;
            }
            if self.burned >= cells {
                return true;
            }
            if let Some(passage) = &mut passage {
                self.learn_around(cell, passage);
            }
            self.state[cell] = State::Burned;
            self.burned += usize::from(self.taken[cell] == 0);
            self.taken[cell] = self.taken[cell].saturating_add(1);
            match self.taken[cell] {
                1 => self.spread_from(cell),
                // What was computed with its first arrival and gradient is computed afresh.
                2..=MOST => self.revise_around(cell),
                _ => {}
            }
        }
        false
    }

    /// Computes the passages of a cell and its neighbours.
    fn learn_around(&mut self, cell: usize, passage: &mut dyn FnMut(usize) -> Passage) {
        for offset in self.offsets.into_iter().chain([0]) {
            let place = (cell as isize + offset) as usize;
            if self.passages[place].is_unknown() {
                self.passages[place] = passage(self.cell(place));
            }
        }
    }

    /// Minutes from a burned cell to the next one.
    fn minutes(&self, from: usize, to: usize, way: [f64; 2]) -> f64 {
        let minutes = 0.5 * (self.passages[to].minutes(way) + self.passages[from].minutes(way));
        match self.arrival[from] == 0.0 {
            true => minutes * (1.0 - self.radius / way[0].hypot(way[1])),
            false => minutes,
        }
    }

    /// Offers each neighbour of a burned cell the ways that lead over it.
    fn spread_from(&mut self, from: usize) {
        let leaves = self.arrival[from];
        for direction in 0..8 {
            let to = (from as isize + self.offsets[direction]) as usize;
            let (known, here) = (self.arrival[to], self.passages[to]);
            if known <= self.since || !here.is_open() {
                continue;
            }
            let diagonal = direction % 2 == 1;
            // The neighbours of `to` on both sides of `from`: for a straight step they lie beside
            // `from`; for a diagonal one they are the two cells that touch both. In a strong wind one
            // of them may burn after the cell, and the way still lead between the two.
            let turns = if diagonal { [7, 1] } else { [6, 2] };
            let sides = [(direction + turns[0]) % 8, (direction + turns[1]) % 8];
            let beside = [
                (from as isize + self.offsets[sides[0]]) as usize,
                (from as isize + self.offsets[sides[1]]) as usize,
            ];
            let leads = |side: usize| {
                self.state[side] == State::Burned && known > leaves.min(self.arrival[side])
            };
            let over = [leads(beside[0]), leads(beside[1])];
            if known <= leaves && over == [false; 2] {
                continue;
            }
            // Fire does not slip through between two cells that only touch at a corner.
            if diagonal && beside.iter().all(|side| !self.passages[*side].is_open()) {
                continue;
            }
            let way = self.ways[direction];
            let minutes = self.minutes(from, to, way);
            let mut best = Step {
                arrival: leaves + minutes,
                way,
                minutes,
            };
            for at in 0..2 {
                if over[at] {
                    self.between(from, beside[at], self.ways[sides[at]], way, here, &mut best);
                }
            }
            let gain = known - best.arrival;
            let burned = self.state[to] == State::Burned;
            if gain > if burned { WORTH * best.minutes } else { 0.0 } {
                self.set(to, best);
            }
        }
    }

    fn set(&mut self, cell: usize, step: Step) {
        self.arrival[cell] = step.arrival.max(self.since);
        self.slowness[cell] = self.passages[cell]
            .slowness(step.way)
            .map(|part| part as f32);
        if let Some(steps) = &mut self.steps {
            steps[cell] = [step.way[0], step.way[1], step.minutes].map(|part| part as f32);
        }
        self.wait(cell);
    }

    /// Computes the neighbours of a cell from all that has burned about them, later arrivals too: an
    /// early one may have come of a gradient that did not last.
    fn revise_around(&mut self, from: usize) {
        for direction in 0..8 {
            let to = (from as isize + self.offsets[direction]) as usize;
            let known = self.arrival[to];
            if known <= self.since || !self.passages[to].is_open() {
                continue;
            }
            let Some(best) = self.afresh(to) else {
                continue;
            };
            if (known - best.arrival).abs() > WORTH * best.minutes {
                self.set(to, best);
            }
        }
    }

    /// The quickest way to a cell from all of its burned neighbours.
    fn afresh(&self, to: usize) -> Option<Step> {
        let here = self.passages[to];
        let mut best: Option<Step> = None;
        let (mut around, mut burned) = ([0; 8], [false; 8]);
        for at in 0..8 {
            around[at] = (to as isize + self.offsets[at]) as usize;
            burned[at] = self.state[around[at]] == State::Burned;
        }
        for at in 0..8 {
            let next = (at + 1) % 8;
            if !burned[at] {
                continue;
            }
            let is_closed = |side: usize| !self.passages[around[side]].is_open();
            if at % 2 == 1 && is_closed((at + 7) % 8) && is_closed(next) {
                continue;
            }
            let way = self.ways[(at + 4) % 8];
            let minutes = self.minutes(around[at], to, way);
            let mut step = Step {
                arrival: self.arrival[around[at]] + minutes,
                way,
                minutes,
            };
            if burned[next] {
                let (a, b) = (self.ways[at], self.ways[next]);
                let edge = [b[0] - a[0], b[1] - a[1]];
                self.between(around[at], around[next], edge, way, here, &mut step);
            }
            if best.is_none_or(|best| step.arrival < best.arrival) {
                best = Some(step);
            }
        }
        best
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
            let [x, y] = self.slowness[cell];
            f64::from(x) * edge[0] + f64::from(y) * edge[1]
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
            let (here, d_here) = legs[0].at(share);
            let ((a, d_a), (b, d_b)) = (legs[1].at(share), legs[2].at(share));
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
            // At the least arrival an error of the share counts with its square only.
            if moved < 3e-4 {
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

    /// Arrivals and gradients, row by row; `NaN` where no fire came.
    /// Cells that have burned, in their order.
    fn reached(&self) -> Vec<Reached> {
        let burned = |(_, state): &(usize, &State)| **state == State::Burned;
        self.state
            .iter()
            .enumerate()
            .filter(burned)
            .map(|(place, _)| Reached {
                cell: self.cell(place),
                arrival: self.arrival[place],
                slowness: self.slowness[place],
            })
            .collect()
    }

    fn finish(self) -> (Vec<f64>, Vec<[f32; 2]>) {
        let count = self.window.of.0 * self.window.of.1;
        let (mut arrival, mut slowness) = (vec![f64::NAN; count], vec![[0.0; 2]; count]);
        for reached in self.reached() {
            arrival[reached.cell] = reached.arrival;
            slowness[reached.cell] = reached.slowness;
        }
        (arrival, slowness)
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
        let (xx, xy, yy) = (
            f64::from(passage.xx),
            f64::from(passage.xy),
            f64::from(passage.yy),
        );
        let (x, y) = (f64::from(passage.x), f64::from(passage.y));
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
        let root = (q0 + share * (q2 * share - 2.0 * q1))
            .max(f64::MIN_POSITIVE)
            .sqrt();
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
