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

/// `Washington, Oregon and California` is a list of states, no county in Oregon.
fn siblings(
    gazetteer: &Gazetteer,
    text: &str,
    drafts: &Drafts,
    open: &[Open<'_>],
    at: usize,
) -> bool {
    let kind = |open: &Open<'_>, wanted: Kind| {
        open.candidates
            .iter()
            .any(|c| gazetteer.kind(c.place) == wanted && c.name != NameKind::Code && c.base > 10.0)
    };
    let listed = [Kind::State, Kind::Country].into_iter().any(|wanted| {
        if !(kind(&open[at], wanted) && kind(&open[at + 1], wanted)) {
            return false;
        }
        let third = open.get(at + 2).filter(|third| kind(third, wanted));
        let before = at
            .checked_sub(1)
            .map(|before| &open[before])
            .filter(|before| kind(before, wanted));
        third.is_some_and(|third| {
            let gap = third.draft.first - open[at + 1].draft.last;
            gap <= 2
        }) || before.is_some_and(|before| open[at].draft.first - before.draft.last <= 1)
    });
    let joined = open[at].draft.last < open[at + 1].draft.first && {
        let between = &drafts.tokens[open[at].draft.last];
        matches!(&text[between.start..between.end], "and" | "or")
    };
    listed || joined
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
