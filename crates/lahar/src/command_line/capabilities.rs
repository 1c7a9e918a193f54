//! `lahar capabilities`: the scientific models, what each needs, and running one.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use lahar_core::capability::{Availability, Capability, PortKind, Presence, Value};
use lahar_hazards::error::HazardError;
use lahar_hazards::registry::{self, Report};

mod files;
mod picture;

use super::Done;
use crate::failure::{Failure, Kind};
use crate::output::Output;

/// Largest input, in bytes.
const LARGEST_INPUT: u64 = 64 << 20;

/// List, show and run scientific models.
#[derive(Debug, Args)]
pub(super) struct Capabilities {
    #[command(subcommand)]
    command: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Every capability by name.
    List,
    /// What one takes and gives, when it holds, and what says so.
    Show {
        /// Its name.
        name: String,
    },
    /// Run one on values with units, and on grids and shapes in files.
    ///
    /// Values are given by port, as `rainfall="6 mm"` or in JSON. A file is given as
    /// `elevation=@dem.tif,m`: its name, the unit of its values, and where it does not say its
    /// coordinate system that too (`@dem.asc,m,EPSG:4326`, or `local` for metres from a corner).
    Run {
        /// Its name.
        name: String,
        /// Values by port.
        #[arg(value_name = "PORT=VALUE")]
        values: Vec<String>,
        /// JSON by port: {"rainfall": {"value": 6, "unit": "mm"}, "duration": "15 min",
        /// "elevation": {"file": "dem.tif", "unit": "m", "cells": [0, 0, 500, 500]}}, where `cells`
        /// takes a part only: first row and column, rows and columns; `-` reads standard input, and so does
        /// a run that is given no value at all.
        #[arg(long, value_name = "FILE")]
        input: Option<PathBuf>,
        /// Write a grid to a GeoTIFF (`.tif`; `.cog.tif` with overviews) or an ASCII grid (`.asc`), a series to `.csv`, shapes to `.geojson`.
        #[arg(long, value_name = "PORT=FILE")]
        save: Vec<String>,
    },
    /// Draw an elevation model in relief, with the classes of its cells in colour.
    Picture(picture::Drawing),
}

impl Capabilities {
    pub(super) fn run(self, output: Output) -> Result<Done, Failure> {
        match self.command {
            Action::List => list(output),
            Action::Show { name } => show(output, &name),
            Action::Run {
                name,
                values,
                input,
                save,
            } => run(output, &name, &values, input.as_deref(), &save),
            Action::Picture(drawing) => drawing.draw(output),
        }
    }
}

fn list(output: Output) -> Result<Done, Failure> {
    let all: Vec<&Capability> = registry::all().map(|r| &r.capability).collect();
    output.result(&serde_json::json!({ "capabilities": all }), || {
        let lines = all.iter().map(|capability| {
            let mark = match capability.availability {
                Availability::Available => String::new(),
                Availability::Unavailable(why) => format!("  [unavailable: {why}]"),
                _ => "  [unavailable]".to_owned(),
            };
            format!("{:<48} {}{mark}", capability.name, capability.function)
        });
        lines.collect::<Vec<_>>().join("\n")
    });
    Ok(Done::Well)
}

fn show(output: Output, name: &str) -> Result<Done, Failure> {
    let capability = &registry::find(name)?.capability;
    output.result(capability, || for_people(capability));
    Ok(Done::Well)
}

fn for_people(capability: &Capability) -> String {
    let mut text = format!(
        "{} ({})\n{}\nsource: {}\n",
        capability.name, capability.track, capability.function, capability.citation
    );
    if let Availability::Unavailable(why) = capability.availability {
        text.push_str(&format!("UNAVAILABLE: {why}\n"));
    }
    for (title, ports) in [("takes", capability.inputs), ("gives", capability.outputs)] {
        text.push_str(&format!("{title}:\n"));
        for port in ports {
            let kind = match port.kind {
                PortKind::Number {
                    unit,
                    lowest,
                    highest,
                } => {
                    format!("{lowest} to {highest} {unit}")
                }
                PortKind::Label { one_of } => one_of.join(" | "),
                PortKind::Series { unit } => format!("series, {unit}"),
                PortKind::Grid { unit } => format!("grid, {unit}"),
                PortKind::Features => "shapes".to_owned(),
                PortKind::Trees { features } => {
                    format!("file of trees over {}", features.join(", "))
                }
                _ => "another kind of value".to_owned(),
            };
            let presence = match port.presence {
                Presence::Required => String::new(),
                Presence::Optional => ", may be left out".to_owned(),
                Presence::Default(value) => format!(", {value} where left out"),
            };
            text.push_str(&format!(
                "  {}: {} ({kind}{presence})\n",
                port.name, port.variable
            ));
        }
    }
    if !capability.conditions.is_empty() {
        text.push_str("holds when:\n");
    }
    for condition in capability.conditions {
        text.push_str(&format!(
            "  {} [{}]\n",
            condition.reading, condition.citation
        ));
    }
    text
}

fn run(
    output: Output,
    name: &str,
    values: &[String],
    input: Option<&Path>,
    save: &[String],
) -> Result<Done, Failure> {
    let registration = registry::find(name)?;
    let hint = || format!("`lahar capabilities show {name}` lists the ports");
    let mut inputs: BTreeMap<String, Value> = BTreeMap::new();
    let standard_input = Path::new("-");
    let input = input.or_else(|| values.is_empty().then_some(standard_input));
    if let Some(input) = input {
        inputs = files::from_json(&read_text(input)?)
            .map_err(|failure| failure.at(input.display()).hint(hint()))?;
    }
    for pair in values {
        let (port, text) = files::pair(pair, "PORT=VALUE")?;
        let kind = registration
            .capability
            .inputs
            .iter()
            .find(|known| known.name == port);
        inputs.insert(
            port.to_owned(),
            files::written(kind.map(|port| port.kind), text)?,
        );
    }
    let save = save.iter().map(|pair| files::pair(pair, "PORT=FILE"));
    let save = save.collect::<Result<Vec<_>, _>>()?;
    let grids = registration.capability.outputs.iter().map(|port| port.name);
    let grids: Vec<&str> = grids.collect();
    if let Some((port, _)) = save.iter().find(|(port, _)| !grids.contains(port)) {
        let message = format!("{name} gives no `{port}`; it gives: {}", grids.join(", "));
        return Err(Failure::new(Kind::Usage, message).hint(hint()));
    }
    let report = registration.run(&inputs)?;
    for (port, path) in save {
        files::save(&report, port, Path::new(path))?;
    }
    output.result(&report, || report_for_people(&report));
    Ok(Done::Well)
}

fn read_text(input: &Path) -> Result<String, Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(Kind::File, format!("the input cannot be read: {error}")).at(input.display())
    };
    let mut text = String::new();
    if input.as_os_str() == "-" {
        std::io::stdin()
            .lock()
            .take(LARGEST_INPUT)
            .read_to_string(&mut text)
            .map_err(failed)?;
    } else {
        let file = std::fs::File::open(input).map_err(failed)?;
        file.take(LARGEST_INPUT)
            .read_to_string(&mut text)
            .map_err(failed)?;
    }
    Ok(text)
}

fn report_for_people(report: &Report) -> String {
    let mut text = String::new();
    for (port, value) in &report.outputs {
        let shown = match value {
            Value::Quantity(quantity) => quantity.to_string(),
            Value::Features(shapes) => format!("{} shapes", shapes.len()),
            other => serde_json::to_string(other).unwrap_or_default(),
        };
        text.push_str(&format!("{port}: {shown}\n"));
    }
    for check in report.checks.iter().filter(|check| !check.holds) {
        text.push_str(&format!(
            "IMPOSSIBLE: {} is not {}\n",
            check.port, check.rule
        ));
    }
    for (reason, count) in &report.cells_without_result {
        text.push_str(&format!("{count} cells have no result: {reason}\n"));
    }
    for verdict in &report.conditions {
        let word = serde_json::to_value(verdict.status).unwrap_or_default();
        let found = verdict
            .found
            .as_deref()
            .map_or(String::new(), |found| format!(", found {found}"));
        text.push_str(&format!(
            "{}: {}{found} [{}]\n",
            word.as_str().unwrap_or("condition"),
            verdict.reading,
            verdict.citation
        ));
    }
    text
}

impl From<HazardError> for Failure {
    fn from(error: HazardError) -> Failure {
        Failure::new(Kind::Capability, error.to_string())
    }
}
