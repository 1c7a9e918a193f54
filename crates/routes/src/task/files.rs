//! Values of observations from files: grids, shapes, tables along time.

use std::path::{Path, PathBuf};

use lahar_core::capability::{Layer, Value};
use lahar_core::{Crs, Unit};
use lahar_formats::{ascii_grid, geojson, geotiff, shapefile};
use serde::Serialize;

use crate::error::RoutesError;
use crate::port::Representation;

/// A file with what it does not say itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FileValue {
    /// The file.
    pub path: PathBuf,
    /// Unit of its values.
    pub unit: Option<Unit>,
    /// EPSG code of its coordinate system, where the file does not say it; 0 for metres from a
    /// corner.
    pub epsg: Option<u32>,
}

/// The representation that a file's name promises.
pub fn representation(path: &Path) -> Option<Representation> {
    match extension(path).as_str() {
        "tif" | "tiff" | "asc" => Some(Representation::Grid),
        "geojson" | "json" | "shp" => Some(Representation::Shapes),
        _ => None,
    }
}

fn extension(path: &Path) -> String {
    let extension = path.extension().and_then(|e| e.to_str());
    extension.unwrap_or_default().to_ascii_lowercase()
}

impl FileValue {
    /// Reads the file.
    pub fn read(&self) -> Result<Value, RoutesError> {
        let path = &self.path;
        let failed = |why: String| RoutesError::File {
            path: path.clone(),
            why,
            next: "mend the file, or leave the observation out".to_owned(),
        };
        let format = |error: lahar_formats::error::FormatError| failed(error.to_string());
        let crs = match self.epsg {
            None => Crs::Unknown,
            Some(0) => Crs::LocalMetres,
            Some(code) => Crs::Epsg(code),
        };
        let mut grid = match extension(path).as_str() {
            "tif" | "tiff" => {
                let mut bands = geotiff::read_from(path).map_err(format)?.bands;
                if bands.len() != 1 {
                    return Err(failed(format!(
                        "it has {} bands, and one is needed",
                        bands.len()
                    )));
                }
                bands.swap_remove(0)
            }
            "asc" => ascii_grid::read_file_as(path, crs.clone()).map_err(format)?,
            "geojson" | "json" => {
                let text = std::fs::read_to_string(path).map_err(|e| failed(e.to_string()))?;
                return geojson::read(&text).map_err(format).map(Value::Features);
            }
            "shp" => {
                return shapefile::read_from(path)
                    .map_err(format)
                    .map(Value::Features);
            }
            other => {
                return Err(failed(format!(
                    "files of the kind `.{other}` are not read here (.tif, .asc, .geojson, .shp are)"
                )));
            }
        };
        if matches!(grid.crs, Crs::Unknown) {
            grid.crs = crs;
        }
        let unit = match &self.unit {
            Some(unit) => unit.clone(),
            None => "1"
                .parse()
                .map_err(|e: lahar_core::QuantityError| failed(e.to_string()))?,
        };
        Ok(Value::Layer(Layer { grid, unit }))
    }
}
