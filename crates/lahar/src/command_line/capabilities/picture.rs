//! `lahar capabilities picture`: ground in relief with classes in colour.

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
    #[arg(long, value_name = "FILE")]
    classes: String,
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
        let classes = files::grid(&self.classes)?;
        let basins = self.basins.as_deref().map(files::grid).transpose()?;
        let unlike =
            |error: lahar_core::grid::GridError| Failure::new(Kind::File, error.to_string());
        elevation
            .check_aligned(&classes)
            .map_err(|e| unlike(e).at(&self.classes))?;
        if let (Some(basins), Some(path)) = (&basins, &self.basins) {
            elevation
                .check_aligned(basins)
                .map_err(|e| unlike(e).at(path))?;
        }
        let light = relief::hillshade(&elevation, Angle::degrees(315.0), Angle::degrees(45.0))?;
        let pixels = pixels(&light, &classes, basins.as_ref());
        let times = (WIDTH / elevation.columns().max(1)).clamp(1, 8);
        let picture = Picture::new(pixels, elevation.columns())?.enlarged(times);
        picture.write_to(&self.out)?;
        let path = self.out.display().to_string();
        output.result(&serde_json::json!({ "picture": path }), || {
            format!("{path}\n")
        });
        Ok(Done::Well)
    }
}

fn pixels(light: &Grid, classes: &Grid, basins: Option<&Grid>) -> Vec<[u8; 3]> {
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
            // A class that is not known is drawn as none.
            let class = classes.values()[cell];
            let colour = COLOURS.get(class as usize).copied().unwrap_or(COLOURS[0]);
            let dark = if border(cell) { 0.45 } else { 1.0 };
            colour.map(|part| (255.0 * dark * part * (0.25 + 0.75 * light)) as u8)
        })
        .collect()
}
