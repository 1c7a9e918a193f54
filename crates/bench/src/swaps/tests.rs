//! The set as a whole: its size, its spread, and that nothing in it depends on the machine.

use std::collections::{BTreeMap, BTreeSet};

use super::statistics::statistics;
use super::*;
use crate::questions::{Answer, parse_items};

fn whole() -> SwapSet {
    build(&Wanted::default()).unwrap()
}

#[test]
fn the_set_is_large_enough_and_spread_over_levels_decisions_and_countries() {
    let set = whole();
    let counted = statistics(&set);
    assert!(counted.questions >= 600, "{}", counted.questions);
    // The paper's own set has 19 states and 28 cities.
    assert!(counted.states >= 19 && counted.cities >= 28, "{counted:?}");
    for level in ["place", "county", "state", "region", "tribal", "province"] {
        assert!(counted.by_level[level] >= 20, "{level}: {counted:?}");
    }
    for decision in ["answer", "warn", "abstain"] {
        assert!(counted.by_decision[decision] >= 150, "{counted:?}");
    }
    for relation in ["exact", "coarse", "overlap", "fine", "mismatch", "none"] {
        assert!(
            counted.by_relation[relation] >= 5,
            "{relation}: {counted:?}"
        );
    }
    assert_eq!(counted.by_topic_and_state.len(), 8);
    let ids: BTreeSet<&str> = set.questions.iter().map(|q| q.id.as_str()).collect();
    assert_eq!(ids.len(), set.questions.len());
}

#[test]
fn a_seed_gives_the_same_files_and_another_one_others() {
    let files = |seed| {
        let set = build(&Wanted {
            seed,
            ..Wanted::default()
        })
        .unwrap();
        (write::questions(&set).unwrap(), write::manifest(&set))
    };
    assert_eq!(files(1), files(1));
    assert_ne!(files(1).0, files(2).0);
}

#[test]
fn the_set_reads_as_a_question_set_and_its_evidence_stands_in_its_documents() {
    let set = whole();
    let items = parse_items(&write::questions(&set).unwrap(), "set".as_ref()).unwrap();
    assert_eq!(items.len(), set.questions.len());
    assert!(
        items
            .iter()
            .all(|item| matches!(item.key.answer, Answer::Open(_)))
    );
    let texts: BTreeMap<&str, &str> = set
        .documents
        .iter()
        .map(|document| (document.file.as_str(), document.text.as_str()))
        .collect();
    for question in &set.questions {
        for file in question.relations.values().flatten() {
            assert!(texts.contains_key(file.as_str()), "{file}");
        }
        if let (Some(document), Some(evidence)) = (&question.document, &question.evidence) {
            let text = texts[document.as_str()];
            assert!(text.contains(evidence.as_str()), "{}", question.id);
        }
    }
}

/// The hardest neighbours must be there, or the benchmark would be easy.
#[test]
fn same_names_adjacent_counties_and_bylines_lie_in_wait() {
    let set = whole();
    let named = set.questions.iter().filter(|question| {
        let name = question.place.as_deref().unwrap_or_default();
        let name = name.split(',').next().unwrap_or_default();
        question.expected_decision == "abstain"
            && question.relations.get("mismatch").is_some_and(|files| {
                files.iter().any(|file| {
                    let document = set.documents.iter().find(|d| d.file == *file);
                    document.is_some_and(|d| d.text.contains(name) || d.title.contains(name))
                })
            })
    });
    assert!(named.count() >= 20);
    let bylines = set
        .documents
        .iter()
        .filter(|d| d.text.contains("\nBy ") && d.text.contains("Printed at"));
    assert!(bylines.count() >= 20);
}

/// Sixty keys were checked by hand against the corpus, each with its reason in words.
#[test]
fn keys_that_were_checked_by_hand_are_the_keys_of_the_set() {
    let set = whole();
    let rows: Vec<Vec<&str>> = include_str!("hand_checked.tsv")
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(rows.len(), 60);
    for row in rows {
        let question = set.questions.iter().find(|question| question.id == row[0]);
        let question = question.unwrap_or_else(|| panic!("no question `{}`", row[0]));
        assert_eq!(question.expected_decision, row[1], "{}: {}", row[0], row[2]);
    }
}
