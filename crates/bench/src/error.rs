//! What can go wrong around a benchmark.

use std::path::PathBuf;

/// Why a question set cannot be read, or a run did not end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be opened or read.
    #[error("the question set {} cannot be read: {source}; check the path and its permissions", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line of the file is no question.
    #[error("{}, line {line}: {problem}; {next_step}", path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
        /// What to do about it.
        next_step: String,
    },
    /// The file is readable and holds nothing to ask.
    #[error("the question set {} holds no question; write one JSON object a line", path.display())]
    NoQuestions {
        /// The file.
        path: PathBuf,
    },
    /// No label could be had for a question. The run ends there, as after a failed retrieval.
    #[error("no label could be had for question `{id}`: {source}")]
    Label {
        /// The question.
        id: String,
        /// What went wrong.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// No answer could be had for a question. The run ends there.
    #[error("no answer could be had for question `{id}`: {source}")]
    Answer {
        /// The question.
        id: String,
        /// What went wrong.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Retrieval failed for a question. The run ends there: a failure counted as a miss would
    /// pass for a bad ranking.
    #[error("retrieval failed for question `{id}`: {source}")]
    Retrieval {
        /// The question.
        id: String,
        /// What retrieval said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}
