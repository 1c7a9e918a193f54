//! Class of hazard, area reached, and the chain from severity to class.

use super::*;
use crate::postfire_debris_flow::hazard_map::{self, Burn};

pub(super) const CANNON_CLASS: Registration = Registration {
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

pub(super) const RUNOUT: Registration = Registration {
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

pub(super) const CHAIN: Registration = Registration {
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

const CELL_CLASS: &str = "1 low, 2 moderate, 3 high, 0 outside burned basins";

pub(super) const MAP: Registration = Registration {
    capability: Capability {
        kind: CapabilityKind::Coupling,
        ..formula(
            "postfire-hazard-map",
            "Basins of an elevation model with likelihood, volume and class of each in one storm.",
            &[
                Port::grid("elevation", "elevation", "m").at("10 m"),
                Port::grid("dnbr", "differenced normalised burn ratio times 1000", "1"),
                I15,
                KF,
                basin(Port::number(
                    "smallest_basin",
                    "smallest basin assessed",
                    "km2",
                    1e-4,
                    1e4,
                ))
                .or(0.02),
                basin(Port::number(
                    "largest_basin",
                    "largest basin assessed",
                    "km2",
                    1e-4,
                    1e4,
                ))
                .or(8.0),
            ],
            &[
                Port::grid("hazard_class", CELL_CLASS, "1"),
                Port::grid(
                    "hazard_class_lower",
                    "class at the lower end of the volume",
                    "1",
                ),
                Port::grid(
                    "hazard_class_upper",
                    "class at the upper end of the volume",
                    "1",
                ),
                Port::grid("likelihood", "likelihood of a debris flow", "fraction"),
                Port::grid("volume", "volume, should one come", "m3"),
                Port::grid("basin", "number of the basin, 0 outside", "1"),
                basin(Port::number(
                    "burned_basins",
                    "burned basins found",
                    "1",
                    0.0,
                    INF,
                )),
            ],
            &[WEST, RECENT, DESIGN_STORM, NO_SUPPLY],
            &["a_burned_valley_has_a_class_and_an_unburned_one_none"],
            SURVEY_BACKGROUND,
        )
    },
    evaluate: |a| {
        let burn = Burn {
            dnbr: a.grid("dnbr")?,
            soil_erodibility: a.number("soil_erodibility"),
            smallest: Area::square_kilometres(a.number("smallest_basin")),
            largest: Area::square_kilometres(a.number("largest_basin")),
        };
        let storm = Speed::millimetres_per_hour(a.number("rainfall_intensity"));
        let map = hazard_map::map(a.grid("elevation")?, &burn, storm)?;
        let count = map.basins.len() as f64;
        let grids = [
            map.class,
            map.class_lower,
            map.class_upper,
            map.likelihood,
            map.volume,
            map.basin,
        ];
        let mut outputs: Vec<Output> = grids.into_iter().map(Output::Layer).collect();
        outputs.push(Output::Number(count));
        Ok(outputs)
    },
};
