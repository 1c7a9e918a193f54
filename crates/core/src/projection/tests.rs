use proptest::prelude::*;

use super::*;

fn forward(code: u32, longitude: f64, latitude: f64) -> (f64, f64) {
    System::of(&Crs::Epsg(code))
        .unwrap()
        .forward(longitude, latitude)
        .unwrap()
}

#[test]
fn published_points_come_out() {
    // EPSG guidance note 7-2, method 9820.
    let (x, y) = forward(3035, 5.0, 50.0);
    assert!(
        (x - 3_962_799.45).abs() < 0.01 && (y - 2_999_718.85).abs() < 0.01,
        "{x} {y}"
    );
    // Snyder 1987, page 292, on the Clarke ellipsoid of 1866.
    let albers = System {
        method: Method::Albers {
            ellipsoid: Ellipsoid {
                semi_major: 6_378_206.4,
                flattening: 1.0 / 294.978_698_2,
            },
            central: -96.0,
            origin: 23.0,
            parallels: [29.5, 45.5],
        },
        datum: Datum::Nad83,
    };
    let (x, y) = albers.forward(-75.0, 35.0).unwrap();
    assert!(
        (x - 1_885_472.7).abs() < 0.1 && (y - 1_535_925.0).abs() < 0.1,
        "{x} {y}"
    );
    // EPSG guidance note 7-2, method 1024.
    let (x, y) = forward(3857, -100.333_333_333_333, 24.381_786_944_444);
    assert!(
        (x + 11_169_055.58).abs() < 0.01 && (y - 2_800_000.0).abs() < 0.01,
        "{x} {y}"
    );
    // The edge of a zone on the equator.
    let (x, y) = forward(32631, 6.0, 0.0);
    assert!((x - 833_978.557).abs() < 1e-3 && y.abs() < 1e-6, "{x} {y}");
}

#[test]
fn points_come_out_as_from_proj() {
    // PROJ 9.5.1 through pyproj 3.7.2, `always_xy=True`.
    for (code, longitude, latitude, expected) in [
        (
            5070,
            -100.0,
            40.0,
            (-338_390.587_550_866_8, 1_894_100.140_042_564_4),
        ),
        (
            32613,
            -105.5,
            40.1,
            (457_382.380_869_168_4, 4_438_976.115_992_184),
        ),
        (
            3035,
            5.0,
            50.0,
            (3_962_799.450_955_067_8, 2_999_718.853_159_563),
        ),
    ] {
        let (x, y) = forward(code, longitude, latitude);
        let apart = (x - expected.0).hypot(y - expected.1);
        assert!(apart < 1e-6, "EPSG:{code}: {apart} m");
    }
}

#[test]
fn what_is_not_on_the_list_or_of_another_datum_is_refused() {
    assert!(matches!(
        System::of(&Crs::Epsg(27700)),
        Err(ProjectionError::UnknownSystem(_))
    ));
    assert!(matches!(
        System::of(&Crs::Unknown),
        Err(ProjectionError::UnknownSystem(_))
    ));
    let error = transform(&Crs::WGS84, &Crs::Epsg(5070), -100.0, 40.0).unwrap_err();
    assert!(matches!(error, ProjectionError::MixedDatum(..)), "{error}");
    assert_eq!(utm_zone(-105.5, 40.1), Crs::Epsg(32613));
    assert_eq!(utm_zone(180.0, -10.0), Crs::Epsg(32701));
}

proptest! {
    #[test]
    fn there_and_back_is_the_same_place(
        pick in 0usize..6, away in -3.0..3.0f64, latitude in -60.0..70.0f64,
    ) {
        let (code, central) =
            [(32611, -117.0), (32733, 15.0), (26913, -105.0), (5070, -96.0), (3035, 10.0), (3857, 0.0)][pick];
        let latitude = if matches!(code, 5070 | 3035) { latitude.abs() + 1.0 } else { latitude };
        let system = System::of(&Crs::Epsg(code)).unwrap();
        let (x, y) = system.forward(central + away, latitude).unwrap();
        let (longitude, back) = system.inverse(x, y).unwrap();
        prop_assert!((longitude - central - away).abs() < 1e-9, "{code} {longitude}");
        prop_assert!((back - latitude).abs() < 1e-9, "{code} {back} {latitude}");
    }
}
