//! Cross-encoders: scores against an independent float64 computation, and what is refused. Token
//! vectors of embedders.

use lahar_models::store::{ModelKind, ModelSource, PullRequest};
use lahar_models::{
    BertEmbedder, CrossEncoder, Embedder, EmbedderConfig, ModelError, ModelStore, Reranker,
    RerankerConfig, TextRole, TokenEmbedder,
};
use serde_json::{Value, json};

use crate::tiny;

fn open(config: &RerankerConfig) -> CrossEncoder {
    let folder = tempfile::tempdir().unwrap();
    tiny::write_pairs(folder.path());
    CrossEncoder::open(folder.path(), "tiny", config).unwrap()
}

/// The error of opening the tiny cross-encoder after a change to its files.
fn refusal(change: impl Fn(&mut Value, &mut tiny::Tensors)) -> ModelError {
    let folder = tempfile::tempdir().unwrap();
    let golden = tiny::golden_pairs();
    let (mut config, mut weights) = (golden["config"].clone(), tiny::pair_weights(&golden));
    change(&mut config, &mut weights);
    tiny::write_pairs_with(folder.path(), &config, &weights);
    CrossEncoder::open(folder.path(), "tiny", &RerankerConfig::default()).unwrap_err()
}

#[test]
fn scores_are_the_golden_ones_and_only_the_passage_gives_way() {
    let model = open(&RerankerConfig::default());
    let golden = tiny::golden_pairs();
    let pairs = golden["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 7);
    for pair in pairs {
        let (question, passage) = (pair["question"].as_str(), pair["passage"].as_str());
        let (question, passage) = (question.unwrap(), passage.unwrap());
        let logit = model.logits(question, &[passage]).unwrap()[0];
        let score = model.score(question, &[passage]).unwrap()[0];
        let off = |x: f32, want: &Value| (f64::from(x) - want.as_f64().unwrap()).abs();
        assert!(off(logit, &pair["logit"]) < 2e-6, "{logit} for {pair}");
        assert!(off(score, &pair["score"]) < 1e-6, "{score} for {pair}");
    }
}

#[test]
fn a_score_depends_on_its_pair_alone() {
    let texts: Vec<String> = (0..40).map(|n| "storm surge map ".repeat(n % 9)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let one = RerankerConfig {
        threads: Some(1),
        ..RerankerConfig::default()
    };
    let alone = open(&one);
    let three = RerankerConfig {
        threads: Some(3),
        ..RerankerConfig::default()
    };
    let together = open(&three).score("river", &texts).unwrap();
    for (text, score) in texts.iter().zip(&together) {
        assert_eq!(alone.score("river", &[text]).unwrap(), [*score]);
    }
    assert!(alone.score("river", &[]).unwrap().is_empty());
    assert_eq!(alone.digest(), open(&three).digest());
    let shorter = RerankerConfig {
        max_length: Some(12),
        ..RerankerConfig::default()
    };
    assert_eq!(open(&shorter).max_length(), 12);
    assert_ne!(alone.digest(), open(&shorter).digest());
}

#[test]
fn models_that_do_not_give_one_number_a_pair_are_refused() {
    let several = refusal(|config, _| {
        config["id2label"] = json!({"0": "no", "1": "yes"});
    });
    assert!(
        matches!(several, ModelError::Unsupported { .. }),
        "{several:?}"
    );
    assert!(several.to_string().contains("2 classes"), "{several}");
    // Silence means two, as where such files are written.
    let silent = refusal(|config, _| {
        config.as_object_mut().unwrap().remove("id2label");
    });
    assert!(silent.to_string().contains("2 classes"), "{silent}");
    let lying = refusal(|_, weights| {
        weights.insert("classifier.weight".into(), (vec![3, 32], vec![0.0; 96]));
    });
    assert!(lying.to_string().contains("classifier.weight"), "{lying}");
    let headless = refusal(|_, weights| {
        weights.remove("classifier.weight");
    });
    assert!(
        headless.to_string().contains("no cross-encoder"),
        "{headless}"
    );
    let poolless = refusal(|_, weights| {
        weights.remove("bert.pooler.dense.weight");
    });
    assert!(poolless.to_string().contains("pooler"), "{poolless}");
}

#[test]
fn the_store_tells_rerankers_from_embedders() {
    let folder = tempfile::tempdir().unwrap();
    tiny::write_pairs(&folder.path().join("pairs"));
    tiny::write(&folder.path().join("texts"), "cls");
    let store = ModelStore::at(folder.path().join("store"));
    for name in ["pairs", "texts"] {
        let source = ModelSource::Folder(folder.path().join(name));
        let request = PullRequest::from_source(name, source).unwrap();
        store.pull(&request, &mut |_| {}).unwrap();
    }
    let kinds: Vec<ModelKind> = store.list().unwrap().iter().map(|m| m.kind).collect();
    assert_eq!(kinds, [ModelKind::Reranker, ModelKind::Embedder]);
    let model = store
        .load_reranker("pairs", &RerankerConfig::default())
        .unwrap();
    assert_eq!(model.name(), "pairs");
    let error = store
        .load_embedder("pairs", &EmbedderConfig::default())
        .unwrap_err();
    assert!(error.to_string().contains("kind `reranker`"), "{error}");
    let error = store
        .load_reranker("texts", &RerankerConfig::default())
        .unwrap_err();
    assert!(error.to_string().contains("kind `embedder`"), "{error}");
    // Manifests from before there were kinds are those of embedders.
    let path = store.path("texts").unwrap().join("lahar-model.json");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut manifest: Value = serde_json::from_str(&text).unwrap();
    manifest.as_object_mut().unwrap().remove("kind").unwrap();
    std::fs::write(&path, manifest.to_string()).unwrap();
    store
        .load_embedder("texts", &EmbedderConfig::default())
        .unwrap();
}

#[test]
fn token_vectors_come_with_their_places_and_make_up_the_text_vector() {
    let folder = tempfile::tempdir().unwrap();
    tiny::write(folder.path(), "cls");
    let open = |config: &EmbedderConfig| BertEmbedder::open(folder.path(), "cls", config).unwrap();
    let model = open(&EmbedderConfig::default());
    let text = "Storm  surge, maps.";
    for role in [TextRole::Query, TextRole::Passage] {
        let found = model.embed_tokens(&[text, ""], role).unwrap();
        assert_eq!(found[0].text, model.embed(&[text], role).unwrap()[0]);
        let words: Vec<&str> = found[0].ranges.iter().map(|r| &text[r.clone()]).collect();
        assert_eq!(words, ["Storm", "surge", ",", "map", "s", "."], "{role:?}");
        assert_eq!(found[0].states.len(), words.len() * 32);
        assert_eq!(found[0].iter().count(), words.len());
        assert!(found[1].ranges.is_empty() && found[1].states.is_empty());
    }
    // What a model lower-cases itself is still found in the text as it was.
    std::fs::write(
        folder.path().join("sentence_bert_config.json"),
        r#"{"max_seq_length": 24, "do_lower_case": true}"#,
    )
    .unwrap();
    let lowering = open(&EmbedderConfig::default());
    let text = "\u{130}A MAP";
    let found = lowering.embed_tokens(&[text], TextRole::Query).unwrap();
    let last = found[0].ranges.last().unwrap().clone();
    assert_eq!(&text[last], "MAP");
}
