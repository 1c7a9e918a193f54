//! Sums of decision trees, as XGBoost and LightGBM write them in JSON: published weights of
//! learned models.
//!
//! Both kinds become one [`TreeModel`]. Where the two programs differ (which side a value equal to
//! the threshold takes, where a missing value goes, single or double precision, whether the
//! constant is a probability or a margin) the model keeps what its own program does.
//!
//! Splits on categories, linear boosters, dropped trees and leaves of several values are refused:
//! a model is read whole or not at all.

mod lightgbm;
mod xgboost;

use lahar_core::trees::{Node, Tree, TreeModel};
use serde::de::IgnoredAny;
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
    let parts = if let Some(learner) = value.get("learner") {
        xgboost::read(learner)?
    } else if value.get("tree_info").is_some() {
        lightgbm::read(&value)?
    } else {
        return Err(malformed(
            "file",
            "it has neither the `learner` of an XGBoost model nor the `tree_info` of a LightGBM one",
        ));
    };
    Ok(TreeModel::new(parts, bytes.into()))
}

/// Whether JSON is one of these models: it has their outermost keys.
pub fn recognises(bytes: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Outermost {
        learner: Option<IgnoredAny>,
        tree_info: Option<IgnoredAny>,
    }
    serde_json::from_slice::<Outermost>(bytes)
        .is_ok_and(|keys| keys.learner.is_some() || keys.tree_info.is_some())
}

/// A tree whose nodes are checked, with the place where a broken one stands in the file.
fn tree(
    output: usize,
    nodes: Vec<Node>,
    features: usize,
    place: &str,
) -> Result<Tree, FormatError> {
    Tree::new(output, nodes, features).map_err(|why| malformed(place, why))
}

#[cfg(test)]
mod tests;
