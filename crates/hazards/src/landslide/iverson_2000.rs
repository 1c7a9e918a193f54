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

const DIFFUSIVITY: Limit =
    Limit::new("hydraulic_diffusivity", "m2/s", 0.0, 10.0, IVERSON_2000).above_lowest();
const CONDUCTIVITY: Limit =
    Limit::new("saturated_conductivity", "m/s", 0.0, 1.0, IVERSON_2000).above_lowest();
const WATER_TABLE: Limit = Limit::new("water_table_depth", "m", 0.0, 1000.0, IVERSON_2000);
const LASTING: Limit = Limit::new("lasting_infiltration", "m/s", 0.0, 1.0, IVERSON_2000);

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
            self.check_storm(storm)?;
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

    fn check_storm(&self, storm: &Storm) -> Result<(), HazardError> {
        let rate = storm.infiltration;
        if !(rate >= 0.0 && rate <= self.conductivity) {
            return Err(HazardError::OutsideRange {
                variable: "infiltration",
                found: format!("{rate} m/s"),
                allowed: format!("from 0 to the conductivity, {} m/s", self.conductivity),
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
}
