//! Steps of the two flood solvers over a wet basin, beside what the memory can do.
//!
//! `cargo bench -p lahar-hazards --bench floods` prints one run; nothing here is a test. The ground
//! is the formula that `benches/peers/floods_landlab.py` and `floods_anuga.py` use too.

// A program, not the library.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use lahar_core::{Affine, Crs, Grid};
use lahar_hazards::flood::domain::{Course, Edge, Edges, Forcing, Ground, Inflow};
use lahar_hazards::flood::{local_inertial, shallow_water};

const CELL: f64 = 10.0;
const ROUGHNESS: f64 = 0.03;

/// A tilted plain with hills of two lengths, in metres.
fn terrain(rows: usize, columns: usize) -> Grid {
    let height = |row: usize, column: usize| {
        let (y, x) = (row as f64, column as f64);
        0.002 * CELL * (rows as f64 - y) + 0.4 * (x / 37.0).sin() * (y / 53.0).cos()
    };
    let values = (0..rows * columns).map(|cell| height(cell / columns, cell % columns));
    let place = Affine::north_up(0.0, rows as f64 * CELL, CELL, CELL);
    Grid::new(values.collect(), rows, columns, place, Crs::LocalMetres)
        .unwrap_or_else(|error| panic!("{error}"))
}

fn ground(rows: usize, columns: usize) -> (Grid, Ground) {
    let terrain = terrain(rows, columns);
    let ground = Ground::new(&terrain, ROUGHNESS, Edges::all(Edge::Wall))
        .unwrap_or_else(|error| panic!("{error}"));
    (terrain, ground)
}

fn rain() -> Forcing {
    Forcing {
        rain: Some(Course::constant(1e-5)),
        ..Forcing::default()
    }
}

/// Seconds that this process has computed, all threads together, to a hundredth.
fn computed() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = text.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    ticks.filter_map(|n| n.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Fastest and middle of several repeats, and the least computing of one, in seconds.
fn time(repeats: usize, mut work: impl FnMut()) -> [f64; 3] {
    let mut computing = f64::INFINITY;
    let mut seconds: Vec<f64> = (0..repeats)
        .map(|_| {
            let (start, busy) = (Instant::now(), computed());
            work();
            computing = computing.min(computed() - busy);
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    [seconds[0], seconds[repeats / 2], computing]
}

fn line(name: &str, cell_steps: f64, [fastest, middle, computing]: [f64; 3], bytes: f64) {
    println!(
        "{name:<50} {:>6.1} (middle {:>6.1}) million cell-steps a second, {:>6.1} a CPU second, {:.2} GB/s",
        cell_steps / fastest / 1e6,
        cell_steps / middle / 1e6,
        cell_steps / computing / 1e6,
        cell_steps * bytes / fastest / 1e9,
    );
}

/// Bytes that a step has to move for a cell: depth, bed, roughness and two discharges are read,
/// two discharges and a depth written.
const INERTIAL_BYTES: f64 = 8.0 * 8.0;
/// Two stages that each read depth, two momenta and bed and write depth and two momenta, and a mean.
const SHALLOW_BYTES: f64 = (2.0 * 7.0 + 9.0) * 8.0;

fn local_inertial_steps(rows: usize, columns: usize, threads: usize, steps: usize) -> [f64; 3] {
    let (terrain, ground) = ground(rows, columns);
    let settings = local_inertial::Settings {
        threads,
        ..local_inertial::Settings::default()
    };
    let wet = terrain.map(|_| 0.5);
    let mut run =
        local_inertial::Run::new(ground, &wet, settings).unwrap_or_else(|error| panic!("{error}"));
    let forcing = rain();
    time(3, || {
        for _ in 0..steps {
            let step = run.stable_step();
            run.step(step, &forcing)
                .unwrap_or_else(|error| panic!("{error}"));
        }
        black_box(run.time());
    })
}

fn shallow_water_steps(rows: usize, columns: usize, threads: usize, steps: usize) -> [f64; 3] {
    let (terrain, ground) = ground(rows, columns);
    let settings = shallow_water::Settings {
        threads,
        ..shallow_water::Settings::default()
    };
    let wet = terrain.map(|_| 0.5);
    let mut run =
        shallow_water::Run::new(ground, &wet, settings).unwrap_or_else(|error| panic!("{error}"));
    let forcing = rain();
    time(3, || {
        for _ in 0..steps {
            let end = run.time() + run.stable_step();
            run.until(end, &forcing, |_| {})
                .unwrap_or_else(|error| panic!("{error}"));
        }
        black_box(run.time());
    })
}

/// Seconds for an hour of a stream that wets a small part of a dry plain.
fn stream_over_dry_plain(rows: usize, columns: usize, threads: usize) -> (f64, usize) {
    let (terrain, ground) = ground(rows, columns);
    let settings = local_inertial::Settings {
        threads,
        ..local_inertial::Settings::default()
    };
    let dry = terrain.map(|_| 0.0);
    let mut run =
        local_inertial::Run::new(ground, &dry, settings).unwrap_or_else(|error| panic!("{error}"));
    let forcing = Forcing {
        inflows: vec![Inflow {
            row: 2,
            column: columns / 2,
            discharge: Course::constant(20.0),
        }],
        ..Forcing::default()
    };
    let start = Instant::now();
    let mut steps = 0;
    run.until(3600.0, &forcing, |_| steps += 1)
        .unwrap_or_else(|error| panic!("{error}"));
    (start.elapsed().as_secs_f64(), steps)
}

/// What the memory gives: `a = b + 3 c` over three long rows of numbers.
fn stream_triad(threads: usize) -> f64 {
    let mut first = vec![0.0_f64; 20_000_000];
    let (second, third) = (vec![1.0_f64; 20_000_000], vec![2.0_f64; 20_000_000]);
    let share = first.len() / threads;
    let [fastest, _, _] = time(5, || {
        std::thread::scope(|scope| {
            let pieces = first.chunks_mut(share).zip(second.chunks(share));
            for ((a, b), c) in pieces.zip(third.chunks(share)) {
                scope.spawn(move || {
                    for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
                        *a = b + 3.0 * c;
                    }
                });
            }
        });
        black_box(&mut first);
    });
    24.0 * 20e6 / fastest / 1e9
}

/// A name on the command line picks the parts that hold it: `-- inertial`.
fn main() {
    let only = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let is_wanted = |part: &str| {
        only.as_ref()
            .is_none_or(|only| part.contains(only.as_str()))
    };
    for threads in [1, 2] {
        if is_wanted("stream triad") {
            let speed = stream_triad(threads);
            println!("stream triad, {threads} threads: {speed:.2} GB/s");
        }
    }
    for threads in [1, 2] {
        let name = format!("local inertial, 1000 x 1000, {threads} threads");
        if is_wanted(&name) {
            let seconds = local_inertial_steps(1000, 1000, threads, 40);
            line(&name, 40.0 * 1e6, seconds, INERTIAL_BYTES);
        }
    }
    for threads in [1, 2] {
        let name = format!("full shallow water, 1000 x 1000, {threads} threads");
        if is_wanted(&name) {
            let seconds = shallow_water_steps(1000, 1000, threads, 6);
            line(&name, 6.0 * 1e6, seconds, SHALLOW_BYTES);
        }
    }
    for size in [125, 250, 500, 1000, 2000, 4000] {
        let cells = (size * size) as f64;
        let steps = (4e7 / cells).ceil() as usize;
        let name = format!("growth: local inertial, {size} x {size}, 2 threads");
        if is_wanted(&name) {
            let seconds = local_inertial_steps(size, size, 2, steps);
            line(&name, steps as f64 * cells, seconds, INERTIAL_BYTES);
        }
    }
    for size in [500, 1000, 2000] {
        if is_wanted("dry plain") {
            let (seconds, steps) = stream_over_dry_plain(size, size, 2);
            println!(
                "dry plain: an hour of a stream over {size} x {size} cells: {seconds:.2} s, {steps} steps"
            );
        }
    }
}
