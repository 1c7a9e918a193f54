//! GeoVirus and LGL: the weights were chosen on the first halves, the second halves are scored.

use lahar_places::score::{Article, read_corpus, score_ids, score_spans};

use lahar_places::Reading;
use lahar_places::resolve::Home;

use crate::common::{places, shared, tag};

fn second_half(mut articles: Vec<Article>) -> Vec<Article> {
    let middle = articles.len() / 2;
    articles.split_off(middle)
}

#[test]
#[allow(clippy::print_stderr)] // the scores are the point
fn geovirus_spans_of_the_second_half() {
    let Some(xml) = shared("geovirus_spans", "geo/GeoVirus.xml") else {
        return;
    };
    let scores = score_spans(places(), &second_half(read_corpus(&xml)));
    let (precision, recall, f1) = (
        scores.micro.precision(),
        scores.micro.recall(),
        scores.micro.f1(),
    );
    eprintln!(
        "GeoVirus, second half: micro {precision:.3} {recall:.3} {f1:.3}, macro {:?}",
        scores.macro_mean
    );
    assert!(f1 >= 0.93, "{f1}");
}

#[test]
#[allow(clippy::print_stderr)] // the scores are the point
fn lgl_ids_of_the_second_half() {
    let Some(xml) = shared("lgl_ids", "geo/lgl.xml") else {
        return;
    };
    let scores = score_ids(places(), &second_half(read_corpus(&xml)));
    eprintln!(
        "LGL, second half: id {:.3}, 161 km {:.3}, state or country {:.3}, state {:.3}",
        scores.id_accuracy(),
        scores.accuracy_161km(),
        scores.ancestor_accuracy(),
        scores.state_accuracy()
    );
    assert!(scores.id_accuracy() >= 0.65);
    assert!(scores.accuracy_161km() >= 0.85);
    assert!(scores.state_accuracy() >= 0.90);
}

/// A publisher's texts tell where it is at home, and that tells its Athens from the others.
#[test]
fn a_publishers_other_texts_say_where_it_is_at_home() {
    let gazetteer = places();
    let mut home = Home::default();
    for text in [
        "Fires burned near Etowah and Englewood in McMinn County, Tennessee.",
        "The Meigs County school board met in Decatur, Tennessee, on Monday.",
        "Crews from Niota and Riceville helped in McMinn County.",
    ] {
        home.observe(gazetteer, &tag(text));
    }
    assert_eq!(home.texts(), 3);
    assert_eq!(
        home.state().map(|state| gazetteer.name(state)),
        Some("Tennessee")
    );
    let place = |home: Option<Home>| {
        let reading = Reading {
            home,
            ..Reading::default()
        };
        let mentions = gazetteer.tag("The recycling center in Athens opens on Friday.", &reading);
        mentions[0].place.map(|place| gazetteer.qualified(place))
    };
    assert_eq!(place(Some(home)).as_deref(), Some("Athens, Tennessee"));
    assert_ne!(place(None).as_deref(), Some("Athens, Tennessee"));
}

/// "Jerome Township" of Ohio is in no table; it is not the one in Michigan.
#[test]
fn a_small_place_that_no_table_knows_is_not_its_namesake_elsewhere() {
    let text = "Columbus and Delaware, Ohio, sent engines to Marysville and Dublin in Ohio. \
                Union County, Ohio, and Delaware County, Ohio, helped. Nobody was hurt in Grantville.";
    let mention = tag(text)
        .into_iter()
        .find(|mention| mention.text == "Grantville")
        .unwrap();
    assert_eq!(mention.place, None);
    assert_eq!(
        mention.likely_within.map(|state| places().name(state)),
        Some("Ohio")
    );
    // With its own state behind it, it is what it says.
    let other = text.replace("in Grantville.", "in Grantville, Georgia.");
    let place = tag(&other)
        .into_iter()
        .find(|mention| mention.text == "Grantville")
        .and_then(|mention| mention.place);
    assert_eq!(
        place.map(|place| places().qualified(place)).as_deref(),
        Some("Grantville, Georgia")
    );
}
