//! Scores a corpus: `cargo run --release -p lahar-places --example bench_places FILE.xml [even|odd] [--show N]`.
#![allow(clippy::print_stdout)] // a command-line program

use lahar_places::{Gazetteer, score};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let xml = std::fs::read_to_string(&arguments[0]).unwrap_or_default();
    let mut articles = score::read_corpus(&xml);
    let half = arguments.get(1).map_or("all", String::as_str);
    let middle = articles.len() / 2;
    if half == "first" {
        articles.truncate(middle);
    } else if half == "second" {
        articles.drain(..middle);
    }
    let show: usize = arguments.get(2).and_then(|n| n.parse().ok()).unwrap_or(0);
    let gazetteer = Gazetteer::embedded();
    let started = std::time::Instant::now();
    let spans = score::score_spans(gazetteer, &articles);
    let bytes: usize = articles.iter().map(|article| article.text.len()).sum();
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{} articles; micro P {:.3} R {:.3} F1 {:.3}; macro P {:.3} R {:.3} F1 {:.3}; {:.1} MB/s",
        articles.len(),
        spans.micro.precision(),
        spans.micro.recall(),
        spans.micro.f1(),
        spans.macro_mean.0,
        spans.macro_mean.1,
        spans.macro_mean.2,
        bytes as f64 / seconds / 1e6
    );
    for (article, what, around) in spans.differences.iter().take(show) {
        println!("{article:4} {what:6} {}", around.replace('\n', " "));
    }
    let alone = score::score_ids_with(gazetteer, &articles, &Default::default());
    println!(
        "every text by itself: id {:.3}; 161 km {:.3}; state below countries {:.3}",
        alone.id_accuracy(),
        alone.accuracy_161km(),
        alone.state_accuracy()
    );
    let ids = score::score_ids(gazetteer, &articles);
    for metric in score::span_metrics(&spans)
        .into_iter()
        .chain(score::id_metrics(&ids))
    {
        println!(
            "{:18} {:.3} ({:.3} to {:.3}), n {}",
            metric.name, metric.value, metric.low, metric.high, metric.n
        );
    }
    println!(
        "id {:.3}; 161 km {:.3}; state or country {:.3}; state below countries {:.3}; country {:.3}",
        ids.id_accuracy(),
        ids.accuracy_161km(),
        ids.ancestor_accuracy(),
        ids.state_accuracy(),
        ids.country_accuracy()
    );
    if let Some(show) = arguments.get(3).and_then(|n| n.parse::<usize>().ok()) {
        for (article, words, found, wanted) in ids.errors.iter().take(show) {
            let site = articles[*article].domain.as_deref().unwrap_or("-");
            println!("{article} {site} | {words} | {found} | {wanted}");
        }
    }
}
