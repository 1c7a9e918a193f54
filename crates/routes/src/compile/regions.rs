//! The places of a sentence about calibration: whole ones that the place graph knows, and those of
//! which only a part is meant.

use lahar_places::{Gazetteer, Mention, PlaceId, QuestionPlaces, Reading, Role, Status};

/// What a sentence says of places.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Regions {
    /// Places that are meant as a whole, as the gazetteer finds them again.
    pub whole: Vec<String>,
    /// Words of places of which only a part is meant, or which are not known.
    pub vague: Vec<String>,
}

impl Regions {
    /// Whether the sentence names any place.
    pub fn any(&self) -> bool {
        !self.whole.is_empty() || !self.vague.is_empty()
    }
}

/// Nouns after a place's name that make it the name of an event.
const EVENTS: &[&str] = &[
    "earthquake",
    "earthquakes",
    "fire",
    "fires",
    "storm",
    "hurricane",
    "flood",
    "tsunami",
    "landslide",
];

/// Reads the places of a sentence.
pub fn regions(gazetteer: &Gazetteer, sentence: &str) -> Regions {
    let mentions = gazetteer.tag(sentence, &Reading::default());
    let mut found = Regions::default();
    for mention in mentions.iter().filter(|mention| !mention.qualifies) {
        if matches!(mention.role, Role::Aside | Role::Hint | Role::Event)
            || is_event(sentence, mention)
        {
            continue;
        }
        let whole = mention
            .place
            .filter(|_| mention.status == Status::Resolved && mention.role == Role::Place)
            .filter(|place| !is_cut(gazetteer, *place, sentence, mention))
            .and_then(|place| written(gazetteer, place));
        match whole {
            Some(name) if !found.whole.contains(&name) => found.whole.push(name),
            Some(_) => {}
            None => found.vague.push(mention.text.clone()),
        }
    }
    found
}

/// How a card writes a place, such that it is found again: by name, else by id.
fn written(gazetteer: &Gazetteer, place: PlaceId) -> Option<String> {
    let means = |name: &str| match gazetteer.asked_named(name) {
        Ok(QuestionPlaces::One(asked)) => asked.subject.place == Some(place),
        _ => false,
    };
    let card = gazetteer.card(place);
    [card.name.clone(), card.path.join(", "), card.id]
        .into_iter()
        .find(|name| means(name))
}

fn rest<'s>(sentence: &'s str, mention: &Mention) -> &'s str {
    let at = sentence.char_indices().nth(mention.range.end);
    at.map_or("", |(at, _)| &sentence[at..])
}

/// "the 1994 Northridge earthquake": an event, not a region.
fn is_event(sentence: &str, mention: &Mention) -> bool {
    let next = rest(sentence, mention).split_whitespace().next();
    let next = next.unwrap_or_default().to_lowercase();
    EVENTS.contains(&next.trim_matches(|c: char| !c.is_alphanumeric()))
}

/// "Washington (west of the Cascade Range)", "west of the Cascade Range", "the coast of Oregon",
/// "inland Oregon": only a part, or another place.
fn is_cut(gazetteer: &Gazetteer, place: PlaceId, sentence: &str, mention: &Mention) -> bool {
    let at = sentence.char_indices().nth(mention.range.start);
    let before = at.map_or("", |(at, _)| &sentence[..at]).to_lowercase();
    let mut words = before
        .split_whitespace()
        .rev()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-'));
    let mut last = words.next().unwrap_or_default();
    // "southern California" is a place of its own, whose first word has been used.
    if lahar_places::fold(gazetteer.name(place)) != lahar_places::fold(&mention.text)
        && ["north", "south", "east", "west", "central"]
            .iter()
            .any(|direction| last.starts_with(direction))
    {
        last = words.next().unwrap_or_default();
    }
    if last == "the" {
        last = words.next().unwrap_or_default();
    }
    let narrows = match last {
        "of" => {
            let what = words.next().unwrap_or_default();
            ![
                "region", "regions", "state", "states", "area", "areas", "all",
            ]
            .contains(&what)
        }
        // Words that join, and words that only say how the places are taken.
        "" | "in" | "from" | "for" | "and" | "or" | "across" | "throughout" | "within" | "both"
        | "states" | "over" | "to" | "outside" | "except" | "including" => false,
        // Part of the name as it was found, or another place of a list.
        word if before.trim_end().ends_with(',') || before.trim_end().ends_with('(') => {
            word.is_empty()
        }
        _ => true,
    };
    if narrows {
        return true;
    }
    let next = rest(sentence, mention).trim_start().to_lowercase();
    [
        "(west of",
        "(east of",
        "(north of",
        "(south of",
        "west of",
        "east of",
        "north of",
        "south of",
    ]
    .iter()
    .any(|cut| next.starts_with(cut))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_events_are_no_regions() {
        let gazetteer = Gazetteer::embedded();
        let found = regions(gazetteer, "It was tested in Oregon and in eastern Texas.");
        assert_eq!(found.whole, ["Oregon"]);
        assert_eq!(found.vague, ["Texas"]);
        let found = regions(gazetteer, "Data are from the 1994 Northridge earthquake.");
        assert!(!found.any(), "{found:?}");
        let found = regions(
            gazetteer,
            "It holds in Washington (west of the Cascade Range).",
        );
        assert!(
            found.whole.iter().all(|name| name != "Washington"),
            "{found:?}"
        );
    }

    #[test]
    fn a_region_is_written_as_the_gazetteer_finds_it() {
        let gazetteer = Gazetteer::embedded();
        let found = regions(
            gazetteer,
            "Calibrated in the Transverse Ranges of southern California.",
        );
        assert!(!found.whole.is_empty());
        for name in &found.whole {
            assert!(
                matches!(gazetteer.asked_named(name), Ok(QuestionPlaces::One(_))),
                "{name}"
            );
        }
    }
}
