//! NASA's Landslide Hazard Assessment for Situational Awareness.

use lahar_core::capability::Citation;
use lahar_core::measure::{Acceleration, Angle, Length, Ratio};

use crate::error::{HazardError, Limit};

/// The first version: antecedent rain and a susceptibility map.
pub const KIRSCHBAUM_STANLEY_2018: Citation = Citation {
    authors: "Kirschbaum & Stanley",
    year: 2018,
    doi: "doi:10.1002/2017EF000715",
    place: "equation 1",
};
/// The second version: trees trained on landslide inventories.
pub const STANLEY_2021: Citation = Citation {
    authors: "Stanley, Kirschbaum, Benz, Emberson, Amatya, Medwedeff & Clark",
    year: 2021,
    doi: "doi:10.3389/feart.2021.640043",
    place: "section on the model; the trees come in NASA's file model.json",
};

/// Antecedent rainfall index of seven days: `Σ w_t P_t / Σ w_t` with `w_t = (t + 1)⁻²`, today
/// first (Kirschbaum and Stanley 2018, equation 1).
///
/// Input: rain of today, yesterday, ... six days ago. Output: a depth.
///
/// ```
/// use lahar_core::measure::Length;
/// use lahar_hazards::landslide::lhasa::antecedent_rainfall_index;
/// let even = antecedent_rainfall_index(&[Length::millimetres(10.0); 7]).unwrap();
/// assert!((even.to_millimetres() - 10.0).abs() < 1e-12);
/// ```
pub fn antecedent_rainfall_index(days: &[Length; 7]) -> Result<Length, HazardError> {
    const RAIN: Limit = Limit::new("rainfall", "mm", 0.0, 5000.0, KIRSCHBAUM_STANLEY_2018);
    let (mut sum, mut weights) = (0.0, 0.0);
    for (day, rain) in days.iter().enumerate() {
        let weight = 1.0 / ((day + 1) as f64).powi(2);
        sum += weight * RAIN.check(rain.to_millimetres())?;
        weights += weight;
    }
    Ok(Length::millimetres(sum / weights))
}

/// What the second version looks at, for one day and one square kilometre.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Day {
    /// Class of rock in the model's own table.
    pub lithology: Option<u32>,
    /// Slope.
    pub slope: Option<Angle>,
    /// Peak ground acceleration that returns in 475 years.
    pub shaking: Option<Acceleration>,
    /// Wetness of the soil profile.
    pub soil_wetness: Option<Ratio>,
    /// Rain of the two days before.
    pub antecedent: Option<Length>,
    /// Rain of the day, as a ratio to its local 99th percentile.
    pub rain: Option<Ratio>,
}

impl Day {
    /// Names of the features in the order in which the trees take them.
    pub const FEATURES: [&'static str; 6] = [
        "Lithology",
        "Slope",
        "pga",
        "gwetprof",
        "antecedent",
        "rain",
    ];

    /// The features in that order and in the model's units: class, degrees, g, share, mm, ratio.
    /// `NaN` where a value is missing, for which each tree has a way of its own.
    pub fn features(&self) -> [f64; 6] {
        [
            self.lithology.map(f64::from),
            self.slope.map(Angle::to_degrees),
            self.shaking.map(Acceleration::to_g),
            self.soil_wetness.map(Ratio::to_fraction),
            self.antecedent.map(Length::to_millimetres),
            self.rain.map(Ratio::to_fraction),
        ]
        .map(|value| value.unwrap_or(f64::NAN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reproduces_kirschbaum_2018_by_its_equation() {
        let mut days = [Length::millimetres(0.0); 7];
        days[0] = Length::millimetres(100.0);
        let weights: f64 = (1..=7).map(|t| 1.0 / f64::from(t * t)).sum();
        let index = antecedent_rainfall_index(&days).unwrap().to_millimetres();
        assert!((index - 100.0 / weights).abs() < 1e-12);
        days[0] = Length::millimetres(-1.0);
        assert!(antecedent_rainfall_index(&days).is_err());
    }
}
