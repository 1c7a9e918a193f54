//! Slopes that slide: factors of safety, Newmark regressions, the rigid sliding block.

use super::*;

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

pub(super) const FACTOR_OF_SAFETY: Registration = Registration {
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

pub(super) const JIBSON_A: Registration = regression!(
    "jibson-2007-displacement",
    "Newmark displacement from the ratio of critical to peak acceleration.",
    &[PGA, CRITICAL],
    NEWMARK_CONDITIONS,
    "reproduces_jibson_2007_equation_6",
    newmark::JIBSON_2007,
    |a| Ok(newmark::jibson_2007(ratio(a)?))
);
pub(super) const JIBSON_B: Registration = regression!(
    "jibson-2007-displacement-magnitude",
    "Newmark displacement from the ratio of accelerations and the magnitude.",
    &[PGA, CRITICAL, MAGNITUDE],
    NEWMARK_CONDITIONS,
    "reproduces_jibson_2007_equation_7",
    newmark::JIBSON_2007,
    |a| newmark::jibson_2007_magnitude(ratio(a)?, a.number("magnitude"))
);
pub(super) const JIBSON_ARIAS: Registration = regression!(
    "jibson-2007-displacement-arias",
    "Newmark displacement from Arias intensity and critical acceleration.",
    &[ARIAS, CRITICAL],
    NEWMARK_CONDITIONS,
    "reproduces_jibson_2007_equation_9",
    newmark::JIBSON_2007,
    |a| newmark::jibson_2007_arias(arias(a), critical(a))
);
pub(super) const JIBSON_ARIAS_RATIO: Registration = regression!(
    "jibson-2007-displacement-arias-ratio",
    "Newmark displacement from Arias intensity and the ratio of accelerations.",
    &[ARIAS, PGA, CRITICAL],
    NEWMARK_CONDITIONS,
    "reproduces_jibson_2007_equation_10",
    newmark::JIBSON_2007,
    |a| newmark::jibson_2007_arias_ratio(arias(a), ratio(a)?)
);
pub(super) const JIBSON_2000: Registration = regression!(
    "jibson-2000-displacement",
    "Newmark displacement from Arias intensity and critical acceleration, as mapped after the \
     Northridge earthquake.",
    &[ARIAS, CRITICAL],
    PLAIN_CONDITIONS,
    "reproduces_jibson_2000_displacement",
    newmark::JIBSON_2000,
    |a| newmark::jibson_2000(arias(a), critical(a))
);
pub(super) const AMBRASEYS: Registration = regression!(
    "ambraseys-menu-1988-displacement",
    "Displacement of a slope from the ratio of accelerations.",
    &[PGA, CRITICAL],
    PLAIN_CONDITIONS,
    "reproduces_ambraseys_menu_1988",
    newmark::AMBRASEYS_MENU_1988,
    |a| Ok(newmark::ambraseys_menu_1988(ratio(a)?))
);
pub(super) const RATHJE: Registration = regression!(
    "rathje-saygili-2009-displacement",
    "Displacement of a slope from the ratio of accelerations, PGA and magnitude.",
    &[PGA, CRITICAL, MAGNITUDE],
    PLAIN_CONDITIONS,
    "reproduces_rathje_saygili_2009",
    newmark::RATHJE_SAYGILI_2009,
    |a| newmark::rathje_saygili_2009(ratio(a)?, a.number("magnitude"))
);
pub(super) const SAYGILI: Registration = regression!(
    "saygili-rathje-2008-displacement",
    "Displacement of a slope from the ratio of accelerations, PGA and PGV.",
    &[PGA, CRITICAL, PGV],
    PLAIN_CONDITIONS,
    "reproduces_saygili_rathje_2008",
    newmark::SAYGILI_RATHJE_2008,
    |a| newmark::saygili_rathje_2008(ratio(a)?, pgv(a))
);
pub(super) const BRAY: Registration = regression!(
    "bray-travasarou-2007-displacement",
    "Displacement of a rigid slope from critical acceleration, PGA and magnitude.",
    &[PGA, CRITICAL, MAGNITUDE],
    PLAIN_CONDITIONS,
    "reproduces_bray_travasarou_2007",
    newmark::BRAY_TRAVASAROU_2007,
    |a| newmark::bray_travasarou_2007(critical(a), pga(a), a.number("magnitude"))
);
pub(super) const FOTOPOULOU_A: Registration = regression!(
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
pub(super) const FOTOPOULOU_B: Registration = regression!(
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
pub(super) const FOTOPOULOU_C: Registration = regression!(
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
pub(super) const FOTOPOULOU_D: Registration = regression!(
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

pub(super) const FAILURE_SHARE: Registration = Registration {
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

pub(super) const BLOCK: Registration = Registration {
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
