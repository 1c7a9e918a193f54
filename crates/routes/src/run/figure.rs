//! The figure of a report: a map of a grid over relief, or a chart of numbers with their intervals.
//!
//! Figures are SVG with every pixel inside them, so that a page needs nothing from elsewhere.

use lahar_core::measure::Angle;
use lahar_core::{Crs, Grid};
use lahar_formats::error::FormatError;
use lahar_formats::picture::Picture;
use lahar_hazards::terrain::relief;

use super::markup::{base64, escaped};

/// How values become colours.
#[derive(Debug, Clone, PartialEq)]
pub enum Scale {
    /// Whole numbers with a word each, from the least harm to the most. Zero is drawn as nothing.
    Classes(Vec<(f64, String)>),
    /// A range from its lowest to its highest value.
    Range {
        /// Value at the first colour.
        lowest: f64,
        /// Value at the last colour.
        highest: f64,
    },
}

/// Colours of classes, from the least to the most.
const CLASS_COLOURS: [[u8; 3]; 4] = [
    [250, 230, 115],
    [245, 153, 64],
    [204, 38, 38],
    [110, 10, 60],
];

/// Stops of the colours of a range, dark to bright; their lightness rises evenly.
const RANGE_COLOURS: [[u8; 3]; 5] = [
    [68, 1, 84],
    [59, 82, 139],
    [33, 145, 140],
    [94, 201, 98],
    [253, 231, 37],
];

impl Scale {
    /// From the lowest to the highest value of a grid; a range from 0 to 1 where it has none.
    pub fn of(grid: &Grid) -> Scale {
        let (lowest, highest) = grid.range().unwrap_or((0.0, 1.0));
        Scale::Range { lowest, highest }
    }

    fn colour(&self, value: f64) -> Option<[u8; 3]> {
        match self {
            _ if value.is_nan() => None,
            Scale::Classes(classes) => {
                let at = classes.iter().position(|(class, _)| *class == value)?;
                Some(CLASS_COLOURS[at.min(CLASS_COLOURS.len() - 1)])
            }
            Scale::Range { lowest, highest } => {
                let width = highest - lowest;
                let share = match width > 0.0 {
                    true => ((value - lowest) / width).clamp(0.0, 1.0),
                    false => 0.5,
                };
                let place = share * (RANGE_COLOURS.len() - 1) as f64;
                let first = (place as usize).min(RANGE_COLOURS.len() - 2);
                let part = place - first as f64;
                let mix = |band: usize| {
                    let (from, to) = (RANGE_COLOURS[first][band], RANGE_COLOURS[first + 1][band]);
                    (f64::from(from) + part * (f64::from(to) - f64::from(from))).round() as u8
                };
                Some([mix(0), mix(1), mix(2)])
            }
        }
    }
}

/// A map of a grid, over the relief of an elevation model where one with the same cells is given.
#[derive(Debug, Clone)]
pub struct Map<'a> {
    /// What is shown, for the legend, with its unit.
    pub title: &'a str,
    /// The grid.
    pub grid: &'a Grid,
    /// Elevation of the same cells, in metres.
    pub elevation: Option<&'a Grid>,
    /// Colours.
    pub scale: Scale,
}

/// Most cells a side that a picture is drawn of; larger grids are thinned.
const MOST_CELLS: usize = 1000;
/// Width of a drawn map.
const WIDTH: f64 = 560.0;
/// Width of the legend beside it.
const LEGEND: f64 = 200.0;

impl Map<'_> {
    /// The cells as a picture, every cell one pixel.
    pub fn picture(&self) -> Result<Picture, FormatError> {
        let light = self.elevation.and_then(|elevation| {
            elevation.check_aligned(self.grid).ok()?;
            relief::hillshade(elevation, Angle::degrees(315.0), Angle::degrees(45.0)).ok()
        });
        let step = self.step();
        let mut pixels = Vec::new();
        for row in (0..self.grid.rows()).step_by(step) {
            for column in (0..self.grid.columns()).step_by(step) {
                let cell = row * self.grid.columns() + column;
                let light = light.as_ref().map_or(1.0, |light| light.values()[cell]);
                let value = self.grid.values()[cell];
                let colour = match (light.is_nan(), self.scale.colour(value)) {
                    (true, _) => [255, 255, 255],
                    (false, Some(colour)) => colour.map(|part| shaded(part, light)),
                    // Ground without a value is shown by its relief alone.
                    (false, None) => [235; 3].map(|part| shaded(part, light)),
                };
                pixels.push(colour);
            }
        }
        Picture::new(pixels, self.grid.columns().div_ceil(step))
    }

    fn step(&self) -> usize {
        let side = self.grid.columns().max(self.grid.rows());
        side.div_ceil(MOST_CELLS).max(1)
    }

    /// The map with legend, scale bar and north.
    pub fn svg(&self) -> Result<String, FormatError> {
        let picture = self.picture()?.to_png()?;
        let (columns, rows) = (self.grid.columns() as f64, self.grid.rows() as f64);
        let width = WIDTH;
        let height = (WIDTH * rows / columns).clamp(80.0, 900.0);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" \
             aria-label=\"{}\" font-family=\"sans-serif\" font-size=\"13\">",
            width + LEGEND,
            height + 34.0,
            escaped(self.title)
        );
        svg.push_str(&format!(
            "<image x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\" \
             preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" \
             href=\"data:image/png;base64,{}\"/>",
            base64(&picture)
        ));
        svg.push_str(&format!(
            "<rect x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#555\"/>"
        ));
        svg.push_str(&self.legend(width + 14.0));
        svg.push_str(&self.scale_bar(width, height));
        svg.push_str("</svg>");
        Ok(svg)
    }

    fn legend(&self, left: f64) -> String {
        let mut out = String::new();
        let mut top = 16.0;
        for line in wrapped(self.title, 26) {
            out.push_str(&format!(
                "<text x=\"{left}\" y=\"{top}\" font-weight=\"bold\">{}</text>",
                escaped(&line)
            ));
            top += 16.0;
        }
        top += 2.0;
        let mut entry = |colour: [u8; 3], words: &str, top: &mut f64| {
            let [r, g, b] = colour;
            out.push_str(&format!(
                "<rect x=\"{left}\" y=\"{}\" width=\"18\" height=\"14\" fill=\"rgb({r},{g},{b})\" \
                 stroke=\"#555\"/><text x=\"{}\" y=\"{}\">{}</text>",
                *top,
                left + 25.0,
                *top + 12.0,
                escaped(words)
            ));
            *top += 20.0;
        };
        match &self.scale {
            Scale::Classes(classes) => {
                for (class, words) in classes {
                    let colour = self.scale.colour(*class).unwrap_or([255; 3]);
                    entry(colour, words, &mut top);
                }
                entry([235; 3], "outside, or no result", &mut top);
            }
            Scale::Range { lowest, highest } => {
                for part in (0..=4).rev() {
                    let value = lowest + (highest - lowest) * f64::from(part) / 4.0;
                    let colour = self.scale.colour(value).unwrap_or([255; 3]);
                    entry(colour, &short(value), &mut top);
                }
                entry([235; 3], "no result", &mut top);
            }
        }
        out
    }

    fn scale_bar(&self, width: f64, height: f64) -> String {
        let Some((across, _)) = self.grid.transform.cell_size() else {
            return String::new();
        };
        let total = across * self.grid.columns() as f64;
        let (length, words) = match (&self.grid.crs, self.grid.crs.is_geographic()) {
            (Crs::Unknown, _) => return String::new(),
            (_, true) => {
                let length = round_length(total / 4.0);
                (length, format!("{} degrees", short(length)))
            }
            (_, false) => {
                let length = round_length(total / 4.0);
                let words = match length >= 1000.0 {
                    true => format!("{} km", short(length / 1000.0)),
                    false => format!("{} m", short(length)),
                };
                (length, words)
            }
        };
        let pixels = width * length / total;
        let y = height + 12.0;
        let mut out = format!(
            "<path d=\"M1 {y}h{pixels}m0 -5v10m-{pixels} 0v-10\" stroke=\"#222\" fill=\"none\"/>\
             <text x=\"{}\" y=\"{}\">{words}</text>",
            pixels + 8.0,
            y + 5.0
        );
        let [_, b, c, _, e, f] = self.grid.transform.0;
        if (b > 0.0 && f < 0.0 && c == 0.0 && e == 0.0) && self.grid.crs != Crs::LocalMetres {
            out.push_str(&format!(
                "<text x=\"{}\" y=\"{}\">N \u{2191}</text>",
                width - 30.0,
                y + 5.0
            ));
        }
        out
    }
}

fn shaded(part: u8, light: f64) -> u8 {
    (f64::from(part) * (0.3 + 0.7 * light)).clamp(0.0, 255.0) as u8
}

/// 1, 2 or 5 times a power of ten, at most the length.
fn round_length(length: f64) -> f64 {
    if !(length > 0.0 && length.is_finite()) {
        return 1.0;
    }
    let power = 10f64.powf(length.log10().floor());
    let times = [5.0, 2.0, 1.0]
        .into_iter()
        .find(|times| times * power <= length);
    times.unwrap_or(1.0) * power
}

/// A number with about three digits.
pub fn short(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let digits = value.abs().log10().floor() as i32;
    if !(-4..6).contains(&digits) {
        return format!("{value:.2e}");
    }
    let places = (2 - digits).max(0) as usize;
    let text = format!("{value:.places$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A number of a chart, with its interval where it has one.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// What it is, with its unit.
    pub name: String,
    /// The value.
    pub value: f64,
    /// Lower and upper end.
    pub interval: Option<(f64, f64)>,
    /// Ends of its axis; they are the values' own where left out.
    pub axis: Option<(f64, f64)>,
}

/// A chart of numbers, each on an axis of its own.
pub fn bars(title: &str, bars: &[Bar]) -> String {
    let row = 46.0;
    let height = 24.0 + row * bars.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 {height}\" role=\"img\" \
         aria-label=\"{}\" font-family=\"sans-serif\" font-size=\"13\">",
        escaped(title)
    );
    for (at, bar) in bars.iter().enumerate() {
        let y = 30.0 + row * at as f64;
        let (low, high) = bar.interval.unwrap_or((bar.value, bar.value));
        let (from, to) = bar.axis.unwrap_or_else(|| axis(low, high));
        // Values over several powers of ten stand on a logarithmic axis.
        let logarithmic = from > 0.0 && to / from > 30.0;
        let place = |value: f64| {
            let share = match logarithmic {
                true => (value / from).ln() / (to / from).ln(),
                false => (value - from) / (to - from),
            };
            290.0 + 400.0 * share.clamp(0.0, 1.0)
        };
        svg.push_str(&format!(
            "<text x=\"0\" y=\"{}\">{}</text>\
             <path d=\"M290 {y}h400\" stroke=\"#bbb\"/>\
             <text x=\"290\" y=\"{}\" fill=\"#666\" font-size=\"11\" text-anchor=\"middle\">{}</text>\
             <text x=\"690\" y=\"{}\" fill=\"#666\" font-size=\"11\" text-anchor=\"middle\">{}</text>",
            y + 4.0,
            escaped(&bar.name),
            y + 20.0,
            short(from),
            y + 20.0,
            short(to),
        ));
        if bar.interval.is_some() {
            svg.push_str(&format!(
                "<path d=\"M{} {y}H{}\" stroke=\"#2a6f97\" stroke-width=\"8\" opacity=\"0.45\"/>",
                place(low),
                place(high)
            ));
        }
        svg.push_str(&format!(
            "<circle cx=\"{}\" cy=\"{y}\" r=\"6\" fill=\"#12355b\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>",
            place(bar.value),
            place(bar.value).clamp(310.0, 670.0),
            y - 10.0,
            short(bar.value)
        ));
    }
    svg.push_str("</svg>");
    svg
}

/// Round ends around an interval.
fn axis(low: f64, high: f64) -> (f64, f64) {
    if low > 0.0 && high / low > 30.0 {
        return (
            10f64.powf(low.log10().floor()),
            10f64.powf(high.log10().ceil()),
        );
    }
    let from = if low >= 0.0 { 0.0 } else { 1.25 * low };
    let to = if high > 0.0 { 1.25 * high } else { from + 1.0 };
    (from, to)
}

/// Values along time as a line.
pub fn line(title: &str, unit: &str, step_seconds: f64, values: &[f64]) -> String {
    let known = values.iter().copied().filter(|v| v.is_finite());
    let highest = known.clone().fold(0.0_f64, f64::max);
    let lowest = known.fold(0.0_f64, f64::min);
    let height = (highest - lowest).max(f64::MIN_POSITIVE);
    let last = values.len().saturating_sub(1).max(1) as f64;
    let mut path = String::new();
    let mut pen_down = false;
    for (at, value) in values.iter().enumerate() {
        if !value.is_finite() {
            pen_down = false;
            continue;
        }
        let x = 60.0 + 660.0 * at as f64 / last;
        let y = 20.0 + 240.0 * (highest - value) / height;
        path.push_str(&format!(
            "{}{x:.1} {y:.1}",
            if pen_down { "L" } else { "M" }
        ));
        pen_down = true;
    }
    let hours = last * step_seconds / 3600.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 300\" role=\"img\" \
         aria-label=\"{}\" font-family=\"sans-serif\" font-size=\"13\">\
         <path d=\"M60 20V260H720\" stroke=\"#888\" fill=\"none\"/>\
         <path d=\"{path}\" stroke=\"#2a6f97\" stroke-width=\"2\" fill=\"none\"/>\
         <text x=\"54\" y=\"28\" text-anchor=\"end\">{}</text>\
         <text x=\"54\" y=\"264\" text-anchor=\"end\">{}</text>\
         <text x=\"60\" y=\"14\">{}</text>\
         <text x=\"720\" y=\"280\" text-anchor=\"end\">{} h</text></svg>",
        escaped(title),
        short(highest),
        short(lowest),
        escaped(unit),
        short(hours)
    )
}

#[cfg(test)]
mod tests {
    use lahar_core::grid::Affine;

    use super::*;

    #[test]
    fn lengths_and_numbers_are_round() {
        for (length, round) in [(870.0, 500.0), (0.34, 0.2), (1.0, 1.0), (4999.0, 2000.0)] {
            assert!((round_length(length) - round).abs() < 1e-12, "{length}");
        }
        for (value, text) in [
            (0.0, "0"),
            (1234.5, "1234"),
            (0.04567, "0.0457"),
            (12.0, "12"),
            (3.0e7, "3.00e7"),
            (0.5, "0.5"),
        ] {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn a_map_holds_its_picture_and_escapes_its_title() {
        let values = vec![0.0, 1.0, 3.0, f64::NAN];
        let place = Affine::north_up(500_000.0, 4_000_000.0, 30.0, 30.0);
        let grid = Grid::new(values, 2, 2, place, Crs::Epsg(32613)).unwrap();
        let classes = [(1.0, "low"), (2.0, "moderate"), (3.0, "high")];
        let map = Map {
            title: "<script>class</script>",
            grid: &grid,
            elevation: None,
            scale: Scale::Classes(classes.map(|(at, word)| (at, word.to_owned())).to_vec()),
        };
        let svg = map.svg().unwrap();
        assert!(svg.contains("data:image/png;base64,"), "{svg}");
        assert!(!svg.contains("<script"), "{svg}");
        let shown = map.picture().unwrap();
        // No class and no value are drawn alike; the highest class is red.
        let red = Picture::new(vec![[235; 3], [250, 230, 115], [204, 38, 38], [235; 3]], 2);
        assert_eq!(shown, red.unwrap());
    }
}
