//! Places with several parents.

use lahar_places::{PlaceId, Relation};

use crate::common::{by, named, places};

fn parents(place: PlaceId) -> Vec<String> {
    places()
        .parents(place)
        .map(|edge| places().name(edge.parent).to_owned())
        .collect()
}

fn has(place: PlaceId, wanted: &[&str]) {
    let found = parents(place);
    for parent in wanted {
        assert!(
            found.iter().any(|name| name == parent),
            "{} lacks {parent}: {found:?}",
            places().name(place)
        );
    }
}

fn states(place: PlaceId) -> Vec<&'static str> {
    let mut states: Vec<&str> = places()
        .parents(place)
        .chain(
            places()
                .extent(place)
                .map(|(parent, coverage)| lahar_places::Edge {
                    parent,
                    kind: lahar_places::kind::EdgeKind::Spans,
                    coverage,
                }),
        )
        .filter_map(|edge| places().state(edge.parent))
        .map(|state| places().name(state))
        .collect();
    states.sort_unstable();
    states.dedup();
    states
}

#[test]
fn states_lie_in_several_regions() {
    for state in ["iso:US-OR", "iso:US-WA", "iso:US-ID"] {
        has(by(state), &["Pacific Northwest", "West"]);
    }
    has(by("iso:US-CA"), &["West", "West Coast"]);
    assert!(!parents(by("iso:US-OR")).contains(&"United States".to_owned()));
}

#[test]
fn cities_lie_in_several_counties() {
    for (city, counties) in [
        ("Portland, Oregon", 3),
        ("Kansas City, Missouri", 4),
        ("Houston, Texas", 3),
        ("Atlanta, Georgia", 2),
        ("New York City", 5),
    ] {
        assert_eq!(parents(named(city)).len(), counties, "{city}");
    }
    let portland = named("Portland, Oregon");
    assert_eq!(
        places().compare(portland, by("fips:41051")).relation,
        Relation::Overlap
    );
    assert_eq!(
        places().compare(portland, by("iso:US-OR")).relation,
        Relation::Broader
    );
    // Five whole counties make up New York City.
    assert_eq!(
        places()
            .compare(by("fips:36047"), named("New York City"))
            .relation,
        Relation::Broader
    );
    // One county stands in the census list for each place, often the wrong one.
    for (city, county) in [
        ("Portland, Oregon", "fips:41051"),
        ("Tulsa, Oklahoma", "fips:40143"),
        ("Houston, Texas", "fips:48201"),
    ] {
        let first = places().parents(named(city)).next().unwrap().parent;
        assert_eq!(first, by(county), "{city}");
    }
}

#[test]
fn tribal_areas_span_counties_and_states() {
    let navajo = by("aiannh:2430");
    let counties = places()
        .parents(navajo)
        .filter(|edge| places().kind(edge.parent) == lahar_places::kind::Kind::County)
        .count();
    assert_eq!(counties, 11);
    assert_eq!(states(navajo), ["Arizona", "New Mexico", "Utah"]);
    for (area, wanted) in [
        ("aiannh:3970", &["North Dakota", "South Dakota"][..]),
        ("aiannh:4470", &["Colorado", "New Mexico", "Utah"]),
        ("aiannh:0965", &["Idaho", "Nevada"]),
        ("aiannh:1235", &["Arizona", "California", "Nevada"]),
        ("aiannh:1860", &["North Dakota", "South Dakota"]),
        ("aiannh:1340", &["Nevada", "Utah"]),
    ] {
        assert_eq!(states(by(area)), wanted, "{area}");
    }
    assert_eq!(
        places().compare(by("fips:04001"), navajo).relation,
        Relation::Overlap
    );
}

#[test]
fn the_osage_reservation_is_osage_county_in_oklahoma_and_nowhere_else() {
    let found = places().compare(by("aiannh:2595"), by("fips:40113"));
    assert_eq!((found.relation, found.distance), (Relation::Exact, Some(0)));
    for county in ["fips:20139", "fips:29151"] {
        assert_eq!(places().name(by(county)), "Osage County");
        assert_eq!(
            places().compare(by("aiannh:2595"), by(county)).relation,
            Relation::Different
        );
    }
    let cities: Vec<String> = places()
        .find("Osage", None)
        .into_iter()
        .map(|hit| places().qualified(hit.place))
        .collect();
    for city in ["Osage, Iowa", "Osage, Minnesota"] {
        assert!(cities.iter().any(|name| name == city), "{cities:?}");
    }
}

/// Statistical areas of Oklahoma share ground with counties; none of them is a county, and which
/// counties lie in them whole is not in the tables.
#[test]
fn statistical_areas_overlap_and_contain_nothing() {
    for area in ["aiannh:5620", "aiannh:5550"] {
        for county in ["fips:40143", "fips:40021", "fips:40037"] {
            let found = places().compare(by(county), by(area));
            assert_eq!(found.relation, Relation::Overlap, "{area} {county}");
        }
        assert_eq!(
            places().compare(by("iso:US-OK"), by(area)).relation,
            Relation::Finer
        );
        assert_eq!(
            places().compare(by("iso:US-TX"), by(area)).relation,
            Relation::Different
        );
    }
}

#[test]
fn regions_cross_state_lines() {
    assert_eq!(
        states(by("region:lake-tahoe-basin")),
        ["California", "Nevada"]
    );
    assert_eq!(
        states(by("region:columbia-river-gorge")),
        ["Oregon", "Washington"]
    );
    assert!(states(by("region:sierra-nevada")).contains(&"California"));
    assert_eq!(
        states(by("region:four-corners")),
        ["Arizona", "Colorado", "New Mexico", "Utah"]
    );
    assert_eq!(
        states(by("forest:humboldt-toiyabe-national-forest")),
        ["California", "Nevada"]
    );
}

#[test]
fn twin_cities_of_one_name_stay_two() {
    for (one, other) in [
        ("Texarkana, Texas", "Texarkana, Arkansas"),
        ("Bristol, Tennessee", "Bristol, Virginia"),
        ("Kansas City, Missouri", "Kansas City, Kansas"),
    ] {
        let found = places().compare(named(one), named(other));
        assert_eq!(found.relation, Relation::Different, "{one} and {other}");
    }
}

#[test]
fn a_watershed_is_not_the_region_whose_name_it_bears() {
    let (region, watershed) = (by("region:pacific-northwest"), by("huc:17"));
    assert_ne!(region, watershed);
    assert_ne!(
        places().compare(region, watershed).relation,
        Relation::Exact
    );
}

#[test]
fn countries_on_two_continents_and_under_another_country() {
    for (country, continents) in [
        ("iso:RU", ["Europe", "Asia"]),
        ("iso:TR", ["Asia", "Europe"]),
    ] {
        has(by(country), &continents);
    }
    has(by("iso:PR"), &["United States"]);
    assert_eq!(
        places().compare(by("iso:PR"), by("iso:US")).relation,
        Relation::Broader
    );
    has(by("iso:GB-NIR"), &["United Kingdom"]);
}

#[test]
fn county_equivalents_of_all_sorts_are_counties() {
    for (code, name) in [
        ("fips:02290", "Yukon-Koyukuk Census Area"),
        ("fips:22079", "Rapides Parish"),
        ("fips:51760", "Richmond"),
        ("fips:09001", "Fairfield County"),
        ("fips:09190", "Western Connecticut Planning Region"),
    ] {
        let place = by(code);
        assert_eq!(
            places().kind(place),
            lahar_places::kind::Kind::County,
            "{code}"
        );
        assert!(
            places().name(place).contains(name),
            "{code} {}",
            places().name(place)
        );
    }
    // Independent city and its county unit have one boundary.
    assert_eq!(
        places()
            .compare(named("Richmond, Virginia"), by("fips:51760"))
            .relation,
        Relation::Exact
    );
    for (city, unit) in [
        ("San Francisco, California", "fips:06075"),
        ("Denver, Colorado", "fips:08031"),
        ("Washington, D.C.", "iso:US-DC"),
        ("Washington, D.C.", "fips:11001"),
    ] {
        let found = places().compare(named(city), by(unit));
        assert_eq!(
            (found.relation, found.distance),
            (Relation::Exact, Some(0)),
            "{city} {unit}"
        );
    }
    let moved = places().compare(by("fips:09190"), by("fips:09001"));
    assert_eq!(moved.relation, Relation::Overlap);
}

#[test]
fn reference_regions_begin_and_end_paths_and_nothing_else() {
    let conus = by("region:contiguous-united-states");
    let found = places().compare(by("iso:US-OR"), conus);
    assert_eq!(
        (found.relation, found.distance),
        (Relation::Broader, Some(1))
    );
    assert_eq!(
        places().compare(by("iso:US-OR"), by("iso:US-TX")).distance,
        Some(4)
    );
}

#[test]
fn a_national_forest_meets_its_counties_and_no_others() {
    let forest = by("forest:deschutes-national-forest");
    assert_eq!(
        places().compare(by("fips:41017"), forest).relation,
        Relation::Overlap
    );
    assert_eq!(
        places().compare(by("fips:41051"), forest).relation,
        Relation::Different
    );
    assert_eq!(
        places().compare(by("iso:US-OR"), forest).relation,
        Relation::Finer
    );
    // Two forests in one state share no ground for all we know.
    assert_eq!(
        places()
            .compare(
                by("forest:siuslaw-national-forest"),
                by("forest:malheur-national-forest")
            )
            .relation,
        Relation::Different
    );
}
