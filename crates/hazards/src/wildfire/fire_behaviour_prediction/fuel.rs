//! The benchmark fuel types and their coefficients.

use std::str::FromStr;

use super::FCFDG_1992;
use crate::error::HazardError;

/// A benchmark fuel type of Canada.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FuelType {
    /// Spruce and lichen woodland.
    C1,
    /// Boreal spruce.
    C2,
    /// Mature jack or lodgepole pine.
    C3,
    /// Immature jack or lodgepole pine.
    C4,
    /// Red and white pine.
    C5,
    /// Conifer plantation.
    C6,
    /// Ponderosa pine and Douglas fir.
    C7,
    /// Leafless aspen.
    D1,
    /// Boreal mixed wood without leaves.
    M1,
    /// Boreal mixed wood in leaf.
    M2,
    /// Dead balsam fir and mixed wood without leaves.
    M3,
    /// Dead balsam fir and mixed wood in leaf.
    M4,
    /// Matted grass.
    O1a,
    /// Standing grass.
    O1b,
    /// Slash of jack or lodgepole pine.
    S1,
    /// Slash of white spruce and balsam.
    S2,
    /// Slash of coastal cedar, hemlock and Douglas fir.
    S3,
}

use FuelType::*;

impl FuelType {
    /// Every type.
    pub const ALL: [FuelType; 17] = [
        C1, C2, C3, C4, C5, C6, C7, D1, M1, M2, M3, M4, O1a, O1b, S1, S2, S3,
    ];

    /// `a` in m/min, `b` and `c` of `R = a (1 - e^(-b ISI))^c` (Forestry Canada Fire Danger Group
    /// 1992, table 6). Mixed wood is made of `C2` and `D1`, and has those of its conifers.
    pub(super) fn coefficients(self) -> (f64, f64, f64) {
        match self {
            C1 => (90.0, 0.0649, 4.5),
            C2 | M1 | M2 => (110.0, 0.0282, 1.5),
            C3 => (110.0, 0.0444, 3.0),
            C4 => (110.0, 0.0293, 1.5),
            C5 => (30.0, 0.0697, 4.0),
            C6 => (30.0, 0.0800, 3.0),
            C7 => (45.0, 0.0305, 2.0),
            D1 => (30.0, 0.0232, 1.6),
            M3 => (120.0, 0.0572, 1.4),
            M4 => (100.0, 0.0404, 1.48),
            O1a => (190.0, 0.0310, 1.4),
            O1b => (250.0, 0.0350, 1.7),
            S1 => (75.0, 0.0297, 1.3),
            S2 => (40.0, 0.0438, 1.7),
            S3 => (55.0, 0.0829, 3.2),
        }
    }

    /// `R = a (1 - e^(-b ISI))^c`, in m/min.
    pub(super) fn rate(self, spread: f64) -> f64 {
        let (a, b, c) = self.coefficients();
        a * (1.0 - (-b * spread).exp()).powf(c)
    }

    /// Usual buildup index, and the share of the rate that is left when none has built up.
    pub(super) fn buildup(self) -> (f64, f64) {
        match self {
            C1 => (72.0, 0.90),
            C2 => (64.0, 0.70),
            C3 => (62.0, 0.75),
            C4 => (66.0, 0.80),
            C5 => (56.0, 0.80),
            C6 => (62.0, 0.80),
            C7 => (106.0, 0.85),
            D1 => (32.0, 0.90),
            M1 | M2 | M3 | M4 => (50.0, 0.80),
            S1 => (38.0, 0.75),
            S2 => (63.0, 0.75),
            S3 => (31.0, 0.75),
            O1a | O1b => (1.0, 1.0),
        }
    }

    /// Height of the crown's base in metres, load of the crown in kg/m².
    pub(super) fn crown(self) -> (f64, f64) {
        match self {
            C1 => (2.0, 0.75),
            C2 => (3.0, 0.80),
            C3 => (8.0, 1.15),
            C4 => (4.0, 1.20),
            C5 => (18.0, 1.20),
            C6 => (7.0, 1.80),
            C7 => (10.0, 0.50),
            M1 | M2 | M3 | M4 => (6.0, 0.80),
            D1 | O1a | O1b | S1 | S2 | S3 => (0.0, 0.0),
        }
    }

    /// Whether fire can take to a crown.
    pub fn has_crown(self) -> bool {
        !matches!(self, D1 | O1a | O1b | S1 | S2 | S3)
    }

    /// Whether it is grass.
    pub fn is_grass(self) -> bool {
        matches!(self, O1a | O1b)
    }

    /// Whether wind reaches the fuel unhindered.
    pub(super) fn is_open(self) -> bool {
        matches!(self, C1 | O1a | O1b | S1 | S2 | S3)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            C1 => "C-1",
            C2 => "C-2",
            C3 => "C-3",
            C4 => "C-4",
            C5 => "C-5",
            C6 => "C-6",
            C7 => "C-7",
            D1 => "D-1",
            M1 => "M-1",
            M2 => "M-2",
            M3 => "M-3",
            M4 => "M-4",
            O1a => "O-1a",
            O1b => "O-1b",
            S1 => "S-1",
            S2 => "S-2",
            S3 => "S-3",
        }
    }
}

impl FromStr for FuelType {
    type Err = HazardError;

    /// Reads a name with or without its hyphen, in any case.
    fn from_str(text: &str) -> Result<FuelType, HazardError> {
        let plain = |name: &str| name.replace('-', "").to_ascii_lowercase();
        let found = FuelType::ALL
            .into_iter()
            .find(|fuel| plain(fuel.name()) == plain(text));
        found.ok_or_else(|| HazardError::UnknownWord {
            variable: "fuel_type",
            found: text.to_owned(),
            allowed: format!(
                "{} ({FCFDG_1992})",
                FuelType::ALL.map(FuelType::name).join(", ")
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_others_refused() {
        for fuel in FuelType::ALL {
            assert_eq!(fuel.name().parse::<FuelType>().unwrap(), fuel);
        }
        assert_eq!("o1A".parse::<FuelType>().unwrap(), O1a);
        let error = "C-9".parse::<FuelType>().unwrap_err().to_string();
        assert!(error.contains("C-9") && error.contains("S-3"), "{error}");
    }
}
