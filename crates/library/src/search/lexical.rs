//! Ranking by words: BM25 over titles, headings and texts alike. A word is looked for in the chunk
//! and in what stands above it, as a reader would read them: without title and headings, questions
//! that name the subject where the chunk only says "it" are missed.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use rusqlite::Connection;

use super::Ranked;
use super::resident::Resident;
use super::stop_words::is_stop_word;
use crate::words::bm25::{self, Slots, Wanted};
use crate::words::postings::Block;
use crate::words::terms::{term_of, words};

/// Longest part of a question that is looked at, in bytes. A question is a sentence or two; what
/// comes as a megabyte is somebody's file.
const LONGEST_QUESTION: usize = 16 << 10;
/// Most different words that are searched for.
const MOST_TERMS: usize = 128;

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
    let mut terms = Vec::new();
    words(text, |word| terms.push(word.to_owned()));
    terms
}

/// A question's terms with the number of times each is asked for, and where they stand.
pub(super) struct Words {
    terms: Vec<(f32, Arc<[Block]>)>,
}

impl Words {
    /// Reads the terms of a question; `None` when there is no word in it.
    pub fn of(
        question: &str,
        resident: &mut Resident,
        connection: &Connection,
    ) -> rusqlite::Result<Option<Words>> {
        let mut times: BTreeMap<String, f32> = BTreeMap::new();
        for word in query_terms(question) {
            *times.entry(term_of(&word)).or_default() += 1.0;
        }
        let terms = times
            .into_iter()
            .map(|(term, times)| Ok((times, resident.blocks(connection, &term)?)));
        let terms = terms.collect::<rusqlite::Result<Vec<_>>>()?;
        Ok((!terms.is_empty()).then_some(Words { terms }))
    }

    fn wanted(&self) -> Vec<Wanted<'_>> {
        let wanted = self.terms.iter().map(|(times, blocks)| Wanted {
            times: *times,
            blocks,
        });
        wanted.collect()
    }

    /// The chunks with the best BM25.
    pub fn ranked(
        &self,
        resident: &Resident,
        allowed: Option<&Slots>,
        limit: usize,
    ) -> Vec<Ranked> {
        let best = bm25::best(&self.wanted(), &resident.lengths, allowed, limit);
        best.into_iter().map(Ranked::from).collect()
    }

    /// BM25 of some chunks; those without any of the words are left out.
    pub fn scores(&self, resident: &Resident, chunks: &[i64]) -> Vec<Ranked> {
        let chunks = chunks.iter().filter_map(|chunk| u32::try_from(*chunk).ok());
        let scores = bm25::scores(&self.wanted(), &resident.lengths, chunks);
        scores.into_iter().map(Ranked::from).collect()
    }
}
