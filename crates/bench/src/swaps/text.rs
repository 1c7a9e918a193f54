//! The corpus: one document a place, with a section for each facet that it answers.
//!
//! Documents say in four ways what they are about: in the title, in the manifest alone, in every
//! sentence, or in the title of a plain text file. Most carry a byline and a contact address in
//! another town of the state, which is no place they are about.

use std::collections::BTreeMap;

use super::levels::Evidence;
use super::places::{Level, Places, takes_article};
use super::topics::{Facet, General, fill};
use crate::draw::SplitMix64;

/// A document of the corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// File name.
    pub file: String,
    /// Title, as the manifest gives it.
    pub title: String,
    /// Place, where the manifest declares one.
    pub place: Option<String>,
    /// Who issued it.
    pub publisher: Option<String>,
    /// Its text.
    pub text: String,
}

/// How a document says which place it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Title,
    Manifest,
    Sentences,
    PlainText,
}

const FORMS: [Form; 4] = [
    Form::Title,
    Form::Manifest,
    Form::Sentences,
    Form::PlainText,
];

const AUTHORS: [&str; 8] = [
    "Ines Halloran",
    "Tomas Birk",
    "Ruth Okafor",
    "Dale Whitcomb",
    "Mei Sandoval",
    "Petra Lindqvist",
    "Owen Tsosie",
    "Clara Nakai",
];

/// The sentence that answers a facet for a place, as its document writes it.
pub(crate) fn fact(places: &Places, at: usize, facet: &Facet, seed: u64) -> String {
    let id = places.get(at).id;
    let mut values = facet.values(seed, id);
    values.extend(area(places, at, form(seed, id), facet, seed));
    fill(facet.sentence(seed, id), &values)
}

/// What a facet comes to for a place, in few words.
pub(crate) fn reference(places: &Places, at: usize, facet: &Facet, seed: u64) -> String {
    fill(&facet.reference, &facet.values(seed, places.get(at).id))
}

/// The file of a place's document.
pub(crate) fn file(places: &Places, at: usize, seed: u64) -> String {
    let id = places.get(at).id;
    match form(seed, id) {
        Form::PlainText => format!("{id}.txt"),
        _ => format!("{id}.md"),
    }
}

fn form(seed: u64, id: &str) -> Form {
    *SplitMix64::named(seed, &format!("form of {id}")).one(&FORMS)
}

/// "of the county", "in Bend", "in Benton County, Oregon".
fn area(
    places: &Places,
    at: usize,
    form: Form,
    facet: &Facet,
    seed: u64,
) -> BTreeMap<String, String> {
    let place = places.get(at);
    let mut draw = SplitMix64::named(seed, &format!("area of {} in {}", facet.id, place.id));
    let named = match form {
        Form::Sentences => full_name(places, at),
        Form::Title | Form::PlainText if draw.below(2) == 0 => short_name(places, at),
        _ => format!("the {}", noun(place.level)),
    };
    let mut values: BTreeMap<String, String> = ["of", "in", "for", "to"]
        .into_iter()
        .map(|word| (format!("{word}_area"), format!("{word} {named}")))
        .collect();
    values.insert("In_area".to_owned(), format!("In {named}"));
    values
}

fn noun(level: Level) -> &'static str {
    match level {
        Level::Place => "town",
        Level::County => "county",
        Level::Tribal => "reservation",
        Level::Region => "region",
        Level::Province => "province",
        Level::State => "state",
        Level::Country => "country",
    }
}

/// With the state or country behind it.
fn full_name(places: &Places, at: usize) -> String {
    match places.get(at).level {
        // "the state of Georgia": a document names it plainly.
        Level::State => places.get(at).name.to_owned(),
        _ => places.forms(at).swap_remove(0),
    }
}

fn short_name(places: &Places, at: usize) -> String {
    let place = places.get(at);
    match place.level {
        Level::Region | Level::Tribal | Level::Country if takes_article(place.name) => {
            format!("the {}", place.name)
        }
        _ => place.name.to_owned(),
    }
}

/// The document of a place, or `None` where no facet has evidence for it.
pub(crate) fn document(
    places: &Places,
    at: usize,
    facets: &[Facet],
    evidence: &[Evidence],
    seed: u64,
) -> Option<Document> {
    let place = places.get(at);
    let held: Vec<&Facet> = facets
        .iter()
        .zip(evidence)
        .filter(|(_, evidence)| evidence.places.contains(&at))
        .map(|(facet, _)| facet)
        .collect();
    if held.is_empty() {
        return None;
    }
    let form = form(seed, place.id);
    let full = full_name(places, at);
    let title = match form {
        Form::Title | Form::PlainText => format!("Wildfire handbook for {full}"),
        Form::Manifest => format!("Living with wildfire: {} handbook", noun(place.level)),
        Form::Sentences => "Answers about wildfire".to_owned(),
    };
    let signed = SplitMix64::named(seed, &format!("publisher of {}", place.id)).below(3) > 0;
    let publisher = match place.level {
        _ if !signed => None,
        Level::Place => Some(format!("Fire Department of {full}")),
        Level::County | Level::Province => Some(full.clone()),
        Level::State => Some(format!("State of {}", place.name)),
        Level::Tribal => Some(place.name.to_owned()),
        Level::Region | Level::Country => None,
    };
    let heading = |text: &str| match form {
        Form::PlainText => format!("{}\n\n", text.to_uppercase()),
        _ => format!("## {text}\n\n"),
    };
    let mut text = match form {
        Form::PlainText => format!("{title}\n\n"),
        _ => format!("# {title}\n\n"),
    };
    let mut draw = SplitMix64::named(seed, &format!("aside of {}", place.id));
    let aside = elsewhere(places, at, &mut draw);
    if let Some(other) = aside {
        let town = places.get(other).name;
        text.push_str(&format!("By {}, {town}\n\n", draw.one(&AUTHORS)));
    }
    for facet in held {
        text.push_str(&heading(&facet.heading));
        let sentence = fact(places, at, facet, seed);
        let mut draw = SplitMix64::named(seed, &format!("beside {} in {}", facet.id, place.id));
        let mut sentences: Vec<&str> = vec![&sentence];
        sentences.push(draw.one::<String>(&facet.beside));
        if draw.below(3) == 0 {
            sentences = facet.beside.iter().map(String::as_str).collect();
            sentences.insert(0, &sentence);
        }
        text.push_str(&sentences.join(" "));
        text.push_str("\n\n");
    }
    if let Some(address) = aside.and_then(|other| places.get(other).address) {
        text.push_str(&format!("Printed at {address}\n"));
    }
    Some(Document {
        file: file(places, at, seed),
        title,
        place: (form == Form::Manifest).then(|| declared(places, at)),
        publisher,
        text,
    })
}

/// A place as a manifest declares it.
fn declared(places: &Places, at: usize) -> String {
    match places.get(at).level {
        Level::State => format!("{}, USA", places.get(at).name),
        Level::Region | Level::Tribal | Level::Country => places.get(at).name.to_owned(),
        _ => full_name(places, at),
    }
}

/// A town of the same state that the document is not about, for byline and address.
fn elsewhere(places: &Places, at: usize, draw: &mut SplitMix64) -> Option<usize> {
    if !matches!(places.get(at).level, Level::Place | Level::County) {
        return None;
    }
    let state = places.state(at);
    let others: Vec<usize> = (0..places.len())
        .filter(|&other| {
            places.get(other).level == Level::Place
                && other != at
                && places.state(other) == state
                && !places.contains(at, other)
                && places.get(other).address.is_some()
        })
        .collect();
    (!others.is_empty()).then(|| *draw.one(&others))
}

/// The leaflets: what a leaflet without place or publisher says, what an agency says, and the
/// answers to the questions that do not depend on a place.
pub(crate) fn leaflets(
    facets: &[Facet],
    evidence: &[Evidence],
    generals: &[General],
    seed: u64,
) -> Vec<Document> {
    let leaflet =
        |file: &str, title: &str, publisher: Option<&str>, which: fn(&Evidence) -> bool| {
            let mut text = format!("# {title}\n\n");
            for (facet, _) in facets.iter().zip(evidence).filter(|(_, e)| which(e)) {
                let mut values = facet.values(seed, file);
                for word in ["of", "in", "for", "to"] {
                    values.insert(format!("{word}_area"), format!("{word} fire country"));
                }
                values.insert("In_area".to_owned(), "In fire country".to_owned());
                let sentence = fill(facet.sentence(seed, file), &values);
                text.push_str(&format!(
                    "## {}\n\n{sentence} {}\n\n",
                    facet.heading, facet.beside[0]
                ));
            }
            Document {
                file: file.to_owned(),
                title: title.to_owned(),
                place: None,
                publisher: publisher.map(str::to_owned),
                text,
            }
        };
    let mut primer = "# A primer of fire\n\n".to_owned();
    for general in generals {
        primer.push_str(&general.say);
        primer.push_str("\n\n");
    }
    vec![
        leaflet(LEAFLET, "Before the fire", None, |e| e.leaflet),
        leaflet(AGENCY_LEAFLET, "Ready for fire", Some("FEMA"), |e| {
            e.agency_leaflet
        }),
        Document {
            file: PRIMER.to_owned(),
            title: "A primer of fire".to_owned(),
            place: None,
            publisher: None,
            text: primer,
        },
    ]
}

/// File of the leaflet that names neither place nor publisher.
pub(crate) const LEAFLET: &str = "leaflet.md";
/// File of the leaflet of a national agency.
pub(crate) const AGENCY_LEAFLET: &str = "agency-leaflet.md";
/// File that answers the questions without a place.
pub(crate) const PRIMER: &str = "primer.md";
