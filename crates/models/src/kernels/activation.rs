//! Element-wise functions, written without branches so that they run in vector lanes.

/// What stands between the two feed-forward layers (`hidden_act`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Activation {
    /// `x Φ(x)` with the error function.
    Gelu,
    /// `x Φ(x)` with the hyperbolic tangent in place of the error function.
    GeluTanh,
    /// `max(x, 0)`.
    Relu,
}

impl Activation {
    /// Applies the function to each value in place.
    #[inline(always)]
    pub(crate) fn apply(self, values: &mut [f32]) {
        match self {
            Activation::Gelu => values.iter_mut().for_each(|x| *x = gelu(*x)),
            Activation::GeluTanh => values.iter_mut().for_each(|x| *x = gelu_tanh(*x)),
            Activation::Relu => values.iter_mut().for_each(|x| *x = x.max(0.0)),
        }
    }
}

#[inline(always)]
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

#[inline(always)]
fn gelu_tanh(x: f32) -> f32 {
    let inner = (2.0 / std::f32::consts::PI).sqrt() * (0.044_715 * x * x).mul_add(x, x);
    0.5 * x * (1.0 + tanh(inner))
}

#[inline(always)]
fn tanh(x: f32) -> f32 {
    1.0 - 2.0 / (exp(2.0 * x) + 1.0)
}

/// `e^x` within two units in the last place; values below -87 give `e^-87`, above 88 `e^88`.
///
/// `x = n ln 2 + r` with whole `n`, then a Taylor series in `r`, |r| <= ln 2 / 2.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    // Adding 1.5 * 2^23 rounds to a whole number and leaves it in the low bits of the sum.
    const ROUND: f32 = 12_582_912.0;
    // ln 2 in two parts; the first has few bits, so that its product with n is exact.
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    let x = x.clamp(-87.0, 88.0);
    let shifted = x.mul_add(std::f32::consts::LOG2_E, ROUND);
    let n = shifted - ROUND;
    let r = n.mul_add(-LN2_LOW, n.mul_add(-LN2_HIGH, x));
    let mut series = 1.0 / 5040.0;
    for factor in [
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
        1.0,
        1.0,
    ] {
        series = r.mul_add(series, factor);
    }
    series * f32::from_bits(shifted.to_bits().wrapping_add(127) << 23)
}

/// The error function within 5e-7.
///
/// `z P(z²) / Q(z²)` on |z| <= 3.92, beyond which it is 1 to f32 precision. The coefficients are
/// a minimax fit made for this crate (`tests/fixtures/erf/fit.py`), the first set to its limit.
#[inline(always)]
pub(crate) fn erf(z: f32) -> f32 {
    const P: [f32; 6] = [
        std::f32::consts::FRAC_2_SQRT_PI,
        0.192_764_61,
        0.053_060_56,
        0.003_868_353,
        0.000_287_480_33,
        2.034_735_4e-6,
    ];
    const Q: [f32; 6] = [
        1.0,
        0.504_164_9,
        0.115_084_85,
        0.015_172_346,
        0.001_188_122_1,
        3.807_069_5e-5,
    ];
    let z = z.clamp(-3.92, 3.92);
    let t = z * z;
    let mut p = P[5];
    let mut q = Q[5];
    for i in (0..5).rev() {
        p = p.mul_add(t, P[i]);
        q = q.mul_add(t, Q[i]);
    }
    z * p / q
}

#[cfg(test)]
mod tests {
    use super::*;

    /// erf by its Taylor series in f64, good to 1e-12 for |z| <= 4.
    fn erf_series(z: f64) -> f64 {
        let (mut term, mut sum) = (z, z);
        for n in 1..200 {
            term *= -z * z / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        sum * std::f64::consts::FRAC_2_SQRT_PI
    }

    #[test]
    fn the_exponential_is_that_of_f64() {
        for i in -8600..8800 {
            let x = i as f32 * 0.01;
            let want = f64::from(x).exp();
            assert!((f64::from(exp(x)) / want - 1.0).abs() < 3e-7, "exp({x})");
        }
        assert!(exp(-1e30) < 1e-37);
        assert!(exp(0.0) == 1.0);
    }

    #[test]
    fn the_error_function_is_that_of_its_series() {
        for i in -3999..4000 {
            let z = i as f32 * 0.001;
            let error = f64::from(erf(z)) - erf_series(f64::from(z));
            assert!(error.abs() < 5e-7, "erf({z}) is off by {error}");
        }
        assert!((erf(50.0) - 1.0).abs() < 5e-7 && (erf(-50.0) + 1.0).abs() < 5e-7);
    }

    #[test]
    fn activations_have_their_known_values() {
        // GELU(1) = Φ(1) = 0.841344746; the tanh form gives 0.841191991; both vanish at 0.
        let mut values = [1.0, 0.0, -1.0];
        Activation::Gelu.apply(&mut values);
        assert!((values[0] - 0.841_344_8).abs() < 1e-6);
        assert!((values[2] + 0.158_655_2).abs() < 1e-6);
        assert!(values[1] == 0.0);
        let mut values = [1.0, 0.0];
        Activation::GeluTanh.apply(&mut values);
        assert!((values[0] - 0.841_192).abs() < 1e-6 && values[1] == 0.0);
        let mut values = [-2.0, 3.0];
        Activation::Relu.apply(&mut values);
        assert_eq!(values, [0.0, 3.0]);
    }
}
