//! A task from TOML, with the line of whatever is wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use lahar_core::capability::{Support, Value};
use lahar_core::series::Series;
use lahar_core::{Hazard, Quantity, Timing, Unit};

use crate::error::RoutesError;
use crate::fields::{Fields, LARGEST_FILE, Source};
use crate::port::{
    Lineage, PortType, PortUnit, Representation, UncertaintyKind, representation_of, unit_of,
};
use crate::vocabulary;

use super::files::{self, FileValue};
use super::{
    Area, Budget, Event, Health, Observation, ObservedValue, Obtainable, OutputContract, Override,
    Quality, Recovery, Task,
};

/// Most observations a task may have.
const MOST: usize = 10_000;

/// How a task is read.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Whether observations may lie outside the task's folder.
    pub allow_outside: bool,
}

impl Task {
    /// Reads a task from a file.
    pub fn load(path: &Path, options: &ReadOptions) -> Result<Task, RoutesError> {
        let failed = |why: String| RoutesError::File {
            path: path.to_owned(),
            why,
            next: "give the path of a task in TOML".to_owned(),
        };
        let size = std::fs::metadata(path).map_err(|e| failed(e.to_string()))?;
        if size.len() > LARGEST_FILE {
            return Err(failed(format!(
                "it has {} bytes, more than {LARGEST_FILE}",
                size.len()
            )));
        }
        let text = std::fs::read_to_string(path).map_err(|e| failed(e.to_string()))?;
        let folder = match path.parent() {
            Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
            Some(folder) => folder,
            None => Path::new("."),
        };
        Task::parse(&path.display().to_string(), &text, Some(folder), options)
    }

    /// Reads a task from text. Without a folder, observations in files are refused.
    ///
    /// ```
    /// use lahar_routes::task::{ReadOptions, Task};
    /// let text = r#"
    /// id = "storm"
    /// hazards = ["wildfire", "landslide"]
    /// kind = "assess"
    /// decision_time = "2018-01-08T00:00:00Z"
    /// [area]
    /// place = "Montecito, California"
    /// [output]
    /// variable = "debris_flow_likelihood"
    /// unit = "fraction"
    /// "#;
    /// let task = Task::parse("storm.toml", text, None, &ReadOptions::default()).unwrap();
    /// assert_eq!(task.track(), Some("postfire-debris-flow"));
    /// let wrong = text.replace("fraction", "mm/h");
    /// let error = Task::parse("storm.toml", &wrong, None, &ReadOptions::default()).unwrap_err();
    /// assert!(error.to_string().starts_with("storm.toml, line 10: `output.unit`"));
    /// ```
    pub fn parse(
        file: &str,
        text: &str,
        folder: Option<&Path>,
        options: &ReadOptions,
    ) -> Result<Task, RoutesError> {
        let source = Source { file, text };
        let table = source.parse()?;
        let fields = source.root(&table);
        let reader = Reader { folder, options };
        let task = reader.task(&fields)?;
        fields.finish()?;
        Ok(task)
    }
}

struct Reader<'o> {
    folder: Option<&'o Path>,
    options: &'o ReadOptions,
}

impl Reader<'_> {
    fn task(&self, fields: &Fields<'_, '_>) -> Result<Task, RoutesError> {
        let id = fields.need_text("id", "a short name for the task")?;
        let hazards = fields.texts("hazards")?;
        let hazards: Vec<Hazard> = hazards.iter().filter_map(|h| Hazard::parse(h)).collect();
        if hazards.is_empty() {
            return Err(fields.wrong(
                "hazards",
                "no hazard is named",
                "write such as [\"wildfire\", \"landslide\"]",
            ));
        }
        let decision_time = fields.need_time("decision_time", "the information cutoff in UTC")?;
        let horizon = fields.quantity_in("horizon", "s")?;
        if horizon.as_ref().is_some_and(|h| h.si() < 0.0) {
            return Err(fields.wrong("horizon", "it is negative", "write how far ahead to look"));
        }
        let event = self.event(fields, decision_time)?;
        let output = output(fields)?;
        let mut observations = Vec::new();
        let mut ids = BTreeSet::new();
        for table in fields.tables("observation")?.iter().take(MOST + 1) {
            if observations.len() == MOST {
                return Err(table.wrong(
                    "",
                    format!("more than {MOST} observations"),
                    "give fewer",
                ));
            }
            let observation = self.observation(table)?;
            if !ids.insert(observation.id.clone()) {
                return Err(table.wrong(
                    "id",
                    format!("`{}` is used twice", observation.id),
                    "give each observation an id of its own",
                ));
            }
            observations.push(observation);
        }
        let mut obtainable = Vec::new();
        for table in fields.tables("obtainable")? {
            obtainable.push(self.obtainable(&table)?);
        }
        let mut overrides = Vec::new();
        for table in fields.tables("override")? {
            overrides.push(Override {
                route: table.need_text("route", "the route's id")?,
                condition: table.need_text("condition", "the condition's id")?,
                reason: table.need_text("reason", "why it may be set aside")?,
                by: table.need_text("by", "who decides that")?,
            });
            table.finish()?;
        }
        let recovery = fields.words::<Recovery>("recovery")?;
        let recovery = match fields.has("recovery") {
            true => recovery.into_iter().collect(),
            false => Recovery::ALL.into_iter().collect(),
        };
        Ok(Task {
            id,
            title: fields.text("title")?,
            track: fields.text("track")?,
            hazards,
            kind: fields.need_word("kind", "forecast, assess, simulate or attribute")?,
            area: self.area(fields)?,
            event,
            decision_time,
            horizon,
            output,
            observations,
            health: health(fields)?,
            budget: budget(fields)?,
            recovery,
            obtainable,
            overrides,
            folder: self.folder.map(Path::to_owned),
        })
    }

    fn event(
        &self,
        fields: &Fields<'_, '_>,
        decision: lahar_core::Timestamp,
    ) -> Result<Event, RoutesError> {
        let Some(table) = fields.table("event")? else {
            return Ok(Event::default());
        };
        let event = Event {
            name: table.text("name")?,
            time: table.time("time")?,
        };
        if event.time.is_some_and(|time| time > decision) {
            return Err(table.wrong(
                "time",
                "the event lies after the decision time",
                "write when it was, or leave it out where it is still to come",
            ));
        }
        table.finish()?;
        Ok(event)
    }

    fn area(&self, fields: &Fields<'_, '_>) -> Result<Area, RoutesError> {
        let table = fields.need_table("area", "[area] with place, point or box")?;
        let given: Vec<&str> = ["place", "point", "box"]
            .into_iter()
            .filter(|key| table.has(key))
            .collect();
        if given.len() != 1 {
            return Err(table.wrong(
                given.get(1).copied().unwrap_or(""),
                format!("{} of place, point and box are given", given.len()),
                "give exactly one",
            ));
        }
        let degrees = |key: &str, wanted: usize| -> Result<Vec<f64>, RoutesError> {
            let numbers = table.numbers(key)?.unwrap_or_default();
            if numbers.len() != wanted {
                return Err(table.wrong(
                    key,
                    format!("{} numbers stand here", numbers.len()),
                    "write longitude first: [lon, lat] or [west, south, east, north]",
                ));
            }
            for (at, number) in numbers.iter().enumerate() {
                let limit = if at % 2 == 0 { 180.0 } else { 90.0 };
                if number.abs() > limit {
                    return Err(table.wrong(
                        key,
                        format!("{number} is beyond {limit} degrees"),
                        "longitude stands first, then latitude",
                    ));
                }
            }
            Ok(numbers)
        };
        let area = match given[0] {
            "place" => Area::Place(table.need_text("place", "a place")?),
            "point" => {
                let numbers = degrees("point", 2)?;
                Area::Point([numbers[0], numbers[1]])
            }
            _ => {
                let n = degrees("box", 4)?;
                if n[1] >= n[3] {
                    return Err(table.wrong(
                        "box",
                        "south is not below north",
                        "write [west, south, east, north]",
                    ));
                }
                Area::Box([n[0], n[1], n[2], n[3]])
            }
        };
        table.finish()?;
        Ok(area)
    }

    fn observation(&self, table: &Fields<'_, '_>) -> Result<Observation, RoutesError> {
        let id = table.need_text("id", "a short name for the observation")?;
        let variable = known_variable(table, "variable")?;
        let value = self.value(table, &variable)?;
        let mut kind = supports(table, variable)?;
        match &value {
            ObservedValue::Given(value) => {
                kind.representation = representation_of(value);
                kind.unit = unit_of(value);
            }
            ObservedValue::File(file) => {
                kind.representation =
                    files::representation(&file.path).unwrap_or(Representation::Grid);
                kind.unit = match (&kind.representation, &file.unit) {
                    (Representation::Shapes, _) => PortUnit::None,
                    (_, Some(unit)) => PortUnit::Of(unit.clone()),
                    (_, None) => usual_unit("fraction"),
                };
                if !table.has("support") && kind.representation == Representation::Grid {
                    kind.space = Support::Cell;
                }
            }
        }
        kind.lineage = Lineage::Observed;
        let timing = timing(table)?;
        let quality = table
            .word::<Quality>("quality")?
            .unwrap_or(Quality::Estimated);
        if quality == Quality::Measured && timing.valid_from > timing.published {
            return Err(table.wrong(
                "publication_time",
                format!(
                    "it was published at {}, before it was measured at {}",
                    timing.published, timing.valid_from
                ),
                "mend the times, or say quality = \"modelled\" for a forecast",
            ));
        }
        let deviation = table.quantity("standard_deviation")?;
        if let (Some(deviation), PortUnit::Of(unit)) = (&deviation, &kind.unit)
            && let Err(error) = deviation.convert(unit)
        {
            return Err(table.wrong(
                "standard_deviation",
                error,
                "give it in the unit of the value",
            ));
        }
        if deviation.is_some() && kind.uncertainty == UncertaintyKind::Unstated {
            kind.uncertainty = UncertaintyKind::Interval;
        }
        let observation = Observation {
            id,
            kind,
            value,
            timing,
            quality,
            deviation,
            source: table.need_text("source", "who says so")?,
        };
        table.finish()?;
        Ok(observation)
    }

    fn value(&self, table: &Fields<'_, '_>, variable: &str) -> Result<ObservedValue, RoutesError> {
        let given: Vec<&str> = ["value", "values", "file"]
            .into_iter()
            .filter(|key| table.has(key))
            .collect();
        if given.len() != 1 {
            return Err(table.wrong(
                given.get(1).copied().unwrap_or("value"),
                format!("{} of value, values and file are given", given.len()),
                "give exactly one",
            ));
        }
        let unit = table.unit("unit")?;
        if let Some(unit) = &unit {
            check_unit(table, "unit", variable, unit)?;
        }
        match given[0] {
            "file" => {
                let path = self.path(table, &table.need_text("file", "a path")?)?;
                let epsg = table.number("epsg")?.map(|code| code as u32);
                Ok(ObservedValue::File(FileValue { path, unit, epsg }))
            }
            "values" => {
                let values = table.numbers("values")?.unwrap_or_default();
                let step = table.quantity_in("step", "s")?.ok_or_else(|| {
                    table.wrong(
                        "step",
                        "it is missing",
                        "write the time between two values, such as \"5 min\"",
                    )
                })?;
                let unit = unit.ok_or_else(|| {
                    table.wrong("unit", "it is missing", "write the unit of the values")
                })?;
                if values.is_empty() {
                    return Err(table.wrong("values", "no value stands here", "give at least one"));
                }
                Ok(ObservedValue::Given(Value::Series(Series {
                    values,
                    unit,
                    step,
                    start: table.time("start")?,
                })))
            }
            _ => single_value(table, variable, unit).map(ObservedValue::Given),
        }
    }

    /// A path inside the task's folder, unless it may lie outside.
    fn path(&self, table: &Fields<'_, '_>, text: &str) -> Result<PathBuf, RoutesError> {
        let Some(folder) = self.folder else {
            return Err(table.wrong(
                "file",
                "this task was not read from a file, so it has no folder",
                "give the value itself",
            ));
        };
        let outside = |path: PathBuf| RoutesError::Outside {
            file: table.file().to_owned(),
            line: table.line("file"),
            key: table.path("file"),
            path,
        };
        let path = folder.join(text);
        let climbs = Path::new(text)
            .components()
            .any(|part| !matches!(part, Component::Normal(_) | Component::CurDir));
        if climbs && !self.options.allow_outside {
            return Err(outside(path));
        }
        let real = path.canonicalize().map_err(|error| {
            table.wrong(
                "file",
                format!("`{}` cannot be read: {error}", path.display()),
                "write the path from the task's folder",
            )
        })?;
        // A link inside the folder may lead out of it.
        let within = folder
            .canonicalize()
            .is_ok_and(|root| real.starts_with(root));
        if !within && !self.options.allow_outside {
            return Err(outside(real));
        }
        if !real.is_file() {
            return Err(table.wrong("file", "it is no file", "name a file"));
        }
        Ok(path)
    }

    fn obtainable(&self, table: &Fields<'_, '_>) -> Result<Obtainable, RoutesError> {
        let variable = known_variable(table, "variable")?;
        let positive = |key: &str, otherwise: f64| -> Result<f64, RoutesError> {
            let number = table.number(key)?.unwrap_or(otherwise);
            match number >= 0.0 {
                true => Ok(number),
                false => Err(table.wrong(key, "it is negative", "write 0 or more")),
            }
        };
        let found = Obtainable {
            cost: positive("cost", 1.0)?,
            seconds: positive("seconds", 0.0)?,
            observation: match table.table("observation")? {
                None => None,
                Some(inner) => Some(self.observation(&inner)?),
            },
            variable,
        };
        if let Some(observation) = &found.observation
            && observation.kind.variable != found.variable
        {
            return Err(table.wrong(
                "observation.variable",
                format!("it is `{}`", observation.kind.variable),
                format!("write `{}`", found.variable),
            ));
        }
        table.finish()?;
        Ok(found)
    }
}

/// An output contract, as tasks and cards write it.
pub(crate) fn output(fields: &Fields<'_, '_>) -> Result<OutputContract, RoutesError> {
    let table = fields.need_table("output", "[output] with at least a variable")?;
    let variable = known_variable(&table, "variable")?;
    let unit = match table.unit("unit")? {
        Some(unit) => {
            check_unit(&table, "unit", &variable, &unit)?;
            PortUnit::Of(unit)
        }
        None => usual_unit(&variable),
    };
    let kind = PortType {
        representation: table.word("representation")?.unwrap_or(match &unit {
            PortUnit::None => Representation::Word,
            _ => Representation::Number,
        }),
        unit,
        ..supports(&table, variable)?
    };
    let contract = OutputContract {
        kind,
        stages: table.texts("stages")?,
    };
    table.finish()?;
    Ok(contract)
}

/// The supports, resolution and uncertainty of a table, with a number as representation.
fn supports(table: &Fields<'_, '_>, variable: String) -> Result<PortType, RoutesError> {
    let usual = vocabulary::entry(&variable).and_then(|entry| entry.supports);
    let (space, time) = usual.unwrap_or((Support::Point, Support::Static));
    Ok(PortType {
        variable,
        unit: PortUnit::None,
        representation: Representation::Number,
        space: table.word("support")?.unwrap_or(space),
        time: table.word("time_support")?.unwrap_or(time),
        resolution: table.quantity("resolution")?,
        uncertainty: table
            .word::<UncertaintyKind>("uncertainty")?
            .unwrap_or_default(),
        lineage: table.word::<Lineage>("lineage")?.unwrap_or_default(),
    })
}

fn known_variable(table: &Fields<'_, '_>, key: &str) -> Result<String, RoutesError> {
    let variable = table.need_text(key, "a variable of the vocabulary")?;
    match vocabulary::entry(&variable) {
        Some(_) => Ok(variable),
        None => Err(table.wrong(
            key,
            format!("there is no variable `{variable}`"),
            vocabulary::hint(&variable),
        )),
    }
}

fn usual_unit(variable: &str) -> PortUnit {
    let unit = vocabulary::entry(variable).map(|entry| entry.unit.clone());
    match unit.filter(|unit| !unit.is_empty() && unit != lahar_hazards::registry::ANY_UNIT) {
        Some(unit) => unit.parse().map_or(PortUnit::None, PortUnit::Of),
        None => PortUnit::None,
    }
}

fn check_unit(
    table: &Fields<'_, '_>,
    key: &str,
    variable: &str,
    unit: &Unit,
) -> Result<(), RoutesError> {
    if let PortUnit::Of(usual) = usual_unit(variable)
        && let Err(error) = unit.check_convertible(&usual)
    {
        let next = format!("`{variable}` is counted in such as `{}`", usual.symbol());
        return Err(table.wrong(key, error, next));
    }
    Ok(())
}

fn single_value(
    table: &Fields<'_, '_>,
    variable: &str,
    unit: Option<Unit>,
) -> Result<Value, RoutesError> {
    if table.shape("value") != Some("string") {
        let number = table.number("value")?.unwrap_or(f64::NAN);
        let unit = match (unit, usual_unit(variable)) {
            (Some(unit), _) => unit,
            // A bare number stands for a number without a dimension, and for nothing else.
            (None, PortUnit::Of(usual))
                if usual.symbol() == "1" || usual.symbol() == "fraction" =>
            {
                usual
            }
            (None, _) => {
                return Err(table.wrong(
                    "value",
                    format!("{number} has no unit"),
                    "write it with its unit, such as \"24 mm/h\", or give `unit`",
                ));
            }
        };
        return Ok(Value::Quantity(Quantity::new(number, unit)));
    }
    let text = table.need_text("value", "a value")?;
    let counted = matches!(usual_unit(variable), PortUnit::Of(_));
    match text.parse::<Quantity>() {
        Ok(quantity) => {
            check_unit(table, "value", variable, quantity.unit())?;
            Ok(Value::Quantity(quantity))
        }
        Err(error) if counted => Err(table.wrong(
            "value",
            error,
            "write a value and a unit, such as \"24 mm/h\"",
        )),
        Err(_) => Ok(Value::Label(text)),
    }
}

fn timing(table: &Fields<'_, '_>) -> Result<Timing, RoutesError> {
    let published = table.need_time("publication_time", "when it was published, in UTC")?;
    let (from, until) = match table.time("valid_time")? {
        Some(moment) if table.has("valid_from") || table.has("valid_until") => {
            return Err(table.wrong(
                "valid_time",
                format!("it says {moment}, and valid_from or valid_until say it too"),
                "give either valid_time, or both of the others",
            ));
        }
        Some(moment) => (moment, moment),
        None => {
            let from = table.time("valid_from")?.unwrap_or(published);
            (from, table.time("valid_until")?.unwrap_or(from))
        }
    };
    if from > until {
        return Err(table.wrong(
            "valid_until",
            format!("it ends at {until}, before it begins at {from}"),
            "swap the two",
        ));
    }
    Ok(Timing {
        valid_from: from,
        valid_until: until,
        published,
    })
}

fn health(fields: &Fields<'_, '_>) -> Result<BTreeMap<String, Health>, RoutesError> {
    let Some(table) = fields.table("capabilities")? else {
        return Ok(BTreeMap::new());
    };
    let mut health = BTreeMap::new();
    for name in table.keys() {
        let word = table.need_word(&name, "available, degraded, lost or unknown")?;
        health.insert(name, word);
    }
    Ok(health)
}

fn budget(fields: &Fields<'_, '_>) -> Result<Budget, RoutesError> {
    let mut budget = Budget::default();
    let Some(table) = fields.table("budget")? else {
        return Ok(budget);
    };
    for (key, place) in [("seconds", &mut budget.seconds), ("cost", &mut budget.cost)] {
        if let Some(number) = table.number(key)? {
            if number < 0.0 {
                return Err(table.wrong(key, "it is negative", "write 0 or more"));
            }
            *place = number;
        }
    }
    if let Some(steps) = table.number("steps")? {
        if steps < 0.0 || steps.fract() != 0.0 || steps > 1e6 {
            return Err(table.wrong(
                "steps",
                "it is no count of steps",
                "write a whole number from 0 to 1000000",
            ));
        }
        budget.steps = steps as u64;
    }
    table.finish()?;
    Ok(budget)
}
