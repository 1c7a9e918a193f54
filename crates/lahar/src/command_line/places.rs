//! `lahar places`: finding places, showing them, recognising them in text, comparing two.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use lahar_core::Decision;
use lahar_places::cards::PlaceCard;
use lahar_places::{Gazetteer, Reading, Status};

use super::Done;
use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::own_places::OwnPlaces;
use crate::place_tagger::PlaceTagger;
use crate::workplace::Workplace;

/// Largest text that is read for places, in bytes.
const LARGEST_TEXT: u64 = 64 << 20;

/// Look up places and compare them.
#[derive(Debug, Args)]
pub(super) struct Places {
    #[command(subcommand)]
    command: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Every place that goes by a name, best known first.
    Find {
        /// A name; parents may stand behind commas.
        name: String,
        /// A place in or near which it lies.
        #[arg(long, value_name = "P")]
        near: Option<String>,
    },
    /// A place with its parents, extent and names.
    Show {
        /// A name or an id such as fips:41051.
        place: String,
    },
    /// The places of a text, resolved.
    Tag {
        /// A text file; `-` reads standard input.
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// A folder with a token classifier (BERT) that finds the places in place of the gazetteer.
        #[arg(long, value_name = "FOLDER")]
        tagger: Option<PathBuf>,
    },
    /// How a passage's place lies to the place asked about.
    Relation {
        /// The place asked about.
        query: String,
        /// The passage's place.
        passage: String,
    },
    /// Add own places, aliases and parents; every command that reads places then knows them.
    ///
    /// The table has a header: `name` with any of `id kind aliases parents lat lon population`
    /// (lists parted by `|`; a name left empty adds to the known place of that id), or
    /// `qid label aliases P131 P47 P17` of Wikidata, also as JSON, one object a line. Tables of
    /// GeoNames (nineteen columns) and of the Census gazetteer are read as they come. A table of
    /// the same file name takes the place of the one before.
    Import {
        /// A table of places (CSV, tab-separated text or JSON Lines).
        file: PathBuf,
        /// Folder in which tables are kept; by default `$LAHAR_PLACES` or the user's data folder.
        #[arg(long, value_name = "DIR")]
        into: Option<PathBuf>,
    },
}

impl Places {
    pub(super) fn run(self, workplace: &Workplace, output: Output) -> Result<Done, Failure> {
        if let Action::Import { file, into } = self.command {
            return import(output, &file, into);
        }
        workplace.use_own_places()?;
        match self.command {
            Action::Find { name, near } => find(output, &name, near.as_deref()),
            Action::Show { place } => show(output, &place),
            Action::Tag { file, tagger } => tag(output, &file, tagger.as_deref()),
            Action::Relation { query, passage } => relation(output, &query, &passage),
            Action::Import { .. } => Ok(Done::Well),
        }
    }
}

fn import(output: Output, file: &Path, into: Option<PathBuf>) -> Result<Done, Failure> {
    let own = match into {
        Some(folder) => OwnPlaces::at(folder),
        None => OwnPlaces::of_user().ok_or_else(|| {
            Failure::new(Kind::File, "this machine names no folder for a user's data")
                .hint("name one with --into DIR or LAHAR_PLACES")
        })?,
    };
    let imported = own.import(file)?;
    let summary = imported.summary;
    let value = serde_json::json!({
        "places": summary.places, "names": summary.names, "parents": summary.parents,
        "known": summary.known, "neighbours": summary.neighbours,
        "kept": imported.kept, "replaced": imported.replaced,
    });
    output.result(&value, || {
        format!(
            "{} new places, {} rows of known places, {} names, {} parents\nkept as {}{}; take the file away to forget them",
            summary.places,
            summary.known,
            summary.names,
            summary.parents,
            imported.kept.display(),
            if imported.replaced { " in place of an earlier table" } else { "" }
        )
    });
    Ok(Done::Well)
}

fn find(output: Output, name: &str, near: Option<&str>) -> Result<Done, Failure> {
    let gazetteer = Gazetteer::in_use();
    let near = near.map(|near| gazetteer.place_named(near)).transpose()?;
    let hits = gazetteer.find(name, near);
    let cards: Vec<PlaceCard> = hits.iter().map(|hit| gazetteer.card(hit.place)).collect();
    output.result(&serde_json::json!({ "places": cards }), || {
        match cards.as_slice() {
            [] => format!("no place is called `{name}`"),
            cards => cards.iter().map(line).collect::<Vec<_>>().join("\n"),
        }
    });
    Ok(if cards.is_empty() {
        Done::Badly
    } else {
        Done::Well
    })
}

fn line(card: &PlaceCard) -> String {
    let people = card
        .population
        .map_or(String::new(), |n| format!(", {n} inhabitants"));
    format!(
        "{:<16} {} ({}{people})",
        card.id,
        card.path.join(", "),
        card.kind
    )
}

fn show(output: Output, place: &str) -> Result<Done, Failure> {
    let gazetteer = Gazetteer::in_use();
    let details = gazetteer.details(gazetteer.place_named(place)?);
    output.result(&details, || {
        let mut text = format!("{}\nparents:\n", line(&details.card));
        for parent in &details.parents {
            text.push_str(&format!("  {} ({})\n", parent.name, parent.edge));
        }
        if !details.same_extent.is_empty() {
            text.push_str(&format!(
                "same boundary: {}\n",
                details.same_extent.join(", ")
            ));
        }
        if !details.extent.is_empty() {
            text.push_str(&format!("covers: {}\n", details.extent.join(", ")));
        }
        if let Some(note) = &details.note {
            text.push_str(&format!("note: {note}\n"));
        }
        text
    });
    Ok(Done::Well)
}

fn tag(output: Output, file: &Path, tagger: Option<&Path>) -> Result<Done, Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(Kind::File, format!("the text cannot be read: {error}")).at(file.display())
    };
    let mut bytes = Vec::new();
    if file.as_os_str() == "-" {
        std::io::stdin()
            .lock()
            .take(LARGEST_TEXT)
            .read_to_end(&mut bytes)
            .map_err(failed)?;
    } else {
        let file = std::fs::File::open(file).map_err(failed)?;
        file.take(LARGEST_TEXT)
            .read_to_end(&mut bytes)
            .map_err(failed)?;
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::new(Kind::File, "the text is not UTF-8").at(file.display()))?;
    let gazetteer = Gazetteer::in_use();
    let mentions = match tagger {
        None => gazetteer.tag(&text, &Reading::default()),
        Some(folder) => {
            let tagger = PlaceTagger::open(folder)?;
            gazetteer.tag_with(&tagger, &text, &Reading::default())?
        }
    };
    let cards: Vec<_> = mentions
        .iter()
        .map(|mention| gazetteer.mention_card(mention))
        .collect();
    output.result(&serde_json::json!({ "mentions": cards }), || {
        let lines = cards.iter().map(|card| {
            let meaning = match (&card.place, card.status) {
                (Some(place), _) => place.path.join(", "),
                (None, Status::Ambiguous) => format!("{} candidates", card.candidates.len()),
                (None, _) => "not known".to_owned(),
            };
            format!("{:>6}  {}  ->  {meaning}", card.start, card.text)
        });
        lines.collect::<Vec<_>>().join("\n")
    });
    Ok(Done::Well)
}

fn relation(output: Output, query: &str, passage: &str) -> Result<Done, Failure> {
    let gazetteer = Gazetteer::in_use();
    let query = gazetteer.subject_named(query)?;
    let passage = gazetteer.subject_named(passage)?;
    let card = gazetteer.relation_card(&query, &passage);
    output.result(&card, || {
        let distance = card
            .distance
            .map_or("infinite".to_owned(), |d| d.to_string());
        let shared = card
            .shared_ancestor
            .as_ref()
            .map_or("none", |ancestor| &ancestor.name);
        let decision = match card.decision {
            Decision::Answer => "answer",
            Decision::Warn => "warn",
            Decision::Abstain => "abstain",
        };
        format!(
            "relation {}, distance {distance}, shared ancestor {shared}, decision {decision}\n{}",
            card.relation,
            card.path.join(" - ")
        )
    });
    Ok(Done::Well)
}
