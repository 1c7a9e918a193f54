//! The JSON that scripts rely on (`--json`). Fields may be added; none is renamed or dropped
//! without a word in the changelog.

use std::collections::BTreeMap;

use lahar_answers::mora::Step;
use lahar_answers::{Answer, AsksFor, Citation};
use lahar_core::{Decision, DocumentId, Hazard, HazardWeights, PageRange, Reason};
use lahar_library::{DocumentText, Hit, Scores, StoredDocument};
use lahar_places::cards::MentionCard;
use lahar_places::{Gazetteer, LevelUsed, Relation};
use serde::Serialize;

/// `lahar ingest`
#[derive(Debug, Serialize)]
pub struct IngestReport {
    /// One entry a file, in the order they were read.
    pub documents: Vec<IngestedDocument>,
    /// Wall time.
    pub seconds: f64,
}

/// One file of `lahar ingest`.
#[derive(Debug, Serialize)]
pub struct IngestedDocument {
    /// The document's id; absent when the file could not be read at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<DocumentId>,
    /// The file.
    pub path: String,
    /// Its title; the file's name where it was refused.
    pub title: String,
    /// Pages, for formats that have them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<usize>,
    /// Chunks stored.
    pub chunks: usize,
    /// What became of it.
    pub status: IngestStatus,
    /// Why it was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What could not be read of it.
    pub warnings: Vec<String>,
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum IngestStatus {
    /// It is new in the library.
    Added,
    /// The library had it already.
    Unchanged,
    /// It took the place of an earlier version.
    Replaced,
    /// It was not stored.
    Refused,
}

impl IngestStatus {
    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            IngestStatus::Added => "added",
            IngestStatus::Unchanged => "unchanged",
            IngestStatus::Replaced => "replaced",
            IngestStatus::Refused => "refused",
        }
    }
}

/// `lahar documents`
#[derive(Debug, Serialize)]
pub struct DocumentList {
    /// The documents, by title.
    pub documents: Vec<DocumentEntry>,
}

/// One document of `lahar documents`.
#[derive(Debug, Serialize)]
pub struct DocumentEntry {
    id: DocumentId,
    title: String,
    path: String,
    format: lahar_documents::Format,
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<usize>,
    chunks: usize,
    hazards: HazardWeights,
    #[serde(skip_serializing_if = "Option::is_none")]
    publisher: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    licence: Option<String>,
    ingested_at: String,
    warnings: Vec<String>,
}

impl From<StoredDocument> for DocumentEntry {
    fn from(stored: StoredDocument) -> DocumentEntry {
        DocumentEntry {
            id: stored.id,
            title: stored.title,
            path: stored.path,
            format: stored.format,
            pages: (stored.pages > 0).then_some(stored.pages),
            chunks: stored.chunks,
            hazards: stored.hazards,
            publisher: stored.publisher,
            date: stored.date.map(|date| date.to_string()),
            place: stored.place,
            source: stored.source,
            licence: stored.licence,
            ingested_at: stored.ingested_at,
            warnings: stored.warnings,
        }
    }
}

/// `lahar show`
#[derive(Debug, Serialize)]
pub struct ShownDocument {
    id: DocumentId,
    title: String,
    text: String,
    pages: Vec<ShownPage>,
}

#[derive(Debug, Serialize)]
struct ShownPage {
    number: u32,
    start: usize,
    end: usize,
}

impl From<DocumentText> for ShownDocument {
    fn from(document: DocumentText) -> ShownDocument {
        let pages = document.pages.iter().map(|page| ShownPage {
            number: page.number,
            start: page.range.start,
            end: page.range.end,
        });
        ShownDocument {
            pages: pages.collect(),
            id: document.id,
            title: document.title,
            text: document.text,
        }
    }
}

/// `lahar search`
#[derive(Debug, Serialize)]
pub struct SearchReport {
    /// Passages, best first.
    pub hits: Vec<SearchHit>,
    /// How they were ranked.
    pub ranking: lahar_library::Ranking,
}

/// One passage of `lahar search`.
#[derive(Debug, Serialize)]
pub struct SearchHit {
    document: DocumentId,
    title: String,
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<String>,
    text: String,
    start: usize,
    end: usize,
    scores: Scores,
    hazards: HazardWeights,
}

impl From<Hit> for SearchHit {
    fn from(hit: Hit) -> SearchHit {
        let covering = hit.chunk.covering();
        SearchHit {
            document: hit.document,
            title: hit.title,
            file: hit.file_name,
            page: hit.chunk.pages.map(|pages| pages.first),
            section: hit.chunk.section.last().cloned(),
            text: hit.text,
            start: covering.start,
            end: covering.end,
            scores: hit.scores,
            hazards: hit.chunk.hazards,
        }
    }
}

/// `lahar ask`
#[derive(Debug, Serialize)]
pub struct AskReport {
    decision: Decision,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    text: String,
    statements: Vec<StatementEntry>,
    reasons: Vec<Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<LevelUsed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ask_back: Vec<String>,
    reading: ReadingEntry,
    missing: Vec<String>,
    trace: TraceEntry,
}

#[derive(Debug, Serialize)]
struct StatementEntry {
    text: String,
    citations: Vec<CitationEntry>,
}

#[derive(Debug, Serialize)]
struct CitationEntry {
    document: DocumentId,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_page: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<String>,
    quote: String,
    start: usize,
    end: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    relation: Option<Relation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
}

/// The probabilities of hazards are read by a later version: until then they are empty.
#[derive(Debug, Serialize)]
struct ReadingEntry {
    places: Vec<PlaceMention>,
    hazards: BTreeMap<Hazard, f32>,
    location_dependent: bool,
    names: Vec<String>,
    years: Vec<String>,
    words: Vec<String>,
    asks_for: &'static str,
}

#[derive(Debug, Serialize)]
struct PlaceMention {
    mention: String,
    #[serde(flatten)]
    card: MentionCard,
}

#[derive(Debug, Serialize)]
struct TraceEntry {
    method: &'static str,
    retrieved: Vec<ConsideredEntry>,
    /// The calls of the loop, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<Step>,
}

#[derive(Debug, Serialize)]
struct ConsideredEntry {
    chunk: i64,
    file: String,
    coverage: f32,
    lacks: Vec<String>,
    bears: bool,
}

impl AskReport {
    /// The report of a checked claim or an answered choice.
    pub fn labelled(
        labelled: &lahar_answers::Labelled,
        method: lahar_answers::Method,
    ) -> AskReport {
        AskReport {
            label: labelled.label.map(|label| label.to_string()),
            ..AskReport::new(&labelled.answer, method)
        }
    }

    /// The report of an answer that a method gave.
    pub fn new(answer: &Answer, method: lahar_answers::Method) -> AskReport {
        let statements = answer.statements().iter().map(|statement| StatementEntry {
            text: statement.text().to_owned(),
            citations: statement.citations().iter().map(citation).collect(),
        });
        let retrieved = answer
            .trace
            .retrieved
            .iter()
            .map(|considered| ConsideredEntry {
                chunk: considered.chunk_id,
                file: considered.file_name.clone(),
                coverage: considered.coverage,
                lacks: considered.lacks.clone(),
                bears: considered.bears,
            });
        let gazetteer = Gazetteer::in_use();
        let places = answer
            .places
            .question
            .mentions
            .iter()
            .map(|mention| PlaceMention {
                mention: mention.text.clone(),
                card: gazetteer.mention_card(mention),
            });
        AskReport {
            decision: answer.decision(),
            label: None,
            text: answer.text(),
            statements: statements.collect(),
            reasons: answer.reasons.clone(),
            level: answer.level.clone(),
            ask_back: answer.ask_back.clone(),
            reading: ReadingEntry {
                places: places.collect(),
                hazards: BTreeMap::new(),
                location_dependent: answer.places.location_dependent,
                names: answer.reading.names.clone(),
                years: answer.reading.years.clone(),
                words: answer.reading.words.clone(),
                asks_for: match answer.reading.asks_for {
                    AsksFor::Quantity => "quantity",
                    AsksFor::Time => "time",
                    AsksFor::Statement => "statement",
                },
            },
            missing: answer.missing().to_vec(),
            trace: TraceEntry {
                method: method.name(),
                retrieved: retrieved.collect(),
                steps: answer.trace.steps.clone(),
            },
        }
    }
}

fn citation(citation: &Citation) -> CitationEntry {
    let PageRange { first, last } = citation
        .span
        .pages()
        .unwrap_or(PageRange { first: 0, last: 0 });
    CitationEntry {
        document: citation.span.document(),
        title: citation.title.clone(),
        page: (first > 0).then_some(first),
        last_page: (last > first).then_some(last),
        section: citation.section.clone(),
        quote: citation.span.quote().to_owned(),
        start: citation.span.range().start,
        end: citation.span.range().end,
        relation: citation.place.as_ref().map(|place| place.relation),
        distance: citation.place.as_ref().and_then(|place| place.distance),
        place: citation
            .place
            .as_ref()
            .and_then(|place| place.place.clone()),
    }
}
