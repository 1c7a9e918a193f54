//! Models that XGBoost saved as JSON (`Booster.save_model("model.json")`).

use lahar_core::trees::{Arithmetic, Link, Missing, Node, Parts};
use serde_json::Value;

use super::malformed;
use crate::error::FormatError;

pub(super) fn read(learner: &Value) -> Result<Parts, FormatError> {
    let parameters = &learner["learner_model_param"];
    let number = |name: &str| -> Result<usize, FormatError> {
        text(&parameters[name])
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| malformed(&format!("learner_model_param.{name}"), "it is no number"))
    };
    let features = number("num_feature")?;
    let classes = number("num_class")?.max(1);
    let names = names(learner, features)?;
    let booster = &learner["gradient_booster"];
    match booster["name"].as_str() {
        Some("gbtree") => {}
        Some(other) => {
            let why = format!("a booster `{other}` is not read, only `gbtree`");
            return Err(malformed("gradient_booster.name", why));
        }
        None => return Err(malformed("gradient_booster.name", "it is missing")),
    }
    let objective = learner["objective"]["name"].as_str().unwrap_or_default();
    let (link, margin): (Link, fn(f64) -> f64) = match objective {
        "binary:logistic" | "reg:logistic" => (Link::Logistic { slope: 1.0 }, logit),
        "binary:logitraw" => (Link::Identity, logit),
        "reg:squarederror"
        | "reg:squaredlogerror"
        | "reg:absoluteerror"
        | "reg:pseudohubererror"
        | "reg:quantileerror"
        | "rank:ndcg"
        | "rank:map"
        | "rank:pairwise" => (Link::Identity, |score| score),
        "count:poisson" | "reg:gamma" | "reg:tweedie" => (Link::Exponential, f64::ln),
        "multi:softprob" | "multi:softmax" => (Link::Softmax, |score| score),
        other => {
            let why = format!("an objective `{other}` is not read");
            return Err(malformed("objective.name", why));
        }
    };
    let base = base_scores(&parameters["base_score"], classes)?;
    let base: Vec<f64> = base
        .into_iter()
        // Single precision, as the program keeps it.
        .map(|score| f64::from(margin(f64::from(score as f32)) as f32))
        .collect();
    if base.iter().any(|score| !score.is_finite()) {
        return Err(malformed("base_score", "it has no margin"));
    }
    let model = &booster["model"];
    let trees = list(&model["trees"], "trees")?;
    let outputs = list(&model["tree_info"], "tree_info")?;
    let claimed = text(&model["gbtree_model_param"]["num_trees"]);
    if outputs.len() != trees.len()
        || claimed.is_some_and(|claimed| claimed.parse() != Ok(trees.len()))
    {
        let why = format!("{} trees are there, the header says otherwise", trees.len());
        return Err(malformed("trees", why));
    }
    let trees = trees.iter().zip(outputs).enumerate();
    let trees = trees
        .map(|(at, (tree, output))| {
            let place = format!("tree {at}");
            let output = output.as_u64().filter(|output| *output < classes as u64);
            let output = output.ok_or_else(|| malformed(&place, "it is of no class"))?;
            let nodes = nodes(tree, &place)?;
            super::tree(output as usize, nodes, features, &place)
        })
        .collect::<Result<_, _>>()?;
    Ok(Parts {
        features: names,
        trees,
        base,
        divisor: 1.0,
        link,
        arithmetic: Arithmetic::Single,
    })
}

fn logit(probability: f64) -> f64 {
    -(1.0 / probability - 1.0).ln()
}

/// Header values are numbers in strings.
fn text(value: &Value) -> Option<&str> {
    value.as_str()
}

fn names(learner: &Value, features: usize) -> Result<Vec<String>, FormatError> {
    // A model trained without names has none, or an empty list.
    let given = learner["feature_names"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    if given.is_empty() {
        if features > 1 << 20 {
            let why = format!("{features} features are claimed and none is named");
            return Err(malformed("num_feature", why));
        }
        return Ok((0..features).map(|at| format!("f{at}")).collect());
    }
    if given.len() != features {
        let why = format!("{} names for {features} features", given.len());
        return Err(malformed("feature_names", why));
    }
    let name = |name: &Value| name.as_str().map(str::to_owned);
    let names: Option<_> = given.iter().map(name).collect();
    names.ok_or_else(|| malformed("feature_names", "one of them is no text"))
}

/// One number, or since version 3 a list of them in brackets.
fn base_scores(value: &Value, classes: usize) -> Result<Vec<f64>, FormatError> {
    let wrong = || malformed("base_score", "it is no number");
    let text = text(value).ok_or_else(wrong)?;
    let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
    let scores: Vec<f64> = inner
        .split(',')
        .map(|score| score.trim().parse().map_err(|_| wrong()))
        .collect::<Result<_, _>>()?;
    if classes > 1 << 16 {
        return Err(malformed("num_class", format!("{classes} classes")));
    }
    match scores.as_slice() {
        [one] => Ok(vec![*one; classes]),
        several if several.len() == classes => Ok(scores),
        several => {
            let why = format!("{} values for {classes} classes", several.len());
            Err(malformed("base_score", why))
        }
    }
}

fn list<'a>(value: &'a Value, place: &str) -> Result<&'a [Value], FormatError> {
    let list = value.as_array().map(Vec::as_slice);
    list.ok_or_else(|| malformed(place, "it is no list"))
}

fn nodes(tree: &Value, place: &str) -> Result<Vec<Node>, FormatError> {
    let column = |name: &str| list(&tree[name], &format!("{place}, {name}"));
    let (left, right) = (column("left_children")?, column("right_children")?);
    let (features, thresholds) = (column("split_indices")?, column("split_conditions")?);
    let default_left = column("default_left")?;
    let count = left.len();
    let lengths = [right, features, thresholds, default_left].map(<[Value]>::len);
    let claimed = text(&tree["tree_param"]["num_nodes"]);
    if lengths.iter().any(|length| *length != count)
        || claimed.is_some_and(|claimed| claimed.parse() != Ok(count))
    {
        return Err(malformed(place, "its lists are not of one length"));
    }
    let categories = tree["split_type"].as_array().map_or(&[][..], Vec::as_slice);
    if categories.iter().any(|kind| kind.as_u64() != Some(0)) {
        return Err(malformed(place, "splits on categories are not read"));
    }
    let several = text(&tree["tree_param"]["size_leaf_vector"]);
    if several.is_some_and(|size| !matches!(size, "0" | "1")) {
        return Err(malformed(place, "leaves of several values are not read"));
    }
    let wrong = |at: usize| malformed(place, format!("node {at} is incomplete"));
    (0..count)
        .map(|at| {
            let threshold = thresholds[at].as_f64().ok_or_else(|| wrong(at))?;
            match (left[at].as_i64(), right[at].as_i64()) {
                // The value of a leaf stands where other nodes have their threshold.
                (Some(-1), Some(-1)) => Ok(Node::Leaf(threshold)),
                (Some(left), Some(right)) => {
                    let index = |n: i64| u32::try_from(n).map_err(|_| wrong(at));
                    let goes_left = match &default_left[at] {
                        Value::Bool(yes) => Some(*yes),
                        number => number.as_u64().map(|n| n != 0),
                    };
                    let feature = features[at].as_i64().ok_or_else(|| wrong(at))?;
                    Ok(Node::Split {
                        feature: index(feature)?,
                        threshold,
                        missing: match goes_left.ok_or_else(|| wrong(at))? {
                            true => Missing::Left,
                            false => Missing::Right,
                        },
                        zero_is_missing: false,
                        left: index(left)?,
                        right: index(right)?,
                    })
                }
                _ => Err(wrong(at)),
            }
        })
        .collect()
}
