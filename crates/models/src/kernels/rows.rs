//! Softmax, layer norm and sums along rows.

use pulp::{Arch, Simd, WithSimd};

use super::activation::exp;

/// Lanes of a running sum. Fixed, so that the order of additions, and with it the last bit, is
/// the same on machines with narrower vectors.
const LANES: usize = 16;

/// Turns each row of scores into weights that sum to 1: `softmax(scale * row)`.
///
/// Only the first `columns` values of a row (rows lie `stride` apart) are read and written.
pub(crate) struct Softmax<'a> {
    pub(crate) scores: &'a mut [f32],
    pub(crate) stride: usize,
    pub(crate) columns: usize,
    pub(crate) scale: f32,
}

impl WithSimd for Softmax<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for row in self.scores.chunks_mut(self.stride) {
            let row = &mut row[..self.columns];
            let max = maximum(row);
            row.iter_mut()
                .for_each(|x| *x = exp((*x - max) * self.scale));
            let share = 1.0 / sum(row);
            row.iter_mut().for_each(|x| *x *= share);
        }
    }
}

/// `out = (x - mean) / sqrt(variance + epsilon) * weight + bias`, with `x = out + residual`.
pub(crate) struct AddLayerNorm<'a> {
    pub(crate) out: &'a mut [f32],
    pub(crate) residual: &'a [f32],
    pub(crate) stride: usize,
    pub(crate) weight: &'a [f32],
    pub(crate) bias: &'a [f32],
    pub(crate) epsilon: f32,
}

impl WithSimd for AddLayerNorm<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let columns = self.weight.len();
        let bias = &self.bias[..columns];
        let rows = self.out.chunks_mut(self.stride);
        for (row, residual) in rows.zip(self.residual.chunks(self.stride)) {
            let (row, residual) = (&mut row[..columns], &residual[..columns]);
            for (x, r) in row.iter_mut().zip(residual) {
                *x += r;
            }
            normalise_row(row, self.weight, bias, self.epsilon);
        }
    }
}

#[inline(always)]
fn normalise_row(row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
    let count = row.len() as f32;
    let mean = sum(row) / count;
    row.iter_mut().for_each(|x| *x -= mean);
    let variance = sum_of_squares(row) / count;
    let scale = 1.0 / (variance + epsilon).sqrt();
    for ((x, w), b) in row.iter_mut().zip(weight).zip(bias) {
        *x = (*x * scale).mul_add(*w, *b);
    }
}

/// Scales a vector to unit length; a vector of zeros stays as it is.
pub(crate) fn to_unit_length(vector: &mut [f32]) {
    let length = sum_of_squares(vector).sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
}

/// Runs a row kernel with the machine's widest vectors.
pub(crate) fn run<K: WithSimd>(arch: Arch, kernel: K) -> K::Output {
    arch.dispatch(kernel)
}

#[inline(always)]
fn sum(values: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    let (chunks, rest) = values.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += x;
        }
    }
    for (lane, x) in lanes.iter_mut().zip(rest) {
        *lane += x;
    }
    fold(lanes, |a, b| a + b)
}

#[inline(always)]
fn sum_of_squares(values: &[f32]) -> f32 {
    let mut lanes = [0.0f32; LANES];
    let (chunks, rest) = values.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane = x.mul_add(*x, *lane);
        }
    }
    for (lane, x) in lanes.iter_mut().zip(rest) {
        *lane = x.mul_add(*x, *lane);
    }
    fold(lanes, |a, b| a + b)
}

#[inline(always)]
fn maximum(values: &[f32]) -> f32 {
    let larger = |a: f32, b: f32| if a > b { a } else { b };
    let mut lanes = [f32::NEG_INFINITY; LANES];
    let (chunks, rest) = values.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane = larger(*lane, *x);
        }
    }
    for (lane, x) in lanes.iter_mut().zip(rest) {
        *lane = larger(*lane, *x);
    }
    fold(lanes, larger)
}

#[inline(always)]
fn fold(lanes: [f32; LANES], join: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = lanes;
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            lanes[i] = join(lanes[i], lanes[i + width]);
        }
        width /= 2;
    }
    lanes[0]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernels::matrix::tests::instruction_sets;

    proptest! {
        #[test]
        fn every_instruction_set_gives_the_same_bits(
            row in prop::collection::vec(-20.0f32..20.0, 1..90),
        ) {
            let stride = row.len();
            let outcomes = instruction_sets().into_iter().map(|arch| {
                let (mut soft, mut norm) = (row.clone(), row.clone());
                run(arch, Softmax { scores: &mut soft, stride, columns: stride, scale: 0.2 });
                run(arch, AddLayerNorm {
                    out: &mut norm, residual: &soft, stride, weight: &row, bias: &row,
                    epsilon: 1e-12,
                });
                [soft, norm]
            });
            let outcomes: Vec<[Vec<f32>; 2]> = outcomes.collect();
            for other in &outcomes[1..] {
                prop_assert_eq!(&outcomes[0], other);
            }
        }

        #[test]
        fn softmax_rows_sum_to_one_and_keep_the_order(
            row in prop::collection::vec(-60.0f32..60.0, 1..90),
            scale in 0.05f32..1.0,
        ) {
            let stride = row.len() + 3;
            let mut scores = vec![f32::NAN; stride];
            scores[..row.len()].copy_from_slice(&row);
            run(Arch::new(), Softmax { scores: &mut scores, stride, columns: row.len(), scale });
            let top = row.iter().copied().fold(f32::MIN, f32::max);
            let exact: Vec<f64> =
                row.iter().map(|x| (f64::from(x - top) * f64::from(scale)).exp()).collect();
            let total: f64 = exact.iter().sum();
            for (got, want) in scores.iter().zip(&exact) {
                prop_assert!((f64::from(*got) - want / total).abs() < 1e-6);
            }
            prop_assert!(scores[row.len()..].iter().all(|x| x.is_nan()));
        }

        #[test]
        fn layer_norm_is_that_of_f64(
            row in prop::collection::vec(-9.0f32..9.0, 2..70),
            residual in -3.0f32..3.0,
        ) {
            let n = row.len();
            let weight: Vec<f32> = (0..n).map(|i| 1.0 + i as f32 * 0.01).collect();
            let bias: Vec<f32> = (0..n).map(|i| i as f32 * 0.02 - 0.3).collect();
            let residuals: Vec<f32> = (0..n).map(|i| residual * (i % 3) as f32).collect();
            let x: Vec<f64> =
                row.iter().zip(&residuals).map(|(a, b)| f64::from(*a) + f64::from(*b)).collect();
            let mean = x.iter().sum::<f64>() / n as f64;
            let variance = x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n as f64;
            prop_assume!(variance > 1e-2);
            let mut out = row;
            run(Arch::new(), AddLayerNorm {
                out: &mut out, residual: &residuals, stride: n,
                weight: &weight, bias: &bias, epsilon: 1e-12,
            });
            for i in 0..n {
                let want = (x[i] - mean) / (variance + 1e-12).sqrt() * f64::from(weight[i])
                    + f64::from(bias[i]);
                prop_assert!((f64::from(out[i]) - want).abs() < 2e-5, "{} {}", out[i], want);
            }
        }
    }

    #[test]
    fn a_vector_is_scaled_to_unit_length() {
        let mut vector = [3.0, 0.0, 4.0];
        to_unit_length(&mut vector);
        assert_eq!(vector, [0.6, 0.0, 0.8]);
        let mut zeros = [0.0; 3];
        to_unit_length(&mut zeros);
        assert_eq!(zeros, [0.0; 3]);
    }
}
