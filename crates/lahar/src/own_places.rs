//! Places that a user has added: tables in a folder, merged over the embedded gazetteer.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use lahar_places::{Gazetteer, ImportSummary, PlacesError};

use crate::failure::{Failure, Kind};

/// The folder of the tables that a user has imported.
#[derive(Debug, Clone)]
pub struct OwnPlaces {
    folder: PathBuf,
}

/// A table that was imported.
#[derive(Debug, Clone)]
pub struct Imported {
    /// What it added to the gazetteer in use.
    pub summary: ImportSummary,
    /// Where it is kept.
    pub kept: PathBuf,
    /// Whether it takes the place of an earlier table of its name.
    pub replaced: bool,
}

impl OwnPlaces {
    /// The user's folder: `$LAHAR_PLACES`, else `lahar/places` under `$XDG_DATA_HOME`, else under
    /// `~/.local/share`. Nothing is created; none where the machine names no such folder.
    pub fn of_user() -> Option<OwnPlaces> {
        let set = |name| {
            std::env::var_os(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        let data = || {
            let absolute = set("XDG_DATA_HOME").filter(|path| path.is_absolute());
            absolute.or_else(|| Some(set("HOME")?.join(".local/share")))
        };
        let folder = set("LAHAR_PLACES").or_else(|| Some(data()?.join("lahar/places")))?;
        Some(OwnPlaces { folder })
    }

    /// A folder that need not exist yet.
    pub fn at(folder: impl Into<PathBuf>) -> OwnPlaces {
        OwnPlaces {
            folder: folder.into(),
        }
    }

    /// The tables, in the order in which they were imported.
    pub fn tables(&self) -> Result<Vec<PathBuf>, Failure> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed("read", &self.folder, &error)),
        };
        let mut tables: Vec<PathBuf> = entries
            .filter_map(Result::ok)
            .map(|entry| entry.path())
            .filter(|path| number(path).is_some())
            .collect();
        tables.sort_by_key(|path| (number(path), path.clone()));
        Ok(tables)
    }

    /// The embedded gazetteer with these tables, but for one. None where there are none.
    fn merged(&self, except: Option<&Path>) -> Result<Option<Gazetteer>, Failure> {
        let mut merged: Option<Gazetteer> = None;
        for path in self.tables()? {
            if Some(path.as_path()) == except {
                continue;
            }
            let text = fs::read_to_string(&path).map_err(|error| failed("read", &path, &error))?;
            let base = merged.as_ref().unwrap_or_else(|| Gazetteer::embedded());
            let (added, _) = base.with_import(&text).map_err(|error| {
                refused(error)
                    .at(path.display())
                    .hint("take the table out of the folder, or import it again mended")
            })?;
            merged = Some(added);
        }
        Ok(merged)
    }

    /// Makes the embedded gazetteer with these tables the one in use.
    pub fn put_to_use(&self) -> Result<(), Failure> {
        if let Some(merged) = self.merged(None)? {
            merged.put_to_use();
        }
        Ok(())
    }

    /// Checks a table against everything that is known, and keeps it. A table of the same name
    /// is replaced. Where anything fails, the folder stays as it was.
    pub fn import(&self, file: &Path) -> Result<Imported, Failure> {
        let bytes = fs::read(file).map_err(|error| failed("read", file, &error))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
            let message = format!("line {line} is not UTF-8; nothing was imported");
            Failure::new(Kind::File, message).at(file.display())
        })?;
        let name = file_name(file);
        let tables = self.tables()?;
        let old = tables.iter().find(|path| {
            file_name(path)
                .split_once('-')
                .is_some_and(|(_, kept)| kept == name)
        });
        let base = self.merged(old.map(PathBuf::as_path))?;
        let base = base.as_ref().unwrap_or_else(|| Gazetteer::embedded());
        let (_, summary) = base
            .with_import(&text)
            .map_err(|error| refused(error).at(file.display()))?;
        let kept = match old {
            Some(path) => path.clone(),
            None => {
                let next = tables.last().and_then(|path| number(path)).unwrap_or(0) + 1;
                self.folder.join(format!("{next:04}-{name}"))
            }
        };
        self.write(&kept, text.as_bytes())?;
        // Later tables may lean on what an older edition of this one held.
        if old.is_some()
            && let Err(failure) = self.merged(None)
        {
            let message = format!(
                "{}; it was replaced all the same, and a later table leans on what it held before",
                failure.message
            );
            return Err(Failure { message, ..failure });
        }
        Ok(Imported {
            summary,
            kept,
            replaced: old.is_some(),
        })
    }

    /// Writes a file under another name beside its place, and renames it into its place.
    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let part = self.folder.join(format!(".part-{}", std::process::id()));
        let written = (|| {
            fs::create_dir_all(&self.folder)?;
            let mut file = fs::File::create(&part)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&part, path)
        })();
        written.map_err(|error| {
            let _ = fs::remove_file(&part);
            failed("written", path, &error)
        })
    }
}

/// The number before a table's name in the folder: `12` of `0012-county.csv`.
fn number(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?;
    name.split_once('-')?.0.parse().ok()
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(
        || "table".into(),
        |name| name.to_string_lossy().into_owned(),
    )
}

fn failed(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Kind::File, format!("the table cannot be {what}: {error}")).at(path.display())
}

fn refused(error: PlacesError) -> Failure {
    Failure::new(Kind::Place, error.to_string())
}
