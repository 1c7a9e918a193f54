//! Recognition and resolution in running text.

use lahar_places::kind::Kind;
use lahar_places::{QuestionPlaces, Reading, Role, Setting, Status, Surroundings, focus};

use crate::common::{ask, by, places, read, tag};

#[test]
fn a_named_incident_has_places_and_dates() {
    let mentions = tag("Debris flows followed the Thomas Fire in Montecito.");
    let fire = mentions
        .iter()
        .find(|mention| mention.role == Role::Event)
        .unwrap();
    let place = fire.place.unwrap();
    assert_eq!(places().kind(place), Kind::Event);
    let facts = places().event(place).unwrap();
    assert!(facts.start.unwrap().starts_with("2017-12"));
    let counties: Vec<&str> = places()
        .extent(place)
        .map(|(unit, _)| places().name(unit))
        .collect();
    assert!(counties.contains(&"Ventura County"), "{counties:?}");
}

#[test]
fn landmarks_addresses_and_bases_are_not_what_a_text_is_about() {
    let role = |text: &str, words: &str| {
        tag(text)
            .into_iter()
            .find(|mention| mention.text == words)
            .unwrap_or_else(|| panic!("{words} in {text}"))
            .role
    };
    assert_eq!(
        role("The slide lies 30 km south of Eugene.", "Eugene"),
        Role::Hint
    );
    assert_eq!(role("A fire near Bend grew.", "Bend"), Role::Hint);
    assert_eq!(
        role("The Denver-based insurer paid.", "Denver"),
        Role::Aside
    );
    assert_eq!(
        role("Write to:\n500 Main St., Salem, OR 97301", "Salem"),
        Role::Aside
    );
    assert_eq!(
        role("By Ann Field, Chicago\n\nThe creek rose.", "Chicago"),
        Role::Aside
    );
}

#[test]
fn a_row_of_siblings_counts_as_what_they_share() {
    let text = "Drought persists in Arizona, California, Colorado, Idaho, Nevada and Utah.";
    let mentions = tag(text);
    let found = focus(places(), text, &mentions, &Surroundings::default());
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].name, "West");
}

#[test]
fn a_passage_is_about_its_first_sentence_and_what_it_names_most() {
    let text = "Osage County adopted a burn ban. Neighbouring Tulsa did not. Osage County may fine offenders.";
    let mentions = places().tag(
        text,
        &Reading {
            within: vec![by("iso:US-OK")],
            ..Reading::default()
        },
    );
    let found = focus(places(), text, &mentions, &Surroundings::default());
    let names: Vec<&str> = found.iter().map(|place| place.name.as_str()).collect();
    assert_eq!(names, ["Osage County, Oklahoma"]);
}

#[test]
fn what_is_known_of_a_document_decides_between_namesakes() {
    let within = |code: &str| {
        let reading = Reading {
            setting: Setting::Document,
            within: vec![by(code)],
            ..Reading::default()
        };
        places().tag("Officials in Springfield lifted the order.", &reading)[0]
            .place
            .map(|place| places().qualified(place))
    };
    assert_eq!(within("iso:US-OR").as_deref(), Some("Springfield, Oregon"));
    assert_eq!(
        within("iso:US-IL").as_deref(),
        Some("Springfield, Illinois")
    );
}

#[test]
fn bare_names_of_many_places_are_asked_back() {
    for name in [
        "Springfield",
        "Portland",
        "Washington",
        "Georgia",
        "Jackson",
    ] {
        assert_eq!(
            ask(&format!("What are the fire rules in {name}?")),
            [format!("{name} ?")]
        );
    }
    for (name, wanted) in [
        ("Albuquerque", "Albuquerque, New Mexico"),
        ("Oregon", "Oregon, United States"),
        ("Houston", "Houston, Texas"),
        ("Chicago", "Chicago, Illinois"),
    ] {
        assert_eq!(
            ask(&format!("What are the fire rules in {name}?")),
            [format!("{name} = {wanted}")]
        );
    }
}

#[test]
fn hasty_questions_without_capitals_are_read() {
    assert_eq!(
        ask("wildfire risk in boise, idaho"),
        ["boise = Boise, Idaho", "idaho = Idaho, United States"]
    );
    assert_eq!(
        ask("how do i clear brush in multnomah county oregon"),
        [
            "multnomah county = Multnomah County, Oregon",
            "oregon = Oregon, United States"
        ]
    );
}

#[test]
fn renamed_places_keep_their_old_names() {
    for (old, new) in [
        ("Shannon County, South Dakota", "Oglala Lakota County"),
        ("Barrow, Alaska", "Utqiagvik"),
    ] {
        let place = places().place_named(old).unwrap();
        assert_eq!(places().name(place), new);
        assert!(places().note(place).unwrap().contains("renamed"));
    }
}

#[test]
fn coordinates_in_text_lie_in_their_county() {
    let mentions = tag("The ignition point at 36.62, -96.40 lies on a ridge.");
    assert_eq!(mentions[0].role, Role::Point);
    assert_eq!(mentions[0].status, Status::Resolved);
    assert_eq!(mentions[0].candidates[0].place, by("fips:40113"));
}

#[test]
fn regions_seas_and_abbreviated_provinces_are_known() {
    for (text, wanted) in [
        (
            "Cold air over Western Europe and the Baltic Sea.",
            &["Western Europe = Western Europe", "Baltic Sea = Baltic Sea"][..],
        ),
        (
            "Fires in NSW and in Victoria, Australia.",
            &["NSW = New South Wales, Australia"],
        ),
        (
            "Snow in southern California fell.",
            &["California = Southern California"],
        ),
        (
            "Smoke over the Willamette Valley.",
            &["Willamette Valley = Willamette Valley"],
        ),
    ] {
        let found = read(text);
        for mention in wanted {
            assert!(
                found.iter().any(|f| f.starts_with(mention)),
                "{text}: {found:?}"
            );
        }
    }
}

#[test]
fn a_river_or_fire_beside_a_town_does_not_make_two_questions() {
    let one = |text: &str| match places().read_question(text, &[]).places {
        lahar_places::QuestionPlaces::One(asked) => asked.name,
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(
        one("What is the flood stage of the Skagit River at Mount Vernon?"),
        "Mount Vernon, Washington"
    );
    assert_eq!(
        one("How did the Thomas Fire change Ojai, California?"),
        "Ojai, California"
    );
    assert_eq!(
        one("How bad were tornadoes in Texas on March 16, 2023?"),
        "Texas, United States"
    );
}

#[test]
fn a_longer_name_of_a_fire_is_not_the_shorter_one() {
    assert!(
        tag("The Blue Mountain Fire spread.")
            .iter()
            .all(|mention| mention.role != Role::Event)
    );
}

#[test]
fn a_place_beside_a_question_may_be_known_by_its_parent_only() {
    match places().asked_named("Zzyxq Bay, Guam").unwrap() {
        lahar_places::QuestionPlaces::Unknown {
            parent: Some(parent),
            ..
        } => assert_eq!(parent.name, "Guam"),
        other => panic!("{other:?}"),
    }
    assert!(matches!(
        places().asked_named("Georgia").unwrap(),
        lahar_places::QuestionPlaces::Ambiguous { .. }
    ));
    assert!(matches!(
        places().asked_named("36.62, -96.40").unwrap(),
        lahar_places::QuestionPlaces::One(_)
    ));
    assert!(places().asked_named("Zzyxq").is_err());
}

#[test]
fn lists_of_declared_places_are_read() {
    let names = |text: &str| -> Vec<String> {
        places()
            .declared_places(text)
            .into_iter()
            .map(|place| places().qualified(place))
            .collect()
    };
    assert_eq!(
        names("Dallas and Navarro Counties, Texas, USA"),
        ["Dallas County, Texas", "Navarro County, Texas"]
    );
    assert_eq!(
        names("Lane County, Oregon; Maine; Fiji"),
        ["Lane County, Oregon", "Maine, United States", "Fiji"]
    );
    assert_eq!(names("worldwide"), [""; 0]);
}

/// Waters that no table has were unknown places, and the best that an answer about one could be
/// was a warning. Their names say what they are.
#[test]
fn a_water_that_no_table_knows_is_named_by_the_evidence() {
    let asked = |question: &str| places().read_question(question, &[]).places;
    for question in [
        "When does a tsunami reach Ylig Bay after an earthquake?",
        "How high did the Imnaha River rise in January 2011?",
        "What is the depth of Tarawera Lagoon?",
    ] {
        assert_eq!(asked(question), QuestionPlaces::None, "{question}");
    }
    // The place around a water is asked about with it.
    let QuestionPlaces::One(guam) = asked("When does a tsunami reach Ylig Bay, Guam?") else {
        panic!("{:?}", asked("When does a tsunami reach Ylig Bay, Guam?"));
    };
    assert_eq!(guam.subject.place, Some(by("iso:GU")));
    // Names that many waters have tell nothing.
    for question in [
        "How deep was the flood at Bear Creek?",
        "What is the flood stage of Mill River?",
        "Did Long Lake overflow?",
    ] {
        assert!(
            matches!(
                asked(question),
                QuestionPlaces::Unknown { .. } | QuestionPlaces::Ambiguous { .. }
            ),
            "{question}: {:?}",
            asked(question)
        );
    }
}

/// A town and the county around it share a name: what stands "at" it is the town's.
#[test]
fn at_a_name_is_at_the_town_and_in_it_may_be_in_the_county() {
    for (question, place) in [
        (
            "What is the flood stage of the river at Snohomish?",
            "Snohomish, Washington",
        ),
        ("How high was the water at Tillamook?", "Tillamook, Oregon"),
        ("Which gauge stands at Okanogan?", "Okanogan, Washington"),
    ] {
        let read = places().read_question(question, &[]).places;
        let QuestionPlaces::One(asked) = read else {
            panic!("{question}: {read:?}");
        };
        assert_eq!(
            asked
                .subject
                .place
                .map(|p| places().qualified(p))
                .as_deref(),
            Some(place)
        );
    }
    let read = places()
        .read_question("Which roads were flooded in Snohomish?", &[])
        .places;
    assert!(matches!(read, QuestionPlaces::Ambiguous { .. }), "{read:?}");
}

#[test]
fn villages_of_countries_without_large_towns_are_known() {
    for (name, country) in [
        ("Nuugaatsiaq", "iso:GL"),
        ("Ilulissat", "iso:GL"),
        ("Ittoqqortoormiit", "iso:GL"),
        ("Longyearbyen", "iso:SJ"),
    ] {
        let place = places().place_named(name).unwrap();
        assert_eq!(places().country(place), Some(by(country)), "{name}");
    }
}

/// Towns of Connecticut stand in the census list without their county's code.
#[test]
fn towns_of_connecticut_are_known_with_their_county() {
    for (town, county) in [
        ("Salisbury, Connecticut", "fips:09005"),
        ("Rocky Hill, Connecticut", "fips:09003"),
    ] {
        let place = places().place_named(town).unwrap();
        assert!(
            places()
                .parents(place)
                .any(|edge| edge.parent == by(county)),
            "{town}"
        );
    }
}

/// "Panola and Harrison Counties" was Mississippi's, where the two lie far apart.
#[test]
fn counties_named_in_one_breath_border_on_each_other() {
    for (question, state) in [
        (
            "How strong was the tornado in Panola and Harrison Counties?",
            "Texas",
        ),
        (
            "Which roads in Benton and Polk Counties were flooded?",
            "Oregon",
        ),
        ("Did the fire reach Lake and Orange Counties?", "Florida"),
    ] {
        let mentions = places().tag(question, &Reading::question());
        for mention in &mentions {
            let found = mention.place.and_then(|place| places().state(place));
            assert_eq!(
                found.map(|state| places().name(state)),
                Some(state),
                "{question}: {mention:?}"
            );
        }
        assert_eq!(mentions.len(), 2, "{question}");
    }
}
