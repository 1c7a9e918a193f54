//! `lahar bench`: measurements against question sets.

mod compare;
mod conditions;
mod geo;
mod places;
mod qa_set;
mod routes;
mod swaps;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use lahar_answers::{AskError, Asker, Method, Without};
use lahar_bench::citations::{Citation, check_citations};
use lahar_bench::questions::Format;
use lahar_bench::{Comparison, Given, Ground, QueryForm, read_items, run_labels, run_qa, table};
use lahar_core::Decision;
use lahar_library::{DocumentText, Library, Ranking, Reranking, SearchRequest};
use lahar_models::Embedder;
use serde::Serialize;

use super::Done;
use super::ask::Agents;
use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::workplace::{Questioned, Workplace};

/// Measure against question sets.
#[derive(Debug, Args)]
pub(super) struct Bench {
    #[command(subcommand)]
    command: Measurement,
}

#[derive(Debug, Subcommand)]
enum Measurement {
    /// Are the labels right, and does retrieval bring up the evidence? Rankings side by side.
    Qa(Qa),
    /// Are answering, warning and abstaining right for the place asked about?
    Geo(geo::Geo),
    /// Runs of `bench qa` side by side: intervals, paired tests, Markdown and SVG.
    Compare(compare::Compare),
    /// Build true/false and multiple choice questions from the library, by rules.
    BuildQa(qa_set::BuildQa),
    /// Write the swap benchmark: the same questions asked of many places, with their corpus.
    BuildSwaps(swaps::BuildSwaps),
    /// Are places found in running text, and is each the right one?
    Places(places::Places),
    /// Does the agent do what the scripted episodes say, and do its abstentions stand?
    Routes(routes::Routes),
    /// Are conditions of methods found in sentences, each with its role?
    Conditions(conditions::Conditions),
    /// Does every quote of every answer stand where it is said to stand?
    Citations(Citations),
}

impl Bench {
    pub(super) fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        match self.command {
            Measurement::Qa(command) => command.run(workplace, output),
            Measurement::Geo(command) => command.run(workplace, output),
            Measurement::Compare(command) => command.run(output),
            Measurement::BuildQa(command) => command.run(workplace, output),
            Measurement::BuildSwaps(command) => command.run(output),
            Measurement::Places(command) => {
                workplace.use_own_places()?;
                command.run(output)
            }
            Measurement::Routes(command) => command.run(output),
            Measurement::Conditions(command) => command.run(output),
            Measurement::Citations(command) => command.run(workplace, output),
        }
    }
}

#[derive(Debug, Args)]
struct Qa {
    /// Question sets (JSON Lines); several are run together.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    questions: Vec<PathBuf>,
    /// Method that is measured: lahar, mora, paper-mora, vanilla, cosine, cosine-rerank, keyword or
    /// granularity.
    #[arg(long, value_name = "M", default_value = "lahar")]
    method: String,
    /// Search for a multiple choice question together with its options.
    #[arg(long)]
    with_options: bool,
    /// Agents that are left out of `mora` and `paper-mora`: router, search, rewriter, several with
    /// commas.
    #[arg(long, value_name = "AGENTS")]
    without: Option<Without>,
    /// A library that `mora` and `paper-mora` search when this one does not suffice.
    #[arg(long, value_name = "FILE")]
    second_library: Option<PathBuf>,
    /// Measure the method alone, without other rankings beside it.
    #[arg(long)]
    alone: bool,
    /// Folder for the report (JSON) and the table (text).
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// File for what happened to each question, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,
}

impl Qa {
    fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        let method: Method = self.method.parse()?;
        let agents = Agents::of(method, self.without, self.second_library.clone())?;
        let other = agents.open(workplace, output)?;
        let other = other.as_ref().map(|other| other.asker(method));
        let items = read_items(&self.questions)?;
        let questioned = workplace.open_for_questions(output)?;
        let Questioned {
            library,
            embedder,
            reranker,
            ..
        } = &questioned;
        let form = match self.with_options {
            true => QueryForm::WithOptions,
            false => QueryForm::QuestionAlone,
        };
        let mut runs = runs(method, embedder.is_some(), &reranker.reranking())?;
        if self.alone {
            runs.truncate(1);
        }
        let asker = Asker {
            without: agents.without,
            elsewhere: other.as_ref(),
            ..questioned.asker(method)
        };
        let bar = output.progress((items.len() * runs.len()) as u64, "questions");
        let mut reports = Vec::new();
        for run in runs {
            let retrieve = |question: &lahar_bench::Question| {
                let text = question.query_text(form).into_owned();
                let reranking = match run.reranks {
                    true => reranker.reranking(),
                    false => Reranking::Off,
                };
                match run.name == method.name() && method.behaviour().is_some() {
                    true => asker.find(&text),
                    false => retrieve(library, embedder.as_deref(), text, &run, reranking)
                        .map_err(AskError::from),
                }
            };
            let report = run_qa(&run.name, &items, retrieve, |_| bar.inc(1))?;
            reports.push(report.with_library(workplace.library.display().to_string()));
        }
        bar.finish_and_clear();
        let bar = output.progress(items.len() as u64, "labels");
        let labels = run_labels(&items, |question| {
            bar.inc(1);
            label(&asker, question)
        })?;
        bar.finish_and_clear();
        let main = reports.remove(0).with_labels(labels);
        if let Some(path) = &self.rows {
            write_rows(path, &main)?;
        }
        let comparison = Comparison::new(main, reports);
        let text = table(&comparison);
        if let Some(folder) = &self.out {
            write_report(folder, &comparison, &text)?;
        }
        output.result(&comparison, || text);
        Ok(Done::Well)
    }
}

/// The label that a method gives a question; none for open questions and abstentions.
fn label(
    asker: &Asker<'_>,
    question: &lahar_bench::Question,
) -> Result<Given, lahar_answers::AskError> {
    let labelled = match &question.format {
        Format::TrueFalse => asker.check_claim(&question.text)?,
        Format::MultipleChoice(options) => asker.choose_option(&question.text, options)?,
        Format::Open => return Ok(Given::default()),
    };
    let reasons = labelled.answer.reasons.iter();
    let grounds = labelled.grounds.into_iter().map(|ground| Ground {
        name: ground.name.to_owned(),
        value: ground.value,
        adds: ground.adds,
        message: ground.message,
    });
    Ok(Given {
        label: labelled.label.map(|label| label.to_string()),
        reasons: reasons.map(|reason| reason.message.clone()).collect(),
        grounds: grounds.collect(),
    })
}

fn write_rows(path: &std::path::Path, report: &lahar_bench::Report) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(Kind::File, format!("the rows cannot be written: {error}")).at(path.display())
    };
    let file = std::fs::File::create(path).map_err(failed)?;
    report
        .write_rows(std::io::BufWriter::new(file))
        .map_err(failed)
}

/// One way to retrieve, measured.
struct Run {
    name: String,
    ranking: Ranking,
    candidates: usize,
    reranks: bool,
}

/// The method's own retrieval first, then those it is compared with.
fn runs(
    method: Method,
    with_vectors: bool,
    reranking: &Reranking<'_>,
) -> Result<Vec<Run>, Failure> {
    let own = |name: String, ranking| Run {
        name,
        ranking,
        candidates: method.candidates(),
        reranks: method.reranks(reranking),
    };
    if !with_vectors {
        if method.ranking() == Ranking::Dense {
            return Err(lahar_answers::AskError::MethodNeedsModel { method }.into());
        }
        return Ok(vec![own(format!("{method} (lexical)"), Ranking::Lexical)]);
    }
    let mut runs = vec![own(method.name().to_owned(), method.ranking())];
    for (name, ranking, reranks) in [
        ("dense", Ranking::Dense, false),
        ("lexical", Ranking::Lexical, false),
        ("fused", Ranking::Fused, false),
        ("dense + rerank", Ranking::Dense, true),
        ("fused + rerank", Ranking::Fused, true),
    ] {
        if (ranking, reranks) != (method.ranking(), method.reranks(reranking)) {
            runs.push(Run {
                name: name.to_owned(),
                ranking,
                candidates: lahar_library::CANDIDATES,
                reranks,
            });
        }
    }
    Ok(runs)
}

fn retrieve(
    library: &Library,
    embedder: Option<&dyn Embedder>,
    text: String,
    run: &Run,
    reranking: Reranking<'_>,
) -> Result<Vec<lahar_library::Hit>, lahar_library::LibraryError> {
    let request = SearchRequest {
        ranking: run.ranking,
        limit: run.candidates,
        candidates: run.candidates,
        ..SearchRequest::new(text)
    };
    library.retrieve(&request, embedder, reranking)
}

fn write_report(
    folder: &std::path::Path,
    report: &impl Serialize,
    text: &str,
) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(Kind::File, format!("the report cannot be written: {error}"))
            .at(folder.display())
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let json = serde_json::to_string_pretty(report)
        .map_err(|error| Failure::new(Kind::File, error.to_string()))?;
    std::fs::write(folder.join("report.json"), json).map_err(failed)?;
    std::fs::write(folder.join("report.txt"), text).map_err(failed)
}

#[derive(Debug, Args)]
struct Citations {
    /// Question sets (JSON Lines); every question is asked as an open one.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    questions: Vec<PathBuf>,
    /// How to answer: lahar, cosine, cosine-rerank, keyword, granularity or vanilla.
    #[arg(long, value_name = "M", default_value = "lahar")]
    method: String,
}

/// What `lahar bench citations` found.
#[derive(Debug, Serialize)]
struct CitationsReport {
    questions: usize,
    answered: usize,
    abstained: usize,
    citations: lahar_bench::citations::CitationReport,
}

impl Citations {
    fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        let method: Method = self.method.parse()?;
        let items = read_items(&self.questions)?;
        let questioned = workplace.open_for_questions(output)?;
        let asker = questioned.asker(method);
        let bar = output.progress(items.len() as u64, "questions");
        let mut abstained = 0;
        let mut cited = Vec::new();
        for item in &items {
            let answer = asker.ask(&item.question.text, None)?;
            abstained += usize::from(answer.decision() == Decision::Abstain);
            for citation in answer.statements().iter().flat_map(|s| s.citations()) {
                let text: DocumentText = questioned.library.text(citation.span.document())?;
                cited.push((text, citation.span.clone()));
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        let citations = check_citations(cited.iter().map(|(document, span)| Citation {
            document: &document.title,
            text: &document.text,
            range: span.range(),
            quote: span.quote(),
        }));
        let all_hold = citations.all_hold();
        let report = CitationsReport {
            questions: items.len(),
            answered: items.len() - abstained,
            abstained,
            citations,
        };
        output.result(&report, || {
            format!(
                "{} questions: {} answered, {} abstained\n{} citations, {} not found verbatim at their offsets",
                report.questions,
                report.answered,
                report.abstained,
                report.citations.checked,
                report.citations.failed
            )
        });
        Ok(if all_hold { Done::Well } else { Done::Badly })
    }
}

impl From<lahar_bench::Error> for Failure {
    fn from(error: lahar_bench::Error) -> Failure {
        Failure::new(Kind::File, error.to_string())
    }
}
