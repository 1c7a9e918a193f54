//! From a finished analysis to what its report says.

mod picture;

use std::collections::BTreeMap;

use lahar_core::capability::{Strictness, Value};
use lahar_hazards::registry;

use super::analysis::Analysis;
use super::artifact;
use super::figure::short;
use super::report::{ConditionRow, InputRow, Page, Quote, ResultRow, RouteRow};
use crate::card::{Card, Statement};
use crate::state::{Artifact, Origin};
use crate::task::{Area, Quality};
use crate::trajectory::{Applicability, Certificate, End, Reachability, RouteStatus};
use crate::verdict::{Evidence, Truth, Verdict};

/// What the report of an analysis says; `files` are its artifacts' files by id.
pub fn of(analysis: &Analysis<'_>, files: &BTreeMap<String, String>) -> Page {
    let task = analysis.task;
    let trajectory = analysis.trajectory;
    let answer = trajectory.answer().map(AsRef::as_ref);
    let route = match &trajectory.end {
        End::Submit { route, .. } => Some(route.as_str()),
        End::Abstain { .. } => None,
    };
    let card = route.and_then(|route| analysis.cards.iter().find(|card| card.id == route));
    let status = route.and_then(|route| trajectory.routes.iter().find(|r| r.route == route));
    let title = task.title.clone().unwrap_or_else(|| task.id.clone());
    let mut page = Page {
        answer: match (answer, &trajectory.end) {
            (Some(answer), _) => sentence(analysis, answer, card),
            (None, End::Abstain { certificate }) => abstention(certificate),
            (None, End::Submit { .. }) => "The artifact was withdrawn.".to_owned(),
        },
        is_answered: answer.is_some(),
        facts: facts(analysis, card),
        figure: picture::of(analysis, answer),
        results: results(analysis, files),
        routes: trajectory
            .routes
            .iter()
            .map(|r| route_row(r, route, analysis.cards))
            .collect(),
        inputs: inputs(analysis, files),
        questions: trajectory.questions.clone(),
        program: format!("Made by Lahar {}.", analysis.version),
        title,
        ..Page::default()
    };
    if let Some(status) = status {
        page.conditions = status.verdicts.iter().map(condition_row).collect();
        page.only_cited = status.only_cited();
    }
    if let Some(card) = card {
        page.uncertainty.push(card.uncertainty.statement.clone());
        page.citations = card.references.iter().map(ToString::to_string).collect();
        page.not_covered = not_covered(card, status);
    }
    page.uncertainty.extend(trajectory.notes.iter().cloned());
    for artifact in derived(analysis) {
        if let Origin::Derived { capability, .. } = &artifact.origin
            && let Ok(found) = registry::find(capability)
        {
            let citation = found.capability.citation.to_string();
            if !page.citations.contains(&citation) {
                page.citations.push(citation);
            }
        }
    }
    page.citations.push(format!(
        "Lahar {}, this analysis: {}",
        analysis.version, task.id
    ));
    if let End::Abstain { certificate } = &trajectory.end {
        page.missing = missing(analysis);
        page.certificate = certified(certificate);
    }
    page
}

fn derived<'a>(analysis: &Analysis<'a>) -> impl Iterator<Item = &'a Artifact> {
    let artifacts = analysis.trajectory.artifacts.iter().map(AsRef::as_ref);
    artifacts.filter(|a| matches!(a.origin, Origin::Derived { .. }))
}

/// A variable in field words.
pub(super) fn words_of(variable: &str) -> String {
    variable.replace('_', " ")
}

fn place(area: &Area) -> String {
    match area {
        Area::Place(name) => name.clone(),
        Area::Point([longitude, latitude]) => format!("{latitude}, {longitude}"),
        Area::Box([west, south, east, north]) => {
            format!("{south} to {north} north, {west} to {east} east")
        }
    }
}

/// The answer in one sentence.
fn sentence(analysis: &Analysis<'_>, answer: &Artifact, card: Option<&Card>) -> String {
    let what = words_of(&answer.kind.variable);
    let by = card.map_or(String::new(), |card| format!(", by the route {}", card.id));
    format!(
        "{}: {} at {}{by}.",
        capitalised(&what),
        value_words(analysis, answer),
        place(&analysis.task.area)
    )
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().collect::<String>() + letters.as_str(),
        None => String::new(),
    }
}

/// Whether a variable is one end of an interval of another, or a rank, which has none.
fn is_an_end(variable: &str) -> bool {
    ["_lower", "_upper", "_rank"]
        .iter()
        .any(|end| variable.ends_with(end))
}

/// A value in words: a number with its interval, a word, what a grid holds.
fn value_words(analysis: &Analysis<'_>, artifact: &Artifact) -> String {
    match artifact.value.as_ref() {
        Value::Quantity(quantity) => {
            let unit = unit_words(quantity.unit().symbol());
            let interval = picture::interval(analysis, artifact);
            let interval = interval.filter(|_| !is_an_end(&artifact.kind.variable));
            let interval = interval.map_or(String::new(), |(low, high)| {
                format!(" ({} to {})", short(low), short(high))
            });
            format!("{}{unit}{interval}", short(quantity.value()))
        }
        Value::Label(word) => word.clone(),
        Value::Series(series) => {
            let highest = series.values.iter().copied().fold(f64::NAN, f64::max);
            format!("highest {} {}", short(highest), series.unit.symbol())
        }
        Value::Layer(layer) => {
            let classes = picture::classes(artifact);
            grid_words(&layer.grid, layer.unit.symbol(), classes.as_deref())
        }
        Value::Features(features) => format!("{} shapes", features.len()),
        Value::Trees(model) => format!("{} trees", model.trees()),
        _ => "another kind of value".to_owned(),
    }
}

/// A unit behind a number; numbers without a dimension have none.
fn unit_words(symbol: &str) -> String {
    match symbol {
        "1" | "fraction" => String::new(),
        symbol => format!(" {symbol}"),
    }
}

fn grid_words(grid: &lahar_core::Grid, unit: &str, classes: Option<&[(f64, String)]>) -> String {
    let size = grid.transform.cell_size();
    let area = size
        .filter(|_| !grid.crs.is_geographic())
        .map(|(w, h)| w * h / 1e6);
    let amount = |cells: usize| match area {
        Some(area) => format!("{} km2", short(cells as f64 * area)),
        None => format!("{cells} cells"),
    };
    if let Some(classes) = classes {
        let count = |class: f64| grid.values().iter().filter(|v| **v == class).count();
        let parts = classes
            .iter()
            .filter(|(class, _)| count(*class) > 0)
            .map(|(class, word)| format!("{word} on {}", amount(count(*class))));
        let parts: Vec<String> = parts.rev().collect();
        return match parts.is_empty() {
            true => "no cell has a class".to_owned(),
            false => parts.join(", "),
        };
    }
    let unit = unit_words(unit);
    let with = grid
        .values()
        .iter()
        .filter(|value| value.is_finite())
        .count();
    match grid.range() {
        Some((low, high)) => format!(
            "from {} to {}{unit} on {}",
            short(low),
            short(high),
            amount(with)
        ),
        None => "no cell has a result".to_owned(),
    }
}

fn abstention(certificate: &Certificate) -> String {
    let reason = certificate.reason.trim_end_matches('.');
    format!("No answer: {reason}.")
}

fn facts(analysis: &Analysis<'_>, card: Option<&Card>) -> Vec<(String, String)> {
    let task = analysis.task;
    let mut facts = vec![("Place".to_owned(), place(&task.area))];
    let mut add = |name: &str, value: Option<String>| {
        facts.extend(value.map(|value| (name.to_owned(), value)));
    };
    add("Event", task.event.name.clone());
    add("Event time", task.event.time.map(|time| time.to_string()));
    let hazards = task.hazards.iter().map(|hazard| hazard.label().to_owned());
    add("Hazards", Some(hazards.collect::<Vec<_>>().join(", ")));
    add("Kind", Some(task.kind.word().to_owned()));
    add(
        "Decided with what was known at",
        Some(task.decision_time.to_string()),
    );
    add("Horizon", task.horizon.as_ref().map(ToString::to_string));
    add(
        "Route",
        card.map(|card| format!("{} ({})", card.title, card.id)),
    );
    let stages = &task.output.stages;
    add(
        "Stages asked for",
        (!stages.is_empty()).then(|| stages.join(", ")),
    );
    add("Policy", Some(analysis.trajectory.policy.clone()));
    facts
}

fn results(analysis: &Analysis<'_>, files: &BTreeMap<String, String>) -> Vec<ResultRow> {
    let answer = analysis.trajectory.answer().map(|answer| answer.id.clone());
    let mut rows: Vec<(bool, ResultRow)> = derived(analysis)
        .map(|artifact| {
            let is_answer = answer.as_deref() == Some(artifact.id.as_str());
            let mark = if is_answer { " (the answer)" } else { "" };
            let row = ResultRow {
                name: format!("{}{mark}", artifact::name(artifact)),
                value: value_words(analysis, artifact),
                uncertainty: artifact
                    .deviation
                    .as_ref()
                    .map_or("none stated".to_owned(), |d| {
                        let unit = unit_words(d.unit().symbol());
                        format!("standard deviation {}{unit}", short(d.value()))
                    }),
                file: Some(
                    files
                        .get(&artifact.id)
                        .map_or(artifact::VALUES, String::as_str)
                        .to_owned(),
                ),
            };
            (!is_answer, row)
        })
        .collect();
    rows.sort_by_key(|(behind, _)| *behind);
    rows.into_iter().map(|(_, row)| row).collect()
}

fn condition_row(verdict: &Verdict) -> ConditionRow {
    let quote = match &verdict.evidence {
        Evidence::Quoted { quote } => Some(Quote {
            text: quote.span.quote().to_owned(),
            source: match quote.span.pages() {
                Some(pages) => format!("{}, page {}", quote.title, pages.first),
                None => quote.title.clone(),
            },
        }),
        _ => None,
    };
    let status = match (&verdict.set_aside, verdict.truth) {
        (Some(decision), _) => format!("set aside by {}: {}", decision.by, decision.reason),
        (None, truth) => truth.to_string(),
    };
    ConditionRow {
        reading: verdict.reading.clone(),
        status,
        found: verdict.found.clone().unwrap_or_default(),
        strictness: match verdict.strictness {
            Strictness::Strict => "strict",
            Strictness::Advisory => "advisory",
        }
        .to_owned(),
        citation: verdict
            .citation
            .as_ref()
            .map_or_else(|| "no source".to_owned(), ToString::to_string),
        quote,
    }
}

/// Where a route stands, in a word.
pub fn standing(status: &RouteStatus) -> &'static str {
    match (status.applicability, status.reachability) {
        (Applicability::Applicable, Reachability::Reachable) => "eligible",
        (Applicability::Inapplicable, _) | (_, Reachability::Unavailable) => "excluded",
        _ => "undetermined",
    }
}

fn route_row(status: &RouteStatus, used: Option<&str>, cards: &[Card]) -> RouteRow {
    let title = cards.iter().find(|card| card.id == status.route);
    RouteRow {
        name: match title {
            Some(card) => format!("{}: {}", status.route, card.title),
            None => status.route.clone(),
        },
        status: match used == Some(status.route.as_str()) {
            true => "used".to_owned(),
            false => standing(status).to_owned(),
        },
        reasons: status.reasons.clone(),
    }
}

fn inputs(analysis: &Analysis<'_>, files: &BTreeMap<String, String>) -> Vec<InputRow> {
    let artifacts = analysis.trajectory.artifacts.iter().map(AsRef::as_ref);
    let mut rows = Vec::new();
    for artifact in artifacts {
        let Origin::Observed { source } = &artifact.origin else {
            continue;
        };
        let value = match files.get(&artifact.id) {
            Some(file) => format!("{file}: {}", value_words(analysis, artifact)),
            None => value_words(analysis, artifact),
        };
        rows.push(InputRow {
            name: words_of(&artifact.kind.variable),
            value,
            origin: artifact::word(&artifact.quality),
            is_made: is_made(artifact.quality, source),
            source: source.clone(),
            published: artifact.timing.published.to_string(),
        });
    }
    rows
}

/// Whether nothing measured stands behind an observation: it is assumed, or its source says that it
/// was made.
fn is_made(quality: Quality, source: &str) -> bool {
    let source = source.trim_start().to_lowercase();
    quality <= Quality::Assumed || source.starts_with("made")
}

/// Conditions that nobody checked or that do not hold, and what the card itself leaves out.
fn not_covered(card: &Card, status: Option<&RouteStatus>) -> Vec<String> {
    let mut lines = Vec::new();
    for verdict in status.into_iter().flat_map(|status| &status.verdicts) {
        let stated = card
            .condition(&verdict.condition)
            .is_some_and(|condition| condition.statement == Statement::Stated);
        let line = match (verdict.truth, stated, &verdict.set_aside) {
            (_, _, Some(_)) => format!("set aside: {}", verdict.reading),
            (Truth::Undetermined, true, _) => format!("not checked: {}", verdict.reading),
            (Truth::Undetermined, ..) => format!("not known whether: {}", verdict.reading),
            (Truth::Violated, ..) => format!("does not hold: {}", verdict.reading),
            (Truth::Satisfied, ..) => continue,
        };
        lines.push(line);
    }
    lines
}

/// What a task would take that is not there at all: routes of its track or kind, and capabilities
/// that give what is asked for.
fn missing(analysis: &Analysis<'_>) -> Vec<String> {
    let task = analysis.task;
    let mut lines = Vec::new();
    let track = task.track().unwrap_or("not known");
    let of_track: Vec<&Card> = analysis.cards.iter().filter(|c| c.track == track).collect();
    if of_track.is_empty() {
        lines.push(format!(
            "route cards of the track `{track}`: there is none yet"
        ));
    } else if !of_track.iter().any(|card| card.tasks.contains(&task.kind)) {
        lines.push(format!(
            "a route for tasks of the kind `{}`: none of the {} routes of the track `{track}` \
             answers that kind",
            task.kind.word(),
            of_track.len()
        ));
    }
    let variable = &task.output.kind.variable;
    let given = |found: &&lahar_hazards::registry::Registration| {
        let capability = &found.capability;
        let gives = |port| crate::vocabulary::of_port(port) == variable;
        capability.track == track && found.is_available() && capability.outputs.iter().any(gives)
    };
    if !registry::all().any(|found| given(&found)) {
        lines.push(format!(
            "a capability of the track `{track}` that gives the {}",
            words_of(variable)
        ));
    }
    for card in of_track {
        if let Some(why) = &card.unavailable {
            lines.push(format!("{}: {why}", card.id));
        }
    }
    lines
}

fn certified(certificate: &Certificate) -> Vec<String> {
    let mut lines = vec![match certificate.complete {
        true => format!(
            "{} states were looked at, all that the budget and the permitted actions reach.",
            certificate.explored.len()
        ),
        false => format!(
            "{} states were looked at; the budget ended the search before all were.",
            certificate.explored.len()
        ),
    }];
    if let Some(unblock) = &certificate.unblock {
        lines.push(format!(
            "The least that would help: {} would be eligible with {}.",
            unblock.route,
            unblock.needs.join("; ")
        ));
    }
    lines
}
