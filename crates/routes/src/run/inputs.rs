//! A task with its files beside it, so that it can be run again anywhere.

use std::collections::BTreeMap;
use std::path::Path;

use super::artifact::{KeepError, keep_input};
use super::record::{RunFile, slug};
use super::staging::StagedFolder;

/// A task whose files lie in its own folder.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SelfContained {
    /// Its text, with the paths they have there.
    pub text: String,
    /// The files.
    pub files: Vec<RunFile>,
    /// Paths by observation.
    pub by_observation: BTreeMap<String, String>,
}

/// Copies the files that a task names into a folder and changes the paths in its text.
pub fn contain(
    text: &str,
    from: Option<&Path>,
    folder: &StagedFolder,
) -> Result<SelfContained, KeepError> {
    let mut contained = SelfContained {
        text: text.to_owned(),
        ..SelfContained::default()
    };
    // A task that names no file stays as it was written.
    let Ok(mut table) = text.parse::<toml::Table>() else {
        return Ok(contained);
    };
    let mut walk = Walk {
        from,
        folder,
        known: BTreeMap::new(),
        contained: &mut contained,
    };
    walk.table(&mut table)?;
    if !walk.known.is_empty() {
        contained.text = toml::to_string(&table).map_err(|error| KeepError::Input {
            path: "the task".to_owned(),
            why: error.to_string(),
        })?;
    }
    Ok(contained)
}

struct Walk<'w> {
    from: Option<&'w Path>,
    folder: &'w StagedFolder,
    known: BTreeMap<String, String>,
    contained: &'w mut SelfContained,
}

impl Walk<'_> {
    fn table(&mut self, table: &mut toml::Table) -> Result<(), KeepError> {
        let id = table
            .get("id")
            .and_then(toml::Value::as_str)
            .map(str::to_owned);
        for (key, value) in table.iter_mut() {
            match value {
                toml::Value::String(path) if key == "file" => {
                    let kept = self.file(path)?;
                    if let Some(id) = &id {
                        self.contained
                            .by_observation
                            .insert(id.clone(), kept.clone());
                    }
                    *path = kept;
                }
                other => self.value(other)?,
            }
        }
        Ok(())
    }

    fn value(&mut self, value: &mut toml::Value) -> Result<(), KeepError> {
        match value {
            toml::Value::Table(table) => self.table(table),
            toml::Value::Array(items) => items.iter_mut().try_for_each(|item| self.value(item)),
            _ => Ok(()),
        }
    }

    fn file(&mut self, path: &str) -> Result<String, KeepError> {
        if let Some(kept) = self.known.get(path) {
            return Ok(kept.clone());
        }
        let from = self.from.unwrap_or(Path::new(".")).join(path);
        let stem = from.file_stem().map(|stem| slug(&stem.to_string_lossy()));
        let stem = stem
            .filter(|stem| !stem.is_empty())
            .unwrap_or_else(|| "input".to_owned());
        let extension = from
            .extension()
            .map(|e| e.to_string_lossy().to_ascii_lowercase());
        let extension = extension.unwrap_or_default();
        let mut kept = format!("inputs/{stem}.{extension}");
        let taken = |name: &String| self.contained.files.iter().any(|file| file.path == *name);
        let mut count = 2;
        while taken(&kept) {
            kept = format!("inputs/{stem}-{count}.{extension}");
            count += 1;
        }
        let media_type = match extension.as_str() {
            "tif" | "tiff" => "image/tiff; application=geotiff",
            "asc" => "text/plain",
            "csv" => "text/csv",
            "json" | "geojson" => "application/geo+json",
            _ => "application/octet-stream",
        };
        let files = keep_input(&from, &kept, media_type, self.folder)?;
        self.contained.files.extend(files);
        self.known.insert(path.to_owned(), kept.clone());
        Ok(kept)
    }
}
