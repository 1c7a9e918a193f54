//! Slope and hillshade of an elevation model.

use lahar_core::Grid;
use lahar_core::measure::Angle;

use crate::error::HazardError;

/// Rise to the east and to the north at each cell, by the weights of Horn (1981). At edges and
/// beside cells without data the cell's own height stands in.
pub(crate) fn gradients(elevation: &Grid) -> Result<Vec<[f64; 2]>, HazardError> {
    let (width, height) = super::metres(elevation)?;
    let north_up = elevation.transform.0[5] < 0.0;
    let (rows, columns) = (elevation.rows() as isize, elevation.columns() as isize);
    let mut result = Vec::with_capacity(elevation.values().len());
    for row in 0..rows {
        for column in 0..columns {
            let own = elevation.values()[(row * columns + column) as usize];
            let at = |down: isize, right: isize| {
                let (row, column) = (row + down, column + right);
                if row < 0 || column < 0 || row >= rows || column >= columns {
                    return own;
                }
                let value = elevation.values()[(row * columns + column) as usize];
                if value.is_nan() { own } else { value }
            };
            let sum = |a: f64, b: f64, c: f64| a + 2.0 * b + c;
            let east = sum(at(-1, 1), at(0, 1), at(1, 1)) - sum(at(-1, -1), at(0, -1), at(1, -1));
            let down = sum(at(1, -1), at(1, 0), at(1, 1)) - sum(at(-1, -1), at(-1, 0), at(-1, 1));
            let north = if north_up { -down } else { down };
            result.push([east / (8.0 * width), north / (8.0 * height)]);
        }
    }
    Ok(result)
}

/// Slope of an elevation model in degrees.
///
/// `arctan(sqrt(gx² + gy²))` with the gradients of Horn (1981, doi:10.1109/PROC.1981.11918).
///
/// Input: elevations in metres on a grid in metres. Output: degrees, `NaN` where no data are.
///
/// Not steeper than the resolution of the model lets it see: slopes on coarse models are too low.
///
/// ```
/// use lahar_core::{Affine, Crs, Grid};
/// use lahar_hazards::terrain::relief::slope;
/// let heights = (0..25).map(|i| f64::from(10 * (i % 5))).collect();
/// let transform = Affine::north_up(0.0, 50.0, 10.0, 10.0);
/// let grid = Grid::new(heights, 5, 5, transform, Crs::LocalMetres).unwrap();
/// // It rises 10 m in 10 m.
/// assert!((slope(&grid).unwrap().get(2, 2).unwrap() - 45.0).abs() < 1e-12);
/// ```
pub fn slope(elevation: &Grid) -> Result<Grid, HazardError> {
    let gradients = gradients(elevation)?;
    let slopes = gradients
        .iter()
        .zip(elevation.values())
        .map(|([east, north], height)| {
            if height.is_nan() {
                f64::NAN
            } else {
                east.hypot(*north).atan().to_degrees()
            }
        });
    Ok(elevation.like(slopes.collect())?)
}

/// Brightness of an elevation model under a distant light, 0 to 1.
///
/// Inputs: elevations; where the light comes from, clockwise from north, and how high it stands.
/// Output: the cosine of the angle between the ground's normal and the light, 0 in its own shade.
pub fn hillshade(elevation: &Grid, from: Angle, height: Angle) -> Result<Grid, HazardError> {
    let (azimuth, altitude) = (from.si(), height.si());
    let light = [
        azimuth.sin() * altitude.cos(),
        azimuth.cos() * altitude.cos(),
        altitude.sin(),
    ];
    let gradients = gradients(elevation)?;
    let shades = gradients
        .iter()
        .zip(elevation.values())
        .map(|([east, north], height)| {
            if height.is_nan() {
                return f64::NAN;
            }
            let dot = light[2] - light[0] * east - light[1] * north;
            (dot / (1.0 + east * east + north * north).sqrt()).max(0.0)
        });
    Ok(elevation.like(shades.collect())?)
}

#[cfg(test)]
mod tests {
    use lahar_core::{Affine, Crs};

    use super::*;

    #[test]
    fn slope_of_a_plane_is_exact() {
        // It rises 3 m to the east and 4 m to the north in 10 m: 0.5 m/m.
        let transform = Affine::north_up(0.0, 50.0, 10.0, 10.0);
        let heights = (0..25)
            .map(|i| f64::from(3 * (i % 5) - 4 * (i / 5)))
            .collect();
        let grid = Grid::new(heights, 5, 5, transform, Crs::LocalMetres).unwrap();
        let slope = slope(&grid).unwrap().get(2, 2).unwrap();
        assert!((slope - 0.5f64.atan().to_degrees()).abs() < 1e-12);
    }

    #[test]
    fn light_from_the_northwest_leaves_southeastern_slopes_dark() {
        let transform = Affine::north_up(0.0, 50.0, 10.0, 10.0);
        let shade = |rise: fn(i32, i32) -> i32| {
            let heights = (0..25).map(|i| f64::from(5 * rise(i / 5, i % 5))).collect();
            let grid = Grid::new(heights, 5, 5, transform, Crs::LocalMetres).unwrap();
            let shade = hillshade(&grid, Angle::degrees(315.0), Angle::degrees(45.0)).unwrap();
            shade.get(2, 2).unwrap()
        };
        let faces_northwest = shade(|row, column| row + column);
        let faces_southeast = shade(|row, column| -row - column);
        assert!(faces_northwest > 0.9 && faces_southeast < 0.3);
        let flat = shade(|_, _| 0);
        assert!((flat - 0.5f64.sqrt()).abs() < 1e-12);
    }
}
