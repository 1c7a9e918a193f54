//! Publication dates, as coarse as the source gives them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The English names of the months, in lower case and in order.
pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A year, a month or a day, written `2018`, `2018-10` or `2018-10-11` (ISO 8601).
///
/// ```
/// use lahar_core::PublicationDate;
/// let date: PublicationDate = "2018-10-11".parse().unwrap();
/// assert_eq!(date.year(), 2018);
/// assert!("2018-02-30".parse::<PublicationDate>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PublicationDate {
    year: u16,
    month: Option<u8>,
    day: Option<u8>,
}

impl PublicationDate {
    /// The year.
    pub fn year(&self) -> u16 {
        self.year
    }

    /// The month, 1 to 12, where it is known.
    pub fn month(&self) -> Option<u8> {
        self.month
    }

    /// The day of the month, where it is known.
    pub fn day(&self) -> Option<u8> {
        self.day
    }
}

/// Why a text is not a publication date.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a date: write 2018, 2018-10 or 2018-10-11")]
pub struct NotADate(String);

impl FromStr for PublicationDate {
    type Err = NotADate;

    fn from_str(text: &str) -> Result<PublicationDate, NotADate> {
        let bad = || NotADate(text.to_owned());
        let mut parts = text.trim().split('-');
        let mut next = |digits: usize| match parts.next() {
            None => Ok(None),
            Some(part) if part.len() == digits && part.bytes().all(|b| b.is_ascii_digit()) => {
                part.parse::<u16>().map(Some).map_err(|_| bad())
            }
            Some(_) => Err(bad()),
        };
        let year = next(4)?.filter(|&y| y > 0).ok_or_else(bad)?;
        let month = next(2)?.map(|m| m as u8);
        let day = next(2)?.map(|d| d as u8);
        let valid = match (month, day) {
            (None, _) => true,
            (Some(month), None) => (1..=12).contains(&month),
            (Some(month), Some(day)) => {
                (1..=12).contains(&month) && day >= 1 && day <= days_in(year, month)
            }
        };
        if !valid || parts.next().is_some() {
            return Err(bad());
        }
        Ok(PublicationDate { year, month, day })
    }
}

fn days_in(year: u16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        _ => 31,
    }
}

impl fmt::Display for PublicationDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        self.month
            .map_or(Ok(()), |month| write!(f, "-{month:02}"))?;
        self.day.map_or(Ok(()), |day| write!(f, "-{day:02}"))
    }
}

impl From<PublicationDate> for String {
    fn from(date: PublicationDate) -> String {
        date.to_string()
    }
}

impl TryFrom<String> for PublicationDate {
    type Error = NotADate;

    fn try_from(text: String) -> Result<PublicationDate, NotADate> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_they_are_written() {
        for text in ["0001", "2018", "2018-10", "2024-02-29"] {
            assert_eq!(text.parse::<PublicationDate>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "18",
            "20181011",
            "2018-1",
            "2018-13",
            "2023-02-29",
            "2018-10-11-12",
            "-2018",
        ] {
            assert!(text.parse::<PublicationDate>().is_err(), "{text}");
        }
    }
}
