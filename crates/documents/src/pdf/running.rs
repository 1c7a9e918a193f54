//! Running heads and page numbers: lines at the edge of the page that stand on many pages at the
//! same height and differ in digits at most.

use std::collections::{HashMap, HashSet};

use super::engine::{PdfLine, PdfPage};

/// Share of the height, at the top and at the bottom, in which running heads stand.
const EDGE: f64 = 0.12;

/// Share of the pages on which a line must stand; heads change with the chapter, and left and
/// right pages differ.
const SHARE: f64 = 0.15;

/// For each page, which of its lines are running heads.
pub(super) fn find(pages: &[PdfPage]) -> Vec<Vec<bool>> {
    let levels = || {
        pages
            .iter()
            .flat_map(|page| &page.lines)
            .filter(|line| line.turn == 0)
            .map(|line| line.baseline)
    };
    let top = levels().fold(f64::MAX, f64::min);
    let bottom = levels().fold(f64::MIN, f64::max);
    let edge = (bottom - top) * EDGE;
    let is_edge = |line: &PdfLine| {
        line.turn == 0 && (line.baseline <= top + edge || line.baseline >= bottom - edge)
    };
    let mut standing: HashMap<(String, i64), HashSet<u32>> = HashMap::new();
    for page in pages {
        for line in page.lines.iter().filter(|line| is_edge(line)) {
            let (text, level) = key(line);
            for near in [level - 1, level, level + 1] {
                let pages = standing.entry((text.clone(), near)).or_default();
                pages.insert(page.number);
            }
        }
    }
    let with_text = pages.iter().filter(|page| !page.lines.is_empty()).count();
    let least = ((with_text as f64 * SHARE).ceil() as usize)
        .max(3)
        .min(with_text.max(2));
    pages
        .iter()
        .map(|page| {
            page.lines
                .iter()
                .map(|line| {
                    is_edge(line)
                        && standing
                            .get(&key(line))
                            .is_some_and(|pages| pages.len() >= least)
                })
                .collect()
        })
        .collect()
}

/// A line's words with its digits made alike, and its height to three points.
fn key(line: &PdfLine) -> (String, i64) {
    let mut text = String::new();
    for c in line.text().chars() {
        if c.is_numeric() {
            if !text.ends_with('#') {
                text.push('#');
            }
        } else if !c.is_whitespace() {
            text.extend(c.to_lowercase());
        }
    }
    // Small Roman numbers number the pages before the first chapter.
    if text.len() < 7 && text.chars().all(|c| "ivxl".contains(c)) {
        text = "#".to_owned();
    }
    (text, (line.baseline / 3.0).round() as i64)
}
