//! A claim against its evidence: the signs for and against it, and the verdict.

use super::evidence::{Alignment, Match, Piece, Weights, align, denial, find_all};
use super::figures::Fit;
use super::lexicon::{self, Kind};
use super::passage::Passage;
use super::{causes, compare, model, quantifiers, slots};

/// Something that was found for or against a claim: one term of the model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sign {
    /// Its name in the weights file.
    pub name: &'static str,
    /// How strongly it shows, mostly from 0 to 1.
    pub value: f32,
    /// The piece it was found in.
    pub piece: usize,
    /// The words that it rests on, for people.
    pub message: String,
}

impl Sign {
    pub fn new(name: &'static str, value: f32, piece: usize, message: impl Into<String>) -> Sign {
        debug_assert!(model::SIGNS.contains(&name), "`{name}` has no weight");
        Sign {
            name,
            value,
            piece,
            message: message.into(),
        }
    }
}

/// What came of checking a claim.
#[derive(Debug, Clone)]
pub(crate) struct Verdict {
    /// Log-odds that the evidence supports the claim.
    pub log_odds: f32,
    /// The piece that bears most on the claim.
    pub best: usize,
    /// Weighted share of the claim's words found there.
    pub coverage: f32,
    /// What was found, each with what it adds to the log-odds.
    pub signs: Vec<(Sign, f32)>,
    /// Another document that says otherwise, where one does.
    pub disagreeing: Option<usize>,
}

/// A claim as it is checked.
pub(crate) struct Claim<'c> {
    /// Its words.
    pub passage: &'c Passage,
    /// A vector for each of its words; empty without a model.
    pub vectors: &'c [Vec<f32>],
}

/// Share of the best piece's score from which others are looked at for figures, ...
const ALSO: f32 = 0.7;
/// ... and from which they are looked at for words that deny the claim's.
const NEARLY: f32 = 0.95;

/// How well a piece bears on a claim: its words, nearness of meaning, figures that fit.
pub(crate) fn relevance(claim: &Passage, alignment: &Alignment, piece: &Piece) -> f32 {
    let words = 0.55 * alignment.coverage + 0.45 * alignment.subject;
    let meaning = piece.cosine.map_or(words, |cosine| cosine.clamp(0.0, 1.0));
    let figures = claim.figures.iter().filter(|f| !slots::is_date(f));
    let fitting = figures.filter(|figure| {
        let evidence = &piece.passage.figures;
        evidence.iter().any(|other| figure.fit(other) == Fit::Same)
    });
    let dates = claim.figures.iter().filter(|f| slots::is_date(f));
    let dated = dates.filter(|figure| {
        let evidence = &piece.passage.figures;
        evidence.iter().any(|other| figure.fit(other) == Fit::Same)
    });
    0.65 * words
        + 0.35 * meaning
        + 0.05 * fitting.count().min(3) as f32
        + 0.03 * dated.count().min(2) as f32
        - 0.12 * alignment.nameless
        - 0.004 * piece.rank as f32
}

/// Checks a claim. `None` where there is no piece.
pub(crate) fn check(claim: &Claim<'_>, pieces: &[Piece], weights: &Weights) -> Option<Verdict> {
    let vectors = claim.vectors;
    let claim = &{
        let mut passage = claim.passage.clone();
        passage.learn_names(pieces.iter().map(|p| &p.passage));
        passage
    };
    let content = claim.content();
    let alignments: Vec<Alignment> = pieces
        .iter()
        .map(|piece| align(claim, vectors, &content, piece, pieces, weights))
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
    let piece = &pieces[best];
    let mut signs = words(claim, alignment, piece, best);
    let mut disagreeing = None;
    for figure in &claim.figures {
        let words = slots::slot_words(claim, figure, weights);
        let slot = slots::figure(claim, figure, &words, &wide, best, pieces);
        signs.extend(slot.signs);
        disagreeing = disagreeing.or(slot.disagreeing);
    }
    signs.extend(names(claim, alignment, piece, best, pieces));
    signs.extend(names_apart(claim, alignment, best));
    for &i in relevant
        .iter()
        .filter(|&&i| scores[i] >= NEARLY * scores[best])
    {
        let found = negation(claim, &alignments[i], &pieces[i], i)
            .into_iter()
            .chain(contraries(claim, &alignments[i], &pieces[i], i));
        for mut sign in found.collect::<Vec<_>>() {
            if signs.iter().all(|known| known.name != sign.name) {
                let same = pieces[i].document == pieces[best].document;
                sign.value *= match (i == best, same) {
                    (true, _) => 1.0,
                    (false, true) => 0.9,
                    (false, false) => 0.5,
                };
                signs.push(sign);
            }
        }
    }
    signs.extend(compare::ranks(claim, piece, best, weights));
    signs.extend(compare::comparison(
        claim, &relevant, &wide, pieces, weights,
    ));
    signs.extend(quantifiers::quantifiers(claim, piece, best));
    signs.extend(causes::other_cause(claim, alignment, piece, best));
    let (terms, log_odds) = model::weigh(&signs, !vectors.is_empty());
    Some(Verdict {
        log_odds,
        best,
        coverage: alignment.coverage,
        signs: signs.into_iter().zip(terms).collect(),
        disagreeing,
    })
}

/// What the commonest words count when they are missing.
const COMMON: f32 = 0.5;
/// Most words that a message names.
const NAMED_WORDS: usize = 5;

/// The claim's words as they are found in the best piece, and those that are not.
fn words(claim: &Passage, alignment: &Alignment, piece: &Piece, best: usize) -> Vec<Sign> {
    let written = |m: &Match| claim.text[claim.tokens[m.claimed].bytes.clone()].to_owned();
    let quoted = |matches: &[&Match]| -> String {
        let words: Vec<String> = matches
            .iter()
            .take(NAMED_WORDS)
            .map(|m| format!("\"{}\"", written(m)))
            .collect();
        words.join(", ")
    };
    let mut signs = Vec::new();
    let found: Vec<&Match> = alignment
        .matches
        .iter()
        .filter(|m| m.support() >= 0.7)
        .collect();
    let here: Vec<&Match> = found
        .iter()
        .copied()
        .filter(|m| m.own.is_some_and(|(alike, _)| alike >= 0.7))
        .collect();
    let message = format!("the source or its heading holds {}", quoted(&found));
    signs.push(Sign::new("words_found", alignment.coverage, best, message));
    let message = format!("one sentence holds {}", quoted(&here));
    signs.push(Sign::new("words_found_here", alignment.own, best, message));
    let apart = (alignment.coverage - alignment.own).max(0.0);
    let message = "the words stand in different sentences";
    signs.push(Sign::new("words_apart", apart, best, message));

    let mut missing: Vec<(&Match, f32)> = alignment
        .matches
        .iter()
        .filter(|m| !claim.is_name(m.claimed))
        .map(|m| {
            let common = lexicon::is_common(&claim.tokens[m.claimed].stem);
            let weight = m.weight / 3.0 * if common { COMMON } else { 1.0 };
            (m, weight * (1.0 - m.support()))
        })
        .collect();
    missing.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.claimed.cmp(&b.0.claimed)));
    for (&(m, value), name) in missing.iter().zip(["word_missing", "second_word_missing"]) {
        let message = format!("nothing there speaks of \"{}\"", written(m));
        signs.push(Sign::new(name, value, best, message));
    }
    let total: f32 = alignment
        .matches
        .iter()
        .map(|m| m.weight)
        .sum::<f32>()
        .max(1e-3);
    for (kind, name) in [
        (Kind::Verb, "verb_missing"),
        (Kind::Quality, "quality_missing"),
        (Kind::Thing, "thing_missing"),
    ] {
        let of_kind = missing
            .iter()
            .filter(|(m, _)| lexicon::kind(&claim.tokens[m.claimed].stem) == kind);
        let of_kind: Vec<(&Match, f32)> = of_kind.copied().collect();
        let share = 3.0 * of_kind.iter().map(|(_, value)| value).sum::<f32>() / total;
        if share > 0.0 {
            let worst: Vec<&Match> = of_kind.iter().map(|(m, _)| *m).collect();
            let message = format!("the source does not say {}", quoted(&worst[..1]));
            signs.push(Sign::new(name, share, best, message));
        }
    }
    signs.extend(bonds(claim, alignment, piece, best));
    if let Some(cosine) = piece.cosine {
        let message = "the sentence means about the same";
        signs.push(Sign::new("meaning", cosine, best, message));
    }
    let near: Vec<(&Match, f32)> = alignment
        .matches
        .iter()
        .filter_map(|m| Some((m, m.meaning?)))
        .collect();
    if let Some((farthest, least)) = near
        .iter()
        .min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.claimed.cmp(&b.0.claimed)))
    {
        let weight: f32 = near.iter().map(|(m, _)| m.weight).sum::<f32>().max(1e-3);
        let mean = near.iter().map(|(m, near)| m.weight * near).sum::<f32>() / weight;
        let message = "word for word the sentence means about the same";
        signs.push(Sign::new("meaning_of_words", mean, best, message));
        let message = format!("nothing there means \"{}\"", written(farthest));
        let value = 1.0 - least;
        signs.push(Sign::new("meaning_of_farthest_word", value, best, message));
    }
    signs
}

/// Tokens within which two words of the claim stand together, ...
const TOGETHER: usize = 3;
/// ... and beyond which they do not in the evidence.
const PARTED: usize = 6;

/// Words that stand together in the claim and apart in the sentence: what is said of one thing
/// there, the claim says of another.
fn bonds(claim: &Passage, alignment: &Alignment, piece: &Piece, best: usize) -> Option<Sign> {
    let evidence = &piece.passage;
    let places = |m: &Match| -> Vec<usize> {
        let found = find_all(&claim.tokens[m.claimed].stem, evidence).into_iter();
        found
            .filter(|(alike, _)| *alike >= 0.75)
            .map(|(_, at)| at)
            .collect()
    };
    let (mut total, mut broken) = (0.0, 0.0);
    let mut widest: Option<(usize, &Match, &Match)> = None;
    for pair in alignment.matches.windows(2) {
        let (a, b) = (&pair[0], &pair[1]);
        let (left, right) = (places(a), places(b));
        let clause = claim.tokens[a.claimed].clause == claim.tokens[b.claimed].clause;
        if b.claimed - a.claimed > TOGETHER || !clause || left.is_empty() || right.is_empty() {
            continue;
        }
        let apart = left
            .iter()
            .flat_map(|i| right.iter().map(|j| i.abs_diff(*j)))
            .min()
            .unwrap_or(0);
        let weight = a.weight.min(b.weight);
        total += weight;
        if apart > PARTED {
            broken += weight;
            if widest.is_none_or(|(known, ..)| apart > known) {
                widest = Some((apart, a, b));
            }
        }
    }
    let (_, a, b) = widest?;
    let written = |m: &Match| &claim.text[claim.tokens[m.claimed].bytes.clone()];
    let message = format!(
        "\"{}\" and \"{}\" stand apart in the source",
        written(a),
        written(b)
    );
    Some(Sign::new("bond_broken", broken / total, best, message))
}

/// Names of the claim that stand around the sentence and not in it.
fn names_apart(claim: &Passage, alignment: &Alignment, best: usize) -> Option<Sign> {
    let names = alignment
        .matches
        .iter()
        .filter(|m| claim.is_name(m.claimed));
    let names: Vec<&Match> = names.collect();
    let apart: Vec<&&Match> = names
        .iter()
        .filter(|m| m.own.is_none_or(|(alike, _)| alike < 0.7) && m.around > 0.3)
        .collect();
    let first = apart.first()?;
    let name = &claim.text[claim.tokens[first.claimed].bytes.clone()];
    let message = format!("{name} is named beside the sentence, not in it");
    let share = apart.len() as f32 / names.len() as f32;
    Some(Sign::new("name_apart", share, best, message))
}

/// A name of the claim that the evidence does not know, while it has another in its place.
fn names(
    claim: &Passage,
    alignment: &Alignment,
    piece: &Piece,
    best: usize,
    pieces: &[Piece],
) -> Option<Sign> {
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
    let share = alignment.nameless;
    let (name, value, message) = match said {
        Some(said) => (
            "name_other",
            share,
            format!("the source names {said} there and not {missing}"),
        ),
        None if known.contains(&false) => (
            "name_missing",
            share,
            format!("the source does not name {missing}"),
        ),
        None => (
            "name_missing",
            0.7 * share,
            format!("the source does not name {missing} there"),
        ),
    };
    Some(Sign::new(name, value, best, message))
}

/// A word that one side denies and the other does not.
fn negation(claim: &Passage, alignment: &Alignment, piece: &Piece, best: usize) -> Option<Sign> {
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
    // "None before" and "the first" say the same.
    let has =
        |p: &Passage, words: &[&str]| p.tokens.iter().any(|t| words.contains(&t.word.as_str()));
    let first = ["first", "only", "last", "sole"];
    let turned = |a: &Passage, b: &Passage| has(a, &["since", "before", "other"]) && has(b, &first);
    if turned(claim, &piece.passage) || turned(&piece.passage, claim) {
        return None;
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
    Some(Sign::new("denied", 1.0, best, message))
}

/// Words of the evidence that mean the contrary of the claim's.
fn contraries(claim: &Passage, alignment: &Alignment, piece: &Piece, best: usize) -> Option<Sign> {
    let word = |p: &Passage, i: usize| p.text[p.tokens[i].bytes.clone()].to_owned();
    let found = alignment.matches.iter().find_map(|m| {
        let at = denial(claim, m, &piece.passage)?;
        let denied = claim.tokens[m.claimed].negated != piece.passage.tokens[at].negated;
        (!denied).then(|| {
            let message = format!(
                "the source says \"{}\", the claim says \"{}\"",
                word(&piece.passage, at),
                word(claim, m.claimed)
            );
            Sign::new("contrary", 1.0, best, message)
        })
    });
    found.or_else(|| modifier(claim, alignment, piece, best))
}

/// A word before another that the sentence has with the contrary before it: "much rain" against
/// "little rain".
fn modifier(claim: &Passage, alignment: &Alignment, piece: &Piece, best: usize) -> Option<Sign> {
    let evidence = &piece.passage;
    let word = |p: &Passage, i: usize| p.text[p.tokens[i].bytes.clone()].to_owned();
    alignment.matches.iter().find_map(|m| {
        let before = m.claimed.checked_sub(1)?;
        let stem = &claim.tokens[before].stem;
        let places = find_all(&claim.tokens[m.claimed].stem, evidence);
        let reach = |at: usize| at.saturating_sub(2)..at;
        let places: Vec<usize> = places
            .into_iter()
            .filter(|(alike, _)| *alike >= 0.85)
            .map(|(_, at)| at)
            .collect();
        let same = |i: usize| lexicon::likeness(stem, &evidence.tokens[i].stem) > 0.7;
        if places.iter().any(|&at| reach(at).any(same)) {
            return None;
        }
        let denies = |i: &usize| {
            let token = &evidence.tokens[*i];
            lexicon::contrary(stem, &token.stem) && token.negated == claim.tokens[before].negated
        };
        let other = places.iter().find_map(|&at| reach(at).find(denies))?;
        let message = format!(
            "the source says \"{}\", the claim says \"{}\"",
            word(evidence, other),
            word(claim, before)
        );
        Some(Sign::new("contrary", 1.0, best, message))
    })
}
