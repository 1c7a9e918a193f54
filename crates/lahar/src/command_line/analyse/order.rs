//! What was ordered: a task from a file, or from a sentence, with what was given beside it.

use std::path::{Path, PathBuf};

use lahar_library::label::text_hazards;
use lahar_places::Gazetteer;
use lahar_routes::run::carry_out::present;
use lahar_routes::sentence::{self, Draft, Said};

use super::Analyse;
use crate::failure::{Failure, Kind};

/// Largest file with a task.
const LARGEST: u64 = 4 << 20;
/// Longest sentence, in bytes.
const LONGEST: usize = 4000;

/// A task as it was ordered.
#[derive(Debug, Clone, Default)]
pub(super) struct Order {
    /// The file, or what stands for it in messages.
    pub file: String,
    /// Folder of its files.
    pub folder: Option<PathBuf>,
    /// The task in TOML; none where too little was said.
    pub text: Option<String>,
    /// What a sentence was read as.
    pub draft: Option<Draft>,
}

pub(super) fn of(analyse: &Analyse) -> Result<Order, Failure> {
    let observations = analyse
        .observations
        .iter()
        .map(|pair| observation(pair))
        .collect::<Result<Vec<_>, _>>()?;
    let path = Path::new(&analyse.task);
    let is_file = path
        .extension()
        .is_some_and(|extension| extension == "toml")
        || path.is_file();
    if is_file {
        return from_file(analyse, path, &observations);
    }
    let said = analyse.task.trim();
    if said.is_empty() || said.len() > LONGEST {
        let message = format!(
            "a sentence has 1 to {LONGEST} bytes, this has {}",
            said.len()
        );
        return Err(Failure::new(Kind::Usage, message));
    }
    let hazards = text_hazards(said);
    let draft = sentence::read(
        &Said {
            text: said,
            hazards: &hazards,
            decision_time: analyse.decision_time,
            now: present(),
            observations: &observations,
        },
        Gazetteer::embedded(),
    );
    let mut order = Order {
        file: "the sentence".to_owned(),
        text: draft.task.clone(),
        ..Order::default()
    };
    if let Some(text) = order.text.take() {
        let mut table = parsed(&text, &order.file)?;
        order.folder = more(analyse, &mut table)?;
        budget(analyse, &mut table);
        order.text = Some(printed(&table)?);
    }
    order.draft = Some(draft);
    Ok(order)
}

fn from_file(
    analyse: &Analyse,
    path: &Path,
    observations: &[(String, String)],
) -> Result<Order, Failure> {
    if analyse.decision_time.is_some() {
        let message = "--decision-time belongs to a sentence; a task has its own";
        return Err(Failure::new(Kind::Usage, message));
    }
    let failed = |why: String| {
        Failure::new(Kind::Task, format!("the task cannot be read: {why}"))
            .at(path.display())
            .hint("give the path of a task in TOML, or a sentence in quotation marks")
    };
    let size = std::fs::metadata(path)
        .map_err(|error| failed(error.to_string()))?
        .len();
    if size > LARGEST {
        return Err(failed(format!("it has {size} bytes, more than {LARGEST}")));
    }
    let mut text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    let file = path.display().to_string();
    // A task that nothing is added to keeps its lines, which messages name.
    if !observations.is_empty() || analyse.more.is_some() || analyse.budget.is_some() {
        let mut table = parsed(&text, &file)?;
        more(analyse, &mut table)?;
        budget(analyse, &mut table);
        let time = table.get("decision_time").cloned();
        let given = observations.iter().map(|(variable, value)| {
            let text = |text: &str| toml::Value::String(text.to_owned());
            let mut given = toml::Table::new();
            given.insert("id".to_owned(), text(variable));
            given.insert("variable".to_owned(), text(variable));
            given.insert("value".to_owned(), text(value));
            if let Some(time) = &time {
                given.insert("publication_time".to_owned(), time.clone());
            }
            given.insert("quality".to_owned(), text("assumed"));
            given.insert("source".to_owned(), text("given on the command line"));
            toml::Value::Table(given)
        });
        add(&mut table, given.collect());
        text = printed(&table)?;
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    Ok(Order {
        file,
        folder: Some(folder.unwrap_or(Path::new(".")).to_owned()),
        text: Some(text),
        draft: None,
    })
}

fn observation(pair: &str) -> Result<(String, String), Failure> {
    let parts = pair.split_once('=');
    let parts = parts.map(|(variable, value)| (variable.trim(), value.trim()));
    match parts {
        Some((variable, value)) if !variable.is_empty() && !value.is_empty() => {
            Ok((variable.to_owned(), value.to_owned()))
        }
        _ => Err(
            Failure::new(Kind::Usage, format!("`{pair}` is no observation"))
                .hint("write it as --observation relief=\"800 m\""),
        ),
    }
}

fn parsed(text: &str, file: &str) -> Result<toml::Table, Failure> {
    text.parse().map_err(|error: toml::de::Error| {
        Failure::new(Kind::Task, error.message().to_owned()).at(file)
    })
}

fn printed(table: &toml::Table) -> Result<String, Failure> {
    toml::to_string(table).map_err(|error| Failure::new(Kind::Task, error.to_string()))
}

fn add(table: &mut toml::Table, observations: Vec<toml::Value>) {
    if observations.is_empty() {
        return;
    }
    let known = table
        .entry("observation")
        .or_insert_with(|| toml::Value::Array(Vec::new()));
    if let toml::Value::Array(known) = known {
        known.extend(observations);
    }
}

/// Takes in what `--task` holds: observations are added, everything else replaces.
fn more(analyse: &Analyse, table: &mut toml::Table) -> Result<Option<PathBuf>, Failure> {
    let Some(path) = &analyse.more else {
        return Ok(None);
    };
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::new(Kind::File, format!("it cannot be read: {error}")).at(path.display())
    })?;
    for (key, value) in parsed(&text, &path.display().to_string())? {
        match (key.as_str(), value) {
            ("observation", toml::Value::Array(given)) => add(table, given),
            (_, value) => {
                table.insert(key, value);
            }
        }
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    Ok(Some(folder.unwrap_or(Path::new(".")).to_owned()))
}

fn budget(analyse: &Analyse, table: &mut toml::Table) {
    let Some(steps) = analyse.budget else {
        return;
    };
    let budget = table
        .entry("budget")
        .or_insert_with(|| toml::Value::Table(toml::Table::new()));
    if let toml::Value::Table(budget) = budget {
        let steps = i64::try_from(steps).unwrap_or(i64::MAX);
        budget.insert("steps".to_owned(), toml::Value::Integer(steps));
    }
}
