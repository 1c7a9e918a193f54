//! What can go wrong with a model.

use std::io;
use std::path::{Path, PathBuf};

/// Why a model cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A chat model could not be asked, or its reply not be used.
    #[error(transparent)]
    Chat(#[from] crate::chat::ChatError),
    /// The model could not cut a text into tokens.
    #[error("the tokenizer of {model} failed: {reason}")]
    Tokenizer {
        /// The model's name.
        model: String,
        /// The tokenizer's words.
        reason: String,
    },
    /// There is no place for a store of models.
    #[error(
        "there is no folder for models: HOME is not set; set LAHAR_MODELS to the folder that \
         holds them or shall hold them"
    )]
    NoStore,
    /// The store has no model of that name.
    #[error("model {name} is not installed in {}: {next}", folder.display())]
    NotInstalled {
        /// The model's name.
        name: String,
        /// The model store's folder.
        folder: PathBuf,
        /// The command that installs it, or what to do where none is known.
        next: String,
    },
    /// A name that the store cannot turn into a folder or a source.
    #[error("`{name}` is not a model that can be pulled by name: {reason}")]
    UnknownModel {
        /// The name as it was given.
        name: String,
        /// What is wrong with it, and what to do.
        reason: String,
    },
    /// A file of the model is missing, cut short or contradicts another.
    #[error("{} cannot be used as a model file: {reason}", path.display())]
    Broken {
        /// The file, or the model's folder.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The model is sound but of a kind that is not computed here.
    #[error("the model in {} is not supported: {reason}", folder.display())]
    Unsupported {
        /// The model's folder.
        folder: PathBuf,
        /// What it needs, and what there is.
        reason: String,
    },
    /// A file or folder could not be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried: `read`, `create`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A program that fetches models is not on this machine.
    #[error("`{program}` cannot be started ({source}): {next}")]
    ToolMissing {
        /// The command that was tried.
        program: String,
        /// The system's reason.
        source: io::Error,
        /// How to get it, or how to do without.
        next: String,
    },
    /// A model could not be fetched.
    #[error("cannot fetch {what}: {reason}")]
    Fetch {
        /// The package, address or folder.
        what: String,
        /// The last words of the program that fetched it.
        reason: String,
    },
    /// What was fetched holds something that is never installed.
    #[error("{what} is refused: {reason}")]
    Refused {
        /// The archive or folder, and the entry in it.
        what: String,
        /// The rule that it breaks.
        reason: String,
    },
    /// What was fetched is not what is expected under that name.
    #[error(
        "{what} has SHA-256 {found}, but {expected} is expected: the file is damaged or was \
         replaced; nothing was installed"
    )]
    Checksum {
        /// The file.
        what: String,
        /// The known hash.
        expected: String,
        /// The hash of what came.
        found: String,
    },
}

impl ModelError {
    /// A [`ModelError::Broken`] about one file.
    pub(crate) fn broken(path: &Path, reason: impl Into<String>) -> ModelError {
        ModelError::Broken {
            path: path.to_owned(),
            reason: reason.into(),
        }
    }

    /// A [`ModelError::Unsupported`] about a model's folder.
    pub(crate) fn unsupported(folder: &Path, reason: impl Into<String>) -> ModelError {
        ModelError::Unsupported {
            folder: folder.to_owned(),
            reason: reason.into(),
        }
    }

    /// Wraps an input or output error; for use with `map_err`.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ModelError {
        let path = path.to_owned();
        move |source| ModelError::Io {
            action,
            path,
            source,
        }
    }
}
