//! The Canadian Forest Fire Weather Index System: three moisture codes and three indices of fire
//! from the weather at noon.

use lahar_core::capability::Citation;

use crate::error::{HazardError, Limit};

/// The equations.
pub const VAN_WAGNER_1987: Citation = Citation {
    authors: "Van Wagner",
    year: 1987,
    doi: "Canadian Forestry Service, Forestry Technical Report 35",
    place: "equations 1 to 40",
};
/// Day lengths of other latitudes.
pub const LAWSON_ARMITAGE_2008: Citation = Citation {
    authors: "Lawson & Armitage",
    year: 2008,
    doi: "Weather guide for the Canadian Forest Fire Danger Rating System",
    place: "appendix on day length by latitude",
};

/// By which moisture in percent and the fine fuel code are turned into each other; 147.2 in the
/// first publications, this since.
pub(super) const CODE_FACTOR: f64 = 250.0 * 59.5 / 101.0;

const TEMPERATURE: Limit = Limit::new("temperature", "degC", -60.0, 60.0, VAN_WAGNER_1987);
const HUMIDITY: Limit = Limit::new("relative_humidity", "%", 0.0, 100.0, VAN_WAGNER_1987);
const WIND: Limit = Limit::new("wind_speed", "km/h", 0.0, 300.0, VAN_WAGNER_1987);
const RAIN: Limit = Limit::new("rainfall", "mm", 0.0, 2000.0, VAN_WAGNER_1987);
const FINE: Limit = Limit::new("fine_fuel_moisture_code", "1", 0.0, 101.0, VAN_WAGNER_1987);
const DUFF: Limit = Limit::new("duff_moisture_code", "1", 0.0, 5000.0, VAN_WAGNER_1987);
const DROUGHT: Limit = Limit::new("drought_code", "1", 0.0, 20_000.0, VAN_WAGNER_1987);
const INDEX: Limit = Limit::new("initial_spread_index", "1", 0.0, 1e4, VAN_WAGNER_1987);
const BUILDUP: Limit = Limit::new("buildup_index", "1", 0.0, 1e4, VAN_WAGNER_1987);
const LATITUDE: Limit = Limit::new("latitude", "deg", -90.0, 90.0, LAWSON_ARMITAGE_2008);

/// Weather at noon, local standard time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noon {
    /// Air temperature in °C.
    pub temperature: f64,
    /// Relative humidity in percent.
    pub humidity: f64,
    /// Wind at 10 m, a mean of ten minutes, in km/h.
    pub wind: f64,
    /// Rain of the last 24 hours in mm.
    pub rain: f64,
}

impl Noon {
    fn check(&self) -> Result<Noon, HazardError> {
        TEMPERATURE.check(self.temperature)?;
        HUMIDITY.check(self.humidity)?;
        WIND.check(self.wind)?;
        RAIN.check(self.rain)?;
        Ok(*self)
    }
}

/// The three codes, as they stand after a day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Codes {
    /// Fine fuel moisture code.
    pub fine: f64,
    /// Duff moisture code.
    pub duff: f64,
    /// Drought code.
    pub drought: f64,
}

impl Codes {
    /// Values from which a season begins in spring, after snow.
    pub const START: Codes = Codes {
        fine: 85.0,
        duff: 6.0,
        drought: 15.0,
    };

    /// The codes after the next day.
    ///
    /// Inputs: weather at noon; month 1 to 12; latitude in degrees north.
    ///
    /// ```
    /// use lahar_hazards::wildfire::fire_weather_index::{Codes, Noon};
    /// // A warm, dry, windy day in April, as the package cffdrs has it.
    /// let noon = Noon { temperature: 17.0, humidity: 42.0, wind: 25.0, rain: 0.0 };
    /// let codes = Codes::START.after(&noon, 4, 45.0).unwrap();
    /// assert!((codes.fine - 87.65).abs() < 0.01);
    /// assert!((codes.duff - 8.55).abs() < 0.01 && (codes.drought - 19.01).abs() < 0.01);
    /// ```
    pub fn after(&self, noon: &Noon, month: u32, latitude: f64) -> Result<Codes, HazardError> {
        Ok(Codes {
            fine: fine_fuel_moisture_code(self.fine, noon)?,
            duff: duff_moisture_code(self.duff, noon, month, latitude)?,
            drought: drought_code(self.drought, noon, month, latitude)?,
        })
    }
}

/// Moisture of fine fuel in percent, from its code.
pub(super) fn fine_moisture(code: f64) -> f64 {
    CODE_FACTOR * (101.0 - code) / (59.5 + code)
}

/// Fine fuel moisture code of a day (equations 1 to 10).
///
/// Inputs: the code of the day before, 0 to 101; weather at noon. Output: 0 to 101.
pub fn fine_fuel_moisture_code(before: f64, noon: &Noon) -> Result<f64, HazardError> {
    let before = FINE.check(before)?;
    let Noon {
        temperature,
        humidity,
        wind,
        rain,
    } = noon.check()?;
    let mut moisture = fine_moisture(before);
    if rain > 0.5 {
        let rain = rain - 0.5;
        let soaked =
            42.5 * rain * (-100.0 / (251.0 - moisture)).exp() * (1.0 - (-6.93 / rain).exp());
        let heavy = match moisture > 150.0 {
            true => 0.0015 * (moisture - 150.0).powi(2) * rain.sqrt(),
            false => 0.0,
        };
        moisture = (moisture + soaked + heavy).min(250.0);
    }
    let common = 0.18 * (21.1 - temperature) * (1.0 - (-0.115 * humidity).exp());
    let damp = ((humidity - 100.0) / 10.0).exp();
    let drying_to = 0.942 * humidity.powf(0.679) + 11.0 * damp + common;
    let wetting_to = 0.618 * humidity.powf(0.753) + 10.0 * damp + common;
    let rate = |share: f64| {
        let still = 0.424 * (1.0 - share.powf(1.7));
        let windy = 0.0694 * wind.sqrt() * (1.0 - share.powi(8));
        (still + windy) * 0.581 * (0.0365 * temperature).exp()
    };
    let moisture = if moisture > drying_to {
        drying_to + (moisture - drying_to) / 10_f64.powf(rate(humidity / 100.0))
    } else if moisture < wetting_to {
        wetting_to - (wetting_to - moisture) / 10_f64.powf(rate((100.0 - humidity) / 100.0))
    } else {
        moisture
    };
    Ok((59.5 * (250.0 - moisture) / (CODE_FACTOR + moisture)).clamp(0.0, 101.0))
}

/// Effective day length in hours by month, for four bands of latitude.
const DAY_LENGTHS: [[f64; 12]; 4] = [
    [
        6.5, 7.5, 9.0, 12.8, 13.9, 13.9, 12.4, 10.9, 9.4, 8.0, 7.0, 6.0,
    ],
    [7.9, 8.4, 8.9, 9.5, 9.9, 10.2, 10.1, 9.7, 9.1, 8.6, 8.1, 7.8],
    [10.1, 9.6, 9.1, 8.5, 8.1, 7.8, 7.9, 8.3, 8.9, 9.4, 9.9, 10.2],
    [
        11.5, 10.5, 9.2, 7.9, 6.8, 6.2, 6.5, 7.4, 8.7, 10.0, 11.2, 11.8,
    ],
];

fn month_index(month: u32) -> Result<usize, HazardError> {
    match month {
        1..=12 => Ok(month as usize - 1),
        _ => Err(HazardError::Contradiction(format!(
            "{month} is no month; give 1 to 12"
        ))),
    }
}

fn day_length(month: u32, latitude: f64) -> Result<f64, HazardError> {
    let month = month_index(month)?;
    let latitude = LATITUDE.check(latitude)?;
    Ok(match latitude {
        north if north > 30.0 => DAY_LENGTHS[0][month],
        north if north > 10.0 => DAY_LENGTHS[1][month],
        equator if equator > -10.0 => 9.0,
        south if south > -30.0 => DAY_LENGTHS[2][month],
        _ => DAY_LENGTHS[3][month],
    })
}

/// Duff moisture code of a day (equations 11 to 17).
///
/// Inputs: the code of the day before; weather at noon; month; latitude in degrees north.
pub fn duff_moisture_code(
    before: f64,
    noon: &Noon,
    month: u32,
    latitude: f64,
) -> Result<f64, HazardError> {
    let before = DUFF.check(before)?;
    let noon = noon.check()?;
    let warmth = noon.temperature.max(-1.1) + 1.1;
    let dried = 1.894 * warmth * (100.0 - noon.humidity) * day_length(month, latitude)? * 1e-4;
    if noon.rain <= 1.5 {
        return Ok(before + dried);
    }
    let rain = 0.92 * noon.rain - 1.27;
    let moisture = 20.0 + 280.0 / (0.023 * before).exp();
    let slope = match before {
        low if low <= 33.0 => 100.0 / (0.5 + 0.3 * before),
        middle if middle <= 65.0 => 14.0 - 1.3 * before.ln(),
        _ => 6.2 * before.ln() - 17.2,
    };
    let wetted = moisture + 1000.0 * rain / (48.77 + slope * rain);
    let code = 43.43 * (5.6348 - (wetted - 20.0).ln());
    Ok(code.max(0.0) + dried)
}

/// Drying of a day by month, north and south of the tropics.
const DAY_FACTORS: [[f64; 12]; 2] = [
    [
        -1.6, -1.6, -1.6, 0.9, 3.8, 5.8, 6.4, 5.0, 2.4, 0.4, -1.6, -1.6,
    ],
    [
        6.4, 5.0, 2.4, 0.4, -1.6, -1.6, -1.6, -1.6, -1.6, 0.9, 3.8, 5.8,
    ],
];

/// Drought code of a day (equations 18 to 23).
///
/// Inputs: the code of the day before; weather at noon; month; latitude in degrees north.
pub fn drought_code(
    before: f64,
    noon: &Noon,
    month: u32,
    latitude: f64,
) -> Result<f64, HazardError> {
    let before = DROUGHT.check(before)?;
    let noon = noon.check()?;
    let month = month_index(month)?;
    let factor = match LATITUDE.check(latitude)? {
        north if north > 20.0 => DAY_FACTORS[0][month],
        tropics if tropics > -20.0 => 1.4,
        _ => DAY_FACTORS[1][month],
    };
    let dried = ((0.36 * (noon.temperature.max(-2.8) + 2.8) + factor) / 2.0).max(0.0);
    if noon.rain <= 2.8 {
        return Ok(before + dried);
    }
    let rain = 0.83 * noon.rain - 1.27;
    let moisture = 800.0 * (-before / 400.0).exp();
    let wetted = before - 400.0 * (1.0 + 3.937 * rain / moisture).ln();
    Ok(wetted.max(0.0) + dried)
}

/// How a wind speeds a fire up in the spread index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindFunction {
    /// As in the Fire Weather Index.
    Plain,
    /// As in the Fire Behaviour Prediction System, which levels off above 40 km/h.
    Levelling,
}

/// Part of the spread index that the moisture of fine fuel gives (equation 25).
pub(super) fn fine_fuel_part(code: f64) -> f64 {
    let moisture = fine_moisture(code);
    91.9 * (-0.1386 * moisture).exp() * (1.0 + moisture.powf(5.31) / 4.93e7)
}

/// Initial spread index (equations 24 to 26).
///
/// Inputs: fine fuel moisture code, 0 to 101; wind in km/h.
pub fn initial_spread_index(
    code: f64,
    wind: f64,
    function: WindFunction,
) -> Result<f64, HazardError> {
    let (code, wind) = (FINE.check(code)?, WIND.check(wind)?);
    let windy = match function {
        WindFunction::Levelling if wind >= 40.0 => 12.0 * (1.0 - (-0.0818 * (wind - 28.0)).exp()),
        _ => (0.05039 * wind).exp(),
    };
    Ok(0.208 * windy * fine_fuel_part(code))
}

/// Buildup index (equation 27).
///
/// Inputs: duff moisture and drought codes, zero or more.
pub fn buildup_index(duff: f64, drought: f64) -> Result<f64, HazardError> {
    let (duff, drought) = (DUFF.check(duff)?, DROUGHT.check(drought)?);
    if duff == 0.0 {
        return Ok(0.0);
    }
    let index = 0.8 * drought * duff / (duff + 0.4 * drought);
    if index >= duff {
        return Ok(index);
    }
    let share = (duff - index) / duff;
    Ok((duff - (0.92 + (0.0114 * duff).powf(1.7)) * share).max(0.0))
}

/// Fire weather index (equations 28 to 30).
///
/// Inputs: initial spread and buildup indices, zero or more.
pub fn fire_weather_index(spread: f64, buildup: f64) -> Result<f64, HazardError> {
    let (spread, buildup) = (INDEX.check(spread)?, BUILDUP.check(buildup)?);
    let fuel = match buildup > 80.0 {
        true => 1000.0 / (25.0 + 108.64 / (0.023 * buildup).exp()),
        false => 0.626 * buildup.powf(0.809) + 2.0,
    };
    let intensity = 0.1 * spread * fuel;
    Ok(match intensity <= 1.0 {
        true => intensity,
        false => (2.72 * (0.434 * intensity.ln()).powf(0.647)).exp(),
    })
}

/// Daily severity rating, `0.0272 FWI^1.77` (equation 31).
pub fn daily_severity_rating(index: f64) -> f64 {
    0.0272 * index.powf(1.77)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Noon = Noon {
        temperature: 20.0,
        humidity: 40.0,
        wind: 15.0,
        rain: 0.0,
    };

    #[test]
    fn weather_that_cannot_be_is_refused_by_name() {
        for (noon, name) in [
            (
                Noon {
                    humidity: 101.0,
                    ..NOON
                },
                "relative_humidity",
            ),
            (Noon { rain: -1.0, ..NOON }, "rainfall"),
            (
                Noon {
                    wind: f64::NAN,
                    ..NOON
                },
                "wind_speed",
            ),
        ] {
            let error = Codes::START.after(&noon, 7, 50.0).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
        assert!(Codes::START.after(&NOON, 13, 50.0).is_err());
    }

    #[test]
    fn dry_days_raise_every_code_and_a_wet_day_lowers_them() {
        let dry = Codes::START.after(&NOON, 7, 50.0).unwrap();
        assert!(dry.duff > 6.0 && dry.drought > 15.0);
        let wet = dry.after(&Noon { rain: 30.0, ..NOON }, 7, 50.0).unwrap();
        assert!(wet.fine < dry.fine && wet.duff < dry.duff && wet.drought < dry.drought);
    }
}
