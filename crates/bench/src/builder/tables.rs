//! MoRA-RAG's Table 1 and Figure 2 for a built set, and how its items were made.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::change::Change;
use super::{Built, BuiltItem, Category};

/// The whole report of a build, without a word of the items.
pub fn report(built: &Built) -> String {
    let mut text = table_1(&built.items);
    text.push('\n');
    text.push_str(&figure_2(&built.items));
    text.push('\n');
    text.push_str(&changes(&built.items));
    let _ = writeln!(
        text,
        "\nSentences looked at: {}. Invalid, by reason:",
        built.sentences
    );
    for (reason, count) in &built.invalid {
        let _ = writeln!(text, "  {count:>6}  {reason:?}");
    }
    let _ = writeln!(
        text,
        "Duplicate items dropped: {}\n\nGuessed without the document:",
        built.duplicates
    );
    for (guess, found) in &built.guessable {
        let share = found.right.map_or("no item".to_owned(), |e| {
            format!("{:.3} [{:.3}, {:.3}] of {}", e.value, e.low, e.high, e.n)
        });
        let _ = writeln!(
            text,
            "  {guess:?}: {share}, chance {}, items named {}",
            found.chance, found.named
        );
    }
    let _ = writeln!(
        text,
        "\nseed {}, {} items, sha256 {}",
        built.settings.seed,
        built.items.len(),
        built.hash
    );
    text
}

/// Table 1: items by category and type.
pub fn table_1(items: &[BuiltItem]) -> String {
    let count = |category: Option<Category>, kind: &str| {
        let of = items
            .iter()
            .filter(|item| category.is_none_or(|c| item.category == c));
        of.filter(|item| kind.is_empty() || item.r#type == kind)
            .count()
    };
    let mut text = format!(
        "{:<24}{:>6}{:>6}{:>6}\n",
        "Task category", "TF", "MC", "All"
    );
    let rows = Category::ALL.map(Some).into_iter().chain([None]);
    for category in rows {
        let name = category.map_or("Total".to_owned(), |category| category.to_string());
        let counts = ["TF", "MC", ""].map(|kind| count(category, kind));
        let _ = writeln!(
            text,
            "{name:<24}{:>6}{:>6}{:>6}",
            counts[0], counts[1], counts[2]
        );
    }
    text
}

/// Figure 2: share of the items by hazard.
pub fn figure_2(items: &[BuiltItem]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for item in items {
        *counts.entry(&item.hazard).or_insert(0) += 1;
    }
    let mut sorted: Vec<_> = counts.into_iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let mut text = "Share by hazard\n".to_owned();
    for (hazard, count) in sorted {
        let share = 100.0 * count as f64 / items.len() as f64;
        let bar = "#".repeat((share / 2.0).round() as usize);
        let _ = writeln!(text, "{hazard:<16}{count:>6} {share:>5.1} % {bar}");
    }
    text
}

/// Items by the way they were made.
pub fn changes(items: &[BuiltItem]) -> String {
    let mut counts: BTreeMap<Change, usize> = BTreeMap::new();
    for item in items {
        *counts.entry(item.made_by).or_insert(0) += 1;
    }
    let mut text = "Made by                   items  checker has a rule\n".to_owned();
    for (change, count) in &counts {
        let rule = if change.checker_has_rule() {
            "yes"
        } else {
            "no"
        };
        let _ = writeln!(text, "{:<24}{count:>7}  {rule}", name(*change));
    }
    let without = items.iter().filter(|item| !item.checker_has_rule).count();
    let share = 100.0 * without as f64 / items.len().max(1) as f64;
    let _ = writeln!(
        text,
        "Without a rule: {without} of {} ({share:.1} %)",
        items.len()
    );
    text
}

/// The name that stands in the items.
pub(crate) fn name(change: Change) -> String {
    match serde_json::to_value(change) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}
