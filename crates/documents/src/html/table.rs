//! Tables of a page: data tables become tables, tables that only lay out the page do not.

use super::dom::{Dom, Id, Kind};
use super::is_left_out;
use crate::builder::{Builder, merged_header};
use crate::decode::one_line;

/// Cells and characters that spans of rows and columns may add to one table.
const MOST_FILLED: usize = 200_000;

/// Longest cell that is repeated in each row it spans.
const LONGEST_REPEATED: usize = 120;

/// All text below a node that readers see, on one line.
pub(super) fn text_of(dom: &Dom, id: Id) -> String {
    one_line(&raw_text_of(dom, id)).replace('\u{ad}', "")
}

/// All text below a node that readers see, white space as it stands in the source.
pub(super) fn raw_text_of(dom: &Dom, id: Id) -> String {
    let mut text = String::new();
    let mut rest: Vec<Id> = dom.nodes[id].children.iter().rev().copied().collect();
    while let Some(id) = rest.pop() {
        match &dom.nodes[id].kind {
            Kind::Text(part) => text.push_str(part),
            Kind::Element { .. } if !is_left_out(dom, id) => {
                let name = dom.name(id);
                if name == "br" || super::is_block(name) {
                    text.push('\n');
                } else if name == "sup" && super::is_exponent_of(&text, dom.raised_text(id)) {
                    text.push('^');
                }
                rest.extend(dom.nodes[id].children.iter().rev());
            }
            _ => {}
        }
    }
    text
}

/// The rows of a table: each with its cells, and whether it is a header.
struct Rows {
    caption: String,
    rows: Vec<(Vec<String>, bool)>,
}

/// Appends a data table; `false` when the table only lays out the page, or holds other tables.
pub(super) fn append(dom: &Dom, table: Id, builder: &mut Builder) -> bool {
    let Some(found) = rows_of(dom, table) else {
        return false;
    };
    if found.rows.iter().all(|(cells, _)| cells.len() < 2) {
        return false;
    }
    let headers = found.rows.iter().take_while(|(_, header)| *header).count();
    // A table of headers only has its first row as header.
    let headers = if headers == found.rows.len() {
        1
    } else {
        headers
    };
    let header = merged_header(
        found.rows[..headers]
            .iter()
            .map(|(cells, _)| cells.as_slice()),
    );
    let rows: Vec<Vec<String>> = found
        .rows
        .into_iter()
        .skip(headers)
        .map(|(cells, _)| cells)
        .collect();
    builder.table(&found.caption, header.as_deref(), &rows);
    true
}

fn rows_of(dom: &Dom, table: Id) -> Option<Rows> {
    if dom
        .attribute(table, "role")
        .is_some_and(|role| role == "presentation" || role == "none")
    {
        return None;
    }
    let mut found = Rows {
        caption: String::new(),
        rows: Vec::new(),
    };
    let mut spans = Spans::default();
    let mut rest: Vec<(Id, bool)> = dom.nodes[table]
        .children
        .iter()
        .rev()
        .map(|&child| (child, false))
        .collect();
    while let Some((id, in_head)) = rest.pop() {
        if is_left_out(dom, id) {
            continue;
        }
        match dom.name(id) {
            "caption" => found.caption = text_of(dom, id),
            "tr" => {
                let row = row_of(dom, id, &mut spans)?;
                let is_header = in_head || row.1;
                found.rows.push((row.0, is_header));
            }
            name @ ("thead" | "tbody" | "tfoot") => {
                let children = dom.nodes[id].children.iter().rev();
                rest.extend(children.map(|&child| (child, name == "thead")));
            }
            _ => {}
        }
    }
    Some(found)
}

/// Cells that reach into further rows and columns.
#[derive(Default)]
struct Spans {
    /// Those still spanning downwards: column, rows left, text.
    hanging: Vec<(usize, usize, String)>,
    /// What they added to the table already.
    filled: usize,
}

impl Spans {
    /// Says again what hangs down into the columns that come next.
    fn fill(&mut self, cells: &mut Vec<String>) {
        while let Some(cell) = self
            .hanging
            .iter_mut()
            .find(|(column, left, _)| *column == cells.len() && *left > 0)
        {
            cell.1 -= 1;
            self.filled += 1 + cell.2.len();
            if self.filled > MOST_FILLED {
                self.hanging.clear();
                return;
            }
            cells.push(cell.2.clone());
        }
        self.hanging.retain(|(_, left, _)| *left > 0);
    }

    /// Empty cells behind one that reaches over several columns.
    fn widen(&mut self, cells: &mut Vec<String>, count: usize) {
        let count = count.min(MOST_FILLED.saturating_sub(self.filled));
        self.filled += count;
        cells.resize(cells.len() + count, String::new());
    }
}

/// One row's cells, and whether all of them are header cells; `None` when a cell holds a table or
/// headings, as cells that lay out a page do.
fn row_of(dom: &Dom, row: Id, spans: &mut Spans) -> Option<(Vec<String>, bool)> {
    let mut cells: Vec<String> = Vec::new();
    let mut all_headers = true;
    let mut opened = Vec::new();
    for &id in &dom.nodes[row].children {
        let name = dom.name(id);
        if !matches!(name, "td" | "th") || is_left_out(dom, id) {
            continue;
        }
        if holds_layout(dom, id) {
            return None;
        }
        spans.fill(&mut cells);
        all_headers &= name == "th";
        let span = |attribute: &str, most: usize| {
            dom.attribute(id, attribute)
                .and_then(|value| value.trim().parse::<usize>().ok())
                .unwrap_or(1)
                .clamp(1, most)
        };
        let text = text_of(dom, id);
        let rows = span("rowspan", 1000);
        if rows > 1 {
            let repeated = if text.chars().count() <= LONGEST_REPEATED {
                text.clone()
            } else {
                String::new()
            };
            opened.push((cells.len(), rows - 1, repeated));
        }
        cells.push(text);
        spans.widen(&mut cells, span("colspan", 50) - 1);
    }
    spans.fill(&mut cells);
    spans.hanging.extend(opened);
    spans.hanging.truncate(1000);
    all_headers &= !cells.is_empty();
    Some((cells, all_headers))
}

fn holds_layout(dom: &Dom, cell: Id) -> bool {
    let mut rest = vec![cell];
    while let Some(id) = rest.pop() {
        if matches!(
            dom.name(id),
            "table" | "h1" | "h2" | "h3" | "h4" | "article" | "section" | "main"
        ) {
            return true;
        }
        rest.extend(&dom.nodes[id].children);
    }
    false
}
