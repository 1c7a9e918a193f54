//! How long it takes to judge routes and to plan over capabilities, and how that grows.
//!
//! `cargo bench -p lahar-routes --bench planning` prints one run; nothing here is a test.

// A program, not the library.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use lahar_core::RandomStream;
use lahar_core::capability::{CapabilityKind, Strictness, Support};
use lahar_places::Gazetteer;
use lahar_routes::applicability::Judge;
use lahar_routes::card::{Citation, Condition, Direction, Role, Scope, Statement, shipped};
use lahar_routes::graph::registry::Node;
use lahar_routes::graph::search::DEPTH;
use lahar_routes::graph::{Registry, Search, plan};
use lahar_routes::port::{
    Lineage, Needed, PortType, PortUnit, Representation, TypedPort, UncertaintyKind,
};
use lahar_routes::task::ReadOptions;
use lahar_routes::{Card, QuoteBook, State, Task, agent};

const TASK: &str = include_str!("montecito.toml");

/// Milliseconds of the fastest and of the middle one of several runs.
fn time(mut work: impl FnMut()) -> (f64, f64) {
    let mut milliseconds: Vec<f64> = (0..21)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    milliseconds.sort_by(f64::total_cmp);
    (milliseconds[0], milliseconds[10])
}

fn task() -> Arc<Task> {
    let task = Task::parse("montecito.toml", TASK, None, &ReadOptions::default());
    Arc::new(task.unwrap_or_else(|error| panic!("{error}")))
}

fn state() -> State {
    let begun = State::begin(task());
    begun.unwrap_or_else(|error| panic!("{error}")).0
}

/// Conditions of every kind, so that none is decided by an earlier violation.
fn condition(at: usize) -> Condition {
    let within = |low: f64, high: f64, unit: &str| Statement::Within {
        lowest: Some((low, true)),
        highest: Some((high, true)),
        unit: unit.parse().unwrap_or_else(|error| panic!("{error}")),
    };
    let (variable, statement, scope) = match at % 6 {
        0 => (
            "peak_rainfall_intensity_15min",
            within(0.1, 9.0, "in/h"),
            Scope::Storm,
        ),
        1 => ("time_since_fire", within(0.0, 30.0, "month"), Scope::Event),
        2 => (
            "region",
            Statement::Inside {
                places: vec!["California".to_owned(), "Southern California".to_owned()],
            },
            Scope::Region,
        ),
        3 => ("relief", within(10.0, 9000.0, "ft"), Scope::Basin),
        4 => (
            "task_kind",
            Statement::OneOf {
                words: vec!["forecast".to_owned(), "assess".to_owned()],
            },
            Scope::Task,
        ),
        _ => (
            "mean_dnbr",
            Statement::Present { or: Vec::new() },
            Scope::Data,
        ),
    };
    Condition {
        id: format!("condition-{at}"),
        role: Role::ValidityRange,
        variable: variable.to_owned(),
        statement,
        scope,
        direction: Direction::Requires,
        strictness: Strictness::Strict,
        group: None,
        reading: "made for a measurement".to_owned(),
        question: None,
        citation: Some(Citation {
            publication: "nobody".to_owned(),
            year: 2000,
            doi: None,
            section: None,
            address: None,
        }),
        fingerprint: None,
    }
}

fn cards(routes: usize, conditions: usize) -> Vec<Card> {
    let one = shipped::find("staley-gartner-cannon-cascade");
    let one = one.unwrap_or_else(|error| panic!("{error}"));
    (0..routes)
        .map(|at| Card {
            id: format!("route-{at}"),
            conditions: (0..conditions).map(condition).collect(),
            ..one.clone()
        })
        .collect()
}

fn eligibility() {
    println!("eligibility: all conditions of all routes at one state");
    let state = state();
    for routes in [10, 50, 100, 200, 400] {
        let cards = cards(routes, 60);
        let quotes = QuoteBook::default();
        let judge = Judge::new(state.task(), &cards, &quotes, Gazetteer::embedded());
        let (fastest, middle) = time(|| {
            let case = judge.case(&state);
            for at in 0..routes {
                black_box(judge.applicability(at, &case));
            }
        });
        let case = judge.case(&state);
        let words = time(|| {
            for at in 0..routes {
                black_box(judge.verdicts(at, &case));
            }
        });
        println!(
            "  {routes:>4} routes of 60 conditions: fastest {fastest:.3} ms, middle {middle:.3} ms; \
             with every verdict in words {:.3} ms",
            words.1
        );
    }
}

fn variable(name: String) -> PortType {
    PortType {
        variable: name,
        unit: PortUnit::Of("m".parse().unwrap_or_else(|error| panic!("{error}"))),
        representation: Representation::Number,
        space: Support::Basin,
        time: Support::Static,
        resolution: None,
        uncertainty: UncertaintyKind::Unstated,
        lineage: Lineage::Any,
    }
}

fn port(name: String) -> TypedPort {
    TypedPort {
        kind: variable(name.clone()),
        name,
        presence: Needed::Required,
    }
}

/// Capabilities in six layers. Each takes three variables of the layer below, in feet where its
/// number is odd, and gives two of its own; several give the same one.
fn layered(count: usize) -> (Registry, usize) {
    let mut stream = RandomStream::new(7, 0);
    let width = (count / 6).max(4);
    let convert = Registry::standard().find("unit-conversion").cloned();
    let nodes = (0..count).map(|at| {
        let (layer, variables) = (at / width, (width / 2).max(2));
        let mut pick = |layer: usize| {
            let number = (stream.uniform() * variables as f64) as usize;
            format!("made_{layer}_{number}")
        };
        let mut inputs: Vec<TypedPort> = (0..3).map(|_| port(pick(layer))).collect();
        inputs.dedup_by(|a, b| a.name == b.name);
        if at % 2 == 1
            && let Some(first) = inputs.first_mut()
        {
            first.kind.unit = PortUnit::Of("ft".parse().unwrap_or_else(|e| panic!("{e}")));
        }
        let outputs = vec![
            port(pick(layer + 1)),
            port(format!("made_{}_{}", layer + 1, at % variables)),
        ];
        Node {
            name: format!("made-{at}"),
            kind: CapabilityKind::Formula,
            inputs,
            outputs,
            cost: 0.5 + stream.uniform(),
            version: "1".to_owned(),
            published: None,
            unavailable: None,
        }
    });
    let registry = Registry::new(nodes.chain(convert));
    (registry, (width / 2).max(2))
}

/// A state that holds every variable of the lowest layer.
fn base(variables: usize) -> State {
    let mut task = task().as_ref().clone();
    let Some(template) = task.observations.iter().find(|o| o.id == "relief").cloned() else {
        panic!("the task has a relief");
    };
    task.observations = (0..variables)
        .map(|at| {
            let mut observation = template.clone();
            observation.id = format!("o{at}");
            observation.kind = variable(format!("made_0_{at}"));
            observation
        })
        .collect();
    let begun = State::begin(Arc::new(task));
    begun.unwrap_or_else(|error| panic!("{error}")).0
}

fn planning() {
    println!("planning: the cheapest way to a variable of the fifth layer");
    for count in [60, 150, 300, 600, 1200] {
        let (registry, variables) = layered(count);
        let state = base(variables);
        let wanted = variable("made_5_0".to_owned());
        let mut cost = f64::NAN;
        let (fastest, middle) = time(|| {
            let mut search = Search::new(&registry, &state, &[], false).with_all_free();
            let way = black_box(search.solve(&wanted, DEPTH));
            cost = way.map_or(f64::NAN, |way| way.cost);
        });
        let none = time(|| {
            let mut search = Search::new(&registry, &state, &[], false).with_all_free();
            black_box(search.solve(&variable("made_9_0".to_owned()), DEPTH));
        });
        println!(
            "  {count:>5} capabilities: fastest {fastest:.3} ms, middle {middle:.3} ms (cost {cost:.2}); \
             what cannot be had {:.3} ms",
            none.1
        );
    }
}

fn whole_steps() {
    println!("the routes that ship, at one state");
    let state = state();
    let all = shipped::all().unwrap_or_else(|error| panic!("{error}"));
    let cards = agent::candidates(state.task(), all);
    let quotes = QuoteBook::default();
    let judge = Judge::new(state.task(), &cards, &quotes, Gazetteer::embedded());
    let (fastest, middle) = time(|| {
        black_box(agent::statuses(&judge, Registry::standard(), &state));
    });
    println!(
        "  {} routes, verdicts and workflows: fastest {fastest:.3} ms, middle {middle:.3} ms",
        cards.len()
    );
    if let Some(card) = cards
        .iter()
        .find(|card| card.id == "staley-gartner-cannon-cascade")
    {
        let (fastest, middle) = time(|| {
            black_box(plan(card, Registry::standard(), &state));
        });
        println!("  the cascade's workflow alone: fastest {fastest:.3} ms, middle {middle:.3} ms");
    }
}

fn main() {
    eligibility();
    planning();
    whole_steps();
}
