//! Whether a route may be used, scientifically (HazardWeaver, arXiv:2610.03591, equation 2).
//!
//! Each condition is judged on what is at hand: satisfied, violated, or undetermined. A route is
//! applicable where all required conditions are satisfied, inapplicable where one is violated,
//! and undetermined otherwise; strict conditions are required, advisory ones keep a route out
//! only while they are violated and nobody has set them aside. A condition without a source is
//! undetermined, whatever the case.
//!
//! | module | holds |
//! |---|---|
//! | [`area`] | how the task's area lies to regions of calibration |
//! | [`case`] | what is known of a case: the task's own facts and the artifacts at hand |
//! | [`judge`] | one condition on one case |

pub mod area;
pub mod case;
pub mod judge;

use std::collections::BTreeMap;

use lahar_places::Gazetteer;

use crate::card::{Card, Condition, Statement};
use crate::evidence::QuoteBook;
use crate::state::State;
use crate::task::Task;
use crate::trajectory::Applicability;
use crate::verdict::{Evidence, Truth, Verdict};

pub use area::{AreaReading, Lies};
pub use case::Case;
pub use judge::Finding;

/// The cards of a task, with everything about them that does not change during its analysis: how
/// regions lie to the area, which sentences stand in the library.
#[derive(Debug)]
pub struct Judge<'c> {
    cards: &'c [Card],
    regions: BTreeMap<&'c str, Lies>,
    evidence: Vec<Vec<Evidence>>,
    grouped: Vec<bool>,
}

impl<'c> Judge<'c> {
    /// Prepares cards for a task.
    pub fn new(task: &Task, cards: &'c [Card], quotes: &QuoteBook, gazetteer: &Gazetteer) -> Self {
        let area = AreaReading::of(gazetteer, &task.area);
        let mut regions = BTreeMap::new();
        for condition in cards.iter().flat_map(|card| &card.conditions) {
            if let Statement::Inside { places } = &condition.statement {
                for place in places {
                    regions
                        .entry(place.as_str())
                        .or_insert_with(|| area.lies_to(gazetteer, place));
                }
            }
        }
        let evidence = |card: &Card| card.conditions.iter().map(|c| quotes.evidence(c)).collect();
        Judge {
            cards,
            regions,
            evidence: cards.iter().map(evidence).collect(),
            grouped: cards
                .iter()
                .map(|card| card.conditions.iter().any(|c| c.group.is_some()))
                .collect(),
        }
    }

    /// The cards.
    pub fn cards(&self) -> &'c [Card] {
        self.cards
    }

    /// What is known at a state.
    pub fn case<'s>(&self, state: &'s State) -> Case<'s> {
        Case::of(state)
    }

    fn truth<'s>(&self, condition: &Condition, case: &Case<'s>) -> Finding<'s> {
        let finding = judge::judge(condition, case, &self.regions);
        match condition.direction {
            crate::card::Direction::Requires => finding,
            crate::card::Direction::Excludes => Finding {
                truth: !finding.truth,
                margin: None,
                ..finding
            },
        }
    }

    fn findings<'s>(&self, at: usize, case: &Case<'s>) -> Vec<Finding<'s>> {
        let card = &self.cards[at];
        let mut findings: Vec<Finding<'s>> = card
            .conditions
            .iter()
            .map(|condition| self.truth(condition, case))
            .collect();
        if self.grouped[at] {
            disagree(card, &mut findings);
        }
        findings
    }

    /// Whether the card of an index may be used. Cheap: no sentence is written.
    pub fn applicability(&self, at: usize, case: &Case<'_>) -> Applicability {
        let card = &self.cards[at];
        if self.grouped[at] {
            let findings = self.findings(at, case);
            let weighs = findings
                .iter()
                .enumerate()
                .map(|(index, finding)| self.weighs(at, index, finding.truth, case));
            return Truth::all(weighs).into();
        }
        let mut all = Truth::Satisfied;
        for (index, condition) in card.conditions.iter().enumerate() {
            let finding = self.truth(condition, case);
            all = all.and(self.weighs(at, index, finding.truth, case));
            if all == Truth::Violated {
                break;
            }
        }
        all.into()
    }

    fn weighs(&self, at: usize, index: usize, truth: Truth, case: &Case<'_>) -> Truth {
        let card = &self.cards[at];
        let condition = &card.conditions[index];
        let advisory = condition.strictness == lahar_core::capability::Strictness::Advisory;
        if advisory && case.is_set_aside(&card.id, &condition.id) {
            return Truth::Satisfied;
        }
        if self.evidence[at][index] == Evidence::Undetermined {
            return Truth::Undetermined;
        }
        match (advisory, truth) {
            (true, Truth::Undetermined) => Truth::Satisfied,
            (_, truth) => truth,
        }
    }

    /// What was found about each condition of the card of an index.
    pub fn verdicts(&self, at: usize, case: &Case<'_>) -> Vec<Verdict> {
        let card = &self.cards[at];
        let findings = self.findings(at, case);
        let verdict = |(index, finding): (usize, Finding<'_>)| {
            let condition = &card.conditions[index];
            let evidence = self.evidence[at][index].clone();
            judge::explain(card, condition, &finding, evidence, case, &self.regions)
        };
        findings.into_iter().enumerate().map(verdict).collect()
    }
}

/// Conditions of one group are one limit by several sources: where they disagree about a case,
/// all of them are undetermined.
fn disagree(card: &Card, findings: &mut [Finding<'_>]) {
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, condition) in card.conditions.iter().enumerate() {
        if let Some(group) = &condition.group {
            groups.entry(group).or_default().push(index);
        }
    }
    for members in groups.values() {
        let first = findings[members[0]].truth;
        if members.iter().any(|index| findings[*index].truth != first) {
            for index in members {
                findings[*index].truth = Truth::Undetermined;
                findings[*index].sources_disagree = true;
            }
        }
    }
}
