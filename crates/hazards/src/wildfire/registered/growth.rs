//! Registrations of fires that grow over ground.

use lahar_core::capability::{
    Capability, CapabilityKind, Citation, Condition, Cost, Port, Requirement, Strictness, Support,
};

use super::{SURFACE, condition, formula};
use crate::error::HazardError;
use crate::registry::Registration;
use crate::registry::arguments::Arguments;
use crate::registry::run::Output;
use crate::wildfire::ellipse::{self, Ellipse};
use crate::wildfire::ensemble::{self, Doubt};
use crate::wildfire::landscape::{Field, Landscape, Period, Weather};
use crate::wildfire::rothermel::Moisture;
use crate::wildfire::spread::Growth;
use crate::wildfire::wind::{TURNER_LAWSON_1978, WindHeight};
use crate::wildfire::{level_set, minimum_travel_time};

const INF: f64 = f64::INFINITY;
/// Metres a minute in a kilometre an hour.
const KILOMETRES_AN_HOUR: f64 = 1000.0 / 60.0;

pub(super) const ELEVATION: Port = Port::grid("elevation", "elevation of the ground", "m");
const FUEL: Port = Port::grid("fuel_model", "numbers of standard fuel models", "1");
const WIND_SPEED: Port = Port::number("wind_speed", "the same everywhere", "km/h", 0.0, 300.0);
pub(super) const WIND_FROM: Port =
    Port::number("wind_from", "where it comes from", "deg", 0.0, 360.0);
const WIND_HEIGHT: Port = Port::label(
    "wind_height",
    "height above the vegetation at which the wind was measured",
    WindHeight::WORDS,
);
const DURATION: Port = Port::number("duration", "how long it burns", "min", 0.0, 1e6);
pub(super) const START_X: Port =
    Port::number("start_x", "where it starts, to the east", "m", -INF, INF);
pub(super) const START_Y: Port =
    Port::number("start_y", "where it starts, to the north", "m", -INF, INF);
pub(super) const START: Port = Port::grid("start", "cells that burn at first, other than 0", "1");
pub(super) const BARRIERS: Port =
    Port::grid("barriers", "cells that nothing passes, other than 0", "1");

const INPUTS: &[Port] = &[
    ELEVATION,
    FUEL,
    WIND_SPEED.optional(),
    WIND_FROM.optional(),
    Port::series("wind_speed_series", "along time instead", "km/h").optional(),
    Port::series("wind_from_series", "along time instead", "deg").optional(),
    Port::grid("wind_speed_grid", "over the ground instead", "km/h").optional(),
    Port::grid("wind_from_grid", "over the ground instead", "deg").optional(),
    WIND_HEIGHT,
    Port::number("moisture_1h", "dead fuel of an hour", "1", 0.0, 1.0),
    Port::number("moisture_10h", "dead fuel of ten hours", "1", 0.0, 1.0),
    Port::number(
        "moisture_100h",
        "dead fuel of a hundred hours",
        "1",
        0.0,
        1.0,
    ),
    Port::number("moisture_herbs", "live herbs", "1", 0.0, 5.0),
    Port::number("moisture_wood", "live wood", "1", 0.0, 5.0),
    Port::grid("moisture_1h_grid", "over the ground instead", "1").optional(),
    Port::grid("canopy_height", "height of the trees", "m").optional(),
    Port::grid("canopy_cover", "share of the ground under trees", "1").optional(),
    BARRIERS.optional(),
    START_X.optional(),
    START_Y.optional(),
    START.optional(),
    DURATION,
    Port::number(
        "perimeter_step",
        "minutes between outlines",
        "min",
        0.0,
        1e6,
    )
    .optional(),
];

const OUTPUTS: &[Port] = &[
    Port::grid("arrival", "minutes until the fire comes", "min"),
    Port::grid("burned", "1 where it came", "1"),
    Port::grid("rate_of_spread", "of the front, along the ground", "m/min").uncertain(
        "observed rates lie within a factor of two of Rothermel's, about half of the time",
    ),
    Port::grid("intensity", "of the front", "kW/m"),
    Port::grid("flame_length", "of the front", "m"),
    Port::features(
        "perimeters",
        "outlines of what had burned, with minutes and area",
    ),
    Port::number("burned_area", "seen from above", "ha", 0.0, INF)
        .over(Support::Event, Support::Event),
];

const EVEN: Condition = condition(
    "cell_size",
    Requirement::Stated,
    "fuel, slope and wind are even within a cell; barriers narrower than a cell are not seen, and \
     no ember flies over one",
    Strictness::Advisory,
    minimum_travel_time::FINNEY_2002,
);
const HEIGHT: Condition = condition(
    "wind_height",
    Requirement::OneOf(WindHeight::WORDS),
    "the height at which the wind was measured is known; ten metres is turned into twenty feet",
    Strictness::Strict,
    TURNER_LAWSON_1978,
);

const fn growth(
    name: &'static str,
    function: &'static str,
    citation: Citation,
    evaluate: fn(&Arguments<'_>) -> Result<Vec<Output>, HazardError>,
) -> Registration {
    Registration {
        capability: Capability {
            kind: CapabilityKind::NumericalModel,
            cost: Cost {
                nanoseconds: 1000.0,
                per: "burned cell",
            },
            validation: &["even_fuel_in_wind_burns_in_the_ellipse_whichever_way_the_grid_lies"],
            ..formula(
                name,
                function,
                INPUTS,
                OUTPUTS,
                &[SURFACE, EVEN, HEIGHT],
                citation,
            )
        },
        evaluate,
    }
}

pub(super) const WAYS: Registration = growth(
    "minimum-travel-time-fire-growth",
    "When a fire comes to each cell, by the quickest ways over fuel, slope and wind.",
    minimum_travel_time::FINNEY_2002,
    |a| {
        grown(a, |land, periods, starts, minutes| {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            minimum_travel_time::grow(land, periods, starts, minutes, threads)
        })
    },
);

pub(super) const LEVEL: Registration = growth(
    "level-set-fire-growth",
    "When a fire comes to each cell, as the zero of a function that wind and slope carry outward.",
    level_set::LAUTENBERGER_2013,
    |a| grown(a, level_set::grow),
);

fn landscape(a: &Arguments<'_>) -> Result<Landscape, HazardError> {
    let mut land = Landscape::new(a.grid("elevation")?, a.grid("fuel_model")?)?;
    land = match (
        a.optional_grid("canopy_height"),
        a.optional_grid("canopy_cover"),
    ) {
        (Some(height), Some(cover)) => land.with_canopy(height, cover)?,
        (None, None) => land,
        _ => {
            return Err(HazardError::Contradiction(
                "of canopy_height and canopy_cover only one is given; give both, or neither"
                    .to_owned(),
            ));
        }
    };
    match a.optional_grid("barriers") {
        Some(barriers) => land.with_barriers(barriers),
        None => Ok(land),
    }
}

pub(super) fn starts(a: &Arguments<'_>, land: &Landscape) -> Result<Vec<usize>, HazardError> {
    let mut starts = Vec::new();
    match (a.optional("start_x"), a.optional("start_y")) {
        (Some(x), Some(y)) => starts.push(land.cell_at(x, y)?),
        (None, None) => {}
        _ => {
            return Err(HazardError::Contradiction(
                "of start_x and start_y only one is given".to_owned(),
            ));
        }
    }
    if let Some(grid) = a.optional_grid("start") {
        land.elevation().check_aligned(grid)?;
        let burning = |(_, value): &(usize, &f64)| !value.is_nan() && **value != 0.0;
        starts.extend(
            grid.values()
                .iter()
                .enumerate()
                .filter(burning)
                .map(|(cell, _)| cell),
        );
    }
    land.check_starts(&starts)?;
    Ok(starts)
}

/// Values along time; a gap is an error that says where it is.
fn along(a: &Arguments<'_>, port: &'static str) -> Result<Option<(Vec<f64>, f64)>, HazardError> {
    let (values, step) = a.series(port);
    if values.is_empty() {
        return Ok(None);
    }
    if !(step > 0.0 && step.is_finite()) {
        return Err(HazardError::Contradiction(format!(
            "the step of {port} is {step} s; steps of time must be above zero"
        )));
    }
    match values.iter().position(|value| !value.is_finite()) {
        Some(at) => Err(HazardError::Contradiction(format!(
            "{port} has a gap: value {at}, {} min after the start, is missing; fill it first",
            at as f64 * step / 60.0
        ))),
        None => Ok(Some((values.to_vec(), step / 60.0))),
    }
}

fn periods(a: &Arguments<'_>, land: &Landscape) -> Result<Vec<Period>, HazardError> {
    let moisture = Moisture {
        one_hour: a.number("moisture_1h"),
        ten_hours: a.number("moisture_10h"),
        hundred_hours: a.number("moisture_100h"),
        herbs: a.number("moisture_herbs"),
        wood: a.number("moisture_wood"),
    };
    let word = a.word("wind_height");
    let wind_height = WindHeight::of(word).ok_or_else(|| HazardError::UnknownWord {
        variable: "wind_height",
        found: word.to_owned(),
        allowed: WindHeight::WORDS.join(", "),
    })?;
    let field = |name: &'static str, grid: &'static str, factor: f64, series: bool| {
        let (number, cells) = (a.optional(name), a.optional_grid(grid));
        match (number, cells, series) {
            (Some(value), None, false) => Ok(Some(Field::Uniform(value * factor))),
            (None, Some(cells), false) => {
                land.elevation().check_aligned(cells)?;
                Ok(Some(Field::Cells(cells.map(|value| value * factor))))
            }
            (None, None, true) => Ok(None),
            (None, None, false) => Err(HazardError::Contradiction(format!(
                "nothing gives {name}; give a number, a series or a grid"
            ))),
            _ => Err(HazardError::Contradiction(format!(
                "{name} is given more than once; give a number, a series or a grid"
            ))),
        }
    };
    let speeds = along(a, "wind_speed_series")?;
    let froms = along(a, "wind_from_series")?;
    let speed = field(
        "wind_speed",
        "wind_speed_grid",
        KILOMETRES_AN_HOUR,
        speeds.is_some(),
    )?;
    let from = field("wind_from", "wind_from_grid", 1.0, froms.is_some())?;
    let (count, step) = match (&speeds, &froms) {
        (Some((a, step)), Some((b, other))) if a.len() != b.len() || step != other => {
            return Err(HazardError::Contradiction(format!(
                "the wind's speed has {} values at steps of {step} min, its direction {} of {other} \
                 min; they must go together",
                a.len(),
                b.len()
            )));
        }
        (Some((values, step)), _) | (None, Some((values, step))) => (values.len(), *step),
        (None, None) => (1, 0.0),
    };
    let at =
        |series: &Option<(Vec<f64>, f64)>, fixed: &Option<Field>, at: usize, factor: f64| match (
            series, fixed,
        ) {
            (Some((values, _)), _) => Field::Uniform(values[at] * factor),
            (None, Some(field)) => field.clone(),
            (None, None) => Field::Uniform(f64::NAN),
        };
    let one_hour = a.optional_grid("moisture_1h_grid");
    Ok((0..count)
        .map(|period| Period {
            start: period as f64 * step,
            weather: Weather {
                wind_speed: at(&speeds, &speed, period, KILOMETRES_AN_HOUR),
                wind_from: at(&froms, &from, period, 1.0),
                wind_height,
                moisture,
                one_hour: one_hour.cloned(),
            },
        })
        .collect())
}

fn grown(
    a: &Arguments<'_>,
    grow: impl Fn(&Landscape, &[Period], &[usize], f64) -> Result<Growth, HazardError>,
) -> Result<Vec<Output>, HazardError> {
    let land = landscape(a)?;
    let (periods, starts) = (periods(a, &land)?, starts(a, &land)?);
    let minutes = a.number("duration");
    let fire = grow(&land, &periods, &starts, minutes)?;
    let behaviour = fire.behaviour(&land, &periods)?;
    let times: Vec<f64> = match a.optional("perimeter_step") {
        None => vec![minutes],
        Some(step) if step > 0.0 && minutes / step <= 1000.0 => {
            let count = (minutes / step).floor() as usize;
            (1..=count).map(|at| at as f64 * step).collect()
        }
        Some(step) => {
            return Err(HazardError::OutsideRange {
                variable: "perimeter_step",
                found: format!("{step} min"),
                allowed: "above 0 min, and at most a thousand of them in the duration".to_owned(),
                source_of_limit: "outlines need time between them".to_owned(),
            });
        }
    };
    Ok(vec![
        Output::Layer(fire.arrival(&land)?),
        Output::Layer(fire.burned(&land)?),
        Output::Layer(behaviour.rate),
        Output::Layer(behaviour.intensity),
        Output::Layer(behaviour.flame_length),
        Output::Features(fire.perimeters(&land, &times)?),
        Output::Number(fire.area(&land) / 1e4),
    ])
}

pub(super) const ELLIPSE: Registration = Registration {
    capability: Capability {
        validation: &["passage_times_are_distance_over_the_rate_in_each_direction"],
        ..formula(
            "elliptical-fire-spread",
            "Rates to all sides, area and perimeter of a fire from a point in even fuel and wind.",
            &[
                Port::number("head_rate", "rate of spread at the head", "m/min", 0.0, 1e4),
                Port::number(
                    "midflame_wind",
                    "effective, at half the flame's height",
                    "m/min",
                    0.0,
                    1e4,
                ),
                Port::number("angle", "from the head", "deg", 0.0, 360.0).or(0.0),
                Port::number("duration", "since it began", "min", 0.0, 1e6).or(60.0),
            ],
            &[
                Port::number(
                    "rate",
                    "at the angle, from where it began",
                    "m/min",
                    0.0,
                    INF,
                ),
                Port::number("flank_rate", "half the breadth a minute", "m/min", 0.0, INF),
                Port::number("back_rate", "at the back", "m/min", 0.0, INF),
                Port::number("length_to_breadth", "of the ellipse", "1", 1.0, 8.0),
                Port::number("area", "after the duration", "m2", 0.0, INF),
                Port::number("perimeter", "after the duration", "m", 0.0, INF),
            ],
            &[
                SURFACE,
                condition(
                    "uniformity",
                    Requirement::OneOf(&["even"]),
                    "one fuel, slope and wind, steady since the fire began at a point",
                    Strictness::Advisory,
                    ellipse::ANDERSON_1983,
                ),
            ],
            ellipse::ANDERSON_1983,
        )
    },
    evaluate: |a| {
        let ratio = ellipse::length_to_breadth(a.number("midflame_wind"))?;
        let fire = Ellipse::new(a.number("head_rate"), ratio)?;
        let (area, perimeter) = fire.after(a.number("duration"))?;
        let rate = fire.rate_at(a.number("angle"));
        let all = [rate, fire.flank(), fire.back(), ratio, area, perimeter];
        Ok(all.map(Output::Number).to_vec())
    },
};

pub(super) const PROBABILITY: Port =
    Port::grid("burn_probability", "share of the fires that came", "1")
        .uncertain("standard error at most 0.5 over the root of the number of fires");

const MEAN_ARRIVAL: Port = Port::grid("mean_arrival", "of the fires that came", "min");

/// All of a fire's inputs but the step between outlines, and how many fires.
const ENSEMBLE_INPUTS: &[Port] = &with_samples();

const fn with_samples() -> [Port; INPUTS.len()] {
    let mut ports = [ELEVATION; INPUTS.len()];
    let mut at = 0;
    while at < INPUTS.len() - 1 {
        ports[at] = INPUTS[at];
        at += 1;
    }
    ports[at] = Port::number("samples", "how many fires", "1", 1.0, 1e5).or(100.0);
    ports
}

pub(super) const ENSEMBLE: Registration = Registration {
    capability: Capability {
        kind: CapabilityKind::NumericalModel,
        cost: Cost {
            nanoseconds: 1000.0,
            per: "burned cell and fire",
        },
        validation: &["an_ensemble_without_doubt_is_its_fire"],
        ..formula(
            "burn-probability-ensemble",
            "Share of many fires, each in a wind and moisture drawn about those given, that come to \
             a cell.",
            ENSEMBLE_INPUTS,
            &[PROBABILITY, MEAN_ARRIVAL],
            &[SURFACE, EVEN, HEIGHT],
            ensemble::FINNEY_2011,
        )
    },
    evaluate: |a| {
        let land = landscape(a)?;
        let (periods, starts) = (periods(a, &land)?, starts(a, &land)?);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let samples = a.number("samples").round() as usize;
        let found = ensemble::burn_probability(
            &land,
            &periods,
            &starts,
            a.number("duration"),
            &Doubt::default(),
            crate::uncertainty::Sampling {
                samples,
                threads,
                ..Default::default()
            },
        )?;
        Ok(vec![
            Output::Layer(found.probability),
            Output::Layer(found.mean_arrival),
        ])
    },
};
