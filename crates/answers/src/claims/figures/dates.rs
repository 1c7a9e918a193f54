//! Days of the year and times of day.

use lahar_core::MONTHS;

use super::super::passage::Token;
use super::{Bound, Dimension, Figure, between};

fn month(word: &str) -> Option<f64> {
    let full = MONTHS.iter().position(|m| *m == word);
    full.or_else(|| {
        let short = word.len() == 3 && !matches!(word, "may" | "mar");
        MONTHS.iter().position(|m| short && m.starts_with(word))
    })
    .map(|i| i as f64 + 1.0)
}

fn day(token: Option<&Token>) -> Option<f64> {
    let word = &token?.word;
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let value: f64 = digits.parse().ok()?;
    (digits.len() <= 2 && (1.0..=31.0).contains(&value)).then_some(value)
}

/// A day, some days, or a month that begins at a token. The year stays a figure of its own.
pub(super) fn date(text: &str, tokens: &[Token], at: usize) -> Option<Figure> {
    let make = |low: f64, high: f64, used: usize| Figure {
        dimension: Dimension::Date,
        low,
        high,
        bound: Bound::Exact,
        unit: "",
        rounding: 0.0,
        tokens: at..at + used,
    };
    let this = tokens.get(at)?;
    let next = tokens.get(at + 1);
    if let Some(month) = month(&this.word) {
        let year = next.is_some_and(|t| t.word.len() == 4 && t.is_digits());
        let in_month = at > 0
            && matches!(
                tokens[at - 1].word.as_str(),
                "in" | "of" | "early" | "late" | "since" | "by" | "mid" | "during"
            );
        let doubtful = matches!(this.word.as_str(), "may" | "march") || this.word.len() == 3;
        if let Some(first) = day(next) {
            let dash = matches!(between(text, tokens, at + 1).trim(), "-" | "–");
            let to = tokens
                .get(at + 2)
                .is_some_and(|t| matches!(t.word.as_str(), "to" | "and"));
            if dash && let Some(last) = day(tokens.get(at + 2)) {
                return Some(make(month * 100.0 + first, month * 100.0 + last, 3));
            }
            if to
                && let Some(last) = day(tokens.get(at + 3)).filter(|last| *last > first)
                && tokens.get(at + 4).is_none_or(|t| t.word.len() == 4)
            {
                return Some(make(month * 100.0 + first, month * 100.0 + last, 4));
            }
            return (this.capital || !doubtful)
                .then(|| make(month * 100.0 + first, month * 100.0 + first, 2));
        }
        let certain = year || in_month || !doubtful;
        return (this.capital && certain).then(|| make(month * 100.0, month * 100.0 + 31.0, 1));
    }
    // "31 May", "7th of February"
    let first = day(Some(this))?;
    let of = usize::from(next.is_some_and(|t| t.word == "of"));
    let month = month(&tokens.get(at + 1 + of)?.word).filter(|_| tokens[at + 1 + of].capital)?;
    between(text, tokens, at)
        .trim()
        .is_empty()
        .then(|| make(month * 100.0 + first, month * 100.0 + first, 2 + of))
}

/// A time of day that begins at a token.
pub(super) fn clock(text: &str, tokens: &[Token], at: usize) -> Option<Figure> {
    let make = |minutes: f64, used: usize| Figure {
        dimension: Dimension::Clock,
        low: minutes,
        high: minutes,
        bound: Bound::Exact,
        unit: "",
        rounding: 0.0,
        tokens: at..at + used,
    };
    let this = tokens.get(at)?;
    match this.word.as_str() {
        "noon" => return Some(make(720.0, 1)),
        "midnight" => return Some(make(0.0, 1)),
        _ => {}
    }
    if !this.word.bytes().all(|b| b.is_ascii_digit()) || this.word.is_empty() {
        return None;
    }
    let value: f64 = this.word.parse().ok()?;
    let (mut hours, mut minutes, mut used) = (value, 0.0, 1);
    let colon = between(text, tokens, at) == ":";
    if colon && value < 24.0 {
        let next = tokens.get(at + 1)?;
        minutes = next
            .word
            .parse()
            .ok()
            .filter(|m| (0.0..60.0).contains(m) && next.word.len() == 2)?;
        used = 2;
    } else if value >= 100.0 && this.word.len() >= 3 && this.word.len() <= 4 {
        (hours, minutes) = ((value / 100.0).floor(), value % 100.0);
    }
    let half = |i: usize| -> Option<(f64, usize)> {
        let word = tokens.get(i)?.word.as_str();
        let next = tokens.get(i + 1).map_or("", |t| t.word.as_str());
        match (word, next) {
            ("am", _) => Some((0.0, 1)),
            ("pm", _) => Some((720.0, 1)),
            ("a", "m") => Some((0.0, 2)),
            ("p", "m") => Some((720.0, 2)),
            _ => None,
        }
    };
    if hours > 24.0 || minutes >= 60.0 {
        return None;
    }
    if let Some((afternoon, more)) = half(at + used).filter(|_| hours <= 12.0) {
        return Some(make(
            (hours % 12.0) * 60.0 + minutes + afternoon,
            used + more,
        ));
    }
    let zone = tokens
        .get(at + used)
        .is_some_and(|t| matches!(t.word.as_str(), "utc" | "gmt" | "z"));
    if zone && (colon || this.word.len() >= 3) {
        return Some(make(hours * 60.0 + minutes, used + 1));
    }
    colon.then(|| make(hours * 60.0 + minutes, used))
}
