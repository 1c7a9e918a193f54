//! Rows of cells in pieces of equal length, so that the loops over a piece become vector code.

use std::ops::Range;

pub(super) use super::super::reach::LANES;

/// Values of the cells of a piece.
pub(super) type Lanes = [f64; LANES];

/// Values along a row, with room for a piece before the first cell and two after the last.
#[derive(Debug, Clone)]
pub(super) struct Row(Vec<f64>);

impl Row {
    pub fn new(columns: usize) -> Row {
        Row::filled(columns, 0.0)
    }

    pub fn filled(columns: usize, value: f64) -> Row {
        Row(vec![value; columns.next_multiple_of(LANES) + 3 * LANES])
    }

    #[inline(always)]
    fn piece(&self, start: usize) -> Lanes {
        let mut lanes = [0.0; LANES];
        lanes.copy_from_slice(&self.0[start..start + LANES]);
        lanes
    }

    /// The cells from `at` on.
    #[inline(always)]
    pub fn load(&self, at: usize) -> Lanes {
        self.piece(at + LANES)
    }

    /// The cells one before.
    #[inline(always)]
    pub fn before(&self, at: usize) -> Lanes {
        self.piece(at + LANES - 1)
    }

    /// The cells one behind.
    #[inline(always)]
    pub fn behind(&self, at: usize) -> Lanes {
        self.piece(at + LANES + 1)
    }

    #[inline(always)]
    pub fn store(&mut self, at: usize, lanes: Lanes) {
        self.0[at + LANES..at + 2 * LANES].copy_from_slice(&lanes);
    }

    #[inline(always)]
    pub fn get(&self, cell: usize) -> f64 {
        self.0[cell + LANES]
    }

    #[inline(always)]
    pub fn set(&mut self, cell: usize, value: f64) {
        self.0[cell + LANES] = value;
    }

    /// Takes in cells of a row of the grid.
    #[inline(always)]
    pub fn fill(&mut self, cells: &Range<usize>, row: &[f64]) {
        self.0[cells.start + LANES..cells.end + LANES].copy_from_slice(&row[cells.clone()]);
    }

    /// Gives cells to a row of the grid.
    #[inline(always)]
    pub fn give(&self, cells: &Range<usize>, row: &mut [f64]) {
        row[cells.clone()].copy_from_slice(&self.0[cells.start + LANES..cells.end + LANES]);
    }
}

/// The lesser of two numbers that are no `NaN`, as one instruction.
#[inline(always)]
pub(super) fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The greater of two numbers that are no `NaN`, as one instruction.
#[inline(always)]
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
