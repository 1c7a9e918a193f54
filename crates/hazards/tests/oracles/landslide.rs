//! Landslides by rain against closed forms and NASA's trained trees.

use serde_json::Value;

use lahar_core::measure::{Acceleration, Angle, Length, Pressure, Ratio, Span};
use lahar_hazards::landslide::infinite_slope::Slab;
use lahar_hazards::landslide::intensity_duration as rain;
use lahar_hazards::landslide::iverson_2000::{Storm, WetGround};
use lahar_hazards::landslide::lhasa::Day;

use crate::{Case, Check, Differences, compare};

pub const KINDS: &[(&str, Check)] = &[
    ("id_thresholds", threshold),
    ("iverson2000_trigrs_infinite_depth", transient),
    ("lhasa_v2_xgboost", trees),
];

fn text(error: lahar_hazards::HazardError) -> String {
    error.to_string()
}

fn threshold(case: &Value) -> Result<Differences, String> {
    let case = Case(case);
    let name = case.text("threshold")?;
    let threshold = rain::ALL
        .into_iter()
        .find(|threshold| threshold.name == name);
    let threshold = threshold.ok_or_else(|| format!("no threshold is called {name}"))?;
    let least = threshold
        .intensity(Span::hours(case.number("D_h")?))
        .map_err(text)?;
    let least = least.to_millimetres_per_hour();
    let mut out = Differences::new();
    compare(
        &mut out,
        "threshold",
        least,
        case.number("threshold_I_mm_h")?,
        1e-9,
        0.0,
    );
    compare(
        &mut out,
        "ratio",
        case.number("I_mm_h")? / least,
        case.number("ratio")?,
        1e-9,
        0.0,
    );
    Ok(out)
}

fn transient(case: &Value) -> Result<Differences, String> {
    let case = Case(case);
    let slope = Angle::degrees(case.number("slope_deg")?);
    let ground = WetGround {
        slope,
        water_table: Length::metres(case.number("water_table_d_m")?),
        diffusivity: case.number("D0_m2_s")?,
        conductivity: case.number("Ksat_m_s")?,
        lasting_infiltration: case.number("IzLT_m_s")?,
    };
    let storm = Storm {
        infiltration: case.number("Iz_m_s")?,
        start: Span::seconds(0.0),
        duration: Span::seconds(case.number("duration_s")?),
    };
    let slab = Slab {
        slope,
        depth: Length::metres(case.number("Z_m")?),
        cohesion: Pressure::pascals(case.number("cohesion_pa")?),
        friction_angle: Angle::degrees(case.number("phi_deg")?),
        unit_weight: case.number("gamma_s_n_m3")?,
    };
    let time = Span::seconds(case.number("t_s")?);
    let head = ground
        .pressure_head(&[storm], slab.depth, time)
        .map_err(text)?;
    let safety = ground
        .factor_of_safety(&slab, &[storm], time)
        .map_err(text)?;
    let mut out = Differences::new();
    compare(&mut out, "psi", head, case.number("psi_m")?, 1e-9, 1e-12);
    compare(&mut out, "FS", safety, case.number("FS")?, 1e-9, 0.0);
    Ok(out)
}

/// NASA's file stays where it is; without it the cases cannot be run.
fn trees(case: &Value) -> Result<Differences, String> {
    use std::sync::OnceLock;
    static MODEL: OnceLock<Result<lahar_core::trees::TreeModel, String>> = OnceLock::new();
    let model = MODEL.get_or_init(|| {
        let folder = std::env::var_os("LAHAR_SCI_DATA").map(std::path::PathBuf::from);
        let folder = folder.unwrap_or_else(|| crate::folder().join("../sci-data"));
        let bytes = std::fs::read(folder.join("lhasa/model.json")).map_err(|e| e.to_string())?;
        lahar_formats::trees::read(&bytes).map_err(|e| e.to_string())
    });
    let model = model.as_ref().map_err(Clone::clone)?;
    let case = Case(case);
    let given = |name: &str| case.number(name).ok();
    let day = Day {
        lithology: given("lithology").map(|class| class as u32),
        slope: given("slope_deg").map(Angle::degrees),
        shaking: given("pga").map(Acceleration::g),
        soil_wetness: given("gwetprof").map(Ratio::fraction),
        antecedent: given("antecedent_mm").map(Length::millimetres),
        rain: given("rain_ratio").map(Ratio::fraction),
    };
    let found = model.predict(&day.features()).map_err(|e| e.to_string())?;
    let mut out = Differences::new();
    let expected = case.number("p")?;
    if (found[0] - expected).abs() > 1e-6 {
        out.push(format!("p: {}, the peer has {expected}", found[0]));
    }
    if model.features() != Day::FEATURES {
        out.push(format!("features: the file has {:?}", model.features()));
    }
    Ok(out)
}
