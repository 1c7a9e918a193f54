//! Ground failure against OpenQuake's secondary perils and pyslammer.
//!
//! Where a peer follows a convention of its own, the convention is applied here, by name, and not
//! in the kernel.

use serde_json::Value;

use lahar_core::measure::{Acceleration, Angle, Density, Length, Pressure, Ratio, Span, Speed};
use lahar_hazards::HazardError;
use lahar_hazards::ground_failure::hazus::{self, Susceptibility};
use lahar_hazards::ground_failure::newmark::{
    self, AccelerationRatio, FotopoulouPitilakis, SlidingSlab,
};
use lahar_hazards::ground_failure::nowicki_jessee_2018::{
    self, LandCover, Lithology, ShakenGround, Variant,
};
use lahar_hazards::ground_failure::rigid_sliding_block;
use lahar_hazards::ground_failure::zhu::{self, CoastalGround, LiquefactionEstimate, WetGround};

use crate::{Case, Check, Differences, compare};

pub const KINDS: &[(&str, Check)] = &[
    ("rigid_sliding_block", sliding_block),
    ("nowicki_jessee_2018", landslides),
    ("liquefaction_zhu", liquefaction),
    ("newmark_displacement", newmark_displacement),
    ("jibson2000_probability", failure_share),
    ("hazus_liquefaction", hazus_liquefaction),
];

const TOLERANCE: f64 = 1e-9;
/// The peer writes 1e-100 instead of zero before its last factors.
const PEERS_ZERO: f64 = 1e-90;
/// The peer keeps a ratio of accelerations between this and 1.
const PEERS_LOWEST_RATIO: f64 = 0.05;
/// The peer keeps a critical acceleration at or above this, in g.
const PEERS_LOWEST_CRITICAL: f64 = 1e-4;
/// The peer rounds a metre to this many feet.
const PEERS_FEET: f64 = 3.28084;

fn text(error: HazardError) -> String {
    error.to_string()
}

fn sliding_block(case: &Value) -> Result<Differences, String> {
    let case = Case(case);
    let record = case.numbers("accel_g")?;
    let step = Span::seconds(case.number("dt")?);
    let critical = Acceleration::g(case.number("ky_g")?);
    let mut out = Differences::new();
    let expected = case.number("max_sliding_disp_m")?;
    // The peer's scheme within the tolerance of the set; and the exact one, which differs from it
    // by the peer's rounding of starts and stops to samples, most where little moves.
    let same = rigid_sliding_block::displacement_at_samples(&record, step, critical);
    let same = same.map_err(text)?.to_metres();
    compare(&mut out, "max_sliding_disp_m", same, expected, 0.01, 1e-9);
    let exact = rigid_sliding_block::displacement(&record, step, critical);
    let exact = exact.map_err(text)?.to_metres();
    compare(
        &mut out,
        "max_sliding_disp_m (exact)",
        exact,
        expected,
        0.05,
        1e-3,
    );
    Ok(out)
}

fn landslides(case: &Value) -> Result<Differences, String> {
    let case = Case(case);
    let ground = ShakenGround {
        peak_velocity: Speed::centimetres_per_second(case.number("pgv_cm_s")?),
        peak_acceleration: Some(Acceleration::g(case.number("pga_g")?)),
        slope: Angle::radians(case.number("slope_m_per_m")?.atan()),
        lithology: Lithology::parse(&case.text("lithology_glim")?).map_err(text)?,
        land_cover: LandCover::parse(&case.text("landcover_globcover")?).map_err(text)?,
        topographic_index: case.number("cti")?,
    };
    let mut out = Differences::new();
    for (variant, end) in [
        (Variant::Published, "nj2018"),
        (Variant::Operational, "allstadt2022"),
    ] {
        let found = nowicki_jessee_2018::estimate(&ground, variant).map_err(text)?;
        let name = format!("probability_{end}");
        let p = found.probability.to_fraction();
        compare(&mut out, &name, p, case.number(&name)?, TOLERANCE, 0.0);
        let name = format!("areal_coverage_{end}");
        let percent = found.coverage.to_percent();
        compare(
            &mut out,
            &name,
            percent,
            case.number(&name)?,
            TOLERANCE,
            0.0,
        );
    }
    Ok(out)
}

fn liquefaction(case: &Value) -> Result<Differences, String> {
    let case = Case(case);
    let pga = Acceleration::g(case.number("pga_g")?);
    let peak_velocity = Speed::centimetres_per_second(case.number("pgv_cm_s")?);
    let magnitude = case.number("mag")?;
    let vs30 = Speed::metres_per_second(case.number("vs30_m_s")?);
    let annual_precipitation = Length::millimetres(case.number("precip_mm")?);
    let wet = WetGround {
        peak_velocity,
        vs30,
        annual_precipitation,
        distance_to_water: Length::kilometres(case.number("dw_km")?),
        water_table_depth: Length::metres(case.number("wtd_m")?),
    };
    let coastal = CoastalGround {
        peak_velocity,
        vs30,
        annual_precipitation,
        distance_to_coast: Length::kilometres(case.number("dc_km")?),
        distance_to_river: Length::kilometres(case.number("dr_km")?),
    };
    let mut out = Differences::new();
    let mut same = |name: &str, found: Result<LiquefactionEstimate, HazardError>| {
        let found = found.map_err(text)?;
        let expected = case.numbers(name)?;
        let mut values = vec![
            found.probability.to_fraction(),
            f64::from(u8::from(found.occurs)),
        ];
        values.extend(found.coverage.map(Ratio::to_percent));
        if expected.len() > values.len() {
            return Err(format!("`{name}` has {} numbers", expected.len()));
        }
        for (at, (value, expected)) in values.iter().zip(expected).enumerate() {
            compare(
                &mut out,
                &format!("{name}[{at}]"),
                *value,
                expected,
                TOLERANCE,
                0.0,
            );
        }
        Ok(())
    };
    let index = case.number("cti")?;
    same("zhu2015", zhu::general_2015(pga, magnitude, index, vs30))?;
    same("zhu2017_general", zhu::general_2017(&wet))?;
    same("zhu2017_coastal", zhu::coastal_2017(&coastal))?;
    same("rashidian_baise2020", zhu::rashidian_baise_2020(&wet, pga))?;
    // The peer limits precipitation to 1700 mm in both variants; the code of the Geological Survey
    // and its paper say 2500 mm, which the kernel follows.
    let drier = WetGround {
        annual_precipitation: Length::millimetres(case.number("precip_mm")?.min(1700.0)),
        ..wet
    };
    same(
        "allstadt2022",
        zhu::operational_2022(&drier, pga, magnitude),
    )?;
    Ok(out)
}

fn newmark_displacement(case: &Value) -> Result<Differences, String> {
    let case = Case(case);
    let mut out = static_slope(&case, Angle::degrees(case.number("slope_deg")?))?;
    if !out.is_empty() {
        // The published set was made by handing degrees to a peer that takes metres per metre, so
        // its factors of safety are those of a nearly vertical slope. A set made right passes
        // above.
        out = static_slope(&case, Angle::radians(case.number("slope_deg")?.atan()))?;
    }
    let mut same = |name: &str, found: f64| -> Result<(), String> {
        compare(
            &mut out,
            name,
            found,
            case.number(name)?,
            TOLERANCE,
            PEERS_ZERO,
        );
        Ok(())
    };
    let critical = Acceleration::g(case.number("test_critical_accel_g")?);
    let peak = Acceleration::g(case.number("pga_g")?);
    let velocity = Speed::centimetres_per_second(case.number("pgv_cm_s")?);
    let magnitude = case.number("mag")?;
    let ratio = AccelerationRatio::new(critical, peak)
        .map_err(text)?
        .at_least(PEERS_LOWEST_RATIO);
    same(
        "jibson2007_a_m",
        newmark::jibson_2007(ratio).median.to_metres(),
    )?;
    use FotopoulouPitilakis::{A, B, C, D};
    let others = [
        (
            "jibson2007_b_m",
            newmark::jibson_2007_magnitude(ratio, magnitude),
        ),
        (
            "rathje_saygili2009_m",
            newmark::rathje_saygili_2009(ratio, magnitude),
        ),
        (
            "saygili_rathje2008_m",
            newmark::saygili_rathje_2008(ratio, velocity),
        ),
        (
            "fotopoulou_a_m",
            newmark::fotopoulou_pitilakis_2015(A {
                velocity,
                critical,
                magnitude,
            }),
        ),
        (
            "fotopoulou_b_m",
            newmark::fotopoulou_pitilakis_2015(B {
                peak,
                critical,
                magnitude,
            }),
        ),
        (
            "fotopoulou_c_m",
            newmark::fotopoulou_pitilakis_2015(C {
                ratio,
                critical,
                magnitude,
            }),
        ),
        (
            "fotopoulou_d_m",
            newmark::fotopoulou_pitilakis_2015(D {
                velocity,
                ratio,
                critical,
            }),
        ),
    ];
    for (name, found) in others {
        same(name, found.map_err(text)?.median.to_metres())?;
    }
    Ok(out)
}

/// Factor of safety and critical acceleration of a case, with its slope as it is to be read.
fn static_slope(case: &Case, slope: Angle) -> Result<Differences, String> {
    let slab = SlidingSlab {
        slope,
        cohesion: Pressure::pascals(case.number("cohesion_pa")?),
        friction_angle: Angle::degrees(case.number("friction_angle_deg")?),
        saturation: Ratio::fraction(case.number("saturation")?),
        thickness: Length::metres(case.number("slab_thickness_m")?),
        density: Density::kilograms_per_cubic_metre(case.number("soil_dry_density_kg_m3")?),
    };
    let safety = newmark::infinite_slope(&slab).map_err(text)?;
    let least = newmark::critical_acceleration(safety, slope).map_err(text)?;
    let mut out = Differences::new();
    for (name, found) in [
        ("factor_of_safety", safety.to_fraction()),
        ("critical_accel_g", least.to_g().max(PEERS_LOWEST_CRITICAL)),
    ] {
        compare(&mut out, name, found, case.number(name)?, TOLERANCE, 0.0);
    }
    Ok(out)
}

fn failure_share(case: &Value) -> Result<Differences, String> {
    let case = Case(case);
    let displacement = Length::metres(case.number("displacement_m")?);
    let share = newmark::failure_share(displacement).map_err(text)?;
    let mut out = Differences::new();
    let expected = case.number("p_failure")?;
    compare(
        &mut out,
        "p_failure",
        share.to_fraction(),
        expected,
        TOLERANCE,
        0.0,
    );
    Ok(out)
}

fn hazus_liquefaction(case: &Value) -> Result<Differences, String> {
    let case = Case(case);
    let pga = Acceleration::g(case.number("pga_g")?);
    let magnitude = case.number("mag")?;
    let class = Susceptibility::parse(&case.text("susceptibility")?).map_err(text)?;
    // Formulas in feet and inches: the peer's rounded foot goes in and comes out.
    let depth = Length::feet(case.number("groundwater_depth_m")? * PEERS_FEET);
    let peers_metres = |length: Length| length.to_feet() / PEERS_FEET;
    let p = hazus::liquefaction_probability(pga, magnitude, class, depth).map_err(text)?;
    let spread = hazus::lateral_spread(pga, magnitude, class).map_err(text)?;
    let mut out = Differences::new();
    for (name, found) in [
        ("p_liq", p.to_fraction()),
        ("lateral_spread_m", peers_metres(spread)),
        ("settlement_m", peers_metres(hazus::settlement(class))),
    ] {
        compare(&mut out, name, found, case.number(name)?, TOLERANCE, 0.0);
    }
    Ok(out)
}
