//! Figures in running text: quantities with units, shares, magnitudes, dates, times of day.

use std::ops::Range;

use super::passage::Token;

mod dates;
mod numerals;
mod units;

/// What a figure measures. Figures are compared only within one dimension; values are in SI
/// (shares in percent, money in its unit, dates as month * 100 + day, times in minutes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Dimension {
    Count,
    Length,
    Area,
    Volume,
    Speed,
    Mass,
    Duration,
    Temperature,
    Pressure,
    Money,
    Share,
    Magnitude,
    Category,
    Ordinal,
    Label,
    Degrees,
    Year,
    Date,
    Clock,
}

/// How a figure is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    Exact,
    About,
    AtLeast,
    AtMost,
}

/// A figure as it stands in a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Figure {
    pub dimension: Dimension,
    pub low: f64,
    pub high: f64,
    pub bound: Bound,
    /// Name of the unit as converted from, to tell "40 ft" from "12 m".
    pub unit: &'static str,
    /// Half of the last digit that is written, in the unit of `low`.
    pub rounding: f64,
    pub tokens: Range<usize>,
}

/// How a claimed figure sits with one of the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// It is another one.
    Differs,
    /// It follows from it: inside a range, above a bound.
    Within,
    /// It is the same one.
    Same,
}

impl Figure {
    /// Compares a claimed figure with one of the evidence.
    pub fn fit(&self, evidence: &Figure) -> Fit {
        use Dimension as D;
        if self.dimension != evidence.dimension {
            return Fit::Differs;
        }
        if self.dimension == D::Date {
            let overlap = self.low <= evidence.high && evidence.low <= self.high;
            return if overlap { Fit::Same } else { Fit::Differs };
        }
        let about = |figure: &Figure| figure.bound == Bound::About;
        let share = match (self.unit == evidence.unit, about(self) || about(evidence)) {
            (true, false) => 0.002,
            (true, true) => 0.06,
            (false, false) => 0.03,
            (false, true) => 0.08,
        };
        let discrete = matches!(
            self.dimension,
            D::Category | D::Ordinal | D::Label | D::Year | D::Magnitude | D::Clock
        );
        let near = |a: f64, b: f64| {
            let slack = match (discrete, self.unit == evidence.unit) {
                (true, _) => 1e-6,
                (false, true) => share * a.abs().max(b.abs()),
                (false, false) => (share * a.abs().max(b.abs()))
                    .max(self.rounding.max(evidence.rounding).min(0.1 * a.abs())),
            };
            (a - b).abs() <= slack.max(1e-9)
        };
        if near(self.low, evidence.low) && near(self.high, evidence.high) {
            return Fit::Same;
        }
        if self.unit == "vague" {
            let holds = evidence.low >= self.low * 0.8 && evidence.high <= self.high * 1.2;
            return if holds { Fit::Within } else { Fit::Differs };
        }
        let within = match self.bound {
            Bound::AtLeast => evidence.low >= self.low && evidence.bound != Bound::AtMost,
            Bound::AtMost => evidence.high <= self.high && evidence.bound != Bound::AtLeast,
            Bound::Exact | Bound::About => {
                evidence.low < evidence.high
                    && self.low >= evidence.low * 0.99
                    && self.high <= evidence.high * 1.01
            }
        };
        // An end of a range, named as its end.
        let end = evidence.low < evidence.high
            && self.low == self.high
            && (near(self.low, evidence.high) || near(self.low, evidence.low));
        if within || end {
            Fit::Within
        } else {
            Fit::Differs
        }
    }

    /// Whether it is above (1), below (-1) or equal to another one of its dimension.
    pub fn order(&self, other: &Figure) -> i8 {
        let middle = |f: &Figure| (f.low + f.high) / 2.0;
        let (a, b) = (middle(self), middle(other));
        if (a - b).abs() <= 1e-9 * a.abs().max(b.abs()) {
            0
        } else if a > b {
            1
        } else {
            -1
        }
    }
}

/// The figures of a text, in order, none inside another.
pub(crate) fn figures(text: &str, tokens: &[Token]) -> Vec<Figure> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let figure = dates::date(text, tokens, at)
            .or_else(|| dates::clock(text, tokens, at))
            .or_else(|| quantity(text, tokens, at));
        match figure {
            Some(figure) => {
                at = figure.tokens.end.max(at + 1);
                found.push(figure);
            }
            None => at += 1,
        }
    }
    found
}

fn between<'t>(text: &'t str, tokens: &[Token], i: usize) -> &'t str {
    match (tokens.get(i), tokens.get(i + 1)) {
        (Some(a), Some(b)) => &text[a.bytes.end..b.bytes.start],
        (Some(a), None) => &text[a.bytes.end..],
        _ => "",
    }
}

/// A number with what it measures.
fn quantity(text: &str, tokens: &[Token], at: usize) -> Option<Figure> {
    use Dimension as D;
    if let Some((value, used)) = numerals::ordinal(tokens, at) {
        // "the second" of a time is no rank, and "2 seconds" begins with a numeral.
        return Some(Figure {
            dimension: D::Ordinal,
            low: value,
            high: value,
            bound: Bound::Exact,
            unit: "",
            rounding: 0.0,
            tokens: at..at + used,
        });
    }
    if let Some((low, high, used)) = numerals::vague(tokens, at) {
        return Some(Figure {
            dimension: D::Count,
            low,
            high,
            bound: Bound::Exact,
            unit: "vague",
            rounding: 0.0,
            tokens: at..at + used,
        });
    }
    let first = numerals::number(text, tokens, at)?;
    let money = text[..tokens[at].bytes.start]
        .trim_end()
        .ends_with(['$', '€', '£']);
    let mut end = at + first.used;
    let mut bound = bound(tokens, at);
    // The name of a scale stands before its figure.
    let before = |back: usize| at.checked_sub(back).map_or("", |i| tokens[i].word.as_str());
    let scale = match before(1) {
        "of" | "a" | "the" | "is" | "was" => before(2),
        word => word,
    };
    let named = match scale {
        "m" | "mw" if first.value < 10.0 => Some((D::Magnitude, "")),
        "magnitude" | "magnitudes" => Some((D::Magnitude, "")),
        "category" | "cat" => Some((D::Category, "category")),
        "ef" | "f" => Some((D::Category, "ef")),
        _ => None,
    };
    if let Some((dimension, unit)) = named {
        let mut figure = first.figure(dimension, unit, 1.0, bound, at..end);
        if let Some((high, used)) = numerals::range_end(text, tokens, end) {
            figure.high = high.value;
            figure.tokens.end = end + used;
        }
        return Some(figure);
    }
    let label = matches!(
        before(1),
        "number"
            | "zone"
            | "station"
            | "gauge"
            | "highway"
            | "route"
            | "road"
            | "section"
            | "figure"
            | "table"
            | "advisory"
            | "message"
            | "no"
            | "id"
            | "page"
            | "unit"
            | "zones"
            | "stations"
            | "appendix"
            | "step"
            | "sr"
            | "i"
    );
    if text[tokens[end - 1].bytes.end..].starts_with('+') {
        bound = Bound::AtLeast;
    }
    let percent = text[tokens[end - 1].bytes.end..]
        .trim_start()
        .starts_with('%');
    let mut unit = units::unit(text, tokens, end);
    let mut high = None;
    if unit.is_none() || !percent {
        // "8 to 9 meters", "5-7 km", "4 feet to 6 feet"
        let after = end + unit.as_ref().map_or(0, |u| u.used);
        if let Some((second, used)) = numerals::range_end(text, tokens, after) {
            let second_unit = units::unit(text, tokens, after + used);
            let both_years =
                unit.is_none() && second_unit.is_none() && first.is_year() && second.is_year();
            if !both_years
                && (unit.is_none()
                    || second_unit.as_ref().map(|u| u.name) == unit.as_ref().map(|u| u.name))
            {
                end = after + used;
                unit = second_unit;
                high = Some(second);
            }
        }
    }
    let share_word = first.share && unit.is_none();
    if percent
        || text[tokens[end - 1].bytes.end..]
            .trim_start()
            .starts_with('%')
        || share_word
    {
        let factor = if first.share { 100.0 } else { 1.0 };
        let mut figure = first.figure(D::Share, "%", factor, bound, at..end);
        if let Some(high) = &high {
            figure.high = high.value;
        }
        return Some(figure);
    }
    if money {
        return Some(first.figure(D::Money, "$", 1.0, bound, at..end));
    }
    if let Some(unit) = unit {
        let used = at..end + unit.used;
        let mut figure = first.figure(unit.dimension, unit.name, unit.factor, bound, used);
        if let Some(high) = &high {
            figure.high = high.value * unit.factor;
        }
        figure.low += unit.offset;
        figure.high += unit.offset;
        return Some(figure);
    }
    if label {
        return Some(first.figure(D::Label, "", 1.0, Bound::Exact, at..end));
    }
    if first.is_year() && high.is_none() {
        return Some(first.figure(D::Year, "", 1.0, Bound::Exact, at..end));
    }
    let mut figure = first.figure(D::Count, "", 1.0, bound, at..end);
    if let Some(high) = &high {
        figure.high = high.value;
    }
    Some(figure)
}

/// What the words before a figure make of it.
fn bound(tokens: &[Token], at: usize) -> Bound {
    let word = |back: usize| at.checked_sub(back).map_or("", |i| tokens[i].word.as_str());
    let pair = |a: &str, b: &str| word(2) == a && word(1) == b;
    match word(1) {
        "over" | "exceeding" | "exceeded" | "exceeds" | "above" | "beyond" | "exceed" => {
            return Bound::AtLeast;
        }
        "about" | "approximately" | "roughly" | "around" | "nearly" | "almost" | "some"
        | "estimated" | "near" | "close" | "circa" | "approx" | "only" => return Bound::About,
        "under" | "below" | "maximum" => return Bound::AtMost,
        _ => {}
    }
    if pair("more", "than")
        || pair("at", "least")
        || pair("greater", "than")
        || pair("excess", "of")
        || pair("larger", "than")
        || pair("higher", "than")
        || pair("longer", "than")
    {
        Bound::AtLeast
    } else if pair("less", "than")
        || pair("fewer", "than")
        || pair("up", "to")
        || pair("much", "as")
        || pair("far", "as")
        || pair("at", "most")
        || pair("high", "as")
        || pair("lower", "than")
        || pair("many", "as")
        || pair("low", "as")
    {
        Bound::AtMost
    } else if pair("close", "to") {
        Bound::About
    } else {
        Bound::Exact
    }
}

#[cfg(test)]
mod tests {
    use super::super::passage::Passage;
    use super::*;

    fn one(text: &str) -> Figure {
        let found = Passage::of(text).figures;
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        found[0].clone()
    }

    #[track_caller]
    fn fits(claim: &str, evidence: &str, expected: Fit) {
        assert_eq!(
            one(claim).fit(&one(evidence)),
            expected,
            "{claim} / {evidence}: {:?} {:?}",
            one(claim),
            one(evidence)
        );
    }

    #[test]
    fn figures_are_compared_across_units() {
        fits("about 8 m deep", "26 feet deep", Fit::Same);
        fits("225 km/h winds", "140 mph winds", Fit::Same);
        fits("winds of 100 knots", "winds of 100 mph", Fit::Differs);
        fits("40 acres burned", "16 hectares burned", Fit::Same);
        fits("seventeen billion dollars", "$7 billion", Fit::Differs);
        fits("7 billion dollars", "$7 billion", Fit::Same);
        fits("three quarters of them", "75% of them", Fit::Same);
        fits("35 square miles", "90 square kilometres", Fit::Same);
        fits("25 degrees C", "77 degrees F", Fit::Same);
        fits("one and a half hours", "90 minutes", Fit::Same);
    }

    #[test]
    fn bounds_and_ranges_hold_what_lies_in_them() {
        fits("more than 40 homes", "57 homes", Fit::Within);
        fits("more than 60 homes", "57 homes", Fit::Differs);
        fits("at least ten homes", "10 homes", Fit::Same);
        fits("40 homes", "35-51 homes", Fit::Within);
        fits("60 homes", "35 to 51 homes", Fit::Differs);
        fits("hundreds of homes", "450 homes", Fit::Within);
        fits("only a handful of homes", "450 homes", Fit::Differs);
        fits("10,000 slides", "10,000+ slides", Fit::Same);
    }

    #[test]
    fn dates_times_and_scales_are_exact() {
        fits("on 7 February", "February 7", Fit::Same);
        fits("in February", "February 7", Fit::Same);
        fits("on 8 February", "February 7", Fit::Differs);
        fits("at 6:17 pm", "at 18:17 UTC", Fit::Same);
        fits("at noon", "at 12 PM", Fit::Same);
        fits("magnitude 7.8", "M7.8", Fit::Same);
        fits("magnitude of 7.5", "M7.8", Fit::Differs);
        fits("rated EF-4", "rated EF5", Fit::Differs);
        fits("the second largest", "the fourth largest", Fit::Differs);
    }
}
