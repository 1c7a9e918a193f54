//! Fires against the R package cffdrs and pyretechnics.
//!
//! Rows that cffdrs was given to see how it clamps what cannot be are not judged.

use serde_json::Value;

use lahar_hazards::wildfire::fire_behaviour_prediction::{self as fbp, FuelType, Setting, Stand};
use lahar_hazards::wildfire::fire_weather_index::{self as fwi, Codes, Noon, WindFunction};
use lahar_hazards::wildfire::fuel_models::FuelModel;
use lahar_hazards::wildfire::rothermel::{self, FuelBed, Moisture};

use crate::{Case, Check, Differences, compare};

pub const KINDS: &[(&str, Check)] = &[
    ("cffdrs_FineFuelMoistureCode", fine_fuel_moisture_code),
    ("cffdrs_DuffMoistureCode", duff_moisture_code),
    ("cffdrs_DroughtCode", drought_code),
    ("cffdrs_InitialSpreadIndex", initial_spread_index),
    ("cffdrs_BuildupIndex", buildup_index),
    ("cffdrs_FireWeatherIndex", fire_weather_index),
    ("cffdrs_fwi_day_physical", weather_day),
    ("cffdrs_fwi_series", weather_series),
    ("cffdrs_RateOfSpread", rate_of_spread),
    ("cffdrs_ros_physical", rate_of_spread_exactly),
    ("cffdrs_SurfaceFuelConsumption", surface_fuel_consumption),
    ("cffdrs_CrownFractionBurned", crown_fraction_burned),
    ("cffdrs_FoliarMoistureContent", foliar_moisture),
    ("cffdrs_LengthToBreadthRatio", length_to_breadth),
    ("cffdrs_BackRateOfSpread", back_rate),
    ("cffdrs_FlankRateOfSpread", flank_rate),
    ("cffdrs_Slope", slope),
    ("cffdrs_TotalFuelConsumption", total_fuel_consumption),
    ("cffdrs_CriticalSurfaceIntensity", critical_intensity),
    ("cffdrs_BuildupEffect", buildup_effect),
    ("cffdrs_FireIntensity", fire_intensity),
    ("cffdrs_DistanceAtTime", distance),
    ("cffdrs_fbp_system", whole_system),
    ("rothermel_surface", surface_fire),
    ("midflame_wind", midflame_wind),
    ("levelset_spread_uniform", level_set),
];

/// Four digits are stored.
const STORED: f64 = 1e-3;

fn text(error: lahar_hazards::HazardError) -> String {
    error.to_string()
}

/// Whether a row is about weather and fuel that can be. Where the file does not say, values are
/// held against what the system was made for.
fn is_physical(case: &Case<'_>) -> bool {
    if let Some(flag) = case.0.get("_physical").and_then(Value::as_bool) {
        return flag;
    }
    let within = |name: &str, low: f64, high: f64| {
        case.number(name)
            .map_or(true, |value| (low..=high).contains(&value))
    };
    within("prec", 0.0, 2000.0)
        && within("rh", 0.0, 100.0)
        && within("ws", 0.0, 300.0)
        && within("WS", 0.0, 300.0)
        && within("WSV", 0.0, 300.0)
        && within("FFMC", 0.0, 101.0)
        && within("PC", 0.0, 100.0)
        && within("PDF", 0.0, 100.0)
        && within("CC", 0.0, 100.0)
        && within("FMC", 0.0, 500.0)
        && within("CFB", 0.0, 1.0)
}

/// Runs one comparison of a named result on physical rows of known fuel.
fn row(
    case: &Value,
    name: &str,
    found: impl FnOnce(&Case<'_>) -> Result<f64, String>,
) -> Result<Differences, String> {
    let case = Case(case);
    let mut out = Differences::new();
    if !is_physical(&case) {
        return Ok(out);
    }
    // Water and ground without fuel are no benchmark types here; the peer gives them nothing.
    let fuel = case.text("FUELTYPE").unwrap_or_default();
    if matches!(fuel.as_str(), "NF" | "WA") {
        return Ok(out);
    }
    let found = found(&case)?;
    compare(&mut out, name, found, case.number(name)?, STORED, 1e-6);
    Ok(out)
}

fn noon(case: &Case<'_>) -> Result<Noon, String> {
    let or_none = |name: &str| case.number(name).unwrap_or(0.0);
    Ok(Noon {
        temperature: case.number("temp")?,
        humidity: case.number("rh")?,
        wind: or_none("ws"),
        rain: case.number("prec")?,
    })
}

fn month(case: &Case<'_>) -> Result<u32, String> {
    Ok(case.number("mon")? as u32)
}

/// Rows without the adjustment of day length are for the reference latitude.
fn latitude(case: &Case<'_>) -> Result<f64, String> {
    match case.text("lat.adjust").as_deref() {
        Ok("FALSE") => Ok(45.0),
        _ => case.number("lat"),
    }
}

fn fine_fuel_moisture_code(case: &Value) -> Result<Differences, String> {
    row(case, "FineFuelMoistureCode", |case| {
        fwi::fine_fuel_moisture_code(case.number("ffmc_yda")?, &noon(case)?).map_err(text)
    })
}

fn duff_moisture_code(case: &Value) -> Result<Differences, String> {
    row(case, "DuffMoistureCode", |case| {
        let before = case.number("dmc_yda")?;
        fwi::duff_moisture_code(before, &noon(case)?, month(case)?, latitude(case)?).map_err(text)
    })
}

fn drought_code(case: &Value) -> Result<Differences, String> {
    row(case, "DroughtCode", |case| {
        let before = case.number("dc_yda")?;
        fwi::drought_code(before, &noon(case)?, month(case)?, latitude(case)?).map_err(text)
    })
}

fn initial_spread_index(case: &Value) -> Result<Differences, String> {
    row(case, "InitialSpreadIndex", |case| {
        let function = match case.text("fbpMod")?.as_str() {
            "TRUE" => WindFunction::Levelling,
            _ => WindFunction::Plain,
        };
        fwi::initial_spread_index(case.number("ffmc")?, case.number("ws")?, function).map_err(text)
    })
}

fn buildup_index(case: &Value) -> Result<Differences, String> {
    row(case, "BuildupIndex", |case| {
        fwi::buildup_index(case.number("dmc")?, case.number("dc")?).map_err(text)
    })
}

fn fire_weather_index(case: &Value) -> Result<Differences, String> {
    row(case, "FireWeatherIndex", |case| {
        fwi::fire_weather_index(case.number("isi")?, case.number("bui")?).map_err(text)
    })
}

fn weather_day(case: &Value) -> Result<Differences, String> {
    let case = Case(case);
    let before = Codes {
        fine: case.number("ffmc_yda")?,
        duff: case.number("dmc_yda")?,
        drought: case.number("dc_yda")?,
    };
    let noon = noon(&case)?;
    let codes = before
        .after(&noon, month(&case)?, case.number("lat")?)
        .map_err(text)?;
    let function = WindFunction::Plain;
    let isi = fwi::initial_spread_index(codes.fine, noon.wind, function).map_err(text)?;
    let bui = fwi::buildup_index(codes.duff, codes.drought).map_err(text)?;
    let index = fwi::fire_weather_index(isi, bui).map_err(text)?;
    let mut out = Differences::new();
    for (name, found) in [
        ("ffmc", codes.fine),
        ("dmc", codes.duff),
        ("dc", codes.drought),
        ("isi", isi),
        ("bui", bui),
        ("fwi", index),
    ] {
        compare(&mut out, name, found, case.number(name)?, 1e-9, 1e-12);
    }
    Ok(out)
}

fn weather_series(case: &Value) -> Result<Differences, String> {
    let start = case.get("init").map(Case).ok_or("`init` is missing")?;
    let days = case
        .get("series")
        .and_then(Value::as_array)
        .ok_or("`series` is no list")?;
    let or = |name: &str, usual: f64| start.number(name).unwrap_or(usual);
    let mut codes = Codes {
        fine: or("ffmc", Codes::START.fine),
        duff: or("dmc", Codes::START.duff),
        drought: or("dc", Codes::START.drought),
    };
    let mut out = Differences::new();
    for (at, day) in days.iter().enumerate() {
        let day = Case(day);
        let noon = Noon {
            temperature: day.number("TEMP")?,
            humidity: day.number("RH")?,
            wind: day.number("WS")?,
            rain: day.number("PREC")?,
        };
        let latitude = day.number("LAT").or_else(|_| start.number("lat"))?;
        codes = codes
            .after(&noon, day.number("MON")? as u32, latitude)
            .map_err(text)?;
        let isi = fwi::initial_spread_index(codes.fine, noon.wind, WindFunction::Plain);
        let isi = isi.map_err(text)?;
        let bui = fwi::buildup_index(codes.duff, codes.drought).map_err(text)?;
        let index = fwi::fire_weather_index(isi, bui).map_err(text)?;
        for (name, found) in [
            ("FFMC", codes.fine),
            ("DMC", codes.duff),
            ("DC", codes.drought),
            ("ISI", isi),
            ("BUI", bui),
            ("FWI", index),
            ("DSR", fwi::daily_severity_rating(index)),
        ] {
            if day.has(name) {
                let name_at = format!("{name} on day {at}");
                compare(&mut out, &name_at, found, day.number(name)?, STORED, 1e-4);
            }
        }
    }
    Ok(out)
}

fn stand(case: &Case<'_>) -> Result<Stand, String> {
    let fuel: FuelType = case.text("FUELTYPE")?.parse().map_err(text)?;
    let or = |name: &str, usual: f64| case.number(name).unwrap_or(usual);
    let usual = Stand::benchmark(fuel);
    Ok(Stand {
        conifer: or("PC", usual.conifer),
        dead_fir: or("PDF", usual.dead_fir),
        cured: or("CC", usual.cured),
        grass_load: or("GFL", usual.grass_load),
        crown_base: or("CBH", usual.crown_base),
        crown_load: or("CFL", usual.crown_load),
        ..usual
    })
}

fn head_rate(case: &Case<'_>) -> Result<f64, String> {
    fbp::rate_of_spread(
        &stand(case)?,
        case.number("ISI")?,
        case.number("BUI")?,
        case.number("FMC")?,
        case.number("SFC")?,
    )
    .map_err(text)
}

fn rate_of_spread(case: &Value) -> Result<Differences, String> {
    row(case, "RateOfSpread", head_rate)
}

fn rate_of_spread_exactly(case: &Value) -> Result<Differences, String> {
    let case = Case(case);
    let mut out = Differences::new();
    compare(
        &mut out,
        "ROS",
        head_rate(&case)?,
        case.number("ROS")?,
        1e-9,
        0.0,
    );
    Ok(out)
}

fn surface_fuel_consumption(case: &Value) -> Result<Differences, String> {
    row(case, "SurfaceFuelConsumption", |case| {
        let (fine, buildup) = (case.number("FFMC")?, case.number("BUI")?);
        Ok(fbp::surface_fuel_consumption(&stand(case)?, fine, buildup))
    })
}

fn crown_fraction_burned(case: &Value) -> Result<Differences, String> {
    row(case, "CrownFractionBurned", |case| {
        let lights = fbp::critical_surface_intensity(case.number("FMC")?, case.number("CBH")?);
        let critical = fbp::critical_surface_rate(lights, case.number("SFC")?);
        Ok(fbp::crown_fraction_burned(case.number("ROS")?, critical))
    })
}

fn critical_intensity(case: &Value) -> Result<Differences, String> {
    row(case, "CriticalSurfaceIntensity", |case| {
        Ok(fbp::critical_surface_intensity(
            case.number("FMC")?,
            case.number("CBH")?,
        ))
    })
}

fn foliar_moisture(case: &Value) -> Result<Differences, String> {
    row(case, "FoliarMoistureContent", |case| {
        // A moisture that was measured stands as it is.
        if let Ok(measured) = case.number("FMCo")
            && measured > 0.0
        {
            return Ok(measured);
        }
        let lowest = case.number("D0").ok().filter(|day| *day > 0.0);
        let place = (case.number("LAT")?, case.number("LONG")?);
        let (moisture, _) = fbp::foliar_moisture(
            place.0,
            place.1,
            case.number("ELV")?,
            case.number("DJ")?,
            lowest,
        );
        Ok(moisture)
    })
}

fn length_to_breadth(case: &Value) -> Result<Differences, String> {
    row(case, "LengthToBreadthRatio", |case| {
        Ok(fbp::length_to_breadth(
            stand(case)?.fuel,
            case.number("WSV")?,
        ))
    })
}

fn back_rate(case: &Value) -> Result<Differences, String> {
    row(case, "BackRateOfSpread", |case| {
        fbp::back_rate(
            &stand(case)?,
            case.number("FFMC")?,
            case.number("BUI")?,
            case.number("WSV")?,
            case.number("FMC")?,
            case.number("SFC")?,
        )
        .map_err(text)
    })
}

fn flank_rate(case: &Value) -> Result<Differences, String> {
    row(case, "FlankRateOfSpread", |case| {
        Ok(fbp::flank_rate(
            case.number("ROS")?,
            case.number("BROS")?,
            case.number("LB")?,
        ))
    })
}

fn slope(case: &Value) -> Result<Differences, String> {
    let numbers = Case(case);
    // A wind of nothing has no direction, and the peer's index has no value for one this dry.
    let mut out = row(case, "WSV", |case| Ok(effective_wind(case)?.speed))?;
    if is_physical(&numbers) && numbers.number("WSV")? > 1e-3 {
        out.extend(row(case, "RAZ", |case| Ok(effective_wind(case)?.towards))?);
    }
    Ok(out)
}

fn effective_wind(case: &Case<'_>) -> Result<fbp::EffectiveWind, String> {
    fbp::effective_wind(
        &stand(case)?,
        case.number("FFMC")?,
        (case.number("WS")?, case.number("WAZ")?),
        (case.number("GS")?, case.number("SAZ")?),
        case.number("FMC")?,
        case.number("SFC")?,
    )
    .map_err(text)
}

fn total_fuel_consumption(case: &Value) -> Result<Differences, String> {
    row(case, "TotalFuelConsumption", |case| {
        let stand = stand(case)?;
        let (crown, surface) = (case.number("CFB")?, case.number("SFC")?);
        let all = fbp::total_fuel_consumption(&stand, crown, surface);
        Ok(match case.text("option")?.as_str() {
            "CFC" => all - surface,
            _ => all,
        })
    })
}

fn buildup_effect(case: &Value) -> Result<Differences, String> {
    row(case, "BuildupEffect", |case| {
        Ok(fbp::buildup_effect(stand(case)?.fuel, case.number("BUI")?))
    })
}

fn fire_intensity(case: &Value) -> Result<Differences, String> {
    row(case, "FireIntensity", |case| {
        Ok(fbp::fire_intensity(case.number("FC")?, case.number("ROS")?))
    })
}

fn distance(case: &Value) -> Result<Differences, String> {
    row(case, "DistanceAtTime", |case| {
        let (rate, minutes) = (case.number("ROSeq")?, case.number("HR")?);
        Ok(fbp::distance(
            stand(case)?.fuel,
            rate,
            minutes,
            case.number("CFB")?,
        ))
    })
}

fn whole_system(case: &Value) -> Result<Differences, String> {
    let input = case.get("input").map(Case).ok_or("`input` is missing")?;
    let output = case.get("output").map(Case).ok_or("`output` is missing")?;
    let fuel: FuelType = input.text("FuelType")?.parse().map_err(text)?;
    let or = |name: &str, usual: f64| input.number(name).unwrap_or(usual);
    let usual = Stand::benchmark(fuel);
    let stand = Stand {
        conifer: or("PC", usual.conifer),
        dead_fir: or("PDF", usual.dead_fir),
        cured: or("cc", usual.cured),
        grass_load: or("GFL", usual.grass_load),
        crown_base: or("CBH", usual.crown_base),
        crown_load: or("CFL", usual.crown_load),
        fuel,
    };
    let lowest = input.number("D0").ok().filter(|day| *day > 0.0);
    let (moisture, day) = fbp::foliar_moisture(
        input.number("LAT")?,
        input.number("LONG")?,
        or("ELV", 0.0),
        input.number("Dj")?,
        lowest,
    );
    let setting = Setting {
        fine: input.number("FFMC")?,
        buildup: input.number("BUI")?,
        wind: input.number("WS")?,
        wind_towards: or("WD", 0.0) + 180.0,
        slope: or("GS", 0.0),
        upslope: or("Aspect", 0.0) + 180.0,
        foliar_moisture: moisture,
        minutes: input.number("hr")? * 60.0,
    };
    let fire = fbp::predict(&stand, &setting).map_err(text)?;
    let mut out = Differences::new();
    let mut same = |name: &str, found: f64| -> Result<(), String> {
        compare(&mut out, name, found, output.number(name)?, STORED, 1e-3);
        Ok(())
    };
    if fuel.has_crown() {
        same("FMC", moisture)?;
        same("D0", day)?;
    }
    same("BE", fbp::buildup_effect(fuel, setting.buildup))?;
    same("ISI", fire.spread_index)?;
    same("WSV", fire.wind.speed)?;
    same("RAZ", fire.wind.towards.to_degrees().rem_euclid(360.0))?;
    same("SFC", fire.surface_fuel)?;
    same("CSI", fire.critical_intensity)?;
    same("RSO", fire.critical_rate)?;
    same("LB", fire.length_to_breadth)?;
    same("LBt", fire.length_to_breadth_then)?;
    same("CFC", fire.head.fuel - fire.surface_fuel)?;
    for (front, [rate, then, crown, fuel, intensity, distance]) in [
        (fire.head, ["ROS", "HROSt", "CFB", "TFC", "HFI", "DH"]),
        (fire.flank, ["FROS", "FROSt", "FCFB", "FTFC", "FFI", "DF"]),
        (fire.back, ["BROS", "BROSt", "BCFB", "BTFC", "BFI", "DB"]),
    ] {
        same(rate, front.rate)?;
        same(then, front.rate_then)?;
        same(crown, front.crown_fraction)?;
        same(fuel, front.fuel)?;
        same(intensity, front.intensity)?;
        same(distance, front.distance)?;
    }
    for (front, name) in [(fire.head, "TI"), (fire.flank, "FTI"), (fire.back, "BTI")] {
        same(
            name,
            fbp::time_to_crown_fire(&front, fire.critical_rate).unwrap_or(0.0),
        )?;
    }
    Ok(out)
}

/// The peer counts 3.281 feet in a metre, so its foot is shorter than a foot.
const PEER_FOOT: f64 = 1.0 / 3.281 / 0.3048;

/// The peer turns a BTU per foot and second into 3.46165186 kW/m; by the definitions of BTU and
/// foot it is 3.46146891 kW/m.
const PEER_INTENSITY: f64 = 3.461_651_86 / 3.461_468_91;

fn surface_fire(case: &Value) -> Result<Differences, String> {
    let numbers = Case(case);
    let moisture = case
        .get("moisture_frac")
        .map(Case)
        .ok_or("`moisture_frac` is missing")?;
    let moisture = Moisture {
        one_hour: moisture.number("d1")?,
        ten_hours: moisture.number("d10")?,
        hundred_hours: moisture.number("d100")?,
        herbs: moisture.number("live_herb")?,
        wood: moisture.number("live_woody")?,
    };
    let model = FuelModel::of(numbers.number("fuel_model")? as u16).map_err(text)?;
    let bed = FuelBed::new(model, &moisture).map_err(text)?;
    let mut out = Differences::new();
    let mut same = |name: &str, found: f64, expected: &Case<'_>| -> Result<(), String> {
        compare(&mut out, name, found, expected.number(name)?, 1e-4, 1e-6);
        Ok(())
    };
    let base = case
        .get("no_wind_no_slope")
        .map(Case)
        .ok_or("`no_wind_no_slope` is missing")?;
    same("base_spread_rate", bed.rate * PEER_FOOT, &base)?;
    same(
        "base_fireline_intensity",
        bed.intensity * PEER_INTENSITY,
        &base,
    )?;
    same(
        "max_effective_wind_speed",
        bed.wind_limit * PEER_FOOT,
        &base,
    )?;
    let wind = (
        numbers.number("midflame_wind_m_min")? / PEER_FOOT,
        numbers.number("upwind_direction_deg")?,
    );
    let slope = (
        numbers.number("slope_rise_run")?,
        numbers.number("aspect_deg")?,
    );
    for (name, limited) in [("max_limited", true), ("max_unlimited", false)] {
        let Some(expected) = case.get(name).filter(|value| value.is_object()).map(Case) else {
            continue;
        };
        let fire = bed.spread(wind, slope, limited).map_err(text)?;
        same("max_spread_rate", fire.rate * PEER_FOOT, &expected)?;
        same(
            "max_fireline_intensity",
            fire.intensity * PEER_INTENSITY,
            &expected,
        )?;
        same("max_flame_length", fire.flame_length, &expected)?;
        same("length_to_width_ratio", fire.length_to_width, &expected)?;
        same("eccentricity", fire.eccentricity(), &expected)?;
    }
    Ok(out)
}

fn midflame_wind(case: &Value) -> Result<Differences, String> {
    let case = Case(case);
    // The peer's call takes feet, whatever the name says.
    let found = rothermel::midflame_wind(
        case.number("wind_20ft")?,
        case.number("fuel_bed_depth_ft")?,
        case.number("canopy_height_m")?,
        case.number("canopy_cover")?,
    );
    let mut out = Differences::new();
    compare(
        &mut out,
        "midflame",
        found.map_err(text)?,
        case.number("midflame")?,
        1e-5,
        0.0,
    );
    Ok(out)
}

/// Growth over even ground by level set: area within a tenth, arrivals along the row of the start
/// within the time of a cell.
fn level_set(case: &Value) -> Result<Differences, String> {
    use lahar_core::{Affine, Crs, Grid};
    use lahar_hazards::wildfire::landscape::{Field, Landscape, Period, Weather};
    use lahar_hazards::wildfire::level_set;
    use lahar_hazards::wildfire::wind::WindHeight;

    let layers = Case(case.get("layers").ok_or("no layers")?);
    for crowns in ["canopy_cover", "canopy_height"] {
        if layers.number(crowns)? != 0.0 {
            return Err(format!("{crowns} is not zero"));
        }
    }
    let case = Case(case);
    let (size, cells) = (case.number("cell_m")?, case.number("n")? as usize);
    let minutes = case.number("duration_min")?;
    let (slope, aspect) = (layers.number("slope")?, layers.number("aspect")?);
    let uphill = (aspect + 180.0).to_radians();
    let rise = [slope * uphill.sin(), slope * uphill.cos()];
    let heights = (0..cells * cells)
        .map(|cell| {
            let (row, column) = ((cell / cells) as f64, (cell % cells) as f64);
            size * (rise[0] * column - rise[1] * row)
        })
        .collect();
    let transform = Affine::north_up(0.0, size * cells as f64, size, size);
    let elevation = Grid::new(heights, cells, cells, transform, Crs::LocalMetres);
    let elevation = elevation.map_err(|e| e.to_string())?;
    let fuel = layers.number("fuel_model")?;
    let landscape = Landscape::new(&elevation, &elevation.map(|_| fuel)).map_err(text)?;
    let moisture = |name: &str| layers.number(&format!("fuel_moisture_{name}"));
    let periods = [Period {
        start: 0.0,
        weather: Weather {
            wind_speed: Field::Uniform(layers.number("wind_speed_10m")? * 1000.0 / 60.0),
            wind_from: Field::Uniform(layers.number("upwind_direction")?),
            wind_height: WindHeight::TenMetres,
            moisture: Moisture {
                one_hour: moisture("dead_1hr")?,
                ten_hours: moisture("dead_10hr")?,
                hundred_hours: moisture("dead_100hr")?,
                herbs: moisture("live_herbaceous")?,
                wood: moisture("live_woody")?,
            },
            one_hour: None,
        },
    }];
    let ignite = case.numbers("ignite")?;
    let start = ignite[0] as usize * cells + ignite[1] as usize;
    let fire = level_set::grow(&landscape, &periods, &[start], minutes).map_err(text)?;
    let mut out = Differences::new();
    let area = fire.area(&landscape) / 1e4;
    compare(
        &mut out,
        "burned area in ha",
        area,
        case.number("burned_area_ha")?,
        0.1,
        0.0,
    );
    let row = case
        .0
        .get("time_of_arrival_row_center")
        .and_then(Value::as_array);
    let row = row.ok_or("no arrivals")?;
    let at = |column: usize| row.get(column).and_then(Value::as_f64);
    let from = start / cells * cells;
    for column in 0..cells {
        let found = fire.minutes()[from + column];
        // The time of a cell is the peer's own between the cell and its neighbour on either side.
        let beside = [column.checked_sub(1), Some(column + 1)];
        let steps = beside.into_iter().flatten().filter_map(at);
        let Some(expected) = at(column) else {
            // The peer has not come here; neither has this fire, or by less than a cell's time.
            let due = steps.map(|time| minutes - time).fold(f64::NAN, f64::max);
            if found < minutes - due.max(0.0) {
                out.push(format!(
                    "column {column}: burned at {found}, the peer never"
                ));
            }
            continue;
        };
        let step = steps
            .map(|time| (time - expected).abs())
            .fold(0.0, f64::max);
        let far = match found.is_nan() {
            // Burned in the peer's last step only.
            true => expected + step < minutes,
            false => (found - expected).abs() > step,
        };
        if far {
            out.push(format!(
                "column {column}: {found}, the peer has {expected}, a cell {step}"
            ));
        }
    }
    Ok(out)
}
