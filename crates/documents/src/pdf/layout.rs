//! From lines to blocks, by how the lines stand: distance, indent, size, bullets, columns.

pub(super) mod columns;
pub(super) mod headings;
mod tables;

use std::collections::HashMap;

use super::engine::{PdfLine, PdfPage};
use crate::plain::bullet;

/// A block before its text is put together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Draft<'a> {
    pub kind: Kind,
    /// Its lines, each with the number of its page.
    pub lines: Vec<(u32, &'a PdfLine)>,
}

/// What a draft is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Paragraph,
    ListItem,
    Heading(u8),
    /// Rows of cells.
    Table(Vec<Vec<String>>),
    RunningHead,
}

/// Sizes and distances that are usual in a document.
#[derive(Debug)]
pub(super) struct Usual {
    /// Size of most characters.
    pub size: f64,
    /// Distance of lines, in sizes, by size in half points.
    leading: HashMap<i64, f64>,
}

fn half_points(size: f64) -> i64 {
    (size * 2.0).round() as i64
}

impl Usual {
    fn of(pages: &[PdfPage]) -> Usual {
        let mut characters: HashMap<i64, usize> = HashMap::new();
        let mut distances: HashMap<i64, HashMap<i64, usize>> = HashMap::new();
        for page in pages {
            for line in &page.lines {
                let count: usize = line.cells.iter().map(|cell| cell.text.len()).sum();
                *characters.entry(half_points(line.size)).or_insert(0) += count;
            }
            for pair in page.lines.windows(2) {
                let down = pair[1].baseline - pair[0].baseline;
                let relative = down / pair[0].size;
                if half_points(pair[0].size) == half_points(pair[1].size)
                    && pair[0].turn == pair[1].turn
                    && (0.8..2.5).contains(&relative)
                    && overlaps(pair[0].left(), pair[0].right(), &pair[1])
                {
                    let by_size = distances.entry(half_points(pair[0].size)).or_default();
                    *by_size.entry((relative * 20.0).round() as i64).or_insert(0) += 1;
                }
            }
        }
        let most = |counts: &HashMap<i64, usize>| {
            let best = counts
                .iter()
                .max_by_key(|&(&value, &count)| (count, -value));
            best.map(|(&value, _)| value)
        };
        Usual {
            size: most(&characters).map_or(10.0, |size| size as f64 / 2.0),
            leading: distances
                .iter()
                .filter_map(|(&size, counts)| Some((size, most(counts)? as f64 / 20.0)))
                .collect(),
        }
    }

    fn leading(&self, size: f64) -> f64 {
        self.leading.get(&half_points(size)).copied().unwrap_or(1.2)
    }
}

fn overlaps(left: f64, right: f64, line: &PdfLine) -> bool {
    left.max(line.left()) < right.min(line.right())
}

/// The blocks of each page. Running heads stand at the end of their page's blocks.
pub(super) fn blocks<'a>(pages: &'a [PdfPage], running: &[Vec<bool>]) -> Vec<Vec<Draft<'a>>> {
    let usual = Usual::of(pages);
    let mut drafts: Vec<Vec<Draft<'a>>> = pages
        .iter()
        .zip(running)
        .map(|(page, running)| page_blocks(page, running, &usual))
        .collect();
    headings::mark(&mut drafts, &usual);
    drafts
}

fn page_blocks<'a>(page: &'a PdfPage, running: &[bool], usual: &Usual) -> Vec<Draft<'a>> {
    let body: Vec<&PdfLine> = page
        .lines
        .iter()
        .zip(running)
        .filter(|(_, running)| !**running)
        .map(|(line, _)| line)
        .collect();
    let mut drafts = Vec::new();
    let mut rest = body.as_slice();
    while !rest.is_empty() {
        let (kind, length) = match tables::find(rest) {
            Some((rows, length)) => (Kind::Table(rows), length),
            None => {
                let kind = if bullet(&rest[0].text()).is_some() {
                    Kind::ListItem
                } else {
                    Kind::Paragraph
                };
                (kind, block_length(rest, usual))
            }
        };
        let (lines, others) = rest.split_at(length);
        drafts.push(Draft {
            kind,
            lines: lines.iter().map(|&line| (page.number, line)).collect(),
        });
        rest = others;
    }
    let mut drafts = columns::order(drafts);
    for (line, _) in page
        .lines
        .iter()
        .zip(running)
        .filter(|(_, running)| **running)
    {
        drafts.push(Draft {
            kind: Kind::RunningHead,
            lines: vec![(page.number, line)],
        });
    }
    drafts
}

/// Number of lines in the block that the lines begin with.
fn block_length(lines: &[&PdfLine], usual: &Usual) -> usize {
    let mut length = 1;
    while length < lines.len()
        && !breaks(&lines[..length], lines[length], usual)
        && tables::find(&lines[length..]).is_none()
    {
        length += 1;
    }
    length
}

/// Whether a line begins another block than the lines before it.
fn breaks(block: &[&PdfLine], next: &PdfLine, usual: &Usual) -> bool {
    let last = block[block.len() - 1];
    let size = last.size.max(next.size);
    if last.turn != next.turn || (last.size - next.size).abs() > 0.08 * size {
        return true;
    }
    let left = block
        .iter()
        .map(|line| line.left())
        .fold(f64::MAX, f64::min);
    let right = block
        .iter()
        .map(|line| line.right())
        .fold(f64::MIN, f64::max);
    let down = next.baseline - last.baseline;
    if down < 0.3 * size || !overlaps(left, right, next) {
        return true;
    }
    let usual_down = match block {
        [.., before, _] => last.baseline - before.baseline,
        _ => usual.leading(size) * size,
    };
    // Indices and exponents push lines apart a little; a paragraph gap is wider than that.
    if down > 1.28 * usual_down.max(usual.leading(size) * size * 0.9) {
        return true;
    }
    let text = next.text();
    let is_item = bullet(&block[0].text()).is_some();
    if let Some(marker) = bullet(&text) {
        // A line that happens to begin with a number or a dash inside a paragraph.
        let certain = !marker.starts_with(|c: char| {
            c.is_ascii_alphanumeric() || c == '-' || c == '\u{2013}' || c == '('
        });
        if certain || is_item || ends_sentence(&last.text()) {
            return true;
        }
    }
    let indent = next.left() - last.left();
    let centred = ((next.left() + next.right()) - (last.left() + last.right())).abs() < size;
    let step = 0.8 * size;
    if block.len() > 1 && !centred {
        // A first-line indent, or the first line of a hanging one.
        if indent > step || indent < -step && !is_item {
            let hanging = block[0].left() < block[1].left() - step;
            if indent > step || hanging || ends_sentence(&last.text()) {
                return true;
            }
        }
        if is_item && indent < -step {
            return true;
        }
    } else if !centred && !is_item && indent > step && ends_sentence(&last.text()) {
        return true;
    }
    let margin = right.max(next.right());
    let width = margin - left.min(next.left());
    let begins = text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    // Where the next word would have fitted, the line was ended on purpose: a heading in the size
    // of the text, an entry of a list without bullets.
    if begins
        && size < headings::LARGER * usual.size
        && !last.text().ends_with([',', '-', '\u{2013}', '\u{2014}'])
        && last.right() + first_word_width(next) + 1.5 * size < margin
        && (!ends_sentence(&last.text()) || last.text().ends_with(':'))
        && (!is_item || last.right() < margin - 0.4 * width)
    {
        return true;
    }
    // A sentence that ends well before the margin ends its paragraph.
    begins && ends_sentence(&last.text()) && last.right() < margin - 0.25 * width
}

/// About how wide the first word of a line is.
fn first_word_width(line: &PdfLine) -> f64 {
    let Some(cell) = line.cells.first() else {
        return 0.0;
    };
    let all = cell.text.chars().count().max(1) as f64;
    let word = cell
        .text
        .split_whitespace()
        .next()
        .unwrap_or("")
        .chars()
        .count() as f64;
    (cell.right - cell.left) * word / all
}

/// Whether a text ends as sentences do.
pub(super) fn ends_sentence(text: &str) -> bool {
    text.trim_end_matches(['"', '\'', ')', ']', '\u{201d}', '\u{2019}', ' '])
        .ends_with(['.', '!', '?', ':', ';'])
}
