//! From glyphs, in the order of a page's content, to lines and cells.
//!
//! Content order is nearly always right inside a block of text. A glyph that goes on to the right
//! on the same level belongs to the same line; one that jumps back, up or down begins another.

use std::collections::HashMap;

use pdf_extract::{MediaBox, OutputDev, OutputError, Transform};

use super::engine::{PdfCell, PdfLine};

/// Gap that parts words, in glyph sizes.
const WORD_GAP: f64 = 0.1;
/// Gap that parts cells, in glyph sizes. Justified lines stretch their spaces to about one.
const CELL_GAP: f64 = 1.5;
/// Rise or fall inside a line, in glyph sizes: indices, exponents and fractions.
const LINE_SHIFT: f64 = 0.5;
/// A glyph drawn again within this distance, in glyph sizes, makes the first bold: it is one.
const DOUBLED: f64 = 0.15;

/// Gathers the lines of one page.
#[derive(Default)]
pub(super) struct Glyphs {
    lines: Vec<PdfLine>,
    line: Option<Open>,
    word_begins: bool,
    space: bool,
    drawn: HashMap<(char, i64, i64), Vec<(f64, f64)>>,
}

/// The line that grows.
struct Open {
    cells: Vec<PdfCell>,
    turn: i32,
    /// Where the last glyph ends, spaces included.
    end: f64,
    level: f64,
    /// Characters, level and size, by size.
    sizes: Vec<(usize, f64, f64)>,
}

impl Glyphs {
    /// The lines of the page, once all glyphs were drawn.
    pub fn into_lines(mut self) -> Vec<PdfLine> {
        self.close();
        self.lines
    }

    fn close(&mut self) {
        self.space = false;
        let Some(open) = self.line.take() else {
            return;
        };
        let cells: Vec<PdfCell> = open
            .cells
            .into_iter()
            .filter(|cell| !cell.text.trim().is_empty())
            .collect();
        let most = open.sizes.iter().max_by_key(|(count, _, _)| *count);
        if let Some(&(_, baseline, size)) = most
            && !cells.is_empty()
        {
            self.lines.push(PdfLine {
                cells,
                baseline,
                size,
                turn: open.turn,
            });
        }
    }

    /// Whether the same glyph was drawn at the same place before.
    fn is_doubled(&mut self, text: &str, x: f64, y: f64, size: f64) -> bool {
        let Some(c) = text.chars().next() else {
            return false;
        };
        let reach = (DOUBLED * size).abs();
        let (column, row) = (x.round() as i64, y.round() as i64);
        for dx in -1..=1 {
            for dy in -1..=1 {
                let near = self.drawn.get(&(c, column + dx, row + dy));
                if near
                    .into_iter()
                    .flatten()
                    .any(|&(x0, y0)| (x - x0).abs() <= reach && (y - y0).abs() <= reach)
                {
                    return true;
                }
            }
        }
        self.drawn.entry((c, column, row)).or_default().push((x, y));
        false
    }
}

impl OutputDev for Glyphs {
    fn begin_page(
        &mut self,
        _: u32,
        _: &MediaBox,
        _: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        self.close();
        Ok(())
    }

    fn output_character(
        &mut self,
        place: &Transform,
        width: f64,
        _: f64,
        font_size: f64,
        text: &str,
    ) -> Result<(), OutputError> {
        let word_begins = std::mem::take(&mut self.word_begins);
        let (x, y) = (place.m31, place.m32);
        let along = place.m11.hypot(place.m12);
        let size = (font_size * place.m21.hypot(place.m22)).abs();
        let advance = (width * font_size * along).abs();
        if !(x.is_finite() && y.is_finite() && size.is_finite() && advance.is_finite()) {
            return Ok(());
        }
        let sign = if font_size < 0.0 { -1.0 } else { 1.0 };
        let (dx, dy) = if along > 0.0 {
            (sign * place.m11 / along, sign * place.m12 / along)
        } else {
            (1.0, 0.0)
        };
        let turn = dy.atan2(dx).to_degrees().round() as i32;
        let left = x * dx + y * dy;
        let level = x * dy - y * dx;

        if text.chars().all(char::is_whitespace) {
            self.space |= !text.is_empty();
            if let Some(line) = &mut self.line
                && (level - line.level).abs() <= LINE_SHIFT * size
                && line.turn == turn
                && left + advance > line.end
            {
                line.end = left + advance;
            }
            return Ok(());
        }
        if self.is_doubled(text, x, y, size) {
            return Ok(());
        }
        let is_new = self.line.as_ref().is_none_or(|line| {
            let gap = left - line.end;
            let shift = (level - line.level).abs();
            let leftwards = text.chars().all(is_right_to_left);
            line.turn != turn
                || word_begins
                    && (shift > 1.5 * size
                        || gap < 0.0 && shift > LINE_SHIFT * size
                        || gap < -size && !leftwards
                        || gap > 2.0 * size && shift > LINE_SHIFT * size)
        });
        if is_new {
            self.close();
            self.line = Some(Open {
                cells: Vec::new(),
                turn,
                end: left,
                level,
                sizes: Vec::new(),
            });
        }
        let Some(line) = &mut self.line else {
            return Ok(());
        };
        let spaced = std::mem::take(&mut self.space);
        let visible_end = line.cells.last().map_or(left, |cell| cell.right);
        match line.cells.last_mut() {
            Some(cell) if left - visible_end <= CELL_GAP * size => {
                if spaced || word_begins && left - line.end > WORD_GAP * size {
                    cell.text.push(' ');
                }
                cell.text.push_str(text);
                cell.right = cell.right.max(left + advance);
                cell.left = cell.left.min(left);
            }
            _ => line.cells.push(PdfCell {
                text: text.to_owned(),
                left,
                right: left + advance,
            }),
        }
        line.end = left + advance;
        line.level = level;
        match line
            .sizes
            .iter_mut()
            .find(|(_, _, known)| (known - size).abs() < 0.25)
        {
            Some((count, _, _)) => *count += 1,
            None => line.sizes.push((1, level, size)),
        }
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        self.word_begins = true;
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}')
}
