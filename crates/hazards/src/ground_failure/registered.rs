//! Registrations of the ground-failure models: ports, conditions in our words, validation.

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

fn moved(displacement: Displacement) -> Vec<Output> {
    let deviation = displacement.ln_standard_deviation;
    vec![
        Output::Number(displacement.median.to_metres()),
        deviation.map_or(Output::Nothing, Output::Number),
    ]
}

const MOVED: &[Port] = &[DISPLACEMENT, LN_DEVIATION];

macro_rules! regression {
    ($name:literal, $function:literal, $inputs:expr, $conditions:expr, $validation:literal, $citation:expr, $run:expr) => {
        Registration {
            capability: formula(
                $name,
                $function,
                $inputs,
                MOVED,
                $conditions,
                &[$validation],
                $citation,
            ),
            evaluate: |a| {
                let run: fn(&Arguments<'_>) -> Result<Displacement, HazardError> = $run;
                run(a).map(moved)
            },
        }
    };
}

const NEWMARK_CONDITIONS: &[Condition] = &[RIGID, NO_PORE_PRESSURE, JIBSON_MAGNITUDES];
const PLAIN_CONDITIONS: &[Condition] = &[RIGID, NO_PORE_PRESSURE];

const FACTOR_OF_SAFETY: Registration = Registration {
    capability: formula(
        "infinite-slope-safety",
        "Factor of safety and critical acceleration of an infinite slope.",
        &[
            SLOPE,
            COHESION,
            FRICTION,
            ground(Port::number(
                "saturation",
                "saturated share of the slab's thickness",
                "fraction",
                0.0,
                1.0,
            )),
            ground(Port::number(
                "slab_thickness",
                "thickness at right angles to the slope",
                "m",
                0.0,
                1000.0,
            )),
            ground(Port::number(
                "density",
                "density of the slab without its water",
                "kg/m3",
                0.0,
                1e4,
            )),
        ],
        &[
            ground(Port::number(
                "factor_of_safety",
                "factor of safety at rest",
                "1",
                0.0,
                INF,
            )),
            CRITICAL,
        ],
        &[],
        &["reproduces_jibson_2000_infinite_slope", "oracles"],
        newmark::JIBSON_2000,
    ),
    evaluate: |a| {
        let slope = Angle::degrees(a.number("slope"));
        let safety = newmark::infinite_slope(&SlidingSlab {
            slope,
            cohesion: Pressure::pascals(a.number("cohesion")),
            friction_angle: Angle::degrees(a.number("friction_angle")),
            saturation: Ratio::fraction(a.number("saturation")),
            thickness: Length::metres(a.number("slab_thickness")),
            density: Density::kilograms_per_cubic_metre(a.number("density")),
        })?;
        // A slope that water alone brings down has a negative factor; it does not stand.
        let stands = Ratio::fraction(safety.to_fraction().max(0.0));
        let critical = newmark::critical_acceleration(stands, slope)?;
        Ok(vec![
            Output::Number(stands.to_fraction()),
            Output::Number(critical.to_g()),
        ])
    },
};

const JIBSON_A: Registration = regression!(
    "jibson-2007-displacement",
    "Newmark displacement from the ratio of critical to peak acceleration.",
    &[PGA, CRITICAL],
    NEWMARK_CONDITIONS,
    "reproduces_jibson_2007_equation_6",
    newmark::JIBSON_2007,
    |a| Ok(newmark::jibson_2007(ratio(a)?))
);
const JIBSON_B: Registration = regression!(
    "jibson-2007-displacement-magnitude",
    "Newmark displacement from the ratio of accelerations and the magnitude.",
    &[PGA, CRITICAL, MAGNITUDE],
    NEWMARK_CONDITIONS,
    "reproduces_jibson_2007_equation_7",
    newmark::JIBSON_2007,
    |a| newmark::jibson_2007_magnitude(ratio(a)?, a.number("magnitude"))
);
const JIBSON_ARIAS: Registration = regression!(
    "jibson-2007-displacement-arias",
    "Newmark displacement from Arias intensity and critical acceleration.",
    &[ARIAS, CRITICAL],
    NEWMARK_CONDITIONS,
    "reproduces_jibson_2007_equation_9",
    newmark::JIBSON_2007,
    |a| newmark::jibson_2007_arias(arias(a), critical(a))
);
const JIBSON_ARIAS_RATIO: Registration = regression!(
    "jibson-2007-displacement-arias-ratio",
    "Newmark displacement from Arias intensity and the ratio of accelerations.",
    &[ARIAS, PGA, CRITICAL],
    NEWMARK_CONDITIONS,
    "reproduces_jibson_2007_equation_10",
    newmark::JIBSON_2007,
    |a| newmark::jibson_2007_arias_ratio(arias(a), ratio(a)?)
);
const JIBSON_2000: Registration = regression!(
    "jibson-2000-displacement",
    "Newmark displacement from Arias intensity and critical acceleration, as mapped after the \
     Northridge earthquake.",
    &[ARIAS, CRITICAL],
    PLAIN_CONDITIONS,
    "reproduces_jibson_2000_displacement",
    newmark::JIBSON_2000,
    |a| newmark::jibson_2000(arias(a), critical(a))
);
const AMBRASEYS: Registration = regression!(
    "ambraseys-menu-1988-displacement",
    "Displacement of a slope from the ratio of accelerations.",
    &[PGA, CRITICAL],
    PLAIN_CONDITIONS,
    "reproduces_ambraseys_menu_1988",
    newmark::AMBRASEYS_MENU_1988,
    |a| Ok(newmark::ambraseys_menu_1988(ratio(a)?))
);
const RATHJE: Registration = regression!(
    "rathje-saygili-2009-displacement",
    "Displacement of a slope from the ratio of accelerations, PGA and magnitude.",
    &[PGA, CRITICAL, MAGNITUDE],
    PLAIN_CONDITIONS,
    "reproduces_rathje_saygili_2009",
    newmark::RATHJE_SAYGILI_2009,
    |a| newmark::rathje_saygili_2009(ratio(a)?, a.number("magnitude"))
);
const SAYGILI: Registration = regression!(
    "saygili-rathje-2008-displacement",
    "Displacement of a slope from the ratio of accelerations, PGA and PGV.",
    &[PGA, CRITICAL, PGV],
    PLAIN_CONDITIONS,
    "reproduces_saygili_rathje_2008",
    newmark::SAYGILI_RATHJE_2008,
    |a| newmark::saygili_rathje_2008(ratio(a)?, pgv(a))
);
const BRAY: Registration = regression!(
    "bray-travasarou-2007-displacement",
    "Displacement of a rigid slope from critical acceleration, PGA and magnitude.",
    &[PGA, CRITICAL, MAGNITUDE],
    PLAIN_CONDITIONS,
    "reproduces_bray_travasarou_2007",
    newmark::BRAY_TRAVASAROU_2007,
    |a| newmark::bray_travasarou_2007(critical(a), pga(a), a.number("magnitude"))
);
const FOTOPOULOU_A: Registration = regression!(
    "fotopoulou-pitilakis-2015-displacement-a",
    "Displacement of a slope from PGV, critical acceleration and magnitude.",
    &[PGV, CRITICAL, MAGNITUDE],
    &[],
    "reproduces_fotopoulou_pitilakis_2015_equation_8",
    newmark::FOTOPOULOU_PITILAKIS_2015,
    |a| newmark::fotopoulou_pitilakis_2015(FotopoulouPitilakis::A {
        velocity: pgv(a),
        critical: critical(a),
        magnitude: a.number("magnitude"),
    })
);
const FOTOPOULOU_B: Registration = regression!(
    "fotopoulou-pitilakis-2015-displacement-b",
    "Displacement of a slope from PGA, critical acceleration and magnitude.",
    &[PGA, CRITICAL, MAGNITUDE],
    &[],
    "reproduces_fotopoulou_pitilakis_2015_equation_9",
    newmark::FOTOPOULOU_PITILAKIS_2015,
    |a| newmark::fotopoulou_pitilakis_2015(FotopoulouPitilakis::B {
        peak: pga(a),
        critical: critical(a),
        magnitude: a.number("magnitude"),
    })
);
const FOTOPOULOU_C: Registration = regression!(
    "fotopoulou-pitilakis-2015-displacement-c",
    "Displacement of a slope from the ratio of accelerations, critical acceleration and magnitude.",
    &[PGA, CRITICAL, MAGNITUDE],
    &[],
    "reproduces_fotopoulou_pitilakis_2015_equation_10",
    newmark::FOTOPOULOU_PITILAKIS_2015,
    |a| newmark::fotopoulou_pitilakis_2015(FotopoulouPitilakis::C {
        ratio: ratio(a)?,
        critical: critical(a),
        magnitude: a.number("magnitude"),
    })
);
const FOTOPOULOU_D: Registration = regression!(
    "fotopoulou-pitilakis-2015-displacement-d",
    "Displacement of a slope from PGV, the ratio of accelerations and critical acceleration.",
    &[PGA, PGV, CRITICAL],
    &[],
    "reproduces_fotopoulou_pitilakis_2015_equation_12",
    newmark::FOTOPOULOU_PITILAKIS_2015,
    |a| newmark::fotopoulou_pitilakis_2015(FotopoulouPitilakis::D {
        velocity: pgv(a),
        ratio: ratio(a)?,
        critical: critical(a),
    })
);

const FAILURE_SHARE: Registration = Registration {
    capability: formula(
        "jibson-2000-failure-share",
        "Share of mapped cells that slid at a Newmark displacement.",
        &[DISPLACEMENT],
        &[cell(Port::number(
            "probability",
            "share of cells that slide",
            "fraction",
            0.0,
            0.335,
        ))],
        &[NORTHRIDGE],
        &["reproduces_jibson_2000_failure_share", "oracles"],
        newmark::JIBSON_2000,
    ),
    evaluate: |a| {
        let share = newmark::failure_share(Length::metres(a.number("displacement")))?;
        Ok(vec![Output::Number(share.to_fraction())])
    },
};

const BLOCK: Registration = Registration {
    capability: Capability {
        kind: CapabilityKind::NumericalModel,
        cost: Cost {
            nanoseconds: 10.0,
            per: "sample",
        },
        ..formula(
            "newmark-rigid-block",
            "Displacement of a rigid block through a recorded acceleration, integrated exactly.",
            &[
                Port::series(
                    "acceleration",
                    "acceleration parallel to the slope, positive where it pushes downslope",
                    "g",
                )
                .over(Support::Point, Support::Instant),
                CRITICAL,
            ],
            &[
                DISPLACEMENT,
                cell(Port::number(
                    "displacement_at_samples",
                    "the same by the trapezoids of the Survey's programs",
                    "m",
                    0.0,
                    INF,
                )),
            ],
            PLAIN_CONDITIONS,
            &["reproduces_newmark_1965_pulse", "oracles"],
            rigid_sliding_block::SOURCE,
        )
    },
    evaluate: |a| {
        let (record, step) = a.series("acceleration");
        let (step, critical) = (Span::seconds(step), critical(a));
        let exact = rigid_sliding_block::displacement(record, step, critical)?;
        let coarse = rigid_sliding_block::displacement_at_samples(record, step, critical)?;
        Ok(vec![
            Output::Number(exact.to_metres()),
            Output::Number(coarse.to_metres()),
        ])
    },
};

fn landslides(a: &Arguments<'_>, variant: Variant) -> Result<Vec<Output>, HazardError> {
    let slope = Angle::degrees(a.number("slope"));
    let ground = ShakenGround {
        peak_velocity: pgv(a),
        peak_acceleration: a.optional("peak_ground_acceleration").map(Acceleration::g),
        slope,
        lithology: Lithology::parse(a.word("lithology"))?,
        land_cover: LandCover::parse(a.word("land_cover"))?,
        topographic_index: a.number("topographic_index"),
    };
    let estimate = nowicki_jessee_2018::estimate(&ground, variant)?;
    let deviation = a.optional("ln_velocity_deviation").map(|deviation| {
        nowicki_jessee_2018::coverage_deviation(
            estimate.probability,
            slope,
            deviation,
            nowicki_jessee_2018::DEFAULT_LOGIT_DEVIATION,
        )
    });
    Ok(vec![
        Output::Number(estimate.probability.to_fraction()),
        Output::Number(estimate.coverage.to_fraction()),
        deviation.map_or(Output::Nothing, Output::Number),
    ])
}

const LITHOLOGY: Port = ground(Port::label(
    "lithology",
    "rock, by its GLiM code",
    Lithology::CODES,
));
const LAND_COVER: Port = ground(Port::label(
    "land_cover",
    "land cover, by its GlobCover code",
    LandCover::CODES,
));
const LN_PGV_DEVIATION: Port = cell(Port::number(
    "ln_velocity_deviation",
    "standard deviation of the natural logarithm of PGV",
    "1",
    0.0,
    3.0,
))
.optional();
const SLID_DEVIATION: Port = cell(Port::number(
    "coverage_deviation",
    "standard deviation of the coverage",
    "fraction",
    0.0,
    1.0,
));
const LANDSLIDE_OUTPUTS: &[Port] = &[LANDSLIDE, SLID, SLID_DEVIATION];

const NOWICKI_JESSEE: Registration = Registration {
    capability: formula(
        "nowicki-jessee-2018-landslides",
        "Probability and coverage of landslides where an earthquake shook the ground, as published.",
        &[PGV, SLOPE, LITHOLOGY, LAND_COVER, INDEX, LN_PGV_DEVIATION],
        LANDSLIDE_OUTPUTS,
        &[REGIONAL, STEEP, TRIGGERED],
        &["reproduces_nowicki_jessee_2018_published", "oracles"],
        nowicki_jessee_2018::SOURCE,
    ),
    evaluate: |a| landslides(a, Variant::Published),
};
const NOWICKI_JESSEE_OPERATIONAL: Registration = Registration {
    capability: formula(
        "nowicki-jessee-2018-landslides-operational",
        "Probability and coverage of landslides with the limits the Geological Survey applies.",
        &[
            PGV,
            PGA,
            SLOPE,
            LITHOLOGY,
            LAND_COVER,
            INDEX,
            LN_PGV_DEVIATION,
        ],
        LANDSLIDE_OUTPUTS,
        &[REGIONAL, STEEP, TRIGGERED],
        &["reproduces_allstadt_2022_landslides", "oracles"],
        nowicki_jessee_2018::ALLSTADT_2022,
    ),
    evaluate: |a| landslides(a, Variant::Operational),
};

const NOWICKI_2014: Registration = Registration {
    capability: formula(
        "nowicki-2014-landslides",
        "Probability of landslides where an earthquake shook the ground, first global regression.",
        &[PGA, SLOPE, FRICTION, INDEX],
        &[LANDSLIDE],
        &[REGIONAL, TRIGGERED],
        &["reproduces_nowicki_2014_closed_form"],
        nowicki_2014::SOURCE,
    ),
    evaluate: |a| {
        let p = nowicki_2014::probability(
            pga(a),
            Angle::degrees(a.number("slope")),
            Angle::degrees(a.number("friction_angle")),
            a.number("topographic_index"),
        )?;
        Ok(vec![Output::Number(p.to_fraction())])
    },
};

const fn slope_at(name: &'static str, variable: &'static str) -> Port {
    ground(Port::number(name, variable, "deg", 0.0, 90.0))
}

const GODT: Registration = Registration {
    capability: formula(
        "godt-2008-landslides",
        "Share of a cell that slides, from the slopes it holds.",
        &[
            PGA,
            slope_at("slope_lowest", "lowest slope of the cell"),
            slope_at(
                "slope_10",
                "slope that 10 percent of the cell do not exceed",
            ),
            slope_at(
                "slope_30",
                "slope that 30 percent of the cell do not exceed",
            ),
            slope_at("slope_50", "slope that half of the cell does not exceed"),
            slope_at(
                "slope_70",
                "slope that 70 percent of the cell do not exceed",
            ),
            slope_at(
                "slope_90",
                "slope that 90 percent of the cell do not exceed",
            ),
            slope_at("slope_highest", "highest slope of the cell"),
            COHESION,
            FRICTION,
            ground(Port::number(
                "unit_weight",
                "weight per volume",
                "kN/m3",
                1.0,
                50.0,
            )),
            ground(Port::number(
                "slab_thickness",
                "thickness of the slab",
                "m",
                0.0,
                100.0,
            ))
            .or(2.4),
        ],
        &[SLID],
        &[REGIONAL, DRY, TRIGGERED],
        &["reproduces_godt_2008_coverage_steps"],
        godt_2008::SOURCE,
    ),
    evaluate: |a| {
        let slopes = [
            "slope_lowest",
            "slope_10",
            "slope_30",
            "slope_50",
            "slope_70",
            "slope_90",
            "slope_highest",
        ];
        let cell = SlopedCell {
            slopes: slopes.map(|name| Angle::degrees(a.number(name))),
            cohesion: Pressure::pascals(a.number("cohesion")),
            friction_angle: Angle::degrees(a.number("friction_angle")),
            unit_weight: 1000.0 * a.number("unit_weight"),
            thickness: Length::metres(a.number("slab_thickness")),
        };
        let share = godt_2008::coverage(&cell, pga(a), &godt_2008::Limits::default())?;
        Ok(vec![Output::Number(share.to_fraction())])
    },
};

fn liquefied(estimate: LiquefactionEstimate) -> Vec<Output> {
    let mut outputs = vec![Output::Number(estimate.probability.to_fraction())];
    outputs.extend(
        estimate
            .coverage
            .map(|share| Output::Number(share.to_fraction())),
    );
    outputs.push(Output::Word(if estimate.occurs { "yes" } else { "no" }));
    outputs
}

fn wet(a: &Arguments<'_>) -> WetGround {
    WetGround {
        peak_velocity: pgv(a),
        vs30: Speed::metres_per_second(a.number("vs30")),
        annual_precipitation: Length::millimetres(a.number("annual_precipitation")),
        distance_to_water: Length::kilometres(a.number("distance_to_water")),
        water_table_depth: Length::metres(a.number("water_table_depth")),
    }
}

const ZHU_2015: Registration = Registration {
    capability: formula(
        "zhu-2015-liquefaction",
        "Probability of liquefaction from PGA, magnitude, wetness index and shear-wave velocity.",
        &[PGA, MAGNITUDE, INDEX, VS30],
        &[LIQUEFACTION, OCCURS],
        &[REGIONAL, FLAT],
        &["reproduces_zhu_2015_general", "oracles"],
        zhu::ZHU_2015,
    ),
    evaluate: |a| {
        let vs30 = Speed::metres_per_second(a.number("vs30"));
        let index = a.number("topographic_index");
        zhu::general_2015(pga(a), a.number("magnitude"), index, vs30).map(liquefied)
    },
};
const ZHU_GENERAL: Registration = Registration {
    capability: formula(
        "zhu-2017-liquefaction",
        "Probability and coverage of liquefaction away from coasts.",
        &[PGV, VS30, RAIN, TO_WATER, WATER_TABLE],
        &[LIQUEFACTION, LIQUEFIED, OCCURS],
        &[REGIONAL, FLAT, NOT_COASTAL],
        &["reproduces_zhu_2017_general", "oracles"],
        zhu::ZHU_2017,
    ),
    evaluate: |a| zhu::general_2017(&wet(a)).map(liquefied),
};
const ZHU_COASTAL: Registration = Registration {
    capability: formula(
        "zhu-2017-liquefaction-coastal",
        "Probability and coverage of liquefaction in events near a coast.",
        &[PGV, VS30, RAIN, TO_COAST, TO_RIVER],
        &[LIQUEFACTION, LIQUEFIED, OCCURS],
        &[REGIONAL, FLAT, COASTAL],
        &["reproduces_zhu_2017_coastal", "oracles"],
        zhu::ZHU_2017,
    ),
    evaluate: |a| {
        let ground = CoastalGround {
            peak_velocity: pgv(a),
            vs30: Speed::metres_per_second(a.number("vs30")),
            annual_precipitation: Length::millimetres(a.number("annual_precipitation")),
            distance_to_coast: Length::kilometres(a.number("distance_to_coast")),
            distance_to_river: Length::kilometres(a.number("distance_to_river")),
        };
        zhu::coastal_2017(&ground).map(liquefied)
    },
};
const RASHIDIAN: Registration = Registration {
    capability: formula(
        "rashidian-baise-2020-liquefaction",
        "Probability and coverage of liquefaction with thresholds of acceleration and rain.",
        &[PGA, PGV, VS30, RAIN, TO_WATER, WATER_TABLE],
        &[LIQUEFACTION, LIQUEFIED, OCCURS],
        &[REGIONAL, FLAT],
        &["reproduces_rashidian_baise_2020", "oracles"],
        zhu::RASHIDIAN_BAISE_2020,
    ),
    evaluate: |a| zhu::rashidian_baise_2020(&wet(a), pga(a)).map(liquefied),
};
const ALLSTADT: Registration = Registration {
    capability: formula(
        "allstadt-2022-liquefaction",
        "Probability and coverage of liquefaction as the Geological Survey runs the 2017 model.",
        &[PGA, PGV, MAGNITUDE, VS30, RAIN, TO_WATER, WATER_TABLE],
        &[LIQUEFACTION, LIQUEFIED, OCCURS],
        &[REGIONAL, FLAT, TRIGGERED],
        &["reproduces_allstadt_2022_liquefaction", "oracles"],
        zhu::ALLSTADT_2022,
    ),
    evaluate: |a| zhu::operational_2022(&wet(a), pga(a), a.number("magnitude")).map(liquefied),
};

const HAZUS: Registration = Registration {
    capability: formula(
        "hazus-liquefaction",
        "Probability of liquefaction, lateral spread and settlement of ground of a class.",
        &[
            PGA,
            MAGNITUDE,
            CLASSES,
            ground(Port::number(
                "groundwater_depth",
                "depth to groundwater",
                "ft",
                0.0,
                1000.0,
            ))
            .or(5.0),
        ],
        &[
            LIQUEFACTION,
            cell(Port::number(
                "lateral_spread",
                "displacement by lateral spreading, should it liquefy",
                "m",
                0.0,
                INF,
            )),
            cell(Port::number(
                "settlement",
                "settlement, should it liquefy",
                "m",
                0.0,
                INF,
            )),
        ],
        &[REGIONAL],
        &["reproduces_hazus_2010_tables", "oracles"],
        hazus::SOURCE,
    ),
    evaluate: |a| {
        let class = Susceptibility::parse(a.word("susceptibility"))?;
        let (peak, magnitude) = (pga(a), a.number("magnitude"));
        let depth = Length::feet(a.number("groundwater_depth"));
        let p = hazus::liquefaction_probability(peak, magnitude, class, depth)?;
        let spread = hazus::lateral_spread(peak, magnitude, class)?;
        Ok(vec![
            Output::Number(p.to_fraction()),
            Output::Number(spread.to_metres()),
            Output::Number(hazus::settlement(class).to_metres()),
        ])
    },
};

/// Every registration of the track.
pub static ALL: &[Registration] = &[
    FACTOR_OF_SAFETY,
    JIBSON_A,
    JIBSON_B,
    JIBSON_ARIAS,
    JIBSON_ARIAS_RATIO,
    JIBSON_2000,
    AMBRASEYS,
    RATHJE,
    SAYGILI,
    BRAY,
    FOTOPOULOU_A,
    FOTOPOULOU_B,
    FOTOPOULOU_C,
    FOTOPOULOU_D,
    FAILURE_SHARE,
    BLOCK,
    NOWICKI_JESSEE,
    NOWICKI_JESSEE_OPERATIONAL,
    NOWICKI_2014,
    GODT,
    ZHU_2015,
    ZHU_GENERAL,
    ZHU_COASTAL,
    RASHIDIAN,
    ALLSTADT,
    HAZUS,
];
