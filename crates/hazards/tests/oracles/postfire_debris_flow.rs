//! Post-fire debris flow against pfdf of the U.S. Geological Survey.

use serde_json::Value;

use lahar_core::measure::{Area, Length, Ratio, Span, Speed, Volume};
use lahar_hazards::postfire_debris_flow::cannon_2010;
use lahar_hazards::postfire_debris_flow::gartner_2014::{self, RecoveringBasin, VolumeEstimate};
use lahar_hazards::postfire_debris_flow::staley_2017::{self, BurnedBasin, Model, RainDuration};

use crate::{Case, Check, Differences, compare};

pub const KINDS: &[(&str, Check)] = &[
    ("staley2017_M1", staley),
    ("staley2017_M2", staley),
    ("staley2017_M3", staley),
    ("staley2017_M4", staley),
    ("gartner2014_cannon2010", volume_and_class),
];

const TOLERANCE: f64 = 1e-9;

fn staley(case: &Value) -> Result<Differences, String> {
    let case = Case(case);
    let model = match case.text("model")?.as_str() {
        "M1" => Model::M1,
        "M2" => Model::M2,
        "M3" => Model::M3,
        "M4" => Model::M4,
        other => return Err(format!("no model is called {other}")),
    };
    let text = |error: lahar_hazards::HazardError| error.to_string();
    let duration = RainDuration::of(Span::minutes(case.number("duration_min")?)).map_err(text)?;
    let basin = BurnedBasin {
        terrain: case.number("T")?,
        fire: case.number("F")?,
        soil: case.number("S")?,
    };
    let mut out = Differences::new();
    let mut same = |name: &str, found: f64| -> Result<(), String> {
        if case.has(name) {
            compare(&mut out, name, found, case.number(name)?, TOLERANCE, 0.0);
        }
        Ok(())
    };
    let coefficients = staley_2017::coefficients(model, duration);
    same("B", coefficients.intercept)?;
    same("Ct", coefficients.terrain)?;
    same("Cf", coefficients.fire)?;
    same("Cs", coefficients.soil)?;
    let rain = Length::millimetres(case.number("R_mm")?);
    if case.has("intensity_mm_h") {
        let intensity = Speed::millimetres_per_hour(case.number("intensity_mm_h")?);
        same("R_mm", duration.accumulation(intensity).to_millimetres())?;
    }
    let p = staley_2017::likelihood(model, duration, &basin, rain).map_err(text)?;
    same("likelihood", p.to_fraction())?;
    if case.has("target_p") {
        let target = Ratio::fraction(case.number("target_p")?);
        let least = staley_2017::threshold(model, duration, &basin, target).map_err(text)?;
        // The peer lets a threshold fall below zero; there is no negative rain.
        if case.number("threshold_R_mm")? >= 0.0 {
            same("threshold_R_mm", least.to_millimetres())?;
            let intensity = duration.intensity(least).to_millimetres_per_hour();
            same("threshold_intensity_mm_h", intensity)?;
        }
    }
    Ok(out)
}

fn volume_and_class(case: &Value) -> Result<Differences, String> {
    let case = Case(case);
    let text = |error: lahar_hazards::HazardError| error.to_string();
    let mut out = Differences::new();
    let mut interval = |names: [&str; 3], found: &VolumeEstimate| -> Result<(), String> {
        let found = [found.median, found.lower, found.upper].map(Volume::to_cubic_metres);
        for (name, found) in names.into_iter().zip(found) {
            compare(&mut out, name, found, case.number(name)?, TOLERANCE, 0.0);
        }
        Ok(())
    };
    let mut volume = case.has("V_m3").then(|| case.number("V_m3")).transpose()?;
    if case.has("emergency_V_m3") {
        let relief = Length::metres(case.number("relief_m")?);
        let emergency = gartner_2014::emergency(
            Speed::millimetres_per_hour(case.number("i15_mm_h")?),
            Area::square_kilometres(case.number("Bmh_km2")?),
            relief,
        )
        .map_err(text)?;
        interval(
            ["emergency_V_m3", "emergency_Vmin", "emergency_Vmax"],
            &emergency,
        )?;
        volume = volume.or(Some(emergency.median.to_cubic_metres()));
    }
    if case.has("longterm_V_m3") {
        let basin = RecoveringBasin {
            burned_area: Area::square_kilometres(case.number("Bt_km2")?),
            time_since_fire: Span::months(case.number("T_months")?),
            area: Area::square_kilometres(case.number("A_km2")?),
            relief: Length::metres(case.number("relief_m")?),
        };
        let intensity = Speed::millimetres_per_hour(case.number("i60_mm_h")?);
        let long_term = gartner_2014::long_term(intensity, &basin).map_err(text)?;
        interval(
            ["longterm_V_m3", "longterm_Vmin", "longterm_Vmax"],
            &long_term,
        )?;
    }
    if case.has("cannon_hazard") {
        let p = Ratio::fraction(case.number("p")?);
        let v = Volume::cubic_metres(volume.ok_or("it has no volume to rank")?);
        let ranks = [
            ("cannon_p_score", cannon_2010::probability_rank(p)),
            ("cannon_v_score", cannon_2010::volume_rank(v)),
            (
                "cannon_hazard",
                cannon_2010::combined(p, v).map(|class| class.number()),
            ),
        ];
        for (name, rank) in ranks {
            let rank = f64::from(rank.map_err(text)?);
            compare(&mut out, name, rank, case.number(name)?, 0.0, 0.0);
        }
    }
    Ok(out)
}
