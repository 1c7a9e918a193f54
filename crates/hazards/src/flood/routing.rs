//! A flood wave on its way down a reach.

use lahar_core::capability::Citation;
use lahar_core::measure::Span;

use crate::error::{HazardError, Limit};

/// The publication.
pub const MUSKINGUM: Citation = Citation {
    authors: "McCarthy",
    year: 1938,
    doi: "U.S. Army Corps of Engineers, conference at New London",
    place: "the unit hydrograph and flood routing; as in Chow 1959, chapter 20",
};

const WEIGHT: Limit = Limit::new("weighting", "1", 0.0, 0.5, MUSKINGUM);

/// A reach that stores water as a wedge on a prism.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reach {
    /// Travel time of the wave, `K`.
    pub travel_time: Span,
    /// Weight of the inflow in the storage, `X`: 0 for a reservoir, 0.5 for a pure translation.
    pub weighting: f64,
}

/// `C0`, `C1` and `C2` of one time step. They add up to one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coefficients {
    /// Weight of the inflow now.
    pub inflow: f64,
    /// Weight of the inflow before.
    pub inflow_before: f64,
    /// Weight of the outflow before.
    pub outflow_before: f64,
}

impl Reach {
    /// The coefficients of a time step:
    /// `C0 = (Δt - 2KX) / D`, `C1 = (Δt + 2KX) / D`, `C2 = (2K(1 - X) - Δt) / D`,
    /// `D = 2K(1 - X) + Δt`.
    ///
    /// Input: a step between `2KX` and `2K(1 - X)`; outside of it one of the coefficients is
    /// negative, and the outflow can fall below zero.
    ///
    /// ```
    /// use lahar_core::measure::Span;
    /// use lahar_hazards::flood::routing::Reach;
    /// let reach = Reach { travel_time: Span::hours(2.0), weighting: 0.25 };
    /// let c = reach.coefficients(Span::hours(1.0)).unwrap();
    /// assert_eq!((c.inflow, c.inflow_before, c.outflow_before), (0.0, 0.5, 0.5));
    /// ```
    pub fn coefficients(&self, step: Span) -> Result<Coefficients, HazardError> {
        let weighting = WEIGHT.check(self.weighting)?;
        let (k, dt) = (self.travel_time.to_seconds(), step.to_seconds());
        if !(k > 0.0 && k.is_finite() && dt > 0.0 && dt.is_finite()) {
            return Err(HazardError::Contradiction(format!(
                "a travel time of {} and a step of {step} route nothing; both must be positive",
                self.travel_time
            )));
        }
        let (shortest, longest) = (2.0 * k * weighting, 2.0 * k * (1.0 - weighting));
        // A step on the border gives a coefficient of zero, which rounding may push below it.
        let room = 1e-12 * k;
        if dt < shortest - room || dt > longest + room {
            return Err(HazardError::Contradiction(format!(
                "a step of {step} lies outside {} to {}, where the reach's coefficients are not \
                 negative ({MUSKINGUM}); change the step, or cut the reach into parts",
                Span::seconds(shortest),
                Span::seconds(longest)
            )));
        }
        let sum = longest + dt;
        Ok(Coefficients {
            inflow: (dt - shortest) / sum,
            inflow_before: (dt + shortest) / sum,
            outflow_before: (longest - dt) / sum,
        })
    }

    /// Discharge at the lower end: `O' = C0 I' + C1 I + C2 O`, beginning in a steady state.
    ///
    /// Inputs: discharge at the upper end at equal steps. Output: as many values.
    pub fn route(&self, inflow: &[f64], step: Span) -> Result<Vec<f64>, HazardError> {
        let c = self.coefficients(step)?;
        if let Some(bad) = inflow
            .iter()
            .find(|value| !(**value >= 0.0 && value.is_finite()))
        {
            return Err(HazardError::Contradiction(format!(
                "an inflow of {bad} m³/s is no discharge; fill gaps and check signs first"
            )));
        }
        let mut outflow: Vec<f64> = Vec::with_capacity(inflow.len());
        for (at, now) in inflow.iter().enumerate() {
            outflow.push(match at {
                0 => *now,
                _ => {
                    c.inflow * now
                        + c.inflow_before * inflow[at - 1]
                        + c.outflow_before * outflow[at - 1]
                }
            });
        }
        Ok(outflow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_is_delayed_and_flattened_and_loses_nothing() {
        let reach = Reach {
            travel_time: Span::hours(3.0),
            weighting: 0.2,
        };
        let mut inflow = vec![10.0; 60];
        for (at, peak) in [40.0, 90.0, 140.0, 90.0, 40.0].into_iter().enumerate() {
            inflow[5 + at] = peak;
        }
        let outflow = reach.route(&inflow, Span::hours(2.0)).unwrap();
        let highest = |values: &[f64]| {
            let order = |a: &usize, b: &usize| values[*a].total_cmp(&values[*b]);
            (0..values.len()).max_by(order).unwrap()
        };
        assert!(highest(&outflow) > highest(&inflow));
        assert!(outflow[highest(&outflow)] < inflow[highest(&inflow)]);
        let (came, went): (f64, f64) = (inflow.iter().sum(), outflow.iter().sum());
        assert!((came - went).abs() < 1e-6 * came, "{came} in, {went} out");
    }

    #[test]
    fn a_step_that_makes_a_coefficient_negative_is_refused_with_the_range() {
        let reach = Reach {
            travel_time: Span::hours(10.0),
            weighting: 0.4,
        };
        let message = reach
            .coefficients(Span::hours(1.0))
            .unwrap_err()
            .to_string();
        assert!(message.contains("outside"), "{message}");
    }

    #[test]
    fn gaps_in_the_inflow_are_refused() {
        let reach = Reach {
            travel_time: Span::hours(1.0),
            weighting: 0.2,
        };
        assert!(reach.route(&[1.0, f64::NAN], Span::hours(1.0)).is_err());
        assert!(reach.route(&[1.0, -2.0], Span::hours(1.0)).is_err());
    }
}
