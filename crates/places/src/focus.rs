//! Which of a passage's places it is about.

use std::collections::HashMap;

use lahar_core::CharRange;

use crate::decision::FocusPlace;
use crate::gazetteer::{Gazetteer, PlaceId};
use crate::mention::{Mention, Role, Status};

/// Where a passage stands, for the sake of its places.
#[derive(Debug, Clone, Default)]
pub struct Surroundings<'a> {
    /// Mentions of the document's title.
    pub title: &'a [Mention],
    /// Mentions of the headings above the passage.
    pub headings: &'a [Mention],
    /// Places declared for the document.
    pub declared: &'a [PlaceId],
    /// The known place around a declared one that no table knows.
    pub around_unknown: Option<PlaceId>,
}

impl Surroundings<'_> {
    fn is_declared(&self) -> bool {
        !self.declared.is_empty() || self.around_unknown.is_some()
    }
}

/// Siblings in a row that count as the place they share.
const LIST: usize = 5;

/// The places in focus: those of the title, the headings, the declaration and the first sentence,
/// and the most frequent ones; where there is none of these, all. Landmarks, addresses and
/// bylines never count, nor do names that may mean several places; a row of five or more siblings counts as the place they share.
pub fn focus(
    gazetteer: &Gazetteer,
    text: &str,
    mentions: &[Mention],
    surroundings: &Surroundings<'_>,
) -> Vec<FocusPlace> {
    let listed = lists(gazetteer, text, mentions);
    let counted: Vec<&Mention> = mentions
        .iter()
        .enumerate()
        .filter(|(at, mention)| {
            counts(gazetteer, mention) && !listed.iter().any(|list| list.members.contains(at))
        })
        .map(|(_, mention)| mention)
        .collect();
    let mut focus: Vec<FocusPlace> = Vec::new();
    let mut add = |place: FocusPlace| {
        if !focus.iter().any(|known| known.subject == place.subject) {
            focus.push(place);
        }
    };
    for place in surroundings.declared {
        add(FocusPlace::place(gazetteer, *place));
    }
    if let Some(place) = surroundings.around_unknown {
        add(FocusPlace::within(gazetteer, place));
    }
    for mentions in [surroundings.title, surroundings.headings] {
        for place in named(gazetteer, mentions, surroundings.is_declared()) {
            add(place);
        }
    }
    let titled: Vec<PlaceId> = focus
        .iter()
        .filter_map(|place| place.subject.place)
        .collect();
    let mut add = |place: FocusPlace| {
        if !focus.iter().any(|known| known.subject == place.subject) {
            focus.push(place);
        }
    };
    let first_sentence = end_of_first_sentence(text);
    let mut frequency: HashMap<PlaceId, usize> = HashMap::new();
    for mention in &counted {
        if let Some(place) = mention.best() {
            *frequency.entry(place).or_default() += 1;
        }
    }
    let most = frequency.values().copied().max().unwrap_or(0);
    for mention in &counted {
        let frequent = most >= 2
            && mention
                .best()
                .is_some_and(|place| frequency.get(&place) == Some(&most));
        if (mention.range.start < first_sentence || frequent)
            && let Some(place) = focus_place(gazetteer, mention)
        {
            add(place);
        }
    }
    for list in &listed {
        if list.start < first_sentence || counted.is_empty() {
            add(FocusPlace::place(gazetteer, list.shared));
        }
    }
    if focus.is_empty() {
        for mention in &counted {
            if let Some(place) = focus_place(gazetteer, mention)
                && !focus.iter().any(|known| known.subject == place.subject)
            {
                focus.push(place);
            }
        }
    }
    drop_parents(&mut focus, mentions);
    drop_surroundings(gazetteer, &mut focus, surroundings.declared, &titled);
    focus
}

/// A county's plan that speaks of its state is not about the state. What is declared goes before
/// what title and headings name, and that before what the text names: a place around one that
/// goes before it only says where that one lies.
fn drop_surroundings(
    gazetteer: &Gazetteer,
    focus: &mut Vec<FocusPlace>,
    declared: &[PlaceId],
    named: &[PlaceId],
) {
    let surrounds = |outer: PlaceId, inner: PlaceId| {
        inner != outer && gazetteer.contains(outer, inner) && !gazetteer.contains(inner, outer)
    };
    focus.retain(|outer| {
        let Some(outer) = outer.subject.place else {
            return true;
        };
        let before: &[PlaceId] = match outer {
            _ if declared.contains(&outer) => &[],
            _ if named.contains(&outer) => declared,
            _ => named,
        };
        !before.iter().any(|&inner| surrounds(outer, inner))
    });
}

/// The places that a title or heading names. One that only says where another lies is not what it
/// is about: it stands around the other where that is not known, and says nothing where it is, or
/// where the places are declared.
fn named(gazetteer: &Gazetteer, mentions: &[Mention], is_declared: bool) -> Vec<FocusPlace> {
    let mut named = Vec::new();
    let mut head: Option<&Mention> = None;
    for mention in mentions {
        let known = counts(gazetteer, mention).then_some(mention);
        if !mention.qualifies {
            head = Some(mention);
            named.extend(known.and_then(|mention| focus_place(gazetteer, mention)));
        } else if !is_declared
            && head.is_none_or(|head| !counts(gazetteer, head))
            && let Some(around) = known.and_then(|mention| mention.place)
        {
            named.push(FocusPlace::within(gazetteer, around));
            // Those behind it say where this one lies.
            head = known;
        }
    }
    named
}

/// `Portland, Oregon` is about Portland: a mention that only says where another lies is no focus.
fn drop_parents(focus: &mut Vec<FocusPlace>, mentions: &[Mention]) {
    let alone: Vec<PlaceId> = mentions
        .iter()
        .filter(|mention| !mention.qualifies)
        .filter_map(Mention::best)
        .collect();
    let keep: Vec<bool> = focus
        .iter()
        .map(|place| {
            let Some(id) = place.subject.place else {
                return true;
            };
            let mentioned = mentions.iter().any(|mention| mention.best() == Some(id));
            !mentioned || alone.contains(&id)
        })
        .collect();
    if keep.iter().any(|keep| *keep) {
        let mut keep = keep.into_iter();
        focus.retain(|_| keep.next().unwrap_or(true));
    }
}

fn counts(gazetteer: &Gazetteer, mention: &Mention) -> bool {
    !gazetteer.is_feature(mention)
        && matches!(
            mention.role,
            Role::Place | Role::Event | Role::Point | Role::Box | Role::Part
        )
        // A name that may mean several places is no ground for quoting.
        && (mention.status == Status::Resolved || mention.subject.is_some())
}

fn focus_place(gazetteer: &Gazetteer, mention: &Mention) -> Option<FocusPlace> {
    if let Some(subject) = &mention.subject {
        return Some(FocusPlace {
            subject: subject.clone(),
            name: mention.text.clone(),
            is_around: false,
        });
    }
    mention
        .best()
        .map(|place| FocusPlace::place(gazetteer, place))
}

struct List {
    members: std::ops::Range<usize>,
    start: usize,
    shared: PlaceId,
}

/// Rows of five or more mentions of one kind with only commas and "and" between them.
fn lists(gazetteer: &Gazetteer, text: &str, mentions: &[Mention]) -> Vec<List> {
    let characters: Vec<char> = text.chars().collect();
    let joined = |one: &Mention, other: &Mention| {
        let between: String = characters
            .get(one.range.end..other.range.start)
            .unwrap_or(&[])
            .iter()
            .collect();
        let between = between.trim().trim_matches(',').trim();
        matches!(between, "" | "and" | "or" | ";" | "&" | "and the" | "/")
    };
    let kind = |mention: &Mention| mention.best().map(|place| gazetteer.kind(place));
    let mut lists = Vec::new();
    let mut start = 0;
    for at in 1..=mentions.len() {
        let goes_on = at < mentions.len()
            && kind(&mentions[at]).is_some()
            && kind(&mentions[at]) == kind(&mentions[at - 1])
            && joined(&mentions[at - 1], &mentions[at]);
        if goes_on {
            continue;
        }
        if at - start >= LIST {
            let places: Vec<PlaceId> = mentions[start..at]
                .iter()
                .filter_map(Mention::best)
                .collect();
            if let Some(shared) = gazetteer.smallest_container(&places) {
                lists.push(List {
                    members: start..at,
                    start: mentions[start].range.start,
                    shared,
                });
            }
        }
        start = at;
    }
    lists
}

/// In scalar values; abbreviations such as "St." do not end a sentence.
fn end_of_first_sentence(text: &str) -> usize {
    let characters: Vec<char> = text.chars().collect();
    for at in 0..characters.len() {
        let ends = matches!(characters[at], '.' | '!' | '?')
            && characters
                .get(at + 1)
                .is_none_or(|next| next.is_whitespace())
            && characters
                .get(at + 2)
                .is_none_or(|next| !next.is_lowercase());
        let word: Vec<&char> = characters[..at]
            .iter()
            .rev()
            .take_while(|c| c.is_alphanumeric())
            .collect();
        let whole = word.len() > 3 || word.len() > 1 && word.iter().all(|c| !c.is_uppercase());
        if ends && whole || characters[at] == '\n' && characters.get(at + 1) == Some(&'\n') {
            return at + 1;
        }
    }
    characters.len()
}

/// The mention nearest to a sentence: inside it, else the last one before it.
pub fn nearest<'m>(
    gazetteer: &Gazetteer,
    mentions: &'m [Mention],
    sentence: CharRange,
) -> Option<&'m Mention> {
    let counted = || mentions.iter().filter(|mention| counts(gazetteer, mention));
    counted()
        .find(|mention| sentence.overlaps(mention.range))
        .or_else(|| counted().rfind(|mention| mention.range.end <= sentence.start))
}
