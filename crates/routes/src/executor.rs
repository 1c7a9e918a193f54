//! Running one capability, and what the world answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use lahar_core::Quantity;
use lahar_core::capability::Value;

use crate::state::{Change, Failure, State};
use crate::task::{Budget, Observation};

/// One capability to be run.
#[derive(Debug, Clone)]
pub struct Invocation<'a> {
    /// Its name.
    pub capability: &'a str,
    /// Inputs by port.
    pub inputs: BTreeMap<String, Arc<Value>>,
    /// Standard deviations of inputs by port, where they are known.
    pub deviations: BTreeMap<String, Quantity>,
    /// What is known of the case beside the ports, by variable, such as `time_since_fire`.
    pub context: BTreeMap<String, Arc<Value>>,
    /// What may still be spent.
    pub left: Budget,
}

/// What a run gave.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Execution {
    /// Results by port.
    pub outputs: BTreeMap<String, Arc<Value>>,
    /// Standard deviations of results by port.
    pub deviations: BTreeMap<String, Quantity>,
    /// Version of what ran.
    pub version: String,
    /// Seconds that it took.
    pub seconds: f64,
    /// What should be known about the run, in sentences.
    pub notes: Vec<String>,
}

/// Runs capabilities, and answers for the world outside. The local executor runs them in a worker
/// process; tests script it.
pub trait Executor {
    /// Runs one capability. A failure is an event, not an end.
    fn execute(&mut self, invocation: &Invocation<'_>) -> Result<Execution, Failure>;

    /// An observation that was asked for; none where nobody answers.
    fn obtain(&mut self, variable: &str, state: &State) -> Option<Observation> {
        let _ = (variable, state);
        None
    }

    /// What changed outside since the last step.
    fn news(&mut self, state: &State) -> Vec<Change> {
        let _ = state;
        Vec::new()
    }
}
