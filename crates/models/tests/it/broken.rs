//! Folders that are damaged or of another kind: each gives an error that names the file, none a
//! panic.

use std::fs;
use std::path::Path;

use lahar_models::{BertEmbedder, Embedder, EmbedderConfig, ModelError, TextRole};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::tiny;

fn open(folder: &Path) -> Result<BertEmbedder, ModelError> {
    BertEmbedder::open(folder, "tiny", &EmbedderConfig::default())
}

/// The error that a tiny model gives after `damage`.
fn message(damage: impl FnOnce(&Path)) -> String {
    let folder = tempfile::tempdir().unwrap();
    tiny::write(folder.path(), "cls");
    damage(folder.path());
    let message = open(folder.path()).unwrap_err().to_string();
    assert!(
        message.contains(folder.path().to_str().unwrap()),
        "{message}"
    );
    message
}

fn with_tensors(change: impl FnOnce(&mut tiny::Tensors)) -> String {
    message(|folder| {
        let mut tensors = tiny::weights(&tiny::golden()["models"]["cls"], 1);
        change(&mut tensors);
        fs::write(
            folder.join("model.safetensors"),
            tiny::safetensors(&tensors),
        )
        .unwrap();
    })
}

fn with_json(file: &str, change: impl FnOnce(&mut Value)) -> String {
    message(|folder| {
        let text = fs::read(folder.join(file)).unwrap();
        let mut value = serde_json::from_slice(&text).unwrap();
        change(&mut value);
        fs::write(folder.join(file), value.to_string()).unwrap();
    })
}

#[test]
fn damaged_weights_are_named() {
    let weights = |folder: &Path| folder.join("model.safetensors");
    let bytes = tiny::safetensors(&tiny::weights(&tiny::golden()["models"]["cls"], 1));
    for length in [0, 7, 8, 300, bytes.len() / 2, bytes.len() - 1] {
        let text = message(|f| fs::write(weights(f), &bytes[..length]).unwrap());
        assert!(
            text.contains("cut short") || text.contains("too few"),
            "{length}: {text}"
        );
    }
    let longer = [bytes.as_slice(), b"more"].concat();
    assert!(message(|f| fs::write(weights(f), longer).unwrap()).contains("something was added"));
    let absurd = [&u64::MAX.to_le_bytes(), &bytes[8..]].concat();
    assert!(message(|f| fs::write(weights(f), absurd).unwrap()).contains("header claims"));
    let html = b"<!DOCTYPE html><html><body>404</body></html>";
    assert!(message(|f| fs::write(weights(f), html).unwrap()).contains("not a safetensors file"));

    let name = "encoder.layer.1.output.dense.weight";
    assert!(with_tensors(|t| drop(t.remove(name))).contains(&format!("{name} is missing")));
    let text = with_tensors(|t| t.get_mut(name).unwrap().0 = vec![64, 32]);
    assert!(
        text.contains("shape [64, 32]") && text.contains("[32, 64]"),
        "{text}"
    );
    let text = with_tensors(|t| t.get_mut(name).unwrap().1[77] = f32::NAN);
    assert!(text.contains("value 77") && text.contains("NaN"), "{text}");
    let text = with_tensors(|t| {
        let words = t.remove("embeddings.word_embeddings.weight").unwrap();
        t.insert("shared.weight".into(), words);
    });
    assert!(text.contains("not the weights of a BERT encoder"), "{text}");
}

#[test]
fn damaged_or_foreign_configuration_is_named() {
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        let text = message(|f| fs::remove_file(f.join(file)).unwrap());
        assert!(text.contains(file) && text.contains("missing"), "{text}");
        let text = message(|f| fs::write(f.join(file), "{\"a\": ").unwrap());
        assert!(text.contains(file), "{text}");
    }
    let pickled =
        message(|f| fs::rename(f.join("model.safetensors"), f.join("pytorch_model.bin")).unwrap());
    assert!(pickled.contains("never read"), "{pickled}");
    for (key, value, words) in [
        ("model_type", json!("roberta"), "model_type `roberta`"),
        ("hidden_act", json!("silu"), "hidden_act `silu`"),
        (
            "position_embedding_type",
            json!("relative_key"),
            "relative_key",
        ),
        ("num_attention_heads", json!(5), "not a multiple"),
        ("num_attention_heads", json!(0), "num_attention_heads is 0"),
        ("hidden_size", json!(u64::MAX), "config.json"),
        ("hidden_size", json!(1u64 << 40), "hidden_size is"),
        ("vocab_size", json!(10), "model's 10"),
        ("num_hidden_layers", json!(3), "encoder.layer.2"),
        ("max_position_embeddings", json!(2), "window of 2 tokens"),
        ("layer_norm_eps", json!(0.0), "layer_norm_eps is 0"),
    ] {
        let text = with_json("config.json", |c| c[key] = value.clone());
        assert!(text.contains(words), "{key} {value}: {text}");
    }
    let text = with_json("modules.json", |m| {
        m[2]["type"] = json!("sentence_transformers.models.Dense")
    });
    assert!(text.contains("Dense module"), "{text}");
    let text = with_json("1_Pooling/config.json", |p| {
        p["pooling_mode_max_tokens"] = json!(true)
    });
    assert!(text.contains("pooling"), "{text}");
    let text = with_json("tokenizer.json", |t| t["model"]["type"] = json!("Oracle"));
    assert!(text.contains("tokenizer.json"), "{text}");
}

/// Puts `with` in the place that the steps lead to.
fn replace(at: &mut Value, steps: &[prop::sample::Index], with: Value) {
    let Some((step, rest)) = steps.split_first() else {
        *at = with;
        return;
    };
    match at {
        Value::Array(items) if !items.is_empty() => {
            let n = step.index(items.len());
            replace(&mut items[n], rest, with);
        }
        Value::Object(fields) if !fields.is_empty() => {
            let n = step.index(fields.len());
            replace(fields.values_mut().nth(n).unwrap(), rest, with);
        }
        leaf => *leaf = with,
    }
}

/// Opens, and where that works embeds; the outcome does not matter, a panic does.
fn try_all(folder: &Path) {
    if let Ok(embedder) = open(folder) {
        let _ = embedder.embed(&["storm surge maps", ""], TextRole::Query);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn no_damage_leads_to_a_panic(
        file in 0usize..3,
        at in any::<prop::sample::Index>(),
        bytes in prop::collection::vec(any::<u8>(), 1..12),
        cut in prop::option::of(any::<prop::sample::Index>()),
        in_header in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        tiny::write(folder.path(), "cls");
        let path = folder.path().join(["model.safetensors", "config.json", "tokenizer.json"][file]);
        let mut content = fs::read(&path).unwrap();
        let reach = if in_header { content.len().min(3000) } else { content.len() };
        let start = at.index(reach);
        for (to, from) in content[start..].iter_mut().zip(&bytes) {
            *to = *from;
        }
        if let Some(cut) = cut {
            content.truncate(cut.index(content.len()));
        }
        fs::write(&path, content).unwrap();
        try_all(folder.path());
    }

    #[test]
    fn no_tokenizer_of_another_shape_leads_to_a_panic(
        steps in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
        with in prop::sample::select(vec![
            Value::Null, json!(-1), json!(1e30), json!(""), json!("Precompiled"), json!([]),
            json!({}), json!({"type": "Sequence"}), json!({"type": "BPE"}), json!([[[]]]),
        ]),
    ) {
        let folder = tempfile::tempdir().unwrap();
        tiny::write(folder.path(), "cls");
        let path = folder.path().join("tokenizer.json");
        let mut file: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        replace(&mut file, &steps, with);
        fs::write(&path, file.to_string()).unwrap();
        try_all(folder.path());
    }

    #[test]
    fn no_number_in_a_header_leads_to_a_panic(
        numbers in prop::collection::vec(any::<u64>(), 1..4),
        at in any::<prop::sample::Index>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        tiny::write(folder.path(), "cls");
        let path = folder.path().join("model.safetensors");
        let bytes = fs::read(&path).unwrap();
        let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
        let mut header: serde_json::Map<String, Value> = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
        let name = header.keys().nth(at.index(header.len())).unwrap().clone();
        let entry = header.get_mut(&name).unwrap();
        entry["shape"] = json!(numbers);
        entry["data_offsets"] = json!([numbers[0], numbers[numbers.len() - 1]]);
        let header = serde_json::to_vec(&header).unwrap();
        let whole = [&(header.len() as u64).to_le_bytes(), header.as_slice(), &bytes[8 + length..]].concat();
        fs::write(&path, whole).unwrap();
        try_all(folder.path());
    }
}
