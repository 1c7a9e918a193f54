//! Pressure that a storm sends down into a wet slope.

use lahar_core::capability::Citation;
use lahar_core::measure::{Angle, Length, Span};

use super::infinite_slope::{SLOPE, Slab};
use crate::error::{HazardError, Limit};

/// The publication.
pub const IVERSON_2000: Citation = Citation {
    authors: "Iverson",
    year: 2000,
    doi: "doi:10.1029/2000WR900090",
    place: "equations 27 to 29",
};
/// The program, with the limit on the pressure head and many storms in a row.
pub const BAUM_2008: Citation = Citation {
    authors: "Baum, Savage & Godt",
    year: 2008,
    doi: "doi:10.3133/ofr20081159",
    place: "TRIGRS, equations 1 and 2",
};

pub(super) const DIFFUSIVITY: Limit =
    Limit::new("hydraulic_diffusivity", "m2/s", 0.0, 10.0, IVERSON_2000).above_lowest();
pub(super) const CONDUCTIVITY: Limit =
    Limit::new("saturated_conductivity", "m/s", 0.0, 1.0, IVERSON_2000).above_lowest();
const WATER_TABLE: Limit = Limit::new("water_table_depth", "m", 0.0, 1000.0, IVERSON_2000);
pub(super) const LASTING: Limit = Limit::new("lasting_infiltration", "m/s", 0.0, 1.0, IVERSON_2000);

/// Ground into which rain sinks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WetGround {
    /// Slope of the surface.
    pub slope: Angle,
    /// Depth of the water table before the storm, vertically.
    pub water_table: Length,
    /// Hydraulic diffusivity `D₀`, in m²/s.
    pub diffusivity: f64,
    /// Saturated conductivity `K_s`, in m/s.
    pub conductivity: f64,
    /// Infiltration that has lasted long before the storm, in m/s.
    pub lasting_infiltration: f64,
}

/// Rain that sinks in at one rate for a while.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Storm {
    /// Rate in m/s; at most the ground's conductivity.
    pub infiltration: f64,
    /// From when on, counted from the start of the record.
    pub start: Span,
    /// How long.
    pub duration: Span,
}

/// `R(t*) = √(t*/π) e^(-1/t*) - erfc(1/√t*)` (Iverson 2000, equation 27e).
#[inline]
fn response(time: f64) -> f64 {
    if time <= 0.0 {
        return 0.0;
    }
    let inverse = 1.0 / time;
    (time / std::f64::consts::PI).sqrt() * (-inverse).exp() - libm::erfc(inverse.sqrt())
}

impl WetGround {
    fn check(&self) -> Result<(), HazardError> {
        SLOPE.check(self.slope.to_degrees())?;
        WATER_TABLE.check(self.water_table.to_metres())?;
        DIFFUSIVITY.check(self.diffusivity)?;
        CONDUCTIVITY.check(self.conductivity)?;
        LASTING.check(self.lasting_infiltration)?;
        Ok(())
    }

    /// Pressure head in metres at a depth and time:
    /// `ψ = (Z - d) β + Z Σ I_n/K_s [R(t*) - R(t* - T*)]`, with
    /// `β = cos² α - I_lasting / K_s`, `t* = 4 D₀ cos² α t / Z²`, and at most `Z β`
    /// (Iverson 2000, equations 27; the limit and the sum over storms as in Baum and others 2008).
    ///
    /// Inputs: ground; storms, each at most as intense as the ground conducts; depth, vertically;
    /// time since the start of the record. Output: metres of water, negative above the water table.
    ///
    /// For ground that is wet, or nearly, all the way up, much thinner than its hillslope is long,
    /// and without a floor that water cannot pass.
    ///
    /// ```
    /// use lahar_core::measure::{Angle, Length, Span};
    /// use lahar_hazards::landslide::iverson_2000::{Storm, WetGround};
    /// let ground = WetGround {
    ///     slope: Angle::degrees(30.0),
    ///     water_table: Length::metres(1.0),
    ///     diffusivity: 1e-4,
    ///     conductivity: 1e-5,
    ///     lasting_infiltration: 0.0,
    /// };
    /// let before = ground.pressure_head(&[], Length::metres(2.0), Span::hours(1.0)).unwrap();
    /// // A metre below the water table: cos² 30° = 0.75.
    /// assert!((before - 0.75).abs() < 1e-12);
    /// let storm = Storm {
    ///     infiltration: 1e-5,
    ///     start: Span::hours(0.0),
    ///     duration: Span::hours(6.0),
    /// };
    /// let after = ground.pressure_head(&[storm], Length::metres(2.0), Span::hours(6.0)).unwrap();
    /// assert!(after > before && after <= 1.5);
    /// ```
    pub fn pressure_head(
        &self,
        storms: &[Storm],
        depth: Length,
        time: Span,
    ) -> Result<f64, HazardError> {
        self.check()?;
        let depth = super::infinite_slope::THICKNESS.check(depth.to_metres())?;
        for storm in storms {
            check_storm(storm, self.conductivity)?;
        }
        let steepness = self.slope.si().cos().powi(2);
        let beta = steepness - self.lasting_infiltration / self.conductivity;
        let pace = 4.0 * self.diffusivity * steepness / (depth * depth);
        let sent: f64 = storms
            .iter()
            .map(|storm| {
                let since = time.to_seconds() - storm.start.to_seconds();
                let after = since - storm.duration.to_seconds();
                let response = response(since * pace) - response(after * pace);
                storm.infiltration / self.conductivity * response
            })
            .sum();
        let head = (depth - self.water_table.to_metres()) * beta + depth * sent;
        Ok(head.min(depth * beta))
    }

    /// Factor of safety of a slab whose base lies at its depth in this ground.
    ///
    /// The slope is the slab's and the ground's alike; one that differs is refused.
    pub fn factor_of_safety(
        &self,
        slab: &Slab,
        storms: &[Storm],
        time: Span,
    ) -> Result<f64, HazardError> {
        slab.check()?;
        if slab.slope != self.slope {
            return Err(HazardError::Contradiction(format!(
                "the slab lies on a slope of {}, the ground of {}; they are one slope",
                slab.slope, self.slope
            )));
        }
        let head = self.pressure_head(storms, slab.depth, time)?;
        Ok(slab.factor_at(head))
    }

    /// Pressure head in metres above a floor that water does not pass:
    /// `ψ = (Z - d) β + Σ I_n/K_s [F(t - t_n) - F(t - t_n - T_n)]` with
    /// `F(t) = 2 √(D₁ t) Σ_m { ierfc[((2m-1) L - (L - Z)) / 2√(D₁ t)] + ierfc[((2m-1) L + (L - Z)) / 2√(D₁ t)] }`
    /// and `D₁ = D₀ cos² α`, at most `Z β` (Baum and others 2008, equation 3).
    ///
    /// Inputs as for [`WetGround::pressure_head`], and how deep the floor lies, vertically, at least
    /// as deep as `depth`. All that has sunk in stays above the floor: for times in which little flows
    /// away along the slope.
    pub fn pressure_head_above_floor(
        &self,
        storms: &[Storm],
        depth: Length,
        floor: Length,
        time: Span,
    ) -> Result<f64, HazardError> {
        self.check()?;
        let depth = super::infinite_slope::THICKNESS.check(depth.to_metres())?;
        let floor = super::infinite_slope::THICKNESS.check(floor.to_metres())?;
        if floor < depth {
            return Err(HazardError::OutsideRange {
                variable: "floor_depth",
                found: format!("{floor} m"),
                allowed: format!("at least the depth of the slab, {depth} m"),
                source_of_limit: BAUM_2008.to_string(),
            });
        }
        for storm in storms {
            check_storm(storm, self.conductivity)?;
        }
        let steepness = self.slope.si().cos().powi(2);
        let beta = steepness - self.lasting_infiltration / self.conductivity;
        let spread = self.diffusivity * steepness;
        let sent: f64 = storms
            .iter()
            .map(|storm| {
                let since = time.to_seconds() - storm.start.to_seconds();
                let after = since - storm.duration.to_seconds();
                let response =
                    kept(since * spread, depth, floor) - kept(after * spread, depth, floor);
                storm.infiltration / self.conductivity * response
            })
            .sum();
        let head = (depth - self.water_table.to_metres()) * beta + sent;
        Ok(head.min(depth * beta))
    }
}

/// Rise of the head at a depth, per unit of flow through the surface, above a floor; `spread` is
/// `D₁ t`.
fn kept(spread: f64, depth: f64, floor: f64) -> f64 {
    if spread <= 0.0 {
        return 0.0;
    }
    let root = 2.0 * spread.sqrt();
    let part = |way: f64| {
        let x = way / root;
        // ierfc, nothing far out.
        match x > 26.0 {
            true => 0.0,
            false => (-x * x).exp() / std::f64::consts::PI.sqrt() - x * libm::erfc(x),
        }
    };
    let mut sum = 0.0;
    for at in 0.. {
        let echo = (2 * at + 1) as f64 * floor;
        let both = part(echo - (floor - depth)) + part(echo + (floor - depth));
        sum += both;
        if both <= 1e-16 * sum {
            break;
        }
    }
    root * sum
}

/// Whether a storm can be, in ground of a conductivity in m/s.
pub(super) fn check_storm(storm: &Storm, conductivity: f64) -> Result<(), HazardError> {
    let rate = storm.infiltration;
    // In the unit in which rain is given, to a digit that people read.
    let shown = |speed: f64| format!("{} mm/h", (speed * 3.6e9).round() / 1e3);
    if !(rate >= 0.0 && rate <= conductivity) {
        return Err(HazardError::OutsideRange {
            variable: "infiltration",
            found: shown(rate),
            allowed: format!("from 0 to the conductivity, {}", shown(conductivity)),
            source_of_limit: IVERSON_2000.to_string(),
        });
    }
    let duration = storm.duration.to_seconds();
    if !(duration > 0.0 && duration.is_finite() && storm.start.to_seconds().is_finite()) {
        return Err(HazardError::Contradiction(format!(
            "a storm that lasts {} brings nothing; give a duration above zero",
            storm.duration
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ground() -> WetGround {
        WetGround {
            slope: Angle::degrees(35.0),
            water_table: Length::metres(1.0),
            diffusivity: 5e-5,
            conductivity: 1e-5,
            lasting_infiltration: 1e-7,
        }
    }

    #[test]
    fn pressure_rises_in_the_storm_goes_on_rising_below_and_falls_at_last() {
        let storm = Storm {
            infiltration: 8e-6,
            start: Span::hours(2.0),
            duration: Span::hours(4.0),
        };
        let at = |hours: f64| {
            let head = ground().pressure_head(&[storm], Length::metres(2.5), Span::hours(hours));
            head.unwrap()
        };
        assert_eq!(at(1.0), at(2.0));
        assert!(at(4.0) > at(2.0) && at(8.0) > at(6.0) && at(400.0) < at(30.0));
    }

    #[test]
    fn rain_above_the_conductivity_and_storms_without_time_are_refused() {
        let mut storm = Storm {
            infiltration: 2e-5,
            start: Span::hours(0.0),
            duration: Span::hours(1.0),
        };
        let head = |storm| ground().pressure_head(&[storm], Length::metres(1.0), Span::hours(1.0));
        let message = head(storm).unwrap_err().to_string();
        assert!(message.contains("infiltration"), "{message}");
        storm.infiltration = 1e-6;
        storm.duration = Span::hours(0.0);
        assert!(head(storm).is_err());
    }

    #[test]
    fn a_floor_keeps_what_sinks_in_as_diffusion_does() {
        let ground = WetGround {
            slope: Angle::degrees(30.0),
            water_table: Length::metres(2.0),
            diffusivity: 2e-5,
            conductivity: 1e-5,
            lasting_infiltration: 0.0,
        };
        let storm = Storm {
            infiltration: 2e-6,
            start: Span::hours(0.0),
            duration: Span::hours(6.0),
        };
        // The same equation in steps: flow through the surface, none through the floor at 2 m.
        let (cells, floor) = (200, 2.0);
        let size = floor / cells as f64;
        let spread = 2e-5 * 0.75;
        let step = 0.2 * size * size / spread;
        let mut rise = vec![0.0f64; cells];
        let mut now = 0.0;
        while now < 10.0 * 3600.0 {
            let flow = if now < 6.0 * 3600.0 { 0.2 } else { 0.0 };
            let before = rise.clone();
            for at in 0..cells {
                let above = if at == 0 {
                    flow
                } else {
                    (before[at - 1] - before[at]) / size
                };
                let below = if at + 1 == cells {
                    0.0
                } else {
                    (before[at] - before[at + 1]) / size
                };
                rise[at] += step * spread * (above - below) / size;
            }
            now += step;
        }
        let depth = Length::metres(floor - size / 2.0);
        let head = |storms: &[Storm]| {
            let floor = Length::metres(floor);
            ground
                .pressure_head_above_floor(storms, depth, floor, Span::hours(10.0))
                .unwrap()
        };
        let found = head(&[storm]) - head(&[]);
        let expected = rise[cells - 1];
        assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        // A floor far below is none.
        let deep = Length::metres(60.0);
        let far = ground
            .pressure_head_above_floor(&[storm], depth, deep, Span::hours(10.0))
            .unwrap();
        let none = ground
            .pressure_head(&[storm], depth, Span::hours(10.0))
            .unwrap();
        assert!((far - none).abs() < 1e-9, "{far} {none}");
        let above = Length::metres(1.0);
        let error = ground.pressure_head_above_floor(&[storm], depth, above, Span::hours(1.0));
        assert!(error.unwrap_err().to_string().contains("floor_depth"));
    }
}
