//! Fires and landslides from the command line: what cannot be is refused with value and range, and
//! what a user brings as files is taken as it comes.

use super::program::{Desk, Run};

/// An ASCII grid of 20 by 20 cells of 30 m.
fn grid(value: impl Fn(usize, usize) -> f64) -> String {
    let mut text =
        "ncols 20\nnrows 20\nxllcorner 0\nyllcorner 0\ncellsize 30\nNODATA_value -9999\n"
            .to_owned();
    for row in 0..20 {
        let cells: Vec<String> = (0..20).map(|at| value(row, at).to_string()).collect();
        text.push_str(&(cells.join(" ") + "\n"));
    }
    text
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("dem.asc", grid(|row, _| 500.0 - row as f64));
    desk.write("fuel.asc", grid(|_, _| 1.0));
    desk.write(
        "no-such-fuel.asc",
        grid(|row, column| match (row, column) {
            (7, 9) => 77.0,
            _ => 1.0,
        }),
    );
    let ring = |row: usize, column: usize| {
        let (down, right) = (row.abs_diff(10), column.abs_diff(10));
        f64::from(u8::from(down.max(right) == 2))
    };
    desk.write("ring.asc", grid(ring));
    desk
}

/// A run that ought to go well, with one value changed or one more.
fn run(desk: &Desk, capability: &str, usual: &[&str], change: &str) -> Run {
    let port = change.split_once('=').map_or(change, |(port, _)| port);
    let mut arguments = vec!["--json", "capabilities", "run", capability];
    let others = usual
        .iter()
        .filter(|value| value.split_once('=').is_none_or(|(name, _)| name != port));
    arguments.extend(others);
    if !change.is_empty() {
        arguments.push(change);
    }
    desk.run(&arguments)
}

const FIRE: &[&str] = &[
    "elevation=@dem.asc,m,local",
    "fuel_model=@fuel.asc,1,local",
    "wind_speed=10 km/h",
    "wind_from=270 deg",
    "wind_height=10m",
    "moisture_1h=6 %",
    "moisture_10h=7 %",
    "moisture_100h=8 %",
    "moisture_herbs=60 %",
    "moisture_wood=90 %",
    "start_x=300 m",
    "start_y=300 m",
    "duration=20 min",
];

const STORM: &[&str] = &[
    "slope=35 deg",
    "soil_depth=2 m",
    "cohesion=4 kPa",
    "friction_angle=34 deg",
    "unit_weight=19 kN/m3",
    "hydraulic_diffusivity=0.00001 m2/s",
    "saturated_conductivity=0.00001 m/s",
    "lasting_infiltration=0 mm/h",
    "water_table_depth=2 m",
    "infiltration=20 mm/h",
    "storm_duration=6 h",
    "time=6 h",
    "slide_type=shallow",
];

#[test]
fn what_cannot_be_is_refused_with_value_and_range() {
    let desk = desk();
    let fire = "minimum-travel-time-fire-growth";
    let slide = "iverson-2000-transient-infiltration";
    for (capability, usual) in [
        (fire, FIRE),
        ("level-set-fire-growth", FIRE),
        (slide, STORM),
    ] {
        let well = run(&desk, capability, usual, "");
        assert_eq!(well.code, 0, "{well:?}");
    }
    let cases: [(&str, &[&str], &str, &[&str]); 17] = [
        (
            fire,
            FIRE,
            "fuel_model=@no-such-fuel.asc,1,local",
            &["77", "row 7", "column 9"],
        ),
        (fire, FIRE, "moisture_1h=600 %", &["moisture", "6", "0"]),
        (fire, FIRE, "moisture_1h=6 1", &["moisture", "6"]),
        (
            fire,
            FIRE,
            "wind_height=2m",
            &["wind_height", "2m", "10m", "20ft"],
        ),
        (fire, FIRE, "start_x=5000 m", &["5000", "600"]),
        (
            fire,
            FIRE,
            "barriers=@ring.asc,1,local",
            &["barriers", "start"],
        ),
        (
            fire,
            FIRE,
            "duration=0 min",
            &["duration", "0 min", "more than 0"],
        ),
        (
            fire,
            FIRE,
            "perimeter_step=0 min",
            &["perimeter_step", "0 min", "above 0"],
        ),
        (
            "level-set-fire-growth",
            FIRE,
            "duration=0 min",
            &["duration", "0 min"],
        ),
        (
            "level-set-fire-growth",
            FIRE,
            "barriers=@ring.asc,1,local",
            &["barriers", "start"],
        ),
        (
            slide,
            STORM,
            "infiltration=72 mm/h",
            &["infiltration", "72 mm/h", "36 mm/h"],
        ),
        (slide, STORM, "soil_depth=-2 m", &["depth", "-2 m", "0"]),
        (
            slide,
            STORM,
            "water_table_depth=-1 m",
            &["water_table", "-1 m", "0"],
        ),
        (slide, STORM, "storm_duration=0 h", &["duration", "0"]),
        (slide, STORM, "slope=95 deg", &["slope", "95", "89"]),
        (
            "infinite-slope-factor-of-safety",
            &[
                "slope=35 deg",
                "soil_depth=2 m",
                "cohesion=4 kPa",
                "friction_angle=34 deg",
                "unit_weight=19 kN/m3",
                "slide_type=shallow",
            ],
            "wetness=120 %",
            &["wetness", "1.2", "1"],
        ),
        (
            "fire-weather-index-day",
            &[
                "temperature=20 degC",
                "wind_speed=10 km/h",
                "rainfall=0 mm",
                "month=7 1",
                "latitude=45 deg",
            ],
            "relative_humidity=140 %",
            &["humidity", "140", "100"],
        ),
    ];
    for (capability, usual, change, parts) in cases {
        let refused = run(&desk, capability, usual, change);
        assert_ne!(refused.code, 0, "{capability} {change}: {refused:?}");
        for part in parts {
            assert!(
                refused.stderr.contains(part),
                "{change}: `{part}`: {}",
                refused.stderr
            );
        }
    }
}

#[test]
fn rain_with_a_gap_says_where_the_gap_is() {
    let desk = desk();
    let index = |rain: &str| run(&desk, "lhasa-antecedent-rainfall-index", &[], rain);
    desk.write(
        "week.csv",
        "time (d),rain (mm)\n0,0\n1,5\n2,10\n3,0\n4,0\n5,20\n6,30\n",
    );
    let well = index("daily_rainfall=@week.csv");
    assert_eq!(well.code, 0, "{well:?}");
    desk.write(
        "hole.csv",
        "time (d),rain (mm)\n0,0\n1,5\n2,\n3,0\n4,0\n5,20\n6,30\n",
    );
    desk.write(
        "jump.csv",
        "time (d),rain (mm)\n0,0\n1,5\n3,0\n4,0\n5,20\n6,30\n7,1\n",
    );
    for (rain, parts) in [
        (
            "daily_rainfall=@hole.csv",
            &["hole.csv", "row 3", "gap"][..],
        ),
        (
            "daily_rainfall=@jump.csv",
            &["jump.csv", "row 3", "gap", "2"],
        ),
        (
            "daily_rainfall=0,5,nan,0,0,20,30 mm every 1 d",
            &["rainfall", "NaN"],
        ),
        ("daily_rainfall=0,5,,0,0,20,30 mm every 1 d", &["no number"]),
        (
            "daily_rainfall=0,5,20,30 mm every 1 d",
            &["4 values", "seven"],
        ),
        (
            "daily_rainfall=0,5,20,30,1,1,1 mm every 0 d",
            &["step", "0"],
        ),
        (
            "daily_rainfall=0,5,-2,30,1,1,1 mm every 1 d",
            &["rainfall", "-2 mm"],
        ),
    ] {
        let refused = index(rain);
        assert_ne!(refused.code, 0, "{rain}: {refused:?}");
        for part in parts {
            assert!(
                refused.stderr.contains(part),
                "{rain}: `{part}`: {}",
                refused.stderr
            );
        }
    }
}

/// Trees over the features of NASA's file: one split on the slope, and one on the rain.
fn trees(names: &str) -> String {
    format!(
        r#"{{"version": [2, 0, 0], "learner": {{"feature_names": [{names}],
        "objective": {{"name": "binary:logistic"}},
        "learner_model_param": {{"base_score": "0.5", "num_class": "0", "num_feature": "6"}},
        "gradient_booster": {{"name": "gbtree", "model": {{
          "gbtree_model_param": {{"num_trees": "2"}}, "tree_info": [0, 0],
          "trees": [
            {{"tree_param": {{"num_nodes": "3", "size_leaf_vector": "1"}},
              "left_children": [1, -1, -1], "right_children": [2, -1, -1],
              "split_indices": [1, 0, 0], "split_conditions": [10.0, -1.0, 0.5],
              "default_left": [1, 0, 0]}},
            {{"tree_param": {{"num_nodes": "3", "size_leaf_vector": "1"}},
              "left_children": [1, -1, -1], "right_children": [2, -1, -1],
              "split_indices": [5, 0, 0], "split_conditions": [1.0, -2.0, 1.5],
              "default_left": [0, 0, 0]}}]}}}}}}}}"#
    )
}

const LHASA: &str = r#""Lithology", "Slope", "pga", "gwetprof", "antecedent", "rain""#;

#[test]
fn the_trees_of_lhasa_come_from_the_users_own_file() {
    let desk = desk();
    desk.write("model.json", trees(LHASA));
    desk.write("other.json", trees(r#""a", "b", "c", "d", "e", "f""#));
    let usual = [
        "landslide_trees=@model.json",
        "slope=30 deg",
        "rainfall_ratio=2 1",
        "cell_size=1 km",
        "burn_state=unburned",
    ];
    let one = run(&desk, "lhasa-v2-probability", &usual, "");
    assert_eq!(one.code, 0, "{one:?}");
    let report: serde_json::Value = serde_json::from_str(&one.stdout).unwrap();
    let probability = report["outputs"]["probability"]["value"].as_f64().unwrap();
    let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
    assert!((probability - logistic(2.0)).abs() < 1e-7, "{probability}");
    for (change, parts) in [
        (
            "landslide_trees=@other.json",
            &["a, b, c", "Lithology, Slope"][..],
        ),
        (
            "landslide_trees=@dem.asc,m,local",
            &["landslide_trees", "trained trees are needed"],
        ),
        ("slope=@model.json", &["slope", "another value is needed"]),
        ("slope=95 deg", &["slope", "95", "90"]),
        ("soil_wetness=85 1", &["soil_wetness", "85", "1"]),
        ("lithology=2.5 1", &["lithology", "2.5", "whole"]),
        ("cell_size=30 m", &["30 m", "500"]),
        (
            "burn_state=burned_this_year",
            &["burn_state", "burned_this_year"],
        ),
    ] {
        let refused = run(&desk, "lhasa-v2-probability", &usual, change);
        assert_ne!(refused.code, 0, "{change}: {refused:?}");
        for part in parts {
            assert!(
                refused.stderr.contains(part),
                "{change}: `{part}`: {}",
                refused.stderr
            );
        }
    }
    // Over grids, and with a hole where there is no land.
    desk.write(
        "slope.asc",
        grid(|row, column| match (row, column) {
            (0, 0) => -9999.0,
            _ => row as f64,
        }),
    );
    desk.write("rain.asc", grid(|_, column| column as f64 / 10.0));
    let map = run(
        &desk,
        "lhasa-v2-probability-map",
        &[
            "landslide_trees=@model.json",
            "slope=@slope.asc,deg,local",
            "rainfall_ratio=@rain.asc,1,local",
            "cell_size=1 km",
            "burn_state=unburned",
            "--save",
            "probability=p.asc",
        ],
        "",
    );
    assert_eq!(map.code, 0, "{map:?}");
    let written = std::fs::read_to_string(desk.path("p.asc")).unwrap();
    let rows: Vec<Vec<f64>> = written
        .lines()
        .skip(6)
        .map(|line| {
            line.split_whitespace()
                .map(|cell| cell.parse().unwrap())
                .collect()
        })
        .collect();
    for (row, column, expected) in [(5, 5, -3.0), (15, 5, -1.5), (5, 15, 0.5), (15, 15, 2.0)] {
        let found = rows[row][column];
        assert!(
            (found - logistic(expected)).abs() < 1e-6,
            "{row} {column}: {found}"
        );
    }
    assert_eq!(rows[0][0], -9999.0);
}

#[test]
fn detections_in_a_messy_table_teach_the_next_day() {
    let desk = Desk::new();
    let mut text = "ncols 40\nnrows 40\nxllcorner 445000\nyllcorner 4428000\ncellsize 400\n\
                    NODATA_value -9999\n"
        .to_owned();
    text.push_str(&"1500 ".repeat(40 * 40));
    desk.write("dem.asc", text);
    // As downloads are: a byte-order mark, Windows line ends, quotes, empty cells, points elsewhere.
    let mut table = "\u{feff}latitude,longitude,acq_date,\"confidence\",frp\r\n".to_owned();
    for day in 1..=4 {
        for row in 0..8 {
            let (y, x) = (
                40.04 + 0.004 * f64::from(row),
                -105.55 + 0.008 * f64::from(day),
            );
            table.push_str(&format!("{y},{x},2024-08-0{day},\"n\",\r\n"));
        }
        table.push_str(&format!("10.0,20.0,2024-08-0{day},l,3.5\r\n"));
    }
    desk.write("fires.csv", &table);
    let usual = [
        "detections=@fires.csv",
        "elevation=@dem.asc,m,EPSG:32613",
        "wind_speed=5 m/s",
        "wind_from=270 deg",
        "detection_age=6 h",
        "--save",
        "burn_probability=p.asc",
    ];
    let well = run(&desk, "logistic-next-day-spread", &usual, "");
    assert_eq!(well.code, 0, "{well:?}");
    for (find, put, parts) in [
        (
            "40.04,-105.5",
            "-105.5,40.04",
            &["fires.csv", "exchanged"][..],
        ),
        ("acq_date", "date", &["acq_date", "2020-09-08"]),
        ("2024-08-0", "08/0", &["acq_date", "2020-09-08"]),
        ("latitude", "y", &["only one has a column"]),
        ("40.04,", ",", &["row 1", "place is missing"]),
        (",", ";", &["instead of commas"]),
        (",\"n\",\r\n", "\r\n", &["row 1", "3 cells"]),
    ] {
        desk.write("fires.csv", table.replace(find, put));
        let refused = run(&desk, "logistic-next-day-spread", &usual, "");
        assert_ne!(refused.code, 0, "{put}: {refused:?}");
        for part in parts {
            assert!(
                refused.stderr.contains(part),
                "{put}: `{part}`: {}",
                refused.stderr
            );
        }
    }
}
