//! Values of ports from the command line, from JSON and from files, and grids back into files.

use std::collections::BTreeMap;
use std::path::Path;

use lahar_core::capability::{Layer, PortKind, Value};
use lahar_core::grid::Tile;
use lahar_core::series::{Feature, Series};
use lahar_core::{Crs, Grid, Quantity, QuantityError, Unit};
use lahar_formats::error::FormatError;
use lahar_formats::geotiff::{self, SampleType, WriteOptions};
use lahar_formats::table::{self, Column, Table};
use lahar_formats::value::{self, Stated};
use lahar_formats::{ascii_grid, geojson};
use lahar_hazards::registry::Report;

use crate::failure::{Failure, Kind};

impl From<FormatError> for Failure {
    fn from(error: FormatError) -> Failure {
        Failure::new(Kind::File, error.to_string())
    }
}

/// Both sides of `NAME=VALUE`.
pub(super) fn pair<'a>(text: &'a str, what: &str) -> Result<(&'a str, &'a str), Failure> {
    text.split_once('=')
        .filter(|(name, value)| !name.is_empty() && !value.is_empty())
        .ok_or_else(|| Failure::new(Kind::Usage, format!("`{text}` is no {what}")))
}

/// A value as it is written on the command line, for a port of a kind; a file begins with `@`.
pub(super) fn written(kind: Option<PortKind>, text: &str) -> Result<Value, Failure> {
    if let Some(file) = text.strip_prefix('@') {
        return from_file(file);
    }
    match kind {
        Some(PortKind::Number { .. }) => {
            let quantity: Quantity = text
                .parse()
                .map_err(|error: QuantityError| Failure::new(Kind::Usage, error.to_string()))?;
            Ok(Value::Quantity(quantity))
        }
        Some(PortKind::Series { .. }) => Ok(Value::Series(series(text)?)),
        Some(_) => Ok(Value::Label(text.to_owned())),
        // Something about the case: a number where it is one, and words elsewhere.
        None => Ok(text
            .parse()
            .map_or_else(|_| Value::Label(text.to_owned()), Value::Quantity)),
    }
}

/// Values along time as they are written: `10,60,40 mm/h every 30 min`.
fn series(text: &str) -> Result<Series, Failure> {
    let wrong = |why: String| {
        Failure::new(Kind::Usage, format!("`{text}` is no series: {why}"))
            .hint("write values, their unit and their step: `10,60,40 mm/h every 30 min`")
    };
    let (values, step) = text
        .split_once(" every ")
        .ok_or_else(|| wrong("it does not say `every` what time a value follows".to_owned()))?;
    let (values, unit) = values
        .trim()
        .rsplit_once(' ')
        .ok_or_else(|| wrong("its values have no unit".to_owned()))?;
    let number = |word: &str| -> Result<f64, Failure> {
        let word = word.trim();
        word.parse()
            .map_err(|_| wrong(format!("`{word}` is no number")))
    };
    Ok(Series {
        values: values.split(',').map(number).collect::<Result<_, _>>()?,
        unit: unit
            .parse()
            .map_err(|e: QuantityError| wrong(e.to_string()))?,
        step: step
            .parse()
            .map_err(|e: QuantityError| wrong(e.to_string()))?,
        start: None,
    })
}

/// Values by port from JSON; an object with a `file` is read from there.
pub(super) fn from_json(text: &str) -> Result<BTreeMap<String, Value>, Failure> {
    let wrong = |error: serde_json::Error| {
        Failure::new(
            Kind::Usage,
            format!("the input is no JSON of values by port: {error}"),
        )
    };
    let given: BTreeMap<String, serde_json::Value> = serde_json::from_str(text).map_err(wrong)?;
    given
        .into_iter()
        .map(|(port, value)| {
            let part = |name: &str| value.get(name).and_then(serde_json::Value::as_str);
            let value = match part("file") {
                Some(path) => {
                    let cells = value.get("cells").map(cells).transpose()?;
                    read(Path::new(path), part("unit"), part("system"), cells)?
                }
                None => serde_json::from_value(value.clone()).map_err(wrong)?,
            };
            Ok((port, value))
        })
        .collect()
}

/// A part of a grid: first row, first column, how many rows, how many columns.
fn cells(value: &serde_json::Value) -> Result<Tile, Failure> {
    let numbers = serde_json::from_value::<[usize; 4]>(value.clone());
    let [row, column, rows, columns] = numbers.map_err(|_| {
        Failure::new(Kind::Usage, format!("`{value}` is no part of a grid")).hint(
            "write the first row, the first column, how many rows and how many columns: [0, 0, 500, 500]",
        )
    })?;
    Ok(Tile {
        row,
        column,
        rows,
        columns,
    })
}

/// The coordinate system as it is written: `EPSG:4326`, or `local`.
fn system(text: &str) -> Result<Crs, Failure> {
    let code = text.to_ascii_uppercase();
    match code
        .strip_prefix("EPSG:")
        .and_then(|code| code.parse().ok())
    {
        Some(code) => Ok(Crs::Epsg(code)),
        None if code == "LOCAL" => Ok(Crs::LocalMetres),
        None => {
            let message = format!("`{text}` is no coordinate system");
            Err(Failure::new(Kind::Usage, message).hint("write `EPSG:4326`, or `local` for metres"))
        }
    }
}

fn read(
    path: &Path,
    unit: Option<&str>,
    crs: Option<&str>,
    cells: Option<Tile>,
) -> Result<Value, Failure> {
    let unit: Unit = unit
        .unwrap_or("1")
        .parse()
        .map_err(|error: QuantityError| {
            Failure::new(Kind::Usage, error.to_string()).at(path.display())
        })?;
    let stated = Stated {
        crs: crs.map(system).transpose()?.unwrap_or(Crs::Unknown),
        unit,
        part: cells,
    };
    value::read_from(path, &stated).map_err(at(path))
}

fn at(path: &Path) -> impl Fn(FormatError) -> Failure + '_ {
    move |error| Failure::from(error).at(path.display())
}

/// A value from a file, given as `dem.asc,m,EPSG:4326`: name, unit, coordinate system.
fn from_file(text: &str) -> Result<Value, Failure> {
    let mut parts = text.split(',');
    let path = Path::new(parts.next().unwrap_or_default());
    read(path, parts.next(), parts.next(), None)
}

/// A grid from a file.
pub(super) fn grid(text: &str) -> Result<Grid, Failure> {
    match from_file(text)? {
        Value::Layer(layer) => Ok(layer.grid),
        _ => Err(Failure::new(Kind::File, "it is no grid").at(text)),
    }
}

/// Writes a grid, a series or shapes of a report.
pub(super) fn save(report: &Report, port: &str, path: &Path) -> Result<(), Failure> {
    match report.outputs.get(port) {
        Some(Value::Layer(layer)) => save_grid(layer, path),
        Some(Value::Series(series)) => save_series(port, series, path),
        Some(Value::Features(features)) => save_shapes(features, path),
        _ => {
            let message = format!(
                "`{port}` is no grid, no series and no shapes here, and only those are written to files"
            );
            Err(Failure::new(Kind::Usage, message))
        }
    }
}

/// Writes values along time as a table with their time since the start.
fn save_series(port: &str, series: &Series, path: &Path) -> Result<(), Failure> {
    if path.extension().and_then(|e| e.to_str()) != Some("csv") {
        return Err(Failure::new(Kind::Usage, "a series is written as .csv").at(path.display()));
    }
    let column = |name: &str, unit: &Unit, cells: Vec<f64>| Column {
        header: format!("{name} ({})", unit.symbol()),
        name: name.to_owned(),
        unit: Some(unit.clone()),
        cells: cells.iter().map(f64::to_string).collect(),
    };
    let steps = 0..series.values.len();
    let times = steps.map(|at| at as f64 * series.step.value());
    let table = Table {
        columns: vec![
            column("time", series.step.unit(), times.collect()),
            column(port, &series.unit, series.values.clone()),
        ],
    };
    std::fs::write(path, table::write(&table))
        .map_err(|error| Failure::new(Kind::File, error.to_string()).at(path.display()))
}

/// Writes shapes in the coordinates of the grids they came from.
fn save_shapes(features: &[Feature], path: &Path) -> Result<(), Failure> {
    let extension = path.extension().and_then(|e| e.to_str());
    if !matches!(extension, Some("geojson" | "json")) {
        return Err(Failure::new(Kind::Usage, "shapes are written as .geojson").at(path.display()));
    }
    std::fs::write(path, geojson::write(features))
        .map_err(|error| Failure::new(Kind::File, error.to_string()).at(path.display()))
}

/// Writes a grid. Classes and counts up to 254 are stored as bytes, everything else in
/// single precision.
fn save_grid(layer: &Layer, path: &Path) -> Result<(), Failure> {
    let extension = path
        .extension()
        .and_then(|e| e.to_str())
        .unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "tif" | "tiff" => {
            let byte = |v: &f64| v.is_nan() || v.fract() == 0.0 && (0.0..255.0).contains(v);
            let bytes = layer.grid.values().iter().all(byte);
            let options = WriteOptions {
                samples: if bytes {
                    SampleType::U8
                } else {
                    SampleType::F32
                },
                no_data: bytes.then_some(255.0),
                // `hazard.cog.tif`: tiles, overviews and their order for reading over a network.
                cloud_optimised: path
                    .file_stem()
                    .is_some_and(|stem| Path::new(stem).extension().is_some_and(|e| e == "cog")),
                ..WriteOptions::default()
            };
            geotiff::write_to(&layer.grid, &options, path).map_err(at(path))
        }
        "asc" => ascii_grid::write_to(&layer.grid, path).map_err(at(path)),
        other => {
            let message = format!("grids are not written as `.{other}`");
            Err(Failure::new(Kind::Usage, message)
                .at(path.display())
                .hint("write .tif or .asc"))
        }
    }
}
