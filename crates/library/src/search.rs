//! Retrieval: by meaning, by words, and both together, and the candidates' final order.

pub(crate) mod codes;
mod fuse;
mod lexical;
mod mixture;
mod rerank;
pub(crate) mod resident;
mod stop_words;
pub(crate) mod vectors;

use std::collections::HashMap;
use std::sync::PoisonError;

use lahar_core::{CharRange, DocumentId, Hazard, PageRange};
use rusqlite::{Connection, Row};

use crate::chunk::{Chunk, ChunkKind};
use crate::error::{At, LibraryError};
use crate::hit::{Hit, Ranking, Scores};
use crate::store::{Library, hazards_of, json, parsed};
use crate::text::one_line;

use lexical::Words;

pub use lexical::query_terms;
pub use mixture::{Drawn, Mixture};
pub use rerank::{LATE_FLOOR, QuestionVectors, Reranking};
pub use stop_words::is_stop_word;
pub use vectors::cosine;

/// L, the number of candidates of the first stage (MoRA-RAG, section 4.1.2).
pub const CANDIDATES: usize = 50;
/// K, the number of chunks that go on (MoRA-RAG, section 4.1.2).
pub const LIMIT: usize = 5;
/// A chunk belongs to a hazard from this weight on, when retrieval is limited to one.
pub const MEMBERSHIP: f32 = 0.25;

/// What to look for, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchRequest {
    /// The question.
    pub text: String,
    /// Its vector, from [`Library::embed_query`]; without one, words alone are compared.
    pub query_vector: Option<Vec<f32>>,
    /// How chunks are ranked.
    pub ranking: Ranking,
    /// Most chunks to give back.
    pub limit: usize,
    /// Chunks that each ranking hands to the fusion.
    pub candidates: usize,
    /// Only chunks about this hazard.
    pub hazard: Option<Hazard>,
    /// Only chunks of this document.
    pub document: Option<DocumentId>,
}

impl SearchRequest {
    /// The default retrieval: fused, 5 of 50.
    pub fn new(text: impl Into<String>) -> SearchRequest {
        SearchRequest {
            text: text.into(),
            query_vector: None,
            ranking: Ranking::Fused,
            limit: LIMIT,
            candidates: CANDIDATES,
            hazard: None,
            document: None,
        }
    }

    /// The same with the question's vector.
    pub fn with_vector(mut self, vector: Option<Vec<f32>>) -> SearchRequest {
        self.query_vector = vector;
        self
    }

    /// The ranking that will be used: a fused one is by words alone when there is no vector.
    pub fn effective_ranking(&self) -> Ranking {
        match (self.ranking, &self.query_vector) {
            (Ranking::Fused, None) => Ranking::Lexical,
            (ranking, _) => ranking,
        }
    }
}

/// A chunk and what a ranking thinks of it, larger is better.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ranked {
    pub chunk: i64,
    pub score: f32,
}

impl From<(u32, f32)> for Ranked {
    fn from((chunk, score): (u32, f32)) -> Ranked {
        Ranked {
            chunk: i64::from(chunk),
            score,
        }
    }
}

impl Library {
    /// Finds the chunks that fit a question best, best first. Any text may be searched for; one
    /// without a word in it finds nothing by words.
    pub fn search(&self, request: &SearchRequest) -> Result<Vec<Hit>, LibraryError> {
        let ranking = request.effective_ranking();
        let vector = self.query_vector(request, ranking)?;
        let candidates = request.candidates.max(request.limit);
        let connection = self.lock();
        // One read transaction: a writer in between changes nothing of what is seen here.
        let transaction = connection.unchecked_transaction().at(&self.path)?;
        let mut resident = self.resident.lock().unwrap_or_else(PoisonError::into_inner);
        resident.refresh(&transaction).at(&self.path)?;
        let allowed = resident.allowed(&transaction, request).at(&self.path)?;
        let allowed = allowed.as_deref();
        let dense = match &vector {
            Some(vector) => {
                let near = resident.near(&transaction, vector, allowed, candidates);
                let near: Vec<i64> = near.at(&self.path)?.into_iter().map(i64::from).collect();
                let scores = vectors::scores(&transaction, vector, &near).at(&self.path)?;
                vectors::best(scores, candidates)
            }
            None => Vec::new(),
        };
        let words = match ranking {
            Ranking::Dense => None,
            _ => Words::of(&request.text, &mut resident, &transaction).at(&self.path)?,
        };
        let lexical = match &words {
            Some(words) => words.ranked(&resident, allowed, candidates),
            None => Vec::new(),
        };
        let order = match ranking {
            Ranking::Dense => dense.clone(),
            Ranking::Lexical => lexical.clone(),
            Ranking::Fused => fuse::fused(&dense, &lexical),
        };
        let order: Vec<i64> = order.iter().take(request.limit).map(|r| r.chunk).collect();
        let mut scores: HashMap<i64, Scores> = order
            .iter()
            .map(|chunk| (*chunk, Scores::default()))
            .collect();
        // Both scores of chunks that either ranking found, so that a chunk is judged by both
        // however it came in.
        let known = |ranking: &[Ranked]| -> HashMap<i64, f32> {
            ranking.iter().map(|r| (r.chunk, r.score)).collect()
        };
        if let Some(vector) = &vector {
            let dense = known(&dense);
            let unseen = order.iter().filter(|chunk| !dense.contains_key(chunk));
            let unseen: Vec<i64> = unseen.copied().collect();
            let unseen = vectors::scores(&transaction, vector, &unseen).at(&self.path)?;
            let unseen = unseen.iter().map(|r| (r.chunk, r.score));
            for (chunk, score) in dense.into_iter().chain(unseen) {
                if let Some(scores) = scores.get_mut(&chunk) {
                    scores.dense = Some(score);
                }
            }
        }
        if let Some(words) = &words {
            for ranked in words.scores(&resident, &order) {
                if let Some(scores) = scores.get_mut(&ranked.chunk) {
                    scores.lexical = Some(ranked.score);
                }
            }
        }
        let mut hits = Vec::with_capacity(order.len());
        for chunk in order {
            let scores = scores.remove(&chunk).unwrap_or_default();
            hits.push(hit(&transaction, chunk, scores).at(&self.path)?);
        }
        Ok(hits)
    }

    /// The vector to rank by, once it is known that there is something to compare it with.
    fn query_vector(
        &self,
        request: &SearchRequest,
        ranking: Ranking,
    ) -> Result<Option<Vec<f32>>, LibraryError> {
        let no_vectors = |reason: &str| LibraryError::NoVectors {
            path: self.path.clone(),
            reason: reason.into(),
        };
        let vector = match (ranking, &request.query_vector) {
            (Ranking::Lexical, _) => return Ok(None),
            (_, Some(vector)) => vector,
            (_, None) => {
                return Err(no_vectors(
                    "no embedding model is in use; `lahar models pull` fetches one",
                ));
            }
        };
        let Some(model) = self.settings()?.model else {
            return Err(no_vectors(
                "it was built without an embedding model; `lahar reindex` adds vectors",
            ));
        };
        if vector.len() != model.identity.dimension {
            return Err(LibraryError::VectorLength {
                expected: model.identity.dimension,
                found: vector.len(),
            });
        }
        Ok(Some(vectors::unit(vector)))
    }
}

fn hit(connection: &Connection, chunk: i64, scores: Scores) -> rusqlite::Result<Hit> {
    connection
        .prepare_cached(
            "SELECT chunks.id AS chunk, chunks.kind, chunks.spans, chunks.first_page,
                chunks.last_page, chunks.section, chunks.text, documents.id AS document,
                documents.title, documents.file_name,
                (SELECT json_group_object(hazard, weight) FROM document_hazards
                 WHERE document = documents.number) AS document_hazards,
                (SELECT json_group_object(hazard, weight) FROM chunk_hazards
                 WHERE chunk = chunks.id) AS chunk_hazards
             FROM chunks JOIN documents ON documents.number = chunks.document
             WHERE chunks.id = ?1",
        )?
        .query_row([chunk], |row| hit_of(row, scores))
}

fn hit_of(row: &Row<'_>, scores: Scores) -> rusqlite::Result<Hit> {
    let spans: Vec<[usize; 2]> = json(row, "spans")?;
    let section: Vec<String> = json(row, "section")?;
    let pages = match (row.get("first_page")?, row.get("last_page")?) {
        (Some(first), Some(last)) => Some(PageRange { first, last }),
        _ => None,
    };
    let kind: String = row.get("kind")?;
    Ok(Hit {
        chunk_id: row.get("chunk")?,
        document: parsed(row, "document")?,
        title: one_line(&row.get::<_, String>("title")?),
        file_name: one_line(&row.get::<_, String>("file_name")?),
        document_hazards: hazards_of(row, "document_hazards")?,
        chunk: Chunk {
            kind: ChunkKind::parse(&kind).unwrap_or(ChunkKind::Fixed),
            spans: spans
                .iter()
                .map(|[start, end]| CharRange::new(*start, *end))
                .collect(),
            pages,
            section: section.iter().map(|heading| one_line(heading)).collect(),
            hazards: hazards_of(row, "chunk_hazards")?,
        },
        text: row.get("text")?,
        scores,
    })
}
