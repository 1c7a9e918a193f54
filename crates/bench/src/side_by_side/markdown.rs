//! The report for people, as Markdown.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::{Figures, MethodFigures, SideBySide};
use crate::interval::Estimate;

/// A column of the first table.
type Column = (&'static str, fn(&Figures) -> Option<Estimate>);
/// A breakdown: its title and where it stands.
type Part = (
    &'static str,
    fn(&MethodFigures) -> &BTreeMap<String, Figures>,
);

const COLUMNS: [Column; 6] = [
    ("accuracy", |f| f.accuracy),
    ("coverage", |f| f.coverage),
    ("accuracy answered", |f| f.accuracy_answered),
    ("recall@5", |f| f.recall_at_5),
    ("accuracy, evidence in 5", |f| f.accuracy_found),
    ("accuracy, evidence not in 5", |f| f.accuracy_not_found),
];

const PARTS: [Part; 5] = [
    ("type", |m| &m.by_type),
    ("category", |m| &m.by_category),
    ("hazard", |m| &m.by_hazard),
    ("rule of the checker and guessability", |m| &m.by_origin),
    ("change", |m| &m.by_change),
];

/// Tables of all methods. `plot` is the file name of the plot beside it.
///
/// Names come from other people's files: nothing in them becomes Markdown or HTML.
pub fn markdown(compared: &SideBySide, title: &str, plot: Option<&str>) -> String {
    let mut text = format!(
        "# {}\n\nIn brackets: 95 % intervals over questions. An abstention is not right.\n",
        escaped(title)
    );
    heading(
        &mut text,
        "Methods",
        COLUMNS
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .chain(["latency ms (median)", "calls", "tokens", "US$"].map(str::to_owned)),
    );
    for method in &compared.methods {
        let figures = COLUMNS.iter().map(|(_, of)| cell(of(&method.all)));
        let latency = method
            .latency_ms
            .map_or("-".to_owned(), |e| format!("{:.0}", e.value));
        let usage = match method.usage {
            Some(u) => [
                u.calls.to_string(),
                u.tokens.to_string(),
                format!("{:.4}", u.dollars),
            ],
            None => ["no model", "no model", "no model"].map(str::to_owned),
        };
        row(
            &mut text,
            &method.method,
            figures.chain([latency]).chain(usage),
        );
    }
    if !compared.pairs.is_empty() {
        heading(
            &mut text,
            "Pairs",
            [
                "only left right",
                "only right right",
                "difference",
                "p (McNemar, exact)",
            ]
            .map(str::to_owned),
        );
        for pair in &compared.pairs {
            let p = if pair.p < 1e-4 {
                format!("{:.1e}", pair.p)
            } else {
                format!("{:.4}", pair.p)
            };
            let name = format!("{} - {}", pair.left, pair.right);
            let cells = [
                pair.only_left.to_string(),
                pair.only_right.to_string(),
                lead(pair.difference),
                p,
            ];
            row(&mut text, &name, cells);
        }
    }
    if let Some(plot) = plot {
        let _ = write!(text, "\n![Accuracy by hazard]({})\n", escaped(plot));
    }
    for (title, part) in PARTS {
        let names: BTreeSet<&String> = compared
            .methods
            .iter()
            .flat_map(|m| part(m).keys())
            .collect();
        if names.is_empty() {
            continue;
        }
        let methods = compared
            .methods
            .iter()
            .map(|method| escaped(&method.method));
        heading(
            &mut text,
            &format!("Accuracy by {title}"),
            ["n".to_owned()].into_iter().chain(methods),
        );
        for name in names {
            let of = |m: &MethodFigures| part(m).get(name).and_then(|figures| figures.accuracy);
            let n = compared.methods.iter().find_map(of).map_or(0, |e| e.n);
            let cells = compared.methods.iter().map(|method| cell(of(method)));
            row(&mut text, name, [n.to_string()].into_iter().chain(cells));
        }
    }
    text
}

fn heading(text: &mut String, title: &str, columns: impl IntoIterator<Item = String>) {
    let columns: Vec<String> = columns.into_iter().collect();
    let _ = write!(
        text,
        "\n## {title}\n\n| | {} |\n|---|{}\n",
        columns.join(" | "),
        "---|".repeat(columns.len())
    );
}

fn row(text: &mut String, name: &str, cells: impl IntoIterator<Item = String>) {
    let cells: Vec<String> = cells.into_iter().collect();
    let _ = writeln!(text, "| {} | {} |", escaped(name), cells.join(" | "));
}

fn cell(estimate: Option<Estimate>) -> String {
    estimate.map_or("-".to_owned(), |e| {
        format!("{:.3} [{:.3}, {:.3}]", e.value, e.low, e.high)
    })
}

fn lead(estimate: Option<Estimate>) -> String {
    estimate.map_or("-".to_owned(), |e| {
        format!("{:+.3} [{:+.3}, {:+.3}]", e.value, e.low, e.high)
    })
}

/// Text in which nothing is markup.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_control() => safe.push('\u{fffd}'),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '|' | '`' | '*' | '[' | ']' | '(' | ')' | '!' | '#' | '\\' | '~' => {
                safe.push('\\');
                safe.push(c);
            }
            _ => safe.push(c),
        }
    }
    safe
}
