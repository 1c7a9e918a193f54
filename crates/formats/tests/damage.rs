//! Damaged files of every format: a reader gives values or an error, never a panic, and never
//! allocates what a header merely claims.
//!
//! One test, alone in its program, because it watches what the whole program allocates. The fuzz
//! targets in `fuzz/` call the same readers.

use std::path::Path;

use lahar_core::{Affine, Crs, Grid, RandomStream};
use lahar_formats::geotiff::{Packing, SampleType, WriteOptions};
use lahar_formats::{ascii_grid, geojson, geotiff, netcdf, safetensors, shapefile, table, trees};

/// Damaged copies of each sample.
const COPIES: usize = 400;
/// More than the readers of these small files may take, threads and their stacks included.
const LARGEST_GROWTH_KIB: u64 = 768 << 10;

type Read = fn(&[u8]);

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn read_netcdf(bytes: &[u8]) {
    if let Ok(file) = netcdf::File::open(bytes) {
        for name in file.names().unwrap_or_default() {
            let _ = file.read(&name);
        }
        let _ = file.read_times("time");
        let _ = file.read_grid("rain", &[1]);
    }
}

/// A sample of every format, and of every way in which the larger ones store numbers.
fn samples() -> Vec<(String, Vec<u8>, Read)> {
    let mut samples: Vec<(String, Vec<u8>, Read)> = Vec::new();
    let values = (0..300).map(|i| {
        if i % 7 == 3 {
            f64::NAN
        } else {
            f64::from(i % 90)
        }
    });
    let transform = Affine::north_up(500_000.0, 4_000_000.0, 10.0, 10.0);
    let grid = Grid::new(values.collect(), 15, 20, transform, Crs::Epsg(32611)).unwrap();
    for packing in [
        Packing::None,
        Packing::Deflate,
        Packing::DeflatePredicted,
        Packing::LzwPredicted,
    ] {
        for (samples_, tile, cloud_optimised) in [
            (SampleType::F32, Some(16), false),
            (SampleType::I16, None, false),
            (SampleType::F64, Some(16), true),
        ] {
            let options = WriteOptions {
                samples: samples_,
                packing,
                tile,
                no_data: Some(-9999.0),
                cloud_optimised,
            };
            let bytes = geotiff::write(&grid, &options).unwrap();
            let name = format!("GeoTIFF {packing:?} {samples_:?}");
            samples.push((name, bytes, |bytes| {
                let _ = geotiff::read(bytes.to_vec());
            }));
        }
    }
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for name in [
        "float32-zstd3-tiles.tif",
        "big-endian.tif",
        "bigtiff.tif",
        "bands.tif",
    ] {
        let bytes = std::fs::read(fixtures.join("gdal").join(name)).unwrap();
        samples.push((name.to_owned(), bytes, |bytes| {
            let _ = geotiff::read(bytes.to_vec());
        }));
    }
    for name in [
        "netcdf3_classic.nc",
        "netcdf3_64bit_offset.nc",
        "netcdf4.nc",
    ] {
        let bytes = std::fs::read(fixtures.join("netcdf").join(name)).unwrap();
        samples.push((name.to_owned(), bytes, read_netcdf));
    }
    for name in ["xgboost-classes.json", "lightgbm-binary.json"] {
        let bytes = std::fs::read(fixtures.join("trees").join(name)).unwrap();
        samples.push((name.to_owned(), bytes, |bytes| {
            if let Ok(model) = trees::read(bytes) {
                let _ = model.predict(&[f64::NAN, 0.5, 0.0, -1.0]);
            }
        }));
    }
    let asc = ascii_grid::write(&grid).unwrap().into_bytes();
    samples.push(("ASCII grid".into(), asc, |bytes| {
        let _ = ascii_grid::read(&text(bytes), Crs::LocalMetres);
    }));
    let csv = b"name,rain (mm),area [km2]\nA,1.5,2\n\"B, C\",,3e2\n".to_vec();
    samples.push(("CSV".into(), csv, |bytes| {
        if let Ok(table) = table::read(&text(bytes)) {
            let _ = table.column("rain").and_then(|column| column.numbers());
        }
    }));
    let json = br#"{"type": "FeatureCollection", "features": [{"type": "Feature",
        "geometry": {"type": "MultiPolygon", "coordinates": [[[[0, 0], [4, 0], [4, 4], [0, 0]]]]},
        "properties": {"name": "A", "area": 2.5}}]}"#;
    samples.push(("GeoJSON".into(), json.to_vec(), |bytes| {
        let _ = geojson::read(&text(bytes));
    }));
    let header = br#"{"w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}"#;
    let mut weights = (header.len() as u64).to_le_bytes().to_vec();
    weights.extend(header);
    weights.extend([0; 24]);
    samples.push(("safetensors".into(), weights, |bytes| {
        let _ = safetensors::read(bytes);
    }));
    // Both files of a shapefile behind each other; a damaged length damages the cut too.
    samples.push(("Shapefile".into(), shapefile_bytes(), |bytes| {
        let (shapes, table) = bytes.split_at(bytes.len().min(SHAPES_END));
        let _ = shapefile::read(shapes, table);
    }));
    samples
}

/// Length of the `.shp` part of the sample.
const SHAPES_END: usize = 100 + 8 + 44 + 4 + 5 * 16;

/// A polygon and a table with one row.
fn shapefile_bytes() -> Vec<u8> {
    let mut record = 5i32.to_le_bytes().to_vec();
    record.extend([0; 32]);
    for number in [1i32, 5, 0] {
        record.extend(number.to_le_bytes());
    }
    for point in [
        [0.0f64, 0.0],
        [0.0, 4.0],
        [4.0, 4.0],
        [4.0, 0.0],
        [0.0, 0.0],
    ] {
        record.extend(point[0].to_le_bytes());
        record.extend(point[1].to_le_bytes());
    }
    let mut bytes = 9994i32.to_be_bytes().to_vec();
    bytes.resize(100, 0);
    bytes.extend(1i32.to_be_bytes());
    bytes.extend((record.len() as i32 / 2).to_be_bytes());
    bytes.extend(record);
    let table = bytes.len();
    bytes.extend([3, 26, 1, 1]);
    bytes.extend(1u32.to_le_bytes());
    bytes.extend(65u16.to_le_bytes());
    bytes.extend(6u16.to_le_bytes());
    bytes.resize(table + 32, 0);
    bytes.extend(b"NAME\0\0\0\0\0\0\0C");
    bytes.resize(table + 48, 0);
    bytes.push(5);
    bytes.resize(table + 64, 0);
    bytes.extend(b"\x0d Waldo");
    bytes
}

/// A damaged copy: changed bytes, absurd numbers, a cut, or a piece twice.
fn damaged(sample: &[u8], stream: &mut RandomStream) -> Vec<u8> {
    let mut bytes = sample.to_vec();
    let mut below = |n: usize| ((stream.uniform() * n as f64) as usize).min(n.saturating_sub(1));
    for _ in 0..=below(3) {
        let at = below(bytes.len().max(1));
        match below(6) {
            0 => bytes.truncate(at),
            1 => {
                let piece = bytes[at..(at + 1 + below(40)).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
            2 | 3 => {
                let absurd = [u32::MAX, i32::MAX as u32, 1 << 30, 0][below(4)];
                let absurd = absurd.to_le_bytes();
                for (byte, new) in bytes.iter_mut().skip(at).zip(absurd) {
                    *byte = new;
                }
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = below(256) as u8;
                }
            }
        }
    }
    bytes
}

/// The most memory that the program ever asked for, in KiB; `None` where the system does not say.
fn highest_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmPeak:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn damaged_files_give_values_or_errors_within_bounds() {
    let before = highest_kib();
    let mut formats = 0;
    for (at, (name, sample, read)) in samples().into_iter().enumerate() {
        let mut stream = RandomStream::new(2026, at as u64);
        for copy in 0..COPIES {
            let bytes = damaged(&sample, &mut stream);
            let outcome = std::panic::catch_unwind(|| read(&bytes));
            assert!(
                outcome.is_ok(),
                "{name}, damaged copy {copy}: the reader panicked"
            );
            if let (Some(before), Some(now)) = (before, highest_kib().filter(|_| copy % 20 == 0)) {
                let grown = now.saturating_sub(before);
                assert!(
                    grown < LARGEST_GROWTH_KIB,
                    "{name}, damaged copy {copy}: {grown} KiB"
                );
            }
        }
        formats += 1;
    }
    assert_eq!(formats, 26);
}
