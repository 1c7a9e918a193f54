//! A task from TOML, with the line of whatever is wrong.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use lahar_core::Hazard;
use lahar_core::capability::{Support, Value};
use lahar_core::series::Series;

use crate::error::RoutesError;
use crate::fields::{Fields, LARGEST_FILE, Source};
use crate::port::{Lineage, PortUnit, Representation, UncertaintyKind, representation_of, unit_of};

use super::files::{self, FileValue};
use super::terms::{
    budget, check_unit, health, known_variable, output, single_value, supports, timing, usual_unit,
    widen,
};
use super::{
    Area, Event, Observation, ObservedValue, Obtainable, Override, Quality, Recovery, Task,
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
        let table = fields.need_table("area", "[area] with place, point, box or file")?;
        let given: Vec<&str> = ["place", "point", "box", "file"]
            .into_iter()
            .filter(|key| table.has(key))
            .collect();
        if given.len() != 1 {
            return Err(table.wrong(
                given.get(1).copied().unwrap_or(""),
                format!("{} of place, point, box and file are given", given.len()),
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
            "file" => Area::Box(self.bounds(&table)?),
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

    /// The box around the shapes of a file in longitude and latitude.
    fn bounds(&self, table: &Fields<'_, '_>) -> Result<[f64; 4], RoutesError> {
        let path = self.path(table, &table.need_text("file", "a path")?)?;
        let file = FileValue {
            path,
            unit: None,
            epsg: None,
        };
        let Value::Features(features) = file.read()? else {
            return Err(table.wrong("file", "it holds no shapes", "name a .geojson or .shp"));
        };
        let mut bounds = [180.0, 90.0, -180.0, -90.0];
        for shape in features.iter().filter_map(|feature| feature.shape.as_ref()) {
            widen(&mut bounds, shape);
        }
        let [west, south, east, north] = bounds;
        let on_earth = west >= -180.0 && east <= 180.0 && south >= -90.0 && north <= 90.0;
        if west > east || south > north || !on_earth {
            return Err(table.wrong(
                "file",
                "its shapes are not in longitude and latitude, or there are none",
                "give shapes in EPSG:4326",
            ));
        }
        Ok(bounds)
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
                    // A table says its unit in its header.
                    (Representation::Series, _) => unit_of(&file.read()?),
                    (Representation::Shapes | Representation::Trees, _) => PortUnit::None,
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
