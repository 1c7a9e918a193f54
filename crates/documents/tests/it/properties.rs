//! Whatever goes in, what comes out holds together.

use lahar_documents::ReadError;
use lahar_documents::pdf::engine::{PdfCell, PdfEngine, PdfLine, PdfPage, PdfPages};
use lahar_documents::{ReadOptions, pdf, read_bytes};
use proptest::prelude::*;

use crate::check;

const EXTENSIONS: [&str; 6] = ["", "txt", "md", "html", "pdf", "csv"];

/// Pieces that the readers give a meaning to.
const PIECES: &[&str] = &[
    "a",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\t",
    "* ",
    "- ",
    "1. ",
    "$$",
    "&&",
    "-----",
    "=====",
    "...",
    "Table 1. Caption",
    "References",
    "Contents",
    "Acknowledgements",
    "| a | b |",
    "|---|---|",
    "# ",
    "## ",
    "```",
    "---",
    "<p>",
    "</p>",
    "<table>",
    "<tr>",
    "<td>",
    "<th>",
    "</table>",
    "<td rowspan=3 colspan=2>",
    "<li>",
    "<ul>",
    "</ul>",
    "<h2>",
    "</h2>",
    "<pre>",
    "</pre>",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "<br>",
    "<sup>",
    "9",
    "é",
    "漢",
    "\u{1b}[31m",
    "\u{0}",
    "&#27;[31m",
    "&#x9b;",
    "&#8;",
    "\u{ad}",
    "\u{a0}",
    "Rating:     EF2",
    "A      B      C",
    "word ",
    "Sentence. ",
];

struct Given(PdfPages);

impl PdfEngine for Given {
    fn pages(&self, _: &[u8], _: Option<&str>) -> Result<PdfPages, ReadError> {
        Ok(self.0.clone())
    }
}

fn lines() -> impl Strategy<Value = Vec<PdfLine>> {
    let cell = ("[a-zA-Z0-9.•\u{ad} -]{1,20}", 0.0..500.0f64, 1.0..200.0f64).prop_map(
        |(text, left, width)| PdfCell {
            text,
            left,
            right: left + width,
        },
    );
    let line = (
        prop::collection::vec(cell, 1..4),
        0.0..800.0f64,
        prop::sample::select(vec![8.0, 10.0, 10.0, 14.0, 0.0]),
        prop::sample::select(vec![0, 0, 0, 90]),
    )
        .prop_map(|(cells, baseline, size, turn)| PdfLine {
            cells,
            baseline,
            size,
            turn,
        });
    prop::collection::vec(line, 0..14)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_or_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..600),
        extension in prop::sample::select(EXTENSIONS.to_vec()),
    ) {
        if let Ok(document) = read_bytes(&bytes, extension, &ReadOptions::default()) {
            check(&document);
        }
    }

    #[test]
    fn marked_up_text_of_any_kind_holds_together(
        pieces in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..60),
        extension in prop::sample::select(EXTENSIONS.to_vec()),
    ) {
        let text = pieces.concat();
        if let Ok(document) = read_bytes(text.as_bytes(), extension, &ReadOptions::default()) {
            check(&document);
        }
    }

    #[test]
    fn pages_of_any_lines_hold_together(pages in prop::collection::vec(lines(), 1..5)) {
        let pages = pages
            .into_iter()
            .enumerate()
            .map(|(place, lines)| PdfPage { number: place as u32 + 1, lines, ..PdfPage::default() })
            .collect();
        let given = Given(PdfPages { pages, ..PdfPages::default() });
        if let Ok(document) = pdf::read_with(&given, b"", None) {
            check(&document);
            prop_assert_eq!(document.pages.len(), given.0.pages.len());
            // Nothing is lost: every letter and digit of the lines stands in the text.
            let count = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
            let had: usize = given.0.pages.iter().flat_map(|page| &page.lines).map(|line| count(&line.text())).sum();
            prop_assert_eq!(count(&document.text), had);
        }
    }
}
