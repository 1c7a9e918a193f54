//! A slab on an endless plane, and how wet a hillslope is in steady rain.

use lahar_core::capability::Citation;
use lahar_core::measure::{Angle, Length, Pressure, Ratio};

use crate::error::{HazardError, Limit};

/// The factor of safety of an infinite slope.
pub const TAYLOR_1948: Citation = Citation {
    authors: "Taylor",
    year: 1948,
    doi: "Fundamentals of Soil Mechanics, Wiley",
    place: "stability of infinite slopes",
};
/// Steady wetness over topography.
pub const MONTGOMERY_DIETRICH_1994: Citation = Citation {
    authors: "Montgomery & Dietrich",
    year: 1994,
    doi: "doi:10.1029/93WR02979",
    place: "equations 1 to 5",
};

/// Weight of water per volume, in N/m³.
pub const WATER: f64 = 9810.0;

pub(super) const SLOPE: Limit = Limit::new("slope", "deg", 0.0, 89.0, TAYLOR_1948);
pub(super) const COHESION: Limit = Limit::new("cohesion", "Pa", 0.0, 1e7, TAYLOR_1948);
pub(super) const FRICTION: Limit = Limit::new("friction_angle", "deg", 0.0, 89.0, TAYLOR_1948);
pub(super) const THICKNESS: Limit =
    Limit::new("soil_depth", "m", 0.0, 100.0, TAYLOR_1948).above_lowest();
pub(super) const WEIGHT: Limit = Limit::new("unit_weight", "N/m3", 1000.0, 50_000.0, TAYLOR_1948);
const WETNESS: Limit = Limit::new("wetness", "1", 0.0, 1.0, MONTGOMERY_DIETRICH_1994);

/// Soil on a slope. The depth is vertical; a thickness across the slab is this times the cosine of
/// the slope.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slab {
    /// Slope of the ground.
    pub slope: Angle,
    /// Depth of the soil, vertically.
    pub depth: Length,
    /// Cohesion of soil and roots.
    pub cohesion: Pressure,
    /// Angle of internal friction.
    pub friction_angle: Angle,
    /// Weight of the soil per volume, in N/m³.
    pub unit_weight: f64,
}

impl Slab {
    pub(super) fn check(&self) -> Result<(), HazardError> {
        SLOPE.check(self.slope.to_degrees())?;
        THICKNESS.check(self.depth.to_metres())?;
        COHESION.check(self.cohesion.to_pascals())?;
        FRICTION.check(self.friction_angle.to_degrees())?;
        WEIGHT.check(self.unit_weight)?;
        Ok(())
    }

    /// Factor of safety:
    /// `c / (γ z sin β cos β) + tan φ / tan β - m γ_w tan φ / (γ tan β)`, with the vertical depth `z`
    /// and the share `m` of it that stands in water (Taylor 1948). Infinite on flat ground.
    ///
    /// Inputs: the slab; wetness 0 to 1. Output: below 1 the slab slides.
    ///
    /// For slides much longer than deep, along a plane under the surface.
    ///
    /// ```
    /// use lahar_core::measure::*;
    /// use lahar_hazards::landslide::infinite_slope::Slab;
    /// let sand = Slab {
    ///     slope: Angle::degrees(30.0),
    ///     depth: Length::metres(2.0),
    ///     cohesion: Pressure::pascals(0.0),
    ///     friction_angle: Angle::degrees(35.0),
    ///     unit_weight: 19_620.0,
    /// };
    /// let dry = sand.factor_of_safety(Ratio::fraction(0.0)).unwrap();
    /// assert!((dry - 35f64.to_radians().tan() / 30f64.to_radians().tan()).abs() < 1e-12);
    /// // Sand of twice water's weight loses half of it when it is full.
    /// let full = sand.factor_of_safety(Ratio::fraction(1.0)).unwrap();
    /// assert!((full - dry / 2.0).abs() < 1e-12);
    /// ```
    pub fn factor_of_safety(&self, wetness: Ratio) -> Result<f64, HazardError> {
        self.check()?;
        let wetness = WETNESS.check(wetness.to_fraction())?;
        let pressure = wetness * self.depth.to_metres() * self.slope.si().cos().powi(2);
        Ok(self.factor_at(pressure))
    }

    /// Factor of safety for a pressure head at the base, in metres:
    /// `tan φ / tan β + (c - ψ γ_w tan φ) / (γ z sin β cos β)`.
    pub(super) fn factor_at(&self, pressure_head: f64) -> f64 {
        let slope = self.slope.si();
        if slope == 0.0 {
            return f64::INFINITY;
        }
        let friction = self.friction_angle.si().tan();
        let weight = self.unit_weight * self.depth.to_metres() * slope.sin() * slope.cos();
        friction / slope.tan()
            + (self.cohesion.to_pascals() - pressure_head * WATER * friction) / weight
    }
}

/// Share of the soil that stands in water in steady rain: `m = min(1, R a / (T sin β))`
/// (Montgomery and Dietrich 1994, equation 2).
///
/// Inputs: rain that stays, in m/s; area above a metre of contour, in m; transmissivity in m²/s;
/// slope. Output: a share.
///
/// Steady, parallel to the surface; deep seepage and pipes are not in it.
///
/// ```
/// use lahar_core::measure::Angle;
/// use lahar_hazards::landslide::infinite_slope::steady_wetness;
/// let wet = steady_wetness(1e-6, 100.0, 1e-3, Angle::degrees(30.0)).unwrap();
/// assert!((wet.to_fraction() - 0.2).abs() < 1e-12);
/// ```
pub fn steady_wetness(
    recharge: f64,
    area_per_width: f64,
    transmissivity: f64,
    slope: Angle,
) -> Result<Ratio, HazardError> {
    const RECHARGE: Limit = Limit::new("recharge", "m/s", 0.0, 1e-3, MONTGOMERY_DIETRICH_1994);
    const AREA: Limit = Limit::new("area_per_width", "m", 0.0, 1e9, MONTGOMERY_DIETRICH_1994);
    const TRANSMISSIVITY: Limit = Limit::new(
        "transmissivity",
        "m2/s",
        0.0,
        10.0,
        MONTGOMERY_DIETRICH_1994,
    )
    .above_lowest();
    let flow = RECHARGE.check(recharge)? * AREA.check(area_per_width)?;
    let slope = SLOPE.check(slope.to_degrees())?.to_radians();
    let capacity = TRANSMISSIVITY.check(transmissivity)? * slope.sin();
    let wetness = if flow == 0.0 {
        0.0
    } else {
        (flow / capacity).min(1.0)
    };
    Ok(Ratio::fraction(wetness))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn slab(slope: f64, cohesion: f64) -> Slab {
        Slab {
            slope: Angle::degrees(slope),
            depth: Length::metres(1.5),
            cohesion: Pressure::pascals(cohesion),
            friction_angle: Angle::degrees(33.0),
            unit_weight: 18_000.0,
        }
    }

    #[test]
    fn flat_ground_never_slides_and_is_wet_in_any_rain() {
        let flat = slab(0.0, 0.0)
            .factor_of_safety(Ratio::fraction(1.0))
            .unwrap();
        assert_eq!(flat, f64::INFINITY);
        let wet = steady_wetness(1e-7, 10.0, 1e-4, Angle::degrees(0.0)).unwrap();
        assert_eq!(wet.to_fraction(), 1.0);
        let dry = steady_wetness(0.0, 10.0, 1e-4, Angle::degrees(0.0)).unwrap();
        assert_eq!(dry.to_fraction(), 0.0);
    }

    #[test]
    fn negative_depths_are_refused_by_name() {
        let hole = Slab {
            depth: Length::metres(-1.0),
            ..slab(30.0, 0.0)
        };
        let error = hole.factor_of_safety(Ratio::fraction(0.0)).unwrap_err();
        assert!(error.to_string().contains("soil_depth"), "{error}");
    }

    proptest! {
        #[test]
        fn water_and_slope_make_it_less_safe_and_cohesion_safer(
            slope in 5.0..60.0f64, cohesion in 0.0..20_000.0f64, wetness in 0.0..0.9f64,
        ) {
            let at = |slope, cohesion, wetness| {
                slab(slope, cohesion).factor_of_safety(Ratio::fraction(wetness)).unwrap()
            };
            let base = at(slope, cohesion, wetness);
            prop_assert!(at(slope, cohesion, wetness + 0.1) < base);
            prop_assert!(at(slope, cohesion + 500.0, wetness) > base);
            // Up to 45 degrees a steeper slope is less safe, whatever the cohesion.
            prop_assert!(slope > 44.0 || at(slope + 1.0, cohesion, wetness) < base);
        }
    }
}
