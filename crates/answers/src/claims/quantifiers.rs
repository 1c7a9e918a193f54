//! All, none, only, always: what a claim says of every case, against evidence that does not.

use super::evidence::Piece;
use super::passage::Passage;
use super::verdict::Sign;

const UNIVERSAL: &[&str] = &[
    "all",
    "every",
    "always",
    "only",
    "everywhere",
    "entirely",
    "never",
    "nobody",
    "none",
    "nowhere",
    "solely",
    "any",
    "exclusively",
    "completely",
    "each",
    "both",
];
const PARTIAL: &[&str] = &[
    "some",
    "most",
    "many",
    "partly",
    "partially",
    "several",
    "mostly",
    "often",
    "usually",
    "generally",
    "primarily",
    "few",
    "sometimes",
    "parts",
    "portions",
    "typically",
    "mainly",
    "may",
];

/// A claim about every case where the evidence speaks of some.
pub(crate) fn quantifiers(claim: &Passage, piece: &Piece, best: usize) -> Option<Sign> {
    let words = |p: &Passage| p.tokens.iter().map(|t| t.word.clone()).collect::<Vec<_>>();
    let (ours, theirs) = (words(claim), words(&piece.passage));
    let universal = ours.iter().enumerate().find(|(i, w)| {
        UNIVERSAL.contains(&w.as_str())
            && !(matches!(w.as_str(), "all" | "any" | "each")
                && i.checked_sub(1)
                    .is_some_and(|j| matches!(ours[j].as_str(), "at" | "in" | "not" | "of")))
            && !(w.as_str() == "both" && ours.get(i + 1).is_none())
    });
    let (_, word) = universal?;
    if theirs.contains(word)
        && !(word == "all" && theirs.windows(2).any(|w| w[0] == "not" && w[1] == "all"))
    {
        return None;
    }
    if UNIVERSAL
        .iter()
        .any(|other| *other != "only" && *other != "any" && theirs.iter().any(|w| w == other))
        && !theirs.iter().any(|w| w == "not")
    {
        return None;
    }
    let partial = theirs.iter().find(|w| PARTIAL.contains(&w.as_str()));
    let (name, message) = match partial {
        Some(partial) => (
            "every_where_some",
            format!("the claim says \"{word}\", the source \"{partial}\""),
        ),
        None if matches!(word.as_str(), "both" | "each" | "any" | "completely") => return None,
        None => (
            "every_unsaid",
            format!("the claim says \"{word}\", the source does not"),
        ),
    };
    Some(Sign::new(name, 1.0, best, message))
}
