//! Regressions over ten million cells, beside what the memory can do.
//!
//! `cargo bench -p lahar-hazards --bench rasters` prints one run; nothing here is a test.

// A program, not the library.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use lahar_core::RandomStream;
use lahar_core::measure::{Length, Ratio, Speed};
use lahar_hazards::ground_failure::nowicki_jessee_2018::{
    LandCover, Lithology, ShakenCells, Variant, estimate_cells,
};
use lahar_hazards::ground_failure::zhu::{WetCells, general_2017_cells};
use lahar_hazards::postfire_debris_flow::staley_2017::{
    BurnedBasin, Model, RainDuration, coefficients, likelihood,
};

const CELLS: usize = 10_000_000;

/// Seconds of the fastest and of the middle one of several runs.
fn time(mut work: impl FnMut()) -> (f64, f64) {
    let mut seconds: Vec<f64> = (0..5)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    (seconds[0], seconds[2])
}

fn line(name: &str, bytes_a_cell: f64, (fastest, middle): (f64, f64)) {
    let rate = CELLS as f64 * bytes_a_cell / fastest / 1e9;
    println!(
        "{name:<44} fastest {fastest:.3} s, middle {middle:.3} s, {:.1} ns a cell, {rate:.2} GB/s",
        fastest / CELLS as f64 * 1e9
    );
}

fn main() {
    let mut stream = RandomStream::new(1, 0);
    let mut layer = |low: f64, high: f64| -> Vec<f64> {
        (0..CELLS)
            .map(|_| low + (high - low) * stream.uniform())
            .collect()
    };
    let velocity = layer(0.005, 1.5);
    let slope = layer(0.0, 1.0);
    let index = layer(0.0, 20.0);
    let acceleration = layer(0.0, 8.0);
    let codes = layer(0.0, 1.0);
    let lithology: Vec<Lithology> = codes
        .iter()
        .map(|c| Lithology::CODES[(c * 13.0) as usize])
        .map(|code| Lithology::parse(code).unwrap_or_else(|error| panic!("{error}")))
        .collect();
    let land_cover: Vec<LandCover> = codes
        .iter()
        .map(|c| LandCover::CODES[(c * 20.0) as usize])
        .map(|code| LandCover::parse(code).unwrap_or_else(|error| panic!("{error}")))
        .collect();
    let (mut first, mut second) = (vec![0.0; CELLS], vec![0.0; CELLS]);

    let triad = time(|| {
        for ((a, b), c) in first.iter_mut().zip(&velocity).zip(&slope) {
            *a = b + 3.0 * c;
        }
        black_box(&mut first);
    });
    line("stream triad, 1 thread", 24.0, triad);
    let cells = ShakenCells {
        peak_velocity: &velocity,
        peak_acceleration: Some(&acceleration),
        slope: &slope,
        lithology: &lithology,
        land_cover: &land_cover,
        topographic_index: &index,
    };
    for (variant, name) in [
        (Variant::Published, "published"),
        (Variant::Operational, "operational"),
    ] {
        for threads in [1, 2] {
            let seconds = time(|| {
                let done = estimate_cells(&cells, variant, threads, &mut first, &mut second);
                black_box((done.is_ok(), &mut first, &mut second));
            });
            line(
                &format!("Nowicki Jessee 2018 {name}, {threads} threads"),
                50.0,
                seconds,
            );
        }
    }

    let (vs30, rain) = (layer(100.0, 900.0), layer(0.0, 3.0));
    let (water, table) = (layer(0.0, 20_000.0), layer(0.0, 60.0));
    let wet = WetCells {
        peak_velocity: &velocity,
        vs30: &vs30,
        annual_precipitation: &rain,
        distance_to_water: &water,
        water_table_depth: &table,
    };
    for threads in [1, 2] {
        let seconds = time(|| {
            let done = general_2017_cells(&wet, threads, &mut first, &mut second);
            black_box((done.is_ok(), &mut first, &mut second));
        });
        line(
            &format!("Zhu 2017 general, {threads} threads"),
            56.0,
            seconds,
        );
    }

    // Nowicki Jessee without any type or check, by the library's functions.
    let degrees: Vec<f64> = slope.iter().map(|slope| slope.to_degrees()).collect();
    let rock: Vec<f64> = codes.iter().map(|c| -1.0 - c).collect();
    let bare = time(|| {
        for cell in 0..CELLS {
            let ln = (100.0 * velocity[cell]).ln();
            let x = -6.30
                + 1.65 * ln
                + 0.06 * degrees[cell]
                + rock[cell]
                + 0.5
                + 0.03 * index[cell]
                + 0.01 * ln * degrees[cell];
            let p = if x >= 0.0 {
                1.0 / (1.0 + (-x).exp())
            } else {
                x.exp() / (1.0 + x.exp())
            };
            first[cell] = p;
            second[cell] = (-7.592 + p * (5.237 + p * (-3.042 + p * 4.035))).exp();
        }
        black_box((&mut first, &mut second));
    });
    line(
        "Nowicki Jessee 2018, library functions, 1 thread",
        48.0,
        bare,
    );

    // Whether units and limits cost anything: the kernel with its typed arguments, the same
    // formula with typed values and without limits, and the formula on bare numbers.
    let soil = layer(0.0, 1.0);
    let checked = time(|| {
        for ((out, c), s) in first.iter_mut().zip(&codes).zip(&soil) {
            let basin = BurnedBasin {
                terrain: *c,
                fire: 0.4,
                soil: *s,
            };
            let rain = RainDuration::Minutes15.accumulation(Speed::millimetres_per_hour(24.0));
            let p = likelihood(Model::M1, RainDuration::Minutes15, &basin, rain);
            *out = p.map_or(f64::NAN, |p| p.si());
        }
        black_box(&mut first);
    });
    line("Staley 2017 M1, typed and checked", 24.0, checked);
    let bare = time(|| {
        let k = coefficients(Model::M1, RainDuration::Minutes15);
        let rain = black_box(Length::millimetres(6.0).to_millimetres());
        for ((out, c), s) in second.iter_mut().zip(&codes).zip(&soil) {
            let x = k.intercept + (k.terrain * c + k.fire * 0.4 + k.soil * s) * rain;
            *out = if x >= 0.0 {
                1.0 / (1.0 + (-x).exp())
            } else {
                x.exp() / (1.0 + x.exp())
            };
        }
        black_box(&mut second);
    });
    line("Staley 2017 M1, bare formula", 24.0, bare);
    let typed = time(|| {
        let k = coefficients(Model::M1, RainDuration::Minutes15);
        let intensity = black_box(Speed::millimetres_per_hour(24.0));
        for ((out, c), s) in second.iter_mut().zip(&codes).zip(&soil) {
            let (terrain, soil) = (Ratio::fraction(*c), Ratio::fraction(*s));
            let rain = RainDuration::Minutes15.accumulation(intensity);
            let x = k.intercept
                + (k.terrain * terrain.to_fraction() + k.fire * 0.4 + k.soil * soil.to_fraction())
                    * rain.to_millimetres();
            let p = Ratio::fraction(if x >= 0.0 {
                1.0 / (1.0 + (-x).exp())
            } else {
                x.exp() / (1.0 + x.exp())
            });
            *out = p.si();
        }
        black_box(&mut second);
    });
    line("Staley 2017 M1, typed formula", 24.0, typed);
    println!(
        "units cost {:+.1} %, units and the checks of limits {:+.1} %",
        (typed.0 / bare.0 - 1.0) * 100.0,
        (checked.0 / bare.0 - 1.0) * 100.0
    );
}
