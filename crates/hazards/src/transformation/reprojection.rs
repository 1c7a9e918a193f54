//! Grids from one coordinate system to another, with the registration of it.

use lahar_core::capability::Port;
use lahar_core::projection::{self, System};
use lahar_core::{Affine, Crs, Grid};

use super::registered::{GRID, INTERPOLATION, RESULT, interpolation, loss, transformation};
use super::{Interpolation, Target, resample};
use crate::error::HazardError;
use crate::registry::Registration;
use crate::registry::run::Output;

/// Most cells of a grid that is made; a smaller cell than that asks for is a slip of units.
const MOST_CELLS: f64 = 268_435_456.0;

/// Brings a grid to another coordinate system, north up, in square cells.
///
/// The new grid covers the old one. Without a `cell` its cells are as large as the old ones in
/// the middle. Systems of different datums are refused, and so is one that cannot be computed.
///
/// Loss: that of [`resample`]; cells at the edges that the old grid does not cover have no data.
///
/// ```
/// use lahar_core::{Affine, Crs, Grid};
/// use lahar_hazards::transformation::Interpolation;
/// use lahar_hazards::transformation::reprojection::reproject;
/// let degrees = Affine::north_up(-105.0, 40.0, 0.01, 0.01);
/// let grid = Grid::new(vec![7.0; 400], 20, 20, degrees, Crs::WGS84).unwrap();
/// let utm = reproject(&grid, &Crs::Epsg(32613), Some(500.0), Interpolation::Bilinear).unwrap();
/// assert_eq!(utm.transform.cell_size(), Some((500.0, 500.0)));
/// // 0.2 degrees of latitude are 22.2 km.
/// assert_eq!(utm.rows(), 45);
/// ```
pub fn reproject(
    grid: &Grid,
    to: &Crs,
    cell: Option<f64>,
    how: Interpolation,
) -> Result<Grid, HazardError> {
    let refuse = |why: String| HazardError::Contradiction(why);
    let (from, onto) = projection::pair(&grid.crs, to).map_err(|e| refuse(e.to_string()))?;
    let forward = |x: f64, y: f64| {
        let (longitude, latitude) = from.inverse(x, y)?;
        onto.forward(longitude, latitude)
    };
    let (rows, columns) = (grid.rows() as f64, grid.columns() as f64);
    let half = match grid.pixel {
        lahar_core::PixelConvention::Area => 0.0,
        lahar_core::PixelConvention::Point => 0.5,
    };
    let at = |column: f64, row: f64| {
        let (x, y) = grid.transform.apply(column - half, row - half);
        forward(x, y)
    };
    let nowhere = || refuse(format!("the grid lies where {to:?} is not defined"));
    // The farthest points of an edge need not be its ends.
    let mut edge = Vec::new();
    for step in 0..=64 {
        let share = f64::from(step) / 64.0;
        for (column, row) in [
            (share * columns, 0.0),
            (share * columns, rows),
            (0.0, share * rows),
            (columns, share * rows),
        ] {
            edge.push(at(column, row).ok_or_else(nowhere)?);
        }
    }
    let lowest = |pick: fn(&(f64, f64)) -> f64| edge.iter().map(pick).fold(f64::INFINITY, f64::min);
    let highest =
        |pick: fn(&(f64, f64)) -> f64| edge.iter().map(pick).fold(f64::NEG_INFINITY, f64::max);
    let (west, east) = (lowest(|p| p.0), highest(|p| p.0));
    let (south, north) = (lowest(|p| p.1), highest(|p| p.1));
    let cell = match cell {
        Some(cell) => cell,
        None => {
            let (column, row) = (columns / 2.0, rows / 2.0);
            let (here, beside) = at(column, row)
                .zip(at(column + 1.0, row))
                .ok_or_else(nowhere)?;
            let below = at(column, row + 1.0).ok_or_else(nowhere)?;
            let across = (beside.0 - here.0).hypot(beside.1 - here.1);
            (across * (below.0 - here.0).hypot(below.1 - here.1)).sqrt()
        }
    };
    let (wide, high) = (
        ((east - west) / cell).ceil(),
        ((north - south) / cell).ceil(),
    );
    if !(cell > 0.0 && wide >= 1.0 && high >= 1.0 && wide * high <= MOST_CELLS) {
        return Err(refuse(format!(
            "cells of {cell} make no grid of {} by {} in {to:?}",
            east - west,
            north - south
        )));
    }
    let target = Target {
        rows: high as usize,
        columns: wide as usize,
        transform: Affine::north_up(west, north, cell, cell),
        crs: to.clone(),
    };
    let back = |x, y| {
        let (longitude, latitude) = onto.inverse(x, y)?;
        from.forward(longitude, latitude)
    };
    resample(grid, &target, how, back)
}

/// The system of an EPSG code that was given as a number.
fn system(code: f64) -> Result<Crs, HazardError> {
    let crs = Crs::Epsg(if code.fract() == 0.0 && (1.0..1e6).contains(&code) {
        code as u32
    } else {
        0
    });
    System::of(&crs).map_err(|error| HazardError::Contradiction(error.to_string()))?;
    Ok(crs)
}

pub(super) const REPROJECT: Registration = Registration {
    capability: transformation(
        "grid-reproject",
        "Brings a grid to another coordinate system, in square cells with north up.",
        &[
            GRID,
            Port::number(
                "system",
                "EPSG code of the system that is wanted",
                "1",
                1.0,
                1e6,
            ),
            Port::number(
                "cell",
                "side of a cell, in the unit of that system",
                "1",
                0.0,
                1e7,
            )
            .optional(),
            INTERPOLATION,
        ],
        &[RESULT],
        &[loss(
            "values between cells are interpolated, so peaks get lower and gaps grow; systems of different datums are refused",
        )],
        &["a_grid_there_and_back_keeps_a_plane"],
    ),
    evaluate: |a| {
        let to = system(a.number("system"))?;
        let found = reproject(a.grid("grid")?, &to, a.optional("cell"), interpolation(a))?;
        Ok(vec![Output::Layer(found)])
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_there_and_back_keeps_a_plane() {
        let transform = Affine::north_up(450_000.0, 4_440_000.0, 30.0, 30.0);
        let values = (0..3600)
            .map(|i| f64::from(i % 60) * 2.0 - f64::from(i / 60))
            .collect();
        let plane = Grid::new(values, 60, 60, transform, Crs::Epsg(32613)).unwrap();
        let away = reproject(&plane, &Crs::WGS84, None, Interpolation::Bilinear).unwrap();
        let back = reproject(&away, &plane.crs, Some(30.0), Interpolation::Bilinear).unwrap();
        let mut compared = 0;
        for row in 5..55 {
            for column in 5..55 {
                let (x, y) = back.centre(row, column);
                let Some(value) = back.get(row, column).filter(|value| !value.is_nan()) else {
                    continue;
                };
                let expected = (x - 450_015.0) / 30.0 * 2.0 - (4_439_985.0 - y) / 30.0;
                assert!((value - expected).abs() < 0.02, "{value} {expected}");
                compared += 1;
            }
        }
        assert!(compared > 2000);
    }

    #[test]
    fn unknown_systems_and_mixed_datums_are_refused() {
        let transform = Affine::north_up(450_000.0, 4_440_000.0, 30.0, 30.0);
        let grid = Grid::new(vec![1.0; 4], 2, 2, transform, Crs::Epsg(26913)).unwrap();
        let to = |code| reproject(&grid, &Crs::Epsg(code), None, Interpolation::Nearest);
        let refused = |code| to(code).unwrap_err().to_string();
        assert!(refused(2056).contains("2056") && refused(32613).contains("datum"));
        assert!(to(4269).is_ok());
        assert!(system(12.5).is_err() && system(32613.0).is_ok());
        let tiny = reproject(&grid, &Crs::Epsg(4269), Some(1e-12), Interpolation::Nearest);
        assert!(tiny.unwrap_err().to_string().contains("make no grid"));
    }
}
