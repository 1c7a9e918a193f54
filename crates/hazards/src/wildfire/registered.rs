//! Registrations of the wildfire models: ports, conditions in our words, validation.

use lahar_core::capability::{
    Availability, Capability, CapabilityKind, Citation, Condition, Cost, Port, Requirement,
    Strictness, Support,
};

use crate::error::HazardError;
use crate::registry::Registration;
use crate::registry::arguments::Arguments;
use crate::registry::run::Output;

use super::fire_behaviour_prediction::{self as fbp, FuelType, Setting, Stand};
use super::fire_weather_index::{self as fwi, Codes, Noon, WindFunction};
use super::fuel_models::FuelModel;
use super::rothermel::{self, FuelBed, Moisture};

mod automaton;
mod growth;
mod next_day;

const TRACK: &str = "wildfire";
const INF: f64 = f64::INFINITY;

const fn formula(
    name: &'static str,
    function: &'static str,
    inputs: &'static [Port],
    outputs: &'static [Port],
    conditions: &'static [Condition],
    citation: Citation,
) -> Capability {
    Capability {
        name,
        function,
        kind: CapabilityKind::Formula,
        track: TRACK,
        inputs,
        outputs,
        conditions,
        cost: Cost {
            nanoseconds: 500.0,
            per: "cell",
        },
        version: "1",
        validation: &["oracles"],
        availability: Availability::Available,
        citation,
    }
}

const fn condition(
    variable: &'static str,
    requirement: Requirement,
    reading: &'static str,
    strictness: Strictness,
    citation: Citation,
) -> Condition {
    Condition {
        variable,
        requirement,
        reading,
        strictness,
        citation,
    }
}

const NOON: Condition = condition(
    "observation_time",
    Requirement::OneOf(&["noon"]),
    "weather at noon, local standard time, day after day",
    Strictness::Advisory,
    fwi::VAN_WAGNER_1987,
);

const WEATHER_INDEX: Registration = Registration {
    capability: formula(
        "fire-weather-index-day",
        "The codes and indices of the Canadian Fire Weather Index System after a day.",
        &[
            Port::number("temperature", "air at noon", "degC", -60.0, 60.0),
            Port::number("relative_humidity", "at noon", "%", 0.0, 100.0),
            Port::number(
                "wind_speed",
                "at 10 m, mean of ten minutes",
                "km/h",
                0.0,
                300.0,
            ),
            Port::number("rainfall", "of the last 24 hours", "mm", 0.0, 2000.0),
            Port::number("month", "1 to 12", "1", 1.0, 12.0),
            Port::number("latitude", "north of the equator", "deg", -90.0, 90.0),
            Port::number("ffmc_before", "fine fuel moisture code", "1", 0.0, 101.0).or(85.0),
            Port::number("dmc_before", "duff moisture code", "1", 0.0, 5000.0).or(6.0),
            Port::number("dc_before", "drought code", "1", 0.0, 20_000.0).or(15.0),
        ],
        &[
            Port::number("ffmc", "fine fuel moisture code", "1", 0.0, 101.0),
            Port::number("dmc", "duff moisture code", "1", 0.0, INF),
            Port::number("dc", "drought code", "1", 0.0, INF),
            Port::number("isi", "initial spread index", "1", 0.0, INF),
            Port::number("bui", "buildup index", "1", 0.0, INF),
            Port::number("fwi", "fire weather index", "1", 0.0, INF),
            Port::number("dsr", "daily severity rating", "1", 0.0, INF),
        ],
        &[NOON],
        fwi::VAN_WAGNER_1987,
    ),
    evaluate: |a| {
        let before = Codes {
            fine: a.number("ffmc_before"),
            duff: a.number("dmc_before"),
            drought: a.number("dc_before"),
        };
        let noon = Noon {
            temperature: a.number("temperature"),
            humidity: a.number("relative_humidity"),
            wind: a.number("wind_speed"),
            rain: a.number("rainfall"),
        };
        let month = a.number("month").round() as u32;
        let codes = before.after(&noon, month, a.number("latitude"))?;
        let isi = fwi::initial_spread_index(codes.fine, noon.wind, WindFunction::Plain)?;
        let bui = fwi::buildup_index(codes.duff, codes.drought)?;
        let index = fwi::fire_weather_index(isi, bui)?;
        let severity = fwi::daily_severity_rating(index);
        let all = [
            codes.fine,
            codes.duff,
            codes.drought,
            isi,
            bui,
            index,
            severity,
        ];
        Ok(all.map(Output::Number).to_vec())
    },
};

const FUEL_TYPES: &[&str] = &[
    "C-1", "C-2", "C-3", "C-4", "C-5", "C-6", "C-7", "D-1", "M-1", "M-2", "M-3", "M-4", "O-1a",
    "O-1b", "S-1", "S-2", "S-3",
];
const WIND_FROM: Port = Port::number("wind_from", "where the wind comes from", "deg", 0.0, 360.0);
const ASPECT: Port = Port::number("aspect", "where the slope faces", "deg", 0.0, 360.0).or(0.0);
const HEAD_RATE: Port = Port::number("head_rate", "rate of spread at the head", "m/min", 0.0, INF)
    .over(Support::Cell, Support::Instant);
const INTENSITY: Port = Port::number("intensity", "intensity at the head", "kW/m", 0.0, INF)
    .over(Support::Cell, Support::Instant);

const BEHAVIOUR: Registration = Registration {
    capability: formula(
        "fire-behaviour-prediction",
        "Rate, intensity and crown involvement of a fire in a benchmark fuel type of Canada.",
        &[
            Port::label("fuel_type", "benchmark fuel type", FUEL_TYPES),
            Port::number("ffmc", "fine fuel moisture code", "1", 0.0, 101.0),
            Port::number("bui", "buildup index", "1", 0.0, 1e4),
            Port::number("wind_speed", "at 10 m", "km/h", 0.0, 300.0),
            WIND_FROM,
            Port::number("slope", "of the ground", "%", 0.0, 1000.0).or(0.0),
            ASPECT,
            Port::number("foliar_moisture", "of the needles", "%", 50.0, 250.0).or(100.0),
            Port::number("minutes", "since the fire began", "min", 0.0, 1e5).or(60.0),
            Port::number("conifer_share", "in mixed wood", "%", 0.0, 100.0).or(50.0),
            Port::number("dead_fir_share", "of the stand", "%", 0.0, 100.0).or(35.0),
            Port::number("cured_share", "of the grass", "%", 0.0, 100.0).or(80.0),
            Port::number("grass_load", "dry weight", "kg/m2", 0.0, 10.0).or(0.35),
        ],
        &[
            HEAD_RATE,
            INTENSITY,
            Port::number("crown_fraction_burned", "share of the crown", "1", 0.0, 1.0),
            Port::number("fuel_consumed", "crown and surface", "kg/m2", 0.0, INF),
            Port::number("flank_rate", "rate at the flank", "m/min", 0.0, INF),
            Port::number("back_rate", "rate at the back", "m/min", 0.0, INF),
            Port::number("direction", "where it runs", "deg", 0.0, 360.0),
            Port::number("head_distance", "run since it began", "m", 0.0, INF),
        ],
        &[condition(
            "region",
            Requirement::OneOf(&["canada"]),
            "fitted on fires in benchmark stands of Canada; other stands only where a person has \
             likened them to one",
            Strictness::Advisory,
            fbp::FCFDG_1992,
        )],
        fbp::FCFDG_1992,
    ),
    evaluate: |a| {
        let fuel: FuelType = a.word("fuel_type").parse()?;
        let stand = Stand {
            conifer: a.number("conifer_share"),
            dead_fir: a.number("dead_fir_share"),
            cured: a.number("cured_share"),
            grass_load: a.number("grass_load"),
            ..Stand::benchmark(fuel)
        };
        let setting = Setting {
            fine: a.number("ffmc"),
            buildup: a.number("bui"),
            wind: a.number("wind_speed"),
            wind_towards: a.number("wind_from") + 180.0,
            slope: a.number("slope"),
            upslope: a.number("aspect") + 180.0,
            foliar_moisture: a.number("foliar_moisture"),
            minutes: a.number("minutes"),
        };
        let fire = fbp::predict(&stand, &setting)?;
        let towards = fire.wind.towards.to_degrees().rem_euclid(360.0);
        let all = [
            fire.head.rate,
            fire.head.intensity,
            fire.head.crown_fraction,
            fire.head.fuel,
            fire.flank.rate,
            fire.back.rate,
            towards,
            fire.head.distance,
        ];
        Ok(all.map(Output::Number).to_vec())
    },
};

const SURFACE: Condition = condition(
    "fire_type",
    Requirement::NoneOf(&["crown", "plume_dominated", "spotting", "ground"]),
    "steady fire in surface fuel; no crowns, no spotting, no plume that draws in its own wind",
    Strictness::Strict,
    rothermel::ANDREWS_2018,
);

const ROTHERMEL: Registration = Registration {
    capability: formula(
        "rothermel-surface-spread",
        "Rate, intensity and flame length of a surface fire in a standard fuel model.",
        &[
            Port::number(
                "fuel_model",
                "number of the standard model",
                "1",
                1.0,
                204.0,
            ),
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
            Port::number(
                "midflame_wind",
                "at half the flame's height",
                "m/min",
                0.0,
                1e4,
            ),
            WIND_FROM,
            Port::number("slope", "rise over run", "1", 0.0, 20.0).or(0.0),
            ASPECT,
        ],
        &[
            HEAD_RATE,
            INTENSITY,
            Port::number("flame_length", "at the head", "m", 0.0, INF),
            Port::number("direction", "where it runs", "deg", 0.0, 360.0),
            Port::number("effective_wind", "wind and slope as one", "m/min", 0.0, INF),
            Port::number("length_to_width", "of the ellipse", "1", 1.0, 8.0),
        ],
        &[SURFACE],
        rothermel::ROTHERMEL_1972,
    ),
    evaluate: |a| {
        let fire = surface_fire(a)?;
        let all = [
            fire.rate,
            fire.intensity,
            fire.flame_length,
            fire.towards,
            fire.effective_wind,
            fire.length_to_width,
        ];
        Ok(all.map(Output::Number).to_vec())
    },
};

fn surface_fire(a: &Arguments<'_>) -> Result<rothermel::Spread, HazardError> {
    let number = a.number("fuel_model");
    if number.fract() != 0.0 {
        return Err(HazardError::Contradiction(format!(
            "{number} is no fuel model; models have whole numbers"
        )));
    }
    let moisture = Moisture {
        one_hour: a.number("moisture_1h"),
        ten_hours: a.number("moisture_10h"),
        hundred_hours: a.number("moisture_100h"),
        herbs: a.number("moisture_herbs"),
        wood: a.number("moisture_wood"),
    };
    let bed = FuelBed::new(FuelModel::of(number as u16)?, &moisture)?;
    bed.spread(
        (a.number("midflame_wind"), a.number("wind_from")),
        (a.number("slope"), a.number("aspect")),
        true,
    )
}

const MIDFLAME: Registration = Registration {
    capability: Capability {
        kind: CapabilityKind::Transformation,
        ..formula(
            "midflame-wind",
            "Wind at half the flame's height from the wind 20 feet above the vegetation.",
            &[
                Port::number(
                    "wind_speed",
                    "20 ft above the vegetation",
                    "m/min",
                    0.0,
                    1e4,
                ),
                Port::number("fuel_bed_depth", "depth of the fuel", "ft", 0.0, 100.0),
                Port::number("canopy_height", "height of the trees", "ft", 0.0, 500.0).or(0.0),
                Port::number("canopy_cover", "share of the ground", "1", 0.0, 1.0).or(0.0),
            ],
            &[Port::number(
                "midflame_wind",
                "at half the flame's height",
                "m/min",
                0.0,
                INF,
            )],
            &[condition(
                "loss",
                Requirement::Stated,
                "gusts and eddies under the canopy",
                Strictness::Advisory,
                rothermel::ANDREWS_2012,
            )],
            rothermel::ANDREWS_2012,
        )
    },
    evaluate: |a| {
        let wind = rothermel::midflame_wind(
            a.number("wind_speed"),
            a.number("fuel_bed_depth"),
            a.number("canopy_height"),
            a.number("canopy_cover"),
        )?;
        Ok(vec![Output::Number(wind)])
    },
};

/// Every registration of the track.
pub static ALL: &[Registration] = &[
    WEATHER_INDEX,
    BEHAVIOUR,
    ROTHERMEL,
    MIDFLAME,
    growth::ELLIPSE,
    growth::WAYS,
    growth::LEVEL,
    growth::ENSEMBLE,
    automaton::AUTOMATON,
    next_day::PERSISTENCE,
    next_day::DILATION,
    next_day::LOGISTIC,
];
