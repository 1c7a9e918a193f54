//! An executor that runs the registered models in this process, with failures, answers and news
//! from a script.

use std::collections::BTreeMap;
use std::sync::Arc;

use lahar_core::capability::Value;
use lahar_hazards::registry;
use lahar_routes::executor::{Execution, Executor, Invocation};
use lahar_routes::state::{Change, Failure};
use lahar_routes::task::{Observation, ReadOptions};
use lahar_routes::{Agent, Policy, QuoteBook, Registry, State, Task, Trajectory};

/// Runs the real kernels; what the script says comes first.
#[derive(Default)]
pub struct Kernels {
    /// Capabilities that fail, and how.
    pub failures: BTreeMap<String, Failure>,
    /// Changes that come in before a step, counted from 0.
    pub news: BTreeMap<usize, Vec<Change>>,
    /// What is answered when it is asked for.
    pub answers: BTreeMap<String, Observation>,
    /// What was run, in order.
    pub ran: Vec<String>,
    asked: usize,
}

impl Executor for Kernels {
    fn execute(&mut self, invocation: &Invocation<'_>) -> Result<Execution, Failure> {
        let name = invocation.capability;
        if let Some(failure) = self.failures.get(name) {
            return Err(failure.clone());
        }
        self.ran.push(name.to_owned());
        let failed = |why: String| Failure::Error { why };
        let registration = registry::find(name).map_err(|e| failed(e.to_string()))?;
        let inputs: BTreeMap<String, Value> = invocation
            .inputs
            .iter()
            .map(|(port, value)| (port.clone(), value.as_ref().clone()))
            .collect();
        let report = registration
            .run(&inputs)
            .map_err(|e| failed(e.to_string()))?;
        Ok(Execution {
            outputs: report
                .outputs
                .into_iter()
                .map(|(port, value)| (port, Arc::new(value)))
                .collect(),
            version: report.version.to_owned(),
            seconds: 0.001,
            ..Execution::default()
        })
    }

    fn obtain(&mut self, variable: &str, _state: &State) -> Option<Observation> {
        self.answers.remove(variable)
    }

    fn news(&mut self, _state: &State) -> Vec<Change> {
        self.asked += 1;
        self.news.remove(&(self.asked - 1)).unwrap_or_default()
    }
}

/// A burned basin above Montecito before the storm of January 2018. The numbers are made.
pub const BASIN: &str = include_str!("../../benches/montecito.toml");

/// Reads a task.
#[track_caller]
pub fn task(text: &str) -> Arc<Task> {
    Arc::new(Task::parse("task.toml", text, None, &ReadOptions::default()).unwrap())
}

/// A task without one observation.
#[track_caller]
pub fn without(text: &str, id: &str) -> String {
    let mark = format!("[[observation]]\nid = \"{id}\"");
    let start = text.find(&mark).expect("the observation is there");
    let end = text[start + 5..]
        .find("[[observation]]")
        .map_or(text.len(), |at| start + 5 + at);
    format!("{}{}", &text[..start], &text[end..])
}

/// Runs a task by rules with the cards that ship.
pub fn run(text: &str, executor: &mut Kernels) -> Trajectory {
    let cards = lahar_routes::card::shipped::all().unwrap();
    Agent::with_quotes(QuoteBook::default())
        .run(
            task(text),
            cards,
            Registry::standard(),
            executor,
            Policy::Rules,
        )
        .unwrap()
}

/// The status of a route at the end.
#[track_caller]
pub fn status<'t>(
    trajectory: &'t Trajectory,
    route: &str,
) -> &'t lahar_routes::trajectory::RouteStatus {
    let found = trajectory
        .routes
        .iter()
        .find(|status| status.route == route);
    found.unwrap_or_else(|| panic!("no route {route}"))
}
