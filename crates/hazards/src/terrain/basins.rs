//! Basins above outlets, and what lies in them.

use lahar_core::Grid;
use lahar_core::measure::{Area, Length};

use crate::error::HazardError;

use super::drainage::{FlowDirections, fill_depressions, flow_directions};

/// A basin: the cells whose water passes its outlet.
#[derive(Debug, Clone, PartialEq)]
pub struct Basin {
    /// The cell at which it ends, counted row by row.
    pub outlet: usize,
    /// Its cells.
    pub cells: Vec<usize>,
    /// Its area.
    pub area: Area,
    /// Highest minus lowest elevation.
    pub relief: Length,
}

impl Basin {
    /// Mean of a grid's values over the basin's cells that have one.
    pub fn mean(&self, grid: &Grid) -> Option<f64> {
        let values = self
            .cells
            .iter()
            .map(|cell| grid.values()[*cell])
            .filter(|v| !v.is_nan());
        let (sum, count) = values.fold((0.0, 0u32), |(sum, n), value| (sum + value, n + 1));
        (count > 0).then(|| sum / f64::from(count))
    }

    /// Share of the basin's cells for which something is true.
    pub fn share(&self, mut is_true: impl FnMut(usize) -> bool) -> f64 {
        let count = self.cells.iter().filter(|cell| is_true(**cell)).count();
        count as f64 / self.cells.len().max(1) as f64
    }

    /// Relief over the square root of the area (Melton's ruggedness).
    pub fn ruggedness(&self) -> f64 {
        self.relief.si() / self.area.si().sqrt()
    }
}

/// Basins of an elevation model, and which of them each cell belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct Basins {
    /// The basins, the one with the first outlet of the grid first. None lies inside another.
    pub basins: Vec<Basin>,
    /// For each cell the place of its basin in the list.
    pub of_cell: Vec<Option<usize>>,
    /// Where water flows.
    pub directions: FlowDirections,
    /// Area that drains through each cell, in square metres.
    pub contributing_area: Vec<f64>,
}

/// The largest basins of a range of sizes.
///
/// Depressions are filled, water takes the steepest of eight ways, and a basin ends where its area
/// is still at most `largest` while the next cell downstream gathers more, or at the edge of the
/// grid. Basins smaller than `smallest` are left out.
///
/// Inputs: elevations in metres on a grid in metres. Output: basins that do not overlap.
///
/// Basins that reach the edge of the grid may go on beyond it.
///
/// ```
/// use lahar_core::measure::Area;
/// use lahar_core::{Affine, Crs, Grid};
/// use lahar_hazards::terrain::basins::delineate;
/// // A plane that falls to the east: every row is a basin of its own.
/// let heights = (0..20).map(|i| f64::from(100 - i % 5)).collect();
/// let transform = Affine::north_up(0.0, 40.0, 10.0, 10.0);
/// let grid = Grid::new(heights, 4, 5, transform, Crs::LocalMetres).unwrap();
/// let found = delineate(&grid, Area::square_metres(300.0), Area::square_metres(1e6)).unwrap();
/// assert_eq!(found.basins.len(), 4);
/// assert_eq!(found.basins[0].area.to_square_metres(), 500.0);
/// assert_eq!(found.basins[0].relief.to_metres(), 4.0);
/// ```
pub fn delineate(elevation: &Grid, smallest: Area, largest: Area) -> Result<Basins, HazardError> {
    let (width, height) = super::metres(elevation)?;
    let cell_area = width * height;
    let directions = flow_directions(&fill_depressions(elevation))?;
    let own: Vec<f64> = elevation
        .values()
        .iter()
        .map(|height| if height.is_nan() { 0.0 } else { cell_area })
        .collect();
    let area = directions.accumulate(&own);
    let ends_here = |cell: usize| {
        let fits = area[cell] <= largest.si() && area[cell] >= smallest.si();
        fits && directions
            .receiver(cell)
            .is_none_or(|next| area[next] > largest.si())
    };
    let mut of_cell: Vec<Option<usize>> = vec![None; own.len()];
    let mut basins: Vec<Basin> = Vec::new();
    for cell in (0..own.len()).filter(|cell| own[*cell] > 0.0 && ends_here(*cell)) {
        of_cell[cell] = Some(basins.len());
        basins.push(Basin {
            outlet: cell,
            cells: Vec::new(),
            area: Area::square_metres(area[cell]),
            relief: Length::metres(0.0),
        });
    }
    // From the outlets up: a cell belongs where its receiver belongs.
    for cell in directions.downstream_order().into_iter().rev() {
        if of_cell[cell].is_none() && own[cell] > 0.0 {
            of_cell[cell] = directions.receiver(cell).and_then(|next| of_cell[next]);
        }
    }
    for (cell, basin) in of_cell.iter().enumerate() {
        if let Some(basin) = basin {
            basins[*basin].cells.push(cell);
        }
    }
    for basin in &mut basins {
        let heights = basin.cells.iter().map(|cell| elevation.values()[*cell]);
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| {
            (low.min(h), high.max(h))
        });
        basin.relief = Length::metres(high - low);
    }
    Ok(Basins {
        basins,
        of_cell,
        directions,
        contributing_area: area,
    })
}

#[cfg(test)]
mod tests {
    use lahar_core::{Affine, Crs};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn basins_do_not_overlap_and_their_cells_fill_their_area(
            heights in prop::collection::vec(0.0..100.0f64, 10 * 10),
            largest in 300.0..5000.0f64,
        ) {
            let transform = Affine::north_up(0.0, 100.0, 10.0, 10.0);
            let grid = Grid::new(heights, 10, 10, transform, Crs::LocalMetres).unwrap();
            let found =
                delineate(&grid, Area::square_metres(200.0), Area::square_metres(largest)).unwrap();
            let mut seen = [false; 100];
            for basin in &found.basins {
                prop_assert!((basin.cells.len() as f64 * 100.0 - basin.area.si()).abs() < 1e-6);
                prop_assert!(basin.area.si() <= largest && basin.area.si() >= 200.0);
                for cell in &basin.cells {
                    prop_assert!(!std::mem::replace(&mut seen[*cell], true));
                }
            }
        }
    }
}
