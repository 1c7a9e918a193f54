//! Own places, from the import to an answer; measuring and tagging from the command line.

use crate::program::{Desk, Run};
use crate::tiny;

const TABLE: &str = "id,name,kind,aliases,parents,lat,lon\n\
    mill,Paper Mill Camp,city,Camp Mill,fips:41051,45.5,-122.6\n\
    flat,Lower Camp Flat,,,mill,,\n";

fn import(desk: &Desk, name: &str, table: &str) -> Run {
    desk.write(name, table);
    desk.run(&["places", "import", name])
}

#[test]
fn imported_places_are_found_shown_tagged_compared_and_asked_about() {
    let desk = Desk::new();
    let before = desk.run(&["places", "show", "Paper Mill Camp"]);
    assert_eq!(before.code, 1, "{before:?}");
    assert!(before.stderr.contains("places import"), "{before:?}");
    let run = import(&desk, "own.csv", TABLE);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.stdout.contains("2 new places"), "{run:?}");

    let found = desk.json(&["places", "find", "Camp Mill"]);
    assert_eq!(found["places"][0]["name"], "Paper Mill Camp", "{found}");
    let shown = desk.json(&["places", "show", "own:flat"]);
    assert_eq!(shown["name"], "Lower Camp Flat", "{shown}");
    let relation = desk.json(&["places", "relation", "Paper Mill Camp", "Oregon"]);
    assert_eq!(
        (relation["relation"].as_str(), relation["distance"].as_u64()),
        (Some("broader"), Some(2)),
        "{relation}"
    );
    desk.write("news.txt", "The river rose at Paper Mill Camp on Friday.");
    let tagged = desk.json(&["places", "tag", "news.txt"]);
    assert_eq!(tagged["mentions"][0]["text"], "Paper Mill Camp", "{tagged}");
    assert_eq!(tagged["mentions"][0]["status"], "resolved", "{tagged}");

    desk.write(
        "docs/plan.txt",
        "Flood plan for Paper Mill Camp\n\nFlood stage of the creek at Paper Mill Camp is 12.5 feet. \
         Residents of Paper Mill Camp move to the school when the creek passes flood stage.\n",
    );
    desk.write(
        "docs/oregon.txt",
        "Oregon state flood guide\n\nIn Oregon, residents move to high ground when a flood warning \
         is issued and stay there until the warning ends.\n",
    );
    let run = desk.run(&["ingest", "docs"]);
    assert_eq!(run.code, 0, "{run:?}");
    let own = desk.json(&[
        "ask",
        "What is the flood stage of the creek at Paper Mill Camp?",
    ]);
    assert_eq!(own["decision"], "answer", "{own}");
    assert!(own["text"].as_str().unwrap().contains("12.5"), "{own}");
    // State guidance for a place inside it: a warning that names the level.
    let state = desk.json(&[
        "ask",
        "Where do residents of Lower Camp Flat move when a flood warning is issued?",
    ]);
    assert_ne!(state["decision"], "answer", "{state}");
}

#[test]
fn a_faulty_table_names_its_line_and_leaves_what_is_kept_as_it_was() {
    let desk = Desk::new();
    assert_eq!(import(&desk, "own.csv", TABLE).code, 0);
    let kept = |desk: &Desk| {
        let mut names: Vec<_> = std::fs::read_dir(desk.path("own-places"))
            .unwrap()
            .map(|entry| {
                let path = entry.unwrap().path();
                (
                    path.file_name().unwrap().to_owned(),
                    std::fs::read(&path).unwrap(),
                )
            })
            .collect();
        names.sort();
        names
    };
    let before = kept(&desk);
    for (table, word) in [
        (
            "name,parents\nRing One,Ring Two\nRing Two,Ring One\n",
            "line 3",
        ),
        ("name,parents\nFar Place,Zzyxq Nowhere\n", "line 2"),
        (
            "name,parents\nBell\u{7} Place,Oregon\n",
            "control character",
        ),
        (
            "name,parents,lat,lon\nFar Place,Oregon,45.5,-222\n",
            "longitude",
        ),
        ("id,name,parents\nmill,Other Camp,Oregon\n", "taken"),
        ("", "column"),
    ] {
        let run = import(&desk, "faulty.csv", table);
        assert_eq!(run.code, 1, "{table}: {run:?}");
        assert!(run.stderr.contains(word), "{table}: {run:?}");
        assert_eq!(kept(&desk), before, "{table}");
    }
    let bytes: &[u8] = b"name,parents\nFar \xff Place,Oregon\n";
    desk.write("latin.csv", bytes);
    let run = desk.run(&["places", "import", "latin.csv"]);
    assert!(run.code == 1 && run.stderr.contains("line 2"), "{run:?}");
    assert_eq!(kept(&desk), before);
    // A mended table of the same name takes its place, and one in another folder is not in use.
    let mended = TABLE.replace("Paper Mill Camp", "Card Mill Camp");
    assert_eq!(import(&desk, "own.csv", &mended).code, 0);
    assert_eq!(kept(&desk).len(), 1);
    assert_eq!(desk.run(&["places", "show", "Card Mill Camp"]).code, 0);
    assert_eq!(desk.run(&["places", "show", "Paper Mill Camp"]).code, 1);
    desk.write("more.csv", "name,parents\nElsewhere Camp,Oregon\n");
    let run = desk.run(&["places", "import", "more.csv", "--into", "other"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(desk.path("other/0001-more.csv").exists());
    assert_eq!(desk.run(&["places", "show", "Elsewhere Camp"]).code, 1);
}

#[test]
fn a_kept_table_that_was_damaged_is_named() {
    let desk = Desk::new();
    assert_eq!(import(&desk, "own.csv", TABLE).code, 0);
    desk.write(
        "own-places/0001-own.csv",
        "name,parents\nX Place,Nowhere At All\n",
    );
    let run = desk.run(&["places", "find", "Portland"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stderr.contains("0001-own.csv"), "{run:?}");
}

/// Two articles of our own in the two formats.
const CORPUS: &str = r#"<articles>
<article><text>A flood hit Salem, Oregon.</text><domain>example.org</domain><toponyms count="2">
<toponym><start>12</start><end>17</end><phrase>Salem</phrase><gaztag geonameid="5750162"><name>Salem</name><lat>44.94</lat><lon>-123.04</lon><country geonameid="6252001">United States</country><admin1 geonameid="5744337">Oregon</admin1></gaztag></toponym>
<toponym><start>19</start><end>25</end><phrase>Oregon</phrase><gaztag geonameid="5744337"><name>Oregon</name><lat>44.0</lat><lon>-120.5</lon><country geonameid="6252001">United States</country><admin1 geonameid="5744337">Oregon</admin1></gaztag></toponym>
</toponyms></article>
</articles>"#;

#[test]
fn a_corpus_is_measured_with_intervals() {
    let desk = Desk::new();
    desk.write("corpus.xml", CORPUS);
    let report = desk.json(&["bench", "places", "--corpus", "corpus.xml"]);
    for name in [
        "span_f1",
        "span_f1_macro",
        "id_accuracy",
        "accuracy_161km",
        "state_accuracy",
    ] {
        let metric = &report["metrics"][name];
        assert_eq!(metric["value"], 1.0, "{name}: {report}");
        assert!(metric["low"].is_number() && metric["n"].as_u64() > Some(0));
    }
    assert!(report["metrics"]["latency_ms_median"]["value"].as_f64() > Some(0.0));
    assert_eq!(report["items"].as_array().unwrap().len(), 1);
    let text = desk.run(&["bench", "places", "--corpus", "corpus.xml"]);
    assert!(text.stdout.contains("span_f1_macro"), "{text:?}");
    desk.write("empty.xml", "<articles></articles>");
    let run = desk.run(&["bench", "places", "--corpus", "empty.xml"]);
    assert!(
        run.code == 1 && run.stderr.contains("no article"),
        "{run:?}"
    );
}

#[test]
fn a_users_token_classifier_finds_the_places() {
    let desk = Desk::new();
    let golden = tiny::golden_tags();
    tiny::write_pairs_with(
        &desk.path("tagger"),
        &golden["config"],
        &tiny::tagger_weights(&golden),
    );
    // The weights are chance, so what it calls places is too; that it is the model's choice shows
    // in the golden spans.
    desk.write("text.txt", "ash fire flood ash river map storm");
    let tagged = desk.json(&["places", "tag", "text.txt", "--tagger", "tagger"]);
    let spans: Vec<(u64, u64)> = tagged["mentions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| (m["start"].as_u64().unwrap(), m["end"].as_u64().unwrap()))
        .collect();
    let golden = &golden["texts"][3]["spans"];
    let wanted: Vec<(u64, u64)> = golden
        .as_array()
        .unwrap()
        .iter()
        .filter(|span| span["label"] == "LOC")
        .map(|span| {
            (
                span["start"].as_u64().unwrap(),
                span["end"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(spans, wanted, "{tagged}");
    desk.write("corpus.xml", CORPUS);
    let report = desk.json(&[
        "bench",
        "places",
        "--corpus",
        "corpus.xml",
        "--tagger",
        "tagger",
    ]);
    assert_eq!(report["method"], "tagger", "{report}");

    let run = desk.run(&["places", "tag", "text.txt", "--tagger", "nowhere"]);
    assert!(
        run.code == 1 && run.stderr.contains("config.json"),
        "{run:?}"
    );
    let mut config = tiny::golden_tags()["config"].clone();
    config["id2label"] =
        serde_json::json!({"0": "O", "1": "B-PER", "2": "I-PER", "3": "B-ORG", "4": "I-ORG"});
    tiny::write_pairs_with(
        &desk.path("people"),
        &config,
        &tiny::tagger_weights(&tiny::golden_tags()),
    );
    let run = desk.run(&["places", "tag", "text.txt", "--tagger", "people"]);
    assert!(
        run.code == 1 && run.stderr.contains("none of these is a place"),
        "{run:?}"
    );
}
