//! Whether a card says what can be true: variables and units that exist, capabilities and ports
//! that exist, places that are known, sources and fingerprints of its conditions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use lahar_core::capability::{PortKind, Presence, Value};
use lahar_core::{Quantity, Unit};
use lahar_hazards::registry::RunOptions;
use lahar_places::Gazetteer;
use serde::Serialize;

use crate::card::{Card, Condition, Statement};
use crate::evidence::QuoteBook;
use crate::graph::Registry;
use crate::vocabulary;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing: the condition stays `cited`.
    Note,
    /// The card must be mended.
    Error,
}

/// One complaint about a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Complaint {
    /// Card.
    pub route: String,
    /// How bad it is.
    pub severity: Severity,
    /// Where: a condition, a stage, the output.
    pub at: String,
    /// What is wrong, and what to write instead.
    pub message: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.severity {
            Severity::Note => "note",
            Severity::Error => "error",
        };
        write!(f, "{word}: {}, {}: {}", self.route, self.at, self.message)
    }
}

/// Checks a card. Where `library_has_source` says that a document of a condition's source is in
/// the library, the fingerprint must be found there.
pub fn lint(
    card: &Card,
    registry: &Registry,
    gazetteer: &Gazetteer,
    quotes: &QuoteBook,
    library_has_source: &dyn Fn(&Condition) -> bool,
) -> Vec<Complaint> {
    let mut found = Vec::new();
    let mut say = |severity, at: String, message: String| {
        found.push(Complaint {
            route: card.id.clone(),
            severity,
            at,
            message,
        });
    };
    for stage in &card.stages {
        let at = format!("stage `{}`", stage.name);
        for name in &stage.any_of {
            let Some(node) = registry.find(name) else {
                say(
                    Severity::Error,
                    at.clone(),
                    format!(
                        "there is no capability `{name}`; list them with `lahar capabilities list`"
                    ),
                );
                continue;
            };
            if node.unavailable.is_some() && card.unavailable.is_none() && stage.any_of.len() == 1 {
                say(
                    Severity::Error,
                    at.clone(),
                    format!("`{name}` cannot be run; declare the card unavailable"),
                );
            }
            if node.unavailable.is_some() {
                continue;
            }
            let gives = node
                .outputs
                .iter()
                .any(|port| vocabulary::is_kind_of(&port.kind.variable, &stage.gives));
            if !gives {
                let own: Vec<&str> = node
                    .outputs
                    .iter()
                    .map(|p| p.kind.variable.as_str())
                    .collect();
                say(
                    Severity::Error,
                    at.clone(),
                    format!(
                        "`{name}` has no port that gives `{}`; it gives {}",
                        stage.gives,
                        own.join(", ")
                    ),
                );
            }
            if let Some(upstream) = &stage.responds_to {
                let takes = node
                    .inputs
                    .iter()
                    .any(|port| vocabulary::is_kind_of(upstream, &port.kind.variable));
                if !takes {
                    say(
                        Severity::Error,
                        at.clone(),
                        format!(
                            "`{name}` takes no `{upstream}`, so its result cannot respond to it"
                        ),
                    );
                }
                let deaf = takes && responds(name, upstream) == Some(false);
                if deaf {
                    say(
                        Severity::Error,
                        at.clone(),
                        format!("`{name}` gives the same whatever `{upstream}` is"),
                    );
                }
            }
        }
        for name in stage.with.keys() {
            if vocabulary::entry(name).is_none() {
                say(
                    Severity::Error,
                    at.clone(),
                    format!("`with.{name}` is no variable; {}", vocabulary::hint(name)),
                );
            }
        }
        if let Some(upstream) = &stage.responds_to
            && !card
                .stages
                .iter()
                .any(|other| stage.after.contains(&other.name) && other.gives == *upstream)
        {
            say(
                Severity::Error,
                at,
                format!("it responds to `{upstream}`, which no stage before it gives"),
            );
        }
    }
    for name in &card.helpers {
        if registry.find(name).is_none() {
            say(
                Severity::Error,
                "helpers".to_owned(),
                format!("there is no capability `{name}`"),
            );
        }
    }
    let output = &card.output.kind.variable;
    if card.unavailable.is_none() && !card.stages.iter().any(|stage| stage.gives == *output) {
        say(
            Severity::Error,
            "output".to_owned(),
            format!("no stage gives `{output}`"),
        );
    }
    let names: BTreeSet<&str> = card
        .stages
        .iter()
        .map(|stage| stage.name.as_str())
        .collect();
    for stage in card
        .output
        .stages
        .iter()
        .filter(|stage| !names.contains(stage.as_str()))
    {
        say(
            Severity::Error,
            "output".to_owned(),
            format!("it promises stage `{stage}`, which it lacks"),
        );
    }
    if card.conditions.is_empty() {
        say(
            Severity::Error,
            "conditions".to_owned(),
            "it has none; every method fails somewhere".to_owned(),
        );
    }
    for condition in &card.conditions {
        let at = format!("condition `{}`", condition.id);
        for (severity, message) in of_condition(condition, gazetteer, quotes, library_has_source) {
            say(severity, at.clone(), message);
        }
    }
    found
}

/// Upstream values that are tried, as powers of ten from the low end of what can be.
const TRIES: i32 = 16;

/// Whether a capability's results change with an upstream variable: it is run on the middle of
/// what its other ports take, for values of the upstream one over all magnitudes. None where it
/// cannot be run so.
pub fn responds(capability: &str, upstream: &str) -> Option<bool> {
    let registration = lahar_hazards::registry::find(capability).ok()?;
    let ports = registration.capability.inputs;
    let port = ports
        .iter()
        .find(|port| vocabulary::is_kind_of(upstream, vocabulary::of_port(port)))?;
    let middle = |lowest: f64, highest: f64| match (lowest.is_finite(), highest.is_finite()) {
        (true, true) => (lowest + highest) / 2.0,
        (true, false) => lowest + 1.0,
        (false, true) => highest - 1.0,
        (false, false) => 1.0,
    };
    let mut inputs: BTreeMap<String, Value> = BTreeMap::new();
    for other in ports
        .iter()
        .filter(|other| other.presence == Presence::Required)
    {
        let value = match other.kind {
            PortKind::Number {
                unit,
                lowest,
                highest,
            } => Value::Quantity(Quantity::of(middle(lowest, highest), unit).ok()?),
            PortKind::Label { one_of } => Value::Label((*one_of.first()?).to_owned()),
            _ => return None,
        };
        inputs.insert(other.name.to_owned(), value);
    }
    let PortKind::Number {
        unit,
        lowest,
        highest,
    } = port.kind
    else {
        return None;
    };
    let options = RunOptions {
        allow_outside: true,
    };
    let mut seen: Option<BTreeMap<String, Value>> = None;
    for power in -TRIES / 2..TRIES / 2 {
        let value = lowest.max(0.0) + 10f64.powi(power);
        if value > highest {
            break;
        }
        let quantity = Quantity::of(value, unit).ok()?;
        inputs.insert(port.name.to_owned(), Value::Quantity(quantity));
        let Ok(report) = registration.run_with(&inputs, &options) else {
            continue;
        };
        match &seen {
            None => seen = Some(report.outputs),
            Some(first) if *first != report.outputs => return Some(true),
            Some(_) => {}
        }
    }
    seen.map(|_| false)
}

fn of_condition(
    condition: &Condition,
    gazetteer: &Gazetteer,
    quotes: &QuoteBook,
    library_has_source: &dyn Fn(&Condition) -> bool,
) -> Vec<(Severity, String)> {
    let mut found = Vec::new();
    let mut say = |severity, message: String| found.push((severity, message));
    let variable = &condition.variable;
    match vocabulary::entry(variable) {
        None => say(
            Severity::Error,
            format!(
                "there is no variable `{variable}`; {}",
                vocabulary::hint(variable)
            ),
        ),
        Some(entry) => {
            if let Statement::Within { unit, .. } = &condition.statement {
                let usual = entry.unit.parse::<Unit>();
                match usual {
                    Ok(usual) => {
                        if let Err(error) = unit.check_convertible(&usual) {
                            say(Severity::Error, error.to_string());
                        }
                    }
                    Err(_) => say(
                        Severity::Error,
                        format!("`{variable}` is a word, and a number is asked for"),
                    ),
                }
            }
        }
    }
    match &condition.statement {
        Statement::Inside { places } => {
            if variable != "region" {
                say(
                    Severity::Error,
                    "only `region` is judged by places".to_owned(),
                );
            }
            for place in places {
                if let Err(error) = gazetteer.place_named(place) {
                    say(Severity::Error, error.to_string());
                }
            }
        }
        Statement::Present { or } => {
            for other in or.iter().filter(|other| vocabulary::entry(other).is_none()) {
                say(
                    Severity::Error,
                    format!(
                        "there is no variable `{other}`; {}",
                        vocabulary::hint(other)
                    ),
                );
            }
        }
        Statement::Within {
            lowest: None,
            highest: None,
            ..
        } => say(Severity::Error, "it has no limit".to_owned()),
        _ => {}
    }
    match (&condition.citation, &condition.fingerprint) {
        (None, _) => say(
            Severity::Error,
            "no source is named, so it is undetermined and keeps its route out".to_owned(),
        ),
        (Some(_), None) => say(
            Severity::Note,
            "no sentence of its source has a fingerprint, so it stays `cited`".to_owned(),
        ),
        (Some(citation), Some(fingerprint)) => {
            if quotes.quote(fingerprint).is_none() && library_has_source(condition) {
                say(
                    Severity::Error,
                    format!(
                        "its sentence is not found, though `{}` is in the library",
                        citation.publication
                    ),
                );
            }
        }
    }
    found
}
