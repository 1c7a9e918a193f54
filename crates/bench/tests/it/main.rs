//! The public questions, asked of a real library of real documents.
//!
//! Words alone and no PDF files, so that it takes seconds and needs no model: what is tested is
//! that questions, library and measures meet, and that nothing between a file and a hit loses the
//! words of the evidence. How good retrieval is, `lahar bench qa` says.

#![allow(clippy::print_stderr, reason = "a skipped test says so by name")]

mod conditions;
mod episodes;
mod poisoned;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use lahar_answers::{AskError, Asker, Method, Without};
use lahar_bench::citations::{Citation, check_citations};
use lahar_bench::questions::{Answer, Format, Item, QueryForm, read_items};
use lahar_bench::retrieval::{DEPTH, Target};
use lahar_bench::{Comparison, run_labels, run_qa, table};
use lahar_core::DocumentId;
use lahar_documents::ReadOptions;
use lahar_library::{
    ChunkKind, DocumentDetails, Hit, Ingestor, Library, LibraryError, Ranking, SearchRequest,
    Settings,
};

/// The shared data, or `None` with a line on stderr where they are not here.
fn shared(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("LAHAR_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let here = folder.join("qa").is_dir() && folder.join("corpus").is_dir();
    if !here {
        eprintln!("SKIPPED {test}: {} is not here", folder.display());
    }
    here.then_some(folder)
}

fn questions(shared: &Path, formats: &[&str]) -> Vec<Item> {
    let paths: Vec<PathBuf> = formats
        .iter()
        .map(|format| shared.join(format!("qa/public_{format}.jsonl")))
        .collect();
    read_items(&paths).unwrap()
}

/// Ingests every document of the corpus that is no PDF.
fn library(corpus: &Path, folder: &Path, chunker: ChunkKind) -> Library {
    let settings = Settings::new(chunker, None).unwrap();
    let mut library = Library::create(folder.join("test.db"), &settings).unwrap();
    let mut ingestor = Ingestor::new(&mut library, None).unwrap();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(corpus)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            matches!(extension, Some("html" | "txt" | "md"))
        })
        .collect();
    paths.sort();
    for path in paths {
        let document = lahar_documents::read(&path, &ReadOptions::default())
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let details = DocumentDetails {
            path: path.to_string_lossy().into_owned(),
            ingested_at: "2026-01-01".to_owned(),
            ..DocumentDetails::default()
        };
        ingestor.ingest(&document, &details, &mut |_| {}).unwrap();
    }
    library
}

/// Items whose evidence the library holds, and those without evidence.
fn answerable(items: Vec<Item>, library: &Library) -> Vec<Item> {
    let documents = library.documents().unwrap();
    let held = |name: &str| documents.iter().any(|document| document.file_name == name);
    items
        .into_iter()
        .filter(|item| {
            item.key
                .evidence
                .as_ref()
                .is_none_or(|evidence| held(&evidence.document))
        })
        .collect()
}

fn search(library: &Library, text: &str, limit: usize) -> Result<Vec<Hit>, LibraryError> {
    library.search(&SearchRequest {
        ranking: Ranking::Lexical,
        limit,
        candidates: limit,
        ..SearchRequest::new(text)
    })
}

#[test]
fn the_public_sets_are_read_in_their_formats() {
    let Some(shared) = shared("the_public_sets_are_read_in_their_formats") else {
        return;
    };
    let items = questions(&shared, &["tf", "mc", "open"]);
    let count = |format: &str| {
        let of_format = items
            .iter()
            .filter(|item| item.question.format.name() == format);
        of_format.count()
    };
    assert_eq!((count("TF"), count("MC"), count("open")), (30, 20, 30));
    for item in &items {
        let fits = matches!(
            (&item.question.format, &item.key.answer),
            (Format::TrueFalse, Answer::TrueFalse(_))
                | (Format::MultipleChoice(_), Answer::Letter(_))
                | (Format::Open, Answer::Open(_))
        );
        assert!(fits, "{item:?}");
        if let Some(evidence) = &item.key.evidence {
            assert!(shared.join("corpus").join(&evidence.document).is_file());
        }
    }
}

#[test]
fn every_evidence_quote_lies_whole_in_a_chunk() {
    let Some(shared) = shared("every_evidence_quote_lies_whole_in_a_chunk") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let library = library(&shared.join("corpus"), folder.path(), ChunkKind::Fixed);
    let items = answerable(questions(&shared, &["tf", "mc", "open"]), &library);
    let everything = library.chunk_count().unwrap();
    let mut looked_for = 0;
    for item in &items {
        let Some(evidence) = &item.key.evidence else {
            continue;
        };
        // Every chunk that shares a word with the quote.
        let hits = search(&library, &evidence.quote, everything).unwrap();
        let target = Target::new(evidence);
        assert!(
            hits.iter().any(|hit| target.is_in(hit)),
            "{}: no chunk of {} holds `{}`",
            item.question.id,
            evidence.document,
            evidence.quote
        );
        looked_for += 1;
    }
    assert!(looked_for >= 40, "only {looked_for} quotes looked for");
}

#[test]
fn the_public_questions_run_through_the_library() {
    let Some(shared) = shared("the_public_questions_run_through_the_library") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let library = library(&shared.join("corpus"), folder.path(), ChunkKind::Fixed);
    let items = answerable(questions(&shared, &["tf", "mc", "open"]), &library);
    let without = items.iter().filter(|item| item.key.evidence.is_none());
    let without = without.count();

    let mut all_hits = Vec::new();
    let mut calls = 0;
    let report = run_qa(
        "lexical",
        &items,
        |question| {
            let hits = search(&library, &question.query_text(QueryForm::default()), DEPTH)?;
            all_hits.extend(hits.iter().cloned());
            Ok::<_, LibraryError>(hits)
        },
        |_| calls += 1,
    )
    .unwrap();
    let with_options = run_qa(
        "lexical, options too",
        &items,
        |question| {
            search(
                &library,
                &question.query_text(QueryForm::WithOptions),
                DEPTH,
            )
        },
        |_| {},
    )
    .unwrap();
    eprintln!(
        "{}",
        table(&Comparison::new(report.clone(), vec![with_options]))
    );

    assert_eq!(calls, items.len());
    assert_eq!(report.without_evidence, without);
    let figure = |name: &str| report.metrics.get(name).unwrap().value;
    assert_eq!(report.metrics.get("mrr").unwrap().n, items.len() - without);
    assert!(figure("recall@1") <= figure("mrr"));
    assert!(figure("recall@50") >= 0.95, "{}", figure("recall@50"));

    // A chunk in one piece is a citation of itself: its text stands at its span.
    let texts: HashMap<DocumentId, String> = library
        .documents()
        .unwrap()
        .into_iter()
        .map(|document| (document.id, library.text(document.id).unwrap().text))
        .collect();
    let citations = all_hits
        .iter()
        .filter(|hit| hit.chunk.spans.len() == 1)
        .map(|hit| Citation {
            document: &hit.file_name,
            text: &texts[&hit.document],
            range: hit.chunk.spans[0],
            quote: &hit.text,
        });
    let checked = check_citations(citations);
    assert!(checked.checked >= items.len(), "{}", checked.checked);
    assert!(checked.all_hold(), "{:?}", checked.failures.first());
}

/// The development items of claim checking, by words alone over the documents that are no PDF.
/// The floor lies below what was measured when they were written; it guards against a fall.
#[test]
fn the_development_claims_are_labelled() {
    let Some(shared) = shared("the_development_claims_are_labelled") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let library = library(&shared.join("corpus"), folder.path(), ChunkKind::Fixed);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/claims.jsonl");
    let items = read_items(&[path]).unwrap();
    let asker = Asker {
        library: &library,
        embedder: None,
        method: Method::Lahar,
        reranking: lahar_library::Reranking::Late,
        longest_question: 4000,
        without: Without::default(),
        elsewhere: None,
    };
    let graded = run_labels(&items, |question| {
        let labelled = match &question.format {
            Format::TrueFalse => asker.check_claim(&question.text)?,
            Format::MultipleChoice(options) => asker.choose_option(&question.text, options)?,
            Format::Open => return Ok(None),
        };
        // A label comes with the words that decided it.
        assert_eq!(
            labelled.label.is_some(),
            !labelled.answer.statements().is_empty()
        );
        Ok::<_, AskError>(labelled.label.map(|label| label.to_string()))
    })
    .unwrap();
    let share = |part: &str| {
        let of_part: Vec<bool> = graded
            .iter()
            .filter(|(id, _)| id.contains(part))
            .map(|(_, graded)| graded.correct)
            .collect();
        let right = of_part.iter().filter(|right| **right).count();
        eprintln!("{part}: {right} of {}", of_part.len());
        right as f64 / of_part.len() as f64
    };
    let (true_false, multiple_choice) = (share("-tf-"), share("-mc-"));
    assert!(true_false >= 0.75, "{true_false}");
    assert!(multiple_choice >= 0.70, "{multiple_choice}");
}
