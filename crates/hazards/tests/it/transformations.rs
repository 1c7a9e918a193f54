//! Transformations through the registry, each with its loss.

use std::collections::BTreeMap;

use lahar_core::capability::{CapabilityKind, Layer, Value};
use lahar_core::series::{Feature, Series, Shape};
use lahar_core::{Affine, Crs, Grid, Quantity};
use lahar_hazards::registry;

fn run(name: &str, inputs: Vec<(&str, Value)>) -> BTreeMap<String, Value> {
    let inputs = inputs
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    let report = registry::find(name).unwrap().run(&inputs);
    report
        .unwrap_or_else(|error| panic!("{name}: {error}"))
        .outputs
}

fn quantity(text: &str) -> Value {
    Value::Quantity(text.parse().unwrap())
}

fn layer(values: Vec<f64>, rows: usize, unit: &str) -> Value {
    let columns = values.len() / rows;
    let transform = Affine::north_up(450_000.0, 4_440_000.0, 100.0, 100.0);
    let grid = Grid::new(values, rows, columns, transform, Crs::Epsg(32613)).unwrap();
    Value::Layer(Layer {
        grid,
        unit: unit.parse().unwrap(),
    })
}

fn cells(outputs: &BTreeMap<String, Value>) -> &Layer {
    match &outputs["result"] {
        Value::Layer(layer) => layer,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_change_of_representation_is_a_capability_with_its_loss() {
    let wanted = [
        "unit-conversion",
        "grid-unit-conversion",
        "grid-reproject",
        "grid-resample",
        "grid-aggregate",
        "grid-at-point",
        "grid-threshold",
        "grid-mask",
        "rasterise",
        "time-aggregate",
        "vertical-datum-shift",
        "wind-averaging-conversion",
    ];
    for name in wanted {
        let registration = registry::find(name).unwrap();
        assert!(registration.is_available(), "{name}");
        assert_eq!(
            registration.capability.kind,
            CapabilityKind::Transformation,
            "{name}"
        );
        let losses = registration
            .capability
            .conditions
            .iter()
            .filter(|c| c.variable == "loss");
        assert_eq!(losses.count(), 1, "{name}");
    }
}

#[test]
fn units_convert_numbers_and_grids_alike() {
    let one = run(
        "unit-conversion",
        vec![("value", quantity("50 degF")), ("to", quantity("1 degC"))],
    );
    let Value::Quantity(found) = &one["result"] else {
        panic!("no number")
    };
    assert!((found.value() - 10.0).abs() < 1e-12 && found.unit().symbol() == "degC");
    let grid = run(
        "grid-unit-conversion",
        vec![
            ("grid", layer(vec![50.0, 212.0, f64::NAN, 32.0], 2, "degF")),
            ("from", quantity("1 degF")),
            ("to", quantity("1 degC")),
        ],
    );
    let found = cells(&grid);
    assert_eq!(found.unit.symbol(), "degC");
    for (value, expected) in found.grid.values().iter().zip([10.0, 100.0, f64::NAN, 0.0]) {
        assert!((value - expected).abs() < 1e-12 || value.is_nan() && expected.is_nan());
    }
    let inputs = [("value", "3 m"), ("to", "1 s")];
    let inputs = registry::quantities(&inputs).unwrap();
    assert!(
        registry::find("unit-conversion")
            .unwrap()
            .run(&inputs)
            .is_err()
    );
}

#[test]
fn grids_are_reprojected_read_at_points_and_burned_with_shapes() {
    let plane: Vec<f64> = (0..400).map(|i| f64::from(i % 20)).collect();
    let grid = layer(plane, 20, "mm");
    let away = run(
        "grid-reproject",
        vec![
            ("grid", grid.clone()),
            ("system", quantity("4326 1")),
            ("interpolation", Value::Label("nearest".into())),
        ],
    );
    let found = cells(&away);
    assert_eq!(
        (found.grid.crs.clone(), found.unit.symbol()),
        (Crs::WGS84, "mm")
    );
    assert_eq!(found.grid.range(), Some((0.0, 19.0)));
    let point = run(
        "grid-at-point",
        vec![
            ("grid", grid.clone()),
            ("x", quantity("450200 1")),
            ("y", quantity("4439000 1")),
            ("interpolation", Value::Label("bilinear".into())),
        ],
    );
    let Value::Quantity(value) = &point["result"] else {
        panic!("no number")
    };
    assert_eq!((value.value(), value.unit().symbol()), (1.5, "mm"));
    let square = [
        [450_000.0, 4_439_500.0],
        [450_500.0, 4_439_500.0],
        [450_500.0, 4_440_000.0],
    ];
    let mut ring = square.to_vec();
    ring.extend([[450_000.0, 4_440_000.0], square[0]]);
    let feature = Feature {
        shape: Some(Shape::Polygon(vec![ring])),
        properties: BTreeMap::new(),
    };
    let burned = run(
        "rasterise",
        vec![
            ("shapes", Value::Features(vec![feature])),
            ("like", grid.clone()),
            ("value", quantity("500 1")),
        ],
    );
    assert_eq!(
        cells(&burned).grid.values().iter().sum::<f64>(),
        25.0 * 500.0
    );
    let wrong = [
        ("shapes".to_owned(), grid.clone()),
        ("like".to_owned(), grid),
    ]
    .into();
    let message = registry::find("rasterise")
        .unwrap()
        .run(&wrong)
        .unwrap_err()
        .to_string();
    assert!(message.contains("shapes are needed"), "{message}");
}

#[test]
fn a_column_has_its_liquefaction_potential() {
    let column = |values: Vec<f64>, step: &str| {
        Value::Series(Series {
            values,
            unit: "1".parse().unwrap(),
            step: step.parse::<Quantity>().unwrap(),
            start: None,
        })
    };
    let outputs = run(
        "iwasaki-1982-liquefaction-potential",
        vec![
            ("factor_of_safety", column(vec![0.6, 0.6, 1.5], "3 m")),
            ("top", quantity("2 m")),
        ],
    );
    let Value::Quantity(index) = &outputs["potential_index"] else {
        panic!("no number")
    };
    // 0.4 of [10 z - 0.25 z²] from 2 to 8 m.
    assert!((index.value() - 18.0).abs() < 1e-12);
    assert_eq!(outputs["severity"], Value::Label("very_high".into()));
    let inputs = [("factor_of_safety".to_owned(), column(vec![0.6], "3 s"))].into();
    let potential = registry::find("iwasaki-1982-liquefaction-potential").unwrap();
    let message = potential.run(&inputs).unwrap_err().to_string();
    assert!(message.contains("step in metres"), "{message}");
}
