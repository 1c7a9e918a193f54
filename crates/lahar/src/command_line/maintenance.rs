//! `lahar check`, `lahar reindex`.

use clap::Args;
use lahar_library::ChunkKind;

use super::{ChunkerName, Done};
use crate::failure::Failure;
use crate::output::Output;
use crate::workplace::Workplace;

/// Verify the library.
#[derive(Debug, Args)]
pub(super) struct Check {
    /// Mend what can be mended.
    #[arg(long)]
    repair: bool,
}

impl Check {
    pub(super) fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        let mut library = match self.repair {
            true => workplace.open_for_writing(output)?,
            false => workplace.open_for_reading()?,
        };
        let report = library.check(self.repair)?;
        output.result(&report, || {
            let mut text = format!("{} documents, {} chunks: ", report.documents, report.chunks);
            if report.problems.is_empty() {
                text.push_str("sound");
            }
            for problem in &report.problems {
                let word = if problem.mended { "mended" } else { "problem" };
                text.push_str(&format!("\n{word}: {}", problem.message));
            }
            text
        });
        Ok(if report.is_sound() {
            Done::Well
        } else {
            Done::Badly
        })
    }
}

/// Cut and embed every document anew.
#[derive(Debug, Args)]
pub(super) struct Reindex {
    /// How to cut; by default as the library is cut now.
    #[arg(long, value_enum)]
    chunker: Option<ChunkerName>,
}

impl Reindex {
    pub(super) fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        let mut library = workplace.open_for_writing(output)?;
        let chunker: ChunkKind = match self.chunker {
            Some(name) => name.kind()?,
            None => library.settings()?.chunker,
        };
        let embedder = workplace.embedder_for_new(output)?;
        let documents = library.document_count()?;
        let bar = output.progress(documents as u64, "documents");
        let mut seen = std::collections::BTreeSet::new();
        library.reindex(chunker, embedder.as_deref(), &mut |document, chunks| {
            if seen.insert(document.id) {
                bar.set_position(seen.len() as u64 - 1);
            }
            bar.set_message(format!(
                "{} ({}/{})",
                document.title, chunks.done, chunks.total
            ));
        })?;
        bar.finish_and_clear();
        let model = embedder.as_ref().map(|model| model.identity().name.clone());
        let value =
            serde_json::json!({ "documents": documents, "model": model, "chunker": chunker });
        output.result(&value, || {
            let by = model.unwrap_or_else(|| "words alone".into());
            format!("{documents} documents cut again and indexed with {by}")
        });
        Ok(Done::Well)
    }
}
