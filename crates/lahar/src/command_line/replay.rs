//! `lahar replay`: runs the task of a record again and compares.

use std::path::PathBuf;

use clap::Args;
use lahar_routes::card::shipped;
use lahar_routes::graph::Registry;
use lahar_routes::run::carry_out::{self, AnalysisError};
use lahar_routes::run::record::{RUN_FIELDS, RecordError, StoredRecord};
use lahar_routes::run::staging::StagedFolder;

use super::{Done, analyse};
use crate::failure::Failure;
use crate::output::Output;

/// Run the task of a record again: the bytes of its files are equal, and so is the record once the
/// fields of time and host are out.
#[derive(Debug, Args)]
pub(super) struct Replay {
    /// The folder of a run, or the `ro-crate-metadata.json` in it.
    #[arg(value_name = "RUN_RECORD")]
    record: PathBuf,
    /// Keep the second run in this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Replay {
    pub(super) fn run(self, output: Output) -> Result<Done, Failure> {
        let record = StoredRecord::open(&self.record)?;
        let place = match &self.out {
            Some(out) => out.clone(),
            None => std::env::temp_dir().join(format!("lahar-replay-{}", std::process::id())),
        };
        let staged = StagedFolder::begin(&place, false, carry_out::is_run)?;
        let mut executor = analyse::executor(output)?;
        let comparison = carry_out::replay(
            &record,
            shipped::all()?,
            Registry::standard(),
            &mut executor,
            env!("CARGO_PKG_VERSION"),
            &staged,
        )?;
        if self.out.is_some() {
            staged.place()?;
        }
        let value = serde_json::json!({
            "equal": comparison.is_equal(),
            "files": {"equal": comparison.equal, "different": comparison.different},
            "record_equal": comparison.record_equal,
            "left_out": RUN_FIELDS,
            "made_by": comparison.made_by,
        });
        output.result(&value, || {
            let mut text = format!(
                "{} files are equal, byte by byte.\n",
                comparison.equal.len()
            );
            for file in &comparison.different {
                text.push_str(&format!("DIFFERENT: {file}\n"));
            }
            text.push_str(match comparison.record_equal {
                true => "The record is equal but for time and host.\n",
                false => "DIFFERENT: the record, beyond time and host.\n",
            });
            if let Some(version) = &comparison.made_by {
                text.push_str(&format!(
                    "It was made by version {version} of this program.\n"
                ));
            }
            text
        });
        Ok(match comparison.is_equal() {
            true => Done::Well,
            false => Done::Badly,
        })
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Failure {
        AnalysisError::from(error).into()
    }
}
