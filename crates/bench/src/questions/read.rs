//! Reading question sets.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use lahar_core::{Decision, Hazard};
use serde::Deserialize;
use serde_json::Value;

use super::{Answer, Evidence, Format, Item, Key, OpenAnswer, Question};
use crate::error::Error;
use crate::retrieval::{file_name, fold};

/// Reads one or more files as one set, in the order given. Ids must differ over all of them.
pub fn read_items<P: AsRef<Path>>(paths: &[P]) -> Result<Vec<Item>, Error> {
    let mut set = Set::default();
    for path in paths {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|source| Error::Unreadable {
            path: path.to_owned(),
            source,
        })?;
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            bad_line(
                path,
                before.iter().filter(|&&byte| byte == b'\n').count() + 1,
                Problem::new(
                    "the text is not UTF-8",
                    "save the file as UTF-8 and try again",
                ),
            )
        })?;
        set.add(text, path)?;
    }
    Ok(set.items)
}

/// Reads a set that is in memory; `path` is what errors call it.
///
/// ```
/// use lahar_bench::questions::{QueryForm, parse_items};
/// let line = r#"{"id": "q1", "type": "TF", "question": "Lava is cold.", "answer": "False"}"#;
/// let items = parse_items(line, "own.jsonl".as_ref()).unwrap();
/// assert_eq!(items[0].question.query_text(QueryForm::default()), "Lava is cold.");
/// ```
pub fn parse_items(text: &str, path: &Path) -> Result<Vec<Item>, Error> {
    let mut set = Set::default();
    set.add(text, path)?;
    Ok(set.items)
}

#[derive(Default)]
struct Set {
    items: Vec<Item>,
    seen: HashMap<String, (PathBuf, usize)>,
}

impl Set {
    fn add(&mut self, text: &str, path: &Path) -> Result<(), Error> {
        let before = self.items.len();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let number = index + 1;
            let item = item(line).map_err(|problem| bad_line(path, number, problem))?;
            let id = item.question.id.clone();
            if let Some((file, first)) = self.seen.get(&id) {
                let problem = format!(
                    "the id `{id}` stands in {}, line {first}, already",
                    file.display()
                );
                return Err(bad_line(
                    path,
                    number,
                    Problem::new(problem, "give every question an id of its own"),
                ));
            }
            self.seen.insert(id, (path.to_owned(), number));
            self.items.push(item);
        }
        if self.items.len() == before {
            return Err(Error::NoQuestions {
                path: path.to_owned(),
            });
        }
        Ok(())
    }
}

fn bad_line(path: &Path, line: usize, problem: Problem) -> Error {
    Error::BadLine {
        path: path.to_owned(),
        line,
        problem: problem.what,
        next_step: problem.next_step,
    }
}

struct Problem {
    what: String,
    next_step: String,
}

impl Problem {
    fn new(what: impl Into<String>, next_step: impl Into<String>) -> Problem {
        Problem {
            what: what.into(),
            next_step: next_step.into(),
        }
    }
}

/// The fields as they stand. Those whose JSON type may vary are values, so that the message can
/// say which types will do.
#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    id: Value,
    question: Option<String>,
    r#type: Option<String>,
    #[serde(default)]
    options: Value,
    #[serde(default)]
    answer: Value,
    category: Option<String>,
    #[serde(default)]
    hazard: Value,
    document: Option<String>,
    evidence: Option<String>,
    place: Option<String>,
    reference_answer: Option<String>,
    expected_decision: Option<String>,
    acceptable_decisions: Option<Vec<String>>,
    #[serde(default)]
    location_dependent: Value,
    geo_error_type: Option<String>,
    group: Option<String>,
    #[serde(default)]
    paraphrases: Vec<String>,
    #[serde(default)]
    reference_alternatives: Vec<String>,
    #[serde(default)]
    warning_names: Vec<String>,
    #[serde(default)]
    relations: BTreeMap<String, Vec<String>>,
}

fn item(line: &str) -> Result<Item, Problem> {
    let line: Line = serde_json::from_str(line).map_err(|error| {
        // serde_json counts lines within the one it was given; only the column means something.
        let said = error.to_string();
        let said = said.split(" at line ").next().unwrap_or(&said);
        Problem::new(
            format!(
                "no question can be read (column {}: {said})",
                error.column()
            ),
            "write one JSON object a line, with the fields of the question formats",
        )
    })?;
    let id = match &line.id {
        Value::String(id) => id.trim().to_owned(),
        Value::Number(id) => id.to_string(),
        _ => String::new(),
    };
    if id.is_empty() {
        return Err(Problem::new(
            "the question has no id",
            "give it a text or number in the field `id`",
        ));
    }
    let text = filled(&line.question).ok_or_else(|| {
        Problem::new(
            format!("`{id}` asks nothing"),
            "write the question in the field `question`",
        )
    })?;
    let (format, answer) = format_and_answer(&id, &line)?;
    Ok(Item {
        question: Question {
            text,
            format,
            place: filled(&line.place),
            paraphrases: line.paraphrases.clone(),
            id: id.clone(),
        },
        key: Key {
            answer,
            category: filled(&line.category),
            hazards: hazards(&id, &line.hazard)?,
            evidence: evidence(&id, &line)?,
        },
    })
}

fn format_and_answer(id: &str, line: &Line) -> Result<(Format, Answer), Problem> {
    let kind = line.r#type.as_deref().map(str::trim).unwrap_or_default();
    match kind.to_ascii_uppercase().as_str() {
        "TF" => {
            let truth = match &line.answer {
                Value::Bool(truth) => Some(*truth),
                Value::String(word) if word.trim().eq_ignore_ascii_case("true") => Some(true),
                Value::String(word) if word.trim().eq_ignore_ascii_case("false") => Some(false),
                _ => None,
            };
            let truth = truth.ok_or_else(|| {
                Problem::new(
                    format!("the answer of `{id}` is {}", line.answer),
                    "write \"True\" or \"False\"",
                )
            })?;
            Ok((Format::TrueFalse, Answer::TrueFalse(truth)))
        }
        "MC" => {
            let options = options(id, &line.options)?;
            let letter = line.answer.as_str().and_then(letter);
            match letter.filter(|letter| options.contains_key(letter)) {
                Some(letter) => Ok((Format::MultipleChoice(options), Answer::Letter(letter))),
                None => Err(Problem::new(
                    format!(
                        "the answer of `{id}` is {}, which is none of its options",
                        line.answer
                    ),
                    "write the letter of one of them",
                )),
            }
        }
        "OPEN" => Ok((Format::Open, Answer::Open(open_answer(id, line)?))),
        "" if line.expected_decision.is_some() => {
            Ok((Format::Open, Answer::Open(open_answer(id, line)?)))
        }
        "" => Err(Problem::new(
            format!("`{id}` has no `type`"),
            "write \"TF\" or \"MC\", or an `expected_decision` if the question is open",
        )),
        _ => Err(Problem::new(
            format!("`{id}` is of the unknown type `{kind}`"),
            "write \"TF\", \"MC\" or \"open\"",
        )),
    }
}

fn letter(text: &str) -> Option<char> {
    let mut chars = text.trim().chars();
    let letter = chars.next().filter(char::is_ascii_alphabetic)?;
    chars.next().is_none().then(|| letter.to_ascii_uppercase())
}

fn options(id: &str, options: &Value) -> Result<BTreeMap<char, String>, Problem> {
    let wrong = |what: &str| {
        Problem::new(
            format!("the options of `{id}` {what}"),
            "write an object such as {\"A\": \"first\", \"B\": \"second\"}",
        )
    };
    let by_letter = options
        .as_object()
        .ok_or_else(|| wrong("are no object by letter"))?;
    let mut read = BTreeMap::new();
    for (key, text) in by_letter {
        let letter = letter(key).ok_or_else(|| wrong("have a name that is no letter"))?;
        let text = text
            .as_str()
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .ok_or_else(|| wrong("have one without text"))?;
        if read.insert(letter, text.to_owned()).is_some() {
            return Err(wrong("name a letter twice"));
        }
    }
    if read.len() < 2 {
        return Err(wrong("are fewer than two"));
    }
    Ok(read)
}

fn open_answer(id: &str, line: &Line) -> Result<OpenAnswer, Problem> {
    let word = filled(&line.expected_decision).ok_or_else(|| {
        Problem::new(
            format!("`{id}` is open and has no `expected_decision`"),
            "write \"answer\", \"warn\" or \"abstain\"",
        )
    })?;
    let expected = decision(id, &word)?;
    let mut acceptable = BTreeSet::from([expected]);
    for word in line.acceptable_decisions.iter().flatten() {
        acceptable.insert(decision(id, word)?);
    }
    let location_dependent = match &line.location_dependent {
        Value::Null => None,
        Value::Bool(dependent) => Some(*dependent),
        Value::String(word) if word.eq_ignore_ascii_case("yes") => Some(true),
        Value::String(word) if word.eq_ignore_ascii_case("no") => Some(false),
        other => {
            return Err(Problem::new(
                format!("`location_dependent` of `{id}` is {other}"),
                "write \"yes\" or \"no\"",
            ));
        }
    };
    Ok(OpenAnswer {
        reference: filled(&line.reference_answer),
        expected,
        acceptable,
        location_dependent,
        geo_error_type: filled(&line.geo_error_type),
        group: filled(&line.group),
        alternatives: line.reference_alternatives.clone(),
        warning_names: line.warning_names.clone(),
        relations: line.relations.clone(),
    })
}

fn decision(id: &str, word: &str) -> Result<Decision, Problem> {
    match word.trim().to_ascii_lowercase().as_str() {
        "answer" => Ok(Decision::Answer),
        "warn" => Ok(Decision::Warn),
        "abstain" => Ok(Decision::Abstain),
        _ => Err(Problem::new(
            format!("`{id}` expects the unknown decision `{word}`"),
            "write \"answer\", \"warn\" or \"abstain\"",
        )),
    }
}

fn hazards(id: &str, hazard: &Value) -> Result<Vec<Hazard>, Problem> {
    let wrong = || {
        Problem::new(
            format!("the hazard of `{id}` is {hazard}"),
            "write a label, or a list of labels",
        )
    };
    match hazard {
        Value::Null => Ok(Vec::new()),
        Value::String(label) => Ok(Hazard::parse_list(label)),
        Value::Array(labels) => {
            let labels: Option<Vec<&str>> = labels.iter().map(Value::as_str).collect();
            Ok(Hazard::parse_list(&labels.ok_or_else(wrong)?.join(";")))
        }
        _ => Err(wrong()),
    }
}

/// A quote without a letter or digit would stand in every chunk, so it counts as none.
fn evidence(id: &str, line: &Line) -> Result<Option<Evidence>, Problem> {
    let Some(quote) = filled(&line.evidence).filter(|quote| !fold(quote).is_empty()) else {
        return Ok(None);
    };
    let document = line.document.as_deref().map(file_name).unwrap_or_default();
    if document.is_empty() {
        return Err(Problem::new(
            format!("`{id}` quotes evidence and names no document"),
            "write the document's file name, or set `evidence` to null",
        ));
    }
    Ok(Some(Evidence { document, quote }))
}

fn filled(text: &Option<String>) -> Option<String> {
    text.as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}
