//! Recognition: which words of a text name places.
//!
//! The gazetteer finds names, gates by kind of name and context decide which are believed, and
//! words that must be places by their context are kept as unknown. No model is needed; a tagger
//! that has one implements [`SpanTagger`], and its spans are resolved the same way.

mod gates;
mod scan;
mod tokens;
mod words;

use std::collections::HashMap;

use crate::error::PlacesError;
use crate::gazetteer::{Gazetteer, Meaning, PlaceId};
use crate::kind::{Kind, NameKind};
use crate::mention::Role;
pub(crate) use gates::fits_unit;
pub(crate) use tokens::{Case, Gap, Token};
pub(crate) use words::{lists, place_noun};

/// A tagger that finds spans of places in a text, as a model does. Byte offsets.
pub trait SpanTagger {
    /// The spans, in order, none overlapping another; [`PlacesError::Tagger`] where the model
    /// cannot read the text.
    fn spans(&self, text: &str) -> Result<Vec<std::ops::Range<usize>>, PlacesError>;
}

/// A mention before it is resolved.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    /// Bytes of the mention.
    pub start: usize,
    pub end: usize,
    /// Words of the mention.
    pub first: usize,
    pub last: usize,
    /// What it may mean; empty for unknown places.
    pub meanings: Vec<Meaning>,
    pub role: Role,
    /// How sure it is a place.
    pub strength: f32,
    /// Only supports other mentions.
    pub silent: bool,
    /// The type word that belongs to the name narrows its kind.
    pub typed: bool,
}

/// Everything recognised in a text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Drafts {
    pub tokens: Vec<Token>,
    pub mentions: Vec<Draft>,
    /// Countries and states that inhabitants and adjectives speak for.
    pub votes: Vec<PlaceId>,
}

/// Finds the mentions of a text.
pub(crate) fn recognise(gazetteer: &Gazetteer, text: &str, question: bool) -> Drafts {
    let tokens = tokens::tokenize(text);
    let mut drafts = Drafts::default();
    let style = gates::Style::of(text, &tokens, question);
    let mut context = gates::Context::new(gazetteer, text, &tokens, style);
    let mut maybe: Vec<gates::Doubt> = Vec::new();
    let mut buffer = String::new();
    let mut at = 0;
    while at < tokens.len() {
        if !context.may_begin(at) {
            at += 1;
            continue;
        }
        let found = scan::longest(gazetteer, text, &tokens, at, style.lower_case, &mut buffer);
        match context.judge(at, found, &mut drafts.votes) {
            gates::Verdict::Place(draft) => {
                at = draft.last.max(at + 1);
                context.accepted(&draft);
                drafts.mentions.push(draft);
            }
            gates::Verdict::Doubtful(doubt) => {
                // "Texas Forest Service" is no mention of Texas, and says where we are.
                if !doubt.alone {
                    drafts.votes.extend(
                        doubt
                            .draft
                            .meanings
                            .iter()
                            .map(|meaning| meaning.place)
                            .filter(|place| {
                                matches!(gazetteer.kind(*place), Kind::State | Kind::Country)
                            }),
                    );
                }
                at += 1;
                maybe.push(doubt);
            }
            gates::Verdict::Skip(next) => at = next.max(at + 1),
        }
    }
    revive(text, &mut drafts, maybe);
    drafts.tokens = tokens;
    drafts
}

/// A name believed once is believed wherever it stands alone in the same text.
fn revive(text: &str, drafts: &mut Drafts, maybe: Vec<gates::Doubt>) {
    let mut believed: HashMap<&str, Draft> = HashMap::new();
    for draft in drafts.mentions.iter().filter(|draft| draft.strength >= 2.5) {
        believed
            .entry(&text[draft.start..draft.end])
            .or_insert_with(|| draft.clone());
    }
    for doubt in maybe {
        let draft = doubt.draft;
        let free = !drafts
            .mentions
            .iter()
            .any(|known| known.start < draft.end && draft.start < known.end);
        if free
            && doubt.alone
            && let Some(known) = believed.get(&text[draft.start..draft.end])
        {
            drafts.mentions.push(Draft {
                meanings: known.meanings.clone(),
                strength: 1.5,
                ..draft
            });
        }
    }
    drafts.mentions.sort_by_key(|draft| draft.start);
}

/// Forced spans: words that somebody else says are places.
pub(crate) fn at_spans(
    gazetteer: &Gazetteer,
    text: &str,
    spans: &[std::ops::Range<usize>],
) -> Drafts {
    let mut drafts = recognise(gazetteer, text, false);
    let found = std::mem::take(&mut drafts.mentions);
    // What else stands in the text supports the spans, and is left out of the result.
    for draft in &found {
        if !spans
            .iter()
            .any(|span| span.start < draft.end && draft.start < span.end)
        {
            drafts.mentions.push(Draft {
                silent: true,
                ..draft.clone()
            });
        }
    }
    for span in spans {
        let Some(words) = text.get(span.clone()) else {
            continue;
        };
        let known = found
            .iter()
            .find(|draft| draft.start == span.start && draft.end == span.end);
        let meanings = match known {
            Some(draft) if !draft.meanings.is_empty() => draft.meanings.clone(),
            _ => forced_meanings(gazetteer, words),
        };
        let token = |byte: usize| drafts.tokens.partition_point(|token| token.start < byte);
        drafts.mentions.push(Draft {
            start: span.start,
            end: span.end,
            first: token(span.start),
            last: token(span.end),
            meanings,
            role: known.map_or(Role::Place, |draft| draft.role),
            strength: 3.0,
            silent: false,
            typed: known.is_some_and(|draft| draft.typed),
        });
    }
    drafts.mentions.sort_by_key(|draft| draft.start);
    drafts
}

/// Meanings of words that are known to be a place: every kind of name counts.
fn forced_meanings(gazetteer: &Gazetteer, words: &str) -> Vec<Meaning> {
    let places = |name: &str| -> Vec<Meaning> {
        gazetteer
            .meanings(name)
            .into_iter()
            .filter(|meaning| gazetteer.kind(meaning.place) != Kind::Event)
            .collect()
    };
    let mut meanings = places(words);
    if meanings.is_empty() {
        // "Akita Prefecture", "Scott Township", "city of Lakeport": the type word may be missing
        // in the tables, or the name.
        if let Some((bare, word)) = words.rsplit_once(' ')
            && words::unit_word(&word.to_lowercase())
        {
            meanings = places(bare)
                .into_iter()
                .filter(|meaning| gates::fits_unit(gazetteer.kind(meaning.place), word))
                .collect();
        }
        if meanings.is_empty()
            && let Some((first, rest)) = words.split_once(' ')
            && (words::direction(&first.to_lowercase()) || first.eq_ignore_ascii_case("the"))
        {
            meanings = places(rest);
        }
    }
    // Inhabitants stand for their place only where nothing else bears the name.
    if meanings
        .iter()
        .any(|meaning| meaning.name != NameKind::Demonym)
    {
        meanings.retain(|meaning| meaning.name != NameKind::Demonym);
    }
    meanings
}
