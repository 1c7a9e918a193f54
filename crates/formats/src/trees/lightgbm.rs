//! Models that LightGBM dumped as JSON (`Booster.dump_model()`).

use lahar_core::trees::{Arithmetic, Link, Missing, Node, Parts, Tree};
use serde_json::Value;

use super::malformed;
use crate::error::FormatError;

pub(super) fn read(model: &Value) -> Result<Parts, FormatError> {
    let count = |name: &str| {
        let number = model[name].as_u64().map(|n| n as usize);
        number.ok_or_else(|| malformed(name, "it is no number"))
    };
    let outputs = count("num_tree_per_iteration")?.max(1);
    let features = count("max_feature_idx")?.saturating_add(1);
    let names = model["feature_names"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    if names.len() != features {
        let why = format!("{} names for {features} features", names.len());
        return Err(malformed("feature_names", why));
    }
    let name = |name: &Value| name.as_str().map(str::to_owned);
    let names: Option<Vec<String>> = names.iter().map(name).collect();
    let names = names.ok_or_else(|| malformed("feature_names", "one of them is no text"))?;
    let link = link(model["objective"].as_str().unwrap_or_default())?;
    let list = model["tree_info"].as_array().map_or(&[][..], Vec::as_slice);
    if outputs > list.len().max(1) || !list.len().is_multiple_of(outputs) {
        let why = format!("{} trees for {outputs} outputs", list.len());
        return Err(malformed("tree_info", why));
    }
    let trees = list
        .iter()
        .enumerate()
        .map(|(at, tree)| {
            let place = format!("tree {at}");
            let nodes = nodes(&tree["tree_structure"], &place)?;
            super::tree(at % outputs, nodes, features, &place)
        })
        .collect::<Result<Vec<Tree>, _>>()?;
    let forest = model["average_output"].as_bool().unwrap_or(false);
    let rounds = (list.len() / outputs).max(1) as f64;
    Ok(Parts {
        features: names,
        trees,
        base: vec![0.0; outputs],
        divisor: if forest { rounds } else { 1.0 },
        link,
        arithmetic: Arithmetic::Double,
    })
}

/// The link of an objective such as `binary sigmoid:1`.
fn link(objective: &str) -> Result<Link, FormatError> {
    let mut words = objective.split_whitespace();
    let name = words.next().unwrap_or_default();
    let settings: Vec<&str> = words.collect();
    let slope = || {
        let given = settings
            .iter()
            .find_map(|word| word.strip_prefix("sigmoid:"));
        given.map_or(Ok(1.0), |text| {
            text.parse()
                .map_err(|_| malformed("objective", format!("`{text}` is no slope")))
        })
    };
    Ok(match name {
        "regression" if settings.contains(&"sqrt") => Link::SignedSquare,
        "regression" | "regression_l1" | "huber" | "fair" | "quantile" | "mape" | "lambdarank"
        | "rank_xendcg" => Link::Identity,
        "binary" => Link::Logistic { slope: slope()? },
        "cross_entropy" => Link::Logistic { slope: 1.0 },
        "poisson" | "gamma" | "tweedie" => Link::Exponential,
        "multiclass" => Link::Softmax,
        "multiclassova" => Link::Logistic { slope: slope()? },
        other => {
            let why = format!("an objective `{other}` is not read");
            return Err(malformed("objective", why));
        }
    })
}

/// Lays the nested nodes of a tree into a list; children come after their parent.
fn nodes(root: &Value, place: &str) -> Result<Vec<Node>, FormatError> {
    let mut nodes = vec![Node::Leaf(0.0)];
    let mut open = vec![(root, 0usize)];
    while let Some((value, at)) = open.pop() {
        if let Some(leaf) = value["leaf_value"].as_f64() {
            nodes[at] = Node::Leaf(leaf);
            continue;
        }
        let wrong = || malformed(place, format!("node {at} is incomplete"));
        match value["decision_type"].as_str() {
            Some("<=") => {}
            Some("==") => return Err(malformed(place, "splits on categories are not read")),
            _ => return Err(wrong()),
        }
        let goes_left = value["default_left"].as_bool().ok_or_else(wrong)?;
        let side = if goes_left {
            Missing::Left
        } else {
            Missing::Right
        };
        let (missing, zero_is_missing) = match value["missing_type"].as_str() {
            Some("None") => (Missing::Zero, false),
            Some("Zero") => (side, true),
            Some("NaN") => (side, false),
            _ => return Err(wrong()),
        };
        let feature = value["split_feature"]
            .as_u64()
            .and_then(|n| n.try_into().ok());
        let left = nodes.len();
        nodes[at] = Node::Split {
            feature: feature.ok_or_else(wrong)?,
            threshold: value["threshold"].as_f64().ok_or_else(wrong)?,
            missing,
            zero_is_missing,
            left: left as u32,
            right: left as u32 + 1,
        };
        nodes.extend([Node::Leaf(0.0); 2]);
        for (child, at) in [("left_child", left), ("right_child", left + 1)] {
            let value = value.get(child).ok_or_else(wrong)?;
            open.push((value, at));
        }
    }
    Ok(nodes)
}
