//! The swap benchmark: the same questions asked of many places, and a small corpus that can answer
//! them for some.
//!
//! Topic templates (the six topics of the appendix of GeoRisk-RAG, and evacuation and insurance)
//! are asked of towns, counties, states, regions and tribal lands, in the United States and abroad.
//! The corpus holds evidence at chosen levels only, so that the good decisions are known by
//! construction: from the level table that is dealt with a seed, and from a table of places listed
//! by hand. The gazetteer is never asked, or the key would share its mistakes.
//!
//! | module | holds |
//! |---|---|
//! | `places` | the places, and how they lie to each other |
//! | `topics` | what is asked and what documents say |
//! | `levels` | for which places the corpus has evidence |
//! | `key` | the good decisions that follow |
//! | `text` | the documents |
//! | `asked` | which places are asked about |
//! | [`mod@write`] | the files |
//! | [`statistics`] | GeoRisk-RAG's Table 1 and Figure 3 for the set |

mod asked;
mod key;
mod levels;
mod places;
pub mod statistics;
mod text;
mod topics;
pub mod write;

use std::collections::BTreeMap;

use serde::Serialize;

use levels::Evidence;
use places::Places;
use topics::{Facet, General};

pub use text::Document;

/// What is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// The seed: the same one gives the same files.
    pub seed: u64,
    /// How many of the 24 things to ask are asked; the corpus holds no more than these.
    pub facets: usize,
    /// Of how many places each is asked.
    pub places: usize,
}

impl Default for Wanted {
    /// The whole set: 24 things asked of 28 places each, and 24 questions without a place.
    fn default() -> Wanted {
        Wanted {
            seed: 1,
            facets: 24,
            places: 28,
        }
    }
}

/// A question with its key, as a line of the set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SwapQuestion {
    /// `swap-`, what is asked, and the place.
    pub id: String,
    /// The question.
    pub question: String,
    /// Other ways to ask the same.
    pub paraphrases: Vec<String>,
    /// The place asked about.
    pub place: Option<String>,
    /// How large it is.
    pub place_level: Option<&'static str>,
    /// The state, province or country that it is counted under.
    pub state: Option<String>,
    /// Its country.
    pub country: Option<String>,
    /// Topic.
    pub category: String,
    /// Hazard.
    pub hazard: &'static str,
    /// Whether it asks for the law of one authority.
    pub hard_topic: bool,
    /// What answers it, in few words; `None` where nothing in the corpus may be used.
    pub reference_answer: Option<String>,
    /// Answers as good, from other documents that may be used.
    pub reference_alternatives: Vec<String>,
    /// The good decision.
    pub expected_decision: String,
    /// `yes` or `no`.
    pub location_dependent: &'static str,
    /// How the best evidence lies to the place asked about.
    pub geo_error_type: &'static str,
    /// Questions that ask the same of other places share it.
    pub group: String,
    /// Places of which a warning has to name one.
    pub warning_names: Vec<String>,
    /// A document that it may be answered from.
    pub document: Option<String>,
    /// The sentence there.
    pub evidence: Option<String>,
    /// Documents that say something on the question, by how they lie to the place asked about.
    pub relations: BTreeMap<&'static str, Vec<String>>,
}

/// The whole benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct SwapSet {
    /// The questions.
    pub questions: Vec<SwapQuestion>,
    /// The corpus.
    pub documents: Vec<Document>,
    /// The level table: what is asked, and the places with evidence.
    pub levels: Vec<(String, Vec<&'static str>)>,
}

/// Builds the benchmark.
///
/// ```
/// use lahar_bench::swaps::{Wanted, build};
/// let set = build(&Wanted::default()).unwrap();
/// assert_eq!(set.questions.len(), 24 * 28 + 24);
/// ```
pub fn build(wanted: &Wanted) -> Result<SwapSet, serde_json::Error> {
    let places = Places::committed();
    let mut facets = topics::facets()?;
    facets.truncate(wanted.facets);
    let mut generals = topics::generals()?;
    generals.truncate(wanted.facets);
    let seed = wanted.seed;
    let evidence: Vec<Evidence> = facets
        .iter()
        .enumerate()
        .map(|(number, facet)| levels::deal(&places, facet, number, seed))
        .collect();
    let mut documents: Vec<Document> = (0..places.len())
        .filter_map(|at| text::document(&places, at, &facets, &evidence, seed))
        .collect();
    documents.extend(text::leaflets(&facets, &evidence, &generals, seed));
    let mut questions = Vec::new();
    for (facet, evidence) in facets.iter().zip(&evidence) {
        for chosen in asked::choose(&places, facet, evidence, wanted) {
            questions.push(question(&places, facet, evidence, &chosen, seed));
        }
    }
    questions.extend(generals.iter().enumerate().map(without_place));
    let levels = facets
        .iter()
        .zip(&evidence)
        .map(|(facet, evidence)| {
            let held = evidence.places.iter().map(|&at| places.get(at).id);
            (facet.id.clone(), held.collect())
        })
        .collect();
    Ok(SwapSet {
        questions,
        documents,
        levels,
    })
}

fn question(
    places: &Places,
    facet: &Facet,
    evidence: &Evidence,
    chosen: &asked::Chosen,
    seed: u64,
) -> SwapQuestion {
    let place = places.get(chosen.place);
    let ask = |template: &String| template.replace("{place}", &chosen.form);
    let good = &chosen.good;
    let mut references = good
        .from
        .iter()
        .map(|&at| text::reference(places, at, facet, seed));
    let agency = good.decision == lahar_core::Decision::Warn && good.from.is_empty();
    let reference_answer = references.next().or_else(|| {
        agency.then(|| topics::fill(&facet.reference, &facet.values(seed, text::AGENCY_LEAFLET)))
    });
    let mut relations: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    for &at in &evidence.places {
        let word = match places.lie(chosen.place, at) {
            places::Lie::Exact => "exact",
            places::Lie::Broader => "coarse",
            places::Lie::Overlap => "overlap",
            places::Lie::Finer => "fine",
            places::Lie::Different | places::Lie::Unclear => "mismatch",
        };
        let file = text::file(places, at, seed);
        relations.entry(word).or_default().push(file);
    }
    for (held, file) in [
        (evidence.leaflet, text::LEAFLET),
        (evidence.agency_leaflet, text::AGENCY_LEAFLET),
    ] {
        if held {
            relations.entry("none").or_default().push(file.to_owned());
        }
    }
    let source = good.from.first().copied();
    let file = source.map(|at| text::file(places, at, seed));
    SwapQuestion {
        id: format!("swap-{}-{}", facet.id, place.id),
        question: ask(&facet.ask[0]),
        paraphrases: facet.ask[1..].iter().map(ask).collect(),
        place: Some(places.forms(chosen.place).swap_remove(0)),
        place_level: Some(place.level.word()),
        state: Some(places.get(places.state(chosen.place)).name.to_owned()),
        country: Some(places.get(places.country(chosen.place)).name.to_owned()),
        category: facet.topic.clone(),
        hazard: "wildfire",
        hard_topic: facet.hard,
        reference_answer,
        reference_alternatives: references.collect(),
        expected_decision: good.decision.to_string(),
        location_dependent: "yes",
        geo_error_type: good.kind,
        group: facet.id.clone(),
        warning_names: match good.decision {
            lahar_core::Decision::Warn => good
                .from
                .iter()
                .map(|&at| places.get(at).name.to_owned())
                .collect(),
            _ => Vec::new(),
        },
        document: file.or_else(|| agency.then(|| text::AGENCY_LEAFLET.to_owned())),
        evidence: source.map(|at| text::fact(places, at, facet, seed)),
        relations,
    }
}

fn without_place((number, general): (usize, &General)) -> SwapQuestion {
    SwapQuestion {
        id: format!("swap-general-{:02}", number + 1),
        question: general.ask.clone(),
        paraphrases: Vec::new(),
        place: None,
        place_level: None,
        state: None,
        country: None,
        category: general.topic.clone(),
        hazard: "wildfire",
        hard_topic: false,
        reference_answer: Some(general.say.clone()),
        reference_alternatives: Vec::new(),
        expected_decision: lahar_core::Decision::Answer.to_string(),
        location_dependent: "no",
        geo_error_type: "none",
        group: format!("general-{:02}", number + 1),
        warning_names: Vec::new(),
        document: Some(text::PRIMER.to_owned()),
        evidence: Some(general.say.clone()),
        relations: BTreeMap::new(),
    }
}

#[cfg(test)]
mod tests;
