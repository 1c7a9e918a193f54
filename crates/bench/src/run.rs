//! Asking a method every question of a set.

use std::time::Instant;

use lahar_library::Hit;

use crate::error::Error;
use crate::questions::{Item, Question};
use crate::report::{ItemResult, Report};
use crate::retrieval::Target;

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Questions answered.
    pub done: usize,
    /// Questions in all.
    pub of: usize,
}

/// Runs the retrieval part of `bench qa`: asks `retrieve` for each question's chunks, best first,
/// and scores them. The time of an item is the wall time of its `retrieve`; the time spent on
/// scoring is not in it.
///
/// `retrieve` sees the question and not the key. It should return [`crate::retrieval::DEPTH`]
/// chunks, or as many as there are. Its first failure ends the run.
pub fn run_qa<E>(
    method: &str,
    items: &[Item],
    mut retrieve: impl FnMut(&Question) -> Result<Vec<Hit>, E>,
    mut progress: impl FnMut(Progress),
) -> Result<Report, Error>
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let start = Instant::now();
    let mut results = Vec::with_capacity(items.len());
    for item in items {
        let asked = Instant::now();
        let hits = retrieve(&item.question).map_err(|error| Error::Retrieval {
            id: item.question.id.clone(),
            source: error.into(),
        })?;
        let latency = asked.elapsed();
        let target = item.key.evidence.as_ref().map(Target::new);
        results.push(ItemResult {
            id: item.question.id.clone(),
            kind: item.question.format.name(),
            category: item.key.category.clone(),
            hazards: item.key.hazards.clone(),
            document: item
                .key
                .evidence
                .as_ref()
                .map(|evidence| evidence.document.clone()),
            rank: target.and_then(|target| target.rank(&hits)),
            retrieved: hits.len(),
            latency_ms: latency.as_secs_f64() * 1e3,
            graded: None,
        });
        progress(Progress {
            done: results.len(),
            of: items.len(),
        });
    }
    Ok(Report::new(method, results, start.elapsed().as_secs_f64()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use lahar_core::{CharRange, DocumentId, HazardWeights};
    use lahar_library::{Chunk, ChunkKind, Scores};

    use super::*;
    use crate::questions::parse_items;

    const SET: &str = r#"{"id": "a", "type": "TF", "question": "first", "answer": "True", "document": "x.txt", "evidence": "an apple"}
{"id": "b", "type": "TF", "question": "second", "answer": "True", "document": "x.txt", "evidence": "a pear"}
{"id": "c", "type": "TF", "question": "third", "answer": "True", "document": null, "evidence": null}"#;

    fn hit(text: &str) -> Hit {
        Hit {
            chunk_id: 1,
            document: DocumentId::of(b"x"),
            title: String::new(),
            file_name: "x.txt".to_owned(),
            document_hazards: HazardWeights::new(),
            chunk: Chunk {
                kind: ChunkKind::Fixed,
                spans: vec![CharRange::new(0, text.chars().count())],
                pages: None,
                section: Vec::new(),
                hazards: HazardWeights::new(),
            },
            text: text.to_owned(),
            scores: Scores::default(),
        }
    }

    #[test]
    fn every_question_is_asked_once_timed_and_ranked() {
        let items = parse_items(SET, "set.jsonl".as_ref()).unwrap();
        let mut asked = Vec::new();
        let mut seen = Vec::new();
        let report = run_qa(
            "fixed list",
            &items,
            |question| {
                asked.push(question.text.clone());
                std::thread::sleep(Duration::from_millis(2));
                Ok::<_, std::io::Error>(vec![hit("a plum"), hit("an\napple")])
            },
            |progress| seen.push((progress.done, progress.of)),
        )
        .unwrap();
        assert_eq!(asked, ["first", "second", "third"]);
        assert_eq!(seen, [(1, 3), (2, 3), (3, 3)]);
        let ranks: Vec<Option<usize>> = report.items.iter().map(|item| item.rank).collect();
        assert_eq!(ranks, [Some(2), None, None]);
        assert_eq!(report.without_evidence, 1);
        assert_eq!(report.metrics.get("mrr").unwrap().value, 0.25);
        assert!(report.items.iter().all(|item| item.latency_ms >= 2.0));
        assert!(report.seconds >= 0.006);
        assert_eq!(report.items[0].retrieved, 2);
    }

    #[test]
    fn a_failure_ends_the_run_with_the_question_named() {
        let items = parse_items(SET, "set.jsonl".as_ref()).unwrap();
        let mut calls = 0;
        let error = run_qa(
            "broken",
            &items,
            |question| {
                calls += 1;
                if question.id == "b" {
                    return Err("the store is locked");
                }
                Ok(Vec::new())
            },
            |_| {},
        )
        .unwrap_err();
        assert_eq!(calls, 2);
        assert_eq!(
            error.to_string(),
            "retrieval failed for question `b`: the store is locked"
        );
    }
}
