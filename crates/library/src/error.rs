//! What can go wrong with a library.

use std::path::{Path, PathBuf};

use lahar_models::ModelError;

/// Why a library cannot do what was asked of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LibraryError {
    /// There is no file of that name.
    #[error("there is no library at {}: `lahar ingest` makes one", path.display())]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// A new library was to be made where something lies already.
    #[error("{} exists already: open it, or name another file", path.display())]
    Exists {
        /// What lies there.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{} is not a Lahar library: {reason}", path.display())]
    NotALibrary {
        /// The file.
        path: PathBuf,
        /// What it is instead, as far as one can see.
        reason: String,
    },
    /// The file was written by a later Lahar.
    #[error(
        "{} has library format {found}, and this Lahar reads up to format {known}: install a newer Lahar, or ingest the documents into a new library",
        path.display()
    )]
    NewerFormat {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The latest format this program reads.
        known: i64,
    },
    /// The file or its folder may not be written.
    #[error("{} cannot be written: {reason}", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The disk is full.
    #[error("no space left while writing {}: nothing of the last document was kept; make room and try again", path.display())]
    DiskFull {
        /// The file.
        path: PathBuf,
    },
    /// Another process writes, and did not finish within the time allowed.
    #[error("{} is being written by {holder}; waited {waited_seconds} s: try again when it has finished", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
        /// Who writes, as far as it is known.
        holder: String,
        /// How long we waited.
        waited_seconds: u64,
    },
    /// The file is a library, and what stands in it does not hold together.
    #[error("{} is damaged: {reason}; `lahar check --repair` mends what can be mended", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
    /// The vectors in the library were made by another model than the one at hand.
    #[error("{} was built with {built_with}, and {offered} is in use ({difference}): configure that model again, or run `lahar reindex`", path.display())]
    OtherModel {
        /// The file.
        path: PathBuf,
        /// The model that made the stored vectors.
        built_with: String,
        /// The model at hand.
        offered: String,
        /// How the two differ.
        difference: String,
    },
    /// The library holds vectors and no model is at hand to make more.
    #[error("{} was built with {built_with}, which is not installed: `lahar models pull` fetches it, and `lahar reindex` rebuilds the library without it", path.display())]
    ModelNeeded {
        /// The file.
        path: PathBuf,
        /// The model that made the stored vectors.
        built_with: String,
    },
    /// The library was cut by another chunker than the one asked for.
    #[error("{} is cut into {built_with} chunks, and {asked} ones were asked for: `lahar reindex --chunker {asked}` cuts it again", path.display())]
    OtherChunker {
        /// The file.
        path: PathBuf,
        /// How it is cut.
        built_with: &'static str,
        /// What was asked for.
        asked: &'static str,
    },
    /// A ranking by vectors was asked for, without a vector of the question or of the chunks.
    #[error("{} cannot be searched by meaning: {reason}", path.display())]
    NoVectors {
        /// The file.
        path: PathBuf,
        /// What is missing.
        reason: String,
    },
    /// A vector does not have the library's dimension.
    #[error("a vector of {found} numbers was given, and the library's have {expected}")]
    VectorLength {
        /// The library's dimension.
        expected: usize,
        /// What was given.
        found: usize,
    },
    /// No document answers to a name.
    #[error("no document is called `{reference}`: `lahar documents` lists ids, files and titles")]
    UnknownDocument {
        /// What was asked for.
        reference: String,
    },
    /// Several documents answer to a name.
    #[error("`{reference}` may mean {}: give more of the id, the file name or the title", candidates.join(", "))]
    AmbiguousDocument {
        /// What was asked for.
        reference: String,
        /// Short id and title of each document it may mean.
        candidates: Vec<String>,
    },
    /// A manifest cannot be used.
    #[error("{}{}: {reason}", path.display(), line.map_or(String::new(), |line| format!(", line {line}")))]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// The line at fault, where one is.
        line: Option<u64>,
        /// What is wrong and what to do.
        reason: String,
    },
    /// The model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// SQLite failed in a way that has no better name here.
    #[error("{}: {source}", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// SQLite's words.
        source: rusqlite::Error,
    },
}

/// Names the file in an error of SQLite, and gives the error the name by which a caller acts.
pub(crate) trait At<T> {
    fn at(self, path: &Path) -> Result<T, LibraryError>;
}

impl<T> At<T> for rusqlite::Result<T> {
    fn at(self, path: &Path) -> Result<T, LibraryError> {
        self.map_err(|error| named(error, path))
    }
}

fn named(error: rusqlite::Error, path: &Path) -> LibraryError {
    use rusqlite::ErrorCode;

    let path = path.to_owned();
    if let rusqlite::Error::FromSqlConversionFailure(_, _, reason) = &error {
        return LibraryError::Damaged {
            path,
            reason: reason.to_string(),
        };
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => LibraryError::NotALibrary {
            path,
            reason: "it is no SQLite file".into(),
        },
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => LibraryError::Locked {
            path,
            holder: "another process".into(),
            waited_seconds: 0,
        },
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => LibraryError::ReadOnly {
            path,
            reason: "the file or its folder is read-only".into(),
        },
        Some(ErrorCode::DiskFull) => LibraryError::DiskFull { path },
        Some(ErrorCode::DatabaseCorrupt) => LibraryError::Damaged {
            path,
            reason: error.to_string(),
        },
        _ => LibraryError::Sqlite {
            path,
            source: error,
        },
    }
}
