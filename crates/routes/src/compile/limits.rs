//! Numbers of a sentence with their units, and what they limit: at least, above, at most, below,
//! from one to another.

use lahar_core::Unit;

/// A number that is compared with, or two.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// Lowest, with whether it belongs to the range.
    pub lowest: Option<(f64, bool)>,
    /// Highest, with whether it belongs to the range.
    pub highest: Option<(f64, bool)>,
    /// Its unit; none where none stands there.
    pub unit: Option<Unit>,
    /// First byte, comparison left out.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
}

impl Limit {
    /// Whether it bounds something, and does not only say how much something is.
    pub fn bounds(&self) -> bool {
        self.lowest != self.highest
    }
}

/// A number as it stands in the text.
#[derive(Debug, Clone, PartialEq)]
struct Number {
    value: f64,
    unit: Option<Unit>,
    start: usize,
    end: usize,
}

/// Nouns after which a number is a name and no quantity.
const LABELS: &[&str] = &[
    "equation",
    "equations",
    "eq",
    "eqs",
    "eqn",
    "table",
    "tables",
    "figure",
    "figures",
    "fig",
    "figs",
    "section",
    "sections",
    "version",
    "versions",
    "chapter",
    "appendix",
    "page",
    "pages",
    "step",
    "stage",
    "part",
    "volume",
    "number",
    "no",
    "report",
    "category",
    "highway",
    "route",
    "advisory",
    "release",
    "lhasa",
    "class",
    "exercise",
    "form",
    "area",
];

/// Words before a number, nearest last, and what they say: whether it bounds from below, and
/// whether the number belongs to the range.
const BEFORE: &[(&str, bool, bool)] = &[
    ("greater than or equal to", true, true),
    ("equal to or greater than", true, true),
    ("at least", true, true),
    ("no less than", true, true),
    ("not less than", true, true),
    ("minimum of", true, true),
    ("more than", true, false),
    ("greater than", true, false),
    ("larger than", true, false),
    ("longer than", true, false),
    ("steeper than", true, false),
    ("higher than", true, false),
    ("above", true, false),
    ("exceeds", true, false),
    ("exceed", true, false),
    ("exceeding", true, false),
    ("beyond", true, false),
    ("over", true, false),
    ("less than or equal to", false, true),
    ("equal to or less than", false, true),
    ("at most", false, true),
    ("no more than", false, true),
    ("not more than", false, true),
    ("maximum of", false, true),
    ("up to", false, true),
    ("within", false, true),
    ("less than", false, false),
    ("smaller than", false, false),
    ("lower than", false, false),
    ("fewer than", false, false),
    ("shorter than", false, false),
    ("below", false, false),
    ("under", false, false),
];

/// Words after a number and its unit.
const AFTER: &[(&str, bool, bool)] = &[
    ("or more", true, true),
    ("or greater", true, true),
    ("or larger", true, true),
    ("or higher", true, true),
    ("and above", true, true),
    ("or above", true, true),
    ("or less", false, true),
    ("or smaller", false, true),
    ("or lower", false, true),
    ("or below", false, true),
    ("and below", false, true),
    ("or fewer", false, true),
];

/// The numbers of a sentence with what they limit.
///
/// ```
/// use lahar_routes::compile::limits::limits;
/// let found = limits("The curve holds for basins of 0.02 to 8 km2 and slopes of at least 5°.");
/// let shown: Vec<_> = found.iter().map(|l| (l.lowest, l.highest, l.unit.as_ref().unwrap().symbol())).collect();
/// assert_eq!(shown, [
///     (Some((0.02, true)), Some((8.0, true)), "km2"),
///     (Some((5.0, true)), None, "°"),
/// ]);
/// ```
pub fn limits(sentence: &str) -> Vec<Limit> {
    let numbers = numbers(sentence);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = numbers.get(at) {
        let second = numbers
            .get(at + 1)
            .filter(|second| is_range(sentence, first, second));
        let before = before(sentence, first.start);
        match second {
            Some(second) => {
                let (low, high) = match first.value <= second.value {
                    true => (first, second),
                    false => (second, first),
                };
                found.push(Limit {
                    lowest: Some((low.value, true)),
                    highest: Some((high.value, true)),
                    unit: second.unit.clone().or_else(|| first.unit.clone()),
                    start: first.start,
                    end: second.end,
                });
                at += 2;
            }
            None => {
                let side = before.or_else(|| after(sentence, first.end));
                let own = Some((first.value, side.is_none_or(|(_, included)| included)));
                let (lowest, highest) = match side {
                    None => (own, own),
                    Some((true, _)) => (own, None),
                    Some((false, _)) => (None, own),
                };
                found.push(Limit {
                    lowest,
                    highest,
                    unit: first.unit.clone(),
                    start: first.start,
                    end: first.end,
                });
                at += 1;
            }
        }
    }
    found
}

/// Whether two numbers that follow each other are the ends of a range.
fn is_range(sentence: &str, first: &Number, second: &Number) -> bool {
    let between = sentence[first.end..second.start].trim();
    let between = between.strip_suffix('+').unwrap_or(between).trim_end();
    let preceded = tail(sentence, first.start);
    match between {
        "to" | "-" | "–" | "—" | "..." | "…" | "through" => true,
        "and" => preceded.ends_with("between"),
        _ => false,
    }
}

/// The text before a number, in lower case, without signs that only say "about".
fn tail(sentence: &str, at: usize) -> String {
    let mut from = at.saturating_sub(60);
    while !sentence.is_char_boundary(from) {
        from -= 1;
    }
    let text = sentence[from..at].to_lowercase();
    let mut text = text.trim_end();
    loop {
        let shorter = [
            "~",
            "about",
            "approximately",
            "around",
            "roughly",
            "magnitude",
            "(",
        ]
        .iter()
        .find_map(|filler| text.strip_suffix(filler));
        match shorter {
            Some(shorter) => text = shorter.trim_end(),
            None => return text.to_owned(),
        }
    }
}

fn before(sentence: &str, at: usize) -> Option<(bool, bool)> {
    let text = tail(sentence, at);
    let signs = [
        (">=", true, true),
        ("≥", true, true),
        ("⩾", true, true),
        (">", true, false),
        ("<=", false, true),
        ("≤", false, true),
        ("⩽", false, true),
        ("<", false, false),
    ];
    if let Some((_, lower, included)) = signs.iter().find(|(sign, ..)| text.ends_with(sign)) {
        return Some((*lower, *included));
    }
    let ends = |phrase: &str| {
        let head = text.strip_suffix(phrase);
        head.is_some_and(|head| !head.ends_with(char::is_alphanumeric))
    };
    let fitting = BEFORE.iter().filter(|(phrase, ..)| ends(phrase));
    let (phrase, lower, included) = fitting.max_by_key(|(phrase, ..)| phrase.len())?;
    // "does not exceed 8" and "not more than 8" bound from above.
    let head = text[..text.len() - phrase.len()].trim_end();
    let negated = head.ends_with("not") || head.ends_with("never");
    match negated && !phrase.starts_with("no") {
        true => Some((!*lower, !*included)),
        false => Some((*lower, *included)),
    }
}

fn after(sentence: &str, at: usize) -> Option<(bool, bool)> {
    let text = sentence[at..].trim_start().to_lowercase();
    let begins = |phrase: &str| {
        let rest = text.strip_prefix(phrase);
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    let (_, lower, included) = AFTER.iter().find(|(phrase, ..)| begins(phrase))?;
    Some((*lower, *included))
}

/// Every number that stands for a quantity.
fn numbers(sentence: &str) -> Vec<Number> {
    let bytes = sentence.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        let end = number_end(bytes, start);
        at = end;
        let head = &sentence[..start];
        let glued = head.chars().next_back().filter(|c| c.is_alphabetic());
        let is_magnitude = match glued {
            None => false,
            Some(c) => {
                let word: String = head
                    .chars()
                    .rev()
                    .take_while(|c| c.is_alphanumeric())
                    .collect();
                if !(matches!(c, 'M' | 'w') && matches!(word.as_str(), "M" | "wM")) {
                    // "X3R", "v2": part of a name.
                    at = word_end(sentence, end);
                    continue;
                }
                true
            }
        };
        let (unit, unit_end) = match is_magnitude {
            true => ("Mw".parse().ok(), end),
            false => unit(sentence, end),
        };
        if unit.is_none() && is_name(sentence, start, end) {
            at = word_end(sentence, end);
            continue;
        }
        let digits: String = sentence[start..end].chars().filter(|c| *c != ',').collect();
        let Ok(value) = digits.parse::<f64>() else {
            continue;
        };
        let signed =
            head.ends_with('-') && !head.trim_end_matches('-').ends_with(char::is_alphanumeric);
        found.push(Number {
            value: if signed { -value } else { value },
            unit,
            start,
            end: unit_end,
        });
        at = unit_end.max(end);
    }
    found
}

fn number_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    while end < bytes.len() {
        let next_is_digit = bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        match bytes[end] {
            c if c.is_ascii_digit() => end += 1,
            b'.' | b',' if next_is_digit => end += 1,
            _ => break,
        }
    }
    end
}

fn word_end(sentence: &str, at: usize) -> usize {
    let rest = &sentence[at..];
    at + rest
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(rest.len())
}

/// Whether a number without a unit is a year, an ordinal or the name of something.
fn is_name(sentence: &str, start: usize, end: usize) -> bool {
    let text = &sentence[start..end];
    let rest = &sentence[end..];
    let is_year = text.len() == 4
        && text
            .parse::<u32>()
            .is_ok_and(|year| (1500..2200).contains(&year));
    let glued = rest.starts_with(char::is_alphabetic);
    let head = sentence[..start].trim_end_matches([' ', '(', '.', '#', '-', '–', '~']);
    let last: String = head
        .chars()
        .rev()
        .take_while(|c| c.is_alphabetic())
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect::<String>()
        .to_lowercase();
    is_year || glued || LABELS.contains(&last.as_str())
}

/// The unit after a number, and where it ends.
fn unit(sentence: &str, at: usize) -> (Option<Unit>, usize) {
    let rest = &sentence[at..];
    let skipped = rest.len()
        - rest
            .trim_start_matches([' ', '-', '\u{a0}', '‐', '\n'])
            .len();
    let begin = at + skipped;
    let ends = unit_ends(sentence, begin);
    for end in ends.into_iter().rev() {
        let written = &sentence[begin..end];
        if written == "in" && sentence[end..].trim_start_matches('.').starts_with(' ') {
            let next = sentence[end..].trim_start();
            if !next.starts_with(|c: char| c == '(' || c.is_ascii_digit()) && !next.is_empty() {
                continue;
            }
        }
        if let Some(unit) = parse_unit(written) {
            return (Some(unit), end);
        }
    }
    (None, at)
}

/// Where a unit that begins here may end, shortest first.
fn unit_ends(sentence: &str, begin: usize) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut previous_is_space = true;
    let mut words = 0;
    for (offset, c) in sentence[begin..].char_indices() {
        let is_part = c.is_alphanumeric()
            || matches!(c, '/' | '°' | '%' | '²' | '³' | '^' | '-' | '·' | '⁻' | '¹');
        if !is_part {
            if !previous_is_space {
                ends.push(begin + offset);
                words += 1;
            }
            if c != ' ' || words == 4 {
                return ends;
            }
        }
        previous_is_space = !is_part;
    }
    if !previous_is_space {
        ends.push(sentence.len());
    }
    ends
}

/// A unit as running text writes it.
fn parse_unit(written: &str) -> Option<Unit> {
    let text = written.replace('²', "2").replace('³', "3");
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.is_empty() || text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut parts: Vec<String> = Vec::new();
    let mut power = "";
    for word in words {
        match word.to_lowercase().as_str() {
            "square" => power = "2",
            "cubic" => power = "3",
            "per" => parts.push("/".to_owned()),
            "percent" | "percentage" => parts.push("%".to_owned()),
            "mm/hr" => parts.push("mm/h".to_owned()),
            lower => {
                let one = match (parts.last().map(String::as_str), lower) {
                    (Some("degrees" | "degree" | "deg" | "°"), "f" | "fahrenheit") => {
                        parts.pop();
                        "degF"
                    }
                    (Some("degrees" | "degree" | "deg" | "°"), "c" | "celsius") => {
                        parts.pop();
                        "degC"
                    }
                    (_, "arcsecond" | "arcseconds" | "arcsec") => return None,
                    _ if lower.len() > 3 && lower.parse::<Unit>().is_ok() => lower,
                    _ => word,
                };
                parts.push(format!("{one}{power}"));
                power = "";
            }
        }
    }
    let joined = parts.join(" ").replace(" / ", "/");
    joined.parse().ok().filter(|_| !joined.contains(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lowest, highest and unit of the only limit.
    fn only(sentence: &str) -> (Option<f64>, Option<f64>, String) {
        let found = limits(sentence);
        assert_eq!(found.len(), 1, "{sentence}: {found:?}");
        let unit = found[0].unit.as_ref().map(|unit| unit.symbol().to_owned());
        (
            found[0].lowest.map(|l| l.0),
            found[0].highest.map(|h| h.0),
            unit.unwrap_or_default(),
        )
    }

    #[test]
    fn every_way_to_say_a_limit() {
        let cases = [
            ("a ratio of 0.3 or less", None, Some(0.3), ""),
            ("for M6.5 and above", Some(6.5), None, "Mw"),
            (
                "slopes steeper than about 20 degrees",
                Some(20.0),
                None,
                "degrees",
            ),
            ("no more than 3 years after it", None, Some(3.0), "years"),
            ("must not exceed 12 m/s", None, Some(12.0), "m/s"),
            ("between 10 and 90 percent", Some(10.0), Some(90.0), "%"),
            (
                "from 2,000 to 5,000 square kilometers",
                Some(2000.0),
                Some(5000.0),
                "kilometers2",
            ),
            ("above 95 degrees F", Some(95.0), None, "degF"),
            ("≤ 0.5 km²", None, Some(0.5), "km2"),
            ("rates of 4-7 mm/hr", Some(4.0), Some(7.0), "mm/h"),
            (
                "at 25 millimeters per hour",
                Some(25.0),
                Some(25.0),
                "millimeters/hour",
            ),
            ("colder than -5 °C", Some(-5.0), Some(-5.0), "°C"),
            ("from -20...+50 degC", Some(-20.0), Some(50.0), "degC"),
            ("at least 6 in of rain", Some(6.0), None, ""),
        ];
        for (sentence, lowest, highest, unit) in cases {
            assert_eq!(
                only(sentence),
                (lowest, highest, unit.to_owned()),
                "{sentence}"
            );
        }
    }

    #[test]
    fn names_and_years_are_no_quantities() {
        for sentence in [
            "as equation 12 and Figs. 3 and 4 say",
            "In 1994 version 2 of X3R was published",
            "the 3rd of them",
        ] {
            let found = limits(sentence);
            let kept: Vec<f64> = found.iter().filter_map(|l| l.lowest).map(|l| l.0).collect();
            assert!(
                kept.iter().all(|value| *value == 4.0),
                "{sentence}: {found:?}"
            );
        }
    }
}
