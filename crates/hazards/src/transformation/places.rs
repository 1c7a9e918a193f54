//! Registrations of what leads from grids to points and from shapes to grids.

use lahar_core::capability::Port;
use lahar_core::series::Shape;

use super::registered::{GRID, INTERPOLATION, interpolation, loss, transformation};
use super::{at_point, rasterise};
use crate::registry::Registration;
use crate::registry::arguments::ANY_UNIT;
use crate::registry::run::Output;

const INF: f64 = f64::INFINITY;

pub(super) const AT_POINT: Registration = Registration {
    capability: transformation(
        "grid-at-point",
        "The value of a grid at a point, interpolated between its cells.",
        &[
            GRID,
            Port::number(
                "x",
                "coordinate to the east, in the system of the grid",
                "1",
                -INF,
                INF,
            ),
            Port::number(
                "y",
                "coordinate to the north, in the system of the grid",
                "1",
                -INF,
                INF,
            ),
            INTERPOLATION,
        ],
        &[Port::number(
            "result",
            "the value, in the unit of the grid",
            ANY_UNIT,
            -INF,
            INF,
        )],
        &[loss(
            "a value between cells is a guess; beside a gap and outside the grid there is none",
        )],
        &["a_point_between_cells_has_their_mean"],
    ),
    evaluate: |a| {
        let point = (a.number("x"), a.number("y"));
        let found = at_point(a.grid("grid")?, point, interpolation(a));
        Ok(vec![found.map_or(Output::Nothing, Output::Number)])
    },
};

pub(super) const RASTERISE: Registration = Registration {
    capability: transformation(
        "rasterise",
        "A value where the middle of a cell lies in a polygon, 0 elsewhere.",
        &[
            Port::features("shapes", "polygons, in the system of the grid"),
            Port::grid("like", "a layer with the cells that are wanted", ANY_UNIT),
            Port::number("value", "the number inside", "1", -INF, INF).or(1.0),
        ],
        &[Port::grid("result", "the value inside, 0 elsewhere", "1")],
        &[loss(
            "edges, to half a cell; polygons smaller than a cell may vanish",
        )],
        &["a_polygon_with_a_hole_becomes_cells"],
    ),
    evaluate: |a| {
        let shapes: Vec<Shape> = a
            .features("shapes")?
            .iter()
            .filter_map(|feature| feature.shape.clone())
            .collect();
        let value = a.number("value");
        let inside = rasterise(&shapes, a.grid("like")?).map(|flag| flag * value);
        Ok(vec![Output::Layer(inside)])
    },
};
