//! The figure of a report: a map of the answer where it is a grid, else a chart.

use lahar_core::capability::{PortKind, Value};
use lahar_hazards::registry;

use super::words_of;
use crate::run::analysis::Analysis;
use crate::run::figure::{self, Bar, Map, Scale};
use crate::run::report::Figure;
use crate::state::{Artifact, Origin};
use crate::vocabulary;

const FILE: &str = "figure.svg";

/// The figure of an analysis, where there is something to show.
pub(super) fn of(analysis: &Analysis<'_>, answer: Option<&Artifact>) -> Option<Figure> {
    let answer = answer?;
    let (svg, caption) = match answer.value.as_ref() {
        Value::Layer(layer) => {
            let elevation = elevation(analysis, &layer.grid);
            let unit = match layer.unit.symbol() {
                "1" | "fraction" => String::new(),
                symbol => format!(", {symbol}"),
            };
            let title = format!("{}{unit}", words_of(&answer.kind.variable));
            let scale = match classes(answer) {
                Some(classes) => Scale::Classes(classes),
                None => Scale::of(&layer.grid),
            };
            let map = Map {
                title: &title,
                grid: &layer.grid,
                elevation,
                scale,
            };
            let ground = if elevation.is_some() {
                ", over the relief of the ground"
            } else {
                ""
            };
            (map.svg().ok()?, format!("Map of the {title}{ground}."))
        }
        Value::Series(series) => {
            let title = words_of(&answer.kind.variable);
            let unit = series.unit.symbol();
            let svg = figure::line(&title, unit, series.step.si(), &series.values);
            (svg, format!("The {title} along time, in {unit}."))
        }
        _ => {
            let bars = bars(analysis);
            if bars.is_empty() {
                return None;
            }
            let caption = "The stages of the answer; bars are 95 percent intervals where a model \
                           states them, else one standard deviation to either side.";
            (
                figure::bars("stages of the answer", &bars),
                caption.to_owned(),
            )
        }
    };
    Some(Figure {
        svg,
        file: FILE.to_owned(),
        caption,
    })
}

/// Elevation of the same cells, observed or derived.
fn elevation<'a>(analysis: &Analysis<'a>, grid: &lahar_core::Grid) -> Option<&'a lahar_core::Grid> {
    let artifacts = analysis.trajectory.artifacts.iter();
    artifacts
        .filter(|a| a.kind.variable == "elevation")
        .find_map(|a| match a.value.as_ref() {
            Value::Layer(layer) if layer.grid.check_aligned(grid).is_ok() => Some(&layer.grid),
            _ => None,
        })
}

/// The classes of a grid whose cells are numbers of words, from 1: by the port that gave it, whose
/// kind lists the words or whose description says what each number means.
pub(super) fn classes(artifact: &Artifact) -> Option<Vec<(f64, String)>> {
    let Origin::Derived { capability, .. } = &artifact.origin else {
        return None;
    };
    let capability = &registry::find(capability).ok()?.capability;
    let fits =
        |port: &&lahar_core::capability::Port| vocabulary::of_port(port) == artifact.kind.variable;
    let port = capability.outputs.iter().find(fits)?;
    if let PortKind::Label { one_of } = port.kind {
        let numbered = one_of.iter().enumerate();
        return Some(
            numbered
                .map(|(at, word)| (at as f64 + 1.0, (*word).to_owned()))
                .collect(),
        );
    }
    described(port.variable)
}

/// `1 low, 2 moderate, 3 high, 0 outside` as classes; zero is drawn as nothing.
fn described(text: &str) -> Option<Vec<(f64, String)>> {
    let part = |part: &str| {
        let (number, word) = part.trim().split_once(' ')?;
        Some((number.parse::<u8>().ok()?, word.to_owned()))
    };
    let parts: Option<Vec<(u8, String)>> = text.split(',').map(part).collect();
    let classes: Vec<(f64, String)> = parts?
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| (f64::from(number), word))
        .collect();
    (classes.len() > 1).then_some(classes)
}

/// The interval of a number: the ends that its model gave, or one deviation to either side.
pub(super) fn interval(analysis: &Analysis<'_>, artifact: &Artifact) -> Option<(f64, f64)> {
    let Value::Quantity(quantity) = artifact.value.as_ref() else {
        return None;
    };
    let end = |side: &str| {
        let variable = format!("{}_{side}", artifact.kind.variable);
        let artifacts = analysis.trajectory.artifacts.iter();
        artifacts
            .filter(|a| a.kind.variable == variable)
            .find_map(|a| match a.value.as_ref() {
                Value::Quantity(end) => end.convert(quantity.unit()).ok().map(|end| end.value()),
                _ => None,
            })
    };
    if let (Some(low), Some(high)) = (end("lower"), end("upper")) {
        return Some((low, high));
    }
    let deviation = artifact
        .deviation
        .as_ref()?
        .convert(quantity.unit())
        .ok()?
        .value();
    let value = quantity.value();
    // A share stays between 0 and 1, and what cannot be negative does not become so.
    let (low, high) = (value - deviation, value + deviation);
    let share = quantity.unit().symbol() == "fraction";
    Some((
        if value >= 0.0 { low.max(0.0) } else { low },
        if share { high.min(1.0) } else { high },
    ))
}

fn bars(analysis: &Analysis<'_>) -> Vec<Bar> {
    let artifacts = analysis.trajectory.artifacts.iter().map(AsRef::as_ref);
    let derived = artifacts.filter(|a: &&Artifact| matches!(a.origin, Origin::Derived { .. }));
    let mut bars = Vec::new();
    for artifact in derived {
        let variable = &artifact.kind.variable;
        let Value::Quantity(quantity) = artifact.value.as_ref() else {
            continue;
        };
        // The ends of an interval stand beside their value.
        if super::is_an_end(variable) || variable.starts_with("ln_") {
            continue;
        }
        let share = quantity.unit().symbol() == "fraction";
        let unit = match quantity.unit().symbol() {
            "1" | "fraction" => String::new(),
            symbol => format!(", {symbol}"),
        };
        bars.push(Bar {
            name: format!("{}{unit}", words_of(variable)),
            value: quantity.value(),
            interval: interval(analysis, artifact),
            axis: share.then_some((0.0, 1.0)),
        });
    }
    bars.truncate(8);
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_read_from_what_a_port_says() {
        let classes = described("1 low, 2 moderate, 3 high, 0 outside burned basins").unwrap();
        let words: Vec<&str> = classes.iter().map(|(_, word)| word.as_str()).collect();
        assert_eq!(words, ["low", "moderate", "high"]);
        assert_eq!(described("likelihood of a debris flow"), None);
        assert_eq!(described("number of the basin, 0 outside"), None);
    }
}
