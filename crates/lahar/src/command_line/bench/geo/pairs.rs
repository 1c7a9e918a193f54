//! Blinded pairs of answers as files: a table for people to fill in, and its key beside it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lahar_answers::Method;
use lahar_bench::Item;
use lahar_bench::geo::GeoAnswer;
use lahar_bench::geo::pairs::{PairKey, Preferred, blind, preference};
use lahar_bench::interval::Estimate;
use lahar_bench::questions::Format;
use serde::Serialize;

use super::answered;
use crate::command_line::Done;
use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::workplace::Questioned;

/// Which side a method stands on is drawn with this seed and the question's id.
const SEED: u64 = 1;

const COLUMNS: [&str; 5] = ["id", "question", "answer 1", "answer 2", "preferred"];

/// What was written.
#[derive(Debug, Serialize)]
struct Written {
    pairs: usize,
    same: usize,
    file: PathBuf,
    key: PathBuf,
}

/// Asks two methods every open question and writes their answers side by side.
pub(super) fn write(
    out: &Path,
    questioned: &Questioned,
    [method, against]: [Method; 2],
    items: &[Item],
    output: Output,
) -> Result<Done, Failure> {
    if method == against {
        return Err(Failure::new(
            Kind::Usage,
            format!("`{method}` cannot be compared with itself"),
        )
        .hint("name another method with --against"));
    }
    let askers = (questioned.asker(method), questioned.asker(against));
    let bar = output.progress(items.len() as u64, "questions");
    let mut answers: Vec<(String, String, GeoAnswer, GeoAnswer)> = Vec::new();
    for item in items {
        bar.inc(1);
        let question = &item.question;
        if question.format != Format::Open {
            continue;
        }
        let own = answered(&askers.0, &question.text)?;
        let other = answered(&askers.1, &question.text)?;
        answers.push((question.id.clone(), question.text.clone(), own, other));
    }
    bar.finish_and_clear();
    let (pairs, key) = blind(SEED, method.name(), against.name(), &answers);
    let mut text = line(&COLUMNS);
    for pair in &pairs {
        text.push_str(&line(&[
            &pair.id,
            &pair.question,
            &pair.left,
            &pair.right,
            "",
        ]));
    }
    let key_file = key_of(out);
    let json = serde_json::to_string_pretty(&key)
        .map_err(|error| Failure::new(Kind::File, error.to_string()))?;
    for (path, text) in [(out, &text), (&key_file, &json)] {
        std::fs::write(path, text).map_err(|error| {
            Failure::new(Kind::File, format!("the pairs cannot be written: {error}"))
                .at(path.display())
        })?;
    }
    let written = Written {
        pairs: pairs.len(),
        same: answers.len() - pairs.len(),
        file: out.to_owned(),
        key: key_file,
    };
    output.result(&written, || {
        format!(
            "{} pairs in {}, {} questions with equal answers left out\n\
             Write 1, 2 or tie into the column `preferred`, without looking into {}; then run \
             `lahar bench geo --judged {}` with the same questions.",
            written.pairs,
            written.file.display(),
            written.same,
            written.key.display(),
            written.file.display(),
        )
    });
    Ok(Done::Well)
}

/// What people prefer.
#[derive(Debug, Serialize)]
struct Scored {
    metrics: BTreeMap<&'static str, Estimate>,
    method: String,
    against: String,
    judged: usize,
    not_judged: usize,
}

/// Scores a table that people have filled in.
pub(super) fn score(file: &Path, output: Output) -> Result<Done, Failure> {
    let key_file = key_of(file);
    let read = |path: &Path| {
        std::fs::read_to_string(path).map_err(|error| {
            Failure::new(Kind::File, format!("the pairs cannot be read: {error}"))
                .at(path.display())
                .hint("the table and its key are written by `lahar bench geo --pairs`")
        })
    };
    let key: PairKey = serde_json::from_str(&read(&key_file)?).map_err(|error| {
        Failure::new(
            Kind::File,
            format!("the key of the pairs is damaged: {error}"),
        )
        .at(key_file.display())
    })?;
    let judged = judgements(&read(file)?, file)?;
    let Some(figure) = preference(&key, &judged) else {
        let message = "no pair has been judged";
        return Err(Failure::new(Kind::File, message)
            .at(file.display())
            .hint("write 1, 2 or tie into the column `preferred`"));
    };
    let scored = Scored {
        metrics: BTreeMap::from([("preference", figure)]),
        judged: figure.n,
        not_judged: key.questions.len() - figure.n,
        method: key.method,
        against: key.against,
    };
    output.result(&scored, || {
        format!(
            "{} is preferred to {} in {:.3} [{:.3}, {:.3}] of {} judged pairs; {} are not judged",
            scored.method,
            scored.against,
            figure.value,
            figure.low,
            figure.high,
            scored.judged,
            scored.not_judged
        )
    });
    Ok(Done::Well)
}

fn judgements(text: &str, file: &Path) -> Result<BTreeMap<String, Preferred>, Failure> {
    let damaged = |message: String| Failure::new(Kind::File, message).at(file.display());
    let rows = rows(text).ok_or_else(|| damaged("a quoted field does not end".to_owned()))?;
    let column = |name: &str| {
        let head = rows.first().map(Vec::as_slice).unwrap_or_default();
        head.iter()
            .position(|cell| cell.trim() == name)
            .ok_or_else(|| damaged(format!("there is no column `{name}`")))
    };
    let (id, preferred) = (column("id")?, column("preferred")?);
    let judged = rows.iter().skip(1).filter_map(|row| {
        let judged = Preferred::parse(row.get(preferred)?)?;
        Some((row.get(id)?.trim().to_owned(), judged))
    });
    Ok(judged.collect())
}

fn key_of(file: &Path) -> PathBuf {
    file.with_extension("key.json")
}

/// A line of a table, every field in quotes (RFC 4180).
fn line(fields: &[&str]) -> String {
    let quoted = fields
        .iter()
        .map(|field| format!("\"{}\"", field.replace('"', "\"\"")));
    quoted.collect::<Vec<_>>().join(",") + "\n"
}

/// The rows of a table; `None` where a quoted field does not end.
fn rows(text: &str) -> Option<Vec<Vec<String>>> {
    let mut rows = Vec::new();
    let (mut row, mut field) = (Vec::new(), String::new());
    let mut quoted = false;
    let mut chars = text.trim_start_matches('\u{feff}').chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' if quoted || field.is_empty() => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut field)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            c => field.push(c),
        }
    }
    if !row.is_empty() || !field.is_empty() {
        row.push(field);
        rows.push(row);
    }
    (!quoted).then_some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_people_saved_again_reads_as_it_was_written() {
        let written = line(&["a", "says \"no\",\nthen yes", ""]);
        assert_eq!(
            rows(&written).unwrap(),
            [["a", "says \"no\",\nthen yes", ""]]
        );
        assert_eq!(rows("id,preferred\r\nq1,2").unwrap()[1], ["q1", "2"]);
        assert_eq!(rows("id,\"torn"), None);
    }
}
