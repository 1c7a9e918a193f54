//! Units of measure as hazard texts write them.

use super::super::passage::Token;
use super::{Dimension, between};

/// A unit behind a number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    pub dimension: Dimension,
    pub name: &'static str,
    /// SI value of one.
    pub factor: f64,
    /// SI value of none of it (temperatures).
    pub offset: f64,
    pub used: usize,
}

/// The unit that begins at a token.
pub(super) fn unit(text: &str, tokens: &[Token], at: usize) -> Option<Unit> {
    use Dimension as D;
    let word = |i: usize| tokens.get(at + i).map_or("", |t| t.word.as_str());
    let make = |dimension, name, factor, used| {
        Some(Unit {
            dimension,
            name,
            factor,
            offset: 0.0,
            used,
        })
    };
    // Nothing but blanks and a hyphen may stand between the number and its unit.
    let gap = at.checked_sub(1).map_or("", |i| between(text, tokens, i));
    if gap
        .chars()
        .any(|c| !c.is_whitespace() && !matches!(c, '-' | '\u{a0}' | '°' | '.'))
        || gap.contains(". ")
    {
        return None;
    }
    if gap.contains('°') {
        return match word(0) {
            "f" => Some(Unit {
                dimension: D::Temperature,
                name: "f",
                factor: 5.0 / 9.0,
                offset: 255.372,
                used: 1,
            }),
            "c" => Some(Unit {
                dimension: D::Temperature,
                name: "c",
                factor: 1.0,
                offset: 273.15,
                used: 1,
            }),
            _ => None,
        };
    }
    let squared = |i: usize| matches!(word(i), "square" | "sq");
    let cubed = |i: usize| matches!(word(i), "cubic" | "cu");
    if squared(0) || cubed(0) {
        let (name, metres) = length(word(1))?;
        return match squared(0) {
            true => make(D::Area, name, metres * metres, 2),
            false => make(D::Volume, name, metres.powi(3), 2),
        };
    }
    match word(0) {
        "km2" => return make(D::Area, "km", 1e6, 1),
        "m3" => return make(D::Volume, "m", 1.0, 1),
        "acre" | "acres" => return make(D::Area, "acre", 4046.86, 1),
        "ha" | "hectare" | "hectares" => return make(D::Area, "ha", 1e4, 1),
        "mph" => return make(D::Speed, "mph", 0.44704, 1),
        "kph" => return make(D::Speed, "km/h", 1.0 / 3.6, 1),
        "knot" | "knots" | "kt" | "kts" => return make(D::Speed, "kt", 0.514_444, 1),
        "dollar" | "dollars" | "usd" => return make(D::Money, "$", 1.0, 1),
        "percent" | "pct" => return make(D::Share, "%", 1.0, 1),
        "per" if word(1) == "cent" => return make(D::Share, "%", 1.0, 2),
        "mb" | "millibar" | "millibars" | "hpa" => return make(D::Pressure, "hpa", 100.0, 1),
        "degrees" | "degree" | "deg" => {
            return match word(1) {
                "f" | "fahrenheit" => Some(Unit {
                    dimension: D::Temperature,
                    name: "f",
                    factor: 5.0 / 9.0,
                    offset: 255.372,
                    used: 2,
                }),
                "c" | "celsius" => Some(Unit {
                    dimension: D::Temperature,
                    name: "c",
                    factor: 1.0,
                    offset: 273.15,
                    used: 2,
                }),
                _ => make(D::Degrees, "degree", 1.0, 1),
            };
        }
        "ton" | "tons" => return make(D::Mass, "ton", 907.0, 1),
        "tonne" | "tonnes" => return make(D::Mass, "tonne", 1000.0, 1),
        "kg" | "kilograms" => return make(D::Mass, "kg", 1.0, 1),
        "pounds" | "lb" | "lbs" => return make(D::Mass, "lb", 0.4536, 1),
        "gallon" | "gallons" => return make(D::Volume, "gallon", 0.003_785, 1),
        _ => {}
    }
    if let Some((name, seconds)) = duration(word(0)) {
        return make(D::Duration, name, seconds, 1);
    }
    if let Some((name, metres)) = length(word(0)) {
        let after = at.checked_add(0).map_or("", |i| between(text, tokens, i));
        let per = match word(1) {
            "per" => duration(word(2)).map(|d| (d, 3)),
            "an" => duration(word(2)).map(|d| (d, 3)),
            next if after == "/" => duration(next).map(|d| (d, 2)),
            _ => None,
        };
        if let Some(((_, seconds), used)) = per {
            let name = match (name, seconds as u32) {
                ("mi", _) => "mph",
                ("km", _) => "km/h",
                _ => "m/s",
            };
            return make(D::Speed, name, metres / seconds, used);
        }
        if matches!(name, "in") && word(1) == "hg" {
            return make(D::Pressure, "inhg", 3386.39, 2);
        }
        return make(D::Length, name, metres, 1);
    }
    // "in" is a unit only where nothing else can follow.
    let closes = |i: usize| {
        between(text, tokens, at + i)
            .trim_start()
            .starts_with([')', ']'])
    };
    if word(0) == "in" && closes(0) {
        return make(D::Length, "in", 0.0254, 1);
    }
    None
}

fn length(word: &str) -> Option<(&'static str, f64)> {
    Some(match word {
        "foot" | "feet" | "ft" => ("ft", 0.3048),
        "inch" | "inches" => ("in", 0.0254),
        "yard" | "yards" | "yd" => ("yd", 0.9144),
        "mile" | "miles" | "mi" => ("mi", 1609.344),
        "m" | "meter" | "meters" | "metre" | "metres" => ("m", 1.0),
        "km" | "kilometer" | "kilometers" | "kilometre" | "kilometres" | "kms" => ("km", 1000.0),
        "cm" | "centimeter" | "centimeters" | "centimetre" | "centimetres" => ("cm", 0.01),
        "mm" | "millimeter" | "millimeters" | "millimetre" | "millimetres" => ("mm", 0.001),
        _ => return None,
    })
}

fn duration(word: &str) -> Option<(&'static str, f64)> {
    Some(match word {
        "second" | "seconds" | "sec" | "s" => ("s", 1.0),
        "minute" | "minutes" | "min" | "mins" => ("min", 60.0),
        "hour" | "hours" | "hr" | "hrs" | "h" => ("h", 3600.0),
        "day" | "days" => ("day", 86_400.0),
        "week" | "weeks" => ("week", 604_800.0),
        "month" | "months" => ("month", 2_629_800.0),
        "year" | "years" | "yr" | "yrs" => ("year", 31_557_600.0),
        "decade" | "decades" => ("decade", 315_576_000.0),
        "century" | "centuries" => ("century", 3_155_760_000.0),
        _ => return None,
    })
}
