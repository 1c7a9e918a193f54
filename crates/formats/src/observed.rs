//! Tables of what was observed: points on the earth, or values along time.
//!
//! A table with a column of longitudes and one of latitudes holds points, such as the fire
//! detections that FIRMS gives out; every other column becomes a property of its point. A table
//! with a column `time` and one other holds values along time, as `lahar` itself writes them.

use std::collections::BTreeMap;

use lahar_core::capability::Value;
use lahar_core::series::{Feature, Property, Series, Shape};
use lahar_core::{Quantity, Timestamp};

use crate::error::FormatError;
use crate::table::{Column, Table};

const FORMAT: &str = "table of observations";
const LONGITUDE: [&str; 3] = ["longitude", "lon", "long"];
const LATITUDE: [&str; 2] = ["latitude", "lat"];
const TIME: &str = "time";
/// Share of a step by which a time may be off, for clocks that were rounded.
const ROUNDED: f64 = 1e-6;

fn wrong(place: impl Into<String>, why: impl Into<String>) -> FormatError {
    FormatError::Malformed {
        format: FORMAT,
        place: place.into(),
        why: why.into(),
    }
}

fn find<'a>(table: &'a Table, names: &[&str]) -> Option<&'a Column> {
    table.columns.iter().find(|column| {
        let header = column.header.trim();
        names.iter().any(|name| name.eq_ignore_ascii_case(header))
            || names
                .iter()
                .any(|name| name.eq_ignore_ascii_case(&column.name))
    })
}

/// The value that a table holds: shapes, or a series.
///
/// ```
/// use lahar_core::capability::Value;
/// let table = lahar_formats::table::read(
///     "latitude,longitude,acq_date,frp\n40.6,-122.4,2020-09-08,12.5\n",
/// ).unwrap();
/// let Value::Features(points) = lahar_formats::observed::value(&table).unwrap() else { panic!() };
/// assert_eq!(points[0].shape, Some(lahar_core::series::Shape::Point([-122.4, 40.6])));
/// ```
pub fn value(table: &Table) -> Result<Value, FormatError> {
    match (find(table, &LONGITUDE), find(table, &LATITUDE)) {
        (Some(longitude), Some(latitude)) => {
            points(table, longitude, latitude).map(Value::Features)
        }
        (Some(_), None) | (None, Some(_)) => Err(wrong(
            "header",
            "of longitude and latitude only one has a column; points need both",
        )),
        (None, None) => match find(table, &[TIME]) {
            Some(time) => along_time(table, time).map(Value::Series),
            None => {
                let headers: Vec<&str> = table.columns.iter().map(|c| c.header.as_str()).collect();
                let mut why = format!(
                    "it has neither `longitude` and `latitude` nor `time`; its columns are: {}",
                    headers.join(", ")
                );
                if let [only] = headers.as_slice()
                    && let Some(mark) = [';', '\t'].into_iter().find(|mark| only.contains(*mark))
                {
                    why.push_str(&format!("; are they parted by {mark:?} instead of commas?"));
                }
                Err(wrong("header", why))
            }
        },
    }
}

fn points(
    table: &Table,
    longitude: &Column,
    latitude: &Column,
) -> Result<Vec<Feature>, FormatError> {
    let (x, y) = (longitude.numbers()?, latitude.numbers()?);
    let others: Vec<&Column> = table
        .columns
        .iter()
        .filter(|column| column.header != longitude.header && column.header != latitude.header)
        .collect();
    let mut names: Vec<&str> = others.iter().map(|column| column.header.as_str()).collect();
    names.sort_unstable();
    if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(wrong(
            "header",
            format!("two columns are called `{}`", twice[0]),
        ));
    }
    (0..table.rows())
        .map(|row| {
            let place = || format!("row {}", row + 1);
            let (x, y) = (x[row], y[row]);
            if x.is_nan() || y.is_nan() {
                return Err(wrong(place(), "its place is missing"));
            }
            if !((-180.0..=180.0).contains(&x) && (-90.0..=90.0).contains(&y)) {
                return Err(wrong(
                    place(),
                    format!(
                        "longitude {x} and latitude {y} are no place: they go from -180 to 180 and \
                         from -90 to 90 degrees; are they exchanged?"
                    ),
                ));
            }
            let property = |column: &&Column| {
                let cell = column.cells[row].trim();
                let value = match cell.parse::<f64>() {
                    _ if cell.is_empty() => Property::Missing,
                    Ok(number) if number.is_finite() => Property::Number(number),
                    _ => Property::Text(cell.to_owned()),
                };
                (column.header.trim().to_owned(), value)
            };
            Ok(Feature {
                shape: Some(Shape::Point([x, y])),
                properties: others.iter().map(property).collect::<BTreeMap<_, _>>(),
            })
        })
        .collect()
}

fn along_time(table: &Table, time: &Column) -> Result<Series, FormatError> {
    let values = match table.columns.as_slice() {
        [a, b] => match a.header == time.header {
            true => b,
            false => a,
        },
        others => {
            return Err(wrong(
                "header",
                format!(
                    "values along time need `time` and one other column, and there are {} in all",
                    others.len()
                ),
            ));
        }
    };
    let unit = values.unit.clone().ok_or_else(|| {
        wrong(
            format!("column `{}`", values.header),
            format!("its header gives no unit; write `{} (mm/h)`", values.header),
        )
    })?;
    let (times, step_unit, start) = times(time)?;
    let step = match times.as_slice() {
        [first, second, ..] => second - first,
        _ => return Err(wrong("rows", "a step needs two rows at least")),
    };
    if !(step > 0.0 && step.is_finite()) {
        return Err(wrong(
            "row 2",
            format!(
                "its time is {} and the one before {}; times must go on",
                times[1], times[0]
            ),
        ));
    }
    for (at, pair) in times.windows(2).enumerate() {
        let after = pair[1] - pair[0];
        if (after - step).abs() > ROUNDED * step {
            return Err(wrong(
                format!("row {}", at + 2),
                format!(
                    "it stands {after} {step_unit} after the row before, the second stands {step} \
                     {step_unit} after the first: there is a gap, or a time is wrong; fill it, or \
                     cut the table there"
                ),
            ));
        }
    }
    let numbers = values.numbers()?;
    if let Some(row) = numbers.iter().position(|value| !value.is_finite()) {
        return Err(wrong(
            format!("row {}", row + 1),
            format!(
                "`{}` is missing: a gap; fill it, or cut the table there",
                values.header
            ),
        ));
    }
    Ok(Series {
        values: numbers,
        unit,
        step: Quantity::of(step, step_unit).map_err(|error| wrong("time", error.to_string()))?,
        start,
    })
}

/// Times as numbers in a unit, and the first of them where they are dates.
fn times(time: &Column) -> Result<(Vec<f64>, &str, Option<Timestamp>), FormatError> {
    if let Some(unit) = &time.unit {
        return Ok((time.numbers()?, unit.symbol(), None));
    }
    let stamp = |(row, cell): (usize, &String)| {
        cell.trim().parse::<Timestamp>().map_err(|error| {
            wrong(
                format!("column `{}`, row {}", time.header, row + 1),
                format!(
                    "{error}; write times as 2018-01-09T11:30:00Z, or numbers under `time (min)`"
                ),
            )
        })
    };
    let stamps: Vec<Timestamp> = time
        .cells
        .iter()
        .enumerate()
        .map(stamp)
        .collect::<Result<_, _>>()?;
    let seconds = stamps.iter().map(|stamp| stamp.unix() as f64).collect();
    Ok((seconds, "s", stamps.first().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Value, FormatError> {
        value(&crate::table::read(text).unwrap())
    }

    fn points_of(text: &str) -> Vec<Feature> {
        match read(text).unwrap() {
            Value::Features(points) => points,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn detections_keep_every_column_as_they_came() {
        // As downloads are: a byte-order mark, Windows line ends, quotes, empty cells, other order.
        let text = "\u{feff}acq_date,LATITUDE,\"longitude\",frp,confidence\r\n\
                    2020-09-08,40.5,-122.25,,n\r\n2020-09-09,40.5,-122.24,7.5,\"h\"\r\n";
        let points = points_of(text);
        assert_eq!(points.len(), 2);
        assert_eq!(points[1].shape, Some(Shape::Point([-122.24, 40.5])));
        assert_eq!(points[0].properties["frp"], Property::Missing);
        assert_eq!(points[1].properties["frp"], Property::Number(7.5));
        let text = |text: &str| Property::Text(text.to_owned());
        assert_eq!(points[1].properties["confidence"], text("h"));
        assert_eq!(points[1].properties["acq_date"], text("2020-09-09"));
        assert!(points_of("lat,lon\n").is_empty());
    }

    #[test]
    fn tables_that_are_no_observations_say_why() {
        for (text, part) in [
            (
                "latitude,longitude\n-122.2,40.5\n",
                "row 1: longitude 40.5 and latitude -122.2",
            ),
            ("latitude,longitude\n40.5,\n", "row 1: its place is missing"),
            ("latitude,longitude\n40.5,west\n", "row 1: `west`"),
            ("latitude,frp\n40.5,1\n", "only one has a column"),
            (
                "latitude;longitude;frp\n1;2;3\n",
                "parted by ';' instead of commas",
            ),
            ("lat,lon,frp,frp\n1,2,3,4\n", "two columns are called `frp`"),
            ("a,b\n1,2\n", "its columns are: a, b"),
            ("time (h),rain\n0,1\n1,2\n", "gives no unit"),
            ("time (h),rain (mm),x\n0,1,2\n", "there are 3"),
            ("time (h),rain (mm)\n0,1\n", "two rows"),
            ("time (h),rain (mm)\n1,1\n0,1\n", "times must go on"),
            (
                "time (h),rain (mm)\n0,1\n1,1\n3,1\n",
                "row 3: it stands 2 h",
            ),
            (
                "time (h),rain (mm)\n0,1\n1,\n2,1\n",
                "row 2: `rain (mm)` is missing",
            ),
            (
                "time,rain (mm)\n2018-01-09,1\nyesterday,1\n",
                "column `time`, row",
            ),
        ] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(part), "{text:?}: {message}");
        }
    }

    #[test]
    fn values_along_time_know_their_step_and_their_start() {
        let series = |text: &str| match read(text).unwrap() {
            Value::Series(series) => series,
            other => panic!("{other:?}"),
        };
        let rain = series("time (min),rain (mm/h)\n0,10\n30,60\n60,40\n");
        assert_eq!(rain.values, [10.0, 60.0, 40.0]);
        assert_eq!(rain.step.to("h").unwrap().value(), 0.5);
        assert_eq!((rain.unit.symbol(), rain.start), ("mm/h", None));
        let dated = series("rain (mm),time\n1,2018-01-09T11:00:00Z\n2,2018-01-09T12:00:00Z\n");
        assert_eq!(dated.step.to("h").unwrap().value(), 1.0);
        assert_eq!(dated.start, "2018-01-09T11:00:00Z".parse().ok());
    }
}
