//! A further look, where the best passages are not about the place asked about.
//!
//! In a library of many counties' handbooks the same sentence stands once a county, and the
//! passages that fit a question best are about fifty other places. What decides there is the place:
//! so the rest of both retrievals is gone through, and the places around the one asked about are
//! searched for by name. Only passages that may be used for the place asked about are added, and
//! only those of which a sentence or two hold most of the question's words: a passage that lies so
//! far down the ranking must say what is asked.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use lahar_core::DocumentId;
use lahar_library::Hit;

use super::{AskError, Asker, EVIDENCE_CHUNKS, add_new};
use crate::bearing::{SAME_SUBJECT, SHARE_OF_WORDS, nearest_words};
use crate::geography::{DocumentPlaces, PlaceReading};
use crate::question::Reading;

/// Chunks that are looked at for each place around the one asked about.
const FOR_EACH_PLACE: usize = 10;

/// The best preference: a passage about the very place asked about.
const EXACT: u8 = 0;

/// What both retrievals brought.
pub(super) struct Seen {
    /// The best of each.
    pub near: Vec<Hit>,
    /// The rest of each.
    pub beyond: Vec<Hit>,
}

/// The near passages, and those further ones that may be used for the place asked about.
pub(super) fn look(
    asker: &Asker<'_>,
    seen: Seen,
    reading: &Reading,
    places: &PlaceReading,
) -> Result<Vec<Hit>, AskError> {
    let Seen { near, beyond } = seen;
    let mut known = Documents::default();
    let held = |hit: &Hit| nearest_words(&reading.stems, &hit.text);
    let best = near.iter().chain(&beyond).map(held).fold(0.0, f32::max);
    let worth = |hit: &Hit| held(hit) >= (SAME_SUBJECT * best).max(SHARE_OF_WORDS);
    for hit in near.iter().filter(|hit| worth(hit)) {
        if let Some((EXACT, _)) = known.preference(asker, places, hit)? {
            return Ok(near);
        }
    }
    let mut pool = beyond;
    let subject = reading.words.join(" ");
    for name in places.names_around() {
        let text = format!("{subject} {name}");
        let vector = asker.vector(&text)?;
        let found = asker.retrieve(&text, vector.as_deref())?;
        pool.extend(found.into_iter().take(FOR_EACH_PLACE));
    }
    let mut usable: Vec<((u8, u32), usize, Hit)> = Vec::new();
    for (at, hit) in pool.into_iter().enumerate() {
        let seen = near.iter().chain(usable.iter().map(|(_, _, hit)| hit));
        if seen.into_iter().any(|other| other.chunk_id == hit.chunk_id) || !worth(&hit) {
            continue;
        }
        if let Some(preference) = known.preference(asker, places, &hit)? {
            usable.push((preference, at, hit));
        }
    }
    usable.sort_by_key(|(preference, at, _)| (*preference, *at));
    usable.truncate(EVIDENCE_CHUNKS);
    let mut hits = near;
    add_new(&mut hits, usable.into_iter().map(|(_, _, hit)| hit));
    Ok(hits)
}

/// Places of documents, each found once.
#[derive(Default)]
struct Documents(HashMap<DocumentId, Option<DocumentPlaces>>);

impl Documents {
    fn preference(
        &mut self,
        asker: &Asker<'_>,
        places: &PlaceReading,
        hit: &Hit,
    ) -> Result<Option<(u8, u32)>, AskError> {
        if let Entry::Vacant(entry) = self.0.entry(hit.document) {
            let stored = asker.library.get(hit.document)?;
            entry.insert(stored.map(|stored| places.document(&stored)));
        }
        let Some(Some(document)) = self.0.get(&hit.document) else {
            return Ok(None);
        };
        let placed = places.passage(document, &hit.chunk.section, &hit.text, 0);
        Ok(places.preference(&placed.passage))
    }
}
