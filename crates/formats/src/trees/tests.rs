use std::path::{Path, PathBuf};

use super::*;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/trees")
}

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().unwrap().iter();
    list.map(|v| v.as_f64().unwrap_or(f64::NAN)).collect()
}

#[test]
fn predictions_are_those_of_the_programs_that_trained_the_models() {
    let mut models = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let Some(stem) = name.strip_suffix(".expected.json") else {
            continue;
        };
        let model = read(&std::fs::read(folder().join(format!("{stem}.json"))).unwrap()).unwrap();
        let cases: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let rows = cases["features"].as_array().unwrap();
        assert!(rows.len() >= 40 && model.trees() >= 6, "{stem}");
        for (at, row) in rows.iter().enumerate() {
            let row = numbers(row);
            for (found, expected) in [
                (model.margins(&row).unwrap(), &cases["margins"][at]),
                (model.predict(&row).unwrap(), &cases["predictions"][at]),
            ] {
                let expected = numbers(expected);
                assert_eq!(found.len(), expected.len(), "{stem}");
                for (found, expected) in found.iter().zip(expected) {
                    let close = (found - expected).abs() <= 2e-6 * expected.abs().max(1.0);
                    assert!(close, "{stem}, case {at}: {found}, not {expected}");
                }
            }
        }
        models += 1;
    }
    assert_eq!(models, 10);
}

fn changed(name: &str, change: impl FnOnce(&mut Value)) -> String {
    let bytes = std::fs::read(folder().join(name)).unwrap();
    let mut value: Value = serde_json::from_slice(&bytes).unwrap();
    change(&mut value);
    read(&serde_json::to_vec(&value).unwrap())
        .unwrap_err()
        .to_string()
}

fn first_tree(model: &mut Value) -> &mut Value {
    &mut model["learner"]["gradient_booster"]["model"]["trees"][0]
}

#[test]
fn what_cannot_be_computed_as_the_program_does_is_refused() {
    type Change = fn(&mut Value);
    let changes: [(&str, Change, &str); 12] = [
        (
            "xgboost-logistic.json",
            |m| m["learner"]["objective"]["name"] = "survival:cox".into(),
            "survival:cox",
        ),
        (
            "xgboost-logistic.json",
            |m| m["learner"]["gradient_booster"]["name"] = "dart".into(),
            "dart",
        ),
        (
            "xgboost-logistic.json",
            |m| first_tree(m)["split_type"][0] = 1.into(),
            "categories",
        ),
        (
            "xgboost-logistic.json",
            |m| first_tree(m)["left_children"][0] = 0.into(),
            "two parents",
        ),
        (
            "xgboost-logistic.json",
            |m| first_tree(m)["right_children"][0] = 4_000_000.into(),
            "no node",
        ),
        (
            "xgboost-logistic.json",
            |m| first_tree(m)["split_indices"][0] = 9.into(),
            "feature 9 of 4",
        ),
        (
            "xgboost-logistic.json",
            |m| first_tree(m)["split_conditions"] = Value::Array(Vec::new()),
            "one length",
        ),
        (
            "xgboost-logistic.json",
            |m| m["learner"]["learner_model_param"]["base_score"] = "1.5".into(),
            "margin",
        ),
        (
            "xgboost-logistic.json",
            |m| m["learner"]["learner_model_param"]["num_feature"] = "4000000000".into(),
            "names",
        ),
        (
            "lightgbm-binary.json",
            |m| m["tree_info"][0]["tree_structure"]["decision_type"] = "==".into(),
            "categories",
        ),
        (
            "lightgbm-binary.json",
            |m| m["objective"] = "custom".into(),
            "custom",
        ),
        (
            "lightgbm-binary.json",
            |m| m["max_feature_idx"] = 900_000_000.into(),
            "names",
        ),
    ];
    for (name, change, part) in changes {
        let message = changed(name, change);
        assert!(message.contains(part), "{name}: {message}");
    }
    assert!(read(b"{}").unwrap_err().to_string().contains("LightGBM"));
    assert!(read(b"not json").is_err());
}

#[test]
fn another_number_of_features_is_refused_by_name() {
    let model = read(&std::fs::read(folder().join("xgboost-squares.json")).unwrap()).unwrap();
    let message = model.margins(&[1.0]).unwrap_err().to_string();
    assert!(message.contains("rain, slope, soil, snow"), "{message}");
}

/// Three splits deep with short ways in between, once for each way of a missing value.
fn shallow() -> TreeModel {
    let tree = |default: u8| {
        serde_json::json!({
            "tree_param": {"num_nodes": "9", "size_leaf_vector": "1"},
            "left_children": [1, 3, -1, 5, -1, 7, -1, -1, -1],
            "right_children": [2, 4, -1, 6, -1, 8, -1, -1, -1],
            "split_indices": [0, 1, 0, 0, 0, 1, 0, 0, 0],
            "split_conditions": [0.5, 0.25, 0.125, 0.2, -0.75, 0.1, 0.3, -0.01, 1.7],
            "default_left": [default, 1 - default, 0, default, 0, default, 0, 0, 0],
        })
    };
    let stump = serde_json::json!({
        "tree_param": {"num_nodes": "1", "size_leaf_vector": "1"}, "left_children": [-1],
        "right_children": [-1], "split_indices": [0], "split_conditions": [0.03],
        "default_left": [0],
    });
    let one_split = serde_json::json!({
        "tree_param": {"num_nodes": "3", "size_leaf_vector": "1"}, "left_children": [1, -1, -1],
        "right_children": [2, -1, -1], "split_indices": [1, 0, 0],
        "split_conditions": [0.6, 0.2, -0.2], "default_left": [1, 0, 0],
    });
    let model = serde_json::json!({"version": [2, 0, 0], "learner": {
        "feature_names": ["rain", "slope"], "objective": {"name": "binary:logistic"},
        "learner_model_param": {"base_score": "0.3", "num_class": "0", "num_feature": "2"},
        "gradient_booster": {"name": "gbtree", "model": {
            "gbtree_model_param": {"num_trees": "4"}, "tree_info": [0, 0, 0, 0],
            "trees": [tree(0), tree(1), stump, one_split]}}}});
    read(&serde_json::to_vec(&model).unwrap()).unwrap()
}

fn same_by_columns(model: &TreeModel, rows: &[Vec<f64>]) {
    let columns: Vec<Vec<f64>> = (0..model.features().len())
        .map(|feature| rows.iter().map(|row| row[feature]).collect())
        .collect();
    let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    for threads in [1, 3] {
        let found = model.predict_columns(&columns, threads).unwrap();
        for (at, row) in rows.iter().enumerate() {
            for (output, expected) in model.predict(row).unwrap().iter().enumerate() {
                let found = found[output][at];
                assert_eq!(found.to_bits(), expected.to_bits(), "row {at}: {row:?}");
            }
        }
    }
}

#[test]
fn many_rows_at_once_give_the_bits_of_each_alone() {
    let mut rows = Vec::new();
    for at in 0..401_u32 {
        let value = |step: u32| match at % step {
            0 => f64::NAN,
            rest => f64::from(rest) / f64::from(step),
        };
        rows.push(vec![value(20), value(21)]);
    }
    same_by_columns(&shallow(), &rows);
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let Some(stem) = name.strip_suffix(".expected.json") else {
            continue;
        };
        let model = read(&std::fs::read(folder().join(format!("{stem}.json"))).unwrap()).unwrap();
        let cases: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let rows: Vec<Vec<f64>> = cases["features"]
            .as_array()
            .unwrap()
            .iter()
            .map(numbers)
            .collect();
        same_by_columns(&model, &[rows.clone(), rows].concat());
    }
    let short = shallow().predict_columns(&[&[1.0], &[]], 1).unwrap_err();
    assert!(short.to_string().contains("one length"), "{short}");
}
