//! What holds for every flood: water is neither made nor lost, threads change no bit, what is at
//! rest stays at rest, and errors fall as cells shrink.

use lahar_core::{Affine, Crs, Grid};
use lahar_hazards::flood::domain::{Course, Edge, Edges, Forcing, Ground, Inflow};
use lahar_hazards::flood::{local_inertial, shallow_water};

fn grid(rows: usize, columns: usize, size: f64, of: impl Fn(f64, f64) -> f64) -> Grid {
    let place = Affine::north_up(0.0, size * rows as f64, size, size);
    let values = (0..rows * columns).map(|cell| {
        let (row, column) = (cell / columns, cell % columns);
        of((column as f64 + 0.5) * size, (row as f64 + 0.5) * size)
    });
    Grid::new(values.collect(), rows, columns, place, Crs::LocalMetres).unwrap()
}

/// Hills and a valley that leaves on the right.
fn hills(x: f64, y: f64) -> f64 {
    let valley = 4e-4 * (y - 200.0).powi(2);
    valley + 0.01 * (400.0 - x) + 1.5 * (x / 37.0).sin() * (y / 23.0).cos()
}

fn storm() -> Forcing {
    Forcing {
        rain: Some(Course::new(vec![0.0, 900.0, 1800.0], vec![0.0, 3e-5, 0.0]).unwrap()),
        infiltration: 2e-6,
        inflows: vec![Inflow {
            row: 20,
            column: 3,
            discharge: Course::constant(2.0),
        }],
    }
}

fn outlet() -> Edges {
    Edges {
        right: Edge::Open { slope: 0.01 },
        ..Edges::all(Edge::Wall)
    }
}

fn inertial(threads: usize) -> local_inertial::Run {
    let ground = grid(40, 40, 10.0, hills);
    let dry = grid(40, 40, 10.0, |_, _| 0.0);
    let settings = local_inertial::Settings {
        threads,
        ..local_inertial::Settings::default()
    };
    let ground = Ground::new(&ground, 0.05, outlet()).unwrap();
    local_inertial::Run::new(ground, &dry, settings).unwrap()
}

fn shallow(threads: usize) -> shallow_water::Run {
    let ground = grid(40, 40, 10.0, hills);
    let dry = grid(40, 40, 10.0, |_, _| 0.0);
    let settings = shallow_water::Settings {
        threads,
        ..shallow_water::Settings::default()
    };
    let ground = Ground::new(&ground, 0.05, outlet()).unwrap();
    shallow_water::Run::new(ground, &dry, settings).unwrap()
}

#[test]
fn a_storm_on_hills_neither_makes_nor_loses_water() {
    let mut run = inertial(1);
    run.until(1800.0, &storm(), |_| {}).unwrap();
    let balance = run.balance();
    assert!(balance.relative_error().abs() < 1e-12, "{balance:?}");
    assert!(balance.edges < 0.0 && balance.rain > 0.0 && balance.infiltration > 0.0);
    assert!(run.depth().range().unwrap().0 >= 0.0);

    let mut run = shallow(1);
    run.until(1800.0, &storm(), |_| {}).unwrap();
    let balance = run.balance();
    assert!(balance.relative_error().abs() < 1e-12, "{balance:?}");
    assert!(balance.edges < 0.0 && run.depth().range().unwrap().0 >= 0.0);
}

#[test]
fn one_thread_and_three_give_the_same_bits() {
    let (mut one, mut three) = (inertial(1), inertial(3));
    one.until(600.0, &storm(), |_| {}).unwrap();
    three.until(600.0, &storm(), |_| {}).unwrap();
    assert_eq!(one.depth(), three.depth());
    let (mut one, mut three) = (shallow(1), shallow(3));
    one.until(300.0, &storm(), |_| {}).unwrap();
    three.until(300.0, &storm(), |_| {}).unwrap();
    assert_eq!(one.depth(), three.depth());
}

/// A stream that enters dry hills, and a rain so light that it changes no depth but keeps every cell
/// in the computation.
fn stream(drizzle: f64) -> Forcing {
    Forcing {
        rain: Some(Course::constant(drizzle)),
        infiltration: 0.0,
        inflows: storm().inflows,
    }
}

#[test]
fn leaving_dry_land_out_changes_nothing() {
    let apart = |all: &Grid, wet: &Grid| {
        let pairs = all.values().iter().zip(wet.values());
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let dry_cells = |depth: &Grid| depth.values().iter().filter(|h| **h == 0.0).count();
    let (mut all, mut wet) = (inertial(2), inertial(2));
    all.until(600.0, &stream(1e-300), |_| {}).unwrap();
    wet.until(600.0, &stream(0.0), |_| {}).unwrap();
    assert!(apart(&all.depth(), &wet.depth()) < 1e-200);
    assert!(dry_cells(&wet.depth()) > 400 && dry_cells(&all.depth()) == 0);
    let (mut all, mut wet) = (shallow(2), shallow(2));
    all.until(300.0, &stream(1e-300), |_| {}).unwrap();
    wet.until(300.0, &stream(0.0), |_| {}).unwrap();
    assert!(apart(&all.depth(), &wet.depth()) < 1e-200);
    assert!(dry_cells(&wet.depth()) > 400);
}

#[test]
fn a_run_goes_on_from_a_checkpoint_to_the_same_bits() {
    let mut through = inertial(1);
    through.until(300.0, &storm(), |_| {}).unwrap();
    let mut resumed = through.clone();
    through.until(600.0, &storm(), |_| {}).unwrap();
    resumed.until(600.0, &storm(), |_| {}).unwrap();
    assert_eq!(through.depth(), resumed.depth());
    assert_eq!(through.balance(), resumed.balance());
}

#[test]
fn a_lake_among_islands_stays_at_rest() {
    let bed = |x: f64, y: f64| 2.0 * (x / 31.0).sin() * (y / 17.0).cos();
    let (lake, ground) = (
        grid(30, 30, 5.0, |x, y| (1.0 - bed(x, y)).max(0.0)),
        grid(30, 30, 5.0, bed),
    );
    let walls = || Ground::new(&ground, 0.03, Edges::all(Edge::Wall)).unwrap();
    let mut full = shallow_water::Run::new(walls(), &lake, Default::default()).unwrap();
    full.until(120.0, &Forcing::default(), |_| {}).unwrap();
    let fastest = full.speed().range().unwrap().1;
    assert!(fastest < 1e-12, "{fastest:e} m/s");
    let mut light = local_inertial::Run::new(walls(), &lake, Default::default()).unwrap();
    light.until(120.0, &Forcing::default(), |_| {}).unwrap();
    let fastest = light.speed().range().unwrap().1;
    assert!(fastest < 1e-9, "{fastest:e} m/s");
}

/// Mean error of the depth in a wave that runs through a strip without breaking, against a run on
/// cells eight times as small.
fn error_of_a_smooth_wave(columns: usize, fine: &Grid) -> f64 {
    let coarse = smooth_wave(columns);
    let factor = fine.columns() / columns;
    let mean = |column: usize| {
        let cells = fine.values()[column * factor..(column + 1) * factor].iter();
        cells.sum::<f64>() / factor as f64
    };
    let sum: f64 = (0..columns)
        .map(|c| (coarse.values()[c] - mean(c)).abs())
        .sum();
    sum / columns as f64
}

fn smooth_wave(columns: usize) -> Grid {
    let size = 100.0 / columns as f64;
    let ground = Ground::new(
        &grid(1, columns, size, |_, _| 0.0),
        0.0,
        Edges::all(Edge::Wall),
    );
    let hump = grid(1, columns, size, |x, _| {
        1.0 + 0.1 * (-((x - 50.0) / 10.0).powi(2)).exp()
    });
    let mut run = shallow_water::Run::new(ground.unwrap(), &hump, Default::default()).unwrap();
    run.until(8.0, &Forcing::default(), |_| {}).unwrap();
    run.depth()
}

#[test]
fn errors_of_the_full_equations_fall_with_the_square_of_the_cells() {
    let fine = smooth_wave(1600);
    let errors = [100, 200].map(|columns| error_of_a_smooth_wave(columns, &fine));
    let order = (errors[0] / errors[1]).log2();
    assert!(order > 1.6, "order {order:.2} of errors {errors:?}");
}

#[test]
fn the_light_scheme_says_that_a_dam_break_is_too_fast_for_it() {
    let ground = Ground::new(&grid(1, 200, 1.0, |_, _| 0.0), 0.01, Edges::all(Edge::Wall));
    let dam = grid(1, 200, 1.0, |x, _| if x < 100.0 { 5.0 } else { 0.0 });
    let mut run = local_inertial::Run::new(ground.unwrap(), &dam, Default::default()).unwrap();
    run.until(3.0, &Forcing::default(), |_| {}).unwrap();
    assert!(run.highest_froude() > 1.0, "{}", run.highest_froude());
}

#[test]
fn steps_roughness_and_edges_that_cannot_be_are_refused() {
    let flat = grid(3, 3, 10.0, |_, _| 0.0);
    let pond = grid(3, 3, 10.0, |_, _| 1.0);
    let smooth = Ground::new(&flat, 0.0, Edges::all(Edge::Wall)).unwrap();
    let error = local_inertial::Run::new(smooth, &pond, Default::default()).unwrap_err();
    assert!(error.to_string().contains("roughness"), "{error}");
    let ground = Ground::new(&flat, 0.03, Edges::all(Edge::Wall)).unwrap();
    let mut run = local_inertial::Run::new(ground, &pond, Default::default()).unwrap();
    for step in [0.0, -1.0, 1e4, f64::NAN] {
        assert!(run.step(step, &Forcing::default()).is_err(), "{step} s");
    }
    assert!(Ground::new(&flat, 0.03, Edges::all(Edge::Open { slope: 0.0 })).is_err());
    assert!(Ground::new(&flat.map(|_| f64::NAN), 0.03, Edges::all(Edge::Wall)).is_err());
    let ground = Ground::new(&flat, 0.03, Edges::all(Edge::Wall)).unwrap();
    let hole = flat.map(|_| -0.1);
    assert!(local_inertial::Run::new(ground, &hole, Default::default()).is_err());
}

#[test]
fn a_domain_of_one_row_and_of_one_column_runs() {
    for (rows, columns) in [(1, 20), (20, 1), (1, 1)] {
        let ground = Ground::new(&grid(rows, columns, 10.0, |_, _| 0.0), 0.03, outlet());
        let pond = grid(rows, columns, 10.0, |_, _| 0.2);
        let mut run = local_inertial::Run::new(ground.unwrap(), &pond, Default::default()).unwrap();
        run.until(60.0, &Forcing::default(), |_| {}).unwrap();
        assert!(run.depth().range().unwrap().0 >= 0.0);
    }
}

#[test]
fn highest_water_arrival_and_duration_are_gathered() {
    let mut run = inertial(1).gathering();
    run.until(900.0, &storm(), |_| {}).unwrap();
    let (footprint, ground) = (run.footprint().unwrap(), run.ground());
    let depth = run.depth();
    let highest = footprint.depth(ground);
    let arrival = footprint.arrival(ground);
    for cell in 0..depth.values().len() {
        let (now, most) = (depth.values()[cell], highest.values()[cell]);
        assert!(
            now < 0.01 || most >= now,
            "cell {cell}: {now} m now, {most} m at most"
        );
        assert_eq!(most >= 0.01, !arrival.values()[cell].is_nan());
    }
    assert!(footprint.duration(ground).range().unwrap().1 <= 900.0);
}

/// Depth in a plane's cells, over that which Manning gives the rain from the ridge to there,
/// `h = (q n / √S)^(3/5)`, where the ground falls by `slope` at a place.
fn of_normal_depth(slope: impl Fn(f64) -> f64) -> Vec<f64> {
    let (cells, size, roughness, rain) = (30, 30.0, 0.05, 2e-5);
    let mut heights = vec![0.0; cells];
    for cell in (0..cells - 1).rev() {
        heights[cell] = heights[cell + 1] + size * slope((cell as f64 + 1.0) * size);
    }
    let ground = grid(1, cells, size, |x, _| heights[(x / size) as usize]);
    let edges = Edges {
        right: Edge::Open { slope: 0.1 },
        ..Edges::all(Edge::Wall)
    };
    let settings = shallow_water::Settings::default();
    let dry = ground.map(|_| 0.0);
    let ground = Ground::new(&ground, roughness, edges).unwrap();
    let mut run = shallow_water::Run::new(ground, &dry, settings).unwrap();
    let steady = Forcing {
        rain: Some(Course::constant(rain)),
        ..Forcing::default()
    };
    run.until(4.0 * 3600.0, &steady, |_| {}).unwrap();
    let depth = run.depth();
    let middles = (0..cells).map(|cell| (cell as f64 + 0.5) * size);
    let normal = middles.map(|x| (rain * x * roughness / slope(x).sqrt()).powf(0.6));
    depth
        .values()
        .iter()
        .zip(normal)
        .map(|(depth, normal)| depth / normal)
        .collect()
}

/// A sheet of millimetres on ground that falls nine metres a cell.
#[test]
fn a_thin_sheet_runs_down_steep_ground_at_its_normal_depth() {
    let ratios = of_normal_depth(|_| 0.3);
    assert!(
        ratios[5..28].iter().all(|ratio| (ratio - 1.0).abs() < 0.05),
        "{ratios:?}"
    );
}

/// Where steep ground eases, the lines through two cells must not make a step between them, behind
/// which the sheet would stand: it stood there sixty times as deep.
#[test]
fn a_thin_sheet_does_not_stand_where_steep_ground_eases() {
    let ratios = of_normal_depth(|x| if x < 450.0 { 0.3 } else { 0.06 });
    assert!(
        ratios[5..28].iter().all(|ratio| (0.5..2.0).contains(ratio)),
        "{ratios:?}"
    );
}
