//! What is asked and what documents say: the templates of `facets.json`, and questions that do
//! not depend on a place, of `general.json`. The sentences are the project's own.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::draw::SplitMix64;

/// One thing that can be asked of any place.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Facet {
    pub(crate) id: String,
    pub(crate) topic: String,
    /// Law of one authority: codes, permits, evacuation.
    pub(crate) hard: bool,
    pub(crate) heading: String,
    /// Ways to ask; the first is asked, the others are its paraphrases.
    pub(crate) ask: Vec<String>,
    /// Ways in which documents say it.
    pub(crate) say: Vec<String>,
    pub(crate) reference: String,
    /// Ranges of the figures: first, last, step.
    figures: BTreeMap<String, [u64; 3]>,
    words: BTreeMap<String, Vec<String>>,
    /// Sentences that stand beside it and answer nothing.
    pub(crate) beside: Vec<String>,
}

/// A question that does not depend on a place, with the sentence that answers it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct General {
    pub(crate) topic: String,
    pub(crate) ask: String,
    pub(crate) say: String,
}

/// The templates, in the order of the file.
pub(crate) fn facets() -> Result<Vec<Facet>, serde_json::Error> {
    serde_json::from_str(include_str!("facets.json"))
}

/// The questions without a place, in the order of the file.
pub(crate) fn generals() -> Result<Vec<General>, serde_json::Error> {
    serde_json::from_str(include_str!("general.json"))
}

impl Facet {
    /// The figures and words that hold for one place: the same whenever they are asked for.
    pub(crate) fn values(&self, seed: u64, place: &str) -> BTreeMap<String, String> {
        let mut draw = SplitMix64::named(seed, &format!("{} in {place}", self.id));
        let mut values = BTreeMap::new();
        for (name, &[first, last, step]) in &self.figures {
            let drawn = first + step * draw.below((last - first) / step + 1);
            values.insert(name.clone(), drawn.to_string());
        }
        for (name, list) in &self.words {
            values.insert(name.clone(), draw.one(list).clone());
        }
        values
    }

    /// The sentence that a document uses, one of the ways to say it.
    pub(crate) fn sentence(&self, seed: u64, place: &str) -> &str {
        let mut draw = SplitMix64::named(seed, &format!("words of {} in {place}", self.id));
        draw.one(self.say.as_slice()).as_str()
    }
}

/// Puts values into a template's braces, and a capital at its head.
pub(crate) fn fill(template: &str, values: &BTreeMap<String, String>) -> String {
    let filled = values
        .iter()
        .fold(template.to_owned(), |text, (name, value)| {
            text.replace(&format!("{{{name}}}"), value)
        });
    let mut chars = filled.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => filled,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_template_is_whole() {
        let facets = facets().unwrap();
        assert_eq!(facets.len(), 24);
        let ids: HashSet<&str> = facets.iter().map(|facet| facet.id.as_str()).collect();
        assert_eq!(ids.len(), facets.len());
        let topics: HashSet<&str> = facets.iter().map(|facet| facet.topic.as_str()).collect();
        assert_eq!(topics.len(), 8, "six topics of the paper, and two more");
        for facet in &facets {
            let mut values = facet.values(1, "x");
            assert!(facet.ask.iter().all(|ask| ask.contains("{place}")));
            for name in ["of_area", "in_area", "for_area", "to_area", "In_area"] {
                values.insert(name.to_owned(), "there".to_owned());
            }
            for template in facet.say.iter().chain([&facet.reference]) {
                let text = fill(template, &values);
                assert!(!text.contains(['{', '}']), "{text}");
                assert!(text.ends_with('.'), "{text}");
            }
        }
        assert_eq!(generals().unwrap().len(), 24);
    }

    #[test]
    fn values_belong_to_their_place() {
        let facet = &facets().unwrap()[3];
        assert_eq!(facet.values(1, "bend"), facet.values(1, "bend"));
        let different: HashSet<String> = ["bend", "boise", "reno", "oregon"]
            .iter()
            .map(|place| facet.values(1, place)["n"].clone())
            .collect();
        assert!(different.len() > 1);
    }
}
