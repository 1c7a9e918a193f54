use lahar_places::Relation;

use crate::common::{by, compare, name, places};

const OREGON: &str = "iso:US-OR";
const US: &str = "iso:US";
const CALIFORNIA: &str = "iso:US-CA";
const MULTNOMAH: &str = "fips:41051";
const PORTLAND: &str = "gn:5746545";

#[test]
fn table_3_of_the_paper_holds() {
    for (passage, relation, distance, ancestor) in [
        (OREGON, Relation::Exact, 0, "Oregon"),
        (US, Relation::Broader, 2, "United States"),
        (CALIFORNIA, Relation::Different, 2, "West"),
        (MULTNOMAH, Relation::Finer, 1, "Oregon"),
    ] {
        let found = compare(OREGON, passage);
        assert_eq!(found.relation, relation, "{passage}");
        assert_eq!(found.distance, Some(distance), "{passage}");
        assert_eq!(name(found.shared_ancestor), ancestor, "{passage}");
    }
}

#[test]
fn distances_follow_from_the_definition() {
    for (query, passage, distance, ancestor) in [
        (OREGON, US, Some(2), "United States"),
        (OREGON, CALIFORNIA, Some(2), "West"),
        (OREGON, MULTNOMAH, Some(1), "Oregon"),
        (PORTLAND, OREGON, Some(2), "Oregon"),
        (PORTLAND, US, Some(4), "United States"),
        (MULTNOMAH, US, Some(3), "United States"),
        (MULTNOMAH, "fips:41025", Some(2), "Oregon"),
        (MULTNOMAH, "fips:41039", Some(2), "Willamette Valley"),
        (
            "region:pacific-northwest",
            OREGON,
            Some(1),
            "Pacific Northwest",
        ),
        (
            "region:pacific-northwest",
            CALIFORNIA,
            Some(3),
            "United States",
        ),
        (OREGON, "iso:US-TX", Some(4), "United States"),
        (OREGON, "iso:CA", None, "-"),
        (OREGON, "iso:US-WA", Some(2), "West"),
        ("iso:CA-ON", "iso:CA", Some(1), "Canada"),
    ] {
        for (one, other) in [(query, passage), (passage, query)] {
            let found = compare(one, other);
            assert_eq!(found.distance, distance, "{one} {other}");
            assert_eq!(name(found.shared_ancestor), ancestor, "{one} {other}");
        }
    }
    let found = compare(OREGON, "iso:US-WA");
    assert!(found.ties.contains(&by("region:pacific-northwest")));
}

#[test]
fn a_path_goes_up_and_down_again() {
    let found = compare(MULTNOMAH, "fips:41025");
    let names: Vec<&str> = found
        .path
        .iter()
        .map(|place| places().name(*place))
        .collect();
    assert_eq!(names, ["Multnomah County", "Oregon", "Harney County"]);
    assert_eq!(found.path.len() as u32, found.distance.unwrap() + 1);
}
