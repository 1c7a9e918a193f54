//! Writing and reading a GeoTIFF of 16 million cells; `benches/peers/geotiff_rasterio.py` does the
//! same with GDAL.
//!
//! `cargo bench -p lahar-formats --bench geotiff [FOLDER]` leaves the files there, and in `matrix/`
//! small files of every kind it writes, which the same script compares with their formula.

// A program, not the library.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;
use std::time::Instant;

use lahar_core::{Affine, Crs, Grid};
use lahar_formats::geotiff::{Packing, SampleType, WriteOptions, read_from, write_to};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let folder = folder.map_or_else(std::env::temp_dir, PathBuf::from);
    matrix(&folder.join("matrix"))?;
    let side = 4000;
    // A smooth surface with some noise in its last digits, as elevation models have.
    let values = (0..side * side)
        .map(|i| {
            let (row, column) = ((i / side) as f64, (i % side) as f64);
            let smooth = 500.0 * (row / 300.0).sin() * (column / 400.0).cos() + 1500.0;
            f64::from((smooth + ((i * 7919) % 101) as f64 * 0.01) as f32)
        })
        .collect();
    let transform = Affine::north_up(450_000.0, 4_440_000.0, 10.0, 10.0);
    let grid = Grid::new(values, side, side, transform, Crs::Epsg(32613))?;
    for (packing, name) in [
        (Packing::None, "plain"),
        (Packing::DeflatePredicted, "deflate"),
    ] {
        let path = folder.join(format!("lahar-{name}.tif"));
        let options = WriteOptions {
            packing,
            ..WriteOptions::default()
        };
        let (mut writes, mut reads) = (Vec::new(), Vec::new());
        for _ in 0..5 {
            let start = Instant::now();
            write_to(&grid, &options, &path)?;
            writes.push(start.elapsed().as_secs_f64());
            let start = Instant::now();
            let raster = read_from(&path)?;
            reads.push(start.elapsed().as_secs_f64());
            assert_eq!(raster.bands[0].values()[12_345], grid.values()[12_345]);
        }
        let fastest = |list: &[f64]| list.iter().copied().fold(f64::INFINITY, f64::min);
        println!(
            "lahar {name:<8} write {:.3} s, read {:.3} s, {} bytes",
            fastest(&writes),
            fastest(&reads),
            std::fs::metadata(&path)?.len()
        );
    }
    Ok(())
}

/// Files of every kind: cell (row, column) is `(37 row + 11 column) % 200`, and none where
/// `(row + column) % 13` is 5.
fn matrix(folder: &std::path::Path) -> Result<(), Box<dyn std::error::Error>> {
    std::fs::create_dir_all(folder)?;
    let (rows, columns) = (301, 270);
    let cell = |i: usize| match (i / columns + i % columns) % 13 {
        5 => f64::NAN,
        _ => ((37 * (i / columns) + 11 * (i % columns)) % 200) as f64,
    };
    let transform = Affine::north_up(450_000.0, 4_440_000.0, 10.0, 10.0);
    let values = (0..rows * columns).map(cell).collect();
    let grid = Grid::new(values, rows, columns, transform, Crs::Epsg(32613))?;
    for samples in [
        SampleType::U8,
        SampleType::I16,
        SampleType::I32,
        SampleType::F32,
        SampleType::F64,
    ] {
        for packing in [
            Packing::None,
            Packing::Deflate,
            Packing::DeflatePredicted,
            Packing::LzwPredicted,
        ] {
            for (tile, cloud_optimised) in [(None, false), (Some(64), false), (Some(128), true)] {
                let options = WriteOptions {
                    samples,
                    packing,
                    tile,
                    cloud_optimised,
                    no_data: Some(255.0),
                };
                let kind = match (tile, cloud_optimised) {
                    (None, _) => "strips",
                    (_, false) => "tiles",
                    _ => "cog",
                };
                let name = format!("{samples:?}-{packing:?}-{kind}.tif");
                write_to(&grid, &options, &folder.join(name))?;
            }
        }
    }
    Ok(())
}
