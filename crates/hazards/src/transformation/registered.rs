//! Registrations of the transformations; the loss of each is its first condition.

use lahar_core::capability::{
    Availability, Capability, CapabilityKind, Citation, Condition, Cost, Port, Requirement,
    Strictness, Support,
};
use lahar_core::measure::{Angle, Length, VerticalDatum};

use crate::error::HazardError;
use crate::registry::Registration;
use crate::registry::arguments::{ANY_UNIT, Arguments};
use crate::registry::run::Output;
use crate::terrain::relief;

use super::{Interpolation, Statistic, Target, places, reprojection, units, wind_averaging};

const TRACK: &str = "transformation";
const INF: f64 = f64::INFINITY;

const DEFINITION: Citation = Citation {
    authors: "Lahar",
    year: 2026,
    doi: "crates/hazards/src/transformation.rs",
    place: "definition",
};
const HORN_1981: Citation = Citation {
    authors: "Horn",
    year: 1981,
    doi: "doi:10.1109/PROC.1981.11918",
    place: "weighted gradients",
};

pub(super) const GRID: Port = Port::grid("grid", "any layer", ANY_UNIT);
pub(super) const RESULT: Port = Port::grid("result", "the layer afterwards", ANY_UNIT);
const FLAG: Port = Port::grid("result", "1 where it holds, 0 elsewhere", "1");
const STATISTICS: &[&str] = &["mean", "sum", "maximum", "minimum"];
const STATISTIC: Port = Port::label("statistic", "how several values become one", STATISTICS);
pub(super) const INTERPOLATION: Port = Port::label(
    "interpolation",
    "how values between cells are found",
    &["nearest", "bilinear"],
);

pub(super) const fn loss(reading: &'static str) -> Condition {
    Condition {
        variable: "loss",
        requirement: Requirement::Stated,
        reading,
        strictness: Strictness::Advisory,
        citation: DEFINITION,
    }
}

pub(super) const fn transformation(
    name: &'static str,
    function: &'static str,
    inputs: &'static [Port],
    outputs: &'static [Port],
    conditions: &'static [Condition],
    validation: &'static [&'static str],
) -> Capability {
    Capability {
        name,
        function,
        kind: CapabilityKind::Transformation,
        track: TRACK,
        inputs,
        outputs,
        conditions,
        cost: Cost {
            nanoseconds: 20.0,
            per: "cell",
        },
        version: "1",
        validation,
        availability: Availability::Available,
        citation: DEFINITION,
    }
}

pub(super) fn interpolation(a: &Arguments<'_>) -> Interpolation {
    match a.word("interpolation") {
        "bilinear" => Interpolation::Bilinear,
        _ => Interpolation::Nearest,
    }
}

fn statistic(a: &Arguments<'_>) -> Statistic {
    match a.word("statistic") {
        "sum" => Statistic::Sum,
        "maximum" => Statistic::Maximum,
        "minimum" => Statistic::Minimum,
        _ => Statistic::Mean,
    }
}

/// A count that was given as a number.
fn whole(a: &Arguments<'_>, port: &'static str) -> Result<usize, HazardError> {
    let value = a.number(port);
    if value.fract() == 0.0 && (1.0..1e9).contains(&value) {
        return Ok(value as usize);
    }
    Err(HazardError::OutsideRange {
        variable: port,
        found: value.to_string(),
        allowed: "a whole number from 1 on".to_owned(),
        source_of_limit: DEFINITION.to_string(),
    })
}

const RESAMPLE: Registration = Registration {
    capability: transformation(
        "grid-resample",
        "Brings a grid to the cells of another one of the same coordinate system.",
        &[
            GRID,
            Port::grid("like", "a layer with the cells that are wanted", ANY_UNIT),
            INTERPOLATION,
        ],
        &[RESULT],
        &[loss(
            "coarser cells drop what lies between their middles; finer ones look smoother than what was measured",
        )],
        &[
            "resampling_onto_the_same_cells_changes_nothing",
            "interpolation_stays_between_the_values",
        ],
    ),
    evaluate: |a| {
        let (grid, like) = (a.grid("grid")?, a.grid("like")?);
        if grid.crs != like.crs {
            return Err(HazardError::Grid(lahar_core::grid::GridError::Crs(
                grid.crs.clone(),
                like.crs.clone(),
            )));
        }
        let how = interpolation(a);
        let target = Target {
            rows: like.rows(),
            columns: like.columns(),
            transform: like.transform,
            crs: like.crs.clone(),
        };
        let found = super::resample(grid, &target, how, |x, y| Some((x, y)))?;
        Ok(vec![Output::Layer(found)])
    },
};

const AGGREGATE: Registration = Registration {
    capability: transformation(
        "grid-aggregate",
        "Makes one cell of square blocks of cells.",
        &[
            GRID,
            Port::number("block", "cells a side of a block", "1", 1.0, 1e6),
            STATISTIC,
            Port::number(
                "least_share",
                "share of a block that must have data",
                "fraction",
                0.0,
                1.0,
            )
            .or(1.0),
        ],
        &[RESULT],
        &[loss(
            "variation inside a block; a slope of averaged heights is lower than the average slope",
        )],
        &["blocks_need_enough_data_and_sums_keep_the_whole"],
    ),
    evaluate: |a| {
        let block = whole(a, "block")?;
        let found = super::aggregate(
            a.grid("grid")?,
            block,
            statistic(a),
            a.number("least_share"),
        )?;
        Ok(vec![Output::Layer(found)])
    },
};

const THRESHOLD: Registration = Registration {
    capability: transformation(
        "grid-threshold",
        "1 where a value is at least a limit, 0 elsewhere.",
        &[
            GRID,
            Port::number(
                "limit",
                "the limit, as a number in the unit of the layer",
                "1",
                -INF,
                INF,
            ),
        ],
        &[FLAG],
        &[loss("everything but the side of the limit")],
        &["a_polygon_with_a_hole_becomes_cells"],
    ),
    evaluate: |a| {
        Ok(vec![Output::Layer(super::threshold(
            a.grid("grid")?,
            a.number("limit"),
        ))])
    },
};

const MASK: Registration = Registration {
    capability: transformation(
        "grid-mask",
        "Keeps the cells where another grid is neither 0 nor without data.",
        &[GRID, Port::grid("keep", "where to keep", ANY_UNIT)],
        &[RESULT],
        &[loss("the cells outside")],
        &["a_polygon_with_a_hole_becomes_cells"],
    ),
    evaluate: |a| {
        Ok(vec![Output::Layer(super::mask(
            a.grid("grid")?,
            a.grid("keep")?,
        )?)])
    },
};

const TIME: Registration = Registration {
    capability: transformation(
        "time-aggregate",
        "Makes one value of several steps of time.",
        &[
            Port::series("series", "values along time", ANY_UNIT),
            Port::number("steps", "steps that become one", "1", 1.0, 1e9),
            STATISTIC,
        ],
        &[Port::series(
            "result",
            "values along time afterwards",
            ANY_UNIT,
        )],
        &[loss(
            "variation inside a step; a group with a gap becomes a gap",
        )],
        &["rain_adds_up_over_time_and_gaps_stay_gaps"],
    ),
    evaluate: |a| {
        let steps = whole(a, "steps")?;
        let found = super::aggregate_time(a.along("series")?, steps, statistic(a))?;
        Ok(vec![Output::Series(found)])
    },
};

const DATUMS: &[&str] = &["navd88", "ngvd29", "egm96", "egm2008", "wgs84_ellipsoid"];

fn datum(word: &str) -> VerticalDatum {
    match word {
        "ngvd29" => VerticalDatum::Ngvd29,
        "egm96" => VerticalDatum::Egm96,
        "egm2008" => VerticalDatum::Egm2008,
        "wgs84_ellipsoid" => VerticalDatum::Wgs84Ellipsoid,
        _ => VerticalDatum::Navd88,
    }
}

const DATUM: Registration = Registration {
    capability: transformation(
        "vertical-datum-shift",
        "Brings a height to another vertical datum by a shift that is known for the place.",
        &[
            Port::number(
                "height",
                "height above its own datum",
                "m",
                -12_000.0,
                12_000.0,
            ),
            Port::label("height_datum", "the datum of the height", DATUMS),
            Port::label("shift_from", "the datum the shift begins at", DATUMS),
            Port::number("shift", "what is added", "m", -300.0, 300.0),
        ],
        &[Port::number(
            "result",
            "height above the other datum",
            "m",
            -INF,
            INF,
        )],
        &[loss(
            "the uncertainty of the shift, which is not known here",
        )],
        &["a_shift_for_another_datum_is_refused"],
    ),
    evaluate: |a| {
        let height = lahar_core::measure::Elevation {
            height: Length::metres(a.number("height")),
            datum: datum(a.word("height_datum")),
        };
        let from = datum(a.word("shift_from"));
        let shift = Length::metres(a.number("shift"));
        // Where the shift leads is the caller's word; the height only has to stand where it begins.
        let found = super::shift_datum(&height, &from, &from, shift)?;
        Ok(vec![Output::Number(found.height.to_metres())])
    },
};

const SLOPE: Registration = Registration {
    capability: Capability {
        citation: HORN_1981,
        ..transformation(
            "terrain-slope",
            "Slope of an elevation model in degrees.",
            &[Port::grid("elevation", "elevation", "m")],
            &[Port::grid("slope", "slope of the ground", "deg")],
            &[loss("slopes on coarse models are too low")],
            &["slope_of_a_plane_is_exact"],
        )
    },
    evaluate: |a| Ok(vec![Output::Layer(relief::slope(a.grid("elevation")?)?)]),
};

const TANGENT: Registration = Registration {
    capability: transformation(
        "slope-to-degrees",
        "The angle of a slope that is given in metres per metre.",
        &[Port::number("slope", "rise over run", "fraction", 0.0, INF)
            .over(Support::Cell, Support::Static)],
        &[Port::number(
            "result",
            "slope of the ground",
            "deg",
            0.0,
            90.0,
        )],
        &[loss("none")],
        &["slope_of_a_plane_is_exact"],
    ),
    evaluate: |a| Ok(vec![Output::Number(a.number("slope").atan().to_degrees())]),
};

const ACCUMULATE: Registration = Registration {
    capability: transformation(
        "intensity-to-accumulation",
        "Rain that falls at an intensity for a duration.",
        &[
            Port::number(
                "rainfall_intensity",
                "mean intensity over the duration",
                "mm/h",
                0.0,
                INF,
            ),
            Port::number("duration", "how long it falls", "h", 0.0, INF),
        ],
        &[Port::number(
            "rainfall",
            "rain accumulated over the duration",
            "mm",
            0.0,
            INF,
        )],
        &[loss("variation inside the duration")],
        &["rain_adds_up_over_time_and_gaps_stay_gaps"],
    ),
    evaluate: |a| {
        Ok(vec![Output::Number(
            a.number("rainfall_intensity") * a.number("duration"),
        )])
    },
};

const HILLSHADE: Registration = Registration {
    capability: Capability {
        citation: HORN_1981,
        ..transformation(
            "terrain-hillshade",
            "Share of light that falls on each cell from the northwest, half way up the sky.",
            &[Port::grid("elevation", "elevation", "m")],
            &[Port::grid("light", "share of the light", "1")],
            &[loss(
                "everything but the look; shadows of other ground are left out",
            )],
            &["slope_of_a_plane_is_exact"],
        )
    },
    evaluate: |a| {
        let (from, height) = (Angle::degrees(315.0), Angle::degrees(45.0));
        let light = relief::hillshade(a.grid("elevation")?, from, height)?;
        Ok(vec![Output::Layer(light)])
    },
};

/// Every registration of the track.
pub static ALL: &[Registration] = &[
    units::CONVERT,
    units::CONVERT_GRID,
    reprojection::REPROJECT,
    RESAMPLE,
    AGGREGATE,
    places::AT_POINT,
    THRESHOLD,
    MASK,
    places::RASTERISE,
    TIME,
    DATUM,
    wind_averaging::CONVERT,
    SLOPE,
    HILLSHADE,
    TANGENT,
    ACCUMULATE,
];
