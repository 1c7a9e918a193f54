//! Likelihood of post-fire debris flows by Staley and others (2017), models M1 to M4, and the
//! rainfall at which a likelihood is reached.

use lahar_core::capability::Citation;
use lahar_core::measure::{Length, Ratio, Span, Speed};

use crate::error::{HazardError, Limit, logistic};

/// The publication.
pub const SOURCE: Citation = Citation {
    authors: "Staley, Negri, Kean, Laber, Tillery & Youberg",
    year: 2017,
    doi: "doi:10.1016/j.geomorph.2016.10.019",
    place: "models M1 to M4, table of coefficients",
};

/// Which of the four models. They differ in what terrain, fire and soil stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Model {
    /// Steep burned share, mean dNBR / 1000, mean soil erodibility (KF factor). The one the
    /// United States Geological Survey uses.
    M1,
    /// Mean sine of the slope of moderately and severely burned ground, mean dNBR / 1000, KF
    /// factor.
    M2,
    /// Ruggedness, share burned at moderate or high severity, soil thickness / 100.
    M3,
    /// Share burned on slopes of 30 degrees and more, mean dNBR / 1000, soil thickness / 100.
    M4,
}

impl Model {
    /// All four.
    pub const ALL: [Model; 4] = [Model::M1, Model::M2, Model::M3, Model::M4];
}

/// The rainfall durations of the calibration. Coefficients of one never go with rain of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RainDuration {
    /// A quarter of an hour.
    Minutes15,
    /// Half an hour.
    Minutes30,
    /// An hour.
    Minutes60,
}

impl RainDuration {
    /// All three.
    pub const ALL: [RainDuration; 3] = [
        RainDuration::Minutes15,
        RainDuration::Minutes30,
        RainDuration::Minutes60,
    ];

    /// The duration of this many minutes; any other is refused, because nothing was fitted for it.
    pub fn of(span: Span) -> Result<RainDuration, HazardError> {
        let minutes = span.to_minutes();
        RainDuration::ALL
            .into_iter()
            .find(|d| (d.span().to_minutes() - minutes).abs() < 1e-9)
            .ok_or_else(|| HazardError::OutsideRange {
                variable: "duration",
                found: format!("{minutes} min"),
                allowed: "15, 30 or 60 min".to_owned(),
                source_of_limit: SOURCE.to_string(),
            })
    }

    /// As a span of time.
    pub const fn span(self) -> Span {
        Span::minutes(match self {
            RainDuration::Minutes15 => 15.0,
            RainDuration::Minutes30 => 30.0,
            RainDuration::Minutes60 => 60.0,
        })
    }

    /// The accumulation of rain that falls at an intensity for this long.
    pub fn accumulation(self, intensity: Speed) -> Length {
        Length::from_si(intensity.si() * self.span().si())
    }

    /// The intensity that gives an accumulation in this time.
    pub fn intensity(self, accumulation: Length) -> Speed {
        Speed::from_si(accumulation.si() / self.span().si())
    }
}

/// Coefficients of one model for one duration, rain counted in millimetres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coefficients {
    /// B.
    pub intercept: f64,
    /// Ct, of the terrain term.
    pub terrain: f64,
    /// Cf, of the fire term.
    pub fire: f64,
    /// Cs, of the soil term.
    pub soil: f64,
}

/// The published coefficients.
#[inline]
pub const fn coefficients(model: Model, duration: RainDuration) -> Coefficients {
    let by_duration = match model {
        Model::M1 => [
            [-3.63, 0.41, 0.67, 0.70],
            [-3.61, 0.26, 0.39, 0.50],
            [-3.21, 0.17, 0.20, 0.22],
        ],
        Model::M2 => [
            [-3.62, 0.64, 0.65, 0.68],
            [-3.61, 0.42, 0.38, 0.49],
            [-3.22, 0.27, 0.19, 0.22],
        ],
        Model::M3 => [
            [-3.71, 0.32, 0.33, 0.47],
            [-3.79, 0.21, 0.19, 0.36],
            [-3.46, 0.14, 0.10, 0.18],
        ],
        Model::M4 => [
            [-3.60, 0.51, 0.82, 0.27],
            [-3.64, 0.33, 0.46, 0.26],
            [-3.30, 0.20, 0.24, 0.13],
        ],
    };
    let [intercept, terrain, fire, soil] = by_duration[duration as usize];
    Coefficients {
        intercept,
        terrain,
        fire,
        soil,
    }
}

/// What a model needs to know of a burned basin, in the model's own terms (see [`Model`]).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BurnedBasin {
    /// T: a share of the basin (M1, M4), a mean sine (M2) or the ruggedness (M3).
    pub terrain: f64,
    /// F: mean dNBR / 1000 (M1, M2, M4) or a share of the basin (M3).
    pub fire: f64,
    /// S: the KF factor (M1, M2) or soil thickness / 100 (M3, M4).
    pub soil: f64,
}

const SHARE: Limit = Limit::new("terrain", "fraction", 0.0, 1.0, SOURCE);
const RUGGEDNESS: Limit = Limit::new("terrain", "fraction", 0.0, 10.0, SOURCE);
const DNBR: Limit = Limit::new("fire", "fraction", -2.0, 2.0, SOURCE);
const BURNED_SHARE: Limit = Limit::new("fire", "fraction", 0.0, 1.0, SOURCE);
const SOIL: Limit = Limit::new("soil", "fraction", 0.0, 100.0, SOURCE);
const RAIN: Limit = Limit::new("rainfall", "mm", 0.0, 1000.0, SOURCE);
const PROBABILITY: Limit = Limit::new("probability", "fraction", 0.0, 1.0, SOURCE).above_lowest();

/// How strongly rain raises the logit, per millimetre.
#[inline]
fn sensitivity(
    model: Model,
    coefficients: &Coefficients,
    basin: &BurnedBasin,
) -> Result<f64, HazardError> {
    let (terrain, fire) = match model {
        Model::M1 | Model::M2 | Model::M4 => (&SHARE, &DNBR),
        Model::M3 => (&RUGGEDNESS, &BURNED_SHARE),
    };
    Ok(coefficients.terrain * terrain.check(basin.terrain)?
        + coefficients.fire * fire.check(basin.fire)?
        + coefficients.soil * SOIL.check(basin.soil)?)
}

/// Likelihood that a storm sets off a debris flow in a recently burned basin.
///
/// `X = B + Ct T R + Cf F R + Cs S R`, `p = e^X / (1 + e^X)`, with the coefficients of
/// [`coefficients`] (Staley and others 2017, doi:10.1016/j.geomorph.2016.10.019).
///
/// Inputs: a basin in the terms of the model; `rainfall`, the accumulation R over exactly the
/// duration (0 to 1000 mm), not an intensity.
///
/// Output: a probability.
///
/// Not for basins that never burned or burned more than about two years ago, not for landslides
/// that begin as slides, not as a forecast of volume or reach; calibrated in the western United
/// States on basins of 0.02 to 8 km².
///
/// ```
/// use lahar_core::measure::Speed;
/// use lahar_hazards::postfire_debris_flow::staley_2017::*;
/// // The 15-minute equation of M1 as the Geological Survey prints it:
/// // x = -3.63 + 0.41 X1R + 0.67 X2R + 0.7 X3R.
/// let basin = BurnedBasin { terrain: 0.5, fire: 0.4, soil: 0.2 };
/// let rain = RainDuration::Minutes15.accumulation(Speed::millimetres_per_hour(24.0));
/// let p = likelihood(Model::M1, RainDuration::Minutes15, &basin, rain).unwrap();
/// let x = -3.63 + 6.0 * (0.41 * 0.5 + 0.67 * 0.4 + 0.7 * 0.2);
/// assert!((p.to_fraction() - 1.0 / (1.0 + f64::exp(-x))).abs() < 1e-12);
/// ```
#[inline]
pub fn likelihood(
    model: Model,
    duration: RainDuration,
    basin: &BurnedBasin,
    rainfall: Length,
) -> Result<Ratio, HazardError> {
    let coefficients = coefficients(model, duration);
    let rain = RAIN.check(rainfall.to_millimetres())?;
    let x = coefficients.intercept + sensitivity(model, &coefficients, basin)? * rain;
    Ok(Ratio::fraction(logistic(x)))
}

/// The least rain, accumulated over the duration, at which a likelihood is reached.
///
/// `R = (ln(p / (1 - p)) - B) / (Ct T + Cf F + Cs S)` (the inverse of [`likelihood`], same
/// source); 0 where the model gives that likelihood without any rain.
///
/// Inputs: a basin in the terms of the model; `probability`, more than 0 and less than 1.
///
/// Output: a rainfall accumulation. A basin in which rain does not raise the likelihood has no
/// threshold and is refused.
///
/// Not to be used where [`likelihood`] is not.
///
/// ```
/// use lahar_core::measure::Ratio;
/// use lahar_hazards::postfire_debris_flow::staley_2017::*;
/// let basin = BurnedBasin { terrain: 0.5, fire: 0.4, soil: 0.2 };
/// let rain = threshold(Model::M1, RainDuration::Minutes15, &basin, Ratio::fraction(0.5)).unwrap();
/// // The logit of one half is zero.
/// assert!((rain.to_millimetres() - 3.63 / (0.41 * 0.5 + 0.67 * 0.4 + 0.7 * 0.2)).abs() < 1e-9);
/// ```
pub fn threshold(
    model: Model,
    duration: RainDuration,
    basin: &BurnedBasin,
    probability: Ratio,
) -> Result<Length, HazardError> {
    let p = PROBABILITY.check(probability.to_fraction())?;
    if p >= 1.0 {
        return Err(HazardError::OutsideRange {
            variable: "probability",
            found: p.to_string(),
            allowed: "more than 0 and less than 1".to_owned(),
            source_of_limit: SOURCE.to_string(),
        });
    }
    let coefficients = coefficients(model, duration);
    let slope = sensitivity(model, &coefficients, basin)?;
    if slope <= 0.0 {
        return Err(HazardError::Contradiction(format!(
            "no rainfall reaches a likelihood of {p}: terrain {}, fire {} and soil {} make the \
             likelihood of {model:?} fall or stay with rain",
            basin.terrain, basin.fire, basin.soil
        )));
    }
    let rain = ((p / (1.0 - p)).ln() - coefficients.intercept) / slope;
    Ok(Length::millimetres(rain.max(0.0)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_intensity_becomes_an_accumulation_over_its_own_duration() {
        let intensity = Speed::millimetres_per_hour(24.0);
        for (duration, expected) in RainDuration::ALL.into_iter().zip([6.0, 12.0, 24.0]) {
            let rain = duration.accumulation(intensity);
            assert!((rain.to_millimetres() - expected).abs() < 1e-12);
            assert!((duration.intensity(rain).si() - intensity.si()).abs() < 1e-18);
        }
        assert!(RainDuration::of(Span::minutes(20.0)).is_err());
    }

    #[test]
    fn values_that_cannot_be_are_refused_by_name() {
        let basin = BurnedBasin {
            terrain: 0.5,
            fire: 0.4,
            soil: 0.2,
        };
        let run = |basin: &BurnedBasin, rain: f64| {
            likelihood(
                Model::M1,
                RainDuration::Minutes15,
                basin,
                Length::millimetres(rain),
            )
        };
        let message = run(
            &BurnedBasin {
                terrain: 35.0,
                ..basin
            },
            6.0,
        )
        .unwrap_err()
        .to_string();
        assert!(
            message.contains("`terrain` is 35") && message.contains("10.1016"),
            "{message}"
        );
        // dNBR as maps carry it, not divided by 1000.
        assert!(
            run(
                &BurnedBasin {
                    fire: 400.0,
                    ..basin
                },
                6.0
            )
            .is_err()
        );
        assert!(
            run(
                &BurnedBasin {
                    soil: f64::NAN,
                    ..basin
                },
                6.0
            )
            .is_err()
        );
        assert!(run(&basin, -1.0).is_err());
        assert!(run(&basin, f64::INFINITY).is_err());
    }

    #[test]
    fn a_basin_that_rain_cannot_wake_has_no_threshold() {
        let bare = BurnedBasin {
            terrain: 0.0,
            fire: 0.0,
            soil: 0.0,
        };
        let half = Ratio::fraction(0.5);
        assert!(threshold(Model::M1, RainDuration::Minutes15, &bare, half).is_err());
        let basin = BurnedBasin { soil: 0.2, ..bare };
        let certain = Ratio::fraction(1.0);
        assert!(threshold(Model::M1, RainDuration::Minutes15, &basin, certain).is_err());
        // The likelihood without rain is above this already.
        let low = threshold(
            Model::M1,
            RainDuration::Minutes15,
            &basin,
            Ratio::fraction(0.001),
        );
        assert_eq!(low.unwrap().si(), 0.0);
    }

    fn any_model() -> impl Strategy<Value = (Model, RainDuration)> {
        (0usize..4, 0usize..3).prop_map(|(m, d)| (Model::ALL[m], RainDuration::ALL[d]))
    }

    proptest! {
        #[test]
        fn likelihood_rises_with_rain_and_severity_and_stays_a_probability(
            (model, duration) in any_model(),
            terrain in 0.0..1.0f64, fire in 0.0..1.0f64, soil in 0.0..1.0f64,
            rain in 0.0..60.0f64, more in 0.0..20.0f64,
        ) {
            let basin = BurnedBasin { terrain, fire, soil };
            let p = |basin: &BurnedBasin, rain: f64| {
                likelihood(model, duration, basin, Length::millimetres(rain)).unwrap().si()
            };
            let here = p(&basin, rain);
            prop_assert!((0.0..=1.0).contains(&here));
            prop_assert!(p(&basin, rain + more) >= here);
            let severer = BurnedBasin { fire: (fire + 0.1).min(1.0), ..basin };
            prop_assert!(p(&severer, rain) >= here);
        }

        #[test]
        fn the_threshold_is_the_inverse(
            (model, duration) in any_model(),
            terrain in 0.05..1.0f64, fire in 0.05..1.0f64, soil in 0.05..1.0f64,
            target in 0.06..0.95f64,
        ) {
            let basin = BurnedBasin { terrain, fire, soil };
            let rain = threshold(model, duration, &basin, Ratio::fraction(target)).unwrap();
            let p = likelihood(model, duration, &basin, rain).unwrap();
            prop_assert!((p.si() - target).abs() < 1e-9);
        }
    }
}
