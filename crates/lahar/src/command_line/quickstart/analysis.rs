//! The sample analysis: a made valley with a made burn, from elevation to hazard classes.

use lahar_routes::run::analysis::REPORT;
use lahar_routes::run::carry_out::{self, Written};
use lahar_routes::run::staging::StagedFolder;
use serde_json::{Value as Json, json};

use super::super::analyse;
use super::samples;
use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::workplace::Workplace;

/// Runs it beside the sample library; what an earlier quickstart left there is replaced.
pub(super) fn run(workplace: &Workplace, output: Output) -> Result<Json, Failure> {
    let mut folder = workplace.library.with_extension("").into_os_string();
    folder.push("-analysis");
    let folder = std::path::PathBuf::from(folder);
    samples::write_analysis(&folder)?;
    let file = folder.join("task.toml");
    let text = std::fs::read_to_string(&file).map_err(|error| {
        Failure::new(Kind::File, format!("it cannot be read: {error}")).at(file.display())
    })?;
    let written = Written {
        file: &file.display().to_string(),
        text: &text,
        folder: Some(&folder),
        allow_outside: false,
    };
    let place = folder.join("run");
    let staged = StagedFolder::begin(&place, true, carry_out::is_run)?;
    let quotes = analyse::quotes(workplace, output, &[])?;
    let carried = analyse::carry(
        &written,
        quotes,
        &[],
        lahar_routes::agent::Policy::Rules,
        &staged,
        output,
    )?;
    let place = staged.place()?;
    let page = &carried.kept.page;
    let report = place.join(REPORT);
    output.line(&format!(
        "! {}\n  {}\n  {}\n  Report with map: {}\n",
        page.title,
        page.answer,
        page.origin_of_inputs(),
        report.display()
    ));
    Ok(json!({
        "task": carried.task.id,
        "answer": page.answer,
        "made_inputs": page.made_inputs(),
        "report": report,
        "run_record": place,
    }))
}
