//! Changes of representation, each with the loss it causes.
//!
//! | function | loss |
//! |---|---|
//! | [`reprojection::reproject`] | that of resampling |
//! | [`resample`] | detail below the new cell, or invented smoothness |
//! | [`aggregate`] | variation inside a block |
//! | [`threshold`] | everything but the side of the limit |
//! | [`mask`] | cells outside |
//! | [`rasterise`] | edges, to half a cell |
//! | [`aggregate_time`] | variation inside a step |
//! | [`at_point`] | what lies between cells is a guess |
//! | [`shift_datum`] | none beyond the uncertainty of the shift |
//! | [`wind_averaging::convert`] | the scatter of gusts |

mod places;
pub(crate) mod registered;
pub mod reprojection;
mod units;
pub mod wind_averaging;

use lahar_core::measure::{Elevation, Length, VerticalDatum};
use lahar_core::series::{Series, Shape};
use lahar_core::{Affine, Crs, Grid, Quantity};

use crate::error::HazardError;

/// How values between cells are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// The cell that holds the point; the only way for classes.
    Nearest,
    /// Between the four cells around the point; none where one of them has no data.
    Bilinear,
}

/// Reads a grid at a position counted in columns and rows, cell middles at halves.
fn sample(grid: &Grid, column: f64, row: f64, how: Interpolation) -> f64 {
    let get = |row: f64, column: f64| {
        if row < 0.0 || column < 0.0 {
            return f64::NAN;
        }
        grid.get(row as usize, column as usize).unwrap_or(f64::NAN)
    };
    match how {
        Interpolation::Nearest => get(row.floor(), column.floor()),
        Interpolation::Bilinear => {
            let (row, column) = (row - 0.5, column - 0.5);
            let (top, left) = (row.floor(), column.floor());
            let (down, right) = (row - top, column - left);
            let mut sum = 0.0;
            for (dr, dc, weight) in [
                (0.0, 0.0, (1.0 - down) * (1.0 - right)),
                (0.0, 1.0, (1.0 - down) * right),
                (1.0, 0.0, down * (1.0 - right)),
                (1.0, 1.0, down * right),
            ] {
                // A cell without weight is not asked for its value, so edges stay whole.
                if weight > 0.0 {
                    sum += weight * get(top + dr, left + dc);
                }
            }
            sum
        }
    }
}

/// The cells that a grid is to have.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Where the cells lie; corners.
    pub transform: Affine,
    /// In which system.
    pub crs: Crs,
}

/// Brings a grid to other cells, and with them to another coordinate system.
///
/// `back` leads from coordinates of the target to those of the grid; it is the identity where both
/// have one system, and an inverse projection elsewhere.
///
/// Loss: coarser cells taken by points drop what lies between them, so aggregate first; finer
/// cells look smoother than what was measured. Interpolation never invents data beside a gap.
///
/// ```
/// use lahar_core::{Affine, Crs, Grid};
/// use lahar_hazards::transformation::*;
/// let transform = Affine::north_up(0.0, 20.0, 10.0, 10.0);
/// let grid = Grid::new(vec![0.0, 10.0, 20.0, 30.0], 2, 2, transform, Crs::LocalMetres).unwrap();
/// let middle = Target {
///     rows: 1, columns: 1, transform: Affine::north_up(5.0, 15.0, 10.0, 10.0),
///     crs: Crs::LocalMetres,
/// };
/// let found = resample(&grid, &middle, Interpolation::Bilinear, |x, y| Some((x, y))).unwrap();
/// assert_eq!(found.values(), [15.0]);
/// ```
pub fn resample(
    grid: &Grid,
    target: &Target,
    how: Interpolation,
    back: impl Fn(f64, f64) -> Option<(f64, f64)>,
) -> Result<Grid, HazardError> {
    let half = match grid.pixel {
        lahar_core::PixelConvention::Area => 0.0,
        lahar_core::PixelConvention::Point => 0.5,
    };
    let mut values = Vec::with_capacity(target.rows * target.columns);
    for row in 0..target.rows {
        for column in 0..target.columns {
            let (x, y) = target
                .transform
                .apply(column as f64 + 0.5, row as f64 + 0.5);
            let at = back(x, y).and_then(|(x, y)| grid.transform.invert(x, y));
            values.push(at.map_or(f64::NAN, |(c, r)| sample(grid, c + half, r + half, how)));
        }
    }
    let crs = target.crs.clone();
    Ok(Grid::new(
        values,
        target.rows,
        target.columns,
        target.transform,
        crs,
    )?)
}

/// The value of a grid at a point in its own coordinates; `None` outside and beside gaps.
pub fn at_point(grid: &Grid, (x, y): (f64, f64), how: Interpolation) -> Option<f64> {
    let half = match grid.pixel {
        lahar_core::PixelConvention::Area => 0.0,
        lahar_core::PixelConvention::Point => 0.5,
    };
    let (column, row) = grid.transform.invert(x, y)?;
    Some(sample(grid, column + half, row + half, how)).filter(|value| !value.is_nan())
}

/// How values of a block become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Statistic {
    /// Their mean.
    Mean,
    /// Their sum, for counts and volumes.
    Sum,
    /// The highest.
    Maximum,
    /// The lowest.
    Minimum,
}

impl Statistic {
    /// One value of several that have data; `NaN` of none.
    fn of(self, values: impl Iterator<Item = f64>) -> f64 {
        let mut count = 0.0;
        let total = values.fold(f64::NAN, |so_far, value| {
            count += 1.0;
            match self {
                _ if so_far.is_nan() => value,
                Statistic::Mean | Statistic::Sum => so_far + value,
                Statistic::Maximum => so_far.max(value),
                Statistic::Minimum => so_far.min(value),
            }
        });
        if self == Statistic::Mean {
            total / count
        } else {
            total
        }
    }
}

/// Makes one cell of blocks of cells.
///
/// A block needs data in at least `least_share` of its cells, 0 to 1. Rows and columns that do not
/// fill a last block are left out.
///
/// Loss: variation inside a block. A slope of averaged heights is lower than the average slope.
pub fn aggregate(
    grid: &Grid,
    block: usize,
    how: Statistic,
    least_share: f64,
) -> Result<Grid, HazardError> {
    if block == 0 || !(0.0..=1.0).contains(&least_share) {
        return Err(HazardError::Contradiction(format!(
            "blocks of {block} cells with data in {least_share} of them cannot be made"
        )));
    }
    let (rows, columns) = (grid.rows() / block, grid.columns() / block);
    let mut values = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        for column in 0..columns {
            let cells = (0..block * block)
                .filter_map(|i| grid.get(row * block + i / block, column * block + i % block));
            let filled: Vec<f64> = cells.filter(|value| !value.is_nan()).collect();
            let enough = filled.len() as f64 >= least_share * (block * block) as f64;
            values.push(if enough {
                how.of(filled.into_iter())
            } else {
                f64::NAN
            });
        }
    }
    let [a, b, c, d, e, f] = grid.transform.0;
    let n = block as f64;
    let transform = Affine([a, b * n, c * n, d, e * n, f * n]);
    Ok(Grid::new(
        values,
        rows,
        columns,
        transform,
        grid.crs.clone(),
    )?)
}

/// 1 where a value is at least a limit, 0 elsewhere, nothing where there is no value.
///
/// Loss: everything but the side of the limit.
pub fn threshold(grid: &Grid, limit: f64) -> Grid {
    grid.map(|value| {
        if value.is_nan() {
            value
        } else {
            f64::from(u8::from(value >= limit))
        }
    })
}

/// Keeps the cells where another grid is neither 0 nor without data.
///
/// Loss: the other cells. Grids that do not align are refused.
pub fn mask(grid: &Grid, keep: &Grid) -> Result<Grid, HazardError> {
    grid.check_aligned(keep)?;
    let pairs = grid.values().iter().zip(keep.values());
    let kept = pairs.map(|(v, k)| {
        if k.is_nan() || *k == 0.0 {
            f64::NAN
        } else {
            *v
        }
    });
    Ok(grid.like(kept.collect())?)
}

/// Whether a point lies inside a shape, by counting the edges to its right; a point on an edge
/// belongs to one of the two sides.
fn inside(shape: &Shape, x: f64, y: f64) -> bool {
    match shape {
        Shape::Polygon(rings) => {
            let crossings = rings
                .iter()
                .flat_map(|ring| ring.windows(2))
                .filter(|edge| {
                    let ([ax, ay], [bx, by]) = (edge[0], edge[1]);
                    (ay > y) != (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax)
                });
            crossings.count() % 2 == 1
        }
        Shape::Many(shapes) => shapes.iter().any(|shape| inside(shape, x, y)),
        _ => false,
    }
}

/// 1 where the middle of a cell lies in one of several polygons, 0 elsewhere.
///
/// Loss: edges, to half a cell; polygons smaller than a cell may vanish.
pub fn rasterise(shapes: &[Shape], like: &Grid) -> Grid {
    let mut at = 0;
    like.map(|_| {
        let (row, column) = (at / like.columns(), at % like.columns());
        at += 1;
        let (x, y) = like.centre(row, column);
        f64::from(u8::from(shapes.iter().any(|shape| inside(shape, x, y))))
    })
}

/// Makes one value of several steps of time.
///
/// Loss: variation inside a step; a group with a gap becomes a gap, and steps that do not fill a
/// last group are left out.
pub fn aggregate_time(
    series: &Series,
    steps: usize,
    how: Statistic,
) -> Result<Series, HazardError> {
    if steps == 0 {
        return Err(HazardError::Contradiction(
            "no steps make no value".to_owned(),
        ));
    }
    let values = series.values.chunks_exact(steps).map(|group| {
        let gap = group.iter().any(|value| value.is_nan());
        if gap {
            f64::NAN
        } else {
            how.of(group.iter().copied())
        }
    });
    Ok(Series {
        values: values.collect(),
        unit: series.unit.clone(),
        step: Quantity::new(
            series.step.value() * steps as f64,
            series.step.unit().clone(),
        ),
        start: series.start,
    })
}

/// Brings a height to another vertical datum by a shift that the caller knows for the place.
///
/// Loss: the uncertainty of the shift, which this function does not know.
pub fn shift_datum(
    elevation: &Elevation,
    from: &VerticalDatum,
    to: &VerticalDatum,
    shift: Length,
) -> Result<Elevation, HazardError> {
    if elevation.datum != *from {
        return Err(HazardError::Contradiction(format!(
            "the height is above {:?}, but the shift begins at {from:?}",
            elevation.datum
        )));
    }
    Ok(Elevation {
        height: Length::from_si(elevation.height.si() + shift.si()),
        datum: to.clone(),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn grid(values: Vec<f64>, rows: usize) -> Grid {
        let columns = values.len() / rows;
        let transform = Affine::north_up(0.0, 10.0 * rows as f64, 10.0, 10.0);
        Grid::new(values, rows, columns, transform, Crs::LocalMetres).unwrap()
    }

    fn target_of(grid: &Grid) -> Target {
        Target {
            rows: grid.rows(),
            columns: grid.columns(),
            transform: grid.transform,
            crs: grid.crs.clone(),
        }
    }

    #[test]
    fn blocks_need_enough_data_and_sums_keep_the_whole() {
        let g = grid((0..24).map(f64::from).collect(), 4);
        let sum = aggregate(&g, 2, Statistic::Sum, 1.0).unwrap();
        assert_eq!(sum.values().iter().sum::<f64>(), 276.0);
        assert_eq!((sum.rows(), sum.columns()), (2, 3));
        assert_eq!(
            aggregate(&g, 2, Statistic::Mean, 1.0).unwrap().get(0, 0),
            Some(3.5)
        );
        let gap = g.map(|v| if v == 0.0 { f64::NAN } else { v });
        assert!(
            aggregate(&gap, 2, Statistic::Mean, 1.0)
                .unwrap()
                .get(0, 0)
                .unwrap()
                .is_nan()
        );
        let most = aggregate(&gap, 2, Statistic::Maximum, 0.5).unwrap();
        assert_eq!(most.get(0, 0), Some(7.0));
        assert!(aggregate(&g, 0, Statistic::Mean, 1.0).is_err());
    }

    #[test]
    fn a_polygon_with_a_hole_becomes_cells() {
        let square = |a: f64, b: f64| vec![[a, a], [b, a], [b, b], [a, b], [a, a]];
        let shape = Shape::Polygon(vec![square(0.0, 40.0), square(10.0, 30.0)]);
        let cells = rasterise(&[shape], &grid(vec![0.0; 25], 5));
        assert_eq!(cells.values().iter().sum::<f64>(), 12.0);
        let kept = mask(&grid(vec![2.0; 25], 5), &cells).unwrap();
        assert_eq!(kept.values().iter().filter(|v| !v.is_nan()).count(), 12);
        assert!(mask(&grid(vec![2.0; 20], 4), &cells).is_err());
        assert_eq!(
            threshold(&grid(vec![1.0, 2.0, f64::NAN, 3.0], 1), 2.0).values()[..2],
            [0.0, 1.0]
        );
    }

    #[test]
    fn a_point_between_cells_has_their_mean() {
        let g = grid(vec![0.0, 10.0, 20.0, 30.0], 2);
        let at = |x, y| at_point(&g, (x, y), Interpolation::Bilinear);
        assert_eq!((at(10.0, 10.0), at(5.0, 15.0)), (Some(15.0), Some(0.0)));
        assert_eq!(at(-1.0, 5.0), None);
        assert_eq!(
            at_point(&g, (19.0, 1.0), Interpolation::Nearest),
            Some(30.0)
        );
    }

    #[test]
    fn rain_adds_up_over_time_and_gaps_stay_gaps() {
        let series = Series {
            values: vec![1.0, 2.0, f64::NAN, 4.0, 5.0, 6.0, 7.0],
            unit: "mm".parse().unwrap(),
            step: "15 min".parse().unwrap(),
            start: None,
        };
        let hours = aggregate_time(&series, 2, Statistic::Sum).unwrap();
        assert_eq!(hours.step.to("min").unwrap().value(), 30.0);
        assert_eq!((hours.values[0], hours.values[2]), (3.0, 11.0));
        assert!(hours.values[1].is_nan() && hours.values.len() == 3);
    }

    #[test]
    fn a_shift_for_another_datum_is_refused() {
        let height = Elevation {
            height: Length::metres(3.0),
            datum: VerticalDatum::Ngvd29,
        };
        let shift = Length::metres(-0.8);
        let (from, to) = (VerticalDatum::Ngvd29, VerticalDatum::Navd88);
        let moved = shift_datum(&height, &from, &to, shift).unwrap();
        assert!((moved.height.si() - 2.2).abs() < 1e-12 && moved.datum == to);
        assert!(shift_datum(&moved, &from, &to, shift).is_err());
    }

    proptest! {
        #[test]
        fn resampling_onto_the_same_cells_changes_nothing(
            values in prop::collection::vec(prop::option::weighted(0.8, -50.0..50.0f64), 30),
            bilinear in any::<bool>(),
        ) {
            let values = values.into_iter().map(|v| v.unwrap_or(f64::NAN)).collect();
            let g = grid(values, 5);
            let how = if bilinear { Interpolation::Bilinear } else { Interpolation::Nearest };
            let same = resample(&g, &target_of(&g), how, |x, y| Some((x, y))).unwrap();
            for (a, b) in same.values().iter().zip(g.values()) {
                prop_assert!((a - b).abs() < 1e-9 || (a.is_nan() && b.is_nan()), "{a} {b}");
            }
        }

        #[test]
        fn interpolation_stays_between_the_values(
            values in prop::collection::vec(-50.0..50.0f64, 30), dx in -30.0..30.0f64,
        ) {
            let g = grid(values, 5);
            let (low, high) = g.range().unwrap();
            let moved =
                resample(&g, &target_of(&g), Interpolation::Bilinear, |x, y| Some((x + dx, y))).unwrap();
            for value in moved.values().iter().filter(|v| !v.is_nan()) {
                prop_assert!((low - 1e-9..=high + 1e-9).contains(value));
            }
        }
    }
}
