//! Accuracy by part as bars with intervals.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::{Figures, MethodFigures, SideBySide};

const HEIGHT: f64 = 240.0;
const BAR: f64 = 18.0;
const LEFT: f64 = 44.0;
const TOP: f64 = 40.0;
/// Okabe and Ito's colours, told apart by most eyes.
const COLOURS: [&str; 7] = [
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#f0e442",
];

/// A picture of the methods' accuracy in each part, for instance `|m| &m.by_hazard`. Names in it
/// are text and never markup.
pub fn bars(
    compared: &SideBySide,
    title: &str,
    part: fn(&MethodFigures) -> &BTreeMap<String, Figures>,
) -> String {
    let names: BTreeSet<&String> = compared
        .methods
        .iter()
        .flat_map(|m| part(m).keys())
        .collect();
    let group = BAR * compared.methods.len() as f64 + 26.0;
    let group = group.max(84.0);
    let width = LEFT + group * names.len() as f64 + 20.0;
    let legend = TOP + HEIGHT + 44.0;
    let height = legend + 18.0 * compared.methods.len() as f64 + 6.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{}</text>\n",
        escaped(title)
    );
    let y = |share: f64| TOP + HEIGHT * (1.0 - share);
    for step in 0..=5 {
        let share = f64::from(step) / 5.0;
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{width:.0}\" y1=\"{0:.1}\" y2=\"{0:.1}\" stroke=\"#ddd\"/>\
             <text x=\"10\" y=\"{1:.1}\">{share:.1}</text>",
            y(share),
            y(share) + 4.0
        );
    }
    for (at, name) in names.iter().enumerate() {
        let x = LEFT + 10.0 + group * at as f64;
        let mut n = 0;
        for (number, method) in compared.methods.iter().enumerate() {
            let found = part(method).get(*name).and_then(|figures| figures.accuracy);
            let Some(e) = found else { continue };
            n = e.n;
            let left = x + BAR * number as f64;
            let middle = left + BAR / 2.0 - 1.0;
            let colour = COLOURS[number % COLOURS.len()];
            let _ = writeln!(
                svg,
                "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\"/>\
                 <line x1=\"{middle:.1}\" x2=\"{middle:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#000\"/>",
                y(e.value),
                BAR - 2.0,
                HEIGHT * e.value,
                y(e.high),
                y(e.low)
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{:.1}\">{}</text><text x=\"{x:.1}\" y=\"{:.1}\" fill=\"#666\">n = {n}</text>",
            TOP + HEIGHT + 16.0,
            escaped(name),
            TOP + HEIGHT + 30.0
        );
    }
    for (number, method) in compared.methods.iter().enumerate() {
        let at = legend + 18.0 * number as f64;
        let colour = COLOURS[number % COLOURS.len()];
        let _ = writeln!(
            svg,
            "<rect x=\"{LEFT}\" y=\"{at:.1}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            LEFT + 18.0,
            at + 10.0,
            escaped(&method.method)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_control() => safe.push('\u{fffd}'),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(c),
        }
    }
    safe
}
