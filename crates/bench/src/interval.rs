//! Intervals of 95 %: Wilson's for shares, and the percentile bootstrap over questions for
//! everything else (Efron and Tibshirani, 1993, chapter 13), with a fixed seed, so that the same
//! answers print the same interval on every machine.
//!
//! The bootstrap draws from the questions that were asked and knows no others: where all of them
//! have the same value, its interval has no width, however few they are. Shares have Wilson's for
//! that reason. Read `n` beside either.

use serde::Serialize;

use crate::draw::SplitMix64;

/// How many times the questions are drawn again.
pub const RESAMPLES: usize = 2_000;

const SEED: u64 = 0x6c61_6861_7262_656e;
const TAIL: f64 = 0.025;

/// A figure with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The figure over all questions.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// How many questions it rests on.
    pub n: usize,
}

/// Quantile of the normal distribution that leaves 2.5 % above it.
const Z: f64 = 1.959_963_984_540_054;

/// A share of questions with the score interval of Wilson (1927,
/// doi:10.1080/01621459.1927.10502953); `None` without questions. It stays within 0 and 1 and has a
/// width where all questions or none hold.
///
/// ```
/// use lahar_bench::interval::proportion;
/// // Newcombe (1998), table I: 81 of 263.
/// let share = proportion(81, 263).unwrap();
/// assert!((share.low - 0.2553).abs() < 5e-5 && (share.high - 0.3662).abs() < 5e-5);
/// ```
pub fn proportion(holding: usize, n: usize) -> Option<Estimate> {
    if n == 0 {
        return None;
    }
    let (count, value) = (n as f64, holding as f64 / n as f64);
    let scale = 1.0 + Z * Z / count;
    let middle = (value + Z * Z / (2.0 * count)) / scale;
    let spread = (value * (1.0 - value) / count + Z * Z / (4.0 * count * count)).sqrt();
    let half = Z / scale * spread;
    Some(Estimate {
        value,
        // At the ends the exact bound is 0 or 1, and rounding must not miss it.
        low: if holding == 0 { 0.0 } else { middle - half },
        high: if holding == n { 1.0 } else { middle + half },
        n,
    })
}

/// The mean of one value a question; `None` without questions.
pub fn mean(values: &[f64]) -> Option<Estimate> {
    bootstrap(values.len(), |drawn| {
        let sum: f64 = drawn.iter().map(|&index| values[index]).sum();
        Some(sum / drawn.len() as f64)
    })
}

/// The median of one value a question, the mean of the middle two where their number is even;
/// `None` without questions.
pub fn median(values: &[f64]) -> Option<Estimate> {
    let mut chosen = Vec::with_capacity(values.len());
    bootstrap(values.len(), |drawn| {
        chosen.clear();
        chosen.extend(drawn.iter().map(|&index| values[index]));
        chosen.sort_by(f64::total_cmp);
        Some(quantile(&chosen, 0.5))
    })
}

/// The mean of left minus right. Both values of a pair come from the same question and are drawn
/// together, so that how hard the question is cancels out.
///
/// ```
/// use lahar_bench::interval::paired_difference;
/// // Each question gains half a point, so no drawing of them can say otherwise.
/// let gain = paired_difference(&[(1.0, 0.5), (0.5, 0.0), (0.75, 0.25)]).unwrap();
/// assert_eq!((gain.value, gain.low, gain.high, gain.n), (0.5, 0.5, 0.5, 3));
/// ```
pub fn paired_difference(pairs: &[(f64, f64)]) -> Option<Estimate> {
    let differences: Vec<f64> = pairs.iter().map(|(left, right)| left - right).collect();
    mean(&differences)
}

/// Any figure over `n` questions. `statistic` is given the numbers of the drawn questions, with
/// repeats, first each one once; it returns `None` where the figure is not defined for them (a
/// precision without a positive), and such a drawing is left out of the interval.
pub fn bootstrap(n: usize, mut statistic: impl FnMut(&[usize]) -> Option<f64>) -> Option<Estimate> {
    if n == 0 {
        return None;
    }
    let mut drawn: Vec<usize> = (0..n).collect();
    let value = statistic(&drawn)?;
    let mut generator = SplitMix64(SEED);
    let mut figures = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        drawn.fill_with(|| generator.below(n as u64) as usize);
        figures.extend(statistic(&drawn));
    }
    figures.sort_by(f64::total_cmp);
    let (low, high) = if figures.is_empty() {
        (value, value)
    } else {
        (quantile(&figures, TAIL), quantile(&figures, 1.0 - TAIL))
    };
    Some(Estimate {
        value,
        low,
        high,
        n,
    })
}

/// Quantile of sorted values with linear interpolation (Hyndman and Fan's type 7, the default of
/// R and NumPy).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let position = share * (sorted.len() - 1) as f64;
    let below = position.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (position - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Newcombe (1998, doi:10.1002/(SICI)1097-0258(19980430)17:8<857::AID-SIM777>3.0.CO;2-E),
    /// table I, method 3.
    #[test]
    fn shares_have_the_published_intervals() {
        for (holding, n, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let found = proportion(holding, n).unwrap();
            assert!((found.low - low).abs() < 5.1e-5, "{found:?} {low}");
            assert!((found.high - high).abs() < 5.1e-5, "{found:?} {high}");
        }
        let all = proportion(50, 50).unwrap();
        assert!(all.high == 1.0 && all.low < 0.93);
        assert_eq!(proportion(0, 0), None);
    }

    #[test]
    fn a_quantile_lies_between_its_neighbours_by_share() {
        let sorted = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(quantile(&sorted, 0.0), 1.0);
        assert_eq!(quantile(&sorted, 0.5), 3.0);
        assert_eq!(quantile(&sorted, 0.75), 5.0);
        assert_eq!(quantile(&sorted, 1.0), 8.0);
        assert_eq!(quantile(&[7.0], 0.3), 7.0);
    }

    /// The number of ones in a drawing is binomial, so the interval of a share is known.
    #[test]
    fn the_interval_of_a_share_is_the_binomial_one() {
        for (ones, n) in [(48, 50), (25, 50), (10, 20), (150, 200)] {
            let values: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i < ones))).collect();
            let estimate = mean(&values).unwrap();
            let share = ones as f64 / n as f64;
            assert!((estimate.value - share).abs() < 1e-12);
            let (low, high) = (binomial(n, share, TAIL), binomial(n, share, 1.0 - TAIL));
            // One question either way: 2,000 drawings leave that much noise in a tail.
            let step = 1.0 / n as f64 + 1e-12;
            assert!((estimate.low - low).abs() <= step, "{estimate:?} {low}");
            assert!((estimate.high - high).abs() <= step, "{estimate:?} {high}");
            assert!(estimate.low < share && share < estimate.high);
        }
    }

    /// Smallest share whose distribution function reaches `tail`.
    fn binomial(n: usize, p: f64, tail: f64) -> f64 {
        let mut probability = (1.0 - p).powi(n as i32);
        let mut cumulated = probability;
        let mut k = 0;
        while cumulated < tail {
            probability *= (n - k) as f64 / (k + 1) as f64 * p / (1.0 - p);
            k += 1;
            cumulated += probability;
        }
        k as f64 / n as f64
    }

    #[test]
    fn a_median_is_the_middle_and_nothing_gives_nothing() {
        let estimate = median(&[9.0, 1.0, 2.0, 4.0]).unwrap();
        assert_eq!(estimate.value, 3.0);
        assert!(estimate.low >= 1.0 && estimate.high <= 9.0);
        assert_eq!(mean(&[]), None);
        assert_eq!(median(&[]), None);
        assert_eq!(paired_difference(&[]), None);
    }

    #[test]
    fn pairs_that_rise_together_have_a_narrower_difference_than_their_parts() {
        let pairs: Vec<(f64, f64)> = (0..40)
            .map(|i| (f64::from(i) + 1.0, f64::from(i) + 0.1 * f64::from(i % 2)))
            .collect();
        let difference = paired_difference(&pairs).unwrap();
        assert!((difference.value - 0.95).abs() < 1e-9);
        assert!(difference.low > 0.9 && difference.high < 1.0);
        let left: Vec<f64> = pairs.iter().map(|pair| pair.0).collect();
        let left = mean(&left).unwrap();
        assert!(left.high - left.low > 1.0);
    }

    #[test]
    fn a_figure_that_some_drawings_do_not_have_rests_on_the_others() {
        let first_only = |drawn: &[usize]| drawn.contains(&0).then_some(1.0);
        let estimate = bootstrap(3, first_only).unwrap();
        assert_eq!((estimate.low, estimate.high), (1.0, 1.0));
        assert_eq!(bootstrap(3, |_| None), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn an_interval_lies_within_the_values_and_is_the_same_twice(
            values in prop::collection::vec(-1e3f64..1e3, 1..40)
        ) {
            let estimate = mean(&values).unwrap();
            let smallest = values.iter().copied().fold(f64::INFINITY, f64::min);
            let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            prop_assert!(smallest - 1e-9 <= estimate.low);
            prop_assert!(estimate.low <= estimate.high);
            prop_assert!(estimate.high <= largest + 1e-9);
            prop_assert_eq!(mean(&values).unwrap(), estimate);
        }
    }
}
