//! Surface fires after Rothermel (1972), as Albini (1976) corrected them.

use lahar_core::capability::Citation;

use super::fuel_models::FuelModel;
use crate::error::{HazardError, Limit};

/// The model.
pub const ROTHERMEL_1972: Citation = Citation {
    authors: "Rothermel",
    year: 1972,
    doi: "USDA Forest Service Research Paper INT-115",
    place: "equations 1 to 90; corrections of Albini 1976, INT-30",
};
/// The same with all that was changed since.
pub const ANDREWS_2018: Citation = Citation {
    authors: "Andrews",
    year: 2018,
    doi: "doi:10.2737/RMRS-GTR-371",
    place: "tables 5 and 6",
};
/// Wind under a canopy.
pub const ANDREWS_2012: Citation = Citation {
    authors: "Andrews",
    year: 2012,
    doi: "doi:10.2737/RMRS-GTR-266",
    place: "equations 2 and 6",
};

pub(super) const DEAD: Limit = Limit::new("dead_fuel_moisture", "1", 0.0, 1.0, ANDREWS_2018);
const LIVE: Limit = Limit::new("live_fuel_moisture", "1", 0.0, 5.0, ANDREWS_2018);
const WIND: Limit = Limit::new("midflame_wind", "m/min", 0.0, 10_000.0, ANDREWS_2018);
const SLOPE: Limit = Limit::new("slope", "1", 0.0, 20.0, ANDREWS_2018);

/// Density of dry wood in lb/ft³.
const WOOD: f64 = 32.0;
/// Share of minerals, and of those that are not silica.
const MINERALS: f64 = 0.0555;
const EFFECTIVE_MINERALS: f64 = 0.010;
/// Metres in a foot.
const FOOT: f64 = 0.3048;
/// kW/m in a BTU per foot and second.
const BTU_PER_FOOT_SECOND: f64 = 1_055.055_852_62 / 1000.0 / FOOT;
/// Metres in a mile.
const MILE: f64 = 1609.344;

/// Water in the fuel as a fraction of its dry weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moisture {
    /// Dead fuel of an hour.
    pub one_hour: f64,
    /// Dead fuel of ten hours.
    pub ten_hours: f64,
    /// Dead fuel of a hundred hours.
    pub hundred_hours: f64,
    /// Live herbs.
    pub herbs: f64,
    /// Live wood.
    pub wood: f64,
}

/// A fuel bed with its moisture: all that does not depend on wind and slope.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FuelBed {
    /// Rate of spread without wind and slope, in m/min.
    pub rate: f64,
    /// Intensity of the front without wind and slope, in kW/m.
    pub intensity: f64,
    /// Effective wind above which the rate rises no more, in m/min (0.9 of the reaction
    /// intensity; optional since Andrews and others 2013).
    pub wind_limit: f64,
    /// `φ_S / tan² slope`.
    slope_factor: f64,
    /// `φ_W = factor · U^power`, with `U` in ft/min.
    wind_factor: f64,
    wind_power: f64,
}

/// Size classes in which fuel of like surface counts together, by surface per volume in 1/ft.
const CLASSES: [f64; 5] = [1200.0, 192.0, 96.0, 48.0, 16.0];

fn class(surface: f64) -> usize {
    CLASSES
        .iter()
        .position(|least| surface >= *least)
        .unwrap_or(CLASSES.len())
}

impl FuelBed {
    /// A fuel bed with its moisture.
    ///
    /// Inputs: a fuel model; moistures as fractions, dead ones to 1, live ones to 5. Output: what
    /// it does without wind and slope; a rate of zero where it is too wet or does not burn.
    ///
    /// Steady fire in even surface fuel below 8 cm; no crowns, no spotting, no plume.
    ///
    /// ```
    /// use lahar_hazards::wildfire::fuel_models::FuelModel;
    /// use lahar_hazards::wildfire::rothermel::{FuelBed, Moisture};
    /// let wet = Moisture {
    ///     one_hour: 0.13, ten_hours: 0.13, hundred_hours: 0.13, herbs: 1.0, wood: 1.0,
    /// };
    /// // Short grass does not burn from 12 percent on.
    /// let grass = FuelBed::new(FuelModel::of(1).unwrap(), &wet).unwrap();
    /// assert_eq!(grass.rate, 0.0);
    /// ```
    pub fn new(model: &FuelModel, moisture: &Moisture) -> Result<FuelBed, HazardError> {
        for dead in [
            moisture.one_hour,
            moisture.ten_hours,
            moisture.hundred_hours,
        ] {
            DEAD.check(dead)?;
        }
        LIVE.check(moisture.herbs)?;
        LIVE.check(moisture.wood)?;
        if !model.burns() {
            return Ok(FuelBed {
                rate: 0.0,
                intensity: 0.0,
                wind_limit: 0.0,
                slope_factor: 0.0,
                wind_factor: 0.0,
                wind_power: 1.0,
            });
        }
        let parts = Parts::new(model, moisture);
        Ok(parts.burn(model))
    }

    /// `φ_W` of a wind in m/min (Rothermel 1972, equation 47).
    fn wind_effect(&self, wind: f64) -> f64 {
        match wind > 0.0 {
            true => self.wind_factor * (wind / FOOT).powf(self.wind_power),
            false => 0.0,
        }
    }

    /// Wind in m/min that has an effect.
    fn wind_of(&self, effect: f64) -> f64 {
        match effect > 0.0 {
            true => (effect / self.wind_factor).powf(1.0 / self.wind_power) * FOOT,
            false => 0.0,
        }
    }

    /// Heat that a square metre of the bed gives at the front, in kJ/m²: intensity over rate
    /// (Byram 1959; Andrews 2018, table 5). Zero where nothing burns.
    pub fn heat_per_area(&self) -> f64 {
        match self.rate > 0.0 {
            true => self.intensity * 60.0 / self.rate,
            false => 0.0,
        }
    }

    /// What wind and slope add to the spread, as an arrow `φ` along the slope (east, north, up), and
    /// the wind in m/min that alone would do the same.
    ///
    /// Inputs: the wind as an arrow in m/min to where it blows; the gradient of the ground, rise
    /// over run to the east and to the north; whether the effective wind is limited.
    pub(super) fn push(
        &self,
        [east, north]: [f64; 2],
        rise: [f64; 2],
        limited: bool,
    ) -> ([f64; 3], f64) {
        // On the slope, an arrow also rises by its dot product with the gradient.
        let up = east * rise[0] + north * rise[1];
        let steep = rise[0] * rise[0] + rise[1] * rise[1];
        let wind = (east * east + north * north + up * up).sqrt();
        let windy = match wind > 0.0 {
            true => self.wind_effect(wind) / wind,
            false => 0.0,
        };
        let sloping = match steep > 0.0 {
            true => self.slope_factor * steep / (steep + steep * steep).sqrt(),
            false => 0.0,
        };
        let both = [
            windy * east + sloping * rise[0],
            windy * north + sloping * rise[1],
            windy * up + sloping * steep,
        ];
        let effect = both.iter().map(|x| x * x).sum::<f64>().sqrt();
        let effective = self.wind_of(effect);
        if limited && effective > self.wind_limit {
            let kept = self.wind_effect(self.wind_limit) / effect;
            return (both.map(|x| x * kept), self.wind_limit);
        }
        (both, effective)
    }

    /// Fastest spread with wind and slope: `R = R₀ (1 + |φ_W + φ_S|)`, the two as vectors on the
    /// slope (Rothermel 1972, equation 52; directions as in Andrews 2018, section 5.3).
    ///
    /// Inputs: wind at half the flame's height, in m/min, and where it comes from; slope as rise
    /// over run, and where it faces; degrees clockwise from north. Whether the effective wind is
    /// limited.
    pub fn spread(
        &self,
        (wind, wind_from): (f64, f64),
        (slope, aspect): (f64, f64),
        limited: bool,
    ) -> Result<Spread, HazardError> {
        let (wind, slope) = (WIND.check(wind)?, SLOPE.check(slope)?);
        let arrow = |length: f64, from: f64| {
            let towards = from.to_radians() + std::f64::consts::PI;
            [length * towards.sin(), length * towards.cos()]
        };
        let (both, effective) = self.push(arrow(wind, wind_from), arrow(slope, aspect), limited);
        let effect = both.iter().map(|x| x * x).sum::<f64>().sqrt();
        let intensity = self.intensity * (1.0 + effect);
        Ok(Spread {
            rate: self.rate * (1.0 + effect),
            intensity,
            flame_length: flame_length(intensity),
            towards: match effect > 0.0 {
                true => both[0].atan2(both[1]).to_degrees().rem_euclid(360.0),
                false => 0.0,
            },
            effective_wind: effective,
            length_to_width: length_to_width(effective),
        })
    }
}

/// Length of flames in metres: `0.45 I^0.46` in ft and BTU per ft and s (Byram 1959), which is
/// `0.0775 I^0.46` in m and kW/m.
pub fn flame_length(intensity: f64) -> f64 {
    0.45 * FOOT * (intensity / BTU_PER_FOOT_SECOND).powf(0.46)
}

/// Length of a fire over its width, 1 to 8, from the effective wind in m/min at half the flame's
/// height (Anderson 1983, `0.936 e^(0.2566 U) + 0.461 e^(-0.1548 U) - 0.397` with `U` in m/s, its
/// factors rounded in mi/h as Behave has them, 0.1147 and 0.0692).
pub(super) fn length_to_width(wind: f64) -> f64 {
    let wind = wind * 60.0 / MILE;
    let ratio = 0.936 * (0.1147 * wind).exp() + 0.461 * (-0.0692 * wind).exp() - 0.397;
    ratio.clamp(1.0, 8.0)
}

/// A fire where it is fastest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Rate of spread in m/min, along the slope.
    pub rate: f64,
    /// Intensity of the front in kW/m.
    pub intensity: f64,
    /// Length of the flames in metres.
    pub flame_length: f64,
    /// Where it runs, in degrees clockwise from north.
    pub towards: f64,
    /// Wind in m/min that alone would do what wind and slope do.
    pub effective_wind: f64,
    /// Length of the fire over its width.
    pub length_to_width: f64,
}

impl Spread {
    /// Eccentricity of the ellipse.
    pub fn eccentricity(&self) -> f64 {
        (self.length_to_width.powi(2) - 1.0).sqrt() / self.length_to_width
    }

    /// Rate in m/min at an angle from the fastest direction, in degrees:
    /// `R (1 - e) / (1 - e cos θ)`.
    ///
    /// ```
    /// # use lahar_hazards::wildfire::rothermel::Spread;
    /// let fire = Spread {
    ///     rate: 10.0, intensity: 1.0, flame_length: 1.0, towards: 0.0,
    ///     effective_wind: 100.0, length_to_width: 2.0,
    /// };
    /// assert_eq!(fire.rate_at(0.0), 10.0);
    /// let e = 0.75_f64.sqrt();
    /// assert!((fire.rate_at(180.0) - 10.0 * (1.0 - e) / (1.0 + e)).abs() < 1e-12);
    /// ```
    pub fn rate_at(&self, angle: f64) -> f64 {
        let e = self.eccentricity();
        self.rate * (1.0 - e) / (1.0 - e * angle.to_radians().cos())
    }
}

/// The six classes of a fuel bed: dead of 1, 10, 100 hours, dead herbs, live herbs, live wood.
struct Parts {
    load: [f64; 6],
    surface: [f64; 6],
    moisture: [f64; 6],
}

const LIVE_FROM: usize = 4;

impl Parts {
    fn new(model: &FuelModel, moisture: &Moisture) -> Parts {
        let [one, ten, hundred, herbs, wood] = model.loads;
        let [s_one, s_ten, s_hundred, s_herbs, s_wood] = model.surfaces;
        // Herbs are green from 120 percent, cured at 30 percent, and in between in parts.
        let green = match model.is_dynamic() {
            true => (moisture.herbs / 0.9 - 1.0 / 3.0).clamp(0.0, 1.0),
            false => 1.0,
        };
        Parts {
            load: [
                one,
                ten,
                hundred,
                herbs * (1.0 - green),
                herbs * green,
                wood,
            ],
            surface: [s_one, s_ten, s_hundred, s_herbs, s_herbs, s_wood],
            moisture: [
                moisture.one_hour,
                moisture.ten_hours,
                moisture.hundred_hours,
                moisture.one_hour,
                moisture.herbs,
                moisture.wood,
            ],
        }
    }

    fn range(live: bool) -> std::ops::Range<usize> {
        if live { LIVE_FROM..6 } else { 0..LIVE_FROM }
    }

    fn burn(&self, model: &FuelModel) -> FuelBed {
        let area = |at: usize| self.load[at] * self.surface[at] / WOOD;
        let total = |range: std::ops::Range<usize>| range.map(area).sum::<f64>();
        let all = total(0..6);
        let share_of = |live: bool| total(Parts::range(live)) / all;
        // Share of a class in its category.
        let share = |at: usize| {
            let category = total(Parts::range(at >= LIVE_FROM));
            if category > 0.0 {
                area(at) / category
            } else {
                0.0
            }
        };
        // Share of all the classes of like size in its category.
        let like = |at: usize| {
            let own = class(self.surface[at]);
            let range = Parts::range(at >= LIVE_FROM);
            range
                .filter(|other| self.surface[*other] > 0.0 && class(self.surface[*other]) == own)
                .map(share)
                .sum::<f64>()
        };
        let weighted = |of: &dyn Fn(usize) -> f64| {
            [false, true]
                .map(|live| {
                    share_of(live) * Parts::range(live).map(|at| share(at) * of(at)).sum::<f64>()
                })
                .iter()
                .sum::<f64>()
        };
        let surface = weighted(&|at| self.surface[at]);
        let bulk = self.load.iter().sum::<f64>() / model.depth;
        let packing = bulk / WOOD;
        let relative = packing / (3.348 * surface.powf(-0.8189));
        let velocity = {
            let a = 133.0 * surface.powf(-0.7913);
            let highest = surface.powf(1.5) / (495.0 + 0.0594 * surface.powf(1.5));
            highest * relative.powf(a) * (a * (1.0 - relative)).exp()
        };
        let minerals = (0.174 * EFFECTIVE_MINERALS.powf(-0.19)).min(1.0);
        let reaction: f64 = [false, true]
            .map(|live| {
                let range = Parts::range(live);
                let net: f64 = range
                    .clone()
                    .map(|at| like(at) * self.load[at] * (1.0 - MINERALS))
                    .sum();
                let moisture: f64 = range.map(|at| share(at) * self.moisture[at]).sum();
                let extinction = match live {
                    false => model.extinction,
                    true => self.live_extinction(model.extinction),
                };
                let r = (moisture / extinction).min(1.0);
                let damping = match r < 1.0 {
                    true => 1.0 - 2.59 * r + 5.11 * r * r - 3.52 * r * r * r,
                    false => 0.0,
                };
                net * model.heat * damping.max(0.0) * minerals
            })
            .iter()
            .sum::<f64>()
            * velocity;
        let carried =
            ((0.792 + 0.681 * surface.sqrt()) * (packing + 0.1)).exp() / (192.0 + 0.2595 * surface);
        let sink = bulk
            * weighted(&|at| match self.surface[at] > 0.0 {
                true => (-138.0 / self.surface[at]).exp() * (250.0 + 1116.0 * self.moisture[at]),
                false => 0.0,
            });
        let rate = reaction * carried / sink;
        let intensity = reaction * 384.0 / surface * rate / 60.0;
        let power = 0.02526 * surface.powf(0.54);
        FuelBed {
            rate: rate * FOOT,
            intensity: intensity * BTU_PER_FOOT_SECOND,
            wind_limit: 0.9 * reaction * FOOT,
            slope_factor: 5.275 * packing.powf(-0.3),
            wind_factor: 7.47
                * (-0.133 * surface.powf(0.55)).exp()
                * relative.powf(-0.715 * (-3.59e-4 * surface).exp()),
            wind_power: power,
        }
    }

    /// Moisture above which live fuel does not burn (Albini 1976, as in Andrews 2018).
    fn live_extinction(&self, dead_extinction: f64) -> f64 {
        let heated = |at: usize, by: f64| match self.surface[at] > 0.0 {
            true => self.load[at] * (by / self.surface[at]).exp(),
            false => 0.0,
        };
        let dead: f64 = Parts::range(false).map(|at| heated(at, -138.0)).sum();
        let live: f64 = Parts::range(true).map(|at| heated(at, -500.0)).sum();
        if dead <= 0.0 || live <= 0.0 {
            return dead_extinction;
        }
        let wet: f64 = Parts::range(false)
            .map(|at| self.moisture[at] * heated(at, -138.0))
            .sum();
        let fine = wet / dead;
        (2.9 * dead / live * (1.0 - fine / dead_extinction) - 0.226).max(dead_extinction)
    }
}

/// Wind at half the flame's height from the wind 20 ft above the vegetation (Andrews 2012).
///
/// Inputs: the wind in any unit; depth of the fuel bed in ft; height of the canopy in ft; its
/// cover 0 to 1. Output: a wind in the same unit.
///
/// ```
/// use lahar_hazards::wildfire::rothermel::midflame_wind;
/// let open = midflame_wind(10.0, 1.0, 0.0, 0.0).unwrap();
/// assert!((open - 10.0 * 1.83 / (20.36_f64 / 0.13).ln()).abs() < 1e-12);
/// ```
pub fn midflame_wind(
    wind: f64,
    fuel_depth: f64,
    canopy_height: f64,
    canopy_cover: f64,
) -> Result<f64, HazardError> {
    const COVER: Limit = Limit::new("canopy_cover", "1", 0.0, 1.0, ANDREWS_2012);
    const HEIGHT: Limit = Limit::new("canopy_height", "ft", 0.0, 500.0, ANDREWS_2012);
    const DEPTH: Limit = Limit::new("fuel_bed_depth", "ft", 0.0, 100.0, ANDREWS_2012);
    let cover = COVER.check(canopy_cover)?;
    let (height, depth) = (HEIGHT.check(canopy_height)?, DEPTH.check(fuel_depth)?);
    let factor = match sheltering(height, cover) {
        Some(factor) => factor,
        None if depth > 0.0 => 1.83 / profile(depth),
        None => 0.0,
    };
    Ok(wind * factor)
}

/// `ln((20 + 0.36 H) / (0.13 H))` of a height in ft.
fn profile(height: f64) -> f64 {
    ((20.0 + 0.36 * height) / (0.13 * height)).ln()
}

/// Share of the wind 20 ft above trees that is left beneath them; nothing where there are too few
/// to shelter anything (Andrews 2012, equation 6). Height in ft, cover as a fraction.
pub(super) fn sheltering(height: f64, cover: f64) -> Option<f64> {
    let filled = cover / 3.0;
    (filled >= 0.05 && height >= 6.0).then(|| 0.555 / ((filled * height).sqrt() * profile(height)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRY: Moisture = Moisture {
        one_hour: 0.05,
        ten_hours: 0.06,
        hundred_hours: 0.07,
        herbs: 0.8,
        wood: 1.0,
    };

    #[test]
    fn wind_and_slope_quicken_a_fire_and_water_slows_it() {
        let model = FuelModel::of(4).unwrap();
        let bed = FuelBed::new(model, &DRY).unwrap();
        let rate = |wind: f64, slope: f64| {
            bed.spread((wind, 270.0), (slope, 180.0), false)
                .unwrap()
                .rate
        };
        assert_eq!(rate(0.0, 0.0), bed.rate);
        assert!(rate(100.0, 0.0) > bed.rate && rate(0.0, 0.3) > bed.rate);
        let wetter = Moisture {
            one_hour: 0.1,
            ..DRY
        };
        assert!(FuelBed::new(model, &wetter).unwrap().rate < bed.rate);
    }

    #[test]
    fn bare_ground_does_not_burn() {
        let rock = FuelBed::new(FuelModel::of(99).unwrap(), &DRY).unwrap();
        let spread = rock.spread((200.0, 0.0), (0.5, 90.0), true).unwrap();
        assert_eq!((spread.rate, spread.intensity), (0.0, 0.0));
    }

    #[test]
    fn moisture_in_percent_is_refused() {
        let percent = Moisture {
            one_hour: 5.0,
            ..DRY
        };
        let error = FuelBed::new(FuelModel::of(1).unwrap(), &percent).unwrap_err();
        assert!(error.to_string().contains("dead_fuel_moisture"), "{error}");
    }
}
