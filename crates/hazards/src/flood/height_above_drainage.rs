//! Flood depth from terrain alone: how high each cell lies above the stream that drains it, and a
//! rating curve made from the same cells.

use lahar_core::Grid;
use lahar_core::capability::Citation;

use crate::error::{HazardError, Limit};
use crate::terrain::drainage::FlowDirections;
use crate::terrain::relief;

/// Height above the nearest drainage.
pub const NOBRE_2011: Citation = Citation {
    authors: "Nobre, Cuartas, Hodnett, Rennó, Rodrigues, Silveira, Waterloo & Saleska",
    year: 2011,
    doi: "doi:10.1016/j.jhydrol.2011.03.051",
    place: "section 3, the HAND procedure",
};
/// Rating curves from the same cells.
pub const ZHENG_2018: Citation = Citation {
    authors: "Zheng, Tarboton, Maidment, Liu & Passalacqua",
    year: 2018,
    doi: "doi:10.1111/1752-1688.12661",
    place: "equations 1 to 6",
};

const SLOPE: Limit = Limit::new("reach_slope", "1", 0.0, 10.0, ZHENG_2018).above_lowest();
const LENGTH: Limit = Limit::new("reach_length", "m", 0.0, 1e7, ZHENG_2018).above_lowest();
const ROUGHNESS: Limit = Limit::new("roughness", "s/m^(1/3)", 0.0, 1.0, ZHENG_2018).above_lowest();
const DISCHARGE: Limit = Limit::new("discharge", "m3/s", 0.0, 1e6, ZHENG_2018);

/// Cells through which more than a number of cells drain, their own included.
pub fn streams(directions: &FlowDirections, elevation: &Grid, more_than: f64) -> Vec<bool> {
    let ones: Vec<f64> = elevation
        .values()
        .iter()
        .map(|height| if height.is_nan() { 0.0 } else { 1.0 })
        .collect();
    let upstream = directions.accumulate(&ones);
    upstream
        .into_iter()
        .map(|cells| cells > more_than)
        .collect()
}

/// Height of each cell above the stream cell into which it drains (Nobre and others 2011).
///
/// Inputs: elevations in metres and the directions of flow over them; which cells are streams.
/// Output: metres; no data where the water leaves the grid before it meets a stream.
///
/// Not where rain or the sea floods, nor where water backs up: a cell knows only its own stream.
///
/// ```
/// use lahar_core::{Affine, Crs, Grid};
/// use lahar_hazards::flood::height_above_drainage::height_above_drainage;
/// use lahar_hazards::terrain::drainage::flow_directions;
/// let place = Affine::north_up(0.0, 30.0, 10.0, 10.0);
/// let valley = vec![9.0, 3.0, 8.0, 9.0, 2.0, 8.0, 9.0, 1.0, 8.0];
/// let valley = Grid::new(valley, 3, 3, place, Crs::LocalMetres).unwrap();
/// let directions = flow_directions(&valley).unwrap();
/// let streams = [false, true, false, false, true, false, false, true, false];
/// let heights = height_above_drainage(&valley, &directions, &streams).unwrap();
/// assert_eq!(heights.get(1, 2), Some(6.0));
/// ```
pub fn height_above_drainage(
    elevation: &Grid,
    directions: &FlowDirections,
    streams: &[bool],
) -> Result<Grid, HazardError> {
    let heights = elevation.values();
    if streams.len() != heights.len() {
        return Err(HazardError::Contradiction(format!(
            "{} marks of streams do not fit {} cells",
            streams.len(),
            heights.len()
        )));
    }
    // From the outlets up, so that the cell below is known before the one above.
    let mut drain = vec![f64::NAN; heights.len()];
    for cell in directions.downstream_order().into_iter().rev() {
        drain[cell] = match (streams[cell], directions.receiver(cell)) {
            (true, _) => heights[cell],
            (false, Some(below)) => drain[below],
            (false, None) => f64::NAN,
        };
    }
    let above = heights
        .iter()
        .zip(&drain)
        .map(|(height, drain)| height - drain);
    Ok(elevation.like(above.collect())?)
}

/// Depth of water where it stands a height above the streams: `max(0, stage - HAND)`.
pub fn inundation(heights: &Grid, stage: f64) -> Grid {
    // The comparison keeps cells without data as they are.
    heights.map(|height| {
        if height.is_nan() {
            height
        } else {
            (stage - height).max(0.0)
        }
    })
}

/// How a reach carries water.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reach {
    /// Length of the stream in metres.
    pub length: f64,
    /// Its fall, as a ratio.
    pub slope: f64,
    /// Manning's roughness.
    pub roughness: f64,
}

/// Stages and the discharge that each stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingCurve {
    /// Stages in metres above the stream, rising.
    pub stages: Vec<f64>,
    /// Discharges in m³/s.
    pub discharges: Vec<f64>,
}

impl RatingCurve {
    /// The synthetic rating curve of the cells that drain to a reach: with the volume `V(y)` and
    /// the wetted bed `B(y)` below a stage, `A = V / L`, `P = B / L`, and Manning's
    /// `Q = A (A / P)^(2/3) √S / n` (Zheng and others 2018).
    ///
    /// Inputs: heights above drainage and elevations of the reach's cells, no data elsewhere;
    /// the reach; stages in metres. Output: one discharge a stage.
    ///
    /// For steady flow in rivers; the channel below the water of the survey is not in the terrain.
    pub fn synthetic(
        heights: &Grid,
        elevation: &Grid,
        reach: &Reach,
        stages: &[f64],
    ) -> Result<RatingCurve, HazardError> {
        let length = LENGTH.check(reach.length)?;
        let slope = SLOPE.check(reach.slope)?;
        let roughness = ROUGHNESS.check(reach.roughness)?;
        heights.check_aligned(elevation)?;
        let (width, height) = crate::terrain::metres(elevation)?;
        let area = width * height;
        let fall = relief::slope(elevation)?;
        let discharge = |stage: &f64| {
            let (mut volume, mut bed) = (0.0, 0.0);
            for (above, fall) in heights.values().iter().zip(fall.values()) {
                if *above < *stage {
                    volume += (stage - above) * area;
                    let tangent = if fall.is_nan() {
                        0.0
                    } else {
                        fall.to_radians().tan()
                    };
                    bed += area * (1.0 + tangent * tangent).sqrt();
                }
            }
            match bed > 0.0 {
                true => volume / length * (volume / bed).powf(2.0 / 3.0) * slope.sqrt() / roughness,
                false => 0.0,
            }
        };
        Ok(RatingCurve {
            discharges: stages.iter().map(discharge).collect(),
            stages: stages.to_vec(),
        })
    }

    /// Stage at which a discharge flows, straight between those that are known.
    ///
    /// Errors: a discharge above the curve's last.
    pub fn stage(&self, discharge: f64) -> Result<f64, HazardError> {
        let discharge = DISCHARGE.check(discharge)?;
        let above = self.discharges.iter().position(|known| *known >= discharge);
        match above {
            Some(0) => Ok(self.stages[0]),
            Some(at) => {
                let (low, high) = (self.discharges[at - 1], self.discharges[at]);
                let share = (discharge - low) / (high - low);
                Ok(self.stages[at - 1] + share * (self.stages[at] - self.stages[at - 1]))
            }
            None => Err(HazardError::Contradiction(format!(
                "{discharge} m³/s is above the rating curve, which ends at {} m³/s; give higher \
                 stages",
                self.discharges.last().copied().unwrap_or(0.0)
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use lahar_core::{Affine, Crs};

    use super::*;

    /// A canal of rectangular section along the middle rows of a grid.
    fn canal() -> (Grid, Grid) {
        let place = Affine::north_up(0.0, 50.0, 10.0, 10.0);
        let above: Vec<f64> = (0..50)
            .map(|cell| if cell / 10 == 2 { 0.0 } else { 100.0 })
            .collect();
        let heights = Grid::new(above, 5, 10, place, Crs::LocalMetres).unwrap();
        (heights.clone(), heights.map(|_| 0.0))
    }

    #[test]
    fn the_rating_curve_of_a_wide_canal_is_mannings() {
        let (heights, flat) = canal();
        let reach = Reach {
            length: 100.0,
            slope: 0.001,
            roughness: 0.03,
        };
        let curve = RatingCurve::synthetic(&heights, &flat, &reach, &[0.0, 1.0, 2.0]).unwrap();
        // 10 m wide, 2 m deep; the banks do not count as wetted.
        let expected = 20.0 * 2.0_f64.powf(2.0 / 3.0) * 0.001_f64.sqrt() / 0.03;
        assert!((curve.discharges[2] - expected).abs() < 1e-9, "{curve:?}");
        assert!((curve.stage(expected).unwrap() - 2.0).abs() < 1e-12);
        assert!(curve.stage(2.0 * expected).is_err());
    }

    #[test]
    fn a_reach_without_fall_is_refused() {
        let (heights, flat) = canal();
        let reach = Reach {
            length: 100.0,
            slope: 0.0,
            roughness: 0.03,
        };
        let error = RatingCurve::synthetic(&heights, &flat, &reach, &[1.0]).unwrap_err();
        assert!(error.to_string().contains("reach_slope"), "{error}");
    }

    #[test]
    fn water_stands_on_what_lies_below_the_stage() {
        let (heights, _) = canal();
        let depth = inundation(&heights, 1.5);
        assert_eq!(depth.get(2, 3), Some(1.5));
        assert_eq!(depth.get(0, 3), Some(0.0));
    }
}
