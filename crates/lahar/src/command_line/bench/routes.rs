//! `lahar bench routes`: does the agent do what the scripted episodes say?

use clap::Args;
use lahar_bench::episodes::{self, Kind, Outcome, Tally};
use lahar_routes::Trajectory;
use serde::Serialize;
use std::collections::BTreeMap;

use crate::command_line::Done;
use crate::failure::{Failure, Kind as FailureKind};
use crate::output::Output;

#[derive(Debug, Args)]
pub(super) struct Routes {
    /// Play one episode, and show its steps: its name, or the end of it.
    #[arg(long, value_name = "NAME")]
    episode: Option<String>,
}

/// What was found.
#[derive(Debug, Serialize)]
struct Report<'o> {
    kinds: BTreeMap<Kind, Tally>,
    episodes: &'o [Outcome],
}

/// One episode with its run.
#[derive(Debug, Serialize)]
struct One<'o> {
    #[serde(flatten)]
    outcome: &'o Outcome,
    trajectory: &'o Trajectory,
}

fn failed(error: &episodes::EpisodeError) -> Failure {
    Failure::new(FailureKind::File, error.to_string())
}

impl Routes {
    pub(super) fn run(self, output: Output) -> Result<Done, Failure> {
        let mut all = episodes::shipped().map_err(|error| failed(&error))?;
        if let Some(name) = &self.episode {
            all.retain(|episode| episode.name.ends_with(name.as_str()));
            if all.is_empty() {
                let message = format!("there is no episode `{name}`");
                return Err(Failure::new(FailureKind::Usage, message)
                    .hint("`lahar bench routes --json` names them all"));
            }
        }
        let mut outcomes = Vec::with_capacity(all.len());
        for episode in &all {
            outcomes.push(episodes::play(episode).map_err(|error| failed(&error))?);
        }
        match (&self.episode, outcomes.as_slice()) {
            (Some(_), [outcome]) => {
                let one = One {
                    outcome,
                    trajectory: &outcome.trajectory,
                };
                output.result(&one, || steps(&all[0].about, outcome));
            }
            _ => {
                let report = Report {
                    kinds: episodes::tally(&outcomes),
                    episodes: &outcomes,
                };
                output.result(&report, || episodes::table(&outcomes));
            }
        }
        match outcomes.iter().all(|outcome| outcome.faults.is_empty()) {
            true => Ok(Done::Well),
            false => Ok(Done::Badly),
        }
    }
}

/// One run, step by step.
fn steps(about: &str, outcome: &Outcome) -> String {
    let mut text = format!("{}\n{about}\n\n", outcome.name);
    for step in &outcome.trajectory.steps {
        let operation = serde_json::to_value(&step.operation).unwrap_or_default();
        let mut words: Vec<&str> = vec![operation["operation"].as_str().unwrap_or_default()];
        for key in ["capability", "variable", "route", "to", "artifact"] {
            words.extend(operation[key].as_str());
        }
        let eligible = match step.eligible.is_empty() {
            true => "no route".to_owned(),
            false => step.eligible.join(", "),
        };
        text.push_str(&format!(
            "{:>3}  {}\n     {}\n     eligible: {eligible}\n",
            step.number,
            words.join(" "),
            step.note
        ));
    }
    match outcome.certificate_holds {
        Some(true) => text.push_str("\nThe certificate was re-checked, and holds.\n"),
        Some(false) => text.push_str("\nThe certificate was re-checked, and does not hold.\n"),
        None => {}
    }
    for fault in &outcome.faults {
        text.push_str(&format!("\nnot as written: {fault}\n"));
    }
    text
}
