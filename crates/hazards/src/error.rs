//! Why a model gave no result.

use lahar_core::capability::{Citation, Verdict};
use lahar_core::grid::GridError;
use lahar_core::{Quantity, QuantityError, Unit};

/// Why a model gave no result, with what to do about it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HazardError {
    /// A value lies where the model does not exist, or no such thing can be.
    #[error("`{variable}` is {found}, but it must be {allowed} ({source_of_limit})")]
    OutsideRange {
        /// What was given.
        variable: &'static str,
        /// Its value, with the unit.
        found: String,
        /// What it may be.
        allowed: String,
        /// What states the limit.
        source_of_limit: String,
    },
    /// A value is `NaN` or infinite.
    #[error("`{variable}` has no value here ({found}); a cell without data gives no result")]
    NotANumber {
        /// What was given.
        variable: &'static str,
        /// `NaN` or an infinity.
        found: f64,
    },
    /// Two values contradict each other, or no solution exists.
    #[error("{0}")]
    Contradiction(String),
    /// A word that is none of the allowed ones.
    #[error("`{variable}` is `{found}`, but it must be one of: {allowed}")]
    UnknownWord {
        /// What was given.
        variable: &'static str,
        /// The word.
        found: String,
        /// The allowed words.
        allowed: String,
    },
    /// Strict conditions of the model do not hold for this case.
    #[error("{capability} does not hold here: {}", reasons(.verdicts))]
    OutsideValidity {
        /// The model.
        capability: &'static str,
        /// The conditions that are violated.
        verdicts: Vec<Verdict>,
    },
    /// A port that must be given is not.
    #[error("`{port}` of {capability} is missing: {variable}{unit}")]
    MissingInput {
        /// The port.
        port: &'static str,
        /// The model.
        capability: &'static str,
        /// What is measured.
        variable: &'static str,
        /// The unit, where it has one.
        unit: String,
    },
    /// A name that is neither a port nor the variable of a condition.
    #[error("{capability} has no input `{name}`; it takes: {known}")]
    UnknownInput {
        /// The model.
        capability: &'static str,
        /// The name as given.
        name: String,
        /// The names it takes.
        known: String,
    },
    /// A value has the wrong unit or is of the wrong kind.
    #[error("`{port}` of {capability} cannot be `{found}`: {why}")]
    WrongKind {
        /// The port.
        port: &'static str,
        /// The model.
        capability: &'static str,
        /// What was given.
        found: String,
        /// Why that does not fit.
        why: String,
    },
    /// Two ports were given grids with different cells.
    #[error("`{one}` and `{other}`: {why}")]
    Apart {
        /// The first port.
        one: &'static str,
        /// The other one.
        other: &'static str,
        /// How they differ.
        why: GridError,
    },
    /// Two grids have different cells.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The capability is declared and cannot be run.
    #[error("{capability} is unavailable: {reason}")]
    Unavailable {
        /// The model.
        capability: &'static str,
        /// Why.
        reason: &'static str,
    },
    /// No capability has this name.
    #[error("no capability is called `{name}`{hint}")]
    UnknownCapability {
        /// The name as given.
        name: String,
        /// A name that comes close.
        hint: String,
    },
}

fn reasons(verdicts: &[Verdict]) -> String {
    let reason = |verdict: &Verdict| {
        let found = verdict.found.as_deref().unwrap_or("unknown");
        let asked = verdict.asked.as_deref();
        let asked = asked.map_or(String::new(), |asked| format!("; asked is {asked}"));
        format!(
            "`{}` is {found}{asked}: {} ({})",
            verdict.variable, verdict.reading, verdict.citation
        )
    };
    verdicts.iter().map(reason).collect::<Vec<_>>().join("; ")
}

impl HazardError {
    pub(crate) fn wrong_unit(
        port: &'static str,
        capability: &'static str,
        found: &Quantity,
        error: &QuantityError,
    ) -> HazardError {
        HazardError::WrongKind {
            port,
            capability,
            found: found.to_string(),
            why: error.to_string(),
        }
    }
}

/// A range that a model states for a variable, in the unit of the statement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit {
    pub variable: &'static str,
    pub unit: &'static str,
    pub lowest: f64,
    pub highest: f64,
    /// Whether the lowest value itself is allowed.
    pub from_lowest: bool,
    pub source: Citation,
}

impl Limit {
    pub const fn new(
        variable: &'static str,
        unit: &'static str,
        lowest: f64,
        highest: f64,
        source: Citation,
    ) -> Limit {
        Limit {
            variable,
            unit,
            lowest,
            highest,
            from_lowest: true,
            source,
        }
    }

    /// The same limit without its lowest value: more than it.
    pub const fn above_lowest(self) -> Limit {
        Limit {
            from_lowest: false,
            ..self
        }
    }

    /// Hands the value back when it lies inside. Two comparisons; `NaN` and infinities lie outside
    /// of every limit, because all of them are finite.
    #[inline]
    pub fn check(&self, value: f64) -> Result<f64, HazardError> {
        let low_enough = value <= self.highest;
        let high_enough = value > self.lowest || (self.from_lowest && value == self.lowest);
        if low_enough && high_enough {
            return Ok(value);
        }
        Err(self.refuse(value))
    }

    /// Why a value lies outside, off the path of those that do not.
    #[cold]
    #[inline(never)]
    fn refuse(&self, value: f64) -> HazardError {
        if !value.is_finite() {
            return HazardError::NotANumber {
                variable: self.variable,
                found: value,
            };
        }
        let shown = |value: f64| match self.unit.parse::<Unit>() {
            Ok(unit) => Quantity::new(value, unit).to_string(),
            Err(_) => format!("{value} {}", self.unit),
        };
        let (lowest, highest) = (shown(self.lowest), shown(self.highest));
        let allowed = match self.from_lowest {
            true => format!("from {lowest} to {highest}"),
            false => format!("more than {lowest} and at most {highest}"),
        };
        HazardError::OutsideRange {
            variable: self.variable,
            found: shown(value),
            allowed,
            source_of_limit: self.source.to_string(),
        }
    }
}

/// The logistic function, without overflow for large arguments.
///
/// Kept as `e^x / (1 + e^x)` below zero so that tiny probabilities keep their digits.
#[inline]
pub(crate) fn logistic(x: f64) -> f64 {
    if x >= 0.0 {
        1.0 / (1.0 + (-x).exp())
    } else {
        let e = x.exp();
        e / (1.0 + e)
    }
}
