//! Resolution: which place a mention means.
//!
//! The signals, strongest first: a parent in the text, the type word, what is known of the
//! document, places mentioned with it, and how well known each candidate is. Three outcomes:
//! resolved, ambiguous with ranked candidates, unknown. One unknown never touches the others.

mod home;
mod parents;
mod support;

use std::collections::HashMap;

use lahar_core::TextIndex;

use crate::gazetteer::{Gazetteer, PlaceId};
use crate::kind::{Kind, NameKind};
use crate::mention::{Candidate, Mention, Role, Status};
use crate::tag::{Draft, Drafts, Gap};
pub use home::Home;

/// What a text is, which decides how much must speak for a place before it is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Setting {
    /// A document, where many mentions support each other.
    #[default]
    Document,
    /// A question: a bare name that fits several places is asked back.
    Question,
}

/// What is known of a text besides its words.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// Document or question.
    pub setting: Setting,
    /// Places the document is about or its publisher works for, or the user's own place.
    pub within: Vec<PlaceId>,
    /// Address or host name the document was published at.
    pub site: Option<String>,
    /// Where the publisher's other texts are at home.
    pub home: Option<Home>,
}

impl Reading {
    /// A question without anything else known.
    pub fn question() -> Reading {
        Reading {
            setting: Setting::Question,
            ..Reading::default()
        }
    }
}

/// A candidate with what speaks for it.
#[derive(Debug, Clone)]
pub(crate) struct Scored {
    pub place: PlaceId,
    pub name: NameKind,
    /// How well known it is.
    pub base: f32,
    /// With what parents and declared places add.
    pub fixed: f32,
    /// With what the rest of the text adds.
    pub score: f32,
    pub county: Option<PlaceId>,
    pub state: Option<PlaceId>,
    pub country: Option<PlaceId>,
}

/// A mention with its candidates.
#[derive(Debug, Clone)]
pub(crate) struct Open<'a> {
    pub draft: &'a Draft,
    pub candidates: Vec<Scored>,
    /// The next mention that is its parent in the text.
    pub parent: Option<usize>,
    /// "at Snohomish": something of a town's size, and not the county around it.
    pub at_a_spot: bool,
    /// The state in which a place of this name must lie that no table knows.
    pub unlisted: Option<PlaceId>,
    pub evidence: Vec<String>,
}

/// Candidates that are looked at; more of one name are never told apart by what we know.
const MOST_CANDIDATES: usize = 40;

/// What a county without its type word weighs less where a state or country has the name.
const COUNTY_BELOW_STATE: f32 = 10.0;

/// Margin below which a mention of a document is ambiguous.
pub const MARGIN: f32 = 0.15;

/// In a question, the next candidate must be this much less known (natural logarithm of
/// inhabitants: one twentieth) for a bare name to be believed.
const QUESTION_LEAD: f32 = 3.0;

/// Scores become shares by a soft maximum of this width.
const WIDTH: f32 = 1.5;

/// Resolves the mentions of one text.
pub(crate) fn resolve(
    gazetteer: &Gazetteer,
    text: &str,
    drafts: &Drafts,
    reading: &Reading,
) -> Vec<Mention> {
    let mut open: Vec<Open<'_>> = drafts
        .mentions
        .iter()
        .map(|draft| Open {
            draft,
            candidates: candidates(gazetteer, draft),
            parent: None,
            at_a_spot: follows_at(text, drafts, draft),
            unlisted: None,
            evidence: Vec::new(),
        })
        .collect();
    parents::pair(gazetteer, text, drafts, &mut open);
    parents::rows(gazetteer, text, drafts, &mut open);
    one_sense(text, &mut open);
    support::add(gazetteer, text, &mut open, &drafts.votes, reading);
    let index = TextIndex::new(text);
    let mut mentions: Vec<Mention> = open
        .iter()
        .map(|open| finish(gazetteer, &index, open, reading.setting))
        .collect();
    for (mention, open) in mentions.iter_mut().zip(&open) {
        if let Some(state) = open.unlisted {
            mention.status = Status::Unknown;
            mention.place = None;
            mention.candidates.clear();
            mention.margin = 0.0;
            mention.evidence = vec![format!(
                "no place of this name is known in {}, which the text is about",
                gazetteer.name(state)
            )];
        }
    }
    for (at, open) in open.iter().enumerate() {
        if let Some(parent) = open
            .parent
            .filter(|parent| *parent == at + 1 || *parent + 1 == at)
        {
            mentions[parent].qualifies = true;
            if mentions[parent].role == Role::Aside {
                mentions[at].role = Role::Aside;
            }
        }
        if mentions[at].status == Status::Unknown
            && let Some(parent) = open.parent
        {
            mentions[at].parent_in_text = mentions[parent].best();
        }
    }
    likely_within(gazetteer, &mut mentions);
    for (mention, open) in mentions.iter_mut().zip(&open) {
        if open.unlisted.is_some() {
            mention.likely_within = open.unlisted;
        }
    }
    let mut silent = open.iter().map(|open| open.draft.silent);
    mentions.retain(|_| !silent.next().unwrap_or(false));
    mentions
}

/// Where an unknown place most likely lies: in the state that most of the text's places lie in.
fn likely_within(gazetteer: &Gazetteer, mentions: &mut [Mention]) {
    let mut counts: HashMap<PlaceId, u32> = HashMap::new();
    let mut known = 0;
    for best in mentions.iter().filter_map(Mention::best) {
        if let Some(unit) = gazetteer.state(best) {
            *counts.entry(unit).or_default() += 1;
            known += 1;
        }
    }
    let most = counts
        .iter()
        .max_by_key(|(place, count)| (**count, std::cmp::Reverse(**place)));
    if let Some((place, count)) = most
        && *count * 2 >= known
    {
        for mention in mentions
            .iter_mut()
            .filter(|mention| mention.status == Status::Unknown)
        {
            mention.likely_within = Some(*place);
        }
    }
}

/// Candidates with their weight before any context.
fn candidates(gazetteer: &Gazetteer, draft: &Draft) -> Vec<Scored> {
    let mut candidates: Vec<Scored> = Vec::with_capacity(draft.meanings.len());
    for meaning in &draft.meanings {
        if candidates.iter().any(|known| known.place == meaning.place) {
            continue;
        }
        let mut base = weight(gazetteer, meaning.place, meaning.name, draft.typed);
        // "southern New York" is part of the state.
        if draft.role == Role::Part && gazetteer.kind(meaning.place) == Kind::City {
            base -= 3.0;
        }
        candidates.push(Scored {
            place: meaning.place,
            name: meaning.name,
            base,
            fixed: base,
            score: base,
            county: county(gazetteer, meaning.place),
            state: gazetteer.state(meaning.place),
            country: gazetteer.country(meaning.place),
        });
    }
    // "Ohio" is the state before it is Ohio County, Indiana.
    let state = candidates.iter().any(|candidate| {
        candidate.name == NameKind::Official
            && matches!(gazetteer.kind(candidate.place), Kind::State | Kind::Country)
    });
    if state && !draft.typed {
        for candidate in &mut candidates {
            if candidate.name == NameKind::Short && gazetteer.kind(candidate.place) == Kind::County
            {
                candidate.base -= COUNTY_BELOW_STATE;
                candidate.fixed -= COUNTY_BELOW_STATE;
                candidate.score -= COUNTY_BELOW_STATE;
            }
        }
    }
    candidates.sort_by(|a, b| b.base.total_cmp(&a.base).then(a.place.cmp(&b.place)));
    candidates.truncate(MOST_CANDIDATES);
    candidates
}

/// Whether "at" stands right before a name: things happen in a county and at a town.
fn follows_at(text: &str, drafts: &Drafts, draft: &Draft) -> bool {
    draft.first.checked_sub(1).is_some_and(|before| {
        let token = &drafts.tokens[before];
        text[token.start..token.end].eq_ignore_ascii_case("at")
            && drafts.tokens[draft.first].gap == Gap::Space
    })
}

/// The county a place lies in first; a county is its own.
fn county(gazetteer: &Gazetteer, place: PlaceId) -> Option<PlaceId> {
    match gazetteer.kind(place) {
        Kind::County => Some(place),
        Kind::City | Kind::Township => gazetteer
            .parents(place)
            .map(|edge| edge.parent)
            .find(|parent| gazetteer.kind(*parent) == Kind::County),
        _ => None,
    }
}

/// How well known a place is under a name: country before state before large city before county
/// before small place.
pub(crate) fn weight(gazetteer: &Gazetteer, place: PlaceId, name: NameKind, typed: bool) -> f32 {
    let population = (1.0 + gazetteer.population(place) as f32).ln();
    let kind = gazetteer.kind(place);
    let base = match kind {
        Kind::World | Kind::Continent => 16.0,
        Kind::Macroregion | Kind::Water => 13.0,
        Kind::Country => 16.0 + 0.25 * population,
        Kind::HistoricCountry => 12.0,
        Kind::State => {
            6.0 + 0.45 * population
                + if gazetteer.in_united_states(place) {
                    1.7
                } else {
                    0.0
                }
        }
        Kind::CensusRegion | Kind::Region => 12.5,
        Kind::Division => 5.0,
        Kind::Subregion | Kind::Physical => 9.5,
        Kind::Tribal | Kind::Forest | Kind::Park => 9.0,
        Kind::Island | Kind::River => 8.5,
        Kind::Watershed | Kind::FireZone | Kind::Office => 7.0,
        Kind::County if typed => 5.0 + 0.6 * population,
        Kind::County => 3.0 + 0.5 * population,
        Kind::City => {
            population
                + if gazetteer.is_capital(place) {
                    0.3
                } else {
                    0.0
                }
                + if gazetteer.in_united_states(place) {
                    1.2
                } else {
                    0.0
                }
        }
        Kind::Township => 5.5,
        Kind::Point => 7.0,
        Kind::Event => 12.0,
    };
    base - match name {
        NameKind::Official | NameKind::Code | NameKind::Abbreviation => 0.0,
        NameKind::Short => {
            if kind == Kind::County && gazetteer.state(place).is_some() {
                3.0
            } else {
                0.5
            }
        }
        NameKind::Alternate if kind.level() <= 3 => 0.5,
        NameKind::Alternate | NameKind::Historical => 2.5,
        NameKind::Nickname => 1.0,
        NameKind::Demonym => 8.0,
        NameKind::Gated => 3.0,
    }
}

/// A name means one place throughout a text: mentions without a parent of their own take over
/// what a mention with a parent said.
fn one_sense(text: &str, open: &mut [Open<'_>]) {
    let mut said: HashMap<&str, (Vec<Scored>, bool)> = HashMap::new();
    for mention in open.iter() {
        if mention.parent.is_some() && !mention.candidates.is_empty() {
            let words = &text[mention.draft.start..mention.draft.end];
            said.entry(words)
                .and_modify(|(known, clear)| {
                    if known[0].place != mention.candidates[0].place {
                        *clear = false;
                    }
                })
                .or_insert_with(|| (mention.candidates.clone(), true));
        }
    }
    for mention in open.iter_mut() {
        if mention.parent.is_some() || mention.candidates.len() < 2 {
            continue;
        }
        let words = &text[mention.draft.start..mention.draft.end];
        if let Some((known, true)) = said.get(words) {
            for candidate in &mut mention.candidates {
                if known.iter().any(|sense| sense.place == candidate.place) {
                    candidate.fixed += 8.0;
                    candidate.score += 8.0;
                }
            }
            mention
                .evidence
                .push("named with its parent elsewhere in the text".into());
        }
    }
}

/// Shares, margin and status.
fn finish(
    gazetteer: &Gazetteer,
    index: &TextIndex<'_>,
    open: &Open<'_>,
    setting: Setting,
) -> Mention {
    let draft = open.draft;
    let mut ranked = open.candidates.clone();
    ranked.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then(b.base.total_cmp(&a.base))
            .then(a.place.cmp(&b.place))
    });
    let top = ranked.first().map_or(0.0, |first| first.score);
    let sum: f32 = ranked.iter().map(|c| ((c.score - top) / WIDTH).exp()).sum();
    let mut candidates: Vec<Candidate> = ranked
        .iter()
        .map(|c| Candidate {
            place: c.place,
            share: ((c.score - top) / WIDTH).exp() / sum,
        })
        .collect();
    // Boundary-identical places are one place under several offices.
    let rival = candidates
        .iter()
        .skip(1)
        .find(|candidate| !one_in_effect(gazetteer, candidate.place, candidates[0].place));
    let margin = match (candidates.first(), rival) {
        (None, _) => 0.0,
        (Some(first), None) => first.share.max(1.0 - f32::EPSILON),
        (Some(first), Some(second)) => first.share - second.share,
    };
    let status = if candidates.is_empty() {
        Status::Unknown
    } else if margin < MARGIN || setting == Setting::Question && asks_back(gazetteer, open, &ranked)
    {
        Status::Ambiguous
    } else {
        Status::Resolved
    };
    let mut evidence = open.evidence.clone();
    if candidates.len() == 1 {
        evidence.push("the only place of that name".into());
    } else if let [first, second, ..] = &ranked[..]
        && first.base > second.base + 1.0
    {
        evidence.push("the best known place of that name".into());
    }
    if setting == Setting::Question {
        // Only those that a person may mean are offered.
        let first = candidates.first().map(|first| first.place);
        let keep: Vec<bool> = candidates
            .iter()
            .zip(&ranked)
            .map(|(candidate, scored)| {
                let around = first.is_some_and(|first| {
                    gazetteer.kind(candidate.place) == Kind::County
                        && gazetteer.lies_under(first, candidate.place)
                });
                top - scored.score < QUESTION_LEAD || around
            })
            .collect();
        let several = keep.iter().filter(|keep| **keep).count() > 1;
        let mut at = 0;
        candidates.retain(|_| {
            at += 1;
            keep[at - 1] || !several && at == 2
        });
    }
    candidates.truncate(12);
    Mention {
        text: index.text()[draft.start..draft.end].to_owned(),
        range: index.range(draft.start..draft.end),
        status,
        place: (status == Status::Resolved)
            .then(|| candidates.first().map(|candidate| candidate.place))
            .flatten(),
        subject: None,
        candidates,
        margin,
        evidence,
        role: if draft.role == Role::Place && gazetteer_event(gazetteer, &ranked) {
            Role::Event
        } else {
            draft.role
        },
        qualifies: false,
        parent_in_text: None,
        likely_within: None,
    }
}

/// One place under two ids: the same boundary, or a city that makes up its unit of the same name
/// (Berlin, Tbilisi).
pub(crate) fn one_in_effect(gazetteer: &Gazetteer, one: PlaceId, other: PlaceId) -> bool {
    if gazetteer.representative(one) == gazetteer.representative(other) {
        return true;
    }
    let fills = |city: PlaceId, unit: PlaceId| {
        gazetteer.kind(city) == Kind::City
            && matches!(gazetteer.kind(unit), Kind::State | Kind::County)
            && gazetteer.lies_under(city, unit)
            && gazetteer.population(city) as f64 >= 0.8 * gazetteer.population(unit).max(1) as f64
    };
    fills(one, other) || fills(other, one)
}

fn gazetteer_event(gazetteer: &Gazetteer, ranked: &[Scored]) -> bool {
    ranked
        .first()
        .is_some_and(|first| gazetteer.kind(first.place) == Kind::Event)
}

/// Whether a bare name in a question fits several places well enough that the person is asked.
fn asks_back(gazetteer: &Gazetteer, open: &Open<'_>, ranked: &[Scored]) -> bool {
    if open.parent.is_some() {
        return false;
    }
    let Some(first) = ranked.first() else {
        return false;
    };
    ranked.iter().skip(1).any(|other| {
        if one_in_effect(gazetteer, other.place, first.place) {
            return false;
        }
        let named = matches!(
            other.name,
            NameKind::Official | NameKind::Short | NameKind::Abbreviation
        );
        // A city in a country of the same name (Singapore, Panama) is no rival of the country.
        let inside = gazetteer.kind(first.place) == Kind::Country
            && gazetteer.lies_under(other.place, first.place);
        if !named || inside {
            return false;
        }
        let (city, county) = (gazetteer.kind(first.place), gazetteer.kind(other.place));
        // Virginia is the state, whatever towns elsewhere are called; New York and Washington are
        // cities too.
        if city == Kind::State && county == Kind::City {
            return gazetteer.population(other.place) * 20 >= gazetteer.population(first.place);
        }
        // A country and a state of one name (Georgia) are never told apart by size.
        if city == Kind::Country && county == Kind::State && other.name == NameKind::Official {
            return gazetteer.population(other.place) > 1_000_000;
        }
        if city == Kind::City && county == Kind::County {
            // City and county of one name: the city, when nearly all people of the county live
            // in it; a county elsewhere counts as a place of its own.
            return if gazetteer.lies_under(first.place, other.place) {
                if open.at_a_spot {
                    return false;
                }
                let share = gazetteer.population(first.place) as f64
                    / gazetteer.population(other.place).max(1) as f64;
                share < 0.8
            } else {
                first.score - other.score < 1.0
            };
        }
        first.score - other.score < QUESTION_LEAD
    })
}
