//! Artifacts as files that others can read: grids as GeoTIFF, series as CSV, shapes as GeoJSON,
//! numbers and words together in one CSV. Each says what it is, in which unit and system, when it
//! holds and when it was published, what computed it, and from what.

use std::collections::BTreeMap;
use std::path::Path;

use lahar_core::capability::Value;
use lahar_core::{ContentHash, Crs, Grid};
use lahar_formats::error::FormatError;
use lahar_formats::geotiff::{self, SampleType, WriteOptions};
use lahar_formats::table::{self, Column, Table};
use serde_json::json;

use super::record::{Datum, RunFile, slug};
use super::staging::{StagedFolder, StagingError};
use crate::port::PortUnit;
use crate::state::{Artifact, Origin};

/// The table of all numbers and words of a run.
pub const VALUES: &str = "artifacts/values.csv";

/// Why an artifact could not be kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeepError {
    /// Its folder cannot be written.
    #[error(transparent)]
    Staging(#[from] StagingError),
    /// It does not fit into its format.
    #[error("artifact `{id}`: {error}")]
    Format {
        /// The artifact.
        id: String,
        /// Why.
        #[source]
        error: FormatError,
    },
    /// A file of the task cannot be copied.
    #[error("{path}: {why}")]
    Input {
        /// The file.
        path: String,
        /// Why.
        why: String,
    },
}

/// What is known of an artifact, as texts by name.
pub fn about(
    artifact: &Artifact,
    hashes: &BTreeMap<String, ContentHash>,
) -> Vec<(&'static str, String)> {
    let mut about = vec![("variable", artifact.kind.variable.clone())];
    if let PortUnit::Of(unit) = &artifact.kind.unit {
        about.push(("unit", unit.symbol().to_owned()));
    }
    if let Value::Layer(layer) = artifact.value.as_ref() {
        about.push(("crs", system(&layer.grid.crs)));
    }
    about.push(("valid_from", artifact.timing.valid_from.to_string()));
    about.push(("valid_until", artifact.timing.valid_until.to_string()));
    about.push(("published", artifact.timing.published.to_string()));
    about.push(("quality", word(&artifact.quality)));
    if let Some(deviation) = &artifact.deviation {
        about.push(("standard_deviation", deviation.to_string()));
    }
    match &artifact.origin {
        Origin::Observed { source } => about.push(("source", source.clone())),
        Origin::Derived {
            capability,
            version,
            route,
            inputs,
        } => {
            about.push(("capability", capability.clone()));
            about.push(("capability_version", version.clone()));
            about.extend(route.iter().map(|route| ("route", route.clone())));
            let inputs = inputs.iter().map(|(port, id)| match hashes.get(id) {
                Some(hash) => format!("{port}: {id} sha256:{hash}"),
                None => format!("{port}: {id}"),
            });
            about.push(("inputs", inputs.collect::<Vec<_>>().join("; ")));
        }
    }
    about
}

/// An enumeration's word.
pub(super) fn word(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

fn system(crs: &Crs) -> String {
    match crs {
        Crs::Epsg(code) => format!("EPSG:{code}"),
        Crs::LocalMetres => "metres from a corner, place unknown".to_owned(),
        _ => "not stated".to_owned(),
    }
}

/// Hash by which a value is named as an input of others: that of its unit and numbers.
pub fn hash_of(value: &Value) -> ContentHash {
    let unit = |unit: &lahar_core::Unit| unit.symbol().as_bytes().to_vec();
    let doubles = |values: &[f64]| {
        values
            .iter()
            .flat_map(|v| v.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    let bytes = match value {
        Value::Quantity(quantity) => [doubles(&[quantity.value()]), unit(quantity.unit())].concat(),
        Value::Label(text) => text.as_bytes().to_vec(),
        Value::Series(series) => [doubles(&series.values), unit(&series.unit)].concat(),
        Value::Layer(layer) => [doubles(layer.grid.values()), unit(&layer.unit)].concat(),
        Value::Features(features) => lahar_formats::geojson::write(features).into_bytes(),
        Value::Trees(model) => model.written().to_vec(),
        other => format!("{other:?}").into_bytes(),
    };
    ContentHash::of(&bytes)
}

/// A value as it goes into the record where it has no file.
pub fn written(id: &str, value: &Value) -> Datum {
    let (value, unit) = match value {
        Value::Quantity(quantity) => (
            quantity.value().to_string(),
            Some(quantity.unit().symbol().to_owned()),
        ),
        Value::Label(word) => (word.clone(), None),
        Value::Series(series) => (
            format!("{} values along time", series.values.len()),
            Some(series.unit.symbol().to_owned()),
        ),
        Value::Layer(layer) => (
            format!("{} by {} cells", layer.grid.rows(), layer.grid.columns()),
            Some(layer.unit.symbol().to_owned()),
        ),
        Value::Features(features) => (format!("{} shapes", features.len()), None),
        Value::Trees(model) => (format!("{} trees", model.trees()), None),
        other => (format!("{other:?}"), None),
    };
    let id = id.to_owned();
    Datum::Written { id, value, unit }
}

/// How the numbers of a grid are stored: bytes for classes and counts up to 254, single precision
/// for everything else.
pub fn stored_as(grid: &Grid) -> WriteOptions {
    let byte = |v: &f64| v.is_nan() || v.fract() == 0.0 && (0.0..255.0).contains(v);
    let bytes = grid.values().iter().all(byte);
    WriteOptions {
        samples: if bytes {
            SampleType::U8
        } else {
            SampleType::F32
        },
        no_data: bytes.then_some(255.0),
        ..WriteOptions::default()
    }
}

/// Writes an artifact into a file of a run, where its kind has one: grids, series and shapes.
pub fn keep(
    artifact: &Artifact,
    hashes: &BTreeMap<String, ContentHash>,
    folder: &StagedFolder,
) -> Result<Option<RunFile>, KeepError> {
    let about = about(artifact, hashes);
    let failed = |error| KeepError::Format {
        id: artifact.id.clone(),
        error,
    };
    let (extension, media_type, bytes) = match artifact.value.as_ref() {
        Value::Layer(layer) => {
            let texts: Vec<(&str, &str)> = about.iter().map(|(k, v)| (*k, v.as_str())).collect();
            let options = stored_as(&layer.grid);
            let bytes = geotiff::write_about(&layer.grid, &options, &texts).map_err(failed)?;
            ("tif", "image/tiff; application=geotiff", bytes)
        }
        Value::Series(series) => {
            let table = along_time(&artifact.kind.variable, series);
            ("csv", "text/csv", table::write(&table).into_bytes())
        }
        Value::Features(features) => {
            let text = lahar_formats::geojson::write(features);
            ("geojson", "application/geo+json", text.into_bytes())
        }
        _ => return Ok(None),
    };
    let path = format!("artifacts/{}.{extension}", slug(&artifact.id));
    folder.write(&path, &bytes)?;
    Ok(Some(RunFile {
        name: name(artifact),
        sha256: ContentHash::of(&bytes),
        size: bytes.len() as u64,
        properties: about,
        derived_from: Vec::new(),
        media_type,
        path,
    }))
}

/// What an artifact is, in the words of the vocabulary.
pub fn name(artifact: &Artifact) -> String {
    let variable = &artifact.kind.variable;
    match crate::vocabulary::entry(variable) {
        Some(entry) if !entry.meaning.is_empty() => {
            format!("{}: {}", variable.replace('_', " "), entry.meaning)
        }
        _ => variable.replace('_', " "),
    }
}

fn along_time(variable: &str, series: &lahar_core::series::Series) -> Table {
    let step = series.step.si();
    let time = |at: usize| match series.start {
        Some(start) => {
            let seconds = start.unix() + (step * at as f64).round() as i64;
            lahar_core::Timestamp::from_unix(seconds).to_string()
        }
        None => (step * at as f64).to_string(),
    };
    let first = match series.start {
        Some(_) => ("time", String::new()),
        None => ("time", " (s)".to_owned()),
    };
    let column = |name: &str, suffix: &str, cells: Vec<String>| Column {
        header: format!("{name}{suffix}"),
        name: name.to_owned(),
        unit: None,
        cells,
    };
    let values = series.values.iter().map(|value| match value.is_nan() {
        true => String::new(),
        false => value.to_string(),
    });
    Table {
        columns: vec![
            column(
                first.0,
                &first.1,
                (0..series.values.len()).map(time).collect(),
            ),
            column(
                variable,
                &format!(" ({})", series.unit.symbol()),
                values.collect(),
            ),
        ],
    }
}

/// Writes the numbers and words of a run into one table.
pub fn keep_values<'a>(
    artifacts: impl Iterator<Item = &'a Artifact>,
    hashes: &BTreeMap<String, ContentHash>,
    folder: &StagedFolder,
) -> Result<Option<RunFile>, KeepError> {
    const NAMES: [&str; 12] = [
        "id",
        "variable",
        "value",
        "unit",
        "standard_deviation",
        "valid_from",
        "valid_until",
        "published",
        "quality",
        "capability",
        "capability_version",
        "inputs",
    ];
    let mut columns: Vec<Vec<String>> = vec![Vec::new(); NAMES.len()];
    let mut ids = Vec::new();
    for artifact in artifacts {
        let Datum::Written { value, unit, .. } = written(&artifact.id, &artifact.value) else {
            continue;
        };
        if !matches!(
            artifact.value.as_ref(),
            Value::Quantity(_) | Value::Label(_)
        ) {
            continue;
        }
        let about: BTreeMap<&str, String> = about(artifact, hashes).into_iter().collect();
        for (column, name) in columns.iter_mut().zip(NAMES) {
            column.push(match name {
                "id" => artifact.id.clone(),
                "value" => value.clone(),
                "unit" => unit.clone().unwrap_or_default(),
                other => about.get(other).cloned().unwrap_or_default(),
            });
        }
        ids.push(artifact.id.clone());
    }
    if ids.is_empty() {
        return Ok(None);
    }
    let columns = columns.into_iter().zip(NAMES).map(|(cells, name)| Column {
        header: name.to_owned(),
        name: name.to_owned(),
        unit: None,
        cells,
    });
    let table = Table {
        columns: columns.collect(),
    };
    let bytes = table::write(&table).into_bytes();
    folder.write(VALUES, &bytes)?;
    Ok(Some(RunFile {
        path: VALUES.to_owned(),
        name: "numbers and words of the run".to_owned(),
        media_type: "text/csv",
        sha256: ContentHash::of(&bytes),
        size: bytes.len() as u64,
        properties: vec![("rows", ids.join(", "))],
        derived_from: Vec::new(),
    }))
}

/// Writes any other file of a run.
pub fn keep_bytes(
    path: &str,
    name: &str,
    media_type: &'static str,
    bytes: &[u8],
    folder: &StagedFolder,
) -> Result<RunFile, KeepError> {
    folder.write(path, bytes)?;
    Ok(RunFile {
        path: path.to_owned(),
        name: name.to_owned(),
        media_type,
        sha256: ContentHash::of(bytes),
        size: bytes.len() as u64,
        properties: Vec::new(),
        derived_from: Vec::new(),
    })
}

/// Copies a file that a task names, with those that belong to it (a Shapefile's table and index).
pub fn keep_input(
    from: &Path,
    path: &str,
    media_type: &'static str,
    folder: &StagedFolder,
) -> Result<Vec<RunFile>, KeepError> {
    let failed = |path: &Path, error: std::io::Error| KeepError::Input {
        path: path.display().to_string(),
        why: error.to_string(),
    };
    let bytes = std::fs::read(from).map_err(|error| failed(from, error))?;
    let name = "input of the task";
    let mut kept = vec![keep_bytes(path, name, media_type, &bytes, folder)?];
    if path.ends_with(".shp") {
        for extension in ["shx", "dbf", "prj", "cpg"] {
            let beside = from.with_extension(extension);
            if let Ok(bytes) = std::fs::read(&beside) {
                let to = Path::new(path).with_extension(extension);
                let to = to.display().to_string();
                let octets = "application/octet-stream";
                kept.push(keep_bytes(&to, name, octets, &bytes, folder)?);
            }
        }
    }
    Ok(kept)
}

/// An artifact for programs: what it is and where it lies.
pub fn shown(artifact: &Artifact, file: Option<&str>) -> serde_json::Value {
    let mut shown = serde_json::to_value(artifact).unwrap_or_default();
    if let Some(file) = file {
        shown["file"] = json!(file);
    }
    shown
}
