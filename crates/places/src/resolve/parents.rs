//! Parents in the text: `Portland, Oregon`; `Portland (Ore.)`; `the Oregon city of Portland`.

use super::Open;
use crate::gazetteer::{Gazetteer, PlaceId};
use crate::kind::{Kind, NameKind};
use crate::mention::Role;
use crate::tag::{Drafts, Gap, place_noun};

/// Pairs every mention with the one behind it that contains it, from the end of the text to its
/// beginning, so that chains work: `Portland, Multnomah County, Oregon, USA`.
pub(super) fn pair(gazetteer: &Gazetteer, text: &str, drafts: &Drafts, open: &mut [Open<'_>]) {
    for at in (0..open.len()).rev() {
        if at + 1 < open.len() {
            forward(gazetteer, text, drafts, open, at);
        }
        if at > 0 && open[at].parent.is_none() {
            backward(gazetteer, text, drafts, open, at);
        }
    }
}

/// `X, Y`, `X (Y)`, `X Y` with Y a state or country, `X in Y`, `X and Z, Y`.
fn forward(gazetteer: &Gazetteer, text: &str, drafts: &Drafts, open: &mut [Open<'_>], at: usize) {
    let (last, next) = (open[at].draft.last, open[at + 1].draft.first);
    let strict = match next.checked_sub(last) {
        Some(0) => {
            let gap = drafts.tokens[next].gap;
            let comma = matches!(gap, Gap::Comma | Gap::Bracket | Gap::Slash);
            if !comma && gap != Gap::Space {
                return;
            }
            comma
        }
        Some(1) => {
            let between = &drafts.tokens[last];
            let word = &text[between.start..between.end];
            if !(word == "in" && between.gap == Gap::Space) {
                return;
            }
            false
        }
        // "X, a town in Y", "X in the state of Y"
        Some(words @ 2..=5) => {
            let inside = (last..next).any(|token| {
                let token = &drafts.tokens[token];
                matches!(
                    text[token.start..token.end].to_lowercase().as_str(),
                    "in" | "of"
                )
            });
            let noun = (last..next).any(|token| {
                let token = &drafts.tokens[token];
                place_noun(&text[token.start..token.end].to_lowercase())
            });
            let small =
                (last..next).all(|token| drafts.tokens[token].gap == Gap::Space || token == last);
            if !(inside && noun && small && words <= 5) {
                return;
            }
            false
        }
        _ => return,
    };
    if siblings(gazetteer, text, drafts, open, at) {
        return;
    }
    if open[at].candidates.is_empty() {
        let above = open[at + 1].candidates.first();
        if strict && above.is_some_and(|above| gazetteer.kind(above.place).level() <= 5) {
            open[at].parent = Some(at + 1);
        }
        return;
    }
    let Some(pairs) = nested(gazetteer, &open[at], &open[at + 1], strict) else {
        if strict && denies(gazetteer, text, drafts, open, at) {
            // "Springfield, Alaska": a place that no table knows, and none of its namesakes.
            open[at].candidates.clear();
            open[at].parent = Some(at + 1);
        }
        return;
    };
    let children: Vec<PlaceId> = pairs.iter().map(|pair| pair.0).collect();
    let above: Vec<PlaceId> = pairs.iter().map(|pair| pair.1).collect();
    open[at].candidates.retain(|c| children.contains(&c.place));
    if open[at + 1].parent.is_none() {
        open[at + 1].candidates.retain(|c| above.contains(&c.place));
    }
    open[at].parent = Some(at + 1);
    let name = open[at + 1]
        .candidates
        .first()
        .map_or("", |c| gazetteer.name(c.place))
        .to_owned();
    open[at].evidence.push(format!("the text says {name}"));
    // "X and Z, Y": the one before shares the parent when it can.
    if at > 0
        && open[at - 1].parent.is_none()
        && open[at].draft.first == open[at - 1].draft.last + 1
    {
        let between = &drafts.tokens[open[at - 1].draft.last];
        if matches!(&text[between.start..between.end], "and" | "or") {
            let shared: Vec<PlaceId> = open[at - 1]
                .candidates
                .iter()
                .filter(|c| above.iter().any(|p| gazetteer.lies_under(c.place, *p)))
                .map(|c| c.place)
                .collect();
            for candidate in &mut open[at - 1].candidates {
                if shared.contains(&candidate.place) {
                    candidate.fixed += 3.0;
                    candidate.score += 3.0;
                }
            }
        }
    }
}

/// Whether a state or country behind the comma rules out every candidate before it: it stands
/// for the parent, and is no further member of a list.
fn denies(
    gazetteer: &Gazetteer,
    text: &str,
    drafts: &Drafts,
    open: &[Open<'_>],
    at: usize,
) -> bool {
    let (Some(child), Some(parent)) =
        (open[at].candidates.first(), open[at + 1].candidates.first())
    else {
        return false;
    };
    let below = gazetteer.kind(child.place).level() >= 5;
    let above = matches!(gazetteer.kind(parent.place), Kind::State | Kind::Country);
    let short = matches!(parent.name, NameKind::Code | NameKind::Abbreviation);
    let listed = open
        .get(at + 2)
        .is_some_and(|third| in_row(text, drafts, &open[at + 1], third))
        || at
            .checked_sub(1)
            .is_some_and(|before| in_row(text, drafts, &open[before], &open[at]));
    below && above && (short || !listed)
}

/// Pairs (child, parent) of candidates, the parent a unit above the child.
fn nested(
    gazetteer: &Gazetteer,
    child: &Open<'_>,
    parent: &Open<'_>,
    strict: bool,
) -> Option<Vec<(PlaceId, PlaceId)>> {
    let mut pairs = Vec::new();
    for above in &parent.candidates {
        let kind = gazetteer.kind(above.place);
        let level = kind.level();
        // Without a comma only states, countries and counties with their type word are parents.
        let unit = matches!(
            kind,
            Kind::Country
                | Kind::HistoricCountry
                | Kind::State
                | Kind::Region
                | Kind::Subregion
                | Kind::Island
                | Kind::Macroregion
        ) || kind == Kind::County && (strict || parent.draft.typed)
            || strict && kind == Kind::City && above.base > 10.0;
        if !unit || above.name == NameKind::Demonym {
            continue;
        }
        for below in &child.candidates {
            if gazetteer.kind(below.place).level() > level
                && (below.country == Some(above.place)
                    || below.state == Some(above.place)
                    || gazetteer.lies_under(below.place, above.place)
                    || gazetteer
                        .same_extent(above.place)
                        .any(|same| gazetteer.lies_under(below.place, same))
                    || matches!(
                        kind,
                        Kind::Region | Kind::Subregion | Kind::Island | Kind::Macroregion
                    ) && gazetteer.contains(above.place, below.place))
            {
                pairs.push((below.place, above.place));
            }
        }
        // "Washington, D.C.": the city and the district are one.
        for below in &child.candidates {
            if gazetteer.representative(below.place) == gazetteer.representative(above.place)
                && below.place != above.place
            {
                pairs.push((below.place, above.place));
            }
        }
    }
    (!pairs.is_empty()).then_some(pairs)
}

/// Whether only a comma, "and" or "or" stands between two mentions.
fn in_row(text: &str, drafts: &Drafts, one: &Open<'_>, other: &Open<'_>) -> bool {
    let (last, next) = (one.draft.last, other.draft.first);
    match next.checked_sub(last) {
        Some(0) => matches!(drafts.tokens[next].gap, Gap::Comma | Gap::Slash),
        Some(1) => {
            let between = &drafts.tokens[last];
            matches!(
                &text[between.start..between.end],
                "and" | "or" | "AND" | "OR"
            )
        }
        _ => false,
    }
}

/// Whether a mention may well be a state or a country: not far below its best candidate.
fn may_be(gazetteer: &Gazetteer, open: &Open<'_>, wanted: Kind) -> bool {
    let top = open.candidates.first().map_or(0.0, |first| first.base);
    open.candidates.iter().any(|c| {
        gazetteer.kind(c.place) == wanted && c.name != NameKind::Code && top - c.base < 3.0
    })
}

/// `Washington, Oregon and California` is a list of states, no county in Oregon.
fn siblings(
    gazetteer: &Gazetteer,
    text: &str,
    drafts: &Drafts,
    open: &[Open<'_>],
    at: usize,
) -> bool {
    let listed = [Kind::State, Kind::Country].into_iter().any(|wanted| {
        let fits = |open: &Open<'_>| may_be(gazetteer, open, wanted);
        if !(fits(&open[at]) && fits(&open[at + 1])) {
            return false;
        }
        let behind = open
            .get(at + 2)
            .is_some_and(|third| fits(third) && in_row(text, drafts, &open[at + 1], third));
        let before = at.checked_sub(1).is_some_and(|before| {
            fits(&open[before]) && in_row(text, drafts, &open[before], &open[at])
        });
        behind || before
    });
    let joined = open[at].draft.last < open[at + 1].draft.first
        && in_row(text, drafts, &open[at], &open[at + 1]);
    listed || joined
}

/// Mentions in a row are of one kind: states beside states, counties before "counties".
pub(super) fn rows(gazetteer: &Gazetteer, text: &str, drafts: &Drafts, open: &mut [Open<'_>]) {
    let mut start = 0;
    for at in 1..=open.len() {
        if at < open.len() && in_row(text, drafts, &open[at - 1], &open[at]) {
            continue;
        }
        let row = start..at;
        start = at;
        if row.len() < 2 {
            continue;
        }
        for wanted in [Kind::State, Kind::Country] {
            let sure = row
                .clone()
                .filter(|member| {
                    open[*member]
                        .candidates
                        .first()
                        .is_some_and(|first| gazetteer.kind(first.place) == wanted)
                })
                .count();
            if sure * 2 < row.len() {
                continue;
            }
            for member in row.clone() {
                if may_be(gazetteer, &open[member], wanted) {
                    prefer(gazetteer, &mut open[member], wanted, 5.0);
                }
            }
        }
        // "Dallas and Navarro Counties, Texas": what stands before the plural are counties.
        let plural = row.clone().rev().find(|member| {
            let draft = open[*member].draft;
            let inside = draft.typed && ends_in_plural(&text[draft.start..draft.end]);
            let behind = drafts
                .tokens
                .get(draft.last)
                .is_some_and(|token| ends_in_plural(&text[token.start..token.end]));
            inside || behind
        });
        if let Some(plural) = plural {
            for member in &mut open[row.start..=plural] {
                prefer(gazetteer, member, Kind::County, 12.0);
            }
            neighbours(gazetteer, &mut open[row.start..=plural]);
        }
    }
}

/// Counties looked at for neighbours, of one name.
const NAMESAKES: usize = 16;

/// Counties named in one breath border on each other: of Panola and Harrison Counties both stand
/// in Mississippi and in Texas, and only those of Texas touch.
fn neighbours(gazetteer: &Gazetteer, row: &mut [Open<'_>]) {
    let counties: Vec<Vec<PlaceId>> = row
        .iter()
        .map(|member| {
            member
                .candidates
                .iter()
                .map(|candidate| candidate.place)
                .filter(|place| gazetteer.kind(*place) == Kind::County)
                .take(NAMESAKES)
                .collect()
        })
        .collect();
    for (at, member) in row.iter_mut().enumerate() {
        if counties[at].len() < 2 {
            continue;
        }
        let touches = |place: PlaceId| {
            counties.iter().enumerate().any(|(other, places)| {
                other != at
                    && places
                        .iter()
                        .any(|neighbour| gazetteer.adjacent(place, *neighbour))
            })
        };
        for candidate in &mut member.candidates {
            if counties[at].contains(&candidate.place) && touches(candidate.place) {
                candidate.fixed += TOUCHING;
                candidate.score += TOUCHING;
            }
        }
    }
}

/// What a border with another county of the row adds.
const TOUCHING: f32 = 6.0;

fn ends_in_plural(words: &str) -> bool {
    let last = words.rsplit(' ').next().unwrap_or(words).to_lowercase();
    matches!(last.as_str(), "counties" | "parishes" | "boroughs")
}

fn prefer(gazetteer: &Gazetteer, open: &mut Open<'_>, wanted: Kind, by: f32) {
    for candidate in &mut open.candidates {
        if gazetteer.kind(candidate.place) == wanted {
            candidate.fixed += by;
            candidate.score += by;
        }
    }
}

/// `the Oregon city of Portland`, `Oregon's Multnomah County`, `Oregon: Portland`.
fn backward(gazetteer: &Gazetteer, text: &str, drafts: &Drafts, open: &mut [Open<'_>], at: usize) {
    let before = &open[at - 1];
    let (last, first) = (before.draft.last, open[at].draft.first);
    if first < last {
        return;
    }
    let words: Vec<String> = (last..first)
        .map(|token| text[drafts.tokens[token].start..drafts.tokens[token].end].to_lowercase())
        .collect();
    let possessive = words.is_empty()
        && last > 0
        && drafts.tokens[last - 1].possessive
        && drafts.tokens[first].gap == Gap::Other;
    let noun = matches!(&words[..], [noun, of] if of == "of" && place_noun(noun))
        || matches!(&words[..], [noun] if place_noun(noun));
    if !(noun || possessive) || before.draft.role == Role::Event {
        return;
    }
    let Some(pairs) = nested(gazetteer, &open[at], before, false) else {
        return;
    };
    let children: Vec<PlaceId> = pairs.iter().map(|pair| pair.0).collect();
    open[at].candidates.retain(|c| children.contains(&c.place));
    open[at].parent = Some(at - 1);
    let name = open[at - 1]
        .candidates
        .first()
        .map_or("", |c| gazetteer.name(c.place))
        .to_owned();
    open[at].evidence.push(format!("the text says {name}"));
}
