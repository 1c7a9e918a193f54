//! What is left of an episode without its names and numbers.

use std::collections::BTreeSet;

use lahar_core::capability::CapabilityKind;
use lahar_routes::Registry;
use lahar_routes::task::Area;

use super::read::{At, End, Episode};

/// How a set of routes changes: without names and without counts.
fn change(before: &BTreeSet<String>, after: &BTreeSet<String>) -> &'static str {
    match (before.is_empty(), after.is_empty()) {
        _ if before == after && after.is_empty() => "stays empty",
        _ if before == after => "stays",
        (true, _) => "opens",
        (_, true) => "closes",
        _ if before.is_subset(after) => "grows",
        _ if after.is_subset(before) => "shrinks",
        _ => "moves",
    }
}

fn word(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}");
    text.split([' ', '(', '{'])
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// The form of an episode: which kinds of things stand in the task (without variables, values,
/// places, dates, routes and how many of each), what happens and how the eligible set changes by
/// it, and how it ends. Two episodes of one form differ only in names and numbers.
pub fn shape(episode: &Episode) -> String {
    let task = &episode.task;
    let mut parts = vec![
        word(&episode.kind),
        match task.area {
            Area::Place(_) => "place".to_owned(),
            Area::Point(_) => "point".to_owned(),
            Area::Box(_) => "box".to_owned(),
        },
        format!("recovery {:?}", task.recovery),
        format!("stages asked {}", !task.output.stages.is_empty()),
        word(&task.output.kind.representation),
        format!("overrides {}", !task.overrides.is_empty()),
        format!("own cards {}", !episode.cards.is_empty()),
        format!("cards left out {}", !episode.without.is_empty()),
        format!("refused at first {}", !episode.refused.is_empty()),
        format!("start empty {}", episode.start.is_empty()),
        format!("several at first {}", episode.start.len() > 1),
    ];
    let observations: BTreeSet<String> = task
        .observations
        .iter()
        .map(|observation| {
            let known = observation.timing.known_at(task.decision_time);
            let form = word(&observation.kind.representation);
            format!("{form} {:?} known {known}", observation.quality)
        })
        .collect();
    parts.push(format!("{observations:?}"));
    let twice = task.observations.iter().enumerate().any(|(at, one)| {
        let mut later = task.observations[at + 1..].iter();
        later.any(|other| other.kind.variable == one.kind.variable)
    });
    parts.push(format!("a variable twice {twice}"));
    for obtainable in &task.obtainable {
        let written = obtainable.observation.as_ref();
        let known = written.map(|o| o.timing.known_at(task.decision_time));
        let paid = obtainable.cost <= task.budget.cost;
        parts.push(format!("may ask, answer known {known:?}, paid {paid}"));
    }
    parts.push(format!(
        "{:?}",
        task.health.values().collect::<BTreeSet<_>>()
    ));
    for event in &episode.events {
        let what = match &event.at {
            At::News(0) => "news before the choice".to_owned(),
            At::News(_) => "news on the way".to_owned(),
            At::Execute(_) => "execute".to_owned(),
            At::Fail(_, failure) => format!("fail {}", word(failure)),
            At::Ask(_) => "ask".to_owned(),
            At::Repair(_) => "repair".to_owned(),
            At::Change(_) => "change".to_owned(),
        };
        let came = event.observation.as_ref().map(|o| o.quality);
        parts.push(format!(
            "{what}: comes {came:?}, withdrawn {}, health {:?}, refused {}, the set {}",
            event.withdraw.is_some(),
            event.health.values().collect::<Vec<_>>(),
            event.refused,
            change(&event.before, &event.after)
        ));
    }
    match &episode.end {
        End::Submit { ran, .. } => {
            let transforms = |name: &String| {
                let node = Registry::standard().find(name);
                node.is_some_and(|n| n.kind == CapabilityKind::Transformation)
            };
            let mut row: Vec<&str> = ran
                .iter()
                .map(|name| {
                    if transforms(name) {
                        "transformation"
                    } else {
                        "model"
                    }
                })
                .collect();
            row.dedup();
            parts.push(format!("submits after {row:?}"));
        }
        End::Abstain {
            reason, blocked, ..
        } => {
            let words = [
                "apart from",
                "undetermined",
                "violated",
                "cannot be called",
                "is asked for",
                "a part does not answer",
                "in its order",
                "answers no task",
                "not supplied",
                "nothing at hand",
            ];
            let found: BTreeSet<&str> = blocked
                .values()
                .map(|text| {
                    let known = words.iter().find(|word| text.contains(**word));
                    known.copied().unwrap_or("a condition")
                })
                .collect();
            let why = reason.split(' ').take(3).collect::<Vec<_>>().join(" ");
            parts.push(format!("abstains: {why}, {found:?}"));
        }
    }
    parts.join("; ")
}
