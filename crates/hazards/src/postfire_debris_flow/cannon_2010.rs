//! Classes of post-fire debris-flow hazard by Cannon and others (2010): likelihood and volume
//! become ranks, and the ranks become one class.

use lahar_core::capability::Citation;
use lahar_core::measure::{Ratio, Volume};

use crate::error::{HazardError, Limit};

/// The publication.
pub const SOURCE: Citation = Citation {
    authors: "Cannon, Gartner, Rupert, Michael, Rea & Parrett",
    year: 2010,
    doi: "doi:10.1130/B26459.1",
    place: "ranks of probability and volume, combined hazard",
};

/// The page that ranks likelihood in five classes instead of four.
pub const SURVEY_PAGE: Citation = Citation {
    authors: "U.S. Geological Survey",
    year: 2020,
    doi: "https://landslides.usgs.gov/hazards/postfire_debrisflow/background2010.php",
    place: "Combined Hazard",
};

const PROBABILITY: Limit = Limit::new("probability", "fraction", 0.0, 1.0, SOURCE);
const VOLUME: Limit = Limit::new("volume", "m3", 0.0, 1e12, SOURCE);

/// The combined class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HazardClass {
    /// Ranks add up to 2 or 3.
    Low,
    /// Ranks add up to 4, 5 or 6.
    Moderate,
    /// Ranks add up to 7 or 8.
    High,
}

impl HazardClass {
    /// The class as a number, 1 to 3, as maps carry it.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The class as a word.
    pub fn word(self) -> &'static str {
        match self {
            HazardClass::Low => "low",
            HazardClass::Moderate => "moderate",
            HazardClass::High => "high",
        }
    }
}

/// The rank, 1 to one more than the number of limits; a value on a limit belongs below it.
fn rank(value: f64, limits: &[f64]) -> u8 {
    1 + limits.iter().filter(|limit| value > **limit).count() as u8
}

/// Rank of a likelihood, 1 to 4: limits 0.25, 0.5, 0.75, a value on a limit ranks below it.
pub fn probability_rank(probability: Ratio) -> Result<u8, HazardError> {
    Ok(rank(
        PROBABILITY.check(probability.to_fraction())?,
        &[0.25, 0.5, 0.75],
    ))
}

/// Rank of a volume, 1 to 4: limits 1 000, 10 000 and 100 000 m³, a value on a limit ranks below
/// it.
pub fn volume_rank(volume: Volume) -> Result<u8, HazardError> {
    Ok(rank(
        VOLUME.check(volume.to_cubic_metres())?,
        &[1e3, 1e4, 1e5],
    ))
}

/// Combined hazard of a likelihood and a volume.
///
/// The ranks of [`probability_rank`] and [`volume_rank`] are added; 2 and 3 are low, 4 to 6
/// moderate, 7 and 8 high (Cannon and others 2010, doi:10.1130/B26459.1).
///
/// Inputs: a probability and a volume (m³, from 0 on).
///
/// Output: one of three classes, of relative hazard within one assessment.
///
/// Not a probability of damage, and not the ranking of the Geological Survey's maps before 2016,
/// which have five likelihood classes (see [`survey_rank`]).
///
/// ```
/// use lahar_core::measure::{Ratio, Volume};
/// use lahar_hazards::postfire_debris_flow::cannon_2010::*;
/// // Ranks 3 and 4.
/// let class = combined(Ratio::fraction(0.75), Volume::cubic_metres(100_001.0)).unwrap();
/// assert_eq!(class, HazardClass::High);
/// ```
pub fn combined(probability: Ratio, volume: Volume) -> Result<HazardClass, HazardError> {
    Ok(
        match probability_rank(probability)? + volume_rank(volume)? {
            ..=3 => HazardClass::Low,
            4..=6 => HazardClass::Moderate,
            _ => HazardClass::High,
        },
    )
}

/// Combined rank of the Geological Survey's maps: likelihood in five classes of 20 percent plus
/// the rank of volume, 2 to 9 (U.S. Geological Survey, background of the assessments).
pub fn survey_rank(probability: Ratio, volume: Volume) -> Result<u8, HazardError> {
    let p = PROBABILITY.check(probability.to_fraction())?;
    Ok(rank(p, &[0.2, 0.4, 0.6, 0.8]) + volume_rank(volume)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_on_a_limit_belongs_to_the_lower_class() {
        let p = |p| probability_rank(Ratio::fraction(p)).unwrap();
        let v = |v| volume_rank(Volume::cubic_metres(v)).unwrap();
        assert_eq!(
            [0.0, 0.25, 0.2500001, 0.5, 0.75, 1.0].map(p),
            [1, 1, 2, 2, 3, 4]
        );
        assert_eq!(
            [0.0, 1e3, 1e3 + 1e-6, 1e4, 1e5, 1e5 + 1.0].map(v),
            [1, 1, 2, 2, 3, 4]
        );
    }

    #[test]
    fn what_is_no_probability_or_volume_has_no_class() {
        assert!(combined(Ratio::fraction(1.1), Volume::cubic_metres(1.0)).is_err());
        assert!(combined(Ratio::fraction(0.1), Volume::cubic_metres(-1.0)).is_err());
        assert!(combined(Ratio::fraction(f64::NAN), Volume::cubic_metres(1.0)).is_err());
    }

    #[test]
    fn the_surveys_maps_rank_up_to_nine() {
        let rank = |p, v| survey_rank(Ratio::fraction(p), Volume::cubic_metres(v)).unwrap();
        assert_eq!((rank(0.0, 0.0), rank(0.5, 5e4), rank(1.0, 1e6)), (2, 6, 9));
    }
}
