//! A record from its folder, every file held to its hash.

use std::path::{Component, Path, PathBuf};

use lahar_core::ContentHash;
use serde_json::Value as Json;

use super::METADATA;

/// Largest metadata document that is read.
const LARGEST_METADATA: u64 = 64 << 20;

/// Why a folder is no record of a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The metadata file is missing or unreadable.
    #[error(
        "{} is no run record: {METADATA} cannot be read ({error}); it is written last, so the run did not end or this is another folder",
        folder.display()
    )]
    NoMetadata {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
    /// The metadata file is not what a run writes.
    #[error("{} is no whole run record: {why}; run the task again", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A file is missing or changed.
    #[error("{}: {why}; the record is not whole, run the task again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}

/// A record that was read and found whole.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRecord {
    /// Its folder.
    pub folder: PathBuf,
    /// The metadata document.
    pub metadata: Json,
    /// Its files with their hashes, in the order of the record.
    pub files: Vec<(String, ContentHash)>,
}

impl StoredRecord {
    /// Reads a record from its folder, or from the metadata file in it.
    pub fn open(path: &Path) -> Result<StoredRecord, RecordError> {
        let folder = match path.file_name() {
            Some(name) if name == METADATA => {
                let parent = path
                    .parent()
                    .filter(|parent| !parent.as_os_str().is_empty());
                parent.unwrap_or(Path::new(".")).to_owned()
            }
            _ => path.to_owned(),
        };
        let metadata = read_metadata(&folder)?;
        let files = files(&folder, &metadata)?;
        for (name, hash) in &files {
            check(&folder, name, hash)?;
        }
        Ok(StoredRecord {
            folder,
            metadata,
            files,
        })
    }

    /// Whether a folder holds a record of a run of this program, whole or not.
    pub fn is_one(folder: &Path) -> bool {
        read_metadata(folder).is_ok_and(|metadata| {
            entity(&metadata, "#run-fields").is_some() && entity(&metadata, "#decide").is_some()
        })
    }

    /// An entity by its id.
    pub fn entity(&self, id: &str) -> Option<&Json> {
        entity(&self.metadata, id)
    }
}

fn entity<'a>(metadata: &'a Json, id: &str) -> Option<&'a Json> {
    let graph = metadata.get("@graph")?.as_array()?;
    graph.iter().find(|entity| entity["@id"] == id)
}

fn read_metadata(folder: &Path) -> Result<Json, RecordError> {
    let path = folder.join(METADATA);
    let missing = |error| RecordError::NoMetadata {
        folder: folder.to_owned(),
        error,
    };
    let size = std::fs::metadata(&path).map_err(missing)?.len();
    let malformed = |why: String| RecordError::Malformed {
        path: path.clone(),
        why,
    };
    if size > LARGEST_METADATA {
        return Err(malformed(format!("it is {size} bytes large")));
    }
    let bytes = std::fs::read(&path).map_err(missing)?;
    serde_json::from_slice(&bytes).map_err(|error| malformed(error.to_string()))
}

fn files(folder: &Path, metadata: &Json) -> Result<Vec<(String, ContentHash)>, RecordError> {
    let malformed = |why: String| RecordError::Malformed {
        path: folder.join(METADATA),
        why,
    };
    let graph = metadata["@graph"]
        .as_array()
        .ok_or_else(|| malformed("it has no entities".to_owned()))?;
    let mut files = Vec::new();
    for entity in graph {
        let Some(hash) = entity["sha256"].as_str() else {
            continue;
        };
        let name = entity["@id"].as_str().unwrap_or_default();
        let inside = Path::new(name)
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if name.is_empty() || !inside {
            return Err(malformed(format!("`{name}` is no file of its folder")));
        }
        let hash = hash
            .parse()
            .map_err(|error: lahar_core::hash::NotAHash| malformed(error.to_string()))?;
        files.push((name.to_owned(), hash));
    }
    match files.is_empty() {
        true => Err(malformed("it names no files".to_owned())),
        false => Ok(files),
    }
}

fn check(folder: &Path, name: &str, hash: &ContentHash) -> Result<(), RecordError> {
    let path = folder.join(name);
    let damaged = |why: String| RecordError::Damaged {
        path: path.clone(),
        why,
    };
    let file = std::fs::File::open(&path).map_err(|error| damaged(error.to_string()))?;
    let found = ContentHash::of_reader(file).map_err(|error| damaged(error.to_string()))?;
    match found == *hash {
        true => Ok(()),
        false => Err(damaged(format!("its hash is {found}, not {hash}"))),
    }
}
