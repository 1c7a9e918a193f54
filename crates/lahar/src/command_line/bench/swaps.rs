//! `lahar bench build-swaps`: the same questions asked of many places, and a corpus to answer some.

use std::path::PathBuf;

use clap::Args;
use lahar_bench::swaps::{Wanted, build, statistics, write};

use crate::command_line::Done;
use crate::failure::{Failure, Kind};
use crate::output::Output;

#[derive(Debug, Args)]
pub(super) struct BuildSwaps {
    /// Folder for the questions, the corpus and the level table; made where it is missing.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The same seed gives the same files.
    #[arg(long, default_value_t = Wanted::default().seed)]
    seed: u64,
    /// How many of the 24 things to ask are asked.
    #[arg(long, value_name = "N", default_value_t = Wanted::default().facets)]
    facets: usize,
    /// Of how many places each is asked.
    #[arg(long, value_name = "N", default_value_t = Wanted::default().places)]
    places: usize,
}

impl BuildSwaps {
    pub(super) fn run(self, output: Output) -> Result<Done, Failure> {
        let whole = Wanted::default();
        if self.facets == 0 || self.facets > whole.facets || self.places == 0 {
            let message = format!(
                "there are {} things to ask, each of at least one place",
                whole.facets
            );
            return Err(Failure::new(Kind::Usage, message).hint("leave --facets and --places out"));
        }
        let wanted = Wanted {
            seed: self.seed,
            facets: self.facets,
            places: self.places,
        };
        let failed = |error: &dyn std::fmt::Display| {
            Failure::new(Kind::File, format!("the set cannot be written: {error}"))
                .at(self.out.display())
        };
        let set = build(&wanted).map_err(|error| failed(&error))?;
        write::write(&set, &wanted, &self.out).map_err(|error| failed(&error))?;
        let counted = statistics::statistics(&set);
        output.result(&counted, || {
            format!(
                "{}\n{}: {} questions, {} documents",
                statistics::table(&counted),
                self.out.display(),
                set.questions.len(),
                set.documents.len()
            )
        });
        Ok(Done::Well)
    }
}
