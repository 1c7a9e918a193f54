//! Rain from which landslides have been seen: `I = c + α D^β`.

use lahar_core::capability::Citation;
use lahar_core::measure::{Span, Speed};

use crate::error::{HazardError, Limit};

/// A published threshold, in mm/h and hours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// Name for programs.
    pub name: &'static str,
    constant: f64,
    factor: f64,
    power: f64,
    /// Shortest and longest duration for which it was drawn, in hours.
    pub durations: [f64; 2],
    /// What states it.
    pub source: Citation,
}

/// The lower bound of 73 rains that set off debris flows and shallow slides, worldwide.
pub const CAINE_1980: Threshold = Threshold {
    name: "caine1980",
    constant: 0.0,
    factor: 14.82,
    power: -0.39,
    durations: [0.167, 500.0],
    source: Citation {
        authors: "Caine",
        year: 1980,
        doi: "doi:10.1080/04353676.1980.11879996",
        place: "the limiting curve",
    },
};

/// Debris flows worldwide.
pub const INNES_1983: Threshold = Threshold {
    name: "innes1983",
    constant: 0.0,
    factor: 4.93,
    power: -0.504,
    durations: [0.1, 100.0],
    source: Citation {
        authors: "Innes",
        year: 1983,
        doi: "doi:10.1177/030913338300700401",
        place: "debris flows",
    },
};

/// Shallow slides worldwide, flat at long durations.
pub const CROSTA_FRATTINI_2001: Threshold = Threshold {
    name: "crosta_frattini2001",
    constant: 0.48,
    factor: 7.2,
    power: -1.0,
    durations: [0.1, 1000.0],
    source: Citation {
        authors: "Crosta & Frattini",
        year: 2001,
        doi: "Proceedings of the 2nd EGS Plinius Conference, Siena",
        place: "rainfall thresholds for triggering soil slips and debris flow",
    },
};

/// The lowest rains of 2626 that set off shallow slides, worldwide.
pub const GUZZETTI_2008: Threshold = Threshold {
    name: "guzzetti2008_global",
    constant: 0.0,
    factor: 2.20,
    power: -0.44,
    durations: [0.1, 1000.0],
    source: Citation {
        authors: "Guzzetti, Peruccacci, Rossi & Stark",
        year: 2008,
        doi: "doi:10.1007/s10346-007-0112-1",
        place: "the global threshold",
    },
};

/// The same, for rains of 48 hours and more.
pub const GUZZETTI_2008_LONG: Threshold = Threshold {
    name: "guzzetti2008_long",
    factor: 0.48,
    power: -0.11,
    durations: [48.0, 1000.0],
    ..GUZZETTI_2008
};

/// Debris flows from burned ground in southern California.
pub const CANNON_2008: Threshold = Threshold {
    name: "cannon2008_socal_postfire",
    constant: 0.0,
    factor: 12.5,
    power: -0.4,
    durations: [0.1, 100.0],
    source: Citation {
        authors: "Cannon, Gartner, Wilson, Bowers & Laber",
        year: 2008,
        doi: "doi:10.1016/j.geomorph.2007.03.019",
        place: "thresholds of southern California, first winter after the fire",
    },
};

/// Every threshold.
pub const ALL: [Threshold; 6] = [
    CAINE_1980,
    INNES_1983,
    CROSTA_FRATTINI_2001,
    GUZZETTI_2008,
    GUZZETTI_2008_LONG,
    CANNON_2008,
];

const DURATION: Limit =
    Limit::new("duration", "h", 0.0, 10_000.0, GUZZETTI_2008.source).above_lowest();

impl Threshold {
    /// Mean intensity from which slides have been seen in rain of a duration.
    ///
    /// Input: more than 0 hours; outside [`Threshold::durations`] nothing was observed. Output: an
    /// intensity.
    ///
    /// It says that slides have been seen above it, not how likely one is; it knows no terrain, no
    /// soil, no snow and no rain before.
    ///
    /// ```
    /// use lahar_core::measure::Span;
    /// use lahar_hazards::landslide::intensity_duration::CAINE_1980;
    /// let rain = CAINE_1980.intensity(Span::hours(1.0)).unwrap();
    /// assert!((rain.to_millimetres_per_hour() - 14.82).abs() < 1e-12);
    /// ```
    pub fn intensity(&self, duration: Span) -> Result<Speed, HazardError> {
        let hours = DURATION.check(duration.to_hours())?;
        let rain = self.constant + self.factor * hours.powf(self.power);
        Ok(Speed::millimetres_per_hour(rain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_rain_needs_less_intensity() {
        for threshold in ALL {
            let at = |hours: f64| threshold.intensity(Span::hours(hours)).unwrap();
            assert!(
                at(1.0) > at(10.0) && at(10.0) > at(100.0),
                "{}",
                threshold.name
            );
        }
    }

    #[test]
    fn rain_without_duration_is_refused() {
        assert!(CAINE_1980.intensity(Span::hours(0.0)).is_err());
        assert!(CAINE_1980.intensity(Span::hours(f64::NAN)).is_err());
    }
}
