//! Uncertain inputs through capabilities.

use std::collections::BTreeMap;

use lahar_hazards::registry;
use lahar_hazards::uncertainty::{Distribution, Sampling, sample};

fn rain() -> BTreeMap<String, Distribution> {
    let rain = Distribution::LogNormal {
        median: "24 mm/h".parse().unwrap(),
        ln_deviation: 0.3,
    };
    BTreeMap::from([("rainfall_intensity".to_owned(), rain)])
}

#[test]
fn samples_have_the_same_bits_for_one_and_two_threads() {
    let inputs = registry::quantities(&[
        ("steep_burned_share", "50 %"),
        ("mean_dnbr", "400 1"),
        ("soil_erodibility", "0.2 fraction"),
        ("burned_area", "0.8 km2"),
        ("relief", "400 m"),
    ])
    .unwrap();
    let chain = registry::find("postfire-hazard-chain").unwrap();
    let run = |threads, seed| {
        sample(
            chain,
            &inputs,
            &rain(),
            &[],
            Sampling {
                samples: 500,
                seed,
                threads,
            },
        )
        .unwrap()
    };
    assert_eq!(run(1, 7), run(2, 7));
    assert_ne!(run(1, 7), run(1, 8));
    let spreads = run(2, 7);
    let shares: f64 = spreads.words["hazard_class"].values().sum();
    assert!((shares - 1.0).abs() < 1e-12 && spreads.rejected == 0);
    let (low, high) = spreads.numbers["likelihood"].interval_95();
    assert!(low < high && (0.0..=1.0).contains(&low) && high <= 1.0);
}

#[test]
fn the_spread_of_a_logarithmic_sum_is_the_root_of_squares() {
    // ln V = ... + 0.71 ln(i60): its standard deviation is 0.71 times that of ln(i60), joined by
    // the model's own 1.25.
    let inputs = registry::quantities(&[
        ("burned_area", "1 km2"),
        ("time_since_fire", "6 month"),
        ("basin_area", "2 km2"),
        ("relief", "400 m"),
    ])
    .unwrap();
    let model = registry::find("gartner-2014-long-term-volume").unwrap();
    let sampling = Sampling {
        samples: 4_000,
        seed: 1,
        threads: 2,
    };
    let scatter = [("volume", "ln_volume_standard_error")];
    for (residuals, expected) in [
        (&[][..], 0.71 * 0.3),
        (&scatter[..], (0.213f64.powi(2) + 1.25f64.powi(2)).sqrt()),
    ] {
        let spreads = sample(model, &inputs, &rain(), residuals, sampling).unwrap();
        let volume = &spreads.numbers["volume"];
        let (low, high) = volume.interval_95();
        let deviation = (high / low).ln() / (2.0 * 1.959_964);
        assert!(
            (deviation / expected - 1.0).abs() < 0.08,
            "{deviation} {expected}"
        );
        assert_eq!(volume.count(), 4_000);
    }
}

#[test]
fn draws_that_cannot_be_are_counted_and_wrong_deviations_refused() {
    let model = registry::find("jibson-2000-failure-share").unwrap();
    let run = |deviation: &str| {
        let uncertain = BTreeMap::from([(
            "displacement".to_owned(),
            Distribution::Normal {
                mean: "2 cm".parse().unwrap(),
                deviation: deviation.parse().unwrap(),
            },
        )]);
        let sampling = Sampling {
            samples: 400,
            ..Sampling::default()
        };
        sample(model, &BTreeMap::new(), &uncertain, &[], sampling)
    };
    let spreads = run("20 mm").unwrap();
    assert!(
        spreads.rejected > 30 && spreads.rejected < 100,
        "{}",
        spreads.rejected
    );
    assert!(run("2 s").is_err());
}
