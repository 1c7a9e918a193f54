//! Labels and retrieval on the shared corpus of real documents, where it is present.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the figures are what it is for"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::OnceLock;

use lahar_core::{Hazard, TextIndex};
use lahar_documents::{Document, ReadOptions};
use lahar_library::label::{LABELLED, document_hazards};
use lahar_library::{
    ChunkKind, Ingestor, Library, Manifest, ManifestEntry, Ranking, SearchRequest, Settings,
};
use tempfile::TempDir;

pub fn shared() -> PathBuf {
    std::env::var_os("LAHAR_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        PathBuf::from,
    )
}

/// The documents that can be read, once for all tests; none where the corpus is absent.
pub fn documents(test: &str) -> &'static [(ManifestEntry, Document)] {
    static DOCUMENTS: OnceLock<Vec<(ManifestEntry, Document)>> = OnceLock::new();
    let documents = DOCUMENTS.get_or_init(|| {
        let corpus = shared().join("corpus");
        let Ok(Some(manifest)) = Manifest::of_folder(&corpus) else {
            return Vec::new();
        };
        let read = |entry: ManifestEntry| {
            let path = corpus.join(&entry.file);
            let document = lahar_documents::read(&path, &ReadOptions::default()).ok()?;
            Some((entry, document))
        };
        manifest.entries.into_iter().filter_map(read).collect()
    });
    if documents.is_empty() {
        eprintln!(
            "SKIPPED {test}: {} is not here",
            shared().join("corpus").display()
        );
    }
    documents
}

/// Precision and recall of the classifier against the manifest, whose hazard column it does not
/// see. Measured on 73 documents when this was written: precision 0.88, recall 0.89; the floors
/// leave room for readers that cut other text out of a file.
#[test]
fn documents_get_the_labels_of_their_manifest() {
    let documents = documents("documents_get_the_labels_of_their_manifest");
    if documents.is_empty() {
        return;
    }
    let mut counts: BTreeMap<Hazard, [usize; 3]> = BTreeMap::new();
    for (entry, document) in documents {
        let index = TextIndex::new(&document.text);
        let evidence = document.blocks.iter().filter(|block| block.is_evidence());
        let texts: Vec<&str> = evidence
            .filter_map(|block| index.slice(block.range))
            .collect();
        let title = document.title.as_deref().unwrap_or_default();
        let found: BTreeSet<Hazard> = document_hazards(title, &texts.join("\n"))
            .iter()
            .filter(|(_, weight)| *weight >= LABELLED)
            .map(|(hazard, _)| hazard.clone())
            .collect();
        let declared: BTreeSet<Hazard> = entry.hazards().iter().cloned().collect();
        for hazard in found.union(&declared) {
            let outcome = match (found.contains(hazard), declared.contains(hazard)) {
                (true, true) => 0,
                (true, false) => 1,
                _ => 2,
            };
            counts.entry(hazard.clone()).or_default()[outcome] += 1;
        }
    }
    let mut all = [0; 3];
    for (hazard, count) in &counts {
        println!(
            "{hazard}: precision {:.2} recall {:.2} (found {}, wrong {}, missed {})",
            precision(count),
            recall(count),
            count[0],
            count[1],
            count[2]
        );
        (0..3).for_each(|outcome| all[outcome] += count[outcome]);
    }
    println!(
        "all, {} documents: precision {:.3} recall {:.3}",
        documents.len(),
        precision(&all),
        recall(&all)
    );
    assert!(
        documents.len() >= 70,
        "{} documents were read",
        documents.len()
    );
    assert!(precision(&all) >= 0.80 && recall(&all) >= 0.82, "{all:?}");
}

fn precision([right, wrong, _]: &[usize; 3]) -> f64 {
    *right as f64 / (right + wrong).max(1) as f64
}

fn recall([right, _, missed]: &[usize; 3]) -> f64 {
    *right as f64 / (right + missed).max(1) as f64
}

/// Evidence for the public questions, found by words alone; the rankings that need a model are
/// measured by `lahar bench qa`. A hit is a chunk of the named document with the whole quote in it.
#[test]
fn words_alone_find_the_evidence_of_the_public_questions() {
    let documents = documents("words_alone_find_the_evidence_of_the_public_questions");
    if documents.is_empty() {
        return;
    }
    for chunker in [ChunkKind::Fixed, ChunkKind::Paragraph] {
        let folder = TempDir::new().unwrap();
        let settings = Settings::new(chunker, None).unwrap();
        let mut library = Library::create(folder.path().join("corpus.db"), &settings).unwrap();
        let mut ingestor = Ingestor::new(&mut library, None).unwrap();
        for (entry, document) in documents {
            let details = entry.details(entry.file.display().to_string(), "2025-01-01");
            ingestor.ingest(document, &details, &mut |_| {}).unwrap();
        }
        assert!(library.check(false).unwrap().problems.is_empty());
        let ranks = ranks(&library);
        let within = |k: usize| {
            let found = ranks
                .iter()
                .filter(|rank| rank.is_some_and(|rank| rank < k));
            found.count() as f64 / ranks.len() as f64
        };
        println!(
            "{} chunks of kind {}, {} questions: recall@50 {:.2} @5 {:.2} @1 {:.2}",
            library.chunk_count().unwrap(),
            chunker.name(),
            ranks.len(),
            within(50),
            within(5),
            within(1)
        );
        assert!(within(50) >= 0.96 && within(5) >= 0.90, "{ranks:?}");
    }
}

/// Where the evidence of each question stands among the first 50.
fn ranks(library: &Library) -> Vec<Option<usize>> {
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let mut ranks = Vec::new();
    for file in ["public_tf.jsonl", "public_mc.jsonl"] {
        let lines = std::fs::read_to_string(shared().join("qa").join(file)).unwrap_or_default();
        for line in lines.lines() {
            let item: serde_json::Value = serde_json::from_str(line).unwrap();
            let field = |name: &str| item[name].as_str().unwrap_or_default();
            let request = SearchRequest {
                ranking: Ranking::Lexical,
                limit: 50,
                ..SearchRequest::new(field("question"))
            };
            let evidence = letters(field("evidence"));
            let hits = library.search(&request).unwrap();
            ranks.push(hits.iter().position(|hit| {
                hit.file_name == field("document") && letters(&hit.text).contains(&evidence)
            }));
        }
    }
    ranks
}
