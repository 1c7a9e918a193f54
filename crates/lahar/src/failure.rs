//! What went wrong, where, why, and the next step.

use std::fmt;

use serde::Serialize;

/// A command that could not do its work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// A word for programs.
    pub kind: Kind,
    /// What and why, for people.
    pub message: String,
    /// The file, document or setting it happened at.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Kinds of failure, as programs read them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The command was called wrongly.
    Usage,
    /// The configuration file cannot be used.
    Config,
    /// A file or folder could not be read or written.
    File,
    /// The library could not be used.
    Library,
    /// A model could not be used.
    Model,
    /// The question cannot be asked.
    Question,
    /// A place is not known, or the name fits several.
    Place,
    /// A task, a card or a sentence cannot be used.
    Task,
    /// A capability is not known, cannot be run, or was given values it does not hold for.
    Capability,
    /// A document asked for is not in the library.
    NotFound,
    /// The interface names it, and it is not built yet.
    NotImplemented,
}

impl Failure {
    /// A failure of a kind.
    pub fn new(kind: Kind, message: impl Into<String>) -> Failure {
        Failure {
            kind,
            message: message.into(),
            place: None,
            hint: None,
        }
    }

    /// Something the interface names, and that is not built yet.
    pub fn not_implemented(what: &str) -> Failure {
        Failure::new(
            Kind::NotImplemented,
            format!("{what} is not implemented yet"),
        )
    }

    /// Names where it happened.
    pub fn at(mut self, place: impl fmt::Display) -> Failure {
        self.place = Some(place.to_string());
        self
    }

    /// Names the next step.
    pub fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }

    /// The exit code: 2 for wrong usage, 1 for everything else.
    pub fn exit_code(&self) -> u8 {
        if self.kind == Kind::Usage { 2 } else { 1 }
    }
}

/// Says something failed, where and why, and the next step, as two or three lines.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        if let Some(place) = &self.place {
            write!(f, "\n  at: {place}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n  next: {hint}")?;
        }
        Ok(())
    }
}
