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
    let mut last = *first;
    let mut length = 1;
    let mut most = first.cells.len();
    while let Some(line) = lines.get(length) {
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
            last = line;
            most = most.max(line.cells.len());
            length += 1;
        } else if rows.len() > 1
            && down < 1.4 * size
            && let Some(columns) = columns_of(last, line)
            && !columns.contains(&0)
        {
            // The second line of cells that are too long for one.
            if let Some(row) = rows.last_mut() {
                extend(row, line, &columns);
            }
            length += 1;
        } else if rows.len() > 1
            && let Some((row, taken)) = row_by_cells(last, &lines[length..])
        {
            rows.push(row);
            length += taken;
        } else {
            break;
        }
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

/// The columns of a row in which a line's cells stand, left to right.
fn columns_of(row: &PdfLine, line: &PdfLine) -> Option<Vec<usize>> {
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
    columns.filter(|columns| columns.windows(2).all(|pair| pair[0] < pair[1]))
}

fn extend(row: &mut Vec<String>, line: &PdfLine, columns: &[usize]) {
    for (cell, &column) in line.cells.iter().zip(columns) {
        if row.len() <= column {
            row.resize(column + 1, String::new());
        }
        if !row[column].is_empty() {
            row[column].push(' ');
        }
        row[column].push_str(&cell.text);
    }
}

/// A row that was written cell by cell, its cells of several lines: the lines of each cell go
/// down, and each further cell begins to the right at the height of the row.
fn row_by_cells(known: &PdfLine, lines: &[&PdfLine]) -> Option<(Vec<String>, usize)> {
    let first = lines.first()?;
    let size = first.size;
    let mut row = Vec::new();
    let mut column = 0;
    let (mut top, mut bottom) = (first.baseline, first.baseline);
    let mut taken = 0;
    for (place, line) in lines.iter().enumerate() {
        let Some(columns) = columns_of(known, line).filter(|_| line.turn == first.turn) else {
            break;
        };
        let (Some(&leftmost), Some(&rightmost)) = (columns.first(), columns.last()) else {
            break;
        };
        let down = line.baseline - lines[place.saturating_sub(1)].baseline;
        let goes_down = leftmost == column
            && rightmost == column
            && place > 0
            && down > 0.0
            && down < 1.4 * size;
        let goes_right = leftmost > column
            && line.baseline > top - 1.5 * size
            && line.baseline < bottom + 0.5 * size;
        let begins = place == 0 && leftmost == 0;
        if !(begins || goes_down || goes_right) {
            break;
        }
        extend(&mut row, line, &columns);
        column = rightmost;
        top = top.min(line.baseline);
        bottom = bottom.max(line.baseline);
        taken = place + 1;
    }
    (row.len() > 1).then_some((row, taken))
}

/// Whether rows of two long cells are really two columns of running text.
fn is_prose(rows: &[Vec<String>]) -> bool {
    let long = rows
        .iter()
        .filter(|row| row.len() == 2 && row.iter().all(|cell| cell.split_whitespace().count() > 5))
        .count();
    long * 2 > rows.len()
}
