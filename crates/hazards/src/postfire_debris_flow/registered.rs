//! Registrations of the post-fire models: ports, conditions in our words, validation.

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

const LIKELIHOOD_CONDITIONS: &[Condition] = &[WEST, RECENT, BASIN_SIZE, DESIGN_STORM, NO_SUPPLY];

macro_rules! staley {
    ($model:ident, $likelihood:literal, $threshold:literal, $terrain:expr, $fire:expr, $soil:expr, $validation:literal) => {
        [
            Registration {
                capability: formula(
                    $likelihood,
                    concat!(
                        "Likelihood of a post-fire debris flow in a storm, model ",
                        stringify!($model),
                        "."
                    ),
                    &[RAINFALL, DURATION, $terrain, $fire, $soil],
                    &[LIKELIHOOD],
                    LIKELIHOOD_CONDITIONS,
                    &[$validation, "oracles"],
                    staley_2017::SOURCE,
                ),
                evaluate: |a| {
                    let (duration, basin) = staley_inputs(a, Model::$model)?;
                    let rain = Length::millimetres(a.number("rainfall"));
                    let p = staley_2017::likelihood(Model::$model, duration, &basin, rain)?;
                    Ok(vec![Output::Number(p.to_fraction())])
                },
            },
            Registration {
                capability: formula(
                    $threshold,
                    concat!(
                        "Least rain at which a debris flow reaches a likelihood, model ",
                        stringify!($model),
                        "."
                    ),
                    &[PROBABILITY_IN, DURATION, $terrain, $fire, $soil],
                    &[THRESHOLD, THRESHOLD_INTENSITY],
                    LIKELIHOOD_CONDITIONS,
                    &[$validation, "oracles"],
                    staley_2017::SOURCE,
                ),
                evaluate: |a| {
                    let (duration, basin) = staley_inputs(a, Model::$model)?;
                    let p = Ratio::fraction(a.number("probability"));
                    let rain = staley_2017::threshold(Model::$model, duration, &basin, p)?;
                    Ok(vec![
                        Output::Number(rain.to_millimetres()),
                        Output::Number(duration.intensity(rain).to_millimetres_per_hour()),
                    ])
                },
            },
        ]
    };
}

fn staley_inputs(
    a: &Arguments<'_>,
    model: Model,
) -> Result<(RainDuration, BurnedBasin), HazardError> {
    let duration = RainDuration::of(Span::minutes(a.number("duration")))?;
    let terrain = a.number(match model {
        Model::M1 | Model::M4 => "steep_burned_share",
        Model::M2 => "mean_sine_slope",
        Model::M3 => "ruggedness",
    });
    let fire = match model {
        Model::M3 => a.number("burned_share"),
        _ => a.number("mean_dnbr") / 1000.0,
    };
    let soil = a.number(match model {
        Model::M1 | Model::M2 => "soil_erodibility",
        Model::M3 | Model::M4 => "soil_thickness_term",
    });
    Ok((
        duration,
        BurnedBasin {
            terrain,
            fire,
            soil,
        },
    ))
}

const STALEY: [[Registration; 2]; 4] = [
    staley!(
        M1,
        "staley-2017-m1-likelihood",
        "staley-2017-m1-threshold",
        SHARE_23,
        DNBR,
        KF,
        "reproduces_staley_2017_m1"
    ),
    staley!(
        M2,
        "staley-2017-m2-likelihood",
        "staley-2017-m2-threshold",
        MEAN_SINE,
        DNBR,
        KF,
        "reproduces_staley_2017_m2"
    ),
    staley!(
        M3,
        "staley-2017-m3-likelihood",
        "staley-2017-m3-threshold",
        RUGGEDNESS,
        BURNED_SHARE,
        SOIL_DEPTH,
        "reproduces_staley_2017_m3"
    ),
    staley!(
        M4,
        "staley-2017-m4-likelihood",
        "staley-2017-m4-threshold",
        SHARE_30,
        DNBR,
        SOIL_DEPTH,
        "reproduces_staley_2017_m4"
    ),
];

fn volume_outputs(estimate: &VolumeEstimate) -> Vec<Output> {
    vec![
        Output::Number(estimate.median.to_cubic_metres()),
        Output::Number(estimate.lower.to_cubic_metres()),
        Output::Number(estimate.upper.to_cubic_metres()),
        Output::Number(estimate.ln_standard_error),
    ]
}

const VOLUMES: &[Port] = &[VOLUME, VOLUME_LOWER, VOLUME_UPPER, LN_ERROR];

const GARTNER_EMERGENCY: Registration = Registration {
    capability: formula(
        "gartner-2014-emergency-volume",
        "Volume of the debris flow that a storm can set off soon after a fire.",
        &[I15, BURNED_AREA, RELIEF],
        VOLUMES,
        &[TRANSVERSE_RANGES, RECENT, NO_SUPPLY],
        &["reproduces_gartner_2014_emergency", "oracles"],
        gartner_2014::SOURCE,
    ),
    evaluate: |a| {
        gartner_2014::emergency(
            Speed::millimetres_per_hour(a.number("rainfall_intensity")),
            Area::square_kilometres(a.number("burned_area")),
            Length::metres(a.number("relief")),
        )
        .map(|estimate| volume_outputs(&estimate))
    },
};

const GARTNER_LONG_TERM: Registration = Registration {
    capability: formula(
        "gartner-2014-long-term-volume",
        "Volume of sediment that a storm can bring down in the years after a fire.",
        &[
            I60,
            basin(Port::number(
                "burned_area",
                "area burned by the most recent fire",
                "km2",
                0.0,
                1e4,
            )),
            basin(Port::number(
                "time_since_fire",
                "time since that fire",
                "month",
                0.0,
                1200.0,
            )),
            basin(Port::number(
                "basin_area",
                "area of the basin",
                "km2",
                0.0,
                1e4,
            ))
            .at("10 m"),
            RELIEF,
        ],
        VOLUMES,
        &[TRANSVERSE_RANGES, NO_SUPPLY],
        &["reproduces_gartner_2014_long_term", "oracles"],
        gartner_2014::SOURCE,
    ),
    evaluate: |a| {
        let basin = RecoveringBasin {
            burned_area: Area::square_kilometres(a.number("burned_area")),
            time_since_fire: Span::months(a.number("time_since_fire")),
            area: Area::square_kilometres(a.number("basin_area")),
            relief: Length::metres(a.number("relief")),
        };
        let intensity = Speed::millimetres_per_hour(a.number("rainfall_intensity"));
        gartner_2014::long_term(intensity, &basin).map(|estimate| volume_outputs(&estimate))
    },
};

const CANNON_CLASS: Registration = Registration {
    capability: formula(
        "cannon-2010-hazard-class",
        "Combined hazard class of a likelihood and a volume.",
        &[
            storm(Port::number(
                "probability",
                "likelihood of a debris flow",
                "fraction",
                0.0,
                1.0,
            )),
            storm(Port::number(
                "volume",
                "volume of a debris flow",
                "m3",
                0.0,
                1e12,
            )),
        ],
        &[
            CLASS,
            storm(Port::number(
                "probability_rank",
                "rank of the likelihood, 1 to 4",
                "1",
                1.0,
                4.0,
            )),
            storm(Port::number(
                "volume_rank",
                "rank of the volume, 1 to 4",
                "1",
                1.0,
                4.0,
            )),
            storm(Port::number(
                "survey_rank",
                "rank of the Geological Survey's maps, 2 to 9",
                "1",
                2.0,
                9.0,
            )),
        ],
        &[],
        &["reproduces_cannon_2010_classes", "oracles"],
        cannon_2010::SOURCE,
    ),
    evaluate: |a| {
        let p = Ratio::fraction(a.number("probability"));
        let volume = Volume::cubic_metres(a.number("volume"));
        Ok(vec![
            Output::Word(cannon_2010::combined(p, volume)?.word()),
            Output::Number(f64::from(cannon_2010::probability_rank(p)?)),
            Output::Number(f64::from(cannon_2010::volume_rank(volume)?)),
            Output::Number(f64::from(cannon_2010::survey_rank(p, volume)?)),
        ])
    },
};

const INTERMOUNTAIN_LIKELIHOOD: Registration = Registration {
    capability: formula(
        "cannon-2010-intermountain-likelihood",
        "Likelihood of a post-fire debris flow in the intermountain western United States.",
        &[
            I60,
            basin(Port::number(
                "steep_share",
                "share of the basin steeper than 30 percent",
                "%",
                0.0,
                100.0,
            )),
            RUGGEDNESS,
            basin(Port::number(
                "burned_share",
                "share burned at moderate or high severity",
                "%",
                0.0,
                100.0,
            )),
            basin(Port::number(
                "clay_content",
                "mean clay content of the soil",
                "%",
                0.0,
                100.0,
            )),
            basin(Port::number(
                "liquid_limit",
                "mean liquid limit of the soil",
                "%",
                0.0,
                200.0,
            )),
        ],
        &[LIKELIHOOD],
        &[INTERMOUNTAIN, RECENT, SUPERSEDED],
        &["reproduces_cannon_2010_intermountain"],
        survey_2010::CANNON_2010,
    ),
    evaluate: |a| {
        let basin = IntermountainBasin {
            steep_share: Ratio::percent(a.number("steep_share")),
            ruggedness: Ratio::fraction(a.number("ruggedness")),
            burned_share: Ratio::percent(a.number("burned_share")),
            clay_content: Ratio::percent(a.number("clay_content")),
            liquid_limit: Ratio::percent(a.number("liquid_limit")),
        };
        let rain = Speed::millimetres_per_hour(a.number("rainfall_intensity"));
        let p = survey_2010::intermountain_likelihood(&basin, rain)?;
        Ok(vec![Output::Number(p.to_fraction())])
    },
};

const INTERMOUNTAIN_VOLUME: Registration = Registration {
    capability: formula(
        "gartner-2008-intermountain-volume",
        "Volume of a post-fire debris flow in the intermountain western United States.",
        &[
            basin(Port::number(
                "steep_area",
                "area steeper than 30 percent",
                "km2",
                0.0,
                1e4,
            )),
            BURNED_AREA,
            storm(Port::number(
                "rainfall",
                "rain accumulated over 60 minutes",
                "mm",
                0.0,
                2000.0,
            )),
        ],
        &[PLAIN_VOLUME],
        &[INTERMOUNTAIN, RECENT, SUPERSEDED],
        &["reproduces_gartner_2008_intermountain"],
        survey_2010::GARTNER_2008,
    ),
    evaluate: |a| {
        let volume = survey_2010::intermountain_volume(
            Area::square_kilometres(a.number("steep_area")),
            Area::square_kilometres(a.number("burned_area")),
            Length::millimetres(a.number("rainfall")),
        )?;
        Ok(vec![Output::Number(volume.to_cubic_metres())])
    },
};

const SURVEY_VOLUME: Registration = Registration {
    capability: formula(
        "usgs-southern-california-volume",
        "Volume of a post-fire debris flow by the equation on the Geological Survey's pages.",
        &[I15, BURNED_AREA, RELIEF],
        &[PLAIN_VOLUME],
        &[SOUTHERN_CALIFORNIA, RECENT],
        &["reproduces_usgs_2020_southern_california"],
        survey_2010::SOURCE,
    ),
    evaluate: |a| {
        let volume = survey_2010::southern_california_volume(
            Speed::millimetres_per_hour(a.number("rainfall_intensity")),
            Area::square_kilometres(a.number("burned_area")),
            Length::metres(a.number("relief")),
        )?;
        Ok(vec![Output::Number(volume.to_cubic_metres())])
    },
};

fn bands(a: &Arguments<'_>) -> [BandPair; 2] {
    let pair = |near, short| BandPair {
        near_infrared: a.number(near),
        shortwave_infrared: a.number(short),
    };
    [
        pair("near_infrared_before", "shortwave_infrared_before"),
        pair("near_infrared_after", "shortwave_infrared_after"),
    ]
}

const BANDS: &[Port] = &[NIR_BEFORE, SWIR_BEFORE, NIR_AFTER, SWIR_AFTER];
const SEVERITY: Port = Port::label("severity", "burn severity", &Severity::WORDS)
    .over(Support::Cell, Support::Instant);
const UNCHANGED: Condition = Condition {
    variable: "phenology",
    requirement: Requirement::Stated,
    reading: "both images show the same season, and what changed outside the fire is taken off",
    strictness: Strictness::Advisory,
    citation: KEY_BENSON_2006,
};
const CELL: Cost = Cost {
    nanoseconds: 50.0,
    per: "cell",
};

const DIFFERENCED: Registration = Registration {
    capability: Capability {
        cost: CELL,
        ..formula(
            "burn-severity-dnbr",
            "Differenced normalised burn ratio and burn severity from two pairs of bands.",
            BANDS,
            &[
                Port::number(
                    "dnbr",
                    "differenced normalised burn ratio, times 1000",
                    "1",
                    -2000.0,
                    2000.0,
                )
                .over(Support::Cell, Support::Interval),
                SEVERITY,
            ],
            &[UNCHANGED],
            &["reproduces_key_benson_2006_classes"],
            KEY_BENSON_2006,
        )
    },
    evaluate: |a| {
        let [before, after] = bands(a);
        let ratio = burn_severity::differenced_ratio(before, after)?;
        Ok(vec![
            Output::Number(ratio),
            Output::Word(burn_severity::severity(ratio).word()),
        ])
    },
};

const RELATIVE: Registration = Registration {
    capability: Capability {
        cost: CELL,
        ..formula(
            "burn-severity-rdnbr",
            "Relative differenced normalised burn ratio and burn severity from two pairs of bands.",
            BANDS,
            &[
                Port::number(
                    "rdnbr",
                    "relative differenced normalised burn ratio",
                    "1",
                    -INF,
                    INF,
                )
                .over(Support::Cell, Support::Interval),
                SEVERITY,
            ],
            &[UNCHANGED],
            &["reproduces_miller_thode_2007_classes"],
            MILLER_THODE_2007,
        )
    },
    evaluate: |a| {
        let [before, after] = bands(a);
        let ratio = burn_severity::relative_ratio(before, after)?;
        let severity = burn_severity::relative_severity(ratio);
        Ok(vec![Output::Number(ratio), Output::Word(severity.word())])
    },
};

const RUNOUT: Registration = Registration {
    capability: formula(
        "griswold-iverson-2008-inundation",
        "Cross-section and area that a flow of a given volume inundates.",
        &[
            storm(Port::number(
                "volume",
                "volume of the flow",
                "m3",
                0.0,
                1e12,
            )),
            storm(Port::label("flow", "kind of flow", &FlowKind::WORDS)),
        ],
        &[
            storm(Port::number(
                "cross_section",
                "largest cross-section that is filled",
                "m2",
                0.0,
                INF,
            )),
            storm(Port::number(
                "inundated_area",
                "area covered, seen from above",
                "m2",
                0.0,
                INF,
            )),
        ],
        &[],
        &["reproduces_griswold_iverson_2008_coefficients"],
        griswold_iverson_2008::SOURCE,
    ),
    evaluate: |a| {
        let kind = FlowKind::parse(a.word("flow")).unwrap_or(FlowKind::DebrisFlow);
        let volume = Volume::cubic_metres(a.number("volume"));
        let reach = griswold_iverson_2008::inundation(kind, volume)?;
        Ok(vec![
            Output::Number(reach.cross_section.to_square_metres()),
            Output::Number(reach.planimetric.to_square_metres()),
        ])
    },
};

const CHAIN: Registration = Registration {
    capability: Capability {
        kind: CapabilityKind::Coupling,
        ..formula(
            "postfire-hazard-chain",
            "Likelihood (Staley 2017 M1, 15 minutes), volume (Gartner 2014) and class (Cannon \
             2010) of a burned basin in one storm.",
            &[I15, SHARE_23, DNBR, KF, BURNED_AREA, RELIEF],
            &[
                LIKELIHOOD,
                VOLUME,
                VOLUME_LOWER,
                VOLUME_UPPER,
                CLASS,
                storm(Port::label(
                    "hazard_class_lower",
                    "class at the lower end of the volume's interval",
                    CLASSES,
                )),
                storm(Port::label(
                    "hazard_class_upper",
                    "class at the upper end of the volume's interval",
                    CLASSES,
                )),
            ],
            &[WEST, RECENT, BASIN_SIZE, DESIGN_STORM, NO_SUPPLY],
            &[
                "reproduces_staley_2017_m1",
                "reproduces_gartner_2014_emergency",
                "reproduces_cannon_2010_classes",
            ],
            SURVEY_BACKGROUND,
        )
    },
    evaluate: |a| {
        let basin = AssessedBasin {
            steep_burned_share: Ratio::fraction(a.number("steep_burned_share")),
            mean_dnbr: a.number("mean_dnbr"),
            soil_erodibility: a.number("soil_erodibility"),
            burned_area: Area::square_kilometres(a.number("burned_area")),
            relief: Length::metres(a.number("relief")),
        };
        let rain = Speed::millimetres_per_hour(a.number("rainfall_intensity"));
        let result = chain::assess(&basin, rain)?;
        let class = |class: HazardClass| Output::Word(class.word());
        Ok(vec![
            Output::Number(result.likelihood.to_fraction()),
            Output::Number(result.volume.median.to_cubic_metres()),
            Output::Number(result.volume.lower.to_cubic_metres()),
            Output::Number(result.volume.upper.to_cubic_metres()),
            class(result.class),
            class(result.class_at_lower_volume),
            class(result.class_at_upper_volume),
        ])
    },
};

const fn unavailable(
    name: &'static str,
    function: &'static str,
    kind: CapabilityKind,
    reason: &'static str,
    citation: Citation,
) -> Registration {
    Registration {
        capability: Capability {
            kind,
            availability: Availability::Unavailable(reason),
            ..formula(name, function, &[], &[], &[], &[], citation)
        },
        evaluate: |_| Ok(Vec::new()),
    }
}

const WESTERN_VOLUME: Registration = unavailable(
    "gorr-2026-west-volume",
    "Volume of post-fire debris flows in the western United States, rain normalised by a local \
     recurrence interval.",
    CapabilityKind::Formula,
    "coefficients not supplied",
    Citation {
        authors: "Gorr and others",
        year: 2026,
        doi: "doi:10.5194/nhess-26-2111-2026",
        place: "WEST model",
    },
);
const IMAGERY_MODEL: Registration = unavailable(
    "imagery-model-burn-severity",
    "Burn severity mapped by a foundation model of satellite imagery.",
    CapabilityKind::LearnedModel,
    "weights not supplied",
    KEY_BENSON_2006,
);
const ORLAND: Registration = unavailable(
    "orland-2022-postfire-trees",
    "Post-fire debris-flow susceptibility by gradient-boosted trees.",
    CapabilityKind::LearnedModel,
    "weights not supplied",
    Citation {
        authors: "Orland, Kirschbaum & Stanley",
        year: 2022,
        doi: "doi:10.1029/2022GL099850",
        place: "model",
    },
);
const CANNON_2008: Registration = unavailable(
    "cannon-2008-intensity-duration",
    "Rainfall intensity above which recently burned basins give debris flows, by duration.",
    CapabilityKind::Formula,
    "coefficients not verified",
    Citation {
        authors: "Cannon, Gartner, Wilson, Bowers & Laber",
        year: 2008,
        doi: "doi:10.1016/j.geomorph.2007.03.019",
        place: "intensity-duration thresholds",
    },
);

/// Every registration of the track.
pub static ALL: &[Registration] = &[
    STALEY[0][0],
    STALEY[0][1],
    STALEY[1][0],
    STALEY[1][1],
    STALEY[2][0],
    STALEY[2][1],
    STALEY[3][0],
    STALEY[3][1],
    GARTNER_EMERGENCY,
    GARTNER_LONG_TERM,
    CANNON_CLASS,
    INTERMOUNTAIN_LIKELIHOOD,
    INTERMOUNTAIN_VOLUME,
    SURVEY_VOLUME,
    DIFFERENCED,
    RELATIVE,
    RUNOUT,
    CHAIN,
    WESTERN_VOLUME,
    IMAGERY_MODEL,
    ORLAND,
    CANNON_2008,
];
