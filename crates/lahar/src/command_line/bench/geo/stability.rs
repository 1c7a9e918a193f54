//! Whether variants of a question find the same passages.

use std::collections::{BTreeMap, HashMap};

use lahar_answers::{AskError, Method};
use lahar_bench::Item;
use lahar_bench::geo::stability::{Retrieved, run_stability};
use lahar_bench::interval::Estimate;
use lahar_models::{Embedder, TextRole};

use crate::failure::{Failure, Kind};
use crate::output::Output;
use crate::workplace::Questioned;

/// Asks every question, its paraphrases and, where there is one, the second library, and compares
/// the passages by the vectors of the first library's model.
pub(super) fn measure(
    questioned: &Questioned,
    second: Option<&Questioned>,
    method: Method,
    items: &[Item],
    output: Output,
) -> Result<BTreeMap<&'static str, Estimate>, Failure> {
    let Some(model) = questioned.embedder.as_deref() else {
        return Err(Failure::new(
            Kind::Model,
            "stability compares vectors of passages, and no embedding model is in use",
        )
        .hint("lahar models pull all-MiniLM-L6-v2"));
    };
    let vectors = std::cell::RefCell::new(Vectors {
        model,
        known: HashMap::new(),
    });
    let bar = output.progress(items.len() as u64, "stability");
    let own = questioned.asker(method);
    let other = second.map(|second| second.asker(method));
    let figures = run_stability(
        items,
        |question, text| {
            if *text == question.text {
                bar.inc(1);
            }
            vectors.borrow_mut().of(&own.ask(text, None)?)
        },
        |_, text| match &other {
            Some(other) => Ok(Some(vectors.borrow_mut().of(&other.ask(text, None)?)?)),
            None => Ok(None),
        },
    )?;
    bar.finish_and_clear();
    Ok(figures)
}

/// Vectors of passages, each made once.
struct Vectors<'m> {
    model: &'m dyn Embedder,
    known: HashMap<String, Vec<f32>>,
}

impl Vectors<'_> {
    /// The passages that the writer was given; where there are none, all that were looked at.
    fn of(&mut self, answer: &lahar_answers::Answer) -> Result<Retrieved, AskError> {
        let seen = &answer.trace.retrieved;
        let used = seen.iter().filter(|passage| passage.used);
        let passages: Vec<_> = match seen.iter().any(|passage| passage.used) {
            true => used.collect(),
            false => seen.iter().collect(),
        };
        let mut found = Vec::new();
        for passage in passages {
            let name = format!("{}\n{}", passage.file_name, passage.text);
            if !self.known.contains_key(&name) {
                let made = self.model.embed(&[&passage.text], TextRole::Passage)?;
                let vector = made.into_iter().next().unwrap_or_default();
                self.known.insert(name.clone(), vector);
            }
            let vector = self.known.get(&name).cloned().unwrap_or_default();
            found.push((name, vector));
        }
        Ok(Retrieved::of(found))
    }
}
