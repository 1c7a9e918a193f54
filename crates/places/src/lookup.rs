//! Finding the place that a person typed: an id, coordinates, or a name with its parents.

use crate::coordinates::{WrittenWhat, find_written, written_alone};
use crate::decision::{Asked, QuestionPlaces};
use crate::error::PlacesError;
use crate::gazetteer::{Gazetteer, GeoPoint, PlaceId};
use crate::kind::{Kind, NameKind};
use crate::mention::Status;
use crate::relation::Subject;
use crate::resolve::{Reading, one_in_effect, weight};

/// A place found, with how well it fits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The place.
    pub place: PlaceId,
    /// What sort of name was typed.
    pub name: NameKind,
    /// How well known it is under that name; larger is better.
    pub weight: f32,
}

/// A bare name is believed when the next place is this much less known.
pub(crate) const LEAD: f32 = 3.0;

/// The longest name that is looked at; more is no name.
const LONGEST: usize = 300;

impl Gazetteer {
    /// Every place that goes by a name, best known first. Parents may stand behind commas; with
    /// `near`, places in or nearest to it come first.
    pub fn find(&self, name: &str, near: Option<PlaceId>) -> Vec<Hit> {
        if name.len() > LONGEST || name.chars().any(hidden) {
            return Vec::new();
        }
        let mut parts = name
            .split([',', '(', ')'])
            .map(str::trim)
            .filter(|part| !part.is_empty());
        let Some(first) = parts.next() else {
            return Vec::new();
        };
        let above: Vec<&str> = parts.collect();
        let mut hits = self.hits(first);
        if hits.is_empty()
            && let Some((bare, word)) = first.rsplit_once(' ')
        {
            // "Kokrajhar District": the tables have the name without its type word.
            hits = self.hits(bare);
            hits.retain(|hit| crate::tag::fits_unit(self.kind(hit.place), word));
        }
        if hits.is_empty() {
            // "Portland Oregon" without a comma.
            if above.is_empty()
                && let Some((city, state)) = last_words_apart(first).find(|(city, state)| {
                    !self.hits(city).is_empty() && !self.hits(state).is_empty()
                })
            {
                hits = self.hits(city);
                self.keep_under(&mut hits, state);
            }
        }
        for parent in above {
            self.keep_under(&mut hits, parent);
        }
        if let Some(near) = near {
            let point = self.point(near);
            for hit in &mut hits {
                if self.contains(near, hit.place) {
                    hit.weight += 12.0;
                } else if let (Some(one), Some(other)) = (point, self.point(hit.place)) {
                    hit.weight += 6.0 * (-one.distance_km(other) / 200.0).exp() as f32;
                }
            }
        }
        hits.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.place.cmp(&b.place)));
        hits
    }

    fn hits(&self, name: &str) -> Vec<Hit> {
        let mut hits: Vec<Hit> = Vec::new();
        for meaning in self.meanings(name) {
            if self.kind(meaning.place) == Kind::World || meaning.name == NameKind::Demonym {
                continue;
            }
            // Typed codes are meant as codes: "OR", "CA".
            let code = meaning.name == NameKind::Code && !name.chars().all(|c| c.is_uppercase());
            hits.push(Hit {
                place: meaning.place,
                name: meaning.name,
                weight: weight(
                    self,
                    meaning.place,
                    meaning.name,
                    meaning.name != NameKind::Short,
                ) - if code { 6.0 } else { 0.0 },
            });
        }
        hits
    }

    /// Keeps the hits that lie in a place of this name.
    fn keep_under(&self, hits: &mut Vec<Hit>, parent: &str) {
        let parents: Vec<PlaceId> = match self.by_id(parent) {
            Some(place) => vec![place],
            None => self
                .hits(parent)
                .into_iter()
                .filter(|hit| self.kind(hit.place).level() <= 5)
                .map(|hit| hit.place)
                .collect(),
        };
        hits.retain(|hit| {
            parents.iter().any(|parent| {
                *parent != hit.place
                    && (self.lies_under(hit.place, *parent) || self.contains(*parent, hit.place))
                    || self.representative(*parent) == self.representative(hit.place)
            })
        });
    }

    /// The one place that a person typed: an id (`fips:41051`), or a name that fits one place
    /// well enough.
    pub fn place_named(&self, text: &str) -> Result<PlaceId, PlacesError> {
        let text = text.trim();
        self.not_too_long(text)?;
        if let Some(place) = self.by_id(text) {
            return Ok(place);
        }
        let hits = self.find(text, None);
        let Some(first) = hits.first() else {
            return Err(PlacesError::UnknownPlace {
                name: shown(text),
                hint: self.hint(text),
            });
        };
        let country = self.kind(first.place) == Kind::Country;
        let rivals: Vec<PlaceId> = hits
            .iter()
            .filter(|hit| {
                // A country and a state of one name (Georgia) are never told apart by size.
                let state = country
                    && self.kind(hit.place) == Kind::State
                    && hit.name == NameKind::Official
                    && self.population(hit.place) > 1_000_000
                    && !self.lies_under(hit.place, first.place);
                state
                    || first.weight - hit.weight < LEAD
                        && matches!(
                            hit.name,
                            NameKind::Official
                                | NameKind::Short
                                | NameKind::Abbreviation
                                | NameKind::Alternate
                                | NameKind::Code
                        )
                        && !(self.kind(first.place) == Kind::Country
                            && self.lies_under(hit.place, first.place))
            })
            .map(|hit| hit.place)
            .collect();
        let one = rivals
            .iter()
            .all(|rival| one_in_effect(self, *rival, first.place));
        if one {
            return Ok(first.place);
        }
        Err(PlacesError::AmbiguousPlace {
            name: shown(text),
            candidates: rivals
                .iter()
                .take(6)
                .map(|place| format!("{} ({})", self.qualified(*place), self.kind(*place)))
                .collect(),
        })
    }

    /// A place, a point (`45.52, -122.68`) or a box (`44, -123.5, 46, -121` behind `bbox`).
    pub fn subject_named(&self, text: &str) -> Result<Subject, PlacesError> {
        self.not_too_long(text.trim())?;
        let written =
            written_alone(text).or_else(|| find_written(text).first().map(|written| written.what));
        match written {
            Some(WrittenWhat::Point(lat, lon)) => {
                let point = GeoPoint::checked(lat, lon)?;
                Ok(self.locate(point, 0.0).subject)
            }
            Some(WrittenWhat::Box(south, west, north, east)) => {
                let area = crate::coordinates::GeoBox::checked(south, west, north, east)?;
                Ok(self.locate_box(area))
            }
            None => self.place_named(text).map(Subject::from),
        }
    }

    /// The place asked about, as it is given beside a question: a name with its parents, an id,
    /// coordinates. A name that no table knows keeps the nearest parent that one does.
    pub fn asked_named(&self, text: &str) -> Result<QuestionPlaces, PlacesError> {
        self.not_too_long(text.trim())?;
        if written_alone(text).is_some() || !find_written(text).is_empty() {
            return Ok(QuestionPlaces::One(Asked {
                subject: self.subject_named(text)?,
                name: shown(text.trim()),
                near: false,
                part: false,
            }));
        }
        match self.place_named(text) {
            Ok(place) => Ok(QuestionPlaces::One(Asked::place(self, place))),
            Err(PlacesError::AmbiguousPlace { .. }) => {
                let hits = self.find(text, None);
                let top = hits.first().map_or(0.0, |hit| hit.weight);
                Ok(QuestionPlaces::Ambiguous {
                    mention: shown(text.trim()),
                    candidates: hits
                        .iter()
                        .filter(|hit| top - hit.weight < LEAD)
                        .take(8)
                        .map(|hit| Asked::place(self, hit.place))
                        .collect(),
                })
            }
            Err(error) => {
                let Some((name, mut rest)) = text.split_once(',') else {
                    return Err(error);
                };
                loop {
                    if let Ok(parent) = self.place_named(rest) {
                        return Ok(QuestionPlaces::Unknown {
                            mention: shown(name.trim()),
                            parent: Some(Asked::place(self, parent)),
                        });
                    }
                    match rest.split_once(',') {
                        Some((_, further)) => rest = further,
                        None => return Err(error),
                    }
                }
            }
        }
    }

    /// The places that a document's description lists: parted by semicolons, each a name with
    /// its parents or a phrase with names in it. What no table knows is left out, and its parent
    /// does not stand in for it.
    pub fn declared_places(&self, text: &str) -> Vec<PlaceId> {
        let mut places: Vec<PlaceId> = Vec::new();
        let mut add = |place: PlaceId| {
            if !places.contains(&place) {
                places.push(place);
            }
        };
        for part in text.split(';').take(64) {
            let bare = part.split('(').next().unwrap_or(part).trim();
            if let Ok(place) = self.place_named(bare) {
                add(place);
                continue;
            }
            let mentions = self.tag(part.trim(), &Reading::default());
            for mention in mentions {
                if !mention.qualifies
                    && mention.status == Status::Resolved
                    && let Some(place) = mention.place
                {
                    add(place);
                }
            }
        }
        places
    }

    fn not_too_long(&self, text: &str) -> Result<(), PlacesError> {
        if text.len() <= LONGEST {
            return Ok(());
        }
        Err(PlacesError::UnknownPlace {
            name: shown(text),
            hint: format!(
                "; it has {} bytes, and a name has at most {LONGEST}",
                text.len()
            ),
        })
    }

    fn hint(&self, text: &str) -> String {
        match text.split_once(',') {
            Some((first, _)) if !self.hits(first.trim()).is_empty() => {
                format!("; there is {} elsewhere", shown(first.trim()))
            }
            _ => "; add its state or country, or import it with `lahar places import`".into(),
        }
    }
}

/// Characters that a reader does not see and that no name has: controls, and marks that turn the
/// direction of writing or have no width.
fn hidden(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// What is repeated in a message: short, without control characters.
fn shown(text: &str) -> String {
    let clean: String = text.chars().filter(|c| !hidden(*c)).take(60).collect();
    if clean.chars().count() < text.chars().count() {
        format!("{clean}...")
    } else {
        clean
    }
}

/// `Portland Oregon` as (`Portland`, `Oregon`), with one to three words behind.
fn last_words_apart(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let spaces: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).collect();
    spaces
        .into_iter()
        .rev()
        .take(3)
        .map(move |at| (&text[..at], text[at..].trim()))
}
