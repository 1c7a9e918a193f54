//! Vectors of tiny models against an independent float64 computation, and what a vector must not
//! depend on.

use lahar_models::{BertEmbedder, Embedder, EmbedderConfig, Pooling, TextRole};
use proptest::prelude::*;
use serde_json::Value;

use crate::tiny;

fn numbers(value: &Value) -> Vec<f32> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|x| x.as_f64().unwrap() as f32)
        .collect()
}

pub fn largest_difference(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter()
        .zip(b)
        .map(|(x, y)| (x - y).abs())
        .fold(0.0, f32::max)
}

fn open(model: &str, config: &EmbedderConfig) -> BertEmbedder {
    let folder = tempfile::tempdir().unwrap();
    tiny::write(folder.path(), model);
    BertEmbedder::open(folder.path(), model, config).unwrap()
}

#[test]
fn every_pooling_prefix_and_normalisation_gives_the_golden_vectors() {
    let golden = tiny::golden();
    let texts: Vec<&str> = golden["texts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| t.as_str().unwrap())
        .collect();
    let mut compared = 0;
    for case in golden["golden"].as_array().unwrap() {
        let pooling = serde_json::from_value(case["pooling"].clone()).unwrap();
        let config = EmbedderConfig {
            pooling: Some(pooling),
            normalize: case["normalize"].as_bool(),
            ..EmbedderConfig::default()
        };
        let embedder = open(case["model"].as_str().unwrap(), &config);
        let role = match case["role"].as_str().unwrap() {
            "query" => TextRole::Query,
            _ => TextRole::Passage,
        };
        let vectors = embedder.embed(&texts, role).unwrap();
        for (vector, want) in vectors.iter().zip(case["vectors"].as_array().unwrap()) {
            let off = largest_difference(vector, &numbers(want));
            assert!(off < 2e-6, "{} {pooling:?} {role:?}: {off}", case["model"]);
            compared += 1;
        }
    }
    assert_eq!(compared, 2 * 3 * 2 * texts.len());
}

#[test]
fn a_folder_says_its_own_pooling_prefix_and_normalisation() {
    let embedder = open("cls", &EmbedderConfig::default());
    assert_eq!(embedder.pooling(), Pooling::Cls);
    assert_eq!(embedder.prefix(TextRole::Query), "Find: ");
    assert_eq!(embedder.prefix(TextRole::Passage), "");
    assert!(embedder.normalizes());
    assert_eq!(embedder.max_length(), 24);
    assert_eq!(embedder.identity().dimension, 32);
    // The query prefix is nothing but text in front.
    let query = embedder.embed(&["River map."], TextRole::Query).unwrap();
    let passage = embedder
        .embed(&["Find: River map."], TextRole::Passage)
        .unwrap();
    assert_eq!(query, passage);
    assert_ne!(
        query,
        embedder.embed(&["River map."], TextRole::Passage).unwrap()
    );
}

#[test]
fn identity_changes_with_whatever_changes_vectors_and_with_nothing_else() {
    let base = open("cls", &EmbedderConfig::default()).identity().clone();
    let same = open(
        "cls",
        &EmbedderConfig {
            threads: Some(3),
            ..Default::default()
        },
    );
    assert_eq!(*same.identity(), base);
    let changes = [
        EmbedderConfig {
            pooling: Some(Pooling::Mean),
            ..Default::default()
        },
        EmbedderConfig {
            query_prefix: Some(String::new()),
            ..Default::default()
        },
        EmbedderConfig {
            passage_prefix: Some("x ".into()),
            ..Default::default()
        },
        EmbedderConfig {
            normalize: Some(false),
            ..Default::default()
        },
        EmbedderConfig {
            max_length: Some(9),
            ..Default::default()
        },
    ];
    let mut digests = vec![
        base.digest,
        open("uneven", &Default::default())
            .identity()
            .digest
            .clone(),
    ];
    digests.extend(
        changes
            .iter()
            .map(|c| open("cls", c).identity().digest.clone()),
    );
    let distinct: std::collections::BTreeSet<_> = digests.iter().collect();
    assert_eq!(distinct.len(), digests.len());
}

#[test]
fn older_names_and_heads_around_the_encoder_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    tiny::write(folder.path(), "cls");
    let config = &tiny::golden()["models"]["cls"];
    let mut renamed = tiny::Tensors::new();
    for (name, tensor) in tiny::weights(config, 1) {
        let name = name
            .replace("LayerNorm.weight", "LayerNorm.gamma")
            .replace("LayerNorm.bias", "LayerNorm.beta");
        renamed.insert(format!("bert.{name}"), tensor);
    }
    renamed.insert("classifier.weight".into(), (vec![1, 32], vec![0.0; 32]));
    renamed.insert("cls.predictions.bias".into(), (vec![4], vec![f32::NAN; 4]));
    std::fs::write(
        folder.path().join("model.safetensors"),
        tiny::safetensors(&renamed),
    )
    .unwrap();
    let other = BertEmbedder::open(folder.path(), "cls", &EmbedderConfig::default()).unwrap();
    let plain = open("cls", &EmbedderConfig::default());
    let texts = ["Floods", "storm surge", ""];
    assert_eq!(
        other.embed(&texts, TextRole::Passage).unwrap(),
        plain.embed(&texts, TextRole::Passage).unwrap()
    );
}

#[test]
fn long_texts_are_cut_at_the_end_of_the_window() {
    let embedder = open(
        "cls",
        &EmbedderConfig {
            max_length: Some(6),
            ..Default::default()
        },
    );
    let long = "flood river fire map storm surge ".repeat(2000);
    let vectors = embedder
        .embed(&[&long, "flood river fire map"], TextRole::Passage)
        .unwrap();
    assert_eq!(vectors[0], vectors[1]);
    assert!(embedder.embed(&[], TextRole::Query).unwrap().is_empty());
    let ranges = embedder.tokenizer().token_ranges(&long).unwrap();
    assert_eq!(ranges.len(), 12_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_vector_depends_on_its_text_alone(
        texts in prop::collection::vec("[a-z ,.]{0,40}", 1..120),
        threads in 1usize..5,
    ) {
        let alone = open("uneven", &EmbedderConfig { threads: Some(1), ..Default::default() });
        let together = open("uneven", &EmbedderConfig { threads: Some(threads), ..Default::default() });
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let vectors = together.embed(&texts, TextRole::Passage).unwrap();
        for (text, vector) in texts.iter().zip(vectors) {
            // The same bits, not merely close.
            prop_assert_eq!(&alone.embed(&[text], TextRole::Passage).unwrap()[0], &vector);
        }
    }
}
