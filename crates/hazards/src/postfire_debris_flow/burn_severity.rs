//! Burn severity from pairs of satellite bands before and after a fire.

use lahar_core::capability::Citation;

use crate::error::{HazardError, Limit};

/// The normalised burn ratio and its classes.
pub const KEY_BENSON_2006: Citation = Citation {
    authors: "Key & Benson",
    year: 2006,
    doi: "https://www.fs.usda.gov/research/treesearch/24066",
    place: "RMRS-GTR-164-CD, section LA: burn severity levels of the differenced ratio",
};

/// The relative difference and its classes.
pub const MILLER_THODE_2007: Citation = Citation {
    authors: "Miller & Thode",
    year: 2007,
    doi: "doi:10.1016/j.rse.2006.12.006",
    place: "relative differenced ratio and its thresholds",
};

const REFLECTANCE: Limit = Limit::new("reflectance", "fraction", 0.0, 2.0, KEY_BENSON_2006);

/// Reflectances of a place in the two bands that fire changes most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BandPair {
    /// Near infrared, as a fraction.
    pub near_infrared: f64,
    /// Short-wave infrared near 2.2 micrometres, as a fraction.
    pub shortwave_infrared: f64,
}

/// Normalised burn ratio of one image, times 1000.
///
/// `NBR = 1000 (NIR - SWIR) / (NIR + SWIR)` (Key and Benson 2006, RMRS-GTR-164-CD).
///
/// Inputs: reflectances of near infrared and of short-wave infrared near 2.2 micrometres, 0 to 2.
///
/// Output: -1000 to 1000.
///
/// Not from the band near 1.6 micrometres, and not from digital numbers with an offset.
///
/// ```
/// use lahar_hazards::postfire_debris_flow::burn_severity::*;
/// let ratio = burn_ratio(BandPair { near_infrared: 0.3, shortwave_infrared: 0.1 }).unwrap();
/// assert!((ratio - 500.0).abs() < 1e-9);
/// ```
pub fn burn_ratio(bands: BandPair) -> Result<f64, HazardError> {
    let near = REFLECTANCE.check(bands.near_infrared)?;
    let short = REFLECTANCE.check(bands.shortwave_infrared)?;
    if near + short == 0.0 {
        return Err(HazardError::Contradiction(
            "both bands are 0, so they have no ratio; mark the cell as having no data".to_owned(),
        ));
    }
    Ok(1000.0 * (near - short) / (near + short))
}

/// Differenced normalised burn ratio (dNBR), times 1000: before minus after.
///
/// `dNBR = NBR_before - NBR_after` (Key and Benson 2006, RMRS-GTR-164-CD).
///
/// Inputs: band pairs before and after the fire. Output: -2000 to 2000, higher for severer fire.
///
/// Not without an offset for what changed outside the fire; subtract the mean over unburned
/// ground first.
///
/// ```
/// use lahar_hazards::postfire_debris_flow::burn_severity::*;
/// let before = BandPair { near_infrared: 0.3, shortwave_infrared: 0.1 };
/// let after = BandPair { near_infrared: 0.1, shortwave_infrared: 0.3 };
/// assert!((differenced_ratio(before, after).unwrap() - 1000.0).abs() < 1e-9);
/// ```
pub fn differenced_ratio(before: BandPair, after: BandPair) -> Result<f64, HazardError> {
    Ok(burn_ratio(before)? - burn_ratio(after)?)
}

/// Relative differenced normalised burn ratio (RdNBR).
///
/// `RdNBR = dNBR / sqrt(|NBR_before| / 1000)` (Miller and Thode 2007,
/// doi:10.1016/j.rse.2006.12.006).
///
/// Inputs: band pairs before and after the fire. Output: a number without upper limit; it grows
/// without bound where the ratio before the fire is near 0, and is refused where it is 0.
///
/// Not on ground that was bare before the fire.
///
/// ```
/// use lahar_hazards::postfire_debris_flow::burn_severity::*;
/// let before = BandPair { near_infrared: 0.3, shortwave_infrared: 0.1 };
/// let after = BandPair { near_infrared: 0.2, shortwave_infrared: 0.2 };
/// assert!((relative_ratio(before, after).unwrap() - 500.0 / f64::sqrt(0.5)).abs() < 1e-9);
/// ```
pub fn relative_ratio(before: BandPair, after: BandPair) -> Result<f64, HazardError> {
    let ratio_before = burn_ratio(before)?;
    if ratio_before == 0.0 {
        return Err(HazardError::Contradiction(
            "the burn ratio before the fire is 0, so no relative difference exists".to_owned(),
        ));
    }
    Ok((ratio_before - burn_ratio(after)?) / (ratio_before.abs() / 1000.0).sqrt())
}

/// Severity of a burn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// More green than before.
    Regrowth,
    /// No change that matters.
    Unburned,
    /// Low.
    Low,
    /// Moderate; Key and Benson part it in two.
    Moderate,
    /// High.
    High,
}

impl Severity {
    /// Every class, lowest first.
    pub const WORDS: [&'static str; 5] = ["regrowth", "unburned", "low", "moderate", "high"];

    /// As a word.
    pub fn word(self) -> &'static str {
        Severity::WORDS[self as usize]
    }

    /// Whether debris-flow models count it as burned at moderate or high severity.
    pub fn is_moderate_or_high(self) -> bool {
        self >= Severity::Moderate
    }
}

/// Severity from the differenced ratio, by the limits -100, 100, 270 and 660 (Key and Benson
/// 2006); their two moderate classes, parted at 440, are one here.
///
/// ```
/// use lahar_hazards::postfire_debris_flow::burn_severity::*;
/// assert_eq!(severity(269.0), Severity::Low);
/// assert_eq!(severity(270.0), Severity::Moderate);
/// assert_eq!(severity(-100.0), Severity::Unburned);
/// ```
pub fn severity(differenced_ratio: f64) -> Severity {
    match differenced_ratio {
        d if d < -100.0 => Severity::Regrowth,
        d if d < 100.0 => Severity::Unburned,
        d if d < 270.0 => Severity::Low,
        d if d < 660.0 => Severity::Moderate,
        _ => Severity::High,
    }
}

/// Severity from the relative ratio, by the limits 69, 316 and 641 (Miller and Thode 2007).
///
/// ```
/// use lahar_hazards::postfire_debris_flow::burn_severity::*;
/// assert_eq!(relative_severity(315.0), Severity::Low);
/// assert_eq!(relative_severity(641.0), Severity::High);
/// ```
pub fn relative_severity(relative_ratio: f64) -> Severity {
    match relative_ratio {
        r if r < 69.0 => Severity::Unburned,
        r if r < 316.0 => Severity::Low,
        r if r < 641.0 => Severity::Moderate,
        _ => Severity::High,
    }
}
