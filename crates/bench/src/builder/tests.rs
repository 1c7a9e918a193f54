use std::collections::BTreeSet;

use super::*;

/// Our own sentences: enough figures, years and places to fill gaps with.
fn sources() -> Vec<Source> {
    let places = [
        "Alder",
        "Birchford",
        "Cedarton",
        "Dunmore",
        "Elmside",
        "Fernley",
    ];
    let one = |number: usize| {
        let place = places[number % places.len()];
        let other = places[(number + 1) % places.len()];
        let (year, feet, homes) = (1950 + 3 * number, 12 + number, 140 + 11 * number);
        let text = format!(
            "The flood in {place} rose to {feet} feet after heavy rain in {year}. \
             Roads were damaged in {other} and about {homes} homes were lost near the river. \
             Scientists measured the flow in {place} with gauges, which were installed along the canal. \
             Officials were warned before the dam was inspected in {year} by engineers of the county. \
             Many residents of the valley could lose power in {other} during a storm. \
             See Figure {number} for a map of the flooded area in the valley."
        );
        Source {
            document: format!("flood-{number}.txt"),
            paragraphs: vec![Paragraph {
                text,
                hazard: "flood".to_owned(),
            }],
        }
    };
    (0..12).map(one).collect()
}

fn settings(items: usize) -> Settings {
    Settings {
        items,
        ..Settings::default()
    }
}

#[test]
fn one_seed_gives_one_set_and_another_gives_another() {
    let sources = sources();
    let first = build(&sources, &settings(40)).unwrap();
    let mut turned = sources.clone();
    turned.reverse();
    assert_eq!(build(&turned, &settings(40)).unwrap(), first);
    let other = Settings {
        seed: 7,
        ..settings(40)
    };
    assert_ne!(build(&sources, &other).unwrap().hash, first.hash);
    assert_eq!(
        first.hash,
        ContentHash::of(first.json_lines().as_bytes()).to_string()
    );
}

#[test]
fn items_keep_to_the_format_and_their_evidence_stands_in_their_document() {
    let sources = sources();
    let built = build(&sources, &settings(40)).unwrap();
    assert!(built.items.len() >= 30, "{}", built.items.len());
    let count = |label: &str| {
        built
            .items
            .iter()
            .filter(|item| item.answer == label)
            .count()
    };
    assert_eq!(count("True"), count("False"));
    assert!(count("True") > 5);
    let letters = ["A", "B", "C", "D"].map(count);
    assert!(letters[0] > 1 && letters.iter().all(|n| n.abs_diff(letters[0]) <= 1));
    let mut asked = BTreeSet::new();
    for item in &built.items {
        assert!(asked.insert(folded(&item.question)), "{item:?}");
        let source = sources
            .iter()
            .find(|source| source.document == item.document)
            .unwrap();
        assert!(
            source.paragraphs[0].text.contains(&item.evidence),
            "{item:?}"
        );
        assert!(!item.evidence.contains("Figure"));
        match &item.options {
            Options::Labels(_) => assert_ne!(folded(&item.question), folded(&item.evidence)),
            Options::Letters(options) => {
                let letter = item.answer.chars().next().unwrap();
                assert!(item.evidence.contains(&options[&letter]), "{item:?}");
                let wrong = options.iter().filter(|(other, _)| **other != letter);
                for (_, filling) in wrong {
                    assert!(!item.evidence.contains(filling.as_str()), "{item:?}");
                    assert!(
                        sources
                            .iter()
                            .any(|s| s.paragraphs[0].text.contains(filling.as_str()))
                    );
                }
            }
        }
    }
    assert_eq!(built.invalid[&Unusable::FigureOrReference], 12);
    let read = parse_items(&built.json_lines(), "built".as_ref()).unwrap();
    assert_eq!(read.len(), built.items.len());
}

#[test]
fn what_stands_out_is_named_and_dropped() {
    let mut item = build(&sources(), &settings(40))
        .unwrap()
        .items
        .into_iter()
        .find(|item| item.r#type == "MC")
        .unwrap();
    let options = [
        ('A', "9 feet"),
        ('B', "8 feet"),
        ('C', "one very long filling"),
        ('D', "7 feet"),
    ];
    item.options = Options::Letters(options.map(|(l, t)| (l, t.to_owned())).into());
    item.answer = "C".to_owned();
    item.guessable_by.clear();
    let mut items = vec![item];
    let report = guess::mark(&mut items);
    assert_eq!(report[&guess::Guess::Length].named, 1);
    assert_eq!(items[0].guessable_by, [guess::Guess::Length]);
    items[0].answer = "A".to_owned();
    items[0].guessable_by.clear();
    guess::mark(&mut items);
    assert!(items[0].guessable_by.is_empty());
    let dropped = Settings {
        drop_guessable: true,
        ..settings(40)
    };
    let built = build(&sources(), &dropped).unwrap();
    assert!(built.items.iter().all(|item| item.guessable_by.is_empty()));
}

#[test]
fn the_tables_add_up() {
    let built = build(&sources(), &settings(40)).unwrap();
    let table = tables::table_1(&built.items);
    let numbers = |line: &str| -> Vec<usize> {
        line[24..]
            .split_whitespace()
            .map(|n| n.parse().unwrap())
            .collect()
    };
    let rows: Vec<Vec<usize>> = table.lines().skip(1).map(numbers).collect();
    let (total, parts) = rows.split_last().unwrap();
    for column in 0..3 {
        assert_eq!(
            parts.iter().map(|row| row[column]).sum::<usize>(),
            total[column]
        );
    }
    assert_eq!(total[2], built.items.len());
    let report = tables::report(&built);
    assert!(report.contains(&built.hash) && report.contains("Without a rule"));
    for item in &built.items {
        assert!(
            !report.contains(&item.evidence),
            "the report quotes a source"
        );
    }
}
