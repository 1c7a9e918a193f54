//! Numbers in digits and in words.

use std::ops::Range;

use super::super::passage::Token;
use super::{Bound, Dimension, Figure, between};
use crate::numerals::{fraction, scale, small};

/// A number as it was written.
#[derive(Debug, Clone)]
pub(super) struct Number {
    pub value: f64,
    /// Half of its last digit.
    rounding: f64,
    /// Tokens it takes.
    pub used: usize,
    /// Whether it is a fraction in words ("two thirds").
    pub share: bool,
    four_digits: bool,
}

impl Number {
    pub fn is_year(&self) -> bool {
        self.four_digits && (1500.0..2100.0).contains(&self.value)
    }

    pub fn figure(
        &self,
        dimension: Dimension,
        unit: &'static str,
        factor: f64,
        bound: Bound,
        tokens: Range<usize>,
    ) -> Figure {
        Figure {
            dimension,
            low: self.value * factor,
            high: self.value * factor,
            bound,
            unit,
            rounding: self.rounding * factor,
            tokens,
        }
    }
}

/// The number that begins at a token.
pub(super) fn number(text: &str, tokens: &[Token], at: usize) -> Option<Number> {
    let word = |i: usize| tokens.get(i).map_or("", |t| t.word.as_str());
    let this = word(at);
    if tokens.get(at)?.is_digits() {
        let value: f64 = this.parse().ok()?;
        let decimals = this.split_once('.').map_or(0, |(_, d)| d.len());
        let written = &text[tokens[at].bytes.clone()];
        let mut rounding = 0.5 * 10f64.powi(-(decimals as i32));
        let mut used = 1;
        let mut value = value;
        while let Some(factor) =
            scale(word(at + used)).filter(|_| gap_is_blank(text, tokens, at + used - 1))
        {
            value *= factor;
            rounding *= factor;
            used += 1;
        }
        let four_digits = used == 1 && written.len() == 4 && decimals == 0;
        return Some(Number {
            value,
            rounding,
            used,
            share: false,
            four_digits,
        });
    }
    let whole = |value: f64, used: usize, share: bool| Number {
        value,
        rounding: if share { 0.005 } else { 0.5 },
        used,
        share,
        four_digits: false,
    };
    // "a third of", "half of", "half the"
    if matches!(this, "a" | "one") && fraction(word(at + 1)).is_some() && word(at + 2) == "of" {
        return Some(whole(fraction(word(at + 1))?, 2, true));
    }
    if this == "half" && matches!(word(at + 1), "of" | "the" | "its" | "all") {
        return Some(whole(0.5, 1, true));
    }
    if matches!(this, "a" | "an" | "half") {
        if this != "half" && scale(word(at + 1)).is_some() {
            return Some(whole(scale(word(at + 1))?, 2, false));
        }
        // "half an hour"
        if this == "half" && matches!(word(at + 1), "a" | "an") {
            return Some(whole(0.5, 2, false));
        }
        return None;
    }
    let mut value = small(this)?;
    if let Some(part) = fraction(word(at + 1)).filter(|_| word(at + 1) != "half" && value <= 9.0) {
        return Some(whole(value * part, 2, true));
    }
    if this == "one"
        && matches!(
            word(at + 1),
            "of" | "another" | "or" | "that" | "such" | "in" | "at" | "is" | "was"
        )
    {
        return None;
    }
    let mut used = 1;
    if (20.0..100.0).contains(&value)
        && let Some(unit) = small(word(at + 1)).filter(|u| *u < 10.0 && *u > 0.0)
    {
        value += unit;
        used += 1;
    }
    while let Some(factor) = scale(word(at + used)) {
        value *= factor;
        used += 1;
        let joined = if word(at + used) == "and" {
            used + 1
        } else {
            used
        };
        if factor == 100.0
            && let Some(rest) = small(word(at + joined)).filter(|_| joined > used)
        {
            value += rest;
            used = joined + 1;
        }
    }
    if word(at + used) == "and" && word(at + used + 1) == "a" && word(at + used + 2) == "half" {
        value += 0.5;
        used += 3;
    }
    Some(whole(value, used, false))
}

fn gap_is_blank(text: &str, tokens: &[Token], i: usize) -> bool {
    between(text, tokens, i)
        .trim_matches([' ', '\n', '\t', '-', '\u{a0}'])
        .is_empty()
}

/// "first", "2nd": a rank.
pub(super) fn ordinal(tokens: &[Token], at: usize) -> Option<(f64, usize)> {
    let token = tokens.get(at)?;
    if let Some(rank) = crate::numerals::rank(&token.word) {
        let before = at
            .checked_sub(1)
            .and_then(|i| tokens.get(i))
            .map_or("", |t| t.word.as_str());
        let after = tokens.get(at + 1).map_or("", |t| t.word.as_str());
        let is_fraction = matches!(before, "a" | "one") && rank > 2.0 && after == "of";
        return (!is_fraction).then_some((rank, 1));
    }
    let digits: String = token
        .word
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    let ending = &token.word[digits.len()..];
    (!digits.is_empty() && ["st", "nd", "rd", "th"].contains(&ending))
        .then(|| Some((digits.parse().ok()?, 1)))?
}

/// "hundreds of", "dozens", "a handful": what such words leave open.
pub(super) fn vague(tokens: &[Token], at: usize) -> Option<(f64, f64, usize)> {
    let word = |i: usize| tokens.get(i).map_or("", |t| t.word.as_str());
    let several = matches!(word(at), "several" | "few").then(|| word(at + 1));
    match word(at) {
        "dozens" => Some((24.0, 200.0, 1)),
        "hundreds" => Some((150.0, 2000.0, 1)),
        "thousands" => Some((1500.0, 50_000.0, 1)),
        "millions" => Some((1.5e6, 1e8, 1)),
        "handful" => Some((2.0, 10.0, 1)),
        "tens" if word(at + 2) == "thousands" => Some((15_000.0, 200_000.0, 3)),
        _ => match several {
            Some("hundred") => Some((200.0, 900.0, 2)),
            Some("thousand") => Some((2000.0, 9000.0, 2)),
            _ => None,
        },
    }
}

/// The upper end of a range whose lower end stops before `at`.
pub(super) fn range_end(text: &str, tokens: &[Token], at: usize) -> Option<(Number, usize)> {
    let before = at.checked_sub(1)?;
    let word = |i: usize| tokens.get(i).map_or("", |t| t.word.as_str());
    let gap = between(text, tokens, before).trim();
    if matches!(gap, "-" | "–" | "—") && tokens.get(at)?.is_digits() {
        let number = number(text, tokens, at)?;
        let used = number.used;
        return Some((number, used));
    }
    let opened = before >= 1
        && (word(before - 1) == "between" || (before >= 2 && word(before - 2) == "between"));
    let joins = matches!(word(at), "to" | "or" | "through") || (word(at) == "and" && opened);
    let blank = gap.is_empty() && between(text, tokens, at).trim().is_empty();
    let skip = if word(at) == "to" && word(at + 1) == "possibly" {
        2
    } else {
        1
    };
    if joins && blank {
        let number = number(text, tokens, at + skip)?;
        let used = number.used + skip;
        return Some((number, used));
    }
    None
}
