//! Reports as tables for people.

use super::paper::{COLUMNS, TABLE_5, TABLE_7, TABLE_7_METHODS};
use super::{DecidedItem, GeoReport};
use crate::interval::Estimate;

/// Items that are listed in full.
const LISTED: usize = 60;

/// One method's report.
pub fn table(report: &GeoReport) -> String {
    let mut text = format!("{}: {} questions\n\n", report.method, report.items.len());
    for (name, figure) in &report.metrics {
        text.push_str(&format!(
            "{name:<30} {}  n {}\n",
            interval(figure),
            figure.n
        ));
    }
    text.push_str("\ngood decisions by how the best evidence of the corpus lies\n");
    for (kind, (good, all)) in &report.by.geo_error_type {
        text.push_str(&format!("  {kind:<12} {good} of {all}\n"));
    }
    text.push_str("\ngood decisions by topic\n");
    for (topic, figures) in &report.by.category {
        if let Some(figure) = figures.get("good_decision_rate") {
            text.push_str(&format!(
                "  {topic:<26} {}  n {}\n",
                interval(figure),
                figure.n
            ));
        }
    }
    text.push_str("\nfactual correctness by the best of the retrieved passages\n");
    for (relation, figure) in &report.by.correctness_by_retrieved {
        text.push_str(&format!(
            "  {relation:<12} {}  n {}\n",
            interval(figure),
            figure.n
        ));
    }
    let short: Vec<&DecidedItem> = report
        .items
        .iter()
        .filter(|item| item.quality < 1.0)
        .collect();
    if !short.is_empty() {
        text.push_str("\nother than expected\n");
    }
    for item in short.iter().take(LISTED) {
        let DecidedItem {
            id,
            decision,
            expected,
            shortfall,
            ..
        } = item;
        let why = shortfall.unwrap_or_default();
        text.push_str(&format!(
            "  {id:<12} {decision}, expected {expected}: {why}\n"
        ));
    }
    if short.len() > LISTED {
        text.push_str(&format!("  and {} more\n", short.len() - LISTED));
    }
    text
}

/// Methods side by side, as GeoRisk-RAG's Tables 5 and 7 print them, and what these print.
pub fn side_by_side(reports: &[&GeoReport]) -> String {
    let mut text = heading("Table 5 for this set");
    for report in reports {
        text.push_str(&format!("{:<28}", report.method));
        for column in COLUMNS {
            let cell = report.metrics.get(column).map_or("-".to_owned(), interval);
            text.push_str(&format!("  {cell:<22}"));
        }
        trim(&mut text);
    }
    text.push('\n');
    text.push_str(&heading(
        "Table 5 as GeoRisk-RAG prints it, for its own questions",
    ));
    for row in &TABLE_5 {
        text.push_str(&format!("{:<28}", row.name));
        for (value, low, high) in row.figures {
            let cell = format!("{value:.3} [{low:.3}, {high:.3}]");
            text.push_str(&format!("  {cell:<22}"));
        }
        trim(&mut text);
    }
    text.push_str(&correctness_by_relation(reports));
    text
}

fn heading(title: &str) -> String {
    let short = [
        "decision quality",
        "faithfulness",
        "appropriate warning",
        "over-abstention",
        "false confidence",
        "factual correctness",
    ];
    let mut text = format!("{title}\n{:<28}", "");
    for column in short {
        text.push_str(&format!("  {column:<22}"));
    }
    trim(&mut text);
    text
}

fn correctness_by_relation(reports: &[&GeoReport]) -> String {
    let mut text = format!(
        "\nTable 7 for this set, with counts, and as printed (in brackets)\n{:<12}",
        ""
    );
    for report in reports {
        text.push_str(&format!("  {:<22}", report.method));
    }
    trim(&mut text);
    for relation in ["exact", "coarse", "overlap", "fine", "mismatch", "none"] {
        text.push_str(&format!("{relation:<12}"));
        for report in reports {
            let own = report.by.correctness_by_retrieved.get(relation);
            let own = own.map_or("-".to_owned(), |f| format!("{:.3} n {}", f.value, f.n));
            let row = TABLE_7.iter().find(|(name, _)| *name == relation);
            let column = TABLE_7_METHODS
                .iter()
                .position(|name| *name == report.method);
            let printed = row
                .zip(column)
                .map_or(String::new(), |((_, row), at)| format!(" ({:.3})", row[at]));
            let cell = own + &printed;
            text.push_str(&format!("  {cell:<22}"));
        }
        trim(&mut text);
    }
    text
}

fn interval(figure: &Estimate) -> String {
    let Estimate {
        value, low, high, ..
    } = figure;
    format!("{value:.3} [{low:.3}, {high:.3}]")
}

/// Ends a line without blanks behind it.
fn trim(text: &mut String) {
    text.truncate(text.trim_end_matches(' ').len());
    text.push('\n');
}
