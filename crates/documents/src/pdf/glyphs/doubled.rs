//! Glyphs that are drawn twice at one place to look bold are one glyph.
//!
//! Fonts with missing widths put different glyphs at one place too, so that one glyph alone
//! proves nothing: a whole string drawn again does, and so does a page on which many are.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::Glyph;
use crate::pdf::engine::PdfLine;

/// Distance, in glyph sizes, at which a second drawing makes the first bold.
const REACH: f64 = 0.2;

/// Share of doubled glyphs from which single ones count.
const SHARE: f64 = 0.2;

/// Removes the second drawings.
pub(super) fn remove(glyphs: &mut Vec<Glyph>) {
    let mut by_string: Vec<(usize, usize)> = Vec::new();
    for (place, glyph) in glyphs.iter().enumerate() {
        match by_string.last_mut() {
            Some((start, end)) if glyphs[*start].string == glyph.string => *end = place + 1,
            _ => by_string.push((place, place + 1)),
        }
    }
    let mut dropped: HashSet<usize> = HashSet::new();
    let mut strings = Seen::default();
    for (start, end) in by_string {
        let text: String = glyphs[start..end]
            .iter()
            .map(|glyph| glyph.text.as_str())
            .collect();
        if text.trim().chars().count() > 1 && strings.again(text.into(), &glyphs[start]) {
            dropped.extend(start..end);
        }
    }
    let mut single = Seen::default();
    let visible = glyphs.iter().filter(|glyph| !glyph.is_space()).count();
    let doubled: Vec<usize> = glyphs
        .iter()
        .enumerate()
        .filter(|(_, glyph)| !glyph.is_space() && single.again(glyph.text.as_str().into(), glyph))
        .map(|(place, _)| place)
        .collect();
    if doubled.len() as f64 > SHARE * visible as f64 {
        dropped.extend(doubled);
    }
    if !dropped.is_empty() {
        let mut place = 0;
        glyphs.retain(|_| {
            place += 1;
            !dropped.contains(&(place - 1))
        });
    }
}

/// Where each text was drawn.
#[derive(Default)]
struct Seen<'a>(HashMap<(Cow<'a, str>, i32), Places>);

/// Left edge and level of each drawing.
type Places = Vec<(f64, f64)>;

impl<'a> Seen<'a> {
    /// Whether a text was drawn at this place before.
    fn again(&mut self, text: Cow<'a, str>, glyph: &Glyph) -> bool {
        let reach = REACH * glyph.size;
        let places = self.0.entry((text, glyph.turn)).or_default();
        // The last drawings are the likely ones; a page of one letter must not cost its square.
        let again = places.iter().rev().take(2000).any(|(left, level)| {
            (left - glyph.left).abs() <= reach && (level - glyph.level).abs() <= reach
        });
        if !again {
            places.push((glyph.left, glyph.level));
        }
        again
    }
}

/// Adds a line, unless one of the last lines says the same at the same place; a line that only
/// begins it is replaced.
pub(super) fn push(lines: &mut Vec<PdfLine>, line: PdfLine) {
    let reach = 1.5 * REACH * line.size;
    let text = line.text();
    let recent = lines.len().saturating_sub(4);
    let same = lines[recent..].iter().position(|known| {
        known.turn == line.turn
            && (known.left() - line.left()).abs() <= reach
            && (known.baseline - line.baseline).abs() <= reach
            && (text.starts_with(&known.text()) || known.text().starts_with(&text))
    });
    match same {
        Some(place) => {
            let known = &mut lines[recent + place];
            if known.text().len() < text.len() {
                *known = line;
            }
        }
        None => lines.push(line),
    }
}
