//! Fires on even ground against the ellipse, the two ways of growth against each other, and each kind
//! of input that must not become a fire.

use lahar_core::{Affine, Crs, Grid};
use lahar_hazards::wildfire::ellipse::Ellipse;
use lahar_hazards::wildfire::fuel_models::FuelModel;
use lahar_hazards::wildfire::landscape::{Field, Landscape, Period, Weather};
use lahar_hazards::wildfire::rothermel::{FuelBed, Moisture, Spread};
use lahar_hazards::wildfire::spread::Growth;
use lahar_hazards::wildfire::wind::WindHeight;
use lahar_hazards::wildfire::{level_set, minimum_travel_time};

const DRY: Moisture = Moisture {
    one_hour: 0.06,
    ten_hours: 0.07,
    hundred_hours: 0.08,
    herbs: 0.6,
    wood: 0.9,
};

fn grid(cells: usize, size: f64, value: impl Fn(f64, f64) -> f64) -> Grid {
    let values = (0..cells * cells)
        .map(|cell| {
            let (row, column) = ((cell / cells) as f64, (cell % cells) as f64);
            // From the middle of the grid: to the east, to the north.
            let middle = (cells as f64 - 1.0) / 2.0;
            value(size * (column - middle), size * (middle - row))
        })
        .collect();
    let transform = Affine::north_up(0.0, size * cells as f64, size, size);
    Grid::new(values, cells, cells, transform, Crs::LocalMetres).unwrap()
}

fn weather(wind: f64, from: f64) -> Weather {
    Weather {
        wind_speed: Field::Uniform(wind),
        wind_from: Field::Uniform(from),
        wind_height: WindHeight::Midflame,
        moisture: DRY,
        one_hour: None,
    }
}

fn from_zero(weather: Weather) -> [Period; 1] {
    [Period {
        start: 0.0,
        weather,
    }]
}

fn even(cells: usize, size: f64) -> Landscape {
    let flat = grid(cells, size, |_, _| 0.0);
    Landscape::new(&flat, &flat.map(|_| 1.0)).unwrap()
}

/// Short grass in a wind.
fn grass(wind: f64) -> Spread {
    let bed = FuelBed::new(FuelModel::of(1).unwrap(), &DRY).unwrap();
    bed.spread((wind, 0.0), (0.0, 0.0), true).unwrap()
}

#[derive(Clone, Copy, Debug)]
enum Method {
    Ways,
    Level,
}

fn grow(
    method: Method,
    land: &Landscape,
    periods: &[Period],
    start: usize,
    minutes: f64,
) -> Growth {
    match method {
        Method::Ways => minimum_travel_time::grow(land, periods, &[start], minutes, 1),
        Method::Level => level_set::grow(land, periods, &[start], minutes),
    }
    .unwrap()
}

/// Largest and mean error of arrivals, in times in which the front crosses a cell: how many cells lie
/// across the front between it and the ellipse, once its head has come `reach` cells far. The start is
/// a disc as wide as a cell.
fn away_from_ellipse(method: Method, wind: f64, from: f64, reach: f64) -> (f64, f64) {
    let cells = 2 * (1.2 * reach) as usize + 3;
    let land = even(cells, 30.0);
    let fire = grass(wind);
    let ellipse = Ellipse::new(fire.rate, fire.length_to_width).unwrap();
    let minutes = reach * 30.0 / fire.rate;
    let middle = cells / 2;
    let start = middle * cells + middle;
    let found = grow(
        method,
        &land,
        &from_zero(weather(wind, from)),
        start,
        minutes,
    );
    let (mut most, mut sum, mut count) = (0.0f64, 0.0, 0.0);
    for (cell, arrival) in found.minutes().iter().enumerate() {
        let east = 30.0 * ((cell % cells) as f64 - middle as f64);
        let north = 30.0 * (middle as f64 - (cell / cells) as f64);
        let distance = east.hypot(north);
        if arrival.is_nan() || distance < 60.0 {
            continue;
        }
        let towards = east.atan2(north).to_degrees();
        let angle = towards - from - 180.0;
        let rate = ellipse.rate_at(angle);
        // The ray meets the front aslant where the rate changes with direction.
        let change = (ellipse.rate_at(angle + 0.01) - ellipse.rate_at(angle - 0.01)) / 0.02;
        let aslant = 1.0f64.hypot(change.to_degrees() / rate);
        let cells_off = (distance - 15.0 - rate * arrival).abs() / (30.0 * aslant);
        most = most.max(cells_off);
        sum += cells_off;
        count += 1.0;
    }
    // As much has burned as the ellipse covers, within the width of a cell at its edge.
    let (area, perimeter) = ellipse.after(minutes).unwrap();
    assert!((found.area(&land) - area).abs() < 30.0 * perimeter);
    (most, sum / count)
}

#[test]
fn even_fuel_without_wind_burns_in_a_circle() {
    for method in [Method::Ways, Method::Level] {
        let (most, mean) = away_from_ellipse(method, 0.0, 0.0, 60.0);
        assert!(most < 0.2 && mean < 0.1, "{method:?}: {most} {mean}");
    }
}

#[test]
fn even_fuel_in_wind_burns_in_the_ellipse_whichever_way_the_grid_lies() {
    // Bounds in cells; length over breadth is 1.4 and 2.3.
    for (method, wind, bounds) in [
        (Method::Ways, 100.0, (0.1, 0.05)),
        (Method::Ways, 250.0, (0.4, 0.15)),
        (Method::Level, 100.0, (0.4, 0.15)),
        (Method::Level, 250.0, (1.0, 0.4)),
    ] {
        for from in [270.0, 250.0, 225.0, 202.5, 10.0] {
            let (most, mean) = away_from_ellipse(method, wind, from, 50.0);
            let said = format!("{method:?}, {wind} from {from}: {most} {mean}");
            assert!(most < bounds.0 && mean < bounds.1, "{said}");
        }
    }
}

/// Fuel in patches, a ridge, wind that shears: what the two methods find on cells of a size.
fn rough(method: Method, cells: usize) -> (Landscape, Growth) {
    let size = 6000.0 / cells as f64;
    let heights = grid(cells, size, |x, y| {
        150.0 * (-((x - 500.0) / 900.0).powi(2)).exp() + 0.05 * y
    });
    let fuel = grid(cells, size, |x, y| {
        match (x / 700.0).sin() + (y / 500.0).cos() {
            mix if mix > 0.6 => 2.0,
            mix if mix > -0.6 => 1.0,
            _ => 8.0,
        }
    });
    let speed = grid(cells, size, |x, _| 90.0 + x / 100.0);
    let land = Landscape::new(&heights, &fuel).unwrap();
    let mut weather = weather(0.0, 240.0);
    weather.wind_speed = Field::Cells(speed);
    let start = land.cell_at(1500.0, 2600.0).unwrap();
    let fire = grow(method, &land, &from_zero(weather), start, 240.0);
    (land, fire)
}

#[test]
fn both_methods_agree_over_rough_ground_and_more_so_on_finer_cells() {
    let apart = |cells: usize| {
        let (land, ways) = rough(Method::Ways, cells);
        let (_, level) = rough(Method::Level, cells);
        let (mut sum, mut count) = (0.0, 0.0);
        for (a, b) in ways.minutes().iter().zip(level.minutes()) {
            if !a.is_nan() && !b.is_nan() {
                sum += (a - b).abs();
                count += 1.0;
            }
        }
        let area = (ways.area(&land) - level.area(&land)).abs() / ways.area(&land);
        (sum / count, area)
    };
    let (coarse, fine) = (apart(75), apart(300));
    // Mean difference of arrivals in minutes of four hours, and share of the area.
    assert!(coarse.0 < 3.0 && coarse.1 < 0.08, "{coarse:?}");
    assert!(fine.0 < 1.5 && fine.1 < 0.03, "{fine:?}");
    assert!(fine.0 < 0.6 * coarse.0, "{coarse:?} {fine:?}");
}

#[test]
fn each_method_converges_as_cells_become_finer() {
    for method in [Method::Ways, Method::Level] {
        let (land, fine) = rough(method, 400);
        let reference = fine.arrival(&land).unwrap();
        let away = |cells: usize| {
            let (coarse_land, coarse) = rough(method, cells);
            let (mut sum, mut count) = (0.0, 0.0);
            for (cell, minutes) in coarse.minutes().iter().enumerate() {
                let grid = coarse_land.elevation();
                let (x, y) = grid.centre(cell / cells, cell % cells);
                let (column, row) = reference.transform.invert(x, y).unwrap();
                let there = reference.get(row as usize, column as usize).unwrap();
                if !minutes.is_nan() && !there.is_nan() {
                    sum += (minutes - there).abs();
                    count += 1.0;
                }
            }
            sum / count
        };
        let (coarse, finer) = (away(50), away(200));
        assert!(finer < 0.5 * coarse, "{method:?}: {coarse} {finer}");
    }
}

#[test]
fn fire_goes_around_a_barrier_and_not_through_it() {
    let cells = 61;
    let flat = grid(cells, 30.0, |_, _| 0.0);
    // A slanted line of single cells that touch at corners only, open at one end.
    let wall = grid(cells, 30.0, |x, y| f64::from(u8::from(x == y && x < 500.0)));
    let land = Landscape::new(&flat, &flat.map(|_| 1.0)).unwrap();
    let closed = land.clone().with_barriers(&wall).unwrap();
    let start = 20 * cells + 20;
    let behind = 40 * cells + 40;
    let mirrored = 22 * cells + 38;
    for method in [Method::Ways, Method::Level] {
        let periods = from_zero(weather(0.0, 0.0));
        let open = grow(method, &land, &periods, start, 3000.0);
        let around = grow(method, &closed, &periods, start, 3000.0);
        assert!(
            around.minutes()[behind] > 1.3 * open.minutes()[behind],
            "{method:?}"
        );
        let (a, b) = (
            around.minutes()[mirrored - 10],
            open.minutes()[mirrored - 10],
        );
        assert!((a - b).abs() < 1e-6 * b, "{method:?}: {a} {b}");
        let wall_burned = (0..cells * cells)
            .filter(|cell| wall.values()[*cell] == 1.0 && !around.minutes()[*cell].is_nan());
        assert_eq!(wall_burned.count(), 0);
    }
}

#[test]
fn a_wind_that_turns_turns_the_fire() {
    let cells = 161;
    let land = even(cells, 30.0);
    let turn = 30.0;
    let periods = [
        Period {
            start: 0.0,
            weather: weather(100.0, 270.0),
        },
        Period {
            start: turn,
            weather: weather(100.0, 180.0),
        },
    ];
    let start = 110 * cells + 50;
    let rate = grass(100.0).rate;
    for method in [Method::Ways, Method::Level] {
        let fire = grow(method, &land, &periods, start, 80.0);
        // What has burned is the sum of both ellipses: head to the east and flank to the north in one,
        // the other way round in the next.
        let flank = Ellipse::new(rate, grass(100.0).length_to_width)
            .unwrap()
            .flank();
        let burned = |cell: &usize| !fire.minutes()[*cell].is_nan();
        let cells_burned: Vec<usize> = (0..cells * cells).filter(burned).collect();
        let north = 110 - cells_burned.iter().map(|cell| cell / cells).min().unwrap();
        let east = cells_burned.iter().map(|cell| cell % cells).max().unwrap() - 50;
        let expected_north = 15.0 + flank * turn + rate * (80.0 - turn);
        let expected_east = 15.0 + rate * turn + flank * (80.0 - turn);
        for (found, expected) in [(north, expected_north), (east, expected_east)] {
            let off = found as f64 - expected / 30.0;
            assert!(
                (-1.5..1.0).contains(&off),
                "{method:?}: {found} {}",
                expected / 30.0
            );
        }
        // The same weather in two periods is the weather in one.
        let mut same = periods.clone();
        same[1].weather = same[0].weather.clone();
        let (one, two) = (
            grow(method, &land, &same[..1], start, 80.0),
            grow(method, &land, &same, start, 80.0),
        );
        for (a, b) in one.minutes().iter().zip(two.minutes()) {
            let alike = a.is_nan() || b.is_nan() || (a - b).abs() < 1.2;
            assert!(alike, "{method:?}: {a} {b}");
        }
    }
}

#[test]
fn threads_change_nothing() {
    let (land, _) = rough(Method::Ways, 60);
    let periods = from_zero(weather(80.0, 200.0));
    let one = minimum_travel_time::grow(&land, &periods, &[1830], 90.0, 1).unwrap();
    let many = minimum_travel_time::grow(&land, &periods, &[1830], 90.0, 3).unwrap();
    let bits = |fire: &Growth| {
        fire.minutes()
            .iter()
            .map(|m| m.to_bits())
            .collect::<Vec<_>>()
    };
    assert_eq!(bits(&one), bits(&many));
}

#[test]
fn the_front_is_as_fast_and_hot_as_its_fuel_lets_it() {
    for method in [Method::Ways, Method::Level] {
        let land = even(121, 30.0);
        let periods = from_zero(weather(100.0, 270.0));
        let fire = grow(method, &land, &periods, 60 * 121 + 40, 60.0);
        let front = fire.behaviour(&land, &periods).unwrap();
        let head = grass(100.0);
        let at = 60 * 121 + 65;
        let within = |found: f64, expected: f64| (found / expected - 1.0).abs() < 0.03;
        assert!(within(front.rate.values()[at], head.rate), "{method:?}");
        assert!(within(front.intensity.values()[at], head.intensity));
        assert!(within(front.flame_length.values()[at], head.flame_length));
        let back = Ellipse::new(head.rate, head.length_to_width)
            .unwrap()
            .back();
        let found = front.rate.values()[60 * 121 + 35];
        assert!(
            (found / back - 1.0).abs() < 0.1,
            "{method:?}: {found} {back}"
        );
        assert!(front.rate.values()[60 * 121 + 40].is_nan());
        // Its outline holds what has burned by then.
        let outline = fire.perimeters(&land, &[30.0]).unwrap();
        let burned = fire
            .minutes()
            .iter()
            .filter(|minutes| **minutes <= 30.0)
            .count();
        let Some(lahar_core::series::Property::Number(area)) = outline[0].properties.get("area_m2")
        else {
            panic!("no area")
        };
        assert!(
            (area / (burned as f64 * 900.0) - 1.0).abs() < 0.05,
            "{method:?}: {area}"
        );
    }
}

fn refused(land: &Landscape, periods: &[Period], starts: &[usize], minutes: f64) -> String {
    let ways = minimum_travel_time::grow(land, periods, starts, minutes, 1).unwrap_err();
    let level = level_set::grow(land, periods, starts, minutes).unwrap_err();
    assert_eq!(ways, level);
    ways.to_string()
}

#[track_caller]
fn names(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}

#[test]
fn fuel_that_does_not_exist_is_refused_with_its_place() {
    let flat = grid(5, 30.0, |_, _| 0.0);
    let fuel = grid(5, 30.0, |x, _| if x > 45.0 { 77.0 } else { 1.0 });
    let message = Landscape::new(&flat, &fuel).unwrap_err().to_string();
    names(&message, &["fuel_model", "77 (row 0, column 4)", "1 to 13"]);
    let halves = Landscape::new(&flat, &flat.map(|_| 1.5)).unwrap_err();
    names(&halves.to_string(), &["fuel_model", "1.5"]);
}

#[test]
fn moisture_in_percent_is_refused() {
    let land = even(5, 30.0);
    let mut wet = weather(0.0, 0.0);
    wet.moisture.one_hour = 6.0;
    names(
        &refused(&land, &from_zero(wet), &[12], 10.0),
        &["dead_fuel_moisture", "6", "from 0"],
    );
    let mut cells = weather(0.0, 0.0);
    cells.one_hour = Some(land.elevation().map(|_| 8.0));
    names(
        &refused(&land, &from_zero(cells), &[12], 10.0),
        &["dead_fuel_moisture", "8"],
    );
}

#[test]
fn wind_at_the_flames_under_trees_is_a_contradiction() {
    let land = even(5, 30.0);
    let trees = land.elevation().map(|_| 12.0);
    let cover = land.elevation().map(|_| 0.5);
    let forest = land.with_canopy(&trees, &cover).unwrap();
    let message = refused(&forest, &from_zero(weather(50.0, 0.0)), &[12], 10.0);
    names(&message, &["half the flame's height", "trees"]);
    let percent = even(5, 30.0).with_canopy(&trees, &trees).unwrap_err();
    names(&percent.to_string(), &["canopy_cover", "12", "from 0"]);
}

#[test]
fn a_start_that_cannot_burn_is_refused() {
    let land = even(5, 30.0);
    let message = land.cell_at(-1.0, 75.0).unwrap_err().to_string();
    names(
        &message,
        &["`start` is -1, 75", "x from 0 to 150, y from 0 to 150"],
    );
    let periods = from_zero(weather(0.0, 0.0));
    names(
        &refused(&land, &periods, &[25], 10.0),
        &["outside the grid of 25 cells"],
    );
    names(
        &refused(&land, &periods, &[], 10.0),
        &["where the fire starts"],
    );
    let flat = grid(5, 30.0, |_, _| 0.0);
    let water = Landscape::new(&flat, &flat.map(|_| 98.0)).unwrap();
    names(
        &refused(&water, &periods, &[12], 10.0),
        &["row 2, column 2", "no fuel"],
    );
}

#[test]
fn barriers_that_enclose_the_start_are_refused() {
    let land = even(9, 30.0);
    let ring = grid(9, 30.0, |x, y| {
        f64::from(u8::from(x.abs().max(y.abs()) == 60.0))
    });
    let closed = land.clone().with_barriers(&ring).unwrap();
    let periods = from_zero(weather(0.0, 0.0));
    let message = refused(&closed, &periods, &[40], 10.0);
    names(&message, &["enclose the start", "9 of 81 cells"]);
    names(
        &refused(&closed, &periods, &[4 * 9 + 2], 10.0),
        &["row 4, column 2", "on a barrier"],
    );
    // A gap lets it out.
    let gap = grid(9, 30.0, |x, y| {
        f64::from(u8::from(
            x.abs().max(y.abs()) == 60.0 && !(x == 60.0 && y == 0.0),
        ))
    });
    let open = land.with_barriers(&gap).unwrap();
    assert!(minimum_travel_time::grow(&open, &periods, &[40], 10.0, 1).is_ok());
}

#[test]
fn time_that_does_not_pass_is_refused() {
    let land = even(5, 30.0);
    let calm = weather(0.0, 0.0);
    names(
        &refused(&land, &from_zero(calm.clone()), &[12], 0.0),
        &["duration", "0 min"],
    );
    let mut twice = vec![from_zero(calm.clone())[0].clone(); 2];
    names(
        &refused(&land, &twice, &[12], 10.0),
        &["steps of time must be above zero"],
    );
    twice.remove(0);
    twice[0].start = 5.0;
    names(
        &refused(&land, &twice, &[12], 10.0),
        &["begins 5 min after the fire"],
    );
    names(&refused(&land, &[], &[12], 10.0), &["no weather"]);
}

mod by_name {
    //! Fires as the command line grows them.

    use std::collections::BTreeMap;

    use lahar_core::capability::{Layer, Value};
    use lahar_core::series::{Feature, Property, Shape};
    use lahar_hazards::registry;

    use super::*;

    fn layer(grid: Grid, unit: &str) -> Value {
        Value::Layer(Layer {
            grid,
            unit: unit.parse().unwrap(),
        })
    }

    fn inputs(more: &[(&str, &str)]) -> BTreeMap<String, Value> {
        let flat = grid(41, 30.0, |_, _| 0.0);
        let mut inputs: BTreeMap<String, Value> = [
            ("wind_speed", "10 km/h"),
            ("wind_from", "270 deg"),
            ("wind_height", "10m"),
            ("moisture_1h", "6 %"),
            ("moisture_10h", "7 %"),
            ("moisture_100h", "8 %"),
            ("moisture_herbs", "60 %"),
            ("moisture_wood", "90 %"),
            ("start_x", "615 m"),
            ("start_y", "615 m"),
            ("duration", "1 h"),
        ]
        .iter()
        .chain(more)
        .map(|(port, text)| ((*port).to_owned(), Value::Label((*text).to_owned())))
        .collect();
        inputs.insert("elevation".into(), layer(flat.clone(), "m"));
        inputs.insert("fuel_model".into(), layer(flat.map(|_| 1.0), "1"));
        inputs
    }

    fn run(name: &str, inputs: &BTreeMap<String, Value>) -> Result<registry::Report, String> {
        let found = registry::find(name).unwrap();
        found.run(inputs).map_err(|error| error.to_string())
    }

    fn cells<'a>(report: &'a registry::Report, port: &str) -> &'a [f64] {
        match &report.outputs[port] {
            Value::Layer(layer) => layer.grid.values(),
            _ => panic!("{port} is no grid"),
        }
    }

    #[test]
    fn a_fire_comes_with_its_outlines_and_flames() {
        for name in ["minimum-travel-time-fire-growth", "level-set-fire-growth"] {
            let report = run(name, &inputs(&[("perimeter_step", "20 min")])).unwrap();
            let Value::Features(outlines) = &report.outputs["perimeters"] else {
                panic!("no shapes")
            };
            assert_eq!(outlines.len(), 3);
            let burned: f64 = cells(&report, "burned").iter().sum();
            assert!((report.number("burned_area").unwrap() - burned * 0.09).abs() < 1e-9);
            assert!(cells(&report, "flame_length")[20 * 41 + 24] > 0.3);
        }
    }

    #[test]
    fn what_cannot_be_is_refused_by_port() {
        let name = "minimum-travel-time-fire-growth";
        let refused = |more: &[(&str, &str)]| run(name, &inputs(more)).unwrap_err();
        names(
            &refused(&[("wind_height", "2m")]),
            &["wind_height", "2m", "10m, 20ft, midflame"],
        );
        names(&refused(&[("moisture_1h", "6 1")]), &["6", "from 0", "1"]);
        names(
            &refused(&[("start_x", "-5 m")]),
            &["`start` is -5, 615", "x from 0 to 1230"],
        );
        names(
            &refused(&[("duration", "0 min")]),
            &["duration", "more than 0 min"],
        );
        names(
            &refused(&[("perimeter_step", "0 min")]),
            &["perimeter_step", "above 0 min"],
        );
        let series = |values: Vec<f64>, step: &str| {
            Value::Series(lahar_core::series::Series {
                values,
                unit: "km/h".parse().unwrap(),
                step: step.parse().unwrap(),
                start: None,
            })
        };
        let mut along = inputs(&[]);
        along.remove("wind_speed");
        names(
            &run(name, &along).unwrap_err(),
            &["nothing gives wind_speed"],
        );
        along.insert(
            "wind_speed_series".into(),
            series(vec![9.0, f64::NAN], "30 min"),
        );
        names(
            &run(name, &along).unwrap_err(),
            &["gap", "value 1, 30 min after"],
        );
        along.insert("wind_speed_series".into(), series(vec![9.0, 12.0], "0 min"));
        names(
            &run(name, &along).unwrap_err(),
            &["steps of time must be above zero"],
        );
        along.insert(
            "wind_speed_series".into(),
            series(vec![9.0, 12.0], "30 min"),
        );
        assert!(run(name, &along).is_ok());
        along.insert("wind_speed".into(), Value::Label("5 km/h".into()));
        names(
            &run(name, &along).unwrap_err(),
            &["wind_speed is given more than once"],
        );
    }

    #[test]
    fn an_ensemble_without_doubt_is_its_fire() {
        use lahar_hazards::uncertainty::Sampling;
        use lahar_hazards::wildfire::ensemble::{Doubt, burn_probability};
        let land = even(41, 30.0);
        let periods = from_zero(weather(80.0, 250.0));
        let start = 20 * 41 + 10;
        let alone = minimum_travel_time::grow(&land, &periods, &[start], 40.0, 1).unwrap();
        let sampling = |samples, threads| Sampling {
            samples,
            threads,
            ..Sampling::default()
        };
        let sure = Doubt {
            wind_speed: 0.0,
            wind_from: 0.0,
            moisture: 0.0,
        };
        let all = |doubt: &Doubt, samples, threads| {
            burn_probability(
                &land,
                &periods,
                &[start],
                40.0,
                doubt,
                sampling(samples, threads),
            )
            .unwrap()
        };
        let same = all(&sure, 3, 1);
        for (share, arrival) in same.probability.values().iter().zip(alone.minutes()) {
            assert_eq!(*share, f64::from(u8::from(!arrival.is_nan())));
        }
        // In doubt, fewer cells are sure to burn and more may; threads change nothing.
        let doubtful = all(&Doubt::default(), 20, 1);
        let count = |least: f64| {
            let shares = doubtful.probability.values().iter();
            shares.filter(|share| **share >= least).count()
        };
        assert!(count(1.0) < alone.count() && count(0.05) > alone.count());
        assert_eq!(
            doubtful.probability,
            all(&Doubt::default(), 20, 3).probability
        );
    }

    #[test]
    fn reproduces_alexandridis_2008_by_its_equation() {
        use lahar_hazards::wildfire::cellular_automaton::chance_of_step;
        let own = 0.58 * 1.4 * 1.3;
        let found = chance_of_step(own, 8.0, 60.0, -5.0);
        let expected =
            own * (8.0f64 * (0.045 + 0.131 * (0.5 - 1.0))).exp() * (0.078f64 * -5.0).exp();
        assert!((found - expected).abs() < 1e-12);
        // One step from one cell: the share of fires that comes to each neighbour is its chance.
        let flat = grid(9, 100.0, |_, _| 0.0);
        let mut inputs: BTreeMap<String, Value> = [
            ("wind_speed", "4 m/s"),
            ("wind_from", "270 deg"),
            ("start_x", "450 m"),
            ("start_y", "450 m"),
            ("steps", "1 1"),
            ("samples", "4000 1"),
        ]
        .iter()
        .map(|(port, text)| ((*port).to_owned(), Value::Label((*text).to_owned())))
        .collect();
        inputs.insert("elevation".into(), layer(flat.clone(), "m"));
        inputs.insert("vegetation".into(), layer(flat.map(|_| 2.0), "1"));
        inputs.insert("density".into(), layer(flat.map(|_| 2.0), "1"));
        let report = run("alexandridis-2008-burn-probability", &inputs).unwrap();
        let shares = cells(&report, "burn_probability");
        for (cell, angle) in [(41, 0.0), (39, 180.0), (31, 90.0), (32, 45.0)] {
            let expected = chance_of_step(0.58, 4.0, angle, 0.0);
            assert!(
                (shares[cell] - expected).abs() < 0.03,
                "{cell}: {} {expected}",
                shares[cell]
            );
        }
        inputs.insert("vegetation".into(), layer(flat.map(|_| 7.0), "1"));
        let error = run("alexandridis-2008-burn-probability", &inputs).unwrap_err();
        names(
            &error,
            &["vegetation", "7 (row 0, column 0)", "classes 0 to 3"],
        );
    }

    #[test]
    fn tomorrow_burns_what_burns_today_and_a_rim_about_it() {
        let today = grid(21, 30.0, |x, y| {
            f64::from(u8::from((x, y) == (0.0, 0.0) || (x, y) == (30.0, 0.0)))
        });
        let given = |today: Grid| BTreeMap::from([("burning".to_owned(), layer(today, "1"))]);
        let same = run("fire-persistence-baseline", &given(today.clone())).unwrap();
        assert_eq!(cells(&same, "burning_tomorrow"), today.values());
        let mut inputs = given(today.clone());
        inputs.insert("head_rate".into(), Value::Label("1 m/min".into()));
        inputs.insert("duration".into(), Value::Label("75 min".into()));
        let wider = run("fire-dilation-baseline", &inputs).unwrap();
        for (cell, value) in cells(&wider, "burning_tomorrow").iter().enumerate() {
            let (row, column) = ((cell / 21) as f64, (cell % 21) as f64);
            let near = [10.0, 11.0].map(|x| 30.0 * (row - 10.0).hypot(column - x));
            assert_eq!(
                *value,
                f64::from(u8::from(near[0].min(near[1]) <= 75.0)),
                "{cell}"
            );
        }
        let none = run("fire-persistence-baseline", &given(today.map(|_| 0.0))).unwrap_err();
        names(&none, &["nothing burns today"]);
        inputs.insert("detection_age".into(), Value::Label("30 h".into()));
        names(
            &run("fire-dilation-baseline", &inputs).unwrap_err(),
            &["a day old", "30 h"],
        );
    }

    /// A front that runs east, two cells a day.
    fn detections(swap: bool) -> Vec<Feature> {
        let mut found = Vec::new();
        for day in 1..=6 {
            for row in 15..26 {
                for column in 0..2 {
                    let x = 30.0 * f64::from(8 + 2 * day + column) + 15.0;
                    let y = 30.0 * f64::from(row) + 15.0;
                    found.push(Feature {
                        shape: Some(Shape::Point(if swap { [y, x] } else { [x, y] })),
                        properties: BTreeMap::from([
                            (
                                "acq_date".to_owned(),
                                Property::Text(format!("2020-08-0{day}")),
                            ),
                            ("system".to_owned(), Property::Text("grid".to_owned())),
                        ]),
                    });
                }
            }
        }
        found
    }

    #[test]
    fn a_logistic_model_learns_the_direction_of_the_wind() {
        let flat = grid(41, 30.0, |_, _| 0.0);
        let mut inputs = BTreeMap::from([
            ("detections".to_owned(), Value::Features(detections(false))),
            ("elevation".to_owned(), layer(flat, "m")),
            ("wind_speed".to_owned(), Value::Label("6 m/s".into())),
            ("wind_from".to_owned(), Value::Label("270 deg".into())),
        ]);
        let report = run("logistic-next-day-spread", &inputs).unwrap();
        let probability = cells(&report, "burn_probability");
        // The last day burned columns 20 and 21.
        let (ahead, behind) = (probability[20 * 41 + 22], probability[20 * 41 + 19]);
        assert!(
            ahead > 0.5 && behind < 0.2 && ahead > 5.0 * behind,
            "{ahead} {behind}"
        );
        assert!(report.number("training_brier_score").unwrap() < 0.02);
        let mut undated = detections(false);
        undated[3].properties.remove("acq_date");
        inputs.insert("detections".into(), Value::Features(undated));
        names(
            &run("logistic-next-day-spread", &inputs).unwrap_err(),
            &["detection 3", "acq_date"],
        );
        inputs.insert(
            "detections".into(),
            Value::Features(detections(false)[..22].to_vec()),
        );
        names(
            &run("logistic-next-day-spread", &inputs).unwrap_err(),
            &["of 1 days", "two in a row"],
        );
        // A satellite that saw nothing for a day teaches nothing about the day after.
        let Value::Features(mut every_other) = Value::Features(detections(false)) else {
            unreachable!()
        };
        every_other.retain(|point| {
            let date = &point.properties["acq_date"];
            ["01", "03", "05"]
                .iter()
                .any(|day| *date == Property::Text(format!("2020-08-{day}")))
        });
        inputs.insert("detections".into(), Value::Features(every_other));
        names(
            &run("logistic-next-day-spread", &inputs).unwrap_err(),
            &["of 3 days", "two in a row"],
        );
        for date in ["14/09/2019", "2019-14-09", "2019-09", "20190914", ""] {
            let mut written = detections(false);
            let text = Property::Text(date.to_owned());
            written[7].properties.insert("acq_date".to_owned(), text);
            inputs.insert("detections".into(), Value::Features(written));
            names(
                &run("logistic-next-day-spread", &inputs).unwrap_err(),
                &["detection 7", &format!("`{date}`"), "2020-09-08"],
            );
        }
    }

    #[test]
    fn longitude_and_latitude_are_not_exchanged() {
        use lahar_hazards::wildfire::next_day::days;
        let transform = Affine::north_up(470_000.0, 4_450_000.0, 1000.0, 1000.0);
        let like = Grid::new(vec![0.0; 100], 10, 10, transform, Crs::Epsg(32613)).unwrap();
        let at = |x: f64, y: f64| {
            [Feature {
                shape: Some(Shape::Point([x, y])),
                properties: BTreeMap::from([(
                    "acq_date".to_owned(),
                    Property::Text("2020-09-08".into()),
                )]),
            }]
        };
        // 105.3 degrees west, 40.15 degrees north.
        let found = days(&at(-105.3, 40.15), &like).unwrap();
        assert_eq!(found[0].burning.values().iter().sum::<f64>(), 1.0);
        let error = days(&at(40.15, -105.3), &like).unwrap_err().to_string();
        names(&error, &["latitude -105.3", "exchanged"]);
    }
}
