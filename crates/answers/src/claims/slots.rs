//! The figure of the evidence that stands where a figure of the claim does.

use super::evidence::{Piece, Sought, Weights, nearness};
use super::figures::{Dimension, Figure, Fit};
use super::lexicon::likeness;
use super::passage::Passage;
use super::verdict::Sign;

/// Whether a figure is mostly said elsewhere than in the sentence: in the title, in a heading.
pub(crate) fn is_date(figure: &Figure) -> bool {
    use Dimension as D;
    matches!(figure.dimension, D::Year | D::Date | D::Label | D::Ordinal)
}

/// Words that say what a figure of the claim is about: all others, the nearest most.
pub(crate) fn slot_words(claim: &Passage, figure: &Figure, weights: &Weights) -> Vec<Sought> {
    let at = figure.tokens.start;
    let clause = claim.tokens[at].clause;
    claim
        .content()
        .into_iter()
        .map(|i| {
            let token = &claim.tokens[i];
            let distance = i.abs_diff(at).min(i.abs_diff(figure.tokens.end)) as f32;
            let same = if token.clause == clause { 1.0 } else { 0.8 };
            let weight = weights.of(&token.stem) * same * (1.0 - 0.04 * distance).max(0.5);
            Sought {
                stem: token.stem.clone(),
                weight,
                name: token.name,
            }
        })
        .collect()
}

/// A figure of the evidence with how much of the claim lies around it.
struct Placed<'p> {
    piece: usize,
    figure: &'p Figure,
    near: f32,
    /// Above zero where both count the same, below where they do not.
    noun: f32,
    fit: Fit,
}

/// Share of the claim's words that must lie around a figure that is compared with the claim's.
const LEAST_NEAR: f32 = 0.25;

/// Share from which a sentence of another document is taken to speak of the same thing, ...
const OTHER_DOCUMENT: f32 = 0.6;
/// ... and another sentence of the same document.
const SAME_DOCUMENT: f32 = 0.8;

/// What came of looking for a claim's figure.
pub(crate) struct Slot {
    /// What it says about the claim.
    pub signs: Vec<Sign>,
    /// A piece, mostly of another document, that gives another figure in the same place.
    pub disagreeing: Option<usize>,
}

impl Slot {
    fn of(sign: Sign) -> Slot {
        Slot {
            signs: vec![sign],
            disagreeing: None,
        }
    }
}

/// Looks for the figure of the evidence that stands where the claim's figure does.
pub(crate) fn figure(
    claim: &Passage,
    figure: &Figure,
    words: &[Sought],
    relevant: &[usize],
    best: usize,
    pieces: &[Piece],
) -> Slot {
    let mut placed: Vec<Placed<'_>> = Vec::new();
    for &i in relevant {
        for other in &pieces[i].passage.figures {
            if other.dimension != figure.dimension {
                continue;
            }
            let noun = noun_bonus(claim, figure, &pieces[i].passage, other);
            // "Hundreds" of something else contradict nothing.
            if other.unit == "vague" && noun <= 0.0 {
                continue;
            }
            let near = nearness(words, &pieces[i], pieces, other.tokens.start) + noun;
            placed.push(Placed {
                piece: i,
                figure: other,
                near,
                noun,
                fit: figure.fit(other),
            });
        }
    }
    let top = |fits: bool| {
        placed
            .iter()
            .filter(|p| (p.fit != Fit::Differs) == fits && p.near >= LEAST_NEAR)
            .max_by(|a, b| a.near.total_cmp(&b.near))
    };
    let said = |p: &Placed<'_>| {
        let passage = &pieces[p.piece].passage;
        passage.words_of(&p.figure.tokens).to_owned()
    };
    let claimed = claim.words_of(&figure.tokens);
    // What a year, a day or a label is about is mostly said elsewhere: title, head, heading.
    let date = is_date(figure);
    let in_context = || {
        let known = |stem: &String| pieces[best].context.contains(stem);
        let tokens = &claim.tokens[figure.tokens.clone()];
        date && tokens.iter().all(|t| known(&t.stem))
    };
    let differs = if date {
        "date_differs"
    } else {
        "figure_differs"
    };
    match (top(true), top(false)) {
        (Some(fit), Some(other))
            if fit.noun < 0.0 && other.noun > 0.0 && fit.fit != Fit::Within =>
        {
            let message = format!(
                "the source counts \"{}\" of them, the claim \"{claimed}\"",
                said(other)
            );
            Slot::of(Sign::new("figure_counts_other", 1.0, other.piece, message))
        }
        (Some(fit), other) => {
            let nearer = |o: &&Placed<'_>| o.near > fit.near * 1.12 && o.near - fit.near > 0.07;
            // Which of two figures of one sentence is meant, `bound` tells; and what another
            // document says is shown beside, not instead.
            let decided = |o: &&Placed<'_>| {
                let elsewhere = pieces[o.piece].document != pieces[fit.piece].document;
                let counts = figure.dimension != Dimension::Count || fit.noun > 0.0;
                fit.fit == Fit::Same && (o.piece == fit.piece || (elsewhere && counts))
            };
            let against = other.filter(|o| nearer(o) && !decided(o));
            if let Some(other) = against.filter(|_| fit.fit != Fit::Same || !date) {
                let apart = other.near - fit.near;
                let message = format!(
                    "the source says \"{}\" there, the claim says \"{claimed}\"",
                    said(other)
                );
                let value = (2.0 * apart).clamp(0.3, 1.0);
                return Slot::of(Sign::new(differs, value, other.piece, message));
            }
            let name = match (date, fit.fit) {
                (true, _) => "date_same",
                (false, Fit::Same) => "figure_same",
                (false, _) => "figure_within",
            };
            let message = format!("the source says \"{}\", as the claim does", said(fit));
            // What another sentence gives for the same thing.
            let disagrees = |o: &&Placed<'_>| {
                let elsewhere = pieces[o.piece].document != pieces[fit.piece].document;
                let least = if elsewhere {
                    OTHER_DOCUMENT
                } else {
                    SAME_DOCUMENT
                };
                let counts = figure.dimension != Dimension::Count || o.noun > 0.0;
                let near = o.near >= fit.near * 0.95 && o.near > least;
                o.fit == Fit::Differs && o.piece != fit.piece && counts && near && !date
            };
            let disagreeing = placed.iter().filter(disagrees);
            let disagreeing = disagreeing.max_by(|a, b| a.near.total_cmp(&b.near));
            let mut signs = vec![Sign::new(name, 1.0, fit.piece, message)];
            if fit.piece != best {
                let message = format!("\"{}\" stands in another sentence", said(fit));
                signs.push(Sign::new("figure_apart", 1.0, fit.piece, message));
            }
            signs.extend(bound(claim, figure, fit, &placed, pieces));
            Slot {
                signs,
                disagreeing: disagreeing.map(|o| o.piece),
            }
        }
        (None, Some(_)) | (None, None) if in_context() => Slot {
            signs: Vec::new(),
            disagreeing: None,
        },
        (None, Some(other)) => {
            let noun = match figure.dimension {
                Dimension::Count if other.noun > 0.0 => 1.0,
                Dimension::Count if other.noun < 0.0 => 0.4,
                Dimension::Count => 0.7,
                _ => 1.0,
            };
            let value = noun * (other.near / 0.6).clamp(0.3, 1.0);
            let message = format!(
                "the source says \"{}\", the claim says \"{claimed}\"",
                said(other)
            );
            Slot::of(Sign::new(differs, value, other.piece, message))
        }
        // "First" is said in many ways.
        (None, None) if figure.dimension == Dimension::Ordinal && figure.low == 1.0 => Slot {
            signs: Vec::new(),
            disagreeing: None,
        },
        (None, None) => {
            let name = if date { "date_absent" } else { "figure_absent" };
            let message = format!("no figure like \"{claimed}\" stands in the source");
            Slot::of(Sign::new(name, 1.0, best, message))
        }
    }
}

/// Tokens on either side of a figure that say what it measures.
const BINDING: usize = 4;

/// Whether the words just around the claim's figure stand around another figure of the sentence:
/// "183 m long and 1,220 m wide" against "1,220 m long and 183 m wide".
fn bound(
    claim: &Passage,
    figure: &Figure,
    fit: &Placed<'_>,
    placed: &[Placed<'_>],
    pieces: &[Piece],
) -> Option<Sign> {
    let around = |passage: &Passage, figure: &Figure| -> Vec<usize> {
        let (start, end) = (figure.tokens.start, figure.tokens.end);
        let inside = |i: &usize| passage.figure_at(*i).is_none() && !passage.tokens[*i].is_stop();
        let before = (start.saturating_sub(BINDING)..start).rev();
        let before = before.take_while(|&i| passage.figure_at(i).is_none());
        let after = (end..passage.tokens.len().min(end + BINDING))
            .take_while(|&i| passage.figure_at(i).is_none());
        before.chain(after).filter(inside).collect()
    };
    let wanted = around(claim, figure);
    if wanted.is_empty() {
        return None;
    }
    let passage = &pieces[fit.piece].passage;
    let held = |other: &Figure| -> f32 {
        let near = around(passage, other);
        let alike = |i: &usize| {
            let stem = &claim.tokens[*i].stem;
            let likenesses = near
                .iter()
                .map(|j| likeness(stem, &passage.tokens[*j].stem));
            likenesses.fold(0.0, f32::max)
        };
        wanted.iter().map(alike).sum::<f32>() / wanted.len() as f32
    };
    let own = held(fit.figure);
    let others = placed
        .iter()
        .filter(|p| p.piece == fit.piece && p.fit == Fit::Differs);
    let (most, other) = others
        .map(|p| (held(p.figure), p.figure))
        .max_by(|a, b| a.0.total_cmp(&b.0))?;
    let message = format!(
        "what the claim says of \"{}\" the source says of \"{}\"",
        claim.words_of(&figure.tokens),
        passage.words_of(&other.tokens)
    );
    (most > own).then(|| Sign::new("figure_of_other", most - own, fit.piece, message))
}

/// Whether two counts count the same: the word behind the claim's figure against the words behind
/// the other.
fn noun_bonus(claim: &Passage, figure: &Figure, evidence: &Passage, other: &Figure) -> f32 {
    if figure.dimension != Dimension::Count {
        return 0.0;
    }
    let nouns = |passage: &Passage, figure: &Figure| -> Vec<String> {
        let end = figure.tokens.end;
        let behind = (end..passage.tokens.len().min(end + 5))
            .take_while(|&i| passage.figure_at(i).is_none());
        behind
            .map(|i| &passage.tokens[i])
            .filter(|t| !t.is_stop())
            .map(|t| t.stem.clone())
            .collect()
    };
    let (wanted, found) = (nouns(claim, figure), nouns(evidence, other));
    let alike = wanted
        .iter()
        .any(|a| found.iter().any(|b| likeness(a, b) >= 0.75));
    match (alike, wanted.is_empty() || found.is_empty()) {
        (true, _) => 0.15,
        (false, true) => 0.0,
        (false, false) => -0.05,
    }
}
