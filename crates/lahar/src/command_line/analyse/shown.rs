//! What an analysis came to, for programs and for people.

use std::path::Path;

use lahar_routes::run::analysis::REPORT;
use lahar_routes::run::artifact;
use lahar_routes::run::carry_out::CarriedOut;
use lahar_routes::run::page::standing;
use lahar_routes::trajectory::{End, Operation};
use serde_json::{Value as Json, json};

use super::order::Order;
use crate::failure::{Failure, Kind};

/// The result as the interface defines it.
pub(super) fn result(order: &Order, carried: &CarriedOut, folder: &Path) -> Result<Json, Failure> {
    let trajectory = &carried.trajectory;
    let wrong = |error: serde_json::Error| Failure::new(Kind::File, error.to_string());
    let eligible: Vec<&str> = eligible(carried);
    let excluded: Vec<Json> = trajectory
        .routes
        .iter()
        .filter(|status| !status.is_eligible())
        .map(|status| {
            json!({"route": status.route, "status": standing(status), "reasons": status.reasons})
        })
        .collect();
    let revisions = trajectory.steps.iter().filter(|step| {
        matches!(
            step.operation,
            Operation::RepairWorkflow { .. } | Operation::ChangeRoute { from: Some(_), .. }
        )
    });
    let mut value = json!({
        "task": carried.task.id,
        "answer": carried.kept.page.answer,
        "eligible": eligible,
        "excluded": excluded,
        "questions": trajectory.questions,
        "missing": carried.kept.page.missing,
        "revisions": serde_json::to_value(revisions.collect::<Vec<_>>()).map_err(wrong)?,
        "only_cited": carried.kept.page.only_cited,
        "conditions": carried.kept.page.conditions.len(),
        "made_inputs": carried.kept.page.made_inputs(),
        "run_record": folder,
        "report": folder.join(REPORT),
    });
    if let Some(draft) = &order.draft {
        value["reading"] = serde_json::to_value(draft).map_err(wrong)?;
    }
    match &trajectory.end {
        End::Submit { route, .. } => {
            value["decision"] = json!("submit");
            value["route"] = json!(route);
        }
        End::Abstain { certificate } => {
            value["decision"] = json!("abstain");
            value["certificate"] = serde_json::to_value(certificate).map_err(wrong)?;
        }
    }
    if let Some(answer) = trajectory.answer() {
        let file = carried.kept.files.get(&answer.id);
        value["artifact"] = artifact::shown(answer, file.map(String::as_str));
    }
    Ok(value)
}

fn eligible(carried: &CarriedOut) -> Vec<&str> {
    let routes = carried.trajectory.routes.iter();
    let eligible = routes.filter(|status| status.is_eligible());
    eligible.map(|status| status.route.as_str()).collect()
}

pub(super) fn for_people(order: &Order, carried: &CarriedOut, folder: &Path) -> String {
    let page = &carried.kept.page;
    let mut text = format!("{}\n\n", page.answer);
    if let Some(draft) = &order.draft {
        text.push_str(&read_as(draft));
    }
    text.push_str(&format!("{}\n", page.origin_of_inputs()));
    if !page.conditions.is_empty() {
        text.push_str(&format!(
            "{} conditions of the route; {} only cited.\n",
            page.conditions.len(),
            page.only_cited
        ));
    }
    for line in page.uncertainty.iter().chain(&page.certificate) {
        text.push_str(&format!("  {line}\n"));
    }
    for line in &page.missing {
        text.push_str(&format!("Missing: {line}.\n"));
    }
    text.push_str("\nRoutes\n");
    for row in &page.routes {
        text.push_str(&format!("  {:<13} {}\n", row.status, row.name));
        for reason in row.reasons.iter().take(MOST_REASONS) {
            text.push_str(&format!("                  {}\n", cut(reason)));
        }
        if row.reasons.len() > MOST_REASONS {
            let more = row.reasons.len() - MOST_REASONS;
            text.push_str(&format!(
                "                  and {more} more, in the report\n"
            ));
        }
    }
    if !page.questions.is_empty() {
        text.push_str("\nTo find out (--observation VARIABLE=VALUE)\n");
        for question in &page.questions {
            text.push_str(&format!("  {question}\n"));
        }
    }
    text.push_str(&format!(
        "\nReport and record: {}\n",
        folder.join(REPORT).display()
    ));
    text
}

/// Most reasons of a route that are shown on a terminal; the report has all.
const MOST_REASONS: usize = 3;
/// Longest reason there, in characters.
const LONGEST_REASON: usize = 150;

fn cut(reason: &str) -> String {
    match reason.char_indices().nth(LONGEST_REASON) {
        Some((at, _)) => format!("{}\u{2026}", &reason[..at]),
        None => reason.to_owned(),
    }
}

fn read_as(draft: &lahar_routes::sentence::Draft) -> String {
    let mut text = String::new();
    let unknown = || "not known".to_owned();
    text.push_str(&format!(
        "Read as: place {}; event {}; hazards {}; track {}.\n",
        draft.place.clone().unwrap_or_else(unknown),
        match (&draft.event, &draft.event_dates) {
            (Some(event), Some((start, end))) => format!("{event} ({start} to {end})"),
            (Some(event), None) => event.clone(),
            (None, _) => "none named".to_owned(),
        },
        draft.hazards.join(", "),
        draft.track.unwrap_or("not known"),
    ));
    for assumption in &draft.assumptions {
        text.push_str(&format!("Assumed: {assumption}\n"));
    }
    text
}

/// A sentence of which no task could be made.
pub(super) fn unread(order: &Order) -> Json {
    let questions = order.draft.as_ref().map(|draft| draft.questions.clone());
    json!({
        "decision": "abstain",
        "eligible": [],
        "excluded": [],
        "questions": questions.unwrap_or_default(),
        "revisions": [],
        "reading": order.draft,
    })
}

pub(super) fn unread_for_people(order: &Order) -> String {
    let mut text = "No task can be made of this yet.\n".to_owned();
    if let Some(draft) = &order.draft {
        text.push_str(&read_as(draft));
        text.push_str("To find out\n");
        for question in &draft.questions {
            text.push_str(&format!("  {question}\n"));
        }
    }
    text
}
