//! Every published name against numbers worked out by hand from the printed equations.
//!
//! Arguments are chosen so that the equation collapses to a few terms that can be added on paper;
//! `oracles.rs` compares the same kernels with other programs on arbitrary arguments.

use lahar_core::measure::{
    Acceleration, Angle, Area, Density, Length, Pressure, Ratio, Span, Speed, Volume,
};
use lahar_hazards::ground_failure::hazus::{self, Susceptibility};
use lahar_hazards::ground_failure::newmark::{self, AccelerationRatio, FotopoulouPitilakis};
use lahar_hazards::ground_failure::nowicki_jessee_2018::{
    self as jessee, LandCover, Lithology, ShakenGround, Variant,
};
use lahar_hazards::ground_failure::zhu::{self, CoastalGround, WetGround};
use lahar_hazards::ground_failure::{
    godt_2008, liquefaction_potential, nowicki_2014, rigid_sliding_block,
};
use lahar_hazards::heatwave::rothfusz_1990::{COOLEST, heat_index};
use lahar_hazards::postfire_debris_flow::burn_severity::{self, BandPair, Severity};
use lahar_hazards::postfire_debris_flow::staley_2017::{self, BurnedBasin, Model, RainDuration};
use lahar_hazards::postfire_debris_flow::{
    cannon_2010, gartner_2014, griswold_iverson_2008, survey_2010,
};

#[track_caller]
fn close(found: f64, expected: f64) {
    let far = (found - expected).abs() > 1e-9 * expected.abs().max(1e-12);
    assert!(!far, "{found} is not {expected}");
}

fn logit(p: f64) -> f64 {
    (p / (1.0 - p)).ln()
}

/// With T = F = S = 1 and 1 mm of rain the logit is the sum of the four coefficients.
fn staley_sums(model: Model, sums: [f64; 3]) {
    let ones = BurnedBasin {
        terrain: 1.0,
        fire: 1.0,
        soil: 1.0,
    };
    for (duration, sum) in RainDuration::ALL.into_iter().zip(sums) {
        let one = Length::millimetres(1.0);
        let p = staley_2017::likelihood(model, duration, &ones, one).unwrap();
        close(logit(p.si()), sum);
        let back = staley_2017::threshold(model, duration, &ones, p).unwrap();
        close(back.to_millimetres(), 1.0);
    }
}

#[test]
fn reproduces_staley_2017_m1() {
    staley_sums(Model::M1, [-1.85, -2.46, -2.62]);
    // The Geological Survey's page: x = -3.63 + 0.41 X1R + 0.67 X2R + 0.7 X3R.
    let basin = BurnedBasin {
        terrain: 0.0,
        fire: 0.0,
        soil: 0.25,
    };
    let rain = Length::millimetres(20.0);
    let p = staley_2017::likelihood(Model::M1, RainDuration::Minutes15, &basin, rain);
    close(logit(p.unwrap().si()), -0.13);
}

#[test]
fn reproduces_staley_2017_m2() {
    staley_sums(Model::M2, [-1.65, -2.32, -2.54]);
}

#[test]
fn reproduces_staley_2017_m3() {
    staley_sums(Model::M3, [-2.59, -3.03, -3.04]);
}

#[test]
fn reproduces_staley_2017_m4() {
    staley_sums(Model::M4, [-2.00, -2.59, -2.73]);
}

#[test]
fn reproduces_gartner_2014_emergency() {
    let volume = gartner_2014::emergency(
        Speed::millimetres_per_hour(36.0),
        Area::square_kilometres(std::f64::consts::E),
        Length::metres(100.0),
    )
    .unwrap();
    // 4.22 + 0.39 · 6 + 0.36 · 1 + 0.13 · 10.
    close(volume.median.si().ln(), 8.22);
    // The printed interval has 1.96 standard errors of 1.04.
    assert!((volume.upper.si().ln() - (8.22 + 1.96 * 1.04)).abs() < 1e-4);
    assert!((volume.lower.si().ln() - (8.22 - 1.96 * 1.04)).abs() < 1e-4);
}

#[test]
fn reproduces_gartner_2014_long_term() {
    let e = std::f64::consts::E;
    let basin = gartner_2014::RecoveringBasin {
        burned_area: Area::square_kilometres(e),
        time_since_fire: Span::months(e),
        area: Area::square_kilometres(e),
        relief: Length::metres(100.0),
    };
    let volume = gartner_2014::long_term(Speed::millimetres_per_hour(e), &basin).unwrap();
    // 6.07 + 0.71 + 0.22 - 0.24 + 0.49 + 0.03 · 10.
    close(volume.median.si().ln(), 7.55);
    assert!((volume.upper.si().ln() - (7.55 + 1.96 * 1.25)).abs() < 1e-4);
}

#[test]
fn reproduces_cannon_2010_classes() {
    let class = |p: f64, v: f64| {
        cannon_2010::combined(Ratio::fraction(p), Volume::cubic_metres(v))
            .unwrap()
            .word()
    };
    // Ranks 1+1, 1+2, 2+2, 3+3, 4+3, 4+4 and the limits between classes.
    assert_eq!(class(0.1, 500.0), "low");
    assert_eq!(class(0.1, 5e3), "low");
    assert_eq!(class(0.3, 5e3), "moderate");
    assert_eq!(class(0.6, 5e4), "moderate");
    assert_eq!(class(0.9, 5e4), "high");
    assert_eq!(class(0.9, 5e5), "high");
}

#[test]
fn reproduces_cannon_2010_intermountain() {
    let basin = survey_2010::IntermountainBasin {
        steep_share: Ratio::percent(100.0),
        ruggedness: Ratio::fraction(1.0),
        burned_share: Ratio::percent(100.0),
        clay_content: Ratio::percent(10.0),
        liquid_limit: Ratio::percent(20.0),
    };
    let rain = Speed::millimetres_per_hour(20.0);
    let p = survey_2010::intermountain_likelihood(&basin, rain).unwrap();
    // -0.7 + 3 - 1.6 + 6 + 2 - 8 + 1.4.
    close(logit(p.si()), 2.1);
}

#[test]
fn reproduces_gartner_2008_intermountain() {
    let e = Area::square_kilometres(std::f64::consts::E);
    let four = Area::square_kilometres(4.0);
    let volume = survey_2010::intermountain_volume(e, four, Length::millimetres(16.0)).unwrap();
    // 7.5 + 0.6 + 0.7 · 2 + 0.2 · 4.
    close(volume.si().ln(), 10.3);
}

#[test]
fn reproduces_usgs_2020_southern_california() {
    let volume = survey_2010::southern_california_volume(
        Speed::millimetres_per_hour(16.0),
        Area::square_kilometres(std::f64::consts::E),
        Length::metres(900.0),
    )
    .unwrap();
    // 2.89 + 0.17 · 30 + 0.3 + 0.47 · 4.
    close(volume.si().ln(), 10.17);
}

#[test]
fn reproduces_key_benson_2006_classes() {
    let before = BandPair {
        near_infrared: 0.4,
        shortwave_infrared: 0.1,
    };
    let after = BandPair {
        near_infrared: 0.2,
        shortwave_infrared: 0.2,
    };
    close(
        burn_severity::differenced_ratio(before, after).unwrap(),
        600.0,
    );
    use Severity::{High, Low, Moderate, Regrowth, Unburned};
    let classes = [-101.0, 99.0, 100.0, 270.0, 440.0, 659.0, 660.0].map(burn_severity::severity);
    assert_eq!(
        classes,
        [Regrowth, Unburned, Low, Moderate, Moderate, Moderate, High]
    );
}

#[test]
fn reproduces_miller_thode_2007_classes() {
    let before = BandPair {
        near_infrared: 0.5,
        shortwave_infrared: 0.3,
    };
    let after = BandPair {
        near_infrared: 0.2,
        shortwave_infrared: 0.2,
    };
    // NBR 250 before, 0 after: 250 / sqrt(0.25).
    close(burn_severity::relative_ratio(before, after).unwrap(), 500.0);
    use Severity::{High, Low, Moderate, Unburned};
    let classes = [68.9, 69.0, 316.0, 640.9, 641.0].map(burn_severity::relative_severity);
    assert_eq!(classes, [Unburned, Low, Moderate, Moderate, High]);
}

#[test]
fn reproduces_griswold_iverson_2008_coefficients() {
    use griswold_iverson_2008::{FlowKind, inundation};
    let thousand = Volume::cubic_metres(1e3);
    for (kind, cross, plan) in [
        (FlowKind::RockAvalanche, 20.0, 2000.0),
        (FlowKind::DebrisFlow, 10.0, 2000.0),
        (FlowKind::Lahar, 5.0, 20_000.0),
    ] {
        let reach = inundation(kind, thousand).unwrap();
        close(reach.cross_section.si(), cross);
        close(reach.planimetric.si(), plan);
    }
}

#[test]
fn reproduces_jibson_2000_infinite_slope() {
    // 45 degrees: FS = c √2 / (γ t) + tan φ (1 - m γw / γ); γ = 2 γw.
    let slab = newmark::SlidingSlab {
        slope: Angle::degrees(45.0),
        cohesion: Pressure::pascals(9810.0),
        friction_angle: Angle::degrees(45.0),
        saturation: Ratio::fraction(0.5),
        thickness: Length::metres(1.0),
        density: Density::kilograms_per_cubic_metre(2000.0),
    };
    let safety = newmark::infinite_slope(&slab).unwrap();
    close(safety.si(), 0.5 * 2f64.sqrt() + 1.0 - 0.25);
    let critical = newmark::critical_acceleration(safety, slab.slope).unwrap();
    // (FS - 1) sin 45° = 0.5 - 0.25 / √2.
    close(critical.to_g(), 0.5 - 0.25 / 2f64.sqrt());
}

fn half() -> AccelerationRatio {
    AccelerationRatio::new(Acceleration::g(0.5), Acceleration::g(1.0)).unwrap()
}

const LOG_2: f64 = std::f64::consts::LOG10_2;

#[test]
fn reproduces_jibson_2007_equation_6() {
    let d = newmark::jibson_2007(half());
    close(d.median.to_centimetres().log10(), 0.215 - 0.903 * LOG_2);
    close(d.ln_standard_deviation.unwrap(), 0.51 * 10f64.ln());
}

#[test]
fn reproduces_jibson_2007_equation_7() {
    let d = newmark::jibson_2007_magnitude(half(), 7.5).unwrap();
    close(d.median.to_centimetres().log10(), 0.47 - 0.857 * LOG_2);
    close(d.ln_standard_deviation.unwrap(), 0.454 * 10f64.ln());
}

#[test]
fn reproduces_jibson_2007_equation_9() {
    let (ten, tenth) = (Speed::metres_per_second(10.0), Acceleration::g(0.1));
    let d = newmark::jibson_2007_arias(ten, tenth).unwrap();
    close(d.median.to_centimetres().log10(), 2.401 + 3.481 - 3.230);
}

#[test]
fn reproduces_jibson_2007_equation_10() {
    let ten = Speed::metres_per_second(10.0);
    let d = newmark::jibson_2007_arias_ratio(ten, half()).unwrap();
    close(
        d.median.to_centimetres().log10(),
        0.561 + 3.833 * LOG_2 - 1.474,
    );
}

#[test]
fn reproduces_jibson_2000_displacement() {
    let (ten, tenth) = (Speed::metres_per_second(10.0), Acceleration::g(0.1));
    let d = newmark::jibson_2000(ten, tenth).unwrap();
    close(d.median.to_centimetres().log10(), 1.521 + 1.993 - 1.546);
}

#[test]
fn reproduces_jibson_2000_failure_share() {
    let share = |cm: f64| {
        newmark::failure_share(Length::centimetres(cm))
            .unwrap()
            .si()
    };
    // D^1.565 = 1/0.048 where one e-fold has failed.
    let cm = (1.0 / 0.048f64).powf(1.0 / 1.565);
    close(share(cm), 0.335 * (1.0 - (-1.0f64).exp()));
    assert!((share(100.0) - 0.335).abs() < 1e-12);
    assert_eq!(share(0.0), 0.0);
}

#[test]
fn reproduces_ambraseys_menu_1988() {
    let d = newmark::ambraseys_menu_1988(half()).median.to_centimetres();
    close(d.log10(), 0.90 - 1.44 * LOG_2);
}

#[test]
fn reproduces_rathje_saygili_2009() {
    // Powers of one half: -2.425 - 4.91 + 5.31125 - 1.81625.
    let d = newmark::rathje_saygili_2009(half(), 7.0).unwrap();
    close(d.median.to_centimetres().ln(), 4.89 - 3.84 + 0.89);
    close(d.ln_standard_deviation.unwrap(), 0.732 + 0.3945 - 0.13475);
}

#[test]
fn reproduces_saygili_rathje_2008() {
    // Powers of one half: -2.29 - 5.21 + 5.59375 - 1.90625.
    let e = Speed::centimetres_per_second(std::f64::consts::E);
    let d = newmark::saygili_rathje_2008(half(), e).unwrap();
    close(d.median.to_centimetres().ln(), -1.56 - 3.8125 + 1.55);
    close(d.ln_standard_deviation.unwrap(), 0.405 + 0.262);
}

#[test]
fn reproduces_bray_travasarou_2007() {
    let inverse_e = Acceleration::g((-1.0f64).exp());
    let d = newmark::bray_travasarou_2007(inverse_e, inverse_e, 8.0).unwrap();
    // -0.22 + 2.83 - 0.333 + 0.566 - 3.04 - 0.244 + 0.278.
    close(d.median.to_centimetres().ln(), -0.163);
}

fn fotopoulou(equation: FotopoulouPitilakis) -> f64 {
    newmark::fotopoulou_pitilakis_2015(equation)
        .unwrap()
        .median
        .to_metres()
        .ln()
}

#[test]
fn reproduces_fotopoulou_pitilakis_2015_equation_8() {
    let found = fotopoulou(FotopoulouPitilakis::A {
        velocity: Speed::centimetres_per_second(std::f64::consts::E),
        critical: Acceleration::g(0.1),
        magnitude: 7.0,
    });
    close(found, -9.891 + 1.873 - 0.5964 + 1.995);
}

#[test]
fn reproduces_fotopoulou_pitilakis_2015_equation_9() {
    let found = fotopoulou(FotopoulouPitilakis::B {
        peak: Acceleration::g(1.0),
        critical: Acceleration::g(0.1),
        magnitude: 7.0,
    });
    close(found, -2.965 - 0.6583 + 3.745);
}

#[test]
fn reproduces_fotopoulou_pitilakis_2015_equation_10() {
    let found = fotopoulou(FotopoulouPitilakis::C {
        ratio: half(),
        critical: Acceleration::g(0.1),
        magnitude: 7.0,
    });
    close(found, -10.246 + 2.165 * 2f64.ln() + 0.7844 + 4.578);
}

#[test]
fn reproduces_fotopoulou_pitilakis_2015_equation_12() {
    let found = fotopoulou(FotopoulouPitilakis::D {
        velocity: Speed::centimetres_per_second(std::f64::consts::E),
        ratio: half(),
        critical: Acceleration::g(0.1),
    });
    close(found, -8.360 + 1.873 + 0.347 * 2f64.ln() - 0.5964);
}

#[test]
fn reproduces_newmark_1965_pulse() {
    // A rectangular pulse a = 0.4 g of length T over ac = 0.1 g: the block gains (a - ac) g T and
    // stops after a total of T a / ac, so x = (a - ac) a g T² / (2 ac).
    let (a, ac, t, step) = (0.4, 0.1, 0.5, 1e-4);
    let samples = (t / step) as usize;
    let mut record = vec![a; samples + 1];
    record.resize(6 * samples, 0.0);
    let x = rigid_sliding_block::displacement(&record, Span::seconds(step), Acceleration::g(ac));
    let expected = (a - ac) * a * 9.806_65 * t * t / (2.0 * ac);
    assert!((x.unwrap().si() / expected - 1.0).abs() < 5e-4);
}

fn shaken(lithology: &str, land_cover: &str) -> ShakenGround {
    ShakenGround {
        peak_velocity: Speed::centimetres_per_second(std::f64::consts::E),
        peak_acceleration: Some(Acceleration::g(0.2)),
        slope: Angle::degrees(10.0),
        lithology: Lithology::parse(lithology).unwrap(),
        land_cover: LandCover::parse(land_cover).unwrap(),
        topographic_index: 10.0,
    }
}

#[test]
fn reproduces_nowicki_jessee_2018_published() {
    // -6.30 + 1.65 + 0.6 + lithology + land cover + 0.3 + 0.1.
    for (lithology, coefficient) in [
        ("mt", -1.87),
        ("nd", -0.66),
        ("pa", -0.78),
        ("pb", -1.88),
        ("pi", -1.61),
        ("py", -1.05),
        ("sc", -0.95),
        ("sm", -1.36),
        ("ss", -1.92),
        ("su", -3.22),
        ("va", -1.54),
        ("vb", -1.50),
        ("vi", -0.81),
    ] {
        let found = jessee::estimate(&shaken(lithology, "100"), Variant::Published).unwrap();
        close(logit(found.probability.si()), -3.65 + coefficient + 1.50);
    }
    for (land_cover, coefficient) in [
        ("14", 0.91),
        ("20", 0.88),
        ("30", 0.78),
        ("40", 0.68),
        ("50", 0.30),
        ("60", 1.77),
        ("70", 1.71),
        ("90", -1.26),
        ("100", 1.50),
        ("110", 0.68),
        ("120", 1.13),
        ("130", 0.79),
        ("140", 1.03),
        ("150", 0.54),
        ("160", 2.34),
        ("180", 1.19),
        ("190", 0.30),
        ("200", -0.06),
        ("220", -0.18),
        ("230", -1.08),
    ] {
        let found = jessee::estimate(&shaken("sc", land_cover), Variant::Published).unwrap();
        close(logit(found.probability.si()), -3.65 - 0.95 + coefficient);
    }
    // -7.592 + 5.237 / 2 - 3.042 / 4 + 4.035 / 8.
    close(jessee::coverage(Ratio::fraction(0.5)).si().ln(), -5.229_625);
}

#[test]
fn reproduces_allstadt_2022_landslides() {
    let published = |ground: &ShakenGround| jessee::estimate(ground, Variant::Published).unwrap();
    let operational =
        |ground: &ShakenGround| jessee::estimate(ground, Variant::Operational).unwrap();
    // Unconsolidated ground counts like mixed sediments.
    let weak = operational(&shaken("su", "30"));
    close(
        weak.probability.si(),
        published(&shaken("sm", "30")).probability.si(),
    );
    // Velocity and index end at their limits.
    let fast = ShakenGround {
        peak_velocity: Speed::centimetres_per_second(300.0),
        topographic_index: 25.0,
        ..shaken("sm", "30")
    };
    let limited = ShakenGround {
        peak_velocity: Speed::centimetres_per_second(211.0),
        topographic_index: 19.0,
        ..fast
    };
    close(
        operational(&fast).probability.si(),
        published(&limited).probability.si(),
    );
    let still = ShakenGround {
        peak_acceleration: Some(Acceleration::g(0.019)),
        ..fast
    };
    assert_eq!(operational(&still).coverage.si(), 0.0);
}

#[test]
fn reproduces_nowicki_2014_closed_form() {
    let p = |g: f64| {
        let (slope, friction) = (Angle::degrees(10.0), Angle::degrees(20.0));
        nowicki_2014::probability(Acceleration::g(g), slope, friction, 5.0)
            .unwrap()
            .si()
    };
    // -3.649 + 0.133 + 0.364 - 1.27 - 0.2 + 0.19.
    close(logit(p(0.1)), -4.432);
    assert_eq!(p(1.7), p(3.0));
}

#[test]
fn reproduces_godt_2008_coverage_steps() {
    // Without cohesion a slope fails at rest where it is steeper than its friction angle.
    for (steeper, expected) in [0.0, 0.01, 0.10, 0.30, 0.50, 0.70, 0.90, 0.99]
        .into_iter()
        .enumerate()
    {
        let mut slopes = [10.0; 7];
        slopes[7 - steeper..].fill(40.0);
        let cell = godt_2008::SlopedCell {
            slopes: slopes.map(Angle::degrees),
            cohesion: Pressure::pascals(0.0),
            friction_angle: Angle::degrees(35.0),
            unit_weight: 15_700.0,
            thickness: Length::metres(2.4),
        };
        let weak = Acceleration::g(0.01);
        let share = godt_2008::coverage(&cell, weak, &godt_2008::Limits::default()).unwrap();
        assert_eq!(share.si(), expected);
    }
}

fn wet(velocity: f64) -> WetGround {
    WetGround {
        peak_velocity: Speed::centimetres_per_second(velocity),
        vs30: Speed::metres_per_second(100.0),
        annual_precipitation: Length::millimetres(1000.0),
        distance_to_water: Length::kilometres(1.0),
        water_table_depth: Length::metres(10.0),
    }
}

/// 8.801 - 1.918 ln 100 + 0.5408 - 0.2054 - 0.333.
const WET: f64 = 8.801 - 1.918 * 4.605_170_185_988_092 + 0.002_4;

#[test]
fn reproduces_zhu_2015_general() {
    // Mw^2.56 = 10^2.24 at this magnitude, so that it drops out.
    let magnitude = 10f64.powf(2.24 / 2.56);
    let (one, vs30) = (Acceleration::g(1.0), Speed::metres_per_second(100.0));
    let p = zhu::general_2015(one, magnitude, 2.0, vs30)
        .unwrap()
        .probability
        .si();
    let x = 24.10 + 0.71 - 4.784 * 100f64.ln();
    assert!((p - 1.0 / (1.0 + (-x).exp())).abs() < 1e-12);
}

#[test]
fn reproduces_zhu_2017_general() {
    let velocity = std::f64::consts::E.powi(3);
    let found = zhu::general_2017(&wet(velocity)).unwrap();
    close(logit(found.probability.si()), WET + 3.0 * 0.334);
    // At probability 0: 0.4915 / 43.4².
    let none = zhu::general_coverage(Ratio::fraction(0.0)).si();
    close(none, 0.4915 / (43.4 * 43.4));
}

#[test]
fn reproduces_zhu_2017_coastal() {
    let ground = CoastalGround {
        peak_velocity: Speed::centimetres_per_second(std::f64::consts::E.powi(2)),
        vs30: Speed::metres_per_second(200.0),
        annual_precipitation: Length::millimetres(0.0),
        distance_to_coast: Length::kilometres(4.0),
        distance_to_river: Length::kilometres(10.0),
    };
    let p = zhu::coastal_2017(&ground).unwrap().probability.si();
    // 12.435 + 0.602 - 2.615 ln 200 - 0.0574 + 0.666 - 0.738.
    close(logit(p), 12.9076 - 2.615 * 200f64.ln());
    close(
        zhu::coastal_coverage(Ratio::fraction(0.0)).si(),
        0.4208 / (63.59 * 63.59),
    );
}

#[test]
fn reproduces_rashidian_baise_2020() {
    let rainy = WetGround {
        annual_precipitation: Length::millimetres(2700.0),
        ..wet(20.0)
    };
    let limited = WetGround {
        annual_precipitation: Length::millimetres(1700.0),
        ..wet(20.0)
    };
    let strong = Acceleration::g(0.1);
    let found = zhu::rashidian_baise_2020(&rainy, strong)
        .unwrap()
        .probability
        .si();
    close(found, zhu::general_2017(&limited).unwrap().probability.si());
    let weak = Acceleration::g(0.0999);
    assert_eq!(
        zhu::rashidian_baise_2020(&rainy, weak)
            .unwrap()
            .probability
            .si(),
        0.0
    );
}

#[test]
fn reproduces_allstadt_2022_liquefaction() {
    let strong = Acceleration::g(0.3);
    // At magnitude 6 the factor is one half, at 7 it is 1 / (1 + e^-2).
    close(zhu::magnitude_factor(6.0).unwrap(), 0.5);
    let found = zhu::operational_2022(&wet(40.0), strong, 6.0).unwrap();
    close(logit(found.probability.si()), WET + 0.334 * 20f64.ln());
    let fast = zhu::operational_2022(&wet(400.0), strong, 6.0).unwrap();
    close(logit(fast.probability.si()), WET + 0.334 * 75f64.ln());
    let rainy = WetGround {
        annual_precipitation: Length::millimetres(4000.0),
        ..wet(40.0)
    };
    let found = zhu::operational_2022(&rainy, strong, 6.0).unwrap();
    close(
        logit(found.probability.si()),
        WET + 0.334 * 20f64.ln() + 1500.0 * 5.408e-4,
    );
}

#[test]
fn reproduces_hazus_2010_tables() {
    // Where the straight line of a class reaches 1, the share of the map unit is what is left; at
    // magnitude 7.5 and 5 feet of groundwater the corrections are about 1.
    let correction = (0.0027 * 421.875 - 0.0267 * 56.25 - 0.2055 * 7.5 + 2.9188) * 1.04;
    for (class, share, threshold, inches) in [
        ("vl", 0.02, 0.26, 0.0),
        ("l", 0.05, 0.21, 1.0),
        ("m", 0.10, 0.15, 2.0),
        ("h", 0.20, 0.12, 6.0),
        ("vh", 0.25, 0.09, 12.0),
        ("n", 0.0, 5.0, 0.0),
    ] {
        let class = Susceptibility::parse(class).unwrap();
        let strong = Acceleration::g(2.0);
        let five = Length::feet(5.0);
        let p = hazus::liquefaction_probability(strong, 7.5, class, five)
            .unwrap()
            .si();
        assert!((p - share / correction).abs() < 1e-12);
        close(hazus::settlement(class).si(), inches * 0.0254);
        // Three times the threshold gives 18 · 3 - 24 = 30 inches.
        let spread = hazus::lateral_spread(Acceleration::g(3.0 * threshold), 7.5, class);
        let factor = 0.0086 * 421.875 - 0.0914 * 56.25 + 0.4698 * 7.5 - 0.9835;
        if threshold < 1.0 {
            assert!((spread.unwrap().si() / (30.0 * factor * 0.0254) - 1.0).abs() < 1e-6);
        }
    }
}

#[test]
fn reproduces_iwasaki_1982_weights() {
    let column = [liquefaction_potential::Layer {
        top: Length::metres(0.0),
        bottom: Length::metres(10.0),
        factor_of_safety: 0.5,
    }];
    // Half of ∫ (10 - 0.5 z) dz from 0 to 10 m, which is 75.
    close(liquefaction_potential::index(&column).unwrap(), 37.5);
}

#[test]
fn reproduces_harper_2010_gust_factors() {
    use lahar_hazards::transformation::wind_averaging::{Exposure::*, Period, convert};
    let table = [
        (Period::Hour, [1.75, 1.60, 1.45, f64::NAN]),
        (Period::TenMinutes, [1.66, 1.52, 1.38, 1.23]),
        (Period::ThreeMinutes, [1.58, 1.44, 1.31, 1.17]),
        (Period::TwoMinutes, [1.55, 1.42, 1.28, 1.15]),
        (Period::Minute, [1.49, 1.36, 1.23, 1.11]),
    ];
    for (period, factors) in table {
        for (exposure, factor) in [InLand, OffLand, OffSea, AtSea].into_iter().zip(factors) {
            let mean = Speed::metres_per_second(30.0);
            let gust = convert(mean, period, Period::Gust, exposure);
            if f64::is_nan(factor) {
                assert!(gust.unwrap_err().to_string().contains("not verified"));
                continue;
            }
            let gust = gust.unwrap();
            assert!(
                (gust.si() / mean.si() - factor).abs() < 1e-12,
                "{period:?} {exposure:?}"
            );
            let back = convert(gust, Period::Gust, period, exposure).unwrap();
            assert!((back.si() - mean.si()).abs() < 1e-12);
        }
    }
}

/// The Weather Service's heat index chart, rows of 40 and 50 percent, from 80 °F by twos.
#[test]
fn reproduces_rothfusz_1990_weather_service_chart() {
    let rows: [(f64, &[f64]); 2] = [
        (
            0.40,
            &[
                80.0, 81.0, 83.0, 85.0, 88.0, 91.0, 94.0, 97.0, 101.0, 105.0, 109.0, 114.0, 119.0,
                124.0, 130.0, 136.0,
            ],
        ),
        (
            0.50,
            &[
                81.0, 83.0, 85.0, 88.0, 91.0, 95.0, 99.0, 103.0, 108.0, 113.0, 118.0, 124.0, 131.0,
                137.0,
            ],
        ),
    ];
    for (humidity, row) in rows {
        for (step, chart) in row.iter().enumerate() {
            let temperature = (80.0 + 2.0 * step as f64 - 32.0) / 1.8;
            let index = heat_index(temperature.max(COOLEST), Ratio::fraction(humidity)).unwrap();
            assert_eq!(
                (index * 1.8 + 32.0).round(),
                *chart,
                "{humidity} {temperature}"
            );
        }
    }
    // 79 °F is not on the chart.
    assert!(heat_index(79.0 / 1.8 - 32.0 / 1.8, Ratio::fraction(0.4)).is_err());
}
