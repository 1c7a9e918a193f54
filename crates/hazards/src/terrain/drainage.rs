//! Where water flows on a digital elevation model.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use lahar_core::Grid;

use crate::error::HazardError;

/// The eight neighbours of a cell: rows and columns to go.
const NEIGHBOURS: [(isize, isize); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

/// Where the neighbours of cells lie in a grid that is stored row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    rows: usize,
    columns: usize,
    /// What to add to a cell to come to each neighbour.
    ways: [isize; 8],
}

impl Shape {
    fn new(rows: usize, columns: usize) -> Shape {
        Shape {
            rows,
            columns,
            ways: NEIGHBOURS.map(|(down, right)| down * columns as isize + right),
        }
    }

    fn of(grid: &Grid) -> Shape {
        Shape::new(grid.rows(), grid.columns())
    }

    fn is_inner(self, cell: usize) -> bool {
        let (row, column) = (cell / self.columns, cell % self.columns);
        row > 0 && row + 1 < self.rows && column > 0 && column + 1 < self.columns
    }

    /// A neighbour of a cell, where the grid has one.
    fn neighbour(self, cell: usize, way: usize) -> Option<usize> {
        let (down, right) = NEIGHBOURS[way];
        let row = (cell / self.columns).checked_add_signed(down)?;
        let column = (cell % self.columns).checked_add_signed(right)?;
        (row < self.rows && column < self.columns).then(|| row * self.columns + column)
    }

    /// Calls `work` with the way to each neighbour and the neighbour.
    #[inline(always)]
    fn each_neighbour(self, cell: usize, inner: bool, mut work: impl FnMut(usize, usize)) {
        for way in 0..NEIGHBOURS.len() {
            if inner {
                work(way, cell.wrapping_add_signed(self.ways[way]));
            } else if let Some(other) = self.neighbour(cell, way) {
                work(way, other);
            }
        }
    }
}

/// A number of the same order as the height; `NaN` never gets in.
fn rank(height: f64) -> u64 {
    let bits = height.to_bits();
    if height.is_sign_negative() {
        !bits
    } else {
        bits | 1 << 63
    }
}

/// What a filled flat rises by from cell to cell, in metres: far above the rounding of heights on
/// earth, far below what any survey measures.
const RISE: f64 = 1e-9;

/// Raises every depression until it drains to the edge, by a nanometre a cell.
///
/// Priority flood with a rise per cell (Barnes, Lehman and Mulla 2014,
/// doi:10.1016/j.cageo.2013.04.024, algorithm 3), in which slopes above a drained cell are climbed
/// at once and only cells beside lower ground wait in the queue (Zhou, Sun and Fu 2016,
/// doi:10.1016/j.cageo.2016.02.021). Cells without data count as edge.
///
/// Input: elevations. Output: elevations nowhere lower than the input, on which every cell has a
/// way down to the edge.
///
/// Not for landscapes whose closed depressions are real, such as karst.
///
/// ```
/// use lahar_core::{Affine, Crs, Grid};
/// use lahar_hazards::terrain::drainage::fill_depressions;
/// let transform = Affine::north_up(0.0, 30.0, 10.0, 10.0);
/// let pit = vec![5.0, 5.0, 5.0, 5.0, 1.0, 4.0, 5.0, 5.0, 5.0];
/// let grid = Grid::new(pit, 3, 3, transform, Crs::LocalMetres).unwrap();
/// let filled = fill_depressions(&grid);
/// assert!(filled.get(1, 1).unwrap() > 4.0 && filled.get(1, 1).unwrap() < 4.000001);
/// ```
pub fn fill_depressions(elevation: &Grid) -> Grid {
    let mut flood = Flood::new(elevation);
    while let Some((level, cell)) = flood.lowest() {
        flood.spread(level, cell);
    }
    let mut values = flood.filled.into_iter();
    elevation.map(|_| values.next().unwrap_or(f64::NAN))
}

/// A cell has its level.
const DONE: u8 = 1;
/// A cell lies at the side of the grid.
const SIDE: u8 = 2;

/// A flood that rises from the edge: every cell is given a level once, the lowest that drains it.
struct Flood {
    shape: Shape,
    filled: Vec<f64>,
    marks: Vec<u8>,
    /// Cells beside ground that may be lower, by level.
    open: BinaryHeap<Reverse<(u64, usize)>>,
    /// Cells that were raised; their levels rise too, so the first is the lowest.
    raised: VecDeque<usize>,
    /// Cells whose higher neighbours are still to be climbed.
    climbed: Vec<usize>,
}

impl Flood {
    fn new(elevation: &Grid) -> Flood {
        let filled = elevation.values().to_vec();
        let shape = Shape::of(elevation);
        let mut marks = vec![0; filled.len()];
        let mut open = BinaryHeap::new();
        for cell in 0..filled.len() {
            let inner = shape.is_inner(cell);
            if !inner {
                marks[cell] |= SIDE;
            }
            if filled[cell].is_nan() {
                marks[cell] |= DONE;
                continue;
            }
            let mut around = 0;
            shape.each_neighbour(cell, inner, |_, other| {
                around += usize::from(!filled[other].is_nan());
            });
            if around < NEIGHBOURS.len() {
                marks[cell] |= DONE;
                open.push(Reverse((rank(filled[cell]), cell)));
            }
        }
        Flood {
            shape,
            filled,
            marks,
            open,
            raised: VecDeque::new(),
            climbed: Vec::new(),
        }
    }

    /// Takes the lowest cell that waits.
    fn lowest(&mut self) -> Option<(f64, usize)> {
        let raised = self.raised.front().map(|cell| rank(self.filled[*cell]));
        let open = self.open.peek().map(|Reverse((rank, _))| *rank);
        let cell = match (raised, open) {
            (Some(raised), Some(open)) if raised <= open => self.raised.pop_front(),
            (Some(_), None) => self.raised.pop_front(),
            _ => self.open.pop().map(|Reverse((_, cell))| cell),
        };
        cell.map(|cell| (self.filled[cell], cell))
    }

    /// Gives the neighbours of a cell their levels.
    fn spread(&mut self, level: f64, cell: usize) {
        let inner = self.marks[cell] & SIDE == 0;
        let (filled, marks) = (&mut self.filled, &mut self.marks);
        self.shape.each_neighbour(cell, inner, |_, other| {
            if marks[other] & DONE != 0 {
                return;
            }
            marks[other] |= DONE;
            if filled[other] > level + RISE {
                self.climbed.push(other);
            } else {
                filled[other] = level + RISE;
                self.raised.push_back(other);
            }
        });
        while let Some(cell) = self.climbed.pop() {
            let level = filled[cell];
            let inner = marks[cell] & SIDE == 0;
            let mut beside_lower = false;
            self.shape.each_neighbour(cell, inner, |_, other| {
                if marks[other] & DONE != 0 {
                    return;
                }
                // Ground above a drained cell drains to it at its own height.
                if filled[other] > level + RISE {
                    marks[other] |= DONE;
                    self.climbed.push(other);
                } else {
                    beside_lower = true;
                }
            });
            if beside_lower {
                self.open.push(Reverse((rank(level), cell)));
            }
        }
    }
}

/// To which cell the water of each cell flows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowDirections {
    shape: Shape,
    /// Number of the neighbour, [`NOWHERE`] where water leaves the grid or there is none.
    ways: Vec<u8>,
}

/// No neighbour.
const NOWHERE: u8 = 8;

impl FlowDirections {
    /// From the codes that programs exchange, row by row: 1 east, 2 south-east, 4 south, 8
    /// south-west, 16 west, 32 north-west, 64 north, 128 north-east, 0 where water leaves the grid,
    /// 247 or 255 without data (Jenson and Domingue 1988, as ESRI writes them).
    ///
    /// Errors: another code, a direction that leads off the grid, water that runs in a circle.
    ///
    /// ```
    /// use lahar_hazards::terrain::drainage::FlowDirections;
    /// let directions = FlowDirections::from_codes(&[1, 4, 247, 0], 2).unwrap();
    /// assert_eq!(directions.receiver(0), Some(1));
    /// assert_eq!(directions.receiver(1), Some(3));
    /// ```
    pub fn from_codes(codes: &[u8], columns: usize) -> Result<FlowDirections, HazardError> {
        let wrong = |cell: usize, what: String| {
            let (row, column) = (cell / columns, cell % columns);
            HazardError::Contradiction(format!(
                "the flow direction at row {row}, column {column} {what}"
            ))
        };
        let shape = Shape::new(codes.len() / columns.max(1), columns);
        let way = |(cell, code): (usize, &u8)| {
            if matches!(code, 0 | 247 | 255) {
                return Ok(NOWHERE);
            }
            if !code.is_power_of_two() {
                return Err(wrong(cell, format!("is {code}, which no direction has")));
            }
            let way = code.trailing_zeros() as u8;
            match shape.neighbour(cell, usize::from(way)) {
                Some(_) => Ok(way),
                None => Err(wrong(cell, "leads off the grid".to_owned())),
            }
        };
        let ways = codes.iter().enumerate().map(way);
        let directions = FlowDirections {
            shape,
            ways: ways.collect::<Result<_, _>>()?,
        };
        // A circle is never reached by going downstream from where nothing flows in.
        let reached = directions.downstream_order();
        if reached.len() < codes.len() {
            let mut missing = vec![true; codes.len()];
            reached.iter().for_each(|cell| missing[*cell] = false);
            let cell = missing.iter().position(|missing| *missing).unwrap_or(0);
            return Err(wrong(cell, "lies on a circle of cells".to_owned()));
        }
        Ok(directions)
    }

    /// The cell that receives a cell's water; `None` where it leaves the grid or has no data.
    #[inline(always)]
    pub fn receiver(&self, cell: usize) -> Option<usize> {
        match self.ways[cell] {
            NOWHERE => None,
            way => Some(cell.wrapping_add_signed(self.shape.ways[usize::from(way)])),
        }
    }

    /// Visits every cell before the one it flows to, with that one: from each source down to where
    /// another stream is still awaited.
    fn downstream(&self, mut visit: impl FnMut(usize, Option<usize>)) {
        const VISITED: u8 = u8::MAX;
        let mut givers = vec![0_u8; self.ways.len()];
        for cell in 0..givers.len() {
            if let Some(receiver) = self.receiver(cell) {
                givers[receiver] += 1;
            }
        }
        for source in 0..givers.len() {
            let mut cell = source;
            while givers[cell] == 0 {
                givers[cell] = VISITED;
                let receiver = self.receiver(cell);
                visit(cell, receiver);
                let Some(receiver) = receiver else { break };
                givers[receiver] -= 1;
                cell = receiver;
            }
        }
    }

    /// Cells from the highest down: every cell comes before the one it flows to.
    pub fn downstream_order(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.ways.len());
        self.downstream(|cell, _| order.push(cell));
        order
    }

    /// Sums a value over each cell and everything that flows through it.
    pub fn accumulate(&self, values: &[f64]) -> Vec<f64> {
        let mut sums = values.to_vec();
        self.downstream(|cell, receiver| {
            if let Some(receiver) = receiver {
                sums[receiver] += sums[cell];
            }
        });
        sums
    }
}

/// Steepest descent to one of eight neighbours (O'Callaghan and Mark 1984,
/// doi:10.1016/S0734-189X(84)80011-0); of equally steep ones the first from east over south.
///
/// Input: elevations without depressions (see [`fill_depressions`]), in metres. Output: one
/// receiver a cell.
///
/// Not for flow that spreads over convex slopes and fans.
pub fn flow_directions(filled: &Grid) -> Result<FlowDirections, HazardError> {
    let (width, height) = super::metres(filled)?;
    let per_metre =
        NEIGHBOURS.map(|(down, right)| 1.0 / (down as f64 * height).hypot(right as f64 * width));
    let heights = filled.values();
    let shape = Shape::of(filled);
    let mut ways = vec![NOWHERE; heights.len()];
    for row in 0..shape.rows {
        let side = row == 0 || row + 1 == shape.rows;
        for column in 0..shape.columns {
            let cell = row * shape.columns + column;
            let inner = !side && column > 0 && column + 1 < shape.columns;
            let mut steepest = 0.0;
            shape.each_neighbour(cell, inner, |way, other| {
                let fall = (heights[cell] - heights[other]) * per_metre[way];
                if fall > steepest {
                    (ways[cell], steepest) = (way as u8, fall);
                }
            });
        }
    }
    Ok(FlowDirections { shape, ways })
}

#[cfg(test)]
mod tests {
    use lahar_core::{Affine, Crs};
    use proptest::prelude::*;

    use super::*;

    fn grid(values: Vec<f64>, rows: usize) -> Grid {
        let columns = values.len() / rows;
        let transform = Affine::north_up(0.0, 10.0 * rows as f64, 10.0, 10.0);
        Grid::new(values, rows, columns, transform, Crs::LocalMetres).unwrap()
    }

    #[test]
    fn a_grid_in_degrees_has_no_flow() {
        let mut degrees = grid(vec![1.0; 9], 3);
        degrees.crs = Crs::WGS84;
        let message = flow_directions(&degrees).unwrap_err().to_string();
        assert!(message.contains("project it"), "{message}");
    }

    #[test]
    fn codes_that_are_none_lead_off_the_grid_or_turn_in_a_circle_are_refused() {
        for (codes, what) in [
            (vec![3, 0], "no direction"),
            (vec![16, 0], "off the grid"),
            (vec![1, 16], "circle"),
        ] {
            let message = FlowDirections::from_codes(&codes, 2)
                .unwrap_err()
                .to_string();
            assert!(message.contains(what), "{message}");
        }
    }

    #[test]
    fn a_flat_at_sea_level_drains() {
        // A rise of the smallest number there is vanished when divided by the way.
        let filled = fill_depressions(&grid(vec![0.0; 25], 5));
        let directions = flow_directions(&filled).unwrap();
        assert!(directions.receiver(12).is_some());
    }

    /// The lowest level that drains each cell, found by lowering levels until none gets lower.
    fn lowest_levels(raw: &Grid) -> Vec<f64> {
        let (heights, shape) = (raw.values(), Shape::of(raw));
        let around = |cell: usize| -> Vec<usize> {
            let all = (0..8).filter_map(|way| shape.neighbour(cell, way));
            all.filter(|other| !heights[*other].is_nan()).collect()
        };
        let start = |cell: usize| match around(cell).len() < 8 || heights[cell].is_nan() {
            true => heights[cell],
            false => f64::INFINITY,
        };
        let mut levels: Vec<f64> = (0..heights.len()).map(start).collect();
        loop {
            let before = levels.clone();
            for cell in (0..levels.len()).filter(|cell| !heights[*cell].is_nan()) {
                for other in around(cell) {
                    let drained = heights[cell].max(levels[other] + RISE);
                    levels[cell] = levels[cell].min(drained);
                }
            }
            if levels
                .iter()
                .zip(&before)
                .all(|(now, then)| now == then || now.is_nan())
            {
                return levels;
            }
        }
    }

    proptest! {
        #[test]
        fn no_cell_is_raised_more_than_it_takes_to_drain(
            heights in prop::collection::vec(prop::option::weighted(0.95, 0..12u8), 9 * 11),
        ) {
            let heights = heights.into_iter().map(|h| h.map_or(f64::NAN, f64::from)).collect();
            let raw = grid(heights, 9);
            let filled = fill_depressions(&raw);
            for (found, lowest) in filled.values().iter().zip(lowest_levels(&raw)) {
                prop_assert!(*found == lowest || (found.is_nan() && lowest.is_nan()));
            }
        }

        #[test]
        fn every_cell_of_a_filled_grid_drains_and_no_area_is_lost(
            heights in prop::collection::vec(prop::option::weighted(0.95, 0.0..100.0f64), 8 * 9),
        ) {
            let heights = heights.into_iter().map(|h| h.unwrap_or(f64::NAN).round()).collect();
            let raw = grid(heights, 8);
            let filled = fill_depressions(&raw);
            let directions = flow_directions(&filled).unwrap();
            let ones: Vec<f64> =
                raw.values().iter().map(|h| if h.is_nan() { 0.0 } else { 1.0 }).collect();
            prop_assert_eq!(directions.downstream_order().len(), ones.len());
            let sums = directions.accumulate(&ones);
            let mut out = 0.0;
            for (cell, sum) in sums.iter().enumerate() {
                let height = filled.values()[cell];
                if height.is_nan() { continue; }
                prop_assert!(height >= raw.values()[cell]);
                let shape = Shape::of(&raw);
                let known = |way: &usize| {
                    shape.neighbour(cell, *way).is_some_and(|other| !raw.values()[other].is_nan())
                };
                let edge = (0..8).filter(known).count() < 8;
                prop_assert!(edge || directions.receiver(cell).is_some(), "cell {} is a pit", cell);
                if directions.receiver(cell).is_none() {
                    out += sum;
                }
            }
            prop_assert_eq!(out, ones.iter().sum::<f64>());
        }
    }
}
