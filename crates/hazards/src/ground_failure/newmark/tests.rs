use proptest::prelude::*;

use super::*;

#[test]
fn a_block_that_shaking_never_moves_stays() {
    let still = AccelerationRatio::new(Acceleration::g(0.3), Acceleration::g(0.2)).unwrap();
    assert_eq!(jibson_2007(still).median.si(), 0.0);
    assert_eq!(jibson_2007_magnitude(still, 7.0).unwrap().median.si(), 0.0);
    assert_eq!(ambraseys_menu_1988(still).median.si(), 0.0);
}

#[test]
fn a_slope_over_ninety_degrees_is_refused() {
    let message = critical_acceleration(Ratio::fraction(1.2), Angle::degrees(95.0))
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("`slope` is 95 deg") && message.contains("90 deg"),
        "{message}"
    );
    assert!(AccelerationRatio::new(Acceleration::g(0.1), Acceleration::g(0.0)).is_err());
}

proptest! {
    #[test]
    fn stronger_shaking_moves_slopes_further(
        critical in 0.02..0.4f64, peak in 0.05..1.0f64, factor in 1.0..2.0f64,
        magnitude in 5.3..7.6f64,
    ) {
        let ratio = |peak: f64| {
            AccelerationRatio::new(Acceleration::g(critical), Acceleration::g(peak)).unwrap()
        };
        let (here, more) = (ratio(peak), ratio(peak * factor));
        prop_assert!(jibson_2007(more).median >= jibson_2007(here).median);
        let with = |r| jibson_2007_magnitude(r, magnitude).unwrap().median;
        prop_assert!(with(more) >= with(here));
        let share = |r| failure_share(jibson_2007(r).median).unwrap().si();
        prop_assert!(share(more) >= share(here) && (0.0..=0.335).contains(&share(more)));
    }
}
