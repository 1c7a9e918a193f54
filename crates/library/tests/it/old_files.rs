//! Libraries of earlier releases stay readable, for ever.
//!
//! `fixtures/format-N.library` were written by `write_the_fixture` below; `fixtures/SOURCE.md` says
//! when. None is ever written again: a later format gets a file of its own.

use std::path::{Path, PathBuf};

use lahar_core::Hazard;
use lahar_documents::{BlockKind, Document};
use lahar_library::store::FORMAT;
use lahar_library::{AddOutcome, ChunkKind, Library, Ranking, SearchRequest, Settings};
use tempfile::TempDir;

use crate::made::{CountingEmbedder, Maker, flood, ingest, quake, raw};

fn fixture(format: i64) -> PathBuf {
    let name = format!("tests/fixtures/format-{format}.library");
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
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
    let mut library = Library::create(fixture(FORMAT), &settings).unwrap();
    for (document, path) in [
        (flood(), "/a/flood.txt"),
        (quake(), "/a/quake.txt"),
        (bulletin(), "/a/bulletin.txt"),
    ] {
        ingest(&mut library, Some(&embedder), &document, path);
    }
}

#[test]
fn libraries_of_every_format_are_read_searched_and_written() {
    for format in 1..=FORMAT {
        is_read_searched_and_written(format);
    }
}

fn is_read_searched_and_written(format: i64) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("old.db");
    std::fs::copy(fixture(format), &path).unwrap();
    let embedder = CountingEmbedder::default();
    {
        let mut library = Library::open_read_only(&path).unwrap();
        assert!(library.check(false).unwrap().problems.is_empty());
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
        for ranking in [Ranking::Dense, Ranking::Lexical] {
            let request = SearchRequest {
                ranking,
                hazard: Some(Hazard::FLOOD),
                ..request.clone()
            };
            let hits = library.search(&request).unwrap();
            assert!(
                hits.iter().all(|hit| hit.file_name == "flood.txt"),
                "{ranking:?}"
            );
        }
        let number: i64 = raw(&library)
            .query_row("PRAGMA user_version", [], |row| row.get(0))
            .unwrap();
        assert_eq!(number, format, "reading changes nothing");
    }
    let mut library = Library::open(&path).unwrap();
    assert!(library.check(false).unwrap().problems.is_empty());
    library.remove(flood().id).unwrap();
    let again = ingest(&mut library, Some(&embedder), &flood(), "/a/flood.txt");
    assert_eq!(again, AddOutcome::Added);
    assert!(library.check(false).unwrap().problems.is_empty());
    let hits = library.search(&SearchRequest::new("first wave")).unwrap();
    assert_eq!(hits[0].file_name, "bulletin.txt");
}
