//! The sentences and rows that a claim is checked against, and how the words of the claim lie in
//! them.

use std::collections::HashMap;

use lahar_core::DocumentId;

use super::lexicon::{contrary, likeness};
use super::passage::Passage;
use crate::bearing::stem_set;

/// A sentence, item or row of a document, made comparable.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    /// Its words.
    pub passage: Passage,
    /// Stems of its title, heading, table header and of what its document says of itself.
    pub context: Vec<String>,
    /// The document it stands in.
    pub document: DocumentId,
    /// Pieces that stand just before and behind it in the document.
    pub beside: Vec<usize>,
    /// Rank of the chunk it came from.
    pub rank: usize,
    /// Nearness of meaning to the claim, where vectors were compared.
    pub cosine: Option<f32>,
    /// A vector of unit length for each of its words; empty where none were made.
    pub vectors: Vec<Vec<f32>>,
}

/// How much each word of a claim says.
#[derive(Debug, Clone)]
pub(crate) struct Weights {
    weights: HashMap<String, f32>,
    most: f32,
}

impl Weights {
    /// Inverse frequency over the retrieved chunks. A word that stands in none of them is likely
    /// a paraphrase and weighs as much as one in a fifth of them; it cannot tell chunks apart.
    pub fn over<'t>(chunks: impl Iterator<Item = &'t str>) -> Weights {
        let mut counts: HashMap<String, f32> = HashMap::new();
        let mut all = 0.0;
        for chunk in chunks {
            all += 1.0;
            for stem in stem_set(chunk) {
                *counts.entry(stem).or_default() += 1.0;
            }
        }
        let weight = |count: f32| (1.0 + (all - count + 0.5) / (count + 0.5)).ln();
        let weights = counts
            .into_iter()
            .map(|(stem, count)| (stem, weight(count)))
            .collect();
        Weights {
            weights,
            most: weight(all / 5.0),
        }
    }

    pub fn of(&self, stem: &str) -> f32 {
        self.weights
            .get(stem)
            .copied()
            .unwrap_or(self.most)
            .clamp(0.1, 3.0)
    }
}

/// Share of a word's worth when it stands beside the piece and not in it.
const BESIDE: f32 = 0.6;
/// Share when it stands only in the title or heading.
const CONTEXT: f32 = 0.55;

/// How well a word is found in a passage, and where.
pub(crate) fn find(stem: &str, passage: &Passage) -> Option<(f32, usize)> {
    let mut best: Option<(f32, usize)> = None;
    for (at, token) in passage.tokens.iter().enumerate() {
        let alike = likeness(stem, &token.stem);
        if alike > 0.0 && best.is_none_or(|(known, _)| alike > known) {
            best = Some((alike, at));
        }
    }
    best
}

/// All places where a word is found.
pub(crate) fn find_all(stem: &str, passage: &Passage) -> Vec<(f32, usize)> {
    let tokens = passage.tokens.iter().enumerate();
    tokens
        .map(|(at, token)| (likeness(stem, &token.stem), at))
        .filter(|(alike, _)| *alike > 0.0)
        .collect()
}

/// How well a word is known around a piece: in its neighbours, its title and heading.
fn around(stem: &str, piece: &Piece, pieces: &[Piece]) -> f32 {
    let beside = piece
        .beside
        .iter()
        .filter_map(|&i| find(stem, &pieces.get(i)?.passage));
    let beside = beside.map(|(alike, _)| alike * BESIDE).fold(0.0, f32::max);
    let context = piece
        .context
        .iter()
        .map(|known| likeness(stem, known) * CONTEXT);
    context.fold(beside, f32::max)
}

/// A word of the claim as it is found in a piece.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Match {
    /// Token of the claim.
    pub claimed: usize,
    /// Its weight.
    pub weight: f32,
    /// Likeness to the best word of the piece, and the token there.
    pub own: Option<(f32, usize)>,
    /// Likeness to the best word around the piece, discounted.
    pub around: f32,
    /// Cosine to the nearest word of the piece or of its neighbours, where vectors were made.
    pub meaning: Option<f32>,
}

/// Cosine of two words in their sentences from which the one begins to stand for the other, ...
const MEANS_NOTHING: f32 = 0.5;
/// ... and from which it does as well as a synonym.
const MEANS_THE_SAME: f32 = 0.85;

impl Match {
    /// Worth of the match, 0 to 1.
    pub fn worth(&self) -> f32 {
        self.own.map_or(0.0, |(alike, _)| alike).max(self.around)
    }

    /// Worth of the match, 0 to 1, where a word of like meaning counts too.
    pub fn support(&self) -> f32 {
        let meaning = self.meaning.unwrap_or(0.0);
        let stands = (meaning - MEANS_NOTHING) / (MEANS_THE_SAME - MEANS_NOTHING);
        self.worth().max(0.8 * stands.clamp(0.0, 1.0))
    }
}

/// Cosine of a word to the nearest one of some pieces.
fn nearest<'p>(vector: &[f32], pieces: impl Iterator<Item = &'p Piece>) -> Option<f32> {
    pieces
        .flat_map(|piece| piece.passage.tokens.iter().zip(&piece.vectors))
        .filter(|(token, _)| !token.is_stop())
        .map(|(_, other)| vector.iter().zip(other).map(|(a, b)| a * b).sum::<f32>())
        .max_by(f32::total_cmp)
}

/// A claim laid over a piece.
#[derive(Debug, Clone)]
pub(crate) struct Alignment {
    /// Every meaningful word of the claim that is part of no figure.
    pub matches: Vec<Match>,
    /// Weighted share of the claim's words that are found in the piece or around it.
    pub coverage: f32,
    /// Weighted share found in the piece itself.
    pub own: f32,
    /// Weighted share found in the piece, where a word of contrary meaning counts as found: the
    /// piece speaks of the same thing.
    pub subject: f32,
    /// Share of the claim's names that are not known in the piece or around it.
    pub nameless: f32,
}

/// Lays some words of a claim over a piece.
pub(crate) fn align(
    claim: &Passage,
    vectors: &[Vec<f32>],
    words: &[usize],
    piece: &Piece,
    pieces: &[Piece],
    weights: &Weights,
) -> Alignment {
    let reach = || {
        let beside = piece.beside.iter().filter_map(|&i| pieces.get(i));
        std::iter::once(piece).chain(beside)
    };
    let matches: Vec<Match> = words
        .iter()
        .map(|&claimed| {
            let stem = &claim.tokens[claimed].stem;
            let name = if claim.is_name(claimed) { 1.2 } else { 1.0 };
            Match {
                claimed,
                weight: weights.of(stem) * name,
                own: find(stem, &piece.passage),
                around: around(stem, piece, pieces),
                meaning: vectors
                    .get(claimed)
                    .and_then(|vector| nearest(vector, reach())),
            }
        })
        .collect();
    let total: f32 = matches.iter().map(|m| m.weight).sum();
    let share = |sum: f32| if total > 0.0 { sum / total } else { 0.0 };
    let coverage = share(matches.iter().map(|m| m.weight * m.worth()).sum());
    let own = share(
        matches
            .iter()
            .map(|m| m.weight * m.own.map_or(0.0, |(alike, _)| alike))
            .sum(),
    );
    let touched = |m: &Match| match m.own {
        Some((alike, _)) => alike,
        None if denial(claim, m, &piece.passage).is_some() => 0.8,
        None => 0.0,
    };
    let subject = share(matches.iter().map(|m| m.weight * touched(m)).sum());
    let names: Vec<&Match> = matches
        .iter()
        .filter(|m| claim.is_name(m.claimed))
        .collect();
    let unknown = names.iter().filter(|m| m.worth() < 0.3).count();
    let nameless = unknown as f32 / names.len().max(1) as f32;
    Alignment {
        matches,
        coverage,
        own,
        subject,
        nameless,
    }
}

/// A word that is looked for around a place.
#[derive(Debug, Clone)]
pub(crate) struct Sought {
    pub stem: String,
    pub weight: f32,
    /// A name stands for the whole passage; other words must stand near.
    pub name: bool,
}

/// How much of some weighted words lies near a place in a piece: words of the same clause count
/// most, those of other sentences least.
pub(crate) fn nearness(words: &[Sought], piece: &Piece, pieces: &[Piece], at: usize) -> f32 {
    let total: f32 = words.iter().map(|word| word.weight).sum();
    if total <= 0.0 || piece.passage.tokens.is_empty() {
        return 0.0;
    }
    let here = &piece.passage.tokens[at.min(piece.passage.tokens.len() - 1)];
    let sum: f32 = words
        .iter()
        .map(|Sought { stem, weight, name }| {
            let own = find_all(stem, &piece.passage)
                .into_iter()
                .map(|(alike, place)| {
                    let distance = place.abs_diff(at) as f32;
                    let clauses = piece.passage.tokens[place].clause.abs_diff(here.clause) as f32;
                    match name {
                        true => alike * (1.0 - 0.01 * distance - 0.02 * clauses).max(0.6),
                        false => alike * (1.0 - 0.03 * distance - 0.08 * clauses).max(0.3),
                    }
                });
            let own = own.fold(0.0, f32::max);
            weight * own.max(around(stem, piece, pieces) * if *name { 0.9 } else { 0.55 })
        })
        .sum();
    sum / total
}

/// A word of the piece that denies a word of the claim, where the claim's own word is missing.
pub(crate) fn denial(claim: &Passage, m: &Match, piece: &Passage) -> Option<usize> {
    if m.own.is_some_and(|(alike, _)| alike >= 0.85) {
        return None;
    }
    let stem = &claim.tokens[m.claimed].stem;
    let known = |other: &str| claim.tokens.iter().any(|t| t.stem == other);
    piece
        .tokens
        .iter()
        .position(|token| contrary(stem, &token.stem) && !known(&token.stem))
}
