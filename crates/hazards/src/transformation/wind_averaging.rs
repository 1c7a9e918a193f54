//! Winds of one averaging period from winds of another, with the registration of it.

use lahar_core::capability::{Citation, Port};
use lahar_core::measure::Speed;

use super::registered::{loss, transformation};
use crate::error::{HazardError, Limit};
use crate::registry::Registration;
use crate::registry::run::Output;

/// The publication.
pub const SOURCE: Citation = Citation {
    authors: "Harper, Kepert & Ginger",
    year: 2010,
    doi: "WMO/TD-No. 1555",
    place: "table 1.1, gusts of 3 seconds",
};

/// The ground that the wind blows over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exposure {
    /// Roughly open land.
    InLand,
    /// From land out to sea, near a coast.
    OffLand,
    /// From the sea onto land, near a coast.
    OffSea,
    /// Open sea.
    AtSea,
}

/// What a wind is the average or the extreme of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Period {
    /// The highest gust of three seconds within the period of the mean that it is compared with.
    Gust,
    /// A mean over 1 minute.
    Minute,
    /// A mean over 2 minutes.
    TwoMinutes,
    /// A mean over 3 minutes.
    ThreeMinutes,
    /// A mean over 10 minutes.
    TenMinutes,
    /// A mean over 1 hour.
    Hour,
}

const SPEED: Limit = Limit::new("wind_speed", "m/s", 0.0, 150.0, SOURCE);

/// A gust over the mean that it stands out of, by period of the mean.
fn gust_factor(period: Period, exposure: Exposure) -> Option<f64> {
    let row = match period {
        Period::Gust => return Some(1.0),
        Period::Minute => [1.49, 1.36, 1.23, 1.11],
        Period::TwoMinutes => [1.55, 1.42, 1.28, 1.15],
        Period::ThreeMinutes => [1.58, 1.44, 1.31, 1.17],
        Period::TenMinutes => [1.66, 1.52, 1.38, 1.23],
        // The factor for the hour at sea is not confirmed.
        Period::Hour => [1.75, 1.60, 1.45, f64::NAN],
    };
    Some(row[exposure as usize]).filter(|factor| !factor.is_nan())
}

/// The highest gust of three seconds from a mean wind, or the mean from the gust.
///
/// `gust = G mean`, G by the period of the mean and the ground (Harper, Kepert and Ginger 2010,
/// WMO/TD-No. 1555, table 1.1). Inputs: a wind at 10 m in a tropical cyclone. Output: a wind.
///
/// From one mean to another nothing is converted: a mean over a long time is not larger or smaller
/// than one over a short time, only the highest of several short ones is, and the factors for
/// those are not confirmed here.
///
/// Loss: the scatter of gusts, which the factors leave out.
///
/// ```
/// use lahar_core::measure::Speed;
/// use lahar_hazards::transformation::wind_averaging::*;
/// let mean = Speed::metres_per_second(40.0);
/// let gust = convert(mean, Period::TenMinutes, Period::Gust, Exposure::InLand).unwrap();
/// assert!((gust.to_metres_per_second() - 66.4).abs() < 1e-9);
/// assert!(convert(mean, Period::TenMinutes, Period::Minute, Exposure::AtSea).is_err());
/// ```
pub fn convert(
    wind: Speed,
    from: Period,
    to: Period,
    exposure: Exposure,
) -> Result<Speed, HazardError> {
    let speed = SPEED.check(wind.to_metres_per_second())?;
    if from == to {
        return Ok(wind);
    }
    let unconfirmed = HazardError::Unavailable {
        capability: "wind-averaging-conversion between these two",
        reason: "coefficients not verified; only gusts of three seconds and their means are",
    };
    let factor = match (from, to) {
        (Period::Gust, mean) => gust_factor(mean, exposure).map(|factor| 1.0 / factor),
        (mean, Period::Gust) => gust_factor(mean, exposure),
        _ => None,
    };
    let factor = factor.ok_or(unconfirmed)?;
    Ok(Speed::metres_per_second(speed * factor))
}

const PERIODS: &[&str] = &[
    "gust_3_seconds",
    "mean_1_minute",
    "mean_2_minutes",
    "mean_3_minutes",
    "mean_10_minutes",
    "mean_1_hour",
];
const EXPOSURES: &[&str] = &["in_land", "off_land", "off_sea", "at_sea"];

fn period(word: &str) -> Period {
    match word {
        "mean_1_minute" => Period::Minute,
        "mean_2_minutes" => Period::TwoMinutes,
        "mean_3_minutes" => Period::ThreeMinutes,
        "mean_10_minutes" => Period::TenMinutes,
        "mean_1_hour" => Period::Hour,
        _ => Period::Gust,
    }
}

fn exposure(word: &str) -> Exposure {
    match word {
        "off_land" => Exposure::OffLand,
        "off_sea" => Exposure::OffSea,
        "at_sea" => Exposure::AtSea,
        _ => Exposure::InLand,
    }
}

pub(super) const CONVERT: Registration = Registration {
    capability: lahar_core::capability::Capability {
        citation: SOURCE,
        ..transformation(
            "wind-averaging-conversion",
            "The gust of three seconds from a mean wind 10 m above ground, or the mean from the gust.",
            &[
                Port::number("wind_speed", "wind 10 m above ground", "m/s", 0.0, 150.0),
                Port::label("from", "what the wind is", PERIODS),
                Port::label("to", "what is wanted", PERIODS),
                Port::label("exposure", "the ground it blows over", EXPOSURES),
            ],
            &[Port::number(
                "result",
                "the wind that is wanted",
                "m/s",
                0.0,
                300.0,
            )],
            &[loss(
                "the scatter of gusts; made for tropical cyclones; means of two periods are not converted into each other",
            )],
            &["reproduces_harper_2010_gust_factors"],
        )
    },
    evaluate: |a| {
        let wind = Speed::metres_per_second(a.number("wind_speed"));
        let (from, to) = (period(a.word("from")), period(a.word("to")));
        let found = convert(wind, from, to, exposure(a.word("exposure")))?;
        Ok(vec![Output::Number(found.to_metres_per_second())])
    },
};
