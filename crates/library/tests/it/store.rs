//! Adding, replacing, removing, checking, cutting again.

use lahar_core::Hazard;
use lahar_documents::BlockKind;
use lahar_library::{AddOutcome, ChunkKind, DocumentDetails, Ingestor, Library, SearchRequest};
use lahar_models::{Embedder, EmbedderIdentity, ModelError, TextRole, Tokenizer};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::made::{CountingEmbedder, Maker, details, flood, ingest, library, quake, raw};

/// Rows of every table of a library but those that say how it is built.
fn rows(library: &Library) -> Vec<(String, i64)> {
    let connection = raw(library);
    let mut tables: Vec<String> = connection
        .prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
             AND name <> 'meta'",
        )
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    tables.sort();
    let count = |table: &String| {
        connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
            row.get(0)
        })
    };
    tables
        .iter()
        .map(|table| (table.clone(), count(table).unwrap()))
        .collect()
}

#[test]
fn a_document_comes_back_as_it_was_read() {
    let folder = TempDir::new().unwrap();
    let embedder = CountingEmbedder::default();
    let mut library = library(&folder, Some(&embedder));
    let mut document = Maker::new("River flood")
        .heading("Stages")
        .paragraph("The flood stage of the Ōtaki River is 25 feet.")
        .page_break()
        .block(BlockKind::RunningHead, "page 2")
        .block(
            BlockKind::Table(lahar_documents::Table::default()),
            "a b\nc d",
        )
        .page_break()
        .done();
    document
        .warnings
        .push("page 2: glyphs without a map".into());
    document.pages[1].status = lahar_documents::PageStatus::Unreadable {
        reason: "broken".into(),
    };
    let given = DocumentDetails {
        title: Some("Given title".into()),
        publisher: Some("NWS".into()),
        date: Some("2021-11".parse().unwrap()),
        place: Some("Snohomish".into()),
        source: Some("http://x".into()),
        licence: Some("public domain".into()),
        hazards: vec![Hazard::FLOOD, Hazard::STORM],
        ..details("/data/in/flood.txt")
    };
    let mut ingestor = Ingestor::new(&mut library, Some(&embedder)).unwrap();
    let done = ingestor.ingest(&document, &given, &mut |_| {}).unwrap();
    assert_eq!((done.outcome, done.chunks), (AddOutcome::Added, 1));
    assert_eq!(library.read(document.id).unwrap(), document);
    let stored = library.get(document.id).unwrap().unwrap();
    assert_eq!(stored.title, "Given title");
    assert_eq!(stored.file_name, "flood.txt");
    assert_eq!(stored.path, "/data/in/flood.txt");
    assert_eq!(stored.publisher.as_deref(), Some("NWS"));
    assert_eq!(stored.date.unwrap().to_string(), "2021-11");
    assert_eq!(stored.declared, given.hazards);
    assert_eq!(stored.hazards.get(&Hazard::STORM), 1.0);
    assert_eq!(stored.warnings, document.warnings);
    assert_eq!((stored.pages, stored.chunks), (2, 1));
    let text = library.text(document.id).unwrap();
    assert_eq!(
        text.page(1).unwrap(),
        "Stages\n\nThe flood stage of the Ōtaki River is 25 feet."
    );
    assert_eq!(text.pages, document.pages);
    assert_eq!(text.page(3), None);
}

#[test]
fn the_same_content_is_unchanged_and_new_content_at_its_path_replaces_it() {
    let folder = TempDir::new().unwrap();
    let mut library = library(&folder, None);
    assert_eq!(
        ingest(&mut library, None, &flood(), "/a/x.txt"),
        AddOutcome::Added
    );
    let before = rows(&library);
    assert_eq!(
        ingest(&mut library, None, &flood(), "/a/x.txt"),
        AddOutcome::Unchanged
    );
    // A copy under another name is the same document.
    assert_eq!(
        ingest(&mut library, None, &flood(), "/b/copy.txt"),
        AddOutcome::Unchanged
    );
    assert_eq!(rows(&library), before);
    assert_eq!(
        ingest(&mut library, None, &quake(), "/a/x.txt"),
        AddOutcome::Replaced { former: flood().id }
    );
    assert_eq!(library.document_count().unwrap(), 1);
    assert!(
        library
            .search(&SearchRequest::new("Snohomish"))
            .unwrap()
            .is_empty()
    );
    assert_eq!(
        library
            .search(&SearchRequest::new("shaking"))
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn what_people_say_can_be_corrected_and_is_kept_when_nothing_is_said() {
    let folder = TempDir::new().unwrap();
    let mut library = library(&folder, None);
    let named = DocumentDetails {
        title: Some("Named".into()),
        hazards: vec![Hazard::DROUGHT],
        ..details("/a/x.txt")
    };
    let mut ingestor = Ingestor::new(&mut library, None).unwrap();
    ingestor
        .ingest(&flood(), &details("/a/x.txt"), &mut |_| {})
        .unwrap();
    let corrected = ingestor.ingest(&flood(), &named, &mut |_| {}).unwrap();
    assert_eq!(
        corrected.outcome,
        AddOutcome::Replaced { former: flood().id }
    );
    assert!(ingestor.is_unchanged(flood().id, &named).unwrap());
    let again = ingestor
        .ingest(&flood(), &details("/a/x.txt"), &mut |_| {})
        .unwrap();
    assert_eq!(again.outcome, AddOutcome::Unchanged);
    let stored = library.get(flood().id).unwrap().unwrap();
    assert_eq!(stored.title, "Named");
    assert_eq!(stored.hazards.get(&Hazard::DROUGHT), 1.0);
    assert_eq!(
        library.search(&SearchRequest::new("Named")).unwrap().len(),
        1,
        "title words"
    );
}

#[test]
fn removal_leaves_nothing_behind() {
    let folder = TempDir::new().unwrap();
    let embedder = CountingEmbedder::default();
    let mut library = library(&folder, Some(&embedder));
    let empty = rows(&library);
    assert!(empty.iter().all(|(_, count)| *count == 0), "{empty:?}");
    let secret = Maker::new("Secret quillfeather")
        .heading("Quillfeather section")
        .paragraph("The quillfeather gauge failed.")
        .page_break()
        .done();
    ingest(&mut library, Some(&embedder), &secret, "/a/secret.txt");
    ingest(&mut library, Some(&embedder), &flood(), "/a/flood.txt");
    assert!(
        rows(&library)
            .iter()
            .any(|(table, count)| table == "vectors" && *count == 2)
    );
    library.remove(secret.id).unwrap();
    library.remove(flood().id).unwrap();
    assert_eq!(rows(&library), empty);
    assert!(library.remove(flood().id).is_err(), "it is gone already");
    let path = library.path().to_owned();
    drop(library);
    let bytes = std::fs::read(path).unwrap().to_ascii_lowercase();
    let left = bytes.windows(12).any(|window| window == b"quillfeather");
    assert!(!left, "the words are still in the file");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn adding_and_removing_any_document_changes_no_row(
        title in ".{0,30}",
        paragraphs in prop::collection::vec(".{0,200}", 0..6),
    ) {
        let folder = TempDir::new().unwrap();
        let mut library = library(&folder, None);
        ingest(&mut library, None, &quake(), "/a/quake.txt");
        let before = rows(&library);
        let document = paragraphs
            .iter()
            .fold(Maker::new(&title), |maker, text| maker.paragraph(text))
            .done();
        ingest(&mut library, None, &document, "/a/any.txt");
        library.remove(document.id).unwrap();
        prop_assert_eq!(rows(&library), before);
        prop_assert!(library.check(false).unwrap().problems.is_empty());
    }
}

#[test]
fn a_sound_library_has_no_problems_and_damage_is_found_and_mended() {
    let folder = TempDir::new().unwrap();
    let embedder = CountingEmbedder::default();
    let mut library = library(&folder, Some(&embedder));
    ingest(&mut library, Some(&embedder), &flood(), "/a/flood.txt");
    ingest(&mut library, Some(&embedder), &quake(), "/a/quake.txt");
    let report = library.check(false).unwrap();
    assert_eq!(
        (report.documents, report.chunks, report.problems.len()),
        (2, 2, 0)
    );
    for (damage, words) in [
        (
            "UPDATE chunks SET text = 'forged' WHERE id = 1",
            "does not hold the words",
        ),
        ("DELETE FROM postings", "lexical index"),
        (
            "UPDATE postings SET block = x'0100010101' WHERE key =
                 (SELECT number << 32 | 1 FROM terms WHERE term = 'river')",
            "lexical index",
        ),
        ("DELETE FROM chunk_lengths WHERE first = 2", "lexical index"),
        (
            "UPDATE vector_codes SET codes = zeroblob(length(codes)) WHERE first = 1",
            "the codes by which vectors",
        ),
        (
            "PRAGMA foreign_keys = OFF; INSERT INTO chunk_hazards VALUES (99, 'flood', 1.0)",
            "belong to nothing",
        ),
    ] {
        raw(&library).execute_batch(damage).unwrap();
        let found = library.check(false).unwrap();
        assert!(!found.is_sound(), "{damage}");
        let mended = library.check(true).unwrap();
        assert!(mended.is_sound(), "{mended:?}");
        assert!(
            mended.problems.iter().any(|p| p.message.contains(words)),
            "{mended:?}"
        );
        assert!(
            library.check(false).unwrap().problems.is_empty(),
            "{damage}"
        );
    }
    assert_eq!(
        library
            .search(&SearchRequest::new("Snohomish"))
            .unwrap()
            .len(),
        1
    );
    for (damage, words) in [
        (
            "UPDATE documents SET text = 'forged'",
            "not the one that was read",
        ),
        (
            "UPDATE blocks SET \"end\" = 9999 WHERE position = 0",
            "lie outside",
        ),
    ] {
        let copy = folder.path().join("damaged.db");
        raw(&library)
            .execute_batch(&format!("VACUUM INTO '{}'", copy.display()))
            .unwrap();
        rusqlite::Connection::open(&copy)
            .unwrap()
            .execute_batch(damage)
            .unwrap();
        let mut damaged = Library::open(&copy).unwrap();
        let found = damaged.check(false).unwrap();
        assert!(
            found.problems.iter().any(|p| p.message.contains(words)),
            "{found:?}"
        );
        std::fs::remove_file(copy).unwrap();
    }
    raw(&library)
        .execute_batch("DELETE FROM vectors WHERE chunk = 1")
        .unwrap();
    let found = library.check(true).unwrap();
    assert!(
        !found.is_sound() && found.problems[0].message.contains("lahar reindex"),
        "{found:?}"
    );
    let mut silent = |_: &_, _| {};
    library
        .reindex(ChunkKind::Fixed, Some(&embedder), &mut silent)
        .unwrap();
    assert!(library.check(false).unwrap().problems.is_empty());
}

#[test]
fn a_library_is_cut_again_with_another_chunker_and_model() {
    let folder = TempDir::new().unwrap();
    let embedder = CountingEmbedder::default();
    let mut library = library(&folder, None);
    let document = Maker::new("Two")
        .paragraph("First paragraph on floods.")
        .paragraph("Second paragraph on hail.")
        .done();
    ingest(&mut library, None, &document, "/a/two.txt");
    assert_eq!(library.chunk_count().unwrap(), 1);
    let mut seen = Vec::new();
    library
        .reindex(
            ChunkKind::Paragraph,
            Some(&embedder),
            &mut |document, progress| {
                seen.push((document.title.clone(), progress.done, progress.total));
            },
        )
        .unwrap();
    assert_eq!(seen, [("Two".to_owned(), 2, 2)]);
    assert_eq!(library.chunk_count().unwrap(), 2);
    let settings = library.settings().unwrap();
    assert_eq!(settings.chunker, ChunkKind::Paragraph);
    assert_eq!(settings.model.unwrap().identity, *embedder.identity());
    assert_eq!(library.read(document.id).unwrap(), document);
    let vector = library.embed_query(&embedder, "hail").unwrap();
    let hits = library
        .search(&SearchRequest::new("hail").with_vector(Some(vector)))
        .unwrap();
    assert!(hits[0].text.contains("hail") && hits[0].scores.dense.is_some());
    assert!(library.check(false).unwrap().problems.is_empty());
}

/// Makes its probe vector and then fails.
struct Failing(CountingEmbedder);

impl Embedder for Failing {
    fn identity(&self) -> &EmbedderIdentity {
        self.0.identity()
    }

    fn embed(&self, texts: &[&str], role: TextRole) -> Result<Vec<Vec<f32>>, ModelError> {
        if texts.iter().any(|text| text.contains("Snohomish")) {
            return Err(ModelError::Tokenizer {
                model: "failing".into(),
                reason: "as it must".into(),
            });
        }
        self.0.embed(texts, role)
    }

    fn tokenizer(&self) -> &dyn Tokenizer {
        self.0.tokenizer()
    }
}

#[test]
fn a_failure_in_the_middle_leaves_everything_as_it_was() {
    let folder = TempDir::new().unwrap();
    let mut library = library(&folder, None);
    ingest(&mut library, None, &flood(), "/a/flood.txt");
    ingest(&mut library, None, &quake(), "/a/quake.txt");
    let (before, settings) = (rows(&library), library.settings().unwrap());
    let failing = Failing(CountingEmbedder::default());
    let failed = library.reindex(ChunkKind::Paragraph, Some(&failing), &mut |_, _| {});
    assert!(failed.is_err());
    assert_eq!(rows(&library), before);
    assert_eq!(library.settings().unwrap(), settings);
    assert_eq!(
        library
            .search(&SearchRequest::new("Snohomish"))
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn terminal_escapes_do_not_come_back_out() {
    let folder = TempDir::new().unwrap();
    let mut library = library(&folder, None);
    let mut document = Maker::new("Red \u{1b}[31mflag\u{1b}[0m\u{7}")
        .heading("Sec\u{1b}]0;owned\u{7}tion")
        .paragraph("Dry wind.")
        .done();
    document.warnings.push("page \u{1b}[2J1".into());
    ingest(&mut library, None, &document, "/a/\u{1b}[2Jflag.txt");
    // And from a file that somebody else has written.
    let hit = |library: &Library| {
        library
            .search(&SearchRequest::new("wind"))
            .unwrap()
            .remove(0)
    };
    let hit = hit(&library);
    let stored = library.get(document.id).unwrap().unwrap();
    assert_eq!(hit.title, "Red flag");
    assert_eq!(hit.chunk.section, ["Section"]);
    raw(&library)
        .execute_batch("UPDATE documents SET title = 'a' || char(27) || '[31mb'")
        .unwrap();
    let forged = library.get(document.id).unwrap().unwrap();
    assert_eq!(forged.title, "ab");
    for text in [
        &stored.title,
        &stored.file_name,
        &stored.warnings[0],
        &hit.title,
        &hit.file_name,
        &library.text(document.id).unwrap().title,
    ] {
        assert!(!text.chars().any(char::is_control), "{text:?}");
    }
}
