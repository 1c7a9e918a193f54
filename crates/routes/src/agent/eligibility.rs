//! Every route at a state: in, out or undetermined, and why (HazardWeaver, arXiv:2610.03591,
//! equation 1).

use crate::applicability::Judge;
use crate::card::Card;
use crate::graph::{Registry, plan};
use crate::state::State;
use crate::task::Task;
use crate::trajectory::{Applicability, Reachability, RouteStatus};
use crate::verdict::Truth;

/// The registered routes of a task: the cards of its track; where the hazards name no track,
/// those that are about one of them.
pub fn candidates(task: &Task, cards: &[Card]) -> Vec<Card> {
    let of_track = |card: &&Card| match task.track() {
        Some(track) => card.track == track,
        None => card
            .hazards
            .iter()
            .any(|hazard| task.hazards.contains(hazard)),
    };
    cards.iter().filter(of_track).cloned().collect()
}

/// What is known of every route at a state.
pub fn statuses(judge: &Judge<'_>, registry: &Registry, state: &State) -> Vec<RouteStatus> {
    let case = judge.case(state);
    let cards = judge.cards().iter().enumerate();
    cards
        .map(|(at, card)| {
            let verdicts = judge.verdicts(at, &case);
            let planned = plan(card, registry, state);
            let answers = card.tasks.contains(&state.task().kind);
            let weighs = Truth::all(verdicts.iter().map(|verdict| verdict.weighs()));
            let mut reasons = Vec::new();
            if !answers {
                let kind = state.task().kind.word();
                reasons.push(format!("it answers no task of kind `{kind}`"));
            }
            let blocking = verdicts.iter().filter(|verdict| verdict.blocks());
            reasons.extend(blocking.map(|verdict| {
                let source = match &verdict.citation {
                    Some(citation) => format!("{} ({citation})", verdict.reading),
                    None => format!("{} (no source is named)", verdict.reading),
                };
                format!("{}: {}; {source}", verdict.truth, verdict.why)
            }));
            if planned.reachability != Reachability::Reachable {
                reasons.extend(planned.failures.iter().map(
                    |failure| match failure.port.is_empty() {
                        true => failure.why.clone(),
                        false => format!(
                            "`{}` of {}: {}",
                            failure.port, failure.capability, failure.why
                        ),
                    },
                ));
            }
            RouteStatus {
                route: card.id.clone(),
                applicability: match answers {
                    true => weighs.into(),
                    false => Applicability::Inapplicable,
                },
                reachability: planned.reachability,
                verdicts,
                ports: planned.failures,
                reasons,
                workflow: planned.workflow,
            }
        })
        .collect()
}

/// What to ask so that more is known of a route. A route that is out for good asks nothing.
pub fn questions(status: &RouteStatus) -> Vec<String> {
    if status.applicability == Applicability::Inapplicable {
        return Vec::new();
    }
    let for_good = status.ports.iter().any(|failure| {
        failure.port == "output" || failure.field.as_deref() == Some("availability")
    });
    if for_good {
        return Vec::new();
    }
    let blocking = status.verdicts.iter().filter(|verdict| verdict.blocks());
    let mut questions: Vec<String> = blocking.filter_map(|v| v.question.clone()).collect();
    for failure in status
        .ports
        .iter()
        .filter(|failure| failure.field.is_none())
    {
        let unit = crate::vocabulary::entry(&failure.variable)
            .filter(|entry| !entry.unit.is_empty() && entry.unit != "1")
            .map_or(String::new(), |entry| {
                format!(" (in such as {})", entry.unit)
            });
        let meaning = crate::vocabulary::entry(&failure.variable)
            .map_or(String::new(), |entry| format!(": {}", entry.meaning));
        let name = failure.variable.replace('_', " ");
        questions.push(format!("What is the {name}{unit}{meaning}?"));
    }
    questions
}
