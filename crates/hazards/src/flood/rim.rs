//! Where the ground ends at no data, as in a model that was turned into another projection or cut
//! along a divide: an open edge that does not follow the sides of the grid.

use super::domain::{Edge, Edges, VOID};

/// Cells beside no data that reaches the side of the grid, and how water leaves them.
#[derive(Debug, Clone, Default)]
pub(super) struct Rim {
    /// Cells, each with the metres of its faces that lie at the outside.
    cells: Vec<(usize, f64)>,
    /// Root of the fall of the ground beyond.
    root_slope: f64,
}

/// Cells without data that are joined to the sides of the grid by such cells.
fn outside(bed: &[f64], rows: usize, columns: usize) -> Vec<bool> {
    let mut outside = vec![false; bed.len()];
    let ends = (0..columns).flat_map(|column| [column, (rows - 1) * columns + column]);
    let sides = (0..rows).flat_map(|row| [row * columns, (row + 1) * columns - 1]);
    let mut open: Vec<usize> = ends.chain(sides).filter(|c| bed[*c] == VOID).collect();
    while let Some(cell) = open.pop() {
        if !std::mem::replace(&mut outside[cell], true) {
            let next = neighbours(cell, rows, columns).into_iter().flatten();
            open.extend(next.filter(|next| bed[*next] == VOID && !outside[*next]));
        }
    }
    outside
}

/// Left, right, above and below.
fn neighbours(cell: usize, rows: usize, columns: usize) -> [Option<usize>; 4] {
    let (row, column) = (cell / columns, cell % columns);
    [
        (column > 0).then(|| cell - 1),
        (column + 1 < columns).then(|| cell + 1),
        (row > 0).then(|| cell - columns),
        (row + 1 < rows).then(|| cell + columns),
    ]
}

impl Rim {
    /// The rim of ground whose four sides are open with one slope; none elsewhere, where cells
    /// without data are walls.
    pub fn of(
        bed: &[f64],
        [rows, columns]: [usize; 2],
        [width, height]: [f64; 2],
        edges: &Edges,
    ) -> Rim {
        let Edge::Open { slope } = edges.top else {
            return Rim::default();
        };
        if edges.each().iter().any(|(_, edge)| **edge != edges.top) {
            return Rim::default();
        }
        let outside = outside(bed, rows, columns);
        let faces = |cell: usize| {
            let lengths = [height, height, width, width];
            let near = neighbours(cell, rows, columns).into_iter().zip(lengths);
            let open = near.filter(|(near, _)| near.is_some_and(|near| outside[near]));
            open.map(|(_, length)| length).sum::<f64>()
        };
        let cells = (0..bed.len()).filter(|cell| bed[*cell] != VOID);
        Rim {
            cells: cells
                .map(|cell| (cell, faces(cell)))
                .filter(|(_, length)| *length > 0.0)
                .collect(),
            root_slope: slope.sqrt(),
        }
    }

    /// Lets water leave for a step of `step` seconds, as it would flow on over ground of that
    /// slope (Manning: `q = h^(5/3) √S / n`), and says how much depth left, summed over the cells;
    /// `kept` is told of each cell which share of its water stays.
    pub fn drain(
        &self,
        depth: &mut [f64],
        roughness_squared: &[f64],
        area: f64,
        step: f64,
        mut kept: impl FnMut(usize, f64),
    ) -> f64 {
        let mut left = 0.0;
        for (cell, length) in &self.cells {
            let held = depth[*cell];
            if held > 0.0 {
                let roughness = roughness_squared[*cell].sqrt();
                let passed = held.powf(5.0 / 3.0) * self.root_slope / roughness;
                let gone = (passed * length * step / area).min(held);
                depth[*cell] = held - gone;
                left += gone;
                kept(*cell, depth[*cell] / held);
            }
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use lahar_core::{Affine, Crs, Grid};

    use super::super::domain::{Course, Forcing, Ground};
    use super::super::{local_inertial, shallow_water};
    use super::*;

    /// A plane that falls to the right, as a disc in no data, with a hole in it.
    fn disc() -> Grid {
        let place = Affine::north_up(0.0, 600.0, 20.0, 20.0);
        let height = |cell: usize| {
            let (y, x) = ((cell / 30) as f64 - 14.5, (cell % 30) as f64 - 14.5);
            let distance = x.hypot(y);
            let hole = (x - 4.0).hypot(y) < 1.5;
            if distance > 13.0 || hole {
                f64::NAN
            } else {
                10.0 - 0.2 * x
            }
        };
        Grid::new(
            (0..900).map(height).collect(),
            30,
            30,
            place,
            Crs::LocalMetres,
        )
        .unwrap()
    }

    fn rain() -> Forcing {
        Forcing {
            rain: Some(Course::constant(2e-5)),
            ..Forcing::default()
        }
    }

    #[test]
    fn a_hole_within_the_ground_is_no_rim() {
        let open = Edges::all(Edge::Open { slope: 0.01 });
        let ground = Ground::new(&disc(), 0.03, open.clone()).unwrap();
        let rim = Rim::of(&ground.bed, [30, 30], [20.0, 20.0], &open);
        let beside_hole = 14 * 30 + 17;
        assert!(!ground.is_void(beside_hole) && ground.is_void(beside_hole + 1));
        assert!(!rim.cells.is_empty());
        assert!(rim.cells.iter().all(|(cell, _)| *cell != beside_hole));
        let wall = Edges::all(Edge::Wall);
        assert!(
            Rim::of(&ground.bed, [30, 30], [20.0, 20.0], &wall)
                .cells
                .is_empty()
        );
    }

    /// Once the ground is full as much leaves as it rains, and none is lost on the way.
    #[test]
    fn rain_on_ground_that_ends_at_no_data_leaves_it() {
        let dry = disc().map(|z| if z.is_nan() { z } else { 0.0 });
        let ground = || {
            let open = Edges::all(Edge::Open { slope: 0.01 });
            Ground::new(&disc(), 0.03, open).unwrap()
        };
        let cells = disc().values().iter().filter(|z| z.is_finite()).count() as f64;
        let rained = 2e-5 * cells * 400.0;
        let settings = local_inertial::Settings::default();
        let mut light = local_inertial::Run::new(ground(), &dry, settings).unwrap();
        light.until(10_000.0, &rain(), |_| {}).unwrap();
        let before = light.balance().edges;
        light.until(20_000.0, &rain(), |_| {}).unwrap();
        let rate = (before - light.balance().edges) / 10_000.0;
        assert!(
            (rate / rained - 1.0).abs() < 0.02,
            "{rate} of {rained} m³/s"
        );
        assert!(light.balance().relative_error().abs() < 1e-12);

        let settings = shallow_water::Settings::default();
        let mut full = shallow_water::Run::new(ground(), &dry, settings).unwrap();
        full.until(10_000.0, &rain(), |_| {}).unwrap();
        let before = full.balance().edges;
        full.until(20_000.0, &rain(), |_| {}).unwrap();
        let rate = (before - full.balance().edges) / 10_000.0;
        assert!(
            (rate / rained - 1.0).abs() < 0.02,
            "{rate} of {rained} m³/s"
        );
        assert!(full.balance().relative_error().abs() < 1e-12);
    }
}
