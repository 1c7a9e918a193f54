//! The agents by rules, over a library: routed retrieval, the judgement that the asker itself
//! makes, and the rewriter's ways one after the other.

use std::collections::BTreeMap;

use lahar_core::{Decision, Hazard, Reason, ReasonCode};
use lahar_library::{Hit, Reranking, SearchRequest};

use super::algorithm::{self, Agents, Behaviour, Of, Step, Sufficiency};
use super::rewriter;
use super::router::{self, Routing, Source};
use crate::answer::{Outcome, Statement};
use crate::ask::{AskError, Asker, Attempt};
use crate::claims::Labelled;
use crate::geography::PlaceReading;
use crate::question::{AsksFor, Reading};

/// Chunks near the question whose hazards stand in where its words name none.
const NEAREST: usize = 20;

impl Asker<'_> {
    /// Which hazards a question is about: by its words and the events it names, else by what the
    /// chunks nearest to it are about.
    pub fn route(&self, question: &str, vector: Option<&[f32]>) -> Result<Routing, AskError> {
        let all = self.method.candidates();
        let words = router::by_words(question);
        if !words.is_empty() {
            return Ok(router::divide(&words, all, Source::Words));
        }
        let request = SearchRequest {
            ranking: self.method.ranking(),
            limit: NEAREST,
            ..SearchRequest::new(question).with_vector(vector.map(<[f32]>::to_vec))
        };
        let near = self
            .library
            .retrieve(&request, self.embedder, Reranking::Off)?;
        let mut shares: BTreeMap<Hazard, f64> = BTreeMap::new();
        for hit in &near {
            for (hazard, weight) in hit.chunk.hazards.iter() {
                *shares.entry(hazard.clone()).or_default() += f64::from(weight);
            }
        }
        let most = shares.values().copied().fold(0.0, f64::max);
        let shares: Vec<(Hazard, f64)> = shares
            .into_iter()
            .map(|(hazard, share)| (hazard, share / most.max(1.0)))
            .collect();
        let source = match shares.is_empty() {
            true => Source::Nothing,
            false => Source::Library,
        };
        Ok(router::divide(&shares, all, source))
    }

    /// Retrieval with the candidates divided over hazards.
    pub(crate) fn retrieve_routed(
        &self,
        request: &SearchRequest,
        reranking: Reranking<'_>,
    ) -> Result<Vec<Hit>, AskError> {
        let routing = self.route(&request.text, request.query_vector.as_deref())?;
        let budgets: Vec<(Hazard, usize)> = routing
            .budgets
            .into_iter()
            .map(|budget| (budget.hazard, budget.candidates))
            .collect();
        let mixture = self
            .library
            .retrieve_mixture(request, &budgets, self.embedder, reranking)?;
        Ok(mixture.hits)
    }

    /// Asks by the loop. Where nothing suffices, what the first attempt found says why.
    pub(crate) fn ask_by_loop(
        &self,
        question: &str,
        reading: &Reading,
        places: &PlaceReading,
        behaviour: Behaviour,
    ) -> Result<Attempt, AskError> {
        let mut agents = Questions {
            asker: self,
            reading,
            places,
            ways: self.ways(question, reading, places),
            first: None,
        };
        let outcome = algorithm::run(&mut agents, question, behaviour)?;
        let steps = outcome.steps;
        let found = outcome.evidence.is_some();
        let elsewhere = self.found_elsewhere(&steps);
        let mut attempt = match outcome.evidence.or(agents.first) {
            Some(attempt) => attempt,
            None => self.attempt(question, reading, places)?,
        };
        if !found && !matches!(attempt.decided.outcome, Outcome::Abstained { .. }) {
            let missing = vec![asked_for(reading).to_owned()];
            attempt.decided.outcome = Outcome::Abstained { missing };
        }
        if !found {
            attempt.decided.reasons.push(gave_up(&steps, behaviour));
        }
        attempt.decided.reasons.extend(elsewhere);
        attempt.trace.steps = steps;
        Ok(attempt)
    }

    /// Checks a claim, or chooses an option, by the loop: `label` does so once, for a search text.
    pub(crate) fn label_by_loop(
        &self,
        question: &str,
        behaviour: Behaviour,
        label: &dyn Fn(&Asker<'_>, &str) -> Result<Labelled, AskError>,
    ) -> Result<Labelled, AskError> {
        let reading = Reading::of(question);
        let places = PlaceReading::of(question, None)?;
        let mut agents = Labels {
            asker: self,
            label,
            ways: self.ways(question, &reading, &places),
            first: None,
        };
        let outcome = algorithm::run(&mut agents, question, behaviour)?;
        let steps = outcome.steps;
        let found = outcome.evidence.is_some();
        let mut labelled = match outcome.evidence.or(agents.first) {
            Some(labelled) => labelled,
            None => label(self, question)?,
        };
        labelled.answer.reasons.extend(self.found_elsewhere(&steps));
        if !found {
            labelled.answer.reasons.push(gave_up(&steps, behaviour));
        }
        labelled.answer.trace.steps = steps;
        Ok(labelled)
    }

    /// The other library, where there is one and it may be searched.
    fn other(&self) -> Option<&Asker<'_>> {
        self.elsewhere.filter(|_| !self.without.search)
    }

    /// That what suffices came from the other library: it is cited as such.
    fn found_elsewhere(&self, steps: &[Step]) -> Option<Reason> {
        let last = steps.iter().rev().find_map(|step| match step {
            Step::Evaluate {
                of, sufficiency, ..
            } => Some((*of, sufficiency.sufficient)),
            _ => None,
        });
        let other = self.other().filter(|_| last == Some((Of::Search, true)))?;
        let path = other.library.path().display();
        let message = format!("It comes from another library, {path}; this one does not suffice.");
        Some(Reason::new(ReasonCode::EvidenceFound, message))
    }

    fn ways(&self, question: &str, reading: &Reading, places: &PlaceReading) -> Vec<String> {
        match self.without.rewriter {
            true => Vec::new(),
            false => rewriter::ways(question, reading, &places.names_around()),
        }
    }
}

/// That the loop came to its end.
fn gave_up(steps: &[Step], behaviour: Behaviour) -> Reason {
    let searched = steps
        .iter()
        .filter(|step| matches!(step, Step::Retrieve { .. }))
        .count();
    let memory = match behaviour {
        Behaviour::Printed => {
            " The printed algorithm answers from a model's memory here; no model is configured."
        }
        Behaviour::Ours => "",
    };
    let message =
        format!("The library was searched in {searched} ways, and nothing sufficed.{memory}");
    Reason::new(ReasonCode::NoEvidence, message)
}

fn asked_for(reading: &Reading) -> &'static str {
    match reading.asks_for {
        AsksFor::Quantity => "a passage that gives a figure",
        AsksFor::Time => "a passage that gives a time",
        AsksFor::Statement => "a passage that says what is asked",
    }
}

/// Open questions.
struct Questions<'a> {
    asker: &'a Asker<'a>,
    reading: &'a Reading,
    places: &'a PlaceReading,
    ways: Vec<String>,
    first: Option<Attempt>,
}

impl Agents for Questions<'_> {
    type Evidence = Attempt;
    type Error = AskError;

    fn retrieve(&mut self, question: &str) -> Result<Attempt, AskError> {
        self.asker.attempt(question, self.reading, self.places)
    }

    fn chunks(&self, evidence: &Attempt) -> Vec<i64> {
        let chunks = evidence.trace.retrieved.iter();
        chunks.map(|considered| considered.chunk_id).collect()
    }

    /// Evidence suffices where something bears on the question, holds for its place, and gives the
    /// kind of thing that is asked for: one decision, with its reasons.
    fn evaluate(&mut self, _: &str, evidence: &Attempt) -> Result<Sufficiency, AskError> {
        let reasons = evidence.decided.reasons.iter();
        let mut why: Vec<String> = reasons.map(|reason| reason.message.clone()).collect();
        let outcome = &evidence.decided.outcome;
        let mut said = outcome.statements().iter().map(Statement::text);
        let mut sufficient = outcome.decision() != Decision::Abstain;
        if sufficient && !said.any(|text| gives(self.reading.asks_for, text)) {
            sufficient = false;
            why = vec![format!("It lacks {}.", asked_for(self.reading))];
        }
        if self.first.is_none() && !sufficient {
            self.first = Some(evidence.clone());
        }
        Ok(Sufficiency {
            sufficient,
            why: why.join(" "),
        })
    }

    fn search(&mut self, question: &str) -> Result<Option<Attempt>, AskError> {
        let other = self.asker.other();
        other
            .map(|other| other.attempt(question, self.reading, self.places))
            .transpose()
    }

    fn rewrite(&mut self, _: &str, _: &Attempt) -> Result<Option<String>, AskError> {
        Ok((!self.ways.is_empty()).then(|| self.ways.remove(0)))
    }
}

/// Whether a text gives the kind of thing that is asked for.
fn gives(asks_for: AsksFor, text: &str) -> bool {
    let has_number = || text.chars().any(|c| c.is_ascii_digit()) || crate::numerals::any(text);
    match asks_for {
        AsksFor::Statement => true,
        AsksFor::Quantity | AsksFor::Time => has_number(),
    }
}

/// Claims and choices.
struct Labels<'a> {
    asker: &'a Asker<'a>,
    label: &'a dyn Fn(&Asker<'_>, &str) -> Result<Labelled, AskError>,
    ways: Vec<String>,
    first: Option<Labelled>,
}

impl Agents for Labels<'_> {
    type Evidence = Labelled;
    type Error = AskError;

    fn retrieve(&mut self, question: &str) -> Result<Labelled, AskError> {
        (self.label)(self.asker, question)
    }

    fn chunks(&self, evidence: &Labelled) -> Vec<i64> {
        let chunks = evidence.answer.trace.retrieved.iter();
        chunks.map(|considered| considered.chunk_id).collect()
    }

    fn evaluate(&mut self, _: &str, evidence: &Labelled) -> Result<Sufficiency, AskError> {
        let reasons = evidence.answer.reasons.iter();
        let why: Vec<String> = reasons.map(|reason| reason.message.clone()).collect();
        let sufficient = evidence.label.is_some();
        if self.first.is_none() && !sufficient {
            self.first = Some(evidence.clone());
        }
        Ok(Sufficiency {
            sufficient,
            why: why.join(" "),
        })
    }

    fn search(&mut self, question: &str) -> Result<Option<Labelled>, AskError> {
        let other = self.asker.other();
        other.map(|other| (self.label)(other, question)).transpose()
    }

    fn rewrite(&mut self, _: &str, _: &Labelled) -> Result<Option<String>, AskError> {
        Ok((!self.ways.is_empty()).then(|| self.ways.remove(0)))
    }
}
