//! Tables drawn with spaces: rows whose fields begin, or end, at the same columns.

use lahar_core::CharRange;

use super::lines::{Line, Shape, bullet};
use crate::builder::Builder;
use crate::document::{Block, BlockKind, Row};

/// A field of a line: first and behind the last scalar value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Field {
    start: usize,
    end: usize,
}

/// The fields of a line, parted by two spaces or more, or by tabs. A bullet is part of none.
fn fields(line: &Line<'_>) -> Vec<Field> {
    let chars: Vec<char> = line.whole.chars().collect();
    let mut start = line.indent;
    if let Some(marker) = bullet(line.text())
        && line.shape() != Shape::Rule
    {
        start += marker.chars().count();
    }
    let mut fields: Vec<Field> = Vec::new();
    let mut at = start;
    while at < chars.len() {
        let gap = chars[at..].iter().take_while(|c| c.is_whitespace()).count();
        let wide = gap > 1 || gap == 1 && chars[at] == '\t';
        at += gap;
        if at >= chars.len() {
            break;
        }
        let length = chars[at..]
            .iter()
            .take_while(|c| !c.is_whitespace())
            .count();
        match fields.last_mut() {
            Some(field) if !wide => field.end = at + length,
            _ => fields.push(Field {
                start: at,
                end: at + length,
            }),
        }
        at += length;
    }
    fields
}

/// Whether two rows share their columns: every field of the shorter row behind the first begins
/// or ends where one of the other does.
fn aligned(one: &[Field], other: &[Field]) -> bool {
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    short.len() >= 2
        && short[1..].iter().all(|field| {
            long[1..]
                .iter()
                .any(|column| column.start == field.start || column.end == field.end)
        })
}

/// How a run of lines reads as a table.
struct Found {
    /// Lines of the header, and whether a rule stands below them.
    header: usize,
    ruled: bool,
    /// All lines.
    length: usize,
}

fn find(lines: &[Line<'_>]) -> Option<Found> {
    let first = lines.first()?;
    if first.shape() == Shape::Rule {
        return None;
    }
    // Header lines with a rule below them, then rows.
    let rule = lines.iter().take(5).position(Line::is_underline);
    if let Some(rule) = rule.filter(|&rule| rule > 0) {
        let body = run(&lines[rule + 1..]);
        let head_is_wide = fields(&lines[rule - 1]).len() >= 2;
        if body >= 1 && head_is_wide && lines[..rule].iter().all(|line| line.shape() == Shape::Text)
        {
            return Some(Found {
                header: rule,
                ruled: true,
                length: rule + 1 + body,
            });
        }
    }
    let length = run(lines);
    let most = lines[..length]
        .iter()
        .map(|line| fields(line).len())
        .max()
        .unwrap_or(0);
    // Two rows of two fields are too little evidence: sentences parted by two spaces do that.
    let enough = most >= 3 && length >= 2 || most == 2 && length >= 3;
    if !enough || most == 2 && !lines[..length].iter().all(has_wide_gap) {
        return None;
    }
    let header = usize::from(most >= 3 && length >= 3 && is_header(&lines[..length]));
    Some(Found {
        header,
        ruled: false,
        length,
    })
}

/// Whether some gap of a line is wider than the two spaces that typists put behind a full stop,
/// or follows a colon.
fn has_wide_gap(line: &Line<'_>) -> bool {
    let fields = fields(line);
    let chars: Vec<char> = line.whole.chars().collect();
    fields.windows(2).any(|pair| {
        let before = chars[pair[0].end - 1];
        pair[1].start - pair[0].end >= 3
            || before == ':'
            || before.is_alphanumeric() && pair[1].start - pair[0].end >= 2
    })
}

/// The first row is a header when no field of it is a number and some field below is.
fn is_header(lines: &[Line<'_>]) -> bool {
    let numbers = |line: &Line<'_>| line.whole.chars().filter(char::is_ascii_digit).count();
    numbers(&lines[0]) == 0 && lines[1..].iter().any(|line| numbers(line) > 0)
}

/// Length of the run of aligned rows that the lines begin with.
fn run(lines: &[Line<'_>]) -> usize {
    let mut length = 0;
    let mut previous: Option<Vec<Field>> = None;
    for line in lines {
        if line.is_blank() || line.shape() == Shape::Rule {
            break;
        }
        let row = fields(line);
        if row.len() < 2
            || previous
                .as_ref()
                .is_some_and(|previous| !aligned(previous, &row))
        {
            break;
        }
        length += 1;
        previous = Some(row);
    }
    length
}

/// Number of lines of the table that the lines begin with, 0 when they begin with none.
pub(super) fn length(lines: &[Line<'_>]) -> usize {
    find(lines).map_or(0, |found| found.length)
}

/// Appends the table that the lines begin with, line by line as they stand, and returns how many
/// lines it has; `None` when they begin with no table.
pub(super) fn append(builder: &mut Builder, lines: &[Line<'_>]) -> Option<usize> {
    let found = find(lines)?;
    let (mut start, mut table) = builder.open_table("");
    let mut header: Option<Row> = None;
    for (number, line) in lines[..found.length].iter().enumerate() {
        builder.part("\n");
        if number == 0 && table.caption.is_none() {
            start = builder.position;
        }
        let origin = builder.position;
        builder.push(line.whole);
        let cells: Vec<CharRange> = fields(line)
            .iter()
            .map(|field| CharRange::new(origin + field.start, origin + field.end))
            .collect();
        let row = Row {
            range: CharRange::new(origin, builder.position),
            cells,
        };
        if number < found.header {
            // Headers of several lines are one row with the cells of the last.
            let first = header
                .as_ref()
                .map_or(row.range.start, |header| header.range.start);
            header = Some(Row {
                range: CharRange::new(first, row.range.end),
                ..row
            });
        } else if !(found.ruled && number == found.header) {
            table.rows.push(row);
        }
    }
    table.header = header;
    builder.blocks.push(Block {
        range: CharRange::new(start, builder.position),
        section: builder.section(),
        kind: BlockKind::Table(table),
    });
    Some(found.length)
}
