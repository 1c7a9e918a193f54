//! Scripted episodes of the agent: a task, what happens on the way, and which routes may be used
//! before and after each event. They ship as files under `episodes/`; `docs/episodes.md` says how
//! one is written.
//!
//! | module | holds |
//! |---|---|
//! | [`mod@read`] | an episode from TOML |
//! | [`mod@play`] | running one with a scripted world, and comparing what came of it |
//! | [`replay`] | the state at the end, from the recorded changes alone |
//! | [`conditions`] | whether a condition holds, by an evaluator of its own |
//! | [`reach`] | what can be had at best from what is at hand |
//! | [`certificate`] | whether what an abstention claims is so |
//! | [`shape`] | what is left of an episode without its names and numbers |
//!
//! The last five share no code with the agent's eligibility, planning and search.

pub mod certificate;
pub mod conditions;
pub mod play;
pub mod reach;
pub mod read;
pub mod replay;
pub mod shape;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use play::{Outcome, play};
pub use read::{Episode, EpisodeError};

include!(concat!(env!("OUT_DIR"), "/episodes.rs"));

/// What an episode is about (HazardWeaver, arXiv:2610.03591, section 4, kinds of events).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A value comes in another unit and is converted.
    UnitMismatchMended,
    /// A capability is lost on the way, and something takes its place.
    CapabilityReplaced,
    /// What was missing comes after the run has begun.
    LateEvidence,
    /// The place lies outside the region of calibration, or its lying is not known.
    OutsideCalibration,
    /// What was published after the decision time is refused.
    AfterCutoff,
    /// Sources or observations disagree.
    ConflictingSources,
    /// No route may be used at first, and one is made usable.
    Recovered,
    /// No route may be used, and nothing changes that.
    NothingRecoverable,
    /// The budget does not last.
    BudgetExhausted,
    /// A part of a cascade does not answer for the whole.
    IncompleteCascade,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 10] = [
        Kind::UnitMismatchMended,
        Kind::CapabilityReplaced,
        Kind::LateEvidence,
        Kind::OutsideCalibration,
        Kind::AfterCutoff,
        Kind::ConflictingSources,
        Kind::Recovered,
        Kind::NothingRecoverable,
        Kind::BudgetExhausted,
        Kind::IncompleteCascade,
    ];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Kind::UnitMismatchMended => "unit mismatch mended",
            Kind::CapabilityReplaced => "capability lost and replaced",
            Kind::LateEvidence => "evidence arriving late",
            Kind::OutsideCalibration => "region outside calibration",
            Kind::AfterCutoff => "post-cutoff data refused",
            Kind::ConflictingSources => "conflicting sources",
            Kind::Recovered => "nothing eligible, then recovered",
            Kind::NothingRecoverable => "nothing recoverable, abstained",
            Kind::BudgetExhausted => "budget exhausted",
            Kind::IncompleteCascade => "incomplete cascade refused",
        }
    }
}

/// The episodes that ship, by file.
///
/// ```
/// assert!(lahar_bench::episodes::shipped().unwrap().len() >= 60);
/// ```
pub fn shipped() -> Result<Vec<Episode>, EpisodeError> {
    FILES
        .iter()
        .map(|(file, text)| Episode::parse(file, text))
        .collect()
}

/// How the episodes of one kind went.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// As written.
    pub passed: usize,
    /// Otherwise.
    pub failed: usize,
    /// Abstentions whose certificates were re-checked and hold.
    pub certificates: usize,
}

/// Counts outcomes by kind.
pub fn tally(outcomes: &[Outcome]) -> BTreeMap<Kind, Tally> {
    let mut all: BTreeMap<Kind, Tally> = BTreeMap::new();
    for outcome in outcomes {
        let tally = all.entry(outcome.kind).or_default();
        match outcome.faults.is_empty() {
            true => tally.passed += 1,
            false => tally.failed += 1,
        }
        tally.certificates += usize::from(outcome.certificate_holds == Some(true));
    }
    all
}

/// The counts as a table, and what went otherwise below it.
pub fn table(outcomes: &[Outcome]) -> String {
    let mut text = format!(
        "{:<34} {:>8} {:>8} {:>8} {:>13}\n",
        "kind", "episodes", "passed", "failed", "certificates"
    );
    let mut sum = Tally::default();
    for (kind, tally) in tally(outcomes) {
        let all = tally.passed + tally.failed;
        text.push_str(&format!(
            "{:<34} {all:>8} {:>8} {:>8} {:>13}\n",
            kind.words(),
            tally.passed,
            tally.failed,
            tally.certificates
        ));
        sum.passed += tally.passed;
        sum.failed += tally.failed;
        sum.certificates += tally.certificates;
    }
    text.push_str(&format!(
        "{:<34} {:>8} {:>8} {:>8} {:>13}\n",
        "all",
        sum.passed + sum.failed,
        sum.passed,
        sum.failed,
        sum.certificates
    ));
    for outcome in outcomes.iter().filter(|o| !o.faults.is_empty()) {
        text.push_str(&format!("\n{}\n", outcome.name));
        for fault in &outcome.faults {
            text.push_str(&format!("  {fault}\n"));
        }
    }
    text
}
