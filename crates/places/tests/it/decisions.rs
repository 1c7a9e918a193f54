//! From passages to decisions.

use lahar_core::{Decision, ReasonCode};
use lahar_places::{
    Asked, FocusPlace, Mode, Passage, QuestionPlaces, Relation, Topic, decide, judge,
};

use crate::common::{by, named, places};

fn about(codes: &[&str]) -> Passage {
    Passage {
        focus: codes
            .iter()
            .map(|code| FocusPlace::place(places(), by(code)))
            .collect(),
        ..Passage::default()
    }
}

fn issued(codes: &[&str], issuer: &str) -> Passage {
    Passage {
        issuer: Some(by(issuer)),
        ..about(codes)
    }
}

fn question(text: &str) -> QuestionPlaces {
    places().read_question(text, &[]).places
}

fn decided(text: &str, passages: &[Passage], topic: Topic) -> lahar_places::QuestionDecision {
    decide(
        places(),
        &question(text),
        passages,
        true,
        topic,
        Mode::Batch,
    )
}

#[test]
fn table_3_decisions_hold() {
    let asked = Asked::place(places(), by("iso:US-OR"));
    for (passage, decision) in [
        ("iso:US-OR", Decision::Answer),
        ("iso:US", Decision::Warn),
        ("iso:US-CA", Decision::Abstain),
        ("fips:41051", Decision::Warn),
    ] {
        assert_eq!(
            judge(places(), &asked, &about(&[passage]), Topic::General).decision,
            decision,
            "{passage}"
        );
    }
}

#[test]
fn figure_1_osage_county_is_warned_with_state_text() {
    let found = decided(
        "How should homes in Osage County, Oklahoma prepare for wildfire?",
        &[about(&["iso:US-OK"]), about(&["fips:20139"])],
        Topic::General,
    );
    assert_eq!(found.decision, Decision::Warn);
    assert_eq!(found.quote, [0]);
    assert_eq!(found.level.as_ref().unwrap().distance, Some(1));
    assert!(
        found.reasons[0]
            .message
            .contains("no Osage County, Oklahoma source"),
        "{:?}",
        found.reasons
    );
    assert!(
        found.reasons[0]
            .message
            .contains("Oklahoma, United States (state)")
    );
}

#[test]
fn figure_6_albuquerque_is_warned_with_new_mexico_text() {
    let found = decided(
        "How does smoke affect Albuquerque?",
        &[about(&["iso:US-NM"]), about(&["iso:US-AZ"])],
        Topic::General,
    );
    assert_eq!(
        (found.decision, found.level.unwrap().distance),
        (Decision::Warn, Some(2))
    );
    assert_eq!(found.quote, [0]);
}

#[test]
fn exact_passages_alone_are_quoted_when_there_are_any() {
    let found = decided(
        "How do wildfire risks vary in Oregon?",
        &[
            about(&["iso:US"]),
            about(&["iso:US-OR"]),
            about(&["fips:41051"]),
            about(&["iso:US-OR"]),
        ],
        Topic::General,
    );
    assert_eq!(found.decision, Decision::Answer);
    assert_eq!(found.quote, [1, 3]);
    assert_eq!(found.background, [0]);
}

#[test]
fn the_nearest_broader_passage_comes_first_and_no_other_level_is_mixed_in() {
    let found = decided(
        "How do wildfire risks vary in Multnomah County, Oregon?",
        &[
            about(&["iso:US"]),
            about(&["region:pacific-northwest"]),
            about(&["iso:US-OR"]),
        ],
        Topic::General,
    );
    assert_eq!(
        (found.decision, &found.quote[..]),
        (Decision::Warn, &[2][..])
    );
    assert_eq!(found.background, [1, 0]);
}

#[test]
fn other_places_lead_to_abstention_that_says_what_was_found() {
    let found = decided(
        "What are the risks in Harney County, Oregon?",
        &[about(&["iso:US-CA"]), about(&["fips:41051"])],
        Topic::General,
    );
    assert_eq!(found.decision, Decision::Abstain);
    assert!(found.quote.is_empty());
    assert_eq!(found.reasons[0].code, ReasonCode::OtherPlacesOnly);
    assert!(
        found.reasons[0].message.starts_with("only California"),
        "{:?}",
        found.reasons
    );
    assert!(
        found
            .missing
            .iter()
            .any(|missing| missing.contains("Oregon"))
    );
}

#[test]
fn hard_topics_ask_for_the_same_authority() {
    let ask = "Do I need a burn permit in Boulder County, Colorado?";
    // A city inside the county has no say over the county, and the county's neighbours none at all.
    let city = named("Longmont, Colorado");
    let finer = Passage {
        focus: vec![FocusPlace::place(places(), city)],
        ..Passage::default()
    };
    assert_eq!(
        decided(ask, std::slice::from_ref(&finer), Topic::Hard).decision,
        Decision::Abstain
    );
    assert_eq!(
        decided(ask, &[finer], Topic::General).decision,
        Decision::Warn
    );
    assert_eq!(
        decided(ask, &[about(&["iso:US"])], Topic::Hard).decision,
        Decision::Warn
    );
    // Another county's code that mentions this one.
    assert_eq!(
        decided(ask, &[issued(&["fips:08013"], "fips:08069")], Topic::Hard).decision,
        Decision::Abstain
    );
    assert_eq!(
        decided(ask, &[issued(&["fips:08013"], "iso:US-CO")], Topic::Hard).decision,
        Decision::Answer
    );
    // Overlapping land under another authority.
    let navajo = "Are campfires allowed in Apache County, Arizona?";
    assert_eq!(
        decided(navajo, &[about(&["aiannh:2430"])], Topic::Hard).decision,
        Decision::Abstain
    );
    assert_eq!(
        decided(navajo, &[about(&["aiannh:2430"])], Topic::General).decision,
        Decision::Warn
    );
}

#[test]
fn one_boundary_with_two_authorities_is_exact_and_says_so() {
    let asked = Asked::place(places(), by("fips:40113"));
    let found = judge(places(), &asked, &about(&["aiannh:2595"]), Topic::Hard);
    assert_eq!(
        (found.relation, found.decision),
        (Relation::Exact, Decision::Answer)
    );
    assert!(
        found
            .reasons
            .iter()
            .any(|reason| reason.code == ReasonCode::TwoAuthorities)
    );
}

#[test]
fn passages_without_a_place_hold_where_their_issuer_does() {
    let ask = "How wide should defensible space be in Lane County, Oregon?";
    assert_eq!(
        decided(ask, &[about(&[])], Topic::General).decision,
        Decision::Abstain
    );
    assert_eq!(
        decided(ask, &[issued(&[], "iso:US-OR")], Topic::General).decision,
        Decision::Warn
    );
    assert_eq!(
        decided(ask, &[issued(&[], "iso:US-CA")], Topic::General).decision,
        Decision::Abstain
    );
    let free = decide(
        places(),
        &QuestionPlaces::None,
        &[about(&[])],
        false,
        Topic::General,
        Mode::Batch,
    );
    assert_eq!(free.decision, Decision::Answer);
}

#[test]
fn mixed_passages_are_quoted_near_the_fitting_place_only() {
    let asked = Asked::place(places(), by("iso:US-OR"));
    let found = judge(
        places(),
        &asked,
        &about(&["iso:US-OR", "iso:US-CA"]),
        Topic::General,
    );
    assert_eq!(found.relation, Relation::Exact);
    assert!(found.quote_near_place_only);
}

#[test]
fn several_places_are_each_covered_or_the_worst_decides() {
    let ask = "Compare flood risk in Iowa and Nebraska.";
    let both = decided(
        ask,
        &[about(&["iso:US-IA"]), about(&["iso:US-NE"])],
        Topic::General,
    );
    assert_eq!(both.decision, Decision::Answer);
    assert_eq!(both.by_place.len(), 2);
    let half = decided(ask, &[about(&["iso:US-IA"])], Topic::General);
    assert_eq!(half.decision, Decision::Abstain);
    assert_eq!(half.by_place[0].1, Decision::Answer);
}

#[test]
fn either_or_is_asked_back_and_neighbourhoods_warn_at_best() {
    let either = decided(
        "Is flood insurance cheaper in Iowa or Nebraska?",
        &[about(&["iso:US-IA"])],
        Topic::General,
    );
    assert_eq!((either.decision, either.ask.len()), (Decision::Abstain, 2));
    let near = decided(
        "What burned near Albuquerque?",
        &[Passage {
            focus: vec![FocusPlace::place(
                places(),
                named("Albuquerque, New Mexico"),
            )],
            ..Passage::default()
        }],
        Topic::General,
    );
    assert_eq!(near.decision, Decision::Warn);
    assert!(
        near.reasons
            .iter()
            .any(|reason| reason.code == ReasonCode::Neighbourhood)
    );
}

#[test]
fn an_ambiguous_place_is_asked_back_unless_it_makes_no_difference() {
    let ask = "What are the fire rules in Portland?";
    let found = decided(ask, &[about(&["iso:US-OR"])], Topic::General);
    assert_eq!(found.decision, Decision::Abstain);
    assert!(
        found.ask.iter().any(|name| name == "Portland, Oregon")
            && found.ask.iter().any(|name| name == "Portland, Maine")
    );
    let national = decided(ask, &[about(&["iso:US"])], Topic::General);
    assert_eq!(national.decision, Decision::Warn);
    assert!(
        national
            .reasons
            .iter()
            .any(|reason| reason.code == ReasonCode::AmbiguityHarmless)
    );
}

#[test]
fn an_unknown_place_is_carried_by_the_parent_in_the_text() {
    let found = decided(
        "What is the flood stage at Zzyxqburg, Ohio?",
        &[about(&["iso:US-OH"])],
        Topic::General,
    );
    assert_eq!(found.decision, Decision::Warn, "{:?}", found.reasons);
    assert!(
        found
            .reasons
            .iter()
            .any(|reason| reason.code == ReasonCode::UnknownPlace)
    );
}

#[test]
fn without_a_place_only_national_text_is_shown() {
    let found = decide(
        places(),
        &QuestionPlaces::None,
        &[about(&["iso:US-OR"]), about(&["iso:US"])],
        true,
        Topic::General,
        Mode::Batch,
    );
    assert_eq!(
        (found.decision, &found.quote[..]),
        (Decision::Warn, &[1][..])
    );
    let found = decide(
        places(),
        &QuestionPlaces::None,
        &[about(&["iso:US-OR"])],
        true,
        Topic::General,
        Mode::Batch,
    );
    assert_eq!(found.decision, Decision::Abstain);
}

#[test]
fn coordinates_take_county_text_with_a_warning() {
    let found = decided(
        "Was there fire at 36.62, -96.40?",
        &[about(&["fips:40113"])],
        Topic::General,
    );
    assert_eq!(
        (found.decision, found.level.unwrap().distance),
        (Decision::Warn, Some(1))
    );
    let elsewhere = decided(
        "Was there fire at 36.62, -96.40?",
        &[about(&["fips:40143"])],
        Topic::General,
    );
    assert_eq!(elsewhere.decision, Decision::Abstain);
}

#[test]
fn an_unknown_place_is_warned_about_where_the_evidence_writes_its_name() {
    let named = Passage {
        names_asked: true,
        ..about(&["iso:GU"])
    };
    let asked = places().asked_named("Zzyxq Bay, Guam").unwrap();
    let found = decide(
        places(),
        &asked,
        &[about(&["iso:GU"]), named.clone()],
        true,
        Topic::General,
        Mode::Batch,
    );
    assert_eq!(
        (found.decision, &found.quote[..]),
        (Decision::Warn, &[1][..])
    );
    let elsewhere = Passage {
        names_asked: true,
        ..about(&["iso:FJ"])
    };
    let found = decide(
        places(),
        &asked,
        &[elsewhere],
        true,
        Topic::General,
        Mode::Batch,
    );
    assert_eq!(found.decision, Decision::Abstain);
}

#[test]
fn a_city_and_its_county_of_one_name_are_answered_with_care() {
    let ask = "What are the flood rules in Boulder?";
    for (topic, decision) in [
        (Topic::Hard, Decision::Warn),
        (Topic::General, Decision::Warn),
    ] {
        let found = decided(ask, &[about(&["fips:08013"])], topic);
        assert_eq!(found.decision, decision);
        assert!(
            found
                .reasons
                .iter()
                .any(|reason| reason.code == ReasonCode::AmbiguityHarmless)
        );
    }
}

#[test]
fn a_passage_that_may_be_about_a_namesake_is_never_quoted() {
    let text = "Georgia requires a permit for every open fire.";
    let mentions = places().tag(text, &lahar_places::Reading::question());
    let focus = lahar_places::focus(
        places(),
        text,
        &mentions,
        &lahar_places::Surroundings::default(),
    );
    assert!(focus.is_empty());
    let passage = Passage {
        focus,
        ..Passage::default()
    };
    let found = decide(
        places(),
        &QuestionPlaces::One(Asked::place(places(), by("iso:US-GA"))),
        &[passage],
        true,
        Topic::General,
        Mode::Batch,
    );
    assert_eq!(found.decision, Decision::Abstain);
}
