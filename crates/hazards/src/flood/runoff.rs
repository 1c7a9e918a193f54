//! From rain to runoff.

use lahar_core::capability::Citation;
use lahar_core::measure::{Area, Length, Ratio, Span, Speed};

use crate::error::{HazardError, Limit};

/// The handbook of the Natural Resources Conservation Service on runoff from storms.
pub const NEH_10: Citation = Citation {
    authors: "Natural Resources Conservation Service",
    year: 2004,
    doi: "National Engineering Handbook, Part 630",
    place: "chapter 10, runoff from storm rainfall",
};
/// The same handbook on hydrographs.
pub const NEH_16: Citation = Citation {
    authors: "Natural Resources Conservation Service",
    year: 2007,
    doi: "National Engineering Handbook, Part 630",
    place: "chapter 16, hydrographs",
};
/// The rational method.
pub const RATIONAL: Citation = Citation {
    authors: "Chow, Maidment & Mays",
    year: 1988,
    doi: "Applied Hydrology, McGraw-Hill",
    place: "section 15.1, the rational method of Kuichling 1889",
};
/// Time of concentration of small basins.
pub const KIRPICH: Citation = Citation {
    authors: "Kirpich",
    year: 1940,
    doi: "Civil Engineering 10(6), 362",
    place: "time of concentration",
};
/// Infiltration behind a sharp wetting front.
pub const GREEN_AMPT: Citation = Citation {
    authors: "Green & Ampt",
    year: 1911,
    doi: "doi:10.1017/S0021859600001441",
    place: "infiltration under a ponded surface; start of ponding by Mein & Larson 1973, doi:10.1029/WR009i002p00384",
};

const CURVE_NUMBER: Limit = Limit::new("curve_number", "1", 0.0, 100.0, NEH_10).above_lowest();
const RAIN: Limit = Limit::new("rainfall", "mm", 0.0, 10_000.0, NEH_10);
const ABSTRACTION: Limit = Limit::new("initial_abstraction_ratio", "1", 0.0, 1.0, NEH_10);
const COEFFICIENT: Limit = Limit::new("runoff_coefficient", "1", 0.0, 1.0, RATIONAL);
const INTENSITY: Limit = Limit::new("rainfall_intensity", "mm/h", 0.0, 2000.0, RATIONAL);
const AREA: Limit = Limit::new("drainage_area", "km2", 0.0, 1e7, RATIONAL).above_lowest();
const CHANNEL: Limit = Limit::new("channel_length", "m", 0.0, 1e6, KIRPICH).above_lowest();
const FALL: Limit = Limit::new("channel_slope", "1", 0.0, 10.0, KIRPICH).above_lowest();
const CONDUCTIVITY: Limit =
    Limit::new("hydraulic_conductivity", "mm/h", 0.0, 1e5, GREEN_AMPT).above_lowest();
const SUCTION: Limit = Limit::new("suction_head", "mm", 0.0, 1e5, GREEN_AMPT);
const DEFICIT: Limit = Limit::new("moisture_deficit", "1", 0.0, 1.0, GREEN_AMPT);

/// Water that a basin can hold back after runoff begins: `S = 25400 / CN - 254` in mm
/// (NEH 630, equation 10-13 in metric units).
///
/// Input: curve number, more than 0 and at most 100. Output: a depth.
pub fn potential_retention(curve_number: f64) -> Result<Length, HazardError> {
    let curve_number = CURVE_NUMBER.check(curve_number)?;
    Ok(Length::millimetres(25_400.0 / curve_number - 254.0))
}

/// Direct runoff of a storm by the curve number: `Q = (P - λS)² / (P - λS + S)` where the rain
/// exceeds the initial abstraction `λS`, none below it (NEH 630, equation 10-9).
///
/// Inputs: rain of the whole storm; curve number; `λ`, 0.2 in the handbook, 0.05 in later work,
/// for which curve numbers have to be converted. Output: runoff as a depth.
///
/// Not for snowmelt, and not for parts of a storm: the rain is the storm's sum.
///
/// ```
/// use lahar_core::measure::{Length, Ratio};
/// use lahar_hazards::flood::runoff::curve_number_runoff;
/// let runoff = curve_number_runoff(Length::millimetres(100.0), 80.0, Ratio::fraction(0.2));
/// // S = 63.5 mm, 12.7 mm of it before any runoff: 87.3² / 150.8.
/// assert!((runoff.unwrap().to_millimetres() - 50.539).abs() < 1e-3);
/// ```
pub fn curve_number_runoff(
    rain: Length,
    curve_number: f64,
    initial_abstraction: Ratio,
) -> Result<Length, HazardError> {
    let rain = RAIN.check(rain.to_millimetres())?;
    let share = ABSTRACTION.check(initial_abstraction.to_fraction())?;
    let retention = potential_retention(curve_number)?.to_millimetres();
    let effective = rain - share * retention;
    if effective <= 0.0 {
        return Ok(Length::millimetres(0.0));
    }
    Ok(Length::millimetres(
        effective * effective / (effective + retention),
    ))
}

/// Peak discharge of a small basin in m³/s: `Q = C i A` (`C i A / 3.6` in mm/h and km²).
///
/// Inputs: share of the rain that runs off, mean intensity over the time of concentration, area.
/// Output: m³/s at the outlet.
///
/// Not for basins above about 0.8 km² (200 acres), nor where storage matters.
///
/// ```
/// use lahar_core::measure::{Area, Ratio, Speed};
/// use lahar_hazards::flood::runoff::rational_peak;
/// let (rain, area) = (Speed::millimetres_per_hour(36.0), Area::square_kilometres(0.5));
/// let peak = rational_peak(Ratio::fraction(0.4), rain, area).unwrap();
/// assert!((peak - 2.0).abs() < 1e-12);
/// ```
pub fn rational_peak(coefficient: Ratio, intensity: Speed, area: Area) -> Result<f64, HazardError> {
    let coefficient = COEFFICIENT.check(coefficient.to_fraction())?;
    let intensity = INTENSITY.check(intensity.to_millimetres_per_hour())?;
    let area = AREA.check(area.to_square_kilometres())?;
    Ok(coefficient * intensity * area / 3.6)
}

/// Time from the farthest point of a small basin to its outlet: `t = 0.0195 L^0.77 S^-0.385`
/// in minutes, with `L` in metres (Kirpich 1940, in metric units).
///
/// Inputs: length of the main channel, its mean fall as a ratio. Output: a span of time.
///
/// Fitted on seven rural basins of 0.004 to 0.45 km² in Tennessee.
pub fn kirpich_time_of_concentration(length: Length, slope: Ratio) -> Result<Span, HazardError> {
    let length = CHANNEL.check(length.to_metres())?;
    let slope = FALL.check(slope.to_fraction())?;
    Ok(Span::minutes(
        0.0195 * length.powf(0.77) * slope.powf(-0.385),
    ))
}

/// A triangular unit hydrograph: what one millimetre of runoff gives at the outlet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnitHydrograph {
    /// Time from the start of the runoff to the peak.
    pub time_to_peak: Span,
    /// Peak discharge in m³/s for one millimetre of runoff.
    pub peak: f64,
}

/// The NRCS triangle: `T_p = D / 2 + 0.6 t_c` and `q_p = 0.208 A / T_p` in m³/s per mm, with `A`
/// in km² and `T_p` in hours (NEH 630, chapter 16).
///
/// Inputs: area, duration of the runoff, time of concentration. The recession takes 1.67 `T_p`.
///
/// For runoff that is even over the basin; steep and flat basins differ from the factor 0.208.
pub fn unit_hydrograph(
    area: Area,
    duration: Span,
    concentration: Span,
) -> Result<UnitHydrograph, HazardError> {
    let area = AREA.check(area.to_square_kilometres())?;
    let hours = duration.to_hours() / 2.0 + 0.6 * concentration.to_hours();
    if !(hours > 0.0 && hours.is_finite()) {
        return Err(HazardError::Contradiction(format!(
            "runoff of {duration} and a time of concentration of {concentration} leave no time to \
             the peak; both must be positive"
        )));
    }
    Ok(UnitHydrograph {
        time_to_peak: Span::hours(hours),
        peak: 0.208 * area / hours,
    })
}

impl UnitHydrograph {
    /// Discharge in m³/s for one millimetre of runoff, at a time after the runoff began.
    pub fn discharge(&self, time: Span) -> f64 {
        let share = time.to_seconds() / self.time_to_peak.to_seconds();
        // The triangle ends where its area is one millimetre over the basin: 1 + 1.67.
        let end = 2.0 / 0.208 / 3.6;
        match share {
            rising if (0.0..=1.0).contains(&rising) => self.peak * rising,
            falling if (1.0..end).contains(&falling) => self.peak * (end - falling) / (end - 1.0),
            _ => 0.0,
        }
    }
}

/// Soil into which water sinks behind a sharp front.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GreenAmptSoil {
    /// Conductivity of the wetted soil.
    pub conductivity: Speed,
    /// Suction at the front.
    pub suction: Length,
    /// Share of the volume that can still take water.
    pub deficit: Ratio,
}

/// Water that a ponded soil has taken up after a time: the root of
/// `F - ψΔθ ln(1 + F / ψΔθ) = K t` (Green and Ampt 1911).
///
/// Inputs: the soil; time since ponding began at the dry front. Output: depth of water.
///
/// Not for layered soils, nor where the rain is below the soil's capacity all the time.
///
/// ```
/// use lahar_core::measure::{Length, Ratio, Span, Speed};
/// use lahar_hazards::flood::runoff::{GreenAmptSoil, green_ampt_infiltration};
/// let soil = GreenAmptSoil {
///     conductivity: Speed::millimetres_per_hour(10.0),
///     suction: Length::millimetres(100.0),
///     deficit: Ratio::fraction(0.3),
/// };
/// let depth = green_ampt_infiltration(&soil, Span::hours(1.0)).unwrap().to_millimetres();
/// let residual = depth - 30.0 * (1.0 + depth / 30.0_f64).ln() - 10.0;
/// assert!(residual.abs() < 1e-9 && depth > 10.0);
/// ```
pub fn green_ampt_infiltration(soil: &GreenAmptSoil, time: Span) -> Result<Length, HazardError> {
    let rate = CONDUCTIVITY.check(soil.conductivity.to_millimetres_per_hour())?;
    let suction = SUCTION.check(soil.suction.to_millimetres())?;
    let pull = suction * DEFICIT.check(soil.deficit.to_fraction())?;
    let target = rate * time.to_hours();
    if !(target >= 0.0 && target.is_finite()) {
        return Err(HazardError::Contradiction(format!(
            "{time} is no time since ponding began; it must be zero or more"
        )));
    }
    if pull == 0.0 || target == 0.0 {
        return Ok(Length::millimetres(target));
    }
    // Newton from above: the function rises and bends upward, so every step stays above the root.
    let mut depth = target + (2.0 * pull * target).sqrt() + target;
    for _ in 0..60 {
        let value = depth - pull * (depth / pull).ln_1p() - target;
        let step = value * (pull + depth) / depth;
        depth -= step;
        if step.abs() <= 1e-14 * depth {
            break;
        }
    }
    Ok(Length::millimetres(depth))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_rain_and_little_rain_run_off_nowhere() {
        for rain in [0.0, 12.6] {
            let rain = Length::millimetres(rain);
            let runoff = curve_number_runoff(rain, 80.0, Ratio::fraction(0.2)).unwrap();
            assert_eq!(runoff.to_millimetres(), 0.0);
        }
    }

    #[test]
    fn a_sealed_surface_loses_nothing() {
        let rain = Length::millimetres(73.0);
        let runoff = curve_number_runoff(rain, 100.0, Ratio::fraction(0.2)).unwrap();
        assert_eq!(runoff.to_millimetres(), 73.0);
    }

    #[test]
    fn negative_rain_and_curve_numbers_above_100_are_refused_by_name() {
        let ratio = Ratio::fraction(0.2);
        let rain = curve_number_runoff(Length::millimetres(-1.0), 80.0, ratio).unwrap_err();
        assert!(rain.to_string().contains("rainfall"), "{rain}");
        let number = curve_number_runoff(Length::millimetres(50.0), 101.0, ratio).unwrap_err();
        assert!(number.to_string().contains("curve_number"), "{number}");
    }

    #[test]
    fn the_unit_hydrograph_carries_one_millimetre() {
        let hydrograph = unit_hydrograph(
            Area::square_kilometres(12.0),
            Span::hours(1.0),
            Span::hours(3.0),
        )
        .unwrap();
        let volume: f64 = (0..40_000)
            .map(|second| hydrograph.discharge(Span::seconds(f64::from(second) + 0.5)))
            .sum();
        assert!((volume - 12_000.0).abs() < 12.0, "{volume} m³");
    }

    #[test]
    fn reproduces_green_ampt_1911_by_its_equation() {
        let soil = GreenAmptSoil {
            conductivity: Speed::millimetres_per_hour(6.5),
            suction: Length::millimetres(166.8),
            deficit: Ratio::fraction(0.34),
        };
        let pull = 166.8 * 0.34;
        for hours in [0.01, 0.5, 1.0, 10.0, 200.0] {
            let depth = green_ampt_infiltration(&soil, Span::hours(hours)).unwrap();
            let depth = depth.to_millimetres();
            let time = (depth - pull * (1.0 + depth / pull).ln()) / 6.5;
            assert!(
                (time - hours).abs() < 1e-9 * hours,
                "{depth} mm after {hours} h"
            );
        }
    }

    #[test]
    fn reproduces_kirpich_1940_by_its_equation() {
        let time =
            kirpich_time_of_concentration(Length::metres(1000.0), Ratio::fraction(0.01)).unwrap();
        // 0.0195 · 204.1738 · 5.888437
        assert!((time.to_minutes() - 23.4440).abs() < 1e-3, "{time}");
    }
}
