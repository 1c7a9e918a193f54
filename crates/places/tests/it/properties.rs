//! What holds for any two places and any text.

use lahar_places::{PlaceId, Reading, Relation};
use proptest::prelude::*;

use crate::common::places;

fn any_place() -> impl Strategy<Value = PlaceId> {
    (0..places().len()).prop_map(|at| places().places().nth(at).unwrap())
}

/// Places of the United States, where most relations are other than `different`.
fn near_place() -> impl Strategy<Value = PlaceId> {
    any_place().prop_filter("in Oregon or above", |place| {
        let chain = places().chain(*place);
        places().kind(*place).level() <= 4
            || chain.iter().any(|above| places().name(*above) == "Oregon")
    })
}

fn check(one: PlaceId, other: PlaceId) -> Result<(), TestCaseError> {
    let there = places().compare(one, other);
    let back = places().compare(other, one);
    prop_assert_eq!(there.distance, back.distance);
    prop_assert_eq!(there.shared_ancestor, back.shared_ancestor);
    prop_assert_eq!(there.level_gap, -back.level_gap);
    let turned = match there.relation {
        Relation::Broader => Relation::Finer,
        Relation::Finer => Relation::Broader,
        same => same,
    };
    prop_assert_eq!(turned, back.relation);
    if let Some(distance) = there.distance {
        prop_assert_eq!(there.path.len() as u32, distance + 1);
    }
    prop_assert_eq!(there.relation == Relation::Exact, there.distance == Some(0));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 200_000, ..ProptestConfig::default() })]

    #[test]
    fn distance_is_symmetric_and_relation_turns_around(one in any_place(), other in any_place()) {
        check(one, other)?;
    }

    #[test]
    fn the_same_holds_close_together(one in near_place(), other in near_place()) {
        check(one, other)?;
    }

    #[test]
    fn any_text_is_read_and_its_ranges_fit(text in "\\PC{0,120}") {
        check_text(&text)?;
    }

    #[test]
    fn names_in_any_order_are_read(words in proptest::collection::vec("(Portland|Oregon|OR|,|\\(|\\)|County|Fire|the|of|and|St\\.|Washington|D\\.C\\.|\n|45\\.5|-122\\.6|near|in|'s)", 0..30)) {
        check_text(&words.join(" "))?;
    }
}

fn check_text(text: &str) -> Result<(), TestCaseError> {
    let length = text.chars().count();
    let mut last = 0;
    for reading in [Reading::default(), Reading::question()] {
        for mention in places().tag(text, &reading) {
            prop_assert!(mention.range.end <= length);
            let words: String = text
                .chars()
                .skip(mention.range.start)
                .take(mention.range.len())
                .collect();
            prop_assert_eq!(&words, &mention.text);
            last = last.max(mention.range.end);
        }
    }
    places().read_question(text, &[]);
    Ok(())
}
