//! `manifest.csv` in a folder of documents: what people know about each file.
//!
//! Columns, in any order, all but `file` optional: `file`, `title`, `agency` or `publisher`, `year`
//! or `date`, `hazard`, `place`, `licence` or `license`, `source`. Other columns are left alone.

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use lahar_core::Hazard;

use crate::LibraryError;
use crate::store::DocumentDetails;
use crate::text::one_line;

/// The name under which a manifest is looked for in a folder.
pub const MANIFEST_NAME: &str = "manifest.csv";

/// A manifest that has been read.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    /// The manifest's own path.
    pub path: PathBuf,
    /// Its entries, in order.
    pub entries: Vec<ManifestEntry>,
    /// What could not be understood and was left out, with its line.
    pub warnings: Vec<String>,
}

/// What a manifest says about one file.
#[derive(Debug, Clone, PartialEq)]
pub struct ManifestEntry {
    /// Line of the manifest, counted from 1.
    pub line: u64,
    /// The file, relative to the manifest's folder and inside it.
    pub file: PathBuf,
    details: DocumentDetails,
}

impl ManifestEntry {
    /// The details of the file, for ingestion under a path at a time (ISO 8601).
    pub fn details(
        &self,
        path: impl Into<String>,
        ingested_at: impl Into<String>,
    ) -> DocumentDetails {
        DocumentDetails {
            path: path.into(),
            ingested_at: ingested_at.into(),
            ..self.details.clone()
        }
    }

    /// Hazards that the manifest declares.
    pub fn hazards(&self) -> &[Hazard] {
        &self.details.hazards
    }
}

impl Manifest {
    /// Reads the manifest of a folder; `None` when the folder has none.
    pub fn of_folder(folder: &Path) -> Result<Option<Manifest>, LibraryError> {
        let path = folder.join(MANIFEST_NAME);
        if !path.is_file() {
            return Ok(None);
        }
        Manifest::read(&path).map(Some)
    }

    /// Reads a manifest. A path that leads out of the manifest's folder, a file named twice or a
    /// torn row refuses the whole manifest, so that nothing is ingested under wrong details.
    pub fn read(path: &Path) -> Result<Manifest, LibraryError> {
        let bytes = std::fs::read(path).map_err(|error| LibraryError::Manifest {
            path: path.to_owned(),
            line: None,
            reason: format!("it cannot be read: {error}"),
        })?;
        Manifest::parse(path, &bytes)
    }

    /// Reads the content of a manifest; `path` is for messages and to know the folder.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Manifest, LibraryError> {
        let refusal = |line: Option<u64>, reason: String| LibraryError::Manifest {
            path: path.to_owned(),
            line,
            reason,
        };
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_reader(bytes);
        let columns = Columns::of(reader.headers().map_err(|e| refusal(Some(1), reason(&e)))?)
            .ok_or_else(|| {
                refusal(
                    Some(1),
                    "there is no column `file`: the first line must name the columns".into(),
                )
            })?;
        let mut manifest = Manifest {
            path: path.to_owned(),
            entries: Vec::new(),
            warnings: Vec::new(),
        };
        let mut seen = HashSet::new();
        for record in reader.records() {
            let record = record.map_err(|error| {
                let line = error.position().map(csv::Position::line);
                refusal(line, reason(&error))
            })?;
            let line = record.position().map_or(0, csv::Position::line);
            let file = inside(columns.get(&record, "file").unwrap_or_default())
                .map_err(|reason| refusal(Some(line), reason))?;
            if !seen.insert(file.clone()) {
                let reason = format!("`{}` is named a second time", file.display());
                return Err(refusal(Some(line), reason));
            }
            let details = columns.details(&record, line, &mut manifest.warnings);
            manifest.entries.push(ManifestEntry {
                line,
                file,
                details,
            });
        }
        Ok(manifest)
    }

    /// What the manifest says about a file, by its path relative to the manifest's folder.
    pub fn entry(&self, relative: &Path) -> Option<&ManifestEntry> {
        let wanted: Vec<Component<'_>> = normal(relative).collect();
        self.entries
            .iter()
            .find(|entry| normal(&entry.file).eq(wanted.iter().copied()))
    }
}

fn normal(path: &Path) -> impl Iterator<Item = Component<'_>> {
    path.components()
        .filter(|component| !matches!(component, Component::CurDir))
}

/// A file of the manifest's folder, or why it is none. Backslashes part folders too: a manifest may
/// have been written on Windows.
fn inside(file: &str) -> Result<PathBuf, String> {
    let shown = one_line(file);
    if shown.is_empty() {
        return Err("the column `file` is empty".into());
    }
    if file.chars().any(char::is_control) {
        return Err(format!("`{shown}` has control characters in its name"));
    }
    let unified = file.replace('\\', "/");
    let has_drive =
        unified.as_bytes().get(1) == Some(&b':') && unified.as_bytes()[0].is_ascii_alphabetic();
    if unified.starts_with('/') || has_drive {
        return Err(format!(
            "`{shown}` is an absolute path: name files relative to the manifest's folder"
        ));
    }
    let mut path = PathBuf::new();
    for part in unified.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                return Err(format!(
                    "`{shown}` leads out of the manifest's folder: move the file into it"
                ));
            }
            part => path.push(part),
        }
    }
    if path.as_os_str().is_empty() {
        return Err(format!("`{shown}` names no file"));
    }
    Ok(path)
}

/// Where each column stands.
struct Columns(HashMap<&'static str, usize>);

/// Our names for a column, and the names it may have.
const COLUMNS: [(&str, &[&str]); 8] = [
    ("file", &["file", "filename", "path"]),
    ("title", &["title"]),
    ("publisher", &["publisher", "agency"]),
    ("date", &["date", "year"]),
    ("hazard", &["hazard", "hazards"]),
    ("place", &["place"]),
    ("licence", &["licence", "license"]),
    ("source", &["source", "url"]),
];

impl Columns {
    /// `None` when there is no `file`.
    fn of(headers: &csv::StringRecord) -> Option<Columns> {
        let mut columns = HashMap::new();
        for (ours, names) in COLUMNS {
            let position = names.iter().find_map(|name| {
                headers
                    .iter()
                    .position(|header| header.trim().eq_ignore_ascii_case(name))
            });
            if let Some(position) = position {
                columns.insert(ours, position);
            }
        }
        columns.contains_key("file").then_some(Columns(columns))
    }

    fn get<'r>(&self, record: &'r csv::StringRecord, column: &str) -> Option<&'r str> {
        let value = record.get(*self.0.get(column)?)?;
        (!value.is_empty()).then_some(value)
    }

    fn details(
        &self,
        record: &csv::StringRecord,
        line: u64,
        warnings: &mut Vec<String>,
    ) -> DocumentDetails {
        let text = |column: &str| {
            let text = self.get(record, column).map(one_line);
            text.filter(|text| !text.is_empty())
        };
        let date = self.get(record, "date").and_then(|date| {
            date.parse()
                .map_err(|error| warnings.push(format!("line {line}: {error}; left out")))
                .ok()
        });
        let hazards = Hazard::parse_list(self.get(record, "hazard").unwrap_or_default());
        for hazard in hazards.iter().filter(|hazard| !hazard.is_built_in()) {
            warnings.push(format!(
                "line {line}: `{hazard}` is none of the built-in hazards; kept as a label of its own"
            ));
        }
        DocumentDetails {
            path: String::new(),
            title: text("title"),
            publisher: text("publisher"),
            date,
            place: text("place"),
            source: text("source"),
            licence: text("licence"),
            hazards,
            ingested_at: String::new(),
        }
    }
}

/// The reader's words without its own account of the position, which the error carries.
fn reason(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "it is not UTF-8 text".into(),
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("it has {len} fields, and the first line names {expected_len}"),
        _ => one_line(&error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Manifest, LibraryError> {
        Manifest::parse(Path::new("folder/manifest.csv"), text.as_bytes())
    }

    #[test]
    fn entries_carry_what_the_columns_say() {
        let manifest = parse(
            "\u{feff}file,title,agency,year,hazard,place,licence,source,bytes\n\
             a.pdf,\"Quake, and wave\",USGS,1993,earthquake;tsunami,Alaska,public,http://x,12\n\
             sub\\b.txt,,,n.d.,volcanic ash,,,,\n",
        )
        .unwrap();
        let first = &manifest.entries[0];
        let details = first.details("/data/a.pdf", "2025-01-01");
        assert_eq!(details.title.as_deref(), Some("Quake, and wave"));
        assert_eq!(details.publisher.as_deref(), Some("USGS"));
        assert_eq!(details.date.unwrap().year(), 1993);
        assert_eq!(details.hazards, [Hazard::EARTHQUAKE, Hazard::TSUNAMI]);
        assert_eq!(details.path, "/data/a.pdf");
        let second = manifest.entry(Path::new("./sub/b.txt")).unwrap();
        assert_eq!((second.line, second.details.title.as_deref()), (3, None));
        assert_eq!(manifest.warnings.len(), 2, "{:?}", manifest.warnings);
    }

    #[test]
    fn a_path_out_of_the_folder_refuses_the_manifest_and_names_the_line() {
        for bad in [
            "../secret.txt",
            "a/../../secret.txt",
            "..\\secret.txt",
            "/etc/passwd",
            "C:\\secret.txt",
            "\\\\host\\share",
            "a\u{1b}[2J.txt",
            "./",
            "",
        ] {
            let error = parse(&format!("file,title\nok.txt,fine\n\"{bad}\",bad\n")).unwrap_err();
            let message = error.to_string();
            assert!(
                message.contains("manifest.csv, line 3"),
                "{bad:?}: {message}"
            );
            assert!(!message.chars().any(char::is_control), "{bad:?}");
        }
    }

    #[test]
    fn torn_manifests_are_refused() {
        for (bad, says) in [
            ("title,place\nx,y\n", "no column `file`"),
            ("", "no column `file`"),
            ("file,title\na,b,c\n", "3 fields"),
            ("file\na\n./a\n", "second time"),
        ] {
            let message = parse(bad).unwrap_err().to_string();
            assert!(message.contains(says), "{bad:?}: {message}");
        }
        let latin = Manifest::parse(Path::new("m"), b"file,title\na,\xe9\n").unwrap_err();
        assert!(latin.to_string().contains("UTF-8"), "{latin}");
    }
}
