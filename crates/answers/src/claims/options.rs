//! Which option of a multiple choice question the evidence supports.

use super::evidence::{Piece, Sought, Weights, find_all, nearness};
use super::figures::{Dimension, Fit};
use super::lexicon::{self, likeness};
use super::passage::Passage;
use super::verdict;

/// How well the evidence supports one option.
#[derive(Debug, Clone)]
pub(crate) struct Support {
    /// Comparable within one question only.
    pub score: f32,
    /// The piece that supports it best; `None` where nothing of the option was found.
    pub piece: Option<usize>,
    /// Words of the evidence that were found for it.
    pub said: String,
}

/// Whether a question asks for the option that does not hold.
pub(crate) fn asks_for_exception(question: &str) -> bool {
    let passage = Passage::of(question);
    question.contains("NOT")
        || passage.tokens.iter().any(|t| {
            matches!(
                t.word.as_str(),
                "except" | "not" | "incorrect" | "false" | "untrue"
            )
        })
}

/// Options as long as sentences are checked as claims too.
const SENTENCE: usize = 5;

/// Weighs every option by the evidence.
pub(crate) fn weigh(
    question: &Passage,
    options: &[Passage],
    pieces: &[Piece],
    weights: &Weights,
) -> Vec<Support> {
    let asked: Vec<Sought> = {
        let words = question.content().into_iter().map(|i| {
            let stem = question.tokens[i].stem.clone();
            let name = question.is_name(i);
            Sought {
                weight: weights.of(&stem) * if name { 1.2 } else { 1.0 },
                stem,
                name,
            }
        });
        let figures = question
            .figures
            .iter()
            .flat_map(|f| &question.tokens[f.tokens.clone()]);
        let figures = figures
            .filter(|t| !t.is_stop() || lexicon::is_filler(&t.word))
            .map(|t| {
                let weight = 1.5 * weights.of(&t.stem);
                Sought {
                    stem: t.stem.clone(),
                    weight,
                    name: false,
                }
            });
        words.chain(figures).collect()
    };
    let mut supports: Vec<Support> = options
        .iter()
        .enumerate()
        .map(|(number, option)| support(&asked, question, option, number, options, pieces, weights))
        .collect();
    let long = options
        .iter()
        .filter(|o| o.content().len() >= SENTENCE)
        .count();
    if long * 2 > options.len() {
        for (support, option) in supports.iter_mut().zip(options) {
            let claim = verdict::Claim {
                passage: option,
                vectors: &[],
            };
            if let Some(verdict) = verdict::check(&claim, pieces, weights) {
                let score = (verdict.log_odds / 3.0).clamp(-1.0, 1.0);
                support.score += 0.25 * (score + verdict.coverage);
                support.piece = support.piece.or(Some(verdict.best));
            }
        }
    }
    every_one_of_them(options, &mut supports);
    supports
}

/// A part of an option that is looked for in the evidence.
struct Part {
    weight: f32,
    /// Figure of the option, or else a word.
    figure: Option<usize>,
    token: usize,
}

fn parts(
    option: &Passage,
    number: usize,
    options: &[Passage],
    question: &Passage,
    weights: &Weights,
) -> Vec<Part> {
    // A word that several options share tells little, and one of the question tells nothing.
    let shared = |stem: &str| {
        let others = options
            .iter()
            .enumerate()
            .filter(|(i, o)| *i != number && o.tokens.iter().any(|t| t.stem == stem));
        let others = others.count() as f32;
        let asked = if question.tokens.iter().any(|t| t.stem == stem) {
            0.3
        } else {
            1.0
        };
        asked / (1.0 + others).powi(2)
    };
    let words = option.content().into_iter().map(|token| {
        let stem = &option.tokens[token].stem;
        Part {
            weight: weights.of(stem).max(0.5) * shared(stem),
            figure: None,
            token,
        }
    });
    let figures = option.figures.iter().enumerate().map(|(i, figure)| {
        let same = options.iter().enumerate().filter(|(j, o)| {
            *j != number
                && o.figures
                    .iter()
                    .any(|f| f.fit(figure) == Fit::Same && f.bound == figure.bound)
        });
        Part {
            weight: 2.5 / (1.0 + same.count() as f32).powi(2),
            figure: Some(i),
            token: figure.tokens.start,
        }
    });
    let mut parts: Vec<Part> = words.chain(figures).collect();
    if parts.is_empty() {
        // An option of stop words only: "none", "before".
        parts.extend((0..option.tokens.len()).map(|token| Part {
            weight: 1.0,
            figure: None,
            token,
        }));
    }
    parts
}

fn support(
    asked: &[Sought],
    question: &Passage,
    option: &Passage,
    number: usize,
    options: &[Passage],
    pieces: &[Piece],
    weights: &Weights,
) -> Support {
    let parts = parts(option, number, options, question, weights);
    let total: f32 = parts.iter().map(|p| p.weight).sum();
    let mut best = Support {
        score: 0.0,
        piece: None,
        said: String::new(),
    };
    let mut second = 0.0f32;
    let counted = counted(question);
    for (index, piece) in pieces.iter().enumerate() {
        let mut sum = 0.0;
        let mut said: Option<(f32, usize)> = None;
        for part in &parts {
            let found = match part.figure {
                Some(figure) => figures(option, figure, piece),
                None => find_all(&option.tokens[part.token].stem, &piece.passage),
            };
            let placed = found
                .into_iter()
                .map(|(fit, at)| {
                    let near = nearness(asked, piece, pieces, at);
                    let denied =
                        piece.passage.tokens[at].negated && !option.tokens[part.token].negated;
                    let bound = if part.figure.is_some() {
                        bound_word(asked, counted.as_deref(), &piece.passage, at)
                    } else {
                        1.0
                    };
                    let bound = bound * same_rank(question, &piece.passage, at);
                    (fit * near * bound * if denied { 0.5 } else { 1.0 }, at)
                })
                .max_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((worth, at)) = placed {
                sum += part.weight * worth;
                if said.is_none_or(|(known, _)| part.weight * worth > known) {
                    said = Some((part.weight * worth, at));
                }
            }
        }
        let meaning = piece.cosine.unwrap_or(0.3).clamp(0.0, 1.0);
        let score =
            sum / total.max(1e-6) * (0.75 + 0.5 * meaning) * (1.0 - 0.006 * piece.rank as f32);
        if score > best.score {
            second = best.score;
            let words = said.map(|(_, at)| {
                piece
                    .passage
                    .figure_at(at)
                    .map_or(at..at + 1, |f| f.tokens.clone())
            });
            best = Support {
                score,
                piece: Some(index),
                said: words
                    .map(|w| piece.passage.words_of(&w).to_owned())
                    .unwrap_or_default(),
            };
        } else {
            second = second.max(score);
        }
    }
    best.score += 0.1 * second;
    best
}

/// What a question counts: the word behind "how many".
fn counted(question: &Passage) -> Option<String> {
    let many = (1..question.tokens.len())
        .find(|&i| question.tokens[i].word == "many" && question.tokens[i - 1].word == "how")?;
    let noun = question
        .tokens
        .iter()
        .skip(many + 1)
        .find(|t| !t.is_stop())?;
    Some(noun.stem.clone())
}

/// "The third shock" of a question against the rank named last before a place.
fn same_rank(question: &Passage, passage: &Passage, at: usize) -> f32 {
    let ranks = |p: &Passage, end: usize| -> Option<f64> {
        let mut ordinals = p
            .figures
            .iter()
            .filter(|f| f.dimension == Dimension::Ordinal && f.tokens.start < end);
        ordinals.next_back().map(|f| f.low)
    };
    match (ranks(question, question.tokens.len()), ranks(passage, at)) {
        (Some(asked), Some(found)) if asked == found => 1.15,
        (Some(_), Some(_)) => 0.6,
        _ => 1.0,
    }
}

/// Words just behind a figure say what it counts or measures: "40 homes", "3 m deep".
fn bound_word(asked: &[Sought], counted: Option<&str>, passage: &Passage, at: usize) -> f32 {
    let end = passage.figure_at(at).map_or(at + 1, |f| f.tokens.end);
    let behind: Vec<&str> = passage
        .tokens
        .iter()
        .skip(end)
        .take(4)
        .filter(|t| !t.is_stop() && !t.is_digits())
        .take(2)
        .map(|t| t.stem.as_str())
        .collect();
    if let Some(counted) = counted {
        let end = passage.figure_at(at).map_or(at + 1, |f| f.tokens.end);
        let behind = (end..passage.tokens.len().min(end + 5))
            .take_while(|&i| passage.figure_at(i).is_none());
        let mut behind = behind.filter(|&i| !passage.tokens[i].is_stop()).peekable();
        let any = behind.peek().is_some();
        return match behind.any(|i| likeness(counted, &passage.tokens[i].stem) >= 0.75) {
            true => 1.5,
            false if any => 0.7,
            false => 1.0,
        };
    }
    let meant = |stem: &str| {
        asked
            .iter()
            .any(|a| !a.name && likeness(&a.stem, stem) >= 0.75)
    };
    match behind.first() {
        Some(first) if meant(first) => 1.3,
        Some(_) if behind.iter().any(|stem| meant(stem)) => 1.15,
        _ => 1.0,
    }
}

/// Where a figure of the option stands in a piece, and how well it fits.
fn figures(option: &Passage, figure: usize, piece: &Piece) -> Vec<(f32, usize)> {
    let wanted = &option.figures[figure];
    let others = piece.passage.figures.iter();
    let mut found: Vec<(f32, usize)> = others
        .filter_map(|other| match wanted.fit(other) {
            Fit::Same => {
                let bounds = if wanted.bound == other.bound {
                    1.0
                } else {
                    0.95
                };
                Some((bounds, other.tokens.start))
            }
            Fit::Within => Some((0.5, other.tokens.start)),
            Fit::Differs => None,
        })
        .collect();
    // A bare number may stand in the evidence with the unit that the question names.
    if matches!(
        wanted.dimension,
        Dimension::Count | Dimension::Year | Dimension::Label
    ) {
        let word = &option.tokens[wanted.tokens.start].word;
        let same = piece
            .passage
            .tokens
            .iter()
            .enumerate()
            .filter(|(_, t)| t.word == *word && t.is_digits());
        found.extend(same.map(|(at, _)| (0.9, at)));
    }
    found
}

/// "All of the above" holds where every other option is about as well supported as the best.
fn every_one_of_them(options: &[Passage], supports: &mut [Support]) {
    let is_all = |o: &Passage| {
        let lower = o.text.to_lowercase();
        [
            "all of the above",
            "all of these",
            "all of them",
            "all the above",
        ]
        .iter()
        .any(|t| lower.starts_with(t))
    };
    let Some(all) = options.iter().position(is_all) else {
        return;
    };
    let others = || {
        supports
            .iter()
            .enumerate()
            .filter(|(i, _)| *i != all)
            .map(|(_, s)| s.score)
    };
    let (least, most) = (
        others().fold(f32::MAX, f32::min),
        others().fold(0.0, f32::max),
    );
    let piece = supports
        .iter()
        .find(|s| s.score == most)
        .and_then(|s| s.piece);
    supports[all].score = if least >= 0.6 * most { most * 1.1 } else { 0.0 };
    supports[all].piece = piece;
}
