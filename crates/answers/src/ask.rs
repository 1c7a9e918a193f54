//! The way from a question to an answer, over one library.

use std::collections::HashMap;

use lahar_core::{DocumentId, EvidenceSpan, Reason, ReasonCode, TextIndex};
use lahar_documents::Document;
use lahar_library::{
    Hit, Library, LibraryError, Ranking, Reranking, SearchRequest, StoredDocument,
};
use lahar_models::{Embedder, ModelError, TextRole};

use crate::answer::{Answer, Citation, Cited, Considered, Outcome, Statement, Trace};
use crate::bearing::{self, Bearing, Candidate, Rarity, Words, stem_set};
use crate::method::Method;
use crate::question::Reading;
use crate::units::{Unit, units};
use crate::writer::{self, Quotable};

/// Chunks that may be quoted (K of MoRA-RAG, section 4.1.2).
const EVIDENCE_CHUNKS: usize = 5;
/// Sentences whose meaning is compared with the question's, best by words first.
const EMBEDDED_SENTENCES: usize = 24;
/// Characters at the head of a document by which it says what it is about.
const HEAD: usize = 300;

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
    /// The library failed.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// A chunk that may be quoted, with its document.
struct Evidence<'d> {
    hit: &'d Hit,
    document: &'d Source,
    bearing: Bearing,
}

/// A document that chunks were found in.
struct Source {
    stored: StoredDocument,
    read: Document,
}

/// A unit with the evidence it was taken from.
struct Found {
    evidence: usize,
    unit: Unit,
}

impl Asker<'_> {
    /// Answers a question, or abstains.
    pub fn ask(&self, question: &str) -> Result<Answer, AskError> {
        let question = question.trim();
        Asker::check(question, self.longest_question)?;
        let reading = Reading::of(question);
        let query_vector = self
            .embedder
            .map(|model| self.library.embed_query(model, question))
            .transpose()?;
        let hits = self.retrieve(question, query_vector.as_deref())?;
        let sources = self.sources(hits.iter().take(EVIDENCE_CHUNKS))?;
        let pool: Vec<_> = hits.iter().map(|hit| stem_set(&hit.text)).collect();
        let rarity = Rarity::over(&reading.stems, &pool);
        let evidence = judge(&reading, &hits, &sources, &rarity);
        let trace = Trace {
            retrieved: evidence.iter().map(considered).collect(),
        };

        let bearing: Vec<&Evidence<'_>> = evidence.iter().filter(|e| e.bearing.bears).collect();
        let statements = if bearing.is_empty() {
            Vec::new()
        } else {
            self.write(&reading, &rarity, &bearing, query_vector.as_deref())?
        };
        let mut reasons = Vec::new();
        if query_vector.is_none() {
            reasons.push(Reason::new(
                ReasonCode::LexicalOnly,
                "No embedding model is in use, so passages were found by their words alone.",
            ));
        }
        let mut statements = statements.into_iter();
        let outcome = match statements.next() {
            Some(first) => {
                reasons.push(Reason::new(
                    ReasonCode::EvidenceFound,
                    found_message(&bearing),
                ));
                Outcome::Answered(Cited::new(first, statements.collect()))
            }
            None => {
                let (reason, missing) = self.nothing(&reading, &evidence)?;
                reasons.push(reason);
                Outcome::Abstained { missing }
            }
        };
        Ok(Answer {
            outcome,
            reasons,
            reading,
            trace,
        })
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

    fn retrieve(&self, question: &str, vector: Option<&[f32]>) -> Result<Vec<Hit>, AskError> {
        let candidates = self.method.candidates();
        let request = SearchRequest {
            ranking: self.method.ranking(),
            limit: candidates,
            candidates,
            ..SearchRequest::new(question).with_vector(vector.map(<[f32]>::to_vec))
        };
        if request.effective_ranking() == Ranking::Dense && vector.is_none() {
            return Err(AskError::MethodNeedsModel {
                method: self.method,
            });
        }
        let reranking = match self.method.reranks() {
            true => self.reranking,
            false => Reranking::Off,
        };
        Ok(self.library.retrieve(&request, self.embedder, reranking)?)
    }

    fn sources<'h>(
        &self,
        hits: impl Iterator<Item = &'h Hit>,
    ) -> Result<HashMap<DocumentId, Source>, AskError> {
        let mut sources = HashMap::new();
        for hit in hits {
            if let std::collections::hash_map::Entry::Vacant(entry) = sources.entry(hit.document)
                // A writer may have removed the document since the search.
                && let Some(stored) = self.library.get(hit.document)?
            {
                entry.insert(Source {
                    stored,
                    read: self.library.read(hit.document)?,
                });
            }
        }
        Ok(sources)
    }

    /// Chooses what to quote from the evidence and cuts it out of the documents.
    fn write(
        &self,
        reading: &Reading,
        rarity: &Rarity,
        evidence: &[&Evidence<'_>],
        query_vector: Option<&[f32]>,
    ) -> Result<Vec<Statement>, AskError> {
        let indexes: Vec<TextIndex<'_>> = evidence
            .iter()
            .map(|e| TextIndex::new(&e.document.read.text))
            .collect();
        let mut found: Vec<Found> = Vec::new();
        for (number, item) in evidence.iter().enumerate() {
            let spans = &item.hit.chunk.spans;
            for unit in units(&indexes[number], &item.document.read.blocks, spans) {
                let known = found.iter().any(|f| {
                    evidence[f.evidence].hit.document == item.hit.document
                        && f.unit.range == unit.range
                });
                if !known {
                    found.push(Found {
                        evidence: number,
                        unit,
                    });
                }
            }
        }
        let mut quotables: Vec<Quotable> = found
            .iter()
            .map(|f| quotable(f, evidence, &indexes[f.evidence]))
            .collect();
        if let (Some(model), Some(vector)) = (self.embedder, query_vector) {
            compare_meanings(&mut quotables, rarity, model, vector)?;
        }
        let mut chosen = writer::choose(&quotables, reading, rarity);
        chosen.sort_by_key(|&i| (found[i].evidence, found[i].unit.range));
        Ok(chosen
            .into_iter()
            .filter_map(|i| statement(&found[i], evidence, &indexes[found[i].evidence]))
            .collect())
    }

    /// Why nothing can be said, and what was looked for.
    fn nothing(
        &self,
        reading: &Reading,
        evidence: &[Evidence<'_>],
    ) -> Result<(Reason, Vec<String>), AskError> {
        if self.library.document_count()? == 0 {
            let message = "The library holds no documents; `lahar ingest` adds some.";
            return Ok((Reason::new(ReasonCode::EmptyLibrary, message), vec![]));
        }
        let mut closest: Vec<&str> = Vec::new();
        for item in evidence {
            let title = item.document.stored.title.as_str();
            if !closest.contains(&title) {
                closest.push(title);
            }
        }
        closest.truncate(3);
        let named = match closest.as_slice() {
            [] => "no passage shares a word with it".to_owned(),
            titles => format!("the closest documents are: {}", titles.join("; ")),
        };
        // What even the best passage lacks: names first, since they decide the place and event.
        let lacking: Vec<String> = match evidence.first() {
            Some(_) => reading
                .names
                .iter()
                .chain(&reading.years)
                .filter(|name| evidence.iter().all(|e| e.bearing.lacks.contains(name)))
                .cloned()
                .collect(),
            None => reading.names.clone(),
        };
        if lacking.is_empty() {
            let message = format!("Nothing in the library bears on the question; {named}.");
            let missing = vec![format!("a passage about: {}", reading.words.join(", "))];
            return Ok((Reason::new(ReasonCode::NoEvidence, message), missing));
        }
        let message = format!(
            "No passage that was found names {}; {named}.",
            lacking.join(" or ")
        );
        let missing = lacking
            .iter()
            .map(|name| format!("a passage about {name}"))
            .collect();
        Ok((Reason::new(ReasonCode::MissingTerm, message), missing))
    }
}

/// Judges the best chunks by all that were retrieved.
fn judge<'d>(
    reading: &Reading,
    hits: &'d [Hit],
    sources: &'d HashMap<DocumentId, Source>,
    rarity: &Rarity,
) -> Vec<Evidence<'d>> {
    hits.iter()
        .take(EVIDENCE_CHUNKS)
        .filter_map(|hit| {
            let document = sources.get(&hit.document)?;
            let words = Words::of(&format!("{}\n{}", about(document, hit), hit.text));
            let candidate = Candidate {
                words: &words,
                cosine: hit.scores.dense,
            };
            let mut bearing = bearing::judge(reading, rarity, candidate);
            bearing.bears &= !hit.scores.below_floor;
            Some(Evidence {
                hit,
                document,
                bearing,
            })
        })
        .collect()
}

/// What a chunk's document says of itself, and the headings above the chunk.
fn about(source: &Source, hit: &Hit) -> String {
    let stored = &source.stored;
    let head: String = source.read.text.chars().take(HEAD).collect();
    let date = stored.date.map(|date| date.to_string()).unwrap_or_default();
    let parts = [
        stored.title.as_str(),
        stored.place.as_deref().unwrap_or_default(),
        stored.publisher.as_deref().unwrap_or_default(),
        &date,
        &head,
    ];
    parts
        .into_iter()
        .chain(hit.chunk.section.iter().map(String::as_str))
        .collect::<Vec<_>>()
        .join("\n")
}

fn considered(evidence: &Evidence<'_>) -> Considered {
    Considered {
        chunk_id: evidence.hit.chunk_id,
        file_name: evidence.hit.file_name.clone(),
        coverage: evidence.bearing.coverage,
        lacks: evidence.bearing.lacks.clone(),
        bears: evidence.bearing.bears,
    }
}

fn found_message(evidence: &[&Evidence<'_>]) -> String {
    let mut titles: Vec<&str> = Vec::new();
    for item in evidence {
        if !titles.contains(&item.document.stored.title.as_str()) {
            titles.push(&item.document.stored.title);
        }
    }
    let passages = match evidence.len() {
        1 => "1 passage bears".to_owned(),
        n => format!("{n} passages bear"),
    };
    format!("{passages} on the question, from: {}.", titles.join("; "))
}

fn quotable(found: &Found, evidence: &[&Evidence<'_>], index: &TextIndex<'_>) -> Quotable {
    let text = index.slice(found.unit.range).unwrap_or_default().to_owned();
    let header = found
        .unit
        .header
        .and_then(|range| index.slice(range))
        .unwrap_or_default();
    let section = found.unit.section.as_deref().unwrap_or_default();
    let stored = &evidence[found.evidence].document.stored;
    let place = stored.place.as_deref().unwrap_or_default();
    let context = format!("{}\n{place}\n{section}\n{header}", stored.title);
    let above = [section, header]
        .into_iter()
        .filter(|above| !above.is_empty());
    let in_context = above.chain([text.as_str()]).collect::<Vec<_>>().join("\n");
    let is_row = found.unit.header.is_some();
    Quotable {
        text,
        context,
        in_context,
        is_row,
        rank: found.evidence,
        cosine: None,
    }
}

/// Embeds the sentences that share most words with the question and notes how near they are.
fn compare_meanings(
    quotables: &mut [Quotable],
    rarity: &Rarity,
    model: &dyn Embedder,
    question: &[f32],
) -> Result<(), ModelError> {
    let mut order: Vec<(usize, f32)> = quotables
        .iter()
        .enumerate()
        .map(|(i, q)| (i, rarity.coverage(&stem_set(&q.in_context))))
        .collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    order.truncate(EMBEDDED_SENTENCES);
    let texts: Vec<&str> = order
        .iter()
        .map(|&(i, _)| quotables[i].in_context.as_str())
        .collect();
    let vectors = model.embed(&texts, TextRole::Passage)?;
    for ((i, _), vector) in order.into_iter().zip(vectors) {
        quotables[i].cosine = Some(lahar_library::cosine(question, &vector));
    }
    Ok(())
}

/// Cuts the unit out of its document. `None` only when the unit is white space.
fn statement(
    found: &Found,
    evidence: &[&Evidence<'_>],
    index: &TextIndex<'_>,
) -> Option<Statement> {
    let source = evidence[found.evidence].document;
    let cite = |range| {
        let pages = source.read.pages_of(range);
        let span = EvidenceSpan::cut(source.stored.id, index, range, pages).ok()?;
        let title = source.stored.title.clone();
        Some(Citation {
            span,
            title,
            section: found.unit.section.clone(),
        })
    };
    let unit = cite(found.unit.range)?;
    Some(match found.unit.header.and_then(cite) {
        Some(header) => Statement::quoting(header, vec![unit]),
        None => Statement::quoting(unit, vec![]),
    })
}
