//! GroundedGeo: points near county lines, and names of many places.

use lahar_places::{GeoPoint, QuestionPlaces};

use crate::common::{places, shared};

fn field<'a>(line: &'a str, name: &str) -> &'a str {
    let key = format!("\"{name}\": ");
    let at = line.find(&key).map_or(line.len(), |at| at + key.len());
    let rest = &line[at..];
    match rest.strip_prefix('"') {
        Some(text) => &text[..text.find('"').unwrap_or(text.len())],
        None => &rest[..rest.find([',', '}']).unwrap_or(rest.len())],
    }
}

#[test]
#[allow(clippy::print_stderr)] // the counts are the point
fn grounded_geo_boundary_items_name_the_gold_county() {
    let Some(text) = shared("grounded_geo_boundary", "qa/groundedgeo_v1.0.jsonl") else {
        return;
    };
    let (mut right, mut all) = (0, 0);
    for line in text
        .lines()
        .filter(|line| field(line, "query_type") == "boundary")
    {
        all += 1;
        let number = |name: &str| field(line, name).parse::<f64>().unwrap();
        let point = GeoPoint::checked(number("lat"), number("lon")).unwrap();
        let located = places().locate(point, number("uncertainty_radius_m"));
        let gold = field(line, "gold_answer");
        let names: Vec<String> = located
            .counties
            .iter()
            .map(|c| places().qualified(*c))
            .collect();
        let fits = |name: &String| {
            let (county, state) = gold.split_once(", ").unwrap_or((gold, ""));
            let bare = county.trim_end_matches(" County").trim_end_matches(" City");
            lahar_places::fold(name).contains(&lahar_places::fold(bare)) && name.ends_with(state)
        };
        let ok = if field(line, "refusal_expected") == "true" {
            located.is_ambiguous() && names.iter().any(fits)
        } else {
            !located.is_ambiguous() && names.first().is_some_and(fits)
        };
        if !ok {
            eprintln!(
                "{} gold {gold} found {names:?} outside {} refusal {}",
                field(line, "query_text"),
                located.may_be_outside,
                field(line, "refusal_expected")
            );
        }
        right += usize::from(ok);
    }
    eprintln!("boundary items: {right} of {all}");
    assert!(right >= 36 && all == 40);
}

#[test]
#[allow(clippy::print_stderr)] // the counts are the point
fn grounded_geo_ambiguous_items_are_asked_back_with_candidates() {
    let Some(text) = shared("grounded_geo_ambiguous", "qa/groundedgeo_v1.0.jsonl") else {
        return;
    };
    let (mut right, mut all) = (0, 0);
    for line in text
        .lines()
        .filter(|line| field(line, "query_type") == "place_disambiguation")
    {
        all += 1;
        let found = places()
            .read_question(field(line, "query_text"), &[])
            .places;
        let ok =
            matches!(&found, QuestionPlaces::Ambiguous { candidates, .. } if candidates.len() >= 2);
        if !ok {
            eprintln!("{}: {found:?}", field(line, "query_text"));
        }
        right += usize::from(ok);
    }
    eprintln!("ambiguous items: {right} of {all}");
    assert!(right >= 36 && all == 40);
}
