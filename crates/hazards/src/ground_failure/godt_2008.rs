//! Landslide coverage by Godt and others (2008): Newmark's block on the slopes that a cell holds.

use lahar_core::capability::Citation;
use lahar_core::measure::{Acceleration, Angle, Length, Pressure, Ratio};

use crate::error::{HazardError, Limit};

use super::newmark::{self, AccelerationRatio};

/// The publication.
pub const SOURCE: Citation = Citation {
    authors: "Godt, Sener, Verdin, Wald, Earle, Harp & Jibson",
    year: 2008,
    doi: "Proceedings of the First World Landslide Forum, Tokyo, 392-395",
    place: "slope quantiles and displacement threshold, as in the U.S. Geological Survey's code",
};

/// Shares of a cell at or below which its slope quantiles lie: the lowest, 10, 30, 50, 70, 90
/// percent, the highest.
pub const QUANTILES: [f64; 7] = [0.0, 0.10, 0.30, 0.50, 0.70, 0.90, 1.0];

/// Coverage where 1, 2, ... 7 of the quantile slopes move.
const COVERAGE: [f64; 8] = [0.0, 0.01, 0.10, 0.30, 0.50, 0.70, 0.90, 0.99];

/// Dry ground of a cell, with the slopes it holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlopedCell {
    /// Slopes at [`QUANTILES`], from the lowest to the highest.
    pub slopes: [Angle; 7],
    /// Cohesion.
    pub cohesion: Pressure,
    /// Angle of internal friction.
    pub friction_angle: Angle,
    /// Weight per volume, in N/m³.
    pub unit_weight: f64,
    /// Thickness of the slab; 2.4 m in the publication.
    pub thickness: Length,
}

/// Limits that programs put on the parts of the model. The defaults are those of the publication
/// as far as they are confirmed: a threshold of 5 cm and no floors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Displacement from which a slope counts as failed.
    pub displacement: Length,
    /// Floor under the factor of safety.
    pub factor_of_safety: Option<Ratio>,
    /// Floor under the critical acceleration.
    pub critical_acceleration: Option<Acceleration>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            displacement: Length::centimetres(5.0),
            factor_of_safety: None,
            critical_acceleration: None,
        }
    }
}

const WEIGHT: Limit = Limit::new("unit_weight", "N/m3", 1000.0, 50_000.0, SOURCE);
const COHESION: Limit = Limit::new("cohesion", "Pa", 0.0, 1e8, SOURCE);
const FRICTION: Limit = Limit::new("friction_angle", "deg", 0.0, 89.0, SOURCE);
const THICKNESS: Limit = Limit::new("slab_thickness", "m", 0.0, 100.0, SOURCE).above_lowest();
const SLOPE: Limit = Limit::new("slope", "deg", 0.0, 90.0, SOURCE);
const PGA: Limit = Limit::new("peak_ground_acceleration", "g", 0.0, 10.0, SOURCE).above_lowest();

/// Share of a cell that slides in an earthquake.
///
/// For each slope quantile: factor of safety of a dry infinite slope, critical acceleration,
/// displacement by Jibson (2007, equation 6); the number of quantiles that move by 5 cm or more
/// gives 0, 0.01, 0.10, 0.30, 0.50, 0.70, 0.90 or 0.99 (Godt and others 2008).
///
/// Inputs: a cell with rising slopes 0 to 90 degrees, strength, thickness; PGA in g. A slope that
/// does not stand at rest counts as failed.
///
/// Output: a share of the cell, one of eight values.
///
/// Not for a single slope; dry, and the cohesion is the one of the model's own map, a tenth of
/// what the map's table says.
///
/// ```
/// use lahar_core::measure::*;
/// use lahar_hazards::ground_failure::godt_2008::*;
/// let cell = SlopedCell {
///     slopes: [0.0, 5.0, 10.0, 15.0, 20.0, 30.0, 45.0].map(Angle::degrees),
///     cohesion: Pressure::kilopascals(2.0),
///     friction_angle: Angle::degrees(30.0),
///     unit_weight: 15_700.0,
///     thickness: Length::metres(2.4),
/// };
/// let still = coverage(&cell, Acceleration::g(1e-6), &Limits::default()).unwrap();
/// // 45 degrees does not stand: FS = 2000 / (15 700 · 2.4 · sin 45°) + tan 30° < 1.
/// assert_eq!(still.si(), 0.01);
/// ```
pub fn coverage(
    cell: &SlopedCell,
    peak_acceleration: Acceleration,
    limits: &Limits,
) -> Result<Ratio, HazardError> {
    let weight = WEIGHT.check(cell.unit_weight)?;
    let cohesion = COHESION.check(cell.cohesion.to_pascals())?;
    FRICTION.check(cell.friction_angle.to_degrees())?;
    let friction = cell.friction_angle.si().tan();
    let thickness = THICKNESS.check(cell.thickness.to_metres())?;
    PGA.check(peak_acceleration.to_g())?;
    let mut moved = 0;
    let mut before = 0.0;
    for slope in cell.slopes {
        let degrees = SLOPE.check(slope.to_degrees())?;
        if degrees < before {
            return Err(HazardError::Contradiction(format!(
                "slope quantiles must not fall, but {degrees} degrees follows {before}"
            )));
        }
        before = degrees;
        if degrees == 0.0 {
            continue;
        }
        let (sine, tangent) = (slope.si().sin(), slope.si().tan());
        let mut safety = cohesion / (weight * thickness * sine) + friction / tangent;
        if let Some(floor) = limits.factor_of_safety {
            safety = safety.max(floor.to_fraction());
        }
        let mut critical = Acceleration::g((safety - 1.0).max(0.0) * sine);
        if let Some(floor) = limits.critical_acceleration {
            critical = if critical < floor { floor } else { critical };
        }
        let fails = critical.si() == 0.0 || {
            let ratio = AccelerationRatio::new(critical, peak_acceleration)?;
            newmark::jibson_2007(ratio).median >= limits.displacement
        };
        moved += usize::from(fails);
    }
    Ok(Ratio::fraction(COVERAGE[moved]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell() -> SlopedCell {
        SlopedCell {
            slopes: [1.0, 5.0, 10.0, 15.0, 20.0, 25.0, 35.0].map(Angle::degrees),
            cohesion: Pressure::kilopascals(3.0),
            friction_angle: Angle::degrees(30.0),
            unit_weight: 15_700.0,
            thickness: Length::metres(2.4),
        }
    }

    #[test]
    fn coverage_rises_with_shaking_through_the_eight_values() {
        let mut last = 0.0;
        for step in 1..400 {
            let peak = Acceleration::g(f64::from(step) * 0.01);
            let share = coverage(&cell(), peak, &Limits::default()).unwrap().si();
            assert!(share >= last && COVERAGE.contains(&share));
            last = share;
        }
        assert!(last >= 0.9, "{last}");
    }

    #[test]
    fn quantiles_that_fall_are_refused() {
        let mut mixed = cell();
        mixed.slopes[3] = Angle::degrees(2.0);
        assert!(coverage(&mixed, Acceleration::g(0.3), &Limits::default()).is_err());
    }
}
