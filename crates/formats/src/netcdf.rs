//! NetCDF, classic and 4, with the conventions of CF: packed values, fill values, units, calendars.

use std::fmt;

use lahar_core::{Affine, Crs, Grid, Timestamp, Unit};
use netcdf_reader::{NcFile, NcOpenOptions, NcVariable};

use crate::error::{FormatError, VALUE_LIMIT};

const FORMAT: &str = "NetCDF";

fn malformed(place: impl Into<String>, why: impl ToString) -> FormatError {
    FormatError::Malformed {
        format: FORMAT,
        place: place.into(),
        why: why.to_string(),
    }
}

/// An open file.
pub struct File(NcFile);

/// A variable that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Names and lengths of its dimensions, the slowest first.
    pub dimensions: Vec<(String, usize)>,
    /// Its values, unpacked, in the order of the dimensions; `NaN` where the file has a fill value.
    pub values: Vec<f64>,
    /// Its unit as the file writes it.
    pub unit_text: Option<String>,
    /// Its unit, where it is one that Lahar knows.
    pub unit: Option<Unit>,
}

impl File {
    /// Opens bytes.
    pub fn open(bytes: &[u8]) -> Result<File, FormatError> {
        let options = NcOpenOptions {
            max_read_bytes: (VALUE_LIMIT * 8) as usize,
            ..NcOpenOptions::default()
        };
        // Shorter files have no room for the mark that tells the kinds apart.
        if bytes.len() < 8 {
            return Err(malformed("header", "the file is too short"));
        }
        NcFile::from_bytes_with_options(bytes, options)
            .map(File)
            .map_err(|error| malformed("header", error))
    }

    /// Opens a file.
    pub fn open_path(path: &std::path::Path) -> Result<File, FormatError> {
        File::open(&crate::error::read_file(path)?)
    }

    /// The names of the variables.
    pub fn names(&self) -> Result<Vec<String>, FormatError> {
        let variables = self
            .0
            .variables()
            .map_err(|error| malformed("variables", error))?;
        Ok(variables
            .iter()
            .map(|variable| variable.name().to_owned())
            .collect())
    }

    fn find(&self, name: &str) -> Result<&NcVariable, FormatError> {
        self.0.variable(name).map_err(|_| {
            let names = self.names().unwrap_or_default().join(", ");
            malformed(
                format!("variable `{name}`"),
                format!("it is not there; there are {names}"),
            )
        })
    }

    fn text(&self, variable: &str, attribute: &str) -> Result<Option<String>, FormatError> {
        let attribute = self.find(variable)?.attribute(attribute);
        Ok(attribute.and_then(|found| found.value.as_string()))
    }

    /// Reads a variable: unpacked by its scale and offset, fill values made `NaN`.
    pub fn read(&self, name: &str) -> Result<Variable, FormatError> {
        let variable = self.find(name)?;
        let place = || format!("variable `{name}`");
        let claimed = variable
            .shape()
            .iter()
            .fold(1u64, |n, length| n.saturating_mul(*length));
        if claimed > VALUE_LIMIT {
            return Err(FormatError::TooLarge {
                format: FORMAT,
                claimed,
                limit: VALUE_LIMIT,
            });
        }
        let values = self
            .0
            .read_variable_unpacked_masked(name)
            .map_err(|error| malformed(place(), error))?;
        let values: Vec<f64> = values.iter().copied().collect();
        if values.len() as u64 != claimed {
            return Err(malformed(
                place(),
                "it has fewer values than its dimensions say",
            ));
        }
        let dimensions = variable.dimensions().iter();
        let unit_text = self.text(name, "units")?;
        Ok(Variable {
            name: name.to_owned(),
            dimensions: dimensions
                .map(|d| (d.name.clone(), d.size as usize))
                .collect(),
            values,
            unit: unit_text.as_deref().and_then(|text| text.parse().ok()),
            unit_text,
        })
    }

    /// Reads a variable of times: dates of the file's own calendar.
    pub fn read_times(&self, name: &str) -> Result<Vec<CalendarTime>, FormatError> {
        let variable = self.read(name)?;
        let place = format!("variable `{name}`");
        let units = variable
            .unit_text
            .ok_or_else(|| malformed(&place, "it has no units"))?;
        let calendar = self
            .text(name, "calendar")?
            .unwrap_or_else(|| "standard".to_owned());
        let clock = Clock::new(&units, &calendar).map_err(|why| malformed(&place, why))?;
        variable
            .values
            .iter()
            .map(|value| clock.at(*value).map_err(|why| malformed(&place, why)))
            .collect()
    }

    /// Reads one layer of a variable whose last two dimensions have evenly spaced coordinates;
    /// `indices` picks a place along the dimensions before them.
    ///
    /// Longitudes and latitudes give a grid on WGS 84; other coordinates one of unknown system.
    pub fn read_grid(&self, name: &str, indices: &[usize]) -> Result<Grid, FormatError> {
        let variable = self.read(name)?;
        let place = format!("variable `{name}`");
        let before = variable.dimensions.len().checked_sub(2);
        let before = before.ok_or_else(|| malformed(&place, "it has fewer than two dimensions"))?;
        if indices.len() != before {
            return Err(malformed(
                &place,
                format!("{before} places along its first dimensions are needed"),
            ));
        }
        let (rows, columns) = (
            variable.dimensions[before].1,
            variable.dimensions[before + 1].1,
        );
        let mut layer = 0;
        for (index, (dimension, length)) in indices.iter().zip(&variable.dimensions) {
            if index >= length {
                return Err(malformed(
                    &place,
                    format!("`{dimension}` has {length} places, not {}", index + 1),
                ));
            }
            layer = layer * length + index;
        }
        let axis = |at: usize| self.even_axis(&variable.dimensions[at].0);
        let ((first_y, step_y, y_unit), (first_x, step_x, x_unit)) =
            (axis(before)?, axis(before + 1)?);
        let mut values = variable.values[layer * rows * columns..][..rows * columns].to_vec();
        // The first row of a grid is the northern one.
        let (top, height) = match step_y > 0.0 {
            true => {
                values = values
                    .chunks(columns.max(1))
                    .rev()
                    .flatten()
                    .copied()
                    .collect();
                (first_y + step_y * (rows as f64 - 0.5), step_y)
            }
            false => (first_y - step_y / 2.0, -step_y),
        };
        if step_x < 0.0 {
            return Err(malformed(&place, "its columns run from east to west"));
        }
        let geographic = y_unit.starts_with("degree") && x_unit.starts_with("degree");
        let crs = if geographic { Crs::WGS84 } else { Crs::Unknown };
        let transform = Affine::north_up(first_x - step_x / 2.0, top, step_x, height);
        Ok(Grid::new(values, rows, columns, transform, crs)?)
    }

    /// First value, step and unit of an evenly spaced coordinate.
    fn even_axis(&self, name: &str) -> Result<(f64, f64, String), FormatError> {
        let axis = self.read(name)?;
        let place = format!("coordinate `{name}`");
        let [first, .., last] = axis.values[..] else {
            return Err(malformed(place, "a grid needs two places or more along it"));
        };
        let step = (last - first) / (axis.values.len() - 1) as f64;
        let even = axis
            .values
            .iter()
            .enumerate()
            .all(|(at, value)| (value - (first + step * at as f64)).abs() <= 1e-3 * step.abs());
        if !even || step == 0.0 || !step.is_finite() {
            return Err(malformed(
                place,
                "its places are not evenly spaced; resample the file first",
            ));
        }
        Ok((first, step, axis.unit_text.unwrap_or_default()))
    }
}

/// Calendars of climate models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Calendar {
    /// The one in use.
    Gregorian,
    /// Every year has 365 days.
    NoLeap,
    /// Every year has 366 days.
    AllLeap,
    /// Every month has 30 days.
    Days360,
}

impl Calendar {
    fn of(name: &str) -> Option<Calendar> {
        Some(match name.to_ascii_lowercase().as_str() {
            "standard" | "gregorian" | "proleptic_gregorian" => Calendar::Gregorian,
            "noleap" | "365_day" => Calendar::NoLeap,
            "all_leap" | "366_day" => Calendar::AllLeap,
            "360_day" => Calendar::Days360,
            _ => return None,
        })
    }

    fn month_days(self, leap: bool) -> [i64; 12] {
        let february = if leap { 29 } else { 28 };
        match self {
            Calendar::Days360 => [30; 12],
            _ => [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31],
        }
    }

    /// Days from the start of year 0 of a calendar of equal years.
    fn year_days(self) -> i64 {
        match self {
            Calendar::Days360 => 360,
            Calendar::AllLeap => 366,
            _ => 365,
        }
    }
}

/// A date and time of a calendar that need not exist in ours, such as 30 February.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CalendarTime {
    /// Year.
    pub year: i64,
    /// Month, 1 to 12.
    pub month: u8,
    /// Day of the month, from 1.
    pub day: u8,
    /// Second of the day.
    pub second: u32,
    calendar_exists: bool,
}

impl CalendarTime {
    /// The moment it is; `None` for calendars of models, whose days are no days of ours.
    pub fn timestamp(&self) -> Option<Timestamp> {
        self.calendar_exists
            .then(|| self.to_string().parse().ok())
            .flatten()
    }
}

impl fmt::Display for CalendarTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CalendarTime {
            year,
            month,
            day,
            second,
            ..
        } = self;
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
        )
    }
}

/// How numbers of a file become times: `hours since 1970-01-01 00:00` of a calendar.
struct Clock {
    calendar: Calendar,
    seconds_a_unit: f64,
    /// Seconds of the reference, from 1970 in our calendar, from year 0 in others.
    reference: i64,
}

impl Clock {
    fn new(units: &str, calendar: &str) -> Result<Clock, String> {
        let calendar = Calendar::of(calendar)
            .ok_or_else(|| format!("the calendar `{calendar}` is not known"))?;
        let bad = || format!("`{units}` is not of the form `hours since 1970-01-01 00:00:00`");
        let (unit, since) = units.split_once(" since ").ok_or_else(bad)?;
        let seconds_a_unit = match unit.trim().to_ascii_lowercase().as_str() {
            "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
            "min" | "mins" | "minute" | "minutes" => 60.0,
            "h" | "hr" | "hrs" | "hour" | "hours" => 3600.0,
            "d" | "day" | "days" => 86_400.0,
            other => {
                return Err(format!(
                    "times counted in `{other}` are not read: their length varies or is not known"
                ));
            }
        };
        let since = since
            .trim()
            .trim_end_matches("UTC")
            .trim_end_matches('Z')
            .trim();
        let (date, time) = since.split_once([' ', 'T']).unwrap_or((since, "0:0:0"));
        let numbers = |text: &str, split: char| -> Option<Vec<i64>> {
            text.split(split)
                .map(|part| part.trim().split('.').next()?.parse().ok())
                .collect()
        };
        let (Some(date), Some(time)) = (numbers(date, '-'), numbers(time, ':')) else {
            return Err(bad());
        };
        let [year, month, day] = date[..] else {
            return Err(bad());
        };
        let clock = |at: usize| time.get(at).copied().unwrap_or(0);
        let seconds = clock(0) * 3600 + clock(1) * 60 + clock(2);
        let plausible =
            (1..=12).contains(&month) && (1..=31).contains(&day) && (0..86_400).contains(&seconds);
        if !plausible || !(0..=9999).contains(&year) {
            return Err(bad());
        }
        let days = match calendar {
            Calendar::Gregorian => {
                let text = format!("{year:04}-{month:02}-{day:02}T00:00:00Z");
                text.parse::<Timestamp>()
                    .map_err(|error| error.to_string())?
                    .unix()
                    / 86_400
            }
            _ => {
                let months = calendar.month_days(calendar == Calendar::AllLeap);
                year * calendar.year_days() + months[..month as usize - 1].iter().sum::<i64>() + day
                    - 1
            }
        };
        Ok(Clock {
            calendar,
            seconds_a_unit,
            reference: days * 86_400 + seconds,
        })
    }

    fn at(&self, value: f64) -> Result<CalendarTime, String> {
        let shift = (value * self.seconds_a_unit).round();
        if !shift.is_finite() || shift.abs() > 1e13 {
            return Err(format!("{value} is no time"));
        }
        let seconds = self.reference + shift as i64;
        let (days, second) = (
            seconds.div_euclid(86_400),
            seconds.rem_euclid(86_400) as u32,
        );
        if self.calendar == Calendar::Gregorian {
            // Before October 1582 two calendars share the name `standard`.
            let text = Timestamp::from_unix(seconds).to_string();
            if text.as_str() < "1582-10-15" || text.len() != 20 {
                return Err(format!(
                    "{text} lies before the Gregorian calendar or beyond year 9999"
                ));
            }
            let part = |range: std::ops::Range<usize>| text[range].parse::<i64>().unwrap_or(0);
            return Ok(CalendarTime {
                year: part(0..4),
                month: part(5..7) as u8,
                day: part(8..10) as u8,
                second,
                calendar_exists: true,
            });
        }
        let year = days.div_euclid(self.calendar.year_days());
        let mut day = days.rem_euclid(self.calendar.year_days());
        let mut month = 1;
        for length in self.calendar.month_days(self.calendar == Calendar::AllLeap) {
            if day < length {
                break;
            }
            day -= length;
            month += 1;
        }
        Ok(CalendarTime {
            year,
            month,
            day: day as u8 + 1,
            second,
            calendar_exists: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(value: f64, units: &str, calendar: &str) -> String {
        Clock::new(units, calendar)
            .unwrap()
            .at(value)
            .unwrap()
            .to_string()
    }

    #[test]
    fn times_of_every_calendar_are_read() {
        assert_eq!(
            at(36.5, "hours since 2000-02-28 00:00:00", "standard"),
            "2000-02-29T12:30:00Z"
        );
        assert_eq!(
            at(1.0, "days since 2000-02-28", "noleap"),
            "2000-03-01T00:00:00Z"
        );
        assert_eq!(
            at(1.0, "days since 2001-02-28", "366_day"),
            "2001-02-29T00:00:00Z"
        );
        assert_eq!(
            at(59.0, "days since 2000-01-01 06:00", "360_day"),
            "2000-02-30T06:00:00Z"
        );
        assert_eq!(
            at(-1.0, "days since 1970-01-01T00:00:00Z", "gregorian"),
            "1969-12-31T00:00:00Z"
        );
        let model = Clock::new("days since 2000-01-01", "360_day")
            .unwrap()
            .at(59.0)
            .unwrap();
        assert_eq!(model.timestamp(), None);
    }

    #[test]
    fn times_that_cannot_be_told_are_refused() {
        assert!(Clock::new("months since 2000-01-01", "standard").is_err());
        assert!(Clock::new("days since yesterday", "standard").is_err());
        assert!(Clock::new("days since 2000-01-01", "julian").is_err());
        assert!(
            Clock::new("days since 1500-01-01", "standard")
                .unwrap()
                .at(3.0)
                .is_err()
        );
        assert!(
            Clock::new("days since 2000-01-01", "standard")
                .unwrap()
                .at(f64::NAN)
                .is_err()
        );
    }
}
