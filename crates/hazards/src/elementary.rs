//! Exponential, logarithm and cube roots without branches, so that loops over cells become vector code.
//!
//! The library functions are called one value at a time; these are arithmetic and selections only,
//! and a loop around them is compiled for whatever vector width the machine has. Multiplications are
//! fused with additions, which is exact to the last bit by definition, so every width gives the
//! same bits; a machine without that instruction (x86-64 before 2013) computes it in software and
//! is slow. Tests hold both to the errors stated at them, against the library's.

use std::f64::consts::{LN_2, LOG2_E, SQRT_2};

/// 1.5 · 2⁵²: a number that is added to it loses its fraction, and the sum's low bits count.
const ROUNDING: f64 = 6_755_399_441_055_744.0;

/// The natural logarithm of 2 with its last 32 bits cleared, so that multiples of it are exact.
const LN_2_HIGH: f64 = f64::from_bits(LN_2.to_bits() & !0xffff_ffff);
/// What that leaves out of it: the difference to the double, and the double's own error.
const LN_2_LOW: f64 = (LN_2 - LN_2_HIGH) + 2.319_046_813_846_299_6e-17;

/// Beneath it the exponential is no normal number.
const LOWEST_EXPONENT: f64 = -708.0;

/// `(e^r - 1 - r) / r²` by powers of r, the highest first: the polynomial through its values at
/// ten Chebyshev points of `|r| <= ln 2 / 2`, 1.6e-17 of `e^r` off at most.
const EXPONENTIAL: [f64; 10] = [
    2.510_037_592_470_971_7e-8,
    2.762_007_599_981_065e-7,
    2.755_726_848_011_633_3e-6,
    2.480_152_132_211_682_5e-5,
    1.984_126_986_304_067e-4,
    1.388_888_891_719_688_1e-3,
    8.333_333_333_330_065e-3,
    4.166_666_666_662_416_4e-2,
    0.166_666_666_666_666_69,
    0.500_000_000_000_000_1,
];

/// e to a power from -708 to 709, within 2 units in the last place; `NaN` of `NaN`, and nothing
/// that means anything elsewhere.
///
/// `x = n ln 2 + r` with `|r| <= ln 2 / 2`, and `2^n` times `1 + r + r² P(r)`.
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    let rounded = x.mul_add(LOG2_E, ROUNDING);
    let n = rounded - ROUNDING;
    let r = n.mul_add(-LN_2_LOW, n.mul_add(-LN_2_HIGH, x));
    let mut series = EXPONENTIAL[0];
    for coefficient in &EXPONENTIAL[1..] {
        series = series.mul_add(r, *coefficient);
    }
    let power = 1.0 + (r * r).mul_add(series, r);
    // n stands in the low bits of the sum; the exponent of 2^n is n + 1023.
    let two_to_n = f64::from_bits(rounded.to_bits().wrapping_add(1023) << 52);
    power * two_to_n
}

/// `(2 artanh(s) / s - 2) / s²` by powers of s², the highest first: the polynomial through its
/// values at seven Chebyshev points of `s <= 3 - 2 sqrt(2)`, 5e-18 of the logarithm off at most.
const LOGARITHM: [f64; 7] = [
    0.146_164_509_795_521_1,
    0.153_317_214_958_260_12,
    0.181_828_891_284_124_58,
    0.222_222_111_347_518_35,
    0.285_714_286_259_757_5,
    0.399_999_999_998_995_05,
    0.666_666_666_666_667,
];

/// A normal positive number as `2^k (1 + f)`, with `1 + f` between sqrt(1/2) and sqrt(2).
#[inline(always)]
fn split(x: f64) -> (f64, f64) {
    let bits = x.to_bits();
    let mantissa = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    // The exponent as a number, without a conversion: placed into the low bits of 2^52.
    let exponent = f64::from_bits((bits >> 52) | 0x4330_0000_0000_0000) - 4_503_599_627_371_519.0;
    let upper = mantissa > SQRT_2;
    let m = if upper { 0.5 * mantissa } else { mantissa };
    let k = if upper { exponent + 1.0 } else { exponent };
    (k, m - 1.0)
}

/// The logarithm of `2^k (1 + s) / (1 - s)`: `k ln 2 + 2 artanh s`.
#[inline(always)]
fn ln_of_parts(k: f64, s: f64) -> f64 {
    let z = s * s;
    let mut series = LOGARITHM[0];
    for coefficient in &LOGARITHM[1..] {
        series = series.mul_add(z, *coefficient);
    }
    k.mul_add(LN_2, s * z.mul_add(series, 2.0))
}

/// The natural logarithm of a normal positive number, within 3 units in the last place; of
/// anything else the result means nothing, and the caller has to select it away.
///
/// `x = 2^k (1 + f)`, and `ln (1 + f) = 2 artanh s` with `s = f / (2 + f)`.
#[inline(always)]
pub(crate) fn ln(x: f64) -> f64 {
    let (k, f) = split(x);
    ln_of_parts(k, f / (2.0 + f))
}

/// The logarithms of two numbers, as [`ln`] gives each, with one division for both; within 4
/// units in the last place.
#[inline(always)]
pub(crate) fn ln_pair(x: f64, y: f64) -> (f64, f64) {
    let ((kx, fx), (ky, fy)) = (split(x), split(y));
    let (below_x, below_y) = (2.0 + fx, 2.0 + fy);
    let one_over_both = 1.0 / (below_x * below_y);
    (
        ln_of_parts(kx, fx * below_y * one_over_both),
        ln_of_parts(ky, fy * below_x * one_over_both),
    )
}

/// `1 / (1 + e^-x)`, within 4 units in the last place.
#[inline(always)]
pub(crate) fn logistic(x: f64) -> f64 {
    let away = -x.abs();
    let small = exp(if away < LOWEST_EXPONENT {
        LOWEST_EXPONENT
    } else {
        away
    });
    let above = 1.0 / (1.0 + small);
    if x >= 0.0 { above } else { small * above }
}

/// `x^(-1/3)` of a positive normal number, within 6e-16 of it; of zero a large number.
///
/// A guess by a third of the exponent, within 6 percent; then twice
/// `y + y c (1/3 + 2/9 c + 14/81 c²)` with `c = 1 - x y³`, the series of `(1 - c)^(-1/3)`, which
/// leaves the fourth power of the error. There is no division in it.
#[inline(always)]
pub(crate) fn one_by_cube_root(x: f64) -> f64 {
    const BIAS: u64 = 0x553e_f0ff;
    let third = (((x.to_bits() >> 32) & 0x7fff_ffff) * 0x5555_5556) >> 32;
    let guess = f64::from_bits((BIAS - third) << 32);
    let better = |y: f64| {
        let c = (-x * y * y).mul_add(y, 1.0);
        let series = c.mul_add(c.mul_add(14.0 / 81.0, 2.0 / 9.0), 1.0 / 3.0);
        (y * c).mul_add(series, y)
    };
    better(better(guess))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Distance in units in the last place of the expected value.
    fn ulps(found: f64, expected: f64) -> f64 {
        let unit = f64::from_bits(expected.abs().to_bits() + 1) - expected.abs();
        (found - expected).abs() / unit
    }

    /// Highest error over numbers that lie densely in a range.
    fn worst(low: f64, high: f64, of: fn(f64) -> f64, expected: fn(f64) -> f64) -> f64 {
        (0..=400_000)
            .map(|i| low + (high - low) * f64::from(i) / 400_000.0)
            .map(|x| ulps(of(x), expected(x)))
            .fold(0.0, f64::max)
    }

    #[test]
    fn the_parts_of_ln_2_are_what_they_are_called() {
        const {
            assert!(LN_2_HIGH.to_bits() & 0xffff_ffff == 0);
            assert!(LN_2_LOW > 0.0 && LN_2_LOW < 1e-6 && LN_2_HIGH + LN_2_LOW == LN_2);
        }
    }

    #[test]
    fn exponentials_and_logarithms_are_as_near_as_they_say() {
        for (low, high) in [(-1.0, 1.0), (-40.0, 40.0), (-707.9, 708.9)] {
            let error = worst(low, high, exp, f64::exp);
            assert!(error <= 2.0, "exp on {low} to {high}: {error} ulp");
        }
        for (low, high) in [
            (1e-300, 1e-290),
            (1e-3, 0.9),
            (0.9, 1.1),
            (1.1, 1e6),
            (1.0, 1e300),
        ] {
            let error = worst(low, high, ln, f64::ln);
            assert!(error <= 3.0, "ln on {low} to {high}: {error} ulp");
            for of in [|x| ln_pair(x, 1.37).0, |x| ln_pair(0.8, x).1] {
                let error = worst(low, high, of, f64::ln);
                assert!(error <= 4.0, "ln_pair on {low} to {high}: {error} ulp");
            }
        }
        assert_eq!((ln(1.0), exp(0.0)), (0.0, 1.0));
    }

    #[test]
    fn nothing_stays_nothing_and_probabilities_end_at_0_and_1() {
        assert!(exp(f64::NAN).is_nan() && logistic(f64::NAN).is_nan());
        assert_eq!(logistic(0.0), 0.5);
        assert!(logistic(-800.0) < 1e-300 && logistic(800.0) == 1.0);
    }

    #[test]
    fn cube_roots_are_within_1e_15() {
        let worst = (0..200_000)
            .map(|i| 1e-9 * (f64::from(i) * 1.5e-4).exp())
            .map(|x| (one_by_cube_root(x) * x.cbrt() - 1.0).abs())
            .fold(0.0, f64::max);
        assert!(worst < 1e-15, "{worst:e}");
    }

    proptest! {
        #[test]
        fn probabilities_are_those_of_the_library(x in -700.0..700.0f64) {
            prop_assert!(ulps(logistic(x), crate::error::logistic(x)) <= 4.0);
            prop_assert!((0.0..=1.0).contains(&logistic(x)));
        }

        #[test]
        fn logarithms_undo_exponentials(x in -700.0..700.0f64) {
            prop_assert!((ln(exp(x)) - x).abs() <= 1e-15 * x.abs().max(1.0));
        }
    }
}
