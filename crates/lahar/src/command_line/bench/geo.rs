//! `lahar bench geo`: do answers hold for the place asked about?

mod pairs;
mod stability;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use lahar_answers::{Answer, AskError, Asker, Method};
use lahar_bench::geo::{GeoAnswer, GeoReport, SeenPassage, run_geo, table};
use lahar_bench::{Item, read_items};
use serde::Serialize;

use crate::command_line::Done;
use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::workplace::{Questioned, Workplace};

#[derive(Debug, Args)]
pub(super) struct Geo {
    /// Sets of open questions (JSON Lines); several are run together.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    questions: Vec<PathBuf>,
    /// How to answer: lahar, cosine, cosine-rerank, keyword, granularity or vanilla.
    #[arg(long, value_name = "M", default_value = "lahar")]
    method: String,
    /// Run the five methods of GeoRisk-RAG's comparison, and print its Table 5 beside.
    #[arg(long)]
    all_methods: bool,
    /// Write blinded pairs of answers for people to judge (CSV; its key goes beside it).
    #[arg(long, value_name = "OUT.csv", conflicts_with = "all_methods")]
    pairs: Option<PathBuf>,
    /// The method that pairs are made with.
    #[arg(long, value_name = "M", default_value = "cosine")]
    against: String,
    /// Score pairs that people have judged.
    #[arg(long, value_name = "IN.csv", conflicts_with_all = ["pairs", "all_methods"])]
    judged: Option<PathBuf>,
    /// Also ask every paraphrase, and measure whether the same passages are found.
    #[arg(long)]
    stability: bool,
    /// The same documents with vectors of another model, for stability across models.
    #[arg(long, value_name = "PATH", requires = "stability")]
    second_library: Option<PathBuf>,
    /// That model.
    #[arg(long, value_name = "NAME", default_value = "paraphrase-MiniLM-L3-v2")]
    second_model: String,
    /// Folder for the report (JSON) and the table (text).
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The reports of a run: the first method's own fields, then the others.
#[derive(Debug, Serialize)]
struct Reports {
    #[serde(flatten)]
    main: GeoReport,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    compared: Vec<GeoReport>,
}

impl Geo {
    pub(super) fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        let items = read_items(&self.questions)?;
        if let Some(judged) = &self.judged {
            return pairs::score(judged, output);
        }
        let methods: Vec<Method> = match self.all_methods {
            true => Method::OF_GEOGRAPHY.to_vec(),
            false => vec![self.method.parse()?],
        };
        let questioned = workplace.open_for_questions(output)?;
        if let Some(out) = &self.pairs {
            let against: Method = self.against.parse()?;
            return pairs::write(out, &questioned, [methods[0], against], &items, output);
        }
        let second = match &self.second_library {
            Some(path) => Some(workplace.with_model(path, &self.second_model, output)?),
            None => None,
        };
        let mut reports = Vec::new();
        for method in methods {
            let mut report = measured(&questioned, method, &items, output)?;
            report.library = Some(workplace.library.display().to_string());
            if self.stability {
                let figures =
                    stability::measure(&questioned, second.as_ref(), method, &items, output)?;
                report.metrics.extend(figures);
            }
            reports.push(report);
        }
        let all: Vec<&GeoReport> = reports.iter().collect();
        let mut text: String = reports
            .iter()
            .map(table::table)
            .collect::<Vec<_>>()
            .join("\n");
        text.push('\n');
        text.push_str(&table::side_by_side(&all));
        let mut reports = reports.into_iter();
        let Some(main) = reports.next() else {
            return Err(Failure::new(Kind::Usage, "no method was named"));
        };
        let reports = Reports {
            main,
            compared: reports.collect(),
        };
        if let Some(folder) = &self.out {
            super::write_report(folder, &reports, &text)?;
        }
        output.result(&reports, || text);
        Ok(Done::Well)
    }
}

/// Asks a method every question.
fn measured(
    questioned: &Questioned,
    method: Method,
    items: &[Item],
    output: Output,
) -> Result<GeoReport, Failure> {
    let asker = questioned.asker(method);
    let bar = output.progress(items.len() as u64, "questions");
    let started = Instant::now();
    let mut report = run_geo(method.name(), items, |question| {
        bar.inc(1);
        answered(&asker, &question.text)
    })?;
    bar.finish_and_clear();
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// An answer as it is measured.
fn answered(asker: &Asker<'_>, question: &str) -> Result<GeoAnswer, AskError> {
    Ok(as_measured(&asker.ask(question, None)?))
}

fn as_measured(answer: &Answer) -> GeoAnswer {
    let passages = answer.trace.retrieved.iter().map(|seen| SeenPassage {
        chunk: seen.chunk_id,
        file: seen.file_name.clone(),
        text: seen.text.clone(),
    });
    GeoAnswer {
        decision: answer.decision(),
        statements: answer
            .statements()
            .iter()
            .map(|statement| statement.text().to_owned())
            .collect(),
        reasons: answer.reasons.iter().map(|r| r.message.clone()).collect(),
        level_used: answer.level.as_ref().map(|level| level.used.clone()),
        passages: passages.collect(),
    }
}
