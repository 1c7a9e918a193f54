//! `lahar bench geo`: are the decisions on questions about places good ones?

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use lahar_answers::Method;
use lahar_bench::decisions::{decision_table, run_decisions};
use lahar_bench::read_items;

use crate::command_line::Done;
use crate::failure::Failure;
use crate::output::Output;
use crate::workplace::Workplace;

#[derive(Debug, Args)]
pub(super) struct Geo {
    /// Sets of open questions (JSON Lines); several are run together.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    questions: Vec<PathBuf>,
    /// How to answer: lahar, cosine, cosine-rerank or vanilla.
    #[arg(long, value_name = "M", default_value = "lahar")]
    method: String,
    /// Not implemented yet.
    #[arg(long, value_name = "OUT.csv")]
    pairs: Option<PathBuf>,
    /// Not implemented yet.
    #[arg(long, value_name = "IN.csv")]
    judged: Option<PathBuf>,
}

impl Geo {
    /// Asks every open question and prints the metrics that follow from the decision alone; those
    /// that need the answer's text judged are not implemented yet.
    pub(super) fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        if self.pairs.is_some() || self.judged.is_some() {
            return Err(Failure::not_implemented("--pairs and --judged"));
        }
        let method: Method = self.method.parse()?;
        let items = read_items(&self.questions)?;
        let questioned = workplace.open_for_questions(output)?;
        let asker = questioned.asker(method);
        let bar = output.progress(items.len() as u64, "questions");
        let started = Instant::now();
        let mut report = run_decisions(method.name(), &items, |question| {
            let answer = asker.ask(&question.text, None)?;
            bar.inc(1);
            Ok::<_, lahar_answers::AskError>(answer.decision())
        })?;
        bar.finish_and_clear();
        report.seconds = started.elapsed().as_secs_f64();
        report.library = Some(workplace.library.display().to_string());
        output.result(&report, || decision_table(&report));
        Ok(Done::Well)
    }
}
