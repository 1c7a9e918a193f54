//! The page as HTML: one file, no script, nothing from elsewhere.

use super::{ConditionRow, Page};
use crate::run::markup::escaped;

const STYLE: &str = "body{font:15px/1.45 sans-serif;max-width:60rem;margin:1.5rem auto;padding:0 1rem;color:#1c1c1c}\
h1{font-size:1.35rem}h2{font-size:1.05rem;border-bottom:1px solid #ccc;margin-top:1.6rem}\
.answer{font-size:1.15rem;background:#eef4f8;border-left:4px solid #2a6f97;padding:.6rem .9rem}\
.none{background:#fbf3e6;border-color:#b5651d}table{border-collapse:collapse;width:100%}\
td,th{border:1px solid #d5d5d5;padding:.25rem .45rem;text-align:left;vertical-align:top}th{background:#f4f4f4}\
blockquote{margin:.3rem 0;padding-left:.6rem;border-left:3px solid #bbb;color:#333}\
.made{background:#fff3cd}.small{color:#555;font-size:.88rem}figure{margin:0}svg{max-width:100%;height:auto}";

/// The page as HTML.
pub fn write(page: &Page) -> String {
    let mut out =
        String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    // The page itself forbids what a hostile title could ask for.
    out.push_str(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         img-src data:; style-src 'unsafe-inline'\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n",
    );
    out.push_str(&format!(
        "<title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{}</h1>\n",
        escaped(&page.title),
        escaped(&page.title)
    ));
    let class = if page.is_answered {
        "answer"
    } else {
        "answer none"
    };
    out.push_str(&format!(
        "<p class=\"{class}\">{}</p>\n",
        escaped(&page.answer)
    ));
    out.push_str(&format!("<p>{}</p>\n", escaped(&page.origin_of_inputs())));
    pairs(&mut out, &page.facts);
    if let Some(figure) = &page.figure {
        out.push_str(&format!(
            "<figure>{}<figcaption class=\"small\">{}</figcaption></figure>\n",
            figure.svg,
            escaped(&figure.caption)
        ));
    }
    results(&mut out, page);
    list(&mut out, "To find out", &page.questions);
    list(&mut out, "Missing", &page.missing);
    list(&mut out, "Uncertainty", &page.uncertainty);
    list(&mut out, "Not covered", &page.not_covered);
    conditions(&mut out, page);
    routes(&mut out, page);
    inputs(&mut out, page);
    list(
        &mut out,
        "What was tried before giving up",
        &page.certificate,
    );
    list(&mut out, "How to cite", &page.citations);
    out.push_str(&format!(
        "<p class=\"small\">{}</p>\n</body>\n</html>\n",
        escaped(&page.program)
    ));
    out
}

fn heading(out: &mut String, title: &str) {
    out.push_str(&format!("<h2>{title}</h2>\n"));
}

fn pairs(out: &mut String, facts: &[(String, String)]) {
    if facts.is_empty() {
        return;
    }
    out.push_str("<table>\n");
    for (name, value) in facts {
        out.push_str(&format!(
            "<tr><th>{}</th><td>{}</td></tr>\n",
            escaped(name),
            escaped(value)
        ));
    }
    out.push_str("</table>\n");
}

fn list(out: &mut String, title: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    heading(out, title);
    out.push_str("<ul>\n");
    for item in items {
        out.push_str(&format!("<li>{}</li>\n", escaped(item)));
    }
    out.push_str("</ul>\n");
}

fn table(out: &mut String, head: &[&str], rows: impl Iterator<Item = (bool, Vec<String>)>) {
    out.push_str("<table>\n<tr>");
    for name in head {
        out.push_str(&format!("<th>{name}</th>"));
    }
    out.push_str("</tr>\n");
    for (marked, cells) in rows {
        out.push_str(if marked {
            "<tr class=\"made\">"
        } else {
            "<tr>"
        });
        for cell in cells {
            out.push_str(&format!("<td>{cell}</td>"));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table>\n");
}

fn results(out: &mut String, page: &Page) {
    if page.results.is_empty() {
        return;
    }
    heading(out, "Results");
    let rows = page.results.iter().map(|row| {
        let file = row.file.as_deref().unwrap_or("in the run record");
        let cells = [&row.name, &row.value, &row.uncertainty, file];
        (false, cells.map(escaped).to_vec())
    });
    table(out, &["what", "value", "uncertainty", "file"], rows);
}

fn conditions(out: &mut String, page: &Page) {
    if page.conditions.is_empty() {
        return;
    }
    heading(out, "Conditions of the route");
    if let Some(note) = page.cited_note() {
        out.push_str(&format!("<p>{}</p>\n", escaped(&note)));
    }
    let source = |row: &ConditionRow| match &row.quote {
        Some(quote) => format!(
            "<blockquote>{}</blockquote><span class=\"small\">{}</span>",
            escaped(&quote.text),
            escaped(&quote.source)
        ),
        None => format!(
            "<span class=\"small\">cited: {}</span>",
            escaped(&row.citation)
        ),
    };
    let rows = page.conditions.iter().map(|row| {
        let mut cells = [&row.reading, &row.status, &row.found, &row.strictness]
            .map(|text| escaped(text))
            .to_vec();
        cells.push(source(row));
        (false, cells)
    });
    table(out, &["condition", "holds", "found", "", "source"], rows);
}

fn routes(out: &mut String, page: &Page) {
    if page.routes.is_empty() {
        return;
    }
    heading(out, "Routes");
    let rows = page.routes.iter().map(|row| {
        let reasons = row.reasons.iter().map(|reason| escaped(reason));
        let reasons = reasons.collect::<Vec<_>>().join("<br>");
        (
            false,
            vec![escaped(&row.name), escaped(&row.status), reasons],
        )
    });
    table(out, &["route", "status", "why"], rows);
}

fn inputs(out: &mut String, page: &Page) {
    if page.inputs.is_empty() {
        return;
    }
    heading(out, "Inputs");
    let rows = page.inputs.iter().map(|row| {
        let origin = if row.is_made {
            format!("{} (MADE)", row.origin)
        } else {
            row.origin.clone()
        };
        let cells = [&row.name, &row.value, &origin, &row.source, &row.published];
        (row.is_made, cells.map(|text| escaped(text)).to_vec())
    });
    table(
        out,
        &["what", "value", "origin", "source", "published"],
        rows,
    );
}
