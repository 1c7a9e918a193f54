//! Retrieval: by meaning, by words, and both together, and the candidates' final order.

mod fuse;
mod lexical;
mod rerank;
mod stop_words;
pub(crate) mod vectors;

use std::collections::HashMap;

use lahar_core::{CharRange, DocumentId, Hazard, PageRange};
use rusqlite::{Connection, Row};

use crate::chunk::{Chunk, ChunkKind};
use crate::error::{At, LibraryError};
use crate::hit::{Hit, Ranking, Scores};
use crate::store::{Library, hazards_of, json, parsed};
use crate::text::one_line;

pub use lexical::query_terms;
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

/// What a search is limited to, as the store numbers it.
pub(crate) struct Filter<'a> {
    pub hazard: Option<&'a Hazard>,
    pub document: Option<String>,
}

impl Filter<'_> {
    fn is_empty(&self) -> bool {
        self.hazard.is_none() && self.document.is_none()
    }

    /// An SQL condition on a chunk id, with `:hazard`, `:membership` and `:document` in it.
    fn condition(&self, column: &str) -> String {
        let mut condition = String::new();
        if self.hazard.is_some() {
            condition.push_str(&format!(
                " AND {column} IN (SELECT chunk FROM chunk_hazards
                   WHERE hazard = :hazard AND weight >= :membership)"
            ));
        }
        if self.document.is_some() {
            condition.push_str(&format!(
                " AND {column} IN (SELECT chunks.id FROM chunks
                   JOIN documents ON documents.number = chunks.document
                   WHERE documents.id = :document)"
            ));
        }
        condition
    }

    /// The values of the condition's parameters.
    fn values(&self) -> Vec<(&'static str, rusqlite::types::Value)> {
        let mut values: Vec<(&'static str, rusqlite::types::Value)> = Vec::new();
        if let Some(hazard) = self.hazard {
            values.push((":hazard", hazard.label().to_owned().into()));
            values.push((":membership", f64::from(MEMBERSHIP).into()));
        }
        if let Some(document) = &self.document {
            values.push((":document", document.clone().into()));
        }
        values
    }
}

impl Library {
    /// Finds the chunks that fit a question best, best first. Any text may be searched for; one
    /// without a word in it finds nothing by words.
    pub fn search(&self, request: &SearchRequest) -> Result<Vec<Hit>, LibraryError> {
        let ranking = request.effective_ranking();
        let vector = self.query_vector(request, ranking)?;
        let filter = Filter {
            hazard: request.hazard.as_ref(),
            document: request.document.map(|id| id.to_string()),
        };
        let candidates = request.candidates.max(request.limit);
        let words = match ranking {
            Ranking::Dense => None,
            _ => lexical::match_expression(&request.text),
        };
        let connection = self.lock();
        // One read transaction: a writer in between changes nothing of what is seen here.
        let transaction = connection.unchecked_transaction().at(&self.path)?;
        let dense = match &vector {
            Some(vector) => self.dense(&transaction, vector, &filter, candidates)?,
            None => Vec::new(),
        };
        let lexical = match &words {
            Some(words) => lexical::ranked(&transaction, words, &filter, candidates),
            None => Ok(Vec::new()),
        };
        let lexical = lexical.at(&self.path)?;
        let order = match ranking {
            Ranking::Dense => dense.clone(),
            Ranking::Lexical => lexical.clone(),
            Ranking::Fused => fuse::fused(&dense, &lexical),
        };
        let order: Vec<i64> = order.iter().take(request.limit).map(|r| r.chunk).collect();
        let mut scores = self.scores_of(
            &transaction,
            &order,
            vector.as_deref(),
            words.as_deref(),
            &lexical,
        )?;
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

    /// Both scores of chunks that either ranking found, so that a chunk is judged by both however
    /// it came in.
    fn scores_of(
        &self,
        connection: &Connection,
        chunks: &[i64],
        vector: Option<&[f32]>,
        words: Option<&str>,
        lexical: &[Ranked],
    ) -> Result<HashMap<i64, Scores>, LibraryError> {
        let mut scores: HashMap<i64, Scores> = chunks
            .iter()
            .map(|chunk| (*chunk, Scores::default()))
            .collect();
        if let Some(vector) = vector {
            for ranked in vectors::scores(connection, vector, chunks).at(&self.path)? {
                if let Some(scores) = scores.get_mut(&ranked.chunk) {
                    scores.dense = Some(ranked.score);
                }
            }
        }
        let Some(words) = words else {
            return Ok(scores);
        };
        for ranked in lexical {
            if let Some(scores) = scores.get_mut(&ranked.chunk) {
                scores.lexical = Some(ranked.score);
            }
        }
        let unseen = scores.iter().filter(|(_, scores)| scores.lexical.is_none());
        let unseen: Vec<i64> = unseen.map(|(chunk, _)| *chunk).collect();
        if !unseen.is_empty() {
            for ranked in lexical::scores(connection, words, &unseen).at(&self.path)? {
                if let Some(scores) = scores.get_mut(&ranked.chunk) {
                    scores.lexical = Some(ranked.score);
                }
            }
        }
        Ok(scores)
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
