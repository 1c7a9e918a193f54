//! `lahar routes`: which methods there are, under which conditions each holds, and which of them
//! may be used for a task.

pub(super) mod compile;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};
use lahar_core::PageRange;
use lahar_places::Gazetteer;
use lahar_routes::card::shipped;
use lahar_routes::compile::supplement::laid_over;
use lahar_routes::lint::{Complaint, Severity, lint};
use lahar_routes::task::ReadOptions;
use lahar_routes::trajectory::RouteStatus;
use lahar_routes::verdict::Evidence;
use lahar_routes::{Agent, Card, QuoteBook, Registry, Task, vocabulary};

use super::Done;
use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::workplace::Workplace;

/// List, show and check routes: families of methods with the conditions under which they hold.
#[derive(Debug, Args)]
pub(super) struct Routes {
    #[command(subcommand)]
    command: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Every route by track.
    List {
        /// Only those of a track, such as `postfire-debris-flow`.
        #[arg(long, value_name = "TRACK")]
        track: Option<String>,
    },
    /// A route's card with the evidence of each condition: quoted where the library holds the
    /// sentence, cited where it does not.
    Show {
        /// Its id.
        route: String,
    },
    /// Check cards: units, variables, places, capabilities, ports, sources, fingerprints.
    Lint {
        /// Cards; those that ship where none is named.
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Which routes may be used for a task, and why each is in, out or undetermined.
    Check {
        /// The task.
        #[arg(value_name = "TASK.toml")]
        task: PathBuf,
        /// Let the task name files outside its folder.
        #[arg(long)]
        allow_outside: bool,
        /// A file of compiled conditions; those that somebody has accepted count.
        #[arg(long, value_name = "FILE")]
        with: Vec<PathBuf>,
    },
    /// Find conditions of a route in the library: candidates, grounded, or such that a program can
    /// check them. None decides anything before somebody accepts it.
    Compile(compile::Compile),
    /// Accept or refuse a compiled condition.
    Review(compile::ReviewOne),
    /// The names of variables that tasks and cards may use.
    Variables,
}

impl Routes {
    pub(super) fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        match self.command {
            Action::List { track } => list(output, track.as_deref()),
            Action::Show { route } => show(workplace, output, &route),
            Action::Lint { files } => check_cards(workplace, output, &files),
            Action::Check {
                task,
                allow_outside,
                with,
            } => check(workplace, output, &task, allow_outside, &with),
            Action::Compile(command) => command.run(workplace, output),
            Action::Review(command) => command.run(output),
            Action::Variables => variables(output),
        }
    }
}

/// The sentences of the user's library that state conditions; none where there is no library.
pub(super) fn quotes(workplace: &Workplace, cards: &[Card]) -> Result<QuoteBook, Failure> {
    let mut book = QuoteBook::of_cards(cards);
    if !workplace.library.exists() {
        return Ok(book);
    }
    let library = workplace.open_for_reading()?;
    for document in library.documents()? {
        let text = library.text(document.id)?;
        book.read(text.id, &text.title, &text.text, |range| {
            let on = |page: &&lahar_documents::Page| page.range.overlaps(range);
            let first = text.pages.iter().find(on)?.number;
            let last = text.pages.iter().rev().find(on)?.number;
            Some(PageRange { first, last })
        });
    }
    Ok(book)
}

fn list(output: Output, track: Option<&str>) -> Result<Done, Failure> {
    let all = shipped::all()?;
    let cards: Vec<&Card> = all
        .iter()
        .filter(|card| track.is_none_or(|track| card.track == track))
        .collect();
    if cards.is_empty() {
        let mut tracks: Vec<&str> = all.iter().map(|card| card.track.as_str()).collect();
        tracks.dedup();
        let message = format!("there is no route of track `{}`", track.unwrap_or_default());
        return Err(Failure::new(Kind::NotFound, message)
            .hint(format!("tracks with routes: {}", tracks.join(", "))));
    }
    let rows: Vec<serde_json::Value> = cards
        .iter()
        .map(|card| {
            serde_json::json!({
                "id": card.id, "title": card.title, "kind": card.kind, "track": card.track,
                "gives": card.output.kind.variable, "conditions": card.conditions.len(),
                "unavailable": card.unavailable,
            })
        })
        .collect();
    output.result(&serde_json::json!({ "routes": rows }), || {
        let lines = cards.iter().map(|card| {
            let mark = match &card.unavailable {
                Some(why) => format!("  [unavailable: {why}]"),
                None => String::new(),
            };
            format!("{:<22} {:<36} {}{mark}", card.track, card.id, card.title)
        });
        lines.collect::<Vec<_>>().join("\n")
    });
    Ok(Done::Well)
}

fn show(workplace: &Workplace, output: Output, route: &str) -> Result<Done, Failure> {
    let card = shipped::find(route)?;
    let book = quotes(workplace, shipped::all()?)?;
    let evidence: Vec<serde_json::Value> = card
        .conditions
        .iter()
        .map(|condition| serde_json::json!({ "condition": condition.id, "evidence": book.evidence(condition) }))
        .collect();
    let value = serde_json::json!({ "card": card, "evidence": evidence });
    output.result(&value, || for_people(card, &book));
    Ok(Done::Well)
}

fn for_people(card: &Card, book: &QuoteBook) -> String {
    let mut text = format!(
        "{} ({}, {})\n{}\n",
        card.id,
        card.track,
        word(&card.kind),
        card.title
    );
    if let Some(why) = &card.unavailable {
        text.push_str(&format!("UNAVAILABLE: {why}\n"));
    }
    text.push_str(&format!(
        "gives: {}\nuncertainty: {}\n",
        card.output.kind.variable.replace('_', " "),
        card.uncertainty.statement
    ));
    for reference in &card.references {
        text.push_str(&format!("source: {reference}\n"));
    }
    text.push_str("stages:\n");
    for stage in &card.stages {
        text.push_str(&format!(
            "  {:<14} {}\n",
            stage.name,
            stage.any_of.join(" | ")
        ));
    }
    text.push_str("conditions:\n");
    let mut cited = 0;
    for condition in &card.conditions {
        let asked = lahar_routes::applicability::judge::asked(condition);
        text.push_str(&format!(
            "  {} [{}, {}]\n    {}\n    asked: {} {asked}\n",
            condition.id,
            word(&condition.role),
            word(&condition.strictness),
            condition.reading,
            condition.variable.replace('_', " "),
        ));
        match book.evidence(condition) {
            Evidence::Quoted { quote } => {
                let page = quote
                    .span
                    .pages()
                    .map_or(String::new(), |p| format!(", page {}", p.first));
                text.push_str(&format!(
                    "    quoted: \"{}\" ({}{page})\n",
                    quote.span.quote(),
                    quote.title
                ));
            }
            Evidence::Cited => {
                cited += 1;
                if let Some(citation) = &condition.citation {
                    text.push_str(&format!("    cited: {citation}\n"));
                }
            }
            Evidence::Undetermined => text.push_str("    NO SOURCE: the route stays out\n"),
        }
    }
    text.push_str(&format!(
        "{cited} of {} conditions are only cited\n",
        card.conditions.len()
    ));
    text
}

fn word(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default();
    json.as_str().unwrap_or_default().replace('_', " ")
}

fn check_cards(workplace: &Workplace, output: Output, files: &[PathBuf]) -> Result<Done, Failure> {
    let loaded: Vec<Card> = files
        .iter()
        .map(|file| Card::load(file))
        .collect::<Result<_, _>>()?;
    let cards: &[Card] = match files.is_empty() {
        true => shipped::all()?,
        false => &loaded,
    };
    let book = quotes(workplace, cards)?;
    let titles: Vec<String> = match workplace.library.exists() {
        false => Vec::new(),
        true => {
            let documents = workplace.open_for_reading()?.documents()?;
            documents
                .into_iter()
                .map(|document| document.title)
                .collect()
        }
    };
    let has_source = |condition: &lahar_routes::Condition| {
        let publication = condition
            .citation
            .as_ref()
            .map(|citation| &citation.publication);
        publication.is_some_and(|publication| titles.contains(publication))
    };
    let mut complaints: Vec<Complaint> = Vec::new();
    for card in cards {
        let found = lint(
            card,
            Registry::standard(),
            Gazetteer::embedded(),
            &book,
            &has_source,
        );
        complaints.extend(found);
    }
    let errors = complaints
        .iter()
        .filter(|c| c.severity == Severity::Error)
        .count();
    let (found, wanted) = book.counts();
    let value = serde_json::json!({
        "cards": cards.len(), "errors": errors, "notes": complaints.len() - errors,
        "fingerprints": wanted, "fingerprints_found": found, "complaints": complaints,
    });
    output.result(&value, || {
        let mut lines: Vec<String> = complaints
            .iter()
            .filter(|c| c.severity == Severity::Error)
            .map(ToString::to_string)
            .collect();
        lines.push(format!(
            "{} cards: {errors} errors; {} conditions stay cited for want of a fingerprint; {found} of {wanted} sentences stand in the library",
            cards.len(),
            complaints.len() - errors
        ));
        lines.join("\n")
    });
    Ok(match errors {
        0 => Done::Well,
        _ => Done::Badly,
    })
}

fn check(
    workplace: &Workplace,
    output: Output,
    path: &std::path::Path,
    allow_outside: bool,
    with: &[PathBuf],
) -> Result<Done, Failure> {
    let task = Arc::new(Task::load(path, &ReadOptions { allow_outside })?);
    let cards = laid_over(shipped::all()?, &compile::supplements(with)?)?;
    let book = quotes(workplace, &cards)?;
    let agent = Agent::with_quotes(book);
    let (routes, _) = agent.check(task, &cards, Registry::standard())?;
    let mut questions: Vec<String> = Vec::new();
    for status in routes.iter().filter(|status| !status.is_eligible()) {
        for question in lahar_routes::agent::eligibility::questions(status) {
            if !questions.contains(&question) {
                questions.push(question);
            }
        }
    }
    let eligible: Vec<&str> = routes
        .iter()
        .filter(|s| s.is_eligible())
        .map(|s| s.route.as_str())
        .collect();
    let value =
        serde_json::json!({ "eligible": eligible, "routes": routes, "questions": questions });
    output.result(&value, || {
        let mut lines: Vec<String> = routes.iter().map(line).collect();
        lines.extend(questions.iter().map(|question| format!("? {question}")));
        lines.join("\n")
    });
    Ok(Done::Well)
}

fn line(status: &RouteStatus) -> String {
    if status.is_eligible() {
        return format!(
            "in            {} ({} conditions, {} only cited)",
            status.route,
            status.verdicts.len(),
            status.only_cited()
        );
    }
    let word = match (status.applicability, status.reachability) {
        (lahar_routes::trajectory::Applicability::Inapplicable, _) => "out",
        (_, lahar_routes::trajectory::Reachability::Unavailable) => "out",
        _ => "undetermined",
    };
    let mut text = format!("{word:<13} {}", status.route);
    for reason in &status.reasons {
        text.push_str(&format!("\n                - {reason}"));
    }
    text
}

fn variables(output: Output) -> Result<Done, Failure> {
    let rows: Vec<serde_json::Value> = vocabulary::all()
        .map(|(name, entry)| serde_json::json!({ "name": name, "unit": entry.unit, "meaning": entry.meaning }))
        .collect();
    output.result(&serde_json::json!({ "variables": rows }), || {
        let lines = vocabulary::all()
            .map(|(name, entry)| format!("{name:<36} {:<8} {}", entry.unit, entry.meaning));
        lines.collect::<Vec<_>>().join("\n")
    });
    Ok(Done::Well)
}
