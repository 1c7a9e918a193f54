//! The record of a run: a Provenance Run Crate with PROV, written last, and read back.
//!
//! The folder of a run is an RO-Crate (1.1) that conforms to the profiles Process, Workflow and
//! Provenance Run Crate 0.5 (<https://w3id.org/ro/wfrun/provenance/0.5>) and Workflow RO-Crate 1.0.
//! Every file of the folder stands in it with its SHA-256. `ro-crate-metadata.json` is written after
//! all of them, so a folder without it, or with a file that is missing or changed, is no record.
//!
//! | module | holds |
//! |---|---|
//! | [`graph`] | from a run to the entities of the crate |
//! | [`reading`] | a record from its folder, every file held to its hash |

pub mod graph;
pub mod reading;

use lahar_core::{ContentHash, Timestamp};
use serde_json::Value as Json;

pub use reading::{RecordError, StoredRecord};

/// The file that makes a folder a record.
pub const METADATA: &str = "ro-crate-metadata.json";

/// Keys whose values say when and where something ran. Two runs of the same task differ in them and
/// in nothing else.
pub const RUN_FIELDS: &[&str] = &["datePublished", "endTime", "host", "startTime"];

/// One file of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFile {
    /// Its path in the folder, with `/`.
    pub path: String,
    /// What it is, for people.
    pub name: String,
    /// Media type.
    pub media_type: &'static str,
    /// Hash of its bytes.
    pub sha256: ContentHash,
    /// Number of its bytes.
    pub size: u64,
    /// What else is known of it: variable, unit, system, times.
    pub properties: Vec<(&'static str, String)>,
    /// The files and values that it was made from, by the id they have in the record.
    pub derived_from: Vec<String>,
}

/// A value that went into or came out of a step: a file of the folder, or a number or word.
#[derive(Debug, Clone, PartialEq)]
pub enum Datum {
    /// A file, by its path.
    File(String),
    /// A number or word by its id in the analysis, written out, with its unit.
    Written {
        /// Id.
        id: String,
        /// The value.
        value: String,
        /// Its unit.
        unit: Option<String>,
    },
}

impl Datum {
    /// Its id in the record.
    pub fn id(&self) -> String {
        match self {
            Datum::File(path) => path.clone(),
            Datum::Written { id, .. } => format!("#value-{}", slug(id)),
        }
    }
}

/// A datum on a port.
#[derive(Debug, Clone, PartialEq)]
pub struct OnPort {
    /// The port.
    pub port: String,
    /// What it holds.
    pub datum: Datum,
}

/// One run of one capability.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Capability.
    pub capability: String,
    /// What it does.
    pub function: String,
    /// Version of it.
    pub version: String,
    /// Address of what it comes from.
    pub source: String,
    /// What it took.
    pub inputs: Vec<OnPort>,
    /// What it gave.
    pub outputs: Vec<OnPort>,
    /// When it began.
    pub started: Timestamp,
    /// When it ended.
    pub ended: Timestamp,
    /// Why it failed, where it did.
    pub error: Option<String>,
}

/// Everything that the record of a run says.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Name of the analysis.
    pub name: String,
    /// What was asked and what came out, in a sentence or two.
    pub description: String,
    /// The file with the workflow.
    pub workflow: String,
    /// The task's file.
    pub task: String,
    /// The file with the decisions.
    pub decisions: String,
    /// All files but the metadata.
    pub files: Vec<RunFile>,
    /// What was given to the analysis.
    pub given: Vec<OnPort>,
    /// What came out of it.
    pub results: Vec<OnPort>,
    /// The steps in the order in which they ran.
    pub steps: Vec<Step>,
    /// Version of the program.
    pub version: String,
    /// When it began.
    pub started: Timestamp,
    /// When it ended.
    pub ended: Timestamp,
    /// Name of the machine.
    pub host: String,
}

/// Letters and digits of a name, joined by hyphens.
pub fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c.is_ascii_alphanumeric() {
            true => out.push(c.to_ascii_lowercase()),
            false if !out.ends_with('-') && !out.is_empty() => out.push('-'),
            false => {}
        }
    }
    out.trim_end_matches('-').to_owned()
}

/// A record without the fields that say when and where it ran.
///
/// ```
/// use lahar_routes::run::record::without_run_fields;
/// let record = serde_json::json!({"@graph": [{"@id": "#run", "startTime": "2026-12-01"}]});
/// let left = serde_json::json!({"@graph": [{"@id": "#run"}]});
/// assert_eq!(without_run_fields(&record), left);
/// ```
pub fn without_run_fields(record: &Json) -> Json {
    match record {
        Json::Object(fields) => Json::Object(
            fields
                .iter()
                .filter(|(key, _)| !RUN_FIELDS.contains(&key.as_str()))
                .map(|(key, value)| (key.clone(), without_run_fields(value)))
                .collect(),
        ),
        Json::Array(items) => Json::Array(items.iter().map(without_run_fields).collect()),
        other => other.clone(),
    }
}
