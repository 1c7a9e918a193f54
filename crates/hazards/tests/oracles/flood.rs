//! Floods against closed forms, landlab and pyflwdir.

use serde_json::Value;

use lahar_core::measure::{Area, Length, Ratio, Span, Speed};
use lahar_core::{Affine, Crs, Grid};
use lahar_hazards::flood::domain::{Course, Edge, Edges, Forcing, Ground};
use lahar_hazards::flood::height_above_drainage as hand;
use lahar_hazards::flood::local_inertial;
use lahar_hazards::flood::routing::Reach;
use lahar_hazards::flood::runoff;
use lahar_hazards::flood::shallow_water;
use lahar_hazards::terrain::drainage;

use crate::{Case, Check, Differences, compare};

pub const KINDS: &[(&str, Check)] = &[
    ("hydrology_formulas", hydrology),
    ("inertial_dealmeida_landlab", inertial),
    ("nonbreaking_wave_plane", nonbreaking_wave),
    ("dambreak_analytic", dam_break),
    ("thacker", thacker),
    ("steady_bump", steady_bump),
    ("d8_flow_accumulation", drainage_area),
    ("hand_pyflwdir", height_above),
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

/// A strip of cells along x, with the values of a function at their middles.
fn strip(columns: usize, size: f64, from: f64, of: impl Fn(f64) -> f64) -> Result<Grid, String> {
    let values = (0..columns).map(|column| of(from + (column as f64 + 0.5) * size));
    local(values.collect(), 1, columns, size)
}

/// Value of cells along x at a place, straight between their middles.
fn along(values: &[f64], size: f64, from: f64, at: f64) -> f64 {
    let place = ((at - from) / size - 0.5).clamp(0.0, values.len() as f64 - 1.0);
    let low = (place.floor() as usize).min(values.len() - 2);
    let share = place - low as f64;
    values[low] * (1.0 - share) + values[low + 1] * share
}

fn dam_break(case: &Value) -> Result<Differences, String> {
    let case = Case(case);
    let (x, expected) = (case.numbers("x")?, case.numbers("h")?);
    let (left, right) = (case.number("h_left")?, case.number("h_right")?);
    let reach = x.iter().fold(0.0, |far: f64, x| far.max(x.abs()));
    let columns = 400;
    let size = 2.0 * reach / columns as f64;
    let flat = strip(columns, size, -reach, |_| 0.0)?;
    let dam = strip(
        columns,
        size,
        -reach,
        |x| if x < 0.0 { left } else { right },
    )?;
    let ground = Ground::new(&flat, 0.0, Edges::all(Edge::Open { slope: 1e-3 })).map_err(text)?;
    let settings = shallow_water::Settings {
        gravity: case.number("g")?,
        ..shallow_water::Settings::default()
    };
    let mut run = shallow_water::Run::new(ground, &dam, settings).map_err(text)?;
    run.until(case.number("t")?, &Forcing::default(), |_| {})
        .map_err(text)?;
    let depth = run.depth();
    let errors = x.iter().zip(&expected);
    let sum: f64 = errors
        .map(|(x, h)| (along(depth.values(), size, -reach, *x) - h).abs())
        .sum();
    let error = sum / x.len() as f64 / left;
    let mut out = Differences::new();
    if error > 0.01 {
        out.push(format!(
            "depth: {error:.5} of the upper depth, where 0.01 is allowed"
        ));
    }
    Ok(out)
}

/// A basin that is a paraboloid, with water that swings in it and stays plane.
struct Bowl {
    radius: f64,
    depth: f64,
    middle: f64,
    gravity: f64,
}

impl Bowl {
    fn bed(&self, x: f64, y: f64) -> f64 {
        let square = (x - self.middle).powi(2) + (y - self.middle).powi(2);
        self.depth * (square / self.radius.powi(2) - 1.0)
    }

    fn frequency(&self) -> f64 {
        (2.0 * self.gravity * self.depth).sqrt() / self.radius
    }
}

fn thacker(case: &Value) -> Result<Differences, String> {
    let numbers = Case(case);
    let bowl = Bowl {
        radius: numbers.number("a")?,
        depth: numbers.number("h0")?,
        middle: numbers.number("L")? / 2.0,
        gravity: numbers.number("g")?,
    };
    match numbers.text("kind")?.as_str() {
        "thacker_1d_planar" => swing_along(case, &bowl),
        "thacker_2d_planar" => swing_around(case, &bowl),
        other => Err(format!("no swing is called {other}")),
    }
}

fn swing_along(case: &Value, bowl: &Bowl) -> Result<Differences, String> {
    let case = Case(case);
    let columns = 200;
    let size = 2.0 * bowl.middle / columns as f64;
    let bed = |x: f64| bowl.bed(x, bowl.middle);
    let start = |x: f64| {
        let place = (x - bowl.middle) / bowl.radius + 0.5 / bowl.radius;
        (-bowl.depth * (place * place - 1.0)).max(0.0)
    };
    let ground = strip(columns, size, 0.0, bed)?;
    let ground = Ground::new(&ground, 0.0, Edges::all(Edge::Wall)).map_err(text)?;
    let settings = shallow_water::Settings {
        gravity: bowl.gravity,
        ..shallow_water::Settings::default()
    };
    let water = strip(columns, size, 0.0, start)?;
    let mut run = shallow_water::Run::new(ground, &water, settings).map_err(text)?;
    run.until(case.number("t")?, &Forcing::default(), |_| {})
        .map_err(text)?;
    let depth = run.depth();
    let (x, expected) = (case.numbers("x")?, case.numbers("h")?);
    let errors = x.iter().zip(&expected);
    let sum: f64 = errors
        .map(|(x, h)| (along(depth.values(), size, 0.0, *x) - h).abs())
        .sum();
    Ok(share_of_depth(sum / x.len() as f64, bowl))
}

fn share_of_depth(error: f64, bowl: &Bowl) -> Differences {
    match error > 0.02 * bowl.depth {
        true => vec![format!(
            "depth: {:.4} of the basin's, where 0.02 is allowed",
            error / bowl.depth
        )],
        false => Differences::new(),
    }
}

fn swing_around(case: &Value, bowl: &Bowl) -> Result<Differences, String> {
    let numbers = Case(case);
    let (columns, swing) = (200, numbers.number("eta")?);
    let size = 2.0 * bowl.middle / columns as f64;
    let place = |cell: usize| {
        let x = ((cell % columns) as f64 + 0.5) * size;
        let y = ((cell / columns) as f64 + 0.5) * size;
        (x, y)
    };
    let plane = |x: f64, time: f64, y: f64| {
        let turn = bowl.frequency() * time;
        let (x, y) = (x - bowl.middle, y - bowl.middle);
        let level = swing * bowl.depth / bowl.radius.powi(2)
            * (2.0 * x * turn.cos() + 2.0 * y * turn.sin() - swing);
        (level - bowl.bed(x + bowl.middle, y + bowl.middle)).max(0.0)
    };
    let cells = |of: &dyn Fn(f64, f64) -> f64| {
        let values = (0..columns * columns).map(|cell| {
            let (x, y) = place(cell);
            of(x, y)
        });
        local(values.collect(), columns, columns, size)
    };
    let bed = cells(&|x, y| bowl.bed(x, y))?;
    let ground = Ground::new(&bed, 0.0, Edges::all(Edge::Wall)).map_err(text)?;
    let settings = shallow_water::Settings {
        gravity: bowl.gravity,
        threads: 2,
        ..shallow_water::Settings::default()
    };
    let speed = swing * bowl.frequency();
    let mut run = shallow_water::Run::new(ground, &cells(&|x, y| plane(x, 0.0, y))?, settings)
        .and_then(|run| run.moving(&cells_of(&bed, 0.0), &cells_of(&bed, speed)))
        .map_err(text)?;
    let time = numbers.number("t")?;
    run.until(time, &Forcing::default(), |_| {}).map_err(text)?;
    let depth = run.depth();
    let sum: f64 = (0..columns * columns)
        .map(|cell| {
            let (x, y) = place(cell);
            (depth.values()[cell] - plane(x, time, y)).abs()
        })
        .sum();
    let mut out = share_of_depth(sum / (columns * columns) as f64, bowl);
    // The closed form used here is the case's.
    let count = numbers.number("n")? as usize;
    let rows = case
        .get("h")
        .and_then(Value::as_array)
        .ok_or("`h` is no list")?;
    let spacing = 2.0 * bowl.middle / (count as f64 - 1.0);
    for (at_y, row) in rows.iter().enumerate() {
        let row = row.as_array().ok_or("`h` is no table")?;
        for (at_x, h) in row.iter().enumerate() {
            let (x, y) = (at_x as f64 * spacing, at_y as f64 * spacing);
            let h = h.as_f64().ok_or("`h` holds no number")?;
            compare(&mut out, "closed form", plane(x, time, y), h, 1e-9, 1e-9);
        }
    }
    Ok(out)
}

fn cells_of(like: &Grid, value: f64) -> Grid {
    like.map(|_| value)
}

fn steady_bump(case: &Value) -> Result<Differences, String> {
    let case = Case(case);
    let (x, bed, expected) = (case.numbers("x")?, case.numbers("z")?, case.numbers("h")?);
    let (discharge, out_depth) = (case.number("q")?, case.number("h_out")?);
    let size = 0.05;
    let columns = (x[x.len() - 1] / size).round() as usize;
    // The bump as the case gives it at its places: 0.2 - 0.05 (x - 10)² between 8 and 12 m.
    let bump = |x: f64| (0.2 - 0.05 * (x - 10.0).powi(2)).max(0.0);
    let mut out = Differences::new();
    for (x, z) in x.iter().zip(&bed) {
        compare(&mut out, "bed", bump(*x), *z, 1e-9, 1e-12);
    }
    let edges = Edges {
        left: Edge::Discharge(Course::constant(discharge)),
        right: Edge::Level(Course::constant(out_depth)),
        ..Edges::all(Edge::Wall)
    };
    let ground = strip(columns, size, 0.0, bump)?;
    let water = ground.map(|z| out_depth - z);
    let ground = Ground::new(&ground, 0.0, edges).map_err(text)?;
    let settings = shallow_water::Settings {
        gravity: case.number("g")?,
        ..shallow_water::Settings::default()
    };
    let mut run = shallow_water::Run::new(ground, &water, settings).map_err(text)?;
    run.until(300.0, &Forcing::default(), |_| {})
        .map_err(text)?;
    let depth = run.depth();
    let errors = x.iter().zip(&expected);
    let worst = errors
        .map(|(x, h)| (along(depth.values(), size, 0.0, *x) - h).abs())
        .fold(0.0, f64::max);
    if worst > 0.01 {
        out.push(format!("depth: {worst:.4} m off, where 0.01 m is allowed"));
    }
    let [along_x, _] = run.discharge();
    let off = along_x
        .values()
        .iter()
        .map(|q| (q / discharge - 1.0).abs())
        .fold(0.0, f64::max);
    if off > 0.005 {
        out.push(format!(
            "discharge: {off:.4} of it off, where 0.005 is allowed"
        ));
    }
    Ok(out)
}

/// An elevation model of the shared data, and the value it has where nothing is known.
fn elevation(name: &str) -> Result<Grid, String> {
    let folder = std::env::var_os("LAHAR_SCI_DATA").map(std::path::PathBuf::from);
    let default = || crate::folder().join("../sci-data");
    let path = folder
        .unwrap_or_else(default)
        .join("dem_landlab")
        .join(name);
    lahar_formats::ascii_grid::read_file_as(&path, Crs::LocalMetres).map_err(|e| e.to_string())
}

/// A cell and its neighbours.
fn around(cell: usize, rows: usize, columns: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (cell / columns, cell % columns);
    let near = move |at: usize, end: usize| at.saturating_sub(1)..(at + 2).min(end);
    near(row, rows).flat_map(move |r| near(column, columns).map(move |c| r * columns + c))
}

/// Receivers as far as neither a tie nor a filled depression decides them.
fn drainage_area(case: &Value) -> Result<Differences, String> {
    let case = Case(case);
    let grid = elevation(&case.text("file")?)?;
    let filled = drainage::fill_depressions(&grid);
    let directions = drainage::flow_directions(&filled).map_err(text)?;
    let (rows, columns) = (grid.rows(), grid.columns());
    // The peer counts rows from the south.
    let ours = |node: usize| (rows - 1 - node / columns) * columns + node % columns;
    let receivers = case.numbers("receiver")?;
    let (mut compared, mut other, mut outlets) = (0, 0, 0);
    for (node, receiver) in receivers.iter().enumerate() {
        let (cell, receiver) = (ours(node), ours(*receiver as usize));
        let height = filled.values()[cell];
        // The peer sees the ground before depressions are filled, so beside one it may differ.
        let raised = around(cell, rows, columns)
            .any(|other| filled.values()[other] > grid.values()[other] + 1e-6);
        if receiver == cell || height.is_nan() || raised || filled.values()[receiver].is_nan() {
            continue;
        }
        compared += 1;
        // Where data end, water without a way down leaves; the peer makes it a lake that spills.
        let Some(found) = directions.receiver(cell) else {
            outlets += 1;
            continue;
        };
        let fall = |to: usize| {
            let (down, right) = (to / columns, to % columns);
            let way =
                (down.abs_diff(cell / columns) as f64).hypot(right.abs_diff(cell % columns) as f64);
            (height - filled.values()[to]) / way
        };
        // Ties, to the nanometre by which flats are made to drain.
        if found != receiver && (fall(found) - fall(receiver)).abs() > 1e-6 {
            other += 1;
        }
    }
    let mut out = Differences::new();
    if other > 0 || 20 * outlets > compared || compared == 0 {
        out.push(format!(
            "{other} of {compared} receivers are others, and no tie explains it"
        ));
    }
    Ok(out)
}

/// Heights over the peer's own flow directions, which it takes from the order of flooding and not
/// from the steepest way down.
fn height_above(case: &Value) -> Result<Differences, String> {
    let numbers = Case(case);
    let grid = elevation(&numbers.text("file")?)?;
    let filled = drainage::fill_depressions(&grid);
    let codes: Vec<u8> = numbers
        .numbers("d8_esri")?
        .into_iter()
        .map(|code| code as u8)
        .collect();
    let directions = drainage::FlowDirections::from_codes(&codes, grid.columns()).map_err(text)?;
    let streams = hand::streams(&directions, &grid, numbers.number("threshold_cells")?);
    let found = hand::height_above_drainage(&grid, &directions, &streams).map_err(text)?;
    let expected = case
        .get("hand_m")
        .and_then(Value::as_array)
        .ok_or("`hand_m` is no list")?;
    let (mut compared, mut close) = (0, 0);
    for (found, expected) in found.values().iter().zip(expected) {
        let Some(expected) = expected.as_f64() else {
            continue;
        };
        compared += 1;
        close += usize::from((found - expected).abs() <= 0.1);
    }
    let mut out = Differences::new();
    let sum: f64 = filled
        .values()
        .iter()
        .filter(|height| !height.is_nan())
        .sum();
    compare(
        &mut out,
        "sum of filled heights",
        sum,
        numbers.number("filled_sum")?,
        1e-9,
        0.0,
    );
    let share = close as f64 / f64::from(compared);
    if share < 0.97 || compared == 0 {
        out.push(format!(
            "{:.2} % of cells within 0.1 m, where 97 % are needed",
            100.0 * share
        ));
    }
    Ok(out)
}
