//! GeoRisk-RAG's Table 1 and Figure 3 for a set of questions: how many, of which places, on which
//! topics, and how many of them depend on a place.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{SwapQuestion, SwapSet};

/// The figures of Table 1, the cells of Figure 3.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statistics {
    /// Questions in all.
    pub questions: usize,
    /// Questions whose answer depends on a place.
    pub location_dependent: usize,
    /// States of the United States that places asked about lie in.
    pub states: usize,
    /// Countries, provinces and states that questions are counted under, with those abroad.
    pub states_and_provinces: usize,
    /// Towns and cities asked about.
    pub cities: usize,
    /// Mean number of words in a question.
    pub words_in_question: f64,
    /// Mean number of words in a reference answer.
    pub words_in_answer: f64,
    /// Questions by the level of their place.
    pub by_level: BTreeMap<&'static str, usize>,
    /// Questions by their good decision.
    pub by_decision: BTreeMap<String, usize>,
    /// Questions by how the best evidence lies.
    pub by_relation: BTreeMap<&'static str, usize>,
    /// Documents of the corpus.
    pub documents: usize,
    /// Questions by topic and state, location-dependent ones.
    pub by_topic_and_state: BTreeMap<String, BTreeMap<String, usize>>,
    /// Questions by topic that do not depend on a place.
    pub not_dependent: BTreeMap<String, usize>,
}

/// Counts a set.
pub fn statistics(set: &SwapSet) -> Statistics {
    let questions = &set.questions;
    let dependent = |q: &&SwapQuestion| q.location_dependent == "yes";
    let words = |text: &str| text.split_whitespace().count();
    let mean = |counts: Vec<usize>| match counts.len() {
        0 => 0.0,
        n => counts.iter().sum::<usize>() as f64 / n as f64,
    };
    let mut statistics = Statistics {
        questions: questions.len(),
        location_dependent: questions.iter().filter(dependent).count(),
        states: 0,
        states_and_provinces: 0,
        cities: 0,
        words_in_question: mean(questions.iter().map(|q| words(&q.question)).collect()),
        words_in_answer: mean(
            questions
                .iter()
                .filter_map(|q| q.reference_answer.as_deref())
                .map(words)
                .collect(),
        ),
        by_level: BTreeMap::new(),
        by_decision: BTreeMap::new(),
        by_relation: BTreeMap::new(),
        documents: set.documents.len(),
        by_topic_and_state: BTreeMap::new(),
        not_dependent: BTreeMap::new(),
    };
    let (mut states, mut all, mut cities) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for question in questions {
        *statistics
            .by_decision
            .entry(question.expected_decision.clone())
            .or_default() += 1;
        let topic = question.category.clone();
        let (Some(state), Some(level)) = (&question.state, question.place_level) else {
            *statistics.not_dependent.entry(topic).or_default() += 1;
            continue;
        };
        *statistics
            .by_relation
            .entry(question.geo_error_type)
            .or_default() += 1;
        *statistics.by_level.entry(level).or_default() += 1;
        *statistics
            .by_topic_and_state
            .entry(topic)
            .or_default()
            .entry(state.clone())
            .or_default() += 1;
        all.insert(state.clone());
        if level == "place" {
            cities.insert(question.place.clone());
        }
        let in_us = question.country.as_deref() == Some("United States");
        if in_us && matches!(level, "place" | "county" | "state") {
            states.insert(state.clone());
        }
    }
    statistics.states = states.len();
    statistics.states_and_provinces = all.len();
    statistics.cities = cities.len();
    statistics
}

/// Table 1 and Figure 3 as text.
pub fn table(statistics: &Statistics) -> String {
    let Statistics {
        questions, states, ..
    } = statistics;
    let mut text = format!(
        "GeoRisk-RAG's Table 1 for this set (the paper's own set in brackets)\n\
         \x20 question-answer pairs     {questions} (449)\n\
         \x20 depending on a place      {}\n\
         \x20 states asked about        {states} (19)\n\
         \x20 states, provinces, countries {}\n\
         \x20 cities                    {} (28)\n\
         \x20 words in a question       {:.1} (18 tokens)\n\
         \x20 words in an answer        {:.1} (156 tokens)\n\
         \x20 documents                 {}\n",
        statistics.location_dependent,
        statistics.states_and_provinces,
        statistics.cities,
        statistics.words_in_question,
        statistics.words_in_answer,
        statistics.documents,
    );
    let mut counts = |title: &str, cells: Vec<(String, usize)>| {
        text.push_str(&format!("\n{title}\n"));
        for (name, count) in cells {
            text.push_str(&format!("  {name:<24} {count}\n"));
        }
    };
    let named = |map: &BTreeMap<&'static str, usize>| {
        map.iter()
            .map(|(name, count)| ((*name).to_owned(), *count))
            .collect::<Vec<_>>()
    };
    counts(
        "Questions by level of the place",
        named(&statistics.by_level),
    );
    counts(
        "Questions by good decision",
        statistics.by_decision.clone().into_iter().collect(),
    );
    counts(
        "Questions by the best evidence",
        named(&statistics.by_relation),
    );
    text.push_str(
        "\nGeoRisk-RAG's Figure 3 for this set: questions by topic (columns) and state\n",
    );
    text.push_str(&matrix(statistics));
    text
}

fn matrix(statistics: &Statistics) -> String {
    let topics: BTreeSet<&String> = statistics
        .by_topic_and_state
        .keys()
        .chain(statistics.not_dependent.keys())
        .collect();
    let states: BTreeSet<&String> = statistics
        .by_topic_and_state
        .values()
        .flat_map(BTreeMap::keys)
        .collect();
    let short = |topic: &str| topic.split(' ').next().unwrap_or_default().to_owned();
    let mut text = format!("  {:<22}", "");
    for topic in &topics {
        text.push_str(&format!("{:>11}", short(topic)));
    }
    text.push('\n');
    let mut row = |name: &str, of: &dyn Fn(&String) -> Option<usize>| {
        text.push_str(&format!("  {name:<22}"));
        for topic in &topics {
            let cell = of(topic).map_or_else(|| ".".to_owned(), |count| count.to_string());
            text.push_str(&format!("{cell:>11}"));
        }
        text.push('\n');
    };
    for state in states {
        row(state, &|topic| {
            statistics
                .by_topic_and_state
                .get(topic)
                .and_then(|states| states.get(state))
                .copied()
        });
    }
    row("(no place)", &|topic| {
        statistics.not_dependent.get(topic).copied()
    });
    text
}
