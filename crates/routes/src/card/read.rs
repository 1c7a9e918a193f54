//! A card from TOML, with the line of whatever is wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lahar_core::capability::{Strictness, Value};
use lahar_core::{Hazard, Quantity, Unit};

use crate::error::RoutesError;
use crate::fields::{Fields, LARGEST_FILE, Source};
use crate::task::terms::output;

use super::{
    Card, Citation, Condition, Direction, Evaluation, Fingerprint, Role, Scope, Stage, Statement,
    Uncertainty,
};

impl Card {
    /// Reads a card from a file.
    pub fn load(path: &Path) -> Result<Card, RoutesError> {
        let failed = |why: String| RoutesError::File {
            path: path.to_owned(),
            why,
            next: "give the path of a route card in TOML".to_owned(),
        };
        let size = std::fs::metadata(path).map_err(|e| failed(e.to_string()))?;
        if size.len() > LARGEST_FILE {
            return Err(failed(format!(
                "it has {} bytes, more than {LARGEST_FILE}",
                size.len()
            )));
        }
        let text = std::fs::read_to_string(path).map_err(|e| failed(e.to_string()))?;
        Card::parse(&path.display().to_string(), &text)
    }

    /// Reads a card from text. Ports, units and cycles are checked by `lint`, which needs the
    /// registry; here only what can be said from the card alone is refused.
    pub fn parse(file: &str, text: &str) -> Result<Card, RoutesError> {
        let source = Source { file, text };
        let table = source.parse()?;
        let fields = source.root(&table);
        let card = card(&fields)?;
        fields.finish()?;
        Ok(card)
    }
}

fn card(fields: &Fields<'_, '_>) -> Result<Card, RoutesError> {
    let hazards = fields.texts("hazards")?;
    let mut stages = Vec::new();
    for table in fields.tables("stage")? {
        stages.push(stage(&table)?);
    }
    let mut conditions: Vec<Condition> = Vec::new();
    for table in fields.tables("condition")? {
        let found = condition(&table)?;
        if conditions.iter().any(|other| other.id == found.id) {
            let reason = format!("`{}` is used twice", found.id);
            return Err(table.wrong("id", reason, "give each condition an id of its own"));
        }
        conditions.push(found);
    }
    let uncertainty = fields.need_table("uncertainty", "[uncertainty] with a statement")?;
    let evaluation = match fields.table("evaluation")? {
        None => Evaluation::default(),
        Some(table) => {
            let found = Evaluation {
                metric: table.text("metric")?,
                tolerance: table.text("tolerance")?,
                threshold: table.text("threshold")?,
            };
            table.finish()?;
            found
        }
    };
    let mut references = Vec::new();
    for table in fields.tables("reference")? {
        references.push(citation(&table)?);
        table.finish()?;
    }
    let card = Card {
        id: fields.need_text("id", "a short name for the route")?,
        title: fields.need_text("title", "one sentence")?,
        kind: fields.need_word("kind", "empirical, physical, statistical or learned")?,
        track: fields.need_text("track", "the track, such as `postfire-debris-flow`")?,
        hazards: hazards.iter().filter_map(|h| Hazard::parse(h)).collect(),
        tasks: fields.words("tasks")?,
        unavailable: fields.text("unavailable")?,
        output: output(fields)?,
        stages,
        helpers: fields.texts("helpers")?,
        conditions,
        uncertainty: Uncertainty {
            statement: uncertainty.need_text("statement", "how uncertain results are")?,
            error_factor: uncertainty.number("error_factor")?,
        },
        evaluation,
        references,
        version: fields.text("version")?.unwrap_or_else(|| "1".to_owned()),
        reviewed_by: fields.text("reviewed_by")?,
    };
    uncertainty.finish()?;
    let empty = [
        ("hazards", card.hazards.is_empty()),
        ("tasks", card.tasks.is_empty()),
        (
            "stage",
            card.stages.is_empty() && card.unavailable.is_none(),
        ),
        ("reference", card.references.is_empty()),
    ];
    if let Some((key, _)) = empty.iter().find(|(_, empty)| *empty) {
        return Err(fields.wrong(key, "nothing stands here", "give at least one"));
    }
    cycle(fields, &card.stages)?;
    Ok(card)
}

/// Refuses stages that follow each other in a circle, and stages that nobody knows.
fn cycle(fields: &Fields<'_, '_>, stages: &[Stage]) -> Result<(), RoutesError> {
    let mut done: BTreeSet<&str> = BTreeSet::new();
    let names: BTreeSet<&str> = stages.iter().map(|stage| stage.name.as_str()).collect();
    if names.len() != stages.len() {
        return Err(fields.wrong("stage", "two stages have one name", "give each its own"));
    }
    for stage in stages {
        if let Some(unknown) = stage
            .after
            .iter()
            .find(|name| !names.contains(name.as_str()))
        {
            return Err(fields.wrong(
                "stage",
                format!(
                    "`{}` follows `{unknown}`, which is no stage here",
                    stage.name
                ),
                "name stages of this card",
            ));
        }
    }
    while done.len() < stages.len() {
        let ready = stages.iter().find(|stage| {
            !done.contains(stage.name.as_str())
                && stage.after.iter().all(|name| done.contains(name.as_str()))
        });
        let Some(ready) = ready else {
            let left: Vec<&str> = names.difference(&done).copied().collect();
            return Err(fields.wrong(
                "stage",
                format!(
                    "these stages follow each other in a circle: {}",
                    left.join(", ")
                ),
                "take one `after` out",
            ));
        };
        done.insert(&ready.name);
    }
    Ok(())
}

fn stage(table: &Fields<'_, '_>) -> Result<Stage, RoutesError> {
    let any_of = match table.text("capability")? {
        Some(one) => vec![one],
        None => table.texts("any_of")?,
    };
    if any_of.is_empty() {
        return Err(table.wrong(
            "capability",
            "it is missing",
            "name a capability, or several in `any_of`",
        ));
    }
    let mut with = BTreeMap::new();
    if let Some(fixed) = table.table("with")? {
        for name in fixed.keys() {
            let text = fixed.need_text(&name, "a quantity or a word, in quotation marks")?;
            let value = text
                .parse::<Quantity>()
                .map_or_else(|_| Value::Label(text.clone()), Value::Quantity);
            with.insert(name, value);
        }
    }
    let stage = Stage {
        name: table.need_text("name", "a name for the stage")?,
        any_of,
        gives: table.need_text("gives", "the variable that comes out")?,
        after: table.texts("after")?,
        with,
        responds_to: table.text("responds_to")?,
    };
    table.finish()?;
    Ok(stage)
}

fn citation(table: &Fields<'_, '_>) -> Result<Citation, RoutesError> {
    let year = table.number("year")?.unwrap_or(0.0);
    if year.fract() != 0.0 || !(0.0..=2200.0).contains(&year) {
        return Err(table.wrong(
            "year",
            "it is no year",
            "write a year, or 0 where none is known",
        ));
    }
    Ok(Citation {
        publication: table.need_text("publication", "authors and title")?,
        year: year as u16,
        doi: table.text("doi")?,
        section: table.text("section")?,
        address: table.text("address")?,
    })
}

/// One condition of a card.
pub(crate) fn condition(table: &Fields<'_, '_>) -> Result<Condition, RoutesError> {
    let citation = match table.table("citation")? {
        None => None,
        Some(inner) => {
            let found = citation(&inner)?;
            inner.finish()?;
            Some(found)
        }
    };
    let fingerprint = match table.table("fingerprint")? {
        None => None,
        Some(inner) => {
            let count = |key: &str| -> Result<usize, RoutesError> {
                let number = inner.number(key)?.unwrap_or(0.0);
                match number >= 1.0 && number.fract() == 0.0 && number < 1e5 {
                    true => Ok(number as usize),
                    false => Err(inner.wrong(key, "it is no count", "write how many there are")),
                }
            };
            let hash = inner.need_text("sha256", "64 hexadecimal digits")?;
            let found = Fingerprint {
                sha256: hash
                    .parse()
                    .map_err(|error| inner.wrong("sha256", error, "write 64 hexadecimal digits"))?,
                letters: count("letters")?,
                words: count("words")?,
            };
            inner.finish()?;
            Some(found)
        }
    };
    let role: Role = table.need_word("role", "such as validity_range")?;
    let condition = Condition {
        id: table.need_text("id", "a short name for the condition")?,
        role,
        variable: table.need_text("variable", "a variable of the vocabulary")?,
        statement: statement(table)?,
        scope: table.need_word::<Scope>(
            "scope",
            "task, event, storm, basin, cell, site, region or data",
        )?,
        direction: table
            .word::<Direction>("direction")?
            .unwrap_or(Direction::Requires),
        strictness: table.need_word::<Strictness>("strictness", "strict or advisory")?,
        group: table.text("group")?,
        reading: table.need_text("reading", "the condition in our words")?,
        question: table.text("question")?,
        citation,
        fingerprint,
    };
    if condition.statement == Statement::Stated && condition.strictness == Strictness::Strict {
        return Err(table.wrong(
            "operator",
            "no program can check what is only stated, so it cannot be strict",
            "write an operator with a value, or make it advisory",
        ));
    }
    table.finish()?;
    Ok(condition)
}

fn statement(table: &Fields<'_, '_>) -> Result<Statement, RoutesError> {
    const KNOWN: &str = "at_least, at_most, above, below, between, equals, one_of, present, inside, \
                         quality_at_least or stated";
    let operator = table.need_text("operator", KNOWN)?;
    let unit = || -> Result<Unit, RoutesError> {
        table
            .unit("unit")?
            .ok_or_else(|| table.wrong("unit", "it is missing", "write the unit of the value"))
    };
    let number = || -> Result<f64, RoutesError> {
        table
            .number("value")?
            .ok_or_else(|| table.wrong("value", "it is missing", "write a number"))
    };
    let words = || -> Result<Vec<String>, RoutesError> {
        let words = match table.shape("value") {
            Some("array") => table.texts("value")?,
            _ => table.text("value")?.into_iter().collect(),
        };
        match words.is_empty() {
            true => Err(table.wrong("value", "no word stands here", "write a list of words")),
            false => Ok(words),
        }
    };
    let within = |lowest, highest| -> Result<Statement, RoutesError> {
        Ok(Statement::Within {
            lowest,
            highest,
            unit: unit()?,
        })
    };
    match operator.as_str() {
        "at_least" => within(Some((number()?, true)), None),
        "above" => within(Some((number()?, false)), None),
        "at_most" => within(None, Some((number()?, true))),
        "below" => within(None, Some((number()?, false))),
        "equals" if table.shape("value") != Some("string") => {
            let value = number()?;
            within(Some((value, true)), Some((value, true)))
        }
        "between" => {
            let numbers = table.numbers("value")?.unwrap_or_default();
            match numbers[..] {
                [lowest, highest] if lowest <= highest => {
                    within(Some((lowest, true)), Some((highest, true)))
                }
                _ => Err(table.wrong(
                    "value",
                    "two numbers, the lower one first, are needed",
                    "write such as [12, 40]",
                )),
            }
        }
        "one_of" | "equals" => Ok(Statement::OneOf { words: words()? }),
        "inside" => Ok(Statement::Inside { places: words()? }),
        "present" => Ok(Statement::Present {
            or: match table.has("value") {
                true => words()?,
                false => Vec::new(),
            },
        }),
        "quality_at_least" => Ok(Statement::QualityAtLeast {
            quality: table.need_word("value", "such as `estimated`")?,
        }),
        "stated" => Ok(Statement::Stated),
        other => Err(table.wrong(
            "operator",
            format!("there is no operator `{other}`"),
            format!("write {KNOWN}"),
        )),
    }
}
