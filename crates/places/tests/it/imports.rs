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
        ("name,parents\n\u{7}\u{7},Oregon\n", 2, "empty"),
        ("name\nSomewhere New\n", 2, "no parent"),
        ("foo,bar\n1,2\n", 1, "column"),
    ] {
        match places().with_import(table) {
            Err(PlacesError::Import { line: found, why }) => {
                assert!(line == 0 || line == found, "{table}: line {found}");
                assert!(why.contains(word), "{table}: {why}");
            }
            other => panic!("{table}: {other:?}"),
        }
    }
}
