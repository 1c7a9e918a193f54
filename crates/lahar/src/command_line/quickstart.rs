//! `lahar quickstart`: models, a sample library, sample questions.

mod analysis;
mod samples;

use std::path::{Path, PathBuf};

use clap::Args;
use lahar_answers::Method;

use super::ask::for_people;
use super::ingest::Ingest;
use super::{Done, models};
use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::wire::{AskReport, IngestStatus};
use crate::workplace::Workplace;

/// Set up models, build a sample library, ask sample questions.
///
/// The sample library is `lahar-samples.db` unless --library names another file.
#[derive(Debug, Args)]
pub(super) struct Quickstart {
    /// Do not fetch the model when it is missing.
    #[arg(long)]
    offline: bool,
}

impl Quickstart {
    pub(super) fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        let folder = workplace.library.with_extension("");
        if !self.offline {
            models::pull_default(workplace, output)?;
        }
        samples::write(&folder)?;
        output.line(&format!("Sample documents: {}", folder.display()));
        let ingested = Ingest::of(vec![folder.clone()]).ingest(workplace, output)?;
        if let Some(refused) = ingested
            .documents
            .iter()
            .find(|d| d.status == IngestStatus::Refused)
        {
            let reason = refused.reason.clone().unwrap_or_default();
            return Err(Failure::new(
                Kind::File,
                format!("a sample document was refused: {reason}"),
            )
            .at(&refused.path));
        }
        add_meaning(workplace, output)?;
        output.line(&format!(
            "Sample library: {}\n",
            workplace.library.display()
        ));

        let questioned = workplace.open_for_questions(output)?;
        let asker = questioned.asker(Method::default());
        let mut answers = Vec::new();
        for question in samples::questions()? {
            let answer = asker.ask(&question.text, None)?;
            output.line(&format!("? {}\n{}", question.text, for_people(&answer)));
            answers.push(serde_json::json!({
                "question": question.text,
                "answer": AskReport::new(&answer, Method::default()),
            }));
        }
        let analysis = self::analysis::run(workplace, output)?;
        let report = serde_json::json!({
            "library": workplace.library,
            "samples": folder,
            "ingested": ingested,
            "answers": answers,
            "analysis": analysis,
        });
        output.result(&report, || next_steps(&workplace.library));
        Ok(Done::Well)
    }
}

/// A library that was built while the model was missing gets its vectors once it is there.
fn add_meaning(workplace: &Workplace, output: Output) -> Result<(), Failure> {
    let mut library = workplace.open_for_writing(output)?;
    let settings = library.settings()?;
    if settings.model.is_some() {
        return Ok(());
    }
    if let Some(embedder) = workplace.embedder_for_new(output)? {
        library.reindex(settings.chunker, Some(embedder.as_ref()), &mut |_, _| {})?;
    }
    Ok(())
}

/// Where the sample library goes when none is named.
pub(super) fn default_library() -> PathBuf {
    PathBuf::from("lahar-samples.db")
}

fn next_steps(samples: &Path) -> String {
    format!(
        "What to try next\n  \
         lahar ask --library {} \"How many people died in Greenfield, Iowa, in the tornado of May 2024?\"\n  \
         lahar ingest FOLDER             your own PDF, HTML, Markdown and text files, into lahar.db\n  \
         lahar ask \"QUESTION\"            answers from them, each quote with its page\n  \
         lahar analyse \"A SENTENCE\"      a hazard task: asks what it needs, then computes\n  \
         lahar doctor                    what is installed and what is missing",
        samples.display()
    )
}
