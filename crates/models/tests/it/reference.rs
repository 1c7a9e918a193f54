//! The default model, where it is installed, against float64 vectors of the same weights.

use lahar_models::store::DEFAULT_MODEL;
use lahar_models::{BertEmbedder, Embedder, EmbedderConfig, ModelStore, TextRole};
use serde::Deserialize;

use crate::tiny::fixtures;
use crate::vectors::largest_difference;

#[derive(Deserialize)]
struct Reference {
    weights_sha256: String,
    texts: Vec<String>,
    vectors: Vec<Vec<f32>>,
}

/// The default model from the user's store, or `None` with a line that says what was skipped.
#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
pub fn default_model(test: &str) -> Option<BertEmbedder> {
    let store = ModelStore::open().unwrap();
    match store.load_embedder(DEFAULT_MODEL, &EmbedderConfig::default()) {
        Ok(embedder) => Some(embedder),
        Err(error) => {
            eprintln!("SKIPPED {test}: {error}");
            None
        }
    }
}

#[test]
fn vectors_are_those_of_the_reference() {
    let Some(embedder) = default_model("vectors_are_those_of_the_reference") else {
        return;
    };
    let text = std::fs::read_to_string(fixtures().join("minilm/vectors.json")).unwrap();
    let reference: Reference = serde_json::from_str(&text).unwrap();
    let installed = ModelStore::open()
        .unwrap()
        .installed(DEFAULT_MODEL)
        .unwrap();
    assert!(
        installed
            .files
            .iter()
            .any(|file| file.sha256 == reference.weights_sha256)
    );

    let texts: Vec<&str> = reference.texts.iter().map(String::as_str).collect();
    let vectors = embedder.embed(&texts, TextRole::Passage).unwrap();
    assert_eq!(vectors.len(), reference.vectors.len());
    for ((text, vector), want) in texts.iter().zip(&vectors).zip(&reference.vectors) {
        let off = largest_difference(vector, want);
        assert!(off < 1e-5, "{text:?} is off by {off}");
    }
}

#[test]
fn a_million_characters_are_cut_and_embedded() {
    let Some(embedder) = default_model("a_million_characters_are_cut_and_embedded") else {
        return;
    };
    let long = "flood warning ".repeat(70_000);
    let vectors = embedder
        .embed(&[&long, &long[..14 * 200]], TextRole::Query)
        .unwrap();
    assert_eq!(vectors[0], vectors[1]);
}

#[test]
fn characters_that_are_taken_apart_share_a_range() {
    let Some(embedder) = default_model("characters_that_are_taken_apart_share_a_range") else {
        return;
    };
    let ranges = embedder
        .tokenizer()
        .token_ranges("\u{d55c} \u{e9}a")
        .unwrap();
    // One Hangul syllable of three letters, then a word whose accent is dropped.
    assert_eq!(ranges, [0..3, 0..3, 0..3, 4..7]);
}
