//! Libraries of earlier releases stay readable, for ever.
//!
//! `fixtures/format-1.library` was written by `write_the_fixture` below; `fixtures/SOURCE.md` says
//! when. It is never written again: a later format gets a file of its own.

use std::path::{Path, PathBuf};

use lahar_core::Hazard;
use lahar_documents::{BlockKind, Document};
use lahar_library::{AddOutcome, ChunkKind, Library, SearchRequest, Settings};
use tempfile::TempDir;

use crate::made::{CountingEmbedder, Maker, flood, ingest, quake};

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/format-1.library")
}

fn bulletin() -> Document {
    Maker::new("Tsunami bulletin")
        .block(BlockKind::RunningHead, "Bulletin 1")
        .heading("Ōtaki coast")
        .paragraph("The first wave arrives at 06:40 local time. Move inland.")
        .page_break()
        .paragraph("A tsunami is a series of waves.")
        .page_break()
        .done()
}

#[test]
#[ignore = "writes the fixture; run once for each format"]
fn write_the_fixture() {
    let embedder = CountingEmbedder::default();
    let settings = Settings::new(ChunkKind::Fixed, Some(&embedder)).unwrap();
    let mut library = Library::create(fixture(), &settings).unwrap();
    for (document, path) in [
        (flood(), "/a/flood.txt"),
        (quake(), "/a/quake.txt"),
        (bulletin(), "/a/bulletin.txt"),
    ] {
        ingest(&mut library, Some(&embedder), &document, path);
    }
}

#[test]
fn a_library_of_format_1_is_read_searched_and_written() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("old.db");
    std::fs::copy(fixture(), &path).unwrap();
    let embedder = CountingEmbedder::default();
    {
        let library = Library::open_read_only(&path).unwrap();
        assert_eq!(library.document_count().unwrap(), 3);
        assert_eq!(library.read(bulletin().id).unwrap(), bulletin());
        let stored = library.get(bulletin().id).unwrap().unwrap();
        assert!(stored.hazards.get(&Hazard::TSUNAMI) > 0.5);
        let vector = library.embed_query(&embedder, "first wave").unwrap();
        let request = SearchRequest::new("first wave").with_vector(Some(vector));
        let hits = library.search(&request).unwrap();
        assert_eq!(hits[0].file_name, "bulletin.txt");
        assert_eq!(
            hits[0].chunk.pages.map(|pages| (pages.first, pages.last)),
            Some((1, 2))
        );
    }
    let mut library = Library::open(&path).unwrap();
    assert!(library.check(false).unwrap().problems.is_empty());
    library.remove(flood().id).unwrap();
    let again = ingest(&mut library, Some(&embedder), &flood(), "/a/flood.txt");
    assert_eq!(again, AddOutcome::Added);
}
