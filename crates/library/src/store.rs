//! The library: one SQLite file with documents, chunks, labels, vectors and the lexical index.

mod check;
pub(crate) mod index;
mod names;
mod open;
mod read;
mod rows;
mod write;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lahar_core::{CharRange, DocumentId, Hazard, HazardWeights, PublicationDate};
use lahar_documents::{Document, Format, Page};
use lahar_models::{Embedder, EmbedderIdentity, TextRole};
use rusqlite::Connection;
use serde::Serialize;

use crate::chunk::{Chunk, ChunkKind};
use crate::error::{At, LibraryError};
use crate::label::Prototypes;
use crate::search::resident::Resident;
use crate::settings::{ModelRecord, Settings};

pub use check::{CheckReport, Problem};
pub(crate) use read::{hazards_of, parsed};
pub(crate) use write::Relabelled;

/// The latest library format, and the one written.
pub const FORMAT: i64 = 2;

/// How long a writer waits for another one.
pub const WRITER_WAIT: Duration = Duration::from_secs(20);

/// An open library.
///
/// Any number of processes may read while one writes: readers see the library as it was when their
/// query began. A document is added, replaced or removed in one transaction.
pub struct Library {
    pub(crate) path: PathBuf,
    connection: Mutex<Connection>,
    writable: bool,
    writer_wait: Duration,
    on_wait: Option<OnWait>,
    /// Whether this process has named itself as the writer.
    registered: bool,
    pub(crate) resident: Mutex<Resident>,
    /// The last model found to fit the library, so that its probe is embedded once.
    accepted: Mutex<Option<EmbedderIdentity>>,
    /// Hazards as that model sees them, so that they are embedded once and not once a document.
    prototypes: Mutex<Option<(EmbedderIdentity, Arc<Prototypes>)>>,
}

/// Called when a write has to wait for another process.
pub type OnWait = Box<dyn Fn(&Waiting) + Send + Sync>;

/// A write that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Who writes, as far as it is known.
    pub holder: String,
    /// How long the write goes on waiting before it gives up.
    pub most: Duration,
}

/// What people say about a document, and how it came here.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocumentDetails {
    /// The file's path. It names the document when its content changes, so give it in a form that
    /// does not depend on the current folder.
    pub path: String,
    /// A title that goes before the one found in the document.
    pub title: Option<String>,
    /// Who published it.
    pub publisher: Option<String>,
    /// When it was published.
    pub date: Option<PublicationDate>,
    /// The place it is about.
    pub place: Option<String>,
    /// Where it came from.
    pub source: Option<String>,
    /// Its licence.
    pub licence: Option<String>,
    /// Hazards that people say it is about.
    pub hazards: Vec<Hazard>,
    /// When it is ingested, ISO 8601.
    pub ingested_at: String,
}

/// A document that is to be stored, cut and labelled.
#[derive(Debug, Clone)]
pub struct NewDocument<'a> {
    /// What the reader found.
    pub document: &'a Document,
    /// What is known about it.
    pub details: &'a DocumentDetails,
    /// What it is about.
    pub hazards: HazardWeights,
    /// Its chunks, in order.
    pub chunks: Vec<NewChunk>,
}

/// A chunk that is to be stored.
#[derive(Debug, Clone)]
pub struct NewChunk {
    /// The chunk.
    pub chunk: Chunk,
    /// What is indexed beside its text: section path and table header.
    pub heading: String,
    /// Its vector, in a library with a model.
    pub vector: Option<Vec<f32>>,
    /// Its tokens' vectors as [`lahar_models::late::condense`] writes them, where the model gives
    /// them.
    pub tokens: Option<Vec<u8>>,
}

/// What became of a document that was given to the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "status")]
pub enum AddOutcome {
    /// It is new.
    Added,
    /// The library holds it already.
    Unchanged,
    /// It took the place of what was stored for the same file.
    Replaced {
        /// The document that is gone. The same id when only what people say about it has changed.
        former: DocumentId,
    },
}

/// A document of the library, without its text.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredDocument {
    /// Hash of the file's bytes.
    pub id: DocumentId,
    /// Title, one line.
    pub title: String,
    /// File name, without folders.
    pub file_name: String,
    /// Path as it was ingested.
    pub path: String,
    /// What the file is.
    pub format: Format,
    /// Who published it.
    pub publisher: Option<String>,
    /// When it was published.
    pub date: Option<PublicationDate>,
    /// The place it is about, as given.
    pub place: Option<String>,
    /// Where it came from.
    pub source: Option<String>,
    /// Its licence.
    pub licence: Option<String>,
    /// Hazards that people say it is about.
    pub declared: Vec<Hazard>,
    /// What it is about, declared or found.
    pub hazards: HazardWeights,
    /// When it was ingested, ISO 8601.
    pub ingested_at: String,
    /// What could not be read.
    pub warnings: Vec<String>,
    /// Number of pages, 0 for formats without pages.
    pub pages: usize,
    /// Number of chunks.
    pub chunks: usize,
}

/// A document's stored text with its pages.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentText {
    /// Hash of the file's bytes.
    pub id: DocumentId,
    /// Title, one line.
    pub title: String,
    /// Everything that was read.
    pub text: String,
    /// Pages in order, with what became of each.
    pub pages: Vec<Page>,
}

impl DocumentText {
    /// A page's text; `None` when there is no page of that number.
    pub fn page(&self, number: u32) -> Option<&str> {
        let range = self.pages.iter().find(|page| page.number == number)?.range;
        self.slice(range)
    }

    /// The text of a range.
    pub fn slice(&self, range: CharRange) -> Option<&str> {
        lahar_core::TextIndex::new(&self.text).slice(range)
    }
}

impl Library {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether documents can be added and removed.
    pub fn is_writable(&self) -> bool {
        self.writable
    }

    /// Sets how long a write waits for another process; [`WRITER_WAIT`] when nothing is set.
    pub fn set_writer_wait(&mut self, wait: Duration) -> Result<(), LibraryError> {
        self.writer_wait = wait;
        self.lock().busy_timeout(wait).at(&self.path)
    }

    /// Sets what is called, once a write, when it has waited a second for another process and
    /// goes on waiting.
    pub fn set_on_wait(&mut self, on_wait: OnWait) {
        self.on_wait = Some(on_wait);
    }

    /// How the library is built.
    pub fn settings(&self) -> Result<Settings, LibraryError> {
        open::read_settings(&self.lock(), &self.path)
    }

    /// Refuses a chunker other than the one the library is cut with.
    pub fn accept_chunker(&self, asked: ChunkKind) -> Result<(), LibraryError> {
        let built_with = self.settings()?.chunker;
        if built_with == asked {
            return Ok(());
        }
        Err(LibraryError::OtherChunker {
            path: self.path.clone(),
            built_with: built_with.name(),
            asked: asked.name(),
        })
    }

    /// Refuses a model whose vectors cannot be compared with the stored ones, and a library without
    /// vectors.
    pub fn accept_model(&self, embedder: &dyn Embedder) -> Result<(), LibraryError> {
        let mut accepted = self.accepted.lock().unwrap_or_else(PoisonError::into_inner);
        let settings = self.settings()?;
        let Some(ours) = settings.model else {
            return Err(LibraryError::NoVectors {
                path: self.path.clone(),
                reason: "it was built without an embedding model; `lahar reindex` adds vectors"
                    .into(),
            });
        };
        if accepted.as_ref() == Some(&ours.identity) && embedder.identity() == &ours.identity {
            return Ok(());
        }
        let refusal = |difference: String| LibraryError::OtherModel {
            path: self.path.clone(),
            built_with: ours.identity.name.clone(),
            offered: embedder.identity().name.clone(),
            difference,
        };
        // Compared before anything is embedded: the probe of a large model takes its time.
        let unprobed = ModelRecord {
            identity: embedder.identity().clone(),
            probe: ours.probe.clone(),
        };
        if let Some(difference) = ours.difference(&unprobed) {
            return Err(refusal(difference));
        }
        if let Some(difference) = ours.difference(&ModelRecord::of(embedder)?) {
            return Err(refusal(difference));
        }
        *accepted = Some(ours.identity);
        Ok(())
    }

    /// The vector of a question, by a model that fits the library. A question beyond any model's
    /// window is cut before it reaches the tokenizer.
    pub fn embed_query(
        &self,
        embedder: &dyn Embedder,
        text: &str,
    ) -> Result<Vec<f32>, LibraryError> {
        self.accept_model(embedder)?;
        let text = within_longest_query(text);
        let vectors = embedder.embed(&[text], TextRole::Query)?;
        Ok(vectors.into_iter().next().unwrap_or_default())
    }

    /// Descriptions of hazards as a model sees them that fits the library.
    pub(crate) fn prototypes(
        &self,
        embedder: &dyn Embedder,
    ) -> Result<Arc<Prototypes>, LibraryError> {
        let mut kept = self
            .prototypes
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        match kept.as_ref() {
            Some((identity, prototypes)) if identity == embedder.identity() => {
                Ok(Arc::clone(prototypes))
            }
            _ => {
                let prototypes = Arc::new(Prototypes::of(embedder)?);
                *kept = Some((embedder.identity().clone(), Arc::clone(&prototypes)));
                Ok(prototypes)
            }
        }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Library")
            .field("path", &self.path)
            .field("writable", &self.writable)
            .finish_non_exhaustive()
    }
}

/// The part of a question that a model is shown: longer than any model's window.
pub(crate) fn within_longest_query(text: &str) -> &str {
    const LONGEST_QUERY: usize = 20_000;
    let end = text.char_indices().nth(LONGEST_QUERY);
    &text[..end.map_or(text.len(), |(byte, _)| byte)]
}

/// A value from a column that holds JSON.
pub(crate) fn json<T: serde::de::DeserializeOwned>(
    row: &rusqlite::Row<'_>,
    column: &str,
) -> rusqlite::Result<T> {
    let index = row.as_ref().column_index(column)?;
    let text = row.get_ref(index)?.as_str()?;
    serde_json::from_str(text).map_err(|error| {
        let error = format!("column {column}: {error}");
        rusqlite::Error::FromSqlConversionFailure(index, rusqlite::types::Type::Text, error.into())
    })
}

/// JSON for a column. Values that Lahar stores have string keys and finite numbers only.
pub(crate) fn to_json<T: Serialize>(value: &T) -> rusqlite::Result<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}
