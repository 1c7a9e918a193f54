//! NASA's Landslide Hazard Assessment for Situational Awareness.

use lahar_core::Grid;
use lahar_core::capability::Citation;
use lahar_core::measure::{Acceleration, Angle, Length, Ratio};
use lahar_core::trees::TreeModel;

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
    let (mut sum, mut weights) = (0.0, 0.0);
    for (day, rain) in days.iter().enumerate() {
        let weight = 1.0 / ((day + 1) as f64).powi(2);
        sum += weight * RAIN.check(rain.to_millimetres())?;
        weights += weight;
    }
    Ok(Length::millimetres(sum / weights))
}

/// NASA's own programs, version 1.1: which classes of susceptibility count.
pub const STANLEY_2021_PROGRAM: Citation = Citation {
    authors: "Stanley",
    year: 2021,
    doi: "https://github.com/nasa/LHASA",
    place: "LHASA.r, version 1.1.1: decision tree on susceptibility above 2, and above 4",
};

const RAIN: Limit = Limit::new("rainfall", "mm", 0.0, 5000.0, KIRSCHBAUM_STANLEY_2018);

/// What the first version says of a square kilometre.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nowcast {
    /// No hazard is stated.
    None,
    /// Slides are possible.
    Moderate,
    /// Slides are likely.
    High,
}

impl Nowcast {
    /// The words, in the order of the classes.
    pub const WORDS: &'static [&'static str] = &["none", "moderate", "high"];

    /// Its word.
    pub fn word(self) -> &'static str {
        Nowcast::WORDS[self as usize]
    }
}

/// The decision tree of the first version: where the antecedent rainfall index is above the
/// threshold (the 95th percentile of the place's own record), ground of susceptibility 3 or 4 is
/// under moderate hazard and ground of susceptibility 5 under high hazard; everywhere else under
/// none (Kirschbaum and Stanley 2018; the classes as in NASA's program, version 1.1.1).
///
/// Inputs: index and threshold as depths; susceptibility from 1 (very low) to 5 (very high).
///
/// ```
/// use lahar_core::measure::Length;
/// use lahar_hazards::landslide::lhasa::{Nowcast, nowcast};
/// let rain = Length::millimetres(60.0);
/// assert_eq!(nowcast(rain, Length::millimetres(45.0), 5.0).unwrap(), Nowcast::High);
/// ```
pub fn nowcast(
    index: Length,
    threshold: Length,
    susceptibility: f64,
) -> Result<Nowcast, HazardError> {
    const CLASS: Limit = Limit::new("susceptibility", "1", 1.0, 5.0, STANLEY_2021_PROGRAM);
    let index = RAIN.check(index.to_millimetres())?;
    let threshold = RAIN.check(threshold.to_millimetres())?;
    let class = CLASS.check(susceptibility)?;
    if class.fract() != 0.0 {
        return Err(HazardError::Contradiction(format!(
            "{class} is no class of susceptibility; classes are whole numbers from 1 to 5"
        )));
    }
    Ok(match index > threshold {
        true if class > 4.0 => Nowcast::High,
        true if class > 2.0 => Nowcast::Moderate,
        _ => Nowcast::None,
    })
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

/// Limits of the features, in their order and units.
const FEATURE_LIMITS: [Limit; 6] = [
    Limit::new("lithology", "1", 0.0, 100.0, STANLEY_2021),
    Limit::new("slope", "deg", 0.0, 90.0, STANLEY_2021),
    Limit::new("peak_ground_acceleration", "g", 0.0, 10.0, STANLEY_2021),
    Limit::new("soil_wetness", "1", 0.0, 1.0, STANLEY_2021),
    Limit::new("antecedent_rainfall", "mm", 0.0, 5000.0, STANLEY_2021),
    Limit::new("rainfall_ratio", "1", 0.0, 1000.0, STANLEY_2021),
];

/// Probability of a landslide in a square kilometre on a day, by the trees of NASA's file
/// (Stanley and others 2021): the logistic of the sum of their leaves.
///
/// A feature that is missing goes the way the training chose for it. Errors name a feature outside
/// of what can be, and a file whose trees were trained on other features.
pub fn probability(trees: &TreeModel, day: &Day) -> Result<f64, HazardError> {
    check_features(trees)?;
    let features = day.features();
    for (limit, value) in FEATURE_LIMITS.iter().zip(features) {
        if !value.is_nan() {
            limit.check(value)?;
        }
    }
    let found = trees.predict(&features);
    let found = found.map_err(|error| HazardError::Contradiction(error.to_string()))?;
    Ok(found[0])
}

/// The same for every cell of grids that lie on each other, in the order of [`Day::FEATURES`] and
/// in their units. A cell without a slope has no result: the model was trained on land.
pub fn probability_map(
    trees: &TreeModel,
    grids: [Option<&Grid>; 6],
    threads: usize,
) -> Result<Grid, HazardError> {
    check_features(trees)?;
    let Some(slope) = grids[1] else {
        return Err(HazardError::Contradiction(
            "there is no grid of slopes; without it no cell is known to be land".to_owned(),
        ));
    };
    let missing = vec![f64::NAN; slope.values().len()];
    let mut columns = [missing.as_slice(); 6];
    for ((column, grid), limit) in columns.iter_mut().zip(grids).zip(&FEATURE_LIMITS) {
        let Some(grid) = grid else { continue };
        slope.check_aligned(grid)?;
        if let Some(value) = grid
            .values()
            .iter()
            .find(|value| !value.is_nan() && limit.check(**value).is_err())
        {
            limit.check(*value)?;
        }
        *column = grid.values();
    }
    let found = trees.predict_columns(&columns, threads);
    let mut found = found.map_err(|error| HazardError::Contradiction(error.to_string()))?;
    let mut cells = found.swap_remove(0);
    for (cell, slope) in cells.iter_mut().zip(slope.values()) {
        if slope.is_nan() {
            *cell = f64::NAN;
        }
    }
    Ok(slope.like(cells)?)
}

/// Trees of one probability, trained on the features of [`Day`].
fn check_features(trees: &TreeModel) -> Result<(), HazardError> {
    match trees.features() == Day::FEATURES && trees.outputs() == 1 {
        true => Ok(()),
        false => Err(HazardError::Contradiction(format!(
            "these trees were trained on {}; LHASA takes {}",
            trees.features().join(", "),
            Day::FEATURES.join(", ")
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reproduces_kirschbaum_2018_decision_tree_of_nasas_program() {
        let now = |index: f64, class: f64| {
            nowcast(Length::millimetres(index), Length::millimetres(45.0), class).unwrap()
        };
        // LHASA.r 1.1.1: `ARI > threshold`, then `susceptible > 2` and `susceptible > 4`.
        let wet = [1.0, 2.0, 3.0, 4.0, 5.0].map(|class| now(45.1, class));
        use Nowcast::{High, Moderate, None};
        assert_eq!(wet, [None, None, Moderate, Moderate, High]);
        assert!(
            [1.0, 3.0, 5.0]
                .iter()
                .all(|class| now(45.0, *class) == None)
        );
        assert_eq!(High.word(), "high");
        for (index, class, part) in [(-1.0, 3.0, "rainfall"), (9.0, 6.0, "6"), (9.0, 2.5, "2.5")] {
            let error = nowcast(Length::millimetres(index), Length::millimetres(45.0), class);
            let message = error.unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }

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
