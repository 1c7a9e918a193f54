//! A BERT model small enough to be made in a test.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// `tests/fixtures` of this crate, from whichever crate's tests use this file.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/fixtures")
}

/// The golden values of the tiny models.
pub fn golden() -> Value {
    let text = fs::read_to_string(fixtures().join("tiny-bert/golden.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// splitmix64; each number is a multiple of 2^-24 in [-0.5, 0.5).
struct Numbers(u64);

impl Iterator for Numbers {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        Some(((z ^ (z >> 31)) >> 40) as f64 / f64::from(1 << 24) - 0.5)
    }
}

/// A tensor's shape and values.
pub type Tensors = BTreeMap<String, (Vec<usize>, Vec<f32>)>;

/// The weights of a tiny model, drawn in the order of `tests/fixtures/tiny-bert/make.py`.
pub fn weights(config: &Value, seed: u64) -> Tensors {
    let size = |name: &str| config[name].as_u64().unwrap() as usize;
    let (h, f) = (size("hidden_size"), size("intermediate_size"));
    let mut numbers = Numbers(seed);
    let mut tensors = Tensors::new();
    let mut draw = |name: String, shape: Vec<usize>| {
        let is_scale = name.ends_with("LayerNorm.weight");
        let values = numbers.by_ref().take(shape.iter().product());
        let values = values
            .map(|x| if is_scale { 1.0 + 0.5 * x } else { x } as f32)
            .collect();
        tensors.insert(name, (shape, values));
    };
    for (name, rows) in [
        ("word", size("vocab_size")),
        ("position", size("max_position_embeddings")),
        ("token_type", size("type_vocab_size")),
    ] {
        draw(
            format!("embeddings.{name}_embeddings.weight"),
            vec![rows, h],
        );
    }
    draw("embeddings.LayerNorm.weight".into(), vec![h]);
    draw("embeddings.LayerNorm.bias".into(), vec![h]);
    for n in 0..size("num_hidden_layers") {
        let p = format!("encoder.layer.{n}");
        for name in ["query", "key", "value"] {
            draw(format!("{p}.attention.self.{name}.weight"), vec![h, h]);
            draw(format!("{p}.attention.self.{name}.bias"), vec![h]);
        }
        for (name, out, inputs) in [
            ("attention.output", h, h),
            ("intermediate", f, h),
            ("output", h, f),
        ] {
            draw(format!("{p}.{name}.dense.weight"), vec![out, inputs]);
            draw(format!("{p}.{name}.dense.bias"), vec![out]);
            if name != "intermediate" {
                draw(format!("{p}.{name}.LayerNorm.weight"), vec![h]);
                draw(format!("{p}.{name}.LayerNorm.bias"), vec![h]);
            }
        }
    }
    tensors
}

/// The golden values of the tiny cross-encoder.
pub fn golden_pairs() -> Value {
    let text = fs::read_to_string(fixtures().join("tiny-cross-encoder/golden.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The weights of the tiny cross-encoder: encoder and head each from their seed, in the order of
/// `tests/fixtures/tiny-cross-encoder/make.py`.
pub fn pair_weights(golden: &Value) -> Tensors {
    let config = &golden["config"];
    let encoder = weights(config, golden["seed"].as_u64().unwrap());
    let mut tensors: Tensors = encoder
        .into_iter()
        .map(|(name, tensor)| (format!("bert.{name}"), tensor))
        .collect();
    let h = config["hidden_size"].as_u64().unwrap() as usize;
    let mut numbers = Numbers(golden["head_seed"].as_u64().unwrap());
    for (name, shape) in [
        ("bert.pooler.dense.weight", vec![h, h]),
        ("bert.pooler.dense.bias", vec![h]),
        ("classifier.weight", vec![1, h]),
        ("classifier.bias", vec![1]),
    ] {
        let values = numbers.by_ref().take(shape.iter().product());
        let values = values.map(|x| x as f32).collect();
        tensors.insert(name.into(), (shape, values));
    }
    tensors
}

/// Writes the tiny cross-encoder into a folder.
pub fn write_pairs(folder: &Path) {
    let golden = golden_pairs();
    write_pairs_with(folder, &golden["config"], &pair_weights(&golden));
}

/// Writes a cross-encoder with this configuration and these weights into a folder.
pub fn write_pairs_with(folder: &Path, config: &Value, weights: &Tensors) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("config.json"), config.to_string()).unwrap();
    fs::write(folder.join("model.safetensors"), safetensors(weights)).unwrap();
    fs::copy(
        fixtures().join("tiny-bert/tokenizer.json"),
        folder.join("tokenizer.json"),
    )
    .unwrap();
}

/// The bytes of a safetensors file.
pub fn safetensors(tensors: &Tensors) -> Vec<u8> {
    let mut header = serde_json::Map::new();
    header.insert("__metadata__".into(), json!({"format": "pt"}));
    let mut data = Vec::new();
    for (name, (shape, values)) in tensors {
        let start = data.len();
        values.iter().for_each(|x| data.extend(x.to_le_bytes()));
        let entry = json!({"dtype": "F32", "shape": shape, "data_offsets": [start, data.len()]});
        header.insert(name.clone(), entry);
    }
    let header = serde_json::to_vec(&header).unwrap();
    [
        &(header.len() as u64).to_le_bytes(),
        header.as_slice(),
        &data,
    ]
    .concat()
}

/// Writes a tiny model into a folder: `cls` or `uneven` of the golden values.
pub fn write(folder: &Path, model: &str) {
    let golden = golden();
    let config = &golden["models"][model];
    let seed = if model == "cls" { 1 } else { 2 };
    fs::create_dir_all(folder.join("1_Pooling")).unwrap();
    fs::write(folder.join("config.json"), config.to_string()).unwrap();
    fs::write(
        folder.join("model.safetensors"),
        safetensors(&weights(config, seed)),
    )
    .unwrap();
    fs::copy(
        fixtures().join("tiny-bert/tokenizer.json"),
        folder.join("tokenizer.json"),
    )
    .unwrap();
    let modules = json!([
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
        {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
    ]);
    fs::write(folder.join("modules.json"), modules.to_string()).unwrap();
    let pooling = json!({"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false});
    fs::write(folder.join("1_Pooling/config.json"), pooling.to_string()).unwrap();
    let prompts = json!({"prompts": {"query": golden["query_prefix"]}});
    fs::write(
        folder.join("config_sentence_transformers.json"),
        prompts.to_string(),
    )
    .unwrap();
}

/// The golden values of the tiny tagger.
pub fn golden_tags() -> Value {
    let text = fs::read_to_string(fixtures().join("tiny-tagger/golden.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The weights of the tiny tagger: encoder and head each from their seed, in the order of
/// `tests/fixtures/tiny-tagger/make.py`.
pub fn tagger_weights(golden: &Value) -> Tensors {
    let config = &golden["config"];
    let encoder = weights(config, golden["seed"].as_u64().unwrap());
    let mut tensors: Tensors = encoder
        .into_iter()
        .map(|(name, tensor)| (format!("bert.{name}"), tensor))
        .collect();
    let h = config["hidden_size"].as_u64().unwrap() as usize;
    let labels = config["id2label"].as_object().unwrap().len();
    let mut numbers = Numbers(golden["head_seed"].as_u64().unwrap());
    for (name, shape) in [
        ("classifier.weight", vec![labels, h]),
        ("classifier.bias", vec![labels]),
    ] {
        let values = numbers.by_ref().take(shape.iter().product());
        let values = values.map(|x| x as f32).collect();
        tensors.insert(name.into(), (shape, values));
    }
    tensors
}
