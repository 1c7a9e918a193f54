//! From the paths that people type to the files that are read, each with what is said about it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lahar_library::manifest::{MANIFEST_NAME, Manifest};
use lahar_library::{DocumentDetails, LibraryError};

use crate::failure::{Failure, Kind};

/// A file to read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub path: PathBuf,
    pub details: DocumentDetails,
}

/// What was typed and leads to no file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Missing {
    pub path: PathBuf,
    pub reason: String,
}

/// The files that paths lead to, each once, and what leads nowhere.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub candidates: Vec<Candidate>,
    pub missing: Vec<Missing>,
    /// What manifests say that could not be understood.
    pub warnings: Vec<String>,
    seen: BTreeSet<PathBuf>,
    manifests: BTreeMap<PathBuf, Option<Manifest>>,
}

/// Gathers files: a file as it is, a folder with all below it, a pattern's matches. A manifest
/// that cannot be used stops everything before anything is stored.
pub(super) fn gather(paths: &[PathBuf]) -> Result<Gathered, Failure> {
    let mut gathered = Gathered::default();
    for path in paths {
        if path.is_dir() {
            gathered.folder(path, path)?;
        } else if path.exists() {
            gathered.file(path, None)?;
        } else {
            gathered.pattern(path)?;
        }
    }
    Ok(gathered)
}

impl Gathered {
    fn pattern(&mut self, path: &Path) -> Result<(), Failure> {
        let text = path.to_string_lossy();
        let mut found = false;
        if text.contains(['*', '?', '[']) {
            let matches = glob::glob(&text).map_err(|error| {
                Failure::new(Kind::Usage, format!("the pattern is not valid: {error}")).at(&text)
            })?;
            for path in matches.flatten() {
                found = true;
                if path.is_dir() {
                    self.folder(&path, &path)?;
                } else {
                    self.file(&path, None)?;
                }
            }
        }
        if !found {
            self.missing(path, "there is no such file or folder");
        }
        Ok(())
    }

    /// Reads a folder in the order of its names. Hidden files are left out, and so are links that
    /// lead out of the folder that was named.
    fn folder(&mut self, folder: &Path, root: &Path) -> Result<(), Failure> {
        let entries =
            std::fs::read_dir(folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => {
                self.missing(folder, &format!("the folder cannot be read: {error}"));
                return Ok(());
            }
        };
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            let name = entry.file_name();
            if name.to_string_lossy().starts_with('.') || name == MANIFEST_NAME {
                continue;
            }
            if path.is_symlink() && !leads_inside(&path, root) {
                self.missing(&path, "the link leads out of the folder or nowhere");
            } else if path.is_dir() && !path.is_symlink() {
                self.folder(&path, root)?;
            } else if path.is_file() {
                self.file(&path, Some(root))?;
            }
        }
        Ok(())
    }

    /// Notes a file. What is said about it stands in the manifest of its folder or, for a file
    /// below a folder that was named, in that folder's manifest.
    fn file(&mut self, path: &Path, root: Option<&Path>) -> Result<(), Failure> {
        let Ok(real) = path.canonicalize() else {
            self.missing(path, "the file cannot be reached");
            return Ok(());
        };
        if !self.seen.insert(real.clone()) {
            return Ok(());
        }
        let mut details = DocumentDetails::default();
        for folder in path.parent().into_iter().chain(root) {
            let Ok(relative) = path.strip_prefix(folder) else {
                continue;
            };
            let manifest = self.manifest(folder)?;
            if let Some(entry) = manifest.and_then(|manifest| manifest.entry(relative)) {
                details = entry.details("", "");
                break;
            }
        }
        details.path = real.to_string_lossy().into_owned();
        self.candidates.push(Candidate {
            path: path.to_owned(),
            details,
        });
        Ok(())
    }

    fn manifest(&mut self, folder: &Path) -> Result<Option<&Manifest>, LibraryError> {
        if !self.manifests.contains_key(folder) {
            // The folder of a bare file name is the current one.
            let here = if folder.as_os_str().is_empty() {
                Path::new(".")
            } else {
                folder
            };
            let manifest = Manifest::of_folder(here)?;
            if let Some(manifest) = &manifest {
                let named = |warning| format!("{}: {warning}", manifest.path.display());
                self.warnings.extend(manifest.warnings.iter().map(named));
            }
            self.manifests.insert(folder.to_owned(), manifest);
        }
        Ok(self.manifests.get(folder).and_then(Option::as_ref))
    }

    fn missing(&mut self, path: &Path, reason: &str) {
        self.missing.push(Missing {
            path: path.to_owned(),
            reason: reason.to_owned(),
        });
    }
}

fn leads_inside(link: &Path, root: &Path) -> bool {
    match (link.canonicalize(), root.canonicalize()) {
        (Ok(target), Ok(root)) => target.starts_with(root),
        _ => false,
    }
}
