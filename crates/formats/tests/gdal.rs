//! GeoTIFF as GDAL writes it: `fixtures/gdal/make.py` has the formula of the cells.

use std::path::{Path, PathBuf};

use lahar_core::{Crs, Grid};
use lahar_formats::geotiff::{self, Raster};

const ROWS: usize = 9;
const COLUMNS: usize = 13;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gdal")
}

fn expected(row: usize, column: usize, plus: f64) -> f64 {
    match (row + column) % 11 {
        5 => f64::NAN,
        _ => ((row * 31 + column * 17) % 97) as f64 + plus,
    }
}

#[track_caller]
fn check(band: &Grid, plus: f64, name: &str) {
    assert_eq!((band.rows(), band.columns()), (ROWS, COLUMNS), "{name}");
    assert_eq!(band.crs, Crs::Epsg(32613), "{name}");
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let (found, expected) = (band.get(row, column).unwrap(), expected(row, column, plus));
            let same = found == expected || (found.is_nan() && expected.is_nan());
            assert!(
                same,
                "{name}: {found} at {row}, {column}, GDAL wrote {expected}"
            );
        }
    }
}

fn read(name: &str) -> Raster {
    geotiff::read_from(&folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn every_packing_predictor_and_layout_is_undone() {
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !name.ends_with("-strips.tif") && !name.ends_with("-tiles.tif") {
            continue;
        }
        let raster = read(&name);
        check(
            &raster.bands[0],
            if name.starts_with("float") { 0.25 } else { 0.0 },
            &name,
        );
        let corner = raster.bands[0].transform.apply(0.0, 0.0);
        assert_eq!(corner, (450_000.0, 4_440_000.0), "{name}");
        count += 1;
    }
    assert_eq!(count, 82);
}

#[test]
fn byte_order_size_bands_and_overviews_change_nothing() {
    check(&read("big-endian.tif").bands[0], 0.0, "big-endian.tif");
    check(&read("bigtiff.tif").bands[0], 0.25, "bigtiff.tif");
    check(&read("overviews.tif").bands[0], 0.25, "overviews.tif");
    let bands = read("bands.tif").bands;
    assert_eq!(bands.len(), 3);
    for (at, band) in bands.iter().enumerate() {
        check(band, at as f64, "bands.tif");
    }
}

#[test]
fn values_for_points_are_not_shifted_by_half_a_cell() {
    let raster = read("points.tif");
    check(&raster.bands[0], 0.25, "points.tif");
    // The point of the first cell lies where the middle of an area cell does.
    assert_eq!(raster.bands[0].centre(0, 0), (450_005.0, 4_439_995.0));
}
