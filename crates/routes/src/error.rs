//! What can go wrong with tasks, cards and states: what, where, why, and the next step.

use std::path::PathBuf;

use lahar_core::Timestamp;

/// Why a task, a card or a change cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RoutesError {
    /// A file that cannot be read.
    #[error("`{}` cannot be read: {why}; {next}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
        /// What to do.
        next: String,
    },
    /// A key of a TOML file.
    #[error("{file}, line {line}: `{key}`: {reason}; {next}")]
    Field {
        /// The file, or what stands for it.
        file: String,
        /// Line, counted from 1.
        line: usize,
        /// The key with its tables, such as `observation[2].unit`.
        key: String,
        /// What is wrong.
        reason: String,
        /// What to write instead.
        next: String,
    },
    /// A path that leaves the folder of its task.
    #[error(
        "{file}, line {line}: `{key}`: `{}` lies outside the task's folder; move it there, or allow it with --allow-outside",
        path.display()
    )]
    Outside {
        /// The task's file.
        file: String,
        /// Line, counted from 1.
        line: usize,
        /// The key.
        key: String,
        /// The path as it resolves.
        path: PathBuf,
    },
    /// Something published after the information cutoff.
    #[error(
        "`{what}` was published at {published}, after the decision time {cutoff}; it cannot be used for this decision"
    )]
    AfterCutoff {
        /// The observation, artifact or model.
        what: String,
        /// When it was published.
        published: Timestamp,
        /// The cutoff.
        cutoff: Timestamp,
    },
    /// A change that does not fit the state it is applied to.
    #[error("the change does not fit the state: {why}")]
    Change {
        /// What does not fit.
        why: String,
    },
    /// A strict condition that somebody wants to set aside.
    #[error(
        "condition `{condition}` of route `{route}` is strict; only advisory conditions can be set aside"
    )]
    StrictOverride {
        /// The route.
        route: String,
        /// The condition.
        condition: String,
    },
    /// A card, condition or capability that nobody knows.
    #[error("there is no {what} `{name}`{hint}")]
    Unknown {
        /// What was looked for.
        what: &'static str,
        /// Its name.
        name: String,
        /// What comes close, with its own punctuation, or nothing.
        hint: String,
    },
}
