//! Ranking by words: BM25 over FTS5.

use std::collections::HashSet;

use rusqlite::{Connection, ToSql};

use super::stop_words::is_stop_word;
use super::{Filter, Ranked};

/// Longest part of a question that is looked at, in bytes. A question is a sentence or two; what
/// comes as a megabyte is somebody's file.
const LONGEST_QUESTION: usize = 16 << 10;
/// Most different words that are searched for.
const MOST_TERMS: usize = 128;

/// Weights of title, headings and text in BM25. Alike: a word is looked for in the chunk and in what
/// stands above it, as a reader would read them. Without title and headings, questions that name the
/// subject where the chunk only says "it" are missed.
const FIELD_WEIGHTS: [f64; 3] = [1.0, 1.0, 1.0];

/// The words of a question that are searched for, lower case, in order, each once: without words
/// that stand in every sentence, unless there are no others. A number with its decimals or
/// thousands is one term.
pub fn query_terms(question: &str) -> Vec<String> {
    let mut end = question.len().min(LONGEST_QUESTION);
    while !question.is_char_boundary(end) {
        end -= 1;
    }
    let all = terms(&question[..end]);
    let telling: Vec<String> = all.iter().filter(|t| !is_stop_word(t)).cloned().collect();
    let mut chosen = if telling.is_empty() { all } else { telling };
    let mut seen = HashSet::new();
    chosen.retain(|term| seen.insert(term.clone()));
    chosen.truncate(MOST_TERMS);
    chosen
}

/// Words and numbers as they stand.
fn terms(text: &str) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    let mut term = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let inside_number = matches!(c, '.' | ',')
            && term.ends_with(|c: char| c.is_ascii_digit())
            && chars.peek().is_some_and(char::is_ascii_digit);
        // An apostrophe keeps "don't" one word for the stop list.
        let inside_word = matches!(c, '\'' | '’')
            && !term.is_empty()
            && chars.peek().is_some_and(|c| c.is_alphabetic());
        if c.is_alphanumeric() || inside_number {
            term.extend(c.to_lowercase());
        } else if inside_word {
            term.push('\'');
        } else if !term.is_empty() {
            terms.push(std::mem::take(&mut term));
        }
    }
    if !term.is_empty() {
        terms.push(term);
    }
    terms
}

/// The question as an FTS5 expression that matches chunks with any of its words. Each term is a
/// quoted string, in which no character means anything to FTS5; `None` when there is no word.
pub(super) fn match_expression(question: &str) -> Option<String> {
    let terms: Vec<String> = query_terms(question)
        .iter()
        .map(|term| format!("\"{}\"", term.replace(['"', '\0'], " ")))
        .collect();
    (!terms.is_empty()).then(|| terms.join(" OR "))
}

/// The chunks with the best BM25.
pub(super) fn ranked(
    connection: &Connection,
    words: &str,
    filter: &Filter<'_>,
    limit: usize,
) -> rusqlite::Result<Vec<Ranked>> {
    let mut values = filter.values();
    values.push((":words", words.to_owned().into()));
    values.push((":limit", i64::try_from(limit).unwrap_or(i64::MAX).into()));
    // The plus keeps SQLite from asking the index anew for each chunk that the filter allows.
    let condition = filter.condition("+rowid");
    query(
        connection,
        &format!("{condition} ORDER BY score, rowid LIMIT :limit"),
        &values,
    )
}

/// BM25 of some chunks; those without any of the words are left out.
pub(super) fn scores(
    connection: &Connection,
    words: &str,
    chunks: &[i64],
) -> rusqlite::Result<Vec<Ranked>> {
    let chunks: Vec<String> = chunks.iter().map(i64::to_string).collect();
    let values = vec![(":words", rusqlite::types::Value::from(words.to_owned()))];
    // The plus as above.
    query(
        connection,
        &format!(" AND +rowid IN ({})", chunks.join(",")),
        &values,
    )
}

fn query(
    connection: &Connection,
    rest: &str,
    values: &[(&'static str, rusqlite::types::Value)],
) -> rusqlite::Result<Vec<Ranked>> {
    let [title, heading, text] = FIELD_WEIGHTS;
    let mut statement = connection.prepare(&format!(
        "SELECT rowid, bm25(chunk_index, {title:?}, {heading:?}, {text:?}) AS score
         FROM chunk_index WHERE chunk_index MATCH :words {rest}"
    ))?;
    let values: Vec<(&str, &dyn ToSql)> = values.iter().map(|(k, v)| (*k, v as _)).collect();
    let rows = statement.query_map(values.as_slice(), |row| {
        Ok(Ranked {
            chunk: row.get(0)?,
            // FTS5 gives smaller numbers to better matches.
            score: -row.get::<_, f64>(1)? as f32,
        })
    })?;
    rows.collect()
}
