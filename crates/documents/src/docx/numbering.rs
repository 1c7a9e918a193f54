//! The numbers and letters that Word sets before the items of a list. They stand nowhere in the
//! text and are counted here as the program counts them.

use std::collections::{HashMap, HashSet};

use super::xml::{self, Piece};
use crate::error::ReadError;

/// Levels of a list.
const LEVELS: usize = 9;

/// Definitions of lists, and how far each has been counted.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    definitions: HashMap<String, [Level; LEVELS]>,
    lists: HashMap<String, List>,
    counts: HashMap<String, [Option<u32>; LEVELS]>,
    begun: HashSet<String>,
}

#[derive(Debug, Default, Clone)]
struct Level {
    format: String,
    /// "%1.%2" with the counts of these levels.
    pattern: String,
    start: Option<u32>,
}

#[derive(Debug, Default, Clone)]
struct List {
    definition: String,
    restarts: bool,
}

impl Numbering {
    pub fn read(part: &str, text: &str) -> Result<Numbering, ReadError> {
        let mut numbering = Numbering::default();
        let mut definition: Option<String> = None;
        let mut list: Option<String> = None;
        let mut level = 0usize;
        xml::walk(part, text, &mut |piece| {
            match piece {
                Piece::Open(element) => match element.name() {
                    "abstractNum" => {
                        let id = element.attribute("abstractNumId").unwrap_or_default();
                        numbering.definitions.entry(id.clone()).or_default();
                        definition = Some(id);
                    }
                    "num" => {
                        let id = element.attribute("numId").unwrap_or_default();
                        numbering.lists.entry(id.clone()).or_default();
                        list = Some(id);
                    }
                    "abstractNumId" => {
                        if let Some(list) = list.as_ref().and_then(|id| numbering.lists.get_mut(id))
                        {
                            list.definition = element.value().unwrap_or_default();
                        }
                    }
                    "startOverride" => {
                        if let Some(list) = list.as_ref().and_then(|id| numbering.lists.get_mut(id))
                        {
                            list.restarts = true;
                        }
                    }
                    "lvl" => {
                        let number = element.attribute("ilvl").and_then(|v| v.parse().ok());
                        level = number.unwrap_or(0).min(LEVELS - 1);
                    }
                    name @ ("numFmt" | "lvlText" | "start") => {
                        let known = definition
                            .as_ref()
                            .and_then(|id| numbering.definitions.get_mut(id));
                        if let (Some(levels), Some(value)) = (known, element.value()) {
                            match name {
                                "numFmt" => levels[level].format = value,
                                "lvlText" => levels[level].pattern = value,
                                _ => levels[level].start = value.parse().ok(),
                            }
                        }
                    }
                    _ => {}
                },
                Piece::Close("abstractNum") => definition = None,
                Piece::Close("num") => list = None,
                _ => {}
            }
            Ok(())
        })?;
        Ok(numbering)
    }

    /// What stands before the next item of a list, with the space behind it.
    pub fn marker(&mut self, id: &str, level: u8) -> String {
        let level = usize::from(level).min(LEVELS - 1);
        let bullet = || "\u{2022} ".to_owned();
        let Some(list) = self.lists.get(id) else {
            return bullet();
        };
        let Some(levels) = self.definitions.get(&list.definition) else {
            return bullet();
        };
        let counts = self.counts.entry(list.definition.clone()).or_default();
        if self.begun.insert(id.to_owned()) && list.restarts {
            *counts = Default::default();
        }
        let start = |level: usize| levels[level].start.unwrap_or(1);
        counts[level] = Some(counts[level].map_or(start(level), |count| count.saturating_add(1)));
        counts[level + 1..].fill(None);
        let own = &levels[level];
        match own.format.as_str() {
            "bullet" | "" => return bullet(),
            "none" => return String::new(),
            _ => {}
        }
        let mut marker = String::new();
        let mut rest = own.pattern.chars().take(40).peekable();
        while let Some(c) = rest.next() {
            match (c, rest.peek().and_then(|next| next.to_digit(10))) {
                ('%', Some(digit @ 1..)) => {
                    rest.next();
                    let shown = (digit as usize - 1).min(level);
                    let count = counts[shown].unwrap_or_else(|| start(shown));
                    marker.push_str(&counted(count, &levels[shown].format));
                }
                _ => marker.push(c),
            }
        }
        if !marker.is_empty() {
            marker.push(' ');
        }
        marker
    }
}

/// A count in the format of a list: decimal, letters or Roman numbers.
fn counted(count: u32, format: &str) -> String {
    match format {
        "lowerLetter" => letters(count, 'a'),
        "upperLetter" => letters(count, 'A'),
        "lowerRoman" => roman(count).to_lowercase(),
        "upperRoman" => roman(count),
        "decimalZero" => format!("{count:02}"),
        _ => count.to_string(),
    }
}

/// a to z, then aa, bb, as Word goes on.
fn letters(count: u32, first: char) -> String {
    let Some(place) = count.checked_sub(1) else {
        return count.to_string();
    };
    let letter = char::from(first as u8 + (place % 26) as u8);
    let times = (place / 26 + 1).min(8) as usize;
    std::iter::repeat_n(letter, times).collect()
}

fn roman(count: u32) -> String {
    if !(1..4000).contains(&count) {
        return count.to_string();
    }
    const SIGNS: [(u32, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut left = count;
    let mut text = String::new();
    for (value, sign) in SIGNS {
        while left >= value {
            text.push_str(sign);
            left -= value;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_written_as_lists_write_them() {
        assert_eq!(counted(28, "lowerLetter"), "bb");
        assert_eq!(counted(1994, "upperRoman"), "MCMXCIV");
        assert_eq!(counted(4, "lowerRoman"), "iv");
        assert_eq!(counted(0, "upperLetter"), "0");
        assert_eq!(counted(7, "decimalZero"), "07");
    }
}
