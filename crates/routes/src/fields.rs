//! TOML read key by key: every complaint has the file, the line, the key, the reason and the next
//! step, and a key that nobody reads is refused.

use std::cell::RefCell;
use std::collections::BTreeSet;

use lahar_core::{Quantity, Timestamp, Unit};
use serde::de::DeserializeOwned;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as WordError, StrDeserializer};
use toml::de::{DeTable, DeValue};

use crate::error::RoutesError;

/// Most bytes a task or card may have.
pub const LARGEST_FILE: u64 = 4 << 20;

/// A file's name and text, from which lines are counted.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The file's name, or what stands for it.
    pub file: &'a str,
    /// Its text.
    pub text: &'a str,
}

impl<'a> Source<'a> {
    fn line(&self, at: usize) -> usize {
        let before = &self.text.as_bytes()[..at.min(self.text.len())];
        1 + before.iter().filter(|byte| **byte == b'\n').count()
    }

    /// Reads the text as TOML.
    pub fn parse(&self) -> Result<toml::Spanned<DeTable<'a>>, RoutesError> {
        DeTable::parse(self.text).map_err(|error| RoutesError::Field {
            file: self.file.to_owned(),
            line: self.line(error.span().map_or(0, |span| span.start)),
            key: "(the file)".to_owned(),
            reason: error.message().to_owned(),
            next: "write it as TOML, see docs/routes.md".to_owned(),
        })
    }

    /// The file's outermost table.
    pub fn root<'t>(&self, table: &'t toml::Spanned<DeTable<'a>>) -> Fields<'t, 'a> {
        Fields {
            source: *self,
            prefix: String::new(),
            start: 0,
            table: table.get_ref(),
            read: RefCell::new(BTreeSet::new()),
        }
    }
}

/// A table that is read key by key.
#[derive(Debug)]
pub struct Fields<'t, 'a> {
    source: Source<'a>,
    prefix: String,
    start: usize,
    table: &'t DeTable<'a>,
    read: RefCell<BTreeSet<String>>,
}

/// A value with where it stands.
#[derive(Debug, Clone, Copy)]
struct Found<'t, 'a> {
    value: &'t DeValue<'a>,
    at: usize,
}

impl<'t, 'a> Fields<'t, 'a> {
    /// The key with the tables around it.
    pub fn path(&self, key: &str) -> String {
        match (self.prefix.is_empty(), key.is_empty()) {
            (true, _) => key.to_owned(),
            (false, true) => self.prefix.clone(),
            (false, false) => format!("{}.{key}", self.prefix),
        }
    }

    /// The file's name.
    pub fn file(&self) -> &str {
        self.source.file
    }

    /// The line of a key, or of the table where the key is absent.
    pub fn line(&self, key: &str) -> usize {
        self.source.line(self.at(key))
    }

    fn at(&self, key: &str) -> usize {
        let found = self.table.iter().find(|(name, _)| name.get_ref() == key);
        found.map_or(self.start, |(_, value)| value.span().start)
    }

    /// A complaint about a key.
    pub fn wrong(&self, key: &str, reason: impl ToString, next: impl ToString) -> RoutesError {
        RoutesError::Field {
            file: self.source.file.to_owned(),
            line: self.line(key),
            key: self.path(key),
            reason: reason.to_string(),
            next: next.to_string(),
        }
    }

    fn find(&self, key: &str) -> Option<Found<'t, 'a>> {
        self.read.borrow_mut().insert(key.to_owned());
        let (_, value) = self.table.iter().find(|(name, _)| name.get_ref() == key)?;
        Some(Found {
            value: value.get_ref(),
            at: value.span().start,
        })
    }

    /// Whether a key is there.
    pub fn has(&self, key: &str) -> bool {
        self.table.iter().any(|(name, _)| name.get_ref() == key)
    }

    fn kind(&self, key: &str, found: &Found<'_, '_>, wanted: &str) -> RoutesError {
        let reason = format!(
            "this is a {}, and {wanted} is needed",
            found.value.type_str()
        );
        self.wrong(key, reason, format!("write {wanted}"))
    }

    fn missing(&self, key: &str, what: &str) -> RoutesError {
        self.wrong(key, "it is missing", format!("write {what}"))
    }

    /// A text that may be absent; never empty.
    pub fn text(&self, key: &str) -> Result<Option<String>, RoutesError> {
        let Some(found) = self.find(key) else {
            return Ok(None);
        };
        match found.value.as_str() {
            Some(text) if text.trim().is_empty() => {
                Err(self.wrong(key, "it is empty", "write something, or leave the key out"))
            }
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(self.kind(key, &found, "a text in quotation marks")),
        }
    }

    /// A text that must be there.
    pub fn need_text(&self, key: &str, what: &str) -> Result<String, RoutesError> {
        self.text(key)?.ok_or_else(|| self.missing(key, what))
    }

    /// One of an enumeration's words, which may be absent.
    pub fn word<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, RoutesError> {
        let Some(text) = self.text(key)? else {
            return Ok(None);
        };
        self.as_word(key, &text).map(Some)
    }

    /// One of an enumeration's words, which must be there.
    pub fn need_word<T: DeserializeOwned>(&self, key: &str, what: &str) -> Result<T, RoutesError> {
        self.word(key)?.ok_or_else(|| self.missing(key, what))
    }

    fn as_word<T: DeserializeOwned>(&self, key: &str, text: &str) -> Result<T, RoutesError> {
        let from: StrDeserializer<'_, WordError> = text.into_deserializer();
        T::deserialize(from).map_err(|error| {
            let message = error.to_string();
            let (reason, next) = message
                .split_once(", expected ")
                .unwrap_or((&message, "one of the words in docs/routes.md"));
            self.wrong(key, reason, format!("write {next}"))
        })
    }

    /// Several words of an enumeration; empty where the key is absent.
    pub fn words<T: DeserializeOwned>(&self, key: &str) -> Result<Vec<T>, RoutesError> {
        let texts = self.texts(key)?;
        texts.iter().map(|text| self.as_word(key, text)).collect()
    }

    /// Several texts; empty where the key is absent.
    pub fn texts(&self, key: &str) -> Result<Vec<String>, RoutesError> {
        let Some(found) = self.find(key) else {
            return Ok(Vec::new());
        };
        let list = found
            .value
            .as_array()
            .ok_or_else(|| self.kind(key, &found, "a list of texts"))?;
        let text = |value: &toml::Spanned<DeValue<'_>>| {
            let value = value.get_ref().as_str().map(str::to_owned);
            value.ok_or_else(|| self.kind(key, &found, "a list of texts"))
        };
        list.iter().map(text).collect()
    }

    /// A number, which may be absent.
    pub fn number(&self, key: &str) -> Result<Option<f64>, RoutesError> {
        let Some(found) = self.find(key) else {
            return Ok(None);
        };
        match as_number(found.value) {
            Some(number) if number.is_finite() => Ok(Some(number)),
            Some(_) => Err(self.wrong(key, "it is no finite number", "write a number")),
            None => Err(self.kind(key, &found, "a number")),
        }
    }

    /// Several numbers, which may be absent.
    pub fn numbers(&self, key: &str) -> Result<Option<Vec<f64>>, RoutesError> {
        let Some(found) = self.find(key) else {
            return Ok(None);
        };
        let wrong = || self.kind(key, &found, "a list of numbers");
        let list = found.value.as_array().ok_or_else(wrong)?;
        let number = |value: &toml::Spanned<DeValue<'_>>| {
            as_number(value.get_ref()).filter(|n| n.is_finite())
        };
        let numbers: Option<Vec<f64>> = list.iter().map(number).collect();
        numbers.ok_or_else(wrong).map(Some)
    }

    /// Whether a key holds a number, a list or a text, without reading it.
    pub fn shape(&self, key: &str) -> Option<&'static str> {
        let (_, value) = self.table.iter().find(|(name, _)| name.get_ref() == key)?;
        Some(value.get_ref().type_str())
    }

    /// Yes or no, which may be absent.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, RoutesError> {
        let Some(found) = self.find(key) else {
            return Ok(None);
        };
        let flag = found.value.as_bool();
        flag.ok_or_else(|| self.kind(key, &found, "true or false"))
            .map(Some)
    }

    /// A point in time with its zone, which may be absent; a text or a TOML date with time.
    pub fn time(&self, key: &str) -> Result<Option<Timestamp>, RoutesError> {
        let Some(found) = self.find(key) else {
            return Ok(None);
        };
        let text = match (found.value.as_str(), found.value.as_datetime()) {
            (Some(text), _) => text.to_owned(),
            (None, Some(time)) => time.to_string(),
            (None, None) => {
                return Err(self.kind(key, &found, "a time such as 2018-01-09T11:30:00Z"));
            }
        };
        text.parse()
            .map(Some)
            .map_err(|error: lahar_core::time::NotATime| {
                let message = error.to_string();
                let (reason, next) = message
                    .split_once(": ")
                    .unwrap_or((&message, "write a time"));
                self.wrong(key, reason, next)
            })
    }

    /// A point in time that must be there.
    pub fn need_time(&self, key: &str, what: &str) -> Result<Timestamp, RoutesError> {
        self.time(key)?.ok_or_else(|| self.missing(key, what))
    }

    /// A unit, which may be absent.
    pub fn unit(&self, key: &str) -> Result<Option<Unit>, RoutesError> {
        let Some(text) = self.text(key)? else {
            return Ok(None);
        };
        text.parse()
            .map(Some)
            .map_err(|error: lahar_core::QuantityError| {
                self.wrong(key, error, "write a unit such as `mm/h`, `km2`, `fraction`")
            })
    }

    /// A number with its unit in one text (`"24 mm/h"`), which may be absent.
    pub fn quantity(&self, key: &str) -> Result<Option<Quantity>, RoutesError> {
        let Some(text) = self.text(key)? else {
            return Ok(None);
        };
        text.parse()
            .map(Some)
            .map_err(|error: lahar_core::QuantityError| {
                self.wrong(key, error, "write a value and a unit, such as \"24 mm/h\"")
            })
    }

    /// A quantity of a dimension, which may be absent.
    pub fn quantity_in(&self, key: &str, unit: &str) -> Result<Option<Quantity>, RoutesError> {
        let Some(quantity) = self.quantity(key)? else {
            return Ok(None);
        };
        match quantity.to(unit) {
            Ok(_) => Ok(Some(quantity)),
            Err(error) => {
                Err(self.wrong(key, error, format!("give it in `{unit}` or a like unit")))
            }
        }
    }

    /// A table, which may be absent.
    pub fn table(&self, key: &str) -> Result<Option<Fields<'t, 'a>>, RoutesError> {
        let Some(found) = self.find(key) else {
            return Ok(None);
        };
        match found.value {
            DeValue::Table(table) => Ok(Some(Fields {
                source: self.source,
                prefix: self.path(key),
                start: found.at,
                table,
                read: RefCell::default(),
            })),
            _ => Err(self.kind(key, &found, "a table")),
        }
    }

    /// A table that must be there.
    pub fn need_table(&self, key: &str, what: &str) -> Result<Fields<'t, 'a>, RoutesError> {
        self.table(key)?.ok_or_else(|| self.missing(key, what))
    }

    /// Tables of a list (`[[key]]`); none where the key is absent.
    pub fn tables(&self, key: &str) -> Result<Vec<Fields<'t, 'a>>, RoutesError> {
        let Some(found) = self.find(key) else {
            return Ok(Vec::new());
        };
        let wrong = || self.kind(key, &found, "a list of tables, each begun with `[[...]]`");
        let list = found.value.as_array().ok_or_else(wrong)?;
        let mut tables = Vec::with_capacity(list.len());
        for (index, value) in list.iter().enumerate() {
            let DeValue::Table(table) = value.get_ref() else {
                return Err(wrong());
            };
            tables.push(Fields {
                source: self.source,
                prefix: format!("{}[{}]", self.path(key), index + 1),
                start: value.span().start,
                table,
                read: RefCell::default(),
            });
        }
        Ok(tables)
    }

    /// The keys of a table whose keys are free, such as capability names.
    pub fn keys(&self) -> Vec<String> {
        self.table
            .iter()
            .map(|(name, _)| name.get_ref().to_string())
            .collect()
    }

    /// Refuses keys that were never read.
    pub fn finish(&self) -> Result<(), RoutesError> {
        let read = self.read.borrow();
        for (name, _) in self.table.iter() {
            let name = name.get_ref().as_ref();
            if !read.contains(name) {
                let known: Vec<&str> = read.iter().map(String::as_str).collect();
                let close = known.iter().find(|other| close(other, name));
                let next = match close {
                    Some(close) => format!("did you mean `{close}`?"),
                    None => format!("known here: {}", known.join(", ")),
                };
                return Err(self.wrong(name, "no such key is known here", next));
            }
        }
        Ok(())
    }
}

fn as_number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().parse().ok(),
        DeValue::Float(number) => number.as_str().parse().ok(),
        _ => None,
    }
}

/// Whether two words differ by one or two letters.
pub(crate) fn close(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) > 2 || one.len() < 3 {
        return false;
    }
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let change = corner + usize::from(a != b);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[other.len()] <= 2
}
