//! Registrations of NASA's Landslide Hazard Assessment for Situational Awareness.

use lahar_core::capability::{
    Capability, CapabilityKind, Citation, Condition, Cost, Port, Requirement, Strictness, Support,
};
use lahar_core::measure::{Acceleration, Angle, Length, Ratio};

use super::{INF, UNBURNED, condition, formula};
use crate::error::HazardError;
use crate::landslide::lhasa::{self, Day};
use crate::registry::Registration;
use crate::registry::run::Output;

/// Neither burned ground nor shaken.
const fn by_rain_alone(source: Citation) -> Condition {
    condition(
        "burn_state",
        UNBURNED,
        "slides by rain alone, neither burned ground nor shaken",
        Strictness::Strict,
        source,
    )
}

pub(super) const INDEX: Registration = Registration {
    capability: formula(
        "lhasa-antecedent-rainfall-index",
        "Rain of a week, weighted by how lately it fell.",
        &[Port::series(
            "daily_rainfall",
            "rain a day, seven of them, the latest last",
            "mm",
        )],
        &[Port::number(
            "antecedent_rainfall_index",
            "weighted rain",
            "mm",
            0.0,
            INF,
        )],
        &[by_rain_alone(lhasa::KIRSCHBAUM_STANLEY_2018)],
        &["reproduces_kirschbaum_2018_by_its_equation"],
        lhasa::KIRSCHBAUM_STANLEY_2018,
    ),
    evaluate: |a| {
        let (days, step) = a.series("daily_rainfall");
        let week: Option<[f64; 7]> = days.try_into().ok();
        let Some(mut week) = week.filter(|_| (step - 86_400.0).abs() < 1.0) else {
            return Err(HazardError::Contradiction(format!(
                "{} values at steps of {step} s are no week; give seven daily sums, the latest last",
                days.len()
            )));
        };
        week.reverse();
        let index = lhasa::antecedent_rainfall_index(&week.map(Length::millimetres))?;
        Ok(vec![Output::Number(index.to_millimetres())])
    },
};

pub(super) const NOWCAST: Registration = Registration {
    capability: formula(
        "lhasa-v1-nowcast",
        "Hazard class of a square kilometre from antecedent rain, the place's own threshold and \
         susceptibility.",
        &[
            Port::number(
                "antecedent_rainfall_index",
                "weighted rain of seven days",
                "mm",
                0.0,
                5000.0,
            )
            .over(Support::Cell, Support::Interval),
            Port::number(
                "antecedent_rainfall_threshold",
                "95th percentile of the index in the cell's own record",
                "mm",
                0.0,
                5000.0,
            )
            .over(Support::Cell, Support::Climate),
            Port::number(
                "landslide_susceptibility",
                "from 1, very low, to 5, very high (Stanley and Kirschbaum 2017)",
                "1",
                1.0,
                5.0,
            )
            .over(Support::Cell, Support::Static)
            .at("1 km"),
        ],
        &[Port::label(
            "landslide_nowcast",
            "class of hazard",
            lhasa::Nowcast::WORDS,
        )
        .over(Support::Cell, Support::Instant)
        .uncertain("classes by judgement of experts; no probability")],
        &[
            by_rain_alone(lhasa::KIRSCHBAUM_STANLEY_2018),
            condition(
                "record_length",
                Requirement::Between {
                    lowest: 15.0,
                    highest: 200.0,
                    unit: "yr",
                },
                "the percentile comes from a record of daily rain of about fifteen years or more",
                Strictness::Advisory,
                lhasa::KIRSCHBAUM_STANLEY_2018,
            ),
        ],
        &["reproduces_kirschbaum_2018_decision_tree_of_nasas_program"],
        lhasa::KIRSCHBAUM_STANLEY_2018,
    ),
    evaluate: |a| {
        let class = lhasa::nowcast(
            Length::millimetres(a.number("antecedent_rainfall_index")),
            Length::millimetres(a.number("antecedent_rainfall_threshold")),
            a.number("landslide_susceptibility"),
        )?;
        Ok(vec![Output::Word(class.word())])
    },
};

const MODEL: Port = Port::trees(
    "landslide_trees",
    "NASA's file model.json, which stays with you under its own licence",
    &Day::FEATURES,
);
const TREE_CONDITIONS: &[Condition] = &[
    by_rain_alone(lhasa::STANLEY_2021),
    condition(
        "cell_size",
        Requirement::Between {
            lowest: 500.0,
            highest: 2000.0,
            unit: "m",
        },
        "trained on cells of 30 arc seconds, about a kilometre, and on days",
        Strictness::Strict,
        lhasa::STANLEY_2021,
    ),
];
const LEARNED: &str =
    "of the trees alone; how often it comes true was found on their own inventory";

const fn trees(name: &'static str, inputs: &'static [Port], output: &'static [Port]) -> Capability {
    Capability {
        kind: CapabilityKind::LearnedModel,
        cost: Cost {
            nanoseconds: 1000.0,
            per: "cell",
        },
        ..formula(
            name,
            "Probability of a landslide in a square kilometre on a day, by the trees of NASA's file.",
            inputs,
            output,
            TREE_CONDITIONS,
            &["oracles"],
            lhasa::STANLEY_2021,
        )
    }
}

pub(super) const TREES: Registration = Registration {
    capability: trees(
        "lhasa-v2-probability",
        &[
            MODEL,
            Port::number(
                "lithology",
                "class of rock in the model's table",
                "1",
                0.0,
                100.0,
            )
            .over(Support::Cell, Support::Static)
            .optional(),
            Port::number("slope", "slope of the ground", "deg", 0.0, 90.0)
                .over(Support::Cell, Support::Static)
                .at("1 km"),
            Port::number(
                "design_ground_acceleration",
                "peak acceleration that returns in 475 years",
                "g",
                0.0,
                10.0,
            )
            .over(Support::Cell, Support::Climate)
            .optional(),
            Port::number("soil_wetness", "share of the soil profile", "1", 0.0, 1.0)
                .over(Support::Cell, Support::Instant)
                .optional(),
            Port::number(
                "antecedent_rainfall",
                "of the two days before",
                "mm",
                0.0,
                5000.0,
            )
            .over(Support::Cell, Support::Interval)
            .optional(),
            Port::number(
                "rainfall_ratio",
                "rain of the day over the cell's own 99th percentile",
                "1",
                0.0,
                1000.0,
            )
            .over(Support::Cell, Support::Interval),
        ],
        &[
            // The event is the day of rain.
            Port::number("probability", "probability of landslides", "1", 0.0, 1.0)
                .over(Support::Cell, Support::Event)
                .uncertain(LEARNED),
        ],
    ),
    evaluate: |a| {
        let given = |port| a.optional(port);
        let day = Day {
            lithology: given("lithology").map(whole_class).transpose()?,
            slope: given("slope").map(Angle::degrees),
            shaking: given("design_ground_acceleration").map(Acceleration::g),
            soil_wetness: given("soil_wetness").map(Ratio::fraction),
            antecedent: given("antecedent_rainfall").map(Length::millimetres),
            rain: given("rainfall_ratio").map(Ratio::fraction),
        };
        let found = lhasa::probability(a.trees("landslide_trees")?, &day)?;
        Ok(vec![Output::Number(found)])
    },
};

fn whole_class(class: f64) -> Result<u32, HazardError> {
    match class.fract() == 0.0 && (0.0..=100.0).contains(&class) {
        true => Ok(class as u32),
        false => Err(HazardError::OutsideRange {
            variable: "lithology",
            found: class.to_string(),
            allowed: "a whole number from 0 to 100".to_owned(),
            source_of_limit: lhasa::STANLEY_2021.to_string(),
        }),
    }
}

/// Grids in the order of the features.
const GRIDS: [&str; 6] = [
    "lithology",
    "slope",
    "design_ground_acceleration",
    "soil_wetness",
    "antecedent_rainfall",
    "rainfall_ratio",
];

pub(super) const TREES_MAP: Registration = Registration {
    capability: trees(
        "lhasa-v2-probability-map",
        &[
            MODEL,
            Port::grid(GRIDS[0], "class of rock in the model's table", "1").optional(),
            Port::grid(GRIDS[1], "slope of the ground", "deg"),
            Port::grid(GRIDS[2], "peak acceleration that returns in 475 years", "g").optional(),
            Port::grid(GRIDS[3], "share of the soil profile", "1").optional(),
            Port::grid(GRIDS[4], "of the two days before", "mm").optional(),
            Port::grid(
                GRIDS[5],
                "rain of the day over the cell's own 99th percentile",
                "1",
            ),
        ],
        &[
            Port::grid("probability", "probability of landslides", "1").uncertain(LEARNED),
            Port::number("highest", "of all cells", "1", 0.0, 1.0),
        ],
    ),
    evaluate: |a| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let grids = GRIDS.map(|name| a.optional_grid(name));
        let found = lhasa::probability_map(a.trees("landslide_trees")?, grids, threads)?;
        let highest = found.range().map_or(f64::NAN, |(_, highest)| highest);
        Ok(vec![Output::Layer(found), Output::Number(highest)])
    },
};
