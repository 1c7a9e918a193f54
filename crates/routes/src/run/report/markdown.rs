//! The page as Markdown.

use super::Page;
use crate::run::markup::markdown as text;

/// The page as Markdown.
pub fn write(page: &Page) -> String {
    let mut out = format!("# {}\n\n", text(&page.title));
    out.push_str(&format!("**{}**\n\n", text(&page.answer)));
    out.push_str(&format!("{}\n\n", text(&page.origin_of_inputs())));
    let facts = page
        .facts
        .iter()
        .map(|(name, value)| vec![text(name), text(value)]);
    table(&mut out, &["", ""], facts);
    if let Some(figure) = &page.figure {
        out.push_str(&format!(
            "![{}]({})\n\n",
            text(&figure.caption),
            figure.file
        ));
    }
    if !page.results.is_empty() {
        out.push_str("## Results\n\n");
        let rows = page.results.iter().map(|row| {
            let file = row.file.as_deref().unwrap_or("in the run record");
            [&row.name, &row.value, &row.uncertainty, file]
                .map(text)
                .to_vec()
        });
        table(&mut out, &["what", "value", "uncertainty", "file"], rows);
    }
    list(&mut out, "To find out", &page.questions);
    list(&mut out, "Missing", &page.missing);
    list(&mut out, "Uncertainty", &page.uncertainty);
    list(&mut out, "Not covered", &page.not_covered);
    if !page.conditions.is_empty() {
        out.push_str("## Conditions of the route\n\n");
        if let Some(note) = page.cited_note() {
            out.push_str(&format!("{}\n\n", text(&note)));
        }
        for row in &page.conditions {
            let found = match row.found.is_empty() {
                true => String::new(),
                false => format!(", found {}", text(&row.found)),
            };
            out.push_str(&format!(
                "- {} ({}): **{}**{found}\n",
                text(&row.reading),
                text(&row.strictness),
                text(&row.status)
            ));
            match &row.quote {
                Some(quote) => out.push_str(&format!(
                    "  > {}\n  >\n  > {}\n",
                    text(&quote.text),
                    text(&quote.source)
                )),
                None => out.push_str(&format!("  cited: {}\n", text(&row.citation))),
            }
        }
        out.push('\n');
    }
    if !page.routes.is_empty() {
        out.push_str("## Routes\n\n");
        let rows = page.routes.iter().map(|row| {
            let reasons = row.reasons.iter().map(|reason| text(reason));
            let reasons = reasons.collect::<Vec<_>>().join("; ");
            vec![text(&row.name), text(&row.status), reasons]
        });
        table(&mut out, &["route", "status", "why"], rows);
    }
    if !page.inputs.is_empty() {
        out.push_str("## Inputs\n\n");
        let rows = page.inputs.iter().map(|row| {
            let mark = if row.is_made { " (MADE)" } else { "" };
            let origin = format!("{}{mark}", row.origin);
            [&row.name, &row.value, &origin, &row.source, &row.published]
                .map(|cell| text(cell))
                .to_vec()
        });
        table(
            &mut out,
            &["what", "value", "origin", "source", "published"],
            rows,
        );
    }
    list(
        &mut out,
        "What was tried before giving up",
        &page.certificate,
    );
    list(&mut out, "How to cite", &page.citations);
    out.push_str(&format!("{}\n", text(&page.program)));
    out
}

fn list(out: &mut String, title: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    out.push_str(&format!("## {title}\n\n"));
    for item in items {
        out.push_str(&format!("- {}\n", text(item)));
    }
    out.push('\n');
}

fn table(out: &mut String, head: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return;
    }
    out.push_str(&format!("| {} |\n|", head.join(" | ")));
    out.push_str(&"---|".repeat(head.len()));
    out.push('\n');
    for row in rows {
        out.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    out.push('\n');
}
