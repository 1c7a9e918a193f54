//! A claim against its evidence: what supports it, what speaks against it, and the verdict.

use super::evidence::{Alignment, Piece, Sought, Weights, align, denial, nearness};
use super::figures::{Dimension, Figure, Fit};
use super::passage::Passage;
use super::{compare, quantifiers};

/// Something that was found for or against a claim.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Finding {
    /// Positive where it supports the claim.
    pub weight: f32,
    /// The piece it was found in.
    pub piece: usize,
    /// For people.
    pub message: String,
    /// What kind it is, so that no kind counts twice for the same words.
    pub kind: Kind,
}

/// Kinds of finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Figure,
    Name,
    Negation,
    Contrary,
    Rank,
    Comparison,
    Quantifier,
}

/// What came of checking a claim.
#[derive(Debug, Clone)]
pub(crate) struct Verdict {
    /// Above zero: the evidence supports the claim.
    pub score: f32,
    /// The piece that bears most on the claim.
    pub best: usize,
    /// Weighted share of the claim's words found there.
    pub coverage: f32,
    /// What decided.
    pub findings: Vec<Finding>,
    /// Another document that says otherwise, where one does.
    pub disagreeing: Option<usize>,
}

/// Share of the best piece's score from which others are looked at for figures, ...
const ALSO: f32 = 0.7;
/// ... and from which they are looked at for words that deny the claim's.
const NEARLY: f32 = 0.95;

/// Whether a figure is mostly said elsewhere than in the sentence: in the title, in a heading.
fn is_weak(figure: &Figure) -> bool {
    use Dimension as D;
    matches!(figure.dimension, D::Year | D::Date | D::Label | D::Ordinal)
}

/// How well a piece bears on a claim: its words, nearness of meaning, figures that fit.
pub(crate) fn relevance(claim: &Passage, alignment: &Alignment, piece: &Piece) -> f32 {
    let words = 0.55 * alignment.coverage + 0.45 * alignment.subject;
    let meaning = piece.cosine.map_or(words, |cosine| cosine.clamp(0.0, 1.0));
    let figures = claim.figures.iter().filter(|f| !is_weak(f));
    let fitting = figures.filter(|figure| {
        let evidence = &piece.passage.figures;
        evidence.iter().any(|other| figure.fit(other) == Fit::Same)
    });
    0.65 * words + 0.35 * meaning + 0.05 * fitting.count().min(3) as f32
        - 0.12 * alignment.nameless
        - 0.004 * piece.rank as f32
}

/// Checks a claim. `None` where there is no piece.
pub(crate) fn check(claim: &Passage, pieces: &[Piece], weights: &Weights) -> Option<Verdict> {
    let claim = &{
        let mut claim = claim.clone();
        claim.learn_names(pieces.iter().map(|p| &p.passage));
        claim
    };
    let content = claim.content();
    let alignments: Vec<Alignment> = pieces
        .iter()
        .map(|piece| align(claim, &content, piece, pieces, weights))
        .collect();
    let scores: Vec<f32> = pieces
        .iter()
        .zip(&alignments)
        .map(|(piece, alignment)| relevance(claim, alignment, piece))
        .collect();
    let best =
        (0..pieces.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(b.cmp(&a)))?;
    let relevant: Vec<usize> = (0..pieces.len())
        .filter(|&i| scores[i] >= ALSO * scores[best])
        .collect();

    // A figure may stand anywhere in the document: in a table, under a heading.
    let same = (0..pieces.len()).filter(|&i| {
        pieces[i].document == pieces[best].document && scores[i] < ALSO * scores[best]
    });
    let wide: Vec<usize> = relevant.iter().copied().chain(same).collect();
    let alignment = &alignments[best];
    let mut findings = Vec::new();
    let mut disagreeing = None;
    for figure in &claim.figures {
        let words = slot_words(claim, figure, weights);
        let (finding, other) = figure_finding(claim, figure, &words, &wide, best, pieces);
        findings.extend(finding);
        disagreeing = disagreeing.or(other);
    }
    let piece = &pieces[best];
    findings.extend(names(claim, alignment, piece, best, pieces));
    for &i in relevant
        .iter()
        .filter(|&&i| scores[i] >= NEARLY * scores[best])
    {
        let mut found: Vec<Finding> = Vec::new();
        found.extend(negation(claim, &alignments[i], &pieces[i], i));
        found.extend(contraries(claim, &alignments[i], &pieces[i], i));
        for mut finding in found {
            if findings.iter().all(|f| f.kind != finding.kind) {
                let same = pieces[i].document == pieces[best].document;
                finding.weight *= if i == best {
                    1.0
                } else if same {
                    0.9
                } else {
                    0.5
                };
                findings.push(finding);
            }
        }
    }
    findings.extend(compare::ranks(claim, piece, best, weights));
    findings.extend(compare::comparison(
        claim, &relevant, &wide, pieces, weights,
    ));
    findings.extend(quantifiers::quantifiers(claim, piece, best));
    // Support cannot outweigh a conflict: a false claim is mostly a true one with a word changed.
    let sum = |positive: bool| -> f32 {
        findings
            .iter()
            .map(|f| f.weight)
            .filter(|w| (*w > 0.0) == positive)
            .sum()
    };
    let words = (1.5 * (alignment.coverage - 0.6)).clamp(-0.6, 0.45);
    let score = 0.25 + words + sum(true).min(0.4) + sum(false);
    Some(Verdict {
        score,
        best,
        coverage: alignment.coverage,
        findings,
        disagreeing,
    })
}

/// Words that say what a figure of the claim is about: all others, the nearest most.
fn slot_words(claim: &Passage, figure: &Figure, weights: &Weights) -> Vec<Sought> {
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

/// Looks for the figure of the evidence that stands where the claim's figure does.
fn figure_finding(
    claim: &Passage,
    figure: &Figure,
    words: &[Sought],
    relevant: &[usize],
    best: usize,
    pieces: &[Piece],
) -> (Option<Finding>, Option<usize>) {
    let mut placed: Vec<Placed<'_>> = Vec::new();
    for &i in relevant {
        for other in &pieces[i].passage.figures {
            if other.dimension != figure.dimension {
                continue;
            }
            let noun = noun_bonus(claim, figure, &pieces[i].passage, other);
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
            .filter(|p| (p.fit != Fit::Differs) == fits)
            .max_by(|a, b| a.near.total_cmp(&b.near))
    };
    let (fitting, differing) = (
        top(true).filter(|p| p.near >= LEAST_NEAR),
        top(false).filter(|p| p.near >= LEAST_NEAR),
    );
    let said = |p: &Placed<'_>| {
        pieces[p.piece]
            .passage
            .words_of(&p.figure.tokens)
            .to_owned()
    };
    let claimed = claim.words_of(&figure.tokens);
    // What a year, a day or a label is about is mostly said elsewhere: title, head, heading.
    let weak = is_weak(figure);
    let in_context = || {
        let known = |stem: &String| pieces[best].context.contains(stem);
        let tokens = &claim.tokens[figure.tokens.clone()];
        weak && tokens.iter().all(|t| known(&t.stem))
    };
    match (fitting, differing) {
        (Some(fit), Some(other))
            if fit.noun < 0.0 && other.noun > 0.0 && fit.fit != Fit::Within =>
        {
            let message = format!(
                "the source counts \"{}\" of them, the claim \"{claimed}\"",
                said(other)
            );
            (
                Some(Finding {
                    weight: -1.1,
                    piece: other.piece,
                    message,
                    kind: Kind::Figure,
                }),
                None,
            )
        }
        (Some(fit), other) => {
            let against = other.filter(|o| o.near > fit.near * 1.12 && o.near - fit.near > 0.07);
            if let Some(other) = against.filter(|_| fit.fit != Fit::Same || !weak) {
                let apart = other.near - fit.near;
                let weight = -(2.0 * apart).clamp(0.3, 1.3);
                let message = format!(
                    "the source says \"{}\" there, the claim says \"{claimed}\"",
                    said(other)
                );
                return (
                    Some(Finding {
                        weight,
                        piece: other.piece,
                        message,
                        kind: Kind::Figure,
                    }),
                    None,
                );
            }
            let weight =
                if weak { 0.04 } else { 0.5 } * if fit.fit == Fit::Same { 1.0 } else { 0.7 };
            let message = format!("the source says \"{}\", as the claim does", said(fit));
            let disagree = other.filter(|o| {
                pieces[o.piece].document != pieces[fit.piece].document
                    && !weak
                    && o.near >= fit.near * 0.95
                    && o.near > 0.6
            });
            (
                Some(Finding {
                    weight,
                    piece: fit.piece,
                    message,
                    kind: Kind::Figure,
                }),
                disagree.map(|o| o.piece),
            )
        }
        (None, Some(other)) => {
            if in_context() {
                return (None, None);
            }
            let strength = match figure.dimension {
                Dimension::Ordinal | Dimension::Label => 0.4,
                Dimension::Year | Dimension::Date => 0.9,
                Dimension::Count if other.noun > 0.0 => 1.3,
                Dimension::Count if other.noun < 0.0 => 0.35,
                Dimension::Count => 0.8,
                _ => 1.5,
            };
            let weight = -strength * (other.near / 0.6).clamp(0.3, 1.0);
            let message = format!(
                "the source says \"{}\", the claim says \"{claimed}\"",
                said(other)
            );
            (
                Some(Finding {
                    weight,
                    piece: other.piece,
                    message,
                    kind: Kind::Figure,
                }),
                None,
            )
        }
        (None, None) if in_context() => (None, None),
        (None, None) => {
            let weight = if weak || figure.dimension == Dimension::Count {
                -0.2
            } else {
                -0.45
            };
            let message = format!("no figure like \"{claimed}\" stands in the source");
            (
                Some(Finding {
                    weight,
                    piece: best,
                    message,
                    kind: Kind::Figure,
                }),
                None,
            )
        }
    }
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
        .any(|a| found.iter().any(|b| super::lexicon::likeness(a, b) >= 0.75));
    match (alike, wanted.is_empty() || found.is_empty()) {
        (true, _) => 0.15,
        (false, true) => 0.0,
        (false, false) => -0.05,
    }
}

/// A name of the claim that the evidence does not know, while it has another in its place.
fn names(
    claim: &Passage,
    alignment: &Alignment,
    piece: &Piece,
    best: usize,
    pieces: &[Piece],
) -> Option<Finding> {
    let missing: Vec<&str> = alignment
        .matches
        .iter()
        .filter(|m| claim.is_name(m.claimed) && m.worth() < 0.3)
        .map(|m| &claim.text[claim.tokens[m.claimed].bytes.clone()])
        .collect();
    if missing.is_empty() {
        return None;
    }
    let in_pool = |name: &str| {
        let stem = super::passage::stem(&name.to_lowercase());
        pieces
            .iter()
            .any(|p| p.passage.tokens.iter().any(|t| t.stem == stem))
    };
    let known: Vec<bool> = missing.iter().map(|name| in_pool(name)).collect();
    let other = (0..piece.passage.tokens.len()).find(|&i| {
        let stem = &piece.passage.tokens[i].stem;
        piece.passage.is_name(i) && !claim.tokens.iter().any(|t| t.stem == *stem)
    });
    let said = other.map(|i| piece.passage.text[piece.passage.tokens[i].bytes.clone()].to_owned());
    let missing = missing.join(" ");
    let (weight, message) = match said {
        Some(said) => (
            -0.8,
            format!("the source names {said} there and not {missing}"),
        ),
        None if known.contains(&false) => (-0.5, format!("the source does not name {missing}")),
        None => (-0.35, format!("the source does not name {missing} there")),
    };
    Some(Finding {
        weight,
        piece: best,
        message,
        kind: Kind::Name,
    })
}

/// A word that one side denies and the other does not.
fn negation(claim: &Passage, alignment: &Alignment, piece: &Piece, best: usize) -> Option<Finding> {
    let mut against: Option<(f32, usize, usize)> = None;
    let mut total = 0.0;
    for m in &alignment.matches {
        let Some((alike, at)) = m.own else { continue };
        total += m.weight;
        let (ours, theirs) = (
            claim.tokens[m.claimed].negated,
            piece.passage.tokens[at].negated,
        );
        if ours != theirs && alike >= 0.75 && !claim.is_name(m.claimed) {
            let worth = m.weight * alike;
            if against.is_none_or(|(known, ..)| worth > known) {
                against = Some((worth, m.claimed, at));
            }
        }
    }
    let (_, claimed, at) = against.filter(|_| total > 0.0 && alignment.own >= 0.25)?;
    let theirs = &piece.passage.tokens[at];
    let word = |p: &Passage, i: usize| p.text[p.tokens[i].bytes.clone()].to_owned();
    let message = match theirs.negated {
        true => format!(
            "the source denies \"{}\", the claim does not",
            word(&piece.passage, at)
        ),
        false => format!(
            "the claim denies \"{}\", the source does not",
            word(claim, claimed)
        ),
    };
    Some(Finding {
        weight: -1.2,
        piece: best,
        message,
        kind: Kind::Negation,
    })
}

/// Words of the evidence that mean the contrary of the claim's.
fn contraries(
    claim: &Passage,
    alignment: &Alignment,
    piece: &Piece,
    best: usize,
) -> Option<Finding> {
    let word = |p: &Passage, i: usize| p.text[p.tokens[i].bytes.clone()].to_owned();
    alignment.matches.iter().find_map(|m| {
        let at = denial(claim, m, &piece.passage)?;
        let denied = claim.tokens[m.claimed].negated != piece.passage.tokens[at].negated;
        (!denied).then(|| Finding {
            weight: -1.1,
            piece: best,
            message: format!(
                "the source says \"{}\", the claim says \"{}\"",
                word(&piece.passage, at),
                word(claim, m.claimed)
            ),
            kind: Kind::Contrary,
        })
    })
}
