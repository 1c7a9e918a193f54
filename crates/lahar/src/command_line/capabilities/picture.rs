//! `lahar capabilities picture`: ground in relief with classes or values in colour.

use std::path::PathBuf;

use clap::Args;
use lahar_core::Grid;
use lahar_core::measure::Angle;
use lahar_formats::picture::Picture;
use lahar_hazards::terrain::relief;

use super::files;
use crate::command_line::Done;
use crate::failure::{Failure, Kind};
use crate::output::Output;

/// Colours of the classes 0 to 3: none, low, moderate, high.
const COLOURS: [[f64; 3]; 4] = [
    [1.0, 1.0, 1.0],
    [0.98, 0.90, 0.45],
    [0.96, 0.60, 0.25],
    [0.80, 0.15, 0.15],
];
/// From no value to the highest: the ground's own white to dark blue.
const DEEP: [[f64; 3]; 2] = [[0.75, 0.90, 1.0], [0.03, 0.19, 0.42]];
/// Differences below zero, and above it.
const LESS_AND_MORE: [[f64; 3]; 2] = [[0.13, 0.40, 0.67], [0.70, 0.09, 0.17]];
/// Share of the full colour below which a value is left white.
const FAINT: f64 = 0.004;
/// Pixels across that a picture should have at least.
const WIDTH: usize = 900;

/// What is drawn.
#[derive(Debug, Args)]
pub(super) struct Drawing {
    /// Elevation model in metres; a file that does not say its coordinate system is given as
    /// `dem.asc,m,local`.
    #[arg(long, value_name = "FILE")]
    elevation: String,
    /// Classes of its cells: 0 none, 1 low, 2 moderate, 3 high.
    #[arg(long, value_name = "FILE", required_unless_present = "values")]
    classes: Option<String>,
    /// Values of its cells, from nothing (white) to the highest (dark blue).
    #[arg(long, value_name = "FILE", conflicts_with = "classes")]
    values: Option<String>,
    /// Values that are taken from those: less is blue, more is red.
    #[arg(long, value_name = "FILE", requires = "values")]
    minus: Option<String>,
    /// Numbers of basins; lines are drawn between them.
    #[arg(long, value_name = "FILE")]
    basins: Option<String>,
    /// The picture, a PNG file.
    #[arg(value_name = "PNG")]
    out: PathBuf,
}

impl Drawing {
    pub(super) fn draw(self, output: Output) -> Result<Done, Failure> {
        let elevation = files::grid(&self.elevation)?;
        let aligned = |path: &String| -> Result<Grid, Failure> {
            let grid = files::grid(path)?;
            let checked = elevation.check_aligned(&grid);
            checked.map_err(|e| Failure::new(Kind::File, e.to_string()).at(path))?;
            Ok(grid)
        };
        let classes = self.classes.as_ref().map(&aligned).transpose()?;
        let values = self.values.as_ref().map(&aligned).transpose()?;
        let minus = self.minus.as_ref().map(&aligned).transpose()?;
        let basins = self.basins.as_ref().map(&aligned).transpose()?;
        let (colours, scale) = match (classes, values) {
            (Some(classes), _) => (of_classes(&classes), None),
            (None, Some(values)) => of_values(&values, minus.as_ref()),
            (None, None) => unreachable!("one of both is required"),
        };
        let light = relief::hillshade(&elevation, Angle::degrees(315.0), Angle::degrees(45.0))?;
        let pixels = pixels(&light, &colours, basins.as_ref());
        let times = (WIDTH / elevation.columns().max(1)).clamp(1, 8);
        let picture = Picture::new(pixels, elevation.columns())?.enlarged(times);
        picture.write_to(&self.out)?;
        let path = self.out.display().to_string();
        output.result(
            &serde_json::json!({ "picture": path, "full_colour_at": scale }),
            || match scale {
                Some(scale) => format!("{path}: full colour at {scale:.3}\n"),
                None => format!("{path}\n"),
            },
        );
        Ok(Done::Well)
    }
}

/// A class that is not known is drawn as none.
fn of_classes(classes: &Grid) -> Vec<[f64; 3]> {
    let colour = |class: &f64| COLOURS.get(*class as usize).copied().unwrap_or(COLOURS[0]);
    classes.values().iter().map(colour).collect()
}

/// Colours of values, or of their differences from others, and the value that gets the full colour:
/// the highest but one in five hundred. Where one of both has no data it counts as zero.
fn of_values(values: &Grid, minus: Option<&Grid>) -> (Vec<[f64; 3]>, Option<f64>) {
    let known = |value: f64| if value.is_nan() { 0.0 } else { value };
    let shown: Vec<f64> = match minus {
        Some(minus) => {
            let pairs = values.values().iter().zip(minus.values());
            pairs.map(|(a, b)| known(*a) - known(*b)).collect()
        }
        None => values.values().iter().map(|value| known(*value)).collect(),
    };
    let mut sizes: Vec<f64> = shown.iter().map(|v| v.abs()).filter(|v| *v > 0.0).collect();
    sizes.sort_by(f64::total_cmp);
    let full = sizes.get(sizes.len().saturating_sub(1 + sizes.len() / 500));
    let full = full.copied().unwrap_or(1.0);
    let between = |from: [f64; 3], to: [f64; 3], share: f64| {
        std::array::from_fn(|part| from[part] + share * (to[part] - from[part]))
    };
    let colour = |value: &f64| {
        let share = (value.abs() / full).min(1.0);
        match minus {
            _ if share < FAINT => COLOURS[0],
            Some(_) => between(
                COLOURS[0],
                LESS_AND_MORE[usize::from(*value > 0.0)],
                share.sqrt(),
            ),
            None => between(DEEP[0], DEEP[1], share),
        }
    };
    (shown.iter().map(colour).collect(), Some(full))
}

fn pixels(light: &Grid, colours: &[[f64; 3]], basins: Option<&Grid>) -> Vec<[u8; 3]> {
    let columns = light.columns();
    let border = |cell: usize| {
        let Some(basins) = basins.map(Grid::values) else {
            return false;
        };
        let other = |beside: usize| basins.get(beside).is_some_and(|b| *b != basins[cell]);
        basins[cell] > 0.0 && (other(cell + 1) || other(cell + columns))
    };
    (0..light.values().len())
        .map(|cell| {
            let light = light.values()[cell];
            if light.is_nan() {
                return [255, 255, 255];
            }
            let dark = if border(cell) { 0.45 } else { 1.0 };
            colours[cell].map(|part| (255.0 * dark * part * (0.25 + 0.75 * light)) as u8)
        })
        .collect()
}
