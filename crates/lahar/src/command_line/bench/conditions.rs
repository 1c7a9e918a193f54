//! `lahar bench conditions`: are conditions of methods found in sentences, and with their role?

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use lahar_bench::conditions::{self, Given, Half, Label, Row};
use lahar_places::Gazetteer;
use lahar_routes::compile::{self, judge::judge};

use crate::command_line::Done;
use crate::failure::{Failure, Kind};
use crate::output::Output;

#[derive(Debug, Args)]
pub(super) struct Conditions {
    /// The folder that the labels' files lie in.
    #[arg(long, value_name = "DIR")]
    sources: PathBuf,
    /// Show every sentence that was judged wrongly, of the half that may be looked at.
    #[arg(long)]
    wrong: bool,
}

/// The text that the offsets of a file count in.
fn text(path: &Path) -> Result<String, Failure> {
    let failed = |why: String| Failure::new(Kind::File, why).at(path.display());
    if path.extension().is_some_and(|extension| extension == "pdf") {
        let read = lahar_documents::read(path, &lahar_documents::ReadOptions::default());
        return read
            .map(|document| document.text)
            .map_err(|error| failed(error.to_string()));
    }
    std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))
}

impl Conditions {
    pub(super) fn run(self, output: Output) -> Result<Done, Failure> {
        let wrong = |message: String| Failure::new(Kind::Usage, message);
        let labels = conditions::labels().map_err(wrong)?;
        let mut by_file: BTreeMap<&str, Vec<Label>> = BTreeMap::new();
        for label in &labels {
            by_file.entry(&label.file).or_default().push(label.clone());
        }
        let mut texts = Vec::new();
        for (file, labels) in by_file {
            texts.push((text(&self.sources.join(file))?, labels));
        }
        let mut rows: Vec<Row<'_>> = Vec::new();
        for (text, labels) in &texts {
            let sentences = conditions::sentences(text, labels).map_err(wrong)?;
            for (label, sentence) in labels.iter().zip(sentences) {
                let judged = judge(Gazetteer::embedded(), sentence);
                let given = judged.map(|judged| Given {
                    role: judged.role,
                    sure: judged.is_sure(),
                    statement: compile::shown(&judged.asked),
                });
                rows.push(Row {
                    label,
                    sentence,
                    given,
                });
            }
        }
        let half = |half: Half| -> Vec<Row<'_>> {
            let own = rows.iter().filter(|row| row.label.half == half);
            own.cloned().collect()
        };
        let (dev, held) = (half(Half::Dev), half(Half::Held));
        let value = serde_json::json!({
            "dev": conditions::score(&dev), "held": conditions::score(&held),
            "all": conditions::score(&rows),
        });
        output.result(&value, || {
            let mut shown = String::new();
            for (title, rows) in [("seen", &dev), ("not seen", &held), ("all", &rows)] {
                let scores = conditions::score(rows);
                shown.push_str(&format!(
                    "{} sentences, {title}\n{}\n",
                    rows.len(),
                    conditions::table(&scores)
                ));
            }
            if self.wrong {
                dev.iter()
                    .filter_map(wrongly)
                    .for_each(|line| shown.push_str(&line));
            }
            shown
        });
        Ok(Done::Well)
    }
}

/// A sentence with what was said of it, where that is not its label.
fn wrongly(row: &Row<'_>) -> Option<String> {
    let roles: Vec<String> = row
        .label
        .roles
        .iter()
        .map(|r| conditions::name(*r))
        .collect();
    let said = match &row.given {
        None => "none".to_owned(),
        Some(given) => format!(
            "{}{} {}",
            conditions::name(given.role),
            if given.sure { "!" } else { "" },
            given.statement.as_deref().unwrap_or_default()
        ),
    };
    let right = match &row.given {
        None => row.label.roles.is_empty(),
        Some(given) => {
            row.label.roles.contains(&given.role)
                && (!given.sure || given.statement == row.label.statement)
        }
    };
    let label = match roles.is_empty() {
        true => "none".to_owned(),
        false => roles.join("|"),
    };
    (!right).then(|| {
        format!(
            "{} {} | {label} [{}] | {said} | {}\n",
            row.label.file,
            row.label.range.start,
            row.label.statement.as_deref().unwrap_or("-"),
            lahar_library::one_line(row.sentence)
        )
    })
}
