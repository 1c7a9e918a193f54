//! Files that are no library, libraries that do not fit, and what is said about them.

use lahar_library::{ChunkKind, Ingestor, Library, LibraryError, ModelRecord, Settings};
use lahar_models::{Embedder, EmbedderIdentity, ModelError, TextRole, Tokenizer};
use tempfile::TempDir;

use crate::made::{CountingEmbedder, flood, ingest, library, raw};

#[test]
fn what_is_no_library_is_refused_by_name() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("text.db"), "just some text").unwrap();
    std::fs::write(path("empty.db"), "").unwrap();
    std::fs::write(path("torn.db"), b"SQLite format 3\0and then nonsense").unwrap();
    rusqlite::Connection::open(path("other.db"))
        .unwrap()
        .execute_batch("CREATE TABLE t (x); PRAGMA user_version = 1")
        .unwrap();
    for (name, says) in [
        ("text.db", "no SQLite file"),
        ("empty.db", "it is empty"),
        ("torn.db", "not a Lahar library"),
        ("other.db", "another program"),
        ("", "it is a folder"),
    ] {
        for opened in [
            Library::open(path(name)),
            Library::open_read_only(path(name)),
        ] {
            let error = opened.unwrap_err();
            assert!(
                matches!(error, LibraryError::NotALibrary { .. }),
                "{name}: {error:?}"
            );
            assert!(error.to_string().contains(says), "{name}: {error}");
        }
    }
    let missing = Library::open(path("missing.db")).unwrap_err();
    assert!(matches!(missing, LibraryError::Missing { .. }), "{missing}");
    assert!(!path("missing.db").exists(), "opening makes nothing");
    assert_eq!(std::fs::read(path("text.db")).unwrap(), b"just some text");
}

#[test]
fn a_later_format_is_refused_and_left_alone() {
    let folder = TempDir::new().unwrap();
    let made = library(&folder, None);
    raw(&made)
        .execute_batch("PRAGMA user_version = 99")
        .unwrap();
    let path = made.path().to_owned();
    drop(made);
    for opened in [Library::open(&path), Library::open_read_only(&path)] {
        let error = opened.unwrap_err();
        assert!(
            matches!(error, LibraryError::NewerFormat { found: 99, .. }),
            "{error}"
        );
        assert!(error.to_string().contains("newer Lahar"), "{error}");
    }
}

#[test]
fn nothing_is_made_over_an_existing_file_or_in_a_missing_folder() {
    let folder = TempDir::new().unwrap();
    let settings = Settings::new(ChunkKind::Fixed, None).unwrap();
    let taken = folder.path().join("taken.db");
    std::fs::write(&taken, "mine").unwrap();
    let error = Library::create(&taken, &settings).unwrap_err();
    assert!(matches!(error, LibraryError::Exists { .. }), "{error}");
    assert_eq!(std::fs::read(&taken).unwrap(), b"mine");
    let error = Library::create(folder.path().join("no/such.db"), &settings).unwrap_err();
    assert!(
        error.to_string().contains("folder does not exist"),
        "{error}"
    );
}

#[test]
#[cfg(unix)]
fn a_read_only_file_can_be_read_and_not_written() {
    use std::os::unix::fs::PermissionsExt;

    let folder = TempDir::new().unwrap();
    let mut made = library(&folder, None);
    ingest(&mut made, None, &flood(), "/a/flood.txt");
    let path = made.path().to_owned();
    drop(made);
    let allow = |mode, path: &std::path::Path| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    allow(0o444, &path);
    allow(0o555, folder.path());
    let error = Library::open(&path).unwrap_err();
    assert!(matches!(error, LibraryError::ReadOnly { .. }), "{error}");
    let mut reading = Library::open_read_only(&path).unwrap();
    assert_eq!(reading.document_count().unwrap(), 1);
    let error = reading.remove(flood().id).unwrap_err();
    assert!(error.to_string().contains("opened for reading"), "{error}");
    drop(reading);
    allow(0o755, folder.path());
}

/// Says that it is another model, and gives other vectors.
struct Impostor(CountingEmbedder);

impl Embedder for Impostor {
    fn identity(&self) -> &EmbedderIdentity {
        self.0.identity()
    }

    fn embed(&self, texts: &[&str], role: TextRole) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut vectors = self.0.embed(texts, role)?;
        vectors.iter_mut().for_each(|vector| vector.reverse());
        Ok(vectors)
    }

    fn tokenizer(&self) -> &dyn Tokenizer {
        self.0.tokenizer()
    }
}

#[test]
fn another_model_is_refused_with_the_way_out() {
    let folder = TempDir::new().unwrap();
    let ours = CountingEmbedder::default();
    let mut library = library(&folder, Some(&ours));
    ingest(&mut library, Some(&ours), &flood(), "/a/flood.txt");
    let name = &ours.identity().name;
    let others: [(Box<dyn Embedder>, &str); 4] = [
        (
            Box::new(CountingEmbedder::new("other", "1", 61)),
            "another model",
        ),
        (
            Box::new(CountingEmbedder::new(name, "2", 61)),
            "have changed",
        ),
        (
            Box::new(CountingEmbedder::new(name, "1", 8)),
            "8 numbers in place of 61",
        ),
        (
            Box::new(Impostor(CountingEmbedder::default())),
            "another vector",
        ),
    ];
    let path = library.path().to_owned();
    drop(library);
    for (other, says) in &others {
        let mut library = Library::open(&path).unwrap();
        let refusals = [
            library.embed_query(&**other, "flood").unwrap_err(),
            Ingestor::new(&mut library, Some(&**other)).err().unwrap(),
        ];
        for error in refusals {
            let message = error.to_string();
            assert!(
                matches!(error, LibraryError::OtherModel { .. }),
                "{message}"
            );
            assert!(
                message.contains(says) && message.contains("lahar reindex"),
                "{message}"
            );
        }
    }
    let mut library = Library::open(&path).unwrap();
    library.embed_query(&ours, "flood").unwrap();
    let error = Ingestor::new(&mut library, None).err().unwrap();
    assert!(error.to_string().contains("lahar models pull"), "{error}");
    assert_eq!(
        library.settings().unwrap().model,
        Some(ModelRecord::of(&ours).unwrap())
    );
}

#[test]
fn a_library_without_vectors_refuses_a_model_and_another_chunker() {
    let folder = TempDir::new().unwrap();
    let mut library = library(&folder, None);
    let embedder = CountingEmbedder::default();
    let error = Ingestor::new(&mut library, Some(&embedder)).err().unwrap();
    assert!(error.to_string().contains("lahar reindex"), "{error}");
    library.accept_chunker(ChunkKind::Fixed).unwrap();
    let error = library.accept_chunker(ChunkKind::Paragraph).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("lahar reindex --chunker paragraph"),
        "{error}"
    );
}

#[test]
fn a_torn_record_of_the_model_is_damage_and_no_panic() {
    let folder = TempDir::new().unwrap();
    let embedder = CountingEmbedder::default();
    let made = library(&folder, Some(&embedder));
    let path = made.path().to_owned();
    raw(&made)
        .execute_batch("UPDATE meta SET value = x'0102' WHERE key = 'model_probe'")
        .unwrap();
    drop(made);
    let error = Library::open(&path).unwrap_err();
    assert!(matches!(error, LibraryError::Damaged { .. }), "{error}");
}
