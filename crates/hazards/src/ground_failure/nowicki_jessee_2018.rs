//! Landslides in earthquakes by Nowicki Jessee and others (2018), with the variants that the
//! Geological Survey runs.

use lahar_core::capability::Citation;
use lahar_core::measure::{Acceleration, Angle, Ratio, Speed};
use pulp::{Simd, WithSimd};

use crate::elementary;
use crate::error::{HazardError, Limit, logistic};

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

/// Layers of the model, one number a cell, all of one length.
#[derive(Debug, Clone, Copy)]
pub struct ShakenCells<'a> {
    /// Peak ground velocity in m/s; a cell without data, or without shaking, gives `NaN`.
    pub peak_velocity: &'a [f64],
    /// Peak ground acceleration in m/s²; the published form does not use it.
    pub peak_acceleration: Option<&'a [f64]>,
    /// Slope in radians.
    pub slope: &'a [f64],
    /// Rock.
    pub lithology: &'a [Lithology],
    /// Land cover.
    pub land_cover: &'a [LandCover],
    /// Compound topographic index.
    pub topographic_index: &'a [f64],
}

/// [`estimate`] over many cells: probabilities and coverages are written, `NaN` where an input is
/// missing or beyond its physical limits. The same bits for every number of threads.
///
/// Layers of different lengths are refused.
pub fn estimate_cells(
    cells: &ShakenCells<'_>,
    variant: Variant,
    threads: usize,
    probability: &mut [f64],
    coverage: &mut [f64],
) -> Result<(), HazardError> {
    let count = cells.peak_velocity.len();
    let acceleration = match (variant, cells.peak_acceleration) {
        (Variant::Operational, None) => {
            return Err(HazardError::Contradiction(
                "the operational form needs the peak ground acceleration of every cell".to_owned(),
            ));
        }
        (_, acceleration) => acceleration,
    };
    let lengths = [
        cells.slope.len(),
        cells.lithology.len(),
        cells.land_cover.len(),
        cells.topographic_index.len(),
        acceleration.map_or(count, <[f64]>::len),
        probability.len(),
        coverage.len(),
    ];
    if let Some(other) = lengths.into_iter().find(|length| *length != count) {
        return Err(HazardError::Contradiction(format!(
            "one layer has {count} cells, another {other}; they must be of the same grid"
        )));
    }
    let table = class_table(variant);
    crate::parallel::fill_pair(
        probability,
        coverage,
        threads,
        |first, probability, coverage| {
            let piece = first..first + probability.len();
            ShakenPiece {
                cells: ShakenCells {
                    peak_velocity: &cells.peak_velocity[piece.clone()],
                    peak_acceleration: acceleration.map(|layer| &layer[piece.clone()]),
                    slope: &cells.slope[piece.clone()],
                    lithology: &cells.lithology[piece.clone()],
                    land_cover: &cells.land_cover[piece.clone()],
                    topographic_index: &cells.topographic_index[piece],
                },
                operational: variant == Variant::Operational,
                table: &table,
                probability,
                coverage,
            }
        },
    );
    Ok(())
}

/// Layers of one length.
struct ShakenPiece<'a> {
    cells: ShakenCells<'a>,
    operational: bool,
    table: &'a [f64; 256 * 33],
    probability: &'a mut [f64],
    coverage: &'a mut [f64],
}

impl WithSimd for ShakenPiece<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        // Blocks that stay in the first cache between the passes over them.
        let probabilities = self.probability.chunks_mut(BLOCK);
        let outputs = probabilities.zip(self.coverage.chunks_mut(BLOCK));
        for (at, (probability, coverage)) in outputs.enumerate() {
            let block = at * BLOCK..at * BLOCK + probability.len();
            let mut class = [0.0; BLOCK];
            let lithology = &self.cells.lithology[block.clone()];
            let classes = lithology.iter().zip(&self.cells.land_cover[block.clone()]);
            for (class, (lithology, land_cover)) in class.iter_mut().zip(classes) {
                *class = self.table[usize::from(lithology.0) * 32 + usize::from(land_cover.0)];
            }
            let numbers = BlockOfCells {
                velocity: &self.cells.peak_velocity[block.clone()],
                slope: &self.cells.slope[block.clone()],
                class: &class,
                index: &self.cells.topographic_index[block.clone()],
            };
            match self.cells.peak_acceleration {
                Some(peak) if self.operational => {
                    operational_block(&numbers, &peak[block], probability, coverage);
                }
                _ => published_block(&numbers, probability, coverage),
            }
        }
    }
}

/// Cells whose classes are looked up at once.
const BLOCK: usize = 512;

/// The sum of the coefficients of rock and land cover, at `32 rock + cover`.
fn class_table(variant: Variant) -> [f64; 256 * 33] {
    let mut table = [f64::NAN; 256 * 33];
    for rock in 0..LITHOLOGY.len() {
        for (cover, coefficient) in LAND_COVER.iter().enumerate() {
            table[rock * 32 + cover] = variant.lithology(Lithology(rock as u8)) + coefficient;
        }
    }
    table
}

/// Layers of a block, with the coefficients of its classes.
struct BlockOfCells<'a> {
    velocity: &'a [f64],
    slope: &'a [f64],
    class: &'a [f64],
    index: &'a [f64],
}

// Both are free of branches, so that they become vector code.

#[inline(always)]
fn published_block(cells: &BlockOfCells<'_>, probability: &mut [f64], coverage: &mut [f64]) {
    let count = probability.len();
    let (velocity, slope) = (&cells.velocity[..count], &cells.slope[..count]);
    let (class, index) = (&cells.class[..count], &cells.index[..count]);
    let coverage = &mut coverage[..count];
    for cell in 0..count {
        let velocity = 100.0 * velocity[cell];
        let p = probability_where_sound(velocity, velocity, slope[cell], class[cell], index[cell]);
        probability[cell] = p;
        coverage[cell] = elementary::exp(cover_exponent(p));
    }
}

#[inline(always)]
fn operational_block(
    cells: &BlockOfCells<'_>,
    peak: &[f64],
    probability: &mut [f64],
    coverage: &mut [f64],
) {
    let weakest = Acceleration::g(LOWEST_PGA).si();
    let flattest = LOWEST_SLOPE.atan();
    let count = probability.len();
    let (velocity, slope, peak) = (
        &cells.velocity[..count],
        &cells.slope[..count],
        &peak[..count],
    );
    let (class, index) = (&cells.class[..count], &cells.index[..count]);
    let coverage = &mut coverage[..count];
    for cell in 0..count {
        let velocity = 100.0 * velocity[cell];
        let limited = Variant::Operational.velocity(velocity);
        let index = Variant::Operational.index(index[cell]);
        let p = probability_where_sound(velocity, limited, slope[cell], class[cell], index);
        probability[cell] = p;
        let covered = elementary::exp(cover_exponent(p));
        let still = ((slope[cell] < flattest) | (peak[cell] < weakest)) & !p.is_nan();
        coverage[cell] = if still { 0.0 } else { covered };
    }
}

/// The probability, or `NaN` where the velocity (cm/s) or the slope (radians) cannot be.
#[allow(clippy::manual_range_contains)] // ranges would bring branches in
#[inline(always)]
fn probability_where_sound(
    velocity: f64,
    limited_velocity: f64,
    slope: f64,
    class: f64,
    index: f64,
) -> f64 {
    let sound = (velocity >= f64::MIN_POSITIVE)
        & (velocity <= PGV.highest)
        & (slope >= 0.0)
        & (slope <= std::f64::consts::FRAC_PI_2);
    let ln_velocity = elementary::ln(limited_velocity);
    let x = logit_of_ln(ln_velocity, slope.to_degrees(), class, index);
    let p = elementary::logistic(x);
    if sound { p } else { f64::NAN }
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ground(velocity: f64, slope: f64) -> ShakenGround {
        ShakenGround {
            peak_velocity: Speed::centimetres_per_second(velocity),
            peak_acceleration: Some(Acceleration::g(0.3)),
            slope: Angle::degrees(slope),
            lithology: Lithology::parse("su").unwrap(),
            land_cover: LandCover::parse("140").unwrap(),
            topographic_index: 8.0,
        }
    }

    #[test]
    fn a_code_without_a_coefficient_is_refused() {
        let message = LandCover::parse("210").unwrap_err().to_string();
        assert!(
            message.contains("`land_cover` is `210`") && message.contains("140"),
            "{message}"
        );
        assert_eq!(Lithology::CODES.len(), Lithology::MEANINGS.len());
        assert_eq!(UNCONSOLIDATED.code(), "su");
    }

    #[test]
    fn the_operational_form_differs_where_it_says() {
        let steep = ground(30.0, 20.0);
        let published = estimate(&steep, Variant::Published).unwrap();
        let operational = estimate(&steep, Variant::Operational).unwrap();
        assert!(operational.probability > published.probability);
        let flat = estimate(&ground(30.0, 1.0), Variant::Operational).unwrap();
        assert_eq!(flat.coverage.si(), 0.0);
        let unknown = ShakenGround {
            peak_acceleration: None,
            ..steep
        };
        assert!(estimate(&unknown, Variant::Operational).is_err());
        let overhanging = ShakenGround {
            slope: Angle::degrees(91.0),
            ..steep
        };
        assert!(estimate(&overhanging, Variant::Published).is_err());
    }

    #[test]
    fn the_carried_deviation_matches_small_changes() {
        let (slope, sigma) = (25.0, 1e-6);
        let at = |v: f64| estimate(&ground(v, slope), Variant::Published).unwrap();
        let here = at(20.0);
        let change = at(20.0 * f64::exp(sigma)).coverage.si() - here.coverage.si();
        let carried = coverage_deviation(here.probability, Angle::degrees(slope), sigma, 0.0);
        assert!((change / carried - 1.0).abs() < 1e-4, "{change} {carried}");
    }

    proptest! {
        #[test]
        fn cells_give_what_places_give_with_the_same_bits_for_every_thread(
            velocities in prop::collection::vec(-0.1..2.0f64, 1..40), operational in any::<bool>(),
        ) {
            let variant = if operational { Variant::Operational } else { Variant::Published };
            let n = velocities.len();
            let slope: Vec<f64> = (0..n).map(|i| (i as f64 * 0.05).min(1.5)).collect();
            let acceleration: Vec<f64> = velocities.iter().map(|v| (v * 0.5).max(0.0)).collect();
            let (rock, cover) = (Lithology::parse("su").unwrap(), LandCover::parse("140").unwrap());
            let cells = ShakenCells {
                peak_velocity: &velocities,
                peak_acceleration: Some(&acceleration),
                slope: &slope,
                lithology: &vec![rock; n],
                land_cover: &vec![cover; n],
                topographic_index: &vec![8.0; n],
            };
            let run = |threads| {
                let (mut p, mut c) = (vec![0.0; n], vec![0.0; n]);
                estimate_cells(&cells, variant, threads, &mut p, &mut c).unwrap();
                p.into_iter().chain(c).map(f64::to_bits).collect::<Vec<u64>>()
            };
            let one = run(1);
            prop_assert_eq!(&one, &run(2));
            prop_assert_eq!(&one, &run(7));
            for i in 0..n {
                let ground = ShakenGround {
                    peak_velocity: Speed::metres_per_second(velocities[i]),
                    peak_acceleration: Some(Acceleration::from_si(acceleration[i])),
                    slope: Angle::radians(slope[i]),
                    lithology: rock,
                    land_cover: cover,
                    topographic_index: 8.0,
                };
                let cell = f64::from_bits(one[i]);
                match estimate(&ground, variant) {
                    Ok(place) => prop_assert!((cell - place.probability.si()).abs() < 1e-12),
                    Err(_) => prop_assert!(cell.is_nan()),
                }
            }
        }

        #[test]
        fn stronger_shaking_makes_more_landslides(
            velocity in 0.1..200.0f64, slope in 0.0..60.0f64, factor in 1.0..3.0f64,
            operational in any::<bool>(),
        ) {
            let variant = if operational { Variant::Operational } else { Variant::Published };
            let at = |v: f64| estimate(&ground(v, slope), variant).unwrap();
            let (here, more) = (at(velocity), at(velocity * factor));
            prop_assert!(more.probability >= here.probability);
            prop_assert!(more.coverage >= here.coverage);
            prop_assert!((0.0..=1.0).contains(&more.coverage.si()));
        }
    }
}
