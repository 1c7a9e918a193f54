use std::path::PathBuf;

use lahar_places::{Comparison, Gazetteer, Mention, PlaceId, Reading, Status};

pub fn places() -> &'static Gazetteer {
    Gazetteer::embedded()
}

/// A place by code, for tests that must not depend on resolution.
pub fn by(code: &str) -> PlaceId {
    places()
        .by_id(code)
        .unwrap_or_else(|| panic!("no place {code}"))
}

/// A place by a name that fits one place.
pub fn named(name: &str) -> PlaceId {
    places()
        .place_named(name)
        .unwrap_or_else(|error| panic!("{error}"))
}

pub fn compare(query: &str, passage: &str) -> Comparison {
    places().compare(by(query), by(passage))
}

pub fn name(place: Option<PlaceId>) -> &'static str {
    place.map_or("-", |place| places().name(place))
}

pub fn tag(text: &str) -> Vec<Mention> {
    places().tag(text, &Reading::default())
}

/// `words = place` for every resolved mention, `words ?` for ambiguous, `words -` for unknown.
pub fn read(text: &str) -> Vec<String> {
    shown(&tag(text))
}

pub fn ask(text: &str) -> Vec<String> {
    shown(&places().tag(text, &Reading::question()))
}

fn shown(mentions: &[Mention]) -> Vec<String> {
    mentions
        .iter()
        .map(|mention| match mention.status {
            Status::Resolved => format!(
                "{} = {}",
                mention.text,
                mention
                    .place
                    .map_or_else(|| "coordinates".into(), |place| places().qualified(place))
            ),
            Status::Ambiguous => format!("{} ?", mention.text),
            Status::Unknown => format!("{} -", mention.text),
        })
        .collect()
}

/// A file of the shared folder, or a loud skip.
#[allow(clippy::print_stderr)] // a skipped test has to be seen
pub fn shared(test: &str, file: &str) -> Option<String> {
    let root = std::env::var_os("LAHAR_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        PathBuf::from,
    );
    let path = root.join(file);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) => {
            eprintln!("SKIPPED {test}: {}: {error}", path.display());
            None
        }
    }
}
