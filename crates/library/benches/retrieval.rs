//! How long a question takes in a large library. `cargo bench -p lahar-library --bench retrieval`
//! measures 100,000 chunks; after `--`, `rows` draws the growth curve of vectors alone up to
//! 1,000,000 rows. Every comparison is made in one run.
//!
//! Texts of 200 words are put together from runs of 20 words of the shared corpus (`LAHAR_SHARED`,
//! or the folder beside the checkout), vectors are seeded, questions are those of its `qa` folder.
//! `LAHAR_CHUNKS` sets another number of chunks, and `LAHAR_EXPORT=FOLDER` leaves texts and
//! questions there for `benches/peers/tantivy`.
#![allow(clippy::print_stdout, reason = "a bench reports")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use lahar_core::{CharRange, DocumentId, HazardWeights};
use lahar_documents::{Document, Format, ReadOptions};
use lahar_library::search::query_terms;
use lahar_library::{
    Chunk, ChunkKind, DocumentDetails, Library, NewChunk, NewDocument, Ranking, Reranking,
    SearchRequest, Settings,
};
use lahar_models::{
    Embedder, EmbedderIdentity, ModelError, TextRole, TokenEmbedder, TokenVectors, Tokenizer,
    WordTokenizer,
};

const DIMENSION: usize = 384;
const WORDS: usize = 200;
const CHUNKS_OF_A_DOCUMENT: usize = 200;

fn main() {
    let folder = tempfile::TempDir::new().expect("a folder");
    println!("load: {}", first_line("/proc/loadavg"));
    match std::env::args().any(|argument| argument == "rows") {
        true => growth(folder.path()),
        false => whole_questions(folder.path()),
    }
    println!("load: {}", first_line("/proc/loadavg"));
}

/// Seeded numbers (Knuth's multiplier for 64 bits).
#[derive(Clone)]
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    /// About normal: a sum of four even ones.
    fn normal(&mut self) -> f32 {
        let even: f32 = (0..4)
            .map(|_| self.below(1 << 20) as f32 / (1 << 20) as f32)
            .sum();
        (even - 2.0) * 1.732
    }

    fn vector(&mut self) -> Vec<f32> {
        let vector: Vec<f32> = (0..DIMENSION).map(|_| self.normal()).collect();
        let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
        vector.into_iter().map(|v| v / length).collect()
    }
}

/// Vectors of no meaning: of a text, by its hash; of 16 tokens.
struct Seeded(EmbedderIdentity);

impl Seeded {
    fn new() -> Seeded {
        Seeded(EmbedderIdentity {
            name: "seeded".into(),
            digest: "1".into(),
            dimension: DIMENSION,
        })
    }

    fn of(text: &str) -> Random {
        Random(text.bytes().fold(7, |hash: u64, byte| {
            hash.wrapping_mul(1_099_511_628_211)
                .wrapping_add(u64::from(byte))
        }))
    }
}

impl Embedder for Seeded {
    fn identity(&self) -> &EmbedderIdentity {
        &self.0
    }

    fn embed(&self, texts: &[&str], _: TextRole) -> Result<Vec<Vec<f32>>, ModelError> {
        Ok(texts.iter().map(|text| Seeded::of(text).vector()).collect())
    }

    fn tokenizer(&self) -> &dyn Tokenizer {
        &WordTokenizer
    }

    fn token_embedder(&self) -> Option<&dyn TokenEmbedder> {
        Some(self)
    }
}

impl TokenEmbedder for Seeded {
    fn embed_tokens(&self, texts: &[&str], _: TextRole) -> Result<Vec<TokenVectors>, ModelError> {
        let vectors = texts.iter().map(|text| {
            let mut random = Seeded::of(text);
            TokenVectors {
                text: random.vector(),
                ranges: (0..16).map(|at| at..at).collect(),
                states: (0..16).flat_map(|_| random.vector()).collect(),
            }
        });
        Ok(vectors.collect())
    }
}

fn first_line(path: &str) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().next().unwrap_or("unknown").to_owned()
}

/// Memory of this process in megabytes, now and at its height.
fn memory() -> (f64, f64) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name));
        let number = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok());
        number.map_or(f64::NAN, |kilobytes| kilobytes / 1024.0)
    };
    (field("VmRSS:"), field("VmHWM:"))
}

fn shared() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("LAHAR_SHARED").map_or_else(beside, PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// The words of the corpus's texts that need no PDF reader, text by text.
fn corpus(shared: &Path) -> Vec<Vec<String>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(shared.join("corpus"))
        .expect("the corpus")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e != "pdf" && e != "csv"))
        .collect();
    files.sort();
    let texts = files.iter().filter_map(|path| {
        let document = lahar_documents::read(path, &ReadOptions::default()).ok()?;
        let words: Vec<String> = document
            .text
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        (words.len() > 100).then_some(words)
    });
    texts.collect()
}

fn questions(shared: &Path) -> Vec<String> {
    let mut questions = Vec::new();
    for set in ["public_tf", "public_mc", "public_open"] {
        let path = shared.join(format!("qa/{set}.jsonl"));
        let text = std::fs::read_to_string(path).expect("questions");
        questions.extend(text.lines().map(|line| {
            let item: serde_json::Value = serde_json::from_str(line).expect("a question");
            item["question"].as_str().expect("its text").to_owned()
        }));
    }
    questions
}

/// A document of chunks, each a paragraph.
fn document(texts: &[String], number: usize) -> (Document, Vec<CharRange>) {
    let text = texts.join("\n\n");
    let mut spans = Vec::new();
    let mut start = 0;
    for chunk in texts {
        let end = start + chunk.chars().count();
        spans.push(CharRange::new(start, end));
        start = end + 2;
    }
    let document = Document {
        id: DocumentId::of(format!("{number} {text}").as_bytes()),
        format: Format::Text,
        title: Some(format!("Document {number}")),
        properties: lahar_documents::Properties::default(),
        text,
        pages: Vec::new(),
        blocks: Vec::new(),
        warnings: Vec::new(),
    };
    (document, spans)
}

/// Fills a library; `tokens` says whether chunks get token vectors.
fn fill(
    library: &mut Library,
    mut texts: impl Iterator<Item = String>,
    vector: &mut dyn FnMut() -> Vec<f32>,
    tokens: bool,
) {
    let mut random = Random(11);
    for number in 0.. {
        let texts: Vec<String> = texts.by_ref().take(CHUNKS_OF_A_DOCUMENT).collect();
        if texts.is_empty() {
            return;
        }
        let (document, spans) = document(&texts, number);
        let chunks = spans.into_iter().map(|span| NewChunk {
            chunk: Chunk {
                kind: ChunkKind::Fixed,
                spans: vec![span],
                pages: None,
                section: Vec::new(),
                hazards: HazardWeights::default(),
            },
            heading: String::new(),
            vector: Some(vector()),
            tokens: tokens.then(|| {
                let signs = (0..127 * 32).map(|_| random.below(256) as u8);
                std::iter::once(1).chain(signs).collect()
            }),
        });
        let details = DocumentDetails {
            path: format!("/made/{number}.txt"),
            ..DocumentDetails::default()
        };
        let new = NewDocument {
            document: &document,
            details: &details,
            hazards: HazardWeights::default(),
            chunks: chunks.collect(),
        };
        library.add(&new).expect("stored");
    }
}

/// Milliseconds of each call, after one round that is not counted.
fn timed<T>(rounds: usize, items: &[T], mut call: impl FnMut(&T)) -> Vec<f64> {
    let mut times = Vec::new();
    for round in 0..=rounds {
        for item in items {
            let start = Instant::now();
            call(item);
            if round > 0 {
                times.push(start.elapsed().as_secs_f64() * 1e3);
            }
        }
    }
    times.sort_by(f64::total_cmp);
    times
}

fn report(name: &str, times: &[f64]) {
    let at = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)];
    println!(
        "{name:<44} median {:8.2} ms   p95 {:8.2} ms   least {:8.2} ms   {} calls",
        at(50),
        at(95),
        at(0),
        times.len()
    );
}

fn whole_questions(folder: &Path) {
    let Some(shared) = shared() else {
        println!("SKIPPED: no shared corpus; set LAHAR_SHARED");
        return;
    };
    let chunks = std::env::var("LAHAR_CHUNKS")
        .ok()
        .and_then(|n| n.parse().ok());
    let chunks: usize = chunks.unwrap_or(100_000);
    let (corpus, questions) = (corpus(&shared), questions(&shared));
    let mut random = Random(1);
    let texts: Vec<String> = (0..chunks)
        .map(|_| {
            let runs = (0..WORDS / 20).map(|_| {
                let words = &corpus[random.below(corpus.len())];
                let start = random.below(words.len() - 20);
                words[start..start + 20].join(" ")
            });
            runs.collect::<Vec<_>>().join(" ")
        })
        .collect();
    export(&texts, &questions);
    let embedder = Seeded::new();
    let settings = Settings::new(ChunkKind::Fixed, Some(&embedder)).expect("settings");
    let path = folder.join("bench.db");
    {
        let mut library = Library::create(&path, &settings).expect("a library");
        let (start, mut vectors) = (Instant::now(), Random(3));
        fill(
            &mut library,
            texts.iter().cloned(),
            &mut || vectors.vector(),
            true,
        );
        println!(
            "{chunks} chunks stored in {:.1} s, without embedding",
            start.elapsed().as_secs_f64()
        );
    }
    let size = std::fs::metadata(&path).map_or(0, |file| file.len());
    println!("{:.0} MB on disk", size as f64 / 1e6);
    let fts5 = fts5(folder, &texts);
    drop(texts);

    let (before, _) = memory();
    let start = Instant::now();
    let library = Library::open_read_only(&path).expect("the library");
    let request = |question: &String, ranking, limit| SearchRequest {
        ranking,
        limit,
        ..SearchRequest::new(question.clone()).with_vector(Some(Seeded::of(question).vector()))
    };
    let search = |question: &String, ranking, limit| {
        library
            .search(&request(question, ranking, limit))
            .expect("hits");
    };
    search(&questions[0], Ranking::Fused, 5);
    println!(
        "opened and first question: {:.0} ms",
        start.elapsed().as_secs_f64() * 1e3
    );
    println!("{} whole questions", questions.len());
    const ROUNDS: usize = 5;
    report(
        "dense, 50",
        &timed(ROUNDS, &questions, |q| search(q, Ranking::Dense, 50)),
    );
    report(
        "lexical, 50",
        &timed(ROUNDS, &questions, |q| search(q, Ranking::Lexical, 50)),
    );
    report(
        "dense + lexical + fusion, 5 of 50",
        &timed(ROUNDS, &questions, |q| search(q, Ranking::Fused, 5)),
    );
    report(
        "dense + lexical + fusion, 50 of 50",
        &timed(ROUNDS, &questions, |q| search(q, Ranking::Fused, 50)),
    );
    let reranked = timed(ROUNDS, &questions, |question| {
        let request = request(question, Ranking::Fused, 5);
        let hits = library.retrieve(&request, Some(&embedder), Reranking::Late);
        assert!(
            hits.expect("hits")
                .iter()
                .all(|hit| hit.scores.rerank.is_some())
        );
    });
    report("the same, 50 reranked by 16 tokens, 5 given", &reranked);
    let read = timed(ROUNDS, &questions, |q| {
        library.read_question(&embedder, q).expect("vectors");
    });
    report("of which making up the question's vectors", &read);
    let (after, most) = memory();
    println!(
        "memory: {:.0} MB more than before it was opened; {most:.0} MB at most, with texts",
        after - before
    );
    let old = timed(1, &questions, |question| fts5(question));
    report("FTS5, the same words, 50", &old);
}

/// Search as it was with an FTS5 table of the same texts in the same order.
fn fts5(folder: &Path, texts: &[String]) -> impl Fn(&str) + use<> {
    let connection = rusqlite::Connection::open(folder.join("fts5.db")).expect("a file");
    connection
        .execute_batch(
            "CREATE VIRTUAL TABLE words USING fts5 (title, heading, text, content = '',
                 tokenize = 'porter unicode61 remove_diacritics 2'); BEGIN",
        )
        .expect("a table");
    for (number, text) in texts.iter().enumerate() {
        connection
            .prepare_cached(
                "INSERT INTO words (rowid, title, heading, text) VALUES (?1, ?2, '', ?3)",
            )
            .and_then(|mut insert| {
                let title = format!("Document {}", number / CHUNKS_OF_A_DOCUMENT);
                insert.execute(rusqlite::params![number as i64 + 1, title, text])
            })
            .expect("a row");
    }
    connection.execute_batch("COMMIT").expect("stored");
    move |question| {
        let terms = query_terms(question);
        let terms: Vec<String> = terms.iter().map(|term| format!("\"{term}\"")).collect();
        let mut statement = connection
            .prepare_cached(
                "SELECT rowid, bm25(words, 1.0, 1.0, 1.0) AS score FROM words
                 WHERE words MATCH ?1 ORDER BY score, rowid LIMIT 50",
            )
            .expect("a query");
        let rows = statement
            .query_map([terms.join(" OR ")], |row| row.get::<_, i64>(0))
            .expect("rows");
        assert!(rows.count() > 0);
    }
}

fn export(texts: &[String], questions: &[String]) {
    let Some(folder) = std::env::var_os("LAHAR_EXPORT").map(PathBuf::from) else {
        return;
    };
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("texts.txt"), texts.join("\n")).expect("texts");
    let terms = questions
        .iter()
        .map(|question| query_terms(question).join(" "));
    let terms: Vec<String> = terms.collect();
    std::fs::write(folder.join("questions.txt"), terms.join("\n")).expect("questions");
}

/// Vectors alone, of two kinds: without any order, and around 500 directions as texts on some
/// subjects lie. The exact nearest are found beside them by comparing all.
fn growth(folder: &Path) {
    let embedder = Seeded::new();
    let settings = Settings::new(ChunkKind::Fixed, Some(&embedder)).expect("settings");
    let most = std::env::var("LAHAR_CHUNKS")
        .ok()
        .and_then(|n| n.parse().ok());
    let most: usize = most.unwrap_or(1_000_000);
    for clustered in [false, true] {
        for rows in [1_000, 10_000, 100_000, 200_000, 500_000, 1_000_000] {
            if rows > most {
                continue;
            }
            let mut random = Random(17);
            let centres: Vec<Vec<f32>> = (0..500).map(|_| random.vector()).collect();
            let mut vector = move || match clustered {
                false => random.vector(),
                true => {
                    let centre = &centres[random.below(centres.len())];
                    let noise = random.vector();
                    centre.iter().zip(noise).map(|(c, n)| c + 0.8 * n).collect()
                }
            };
            let mut seen = vector.clone();
            let path = folder.join(format!("rows-{rows}-{clustered}.db"));
            let mut library = Library::create(&path, &settings).expect("a library");
            let texts = (0..rows).map(|_| "flood stage".to_owned());
            fill(&mut library, texts, &mut vector, false);
            drop(library);

            let mut random = Random(23);
            let queries: Vec<Vec<f32>> = (0..40).map(|_| random.vector()).collect();
            let (before, _) = memory();
            let library = Library::open_read_only(&path).expect("the library");
            let start = Instant::now();
            let find = |query: &Vec<f32>| {
                let request = SearchRequest {
                    ranking: Ranking::Dense,
                    limit: 50,
                    ..SearchRequest::new("").with_vector(Some(query.clone()))
                };
                library.search(&request).expect("hits")
            };
            find(&queries[0]);
            let first = start.elapsed().as_secs_f64() * 1e3;
            let times = timed(3, &queries, |query| drop(find(query)));
            let (after, _) = memory();
            report(
                &format!("{rows} rows{}", if clustered { ", clustered" } else { "" }),
                &times,
            );
            // Chunks are numbered from 1 as they were stored.
            let all: Vec<Vec<f32>> = (0..rows).map(|_| seen()).collect();
            let (mut right, checked) = (0, 5);
            for query in &queries[..checked] {
                let mut scores: Vec<(i64, f32)> = (1..)
                    .zip(&all)
                    .map(|(chunk, vector)| (chunk, lahar_library::cosine(query, vector)))
                    .collect();
                scores.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
                let nearest: Vec<i64> = scores.iter().take(50).map(|(chunk, _)| *chunk).collect();
                let found = find(query);
                right += found
                    .iter()
                    .filter(|hit| nearest.contains(&hit.chunk_id))
                    .count();
            }
            println!(
                "    first question {first:.0} ms, {:.0} MB more memory, recall@50 {:.4}",
                after - before,
                right as f64 / (checked * 50.min(rows)) as f64
            );
            let _ = std::fs::remove_file(&path);
        }
    }
}
