//! Conditions found in labelled sentences of the shared material.

use std::collections::BTreeMap;

use lahar_bench::conditions::{self, Given, Half, Label, Row};
use lahar_documents::ReadOptions;
use lahar_places::Gazetteer;
use lahar_routes::compile::{self, judge::judge};

/// What goes beyond a candidate must be right this often (the floor).
const PRECISION: f64 = 0.85;

#[test]
fn what_is_promoted_is_right() {
    let Some(shared) = super::shared("what_is_promoted_is_right") else {
        return;
    };
    let mut by_file: BTreeMap<String, Vec<Label>> = BTreeMap::new();
    for label in conditions::labels().unwrap() {
        by_file.entry(label.file.clone()).or_default().push(label);
    }
    let mut texts = Vec::new();
    for (file, labels) in by_file {
        let path = shared.join(&file);
        let text = match file.ends_with(".pdf") {
            true => {
                lahar_documents::read(&path, &ReadOptions::default())
                    .unwrap()
                    .text
            }
            false => std::fs::read_to_string(&path).unwrap(),
        };
        texts.push((text, labels));
    }
    let mut rows: Vec<Row<'_>> = Vec::new();
    for (text, labels) in &texts {
        let sentences = conditions::sentences(text, labels).unwrap();
        for (label, sentence) in labels.iter().zip(sentences) {
            let given = judge(Gazetteer::embedded(), sentence).map(|judged| Given {
                role: judged.role,
                sure: judged.is_sure(),
                statement: compile::shown(&judged.asked),
            });
            rows.push(Row {
                label,
                sentence,
                given,
            });
        }
    }
    for half in [Half::Dev, Half::Held] {
        let own: Vec<Row<'_>> = rows
            .iter()
            .filter(|r| r.label.half == half)
            .cloned()
            .collect();
        let scores = conditions::score(&own);
        let given: usize = scores.promoted.values().map(|counts| counts.given).sum();
        let right: usize = scores.promoted.values().map(|counts| counts.right).sum();
        assert!(given >= 20, "{half:?}: only {given} are promoted");
        assert!(
            right as f64 >= PRECISION * given as f64,
            "{half:?}: {right} of {given}\n{}",
            conditions::table(&scores)
        );
        // What a program will check by itself is held to more.
        let statements = &scores.statements;
        assert_eq!(statements.right, statements.given, "{half:?}");
    }
}
