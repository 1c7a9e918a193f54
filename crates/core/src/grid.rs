//! Grids: values with their place on earth, never a bare array.

mod tile;

use serde::{Deserialize, Serialize};

pub use tile::Tile;

/// What the corner or the middle of a cell stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PixelConvention {
    /// A value holds for the cell; the transform leads to the cell's corner.
    Area,
    /// A value holds for a point; the transform leads to that point.
    Point,
}

/// The coordinate system of a grid.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Crs {
    /// A system of the EPSG register.
    Epsg(u32),
    /// Metres from a corner somewhere; the place on earth is not known.
    LocalMetres,
    /// The file does not say. Distances and areas cannot be computed from it.
    Unknown,
}

impl Crs {
    /// Longitude and latitude on WGS 84.
    pub const WGS84: Crs = Crs::Epsg(4326);

    /// Whether coordinates are degrees.
    pub fn is_geographic(&self) -> bool {
        matches!(self, Crs::Epsg(4326 | 4269 | 4267 | 4258 | 4979))
    }
}

/// From column and row to coordinates: `x = a + b·column + c·row`, `y = d + e·column + f·row`.
///
/// Row 0 is the first row of the file, the northern one where `f` is negative.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Affine(pub [f64; 6]);

impl Affine {
    /// Cells with their northern edge at `north`, their western edge at `west`.
    pub fn north_up(west: f64, north: f64, width: f64, height: f64) -> Affine {
        Affine([west, width, 0.0, north, 0.0, -height])
    }

    /// Coordinates of a position counted in columns and rows.
    pub fn apply(&self, column: f64, row: f64) -> (f64, f64) {
        let [a, b, c, d, e, f] = self.0;
        (a + b * column + c * row, d + e * column + f * row)
    }

    /// The position, in columns and rows, of a point.
    pub fn invert(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        let [a, b, c, d, e, f] = self.0;
        let determinant = b * f - c * e;
        if determinant == 0.0 || !determinant.is_finite() {
            return None;
        }
        let (x, y) = (x - a, y - d);
        Some(((f * x - c * y) / determinant, (b * y - e * x) / determinant))
    }

    /// Width and height of a cell, where rows and columns run along the axes.
    pub fn cell_size(&self) -> Option<(f64, f64)> {
        let [_, b, c, _, e, f] = self.0;
        (c == 0.0 && e == 0.0).then_some((b.abs(), f.abs()))
    }
}

/// Values on a grid. `NaN` is the only no-data value in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    values: Vec<f64>,
    columns: usize,
    rows: usize,
    /// Where the cells lie.
    pub transform: Affine,
    /// In which coordinate system.
    pub crs: Crs,
    /// What a value holds for.
    pub pixel: PixelConvention,
}

/// Why values are no grid, or two grids do not lie on each other.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// The number of values is not rows times columns.
    #[error("{values} values do not fill {rows} rows of {columns} columns")]
    WrongLength {
        /// Values given.
        values: usize,
        /// Rows stated.
        rows: usize,
        /// Columns stated.
        columns: usize,
    },
    /// Rows and columns differ.
    #[error(
        "grids do not align: one has {0} rows of {1} columns, the other {2} of {3}; resample one first"
    )]
    Shape(usize, usize, usize, usize),
    /// The coordinate systems differ.
    #[error("grids do not align: one is in {0:?}, the other in {1:?}; reproject one first")]
    Crs(Crs, Crs),
    /// The cells lie elsewhere.
    #[error(
        "grids do not align: the cells lie up to {0} of a cell apart; resample one onto the other first"
    )]
    Offset(f64),
    /// A part that the grid does not have.
    #[error(
        "{} rows of {} columns from row {} and column {} on are no part of a grid of {rows} rows of {columns}; rows and columns count from 0",
        tile.rows, tile.columns, tile.row, tile.column
    )]
    Outside {
        /// The part.
        tile: Tile,
        /// Rows of the grid.
        rows: usize,
        /// Columns of the grid.
        columns: usize,
    },
}

impl Grid {
    /// A grid; the values come row by row, the first row of the file first.
    pub fn new(
        values: Vec<f64>,
        rows: usize,
        columns: usize,
        transform: Affine,
        crs: Crs,
    ) -> Result<Grid, GridError> {
        if rows.checked_mul(columns) != Some(values.len()) {
            return Err(GridError::WrongLength {
                values: values.len(),
                rows,
                columns,
            });
        }
        Ok(Grid {
            values,
            columns,
            rows,
            transform,
            crs,
            pixel: PixelConvention::Area,
        })
    }

    /// A grid of the same place with other values.
    pub fn like(&self, values: Vec<f64>) -> Result<Grid, GridError> {
        let grid = Grid::new(
            values,
            self.rows,
            self.columns,
            self.transform,
            self.crs.clone(),
        )?;
        Ok(Grid {
            pixel: self.pixel,
            ..grid
        })
    }

    /// A grid of the same place, each value made from the one at its cell.
    pub fn map(&self, change: impl FnMut(f64) -> f64) -> Grid {
        Grid {
            values: self.values.iter().copied().map(change).collect(),
            ..self.empty_like()
        }
    }

    fn empty_like(&self) -> Grid {
        Grid {
            values: Vec::new(),
            columns: self.columns,
            rows: self.rows,
            transform: self.transform,
            crs: self.crs.clone(),
            pixel: self.pixel,
        }
    }

    /// Values, row by row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The value of a cell; `None` outside the grid.
    pub fn get(&self, row: usize, column: usize) -> Option<f64> {
        (row < self.rows && column < self.columns).then(|| self.values[row * self.columns + column])
    }

    /// Coordinates of the middle of a cell.
    pub fn centre(&self, row: usize, column: usize) -> (f64, f64) {
        let half = match self.pixel {
            PixelConvention::Area => 0.5,
            PixelConvention::Point => 0.0,
        };
        self.transform
            .apply(column as f64 + half, row as f64 + half)
    }

    /// Whether two grids have the same cells. The message says what to do where they do not.
    pub fn check_aligned(&self, other: &Grid) -> Result<(), GridError> {
        if (self.rows, self.columns) != (other.rows, other.columns) {
            return Err(GridError::Shape(
                self.rows,
                self.columns,
                other.rows,
                other.columns,
            ));
        }
        if self.crs != other.crs {
            return Err(GridError::Crs(self.crs.clone(), other.crs.clone()));
        }
        let size = self.transform.0[1]
            .hypot(self.transform.0[4])
            .max(f64::MIN_POSITIVE);
        let far = |row, column| {
            let (x, y) = self.centre(row, column);
            let (u, v) = other.centre(row, column);
            (x - u).hypot(y - v) / size
        };
        let apart = far(0, 0).max(far(self.rows.max(1) - 1, self.columns.max(1) - 1));
        // A thousandth of a cell is the rounding of coordinates in text files.
        if apart <= 1e-3 {
            Ok(())
        } else {
            Err(GridError::Offset(apart))
        }
    }

    /// Lowest and highest value, `None` where no cell has one.
    pub fn range(&self) -> Option<(f64, f64)> {
        let mut values = self.values.iter().copied().filter(|v| !v.is_nan());
        let first = values.next()?;
        Some(values.fold((first, first), |(low, high), v| (low.min(v), high.max(v))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(west: f64) -> Grid {
        let transform = Affine::north_up(west, 30.0, 10.0, 10.0);
        Grid::new(
            vec![1.0, f64::NAN, 3.0, 4.0, 5.0, 6.0],
            3,
            2,
            transform,
            Crs::LocalMetres,
        )
        .unwrap()
    }

    #[test]
    fn only_grids_with_the_same_cells_align() {
        assert!(grid(0.0).check_aligned(&grid(0.001)).is_ok());
        assert!(matches!(
            grid(0.0).check_aligned(&grid(5.0)),
            Err(GridError::Offset(_))
        ));
        let mut elsewhere = grid(0.0);
        elsewhere.crs = Crs::WGS84;
        assert!(matches!(
            grid(0.0).check_aligned(&elsewhere),
            Err(GridError::Crs(..))
        ));
        let mut points = grid(0.0);
        points.pixel = PixelConvention::Point;
        assert!(matches!(
            grid(0.0).check_aligned(&points),
            Err(GridError::Offset(_))
        ));
        assert!(Grid::new(vec![0.0; 5], 2, 3, grid(0.0).transform, Crs::Unknown).is_err());
    }

    #[test]
    fn the_transform_has_an_inverse() {
        let transform = Affine([3.0, 2.0, 0.5, -7.0, 0.25, -4.0]);
        let (x, y) = transform.apply(11.0, 13.0);
        let (column, row) = transform.invert(x, y).unwrap();
        assert!((column - 11.0).abs() < 1e-12 && (row - 13.0).abs() < 1e-12);
        assert_eq!(Affine([0.0; 6]).invert(1.0, 1.0), None);
    }

    #[test]
    fn no_data_is_left_out_of_the_range() {
        assert_eq!(grid(0.0).range(), Some((1.0, 6.0)));
        assert_eq!(grid(0.0).map(|_| f64::NAN).range(), None);
        assert_eq!(grid(0.0).centre(0, 0), (5.0, 25.0));
    }
}
