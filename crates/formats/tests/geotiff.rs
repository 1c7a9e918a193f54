//! GeoTIFF against itself in every packing, and against damage.

use lahar_core::grid::Tile;
use lahar_core::{Affine, Crs, Grid};
use lahar_formats::geotiff::{
    Packing, SampleType, WriteOptions, read, read_part_from, write, write_about, write_to,
};
use proptest::prelude::*;

fn grid(rows: usize, columns: usize) -> Grid {
    let values = (0..rows * columns)
        .map(|i| {
            if i % 7 == 3 {
                f64::NAN
            } else {
                ((i * 37) % 200) as f64
            }
        })
        .collect();
    let transform = Affine::north_up(500_000.0, 4_000_000.0, 10.0, 10.0);
    Grid::new(values, rows, columns, transform, Crs::Epsg(32611)).unwrap()
}

fn same(a: &Grid, b: &Grid) -> bool {
    let pairs = a.values().iter().zip(b.values());
    a.check_aligned(b).is_ok()
        && pairs
            .into_iter()
            .all(|(a, b)| a == b || a.is_nan() && b.is_nan())
}

const SAMPLES: [SampleType; 5] = [
    SampleType::U8,
    SampleType::I16,
    SampleType::I32,
    SampleType::F32,
    SampleType::F64,
];
const PACKINGS: [Packing; 4] = [
    Packing::None,
    Packing::Deflate,
    Packing::DeflatePredicted,
    Packing::LzwPredicted,
];

#[test]
fn a_part_of_a_file_is_that_part_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.tif");
    let whole = grid(45, 70);
    for packing in PACKINGS {
        for tile in [None, Some(16), Some(64)] {
            let options = WriteOptions {
                samples: SampleType::F32,
                packing,
                tile,
                no_data: Some(-9999.0),
                cloud_optimised: false,
            };
            write_to(&whole, &options, &path).unwrap();
            for part in Tile::cover(45, 70, 23) {
                let read = read_part_from(&path, part).unwrap().bands.remove(0);
                assert!(
                    same(&read, &whole.part(part).unwrap()),
                    "{packing:?} {tile:?} {part:?}"
                );
            }
            let outside = Tile {
                row: 40,
                column: 0,
                rows: 6,
                columns: 1,
            };
            let error = read_part_from(&path, outside).unwrap_err().to_string();
            assert!(error.contains("45 rows of 70"), "{error}");
        }
    }
}

#[test]
fn every_kind_of_file_comes_back_with_its_place_and_no_data() {
    for samples in SAMPLES {
        for packing in PACKINGS {
            for tile in [None, Some(16), Some(64)] {
                let grid = grid(45, 70);
                let no_data = Some(if samples == SampleType::U8 {
                    255.0
                } else {
                    -9999.0
                });
                let options = WriteOptions {
                    samples,
                    packing,
                    tile,
                    no_data,
                    cloud_optimised: false,
                };
                let raster = read(write(&grid, &options).unwrap()).unwrap();
                assert_eq!(raster.bands.len(), 1);
                assert!(same(&raster.bands[0], &grid), "{options:?}");
                assert_eq!(raster.no_data, no_data);
            }
        }
    }
}

#[test]
fn a_cloud_optimised_file_is_read_at_full_resolution() {
    let grid = grid(700, 600);
    let options = WriteOptions {
        cloud_optimised: true,
        ..WriteOptions::default()
    };
    let raster = read(write(&grid, &options).unwrap()).unwrap();
    assert!(same(&raster.bands[0], &grid));
}

#[test]
fn whole_numbers_never_lose_what_they_cannot_hold() {
    let mut options = WriteOptions {
        samples: SampleType::I16,
        ..WriteOptions::default()
    };
    let message = write(&grid(4, 4), &options).unwrap_err().to_string();
    assert!(message.contains("no-data"), "{message}");
    options.no_data = Some(-1.0);
    let half = grid(4, 4).map(|v| v / 2.0 + 0.25);
    assert!(write(&half, &options).is_err());
    let large = grid(4, 4).map(|v| v * 1e6);
    assert!(write(&large, &options).is_err());
    let beyond = WriteOptions {
        no_data: None,
        ..WriteOptions::default()
    };
    assert!(write(&grid(4, 4).map(|v| v * 1e300), &beyond).is_err());
    let clash = grid(4, 4).map(|_| -1.0);
    assert!(
        write(&clash, &options)
            .unwrap_err()
            .to_string()
            .contains("stands for no data")
    );
}

/// Changes the value of a tag in the first directory of a little-endian classic file.
fn patch(bytes: &mut [u8], tag: u16, value: u32) -> bool {
    let at = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    let count = u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()) as usize;
    for entry in (0..count).map(|i| at + 2 + 12 * i) {
        if u16::from_le_bytes(bytes[entry..entry + 2].try_into().unwrap()) == tag {
            let short = u16::from_le_bytes(bytes[entry + 2..entry + 4].try_into().unwrap()) == 3;
            let size = if short { 2 } else { 4 };
            bytes[entry + 8..entry + 8 + size].copy_from_slice(&value.to_le_bytes()[..size]);
            return true;
        }
    }
    false
}

#[test]
fn a_wrong_predictor_and_absurd_sizes_are_errors() {
    let options = WriteOptions {
        no_data: Some(-9999.0),
        ..WriteOptions::default()
    };
    let good = write(&grid(40, 40), &options).unwrap();
    for (tag, value) in [
        (317, 7),
        (256, 4_000_000_000),
        (257, 4_000_000_000),
        (258, 13),
        (339, 9),
    ] {
        let mut bad = good.clone();
        assert!(patch(&mut bad, tag, value), "tag {tag}");
        assert!(read(bad).is_err(), "tag {tag} = {value}");
    }
    for end in [0, 3, 8, 40, good.len() / 2] {
        assert!(read(good[..end].to_vec()).is_err(), "cut at {end}");
    }
    assert!(read(b"not a tiff at all".to_vec()).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_changed_byte_never_makes_the_reader_panic(at in 0usize..4000, value in any::<u8>()) {
        let options = WriteOptions { no_data: Some(-9999.0), tile: Some(16), ..WriteOptions::default() };
        let mut bytes = write(&grid(20, 20), &options).unwrap();
        let at = at % bytes.len();
        bytes[at] = value;
        let _ = read(bytes);
    }
}

#[test]
fn texts_about_a_grid_stand_in_its_file_and_change_no_cell() {
    let place = Affine::north_up(0.0, 20.0, 10.0, 10.0);
    let grid = Grid::new(vec![1.0, 2.0, 3.0, 4.0], 2, 2, place, Crs::Epsg(32613)).unwrap();
    let options = WriteOptions::default();
    let about = [("unit", "m3"), ("source", "<b> & \"c\"\u{0}")];
    let bytes = write_about(&grid, &options, &about).unwrap();
    let raster = read(bytes.clone()).unwrap();
    assert_eq!(raster.bands[0].values(), grid.values());
    let text = String::from_utf8_lossy(&bytes);
    let expected = "<GDALMetadata><Item name=\"unit\">m3</Item><Item name=\"source\">&lt;b&gt; &amp; \
                    &quot;c&quot;\u{fffd}</Item></GDALMetadata>";
    assert!(text.contains(expected));
    let cloud = WriteOptions {
        cloud_optimised: true,
        ..options
    };
    assert!(write_about(&grid, &cloud, &about).is_err());
}
