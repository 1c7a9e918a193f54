//! Input that breaks careless readers.

use lahar_places::{GeoBox, GeoPoint, PlacesError, QuestionPlaces, Relation, Status};

use crate::common::{by, places, tag};

#[test]
fn odd_names_are_unknown() {
    for name in [
        "",
        " ",
        "\u{0}\u{1}",
        "(((",
        "P\u{0}rtl\u{7}nd",
        "Портланд Oregon漢",
        "gn:",
        "fips:",
        "gn:999999999999",
        "fips:99999",
        "geoid:x",
    ] {
        let found = places().place_named(name);
        assert!(
            matches!(found, Err(PlacesError::UnknownPlace { .. })),
            "{name:?}: {found:?}"
        );
    }
    let commas = ",".repeat(1_000_000);
    assert!(places().find(&commas, None).is_empty());
    assert!(places().place_named(&commas).unwrap_err().to_string().len() < 300);
    assert!(tag(&commas).is_empty());
    let capitals = "Xx ".repeat(100_000);
    tag(&capitals);
}

#[test]
fn impossible_coordinates_are_refused_with_the_reason() {
    for (lat, lon, word) in [
        (f64::NAN, 0.0, "not numbers"),
        (-122.6, 45.5, "swapped"),
        (91.0, 170.0, "latitude"),
        (45.0, -181.0, "longitude"),
    ] {
        let error = GeoPoint::checked(lat, lon).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
    assert!(GeoBox::checked(46.0, -123.0, 44.0, -121.0).is_err());
    assert!(GeoBox::checked(44.0, -123.0, 44.0, -121.0).is_err());
    let mentions = tag("Sensor at 145.52, -122.68 failed.");
    assert!(
        mentions
            .iter()
            .all(|mention| mention.status == Status::Unknown)
    );
    assert!(mentions.iter().any(|mention| {
        mention
            .evidence
            .iter()
            .any(|e| e.contains("swapped") || e.contains("latitude"))
    }));
}

#[test]
fn a_box_across_the_antimeridian_has_two_parts() {
    let area = GeoBox::checked(51.0, 172.0, 55.0, -165.0).unwrap();
    let subject = places().locate_box(area);
    assert!(
        subject
            .units
            .iter()
            .any(|(unit, _)| *unit == by("fips:02016")),
        "{subject:?}"
    );
    assert_eq!(
        places()
            .compare_subjects(&subject, &by("iso:US-AK").into())
            .relation,
        Relation::Broader
    );
}

#[test]
fn a_box_lies_to_units_as_its_cover_says() {
    // Well inside Harney County, Oregon.
    let inside = places().locate_box(GeoBox::checked(42.8, -119.3, 43.2, -118.7).unwrap());
    assert_eq!(
        places()
            .compare_subjects(&inside, &by("fips:41025").into())
            .relation,
        Relation::Broader
    );
    assert_eq!(
        places()
            .compare_subjects(&inside, &by("fips:41051").into())
            .relation,
        Relation::Different
    );
    // Around the whole of Multnomah County and more.
    let around = places().locate_box(GeoBox::checked(45.3, -123.1, 45.8, -121.7).unwrap());
    assert_eq!(
        places()
            .compare_subjects(&around, &by("fips:41051").into())
            .relation,
        Relation::Finer
    );
}

#[test]
fn a_point_at_sea_and_one_abroad_have_no_county() {
    let sea = places().locate(GeoPoint::checked(30.0, -150.0).unwrap(), 0.0);
    assert!(sea.counties.is_empty() && sea.subject.parents.is_empty());
    let abroad = places().locate(GeoPoint::checked(48.86, 2.35).unwrap(), 0.0);
    assert!(abroad.counties.is_empty());
    assert_eq!(
        places()
            .compare_subjects(&abroad.subject, &by("iso:FR").into())
            .relation,
        Relation::Broader
    );
}

#[test]
fn questions_of_nothing_name_no_place() {
    for text in ["", "???", "\u{0}", "how do fires spread?"] {
        assert_eq!(
            places().read_question(text, &[]).places,
            QuestionPlaces::None,
            "{text}"
        );
    }
}

/// A point at sea was "finer" than every place, since none of its no units lay outside.
#[test]
fn a_point_at_sea_is_no_part_of_a_place() {
    let gazetteer = places();
    let hilo = gazetteer.subject_named("Hilo, Hawaii").unwrap();
    let sea = gazetteer.subject_named("6.05, 145.02").unwrap();
    assert_eq!(
        gazetteer.compare_subjects(&hilo, &sea).relation,
        Relation::Different
    );
    assert_eq!(
        gazetteer.compare_subjects(&sea, &hilo).relation,
        Relation::Different
    );
}

/// Letters of several scripts in one word are no name, and nothing else of the text is lost.
#[test]
fn mixed_scripts_and_control_characters_lose_nothing_else() {
    let text = "Р\u{43e}rtland, \u{7}Salem\u{0} and Bend, Oregon \u{2014} 漢Boise字.";
    let mentions = tag(text);
    let found: Vec<&str> = mentions
        .iter()
        .filter(|mention| mention.status == Status::Resolved)
        .map(|mention| mention.text.as_str())
        .collect();
    assert!(
        found.contains(&"Bend") && found.contains(&"Oregon"),
        "{found:?}"
    );
    // The Cyrillic letters look like Portland and are not.
    assert!(
        !found.iter().any(|name| name.ends_with("rtland")),
        "{found:?}"
    );
    for mention in &mentions {
        let words: String = text
            .chars()
            .skip(mention.range.start)
            .take(mention.range.len())
            .collect();
        assert_eq!(words, mention.text);
    }
    for name in [
        "\u{202e}dnaltroP",
        "Port\u{200b}land\u{202c}",
        "Πortland",
        "ＯＲＥＧＯＮ\u{7}",
    ] {
        assert!(places().place_named(name).is_err(), "{name:?}");
    }
}

#[test]
fn a_megabyte_of_anything_is_read_in_good_time() {
    for piece in [
        ",", "(", "\n", "St. ", "Aa, ", "45.5, ", "of ", "é", "\u{301}",
    ] {
        let text = piece.repeat(1_000_000 / piece.len());
        let mentions = tag(&text);
        assert!(mentions.len() < 300_000, "{piece:?}: {}", mentions.len());
        assert!(places().find(&text, None).is_empty());
        assert!(places().asked_named(&text).is_err(), "{piece:?}");
    }
}

#[test]
fn boxes_in_words_are_refused_or_read_by_their_corners() {
    let named = |text: &str| places().subject_named(text);
    for (text, word) in [
        ("bbox 46, -123, 44, -121", "no area"),
        ("bbox 44, -123, 44, -121", "no area"),
        ("bbox 44, -123, 46, -123", "no area"),
        ("bbox -123.5, 44, -121, 46", "swapped"),
        ("bbox 44, -190, 46, -121", "longitude"),
        ("95.2, 181.5", "latitude"),
        ("-122.68, 45.52", "swapped"),
    ] {
        let error = named(text).unwrap_err();
        assert!(
            matches!(error, PlacesError::Coordinates { .. }),
            "{text}: {error:?}"
        );
        assert!(error.to_string().contains(word), "{text}: {error}");
    }
    // West of the date line to east of it: the Aleutians, and not the whole way around.
    let across = named("bbox 51, 172, 55, -165").unwrap();
    assert_eq!(
        places()
            .compare_subjects(&across, &by("iso:US-CO").into())
            .relation,
        Relation::Different
    );
    assert_eq!(
        places()
            .compare_subjects(&across, &by("iso:US-AK").into())
            .relation,
        Relation::Broader
    );
}
