//! Liquefaction: Zhu with its variants, Hazus, the liquefaction potential index.

use lahar_core::Quantity;

use super::*;
use crate::ground_failure::liquefaction_potential::{self, Layer};
use crate::registry::arguments::ANY_UNIT;

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

pub(super) const ZHU_2015: Registration = Registration {
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
pub(super) const ZHU_GENERAL: Registration = Registration {
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
pub(super) const ZHU_COASTAL: Registration = Registration {
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
pub(super) const RASHIDIAN: Registration = Registration {
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
pub(super) const ALLSTADT: Registration = Registration {
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

pub(super) const HAZUS: Registration = Registration {
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

const SEVERITIES: &[&str] = &["very_low", "low", "high", "very_high"];

pub(super) const POTENTIAL: Registration = Registration {
    capability: formula(
        "iwasaki-1982-liquefaction-potential",
        "Liquefaction potential index of a soil column and its class.",
        &[
            Port::series(
                "factor_of_safety",
                "factor of safety against liquefaction of layers of one thickness, the upper one \
                 first; the step is that thickness",
                ANY_UNIT,
            )
            .over(Support::Column, Support::Event),
            ground(Port::number(
                "top",
                "depth of the first layer's top",
                "m",
                0.0,
                1e4,
            ))
            .or(0.0),
        ],
        &[
            ground(Port::number(
                "potential_index",
                "liquefaction potential index",
                "1",
                0.0,
                100.0,
            )),
            ground(Port::label(
                "severity",
                "how severe it is at the surface",
                SEVERITIES,
            )),
        ],
        &[UPPER_20_M],
        &["reproduces_iwasaki_1982_weights"],
        liquefaction_potential::SOURCE,
    ),
    evaluate: |a| {
        let column = a.along("factor_of_safety")?;
        let refuse = |error: lahar_core::QuantityError| {
            HazardError::Contradiction(format!(
                "a column needs factors without a unit at a step in metres: {error}"
            ))
        };
        let thickness = column.step.to("m").map_err(refuse)?.value();
        let top = a.number("top");
        let layers = column.values.iter().enumerate().map(|(at, value)| {
            let safety = Quantity::new(*value, column.unit.clone())
                .to("1")
                .map_err(refuse)?;
            Ok(Layer {
                top: Length::metres(top + at as f64 * thickness),
                bottom: Length::metres(top + (at + 1) as f64 * thickness),
                factor_of_safety: safety.value(),
            })
        });
        let layers = layers.collect::<Result<Vec<Layer>, HazardError>>()?;
        let index = liquefaction_potential::index(&layers)?;
        let severity = SEVERITIES[liquefaction_potential::severity(index) as usize];
        Ok(vec![Output::Number(index), Output::Word(severity)])
    },
};

const UPPER_20_M: Condition = Condition {
    variable: "depth_of_interest",
    requirement: Requirement::Between {
        lowest: 0.0,
        highest: 20.0,
        unit: "m",
    },
    reading: "layers deeper than 20 m do not count",
    strictness: Strictness::Advisory,
    citation: liquefaction_potential::SOURCE,
};
