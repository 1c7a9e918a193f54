//! The file of compiled conditions: written for people to review, read back, and laid over the
//! cards. Only what a person has accepted ever joins a card.

use std::fmt::Write as _;
use std::path::Path;

use lahar_core::capability::Strictness;
use serde_json::json;

use super::merge::{group, says_the_same};
use super::{Compilation, Finding, Stage};
use crate::Fingerprint;
use crate::card::read::condition;
use crate::card::{Card, Citation, Condition, Direction, Role, Scope, Statement};
use crate::error::RoutesError;
use crate::fields::{Fields, LARGEST_FILE, Source};
use crate::vocabulary;

/// A compiled condition with how far it has come.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The condition.
    pub condition: Condition,
    /// How far it has come.
    pub stage: Stage,
    /// How many sentences state it.
    pub sentences: usize,
    /// Who reviewed it.
    pub reviewed_by: Option<String>,
    /// Why it was accepted or refused.
    pub because: Option<String>,
}

/// Compiled conditions of one route.
#[derive(Debug, Clone, PartialEq)]
pub struct Supplement {
    /// Route.
    pub route: String,
    /// Its conditions.
    pub entries: Vec<Entry>,
}

/// What a person decides about a compiled condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Review {
    /// It joins the card, strict or advisory.
    Accept(Strictness),
    /// It stays out.
    Reject,
}

impl Supplement {
    /// From what was compiled.
    pub fn of(compilation: &Compilation, card: &Card) -> Supplement {
        let mut supplement = Supplement {
            route: compilation.route.clone(),
            entries: Vec::new(),
        };
        for finding in &compilation.findings {
            let entry = entry(finding, card, &supplement.entries);
            supplement.entries.push(entry);
        }
        supplement
    }

    /// Reads a file.
    pub fn load(path: &Path) -> Result<Supplement, RoutesError> {
        let failed = |why: String| RoutesError::File {
            path: path.to_owned(),
            why,
            next: "give a file that `lahar routes compile --out` wrote".to_owned(),
        };
        let size = std::fs::metadata(path).map_err(|error| failed(error.to_string()))?;
        if size.len() > LARGEST_FILE {
            return Err(failed(format!(
                "it has {} bytes, more than {LARGEST_FILE}",
                size.len()
            )));
        }
        let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
        Supplement::parse(&path.display().to_string(), &text)
    }

    /// Reads text.
    pub fn parse(file: &str, text: &str) -> Result<Supplement, RoutesError> {
        let source = Source { file, text };
        let table = source.parse()?;
        let fields = source.root(&table);
        let mut entries: Vec<Entry> = Vec::new();
        for table in fields.tables("condition")? {
            let found = read_entry(&table)?;
            if entries
                .iter()
                .any(|other| other.condition.id == found.condition.id)
            {
                let reason = format!("`{}` is used twice", found.condition.id);
                return Err(table.wrong("id", reason, "give each condition an id of its own"));
            }
            entries.push(found);
        }
        let supplement = Supplement {
            route: fields.need_text("route", "the route these conditions belong to")?,
            entries,
        };
        fields.finish()?;
        Ok(supplement)
    }

    /// Records what a person decides. A person may take back an earlier decision.
    pub fn review(
        &mut self,
        id: &str,
        review: Review,
        by: &str,
        because: Option<&str>,
    ) -> Result<(), RoutesError> {
        let ids: Vec<String> = self
            .entries
            .iter()
            .map(|e| e.condition.id.clone())
            .collect();
        let entry = self
            .entries
            .iter_mut()
            .find(|entry| entry.condition.id == id);
        let Some(entry) = entry else {
            return Err(RoutesError::Unknown {
                what: "compiled condition",
                name: id.to_owned(),
                hint: format!("; there are: {}", ids.join(", ")),
            });
        };
        let stated = entry.condition.statement == Statement::Stated;
        if stated && review == Review::Accept(Strictness::Strict) {
            return Err(RoutesError::Change {
                why: format!(
                    "no program can check `{id}`, so it cannot be strict; accept it as advisory, \
                     or write an operator with a value into the file"
                ),
            });
        }
        entry.stage = match review {
            Review::Accept(strictness) => {
                entry.condition.strictness = strictness;
                Stage::Reviewed
            }
            Review::Reject => Stage::Rejected,
        };
        entry.reviewed_by = Some(by.to_owned());
        entry.because = because.map(str::to_owned);
        Ok(())
    }

    /// Conditions that a person has accepted.
    pub fn accepted(&self) -> impl Iterator<Item = &Entry> {
        self.entries
            .iter()
            .filter(|entry| entry.stage == Stage::Reviewed)
    }

    /// The file's text. Parsed again, it gives the same.
    pub fn written(&self) -> String {
        let mut text = String::from(
            "# Conditions that `lahar routes compile` found in a library. None of them decides anything\n\
             # until somebody accepts it: lahar routes review FILE ID --as strict --by NAME\n",
        );
        let _ = writeln!(text, "route = {}", json!(self.route));
        for entry in &self.entries {
            write_entry(&mut text, entry);
        }
        text
    }
}

/// The cards with what people have accepted. A limit that differs from the card's own makes a
/// group with it, in which disagreement determines nothing.
pub fn laid_over(cards: &[Card], supplements: &[Supplement]) -> Result<Vec<Card>, RoutesError> {
    let mut cards = cards.to_vec();
    for supplement in supplements {
        let card = cards.iter_mut().find(|card| card.id == supplement.route);
        let Some(card) = card else {
            return Err(RoutesError::Unknown {
                what: "route",
                name: supplement.route.clone(),
                hint: ", which these compiled conditions are for".to_owned(),
            });
        };
        for entry in supplement.accepted() {
            add(card, &entry.condition);
        }
    }
    Ok(cards)
}

fn add(card: &mut Card, new: &Condition) {
    let mut new = new.clone();
    let of_one = |old: &Condition| old.variable == new.variable && old.direction == new.direction;
    if card
        .conditions
        .iter()
        .any(|old| of_one(old) && says_the_same(&old.statement, &new.statement))
    {
        return;
    }
    let is_range = |condition: &Condition| matches!(condition.statement, Statement::Within { .. });
    if is_range(&new) {
        let name = group(&new.variable, new.direction == Direction::Requires);
        let mut grouped = false;
        for old in card
            .conditions
            .iter_mut()
            .filter(|old| of_one(old) && is_range(old))
        {
            old.group.get_or_insert_with(|| name.clone());
            new.group.clone_from(&old.group);
            grouped = true;
        }
        if !grouped {
            new.group = None;
        }
    }
    while card.condition(&new.id).is_some() {
        new.id.push_str("-compiled");
    }
    card.conditions.push(new);
}

fn entry(finding: &Finding, card: &Card, before: &[Entry]) -> Entry {
    let quote = &finding.evidence[0];
    let (variable, statement, scope, direction) = match &finding.asked {
        Some(asked) => (
            asked.variable.clone(),
            asked.statement.clone(),
            asked.scope,
            asked.direction,
        ),
        None => {
            let named = finding.variables.first().cloned();
            (
                named.unwrap_or_else(|| card.output.kind.variable.clone()),
                Statement::Stated,
                Scope::Task,
                Direction::Requires,
            )
        }
    };
    let page = quote
        .span
        .pages()
        .map(|pages| format!("page {}", pages.first));
    let section = match (&finding.section, page) {
        (Some(section), Some(page)) => Some(format!("{section}, {page}")),
        (section, page) => section.clone().or(page),
    };
    let base = format!("{}-{}", role_word(finding.role), variable).replace('_', "-");
    let taken = |id: &str| before.iter().any(|entry| entry.condition.id == id);
    let mut id = base.clone();
    let mut count = 1;
    while taken(&id) {
        count += 1;
        id = format!("{base}-{count}");
    }
    let reading = match &finding.statement {
        Some(statement) => format!("compiled: {}", statement.replace('_', " ")),
        None => format!(
            "compiled: {} on {}, for people to judge",
            role_word(finding.role).replace('_', " "),
            variable.replace('_', " ")
        ),
    };
    Entry {
        condition: Condition {
            id,
            role: finding.role,
            question: vocabulary::entry(&variable)
                .filter(|_| finding.asked.is_some())
                .map(|known| format!("What is known of the {}?", known.meaning)),
            variable,
            statement,
            scope,
            direction,
            strictness: Strictness::Advisory,
            group: finding.group.clone(),
            reading,
            citation: Some(Citation {
                publication: quote.title.clone(),
                year: finding.year,
                doi: None,
                section,
                address: None,
            }),
            fingerprint: Fingerprint::of(quote.span.quote()),
        },
        stage: finding.stage,
        sentences: finding.evidence.len(),
        reviewed_by: None,
        because: None,
    }
}

fn role_word(role: Role) -> String {
    let json = serde_json::to_value(role).unwrap_or_default();
    json.as_str().unwrap_or_default().to_owned()
}

fn read_entry(table: &Fields<'_, '_>) -> Result<Entry, RoutesError> {
    let stage: Stage = table.need_word(
        "stage",
        "candidate, grounded, canonical, reviewed or rejected",
    )?;
    let sentences = table.number("sentences")?.unwrap_or(1.0);
    let reviewed_by = table.text("reviewed_by")?;
    let because = table.text("because")?;
    if stage >= Stage::Reviewed && reviewed_by.is_none() {
        return Err(table.wrong(
            "reviewed_by",
            "it is missing",
            "write who reviewed it; `lahar routes review` does",
        ));
    }
    Ok(Entry {
        stage,
        sentences: sentences.max(1.0) as usize,
        reviewed_by,
        because,
        condition: condition(table)?,
    })
}

/// JSON strings, numbers and lists are TOML as well.
fn write_entry(text: &mut String, entry: &Entry) {
    let condition = &entry.condition;
    let mut line = |key: &str, value: serde_json::Value| {
        let _ = writeln!(text, "{key} = {value}");
    };
    line("\n[[condition]]\nid", json!(condition.id));
    line("stage", json!(entry.stage.to_string()));
    line("sentences", json!(entry.sentences));
    if let Some(by) = &entry.reviewed_by {
        line("reviewed_by", json!(by));
    }
    if let Some(because) = &entry.because {
        line("because", json!(because));
    }
    line("role", word(&condition.role));
    line("variable", json!(condition.variable));
    let (operator, value, unit) = operator(&condition.statement);
    line("operator", json!(operator));
    if !value.is_null() {
        line("value", value);
    }
    if let Some(unit) = unit {
        line("unit", json!(unit));
    }
    line("scope", word(&condition.scope));
    line("direction", word(&condition.direction));
    line("strictness", word(&condition.strictness));
    if let Some(group) = &condition.group {
        line("group", json!(group));
    }
    line("reading", json!(condition.reading));
    if let Some(question) = &condition.question {
        line("question", json!(question));
    }
    if let Some(citation) = &condition.citation {
        let _ = write!(
            text,
            "citation = {{ publication = {}, year = {}",
            json!(citation.publication),
            citation.year
        );
        if let Some(section) = &citation.section {
            let _ = write!(text, ", section = {}", json!(section));
        }
        text.push_str(" }\n");
    }
    if let Some(print) = &condition.fingerprint {
        let _ = writeln!(
            text,
            "fingerprint = {{ sha256 = \"{}\", letters = {}, words = {} }}",
            print.sha256, print.letters, print.words
        );
    }
}

/// The word of an enumeration, as cards write it.
fn word(value: &impl serde::Serialize) -> serde_json::Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// A statement as cards write it: operator, value, unit.
fn operator(statement: &Statement) -> (&'static str, serde_json::Value, Option<String>) {
    match statement {
        Statement::Within {
            lowest,
            highest,
            unit,
        } => {
            let unit = Some(unit.symbol().to_owned());
            match (lowest, highest) {
                (Some((low, _)), Some((high, _))) if low == high => ("equals", json!(low), unit),
                (Some((low, _)), Some((high, _))) => ("between", json!([low, high]), unit),
                (Some((low, true)), None) => ("at_least", json!(low), unit),
                (Some((low, false)), None) => ("above", json!(low), unit),
                (None, Some((high, true))) => ("at_most", json!(high), unit),
                (None, Some((high, false))) => ("below", json!(high), unit),
                (None, None) => ("stated", serde_json::Value::Null, None),
            }
        }
        Statement::OneOf { words } => ("one_of", json!(words), None),
        Statement::Present { or } if or.is_empty() => ("present", serde_json::Value::Null, None),
        Statement::Present { or } => ("present", json!(or), None),
        Statement::Inside { places } => ("inside", json!(places), None),
        Statement::QualityAtLeast { quality } => ("quality_at_least", json!(quality), None),
        Statement::Stated => ("stated", serde_json::Value::Null, None),
    }
}
