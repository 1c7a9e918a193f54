//! Registration of fires of a cellular automaton.

use lahar_core::capability::{Capability, CapabilityKind, Cost, Port, Requirement, Strictness};

use super::growth::{BARRIERS, ELEVATION, PROBABILITY, START, START_X, START_Y, WIND_FROM, starts};
use super::{condition, formula};
use crate::registry::Registration;
use crate::registry::run::Output;
use crate::wildfire::cellular_automaton as automaton;
use crate::wildfire::landscape::Landscape;

pub(super) const AUTOMATON: Registration = Registration {
    capability: Capability {
        kind: CapabilityKind::NumericalModel,
        cost: Cost {
            nanoseconds: 200.0,
            per: "burned cell and fire",
        },
        validation: &["reproduces_alexandridis_2008_by_its_equation"],
        ..formula(
            "alexandridis-2008-burn-probability",
            "Share of many random fires of a cellular automaton that come to a cell.",
            &[
                ELEVATION,
                Port::grid(
                    "vegetation",
                    "0 none, 1 agricultural, 2 thickets, 3 pines",
                    "1",
                ),
                Port::grid("density", "1 sparse, 2 normal, 3 dense", "1"),
                Port::number("wind_speed", "of the wind", "m/s", 0.0, 80.0),
                WIND_FROM,
                BARRIERS.optional(),
                START_X.optional(),
                START_Y.optional(),
                START.optional(),
                Port::number("steps", "of the automaton; not a time", "1", 1.0, 1e5),
                Port::number("samples", "how many fires", "1", 1.0, 1e5).or(100.0),
                Port::number("seed", "of the random numbers", "1", 0.0, 1e9).or(42.0),
            ],
            &[PROBABILITY],
            &[
                condition(
                    "region",
                    Requirement::OneOf(&["greece"]),
                    "fitted on one fire on the island of Spetses in 1990",
                    Strictness::Advisory,
                    automaton::ALEXANDRIDIS_2008,
                ),
                condition(
                    "use",
                    Requirement::NoneOf(&["arrival_time", "rate_of_spread"]),
                    "a step is no time; what burns is meant, not when",
                    Strictness::Strict,
                    automaton::ALEXANDRIDIS_2008,
                ),
            ],
            automaton::ALEXANDRIDIS_2008,
        )
    },
    evaluate: |a| {
        let elevation = a.grid("elevation")?;
        let mut land = automaton::Cover::new(elevation, a.grid("vegetation")?, a.grid("density")?)?;
        if let Some(barriers) = a.optional_grid("barriers") {
            land = land.with_barriers(barriers)?;
        }
        // The same checks of the start as for the other ways of growth.
        let fuel = land.burnable_as_fuel()?;
        let plain = Landscape::new(elevation, &fuel)?;
        let starts = starts(a, &plain)?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let probability = automaton::burn_probability(
            &land,
            (a.number("wind_speed"), a.number("wind_from")),
            &starts,
            a.number("steps") as usize,
            crate::uncertainty::Sampling {
                samples: a.number("samples").round() as usize,
                seed: a.number("seed") as u64,
                threads,
            },
        )?;
        Ok(vec![Output::Layer(probability)])
    },
};
