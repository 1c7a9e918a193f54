//! The height at which a wind was measured.

use lahar_core::capability::Citation;

/// From ten metres to twenty feet.
pub const TURNER_LAWSON_1978: Citation = Citation {
    authors: "Turner & Lawson",
    year: 1978,
    doi: "Canadian Forestry Service Information Report BC-X-177",
    place: "adjustment of wind at 20 ft to 10 m, a factor of 1.15",
};

/// Ratio of the wind at ten metres to that at twenty feet above open ground.
const TEN_METRES_TO_TWENTY_FEET: f64 = 1.15;

/// Height above the vegetation at which a wind was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindHeight {
    /// Ten metres, as weather services do.
    TenMetres,
    /// Twenty feet, as fire services of the United States do.
    TwentyFeet,
    /// Half the flame's height: nothing is left to adjust.
    Midflame,
}

impl WindHeight {
    /// The words for it.
    pub const WORDS: &'static [&'static str] = &["10m", "20ft", "midflame"];

    /// The height of a word.
    pub fn of(word: &str) -> Option<WindHeight> {
        match word {
            "10m" => Some(WindHeight::TenMetres),
            "20ft" => Some(WindHeight::TwentyFeet),
            "midflame" => Some(WindHeight::Midflame),
            _ => None,
        }
    }

    /// Factor to the wind at twenty feet; 1 for the wind at the flames.
    ///
    /// ```
    /// use lahar_hazards::wildfire::wind::WindHeight;
    /// assert_eq!(WindHeight::TenMetres.to_twenty_feet(), 1.0 / 1.15);
    /// ```
    pub fn to_twenty_feet(self) -> f64 {
        match self {
            WindHeight::TenMetres => 1.0 / TEN_METRES_TO_TWENTY_FEET,
            WindHeight::TwentyFeet | WindHeight::Midflame => 1.0,
        }
    }
}
