//! The sample documents, inside the program.

use std::path::Path;

use serde::Deserialize;

use crate::failure::{Failure, Kind};

macro_rules! sample_files {
    ($($name:literal),* $(,)?) => {
        /// Names and contents of the sample library's files.
        const FILES: &[(&str, &[u8])] =
            &[$(($name, include_bytes!(concat!("../../../../../samples/", $name)))),*];
    };
}

sample_files![
    "manifest.csv",
    "alaska-1964-earthquake-tsunami.pdf",
    "boulder-gilpin-defensible-space-permits.md",
    "greenfield-iowa-tornado-2024.md",
    "hurricane-michael-2018-florida-panhandle.pdf",
    "montecito-2018-debris-flows.pdf",
    "multnomah-washington-county-wildfires.md",
    "new-madrid-1811-1812-earthquakes.html",
    "osage-county-kansas-melvern-lake-floods.md",
    "osage-county-oklahoma-earthquake-2016.md",
    "portland-maine-coastal-flood-2024.md",
    "portland-oregon-landslides.html",
    "snohomish-river-flood-2021.html",
];

/// The sample analysis: a task on a made valley with a made burn.
const ANALYSIS: &[(&str, &[u8])] = &[
    (
        "task.toml",
        include_bytes!("../../../../../samples/analysis/task.toml"),
    ),
    (
        "valley.asc",
        include_bytes!("../../../../../samples/analysis/valley.asc"),
    ),
    (
        "burn.asc",
        include_bytes!("../../../../../samples/analysis/burn.asc"),
    ),
];

const QUESTIONS: &str = include_str!("../../../../../samples/questions.toml");

/// A question that quickstart asks.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct SampleQuestion {
    pub text: String,
}

#[derive(Deserialize)]
struct Questions {
    question: Vec<SampleQuestion>,
}

/// The sample questions.
pub(super) fn questions() -> Result<Vec<SampleQuestion>, Failure> {
    toml::from_str::<Questions>(QUESTIONS)
        .map(|questions| questions.question)
        .map_err(|error| {
            Failure::new(
                Kind::File,
                format!("the sample questions are broken: {error}"),
            )
        })
}

/// Writes the sample documents into a folder, as they are in the program; files that are there
/// already with the same content are left alone.
pub(super) fn write(folder: &Path) -> Result<(), Failure> {
    write_files(folder, FILES)
}

/// Writes the sample analysis into a folder.
pub(super) fn write_analysis(folder: &Path) -> Result<(), Failure> {
    write_files(folder, ANALYSIS)
}

fn write_files(folder: &Path, files: &[(&str, &[u8])]) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(Kind::File, format!("the sample documents cannot be written: {error}"))
            .at(folder.display())
            .hint("run it in a folder that you may write to, or name one with --library FOLDER/samples.db")
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    for (name, content) in files {
        let path = folder.join(name);
        if std::fs::read(&path).ok().as_deref() != Some(*content) {
            std::fs::write(path, content).map_err(failed)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_sample_document_is_in_the_program() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        let there: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap())
            .filter(|entry| entry.path().is_file())
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|name| !matches!(name.as_str(), "README.md" | "questions.toml"))
            .collect();
        let here: BTreeSet<String> = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(here, there);
    }

    #[test]
    fn the_questions_can_be_read() {
        assert!(questions().unwrap().len() >= 5);
    }
}
