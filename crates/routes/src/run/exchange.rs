//! Values of ports as a folder of files, whole or not at all.
//!
//! Numbers are kept bit by bit: scalars as decimal text that reads back as the same number, cells
//! and series as little-endian doubles in files of their own. `values.json`, written last, names
//! every file with its hash, so that a folder that was cut short is never taken for a whole one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lahar_core::capability::{Layer, Value};
use lahar_core::grid::{Affine, Crs, Grid, PixelConvention};
use lahar_core::series::{Feature, Series};
use lahar_core::{ContentHash, Quantity, Timestamp, Unit};
use serde::{Deserialize, Serialize};

use super::staging::write_whole;

/// The file that names all others; a folder without it holds nothing.
pub const INDEX: &str = "values.json";

/// Why values could not be handed over.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
    /// A file is not what its index says.
    #[error("{}: {why}; the folder was cut short or changed, run it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}

/// One value as the index tells it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Entry {
    Quantity {
        number: String,
        unit: Unit,
    },
    Label {
        word: String,
    },
    Series {
        unit: Unit,
        step: String,
        step_unit: Unit,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start: Option<Timestamp>,
        file: Stored,
    },
    Grid {
        unit: Unit,
        rows: usize,
        columns: usize,
        transform: [String; 6],
        crs: Crs,
        pixel: PixelConvention,
        file: Stored,
    },
    Features {
        file: Stored,
    },
    Trees {
        file: Stored,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Stored {
    name: String,
    sha256: ContentHash,
}

/// Writes values into a folder that exists, the index last.
pub fn write(folder: &Path, values: &BTreeMap<String, Value>) -> Result<(), ExchangeError> {
    let mut index = BTreeMap::new();
    for (at, (port, value)) in values.iter().enumerate() {
        let store = |bytes: &[u8], extension: &str| {
            let name = format!("{at}.{extension}");
            put(&folder.join(&name), bytes).map(|()| Stored {
                name,
                sha256: ContentHash::of(bytes),
            })
        };
        let entry = match value {
            Value::Quantity(quantity) => Entry::Quantity {
                number: text(quantity.value()),
                unit: quantity.unit().clone(),
            },
            Value::Label(word) => Entry::Label { word: word.clone() },
            Value::Series(series) => Entry::Series {
                unit: series.unit.clone(),
                step: text(series.step.value()),
                step_unit: series.step.unit().clone(),
                start: series.start,
                file: store(&doubles(&series.values), "f64")?,
            },
            Value::Layer(layer) => Entry::Grid {
                unit: layer.unit.clone(),
                rows: layer.grid.rows(),
                columns: layer.grid.columns(),
                transform: layer.grid.transform.0.map(text),
                crs: layer.grid.crs.clone(),
                pixel: layer.grid.pixel,
                file: store(&doubles(layer.grid.values()), "f64")?,
            },
            Value::Features(features) => Entry::Features {
                file: store(
                    lahar_formats::geojson::write(features).as_bytes(),
                    "geojson",
                )?,
            },
            Value::Trees(model) => Entry::Trees {
                file: store(model.written(), "json")?,
            },
            other => {
                return Err(ExchangeError::Damaged {
                    path: folder.join(INDEX),
                    why: format!("`{port}` is of a kind that files do not hold: {other:?}"),
                });
            }
        };
        index.insert(port, entry);
    }
    let index = serde_json::to_vec_pretty(&index).map_err(|error| ExchangeError::Damaged {
        path: folder.join(INDEX),
        why: error.to_string(),
    })?;
    put(&folder.join(INDEX), &index)
}

/// Reads the values of a folder, each file held to its hash.
pub fn read(folder: &Path) -> Result<BTreeMap<String, Value>, ExchangeError> {
    let path = folder.join(INDEX);
    let bytes = get(&path)?;
    let index: BTreeMap<String, Entry> =
        serde_json::from_slice(&bytes).map_err(|error| ExchangeError::Damaged {
            path: path.clone(),
            why: error.to_string(),
        })?;
    let read = |(port, entry): (String, Entry)| Ok((port, value(folder, entry)?));
    index.into_iter().map(read).collect()
}

fn value(folder: &Path, entry: Entry) -> Result<Value, ExchangeError> {
    let broken = |why: String| ExchangeError::Damaged {
        path: folder.join(INDEX),
        why,
    };
    let number = |text: &str| {
        text.parse::<f64>()
            .map_err(|_| broken(format!("`{text}` is no number")))
    };
    let load = |stored: &Stored| -> Result<Vec<u8>, ExchangeError> {
        // An index never leads out of its folder.
        let plain = Path::new(&stored.name)
            .file_name()
            .is_some_and(|n| n == stored.name.as_str());
        if !plain {
            return Err(broken(format!(
                "`{}` is no name of a file here",
                stored.name
            )));
        }
        let path = folder.join(&stored.name);
        let bytes = get(&path)?;
        match ContentHash::of(&bytes) == stored.sha256 {
            true => Ok(bytes),
            false => Err(ExchangeError::Damaged {
                path,
                why: "its content is not the one that was stored".to_owned(),
            }),
        }
    };
    Ok(match entry {
        Entry::Quantity { number: text, unit } => {
            Value::Quantity(Quantity::new(number(&text)?, unit))
        }
        Entry::Label { word } => Value::Label(word),
        Entry::Series {
            unit,
            step,
            step_unit,
            start,
            file,
        } => Value::Series(Series {
            values: numbers(&load(&file)?),
            unit,
            step: Quantity::new(number(&step)?, step_unit),
            start,
        }),
        Entry::Grid {
            unit,
            rows,
            columns,
            transform,
            crs,
            pixel,
            file,
        } => {
            let mut affine = [0.0; 6];
            for (part, text) in affine.iter_mut().zip(&transform) {
                *part = number(text)?;
            }
            let values = numbers(&load(&file)?);
            let mut grid = Grid::new(values, rows, columns, Affine(affine), crs)
                .map_err(|error| broken(error.to_string()))?;
            grid.pixel = pixel;
            Value::Layer(Layer { grid, unit })
        }
        Entry::Features { file } => {
            let bytes = load(&file)?;
            let text = String::from_utf8(bytes).map_err(|error| broken(error.to_string()))?;
            let features: Vec<Feature> =
                lahar_formats::geojson::read(&text).map_err(|error| broken(error.to_string()))?;
            Value::Features(features)
        }
        Entry::Trees { file } => {
            let model = lahar_formats::trees::read(&load(&file)?);
            Value::Trees(model.map_err(|error| broken(error.to_string()))?)
        }
    })
}

/// The shortest decimal text that reads back as the same number.
fn text(number: f64) -> String {
    number.to_string()
}

fn doubles(values: &[f64]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

fn numbers(bytes: &[u8]) -> Vec<f64> {
    let eight = |chunk: &[u8]| chunk.try_into().map_or(f64::NAN, f64::from_le_bytes);
    bytes.chunks(8).map(eight).collect()
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), ExchangeError> {
    write_whole(path, bytes).map_err(|error| ExchangeError::File {
        path: path.to_owned(),
        error,
    })
}

fn get(path: &Path) -> Result<Vec<u8>, ExchangeError> {
    std::fs::read(path).map_err(|error| ExchangeError::File {
        path: path.to_owned(),
        error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> BTreeMap<String, Value> {
        let mut grid = Grid::new(
            vec![1.0, f64::NAN, 0.1 + 0.2, -7.5e-300, 5.0, 6.0],
            2,
            3,
            Affine::north_up(0.1, 0.7, 1.0 / 3.0, 1.0 / 3.0),
            Crs::Epsg(32613),
        )
        .unwrap();
        grid.pixel = PixelConvention::Point;
        let series = Series {
            values: vec![1.0 / 3.0, f64::NAN],
            unit: "mm/h".parse().unwrap(),
            step: Quantity::of(1.0 / 7.0, "h").unwrap(),
            start: Some("2018-01-09T11:30:00Z".parse().unwrap()),
        };
        let text = r#"{"type": "Feature", "properties": {"name": "outlet", "depth": 0.1},
            "geometry": {"type": "Point", "coordinates": [-119.64, 34.44]}}"#;
        let values = [
            (
                "rain",
                Value::Quantity(Quantity::of(0.1 + 0.2, "mm/h").unwrap()),
            ),
            ("region", Value::Label("western_united_states".to_owned())),
            ("storm", Value::Series(series)),
            (
                "elevation",
                Value::Layer(Layer {
                    grid,
                    unit: "ft".parse().unwrap(),
                }),
            ),
            (
                "burn",
                Value::Features(lahar_formats::geojson::read(text).unwrap()),
            ),
        ];
        values.map(|(name, value)| (name.to_owned(), value)).into()
    }

    /// `NaN` is not equal to itself, so values are compared as they are printed.
    fn shown(values: &BTreeMap<String, Value>) -> String {
        format!("{values:?}")
    }

    #[test]
    fn values_come_back_bit_by_bit() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &sample()).unwrap();
        assert_eq!(shown(&read(folder.path()).unwrap()), shown(&sample()));
    }

    #[test]
    fn a_folder_that_was_cut_short_is_no_folder() {
        for lost in ["values.json", "1.f64", "0.geojson"] {
            let folder = tempfile::tempdir().unwrap();
            write(folder.path(), &sample()).unwrap();
            let path = folder.path().join(lost);
            let bytes = std::fs::read(&path).unwrap();
            std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
            let error = read(folder.path()).unwrap_err().to_string();
            assert!(error.contains(lost), "{error}");
            std::fs::remove_file(&path).unwrap();
            assert!(read(folder.path()).is_err(), "{lost}");
        }
    }

    #[test]
    fn an_index_does_not_lead_out_of_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &sample()).unwrap();
        let path = folder.path().join(INDEX);
        let index = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, index.replace("0.geojson", "../../etc/passwd")).unwrap();
        let error = read(folder.path()).unwrap_err().to_string();
        assert!(error.contains("no name of a file"), "{error}");
    }
}
