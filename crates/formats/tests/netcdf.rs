//! NetCDF as the C library writes it: `fixtures/netcdf/make.py` has the formula of the cells.

use std::path::Path;

use lahar_core::Crs;
use lahar_formats::netcdf::File;
use proptest::prelude::*;

const KINDS: [&str; 4] = [
    "netcdf3_classic",
    "netcdf3_64bit_offset",
    "netcdf4",
    "netcdf4_classic",
];

fn bytes(kind: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/netcdf");
    std::fs::read(folder.join(format!("{kind}.nc"))).unwrap()
}

fn expected(step: usize, row: usize, column: usize) -> f64 {
    match (row + column + step) % 6 {
        2 => f64::NAN,
        _ => step as f64 * 5.0 + row as f64 + column as f64 * 0.25,
    }
}

#[test]
fn packed_and_masked_values_are_those_of_the_c_library() {
    for kind in KINDS {
        let file = File::open(&bytes(kind)).unwrap();
        let rain = file.read("rain").unwrap();
        let lengths: Vec<usize> = rain.dimensions.iter().map(|d| d.1).collect();
        assert_eq!(lengths, [3, 4, 5], "{kind}");
        assert_eq!(rain.unit.unwrap().symbol(), "mm/h", "{kind}");
        for (at, value) in rain.values.iter().enumerate() {
            let expected = expected(at / 20, at / 5 % 4, at % 5);
            assert!(
                *value == expected || value.is_nan() && expected.is_nan(),
                "{kind} {at}"
            );
        }
        let times: Vec<String> = file
            .read_times("time")
            .unwrap()
            .iter()
            .map(|time| time.to_string())
            .collect();
        // 720 hours are a month of this calendar, and February has 30 days.
        let expected = [
            "2018-01-08T00:00:00Z",
            "2018-02-08T00:00:00Z",
            "2018-02-30T12:00:00Z",
        ];
        assert_eq!(times, expected, "{kind}");
    }
}

#[test]
fn a_layer_becomes_a_grid_with_north_up() {
    for kind in KINDS {
        let file = File::open(&bytes(kind)).unwrap();
        let grid = file.read_grid("rain", &[1]).unwrap();
        assert_eq!(grid.crs, Crs::WGS84);
        assert_eq!(grid.centre(0, 0), (-120.0, 35.5));
        assert_eq!(
            grid.get(0, 2),
            Some(expected(1, 3, 2)).filter(|v| !v.is_nan())
        );
        assert_eq!(grid.get(3, 4), Some(expected(1, 0, 4)));
        for (indices, part) in [(&[7][..], "3 places"), (&[][..], "first dimensions")] {
            let message = file.read_grid("rain", indices).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
        assert!(file.read("snow").unwrap_err().to_string().contains("rain"));
    }
}

#[test]
fn a_file_that_is_cut_short_is_an_error() {
    for kind in KINDS {
        let whole = bytes(kind);
        for end in [0, 4, 20, whole.len() / 3, whole.len() / 2] {
            let result = File::open(&whole[..end]).and_then(|file| file.read("rain"));
            assert!(result.is_err(), "{kind} cut at {end}");
        }
    }
    assert!(File::open(b"CDF\x01\xff\xff\xff\xff\xff\xff\xff\xff").is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_changed_byte_never_makes_the_reader_panic(
        pick in 0usize..4, at in 0usize..8000, value in any::<u8>(),
    ) {
        let mut damaged = bytes(KINDS[pick]);
        let at = at % damaged.len();
        damaged[at] = value;
        if let Ok(file) = File::open(&damaged) {
            let _ = file.read("rain");
            let _ = file.read_times("time");
        }
    }
}
