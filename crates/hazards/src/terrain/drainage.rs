//! Where water flows on a digital elevation model.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

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

/// A height that orders as numbers do; `NaN` never gets in.
#[derive(Clone, Copy, PartialEq)]
struct Height(f64);

impl Eq for Height {}

impl PartialOrd for Height {
    fn partial_cmp(&self, other: &Height) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Height {
    fn cmp(&self, other: &Height) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

fn neighbours(grid: &Grid, cell: usize) -> impl Iterator<Item = (usize, (isize, isize))> + '_ {
    let (row, column) = (cell / grid.columns(), cell % grid.columns());
    NEIGHBOURS.into_iter().filter_map(move |(down, right)| {
        let row = row
            .checked_add_signed(down)
            .filter(|row| *row < grid.rows())?;
        let column = column
            .checked_add_signed(right)
            .filter(|column| *column < grid.columns())?;
        Some((row * grid.columns() + column, (down, right)))
    })
}

/// What a filled flat rises by from cell to cell, in metres: far above the rounding of heights on
/// earth, far below what any survey measures.
const RISE: f64 = 1e-9;

/// Raises every depression until it drains to the edge, by a nanometre a cell.
///
/// Priority flood with a rise per cell (Barnes, Lehman and Mulla 2014,
/// doi:10.1016/j.cageo.2013.04.024, algorithm 3). Cells without data count as edge.
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
    let mut filled = elevation.values().to_vec();
    let mut done: Vec<bool> = filled.iter().map(|height| height.is_nan()).collect();
    let mut queue = BinaryHeap::new();
    for cell in 0..filled.len() {
        let inner = neighbours(elevation, cell).filter(|(other, _)| !filled[*other].is_nan());
        if !done[cell] && inner.count() < NEIGHBOURS.len() {
            done[cell] = true;
            queue.push(Reverse((Height(filled[cell]), cell)));
        }
    }
    while let Some(Reverse((Height(level), cell))) = queue.pop() {
        for (other, _) in neighbours(elevation, cell) {
            if done[other] {
                continue;
            }
            done[other] = true;
            filled[other] = filled[other].max(level + RISE);
            queue.push(Reverse((Height(filled[other]), other)));
        }
    }
    let mut values = filled.into_iter();
    elevation.map(|_| values.next().unwrap_or(f64::NAN))
}

/// To which cell the water of each cell flows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowDirections {
    receivers: Vec<Option<usize>>,
}

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
        let rows = codes.len() / columns.max(1);
        let receiver = |(cell, code): (usize, &u8)| {
            if matches!(code, 0 | 247 | 255) {
                return Ok(None);
            }
            if !code.is_power_of_two() {
                return Err(wrong(cell, format!("is {code}, which no direction has")));
            }
            let (down, right) = NEIGHBOURS[code.trailing_zeros() as usize];
            let row = (cell / columns).checked_add_signed(down);
            let column = (cell % columns).checked_add_signed(right);
            match (row.filter(|r| *r < rows), column.filter(|c| *c < columns)) {
                (Some(row), Some(column)) => Ok(Some(row * columns + column)),
                _ => Err(wrong(cell, "leads off the grid".to_owned())),
            }
        };
        let receivers = codes.iter().enumerate().map(receiver);
        let directions = FlowDirections {
            receivers: receivers.collect::<Result<_, _>>()?,
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
    pub fn receiver(&self, cell: usize) -> Option<usize> {
        self.receivers[cell]
    }

    /// Cells from the highest down: every cell comes before the one it flows to.
    pub fn downstream_order(&self) -> Vec<usize> {
        let mut givers = vec![0u32; self.receivers.len()];
        for receiver in self.receivers.iter().flatten() {
            givers[*receiver] += 1;
        }
        let mut order: Vec<usize> = (0..givers.len())
            .filter(|cell| givers[*cell] == 0)
            .collect();
        let mut at = 0;
        while at < order.len() {
            if let Some(receiver) = self.receivers[order[at]] {
                givers[receiver] -= 1;
                if givers[receiver] == 0 {
                    order.push(receiver);
                }
            }
            at += 1;
        }
        order
    }

    /// Sums a value over each cell and everything that flows through it.
    pub fn accumulate(&self, values: &[f64]) -> Vec<f64> {
        let mut sums = values.to_vec();
        for cell in self.downstream_order() {
            if let Some(receiver) = self.receivers[cell] {
                sums[receiver] += sums[cell];
            }
        }
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
    let heights = filled.values();
    let receivers = (0..heights.len())
        .map(|cell| {
            let mut best = None;
            let mut steepest = 0.0;
            for (other, (down, right)) in neighbours(filled, cell) {
                let way = (down as f64 * height).hypot(right as f64 * width);
                let fall = (heights[cell] - heights[other]) / way;
                if fall > steepest {
                    (best, steepest) = (Some(other), fall);
                }
            }
            best
        })
        .collect();
    Ok(FlowDirections { receivers })
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

    proptest! {
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
                let inner = neighbours(&raw, cell).filter(|(o, _)| !raw.values()[*o].is_nan());
                let edge = inner.count() < 8;
                prop_assert!(edge || directions.receiver(cell).is_some(), "cell {} is a pit", cell);
                if directions.receiver(cell).is_none() {
                    out += sum;
                }
            }
            prop_assert_eq!(out, ones.iter().sum::<f64>());
        }
    }
}
