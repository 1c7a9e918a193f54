//! `lahar ask`.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lahar_answers::{Answer, Asker, Citation, Label, Labelled, Method, Without};
use lahar_core::Decision;

use super::Done;
use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::wire::AskReport;
use crate::workplace::{Questioned, Workplace};

/// Form of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AnswerFormat {
    /// Quotes.
    Open,
    /// The question is a statement: True or False, with the words that decide.
    Tf,
    /// One of the options, by its letter, with the words that decide.
    Mc,
}

/// In whose words the answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WriterName {
    /// The documents': quotes.
    Extractive,
    /// A chat model's, each sentence held to the quotes that it cites.
    Chat,
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
    /// An option of a multiple choice question; give each its own `--option`.
    #[arg(long = "option", value_name = "A=TEXT")]
    options: Vec<String>,
    /// How to answer: lahar, mora, paper-mora, vanilla, cosine, cosine-rerank, keyword or
    /// granularity.
    #[arg(long, value_name = "M", default_value = "lahar")]
    method: String,
    /// In whose words the answer is; `chat` needs a table [chat] in the configuration.
    #[arg(long, value_enum, default_value = "extractive")]
    writer: WriterName,
    /// Agents that are left out of `mora` and `paper-mora`: router, search, rewriter, several with
    /// commas.
    #[arg(long, value_name = "AGENTS")]
    without: Option<Without>,
    /// A library that `mora` and `paper-mora` search when this one does not suffice.
    #[arg(long, value_name = "FILE")]
    second_library: Option<PathBuf>,
}

impl Ask {
    pub(super) fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        let method: Method = self.method.parse()?;
        if self.format != AnswerFormat::Mc && !self.options.is_empty() {
            return Err(Failure::new(
                Kind::Usage,
                "`--option` belongs to `--format mc`",
            ));
        }
        let options = options(&self.options)?;
        let agents = Agents::of(method, self.without, self.second_library.clone())?;
        let question = match self.question.as_str() {
            "-" => from_stdin(workplace.config.limits.question_characters)?,
            question => question.to_owned(),
        };
        let chat = match self.writer {
            WriterName::Extractive => None,
            WriterName::Chat if self.format != AnswerFormat::Open => {
                return Err(Failure::not_implemented(
                    "--writer chat with --format tf or mc",
                ));
            }
            WriterName::Chat => Some(workplace.chat()?),
        };
        if self.format != AnswerFormat::Open {
            if self.place.is_some() {
                return Err(Failure::not_implemented("--place with --format tf or mc")
                    .hint("write the place into the question"));
            }
            let labelled = asked(workplace, output, &question, &agents, |asker| {
                match self.format {
                    AnswerFormat::Mc => asker.choose_option(&question, &options),
                    _ => asker.check_claim(&question),
                }
            })?;
            output.result(&AskReport::labelled(&labelled, method), || {
                labelled_for_people(&labelled, &options)
            });
            return Ok(Done::Decided(labelled.answer.decision()));
        }
        let place = self.place.as_deref();
        let answer = asked(workplace, output, &question, &agents, |asker| match &chat {
            Some(model) => asker.ask_chat(model, &question, place),
            None => asker.ask(&question, place),
        })?;
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

/// Reads `A=text` into options by letter.
fn options(given: &[String]) -> Result<BTreeMap<char, String>, Failure> {
    let mut options = BTreeMap::new();
    for option in given {
        let wrong = |why: &str| {
            Failure::new(Kind::Usage, format!("the option `{option}` {why}"))
                .hint("write it as --option \"A=its text\"")
        };
        let (letter, text) = option.split_once('=').ok_or_else(|| wrong("has no `=`"))?;
        let mut letters = letter.trim().chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else {
            return Err(wrong("needs one letter before the `=`"));
        };
        if text.trim().is_empty() {
            return Err(wrong("has no text"));
        }
        let letter = letter.to_ascii_uppercase();
        if options.insert(letter, text.trim().to_owned()).is_some() {
            return Err(wrong("takes a letter that another one has"));
        }
    }
    Ok(options)
}

/// The label first, then its grounds.
fn labelled_for_people(labelled: &Labelled, options: &BTreeMap<char, String>) -> String {
    let head = match labelled.label {
        Some(Label::Option(letter)) => {
            let text = options.get(&letter).map_or("", String::as_str);
            format!("{letter}: {text}\n")
        }
        Some(label) => format!("{label}\n"),
        None => String::new(),
    };
    head + &for_people(&labelled.answer)
}

/// Opens the library and asks it.
fn asked<T>(
    workplace: &Workplace,
    output: Output,
    question: &str,
    agents: &Agents,
    ask: impl FnOnce(&Asker<'_>) -> Result<T, lahar_answers::AskError>,
) -> Result<T, Failure> {
    // A question that cannot be asked is refused before a model is loaded for it.
    Asker::check(question, workplace.config.limits.question_characters)?;
    let questioned = workplace.open_for_questions(output)?;
    let other = agents.open(workplace, output)?;
    let other = other.as_ref().map(|other| other.asker(agents.method));
    Ok(ask(&Asker {
        without: agents.without,
        elsewhere: other.as_ref(),
        ..questioned.asker(agents.method)
    })?)
}

/// A method, what is left out of it, and where it may search beside the library.
#[derive(Debug)]
pub(super) struct Agents {
    pub(super) method: Method,
    pub(super) without: Without,
    second_library: Option<PathBuf>,
}

impl Agents {
    /// Refuses agents of a method that has none.
    pub(super) fn of(
        method: Method,
        without: Option<Without>,
        second_library: Option<PathBuf>,
    ) -> Result<Agents, Failure> {
        let option = match (&without, &second_library) {
            (Some(_), _) => Some("--without"),
            (_, Some(_)) => Some("--second-library"),
            _ => None,
        };
        if let Some(option) = option.filter(|_| method.behaviour().is_none()) {
            let message =
                format!("`{option}` says nothing to method `{method}`, which has no agents");
            return Err(Failure::new(Kind::Usage, message).hint("use --method mora or paper-mora"));
        }
        Ok(Agents {
            method,
            without: without.unwrap_or_default(),
            second_library,
        })
    }

    /// Opens the other library.
    pub(super) fn open(
        &self,
        workplace: &Workplace,
        output: Output,
    ) -> Result<Option<Questioned>, Failure> {
        let other = self.second_library.as_ref();
        other
            .map(|path| workplace.of_library(path).open_for_questions(output))
            .transpose()
    }
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
            AskError::TooFewOptions => Failure::new(Kind::Usage, error.to_string()),
            AskError::MethodNeedsModel { .. } => Failure::new(Kind::Model, error.to_string()),
            other => Failure::new(Kind::Question, other.to_string()),
        }
    }
}
