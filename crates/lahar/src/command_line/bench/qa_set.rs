//! `lahar bench build-qa`: a question set built by rules from the library.

use std::path::PathBuf;

use clap::Args;
use lahar_bench::builder::{Paragraph, Settings, Source, build, tables};
use lahar_core::HazardWeights;
use lahar_documents::BlockKind;
use lahar_library::Library;

use crate::command_line::Done;
use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::workplace::Workplace;

#[derive(Debug, Args)]
pub(super) struct BuildQa {
    /// Folder for the questions, the settings with the set's hash, and the tables.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The same seed over the same library gives the same set.
    #[arg(long, default_value_t = Settings::default().seed)]
    seed: u64,
    /// How many questions are wanted; a small library gives fewer.
    #[arg(long, value_name = "N", default_value_t = Settings::default().items)]
    items: usize,
    /// Leave out questions that can be answered without the document.
    #[arg(long)]
    drop_guessable: bool,
}

impl BuildQa {
    pub(super) fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        if self.items == 0 {
            return Err(
                Failure::new(Kind::Usage, "a set of no questions was asked for")
                    .hint("give --items a number above 0"),
            );
        }
        let settings = Settings {
            seed: self.seed,
            items: self.items,
            drop_guessable: self.drop_guessable,
        };
        let built = build(&sources(&workplace.open_for_reading()?)?, &settings)?;
        if built.items.is_empty() {
            let message = "no question can be built: no document has sentences to ask about";
            return Err(Failure::new(Kind::File, message)
                .at(workplace.library.display())
                .hint("lahar ingest PATH adds documents"));
        }
        let text = tables::report(&built);
        let failed = |error: std::io::Error| {
            Failure::new(Kind::File, format!("the set cannot be written: {error}"))
                .at(self.out.display())
        };
        let summary = serde_json::to_string_pretty(&built)
            .map_err(|error| Failure::new(Kind::File, error.to_string()))?;
        std::fs::create_dir_all(&self.out).map_err(failed)?;
        std::fs::write(self.out.join("questions.jsonl"), built.json_lines()).map_err(failed)?;
        std::fs::write(self.out.join("set.json"), summary).map_err(failed)?;
        std::fs::write(self.out.join("tables.txt"), &text).map_err(failed)?;
        output.result(&built, || text);
        Ok(Done::Well)
    }
}

/// Every document's running text, with what each paragraph is about.
fn sources(library: &Library) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    for stored in library.documents()? {
        let document = library.read(stored.id)?;
        let index = lahar_core::TextIndex::new(&document.text);
        let running = document
            .blocks
            .iter()
            .filter(|block| matches!(block.kind, BlockKind::Paragraph | BlockKind::ListItem));
        let paragraphs = running
            .filter_map(|block| index.slice(block.range))
            .map(|text| {
                let own = strongest(&lahar_library::label::text_hazards(text));
                Paragraph {
                    text: text.to_owned(),
                    hazard: own
                        .or_else(|| strongest(&stored.hazards))
                        .unwrap_or_default(),
                }
            });
        sources.push(Source {
            document: stored.file_name.clone(),
            paragraphs: paragraphs
                .filter(|paragraph| !paragraph.hazard.is_empty())
                .collect(),
        });
    }
    Ok(sources)
}

fn strongest(hazards: &HazardWeights) -> Option<String> {
    let first = hazards.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(first.0.to_string())
}
