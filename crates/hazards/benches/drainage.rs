//! Depressions, flow directions, accumulation and heights above drainage over ten million cells.
//!
//! `cargo bench -p lahar-hazards --bench drainage` prints one run; nothing here is a test. The
//! ground is the formula that `benches/peers/drainage.py` uses too.

// A program, not the library.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use lahar_core::{Affine, Crs, Grid};
use lahar_hazards::flood::height_above_drainage::height_above_drainage;
use lahar_hazards::terrain::drainage::{fill_depressions, flow_directions};

/// Valleys of several lengths over a plane, and a hash of the place as the surveyor's error.
fn terrain(rows: usize, columns: usize) -> Grid {
    let height = |row: usize, column: usize| {
        let (y, x) = (row as f64, column as f64);
        let hash = ((row * 73_856_093) ^ (column * 19_349_663)) % 1000;
        0.05 * y
            + 40.0 * (x / 211.0).sin() * (y / 307.0).cos()
            + 8.0 * (x / 41.0).sin() * (y / 29.0).sin()
            + 0.001 * hash as f64
    };
    let values = (0..rows * columns).map(|cell| height(cell / columns, cell % columns));
    let place = Affine::north_up(0.0, rows as f64 * 10.0, 10.0, 10.0);
    Grid::new(values.collect(), rows, columns, place, Crs::LocalMetres)
        .unwrap_or_else(|error| panic!("{error}"))
}

fn time<T>(name: &str, cells: usize, work: impl Fn() -> T) -> T {
    let mut best = f64::INFINITY;
    let mut result = None;
    for _ in 0..3 {
        let start = Instant::now();
        result = Some(black_box(work()));
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!(
        "{name:<28} {best:.3} s, {:.0} ns a cell",
        best / cells as f64 * 1e9
    );
    result.unwrap_or_else(|| unreachable!("three runs were made"))
}

fn main() {
    for size in [1000, 2000, 3200] {
        let raw = terrain(size, size);
        let cells = size * size;
        println!("{size} x {size}");
        let filled = time("fill depressions", cells, || fill_depressions(&raw));
        let flow = time("flow directions", cells, || {
            flow_directions(&filled).unwrap_or_else(|error| panic!("{error}"))
        });
        let ones = vec![1.0; cells];
        let area = time("accumulation", cells, || flow.accumulate(&ones));
        let streams: Vec<bool> = area.iter().map(|area| *area > 1000.0).collect();
        time("height above drainage", cells, || {
            height_above_drainage(&raw, &flow, &streams).unwrap_or_else(|error| panic!("{error}"))
        });
    }
}
