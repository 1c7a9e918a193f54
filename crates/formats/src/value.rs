//! A file of any kind that is read here, as the value that it holds.

use std::path::Path;

use lahar_core::capability::{Layer, Value};
use lahar_core::grid::Tile;
use lahar_core::{Crs, Unit};

use crate::error::{FormatError, read_file};
use crate::{ascii_grid, geojson, geotiff, observed, shapefile, table, trees};

/// What a file does not say itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Stated {
    /// Coordinate system of a grid, where the file gives none.
    pub crs: Crs,
    /// Unit of the cells of a grid.
    pub unit: Unit,
    /// The part of a grid that is wanted; all of it where none is given.
    pub part: Option<Tile>,
}

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A grid.
    Grid,
    /// Shapes with properties.
    Shapes,
    /// Values along time.
    Series,
    /// A trained sum of trees.
    Trees,
}

fn extension(path: &Path) -> String {
    let extension = path.extension().and_then(|e| e.to_str());
    extension.unwrap_or_default().to_ascii_lowercase()
}

/// What a file holds, from its name, and from its content where the name leaves it open; none where
/// no such file is read here.
pub fn kind_of(path: &Path) -> Option<Kind> {
    match extension(path).as_str() {
        "tif" | "tiff" | "asc" => Some(Kind::Grid),
        "geojson" | "shp" => Some(Kind::Shapes),
        "json" => match read_file(path).is_ok_and(|bytes| trees::recognises(&bytes)) {
            true => Some(Kind::Trees),
            false => Some(Kind::Shapes),
        },
        "csv" => match read_table(path) {
            Ok(Value::Series(_)) => Some(Kind::Series),
            _ => Some(Kind::Shapes),
        },
        _ => None,
    }
}

fn read_table(path: &Path) -> Result<Value, FormatError> {
    observed::value(&table::read_from(path)?)
}

/// Reads a file: a grid of one band, shapes, points or values along time of a table, or trees.
pub fn read_from(path: &Path, stated: &Stated) -> Result<Value, FormatError> {
    let mut grid = match extension(path).as_str() {
        "tif" | "tiff" => {
            let mut bands = match stated.part {
                None => geotiff::read_from(path)?,
                Some(part) => geotiff::read_part_from(path, part)?,
            }
            .bands;
            if bands.len() != 1 {
                return Err(FormatError::Malformed {
                    format: "grid",
                    place: "bands".to_owned(),
                    why: format!("there are {}, and one is needed", bands.len()),
                });
            }
            bands.swap_remove(0)
        }
        "asc" => {
            let whole = ascii_grid::read_file_as(path, stated.crs.clone())?;
            match stated.part {
                None => whole,
                Some(part) => whole.part(part)?,
            }
        }
        "geojson" => return shapes(&read_file(path)?),
        "json" => {
            let bytes = read_file(path)?;
            return match trees::recognises(&bytes) {
                true => trees::read(&bytes).map(Value::Trees),
                false => shapes(&bytes),
            };
        }
        "shp" => return shapefile::read_from(path).map(Value::Features),
        "csv" => return read_table(path),
        other => {
            return Err(FormatError::Malformed {
                format: "file of values",
                place: "name".to_owned(),
                why: format!(
                    "files of the kind `.{other}` are not read here; give .tif, .asc, .geojson, \
                     .shp, .csv or the .json of trained trees"
                ),
            });
        }
    };
    // What the file itself says is only replaced where it says nothing.
    if matches!(grid.crs, Crs::Unknown) {
        grid.crs = stated.crs.clone();
    }
    Ok(Value::Layer(Layer {
        grid,
        unit: stated.unit.clone(),
    }))
}

fn shapes(bytes: &[u8]) -> Result<Value, FormatError> {
    let text = std::str::from_utf8(bytes).map_err(|error| FormatError::Malformed {
        format: "GeoJSON",
        place: format!("byte {}", error.valid_up_to()),
        why: "the text is not UTF-8".to_owned(),
    })?;
    geojson::read(text).map(Value::Features)
}
