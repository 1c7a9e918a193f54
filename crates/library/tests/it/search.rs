//! Retrieval.

use lahar_core::Hazard;
use lahar_library::search::query_terms;
use lahar_library::{Hit, Library, LibraryError, Ranking, SearchRequest};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::made::{CountingEmbedder, Maker, flood, ingest, library, quake};

fn two_documents(folder: &TempDir, embedder: &CountingEmbedder) -> Library {
    let mut library = library(folder, Some(embedder));
    ingest(&mut library, Some(embedder), &flood(), "/a/flood.txt");
    ingest(&mut library, Some(embedder), &quake(), "/a/quake.txt");
    library
}

fn names(hits: &[Hit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.file_name.as_str()).collect()
}

#[test]
fn both_scores_stand_on_every_fused_hit_that_has_them() {
    let folder = TempDir::new().unwrap();
    let embedder = CountingEmbedder::default();
    let library = two_documents(&folder, &embedder);
    let question = "How high is the flood stage?";
    let vector = library.embed_query(&embedder, question).unwrap();
    let request = SearchRequest::new(question).with_vector(Some(vector));
    assert_eq!(request.effective_ranking(), Ranking::Fused);
    let hits = library.search(&request).unwrap();
    assert_eq!(names(&hits), ["flood.txt", "quake.txt"]);
    assert!(hits[0].scores.dense.is_some() && hits[0].scores.lexical.is_some());
    assert!(hits[1].scores.dense.is_some());
    assert_eq!(hits[1].scores.lexical, None, "no word in common");
    let text = library.text(hits[0].document).unwrap();
    let span = hits[0].chunk.spans[0];
    assert_eq!(text.slice(span).unwrap(), hits[0].text);
}

#[test]
fn words_alone_are_searched_without_a_model() {
    let folder = TempDir::new().unwrap();
    let mut library = library(&folder, None);
    ingest(&mut library, None, &flood(), "/a/flood.txt");
    ingest(&mut library, None, &quake(), "/a/quake.txt");
    let request = SearchRequest::new("How high is the flood stage?");
    assert_eq!(request.effective_ranking(), Ranking::Lexical);
    let hits = library.search(&request).unwrap();
    assert_eq!(names(&hits), ["flood.txt"]);
    assert_eq!(hits[0].scores.dense, None);
    let dense = SearchRequest {
        ranking: Ranking::Dense,
        ..request
    };
    let refused = library.search(&dense).unwrap_err();
    assert!(
        matches!(refused, LibraryError::NoVectors { .. }),
        "{refused}"
    );
}

#[test]
fn a_search_is_limited_to_a_hazard_or_a_document() {
    let folder = TempDir::new().unwrap();
    let embedder = CountingEmbedder::default();
    let library = two_documents(&folder, &embedder);
    let question = "flood stage and shaking";
    let vector = library.embed_query(&embedder, question).unwrap();
    for ranking in [Ranking::Dense, Ranking::Lexical, Ranking::Fused] {
        let all = SearchRequest {
            ranking,
            ..SearchRequest::new(question).with_vector(Some(vector.clone()))
        };
        assert_eq!(library.search(&all).unwrap().len(), 2, "{ranking:?}");
        let floods = SearchRequest {
            hazard: Some(Hazard::FLOOD),
            ..all.clone()
        };
        assert_eq!(names(&library.search(&floods).unwrap()), ["flood.txt"]);
        let one = SearchRequest {
            document: Some(quake().id),
            ..all.clone()
        };
        assert_eq!(names(&library.search(&one).unwrap()), ["quake.txt"]);
        let none = SearchRequest {
            hazard: Some(Hazard::WILDFIRE),
            ..all.clone()
        };
        assert!(library.search(&none).unwrap().is_empty());
        let fewer = SearchRequest { limit: 1, ..all };
        assert_eq!(library.search(&fewer).unwrap().len(), 1);
    }
}

#[test]
fn numbers_keep_their_decimals_and_endings_do_not_matter() {
    let folder = TempDir::new().unwrap();
    let mut library = library(&folder, None);
    let decimals = Maker::new("a")
        .paragraph("A rupture of 4.5 minutes.")
        .done();
    let parts = Maker::new("b")
        .paragraph("Four of 5 gauges, 4 of them new.")
        .done();
    ingest(&mut library, None, &decimals, "/decimals.txt");
    ingest(&mut library, None, &parts, "/parts.txt");
    let found = |question: &str| {
        let hits = library.search(&SearchRequest::new(question)).unwrap();
        hits.iter()
            .map(|hit| hit.file_name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(found("4.5"), ["decimals.txt"]);
    assert_eq!(found("ruptured minute"), ["decimals.txt"]);
    assert_eq!(found("gauge"), ["parts.txt"]);
    assert_eq!(
        query_terms("What is the 28,188th of 4.5 PM?"),
        ["28,188th", "4.5", "pm"]
    );
    assert_eq!(
        query_terms("Who are they?"),
        ["who", "are", "they"],
        "nothing else to look for"
    );
    assert_eq!(query_terms("flood flood FLOOD"), ["flood"]);
}

#[test]
fn search_syntax_is_words_like_any_other() {
    let folder = TempDir::new().unwrap();
    let embedder = CountingEmbedder::default();
    let library = two_documents(&folder, &embedder);
    for question in [
        "\"flood",
        "flood\" OR \"x",
        "NEAR(flood stage, 2)",
        "flood*",
        "title: flood",
        "-flood",
        "{title text} : flood",
        "^flood AND NOT stage",
        "(flood",
        "flood'; DROP TABLE documents; --",
        "flood\0stage",
    ] {
        let hits = library.search(&SearchRequest::new(question)).unwrap();
        assert_eq!(
            hits.first().map(|hit| hit.file_name.as_str()),
            Some("flood.txt"),
            "{question}"
        );
    }
    for question in ["", " \n", "?!*\"()", "\0"] {
        assert!(
            library
                .search(&SearchRequest::new(question))
                .unwrap()
                .is_empty()
        );
    }
}

#[test]
fn a_question_of_a_megabyte_is_answered_soon() {
    let folder = TempDir::new().unwrap();
    let embedder = CountingEmbedder::default();
    let library = two_documents(&folder, &embedder);
    let different: String = (0..150_000).map(|number| format!("w{number} ")).collect();
    for question in [
        "flood ".repeat(180_000),
        "x".repeat(1 << 20),
        "é".repeat(1 << 19),
        format!("flood {different}"),
    ] {
        assert!(query_terms(&question).len() <= 128);
        let vector = library.embed_query(&embedder, &question).unwrap();
        library
            .search(&SearchRequest::new(question).with_vector(Some(vector)))
            .unwrap();
    }
}

#[test]
fn a_vector_that_does_not_fit_is_refused() {
    let folder = TempDir::new().unwrap();
    let embedder = CountingEmbedder::default();
    let library = two_documents(&folder, &embedder);
    let short = SearchRequest::new("flood").with_vector(Some(vec![1.0; 3]));
    let error = library.search(&short).unwrap_err();
    assert!(
        matches!(
            error,
            LibraryError::VectorLength {
                expected: 61,
                found: 3
            }
        ),
        "{error}"
    );
    for odd in [f32::NAN, f32::INFINITY, 0.0] {
        let request = SearchRequest::new("flood").with_vector(Some(vec![odd; 61]));
        library.search(&request).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_text_makes_a_search_fail(question in any::<String>(), syntax in "[\"*():^{}a-z +-]{0,30}") {
        thread_local! {
            static LIBRARY: (TempDir, Library) = {
                let folder = TempDir::new().unwrap();
                let library = two_documents(&folder, &CountingEmbedder::default());
                (folder, library)
            };
        }
        LIBRARY.with(|(_, library)| {
            for text in [&question, &syntax] {
                library.search(&SearchRequest::new(text.clone())).unwrap();
            }
        });
    }
}
