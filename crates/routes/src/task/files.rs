//! Values of observations from files: grids, shapes, tables along time.

use std::path::{Path, PathBuf};

use lahar_core::capability::Value;
use lahar_core::{Crs, Unit};
use lahar_formats::value::{self, Kind, Stated};
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

/// The representation that a file holds.
pub fn representation(path: &Path) -> Option<Representation> {
    value::kind_of(path).map(|kind| match kind {
        Kind::Grid => Representation::Grid,
        Kind::Shapes => Representation::Shapes,
        Kind::Series => Representation::Series,
        Kind::Trees => Representation::Trees,
    })
}

impl FileValue {
    /// Reads the file.
    pub fn read(&self) -> Result<Value, RoutesError> {
        let failed = |why: String| RoutesError::File {
            path: self.path.clone(),
            why,
            next: "mend the file, or leave the observation out".to_owned(),
        };
        let unit = match &self.unit {
            Some(unit) => unit.clone(),
            None => "1"
                .parse()
                .map_err(|e: lahar_core::QuantityError| failed(e.to_string()))?,
        };
        let stated = Stated {
            crs: match self.epsg {
                None => Crs::Unknown,
                Some(0) => Crs::LocalMetres,
                Some(code) => Crs::Epsg(code),
            },
            unit,
            part: None,
        };
        value::read_from(&self.path, &stated).map_err(|error| failed(error.to_string()))
    }
}
