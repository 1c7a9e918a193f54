//! Registrations of what burns tomorrow: two baselines, and a logistic model.

use lahar_core::capability::{
    Capability, CapabilityKind, Condition, Port, Requirement, Strictness,
};

use super::growth::{ELEVATION, WIND_FROM};
use super::{INF, condition, formula};
use crate::error::HazardError;
use crate::registry::Registration;
use crate::registry::run::Output;
use crate::wildfire::next_day;

const TODAY: Port = Port::grid("burning", "cells that burn today, other than 0", "1");
const FRESH: Condition = condition(
    "detection_age",
    Requirement::Between {
        lowest: 0.0,
        highest: 24.0,
        unit: "h",
    },
    "the last detection is at most a day old",
    Strictness::Strict,
    next_day::HUOT_2022,
);

pub(super) const PERSISTENCE: Registration = Registration {
    capability: Capability {
        validation: &["tomorrow_burns_what_burns_today_and_a_rim_about_it"],
        ..formula(
            "fire-persistence-baseline",
            "The cells that burn today burn tomorrow.",
            &[TODAY],
            &[Port::grid("burning_tomorrow", "1 where it burns", "1")],
            &[FRESH],
            next_day::HUOT_2022,
        )
    },
    evaluate: |a| {
        Ok(vec![Output::Layer(next_day::persistence(
            a.grid("burning")?,
        )?)])
    },
};

pub(super) const DILATION: Registration = Registration {
    capability: Capability {
        validation: &["tomorrow_burns_what_burns_today_and_a_rim_about_it"],
        ..formula(
            "fire-dilation-baseline",
            "The cells that burn today, and all within the distance that fire runs, burn tomorrow.",
            &[
                TODAY,
                Port::number("head_rate", "of the front", "m/min", 0.0, 1e3),
                Port::number("duration", "for which it runs", "min", 0.0, 1e5).or(1440.0),
            ],
            &[Port::grid("burning_tomorrow", "1 where it burns", "1")],
            &[FRESH],
            next_day::HUOT_2022,
        )
    },
    evaluate: |a| {
        let distance = a.number("head_rate") * a.number("duration");
        let grid = next_day::dilation(a.grid("burning")?, distance)?;
        Ok(vec![Output::Layer(grid)])
    },
};

pub(super) const LOGISTIC: Registration = Registration {
    capability: Capability {
        kind: CapabilityKind::LearnedModel,
        validation: &["a_logistic_model_learns_the_direction_of_the_wind"],
        ..formula(
            "logistic-next-day-spread",
            "Probability that a cell burns tomorrow, by a logistic model trained on the detections \
             that are given.",
            &[
                Port::features(
                    "detections",
                    "points with `acq_date` (YYYY-MM-DD), in the system of the grid, or in degrees",
                ),
                ELEVATION,
                Port::number("wind_speed", "of tomorrow", "m/s", 0.0, 80.0),
                WIND_FROM,
            ],
            &[
                Port::grid("burn_probability", "that it burns tomorrow", "1"),
                Port::number("training_cells", "cells it learned from", "1", 0.0, INF),
                Port::number("training_brier_score", "of those cells", "1", 0.0, 1.0),
            ],
            &[
                FRESH,
                condition(
                    "place",
                    Requirement::OneOf(&["same_fire"]),
                    "trained on the days of this fire; elsewhere it says nothing",
                    Strictness::Advisory,
                    next_day::HUOT_2022,
                ),
            ],
            next_day::HUOT_2022,
        )
    },
    evaluate: |a| {
        let elevation = a.grid("elevation")?;
        let days = next_day::days(a.features("detections")?, elevation)?;
        let wind = (a.number("wind_speed"), a.number("wind_from"));
        let model = next_day::Logistic::train(&days, elevation, wind)?;
        let last = days.last().ok_or_else(|| {
            HazardError::Contradiction("there are no detections on the grid".to_owned())
        })?;
        let probability = model.predict(&last.burning, elevation, wind)?;
        Ok(vec![
            Output::Layer(probability),
            Output::Number(model.cells as f64),
            Output::Number(model.brier_score),
        ])
    },
};
