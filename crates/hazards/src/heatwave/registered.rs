//! Registrations of the heat models: ports, conditions in our words, validation.

use lahar_core::capability::{
    Availability, Capability, CapabilityKind, Condition, Cost, Port, Requirement, Strictness,
    Support,
};
use lahar_core::measure::Ratio;

use super::rothfusz_1990::{self, SOURCE};
use crate::registry::Registration;
use crate::registry::run::Output;

/// All of this track.
pub static ALL: &[Registration] = &[HEAT_INDEX];

const HEAT_INDEX: Registration = Registration {
    capability: Capability {
        name: "rothfusz-1990-heat-index",
        function: "What warm and humid air in the shade feels like, from temperature and humidity.",
        kind: CapabilityKind::Formula,
        track: "heatwave",
        inputs: &[
            Port::number(
                "temperature",
                "air temperature in the shade",
                "degC",
                rothfusz_1990::COOLEST,
                60.0,
            )
            .over(Support::Point, Support::Instant),
            Port::number("relative_humidity", "of the air", "%", 0.0, 100.0)
                .over(Support::Point, Support::Instant),
        ],
        outputs: &[
            Port::number("heat_index", "what the air feels like", "degC", 0.0, 400.0)
                .over(Support::Point, Support::Instant),
        ],
        conditions: &[Condition {
            variable: "sun_exposure",
            requirement: Requirement::OneOf(&["shade"]),
            reading: "for the shade; full sun feels hotter",
            strictness: Strictness::Advisory,
            citation: SOURCE,
        }],
        cost: Cost {
            nanoseconds: 20.0,
            per: "cell",
        },
        version: "1",
        validation: &["reproduces_rothfusz_1990_weather_service_chart"],
        availability: Availability::Available,
        citation: SOURCE,
    },
    evaluate: |a| {
        let humidity = Ratio::fraction(a.number("relative_humidity") / 100.0);
        let index = rothfusz_1990::heat_index(a.number("temperature"), humidity)?;
        Ok(vec![Output::Number(index)])
    },
};
