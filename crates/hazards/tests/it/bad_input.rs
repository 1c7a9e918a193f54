//! One test for each kind of input that must not become a number: the message names the variable,
//! the value, what is allowed and what says so.

use std::collections::BTreeMap;

use lahar_core::capability::{Layer, Value};
use lahar_core::{Affine, Crs, Grid};
use lahar_hazards::registry;

fn refused(name: &str, pairs: &[(&str, &str)]) -> String {
    let inputs = pairs
        .iter()
        .map(|(port, text)| ((*port).to_owned(), Value::Label((*text).to_owned())))
        .collect::<BTreeMap<_, _>>();
    registry::find(name)
        .unwrap()
        .run(&inputs)
        .unwrap_err()
        .to_string()
}

#[track_caller]
fn names(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
}

const BASIN: [(&str, &str); 4] = [
    ("duration", "15 min"),
    ("steep_burned_share", "50 %"),
    ("mean_dnbr", "400 1"),
    ("soil_erodibility", "0.2 fraction"),
];

fn likelihood(rainfall: &str, more: &[(&str, &str)]) -> String {
    let mut pairs = BASIN.to_vec();
    pairs.push(("rainfall", rainfall));
    pairs.extend(more);
    refused("staley-2017-m1-likelihood", &pairs)
}

fn layer(values: Vec<f64>, west: f64) -> Value {
    let transform = Affine::north_up(west, 4_440_000.0, 10.0, 10.0);
    let columns = values.len() / 2;
    let grid = Grid::new(values, 2, columns, transform, Crs::Epsg(32613)).unwrap();
    Value::Layer(Layer {
        grid,
        unit: "mm".parse().unwrap(),
    })
}

fn over_cells(rainfall: Value, more: Option<(&str, Value)>) -> Result<registry::Report, String> {
    let mut inputs: BTreeMap<String, Value> = BASIN
        .iter()
        .map(|(port, text)| ((*port).to_owned(), Value::Label((*text).to_owned())))
        .collect();
    inputs.insert("rainfall".into(), rainfall);
    inputs.extend(more.map(|(port, value)| (port.to_owned(), value)));
    let model = registry::find("staley-2017-m1-likelihood").unwrap();
    model.run(&inputs).map_err(|error| error.to_string())
}

#[test]
fn no_data_gives_no_result_and_is_counted() {
    let report = over_cells(layer(vec![6.0, f64::NAN, 6.0, 8.0], 0.0), None).unwrap();
    assert_eq!(report.cells_without_result["no data"], 1);
    let Value::Layer(found) = &report.outputs["likelihood"] else {
        panic!("no grid")
    };
    assert!(found.grid.values()[1].is_nan() && !found.grid.values()[0].is_nan());
    assert!(report.checks.iter().all(|check| check.holds));
}

#[test]
fn a_number_that_is_none_is_refused() {
    names(&likelihood("NaN mm", &[]), &["rainfall"]);
    names(&likelihood("inf mm", &[]), &["rainfall"]);
}

#[test]
fn a_slope_over_ninety_degrees_is_refused() {
    let message = refused(
        "infinite-slope-safety",
        &[
            ("slope", "91 deg"),
            ("cohesion", "2 kPa"),
            ("friction_angle", "30 deg"),
            ("saturation", "0 %"),
            ("slab_thickness", "2 m"),
            ("density", "1600 kg/m3"),
        ],
    );
    names(&message, &["`slope` is 91 deg", "90 deg", "Jibson"]);
}

#[test]
fn a_wrong_unit_is_refused() {
    names(&likelihood("6 kg", &[]), &["rainfall", "6 kg", "mm"]);
}

#[test]
fn a_missing_unit_is_refused() {
    names(&likelihood("6", &[]), &["rainfall", "no unit"]);
}

#[test]
fn an_intensity_where_an_accumulation_is_meant_is_refused() {
    names(
        &likelihood("24 mm/h", &[]),
        &["rainfall", "intensity is not an accumulation"],
    );
}

#[test]
fn a_height_of_another_datum_is_refused() {
    let message = refused(
        "vertical-datum-shift",
        &[
            ("height", "3 m"),
            ("height_datum", "navd88"),
            ("shift_from", "ngvd29"),
            ("shift", "-0.8 m"),
        ],
    );
    names(&message, &["Navd88", "Ngvd29"]);
}

#[test]
fn grids_that_do_not_align_are_refused() {
    let dnbr = match layer(vec![400.0; 4], 5.0) {
        Value::Layer(layer) => Value::Layer(Layer {
            unit: "1".parse().unwrap(),
            ..layer
        }),
        other => other,
    };
    let message = over_cells(layer(vec![6.0; 4], 0.0), Some(("mean_dnbr", dnbr))).unwrap_err();
    names(&message, &["do not align", "resample"]);
}

#[test]
fn a_basin_outside_the_calibrated_area_is_refused() {
    let message = likelihood("6 mm", &[("region", "western_oregon")]);
    names(
        &message,
        &["region", "western_oregon", "western United States"],
    );
    // Its size is advisory: there is a result, and it says so.
    let area = Value::Quantity("40 km2".parse().unwrap());
    let rain = Value::Quantity("6 mm".parse().unwrap());
    let report = over_cells(rain, Some(("basin_area", area))).unwrap();
    let verdict = report.violated().next().unwrap();
    assert_eq!(
        (verdict.variable.as_str(), verdict.found.as_deref()),
        ("basin_area", Some("40 km2"))
    );
}

#[test]
fn results_are_checked_against_what_can_be() {
    let pairs = [
        ("rainfall_intensity", "24 mm/h"),
        ("burned_area", "1 km2"),
        ("relief", "400 m"),
    ];
    let inputs = registry::quantities(&pairs).unwrap();
    let report = registry::find("gartner-2014-emergency-volume")
        .unwrap()
        .run(&inputs)
        .unwrap();
    let volume = report
        .checks
        .iter()
        .find(|check| check.port == "volume")
        .unwrap();
    assert!(
        volume.holds && volume.rule.contains("from 0 m3"),
        "{volume:?}"
    );
}

#[test]
fn every_capability_that_cannot_run_is_listed_with_its_reason() {
    let page = std::fs::read_to_string(
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../CORRECTNESS.md"),
    )
    .unwrap();
    for registration in registry::all().filter(|r| !r.is_available()) {
        let name = registration.capability.name;
        assert!(
            page.contains(&format!("`{name}`")),
            "{name} is not in CORRECTNESS.md"
        );
    }
}
