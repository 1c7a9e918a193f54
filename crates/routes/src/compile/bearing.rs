//! Whether a sentence is about a route family at all: the family's names, its variables, or the
//! subject of its document.

use std::collections::BTreeSet;

use super::Sentence;
use super::phrases::words;
use crate::card::{Card, Statement};
use crate::vocabulary;

/// Words of titles that say nothing about the subject.
const COMMON: &[&str] = &[
    "and",
    "the",
    "for",
    "with",
    "from",
    "that",
    "this",
    "model",
    "models",
    "method",
    "methods",
    "hazard",
    "hazards",
    "using",
    "based",
    "assessment",
    "assessments",
    "national",
    "report",
    "survey",
    "geological",
    "states",
    "united",
    "western",
    "data",
    "analysis",
    "map",
    "maps",
];

/// What a family is known by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    names: BTreeSet<String>,
    variables: BTreeSet<String>,
    subject: BTreeSet<String>,
}

impl Subject {
    /// From its card.
    pub fn of(card: &Card) -> Subject {
        let mut names = BTreeSet::new();
        for reference in &card.references {
            // "Staley, Negri, Kean: Prediction of ..."
            if let Some((authors, _)) = reference.publication.split_once(": ") {
                let surnames = words(authors).into_iter().map(|word| word.text);
                names.extend(surnames.filter(|name| name.len() >= 4 && !is_common(name)));
            }
        }
        // Programs are known by acronyms.
        let acronyms = card.title.split(|c: char| !c.is_alphanumeric());
        names.extend(
            acronyms
                .filter(|word| {
                    word.len() >= 4 && word.chars().filter(|c| c.is_uppercase()).count() >= 3
                })
                .map(str::to_lowercase),
        );
        let mut variables: BTreeSet<String> = card
            .conditions
            .iter()
            .filter(|condition| !matches!(condition.statement, Statement::Inside { .. }))
            .map(|condition| condition.variable.clone())
            .collect();
        variables.insert(card.output.kind.variable.clone());
        variables.extend(card.stages.iter().map(|stage| stage.gives.clone()));
        for stage in &card.stages {
            variables.extend(stage.with.keys().cloned());
            for name in &stage.any_of {
                let Some(node) = crate::Registry::standard().find(name) else {
                    continue;
                };
                variables.extend(node.inputs.iter().map(|port| port.kind.variable.clone()));
            }
        }
        Subject {
            names,
            variables,
            subject: subject_words(&card.track.replace('-', " "))
                .chain(subject_words(&card.title))
                .collect(),
        }
    }

    /// Whether a sentence that names these variables bears on the family: it or its headings name
    /// the family, or its document is about the subject and it names a variable of the family, or
    /// both title and section are about the subject.
    pub fn bears(&self, sentence: &Sentence, named: &[String]) -> bool {
        let section = sentence.section.as_deref().unwrap_or_default();
        let around = format!("{} {section}", sentence.quote.title);
        let own = words(sentence.quote.span.quote());
        let named_here = words(&around)
            .into_iter()
            .chain(own)
            .any(|word| self.names.contains(&word.text));
        let subject: BTreeSet<String> = subject_words(&around).collect();
        let shared = subject.intersection(&self.subject).count();
        let variable = named.iter().any(|variable| {
            self.variables.contains(variable)
                || vocabulary::kinds_of(variable).any(|kind| self.variables.contains(kind))
                || self
                    .variables
                    .iter()
                    .any(|own| vocabulary::is_kind_of(own, variable))
        });
        named_here || shared >= 2 || shared >= 1 && variable
    }
}

fn is_common(word: &str) -> bool {
    COMMON.contains(&word)
}

/// The words that a title is about, without plural.
fn subject_words(text: &str) -> impl Iterator<Item = String> {
    words(
        &text
            .replace("post-fire", "postfire")
            .replace("Post-fire", "postfire"),
    )
    .into_iter()
    .map(|word| word.text.trim_end_matches('s').to_owned())
    .filter(|word| word.len() >= 4 && !is_common(word))
    .collect::<Vec<_>>()
    .into_iter()
}
