//! Points in time, when something holds, and when it became known.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A second of Universal Time, counted from 1970; leap seconds are not counted.
///
/// ```
/// use lahar_core::Timestamp;
/// let origin: Timestamp = "2018-01-09T11:30:00Z".parse().unwrap();
/// assert_eq!(origin.to_string(), "2018-01-09T11:30:00Z");
/// assert_eq!("2018-01-09T03:30:00-08:00".parse::<Timestamp>().unwrap(), origin);
/// assert!("2018-01-09T11:30:00".parse::<Timestamp>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Timestamp(i64);

/// Why a text is not a point in time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a point in time: write it with its zone, such as 2018-01-09T11:30:00Z")]
pub struct NotATime(String);

impl Timestamp {
    /// From seconds since the start of 1970.
    pub fn from_unix(seconds: i64) -> Timestamp {
        Timestamp(seconds)
    }

    /// Seconds since the start of 1970.
    pub fn unix(self) -> i64 {
        self.0
    }
}

/// Days from 1970-01-01 of a day of the proleptic Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March here, so that the leap day is a year's last.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let in_era = year.rem_euclid(400);
    let in_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year - 719_468
}

fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let in_era = days.rem_euclid(146_097);
    let year = (in_era - in_era / 1460 + in_era / 36_524 - in_era / 146_096) / 365;
    let in_year = in_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * in_year + 2) / 153;
    let day = in_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

impl FromStr for Timestamp {
    type Err = NotATime;

    fn from_str(text: &str) -> Result<Timestamp, NotATime> {
        let bad = || NotATime(text.to_owned());
        let number = |range: std::ops::Range<usize>| -> Result<i64, NotATime> {
            let digits = text.get(range).ok_or_else(bad)?;
            if !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(bad());
            }
            digits.parse().map_err(|_| bad())
        };
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
        let marks = [4, 7, 10, 13, 16].map(|at| text.as_bytes()[at]);
        if !matches!(marks, [b'-', b'-', b'T' | b't' | b' ', b':', b':']) {
            return Err(bad());
        }
        let date = days(year, month, day);
        if !(1..=12).contains(&month) || civil(date) != (year, month, day) {
            return Err(bad());
        }
        if hour > 23 || minute > 59 || second > 59 {
            return Err(bad());
        }
        let zone = match text.get(19..).ok_or_else(bad)? {
            "Z" | "z" => 0,
            offset if offset.len() == 6 && offset.as_bytes()[3] == b':' => {
                let sign = match offset.as_bytes()[0] {
                    b'+' => 1,
                    b'-' => -1,
                    _ => return Err(bad()),
                };
                let (hours, minutes) = (number(20..22)?, number(23..25)?);
                if hours > 23 || minutes > 59 {
                    return Err(bad());
                }
                sign * (hours * 3600 + minutes * 60)
            }
            _ => return Err(bad()),
        };
        Ok(Timestamp(
            date * 86_400 + hour * 3600 + minute * 60 + second - zone,
        ))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil(self.0.div_euclid(86_400));
        let second = self.0.rem_euclid(86_400);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(
            f,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
        )
    }
}

impl From<Timestamp> for String {
    fn from(time: Timestamp) -> String {
        time.to_string()
    }
}

impl TryFrom<String> for Timestamp {
    type Error = NotATime;

    fn try_from(text: String) -> Result<Timestamp, NotATime> {
        text.parse()
    }
}

/// When something holds, and when it could be known. What was published after a decision cannot
/// have been used for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Timing {
    /// From when it holds.
    pub valid_from: Timestamp,
    /// Until when it holds; the same for a moment.
    pub valid_until: Timestamp,
    /// When it was published.
    pub published: Timestamp,
}

impl Timing {
    /// Whether it could be known at a decision time.
    pub fn known_at(&self, decision: Timestamp) -> bool {
        self.published <= decision
    }

    /// Whether it holds at a time.
    pub fn holds_at(&self, time: Timestamp) -> bool {
        self.valid_from <= time && time <= self.valid_until
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            "2018",
            "2018-02-30T00:00:00Z",
            "2018-13-01T00:00:00Z",
            "2018-01-01T24:00:00Z",
            "2018-01-01T00:00:00+1:00",
            "2018x01-01T00:00:00Z",
            "2018-01-01T00:00:00é",
        ] {
            assert!(text.parse::<Timestamp>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_published_later_was_not_known() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let timing = Timing {
            valid_from: at("2018-01-09T00:00:00Z"),
            valid_until: at("2018-01-09T23:59:59Z"),
            published: at("2018-01-12T00:00:00Z"),
        };
        assert!(timing.holds_at(at("2018-01-09T11:30:00Z")));
        assert!(!timing.known_at(at("2018-01-09T11:30:00Z")));
    }

    proptest! {
        #[test]
        fn times_survive_text(seconds in -62_000_000_000i64..250_000_000_000) {
            let time = Timestamp::from_unix(seconds);
            prop_assert_eq!(time.to_string().parse::<Timestamp>().unwrap(), time);
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in ".{0,30}") {
            let _ = text.parse::<Timestamp>();
        }
    }
}
