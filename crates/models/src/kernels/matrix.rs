//! Matrices, and their product with weights that were laid out for it once.

use pulp::{Arch, Simd, WithSimd};

use super::activation::Activation;

/// Columns of a panel of weights: two vectors of 16 lanes, or eight of 4.
pub(crate) const PANEL: usize = 32;

/// Rows computed together. Every row count is rounded up to a multiple of it, so that no kernel
/// needs a special case for the last rows.
pub(crate) const ROW_TILE: usize = 12;

/// Rows that pass through a product before the next panel of weights is fetched: they stay in
/// the second-level cache.
const ROW_BLOCK: usize = 96;

/// `rows` rounded up to whole tiles.
pub(crate) fn padded_rows(rows: usize) -> usize {
    rows.next_multiple_of(ROW_TILE)
}

/// `columns` rounded up to whole panels.
pub(crate) fn padded_columns(columns: usize) -> usize {
    columns.next_multiple_of(PANEL)
}

/// A `depth` x `columns` matrix cut into panels of [`PANEL`] columns; within a panel row follows
/// row, so that a product reads it from front to back. Missing columns are zeros.
#[derive(Debug, Clone, Default)]
pub(crate) struct Panels {
    depth: usize,
    columns: usize,
    values: Vec<f32>,
}

impl Panels {
    /// Panels of the transpose of `rows`, a `columns` x `depth` matrix: the layout in which
    /// model files store the weights of a dense layer.
    pub(crate) fn from_transposed(rows: &[f32], columns: usize, depth: usize) -> Panels {
        let mut panels = Panels::default();
        panels.fill_transposed(rows, depth, columns, depth);
        panels
    }

    /// As [`Panels::from_transposed`], for rows that lie `stride` apart, reusing the memory.
    pub(crate) fn fill_transposed(
        &mut self,
        rows: &[f32],
        stride: usize,
        columns: usize,
        depth: usize,
    ) {
        self.resize(columns, depth);
        for (column, row) in rows.chunks(stride).take(columns).enumerate() {
            let panel = &mut self.values[column / PANEL * PANEL * depth..][..PANEL * depth];
            for (line, value) in panel.chunks_exact_mut(PANEL).zip(&row[..depth]) {
                line[column % PANEL] = *value;
            }
        }
    }

    /// Panels of `rows`, a `depth` x `columns` matrix whose rows lie `stride` apart.
    pub(crate) fn fill(&mut self, rows: &[f32], stride: usize, columns: usize, depth: usize) {
        self.resize(columns, depth);
        for (k, row) in rows.chunks(stride).take(depth).enumerate() {
            for (p, part) in row[..columns].chunks(PANEL).enumerate() {
                self.values[(p * depth + k) * PANEL..][..part.len()].copy_from_slice(part);
            }
        }
    }

    fn resize(&mut self, columns: usize, depth: usize) {
        (self.columns, self.depth) = (columns, depth);
        self.values.clear();
        self.values.resize(padded_columns(columns) * depth, 0.0);
    }

    /// Columns of the product, padding included.
    pub(crate) fn padded_columns(&self) -> usize {
        padded_columns(self.columns)
    }
}

/// `out = activation(left * right + bias)`.
///
/// `left` has `rows` rows, a multiple of [`ROW_TILE`], `left_stride` apart, of which the first
/// `depth` values are read. `out` has as many rows, `out_stride` apart, of at least
/// [`Panels::padded_columns`] values. `bias` has that many values.
pub(crate) struct Product<'a> {
    pub(crate) left: &'a [f32],
    pub(crate) left_stride: usize,
    pub(crate) rows: usize,
    pub(crate) right: &'a Panels,
    pub(crate) bias: Option<&'a [f32]>,
    pub(crate) activation: Option<Activation>,
    pub(crate) out: &'a mut [f32],
    pub(crate) out_stride: usize,
}

impl Product<'_> {
    /// Computes the product with the machine's widest vectors.
    pub(crate) fn run(self, arch: Arch) {
        arch.dispatch(self);
    }
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        // As many accumulators as the registers hold, beside the weights and one broadcast value.
        match (S::F32_LANES, S::REGISTER_COUNT) {
            (16, _) => self.tiles::<S, 12, 2>(simd),
            (8, _) => self.tiles::<S, 6, 2>(simd),
            (4, 32..) => self.tiles::<S, 6, 4>(simd),
            (4, _) => self.tiles::<S, 6, 2>(simd),
            _ => self.tiles::<S, 4, 4>(simd),
        }
    }
}

impl Product<'_> {
    #[inline(always)]
    fn tiles<S: Simd, const HEIGHT: usize, const WIDTH: usize>(mut self, simd: S) {
        debug_assert!(self.rows.is_multiple_of(ROW_TILE) && ROW_TILE.is_multiple_of(HEIGHT));
        for block in (0..self.rows).step_by(ROW_BLOCK) {
            let block_end = (block + ROW_BLOCK).min(self.rows);
            for column in (0..self.right.padded_columns()).step_by(PANEL) {
                for row in (block..block_end).step_by(HEIGHT) {
                    for vector in (0..PANEL / S::F32_LANES).step_by(WIDTH) {
                        self.tile::<S, HEIGHT, WIDTH>(simd, row, column, vector);
                    }
                }
            }
        }
    }

    /// `HEIGHT` rows by `WIDTH` vectors of the product, summed in registers over the whole depth.
    #[inline(always)]
    fn tile<S: Simd, const HEIGHT: usize, const WIDTH: usize>(
        &mut self,
        simd: S,
        row: usize,
        column: usize,
        vector: usize,
    ) {
        let depth = self.right.depth;
        let vectors = PANEL / S::F32_LANES;
        let panel = &self.right.values[column * depth..][..PANEL * depth];
        let panel = S::as_simd_f32s(panel).0;
        let left: [&[f32]; HEIGHT] =
            std::array::from_fn(|i| &self.left[(row + i) * self.left_stride..][..depth]);
        let mut sums = [[simd.splat_f32s(0.0); WIDTH]; HEIGHT];
        for k in 0..depth {
            let weights = &panel[k * vectors + vector..][..WIDTH];
            for i in 0..HEIGHT {
                let value = simd.splat_f32s(left[i][k]);
                for j in 0..WIDTH {
                    sums[i][j] = simd.mul_add_f32s(value, weights[j], sums[i][j]);
                }
            }
        }
        let start = column + vector * S::F32_LANES;
        let width = WIDTH * S::F32_LANES;
        let bias: [S::f32s; WIDTH] = match self.bias {
            Some(bias) => {
                let bias = S::as_simd_f32s(&bias[start..][..width]).0;
                std::array::from_fn(|j| bias[j])
            }
            None => [simd.splat_f32s(0.0); WIDTH],
        };
        // Two loops: were the activation in the first, it would not be unrolled, and the sums
        // would have to live in memory.
        for (i, sums) in sums.iter().enumerate() {
            let out = &mut self.out[(row + i) * self.out_stride + start..][..width];
            let lanes = S::as_mut_simd_f32s(out).0;
            for j in 0..WIDTH {
                lanes[j] = simd.add_f32s(sums[j], bias[j]);
            }
        }
        if let Some(activation) = self.activation {
            for i in 0..HEIGHT {
                let out = &mut self.out[(row + i) * self.out_stride + start..][..width];
                activation.apply(out);
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbers(count: usize, seed: u32) -> Vec<f32> {
        let mut state = seed | 1;
        let next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        std::iter::repeat_with(next).take(count).collect()
    }

    /// The instruction sets that this machine has, the widest first.
    pub(crate) fn instruction_sets() -> Vec<Arch> {
        let mut sets = vec![Arch::new()];
        #[cfg(target_arch = "x86_64")]
        sets.extend(pulp::x86::V3::try_new().map(Arch::V3));
        sets.push(Arch::Scalar);
        sets
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn every_instruction_set_gives_the_same_bits(
            rows in 1usize..30, depth in 1usize..70, columns in 1usize..70, seed in any::<u32>(),
        ) {
            let left = numbers(padded_rows(rows) * depth, seed);
            let panels = Panels::from_transposed(&numbers(columns * depth, !seed), columns, depth);
            let width = panels.padded_columns();
            let products = instruction_sets().into_iter().map(|arch| {
                let mut out = vec![0.0; padded_rows(rows) * width];
                Product {
                    left: &left, left_stride: depth, rows: padded_rows(rows), right: &panels,
                    bias: None, activation: Some(Activation::Gelu), out: &mut out,
                    out_stride: width,
                }
                .run(arch);
                out
            });
            let products: Vec<Vec<f32>> = products.collect();
            for other in &products[1..] {
                prop_assert_eq!(&products[0], other);
            }
        }

        #[test]
        fn a_product_is_that_of_f64_and_a_row_does_not_depend_on_its_neighbours(
            rows in 1usize..40, depth in 1usize..70, columns in 1usize..70, seed in any::<u32>(),
        ) {
            let left = numbers(padded_rows(rows) * depth, seed);
            let right = numbers(columns * depth, seed ^ 77);
            let panels = Panels::from_transposed(&right, columns, depth);
            let width = panels.padded_columns();
            let bias = numbers(width, seed ^ 5);
            let multiply = |left: &[f32], rows: usize| {
                let mut out = vec![0.0; rows * width];
                Product {
                    left, left_stride: depth, rows, right: &panels, bias: Some(&bias),
                    activation: None, out: &mut out, out_stride: width,
                }
                .run(Arch::new());
                out
            };
            let out = multiply(&left, padded_rows(rows));
            for row in 0..rows {
                for column in 0..columns {
                    let want: f64 = (0..depth)
                        .map(|k| {
                            f64::from(left[row * depth + k]) * f64::from(right[column * depth + k])
                        })
                        .sum::<f64>() + f64::from(bias[column]);
                    let got = f64::from(out[row * width + column]);
                    prop_assert!((got - want).abs() < 1e-5, "{got} {want}");
                }
            }
            // The same row, alone in first place.
            let mut alone = vec![0.0; ROW_TILE * depth];
            alone[..depth].copy_from_slice(&left[(rows - 1) * depth..][..depth]);
            let alone = multiply(&alone, ROW_TILE);
            prop_assert_eq!(&alone[..columns], &out[(rows - 1) * width..][..columns]);
        }

        #[test]
        fn both_layouts_of_a_matrix_give_the_same_panels(
            columns in 1usize..70, depth in 1usize..20, seed in any::<u32>(),
        ) {
            let rows = numbers(depth * columns, seed);
            let mut plain = Panels::default();
            plain.fill(&rows, columns, columns, depth);
            let mut transposed = vec![0.0; rows.len()];
            for k in 0..depth {
                for c in 0..columns {
                    transposed[c * depth + k] = rows[k * columns + c];
                }
            }
            let other = Panels::from_transposed(&transposed, columns, depth);
            prop_assert_eq!(plain.values, other.values);
        }
    }
}
