//! Ranks and comparisons: the largest, the second largest, more than, before.

use super::evidence::{Piece, Sought, Weights, nearness};
use super::figures::{Dimension, Figure};
use super::lexicon::likeness;
use super::passage::{Passage, stem};
use super::verdict::Sign;

/// Whether a word says of something that it stands above all others of its kind.
fn is_superlative(word: &str) -> bool {
    matches!(word, "most" | "worst" | "best" | "least" | "deadliest")
        || (word.len() >= 6
            && word.ends_with("est")
            && !matches!(
                word,
                "forest"
                    | "harvest"
                    | "request"
                    | "interest"
                    | "protest"
                    | "southwest"
                    | "northwest"
                    | "midwest"
                    | "conquest"
                    | "suggest"
                    | "contest"
                    | "everest"
            ))
}

/// The rank a superlative is given: "second largest" is 2, "one of the largest" is 0, plain is 1.
fn rank(passage: &Passage, at: usize) -> u32 {
    let word = |back: usize| {
        at.checked_sub(back)
            .map_or("", |i| passage.tokens[i].word.as_str())
    };
    let ordinal = (1..=2).find_map(|back| {
        let i = at.checked_sub(back)?;
        let figure = passage.figure_at(i)?;
        (figure.dimension == Dimension::Ordinal).then_some(figure.low as u32)
    });
    if let Some(rank) = ordinal {
        return rank;
    }
    let of_some = |back: usize| {
        let one_of = word(back) == "of" && matches!(word(back + 1), "one" | "some");
        one_of || word(back) == "among"
    };
    let article = matches!(word(1), "the" | "its");
    if of_some(1) || (article && of_some(2)) || word(1) == "some" {
        return 0;
    }
    1
}

/// A superlative of the claim against the same one of the evidence.
pub(crate) fn ranks(
    claim: &Passage,
    piece: &Piece,
    best: usize,
    weights: &Weights,
) -> Option<Sign> {
    let evidence = &piece.passage;
    let key = |p: &Passage, at: usize| match p.tokens[at].word.as_str() {
        // "most powerful": the word behind says in what.
        "most" | "least" => p
            .tokens
            .get(at + 1)
            .map_or(String::new(), |t| t.stem.clone()),
        word => stem(word.strip_suffix("est").map_or(word, |w| w)),
    };
    let all = |p: &Passage| -> Vec<usize> {
        (0..p.tokens.len())
            .filter(|&i| is_superlative(&p.tokens[i].word))
            .collect()
    };
    let theirs = all(evidence);
    for ours in all(claim) {
        let claimed = rank(claim, ours);
        let wanted = key(claim, ours);
        // Several things may be the largest of their kind: the one that the claim speaks of is
        // meant.
        let sought: Vec<Sought> = claim
            .content()
            .into_iter()
            .filter(|&i| i != ours)
            .map(|i| Sought {
                stem: claim.tokens[i].stem.clone(),
                weight: weights.of(&claim.tokens[i].stem),
                name: false,
            })
            .collect();
        let alike = |at: usize| {
            likeness(&wanted, &key(evidence, at)) > 0.0
                || likeness(&claim.tokens[ours].stem, &evidence.tokens[at].stem) > 0.0
        };
        let near = |at: usize| nearness(&sought, piece, &[], at);
        let same = theirs.iter().copied().filter(|&at| alike(at));
        let Some(at) = same.max_by(|&a, &b| near(a).total_cmp(&near(b))) else {
            continue;
        };
        let found = rank(evidence, at);
        let said = &evidence.text
            [evidence.tokens[at.saturating_sub(2)].bytes.start..evidence.tokens[at].bytes.end];
        let least = |p: &Passage, at: usize| p.tokens[at].word == "least";
        let turned = least(claim, ours) != least(evidence, at);
        if !turned && (claimed == found || claimed == 0) {
            let message = format!("the source says \"{said}\", as the claim does");
            return Some(Sign::new("rank_same", 1.0, best, message));
        }
        let ours = &claim.tokens[ours].word;
        let message = format!("the source says \"{said}\", the claim says \"{ours}\" otherwise");
        return Some(Sign::new("rank_differs", 1.0, best, message));
    }
    None
}

/// Which way a comparison goes: 1 more, -1 less, and the word.
fn direction(word: &str) -> Option<i8> {
    const MORE: &[&str] = &[
        "more",
        "greater",
        "larger",
        "bigger",
        "higher",
        "stronger",
        "longer",
        "deeper",
        "faster",
        "later",
        "after",
        "older",
        "wider",
        "heavier",
        "above",
        "warmer",
        "farther",
        "further",
        "costlier",
        "deadlier",
        "taller",
        "exceeded",
        "outnumbered",
        "over",
        "better",
        "beyond",
    ];
    const LESS: &[&str] = &[
        "less",
        "fewer",
        "smaller",
        "lower",
        "weaker",
        "shorter",
        "shallower",
        "slower",
        "earlier",
        "before",
        "younger",
        "narrower",
        "lighter",
        "below",
        "colder",
        "cooler",
        "nearer",
        "closer",
        "under",
        "worse",
        "sooner",
    ];
    if MORE.contains(&word) {
        return Some(1);
    }
    LESS.contains(&word).then_some(-1)
}

struct Compared {
    direction: i8,
    left: Vec<usize>,
    right: Vec<usize>,
    in_time: bool,
}

/// "A is larger than B", "A came before B".
fn compared(passage: &Passage) -> Option<Compared> {
    let word = |i: usize| passage.tokens[i].word.as_str();
    let count = passage.tokens.len();
    let than = (1..count).find(|&i| {
        word(i) == "than"
            && passage.figure_at(i + 1).is_none()
            && passage.figure_at(i + 2).is_none()
            && i + 1 < count
    });
    let (at, pivot, direction_of) = match than {
        Some(than) => {
            let at = (0..than).rev().find(|&i| direction(word(i)).is_some())?;
            (at, than, direction(word(at))?)
        }
        None => {
            let pivots = [
                "before",
                "after",
                "exceeded",
                "exceeds",
                "exceed",
                "outnumbered",
            ];
            let at = (1..count.saturating_sub(1))
                .find(|&i| pivots.contains(&word(i)) && passage.figure_at(i + 1).is_none())?;
            (at, at, direction(word(at))?)
        }
    };
    let all = (0..count).filter(|&i| !passage.tokens[i].is_stop());
    let content: Vec<usize> = all.collect();
    let left = content
        .iter()
        .copied()
        .filter(|&i| i < pivot && i != at)
        .collect();
    let right = content.iter().copied().filter(|&i| i > pivot).collect();
    let in_time = matches!(
        word(at),
        "before" | "after" | "earlier" | "later" | "sooner"
    );
    Some(Compared {
        direction: direction_of,
        left,
        right,
        in_time,
    })
}

fn overlap(claim: &Passage, ours: &[usize], evidence: &Passage, theirs: &[usize]) -> f32 {
    ours.iter()
        .map(|&i| {
            theirs
                .iter()
                .map(|&j| likeness(&claim.tokens[i].stem, &evidence.tokens[j].stem))
                .fold(0.0, f32::max)
        })
        .sum()
}

/// Checks a comparison of the claim against one of the evidence, or against the figures that the
/// evidence gives for both sides.
pub(crate) fn comparison(
    claim: &Passage,
    relevant: &[usize],
    wide: &[usize],
    pieces: &[Piece],
    weights: &Weights,
) -> Option<Sign> {
    let ours = compared(claim)?;
    if ours.left.is_empty() || ours.right.is_empty() {
        return None;
    }
    for &i in relevant {
        let evidence = &pieces[i].passage;
        let Some(theirs) = compared(evidence).filter(|t| t.in_time == ours.in_time) else {
            continue;
        };
        // Both sides must be found again, not one of them twice.
        let both = |a: f32, b: f32| if a.min(b) >= 0.8 { a + b } else { 0.0 };
        let straight = both(
            overlap(claim, &ours.left, evidence, &theirs.left),
            overlap(claim, &ours.right, evidence, &theirs.right),
        );
        let crossed = both(
            overlap(claim, &ours.left, evidence, &theirs.right),
            overlap(claim, &ours.right, evidence, &theirs.left),
        );
        if straight.max(crossed) < 2.0 || (straight - crossed).abs() < 0.8 {
            continue;
        }
        let turned = if crossed > straight { -1 } else { 1 };
        let agrees = ours.direction * theirs.direction * turned > 0;
        return Some(found(
            agrees,
            i,
            "the source compares them in the same way",
            "the source compares them the other way round",
        ));
    }
    // Figures for both sides, in one document.
    let side = |words: &[usize], others: &[usize]| -> Vec<Sought> {
        let other: Vec<&str> = others
            .iter()
            .map(|&i| claim.tokens[i].stem.as_str())
            .collect();
        let own = words
            .iter()
            .map(|&i| &claim.tokens[i].stem)
            .filter(|s| !other.contains(&s.as_str()));
        own.map(|s| Sought {
            stem: s.clone(),
            weight: weights.of(s),
            name: false,
        })
        .collect()
    };
    let (left, right) = (side(&ours.left, &ours.right), side(&ours.right, &ours.left));
    let wanted = |d: Dimension| match ours.in_time {
        true => matches!(d, Dimension::Date | Dimension::Year | Dimension::Clock),
        false => !matches!(
            d,
            Dimension::Date
                | Dimension::Year
                | Dimension::Clock
                | Dimension::Ordinal
                | Dimension::Label
                | Dimension::Degrees
        ),
    };
    if left.is_empty() || right.is_empty() {
        return None;
    }
    let mut best: Option<(f32, i8, usize, String)> = None;
    let places: Vec<(usize, &Figure)> = wide
        .iter()
        .flat_map(|&i| pieces[i].passage.figures.iter().map(move |f| (i, f)))
        .filter(|(_, f)| wanted(f.dimension))
        .collect();
    for &(i, a) in &places {
        let near_a = nearness(&left, &pieces[i], pieces, a.tokens.start);
        for &(j, b) in &places {
            let same = i == j && a.tokens == b.tokens;
            if same || a.dimension != b.dimension || pieces[i].document != pieces[j].document {
                continue;
            }
            let near_b = nearness(&right, &pieces[j], pieces, b.tokens.start);
            let crossed = nearness(&right, &pieces[i], pieces, a.tokens.start)
                + nearness(&left, &pieces[j], pieces, b.tokens.start);
            let gain = near_a.min(near_b) + 0.5 * (near_a + near_b - crossed);
            let order = a.order(b);
            if order != 0
                && near_a >= 0.4
                && near_b >= 0.4
                && near_a + near_b > crossed + 0.1
                && best.as_ref().is_none_or(|(known, ..)| gain > *known)
            {
                let said = |i: usize, f: &Figure| pieces[i].passage.words_of(&f.tokens).to_owned();
                best = Some((
                    gain,
                    order,
                    i,
                    format!("{} against {}", said(i, a), said(j, b)),
                ));
            }
        }
    }
    let (_, order, piece, said) = best?;
    let agrees = order * ours.direction > 0;
    Some(found(
        agrees,
        piece,
        &format!("the source gives {said}, as the claim has it"),
        &format!("the source gives {said}, the other way round"),
    ))
}

fn found(agrees: bool, piece: usize, yes: &str, no: &str) -> Sign {
    match agrees {
        true => Sign::new("compared_same", 1.0, piece, yes),
        false => Sign::new("compared_otherwise", 1.0, piece, no),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_is_read_with_its_ordinal() {
        let rank_of = |text: &str| {
            let passage = Passage::of(text);
            let at = (0..passage.tokens.len())
                .find(|&i| is_superlative(&passage.tokens[i].word))
                .unwrap();
            rank(&passage, at)
        };
        assert_eq!(rank_of("the second-largest fire"), 2);
        assert_eq!(rank_of("the fourth most powerful storm"), 4);
        assert_eq!(rank_of("one of the largest fires"), 0);
        assert_eq!(rank_of("the largest fire"), 1);
        assert!(!is_superlative("forest"));
    }

    #[test]
    fn the_sides_of_a_comparison_are_told_apart() {
        let passage = Passage::of("The Elm fire burned more acres than the Oak fire.");
        let found = compared(&passage).unwrap();
        assert_eq!(found.direction, 1);
        assert!(found.left.iter().any(|&i| passage.tokens[i].word == "elm"));
        assert!(found.right.iter().any(|&i| passage.tokens[i].word == "oak"));
    }
}
