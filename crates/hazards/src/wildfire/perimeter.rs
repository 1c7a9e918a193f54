//! Outlines of what had burned by a time.

use std::collections::HashMap;

use lahar_core::Grid;

type Point = [f64; 2];
type Ring = Vec<Point>;

/// A side of the squares between cell middles: the cell at its upper or left end (in rows and columns
/// of the grid with a border of one), and whether it runs to the right.
type Side = (usize, usize, bool);

/// Polygons of the cells with a value of at most `time`: an outer ring, counterclockwise, then the
/// holes in it, clockwise; rings are closed.
pub(super) fn outlines(arrival: &Grid, time: f64) -> Vec<Vec<Ring>> {
    let rings = rings(arrival, time);
    let (mut outer, mut holes) = (Vec::new(), Vec::new());
    for ring in rings {
        let area = signed_area(&ring);
        if area > 0.0 {
            outer.push((area, vec![ring]));
        } else if area < 0.0 {
            holes.push(ring);
        }
    }
    // The smallest ring around a hole is its own.
    outer.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    for hole in holes {
        let within = outer
            .iter_mut()
            .find(|(_, rings)| contains(&rings[0], hole[0]));
        if let Some((_, rings)) = within {
            rings.push(hole);
        }
    }
    outer.reverse();
    outer.into_iter().map(|(_, rings)| rings).collect()
}

/// Area of a closed ring, above zero where it runs counterclockwise.
pub(super) fn signed_area(ring: &[Point]) -> f64 {
    // Coordinates may be large: counted from the first point.
    let [x, y] = ring.first().copied().unwrap_or_default();
    let cross =
        |pair: &[Point]| (pair[0][0] - x) * (pair[1][1] - y) - (pair[1][0] - x) * (pair[0][1] - y);
    0.5 * ring.windows(2).map(cross).sum::<f64>()
}

fn contains(ring: &[Point], [x, y]: Point) -> bool {
    let crosses = |pair: &[Point]| {
        let ([ax, ay], [bx, by]) = (pair[0], pair[1]);
        (ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax
    };
    ring.windows(2).filter(|pair| crosses(pair)).count() % 2 == 1
}

fn rings(arrival: &Grid, time: f64) -> Vec<Ring> {
    let (rows, columns) = (arrival.rows(), arrival.columns());
    // A border of cells that do not burn closes every ring.
    let value = |row: usize, column: usize| {
        if row == 0 || column == 0 || row > rows || column > columns {
            return f64::NAN;
        }
        arrival.values()[(row - 1) * columns + column - 1]
    };
    let burned = |row: usize, column: usize| value(row, column) <= time;
    // Each side that is crossed leads to the next one, with the burned ground on the left.
    let mut next: HashMap<Side, Side> = HashMap::new();
    for row in 0..=rows {
        for column in 0..=columns {
            let corners = [
                burned(row, column),
                burned(row, column + 1),
                burned(row + 1, column + 1),
                burned(row + 1, column),
            ];
            if corners.iter().all(|corner| *corner == corners[0]) {
                continue;
            }
            // Sides of the square, clockwise from the top; side i lies between corners i and i + 1.
            let sides: [Side; 4] = [
                (row, column, true),
                (row, column + 1, false),
                (row + 1, column, true),
                (row, column, false),
            ];
            // With the burned ground on its left, a line enters the square by the side before a run of
            // burned corners, clockwise, and leaves by the side after it: corners that only touch are
            // kept apart.
            for at in 0..4 {
                if corners[at] && !corners[(at + 1) % 4] {
                    let mut back = at;
                    while corners[(back + 3) % 4] {
                        back = (back + 3) % 4;
                    }
                    next.insert(sides[(back + 3) % 4], sides[at]);
                }
            }
        }
    }
    let point = |(row, column, right): Side| -> Point {
        let (to_row, to_column) = match right {
            true => (row, column + 1),
            false => (row + 1, column),
        };
        let (a, b) = (value(row, column), value(to_row, to_column));
        let (early, late, turned) = match a <= time {
            true => (a, b, false),
            false => (b, a, true),
        };
        let share = match late.is_nan() || late <= early {
            true => 0.5,
            false => (time - early) / (late - early),
        };
        let share = if turned { 1.0 - share } else { share };
        // Half a cell for the middle, one back for the border.
        let column = column as f64 - 0.5 + share * (to_column - column) as f64;
        let row = row as f64 - 0.5 + share * (to_row - row) as f64;
        let (x, y) = match arrival.pixel {
            lahar_core::grid::PixelConvention::Area => arrival.transform.apply(column, row),
            lahar_core::grid::PixelConvention::Point => {
                arrival.transform.apply(column - 0.5, row - 0.5)
            }
        };
        [x, y]
    };
    let mut starts: Vec<Side> = next.keys().copied().collect();
    starts.sort_unstable();
    let mut rings = Vec::new();
    for start in starts {
        let mut ring = Vec::new();
        let mut side = start;
        while let Some(following) = next.remove(&side) {
            ring.push(point(side));
            side = following;
        }
        if ring.len() > 2 {
            ring.push(ring[0]);
            rings.push(ring);
        }
    }
    rings
}

#[cfg(test)]
mod tests {
    use lahar_core::{Affine, Crs};

    use super::*;

    fn grid(cells: &[&str]) -> Grid {
        let values: Vec<f64> = cells
            .iter()
            .flat_map(|row| row.chars())
            .map(|cell| if cell == '#' { 1.0 } else { f64::NAN })
            .collect();
        let transform = Affine::north_up(500_000.0, 4_000_000.0, 10.0, 10.0);
        Grid::new(
            values,
            cells.len(),
            cells[0].len(),
            transform,
            Crs::LocalMetres,
        )
        .unwrap()
    }

    #[test]
    fn islands_lie_in_the_holes_of_their_own_polygon() {
        let grid = grid(&[
            "#######", "#.....#", "#.###.#", "#.#.#.#", "#.###.#", "#.....#", "#######",
        ]);
        let polygons = outlines(&grid, 1.0);
        let rings: Vec<usize> = polygons.iter().map(Vec::len).collect();
        assert_eq!(rings, [2, 2]);
        for polygon in &polygons {
            assert!(signed_area(&polygon[0]) > 0.0 && signed_area(&polygon[1]) < 0.0);
            assert!(polygon.iter().all(|ring| ring.first() == ring.last()));
        }
    }

    #[test]
    fn a_block_of_cells_has_their_area_but_for_its_corners() {
        let polygons = outlines(&grid(&["....", ".##.", ".##.", "...."]), 1.0);
        assert_eq!(polygons.len(), 1);
        // Four corners of half a cell by half a cell are cut.
        let area = signed_area(&polygons[0][0]);
        assert!((area - (400.0 - 4.0 * 12.5)).abs() < 1e-6, "{area}");
        let [x, y] = polygons[0][0][0];
        assert!((500_010.0..=500_030.0).contains(&x) && (3_999_970.0..=3_999_990.0).contains(&y));
    }

    #[test]
    fn cells_that_touch_at_a_corner_are_two_polygons() {
        assert_eq!(outlines(&grid(&["#.", ".#"]), 1.0).len(), 2);
        assert_eq!(outlines(&grid(&[".#", "#."]), 1.0).len(), 2);
    }

    #[test]
    fn the_line_runs_where_the_fire_is_at_the_time() {
        let values = (0..11).map(f64::from).collect();
        let transform = Affine::north_up(0.0, 10.0, 10.0, 10.0);
        let grid = Grid::new(values, 1, 11, transform, Crs::LocalMetres).unwrap();
        let polygons = outlines(&grid, 4.25);
        let east = polygons[0][0]
            .iter()
            .map(|point| point[0])
            .fold(0.0, f64::max);
        assert!((east - 47.5).abs() < 1e-9, "{east}");
    }
}
