//! ESRI ASCII grids.
//!
//! The header names columns, rows, the lower left corner (or the middle of the lower left cell),
//! the cell size and the value that means no data, in any order and spelling of letters. `dx` and
//! `dy` may stand for the cell size; where no value means no data, -9999 does. The format has no place for a coordinate system.

use std::fmt::Write;
use std::path::Path;

use lahar_core::{Affine, Crs, Grid};

use crate::error::{FormatError, VALUE_LIMIT, check_size, read_file, write_file};

const FORMAT: &str = "ESRI ASCII grid";
/// What stands for no data where a file does not say, and in files that are written.
pub const NO_DATA: f64 = -9999.0;

/// Reads a file; its coordinate system is what the caller knows of it.
pub fn read_file_as(path: &Path, crs: Crs) -> Result<Grid, FormatError> {
    read(&String::from_utf8_lossy(&read_file(path)?), crs)
}

/// Reads a text.
///
/// ```
/// use lahar_core::Crs;
/// let text = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n\
///             1 2\n-9999 4\n";
/// let grid = lahar_formats::ascii_grid::read(text, Crs::LocalMetres).unwrap();
/// assert_eq!(grid.get(0, 1), Some(2.0));
/// assert!(grid.get(1, 0).unwrap().is_nan());
/// // The first row is the northern one.
/// assert_eq!(grid.centre(0, 0), (5.0, 15.0));
/// ```
pub fn read(text: &str, crs: Crs) -> Result<Grid, FormatError> {
    let wrong = |place: String, why: &str| FormatError::Malformed {
        format: FORMAT,
        place,
        why: why.to_owned(),
    };
    let mut header = Header::default();
    let mut words = text.split_ascii_whitespace().peekable();
    while let Some(word) = words.peek() {
        if !word.starts_with(|c: char| c.is_ascii_alphabetic()) || is_number(word) {
            break;
        }
        let name = word.to_ascii_lowercase();
        words.next();
        let value = words
            .next()
            .ok_or_else(|| wrong(format!("`{name}`"), "it has no value"))?;
        let value =
            number(value).ok_or_else(|| wrong(format!("`{name}`"), "its value is no number"))?;
        header
            .set(&name, value)
            .map_err(|why| wrong(format!("`{name}`"), why))?;
    }
    let (rows, columns, transform) = header
        .finish()
        .map_err(|(name, why)| wrong(format!("`{name}`"), why))?;
    let count = check_size(FORMAT, rows, columns, VALUE_LIMIT)?;
    // A text of n bytes holds at most n/2 numbers, whatever its header says.
    if count > text.len() {
        return Err(wrong(
            "values".into(),
            "the header claims more values than the file can hold",
        ));
    }
    // The format's own default, where the header names none; real files rely on it.
    let no_data = header.no_data.unwrap_or(NO_DATA);
    let mut values = Vec::with_capacity(count);
    for word in words {
        let place = || {
            format!(
                "value {} (row {})",
                values.len() + 1,
                values.len() as u64 / columns + 1
            )
        };
        let value =
            number(word).ok_or_else(|| wrong(place(), &format!("`{word}` is no number")))?;
        if values.len() == count {
            return Err(wrong(
                place(),
                "there are more values than rows times columns",
            ));
        }
        values.push(if value == no_data { f64::NAN } else { value });
    }
    if values.len() < count {
        let why = format!(
            "{count} values are needed, but the file ends after {}",
            values.len()
        );
        return Err(wrong("values".into(), &why));
    }
    Ok(Grid::new(
        values,
        rows as usize,
        columns as usize,
        transform,
        crs,
    )?)
}

fn is_number(word: &str) -> bool {
    // `nan` and `inf` begin with letters and are numbers all the same.
    matches!(
        word.to_ascii_lowercase().as_str(),
        "nan" | "inf" | "infinity"
    )
}

fn number(word: &str) -> Option<f64> {
    word.parse().ok()
}

#[derive(Default)]
struct Header {
    columns: Option<f64>,
    rows: Option<f64>,
    west: Option<(f64, bool)>,
    south: Option<(f64, bool)>,
    width: Option<f64>,
    height: Option<f64>,
    no_data: Option<f64>,
}

impl Header {
    fn set(&mut self, name: &str, value: f64) -> Result<(), &'static str> {
        match name {
            "ncols" => self.columns = Some(value),
            "nrows" => self.rows = Some(value),
            "xllcorner" => self.west = Some((value, false)),
            "yllcorner" => self.south = Some((value, false)),
            "xllcenter" => self.west = Some((value, true)),
            "yllcenter" => self.south = Some((value, true)),
            "cellsize" => (self.width, self.height) = (Some(value), Some(value)),
            "dx" => self.width = Some(value),
            "dy" => self.height = Some(value),
            "nodata_value" | "nodata" => self.no_data = Some(value),
            _ => return Err("no such line belongs into the header"),
        }
        Ok(())
    }

    fn finish(&self) -> Result<(u64, u64, Affine), (&'static str, &'static str)> {
        let size = |value: Option<f64>, name| match value {
            Some(n) if n >= 1.0 && n.fract() == 0.0 && n < 1e15 => Ok(n as u64),
            Some(_) => Err((name, "it must be a whole number from 1 on")),
            None => Err((name, "it is missing from the header")),
        };
        let length = |value: Option<f64>, name| match value {
            Some(n) if n > 0.0 && n.is_finite() => Ok(n),
            Some(_) => Err((name, "it must be more than 0")),
            None => Err((name, "it is missing from the header")),
        };
        let (rows, columns) = (size(self.rows, "nrows")?, size(self.columns, "ncols")?);
        let (width, height) = (
            length(self.width, "cellsize")?,
            length(self.height, "cellsize")?,
        );
        let edge = |value: Option<(f64, bool)>, size: f64, name| match value {
            Some((middle, true)) => Ok(middle - size / 2.0),
            Some((corner, false)) => Ok(corner),
            None => Err((name, "it is missing from the header")),
        };
        let west = edge(self.west, width, "xllcorner")?;
        let south = edge(self.south, height, "yllcorner")?;
        Ok((
            rows,
            columns,
            Affine::north_up(west, south + height * rows as f64, width, height),
        ))
    }
}

/// Writes a grid whose cells run along the axes, first row in the north.
pub fn write(grid: &Grid) -> Result<String, FormatError> {
    let refuse = |why: &str| FormatError::Unwritable {
        format: FORMAT,
        why: why.to_owned(),
    };
    let (width, height) = grid
        .transform
        .cell_size()
        .ok_or_else(|| refuse("the grid is turned; resample it along the axes first"))?;
    if grid.transform.0[5] > 0.0 || grid.transform.0[1] < 0.0 {
        return Err(refuse("the first row must be the northern one"));
    }
    if grid.values().contains(&NO_DATA) {
        return Err(refuse(
            "a cell has the value -9999, which would be read as no data",
        ));
    }
    let (x, y) = grid.centre(grid.rows().max(1) - 1, 0);
    let mut text = format!(
        "ncols {}\nnrows {}\nxllcorner {}\nyllcorner {}\n",
        grid.columns(),
        grid.rows(),
        x - width / 2.0,
        y - height / 2.0
    );
    let written = match width == height {
        true => writeln!(text, "cellsize {width}"),
        false => writeln!(text, "dx {width}\ndy {height}"),
    };
    written.map_err(|_| refuse("out of memory"))?;
    text.push_str("NODATA_value -9999\n");
    for row in grid.values().chunks(grid.columns().max(1)) {
        let words: Vec<String> = row
            .iter()
            .map(|v| {
                if v.is_nan() {
                    "-9999".to_owned()
                } else {
                    v.to_string()
                }
            })
            .collect();
        text.push_str(&words.join(" "));
        text.push('\n');
    }
    Ok(text)
}

/// Writes a file.
pub fn write_to(grid: &Grid, path: &Path) -> Result<(), FormatError> {
    write_file(path, write(grid)?.as_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_spelling_of_the_header_is_read() {
        let corner = "NCOLS 2\nNROWS 1\nXLLCORNER 0\nYLLCORNER 0\nCELLSIZE 10\n1 2";
        let middle = "nrows 1 cellsize 10.0 xllcenter 5 ncols 2 yllcenter 5\n1\n2\n";
        let uneven = "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ndx 10\ndy 10\nnodata 7\n1 2";
        let grids = [corner, middle, uneven].map(|text| read(text, Crs::Unknown).unwrap());
        assert_eq!(grids[0], grids[1]);
        assert_eq!(grids[0], grids[2]);
    }

    #[test]
    fn a_file_that_names_no_value_for_no_data_means_the_formats_own() {
        let text = "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n-9999 2";
        assert_eq!(read(text, Crs::Unknown).unwrap().range(), Some((2.0, 2.0)));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (text, part) in [
            (
                "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\n1 2",
                "cellsize",
            ),
            (
                "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1",
                "ends after 1",
            ),
            (
                "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3",
                "more values",
            ),
            (
                "ncols 2\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 x",
                "value 2 (row 1)",
            ),
            (
                "ncols 2.5\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2",
                "whole number",
            ),
            (
                "ncols 99999999\nnrows 99999999\nxllcorner 0\nyllcorner 0\ncellsize 1\n1",
                "claimed",
            ),
            (
                "ncols 9999\nnrows 9999\nxllcorner 0\nyllcorner 0\ncellsize 1\n1",
                "more values than",
            ),
            ("height 3\n", "no such line"),
            ("", "nrows"),
        ] {
            let message = read(text, Crs::Unknown).unwrap_err().to_string();
            assert!(message.contains(part), "{text:?}: {message}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(
            values in prop::collection::vec(prop::option::of(-1e6..1e6f64), 12),
            west in -1e6..1e6f64, size in 0.01..100.0f64,
        ) {
            let values: Vec<f64> = values.into_iter().map(|v| v.unwrap_or(f64::NAN)).collect();
            let transform = Affine::north_up(west, 50.0, size, size);
            let grid = Grid::new(values, 3, 4, transform, Crs::LocalMetres).unwrap();
            let back = read(&write(&grid).unwrap(), Crs::LocalMetres).unwrap();
            prop_assert!(back.check_aligned(&grid).is_ok());
            for (a, b) in back.values().iter().zip(grid.values()) {
                prop_assert!(a == b || (a.is_nan() && b.is_nan()));
            }
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "(ncols|nrows|cellsize|[ 0-9.e-]|nan|\n){0,60}") {
            let _ = read(&text, Crs::Unknown);
        }
    }
}
