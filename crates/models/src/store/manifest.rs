//! `lahar-model.json`: what was installed, and from where.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use lahar_core::ContentHash;
use serde::{Deserialize, Serialize};

use super::source::ModelSource;
use crate::bert::EmbedderConfig;
use crate::bert::config::{is_classifier, read_json};
use crate::error::ModelError;

/// Name of the manifest in a model's folder.
pub(crate) const MANIFEST: &str = "lahar-model.json";

/// One file of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHash {
    /// Path within the model's folder, parts divided by `/`.
    pub path: String,
    /// Its length.
    pub bytes: u64,
    /// SHA-256 in hexadecimal digits.
    pub sha256: String,
}

/// What a model is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ModelKind {
    /// Text to a vector.
    #[default]
    Embedder,
    /// A question and a passage to a score.
    Reranker,
}

impl ModelKind {
    /// `embedder` or `reranker`.
    pub fn name(self) -> &'static str {
        match self {
            ModelKind::Embedder => "embedder",
            ModelKind::Reranker => "reranker",
        }
    }

    /// What the model in a folder is for, by its `config.json`.
    pub(crate) fn of(folder: &Path) -> Result<ModelKind, ModelError> {
        Ok(match is_classifier(folder)? {
            true => ModelKind::Reranker,
            false => ModelKind::Embedder,
        })
    }
}

/// An installed model, as its manifest describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstalledModel {
    /// Its name, and the name of its folder.
    pub name: String,
    /// What it is for. Manifests without it are those of embedders.
    #[serde(default)]
    pub kind: ModelKind,
    /// Where it came from.
    pub source: ModelSource,
    /// Its licence, where known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub licence: Option<String>,
    /// Settings that go before those of its own files.
    #[serde(default)]
    pub config: EmbedderConfig,
    /// Its files.
    pub files: Vec<FileHash>,
}

impl InstalledModel {
    /// Bytes of all files together.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    /// Reads the manifest in a model's folder; `None` where there is none.
    pub(crate) fn read(folder: &Path) -> Result<Option<InstalledModel>, ModelError> {
        let path = folder.join(MANIFEST);
        let model: Option<InstalledModel> = read_json(&path)?;
        let is_inside = |path: &str| {
            let mut parts = Path::new(path).components();
            !path.is_empty() && parts.all(|part| matches!(part, std::path::Component::Normal(_)))
        };
        if let Some(file) = model
            .iter()
            .flat_map(|m| &m.files)
            .find(|f| !is_inside(&f.path))
        {
            let reason = format!(
                "it lists {:?}, which is not within the model's folder",
                file.path
            );
            return Err(ModelError::broken(&path, reason));
        }
        Ok(model)
    }

    /// Writes the manifest into a model's folder.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), ModelError> {
        let path = folder.join(MANIFEST);
        let mut text = serde_json::to_vec_pretty(self)
            .map_err(|error| ModelError::broken(&path, error.to_string()))?;
        text.push(b'\n');
        let mut file = File::create(&path).map_err(ModelError::io("create", &path))?;
        file.write_all(&text)
            .and_then(|()| file.sync_all())
            .map_err(ModelError::io("write", &path))
    }
}

/// Length and SHA-256 of a file.
pub(crate) fn hash_file(path: &Path) -> Result<(u64, String), ModelError> {
    let read = || -> std::io::Result<(u64, String)> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok((length, ContentHash::of_reader(file)?.to_string()))
    };
    read().map_err(ModelError::io("read", path))
}

/// All files below a folder, in order of their paths; links to folders are not followed.
pub(crate) fn files_below(folder: &Path, depth: usize) -> Result<Vec<PathBuf>, ModelError> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| entry.map(|e| e.path())).collect())
        .map_err(ModelError::io("read", folder))?;
    entries.sort();
    for path in entries {
        let hidden = path
            .file_name()
            .is_none_or(|name| name.to_string_lossy().starts_with('.'));
        if hidden {
            continue;
        }
        let kind = fs::symlink_metadata(&path).map_err(ModelError::io("read", &path))?;
        if kind.is_dir() {
            if depth > 0 {
                found.extend(files_below(&path, depth - 1)?);
            }
        } else if fs::metadata(&path).is_ok_and(|target| target.is_file()) {
            found.push(path);
        }
    }
    Ok(found)
}
