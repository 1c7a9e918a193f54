//! Liquefaction potential index of a soil column by Iwasaki and others.

use lahar_core::capability::Citation;
use lahar_core::measure::Length;

use crate::error::{HazardError, Limit};

/// The publication.
pub const SOURCE: Citation = Citation {
    authors: "Iwasaki, Tokida, Tatsuoka, Watanabe, Yasuda & Sato",
    year: 1982,
    doi: "Proceedings of the 3rd International Conference on Microzonation, Seattle, 3, 1319-1330",
    place: "liquefaction potential index",
};

/// A layer of the column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layer {
    /// Depth of its top.
    pub top: Length,
    /// Depth of its bottom.
    pub bottom: Length,
    /// Factor of safety against liquefaction.
    pub factor_of_safety: f64,
}

/// How severe liquefaction is at the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Index 0.
    VeryLow,
    /// Up to 5.
    Low,
    /// Up to 15.
    High,
    /// Above 15.
    VeryHigh,
}

const SAFETY: Limit = Limit::new("factor_of_safety", "1", 0.0, 1e6, SOURCE);
const DEPTH: Limit = Limit::new("depth", "m", 0.0, 1e4, SOURCE);

/// Liquefaction potential index of a column of layers.
///
/// `LPI = ∫ F(z) (10 - 0.5 z) dz` from 0 to 20 m, `F = 1 - FS` where FS is below 1 and 0
/// elsewhere (Iwasaki and others 1982); each layer is integrated exactly.
///
/// Inputs: layers that do not overlap, with their factors of safety. Output: 0 to 100.
///
/// Not a settlement, and blind below 20 m.
///
/// ```
/// use lahar_core::measure::Length;
/// use lahar_hazards::ground_failure::liquefaction_potential::*;
/// // A column without any strength down to 20 m has the highest index there is.
/// let column = [Layer {
///     top: Length::metres(0.0), bottom: Length::metres(30.0), factor_of_safety: 0.0,
/// }];
/// assert!((index(&column).unwrap() - 100.0).abs() < 1e-12);
/// ```
pub fn index(layers: &[Layer]) -> Result<f64, HazardError> {
    let mut spans = Vec::with_capacity(layers.len());
    let mut sum = 0.0;
    for layer in layers {
        let top = DEPTH.check(layer.top.to_metres())?;
        let bottom = DEPTH.check(layer.bottom.to_metres())?;
        if bottom < top {
            return Err(HazardError::Contradiction(format!(
                "a layer begins at {top} m and ends above it, at {bottom} m"
            )));
        }
        spans.push((top, bottom));
        let lack = 1.0 - SAFETY.check(layer.factor_of_safety)?.min(1.0);
        let weight = |z: f64| 10.0 * z - 0.25 * z * z;
        sum += lack * (weight(bottom.min(20.0)) - weight(top.min(20.0)));
    }
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let Some(pair) = spans.windows(2).find(|pair| pair[1].0 < pair[0].1) {
        return Err(HazardError::Contradiction(format!(
            "layers overlap: one reaches down to {} m, the next begins at {} m",
            pair[0].1, pair[1].0
        )));
    }
    Ok(sum)
}

/// How severe an index is: 0, up to 5, up to 15, above.
pub fn severity(index: f64) -> Severity {
    match index {
        i if i <= 0.0 => Severity::VeryLow,
        i if i <= 5.0 => Severity::Low,
        i if i <= 15.0 => Severity::High,
        _ => Severity::VeryHigh,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(top: f64, bottom: f64, factor_of_safety: f64) -> Layer {
        Layer {
            top: Length::metres(top),
            bottom: Length::metres(bottom),
            factor_of_safety,
        }
    }

    #[test]
    fn the_index_adds_up_over_layers_and_ends_at_twenty_metres() {
        let whole = index(&[layer(2.0, 8.0, 0.6)]).unwrap();
        let parts = index(&[layer(5.0, 8.0, 0.6), layer(2.0, 5.0, 0.6)]).unwrap();
        assert!((whole - parts).abs() < 1e-12);
        // 0.4 · [10 z - 0.25 z²] from 2 to 8 m.
        assert!((whole - 0.4 * (64.0 - 19.0)).abs() < 1e-12);
        assert_eq!(index(&[layer(20.0, 40.0, 0.1)]).unwrap(), 0.0);
        assert_eq!(index(&[layer(0.0, 20.0, 1.3)]).unwrap(), 0.0);
        assert!(index(&[layer(0.0, 3.0, 0.9), layer(2.0, 4.0, 0.9)]).is_err());
        assert!(index(&[layer(4.0, 3.0, 0.9)]).is_err());
    }

    #[test]
    fn classes_end_at_five_and_fifteen() {
        let classes = [0.0, 5.0, 5.1, 15.0, 15.1].map(severity);
        use Severity::*;
        assert_eq!(classes, [VeryLow, Low, High, High, VeryHigh]);
    }
}
