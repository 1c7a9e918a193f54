//! Sums of decision trees, as XGBoost and LightGBM write them in JSON: published weights of
//! learned models.
//!
//! Both kinds become one [`TreeModel`]. Where the two programs differ (which side a value equal to
//! the threshold takes, where a missing value goes, single or double precision, whether the
//! constant is a probability or a margin) the model keeps what its own program does.
//!
//! Splits on categories, linear boosters, dropped trees and leaves of several values are refused:
//! a model is read whole or not at all.

mod columns;
mod lightgbm;
mod xgboost;

use serde_json::Value;

use crate::error::FormatError;

const FORMAT: &str = "tree-model JSON";

/// Largest file that is read, in bytes.
const LARGEST: usize = 1 << 28;

fn malformed(place: &str, why: impl ToString) -> FormatError {
    FormatError::Malformed {
        format: FORMAT,
        place: place.to_owned(),
        why: why.to_string(),
    }
}

/// From the sum of the trees to what is predicted.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Link {
    /// The sum itself.
    Identity,
    /// `1 / (1 + e^(-slope x))`.
    Logistic {
        /// The slope; 1 unless a LightGBM model says otherwise.
        slope: f64,
    },
    /// `e^x`.
    Exponential,
    /// `x |x|`, for models fitted to signed square roots.
    SignedSquare,
    /// One probability a class, which add up to 1.
    Softmax,
}

/// Where a missing value goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Missing {
    /// To the left or the right.
    Left,
    Right,
    /// It counts as zero.
    Zero,
}

/// A node of a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Node {
    Leaf(f64),
    Split {
        feature: u32,
        threshold: f64,
        missing: Missing,
        /// Whether zero counts as missing.
        zero_is_missing: bool,
        left: u32,
        right: u32,
    },
}

/// A tree that adds to one of the outputs; the first node is its root.
#[derive(Debug, Clone, PartialEq)]
struct Tree {
    output: usize,
    nodes: Vec<Node>,
}

/// What the program that trained a model computes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arithmetic {
    /// XGBoost: single precision, smaller than the threshold goes left.
    Single,
    /// LightGBM: double precision, the threshold itself goes left too.
    Double,
}

/// A sum of decision trees with what turns the sum into a prediction.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeModel {
    features: Vec<String>,
    trees: Vec<Tree>,
    /// What each output starts from.
    base: Vec<f64>,
    /// Sums are divided by it before the link; 1 unless the trees are a forest.
    divisor: f64,
    link: Link,
    arithmetic: Arithmetic,
}

/// Reads a model; which program wrote it is seen from its keys.
///
/// ```
/// let one_split = br#"{"version": [2, 0, 0], "learner": {
///   "feature_names": ["rain"], "objective": {"name": "binary:logistic"},
///   "learner_model_param": {"base_score": "0.5", "num_class": "0", "num_feature": "1"},
///   "gradient_booster": {"name": "gbtree", "model": {
///     "gbtree_model_param": {"num_trees": "1"}, "tree_info": [0],
///     "trees": [{"tree_param": {"num_nodes": "3", "size_leaf_vector": "1"},
///       "left_children": [1, -1, -1], "right_children": [2, -1, -1], "split_indices": [0, 0, 0],
///       "split_conditions": [10.0, -1.0, 2.0], "default_left": [1, 0, 0]}]}}}}"#;
/// let model = lahar_formats::trees::read(one_split).unwrap();
/// let wet = model.predict(&[12.0]).unwrap()[0];
/// assert!((wet - 1.0 / (1.0 + f64::exp(-2.0))).abs() < 1e-6);
/// // A missing value goes the way the training chose.
/// assert_eq!(model.margins(&[f64::NAN]).unwrap(), [-1.0]);
/// ```
pub fn read(bytes: &[u8]) -> Result<TreeModel, FormatError> {
    if bytes.len() > LARGEST {
        return Err(FormatError::TooLarge {
            format: FORMAT,
            claimed: bytes.len() as u64,
            limit: LARGEST as u64,
        });
    }
    let value: Value = serde_json::from_slice(bytes).map_err(|e| malformed("file", e))?;
    if let Some(learner) = value.get("learner") {
        xgboost::read(learner)
    } else if value.get("tree_info").is_some() {
        lightgbm::read(&value)
    } else {
        Err(malformed(
            "file",
            "it has neither the `learner` of an XGBoost model nor the `tree_info` of a LightGBM one",
        ))
    }
}

impl TreeModel {
    /// Names of the features, in the order in which they are given.
    pub fn features(&self) -> &[String] {
        &self.features
    }

    /// Number of trees.
    pub fn trees(&self) -> usize {
        self.trees.len()
    }

    /// Number of outputs: 1, or one a class.
    pub fn outputs(&self) -> usize {
        self.base.len()
    }

    /// What turns sums into predictions.
    pub fn link(&self) -> Link {
        self.link
    }

    /// Sums of the trees, before the link; `NaN` in a feature marks a missing value.
    ///
    /// Another number of features than the model has is refused.
    pub fn margins(&self, features: &[f64]) -> Result<Vec<f64>, FormatError> {
        if features.len() != self.features.len() {
            return Err(FormatError::WrongFeatures {
                found: features.len(),
                expected: self.features.join(", "),
            });
        }
        let mut sums = self.base.clone();
        for tree in &self.trees {
            let leaf = tree.leaf(features, self.arithmetic);
            let sum = &mut sums[tree.output];
            *sum = match self.arithmetic {
                Arithmetic::Single => f64::from(*sum as f32 + leaf as f32),
                Arithmetic::Double => *sum + leaf,
            };
        }
        Ok(sums)
    }

    /// Predictions: [`TreeModel::margins`], of a forest divided by the number of its trees, through
    /// the link.
    pub fn predict(&self, features: &[f64]) -> Result<Vec<f64>, FormatError> {
        Ok(self.linked(self.margins(features)?))
    }

    /// From the sums of one row to its predictions.
    fn linked(&self, mut margins: Vec<f64>) -> Vec<f64> {
        margins.iter_mut().for_each(|sum| *sum /= self.divisor);
        let each = |change: &dyn Fn(f64) -> f64| margins.iter().map(|x| change(*x)).collect();
        match self.link {
            Link::Identity => margins,
            Link::Logistic { slope } => each(&|x| 1.0 / (1.0 + (-slope * x).exp())),
            Link::Exponential => each(&f64::exp),
            Link::SignedSquare => each(&|x| x * x.abs()),
            Link::Softmax => {
                let highest = margins.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let parts: Vec<f64> = margins.iter().map(|x| (x - highest).exp()).collect();
                let whole: f64 = parts.iter().sum();
                parts.into_iter().map(|part| part / whole).collect()
            }
        }
    }
}

impl Tree {
    /// A tree whose nodes are checked: children and features exist, and no node has two parents,
    /// so that every walk ends.
    fn new(
        output: usize,
        nodes: Vec<Node>,
        features: usize,
        place: &str,
    ) -> Result<Tree, FormatError> {
        let mut seen = vec![false; nodes.len()];
        let mut open = vec![0usize];
        while let Some(at) = open.pop() {
            let (Some(node), Some(seen)) = (nodes.get(at), seen.get_mut(at)) else {
                return Err(malformed(place, format!("it has no node {at}")));
            };
            if std::mem::replace(seen, true) {
                return Err(malformed(place, format!("node {at} has two parents")));
            }
            match *node {
                Node::Leaf(value) if !value.is_finite() => {
                    return Err(malformed(place, format!("the leaf {at} is {value}")));
                }
                Node::Leaf(_) => {}
                Node::Split {
                    feature,
                    threshold,
                    left,
                    right,
                    ..
                } => {
                    if feature as usize >= features {
                        let why = format!("node {at} asks for feature {feature} of {features}");
                        return Err(malformed(place, why));
                    }
                    if threshold.is_nan() {
                        return Err(malformed(place, format!("node {at} has no threshold")));
                    }
                    open.extend([left as usize, right as usize]);
                }
            }
        }
        Ok(Tree { output, nodes })
    }

    fn leaf(&self, features: &[f64], arithmetic: Arithmetic) -> f64 {
        let mut at = 0;
        loop {
            match self.nodes[at] {
                Node::Leaf(value) => return value,
                Node::Split {
                    feature,
                    threshold,
                    missing,
                    zero_is_missing,
                    left,
                    right,
                } => {
                    let value = features[feature as usize];
                    // Below this LightGBM takes a number for zero.
                    let absent = value.is_nan() || zero_is_missing && value.abs() <= 1e-35;
                    let is_left = match (absent, missing) {
                        (true, Missing::Left) => true,
                        (true, Missing::Right) => false,
                        (_, _) => {
                            let value = if value.is_nan() { 0.0 } else { value };
                            match arithmetic {
                                Arithmetic::Single => (value as f32) < threshold as f32,
                                Arithmetic::Double => value <= threshold,
                            }
                        }
                    };
                    at = if is_left { left } else { right } as usize;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
