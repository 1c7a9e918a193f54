//! Taggers: labels against an independent float64 computation, windows, and what is refused.

use lahar_models::{BertTagger, ModelError, TokenTagger};
use serde_json::{Value, json};

use crate::tiny;

fn open(change: impl Fn(&mut Value, &mut tiny::Tensors)) -> Result<BertTagger, ModelError> {
    let folder = tempfile::tempdir().unwrap();
    let golden = tiny::golden_tags();
    let (mut config, mut weights) = (golden["config"].clone(), tiny::tagger_weights(&golden));
    change(&mut config, &mut weights);
    tiny::write_pairs_with(folder.path(), &config, &weights);
    BertTagger::open(folder.path(), Some(2))
}

#[test]
fn labels_are_the_golden_ones() {
    let model = open(|_, _| {}).unwrap();
    assert_eq!(model.labels(), ["LOC", "PER"]);
    let golden = tiny::golden_tags();
    let mut long_spans = 0;
    for text in golden["texts"].as_array().unwrap() {
        let words = text["text"].as_str().unwrap();
        let found = model.probabilities(words).unwrap();
        let wanted = text["probabilities"].as_array().unwrap();
        assert_eq!(found.len(), wanted.len(), "{words}");
        for (found, wanted) in found.iter().zip(wanted) {
            for (x, want) in found.iter().zip(wanted.as_array().unwrap()) {
                let off = (f64::from(*x) - want.as_f64().unwrap()).abs();
                assert!(off < 1e-6, "{words}: {x} for {want}");
            }
        }
        let spans = model.tag(words).unwrap();
        let wanted = text["spans"].as_array().unwrap();
        assert_eq!(spans.len(), wanted.len(), "{words}: {spans:?}");
        for (span, wanted) in spans.iter().zip(wanted) {
            assert_eq!(span.range.start as u64, wanted["start"].as_u64().unwrap());
            assert_eq!(span.range.end as u64, wanted["end"].as_u64().unwrap());
            assert_eq!(span.label, wanted["label"].as_str().unwrap());
            let off = (f64::from(span.score) - wanted["score"].as_f64().unwrap()).abs();
            assert!(off < 1e-6, "{words}: {span:?} for {wanted}");
            long_spans += usize::from(words[span.range.clone()].contains(' '));
        }
    }
    assert!(long_spans > 0, "no span of several words was tried");
}

/// Every label is a span by itself, so that the spans of a text are its words.
fn word_by_word() -> BertTagger {
    open(|config, _| {
        config["id2label"] = json!({"0": "S-A", "1": "S-B", "2": "S-C", "3": "S-D", "4": "S-E"});
    })
    .unwrap()
}

#[test]
fn a_text_longer_than_the_window_is_tagged_word_by_word_to_its_end() {
    let model = word_by_word();
    assert_eq!(model.max_length(), 24);
    for repeats in [1, 2, 3, 7, 40] {
        let text = "Storm surge maps, rivers.  Ash\nfire ".repeat(repeats);
        let found: Vec<&str> = model
            .tag(&text)
            .unwrap()
            .into_iter()
            .map(|span| &text[span.range])
            .collect();
        let wanted = ["Storm", "surge", "maps", ",", "rivers", ".", "Ash", "fire"].repeat(repeats);
        assert_eq!(found, wanted, "{repeats}");
    }
    // A word of more tokens than the window has is one span, cut where the window ends.
    let long = format!("ash {} fire", "s".repeat(90));
    let found = model.tag(&long).unwrap();
    assert_eq!(&long[found[0].range.clone()], "ash");
    assert_eq!(&long[found.last().unwrap().range.clone()], "fire");
    // What stands far behind a word has no part in its label.
    let text = "storm surge maps, rivers. ".repeat(40);
    let (whole, part) = (
        model.tag(&text).unwrap(),
        model.tag(&text[..26 * 20]).unwrap(),
    );
    assert_eq!(whole[..40], part[..40]);
}

#[test]
fn odd_texts_are_tagged_without_an_error() {
    let model = open(|_, _| {}).unwrap();
    for text in ["", " ", "\u{0}", "Überschwemmung — 漢字", "((((", "'''"] {
        model.tag(text).unwrap();
    }
    model.tag(&",".repeat(20_000)).unwrap();
    model.tag(&"a".repeat(20_000)).unwrap();
}

#[test]
fn folders_of_other_models_are_refused_with_the_reason() {
    let pairs = open(|config, _| {
        config["architectures"] = json!(["BertForSequenceClassification"]);
    })
    .unwrap_err();
    assert!(pairs.to_string().contains("TokenClassification"), "{pairs}");
    let nameless = open(|config, _| {
        config.as_object_mut().unwrap().remove("id2label");
    })
    .unwrap_err();
    assert!(nameless.to_string().contains("id2label"), "{nameless}");
    let gap = open(|config, _| {
        config["id2label"] = json!({"0": "O", "2": "B-LOC"});
    })
    .unwrap_err();
    assert!(gap.to_string().contains("id2label"), "{gap}");
    let headless = open(|_, weights| {
        weights.remove("classifier.weight");
    })
    .unwrap_err();
    assert!(headless.to_string().contains("classifier"), "{headless}");
    let fewer = open(|config, _| {
        config["id2label"] = json!({"0": "O", "1": "LOC"});
    })
    .unwrap_err();
    assert!(matches!(fewer, ModelError::Broken { .. }), "{fewer:?}");
    let nothing = open(|config, _| {
        for label in ["1", "2", "3", "4"] {
            config["id2label"][label] = json!("O");
        }
    })
    .unwrap_err();
    assert!(nothing.to_string().contains("no label"), "{nothing}");
}
