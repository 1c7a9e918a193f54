//! The names of variables. Ports of the registered models are called by words that are short and
//! not unique (`probability`, `volume`); here each gets one name, so that an observation, a
//! condition and a port can be compared.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use lahar_core::capability::{Port, Support};

/// The name of a port that takes any variable.
pub const ANY: &str = "*";

/// Port name, what the port says it is, and the variable. A port that is not here is called by
/// its own name.
const NAMES: &[(&str, &str, &str)] = &[
    (
        "rainfall_intensity",
        "peak intensity over 15 minutes",
        "peak_rainfall_intensity_15min",
    ),
    (
        "rainfall_intensity",
        "peak intensity over 60 minutes",
        "peak_rainfall_intensity_60min",
    ),
    (
        "rainfall",
        "rain accumulated over the duration",
        "rainfall_accumulation",
    ),
    (
        "rainfall",
        "rain accumulated over 60 minutes",
        "rainfall_accumulation_60min",
    ),
    ("rainfall", "rain of the whole storm", "storm_rainfall"),
    ("rainfall", "of the last 24 hours", "daily_rainfall"),
    (
        "duration",
        "duration of the rain: 15, 30 or 60 min",
        "rainfall_duration",
    ),
    ("duration", "how long it falls", "rainfall_duration"),
    ("duration", "how long it rains", "rainfall_duration"),
    ("duration", "how long the run lasts", "simulation_duration"),
    (
        "probability",
        "likelihood to be reached",
        "target_likelihood",
    ),
    (
        "probability",
        "likelihood of a debris flow",
        "debris_flow_likelihood",
    ),
    (
        "likelihood",
        "likelihood of a debris flow in the storm",
        "debris_flow_likelihood",
    ),
    (
        "likelihood",
        "likelihood of a debris flow",
        "debris_flow_likelihood",
    ),
    (
        "threshold_rainfall",
        "least rain that reaches the likelihood",
        "debris_flow_threshold_rainfall",
    ),
    (
        "threshold_intensity",
        "the same as an intensity",
        "debris_flow_threshold_intensity",
    ),
    (
        "threshold_intensity",
        "intensity from which slides have been seen",
        "landslide_threshold_intensity",
    ),
    (
        "steep_burned_share",
        "share of the basin burned at moderate or high severity on slopes of 23 degrees and more",
        "steep_burned_share_23deg",
    ),
    (
        "steep_burned_share",
        "share of the basin burned on slopes of 30 degrees and more",
        "steep_burned_share_30deg",
    ),
    (
        "burned_area",
        "area burned at moderate or high severity",
        "moderate_high_burned_area",
    ),
    (
        "burned_share",
        "share burned at moderate or high severity",
        "moderate_high_burned_share",
    ),
    (
        "volume",
        "volume of the debris flow, median",
        "debris_flow_volume",
    ),
    ("volume", "volume of the debris flow", "debris_flow_volume"),
    ("volume", "volume of a debris flow", "debris_flow_volume"),
    ("volume", "volume of the flow", "debris_flow_volume"),
    ("volume", "volume, should one come", "debris_flow_volume"),
    (
        "volume_lower",
        "lower end of the 95 percent interval",
        "debris_flow_volume_lower",
    ),
    (
        "volume_upper",
        "upper end of the 95 percent interval",
        "debris_flow_volume_upper",
    ),
    (
        "hazard_class",
        "combined hazard",
        "debris_flow_hazard_class",
    ),
    (
        "hazard_class",
        "1 low, 2 moderate, 3 high, 0 outside burned basins",
        "debris_flow_hazard_class",
    ),
    ("flow", "kind of flow", "flow_kind"),
    (
        "inundated_area",
        "area covered, seen from above",
        "debris_flow_inundated_area",
    ),
    (
        "probability",
        "probability of landslides",
        "landslide_probability",
    ),
    (
        "probability",
        "share of cells that slide",
        "landslide_probability",
    ),
    (
        "probability",
        "probability of liquefaction",
        "liquefaction_probability",
    ),
    (
        "coverage",
        "share of the cell that slides, runout included",
        "landslide_coverage",
    ),
    (
        "coverage",
        "share of the cell that liquefies",
        "liquefaction_coverage",
    ),
    (
        "occurrence",
        "whether the probability is above the published threshold",
        "liquefaction_occurrence",
    ),
    (
        "displacement",
        "Newmark displacement, median",
        "newmark_displacement",
    ),
    (
        "factor_of_safety",
        "factor of safety against liquefaction of layers of one thickness, the upper one first; \
         the step is that thickness",
        "liquefaction_factor_of_safety",
    ),
    (
        "factor_of_safety",
        "factor of safety at rest",
        "factor_of_safety_at_rest",
    ),
    (
        "susceptibility",
        "susceptibility to liquefaction",
        "liquefaction_susceptibility",
    ),
    (
        "arrival",
        "minutes until the fire comes",
        "fire_arrival_time",
    ),
    (
        "arrival",
        "time until the water comes",
        "flood_arrival_time",
    ),
    (
        "burn_probability",
        "share of the fires that came",
        "burned_probability",
    ),
    (
        "rate_of_spread",
        "of the front, along the ground",
        "fire_spread_rate",
    ),
    ("intensity", "of the front", "fireline_intensity"),
    ("burning_tomorrow", "1 where it burns", "next_day_fire_mask"),
    (
        "burning",
        "cells that burn today, other than 0",
        "active_fire_mask",
    ),
    ("head_rate", "of the front", "fire_spread_rate"),
    (
        "lithology",
        "class of rock in the model's table",
        "lhasa_lithology",
    ),
    (
        "burn_probability",
        "that it burns tomorrow",
        "next_day_burn_probability",
    ),
    (
        "detections",
        "points with `acq_date` (YYYY-MM-DD), in the system of the grid, or in degrees",
        "fire_detections",
    ),
    (
        "exceeded",
        "whether the rain reaches it",
        "landslide_threshold_exceeded",
    ),
    ("slope", "rise over run", "slope_gradient"),
    ("slope", "of the ground", "slope_gradient"),
    ("result", "slope of the ground", "slope"),
    ("depth", "depth of water", "flood_depth"),
    ("depth", "depth of water at the end", "flood_depth_at_end"),
    ("highest_depth", "highest depth of water", "flood_depth"),
    ("roughness", "Manning's n, in s m^-1/3", "manning_roughness"),
    ("infiltration", "rate in the storm", "infiltration_rate"),
    (
        "infiltration",
        "depth of water taken up",
        "infiltration_depth",
    ),
    ("time", "since the storm began", "time_since_storm_began"),
    (
        "head_rate",
        "rate of spread at the head",
        "fire_spread_rate",
    ),
    ("intensity", "intensity at the head", "fireline_intensity"),
    ("direction", "where it runs", "fire_direction"),
    ("wind_speed", "at 10 m", "wind_speed_10m"),
    ("wind_speed", "wind 10 m above ground", "wind_speed_10m"),
    (
        "wind_speed",
        "at 10 m, mean of ten minutes",
        "wind_speed_10m",
    ),
    (
        "wind_speed",
        "20 ft above the vegetation",
        "wind_speed_20ft",
    ),
    ("duration", "how long it burns", "simulation_duration"),
    ("grid", "any layer", ANY),
    ("result", "the layer afterwards", ANY),
    ("like", "a layer with the cells that are wanted", ANY),
    ("keep", "where to keep", ANY),
    ("series", "values along time", ANY),
    ("result", "values along time afterwards", ANY),
    ("value", "any number with its unit", ANY),
    ("result", "the number in the unit that is wanted", ANY),
    ("result", "1 where it holds, 0 elsewhere", ANY),
    ("result", "the value, in the unit of the grid", ANY),
];

/// Variables that are a kind of another one, so that they may stand for it.
const KINDS: &[(&str, &str)] = &[
    ("peak_rainfall_intensity_15min", "rainfall_intensity"),
    ("peak_rainfall_intensity_60min", "rainfall_intensity"),
    ("rainfall_accumulation_60min", "rainfall_accumulation"),
];

/// Variables that hold for one duration of the rain, in seconds: they stand for the general
/// variable only where the rain's duration is that one.
const DURATIONS: &[(&str, f64)] = &[
    ("peak_rainfall_intensity_15min", 900.0),
    ("peak_rainfall_intensity_60min", 3600.0),
    ("rainfall_accumulation_60min", 3600.0),
];

/// Variable of the duration of the rain.
pub const RAINFALL_DURATION: &str = "rainfall_duration";

/// Variables of cases and conditions that no port has: name, usual unit (empty for words), what
/// it is.
const CASE: &[(&str, &str, &str)] = &[
    (
        "region",
        "",
        "where the event is, judged by the place graph",
    ),
    (
        "time_since_event",
        "d",
        "time from the event to the end of what is asked",
    ),
    (
        "time_since_fire",
        "yr",
        "time from the fire to the end of what is asked",
    ),
    ("fire_year", "1", "year of the fire"),
    ("month", "1", "month of the decision"),
    (
        "lead_time",
        "d",
        "time from the decision to the end of what is asked",
    ),
    ("task_kind", "", "forecast, assess, simulate or attribute"),
    ("task_hazard", "", "hazards that are asked about"),
    ("task_output", "", "variable that is asked for"),
    ("task_scale", "", "site, basin or regional"),
    (
        "unit_of_analysis",
        "",
        "site, basin, segment, cell or region",
    ),
    ("basin_area", "km2", "area of the basin"),
    ("contributing_area", "km2", "area above the point"),
    (
        "cell_size",
        "m",
        "side of a cell of the grid that is asked for or at hand",
    ),
    ("slide_type", "", "kind of slide"),
    ("sun_exposure", "", "shade or full_sun"),
    (
        "period_ratio",
        "1",
        "period of the sliding mass over mean period of the shaking",
    ),
    (
        "pore_pressure",
        "",
        "whether pore pressure rises while the mass moves",
    ),
    ("sediment_supply", "", "debris that lies in the channel"),
    (
        "sediment_supply_limited",
        "",
        "whether little debris lies in the channels: yes or no",
    ),
    (
        "flow_process",
        "",
        "how the flow begins: runoff or landslide",
    ),
    ("burn_severity_source", "", "how burn severity was found"),
    (
        "mean_distance_to_coast",
        "km",
        "mean distance of the event's liquefaction to a coast",
    ),
    ("wetness_state", "", "dry or wet ground"),
    (
        "shakemap",
        "",
        "whether shaking comes from a ShakeMap: yes or no",
    ),
    (
        "froude_number",
        "1",
        "speed of the water over that of its waves",
    ),
    (
        "complex_terrain",
        "",
        "whether terrain channels the wind: yes or no",
    ),
    (
        "backwater",
        "",
        "whether water stands back from below: yes or no",
    ),
    ("flow_regime", "", "fluvial, pluvial, coastal or dam_break"),
    (
        "antecedent_saturation",
        "",
        "whether the ground was full before the storm: yes or no",
    ),
    ("snowmelt", "", "whether melting snow adds water: yes or no"),
    (
        "burned_recently",
        "",
        "whether the ground burned within about a year: yes or no",
    ),
    (
        "local_threshold",
        "",
        "whether a threshold of the region exists: yes or no",
    ),
    ("record_length", "yr", "length of the rainfall record"),
    (
        "fire_type",
        "",
        "surface, crown, plume_dominated or spotting",
    ),
    (
        "detection_age",
        "h",
        "age of the last active-fire detection",
    ),
    (
        "fuel_homogeneous",
        "",
        "whether fuel and weather are uniform: yes or no",
    ),
    (
        "barriers",
        "",
        "whether roads or water smaller than a cell hold the fire: yes or no",
    ),
    (
        "debris_flow_susceptibility",
        "1",
        "susceptibility of a burned basin to debris flows",
    ),
    (
        "burned_probability",
        "fraction",
        "probability that a cell burns",
    ),
    ("fire_arrival_time", "min", "time at which the fire comes"),
    ("next_day_fire_mask", "1", "cells that burn on the next day"),
    ("landslide_nowcast", "", "class of the landslide nowcast"),
    ("burn_severity", "", "classes of burn severity"),
];

/// What is known of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Usual unit; empty for words and shapes.
    pub unit: String,
    /// What it is.
    pub meaning: String,
    /// What its values usually stand for in space and time, where a port says it.
    pub supports: Option<(Support, Support)>,
}

static ALL: LazyLock<BTreeMap<String, Entry>> = LazyLock::new(|| {
    let mut all = BTreeMap::new();
    for registration in lahar_hazards::registry::all() {
        let capability = &registration.capability;
        for port in capability.outputs.iter().chain(capability.inputs) {
            all.entry(of_port(port).to_owned())
                .or_insert_with(|| Entry {
                    unit: port.unit().unwrap_or_default().to_owned(),
                    meaning: port.variable.to_owned(),
                    supports: Some((port.space, port.time)),
                });
        }
    }
    for (name, unit, meaning) in CASE {
        all.entry((*name).to_owned()).or_insert_with(|| Entry {
            unit: (*unit).to_owned(),
            meaning: (*meaning).to_owned(),
            supports: None,
        });
    }
    all.remove(ANY);
    all
});

/// The variable of a registered port.
pub fn of_port(port: &Port) -> &'static str {
    let named = NAMES
        .iter()
        .find(|(name, says, _)| *name == port.name && *says == port.variable);
    named.map_or(port.name, |(_, _, variable)| variable)
}

/// What is known of a variable; `None` where the vocabulary lacks it.
pub fn entry(variable: &str) -> Option<&'static Entry> {
    ALL.get(variable)
}

/// Every variable by name.
pub fn all() -> impl Iterator<Item = (&'static str, &'static Entry)> {
    ALL.iter().map(|(name, entry)| (name.as_str(), entry))
}

/// Whether values of one variable may stand for another: the same, or a kind of it.
///
/// ```
/// use lahar_routes::vocabulary::is_kind_of;
/// assert!(is_kind_of("peak_rainfall_intensity_15min", "rainfall_intensity"));
/// assert!(!is_kind_of("rainfall_intensity", "peak_rainfall_intensity_15min"));
/// ```
pub fn is_kind_of(given: &str, wanted: &str) -> bool {
    given == wanted || KINDS.contains(&(given, wanted))
}

/// The variables that a variable is a kind of, itself left out.
pub fn kinds_of(variable: &str) -> impl Iterator<Item = &str> {
    let own = KINDS.iter().filter(move |(given, _)| *given == variable);
    own.map(|(_, general)| *general)
}

/// The duration of the rain for which a variable holds, in seconds, where it is part of its name.
pub fn duration_of(variable: &str) -> Option<f64> {
    let own = DURATIONS.iter().find(|(name, _)| *name == variable);
    own.map(|(_, seconds)| *seconds)
}

/// A word on a variable that the vocabulary lacks.
pub fn hint(variable: &str) -> String {
    let close = ALL
        .keys()
        .find(|known| crate::fields::close(known, variable))
        .or_else(|| {
            ALL.keys()
                .find(|known| known.contains(variable) || variable.contains(known.as_str()))
        });
    match close {
        Some(known) => format!("did you mean `{known}`?"),
        None => "list the variables with `lahar routes variables`".to_owned(),
    }
}
