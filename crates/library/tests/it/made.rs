//! Documents made by hand, and an embedder that needs no model.

use lahar_core::{CharRange, DocumentId};
use lahar_documents::{Block, BlockKind, Document, Format, Page, PageStatus};
use lahar_library::{AddOutcome, ChunkKind, DocumentDetails, Ingestor, Library, Settings};
use lahar_models::{Embedder, EmbedderIdentity, ModelError, TextRole, Tokenizer, WordTokenizer};
use tempfile::TempDir;

/// Writes a document block by block.
pub struct Maker {
    document: Document,
    length: usize,
    section: Vec<String>,
}

impl Maker {
    pub fn new(title: &str) -> Maker {
        Maker {
            document: Document {
                id: DocumentId::of(b""),
                format: Format::Text,
                title: (!title.is_empty()).then(|| title.to_owned()),
                properties: lahar_documents::Properties::default(),
                text: String::new(),
                pages: Vec::new(),
                blocks: Vec::new(),
                warnings: Vec::new(),
            },
            length: 0,
            section: Vec::new(),
        }
    }

    pub fn heading(mut self, text: &str) -> Maker {
        self.section.clear();
        self = self.block(BlockKind::Heading { level: 1 }, text);
        self.section = vec![text.to_owned()];
        self
    }

    pub fn paragraph(self, text: &str) -> Maker {
        self.block(BlockKind::Paragraph, text)
    }

    pub fn block(mut self, kind: BlockKind, text: &str) -> Maker {
        if !self.document.text.is_empty() {
            self.document.text.push_str("\n\n");
            self.length += 2;
        }
        let start = self.length;
        self.document.text.push_str(text);
        self.length += text.chars().count();
        self.document.blocks.push(Block {
            kind,
            range: CharRange::new(start, self.length),
            section: self.section.clone(),
        });
        self
    }

    pub fn page_break(mut self) -> Maker {
        let start = self.document.pages.last().map_or(0, |page| page.range.end);
        self.document.pages.push(Page {
            number: self.document.pages.len() as u32 + 1,
            range: CharRange::new(start, self.length),
            status: PageStatus::Text,
        });
        self
    }

    pub fn done(mut self) -> Document {
        self.document.id = DocumentId::of(self.document.text.as_bytes());
        self.document
    }
}

pub fn flood() -> Document {
    Maker::new("River flood")
        .heading("Stages")
        .paragraph("The flood stage of the Snohomish River is 25 feet.")
        .done()
}

pub fn quake() -> Document {
    Maker::new("Earthquake drill")
        .heading("Shaking")
        .paragraph("Drop, cover and hold on until the shaking stops.")
        .done()
}

pub fn library(folder: &TempDir, embedder: Option<&dyn Embedder>) -> Library {
    let settings = Settings::new(ChunkKind::Fixed, embedder).unwrap();
    Library::create(folder.path().join("test.db"), &settings).unwrap()
}

pub fn ingest(
    library: &mut Library,
    embedder: Option<&dyn Embedder>,
    document: &Document,
    path: &str,
) -> AddOutcome {
    let mut ingestor = Ingestor::new(library, embedder).unwrap();
    let done = ingestor.ingest(document, &details(path), &mut |_| {});
    done.unwrap().outcome
}

/// The file as SQLite sees it, for looking behind the library's back.
pub fn raw(library: &Library) -> rusqlite::Connection {
    rusqlite::Connection::open(library.path()).unwrap()
}

pub fn details(path: &str) -> DocumentDetails {
    DocumentDetails {
        path: path.to_owned(),
        ingested_at: "2025-06-01T12:00:00Z".into(),
        ..DocumentDetails::default()
    }
}

/// Vectors of word counts, each word in one of a few places: enough for texts with the same words
/// to be near each other.
pub struct CountingEmbedder(EmbedderIdentity);

impl CountingEmbedder {
    pub fn new(name: &str, digest: &str, dimension: usize) -> CountingEmbedder {
        CountingEmbedder(EmbedderIdentity {
            name: name.into(),
            digest: digest.into(),
            dimension,
        })
    }
}

impl Default for CountingEmbedder {
    fn default() -> CountingEmbedder {
        CountingEmbedder::new("counting", "1", 61)
    }
}

impl Embedder for CountingEmbedder {
    fn identity(&self) -> &EmbedderIdentity {
        &self.0
    }

    fn embed(&self, texts: &[&str], _: TextRole) -> Result<Vec<Vec<f32>>, ModelError> {
        let vector = |text: &&str| {
            let mut vector = vec![0.0f32; self.0.dimension];
            for word in text.split(|c: char| !c.is_alphanumeric()) {
                let hash = word.to_lowercase().bytes().fold(0u64, |hash, byte| {
                    hash.wrapping_mul(31).wrapping_add(u64::from(byte))
                });
                if !word.is_empty() {
                    vector[(hash % self.0.dimension as u64) as usize] += 1.0;
                }
            }
            vector
        };
        Ok(texts.iter().map(vector).collect())
    }

    fn tokenizer(&self) -> &dyn Tokenizer {
        &WordTokenizer
    }
}
