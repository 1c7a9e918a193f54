//! From a question to the chunks that may be quoted: retrieved, and judged.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use lahar_core::{DocumentId, TextIndex};
use lahar_documents::Document;
use lahar_library::{Hit, Library, LibraryError, StoredDocument};

use crate::answer::{Considered, Trace};
use crate::bearing::{self, Bearing, Candidate, Rarity, SAME_SUBJECT, Words, nearest_words};
use crate::geography::{DocumentPlaces, PlaceReading, PlacedPassage};
use crate::question::Reading;

/// Characters at the head of a document by which it says what it is about.
const HEAD: usize = 300;

/// A document that chunks were found in.
pub(crate) struct Source {
    pub stored: StoredDocument,
    pub read: Document,
}

/// The documents of some hits, each read once. One that a writer has removed since the search is
/// left out.
pub(crate) fn sources(
    library: &Library,
    hits: &[Hit],
) -> Result<HashMap<DocumentId, Source>, LibraryError> {
    let mut sources = HashMap::new();
    for hit in hits {
        if let Entry::Vacant(entry) = sources.entry(hit.document)
            && let Some(stored) = library.get(hit.document)?
        {
            let read = library.read(hit.document)?;
            entry.insert(Source { stored, read });
        }
    }
    Ok(sources)
}

/// A chunk with its document and what was found about it.
pub(crate) struct Evidence<'d> {
    pub hit: &'d Hit,
    pub source: &'d Source,
    pub bearing: Bearing,
}

/// Judges whether chunks bear on a question.
pub(crate) fn judge<'d>(
    reading: &Reading,
    hits: &'d [Hit],
    sources: &'d HashMap<DocumentId, Source>,
    rarity: &Rarity,
) -> Vec<Evidence<'d>> {
    let judged = hits.iter().filter_map(|hit| {
        let source = sources.get(&hit.document)?;
        let words = Words::of(&format!("{}\n{}", about(source, hit), hit.text));
        let candidate = Candidate {
            words: &words,
            cosine: hit.scores.dense,
        };
        let mut bearing = bearing::judge(reading, rarity, candidate);
        bearing.bears &= !hit.scores.below_floor;
        Some(Evidence {
            hit,
            source,
            bearing,
        })
    });
    judged.collect()
}

/// Takes out what is about another subject than the best of the passages, wherever that lies.
pub(crate) fn keep_to_the_subject(evidence: &mut [Evidence<'_>], reading: &Reading) {
    let held: Vec<f32> = evidence
        .iter()
        .map(|item| nearest_words(&reading.stems, &item.hit.text))
        .collect();
    let best = held.iter().copied().fold(0.0, f32::max);
    for (item, held) in evidence.iter_mut().zip(held) {
        item.bearing.bears &= held >= SAME_SUBJECT * best;
    }
}

/// What chunks are about, in their order. The places of a document are found once.
pub(crate) fn place(places: &PlaceReading, evidence: &[&Evidence<'_>]) -> Vec<PlacedPassage> {
    let mut documents: HashMap<DocumentId, DocumentPlaces> = HashMap::new();
    let placed = evidence.iter().map(|Evidence { hit, source, .. }| {
        let document = documents
            .entry(hit.document)
            .or_insert_with(|| places.document(&source.stored));
        let covering = hit.chunk.covering();
        let text = TextIndex::new(&source.read.text)
            .slice(covering)
            .unwrap_or(&hit.text);
        places.passage(document, &hit.chunk.section, text, covering.start)
    });
    placed.collect()
}

/// The trace of judged chunks.
pub(crate) fn trace(evidence: &[Evidence<'_>]) -> Trace {
    Trace {
        retrieved: evidence.iter().map(Evidence::considered).collect(),
        steps: Vec::new(),
    }
}

/// What a chunk's document says of itself, and the headings above the chunk.
pub(crate) fn about(source: &Source, hit: &Hit) -> String {
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
    let headings = hit.chunk.section.iter().map(String::as_str);
    parts
        .into_iter()
        .chain(headings)
        .collect::<Vec<_>>()
        .join("\n")
}

impl Evidence<'_> {
    /// What the trace says of it.
    fn considered(&self) -> Considered {
        Considered {
            chunk_id: self.hit.chunk_id,
            file_name: self.hit.file_name.clone(),
            coverage: self.bearing.coverage,
            lacks: self.bearing.lacks.clone(),
            bears: self.bearing.bears,
            used: false,
            text: self.hit.text.clone(),
        }
    }
}

/// Titles of the documents of some chunks, each once, best first.
pub(crate) fn titles<'d>(evidence: impl Iterator<Item = &'d Evidence<'d>>) -> Vec<&'d str> {
    let mut titles: Vec<&str> = Vec::new();
    for item in evidence {
        let title = item.source.stored.title.as_str();
        if !titles.contains(&title) {
            titles.push(title);
        }
    }
    titles
}
