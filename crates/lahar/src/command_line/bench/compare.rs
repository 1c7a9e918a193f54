//! `lahar bench compare`: runs of `bench qa` side by side, with paired tests and a plot.

use std::path::{Path, PathBuf};

use clap::Args;
use lahar_bench::side_by_side::{Row, SideBySide, bars, markdown, read_origins, read_rows};

use crate::command_line::Done;
use crate::failure::{Failure, Kind};
use crate::output::Output;

#[derive(Debug, Args)]
pub(super) struct Compare {
    /// Rows that `bench qa --rows` wrote, each with the method's name before it.
    #[arg(long, required = true, num_args = 1.., value_name = "METHOD=FILE")]
    rows: Vec<String>,
    /// The question sets, for the breakdown by how questions were made.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    questions: Vec<PathBuf>,
    /// Folder for the report (Markdown, JSON) and its plots (SVG).
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Compare {
    pub(super) fn run(self, output: Output) -> Result<Done, Failure> {
        let mut runs: Vec<(String, Vec<Row>)> = Vec::new();
        for named in &self.rows {
            let (method, path) = named.split_once('=').ok_or_else(|| {
                Failure::new(Kind::Usage, format!("`{named}` names no method"))
                    .hint("write METHOD=FILE")
            })?;
            let rows = read_rows(&read(path.as_ref())?)
                .map_err(|problem| Failure::new(Kind::File, problem).at(path))?;
            runs.push((method.to_owned(), rows));
        }
        let mut origins = Vec::new();
        for path in &self.questions {
            origins.extend(read_origins(&read(path)?));
        }
        let compared = SideBySide::new(&runs, &origins);
        let text = markdown(&compared, "Methods side by side", Some("by-hazard.svg"));
        if let Some(folder) = &self.out {
            let failed = |error: std::io::Error| {
                Failure::new(Kind::File, format!("the report cannot be written: {error}"))
                    .at(folder.display())
            };
            let json = serde_json::to_string_pretty(&compared)
                .map_err(|error| Failure::new(Kind::File, error.to_string()))?;
            let hazards = bars(&compared, "Accuracy by hazard", |m| &m.by_hazard);
            let categories = bars(&compared, "Accuracy by category", |m| &m.by_category);
            std::fs::create_dir_all(folder).map_err(failed)?;
            for (name, content) in [
                ("report.md", &text),
                ("report.json", &json),
                ("by-hazard.svg", &hazards),
                ("by-category.svg", &categories),
            ] {
                std::fs::write(folder.join(name), content).map_err(failed)?;
            }
        }
        output.result(&compared, || text);
        Ok(Done::Well)
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| {
        Failure::new(Kind::File, format!("the file cannot be read: {error}")).at(path.display())
    })
}
