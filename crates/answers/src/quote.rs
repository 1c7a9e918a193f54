//! Quoting: from the chunks that may be quoted to statements with their citations.

use lahar_core::{EvidenceSpan, TextIndex};
use lahar_models::{Embedder, ModelError, TextRole};
use lahar_places::Judgement;

use crate::answer::{Citation, CitedPlace, Statement};
use crate::bearing::{Rarity, stem_set};
use crate::evidence::{Evidence, Source};
use crate::geography::{PlaceReading, PlacedPassage};
use crate::question::Reading;
use crate::units::{Unit, units};
use crate::writer::{self, Quotable};

/// Sentences whose meaning is compared with the question's, best by words first.
const EMBEDDED_SENTENCES: usize = 24;

/// A chunk that may be quoted, with what was decided about its place.
pub(crate) struct Allowed<'e> {
    pub evidence: &'e Evidence<'e>,
    /// What it is about; `None` where places play no part.
    pub placed: Option<&'e PlacedPassage>,
    /// `None` where places play no part.
    pub judgement: Option<&'e Judgement>,
}

/// The question as far as quoting needs it.
pub(crate) struct Wanted<'q> {
    pub reading: &'q Reading,
    pub places: &'q PlaceReading,
    pub rarity: &'q Rarity,
    /// A model and the question's vector by it.
    pub meaning: Option<(&'q dyn Embedder, &'q [f32])>,
}

/// A unit with the chunk it was taken from.
struct Found {
    from: usize,
    unit: Unit,
}

/// Chooses what to quote and cuts it out of the documents, in the order of the chunks.
pub(crate) fn statements(
    wanted: &Wanted<'_>,
    allowed: &[Allowed<'_>],
) -> Result<Vec<Statement>, ModelError> {
    let indexes: Vec<TextIndex<'_>> = allowed
        .iter()
        .map(|a| TextIndex::new(&a.evidence.source.read.text))
        .collect();
    let found = find(wanted, allowed, &indexes);
    let mut quotables: Vec<Quotable> = found
        .iter()
        .map(|f| quotable(f, allowed[f.from].evidence, &indexes[f.from]))
        .collect();
    if let Some((model, question)) = wanted.meaning {
        compare_meanings(&mut quotables, wanted.rarity, model, question)?;
    }
    let mut chosen = writer::choose(&quotables, wanted.reading, wanted.rarity);
    chosen.sort_by_key(|&i| (found[i].from, found[i].unit.range));
    let cut = chosen.into_iter().filter_map(|i| {
        let from = found[i].from;
        statement(&found[i].unit, &allowed[from], &indexes[from])
    });
    Ok(cut.collect())
}

/// The units of the chunks, each once. From a chunk whose places disagree only those whose
/// nearest place fits.
fn find(wanted: &Wanted<'_>, allowed: &[Allowed<'_>], indexes: &[TextIndex<'_>]) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for (from, item) in allowed.iter().enumerate() {
        let Evidence { hit, source, .. } = item.evidence;
        let mixed = item
            .judgement
            .is_some_and(|judgement| judgement.quote_near_place_only);
        for unit in units(&indexes[from], &source.read.blocks, &hit.chunk.spans) {
            let known = found.iter().any(|f| {
                allowed[f.from].evidence.hit.document == hit.document && f.unit.range == unit.range
            });
            let fits = !mixed
                || item
                    .placed
                    .is_none_or(|placed| wanted.places.fits(&placed.mentions, unit.range));
            if !known && fits {
                found.push(Found { from, unit });
            }
        }
    }
    found
}

fn quotable(found: &Found, evidence: &Evidence<'_>, index: &TextIndex<'_>) -> Quotable {
    let Unit {
        range,
        header,
        section,
    } = &found.unit;
    let text = index.slice(*range).unwrap_or_default().to_owned();
    let above = header
        .and_then(|range| index.slice(range))
        .unwrap_or_default();
    let section = section.as_deref().unwrap_or_default();
    let stored = &evidence.source.stored;
    let place = stored.place.as_deref().unwrap_or_default();
    let context = format!("{}\n{place}\n{section}\n{above}", stored.title);
    let lines = [section, above, &text]
        .into_iter()
        .filter(|line| !line.is_empty());
    let in_context = lines.collect::<Vec<_>>().join("\n");
    Quotable {
        text,
        context,
        in_context,
        is_row: header.is_some(),
        rank: found.from,
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

/// Cuts a unit out of its document. `None` only when the unit is white space.
fn statement(unit: &Unit, from: &Allowed<'_>, index: &TextIndex<'_>) -> Option<Statement> {
    let source = from.evidence.source;
    let place = from.judgement.map(|judgement| CitedPlace {
        relation: judgement.relation,
        distance: judgement.distance,
        place: judgement.place.as_ref().map(|place| place.name.clone()),
    });
    quoting(unit, source, index, place)
}

/// A unit of a document as a statement that quotes it, with the header it needs.
pub(crate) fn cite_unit(source: &Source, index: &TextIndex<'_>, unit: &Unit) -> Option<Statement> {
    quoting(unit, source, index, None)
}

fn quoting(
    unit: &Unit,
    source: &Source,
    index: &TextIndex<'_>,
    place: Option<CitedPlace>,
) -> Option<Statement> {
    let cite = |range| {
        let pages = source.read.pages_of(range);
        let span = EvidenceSpan::cut(source.stored.id, index, range, pages).ok()?;
        let title = source.stored.title.clone();
        Some(Citation {
            span,
            title,
            section: unit.section.clone(),
            place: place.clone(),
        })
    };
    let quoted = cite(unit.range)?;
    Some(match unit.header.and_then(cite) {
        Some(header) => Statement::quoting(header, vec![quoted]),
        None => Statement::quoting(quoted, vec![]),
    })
}
