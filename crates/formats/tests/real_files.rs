//! Real files of `sci-data`, which stay outside the repository.

use std::path::{Path, PathBuf};

use lahar_core::Crs;
use lahar_formats::netcdf::File;
use lahar_formats::{ascii_grid, safetensors, trees};

/// The folder of real inputs; says so where it is not here.
#[allow(clippy::print_stderr)] // a skipped test must be seen
fn sci_data(test: &str) -> Option<PathBuf> {
    let shared = || {
        let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
        std::env::var_os("LAHAR_SHARED")
            .map_or(default, PathBuf::from)
            .join("sci-data")
    };
    let folder = std::env::var_os("LAHAR_SCI_DATA").map_or_else(shared, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED {test}: {} is not here", folder.display());
    None
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect();
    files.sort();
    files
}

#[test]
fn every_elevation_model_is_read_and_written_back() {
    let Some(folder) = sci_data("every_elevation_model_is_read") else {
        return;
    };
    let files = files(&folder.join("dem_landlab"), "asc");
    assert!(files.len() >= 10);
    for path in files {
        let grid = ascii_grid::read_file_as(&path, Crs::LocalMetres)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(grid.rows() > 1 && grid.columns() > 1 && grid.range().is_some());
        let back = ascii_grid::read(&ascii_grid::write(&grid).unwrap(), Crs::LocalMetres).unwrap();
        assert!(back.check_aligned(&grid).is_ok(), "{}", path.display());
        assert_eq!(back.range(), grid.range(), "{}", path.display());
    }
}

#[test]
fn every_netcdf_file_is_read() {
    let Some(folder) = sci_data("every_netcdf_file_is_read") else {
        return;
    };
    let files = files(&folder.join("tc_climada"), "nc");
    assert!(files.len() >= 3);
    for path in files {
        let file = File::open_path(&path).unwrap();
        let mut numbers = 0;
        for name in file.names().unwrap() {
            // Names and remarks are text, which is not read as numbers.
            if let Ok(variable) = file.read(&name) {
                numbers += variable.values.len();
            }
        }
        assert!(numbers > 10, "{}: {numbers}", path.display());
    }
}

#[test]
fn the_weights_of_phasenet_are_read() {
    let Some(folder) = sci_data("the_weights_of_phasenet_are_read") else {
        return;
    };
    let bytes = std::fs::read(folder.join("phasenet/phasenet_190703.safetensors")).unwrap();
    let tensors = safetensors::read(&bytes).unwrap();
    let count: usize = tensors.values().map(|tensor| tensor.values.len()).sum();
    // As the folder's README states.
    assert_eq!((tensors.len(), count), (93, 269_675));
    assert!(
        tensors
            .values()
            .all(|t| t.values.iter().all(|value| value.is_finite()))
    );
}

/// The folder of a hazard's oracles, beside the real inputs.
fn oracle(sci_data: &Path, name: &str) -> serde_json::Value {
    let path = sci_data.join("../oracles").join(name);
    let bytes = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_slice(&bytes).unwrap()
}

#[test]
fn the_landslide_model_of_lhasa_predicts_what_xgboost_does() {
    let Some(folder) = sci_data("the_landslide_model_of_lhasa_predicts_what_xgboost_does") else {
        return;
    };
    let model = trees::read(&std::fs::read(folder.join("lhasa/model.json")).unwrap()).unwrap();
    assert_eq!((model.trees(), model.outputs()), (300, 1));
    let cases = oracle(&folder, "landslide/public_lhasa_v2_xgboost.json");
    let cases = cases["cases"].as_array().unwrap();
    assert!(cases.len() >= 100);
    let names = [
        "lithology",
        "slope_deg",
        "pga",
        "gwetprof",
        "antecedent_mm",
        "rain_ratio",
    ];
    for (at, case) in cases.iter().enumerate() {
        let features = names.map(|name| case[name].as_f64().unwrap_or(f64::NAN));
        let margin = model.margins(&features).unwrap()[0];
        let p = model.predict(&features).unwrap()[0];
        let expected = |name: &str| case[name].as_f64().unwrap();
        assert!(
            (margin - expected("margin")).abs() <= 1e-5,
            "case {at}: margin {margin}"
        );
        assert!((p - expected("p")).abs() <= 1e-6, "case {at}: {p}");
    }
}
