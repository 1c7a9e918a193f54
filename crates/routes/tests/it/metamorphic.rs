//! What must not matter does not, and what must does.

use lahar_core::capability::Value;
use lahar_routes::trajectory::End;
use lahar_routes::{Agent, Card, Policy, Registry, Trajectory};
use proptest::prelude::*;

use crate::common::{BASIN, Kernels, run, task};

fn cards() -> Vec<Card> {
    lahar_routes::card::shipped::all().unwrap().to_vec()
}

fn run_with(text: &str, cards: &[Card]) -> Trajectory {
    Agent::new()
        .run(
            task(text),
            cards,
            Registry::standard(),
            &mut Kernels::default(),
            Policy::Rules,
        )
        .unwrap()
}

/// A task for which several routes are eligible.
fn likelihood() -> String {
    BASIN.replace(
        "variable = \"debris_flow_hazard_class\", stages = [\"likelihood\", \"volume\", \"class\"]",
        "variable = \"debris_flow_likelihood\", unit = \"fraction\"",
    )
}

/// What was decided, with routes by their titles, and the answer's number in SI.
fn decision(trajectory: &Trajectory, cards: &[Card]) -> (Option<String>, Vec<String>, String) {
    let title = |id: &String| {
        let card = cards.iter().find(|card| card.id == *id).unwrap();
        card.title.clone()
    };
    let route = match &trajectory.end {
        End::Submit { route, .. } => Some(title(route)),
        End::Abstain { .. } => None,
    };
    let mut eligible: Vec<String> = trajectory
        .steps
        .last()
        .unwrap()
        .eligible
        .iter()
        .map(title)
        .collect();
    eligible.sort();
    let answer = trajectory
        .answer()
        .map(|artifact| match artifact.value.as_ref() {
            Value::Quantity(quantity) => format!("{:.9e}", quantity.si()),
            value => format!("{value:?}"),
        });
    (route, eligible, answer.unwrap_or_default())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn names_and_order_do_not_matter(seed in any::<u64>()) {
        let text = likelihood();
        let cards = cards();
        let expected = decision(&run_with(&text, &cards), &cards);
        // Cards in another order, and every id of cards and observations another one.
        let mut order: Vec<usize> = (0..cards.len()).collect();
        let mut state = seed | 1;
        for at in (1..order.len()).rev() {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            order.swap(at, (state >> 33) as usize % (at + 1));
        }
        let renamed: Vec<Card> = order
            .iter()
            .enumerate()
            .map(|(new, old)| Card {
                id: format!("route-{new}-{:x}", seed.wrapping_add(new as u64) % 997),
                ..cards[*old].clone()
            })
            .collect();
        let mut changed = text.clone();
        for (at, id) in ["rain", "steep", "dnbr", "soil", "burned", "relief"].iter().enumerate() {
            let name = format!("id = \"o{}{at}\"", seed.rotate_left(at as u32 * 7) % 1000);
            changed = changed.replace(&format!("id = \"{id}\""), &name);
        }
        prop_assert_eq!(decision(&run_with(&changed, &renamed), &renamed), expected);
    }

    #[test]
    fn lossless_changes_of_unit_do_not_matter(pick in 0usize..4) {
        let text = likelihood();
        let cards = cards();
        let expected = decision(&run_with(&text, &cards), &cards);
        let (find, put) = [
            ("\"0.45 fraction\"", "\"45 %\""),
            ("\"2.4 km2\"", "\"240 ha\""),
            ("\"850 m\"", "\"0.85 km\""),
            ("unit = \"fraction\"", "unit = \"%\""),
        ][pick];
        prop_assert!(text.contains(find));
        let changed = decision(&run_with(&text.replace(find, put), &cards), &cards);
        prop_assert_eq!(changed, expected);
    }

    #[test]
    fn observations_that_bear_on_nothing_do_not_matter(kind in 0usize..3, value in 1.0f64..9.0) {
        let text = likelihood();
        let cards = cards();
        let expected = decision(&run_with(&text, &cards), &cards);
        let (variable, unit) = [("vs30", "m/s"), ("relative_humidity", "%"), ("canopy_height", "ft")][kind];
        let more = format!(
            "{text}\n[[observation]]\nid = \"x\"\nvariable = \"{variable}\"\nvalue = \"{value} {unit}\"\n\
             publication_time = \"2018-01-01T00:00:00Z\"\nsource = \"somebody\"\n"
        );
        prop_assert_eq!(decision(&run_with(&more, &cards), &cards), expected);
    }
}

#[test]
fn a_cutoff_before_the_evidence_changes_the_decision() {
    let eligible = |decision: &str| {
        let text = BASIN.replace("2018-01-08T00:00:00Z", decision);
        let trajectory = run(&text, &mut Kernels::default());
        matches!(trajectory.end, End::Submit { .. })
    };
    assert!(eligible("2018-01-08T00:00:00Z"));
    // The forecast of the rain was published on the seventh.
    assert!(!eligible("2018-01-06T00:00:00Z"));
    // Two years after the fire the conditions no longer hold.
    assert!(eligible("2019-11-01T00:00:00Z"));
    assert!(!eligible("2020-01-01T00:00:00Z"));
}

#[test]
fn a_cutoff_before_the_method_was_published_leaves_it_out() {
    let text = BASIN
        .replace("2018-01-08T00:00:00Z", "2016-01-08T00:00:00Z")
        .replace("2017-12-12T00:00:00Z", "2015-12-12T00:00:00Z")
        .replace("publication_time = \"2018", "publication_time = \"2015");
    let trajectory = run(&text, &mut Kernels::default());
    let cascade = crate::common::status(&trajectory, "staley-gartner-cannon-cascade");
    assert!(!cascade.is_eligible());
    assert!(
        cascade
            .reasons
            .iter()
            .any(|r| r.contains("published in 2017")),
        "{:?}",
        cascade.reasons
    );
}

#[test]
fn a_place_outside_the_region_changes_the_decision_and_one_inside_does_not() {
    let cards = cards();
    let at = |place: &str| {
        let text = BASIN.replace("Montecito, California", place);
        decision(&run_with(&text, &cards), &cards)
    };
    let here = at("Montecito, California");
    assert!(here.0.is_some());
    assert_eq!(at("Ojai, California"), here);
    assert_eq!(at("Santa Barbara County, California"), here);
    assert_eq!(at("Asheville, North Carolina").0, None);
    assert_eq!(at("Lisbon, Portugal").0, None);
}
