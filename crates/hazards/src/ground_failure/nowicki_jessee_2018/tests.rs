use proptest::prelude::*;

use super::*;

fn ground(velocity: f64, slope: f64) -> ShakenGround {
    ShakenGround {
        peak_velocity: Speed::centimetres_per_second(velocity),
        peak_acceleration: Some(Acceleration::g(0.3)),
        slope: Angle::degrees(slope),
        lithology: Lithology::parse("su").unwrap(),
        land_cover: LandCover::parse("140").unwrap(),
        topographic_index: 8.0,
    }
}

#[test]
fn a_code_without_a_coefficient_is_refused() {
    let message = LandCover::parse("210").unwrap_err().to_string();
    assert!(
        message.contains("`land_cover` is `210`") && message.contains("140"),
        "{message}"
    );
    assert_eq!(Lithology::CODES.len(), Lithology::MEANINGS.len());
    assert_eq!(UNCONSOLIDATED.code(), "su");
}

#[test]
fn the_operational_form_differs_where_it_says() {
    let steep = ground(30.0, 20.0);
    let published = estimate(&steep, Variant::Published).unwrap();
    let operational = estimate(&steep, Variant::Operational).unwrap();
    assert!(operational.probability > published.probability);
    let flat = estimate(&ground(30.0, 1.0), Variant::Operational).unwrap();
    assert_eq!(flat.coverage.si(), 0.0);
    let unknown = ShakenGround {
        peak_acceleration: None,
        ..steep
    };
    assert!(estimate(&unknown, Variant::Operational).is_err());
    let overhanging = ShakenGround {
        slope: Angle::degrees(91.0),
        ..steep
    };
    assert!(estimate(&overhanging, Variant::Published).is_err());
}

#[test]
fn the_carried_deviation_matches_small_changes() {
    let (slope, sigma) = (25.0, 1e-6);
    let at = |v: f64| estimate(&ground(v, slope), Variant::Published).unwrap();
    let here = at(20.0);
    let change = at(20.0 * f64::exp(sigma)).coverage.si() - here.coverage.si();
    let carried = coverage_deviation(here.probability, Angle::degrees(slope), sigma, 0.0);
    assert!((change / carried - 1.0).abs() < 1e-4, "{change} {carried}");
}

proptest! {
    #[test]
    fn cells_give_what_places_give_with_the_same_bits_for_every_thread(
        velocities in prop::collection::vec(-0.1..2.0f64, 1..40), operational in any::<bool>(),
    ) {
        let variant = if operational { Variant::Operational } else { Variant::Published };
        let n = velocities.len();
        let slope: Vec<f64> = (0..n).map(|i| (i as f64 * 0.05).min(1.5)).collect();
        let acceleration: Vec<f64> = velocities.iter().map(|v| (v * 0.5).max(0.0)).collect();
        let (rock, cover) = (Lithology::parse("su").unwrap(), LandCover::parse("140").unwrap());
        let cells = ShakenCells {
            peak_velocity: &velocities,
            peak_acceleration: Some(&acceleration),
            slope: &slope,
            lithology: &vec![rock; n],
            land_cover: &vec![cover; n],
            topographic_index: &vec![8.0; n],
        };
        let run = |threads| {
            let (mut p, mut c) = (vec![0.0; n], vec![0.0; n]);
            estimate_cells(&cells, variant, threads, &mut p, &mut c).unwrap();
            p.into_iter().chain(c).map(f64::to_bits).collect::<Vec<u64>>()
        };
        let one = run(1);
        prop_assert_eq!(&one, &run(2));
        prop_assert_eq!(&one, &run(7));
        for i in 0..n {
            let ground = ShakenGround {
                peak_velocity: Speed::metres_per_second(velocities[i]),
                peak_acceleration: Some(Acceleration::from_si(acceleration[i])),
                slope: Angle::radians(slope[i]),
                lithology: rock,
                land_cover: cover,
                topographic_index: 8.0,
            };
            let cell = f64::from_bits(one[i]);
            match estimate(&ground, variant) {
                Ok(place) => prop_assert!((cell - place.probability.si()).abs() < 1e-12),
                Err(_) => prop_assert!(cell.is_nan()),
            }
        }
    }

    #[test]
    fn stronger_shaking_makes_more_landslides(
        velocity in 0.1..200.0f64, slope in 0.0..60.0f64, factor in 1.0..3.0f64,
        operational in any::<bool>(),
    ) {
        let variant = if operational { Variant::Operational } else { Variant::Published };
        let at = |v: f64| estimate(&ground(v, slope), variant).unwrap();
        let (here, more) = (at(velocity), at(velocity * factor));
        prop_assert!(more.probability >= here.probability);
        prop_assert!(more.coverage >= here.coverage);
        prop_assert!((0.0..=1.0).contains(&more.coverage.si()));
    }
}
