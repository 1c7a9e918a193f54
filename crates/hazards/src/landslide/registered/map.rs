//! Registration of slides over an elevation model.

use lahar_core::capability::{Capability, CapabilityKind, Port, Requirement, Strictness};
use lahar_core::measure::{Pressure, Span};

use super::{INF, SHALLOW, condition, formula};
use crate::landslide::iverson_2000::{self, Storm};
use crate::landslide::map::{self, Setting};
use crate::landslide::transient_cells::Soil;
use crate::registry::Registration;
use crate::registry::run::Output;

pub(super) const MAP: Registration = Registration {
    capability: Capability {
        kind: CapabilityKind::NumericalModel,
        validation: &["a_map_is_scored_by_what_it_says_of_mapped_slides"],
        ..formula(
            "shallow-landslide-map",
            "Factors of safety over an elevation model in lasting rain and in a storm, scored against \
             mapped slides where they are given.",
            &[
                Port::grid("elevation", "elevation of the ground", "m"),
                Port::number(
                    "soil_depth",
                    "depth of the soil, vertically",
                    "m",
                    0.0,
                    100.0,
                ),
                Port::number("cohesion", "cohesion of soil and roots", "kPa", 0.0, 1e4),
                Port::number("friction_angle", "internal friction", "deg", 0.0, 89.0),
                Port::number("unit_weight", "weight of the soil", "kN/m3", 1.0, 50.0),
                Port::number("transmissivity", "of the soil when full", "m2/s", 0.0, 10.0),
                Port::number("saturated_conductivity", "of the soil", "m/s", 0.0, 1.0),
                Port::number(
                    "hydraulic_diffusivity",
                    "of the wet soil",
                    "m2/s",
                    0.0,
                    10.0,
                ),
                Port::number("recharge", "rain that lasts", "mm/d", 0.0, 1e5),
                Port::number("water_table_depth", "before the storm", "m", 0.0, 1000.0),
                Port::number("infiltration", "rate in the storm", "mm/h", 0.0, 1e5),
                Port::number("storm_duration", "how long it rains", "h", 0.0, INF),
                Port::number("time", "since the storm began", "h", 0.0, INF),
                Port::number(
                    "steep_slope",
                    "called unstable by slope alone",
                    "deg",
                    0.0,
                    90.0,
                )
                .or(30.0),
                Port::grid("mapped_slides", "cells that slid, other than 0", "1").optional(),
            ],
            &[
                Port::grid("steady_safety", "in lasting rain; below 1 it slides", "1"),
                Port::grid("transient_safety", "in the storm; below 1 it slides", "1"),
                Port::grid(
                    "hazard_class",
                    "how many of slope, steady and transient call it unstable",
                    "1",
                ),
                Port::number("slope_hit_rate", "by slope alone", "1", 0.0, 1.0),
                Port::number("slope_false_alarm_ratio", "by slope alone", "1", 0.0, 1.0),
                Port::number("slope_false_alarm_rate", "by slope alone", "1", 0.0, 1.0),
                Port::number("steady_hit_rate", "in lasting rain", "1", 0.0, 1.0),
                Port::number("steady_false_alarm_ratio", "in lasting rain", "1", 0.0, 1.0),
                Port::number("steady_false_alarm_rate", "in lasting rain", "1", 0.0, 1.0),
                Port::number("transient_hit_rate", "in the storm", "1", 0.0, 1.0),
                Port::number("transient_false_alarm_ratio", "in the storm", "1", 0.0, 1.0),
                Port::number("transient_false_alarm_rate", "in the storm", "1", 0.0, 1.0),
            ],
            &[
                SHALLOW,
                condition(
                    "soil",
                    Requirement::OneOf(&["even"]),
                    "one soil of one depth everywhere; real depths and strengths differ from cell to \
                     cell, and a map made without them shows where, not whether",
                    Strictness::Advisory,
                    iverson_2000::BAUM_2008,
                ),
            ],
            &[],
            iverson_2000::BAUM_2008,
        )
    },
    evaluate: |a| {
        let elevation = a.grid("elevation")?;
        let setting = Setting {
            soil: Soil {
                cohesion: Pressure::kilopascals(a.number("cohesion")),
                friction_angle: a.number("friction_angle"),
                unit_weight: 1000.0 * a.number("unit_weight"),
                diffusivity: a.number("hydraulic_diffusivity"),
                conductivity: a.number("saturated_conductivity"),
                lasting_infiltration: 0.0,
            },
            depth: a.number("soil_depth"),
            transmissivity: a.number("transmissivity"),
            recharge: a.number("recharge") * 1e-3 / 86_400.0,
            water_table: a.number("water_table_depth"),
            storm: Storm {
                infiltration: a.number("infiltration") * 1e-3 / 3600.0,
                start: Span::hours(0.0),
                duration: Span::hours(a.number("storm_duration")),
            },
            time: Span::hours(a.number("time")),
        };
        let found = map::slide_map(elevation, &setting)?;
        let steep = a.number("steep_slope");
        let classes = (0..elevation.values().len()).map(|cell| {
            let slope = found.slope.values()[cell];
            if slope.is_nan() {
                return f64::NAN;
            }
            let safe = [&found.steady, &found.transient].map(|grid| grid.values()[cell]);
            let calls = [slope >= steep, safe[0] < 1.0, safe[1] < 1.0];
            calls.iter().filter(|call| **call).count() as f64
        });
        let classes = elevation.like(classes.collect())?;
        let scores = match a.grid("mapped_slides") {
            Err(_) => vec![Output::Nothing; 9],
            Ok(mapped) => {
                let unsafe_below = |safety: f64| safety < 1.0;
                let all = [
                    map::score(&found.slope, |slope| slope >= steep, mapped)?,
                    map::score(&found.steady, unsafe_below, mapped)?,
                    map::score(&found.transient, unsafe_below, mapped)?,
                ];
                all.iter()
                    .flat_map(|s| [s.hit_rate, s.false_alarm_ratio, s.false_alarm_rate])
                    .map(|share| match share.is_nan() {
                        true => Output::Nothing,
                        false => Output::Number(share),
                    })
                    .collect()
            }
        };
        let grids = [found.steady, found.transient, classes].map(Output::Layer);
        Ok(grids.into_iter().chain(scores).collect())
    },
};
