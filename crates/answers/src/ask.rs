//! The way from a question to an answer, over one library.

mod further;

use lahar_core::{Decision, Reason, ReasonCode};
use lahar_library::{Hit, Library, LibraryError, Ranking, Reranking, SearchRequest};
use lahar_models::{Embedder, ModelError};
use lahar_places::{Passage, PlacesError};

use crate::answer::{Answer, Cited, Outcome, Trace};
use crate::bearing::{Rarity, stem_set};
use crate::evidence::{Evidence, about, judge, keep_to_the_subject, place, sources, titles, trace};
use crate::geography::{PlaceReading, as_sentence};
use crate::method::{Filter, Method};
use crate::question::Reading;
use crate::quote::{self, Allowed, Wanted};

/// Chunks of a retrieval that may be quoted (K of MoRA-RAG, section 4.1.2).
pub(crate) const EVIDENCE_CHUNKS: usize = 5;

/// Answers questions from one library.
pub struct Asker<'a> {
    /// Where the evidence is.
    pub library: &'a Library,
    /// The model the library was built with; without it only words are compared.
    pub embedder: Option<&'a dyn Embedder>,
    /// How to answer.
    pub method: Method,
    /// How candidates are put into their final order, by methods that rerank.
    pub reranking: Reranking<'a>,
    /// Longest question, in characters.
    pub longest_question: usize,
    /// Agents that are left out, of methods that have them.
    pub without: Without,
    /// Where methods with a searcher look when this library does not suffice.
    pub elsewhere: Option<&'a Asker<'a>>,
}

/// Agents that are left out, to see what each is worth.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Without {
    /// The router: all candidates come from one store.
    pub router: bool,
    /// The searcher: nothing but the library is looked through.
    pub search: bool,
    /// The rewriter: the question is asked once.
    pub rewriter: bool,
}

/// Why a question could not be asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// Nothing was asked.
    #[error("the question is empty: write what you want to know, in words")]
    EmptyQuestion,
    /// Too much was asked.
    #[error(
        "the question has {characters} characters, more than the {limit} allowed: ask for one thing at a time"
    )]
    QuestionTooLong {
        /// Its length.
        characters: usize,
        /// The limit.
        limit: usize,
    },
    /// The method compares vectors, and there is no model to make one.
    #[error(
        "method `{method}` compares meanings and needs an embedding model: run `lahar models pull all-MiniLM-L6-v2`"
    )]
    MethodNeedsModel {
        /// The method.
        method: Method,
    },
    /// A choice needs something to choose from.
    #[error(
        "a multiple choice question needs at least two options: give each as `--option \"A=text\"`"
    )]
    TooFewOptions,
    /// The place given beside the question is not one place.
    #[error(transparent)]
    Place(#[from] PlacesError),
    /// The library failed.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Why a list names no agents.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no agent that can be left out; these can: router, search, rewriter")]
pub struct NoAgent(String);

impl std::str::FromStr for Without {
    type Err = NoAgent;

    fn from_str(list: &str) -> Result<Without, NoAgent> {
        let mut without = Without::default();
        for name in list.split(',').map(str::trim) {
            match name {
                "router" => without.router = true,
                "search" => without.search = true,
                "rewriter" => without.rewriter = true,
                other => return Err(NoAgent(other.to_owned())),
            }
        }
        Ok(without)
    }
}

impl Asker<'_> {
    /// Answers a question, or abstains. A `place` given beside it goes before those in its text.
    pub fn ask(&self, question: &str, place: Option<&str>) -> Result<Answer, AskError> {
        let question = question.trim();
        Asker::check(question, self.longest_question)?;
        let places = PlaceReading::of(question, place)?;
        let reading = Reading::without(question, &places.ranges());
        let attempt = match self.method.behaviour() {
            None => self.attempt(question, &reading, &places)?,
            Some(behaviour) => self.ask_by_loop(question, &reading, &places, behaviour)?,
        };
        let Attempt { decided, trace } = attempt;
        Ok(Answer {
            outcome: decided.outcome,
            reasons: decided.reasons,
            level: decided.level,
            ask_back: decided.ask_back,
            reading,
            places,
            trace,
        })
    }

    /// Searches once and decides; the search text may be another than the question that was read.
    pub(crate) fn attempt(
        &self,
        search: &str,
        reading: &Reading,
        places: &PlaceReading,
    ) -> Result<Attempt, AskError> {
        let vector = self.vector(search)?;
        let retrieved = self.retrieve(search, vector.as_deref())?;
        let pool: Vec<_> = retrieved.iter().map(|hit| stem_set(&hit.text)).collect();
        let rarity = Rarity::over(&reading.stems, &pool);
        let considered = self.candidates(retrieved, reading, places)?;
        let sources = sources(self.library, &considered)?;
        let mut evidence = judge(reading, &considered, &sources, &rarity);
        keep_to_the_subject(&mut evidence, reading);
        let mut trace = trace(&evidence);
        let meaning = self.embedder.zip(vector.as_deref());
        let wanted = Wanted {
            reading,
            places,
            rarity: &rarity,
            meaning,
        };
        let mut decided = self.decide(&wanted, &evidence)?;
        if vector.is_none() {
            decided.reasons.push(lexical_only());
        }
        for considered in &mut trace.retrieved {
            considered.used = decided.used.contains(&considered.chunk_id);
        }
        Ok(Attempt { decided, trace })
    }

    /// Refuses what cannot be asked: nothing, or more than `longest` characters.
    pub fn check(question: &str, longest: usize) -> Result<(), AskError> {
        let characters = question.trim().chars().count();
        if !question.chars().any(char::is_alphanumeric) {
            return Err(AskError::EmptyQuestion);
        }
        if characters > longest {
            return Err(AskError::QuestionTooLong {
                characters,
                limit: longest,
            });
        }
        Ok(())
    }

    pub(crate) fn vector(&self, text: &str) -> Result<Option<Vec<f32>>, AskError> {
        Ok(self
            .embedder
            .map(|model| self.library.embed_query(model, text))
            .transpose()?)
    }

    /// The chunks of the method's first search, best first.
    pub fn find(&self, text: &str) -> Result<Vec<Hit>, AskError> {
        self.retrieve(text, self.vector(text)?.as_deref())
    }

    pub(crate) fn retrieve(
        &self,
        text: &str,
        vector: Option<&[f32]>,
    ) -> Result<Vec<Hit>, AskError> {
        let candidates = self.method.candidates();
        let request = SearchRequest {
            ranking: self.method.ranking(),
            limit: candidates,
            candidates,
            ..SearchRequest::new(text).with_vector(vector.map(<[f32]>::to_vec))
        };
        if request.effective_ranking() == Ranking::Dense && vector.is_none() {
            return Err(AskError::MethodNeedsModel {
                method: self.method,
            });
        }
        let reranking = match self.method.reranks(&self.reranking) {
            true => self.reranking,
            false => Reranking::Off,
        };
        if self.method.behaviour().is_some() && !self.without.router {
            return self.retrieve_routed(&request, reranking);
        }
        Ok(self.library.retrieve(&request, self.embedder, reranking)?)
    }

    /// The chunks that are judged: the best of the retrieval and, where the question names places
    /// and the method minds them, the best for the question without its places. Guidance for a
    /// whole country does not name the town that is asked about.
    fn candidates(
        &self,
        mut retrieved: Vec<Hit>,
        reading: &Reading,
        places: &PlaceReading,
    ) -> Result<Vec<Hit>, AskError> {
        if let Some(filter) = self.method.filter() {
            return self.filtered(retrieved, places, filter);
        }
        let further = retrieved.split_off(EVIDENCE_CHUNKS.min(retrieved.len()));
        let mut hits = retrieved;
        if !self.method.minds_places() || places.ranges().is_empty() || reading.words.is_empty() {
            return Ok(hits);
        }
        let text = reading.words.join(" ");
        let vector = self.vector(&text)?;
        let mut unplaced = self.retrieve(&text, vector.as_deref())?;
        let beyond = unplaced.split_off(EVIDENCE_CHUNKS.min(unplaced.len()));
        add_new(&mut hits, unplaced);
        let seen = further::Seen {
            near: hits,
            beyond: further.into_iter().chain(beyond).collect(),
        };
        further::look(self, seen, reading, places)
    }

    /// The first of the candidates that a baseline's filter lets pass.
    fn filtered(
        &self,
        retrieved: Vec<Hit>,
        places: &PlaceReading,
        filter: Filter,
    ) -> Result<Vec<Hit>, AskError> {
        let sources = sources(self.library, &retrieved)?;
        let names = places.literal_names();
        let passes = |hit: &Hit| {
            let Some(source) = sources.get(&hit.document) else {
                return false;
            };
            match filter {
                Filter::LiteralName => {
                    let text = format!("{}\n{}", about(source, hit), hit.text);
                    names.iter().all(|name| holds_literally(&text, name))
                }
                Filter::SameLevel => {
                    let document = places.document(&source.stored);
                    let placed = places.passage(&document, &hit.chunk.section, &hit.text, 0);
                    places.same_level(&placed.passage)
                }
            }
        };
        let passed = retrieved.iter().filter(|hit| passes(hit));
        Ok(passed.take(EVIDENCE_CHUNKS).cloned().collect())
    }

    /// Decides by place, then quotes what the decision allows: a passage about another place
    /// never reaches the writer.
    fn decide(&self, wanted: &Wanted<'_>, evidence: &[Evidence<'_>]) -> Result<Decided, AskError> {
        let bearing: Vec<&Evidence<'_>> = evidence.iter().filter(|e| e.bearing.bears).collect();
        if bearing.is_empty() {
            return self.nothing(wanted.reading, evidence);
        }
        if !self.method.minds_places() {
            let allowed: Vec<Allowed<'_>> = bearing
                .iter()
                .map(|evidence| Allowed {
                    evidence,
                    placed: None,
                    judgement: None,
                })
                .collect();
            let statements = quote::statements(wanted, &allowed)?;
            return self.decided(wanted, evidence, statements, Decision::Answer, &bearing);
        }
        let placed = place(wanted.places, &bearing);
        let passages: Vec<Passage> = placed.iter().map(|p| p.passage.clone()).collect();
        let by_place = wanted.places.decide(&passages);
        let reasons: Vec<Reason> = by_place.reasons.iter().map(as_sentence).collect();
        if by_place.decision == Decision::Abstain {
            return Ok(Decided {
                outcome: Outcome::Abstained {
                    missing: by_place.missing,
                },
                reasons,
                level: None,
                ask_back: by_place.ask,
                used: Vec::new(),
            });
        }
        let allowed: Vec<Allowed<'_>> = by_place
            .quote
            .iter()
            .map(|&at| Allowed {
                evidence: bearing[at],
                placed: Some(&placed[at]),
                judgement: by_place.judgements.get(at),
            })
            .collect();
        let statements = quote::statements(wanted, &allowed)?;
        let quoted: Vec<&Evidence<'_>> = by_place.quote.iter().map(|&at| bearing[at]).collect();
        let mut decided = self.decided(wanted, evidence, statements, by_place.decision, &quoted)?;
        if !matches!(decided.outcome, Outcome::Abstained { .. }) {
            decided.reasons.splice(0..0, reasons);
            decided.level = by_place.level;
        }
        Ok(decided)
    }

    fn decided(
        &self,
        wanted: &Wanted<'_>,
        evidence: &[Evidence<'_>],
        statements: Vec<crate::answer::Statement>,
        decision: Decision,
        quoted: &[&Evidence<'_>],
    ) -> Result<Decided, AskError> {
        let mut statements = statements.into_iter();
        let Some(first) = statements.next() else {
            return self.nothing(wanted.reading, evidence);
        };
        let cited = Cited::new(first, statements.collect());
        let outcome = match decision {
            Decision::Answer => Outcome::Answered(cited),
            _ => Outcome::Warned(cited),
        };
        let passages = match quoted.len() {
            1 => "1 passage bears".to_owned(),
            n => format!("{n} passages bear"),
        };
        let from = titles(quoted.iter().copied()).join("; ");
        let message = format!("{passages} on the question, from: {from}.");
        let reasons = vec![Reason::new(ReasonCode::EvidenceFound, message)];
        Ok(Decided {
            outcome,
            reasons,
            level: None,
            ask_back: Vec::new(),
            used: quoted.iter().map(|e| e.hit.chunk_id).collect(),
        })
    }

    /// Why nothing can be said, and what was looked for.
    pub(crate) fn nothing(
        &self,
        reading: &Reading,
        evidence: &[Evidence<'_>],
    ) -> Result<Decided, AskError> {
        let abstained = |code, message: String, missing| {
            let outcome = Outcome::Abstained { missing };
            let reasons = vec![Reason::new(code, message)];
            Ok(Decided {
                outcome,
                reasons,
                level: None,
                ask_back: Vec::new(),
                used: Vec::new(),
            })
        };
        if self.library.document_count()? == 0 {
            let message = "The library holds no documents; `lahar ingest` adds some.".to_owned();
            return abstained(ReasonCode::EmptyLibrary, message, vec![]);
        }
        let mut closest = titles(evidence.iter());
        closest.truncate(3);
        let named = match closest.as_slice() {
            [] => "no passage shares a word with it".to_owned(),
            titles => format!("the closest documents are: {}", titles.join("; ")),
        };
        // Names that no passage holds decide the event or body that is asked about.
        let lacking: Vec<&String> = reading
            .names
            .iter()
            .chain(&reading.years)
            .filter(|name| evidence.iter().all(|e| e.bearing.lacks.contains(name)))
            .collect();
        if lacking.is_empty() {
            let message = format!("Nothing in the library bears on the question; {named}.");
            let missing = vec![format!("a passage about: {}", reading.words.join(", "))];
            return abstained(ReasonCode::NoEvidence, message, missing);
        }
        let names = lacking
            .iter()
            .map(|name| name.as_str())
            .collect::<Vec<_>>()
            .join(" or ");
        let message = format!("No passage that was found names {names}; {named}.");
        let missing = lacking
            .iter()
            .map(|name| format!("a passage about {name}"))
            .collect();
        abstained(ReasonCode::MissingTerm, message, missing)
    }
}

/// That only words were compared.
pub(crate) fn lexical_only() -> Reason {
    let message = "No embedding model is in use, so passages were found by their words alone.";
    Reason::new(ReasonCode::LexicalOnly, message)
}

/// One search and what was decided by it.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    pub(crate) decided: Decided,
    pub(crate) trace: Trace,
}

/// What came of a question, before how it was read is put beside it.
#[derive(Debug, Clone)]
pub(crate) struct Decided {
    pub(crate) outcome: Outcome,
    pub(crate) reasons: Vec<Reason>,
    level: Option<lahar_places::LevelUsed>,
    ask_back: Vec<String>,
    /// Chunks that were given to the writer.
    used: Vec<i64>,
}

/// Adds hits that are not there yet.
fn add_new(hits: &mut Vec<Hit>, further: impl IntoIterator<Item = Hit>) {
    for hit in further {
        if hits.iter().all(|known| known.chunk_id != hit.chunk_id) {
            hits.push(hit);
        }
    }
}

/// Whether a name stands in a text letter by letter, as whole words.
fn holds_literally(text: &str, name: &str) -> bool {
    let outside = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    text.match_indices(name).any(|(at, _)| {
        outside(text[..at].chars().next_back()) && outside(text[at + name.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::holds_literally;

    #[test]
    fn a_keyword_is_a_whole_word_in_the_same_letters() {
        assert!(holds_literally("Guidance for Texas.", "Texas"));
        assert!(!holds_literally("Guidance for Texans", "Texas"));
        assert!(!holds_literally("guidance for texas", "Texas"));
        assert!(!holds_literally("Texasville", "Texas"));
    }
}
