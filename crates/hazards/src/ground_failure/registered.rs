//! Registrations of the ground-failure models: ports, conditions in our words, validation.

mod displacements;
mod landslides;
mod liquefaction;

use lahar_core::capability::{
    Availability, Capability, CapabilityKind, Citation, Condition, Cost, Port, Requirement,
    Strictness, Support,
};
use lahar_core::measure::{Acceleration, Angle, Density, Length, Pressure, Ratio, Span, Speed};

use crate::error::HazardError;
use crate::registry::Registration;
use crate::registry::arguments::Arguments;
use crate::registry::run::Output;

use super::godt_2008::{self, SlopedCell};
use super::hazus::{self, Susceptibility};
use super::newmark::{self, AccelerationRatio, Displacement, FotopoulouPitilakis, SlidingSlab};
use super::nowicki_2014;
use super::nowicki_jessee_2018::{self, LandCover, Lithology, ShakenGround, Variant};
use super::rigid_sliding_block;
use super::zhu::{self, CoastalGround, LiquefactionEstimate, WetGround};

const TRACK: &str = "ground-failure";
const VERSION: &str = "1";
const INF: f64 = f64::INFINITY;

const SURVEY_BACKGROUND: Citation = Citation {
    authors: "U.S. Geological Survey",
    year: 2018,
    doi: "https://earthquake.usgs.gov/data/ground-failure/background.php",
    place: "ground failure scientific background",
};
const SLAMMER: Citation = Citation {
    authors: "Jibson, Rathje, Jibson & Lee",
    year: 2013,
    doi: "doi:10.3133/tm12B1",
    place: "SLAMMER, which analysis should be used",
};

const REGIONAL: Condition = Condition {
    variable: "task_scale",
    requirement: Requirement::OneOf(&["regional"]),
    reading: "for regions; it knows nothing of a single slope or site",
    strictness: Strictness::Strict,
    citation: SURVEY_BACKGROUND,
};
const TRIGGERED: Condition = Condition {
    variable: "magnitude",
    requirement: Requirement::Between {
        lowest: 5.0,
        highest: 10.0,
        unit: "Mw",
    },
    reading: "run for earthquakes above magnitude 5 in the United States and 6 elsewhere",
    strictness: Strictness::Advisory,
    citation: SURVEY_BACKGROUND,
};
const STEEP: Condition = Condition {
    variable: "slope",
    requirement: Requirement::Between {
        lowest: 5.0,
        highest: 90.0,
        unit: "deg",
    },
    reading: "slopes of 5 degrees and more",
    strictness: Strictness::Advisory,
    citation: SURVEY_BACKGROUND,
};
const FLAT: Condition = Condition {
    variable: "slope",
    requirement: Requirement::Between {
        lowest: 0.0,
        highest: 5.0,
        unit: "deg",
    },
    reading: "ground flatter than 5 degrees",
    strictness: Strictness::Strict,
    citation: SURVEY_BACKGROUND,
};
const RIGID: Condition = Condition {
    variable: "period_ratio",
    requirement: Requirement::Between {
        lowest: 0.0,
        highest: 0.2,
        unit: "1",
    },
    reading: "the mass's own period is at most a fifth of the shaking's mean period",
    strictness: Strictness::Strict,
    citation: SLAMMER,
};
const NO_PORE_PRESSURE: Condition = Condition {
    variable: "pore_pressure",
    requirement: Requirement::Stated,
    reading: "pore pressure does not rise and strength does not fall while the mass moves",
    strictness: Strictness::Advisory,
    citation: SLAMMER,
};
const JIBSON_MAGNITUDES: Condition = Condition {
    variable: "magnitude",
    requirement: Requirement::Between {
        lowest: 5.3,
        highest: 7.6,
        unit: "Mw",
    },
    reading: "fitted on earthquakes of magnitude 5.3 to 7.6",
    strictness: Strictness::Strict,
    citation: newmark::JIBSON_2007,
};
const NORTHRIDGE: Condition = Condition {
    variable: "region",
    requirement: Requirement::OneOf(&["southern_california"]),
    reading: "fitted on the Northridge earthquake alone; shallow slides that fall apart",
    strictness: Strictness::Strict,
    citation: SLAMMER,
};
const NOT_COASTAL: Condition = Condition {
    variable: "mean_distance_to_coast",
    requirement: Requirement::Between {
        lowest: 20.0,
        highest: INF,
        unit: "km",
    },
    reading: "events whose liquefaction lies on average more than 20 km from a coast, and any \
              event of which that is not known",
    strictness: Strictness::Advisory,
    citation: zhu::ZHU_2017,
};
const COASTAL: Condition = Condition {
    variable: "mean_distance_to_coast",
    requirement: Requirement::Between {
        lowest: 0.0,
        highest: 20.0,
        unit: "km",
    },
    reading: "events whose liquefaction lies on average within 20 km of a coast",
    strictness: Strictness::Strict,
    citation: zhu::ZHU_2017,
};
const DRY: Condition = Condition {
    variable: "wetness",
    requirement: Requirement::Stated,
    reading: "dry slopes",
    strictness: Strictness::Advisory,
    citation: godt_2008::SOURCE,
};

const fn cell(port: Port) -> Port {
    port.over(Support::Cell, Support::Event)
}
const fn ground(port: Port) -> Port {
    port.over(Support::Cell, Support::Static)
}

const PGA: Port = cell(Port::number(
    "peak_ground_acceleration",
    "peak ground acceleration",
    "g",
    0.0,
    10.0,
));
const PGV: Port = cell(Port::number(
    "peak_ground_velocity",
    "peak ground velocity",
    "cm/s",
    0.0,
    2000.0,
));
const MAGNITUDE: Port = Port::number("magnitude", "moment magnitude", "Mw", 0.0, 10.0)
    .over(Support::Event, Support::Event);
const CRITICAL: Port = ground(Port::number(
    "critical_acceleration",
    "acceleration at which the slope begins to slide",
    "g",
    0.0,
    100.0,
));
const SLOPE: Port = ground(Port::number(
    "slope",
    "slope of the ground",
    "deg",
    0.0,
    90.0,
));
const DISPLACEMENT: Port = cell(Port::number(
    "displacement",
    "Newmark displacement, median",
    "m",
    0.0,
    INF,
));
const LN_DEVIATION: Port = cell(Port::number(
    "ln_displacement_deviation",
    "standard deviation of the natural logarithm of the displacement",
    "1",
    0.0,
    INF,
));
const ARIAS: Port = cell(Port::number(
    "arias_intensity",
    "Arias intensity",
    "m/s",
    0.0,
    200.0,
));
const INDEX: Port = ground(Port::number(
    "topographic_index",
    "compound topographic index",
    "1",
    -10.0,
    50.0,
));
const VS30: Port = ground(Port::number(
    "vs30",
    "shear-wave velocity of the upper 30 m",
    "m/s",
    0.0,
    5000.0,
));
const RAIN: Port = Port::number(
    "annual_precipitation",
    "mean annual precipitation",
    "mm",
    0.0,
    20_000.0,
)
.over(Support::Cell, Support::Climate)
.at("1 km");
const TO_WATER: Port = ground(Port::number(
    "distance_to_water",
    "distance to the nearest water body",
    "km",
    0.0,
    10_000.0,
));
const WATER_TABLE: Port = ground(Port::number(
    "water_table_depth",
    "depth to the water table",
    "m",
    0.0,
    2000.0,
))
.at("1 km");
const TO_COAST: Port = ground(Port::number(
    "distance_to_coast",
    "distance to the nearest coast",
    "km",
    0.0,
    10_000.0,
));
const TO_RIVER: Port = ground(Port::number(
    "distance_to_river",
    "distance to the nearest river",
    "km",
    0.0,
    10_000.0,
));
const FRICTION: Port = ground(Port::number(
    "friction_angle",
    "angle of internal friction",
    "deg",
    0.0,
    89.0,
));
const COHESION: Port = ground(Port::number("cohesion", "cohesion", "Pa", 0.0, 1e9));
const LIQUEFACTION: Port = cell(Port::number(
    "probability",
    "probability of liquefaction",
    "fraction",
    0.0,
    1.0,
));
const LIQUEFIED: Port = cell(Port::number(
    "coverage",
    "share of the cell that liquefies",
    "fraction",
    0.0,
    1.0,
));
const OCCURS: Port = cell(Port::label(
    "occurrence",
    "whether the probability is above the published threshold",
    &["no", "yes"],
));
const LANDSLIDE: Port = cell(Port::number(
    "probability",
    "probability of landslides",
    "fraction",
    0.0,
    1.0,
));
const SLID: Port = cell(Port::number(
    "coverage",
    "share of the cell that slides, runout included",
    "fraction",
    0.0,
    1.0,
))
.at("250 m");
const CLASSES: Port = ground(Port::label(
    "susceptibility",
    "susceptibility to liquefaction",
    &Susceptibility::WORDS,
));

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
        version: VERSION,
        validation,
        availability: Availability::Available,
        citation,
    }
}

fn pga(a: &Arguments<'_>) -> Acceleration {
    Acceleration::g(a.number("peak_ground_acceleration"))
}
fn pgv(a: &Arguments<'_>) -> Speed {
    Speed::centimetres_per_second(a.number("peak_ground_velocity"))
}
fn critical(a: &Arguments<'_>) -> Acceleration {
    Acceleration::g(a.number("critical_acceleration"))
}
fn arias(a: &Arguments<'_>) -> Speed {
    Speed::metres_per_second(a.number("arias_intensity"))
}
fn ratio(a: &Arguments<'_>) -> Result<AccelerationRatio, HazardError> {
    AccelerationRatio::new(critical(a), pga(a))
}

/// Every registration of the track.
pub static ALL: &[Registration] = &[
    displacements::FACTOR_OF_SAFETY,
    displacements::JIBSON_A,
    displacements::JIBSON_B,
    displacements::JIBSON_ARIAS,
    displacements::JIBSON_ARIAS_RATIO,
    displacements::JIBSON_2000,
    displacements::AMBRASEYS,
    displacements::RATHJE,
    displacements::SAYGILI,
    displacements::BRAY,
    displacements::FOTOPOULOU_A,
    displacements::FOTOPOULOU_B,
    displacements::FOTOPOULOU_C,
    displacements::FOTOPOULOU_D,
    displacements::FAILURE_SHARE,
    displacements::BLOCK,
    landslides::NOWICKI_JESSEE,
    landslides::NOWICKI_JESSEE_OPERATIONAL,
    landslides::NOWICKI_2014,
    landslides::GODT,
    liquefaction::ZHU_2015,
    liquefaction::ZHU_GENERAL,
    liquefaction::ZHU_COASTAL,
    liquefaction::RASHIDIAN,
    liquefaction::ALLSTADT,
    liquefaction::HAZUS,
    liquefaction::POTENTIAL,
];
