//! CSV with units in its headers.
//!
//! A header may carry its unit in brackets, `relief (m)` or `relief [m]`, or behind the last
//! underscore, `relief_m`, where what stands there is a unit. Quotes, quoted line breaks and a
//! byte-order mark are understood (RFC 4180).

use lahar_core::{Quantity, QuantityError, Unit};

use crate::error::{FormatError, VALUE_LIMIT};

const FORMAT: &str = "CSV table";

/// One column: its name, the unit its header gives, its cells as text.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The header as written.
    pub header: String,
    /// The name without the unit.
    pub name: String,
    /// The unit.
    pub unit: Option<Unit>,
    /// The cells.
    pub cells: Vec<String>,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// Columns in the order of the file.
    pub columns: Vec<Column>,
}

impl Column {
    /// The cells as numbers; an empty cell, `NA` and `nan` are `NaN`.
    pub fn numbers(&self) -> Result<Vec<f64>, FormatError> {
        let number = |(row, cell): (usize, &String)| match cell.trim() {
            "" | "NA" | "na" | "null" => Ok(f64::NAN),
            text => text.parse().map_err(|_| FormatError::Malformed {
                format: FORMAT,
                place: format!("column `{}`, row {}", self.header, row + 1),
                why: format!("`{text}` is no number"),
            }),
        };
        self.cells.iter().enumerate().map(number).collect()
    }

    /// The cells as numbers in a unit; a header without a unit is refused.
    pub fn numbers_in(&self, unit: &str) -> Result<Vec<f64>, FormatError> {
        let wrong = |why: String| FormatError::Malformed {
            format: FORMAT,
            place: format!("column `{}`", self.header),
            why,
        };
        let own = self.unit.clone().ok_or_else(|| {
            wrong(format!(
                "its header gives no unit; write `{} ({unit})`",
                self.header
            ))
        })?;
        let convert = |value: f64| {
            Quantity::new(value, own.clone())
                .to(unit)
                .map(|quantity| quantity.value())
        };
        let convert = |value| convert(value).map_err(|e: QuantityError| wrong(e.to_string()));
        self.numbers()?.into_iter().map(convert).collect()
    }
}

impl Table {
    /// The column of a name, with or without its unit.
    pub fn column(&self, name: &str) -> Result<&Column, FormatError> {
        let exact = self.columns.iter().find(|column| column.header == name);
        exact
            .or_else(|| self.columns.iter().find(|column| column.name == name))
            .ok_or_else(|| {
                let headers: Vec<&str> = self.columns.iter().map(|c| c.header.as_str()).collect();
                FormatError::Malformed {
                    format: FORMAT,
                    place: "header".to_owned(),
                    why: format!(
                        "no column is called `{name}`; there are {}",
                        headers.join(", ")
                    ),
                }
            })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.cells.len())
    }
}

/// Parts a header into name and unit.
fn name_and_unit(header: &str) -> (String, Option<Unit>) {
    let header = header.trim();
    for (open, close) in [('(', ')'), ('[', ']')] {
        if let Some((name, unit)) = header.strip_suffix(close).and_then(|h| h.rsplit_once(open))
            && let Ok(unit) = unit.parse()
        {
            return (name.trim().to_owned(), Some(unit));
        }
    }
    if let Some((name, unit)) = header.rsplit_once('_')
        && !name.is_empty()
        && let Ok(unit) = unit.parse()
    {
        return (name.to_owned(), Some(unit));
    }
    (header.to_owned(), None)
}

/// Reads a table whose first row is its header.
///
/// ```
/// let table = lahar_formats::table::read("basin,i15_mm/h,relief (ft)\nA,24,1000\n").unwrap();
/// let relief = table.column("relief").unwrap().numbers_in("m").unwrap();
/// assert!((relief[0] - 304.8).abs() < 1e-9);
/// ```
pub fn read(text: &str) -> Result<Table, FormatError> {
    let wrong = |row: usize, why: String| FormatError::Malformed {
        format: FORMAT,
        place: format!("row {row}"),
        why,
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rows = records(text)
        .map_err(|row| wrong(row, "a quote is never closed".into()))?
        .into_iter();
    let header = rows
        .next()
        .ok_or_else(|| wrong(0, "the file is empty".into()))?;
    let mut columns: Vec<Column> = header
        .into_iter()
        .map(|header| {
            let (name, unit) = name_and_unit(&header);
            Column {
                header,
                name,
                unit,
                cells: Vec::new(),
            }
        })
        .collect();
    let mut count = 0;
    for (at, row) in rows.enumerate() {
        if row.len() != columns.len() {
            return Err(wrong(
                at + 1,
                format!(
                    "it has {} cells, but the header has {}",
                    row.len(),
                    columns.len()
                ),
            ));
        }
        count += row.len() as u64;
        if count > VALUE_LIMIT {
            return Err(FormatError::TooLarge {
                format: FORMAT,
                claimed: count,
                limit: VALUE_LIMIT,
            });
        }
        for (column, cell) in columns.iter_mut().zip(row) {
            column.cells.push(cell);
        }
    }
    Ok(Table { columns })
}

/// Reads a file.
pub fn read_from(path: &std::path::Path) -> Result<Table, FormatError> {
    let bytes = crate::error::read_file(path)?;
    let text = String::from_utf8(bytes).map_err(|error| FormatError::Malformed {
        format: FORMAT,
        place: format!("byte {}", error.utf8_error().valid_up_to()),
        why: "the text is not UTF-8".to_owned(),
    })?;
    read(&text)
}

/// Splits a text into rows of cells; an error is the row whose quote never ends.
fn records(text: &str) -> Result<Vec<Vec<String>>, usize> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut cell = String::new();
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, quoted) {
            ('"', true) if chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            ('"', true) => quoted = false,
            ('"', false) if cell.is_empty() => quoted = true,
            (',', false) => row.push(std::mem::take(&mut cell)),
            ('\r', false) if chars.peek() == Some(&'\n') => {}
            ('\n', false) => {
                row.push(std::mem::take(&mut cell));
                // A blank line is no row.
                if row.len() > 1 || !row[0].is_empty() {
                    rows.push(std::mem::take(&mut row));
                }
                row.clear();
            }
            (c, _) => cell.push(c),
        }
    }
    if quoted {
        return Err(rows.len());
    }
    if !cell.is_empty() || !row.is_empty() {
        row.push(cell);
        rows.push(row);
    }
    Ok(rows)
}

/// Writes a table; cells are quoted where they must be.
///
/// Spreadsheet programs run a cell that begins with `=`, `+`, `-` or `@` as a formula. Such a cell
/// gets an apostrophe in front, which they show as text, unless it is a number.
///
/// ```
/// let table = lahar_formats::table::read("a,b\n=1+1,-2\n").unwrap();
/// assert_eq!(lahar_formats::table::write(&table), "a,b\n'=1+1,-2\n");
/// ```
pub fn write(table: &Table) -> String {
    let quoted = |cell: &str| {
        let is_formula =
            cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err();
        let guard = if is_formula { "'" } else { "" };
        match cell.contains([',', '"', '\n', '\r']) {
            true => format!("\"{guard}{}\"", cell.replace('"', "\"\"")),
            false => format!("{guard}{cell}"),
        }
    };
    let line =
        |cells: Vec<&str>| cells.into_iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
    let mut text = line(
        table
            .columns
            .iter()
            .map(|column| column.header.as_str())
            .collect(),
    );
    for row in 0..table.rows() {
        text += &line(
            table
                .columns
                .iter()
                .map(|column| column.cells[row].as_str())
                .collect(),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn units_are_found_in_headers_and_nowhere_else() {
        let unit = |header: &str| name_and_unit(header).1.map(|unit| unit.symbol().to_owned());
        assert_eq!(unit("AverageIntensity_mm/h").as_deref(), Some("mm/h"));
        assert_eq!(unit("Area_km2").as_deref(), Some("km2"));
        assert_eq!(unit("TimeSinceFire_yr").as_deref(), Some("yr"));
        assert_eq!(unit("water temperature [degC]").as_deref(), Some("degC"));
        assert_eq!(unit("MeandNBR"), None);
        assert_eq!(unit("fire_name"), None);
        assert_eq!(unit("volume (measured)"), None);
    }

    #[test]
    fn a_wrong_or_missing_unit_is_named() {
        let table = read("rain_mm,relief\n3,4\n").unwrap();
        let message = |name: &str, unit: &str| {
            table
                .column(name)
                .unwrap()
                .numbers_in(unit)
                .unwrap_err()
                .to_string()
        };
        assert!(message("rain", "mm/h").contains("intensity is not an accumulation"));
        assert!(message("relief", "m").contains("write `relief (m)`"));
        assert!(
            table
                .column("slope")
                .unwrap_err()
                .to_string()
                .contains("rain_mm, relief")
        );
    }

    #[test]
    fn broken_tables_are_refused_with_the_row() {
        for (text, part) in [
            ("", "empty"),
            ("a,b\n1\n", "row 1"),
            ("a,b\n1,\"2\n", "quote"),
        ] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(part), "{text:?}: {message}");
        }
        let table = read("a,b\n1,x\n").unwrap();
        assert!(table.column("b").unwrap().numbers().is_err());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(cells in prop::collection::vec("[a-z\",\n é]{0,8}", 2..20)) {
            let half = cells.len() / 2;
            let column = |name: &str, cells: &[String]| Column {
                header: name.to_owned(), name: name.to_owned(), unit: None, cells: cells.to_vec(),
            };
            let table = Table { columns: vec![
                column("first", &cells[..half]), column("second", &cells[half..2 * half]),
            ]};
            prop_assert_eq!(read(&write(&table)).unwrap(), table);
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in ".{0,80}") {
            let _ = read(&text);
        }
    }
}
