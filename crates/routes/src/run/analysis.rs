//! A finished analysis, and its folder: task, inputs, artifacts, decisions, report, record.
//!
//! | file | holds |
//! |---|---|
//! | `task.toml`, `inputs/` | the task, its files beside it, so that it can be run again anywhere |
//! | `settings.json` | policy, steps, and the sentences of the library that were used |
//! | `workflow.json` | the routes that were committed to, call by call |
//! | `decisions.json` | every step: what was eligible, what was done, what changed |
//! | `artifacts/` | what was computed |
//! | `report.html`, `report.md`, `figure.svg` | the one-page report |
//! | `ro-crate-metadata.json` | the record, written last |

use std::collections::BTreeMap;

use lahar_core::{ContentHash, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::artifact::{self, KeepError};
use super::inputs::{self, SelfContained};
use super::local::Ran;
use super::record::{self, Datum, OnPort, Run, RunFile, Step, graph};
use super::report::{Page, html, markdown};
use super::staging::StagedFolder;
use super::{page, quotes};
use crate::card::Card;
use crate::state::{Artifact, Change, Origin};
use crate::task::Task;
use crate::trajectory::Trajectory;

/// File of the task in a run's folder.
pub const TASK: &str = "task.toml";
/// File of the settings.
pub const SETTINGS: &str = "settings.json";
/// File of the workflow.
pub const WORKFLOW: &str = "workflow.json";
/// File of the decisions.
pub const DECISIONS: &str = "decisions.json";
/// File of the report for browsers.
pub const REPORT: &str = "report.html";

/// What beside the task decides how an analysis goes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Policy.
    pub policy: String,
    /// Sentences of the library that state conditions.
    pub quotes: Vec<quotes::Kept>,
    /// Compiled conditions that people have accepted, file by file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supplements: Vec<String>,
}

/// An analysis that came to its end.
#[derive(Debug, Clone, Copy)]
pub struct Analysis<'a> {
    /// The task.
    pub task: &'a Task,
    /// Its text.
    pub text: &'a str,
    /// What beside the task decided.
    pub settings: &'a Settings,
    /// What was done.
    pub trajectory: &'a Trajectory,
    /// The cards it was done by.
    pub cards: &'a [Card],
    /// The runs of capabilities, in order.
    pub ran: &'a [Ran],
    /// Version of the program.
    pub version: &'a str,
    /// Name of the machine.
    pub host: &'a str,
    /// When it began.
    pub started: Timestamp,
    /// When it ended.
    pub ended: Timestamp,
}

/// What was put into the folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// Files by artifact.
    pub files: BTreeMap<String, String>,
    /// The report.
    pub page: Page,
}

impl Analysis<'_> {
    /// Fills a folder, the record last.
    pub fn keep(&self, folder: &StagedFolder) -> Result<Kept, KeepError> {
        let mut keeping = Keeping {
            analysis: self,
            folder,
            files: Vec::new(),
            by_artifact: BTreeMap::new(),
        };
        let contained = inputs::contain(self.text, self.task.folder.as_deref(), folder)?;
        keeping.task(contained)?;
        keeping.artifacts()?;
        keeping.settings()?;
        keeping.decisions()?;
        let page = keeping.report()?;
        keeping.record(&page)?;
        Ok(Kept {
            files: keeping.by_artifact,
            page,
        })
    }
}

struct Keeping<'a> {
    analysis: &'a Analysis<'a>,
    folder: &'a StagedFolder,
    files: Vec<RunFile>,
    by_artifact: BTreeMap<String, String>,
}

impl Keeping<'_> {
    fn bytes(
        &mut self,
        path: &str,
        name: &str,
        media_type: &'static str,
        bytes: &[u8],
    ) -> Result<(), KeepError> {
        let file = artifact::keep_bytes(path, name, media_type, bytes, self.folder)?;
        self.files.push(file);
        Ok(())
    }

    fn json(&mut self, path: &str, name: &str, value: &Json) -> Result<(), KeepError> {
        let text = serde_json::to_string_pretty(value).unwrap_or_default() + "\n";
        self.bytes(path, name, "application/json", text.as_bytes())
    }

    fn task(&mut self, contained: SelfContained) -> Result<(), KeepError> {
        self.bytes(
            TASK,
            "the task",
            "application/toml",
            contained.text.as_bytes(),
        )?;
        self.files.extend(contained.files);
        self.by_artifact.extend(contained.by_observation);
        Ok(())
    }

    fn derived(&self) -> impl Iterator<Item = &Artifact> {
        let derived = |a: &&Artifact| matches!(a.origin, Origin::Derived { .. });
        let artifacts = self.analysis.trajectory.artifacts.iter();
        artifacts.map(AsRef::as_ref).filter(derived)
    }

    fn hashes(&self) -> BTreeMap<String, ContentHash> {
        let artifacts = self.analysis.trajectory.artifacts.iter();
        let hash = |a: &std::sync::Arc<Artifact>| (a.id.clone(), artifact::hash_of(&a.value));
        artifacts.map(hash).collect()
    }

    fn artifacts(&mut self) -> Result<(), KeepError> {
        let hashes = self.hashes();
        let mut kept = Vec::new();
        for artifact in self.derived() {
            if let Some(file) = artifact::keep(artifact, &hashes, self.folder)? {
                kept.push((artifact.id.clone(), artifact.origin.clone(), file));
            }
        }
        for (id, _, file) in &kept {
            self.by_artifact.insert(id.clone(), file.path.clone());
        }
        for (_, origin, mut file) in kept {
            if let Origin::Derived { inputs, .. } = &origin {
                file.derived_from = inputs.values().map(|id| self.datum(id).id()).collect();
            }
            self.files.push(file);
        }
        let values = artifact::keep_values(self.derived(), &hashes, self.folder)?;
        self.files.extend(values);
        Ok(())
    }

    /// An artifact as the record names it: its file, or its value.
    fn datum(&self, id: &str) -> Datum {
        if let Some(path) = self.by_artifact.get(id) {
            return Datum::File(path.clone());
        }
        let found = self
            .analysis
            .trajectory
            .artifacts
            .iter()
            .find(|a| a.id == id);
        match found {
            Some(found) => artifact::written(id, &found.value),
            // A value that a card fixes is named by itself.
            None => Datum::Written {
                id: id.to_owned(),
                value: id.strip_prefix('=').unwrap_or("withdrawn").to_owned(),
                unit: None,
            },
        }
    }

    fn settings(&mut self) -> Result<(), KeepError> {
        let settings = serde_json::to_value(self.analysis.settings).unwrap_or_default();
        self.json(SETTINGS, "policy and quoted sentences", &settings)
    }

    fn decisions(&mut self) -> Result<(), KeepError> {
        let trajectory = self.analysis.trajectory;
        let workflow = json!({
            "task": trajectory.task,
            "commitments": trajectory.commitments.iter().map(|commitment| json!({
                "step": commitment.step,
                "route": commitment.route,
                "workflow": commitment.workflow,
                "why": commitment.why,
            })).collect::<Vec<_>>(),
        });
        self.json(WORKFLOW, "the workflow", &without_seconds(workflow))?;
        let mut decisions = serde_json::to_value(trajectory).unwrap_or_default();
        self.name_files(&mut decisions);
        let name = "every step, and what was eligible after it";
        self.json(DECISIONS, name, &without_seconds(decisions))
    }

    /// Names the files of observations as they lie in this folder: where they came from is the
    /// business of the task, and another run of it reads them here.
    fn name_files(&self, value: &mut Json) {
        match value {
            Json::Object(fields) => {
                let id = fields.get("id").and_then(Json::as_str);
                if let Some(kept) = id.and_then(|id| self.by_artifact.get(id)).cloned()
                    && let Some(path) = fields
                        .get_mut("value")
                        .and_then(|value| value.get_mut("file"))
                        .and_then(|file| file.get_mut("path"))
                {
                    *path = json!(kept);
                }
                fields.values_mut().for_each(|value| self.name_files(value));
            }
            Json::Array(items) => items.iter_mut().for_each(|item| self.name_files(item)),
            _ => {}
        }
    }

    fn report(&mut self) -> Result<Page, KeepError> {
        let page = page::of(self.analysis, &self.by_artifact);
        if let Some(figure) = &page.figure {
            let (file, svg) = (figure.file.clone(), figure.svg.clone());
            self.bytes(
                &file,
                &figure.caption.clone(),
                "image/svg+xml",
                svg.as_bytes(),
            )?;
        }
        let text = html::write(&page);
        self.bytes(REPORT, "the report", "text/html", text.as_bytes())?;
        let text = markdown::write(&page);
        self.bytes("report.md", "the report", "text/markdown", text.as_bytes())?;
        Ok(page)
    }

    fn on_port(&self, port: &str, id: &str) -> OnPort {
        OnPort {
            port: port.to_owned(),
            datum: self.datum(id),
        }
    }

    fn record(&mut self, page: &Page) -> Result<(), KeepError> {
        let analysis = self.analysis;
        let trajectory = analysis.trajectory;
        let observed = trajectory
            .artifacts
            .iter()
            .filter(|a| matches!(a.origin, Origin::Observed { .. }))
            .map(|a| self.on_port(&a.id, &a.id));
        let answer = trajectory
            .answer()
            .map(|a| self.on_port(&a.kind.variable, &a.id));
        let run = Run {
            name: page.title.clone(),
            description: page.answer.clone(),
            workflow: WORKFLOW.to_owned(),
            task: TASK.to_owned(),
            decisions: DECISIONS.to_owned(),
            given: observed.collect(),
            results: answer.into_iter().collect(),
            steps: self.steps(),
            files: std::mem::take(&mut self.files),
            version: analysis.version.to_owned(),
            started: analysis.started,
            ended: analysis.ended,
            host: analysis.host.to_owned(),
        };
        let metadata = serde_json::to_string_pretty(&graph::metadata(&run)).unwrap_or_default();
        self.folder
            .write(record::METADATA, (metadata + "\n").as_bytes())?;
        Ok(())
    }

    /// The runs of capabilities, as the changes of the state tell them, with their times.
    fn steps(&self) -> Vec<Step> {
        let changes = self
            .analysis
            .trajectory
            .steps
            .iter()
            .flat_map(|step| &step.changes);
        let mut ran = self.analysis.ran.iter();
        let mut steps = Vec::new();
        for change in changes {
            let (capability, version, inputs, outputs, error) = match change {
                Change::Executed {
                    capability,
                    version,
                    inputs,
                    outputs,
                    ..
                } => (
                    capability,
                    version.clone(),
                    Some(inputs),
                    outputs.as_slice(),
                    None,
                ),
                Change::Failed {
                    capability,
                    failure,
                    ..
                } => (
                    capability,
                    String::new(),
                    None,
                    [].as_slice(),
                    Some(failure.to_string()),
                ),
                _ => continue,
            };
            let times = ran.next();
            let known = lahar_hazards::registry::find(capability).map(|found| &found.capability);
            let version = match (&known, version.is_empty()) {
                (Ok(known), true) => known.version.to_owned(),
                _ => version,
            };
            let inputs = inputs.into_iter().flatten();
            steps.push(Step {
                capability: capability.clone(),
                function: known.as_ref().map_or("", |known| known.function).to_owned(),
                source: known
                    .as_ref()
                    .map_or("", |known| known.citation.doi)
                    .to_owned(),
                version,
                inputs: inputs.map(|(port, id)| self.on_port(port, id)).collect(),
                outputs: outputs
                    .iter()
                    .map(|output| self.on_port(&output.kind.variable, &output.id))
                    .collect(),
                started: times.map_or(self.analysis.started, |ran| ran.started),
                ended: times.map_or(self.analysis.ended, |ran| ran.ended),
                error,
            });
        }
        steps
    }
}

/// Without the seconds that runs took: two runs of one task differ in them.
fn without_seconds(value: Json) -> Json {
    match value {
        Json::Object(fields) => {
            let is_budget = ["steps", "seconds", "cost"]
                .iter()
                .all(|key| fields.contains_key(*key));
            let kept = fields
                .into_iter()
                .filter(|(key, _)| !(is_budget && key == "seconds"));
            Json::Object(
                kept.map(|(key, value)| (key, without_seconds(value)))
                    .collect(),
            )
        }
        Json::Array(items) => Json::Array(items.into_iter().map(without_seconds).collect()),
        other => other,
    }
}
