//! Each kind of bad input has an error with the line, the key, the reason and the next step.

use lahar_routes::task::ReadOptions;
use lahar_routes::{Card, RoutesError, Task};

const GOOD: &str = r#"id = "t"
hazards = ["wildfire", "landslide"]
kind = "assess"
decision_time = "2018-01-08T00:00:00Z"
area = { place = "Montecito, California" }
output = { variable = "debris_flow_likelihood" }
[[observation]]
id = "rain"
variable = "peak_rainfall_intensity_15min"
value = "24 mm/h"
publication_time = "2018-01-07T00:00:00Z"
source = "forecast office"
"#;

fn read(text: &str) -> Result<Task, RoutesError> {
    Task::parse("t.toml", text, None, &ReadOptions::default())
}

#[track_caller]
fn refused(find: &str, put: &str, line: usize, key: &str, parts: &[&str]) {
    assert!(GOOD.contains(find), "{find}");
    let error = read(&GOOD.replacen(find, put, 1)).unwrap_err();
    let message = error.to_string();
    assert!(
        message.starts_with(&format!("t.toml, line {line}: `{key}`")),
        "{message}"
    );
    for part in parts {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn the_good_task_is_good() {
    assert_eq!(read(GOOD).unwrap().observations.len(), 1);
}

#[test]
fn keys_words_and_kinds() {
    refused(
        "kind = \"assess\"",
        "kind = \"guess\"",
        3,
        "kind",
        &["guess", "forecast"],
    );
    refused(
        "kind = \"assess\"",
        "kind = 7",
        3,
        "kind",
        &["integer", "text"],
    );
    refused(
        "kind = \"assess\"\n",
        "kind = \"assess\"\nhorzon = \"1 d\"\n",
        4,
        "horzon",
        &["no such key", "horizon"],
    );
    refused(
        "source = \"forecast office\"",
        "",
        7,
        "observation[1].source",
        &["missing"],
    );
    refused(
        "hazards = [\"wildfire\", \"landslide\"]",
        "hazards = []",
        2,
        "hazards",
        &["no hazard"],
    );
}

#[test]
fn units_that_do_not_fit() {
    refused(
        "24 mm/h",
        "24 mm",
        10,
        "observation[1].value",
        &["intensity is not an accumulation"],
    );
    refused("24 mm/h", "24", 10, "observation[1].value", &["no unit"]);
    refused(
        "\"24 mm/h\"",
        "24",
        10,
        "observation[1].value",
        &["no unit"],
    );
    refused(
        "24 mm/h",
        "24 smoot",
        10,
        "observation[1].value",
        &["not a unit"],
    );
    refused(
        "variable = \"debris_flow_likelihood\" }",
        "variable = \"debris_flow_likelihood\", unit = \"m3\" }",
        6,
        "output.unit",
        &["fraction"],
    );
}

#[test]
fn variables_that_nobody_knows() {
    refused(
        "\"peak_rainfall_intensity_15min\"",
        "\"peak_rainfall_intensity_15mn\"",
        9,
        "observation[1].variable",
        &["did you mean `peak_rainfall_intensity_15min`"],
    );
}

#[test]
fn impossible_times() {
    refused(
        "\"2018-01-08T00:00:00Z\"",
        "\"2018-02-30T00:00:00Z\"",
        4,
        "decision_time",
        &["not a point in time"],
    );
    refused(
        "\"2018-01-08T00:00:00Z\"",
        "2018-01-08",
        4,
        "decision_time",
        &["not a point in time"],
    );
    refused(
        "area = {",
        "event = { time = \"2019-01-01T00:00:00Z\" }\narea = {",
        5,
        "event.time",
        &["after the decision time"],
    );
    refused(
        "publication_time",
        "valid_from = \"2018-01-06T00:00:00Z\"\nvalid_until = \"2018-01-05T00:00:00Z\"\npublication_time",
        12,
        "observation[1].valid_until",
        &["before it begins"],
    );
    refused(
        "publication_time",
        "quality = \"measured\"\nvalid_time = \"2018-01-09T00:00:00Z\"\npublication_time",
        13,
        "observation[1].publication_time",
        &["before it was measured"],
    );
    refused(
        "kind =",
        "horizon = \"-3 h\"\nkind =",
        3,
        "horizon",
        &["negative"],
    );
}

#[test]
fn areas_that_are_nowhere() {
    refused(
        "place = \"Montecito, California\"",
        "point = [34.4, -119.6]",
        5,
        "area.point",
        &["longitude stands first"],
    );
    refused(
        "place = \"Montecito, California\"",
        "box = [-120, 35, -119, 34]",
        5,
        "area.box",
        &["south is not below north"],
    );
    refused(
        "place = \"Montecito, California\"",
        "",
        5,
        "area",
        &["exactly one"],
    );
}

#[test]
fn files_outside_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("task");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(folder.path().join("secret.asc"), "").unwrap();
    std::fs::write(inner.join("dem.asc"), "").unwrap();
    let text = |file: &str| {
        GOOD.replace(
            "value = \"24 mm/h\"",
            &format!("file = {file:?}\nunit = \"mm/h\""),
        )
    };
    let load = |file: &str, allow_outside: bool| {
        let path = inner.join("t.toml");
        std::fs::write(&path, text(file)).unwrap();
        Task::load(&path, &ReadOptions { allow_outside })
    };
    assert!(load("dem.asc", false).is_ok());
    let absolute = folder.path().join("secret.asc");
    for file in ["../secret.asc", absolute.to_str().unwrap()] {
        let error = load(file, false).unwrap_err();
        assert!(
            matches!(error, RoutesError::Outside { line: 10, .. }),
            "{error}"
        );
        assert!(error.to_string().contains("--allow-outside"), "{error}");
        assert!(load(file, true).is_ok(), "{file}");
    }
    assert!(
        load("missing.asc", false)
            .unwrap_err()
            .to_string()
            .contains("line 10")
    );
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&absolute, inner.join("link.asc")).unwrap();
        assert!(matches!(
            load("link.asc", false),
            Err(RoutesError::Outside { .. })
        ));
    }
    assert!(
        read(&text("dem.asc"))
            .unwrap_err()
            .to_string()
            .contains("no folder")
    );
}

#[test]
fn an_area_may_be_the_box_around_shapes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.toml");
    let text = GOOD.replace(
        "place = \"Montecito, California\"",
        "file = \"area.geojson\"",
    );
    std::fs::write(&path, text).unwrap();
    let write = |ring: &str| {
        let shape = format!(
            r#"{{"type": "FeatureCollection", "features": [{{"type": "Feature", "properties": {{}},
            "geometry": {{"type": "Polygon", "coordinates": [{ring}]}}}}]}}"#
        );
        std::fs::write(folder.path().join("area.geojson"), shape).unwrap();
        Task::load(&path, &ReadOptions::default())
    };
    let task = write("[[-119.7, 34.4], [-119.6, 34.4], [-119.6, 34.5], [-119.7, 34.4]]").unwrap();
    assert_eq!(
        task.area,
        lahar_routes::task::Area::Box([-119.7, 34.4, -119.6, 34.5])
    );
    let metres =
        write("[[250000, 3800000], [250100, 3800000], [250100, 3800100], [250000, 3800000]]");
    let error = metres.unwrap_err().to_string();
    assert!(
        error.contains("line 5") && error.contains("longitude"),
        "{error}"
    );
}

#[test]
fn budgets() {
    refused(
        "kind =",
        "budget = { steps = -1 }\nkind =",
        3,
        "budget.steps",
        &["no count"],
    );
    let text = GOOD.replace("kind =", "budget = { steps = 0 }\nkind =");
    assert_eq!(read(&text).unwrap().budget.steps, 0);
}

const CARD: &str = r#"id = "made"
title = "A made route."
kind = "empirical"
track = "postfire-debris-flow"
hazards = ["wildfire", "landslide"]
tasks = ["assess"]
output = { variable = "debris_flow_likelihood" }
uncertainty = { statement = "unknown" }
[[reference]]
publication = "Nobody"
year = 2000
[[stage]]
name = "one"
capability = "staley-2017-m1-likelihood"
gives = "debris_flow_likelihood"
after = []
[[stage]]
name = "two"
capability = "cannon-2010-hazard-class"
gives = "debris_flow_hazard_class"
after = ["one"]
"#;

#[test]
fn cyclic_cards() {
    assert_eq!(Card::parse("c.toml", CARD).unwrap().stages.len(), 2);
    let error =
        Card::parse("c.toml", &CARD.replace("after = []", "after = [\"two\"]")).unwrap_err();
    assert!(
        error.to_string().contains("in a circle: one, two"),
        "{error}"
    );
    let error = Card::parse("c.toml", &CARD.replace("[\"one\"]", "[\"none\"]")).unwrap_err();
    assert!(error.to_string().contains("no stage here"), "{error}");
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_readers_panic(at in 0usize..600, put in ".{0,6}") {
        for (text, card) in [(GOOD, false), (CARD, true)] {
            let mut at = at.min(text.len());
            while !text.is_char_boundary(at) { at -= 1; }
            let text = format!("{}{put}{}", &text[..at], &text[at..]);
            if card { let _ = Card::parse("c", &text); } else { let _ = read(&text); }
        }
    }
}
