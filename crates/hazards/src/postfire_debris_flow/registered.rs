//! Registrations of the post-fire models: ports, conditions in our words, validation.

mod likelihood;
mod outcome;
mod severity;
mod unavailable;
mod volume;

use lahar_core::capability::{
    Availability, Capability, CapabilityKind, Citation, Condition, Cost, Port, Requirement,
    Strictness, Support,
};
use lahar_core::measure::{Area, Length, Ratio, Span, Speed, Volume};

use crate::error::HazardError;
use crate::registry::Registration;
use crate::registry::arguments::Arguments;
use crate::registry::run::Output;

use super::burn_severity::{self, BandPair, KEY_BENSON_2006, MILLER_THODE_2007, Severity};
use super::cannon_2010::{self, HazardClass};
use super::chain::{self, AssessedBasin};
use super::gartner_2014::{self, RecoveringBasin, VolumeEstimate};
use super::griswold_iverson_2008::{self, FlowKind};
use super::staley_2017::{self, BurnedBasin, Model, RainDuration};
use super::survey_2010::{self, IntermountainBasin};

const TRACK: &str = "postfire-debris-flow";
const VERSION: &str = "1";
const INF: f64 = f64::INFINITY;
const CLASSES: &[&str] = &["low", "moderate", "high"];
const FORMULA: Cost = Cost {
    nanoseconds: 100.0,
    per: "basin",
};

const SURVEY_LIMITS: Citation = Citation {
    authors: "U.S. Geological Survey",
    year: 2020,
    doi: "https://landslides.usgs.gov/hazards/postfire_debrisflow/disclaimer.php",
    place: "limitations of hazard assessments",
};
const SURVEY_BACKGROUND: Citation = Citation {
    authors: "U.S. Geological Survey",
    year: 2020,
    doi: "https://landslides.usgs.gov/hazards/postfire_debrisflow/background2016.php",
    place: "scientific background",
};

const WEST: Condition = Condition {
    variable: "region",
    requirement: Requirement::OneOf(&[
        "western_united_states",
        "southern_california",
        "transverse_ranges",
        "intermountain_west",
    ]),
    reading: "calibrated and tested on the western United States only",
    strictness: Strictness::Strict,
    citation: SURVEY_LIMITS,
};
const RECENT: Condition = Condition {
    variable: "time_since_fire",
    requirement: Requirement::Between {
        lowest: 0.0,
        highest: 2.0,
        unit: "yr",
    },
    reading: "holds for about two years after a fire",
    strictness: Strictness::Strict,
    citation: SURVEY_LIMITS,
};
const BASIN_SIZE: Condition = Condition {
    variable: "basin_area",
    requirement: Requirement::Between {
        lowest: 0.02,
        highest: 8.0,
        unit: "km2",
    },
    reading: "basins of at least 0.02 km², as assessed, up to about 8 km², as calibrated",
    strictness: Strictness::Advisory,
    citation: SURVEY_BACKGROUND,
};
const DESIGN_STORM: Condition = Condition {
    variable: "rainfall_intensity",
    requirement: Requirement::Between {
        lowest: 12.0,
        highest: 40.0,
        unit: "mm/h",
    },
    reading: "published assessments use storms of 12 to 40 mm/h over 15 minutes",
    strictness: Strictness::Advisory,
    citation: SURVEY_BACKGROUND,
};
const NO_SUPPLY: Condition = Condition {
    variable: "sediment_supply",
    requirement: Requirement::Stated,
    reading: "how much debris lies in the channel is no input",
    strictness: Strictness::Advisory,
    citation: SURVEY_LIMITS,
};
const TRANSVERSE_RANGES: Condition = Condition {
    variable: "region",
    requirement: Requirement::OneOf(&["transverse_ranges"]),
    reading: "calibrated on the Transverse Ranges of southern California; elsewhere it tends to \
              give too much",
    strictness: Strictness::Advisory,
    citation: gartner_2014::SOURCE,
};
const INTERMOUNTAIN: Condition = Condition {
    variable: "region",
    requirement: Requirement::OneOf(&["intermountain_west"]),
    reading: "an equation of the intermountain western United States",
    strictness: Strictness::Strict,
    citation: survey_2010::SOURCE,
};
const SOUTHERN_CALIFORNIA: Condition = Condition {
    variable: "region",
    requirement: Requirement::OneOf(&["southern_california", "transverse_ranges"]),
    reading: "an equation of southern California",
    strictness: Strictness::Strict,
    citation: survey_2010::SOURCE,
};
const SUPERSEDED: Condition = Condition {
    variable: "fire_year",
    requirement: Requirement::Stated,
    reading: "used for fires before May 2016; later ones are assessed by Staley and others (2017)",
    strictness: Strictness::Advisory,
    citation: SURVEY_BACKGROUND,
};

const fn basin(port: Port) -> Port {
    port.over(Support::Basin, Support::Static)
}
const fn storm(port: Port) -> Port {
    port.over(Support::Basin, Support::Storm)
}

const RAINFALL: Port = storm(Port::number(
    "rainfall",
    "rain accumulated over the duration",
    "mm",
    0.0,
    1000.0,
));
const DURATION: Port = storm(Port::number(
    "duration",
    "duration of the rain: 15, 30 or 60 min",
    "min",
    15.0,
    60.0,
));
const PROBABILITY_IN: Port = basin(Port::number(
    "probability",
    "likelihood to be reached",
    "fraction",
    0.0,
    1.0,
));
const LIKELIHOOD: Port = storm(Port::number(
    "likelihood",
    "likelihood of a debris flow in the storm",
    "fraction",
    0.0,
    1.0,
))
.uncertain("error of the inputs is not carried");
const THRESHOLD: Port = storm(Port::number(
    "threshold_rainfall",
    "least rain that reaches the likelihood",
    "mm",
    0.0,
    INF,
));
const THRESHOLD_INTENSITY: Port = storm(Port::number(
    "threshold_intensity",
    "the same as an intensity",
    "mm/h",
    0.0,
    INF,
));
const DNBR: Port = basin(Port::number(
    "mean_dnbr",
    "mean differenced normalised burn ratio, times 1000",
    "1",
    -2000.0,
    2000.0,
))
.at("30 m");
const KF: Port = basin(Port::number(
    "soil_erodibility",
    "mean KF factor of the soil",
    "fraction",
    0.0,
    1.0,
));
const SOIL_DEPTH: Port = basin(Port::number(
    "soil_thickness_term",
    "mean soil thickness of the soil map, in the map's unit, divided by 100",
    "1",
    0.0,
    100.0,
));
const SHARE_23: Port = basin(Port::number(
    "steep_burned_share",
    "share of the basin burned at moderate or high severity on slopes of 23 degrees and more",
    "fraction",
    0.0,
    1.0,
))
.at("10 m");
const SHARE_30: Port = basin(Port::number(
    "steep_burned_share",
    "share of the basin burned on slopes of 30 degrees and more",
    "fraction",
    0.0,
    1.0,
))
.at("10 m");
const MEAN_SINE: Port = basin(Port::number(
    "mean_sine_slope",
    "mean sine of the slope of ground burned at moderate or high severity",
    "fraction",
    0.0,
    1.0,
))
.at("10 m");
const RUGGEDNESS: Port = basin(Port::number(
    "ruggedness",
    "relief over the square root of the area",
    "fraction",
    0.0,
    10.0,
))
.at("10 m");
const BURNED_SHARE: Port = basin(Port::number(
    "burned_share",
    "share burned at moderate or high severity",
    "fraction",
    0.0,
    1.0,
));

const I15: Port = storm(Port::number(
    "rainfall_intensity",
    "peak intensity over 15 minutes",
    "mm/h",
    0.0,
    1000.0,
));
const I60: Port = storm(Port::number(
    "rainfall_intensity",
    "peak intensity over 60 minutes",
    "mm/h",
    0.0,
    1000.0,
));
const BURNED_AREA: Port = basin(Port::number(
    "burned_area",
    "area burned at moderate or high severity",
    "km2",
    0.0,
    1e4,
));
const RELIEF: Port = basin(Port::number(
    "relief",
    "highest minus lowest elevation",
    "m",
    0.0,
    9000.0,
))
.at("10 m");
const VOLUME: Port = storm(Port::number(
    "volume",
    "volume of the debris flow, median",
    "m3",
    0.0,
    INF,
))
.uncertain("95 percent interval of single flows beside it");
const VOLUME_LOWER: Port = storm(Port::number(
    "volume_lower",
    "lower end of the 95 percent interval",
    "m3",
    0.0,
    INF,
));
const VOLUME_UPPER: Port = storm(Port::number(
    "volume_upper",
    "upper end of the 95 percent interval",
    "m3",
    0.0,
    INF,
));
const LN_ERROR: Port = storm(Port::number(
    "ln_volume_standard_error",
    "residual standard error of the natural logarithm of the volume",
    "1",
    0.0,
    INF,
));
const PLAIN_VOLUME: Port = storm(Port::number(
    "volume",
    "volume of the debris flow",
    "m3",
    0.0,
    INF,
))
.uncertain("the source states none");
const CLASS: Port = storm(Port::label("hazard_class", "combined hazard", CLASSES));

const NIR_BEFORE: Port = Port::number(
    "near_infrared_before",
    "near-infrared reflectance before the fire",
    "fraction",
    0.0,
    2.0,
)
.over(Support::Cell, Support::Instant)
.at("30 m");
const SWIR_BEFORE: Port = Port::number(
    "shortwave_infrared_before",
    "reflectance near 2.2 micrometres before the fire",
    "fraction",
    0.0,
    2.0,
)
.over(Support::Cell, Support::Instant)
.at("30 m");
const NIR_AFTER: Port = Port::number(
    "near_infrared_after",
    "near-infrared reflectance after the fire",
    "fraction",
    0.0,
    2.0,
)
.over(Support::Cell, Support::Instant)
.at("30 m");
const SWIR_AFTER: Port = Port::number(
    "shortwave_infrared_after",
    "reflectance near 2.2 micrometres after the fire",
    "fraction",
    0.0,
    2.0,
)
.over(Support::Cell, Support::Instant)
.at("30 m");

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
        cost: FORMULA,
        version: VERSION,
        validation,
        availability: Availability::Available,
        citation,
    }
}

/// Every registration of the track.
pub static ALL: &[Registration] = &[
    likelihood::STALEY[0][0],
    likelihood::STALEY[0][1],
    likelihood::STALEY[1][0],
    likelihood::STALEY[1][1],
    likelihood::STALEY[2][0],
    likelihood::STALEY[2][1],
    likelihood::STALEY[3][0],
    likelihood::STALEY[3][1],
    volume::GARTNER_EMERGENCY,
    volume::GARTNER_LONG_TERM,
    outcome::CANNON_CLASS,
    likelihood::INTERMOUNTAIN_LIKELIHOOD,
    volume::INTERMOUNTAIN_VOLUME,
    volume::SURVEY_VOLUME,
    severity::DIFFERENCED,
    severity::RELATIVE,
    outcome::RUNOUT,
    outcome::CHAIN,
    outcome::MAP,
    unavailable::WESTERN_VOLUME,
    unavailable::IMAGERY_MODEL,
    unavailable::ORLAND,
    unavailable::CANNON_2008,
];
