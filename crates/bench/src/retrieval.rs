//! Whether retrieval found the evidence, and how far up.
//!
//! The unit is one question with one piece of evidence. A chunk is relevant when it is cut from
//! the document that the item names and holds the whole quote, letters and digits compared.
//! Windows overlap, so that several chunks may hold the quote; the item is served by the first of
//! them, and another one below it adds nothing. So the ideal ranking of every item is one
//! relevant chunk on rank 1, which no chunker can change, and with `r` the first relevant rank
//!
//! | measure | value |
//! |---|---|
//! | recall@k | 1 if `r <= k`, else 0 |
//! | reciprocal rank | `1 / r`, 0 if there is none within [`DEPTH`] |
//! | nDCG@k | `1 / log2(r + 1)` if `r <= k`, else 0 (Järvelin and Kekäläinen, 2002, with binary gain) |

use lahar_library::Hit;
use unicode_normalization::UnicodeNormalization;

use crate::questions::Evidence;

/// How many chunks are looked at; what is retrieved below does not count.
pub const DEPTH: usize = 50;

/// The evidence of an item, made ready to be looked for in many chunks.
#[derive(Debug, Clone)]
pub struct Target {
    document: String,
    quote: String,
}

impl Target {
    /// What to look for.
    pub fn new(evidence: &Evidence) -> Target {
        Target {
            document: file_name(&evidence.document),
            quote: fold(&evidence.quote),
        }
    }

    /// Whether a chunk is cut from the document and holds the whole quote. Its spans are taken
    /// together, as a quote may run on behind a page's running head.
    pub fn is_in(&self, hit: &Hit) -> bool {
        !self.quote.is_empty()
            && file_name(&hit.file_name) == self.document
            && fold(&hit.text).contains(&self.quote)
    }

    /// Rank of the first relevant chunk within [`DEPTH`], counted from 1.
    pub fn rank(&self, hits: &[Hit]) -> Option<usize> {
        hits.iter()
            .take(DEPTH)
            .position(|hit| self.is_in(hit))
            .map(|index| index + 1)
    }
}

/// Whether the evidence is among the first `k` chunks: 1 or 0.
///
/// ```
/// use lahar_bench::retrieval::recall_at;
/// assert_eq!([recall_at(4, Some(5)), recall_at(5, Some(5)), recall_at(5, None)], [0.0, 1.0, 0.0]);
/// ```
pub fn recall_at(k: usize, rank: Option<usize>) -> f64 {
    f64::from(u8::from(rank.is_some_and(|rank| rank <= k)))
}

/// One by the rank of the evidence.
///
/// ```
/// use lahar_bench::retrieval::reciprocal_rank;
/// assert_eq!([reciprocal_rank(Some(4)), reciprocal_rank(None)], [0.25, 0.0]);
/// ```
pub fn reciprocal_rank(rank: Option<usize>) -> f64 {
    rank.map_or(0.0, |rank| 1.0 / rank as f64)
}

/// Normalised discounted gain at `k` with one relevant chunk.
///
/// ```
/// use lahar_bench::retrieval::ndcg_at;
/// assert_eq!([ndcg_at(10, Some(1)), ndcg_at(10, Some(3)), ndcg_at(10, Some(11))], [1.0, 0.5, 0.0]);
/// ```
pub fn ndcg_at(k: usize, rank: Option<usize>) -> f64 {
    rank.filter(|&rank| rank <= k)
        .map_or(0.0, |rank| 1.0 / (rank as f64 + 1.0).log2())
}

/// Letters and digits of a text, made alike: compatibility forms (ligatures, superscripts, wide
/// digits) as the plain ones, case folded. Everything else is left out: white space, line ends,
/// hyphens, soft hyphens, and accents, which PDF files often set beside their letter.
pub fn fold(text: &str) -> String {
    text.nfkd()
        // Upper before lower case makes one of letters that have two small forms (ß and ss, the
        // two sigmas, i with and without its dot); the large ẞ must be small first.
        .flat_map(char::to_lowercase)
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .filter(|c| c.is_alphanumeric())
        // Vowel signs that were apart have met; they get their one order.
        .nfkd()
        .collect()
}

/// The last component of a path, whichever system wrote it. Accents are composed: file systems
/// differ in how they store them.
pub fn file_name(path: &str) -> String {
    let path = path.trim();
    path.rsplit(['/', '\\'])
        .next()
        .unwrap_or(path)
        .nfc()
        .collect()
}

#[cfg(test)]
mod tests {
    use lahar_core::{CharRange, DocumentId, HazardWeights};
    use lahar_library::{Chunk, ChunkKind, Scores};
    use proptest::prelude::*;

    use super::*;

    fn hit(file: &str, text: &str) -> Hit {
        Hit {
            chunk_id: 1,
            document: DocumentId::of(file.as_bytes()),
            title: String::new(),
            file_name: file.to_owned(),
            document_hazards: HazardWeights::new(),
            chunk: Chunk {
                kind: ChunkKind::Fixed,
                spans: vec![CharRange::new(0, text.chars().count())],
                pages: None,
                section: Vec::new(),
                hazards: HazardWeights::new(),
            },
            text: text.to_owned(),
            scores: Scores::default(),
        }
    }

    fn target(document: &str, quote: &str) -> Target {
        Target::new(&Evidence {
            document: document.to_owned(),
            quote: quote.to_owned(),
        })
    }

    #[test]
    fn letters_and_digits_alone_are_compared() {
        let alike = [
            ("The ﬁre-line", "the fire line"),
            ("post-\nfire \u{ad}flow", "Postfire flow"),
            ("“12 m²” — wide", "12 m2 wide"),
            ("Sociéte\u{301}", "Socie\u{301}té"),
            ("R´ıo Piedras", "Río Piedras"),
            ("STRASSE", "Straße"),
            ("ΟΔΟΣ", "οδος"),
            ("１２３", "123"),
            ("İzmir", "İZMİR"),
        ];
        for (left, right) in alike {
            assert_eq!(fold(left), fold(right), "{left} | {right}");
        }
        assert_ne!(fold("30 feet"), fold("31 feet"));
        assert_eq!(fold("… – \u{301} \n"), "");
    }

    #[test]
    fn a_chunk_is_relevant_only_whole_and_in_the_named_document() {
        let wanted = target("reports/a.pdf", "Stay 30 feet away.");
        assert!(wanted.is_in(&hit("a.pdf", "People: stay 30\nfeet\naway; then")));
        assert!(wanted.is_in(&hit("C:\\docs\\a.pdf", "STAY 30 FEET AWAY")));
        assert!(!wanted.is_in(&hit("b.pdf", "Stay 30 feet away.")));
        assert!(!wanted.is_in(&hit("aa.pdf", "Stay 30 feet away.")));
        assert!(!wanted.is_in(&hit("a.pdf", "Stay 30 feet")));
        assert!(!wanted.is_in(&hit("a.pdf", "Stay 31 feet away.")));
        assert!(!target("a.pdf", "...").is_in(&hit("a.pdf", "Stay 30 feet away.")));
    }

    #[test]
    fn the_first_relevant_chunk_counts_and_depth_ends_the_search() {
        let wanted = target("a.txt", "needle");
        let mut hits = vec![hit("a.txt", "hay"); 60];
        assert_eq!(wanted.rank(&hits), None);
        hits[50] = hit("a.txt", "a needle");
        assert_eq!(wanted.rank(&hits), None);
        hits[49] = hit("a.txt", "a needle");
        assert_eq!(wanted.rank(&hits), Some(50));
        hits[2] = hit("a.txt", "a needle");
        hits[0] = hit("b.txt", "a needle");
        assert_eq!(wanted.rank(&hits), Some(3));
        assert_eq!(wanted.rank(&[]), None);
    }

    #[test]
    fn discounted_gain_follows_the_binary_logarithm() {
        let by_hand = [
            (1, 1.0),
            (2, 0.630_929_753_571_457_4), // ln 2 / ln 3
            (7, 1.0 / 3.0),
            (10, 0.289_064_826_317_887_9), // ln 2 / ln 11
        ];
        for (rank, gain) in by_hand {
            assert!((ndcg_at(10, Some(rank)) - gain).abs() < 1e-12, "{rank}");
        }
        assert_eq!(ndcg_at(10, Some(11)), 0.0);
        assert_eq!(ndcg_at(10, None), 0.0);
    }

    /// Two vowel signs with a space between them changed places when folded again, and the large
    /// ẞ became ß, then ss.
    #[test]
    fn vowel_signs_that_meet_have_one_order_and_every_sharp_s_is_one() {
        let once = fold("\u{610} \u{64b}");
        assert_eq!(fold(&once), once);
        assert_eq!(fold("STRAẞE"), "strasse");
    }

    proptest! {
        #[test]
        fn measures_stay_within_bounds_and_recall_grows_with_k(rank in prop::option::of(1usize..200)) {
            for k in 1..100 {
                prop_assert!((0.0..=1.0).contains(&ndcg_at(k, rank)));
                prop_assert!((0.0..=1.0).contains(&reciprocal_rank(rank)));
                prop_assert!(recall_at(k, rank) <= recall_at(k + 1, rank));
                prop_assert!(ndcg_at(k, rank) <= recall_at(k, rank));
            }
        }

        #[test]
        fn a_text_holds_every_part_of_itself(text in "[a-zA-Z0-9À-ſΑ-ωа-я一-丐ﬁ² \n\u{ad}\u{301}-]{0,80}", cut in 0usize..80, length in 1usize..40) {
            let quote: String = text.chars().skip(cut).take(length).collect();
            let found = target("a.txt", &quote).is_in(&hit("a.txt", &text));
            prop_assert_eq!(found, !fold(&quote).is_empty());
        }

        #[test]
        fn folding_twice_changes_nothing(text in "\\PC{0,80}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }
}
