//! Chunks: their sizes, and that together they hold the evidence and nothing else.

use std::ops::Range;

use lahar_core::{CharRange, TextIndex};
use lahar_documents::{BlockKind, Document, Row, Table};
use lahar_library::ChunkKind;
use lahar_library::cut::{Piece, cut, text_of};
use lahar_models::{Tokenizer, WordTokenizer};
use proptest::prelude::*;

use crate::made::Maker;

fn words(numbers: Range<usize>) -> String {
    let words: Vec<String> = numbers.map(|number| format!("w{number}")).collect();
    words.join(" ")
}

fn pieces(document: &Document, kind: ChunkKind) -> Vec<Piece> {
    cut(document, kind, &WordTokenizer).unwrap()
}

fn texts(
    document: &Document,
    spans: impl Fn(&Piece) -> Vec<CharRange>,
    kind: ChunkKind,
) -> Vec<String> {
    let index = TextIndex::new(&document.text);
    let pieces = pieces(document, kind);
    pieces
        .iter()
        .map(|piece| text_of(&index, &spans(piece)))
        .collect()
}

#[test]
fn fixed_windows_have_200_tokens_and_50_of_context() {
    // Tokens of the document; of each chunk, its own words and all of its words.
    let check = |length: usize, expected: &[(Range<usize>, Range<usize>)]| {
        let document = Maker::new("").paragraph(&words(0..length)).done();
        let cores = texts(&document, |piece| piece.core.clone(), ChunkKind::Fixed);
        let wholes = texts(&document, |piece| piece.spans.clone(), ChunkKind::Fixed);
        let own: Vec<_> = expected.iter().map(|(own, _)| words(own.clone())).collect();
        let all: Vec<_> = expected.iter().map(|(_, all)| words(all.clone())).collect();
        assert_eq!(cores, own, "{length} tokens");
        assert_eq!(wholes, all, "{length} tokens");
    };
    check(1, &[(0..1, 0..1)]);
    check(199, &[(0..199, 0..199)]);
    check(200, &[(0..200, 0..200)]);
    check(201, &[(0..200, 0..201), (200..201, 150..201)]);
    check(250, &[(0..200, 0..250), (200..250, 150..250)]);
    check(400, &[(0..200, 0..250), (200..400, 150..400)]);
    let middle = Maker::new("").paragraph(&words(0..700)).done();
    let tokens =
        WordTokenizer.token_ranges(&texts(&middle, |p| p.spans.clone(), ChunkKind::Fixed)[1]);
    assert_eq!(tokens.unwrap().len(), 300);
}

#[test]
fn what_is_no_evidence_is_read_over() {
    for kind in [ChunkKind::Fixed, ChunkKind::Paragraph] {
        let document = Maker::new("")
            .paragraph("The slope failed after the rain and")
            .page_break()
            .block(BlockKind::RunningHead, "Annual report 7")
            .paragraph("buried the road.")
            .block(BlockKind::References, "Doe 1999 landslides")
            .page_break()
            .done();
        let pieces = pieces(&document, kind);
        assert_eq!(pieces.len(), 1, "{kind:?}");
        assert_eq!(pieces[0].spans.len(), 2);
        let pages = pieces[0].pages.unwrap();
        assert_eq!((pages.first, pages.last), (1, 2));
        let text = text_of(&TextIndex::new(&document.text), &pieces[0].spans);
        assert_eq!(
            text,
            "The slope failed after the rain and\nburied the road."
        );
    }
}

#[test]
fn paragraphs_stand_with_their_heading_and_lists_with_their_introduction() {
    let document = Maker::new("")
        .heading("Before a flood")
        .paragraph("Know your zone.")
        .paragraph("Keep these at hand:")
        .block(BlockKind::ListItem, "- water")
        .block(BlockKind::ListItem, "- a radio")
        .heading("After")
        .paragraph("Boil the water.")
        .done();
    let texts = texts(&document, |piece| piece.spans.clone(), ChunkKind::Paragraph);
    assert_eq!(
        texts,
        [
            "Before a flood\n\nKnow your zone.",
            "Keep these at hand:\n\n- water\n\n- a radio",
            "After\n\nBoil the water.",
        ]
    );
    let sections: Vec<_> = pieces(&document, ChunkKind::Paragraph)
        .into_iter()
        .map(|piece| piece.section.join(" > "))
        .collect();
    assert_eq!(sections, ["Before a flood", "Before a flood", "After"]);
}

#[test]
fn later_parts_of_a_long_table_repeat_its_header() {
    let header = "Gauge Stage Flow";
    let rows: Vec<String> = (0..200).map(|n| format!("g{n} {n} {n}")).collect();
    let text = format!("{header}\n{}", rows.join("\n"));
    let mut start = header.len() + 1;
    let mut table = Table {
        header: Some(row(0, header.len())),
        ..Table::default()
    };
    for line in &rows {
        table.rows.push(row(start, start + line.len()));
        start += line.len() + 1;
    }
    let document = Maker::new("").block(BlockKind::Table(table), &text).done();
    let texts = texts(&document, |piece| piece.spans.clone(), ChunkKind::Paragraph);
    assert!(texts.len() >= 3, "{}", texts.len());
    for (number, text) in texts.iter().enumerate() {
        assert!(text.starts_with(header), "part {number}: {text}");
        let tokens = WordTokenizer.token_ranges(text).unwrap().len();
        assert!(tokens <= 300, "part {number} has {tokens} tokens");
    }
    for line in &rows {
        let holders = texts.iter().filter(|text| text.lines().any(|l| l == line));
        assert_eq!(holders.count(), 1, "{line}");
    }
    let later = &pieces(&document, ChunkKind::Fixed)[1];
    assert_eq!(later.table_header, Some(CharRange::new(0, header.len())));
}

fn row(start: usize, end: usize) -> Row {
    Row {
        range: CharRange::new(start, end),
        cells: Vec::new(),
    }
}

#[test]
fn a_paragraph_beyond_a_models_window_is_cut_between_sentences() {
    let sentence = "The river rose quickly and the levee held until the evening of that day. ";
    let document = Maker::new("").paragraph(sentence.repeat(60).trim()).done();
    let texts = texts(&document, |piece| piece.spans.clone(), ChunkKind::Paragraph);
    assert!(texts.len() > 1);
    for text in texts {
        assert!(
            text.starts_with("The river") && text.ends_with("day."),
            "{text}"
        );
        assert!(WordTokenizer.token_ranges(&text).unwrap().len() <= 300);
    }
}

/// Each letter is a token: words are divided everywhere.
struct Letters;

impl Tokenizer for Letters {
    fn token_ranges(&self, text: &str) -> Result<Vec<Range<usize>>, lahar_models::ModelError> {
        Ok(text
            .char_indices()
            .filter(|(_, c)| !c.is_whitespace())
            .map(|(byte, c)| byte..byte + c.len_utf8())
            .collect())
    }
}

#[test]
fn context_does_not_begin_or_end_inside_a_word() {
    let document = Maker::new("").paragraph(&"seven11 ".repeat(100)).done();
    let index = TextIndex::new(&document.text);
    for piece in cut(&document, ChunkKind::Fixed, &Letters).unwrap() {
        let text = text_of(&index, &piece.spans);
        assert!(
            text.starts_with("seven11") && text.ends_with("seven11"),
            "{text}"
        );
    }
    // A word longer than the context leaves no other way.
    let document = Maker::new("").paragraph(&"x".repeat(1000)).done();
    assert_eq!(cut(&document, ChunkKind::Fixed, &Letters).unwrap().len(), 5);
}

fn any_kind() -> impl Strategy<Value = BlockKind> {
    prop_oneof![
        Just(BlockKind::Heading { level: 2 }),
        Just(BlockKind::Paragraph),
        Just(BlockKind::Paragraph),
        Just(BlockKind::ListItem),
        Just(BlockKind::Table(Table::default())),
        Just(BlockKind::RunningHead),
        Just(BlockKind::References),
    ]
}

fn any_document() -> impl Strategy<Value = Document> {
    let text = prop_oneof![
        "[a-zé漢 .,\n]{1,60}",
        (1usize..500).prop_map(|length| words(0..length)),
    ];
    prop::collection::vec((any_kind(), text), 0..12).prop_map(|blocks| {
        let maker = Maker::new("made");
        blocks
            .into_iter()
            .fold(maker, |maker, (kind, text)| maker.block(kind, &text))
            .done()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_character_of_the_evidence_is_in_one_core(document in any_document()) {
        for kind in [ChunkKind::Fixed, ChunkKind::Paragraph] {
            let pieces = cut(&document, kind, &WordTokenizer).unwrap();
            let chars: Vec<char> = document.text.chars().collect();
            let mut times = vec![0; chars.len()];
            for piece in &pieces {
                for span in &piece.core {
                    times[span.start..span.end].iter_mut().for_each(|n| *n += 1);
                }
                prop_assert!(piece.spans.windows(2).all(|pair| pair[0].end < pair[1].start));
                for core in &piece.core {
                    prop_assert!(piece.spans.iter().any(|span| span.contains(*core)));
                }
            }
            let mut evidence = vec![false; chars.len()];
            for block in document.blocks.iter().filter(|block| block.is_evidence()) {
                evidence[block.range.start..block.range.end].fill(true);
            }
            for (position, c) in chars.iter().enumerate() {
                let expected = usize::from(evidence[position]);
                if !c.is_whitespace() {
                    prop_assert_eq!(times[position], expected, "{:?} at {}", kind, position);
                }
            }
            for piece in &pieces {
                for span in &piece.spans {
                    let foreign = (span.start..span.end)
                        .any(|position| !evidence[position] && !chars[position].is_whitespace());
                    prop_assert!(!foreign);
                }
            }
        }
    }
}
