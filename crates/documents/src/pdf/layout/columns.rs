//! Columns of running text: lines that were written across the gap between two columns are taken
//! apart, and the blocks of a page in columns stand column by column.
//!
//! The order of a page's content is nearly always right, and it is kept wherever the columns are
//! not plain to see: tables that were written cell by cell look like columns too.

use super::{Draft, Kind, ends_sentence};
use crate::pdf::engine::{PdfCell, PdfLine, PdfPage};

/// Fewest lines that make a column.
const FEWEST_LINES: usize = 6;

/// Largest share of a page's lines that may cross the gap between its columns: title, authors,
/// figures over the whole width.
const MOST_CROSSING: f64 = 0.3;

/// Words of a line, on average, below which a column holds no running text.
const FEWEST_WORDS: f64 = 4.0;

/// Share of the next column over which a block may reach and still stand in its own.
const MOST_OVERHANG: f64 = 0.3;

/// More blocks over several columns than this make a page whose layout is not plain: formulas,
/// forms, tables.
const MOST_ACROSS: usize = 6;

/// Where a block stands: left, right, top, bottom.
#[derive(Debug, Clone, Copy)]
struct Place {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Place {
    fn of(draft: &Draft<'_>) -> Place {
        let mut place = Place {
            left: f64::MAX,
            right: f64::MIN,
            top: f64::MAX,
            bottom: f64::MIN,
        };
        for (_, line) in &draft.lines {
            place.left = place.left.min(line.left());
            place.right = place.right.max(line.right());
            place.top = place.top.min(line.baseline - line.size);
            place.bottom = place.bottom.max(line.baseline);
        }
        place
    }
}

/// Takes apart runs of lines that hold the text of two columns side by side.
pub(in crate::pdf) fn unweave(page: &mut PdfPage) {
    let mut lines: Vec<PdfLine> = Vec::with_capacity(page.lines.len());
    let mut rest = std::mem::take(&mut page.lines).into_iter().peekable();
    while let Some(first) = rest.next() {
        if first.cells.len() != 2 {
            lines.push(first);
            continue;
        }
        let mut run = vec![first];
        while let Some(next) = rest.next_if(|next| goes_on(&run, next)) {
            run.push(next);
        }
        if is_woven(&run) {
            let right = run[0].cells[1].left - run[0].size;
            let side = |is_right: bool| {
                run.iter().filter_map(move |line| {
                    let of_side = |cell: &&PdfCell| (cell.left >= right) == is_right;
                    let cells: Vec<PdfCell> = line.cells.iter().filter(of_side).cloned().collect();
                    (!cells.is_empty()).then(|| PdfLine {
                        cells,
                        ..line.clone()
                    })
                })
            };
            lines.extend(side(false).chain(side(true)));
        } else {
            lines.append(&mut run);
        }
    }
    page.lines = lines;
}

/// Whether a line goes down in the two columns of the lines before it.
fn goes_on(run: &[PdfLine], next: &PdfLine) -> bool {
    let (first, last) = (&run[0], &run[run.len() - 1]);
    let reach = first.size;
    let in_column = |cell: &PdfCell| {
        first
            .cells
            .iter()
            .any(|known| (known.left - cell.left).abs() <= reach)
    };
    let down = next.baseline - last.baseline;
    next.turn == first.turn
        && down > 0.3 * first.size
        && down < 2.5 * first.size
        && next.cells.len() <= 2
        && next.cells.iter().all(in_column)
        // A line of one cell that reaches over the gap belongs to neither column.
        && (next.cells.len() == 2
            || next.cells[0].left >= first.cells[1].left - reach
            || next.cells[0].right < first.cells[1].left)
}

/// Whether most lines of a run are two pieces of running text.
fn is_woven(run: &[PdfLine]) -> bool {
    let long = run
        .iter()
        .filter(|line| {
            line.cells.len() == 2
                && line
                    .cells
                    .iter()
                    .all(|cell| cell.text.split_whitespace().count() > 5)
        })
        .count();
    run.len() > 1 && long * 2 > run.len()
}

/// The blocks of a page in the order of its columns, where it has columns.
pub(super) fn order(drafts: Vec<Draft<'_>>) -> Vec<Draft<'_>> {
    let Some(gaps) = gaps(&drafts) else {
        return drafts;
    };
    let edge = drafts.iter().map(|draft| Place::of(draft).right);
    let edge = edge.fold(f64::MIN, f64::max);
    // Fonts that do not say how wide they are make lines seem to reach a little over the gap.
    let column_of = |place: &Place| {
        let column = gaps.iter().filter(|&&gap| place.left >= gap).count();
        let Some(gap) = gaps.get(column) else {
            return Some(column);
        };
        let width = gaps.get(column + 1).unwrap_or(&edge) - gap;
        (place.right <= gap + MOST_OVERHANG * width).then_some(column)
    };
    let mut placed: Vec<(f64, Option<usize>)> = Vec::with_capacity(drafts.len());
    for (place, draft) in drafts.iter().enumerate() {
        let before = place.checked_sub(1).map(|before| &drafts[before]);
        let own = match placed.last() {
            // The rest of a sentence stays with its beginning.
            Some(&known) if before.is_some_and(|before| is_rest(before, draft)) => known,
            _ => {
                let place = Place::of(draft);
                (place.top, column_of(&place))
            }
        };
        placed.push(own);
    }
    let across: Vec<f64> = placed
        .iter()
        .filter(|(_, column)| column.is_none())
        .map(|&(top, _)| top)
        .collect();
    if across.len() > MOST_ACROSS {
        return drafts;
    }
    // What reaches over all columns parts the page into bands, and each band is read column by
    // column. Inside a column the order of the content stays.
    let band = |top: f64| across.iter().filter(|&&above| above < top).count();
    let mut ordered: Vec<((usize, usize), Draft<'_>)> = drafts
        .into_iter()
        .zip(&placed)
        .map(|(draft, &(top, column))| match column {
            Some(column) => ((band(top), column + 1), draft),
            None => ((band(top) + 1, 0), draft),
        })
        .collect();
    ordered.sort_by_key(|&(place, _)| place);
    ordered.into_iter().map(|(_, draft)| draft).collect()
}

/// Whether a block is the rest of the sentence before it: on the same line, or right below.
fn is_rest(first: &Draft<'_>, second: &Draft<'_>) -> bool {
    let (Some((_, last)), Some((_, next))) = (first.lines.last(), second.lines.first()) else {
        return false;
    };
    let size = last.size.max(next.size);
    let down = next.baseline - last.baseline;
    let overlaps = last.left().max(next.left()) < last.right().min(next.right());
    // Lines of fonts without widths seem longer than they are.
    let gap = next.left() - last.right();
    down.abs() < 0.8 * size && gap > -8.0 * size && gap < 2.0 * size
        || down > 0.0
            && down < 1.6 * size
            && (overlaps || next.text().starts_with(char::is_lowercase))
            && !ends_sentence(&last.text())
}

/// Where the gaps between the columns of a page lie, left to right; `None` when it has no columns
/// of running text.
fn gaps(drafts: &[Draft<'_>]) -> Option<Vec<f64>> {
    let lines: Vec<&PdfLine> = drafts
        .iter()
        .flat_map(|draft| draft.lines.iter().map(|&(_, line)| line))
        .collect();
    if lines.len() < 2 * FEWEST_LINES || lines.iter().any(|line| line.turn != 0) {
        return None;
    }
    let is_column = |lines: &[&&PdfLine]| {
        let words: usize = lines
            .iter()
            .map(|line| line.text().split_whitespace().count())
            .sum();
        lines.len() >= FEWEST_LINES && words as f64 >= FEWEST_WORDS * lines.len() as f64
    };
    // A gap can only lie just before a place where lines begin.
    let mut starts: Vec<f64> = lines.iter().map(|line| line.left()).collect();
    starts.sort_by(f64::total_cmp);
    starts.dedup_by(|a, b| (*a - *b).abs() < 2.0);
    let mut gaps: Vec<f64> = Vec::new();
    for start in starts {
        let gap = start - 2.0;
        let floor = gaps.last().copied().unwrap_or(f64::MIN);
        let left: Vec<&&PdfLine> = lines
            .iter()
            .filter(|line| line.left() >= floor && line.right() <= gap)
            .collect();
        let right: Vec<&&PdfLine> = lines.iter().filter(|line| line.left() >= gap).collect();
        let crossing = lines
            .iter()
            .filter(|line| line.left() < gap && line.right() > gap)
            .count();
        if is_column(&left)
            && is_column(&right)
            && crossing as f64 <= MOST_CROSSING * lines.len() as f64
            && side_by_side(&left, &right)
        {
            gaps.push(gap);
        }
    }
    (1..=3).contains(&gaps.len()).then_some(gaps)
}

/// Whether two groups of lines stand at the same heights, at least half of the smaller.
fn side_by_side(left: &[&&PdfLine], right: &[&&PdfLine]) -> bool {
    let extent = |lines: &[&&PdfLine]| {
        let levels = || lines.iter().map(|line| line.baseline);
        (
            levels().fold(f64::MAX, f64::min),
            levels().fold(f64::MIN, f64::max),
        )
    };
    let (a, b) = (extent(left), extent(right));
    let common = a.1.min(b.1) - a.0.max(b.0);
    common > 0.5 * (a.1 - a.0).min(b.1 - b.0)
}

/// Whether the layout lets a sentence go on from one block to the next: below in the same column,
/// at the top of a column to the right, or on a later page. Blocks that stand apart otherwise, in
/// boxes or beside a picture, say nothing together.
pub(in crate::pdf) fn may_go_on(first: &Draft<'_>, second: &Draft<'_>) -> bool {
    let (Some(&(page, last)), Some(&(next_page, next))) =
        (first.lines.last(), second.lines.first())
    else {
        return false;
    };
    if page != next_page {
        return page < next_page;
    }
    // Only the lines on this page say where the block stands.
    let here = Draft {
        kind: Kind::Paragraph,
        lines: first
            .lines
            .iter()
            .copied()
            .filter(|&(number, _)| number == page)
            .collect(),
    };
    let (from, size) = (Place::of(&here), last.size);
    let is_full = here.lines.len() > 1 && last.right() > from.right - 3.0 * size;
    let down = next.baseline - last.baseline;
    if down.abs() < 0.6 * size {
        // The same line, broken by an index or a change of font.
        let gap = next.left() - last.right();
        return gap.abs() < 1.5 * size;
    }
    if down > 0.0 {
        let narrower = (from.right - from.left).min(next.right() - next.left());
        let common = from.right.min(next.right()) - from.left.max(next.left());
        let aligned = (next.left() - from.left).abs() <= 3.0 * size;
        aligned && common > 0.5 * narrower && (down < 3.0 * size || is_full)
    } else {
        next.left() >= from.right - size && next.baseline < from.bottom && is_full
    }
}
