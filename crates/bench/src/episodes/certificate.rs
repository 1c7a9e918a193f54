//! Whether what the certificate of an abstention claims is so: every route of the task is named,
//! each is out for the reason that stands there, the budget that is left is what was not spent,
//! and no row of questions within that budget would let a route in.
//!
//! Not re-checked: that `unblock` is the cheapest way out, and the wording of reasons beyond the
//! condition, the port or the capability they name.

use std::collections::{BTreeMap, BTreeSet};

use lahar_routes::card::{Condition, Statement};
use lahar_routes::graph::Registry;
use lahar_routes::task::{Budget, Obtainable, Recovery};
use lahar_routes::trajectory::{Certificate, End};
use lahar_routes::vocabulary::is_kind_of;
use lahar_routes::{Card, Task, Trajectory};

use super::conditions::lets_in;
use super::reach::{Reach, out_of_use};
use super::replay::Situation;

/// At most so many rows of questions are looked at.
const MOST: usize = 512;

/// Checks the certificate of a run. `Ok(false)` where it ended with an artifact; otherwise what is
/// claimed and not so.
pub fn check(
    task: &Task,
    cards: &[Card],
    registry: &Registry,
    trajectory: &Trajectory,
) -> Result<bool, Vec<String>> {
    let End::Abstain { certificate } = &trajectory.end else {
        return Ok(false);
    };
    let situation = Situation::at_end(task, trajectory).map_err(|why| vec![why])?;
    let of_task = |card: &&Card| match task.track() {
        Some(track) => card.track == track,
        None => card
            .hazards
            .iter()
            .any(|hazard| task.hazards.contains(hazard)),
    };
    let check = Check {
        task,
        registry,
        cards: cards.iter().filter(of_task).collect(),
        certificate,
    };
    let mut faults = Vec::new();
    check.routes(&situation, &mut faults);
    check.search(&situation, &mut faults);
    match faults.is_empty() {
        true => Ok(true),
        false => Err(faults),
    }
}

struct Check<'a> {
    task: &'a Task,
    registry: &'a Registry,
    cards: Vec<&'a Card>,
    certificate: &'a Certificate,
}

fn same(one: &Budget, other: &Budget) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(1.0);
    one.steps == other.steps && near(one.seconds, other.seconds) && near(one.cost, other.cost)
}

impl Check<'_> {
    fn routes(&self, situation: &Situation, faults: &mut Vec<String>) {
        let named: BTreeSet<&str> = self
            .certificate
            .blocking
            .keys()
            .map(String::as_str)
            .collect();
        let all: BTreeSet<&str> = self.cards.iter().map(|card| card.id.as_str()).collect();
        if named != all {
            faults.push(format!(
                "it names {named:?}, and the task's routes are {all:?}"
            ));
        }
        if !same(&self.certificate.left, &situation.left) {
            faults.push(format!(
                "it says {:?} is left, and {:?} is",
                self.certificate.left, situation.left
            ));
        }
        let reason = &self.certificate.reason;
        let spent = reason.starts_with("the budget is exhausted");
        let kept = reason.contains("going over to another route is not permitted");
        if kept && self.task.recovery.contains(&Recovery::ChangeRoute) {
            faults.push("going over to another route is permitted".to_owned());
        }
        let hopes = BTreeSet::new();
        for card in &self.cards {
            let reasons = self.certificate.blocking.get(&card.id);
            for reason in reasons.into_iter().flatten() {
                if let Err(why) = self.confirm(situation, card, reason) {
                    faults.push(format!("{}: {why}", card.id));
                }
            }
            if self.is_out(situation, card, &hopes) {
                if reasons.is_none_or(Vec::is_empty) {
                    faults.push(format!("{}: it is out, and no reason is given", card.id));
                }
                continue;
            }
            let reach = Reach::of(card, self.registry, self.task, situation, &hopes);
            let steps = reach.least_calls() > situation.left.steps;
            let seconds = situation.left.seconds <= 0.0 && reach.least_calls() > 0;
            let mended = reasons
                .into_iter()
                .flatten()
                .any(|r| r.ends_with("not permitted"));
            if !(kept || mended || spent && (steps || seconds)) {
                faults.push(format!(
                    "{}: nothing is found that keeps it out, and {} steps are left for at least {}",
                    card.id,
                    situation.left.steps,
                    reach.least_calls()
                ));
            }
        }
        if let Some(unblock) = &self.certificate.unblock
            && (!all.contains(unblock.route.as_str()) || unblock.needs.is_empty())
        {
            faults.push(format!(
                "what would unblock `{}` is not said",
                unblock.route
            ));
        }
    }

    /// Whether a route is out for certain, even if what is hoped for comes.
    fn is_out(&self, situation: &Situation, card: &Card, hoped: &BTreeSet<String>) -> bool {
        let comes = |variable: &str| hoped.iter().any(|given| is_kind_of(given, variable));
        let decided_by_hope = |condition: &Condition| {
            let others: &[String] = match &condition.statement {
                Statement::Present { or } => or,
                _ => &[],
            };
            condition.citation.is_some()
                && (comes(&condition.variable) || others.iter().any(|other| comes(other)))
        };
        let keeps_out = |condition: &Condition| match lets_in(self.task, situation, card, condition)
        {
            Some(holds) => !holds,
            None => !decided_by_hope(condition),
        };
        !card.tasks.contains(&self.task.kind)
            || card.conditions.iter().any(keeps_out)
            || !Reach::of(card, self.registry, self.task, situation, hoped).reaches()
    }

    /// Whether a reason is so.
    fn confirm(&self, situation: &Situation, card: &Card, reason: &str) -> Result<(), String> {
        let so = |holds: bool| match holds {
            true => Ok(()),
            false => Err(format!("not so: {reason}")),
        };
        let reach = || Reach::of(card, self.registry, self.task, situation, &BTreeSet::new());
        if reason.starts_with("it answers no task of kind") {
            return so(!card.tasks.contains(&self.task.kind));
        }
        if reason.ends_with("which is not permitted") {
            let both = [
                Recovery::InsertTransformation,
                Recovery::SubstituteCapability,
            ];
            return so(both.iter().any(|it| !self.task.recovery.contains(it)));
        }
        if let Some((name, _)) = reason
            .strip_prefix('`')
            .and_then(|rest| rest.split_once("` cannot be called"))
        {
            let node = self.registry.find(name);
            let out = node.is_none_or(|n| out_of_use(n, self.task, situation).is_some());
            let own = card
                .stages
                .iter()
                .any(|stage| stage.any_of.iter().any(|n| n == name));
            return so(own && out);
        }
        if let Some((port, rest)) = reason
            .strip_prefix('`')
            .and_then(|rest| rest.split_once("` of "))
        {
            let (name, _) = rest.split_once(": ").unwrap_or((rest, ""));
            let reach = reach();
            if port == "output" && name == card.id {
                return so(reach.promise().is_some() || !reach.reaches());
            }
            let node = self.registry.find(name);
            let input = node.and_then(|n| n.inputs.iter().find(|input| input.name == port));
            return so(input.is_some_and(|input| !reach.serves(input)));
        }
        let word = reason.split(':').next().unwrap_or_default();
        let named = card
            .conditions
            .iter()
            .filter(|c| reason.contains(&c.reading));
        let mut found = named.map(|condition| {
            let truth = lets_in(self.task, situation, card, condition);
            match (truth, word) {
                (None, "undetermined") | (Some(false), "violated") => true,
                (None, _) => condition.citation.is_none(),
                _ => false,
            }
        });
        so(found.any(|so| so))
    }

    /// Rows of questions that may be asked and paid for.
    fn rows<'s>(&'s self, situation: &Situation) -> Vec<Vec<&'s Obtainable>> {
        let mut fresh: BTreeMap<&str, &Obtainable> = BTreeMap::new();
        if self.task.recovery.contains(&Recovery::RequestInformation) {
            for obtainable in &self.task.obtainable {
                if !situation.asked.contains(&obtainable.variable) {
                    fresh.entry(&obtainable.variable).or_insert(obtainable);
                }
            }
        }
        let mut rows: Vec<Vec<&Obtainable>> = vec![Vec::new()];
        for obtainable in fresh.into_values() {
            for at in 0..rows.len() {
                let mut row = rows[at].clone();
                row.push(obtainable);
                rows.push(row);
            }
            rows.truncate(4 * MOST);
        }
        rows.retain(|row| {
            let cost = price(row);
            situation.left.steps >= cost.steps
                && situation.left.seconds >= cost.seconds
                && situation.left.cost >= cost.cost
        });
        rows
    }

    fn search(&self, situation: &Situation, faults: &mut Vec<String>) {
        let certificate = self.certificate;
        let searched = certificate.reason.starts_with("no eligible route");
        if !searched {
            return;
        }
        let names = |row: &[&Obtainable]| -> BTreeSet<String> {
            row.iter().map(|o| o.variable.clone()).collect()
        };
        let rows = self.rows(situation);
        let own: BTreeSet<BTreeSet<String>> = rows.iter().map(|row| names(row)).collect();
        let theirs: BTreeSet<BTreeSet<String>> = certificate
            .explored
            .iter()
            .map(|state| {
                state
                    .actions
                    .iter()
                    .map(|action| action.on.clone())
                    .collect()
            })
            .collect();
        if certificate.complete && own != theirs {
            faults.push(format!(
                "it says it looked everywhere, at {theirs:?}; within the budget there is {own:?}"
            ));
        }
        if !theirs.is_subset(&own) {
            faults.push(format!("{theirs:?} is not all within the budget: {own:?}"));
        }
        for row in &rows {
            let mut there = situation.clone();
            let mut hoped = BTreeSet::new();
            for obtainable in row {
                match &obtainable.observation {
                    // What is too young is not taken in.
                    Some(observation) => drop(there.observe(self.task, observation)),
                    None => {
                        hoped.insert(obtainable.variable.clone());
                    }
                }
            }
            let asked = names(row);
            for card in &self.cards {
                if !self.is_out(&there, card, &hoped) {
                    faults.push(format!("asking for {asked:?} may let {} in", card.id));
                }
            }
            let state = certificate.explored.iter().find(|state| {
                let on: BTreeSet<String> = state.actions.iter().map(|a| a.on.clone()).collect();
                on == asked
            });
            let Some(state) = state else { continue };
            if !same(&state.cost, &price(row)) {
                faults.push(format!("asking for {asked:?} costs {:?}", price(row)));
            }
            for card in &self.cards {
                let reason = state.blocked.get(&card.id).map_or("", String::as_str);
                if let Err(why) = self.confirm(&there, card, reason) {
                    faults.push(format!("after asking for {asked:?}: {}: {why}", card.id));
                }
            }
        }
    }
}

fn price(row: &[&Obtainable]) -> Budget {
    Budget {
        steps: row.len() as u64,
        seconds: row.iter().map(|o| o.seconds).sum(),
        cost: row.iter().map(|o| o.cost).sum(),
    }
}
