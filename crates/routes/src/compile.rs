//! The knowledge compiler: from sentences of the user's library to candidate conditions of a route
//! family (HazardWeaver, arXiv:2610.03591, section 3.1).
//!
//! A sentence climbs a ladder and never skips a rung: a *candidate* looks like a condition; it is
//! *grounded* where its part is sure and it bears on the family; it is *canonical* where a program
//! can check it, with a variable of the vocabulary, a unit that fits and places that the gazetteer
//! knows; it is *reviewed* when a person has said so, strict or advisory. Only reviewed conditions
//! ever decide anything.
//!
//! | module | holds |
//! |---|---|
//! | [`mod@judge`] | whether a sentence states a condition, and in which part |
//! | [`cues`] | signs of each role, weighed |
//! | [`phrases`] | words and phrases in a sentence |
//! | [`mod@limits`] | numbers with units, and what they limit |
//! | [`terms`] | words of the field for variables |
//! | [`mod@regions`] | whole places, and parts of them |
//! | [`statement`] | what a program can check |
//! | [`bearing`] | whether a sentence is about the family at all |
//! | [`merge`] | equivalent findings become one, and disagreeing ones stand side by side |
//! | [`proposed`] | candidates that a chat model names, held to the words |
//! | [`supplement`] | the file of compiled conditions, its reviews, and cards with them |

pub mod bearing;
pub mod cues;
pub mod judge;
pub mod limits;
pub mod merge;
pub mod phrases;
pub mod proposed;
pub mod regions;
pub mod statement;
pub mod supplement;
pub mod terms;

use std::fmt;

use lahar_places::Gazetteer;
use serde::{Deserialize, Serialize};

use crate::card::{Card, Direction, Role, Statement};
use crate::verdict::Quote;
use bearing::Subject;
use judge::judge;
use statement::Asked;

/// A sentence of the user's library.
#[derive(Debug, Clone, PartialEq)]
pub struct Sentence {
    /// The sentence with its document's title.
    pub quote: Quote,
    /// The headings above it.
    pub section: Option<String>,
    /// Year of the document; 0 where none is known.
    pub year: u16,
}

/// How far a finding has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// It looks like a condition.
    Candidate,
    /// Its part is sure, its words stand in the library, and it bears on the family.
    Grounded,
    /// A program can check it.
    Canonical,
    /// A person has accepted it.
    Reviewed,
    /// A person has refused it.
    Rejected,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stage::Candidate => "candidate",
            Stage::Grounded => "grounded",
            Stage::Canonical => "canonical",
            Stage::Reviewed => "reviewed",
            Stage::Rejected => "rejected",
        })
    }
}

/// Who found it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FoundBy {
    /// The rules of this module.
    Rules,
    /// A chat model, whose quote stands verbatim in the library.
    Model,
}

/// How a finding stands to the card that ships.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "card")]
pub enum Against {
    /// The card says nothing of it.
    New,
    /// The card says the same.
    Same {
        /// Its condition.
        condition: String,
    },
    /// The card has another limit for it.
    Differs {
        /// Its condition.
        condition: String,
    },
}

/// A condition that was found, with every sentence that states it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// Part.
    pub role: Role,
    /// What a program can check; none where only people can.
    #[serde(skip)]
    pub asked: Option<Asked>,
    /// The same in one line.
    pub statement: Option<String>,
    /// Variables that the sentence names.
    pub variables: Vec<String>,
    /// How far it has come.
    pub stage: Stage,
    /// What speaks for it.
    pub weight: f64,
    /// Who found it.
    pub by: FoundBy,
    /// How it stands to the card.
    pub against: Against,
    /// Findings of one group give different limits for one variable.
    pub group: Option<String>,
    /// The sentences.
    pub evidence: Vec<Quote>,
    /// Section of the first sentence.
    pub section: Option<String>,
    /// Year of the first document; 0 where none is known.
    pub year: u16,
}

/// What was found for a route family.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compilation {
    /// Route.
    pub route: String,
    /// Sentences that were read.
    pub sentences: usize,
    /// What was found, the furthest first.
    pub findings: Vec<Finding>,
    /// What a chat model named that does not stand in the library.
    pub refused: Vec<String>,
}

/// Compiles sentences for a route family.
pub fn compile(card: &Card, sentences: &[Sentence], gazetteer: &Gazetteer) -> Compilation {
    let subject = Subject::of(card);
    let mut findings = Vec::new();
    for sentence in sentences {
        let text = sentence.quote.span.quote();
        let Some(judged) = judge(gazetteer, text) else {
            continue;
        };
        let bears = subject.bears(sentence, &judged.variables);
        let parts = match judged.asked.is_empty() {
            true => vec![None],
            false => judged.asked.iter().cloned().map(Some).collect(),
        };
        for asked in parts {
            let stage = match (judged.is_sure() && bears, &asked) {
                (false, _) => Stage::Candidate,
                (true, None) => Stage::Grounded,
                (true, Some(_)) => Stage::Canonical,
            };
            findings.push(Finding {
                role: judged.role,
                statement: asked.as_ref().map(one),
                asked,
                variables: judged.variables.clone(),
                stage,
                weight: judged.weight,
                by: FoundBy::Rules,
                against: Against::New,
                group: None,
                evidence: vec![sentence.quote.clone()],
                section: sentence.section.clone(),
                year: sentence.year,
            });
        }
    }
    Compilation {
        route: card.id.clone(),
        sentences: sentences.len(),
        findings: merge::merged(card, findings),
        refused: Vec::new(),
    }
}

/// Questions by which the library is searched for conditions of a family: its names, and what a
/// condition of each role is usually said with.
pub fn questions(card: &Card) -> Vec<String> {
    let method = card
        .references
        .first()
        .map_or(card.title.as_str(), |reference| {
            reference
                .publication
                .rsplit_once(": ")
                .map_or(reference.publication.as_str(), |(_, title)| title)
        });
    let about = card.track.replace('-', " ");
    let asks = [
        "what the model assumes and neglects",
        "which input data and observations the model requires",
        "for which range of values the model is valid",
        "the region and data the model was calibrated and tested with",
        "the resolution and scale of the model",
        "the uncertainty and error of the model's predictions",
        "where the model fails or should not be used",
    ];
    let mut found = vec![card.title.clone(), method.to_owned()];
    found.extend(asks.iter().map(|ask| format!("{about}: {ask}")));
    found.extend(asks.iter().map(|ask| format!("{method}: {ask}")));
    found
}

/// What a program can check, in one line: variables, bounds in the unit that was written, places.
pub fn shown(asked: &[Asked]) -> Option<String> {
    let parts: Vec<String> = asked.iter().map(one).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn one(asked: &Asked) -> String {
    let not = match asked.direction {
        Direction::Requires => "",
        Direction::Excludes => "not ",
    };
    let what = match &asked.statement {
        Statement::Within {
            lowest,
            highest,
            unit,
        } => {
            let low = lowest.map(|(v, own)| format!("{} {v} ", if own { ">=" } else { ">" }));
            let high = highest.map(|(v, own)| format!("{} {v} ", if own { "<=" } else { "<" }));
            format!(
                "{}{}{unit}",
                low.unwrap_or_default(),
                high.unwrap_or_default()
            )
        }
        Statement::Inside { places } => format!("in {}", places.join(", ")),
        Statement::Present { .. } => "present".to_owned(),
        Statement::OneOf { words } => format!("one of {}", words.join(", ")),
        Statement::QualityAtLeast { quality } => format!("at least {quality:?}"),
        Statement::Stated => "stated".to_owned(),
    };
    format!("{not}{} {what}", asked.variable)
}
