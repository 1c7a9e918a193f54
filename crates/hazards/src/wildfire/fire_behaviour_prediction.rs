//! The Canadian Forest Fire Behaviour Prediction System: how fast and how hard a fire burns in a
//! benchmark fuel type.

mod fuel;

use lahar_core::capability::Citation;

use super::fire_weather_index::{self as weather, WindFunction, fine_fuel_part};
use crate::error::{HazardError, Limit};

pub use fuel::FuelType;

/// The system.
pub const FCFDG_1992: Citation = Citation {
    authors: "Forestry Canada Fire Danger Group",
    year: 1992,
    doi: "Forestry Canada, Information Report ST-X-3",
    place: "equations 1 to 96",
};
/// What was changed and corrected later.
pub const WOTTON_2009: Citation = Citation {
    authors: "Wotton, Alexander & Taylor",
    year: 2009,
    doi: "Natural Resources Canada, Information Report GLC-X-10",
    place: "updates and revisions",
};

const PERCENT: Limit = Limit::new("share", "%", 0.0, 100.0, FCFDG_1992);
const SPREAD: Limit = Limit::new("initial_spread_index", "1", 0.0, 1e4, FCFDG_1992);
const SLOPE: Limit = Limit::new("slope", "%", 0.0, 1000.0, FCFDG_1992);

/// Rate and load where there is none, so that what is divided by them exists.
const LEAST: f64 = 1e-6;

/// What is burned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stand {
    /// Benchmark fuel type.
    pub fuel: FuelType,
    /// Share of conifers in mixed wood, in percent.
    pub conifer: f64,
    /// Share of dead fir, in percent.
    pub dead_fir: f64,
    /// Share of cured grass, in percent.
    pub cured: f64,
    /// Load of grass in kg/m².
    pub grass_load: f64,
    /// Height of the crown's base in metres.
    pub crown_base: f64,
    /// Load of the crown in kg/m².
    pub crown_load: f64,
}

impl Stand {
    /// The benchmark stand of a fuel type, with the shares that are usual where none are known: 50
    /// percent conifers, 35 percent dead fir, 80 percent cured, 0.35 kg/m² of grass.
    pub fn benchmark(fuel: FuelType) -> Stand {
        let (crown_base, crown_load) = fuel.crown();
        Stand {
            fuel,
            conifer: 50.0,
            dead_fir: 35.0,
            cured: 80.0,
            grass_load: 0.35,
            crown_base,
            crown_load,
        }
    }

    fn check(&self) -> Result<(), HazardError> {
        for share in [self.conifer, self.dead_fir, self.cured] {
            PERCENT.check(share)?;
        }
        Ok(())
    }
}

/// Moisture of leaves in percent, by the day of the year (equations 1 to 8). Gives the moisture
/// and the day on which it is lowest.
///
/// Inputs: latitude in degrees north, longitude in degrees west, elevation in metres (0 where it
/// is not known), day of the year, the day of the lowest moisture where it is known.
pub fn foliar_moisture(
    latitude: f64,
    longitude: f64,
    elevation: f64,
    day: f64,
    lowest_day: Option<f64>,
) -> (f64, f64) {
    let lowest = lowest_day.unwrap_or_else(|| {
        let west = 150.0 - longitude;
        match elevation <= 0.0 {
            true => 151.0 * latitude / (46.0 + 23.4 * (-0.0360 * west).exp()),
            false => 142.1 * latitude / (43.0 + 33.7 * (-0.0351 * west).exp()) + 0.0172 * elevation,
        }
        .round_ties_even()
    });
    let from = (day - lowest).abs();
    let moisture = match from {
        near if near < 30.0 => 85.0 + 0.0189 * from * from,
        middle if middle < 50.0 => 32.9 + 3.17 * from - 0.0288 * from * from,
        _ => 120.0,
    };
    (moisture, lowest)
}

/// How much the fuel that has built up changes the rate of spread (equation 54).
pub fn buildup_effect(fuel: FuelType, buildup: f64) -> f64 {
    let (usual, q) = fuel.buildup();
    match buildup > 0.0 && usual > 0.0 {
        true => (50.0 * q.ln() * (1.0 / buildup - 1.0 / usual)).exp(),
        false => 1.0,
    }
}

/// Surface fuel that burns, in kg/m² (equations 9 to 25).
pub fn surface_fuel_consumption(stand: &Stand, fine: f64, buildup: f64) -> f64 {
    use FuelType::*;
    let burned = |load: f64, rate: f64| load * (1.0 - (-rate * buildup).exp());
    let burned_to =
        |load: f64, rate: f64, power: f64| load * (1.0 - (-rate * buildup).exp()).powf(power);
    let load = match stand.fuel {
        C1 => {
            let part = |away: f64| 0.75 * (1.0 - (-0.23 * away).exp()).sqrt();
            match fine > 84.0 {
                true => 0.75 + part(fine - 84.0),
                false => 0.75 - part(84.0 - fine),
            }
        }
        C2 | M3 | M4 => burned(5.0, 0.0115),
        C3 | C4 => burned_to(5.0, 0.0164, 2.24),
        C5 | C6 => burned_to(5.0, 0.0149, 2.48),
        C7 => {
            let litter = match fine > 70.0 {
                true => 2.0 * (1.0 - (-0.104 * (fine - 70.0)).exp()),
                false => 0.0,
            };
            litter + burned(1.5, 0.0201)
        }
        D1 => burned(1.5, 0.0183),
        M1 | M2 => {
            let conifer = stand.conifer / 100.0;
            conifer * burned(5.0, 0.0115) + (1.0 - conifer) * burned(1.5, 0.0183)
        }
        O1a | O1b => stand.grass_load,
        S1 => burned(4.0, 0.025) + burned(4.0, 0.034),
        S2 => burned(10.0, 0.013) + burned(6.0, 0.060),
        S3 => burned(12.0, 0.0166) + burned(20.0, 0.0210),
    };
    if load > 0.0 { load } else { LEAST }
}

/// Intensity of a surface fire that lights the crown, in kW/m (equation 56).
pub fn critical_surface_intensity(foliar_moisture: f64, crown_base: f64) -> f64 {
    0.001 * crown_base.powf(1.5) * (460.0 + 25.9 * foliar_moisture).powf(1.5)
}

/// Rate of a surface fire that lights the crown, in m/min (equation 57).
pub fn critical_surface_rate(intensity: f64, surface_fuel: f64) -> f64 {
    intensity / (300.0 * surface_fuel)
}

/// Share of the crown that burns (equation 58).
pub fn crown_fraction_burned(rate: f64, critical_rate: f64) -> f64 {
    match rate > critical_rate {
        true => 1.0 - (-0.23 * (rate - critical_rate)).exp(),
        false => 0.0,
    }
}

/// Fuel that burns, crown included, in kg/m² (equations 66 and 67).
pub fn total_fuel_consumption(stand: &Stand, crown_fraction: f64, surface_fuel: f64) -> f64 {
    surface_fuel + crown_fuel_consumption(stand, crown_fraction)
}

fn crown_fuel_consumption(stand: &Stand, crown_fraction: f64) -> f64 {
    use FuelType::*;
    let share = match stand.fuel {
        M1 | M2 => stand.conifer / 100.0,
        M3 | M4 => stand.dead_fir / 100.0,
        _ => 1.0,
    };
    stand.crown_load * crown_fraction * share
}

/// Intensity of a fire front in kW/m: `300 w R` (equation 69).
pub fn fire_intensity(fuel: f64, rate: f64) -> f64 {
    300.0 * fuel * rate
}

/// Length of a fire over its breadth (equations 79 to 81).
///
/// Input: wind in km/h, the slope's part included.
pub fn length_to_breadth(fuel: FuelType, wind: f64) -> f64 {
    match fuel.is_grass() {
        true if wind < 1.0 => 1.0,
        true => 1.1 * wind.powf(0.464),
        false => 1.0 + 8.729 * (1.0 - (-0.030 * wind).exp()).powf(2.155),
    }
}

/// Rate at the flank of an ellipse, in m/min (equation 89).
pub fn flank_rate(head: f64, back: f64, length_to_breadth: f64) -> f64 {
    (head + back) / length_to_breadth / 2.0
}

/// How fast a new fire gathers speed, per minute (equations 70 to 72).
fn acceleration(fuel: FuelType, crown_fraction: f64) -> f64 {
    match fuel.is_open() {
        true => 0.115,
        false => closed_acceleration(crown_fraction),
    }
}

fn closed_acceleration(crown_fraction: f64) -> f64 {
    0.115 - 18.8 * crown_fraction.powf(2.5) * (-8.0 * crown_fraction).exp()
}

/// Distance that a new fire has run after some minutes, in metres (equation 71).
pub fn distance(fuel: FuelType, rate: f64, minutes: f64, crown_fraction: f64) -> f64 {
    let a = acceleration(fuel, crown_fraction);
    rate * (minutes + (-a * minutes).exp() / a - 1.0 / a)
}

/// Rate of spread at the head in m/min, fuel built up included (equations 26 to 55; conifer
/// plantations by equations 59 to 65).
///
/// Inputs: a stand; initial spread index; buildup index, below zero to leave its effect out;
/// foliar moisture in percent; surface fuel that burns in kg/m².
///
/// ```
/// use lahar_hazards::wildfire::fire_behaviour_prediction::{FuelType, Stand, rate_of_spread};
/// let spruce = Stand::benchmark(FuelType::C2);
/// let rate = rate_of_spread(&spruce, 10.0, -1.0, 100.0, 2.0).unwrap();
/// assert!((rate - 110.0 * (1.0 - (-0.282_f64).exp()).powf(1.5)).abs() < 1e-9);
/// ```
pub fn rate_of_spread(
    stand: &Stand,
    spread: f64,
    buildup: f64,
    foliar_moisture: f64,
    surface_fuel: f64,
) -> Result<f64, HazardError> {
    stand.check()?;
    let spread = SPREAD.check(spread)?;
    let effect = buildup_effect(stand.fuel, buildup);
    let rate = match stand.fuel {
        FuelType::C6 => plantation(stand, spread, effect, foliar_moisture, surface_fuel).rate,
        _ => effect * intermediate_rate(stand, spread),
    };
    Ok(if rate > 0.0 { rate } else { LEAST })
}

/// Rate before the fuel that has built up counts.
fn intermediate_rate(stand: &Stand, spread: f64) -> f64 {
    use FuelType::*;
    let plain = |fuel: FuelType| fuel.rate(spread);
    let (conifer, dead) = (stand.conifer / 100.0, stand.dead_fir / 100.0);
    match stand.fuel {
        M1 => conifer * plain(C2) + (1.0 - conifer) * plain(D1),
        M2 => conifer * plain(C2) + 0.2 * (1.0 - conifer) * plain(D1),
        M3 => dead * plain(M3) + (1.0 - dead) * plain(D1),
        M4 => dead * plain(M4) + 0.2 * (1.0 - dead) * plain(D1),
        O1a | O1b => plain(stand.fuel) * curing_factor(stand.cured),
        other => plain(other),
    }
}

/// How much cured grass carries a fire (Wotton and others 2009, equations 35a and 35b).
fn curing_factor(cured: f64) -> f64 {
    match cured < 58.8 {
        true => 0.005 * ((0.061 * cured).exp() - 1.0),
        false => 0.176 + 0.02 * (cured - 58.8),
    }
}

struct Plantation {
    rate: f64,
    crown_fraction: f64,
}

/// Conifer plantation, where the crown has a rate of its own.
fn plantation(
    stand: &Stand,
    spread: f64,
    effect: f64,
    foliar_moisture: f64,
    surface_fuel: f64,
) -> Plantation {
    let surface = FuelType::C6.rate(spread) * effect;
    let foliage = (1.5 - 0.00275 * foliar_moisture).powi(4) / (460.0 + 25.9 * foliar_moisture);
    let crown = 60.0 * (1.0 - (-0.0497 * spread).exp()) * foliage * 1000.0 / 0.778;
    let critical = critical_surface_intensity(foliar_moisture, stand.crown_base);
    let critical = critical_surface_rate(critical, surface_fuel);
    let crown_fraction = match crown > surface && surface > critical {
        true => crown_fraction_burned(surface, critical),
        false => 0.0,
    };
    let rate = match crown > surface {
        true => surface + crown_fraction * (crown - surface),
        false => surface,
    };
    Plantation {
        rate,
        crown_fraction,
    }
}

/// Rate at the back of a fire, in m/min (equations 75 to 78).
pub fn back_rate(
    stand: &Stand,
    fine: f64,
    buildup: f64,
    wind: f64,
    foliar_moisture: f64,
    surface_fuel: f64,
) -> Result<f64, HazardError> {
    let spread = 0.208 * (-0.05039 * wind).exp() * fine_fuel_part(fine);
    rate_of_spread(stand, spread, buildup, foliar_moisture, surface_fuel)
}

/// Wind and slope as one wind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EffectiveWind {
    /// Speed in km/h.
    pub speed: f64,
    /// Where the fire runs, in radians clockwise from north.
    pub towards: f64,
}

/// Wind and slope as one wind (equations 39 to 51).
///
/// Inputs: a stand; fine fuel moisture code; wind in km/h and where it blows to; slope in percent
/// and where it rises to, both clockwise from north in radians; foliar moisture; surface fuel.
pub fn effective_wind(
    stand: &Stand,
    fine: f64,
    (wind, wind_towards): (f64, f64),
    (slope, upslope): (f64, f64),
    foliar_moisture: f64,
    surface_fuel: f64,
) -> Result<EffectiveWind, HazardError> {
    use FuelType::*;
    stand.check()?;
    let slope = SLOPE.check(slope)?;
    let factor = match slope >= 70.0 {
        true => 10.0,
        false => (3.533 * (slope / 100.0).powf(1.2)).exp(),
    };
    let still = weather::initial_spread_index(fine, 0.0, WindFunction::Levelling)?;
    // The index that would give the rate on the slope, without wind.
    let index_of = |rate: f64, fuel: FuelType, curing: f64| {
        let (a, b, c) = fuel.coefficients();
        let left = 1.0 - (rate / (curing * a)).powf(1.0 / c);
        -left.max(0.01).ln() / b
    };
    let plain = |fuel: FuelType| index_of(fuel.rate(still) * factor, fuel, 1.0);
    let index = match stand.fuel {
        M1 | M2 => {
            let conifer = stand.conifer / 100.0;
            conifer * plain(C2) + (1.0 - conifer) * plain(D1)
        }
        M3 | M4 => {
            let dead = stand.dead_fir / 100.0;
            dead * plain(stand.fuel) + (1.0 - dead) * plain(D1)
        }
        fuel => {
            let rate = rate_of_spread(stand, still, -1.0, foliar_moisture, surface_fuel)?;
            let curing = match fuel.is_grass() {
                true => curing_factor(stand.cured),
                false => 1.0,
            };
            index_of(rate * factor, fuel, curing)
        }
    };
    let moisture = fine_fuel_part(fine);
    let mut equivalent = (index / (0.208 * moisture)).ln() / 0.05039;
    if equivalent > 40.0 {
        equivalent = match index < 0.999 * 2.496 * moisture {
            true => 28.0 - (1.0 - index / (2.496 * moisture)).ln() / 0.0818,
            false => 112.45,
        };
    }
    let east = wind * wind_towards.sin() + equivalent * upslope.sin();
    let north = wind * wind_towards.cos() + equivalent * upslope.cos();
    let speed = east.hypot(north);
    let towards = match speed > 0.0 {
        true => (north / speed).clamp(-1.0, 1.0).acos(),
        false => 0.0,
    };
    Ok(EffectiveWind {
        speed,
        towards: match east < 0.0 {
            true => std::f64::consts::TAU - towards,
            false => towards,
        },
    })
}

/// Where and when a fire starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// Fine fuel moisture code.
    pub fine: f64,
    /// Buildup index.
    pub buildup: f64,
    /// Wind at 10 m in km/h.
    pub wind: f64,
    /// Where it blows to, in degrees clockwise from north.
    pub wind_towards: f64,
    /// Slope in percent.
    pub slope: f64,
    /// Where it rises to, in degrees.
    pub upslope: f64,
    /// Foliar moisture in percent.
    pub foliar_moisture: f64,
    /// Minutes since the fire began.
    pub minutes: f64,
}

/// A fire at its head, its flank or its back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Front {
    /// Rate of spread once it is steady, in m/min.
    pub rate: f64,
    /// Rate at the time asked for.
    pub rate_then: f64,
    /// Share of the crown that burns.
    pub crown_fraction: f64,
    /// Fuel that burns, in kg/m².
    pub fuel: f64,
    /// Intensity in kW/m.
    pub intensity: f64,
    /// Distance run, in metres.
    pub distance: f64,
}

/// What the system predicts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    /// The head.
    pub head: Front,
    /// The flank.
    pub flank: Front,
    /// The back.
    pub back: Front,
    /// Wind and slope as one wind.
    pub wind: EffectiveWind,
    /// Initial spread index with that wind.
    pub spread_index: f64,
    /// Surface fuel that burns, in kg/m².
    pub surface_fuel: f64,
    /// Intensity that lights the crown, in kW/m.
    pub critical_intensity: f64,
    /// Rate that lights the crown, in m/min.
    pub critical_rate: f64,
    /// Length over breadth once steady.
    pub length_to_breadth: f64,
    /// Length over breadth at the time asked for.
    pub length_to_breadth_then: f64,
}

/// The whole system for one stand.
///
/// Not for fuels without a benchmark type, nor outside the stands on which each was fitted.
pub fn predict(stand: &Stand, setting: &Setting) -> Result<Prediction, HazardError> {
    let fuel = stand.fuel;
    let foliar = match fuel.has_crown() {
        true => setting.foliar_moisture,
        false => 0.0,
    };
    let surface_fuel = surface_fuel_consumption(stand, setting.fine, setting.buildup);
    let wind_towards = setting.wind_towards.to_radians();
    let wind = match setting.slope > 0.0 {
        true => effective_wind(
            stand,
            setting.fine,
            (setting.wind, wind_towards),
            (setting.slope, setting.upslope.to_radians()),
            foliar,
            surface_fuel,
        )?,
        false => EffectiveWind {
            speed: setting.wind,
            towards: wind_towards,
        },
    };
    let spread_index =
        weather::initial_spread_index(setting.fine, wind.speed, WindFunction::Levelling)?;
    let rate = rate_of_spread(stand, spread_index, setting.buildup, foliar, surface_fuel)?;
    let crown_base = if fuel.has_crown() {
        stand.crown_base
    } else {
        0.0
    };
    let critical_intensity = critical_surface_intensity(foliar, crown_base);
    let critical_rate = critical_surface_rate(critical_intensity, surface_fuel);
    let crown = |rate: f64| match fuel.has_crown() {
        true => crown_fraction_burned(rate, critical_rate),
        false => 0.0,
    };
    let head_crown = match fuel {
        FuelType::C6 => {
            let effect = buildup_effect(fuel, setting.buildup);
            plantation(stand, spread_index, effect, foliar, surface_fuel).crown_fraction
        }
        _ => crown(rate),
    };
    let back_rate = back_rate(
        stand,
        setting.fine,
        setting.buildup,
        wind.speed,
        foliar,
        surface_fuel,
    )?;
    let length_to_breadth = length_to_breadth(fuel, wind.speed);
    let minutes = setting.minutes;
    let a = acceleration(fuel, head_crown);
    let grown = 1.0 - (-a * minutes).exp();
    let length_to_breadth_then = (length_to_breadth - 1.0) * grown + 1.0;
    let front = |rate: f64, rate_then: f64, crown_fraction: f64, distance: f64| {
        let fuel = total_fuel_consumption(stand, crown_fraction, surface_fuel);
        Front {
            rate,
            rate_then,
            crown_fraction,
            fuel,
            intensity: fire_intensity(fuel, rate),
            distance,
        }
    };
    let run = |rate: f64| distance(fuel, rate, minutes, head_crown);
    let flank = flank_rate(rate, back_rate, length_to_breadth);
    let flank_then = flank_rate(rate * grown, back_rate * grown, length_to_breadth_then);
    let wide = (run(rate) + run(back_rate)) / (2.0 * length_to_breadth_then);
    Ok(Prediction {
        head: front(rate, rate * grown, head_crown, run(rate)),
        flank: front(flank, flank_then, crown(flank), wide),
        back: front(
            back_rate,
            back_rate * grown,
            crown(back_rate),
            run(back_rate),
        ),
        wind,
        spread_index,
        surface_fuel,
        critical_intensity,
        critical_rate,
        length_to_breadth,
        length_to_breadth_then,
    })
}

/// Minutes until a new fire takes to the crown, with the acceleration of closed stands (the time
/// at which its rate reaches the critical one); `None` where it never does.
pub fn time_to_crown_fire(front: &Front, critical_rate: f64) -> Option<f64> {
    let left = 1.0 - critical_rate / front.rate;
    (left > 0.0 && critical_rate > 0.0)
        .then(|| -left.ln() / closed_acceleration(front.crown_fraction))
}
