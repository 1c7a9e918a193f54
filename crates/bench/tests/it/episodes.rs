//! The scripted episodes that ship, and certificates that were tampered with.

use std::collections::{BTreeMap, BTreeSet};

use lahar_bench::episodes::{Episode, Kind, certificate, play, play::cards, shape::shape, shipped};
use lahar_routes::Registry;
use lahar_routes::trajectory::{Certificate, End};

#[test]
fn every_episode_goes_as_it_is_written() {
    let episodes = shipped().unwrap();
    let mut wrong = Vec::new();
    let mut certificates = 0;
    for episode in &episodes {
        match play(episode) {
            Ok(outcome) => {
                certificates += usize::from(outcome.certificate_holds == Some(true));
                if !outcome.faults.is_empty() {
                    wrong.push(format!(
                        "{}\n  {}",
                        outcome.name,
                        outcome.faults.join("\n  ")
                    ));
                }
            }
            Err(error) => wrong.push(error.to_string()),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(certificates >= 20, "{certificates}");
}

#[test]
fn every_kind_has_five_and_no_two_have_one_form() {
    let episodes = shipped().unwrap();
    assert!(episodes.len() >= 60, "{}", episodes.len());
    let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
    let mut forms: BTreeMap<String, &str> = BTreeMap::new();
    let mut twins = Vec::new();
    for episode in &episodes {
        *counts.entry(episode.kind).or_default() += 1;
        if let Some(other) = forms.insert(shape(episode), &episode.name) {
            twins.push(format!("{other} and {}", episode.name));
        }
    }
    for kind in Kind::ALL {
        assert!(
            counts.get(&kind).is_some_and(|n| *n >= 5),
            "{kind:?}: {counts:?}"
        );
    }
    assert!(twins.is_empty(), "{}", twins.join("\n"));
}

#[test]
fn episodes_that_differ_in_names_and_numbers_have_one_form() {
    let episodes = shipped().unwrap();
    let of = |name: &str| episodes.iter().find(|e| e.name.ends_with(name)).unwrap();
    let one = of("rain-in-inches-an-hour");
    let mut other: Episode = one.clone();
    other.name = "another".to_owned();
    other.task.id = "another".to_owned();
    for observation in &mut other.task.observations {
        observation.id = format!("{}-2", observation.id);
        observation.source = "somebody else".to_owned();
    }
    assert_eq!(shape(one), shape(&other));
    assert_ne!(shape(one), shape(of("answer-wanted-in-cubic-feet")));
}

/// A change of a certificate.
type Tamper = fn(&mut Certificate);

#[test]
fn certificates_that_were_tampered_with_are_refused() {
    let tampers: [(&str, &str, Tamper); 9] = [
        ("five-years-after-the-fire", "a route is left out", |c| {
            c.blocking.pop_first();
        }),
        ("five-years-after-the-fire", "the truth is turned", |c| {
            for reasons in c.blocking.values_mut() {
                for reason in reasons {
                    *reason = reason.replacen("violated: ", "undetermined: ", 1);
                }
            }
        }),
        (
            "five-years-after-the-fire",
            "another condition is named",
            |c| {
                let reasons = c.blocking.get_mut("staley-2017-m1-likelihood").unwrap();
                *reasons = vec!["violated: the place; calibrated and tested on data of the western United States".to_owned()];
            },
        ),
        ("five-years-after-the-fire", "a state is left out", |c| {
            c.explored.pop();
        }),
        ("five-years-after-the-fire", "a state costs less", |c| {
            c.explored.last_mut().unwrap().cost.cost = 0.0;
        }),
        ("five-years-after-the-fire", "more is left", |c| {
            c.left.steps += 1
        }),
        ("three-steps-for-four-calls", "the reason is another", |c| {
            c.reason = "no eligible route can be reached: 1 states were looked at".to_owned();
        }),
        (
            "the-only-model-is-lost",
            "another capability is named",
            |c| {
                for reasons in c.blocking.values_mut() {
                    for reason in reasons {
                        *reason = reason.replace("staley-2017-m1-threshold", "unit-conversion");
                    }
                }
            },
        ),
        ("nobody-answers", "a port that is served is named", |c| {
            let reasons = c.blocking.get_mut("staley-gartner-cannon-cascade").unwrap();
            *reasons =
                vec!["`relief` of gartner-2014-emergency-volume: nothing gives it".to_owned()];
        }),
    ];
    let episodes = shipped().unwrap();
    let mut passed = Vec::new();
    let mut whole = BTreeSet::new();
    for (name, what, tamper) in tampers {
        let episode = episodes.iter().find(|e| e.name.ends_with(name)).unwrap();
        let outcome = play(episode).unwrap();
        let cards = cards(episode).unwrap();
        let mut trajectory = outcome.trajectory;
        let check = |trajectory: &_| {
            certificate::check(&episode.task, &cards, Registry::standard(), trajectory)
        };
        assert_eq!(check(&trajectory), Ok(true), "{name}");
        whole.insert(name);
        let End::Abstain { certificate } = &mut trajectory.end else {
            panic!("{name} abstains");
        };
        tamper(certificate);
        if check(&trajectory).is_ok() {
            passed.push(format!("{name}: {what}"));
        }
    }
    assert!(passed.is_empty(), "{passed:?}");
    assert_eq!(whole.len(), 4);
}

#[test]
fn an_episode_with_another_expectation_fails() {
    let episodes = shipped().unwrap();
    let mut episode = episodes
        .into_iter()
        .find(|e| e.name.ends_with("two-magnitudes"))
        .unwrap();
    episode.start.insert("jibson-2007-displacement".to_owned());
    assert!(!play(&episode).unwrap().faults.is_empty());
    let error = Episode::parse("x.toml", "kind = \"none\"").unwrap_err();
    assert!(error.to_string().starts_with("x.toml: "), "{error}");
}
