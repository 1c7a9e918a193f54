//! Sums of decision trees: learned models whose weights somebody published, as values that a
//! capability takes.
//!
//! Where the programs that train such models differ (which side a value equal to the threshold
//! takes, where a missing value goes, single or double precision) a model keeps what its own
//! program does.

mod columns;

use std::sync::Arc;

use serde::{Serialize, Serializer};

/// Why trees are no model, or do not take what they are given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// A node leads nowhere, or holds what cannot be computed with.
    #[error("{0}")]
    Broken(String),
    /// A model is given another number of features than it was trained on.
    #[error("{found} features are given, the model takes: {expected}")]
    WrongFeatures {
        /// How many are given.
        found: usize,
        /// Their names, in order.
        expected: String,
    },
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
pub enum Missing {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// It counts as zero.
    Zero,
}

/// A node of a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Node {
    /// What the tree adds.
    Leaf(f64),
    /// A question about one feature.
    Split {
        /// Which one.
        feature: u32,
        /// What it is compared with.
        threshold: f64,
        /// Where it goes when it is missing.
        missing: Missing,
        /// Whether zero counts as missing.
        zero_is_missing: bool,
        /// Node for what lies below the threshold.
        left: u32,
        /// Node for the rest.
        right: u32,
    },
}

/// A tree that adds to one of the outputs; the first node is its root.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    output: usize,
    nodes: Vec<Node>,
}

/// What the program that trained a model computes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    /// XGBoost: single precision, smaller than the threshold goes left.
    Single,
    /// LightGBM: double precision, the threshold itself goes left too.
    Double,
}

/// What a model is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Parts {
    /// Names of the features, in the order in which they are given.
    pub features: Vec<String>,
    /// The trees.
    pub trees: Vec<Tree>,
    /// What each output starts from.
    pub base: Vec<f64>,
    /// Sums are divided by it before the link; 1 unless the trees are a forest.
    pub divisor: f64,
    /// What turns sums into predictions.
    pub link: Link,
    /// What its program computes with.
    pub arithmetic: Arithmetic,
}

/// A sum of decision trees with what turns the sum into a prediction. Copies share their trees.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeModel {
    parts: Arc<Parts>,
    written: Arc<[u8]>,
}

/// Models go by file; in JSON one only says what it is.
impl Serialize for TreeModel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut out = serializer.serialize_struct("TreeModel", 3)?;
        out.serialize_field("trees", &self.trees())?;
        out.serialize_field("features", self.features())?;
        out.serialize_field("sha256", &crate::ContentHash::of(&self.written))?;
        out.end()
    }
}

impl TreeModel {
    /// A model from its parts, with the bytes that it was read from.
    pub fn new(parts: Parts, written: Arc<[u8]>) -> TreeModel {
        TreeModel {
            parts: Arc::new(parts),
            written,
        }
    }

    /// The bytes that it was read from: a model is handed on as its publisher wrote it.
    pub fn written(&self) -> &[u8] {
        &self.written
    }

    /// Names of the features, in the order in which they are given.
    pub fn features(&self) -> &[String] {
        &self.parts.features
    }

    /// Number of trees.
    pub fn trees(&self) -> usize {
        self.parts.trees.len()
    }

    /// Number of outputs: 1, or one a class.
    pub fn outputs(&self) -> usize {
        self.parts.base.len()
    }

    /// What turns sums into predictions.
    pub fn link(&self) -> Link {
        self.parts.link
    }

    /// Sums of the trees, before the link; `NaN` in a feature marks a missing value.
    ///
    /// Another number of features than the model has is refused.
    pub fn margins(&self, features: &[f64]) -> Result<Vec<f64>, TreeError> {
        if features.len() != self.parts.features.len() {
            return Err(TreeError::WrongFeatures {
                found: features.len(),
                expected: self.parts.features.join(", "),
            });
        }
        let mut sums = self.parts.base.clone();
        for tree in &self.parts.trees {
            let leaf = tree.leaf(features, self.parts.arithmetic);
            let sum = &mut sums[tree.output];
            *sum = match self.parts.arithmetic {
                Arithmetic::Single => f64::from(*sum as f32 + leaf as f32),
                Arithmetic::Double => *sum + leaf,
            };
        }
        Ok(sums)
    }

    /// Predictions: [`TreeModel::margins`], of a forest divided by the number of its trees, through
    /// the link.
    pub fn predict(&self, features: &[f64]) -> Result<Vec<f64>, TreeError> {
        Ok(self.linked(self.margins(features)?))
    }

    /// From the sums of one row to its predictions.
    fn linked(&self, mut margins: Vec<f64>) -> Vec<f64> {
        margins
            .iter_mut()
            .for_each(|sum| *sum /= self.parts.divisor);
        let each = |change: &dyn Fn(f64) -> f64| margins.iter().map(|x| change(*x)).collect();
        match self.parts.link {
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
    pub fn new(output: usize, nodes: Vec<Node>, features: usize) -> Result<Tree, TreeError> {
        let mut seen = vec![false; nodes.len()];
        let mut open = vec![0usize];
        while let Some(at) = open.pop() {
            let (Some(node), Some(seen)) = (nodes.get(at), seen.get_mut(at)) else {
                return Err(TreeError::Broken(format!("it has no node {at}")));
            };
            if std::mem::replace(seen, true) {
                return Err(TreeError::Broken(format!("node {at} has two parents")));
            }
            match *node {
                Node::Leaf(value) if !value.is_finite() => {
                    return Err(TreeError::Broken(format!("the leaf {at} is {value}")));
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
                        return Err(TreeError::Broken(why));
                    }
                    if threshold.is_nan() {
                        return Err(TreeError::Broken(format!("node {at} has no threshold")));
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
