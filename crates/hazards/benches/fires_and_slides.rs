//! Fires over ground, transient infiltration, trained trees, fire weather: how many cells a second.
//!
//! `cargo bench -p lahar-hazards --bench fires_and_slides` prints one run; nothing here is a test. Peers
//! on the same cases: `benches/peers/fire_pyretechnics.py`, `benches/peers/lhasa_xgboost.py`.

// A program, not the library.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use lahar_core::measure::{Pressure, Span};
use lahar_core::{Affine, Crs, Grid, RandomStream};
use lahar_hazards::landslide::iverson_2000::Storm;
use lahar_hazards::landslide::transient_cells::{GroundCells, Soil, factor_of_safety_cells};
use lahar_hazards::wildfire::fire_weather_index::{self as fwi, Codes, Noon, WindFunction};
use lahar_hazards::wildfire::landscape::{Field, Landscape, Period, Weather};
use lahar_hazards::wildfire::rothermel::Moisture;
use lahar_hazards::wildfire::wind::WindHeight;
use lahar_hazards::wildfire::{level_set, minimum_travel_time};

/// Seconds of the fastest and of the middle one of several runs.
fn time(times: usize, mut work: impl FnMut()) -> (f64, f64) {
    let mut seconds: Vec<f64> = (0..times)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    (seconds[0], seconds[times / 2])
}

fn grid(cells: usize, value: impl Fn(f64, f64) -> f64) -> Grid {
    let values = (0..cells * cells)
        .map(|cell| value((cell % cells) as f64, (cell / cells) as f64))
        .collect();
    let transform = Affine::north_up(0.0, 30.0 * cells as f64, 30.0, 30.0);
    Grid::new(values, cells, cells, transform, Crs::LocalMetres).unwrap_or_else(|e| panic!("{e}"))
}

fn weather(wind_speed: Field, wind_from: Field) -> [Period; 1] {
    [Period {
        start: 0.0,
        weather: Weather {
            wind_speed,
            wind_from,
            wind_height: WindHeight::TenMetres,
            moisture: Moisture {
                one_hour: 0.06,
                ten_hours: 0.07,
                hundred_hours: 0.08,
                herbs: 0.6,
                wood: 0.9,
            },
            one_hour: None,
        },
    }]
}

fn fires() {
    // Hills, patches of six fuels, wind that differs from cell to cell.
    let cells = 2000;
    let elevation = grid(cells, |x, y| {
        120.0 * (x / 97.0).sin() * (y / 131.0).cos() + 40.0 * (x / 23.0 + y / 31.0).sin()
    });
    let fuels = [102.0, 122.0, 141.0, 145.0, 165.0, 1.0];
    let fuel = grid(cells, |x, y| {
        fuels[(((x / 61.0) as usize) * 7 + ((y / 53.0) as usize) * 3) % 6]
    });
    let speed = grid(cells, |x, y| 250.0 + 60.0 * (x / 300.0 + y / 500.0).sin());
    let from = grid(cells, |x, _| 270.0 + 20.0 * (x / 400.0).sin());
    let land = Landscape::new(&elevation, &fuel).unwrap_or_else(|e| panic!("{e}"));
    let periods = weather(Field::Cells(speed), Field::Cells(from));
    let start = cells / 2 * cells + cells / 3;
    for threads in [2, 1] {
        let mut reached = 0;
        let (fastest, middle) = time(5, || {
            let fire = minimum_travel_time::grow(&land, &periods, &[start], 7_000.0, threads);
            reached = fire.map_or(0, |fire| fire.count());
        });
        println!(
            "minimum travel time, 2000 x 2000 of 30 m, rates included, {threads} threads: fastest \
             {fastest:.2} s, middle {middle:.2} s, {:.0} % of the cells reached, {:.0} ns a cell",
            100.0 * reached as f64 / (cells * cells) as f64,
            fastest / reached as f64 * 1e9
        );
    }
}

fn front() {
    // The case of the peer: 400 x 400 of SH5, 15 km/h from the west, four hours.
    let flat = grid(400, |_, _| 0.0);
    let land = Landscape::new(&flat, &flat.map(|_| 145.0)).unwrap_or_else(|e| panic!("{e}"));
    let wind = Field::Uniform(15.0 * 1000.0 / 60.0);
    let periods = weather(wind, Field::Uniform(270.0));
    let start = 200 * 400 + 100;
    let mut burned = 0;
    let (fastest, middle) = time(21, || {
        let fire = level_set::grow(&land, &periods, &[start], 240.0);
        burned = fire.map_or(0, |fire| fire.count());
    });
    println!(
        "level set, 400 x 400 of 30 m, 1 thread: fastest {:.2} ms, middle {:.2} ms, {burned} cells",
        fastest * 1e3,
        middle * 1e3
    );
    let (fastest, middle) = time(21, || {
        let fire = minimum_travel_time::grow(&land, &periods, &[start], 240.0, 1);
        burned = fire.map_or(0, |fire| fire.count());
    });
    println!(
        "minimum travel time on the same, 1 thread: fastest {:.2} ms, middle {:.2} ms, {burned} cells",
        fastest * 1e3,
        middle * 1e3
    );
}

fn slides(stream: &mut RandomStream) {
    const CELLS: usize = 4_000_000;
    let mut layer = |low: f64, high: f64| -> Vec<f64> {
        (0..CELLS)
            .map(|_| low + (high - low) * stream.uniform())
            .collect()
    };
    let (slope, depth, water) = (layer(0.05, 1.2), layer(0.3, 4.0), layer(0.2, 3.0));
    let soil = Soil {
        cohesion: Pressure::kilopascals(3.0),
        friction_angle: 32.0,
        unit_weight: 19_000.0,
        diffusivity: 2e-5,
        conductivity: 1e-5,
        lasting_infiltration: 1e-7,
    };
    let storm = Storm {
        infiltration: 3e-6,
        start: Span::hours(0.0),
        duration: Span::hours(6.0),
    };
    let cells = GroundCells {
        slope: &slope,
        depth: &depth,
        water_table: &water,
    };
    let (mut safety, mut head) = (vec![0.0; CELLS], vec![0.0; CELLS]);
    for threads in [1, 2] {
        let (fastest, middle) = time(7, || {
            let out = (safety.as_mut_slice(), head.as_mut_slice());
            let done =
                factor_of_safety_cells(&cells, &soil, &[storm], Span::hours(10.0), threads, out);
            black_box((done.is_ok(), &mut safety, &mut head));
        });
        println!(
            "transient infiltration, infinite depth, {threads} threads: fastest {:.1e} cells a second, \
             middle {:.1e}",
            CELLS as f64 / fastest,
            CELLS as f64 / middle
        );
    }
}

fn trees(stream: &mut RandomStream) {
    let shared = std::env::var("LAHAR_SHARED").unwrap_or_else(|_| "../../../shared".to_owned());
    let path = format!("{shared}/sci-data/lhasa/model.json");
    let Ok(text) = std::fs::read(&path) else {
        println!("LHASA version 2: left out, {path} is not here");
        return;
    };
    let model = match lahar_formats::trees::read(&text) {
        Ok(model) => model,
        Err(error) => {
            println!("LHASA version 2: {error}");
            return;
        }
    };
    const CELLS: usize = 200_000;
    let mut columns: [Vec<f64>; 6] = std::array::from_fn(|_| Vec::with_capacity(CELLS));
    for _ in 0..CELLS {
        let mut u = || stream.uniform();
        let lithology = (u() * 5.0).floor();
        let row = [lithology, u() * 45.0, u(), u(), u() * 80.0, u() * 3.0];
        for (column, value) in columns.iter_mut().zip(row) {
            column.push(value);
        }
    }
    let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    for threads in [1, 2] {
        let (fastest, middle) = time(21, || {
            black_box(model.predict_columns(&columns, threads).is_ok());
        });
        println!(
            "LHASA version 2, {threads} threads: fastest {:.2e} cells a second, middle {:.2e}",
            CELLS as f64 / fastest,
            CELLS as f64 / middle
        );
    }
}

fn weather_day(stream: &mut RandomStream) {
    const CELLS: usize = 1_000_000;
    let noon: Vec<(Codes, Noon)> = (0..CELLS)
        .map(|_| {
            let mut u = || stream.uniform();
            let codes = Codes {
                fine: 50.0 + 45.0 * u(),
                duff: 60.0 * u(),
                drought: 400.0 * u(),
            };
            let noon = Noon {
                temperature: 35.0 * u(),
                humidity: 20.0 + 75.0 * u(),
                wind: 40.0 * u(),
                rain: if u() < 0.3 { 20.0 * u() } else { 0.0 },
            };
            (codes, noon)
        })
        .collect();
    let mut out = vec![0.0; CELLS];
    let (fastest, middle) = time(5, || {
        for (out, (codes, noon)) in out.iter_mut().zip(&noon) {
            let day = || {
                let codes = codes.after(noon, 7, 50.0)?;
                let isi = fwi::initial_spread_index(codes.fine, noon.wind, WindFunction::Plain)?;
                fwi::fire_weather_index(isi, fwi::buildup_index(codes.duff, codes.drought)?)
            };
            *out = day().unwrap_or(f64::NAN);
        }
        black_box(&mut out);
    });
    let (stream, _) = time(5, || {
        for (out, (codes, noon)) in out.iter_mut().zip(&noon) {
            *out = codes.fine
                + codes.duff
                + codes.drought
                + noon.temperature
                + noon.humidity
                + noon.wind
                + noon.rain;
        }
        black_box(&mut out);
    });
    println!(
        "fire weather index of 10^6 cells for a day, 1 thread: fastest {fastest:.3} s, middle \
         {middle:.3} s, {:.0} ns a cell; reading and adding the same numbers {:.1} ns a cell, so the \
         arithmetic is the limit",
        fastest / CELLS as f64 * 1e9,
        stream / CELLS as f64 * 1e9
    );
}

/// A name on the command line picks one part: `-- front`.
fn main() {
    let only = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let is_wanted = |part: &str| only.as_ref().is_none_or(|only| only == part);
    let mut stream = RandomStream::new(1, 0);
    if is_wanted("fires") {
        fires();
    }
    if is_wanted("front") {
        front();
    }
    if is_wanted("slides") {
        slides(&mut stream);
    }
    if is_wanted("trees") {
        trees(&mut stream);
    }
    if is_wanted("weather") {
        weather_day(&mut stream);
    }
}
