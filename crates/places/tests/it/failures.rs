//! What other geoparsers got wrong, in sentences of our own.

use lahar_places::Status;
use lahar_places::kind::Kind;

use crate::common::{ask, places, read, tag};

fn sure(text: &str, wanted: &[&str]) {
    let found = read(text);
    for mention in wanted {
        assert!(
            found.iter().any(|f| f == mention),
            "{text}: {found:?} lacks {mention}"
        );
    }
}

fn only(text: &str, wanted: &[&str]) {
    assert_eq!(read(text), wanted, "{text}");
}

#[test]
fn case_01_a_state_is_not_a_small_town_of_its_name() {
    only(
        "Nevada says the new school tests cost too much.",
        &["Nevada = Nevada, United States"],
    );
    only(
        "Lawmakers in Oklahoma say the exams are too expensive.",
        &["Oklahoma = Oklahoma, United States"],
    );
}

#[test]
fn case_02_the_state_behind_the_comma_counts() {
    sure(
        "Outside Bangor, Maine, forty trucks were stuck.",
        &["Bangor = Bangor, Maine"],
    );
    sure(
        "Outside Bangor, Northern Ireland, forty trucks were stuck.",
        &["Bangor = Bangor, Northern Ireland, United Kingdom"],
    );
}

#[test]
fn case_03_a_parent_in_the_text_is_a_hard_filter() {
    sure(
        "The plant in Wilmington, DE closed.",
        &["Wilmington = Wilmington, Delaware"],
    );
    sure(
        "Floods reached Wilmington, North Carolina.",
        &["Wilmington = Wilmington, North Carolina"],
    );
    sure(
        "A hearing in Arlington, Virginia was moved.",
        &["Arlington = Arlington, Virginia"],
    );
    sure(
        "Smoke settled over Portland (Ore.) on Friday.",
        &["Portland = Portland, Oregon"],
    );
    sure(
        "The fire burned in Osage County, Okla. for a week.",
        &["Osage County = Osage County, Oklahoma"],
    );
    sure(
        "The Oregon city of Portland opened shelters.",
        &["Portland = Portland, Oregon"],
    );
    sure(
        "It began in Salem, Marion County, Oregon, USA.",
        &[
            "Salem = Salem, Oregon",
            "Marion County = Marion County, Oregon",
        ],
    );
}

#[test]
fn a_parent_without_such_a_child_makes_the_name_unknown_and_no_namesake() {
    sure(
        "A dam failed in Springfield, Alaska, on Sunday.",
        &["Springfield -"],
    );
    sure(
        "A dam failed in Albuquerque, OH, on Sunday.",
        &["Albuquerque -"],
    );
    sure(
        "They flew to Chicago, Oregon and Maine.",
        &["Chicago = Chicago, Illinois"],
    );
}

#[test]
fn capitals_do_not_turn_small_words_into_states() {
    sure(
        "FLOOD WARNING FOR ROCKLAND COUNTY IN SOUTHEASTERN NEW YORK OR ORANGE COUNTY",
        &[
            "ROCKLAND COUNTY = Rockland County, New York",
            "SOUTHEASTERN NEW YORK = New York, United States",
        ],
    );
    let found = read("FLOOD WARNING FOR ROCKLAND COUNTY IN SOUTHEASTERN NEW YORK OR ORANGE COUNTY");
    assert!(
        !found
            .iter()
            .any(|f| f.starts_with("IN ") || f.starts_with("OR ")),
        "{found:?}"
    );
}

#[test]
fn rows_share_their_kind() {
    sure(
        "Fires burn in Washington, Oregon and California.",
        &["Washington = Washington, United States"],
    );
    sure(
        "Panola and Harrison Counties, Texas, saw a tornado.",
        &["Panola = Panola County, Texas"],
    );
    sure(
        "Evacuations in Ventura and Santa Barbara counties go on.",
        &["Ventura = Ventura County, California"],
    );
    sure(
        "Compare Portland, Oregon with Portland, Maine.",
        &["Portland = Portland, Oregon", "Portland = Portland, Maine"],
    );
}

#[test]
fn everyday_words_are_places_before_their_state() {
    sure(
        "Mobile, Alabama; Reading, Pennsylvania; Nice, France; Bath, England",
        &[
            "Mobile = Mobile, Alabama",
            "Reading = Reading, Pennsylvania",
            "Bath = Bath, England, United Kingdom",
        ],
    );
    only(
        "A mobile crew was reading in the bath, which was nice.",
        &[],
    );
}

#[test]
fn case_04_washington_alone_is_never_simply_the_state() {
    for mention in tag("Washington does not want a base there, a spokesman told reporters.") {
        if let Some(place) = mention.place {
            assert_ne!(places().kind(place), Kind::State);
        }
    }
    assert_eq!(ask("What does Washington require?"), ["Washington ?"]);
    sure(
        "In Washington state the Yakima and Spokane offices closed.",
        &["Washington = Washington, United States"],
    );
}

#[test]
fn case_06_adjectives_and_inhabitants_are_no_places() {
    only(
        "European airlines and Oregonian growers complained to a Georgian lawyer.",
        &[],
    );
}

#[test]
fn case_07_both_ends_of_a_route_lie_in_their_state() {
    sure(
        "From: Long Beach, CA To: Fresno, CA",
        &[
            "Long Beach = Long Beach, California",
            "Fresno = Fresno, California",
        ],
    );
}

#[test]
fn case_09_one_unknown_or_historic_name_does_not_erase_the_rest() {
    only(
        "Experts came from Japan, the Soviet Union, China and Canada.",
        &[
            "Japan = Japan",
            "Soviet Union = Soviet Union",
            "China = China",
            "Canada = Canada",
        ],
    );
    let mentions = tag("Experts came from the Soviet Union.");
    assert_eq!(
        places().kind(mentions[0].place.unwrap()),
        Kind::HistoricCountry
    );
    let found = read("Crews from Zzyxqburg, Peru and Chile met in the village of Qwertzheim.");
    assert!(
        found.contains(&"Peru = Peru".to_owned()) && found.contains(&"Chile = Chile".to_owned()),
        "{found:?}"
    );
}

#[test]
fn case_10_codes_that_are_words_count_behind_a_city() {
    sure(
        "Offices in Indianapolis, IN and Bend, OR stay open.",
        &[
            "Indianapolis = Indianapolis, Indiana",
            "IN = Indiana, United States",
            "OR = Oregon, United States",
        ],
    );
    only("THE ROAD IS CLOSED, IN OR OUT, SO HELP ME", &[]);
    only("Come in, or call me, ok? Hi!", &[]);
}

#[test]
fn case_12_georgia_follows_its_company() {
    sure(
        "Rain fell in Tbilisi, Georgia.",
        &["Georgia = Georgia", "Tbilisi = Tbilisi, Tbilisi, Georgia"],
    );
    sure(
        "Rain fell in Savannah, Georgia.",
        &[
            "Savannah = Savannah, Georgia",
            "Georgia = Georgia, United States",
        ],
    );
    assert_eq!(ask("How likely are landslides in Georgia?"), ["Georgia ?"]);
}

#[test]
fn case_14_new_york_city_has_five_counties() {
    let city = places().place_named("New York City").unwrap();
    assert_eq!(places().parents(city).count(), 5);
}

#[test]
fn case_16_the_type_word_tells_city_from_county() {
    sure(
        "Roads in Sheridan County, Wyoming are icy.",
        &["Sheridan County = Sheridan County, Wyoming"],
    );
    sure(
        "Roads in Sheridan, Wyoming are icy.",
        &["Sheridan = Sheridan, Wyoming"],
    );
    let laramie = places().place_named("Laramie, Wyoming").unwrap();
    assert_eq!(places().kind(laramie), Kind::City);
    let above = places().parents(laramie).next().unwrap().parent;
    assert_eq!(places().name(above), "Albany County");
}

#[test]
fn case_18_small_words_are_no_places() {
    only("They are a ga machine. Do. Do it of course, he said.", &[]);
}

#[test]
fn case_19_capitals_and_old_abbreviations_are_read() {
    sure(
        "ST. LOUIS, MO. - FLOOD WARNING",
        &["ST. LOUIS = St. Louis, Missouri"],
    );
    sure(
        "CHATTANOOGA, TENN. AND HARTFORD, CONN. REPORT DAMAGE",
        &[
            "CHATTANOOGA = Chattanooga, Tennessee",
            "HARTFORD = Hartford, Connecticut",
        ],
    );
    sure(
        "...FLASH FLOOD WARNING FOR ROCKLAND COUNTY IN NEW YORK UNTIL 5 PM...",
        &["ROCKLAND COUNTY = Rockland County, New York"],
    );
    sure(
        "Damage in Redding, Calif., and Gulfport, Miss., was light.",
        &[
            "Redding = Redding, California",
            "Gulfport = Gulfport, Mississippi",
        ],
    );
    only("Miss Ellis will wash the van. Ill. or not, she said.", &[]);
}

#[test]
fn case_21_the_exact_name_comes_first() {
    only("A storm crossed Cuba overnight.", &["Cuba = Cuba"]);
}

#[test]
fn case_23_all_levels_are_kept() {
    sure(
        "Trains stopped in New York City and across Connecticut.",
        &[
            "New York City = New York City, New York",
            "Connecticut = Connecticut, United States",
        ],
    );
}

#[test]
fn case_26_brackets_do_no_harm() {
    sure(
        "Engineer, Wuppertal (remote possible), Germany",
        &["Wuppertal = Wuppertal, Nordrhein-Westfalen, Germany"],
    );
    only("((((", &[]);
}

#[test]
fn offsets_count_scalar_values() {
    let text = "Über 漢字 — a fire near Bend, Oregon.";
    for mention in tag(text) {
        let words: String = text
            .chars()
            .skip(mention.range.start)
            .take(mention.range.len())
            .collect();
        assert_eq!(words, mention.text);
        assert_ne!(mention.status, Status::Unknown);
    }
}
