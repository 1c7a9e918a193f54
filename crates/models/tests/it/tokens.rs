//! Token ranges: byte positions in the text as it was given.

use std::sync::LazyLock;

use lahar_models::{BertEmbedder, Embedder, EmbedderConfig};
use proptest::prelude::*;

use crate::tiny;

static EMBEDDER: LazyLock<BertEmbedder> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    tiny::write(folder.path(), "cls");
    BertEmbedder::open(folder.path(), "tiny", &EmbedderConfig::default()).unwrap()
});

#[test]
fn ranges_point_into_the_text_as_given() {
    let text = "  Flóods\u{a0}FIRE\u{200b}s: 火 ash.";
    let ranges = EMBEDDER.tokenizer().token_ranges(text).unwrap();
    let tokens: Vec<&str> = ranges.into_iter().map(|range| &text[range]).collect();
    // The zero-width space is dropped by the normaliser, but lies within the token around it.
    assert_eq!(tokens, ["Flóod", "s", "FIRE", "s", ":", "火", "ash", "."]);
}

proptest! {
    #[test]
    fn ranges_are_in_order_and_on_character_boundaries(text in any::<String>()) {
        let ranges = EMBEDDER.tokenizer().token_ranges(&text).unwrap();
        let mut last = 0;
        for range in ranges {
            prop_assert!(range.start >= last, "{range:?} after {last}");
            last = range.start;
            prop_assert!(text.get(range.clone()).is_some(), "{range:?}");
        }
    }
}
