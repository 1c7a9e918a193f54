//! A user's own places.

use lahar_places::{PlacesError, Reading, Relation};

use crate::common::{by, places};

#[test]
fn own_places_aliases_and_parents_are_found_and_compared() {
    let table = "name,kind,aliases,parents,lat,lon\nFalls Creek Ranch,subregion,FCR Association|Falls Creek,\"La Plata County, Colorado\",37.38,-107.87\nPaper Mill Camp,city,,\"fips:41051\",45.5,-122.6\n";
    let (own, summary) = places().with_import(table).unwrap();
    assert_eq!((summary.places, summary.parents), (2, 2));
    let ranch = own.place_named("Falls Creek Ranch").unwrap();
    assert_eq!(
        own.compare(ranch, by("iso:US-CO")).relation,
        Relation::Broader
    );
    assert_eq!(
        own.compare(ranch, by("fips:08067")).relation,
        Relation::Broader
    );
    assert_eq!(own.compare(ranch, by("fips:08067")).distance, Some(1));
    let camp = own.place_named("Paper Mill Camp").unwrap();
    assert_eq!(own.compare(camp, by("iso:US-OR")).distance, Some(2));
    let text = "Crews thinned brush at Falls Creek Ranch in May.";
    let mentions = own.tag(text, &Reading::default());
    assert_eq!(mentions[0].place, Some(ranch));
    assert!(places().place_named("Falls Creek Ranch").is_err());
}

#[test]
fn a_wikidata_extract_adds_names_and_parents() {
    let table = "qid\tlabel\taliases\tP131\tP47\tP17\nQ1\tHidden Flat\tVerborgene Ebene\tQ2\t\tQ30\nQ2\tPlumas County\tPlumas\tCalifornia\t\tQ30\n";
    let (own, _) = places().with_import(table).unwrap();
    let flat = own.place_named("Verborgene Ebene").unwrap();
    assert_eq!(
        own.compare(flat, by("iso:US-CA")).relation,
        Relation::Broader
    );
    assert_eq!(
        own.compare(flat, by("fips:06063")).relation,
        Relation::Broader
    );
}

#[test]
fn tables_of_geonames_and_the_census_are_understood() {
    let geonames = "99000001\tNew Hamlet\tNew Hamlet\tHamlet Nouveau\t44.5\t-123.1\tP\tPPL\tUS\t\tOR\t003\t\t\t1200\t\t70\tAmerica/Los_Angeles\t2026-01-01\n";
    let (own, summary) = places().with_import(geonames).unwrap();
    assert_eq!(summary.places, 1);
    let hamlet = own.by_geonames(99_000_001).unwrap();
    assert_eq!(own.compare(hamlet, by("fips:41003")).distance, Some(1));
    let census = "USPS\tGEOID\tANSICODE\tNAME\tINTPTLAT\tINTPTLONG\nOR\t4199999\t1\tSample CDP\t44.1\t-121.3\n";
    let (own, _) = places().with_import(census).unwrap();
    assert!(own.place_named("Sample, Oregon").is_ok());
}

#[test]
fn faulty_tables_change_nothing_and_say_where() {
    for (table, line, word) in [
        (
            "name,parents\nA Place,B Place\nB Place,A Place\n",
            3,
            "contain each other",
        ),
        (
            "id,name,parents\nx,Aplace Longer,y\ny,Bplace Longer,x\n",
            3,
            "contain each other",
        ),
        ("qid,label,P131\nQ5,Somewhere New,Q6\n", 2, "no row"),
        (
            "name,parents\nSomewhere New,Zzyxq Nowhere\n",
            2,
            "not clear",
        ),
        (
            "name,parents,lat,lon\nSomewhere New,Oregon,-122.6,45.5\n",
            2,
            "swapped",
        ),
        (
            "name,parents,lat,lon\nSomewhere New,Oregon,45.5,-222\n",
            2,
            "longitude",
        ),
        (
            "name,kind,parents\nSomewhere New,castle,Oregon\n",
            2,
            "kind",
        ),
        ("name,parents\n\u{7}\u{7},Oregon\n", 2, "control character"),
        (
            "name,parents\nGood Place,Oregon\nB\u{1b}[2Jad,Oregon\n",
            3,
            "U+001B",
        ),
        ("name,parents\nTurned \u{202e}Place,Oregon\n", 2, "U+202E"),
        ("name,parents\n...,Oregon\n", 2, "empty"),
        (
            "id,name,parents\nx,One Place,Oregon\nx,Two Place,Oregon\n",
            3,
            "line 2 too",
        ),
        (
            "name,parents\nTwin Place,Oregon\nTwin Place,Idaho\n",
            3,
            "stands twice",
        ),
        (
            "name,parents,lat,lon\nSomewhere New,Oregon,north,45.5\n",
            2,
            "no coordinate",
        ),
        (
            "name,parents,lat,lon\nSomewhere New,Oregon,NaN,45.5\n",
            2,
            "not numbers",
        ),
        (
            "name,parents,population\nSomewhere New,Oregon,-5\n",
            2,
            "inhabitants",
        ),
        (
            "name,parents\nSomewhere New,Oregon,Idaho,Utah\n",
            2,
            "cells",
        ),
        (
            "name,parents\n\"Somewhere New,Oregon\n",
            2,
            "quotation mark",
        ),
        ("{\"qid\": \"Q1\"", 1, "JSON"),
        (
            "{\"name\": \"A\\u0007bc\", \"parents\": \"Oregon\"}\n",
            1,
            "control character",
        ),
        (
            "{\"name\": {\"en\": \"Abc\"}}\n",
            1,
            "neither a text nor a list",
        ),
        (
            "{\"qid\": \"Q1\", \"label\": \"Ring One\", \"P131\": [\"Q2\"]}\n\
             {\"qid\": \"Q2\", \"label\": \"Ring Two\", \"P131\": [\"Q3\"]}\n\
             {\"qid\": \"Q3\", \"label\": \"Ring Three\", \"P131\": [\"Q1\"]}\n",
            3,
            "contain each other",
        ),
        ("name\nSomewhere New\n", 2, "no parent"),
        ("foo,bar\n1,2\n", 1, "column"),
    ] {
        match places().with_import(table) {
            Err(PlacesError::Import { line: found, why }) => {
                assert_eq!(line, found, "{table}: {why}");
                assert!(why.contains(word), "{table}: {why}");
            }
            other => panic!("{table}: {other:?}"),
        }
    }
}

/// The rows of an extract as Wikidata has them: ids alone, in no order, countries among them.
const WIKIDATA: &str = r#"
{"qid": "Q500", "label": "Hidden Flat", "aliases": ["Verborgene Ebene", "Hidden Flats"], "P131": ["Q501", "Q502"], "P47": ["Q503"], "P17": "Q30", "lat": 40.0, "lon": -120.9}
{"qid": "Q501", "label": "Plumas County", "P131": ["Q99"], "P17": ["Q30"]}
{"qid": "Q502", "label": "Sierra County", "P131": ["Q99"], "P17": ["Q30"]}
{"qid": "Q503", "label": "Open Flat", "P131": ["Q502"], "P17": ["Q30"]}
{"qid": "Q99", "label": "California", "P131": [], "P17": ["Q30"]}
{"qid": "Q30", "label": "United States of America"}
"#;

#[test]
fn a_wikidata_extract_of_ids_finds_the_places_that_are_known() {
    let (own, summary) = places().with_import(WIKIDATA).unwrap();
    assert_eq!((summary.places, summary.known), (2, 4), "{summary:?}");
    let flat = own.by_id("wd:Q500").unwrap();
    assert_eq!(own.place_named("Verborgene Ebene").unwrap(), flat);
    // Two counties, and no other Sierra County than California's.
    let parents: Vec<_> = own.parents(flat).map(|edge| edge.parent).collect();
    assert_eq!(parents, [by("fips:06063"), by("fips:06091")]);
    assert_eq!(
        own.compare(flat, by("iso:US-CA")).relation,
        Relation::Broader
    );
    assert_eq!(
        own.compare(flat, by("fips:06063")).relation,
        Relation::Overlap
    );
    assert!(own.adjacent(flat, own.by_id("wd:Q503").unwrap()));
    assert_eq!(own.by_id("wd:Q99"), Some(by("iso:US-CA")));
    // Nothing new hangs below what was known.
    assert_eq!(
        own.parents(by("iso:US-CA")).count(),
        places().parents(by("iso:US-CA")).count()
    );
}

#[test]
fn a_census_table_of_another_year_adds_only_what_is_new() {
    let table = "USPS\tGEOID\tANSICODE\tNAME\tLSAD\tFUNCSTAT\tALAND\tINTPTLAT\tINTPTLONG   \n\
        OR\t4159000\t2411471\tPortland city\t25\tA\t1\t45.537\t-122.650\n\
        OR\t4199998\t1\tNewly Made CDP\t57\tS\t1\t44.1\t-121.3\n";
    let (own, summary) = places().with_import(table).unwrap();
    assert_eq!((summary.places, summary.known), (1, 1), "{summary:?}");
    let new = own.place_named("Newly Made, Oregon").unwrap();
    assert_eq!(own.compare(new, by("iso:US-OR")).distance, Some(1));
    assert_eq!(
        own.place_named("Portland, Oregon").unwrap(),
        places().place_named("Portland, Oregon").unwrap()
    );
}

#[test]
fn a_second_table_may_lean_on_the_first_but_not_take_its_ids() {
    let first =
        "id,name,kind,parents\nranch,Falls Creek Ranch,subregion,\"La Plata County, Colorado\"\n";
    let (own, _) = places().with_import(first).unwrap();
    let (own, summary) = own
        .with_import("name,parents\nNorth Gate Lot,ranch\nSouth Gate Lot,Falls Creek Ranch\n")
        .unwrap();
    assert_eq!(summary.parents, 2);
    for name in ["North Gate Lot", "South Gate Lot"] {
        let lot = own.place_named(name).unwrap();
        let ranch = own.place_named("Falls Creek Ranch").unwrap();
        assert_eq!(
            own.compare(lot, ranch).relation,
            Relation::Broader,
            "{name}"
        );
    }
    let error = own.with_import(first).unwrap_err().to_string();
    assert!(error.contains("taken"), "{error}");
}
