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

/// Largest and mean difference from the ellipse, in cells that the fire covers at its own rate in each
/// direction, once its head has come `reach` cells far. The start is a disc as wide as a cell.
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
        let rate = ellipse.rate_at(towards - from - 180.0);
        let cells_off = (distance - 15.0 - rate * arrival).abs() / 30.0;
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
        (Method::Ways, 250.0, (0.4, 0.2)),
        (Method::Level, 100.0, (0.5, 0.15)),
        (Method::Level, 250.0, (2.0, 0.6)),
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
