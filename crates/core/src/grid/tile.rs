//! Rectangles of cells: parts of a grid that is too large, or of no interest, as a whole.

use serde::{Deserialize, Serialize};

use super::{Affine, Grid, GridError};

/// A rectangle of cells, counted from the first row and column of its grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tile {
    /// First row.
    pub row: usize,
    /// First column.
    pub column: usize,
    /// How many rows.
    pub rows: usize,
    /// How many columns.
    pub columns: usize,
}

impl Tile {
    /// The tiles of a grid, row by row, each at most `side` cells high and wide; every cell lies in
    /// exactly one.
    ///
    /// ```
    /// use lahar_core::grid::Tile;
    /// let tiles: Vec<Tile> = Tile::cover(5, 7, 4).collect();
    /// assert_eq!(tiles.len(), 4);
    /// assert_eq!(tiles[3], Tile { row: 4, column: 4, rows: 1, columns: 3 });
    /// ```
    pub fn cover(rows: usize, columns: usize, side: usize) -> impl Iterator<Item = Tile> {
        let side = side.max(1);
        let starts = (0..rows).step_by(side);
        starts.flat_map(move |row| {
            (0..columns).step_by(side).map(move |column| Tile {
                row,
                column,
                rows: side.min(rows - row),
                columns: side.min(columns - column),
            })
        })
    }

    /// Refuses a tile that is empty or leaves a grid of this size.
    pub fn check_inside(&self, rows: usize, columns: usize) -> Result<(), GridError> {
        let ends = |first: usize, count: usize, all: usize| {
            count > 0 && first.checked_add(count).is_some_and(|end| end <= all)
        };
        match ends(self.row, self.rows, rows) && ends(self.column, self.columns, columns) {
            true => Ok(()),
            false => Err(GridError::Outside {
                tile: *self,
                rows,
                columns,
            }),
        }
    }
}

impl Affine {
    /// The transform of the part of a grid that begins at a row and column.
    pub fn from_cell(&self, row: usize, column: usize) -> Affine {
        let (x, y) = self.apply(column as f64, row as f64);
        let [_, b, c, _, e, f] = self.0;
        Affine([x, b, c, y, e, f])
    }
}

impl Grid {
    /// A part of the grid, at the same place on earth.
    pub fn part(&self, tile: Tile) -> Result<Grid, GridError> {
        tile.check_inside(self.rows, self.columns)?;
        let rows = tile.row..tile.row + tile.rows;
        let values = rows
            .flat_map(|row| {
                let from = row * self.columns + tile.column;
                &self.values[from..from + tile.columns]
            })
            .copied()
            .collect();
        Ok(Grid {
            values,
            rows: tile.rows,
            columns: tile.columns,
            transform: self.transform.from_cell(tile.row, tile.column),
            crs: self.crs.clone(),
            pixel: self.pixel,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Crs;

    fn grid() -> Grid {
        let values = (0..35).map(f64::from).collect();
        let transform = Affine::north_up(100.0, 500.0, 10.0, 20.0);
        Grid::new(values, 5, 7, transform, Crs::LocalMetres).unwrap()
    }

    #[test]
    fn every_cell_keeps_its_value_and_its_place() {
        let whole = grid();
        for side in [1, 2, 3, 7, 50] {
            let mut seen = 0;
            for tile in Tile::cover(5, 7, side) {
                let part = whole.part(tile).unwrap();
                for row in 0..tile.rows {
                    for column in 0..tile.columns {
                        let (there, over) = (tile.row + row, tile.column + column);
                        assert_eq!(part.get(row, column), whole.get(there, over));
                        assert_eq!(part.centre(row, column), whole.centre(there, over));
                        seen += 1;
                    }
                }
            }
            assert_eq!(seen, 35, "{side}");
        }
        assert_eq!(Tile::cover(0, 7, 3).count(), 0);
    }

    #[test]
    fn a_tile_outside_is_refused() {
        let tile = |row, column, rows, columns| Tile {
            row,
            column,
            rows,
            columns,
        };
        for wrong in [
            tile(0, 0, 0, 1),
            tile(4, 0, 2, 1),
            tile(0, 7, 1, 1),
            tile(usize::MAX, 0, 2, 1),
        ] {
            let error = grid().part(wrong).unwrap_err().to_string();
            assert!(error.contains("5 rows of 7"), "{error}");
        }
    }
}
