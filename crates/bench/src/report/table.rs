//! Reports as tables for people.

use std::collections::{BTreeMap, BTreeSet};

use super::{Breakdown, Comparison, LATENCY, Metrics, Report};
use crate::interval::Estimate;

/// How many missed questions are listed.
const LISTED: usize = 20;
/// The figure of the breakdown, and the rank behind which a question counts as missed.
const SHOWN: (&str, usize) = ("recall@5", 5);

/// The methods of a comparison side by side: figures with their intervals, differences, one
/// figure by hazard and category, and the questions whose evidence the main method did not bring
/// up.
///
/// Names come from other people's files, so control characters in them are made visible and do
/// not reach the terminal.
pub fn table(comparison: &Comparison) -> String {
    let reports: Vec<&Report> = comparison.reports().collect();
    let main = reports[0];
    let mut text = format!(
        "{} questions, {} of them without evidence and in no figure but the time. \
         In brackets: 95 % intervals over questions.\n",
        main.items.len(),
        main.without_evidence
    );

    let metrics: Vec<&Metrics> = reports.iter().map(|report| &report.metrics).collect();
    section(&mut text, "", figures(head(&reports), &metrics, figure));

    let differences = comparison.differences();
    if !differences.is_empty() {
        let metrics: Vec<&Metrics> = differences.iter().map(|d| &d.metrics).collect();
        let title = format!("{} less the other, question by question", main.method);
        section(
            &mut text,
            &title,
            figures(head(&reports[1..]), &metrics, lead),
        );
    }
    for shown in [SHOWN.0, "accuracy"] {
        breakdown(&mut text, shown, "hazard", &reports, |by| &by.hazard);
        breakdown(&mut text, shown, "category", &reports, |by| &by.category);
    }
    missed(&mut text, &reports);
    text
}

/// A row a figure, a column a method.
fn figures(
    head: Vec<String>,
    metrics: &[&Metrics],
    show: fn(&str, &Estimate) -> String,
) -> Vec<Vec<String>> {
    let mut names = Vec::new();
    for (name, _) in metrics.iter().flat_map(|metrics| metrics.iter()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut rows = vec![head];
    for name in names {
        let cells = metrics.iter().map(|metrics| cell(metrics, name, show));
        rows.push(std::iter::once(name.to_owned()).chain(cells).collect());
    }
    rows
}

fn breakdown(
    text: &mut String,
    shown: &str,
    title: &str,
    reports: &[&Report],
    parts: fn(&Breakdown) -> &BTreeMap<String, Metrics>,
) {
    let names: BTreeSet<&String> = reports
        .iter()
        .flat_map(|report| parts(&report.by).iter())
        .filter(|(_, metrics)| metrics.get(shown).is_some())
        .map(|(name, _)| name)
        .collect();
    if names.is_empty() {
        return;
    }
    let none = Metrics::default();
    let mut rows = vec![head(reports)];
    rows[0].insert(1, "n".to_owned());
    for name in names {
        let metrics = reports
            .iter()
            .map(|report| parts(&report.by).get(name).unwrap_or(&none));
        let n = metrics.clone().find_map(|metrics| metrics.get(shown));
        let n = n.map_or(0, |estimate| estimate.n);
        let mut row = vec![name.clone(), n.to_string()];
        row.extend(metrics.map(|metrics| cell(metrics, shown, figure)));
        rows.push(row);
    }
    section(text, &format!("{shown} by {title}"), rows);
}

fn missed(text: &mut String, reports: &[&Report]) {
    let (_, depth) = SHOWN;
    let missed: Vec<_> = reports[0]
        .items
        .iter()
        .filter(|item| item.has_evidence() && item.rank.is_none_or(|rank| rank > depth))
        .collect();
    if missed.is_empty() {
        return;
    }
    let mut rows = vec![head(reports)];
    rows[0].push("evidence in".to_owned());
    for item in missed.iter().take(LISTED) {
        let mut row = vec![item.id.clone()];
        for report in reports {
            let same = report.items.iter().find(|other| other.id == item.id);
            let rank = same.and_then(|other| other.rank);
            row.push(rank.map_or_else(|| "-".to_owned(), |rank| rank.to_string()));
        }
        row.extend(item.document.clone());
        rows.push(row);
    }
    let method = &reports[0].method;
    let title = format!("Rank of the evidence where {method} has it behind {depth} or not at all");
    section(text, &title, rows);
    if missed.len() > LISTED {
        text.push_str(&format!("... and {} more\n", missed.len() - LISTED));
    }
}

fn head(reports: &[&Report]) -> Vec<String> {
    let methods = reports.iter().map(|report| report.method.clone());
    std::iter::once(String::new()).chain(methods).collect()
}

fn cell(metrics: &Metrics, name: &str, show: fn(&str, &Estimate) -> String) -> String {
    metrics
        .get(name)
        .map_or_else(|| "-".to_owned(), |estimate| show(name, estimate))
}

/// Shares with two digits, as many as a set of some hundred questions bears; times with one.
fn figure(name: &str, e: &Estimate) -> String {
    let digits = if name == LATENCY { 1 } else { 2 };
    format!(
        "{:.digits$} [{:.digits$}, {:.digits$}]",
        e.value, e.low, e.high
    )
}

fn lead(_: &str, e: &Estimate) -> String {
    // Adding 0 turns -0 into 0, and a rounded -0.004 is shown as what it rounds to.
    let signed = |value: f64| {
        let rounded = (value * 100.0).round() / 100.0 + 0.0;
        format!("{rounded:+.2}")
    };
    format!(
        "{} [{}, {}]",
        signed(e.value),
        signed(e.low),
        signed(e.high)
    )
}

/// Appends rows as aligned columns, two blanks apart.
fn section(text: &mut String, title: &str, mut rows: Vec<Vec<String>>) {
    for cell in rows.iter_mut().flatten() {
        *cell = clean(cell);
    }
    text.push('\n');
    if !title.is_empty() {
        text.push_str(&clean(title));
        text.push('\n');
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(&format!("{cell:<width$}  "));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

fn clean(name: &str) -> String {
    name.replace(char::is_control, "\u{fffd}")
}
