//! `lahar ask`.

use std::io::Read;

use clap::{Args, ValueEnum};
use lahar_answers::{Answer, Asker, Citation, Method};
use lahar_core::Decision;

use super::Done;
use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::wire::AskReport;
use crate::workplace::Workplace;

/// Form of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AnswerFormat {
    /// Quotes.
    Open,
    /// Not implemented yet.
    Tf,
    /// Not implemented yet.
    Mc,
}

/// Ask a question.
#[derive(Debug, Args)]
pub(super) struct Ask {
    /// The question, in words; `-` reads it from standard input.
    question: String,
    /// The place asked about, where the question does not name it: "Osage County, Oklahoma", or
    /// coordinates "36.6, -96.4".
    #[arg(long, value_name = "P")]
    place: Option<String>,
    /// Form of the answer.
    #[arg(long, value_enum, default_value = "open")]
    format: AnswerFormat,
    /// Not implemented yet.
    #[arg(long = "option", value_name = "A=TEXT")]
    options: Vec<String>,
    /// How to answer: lahar, cosine, vanilla or cosine-rerank.
    #[arg(long, value_name = "M", default_value = "lahar")]
    method: String,
    /// Not implemented yet.
    #[arg(long, value_name = "PARTS")]
    without: Option<String>,
}

impl Ask {
    pub(super) fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        let method: Method = self.method.parse()?;
        if self.format != AnswerFormat::Open || !self.options.is_empty() {
            return Err(
                Failure::not_implemented("checking a claim (--format tf, --format mc)")
                    .hint("ask it as an open question"),
            );
        }
        if self.without.is_some() {
            return Err(Failure::not_implemented("--without"));
        }
        let question = match self.question.as_str() {
            "-" => from_stdin(workplace.config.limits.question_characters)?,
            question => question.to_owned(),
        };
        let answer = answer(workplace, output, &question, self.place.as_deref(), method)?;
        output.result(&AskReport::new(&answer, method), || for_people(&answer));
        Ok(Done::Decided(answer.decision()))
    }
}

/// Reads a question from standard input, no more of it than is needed to see that it is too long.
fn from_stdin(longest: usize) -> Result<String, Failure> {
    let most_bytes = 4 * (longest as u64 + 1);
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(most_bytes)
        .read_to_end(&mut bytes)
        .map_err(|error| {
            Failure::new(
                Kind::Question,
                format!("the question cannot be read: {error}"),
            )
            .at("standard input")
        })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Opens the library and asks it one question.
fn answer(
    workplace: &Workplace,
    output: Output,
    question: &str,
    place: Option<&str>,
    method: Method,
) -> Result<Answer, Failure> {
    // A question that cannot be asked is refused before a model is loaded for it.
    let longest_question = workplace.config.limits.question_characters;
    Asker::check(question, longest_question)?;
    let library = workplace.open_for_reading()?;
    let embedder = workplace.embedder_of(&library, output)?;
    let reranker = workplace.reranker()?;
    let asker = Asker {
        library: &library,
        embedder: embedder.as_deref(),
        method,
        reranking: reranker.reranking(),
        longest_question,
    };
    Ok(asker.ask(question, place)?)
}

/// The answer as people read it: what is said, each statement with its source, then why.
pub(super) fn for_people(answer: &Answer) -> String {
    let mut text = match answer.decision() {
        Decision::Answer => String::new(),
        Decision::Warn => "WARNING\n".to_owned(),
        Decision::Abstain => "No answer.\n".to_owned(),
    };
    for statement in answer.statements() {
        text.push_str(&format!("\n  {}\n", statement.text().replace('\n', "\n  ")));
        if let Some(last) = statement.citations().last() {
            text.push_str(&format!("      [{}]\n", source(last)));
        }
    }
    text.push('\n');
    for reason in &answer.reasons {
        text.push_str(&format!("{}\n", reason.message));
    }
    if !answer.ask_back.is_empty() {
        text.push_str(&format!(
            "Which is meant: {}?\n",
            answer.ask_back.join("; ")
        ));
        text.push_str("Ask again with the place in full, or with --place.\n");
    }
    for missing in answer.missing() {
        text.push_str(&format!("Missing: {missing}.\n"));
    }
    text
}

fn source(citation: &Citation) -> String {
    let mut source = citation.title.clone();
    if let Some(pages) = citation.span.pages() {
        source.push_str(&match pages.first == pages.last {
            true => format!(", page {}", pages.first),
            false => format!(", pages {}-{}", pages.first, pages.last),
        });
    }
    if let Some(section) = &citation.section
        && *section != citation.title
    {
        source.push_str(&format!(", \"{section}\""));
    }
    source
}

impl From<lahar_answers::MethodError> for Failure {
    fn from(error: lahar_answers::MethodError) -> Failure {
        let kind = match error {
            lahar_answers::MethodError::NotImplemented(_) => Kind::NotImplemented,
            _ => Kind::Usage,
        };
        Failure::new(kind, error.to_string())
    }
}

impl From<lahar_answers::AskError> for Failure {
    fn from(error: lahar_answers::AskError) -> Failure {
        use lahar_answers::AskError;
        match error {
            AskError::Library(error) => error.into(),
            AskError::Model(error) => error.into(),
            AskError::Place(error) => error.into(),
            AskError::MethodNeedsModel { .. } => Failure::new(Kind::Model, error.to_string()),
            other => Failure::new(Kind::Question, other.to_string()),
        }
    }
}
