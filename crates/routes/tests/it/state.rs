//! States change by changes alone, and nothing younger than the cutoff gets in.

use std::collections::BTreeMap;
use std::sync::Arc;

use lahar_core::Quantity;
use lahar_core::capability::Value;
use lahar_routes::state::{Change, Failure, Output};
use lahar_routes::task::{Budget, Health, ReadOptions};
use lahar_routes::{RoutesError, State, Task};

const TASK: &str = r#"
id = "montecito"
hazards = ["wildfire", "landslide"]
kind = "assess"
decision_time = "2018-01-08T00:00:00Z"
horizon = "48 h"
area = { place = "Montecito, California" }
event = { name = "Thomas Fire", time = "2017-12-12T00:00:00Z" }
output = { variable = "debris_flow_likelihood", unit = "%" }
budget = { steps = 5, seconds = 10, cost = 3 }

[[observation]]
id = "rain"
variable = "peak_rainfall_intensity_15min"
value = "0.94 in/h"
publication_time = "2018-01-07T00:00:00Z"
source = "forecast office"

[[observation]]
id = "dnbr"
variable = "mean_dnbr"
value = 420
publication_time = "2018-01-06T00:00:00Z"
quality = "measured"
source = "satellite"

[[observation]]
id = "survey"
variable = "relief"
value = "800 m"
publication_time = "2018-02-01T00:00:00Z"
source = "field survey after the flow"

[capabilities]
gartner-2014-emergency-volume = "lost"
"#;

fn task() -> Arc<Task> {
    Arc::new(Task::parse("task.toml", TASK, None, &ReadOptions::default()).unwrap())
}

fn executed(inputs: &[(&str, &str)], id: &str) -> Change {
    let (state, _) = State::begin(task()).unwrap();
    let kind = state.artifact("rain").unwrap().kind.clone();
    Change::Executed {
        capability: "made".to_owned(),
        version: "1".to_owned(),
        route: None,
        inputs: inputs
            .iter()
            .map(|(port, id)| ((*port).to_owned(), (*id).to_owned()))
            .collect(),
        outputs: vec![Output {
            id: id.to_owned(),
            kind,
            value: Arc::new(Value::Quantity(Quantity::of(1.0, "mm/h").unwrap())),
            deviation: None,
        }],
        spent: Budget {
            steps: 1,
            seconds: 0.5,
            cost: 0.0,
        },
    }
}

#[test]
fn what_was_published_after_the_cutoff_is_refused_and_recorded() {
    let (state, changes) = State::begin(task()).unwrap();
    assert!(state.artifact("survey").is_none());
    let refused: Vec<&str> = changes
        .iter()
        .filter_map(|change| match change {
            Change::Refused { what, .. } => Some(what.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(refused, ["survey"]);
    assert_eq!(state.health("gartner-2014-emergency-volume"), Health::Lost);
    assert_eq!(state.health("anything else"), Health::Available);
    let late = Change::Observed {
        observation: Box::new(state.task().observations[2].clone()),
    };
    assert!(matches!(
        state.apply(&late),
        Err(RoutesError::AfterCutoff { .. })
    ));
}

#[test]
fn a_derived_artifact_is_as_young_and_as_good_as_its_sources() {
    let (before, _) = State::begin(task()).unwrap();
    let after = before
        .apply(&executed(&[("a", "rain"), ("b", "dnbr")], "derived"))
        .unwrap();
    let derived = after.artifact("derived").unwrap();
    assert_eq!(derived.timing.published.to_string(), "2018-01-07T00:00:00Z");
    // The state before is what it was.
    assert!(before.artifact("derived").is_none());
    assert_eq!(after.version(), before.version() + 1);
    assert_eq!(after.left().steps, 4);
    // What is not at hand cannot have gone in.
    assert!(
        before
            .apply(&executed(&[("a", "survey")], "other"))
            .is_err()
    );
    assert!(after.apply(&executed(&[("a", "rain")], "derived")).is_err());
}

#[test]
fn what_rests_on_a_withdrawn_observation_goes_with_it() {
    let (state, _) = State::begin(task()).unwrap();
    let state = state.apply(&executed(&[("a", "rain")], "one")).unwrap();
    let state = state.apply(&executed(&[("a", "one")], "two")).unwrap();
    let state = state.apply(&executed(&[("a", "dnbr")], "three")).unwrap();
    let state = state
        .apply(&Change::Withdrawn {
            artifact: "rain".to_owned(),
            why: "the gauge was blocked".to_owned(),
        })
        .unwrap();
    let left: Vec<&str> = state.artifacts().map(|a| a.id.as_str()).collect();
    assert_eq!(left, ["dnbr", "three"]);
}

#[test]
fn a_crash_loses_the_capability_and_a_time_limit_does_not() {
    let (state, _) = State::begin(task()).unwrap();
    let failed = |failure: Failure| Change::Failed {
        capability: "x".to_owned(),
        failure,
        spent: Budget {
            steps: 1,
            seconds: 100.0,
            cost: 0.0,
        },
    };
    let crashed = state
        .apply(&failed(Failure::Crash {
            why: "signal 9".to_owned(),
        }))
        .unwrap();
    assert_eq!(crashed.health("x"), Health::Lost);
    assert_eq!(crashed.left().seconds, 0.0);
    let slow = state
        .apply(&failed(Failure::TimeLimit { seconds: 10.0 }))
        .unwrap();
    assert_eq!(slow.health("x"), Health::Available);
}

#[test]
fn inputs_of_a_run_are_named_by_port() {
    let change = executed(&[("a", "rain")], "one");
    let Change::Executed { inputs, .. } = change else {
        unreachable!()
    };
    assert_eq!(
        inputs,
        BTreeMap::from([("a".to_owned(), "rain".to_owned())])
    );
}
