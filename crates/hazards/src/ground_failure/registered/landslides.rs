//! Landslides over wide areas: Nowicki Jessee, Nowicki, Godt.

use super::*;

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

pub(super) const NOWICKI_JESSEE: Registration = Registration {
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
pub(super) const NOWICKI_JESSEE_OPERATIONAL: Registration = Registration {
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

pub(super) const NOWICKI_2014: Registration = Registration {
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

pub(super) const GODT: Registration = Registration {
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
