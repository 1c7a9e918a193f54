//! How large a debris flow gets.

use super::*;

fn volume_outputs(estimate: &VolumeEstimate) -> Vec<Output> {
    vec![
        Output::Number(estimate.median.to_cubic_metres()),
        Output::Number(estimate.lower.to_cubic_metres()),
        Output::Number(estimate.upper.to_cubic_metres()),
        Output::Number(estimate.ln_standard_error),
    ]
}

const VOLUMES: &[Port] = &[VOLUME, VOLUME_LOWER, VOLUME_UPPER, LN_ERROR];

pub(super) const GARTNER_EMERGENCY: Registration = Registration {
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

pub(super) const GARTNER_LONG_TERM: Registration = Registration {
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

pub(super) const INTERMOUNTAIN_VOLUME: Registration = Registration {
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

pub(super) const SURVEY_VOLUME: Registration = Registration {
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
