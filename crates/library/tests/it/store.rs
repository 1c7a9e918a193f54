//! Adding, replacing, removing, opening.

use lahar_library::{
    AddOutcome, ChunkKind, Ingestor, Library, LibraryError, Ranking, SearchRequest, Settings,
};
use lahar_models::Embedder;
use tempfile::TempDir;

use crate::made::{CountingEmbedder, Maker, details};

fn flood() -> lahar_documents::Document {
    Maker::new("River flood")
        .heading("Stages")
        .paragraph("The flood stage of the Snohomish River is 25 feet.")
        .done()
}

fn quake() -> lahar_documents::Document {
    Maker::new("Earthquake drill")
        .heading("Shaking")
        .paragraph("Drop, cover and hold on until the shaking stops.")
        .done()
}

fn library(folder: &TempDir, embedder: Option<&dyn Embedder>) -> Library {
    let settings = Settings::new(ChunkKind::Fixed, embedder).unwrap();
    Library::create(folder.path().join("test.db"), &settings).unwrap()
}

fn ingest(
    library: &mut Library,
    embedder: Option<&dyn Embedder>,
    document: &lahar_documents::Document,
    path: &str,
) -> AddOutcome {
    let mut ingestor = Ingestor::new(library, embedder).unwrap();
    let done = ingestor.ingest(document, &details(path), &mut |_| {});
    done.unwrap().outcome
}

#[test]
fn a_document_comes_back_as_it_was_read() {
    let folder = TempDir::new().unwrap();
    let embedder = CountingEmbedder::default();
    let mut library = library(&folder, Some(&embedder));
    let document = flood();
    let outcome = ingest(&mut library, Some(&embedder), &document, "/a/flood.txt");
    assert_eq!(outcome, AddOutcome::Added);
    assert_eq!(library.read(document.id).unwrap(), document);
    let hits = library
        .search(
            &SearchRequest::new("flood stage")
                .with_vector(Some(library.embed_query(&embedder, "flood stage").unwrap())),
        )
        .unwrap();
    assert_eq!(hits.len(), 1);
    assert_eq!(hits[0].title, "River flood");
    assert!(hits[0].scores.dense.is_some() && hits[0].scores.lexical.is_some());
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
    assert_eq!(hits.len(), 1);
    assert_eq!(hits[0].file_name, "flood.txt");
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
