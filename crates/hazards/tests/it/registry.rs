//! Capabilities from values with units, as the command line runs them.

use std::collections::{BTreeMap, BTreeSet};

use lahar_core::capability::{
    Availability, Condition, Layer, PortKind, Requirement, Value, VerdictStatus,
};
use lahar_core::{Affine, Crs, Grid, Quantity, Unit};
use lahar_hazards::registry::{self, RunOptions};
use lahar_hazards::{HazardError, Registration};

fn inputs(json: &str) -> BTreeMap<String, Value> {
    serde_json::from_str(json).unwrap()
}

#[test]
fn registrations_are_complete_and_their_units_are_units() {
    let mut names = BTreeSet::new();
    for Registration { capability, .. } in registry::all() {
        let name = capability.name;
        assert!(names.insert(name), "{name} is registered twice");
        assert!(
            capability.citation.year > 1900 && !capability.citation.doi.is_empty(),
            "{name}"
        );
        assert!(capability.function.ends_with('.'), "{name}");
        for port in capability.inputs.iter().chain(capability.outputs) {
            if let Some(unit) = port.unit().filter(|unit| *unit != registry::ANY_UNIT) {
                assert!(unit.parse::<Unit>().is_ok(), "{name}: {unit}");
            }
        }
        for Condition {
            variable,
            requirement,
            ..
        } in capability.conditions
        {
            let Requirement::Between { unit, .. } = requirement else {
                continue;
            };
            let port = capability.inputs.iter().find(|port| port.name == *variable);
            if let Some(own) = port.and_then(|port| port.unit()) {
                let one = Quantity::of(1.0, unit).unwrap();
                assert!(
                    one.to(own).is_ok(),
                    "{name}: {variable} in {own}, condition in {unit}"
                );
            }
        }
        if capability.availability == Availability::Available {
            assert!(
                !capability.outputs.is_empty() && !capability.validation.is_empty(),
                "{name}"
            );
        }
    }
    assert!(names.len() > 40);
}

#[test]
fn every_available_capability_names_a_test_that_exists() {
    // Transformations are held by properties beside their code.
    let source = [
        include_str!("reproduces.rs"),
        include_str!("../../src/transformation.rs"),
        include_str!("../../src/terrain/relief.rs"),
        include_str!("../../src/flood/runoff.rs"),
        include_str!("../../src/landslide/infinite_slope.rs"),
        include_str!("../../src/landslide/lhasa.rs"),
        include_str!("../../src/flood/height_above_drainage.rs"),
        include_str!("../../src/transformation/reprojection.rs"),
        include_str!("../../src/postfire_debris_flow/hazard_map.rs"),
        include_str!("transformations.rs"),
        include_str!("wildfire.rs"),
        include_str!("../../src/landslide/map.rs"),
        include_str!("../../src/wildfire/ellipse.rs"),
    ]
    .concat();
    for Registration { capability, .. } in registry::all() {
        for test in capability
            .validation
            .iter()
            .filter(|name| **name != "oracles")
        {
            assert!(
                source.contains(&format!("fn {test}(")),
                "{}: {test}",
                capability.name
            );
        }
    }
}

#[test]
fn a_run_from_json_answers_in_named_ports_with_verdicts_and_checks() {
    let report = registry::find("postfire-hazard-chain")
        .unwrap()
        .run(&inputs(
            r#"{"rainfall_intensity": {"value": 1.0, "unit": "in/h"},
                "steep_burned_share": "50 %", "mean_dnbr": {"value": 400, "unit": "1"},
                "soil_erodibility": "0.2 fraction", "burned_area": {"value": 250, "unit": "acre"},
                "relief": {"value": 1200, "unit": "ft"}, "region": "transverse_ranges"}"#,
        ))
        .unwrap();
    assert!(report.checks.iter().all(|check| check.holds));
    let status = |variable: &str| {
        report
            .conditions
            .iter()
            .find(|v| v.variable == variable)
            .unwrap()
            .status
    };
    assert_eq!(status("region"), VerdictStatus::Holds);
    assert_eq!(status("rainfall_intensity"), VerdictStatus::Holds);
    assert_eq!(status("time_since_fire"), VerdictStatus::Undetermined);
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["outputs"]["volume"]["unit"], "m3");
    assert!(json["outputs"]["hazard_class"].is_string());
}

#[test]
fn lossless_changes_of_unit_change_nothing() {
    let run = |rain: &str, area: &str, relief: &str| {
        let pairs = [
            ("rainfall_intensity", rain),
            ("burned_area", area),
            ("relief", relief),
        ];
        let report = registry::find("gartner-2014-emergency-volume")
            .unwrap()
            .run(&registry::quantities(&pairs).unwrap())
            .unwrap();
        report.number("volume").unwrap()
    };
    let metric = run("25.4 mm/h", "1 km2", "304.8 m");
    for other in [
        run("1 in/h", "100 ha", "1000 ft"),
        run("0.0254 m/h", "1e6 m2", "0.3048 km"),
        run("24 in/d", "1 km²", "12000 in"),
    ] {
        assert!((other / metric - 1.0).abs() < 1e-12, "{other} {metric}");
    }
}

#[test]
fn bad_input_is_refused_with_the_reason() {
    let likelihood = |json: &str| {
        registry::find("staley-2017-m1-likelihood")
            .unwrap()
            .run(&inputs(json))
            .unwrap_err()
    };
    let rest = r#""duration": "15 min", "steep_burned_share": "50 %", "mean_dnbr": "400 1",
                  "soil_erodibility": "0.2 fraction""#;
    for (input, parts) in [
        // An intensity where an accumulation is meant.
        (
            r#""rainfall": "24 mm/h""#,
            &["rainfall", "intensity is not an accumulation"][..],
        ),
        (r#""rainfall": "24""#, &["no unit"]),
        (
            r#""rainfall": {"values": [1], "unit": "mm", "step": {"value": 1, "unit": "s"}}"#,
            &["single value"],
        ),
        (r#""rain": "24 mm""#, &["no input `rain`", "rainfall"]),
        (r#""duration2": "1 s""#, &["no input"]),
        (
            r#""rainfall": "-2 mm""#,
            &["`rainfall` is -2 mm", "1000 mm"],
        ),
        (
            r#""rainfall": "6 mm", "time_since_fire": "4 yr""#,
            &["time_since_fire", "4 yr", "two years"],
        ),
        (
            r#""rainfall": "6 mm", "region": "western_oregon""#,
            &["region", "western United States"],
        ),
    ] {
        let message = likelihood(&format!("{{{input}, {rest}}}")).to_string();
        for part in parts {
            assert!(message.contains(part), "{input}: {message}");
        }
    }
    let message = likelihood(&format!("{{{rest}}}")).to_string();
    assert!(
        message.contains("`rainfall`") && message.contains("missing"),
        "{message}"
    );
    let slope = registry::find("infinite-slope-safety")
        .unwrap()
        .run(&inputs(
            r#"{"slope": "0.5 fraction", "cohesion": "2 kPa", "friction_angle": "30 deg",
            "saturation": "0 %", "slab_thickness": "2 m", "density": "1600 kg/m3"}"#,
        ));
    assert!(slope.unwrap_err().to_string().contains("tangent"));
}

#[test]
fn outside_a_strict_condition_only_who_asks_for_it_gets_a_result() {
    let inputs = inputs(
        r#"{"peak_ground_acceleration": "0.4 g", "critical_acceleration": "0.1 g",
            "magnitude": "8.2 Mw"}"#,
    );
    let model = registry::find("jibson-2007-displacement-magnitude").unwrap();
    let error = model.run(&inputs).unwrap_err();
    assert!(
        matches!(error, HazardError::OutsideValidity { .. }),
        "{error}"
    );
    let options = RunOptions {
        allow_outside: true,
    };
    let report = model.run_with(&inputs, &options).unwrap();
    assert_eq!(report.violated().count(), 1);
    assert!(report.number("displacement").unwrap() > 0.0);
}

#[test]
fn magnitudes_of_another_scale_are_refused() {
    let error = registry::find("jibson-2007-displacement-magnitude")
        .unwrap()
        .run(&inputs(
            r#"{"peak_ground_acceleration": "0.4 g", "critical_acceleration": "0.1 g",
            "magnitude": "6.2 ML"}"#,
        ));
    assert!(error.unwrap_err().to_string().contains("scale"));
}

#[test]
fn what_is_not_verified_or_supplied_says_so() {
    for (name, reason) in [
        ("gorr-2026-west-volume", "coefficients not supplied"),
        (
            "cannon-2008-intensity-duration",
            "coefficients not verified",
        ),
        ("imagery-model-burn-severity", "weights not supplied"),
    ] {
        let registration = registry::find(name).unwrap();
        assert!(!registration.is_available());
        let message = registration.run(&BTreeMap::new()).unwrap_err().to_string();
        assert!(message.contains(reason), "{message}");
    }
    let message = registry::find("staley-2018").unwrap_err().to_string();
    assert!(message.contains("staley-2017-m1-likelihood"), "{message}");
}

#[test]
fn a_record_runs_through_the_block() {
    let mut json =
        String::from(r#"{"critical_acceleration": "0.1 g", "acceleration": {"values": ["#);
    let samples: Vec<String> = (0..400)
        .map(|i| format!("{}", 40.0 * (f64::from(i) * 0.05).sin()))
        .collect();
    json += &samples.join(",");
    json += r#"], "unit": "%g", "step": {"value": 5, "unit": "s"}}}"#;
    let block = registry::find("newmark-rigid-block").unwrap();
    // Samples five seconds apart are no record of an earthquake.
    let error = block.run(&inputs(&json)).unwrap_err().to_string();
    assert!(error.contains("time_step"), "{error}");
    let report = block
        .run(&inputs(&json.replace("\"value\": 5", "\"value\": 0.005")))
        .unwrap();
    assert!(report.number("displacement").unwrap() > 0.0);
}

fn layer(values: Vec<f64>, unit: &str) -> Value {
    let transform = Affine::north_up(0.0, 20.0, 10.0, 10.0);
    let grid = Grid::new(values, 2, 2, transform, Crs::LocalMetres).unwrap();
    Value::Layer(Layer {
        grid,
        unit: unit.parse().unwrap(),
    })
}

#[test]
fn grids_run_cell_by_cell_and_cells_without_data_have_no_result() {
    let mut inputs =
        inputs(r#"{"lithology": "sm", "land_cover": "140", "topographic_index": "8 1"}"#);
    inputs.insert(
        "peak_ground_velocity".into(),
        layer(vec![0.1, 0.5, f64::NAN, 1.0], "m/s"),
    );
    inputs.insert("slope".into(), layer(vec![10.0, 20.0, 30.0, 95.0], "deg"));
    let model = registry::find("nowicki-jessee-2018-landslides").unwrap();
    let report = model.run(&inputs).unwrap();
    let Value::Layer(result) = &report.outputs["probability"] else {
        panic!("no layer")
    };
    let values = result.grid.values();
    assert!(values[0] > 0.0 && values[1] > values[0] && values[2].is_nan() && values[3].is_nan());
    assert_eq!(report.cells_without_result["no data"], 1);
    assert_eq!(report.cells_without_result["`slope` outside its limits"], 1);
    // One cell by itself gives the same number.
    let mut one = inputs.clone();
    one.insert(
        "peak_ground_velocity".into(),
        serde_json::from_str(r#""50 cm/s""#).unwrap(),
    );
    one.insert("slope".into(), serde_json::from_str(r#""20 deg""#).unwrap());
    let alone = model.run(&one).unwrap().number("probability").unwrap();
    assert!((alone - values[1]).abs() < 1e-15);
    // Grids that do not lie on each other.
    let transform = Affine::north_up(5.0, 20.0, 10.0, 10.0);
    let grid = Grid::new(vec![1.0; 4], 2, 2, transform, Crs::LocalMetres).unwrap();
    inputs.insert(
        "slope".into(),
        Value::Layer(Layer {
            grid,
            unit: "deg".parse().unwrap(),
        }),
    );
    assert!(
        model
            .run(&inputs)
            .unwrap_err()
            .to_string()
            .contains("do not align")
    );
    // A grid in the wrong unit.
    inputs.insert("slope".into(), layer(vec![0.1; 4], "fraction"));
    assert!(
        model
            .run(&inputs)
            .unwrap_err()
            .to_string()
            .contains("tangent")
    );
}

#[test]
fn transformations_take_grids_whole_and_keep_their_unit() {
    let heights = layer(vec![10.0, 20.0, 30.0, f64::NAN], "ft");
    let run = |name: &str, mut inputs: BTreeMap<String, Value>| {
        inputs.insert("grid".into(), heights.clone());
        registry::find(name).unwrap().run(&inputs)
    };
    let report = run("grid-threshold", inputs(r#"{"limit": "20 1"}"#)).unwrap();
    let Value::Layer(above) = &report.outputs["result"] else {
        panic!("no grid")
    };
    assert_eq!(above.grid.values()[..3], [0.0, 1.0, 1.0]);
    let report = run(
        "grid-aggregate",
        inputs(r#"{"block": "2 1", "statistic": "mean", "least_share": "50 %"}"#),
    );
    let Value::Layer(mean) = &report.unwrap().outputs["result"] else {
        panic!("no grid")
    };
    assert_eq!(
        (mean.grid.values(), mean.unit.symbol()),
        (&[20.0][..], "ft")
    );
    let error = run(
        "grid-aggregate",
        inputs(r#"{"block": "2 1", "statistic": "median"}"#),
    );
    assert!(error.unwrap_err().to_string().contains("maximum"));
    // Slopes need metres.
    let slope = registry::find("terrain-slope").unwrap();
    let error = slope.run(&BTreeMap::from([("elevation".to_owned(), heights.clone())]));
    assert!(error.unwrap_err().to_string().contains("must be in `m`"));
    let kinds = registry::all()
        .filter(|r| r.capability.track == "transformation")
        .count();
    assert!(kinds >= 8, "{kinds}");
}

#[test]
fn required_words_are_checked_against_their_list() {
    let error = registry::find("hazus-liquefaction").unwrap().run(&inputs(
        r#"{"peak_ground_acceleration": "0.3 g", "magnitude": "7 Mw", "susceptibility": "wet"}"#,
    ));
    assert!(error.unwrap_err().to_string().contains("very_high"));
    let words = |kind: &PortKind| matches!(kind, PortKind::Label { one_of } if one_of.is_empty());
    assert!(!registry::all().any(|r| r.capability.inputs.iter().any(|p| words(&p.kind))));
}
