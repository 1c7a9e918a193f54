//! Files and folders that appear whole or not at all.

use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes a file beside its place and then puts it there, so that what was there before stays
/// until the new bytes are on the disk.
pub fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned());
    let name = name.ok_or_else(|| std::io::Error::other("a file needs a name"))?;
    let beside = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let written = std::fs::File::create(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.flush()
    });
    let placed = written.and_then(|()| std::fs::rename(&beside, path));
    if placed.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    placed
}

/// A folder that is filled beside its place and then put there. Dropped before that, it is gone.
#[derive(Debug)]
pub struct StagedFolder {
    staged: PathBuf,
    place: PathBuf,
    placed: bool,
}

/// Why a folder cannot be filled or put in its place.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StagingError {
    /// Something is there already.
    #[error("{} exists; name another folder, or give --force to replace it", .0.display())]
    Exists(PathBuf),
    /// Something is there that no run wrote, and that is never replaced.
    #[error("{} is no run of lahar and is not replaced; name another folder", .0.display())]
    NotARun(PathBuf),
    /// The system refuses.
    #[error("{}: {error}{}", path.display(), hint(error))]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
}

fn hint(error: &std::io::Error) -> &'static str {
    match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => {
            "; free some space and run it again: nothing of this run was kept"
        }
        _ => "",
    }
}

impl StagedFolder {
    /// Begins a folder. What is at its place already is only replaced with `force`, and only where
    /// `is_replaceable` says that it is a run or it is empty.
    pub fn begin(
        place: &Path,
        force: bool,
        is_replaceable: impl FnOnce(&Path) -> bool,
    ) -> Result<StagedFolder, StagingError> {
        if place.symlink_metadata().is_ok() {
            if !force {
                return Err(StagingError::Exists(place.to_owned()));
            }
            let empty = std::fs::read_dir(place).is_ok_and(|mut entries| entries.next().is_none());
            if !empty && !is_replaceable(place) {
                return Err(StagingError::NotARun(place.to_owned()));
            }
        }
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |error| StagingError::File { path, error }
        };
        let name = place
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let name = name.ok_or_else(|| StagingError::NotARun(place.to_owned()))?;
        let parent = match place.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        std::fs::create_dir_all(&parent).map_err(failed(&parent))?;
        let staged = parent.join(format!(".{name}.{}.part", std::process::id()));
        // One that a process of the same number left behind.
        let _ = std::fs::remove_dir_all(&staged);
        std::fs::create_dir(&staged).map_err(failed(&staged))?;
        Ok(StagedFolder {
            staged,
            place: place.to_owned(),
            placed: false,
        })
    }

    /// Where it is filled.
    pub fn path(&self) -> &Path {
        &self.staged
    }

    /// Writes one of its files; folders on the way are made.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), StagingError> {
        let path = self.staged.join(name);
        let failed = |error| StagingError::File {
            path: self.place.join(name),
            error,
        };
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(failed)?;
        }
        write_whole(&path, bytes).map_err(failed)
    }

    /// Puts the folder in its place. What was there before goes only when the new one is there.
    pub fn place(mut self) -> Result<PathBuf, StagingError> {
        let failed = |error| StagingError::File {
            path: self.place.clone(),
            error,
        };
        let before = self.staged.with_extension("before");
        let replaced = self.place.symlink_metadata().is_ok();
        if replaced {
            let _ = std::fs::remove_dir_all(&before);
            std::fs::rename(&self.place, &before).map_err(failed)?;
        }
        if let Err(error) = std::fs::rename(&self.staged, &self.place) {
            if replaced {
                let _ = std::fs::rename(&before, &self.place);
            }
            return Err(failed(error));
        }
        self.placed = true;
        if replaced {
            let _ = std::fs::remove_dir_all(&before);
        }
        Ok(self.place.clone())
    }
}

impl Drop for StagedFolder {
    fn drop(&mut self) {
        if !self.placed {
            let _ = std::fs::remove_dir_all(&self.staged);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_that_is_given_up_leaves_nothing() {
        let desk = tempfile::tempdir().unwrap();
        let place = desk.path().join("run");
        let staged = StagedFolder::begin(&place, false, |_| false).unwrap();
        staged.write("artifacts/a.tif", b"x").unwrap();
        drop(staged);
        assert!(names(desk.path()).is_empty(), "{:?}", names(desk.path()));
    }

    #[test]
    fn what_is_there_is_replaced_only_by_force_and_only_where_it_is_a_run() {
        let desk = tempfile::tempdir().unwrap();
        let place = desk.path().join("run");
        std::fs::create_dir(&place).unwrap();
        std::fs::write(place.join("old"), b"old").unwrap();
        let refused = StagedFolder::begin(&place, false, |_| true).unwrap_err();
        assert!(refused.to_string().contains("--force"), "{refused}");
        let foreign = StagedFolder::begin(&place, true, |_| false).unwrap_err();
        assert!(foreign.to_string().contains("no run of lahar"), "{foreign}");
        let staged = StagedFolder::begin(&place, true, |_| true).unwrap();
        staged.write("new", b"new").unwrap();
        assert_eq!(names(&place), ["old"]);
        staged.place().unwrap();
        assert_eq!(names(&place), ["new"]);
        assert_eq!(names(desk.path()), ["run"]);
    }

    #[test]
    fn a_full_disk_is_named_with_the_next_step() {
        let error = std::io::Error::from(std::io::ErrorKind::StorageFull);
        let path = PathBuf::from("runs/a.tif");
        let message = StagingError::File { path, error }.to_string();
        assert!(message.contains("runs/a.tif"), "{message}");
        assert!(message.contains("free some space"), "{message}");
    }
}
