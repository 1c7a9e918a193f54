//! Hazard labels: how they come about, and how often they are right.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use lahar_core::{Hazard, TextIndex};
use lahar_documents::ReadOptions;
use lahar_library::label::{LABELLED, document_hazards, text_hazards};
use lahar_library::{DocumentDetails, Ingestor, Manifest, SearchRequest};
use tempfile::TempDir;

use crate::made::{Maker, details, flood, ingest, library};

#[test]
fn declared_hazards_go_before_found_ones() {
    let folder = TempDir::new().unwrap();
    let mut library = library(&folder, None);
    ingest(&mut library, None, &flood(), "/found.txt");
    let found = library.get(flood().id).unwrap().unwrap().hazards;
    assert_eq!(found.get(&Hazard::FLOOD), 1.0);
    let declared = DocumentDetails {
        hazards: vec![Hazard::DROUGHT],
        ..details("/declared.txt")
    };
    let document = Maker::new("River flood two")
        .paragraph("A flood and a flood.")
        .done();
    let mut ingestor = Ingestor::new(&mut library, None).unwrap();
    ingestor.ingest(&document, &declared, &mut |_| {}).unwrap();
    let stored = library.get(document.id).unwrap().unwrap();
    assert_eq!(stored.hazards.get(&Hazard::FLOOD), 0.0);
    // Its chunk belongs to both: to the one by its document, to the other by its words.
    for hazard in [Hazard::DROUGHT, Hazard::FLOOD] {
        let request = SearchRequest {
            hazard: Some(hazard.clone()),
            document: Some(document.id),
            ..SearchRequest::new("flood")
        };
        assert_eq!(library.search(&request).unwrap().len(), 1, "{hazard}");
    }
}

#[test]
fn a_passage_on_two_hazards_is_about_both_and_one_on_none_about_none() {
    let both = text_hazards(
        "The earthquake shook the coast, and the tsunami it raised reached the harbor. \
         Aftershocks and further tsunami waves followed.",
    );
    assert!(both.get(&Hazard::EARTHQUAKE) > 0.5 && both.get(&Hazard::TSUNAMI) > 0.5);
    let none = text_hazards(
        "The committee received a flood of calls and won by a landslide victory after a perfect \
         storm of errors; the minutes were approved.",
    );
    assert!(none.is_empty(), "{none:?}");
}

/// Precision and recall of the classifier against the manifest of the shared corpus, whose hazard
/// column it does not see. Measured on 73 documents when this was written: precision 0.88, recall
/// 0.89; the floors leave room for readers that cut other text out of a file.
#[test]
#[allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the figures are what it is for"
)]
fn documents_of_the_shared_corpus_get_the_labels_of_their_manifest() {
    let shared = std::env::var_os("LAHAR_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        PathBuf::from,
    );
    let corpus = shared.join("corpus");
    if !corpus.join("manifest.csv").is_file() {
        eprintln!(
            "SKIPPED documents_of_the_shared_corpus_get_the_labels_of_their_manifest: {} is not here",
            corpus.display()
        );
        return;
    }
    let manifest = Manifest::of_folder(&corpus).unwrap().unwrap();
    let mut counts: BTreeMap<Hazard, [usize; 3]> = BTreeMap::new();
    let mut documents = 0;
    for entry in &manifest.entries {
        let Ok(document) =
            lahar_documents::read(&corpus.join(&entry.file), &ReadOptions::default())
        else {
            continue;
        };
        documents += 1;
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
        "all, {documents} documents: precision {:.3} recall {:.3}",
        precision(&all),
        recall(&all)
    );
    assert!(documents >= 70, "{documents} documents were read");
    assert!(precision(&all) >= 0.80 && recall(&all) >= 0.82, "{all:?}");
}

fn precision([right, wrong, _]: &[usize; 3]) -> f64 {
    *right as f64 / (right + wrong).max(1) as f64
}

fn recall([right, _, missed]: &[usize; 3]) -> f64 {
    *right as f64 / (right + missed).max(1) as f64
}
