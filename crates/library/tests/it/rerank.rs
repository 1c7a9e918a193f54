//! The final order of candidates, and the token vectors that it needs.

use std::sync::Mutex;

use lahar_library::{ChunkKind, Hit, LATE_FLOOR, Library, Ranking, Reranking, SearchRequest};
use lahar_models::{
    Embedder, EmbedderIdentity, ModelError, Reranker, TextRole, TokenEmbedder, TokenVectors,
    Tokenizer, WordTokenizer,
};
use tempfile::TempDir;

use crate::made::{CountingEmbedder, Maker, flood, ingest, library, quake, raw};

/// A counting embedder that gives each word a vector too, by its letters.
#[derive(Default)]
struct WordVectors(CountingEmbedder);

impl Embedder for WordVectors {
    fn identity(&self) -> &EmbedderIdentity {
        self.0.identity()
    }

    fn embed(&self, texts: &[&str], role: TextRole) -> Result<Vec<Vec<f32>>, ModelError> {
        self.0.embed(texts, role)
    }

    fn tokenizer(&self) -> &dyn Tokenizer {
        &WordTokenizer
    }

    fn token_embedder(&self) -> Option<&dyn TokenEmbedder> {
        Some(self)
    }
}

impl TokenEmbedder for WordVectors {
    fn embed_tokens(
        &self,
        texts: &[&str],
        role: TextRole,
    ) -> Result<Vec<TokenVectors>, ModelError> {
        let vectors = self.embed(texts, role)?;
        let found = texts.iter().zip(vectors).map(|(text, vector)| {
            let ranges = WordTokenizer.token_ranges(text)?;
            let words: Vec<&str> = ranges.iter().map(|range| &text[range.clone()]).collect();
            Ok(TokenVectors {
                text: vector,
                states: self.embed(&words, role)?.concat(),
                ranges,
            })
        });
        found.collect()
    }
}

/// Likes passages with one word, and keeps what it was shown.
struct Likes {
    word: &'static str,
    shown: Mutex<Vec<String>>,
}

impl Reranker for Likes {
    fn name(&self) -> &str {
        "likes"
    }

    fn score(&self, _: &str, passages: &[&str]) -> Result<Vec<f32>, ModelError> {
        let mut shown = self.shown.lock().unwrap();
        shown.extend(passages.iter().map(|text| text.to_string()));
        let score = |text: &&str| if text.contains(self.word) { 0.9 } else { 0.1 };
        Ok(passages.iter().map(score).collect())
    }
}

fn names(hits: &[Hit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.file_name.as_str()).collect()
}

fn filled(folder: &TempDir, embedder: &dyn Embedder) -> Library {
    let mut library = library(folder, Some(embedder));
    ingest(&mut library, Some(embedder), &flood(), "/a/flood.txt");
    ingest(&mut library, Some(embedder), &quake(), "/a/quake.txt");
    library
}

fn stored_tokens(library: &Library) -> i64 {
    raw(library)
        .query_row("SELECT count(*) FROM token_vectors", [], |row| row.get(0))
        .unwrap()
}

#[test]
fn tokens_are_stored_with_their_chunks_and_go_with_them() {
    let folder = TempDir::new().unwrap();
    let embedder = WordVectors::default();
    let mut library = filled(&folder, &embedder);
    assert_eq!(stored_tokens(&library), 2);
    assert!(library.check(false).unwrap().problems.is_empty());
    raw(&library)
        .execute_batch("UPDATE token_vectors SET tokens = x'0102' WHERE chunk = 1")
        .unwrap();
    let found = library.check(true).unwrap();
    assert!(!found.is_sound(), "{found:?}");
    assert!(
        found.problems[0]
            .message
            .contains("1 have broken ones; `lahar reindex`"),
        "{found:?}"
    );
    // A torn one is only ranked last.
    let request = SearchRequest::new("flood stage of the river");
    let hits = library
        .retrieve(&request, Some(&embedder), Reranking::Late)
        .unwrap();
    assert_eq!(names(&hits), ["quake.txt", "flood.txt"]);
    assert_eq!(hits[1].scores.rerank, None);
    library
        .reindex(ChunkKind::Fixed, Some(&embedder), &mut |_, _| {})
        .unwrap();
    assert!(library.check(false).unwrap().problems.is_empty());
    library.remove(flood().id).unwrap();
    assert_eq!(stored_tokens(&library), 1);
    // A model without tokens takes them out of the library.
    let plain = CountingEmbedder::default();
    library
        .reindex(ChunkKind::Fixed, Some(&plain), &mut |_, _| {})
        .unwrap();
    assert_eq!(stored_tokens(&library), 0);
    assert!(library.check(false).unwrap().problems.is_empty());
}

#[test]
fn the_passage_that_answers_comes_first_and_a_foreign_one_is_no_evidence() {
    let folder = TempDir::new().unwrap();
    let embedder = WordVectors::default();
    let library = filled(&folder, &embedder);
    for ranking in [Ranking::Dense, Ranking::Lexical, Ranking::Fused] {
        let request = SearchRequest {
            ranking,
            ..SearchRequest::new("hold on until the shaking stops")
        };
        let hits = library
            .retrieve(&request, Some(&embedder), Reranking::Late)
            .unwrap();
        assert_eq!(hits[0].file_name, "quake.txt");
        let score = hits[0].scores.rerank.unwrap();
        assert!(score > 0.9 && score < 1.1, "every word is there: {score}");
        assert!(!hits[0].scores.below_floor);
        for other in &hits[1..] {
            let score = other.scores.rerank.unwrap();
            assert!(score < LATE_FLOOR && other.scores.below_floor, "{score}");
        }
        let off = library
            .retrieve(&request, Some(&embedder), Reranking::Off)
            .unwrap();
        assert!(
            off.iter()
                .all(|hit| hit.scores.rerank.is_none() && !hit.scores.below_floor)
        );
        let first = library.search(&SearchRequest {
            query_vector: Some(library.embed_query(&embedder, &request.text).unwrap()),
            ..request
        });
        assert_eq!(names(&off), names(&first.unwrap()));
    }
}

#[test]
fn a_cross_encoder_is_shown_every_candidate_and_its_floor_is_its_own() {
    let folder = TempDir::new().unwrap();
    let embedder = WordVectors::default();
    let mut library = filled(&folder, &embedder);
    let third = Maker::new("Third")
        .paragraph("The flood stage is unknown here.")
        .done();
    ingest(&mut library, Some(&embedder), &third, "/a/third.txt");
    let model = Likes {
        word: "Drop",
        shown: Mutex::default(),
    };
    let request = SearchRequest {
        ranking: Ranking::Dense,
        limit: 1,
        ..SearchRequest::new("flood stage")
    };
    let by_model = Reranking::Model {
        model: &model,
        floor: 0.5,
    };
    let hits = library
        .retrieve(&request, Some(&embedder), by_model)
        .unwrap();
    assert_eq!(names(&hits), ["quake.txt"]);
    assert_eq!(
        (hits[0].scores.rerank, hits[0].scores.below_floor),
        (Some(0.9), false)
    );
    assert_eq!(model.shown.lock().unwrap().len(), 3);
    let all = SearchRequest {
        limit: 3,
        ..request.clone()
    };
    let hits = library.retrieve(&all, Some(&embedder), by_model).unwrap();
    assert!(hits[1..].iter().all(|hit| hit.scores.below_floor));
    // Of those it likes alike, the first stage's order holds.
    let first = library
        .retrieve(&all, Some(&embedder), Reranking::Off)
        .unwrap();
    let rest: Vec<&str> = names(&first)
        .into_iter()
        .filter(|name| *name != "quake.txt")
        .collect();
    assert_eq!(names(&hits)[1..], rest);
    // Words alone may be reranked too.
    let lexical = SearchRequest::new("flood stage");
    let hits = library.retrieve(&lexical, None, by_model).unwrap();
    assert!(hits.iter().all(|hit| hit.scores.rerank == Some(0.1)) && hits.len() == 2);
    let hits = library.retrieve(&lexical, None, Reranking::Late).unwrap();
    assert!(hits.iter().all(|hit| hit.scores.rerank.is_none()) && hits.len() == 2);
}
