//! Which cells of each row have to be computed: those that are wet or may become so in a step.
//!
//! Dry land costs nothing: a step works on one range of cells a row, around its wet ones.

use std::ops::Range;

use super::domain::{Edge, Edges};

/// Cells that are computed together; ranges begin at a multiple of it.
pub(super) const LANES: usize = 8;

/// For each row, the cells that a step computes, and those that it needs for that.
#[derive(Debug, Clone, Default)]
pub(super) struct Reach {
    columns: usize,
    updated: Vec<Range<usize>>,
}

/// The smallest range around both.
pub(super) fn hull(a: Range<usize>, b: &Range<usize>) -> Range<usize> {
    match (a.is_empty(), b.is_empty()) {
        (true, _) => b.clone(),
        (_, true) => a,
        _ => a.start.min(b.start)..a.end.max(b.end),
    }
}

/// Whether water comes over the four sides, or from above everywhere.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sources {
    pub everywhere: bool,
    pub top: bool,
    pub bottom: bool,
    pub left: bool,
    pub right: bool,
}

impl Sources {
    /// What a rain in m/s and the edges of a grid bring.
    pub fn of(rain: f64, edges: &Edges) -> Sources {
        let comes = |edge: &Edge| matches!(edge, Edge::Level(_) | Edge::Discharge(_));
        Sources {
            everywhere: rain > 0.0,
            top: comes(&edges.top),
            bottom: comes(&edges.bottom),
            left: comes(&edges.left),
            right: comes(&edges.right),
        }
    }
}

/// The cells of a row between its first and its last wet one.
pub(super) fn wet(row: &[f64]) -> Range<usize> {
    let first = row.iter().position(|depth| *depth > 0.0);
    let last = row.iter().rposition(|depth| *depth > 0.0);
    first.unwrap_or(0)..last.map_or(0, |last| last + 1)
}

impl Reach {
    /// From the wet cells of each row: water gets no further than a cell in a step.
    pub fn new(columns: usize, wet: &[Range<usize>], sources: Sources) -> Reach {
        let rows = wet.len();
        let whole = 0..columns;
        let updated = (0..rows).map(|row| {
            let edge = (row == 0 && sources.top) || (row + 1 == rows && sources.bottom);
            if sources.everywhere || edge {
                return whole.clone();
            }
            let near = row.saturating_sub(1)..(row + 2).min(rows);
            let mut cells = wet[near].iter().fold(0..0, hull);
            if sources.left {
                cells = hull(cells, &(0..1));
            }
            if sources.right {
                cells = hull(cells, &(columns - 1..columns));
            }
            widened(&cells, columns)
        });
        Reach {
            columns,
            updated: updated.collect(),
        }
    }

    /// Adds cells that have to be computed too.
    pub fn with(mut self, others: &[Range<usize>]) -> Reach {
        for (cells, others) in self.updated.iter_mut().zip(others) {
            *cells = hull(cells.clone(), others);
        }
        self
    }

    /// Cells of a row that get a new state.
    #[inline(always)]
    pub fn updated(&self, row: usize) -> Range<usize> {
        self.updated[row].clone()
    }

    /// Cells over whose upper face something may pass.
    #[inline(always)]
    pub fn faces(&self, row: usize) -> Range<usize> {
        let above = row.checked_sub(1).map_or(0..0, |above| self.updated(above));
        match row < self.updated.len() {
            true => hull(above, &self.updated[row]),
            false => above,
        }
    }

    /// Cells whose ends are needed.
    #[inline(always)]
    pub fn ends(&self, row: usize) -> Range<usize> {
        widened(&hull(self.faces(row), &self.faces(row + 1)), self.columns)
    }

    /// Cells whose water is needed.
    #[inline(always)]
    pub fn water(&self, row: usize) -> Range<usize> {
        let near = row.saturating_sub(1)..(row + 2).min(self.updated.len());
        let cells = near.fold(0..0, |cells, row| hull(cells, &self.ends(row)));
        widened(&cells, self.columns)
    }
}

/// A piece more on both sides, and whole pieces only, but none beyond the row.
fn widened(cells: &Range<usize>, columns: usize) -> Range<usize> {
    if cells.is_empty() {
        return 0..0;
    }
    let first = (cells.start / LANES).saturating_sub(1) * LANES;
    let last = cells.end.next_multiple_of(LANES) + LANES;
    first..last.min(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Sources = Sources {
        everywhere: false,
        top: false,
        bottom: false,
        left: false,
        right: false,
    };

    #[test]
    fn dry_rows_beyond_the_neighbours_of_wet_ones_are_left_alone() {
        let wet = [0..0, 0..0, 40..41, 0..0, 0..0];
        let reach = Reach::new(100, &wet, NONE);
        assert_eq!(reach.updated(0), 0..0);
        assert_eq!(reach.updated(1), 32..56);
        assert_eq!(reach.updated(3), 32..56);
        assert!(reach.ends(1).start < 32 && reach.water(1).end > 56);
    }

    #[test]
    fn water_that_may_come_over_a_side_or_as_rain_is_awaited() {
        let dry = vec![0..0; 3];
        let left = Reach::new(50, &dry, Sources { left: true, ..NONE });
        assert_eq!(left.updated(1), 0..16);
        let top = Reach::new(50, &dry, Sources { top: true, ..NONE });
        assert_eq!((top.updated(0), top.updated(1)), (0..50, 0..0));
        let everywhere = Sources {
            everywhere: true,
            ..NONE
        };
        assert_eq!(Reach::new(50, &dry, everywhere).updated(2), 0..50);
    }
}
