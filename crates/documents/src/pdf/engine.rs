//! What an engine gives: pages of lines, each line with where it stands.

use serde::{Deserialize, Serialize};

use crate::error::ReadError;

/// Reads the pages of a PDF file.
pub trait PdfEngine {
    /// The pages of a file. The empty password is tried before the one given. A page that fails
    /// carries its reason, and the others are kept.
    fn pages(&self, bytes: &[u8], password: Option<&str>) -> Result<PdfPages, ReadError>;
}

/// A file as an engine reads it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PdfPages {
    /// Title from the file's metadata, not yet cleaned.
    pub title: Option<String>,
    /// Pages in order.
    pub pages: Vec<PdfPage>,
    /// What concerns no single page.
    pub warnings: Vec<String>,
}

/// One page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PdfPage {
    /// Counted from 1 in the file.
    pub number: u32,
    /// Lines in the order of the page's content.
    pub lines: Vec<PdfLine>,
    /// Whether the page shows a picture.
    pub has_image: bool,
    /// Why the page could not be read to its end, where it could not.
    pub failure: Option<String>,
}

/// Glyphs that stand on one line. Positions are in points along the line's own direction and
/// down across it, so that turned pages read like others.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PdfLine {
    /// Runs of glyphs parted by wide gaps, in order; one for most lines.
    pub cells: Vec<PdfCell>,
    /// Position of the baseline, growing downwards.
    pub baseline: f64,
    /// Size of most of its glyphs.
    pub size: f64,
    /// Direction of the line in degrees, counted against the clock; 0 for most lines.
    pub turn: i32,
}

/// A run of glyphs without a wide gap.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PdfCell {
    /// Its characters.
    pub text: String,
    /// Where the first glyph begins.
    pub left: f64,
    /// Where the last glyph ends.
    pub right: f64,
}

impl PdfLine {
    /// The whole line, cells parted by a space.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for cell in &self.cells {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&cell.text);
        }
        text
    }

    /// Where the line begins.
    pub fn left(&self) -> f64 {
        self.cells.first().map_or(0.0, |cell| cell.left)
    }

    /// Where the line ends.
    pub fn right(&self) -> f64 {
        self.cells
            .iter()
            .map(|cell| cell.right)
            .fold(f64::MIN, f64::max)
    }
}
