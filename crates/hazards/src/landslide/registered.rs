//! Registrations of the landslide models: ports, conditions in our words, validation.

use lahar_core::capability::{
    Availability, Capability, CapabilityKind, Citation, Condition, Cost, Port, Requirement,
    Strictness, Support,
};
use lahar_core::measure::{Angle, Length, Pressure, Ratio, Span};

use crate::registry::Registration;
use crate::registry::run::Output;

use super::infinite_slope::{self, Slab};
use super::intensity_duration::{self as rain, Threshold};
use super::iverson_2000::{self, Storm, WetGround};

mod lhasa;
mod map;

const TRACK: &str = "landslide";
const INF: f64 = f64::INFINITY;

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
            nanoseconds: 100.0,
            per: "cell",
        },
        version: "1",
        validation,
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

const SLOPE: Port = Port::number("slope", "slope of the ground", "deg", 0.0, 89.0)
    .over(Support::Cell, Support::Static);
const DEPTH: Port = Port::number(
    "soil_depth",
    "depth of the soil, vertically",
    "m",
    0.0,
    100.0,
)
.over(Support::Column, Support::Static);
const COHESION: Port = Port::number("cohesion", "cohesion of soil and roots", "kPa", 0.0, 1e4)
    .over(Support::Column, Support::Static);
const FRICTION: Port = Port::number("friction_angle", "internal friction", "deg", 0.0, 89.0)
    .over(Support::Column, Support::Static);
const WEIGHT: Port = Port::number("unit_weight", "weight of the soil", "kN/m3", 1.0, 50.0)
    .over(Support::Column, Support::Static);
const SAFETY: Port = Port::number(
    "factor_of_safety",
    "below 1 the slab slides",
    "1",
    -INF,
    INF,
)
.over(Support::Cell, Support::Instant);

const SHALLOW: Condition = condition(
    "slide_type",
    Requirement::OneOf(&["shallow"]),
    "slides much longer than deep, along a plane parallel to the surface",
    Strictness::Strict,
    infinite_slope::TAYLOR_1948,
);

const INFINITE_SLOPE: Registration = Registration {
    capability: formula(
        "infinite-slope-factor-of-safety",
        "Factor of safety of a slab on a slope, from how much of it stands in water.",
        &[
            SLOPE,
            DEPTH,
            COHESION,
            FRICTION,
            WEIGHT,
            Port::number(
                "wetness",
                "share of the soil that stands in water",
                "1",
                0.0,
                1.0,
            )
            .over(Support::Column, Support::Instant),
        ],
        &[SAFETY],
        &[SHALLOW],
        &["flat_ground_never_slides_and_is_wet_in_any_rain"],
        infinite_slope::TAYLOR_1948,
    ),
    evaluate: |a| {
        let safety = slab(a).factor_of_safety(Ratio::fraction(a.number("wetness")))?;
        Ok(vec![finite(safety)])
    },
};

fn slab(a: &crate::registry::arguments::Arguments<'_>) -> Slab {
    Slab {
        slope: Angle::degrees(a.number("slope")),
        depth: Length::metres(a.number("soil_depth")),
        cohesion: Pressure::kilopascals(a.number("cohesion")),
        friction_angle: Angle::degrees(a.number("friction_angle")),
        unit_weight: a.number("unit_weight") * 1000.0,
    }
}

/// Flat ground, which cannot slide, has no factor of safety.
fn finite(safety: f64) -> Output {
    match safety.is_finite() {
        true => Output::Number(safety),
        false => Output::Nothing,
    }
}

const STEADY_WETNESS: Registration = Registration {
    capability: formula(
        "steady-hillslope-wetness",
        "Share of the soil that stands in water when rain has lasted long.",
        &[
            Port::number(
                "recharge",
                "rain that reaches the water table",
                "mm/d",
                0.0,
                1e5,
            )
            .over(Support::Cell, Support::Interval),
            Port::number(
                "area_per_width",
                "area above a metre of contour",
                "m",
                0.0,
                1e9,
            )
            .over(Support::Cell, Support::Static),
            Port::number("transmissivity", "of the soil when full", "m2/s", 0.0, 10.0)
                .over(Support::Column, Support::Static),
            SLOPE,
        ],
        &[Port::number(
            "wetness",
            "share of the soil that stands in water",
            "1",
            0.0,
            1.0,
        )
        .over(Support::Column, Support::Instant)],
        &[condition(
            "rainfall_state",
            Requirement::OneOf(&["steady"]),
            "rain that has lasted until the flow is steady; not single bursts",
            Strictness::Strict,
            infinite_slope::MONTGOMERY_DIETRICH_1994,
        )],
        &["flat_ground_never_slides_and_is_wet_in_any_rain"],
        infinite_slope::MONTGOMERY_DIETRICH_1994,
    ),
    evaluate: |a| {
        let wetness = infinite_slope::steady_wetness(
            a.number("recharge") * 1e-3 / 86_400.0,
            a.number("area_per_width"),
            a.number("transmissivity"),
            Angle::degrees(a.number("slope")),
        )?;
        Ok(vec![Output::Number(wetness.to_fraction())])
    },
};

const TRANSIENT: Registration = Registration {
    capability: formula(
        "iverson-2000-transient-infiltration",
        "Pressure head and factor of safety at a time in or after a storm.",
        &[
            SLOPE,
            DEPTH,
            COHESION,
            FRICTION,
            WEIGHT,
            Port::number(
                "water_table_depth",
                "before the storm, vertically",
                "m",
                0.0,
                1000.0,
            )
            .over(Support::Column, Support::Instant),
            Port::number(
                "hydraulic_diffusivity",
                "of the wet soil",
                "m2/s",
                0.0,
                10.0,
            )
            .over(Support::Column, Support::Static),
            Port::number("saturated_conductivity", "of the soil", "m/s", 0.0, 1.0)
                .over(Support::Column, Support::Static),
            Port::number(
                "lasting_infiltration",
                "long before the storm",
                "m/s",
                0.0,
                1.0,
            )
            .or(0.0),
            Port::number("infiltration", "rate in the storm", "m/s", 0.0, 1.0)
                .over(Support::Cell, Support::Storm),
            Port::number("storm_duration", "how long it rains", "h", 0.0, INF),
            Port::number("time", "since the storm began", "h", 0.0, INF),
            Port::number(
                "floor_depth",
                "depth of a base that water does not pass, vertically",
                "m",
                0.0,
                100.0,
            )
            .over(Support::Column, Support::Static)
            .optional(),
        ],
        &[
            SAFETY,
            Port::number("pressure_head", "at the base of the slab", "m", -INF, INF)
                .over(Support::Column, Support::Instant),
        ],
        &[
            SHALLOW,
            condition(
                "initial_state",
                Requirement::OneOf(&["wet", "tension_saturated"]),
                "ground that is wet, or nearly, up to the surface when the storm begins",
                Strictness::Strict,
                iverson_2000::IVERSON_2000,
            ),
            condition(
                "soil",
                Requirement::NoneOf(&["layered"]),
                "one soil; a base near the slab's that water cannot pass is given as `floor_depth`",
                Strictness::Advisory,
                iverson_2000::BAUM_2008,
            ),
        ],
        &["oracles"],
        iverson_2000::IVERSON_2000,
    ),
    evaluate: |a| {
        let ground = WetGround {
            slope: Angle::degrees(a.number("slope")),
            water_table: Length::metres(a.number("water_table_depth")),
            diffusivity: a.number("hydraulic_diffusivity"),
            conductivity: a.number("saturated_conductivity"),
            lasting_infiltration: a.number("lasting_infiltration"),
        };
        let storm = Storm {
            infiltration: a.number("infiltration"),
            start: Span::hours(0.0),
            duration: Span::hours(a.number("storm_duration")),
        };
        let (slab, time) = (slab(a), Span::hours(a.number("time")));
        let head = match a.optional("floor_depth") {
            None => ground.pressure_head(&[storm], slab.depth, time)?,
            Some(floor) => {
                let floor = Length::metres(floor);
                ground.pressure_head_above_floor(&[storm], slab.depth, floor, time)?
            }
        };
        slab.check()?;
        Ok(vec![finite(slab.factor_at(head)), Output::Number(head)])
    },
};

const DURATION: Port = Port::number("duration", "how long it rains", "h", 0.0, 10_000.0)
    .over(Support::Storm, Support::Interval);
const INTENSITY: Port = Port::number(
    "rainfall_intensity",
    "mean over the duration",
    "mm/h",
    0.0,
    2000.0,
)
.over(Support::Storm, Support::Interval);
const LEAST: Port = Port::number(
    "threshold_intensity",
    "intensity from which slides have been seen",
    "mm/h",
    0.0,
    INF,
);
const EXCEEDED: Port = Port::label("exceeded", "whether the rain reaches it", &["yes", "no"]);

const UNBURNED: Requirement = Requirement::NoneOf(&["burned_this_year"]);

const fn threshold(
    name: &'static str,
    function: &'static str,
    conditions: &'static [Condition],
    source: Citation,
) -> Capability {
    formula(
        name,
        function,
        &[INTENSITY, DURATION],
        &[EXCEEDED, LEAST],
        conditions,
        &["oracles"],
        source,
    )
}

const fn lasting(lowest: f64, highest: f64, source: Citation) -> Condition {
    condition(
        "duration",
        Requirement::Between {
            lowest,
            highest,
            unit: "h",
        },
        "rains of the durations that were collected",
        Strictness::Strict,
        source,
    )
}

const NO_SNOW: Condition = condition(
    "snowmelt",
    Requirement::NoneOf(&["yes"]),
    "rain alone; snow that melts adds water that no gauge shows",
    Strictness::Advisory,
    rain::GUZZETTI_2008.source,
);

fn compare(
    threshold: &Threshold,
    a: &crate::registry::arguments::Arguments<'_>,
) -> Result<Vec<Output>, crate::error::HazardError> {
    let least = threshold.intensity(Span::hours(a.number("duration")))?;
    let least = least.to_millimetres_per_hour();
    let reached = a.number("rainfall_intensity") >= least;
    Ok(vec![
        Output::Word(if reached { "yes" } else { "no" }),
        Output::Number(least),
    ])
}

const CAINE: Registration = Registration {
    capability: threshold(
        "caine-1980-threshold",
        "Whether rain reaches the lowest from which slides were seen worldwide.",
        &[lasting(0.167, 500.0, rain::CAINE_1980.source), NO_SNOW],
        rain::CAINE_1980.source,
    ),
    evaluate: |a| compare(&rain::CAINE_1980, a),
};

const GUZZETTI: Registration = Registration {
    capability: threshold(
        "guzzetti-2008-threshold",
        "Whether rain reaches the lowest of a worldwide collection of slides.",
        &[lasting(0.1, 1000.0, rain::GUZZETTI_2008.source), NO_SNOW],
        rain::GUZZETTI_2008.source,
    ),
    evaluate: |a| compare(&rain::GUZZETTI_2008, a),
};

/// Every registration of the track.
pub static ALL: &[Registration] = &[
    INFINITE_SLOPE,
    STEADY_WETNESS,
    TRANSIENT,
    map::MAP,
    CAINE,
    GUZZETTI,
    lhasa::INDEX,
    lhasa::NOWCAST,
    lhasa::TREES,
    lhasa::TREES_MAP,
];
