//! Many rows at once, given by columns: the same bits as row by row.
//!
//! Trees of single precision up to three splits deep are filled up to whole ones and walked for all
//! rows of a block together, by comparisons and selections that are compiled for the widest vectors
//! the machine has. Deeper trees, and those of double precision, are walked row by row.

use pulp::{Arch, Simd, WithSimd};

use super::{Arithmetic, Missing, Node, Tree, TreeError, TreeModel};

/// Rows that are walked together.
const ROWS: usize = 64;

/// Deepest tree that is filled up to a whole one.
const DEEPEST: usize = 3;

type Block = [f32; ROWS];

/// A tree in which every way is `depth` splits long; splits and leaves from the left, level by
/// level.
struct Whole {
    depth: usize,
    /// Column of the block, and threshold.
    splits: [(usize, f32); (1 << DEEPEST) - 1],
    leaves: [f32; 1 << DEEPEST],
}

enum Walk<'a> {
    Together(Whole),
    RowByRow(&'a Tree),
}

impl Whole {
    /// The tree filled up; none where it is too deep or says more than a block can tell.
    fn of(tree: &Tree) -> Option<Whole> {
        let depth = depth(tree, 0)?;
        let mut whole = Whole {
            depth,
            splits: [(0, f32::INFINITY); (1 << DEEPEST) - 1],
            leaves: [0.0; 1 << DEEPEST],
        };
        whole.fill(tree, 0, 0, 0).then_some(whole)
    }

    /// Fills in what lies beneath the place `at` of a level.
    fn fill(&mut self, tree: &Tree, node: usize, level: usize, at: usize) -> bool {
        match tree.nodes[node] {
            Node::Leaf(value) => {
                let under = 1 << (self.depth - level);
                self.leaves[at * under..(at + 1) * under].fill(value as f32);
                true
            }
            Node::Split {
                feature,
                threshold,
                missing,
                zero_is_missing,
                left,
                right,
            } => {
                let threshold = threshold as f32;
                let side = match missing {
                    Missing::Left => 0,
                    Missing::Right => 1,
                    Missing::Zero => return false,
                };
                if zero_is_missing || threshold.is_infinite() {
                    return false;
                }
                self.splits[(1 << level) - 1 + at] = (2 * feature as usize + side, threshold);
                self.fill(tree, left as usize, level + 1, 2 * at)
                    && self.fill(tree, right as usize, level + 1, 2 * at + 1)
            }
        }
    }
}

/// Splits on the longest way from a node; none where there are too many.
fn depth(tree: &Tree, node: usize) -> Option<usize> {
    match tree.nodes[node] {
        Node::Leaf(_) => Some(0),
        Node::Split { left, right, .. } => {
            let deeper = depth(tree, left as usize)?.max(depth(tree, right as usize)?) + 1;
            (deeper <= DEEPEST).then_some(deeper)
        }
    }
}

/// Adds a whole tree's leaves to the sums of a block.
struct Add<'a> {
    tree: &'a Whole,
    /// Each feature twice: with what is missing below, and above, all thresholds.
    columns: &'a [Block],
    sums: &'a mut Block,
}

impl WithSimd for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let column = |split: usize| {
            let (column, threshold) = self.tree.splits[split];
            (&self.columns[column], threshold)
        };
        // Numbers of their own: a choice between places of a list is no selection.
        let [l0, l1, l2, l3, l4, l5, l6, l7] = self.tree.leaves;
        let sums = self.sums;
        match self.tree.depth {
            0 => sums.iter_mut().for_each(|sum| *sum += l0),
            1 => {
                let (a, at_a) = column(0);
                for (sum, a) in sums.iter_mut().zip(a) {
                    *sum += either(*a < at_a, l0, l1);
                }
            }
            2 => {
                let ((a, at_a), (b, at_b), (c, at_c)) = (column(0), column(1), column(2));
                for row in 0..ROWS {
                    let left = either(b[row] < at_b, l0, l1);
                    let right = either(c[row] < at_c, l2, l3);
                    sums[row] += either(a[row] < at_a, left, right);
                }
            }
            _ => {
                let ((a, at_a), (b, at_b), (c, at_c)) = (column(0), column(1), column(2));
                let ((d, at_d), (e, at_e)) = (column(3), column(4));
                let ((f, at_f), (g, at_g)) = (column(5), column(6));
                for row in 0..ROWS {
                    let first = either(d[row] < at_d, l0, l1);
                    let second = either(e[row] < at_e, l2, l3);
                    let third = either(f[row] < at_f, l4, l5);
                    let fourth = either(g[row] < at_g, l6, l7);
                    let left = either(b[row] < at_b, first, second);
                    let right = either(c[row] < at_c, third, fourth);
                    sums[row] += either(a[row] < at_a, left, right);
                }
            }
        }
    }
}

#[inline(always)]
fn either(choice: bool, first: f32, second: f32) -> f32 {
    if choice { first } else { second }
}

impl TreeModel {
    /// Predictions for many rows: one column of values for each feature, `NaN` where one is
    /// missing; one column for each output. The same bits as [`TreeModel::predict`] row by row, for
    /// every number of threads.
    ///
    /// Another number of columns than the model has features, or columns of unequal length, are
    /// refused.
    pub fn predict_columns(
        &self,
        columns: &[&[f64]],
        threads: usize,
    ) -> Result<Vec<Vec<f64>>, TreeError> {
        let rows = columns.first().map_or(0, |column| column.len());
        if columns.len() != self.parts.features.len() || columns.iter().any(|c| c.len() != rows) {
            return Err(TreeError::WrongFeatures {
                found: columns.len(),
                expected: format!("{}, all of one length", self.parts.features.join(", ")),
            });
        }
        let walks: Vec<Walk<'_>> = self
            .parts
            .trees
            .iter()
            .map(|tree| match self.parts.arithmetic {
                Arithmetic::Single => Whole::of(tree).map_or(Walk::RowByRow(tree), Walk::Together),
                Arithmetic::Double => Walk::RowByRow(tree),
            })
            .collect();
        let share = rows.div_ceil(threads.max(1)).next_multiple_of(ROWS);
        let parts = std::thread::scope(|scope| {
            let works: Vec<_> = (0..rows)
                .step_by(share.max(1))
                .map(|from| {
                    let walks = &walks;
                    scope.spawn(move || self.rows(walks, columns, from..(from + share).min(rows)))
                })
                .collect();
            let join = |work: std::thread::ScopedJoinHandle<'_, Vec<Vec<f64>>>| match work.join() {
                Ok(part) => part,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            works.into_iter().map(join).collect::<Vec<_>>()
        });
        let mut outputs = vec![Vec::with_capacity(rows); self.outputs()];
        for part in parts {
            for (output, part) in outputs.iter_mut().zip(part) {
                output.extend(part);
            }
        }
        Ok(outputs)
    }

    fn rows(
        &self,
        walks: &[Walk<'_>],
        columns: &[&[f64]],
        rows: std::ops::Range<usize>,
    ) -> Vec<Vec<f64>> {
        let mut outputs = vec![Vec::with_capacity(rows.len()); self.outputs()];
        let mut block = vec![[0.0; ROWS]; 2 * columns.len()];
        let mut single = vec![[0.0; ROWS]; self.outputs()];
        let mut row_values = vec![0.0; columns.len()];
        for first in rows.clone().step_by(ROWS) {
            let count = ROWS.min(rows.end - first);
            for (at, column) in columns.iter().enumerate() {
                for (row, value) in column[first..first + count].iter().enumerate() {
                    let value = *value as f32;
                    let is_missing = value.is_nan();
                    block[2 * at][row] = if is_missing { f32::NEG_INFINITY } else { value };
                    block[2 * at + 1][row] = if is_missing { f32::INFINITY } else { value };
                }
            }
            let mut double = vec![[0.0; ROWS]; self.outputs()];
            for (output, base) in self.parts.base.iter().enumerate() {
                single[output].fill(*base as f32);
                double[output].fill(*base);
            }
            for (tree, walk) in self.parts.trees.iter().zip(walks) {
                match walk {
                    Walk::Together(whole) => Arch::new().dispatch(Add {
                        tree: whole,
                        columns: &block,
                        sums: &mut single[tree.output],
                    }),
                    Walk::RowByRow(tree) => {
                        for row in 0..count {
                            for (value, column) in row_values.iter_mut().zip(columns) {
                                *value = column[first + row];
                            }
                            let leaf = tree.leaf(&row_values, self.parts.arithmetic);
                            match self.parts.arithmetic {
                                Arithmetic::Single => single[tree.output][row] += leaf as f32,
                                Arithmetic::Double => double[tree.output][row] += leaf,
                            }
                        }
                    }
                }
            }
            for row in 0..count {
                let sum = |output: usize| match self.parts.arithmetic {
                    Arithmetic::Single => f64::from(single[output][row]),
                    Arithmetic::Double => double[output][row],
                };
                let linked = self.linked((0..self.outputs()).map(sum).collect());
                for (output, value) in outputs.iter_mut().zip(linked) {
                    output.push(value);
                }
            }
        }
        outputs
    }
}
