//! GeoVirus and LGL: the weights were chosen on the first halves, the second halves are scored.

use lahar_places::score::{Article, read_corpus, score_ids, score_spans};

use crate::common::{places, shared};

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
}
