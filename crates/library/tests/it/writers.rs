//! Several processes at one library.

use std::time::Duration;

use lahar_library::{Library, LibraryError, SearchRequest};
use tempfile::TempDir;

use crate::made::{CountingEmbedder, flood, ingest, library, quake, raw};

#[test]
fn readers_go_on_while_somebody_writes() {
    let folder = TempDir::new().unwrap();
    let mut writing = library(&folder, None);
    ingest(&mut writing, None, &flood(), "/a/flood.txt");
    let reading = Library::open_read_only(writing.path()).unwrap();
    let other = raw(&writing);
    other
        .execute_batch("BEGIN IMMEDIATE; DELETE FROM chunks")
        .unwrap();
    assert_eq!(
        reading
            .search(&SearchRequest::new("Snohomish"))
            .unwrap()
            .len(),
        1
    );
    assert_eq!(reading.document_count().unwrap(), 1);
    other.execute_batch("ROLLBACK").unwrap();
}

#[test]
fn a_second_writer_waits_and_then_says_for_whom() {
    let folder = TempDir::new().unwrap();
    let mut first = library(&folder, None);
    ingest(&mut first, None, &flood(), "/a/flood.txt");
    let holding = raw(&first);
    holding.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut second = Library::open(first.path()).unwrap();
    second.set_writer_wait(Duration::from_millis(50)).unwrap();
    let error = second.remove(flood().id).unwrap_err();
    assert!(matches!(error, LibraryError::Locked { .. }), "{error:?}");
    let process = format!("process {}", std::process::id());
    assert!(error.to_string().contains(&process), "{error}");
    holding.execute_batch("COMMIT").unwrap();
    second.remove(flood().id).unwrap();
    assert_eq!(first.document_count().unwrap(), 0);
}

#[test]
fn what_another_connection_adds_is_found_by_meaning_too() {
    let folder = TempDir::new().unwrap();
    let embedder = CountingEmbedder::default();
    let mut writing = library(&folder, Some(&embedder));
    let reading = Library::open_read_only(writing.path()).unwrap();
    let found = |question: &str| {
        let vector = reading.embed_query(&embedder, question).unwrap();
        let request = SearchRequest {
            ranking: lahar_library::Ranking::Dense,
            ..SearchRequest::new(question).with_vector(Some(vector))
        };
        reading.search(&request).unwrap().len()
    };
    assert_eq!(found("flood"), 0);
    ingest(&mut writing, Some(&embedder), &flood(), "/a/flood.txt");
    assert_eq!(found("flood"), 1);
    ingest(&mut writing, Some(&embedder), &quake(), "/a/quake.txt");
    assert_eq!(found("flood"), 2);
    writing.remove(flood().id).unwrap();
    assert_eq!(found("flood"), 1);
}

#[test]
fn many_threads_may_search_one_library() {
    let folder = TempDir::new().unwrap();
    let mut library = library(&folder, None);
    ingest(&mut library, None, &flood(), "/a/flood.txt");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let hits = library.search(&SearchRequest::new("flood stage")).unwrap();
                    assert_eq!(hits.len(), 1);
                }
            });
        }
    });
}
