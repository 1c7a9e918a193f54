//! Tables: lines of several cells that stand in the same columns.

use crate::pdf::engine::PdfLine;
use crate::plain::bullet;

/// Cells whose edges differ by less than this, in glyph sizes, stand in one column.
const SAME_COLUMN: f64 = 0.7;

/// Rows further apart than this, in glyph sizes, are not of one table.
const WIDEST_GAP: f64 = 4.5;

/// The rows of the table that the lines begin with, and how many lines it takes.
pub(super) fn find(lines: &[&PdfLine]) -> Option<(Vec<Vec<String>>, usize)> {
    let first = lines.first()?;
    if !is_row(first) {
        return None;
    }
    let mut rows = vec![cells(first)];
    let mut full = vec![*first];
    let mut length = 1;
    let mut most = first.cells.len();
    for line in &lines[1..] {
        let last = full[full.len() - 1];
        let before = lines[length - 1];
        let down = line.baseline - before.baseline;
        let size = line.size.max(before.size);
        if line.turn != before.turn || down < 0.3 * size || down > WIDEST_GAP * size {
            break;
        }
        if is_row(line)
            && shared_columns(last, line) >= 2.min(last.cells.len().min(line.cells.len()))
        {
            rows.push(cells(line));
            full.push(line);
            most = most.max(line.cells.len());
        } else if full.len() > 1
            && down < 1.4 * size
            && let Some(columns) = continued(last, line)
        {
            // The second line of cells that are too long for one.
            let row = &mut rows[full.len() - 1];
            for (cell, column) in line.cells.iter().zip(columns) {
                row[column].push(' ');
                row[column].push_str(&cell.text);
            }
        } else {
            break;
        }
        length += 1;
    }
    let enough = rows.len() >= 3 || rows.len() == 2 && most >= 3;
    (enough && !is_prose(&rows)).then_some((rows, length))
}

fn cells(line: &PdfLine) -> Vec<String> {
    line.cells.iter().map(|cell| cell.text.clone()).collect()
}

fn is_row(line: &PdfLine) -> bool {
    line.cells.len() >= 2 && bullet(&line.text()).is_none()
}

/// Number of columns that two rows share by the left, right or middle of their cells.
fn shared_columns(one: &PdfLine, other: &PdfLine) -> usize {
    let reach = SAME_COLUMN * one.size.max(other.size);
    let near = |a: f64, b: f64| (a - b).abs() <= reach;
    one.cells
        .iter()
        .filter(|a| {
            other.cells.iter().any(|b| {
                near(a.left, b.left)
                    || near(a.right, b.right)
                    || near(a.left + a.right, b.left + b.right)
            })
        })
        .count()
}

/// The columns that a line goes on with, when it leaves out the first.
fn continued(row: &PdfLine, line: &PdfLine) -> Option<Vec<usize>> {
    let reach = SAME_COLUMN * row.size.max(line.size);
    let columns: Option<Vec<usize>> = line
        .cells
        .iter()
        .map(|cell| {
            row.cells
                .iter()
                .position(|column| (column.left - cell.left).abs() <= reach)
        })
        .collect();
    columns
        .filter(|columns| !columns.contains(&0) && columns.windows(2).all(|pair| pair[0] < pair[1]))
}

/// Whether rows of two long cells are really two columns of running text.
fn is_prose(rows: &[Vec<String>]) -> bool {
    let long = rows
        .iter()
        .filter(|row| row.len() == 2 && row.iter().all(|cell| cell.split_whitespace().count() > 5))
        .count();
    long * 2 > rows.len()
}
