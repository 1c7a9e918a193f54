//! From a document that has been read to a document that can be searched.

use std::sync::Arc;

use lahar_core::{DocumentId, HazardWeights, TextIndex};
use lahar_documents::Document;
use lahar_models::{Embedder, TextRole, Tokenizer, WordTokenizer};

use crate::LibraryError;
use crate::chunk::{Chunk, ChunkKind};
use crate::cut::{Piece, cut, text_of};
use crate::label::{self, Prototypes};
use crate::settings::Settings;
use crate::store::{AddOutcome, DocumentDetails, Library, NewChunk, NewDocument, StoredDocument};

/// Chunks that are embedded in one go, between two calls of a progress function.
const BATCH: usize = 32;

/// How far the work on one document has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkProgress {
    /// Chunks embedded.
    pub done: usize,
    /// Chunks of the document.
    pub total: usize,
}

/// What became of an ingested document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ingested {
    /// Added, unchanged or replaced.
    pub outcome: AddOutcome,
    /// How many chunks the document has.
    pub chunks: usize,
}

/// Cuts, labels, embeds and stores documents in one library.
pub struct Ingestor<'l> {
    library: &'l mut Library,
    maker: Maker<'l>,
}

impl<'l> Ingestor<'l> {
    /// An ingestor for a library. Refused when the library was built with another model, with a
    /// model and none is given, or without a model and one is given.
    pub fn new(
        library: &'l mut Library,
        embedder: Option<&'l dyn Embedder>,
    ) -> Result<Ingestor<'l>, LibraryError> {
        let settings = library.settings()?;
        match (embedder, &settings.model) {
            (Some(embedder), _) => library.accept_model(embedder)?,
            (None, Some(model)) => {
                return Err(LibraryError::ModelNeeded {
                    path: library.path().to_owned(),
                    built_with: model.identity.name.clone(),
                });
            }
            (None, None) => {}
        }
        let prototypes = embedder.map(|model| library.prototypes(model));
        Ok(Ingestor {
            maker: Maker {
                chunker: settings.chunker,
                embedder,
                prototypes: prototypes.transpose()?,
            },
            library,
        })
    }

    /// The library.
    pub fn library(&self) -> &Library {
        self.library
    }

    /// Whether a file with this content is stored already, with the same details: then it need not
    /// be read.
    pub fn is_unchanged(
        &self,
        id: DocumentId,
        details: &DocumentDetails,
    ) -> Result<bool, LibraryError> {
        self.library.is_unchanged(id, details)
    }

    /// Ingests one document. Nothing is stored when it fails. `progress` is called after each batch
    /// of chunks.
    pub fn ingest(
        &mut self,
        document: &Document,
        details: &DocumentDetails,
        progress: &mut dyn FnMut(ChunkProgress),
    ) -> Result<Ingested, LibraryError> {
        if self.library.is_unchanged(document.id, details)? {
            let stored = self.library.get(document.id)?;
            return Ok(Ingested {
                outcome: AddOutcome::Unchanged,
                chunks: stored.map_or(0, |stored| stored.chunks),
            });
        }
        // What people said when the same content was ingested before still holds.
        let stored = self.library.get(document.id)?;
        let declared = match &stored {
            Some(stored) if details.hazards.is_empty() => &stored.declared,
            _ => &details.hazards,
        };
        let title = details.title.as_deref().or(document.title.as_deref());
        let (hazards, chunks) = self.maker.make(document, title, declared, progress)?;
        let count = chunks.len();
        let outcome = self.library.add(&NewDocument {
            document,
            details,
            hazards,
            chunks,
        })?;
        Ok(Ingested {
            outcome,
            chunks: count,
        })
    }
}

impl Library {
    /// Cuts, labels and embeds every document again, with another chunker or model, or after either
    /// has changed. Nothing changes when it fails. `progress` is called for each document and after
    /// each batch of its chunks.
    pub fn reindex(
        &mut self,
        chunker: ChunkKind,
        embedder: Option<&dyn Embedder>,
        progress: &mut dyn FnMut(&StoredDocument, ChunkProgress),
    ) -> Result<(), LibraryError> {
        let settings = Settings::new(chunker, embedder)?;
        let prototypes = embedder.map(Prototypes::of).transpose()?;
        let maker = Maker {
            chunker,
            embedder,
            prototypes: prototypes.map(Arc::new),
        };
        self.rebuild(&settings, &mut |stored, document| {
            let (hazards, chunks) = maker.make(
                document,
                Some(&stored.title),
                &stored.declared,
                &mut |done| progress(stored, done),
            )?;
            Ok(crate::store::Relabelled { hazards, chunks })
        })
    }
}

/// Vectors of chunks, and what is kept of their tokens' vectors; each empty where there are none.
type ChunkVectors = (Vec<Vec<f32>>, Vec<Vec<u8>>);

/// Makes chunks out of documents.
struct Maker<'e> {
    chunker: ChunkKind,
    embedder: Option<&'e dyn Embedder>,
    prototypes: Option<Arc<Prototypes>>,
}

impl<'e> Maker<'e> {
    fn make(
        &self,
        document: &Document,
        title: Option<&str>,
        declared: &[lahar_core::Hazard],
        progress: &mut dyn FnMut(ChunkProgress),
    ) -> Result<(HazardWeights, Vec<NewChunk>), LibraryError> {
        let words = WordTokenizer;
        let tokenizer: &dyn Tokenizer = match self.embedder {
            Some(embedder) => embedder.tokenizer(),
            None => &words,
        };
        let index = TextIndex::new(&document.text);
        let pieces = cut(document, self.chunker, tokenizer)?;
        let texts: Vec<String> = pieces.iter().map(|p| text_of(&index, &p.spans)).collect();
        let (vectors, tokens) = self.vectors(&texts, progress)?;
        let own = self.own_hazards(&texts, &vectors);
        let hazards = label::declared_or(declared, || {
            let pieces = pieces.iter().map(|piece| text_of(&index, &piece.core));
            let words = pieces.collect::<Vec<_>>().join("\n");
            let found = label::document_hazards(title.unwrap_or_default(), &words);
            match found.is_empty() {
                true => label::hazards_by_chunks(&own),
                false => found,
            }
        });
        let (mut vectors, mut tokens) = (vectors.into_iter(), tokens.into_iter());
        let chunks = pieces
            .into_iter()
            .zip(&own)
            .map(|(piece, own)| NewChunk {
                heading: heading_of(&index, &piece),
                vector: vectors.next(),
                tokens: tokens.next(),
                chunk: Chunk {
                    kind: self.chunker,
                    spans: piece.spans,
                    pages: piece.pages,
                    section: piece.section,
                    hazards: label::chunk_hazards(&hazards, own),
                },
            })
            .collect();
        Ok((hazards, chunks))
    }

    /// What each chunk is about by itself.
    fn own_hazards(&self, texts: &[String], vectors: &[Vec<f32>]) -> Vec<HazardWeights> {
        let mut own: Vec<HazardWeights> = texts.iter().map(|t| label::text_hazards(t)).collect();
        if let Some(prototypes) = &self.prototypes {
            for (own, vector) in own.iter_mut().zip(vectors) {
                if own.is_empty() {
                    *own = label::hazard_by_meaning(prototypes.nearest(vector));
                }
            }
        }
        own
    }

    /// Vectors of the chunks' texts as they stand. Titles and headings are left out: with them,
    /// cosine alone ranks a little better and the fused ranking, which has them by way of the
    /// lexical index, no better; and the papers' baselines embed plain text.
    ///
    /// With them, where the model gives them, what is kept of the tokens' vectors: from the same
    /// pass, so they cost little more than the vectors alone.
    fn vectors(
        &self,
        texts: &[String],
        progress: &mut dyn FnMut(ChunkProgress),
    ) -> Result<ChunkVectors, LibraryError> {
        let mut vectors = Vec::with_capacity(texts.len());
        let mut tokens = Vec::new();
        let Some(embedder) = self.embedder else {
            return Ok((vectors, tokens));
        };
        for batch in texts.chunks(BATCH) {
            let batch: Vec<&str> = batch.iter().map(String::as_str).collect();
            match embedder.token_embedder() {
                Some(model) => {
                    for found in model.embed_tokens(&batch, TextRole::Passage)? {
                        tokens.push(lahar_models::late::condense(&found));
                        vectors.push(found.text);
                    }
                }
                None => vectors.extend(embedder.embed(&batch, TextRole::Passage)?),
            }
            progress(ChunkProgress {
                done: vectors.len(),
                total: texts.len(),
            });
        }
        Ok((vectors, tokens))
    }
}

/// What is indexed beside a chunk's text: the headings above it, and the header of its table where
/// the chunk begins below it.
fn heading_of(index: &TextIndex<'_>, piece: &Piece) -> String {
    let mut heading = piece.section.join(" > ");
    if let Some(header) = piece.table_header
        && !piece.spans.contains(&header)
    {
        heading.push(' ');
        heading.push_str(index.slice(header).unwrap_or_default());
    }
    heading
}
