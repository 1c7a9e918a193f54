//! From glyphs, in the order of a page's content, to lines and cells.
//!
//! Content order is nearly always right inside a block of text. A glyph that goes on to the right
//! on the same level belongs to the same line; one that jumps back, up or down begins another.

mod doubled;

use pdf_extract::{MediaBox, OutputDev, OutputError, Transform};

use super::engine::{PdfCell, PdfLine};

/// Gap that parts words, in glyph sizes.
const WORD_GAP: f64 = 0.1;
/// Gap that parts cells, in glyph sizes. Justified lines stretch their spaces to about one.
const CELL_GAP: f64 = 1.5;
/// Rise or fall inside a line, in glyph sizes: indices, exponents and fractions.
const LINE_SHIFT: f64 = 0.5;

/// Gathers the glyphs of one page.
#[derive(Default)]
pub(super) struct Glyphs {
    glyphs: Vec<Glyph>,
    string: usize,
    begins: bool,
}

/// One drawn glyph.
#[derive(Debug, Clone)]
struct Glyph {
    text: String,
    /// The drawing operation it belongs to, and whether it is the first of it.
    string: usize,
    begins: bool,
    /// Direction in degrees.
    turn: i32,
    /// Position along its direction, and down across it.
    left: f64,
    level: f64,
    size: f64,
    advance: f64,
}

impl Glyph {
    fn is_space(&self) -> bool {
        self.text.chars().all(char::is_whitespace)
    }
}

impl Glyphs {
    /// The lines of the page, once all glyphs were drawn.
    pub fn into_lines(mut self) -> Vec<PdfLine> {
        doubled::remove(&mut self.glyphs);
        let mut lines = Lines::default();
        for glyph in &self.glyphs {
            lines.add(glyph);
        }
        lines.close();
        lines.lines
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
        let (x, y) = (place.m31, place.m32);
        let along = place.m11.hypot(place.m12);
        let size = (font_size * place.m21.hypot(place.m22)).abs();
        let advance = (width * font_size * along).abs();
        if text.is_empty()
            || !(x.is_finite() && y.is_finite() && size.is_finite() && advance.is_finite())
        {
            return Ok(());
        }
        let sign = if font_size < 0.0 { -1.0 } else { 1.0 };
        let (dx, dy) = if along > 0.0 {
            (sign * place.m11 / along, sign * place.m12 / along)
        } else {
            (1.0, 0.0)
        };
        self.glyphs.push(Glyph {
            text: text.to_owned(),
            string: self.string,
            begins: std::mem::take(&mut self.begins),
            turn: dy.atan2(dx).to_degrees().round() as i32,
            left: x * dx + y * dy,
            level: x * dy - y * dx,
            size,
            advance,
        });
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        self.string += 1;
        self.begins = true;
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}

/// Lines of a page, and the one that grows.
#[derive(Default)]
struct Lines {
    lines: Vec<PdfLine>,
    open: Option<Open>,
    space: bool,
}

struct Open {
    cells: Vec<PdfCell>,
    turn: i32,
    /// Where the last glyph ends, spaces included.
    end: f64,
    /// Level and size of the last glyph.
    level: f64,
    size: f64,
    /// Characters, level and size, by size.
    sizes: Vec<(usize, f64, f64)>,
}

impl Open {
    /// Whether a glyph that begins a drawing operation begins another line too.
    fn is_left_by(&self, glyph: &Glyph) -> bool {
        let gap = glyph.left - self.end;
        let shift = (glyph.level - self.level).abs();
        // An index is small, and the text around it says how far it may stand off.
        let size = glyph.size.max(self.size);
        let shifted = shift > LINE_SHIFT * size;
        shift > 1.5 * size
            || gap < 0.0 && shifted
            || gap < -size && !glyph.text.chars().all(is_right_to_left)
            || gap > 2.0 * size && shifted
    }
}

impl Lines {
    fn add(&mut self, glyph: &Glyph) {
        let end = glyph.left + glyph.advance;
        if glyph.is_space() {
            self.space = true;
            if let Some(line) = &mut self.open
                && (glyph.level - line.level).abs() <= LINE_SHIFT * glyph.size
                && line.turn == glyph.turn
                && end > line.end
            {
                line.end = end;
            }
            return;
        }
        if self
            .open
            .as_ref()
            .is_none_or(|line| line.turn != glyph.turn || glyph.begins && line.is_left_by(glyph))
        {
            self.close();
            self.open = Some(Open {
                cells: Vec::new(),
                turn: glyph.turn,
                end: glyph.left,
                level: glyph.level,
                size: glyph.size,
                sizes: Vec::new(),
            });
        }
        let spaced = std::mem::take(&mut self.space);
        let Some(line) = &mut self.open else {
            return;
        };
        // An exponent would else run into the number it belongs to.
        let raised = line.level - glyph.level > 0.2 * line.size && glyph.size < 0.85 * line.size;
        match line.cells.last_mut() {
            Some(cell) if glyph.left - cell.right <= CELL_GAP * glyph.size => {
                if spaced || glyph.begins && glyph.left - line.end > WORD_GAP * glyph.size {
                    cell.text.push(' ');
                } else if raised
                    && cell.text.ends_with(|c: char| c.is_ascii_digit())
                    && glyph.text.starts_with(is_exponent)
                {
                    cell.text.push('^');
                }
                cell.text.push_str(&glyph.text);
                cell.right = cell.right.max(end);
                cell.left = cell.left.min(glyph.left);
            }
            _ => line.cells.push(PdfCell {
                text: glyph.text.clone(),
                left: glyph.left,
                right: end,
            }),
        }
        line.end = end;
        line.level = glyph.level;
        line.size = glyph.size;
        let known = line
            .sizes
            .iter_mut()
            .find(|(_, _, known)| (known - glyph.size).abs() < 0.25);
        match known {
            Some((count, _, _)) => *count += 1,
            None => line.sizes.push((1, glyph.level, glyph.size)),
        }
    }

    fn close(&mut self) {
        self.space = false;
        let Some(open) = self.open.take() else {
            return;
        };
        let most = open.sizes.iter().max_by_key(|(count, _, _)| *count);
        if let Some(&(_, baseline, size)) = most {
            let line = PdfLine {
                cells: open.cells,
                baseline,
                size,
                turn: open.turn,
            };
            doubled::push(&mut self.lines, line);
        }
    }
}

/// Whether a raised character behind a number may begin its exponent.
fn is_exponent(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '-' | '+' | '\u{2212}' | '\u{2013}')
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}')
}
