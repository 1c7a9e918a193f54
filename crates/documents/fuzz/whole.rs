//! What holds for every document that was read.

use lahar_core::TextIndex;
use lahar_documents::{ReadOptions, read_bytes};

/// Reads bytes under a name's extension; what is read must hold together.
pub fn read(bytes: &[u8], extension: &str) {
    let Ok(document) = read_bytes(bytes, extension, &ReadOptions::default()) else {
        return;
    };
    let index = TextIndex::new(&document.text);
    let mut end = 0;
    for block in &document.blocks {
        assert!(block.range.start >= end && block.range.end <= index.len());
        end = block.range.end;
    }
    assert!(
        !document
            .text
            .contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\u{c}'))
    );
}
