//! x
pub mod cues;
pub mod judge;
pub mod limits;
pub mod phrases;
pub mod regions;
pub mod statement;
pub mod terms;

use crate::card::{Direction, Statement};
use statement::Asked;

/// What a program can check, in one line: variables, bounds in the unit that was written, places.
pub fn shown(asked: &[Asked]) -> Option<String> {
    let parts: Vec<String> = asked.iter().map(one).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn one(asked: &Asked) -> String {
    let not = match asked.direction {
        Direction::Requires => "",
        Direction::Excludes => "not ",
    };
    let what = match &asked.statement {
        Statement::Within {
            lowest,
            highest,
            unit,
        } => {
            let low = lowest.map(|(v, own)| format!("{} {v} ", if own { ">=" } else { ">" }));
            let high = highest.map(|(v, own)| format!("{} {v} ", if own { "<=" } else { "<" }));
            format!(
                "{}{}{unit}",
                low.unwrap_or_default(),
                high.unwrap_or_default()
            )
        }
        Statement::Inside { places } => format!("in {}", places.join(", ")),
        Statement::Present { .. } => "present".to_owned(),
        Statement::OneOf { words } => format!("one of {}", words.join(", ")),
        Statement::QualityAtLeast { quality } => format!("at least {quality:?}"),
        Statement::Stated => "stated".to_owned(),
    };
    format!("{not}{} {what}", asked.variable)
}
