//! Which names are believed: by kind of name, by how they are written, and by what stands around.
//!
//! Every rule adds to or takes from one number; a name is believed from [`BELIEVED`] on. The
//! weights were chosen on the first halves of GeoVirus and LGL.

mod unknown;
mod weigh;

use std::collections::HashSet;

use super::scan::Found;
use super::words::{
    body_name, direction, event_word, feature_word, function_word, lists, street_word,
    title_before, unit_word,
};
use super::{Case, Draft, Gap, Token};
use crate::gazetteer::{Gazetteer, Meaning, PlaceId};
use crate::kind::{Kind, NameKind};
use crate::mention::Role;

/// From here on a name is believed.
pub(crate) const BELIEVED: f32 = 1.0;

/// How a text is written as a whole.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    /// No capitals at all: a question typed in haste.
    pub lower_case: bool,
    /// Capitals only: bulletins and headlines.
    pub upper_case: bool,
    /// A question: short, and a name in it is more likely a place than a person.
    pub question: bool,
}

impl Style {
    /// Looks at all words.
    pub fn of(text: &str, tokens: &[Token], question: bool) -> Style {
        let count = |case: Case| tokens.iter().filter(|token| token.case == case).count();
        let (upper, lower, title) = (count(Case::Upper), count(Case::Lower), count(Case::Title));
        Style {
            lower_case: text.len() < 400 && upper == 0 && title == 0,
            upper_case: upper > 2 * (lower + title),
            question,
        }
    }
}

/// A name that was not believed where it stands.
pub(crate) struct Doubt {
    pub draft: Draft,
    /// Whether it stands alone, so that it may be believed for the sake of another mention.
    pub alone: bool,
}

/// What becomes of a name.
pub(crate) enum Verdict {
    Place(Draft),
    Doubtful(Doubt),
    /// Go on at this word.
    Skip(usize),
}

/// What is known about the text so far.
pub(crate) struct Context<'a> {
    gazetteer: &'a Gazetteer,
    text: &'a str,
    tokens: &'a [Token],
    style: Style,
    /// Last names of people met in this text.
    people: HashSet<String>,
    last_end: usize,
    last_meanings: Vec<Meaning>,
    folded: String,
}

impl<'a> Context<'a> {
    pub fn new(gazetteer: &'a Gazetteer, text: &'a str, tokens: &'a [Token], style: Style) -> Self {
        let mut context = Context {
            gazetteer,
            text,
            tokens,
            style,
            people: HashSet::new(),
            last_end: usize::MAX,
            last_meanings: Vec::new(),
            folded: String::new(),
        };
        context.collect_people();
        context
    }

    fn word(&self, at: usize) -> &'a str {
        self.tokens
            .get(at)
            .map_or("", |token| &self.text[token.start..token.end])
    }

    fn lower(&self, at: usize) -> String {
        self.word(at).to_lowercase()
    }

    fn capital(&self, at: usize) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| matches!(token.case, Case::Title | Case::Upper))
    }

    /// The capitalised word right before, where it may belong to the same name.
    fn before(&self, at: usize) -> Option<usize> {
        let joined = matches!(self.tokens[at].gap, Gap::Space | Gap::Hyphen);
        (at > 0 && joined && self.capital(at - 1) && !self.tokens[at - 1].possessive)
            .then(|| at - 1)
    }

    /// Whether a word begins a sentence.
    fn begins_sentence(&self, at: usize) -> bool {
        matches!(
            self.tokens[at].gap,
            Gap::Start | Gap::Other | Gap::Paragraph
        ) || self.tokens[at].gap == Gap::Period && at > 0 && !title_before(&self.lower(at - 1))
    }

    /// Given name, or title, and then a family name.
    fn collect_people(&mut self) {
        if self.style.upper_case || self.style.lower_case {
            return;
        }
        let names = lists();
        for at in 1..self.tokens.len() {
            let token = self.tokens[at];
            if token.case != Case::Title || at < 1 {
                continue;
            }
            let mut first = at - 1;
            let initial = self.word(first).chars().count() == 1 && self.capital(first);
            if initial && first > 0 {
                first -= 1;
            }
            let joined = (first + 1..=at)
                .all(|word| matches!(self.tokens[word].gap, Gap::Space | Gap::Period));
            if !joined || !self.capital(first) {
                continue;
            }
            let given = self.lower(first);
            let known_given = names.first_names.contains(given.as_str())
                && self.tokens[at].gap == Gap::Space
                && !direction(&given);
            let titled = title_before(&given) && given.len() > 1 && !initial;
            if (known_given && (initial || !self.is_place_pair(first, at))) || titled {
                self.people.insert(self.lower(at));
            }
        }
    }

    /// Two words that are one name of a place: `San Diego`, `Virginia Beach`.
    fn is_place_pair(&self, first: usize, at: usize) -> bool {
        let both = &self.text[self.tokens[first].start..self.tokens[at].end];
        !self.gazetteer.meanings(both).is_empty()
    }

    /// Whether a name may begin at this word.
    pub fn may_begin(&self, at: usize) -> bool {
        match self.tokens[at].case {
            Case::Title | Case::Upper => true,
            Case::Lower => self.style.lower_case || self.word(at) == "the" && self.capital(at + 1),
            Case::Other => self
                .word(at)
                .chars()
                .next()
                .is_some_and(char::is_alphabetic),
        }
    }

    /// Remembers a mention for the sake of the next one.
    pub fn accepted(&mut self, draft: &Draft) {
        self.last_end = draft.last;
        self.last_meanings.clone_from(&draft.meanings);
    }

    /// Whether the mention before this word is a known place and only a comma or bracket between.
    fn follows_place(&self, at: usize) -> bool {
        self.last_end == at
            && matches!(
                self.tokens[at].gap,
                Gap::Comma | Gap::Bracket | Gap::Space | Gap::Slash
            )
    }

    /// Bodies, time zones, money and strains of virus that are written as places are.
    fn is_body(&self, found: &Found) -> bool {
        let (first, last) = (self.tokens[found.first], self.tokens[found.end - 1]);
        let words = self.text[first.start..last.end].to_lowercase();
        let behind = &self.text[last.end..];
        body_name(words.trim_end_matches('.'))
            || behind.starts_with('$')
            || behind.starts_with('/') && first.gap == Gap::Slash
            || (found.first..found.end).all(|word| direction(&self.lower(word)))
                && self.capital_follows(found.end)
            || self.lower(found.end) == "university"
            || self.lower(found.end) == "college"
    }

    /// Meanings that this way of writing allows.
    fn allowed(&self, found: &Found) -> Vec<Meaning> {
        let (first, last) = (self.tokens[found.first], self.tokens[found.end - 1]);
        let letters = last.end - first.start;
        let single = found.end - found.first == 1;
        let upper = first.case == Case::Upper;
        let period = self.text[last.end..].starts_with('.') || first.dotted;
        let after_place = self.follows_place(found.first);
        found
            .meanings
            .iter()
            .copied()
            .filter(|meaning| {
                let kind = self.gazetteer.kind(meaning.place);
                let acronym = single && upper && letters <= 4 && !self.style.upper_case;
                let large = self.gazetteer.population(meaning.place) > 400_000;
                let known = !acronym || kind.level() <= 3 || large || after_place;
                kind != Kind::World && known
            })
            .filter(|meaning| match meaning.name {
                NameKind::Code if first.dotted => false,
                NameKind::Code if first.gap == Gap::Space && word_code(self.word(found.first)) => {
                    false
                }
                NameKind::Code => single && upper && after_place && !self.style.lower_case,
                // "L.A." is no spelling of "La."
                NameKind::Abbreviation
                    if first.dotted
                        && letters == 4
                        && !initials(&self.word(found.first).to_lowercase()) =>
                {
                    false
                }
                NameKind::Abbreviation => {
                    single && (period && (after_place || letters >= 4 || first.dotted))
                        || after_place && self.tokens[found.first].gap == Gap::Comma
                        || !single && period
                }
                NameKind::Gated => found.end - found.first >= 2,
                NameKind::Demonym => true,
                _ if single && letters <= 3 && !self.style.lower_case => {
                    upper
                        || self.gazetteer.kind(meaning.place) != Kind::City
                            && meaning.name == NameKind::Official
                        || self.gazetteer.population(meaning.place) > 100_000
                            && meaning.name == NameKind::Official
                }
                NameKind::Nickname => !self.style.lower_case,
                _ => true,
            })
            .collect()
    }

    /// Judges the longest name at a word.
    pub fn judge(&mut self, at: usize, found: Option<Found>, votes: &mut Vec<PlaceId>) -> Verdict {
        let Some(found) = found else {
            return self.unknown(at);
        };
        if self.is_body(&found) {
            return Verdict::Skip(found.end);
        }
        let mut found = found;
        if self.lower(at) == "the" {
            // "The Philippines" is "Philippines"; The Dalles and The Woodlands are cities; "the
            // Sierra" and "the West" are regions only with the article, which stays outside.
            let city = found.meanings.iter().any(|meaning| {
                self.gazetteer.kind(meaning.place) == Kind::City
                    && meaning.name == NameKind::Official
            });
            found.meanings.retain(|meaning| {
                matches!(
                    self.gazetteer.kind(meaning.place),
                    Kind::CensusRegion | Kind::Region | Kind::Subregion | Kind::Physical
                )
            });
            let longer = self.capital_follows(found.end);
            if !city && (found.meanings.is_empty() || found.end < found.first + 2 || longer) {
                return Verdict::Skip(at + 1);
            }
            if !city {
                found.first += 1;
                let draft = self.draft(&found, found.meanings.clone(), Role::Place, 2.0, true);
                return Verdict::Place(draft);
            }
        }
        let mut meanings = self.allowed(&found);
        let demonyms: Vec<Meaning> = meanings
            .iter()
            .copied()
            .filter(|meaning| meaning.name == NameKind::Demonym)
            .collect();
        if !demonyms.is_empty() {
            votes.extend(demonyms.iter().map(|meaning| meaning.place));
            let weighty = meanings.iter().any(|meaning| {
                matches!(meaning.name, NameKind::Official)
                    && (self.gazetteer.kind(meaning.place).level() <= 3
                        || self.gazetteer.population(meaning.place) > 200_000)
            });
            if !weighty {
                return Verdict::Skip(found.end);
            }
            meanings.retain(|meaning| meaning.name != NameKind::Demonym);
        }
        if meanings.is_empty() {
            return self.unknown(at);
        }
        let event = meanings
            .iter()
            .any(|meaning| self.gazetteer.kind(meaning.place) == Kind::Event);
        let events_only = meanings
            .iter()
            .all(|meaning| self.gazetteer.kind(meaning.place) == Kind::Event);
        let inside_longer = self.before(found.first).is_some_and(|before| {
            !function_word(&self.lower(before)) && !direction(&self.lower(before))
        });
        if events_only && inside_longer && !self.style.upper_case {
            // "Bald Mountain Fire" is not the Mountain Fire.
            return Verdict::Skip(found.end);
        }
        if event && events_only {
            let draft = self.draft(&found, meanings, Role::Event, 3.0, true);
            return Verdict::Place(draft);
        }
        meanings.retain(|meaning| self.gazetteer.kind(meaning.place) != Kind::Event);
        let before = self.type_before(&found, &mut meanings);
        let (end, typed) = self.with_type_word(&found, &mut meanings);
        let typed = typed || before;
        if end == usize::MAX {
            return Verdict::Skip(found.end + 1);
        }
        if meanings.is_empty() {
            // "Foo Creek" where only Foo is known: a place of its own, unknown.
            let draft = Draft {
                last: end,
                end: self.tokens[end - 1].end,
                ..self.draft(&found, Vec::new(), Role::Place, 2.0, true)
            };
            return Verdict::Place(draft);
        }
        let found = Found { end, ..found };
        let (mut score, alone) = self.score(&found, &meanings, typed);
        if self.style.lower_case {
            score -= 1.0;
        }
        let draft = self.draft(&found, meanings, Role::Place, score, typed);
        if score >= BELIEVED {
            Verdict::Place(draft)
        } else {
            Verdict::Doubtful(Doubt { draft, alone })
        }
    }

    fn draft(
        &self,
        found: &Found,
        meanings: Vec<Meaning>,
        role: Role,
        strength: f32,
        typed: bool,
    ) -> Draft {
        let last = self.tokens[found.end - 1];
        let abbreviated = meanings
            .iter()
            .any(|meaning| meaning.name == NameKind::Abbreviation)
            && self.text[last.end..].starts_with('.')
            && last.end - last.start <= 6;
        // "North Dallas", "West Midlands": a capital direction belongs to the name.
        let part = role == Role::Place
            && found.first > 0
            && self.tokens[found.first].gap == Gap::Space
            && self.capital(found.first - 1)
            && direction(&self.lower(found.first - 1))
            && !self.begins_sentence(found.first - 1)
            && self.last_end != found.first;
        let first = found.first - usize::from(part);
        Draft {
            start: self.tokens[first].start,
            end: last.end + usize::from(abbreviated && !last.dotted),
            first,
            last: found.end,
            meanings,
            role: if part {
                Role::Part
            } else if role == Role::Place {
                self.role(found)
            } else {
                role
            },
            strength,
            silent: false,
            typed,
        }
    }

    /// "state of Georgia", "city of Lincoln": keeps the meanings that fit.
    fn type_before(&self, found: &Found, meanings: &mut Vec<Meaning>) -> bool {
        let first = found.first;
        if first < 2 || self.lower(first - 1) != "of" || self.tokens[first].gap != Gap::Space {
            return false;
        }
        let word = self.lower(first - 2);
        let fits = |kind: Kind| match word.as_str() {
            "city" | "town" | "village" | "hamlet" => matches!(kind, Kind::City | Kind::Township),
            "state" | "commonwealth" | "province" => kind == Kind::State,
            "county" | "parish" => kind == Kind::County,
            "country" | "republic" | "kingdom" | "nation" => kind == Kind::Country,
            _ => false,
        };
        let fitting: Vec<Meaning> = meanings
            .iter()
            .copied()
            .filter(|meaning| fits(self.gazetteer.kind(meaning.place)))
            .collect();
        if fitting.is_empty() {
            return false;
        }
        *meanings = fitting;
        true
    }

    /// Takes the type word behind a name into it, and keeps the meanings that fit. `usize::MAX`
    /// for streets and buildings, which are no places of the graph.
    fn with_type_word(&self, found: &Found, meanings: &mut Vec<Meaning>) -> (usize, bool) {
        let Some(next) = self.tokens.get(found.end) else {
            return (found.end, false);
        };
        if next.gap != Gap::Space || self.tokens[found.end - 1].possessive {
            return (found.end, false);
        }
        let word = self.lower(found.end);
        let capital = next.case != Case::Lower;
        let behind = self.lower(found.end + 1);
        if capital
            && (matches!(behind.as_str(), "university" | "college")
                || word == "department" && behind == "of")
        {
            return (usize::MAX, false);
        }
        if unit_word(&word) {
            let fitting: Vec<Meaning> = meanings
                .iter()
                .copied()
                .filter(|meaning| fits_unit(self.gazetteer.kind(meaning.place), &word))
                .collect();
            if !fitting.is_empty() {
                *meanings = fitting;
                return (found.end + usize::from(capital), true);
            }
            // "California Department of ...": an office, not a unit of law.
            let office = matches!(
                word.as_str(),
                "department" | "district" | "state" | "municipality"
            );
            if capital && !office && !self.style.upper_case {
                meanings.clear();
                return (found.end + 1, true);
            }
            return (found.end, false);
        }
        if capital && event_word(&word) {
            return (usize::MAX, false);
        }
        if capital && feature_word(&word) && !self.capital_follows(found.end + 1) {
            let single = found.end - found.first == 1;
            if single || !function_word(&word) {
                meanings.clear();
                return (found.end + 1, true);
            }
        }
        if capital && street_word(&word) && !self.style.upper_case {
            return (usize::MAX, false);
        }
        (found.end, false)
    }

    /// Whether the word at this place is a capitalised one that goes on a name.
    fn capital_follows(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            token.gap == Gap::Space && self.capital(at) && !function_word(&self.lower(at))
        })
    }

    /// What part a believed name plays, by the words around it.
    fn role(&self, found: &Found) -> Role {
        let (first, end) = (found.first, found.end);
        if let Some(next) = self.tokens.get(end)
            && next.gap == Gap::Hyphen
            && self.word(end) == "based"
        {
            return Role::Aside;
        }
        if first == 0 {
            return Role::Place;
        }
        let word = self.lower(first - 1);
        if direction(&word) && self.tokens[first].gap == Gap::Space && !self.capital(first - 1) {
            return Role::Part;
        }
        if self.tokens[first].gap != Gap::Space {
            return Role::Place;
        }
        if word == "near" || word == "toward" || word == "towards" {
            return Role::Hint;
        }
        if word == "of" && first >= 2 {
            let head = self.lower(first - 2);
            if direction(&head) && first >= 3 {
                let unit = self.lower(first - 3);
                let measured = matches!(
                    unit.as_str(),
                    "km" | "kilometers"
                        | "kilometres"
                        | "kilometer"
                        | "kilometre"
                        | "miles"
                        | "mile"
                        | "mi"
                        | "just"
                        | "m"
                        | "metres"
                        | "meters"
                );
                return if measured { Role::Hint } else { Role::Place };
            }
        }
        Role::Place
    }
}

/// Whether a kind of place can be called by this unit word.
pub(crate) fn fits_unit(kind: Kind, word: &str) -> bool {
    match word.to_lowercase().as_str() {
        "county" | "parish" | "borough" | "counties" => kind == Kind::County,
        "township" => kind == Kind::Township,
        "republic" => kind == Kind::Country,
        "state" | "province" | "territory" | "oblast" | "governorate" | "prefecture" | "canton"
        | "emirate" | "krai" | "voivodeship" => kind == Kind::State,
        "region" => matches!(
            kind,
            Kind::State | Kind::County | Kind::Subregion | Kind::Region
        ),
        _ => matches!(kind, Kind::State | Kind::County),
    }
}

/// Abbreviations that are written as initials.
fn initials(word: &str) -> bool {
    matches!(
        word,
        "n.y."
            | "n.j."
            | "n.h."
            | "n.m."
            | "n.c."
            | "n.d."
            | "s.c."
            | "s.d."
            | "r.i."
            | "d.c."
            | "p.r."
            | "v.i."
            | "a.s."
            | "w.v."
            | "b.c."
            | "n.s."
            | "n.b."
            | "u.s."
            | "u.k."
    )
}

/// Codes that are words, believed behind a comma or bracket only.
fn word_code(word: &str) -> bool {
    matches!(
        word,
        "IN" | "OR"
            | "ME"
            | "OK"
            | "HI"
            | "OH"
            | "LA"
            | "DE"
            | "ID"
            | "PA"
            | "MA"
            | "CO"
            | "AL"
            | "MS"
            | "MD"
            | "AS"
            | "ON"
    )
}
