//! Liquefaction, lateral spreading and settlement by the Hazus earthquake methodology.

use lahar_core::capability::Citation;
use lahar_core::measure::{Acceleration, Length, Ratio};

use crate::error::{HazardError, Limit};

/// The manual.
pub const SOURCE: Citation = Citation {
    authors: "Federal Emergency Management Agency",
    year: 2010,
    doi: "https://www.hsdl.org/?view&did=12760",
    place: "Hazus-MH MR5 earthquake technical manual, section 4.2.2",
};

/// Susceptibility of ground to liquefaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Susceptibility {
    /// None.
    None,
    /// Very low.
    VeryLow,
    /// Low.
    Low,
    /// Moderate.
    Moderate,
    /// High.
    High,
    /// Very high.
    VeryHigh,
}

impl Susceptibility {
    /// Every class, lowest first.
    pub const ALL: [Susceptibility; 6] = [
        Susceptibility::None,
        Susceptibility::VeryLow,
        Susceptibility::Low,
        Susceptibility::Moderate,
        Susceptibility::High,
        Susceptibility::VeryHigh,
    ];

    /// The words of [`Susceptibility::parse`], in the order of [`Susceptibility::ALL`].
    pub const WORDS: [&'static str; 6] =
        ["none", "very_low", "low", "moderate", "high", "very_high"];

    /// Reads a word, or the letters of the manual's tables (`n vl l m h vh`).
    pub fn parse(word: &str) -> Result<Susceptibility, HazardError> {
        let letters = ["n", "vl", "l", "m", "h", "vh"];
        let at = Susceptibility::WORDS
            .iter()
            .position(|known| *known == word)
            .or_else(|| letters.iter().position(|known| *known == word));
        at.map(|at| Susceptibility::ALL[at])
            .ok_or_else(|| HazardError::UnknownWord {
                variable: "susceptibility",
                found: word.to_owned(),
                allowed: Susceptibility::WORDS.join(", "),
            })
    }

    fn row(self) -> Row {
        let [threshold, slope, intercept, share, settlement] = match self {
            Susceptibility::None => [5.0, 0.0, 0.0, 0.0, 0.0],
            Susceptibility::VeryLow => [0.26, 4.16, 1.08, 0.02, 0.0],
            Susceptibility::Low => [0.21, 5.57, 1.18, 0.05, 1.0],
            Susceptibility::Moderate => [0.15, 6.67, 1.00, 0.10, 2.0],
            Susceptibility::High => [0.12, 7.67, 0.92, 0.20, 6.0],
            Susceptibility::VeryHigh => [0.09, 9.09, 0.82, 0.25, 12.0],
        };
        Row {
            threshold,
            slope,
            intercept,
            share,
            settlement,
        }
    }
}

struct Row {
    /// Lowest PGA that liquefies, in g.
    threshold: f64,
    slope: f64,
    intercept: f64,
    /// Share of a map unit of this class that can liquefy.
    share: f64,
    /// In inches.
    settlement: f64,
}

const PGA: Limit = Limit::new("peak_ground_acceleration", "g", 0.0, 10.0, SOURCE);
const MAGNITUDE: Limit = Limit::new("magnitude", "Mw", 4.0, 9.5, SOURCE);
const DEPTH: Limit = Limit::new("groundwater_depth", "ft", 0.0, 1000.0, SOURCE);

const INCH: f64 = 0.0254;

fn cubic(coefficients: [f64; 4], magnitude: f64) -> f64 {
    coefficients
        .iter()
        .rev()
        .fold(0.0, |sum, c| sum * magnitude + c)
}

/// Probability that ground of a class liquefies.
///
/// `P = P(PGA) · share / (Km · Kw)`: `P(PGA)` is a straight line of the class between 0 and 1,
/// `Km = 0.0027 M³ - 0.0267 M² - 0.2055 M + 2.9188`, `Kw = 0.022 d + 0.93` with the depth d of
/// groundwater in feet (Hazus-MH MR5 technical manual, section 4.2.2).
///
/// Inputs: PGA, moment magnitude, class, depth to groundwater. Output: a probability for a map
/// unit.
///
/// Not for a single building.
///
/// ```
/// use lahar_core::measure::{Acceleration, Length};
/// use lahar_hazards::ground_failure::hazus::*;
/// let p = liquefaction_probability(
///     Acceleration::g(0.2), 7.5, Susceptibility::High, Length::feet(5.0),
/// ).unwrap();
/// let km = 0.0027 * 421.875 - 0.0267 * 56.25 - 0.2055 * 7.5 + 2.9188;
/// assert!((p.si() - (7.67 * 0.2 - 0.92) * 0.2 / (km * 1.04)).abs() < 1e-12);
/// ```
pub fn liquefaction_probability(
    peak_acceleration: Acceleration,
    magnitude: f64,
    susceptibility: Susceptibility,
    groundwater_depth: Length,
) -> Result<Ratio, HazardError> {
    let row = susceptibility.row();
    let peak = PGA.check(peak_acceleration.to_g())?;
    let magnitude = MAGNITUDE.check(magnitude)?;
    let conditional = (row.slope * peak - row.intercept).clamp(0.0, 1.0);
    let for_magnitude = cubic([2.9188, -0.2055, -0.0267, 0.0027], magnitude);
    let for_water = 0.022 * DEPTH.check(groundwater_depth.to_feet())? + 0.93;
    Ok(Ratio::fraction(
        conditional * row.share / (for_magnitude * for_water),
    ))
}

/// Displacement by lateral spreading, should the ground liquefy.
///
/// With x the PGA over the class's threshold: `12 x - 12` inches from 1 to 2, `18 x - 24` to 3,
/// `70 x - 180` beyond, times `0.0086 M³ - 0.0914 M² + 0.4698 M - 0.9835` (Hazus-MH MR5 technical
/// manual, section 4.2.2).
///
/// ```
/// use lahar_core::measure::Acceleration;
/// use lahar_hazards::ground_failure::hazus::*;
/// let d = lateral_spread(Acceleration::g(0.24), 7.5, Susceptibility::High).unwrap();
/// let factor = 0.0086 * 421.875 - 0.0914 * 56.25 + 0.4698 * 7.5 - 0.9835;
/// assert!((d.si() - 12.0 * factor * 0.0254).abs() < 1e-12);
/// ```
pub fn lateral_spread(
    peak_acceleration: Acceleration,
    magnitude: f64,
    susceptibility: Susceptibility,
) -> Result<Length, HazardError> {
    let x = PGA.check(peak_acceleration.to_g())? / susceptibility.row().threshold;
    let inches = match x {
        x if x <= 1.0 => 0.0,
        x if x <= 2.0 => 12.0 * x - 12.0,
        x if x <= 3.0 => 18.0 * x - 24.0,
        x => 70.0 * x - 180.0,
    };
    let factor = cubic(
        [-0.9835, 0.4698, -0.0914, 0.0086],
        MAGNITUDE.check(magnitude)?,
    );
    Ok(Length::metres(inches * factor * INCH))
}

/// Settlement of ground that liquefies: 12, 6, 2, 1, 0 and 0 inches from very high to no
/// susceptibility (Hazus-MH MR5 technical manual, section 4.2.2).
pub fn settlement(susceptibility: Susceptibility) -> Length {
    Length::metres(susceptibility.row().settlement * INCH)
}
