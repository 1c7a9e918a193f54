//! Floods against closed forms, landlab and pyflwdir.

use serde_json::Value;

use lahar_core::measure::{Area, Length, Ratio, Span, Speed};
use lahar_core::{Affine, Crs, Grid};
use lahar_hazards::flood::domain::{Course, Edge, Edges, Forcing, Ground};
use lahar_hazards::flood::local_inertial;
use lahar_hazards::flood::routing::Reach;
use lahar_hazards::flood::runoff;

use crate::{Case, Check, Differences, compare};

pub const KINDS: &[(&str, Check)] = &[
    ("hydrology_formulas", hydrology),
    ("inertial_dealmeida_landlab", inertial),
    ("nonbreaking_wave_plane", nonbreaking_wave),
];

const TOLERANCE: f64 = 1e-9;

fn text(error: lahar_hazards::HazardError) -> String {
    error.to_string()
}

fn hydrology(case: &Value) -> Result<Differences, String> {
    let mut out = Differences::new();
    let storm = Case(case);
    let number = storm.number("CN")?;
    let rain = Length::millimetres(storm.number("P_mm")?);
    let share = Ratio::fraction(storm.number("lambda_")?);
    let retention = runoff::potential_retention(number).map_err(text)?;
    let found = runoff::curve_number_runoff(rain, number, share).map_err(text)?;
    let mut same = |name: &str, found: f64, expected: f64| {
        compare(&mut out, name, found, expected, TOLERANCE, 1e-15);
    };
    same("S_mm", retention.to_millimetres(), storm.number("S_mm")?);
    same("Q_mm", found.to_millimetres(), storm.number("Q_mm")?);

    let wave = Case(case.get("muskingum").ok_or("`muskingum` is missing")?);
    let reach = Reach {
        travel_time: Span::hours(wave.number("K_h")?),
        weighting: wave.number("X")?,
    };
    let step = Span::hours(wave.number("dt_h")?);
    let coefficients = reach.coefficients(step).map_err(text)?;
    same("C0", coefficients.inflow, wave.number("C0")?);
    same("C1", coefficients.inflow_before, wave.number("C1")?);
    same("C2", coefficients.outflow_before, wave.number("C2")?);
    let outflow = reach.route(&wave.numbers("inflow")?, step).map_err(text)?;
    for (at, (found, expected)) in outflow.iter().zip(wave.numbers("outflow")?).enumerate() {
        same(&format!("outflow {at}"), *found, expected);
    }

    let basin = Case(case.get("rational").ok_or("`rational` is missing")?);
    let peak = runoff::rational_peak(
        Ratio::fraction(basin.number("C")?),
        Speed::millimetres_per_hour(basin.number("i_mm_h")?),
        Area::square_kilometres(basin.number("A_km2")?),
    );
    same("Q_m3_s", peak.map_err(text)?, basin.number("Q_m3_s")?);
    Ok(out)
}

fn local(values: Vec<f64>, rows: usize, columns: usize, size: f64) -> Result<Grid, String> {
    let place = Affine::north_up(0.0, size * rows as f64, size, size);
    Grid::new(values, rows, columns, place, Crs::LocalMetres).map_err(|e| e.to_string())
}

/// The peer starts with a film of this depth on every cell.
const FILM: f64 = 1e-5;

/// The peer lets a cell give more water than it has, and go below zero; this scheme does not, and
/// so counts as another implementation. With that turned off the two were 4e-6 m apart at most.
fn inertial(case: &Value) -> Result<Differences, String> {
    let case = Case(case);
    let (n, size) = (case.number("n")? as usize, case.number("dx")?);
    let ground = Ground::new(
        &local(case.numbers("z")?, n, n, size)?,
        case.number("manning_n")?,
        Edges::all(Edge::Held),
    )
    .map_err(text)?;
    let depth = case.numbers("h0")?.into_iter().map(|h| h + FILM).collect();
    let settings = local_inertial::Settings {
        alpha: case.number("alpha")?,
        theta: case.number("theta")?,
        gravity: case.number("g")?,
        ..local_inertial::Settings::default()
    };
    let mut run =
        local_inertial::Run::new(ground, &local(depth, n, n, size)?, settings).map_err(text)?;
    for step in case.numbers("dts")? {
        run.step(step, &Forcing::default()).map_err(text)?;
    }
    let expected = case.numbers("h_final")?;
    let found = run.depth();
    let mut out = Differences::new();
    let pairs = found.values().iter().zip(&expected);
    let squares: f64 = pairs.map(|(f, e)| (f - e).powi(2)).sum();
    let error = (squares / expected.len() as f64).sqrt();
    if error > 0.01 {
        out.push(format!(
            "depth: {error:e} m from the peer, where 0.01 m is allowed"
        ));
    }
    Ok(out)
}

/// On a plane of 5 km, dry where the wave has not come. The front, where the closed form has no
/// finite slope, is smeared over a cell or two, and gives nearly all of the error.
fn nonbreaking_wave(case: &Value) -> Result<Differences, String> {
    let wave = Case(case);
    let (roughness, speed) = (wave.number("n")?, wave.number("u")?);
    let profiles = case.get("profiles").and_then(Value::as_array);
    let profiles = profiles.ok_or("`profiles` is no list")?;
    let (size, columns) = (50.0, 100);
    let mut out = Differences::new();
    for profile in profiles {
        let profile = Case(profile);
        let end = profile.number("t")?;
        let (x, expected) = (profile.numbers("x")?, profile.numbers("h")?);
        if x[x.len() - 1] > size * columns as f64 {
            return Err(format!(
                "the wave runs {} m, beyond the plane",
                x[x.len() - 1]
            ));
        }
        let exact = |at: f64| {
            let behind = (speed * end - at).max(0.0);
            (7.0 / 3.0 * (roughness * speed).powi(2) * behind).powf(3.0 / 7.0)
        };
        for (at, h) in x.iter().zip(&expected) {
            compare(
                &mut out,
                &format!("closed form at {at} m"),
                exact(*at),
                *h,
                1e-9,
                1e-9,
            );
        }
        let height =
            |time: f64| (7.0 / 3.0 * roughness.powi(2) * speed.powi(3) * time).powf(3.0 / 7.0);
        let times: Vec<f64> = (0..=(end as usize)).map(|t| t as f64).collect();
        let level = Course::new(times.clone(), times.into_iter().map(height).collect());
        let edges = Edges {
            left: Edge::Level(level.map_err(text)?),
            ..Edges::all(Edge::Wall)
        };
        let flat = local(vec![0.0; columns], 1, columns, size)?;
        let ground = Ground::new(&flat, roughness, edges).map_err(text)?;
        let settings = local_inertial::Settings {
            theta: 1.0,
            longest_step: 1.0,
            ..local_inertial::Settings::default()
        };
        let mut run = local_inertial::Run::new(ground, &flat, settings).map_err(text)?;
        run.until(end, &Forcing::default(), |_| {}).map_err(text)?;
        let depth = run.depth();
        let sum: f64 = (0..columns)
            .map(|column| {
                let at = (column as f64 + 0.5) * size;
                (depth.values()[column] - exact(at)).powi(2)
            })
            .sum();
        let error = (sum / columns as f64).sqrt();
        if error > 0.02 {
            out.push(format!("at {end} s: {error:.4} m, where 0.02 m is allowed"));
        }
    }
    Ok(out)
}
