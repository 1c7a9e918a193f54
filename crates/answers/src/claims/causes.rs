//! Cause and effect: what a claim says that something came from.

use super::evidence::Alignment;
use super::evidence::Piece;
use super::lexicon::likeness;
use super::passage::{Passage, stem};
use super::verdict::Sign;

/// Share of a cause's words that must be missing before it counts as another cause.
const MISSING: f32 = 0.5;

/// Whether a word says that one thing brings about another.
fn causes(passage: &Passage, at: usize) -> bool {
    const BECAUSE: [&str; 3] = ["because", "due", "owing"];
    let token = &passage.tokens[at];
    // "Set off by" and "led to", not every "set" and "led".
    let next = passage.tokens.get(at + 1).map_or("", |t| t.word.as_str());
    let joined = match token.stem.as_str() {
        "set" => next == "off",
        "lead" => next == "to",
        "result" => matches!(next, "from" | "in"),
        _ => true,
    };
    // Stems, as stemming leaves them.
    let verb = ["trigger", "caus", "induc", "set", "lead", "result"];
    BECAUSE.contains(&token.word.as_str()) || (verb.contains(&token.stem.as_str()) && joined)
}

/// The tokens that name the cause.
fn cause(passage: &Passage) -> Option<std::ops::Range<usize>> {
    let at = (0..passage.tokens.len()).find(|&i| causes(passage, i))?;
    let end = passage.tokens.len();
    let word = |i: usize| passage.tokens.get(i).map_or("", |t| t.word.as_str());
    let behind = (at + 1..=at + 3).find(|&i| matches!(word(i), "by" | "from" | "of" | "to"));
    let passive = behind.filter(|&i| matches!(word(i), "by" | "from"));
    match word(at) {
        "because" | "due" | "owing" => Some(behind.map_or(at + 1, |i| i + 1)..end),
        _ => match passive {
            Some(by) => Some(by + 1..end),
            None => (at > 0).then_some(0..at),
        },
    }
}

/// A cause that the sentence does not name.
pub(crate) fn other_cause(
    claim: &Passage,
    alignment: &Alignment,
    piece: &Piece,
    best: usize,
) -> Option<Sign> {
    let named = cause(claim)?;
    let (mut total, mut missing) = (0.0, 0.0);
    let mut unsaid: Option<usize> = None;
    for m in alignment
        .matches
        .iter()
        .filter(|m| named.contains(&m.claimed))
    {
        let lacking = m.weight * (1.0 - m.support());
        total += m.weight;
        missing += lacking;
        if lacking > 0.5 * m.weight && unsaid.is_none() {
            unsaid = Some(m.claimed);
        }
    }
    let share = missing / f32::max(total, 1e-3);
    let unsaid = unsaid.filter(|_| share >= MISSING)?;
    let evidence = &piece.passage;
    let speaks = (0..evidence.tokens.len())
        .any(|i| causes(evidence, i) || likeness(&evidence.tokens[i].stem, &stem("cause")) > 0.7);
    let word = &claim.text[claim.tokens[unsaid].bytes.clone()];
    let message = format!("the source names another cause than \"{word}\"");
    speaks.then(|| Sign::new("cause_other", share, best, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cause_is_found_on_either_side() {
        let named = |text: &str| {
            let passage = Passage::of(text);
            let range = cause(&passage).unwrap();
            passage.words_of(&range).to_owned()
        };
        assert_eq!(named("Snowmelt caused the flood."), "Snowmelt");
        assert_eq!(named("The slide was set off by heavy rain."), "heavy rain");
        assert_eq!(named("It failed because of an old crack."), "an old crack");
        assert!(cause(&Passage::of("The team set up a camp.")).is_none());
    }
}
