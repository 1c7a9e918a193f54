//! What a text is about: hazards with weights.
//!
//! People's declarations come first. Where there are none, words decide: a lexicon of field terms
//! ([`LEXICON`], one readable file) says which hazard a term belongs to and how strongly; figures
//! of speech ("a flood of calls") are terms that count for nothing, and a mention under a negation
//! ("no tsunami") counts less. With an embedding model, a chunk in which the lexicon finds nothing
//! gets the hazard whose description its vector is clearly nearest to, and a document without any
//! word of the lexicon gets what most of its chunks get.

mod lexicon;
mod mentions;
mod prototypes;

use lahar_core::{Hazard, HazardWeights};

pub use lexicon::LEXICON;
pub(crate) use prototypes::Prototypes;

use mentions::Mentions;

/// Weight from which a label counts as given: the classifier keeps nothing below.
pub const LEAST_WEIGHT: f32 = 0.3;
/// Weight from which a document counts as being about a hazard.
pub const LABELLED: f32 = 0.5;

/// What a document is about, judged by its words. A hazard that the title names is certain: titles
/// are what their writers say a document is about.
pub fn document_hazards(title: &str, text: &str) -> HazardWeights {
    let mut weights = text_hazards(text);
    let title = Mentions::of(title);
    for (hazard, mass) in title.masses() {
        if mass >= lexicon::NAMED {
            weights.set(hazard.clone(), 1.0);
        }
    }
    weights
}

/// What a passage is about, judged by its words.
pub fn text_hazards(text: &str) -> HazardWeights {
    let mentions = Mentions::of(text);
    let most = mentions.masses().map(|(_, mass)| mass).fold(0.0, f32::max);
    let mut weights = HazardWeights::new();
    for (hazard, mass) in mentions.masses() {
        let weight = weight(mass, most, mentions.words());
        if weight >= LEAST_WEIGHT {
            weights.set(hazard.clone(), weight);
        }
    }
    weights
}

/// How much a text is about a hazard: how often it speaks of it, and how often beside the hazard
/// that it speaks of most.
fn weight(mass: f32, most: f32, words: usize) -> f32 {
    /// Mass in a hundred words at which a text is as much about the hazard as it can be: one term
    /// that names it.
    const FULL_DENSITY: f32 = 3.0;
    /// A passage of a few words is not about a hazard because of one hint in it.
    const FEWEST_WORDS: usize = 60;
    /// Share of the leading hazard's mass at which another one counts fully.
    const FULL_SHARE: f32 = 0.5;

    let density = mass * 100.0 / words.max(FEWEST_WORDS) as f32;
    let density = (density / FULL_DENSITY).min(1.0);
    let share = if most > 0.0 { mass / most } else { 0.0 };
    (density * (share / FULL_SHARE).min(1.0)).sqrt()
}

/// A chunk's labels: its own, and half of its document's, since a chunk in a report on an
/// earthquake is about that earthquake whether it says so or not.
pub(crate) fn chunk_hazards(document: &HazardWeights, own: &HazardWeights) -> HazardWeights {
    const INHERITED: f32 = 0.5;

    let mut weights: HazardWeights = document
        .iter()
        .map(|(hazard, weight)| (hazard.clone(), weight * INHERITED))
        .collect();
    for (hazard, weight) in own.iter() {
        let weight = weight.max(weights.get(hazard));
        weights.set(hazard.clone(), weight);
    }
    weights
}

/// What a passage is about when its words do not say: the hazard that it is near to in meaning.
pub(crate) fn hazard_by_meaning(nearest: Option<Hazard>) -> HazardWeights {
    nearest
        .map(|hazard| (hazard, LABELLED))
        .into_iter()
        .collect()
}

/// What a document is about when its words do not say: hazards of at least half of its chunks.
pub(crate) fn hazards_by_chunks(chunks: &[HazardWeights]) -> HazardWeights {
    Hazard::BUILT_IN
        .into_iter()
        .filter_map(|hazard| {
            let about = chunks.iter().filter(|own| own.get(&hazard) > 0.0).count();
            let share = about as f32 / chunks.len().max(1) as f32;
            (share >= LABELLED).then_some((hazard, share))
        })
        .collect()
}

/// A document's labels: what people declare, else what was found.
pub(crate) fn declared_or(
    declared: &[Hazard],
    find: impl FnOnce() -> HazardWeights,
) -> HazardWeights {
    if declared.is_empty() {
        find()
    } else {
        HazardWeights::declared(declared.iter().cloned())
    }
}
