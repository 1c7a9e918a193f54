//! Landslides in earthquakes by Nowicki Jessee and others (2018), with the variants that the
//! Geological Survey runs.

mod cells;

use lahar_core::capability::Citation;
use lahar_core::measure::{Acceleration, Angle, Ratio, Speed};

use crate::error::{HazardError, Limit, logistic};
pub use cells::{ShakenCells, estimate_cells};

/// The publication.
pub const SOURCE: Citation = Citation {
    authors: "Nowicki Jessee, Hamburger, Allstadt, Wald, Robeson, Tanyas, Hearne & Thompson",
    year: 2018,
    doi: "doi:10.1029/2017JF004494",
    place: "logistic regression and equation 9",
};

/// The operational changes.
pub const ALLSTADT_2022: Citation = Citation {
    authors: "Allstadt, Thompson, Jibson, Wald, Hearne, Hunter, Fee, Schovanec, Slosky & Haynie",
    year: 2022,
    doi: "doi:10.1177/87552930211032685",
    place: "landslide model: limits of inputs, thresholds",
};

macro_rules! coded {
    ($(#[$doc:meta])* $name:ident, $table:ident, $words:ident, $what:literal, [$( $code:literal $value:literal $meaning:literal; )*]) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name(u8);

        const $table: &[f64] = &[$($value),*];

        impl $name {
            /// The codes, in the order of their table.
            pub const CODES: &'static [&'static str] = &[$($code),*];
            /// What the codes mean.
            pub const MEANINGS: &'static [&'static str] = &[$($meaning),*];

            /// Reads a code; one without a published coefficient is refused.
            pub fn parse(code: &str) -> Result<$name, HazardError> {
                let at = $name::CODES.iter().position(|known| *known == code);
                at.map(|at| $name(at as u8)).ok_or_else(|| HazardError::UnknownWord {
                    variable: $what,
                    found: code.to_owned(),
                    allowed: $name::CODES.join(", "),
                })
            }

            /// The code.
            pub fn code(self) -> &'static str { $name::CODES[self.0 as usize] }

            fn coefficient(self) -> f64 { $table[self.0 as usize] }
        }
    };
}

coded! {
    /// Rock at the surface, by the codes of the global lithological map GLiM.
    Lithology, LITHOLOGY, CODES, "lithology", [
        "mt" -1.87 "metamorphic rocks";
        "nd" -0.66 "no data";
        "pa" -0.78 "acid plutonic rocks";
        "pb" -1.88 "basic plutonic rocks";
        "pi" -1.61 "intermediate plutonic rocks";
        "py" -1.05 "pyroclastics";
        "sc" -0.95 "carbonate sedimentary rocks";
        "sm" -1.36 "mixed sedimentary rocks";
        "ss" -1.92 "siliciclastic sedimentary rocks";
        "su" -3.22 "unconsolidated sediments";
        "va" -1.54 "acid volcanic rocks";
        "vb" -1.50 "basic volcanic rocks";
        "vi" -0.81 "intermediate volcanic rocks";
    ]
}

coded! {
    /// Land cover, by the codes of GlobCover.
    LandCover, LAND_COVER, CODES, "land_cover", [
        "14" 0.91 "rainfed cropland";
        "20" 0.88 "mosaic of cropland and vegetation";
        "30" 0.78 "mosaic of vegetation and cropland";
        "40" 0.68 "broadleaved evergreen or semi-deciduous forest";
        "50" 0.30 "closed broadleaved deciduous forest";
        "60" 1.77 "open broadleaved deciduous forest";
        "70" 1.71 "closed needleleaved evergreen forest";
        "90" -1.26 "open needleleaved forest";
        "100" 1.50 "mixed forest";
        "110" 0.68 "mosaic of forest or shrubland and grassland";
        "120" 1.13 "mosaic of grassland and forest or shrubland";
        "130" 0.79 "shrubland";
        "140" 1.03 "herbaceous vegetation";
        "150" 0.54 "sparse vegetation";
        "160" 2.34 "forest flooded with fresh water";
        "180" 1.19 "grassland or woody vegetation on flooded ground";
        "190" 0.30 "built-up ground";
        "200" -0.06 "bare ground";
        "220" -0.18 "permanent snow and ice";
        "230" -1.08 "no data";
    ]
}

/// Which form of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variant {
    /// As published: no limits on inputs, unconsolidated sediments strong.
    Published,
    /// With the changes of Allstadt and others (2022): velocity at most 211 cm/s, topographic
    /// index 0 to 19, unconsolidated sediments as weak as mixed sedimentary rocks, and no
    /// coverage below a slope of 0.035 m/m or a PGA of 0.02 g.
    Operational,
}

/// A place that is shaken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShakenGround {
    /// Peak ground velocity.
    pub peak_velocity: Speed,
    /// Peak ground acceleration; the published form does not use it.
    pub peak_acceleration: Option<Acceleration>,
    /// Slope.
    pub slope: Angle,
    /// Rock.
    pub lithology: Lithology,
    /// Land cover.
    pub land_cover: LandCover,
    /// Compound topographic index.
    pub topographic_index: f64,
}

/// What the model says of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LandslideEstimate {
    /// Probability of the balanced sample the model was fitted on: a relative number.
    pub probability: Ratio,
    /// Share of the cell that slides, runout included.
    pub coverage: Ratio,
}

const PGV: Limit = Limit::new("peak_ground_velocity", "cm/s", 0.0, 2000.0, SOURCE).above_lowest();
const PGA: Limit = Limit::new("peak_ground_acceleration", "g", 0.0, 10.0, ALLSTADT_2022);
const SLOPE: Limit = Limit::new("slope", "deg", 0.0, 90.0, SOURCE);
const INDEX: Limit = Limit::new("topographic_index", "1", -10.0, 50.0, SOURCE);

const LOWEST_SLOPE: f64 = 0.035;
const LOWEST_PGA: f64 = 0.02;
/// `su` in the table of codes.
const UNCONSOLIDATED: Lithology = Lithology(9);
const UNCONSOLIDATED_OPERATIONAL: f64 = -1.36;
/// Standard deviation of the logit that the Geological Survey takes where none is mapped.
pub const DEFAULT_LOGIT_DEVIATION: f64 = 0.03;

pub(crate) fn logit(velocity_cm: f64, slope_degrees: f64, class: f64, index: f64) -> f64 {
    logit_of_ln(velocity_cm.ln(), slope_degrees, class, index)
}

/// The linear part; `class` is the sum of the coefficients of rock and land cover.
#[inline(always)]
fn logit_of_ln(ln_velocity: f64, slope_degrees: f64, class: f64, index: f64) -> f64 {
    -6.30
        + 1.65 * ln_velocity
        + 0.06 * slope_degrees
        + class
        + 0.03 * index
        + 0.01 * ln_velocity * slope_degrees
}

/// Share of a cell that slides, from the model's probability.
///
/// `exp(-7.592 + 5.237 P - 3.042 P² + 4.035 P³)` (Nowicki Jessee and others 2018,
/// doi:10.1029/2017JF004494, equation 9).
///
/// ```
/// use lahar_core::measure::Ratio;
/// use lahar_hazards::ground_failure::nowicki_jessee_2018::coverage;
/// let all = coverage(Ratio::fraction(1.0)).si();
/// assert!((all - f64::exp(-1.362)).abs() < 1e-12);
/// ```
pub fn coverage(probability: Ratio) -> Ratio {
    Ratio::fraction(cover(probability.si()))
}

pub(crate) fn cover(p: f64) -> f64 {
    cover_exponent(p).exp()
}

#[inline(always)]
fn cover_exponent(p: f64) -> f64 {
    -7.592 + p * (5.237 + p * (-3.042 + p * 4.035))
}

impl Variant {
    #[inline(always)]
    fn velocity(self, cm_per_s: f64) -> f64 {
        match self {
            Variant::Published => cm_per_s,
            Variant::Operational => cm_per_s.clamp(1e-5, 211.0),
        }
    }

    #[inline(always)]
    fn index(self, index: f64) -> f64 {
        match self {
            Variant::Published => index,
            Variant::Operational => index.clamp(0.0, 19.0),
        }
    }

    fn lithology(self, lithology: Lithology) -> f64 {
        match self {
            Variant::Operational if lithology == UNCONSOLIDATED => UNCONSOLIDATED_OPERATIONAL,
            _ => lithology.coefficient(),
        }
    }
}

/// Probability and areal coverage of landslides where an earthquake shook the ground.
///
/// `X = -6.30 + 1.65 ln PGV + 0.06 s + lithology + land cover + 0.03 CTI + 0.01 s ln PGV`, with
/// the slope s in degrees and PGV in cm/s; `P = e^X / (1 + e^X)` (Nowicki Jessee and others 2018,
/// doi:10.1029/2017JF004494). The coverage is that of [`coverage`].
///
/// Inputs: velocity more than 0, slope 0 to 90 degrees, codes with a published coefficient,
/// topographic index; PGA for the operational form.
///
/// Output: probability and coverage, both 0 to 1. The operational form sets only the coverage to 0
/// below its thresholds.
///
/// Not for a single slope, not for numbers or sizes of slides, not before an earthquake; made for
/// cells of about 250 m. The published form counts unconsolidated sediment as strong.
///
/// ```
/// use lahar_core::measure::{Angle, Speed};
/// use lahar_hazards::ground_failure::nowicki_jessee_2018::*;
/// let ground = ShakenGround {
///     peak_velocity: Speed::centimetres_per_second(1.0),
///     peak_acceleration: None,
///     slope: Angle::degrees(20.0),
///     lithology: Lithology::parse("sm").unwrap(),
///     land_cover: LandCover::parse("50").unwrap(),
///     topographic_index: 10.0,
/// };
/// let estimate = estimate(&ground, Variant::Published).unwrap();
/// // X = -6.30 + 1.2 - 1.36 + 0.30 + 0.3 by hand.
/// assert!((estimate.probability.si() - 1.0 / (1.0 + f64::exp(5.86))).abs() < 1e-12);
/// ```
pub fn estimate(ground: &ShakenGround, variant: Variant) -> Result<LandslideEstimate, HazardError> {
    let slope = SLOPE.check(ground.slope.to_degrees())?;
    let x = logit(
        variant.velocity(PGV.check(ground.peak_velocity.to_centimetres_per_second())?),
        slope,
        variant.lithology(ground.lithology) + ground.land_cover.coefficient(),
        variant.index(INDEX.check(ground.topographic_index)?),
    );
    let probability = Ratio::fraction(logistic(x));
    let mut covered = coverage(probability);
    if variant == Variant::Operational {
        let Some(peak) = ground.peak_acceleration else {
            return Err(HazardError::Contradiction(
                "the operational form needs the peak ground acceleration; give it, or run the \
                 published form"
                    .to_owned(),
            ));
        };
        let weak = PGA.check(peak.to_g())? < LOWEST_PGA;
        if weak || ground.slope.si().tan() < LOWEST_SLOPE {
            covered = Ratio::fraction(0.0);
        }
    }
    Ok(LandslideEstimate {
        probability,
        coverage: covered,
    })
}

/// Standard deviation of the coverage, carried from those of ln PGV and of the logit.
///
/// First order: `var X = (1.65 + 0.01 s)² var(ln PGV) + var(logit)`, then through the slopes of
/// the logistic function and of the coverage, as the Geological Survey's ground-failure product
/// does. `logit_deviation` is [`DEFAULT_LOGIT_DEVIATION`] where none is known.
pub fn coverage_deviation(
    probability: Ratio,
    slope: Angle,
    ln_velocity_deviation: f64,
    logit_deviation: f64,
) -> f64 {
    let p = probability.si();
    let sensitivity = 1.65 + 0.01 * slope.to_degrees();
    let variance = (sensitivity * ln_velocity_deviation).powi(2) + logit_deviation.powi(2);
    let steepness = cover(p) * (5.237 - 2.0 * 3.042 * p + 3.0 * 4.035 * p * p);
    steepness.abs() * p * (1.0 - p) * variance.sqrt()
}

#[cfg(test)]
mod tests;
