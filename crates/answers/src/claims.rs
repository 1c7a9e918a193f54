//! Claims checked against the evidence: true or false, and which of several options.
//!
//! ```text
//! claim    -> retrieve -> sentences and rows -> figures, names, negation, rank, order -> True | False | abstain
//! question -> retrieve -> sentences and rows -> support of each option               -> A | B | ... | abstain
//! ```
//!
//! | module | holds |
//! |---|---|
//! | `passage` | a text as comparable words, clauses, negation, names |
//! | `figures` | quantities across units, shares, ranges, dates, times of day |
//! | `lexicon` | words of the field that mean the same, or the contrary |
//! | `meaning` | vectors of words in their sentences |
//! | `evidence` | a claim's words laid over a sentence |
//! | `slots` | the figure of the evidence that stands where the claim's does |
//! | `compare`, `quantifiers`, `causes` | ranks, comparisons, order; all, some, none; causes |
//! | `verdict` | the signs for a claim and against it |
//! | `model` | what each sign weighs |
//! | `options` | which option the evidence supports |
//!
//! No language model decides. Each sign is found by comparing words, figures and, where the library
//! has an embedding model, meanings; a fitted weight says how much it counts, and the verdict names
//! the signs that decided it. Without an embedding model everything works on words.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use lahar_core::{DocumentId, Reason, ReasonCode, TextIndex};
use lahar_library::Hit;
use lahar_models::TextRole;

use crate::answer::{Answer, Cited, Outcome, Statement, sentence};
use crate::ask::{AskError, Asker, EVIDENCE_CHUNKS, lexical_only};
use crate::bearing::{Rarity, stem_set};
use crate::evidence::{self as chunks, Evidence, Source};
use crate::geography::PlaceReading;
use crate::question::Reading;
use crate::quote;
use crate::terms::terms;
use crate::units::{Unit, units};

mod causes;
mod compare;
mod evidence;
pub(crate) mod figures;
mod lexicon;
mod meaning;
mod model;
mod options;
pub(crate) mod passage;
mod quantifiers;
mod slots;
mod verdict;

pub(crate) use lexicon::words_alike;

use evidence::{Piece, Weights};
use passage::Passage;
use verdict::{Claim, Sign};

/// Chunks whose sentences a claim is checked against; the baselines have as many as for questions.
const CHUNKS: usize = 8;
/// Chunks that a search with the options may add.
const CHUNKS_BY_OPTIONS: usize = 4;
/// Sentences whose meaning is compared with the claim's, best by words first.
const EMBEDDED: usize = 24;
/// Characters between two sentences that still stand side by side.
const BESIDE: usize = 200;
/// Share of a claim's words that the best sentence and its surroundings must hold, ...
const BEARS: f32 = 0.34;
/// ... less where its meaning is as near as this.
const BEARS_WITH_MEANING: (f32, f32) = (0.2, 0.5);
/// Share from which the claim's names need not be there: one of them may be the claim's error.
const BEARS_UNNAMED: f32 = 0.5;

/// The label of a checked claim or an answered choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Label {
    /// The evidence supports the claim.
    True,
    /// The evidence speaks against the claim.
    False,
    /// The evidence supports this option.
    Option(char),
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Label::True => f.pad("True"),
            Label::False => f.pad("False"),
            Label::Option(letter) => f.pad(letter.encode_utf8(&mut [0; 4])),
        }
    }
}

/// A label with the answer that gives its grounds.
#[derive(Debug, Clone)]
pub struct Labelled {
    /// `None` after an abstention: nothing in the library bears on the claim.
    pub label: Option<Label>,
    /// The words that decided, and why.
    pub answer: Answer,
    /// Every sign that was found for a claim and against it, the weightiest first. None for a
    /// choice among options.
    pub grounds: Vec<Ground>,
}

/// A sign for or against a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Ground {
    /// Its name, as in the file of weights.
    pub name: &'static str,
    /// How strongly it shows.
    pub value: f32,
    /// What it adds to the log-odds that the claim holds.
    pub adds: f32,
    /// The words it rests on.
    pub message: String,
}

/// What a claim is checked against.
struct Gathered {
    reading: Reading,
    places: PlaceReading,
    hits: Vec<Hit>,
    sources: HashMap<DocumentId, Source>,
    units: Vec<(DocumentId, Unit)>,
    pieces: Vec<Piece>,
    /// Vectors of the claim's words.
    words: Vec<Vec<f32>>,
    weights: Weights,
    with_meaning: bool,
}

impl Asker<'_> {
    /// Checks a statement against the library: true, false, or an abstention where nothing in the
    /// library bears on it.
    pub fn check_claim(&self, claim: &str) -> Result<Labelled, AskError> {
        let claim = claim.trim();
        Asker::check(claim, self.longest_question)?;
        match self.method.behaviour() {
            None => self.check_claim_by(claim, claim),
            Some(behaviour) => self.label_by_loop(claim, behaviour, &|asker, text| {
                asker.check_claim_by(claim, text)
            }),
        }
    }

    /// Checks a claim against what a search text brings up.
    fn check_claim_by(&self, claim: &str, search: &str) -> Result<Labelled, AskError> {
        let gathered = self.gather(claim, search, &[])?;
        let passage = Passage::of(claim);
        let claim = Claim {
            passage: &passage,
            vectors: &gathered.words,
        };
        let verdict = verdict::check(&claim, &gathered.pieces, &gathered.weights)
            .filter(|verdict| bears(&passage, verdict, &gathered.pieces));
        let Some(verdict) = verdict else {
            return self.abstained(&gathered);
        };
        let holds = verdict.log_odds > 0.0;
        let mut signs = verdict.signs.clone();
        signs.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let decisive: Vec<&Sign> = signs
            .iter()
            .filter(|(_, adds)| {
                if holds {
                    *adds > LEAST_TERM
                } else {
                    *adds < -LEAST_TERM
                }
            })
            .map(|(sign, _)| sign)
            .collect();
        let mut shown: Vec<usize> = decisive.iter().take(2).map(|sign| sign.piece).collect();
        shown.push(verdict.best);
        shown.truncate(2);
        shown.extend(verdict.disagreeing);
        let (label, code) = match holds {
            true => (Label::True, ReasonCode::ClaimSupported),
            false => (Label::False, ReasonCode::ClaimContradicted),
        };
        let message = match decisive.as_slice() {
            [] if holds => "Nothing in the source speaks against the claim.".to_owned(),
            [] => {
                "The source speaks of the subject and does not say what the claim says.".to_owned()
            }
            signs => {
                let messages = signs.iter().take(SHOWN_SIGNS).map(|s| s.message.as_str());
                sentence(&messages.collect::<Vec<_>>().join("; "))
            }
        };
        let grounds = signs
            .into_iter()
            .map(|(sign, adds)| Ground {
                name: sign.name,
                value: sign.value,
                adds,
                message: sign.message,
            })
            .collect();
        let reasons = vec![Reason::new(code, message)];
        let disagreeing = verdict.disagreeing.is_some();
        let labelled = self.labelled(label, &gathered, &shown, reasons, disagreeing)?;
        Ok(Labelled {
            grounds,
            ..labelled
        })
    }

    /// Chooses the option that the library supports, or abstains where nothing in the library
    /// bears on the question.
    pub fn choose_option(
        &self,
        question: &str,
        options: &BTreeMap<char, String>,
    ) -> Result<Labelled, AskError> {
        let question = question.trim();
        Asker::check(question, self.longest_question)?;
        if options.len() < 2 {
            return Err(AskError::TooFewOptions);
        }
        match self.method.behaviour() {
            None => self.choose_option_by(question, options, question),
            Some(behaviour) => self.label_by_loop(question, behaviour, &|asker, text| {
                asker.choose_option_by(question, options, text)
            }),
        }
    }

    /// Chooses an option by what a search text brings up.
    fn choose_option_by(
        &self,
        question: &str,
        options: &BTreeMap<char, String>,
        search: &str,
    ) -> Result<Labelled, AskError> {
        let texts: Vec<&str> = options.values().map(String::as_str).collect();
        let gathered = self.gather(question, search, &texts)?;
        let asked = Passage::of(question);
        let passages: Vec<Passage> = texts.iter().map(|text| Passage::of(text)).collect();
        let mut supports = options::weigh(&asked, &passages, &gathered.pieces, &gathered.weights);
        let claim = Claim {
            passage: &asked,
            vectors: &gathered.words,
        };
        let bears = verdict::check(&claim, &gathered.pieces, &gathered.weights)
            .is_some_and(|verdict| bears(&asked, &verdict, &gathered.pieces))
            || supports.iter().any(|s| s.score >= SUPPORTED);
        if !bears {
            return self.abstained(&gathered);
        }
        self.add_meaning(question, &texts, &gathered, &mut supports)?;
        let exception = options::asks_for_exception(question);
        let order = |a: &usize, b: &usize| {
            supports[*a]
                .score
                .total_cmp(&supports[*b].score)
                .then(b.cmp(a))
        };
        let chosen = match exception {
            true => (0..supports.len()).min_by(order),
            false => (0..supports.len()).max_by(order),
        };
        let Some(chosen) = chosen else {
            return self.abstained(&gathered);
        };
        let letter = *options.keys().nth(chosen).unwrap_or(&'A');
        let text = texts[chosen];
        let shown: Vec<usize> = match exception {
            true => supports
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != chosen)
                .filter_map(|(_, s)| s.piece)
                .take(3)
                .collect(),
            false => supports[chosen].piece.into_iter().collect(),
        };
        let message = match (exception, supports[chosen].said.as_str()) {
            (true, _) => {
                format!("The sources speak for the other options and least for \"{text}\".")
            }
            (false, "") => format!("\"{text}\" comes nearest in meaning to what the source says."),
            (false, said) => format!(
                "The source says \"{said}\" where the question asks; option {letter} is \"{text}\"."
            ),
        };
        let reasons = vec![Reason::new(ReasonCode::ClaimSupported, message)];
        let shown = if shown.is_empty() {
            best_piece(&gathered.pieces)
        } else {
            shown
        };
        self.labelled(Label::Option(letter), &gathered, &shown, reasons, false)
    }

    /// Retrieves evidence and cuts it into comparable sentences.
    fn gather(&self, claim: &str, search: &str, options: &[&str]) -> Result<Gathered, AskError> {
        let reading = Reading::of(claim);
        let embed = |text: &str| {
            self.embedder
                .map(|model| self.library.embed_query(model, text))
                .transpose()
        };
        let vector = embed(claim)?;
        let mut hits = match search == claim {
            true => self.retrieve(claim, vector.as_deref())?,
            false => self.retrieve(search, embed(search)?.as_deref())?,
        };
        let pool: Vec<String> = hits.iter().map(|hit| hit.text.clone()).collect();
        let own = self.method.minds_places();
        hits.truncate(if own { CHUNKS } else { EVIDENCE_CHUNKS });
        if own && !options.is_empty() {
            let text = format!("{search}\n{}", options.join("\n"));
            let further = self.retrieve(&text, embed(&text)?.as_deref())?;
            for hit in further.into_iter().take(CHUNKS_BY_OPTIONS) {
                if hits.iter().all(|known| known.chunk_id != hit.chunk_id) {
                    hits.push(hit);
                }
            }
        }
        let places = PlaceReading::of(claim, None)?;
        let sources = chunks::sources(self.library, &hits)?;
        let weights = Weights::over(pool.iter().map(String::as_str));
        let (units, mut pieces) = cut(&hits, &sources);
        let mut words = Vec::new();
        if let (Some(model), Some(vector)) = (self.embedder, &vector) {
            let mut order: Vec<(f32, usize)> = {
                let stems: HashSet<String> = reading.stems.iter().cloned().collect();
                let weigh = |piece: &Piece| -> f32 {
                    let held: HashSet<&String> = piece
                        .passage
                        .tokens
                        .iter()
                        .map(|t| &t.stem)
                        .filter(|s| stems.contains(*s))
                        .collect();
                    held.into_iter().map(|s| weights.of(s)).sum()
                };
                pieces
                    .iter()
                    .enumerate()
                    .map(|(i, piece)| (weigh(piece), i))
                    .collect()
            };
            order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            order.truncate(EMBEDDED);
            let passages: Vec<&Passage> = order.iter().map(|&(_, i)| &pieces[i].passage).collect();
            let found = meaning::meanings(model, &passages, TextRole::Passage)?;
            for (&(_, i), meaning) in order.iter().zip(found) {
                pieces[i].cosine = Some(lahar_library::cosine(vector, &meaning.text));
                pieces[i].vectors = meaning.words;
            }
            let claimed = meaning::meanings(model, &[&Passage::of(claim)], TextRole::Query)?;
            words = claimed
                .into_iter()
                .next()
                .map_or_else(Vec::new, |m| m.words);
            // The others share fewer words; they count as no nearer than the farthest of these.
            let least = pieces.iter().filter_map(|p| p.cosine).fold(1.0, f32::min);
            for piece in &mut pieces {
                piece.cosine.get_or_insert(least);
            }
        }
        Ok(Gathered {
            reading,
            places,
            hits,
            sources,
            units,
            pieces,
            words,
            weights,
            with_meaning: vector.is_some(),
        })
    }

    /// Adds how near each option, put behind the question, comes to the best sentences.
    fn add_meaning(
        &self,
        question: &str,
        options: &[&str],
        gathered: &Gathered,
        supports: &mut [options::Support],
    ) -> Result<(), AskError> {
        let Some(model) = self.embedder else {
            return Ok(());
        };
        let mut order: Vec<usize> = (0..gathered.pieces.len()).collect();
        let cosine = |i: &usize| gathered.pieces[*i].cosine.unwrap_or(0.0);
        order.sort_by(|a, b| cosine(b).total_cmp(&cosine(a)));
        order.truncate(8);
        for support in supports.iter() {
            order.extend(support.piece.filter(|piece| !order.contains(piece)));
        }
        let asked: Vec<String> = options
            .iter()
            .map(|option| format!("{question} {option}"))
            .collect();
        let texts: Vec<&str> = order
            .iter()
            .map(|&i| gathered.pieces[i].passage.text.as_str())
            .collect();
        let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
        let questions = model.embed(&asked, TextRole::Query)?;
        let passages = model.embed(&texts, TextRole::Passage)?;
        let nearest: Vec<f32> = questions
            .iter()
            .map(|q| {
                passages
                    .iter()
                    .map(|p| lahar_library::cosine(q, p))
                    .fold(0.0, f32::max)
            })
            .collect();
        let mean = nearest.iter().sum::<f32>() / nearest.len().max(1) as f32;
        for (support, near) in supports.iter_mut().zip(&nearest) {
            support.score += MEANING * (near - mean);
        }
        Ok(())
    }

    /// A label with its grounds as statements.
    fn labelled(
        &self,
        label: Label,
        gathered: &Gathered,
        shown: &[usize],
        mut reasons: Vec<Reason>,
        disagreeing: bool,
    ) -> Result<Labelled, AskError> {
        let mut statements: Vec<Statement> = Vec::new();
        let mut known: Vec<usize> = Vec::new();
        for &piece in shown {
            if known.contains(&piece) {
                continue;
            }
            known.push(piece);
            let (document, unit) = &gathered.units[piece];
            let Some(source) = gathered.sources.get(document) else {
                continue;
            };
            let index = TextIndex::new(&source.read.text);
            statements.extend(quote::cite_unit(source, &index, unit));
        }
        if disagreeing {
            let message = "The sources disagree; both are shown.";
            reasons.push(Reason::new(ReasonCode::SourcesDisagree, message));
        }
        self.note_lexical(gathered, &mut reasons);
        let mut statements = statements.into_iter();
        let Some(first) = statements.next() else {
            return self.abstained(gathered);
        };
        let cited = Cited::new(first, statements.collect());
        let outcome = if disagreeing {
            Outcome::Warned(cited)
        } else {
            Outcome::Answered(cited)
        };
        Ok(Labelled {
            label: Some(label),
            answer: Answer {
                outcome,
                reasons,
                reading: gathered.reading.clone(),
                level: None,
                ask_back: Vec::new(),
                places: gathered.places.clone(),
                trace: chunks::trace(&judged(gathered)),
            },
            grounds: Vec::new(),
        })
    }

    fn abstained(&self, gathered: &Gathered) -> Result<Labelled, AskError> {
        let evidence = judged(gathered);
        let nothing = self.nothing(&gathered.reading, &evidence)?;
        let mut reasons = nothing.reasons;
        self.note_lexical(gathered, &mut reasons);
        Ok(Labelled {
            label: None,
            answer: Answer {
                outcome: nothing.outcome,
                reasons,
                reading: gathered.reading.clone(),
                level: None,
                ask_back: Vec::new(),
                places: gathered.places.clone(),
                trace: chunks::trace(&evidence),
            },
            grounds: Vec::new(),
        })
    }

    fn note_lexical(&self, gathered: &Gathered, reasons: &mut Vec<Reason>) {
        if !gathered.with_meaning {
            reasons.push(lexical_only());
        }
    }
}

/// Signs that add less than this to the log-odds are not named.
const LEAST_TERM: f32 = 0.1;
/// Most signs that a reason names.
const SHOWN_SIGNS: usize = 3;
/// Support of an option from which the question has evidence whatever its own words.
const SUPPORTED: f32 = 0.3;
/// Weight of nearness of meaning among the supports of options.
const MEANING: f32 = 0.8;

/// Whether the best sentence bears on the claim at all: it holds enough of its words, and at least
/// one of its names where it has some.
fn bears(claim: &Passage, verdict: &verdict::Verdict, pieces: &[Piece]) -> bool {
    let piece = &pieces[verdict.best];
    let abbreviation = |i: usize| {
        claim.text[claim.tokens[i].bytes.clone()]
            .chars()
            .all(char::is_uppercase)
    };
    let names: Vec<usize> = (0..claim.tokens.len())
        .filter(|&i| claim.is_name(i) && !abbreviation(i))
        .collect();
    let named = names.is_empty()
        || names.iter().any(|&i| {
            let stem = &claim.tokens[i].stem;
            let beside = piece.beside.iter().map(|&j| &pieces[j].passage);
            piece.context.contains(stem)
                || std::iter::once(&piece.passage)
                    .chain(beside)
                    .any(|p| evidence::find(stem, p).is_some())
        });
    let (words, cosine) = BEARS_WITH_MEANING;
    let near = piece.cosine.is_some_and(|c| c >= cosine) && verdict.coverage >= words;
    (named && (verdict.coverage >= BEARS || near)) || verdict.coverage >= BEARS_UNNAMED
}

fn best_piece(pieces: &[Piece]) -> Vec<usize> {
    let cosine = |i: &usize| pieces[*i].cosine.unwrap_or(0.0);
    (0..pieces.len())
        .max_by(|a, b| cosine(a).total_cmp(&cosine(b)).then(b.cmp(a)))
        .into_iter()
        .collect()
}

/// The chunks that were looked at, judged by whether they bear on the claim.
fn judged(gathered: &Gathered) -> Vec<Evidence<'_>> {
    let pool: Vec<_> = gathered
        .hits
        .iter()
        .map(|hit| stem_set(&hit.text))
        .collect();
    let rarity = Rarity::over(&gathered.reading.stems, &pool);
    chunks::judge(
        &gathered.reading,
        &gathered.hits,
        &gathered.sources,
        &rarity,
    )
}

/// The sentences and rows of the retrieved chunks, each once, with what stands beside them.
fn cut(
    hits: &[Hit],
    sources: &HashMap<DocumentId, Source>,
) -> (Vec<(DocumentId, Unit)>, Vec<Piece>) {
    let mut found: Vec<(DocumentId, Unit)> = Vec::new();
    let mut pieces: Vec<Piece> = Vec::new();
    for (rank, hit) in hits.iter().enumerate() {
        let Some(source) = sources.get(&hit.document) else {
            continue;
        };
        let index = TextIndex::new(&source.read.text);
        let about: Vec<String> = terms(&chunks::about(source, hit))
            .into_iter()
            .map(|t| t.stem)
            .collect();
        for unit in units(&index, &source.read.blocks, &hit.chunk.spans) {
            if found
                .iter()
                .any(|(document, known)| *document == hit.document && known.range == unit.range)
            {
                continue;
            }
            let text = index.slice(unit.range).unwrap_or_default();
            let mut context = about.clone();
            let header = unit
                .header
                .and_then(|range| index.slice(range))
                .unwrap_or_default();
            let section = unit.section.as_deref().unwrap_or_default();
            context.extend(
                terms(&format!("{section}\n{header}"))
                    .into_iter()
                    .map(|t| t.stem),
            );
            pieces.push(Piece {
                passage: Passage::of(text),
                context,
                document: hit.document,
                beside: Vec::new(),
                rank,
                cosine: None,
                vectors: Vec::new(),
            });
            found.push((hit.document, unit));
        }
    }
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|&i| (found[i].0, found[i].1.range));
    for pair in order.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        let gap = found[b].1.range.start.saturating_sub(found[a].1.range.end);
        if found[a].0 == found[b].0 && gap <= BESIDE {
            pieces[a].beside.push(b);
            pieces[b].beside.push(a);
        }
    }
    (found, pieces)
}
