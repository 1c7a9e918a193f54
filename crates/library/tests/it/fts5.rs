//! The lexical ranking equals that of SQLite's FTS5 with `porter unicode61 remove_diacritics 2`,
//! which it took the place of: another program's terms and scores over the shared corpus.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use lahar_library::search::query_terms;
use lahar_library::{Library, SearchRequest};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::corpus::{documents, shared};
use crate::made::{details, library, raw};

fn questions() -> Vec<String> {
    let mut questions = Vec::new();
    for set in ["public_tf", "public_mc", "public_open"] {
        let text = std::fs::read_to_string(shared().join(format!("qa/{set}.jsonl"))).unwrap();
        questions.extend(text.lines().map(|line| {
            let item: serde_json::Value = serde_json::from_str(line).unwrap();
            item["question"].as_str().unwrap().to_owned()
        }));
    }
    questions
}

/// An FTS5 table of a library's chunks, without glyphs that have no meaning, which FTS5 takes for
/// words.
fn fts5_of(library: &Library) -> Connection {
    let connection = raw(library);
    connection
        .execute_batch(
            "CREATE VIRTUAL TABLE temp.words USING fts5 (title, heading, text,
                 tokenize = 'porter unicode61 remove_diacritics 2');
             CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(temp, words, row)",
        )
        .unwrap();
    let chunks: Vec<(i64, [String; 3])> = connection
        .prepare(
            "SELECT chunks.id, documents.title, chunks.heading, chunks.text
             FROM chunks JOIN documents ON documents.number = chunks.document",
        )
        .unwrap()
        .query_map([], |row| {
            Ok((row.get(0)?, [row.get(1)?, row.get(2)?, row.get(3)?]))
        })
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    connection.execute_batch("BEGIN").unwrap();
    for (chunk, texts) in chunks {
        let private = |c: char| ('\u{e000}'..='\u{f8ff}').contains(&c);
        let [title, heading, text] = texts.map(|text| text.replace(private, " "));
        let insert = "INSERT INTO temp.words (rowid, title, heading, text) VALUES (?1, ?2, ?3, ?4)";
        let mut insert = connection.prepare_cached(insert).unwrap();
        insert.execute((chunk, title, heading, text)).unwrap();
    }
    connection.execute_batch("COMMIT").unwrap();
    connection
}

#[test]
fn terms_and_scores_are_those_of_fts5() {
    let documents = documents("terms_and_scores_are_those_of_fts5");
    if documents.is_empty() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let mut library = library(&folder, None);
    for (entry, document) in documents {
        let mut ingestor = lahar_library::Ingestor::new(&mut library, None).unwrap();
        let given = details(&format!("/corpus/{}", entry.file.display()));
        ingestor.ingest(document, &given, &mut |_| {}).unwrap();
    }
    let fts5 = fts5_of(&library);

    // Every term of one, with its number of chunks, is a term of the other. Ours has numbers and
    // words with an apostrophe as wholes beside.
    let table = |query: &str| -> Vec<(String, i64)> {
        let mut statement = fts5.prepare(query).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
        rows.unwrap().collect::<Result<_, _>>().unwrap()
    };
    let theirs = table("SELECT term, doc FROM temp.vocabulary ORDER BY term");
    let ours: Vec<String> = table("SELECT term, 0 FROM terms ORDER BY term")
        .into_iter()
        .map(|(term, _)| term)
        .filter(|term| !term.contains(['.', ',', '\'']))
        .collect();
    let expected: Vec<String> = theirs.iter().map(|(term, _)| term.clone()).collect();
    let differing = |a: &[String], b: &[String]| -> Vec<String> {
        a.iter()
            .filter(|term| b.binary_search(term).is_err())
            .cloned()
            .collect()
    };
    assert!(expected.len() > 5000, "{}", expected.len());
    assert_eq!(
        differing(&ours, &expected),
        Vec::<String>::new(),
        "only ours"
    );
    assert_eq!(
        differing(&expected, &ours),
        Vec::<String>::new(),
        "only FTS5's"
    );

    let mut compared = 0;
    for question in questions() {
        let terms = query_terms(&question);
        // FTS5 takes "4.5" for 4 and 5 next to each other, whatever stands between them.
        if terms.iter().any(|term| term.contains(['.', ',', '\''])) {
            continue;
        }
        let words: Vec<String> = terms.iter().map(|term| format!("\"{term}\"")).collect();
        let mut statement = fts5
            .prepare_cached(
                "SELECT rowid, -bm25(words, 1.0, 1.0, 1.0) AS score FROM temp.words
                 WHERE words MATCH ?1 ORDER BY score DESC, rowid LIMIT 50",
            )
            .unwrap();
        let expected: Vec<(i64, f64)> = statement
            .query_map([words.join(" OR ")], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        let request = SearchRequest {
            limit: 50,
            ..SearchRequest::new(question.clone())
        };
        let found = library.search(&request).unwrap();
        assert_eq!(found.len(), expected.len(), "{question}");
        for (hit, (chunk, score)) in found.iter().zip(&expected) {
            let own = f64::from(hit.scores.lexical.unwrap());
            let close = |score: f64| (own - score).abs() <= 1e-4 * score.abs();
            assert!(close(*score), "{question}: {own} {score}");
            // Of two that differ in the last digits either may be first.
            let theirs = expected.iter().find(|(other, _)| *other == hit.chunk_id);
            let at_the_end = || close(expected.last().unwrap().1);
            assert!(
                hit.chunk_id == *chunk || theirs.map_or_else(at_the_end, |(_, s)| close(*s)),
                "{question}: {} {chunk}",
                hit.chunk_id
            );
        }
        compared += 1;
    }
    assert!(compared > 40, "{compared}");
}
