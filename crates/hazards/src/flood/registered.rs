//! Registrations of the flood models: ports, conditions in our words, validation.

use lahar_core::capability::{
    Availability, Capability, CapabilityKind, Citation, Condition, Cost, Port, Requirement,
    Strictness, Support,
};
use lahar_core::measure::{Area, Length, Ratio, Span, Speed};
use lahar_core::series::Series;
use lahar_core::{Quantity, Unit};

use crate::error::HazardError;
use crate::registry::Registration;
use crate::registry::arguments::Arguments;
use crate::registry::run::Output;
use crate::terrain::drainage;

use super::domain::{Course, Edge, Edges, Forcing, Ground, Inflow};
use super::height_above_drainage::{self as hand, RatingCurve};
use super::simulation::{self, Equations};
use super::{local_inertial, routing, runoff, shallow_water};

const TRACK: &str = "flood";
const INF: f64 = f64::INFINITY;

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

const fn between(lowest: f64, highest: f64, unit: &'static str) -> Requirement {
    Requirement::Between {
        lowest,
        highest,
        unit,
    }
}

const fn formula(
    name: &'static str,
    function: &'static str,
    inputs: &'static [Port],
    outputs: &'static [Port],
    conditions: &'static [Condition],
    validation: &'static [&'static str],
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
            nanoseconds: 50.0,
            per: "basin",
        },
        version: "1",
        validation,
        availability: Availability::Available,
        citation,
    }
}

const AREA: Port = Port::number("drainage_area", "area above the outlet", "km2", 0.0, INF)
    .over(Support::Basin, Support::Static);

const CURVE_NUMBER: Registration = Registration {
    capability: formula(
        "scs-curve-number-runoff",
        "Direct runoff of a storm from its rain and the basin's curve number.",
        &[
            Port::number("rainfall", "rain of the whole storm", "mm", 0.0, 10_000.0)
                .over(Support::Basin, Support::Storm),
            Port::number("curve_number", "runoff curve number", "1", 0.0, 100.0)
                .over(Support::Basin, Support::Static),
            Port::number(
                "initial_abstraction_ratio",
                "share of the retention that is filled before runoff begins",
                "1",
                0.0,
                1.0,
            )
            .or(0.2),
        ],
        &[
            Port::number("runoff", "depth of direct runoff", "mm", 0.0, INF)
                .over(Support::Basin, Support::Storm),
            Port::number(
                "potential_retention",
                "water that the basin can hold after runoff begins",
                "mm",
                0.0,
                INF,
            ),
        ],
        &[
            condition(
                "rainfall_period",
                Requirement::OneOf(&["storm"]),
                "the rain is the sum of a whole storm, not of a part of it",
                Strictness::Advisory,
                runoff::NEH_10,
            ),
            condition(
                "snowmelt",
                Requirement::NoneOf(&["yes"]),
                "rain only; snowmelt has no curve number",
                Strictness::Strict,
                runoff::NEH_10,
            ),
        ],
        &["oracles"],
        runoff::NEH_10,
    ),
    evaluate: |a| {
        let rain = Length::millimetres(a.number("rainfall"));
        let share = Ratio::fraction(a.number("initial_abstraction_ratio"));
        let runoff = runoff::curve_number_runoff(rain, a.number("curve_number"), share)?;
        let retention = runoff::potential_retention(a.number("curve_number"))?;
        Ok(vec![
            Output::Number(runoff.to_millimetres()),
            Output::Number(retention.to_millimetres()),
        ])
    },
};

const RATIONAL: Registration = Registration {
    capability: formula(
        "rational-peak-discharge",
        "Peak discharge of a small basin from the intensity of the rain.",
        &[
            Port::number(
                "runoff_coefficient",
                "share of the rain that runs off",
                "1",
                0.0,
                1.0,
            )
            .over(Support::Basin, Support::Static),
            Port::number(
                "rainfall_intensity",
                "mean intensity over the time of concentration",
                "mm/h",
                0.0,
                2000.0,
            )
            .over(Support::Basin, Support::Interval),
            AREA,
        ],
        &[Port::number(
            "peak_discharge",
            "highest discharge at the outlet",
            "m3/s",
            0.0,
            INF,
        )
        .over(Support::Basin, Support::Storm)],
        &[condition(
            "drainage_area",
            between(0.0, 0.81, "km2"),
            "for basins of at most about 200 acres",
            Strictness::Strict,
            runoff::RATIONAL,
        )],
        &["oracles"],
        runoff::RATIONAL,
    ),
    evaluate: |a| {
        let coefficient = Ratio::fraction(a.number("runoff_coefficient"));
        let rain = Speed::millimetres_per_hour(a.number("rainfall_intensity"));
        let area = Area::square_kilometres(a.number("drainage_area"));
        let peak = runoff::rational_peak(coefficient, rain, area)?;
        Ok(vec![Output::Number(peak)])
    },
};

const CONCENTRATION: Registration = Registration {
    capability: formula(
        "kirpich-time-of-concentration",
        "Time in which water comes from the farthest point of a small basin.",
        &[
            Port::number(
                "channel_length",
                "length of the main channel",
                "m",
                0.0,
                1e6,
            )
            .over(Support::Basin, Support::Static),
            Port::number(
                "channel_slope",
                "mean fall of the main channel",
                "1",
                0.0,
                10.0,
            )
            .over(Support::Basin, Support::Static),
        ],
        &[Port::number(
            "time_of_concentration",
            "time from the farthest point to the outlet",
            "min",
            0.0,
            INF,
        )],
        &[condition(
            "drainage_area",
            between(0.004, 0.45, "km2"),
            "fitted on seven rural basins of 1 to 112 acres in Tennessee",
            Strictness::Advisory,
            runoff::KIRPICH,
        )],
        &["reproduces_kirpich_1940_by_its_equation"],
        runoff::KIRPICH,
    ),
    evaluate: |a| {
        let length = Length::metres(a.number("channel_length"));
        let slope = Ratio::fraction(a.number("channel_slope"));
        let time = runoff::kirpich_time_of_concentration(length, slope)?;
        Ok(vec![Output::Number(time.to_minutes())])
    },
};

const HYDROGRAPH: Registration = Registration {
    capability: formula(
        "nrcs-unit-hydrograph-peak",
        "Time and height of the peak that one millimetre of runoff gives.",
        &[
            AREA,
            Port::number(
                "runoff_duration",
                "how long the runoff is produced",
                "h",
                0.0,
                INF,
            ),
            Port::number(
                "time_of_concentration",
                "time from the farthest point",
                "h",
                0.0,
                INF,
            ),
        ],
        &[
            Port::number(
                "time_to_peak",
                "from the start of the runoff",
                "h",
                0.0,
                INF,
            ),
            Port::number(
                "unit_peak_discharge",
                "discharge for one millimetre of runoff",
                "m3/s",
                0.0,
                INF,
            ),
        ],
        &[condition(
            "terrain",
            Requirement::NoneOf(&["very_steep", "very_flat"]),
            "the factor 0.208 stands for ordinary slopes",
            Strictness::Advisory,
            runoff::NEH_16,
        )],
        &["the_unit_hydrograph_carries_one_millimetre"],
        runoff::NEH_16,
    ),
    evaluate: |a| {
        let unit = runoff::unit_hydrograph(
            Area::square_kilometres(a.number("drainage_area")),
            Span::hours(a.number("runoff_duration")),
            Span::hours(a.number("time_of_concentration")),
        )?;
        Ok(vec![
            Output::Number(unit.time_to_peak.to_hours()),
            Output::Number(unit.peak),
        ])
    },
};

const INFILTRATION: Registration = Registration {
    capability: formula(
        "green-ampt-infiltration",
        "Water that a ponded soil has taken up after a time.",
        &[
            Port::number(
                "hydraulic_conductivity",
                "of the wetted soil",
                "mm/h",
                0.0,
                1e5,
            ),
            Port::number(
                "suction_head",
                "suction at the wetting front",
                "mm",
                0.0,
                1e5,
            ),
            Port::number(
                "moisture_deficit",
                "share of the soil that can fill",
                "1",
                0.0,
                1.0,
            ),
            Port::number(
                "ponding_time",
                "time since water stands on the soil",
                "h",
                0.0,
                INF,
            ),
        ],
        &[Port::number(
            "infiltration",
            "depth of water taken up",
            "mm",
            0.0,
            INF,
        )],
        &[condition(
            "soil",
            Requirement::NoneOf(&["layered"]),
            "one soil down to the front, wetted behind it and at its first moisture before it",
            Strictness::Advisory,
            runoff::GREEN_AMPT,
        )],
        &["reproduces_green_ampt_1911_by_its_equation"],
        runoff::GREEN_AMPT,
    ),
    evaluate: |a| {
        let soil = runoff::GreenAmptSoil {
            conductivity: Speed::millimetres_per_hour(a.number("hydraulic_conductivity")),
            suction: Length::millimetres(a.number("suction_head")),
            deficit: Ratio::fraction(a.number("moisture_deficit")),
        };
        let depth = runoff::green_ampt_infiltration(&soil, Span::hours(a.number("ponding_time")))?;
        Ok(vec![Output::Number(depth.to_millimetres())])
    },
};

const MUSKINGUM: Registration = Registration {
    capability: formula(
        "muskingum-routing",
        "A flood wave at the lower end of a reach from the one at its upper end.",
        &[
            Port::series("inflow", "discharge at the upper end", "m3/s"),
            Port::number(
                "travel_time",
                "time in which the wave passes the reach",
                "h",
                0.0,
                INF,
            ),
            Port::number(
                "weighting",
                "weight of the inflow in the storage",
                "1",
                0.0,
                0.5,
            ),
        ],
        &[Port::series(
            "outflow",
            "discharge at the lower end",
            "m3/s",
        )],
        &[condition(
            "backwater",
            Requirement::NoneOf(&["yes"]),
            "nothing from below holds the water back",
            Strictness::Strict,
            routing::MUSKINGUM,
        )],
        &["oracles"],
        routing::MUSKINGUM,
    ),
    evaluate: |a| {
        let (inflow, step) = a.series("inflow");
        let reach = routing::Reach {
            travel_time: Span::hours(a.number("travel_time")),
            weighting: a.number("weighting"),
        };
        let outflow = reach.route(inflow, Span::seconds(step))?;
        Ok(vec![Output::Series(discharges(outflow, step)?)])
    },
};

/// A series of discharges in m³/s.
fn discharges(values: Vec<f64>, step_seconds: f64) -> Result<Series, HazardError> {
    let unit = |text: &str| {
        text.parse::<Unit>()
            .map_err(|error| HazardError::Contradiction(error.to_string()))
    };
    Ok(Series {
        values,
        unit: unit("m3/s")?,
        step: Quantity::new(step_seconds, unit("s")?),
        start: None,
    })
}

const ELEVATION: Port = Port::grid("elevation", "ground above a datum", "m");
const THRESHOLD: Port = Port::number(
    "stream_threshold",
    "cells above which water gathers in a stream",
    "1",
    1.0,
    INF,
)
.or(100.0);

const DRAINAGE: Registration = Registration {
    capability: Capability {
        cost: Cost {
            nanoseconds: 1000.0,
            per: "cell",
        },
        ..formula(
            "height-above-nearest-drainage",
            "Height of each cell above the stream into which it drains.",
            &[ELEVATION, THRESHOLD],
            &[Port::grid(
                "height_above_drainage",
                "height above the stream",
                "m",
            )],
            &[FLUVIAL],
            &["oracles"],
            hand::NOBRE_2011,
        )
    },
    evaluate: |a| {
        let elevation = a.grid("elevation")?;
        let (heights, _) = drained(elevation, a.number("stream_threshold"))?;
        Ok(vec![Output::Layer(heights)])
    },
};

const FLUVIAL: Condition = condition(
    "flood_source",
    Requirement::OneOf(&["river"]),
    "floods out of rivers; not by rain where it falls, not by the sea, not behind a backwater",
    Strictness::Strict,
    hand::NOBRE_2011,
);

fn drained(
    elevation: &lahar_core::Grid,
    threshold: f64,
) -> Result<(lahar_core::Grid, lahar_core::Grid), HazardError> {
    let filled = drainage::fill_depressions(elevation);
    let directions = drainage::flow_directions(&filled)?;
    let streams = hand::streams(&directions, &filled, threshold);
    let heights = hand::height_above_drainage(&filled, &directions, &streams)?;
    Ok((heights, filled))
}

const INUNDATION: Registration = Registration {
    capability: Capability {
        cost: Cost {
            nanoseconds: 2000.0,
            per: "cell",
        },
        ..formula(
            "hand-synthetic-rating-inundation",
            "Depth of a river flood from terrain, a discharge and a synthetic rating curve.",
            &[
                ELEVATION,
                THRESHOLD,
                Port::number("discharge", "discharge of the reach", "m3/s", 0.0, 1e6)
                    .over(Support::Basin, Support::Event),
                Port::number("reach_length", "length of the streams", "m", 0.0, 1e7),
                Port::number("reach_slope", "fall of the reach", "1", 0.0, 10.0),
                Port::number("roughness", "Manning's n, in s m^-1/3", "1", 0.0, 1.0).or(0.05),
            ],
            &[
                Port::grid("depth", "depth of water", "m"),
                Port::number("stage", "level above the stream", "m", 0.0, INF),
            ],
            &[FLUVIAL],
            &["the_rating_curve_of_a_wide_canal_is_mannings"],
            hand::ZHENG_2018,
        )
    },
    evaluate: |a| {
        let elevation = a.grid("elevation")?;
        let (heights, filled) = drained(elevation, a.number("stream_threshold"))?;
        let reach = hand::Reach {
            length: a.number("reach_length"),
            slope: a.number("reach_slope"),
            roughness: a.number("roughness"),
        };
        let stages: Vec<f64> = (0..=400).map(|step| f64::from(step) * 0.05).collect();
        let curve = RatingCurve::synthetic(&heights, &filled, &reach, &stages)?;
        let stage = curve.stage(a.number("discharge"))?;
        Ok(vec![
            Output::Layer(hand::inundation(&heights, stage)),
            Output::Number(stage),
        ])
    },
};

const STORM_INPUTS: &[Port] = &[
    ELEVATION,
    Port::number("roughness", "Manning's n, in s m^-1/3", "1", 0.0, 1.0).or(0.05),
    Port::series("rainfall_intensity", "rain over the ground", "mm/h"),
    Port::number(
        "infiltration_capacity",
        "what the ground takes up",
        "mm/h",
        0.0,
        36_000.0,
    )
    .or(0.0),
    Port::number("duration", "how long the run lasts", "h", 0.0, INF),
    Port::series("inflow", "discharge of a stream that enters", "m3/s").optional(),
    Port::number(
        "inflow_x",
        "where it enters, in the grid's coordinates",
        "m",
        -INF,
        INF,
    )
    .optional(),
    Port::number(
        "inflow_y",
        "where it enters, in the grid's coordinates",
        "m",
        -INF,
        INF,
    )
    .optional(),
    Port::number(
        "edge_slope",
        "fall of the ground beyond the edges",
        "1",
        0.0,
        10.0,
    )
    .or(0.01),
];

const HIGHEST_DEPTH: Port = Port::grid("highest_depth", "highest depth of water", "m");
const DEPTH: Port = Port::grid("depth", "depth of water at the end", "m");
const HIGHEST_SPEED: Port = Port::grid("highest_speed", "highest speed of water", "m/s");
const ARRIVAL: Port = Port::grid("arrival", "time until the water comes", "s");
const FLOODED_TIME: Port = Port::grid("flooded_time", "time under water", "s");
const OUTFLOW: Port = Port::series("outflow", "water that leaves over the edges", "m3/s");
const BALANCE: Port = Port::number(
    "water_balance_error",
    "water made or lost",
    "1",
    -1e-6,
    1e-6,
);

const HYDROSTATIC: Condition = condition(
    "flow",
    Requirement::NoneOf(&["debris_flow", "lahar", "hyperconcentrated"]),
    "clear water; mixtures of water and sediment move by other laws",
    Strictness::Strict,
    shallow_water::AUDUSSE_2004,
);

const LOCAL_INERTIAL: Registration = Registration {
    capability: Capability {
        kind: CapabilityKind::NumericalModel,
        cost: Cost {
            nanoseconds: 20.0,
            per: "cell and step",
        },
        ..formula(
            "local-inertial-flood",
            "Depths of a storm's flood over ground by the local inertial equations.",
            STORM_INPUTS,
            &[
                HIGHEST_DEPTH,
                DEPTH,
                HIGHEST_SPEED,
                ARRIVAL,
                FLOODED_TIME,
                OUTFLOW,
                BALANCE,
                Port::number(
                    "highest_froude",
                    "speed of the water over that of its waves",
                    "1",
                    0.0,
                    1.0,
                ),
            ],
            &[
                condition(
                    "flow_regime",
                    Requirement::OneOf(&["subcritical"]),
                    "gradually varied flow slower than its waves; no dam breaks, no jumps",
                    Strictness::Strict,
                    local_inertial::BATES_2010,
                ),
                condition(
                    "roughness",
                    between(0.01, 1.0, "1"),
                    "on beds smoother than 0.03 only with the weighting of neighbours, which is on",
                    Strictness::Advisory,
                    local_inertial::DE_ALMEIDA_2012,
                ),
                HYDROSTATIC,
            ],
            &["oracles"],
            local_inertial::DE_ALMEIDA_2012,
        )
    },
    evaluate: |a| storm(a, Equations::LocalInertial),
};

const SHALLOW_WATER: Registration = Registration {
    capability: Capability {
        kind: CapabilityKind::NumericalModel,
        cost: Cost {
            nanoseconds: 400.0,
            per: "cell and step",
        },
        ..formula(
            "shallow-water-flood",
            "Depths of a storm's flood over ground by the full shallow-water equations.",
            STORM_INPUTS,
            &[
                HIGHEST_DEPTH,
                DEPTH,
                HIGHEST_SPEED,
                ARRIVAL,
                FLOODED_TIME,
                OUTFLOW,
                BALANCE,
            ],
            &[HYDROSTATIC],
            &["oracles"],
            shallow_water::AUDUSSE_2004,
        )
    },
    evaluate: |a| storm(a, Equations::ShallowWater),
};

fn storm(a: &Arguments<'_>, equations: Equations) -> Result<Vec<Output>, HazardError> {
    let elevation = a.grid("elevation")?;
    let edges = Edges::all(Edge::Open {
        slope: a.number("edge_slope"),
    });
    let ground = Ground::new(elevation, a.number("roughness"), edges)?;
    let duration = a.number("duration") * 3600.0;
    let (rain, step) = a.series("rainfall_intensity");
    let rain = steps(rain, step, 1e-3 / 3600.0)?;
    let (inflow, inflow_step) = a.series("inflow");
    let mut inflows = Vec::new();
    if !inflow.is_empty() {
        let place = (a.optional("inflow_x"), a.optional("inflow_y"));
        let (Some(x), Some(y)) = place else {
            return Err(HazardError::Contradiction(
                "an inflow is given, but not where it enters; give inflow_x and inflow_y"
                    .to_owned(),
            ));
        };
        let at = elevation.transform.invert(x, y);
        let at = at.filter(|(column, row)| *column >= 0.0 && *row >= 0.0);
        let Some((column, row)) = at else {
            return Err(HazardError::Contradiction(format!(
                "the inflow at {x}, {y} lies outside the elevation model"
            )));
        };
        inflows.push(Inflow {
            row: row as usize,
            column: column as usize,
            discharge: steps(inflow, inflow_step, 1.0)?,
        });
    }
    let forcing = Forcing {
        rain: Some(rain),
        infiltration: a.number("infiltration_capacity") * 1e-3 / 3600.0,
        inflows,
    };
    let report = (duration / 120.0).max(1.0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let flood = simulation::storm(equations, ground, &forcing, duration, report, threads)?;
    let mut outputs = vec![
        Output::Layer(flood.highest),
        Output::Layer(flood.depth),
        Output::Layer(flood.fastest),
        Output::Layer(flood.arrival),
        Output::Layer(flood.duration),
        Output::Series(discharges(flood.outflow, report)?),
        Output::Number(flood.balance.relative_error()),
    ];
    if equations == Equations::LocalInertial {
        outputs.push(Output::Number(flood.highest_froude));
    }
    Ok(outputs)
}

/// A course that holds each value for its step, and nothing after the last.
fn steps(values: &[f64], step: f64, factor: f64) -> Result<Course, HazardError> {
    // A jump takes a thousandth of a step, so that the course has one value at every time.
    let jump = step * 1e-3;
    let (mut times, mut course) = (Vec::new(), Vec::new());
    for (at, value) in values.iter().enumerate() {
        let begin = at as f64 * step;
        times.extend([begin + if at == 0 { 0.0 } else { jump }, begin + step]);
        course.extend([value * factor, value * factor]);
    }
    let end = values.len() as f64 * step;
    times.extend([end + jump, f64::MAX]);
    course.extend([0.0, 0.0]);
    Course::new(times, course)
}

const LEARNED: Registration = Registration {
    capability: Capability {
        kind: CapabilityKind::LearnedModel,
        availability: Availability::Unavailable("weights not supplied"),
        ..formula(
            "learned-flood-emulator",
            "Depths of a flood by a neural operator trained on simulations.",
            &[],
            &[],
            &[],
            &[],
            Citation {
                authors: "Xu, Shi, Shao, Zhang & others",
                year: 2024,
                doi: "FloodCastBench",
                place: "neural operators as baselines; no weights are published with it",
            },
        )
    },
    evaluate: |_| Ok(Vec::new()),
};

/// Every registration of the track.
pub static ALL: &[Registration] = &[
    CURVE_NUMBER,
    RATIONAL,
    CONCENTRATION,
    HYDROGRAPH,
    INFILTRATION,
    MUSKINGUM,
    DRAINAGE,
    INUNDATION,
    LOCAL_INERTIAL,
    SHALLOW_WATER,
    LEARNED,
];
